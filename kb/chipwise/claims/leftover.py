"""The figures of a text that make no claim, kept as claims without a metric, and why each makes none.

    "The H100 offers 9 TB/s."                -> (nvidia-h100, "", 9 TB/s): what it measures is not said
    "An extra 40 GB would have helped."      -> ("", "", 40 GB): a difference

A reader of a check sees by them what nobody looked at; they are compared with nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from enum import StrEnum

from chipwise.claims import owners
from chipwise.claims.levels import is_level
from chipwise.claims.model import Claim
from chipwise.claims.scene import Scene
from chipwise.domain.model import Domain
from chipwise.numbers.quantity import Quantity
from chipwise.text import Span, asks
from chipwise.types import Passage

_UNITLESS = ("count", "number")  # "8 GPUs", "132": numbers of things, and no figures with a unit


class Left(StrEnum):
    """Why a figure cannot be judged."""

    ASIDE = "it is a setting, a need, a difference or a step of arithmetic"
    COMPARISON = "what it compares, or with what, is not said"
    METRIC = "what it measures is not said"
    SUBJECT = "no chip that is known is named"


def has_unit(quantity: Quantity) -> bool:
    """False for a number of things."""
    return quantity.dimension not in _UNITLESS or quantity.compares


def find_leftover(
    domain: Domain, scene: Scene, passage: Passage, span: Span, carried: Sequence[str]
) -> Iterator[Claim]:
    """All figures with a unit of a sentence that asks nothing, as claims without a metric."""
    if asks(scene.text):
        return
    start = passage.start + span[0]
    named = [(m.start, m.end) for group in (scene.entities, scene.terms, scene.qualifiers) for m in group]
    for quantity in filter(has_unit, scene.quantities):
        if any(first < quantity.end and quantity.start < last for first, last in named):
            continue  # "a one-year commitment": the name of something
        at, end = start + quantity.start, start + quantity.end
        about = owners.subjects(domain, scene, quantity, carried)
        yield Claim(
            source=passage.source,
            passage=passage.ordinal,
            start=start,
            end=passage.start + span[1],
            value_start=at,
            value_end=end,
            subject=about[0] if len(about) == 1 else "",
            metric="",
            quantity=replace(quantity, start=at, end=end),
        )


def without_told(claims: Sequence[Claim]) -> list[Claim]:
    """The claims without those that have no metric and a figure that another one has."""
    told: dict[int, list[Claim]] = {}
    for c in claims:
        told.setdefault(c.start, []).extend([c] if c.metric else [])
    kept: dict[tuple[int, int], Claim] = {}
    for c in claims:
        if not c.metric and not any(o.value_start < c.value_end and c.value_start < o.value_end for o in told[c.start]):
            kept.setdefault((c.value_start, c.value_end), c)
    return [c for c in claims if c.metric or kept.get((c.value_start, c.value_end)) is c]


def why_left(claim: Claim, text: str) -> Left:
    """Why the figure of a claim without subject or metric says nothing that could be judged; `text` is its sentence."""
    q = claim.quantity
    if q is None or claim.metric:
        return Left.SUBJECT
    if not is_level(text, replace(q, start=q.start - claim.start, end=q.end - claim.start)):
        return Left.ASIDE
    return Left.COMPARISON if q.compares else Left.METRIC
