"""A query as a table: Set x Measure -> cells. Looking up, comparing, ranking and filtering are views of it.

of=(H200, MI300X), what=(memory_capacity,)         ->  two cells, 141 GB and 192 GB
of=(gpu,), what=(memory_capacity,), order=most     ->  the cells of all GPUs, the largest first
of=(gpu,), where=(memory_capacity >= 100 GB,)      ->  those that fulfil it, with the figures that show it
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from chipwise.answering.base import Base
from chipwise.answering.cells import Cell, Missing, Table, axes_of, fill, fits, is_category, is_of, is_priced, look_up
from chipwise.answering.members import conditions, figures, members, products
from chipwise.answering.missing import reason_of_missing, reason_of_unknown
from chipwise.answering.query import COUNTS, Counted, Measure, Order, Query
from chipwise.claims.model import Key
from chipwise.figures.alike import ON_DEMAND
from chipwise.figures.prices import chip_offers, sold_as
from chipwise.figures.resolve import filling, latest
from chipwise.numbers.quantity import Quantity

LISTED = 12  # members shown
_TOP = 3  # of a ranking, where only the first is asked for
_TIES = 5
LEAST_OFFERS = 2  # that are listed rather than told


def evaluate(query: Query, base: Base) -> Table | Missing | None:
    """The table that a query asks for, what is missing for it, or None where no table could answer it."""
    if query.of.unknown:
        return Missing(reason_of_unknown(query.of.unknown, base))
    if query.of.holding:
        return _holding(query, base)
    if not all(is_of(measure, query, base) for measure in query.what):
        return None
    if len(query.what) == 1 and query.asserts is None and is_priced(query.what[0].metric, base):
        offers = _offers(query, query.what[0], base)
        if offers is not None or query.order is not None:
            return offers
    if query.of.entities:
        return _of_named(query, base)
    return _of_set(query, base) if query.of.is_open else None


def _of_set(query: Query, base: Base) -> Table | None:
    return _ranked(query, query.order, base) if query.order is not None else _filtered(query, base)


def _of_named(query: Query, base: Base) -> Table | Missing | None:
    if query.relate == "count" or (query.relate == "same" and query.asserts is None):
        return None  # how many of one have what the other has is a sum
    alone = len(query.of.entities) == 1 and query.asserts is None
    if alone and query.relate and sum(a == "price_terms" for a, _ in query.at) < 2:  # noqa: PLR2004
        return None  # of what it differs is not said
    if not query.what or any(c.unit not in ("", "chip") for c in query.of.entities):
        return None
    measures, query = spread(query)
    of_families = [_of_members(query, measure, base) for measure in measures]
    if len(measures) == 1 and of_families[0] is not None:
        return of_families[0]
    columns = tuple(fill(query.of.entities, measure, query, base) for measure in measures)
    return _unless_missing(_without_baselines(Table(query, query.of.entities, measures, columns)), query, base)


def _of_members(query: Query, measure: Measure, base: Base) -> Table | None:
    """A figure of each chip of a line or family of which none is told itself."""
    things = query.of.entities
    if query.asserts is not None or is_category(measure.metric, base) or len(things) > 1:
        return None
    metric = base.domain.metrics[measure.metric]
    if not (metric.main or is_priced(metric.id, base)):
        return None
    if not base.domain.is_many(things[0].entity) or base.known.facts([things[0].entity], [measure.metric]):
        return None
    cells = tuple(cell for cell in fill(members_of(things[0], base), measure, query, base) if cell.facts)
    return Table(query, tuple(c.of for c in cells), (measure,), (cells,), len(cells)) if len(cells) > 1 else None


def _unless_missing(table: Table, query: Query, base: Base) -> Table | Missing | None:
    """The table, or what of it is missing; None where passages may have it."""
    if query.asserts is not None and isinstance(query.asserts.value, str):
        return table  # figures in a format tell that it is supported, too
    columns = table.columns
    empty = [cell for column in columns for cell in column if not cell.facts]
    if empty and (query.asserts is not None or (table.is_empty and is_category(empty[0].measure.metric, base))):
        return None
    if empty and not (len(empty) < sum(map(len, columns)) and query.order is None and query.asserts is None):
        return Missing(reason_of_missing(empty, query, base))
    return table


def _without_baselines(table: Table) -> Table:
    """Without what has no figure because that of another one is against it: "2.1x, against TPU v4"."""
    against = {f.claim.baseline for column in table.columns for cell in column for f in cell.facts}
    has_figure = [any(column[n].facts for column in table.columns) for n in range(len(table.subjects))]
    kept = [n for n, c in enumerate(table.subjects) if has_figure[n] or c.entity not in against]
    columns = tuple(tuple(column[n] for n in kept) for column in table.columns)
    return replace(table, subjects=tuple(table.subjects[n] for n in kept), columns=columns)


def spread(query: Query) -> tuple[tuple[Measure, ...], Query]:
    """Each measure once for each value of an axis that has several: "spot and on-demand price"."""
    several = [axis for axis in dict(query.at) if sum(a == axis for a, _ in query.at) > 1]
    if len(several) != 1:
        return query.what, query
    axis = several[0]
    values = [v for a, v in query.at if a == axis]
    measures = tuple(replace(m, axes=tuple(sorted({*m.axes, (axis, v)}))) for m in query.what for v in values)
    return measures, replace(query, at=tuple(pair for pair in query.at if pair[0] != axis))


def _ranked(query: Query, order: Order, base: Base) -> Table | None:
    """All members that have a figure, in order, as many as are asked for."""
    if len(query.what) != 1 or is_category(query.what[0].metric, base) or is_priced(query.what[0].metric, base):
        return None
    measure = query.what[0]
    met = members(query, base).met if conditions(query.of) else {}
    about = list(met) if conditions(query.of) else products(query.of, base.domain)
    found = [
        f
        for f in figures(about, measure, query, base)
        if f.claim.quantity is None or f.claim.quantity.bound in ("exact", "about")
    ]
    if not found:
        return None
    found.sort(key=lambda f: f.amount, reverse=is_downward(order, measure, base))
    count = max(order.limit, _TOP)
    last = found[min(count, len(found)) - 1].amount
    shown = [f for n, f in enumerate(found, start=1) if n <= count or (n <= _TIES and f.amount == last)]
    subjects = tuple(Counted(f.claim.subject) for f in shown)
    cells = tuple(Cell(s, measure, (f,)) for s, f in zip(subjects, shown, strict=True))
    beside = [
        tuple(Cell(s, c.measure, (met[s.entity][n],)) for s in subjects) for n, c in enumerate(conditions(query.of))
    ]
    return Table(query, subjects, (measure, *(c.measure for c in conditions(query.of))), (cells, *beside), len(found))


def _offers(query: Query, measure: Measure, base: Base) -> Table | None:
    """Every offer that stands for one thing or a line, the newest first or in the order asked for; of several things the best of each."""
    order, named = query.order, query.of.entities
    if order is None and (len(named) != 1 or query.at or query.relate):
        return None
    met = members(query, base).met if conditions(query.of) else {}
    about = [m for s in named or map(Counted, met or products(query.of, base.domain)) for m in members_of(s, base)]
    each = [_offers_of(subject, measure, query, base) for subject in about]
    if len(named) > 1:
        each = [
            ([c for c in offers if c.facts[0].claim.qualifier("price_terms") == ON_DEMAND] or offers)[:1]
            for offers in each
        ]
    cells = list({cell.facts[0].id: cell for offers in each for cell in offers}.values())
    if len(cells) < max(len(named), 1 if order is not None else LEAST_OFFERS):
        return None
    if order is None:
        cells.sort(key=lambda cell: cell.facts[0].as_of, reverse=True)
    else:
        cells.sort(key=lambda cell: cell.amount, reverse=is_downward(order, measure, base))
    shown = tuple(cells[:LISTED])
    return Table(query, tuple(cell.of for cell in shown), (measure,), (shown,), len(cells), of_offers=True)


def members_of(subject: Counted, base: Base) -> list[Counted]:
    """The chips of a line or family, for which it stands."""
    if not base.domain.is_many(subject.entity):
        return [subject]
    return [Counted(i, subject.count) for i in base.domain.members(subject.entity) if base.domain.kind(i) == "chip"]


def _offers_of(subject: Counted, measure: Measure, query: Query, base: Base) -> list[Cell]:
    """Lists the latest price of each seller and terms, cheapest first; without any, a share of a machine's price."""
    sought, is_chip = axes_of(measure, query, base), base.names.is_chip(subject.entity) and not subject.unit
    about = sold_as(subject.entity, base.domain, base.names)
    if subject.unit:  # a node of eight
        systems = [
            e for e in base.domain.entities.values() if e.kind == "system" and e.chips == (subject.count or e.chips)
        ]
        about = [e.id for e in systems if subject.entity in base.domain.ancestors(e.id)]
    found = filling(base.known, base.names, about, Key("", measure.metric, None, sought))
    of_it = [f for f in found if f.rank == "preferred" and f.claim.key.is_of_one == is_chip and fits(f, query)]
    times = 1 if subject.unit else subject.count or 1
    cells = [Cell(subject, measure, (f,), times=times) for f in latest(of_it, base.names)]
    if is_chip and not cells:
        terms = {"price_terms": ON_DEMAND, **dict(sought)}
        shared = chip_offers(base.known, base.domain, base.names, subject.entity, measure.metric, terms)
        cells = [Cell(subject, measure, (o.fact,), times=times, among=o.among) for o in shared.values()]
    return sorted(cells, key=lambda cell: cell.amount)


