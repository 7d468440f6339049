"""A table in sentences: the only writer of answer text on the path of queries.

    one subject       "The H200 has 141 GB of HBM3e [1]."
    several           "Two H200s have more memory capacity: 2 x 141 GB [1] = 282 GB against 192 GB of one MI300X [2], 1.47 times as much."
    an order          "Of 40 GPUs with a known memory capacity the MI355X has the most: 288 GB [1]; then ..."
    conditions        "14 of 40 with a known memory capacity: the MI355X (288 GB [1]), ..."
"""

from __future__ import annotations

from collections.abc import Sequence

from chipwise.answering.base import Base
from chipwise.answering.cells import DENIAL, Cell, is_category, is_priced
from chipwise.answering.comparing import compare
from chipwise.answering.evaluate import LISTED, is_downward
from chipwise.answering.query import Measure, Order, Query
from chipwise.answering.sentences import Writer, and_list, qualified, say, the, told_apart, value
from chipwise.answering.table import Table
from chipwise.answering.totals import ALONE, adds_up_whole, total
from chipwise.asking.conversions import step_to
from chipwise.asking.quoting import Told
from chipwise.claims.model import Fact
from chipwise.figures.phrasing import listed, phrase


def render(table: Table, base: Base) -> Told:
    """What a table tells, as its query asks for it."""
    writer = Writer(base)
    if table.query.of.is_open:
        if table.query.order is not None:
            rank(writer, table, table.query.order)
        else:
            enumerate_members(writer, table)
    else:
        for column in table.columns:
            if len(table.columns) > 1 and _is_told_elsewhere(column, table):
                continue
            writer.next()
            if len(column) > 1:
                compare(writer, column, table.query)
            else:
                look_up(writer, column[0], table.query)
        _set_prices_apart(writer, table)
    return writer.told()


def _set_prices_apart(writer: Writer, table: Table) -> None:
    """What one price of a thing is beside another one of it: on spot and on demand."""
    cells = [column[0] for column in table.columns if len(column) == 1 and is_priced(column[0].measure.metric, writer.base)]
    facts = [f for cell in cells if (f := cell.fact) is not None and f.is_single]
    if len(facts) == len(table.columns) == 2:  # noqa: PLR2004
        less, more = sorted(facts, key=lambda f: f.amount)
        if 0 < less.amount < more.amount:
            writer.add(f" {value(more, writer.base)} ", more, f" / {value(less, writer.base)} ", less)
            writer.add(f" - 1 = {100 * (more.amount / less.amount - 1):+.3g}%")
            writer.end()


def _is_told_elsewhere(column: Sequence[Cell], table: Table) -> bool:
    """True for "and is that dense or sparse" where the figure before says so."""
    axis = column[0].measure.metric.removesuffix("_support")
    stated = (f.claim.qualifier(axis) for other in table.columns for cell in other for f in cell.facts)
    return not any(cell.facts for cell in column) and any(stated)


def look_up(writer: Writer, cell: Cell, query: Query) -> None:
    """What is known of one thing, a sentence for each figure that is of another kind; a category with all its values."""
    base = writer.base
    if not cell.facts:
        axes = ", ".join(phrase(axis, said, base.names) for axis, said in cell.measure.axes)
        writer.add(f"No source gives the {base.domain.metrics[cell.measure.metric].name} of {the(cell.of.entity, base)}{f' ({axes})' if axes else ''}")
        writer.end()
        return
    if is_category(cell.measure.metric, base):
        _categories(writer, cell, query)
        return
    if cell.times > 1:
        total(writer, cell)
        writer.end()
        if not adds_up_whole(cell, base):
            writer.next()
            writer.add(ALONE)
            writer.end()
        return
    for fact in cell.facts:
        writer.next()
        say(writer, fact)
        _converted(writer, fact, cell.measure)
        writer.end()


def _converted(writer: Writer, fact: Fact, measure: Measure) -> None:
    """The figure in the unit that is asked for, with the factor."""
    said = step_to(fact, measure.unit, writer.base.domain, writer.base.names) if measure.unit else ""
    writer.add(f"; {said}" if said else "")


