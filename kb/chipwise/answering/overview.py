r"""What is known of things as a whole, where a question names no measure: the main metrics, of one or side by side.

H200                 "The H200:\n- memory capacity 141 GB [1] ..."
H200 and MI300X      "The MI300X has 1.32 times the peak compute (BF16, dense) and 1.36 times the memory capacity ...\n- Memory capacity: ..."
two 3090s and a 5090 "... Memory capacity: two 3090s 2 x 24 GB [1] = 48 GB, one 5090 32 GB [2], 1.5 times as much."
L40S and A100        "...; the A100 has no FP8 ..."
"""

from __future__ import annotations

from collections.abc import Sequence

from chipwise.answering.base import Base
from chipwise.answering.lines import Line, lines_of, telling, total
from chipwise.answering.query import Counted
from chipwise.answering.quoting import Told
from chipwise.answering.sentences import Writer, capital, counted, name, the, told_apart
from chipwise.answering.totals import ALONE
from chipwise.claims.model import Fact
from chipwise.figures.phrasing import listed, value_text
from chipwise.lookups.likeforlike import Comparison, Row, compare

_PRICE = "purchase_price"
_COSTS = ("tdp", "rack_power", _PRICE)  # of which less is better
_PAIR = 2


def overview(subjects: Sequence[Counted], base: Base) -> Told | None:
    """The main figures of one thing, or those that tell several apart; None where nothing is known."""
    ids = [s.entity for s in subjects]
    if not (all(map(base.names.is_chip, ids)) or (len(ids) > 1 and all(map(base.domain.is_machine, ids)))):
        return None
    table = _table(ids, base)
    lines = lines_of(table.rows, subjects, base)
    alike = [line for line in lines if line.are_alike]
    unlike = [line for line in lines if not line.are_alike]
    told = lines if len(ids) == 1 else unlike
    if not any(line.is_full for line in told):  # facts do not tell them apart
        return None
    writer = Writer(base)
    writer.add(_lead(subjects, unlike, base))
    writer.add(f" ({'; '.join(table.notes)})" if table.notes else "")
    writer.end(":" if len(ids) == 1 else ".")
    for line in unlike:
        writer.add("\n- ")
        _row(writer, subjects, line)
    _the_same(writer, alike)
    return writer.told()


def _table(ids: Sequence[str], base: Base) -> Comparison:
    return compare(base.store, base.names, ids, metrics=_metrics(ids, base), singles=len(ids) <= _PAIR)


def _metrics(ids: Sequence[str], base: Base) -> list[str]:
    """The main ones in the order of the domain, for machines as a machine has them; beside others what each costs."""
    every = base.domain.metrics.values()
    main = [m.id for m in every if m.main or (len(ids) > 1 and m.id == _PRICE)]
    return list(dict.fromkeys(base.domain.metric_of(m, ids[0]) for m in main))


def _lead(subjects: Sequence[Counted], lines: Sequence[Line], base: Base) -> str:
    """Who has more of what, and of two by which factor; what they draw and cost comes behind that, what one has not last."""
    if len(subjects) == 1:
        return the(subjects[0].entity, base)
    several = any((s.count or 1) > 1 for s in subjects)
    gains, costs = _leads(subjects, lines, base)

    def having(subject: Counted, what: Sequence[str]) -> str:
        verb = "have" if (subject.count or 1) > 1 else "has"
        return f"{counted(subject, base, beside_several=several)} {verb} {listed(what)}"

    said: list[str] = []
    for subject, led in gains.items():
        at = costs.pop(subject, []) if len(subjects) == _PAIR else []
        said.append(having(subject, led) + (f", at {listed(at)}" if at else ""))
    said += [having(subject, more) for subject, more in costs.items()]
    for n, subject in enumerate(subjects):
        lacking = [value_text(d, base.names) for line in lines if (d := line.denied) and line.facts[n] is None]
        said += [f"{the(subject.entity, base)} has {listed(lacking)}"] if lacking else []
    each = listed(counted(s, base, beside_several=several) for s in subjects)
    return "; ".join(said) or f"no figure that is known of all tells {each} apart"


