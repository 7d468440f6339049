"""Quantities of a text: numbers with units, their spans and the intervals they stand for.

    "an 8-chip node costs $12-$15 per hour"  ->  8 chips, 12..15 USD/hour
    "up to 4x"  ->  (-inf, 4] x        "half the price"  ->  0.5 x        "8 x 80 GB"  ->  80 GB, 8 times

The units are data (`corpus/domain/units*.toml`). pint and quantulum3 know every unit,
so they read "8 A100s" as amperes and "100B" as bytes, and take longer to load than a
question to answer. Model names ("H100", "v5p-8"), ratios like 2:4, shapes like 4x4x4
and dates are not quantities.

Every search is bounded: reading takes time proportional to the length of the text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property

from chipwise import patterns as re
from chipwise.numbers import wording
from chipwise.numbers.measures import Measure, measure_at, opened_range
from chipwise.numbers.numerals import NUMBER_WORD, numeral_at
from chipwise.numbers.pieces import PERCENT, TIMES, Pieces
from chipwise.numbers.quantity import Quantity
from chipwise.numbers.spoken import SMALL
from chipwise.numbers.unitforms import Forms, Unit

__all__ = ["Quantity", "Unit", "UnitTable", "roughly"]

NANOMETER = "nm"
ABOUT = 0.05  # "about 100" is 95 to 105, as the authors of the corpus use it

# A digit inside a name, a version, a ratio or a larger number starts nothing.
# subtle: the lookaheads change no match; they only spare most characters the slower lookbehinds
_DIGIT = (
    r"(?=[\d.½⅓⅔¼¾⅕⅙⅛⅜⅝⅞])(?:"
    r"(?<![\w^#)\]])(?<!\d[.,:'’])(?<![’'])(?<![A-Za-z)][-‑−–])(?<!\d[-‑])(?:\d|[½⅓⅔¼¾⅕⅙⅛⅜⅝⅞])|(?<![\w.)])\.\d"
    r"|(?<=\b[A-Z]{3})\d)"  # "USD50"
)
_MULTIPLES = {"twice": 2.0, "thrice": 3.0, "halv": 0.5, "doubl": 2.0, "tripl": 3.0, "quadrupl": 4.0}
_FOLDS = {word: value for word, value in SMALL.items() if value > 1} | {"hundred": 100.0}
_START = re.compile(
    rf"{_DIGIT}|(?i:(?=[a-z])(?<![\w-])(?:(?P<multiple>twice|thrice|halv(?:es?|ed|ing)|(?:doubl|tripl|quadrupl)(?:es?|ed|ing))(?!\w)"
    rf"|(?P<fold>{'|'.join(_FOLDS)})-?fold(?!\w)|(?:{NUMBER_WORD})(?!\w)|(?P<link>https?://|www\.)\S+))"
)
_AGAINST = re.compile(r"\s(?:as(?! an?\b)|the|that|its|their|his|what|of|more)\b|\s(?!over\b)\w{2,12}er\b", re.I)
_ARTICLE_BEFORE = re.compile(r"(?:\b(?:the|an?|its|this)|['’]s)\s$", re.I)
_PART_OF = re.compile(r"\s(?:of\s)?(?:the|that|its|their|what|as)\b|\sof\s", re.I)
_NOT_HALF = re.compile(r"\b(?:first|second|latter|last|other|this|next|and a|the)\s$", re.I)
_WORTH = re.compile(
    r"\s(?:the|that|its|their|as|what)\b|\sof\s(?:the|that|its|their)\s(?:\w+\s){0,2}"
    r"(?:price|costs?|power|energy|time|latency|memory|size|speed|bandwidth|throughput|performance|rate)\b",
    re.I,
)
_SHAPE = re.compile(r"\d+(?:\s?[x×]\s?\d+){2,}(?!\d)|\d+[x×]\d+(?!\s?[\w%^−–⁻+.-])")
_KEY = re.compile(r"\d+(?:[-–]\d+){2,}(?!\.)|\d+(?:\.\d+){2,}|\d{1,4}/\d{1,2}/\d{1,4}|\d+:\d+(?:[:.]\d+)*")


class UnitTable:
    """Finds quantities by the surface forms of units.

    `surfaces` are (surface, case matters, unit). Longer surfaces win.
    """

    def __init__(self, surfaces: Sequence[tuple[str, bool, Unit]]) -> None:
        self._surfaces = surfaces

    @cached_property
    def _forms(self) -> Forms:
        return Forms(self._surfaces)

    def find(self, text: str) -> list[Quantity]:
        """List the quantities of a text in order. A bare number without unit or currency doesn't count."""
        return list(self._read(Pieces(text, self._forms, made_up=False)))

    def find_all(self, text: str) -> list[Quantity]:
        """List quantities like `find`, plus bare numbers (dimension "number", unit "") and units built from known ones.

        A unit built from the text alone ("W/m2") has an id and a dimension that no table knows.
        """
        return list(self._read(Pieces(text, self._forms, made_up=True)))

    def _read(self, pieces: Pieces) -> Iterator[Quantity]:
        at, text = 0, pieces.text
        while match := _START.search(text, at):
            key = (_SHAPE.match(text, match.start()) or _KEY.match(text, match.start())) if match[0].isdigit() else None
            if match["link"] or (key and not self._lists(text, key)):
                at = key.end() if key else match.end()
                continue
            made = self._multiple(text, match)
            if made is None and match["multiple"] is None and match["fold"] is None:
                measure = measure_at(pieces, match.start())
                made = _finished(text, measure) if measure and measure.start >= at else None
            if made is not None:
                yield made
            at = max(match.end(), made.end if made else _end_of_digits(text, match.start()))

    def _lists(self, text: str, key: re.Match[str]) -> bool:
        """True for "80/94/141 GB", which isn't a date."""
        return "/" in key[0] and self._forms.at(text, key.end()) is not None

    def _multiple(self, text: str, match: re.Match[str]) -> Quantity | None:
        """Read "twice as fast", "more than doubled", "tenfold", "half the price" or "a third of the cost"."""
        unit = self._forms.exact.get(TIMES)
        if unit is None or not match[0][0].isalpha():
            return None
        start, end, form = match.start(), match.end(), "multiple"
        if match["fold"]:
            value = _FOLDS[match["fold"].lower()]
        elif match["multiple"]:
            word = match[0].lower()
            value = next(v for stem, v in _MULTIPLES.items() if word.startswith(stem))
            if not _compares(text, start, end, word):
                return None
        else:
            part = numeral_at(text, start)
            if (
                part is None
                or not part.fraction
                or part.scale != 1.0
                or part.value >= 1
                or not _PART_OF.match(text, part.end)
            ):
                return None
            if match[0].lower() == "half" and _NOT_HALF.search(text, max(0, start - 12), start):
                return None
            value, end = part.value, part.end
            form = "multiple" if _WORTH.match(text, end) else "share"
        return replace(_finished(text, Measure(start, end, unit, value, value, end)), form=form)