def _holding(query: Query, base: Base) -> Table | None:
    """The machines that hold the chips asked about, each with how many, of the cloud or maker that is named or of any."""
    if len(query.of.holding) != 1 or query.asserts is not None or any(m.metric != COUNTS for m in query.what):
        return None
    (held,), chip = query.of.holding, base.domain.nearest_chip(query.of.holding[0].entity)
    kin = {chip, *base.domain.variants(chip)}
    machines = [
        i for i in products(replace(query.of, kinds=("system",)), base.domain) if kin & {*base.domain.ancestors(i)}
    ]
    counted = [i for i in machines if held.count in (None, base.domain.entities[i].chips)]
    cells = fill([Counted(i) for i in counted], Measure(COUNTS), query, base) if chip and counted else ()
    known = tuple(cell for cell in cells if cell.facts)
    return Table(query, tuple(c.of for c in known), (Measure(COUNTS),), (known,), len(known)) if known else None


def is_downward(order: Order, measure: Measure, base: Base) -> bool:
    """True where the largest figure comes first."""
    if order.first in ("most", "least"):
        return order.first == "most"
    more_is_better = base.domain.metrics[measure.metric].bigger_is not in (
        "more expensive",
        "smaller",
        "longer",
        "heavier",
        "later",
    )
    return more_is_better == (order.first == "best")


