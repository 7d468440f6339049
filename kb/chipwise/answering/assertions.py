"""What a question puts forward to be judged: a figure, a category, or which of two things has more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from chipwise.answering.measures import AT, measure, relation_of, usual_metric
from chipwise.answering.query import CLOUDS, DESIGNER, Assertion, Measure, Set
from chipwise.answering.roles import Phrase, Roles, describing
from chipwise.domain.model import Domain
from chipwise.numbers.quantity import Quantity

Asserted = tuple[tuple[Measure, ...], Assertion]
Values = Iterator[tuple[Phrase, str, str, bool]]  # each with its id, its metric, and whether it is said to hold


def asserted(roles: Roles, of: Set, what: tuple[Measure, ...], domain: Domain) -> Asserted | None:
    """The measures and what is said of them; None where nothing is put forward. What it accounts for is marked as used."""
    judged = roles.is_yes_no or roles.has("states")
    holds = not roles.has("not")
    if len(of.entities) == 1 and (options := _options(roles, what, domain)):
        return options
    if of.is_open:
        return (what, Assertion()) if judged else None
    described = describing(roles)
    figures = [p for p in roles.of("figure") if p not in described or p.bound_to is not None]
    if not (of.entities or of.unknown):  # "another says 96 GB", of what was spoken of before
        figure = _figure(roles, what, domain, roles.of("figure"), holds=holds) if roles.has("states") else None
        return figure or (_category(roles, what, domain) if judged else None)  # "and is it liquid cooled?"
    several = len(of.entities) > 1
    if several and (apart := _set_apart(roles, what, domain, judged=judged) or _of_several(roles, what, domain)):
        return apart
    states = judged or not roles.asks
    if states and (figure := _figure(roles, what, domain, figures, holds=holds)):
        return figure
    says = judged or (not roles.asks and not roles.sets_apart and _says_a_value(roles, what, domain))
    told = _category(roles, what, domain) if says else None
    # a figure beside the name only tells which one is meant, where anything else is asserted
    return told or (_figure(roles, what, domain, described, holds=holds) if states else None)


def _values(roles: Roles, what: Sequence[Measure], domain: Domain) -> Values:
    """The categories that are named."""
    metrics = tuple(m.metric for m in what)
    told = CLOUDS in metrics or any(CLOUDS in roles.metrics_of(v) for v in roles.of("verb"))
    offered = told or not roles.has("measure")
    for part in roles.of("told", *(("maker",) if roles.is_choice else ())):  # "made by NVIDIA or AMD"
        yield part, part.value, part.ids[0] if part.ids else DESIGNER, part.holds
    for part in roles.of("value", "measure"):
        if part.value and (metric := relation_of(part.value, part.ids or metrics, domain)):
            yield part, part.value, metric, part.holds
    for part in roles.of("value") if offered and not roles.has("compare") else ():
        yield from ((part, v, CLOUDS, True) for a, v in part.axes if a == "provider")


def _category(roles: Roles, what: Sequence[Measure], domain: Domain) -> Asserted | None:
    """The first category that can be one of what is named: "supports FP8", "has no NVLink"."""
    for part, value, metric, holds in _values(roles, what, domain):
        if metric == DESIGNER and roles.has("compare", "measure"):
            continue  # "is the H100 from AWS cheaper than from Azure" asks no maker
        if part.axes and part.kind != "told" and roles.has("compare", "versus"):
            continue  # "is INT8 faster than BF16 on a TPU v4"
        part.used = True
        return (Measure(metric),), Assertion(value, holds != roles.has("not"))
    return None


def _options(roles: Roles, what: Sequence[Measure], domain: Domain) -> Asserted | None:
    """ "HBM2e or HBM3", "made by NVIDIA or Google": several categories of one kind of which it has one."""
    if not roles.has("or") or roles.has("compare"):
        return None
    named = _values(roles, what, domain)
    found = {value: (part, metric) for part, value, metric, holds in named if holds and metric != CLOUDS}
    metrics = {metric for _, metric in found.values()}
    if len(found) < 2 or len(metrics) != 1:  # noqa: PLR2004
        return None
    (metric,) = metrics
    if not (roles.is_choice or domain.metrics[metric].single):
        return None
    for part, _ in found.values():
        part.used = True
    first, *others = sorted(found, key=lambda id_: found[id_][0].start)
    return (Measure(metric),), Assertion(first, others=tuple(others))


def _says_a_value(roles: Roles, what: Sequence[Measure], domain: Domain) -> bool:
    """True for "V100 BF16 support", which asks whether it has that."""
    values = roles.of("value")
    alone = not roles.has("measure") and not what
    if alone and any(a == "provider" for p in values for a, _ in p.axes):
        return True  # "TPU v5e on AWS?"
    texts = [p for p in values if p.value and p.ids and not p.axes and domain.metrics[p.ids[0]].dimension == "text"]
    # "MIG on A10?"
    bare = alone and any(p.value and not p.ids for p in values) and roles.text.rstrip().endswith("?")
    return bool(roles.has("told") or texts or bare)


def _of_several(roles: Roles, what: tuple[Measure, ...], domain: Domain) -> Asserted | None:
    """ "Does FP8 run on A, or only on B", "which supports it, A or B": a category that each of them has or lacks."""
    if roles.has("compare", "rank", "versus", "figure"):
        return None
    supports = any(p.value and domain.metrics[i].dimension == "text" for p in roles.of("value") for i in p.ids[:1])
    asks = roles.is_choice or (supports and not roles.asks.isdisjoint(("which", "what")))
    return _category(roles, what, domain) if asks else None


def _set_apart(roles: Roles, what: tuple[Measure, ...], domain: Domain, *, judged: bool) -> Asserted | None:
    """ "Does A have more than B", "twice the memory of B", "the same as B"; not that they differ in that only."""
    if any("only" in p.does for p in roles.phrases):
        return None
    multiple = next((p for p in roles.of("figure", "multiple") if _factor(p)), None)
    than = roles.has("than") and roles.has("compare") and not roles.has("relate")
    stated = judged or (not roles.asks and bool(multiple or than))
    if not stated or not (roles.has("compare") or multiple or roles.relates("same", "as much")):
        return None
    factor = _limited(multiple, roles, domain) if multiple is not None else None
    if multiple is not None:
        multiple.used = True
    return what, Assertion(factor, not roles.has("not"), strict=multiple is not None and multiple.strict)


def _factor(part: Phrase) -> Quantity | None:
    if part.figure is not None:
        return part.figure if part.figure.compares else None
    value = float(part.value)
    return Quantity(part.start, part.end, "ratio", "x", value, value, form="multiple")


def _limited(part: Phrase, roles: Roles, domain: Domain) -> Quantity | None:
    """The figure that is put forward; "up to 150 GB" says that this is reached."""
    found = part.figure if part.figure is not None else _factor(part)
    limits = any(o.value == "limit" for o in domain.operators_in(roles.text[part.start : part.end]))
    return replace(found, low=found.high, bound="about") if found is not None and limits else found


def _figure(
    roles: Roles, what: Sequence[Measure], domain: Domain, figures: Sequence[Phrase], *, holds: bool
) -> Asserted | None:
    """The first figure beside its measure, else the first of all; beside what is only asked for none of another dimension."""
    judged = roles.is_yes_no or roles.has("states") or not what
    dimensions = {m.metric: domain.metrics[m.metric].dimension for m in what if m.metric in domain.metrics}
    for part in sorted(figures, key=lambda p: p.bound_to is None):
        found = part.figure
        if found is None or found.compares or roles.has("than"):  # "more memory than 140 GB"
            continue
        alike = next((metric for metric, dimension in dimensions.items() if dimension == found.dimension), "")
        metric = part.ids[0] if part.bound_to is not None else alike or (usual_metric(found, domain) if judged else "")
        if metric:
            part.used = True
            own = {x for m in what if m.metric == metric for x in m.axes} | set(part.axes)
            own |= {(a, v) for p in roles.of("value") for a, v in p.axes if a not in AT}
            stated = _limited(part, roles, domain) or found
            return (measure(metric, own, domain),), Assertion(stated, holds, strict=part.strict or stated is not found)
    return None
