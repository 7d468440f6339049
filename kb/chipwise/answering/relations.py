"""Whether one thing is to another what a question asserts: more, earlier, twice as much, the same.

"Does the H200 have more memory than the H100?"  yes: 141 GB against 80 GB
"""

from __future__ import annotations

import math

from chipwise.answering.base import Base
from chipwise.answering.cells import Cell, Table
from chipwise.answering.comparing import compare
from chipwise.answering.evaluate import is_downward
from chipwise.answering.members import is_within
from chipwise.answering.model import Ruling
from chipwise.answering.query import Assertion, Query
from chipwise.answering.quoting import Told
from chipwise.answering.sentences import Writer
from chipwise.figures.alike import differ_by_label
from chipwise.numbers.quantity import Quantity

_NEARLY = 0.25
_FACTOR = 0.05  # how far from a factor in round numbers: 1.95 times is "twice", 1.76 times is not


def set_apart(table: Table, asserted: Assertion, base: Base) -> Told | None:
    """Whether the first has more than the second, so many times as much, or the same; by several measures it may depend."""
    if len(table.subjects) != 2:  # noqa: PLR2004
        return None
    rulings: set[Ruling] = set()
    for first, second in table.columns:
        ruling = _decided(table.query, first, second, asserted, base)
        if ruling is None and not (is_nearly(asserted) or _differ_by_label(first, second)):
            return None
        if ruling is not None:
            rulings.add(ruling)
    writer = Writer(base)
    if rulings:
        writer.add(rulings.pop() if len(rulings) == 1 else Ruling.DEPENDS)
    for column in table.columns:
        writer.next()
        compare(writer, column, table.query)
    return writer.told()


def _differ_by_label(first: Cell, second: Cell) -> bool:
    """True for GB beside GiB of one number, of which nothing follows."""
    return bool(first.facts and second.facts) and differ_by_label(first.facts[0], second.facts[0])


def _decided(query: Query, first: Cell, second: Cell, asserted: Assertion, base: Base) -> Ruling | None:
    return _compared(query, first, second, asserted, base) if first.is_single and second.is_single else None


def _compared(query: Query, first: Cell, second: Cell, asserted: Assertion, base: Base) -> Ruling | None:
    if differ_by_label(first.facts[0], second.facts[0]) and first.times == second.times == 1:
        return None
    same = math.isclose(first.amount, second.amount, rel_tol=1e-9)
    if isinstance(asserted.value, Quantity):
        is_factor = asserted.value.compares and second.amount > 0  # 141 GB is none
        return _multiple(first, second, asserted.value, asserted) if is_factor else None
    if query.relate == "same":
        return Ruling.YES if same == asserted.holds else Ruling.NO
    if query.order is None or same:
        return Ruling.THE_SAME if same and query.order is not None else None
    first_leads = (first.amount > second.amount) == is_downward(query.order, first.measure, base)
    return Ruling.YES if first_leads == asserted.holds else Ruling.NO


def _multiple(first: Cell, second: Cell, stated: Quantity, asserted: Assertion) -> Ruling | None:
    """Whether the first is so many times the second; a factor in round numbers is met by what is close to it."""
    ratio = first.amount / second.amount
    if stated.bound not in ("exact", "about"):
        return Ruling.YES if is_within(ratio, stated, asserted.strict) == asserted.holds else Ruling.NO
    met = math.isclose(ratio, stated.middle, rel_tol=_FACTOR) or stated.low <= ratio <= stated.high
    if met:
        return Ruling.YES if asserted.holds else Ruling.NO
    if is_nearly(asserted) and is_close(ratio, stated):
        return None
    return Ruling.MORE if ratio > stated.middle else Ruling.NO


def is_nearly(asserted: Assertion) -> bool:
    """True for "nearly twice" and "up to 150 GB", which a figure not far from it neither meets nor refutes."""
    return isinstance(asserted.value, Quantity) and asserted.value.bound == "about"


def is_close(amount: float, stated: Quantity) -> bool:
    """True for what "nearly" may still be said of."""
    return math.isclose(amount, stated.middle, rel_tol=_NEARLY)
