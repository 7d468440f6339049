"""Whether figures bear out what a question says, and which of several wins.

    "Is the H100 faster than the MI300X in FP8?", 1,979 and 2,614.9 TFLOPS  ->  "No: "
    "Is the TDP of the T4 less than half that of the A10?", 70 and 150 W    ->  "Yes: "

What the figures leave open is left open: the answer then begins with them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Decimal

from chipwise import patterns as re
from chipwise.asking.answers import Ruling
from chipwise.asking.question import Question
from chipwise.claims.model import Fact
from chipwise.domain.degrees import COMPARATIVE, DOWNWARD, LESS, MORE, UPWARD
from chipwise.domain.model import Domain
from chipwise.domain.names import Names
from chipwise.figures.alike import differ_by_label
from chipwise.figures.phrasing import value_text
from chipwise.numbers.wording import bound_before
from chipwise.text import Span, grouped
from chipwise.values import dataclass

# a first look, without the finding of quantities
_MAY_MULTIPLY = re.compile(
    r"\b(?:twice|thrice|half|thirds?|quarters?|times|doubl|tripl|quadrupl|halv)|fold\b|\d\s?[x×]", re.I
)
_SAME = re.compile(r"\b(?:same|equal|identical)\b", re.I)
SIZES = ("much", "many", "fast", "large", "big", "high")
_OF_WHAT = re.compile(rf" (?:as (?:{'|'.join(SIZES)})|the)\b(?= )", re.I)
NO_LESS = re.compile(rf"\bas (?:{'|'.join(SIZES)})\b[^?]*\bas\b", re.I)
# "how much faster" asks for a multiple
BY_HOW_MUCH = re.compile(
    rf"\bhow (?:much|many) (?:(?!fast|slow|quick)(?:{COMPARATIVE})|extra|additional)\b|\bby how (?:much|many)\b|\b(?:difference (?:in|of)|gain)\b",
    re.I,
)
IN_PERCENT = re.compile(
    r"\b(?:in|by|as|what|how many)(?: what| how many| a)? (?:percent(?:age)?s?|per cent|%)(?!\w)|,?\s%\??$", re.I
)
_CLOSE = 0.05  # of a factor in round numbers: 1.95 times is "twice", 1.76 times is not
_EPSILON = 1e-9
_BINARY = tuple(1.024**power for power in (-4, -3, -2, -1, 1, 2, 3, 4))  # what one prefix is of the other
_PLAIN = ("exact", "about")
_AS_STATED, _ABOVE, _BELOW, _NO_LESS, _NO_MORE, _OPEN = "", "above", "below", "no less", "no more", "open"
_BOUNDS = {"at least": _NO_LESS, "at most": _NO_MORE, "about": _AS_STATED, "exact": _AS_STATED}
_STRICT = re.compile(r"\b(?:than|over|above|beyond|under|below|exceed\w*|surpass\w*)\b", re.I)
_DENIED = re.compile(r"\b(?:no|not|never)\b", re.I)
_VAGUE = re.compile(r"\b(?:up to|as \w+ as|nearly|almost|close to|just)\b", re.I)
_THAN = re.compile(r"\bthan\s+$", re.I)


@dataclass(frozen=True, slots=True)
class Bound:
    """How strictly a figure of a question is meant, and where the words that say so begin: "less than", "at least"."""

    kind: str
    start: int

    def met(self, value: float, stated: float, close: float = _EPSILON) -> bool:
        """True where `value` is what the question says of it; `close` is how far it may be from a figure without a bound."""
        if self.kind == _AS_STATED:
            return math.isclose(value, stated, rel_tol=close)
        same = math.isclose(value, stated, rel_tol=_EPSILON)
        if self.kind in (_ABOVE, _BELOW):
            return not same and (value > stated) == (self.kind == _ABOVE)
        return same or (value > stated) == (self.kind == _NO_LESS)

    @property
    def is_as_stated(self) -> bool:
        """True for a figure that is meant as it stands."""
        return self.kind == _AS_STATED

    @property
    def decides(self) -> bool:
        """False for "nearly" and "up to", which no single figure bears out or denies."""
        return self.kind != _OPEN


_BEHIND = re.compile(
    r"\s*(?:,\s*)?(?:or|and) (?:less|more|fewer|lower|higher|above|below|under|over|greater|better|up)\b", re.I
)


def bounded(text: str, bound: Bound, start: int, end: int) -> Span:
    """Where a figure stands with the words of its bound: "at most 350 W", "350 W or less"."""
    behind = _BEHIND.match(text, end)
    return min(bound.start, start), behind.end() if behind else end


EXACTLY = Bound(_AS_STATED, 0)  # a figure that no word qualifies
NO_LESS_THAN, NO_MORE_THAN = Bound(_NO_LESS, 0), Bound(_NO_MORE, 0)


def find_bound(text: str, at: int, behind: str = "exact") -> Bound:
    """The bound on the figure at `at` of a question; `behind` is what stands behind it: "100 GB or more"."""
    bound, start = bound_before(text, at)
    if bound == "exact" and behind in ("at least", "at most"):
        return Bound(_BOUNDS[behind], at)
    said = text[start:at]
    if bound == "exact" and _THAN.search(text[:at]):  # "more memory than 100 GB"
        more, less = bool(MORE.search(text[:at])), bool(LESS.search(text[:at]))
        return Bound(_OPEN if more == less else _ABOVE if more else _BELOW, at)
    if _VAGUE.search(said):
        return Bound(_OPEN, start)
    if bound in ("at least", "at most") and _STRICT.search(said) and not _DENIED.search(said):
        return Bound(_ABOVE if bound == "at least" else _BELOW, start)
    return Bound(_BOUNDS[bound], start)


@dataclass(frozen=True, slots=True)
class Factor:
    """What a question says that one thing is of another, "less than half", and where it says so."""

    value: float
    bound: Bound
    span: Span


def find_factor(text: str, domain: Domain) -> Factor | None:
    """The first multiple of a question, with the "as much" or "the" behind it; the "8x" of "8x H200" counts."""
    found = domain.unit_table.find(text) if _MAY_MULTIPLY.search(text) else []
    multiple = next((q for q in found if q.form == "multiple"), None)
    if multiple is None:
        return None
    bound, of = find_bound(text, multiple.start), _OF_WHAT.match(text, multiple.end)
    ends = [end for end in (multiple.low, multiple.high) if math.isfinite(end)]
    return Factor(sum(ends) / len(ends), bound, (bound.start, of.end() if of else multiple.end))


def lead(question: Question, names: Names, facts: Sequence[Fact], factor: Factor | None = None) -> Ruling | str | None:
    """What goes before figures that stand in the order of the question's subjects; None where they decide nothing."""
    if len(facts) != len(question.subjects):
        return None
    if len(facts) > 2:  # noqa: PLR2004
        return _winner(question.text, names, facts)
    middles = [f.amount for f in facts if f.is_single]
    apart = not factor and len(facts) == 2 and _are_apart(facts)  # noqa: PLR2004
    if (len(middles) != 2 and not apart) or not question.wants_verdict or differ_by_label(*facts):  # noqa: PLR2004
        return None
    return of_factor(question.text, middles, factor) if factor else _of_two(question.text, facts)


