"""Whether what a question asserts is so: the assertion is a claim, and the lattice decides between it and the cell.

"Does the H100 do 1,979 TFLOPS in dense BF16?"   no: 989 dense; 1,979 is the figure with 2:4 sparsity
"Does the MI300X have NVLink?"                   no: it is linked by Infinity Fabric
"Does the H200 have more memory than the H100?"  yes: 141 GB against 80 GB
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from chipwise.answering.base import Base
from chipwise.answering.categories import has_category, which_category
from chipwise.answering.cells import Cell, Table, axes_of, is_priced
from chipwise.answering.comparing import compare
from chipwise.answering.evaluate import is_downward
from chipwise.answering.members import is_within
from chipwise.answering.model import Ruling
from chipwise.answering.query import Assertion, Query
from chipwise.answering.quoting import Told
from chipwise.answering.sentences import Writer, qualified, say, the
from chipwise.answering.totals import total
from chipwise.claims.model import Fact
from chipwise.figures.alike import differ_by_label, states
from chipwise.figures.phrasing import value_text
from chipwise.figures.relate import Relation, Verdict, relate
from chipwise.figures.statement import place
from chipwise.figures.variants import covered
from chipwise.numbers.quantity import Quantity
from chipwise.types import Role

_FIGURES = 2  # others that a figure may be the one of
_FAR = 3.0
_AGREE = (Verdict.SAME, Verdict.COMPATIBLE)
_RANKS = ("preferred", "normal", "deprecated")
_NEARLY = 0.25
_FACTOR = 0.05  # how far from a factor in round numbers: 1.95 times is "twice", 1.76 times is not


def verify(table: Table, asserted: Assertion, base: Base) -> Told | None:
    """Yes, no or it depends, with the reason; None where the cells decide nothing."""
    cells = table.columns[0]
    if isinstance(asserted.value, str) and asserted.others:
        return which_category(cells[0], (asserted.value, *asserted.others), base) if len(cells) == 1 else None
    if isinstance(asserted.value, str):
        return has_category(cells[0], asserted.value, asserted.holds, base) if len(cells) == 1 else None
    if len(cells) > 1:
        return _set_apart(table, asserted, base)
    if asserted.value is None or len(table.columns) > 1:
        return None
    return _of_figure(table.query, cells[0], asserted, asserted.value, base)


def _of_figure(query: Query, cell: Cell, asserted: Assertion, stated: Quantity, base: Base) -> Told | None:
    holds = asserted.holds
    writer = Writer(base)
    if cell.times > 1 or stated.bound not in ("exact", "about"):
        met = {is_within(cell.times * f.amount, stated, asserted.strict) for f in cell.facts if f.is_single}
        if not met:
            return None
        so = Ruling.DEPENDS if len(met) > 1 else Ruling.YES if met == {holds} else Ruling.NO
        return _judged(writer, so, cell)
    if _relation(cell.facts[0], stated, base).verdict in _AGREE:
        return _judged(writer, Ruling.YES if holds else Ruling.NO, replace(cell, facts=cell.facts[:_FIGURES]))
    if _is_nearly(asserted) and _is_close(cell.amount, stated):
        return _judged(writer, None, replace(cell, facts=cell.facts[:1]))
    return _traced(query, cell, asserted, stated, writer)


def _traced(query: Query, cell: Cell, asserted: Assertion, stated: Quantity, writer: Writer) -> Told | None:
    """A figure that is not the one that comes first: of what else it is the figure; None where it may be of anything."""
    base = writer.base
    wanted = dict(axes_of(cell.measure, query, base))
    same = _that_have(stated, cell, wanted, base)
    if not same and _may_be_of_another(cell, stated, base):
        return None
    fitting = [f for f in same if f.rank != "deprecated" and states(f, wanted) and _is_that(f, stated, base)]
    was = fitting and is_priced(cell.measure.metric, base)
    if fitting and not was:
        return _depends(writer, cell, same)
    writer.add(Ruling.NO_LONGER if was else Ruling.NO if asserted.holds else Ruling.YES)
    for fact in cell.facts[:_FIGURES]:
        writer.next()
        say(writer, fact)
        writer.end()
    for fact in same:
        writer.next()
        _whose(writer, fact)
    return writer.told()


def _that_have(stated: Quantity, cell: Cell, wanted: Mapping[str, str], base: Base) -> list[Fact]:
    """The facts of the thing, whatever their axes, that give the stated figure; those that state what is wanted first."""
    known = base.known.facts(covered(base.names, cell.of.entity), [cell.measure.metric])
    same = [f for f in known if base.known.holds(f) and _is_that(f, stated, base)]
    return sorted(same, key=lambda f: (not states(f, wanted), _RANKS.index(f.rank)))[:_FIGURES]


def _may_be_of_another(cell: Cell, stated: Quantity, base: Base) -> bool:
    """True for a figure that is far from what is known by this metric, and near what is known by another: the 900 GB/s of a link."""
    dimension = base.domain.metrics[cell.measure.metric].dimension
    alike = [m.id for m in base.domain.metrics.values() if m.dimension == dimension]
    known = base.known.facts(covered(base.names, cell.of.entity), alike)
    return _is_far(cell.facts[0], stated) and not all(_is_far(f, stated) for f in known if f.claim.quantity is not None)


def _is_far(fact: Fact, stated: Quantity) -> bool:
    least, most = sorted((fact.amount, stated.middle))
    return least <= 0 or most / least > _FAR


def _is_that(fact: Fact, stated: Quantity, base: Base) -> bool:
    quantity = fact.claim.quantity
    exact = quantity is not None and quantity.bound in ("exact", "about")
    return exact and quantity is not None and quantity.agrees_with(_as_rounded(stated, base))


def _as_rounded(stated: Quantity, base: Base) -> Quantity:
    """With half a unit to each side where it is a whole number below 100, too: one may say 4 PFLOPS of 3,958 TFLOPS."""
    if stated.low != stated.high or stated.low <= 0:
        return stated
    half = base.domain.units[stated.unit].scale / 2 if stated.unit in base.domain.units else 0.0
    return replace(stated, low=stated.low - half, high=stated.high + half)


def _relation(fact: Fact, stated: Quantity, base: Base) -> Relation:
    """What the assertion is to a fact, as a claim of the same thing on the same axes."""
    claim = replace(fact.claim, quantity=_as_rounded(stated, base))
    return relate(base.domain, place(base.domain, claim, Role.BODY), place(base.domain, fact.claim, Role.BODY, fact))


def _judged(writer: Writer, ruling: Ruling | None, cell: Cell) -> Told:
    if ruling is not None:
        writer.add(ruling)
    if cell.times > 1:
        total(writer, cell)
        writer.end()
        return writer.told()
    for fact in cell.facts:
        writer.next()
        say(writer, fact)
        writer.end()
    return writer.told()


def _depends(writer: Writer, cell: Cell, same: Sequence[Fact]) -> Told:
    writer.add(Ruling.DEPENDS)
    for fact in same:
        writer.next()
        _whose(writer, fact)
    for n, fact in enumerate(f for f in cell.facts if f not in same):
        writer.next()
        writer.add("Otherwise " if n == 0 else "")
        say(writer, fact)
        writer.end()
    return writer.told()


def _whose(writer: Writer, fact: Fact) -> None:
    """What a figure is the figure of: "1,979 TFLOPS is the peak compute of the H100 SXM (BF16, 2:4 sparsity) [2]."."""
    base = writer.base
    metric = base.domain.metrics[fact.claim.metric].name
    if fact.rank == "deprecated":
        writer.add(
            f"{value_text(fact, base.names)} stands in ",
            fact,
            f" as the {metric} of {the(fact.claim.subject, base)}, outdated or at odds: {fact.reason.rstrip('.')}",
        )
    else:
        writer.add(
            f"{value_text(fact, base.names)} is the {metric} of {the(fact.claim.subject, base)}{qualified(fact, base)} ",
            fact,
        )
    writer.end()


def _set_apart(table: Table, asserted: Assertion, base: Base) -> Told | None:
    """Whether the first has more than the second, so many times as much, or the same; by several measures it may depend."""
    if len(table.subjects) != 2:  # noqa: PLR2004
        return None
    rulings: set[Ruling] = set()
    for first, second in table.columns:
        ruling = _decided(table.query, first, second, asserted, base)
        if ruling is None and not (_is_nearly(asserted) or _differ_by_label(first, second)):
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
    if _is_nearly(asserted) and _is_close(ratio, stated):
        return None
    return Ruling.MORE if ratio > stated.middle else Ruling.NO


def _is_nearly(asserted: Assertion) -> bool:
    """True for "nearly twice" and "up to 150 GB", which a figure not far from it neither meets nor refutes."""
    return isinstance(asserted.value, Quantity) and asserted.value.bound == "about"


def _is_close(amount: float, stated: Quantity) -> bool:
    """True for what "nearly" may still be said of."""
    return math.isclose(amount, stated.middle, rel_tol=_NEARLY)
