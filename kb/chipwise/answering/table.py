"""The one table of facts: `table(query)` is what a query comes to. Look-ups, comparisons, rankings and filters are views of it.

    of=(H200, MI300X), what=(memory_capacity,)         ->  two cells, 141 GB and 192 GB
    of=(gpu,), where=(memory_capacity >= 100 GB,)      ->  those that meet it, with the figures that show it
    of=(H200,), what=(price_per_hour,) on AWS          ->  why there is none, and what is known instead

Which fact fills a cell, and which variant speaks for a chip, is decided by `figures.resolve` alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from chipwise.answering.base import Base
from chipwise.answering.conditions import DENIAL, axes_of, conditions, figures, fits, is_category, is_priced, members
from chipwise.answering.query import CLOUDS, DESIGNER, Counted, Measure, Order, Query, Unknown
from chipwise.answering.sentences import qualified, the
from chipwise.claims.model import Fact, Key
from chipwise.figures.alike import ON_DEMAND, covered, kind, values
from chipwise.figures.format import listed, phrase, value_text
from chipwise.figures.resolve import Resolved, chip_offers, filling, latest, resolve, resolve_each, sold_as, usual
from chipwise.numbers.quantity import Quantity
from chipwise.values import dataclass

_KNOWN = 5
LISTED = 12  # members, offers or values of a category that an answer lists
_SHOWN = 3  # figures of one kind each that a look-up tells of one subject
_TOP, _TIES = 3, 5  # of a ranking, where only the first is asked for
_LEAST_OFFERS = 2  # that are listed rather than told
_WHOLE = ("", "chip", "node", "pod")
_LESS_IS_BETTER = ("more expensive", "smaller", "longer", "heavier", "later")


def _reason_of_unknown(unknown: Sequence[Unknown], base: Base) -> str:
    """ "nothing here is called RTX 6090; known of that series are the RTX 4090 and the RTX 5090"."""
    named = listed(u.name for u in unknown)
    known = [base.names.name(i) for u in unknown for i in u.known]
    return f"no source mentions {named}" + (f"; similar names: {listed(known, _KNOWN)}" if known else "")


def _reason_of_missing(empty: Sequence[tuple[Counted, Measure]], query: Query, base: Base) -> str:
    """ "the facts hold no price of the H200 on AWS; known are those of Azure and CoreWeave"."""
    subject, measure = empty[0]
    metric = base.domain.metrics[measure.metric]
    wanted = axes_of(measure, query, base)
    said = [f"on {phrase(a, v, base.names)}" if a == "provider" else phrase(a, v, base.names) for a, v in wanted]
    said += [f"as of {value}" for axis, value in query.at if axis == "as_of"]
    whose = listed(the(of.entity, base) for of, missing in empty if missing == measure)
    reason = f"no source gives the {metric.name} of {whose}" + (f" ({', '.join(said)})" if said else "")
    known = _instead(subject, measure, base)
    return f"{reason}; what is known: {known}" if known else reason


def _instead(subject: Counted, measure: Measure, base: Base) -> str:
    """What others ask, the lowest first, as no price is a figure of something else; else the metrics that are known."""
    facts = [f for f in base.known.facts(covered(base.names, subject.entity)) if base.known.holds(f)]
    if is_priced(measure.metric, base):
        offers = latest([f for f in facts if f.rank != "deprecated" and f.claim.metric == measure.metric], base.names)
        offers.sort(key=lambda f: f.amount)
        return listed((f"{value_text(f, base.names)}{qualified(f, base)}" for f in offers), _KNOWN)
    metrics = {f.claim.metric for f in facts if f.rank == "preferred"}
    return listed((m.name for m in base.domain.metrics.values() if m.id in metrics), _KNOWN)


@dataclass(frozen=True, slots=True)
class FactCell:
    """What fills one place of a table, best first; empty where nothing is known.

    `others` are the figures of other variants that differ. An extensive metric of several is `times` that of one.
    """

    of: Counted
    measure: Measure
    facts: tuple[Fact, ...] = ()
    others: tuple[Fact, ...] = ()
    times: int = 1
    among: int = 1  # chips that share a price of their machine
    of_chips: bool = False  # True where no fact is of the machine itself, and this is what its chips have

    @property
    def amount(self) -> float:
        """That of all that are counted, in base units; 0 where nothing is known."""
        return self.times * self.facts[0].amount / self.among if self.facts else 0.0

    @property
    def is_single(self) -> bool:
        """True for one number, be it an "about"."""
        return bool(self.facts) and self.facts[0].is_single


@dataclass(frozen=True, slots=True)
class FactTable:
    """`columns` has, for each measure, a cell for each subject; `known` is of how many things the members were chosen."""

    query: Query
    columns: tuple[tuple[FactCell, ...], ...]
    known: int = 0
    of_offers: bool = False  # True where each row is one price of what may be one thing

    @property
    def measures(self) -> tuple[Measure, ...]:
        """One for each column."""
        return tuple(column[0].measure for column in self.columns)

    @property
    def is_full(self) -> bool:
        """True where every cell has a value of its own."""
        cells = [cell for column in self.columns for cell in column]
        return bool(cells) and all(cell.facts and not cell.of_chips for cell in cells)


def table(query: Query, base: Base) -> FactTable | str | None:
    """The table that a query asks for, in words what is missing for it, or None where no table could answer it."""
    of = query.of
    if of.unknown:
        return _reason_of_unknown(of.unknown, base)
    if not all(_is_of(measure, query, base) for measure in query.what):
        return None
    if len(query.what) == 1 and query.asserts is None and is_priced(query.what[0].metric, base):
        offers = _offers(query, query.what[0], base)
        if offers is not None or query.order is not None:
            return offers
    if of.entities:
        return _of_named(query, base)
    return _of_set(query, base) if of.is_open else None


def _of_named(query: Query, base: Base) -> FactTable | str | None:
    things, asserted = query.of.entities, query.asserts
    if not query.what or not _has_columns(query):
        return None
    measures, query = _spread(query)
    if len(things) == len(measures) == 1 and asserted is None and (told := _of_family(query, measures[0], base)):
        return told
    columns = tuple(fill(things, measure, query, base) for measure in measures)
    # what has no figure because another one's is against it ("2.1x, against TPU v4") is no row
    against = {f.claim.baseline for column in columns for cell in column for f in cell.facts}
    kept = [n for n, c in enumerate(things) if c.entity not in against or any(column[n].facts for column in columns)]
    columns = tuple(tuple(column[n] for n in kept) for column in columns)
    if asserted is not None and isinstance(asserted.value, str):
        return FactTable(query, columns)  # figures in a format tell that it is supported, too
    empty = [cell for column in columns for cell in column if not cell.facts]
    none = len(empty) == sum(map(len, columns))
    if empty and (asserted is not None or (none and is_category(empty[0].measure.metric, base))):
        return None
    if empty and (none or query.order is not None):
        return _reason_of_missing([(c.of, c.measure) for c in empty], query, base)
    return FactTable(query, columns)


def _has_columns(query: Query) -> bool:
    """False where the question doesn't say what one thing differs from, or asks for all that is the same."""
    if query.asserts is None and query.relate:
        several = len(query.of.entities) > 1 or sum(axis == "price_terms" for axis, _ in query.at) > 1
        if not several or query.relate == "same":
            return False
    return all(c.unit in ("", "chip") for c in query.of.entities)


