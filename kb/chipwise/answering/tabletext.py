"""A table in sentences: the only writer of answer text on the path of queries.

one subject       "The H200 has 141 GB of HBM3e [1]."
several           "Two H200s have more memory capacity: 2 x 141 GB [1] = 282 GB against 192 GB of one MI300X [2], 1.47 times as much."
an order          "The highest memory capacity of 40 with such a figure: the MI355X, 288 GB [1]; ..."
conditions        "14 of 40 whose memory capacity is known: the MI355X (288 GB [1]), ..."
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from chipwise.answering.base import Base
from chipwise.answering.model import Row
from chipwise.answering.query import Counted, Measure, Order, Query
from chipwise.answering.quoting import Told
from chipwise.answering.sentences import Writer, and_list, counted, qualified, say, the, told_apart, value
from chipwise.answering.table import LISTED, FactCell, FactTable, is_downward
from chipwise.answering.terms import DENIAL, is_category, is_priced
from chipwise.claims.model import Fact, Key
from chipwise.errors import ChipwiseError
from chipwise.figures.alike import differ_by_label
from chipwise.figures.derivation import Binding, Derivation
from chipwise.figures.format import listed, number, phrase, times, value_text
from chipwise.figures.network import network_of
from chipwise.figures.solve import derive
from chipwise.numbers.quantity import Quantity

_ALONE = "That is of the chips alone; a machine around them adds to it"  # of power, which other parts draw as well
_PAIR = 2
_CLOSE = 1e-9
_OTHERS = 3  # figures of other variants
_OF_FIGURES = {  # a peak is higher where its chip is faster
    "faster": "higher", "slower": "lower", "more expensive": "higher", "cheaper": "lower", "better": "higher", "worse": "lower",
}  # fmt: skip
_OPPOSITE = {  # what is said of the smaller figure, by what a metric says of the larger one
    "more": "less", "higher": "lower", "larger": "smaller", "faster": "slower", "longer": "shorter", "heavier": "lighter",
    "wider": "narrower", "more expensive": "cheaper",
}  # fmt: skip


def render(table: FactTable, base: Base) -> Told:
    """What a table tells, as its query asks for it."""
    writer = Writer(base)
    if table.of_offers:
        _offers(writer, table)
    elif table.query.of.is_open:
        if table.query.order is not None:
            _ranking(writer, table, table.query.order)
        else:
            _members(writer, table)
    else:
        for column in table.columns:
            if len(table.columns) > 1 and _is_told_elsewhere(column, table):
                continue
            writer.next()
            if table.query.relate == "count" and len(column) == _PAIR:
                _as_many(writer, column[0], column[1])
            elif len(column) > 1:
                compare(writer, column, table.query)
            else:
                look_up(writer, column[0], table.query)
        _price_gap(writer, table)
    return writer.told()


def look_up(writer: Writer, cell: FactCell, query: Query) -> None:
    """What is known of one thing: a sentence for each figure of another kind, a category with all its values, a total of several."""
    base = writer.base
    metric = base.domain.metrics[cell.measure.metric]
    writer.next()
    if not cell.facts:
        axes = ", ".join(phrase(axis, stated, base.names) for axis, stated in cell.measure.axes)
        writer.add(f"No source gives the {metric.name} of {the(cell.of.entity, base)}{f' ({axes})' if axes else ''}")
        writer.end()
    elif is_category(metric.id, base):
        _categories(writer, cell, query)
    elif cell.times > 1:
        writer.add(f"{counted(cell.of, base)} {_have(cell)} ")
        _total(writer, cell)
        writer.add("" if metric.holders else f" of {metric.name}")
        writer.end()
        chips_alone(writer, [cell])
    else:
        for fact in cell.facts:
            writer.next()
            say(writer, fact)
            _conversion(writer, fact, cell.measure)
            writer.end()


def _have(cell: FactCell) -> str:
    return "have" if (cell.of.count or 1) > 1 else "has"


def _conversion(writer: Writer, fact: Fact, measure: Measure) -> None:
    """The figure in the unit that is asked for, with the factor: "4,800 GB/s / 1,000 = 4.8 TB/s"."""
    own, asked = (writer.base.domain.units.get(unit) for unit in (fact.unit, measure.unit))
    if own is None or asked is None or own == asked or own.dimension != asked.dimension or not fact.is_single:
        return
    factor = own.scale / asked.scale
    by = f"x {number(factor)}" if factor > 1 else f"/ {number(1 / factor)}"
    result = number(fact.amount / asked.scale)
    writer.add(f"; {value_text(fact, writer.base.names)} {by} = {result} {measure.unit}")


def _categories(writer: Writer, cell: FactCell, query: Query) -> None:
    """ "The MI300X is offered by Vultr [1] and Azure [2]." A variant may have other values than its chip."""
    base = writer.base
    by_subject: dict[str, list[Fact]] = {}
    for fact in cell.facts:
        by_subject.setdefault(fact.claim.subject, []).append(fact)
    metric = base.domain.metrics[cell.measure.metric]
    if query.of.without and all(f.value in query.of.without for f in cell.facts):
        writer.add("No other, as far as facts tell")
        writer.end()
    before, _, behind = (metric.says or f"has as its {metric.name}: {{}}").partition("{}")
    for subject, facts in by_subject.items():
        denied = [f for f in facts if f.value.startswith(DENIAL)]
        for group, start, end in (([f for f in facts if f not in denied], before, behind), (denied, "has ", "")):
            if group:
                writer.next()
                writer.add(f"{the(subject, base)} {start}")
                and_list(writer, [(f"{value(f, base)}{qualified(f, base)}", f) for f in group])
                writer.add(end)
                writer.end()


def _total(writer: Writer, cell: FactCell) -> None:
    """ "8 x 141 GB [1] = 1,128 GB", with the result as a row."""
    fact, base = cell.facts[0], writer.base
    text = f"{number(cell.amount / base.names.units[fact.unit].scale)} {fact.unit}"
    writer.add(f"{cell.times} x {value_text(fact, base.names)} ", fact, f" = {text}")
    key = Key(cell.of.entity, cell.measure.metric)
    quantity = Quantity(0, 0, base.domain.metrics[cell.measure.metric].dimension, fact.unit, cell.amount, cell.amount)
    writer.row(Row(cell.of.entity, key, quantity, fact.unit, text, _derivation(cell, fact, base) or fact))


def _derivation(cell: FactCell, fact: Fact, base: Base) -> Derivation | None:
    """The sum as a derivation of the network, where its total is a variable there."""
    network = network_of(base.domain)
    one = next((v for v in network.variables.values() if v.metric == fact.claim.metric and v.total), None)
    if one is None:
        return None
    count = Binding.given("chips", cell.times, cell.times)
    each = Binding.of_fact(one.id, fact.amount, fact.amount, value_text(fact, base.names), fact)
    try:
        return derive(network, one.total, [count], lambda v: [each] if v == one.id else [])
    except ChipwiseError:
        return None


def chips_alone(writer: Writer, cells: Sequence[FactCell]) -> None:
    """Says of power of several that a machine has more of it than its chips together."""
    domain = writer.base.domain
    if max(c.times for c in cells) > 1 and not all(
        domain.metrics[c.measure.metric].scales or domain.is_machine(c.of.entity) for c in cells
    ):
        writer.next()
        writer.add(_ALONE)
        writer.end()


def compare(writer: Writer, cells: Sequence[FactCell], query: Query) -> None:
    """The verdict and the ratio; each figure by itself where they are not of one kind."""
    if not all(c.facts and c.facts[0].claim.quantity is not None for c in cells):
        for cell in cells:
            look_up(writer, cell, query)
        return
    if len(cells) == _PAIR:
        _two(writer, cells[0], cells[1], query)
    else:
        _several(writer, cells, query)
    others = [f for c in cells for f in c.others][:_OTHERS]
    for n, fact in enumerate(others):
        writer.next()
        writer.add("; " if n else "Other variants: ")
        say(writer, fact)
    if others:
        writer.end()


def speaker(cell: FactCell) -> Counted:
    """Whose figure a cell has: the variant that speaks for a chip is named where others differ from it."""
    return replace(cell.of, entity=cell.facts[0].claim.subject) if cell.others and cell.times == 1 else cell.of


def _two(writer: Writer, first: FactCell, second: FactCell, query: Query) -> None:
    base = writer.base
    metric = base.domain.metrics[first.measure.metric]
    a, b = first.facts[0], second.facts[0]
    several = max(first.times, second.times) > 1
    if not several and differ_by_label(a, b):
        writer.add(f"The same number of {metric.name}, {value(a, base)} ", a, f" and {value(b, base)} ", b)
        writer.add(": which of the two units is meant is easily mistaken")
        writer.end()
        return
    if not several and not decide(first, second):
        look_up(writer, first, query)
        look_up(writer, second, query)
        return
    if math.isclose(first.amount, second.amount, rel_tol=_CLOSE):
        writer.add(
            f"{counted(speaker(first), base)} and {counted(speaker(second), base)} have the same {metric.name}: "
        )
        figure(writer, first)
        writer.add(" and ")
        figure(writer, second)
        writer.end()
        return
    down = is_downward(query.order or Order("most"), first.measure, base)
    one, other = sorted((first, second), key=lambda c: c.amount, reverse=down)
    how = metric.bigger_is if down else _OPPOSITE.get(metric.bigger_is, "less")
    leads = how if how in ("more", "less", "fewer") else f"the {_OF_FIGURES.get(how, how)}"
    writer.add(f"{counted(speaker(one), base, beside_several=several)} {_have(one)} {leads} {metric.name}: ")
    figure(writer, one)
    writer.add(" against ")
    figure(writer, other)
    writer.add(f" of {counted(speaker(other), base, beside_several=several)}")
    if min(one.amount, other.amount) > 0:
        writer.add(f", {_ratio(one, other, query, base)}")
    writer.end()
    chips_alone(writer, (first, second))


def _as_many(writer: Writer, one: FactCell, other: FactCell) -> None:
    """How many of one have what the other has: "two H200s have at least as much: 192 GB [1] / 141 GB [2] = 1.362"."""
    base = writer.base
    metric = base.domain.metrics[one.measure.metric]
    if not metric.scales or not (one.is_single and other.is_single) or one.amount <= 0:
        return
    a, b = one.facts[0], other.facts[0]
    ratio = other.amount / a.amount
    count = math.ceil(ratio * (1 - _CLOSE))
    how = "as much" if math.isclose(count, ratio, rel_tol=_CLOSE) else "at least as much"
    of = replace(one.of, count=count)
    writer.add(f"{counted(of, base, beside_several=True)} {'have' if count > 1 else 'has'} {how} {metric.name} as ")
    writer.add(f"{counted(other.of, base, beside_several=True)}: {f'{other.times} x ' if other.times > 1 else ''}")
    writer.add(f"{value_text(b, base.names)} ", b, f" / {value_text(a, base.names)} ", a, f" = {number(ratio)}")
    writer.end()
    chips = Quantity(0, 0, "count", "chips", count, count)
    writer.row(Row(one.of.entity, Key(one.of.entity, "chips"), chips, "chips", str(count), a))


def _ratio(one: FactCell, other: FactCell, query: Query, base: Base) -> str:
    ratio = one.amount / other.amount
    if query.relate == "percent":
        first, second = (one, other) if one.of == query.of.entities[0] else (other, one)
        return f"{100 * (first.amount / second.amount - 1):+.3g}% for {the(first.of.entity, base)}"
    unit = one.facts[0].unit
    gap = ""
    if query.relate == "difference" and unit == other.facts[0].unit:
        gap = f"a difference of {number(abs(one.amount - other.amount) / base.names.units[unit].scale)} {unit}, "
    return f"{gap}{times(ratio)} times as much"


def decide(one: FactCell, other: FactCell) -> bool:
    """True for figures of one scope of which one is surely larger, or that are the same."""
    a, b = one.facts[0].claim, other.facts[0].claim
    first, second = a.quantity, b.quantity
    if first is None or second is None or a.key.is_of_one != b.key.is_of_one:
        return False
    same = (first.low, first.high) == (second.low, second.high)
    apart = first.low > second.high or second.low > first.high
    return "range" not in (first.form, second.form) and (same or apart)


def figure(writer: Writer, cell: FactCell, *, qualifiers: bool = True) -> None:
    """A cell's figure with its citation; of several the sum."""
    if cell.times > 1:
        _total(writer, cell)
    else:
        fact = cell.facts[0]
        writer.add(f"{value(fact, writer.base)}{qualified(fact, writer.base) if qualifiers else ''} ", fact)


