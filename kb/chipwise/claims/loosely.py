"""Words that do not tell of what, or of which, a figure is.

"5 TB/s of aggregate bandwidth"          of a chip's memory, or of its links?
"The accelerator is 1.7x faster"         which one?
"H100/H200 (80GB/141GB)"                 one each, and which has which?
"""

from __future__ import annotations

from chipwise import patterns as re
from chipwise.claims.around import clause
from chipwise.claims.model import Claim
from chipwise.claims.scene import Scene
from chipwise.domain.model import Domain
from chipwise.nouns import CARD, CHIP, THE
from chipwise.numbers.quantities import Quantity

_POWER = "power"  # whose vague wordings are told apart by what was done on it
_OR = re.compile(r"\s(?:or|and/or)\s[~$]?", re.I)
_NEXT = re.compile(r"\s?/\s?[~$]?\d")
_ON_A = re.compile(r"(?:\sof\s[\w-]+)?\s(?:on|in|for)\s(?:an?\s|the\s)?(?:[A-Z]\w+\s)?")
_EACH = re.compile(rf"\b(?:each|every)\s(?:of\s(?:its|the)\s)?(?:{CHIP}|{CARD})s?\b", re.I)
_CHIP_NAME = re.compile(r"\b([A-Z]+\d{2,4}[A-Za-z]*)[\s-]$")
_THE_ONE = re.compile(rf"\b{THE}$", re.I)
_CHIP = re.compile(CHIP, re.I)


def of_something_in_it(domain: Domain, scene: Scene, quantity: Quantity, claim: Claim) -> str:
    """A total of what one chip has of several sorts: its memory and its links have an "aggregate bandwidth" each."""
    metric = domain.metrics[claim.metric]
    several = (
        domain.is_machine(claim.subject)
        or claim.qualifier("count")
        or claim.qualifier("aggregation") not in ("", "chip")
    )
    if quantity.compares or metric.dimension == _POWER or not metric.vague or several:
        return ""
    told = [scene.text[m.start : m.end] for m in scene.metrics if claim.metric in m.ids]
    vague = {cue.lower() for cue in metric.vague}
    return f"of what it has {told[0]!r} is not said" if told and all(t.lower() in vague for t in told) else ""


def of_which_one(domain: Domain, scene: Scene, quantity: Quantity, claim: Claim) -> str:
    """ "The accelerator" that is faster than "Hopper GPUs": the text speaks of one, and this sentence does not name it."""
    if not quantity.compares or not domain.is_generic(claim.subject):
        return ""
    said = [m for m in scene.entities if claim.subject in m.ids and m.end <= quantity.start]
    definite = said and _CHIP.fullmatch(scene.text, said[-1].start, said[-1].end)
    definite = definite and _THE_ONE.search(scene.text, 0, said[-1].start)
    unsaid = not said and (claim.baseline or domain.metrics[claim.metric].nature == "priced")
    return "which product is meant is not said" if definite or unsaid else ""


def of_each_or_all(domain: Domain, scene: Scene, quantity: Quantity, claim: Claim) -> str:
    """What "a server with 8 devices, providing 128 GB on Gaudi 3" has on the chip that is named right behind: of one, or of all?"""
    if domain.is_machine(claim.subject) and not claim.qualifier("aggregation") and not quantity.compares:
        each = _EACH.search(scene.text, clause(scene, quantity)[0], quantity.start)
        return f"it may be of {each[0].lower()}" if each else ""
    several = claim.qualifier("count") and claim.qualifier("aggregation") in ("group", "node")
    if not several or quantity.compares or domain.is_machine(claim.subject):
        return ""
    on_it = (m for m in scene.entities if claim.subject in m.ids and _ON_A.fullmatch(scene.text, quantity.end, m.start))
    counted = any(q.dimension == "count" and "," in scene.text[q.end : quantity.start] for q in scene.quantities)
    return "it may be of one or of all of them" if counted and any(on_it) else ""


def right_at_chip(domain: Domain, scene: Scene, quantity: Quantity, claim: Claim) -> str:
    """The memory that goes with the name of a chip and is put as its machine's: "8 x H100-80GB", "DGX-1 V100 32GB"."""
    scoped = claim.qualifier("aggregation") not in ("", "node")
    if not domain.is_machine(claim.subject) or quantity.dimension != "information" or scoped:
        return ""
    at = _CHIP_NAME.search(scene.text, 0, quantity.start)
    return f"it may be of one {at[1]}" if at and not quantity.compares else ""


def one_of_alternatives(scene: Scene, quantity: Quantity) -> str:
    """Figures that a slash parts, each of another one: "H100/H200 (80GB/141GB)", and a choice: "40 GB or 80 GB"."""
    if _NEXT.match(scene.text, quantity.end):
        return "another figure stands behind a slash"
    either = [q for q in scene.figures if q is not quantity and q.unit == quantity.unit]
    before = any(_OR.fullmatch(scene.text, q.end, quantity.start) for q in either)
    behind = any(_OR.fullmatch(scene.text, quantity.end, q.start) for q in either)
    return "it is one of two that it may be" if (before or behind) and not quantity.compares else ""
