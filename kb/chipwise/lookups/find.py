"""What a number could be: facts that state it, facts that give it by known arithmetic, and documents that say it.

    "1979"  ->  anything in [1978.5, 1979.5): 1979 TFLOPS, 1.979 PFLOPS, 989 TFLOPS with 2:4 sparsity

Which arithmetic there is, `figures.transforms` knows. The last digit tells how precise a number is; a single digit is exact.
"""

from __future__ import annotations

import itertools
import math
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import product
from operator import itemgetter
from typing import NamedTuple

from chipwise.claims.model import Claim, Fact
from chipwise.domain.catalogue import TWINS
from chipwise.domain.model import Domain
from chipwise.domain.names import Names
from chipwise.errors import NameUnknown, QuestionInvalid
from chipwise.figures.alike import FIXED, kind, values
from chipwise.figures.format import phrase, plain, value_text
from chipwise.figures.statement import place
from chipwise.figures.transforms import transform
from chipwise.index.store import Store
from chipwise.numbers.numerals import numeral_at
from chipwise.numbers.quantity import Quantity, halfway
from chipwise.text import one_line
from chipwise.types import Role
from chipwise.values import dataclass

_SIGNS, _MINUS = "~≈$€£ ", "-−"  # before a number
_TELLING = 3  # digits: a shorter number is some multiple of too many things
_EXACT = 9  # the last whole number that is taken to be just that
_NEAR = 3  # units that an error proposes
_LONGEST = 60  # characters
_EPSILON = 1e-9  # of floating-point arithmetic, relative
_DIGITS = 5  # of a converted value
_LEFT_OUT = (*TWINS, "aggregation", "count", "engine")  # by who gives just a number
_SPARSITY, _SPARSE = "sparsity", "2:4"  # of a chip that has any
_RANKS = ("preferred", "normal", "deprecated")


class Number(NamedTuple):
    """A number with the interval that its writing implies, in `unit`; an empty unit is any."""

    text: str
    low: float
    high: float
    unit: str
    digits: int

    def holds(self, value: float) -> bool:
        """True for a value in the interval."""
        # subtle: a value comes back from its base unit as 1978.9999999999998, or as a little less than an end that is excluded
        # a quarter of the interval at most: a billionth of 80000000000 is more than the 1 that its last digit leaves open
        slack = min(_EPSILON * value, (self.high - self.low) / 4)
        return self.low - slack <= value < self.high - slack

    @property
    def is_telling(self) -> bool:
        """True for a number by which something can be recognized in another unit."""
        return bool(self.unit) or self.digits >= _TELLING


class Match(NamedTuple):
    """A fact with the number. `arithmetic` is how it comes from that, empty where it stands there; `beside` its counterpart."""

    fact: Fact
    arithmetic: str = ""
    beside: str = ""


@dataclass(frozen=True, slots=True)
class Echo:
    """What documents say with that number of one metric of one subject: how often, in which sources."""

    subject: str
    metric: str
    claims: int
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Trace:
    """All that a number could be, likeliest first."""

    number: Number
    stated: tuple[Match, ...]
    derived: tuple[Match, ...]
    echoes: tuple[Echo, ...]

    @property
    def empty(self) -> bool:
        """True when it could be nothing known."""
        return not (self.stated or self.derived or self.echoes)


class _Figure(NamedTuple):
    """A row of `Store.fact_figures`."""

    row: int
    subject: str
    metric: str
    low: float | None
    high: float | None
    unit: str
    bound: str
    form: str
    axes: str
    deprecated: bool

    @property
    def ends(self) -> tuple[float, ...]:
        """Its value in base units, or both ends of a range."""
        low, high = self.low, self.high
        if low is None or high is None:
            return tuple(end for end in (low, high) if end is not None)
        return (low, high) if self.form == "range" else (halfway(low, high),)


class _Figures:
    """The figures of the table, by unit and in order of size."""

    def __init__(self, rows: Iterable[_Figure]) -> None:
        self.rows = tuple(rows)
        by_unit: dict[str, list[tuple[float, _Figure]]] = {}
        for f in self.rows:
            by_unit.setdefault(f.unit, []).extend((end, f) for end in f.ends)
        self._by_unit = {unit: sorted(ends, key=itemgetter(0)) for unit, ends in by_unit.items()}

    @property
    def units(self) -> list[str]:
        """The units that figures are written in."""
        return list(self._by_unit)

    def giving(self, number: Number, unit: str, factor: float) -> Iterator[tuple[_Figure, float]]:
        """Figures in `unit` that are the number times `factor`, each with its value."""
        ends = self._by_unit[unit]
        at = bisect_left(ends, number.low / factor * (1 - 2 * _EPSILON), key=itemgetter(0))
        for end, figure in itertools.takewhile(lambda pair: pair[0] * factor < number.high, ends[at:]):
            if number.holds(end * factor):
                yield figure, end * factor


