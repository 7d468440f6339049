"""The `Quantity` value, kept apart from the code that finds it: stored quantities load without that code."""

from __future__ import annotations

import math
from dataclasses import replace

from chipwise.values import dataclass


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number with its unit at `[start, end)` of the text it was read from.

    `low` and `high` are in the base unit of `dimension` and include the precision that
    the writing implies: 2.8 means 2.75 to 2.85. A whole number below 100 is exact ("8
    chips", and also "80 GB": capacities are round figures). A bound ("up to 4x") opens
    one side; the ends of a range are taken as written.

    `form`: a "multiple" of something else ("2x", "half the price"); for percentages, a
    "share" of a whole, a "change" or a "discount"; a "difference" ("61 GB more"), a
    "range"; else "value". `count`: the number of such things, 8 for the 80 GB of "8 x 80 GB".
    """

    start: int
    end: int
    dimension: str
    unit: str
    low: float
    high: float
    bound: str = "exact"  # exact, about, at most, at least
    form: str = "value"
    count: int = 1

    @property
    def middle(self) -> float:
        """The midpoint; for a bound, the number as written."""
        return halfway(self.low, self.high)

    @property
    def is_single(self) -> bool:
        """False for a bound or a range, which don't say which number it is."""
        return self.bound in ("exact", "about") and self.form != "range"

    @property
    def compares(self) -> bool:
        """True for a multiple, a change, a discount or a difference: a figure that compares two things."""
        return self.form in ("multiple", "change", "discount", "difference") or self.unit == "x"

    def agrees_with(self, other: Quantity) -> bool:
        """True if both have the same dimension and share a value."""
        return self.dimension == other.dimension and self.low <= other.high and other.low <= self.high

    def moved(self, by: int) -> Quantity:
        """Return a copy with its span shifted by `by` characters."""
        return replace(self, start=self.start + by, end=self.end + by)


def halfway(low: float, high: float) -> float:
    """Return the middle of an interval, or its finite end: 8 for "more than 8", which is (8, inf)."""
    if math.isinf(low):
        return high
    return low if math.isinf(high) else low / 2 + high / 2
