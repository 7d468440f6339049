"""Questions that people ask, each with the sentences of a source that answer it: what a new question is held against.

A question is nearer to the same one in other words than to its answer (Sakata et al., "FAQ Retrieval", SIGIR 2019); the reader
judges the sentences as all others. A wheel carries a database of them and their vectors, in a checkout the first question makes it.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np

from chipwise.corpus import in_checkout
from chipwise.files import file_times, paths_in
from chipwise.index.rows import StoredPassage
from chipwise.index.store import Store
from chipwise.index.vectors import Vector, packed_cosines, unit
from chipwise.index.words import any_of
from chipwise.models import read_arrays
from chipwise.text import ITEM_MARK, one_line
from chipwise.values import dataclass

NEAR = 8  # that a question is held against
WORDED = 24  # that share words with it
BLOCK = 1024  # questions whose vectors are made wide at a time
ALIKE = 0.5  # cosine from which two questions have something in common
NAME = "known-questions"
CARRIED = f"prebuilt/{NAME}.sqlite"  # the database of a wheel, below the corpus
MODEL = "model.txt"  # the sha256 of the model that the vectors are of


@dataclass(frozen=True, slots=True)
class Precedent:
    """A known question, how `alike` it is, and the sentences of `source` that answer it; none where it only looks so."""

    question: str
    source: str
    answer: tuple[str, ...]
    alike: float

    def told_by(self, stored: StoredPassage) -> tuple[float, ...]:
        """For each sentence of a passage how alike a question is that it answers; 0 where it does not."""
        answers = [*map(bare, self.answer)]
        sentences = (bare(stored.passage.text[s.start : s.end]) for s in stored.sentences)
        return tuple(self.alike * any(own and (own in a or a in own) for a in answers) for own in sentences)


class Aim:
    """Where to search for what answers a question: its vector, turned towards the vectors of passages that answer such questions.

    The map is learned by evals/training/questions/aim.py; for another model than `model_sha256` no vector is turned.
    """

    def __init__(self, path: Path, model_sha256: str) -> None:
        kept = read_arrays(path) if path.is_file() else {}
        self._turn = kept["turn"].astype(np.float32) if kept and str(kept["model"]) == model_sha256 else None

    def at(self, vector: Vector) -> Vector:
        """The vector to search with for a question whose own is `vector`, (dim,), of length 1."""
        return vector if self._turn is None else unit(vector + vector @ self._turn)


class Precedents:
    """The known questions of a folder, for vectors of the model `model_sha256`; none where there are none for it.

    `vectors_of` it has a file of vectors for each file, and `model.txt` above them names their model. The database is kept in `beside`.
    """

    def __init__(self, questions: Path, beside: Path, model_sha256: str) -> None:
        model = vectors_of(questions).parent / MODEL
        known = model.is_file() and model.read_text("utf-8").strip() == model_sha256
        self._db = _opened(questions, beside) if known else None
        self._vectors: bytes = self._db.execute(_VECTORS).fetchone()[0] if self._db is not None else b""

    def nearest(self, vector: Vector, count: int = NEAR) -> list[Precedent]:
        """The known questions that are most like the one whose vector is `vector`, (dim,), the closest first."""
        if self._db is None:
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
        if self._db is None or not words:
            return []
        return [_precedent(row, score) for *row, score in self._db.execute(_MATCH, (any_of(words), count))]

    def counted(self, words: Iterable[str]) -> dict[str, int]:
        """Count the answered questions that have each word in some form."""
        db = self._db
        return {word: db.execute(_COUNT, (any_of([word]),)).fetchone()[0] if db is not None else 0 for word in words}


_VECTORS = "SELECT packed FROM vectors"
_SELECT = "SELECT id, question, source, answer FROM known WHERE id IN (SELECT value FROM json_each(?))"
_MATCH = """
SELECT known.question, source, answer, -bm25(word) AS score FROM word JOIN known ON known.id = word.rowid
WHERE word MATCH ? ORDER BY score DESC LIMIT ?
"""
_COUNT = "SELECT count(*) FROM word WHERE word MATCH ?"
_CREATE = """
CREATE TABLE vectors (packed BLOB NOT NULL);
CREATE TABLE known (id INTEGER PRIMARY KEY, question TEXT NOT NULL, source TEXT NOT NULL, answer TEXT NOT NULL);
CREATE VIRTUAL TABLE word USING fts5 (question, content='known', content_rowid='id', tokenize='porter unicode61');
"""


def _opened(questions: Path, beside: Path) -> sqlite3.Connection:
    """The database of the files as they are now: the wheel's, which is of its own files, else one beside the index."""
    path = questions.parent / CARRIED
    if in_checkout() or not path.is_file():
        files = [*paths_in(questions, ".jsonl"), *paths_in(vectors_of(questions), ".npz")]
        states = zlib.crc32("".join(f"{path} {file_times(path)}\n" for path in files).encode())
        path = beside / f"{NAME}-{states:08x}.sqlite"
    if path.is_file():
        return sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True)
    connection = sqlite3.connect(":memory:")
    write(connection, questions)
    with suppress(OSError, sqlite3.OperationalError):  # where it can't be kept, it is made each time
        partial = path.with_suffix(f".{os.getpid()}")  # another process may be at it
        connection.execute("VACUUM INTO ?", (str(partial),))
        for older in beside.glob(f"{NAME}-*.sqlite"):
            older.unlink(missing_ok=True)
        partial.replace(path)
    return connection


def write(connection: sqlite3.Connection, questions: Path) -> None:
    """Fills a database with the known questions, those with a vector first, and an index of the words of those with an answer."""
    known: dict[str, tuple[str, str]] = {}
    for path in paths_in(questions, ".jsonl"):
        for line in Path(path).read_text("utf-8").splitlines():
            record = json.loads(line)
            known.setdefault(record["q"], (record["source"], json.dumps(record["answer"], ensure_ascii=False)))
    packed = known_vectors(questions)
    rows = sorted(((digest(q) not in packed, q, *rest) for q, rest in known.items()), key=lambda row: row[0])
    with connection:
        connection.executescript(_CREATE)
        blob = b"".join(packed[digest(q)] for lacks, q, *_ in rows if not lacks)
        connection.execute("INSERT INTO vectors VALUES (?)", (blob,))
        connection.executemany("INSERT INTO known VALUES (?, ?, ?, ?)", ((n, *r) for n, (_, *r) in enumerate(rows)))
        connection.execute("INSERT INTO word (rowid, question) SELECT id, question FROM known WHERE answer <> '[]'")
        connection.execute("INSERT INTO word (word) VALUES ('optimize')")


def vectors_of(questions: Path) -> Path:
    """The folder of their vectors: corpus/vectors/questions of corpus/questions."""
    return questions.parent / "vectors" / questions.name


def known_vectors(questions: Path) -> dict[bytes, bytes]:
    """By the digest of a question, its vector as `vectors.pack` packs it."""
    found: dict[bytes, bytes] = {}
    for path in paths_in(vectors_of(questions), ".npz"):
        with np.load(path) as file:
            found |= {d.tobytes(): v.tobytes() for d, v in zip(file["digests"], file["vectors"], strict=True)}
    return found


def digest(question: str) -> bytes:
    """Eight bytes by which the vector of a question is found."""
    return hashlib.sha256(question.encode()).digest()[:8]


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
