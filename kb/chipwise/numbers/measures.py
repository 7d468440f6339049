"""Ranges, tolerances, lists and counts: numbers of a text combined into measures.

    "80 to 94 GB"  "$12.00 - $15.00 hourly"  "100 ± 5 W"  "5, 10 and 20 GB"  "8 x 80 GB"  "5 ft 2 in"

Bounds ("up to") and the kinds of percentages are added later, in `quantities`.
"""

from __future__ import annotations

from dataclasses import replace

from chipwise import patterns as re
from chipwise.numbers import wording
from chipwise.numbers.pieces import NUMBER, TIMES, Piece, Pieces
from chipwise.numbers.unitforms import Unit
from chipwise.values import dataclass

_LIST_AT_MOST = 8  # "5, 10, 20 and 50 GB": items that wait for the unit of the last
_COUNT_AT_MOST = 1e6  # of "8 x 80 GB"
# smaller units in one larger unit, written together: feet and inches, pounds and ounces, hours and minutes; cents
_PARTS, _HUNDREDTHS = (12, 16, 60), 100
_DAYS = 31  # a number up to here may be a day of a month

_TO = re.compile(
    r"(?:\s?(?:-|–|—|−|‑|‒|~|\.\.\.?)\s?|-?\s(?:to|through|and)\s)"
    r"(?:(?:about|around|roughly|some|nearly|almost|up to|as much as)\s)?[~∼]?",
    re.I,
)
_FROM = re.compile(r"\b(from|between|rang\w+ from)\s(?:about\s|around\s)?[~∼$€£]?$", re.I)
_NEXT_ITEM = re.compile(r"\s?,\s(and\s|or\s)?(?=\d)|\s(and|or|&)\s(?=\d)|(/)(?=\d)", re.I)
_BY = re.compile(r"\s?[xX×]\s?(?=[\d.$])")
_TOLERANCE = re.compile(r"\s?(?:±|\+\s?/\s?[-−–])\s?")
_TOLERANCE_BEFORE = re.compile(r"(?:±|\+/[-−–])\s?$")
_TOGETHER = re.compile(r"\s?(?:and\s)?(?=[\da-z])", re.I)
_OFTEN = re.compile(r"\s(?:an?|per|each|every|since|already|daily|before|between|during)\b", re.I)
_PART_OF = re.compile(r"\s(?:of|the|an?)\b|\W?\s?$|[,.;:)]")


@dataclass(frozen=True, slots=True)
class Measure:
    """`low` to `high` of `unit` at `[start, end)`, `count` times. The first number ends at `number_end`."""

    start: int
    end: int
    unit: Unit
    low: float
    high: float
    number_end: int
    is_range: bool = False
    count: int = 1


def opened_range(text: str, at: int) -> str:
    """The word that opens a range right before `at`: "from", "between" or ""."""
    match = _FROM.search(text, max(0, at - 24), at)
    return match[1].lower() if match else ""


def measure_at(pieces: Pieces, at: int) -> Measure | None:
    """Return the measure that begins with the number at `at`, or None if that number measures and counts nothing."""
    first = pieces.at(at)
    if first is None:
        return None
    made = _counted(pieces, first) or _toleranced(pieces, first) or _ranged(pieces, first)
    if made is not None:
        return made
    unit = first.unit or _shared_unit(pieces, first) or (NUMBER if pieces.made_up else None)
    if unit is None or not _is_one(pieces.text, first, unit):
        return None
    whole = _with_smaller_part(pieces, first, unit)
    return whole or Measure(
        first.start, first.end, unit, first.value - first.half, first.value + first.half, first.numeral.end
    )


def _counted(pieces: Pieces, first: Piece) -> Measure | None:
    """Read "8 x 80 GB" as 80 GB, eight times."""
    by = _BY.match(pieces.text, first.numeral.end)
    times = first.unit is None or first.unit.id == TIMES
    if by is None or not times or first.value != int(first.value) or not 0 < first.value <= _COUNT_AT_MOST:
        return None
    each = measure_at(pieces.known, by.end())
    if each is None or each.unit.id == TIMES or each.count != 1:
        return None
    return replace(each, count=int(first.value))


def _toleranced(pieces: Pieces, first: Piece) -> Measure | None:
    """Read "100 ± 5 W", "100 W ± 5 W", or "±5%" alone."""
    end = first.numeral.end
    alone = _TOLERANCE_BEFORE.search(pieces.text, max(0, first.start - 5), first.start)
    if alone and first.unit:
        return Measure(alone.start(), first.end, first.unit, -abs(first.value), abs(first.value), end)
    sign = _TOLERANCE.match(pieces.text, first.end)
    slack = pieces.at(sign.end()) if sign else None
    unit = (slack.unit or first.unit or (NUMBER if pieces.made_up else None)) if slack else None
    if slack is None or unit is None or (slack.unit and first.unit and slack.unit.dimension != first.unit.dimension):
        return None
    return Measure(first.start, slack.end, unit, first.value - abs(slack.value), first.value + abs(slack.value), end)