def _leads(
    subjects: Sequence[Counted], lines: Sequence[Line], base: Base
) -> tuple[dict[Counted, list[str]], dict[Counted, list[str]]]:
    """By subject of what it has the most, and of what it costs the most, each metric once; of two with the factor, the largest first."""
    gains: dict[Counted, list[str]] = {}
    costs: dict[Counted, list[str]] = {}
    found = [lead for line in telling(lines) if (lead := _ahead(subjects, line, base)) is not None]
    for _, subject, said, metric in sorted(found, key=lambda lead: -lead[0]):
        led = costs if metric in _COSTS and len(subjects) == _PAIR else gains
        led.setdefault(subject, []).append(said)
    return gains, costs


def _ahead(subjects: Sequence[Counted], line: Line, base: Base) -> tuple[float, Counted, str, str] | None:
    """By which factor who is ahead, of what in words, and by which metric; None where nobody is, or not as many as are counted."""
    metric = base.domain.metrics[line.metric]
    if not metric.bigger_is or max(s.count or 1 for s in subjects) > max(line.counts):
        return None
    if len(subjects) == _PAIR:
        found = line.proportion
        if found is None:
            return None
        said = f"{found.words} the {_called(line.row, base)}"
        return found.factor, subjects[0 if found.first else 1], said, metric.id
    most = max(line.amounts)
    if not line.have_order or line.amounts.count(most) > 1:
        return None
    return 1.0, subjects[line.amounts.index(most)], f"the highest {metric.name}", metric.id


def _row(writer: Writer, subjects: Sequence[Counted], line: Line) -> None:
    """What each has, with the sum of several; of two the proportion."""
    base = writer.base
    metric = base.domain.metrics[line.metric]
    of_one = max(s.count or 1 for s in subjects) > max(line.counts) and line.known[0].claim.quantity is not None
    writer.add(f"{capital(_called(line.row, base))}{', of one each' if of_one else ''}: ")
    for n, (subject, fact, count) in enumerate(zip(subjects, line.facts, line.counts, strict=True)):
        writer.add(", " if n else "", f"{name(subject.entity, base)} " if len(subjects) > 1 else "")
        if fact is not None:
            _figure(writer, fact, count, line)
        elif line.denied is not None:
            writer.add(f"{value_text(line.denied, base.names)} ", line.denied)
        else:
            writer.add("no figure known")
    if (found := line.proportion) is not None:
        writer.add(f", {found.words} as much")
    elif len(subjects) == _PAIR and line.have_order and max(line.counts) > 1:
        writer.add(", the same")
    writer.end()
    if max(line.counts) > 1 and not metric.scales:
        writer.add(f" {ALONE}")
        writer.end()


def _figure(writer: Writer, fact: Fact, count: int, line: Line) -> None:
    base = writer.base
    each = f"{count} x " if count > 1 else ""
    apart = f"{told_apart(fact, line.known, base)}{_dated(fact, base)}"
    writer.add(f"{each}{value_text(fact, base.names)}{apart} ", fact)
    if count > 1:
        writer.add(f" = {total(fact, count, base)}")


def _dated(fact: Fact, base: Base) -> str:
    """ " (as of 2022-10)" of a price."""
    priced = base.domain.metrics[fact.claim.metric].nature == "priced"
    return f" (as of {fact.as_of})" if priced and fact.as_of else ""


def _the_same(writer: Writer, lines: Sequence[Line]) -> None:
    """What all have alike."""
    base = writer.base
    said = [(f"{_called(line.row, base)} {value_text(line.known[0], base.names)}", line.known) for line in lines]
    if not said:
        return
    writer.add("\n- The same: ")
    for n, (words, facts) in enumerate(said):
        writer.add("; " if n else "", words)
        for fact in facts:
            writer.add(" ", fact)
    writer.end()


def _called(row: Row, base: Base) -> str:
    said = ", ".join(w for w in row.words.split(", ") if w != "per chip")
    metric = base.names.metrics[row.metric].name
    return f"{metric} ({said})" if said else metric