def _are_apart(facts: Sequence[Fact]) -> bool:
    """True for two ranges without a common value: 0.70 to 0.80 beside 11.06."""
    first, second = (f.claim.quantity for f in facts)
    return first is not None and second is not None and (first.high < second.low or second.high < first.low)


def of_factor(text: str, middles: Sequence[float], factor: Factor) -> Ruling | None:
    """Of the question less its multiple; "3x cheaper" is no multiple of a price."""
    first, second = middles
    if second <= 0 or not factor.bound.decides or LESS.search(text):
        return None
    if factor.bound.met(first / second, factor.value, _CLOSE):
        return Ruling.YES
    return Ruling.MORE if factor.bound.is_as_stated and first / second > factor.value else Ruling.NO


def _of_two(text: str, facts: Sequence[Fact]) -> Ruling | None:
    first, second = (f.claim.quantity for f in facts)
    if first is None or second is None:
        return None
    return of_two(text, same=first.agrees_with(second), larger=first.low > second.low)


def of_two(text: str, *, same: bool, larger: bool) -> Ruling | None:
    """Whether the first of two is what the question says of it beside the second, None where it says nothing that they decide."""
    if _SAME.search(text):
        return Ruling.YES if same else Ruling.NO
    if NO_LESS.search(text):
        return Ruling.YES if same or larger else Ruling.NO
    more, less = bool(MORE.search(text)), bool(LESS.search(text))
    if more == less:
        return None
    if same:
        return Ruling.THE_SAME
    return Ruling.YES if larger == more else Ruling.NO


