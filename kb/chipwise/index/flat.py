"""A flat FAISS index read by numpy alone: to import FAISS takes longer than to search ten thousand vectors.

"IxFI", dim, count, ..., count x dim float32        as FAISS 1.7 to 1.13 writes an IndexFlatIP
"""

from __future__ import annotations

import struct
from pathlib import Path
from typing import TYPE_CHECKING

from chipwise.values import dataclass

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

LIMIT = 20_000  # vectors; from there on FAISS, which maps the file, is the quicker one and needs less memory
FLAT_HEADER = struct.Struct("<4siqqq?iQ")  # kind, dim, count, two unused, trained, metric, numbers that follow
FLAT_KIND = b"IxFI"


@dataclass(frozen=True, slots=True)
class Flat:
    """`matrix`, (count, dim) float32, the rows of the index."""

    matrix: npt.NDArray[np.float32]

    @property
    def ntotal(self) -> int:
        """As FAISS calls it: how many vectors."""
        return len(self.matrix)


def read_flat(path: Path) -> Flat | None:
    """None for an index of another kind, one that is large, and what is no index: these are FAISS's to open."""
    import numpy as np  # noqa: PLC0415

    try:
        with path.open("rb") as file:
            kind, dim, count, *_, numbers = FLAT_HEADER.unpack(file.read(FLAT_HEADER.size))
            if kind != FLAT_KIND or not 0 <= count <= LIMIT or dim <= 0 or numbers != count * dim:
                return None
            data = file.read()
    except (OSError, struct.error):
        return None
    return Flat(np.frombuffer(data, "<f4").reshape(count, dim)) if len(data) == 4 * numbers else None


def nearest_rows(flat: Flat, query: npt.NDArray[np.float32], k: int) -> list[tuple[int, float]]:
    """Rows of the k vectors with the greatest inner product, best first, and of equal ones the first."""
    import numpy as np  # noqa: PLC0415

    scores = flat.matrix @ query
    return [(int(row), float(scores[row])) for row in np.argsort(-scores, kind="stable")[:k]]
