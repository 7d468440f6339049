"""How many times as much one figure is as another, where either may be a bound or a range.

512 GB at most beside 32 GB    ->  the first, "up to 16 times"
at most 192 GB beside 512 GB   ->  the second, "at least 2.67 times"
300 to 320 W beside 250 W      ->  the first, "1.2 to 1.28 times"
"""

from __future__ import annotations

import math

from chipwise.claims.model import Fact
from chipwise.figures.format import times
from chipwise.values import dataclass

_CLOSE = 1e-9
_ROUNDED = 1e-3  # 494.5 TFLOPS and 494.7 differ in how they are rounded


@dataclass(frozen=True, slots=True)
class Proportion:
    """`words` say how many times as much the larger one is; `first` is True where that is the first of the two."""

    first: bool
    factor: float  # the one figure in `words`, of two the lower
    words: str


def proportion(a: Fact, b: Fact, counts: tuple[int, int] = (1, 1)) -> Proportion | None:
    """Of so many of each; None where they may be the same, or where nothing says which is more."""
    if same_bound(a, b):  # "at most 8 TB/s" beside "at most 4": by what they are bound
        return _between(a.amount * counts[0], b.amount * counts[1])
    one, other = _ends(a, counts[0]), _ends(b, counts[1])
    for first, (low, high), (least, most) in ((True, one, other), (False, other, one)):
        if low <= 0 and 0 < most < high:  # a bound that is above all of the other one
            return Proportion(first, high / most, f"up to {times(high / most)} times")
        if 0 < most <= low and high > least and not (low == most and least <= 0):
            return Proportion(first, low / most, _from_to(low / most, high / least if least > 0 else math.inf))
    return None


def same_bound(a: Fact, b: Fact) -> bool:
    """True for one number each, and for the same bound of both."""
    first, second = a.claim.quantity, b.claim.quantity
    if first is None or second is None or "range" in (first.form, second.form):
        return False
    return (first.is_single and second.is_single) or first.bound == second.bound


def _between(a: float, b: float) -> Proportion | None:
    least, most = sorted((a, b))
    if least <= 0 or math.isclose(a, b, rel_tol=_ROUNDED):
        return None
    return Proportion(a > b, most / least, f"{times(most / least)} times")


def _ends(fact: Fact, count: int) -> tuple[float, float]:
    """From the least to the most that it may be, in base units; of one number that number, whatever its precision."""
    quantity = fact.claim.quantity
    if quantity is None or quantity.is_single:
        return (fact.amount * count, fact.amount * count)
    return (max(0.0, quantity.low) * count, quantity.high * count)


def _from_to(low: float, high: float) -> str:
    if math.isinf(high):
        return f"at least {times(low)} times"
    if math.isclose(low, high, rel_tol=_CLOSE):
        return f"{times(low)} times"
    return (
        f"up to {times(high)} times" if math.isclose(low, 1, rel_tol=_CLOSE) else f"{times(low)} to {times(high)} times"
    )