def _winner(text: str, names: Names, facts: Sequence[Fact]) -> str:
    """ "Least thermal design power (TDP): NVIDIA T4, 70 W [2]. ", with all that share it; "" where no figure surely is it."""
    least = DOWNWARD.search(text)
    quantities = [q for f in facts if (q := f.claim.quantity) is not None]
    if len(quantities) != len(facts) or not (least or UPWARD.search(text)):
        return ""
    # what rounding leaves open decides nothing: of "350" and "350 to 400" the first is the least
    ends = [(q.middle, q.middle) if q.is_single else (q.low, q.high) for q in quantities]
    best = min(high for _, high in ends) if least else max(low for low, _ in ends)
    first = [n for n, (low, high) in enumerate(ends) if low == high == best]
    if not first or len(first) == len(facts) or any(low < best < high for low, high in ends):
        return ""
    metric = names.metrics[facts[0].claim.metric].name
    said = (f"{names.name(facts[n].claim.subject)}, {value_text(facts[n], names)} [{n + 1}]" for n in first)
    return f"{'Least' if least else 'Most'} {metric}: {' and '.join(said)}. "


def difference(question: Question, names: Names, facts: Sequence[Fact]) -> str:
    """ " 141 GB [1] - 80 GB [2] = 61 GB." for "how much more", where both are written in one unit; in percent where that is asked for."""
    in_percent = IN_PERCENT.search(question.text)
    middles = [f.amount for f in facts if f.is_single]
    if len(facts) != 2 or len(middles) != 2 or middles[0] == middles[1] or min(middles) <= 0:  # noqa: PLR2004
        return ""
    larger, smaller = sorted(range(2), key=middles.__getitem__, reverse=True)
    if in_percent and LESS.search(question.text):
        larger, smaller = smaller, larger
    figures = [f"{value_text(facts[n], names)} [{n + 1}]" for n in (larger, smaller)]
    if in_percent:
        return f" {figures[0]} / {figures[1]} - 1 = {100 * (middles[larger] / middles[smaller] - 1):+.3g}%."
    if not BY_HOW_MUCH.search(question.text) or facts[0].unit != facts[1].unit:
        return ""
    left = Decimal(facts[larger].value) - Decimal(facts[smaller].value)
    return f" {' - '.join(figures)} = {grouped(str(left))} {facts[0].unit}."


def holds(facts: Sequence[Fact], stated: float, bound: Bound) -> Ruling | None:
    """Whether figures are what a question states in base units: one of them that very figure, or all within its bound.

    GB for GiB decide nothing.
    """
    known = [q for f in facts if (q := f.claim.quantity) is not None and q.bound in _PLAIN]
    if len(known) != len(facts) or not bound.decides:
        return None
    middles = [q.middle for q in known]
    if bound.kind == _AS_STATED and any(q.low * (1 - _EPSILON) <= stated <= q.high * (1 + _EPSILON) for q in known):
        return Ruling.YES
    if any(math.isclose(m / stated, b, rel_tol=1e-3) for m in middles for b in _BINARY if stated):
        return None
    if bound.kind == _AS_STATED:
        return Ruling.NO
    met = {bound.met(m, stated) for m in middles}
    return None if len(met) > 1 else Ruling.YES if met == {True} else Ruling.NO
