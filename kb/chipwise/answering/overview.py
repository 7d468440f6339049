r"""What is known of things as a whole, where a question names no measure: the main metrics, of one or side by side.

H200                 "The H200:\n- memory capacity 141 GB [1] ..."
MI300X and H200      "The MI300X leads in memory capacity and peak compute ...\n- Memory capacity: MI300X 192 GB [1], H200 141 GB [2], 1.36 times as much."
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from chipwise.answering.base import Base
from chipwise.answering.sentences import Writer, capital, name, the, told_apart
from chipwise.asking.quoting import Told
from chipwise.claims.model import Fact
from chipwise.figures.alike import agree
from chipwise.figures.amounts import times
from chipwise.figures.phrasing import listed, value_text
from chipwise.lookups.likeforlike import Row, compare

_OF_ONE_METRIC = 3  # rows: peaks in the number formats that come first


def overview(subjects: Sequence[str], base: Base) -> Told | None:
    """The main figures of one chip, or those that all of several have; None where nothing is known."""
    if not all(map(base.names.is_chip, subjects)):
        return None
    metrics = [m.id for m in base.domain.metrics.values() if m.main]
    table = compare(base.store, base.names, subjects, metrics=metrics, singles=len(subjects) == 1)
    rows = list(_whole(table.rows, len(subjects), base))
    if not rows:
        return None
    writer = Writer(base)
    alike = [row for row in rows if _is_alike(row)]
    apart = list(_first_of_each(row for row in rows if row not in alike))
    if len(subjects) > 1 and not apart:  # facts do not tell them apart
        return None
    writer.add(_lead(subjects, apart, base))
    writer.add(f" ({'; '.join(table.notes)})" if table.notes else "")
    writer.end(":" if len(subjects) == 1 else ".")
    for row in apart:
        writer.add("\n- ")
        _row(writer, subjects, row)
    if alike:
        _the_same(writer, list(_first_of_each(alike)))
    return writer.told()


def leaders(subjects: Sequence[str], rows: Sequence[Row], base: Base) -> dict[str, list[str]]:
    """By subject the metrics in which it has the largest figure of all, each once; of what is no number nobody leads."""
    found: dict[str, list[str]] = {}
    for row in rows:
        facts = _facts(row)
        metric = base.domain.metrics[row.metric]
        if not metric.bigger_is or not all(f.is_single for f in facts):
            continue
        best = max(facts, key=lambda f: f.amount)
        leads = found.setdefault(subjects[facts.index(best)], [])
        if metric.name not in leads:
            leads.append(metric.name)
    return found


def _lead(subjects: Sequence[str], rows: Sequence[Row], base: Base) -> str:
    if len(subjects) == 1:
        return the(subjects[0], base)
    led = leaders(subjects, rows, base)
    said = [f"{the(s, base)} has the higher {listed(names)}" for s, names in led.items()]
    return "; ".join(said) if said else " and ".join(the(s, base) for s in subjects)


def _whole(rows: Sequence[Row], width: int, base: Base) -> Iterator[Row]:
    """The rows in which all have a figure, of sources that this knowledge base holds."""
    for row in rows:
        facts = _facts(row)
        if len(facts) == width and all(map(base.store.holds, facts)):
            yield row


def _is_alike(row: Row) -> bool:
    facts = _facts(row)
    return len(facts) > 1 and all(agree(a, b) for a, b in pairwise(facts))


def _first_of_each(rows: Iterator[Row] | Sequence[Row]) -> Iterator[Row]:
    seen: dict[str, int] = {}
    for row in rows:
        seen[row.metric] = seen.get(row.metric, 0) + 1
        if seen[row.metric] <= _OF_ONE_METRIC:
            yield row


def _row(writer: Writer, subjects: Sequence[str], row: Row) -> None:
    facts = _facts(row)
    writer.add(f"{capital(_called(row, writer.base))}: ")
    for n, (subject, fact) in enumerate(zip(subjects, facts, strict=True)):
        whose = f"{name(subject, writer.base)} " if len(subjects) > 1 else ""
        writer.add(
            ", " if n else "",
            f"{whose}{value_text(fact, writer.base.names)}{told_apart(fact, facts, writer.base)} ",
            fact,
        )
    amounts = sorted((f.amount for f in facts if f.is_single), reverse=True)
    if len(amounts) == len(facts) == 2 and amounts[1] > 0:  # noqa: PLR2004
        writer.add(f", {times(amounts[0] / amounts[1])} times as much")
    writer.end()


def _the_same(writer: Writer, rows: Sequence[Row]) -> None:
    writer.add("\n- The same: ")
    for n, row in enumerate(rows):
        facts = _facts(row)
        writer.add("; " if n else "", f"{_called(row, writer.base)} {value_text(facts[0], writer.base.names)}")
        for fact in facts:
            writer.add(" ", fact)
    writer.end()


def _called(row: Row, base: Base) -> str:
    said = ", ".join(w for w in row.words.split(", ") if w != "per chip")
    metric = base.names.metrics[row.metric].name
    return f"{metric} ({said})" if said else metric


def _facts(row: Row) -> list[Fact]:
    return [cell.fact for cell in row.cells if cell is not None]
