"""Writes what was learned of questions: arrays for the vectors of one model, as `chipwise.answering` reads them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from chipwise.index.vectors import Matrix, Vector


def write_arrays(path: Path, model_sha256: str, **arrays: Any) -> None:
    """Writes them down, as they are: to unpack them costs more at each start than their size is worth."""
    np.savez(path, model=np.array(model_sha256), **arrays)


def write_aim(path: Path, turn: Matrix, model_sha256: str) -> None:
    """Keeps `turn`, (dim, dim): to the vector of a question is added that vector times it."""
    write_arrays(path, model_sha256, turn=turn.astype(np.float16))


def write_wishes(
    path: Path, labels: list[str], words: list[str], weights: Matrix, bias: Vector, model_sha256: str
) -> None:
    """Keeps the weights, (dim + words, labels), and the bias, (labels,)."""
    write_arrays(path, model_sha256, labels=labels, words=words, weights=weights.astype(np.float16), bias=bias)
