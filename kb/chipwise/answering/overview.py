r"""The table of default measures, where a question names no other: the main metrics of one thing, or of several side by side.

H200                 "The H200:\n- Memory capacity: 141 GB [1] ..."
H200 and MI300X      "The MI300X has 1.36 times the memory capacity ...\n- Memory capacity: H200 141 GB [1], MI300X 192 GB [2], 1.36 times as much. ..."
two 3090s and a 5090 "... Memory capacity: two 3090s 2 x 24 GB [1] = 48 GB, one 5090 32 GB [2], 1.5 times as much."

Which metrics are the main ones is data (metrics.toml).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from chipwise.answering.base import Base
from chipwise.answering.compare import ComparisonRow, compare
from chipwise.answering.query import PRICES, Counted
from chipwise.answering.quoting import Told
from chipwise.answering.sentences import Writer, capital, counted, name, the, told_apart
from chipwise.answering.tabletext import ALONE
from chipwise.claims.model import Fact
from chipwise.figures.alike import agree
from chipwise.figures.format import listed, number, value_text
from chipwise.figures.proportion import Proportion, proportion
from chipwise.values import dataclass

_OF_ONE_METRIC = 3  # peaks in the number formats that come first
_FORMATS = ("bf16", "fp16", "fp8", "fp4", "int8", "tf32")  # by which a peak is compared first
_PAIR = 2
_WORTH = 1.02  # a smaller factor tells nobody ahead


@dataclass(frozen=True, slots=True)
class Measured:
    """A row of which all have a figure, with how often each figure counts."""

    row: ComparisonRow
    facts: tuple[Fact, ...]
    counts: tuple[int, ...]
    called: str

    @property
    def proportion(self) -> Proportion | None:
        """Of two, how many times as much the one with more has."""
        if len(self.facts) != _PAIR or any(f.claim.quantity is None for f in self.facts):
            return None
        (a, b), (m, n) = self.facts, self.counts
        return proportion(a, b, (m, n))

    @property
    def are_alike(self) -> bool:
        """True where all have the same, as far as it is rounded."""
        first, *others = self.facts
        exact = all(f.is_single or f.claim.quantity is None for f in self.facts)
        return bool(others) and exact and len(set(self.counts)) == 1 and all(agree(first, f) for f in others)


def overview(subjects: Sequence[Counted], base: Base) -> Told | None:
    """The main figures of one thing, or those that tell several apart; None where nothing is known."""
    ids = [s.entity for s in subjects]
    if not (all(map(base.names.is_chip, ids)) or (len(ids) > 1 and all(map(base.domain.is_machine, ids)))):
        return None
    main = [m.id for m in base.domain.metrics.values() if m.main or (len(ids) > 1 and m.id == PRICES[1])]
    metrics = list(dict.fromkeys(base.domain.metric_of(m, ids[0]) for m in main))
    table = compare(base.known, base.names, ids, metrics=metrics, singles=len(ids) == 1)
    lines = list(_lines(table.rows, subjects, base))
    unlike = [line for line in lines if not line.are_alike]
    if not unlike:  # facts do not tell them apart
        return None
    writer = Writer(base)
    writer.add(_lead(subjects, unlike, base) if len(ids) > 1 else the(ids[0], base))
    writer.add(f" ({'; '.join(table.notes)})" if table.notes else "")
    writer.end(":" if len(ids) == 1 else ".")
    for line in unlike:
        writer.add("\n- ")
        _write(writer, subjects, line)
    for n, line in enumerate(line for line in lines if line.are_alike):
        writer.add("; " if n else "\n- The same: ", f"{line.called} {value_text(line.facts[0], base.names)}")
        for fact in line.facts:
            writer.add(" ", fact)
    writer.end("" if len(unlike) == len(lines) else ".")
    return writer.told()


def _lines(rows: Iterable[ComparisonRow], subjects: Sequence[Counted], base: Base) -> Iterable[Measured]:
    """The rows of which all have a figure, of a metric no more than those that come first."""
    shown: Counter[str] = Counter()
    for row in rows:
        metric = base.domain.metrics[row.metric]
        facts = tuple(f for f in row.facts if f is not None and base.known.holds(f))
        shown[row.metric] += len(facts) == len(subjects)
        if len(facts) == len(subjects) and shown[row.metric] <= _OF_ONE_METRIC:
            adds = (metric.scales or bool(metric.of_machines)) and all(f.claim.quantity is not None for f in facts)
            words = ", ".join(w for w in row.words.split(", ") if w not in ("", "per chip"))
            called = f"{metric.name} ({words})" if words else metric.name
            yield Measured(row, facts, tuple((s.count or 1) if adds else 1 for s in subjects), called)


def _lead(subjects: Sequence[Counted], lines: Sequence[Measured], base: Base) -> str:
    """Who has more of what, of two by which factor, the largest first; each metric once, in the format people compare by."""
    ahead: dict[str, tuple[float, Counted, str]] = {}
    for line in sorted(lines, key=_by_format):
        metric = base.domain.metrics[line.row.metric]
        is_counted = max(s.count or 1 for s in subjects) == max(line.counts)
        is_cost = metric.nature == "priced" or metric.dimension == "power"
        if not metric.bigger_is or is_cost or metric.id in ahead or not is_counted:
            continue
        more = line.proportion
        amounts = [f.amount * n for f, n in zip(line.facts, line.counts, strict=True)]
        if more is not None and more.factor >= _WORTH:
            ahead[metric.id] = (more.factor, subjects[0 if more.first else 1], f"{more.words} the {line.called}")
        elif len(subjects) > _PAIR and amounts.count(max(amounts)) == 1 and all(f.is_single for f in line.facts):
            ahead[metric.id] = (1.0, subjects[amounts.index(max(amounts))], f"the highest {metric.name}")
    leads: dict[Counted, list[str]] = {}
    for _, subject, words in sorted(ahead.values(), key=lambda lead: -lead[0]):
        leads.setdefault(subject, []).append(words)
    several = any((s.count or 1) > 1 for s in subjects)
    called = {s: counted(s, base, beside_several=several) for s in subjects}
    verbs = {s: "have" if (s.count or 1) > 1 else "has" for s in subjects}
    return "; ".join(f"{called[s]} {verbs[s]} {listed(w)}" for s, w in leads.items()) or listed(called.values())


def _by_format(line: Measured) -> tuple[bool, int]:
    dtype = line.facts[0].claim.qualifier("dtype")
    return line.proportion is None, _FORMATS.index(dtype) if dtype in _FORMATS else len(_FORMATS)


def _write(writer: Writer, subjects: Sequence[Counted], line: Measured) -> None:
    """What each has, with the sum of several; of two the proportion."""
    base = writer.base
    metric = base.domain.metrics[line.row.metric]
    writer.add(f"{capital(line.called)}: ")
    for n, (subject, fact, count) in enumerate(zip(subjects, line.facts, line.counts, strict=True)):
        writer.add(", " if n else "", f"{name(subject.entity, base)} " if len(subjects) > 1 else "")
        dated = f" (as of {fact.as_of})" if metric.nature == "priced" and fact.as_of else ""
        each = f"{count} x " if count > 1 else ""
        writer.add(f"{each}{value_text(fact, base.names)}{told_apart(fact, line.facts, base)}{dated} ", fact)
        if count > 1:
            writer.add(f" = {number(fact.amount * count / base.names.units[fact.unit].scale)} {fact.unit}")
    if (more := line.proportion) is not None:
        writer.add(f", {more.words} as much")
    writer.end()
    if max(line.counts) > 1 and not metric.scales:
        writer.add(f" {ALONE}")
        writer.end()
