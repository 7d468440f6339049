"""From values to places in a drawing: linear and logarithmic scales, their ticks, and numbers as axes write them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from chipwise.text import grouped

_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)  # a tick's distance, times a power of ten
_LEAST = 0.5  # of the middle: what a strip spans at least, so that a gap looks as large as it is
_EDGE = 0.06  # of the span: room at either end
_DENSE = 1.5  # decades: below that a logarithmic axis has ticks at 1, 2 and 5


@dataclass(frozen=True, slots=True)
class Scale:
    """Values from `low` to `high` on places from `start` to `end`; a logarithmic one takes positive values alone."""

    low: float
    high: float
    start: float
    end: float
    logarithmic: bool = False

    def __call__(self, value: float) -> float:
        """The place of a value; what lies beyond an end is at the end."""
        inside = min(max(value, self.low), self.high)
        low, high, at = (math.log(v) if self.logarithmic else v for v in (self.low, self.high, inside))
        return self.start + (self.end - self.start) * (at - low) / (high - low)


def strip_range(lows: Sequence[float], highs: Sequence[float]) -> tuple[float, float]:
    """What the axis of one band spans: all finite ends and some room, and never less than half of the middle."""
    ends = [value for value in (*lows, *highs) if math.isfinite(value)] or [0.0, 1.0]
    low, high = min(ends), max(ends)
    middle = (low + high) / 2
    half = max((high - low) / 2 * (1 + 2 * _EDGE), abs(middle) * _LEAST / 2) or 1.0
    return (max(0.0, middle - half) if low >= 0 else middle - half), middle + half


def is_wide(lows: Sequence[float], highs: Sequence[float]) -> bool:
    """True where positive values lie so far apart that a linear axis would press most of them into one end."""
    ends = [value for value in (*lows, *highs) if math.isfinite(value)]
    return bool(ends) and min(ends) > 0 and max(ends) / min(ends) > 20  # noqa: PLR2004


def linear_ticks(low: float, high: float, most: int = 5) -> list[float]:
    """Round values from `low` to `high`, at most so many."""
    power = 10.0 ** math.floor(math.log10((high - low) / most))
    step = next(s * power for s in (*_STEPS, 20.0) if (high - low) / (s * power) <= most)
    first, last = math.ceil(low / step), math.floor(high / step)
    return [n * step for n in range(first, last + 1)]


def log_ticks(low: float, high: float) -> list[float]:
    """1, 2, 5 of each power of ten where few decades are shown, else the powers alone."""
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    factors = (1, 2, 5) if math.log10(high / low) <= _DENSE * 2 else (1,)
    ticks = [factor * 10.0**n for n in range(first, last + 1) for factor in factors]
    return [tick for tick in ticks if low <= tick <= high]


def number_text(value: float) -> str:
    """A number as an axis or a sum writes it: "1,979", "3.35", "0.8"; four digits are enough."""
    if not math.isfinite(value):
        return "∞"
    text = f"{value:.4g}"
    if "e" in text or abs(value) >= 1000:  # noqa: PLR2004
        return grouped(f"{float(text):.0f}") if abs(value) >= 1 else f"{value:.2g}"
    return text