def _spread(query: Query) -> tuple[tuple[Measure, ...], Query]:
    """Each measure once for each value of an axis that has several: "spot and on-demand price"."""
    several = [axis for axis in dict(query.at) if sum(a == axis for a, _ in query.at) > 1]
    if len(several) != 1:
        return query.what, query
    values_ = [pair for pair in query.at if pair[0] == several[0]]
    measures = tuple(replace(m, axes=tuple(sorted({*m.axes, pair}))) for m in query.what for pair in values_)
    return measures, replace(query, at=tuple(pair for pair in query.at if pair not in values_))


def _of_family(query: Query, measure: Measure, base: Base) -> FactTable | None:
    """A figure of each chip of a line or family of which none is told itself."""
    (thing,), metric = query.of.entities, base.domain.metrics[measure.metric]
    if is_category(metric.id, base) or not (metric.main or is_priced(metric.id, base)):
        return None
    if not base.domain.is_many(thing.entity) or base.known.facts([thing.entity], [measure.metric]):
        return None
    cells = tuple(cell for cell in fill(_members_of(thing, base), measure, query, base) if cell.facts)
    return FactTable(query, (cells,), len(cells)) if len(cells) > 1 else None


def _members_of(subject: Counted, base: Base) -> list[Counted]:
    """The chips of a line or family, for which it stands."""
    if not base.domain.is_many(subject.entity):
        return [subject]
    return [Counted(i, subject.count) for i in base.domain.members(subject.entity) if base.domain.kind(i) == "chip"]