def _several(writer: Writer, cells: Sequence[FactCell], query: Query) -> None:
    """The first and the others in order, each with its value."""
    base = writer.base
    metric = base.domain.metrics[cells[0].measure.metric]
    down = is_downward(query.order or Order("most"), cells[0].measure, base)
    order = sorted(cells, key=lambda c: c.amount, reverse=down)
    most = "highest" if down else "lowest"
    first = [c for c in order if math.isclose(c.amount, order[0].amount, rel_tol=_CLOSE)]
    ranks = query.order is not None and all(c.is_single for c in cells)
    if ranks and 1 < len(first) < len(order):
        writer.add(f"{listed(counted(speaker(c), base) for c in first)} share the {most} {metric.name}: ")
    elif ranks and len(first) == 1:
        writer.add(f"{counted(speaker(order[0]), base)} {_have(order[0])} the {most} {metric.name}, ")
        figure(writer, order.pop(0))
        writer.add("; then ")
    else:
        writer.add(f"By {metric.name}, the {most} first: ")
    for n, cell in enumerate(order):
        writer.add("; " if n else "", f"{counted(speaker(cell), base)}, ")
        figure(writer, cell)
    writer.end()


def _price_gap(writer: Writer, table: FactTable) -> None:
    """What one price of a thing is beside another one of it: on spot and on demand."""
    cells = [column[0] for column in table.columns if len(column) == 1]
    facts = [c.facts[0] for c in cells if c.is_single and is_priced(c.measure.metric, writer.base)]
    if len(facts) == len(table.columns) == _PAIR:
        less, more = sorted(facts, key=lambda f: f.amount)
        if 0 < less.amount < more.amount:
            writer.add(f" {value(more, writer.base)} ", more, f" / {value(less, writer.base)} ", less)
            writer.add(f" - 1 = {100 * (more.amount / less.amount - 1):+.3g}%")
            writer.end()


