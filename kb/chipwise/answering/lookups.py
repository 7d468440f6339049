"""What is known of one thing by one measure, in sentences: its figures, its categories, or what several of it have in total."""

from __future__ import annotations

from chipwise.answering.cells import Cell, is_category
from chipwise.answering.query import Measure, Query
from chipwise.answering.sentences import Writer, and_list, qualified, say, the, value
from chipwise.answering.totals import ALONE, adds_up_whole, total
from chipwise.claims.model import Fact
from chipwise.figures.amounts import number
from chipwise.figures.phrasing import phrase, value_text


def look_up(writer: Writer, cell: Cell, query: Query) -> None:
    """What is known of one thing, a sentence for each figure that is of another kind; a category with all its values."""
    base = writer.base
    if not cell.facts:
        axes = ", ".join(phrase(axis, said, base.names) for axis, said in cell.measure.axes)
        writer.add(
            f"No source gives the {base.domain.metrics[cell.measure.metric].name} of {the(cell.of.entity, base)}{f' ({axes})' if axes else ''}"
        )
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
    """The figure in the unit that is asked for, with the factor: "4,800 GB/s / 1,000 = 4.8 TB/s"."""
    own, asked = (writer.base.domain.units.get(unit) for unit in (fact.unit, measure.unit))
    if own is None or asked is None or own == asked or own.dimension != asked.dimension or not fact.is_single:
        return
    factor = own.scale / asked.scale
    by = f"x {number(factor)}" if factor > 1 else f"/ {number(1 / factor)}"
    result = number(fact.amount / asked.scale)
    writer.add(f"; {value_text(fact, writer.base.names)} {by} = {result} {measure.unit}")


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
