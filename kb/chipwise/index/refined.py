"""An IVF index that proposes by one bit a dimension, and the full vectors that rank what it proposes, read from their file.

FAISS would map them: on a recent kernel a single row then brings a megabyte of its neighbours into the process's memory,
and two hundred rows most of the file.

"IxRF", ..., the coarse index, "IxFI" and n x dim float32, factor        as FAISS 1.7 to 1.15 writes an IndexRefineFlat
"""

from __future__ import annotations

import struct
import weakref
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chipwise.index.flat import FLAT_HEADER, FLAT_KIND

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Matrix = npt.NDArray[np.float32]

_FACTOR = struct.calcsize("<f")  # behind the vectors


class Refined:
    """`coarse`, the part of FAISS's `index` that proposes `factor` times as many as are asked for, and the vectors in `path`."""

    def __init__(self, path: Path, index: Any, coarse: Any, factor: int) -> None:
        self.coarse, self._owner, self._factor = coarse, index, factor
        self.ntotal, self._dim = int(coarse.ntotal), int(coarse.d)
        self._start = path.stat().st_size - _FACTOR - 4 * self.ntotal * self._dim
        self._file = path.open("rb", buffering=0)
        weakref.finalize(self, self._file.close)

    def is_whole(self) -> bool:
        """Whether the vectors stand where they should."""
        self._file.seek(self._start - FLAT_HEADER.size)
        kind, dim, count, *_ = FLAT_HEADER.unpack(self._file.read(FLAT_HEADER.size))
        return (kind, dim, count) == (FLAT_KIND, self._dim, self.ntotal)

    def nearest(self, query: Matrix, k: int) -> list[tuple[int, float]]:
        """See `vectors.nearest`."""
        _, found = self.coarse.search(query.reshape(1, -1), min(k * self._factor, self.ntotal))
        rows = sorted(int(row) for row in found[0] if row >= 0)
        scored = zip(rows, self.cosines(query, rows), strict=True)
        return sorted(scored, key=lambda pair: -pair[1])[:k]

    def cosines(self, query: Matrix, rows: Sequence[int]) -> list[float]:
        """See `vectors.cosines`."""
        import numpy as np  # noqa: PLC0415

        size = 4 * self._dim
        data = bytearray(size * len(rows))
        view = memoryview(data)
        for at, row in enumerate(rows):
            self._file.seek(self._start + size * row)
            self._file.readinto(view[size * at : size * (at + 1)])
        return [float(score) for score in np.frombuffer(data, "<f4").reshape(len(rows), self._dim) @ query]

    def matrix(self) -> Matrix:
        """All vectors, (n, dim)."""
        import numpy as np  # noqa: PLC0415

        self._file.seek(self._start)
        return np.fromfile(self._file, "<f4", self.ntotal * self._dim).reshape(self.ntotal, self._dim)
