"""Intervals hold every result that their numbers can have; equations are read, never run."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chipwise.numbers.intervals import Interval, evaluate, names

NUMBERS = st.floats(-1e12, 1e12, allow_nan=False)
BOUNDS = st.one_of(NUMBERS, st.sampled_from([0.0, 1.0, -1.0, 1e-300, 1e300, -1e300]))


@st.composite
def intervals_with_member(draw: st.DrawFn) -> tuple[Interval, float]:
    low, member, high = sorted(draw(st.tuples(BOUNDS, BOUNDS, BOUNDS)))
    if draw(st.booleans()):
        low = -math.inf if draw(st.booleans()) else low
        high = math.inf if draw(st.booleans()) else high
    return Interval(low, high), member


@given(intervals_with_member(), intervals_with_member(), st.sampled_from("+-*/"))
def test_a_result_holds_what_any_two_members_give(
    a: tuple[Interval, float], b: tuple[Interval, float], op: str
) -> None:
    (x, m), (y, n) = a, b
    if op == "/" and n == 0:
        return
    exact = {"+": lambda: m + n, "-": lambda: m - n, "*": lambda: m * n, "/": lambda: m / n}[op]()
    assert exact in evaluate(f"x {op} y", {"x": x, "y": y})


@given(intervals_with_member(), intervals_with_member())
def test_no_operation_makes_an_impossible_interval(a: tuple[Interval, float], b: tuple[Interval, float]) -> None:
    for op in "+-*/":
        made = evaluate(f"(x {op} y) {op} y", {"x": a[0], "y": b[0]})
        assert made.low <= made.high


@given(intervals_with_member(), intervals_with_member())
def test_two_that_meet_have_no_gap(a: tuple[Interval, float], b: tuple[Interval, float]) -> None:
    assert (a[0].gap(b[0]) == 1.0) == a[0].meets(b[0])


def test_a_divisor_that_holds_zero_leaves_everything_open() -> None:
    assert evaluate("1 / x", {"x": Interval(-1, 1)}) == Interval(-math.inf, math.inf)
    assert evaluate("1 / x", {"x": Interval(0, 1)}) == Interval(-math.inf, math.inf)


def test_an_open_side_stays_open() -> None:
    up_to_4 = Interval(-math.inf, 4)
    assert evaluate("2 * x", {"x": up_to_4}) == Interval(-math.inf, 8)
    assert evaluate("1 / x", {"x": Interval(2, math.inf)}) == Interval(0, 0.5)
    assert up_to_4.gap(Interval(8, 9)) == 8 / 4


def test_names_come_in_order() -> None:
    assert names("(u_a * p_a) / (u_b * p_b) + u_a - -z") == ("u_a", "p_a", "u_b", "p_b", "z")


@pytest.mark.parametrize(
    "hostile",
    [
        "__import__('os').system('true')", "x.y", "x[0]", "x ** 9", "[x]", "lambda: 1", "x if y else z", "'a'", "True",
        "x := 1", "print(x)", "x < y", "f'{x}'", "1j", "", "x y", "~x",
    ],
)  # fmt: skip
def test_what_is_no_arithmetic_is_refused(hostile: str) -> None:
    with pytest.raises(ValueError, match="not arithmetic"):
        evaluate(hostile, {"x": Interval.of(1), "y": Interval.of(2), "z": Interval.of(3)})


@pytest.mark.parametrize(("low", "high"), [(2, 1), (math.nan, 1), (math.inf, math.inf), (-math.inf, -math.inf)])
def test_an_interval_is_never_empty(low: float, high: float) -> None:
    with pytest.raises(ValueError, match="empty interval"):
        Interval(low, high)