def _of_set(query: Query, base: Base) -> FactTable | None:
    """The members that meet all conditions, with what shows it and what else is asked of them; in order as many as are asked for."""
    chosen, meant = members(query, base), conditions(query.of)
    named, order = [c.measure for c in meant], query.order
    asked = [m for m in query.what if order is not None or m.metric not in {c.metric for c in named}]
    known = chosen.known
    if order is not None:
        if len(asked) != 1 or is_category(asked[0].metric, base):
            return None
        cells = [c for c in _asked(list(chosen.met), asked[0], query, base) if c.is_single]
        cells.sort(key=lambda c: c.amount, reverse=is_downward(order, asked[0], base))
        known, count = len(cells), max(order.limit, _TOP)
        last = cells[: min(count, _TIES)][-1].amount if cells else 0.0
        about = [c.of.entity for n, c in enumerate(cells, start=1) if n <= count or (n <= _TIES and c.amount == last)]
        by_measure = [cells[: len(about)]]
    else:
        about = list(chosen.met)
        by_measure = [_asked(about, measure, query, base) for measure in asked]
    shown = [[FactCell(Counted(i), m, (chosen.met[i][n],)) for i in about] for n, m in enumerate(named)]
    columns = [*by_measure, *shown] if order is not None else [*shown, *by_measure]
    rows = [row for row in zip(*columns, strict=True) if query.of.where or any(cell.facts for cell in row)]
    if order is None and rows and rows[0][0].facts and rows[0][0].facts[0].claim.quantity is not None:
        least = any(isinstance(c.value, Quantity) and c.value.bound == "at most" for c in meant[:1])
        rows.sort(key=lambda row: row[0].amount, reverse=not least)
    known = known if query.of.where or order is not None else len(rows)
    return FactTable(query, tuple(zip(*rows, strict=True)), known) if rows else None


def _asked(about: Sequence[str], measure: Measure, query: Query, base: Base) -> list[FactCell]:
    """A cell for each product; figures are of the kind that most of them have, a ranking takes no others."""
    if is_category(measure.metric, base) or is_priced(measure.metric, base):
        return [fill([Counted(i)], measure, query, base)[0] for i in about]
    alike = [FactCell(Counted(f.claim.subject), measure, (f,)) for f in figures(about, measure, query, base)]
    if query.order is not None:
        return alike
    of = {cell.of.entity: cell for cell in alike}
    return [of.get(i) or look_up(Counted(i), measure, query, base) for i in about]


def _offers(query: Query, measure: Measure, base: Base) -> FactTable | None:
    """Every offer that stands for one thing or a line, the newest first or in the order asked for; of several things the best of each."""
    order, named = query.order, query.of.entities
    if order is None and (len(named) != 1 or query.at or query.relate):
        return None
    chosen = named or map(Counted, members(query, base).met)
    each = [_offers_of(member, measure, query, base) for subject in chosen for member in _members_of(subject, base)]
    if len(named) > 1:
        on_demand = [[c for c in cells if c.facts[0].claim.qualifier("price_terms") == ON_DEMAND] for cells in each]
        each = [(usual_ or cells)[:1] for usual_, cells in zip(on_demand, each, strict=True)]
    cells = list({cell.facts[0].id: cell for offers in each for cell in offers}.values())
    if len(cells) < max(len(named), 1 if order is not None else _LEAST_OFFERS):
        return None
    if order is None:
        cells.sort(key=lambda cell: cell.facts[0].as_of, reverse=True)
    else:
        cells.sort(key=lambda cell: cell.amount, reverse=is_downward(order, measure, base))
    return FactTable(query, (tuple(cells),), len(cells), of_offers=True)


