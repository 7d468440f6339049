"""What a number could be: facts that state it, facts that give it by known arithmetic, and documents that say it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from chipwise.claims.model import Claim, Fact
from chipwise.domain.names import Names
from chipwise.figures.phrasing import value_text
from chipwise.index.store import Store
from chipwise.lookups.derived import Figure, Ways
from chipwise.lookups.figuring import Number, Written, equals, read_number, shown
from chipwise.values import dataclass


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
    figures = [Figure(*row) for row in store.fact_figures()]
    ways = Ways(names, figures)
    hits = list(_stated(names, number, figures))
    exact = {f.row for f, _ in _stated(names, number.to_the_digit, [f for f, _ in hits])}
    stated = sorted(hits, key=lambda hit: (hit[0].deprecated, hit[0].row not in exact, bool(hit[1])))
    stating = {f.row for f, _ in hits}
    derived = []
    if number.telling:
        derived = _derived(names, number, [f for f in figures if f.row not in stating], ways)
    opposites = {f.row: found for f, _ in stated if (found := ways.opposite(f)) is not None}
    rows = [f.row for f, _ in stated] + [f.row for f, _ in derived] + [f.row for _, f in opposites.values()]
    facts = store.facts_of_rows(rows)

    def beside(figure: Figure) -> str:
        if figure.row not in opposites:
            return ""
        says, other = opposites[figure.row]
        return f"{says}: {value_text(facts[other.row], names)}"

    def match(figure: Figure, arithmetic: str) -> Match:
        fact = facts[figure.row]
        return Match(fact, arithmetic.replace("{}", value_text(fact, names)))

    def told(figure: Figure, how: str) -> str:
        rounded = "" if figure.row in exact else f"rounds to {number.text}"
        return f"= {how}" if how else rounded

    same = (Match(facts[f.row], told(f, how), beside(f)) for f, how in stated)
    return Trace(
        number, tuple(_by_rank(same)), tuple(match(f, how) for f, how in derived), tuple(_echoes(store, names, number))
    )


def _by_rank(matches: Iterator[Match]) -> list[Match]:
    """As they stand, but what is deprecated last, and what has a better figure above it behind that."""
    order = ("preferred", "normal", "deprecated")
    return sorted(matches, key=lambda m: order.index(m.fact.rank))


def _stated(names: Names, number: Number, figures: Iterable[Figure]) -> Iterator[tuple[Figure, str]]:
    for figure in figures:
        hows = [how for value in figure.written(names) if (how := equals(names, number, value)) is not None]
        if hows:
            yield figure, min(hows, key=len)


def _derived(names: Names, number: Number, figures: Iterable[Figure], ways: Ways) -> list[tuple[Figure, str]]:
    """What gives the number by arithmetic, once for each way and kind of figure, likeliest first."""
    found: dict[tuple[str, str, str, str], tuple[int, Figure, str]] = {}
    for figure in figures:
        written = figure.written(names)
        if len(written) != 1:
            continue
        for way in ways.of(figure):
            how = equals(names, number, written[0], way.factor)
            if how is not None:
                result = how or f"{shown(written[0].value * way.factor)} {way.unit}".rstrip()
                key = (figure.subject, figure.metric, figure.stated, way.says)
                found.setdefault(key, (way.order, figure, f"{way.says} = {result}"))
    return [(figure, how) for _, figure, how in sorted(found.values(), key=lambda item: item[0])]


def _echoes(store: Store, names: Names, number: Number) -> Iterator[Echo]:
    found: dict[tuple[str, str], list[Claim]] = {}
    for claim in store.claims_at(_wanted(names, number)):
        if any(equals(names, number, written) is not None for written in _written(names, claim)):
            found.setdefault((claim.subject, claim.metric), []).append(claim)
    for (subject, metric), claims in sorted(found.items(), key=lambda item: (not item[0][0], -len(item[1]))):
        yield Echo(subject, metric, len(claims), tuple(sorted({c.source for c in claims})))


def _wanted(names: Names, number: Number) -> list[tuple[str, float, float]]:
    """Where in the index to look: in every unit that the number may be written in."""
    units = [names.units[number.unit]] if number.unit else names.units.values()
    places = {(u.dimension, u.scale) for u in units}
    return [(dimension, number.low * scale, number.high * scale) for dimension, scale in sorted(places)]


def _written(names: Names, claim: Claim) -> list[Written]:
    q = claim.quantity
    if q is None:
        return []
    low, high = (None if abs(value) == float("inf") else value for value in (q.low, q.high))
    return Figure(0, "", "", low, high, q.unit, q.bound, q.form, "[]", deprecated=False).written(names)
