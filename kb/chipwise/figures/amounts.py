"""Amounts as an answer prints them: rounded to the digits that are worth telling, with their unit.

3.672e15 operations/s  ->  "3,672 TFLOPS"        [5.7e6, 8.1e6] s  ->  "1,580 to 2,260 hours, 66 to 94 days"
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from chipwise.numbers.intervals import Interval
from chipwise.text import grouped

if TYPE_CHECKING:
    from chipwise.domain.formulas import Variable

_WORDED = ((1e12, "trillion"), (1e9, "billion"), (1e6, "million"))
_HUGE, _FULL = 1e15, 1e7  # from here on in powers of ten; up to here whole numbers in full
_LARGE = 10_000.0  # amounts from here on are printed in the next larger unit as well
_MONEY = ("USD", "USD/hour")
_PLURAL = ("hour", "day", "week", "month", "year", "chip-hour")
_CENTS = 1e6  # dollars, from which on cents are noise
_SECOND = 1000.0  # milliseconds
_ROUGHLY = 2  # digits of days beside the hours
_RANGE_DIGITS = 3  # of an end of a range: more would claim to know it


def number(value: float, digits: int = 4) -> str:
    """As one writes it: "1,979", "70 billion", "6.3e24", "0.4623"; whole numbers of a usual size in full."""
    size = abs(value)
    if size >= _HUGE:
        return f"{value:.{digits}g}".replace("e+", "e")
    for scale, word in _WORDED:
        if size >= scale and (size >= _FULL or size % scale == 0 or round(size / scale, 3) * scale == size):
            return f"{plain(value / scale, digits)} {word}"
    return plain(value, digits)


def plain(value: float, digits: int = 4) -> str:
    """In digits, without words for powers of ten."""
    if abs(value - round(value)) <= 1e-9 * abs(value) and abs(value) < _FULL:
        return grouped(str(round(value)))
    rounded = float(f"{value:.{digits}g}")
    return grouped(f"{rounded:.10f}".rstrip("0").rstrip("."))


def interval_text(
    value: Interval, variable: Variable, scales: Mapping[str, float], unit: str = "", *, short: bool = False
) -> str:
    """A value of a variable with its unit, in `unit` or in the variable's; in a larger one as well unless `short`."""
    if not variable.units and not unit:
        return f"{_ends(value, 1.0, variable.digits)} {_noun(variable.noun, value)}".rstrip()
    fitting = [unit] if unit else [u for u in variable.units if value.high / scales[u] >= 1] or [variable.units[0]]
    first = fitting[0] if not short or unit else _readable(value, variable, scales)
    text = _with_unit(value, first, scales, variable.digits)
    larger = [u for u in fitting if scales[u] > scales[first]]
    if short or not larger or value.low / scales[first] < _threshold(first):
        return text
    if first == "hour":
        return f"{text}, about {_with_unit(value, larger[-1], scales, _ROUGHLY)}"
    return f"{text}, that is {_with_unit(value, larger[-1], scales, variable.digits)}"


def _threshold(unit: str) -> float:
    if unit == "ms":
        return _SECOND
    return 48.0 if unit == "hour" else _LARGE


def _readable(value: Interval, variable: Variable, scales: Mapping[str, float]) -> str:
    """The largest of its units in which the amount is at least one."""
    fitting = [u for u in variable.units if value.high / scales[u] >= 1]
    return (
        fitting[-1]
        if fitting and value.low / scales[fitting[0]] >= _threshold(fitting[0])
        else (fitting or variable.units)[0]
    )


def _with_unit(value: Interval, unit: str, scales: Mapping[str, float], digits: int) -> str:
    scale = scales[unit]
    to_the_cent = unit in _MONEY and digits > _RANGE_DIGITS
    if to_the_cent and value.low == value.high and 1 <= value.low < _CENTS and round(value.low, 6) % 1:
        text = f"{value.low:,.2f}"
    elif to_the_cent and value.low == value.high and _CENTS <= value.low < _FULL:
        text = f"{value.low:,.0f}"
    else:
        text = _ends(value, scale, digits)
    glue = "" if unit == "%" else " "
    plural = "s" if unit in _PLURAL and value.high != scale else ""
    return f"{text}{glue}{UNIT_NAMES.get(unit, unit)}{plural}"


UNIT_NAMES = {"USD/Mtoken": "USD per million tokens", "tokens/USD": "tokens per USD"}


def _ends(value: Interval, scale: float, digits: int) -> str:
    if value.low == value.high:
        return number(value.low / scale, digits)
    low, high = (number(v / scale, min(digits, _RANGE_DIGITS)) for v in (value.low, value.high))
    return low if low == high else f"{low} to {high}"


def _noun(noun: str, value: Interval) -> str:
    return noun.removesuffix("s") if value.low == value.high == 1 else noun


def times(ratio: float) -> str:
    """A multiple in three digits: "1.58"; one more where that would be "1", which two figures that differ are not."""
    return plain(ratio, 3) if plain(ratio, 3) != "1" else plain(ratio)


def counted(unit: str, value: float) -> str:
    """What is counted, as it stands behind its number: "1 chip", "8 chips"."""
    return unit.removesuffix("s") if value == 1 else unit
