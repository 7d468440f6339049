"""The vectors of shipped passages, a file for each document, so that an installation doesn't embed them again.

Embedding takes minutes of processor time; reading the documents takes half a minute. A vector is found by a digest of all
that was embedded, so that one of an older text is never used: such a passage is embedded like any other.
"""

from __future__ import annotations

from pathlib import Path
from zipfile import BadZipFile

import numpy as np

from chipwise.corpus import shipped_folder
from chipwise.index.vectors import Vector

MODEL = "model.txt"  # the sha256 of the model that made them
Known = dict[bytes, tuple[Vector, bytes]]


def vectors_folder() -> Path:
    """`evals/prebuilt.py` keeps it up to date."""
    return shipped_folder() / "vectors"


def shipped_vectors(model_sha256: str, folder: Path | None = None) -> Known:
    """By what was embedded, a passage's vector, of length 1 to three decimals, and its sentences' vectors, packed."""
    folder, found = folder or vectors_folder(), Known()
    if not (folder / MODEL).is_file() or (folder / MODEL).read_text("utf-8").strip() != model_sha256:
        return found
    for path in sorted(folder.glob("*.npz")):
        try:
            with path.open("rb") as raw, np.load(raw) as file:
                digests, vectors, meanings, ends = (file[name] for name in ("digests", "vectors", "meanings", "ends"))
        except (OSError, ValueError, KeyError, BadZipFile):  # a damaged one costs time, and nothing else
            continue
        starts = [0, *ends[:-1]]
        for digest, vector, start, end in zip(digests, vectors.astype(np.float32), starts, ends, strict=True):
            found[digest.tobytes()] = vector, meanings[start:end].tobytes()
    return found
