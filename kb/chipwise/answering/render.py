"""A table in sentences: the only writer of answer text on the path of queries.

one subject       "The H200 has 141 GB of HBM3e [1]."
several           "Two H200s have more memory capacity: 2 x 141 GB [1] = 282 GB against 192 GB of one MI300X [2], 1.47 times as much."
an order          "Of 40 GPUs with a known memory capacity the MI355X has the most: 288 GB [1]; then ..."
conditions        "14 of 40 with a known memory capacity: the MI355X (288 GB [1]), ..."
"""

from __future__ import annotations

from collections.abc import Sequence

from chipwise.answering.base import Base
from chipwise.answering.cells import DENIAL, Cell, Table, is_category, is_priced
from chipwise.answering.comparing import compare
from chipwise.answering.evaluate import LISTED, is_downward
from chipwise.answering.lookups import look_up
from chipwise.answering.query import Measure, Order
from chipwise.answering.quoting import Told
from chipwise.answering.sentences import Writer, counted, qualified, the, told_apart, value
from chipwise.claims.model import Fact
from chipwise.figures.amounts import number
from chipwise.figures.phrasing import listed


def render(table: Table, base: Base) -> Told:
    """What a table tells, as its query asks for it."""
    writer = Writer(base)
    if table.of_offers:
        _offers(writer, table)
    elif table.query.of.is_open or table.query.of.holding:
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
    cells = [
        column[0] for column in table.columns if len(column) == 1 and is_priced(column[0].measure.metric, writer.base)
    ]
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


def _offers(writer: Writer, table: Table) -> None:
    """Prices in order, each with whose it is; a share of a machine's with the sum."""
    base = writer.base
    cells = table.columns[0]
    first = "newest" if table.query.order is None else "lowest" if cells[0].amount <= cells[-1].amount else "highest"
    if table.known > 1:
        writer.add(f"{table.known} offers, the {first} first:")
    for cell in cells:
        (fact,) = cell.facts
        of = counted(cell.of, base) if cell.times * cell.among > 1 else the(fact.claim.subject, base)
        each = f"{cell.times} x " if cell.times > 1 else ""
        writer.add("\n- " if table.known > 1 else "", f"{of}: {each}{value(fact, base)}{qualified(fact, base)} ", fact)
        if cell.times * cell.among > 1:
            scale = base.names.units[fact.unit].scale
            share = f" / {cell.among} chips" if cell.among > 1 else ""
            writer.add(f"{share} = {number(cell.amount / scale)} {fact.unit}")
    left = table.known - len(cells)
    writer.add(f"\n- and {left} more" if left > 0 else "")
    writer.end()


def rank(writer: Writer, table: Table, order: Order) -> None:
    """Who is first, with the value, and the next ones; nothing is said of what has no figure."""
    base, measure, cells = writer.base, table.measures[0], table.columns[0]
    metric = base.domain.metrics[measure.metric]
    most = "highest" if is_downward(order, measure, base) else "lowest"
    if table.known == 1:
        writer.add(f"Only one has a known {metric.name}: ")
    else:
        writer.add(f"The {most} {metric.name} of {table.known} with such a figure: ")
    for n, cell in enumerate(cells):
        fact = cell.facts[0]
        writer.add("; " if n else "", f"{the(cell.of.entity, base)}, {value(fact, base)}{qualified(fact, base)} ", fact)
        for k, beside in enumerate(b for column in table.columns[1:] if (b := column[n].fact) is not None):
            writer.add(", " if k else " (", f"{value(beside, base)} ", beside)
        writer.add(")" if len(table.columns) > 1 else "")
    writer.end()


def enumerate_members(writer: Writer, table: Table) -> None:
    """The members with the figures that show them to be such."""
    base = writer.base
    numbers = [m for m in table.measures if not is_category(m.metric, base)]
    whose = (
        f" of {table.known} whose {listed(_names(numbers, base))} {'is' if len(numbers) == 1 else 'are'} known"
        if numbers and table.known
        else ""
    )
    writer.add(f"{len(table.subjects)}{whose}: " if whose else f"{_described(table, base)}: ")
    excludes = any(not condition.holds for condition in table.query.of.where)
    for n, subject in enumerate(table.subjects[:LISTED]):
        writer.add("" if n == 0 else "; ", the(subject.entity, base), " (" if numbers else " ")
        shown_of = [(column, column[n].facts[0]) for column in table.columns if column[n].facts]
        for k, (column, fact) in enumerate(shown_of):
            alike = [f for other in column if (f := other.fact) is not None]
            shown = (
                f"{value(fact, base)}{told_apart(fact, alike, base)} "
                if numbers
                else _instead(fact, base)
                if excludes
                else ""
            )
            writer.add(", " if k else "", shown, fact)
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
