"""Numbers with their units, where they stand and what interval they mean.

    "an 8-chip node costs $12-$15 per hour"  ->  8 chips, 12..15 USD/hour

Knows numbers written in digits, their ranges, bounds and approximations; the
units come from `corpus/domain/units.toml`. Model names ("H100", "v5p-8",
"GPT-4", "FP8"), ratios like 2:4 and shapes like 4x4x4 are not quantities.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

# Written numbers: 1,979 or 1979 or 3.35; then k, M or B glued to it.
_NUMBER = r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?"
_MULTIPLIERS = {"": 1.0, "k": 1e3, "K": 1e3, "M": 1e6, "B": 1e9, "T": 1e12}
_SCALE_WORDS = {"thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
# A digit inside a name, a version, a ratio or a larger number starts nothing.
_NOT_INSIDE = r"(?<![\w.,:/’'])(?<![A-Za-z]-)(?<!\d-)"
_APPROXIMATE = re.compile(
    r"(?:~|≈|\b(?:about|around|roughly|approximately|some|nearly|almost|circa|c\.))\s*[$€£]?$", re.I
)
_AT_MOST = re.compile(
    r"\b(?:up to|as much as|as many as|at most|no more than|under|below|less than|max(?:imum)?(?: of)?)\s*[~$€£]?$",
    re.I,
)
_AT_LEAST = re.compile(
    r"\b(?:at least|over|more than|above|no less than|from|min(?:imum)?(?: of)?)\s*[~$€£]?$|>\s*$", re.I
)
_LOOK_BACK = 24  # characters: the longest bound phrase with its spaces


@dataclass(frozen=True, slots=True)
class Unit:
    """One unit: `scale` base units of `dimension`; `of` names what a count counts."""

    id: str
    dimension: str
    scale: float
    of: str = ""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number with its unit at `[start, end)` of the text it was found in.

    `low` and `high` are in the base unit of `dimension` and include the
    precision that the writing implies: 2.8 means 2.75 to 2.85. A bound
    ("up to 4x") opens one side.
    """

    start: int
    end: int
    dimension: str
    unit: str
    low: float
    high: float
    bound: str = "exact"  # exact, about, at most, at least

    def agrees_with(self, other: Quantity) -> bool:
        """True when some value satisfies both, in the same dimension."""
        return self.dimension == other.dimension and self.low <= other.high and other.low <= self.high


class UnitTable:
    """Finds quantities, given the surfaces of every unit.

    `surfaces` are (surface, case matters, unit). Longer surfaces win.
    """

    def __init__(self, surfaces: Sequence[tuple[str, bool, Unit]]) -> None:
        written = [(form, case, unit) for form, case, unit in surfaces if not form.startswith("$")]
        self._exact = {form: unit for form, case, unit in written}
        # "GB" and "Gb" differ; a word of four letters or with a space means the same in any case
        self._folded = {form.lower(): unit for form, case, unit in written if not case or _is_word(form)}
        # "$12.00 per hour": the sign stands before the number, the rest of the unit behind it
        self._after_money = {form[1:].strip().lower(): unit for form, _, unit in surfaces if form.startswith("$")}

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        ends = r"(?![A-Za-z0-9])"
        suffixes = _any_of(self._after_money)
        money = rf"[$]\s?{_amount('m_')}(?:\s?-?(?P<m_unit>(?i:{suffixes})){ends})?"
        units = f"{_any_of(self._exact)}|(?i:{_any_of(self._folded)})"
        measure = rf"{_amount('')}(?:-|\s{{0,40}})(?P<unit>{units}){ends}"
        return re.compile(f"{_NOT_INSIDE}(?:{money}|{measure})")

    def find(self, text: str) -> list[Quantity]:
        """Quantities in order of appearance; a bare number without unit or currency is none."""
        found = (self._read(text, match) for match in self._pattern.finditer(text))
        return [quantity for quantity in found if quantity is not None]

    def _read(self, text: str, match: re.Match[str]) -> Quantity | None:
        if match["m_low"]:
            low, high, word = match["m_low"], match["m_high"], match["m_word"]
            unit = self._after_money.get(_folded_form(match["m_unit"] or ""))
        else:
            low, high, word = match["low"], match["high"], match["word"]
            unit = self._exact.get(match["unit"]) or self._folded.get(_folded_form(match["unit"]))
        if unit is None:
            return None
        factor = unit.scale * _SCALE_WORDS.get((word or "").lower(), 1.0)
        low_from, low_to = _interval(low)
        if high:
            low_to = max(low_to, _interval(high)[1])
        before = text[max(0, match.start() - _LOOK_BACK) : match.start()]
        bound, low_from, low_to = _bounded(before, low_from, low_to)
        return Quantity(match.start(), match.end(), unit.dimension, unit.id, low_from * factor, low_to * factor, bound)


def _amount(prefix: str) -> str:
    """A pattern for one number or a range, and a scale word, in groups called `prefix` + low, high, word."""
    number = rf"{_NUMBER}(?:[kKMBT](?![A-Za-z]))?"
    return (
        rf"(?P<{prefix}low>{number})(?:\s*(?:-|–|—|\bto\b)\s*[$€£]?\s?(?P<{prefix}high>{number}))?"
        rf"(?:\s?(?P<{prefix}word>thousand|million|billion|trillion)\b)?"
    )


def _is_word(form: str) -> bool:
    return " " in form or (len(form) >= 4 and form.islower())  # noqa: PLR2004


def _folded_form(surface: str) -> str:
    return re.sub(r"[\s-]+", " ", surface.lower()) if " " in surface else surface.lower()


def _any_of(forms: Iterable[str]) -> str:
    longest_first = sorted(filter(None, forms), key=len, reverse=True)
    return "|".join(re.escape(form).replace(r"\ ", r"\s") for form in longest_first)


def _interval(written: str) -> tuple[float, float]:
    """The values that round to what is written: half a unit of its last significant digit."""
    multiplier = _MULTIPLIERS.get(written[-1], 1.0)
    digits = written.rstrip("kKMBT").replace(",", "")
    value = float(digits)
    decimals = len(digits.partition(".")[2])
    half = 0.5 * 10.0**-decimals if decimals else 0.5
    # "8 chips" is exactly eight; only a fraction or a large round number was rounded
    if not decimals and value < 100:  # noqa: PLR2004
        half = 0.0
    return (value - half) * multiplier, (value + half) * multiplier


def _bounded(before: str, low: float, high: float) -> tuple[str, float, float]:
    """The kind of bound that the words before a number make of it, and what it leaves of the interval."""
    written = (low + high) / 2
    if _AT_MOST.search(before):
        return "at most", float("-inf"), written
    if _AT_LEAST.search(before):
        return "at least", written, float("inf")
    if _APPROXIMATE.search(before):
        slack = 0.05 * written
        return "about", low - slack, high + slack
    return "exact", low, high