def _ranged(pieces: Pieces, first: Piece) -> Measure | None:
    """Read "80 to 94 GB", "$12.00 - $15.00 hourly", "between 35% and 55%" or "80GB to 141GB"."""
    text, to = pieces.text, _TO.match(pieces.text, first.end)
    if to is None or (to[0].strip().lower()[:3] == "and" and opened_range(text, first.start) != "between"):
        return None
    minus = text[to.end() : to.end() + 1] in ("-", "−") and first.negative
    last = pieces.at(to.end() + minus, first.money)
    if last is None or (last.unit is None and first.numeral.looks_like_a_year):
        return None
    unit = _common_unit(first, last) or (
        NUMBER if pieces.made_up and first.unit is None and last.unit is None else None
    )
    if unit is None or (unit is NUMBER and not wording.bare_number_counts(text, first.start, last.end)):
        return None
    # the denominator of a price follows the upper end: "$312-$500/GB"
    own = unit if first.unit is None or first.unit.dimension != unit.dimension else first.unit
    low = first.value * own.scale / unit.scale
    if (
        (first.unit is None or first.money is not None)
        and last.numeral.scale > first.numeral.scale == 1.0
        and low < last.numeral.value / last.numeral.scale
    ):
        low *= last.numeral.scale  # "2 to 3 million", "$25-35K"
    if low > last.value and not (first.unit and last.unit) and not first.negative and " to " not in to[0]:
        return None
    low, high = sorted((low, last.value))
    return Measure(first.start, last.end, unit, low, high, first.numeral.end, is_range=True)


def _common_unit(first: Piece, last: Piece) -> Unit | None:
    """Return the unit of a range: that of its last end, if the first end has a compatible one or none."""
    if last.unit is None or first.unit is None or first.unit == last.unit:
        return last.unit
    if first.money is not None and last.money is not None and first.money.sign == last.money.sign:
        return last.unit if first.unit == first.money.unit else None
    if first.unit.dimension in ("count", "ratio"):
        return last.unit if first.unit.of and first.unit.of == last.unit.of else None
    return last.unit if first.unit.dimension == last.unit.dimension else None


def _shared_unit(pieces: Pieces, first: Piece) -> Unit | None:
    """Return the unit that the last item of "5, 10, 20 and 50 GB" or "80/94 GB" carries for the whole list."""
    text, end, joined = pieces.text, first.end, False
    if not first.numeral.in_digits or first.numeral.looks_like_a_year or not _NEXT_ITEM.match(text, end):
        return None
    if wording.part_of_a_name(text, first.start):
        return None
    for _ in range(_LIST_AT_MOST):
        step = _NEXT_ITEM.match(text, end)
        item = pieces.known.at(step.end()) if step else None
        if step is None or item is None:
            return None
        joined = joined or bool(step[1] or step[2] or step[3])
        if item.unit is not None:
            return item.unit if joined and item.money is None and item.unit.id != TIMES else None
        end = item.end
    return None


def _with_smaller_part(pieces: Pieces, first: Piece, unit: Unit) -> Measure | None:
    """Read "5 ft 2 in" or "2 hours 30 minutes" as one measure."""
    gap = _TOGETHER.match(pieces.text, first.end) if unit.dimension in ("length", "mass", "time", "price") else None
    part = pieces.at(gap.end()) if gap else None
    if gap is None or part is None or part.unit is None or part.unit.dimension != unit.dimension or part.money:
        return None
    ratio = round(unit.scale / part.unit.scale, 6)
    if ratio not in _PARTS and not (unit.dimension == "price" and ratio == _HUNDREDTHS):
        return None
    if part.value >= ratio or ("and" in gap[0].lower() and unit.dimension == "time"):
        return None
    value = first.value + part.value / ratio
    return Measure(first.start, part.end, unit, value, value, first.numeral.end)


def _is_one(text: str, first: Piece, unit: Unit) -> bool:
    """False for "one chip", a year, a version, a reference or a reading time: these count and measure nothing."""
    numeral, one = first.numeral, first.numeral.value == 1 and not first.numeral.in_digits
    if unit is NUMBER:
        return not numeral.looks_like_a_year and _counts_alone(text, first, one=one and not first.negative)
    glued_letter = first.end == numeral.end + 1 and text[numeral.end].isalpha()
    if first.is_small_count and (unit.dimension == "count" or glued_letter) and wording.numbered(text, first.start):
        return False  # "Fig. 3A"
    if numeral.looks_like_a_year and unit.dimension in ("count", "time"):
        decade = unit.dimension == "time" and text[numeral.end] == "s"
        return not decade and not (unit.dimension == "count" and wording.dated(text, first.start))
    if unit.dimension == "count":
        like_a_name = first.is_small_count and numeral.value < 10 and text[numeral.end] == " "  # noqa: PLR2004
        return not (one or (like_a_name and wording.part_of_a_name(text, first.start)))
    if unit.id == TIMES and text[first.end - 5 : first.end].lower() == "times":
        return not one and not _OFTEN.match(text, first.end)  # "three times a day"
    return True


def _counts_alone(text: str, first: Piece, *, one: bool) -> bool:
    """True for a number without a unit that isn't a date, name, ordinal or part of a word."""
    numeral = first.numeral
    behind = text[first.end : first.end + 4]
    if not numeral.in_digits and re.match(r"\s?-[A-Za-z]", behind):
        return False  # "two-dimensional"
    if numeral.fraction and not numeral.in_digits and numeral.scale == 1.0 and not _PART_OF.match(behind):
        return False  # "a third one", "half maximum"
    return wording.bare_number_counts(text, first.start, first.end, one=one, small=numeral.value <= _DAYS)
