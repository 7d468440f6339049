"""A table in sentences: the only writer of answer text on the path of queries.

several           "Two H200s have more memory capacity: 2 x 141 GB [1] = 282 GB against 192 GB of one MI300X [2], 1.47 times as much."

Where a question names no measure, `overview` tells the main ones (metrics.toml): of one thing, or of several side by side.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

from chipwise.answering.answer import Row, Told
from chipwise.answering.base import Base
from chipwise.answering.conditions import DENIAL, is_category
from chipwise.answering.query import PRICES, Counted, Measure, Order, Query
from chipwise.answering.sentences import Writer, and_list, capital, counted, name, qualified, say, the, value
from chipwise.answering.table import LISTED, FactCell, FactTable, fill, is_downward
from chipwise.claims.model import Fact, Key, Qualifiers
from chipwise.domain.catalogue import TWINS
from chipwise.figures.alike import agree
from chipwise.figures.format import listed, number, phrase, times, value_text
from chipwise.numbers.quantity import Quantity

_ALONE = "That is for the chips alone; the rest of a machine adds to it"  # of power, which other parts draw as well
_PAIR = 2
_OTHERS = 3  # figures of other variants
_OF_FIGURES = {  # a peak is higher where its chip is faster
    "faster": "higher",
    "slower": "lower",
    "more expensive": "higher",
    "cheaper": "lower",
    "better": "higher",
    "worse": "lower",
}
_OPPOSITE = {  # what is said of the smaller figure, by what a metric says of the larger one
    "more": "less",
    "higher": "lower",
    "larger": "smaller",
    "faster": "slower",
    "longer": "shorter",
    "heavier": "lighter",
    "wider": "narrower",
    "more expensive": "cheaper",
}
_OF_ONE_METRIC = 3  # peaks in the number formats that come first
_FORMATS = ("bf16", "fp8", "fp4", "int8", "fp16", "tf32")  # by which a peak is compared first
_WORTH = 1.02  # a smaller factor tells nobody ahead

# what limits the work that chips are compared for: reading weights at every token, or arithmetic
_LIMITS = {
    **dict.fromkeys(("inference", "decode", "low-latency-serving"), "memory_bandwidth"),
    **dict.fromkeys(("training", "pre-training", "fine-tuning", "prefill", "batch-inference"), "peak_compute"),
}

Line = tuple[FactCell, ...]  # a figure of each


def write_table(table: FactTable, base: Base) -> Told:
    """What a table tells, as its query asks for it."""
    writer = Writer(base)
    if table.of_offers or table.query.of.is_open:
        _list(writer, table)
    else:
        for column in table.columns:
            if len(table.columns) == 1 or not _is_told_elsewhere(column, table):
                compare(writer, column, table.query)
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
        _figure(writer, cell)
        writer.add("" if metric.holders else f" of {metric.name}")
        writer.end()
        _chips_alone(writer, [cell])
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
        writer.add("No other, as far as the facts show")
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


def _figure(writer: Writer, cell: FactCell, *, qualifiers: bool = True) -> None:
    """A cell's figure with its citation: "141 GB [1]", "8 x 141 GB [1] = 1,128 GB" with the sum as a row, a share of a machine's."""
    fact, base = cell.facts[0], writer.base
    each = f"{cell.times:,} x " if cell.times > 1 else ""
    writer.add(f"{each}{value(fact, base)}{qualified(fact, base) if qualifiers else ''} ", fact)
    if cell.times * cell.among == 1 or (q := fact.claim.quantity) is None:
        return
    factor = cell.times / cell.among
    ends = [q.low, q.high] if q.form == "range" else [q.middle]
    said = dict.fromkeys(number(factor * end / base.names.units[fact.unit].scale) for end in ends if math.isfinite(end))
    text = f"{' to '.join(said)} {fact.unit}"
    writer.add(f" / {cell.among} chips = {text}" if cell.among > 1 else f" = {text}")
    total = Quantity(0, 0, q.dimension, fact.unit, factor * ends[0], factor * ends[-1])
    writer.row(Row(cell.of.entity, Key(cell.of.entity, cell.measure.metric), total, fact.unit, text, None))


def _chips_alone(writer: Writer, cells: Sequence[FactCell]) -> None:
    """Says of power of several that a machine has more of it than its chips together."""
    domain = writer.base.domain
    adds = all(domain.metrics[c.measure.metric].scales or domain.is_machine(c.of.entity) for c in cells)
    if max(c.times for c in cells) > 1 and not adds:
        writer.next()
        writer.add(_ALONE)
        writer.end()


def compare(writer: Writer, cells: Sequence[FactCell], query: Query) -> None:
    """The verdict and the ratio of two, an order of more; each figure by itself where they are not of one kind."""
    writer.next()
    if len(cells) == 1 or not all(c.facts and c.facts[0].claim.quantity is not None for c in cells):
        for cell in cells:
            look_up(writer, cell, query)
        return
    if len(cells) == _PAIR:
        _two(writer, cells[0], cells[1], query)
    else:
        _in_order(writer, cells, query)
    others = [f for c in cells for f in c.others][:_OTHERS]
    for n, fact in enumerate(others):
        writer.next()
        writer.add("; " if n else "Other variants: ")
        say(writer, fact)
    writer.end("." if others else "")


def _speaker(cell: FactCell) -> Counted:
    """Whose figure a cell has: the variant that speaks for a chip is named where others differ from it."""
    return replace(cell.of, entity=cell.facts[0].claim.subject) if cell.others and cell.times == 1 else cell.of


def _two(writer: Writer, first: FactCell, second: FactCell, query: Query) -> None:
    base = writer.base
    metric = base.domain.metrics[first.measure.metric]
    several = max(first.times, second.times) > 1
    if not several and not _decide(first, second):
        look_up(writer, first, query)
        look_up(writer, second, query)
        return
    if math.isclose(first.amount, second.amount):
        whose = (counted(_speaker(cell), base) for cell in (first, second))
        writer.add(f"{' and '.join(whose)} have the same {metric.name}: ")
        _figure(writer, first)
        writer.add(" and ")
        _figure(writer, second)
        writer.end()
        return
    down = is_downward(query.order or Order("most"), first.measure, base)
    one, other = sorted((first, second), key=lambda c: c.amount, reverse=down)
    how = metric.bigger_is if down else _OPPOSITE.get(metric.bigger_is, "less")
    leads = how if how in ("more", "less", "fewer") else f"the {_OF_FIGURES.get(how, how)}"
    writer.add(f"{counted(_speaker(one), base, beside_several=several)} {_have(one)} {leads} {metric.name}: ")
    _figure(writer, one)
    writer.add(" against ")
    _figure(writer, other)
    writer.add(f" for {counted(_speaker(other), base, beside_several=several)}")
    if min(one.amount, other.amount) > 0:
        writer.add(f", {_gap(one, other, query, base)}{times(one.amount / other.amount)} times as much")
    writer.end()
    _chips_alone(writer, (first, second))


def _gap(one: FactCell, other: FactCell, query: Query, base: Base) -> str:
    """The difference, or what that is in percent, where the question asks for it."""
    unit = one.facts[0].unit
    if query.relate == "percent":
        first, second = (one, other) if one.of == query.of.entities[0] else (other, one)
        return f"{100 * (first.amount / second.amount - 1):+.3g}% for {the(first.of.entity, base)}, "
    if query.relate == "difference" and unit == other.facts[0].unit:
        return f"a difference of {number(abs(one.amount - other.amount) / base.names.units[unit].scale)} {unit}, "
    return ""


def _in_order(writer: Writer, cells: Sequence[FactCell], query: Query) -> None:
    """Each with its figure, the one that the question is for first, and named first where it is alone at the top."""
    base, metric = writer.base, writer.base.domain.metrics[cells[0].measure.metric]
    down = is_downward(query.order or Order("most"), cells[0].measure, base)
    order, most = sorted(cells, key=lambda c: c.amount, reverse=down), "highest" if down else "lowest"
    leads = query.order is not None and all(c.is_single for c in cells) and order[0].amount != order[1].amount
    first = f"{counted(_speaker(order[0]), base)} {_have(order[0])} the {most} {metric.name}"
    writer.add(f"{first}:" if leads else f"By {metric.name}, the {most} first:")
    for cell in order:
        writer.add("\n- ", f"{counted(_speaker(cell), base)}: ")
        _figure(writer, cell)
    writer.end()


def are_twins(one: FactCell, other: FactCell) -> bool:
    """True for a dense figure and one with sparsity, or for one direction and both: neither is more than the other."""
    claims = [cell.facts[0].claim for cell in (one, other) if cell.facts]
    return any(len({c.qualifier(axis) for c in claims} - {""}) > 1 for axis in TWINS)


def _decide(one: FactCell, other: FactCell) -> bool:
    """True for figures of one scope and density of which one is surely larger, or that are the same."""
    a, b = one.facts[0].claim, other.facts[0].claim
    first, second = a.quantity, b.quantity
    if first is None or second is None or a.key.is_of_one != b.key.is_of_one or are_twins(one, other):
        return False
    same = (first.low, first.high) == (second.low, second.high)
    apart = first.low > second.high or second.low > first.high
    return "range" not in (first.form, second.form) and (same or apart)


def _is_told_elsewhere(column: Sequence[FactCell], table: FactTable) -> bool:
    """True for "and is that dense or sparse" where the figure before says so."""
    axis = column[0].measure.metric.removesuffix("_support")
    stated = (f.claim.qualifier(axis) for other in table.columns for cell in other for f in cell.facts)
    return not any(cell.facts for cell in column) and any(stated)


def _list(writer: Writer, table: FactTable) -> None:
    """Prices, a ranking or the members of a set, each with the figures that show it to be there."""
    rows = list(zip(*table.columns, strict=True))[: None if table.of_offers else LISTED]
    alone = len(rows) == 1 and table.of_offers
    writer.add("" if alone else f"{_lead(table, writer.base)}:")
    for row in rows:
        of = row[0].facts[0].claim.subject if table.of_offers and row[0].times * row[0].among == 1 else row[0].of.entity
        whose = counted(row[0].of, writer.base) if row[0].times > 1 else the(of, writer.base)
        writer.add("" if alone else "\n- ", whose)
        for n, cell in enumerate(cell for cell in row if cell.facts):
            writer.add(", " if n else ": ")
            _figure(writer, cell)
    left = len(table.columns[0]) - len(rows)
    writer.add(f"\n- and {left} more" if left > 0 else "")
    writer.end()


def _span(cells: Sequence[FactCell], base: Base) -> str:
    """ " from 1.99 to 12.29 USD/hour", where each is the price of one and all are in one unit."""
    found = [q for cell in cells if (q := cell.facts[0].claim.quantity) is not None and cell.times == cell.among == 1]
    if len(found) < max(len(cells), _OTHERS + 1) or len({q.unit for q in found}) > 1:
        return ""
    ends = [end for q in found for end in ((q.low, q.high) if q.form == "range" else (q.middle,))]
    low, high = (number(end / base.names.units[found[0].unit].scale) for end in (min(ends), max(ends)))
    return f" from {low} to {high} {found[0].unit}"


def _lead(table: FactTable, base: Base) -> str:
    """What a list is of, and of how many it was chosen."""
    order, cells = table.query.order, table.columns[0]
    names = [base.domain.metrics[m.metric].name for m in table.measures if not is_category(m.metric, base)]
    if table.of_offers:
        first = "newest" if order is None else "lowest" if cells[0].amount <= cells[-1].amount else "highest"
        return f"{table.known} offers{_span(cells, base)}, the {first} first"
    if order is not None:
        most = "highest" if is_downward(order, table.measures[0], base) else "lowest"
        return f"The {most} {names[0]} among {table.known} products with a known figure"
    if names and table.known:
        return f"{len(table.columns[0])} of {table.known} products with {'a ' * (len(names) == 1)}known {listed(names)}"
    terms = [f"{'' if c.holds else 'no '}{base.names.name(str(c.value))}" for c in table.query.of.where]
    terms = terms or [base.domain.metrics[m.metric].name for m in table.measures]
    return f"{listed(terms)}, as far as the facts show"


def overview(subjects: Sequence[Counted], base: Base, at: Qualifiers = ()) -> Told | None:
    """The main figures of one thing, or those that tell several apart, what limits the work `at` hand first; None where nothing is known."""
    ids = [s.entity for s in subjects]
    if not (all(map(base.names.is_chip, ids)) or (len(ids) > 1 and all(map(base.domain.is_machine, ids)))):
        return None
    lines = list(_lines(subjects, base, [v for a, v in at if a == "dtype"]))
    alike = [line for line in lines if _are_alike(line, base)]
    if len(alike) == len(lines):  # facts do not tell them apart
        return None
    writer = Writer(base)
    purpose = next((v for a, v in at if a == "workload" and v in _LIMITS), "")
    writer.add(_who_leads(subjects, lines, base, purpose) if len(ids) > 1 else the(ids[0], base))
    writer.end(":" if len(ids) == 1 else ".")
    for line in (line for line in lines if line not in alike):
        writer.add("\n- ")
        _write(writer, line)
    for n, line in enumerate(alike):
        first = line[0].facts[0]
        writer.add("; " if n else "\n- The same: ", base.domain.metrics[first.claim.metric].name)
        writer.add(f"{qualified(first, base)} {value(first, base)}")
        for cell in line:
            writer.add(" ", cell.facts[0])
    writer.end("." if alike else "")
    return writer.told()


def _write(writer: Writer, line: Line) -> None:
    """What each has, with the sum of several; of two how many times as much the one with more has."""
    base = writer.base
    qualifiers = {qualified(c.facts[0], base) for c in line}
    shared = qualifiers.pop() if len(qualifiers) == 1 else ""
    writer.add(capital(f"{base.domain.metrics[line[0].facts[0].claim.metric].name}{shared}: "))
    for n, cell in enumerate(line):
        writer.add("; " if n else "", f"{name(cell.of.entity, base)}: " if len(line) > 1 else "")
        _figure(writer, cell, qualifiers=not shared)
    less, more = sorted(line, key=lambda c: c.amount)[:: len(line) - 1] if len(line) == _PAIR else (line[0], line[0])
    if 0 < less.amount < more.amount and _decide(less, more):
        writer.add(f"; {times(more.amount / less.amount)} times as much for {counted(more.of, base)}")
    writer.end()
    _chips_alone(writer, line)


def _lines(subjects: Sequence[Counted], base: Base, formats: Sequence[str]) -> Iterator[Line]:
    """The main measures of which all have a figure, or of many two; of a metric no more than come first. Categories are of whom figures are."""
    speaking = list(subjects)
    for metric in base.domain.metrics.values():
        if metric.main or (len(subjects) > 1 and metric.id == PRICES[1]):
            by_format = metric.nature == "specified" and "dtype" in metric.qualifiers
            each = dict.fromkeys((*formats, *_FORMATS)) if by_format else ()
            measures = [Measure(metric.id, (("dtype", f),)) for f in each] or [Measure(metric.id)]
            about = speaking if metric.dimension == "text" else subjects
            filled = [fill(about, measure, Query(""), base) for measure in measures]
            known = ([c for c in cells if c.facts and not c.of_chips] for cells in filled)
            least = min(len(subjects), _PAIR)
            told = sorted((cells for cells in known if len(cells) >= least), key=len, reverse=True)
            for cells in told[:_OF_ONE_METRIC]:
                speaking = [_speaker(c) for c in cells] if len(cells) == len(subjects) else speaking
                yield tuple(replace(c, of=_speaker(c), facts=c.facts[:1], others=()) for c in cells)


def _are_alike(line: Line, base: Base) -> bool:
    """True where all have the same, as far as it is rounded, and what it is qualified by as well: 16 GB of GDDR6 are no 16 GB of HBM2."""
    first, *others = (cell.facts[0] for cell in line)
    exact = all(c.is_single or c.facts[0].claim.quantity is None for c in line)
    of_a_kind = len({(c.times, qualified(c.facts[0], base)) for c in line}) == 1
    return bool(others) and exact and of_a_kind and all(agree(first, f) for f in others)


def _who_leads(subjects: Sequence[Counted], lines: Sequence[Line], base: Base, purpose: str) -> str:
    """Who has more of what, of two by which factor: what limits the purpose, then the largest first, each in the format people compare by."""
    ahead: dict[str, tuple[float, Counted, str]] = {}
    for line in lines:
        metric = base.domain.metrics[line[0].facts[0].claim.metric]
        is_cost = metric.nature == "priced" or metric.dimension == "power"
        no_lead = metric.id in ahead or is_cost or not metric.bigger_is
        if no_lead or len(line) < len(subjects) or any((c.of.count or 1) != c.times for c in line):
            continue
        second, first = sorted(line, key=lambda c: c.amount)[-2:]
        ratio = first.amount / second.amount if second.amount > 0 else 0.0
        if len(line) == _PAIR and ratio >= _WORTH and _decide(first, second):
            dtype = first.measure.axes and base.names.name(first.measure.axes[0][1])
            words = f"{times(ratio)} times the {metric.name}{f' ({dtype})' if dtype else ''}"
            ahead[metric.id] = (ratio, first.of, words)
        elif len(line) > _PAIR and ratio > 1 and all(c.is_single for c in line):
            ahead[metric.id] = (1.0, first.of, f"the highest {metric.name}")
    several = any((s.count or 1) > 1 for s in subjects)
    called = {s: counted(s, base, beside_several=several) for s in (*subjects, *(lead[1] for lead in ahead.values()))}
    limit = ahead.pop(_LIMITS.get(purpose, ""), None)
    has = {s: f"{text} {'have' if (s.count or 1) > 1 else 'has'}" for s, text in called.items()}
    leads: dict[str, list[str]] = {}
    for _, subject, words in sorted(ahead.values(), key=lambda lead: -lead[0]):
        leads.setdefault(has[subject], []).append(words)
    told = []
    if limit is not None:
        too = f", and also {listed(leads.pop(has[limit[1]]))}" if has[limit[1]] in leads else ""
        counts = f"For {base.names.name(purpose)}, {base.domain.metrics[_LIMITS[purpose]].name} matters most"
        told = [f"{counts}: {has[limit[1]]} {limit[2]}{too}"]
    told += [f"{who} {listed(words)}" for who, words in leads.items()]
    return "; ".join(told) or listed(called.values())
