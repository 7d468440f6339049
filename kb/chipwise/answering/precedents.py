"""Questions that people ask, each with the sentences of a source that answer it: what a new question is held against.

A question is nearer to another one in other words than to its answer, so that who asks what was asked before is led to
the sentences; the reader judges them as it does all others (Sakata et al., "FAQ Retrieval using Query-Question
Similarity and BERT-Based Query-Answer Relevance", SIGIR 2019). They stand beside the shipped corpus, made by
evals/training/questions from its labels. Of another corpus, and with vectors of another model, nothing is known.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from chipwise.index.rows import StoredPassage
from chipwise.index.store import Store
from chipwise.index.vectors import Vector, packed_cosines
from chipwise.index.words import any_of
from chipwise.text import ITEM_MARK, one_line
from chipwise.values import dataclass

NEAR = 8  # that a question is held against
WORDED = 24  # that share words with it
BLOCK = 1024  # questions whose vectors are made wide at a time
ALIKE = 0.5  # cosine from which two questions have something in common


@dataclass(frozen=True, slots=True)
class Precedent:
    """A known question, how `alike` it is, and the sentences of `source` that answer it; none where it only looks so."""

    question: str
    source: str
    answer: tuple[str, ...]
    alike: float

    def told_by(self, stored: StoredPassage) -> tuple[float, ...]:
        """For each sentence of a passage how alike a question is that it answers; 0 where it does not."""
        text = stored.passage.text
        return tuple(self.alike * self._holds(text[s.start : s.end]) for s in stored.sentences)

    def _holds(self, sentence: str) -> bool:
        own = bare(sentence)
        return bool(own) and any(own in a or a in own for a in map(bare, self.answer))


class Precedents:
    """The known questions in a file, for vectors of the model `model_sha256`; empty where there is nothing of the kind."""

    def __init__(self, path: Path, model_sha256: str) -> None:
        self._db = (
            sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True) if path.is_file() else None
        )
        kept = self._db.execute(_VECTORS, (model_sha256,)).fetchone() if self._db is not None else None
        self._vectors = kept[0] if kept is not None else b""

    def nearest(self, vector: Vector, count: int = NEAR) -> list[Precedent]:
        """The known questions that are most like the one whose vector is `vector`, (dim,), the closest first."""
        if self._db is None or not self._vectors:
            return []
        size = BLOCK * len(vector)
        blocks = (self._vectors[at : at + size] for at in range(0, len(self._vectors), size))
        cosines = np.array([cosine for block in blocks for cosine in packed_cosines(block, vector)])
        best = np.argsort(-cosines, kind="stable")[:count]
        alike = {int(n): float(cosines[n] - ALIKE) / (1 - ALIKE) for n in best if cosines[n] > ALIKE}
        found = {n: row for n, *row in self._db.execute(_SELECT, (json.dumps([*alike]),))}
        return [_precedent(found[n], share) for n, share in alike.items()]

    def worded(self, words: Sequence[str], count: int = WORDED) -> list[Precedent]:
        """The answered ones that share words with a question, the best first; `alike` is their BM25 score."""
        if self._db is None or not self._vectors or not words:
            return []
        return [_precedent(row, score) for *row, score in self._db.execute(_MATCH, (any_of(words), count))]


_VECTORS = "SELECT packed FROM vectors WHERE model = ?"
_SELECT = "SELECT id, question, source, answer FROM known WHERE id IN (SELECT value FROM json_each(?))"
_MATCH = """
SELECT known.question, source, answer, -bm25(word) AS score FROM word JOIN known ON known.id = word.rowid
WHERE word MATCH ? ORDER BY score DESC LIMIT ?
"""


def _precedent(row: Sequence[str], alike: float) -> Precedent:
    question, source, answer = row
    return Precedent(question, source, tuple(json.loads(answer)), alike)


def passages_of(near: Sequence[Precedent], store: Store) -> Iterator[tuple[StoredPassage, tuple[float, ...]]]:
    """The passages that hold an answer to one of the questions, each with how alike the closest is for each of its sentences."""
    for source in dict.fromkeys(p.source for p in near if p.answer):
        own = [p for p in near if p.source == source]
        for stored in store.source_passages(source):
            each = [p.told_by(stored) for p in own]
            alike = tuple(map(max, zip(*each, strict=True)))
            if any(alike):
                yield stored, alike


def bare(sentence: str) -> str:
    """A sentence without the mark of its item and the full stop, on one line."""
    return ITEM_MARK.sub("", one_line(sentence), count=1).rstrip(" .")
