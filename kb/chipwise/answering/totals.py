"""What several of a thing have in total, with the sum that shows it."""

from __future__ import annotations

import math
from dataclasses import replace

from chipwise.answering.base import Base
from chipwise.answering.cells import Cell, fill
from chipwise.answering.model import Row
from chipwise.answering.query import Query
from chipwise.answering.quoting import Told
from chipwise.answering.sentences import Writer, counted
from chipwise.claims.model import Fact, Key
from chipwise.errors import ChipwiseError
from chipwise.figures.amounts import number
from chipwise.figures.derivation import Binding, Derivation
from chipwise.figures.network import network_of
from chipwise.figures.phrasing import value_text
from chipwise.figures.solve import derive
from chipwise.numbers.quantity import Quantity

_PAIR = 2
_ROUNDING = 1e-9
ALONE = "That is of the chips alone; a machine around them adds to it"  # of power, which other parts draw as well


def total(writer: Writer, cell: Cell) -> None:
    """ "eight H200s have 8 x 141 GB [1] = 1,128 GB of memory capacity"."""
    metric = writer.base.domain.metrics[cell.measure.metric]
    writer.add(f"{counted(cell.of, writer.base)} {'have' if (cell.of.count or 1) > 1 else 'has'} ")
    summed(writer, cell)
    writer.add("" if metric.holders else f" of {metric.name}")


def summed(writer: Writer, cell: Cell) -> None:
    """ "8 x 141 GB [1] = 1,128 GB", with the result as a row."""
    fact, base = cell.facts[0], writer.base
    text = f"{number(cell.amount / base.names.units[fact.unit].scale)} {fact.unit}"
    writer.add(f"{cell.times} x {value_text(fact, base.names)} ", fact, f" = {text}")
    key = Key(cell.of.entity, cell.measure.metric)
    quantity = Quantity(0, 0, base.domain.metrics[cell.measure.metric].dimension, fact.unit, cell.amount, cell.amount)
    writer.row(Row(cell.of.entity, key, quantity, fact.unit, text, _derivation(cell, fact, base) or fact))


def adds_up_whole(cell: Cell, base: Base) -> bool:
    """False for what a machine has more of than its chips together: power."""
    return base.domain.metrics[cell.measure.metric].scales or base.domain.is_machine(cell.of.entity)


def as_many(query: Query, base: Base) -> Told | None:
    """How many of the first have what the second has: "two H200s have at least as much: 192 GB [1] / 141 GB [2] = 1.362"."""
    (measure,) = query.what
    if len(query.of.entities) != _PAIR or measure.metric not in base.domain.metrics:
        return None
    if not base.domain.metrics[measure.metric].scales:
        return None
    one, other = fill(query.of.entities, measure, query, base)
    if not (one.is_single and other.is_single) or one.amount <= 0:
        return None
    ratio = other.amount / one.facts[0].amount
    count = math.ceil(ratio * (1 - _ROUNDING))
    metric, writer = base.domain.metrics[measure.metric], Writer(base)
    how = "as much" if math.isclose(count, ratio, rel_tol=_ROUNDING) else "at least as much"
    verb = "have" if count > 1 else "has"
    writer.add(f"{counted(replace(one.of, count=count), base, beside_several=True)} {verb} {how} {metric.name} as ")
    writer.add(f"{counted(other.of, base, beside_several=True)}: {f'{other.times} x ' if other.times > 1 else ''}")
    writer.add(f"{value_text(other.facts[0], base.names)} ", other.facts[0])
    writer.add(f" / {value_text(one.facts[0], base.names)} ", one.facts[0], f" = {number(ratio)}")
    writer.end()
    key = Key(one.of.entity, "chips")
    writer.row(
        Row(one.of.entity, key, Quantity(0, 0, "count", "chips", count, count), "chips", str(count), one.facts[0])
    )
    return writer.told()


def _derivation(cell: Cell, fact: Fact, base: Base) -> Derivation | None:
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
