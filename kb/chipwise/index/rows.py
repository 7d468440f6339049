"""Database rows into values and back: passages with their sentences, claims and facts.

Records are kept as JSON lists of their fields, in the order of their classes: an audit parses all claims, and a question
every sentence of its passages.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import fields
from typing import Any

from chipwise.claims.model import Citation, Claim, Fact, Figure, Modality, Sentence
from chipwise.numbers.quantity import Quantity
from chipwise.types import Passage, Role, SourceInfo
from chipwise.values import dataclass


@dataclass(frozen=True, slots=True)
class StoredPassage:
    """A passage with its row id, its sentences as annotated, and their vectors, packed."""

    row: int
    passage: Passage
    sentences: tuple[Sentence, ...]
    meaning: bytes


def ids(rows: Iterable[int]) -> dict[str, str]:
    """Any number of ids as one parameter: SQLite takes no list, and a text of them would be built SQL."""
    return {"ids": json.dumps(list(rows))}


def read_source(row: tuple[Any, ...]) -> SourceInfo:
    """A row of SELECT_SOURCE."""
    id_, title, origin, publisher, author, published, kind, lineage, verified = row
    _check_texts(id_, title, origin, publisher, author, published, kind, verified)
    return SourceInfo(id_, title, origin, publisher, author, published, kind, tuple(json.loads(lineage)), verified)


def read_passage(row: tuple[Any, ...]) -> StoredPassage:
    """A row of SELECT_PASSAGES."""
    id_, source, ordinal, start, end, line, page, role, heading, context, text, dumped, meaning = row
    _check_texts(source, context, text)
    sentences = load_sentences(dumped)
    spans = tuple((s.start, s.end) for s in sentences)
    path = tuple(json.loads(heading))
    passage = Passage(source, ordinal, start, end, line, Role(role), path, page, text, context, spans)
    return StoredPassage(id_, passage, sentences, meaning)


def _check_texts(*values: object) -> None:
    """Raises TypeError: bytes in the place of text, which SQLite takes for no damage, would fail where they are shown."""
    if not all(isinstance(value, str) for value in values):
        raise TypeError("a column of text holds something else")


def passage_values(p: Passage, sentences: tuple[Sentence, ...], above: str, digest: bytes) -> dict[str, Any]:
    """The parameters of INSERT_PASSAGE."""
    columns = "source ordinal start end line page context text".split()
    return {
        **{column: getattr(p, column) for column in columns},
        "role": p.role.value,
        "heading": json.dumps(p.heading, ensure_ascii=False),
        "above": above,
        "sentences": dump_sentences(sentences),
        "sha256": digest,
    }


def dump_sentences(sentences: Sequence[Sentence]) -> str:
    """Sentences as compact JSON."""
    rows = [[*_row(s)[:-1], [[f.subject, f.metric, *_row(f.quantity)] for f in s.figures]] for s in sentences]
    return json.dumps(rows, separators=(",", ":"))


def load_sentences(dumped: str) -> tuple[Sentence, ...]:
    """What `dump_sentences` wrote."""
    return tuple(
        Sentence(*(start, end, *map(tuple, named), tuple(Figure(f[0], f[1], Quantity(*f[2:])) for f in figures)))
        for start, end, *named, figures in json.loads(dumped)
    )


def dump_claim(claim: Claim) -> str:
    """A claim as compact JSON, infinities as null."""
    row = _row(claim)
    if claim.quantity is not None:
        row[_QUANTITY] = _row(claim.quantity)
        row[_QUANTITY][_LOW : _LOW + 2] = _finite(claim.quantity.low), _finite(claim.quantity.high)
    row[_MODALITY] = claim.modality.value
    return json.dumps(row, ensure_ascii=False, separators=(",", ":"))


def load_claim(value: str) -> Claim:
    """What `dump_claim` wrote."""
    row = json.loads(value)
    quantity = row[_QUANTITY]
    if quantity is not None:
        low, high = quantity[_LOW : _LOW + 2]
        quantity[_LOW : _LOW + 2] = -math.inf if low is None else low, math.inf if high is None else high
        row[_QUANTITY] = Quantity(*quantity)
    row[_QUALIFIERS] = tuple(map(tuple, row[_QUALIFIERS]))
    row[_MODALITY] = Modality(row[_MODALITY])
    row[_RIVALS] = tuple(map(tuple, row[_RIVALS]))
    return Claim(*row)


def claim_row(claim: Claim, fact: Fact | None = None) -> dict[str, Any]:
    """The parameters of INSERT_CLAIM."""
    q = claim.quantity
    return {
        "source": claim.source,
        "passage": claim.passage,
        "subject": claim.subject,
        "metric": claim.metric,
        "dimension": q.dimension if q is not None else "",
        "low": _finite(q.low) if q is not None else None,
        "high": _finite(q.high) if q is not None else None,
        "value": dump_claim(claim),
        "fact": None if fact is None else _dump_fact(fact),
    }


def _dump_fact(fact: Fact) -> str:
    id_, _, *rest, citation = _row(fact)
    return json.dumps([[id_, *rest], _row(citation)], ensure_ascii=False)


def load_fact(value: str, fact: str) -> Fact:
    """A row of SELECT_CLAIMS whose second column is not NULL."""
    (id_, *rest), citation = json.loads(fact)
    return Fact(*(id_, load_claim(value), *rest, Citation(*citation)))


def _row(record: Any) -> list[Any]:
    return [getattr(record, field.name) for field in fields(record)]


def _place(record: type, name: str) -> int:
    return next(n for n, field in enumerate(fields(record)) if field.name == name)


_QUANTITY, _QUALIFIERS, _MODALITY, _RIVALS = (
    _place(Claim, name) for name in ("quantity", "qualifiers", "modality", "rivals")
)
_LOW = _place(Quantity, "low")  # and high behind it


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
