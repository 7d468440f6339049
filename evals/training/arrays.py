"""Writes what was learned of questions: arrays for the vectors of one model, as `chipwise.answering` reads them."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from chipwise.answering.precedents import Precedent
from chipwise.index.vectors import Matrix, Vector


def write_arrays(path: Path, model_sha256: str, **arrays: Any) -> None:
    """Writes them down, as they are: to unpack them costs more at each start than their size is worth."""
    np.savez(path, model=np.array(model_sha256), **arrays)


def write_aim(path: Path, turn: Matrix, model_sha256: str) -> None:
    """Keeps `turn`, (dim, dim): to the vector of a question is added that vector times it."""
    write_arrays(path, model_sha256, turn=turn.astype(np.float16))


def write_precedents(path: Path, known: Sequence[Precedent], packed: bytes, model_sha256: str) -> None:
    """Keeps known questions with their vectors, as `vectors.pack` packs them, and an index of the words of those that have an answer."""
    path.unlink(missing_ok=True)
    connection = sqlite3.connect(path)
    with connection:
        connection.executescript(_CREATE)
        connection.execute("INSERT INTO vectors VALUES (?, ?)", (model_sha256, packed))
        rows = ((n, k.question, k.source, json.dumps(k.answer, ensure_ascii=False)) for n, k in enumerate(known))
        connection.executemany("INSERT INTO known VALUES (?, ?, ?, ?)", rows)
        connection.execute("INSERT INTO word (rowid, question) SELECT id, question FROM known WHERE answer <> '[]'")
        connection.execute("INSERT INTO word (word) VALUES ('optimize')")
    connection.execute("VACUUM")
    connection.close()


_CREATE = """
CREATE TABLE vectors (model TEXT NOT NULL, packed BLOB NOT NULL);
CREATE TABLE known (id INTEGER PRIMARY KEY, question TEXT NOT NULL, source TEXT NOT NULL, answer TEXT NOT NULL);
CREATE VIRTUAL TABLE word USING fts5 (question, content='known', content_rowid='id', tokenize='porter unicode61');
"""


def write_wishes(
    path: Path, labels: list[str], words: list[str], weights: Matrix, bias: Vector, model_sha256: str
) -> None:
    """Keeps the weights, (dim + words, labels), and the bias, (labels,)."""
    write_arrays(path, model_sha256, labels=labels, words=words, weights=weights.astype(np.float16), bias=bias)
