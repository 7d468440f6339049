"""Whose figure it is, what it measures, and what it is set against.

Each answer is an id of the domain, or empty where the text does not tell.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from chipwise.claims.scene import Scene, ids
from chipwise.claims.topics import COMPARED, NO_OWNER, coordinated, is_unnamed, own_mentions, subjects_of
from chipwise.domain import Domain
from chipwise.phrasebook import Mention
from chipwise.quantities import Quantity
from chipwise.records import Metric

_OWNS = re.compile(
    r"(?:\s\w+){0,3}?\s(?:of|for|in|on|per|with|from|by)\s(?:the\s|an?\s|each\s|one\s|every\s|early\s|current\s|first\s|NVIDIA\s|NVIDIA['’]s\s|Google['’]s\s)?|\s\(|\s",
    re.I,
)
_GENERAL = re.compile(r"\b(?:usually|typically|generally|in general|commonly|on the order of|often between)\b", re.I)
_OTHER_SIDE = re.compile(
    r"\b(?:against|versus|vs\.?|instead of|rather than|compared (?:to|with))\s(?:the\s|only\s|its\s)?[~$]?$", re.I
)
_BEHIND = re.compile(
    r"(?:['’]s\s(?:[\w-]+\s){0,3}|\s?\(|\s(?:with|at|and)\s(?:its\s|their\s|the\s)?|\s)(?:about\s|roughly\s|~)?[~$]?",
    re.I,
)
_COUNTED = re.compile(r"\d[\s-]$")
_RESPECTIVELY = re.compile(r"\brespectively\b", re.I)
_COMPARATIVE = ("multiple", "change", "discount")
_AFTER_IS_DEARER = 1.5  # "a TDP of 700 W": the wording mostly comes first
_TAKEN = 40  # characters: the price of a wording that another figure stands closer to
_FARTHEST = 160  # characters between a figure and the wording that gives it its metric
_FROM_TO = re.compile(r"\b(?:switch\w*|mov\w+|migrat\w+|go\w*|chang\w+)\s+(?:over\s)?from\b", re.I)


def subjects(domain: Domain, scene: Scene, quantity: Quantity, carried: Sequence[str]) -> tuple[str, ...]:
    """The entities that a figure is about: several only when each of them has it.

    "667 TFLOPS of Trainium2", else what was named last before it, else the subject
    after it; "76% more than the H100 with its 80 GB": a figure behind what is
    compared with is that one's.
    """
    within = [m for m in scene.entities if m.start < quantity.end and quantity.start < m.end]
    if within:  # "3,800 tokens per second per H100", "H100 (80 GB)"
        return within[0].ids if len(within[0].ids) == 1 else ()
    named = [m for m in subjects_of(domain, scene) if not NO_OWNER.search(_before(scene, m, 24))]
    if any(not is_unnamed(domain, m) for m in named) or carried:
        named = [m for m in named if not is_unnamed(domain, m) or m.start == min(n.start for n in named)]
    after = next((m for m in named if m.start >= quantity.end), None)
    if after is not None and _OWNS.fullmatch(scene.text[quantity.end : after.start]) and not _compared(scene, after):
        return after.ids if len(after.ids) == 1 else ()
    own = own_mentions(domain, scene)
    if _OTHER_SIDE.search(_text_before(scene, quantity)):
        return ()  # "95 GB against 80 GB per chip": of something that is not named here
    named = [m for m in named if m.start >= quantity.end or not _compared(scene, m) or _adjacent(scene, m, quantity)]
    if not own and _GENERAL.search(scene.text):
        return ()  # "HBM bandwidth is usually around 1-2 TB/s": of no chip in particular
    if quantity.form in _COMPARATIVE:
        named = [m for m in named if not _compared(scene, m) and not _left_behind(scene, m)] or named
    before = [m for m in named if m.end <= quantity.start]
    if before:
        return _shared(domain, scene, quantity, named, before)
    if own:
        chosen = own[0]
        return chosen.ids if len(chosen.ids) == 1 else ()
    if any(_COUNTED.search(_before(scene, m, 8)) for m in scene.entities):
        return ()  # "ct6e-standard-8t has 8 TPU v6e chips and 256 GiB": of what they make up, not of what was spoken of before
    return _all_or_common(domain, tuple(carried), quantity)


def _adjacent(scene: Scene, mention: Mention, quantity: Quantity) -> bool:
    """ "more than the H100 (80 GB)", "than the H100's 80 GB": what is compared with has its figure right behind it."""
    return bool(_BEHIND.fullmatch(scene.text[mention.end : quantity.start]))


def _text_before(scene: Scene, quantity: Quantity) -> str:
    return scene.text[max(0, quantity.start - 24) : quantity.start]


def _shared(
    domain: Domain, scene: Scene, quantity: Quantity, named: Sequence[Mention], before: Sequence[Mention]
) -> tuple[str, ...]:
    """The name before a figure with those coordinated to it: one each where there are as many figures."""
    group = [before[-1]]
    for mention in reversed(before[:-1]):
        if ids([mention]) and coordinated(scene, [mention], [group[0]]) == ids([mention, group[0]]):
            group.insert(0, mention)
    if any(len(m.ids) != 1 for m in group):
        return ()
    if len(group) == 1:
        return group[0].ids
    next_name = next((m.start for m in named if m.start > group[-1].end), len(scene.text))
    same = [q for q in scene.figures if q.dimension == quantity.dimension and group[-1].end <= q.start < next_name]
    if len(same) == len(group) and (_RESPECTIVELY.search(scene.text) or len(same) > 1):
        return group[same.index(quantity)].ids
    return _all_or_common(domain, ids(group), quantity) if len(same) == 1 else ()


def _all_or_common(domain: Domain, entities: tuple[str, ...], quantity: Quantity) -> tuple[str, ...]:
    """All of them, or for a range ("80 GB to 141 GB") the family that they share."""
    if len(entities) < 2 or quantity.form != "range":  # noqa: PLR2004
        return entities if len(entities) == 1 or quantity.form not in _COMPARATIVE else ()
    common = _common(domain, entities)
    return (common,) if common else ()


def _common(domain: Domain, entities: Sequence[str]) -> str:
    """The nearest that all are a kind of or made of, or ""."""
    lines = [domain.ancestors(e) for e in entities]
    return next((a for a in lines[0] if all(a in line for line in lines)), "")


def metrics(domain: Domain, scene: Scene, above: Sequence[str]) -> dict[Quantity, str]:
    """What each figure of a sentence measures: the wording of its dimension closest to it.

    A wording goes to the figure that it is closest to first; figures left without
    share the nearest, then what stands `above` (heading, table header, lead-in).
    """
    pairs = sorted(
        (_metric_cost(scene, quantity, mention), n, k, metric)
        for n, quantity in enumerate(scene.figures)
        for k, mention in enumerate(scene.metrics)
        for metric in mention.ids
        if (quantity.form in _COMPARATIVE or not _compared(scene, mention))  # "smaller than HBM (128 MiB)"
        and fits(domain, domain.metrics[metric], quantity)
    )
    found: dict[Quantity, str] = {}
    used: set[int] = set()
    for cost, n, k, metric in pairs:
        quantity = scene.figures[n]
        if quantity not in found and k not in used and cost <= _FARTHEST:
            found[quantity] = metric
            used.add(k)
    for cost, n, _, metric in pairs:
        if cost + _TAKEN <= _FARTHEST:
            found.setdefault(scene.figures[n], metric)
    for quantity in scene.figures:
        if quantity not in found:
            found[quantity] = _from_above(domain, above, quantity) or by_default(domain, scene, quantity)
    return found


def implied(domain: Domain, metric: Metric, quantity: Quantity) -> Quantity:
    """The figure in the metric's own unit where its wording implies that: "hourly cost: $12" is 12 USD/hour."""
    unit = domain.units.get(metric.unit)
    if quantity.dimension not in metric.implied_by or unit is None:
        return quantity
    low, high = quantity.low * unit.scale, quantity.high * unit.scale
    return replace(quantity, dimension=metric.dimension, unit=unit.id, low=low, high=high)


