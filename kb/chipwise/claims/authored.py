"""The claims on figures of the shipped documents, as they are meant: written down beside them, a file a document.

    {"document": "nvidia-h100", "sha256": "…"}
    {"quote": "80 GB", "at": 312, "sentence": [300, 341], "subject": "nvidia-h100", "metric": "memory_capacity", …}

We know what our own sentences mean, so nobody has to guess it. A row with a `doubt` is not settled yet: it is shown, and
compared with nothing. A document that is not the one that its claims were
written for, by its hash, is read like any other.
"""

from __future__ import annotations

import hashlib
import json
import math
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from chipwise.claims.model import Claim, Modality
from chipwise.corpus import claims_folder
from chipwise.numbers.quantity import Quantity
from chipwise.types import Document, Passage

USUAL = {"bound": "exact", "form": "value", "count": 1.0}  # of a quantity, and left out


def authored_claims(document: Document, passages: Sequence[Passage]) -> list[Claim] | None:
    """What is written down of a document, in the order of its text; None where nothing is, or not of this text."""
    path = claims_folder() / f"{document.info.id}.jsonl"
    if not path.is_file():
        return None
    first, *lines = path.read_text("utf-8").splitlines()
    if json.loads(first)["sha256"] != text_hash(document.text):
        return None
    return placed_in(passages, (load_row(document.info.id, json.loads(line)) for line in lines))


def text_hash(text: str) -> str:
    """SHA-256 of a document's text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def load_row(source: str, row: dict[str, Any]) -> Claim:
    """The claim of a row, its passage yet to be found."""
    start, end = row["at"], row["at"] + len(row["quote"])
    first, last = row["sentence"]
    value = {**USUAL, **row["value"]}
    low, high = (value.get("amount", value.get(side)) for side in ("low", "high"))
    quantity = Quantity(
        start, end, value["dimension"], value["unit"], -math.inf if low is None else low,
        math.inf if high is None else high, value["bound"], value["form"], value["count"],
    )  # fmt: skip
    return Claim(
        source, 0, first, last, start, end, row.get("subject", ""), row.get("metric", ""), quantity, "", row.get("baseline", ""),
        tuple(sorted(row.get("qualifiers", {}).items())), Modality(row.get("modality", "specified")),
        row.get("attribution", ""), not row.get("denied", False), row.get("doubt", ""),
    )  # fmt: skip


def placed_in(passages: Sequence[Passage], claims: Iterable[Claim]) -> list[Claim]:
    """The claims with the passage that each stands in, and of its line or sentence what stands there too."""
    starts = [p.start for p in passages]
    placed = ((c, passages[bisect_right(starts, c.value_start) - 1]) for c in claims)
    return [replace(c, passage=p.ordinal, start=max(c.start, p.start), end=min(c.end, p.end)) for c, p in placed]
