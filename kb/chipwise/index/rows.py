"""Database rows into values and back."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from chipwise.claims.model import Figure, Sentence
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


def dump_sentences(sentences: Sequence[Sentence]) -> str:
    """Sentences as compact JSON: lists rather than objects, as every passage of a question is parsed."""
    return json.dumps(
        [
            [s.start, s.end, s.entities, s.carried, s.metrics, s.terms, [_figure_row(f) for f in s.figures]]
            for s in sentences
        ],
        separators=(",", ":"),
    )


def _figure_row(figure: Figure) -> list[str | int | float]:
    q = figure.quantity
    return [figure.subject, figure.metric, q.start, q.end, q.dimension, q.unit, q.low, q.high, q.bound, q.form, q.count]


def load_sentences(dumped: str) -> tuple[Sentence, ...]:
    """What `dump_sentences` wrote."""
    return tuple(
        Sentence(
            start,
            end,
            tuple(entities),
            tuple(carried),
            tuple(metrics),
            tuple(terms),
            tuple(Figure(f[0], f[1], Quantity(*f[2:])) for f in figures),
        )
        for start, end, entities, carried, metrics, terms, figures in json.loads(dumped)
    )
