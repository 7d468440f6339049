"""Intervals hold every result that their numbers can have; equations are read, never run."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chipwise.numbers.intervals import Interval, evaluate, names, solve

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
def test_a_hull_holds_both_and_two_that_meet_have_no_gap(a: tuple[Interval, float], b: tuple[Interval, float]) -> None:
    hull = a[0].hull(b[0])
    assert a[1] in hull
    assert b[1] in hull
    assert (a[0].gap(b[0]) == 1.0) == a[0].meets(b[0])


POSITIVE = st.floats(1e-3, 1e6)


@given(POSITIVE, POSITIVE, POSITIVE, POSITIVE, POSITIVE, st.sampled_from(["t", "u", "p", "v", "q"]))
def test_what_is_solved_for_satisfies_the_equation(t: float, u: float, p: float, v: float, q: float, name: str) -> None:
    values = {k: Interval.of(x) for k, x in zip("tupvq", (t, u, p, v, q), strict=True)}
    solved = solve("t / 3", "(u * p) / (v * q)", name, values)
    assert solved is not None
    values[name] = solved
    assert evaluate("t / 3", values).middle == pytest.approx(evaluate("(u * p) / (v * q)", values).middle)


@pytest.mark.parametrize(
    ("left", "right", "name", "result"),
    [
        ("c", "p * u", "u", 450 / 989),
        ("d", "1 - s / o", "s", (1 - 0.7) * 4),
        ("d", "1 - s / o", "o", 1.2 / (1 - 0.7)),
        ("d", "-s + o", "s", 4 - 0.7),
        ("c", "u * u", "u", None),  # stands twice
        ("c", "u", "x", None),  # does not stand there
    ],
)
def test_equations_are_solved_for_each_of_their_names(left: str, right: str, name: str, result: float | None) -> None:
    given_values = {"c": 450.0, "p": 989.0, "u": 0.5, "d": 0.7, "s": 1.2, "o": 4.0}
    solved = solve(left, right, name, {k: Interval.of(v) for k, v in given_values.items()})
    assert (solved.middle if solved else None) == (pytest.approx(result) if result is not None else None)


def test_a_divisor_that_holds_zero_leaves_everything_open() -> None:
    assert evaluate("1 / x", {"x": Interval(-1, 1)}) == Interval(-math.inf, math.inf)
    assert evaluate("1 / x", {"x": Interval(0, 1)}) == Interval(-math.inf, math.inf)


def test_an_open_side_stays_open() -> None:
    up_to_4 = Interval(-math.inf, 4)
    assert evaluate("2 * x", {"x": up_to_4}) == Interval(-math.inf, 8)
    assert evaluate("1 / x", {"x": Interval(2, math.inf)}) == Interval(0, 0.5)
    assert up_to_4.gap(Interval(8, 9)) == 8 / 4


def test_between_is_all_that_lies_between_two_values() -> None:
    assert evaluate("between(0, x)", {"x": Interval(1, 2)}) == Interval(0, 2)


def test_names_come_in_order() -> None:
    assert names("(u_a * p_a) / (u_b * p_b) + between(0, u_a) - -z") == ("u_a", "p_a", "u_b", "p_b", "z")


@pytest.mark.parametrize(
    "hostile",
    [
        "__import__('os').system('true')", "x.y", "x[0]", "x ** 9", "[x]", "lambda: 1", "x if y else z", "'a'", "True",
        "x := 1", "print(x)", "between(*x)", "between()", "between(x, key=1)", "x < y", "f'{x}'", "1j", "", "x y", "~x",
    ],
)  # fmt: skip
def test_what_is_no_arithmetic_is_refused(hostile: str) -> None:
    with pytest.raises(ValueError, match="no arithmetic"):
        evaluate(hostile, {"x": Interval.of(1), "y": Interval.of(2), "z": Interval.of(3)})


@pytest.mark.parametrize(("low", "high"), [(2, 1), (math.nan, 1), (math.inf, math.inf), (-math.inf, -math.inf)])
def test_an_interval_is_never_empty(low: float, high: float) -> None:
    with pytest.raises(ValueError, match="no interval"):
        Interval(low, high)
