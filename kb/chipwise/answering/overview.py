r"""What is known of things as a whole, where a question names no measure: the main metrics, of one or side by side.

H200                 "The H200:\n- memory capacity 141 GB [1] ..."
H200 and MI300X      "The MI300X has 1.32 times the peak compute (BF16, dense) and 1.36 times the memory capacity ...\n- Memory capacity: ..."
two 3090s and a 5090 "... Memory capacity: two 3090s 2 x 24 GB [1] = 48 GB, one 5090 32 GB [2], 1.5 times as much."
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from chipwise.answering.base import Base
from chipwise.answering.query import Counted
from chipwise.answering.quoting import Told
from chipwise.answering.sentences import Writer, capital, counted, name, the, told_apart
from chipwise.answering.totals import ALONE
from chipwise.claims.model import Fact
from chipwise.figures.alike import agree
from chipwise.figures.amounts import number, times
from chipwise.figures.phrasing import listed, value_text
from chipwise.lookups.likeforlike import Row, compare

_OF_ONE_METRIC = 3  # rows: peaks in the number formats that come first
_PRICE = "purchase_price"
_COSTS = ("tdp", "rack_power", _PRICE)  # of which less is better
_FORMATS = ("bf16", "fp16", "fp8", "int8", "tf32")  # by which a peak is compared first
_PAIR = 2


@dataclass(frozen=True, slots=True)
class _Line:
    """One row of the table: a fact for each thing, and what all of each have where several are counted."""

    row: Row
    facts: tuple[Fact, ...]
    amounts: tuple[float, ...]
    counts: tuple[int, ...]

    @property
    def metric(self) -> str:
        return self.row.metric

    @property
    def are_numbers(self) -> bool:
        return _are_numbers(self.facts)

    @property
    def are_alike(self) -> bool:
        """True where all have the same, one each."""
        first, *others = self.facts
        if self.are_numbers and not first.is_single:  # "at most 6.5 kW" is met by 10.2 kW at most
            return bool(others) and len(set(self.amounts)) == 1
        same = all(agree(first, f) for f in others)
        return bool(others) and same and (len(set(self.counts)) == 1 or not self.are_numbers)


def overview(subjects: Sequence[Counted], base: Base) -> Told | None:
    """The main figures of one thing, or those that all of several have; None where nothing is known."""
    ids = [s.entity for s in subjects]
    if not (all(map(base.names.is_chip, ids)) or (len(ids) > 1 and all(map(base.domain.is_machine, ids)))):
        return None
    metrics = _metrics(ids, base)
    table = compare(base.store, base.names, ids, metrics=metrics, singles=len(ids) == 1)
    lines = list(_whole(table.rows, subjects, base))
    if not lines:
        return None
    writer = Writer(base)
    alike = [line for line in lines if line.are_alike]
    apart = list(_first_of_each(line for line in lines if not line.are_alike))
    if len(ids) > 1 and not apart:  # facts do not tell them apart
        return None
    writer.add(_lead(subjects, apart, base))
    writer.add(f" ({'; '.join(table.notes)})" if table.notes else "")
    writer.end(":" if len(ids) == 1 else ".")
    for line in apart:
        writer.add("\n- ")
        _row(writer, subjects, line)
    if alike:
        _the_same(writer, list(_first_of_each(alike)))
    return writer.told()


def _metrics(ids: Sequence[str], base: Base) -> list[str]:
    """The main ones in the order of the domain, for machines as a machine has them; beside others what each costs."""
    every = base.domain.metrics.values()
    main = [m.id for m in every if m.main or (len(ids) > 1 and m.id == _PRICE)]
    return list(dict.fromkeys(base.domain.metric_of(m, ids[0]) for m in main))


def _whole(rows: Sequence[Row], subjects: Sequence[Counted], base: Base) -> Iterator[_Line]:
    """The rows in which all have a figure, of sources that this knowledge base holds."""
    for row in rows:
        facts = tuple(cell.fact for cell in row.cells if cell is not None)
        if len(facts) == len(subjects) and all(map(base.store.holds, facts)):
            metric = base.domain.metrics[row.metric]
            adds = (metric.scales or bool(metric.of_machines)) and _are_numbers(facts)
            counts = tuple((s.count or 1) if adds else 1 for s in subjects)
            yield _Line(row, facts, tuple(f.amount * n for f, n in zip(facts, counts, strict=True)), counts)


def _are_numbers(facts: Sequence[Fact]) -> bool:
    """True for one number each, or the same bound of each."""
    quantities = [f.claim.quantity for f in facts if f.claim.quantity is not None]
    bounds = {"range" if q.form == "range" else q.bound for q in quantities}
    one_bound = len(quantities) == len(facts) and len(bounds) == 1 and "range" not in bounds
    return one_bound or all(f.is_single for f in facts)


def _first_of_each(lines: Iterable[_Line]) -> Iterator[_Line]:
    seen: dict[str, int] = {}
    for line in lines:
        seen[line.metric] = seen.get(line.metric, 0) + 1
        if seen[line.metric] <= _OF_ONE_METRIC:
            yield line


def _lead(subjects: Sequence[Counted], lines: Sequence[_Line], base: Base) -> str:
    """Who has more of what, and of two by which factor; what they draw and cost comes last."""
    if len(subjects) == 1:
        return the(subjects[0].entity, base)
    gains, costs = _leads(subjects, lines, base)
    several = any((s.count or 1) > 1 for s in subjects)
    said: list[str] = []
    for subject, led in gains.items():
        verb = "have" if (subject.count or 1) > 1 else "has"
        at = costs.pop(subject, []) if len(subjects) == _PAIR else []
        said.append(f"{counted(subject, base, beside_several=several)} {verb} {listed(led)}")
        said[-1] += f", at {listed(at)}" if at else ""
    said += [
        f"{counted(s, base, beside_several=several)} {'have' if (s.count or 1) > 1 else 'has'} {listed(more)}"
        for s, more in costs.items()
    ]
    return "; ".join(said) if said else " and ".join(counted(s, base, beside_several=several) for s in subjects)


def _leads(
    subjects: Sequence[Counted], lines: Sequence[_Line], base: Base
) -> tuple[dict[Counted, list[str]], dict[Counted, list[str]]]:
    """By subject of what it has the most, and of what it costs the most, each metric once, with the factor where there are two."""
    gains: dict[Counted, list[str]] = {}
    costs: dict[Counted, list[str]] = {}
    for line in _telling(lines):
        metric = base.domain.metrics[line.metric]
        if not metric.bigger_is or not line.are_numbers:
            continue
        if max(s.count or 1 for s in subjects) > max(line.counts):  # of one each
            continue
        most, least = max(line.amounts), min(line.amounts)
        if line.amounts.count(most) > 1 or least <= 0:
            continue
        factor = f"{times(most / least)} times the {_called(line.row, base)}"
        led = costs if metric.id in _COSTS else gains
        led = led if len(subjects) == _PAIR else gains
        said = factor if len(subjects) == _PAIR else f"the highest {metric.name}"
        led.setdefault(subjects[line.amounts.index(most)], []).append(said)
    return gains, costs


def _telling(lines: Sequence[_Line]) -> Iterator[_Line]:
    """One line of each metric, in the number format that people compare by."""
    order = {d: n for n, d in enumerate(_FORMATS)}
    best: dict[str, _Line] = {}
    for line in sorted(lines, key=lambda line: order.get(line.facts[0].claim.qualifier("dtype"), len(order))):
        best.setdefault(line.metric, line)
    yield from (line for line in lines if best[line.metric] is line)


def _row(writer: Writer, subjects: Sequence[Counted], line: _Line) -> None:
    base = writer.base
    writer.add(f"{capital(_called(line.row, base))}: ")
    for n, (subject, fact, count) in enumerate(zip(subjects, line.facts, line.counts, strict=True)):
        whose = f"{name(subject.entity, base)} " if len(subjects) > 1 else ""
        each = f"{count} x " if count > 1 else ""
        apart = f"{told_apart(fact, line.facts, base)}{_dated(fact, base)}"
        writer.add(", " if n else "", f"{whose}{each}{value_text(fact, base.names)}{apart} ", fact)
        if count > 1:
            writer.add(f" = {number(line.amounts[n] / base.names.units[fact.unit].scale)} {fact.unit}")
    least, most = min(line.amounts), max(line.amounts)
    if len(subjects) == _PAIR and line.are_numbers and least > 0:
        writer.add(f", {times(most / least)} times as much" if most > least else ", the same")
    writer.end()
    if max(line.counts) > 1 and not base.domain.metrics[line.metric].scales:
        writer.add(f" {ALONE}")
        writer.end()


def _dated(fact: Fact, base: Base) -> str:
    """ " (as of 2022-10)" of a price."""
    priced = base.domain.metrics[fact.claim.metric].nature == "priced"
    return f" (as of {fact.as_of})" if priced and fact.as_of else ""


def _the_same(writer: Writer, lines: Sequence[_Line]) -> None:
    writer.add("\n- The same: ")
    for n, line in enumerate(lines):
        writer.add(
            "; " if n else "", f"{_called(line.row, writer.base)} {value_text(line.facts[0], writer.base.names)}"
        )
        for fact in line.facts:
            writer.add(" ", fact)
    writer.end()


def _called(row: Row, base: Base) -> str:
    said = ", ".join(w for w in row.words.split(", ") if w != "per chip")
    metric = base.names.metrics[row.metric].name
    return f"{metric} ({said})" if said else metric
