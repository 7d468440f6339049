"""Where to search for what answers a question: its vector, turned towards the vectors of passages that answer such questions.

One linear map of the question's vector closes a part of the gap between questions and answers. It is learned by
evals/training/questions/aim.py; with vectors of another model a question is searched for as it is.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from chipwise.index.vectors import Vector, unit
from chipwise.models import read_arrays


class Aim:
    """What was learned, for vectors of the model `model_sha256`; where there is nothing of the kind, no vector is turned."""

    def __init__(self, path: Path, model_sha256: str) -> None:
        self._turn = arrays_for(path, model_sha256, "turn").get("turn")

    def at(self, vector: Vector) -> Vector:
        """The vector to search with for a question whose own is `vector`, (dim,), of length 1."""
        return vector if self._turn is None else unit(vector + vector @ self._turn.astype(np.float32))


def arrays_for(path: Path, model_sha256: str, *names: str) -> dict[str, Any]:
    """The arrays of these `names` that were written for the model; none for another model, and where there is no such file."""
    if not path.is_file():
        return {}
    kept = read_arrays(path)
    return {name: kept[name] for name in names} if str(kept["model"]) == model_sha256 else {}
