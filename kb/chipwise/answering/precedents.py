"""Questions that people ask, each with the sentences of a source that answer it: what a new question is held against.

A question is nearer to another one in other words than to its answer, so that who asks what was asked before is led to
the sentences; the reader judges them as it does all others (Sakata et al., "FAQ Retrieval using Query-Question
Similarity and BERT-Based Query-Answer Relevance", SIGIR 2019). They stand beside the shipped corpus, made by
evals/training/questions from its labels. Of another corpus, and with vectors of another model, nothing is known.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from chipwise.answering.aim import read_arrays
from chipwise.index.rows import StoredPassage
from chipwise.index.store import Store
from chipwise.index.vectors import Vector, packed_cosines
from chipwise.text import ITEM_MARK, one_line
from chipwise.values import dataclass

NEAR = 8  # that a question is held against
BLOCK = 1024  # questions whose vectors are made wide at a time
ALIKE = 0.5  # cosine from which two questions have something in common


@dataclass(frozen=True, slots=True)
class Precedent:
    """A known question, how `alike` it is in [0, 1], and the sentences of `source` that answer it; none where it only looks so."""

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
        kept = read_arrays(path, model_sha256)
        self._lines, self._vectors = (kept.get(name, np.empty(0, dtype=np.uint8)) for name in ("lines", "vectors"))
        ends = [*np.flatnonzero(self._lines == ord("\n")).tolist(), len(self._lines)] if len(self._lines) else []
        self._spans = list(zip([0, *(end + 1 for end in ends)], ends, strict=False))

    def nearest(self, vector: Vector, count: int = NEAR) -> list[Precedent]:
        """The known questions that are most like the one whose vector is `vector`, (dim,), the closest first."""
        blocks = np.split(self._vectors, range(BLOCK * len(vector), len(self._vectors), BLOCK * len(vector)))
        cosines = np.array([cosine for block in blocks for cosine in packed_cosines(block.tobytes(), vector)])
        best = np.argsort(-cosines, kind="stable")[:count]
        found = (self._read(int(n), float(cosines[n] - ALIKE) / (1 - ALIKE)) for n in best)
        return [precedent for precedent in found if precedent.alike > 0]

    def _read(self, number: int, alike: float) -> Precedent:
        start, end = self._spans[number]
        question, source, answer = json.loads(self._lines[start:end].tobytes())
        return Precedent(question, source, tuple(answer), alike)


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
