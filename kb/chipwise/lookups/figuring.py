"""A number as somebody wrote it, and what is the same number: in another unit, by thousands, or by arithmetic.

    "1979"  ->  anything in [1978.5, 1979.5): 1979 TFLOPS, 1.979 PFLOPS
    "95 GiB"  ->  [94.5, 95.5) GiB

The last digit tells how precise a number is; one of a single digit ("8 chips") is exact.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from chipwise import patterns as re
from chipwise.domain.names import Names
from chipwise.errors import NameUnknown, QuestionInvalid
from chipwise.text import one_line

_NUMBER = re.compile(
    r"[~≈$€£]?\s*(?P<number>(?:\d[\d,_]*)?\.?\d+)\s*(?P<scale>k(?![A-Za-z])|thousand|million|billion|trillion)?\s*(?P<unit>.*)"
)
_NEGATIVE = re.compile(r"[-−]\s*[\d.]")
_EXPONENT = re.compile(r"e[+-]?\d+", re.I)
_SCALES = {"k": 1e3, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
STEPS = tuple(1000.0**k for k in (0, 1, -1, 2, -2, 3, -3))
_TELLING = 3  # digits: a shorter number is a thousandth of too many things
_EXACT = 9  # the last whole number that is taken to be just that
_NEAR = 3  # units that an error proposes
_LONGEST = 60  # characters
_EPSILON = 1e-9  # of floating-point arithmetic, relative


class Number(NamedTuple):
    """A number with the interval that its writing implies, in `unit`; an empty unit is any."""

    text: str
    low: float
    high: float
    unit: str
    digits: int

    @property
    def telling(self) -> bool:
        """False for one too short to be looked for under arithmetic, unless it has a unit."""
        return bool(self.unit) or self.digits >= _TELLING

    @property
    def to_the_digit(self) -> Number:
        """The number alone, without what rounds to it."""
        middle = (self.low + self.high) / 2
        half = max(_EPSILON * middle, 4 * math.ulp(middle))
        return self._replace(low=middle - half, high=middle + half)


class Written(NamedTuple):
    """One value of a figure in the unit that it was written in."""

    value: float
    unit: str


def read_number(names: Names, text: str) -> Number:
    """The number in `text`, with its unit if it has one. Raises QuestionInvalid, and NameUnknown for a unit that nobody knows."""
    said = one_line(text)
    if _NEGATIVE.match(said):
        raise QuestionInvalid(f"{said[:_LONGEST]!r} is negative, and no figure is", hint="give it without its sign")
    match = _NUMBER.fullmatch(said)
    if match is None or len(said) > _LONGEST:
        raise QuestionInvalid(
            f"{said[:_LONGEST]!r} is no number", hint='give one, such as `chipwise find "1979 TFLOPS"`'
        )
    if _EXPONENT.match(match["unit"]):
        raise QuestionInvalid(f"{said!r} has an exponent", hint="write it out, such as 1,979,000 or 1.979 million")
    digits = match["number"].replace(",", "").replace("_", "")
    factor = _SCALES.get(match["scale"] or "", 1.0)
    # half a unit either way would make 1 of 1.28, and 0 of 0.3
    exact = "." not in digits and float(digits) <= _EXACT and not match["scale"]
    half = _EPSILON if exact else 0.5 * 10.0 ** -len(digits.partition(".")[2])
    half = max(half, 4 * math.ulp(float(digits)))  # 17 digits are more than a float has
    unit = _unit(names, match["unit"].strip()) if match["unit"].strip() else ""
    low, high = ((float(digits) + side) * factor for side in (-half, half))
    return Number(said, low, high, unit, len(digits.replace(".", "").lstrip("0")) or 1)


def _unit(names: Names, form: str) -> str:
    if form in names.forms:
        return names.forms[form]
    folded = {written.lower(): unit for written, unit in reversed(names.forms.items())}
    if form.lower() in folded:
        return folded[form.lower()]
    import difflib  # noqa: PLC0415

    close = difflib.get_close_matches(form.lower(), folded, n=_NEAR, cutoff=0.6)
    units = dict.fromkeys(folded[written] for written in close)
    hint = f"did you mean {' or '.join(units)}?" if units else "leave the unit out to look for the number alone"
    raise NameUnknown(f"no unit is called {form!r}", hint=hint)


def equals(names: Names, number: Number, written: Written, factor: float = 1.0) -> str | None:
    """How `written` times `factor` is `number`: "" as it stands, else "1,979 TFLOPS"; None where it is not.

    Without a unit, thousands are looked for only where there is no other arithmetic.
    """
    unit = names.units.get(written.unit)
    if unit is None:
        return None
    value = written.value * factor
    if number.unit:
        wanted = names.units[number.unit]
        converted = value * unit.scale / wanted.scale
        if wanted.dimension != unit.dimension or not _within(number, converted):
            return None
        return "" if number.unit == written.unit else f"{shown(converted)} {number.unit}"
    if _within(number, value):
        return ""
    for step in STEPS[1:] if number.digits >= _TELLING and factor == 1.0 else ():
        if _within(number, value * step):
            other = _by_thousands(names, written.unit, step)
            return f"{shown(value * step)} {other}" if other else None
    return None


def _within(number: Number, value: float) -> bool:
    # subtle: a value comes back from its base unit as 1978.9999999999998, or as a little less than an end that is excluded
    # a quarter of the interval at most: a billionth of 80000000000 is more than the 1 that its last digit leaves open
    slack = min(_EPSILON * value, (number.high - number.low) / 4)
    return number.low - slack <= value < number.high - slack


def _by_thousands(names: Names, unit: str, step: float) -> str:
    """The unit in which a figure in `unit` is `step` times the number: TFLOPS for PFLOPS and 1000."""
    dimension, scale = names.units[unit]
    same = (
        i
        for i, u in names.units.items()
        if u.dimension == dimension and abs(u.scale * step - scale) <= _EPSILON * scale
    )
    return next(same, "")


def shown(value: float) -> str:
    """A computed value with as many digits as one reads: 1,978.8, 102, 0.74."""
    text = f"{value:.5g}"
    return text if abs(value) < 1000 else f"{float(text):,.1f}".removesuffix(".0")  # noqa: PLR2004
