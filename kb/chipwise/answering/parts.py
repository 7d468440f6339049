"""The parts that a query is put together from: what one stretch of a question means, as the grammar sees it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from chipwise.answering.mentions import OF_METRICS, Slot
from chipwise.answering.query import Unknown
from chipwise.claims.model import Qualifiers
from chipwise.domain.model import Domain
from chipwise.domain.records import Operator
from chipwise.numbers.quantity import Quantity
from chipwise.values import dataclass

UNATTACHED = {  # what it costs that a part stands by itself, in words that are left: the less likely it is meant so, the more
    "word": 10.0,
    "thing": 1.0,
    "open": 1.0,
    "maker": 1.5,
    "measure": 1.0,
    "weak": 1.4,
    "axis": 1.2,
    "category": 1.6,
    "quantity": 1.5,
    "number": 4.0,
    "date": 1.0,
    "unit": 5.0,
    "filler": 0.0,
    "verb": 1.5,
    "hint": 0.0,
    "opener": 0.5,
    "bound": 4.0,
    "multiple": 3.0,
    "not": 3.0,
    "except": 3.0,
    "with": 0.2,
    "than": 0.3,
    "states": 0.2,
    "judge": 0.4,
    "present": 0.0,
    "refuse": 0.2,
}
GENERIC = {("memory_kind", "hbm"), ("memory_kind", "gddr")}  # "HBM" is how people call a memory
USUAL = 0.5  # that of any other part
_LINES = ("line", "family")


@dataclass(frozen=True, slots=True)
class Part:
    """One part: its category in the grammar, and what it brings along.

    `ids` are entities, metrics, or terms and values; `operator` the word that does something. `inner` are parts that were put together
    and keep a meaning of their own: the measure of a condition, the thing that is left out.
    """

    category: str
    start: int
    end: int
    ids: tuple[str, ...] = ()
    count: int | None = None
    unit: str = ""
    axes: Qualifiers = ()
    quantity: Quantity | None = None
    value: str = ""
    holds: bool = True
    operator: Operator | None = None
    unknown: Unknown | None = None
    inner: tuple[Part, ...] = ()
    is_strict: bool = False  # of a bound that is none of it
    is_asked: bool = False  # "how much", "how many" stands before it

    def over(self, other: Part, category: str = "", **changes: object) -> Part:
        """This part, grown over another one."""
        start, end = min(self.start, other.start), max(self.end, other.end)
        return replace(self, category=category or self.category, start=start, end=end, **changes)  # type: ignore[arg-type]


def leaves(slot: Slot, domain: Domain) -> Iterator[Part]:
    """Everything that a slot may be, each as a part."""
    start, end = slot.start, slot.end
    yield from _named(slot, domain)
    if slot.quantity is not None and slot.number is None:
        yield Part("quantity", start, end, quantity=slot.quantity, is_strict=slot.is_strict)
    if slot.number is not None:
        yield Part(
            "number", start, end, count=int(slot.number) if slot.number % 1 == 0 else None, quantity=slot.quantity
        )
    if slot.date:
        yield Part("date", start, end, value=slot.date)
    if slot.unit and not slot.metrics and (default := domain.default_metrics.get(domain.units[slot.unit].dimension)):
        yield Part("weak", start, end, (default,), unit=slot.unit)
    yield from _of_metrics(slot)
    if slot.makers:
        yield Part("maker", start, end, slot.makers)
    if slot.unit and not slot.metrics:
        yield Part("unit", start, end, unit=slot.unit)
    yield from _of_operators(slot)
    if not slot.is_known:
        yield Part("word", start, end)


def _of_operators(slot: Slot) -> Iterator[Part]:
    """What its words do to a query."""
    start, end = slot.start, slot.end
    for operator in slot.operators:
        if operator.kind == "number":  # "dual"
            yield Part("number", start, end, count=int(operator.value), operator=operator)
            continue
        yield Part(operator.kind, start, end, operator.metrics, value=operator.value, operator=operator)
        if operator.kind == "question" and operator.metrics:  # "how fast" asks for a measure by itself
            yield Part("measure", start, end, operator.metrics, operator=operator, is_asked=True)


def _of_metrics(slot: Slot) -> Iterator[Part]:
    """What it measures, on which axes, and the categories in it."""
    start, end = slot.start, slot.end
    verbs = {m for o in slot.operators if o.kind == "verb" for m in o.metrics}
    if slot.metrics and verbs.isdisjoint(slot.metrics):
        category = "weak" if slot.is_weak else "measure"
        axes = tuple((a, v) for a, v in slot.axes if a not in OF_METRICS)
        value = slot.categories[0] if slot.categories else ""
        holds = not value.startswith("!")
        yield Part(
            category, start, end, slot.metrics, axes=axes, value=value.removeprefix("!"), holds=holds, unit=slot.unit
        )
    denied = any(c.startswith("!") for c in slot.categories)
    if slot.axes and not denied and (slot.is_weak or not slot.metrics):
        yield Part("axis", start, end, axes=slot.axes, ids=slot.categories)
    if slot.categories:
        (first, *_) = slot.categories
        yield Part(
            "category",
            start,
            end,
            tuple(c.removeprefix("!") for c in slot.categories),
            holds=not first.startswith("!"),
            axes=slot.axes,
        )


def _named(slot: Slot, domain: Domain) -> Iterator[Part]:
    named = slot.names
    if named is None:
        return
    lines = [i for i in named.ids if domain.kind(i) in _LINES]
    if lines:
        yield Part("open", slot.start, slot.end, tuple(lines))
    if len(lines) < len(named.ids) or named.unknown is not None:
        ids = tuple(i for i in named.ids if i not in lines)
        yield Part("thing", slot.start, slot.end, ids, named.count, named.unit, unknown=named.unknown)


def cost_of(part: Part) -> float:
    """What it costs that a part stands by itself."""
    if part.category == "question" and part.ids:  # "how fast" is a measure, or goes with one
        return UNATTACHED["verb"]
    if part.category == "axis" and set(part.axes) <= GENERIC:  # by itself it is a measure
        return UNATTACHED["weak"] + USUAL
    return UNATTACHED.get(part.category, USUAL)