def _compares(text: str, start: int, end: int, word: str) -> bool:
    """True for "twice as fast" and "doubled"; false for "twice a day", "double precision" and "the doubled rate"."""
    if word.endswith(("ed", "es")):
        return not _ARTICLE_BEFORE.search(text, max(0, start - 6), start)
    return bool(_AGAINST.match(text, end))


def _finished(text: str, made: Measure) -> Quantity:
    """Turn a measure into a quantity: base units, the bound that nearby words set, and the form."""
    bound, low, high = _bounded(text, made)
    form = "range" if made.is_range else "value"
    if made.unit.id == TIMES:
        form = "multiple"
    elif made.unit.id == PERCENT:
        form = "change" if text[made.start] in "±+-−" else wording.percent_form(text, made.start, made.end)
    low, high = (value * made.unit.scale + made.unit.offset for value in (low, high))
    return Quantity(made.start, made.end, made.unit.dimension, made.unit.id, low, high, bound, form, made.count)


def _bounded(text: str, made: Measure) -> tuple[str, float, float]:
    """Return the kind of bound and the interval it leaves."""
    opened = made.is_range and opened_range(text, made.start)
    bound = "exact" if opened else wording.bound_before(text, made.start)[0]
    if bound in ("exact", "about"):
        plus = text[made.number_end : made.number_end + 1] == "+" and not made.is_range
        plus = plus and made.unit.id != NANOMETER  # "7+ nm" names a later 7 nm process
        behind = "at least" if plus else wording.bound_after(text, made.end)[0]
        bound = bound if behind == "exact" else behind  # "~$10,000+" is a floor
    # a bound applies to the value as written: the end of a range, or the middle of a rounding interval
    middle = (made.low + made.high) / 2
    if bound == "at most":
        return bound, float("-inf"), made.high if made.is_range else middle
    if bound == "at least":
        return bound, made.low if made.is_range else middle, float("inf")
    slack = ABOUT * abs(middle) if bound == "about" else 0.0
    return bound, made.low - slack, made.high + slack


def roughly(quantity: Quantity) -> Quantity:
    """Widen a figure to the interval of an approximate one: like "~400" in prose."""
    slack = ABOUT * abs(quantity.middle)
    return replace(quantity, low=quantity.low - slack, high=quantity.high + slack, bound="about")


def _end_of_digits(text: str, at: int) -> int:
    """Return the end of a run of digits that isn't a number, so that no tail of it is read as one."""
    end = at
    while end < len(text) and text[end].isdecimal():
        end += 1
    return end