def _offers_of(subject: Counted, measure: Measure, query: Query, base: Base) -> list[FactCell]:
    """Lists the latest price of each seller and terms, cheapest first; without any, a share of a machine's price."""
    sought, is_chip = axes_of(measure, query, base), base.names.is_chip(subject.entity) and not subject.unit
    about = sold_as(subject.entity, base.domain, base.names)
    if subject.unit:  # a node of eight
        systems = (e for e in base.domain.entities.values() if e.kind == "system" and subject.count in (None, e.chips))
        about = [e.id for e in systems if subject.entity in base.domain.ancestors(e.id)]
    priced = filling(base.known, base.names, about, Key("", measure.metric, None, sought))
    of_it = [f for f in priced if f.rank == "preferred" and f.claim.key.is_of_one == is_chip and fits(f, query)]
    times = 1 if subject.unit else subject.count or 1
    cells = [FactCell(subject, measure, (f,), times=times) for f in latest(of_it, base.names)]
    if is_chip and not cells:
        terms = {"price_terms": ON_DEMAND, **dict(sought)}
        shared = chip_offers(base.known, base.domain, base.names, subject.entity, measure.metric, terms)
        cells = [FactCell(subject, measure, (o.fact,), times=times, among=o.among) for o in shared.values()]
    return sorted(cells, key=lambda cell: cell.amount)


def is_downward(order: Order, measure: Measure, base: Base) -> bool:
    """True where the largest figure comes first."""
    if order.first in ("most", "least"):
        return order.first == "most"
    return (base.domain.metrics[measure.metric].bigger_is not in _LESS_IS_BETTER) == (order.first == "best")


def fill(subjects: Sequence[Counted], measure: Measure, query: Query, base: Base) -> tuple[FactCell, ...]:
    """A cell for each subject: of several, figures of one kind where such are known of all."""
    if is_category(measure.metric, base):
        return tuple(_categories(subject, measure, query, base) for subject in subjects)
    if len(subjects) > 1 and not is_priced(measure.metric, base):
        keys = [_key(subject, measure, query, base) for subject in subjects]
        each = resolve_each(base.known, base.names, keys, unit=_counting(measure, base))
        if each and all(fits(one.facts[0], query) for one in each):
            return tuple(
                FactCell(s, measure, one.facts, one.others, _times(s, measure, base))
                for s, one in zip(subjects, each, strict=True)
            )
    return tuple(look_up(subject, measure, query, base) for subject in subjects)


def look_up(subject: Counted, measure: Measure, query: Query, base: Base) -> FactCell:
    """The preferred figures of one subject, one of each kind, its own before those of its variants."""
    priced = is_priced(measure.metric, base)
    is_past = priced and "as_of" in dict(query.at)  # a later price replaces none of another time
    key, machine = _key(subject, measure, query, base), base.names.is_machine(subject.entity)
    chosen: dict[object, Fact] = {}
    others: list[Fact] = []
    for entity in base.domain.machines_like(subject.entity) if priced and machine else [subject.entity]:
        wanted = replace(key, subject=entity)
        if is_past:
            known = Resolved(tuple(filling(base.known, base.names, covered(base.names, entity), wanted)))
        else:
            known = resolve(base.known, base.names, wanted, unit=_counting(measure, base))
        ranks = ("preferred", "normal") if is_past else ("preferred",)
        standing = [
            f for f in (*known.facts, *known.others) if f.rank in ranks and _is_whole(f, base) and fits(f, query)
        ]
        # prices are of providers, each under the name of a variant
        own = [f for f in standing if f.claim.subject == entity or (priced and f.claim.qualifier("provider"))]
        for fact in sorted(own or standing, key=usual):
            chosen.setdefault((fact.claim.subject, *kind(fact, base.names), fact.value), fact)
        others += [f for f in known.others if f not in (own or standing)]
    facts = tuple(chosen.values())[:_SHOWN]
    if not facts and base.domain.is_machine(subject.entity):
        return _of_machine(subject, measure, query, base)
    return FactCell(subject, measure, facts, tuple(others), _times(subject, measure, base) if facts else 1)


def _of_machine(subject: Counted, measure: Measure, query: Query, base: Base) -> FactCell:
    """What its chips have, each by itself or all together, where no fact is of the machine; how many they are, by any metric."""
    metric, chip = base.domain.metrics[measure.metric], base.domain.nearest_chip(subject.entity)
    if metric.holders:
        counts = [m.id for m in base.domain.metrics.values() if m.holders or m.unit == metric.unit]
        known = [f for f in base.known.facts([subject.entity], counts) if f.rank == "preferred" and base.known.holds(f)]
        facts = tuple(f for f in known if base.domain.counted(f.unit) == base.domain.counted(metric.unit))[:1]
        return FactCell(subject, measure, facts, times=_times(subject, measure, base) if facts else 1)
    each = measure.scope is not None and measure.scope.unit == "chip"
    if not chip or not metric.scales or is_priced(metric.id, base) or not (each or measure.scope is None):
        return FactCell(subject, measure)
    of_one = look_up(Counted(chip), measure, query, base).facts[:1]
    several = 1 if each else base.domain.entities[subject.entity].chips * (subject.count or 1)
    facts = of_one if all(f.claim.key.is_of_one for f in of_one) else ()
    return FactCell(subject, measure, facts, times=several, of_chips=True)


