"""What a number could be: how it is read, which figures it equals, and which give it by arithmetic."""

from __future__ import annotations

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chipwise.answering.find import FigureTable, StoredFigure, equals, read_number
from chipwise.errors import NameUnknown, QuestionInvalid

from .test_lookup import FACTS, NAMES


def figures() -> list[StoredFigure]:
    """The facts table as `Store.fact_figures` gives it."""
    return [
        StoredFigure(
            row,
            fact.claim.subject,
            fact.claim.metric,
            fact.claim.quantity.low,
            fact.claim.quantity.high,
            fact.claim.quantity.unit,
            fact.claim.quantity.bound,
            fact.claim.quantity.form,
            json.dumps(fact.claim.qualifiers, separators=(",", ":")),
            fact.rank == "deprecated",
        )
        for row, fact in enumerate(FACTS.values())
        if fact.claim.quantity is not None
    ]


@pytest.mark.parametrize(
    ("text", "value", "half", "unit"),
    [
        ("1979", 1979, 0.5, ""),
        ("1,979", 1979, 0.5, ""),
        ("1.98", 1.98, 0.005, ""),
        ("~ 1.980 PFLOPS", 1.98, 0.0005, "PFLOPS"),
        ("$12.29", 12.29, 0.005, ""),
        ("95 GiB", 95, 0.5, "GiB"),
        ("80gb", 80, 0.5, "GB"),
        ("16.9k", 16_900, 50, ""),
        ("80 billion", 80e9, 0.5e9, ""),
        (".5", 0.5, 0.05, ""),
        ("1.0", 1.0, 0.05, ""),
        ("10", 10, 0.5, ""),
        ("2 million", 2e6, 0.5e6, ""),
    ],
)
def test_the_writing_of_a_number_is_its_interval(text: str, value: float, half: float, unit: str) -> None:
    number = read_number(NAMES, text)
    assert (number.low, number.high) == pytest.approx((value - half, value + half))
    assert number.unit == unit


@given(st.text(max_size=80))
def test_any_text_is_a_number_or_refused(text: str) -> None:
    with contextlib.suppress(QuestionInvalid, NameUnknown):
        number = read_number(NAMES, text)
        assert number.low < number.high


@pytest.mark.parametrize("text", ["1979", "80000000000", "123456789012", "4503600000000000", "12345678901234567890"])
def test_a_number_of_many_digits_is_the_figure_of_the_same_digits(text: str) -> None:
    number = read_number(NAMES, f"{text} TFLOPS")
    assert equals(NAMES, number, float(text), "TFLOPS") == ""
    assert equals(NAMES, number, float(text) / 1000, "PFLOPS") is not None
    assert equals(NAMES, number, float(text) * 1.01, "TFLOPS") is None


@pytest.mark.parametrize(
    ("number", "written", "how"),
    [
        ("1979", (1979.0, "TFLOPS"), ""),
        ("1979", (1.979, "PFLOPS"), "1,979 TFLOPS"),
        ("1979", (1979.5, "TFLOPS"), None),
        ("1979", (1978.5, "TFLOPS"), ""),
        ("2", (2000.0, "TFLOPS"), None),
        ("2", (2.0, "TFLOPS"), ""),
        ("1", (1.28, "PFLOPS"), None),
        ("0", (0.3, "TFLOPS"), None),
        ("0", (0.0, "TFLOPS"), ""),
        ("9", (8.9, "TFLOPS"), None),
        ("1.979 PFLOPS", (1979.0, "TFLOPS"), "1.979 PFLOPS"),
        ("1979 GB", (1979.0, "TFLOPS"), None),
        ("102 GB", (95.0, "GiB"), f"{95 * 2**30 / 1e9:.5g} GB"),
    ],
)
def test_a_figure_is_the_number_as_it_stands_in_another_unit_or_by_thousands(
    number: str, written: tuple[float, str], how: str | None
) -> None:
    assert equals(NAMES, read_number(NAMES, number), *written) == how


TABLE = FigureTable(NAMES, figures())


def test_transformations_are_those_that_the_figure_allows() -> None:
    factors_of = {
        id_: sorted(way.factor for way in TABLE.ways(figure))
        for id_, figure in zip(_with_figures(), figures(), strict=True)
    }
    assert factors_of["h100-sxm-fp8"] == [2.0, 8.0], "sparse, and the node"
    assert factors_of["h100-sxm-bf16"] == [8.0], "its sparse figure is a fact"
    assert factors_of["h100-sxm-bf16-1000"] == [], "deprecated"
    assert factors_of["h200-bf16"] == [], "no chip of its kin has sparsity"
    assert factors_of["a100-bf16-sparse"] == [0.5]
    assert factors_of["h200-link"] == [2.0, 8.0]
    assert factors_of["dgx-h100-memory"] == pytest.approx(sorted([1 / 8, 8.0, 1 / 1.024**3]))
    assert factors_of["v5p-memory"] == pytest.approx(sorted([1.024**3, 4.0, 8.0]))
    assert factors_of["h100-sxm-cores"] == []


def stating(figure: StoredFigure, engine: str) -> StoredFigure:
    """The same figure, as one that those units of the chip reach."""
    stated = [*figure.qualifiers.items(), ("engine", engine)]
    return figure._replace(stated=json.dumps(stated, separators=(",", ":")))


def test_a_dense_figure_that_names_no_units_has_the_sparse_one_of_the_matrix_units_as_its_counterpart() -> None:
    by_id = dict(zip(_with_figures(), figures(), strict=True))
    dense, sparse = by_id["h100-sxm-bf16"], stating(by_id["h100-sxm-bf16-sparse"], "matrix")
    ways = FigureTable(NAMES, [dense, sparse])
    assert ways.opposite(dense) == ("with 2:4 sparsity", sparse)
    assert ways.opposite(sparse) == ("dense", dense)


def test_vector_units_make_no_use_of_sparsity() -> None:
    by_id = dict(zip(_with_figures(), figures(), strict=True))
    vector, sparse = stating(by_id["h100-sxm-bf16"], "vector"), stating(by_id["h100-sxm-bf16-sparse"], "matrix")
    ways = FigureTable(NAMES, [vector, sparse])
    assert ways.opposite(vector) is None
    assert 2.0 not in [way.factor for way in ways.ways(vector)]


def _with_figures() -> list[str]:
    return [id_ for id_, fact in FACTS.items() if fact.claim.quantity is not None]
