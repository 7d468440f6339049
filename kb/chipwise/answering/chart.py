"""The chart: all parts that a question's slots make, and the best ways to cover the question with them."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence

from chipwise.answering.grammar import BONUS, BY_LEFT
from chipwise.answering.mentions import Slot
from chipwise.answering.parts import Part, cost_of, leaves
from chipwise.domain.model import Domain
from chipwise.values import dataclass

_MOST_FILLERS = 5  # between two parts that go together: "memory that one of the"
_MOST_EDGES = 4000  # of one question; a longer text is no question
COVERS = 6
_MARKS = (",", ";", ":", "-", "–", "—", ".", "?", "!", "(", ")")
_FILLS = 1.7  # more than a measure that stands by itself


@dataclass(frozen=True, slots=True)
class Edge:
    """A part over the slots `[start, end)`, and what it cost to make."""

    start: int
    end: int
    part: Part
    cost: float


@dataclass(frozen=True, slots=True)
class Cover:
    """Parts that cover a question, in order; the lower the cost, the more of it they account for."""

    cost: float
    parts: tuple[Part, ...]


def covers(text: str, found: Sequence[Slot], domain: Domain) -> list[Cover]:
    """The best covers of a question, best first."""
    edges = _edges(text, found, domain)
    best: list[list[tuple[float, tuple[Part, ...]]]] = [[] for _ in range(len(found) + 1)]
    best[0] = [(0.0, ())]
    for at in range(len(found)):
        for edge in edges[at]:
            cost = edge.cost + cost_of(edge.part)
            best[edge.end] += [(before + cost, (*parts, edge.part)) for before, parts in best[at]]
        best[at + 1] = heapq.nsmallest(COVERS, best[at + 1], key=lambda c: c[0])
    return [Cover(cost, parts) for cost, parts in best[-1]]


def _edges(text: str, found: Sequence[Slot], domain: Domain) -> list[list[Edge]]:
    """By the slot where they begin, all edges; what two make, however they were made, is kept once, the cheapest."""
    ends = _reachable(found)
    marks = [n for n in range(1, len(found)) if text[found[n - 1].end : found[n].start].strip() in _MARKS]
    by_start: list[list[Edge]] = [[] for _ in range(len(found) + 1)]
    by_end: list[list[Edge]] = [[] for _ in range(len(found) + 1)]
    agenda = [
        Edge(n, n + 1, part, _leaf_cost(part, slot)) for n, slot in enumerate(found) for part in leaves(slot, domain)
    ]
    seen: set[tuple[int, int, Part]] = set()
    while agenda and len(seen) < _MOST_EDGES:
        edge = agenda.pop()
        key = (edge.start, edge.end, edge.part)
        if key in seen:
            continue
        seen.add(key)
        by_start[edge.start].append(edge)
        by_end[edge.end].append(edge)
        for at in ends[edge.end]:
            agenda += [e for right in by_start[at] for e in _joined(edge, right, marks, domain)]
        for end in range(edge.start, max(-1, edge.start - _MOST_FILLERS - 1), -1):
            if edge.start in ends[end]:
                agenda += [e for left in by_end[end] for e in _joined(left, edge, marks, domain)]
    return by_start


def _leaf_cost(part: Part, slot: Slot) -> float:
    """What it costs to take words for filler that may name a measure: "draws", "weighs"."""
    if part.category != "filler":
        return 0.0
    hinted = any(o.kind == "hint" for o in slot.operators)
    return _FILLS if slot.metrics or slot.axes or slot.makers else 0.1 * hinted


def _joined(left: Edge, right: Edge, marks: Sequence[int], domain: Domain) -> Iterator[Edge]:
    parted = any(left.end <= mark <= right.start for mark in marks)
    for production in BY_LEFT.get(left.part.category, ()):
        if production.right != right.part.category or (production.near and left.end != right.start):
            continue
        if parted and not production.across:
            continue
        made = production.combine(left.part, right.part, domain)
        if made is not None:
            yield Edge(left.start, right.end, made, left.cost + right.cost - BONUS)


def _reachable(found: Sequence[Slot]) -> list[list[int]]:
    """For each place between slots, those from which a part can go on: right there, or behind fillers."""
    reach: list[list[int]] = []
    for at in range(len(found) + 1):
        ends = [at]
        while ends[-1] < len(found) and len(ends) <= _MOST_FILLERS and _is_filler(found[ends[-1]]):
            ends.append(ends[-1] + 1)
        reach.append(ends)
    return reach


def _is_filler(slot: Slot) -> bool:
    return any(o.kind == "filler" for o in slot.operators)
