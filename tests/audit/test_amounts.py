"""How the figures of an equation are printed: with the digits that matter, and never with an exponent."""

from __future__ import annotations

import math

import pytest

from chipwise.audit.amounts import as_written, number, spanned
from chipwise.numbers.intervals import Interval


@pytest.mark.parametrize(
    ("value", "printed"),
    [
        (1966.4, "1,966"),
        (12.44, "12.4"),
        (0.517, "0.52"),
        (0.004, "0.004"),
        (-0.0523, "-0.052"),
        (1e-5, "0.00001"),
        (0.0, "0.00"),
    ],
)
def test_a_result_keeps_the_digits_that_matter(value: float, printed: str) -> None:
    assert number(value) == printed


@pytest.mark.parametrize(
    ("low", "high", "printed"),
    [
        (0.99, 1.7, "0.99 to 1.70"),
        (0.001, 0.002, "0.001 to 0.002"),
        (0.5171, 0.5172, "0.52"),
        (-math.inf, 4.0, "up to 4.00"),
        (-5.0, math.inf, "at least -5.00"),
        (0.0, math.inf, "at least 0.00"),
        (-math.inf, math.inf, "any number"),
    ],
)
def test_a_span_tells_which_end_is_open(low: float, high: float, printed: str) -> None:
    assert spanned(Interval(low, high)) == printed


@pytest.mark.parametrize(
    ("value", "printed"),
    [
        (Interval.of(3450), "3,450"),
        (Interval.of(989.4), "989.4"),
        (Interval(8, 11), "8 to 11"),
        (Interval.of(99999.6), "100,000"),
        (Interval.of(1e-5), "0.00001"),
        (Interval.of(1234567.8), "1,234,568"),
        (Interval(-5, math.inf), "at least -5"),
    ],
)
def test_a_figure_is_printed_as_one_writes_it(value: Interval, printed: str) -> None:
    assert as_written(value) == printed
