"""A query as a table: Set x Measure -> cells. Looking up, comparing, ranking and filtering are views of it.

of=(H200, MI300X), what=(memory_capacity,)         ->  two cells, 141 GB and 192 GB
of=(gpu,), what=(memory_capacity,), order=most     ->  the cells of all GPUs, the largest first
of=(gpu,), where=(memory_capacity >= 100 GB,)      ->  those that fulfil it, with the figures that show it
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from chipwise.answering.base import Base
from chipwise.answering.cells import Cell, Missing, Table, fill, is_category, is_of, is_priced, look_up
from chipwise.answering.members import conditions, figures, members, products
from chipwise.answering.missing import reason_of_missing, reason_of_unknown
from chipwise.answering.query import Counted, Measure, Order, Query
from chipwise.numbers.quantity import Quantity

LISTED = 12  # members shown
_TOP = 3  # of a ranking, where only the first is asked for
_TIES = 5


def evaluate(query: Query, base: Base) -> Table | Missing | None:
    """The table that a query asks for, what is missing for it, or None where no table could answer it."""
    if query.of.unknown:
        return Missing(reason_of_unknown(query.of.unknown, base))
    if query.of.holding:
        return None
    if not all(is_of(measure, query, base) for measure in query.what):
        return None
    if query.of.entities:
        return _of_named(query, base)
    if not query.of.is_open:
        return None
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
    columns = tuple(fill(query.of.entities, measure, query, base) for measure in measures)
    return _unless_missing(_without_baselines(Table(query, query.of.entities, measures, columns)), query, base)


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