def _metric_cost(scene: Scene, quantity: Quantity, mention: Mention) -> float:
    distance = scene.distance(quantity, mention)
    return distance * _AFTER_IS_DEARER if mention.start >= quantity.end else distance


def fits(domain: Domain, metric: Metric, quantity: Quantity) -> bool:
    """True when a figure can be one of `metric`, by its dimension, its unit and its form."""
    if quantity.form in _COMPARATIVE or quantity.unit == "x":
        # "2.3x the bandwidth" compares any metric
        return metric.dimension not in ("text", "date")
    if quantity.dimension in metric.implied_by:
        return True
    if metric.dimension != quantity.dimension:
        return False
    if quantity.dimension == "count":
        return _counts(domain, metric.unit) == _counts(domain, quantity.unit)
    # a share is no saving: "they need not run at 90% to be cheaper"
    return not (
        quantity.dimension == "ratio"
        and (metric.unit == "x" or (quantity.form == "share" and metric.nature == "priced"))
    )


def _counts(domain: Domain, unit: str) -> str:
    forms = domain.units.get(unit)
    return forms.of or forms.id if forms is not None else unit


def _from_above(domain: Domain, above: Sequence[str], quantity: Quantity) -> str:
    fitting = (m for m in above if fits(domain, domain.metrics[m], quantity))
    if quantity.form in _COMPARATIVE:
        return next(fitting, "discount" if quantity.form == "discount" else "")
    return next(fitting, "")


