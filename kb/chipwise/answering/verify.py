"""Whether what a question asserts is so: the assertion is a claim, and the lattice decides between it and the cell.

"Does the H100 do 1,979 TFLOPS in dense BF16?"   no: 989 dense; 1,979 is the figure with 2:4 sparsity
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from chipwise.answering.answer import Ruling, Told, together
from chipwise.answering.base import Base
from chipwise.answering.conditions import DENIAL, axes_of, has, is_priced, is_within, lacks
from chipwise.answering.query import DESIGNER, Assertion, Query
from chipwise.answering.sentences import Writer, capital, qualified, say, the, value
from chipwise.answering.table import FactCell, FactTable, is_downward
from chipwise.answering.tabletext import are_twins, compare, look_up
from chipwise.claims.model import Fact
from chipwise.domain.catalogue import TWINS
from chipwise.figures.alike import covered, kind, states
from chipwise.figures.format import value_text
from chipwise.figures.relate import Verdict, relate
from chipwise.figures.statement import place
from chipwise.numbers.quantity import Quantity
from chipwise.types import Role

_FIGURES = 2  # others that a figure may be the one of
_RANKS = ("preferred", "normal", "deprecated")
_FACTOR = 0.05  # how far from a factor in round numbers: 1.95 times is "twice", 1.76 times is not
_SPARSITY, _SPARSE = TWINS[0], "2:4"
_OF_LINES = ("framework_support",)  # what a chip has where its line does


def verify(table: FactTable, asserted: Assertion, base: Base) -> Told | None:
    """Yes, no or it depends, with the reason; None where the cells decide nothing."""
    cells = table.columns[0]
    if isinstance(asserted.value, str):
        if len(cells) > 1:
            return _of_each(cells, asserted, base)
        options = (asserted.value, *asserted.others)
        told = {o: t for o in options if (t := has_category(cells[0], o, asserted.holds, base)) is not None}
        if not asserted.others:
            return told.get(asserted.value)
        picked = next(((o, t) for o, t in told.items() if t.ruling is Ruling.YES), None)
        return replace(picked[1], parts=(f"{base.names.name(picked[0])}: ", *picked[1].parts[1:])) if picked else None
    if len(cells) > 1:
        return _set_apart(table, asserted, base)
    if asserted.value is None or len(table.columns) > 1:
        return None
    return _of_figure(table.query, cells[0], asserted, asserted.value, base)


# Categories


def _of_each(cells: Sequence[FactCell], asserted: Assertion, base: Base) -> Told | None:
    """Which of several things have a category, with yes or no where all or none do; None where it is open of one."""
    told = [has_category(cell, str(asserted.value), asserted.holds, base) for cell in cells]
    known = [t for t in told if t is not None]
    if asserted.others or len(known) < len(cells):
        return None
    rulings = {t.ruling for t in known}
    alone = [replace(t, parts=(capital(str(t.parts[1])), *t.parts[2:])) for t in known]  # each a sentence
    return together([*(known[:1] if len(rulings) == 1 else alone[:1]), *alone[1:]], " ")


def has_category(cell: FactCell, wanted: str, holds: bool, base: Base) -> Told | None:
    """Yes or no with the fact that says so; None where none does. What is denied of a chip goes before what holds for its line."""
    term, metric, writer = base.domain.terms.get(wanted), cell.measure.metric, Writer(base)
    about, above = covered(base.names, cell.of.entity), base.names.ancestors(cell.of.entity)[1:]
    lines = [a for a in above if base.names.is_many(a) and base.domain.entities[a].vendor]
    if term is None:
        return None
    for closest in (about, lines):
        own = _known(closest, metric, base) if closest is about or metric in _OF_LINES else []
        own = [*(cell.facts if metric == DESIGNER else ()), *own]
        # what is said of the very thing goes before what is said of its family: some H100s have HBM2e, and no H100 SXM
        very = [f for f in own if f.claim.subject == cell.of.entity and f.claim.metric == metric]
        own = very if any(has(f, term, base) or lacks(f, term, base) for f in very) else own
        having = next((f for f in own if has(f, term, base)), None)
        fact = having or next((f for f in own if lacks(f, term, base)), None)
        wrong = (f for f in base.known.facts(closest, [metric]) if f.rank == "deprecated" and f.value == term.id)
        if fact is not None:
            writer.add(Ruling.YES if (having is not None) == holds else Ruling.NO)
            if fact.value.startswith(DENIAL):
                writer.add(f"{the(fact.claim.subject, base)} has {value(fact, base)} ", fact)
            else:
                say(writer, fact)
        elif (fact := next(filter(base.known.holds, wrong), None)) is not None:
            writer.add(Ruling.BECAUSE if holds else Ruling.YES, f"{fact.reason.rstrip('.')} ", fact)
        if fact is not None:
            writer.end()
            return writer.told()
    return None


def _known(closest: Sequence[str], metric: str, base: Base) -> list[Fact]:
    """The facts of the category before figures that tell it, and those of what is closest first."""
    facts = [f for f in base.known.facts(closest) if f.rank != "deprecated" and base.known.holds(f)]
    facts = [f for f in facts if f.claim.metric == metric or f.claim.quantity is not None]
    return sorted(
        facts, key=lambda f: (f.claim.quantity is not None, f.rank != "preferred", closest.index(f.claim.subject))
    )


# Figures


def _of_figure(query: Query, cell: FactCell, asserted: Assertion, stated: Quantity, base: Base) -> Told | None:
    ruling = Ruling.YES if asserted.holds else Ruling.NO
    if cell.times > 1 or stated.bound not in ("exact", "about"):
        met = {is_within(cell.times * f.amount, stated, asserted.strict) for f in cell.facts if f.is_single}
        if not met:
            return None
        ruling = Ruling.YES if met == {asserted.holds} else Ruling.NO
        return _judged(query, Ruling.DEPENDS if len(met) > 1 else ruling, cell, base)
    claim = replace(cell.facts[0].claim, quantity=_as_rounded(stated, base))
    body = (place(base.domain, claim, Role.BODY), place(base.domain, cell.facts[0].claim, Role.BODY, cell.facts[0]))
    if relate(base.domain, *body).verdict in (Verdict.SAME, Verdict.COMPATIBLE):
        return _judged(query, ruling, replace(cell, facts=cell.facts[:_FIGURES]), base)
    if _is_loose(asserted):
        return _judged(query, None, replace(cell, facts=cell.facts[:1]), base)
    return _traced(query, cell, asserted, stated, base)


def _is_loose(asserted: Assertion) -> bool:
    """True for "nearly twice" and "up to 150 GB", which a figure neither meets nor refutes."""
    return isinstance(asserted.value, Quantity) and asserted.value.bound == "about"


def _judged(query: Query, ruling: Ruling | None, cell: FactCell, base: Base) -> Told:
    writer = Writer(base)
    writer.add(*([ruling] if ruling is not None else []))
    look_up(writer, cell, query)
    return writer.told()


def _traced(query: Query, cell: FactCell, asserted: Assertion, stated: Quantity, base: Base) -> Told | None:
    """A figure that is not the one that comes first: of what else it is the figure; None where it may be of anything."""
    writer, wanted, metric = Writer(base), dict(axes_of(cell.measure, query, base)), cell.measure.metric
    same = _that_have(stated, cell, wanted, base)
    fitting = any(f.rank != "deprecated" and states(f, wanted) for f in same)
    depends = fitting and not is_priced(metric, base)
    if depends:
        writer.add(Ruling.DEPENDS)
    else:
        writer.add(Ruling.NO_LONGER if fitting else Ruling.NO if asserted.holds else Ruling.YES)
    others = [f for f in cell.facts if f not in same] if depends else cell.facts[:_FIGURES]
    for fact in same if depends else ():
        _whose(writer, fact)
    for n, fact in enumerate(others):
        writer.next()
        writer.add("Otherwise " if depends and n == 0 else "")
        say(writer, fact)
        writer.end()
    for fact in () if depends else same:
        _whose(writer, fact)
    return writer.told()


def _that_have(stated: Quantity, cell: FactCell, wanted: Mapping[str, str], base: Base) -> list[Fact]:
    """The facts of the thing, whatever their axes, that give the stated figure; those that state what is wanted first."""
    rounded = _as_rounded(stated, base)
    known = base.known.facts(covered(base.names, cell.of.entity), [cell.measure.metric])
    exact = [(f, f.claim.quantity) for f in known if base.known.holds(f)]
    same = [f for f, q in exact if q is not None and q.bound in ("exact", "about") and q.agrees_with(rounded)]
    return sorted(same, key=lambda f: (not states(f, wanted), _RANKS.index(f.rank)))[:_FIGURES]


def _as_rounded(stated: Quantity, base: Base) -> Quantity:
    """With half a unit to each side where it is a whole number below 100, too: one may say 4 PFLOPS of 3,958 TFLOPS."""
    if stated.low != stated.high or stated.low <= 0:
        return stated
    half = base.domain.units[stated.unit].scale / 2 if stated.unit in base.domain.units else 0.0
    return replace(stated, low=stated.low - half, high=stated.high + half)


def _whose(writer: Writer, fact: Fact) -> None:
    """What a figure is the figure of: "1,979 TFLOPS is the peak compute of the H100 SXM (BF16, 2:4 sparsity) [2]."."""
    base = writer.base
    of = f"the {base.domain.metrics[fact.claim.metric].name} of {the(fact.claim.subject, base)}"
    writer.next()
    if fact.rank == "deprecated":
        writer.add(f"{value_text(fact, base.names)} ", fact)
        writer.add(f" is an outdated or wrong figure for {of}: {fact.reason.rstrip('.')}")
    else:
        writer.add(f"{value_text(fact, base.names)} is {of}{qualified(fact, base)} ", fact)
    writer.end()


def told_apart(text: str, subjects: Sequence[str], base: Base) -> Told:
    """Name each figure of a text that is a peak with 2:4 sparsity, and the dense peak beside it; nothing if the text says it is sparse."""
    stated, writer = dict(m.ids[0].split("=", 1) for m in base.domain.find_qualifiers(text)), Writer(base)
    metrics = [m.id for m in base.domain.metrics.values() if _SPARSITY in m.qualifiers]
    about, dtype = [v for s in subjects for v in covered(base.names, s)], stated.get("dtype", "")
    known = [f for f in base.known.facts(about, metrics) if f.rank == "preferred" and base.known.holds(f)]
    known = [f for f in known if not dtype or f.claim.qualifier("dtype") == dtype]
    for q in base.domain.unit_table.find_all(text) if _SPARSITY not in stated else ():
        same = [f for f in known if f.claim.quantity is not None and f.claim.quantity.agrees_with(_as_rounded(q, base))]
        for sparse in [f for f in same if f.claim.qualifier(_SPARSITY) == _SPARSE][:1]:
            near = [f for f in known if f.claim.subject == sparse.claim.subject and f.amount < sparse.amount]
            dense = [f for f in near if kind(f, base.names) == kind(sparse, base.names)]
            for fact in (sparse, *dense[:1]):
                _whose(writer, fact)
    return writer.told()


# Several


def _set_apart(table: FactTable, asserted: Assertion, base: Base) -> Told | None:
    """Whether the first has more than the second, so many times as much, or the same; by several measures it may depend."""
    if len(table.columns[0]) != 2:  # noqa: PLR2004
        return None
    pairs = [(first, second) for first, second in table.columns if not are_twins(first, second)]
    rulings = {_compared(table.query, first, second, asserted, base) for first, second in pairs}
    if None in rulings:
        return None
    writer = Writer(base)
    if rulings and not _is_loose(asserted):
        writer.add((len(rulings) == 1 and rulings.pop()) or Ruling.DEPENDS)
    for column in table.columns:
        writer.next()
        compare(writer, column, table.query)
    return writer.told()


def _compared(query: Query, first: FactCell, second: FactCell, asserted: Assertion, base: Base) -> Ruling | None:
    if not (first.is_single and second.is_single):
        return None
    same = math.isclose(first.amount, second.amount, rel_tol=1e-9)
    if isinstance(asserted.value, Quantity):
        is_factor = asserted.value.compares and second.amount > 0  # 141 GB is none
        return _multiple(first.amount / second.amount, asserted.value, asserted) if is_factor else None
    if query.relate == "same":
        return Ruling.YES if same == asserted.holds else Ruling.NO
    if query.order is None or same:
        return Ruling.THE_SAME if same and query.order is not None else None
    first_leads = (first.amount > second.amount) == is_downward(query.order, first.measure, base)
    return Ruling.YES if first_leads == asserted.holds else Ruling.NO


def _multiple(ratio: float, stated: Quantity, asserted: Assertion) -> Ruling | None:
    """Whether the first is so many times the second; a factor in round numbers is met by what is close to it."""
    if stated.bound not in ("exact", "about"):
        return Ruling.YES if is_within(ratio, stated, asserted.strict) == asserted.holds else Ruling.NO
    if math.isclose(ratio, stated.middle, rel_tol=_FACTOR) or stated.low <= ratio <= stated.high:
        return Ruling.YES if asserted.holds else Ruling.NO
    return Ruling.MORE if ratio > stated.middle else Ruling.NO
