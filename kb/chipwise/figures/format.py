"""The writer of figures: numbers, amounts with their unit, facts, and what they are qualified by.

3.672e15 operations/s           ->  "3,672 TFLOPS"
[5.7e6, 8.1e6] s                ->  "1,580 to 2,260 hours, about 66 to 94 days"
1979 TFLOPS, {dtype: bf16, sparsity: 2:4, aggregation: chip}  ->  "1,979 TFLOPS", "BF16, 2:4 sparsity, per chip"
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from chipwise.claims.model import Claim, Fact
from chipwise.domain.names import Names
from chipwise.numbers.intervals import Interval
from chipwise.text import grouped, words

if TYPE_CHECKING:
    from chipwise.domain.formulas import Variable

_WORDED = ((1e12, "trillion"), (1e9, "billion"), (1e6, "million"))
_HUGE, _FULL = 1e15, 1e7  # from here on in powers of ten; up to here whole numbers in full
_LARGE = {"ms": 1000.0, "hour": 48.0}  # amounts from here on are printed in a larger unit as well
_LARGE_OF_OTHERS = 10_000.0
_MONEY, _CENTS = ("USD", "USD/hour"), 1e6  # dollars, from which on cents are noise
_PLURAL = ("hour", "day", "week", "month", "year", "chip-hour")
_DIGITS_OF_DAYS, _DIGITS_OF_RANGES = 2, 3  # more would claim to know them
UNIT_NAMES = {"USD/Mtoken": "USD per million tokens", "tokens/USD": "tokens per USD"}
_MONTHS = tuple("January February March April May June July August September October November December".split())
# in the order of saying them; the number of chips is said with the scope
_AXES = (
    "dtype sparsity engine direction capacity aggregation form_factor basis power_basis memory_kind benchmark workload"
    " price_terms provider as_of"
).split()
_TERMED = frozenset(("dtype", "memory_kind", "benchmark", "workload", "price_terms", "provider"))  # values are terms
SAID = {
    ("sparsity", "2:4"): "2:4 sparsity",
    ("engine", "matrix"): "matrix units",
    ("engine", "vector"): "vector units",
    ("direction", "both"): "both directions",
    ("power_basis", "board"): "board power",
}


# Numbers


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
    return grouped(f"{float(f'{value:.{digits}g}'):.10f}".rstrip("0").rstrip("."))


def times(ratio: float) -> str:
    """A multiple in three digits: "1.58"; one more where that would be "1", which two figures that differ are not."""
    return plain(ratio, 3) if plain(ratio, 3) != "1" else plain(ratio)


def counted(unit: str, value: float) -> str:
    """The unit behind its number, in the singular for one: "1 chip", "8 chips"."""
    return unit.removesuffix("s") if value == 1 else unit


def interval_text(
    value: Interval, variable: Variable, scales: Mapping[str, float], unit: str = "", *, short: bool = False
) -> str:
    """A value of a variable with its unit, in `unit` or in the variable's; in a larger one as well unless `short`."""
    if not variable.units and not unit:
        return f"{_ends(value, 1.0, variable.digits)} {counted(variable.noun, value.high)}".rstrip()
    units = [unit] if unit else [u for u in variable.units if value.high / scales[u] >= 1] or list(variable.units[:1])
    first, last = units[0], units[-1]
    large = first != last and value.low / scales[first] >= _LARGE.get(first, _LARGE_OF_OTHERS)
    text = _with_unit(value, last if short and large else first, scales, variable.digits)
    if short or not large:
        return text
    says, digits = ("about", _DIGITS_OF_DAYS) if first == "hour" else ("that is", variable.digits)
    return f"{text}, {says} {_with_unit(value, last, scales, digits)}"


def _with_unit(value: Interval, unit: str, scales: Mapping[str, float], digits: int) -> str:
    scale, text = scales[unit], _ends(value, scales[unit], digits)
    if unit in _MONEY and digits > _DIGITS_OF_RANGES and value.low == value.high:
        if 1 <= value.low < _CENTS and round(value.low, 6) % 1:
            text = f"{value.low:,.2f}"
        elif _CENTS <= value.low < _FULL:
            text = f"{value.low:,.0f}"
    plural = "s" if unit in _PLURAL and value.high != scale else ""
    return f"{text}{'' if unit == '%' else ' '}{UNIT_NAMES.get(unit, unit)}{plural}"


def _ends(value: Interval, scale: float, digits: int) -> str:
    if value.low == value.high:
        return number(value.low / scale, digits)
    low, high = (number(v / scale, min(digits, _DIGITS_OF_RANGES)) for v in (value.low, value.high))
    return low if low == high else f"{low} to {high}"


def date(written: str) -> str:
    """ "2023-11-13" as "on 13 November 2023"."""
    year, _, rest = written.partition("-")
    month, _, day = rest.partition("-")
    if not (year.isdigit() and (not month or month.isdigit())):
        return written
    if not month:
        return f"in {year}"
    called = _MONTHS[int(month) - 1]
    return f"on {int(day)} {called} {year}" if day else f"in {called} {year}"


# Facts


def value_text(fact: Fact, names: Names) -> str:
    """ "1,979 TFLOPS", "at most 262 W", "12 to 15 USD/hour", or a category's name."""
    quantity = fact.claim.quantity
    if quantity is None:
        return names.name(fact.value)
    bound = "" if quantity.bound == "exact" else f"{quantity.bound} "
    return f"{bound}{' to '.join(map(grouped, fact.value.split('..')))} {fact.unit}".rstrip()


def in_words(claim: Claim, names: Names, *, less: str = "") -> str:
    """The qualifiers, "BF16, dense, per chip"; leaves out those in the name of the subject or the metric, or in `less`."""
    known = set(words(f"{names.metrics[claim.metric].name} {names.name(claim.subject)} {less}"))
    return ", ".join(phrase for phrase in dict.fromkeys(_phrases(claim, names)) if not set(words(phrase)) <= known)


def _phrases(claim: Claim, names: Names) -> Iterator[str]:
    stated = dict(claim.qualifiers)
    count = grouped(stated.get("count", ""))
    for axis in _AXES:
        value = stated.get(axis, "")
        if axis == "aggregation" and (value or count):
            yield f"per {value}{f' of {count}' if count else ''}" if value else f"{count} chips"
        elif value:
            yield phrase(axis, value, names)
    if claim.baseline:
        yield f"against {names.name(claim.baseline)}"
    if claim.modality.value in ("reported", "estimated", "hypothetical", "promised"):
        yield claim.modality.value


def phrase(axis: str, value: str, names: Names) -> str:
    """One qualifier: "2:4 sparsity", "BF16"."""
    return SAID.get((axis, value)) or (names.values.get(value, value) if axis in _TERMED else value)


def listed(items: Iterable[str], most: int | None = None) -> str:
    """ "A, B and C", each once; beyond `most` "A, B, and 3 more"."""
    each = list(dict.fromkeys(items))
    if most is not None and len(each) > most:
        return f"{', '.join(each[:most])}, and {len(each) - most} more"
    return f"{', '.join(each[:-1])} and {each[-1]}" if len(each) > 1 else "".join(each)