def _is_of(measure: Measure, query: Query, base: Base) -> bool:
    """False where the query says something that no figure of the metric could state: "memory for training"."""
    if measure.metric not in base.domain.metrics:
        return False
    metric, unit = base.domain.metrics[measure.metric], base.domain.units.get(measure.unit)
    fitting = unit is None or unit.dimension == metric.dimension
    return fitting and all(axis in metric.qualifiers or axis == "as_of" for axis, _ in query.at)


def _key(subject: Counted, measure: Measure, query: Query, base: Base) -> Key:
    scope = None if measure.scope is not None and measure.scope.unit == "group" else measure.scope
    metric = base.domain.metric_of(measure.metric, subject.entity)
    return Key(subject.entity, metric, scope, axes_of(measure, query, base))


def _counting(measure: Measure, base: Base) -> str:
    """The unit, where it tells what is counted: "CUDA cores"."""
    unit, metric = base.names.units.get(measure.unit), base.domain.metrics[measure.metric]
    counts = unit is not None and unit.dimension == "count" and base.domain.counts(metric, measure.unit)
    return measure.unit if counts else ""


def _times(subject: Counted, measure: Measure, base: Base) -> int:
    """How often one's figure counts: of what scales as many times as there are of them."""
    metric = base.domain.metrics[measure.metric]
    each = measure.scope is not None and measure.scope.unit == "chip"
    adds = (metric.scales or bool(metric.of_machines) or bool(metric.holders)) and not each
    return (subject.count or 1) if adds else 1


def _is_whole(fact: Fact, base: Base) -> bool:
    """True unless it is the figure of a part of a chip, or of a pair."""
    scope = fact.claim.key.scope
    return scope is None or scope.unit in _WHOLE or not base.names.is_chip(fact.claim.subject)


def _categories(subject: Counted, measure: Measure, query: Query, base: Base) -> FactCell:
    """All values that are told of a subject, else of its variants, else of its line; each once, and what is not there last."""
    wanted = dict(axes_of(measure, query, base))
    for about in _wider(subject.entity, base, measure.metric):
        facts = [f for f in base.known.facts(about, [measure.metric]) if f.rank != "deprecated" and base.known.holds(f)]
        told = [f for f in facts if values(f, wanted) == tuple(wanted.values()) and fits(f, query)]
        if told:
            first: dict[str, Fact] = {}
            others = [f for f in told if f.value not in query.of.without]
            for fact in sorted(others or told, key=lambda f: (f.value.startswith(DENIAL), f.rank != "preferred")):
                first.setdefault(fact.value, fact)
            return FactCell(subject, measure, tuple(first.values())[:LISTED])
    return FactCell(subject, measure, _designer(subject.entity, base) if measure.metric == DESIGNER else ())


def _designer(entity: str, base: Base) -> tuple[Fact, ...]:
    """Whose a product is: the domain's word, with a quote about the product that names its vendor."""
    vendor = base.domain.entities[entity].vendor
    company = next((t for t in base.domain.terms if vendor and vendor in base.domain.vendors_named(t)), "")
    about = base.known.facts([i for each in _wider(entity, base) for i in each]) if company else []
    named = (f for f in about if f.rank == "preferred" and vendor in f.citation.quote and base.known.holds(f))
    if (fact := next(named, None)) is None:
        return ()
    claim = replace(fact.claim, subject=entity, metric=DESIGNER, object=company, qualifiers=(), quantity=None)
    return (replace(fact, id=f"{fact.id}-{DESIGNER}", claim=claim, value=company, unit=""),)


def _wider(entity: str, base: Base, metric: str = "") -> Iterable[list[str]]:
    """Where to look for a category of something, the closest first. A cloud that rents GPUs does not rent each of them."""
    names = base.names
    yield [entity]
    yield covered(names, entity, widely=names.kind(entity) == "family")
    yield (
        []
        if names.is_many(entity) or metric == CLOUDS
        else [a for a in names.ancestors(entity)[1:] if names.is_many(a)]
    )
