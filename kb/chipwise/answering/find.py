"""What a number could be: facts that state it, facts that give it by known arithmetic, and documents that say it.

    "1979"  ->  anything in [1978.5, 1979.5): 1979 TFLOPS, 1.979 PFLOPS, 2 x 989.4 TFLOPS with 2:4 sparsity

The last digit tells how precise a number is; one of a single digit ("8 chips") is exact.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property
from typing import NamedTuple

from chipwise import patterns as re
from chipwise.claims.model import Claim, Fact
from chipwise.domain.names import Names
from chipwise.errors import NameUnknown, QuestionInvalid
from chipwise.figures.alike import ENGINE, MATRIX, VECTOR
from chipwise.figures.format import plain as number_text
from chipwise.figures.format import value_text
from chipwise.index.store import Store
from chipwise.text import one_line
from chipwise.values import dataclass

_NUMBER = re.compile(
    r"[~≈$€£]?\s*(?P<minus>[-−]\s*)?(?P<number>(?:\d[\d,_]*)?\.?\d+)(?P<exponent>[eE][+-]?\d+)?\s*"
    r"(?P<scale>k(?![A-Za-z])|thousand|million|billion|trillion)?\s*(?P<unit>.*)"
)
_SCALES = {"k": 1e3, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
_STEPS = tuple(1000.0**k for k in (1, -1, 2, -2, 3, -3))
_TELLING = 3  # digits: a shorter number is a thousandth of too many things
_EXACT = 9  # the last whole number that is taken to be just that
_NEAR = 3  # units that an error proposes
_LONGEST = 60  # characters
_EPSILON = 1e-9  # of floating-point arithmetic, relative
_CONVENTIONS = {  # by axis and value: the other value, the factor to it, how one says that
    ("sparsity", "dense"): ("2:4", 2.0, "with 2:4 sparsity"),
    ("sparsity", "2:4"): ("dense", 0.5, "dense"),
    ("direction", "one way"): ("both", 2.0, "both directions together"),
    ("direction", "both"): ("one way", 0.5, "one way"),
}
_BINARY = {"KiB": ("KB", 1), "MiB": ("MB", 2), "GiB": ("GB", 3), "TiB": ("TB", 4)}  # with the power of 1.024
_BITS = ("information", "information_rate")
_NOT_ADDITIVE = frozenset(("ratio", "number", "text", "date", "time", "length", "area", "frequency", "count"))
_READ = 5  # digits of a computed value
_NAMED = 2  # systems that a count is explained by
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
    def to_the_digit(self) -> Number:
        """The number alone, without what rounds to it."""
        middle = (self.low + self.high) / 2
        half = max(_EPSILON * middle, 4 * math.ulp(middle))
        return self._replace(low=middle - half, high=middle + half)


class StoredFigure(NamedTuple):
    """A row of `Store.fact_figures`."""

    row: int
    subject: str
    metric: str
    low: float | None
    high: float | None
    unit: str
    bound: str
    form: str
    stated: str
    deprecated: bool

    @property
    def qualifiers(self) -> Mapping[str, str]:
        """By axis."""
        return _by_axis(self.stated)

    def amounts(self, names: Names) -> list[float]:
        """Its value in its unit, or both ends of a range."""
        if self.unit not in names.units:
            return []
        ends = [self.low, self.high]
        if self.low is not None and self.high is not None and self.form != "range":
            ends = [(self.low + self.high) / 2]
        scale = names.units[self.unit].scale
        return [value / scale for value in dict.fromkeys(ends) if value is not None and math.isfinite(value)]


@cache
def _by_axis(stated: str) -> Mapping[str, str]:
    """Of the thousands of figures nearly all state what others do, too."""
    return dict(json.loads(stated))


class Way(NamedTuple):
    """A transformation: the factor, the arithmetic in words with {} for the figure as written, the unit of the result.

    `order` puts conventions of writing before units, and units before the number of chips.
    """

    factor: float
    says: str
    unit: str
    order: int


@dataclass(frozen=True, slots=True)
class Match:
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


def trace(store: Store, names: Names, text: str) -> Trace:
    """What the number in `text` could be. Raises as `read_number` does."""
    number = read_number(names, text)
    table = FigureTable(names, [StoredFigure(*row) for row in store.fact_figures()])
    stated = {f: min(hows, key=len) for f in table.figures if (hows := _matches(names, number, f))}
    exact = {f for f in stated if _matches(names, number.to_the_digit, f)}
    telling = bool(number.unit) or number.digits >= _TELLING
    derived = table.derived(number, [f for f in table.figures if f not in stated]) if telling else []
    beside = {f: found for f in stated if (found := table.opposite(f)) is not None}
    facts = store.facts_of_rows([f.row for f in (*stated, *(f for f, _ in derived), *(o for _, o in beside.values()))])

    def match(figure: StoredFigure, how: str) -> Match:
        told = f"= {how}" if how else "" if figure in exact else f"rounds to {number.text}"
        says, other = beside.get(figure, ("", None))
        return Match(facts[figure.row], told, f"{says}: {value_text(facts[other.row], names)}" if other else "")

    # what has a better figure above it goes behind that
    order = sorted(
        stated.items(), key=lambda s: (_RANKS.index(facts[s[0].row].rank), s[0] not in exact, bool(s[1]), s[0].row)
    )
    by_arithmetic = [Match(facts[f.row], how.replace("{}", value_text(facts[f.row], names))) for f, how in derived]
    return Trace(number, tuple(match(*s) for s in order), tuple(by_arithmetic), tuple(_echoes(store, names, number)))


def read_number(names: Names, text: str) -> Number:
    """The number in `text`, with its unit if it has one. Raises QuestionInvalid, and NameUnknown for a unit that nobody knows."""
    line = one_line(text)
    match = _NUMBER.fullmatch(line)
    if match is None or len(line) > _LONGEST:
        hint = 'give one, such as `chipwise find "1979 TFLOPS"`'
        raise QuestionInvalid(f"{line[:_LONGEST]!r} is no number", hint=hint)
    if match["minus"]:
        raise QuestionInvalid(f"{line!r} is negative, and no figure is", hint="give it without its sign")
    if match["exponent"]:
        raise QuestionInvalid(f"{line!r} has an exponent", hint="write it out, such as 1,979,000 or 1.979 million")
    digits = match["number"].replace(",", "").replace("_", "")
    factor = _SCALES.get(match["scale"] or "", 1.0)
    # half a unit either way would make 1 of 1.28, and 0 of 0.3
    exact = "." not in digits and float(digits) <= _EXACT and not match["scale"]
    half = _EPSILON if exact else 0.5 * 10.0 ** -len(digits.partition(".")[2])
    half = max(half, 4 * math.ulp(float(digits)))  # 17 digits are more than a float has
    unit = _unit(names, match["unit"].strip()) if match["unit"].strip() else ""
    low, high = ((float(digits) + side) * factor for side in (-half, half))
    return Number(line, low, high, unit, len(digits.replace(".", "").lstrip("0")) or 1)


def _unit(names: Names, form: str) -> str:
    folded = {written.lower(): unit for written, unit in reversed(names.forms.items())}
    if unit := names.forms.get(form) or folded.get(form.lower()):
        return unit
    import difflib  # noqa: PLC0415

    close = difflib.get_close_matches(form.lower(), folded, n=_NEAR, cutoff=0.6)
    units = dict.fromkeys(folded[written] for written in close)
    hint = f"did you mean {' or '.join(units)}?" if units else "leave the unit out to look for the number alone"
    raise NameUnknown(f"no unit is called {form!r}", hint=hint)


def equals(names: Names, number: Number, value: float, unit: str, factor: float = 1.0) -> str | None:
    """How `value` times `factor` in `unit` is the number: "" as it stands, else "1,979 TFLOPS"; None where it is not.

    Without a unit of its own, thousands are looked for only where there is no other arithmetic.
    """
    own, amount = names.units[unit], value * factor
    if number.unit:
        wanted = names.units[number.unit]
        converted = amount * own.scale / wanted.scale
        if wanted.dimension != own.dimension or not number.holds(converted):
            return None
        return "" if number.unit == unit else f"{number_text(converted, _READ)} {number.unit}"
    if number.holds(amount):
        return ""
    for step in _STEPS if number.digits >= _TELLING and factor == 1.0 else ():
        if number.holds(amount * step):
            other = _of_scale(names, own.dimension, own.scale / step)
            return f"{number_text(amount * step, _READ)} {other}" if other else None
    return None


def _of_scale(names: Names, dimension: str, scale: float) -> str:
    """The first unit of that size, or "" where there is none."""
    same = (i for i, u in names.units.items() if u.dimension == dimension and math.isclose(u.scale, scale))
    return next(same, "")


def _matches(names: Names, number: Number, figure: StoredFigure) -> list[str]:
    """How the ends of a figure are the number; empty where none is."""
    found = (equals(names, number, value, figure.unit) for value in figure.amounts(names))
    return [how for how in found if how is not None]


class FigureTable:
    """All figures, with the transformations that each allows, given the others."""

    def __init__(self, names: Names, figures: Sequence[StoredFigure]) -> None:
        self._names, self.figures = names, figures

    def derived(self, number: Number, figures: Sequence[StoredFigure]) -> list[tuple[StoredFigure, str]]:
        """What gives the number by arithmetic, once for each way and kind of figure, likeliest first."""
        found: dict[tuple[str, ...], tuple[int, StoredFigure, str]] = {}
        for figure in figures:
            amounts = figure.amounts(self._names)
            for way in self.ways(figure) if len(amounts) == 1 else ():
                how = equals(self._names, number, amounts[0], figure.unit, way.factor)
                if how is not None:
                    result = how or f"{number_text(amounts[0] * way.factor, _READ)} {way.unit}".rstrip()
                    key = (figure.subject, figure.metric, figure.stated, way.says)
                    found.setdefault(key, (way.order, figure, f"{way.says} = {result}"))
        return [(figure, how) for _, figure, how in sorted(found.values(), key=lambda item: item[0])]

    def opposite(self, figure: StoredFigure) -> tuple[str, StoredFigure] | None:
        """The same figure dense where this is sparse, one way where this is both; and how one says that."""
        for (axis, value), (other, _, says) in _CONVENTIONS.items():
            if figure.qualifiers.get(axis) == value:
                found = self._kinds.get(_kind(figure, **{axis: other}))
                if found is not None:
                    return says, found
        return None

    def ways(self, figure: StoredFigure) -> Iterator[Way]:
        """All transformations of one figure; none whose result is a fact itself."""
        if figure.deprecated or figure.bound not in ("exact", "about"):
            return
        stated = figure.qualifiers
        for (axis, value), (_, factor, says) in _CONVENTIONS.items():
            may_be = axis != "sparsity" or (figure.subject in self._sparse and stated.get(ENGINE) != VECTOR)
            if stated.get(axis) == value and may_be and self.opposite(figure) is None:
                yield Way(factor, f"{says}: 2 x {{}}" if factor > 1 else f"{says}: {{}} / 2", figure.unit, 0)
        yield from self._by_unit(figure.unit)
        yield from self._by_count(figure)

    def _by_unit(self, unit: str) -> Iterator[Way]:
        dimension, scale = self._names.units[unit]
        if dimension in _BITS and math.log10(scale * 8) % 3 < _EPSILON:  # a unit of bits
            yield Way(1 / 8, "in bytes: {} / 8", _of_scale(self._names, dimension, scale * 8), 1)
        elif dimension in _BITS:
            yield Way(8.0, "in bits: 8 x {}", _of_scale(self._names, dimension, scale / 8), 1)
        for binary, (decimal, power) in _BINARY.items():
            factor = 1.024**power
            if unit == binary:
                yield Way(factor, f"{{}} x {factor:.5g}", decimal, 1)
            elif unit == decimal:
                yield Way(1 / factor, f"{{}} / {factor:.5g}", binary, 1)

    def _by_count(self, figure: StoredFigure) -> Iterator[Way]:
        metric, stated = self._names.metrics[figure.metric], figure.qualifiers
        adds = "aggregation" in metric.qualifiers and metric.dimension not in _NOT_ADDITIVE
        if not adds or not metric.nature.startswith(("spec", "priced")):
            return
        scope, count = stated.get("aggregation", ""), int(stated.get("count") or 0)
        if scope in ("", "chip") and self._names.is_chip(figure.subject):
            for chips, holders in self._counts(figure.subject).items():
                named = ", ".join(self._names.name(h) for h in list(holders)[:_NAMED])
                yield Way(float(chips), f"{chips:,} chips ({named}): {chips:,} x {{}}", figure.unit, 2)
        elif scope in ("node", "slice", "pod", "rack", "pair") and count > 1:
            yield Way(1 / count, f"per chip: {{}} / {count:,}", figure.unit, 2)

    @cached_property
    def _kinds(self) -> dict[tuple[str, ...], StoredFigure]:
        """By subject, metric and qualifiers, what stands there."""
        # the first of a kind in the table is the best one: later ones are other editions
        return {_kind(f): f for f in reversed(self.figures) if not f.deprecated}

    @cached_property
    def _sparse(self) -> set[str]:
        """The chips that have 2:4 sparsity, with their kin."""
        found = {f.subject for f in self.figures if f.qualifiers.get("sparsity") == "2:4"}
        return {i for subject in found for i in self._kin(subject)}

    @cached_property
    def _holders(self) -> dict[str, list[tuple[int, str]]]:
        """By chip, the systems and slices of it with the numbers of chips that they hold."""
        holders: dict[str, list[tuple[int, str]]] = {}
        for id_ in filter(self._names.holds_several, self._names.entities):
            for above in self._names.ancestors(id_)[1:]:
                holders.setdefault(above, []).append((self._names.entities[id_].chips, id_))
        return holders

    def _kin(self, subject: str) -> list[str]:
        return [*(i for i in self._names.ancestors(subject) if self._names.is_chip(i)), *self._names.members(subject)]

    def _counts(self, subject: str) -> dict[int, dict[str, None]]:
        counts: dict[int, dict[str, None]] = {}
        for chips, holder in (pair for chip in self._kin(subject) for pair in self._holders.get(chip, ())):
            counts.setdefault(chips, {})[holder] = None
        return counts


def _kind(figure: StoredFigure, **other: str) -> tuple[str, ...]:
    """What makes a figure another one; a row may leave open that it is of the matrix units where its counterpart says so."""
    stated = {**figure.qualifiers, **other}
    if stated.get(ENGINE) == MATRIX:
        del stated[ENGINE]
    return (figure.subject, figure.metric, *(f"{axis}={value}" for axis, value in sorted(stated.items())))


def _echoes(store: Store, names: Names, number: Number) -> Iterator[Echo]:
    """What documents say, looked up in every unit that the number may be written in; most often said first."""
    units = [names.units[number.unit]] if number.unit else names.units.values()
    places = sorted({(u.dimension, u.scale) for u in units})
    found: dict[tuple[str, str], list[Claim]] = {}
    for claim in store.claims_at([(of, number.low * scale, number.high * scale) for of, scale in places]):
        q = claim.quantity
        if q is not None and _matches(names, number, _unstated(q.low, q.high, q.unit, q.form)):
            found.setdefault((claim.subject, claim.metric), []).append(claim)
    for (subject, metric), claims in sorted(found.items(), key=lambda item: (not item[0][0], -len(item[1]))):
        yield Echo(subject, metric, len(claims), tuple(sorted({c.source for c in claims})))


def _unstated(low: float, high: float, unit: str, form: str) -> StoredFigure:
    least, most = (None if math.isinf(end) else end for end in (low, high))
    return StoredFigure(0, "", "", least, most, unit, "", form, "[]", deprecated=False)
