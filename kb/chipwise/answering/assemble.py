"""From the parts of one cover to a query: each slot of the query is filled from what is left of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Literal, cast

from chipwise.answering.frame import Frame
from chipwise.answering.measures import AT, CHIP_OF, GENERIC, at_axes, is_condition, measure, measures_of, relation_of, spread
from chipwise.answering.parts import Part
from chipwise.answering.query import Assertion, Condition, Measure, Order, Query, Set
from chipwise.answering.subject import HOLDERS, counted, is_searched, kinds_of, subject_of
from chipwise.domain.model import Domain
from chipwise.numbers.quantity import Quantity

_READINGS = 4  # of one cover, where names or metrics are ambiguous
_SIDES = {"most": "most", "least": "least", "best": "best", "worst": "worst"}
_MONEY = "priced"


def queries_of(frame: Frame, domain: Domain) -> Iterator[Query]:
    """The readings of one cover, likeliest first; none where no query can answer the question."""
    if frame.refuses and not (frame.refuses == "manner" and frame.sets_apart):
        return
    of = subject_of(frame, domain)
    what = list(spread(frame, measures_of(frame, of, domain), domain))
    picks = [ids[:2] for ids, *_ in what[:2]] + [ids[:1] for ids, *_ in what[2:]]
    things = [p.ids[:3] for p in frame.things if p.ids]
    for number, (*chosen, names) in enumerate(product(*picks, list(product(*things)))):
        if number == _READINGS:
            return
        measures = tuple(measure(m, axes, domain, unit, group) for m, (_, axes, unit, group) in zip(chosen, what, strict=True))
        assumed = tuple(
            f"{domain.metrics[m].name}" for m, (ids, *_) in zip(chosen, what, strict=True) if len(ids) > 1 and m in domain.metrics
        )
        meant = dict(zip((p.ids[0] for p in frame.things if p.ids), names, strict=True))
        query = _filled(frame, _meaning(of, meant), measures, domain)
        if query is not None:
            assumed += tuple(domain.entities[n].name for p, n in zip((p for p in frame.things if p.ids), names, strict=True) if len(p.ids) > 1)
            yield replace(query, assumed=assumed)


def _meaning(of: Set, meant: dict[str, str]) -> Set:
    """With each ambiguous name as one of the things that it may be."""
    change = lambda c: replace(c, entity=meant.get(c.entity, c.entity))  # noqa: E731
    return replace(of, entities=tuple(map(change, of.entities)), holding=tuple(map(change, of.holding)))


def _filled(frame: Frame, of: Set, what: tuple[Measure, ...], domain: Domain) -> Query | None:
    used: set[Part] = set()
    of = replace(of, where=tuple(_conditions(frame, of, what, domain, used)))
    if not what and of.entities and not of.holding:
        what = tuple(_told_measures(frame, of, domain))
    asserts = _asserted(frame, of, what, domain, used)
    if asserts is not None:
        what, asserted = asserts
    else:
        asserted = None
    order = _order(frame, of, asserted)
    if of.is_open and order is None and not of.where and not of.holding and not what and not of.without and not of.makers and not of.lines:
        return None
    at = at_axes(frame, asserted.value if asserted is not None and isinstance(asserted.value, str) else "")
    if not (of.entities or of.unknown or of.is_open or of.holding or (what and any(a in ("workload", "benchmark") for a, _ in at))):
        return None
    left = tuple(sorted({(p.start, p.end) for p in _unused(frame, used, of, what, asserted)}))
    relate = cast('Literal["", "difference", "ratio", "percent", "same"]', _relation(frame))
    return Query(frame.text, of, what, order, relate, asserted, (), at, _spans(frame), left)


def _conditions(frame: Frame, of: Set, what: tuple[Measure, ...], domain: Domain, used: set[Part]) -> Iterator[Condition]:
    """What members of an open set have to fulfil."""
    if not (of.is_open or of.holding):
        return
    for part in frame.conditions:
        used.add(part)
        assert part.quantity is not None
        yield Condition(measure(part.ids[0], part.axes, domain), part.quantity)
    for part in frame.quantities:
        metric = _metric_of(part.quantity, domain) if part.quantity else ""
        if part.quantity and part.quantity.dimension == "count" and domain.counted(part.quantity.unit) == "chips" and not of.holding:
            metric = "chips_per_node"
        if metric and part.quantity:
            used.add(part)
            yield Condition(measure(metric, (), domain), part.quantity)
    for part in frame.measures:
        if is_searched(frame) and is_condition(part, domain):
            metric = relation_of(replace(part, ids=(part.value,)), part.ids, domain)
            used.add(part)
            yield Condition(Measure(metric), part.value, part.holds)
    for part in frame.told:
        verb, category = part.inner
        used.add(part)
        yield Condition(Measure(verb.ids[0]), category.ids[0], category.holds and part.holds)
    for part in frame.categories:
        metric = relation_of(part, [m.metric for m in what], domain)
        if metric:
            used.add(part)
            yield Condition(Measure(metric), part.ids[0], part.holds)
    dates = [m for m in what if m.metric in domain.metrics and domain.metrics[m.metric].dimension == "date"]
    if dates and frame.dates:
        yield from (Condition(dates[0], p.value) for p in frame.dates)
    if of.holding or "system" in of.kinds or "instance" in of.kinds:
        for part in frame.axes:
            yield from (Condition(Measure("cloud_availability"), v) for a, v in part.axes if a == "provider")


def _metric_of(quantity: Quantity, domain: Domain) -> str:
    """The metric that a figure is of where none is named."""
    if quantity.dimension == "information":
        return "memory_capacity"
    if quantity.dimension == "power":
        return "tdp"
    default = domain.default_metrics.get(quantity.dimension, "")
    main = [m.id for m in domain.metrics.values() if m.dimension == quantity.dimension and m.main]
    plain = [m.id for m in domain.metrics.values() if m.dimension == quantity.dimension and m.nature == _MONEY]
    return default or next(iter(main or plain), "")


def _told_measures(frame: Frame, of: Set, domain: Domain) -> Iterator[Measure]:
    """What is asked of a thing by a noun or a verb alone: "which clouds offer", "who makes", "which GPU is in a p5"."""
    kinds = {k for p in frame.opens for k in kinds_of(p)}
    lines = any(p.ids for p in frame.opens)
    if "cloud" in kinds or ("who" in frame.asks and any("cloud_availability" in v.ids for v in frame.verbs)):
        yield Measure("cloud_availability")
    elif "maker" in kinds or "who" in frame.asks:
        verb = next((v for v in frame.verbs if v.ids[:1] in (("designer",), ("foundry",))), None)
        yield Measure(verb.ids[0] if verb else "designer")
    elif frame.asks & {"which", "what"} and (lines or "chip" in kinds) and all(domain.is_machine(c.entity) for c in of.entities):
        yield Measure(CHIP_OF)
    elif frame.verbs and not (frame.categories or frame.told or frame.is_yes_no) and frame.asks & {"which", "what", "who"}:
        yield Measure(frame.verbs[0].ids[0])


def _asserted(
    frame: Frame, of: Set, what: tuple[Measure, ...], domain: Domain, used: set[Part]
) -> tuple[tuple[Measure, ...], Assertion] | None:
    """What is put forward to be judged, and of which measure."""
    if not (of.entities or of.unknown):
        return None
    judged = frame.is_yes_no or frame.states
    told = [(p.inner[1], p.inner[0].ids, p.holds) for p in frame.told] + [(p, tuple(m.metric for m in what), p.holds) for p in frame.categories]
    figures = [(p, p.ids[0]) for p in frame.conditions] + [(p, "") for p in frame.quantities]
    if len(of.entities) > 1 and frame.compared and judged:
        return _compared(frame, what, domain, used)
    if figures and (judged or not frame.asks):
        part, metric = figures[0]
        assert part.quantity is not None
        used.add(part)
        metric = metric or next((m.metric for m in what if _same_dimension(m.metric, part.quantity, domain)), "") or _metric_of(part.quantity, domain)
        if not metric:
            return None
        axes = {x for m in what if m.metric == metric for x in m.axes} | set(part.axes) | {(a, v) for p in frame.axes for a, v in p.axes if a not in AT}
        return (measure(metric, axes, domain),), Assertion(part.quantity)
    if told and judged:
        category, metrics, holds = told[0]
        metric = relation_of(category, metrics, domain)
        if metric:
            used.update([*frame.told[:1], category])
            others = tuple(m for m in what if m.metric != metric and m.metric in domain.metrics and domain.metrics[m.metric].dimension != "text")
            del others
            return (Measure(metric),), Assertion(category.ids[0], holds)
    values = [(p, v) for p in frame.measures for v in [p.value] if v and v != "group"]
    if values and judged:
        part, value = values[0]
        metric = relation_of(replace(part, ids=(value,)), part.ids, domain)
        if metric:
            return (Measure(metric),), Assertion(value, part.holds and not frame.negations)
    if frame.makers and judged and not what:
        used.update(frame.makers)
        return (Measure("designer"),), Assertion(frame.makers[0].ids[0], not frame.negations)
    return None


def _compared(frame: Frame, what: tuple[Measure, ...], domain: Domain, used: set[Part]) -> tuple[tuple[Measure, ...], Assertion]:
    multiple = next((p.quantity for p in frame.quantities if p.quantity and p.quantity.compares), None)
    used.update(frame.quantities)
    return what, Assertion(multiple)


def _same_dimension(metric: str, quantity: Quantity, domain: Domain) -> bool:
    return metric in domain.metrics and domain.metrics[metric].dimension == quantity.dimension


def _order(frame: Frame, of: Set, asserted: Assertion | None) -> Order | None:
    """Which comes first: of a set that is ranked, of things that are compared."""
    if len(of.entities) == 1 and not frame.compared and not of.entities[0].count:
        frame.orders = [p for p in frame.orders if p.operator is None or p.operator.value not in ("most", "least") or p.operator.metrics]
    ranked = frame.orders or ([] if frame.related and not frame.asks & {"which"} else frame.compared)
    if not ranked:
        return None
    (first, *_) = ranked
    inner = first.operator
    value = first.value if first.value in _SIDES else inner.value if inner is not None else "most"
    side = cast('Literal["most", "least", "best", "worst"]', value if value in _SIDES else "most")
    return Order(side, first.count or 1)


def _relation(frame: Frame) -> str:
    found = [p.value for p in frame.related]
    return found[-1] if found else ""


def _unused(frame: Frame, used: set[Part], of: Set, what: tuple[Measure, ...], asserted: Assertion | None) -> Iterator[Part]:
    """What nothing in the query accounts for."""
    yield from frame.left
    yield from frame.units
    yield from (p for p in frame.numbers if p.quantity is None or True)
    yield from (p for p in frame.negations if asserted is None)
    yield from (p for p in (*frame.categories, *frame.told, *frame.quantities, *frame.conditions) if p not in used)
    if of.entities and frame.makers:
        yield from (p for p in frame.makers if p not in used and not asserted)
    metrics = {m.metric for m in what} | {c.measure.metric for c in of.where}
    yield from (p for p in frame.verbs if metrics.isdisjoint(p.ids))
    taken = {x for m in what for x in m.axes} | {x for c in of.where for x in c.measure.axes}
    scoped = {m.scope.unit for m in what if m.scope}
    for part in frame.axes:
        if any(a not in AT and (a, v) not in taken and v not in scoped and (a, v) not in GENERIC for a, v in part.axes):
            yield part
        elif not what and any(a in ("price_terms",) for a, _ in part.axes):
            yield part


def _spans(frame: Frame) -> dict[str, tuple[tuple[int, int], ...]]:
    """Where each part of the query stands in the text."""
    groups = {"of": (*frame.things, *frame.opens), "what": frame.measures, "order": (*frame.orders, *frame.compared)}
    return {name: tuple((p.start, p.end) for p in parts) for name, parts in groups.items() if parts}


__all__ = ["HOLDERS", "counted", "is_searched", "queries_of"]
