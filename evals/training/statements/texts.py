"""Texts in which every statement that is no figure is labelled: what runs on a product, where it is rented, when it was announced.

    {"id": "t-003", "text": "…", "claims": [{"subject": "nvidia-l4", "relation": "dtype_support", "object": "fp8", "quote": "FP8"}]}

A text without claims is one that says nothing of the kind, often in words that look as if it did. `polarity` is left out where
the text affirms, `exclusive` is "only" (the object is all there is) or "subject" (nothing else has it), `promised` is true of
what is still to come. Of a date the object is as exact as the text.

`labelled.jsonl` is to train on; `report.jsonl`, by another writer, is only measured by: nobody tunes on it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chipwise.domain.model import Domain
from chipwise.reading import read_bytes
from chipwise.splitting import split
from chipwise.types import Passage

HERE = Path(__file__).parent
LABELLED, REPORT = HERE / "labelled.jsonl", HERE / "report.jsonl"
GOLDEN = HERE.parents[2] / "tests" / "golden"


@dataclass(frozen=True)
class Told:
    """One statement of a text; `quote` are the words for its object, "" where it is not told which they are."""

    subject: str
    relation: str
    object: str
    polarity: bool = True
    exclusive: str = ""
    promised: bool = False
    quote: str = ""


@dataclass(frozen=True)
class Text:
    """A text with all that it says."""

    id: str
    text: str
    told: tuple[Told, ...]


def read_texts(path: Path) -> Iterator[Text]:
    """The texts of a file of labels, in order."""
    for line in path.read_text("utf-8").splitlines():
        row = json.loads(line)
        yield Text(row["id"], row["text"], tuple(Told(**claim) for claim in row["claims"]))


def golden(domain: Domain) -> Iterator[Text]:
    """The golden sentences, on which the rules were tuned, as documents: whom "they" means is named in a heading."""
    for name in ("categories", "categories_dates"):
        for number, line in enumerate((GOLDEN / f"{name}.jsonl").read_text("utf-8").splitlines()):
            row = json.loads(line)
            text = _as_document(domain, row)
            if sum(map(str.isalpha, text)) > 2:  # a document of marks alone is none
                yield Text(f"{name}-{number}", text, tuple(_told(row)))


def _as_document(domain: Domain, row: dict[str, Any]) -> str:
    names = [domain.entities[i].name for i in row["carried"]]
    above = row.get("above", "")
    heading = f"# {' and '.join(names)}\n\n" if names else ""
    lead = above + ("\n" if above.endswith(":") else "\n\n") if above else ""
    return f"{heading}{lead}{row['text']}\n"


def _told(row: dict[str, Any]) -> Iterator[Told]:
    for c in row.get("claims", ()):
        yield Told(c["subject"], c["relation"], c["object"], c["polarity"], c["qualifiers"].get("exclusive", ""))
    for subject, metric, iso, _ in row.get("dates", ()):
        yield Told(subject, metric, iso)


def passages_of(text: Text) -> tuple[list[Passage], str]:
    """The passages of a text and its title, "" where none is marked: how a text begins is no title of it."""
    name = f"{text.id}.md"
    made = read_bytes(text.text.encode(), name=name, origin=name, source_id=name)
    return list(split(made)), made.info.title if text.text.lstrip().startswith("#") else ""
