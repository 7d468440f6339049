"""What the members of an open set have to fulfil: figures within bounds, categories, dates."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from chipwise.answering.frame import Frame
from chipwise.answering.measures import is_condition, measure, relation_of
from chipwise.answering.parts import GENERIC, Part
from chipwise.answering.query import Condition, Measure, Set
from chipwise.answering.subject import clouds_of, is_searched
from chipwise.domain.model import Domain
from chipwise.numbers.quantity import Quantity

_USUAL = {"information": "memory_capacity", "power": "tdp"}  # what a bare figure of a chip is of
_PRICED = "priced"


def conditions_of(
    frame: Frame, of: Set, what: tuple[Measure, ...], domain: Domain, used: set[Part]
) -> Iterator[Condition]:
    """The conditions in the order of the question; the parts that they account for go into `used`."""
    if not (of.is_open or of.holding):
        return
    found = [
        *_of_figures(frame, of, domain),
        *_of_categories(frame, of, used, what, domain),
    ]
    for part, condition in sorted(found, key=lambda f: f[0].start):
        used.add(part)
        yield condition


def kinds_named(frame: Frame, domain: Domain) -> Iterator[Condition]:
    """The "NVLink" of "NVLink bandwidth": what a thing has to have for its figure to be the one that is asked for."""
    for part in frame.measures:
        if part.category == "measure" and part.value and part.value != "group":
            metric = relation_of(replace(part, ids=(part.value,)), (), domain)
            if metric and metric not in part.ids and (metric, part.value) not in GENERIC:
                yield Condition(Measure(metric), part.value, part.holds)


def _of_figures(frame: Frame, of: Set, domain: Domain) -> Iterator[tuple[Part, Condition]]:
    for part in frame.conditions:
        if part.quantity is not None:
            yield part, Condition(measure(part.ids[0], part.axes, domain), part.quantity, strict=part.is_strict)
    for part in frame.quantities:
        found = part.quantity
        metric = usual_metric(found, domain) if found else ""
        if found and found.dimension == "count" and domain.counted(found.unit) == "chips":
            metric = "" if of.holding or frame.orders else "chips_per_node"
        if metric and found:
            yield part, Condition(measure(metric, (), domain), found, strict=part.is_strict)


def _of_categories(
    frame: Frame, of: Set, used: set[Part], what: tuple[Measure, ...], domain: Domain
) -> Iterator[tuple[Part, Condition]]:
    for part in frame.measures:
        if is_searched(frame) and is_condition(part, domain, ranks=bool(frame.orders)):
            metric = relation_of(replace(part, ids=(part.value,)), part.ids, domain)
            yield part, Condition(Measure(metric), part.value, part.holds)
    if of.holding:
        used.update(p for p in (*frame.told, *frame.categories) if p.ids[0] in clouds_of(frame, domain))
    for part in frame.told:
        if part in used:
            continue
        verb, category = part.inner
        yield part, Condition(Measure(verb.ids[0]), category.ids[0], category.holds and part.holds)
    for part in frame.categories:
        if part in used:
            continue
        if (
            part.ids[0] in domain.terms
            and domain.terms[part.ids[0]].kind == "company"
            and set(of.makers) & set(domain.vendors_named(part.ids[0]))
        ):
            used.add(part)
            continue
        metric = relation_of(part, [m.metric for m in what], domain)
        if metric:
            yield part, Condition(Measure(metric), part.ids[0], part.holds)


def usual_metric(quantity: Quantity, domain: Domain) -> str:
    """The metric that a figure is of where none is named; "" where that is open."""
    if quantity.dimension in _USUAL:
        return _USUAL[quantity.dimension]
    alike = [m for m in domain.metrics.values() if m.dimension == quantity.dimension]
    likely = (
        [m.id for m in alike if m.default]
        or [m.id for m in alike if m.main]
        or [m.id for m in alike if m.nature == _PRICED]
    )
    return likely[0] if likely and quantity.dimension not in ("ratio", "count", "number") else ""