def by_default(domain: Domain, scene: Scene, quantity: Quantity) -> str:
    """What a figure without any wording is taken for: a peak, where a format or density stands beside it.

    "620, 668 and 708 TFLOPS are a spread" says nothing of what was measured.
    """
    default = domain.default_metrics.get(quantity.dimension, "")
    axes = {name.partition("=")[0] for m in scene.qualifiers for name in m.ids}
    return default if default and axes & {"dtype", "sparsity"} else ""


def baseline(domain: Domain, scene: Scene, quantity: Quantity, subject: Sequence[str]) -> str:
    """The entity that a multiple, a change or a discount is against, "" where none is named."""
    if quantity.form not in _COMPARATIVE and quantity.unit != "x":
        return ""
    compared = [
        m for m in scene.entities if _compared(scene, m) or _left_behind(scene, m) or _owned(scene, quantity, m)
    ]
    chosen = next((m for m in compared if m.start >= quantity.end), compared[-1] if compared else None)
    if chosen is None or set(chosen.ids) & set(subject):
        return ""
    return chosen.ids[0] if len(chosen.ids) == 1 else _common(domain, chosen.ids)


def _owned(scene: Scene, quantity: Quantity, mention: Mention) -> bool:
    """ "2.4x the bandwidth of the H100", "half the H100's price" """
    between = scene.text[quantity.end : mention.start] if mention.start >= quantity.end else "."
    return bool(re.fullmatch(r"\s(?:the|that of|an?)\s(?:[\w-]+\s){0,4}(?:of\s(?:the\s|an?\s)?)?", between))


def _compared(scene: Scene, mention: Mention) -> bool:
    return bool(COMPARED.search(_before(scene, mention, 48)))


def _left_behind(scene: Scene, mention: Mention) -> bool:
    """ "switching from NVIDIA GB300 NVL72 to TPUs": what was there before is the baseline."""
    before = _before(scene, mention, 40)
    return bool(re.search(_FROM_TO.pattern + r"\s(?:\w+['’]?s?\s){0,2}$", before, re.I))


def _before(scene: Scene, mention: Mention, characters: int) -> str:
    return scene.text[max(0, mention.start - characters) : mention.start]


def model_subject(domain: Domain, scene: Scene, quantity: Quantity, metric: Metric) -> Mapping[str, str]:
    """For a metric of models ("parameters"), the model named nearest: {"subject": id} or {}."""
    about = [m for m in scene.terms if domain.terms[m.ids[0]].kind in metric.about]
    nearest = min(about, key=lambda m: scene.distance(quantity, m), default=None)
    return {"subject": nearest.ids[0]} if nearest is not None else {}
