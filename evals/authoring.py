"""Writes down the claims on figures of shipped documents that have none yet, or whose text is another now.

    python evals/authoring.py [--check]

They are proposed by reading and printed for review: what is written down is what we mean, whoever
proposed it, and the difference to what was there is in the version control. What is in doubt waits for somebody to settle it.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from records import shipped

from chipwise.claims.authored import USUAL, authored_claims, text_hash
from chipwise.claims.extract import extract
from chipwise.claims.model import Claim, Modality
from chipwise.corpus import claims_folder, shipped_documents
from chipwise.numbers.quantity import Quantity
from chipwise.reading import read_file
from chipwise.splitting import split
from chipwise.types import Document


def stale_documents() -> Iterator[Document]:
    """The shipped documents for which nothing holds that is written down, though their text has figures."""
    for path in shipped_documents():
        document = read_file(path)
        if authored_claims(document, split(document)) is None and proposed(document):
            yield document


def proposed(document: Document) -> list[Claim]:
    """The claims on figures as they are read, some in doubt."""
    claims = extract(split(document), shipped()[0], document.info.title)[1]
    return [c for c in claims if c.quantity is not None and c.metric and c.subject]


def write_claims(path: Path, document: Document, claims: Iterable[Claim]) -> None:
    """Writes down the claims on figures of a document."""
    rows: list[dict[str, Any]] = [{"document": document.info.id, "sha256": text_hash(document.text)}]
    ordered = sorted(claims, key=lambda c: (c.value_start, c.subject, c.metric))
    rows += [dump_row(document.text, claim, claim.quantity) for claim in ordered if claim.quantity is not None]
    path.write_text("".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows), "utf-8")


def dump_row(text: str, claim: Claim, q: Quantity) -> dict[str, Any]:
    """A row for a claim on a figure `q` of a text."""
    value = {
        "low": q.low if math.isfinite(q.low) else None,
        "high": q.high if math.isfinite(q.high) else None,
        "unit": q.unit,
        "dimension": q.dimension,
        **{k: v for k, v in (("bound", q.bound), ("form", q.form), ("count", q.count)) if v != USUAL[k]},
    }
    if value["low"] == value["high"]:
        value = {"amount": value.pop("low"), **value}
        del value["high"]
    row = {
        "quote": text[claim.value_start : claim.value_end],
        "at": claim.value_start,
        "sentence": [claim.start, claim.end],
        "subject": claim.subject,
        "metric": claim.metric,
        "value": value,
        "qualifiers": dict(claim.qualifiers),
        "baseline": claim.baseline,
        "modality": "" if claim.modality is Modality.SPECIFIED else claim.modality.value,
        "attribution": claim.attribution,
        "denied": not claim.polarity,
        "doubt": claim.doubt,
    }
    return {key: said for key, said in row.items() if said or key in ("quote", "at")}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="only name the documents")
    options = parser.parse_args()
    stale = list(stale_documents())
    for document in stale:
        print(document.info.id)
        if options.check:
            continue
        claims = proposed(document)
        write_claims(claims_folder() / f"{document.info.id}.jsonl", document, claims)
        for c in claims:
            print(
                f"  {document.text[c.value_start : c.value_end]!r}: {c.subject} {c.metric} {dict(c.qualifiers)} {c.doubt}"
            )
    sys.exit(bool(stale and options.check))


if __name__ == "__main__":
    main()