def _is_told_elsewhere(column: Sequence[FactCell], table: FactTable) -> bool:
    """True for "and is that dense or sparse" where the figure before says so."""
    axis = column[0].measure.metric.removesuffix("_support")
    stated = (f.claim.qualifier(axis) for other in table.columns for cell in other for f in cell.facts)
    return not any(cell.facts for cell in column) and any(stated)


def _offers(writer: Writer, table: FactTable) -> None:
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
        if cell.times * cell.among > 1 and (quantity := fact.claim.quantity) is not None:
            factor = cell.times / cell.among / base.names.units[fact.unit].scale
            ends = {number(end * factor): None for end in (quantity.low, quantity.high) if math.isfinite(end)}
            ends = ends if quantity.form == "range" else {number(quantity.middle * factor): None}
            share = f" / {cell.among} chips" if cell.among > 1 else ""
            writer.add(f"{share} = {' to '.join(ends)} {fact.unit}")
    left = table.known - len(cells)
    writer.add(f"\n- and {left} more" if left > 0 else "")
    writer.end()


def _ranking(writer: Writer, table: FactTable, order: Order) -> None:
    """Who is first, with the value, and the next ones; nothing is said of what has no figure."""
    base, measure, cells = writer.base, table.measures[0], table.columns[0]
    name = base.domain.metrics[measure.metric].name
    most = "highest" if is_downward(order, measure, base) else "lowest"
    of = f"The {most} {name} of {table.known} with such a figure: "
    writer.add(of if table.known > 1 else f"Only one has a known {name}: ")
    for n, cell in enumerate(cells):
        fact = cell.facts[0]
        writer.add("; " if n else "", f"{the(cell.of.entity, base)}, {value(fact, base)}{qualified(fact, base)} ", fact)
        for k, beside in enumerate(column[n].facts[0] for column in table.columns[1:]):
            writer.add(", " if k else " (", f"{value(beside, base)} ", beside)
        writer.add(")" if len(table.columns) > 1 else "")
    writer.end()