def _categories(writer: Writer, cell: Cell, query: Query) -> None:
    """ "The MI300X is offered by Vultr [1] and Azure [2]." A variant may have other values than its chip."""
    base = writer.base
    by_subject: dict[str, list[Fact]] = {}
    for fact in cell.facts:
        by_subject.setdefault(fact.claim.subject, []).append(fact)
    metric = base.domain.metrics[cell.measure.metric]
    if query.of.without and all(f.value in query.of.without for f in cell.facts):
        writer.add("No other, as far as facts tell")
        writer.end()
    pattern = metric.says or f"has as its {metric.name}: {{}}"
    for subject, facts in by_subject.items():
        denied = [f for f in facts if f.value.startswith("no ")]
        had = [f for f in facts if f not in denied]
        before, _, behind = pattern.partition("{}")
        for group, start in ((had, before), (denied, "has ")):
            if group:
                writer.next()
                writer.add(f"{the(subject, base)} {start}")
                and_list(writer, [(f"{value(f, base)}{qualified(f, base)}", f) for f in group])
                writer.add(behind if group is had else "")
                writer.end()


def rank(writer: Writer, table: Table, order: Order) -> None:
    """Who is first, with the value, and the next ones; nothing is said of what has no figure."""
    base, measure, cells = writer.base, table.measures[0], table.columns[0]
    metric = base.domain.metrics[measure.metric]
    most = "highest" if is_downward(order, measure, base) else "lowest"
    if order.place > 1:
        writer.add(f"Number {order.place} by {metric.name}, the {most} first, of {table.known} with such a figure: ")
    elif table.known == 1:
        writer.add(f"Only one has a known {metric.name}: ")
    else:
        writer.add(f"The {most} {metric.name} of {table.known} with such a figure: ")
    for n, cell in enumerate(cells):
        assert cell.fact is not None
        writer.add("; " if n else "", f"{the(cell.of.entity, base)}, {value(cell.fact, base)}{qualified(cell.fact, base)} ", cell.fact)
        for k, beside in enumerate(b for column in table.columns[1:] if (b := column[n].fact) is not None):
            writer.add(", " if k else " (", f"{value(beside, base)} ", beside)
        writer.add(")" if len(table.columns) > 1 else "")
    writer.end()


def enumerate_members(writer: Writer, table: Table) -> None:
    """The members with the figures that show them to be such."""
    base = writer.base
    numbers = [m for m in table.measures if not is_category(m.metric, base)]
    whose = f" of {table.known} whose {listed(_names(numbers, base))} {'is' if len(numbers) == 1 else 'are'} known" if numbers and table.known else ""
    writer.add(f"{len(table.subjects)}{whose}: " if whose else f"{_described(table, base)}: ")
    excludes = any(not condition.holds for condition in table.query.of.where)
    for n, subject in enumerate(table.subjects[:LISTED]):
        writer.add("" if n == 0 else "; ", the(subject.entity, base), " (" if numbers else " ")
        cells = [column[n] for column in table.columns if column[n].fact is not None]
        for k, cell in enumerate(cells):
            assert cell.fact is not None
            alike = [f for other in table.columns[k] if (f := other.fact) is not None]
            shown = f"{value(cell.fact, base)}{told_apart(cell.fact, alike, base)} " if numbers else _instead(cell.fact, base) if excludes else ""
            writer.add(", " if k else "", shown, cell.fact)
        writer.add(")" if numbers else "")
    left = len(table.subjects) - LISTED
    writer.add(f", and {left} more" if left > 0 else "")
    writer.end()


def _instead(fact: Fact, base: Base) -> str:
    """What something has that has not what is excluded: "(GDDR6) " where HBM is."""
    return "" if fact.value.startswith(DENIAL) else f"({value(fact, base)}) "


def _names(measures: Sequence[Measure], base: Base) -> list[str]:
    return [base.domain.metrics[m.metric].name for m in measures]


def _described(table: Table, base: Base) -> str:
    """What the members have in common: "With HBM3e, as far as facts tell"."""
    said = [f"{'' if c.holds else 'no '}{base.names.name(str(c.value))}" for c in table.query.of.where]
    return f"{listed(said) if said else listed(_names(table.measures, base))}, as far as facts tell"
