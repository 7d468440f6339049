"""FAISS against numpy: the same neighbours, exactly for few vectors and nearly so for many."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chipwise.errors import KnowledgeBaseDamaged, StorageFailed
from chipwise.index import vectors
from chipwise.index.vectors import (
    ROUNDED,
    Flat,
    Matrix,
    Vector,
    cosines,
    describe,
    nearest,
    open_index,
    pack,
    packed_cosines,
    read_flat,
    read_vectors,
    unit,
    write_index,
)

from ..building.looking import small_disk

DIM = 64


def made(count: int, seed: int = 0) -> Matrix:
    """`count` random directions around twenty centres, as passages gather around topics."""
    random = np.random.default_rng(seed)
    centres = random.normal(size=(20, DIM))
    rows = centres[random.integers(0, 20, size=count)] + 0.5 * random.normal(size=(count, DIM))
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def best(rows: Matrix, query: Vector, k: int) -> list[int]:
    return [int(row) for row in np.argsort(-(rows @ query), kind="stable")[:k]]


@pytest.mark.parametrize("count", [1, 7, 500])
def test_the_flat_index_finds_what_numpy_finds(tmp_path: Path, count: int) -> None:
    rows = made(count)
    write_index(tmp_path / "v", rows)
    index = open_index(tmp_path / "v")
    assert describe(index) == "Flat"
    for query in made(20, seed=1):
        found = nearest(index, query, 10)
        assert [row for row, _ in found] == best(rows, query, 10)
        assert [cosine for _, cosine in found] == pytest.approx(
            [float(rows[row] @ query) for row, _ in found], abs=1e-5
        )


def test_a_small_flat_index_is_read_without_faiss_as_faiss_reads_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_index(tmp_path / "v", made(300))
    ours = open_index(tmp_path / "v")
    monkeypatch.setattr(vectors, "read_flat", lambda _: None)
    faiss = open_index(tmp_path / "v")
    assert isinstance(ours, Flat)
    assert not isinstance(faiss, Flat)
    assert np.array_equal(read_vectors(ours), read_vectors(faiss))
    for query in made(20, seed=1):
        assert [row for row, _ in nearest(ours, query, 10)] == [row for row, _ in nearest(faiss, query, 10)]
        assert cosines(ours, query, [5, 2]) == pytest.approx(cosines(faiss, query, [5, 2]), abs=1e-6)


def test_a_large_or_another_index_is_faisss_to_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_index(tmp_path / "v", made(300))
    monkeypatch.setattr(vectors, "READ_LIMIT", 299)
    assert read_flat(tmp_path / "v") is None
    assert read_flat(Path(__file__)) is None
    assert read_flat(tmp_path / "none") is None


@pytest.fixture
def many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Matrix, Path]:
    """An index of the kind for many vectors, by lowering what counts as many."""
    monkeypatch.setattr(vectors, "FLAT_LIMIT", 1000)
    rows = made(3000)
    write_index(tmp_path / "v", rows)
    return rows, tmp_path / "v"


def test_the_index_for_many_vectors_finds_nearly_all_that_numpy_finds(many: tuple[Matrix, Path]) -> None:
    rows, path = many
    index = open_index(path)
    assert describe(index).startswith("IVF")
    queries = made(50, seed=0)[:50]
    hits = sum(len({row for row, _ in nearest(index, q, 10)} & set(best(rows, q, 10))) for q in queries)
    assert hits / (10 * len(queries)) > 0.8
    assert all(nearest(index, row, 1)[0][0] == n for n, row in enumerate(rows[:20])), "a vector is its own neighbour"


def test_the_index_for_many_vectors_refines_with_cosines_to_three_decimals(many: tuple[Matrix, Path]) -> None:
    rows, path = many
    query = made(1, seed=0)[0]
    found = nearest(open_index(path), query, 10)
    assert [cosine for _, cosine in found] == pytest.approx([float(rows[row] @ query) for row, _ in found], abs=5e-4)
    assert [cosine for _, cosine in found] == sorted((cosine for _, cosine in found), reverse=True)


def test_vectors_come_back_as_they_were_written(many: tuple[Matrix, Path], tmp_path: Path) -> None:
    rows, path = many
    np.testing.assert_allclose(read_vectors(open_index(path)), rows, atol=ROUNDED)
    write_index(tmp_path / "flat", rows[:10])
    np.testing.assert_array_equal(read_vectors(open_index(tmp_path / "flat")), rows[:10])


def test_vectors_that_are_added_are_sorted_into_what_was_learned(many: tuple[Matrix, Path], tmp_path: Path) -> None:
    rows, path = many
    more = np.concatenate([rows, made(40, seed=2)])
    write_index(tmp_path / "more", more, upon=path)
    index = open_index(tmp_path / "more")
    assert describe(index) == describe(open_index(path)), "3,040 would have other lists than 3,000"
    np.testing.assert_allclose(read_vectors(index), more, atol=ROUNDED)
    assert all(nearest(index, more[n], 1)[0][0] == n for n in range(2990, 3040))


@pytest.mark.parametrize("others", [made(3040, seed=5), made(9000)], ids=["other vectors", "three times as many"])
def test_what_is_not_grown_from_the_index_before_is_learned_anew(
    many: tuple[Matrix, Path], tmp_path: Path, others: Matrix
) -> None:
    write_index(tmp_path / "other", others, upon=many[1])
    assert describe(open_index(tmp_path / "other")) != describe(open_index(many[1]))
    np.testing.assert_allclose(read_vectors(open_index(tmp_path / "other")), others, atol=ROUNDED)


def test_cosines_of_named_rows_are_to_three_decimals(many: tuple[Matrix, Path]) -> None:
    rows, path = many
    query = made(1, seed=3)[0]
    named = [2999, 0, 17, 17]
    assert cosines(open_index(path), query, named) == pytest.approx([float(rows[n] @ query) for n in named], abs=5e-4)
    assert cosines(open_index(path), query, []) == []


def test_an_empty_index_finds_nothing(tmp_path: Path) -> None:
    write_index(tmp_path / "v", np.empty((0, DIM), dtype=np.float32))
    index = open_index(tmp_path / "v")
    assert nearest(index, made(1)[0], 5) == []
    assert read_vectors(index).shape == (0, DIM)


@pytest.mark.parametrize("k", [0, -1])
def test_no_neighbours_asked_for_are_none(tmp_path: Path, k: int) -> None:
    write_index(tmp_path / "v", made(3))
    assert nearest(open_index(tmp_path / "v"), made(1)[0], k) == []


@given(st.integers(0, 12), st.integers(0, 2**32 - 1))
def test_packed_vectors_keep_their_cosines_to_two_decimals(count: int, seed: int) -> None:
    rows, query = made(count, seed), made(1, seed + 1)[0]
    packed = pack(rows)
    assert len(packed) == count * DIM
    # each component is off by at most 1/254, so the sum by at most that times the query's 1-norm
    slack = float(np.abs(query).sum()) / 254 + 1e-6
    assert packed_cosines(packed, query) == pytest.approx(list(rows @ query), abs=slack)


def test_a_vector_packs_to_itself() -> None:
    rows = made(50)
    own = [packed_cosines(pack(row[np.newaxis]), row)[0] for row in rows]
    assert own == pytest.approx([1.0] * len(rows), abs=0.01)


def test_unit_has_length_one_and_zeros_stay() -> None:
    assert float(np.linalg.norm(unit(np.array([3, 4], dtype=np.float32)))) == pytest.approx(1)
    assert not unit(np.zeros(4, dtype=np.float32)).any()
    assert unit(np.array([3, 4], dtype=np.float32)).dtype == np.float32


@pytest.mark.parametrize("content", [b"", b"IxF2", b"\x00" * 5000, b"nonsense" * 100])
def test_a_foreign_file_is_no_index(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "v").write_bytes(content)
    with pytest.raises(KnowledgeBaseDamaged, match="cannot be read") as raised:
        open_index(tmp_path / "v")
    assert raised.value.hint == "run `chipwise build --fresh`"


def test_a_truncated_index_is_no_index(tmp_path: Path) -> None:
    write_index(tmp_path / "v", made(100))
    data = (tmp_path / "v").read_bytes()
    (tmp_path / "v").write_bytes(data[: len(data) // 2])
    with pytest.raises(KnowledgeBaseDamaged, match="cannot be read"):
        open_index(tmp_path / "v")


@pytest.mark.parametrize("size", [0, 1000])
def test_a_full_disk_is_told(tmp_path: Path, size: int) -> None:
    with small_disk(size), pytest.raises(StorageFailed, match=rf"{tmp_path / 'v'} cannot be written: .+"):
        write_index(tmp_path / "v", made(100))