def _filtered(query: Query, base: Base) -> Table | None:
    """The members that fulfil all conditions, with what shows it, and with what else is asked of them."""
    found = members(query, base) if query.of.where else None
    about = list(found.met) if found is not None else products(query.of, base.domain)
    if found is None and not query.what:
        return None
    named = [c.measure for c in conditions(query.of)]
    asked = [m for m in query.what if m.metric not in {c.metric for c in named}]
    columns = (
        [[Cell(Counted(i), c, (facts[n],)) for i, facts in found.met.items()] for n, c in enumerate(named)]
        if found
        else []
    )
    columns += [_asked(about, measure, query, base) for measure in asked]
    rows = list(zip(*columns, strict=True)) if columns else []
    if found is None:
        rows = [row for row in rows if any(cell.facts for cell in row)]
    if not rows:
        return None
    if rows[0][0].fact is not None and rows[0][0].fact.claim.quantity is not None:
        least = any(isinstance(c.value, Quantity) and c.value.bound == "at most" for c in conditions(query.of)[:1])
        rows.sort(key=lambda row: row[0].amount, reverse=not least)
    subjects = tuple(row[0].of for row in rows)
    known = found.known if found is not None else len(rows)
    return Table(query, subjects, (*named, *asked), tuple(zip(*rows, strict=True)), known)


def _asked(about: Sequence[str], measure: Measure, query: Query, base: Base) -> list[Cell]:
    if is_category(measure.metric, base) or is_priced(measure.metric, base):
        return [fill([Counted(i)], measure, query, base)[0] for i in about]
    one_form = {f.claim.subject: f for f in figures(about, measure, query, base)}
    return [
        Cell(Counted(i), measure, (one_form[i],)) if i in one_form else look_up(Counted(i), measure, query, base)
        for i in about
    ]
