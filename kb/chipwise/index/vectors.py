"""Passage vectors in FAISS: written whole, read memory-mapped, nearest by cosine.

Vectors have length 1, so the inner product is the cosine. Row i of the index is the passage whose `vector` column
holds i. FAISS and numpy are imported where they are used: an answer out of facts needs neither.
"""

from __future__ import annotations

import math
import struct
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from chipwise.errors import KnowledgeBaseDamaged, StorageFailed
from chipwise.values import dataclass

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

Matrix: TypeAlias = "npt.NDArray[np.float32]"
Vector: TypeAlias = "npt.NDArray[np.float32]"

READ_LIMIT = 20_000  # vectors; from there on FAISS, which maps the file, is quicker than numpy and needs less memory
FLAT_LIMIT = 100_000  # vectors; exact search takes 14 ms there, and 144 ms at a million
REFINE_FACTOR = 16  # candidates re-ranked with full vectors, per result asked for
ROUNDED = 1e-3  # what a component of a vector of length 1 loses in 16 bits, and some room
LISTS = 4  # inverted lists, times the root of how many vectors there are
GROWTH = 1.4  # times the lists that fewer vectors were sorted into: twice as many vectors are sorted anew
PROBED_SHARE = 0.2  # of the inverted lists: questions lie far from passages, and 0.03 found 85% of the ten nearest

# of a flat index, as FAISS 1.7 to 1.13 writes it: "IxFI", dim, count, two unused, trained, metric, numbers that follow
_HEADER = struct.Struct("<4siqqq?iQ")


@dataclass(frozen=True, slots=True)
class Flat:
    """`matrix`, (count, dim) float32, the rows of the index."""

    matrix: npt.NDArray[np.float32]

    @property
    def ntotal(self) -> int:
        """As FAISS calls it: how many vectors."""
        return len(self.matrix)


@cache
def _faiss() -> tuple[Any, int]:
    """FAISS, and the number of threads that it starts with."""
    import faiss  # noqa: PLC0415

    return faiss, faiss.omp_get_max_threads()


def write_index(path: Path, vectors: Matrix, upon: Path | None = None) -> None:
    """Writes an index over `vectors`, (n, dim) float32 of length 1: flat, or IVF + RaBitQ with halves for many.

    Where the index at `upon` holds the first of them, the rest is added to what it learned. Raises StorageFailed when
    the disk refuses.
    """
    faiss, _ = _faiss()
    index = (_grown(upon, vectors) if upon is not None and len(vectors) > FLAT_LIMIT else None) or _build(vectors)
    try:
        faiss.write_index(index, str(path))
    except RuntimeError as error:
        reason = str(error).strip().splitlines()[-1].rpartition("failed: ")[2]
        raise StorageFailed(
            f"{path} cannot be written: {reason}",
            hint="free some space or permission there, or name another folder with --kb",
        ) from error


def _grown(upon: Path, vectors: Matrix) -> Any | None:
    """The index at `upon` with what `vectors` has more; None where that is most of them, or it holds others."""
    import numpy as np  # noqa: PLC0415

    faiss, all_threads = _faiss()
    faiss.omp_set_num_threads(all_threads)
    index = faiss.read_index(str(upon))
    if not _is_refined(index) or index.d != vectors.shape[1]:
        return None
    lists, had = _downcast(index.base_index).nlist, index.ntotal
    if not had <= len(vectors) or LISTS * math.sqrt(len(vectors)) > GROWTH * lists:
        return None
    if not np.allclose(read_vectors(index), vectors[:had], atol=ROUNDED):
        return None
    if had < len(vectors):
        index.add(vectors[had:])
    return index