def trace(store: Store, domain: Domain, names: Names, text: str) -> Trace:
    """What the number in `text` could be. Raises as `read_number` does."""
    number = read_number(names, text)
    figures = _Figures(f for f in map(_Figure._make, store.fact_figures()) if f.unit in names.units)
    written, converted = _conversions(names, number, figures)
    multiples = _multiples(domain, names, number, figures)
    facts = store.facts_of_rows({f.row for f in (*written, *converted, *multiples)})
    # what has a better figure above it goes behind that
    order = sorted(written, key=lambda f: (_RANKS.index(facts[f.row].rank), bool(written[f]), f.row))
    near = store.facts({f.subject for f in written}, {f.metric for f in written})
    stated = tuple(Match(facts[f.row], written[f], _beside(facts[f.row], near, names)) for f in order)
    told = {_kind(domain, match.fact) for match in stated}
    sums = [(facts[f.row], _explained(domain, number, facts[f.row], figures)) for f in multiples]
    sums += [(facts[f.row], f"{value_text(facts[f.row], names)} {how}") for f, how in converted.items()]
    derived = {(fact.claim.key, how): Match(fact, how) for fact, how in sums if how and _kind(domain, fact) not in told}
    return Trace(number, stated, tuple(derived.values()), tuple(_echoes(store, names, number)))


def read_number(names: Names, text: str) -> Number:
    """The number in `text`, with its unit if it has one. Raises QuestionInvalid, and NameUnknown for a unit that nobody knows."""
    line = one_line(text)
    bare = line.lstrip(_SIGNS)
    if bare[:1] in tuple(_MINUS) and numeral_at(bare, 1 + len(bare[1:]) - len(bare[1:].lstrip())) is not None:
        raise QuestionInvalid(f"{line!r} is negative, and no figure is", hint="give it without its sign")
    numeral = numeral_at(bare.replace("_", ""), 0) if len(line) <= _LONGEST else None
    if numeral is None:
        hint = 'give one, such as `chipwise find "1979 TFLOPS"`'
        raise QuestionInvalid(f"{line[:_LONGEST]!r} is not a number", hint=hint)
    written, form = bare.replace("_", "")[: numeral.end], bare.replace("_", "")[numeral.end :].strip()
    value, half = numeral.value, numeral.half
    if not half and value > _EXACT and value == round(value):  # half a unit either way would make 1 of 1.28
        half = 0.5 * numeral.scale
    half = max(half, _EPSILON, 4 * math.ulp(value))  # 17 digits are more than a float has
    digits = len("".join(filter(str.isdecimal, written)).lstrip("0")) or 1
    return Number(line, value - half, value + half, _unit(names, form) if form else "", digits)


def _unit(names: Names, form: str) -> str:
    folded = {written.lower(): unit for written, unit in reversed(names.forms.items())}
    if unit := names.forms.get(form) or folded.get(form.lower()):
        return unit
    import difflib  # noqa: PLC0415

    close = difflib.get_close_matches(form.lower(), folded, n=_NEAR, cutoff=0.75)
    units = dict.fromkeys(folded[written] for written in close)
    hint = f"did you mean {' or '.join(units)}?" if units else "leave the unit out to look for the number alone"
    raise NameUnknown(f"no unit is called {form!r}", hint=hint)


def _conversions(names: Names, number: Number, figures: _Figures) -> tuple[dict[_Figure, str], dict[_Figure, str]]:
    """Figures that are the number as they stand, by thousands or in its unit; and those that are it in another unit of the table."""
    written: dict[_Figure, str] = {}
    converted: dict[_Figure, str] = {}
    for unit, other in product(figures.units, [number.unit] if number.unit else figures.units):
        own, asked = names.units[unit], names.units[other]
        if own.dimension != asked.dimension or (other != unit and not number.is_telling):
            continue
        steps = math.log(own.scale / asked.scale, 1000)
        plainly = bool(number.unit) or abs(steps - round(steps)) < _EPSILON
        for figure, end in figures.giving(number, unit, 1 / asked.scale):
            rounds = not math.isclose(end, halfway(number.low, number.high), rel_tol=_EPSILON)
            how = f"rounds to {number.text}" if rounds else ""
            how = f"= {plain(end, _DIGITS)} {other}" if other != unit else how
            if plainly and (other == unit or figure not in written):
                written[figure] = how
            elif not plainly and not figure.deprecated and len(figure.ends) == 1:
                converted.setdefault(figure, how)
    return written, {f: how for f, how in converted.items() if f not in written}


