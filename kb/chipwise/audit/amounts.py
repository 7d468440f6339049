"""A figure as two intervals: all that its words allow, and what is written: of "about 52%" [0.494, 0.546] and 0.52."""

from __future__ import annotations

from chipwise.domain.records import Metric
from chipwise.figures.statement import Statement
from chipwise.numbers.intervals import Interval
from chipwise.numbers.quantity import Quantity

FAR_OFF = 1.5  # figures that many times apart are no matter of rounding or workload
_ROUGH = 0.15  # of a whole multiple that is called so roughly
HALF_PERCENT = 0.005  # "52%" is 51.5 to 52.5
LOOSE = 0.12  # "4x", "double": multiples without a decimal are round figures
_RANGE = 0.25  # wider than any precision: a range


def amounts(metric: Metric, s: Statement) -> tuple[Interval, Interval] | None:
    """All that the words of a figure allow, and what is written; None where it is no figure of the metric itself."""
    q = s.claim.quantity
    if q is None or not (q.low <= q.high):
        return None
    if metric.dimension == "ratio":
        return _ratio(metric, q)
    if q.dimension != metric.dimension or q.form not in ("value", "range") or q.unit == "x":
        return None
    return Interval(q.low, q.high), written(q)


def _ratio(metric: Metric, q: Quantity) -> tuple[Interval, Interval] | None:
    low, high = q.low, q.high
    if metric.unit == "x":
        if q.form == "change" and q.unit == "%":
            return Interval(1 + low, 1 + high), written(q) + Interval.of(1)
        return (loosened(q), written(q)) if q.unit == "x" or q.form == "multiple" else None
    if q.form == "discount":
        saved = -written(q) if q.high < 0 else written(q)  # "-70%" and "70% off"
        return saved + Interval(-HALF_PERCENT, HALF_PERCENT), saved
    if q.dimension != "ratio" or q.form not in ("share", "value", "range") or q.unit != metric.unit:
        return None
    half = HALF_PERCENT if low == high else 0.0
    return Interval(low - half, high + half), written(q)


def written(q: Quantity) -> Interval:
    """A figure without the precision of its writing; "4 to 10 times" has none."""
    interval = Interval(q.low, q.high)
    wide = interval.is_finite and interval.high - interval.low > _RANGE * abs(interval.high)
    return interval if wide or q.form == "range" or not interval.is_finite else Interval.of(interval.middle)


def loosened(q: Quantity) -> Interval:
    """What a comparison allows: a multiple that is a round figure more than it says, a percentage half a point."""
    interval = Interval(q.low, q.high)
    if q.unit == "%":
        return interval + Interval(-HALF_PERCENT, HALF_PERCENT)
    if q.bound == "about" and q.unit == "x" and round(q.middle) == round(q.middle, 3):
        return interval * Interval(1 - _ROUGH, 1 + _ROUGH)  # 1.71 is called "about 2x"
    if (interval.is_finite and interval.low == interval.high) or q.bound == "about":
        return interval * Interval(1 - LOOSE, 1 + LOOSE)
    return interval