def _build(vectors: Matrix) -> Any:
    # RaBitQ (Gao & Long, SIGMOD 2024) keeps one bit a dimension; what it proposes is then ranked exactly
    faiss, all_threads = _faiss()
    faiss.omp_set_num_threads(all_threads)
    count, dim = vectors.shape
    if count <= FLAT_LIMIT:
        flat = faiss.IndexFlatIP(dim)
        flat.add(vectors)
        return flat
    lists = int(LISTS * math.sqrt(count))
    coarse: Any = faiss.index_factory(dim, f"IVF{lists},RaBitQ", faiss.METRIC_INNER_PRODUCT)
    coarse.train(vectors[:: max(1, count // (64 * lists))])
    coarse.nprobe = max(1, round(lists * PROBED_SHARE))
    # in 16 bits, as the vectors of shipped passages are: half of the file, and of the memory that it is mapped to
    exact: Any = faiss.IndexScalarQuantizer(dim, faiss.ScalarQuantizer.QT_fp16, faiss.METRIC_INNER_PRODUCT)
    refined = faiss.IndexRefine(coarse, exact)
    refined.k_factor = REFINE_FACTOR
    refined.add(vectors)
    return refined


def open_index(path: Path) -> Any:
    """The index, memory-mapped; a small flat one as it is. Raises KnowledgeBaseDamaged when the file is no index."""
    flat = read_flat(path)
    if flat is not None:
        return flat
    faiss, _ = _faiss()
    try:
        index = faiss.read_index(str(path), faiss.IO_FLAG_MMAP_IFC)
    except RuntimeError as error:
        reason = str(error).strip().splitlines()[-1]
        raise KnowledgeBaseDamaged(f"{path} cannot be read: {reason}", hint="run `chipwise build --fresh`") from None
    return index


def read_flat(path: Path) -> Flat | None:
    """None for an index of another kind, one that is large, and what is no index: these are FAISS's to open."""
    import numpy as np  # noqa: PLC0415

    try:
        with path.open("rb") as file:
            kind, dim, count, *_, numbers = _HEADER.unpack(file.read(_HEADER.size))
            if kind != b"IxFI" or not 0 <= count <= READ_LIMIT or dim <= 0 or numbers != count * dim:
                return None
            data = file.read()
    except (OSError, struct.error):
        return None
    return Flat(np.frombuffer(data, "<f4").reshape(count, dim)) if len(data) == 4 * numbers else None


def describe(index: Any) -> str:
    """The kind of an index, as FAISS names it."""
    if isinstance(index, Flat) or not _is_refined(index):
        return "Flat"
    return f"IVF{_downcast(index.base_index).nlist},RaBitQ,Refine(SQfp16)"


def nearest(index: Any, query: Vector, k: int) -> list[tuple[int, float]]:
    """Rows of the k closest passages, best first, with cosine in [-1, 1].

    `query` is (dim,) float32 of length 1. Fewer than k come back when the
    index holds fewer; faiss pads with row -1, dropped here.
    """
    if index.ntotal == 0 or k < 1:
        return []
    import numpy as np  # noqa: PLC0415

    if isinstance(index, Flat):
        scores = index.matrix @ query
        return [(int(row), float(scores[row])) for row in np.argsort(-scores, kind="stable")[:k]]
    if hasattr(index, "nearest"):  # a server's
        return list(index.nearest(query, k))
    faiss, _ = _faiss()
    # one question gains nothing from a second thread, and waits for it where another process has the core
    faiss.omp_set_num_threads(1)
    scores, rows = index.search(query.reshape(1, -1), min(k, index.ntotal))
    return [(int(row), float(score)) for row, score in zip(rows[0], scores[0], strict=True) if row >= 0]


def cosines(index: Any, query: Vector, rows: list[int]) -> list[float]:
    """The cosine of `query` with each of `rows`, exactly."""
    if not rows:
        return []
    import numpy as np  # noqa: PLC0415

    if isinstance(index, Flat):
        return [float(score) for score in index.matrix[rows] @ query]
    if hasattr(index, "nearest"):
        return list(index.cosines(query, rows))
    return [float(score) for score in _exact(index).reconstruct_batch(np.array(rows, dtype=np.int64)) @ query]


def read_vectors(index: Any) -> Matrix:
    """All vectors as they were written, (n, dim)."""
    import numpy as np  # noqa: PLC0415

    if isinstance(index, Flat):
        return index.matrix
    exact = _exact(index)
    return np.asarray(exact.reconstruct_n(0, exact.ntotal), dtype=np.float32).reshape(exact.ntotal, exact.d)


def unit(vector: Vector) -> Vector:
    """`vector` at length 1; zeros stay zeros."""
    import numpy as np  # noqa: PLC0415

    length = float(np.linalg.norm(vector))
    return vector / np.float32(length) if length else vector


def pack(vectors: Matrix) -> bytes:
    """Vectors of length 1 as one byte a component: cosines keep two decimals, at a quarter of the size."""
    import numpy as np  # noqa: PLC0415

    return np.clip(np.rint(vectors * 127), -127, 127).astype(np.int8).tobytes()


def packed_cosines(packed: bytes, query: Vector) -> list[float]:
    """The cosine of `query` with each vector that `pack` packed, to two decimals."""
    import numpy as np  # noqa: PLC0415

    rows = np.frombuffer(packed, dtype=np.int8).reshape(-1, query.shape[0])
    return [float(cosine) for cosine in rows.astype(np.float32) @ query / np.float32(127)]


def _downcast(index: Any) -> Any:
    return _faiss()[0].downcast_index(index)


def _is_refined(index: Any) -> bool:
    return isinstance(index, _faiss()[0].IndexRefine)


def _exact(index: Any) -> Any:
    return _downcast(index.refine_index) if _is_refined(index) else index
