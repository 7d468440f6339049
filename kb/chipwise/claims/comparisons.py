"""Why a comparison may say less than its claim: what it is against, or what was run, is not said.

"50% cheaper than AWS"          a cloud's price against another's, and no product of which that is known
"79% cost savings"              against what?
"already 5x faster in CPU mode"  at what, where it names no two chips of which that is so in general?

"30% off" is off its own price, and needs nobody.
"""

from __future__ import annotations

from chipwise import patterns as re
from chipwise.claims.around import clause, gap
from chipwise.claims.model import Claim
from chipwise.claims.running import NO_RUN, states_a_run
from chipwise.claims.scene import Scene
from chipwise.domain.model import Domain
from chipwise.numbers.quantities import Quantity

_OURS = re.compile(r"\b(?:[Oo]ur|[Mm]y)\b")
_THAN = re.compile(r"[^.,;:()]{0,30}\bthan\s[^.,;:()]{0,40}", re.I)
_NEAR = 40  # characters between a comparison and the word that tells that it is of two


def says_half(domain: Domain, scene: Scene, quantity: Quantity, claim: Claim) -> str:
    """The side or the run that a comparison leaves out, or ""."""
    metric = domain.metrics[claim.metric]
    if not quantity.compares:
        return ""
    if metric.general and not states_a_run(domain, claim) and not _names_both(domain, scene, quantity, claim):
        return NO_RUN
    against = _figure_against(scene, quantity)
    if against is not None and metric.dimension != against.dimension and metric.general:
        return "it compares figures of another kind"
    if quantity.form == "multiple" and _has_several_prices(domain, scene, claim):
        return "which of its prices is not said"
    # what is cheaper as a spot instance is so against its own price on demand
    if claim.baseline or claim.qualifier("price_terms"):
        return ""
    cues = (m for m in scene.metrics if claim.metric in m.ids and gap((m.start, m.end), quantity) <= _NEAR)
    told = next((scene.text[m.start : m.end] for m in cues if scene.text[m.start : m.end].lower() in metric.of_two), "")
    return f"against what it is {told!r} is not said" if told else ""


def _figure_against(scene: Scene, quantity: Quantity) -> Quantity | None:
    """The figure that a multiple is against: the 8 TB/s of "10x faster than HBM's 8 TB/s"."""
    behind = (q for q in scene.figures if q.start >= quantity.end and not q.compares)
    return next((q for q in behind if _THAN.fullmatch(scene.text, quantity.end, q.start)), None)


def _has_several_prices(domain: Domain, scene: Scene, claim: Claim) -> bool:
    """True for "half the price", of which it is open whether it is what a chip is bought for or rented for."""
    told = [m for m in scene.metrics if claim.metric in m.ids]
    priced = [{domain.metrics[i].dimension for i in m.ids if domain.metrics[i].nature == "priced"} for m in told]
    return bool(told) and all(len(kinds) > 1 for kinds in priced)


def _names_both(domain: Domain, scene: Scene, quantity: Quantity, claim: Claim) -> bool:
    """True for "Gaudi 3 is 40% faster than the H100", which is put as so in general; a writer's own program is one run."""
    start, end = clause(scene, quantity)
    around = [m for m in scene.entities if start <= m.start and m.end <= end]
    told = [
        any(domain.are_kin(side, i) for m in around for i in m.ids) for side in (claim.subject, claim.baseline) if side
    ]
    return len(told) > 1 and all(told) and not _OURS.search(scene.text)