def _members(writer: Writer, table: FactTable) -> None:
    """The members with the figures that show them to be such; of what lacks something, what it has instead."""
    base = writer.base
    names = [base.domain.metrics[m.metric].name for m in table.measures if not is_category(m.metric, base)]
    if names and table.known:
        are = "is" if len(names) == 1 else "are"
        writer.add(f"{len(table.subjects)} of {table.known} whose {listed(names)} {are} known: ")
    else:
        terms = [f"{'' if c.holds else 'no '}{base.names.name(str(c.value))}" for c in table.query.of.where]
        terms = terms or [base.domain.metrics[m.metric].name for m in table.measures]
        writer.add(f"{listed(terms)}, as far as facts tell: ")
    excludes = any(not condition.holds for condition in table.query.of.where)
    for n, subject in enumerate(table.subjects[:LISTED]):
        writer.add("; " if n else "", the(subject.entity, base), " (" if names else " ")
        for k, column in enumerate(column for column in table.columns if column[n].facts):
            fact, alike = column[n].facts[0], [cell.facts[0] for cell in column if cell.facts]
            apart = told_apart(fact, alike, base)
            instead = excludes and not fact.value.startswith(DENIAL)
            shown = f"{value(fact, base)}{apart} " if names else f"({value(fact, base)}) " if instead else ""
            writer.add(", " if k else "", shown, fact)
        writer.add(")" if names else "")
    left = len(table.subjects) - LISTED
    writer.add(f", and {left} more" if left > 0 else "")
    writer.end()
