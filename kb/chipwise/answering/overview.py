"""The table of default measures, where a question names no other: the main figures of one thing, or of several side by side.

Which metrics are the main ones is data (metrics.toml).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from chipwise.answering.base import Base
from chipwise.answering.query import PRICES, Counted, Measure, Query
from chipwise.answering.quoting import Told
from chipwise.answering.sentences import Writer, capital, counted, name, qualified, the, value
from chipwise.answering.table import FactCell, fill
from chipwise.answering.tabletext import chips_alone, decide, figure, speaker
from chipwise.claims.model import Qualifiers
from chipwise.figures.alike import agree
from chipwise.figures.format import listed, times

_OF_ONE_METRIC = 3  # peaks in the number formats that come first
_FORMATS = ("bf16", "fp8", "fp4", "int8", "fp16", "tf32")  # by which a peak is compared first
_PAIR = 2
_WORTH = 1.02  # a smaller factor tells nobody ahead

# what limits the work that chips are compared for: reading weights at every token, or arithmetic
_LIMITS = {
    **dict.fromkeys(("inference", "decode", "low-latency-serving"), "memory_bandwidth"),
    **dict.fromkeys(("training", "pre-training", "fine-tuning", "prefill", "batch-inference"), "peak_compute"),
}

Line = tuple[FactCell, ...]  # a figure of each


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
    writer.add(_lead(subjects, lines, base, purpose) if len(ids) > 1 else the(ids[0], base))
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
        writer.add(", " if n else "", f"{name(cell.of.entity, base)} " if len(line) > 1 else "")
        figure(writer, cell, qualifiers=not shared)
    less, more = sorted(line, key=lambda c: c.amount)[:: len(line) - 1] if len(line) == _PAIR else (line[0], line[0])
    if 0 < less.amount < more.amount and decide(less, more):
        writer.add(f", {times(more.amount / less.amount)} times as much")
    writer.end()
    chips_alone(writer, line)


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
                speaking = [speaker(c) for c in cells] if len(cells) == len(subjects) else speaking
                yield tuple(replace(c, of=speaker(c), facts=c.facts[:1], others=()) for c in cells)


def _are_alike(line: Line, base: Base) -> bool:
    """True where all have the same, as far as it is rounded, and what it is qualified by as well: 16 GB of GDDR6 are no 16 GB of HBM2."""
    first, *others = (cell.facts[0] for cell in line)
    exact = all(c.is_single or c.facts[0].claim.quantity is None for c in line)
    of_a_kind = len({(c.times, qualified(c.facts[0], base)) for c in line}) == 1
    return bool(others) and exact and of_a_kind and all(agree(first, f) for f in others)


def _lead(subjects: Sequence[Counted], lines: Sequence[Line], base: Base, purpose: str) -> str:
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
        if len(line) == _PAIR and ratio >= _WORTH and decide(first, second):
            dtype = first.measure.axes and base.names.name(first.measure.axes[0][1])
            words = f"{times(ratio)} times the {metric.name}{f' ({dtype})' if dtype else ''}"
            ahead[metric.id] = (ratio, first.of, words)
        elif len(line) > _PAIR and ratio > 1 and all(c.is_single for c in line):
            ahead[metric.id] = (1.0, first.of, f"the highest {metric.name}")
    several = any((s.count or 1) > 1 for s in subjects)
    called = {s: counted(s, base, beside_several=several) for s in (*subjects, *(lead[1] for lead in ahead.values()))}
    limit = ahead.pop(_LIMITS.get(purpose, ""), None)
    leads: dict[Counted, list[str]] = {}
    for _, subject, words in sorted(ahead.values(), key=lambda lead: -lead[0]):
        leads.setdefault(subject, []).append(words)
    told = [_has(called, subject, words) for subject, words in leads.items()]
    if limit is not None:
        counts = f"For {base.names.name(purpose)} the {base.domain.metrics[_LIMITS[purpose]].name} matters most"
        told = [f"{counts}: {_has(called, limit[1], [limit[2]])}", *told]
    return "; ".join(told) or listed(called.values())


def _has(called: Mapping[Counted, str], subject: Counted, words: Sequence[str]) -> str:
    return f"{called[subject]} {'have' if (subject.count or 1) > 1 else 'has'} {listed(words)}"
