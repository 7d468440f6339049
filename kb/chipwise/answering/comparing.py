"""Several cells of one measure beside each other: who leads and by how much comes first, then the figures."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from chipwise.answering.cells import Cell
from chipwise.answering.evaluate import is_downward
from chipwise.answering.lookups import look_up
from chipwise.answering.query import Counted, Order, Query
from chipwise.answering.sentences import Writer, counted, qualified, say, the, value
from chipwise.answering.totals import ALONE, adds_up_whole, summed
from chipwise.claims.model import Fact
from chipwise.figures.alike import differ_by_label
from chipwise.figures.amounts import number, times
from chipwise.figures.phrasing import listed

_PAIR = 2
_CLOSE = 1e-9
_OF_FIGURES = {
    "faster": "higher",
    "slower": "lower",
    "more expensive": "higher",
    "cheaper": "lower",
    "better": "higher",
    "worse": "lower",
}

# what is said of the smaller figure, by what a metric says of the larger one
_OPPOSITE = {
    "more": "less", "higher": "lower", "larger": "smaller", "faster": "slower", "longer": "shorter", "heavier": "lighter",
    "wider": "narrower", "more expensive": "cheaper",
}  # fmt: skip


def compare(writer: Writer, cells: Sequence[Cell], query: Query) -> None:
    """The verdict and the ratio; each figure by itself where they are not of one kind."""
    if not all(c.facts and c.facts[0].claim.quantity is not None for c in cells):
        _each(writer, cells, query)
    elif len(cells) == _PAIR:
        _two(writer, cells[0], cells[1], query)
    else:
        _several(writer, cells, query)
    _other_variants(writer, cells)


def whose(cell: Cell) -> Counted:
    """Whose figure a cell has: the variant that speaks for a chip is named where others differ from it."""
    return replace(cell.of, entity=cell.facts[0].claim.subject) if cell.others and cell.times == 1 else cell.of


def _each(writer: Writer, cells: Sequence[Cell], query: Query) -> None:
    for cell in cells:
        writer.next()
        look_up(writer, cell, query)


def _two(writer: Writer, first: Cell, second: Cell, query: Query) -> None:
    base = writer.base
    metric = base.domain.metrics[first.measure.metric]
    a, b = first.facts[0], second.facts[0]
    qa, qb = a.claim.quantity, b.claim.quantity
    several = max(first.times, second.times) > 1
    if first.times == second.times == 1 and differ_by_label(a, b):
        writer.add(f"The same number of {metric.name}, {value(a, base)} ", a, f" and {value(b, base)} ", b)
        writer.add(": which of the two units is meant is easily mistaken")
        writer.end()
        return
    if first.times == second.times == 1 and (
        qa is None or qb is None or not (_decide(a, b) and _are_of_one_scope(a, b))
    ):
        _each(writer, [first, second], query)
        return
    if math.isclose(first.amount, second.amount, rel_tol=_CLOSE):
        writer.add(f"{counted(whose(first), base)} and {counted(whose(second), base)} have the same {metric.name}: ")
        _figure(writer, first)
        writer.add(" and ")
        _figure(writer, second)
        writer.end()
        return
    down = is_downward(query.order or Order("most"), first.measure, base)
    one, other = sorted((first, second), key=lambda c: c.amount, reverse=down)
    how = metric.bigger_is if down else _OPPOSITE.get(metric.bigger_is, "less")
    verb = "have" if (one.of.count or 1) > 1 else "has"
    writer.add(f"{counted(whose(one), base, beside_several=several)} {_leads(how, metric.name, verb)}: ")
    _figure(writer, one)
    writer.add(" against ")
    _figure(writer, other)
    writer.add(f" of {counted(whose(other), base, beside_several=several)}")
    if min(one.amount, other.amount) > 0:
        writer.add(f", {_ratio(one, other, query, writer)}")
    writer.end()
    if several and not all(adds_up_whole(c, base) for c in (first, second)):
        writer.next()
        writer.add(ALONE)
        writer.end()


def _leads(how: str, name: str, verb: str) -> str:
    """ "has more memory capacity", "has the higher memory bandwidth"; a peak is higher where its chip is faster."""
    if how in ("more", "less", "fewer"):
        return f"{verb} {how} {name}"
    return f"{verb} the {_OF_FIGURES.get(how, how)} {name}"


def _ratio(one: Cell, other: Cell, query: Query, writer: Writer) -> str:
    ratio = one.amount / other.amount
    said = f"{times(ratio)} times as much"
    if query.relate == "percent":
        first, second = (one, other) if one.of == query.of.entities[0] else (other, one)
        said = f"{100 * (first.amount / second.amount - 1):+.3g}% for {the(first.of.entity, writer.base)}"
    same_unit = one.facts[0].unit == other.facts[0].unit
    if query.relate == "difference" and same_unit:
        scale = writer.base.names.units[one.facts[0].unit].scale
        said = f"a difference of {number(abs(one.amount - other.amount) / scale)} {one.facts[0].unit}, {said}"
    return said


def _decide(a: Fact, b: Fact) -> bool:
    """True for figures of which one is surely larger, or that are the same."""
    first, second = a.claim.quantity, b.claim.quantity
    if first is None or second is None or differ_by_label(a, b) or "range" in (first.form, second.form):
        return False
    same = (first.low, first.high) == (second.low, second.high)
    return same or first.low > second.high or second.low > first.high


def _are_of_one_scope(a: Fact, b: Fact) -> bool:
    """False for a node beside a chip, of which one simply has more."""
    return a.claim.key.is_of_one == b.claim.key.is_of_one


def _figure(writer: Writer, cell: Cell) -> None:
    fact, base = cell.facts[0], writer.base
    said = qualified(fact, base)
    if cell.times > 1:
        summed(writer, cell)
    else:
        writer.add(f"{value(fact, base)}{said} ", fact)


def _several(writer: Writer, cells: Sequence[Cell], query: Query) -> None:
    """The first and the others in order, each with its value."""
    base = writer.base
    metric = base.domain.metrics[cells[0].measure.metric]
    down = is_downward(query.order or Order("most"), cells[0].measure, base)
    order = sorted(cells, key=lambda c: c.amount, reverse=down)
    most = "highest" if down else "lowest"
    first = [c for c in order if math.isclose(c.amount, order[0].amount, rel_tol=_CLOSE)]
    if query.order is not None and 1 < len(first) < len(order) and all(c.is_single for c in cells):
        writer.add(f"{listed(counted(whose(c), base) for c in first)} share the {most} {metric.name}: ")
    elif query.order is not None and len(first) == 1 and all(c.is_single for c in cells):
        verb = "have" if (order[0].of.count or 1) > 1 else "has"
        writer.add(f"{counted(whose(order[0]), base)} {verb} the {most} {metric.name}, ")
        _figure(writer, order.pop(0))
        writer.add("; then ")
    else:
        writer.add(f"By {metric.name}, the {most} first: ")
    for n, cell in enumerate(order):
        writer.add("; " if n else "", f"{counted(whose(cell), base)}, ")
        _figure(writer, cell)
    writer.end()


def _other_variants(writer: Writer, cells: Sequence[Cell]) -> None:
    """What other variants of the things compared have, where they differ."""
    others = [f for c in cells for f in c.others][:3]
    if others and all(c.facts for c in cells):
        writer.next()
        writer.add("Other variants: ")
        for n, fact in enumerate(others):
            writer.add("; " if n else "")
            say(writer, fact)
        writer.end()
