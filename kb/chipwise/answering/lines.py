"""The lines of a comparison: a figure of each thing, how they stand to one another, and what one of two has not.

A100, L40S  ->  memory capacity: 80 GB, 48 GB, 1.67 times;  peak compute (FP8, dense): no FP8, 733 TFLOPS
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from chipwise.answering.base import Base
from chipwise.answering.categories import denial
from chipwise.answering.cells import DENIAL
from chipwise.answering.measures import KINDS
from chipwise.answering.query import Counted
from chipwise.claims.model import Fact
from chipwise.figures.alike import agree
from chipwise.figures.amounts import number
from chipwise.figures.phrasing import value_text
from chipwise.figures.proportion import Proportion, proportion, same_bound
from chipwise.figures.variants import covered
from chipwise.lookups.likeforlike import Row
from chipwise.values import dataclass

_OF_ONE_METRIC = 3  # peaks in the number formats that come first
_FORMATS = ("bf16", "fp16", "fp8", "fp4", "int8", "tf32")  # by which a peak is compared first
_PAIR = 2
_DTYPE = "dtype"


@dataclass(frozen=True, slots=True)
class Line:
    """A fact for each thing and how often it counts. `denied` says that the one without a fact has no such thing."""

    row: Row
    facts: tuple[Fact | None, ...]
    counts: tuple[int, ...]
    denied: Fact | None = None

    @property
    def metric(self) -> str:
        """What the figures are of."""
        return self.row.metric

    @property
    def known(self) -> tuple[Fact, ...]:
        """The facts that there are."""
        return tuple(f for f in self.facts if f is not None)

    @property
    def is_full(self) -> bool:
        """True where each has one."""
        return None not in self.facts

    @property
    def amounts(self) -> tuple[float, ...]:
        """What all of each have, in base units."""
        return tuple(f.amount * n if f is not None else 0.0 for f, n in zip(self.facts, self.counts, strict=True))

    @property
    def have_order(self) -> bool:
        """True where one number each, or one bound of each, says which is the most."""
        first, *others = self.known
        return self.is_full and all(same_bound(first, f) for f in (first, *others))

    @property
    def are_alike(self) -> bool:
        """True where all have the same: one number as far as it is rounded, the same range, the same category."""
        first, *others = self.known
        if not others or not self.is_full or len(set(self.counts)) > 1:
            return False
        if all(f.is_single or f.claim.quantity is None for f in self.known):
            return all(agree(first, f) for f in others)
        return len({_ends(f) for f in self.known}) == 1

    @property
    def proportion(self) -> Proportion | None:
        """Of two, how many times as much the one with more has."""
        if len(self.facts) != _PAIR or not self.is_full:
            return None
        (a, b), (m, n) = self.known, self.counts
        return proportion(a, b, (m, n))


def _ends(fact: Fact) -> tuple[float, float] | None:
    quantity = fact.claim.quantity
    return (quantity.low, quantity.high) if quantity is not None else None


def lines_of(rows: Sequence[Row], subjects: Sequence[Counted], base: Base) -> list[Line]:
    """The rows of which all have a figure, of a metric no more than those that come first, and what one of two has not."""
    found: list[Line] = []
    for row in rows:
        line = _line(row, subjects, base)
        if line.is_full:
            several = sum((o.metric, o.is_full, o.are_alike) == (line.metric, True, line.are_alike) for o in found)
            found += [line] if several < _OF_ONE_METRIC else []
        elif len(subjects) == _PAIR and line.known and (gap := _gap(line, subjects, base)) is not None:
            found.append(gap)
    return found


def _line(row: Row, subjects: Sequence[Counted], base: Base) -> Line:
    cells = (cell.fact if cell is not None and base.store.holds(cell.fact) else None for cell in row.cells)
    facts, metric = tuple(cells), base.domain.metrics[row.metric]
    adds = (metric.scales or bool(metric.of_machines)) and all(f is None or f.claim.quantity is not None for f in facts)
    return Line(row, facts, tuple((s.count or 1) if adds else 1 for s in subjects))


def _gap(line: Line, subjects: Sequence[Counted], base: Base) -> Line | None:
    """A line of which one thing has no figure: it has no such format, or nothing like it is known of it; None where that says nothing."""
    other = subjects[line.facts.index(None)].entity
    (fact,) = line.known
    if dtype := fact.claim.qualifier(_DTYPE):
        denied = denial(other, dtype, base)
        return Line(line.row, line.facts, line.counts, denied) if denied is not None else None
    metric, about = base.domain.metrics[line.metric], covered(base.names, other)
    if fact.claim.quantity is None or metric.nature == "priced" or _DTYPE in metric.qualifiers:
        return None
    kinds = base.store.facts(about, [KINDS[metric.id]]) if metric.id in KINDS else []
    none = next(
        (f for f in kinds if f.value.startswith(DENIAL) and f.rank == "preferred" and base.store.holds(f)), None
    )
    return None if base.store.facts(about, [metric.id]) else Line(line.row, line.facts, line.counts, none)


def telling(lines: Sequence[Line]) -> Iterator[Line]:
    """One line of each metric, of those that tell two apart in the number format that people compare by."""

    def last(line: Line) -> tuple[bool, int]:
        dtype = line.known[0].claim.qualifier(_DTYPE)
        tells = len(line.facts) != _PAIR or line.proportion is not None
        return not tells, _FORMATS.index(dtype) if dtype in _FORMATS else len(_FORMATS)

    best: dict[str, Line] = {}
    full = [line for line in lines if line.is_full]
    for line in sorted(full, key=last):
        best.setdefault(line.metric, line)
    yield from (line for line in full if best[line.metric] is line)


def total(fact: Fact, count: int, base: Base) -> str:
    """What so many have together: "48 GB", "at most 1,024 GB", "56,000 to 62,000 USD"."""
    quantity = fact.claim.quantity
    scale = base.names.units[fact.unit].scale
    if quantity is None:
        return value_text(fact, base.names)
    if quantity.form == "range":
        return f"{number(quantity.low * count / scale)} to {number(quantity.high * count / scale)} {fact.unit}"
    bound = "" if quantity.bound == "exact" else f"{quantity.bound} "
    return f"{bound}{number(fact.amount * count / scale)} {fact.unit}"