def _multiples(domain: Domain, names: Names, number: Number, figures: _Figures) -> list[_Figure]:
    """Figures that the number is a known multiple of, or a part: by a factor of an axis, or a number of chips sold together."""
    known = {factor for rule in domain.explanations.values() if rule.axis for factor in rule.factors}
    known |= {float(count) for counts in domain.counts_sold.values() for count in counts if count > 1}
    units = [u for u in figures.units if names.units[number.unit or u].dimension == names.units[u].dimension]
    found = (
        figure
        for unit, factor in product(units if number.is_telling else (), (by for x in known for by in (x, 1 / x)))
        for figure, _ in figures.giving(number, unit, factor / names.units[number.unit or unit].scale)
    )
    plainly = (f for f in found if not f.deprecated and f.bound in ("exact", "about") and len(f.ends) == 1)
    return list(dict.fromkeys(plainly))


def _explained(domain: Domain, number: Number, fact: Fact, figures: _Figures) -> str:
    """The arithmetic between a fact and the number as somebody may have said it of the same thing; "" where there is none."""
    claim, unit = fact.claim, number.unit or fact.unit
    scale = domain.units[unit].scale
    quantity = Quantity(0, 0, domain.units[unit].dimension, unit, number.low * scale, number.high * scale)
    stated = tuple(pair for pair in claim.qualifiers if pair[0] not in _LEFT_OUT)
    said = place(domain, replace(claim, quantity=quantity, qualifiers=stated), Role.BODY)
    made = transform(domain, domain.metrics[claim.metric], place(domain, claim, Role.BODY, fact), said)
    if made is None or not (made.stated or made.rule == "count"):
        return ""
    is_sparse = _SPARSITY not in made.axes or any(
        _SPARSE in f.axes and domain.are_kin(f.subject, claim.subject) for f in figures.rows
    )
    return made.reason if is_sparse else ""


def _kind(domain: Domain, fact: Fact) -> tuple[str, str, str]:
    claim = fact.claim
    return domain.chip_of(claim.subject) or claim.subject, claim.metric, claim.qualifier("dtype")


def _beside(fact: Fact, others: Iterable[Fact], names: Names) -> str:
    """The same figure dense where this is sparse, one way where this is both: "dense: 989 TFLOPS"; "" where there is none."""
    of, own = (fact.claim.subject, fact.claim.metric, kind(fact, names)), values(fact, FIXED)
    for other in others:
        if other.rank != "deprecated" and (other.claim.subject, other.claim.metric, kind(other, names)) == of:
            apart = [p for p in zip(FIXED, own, values(other, FIXED), strict=True) if p[1] != p[2]]
            if len(apart) == 1 and apart[0][0] in TWINS and all(apart[0]):
                return f"{phrase(apart[0][0], apart[0][2], names)}: {value_text(other, names)}"
    return ""


def _echoes(store: Store, names: Names, number: Number) -> Iterator[Echo]:
    """What documents say, looked up in every unit that the number may be written in; most often said first."""
    units = [names.units[number.unit]] if number.unit else names.units.values()
    places = sorted({(u.dimension, u.scale) for u in units})
    found: dict[tuple[str, str], list[Claim]] = {}
    for claim in store.claims_at([(of, number.low * scale, number.high * scale) for of, scale in places]):
        q = claim.quantity
        if q is not None and q.unit in names.units:
            ends = [q.low, q.high] if q.form == "range" else [q.middle]
            own = names.units[number.unit or q.unit].scale
            if any(number.holds(end / own) for end in ends):
                found.setdefault((claim.subject, claim.metric), []).append(claim)
    for (subject, metric), claims in sorted(found.items(), key=lambda item: (not item[0][0], -len(item[1]))):
        yield Echo(subject, metric, len(claims), tuple(sorted({c.source for c in claims})))
