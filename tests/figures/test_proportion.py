"""How many times as much one figure is as another: numbers, bounds and ranges."""

from __future__ import annotations

import pytest

from chipwise.claims.model import Citation, Claim, Fact
from chipwise.figures.proportion import proportion
from chipwise.numbers.quantity import Quantity

INFINITE = float("inf")


def fact(low: float, high: float) -> Fact:
    """One number where both ends are the same, a bound where one is infinite, else a range."""
    bound = "at most" if low == -INFINITE else "at least" if high == INFINITE else "exact"
    form = "range" if bound == "exact" and low < high else "value"
    quantity = Quantity(0, 0, "power", "W", low, high, bound, form)
    claim = Claim("s", 0, 0, 1, 0, 1, "nvidia-h100", "tdp", quantity)
    return Fact("f", claim, "", "W", "preferred", "", "", "t.csv:2", Citation("", "", "", "", "", 1))


@pytest.mark.parametrize(
    ("one", "other", "words"),
    [
        ((700, 700), (350, 350), "2 times"),
        ((-INFINITE, 512), (32, 32), "up to 16 times"),
        ((512, 512), (-INFINITE, 192), "at least 2.67 times"),
        ((600, INFINITE), (400, 400), "at least 1.5 times"),
        ((350, 400), (350, 350), "up to 1.14 times"),
        ((300, 320), (250, 250), "1.2 to 1.28 times"),
        ((-INFINITE, 800), (-INFINITE, 400), "2 times"),
    ],
)
def test_a_proportion_is_as_exact_as_its_figures(
    one: tuple[float, float], other: tuple[float, float], words: str
) -> None:
    found, turned = proportion(fact(*one), fact(*other)), proportion(fact(*other), fact(*one))
    assert found is not None
    assert turned is not None
    assert (found.words, found.first, turned.words, turned.first) == (words, True, words, False)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ((350, 350), (350, 350)),
        ((494.5, 494.5), (494.7, 494.7)),
        ((25, 30), (28, 31)),
        ((-INFINITE, 400), (400, 400)),
        ((-INFINITE, 400), (350, INFINITE)),
        ((0, 0), (400, 400)),
    ],
)
def test_nothing_is_said_of_what_may_be_the_same(one: tuple[float, float], other: tuple[float, float]) -> None:
    assert proportion(fact(*one), fact(*other)) is None


def test_counts_go_into_a_proportion() -> None:
    found = proportion(fact(24, 24), fact(32, 32), (2, 1))
    assert found is not None
    assert (found.first, found.words) == (True, "1.5 times")
