"""One number with its unit, as a value: apart from how it is found in text, so that stored ones load without that."""

from __future__ import annotations

import math
from dataclasses import replace

from chipwise.values import dataclass


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number with its unit at `[start, end)` of the text it was found in.

    `low` and `high` are in the base unit of `dimension` and include the precision
    that the writing implies: 2.8 means 2.75 to 2.85. A whole number below 100 is
    exact ("8 chips", and "80 GB" as well: a capacity is a round figure). A bound
    ("up to 4x") opens one side; the ends of a range are taken as written.

    `form`: a "multiple" of something else ("2x", "half the price"); for percentages,
    a "share" of a whole, a "change" or a "discount"; a "range"; else "value".
    `count`: how many there are of it, 8 for the 80 GB of "8 x 80 GB".
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
        """Halfway; of a bound the number that is written."""
        return halfway(self.low, self.high)

    @property
    def is_single(self) -> bool:
        """False for a bound and for a range, which leave open which number it is."""
        return self.bound in ("exact", "about") and self.form != "range"

    @property
    def compares(self) -> bool:
        """True for a multiple, a change, a discount: a figure that sets one thing against another."""
        return self.form in ("multiple", "change", "discount") or self.unit == "x"

    def agrees_with(self, other: Quantity) -> bool:
        """True when some value satisfies both, in the same dimension."""
        return self.dimension == other.dimension and self.low <= other.high and other.low <= self.high

    def moved(self, by: int) -> Quantity:
        """The same, with its place counted from `by` characters earlier."""
        return replace(self, start=self.start + by, end=self.end + by)


def halfway(low: float, high: float) -> float:
    """The middle of an interval, or the end that there is: 8 of "more than 8", which is (8, inf)."""
    if math.isinf(low):
        return high
    return low if math.isinf(high) else low / 2 + high / 2
