"""What a question puts forward to be judged: a figure, a category, or which of two things has more."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import cast

from chipwise.answering.conditions import usual_metric
from chipwise.answering.frame import Frame
from chipwise.answering.measures import AT, measure, relation_of
from chipwise.answering.parts import Part
from chipwise.answering.query import CLOUDS, DESIGNER, Among, Assertion, Measure, Set
from chipwise.domain.model import Domain
from chipwise.numbers.quantity import Quantity

Asserted = tuple[tuple[Measure, ...], Assertion]
_TIMES = "x"
_ONLY = "only"  # a kind of operators
_HOURLY = "price_per_hour"
_AS_MUCH, _LIMIT = "as much", "limit"  # values of operators


def asserted(frame: Frame, of: Set, what: tuple[Measure, ...], domain: Domain, used: set[Part]) -> Asserted | None:
    """The measures and what is said of them; None where nothing is put forward. What it accounts for goes into `used`."""
    judged = frame.is_yes_no or frame.states
    if len(of.entities) == 1 and (offered := _placed(frame, what, domain, used) or _options(frame, what, domain, used)):
        return offered
    if of.is_open or of.holding:
        return (what, Assertion()) if judged else None
    if not (of.entities or of.unknown):  # "another says 96 GB", of what was spoken of before
        figure = _figure(frame, what, domain, used, frame.quantities) if frame.states else None
        return figure or (_category(frame, what, domain, used) if judged else None)  # "and is it liquid cooled?"
    if len(of.entities) > 1 and (sets := _set_apart(frame, what, judged, domain, used)):
        return sets
    states = judged or not frame.asks
    figures = [p for p in frame.quantities if p not in frame.describing]
    if states and (figure := _figure(frame, what, domain, used, figures)):
        return figure
    says = judged or (not frame.asks and not frame.sets_apart and _says_a_value(frame, domain))
    told = (_category(frame, what, domain, used) or _maker(frame, of, domain, used)) if says else None
    # a figure beside the name only tells which one is meant, where anything else is asserted
    return told or (_figure(frame, what, domain, used, frame.describing) if states else None)


def _placed(frame: Frame, what: tuple[Measure, ...], domain: Domain, used: set[Part]) -> Asserted | None:
    """ "$8.20 an hour for an H100, is that a lot": a price or a measured figure, to be placed among the known ones.

    Not placed is what only comes along: "we pay $16 for 8 H100s, what is that per GPU", "does an H100 at $2 have a high
    bandwidth". Verified instead is what is only reported ("we were quoted $2, is that true") or "normal" of a specification,
    which has one right value.
    """
    if not frame.judges or frame.asks - {"opener"}:
        return None
    parts = set[Part]()
    figure = _figure(frame, what, domain, parts, frame.quantities)
    if figure is None:
        return None
    (judged,), asserted = figure
    others = {m.metric for m in what if m.metric in domain.metrics and domain.metrics[m.metric].dimension != "text"}
    if others - {judged.metric}:
        return None
    used.update(parts, frame.judges)
    among, is_specified = _among(frame), domain.metrics[judged.metric].nature == "specified"
    is_verified = among == "any" and (frame.states or is_specified)
    return (judged,), asserted if is_verified else replace(asserted, among=among)


def _category(frame: Frame, what: tuple[Measure, ...], domain: Domain, used: set[Part]) -> Asserted | None:
    """The first category that can be one of what is named: "supports FP8", "has no NVLink"."""
    for part, id_, metrics, holds in _categories(frame, what):
        metric = relation_of(replace(part, ids=(id_,)), metrics, domain)
        if metric == DESIGNER and (frame.compared or frame.measures):
            continue  # "is the H100 from AWS cheaper than from Azure" asks no maker
        if metric:
            used.add(part)
            return (Measure(metric),), Assertion(id_, holds != bool(frame.negations))
    return None


def _options(frame: Frame, what: tuple[Measure, ...], domain: Domain, used: set[Part]) -> Asserted | None:
    """ "HBM2e or HBM3", "made by NVIDIA or Google": several categories of one kind of which it has one."""
    figures = any(
        p.category == "measure" and not p.axes and domain.metrics[p.ids[0]].dimension != "text" for p in frame.measures
    )
    ranks = any(p.ids for p in frame.orders)  # "or is FP8 the lowest it goes" ranks nothing
    given = [p for p in frame.quantities if p not in frame.describing]
    if "or" not in frame.joins or figures or frame.compared or ranks or given or frame.conditions:
        return None
    found = {
        id_: (part, relation_of(replace(part, ids=(id_,)), metrics, domain))
        for part, id_, metrics, holds in _categories(frame, what)
        if holds
    }
    for part in (*frame.measures, *frame.axes):  # "HBM2e or HBM3", which are kinds of memory and axes of its figures
        found |= {v: (part, a) for a, v in part.axes if a in domain.relations and v not in found}
    for part in frame.axes if frame.is_choice else ():  # "FP4 support, or is FP8 ..."
        metric = relation_of(part, (), domain) if part.ids else ""
        found |= {part.ids[0]: (part, metric)} if metric and part.ids[0] not in found else {}
    makers = [(p, c) for p in frame.makers if (c := domain.company_of(p.ids[0]))]
    if len(makers) > 1 and not found:
        found = {company: (part, DESIGNER) for part, company in makers}
    metrics = {metric for _, metric in found.values()}
    if len(found) < 2 or len(metrics) != 1 or "" in metrics:  # noqa: PLR2004
        return None
    (metric,) = metrics
    if not (frame.is_choice or metric == DESIGNER or domain.metrics[metric].single):
        return None
    used.update(part for part, _ in found.values())
    first, *others = sorted(found, key=lambda id_: found[id_][0].start)
    return (Measure(metric),), Assertion(first, others=tuple(others))


def _says_a_value(frame: Frame, domain: Domain) -> bool:
    """True for "V100 BF16 support", which asks whether it has that."""
    if not frame.measures and any(a == "provider" for p in frame.axes for a, _ in p.axes):
        return True  # "TPU v5e on AWS?"
    texts = [
        p for p in frame.measures if p.category == "weak" and p.value and domain.metrics[p.ids[0]].dimension == "text"
    ]
    bare = frame.categories and not frame.measures and frame.text.rstrip().endswith("?")  # "MIG on A10?"
    return bool(frame.told or texts or bare)


def _set_apart(
    frame: Frame, what: tuple[Measure, ...], judged: bool, domain: Domain, used: set[Part]
) -> Asserted | None:
    """ "Does A have more than B", "twice the memory of B", "the same as B"; not that they differ in that only."""
    if any(o.kind == _ONLY for o in domain.operators_in(frame.text)):
        return None
    multiple = next((p for p in (*frame.quantities, *frame.multiplied) if _factor(p)), None)
    stated = judged or (
        not frame.asks
        and (
            bool(multiple or frame.multiplied) or ("than" in frame.joins and bool(frame.compared) and not frame.related)
        )
    )
    if not stated or not (
        frame.compared or frame.multiplied or multiple or any(p.value in ("same", _AS_MUCH) for p in frame.related)
    ):
        return None
    if multiple is not None:
        used.add(multiple)
    factor = _as_asserted(multiple, frame, domain) if multiple is not None else None
    return what, Assertion(factor, not frame.negations, strict=multiple is not None and multiple.is_strict)


def _factor(part: Part) -> Quantity | None:
    if part.quantity is not None and part.quantity.compares:
        return part.quantity
    if part.category in ("multiple", "multiplied") and part.value:
        value = float(part.value)
        return Quantity(part.start, part.end, "ratio", _TIMES, value, value, form="multiple")
    return None


def _as_asserted(part: Part, frame: Frame, domain: Domain) -> Quantity | None:
    """The figure that is put forward; "up to 150 GB" says that this is reached."""
    found = part.quantity if part.quantity is not None and not part.value else _factor(part)
    said = frame.text[part.start : part.end]
    limits = any(o.value == _LIMIT for o in domain.operators_in(said))
    return replace(found, low=found.high, bound="about") if found is not None and limits else found


def _figure(
    frame: Frame, what: tuple[Measure, ...], domain: Domain, used: set[Part], others: Sequence[Part]
) -> Asserted | None:
    """The first figure beside its measure, else of `others`."""
    figures = [(p, p.ids[0]) for p in frame.conditions] + [(p, "") for p in others]
    for part, named in figures:
        found = _by_the_hour(part.quantity, frame)
        if found is None:
            continue
        alike = (
            m.metric
            for m in what
            if m.metric in domain.metrics and domain.metrics[m.metric].dimension == found.dimension
        )
        metric = named or next(alike, "") or usual_metric(found, domain)
        if metric:
            used.add(part)
            own = {x for m in what if m.metric == metric for x in m.axes} | set(part.axes)
            beside = {(a, v) for p in frame.axes for a, v in p.axes if a not in AT}
            beside |= {(a, v) for p in frame.measures if p.category == "weak" for a, v in p.axes}
            stated = _than(frame, _as_asserted(replace(part, quantity=found), frame, domain) or found)
            strict = part.is_strict or stated is not found
            return (measure(metric, own | beside, domain),), Assertion(stated, not frame.negations, strict=strict)
    return None


def _among(frame: Frame) -> Among:
    """What the figure is taken for; "we pay $3, is that a lot" takes it for much."""
    said = [p.value for p in frame.judges]
    return cast("Among", next((v for v in said if v != "any"), "any"))


def _by_the_hour(found: Quantity | None, frame: Frame) -> Quantity | None:
    """ "$8.20 per H100-hour": a price, of an hour."""
    hourly = any(p.operator is not None and _HOURLY in p.operator.metrics for p in frame.hints)
    if found is None or found.dimension != "price" or not frame.judges or not hourly:
        return found
    return replace(found, dimension="price_rate", unit=f"{found.unit}/hour")


def _than(frame: Frame, figure: Quantity) -> Quantity:
    """ "more memory than 140 GB": a bound, on the side that the comparison names."""
    sides = [p.operator.value for p in frame.compared if p.operator is not None]
    if "than" not in frame.joins or figure.bound != "exact" or not sides:
        return figure
    if sides[0] in ("most", "best"):
        return replace(figure, low=figure.middle, high=math.inf, bound="at least")
    return replace(figure, low=-math.inf, high=figure.middle, bound="at most")


def _categories(frame: Frame, what: tuple[Measure, ...]) -> Iterator[tuple[Part, str, tuple[str, ...], bool]]:
    """The categories that are named: each with its id, the metrics that it may be of, and whether it is said to hold."""
    metrics = tuple(m.metric for m in what)
    for part in frame.told:
        verb, category = part.inner
        yield part, category.ids[0], verb.ids, part.holds and category.holds
    for part in frame.measures:
        if part.value and part.value != "group":
            yield part, part.value, part.ids, part.holds
    for part in frame.categories:
        yield part, part.ids[0], metrics, part.holds
    offered = CLOUDS in metrics or any(CLOUDS in v.ids for v in frame.verbs) or not frame.measures
    for part in (*frame.axes, *frame.measures) if offered and not frame.compared else ():
        yield from ((part, v, (CLOUDS,), True) for a, v in part.axes if a == "provider")


def _maker(frame: Frame, of: Set, domain: Domain, used: set[Part]) -> Asserted | None:
    """ "Is the MI300X an NVIDIA chip?", "is it from AMD": the company of that name, which the thing itself does not put forward."""
    own = {c.entity for c in of.entities}
    lines = [
        (p, domain.entities[i].vendor)
        for p in frame.opens
        for i in p.ids
        if i in domain.entities and domain.kind(i) != "family" and i not in own
    ]
    for _, vendor in lines:
        if company := domain.company_of(vendor):
            return (Measure(DESIGNER),), Assertion(company, not frame.negations)
    parts = [*frame.makers, *(m for p in frame.opens for m in p.inner if m.category == "maker")]
    parts += [m for p in frame.excluded for m in p.inner if m.category == "maker"]
    for part in parts:
        company = domain.company_of(part.ids[0])
        if company:
            used.update([part, *frame.excluded])
            return (Measure(DESIGNER),), Assertion(company, not frame.excluded and not frame.negations)
    return None
