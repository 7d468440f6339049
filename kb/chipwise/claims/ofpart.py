"""Why a figure may be of a part of what it is put as a figure of, or of one of many.

"the first 8 GB of the address space"      what is counted off, and not all that there is
"for 4.1 GB memory savings"                what is won or lost of it
"4 Tensor Cores per SM"                    of a part of the chip
"GB200 NVL72 = 192 GB"                     too little for 72 chips together
"""

from __future__ import annotations

from chipwise import patterns as re
from chipwise.claims.model import Claim
from chipwise.claims.scene import Scene
from chipwise.domain.catalogue import PARTS
from chipwise.domain.model import Domain
from chipwise.numbers.quantities import Quantity

_COUNTED_OFF = re.compile(r"\b(?:first|next|last|other|remaining|another|additional|extra|further)\s[~$]?$", re.I)
_GOES_TO = re.compile(r"\s(?:of|to|go(?:es)?|block|chunk|region|slice|are|is)\b", re.I)  # and no "first 141 GB GPU"
_WON = re.compile(
    r"\s(?:of\s)?(?:(?:GPU|device|chip)\s)?(?:memory|VRAM|RAM|HBM|bandwidth|power)?\s?(?:savings?|saved|reductions?|overhead|headroom|increase|decrease|difference|gap|margin|surplus|shortfall|penalty)\b",
    re.I,
)
# as in "let us consider a single Graphics Compute Die (GCD) from an MI250X"
_ONE_DIE = re.compile(
    r"\b(?:single|[Oo]ne|[Aa]n?)\s(?:[\w-]+\s){0,3}(?:\((GCD|XCD|SM|CU|die)\)|(GCD|XCD|die|chiplet))\s(?:from|of|in|on)\s"
)
# "seven partitions, each with 10 GB", "half an L4"
_SLICED = re.compile(r"\b(?:partitions?|vGPU|fractional|half\s(?:of\s)?(?:an?\s|the\s)?(?=[A-Z]))\b", re.I)
_NEEDED = re.compile(r"\s?\+(?!\s?\d)")  # "12GB+ of VRAM"
_LINKS = frozenset(("link", "axis", "nic", "peer"))  # parts that no memory has
_AMOUNTS = ("information", "information_rate", "power")


def of_a_part(domain: Domain, scene: Scene, quantity: Quantity, claim: Claim) -> str:
    """What a figure of a sentence may be a part of, or ""."""
    if quantity.compares:
        return ""
    sliced = _SLICED.search(scene.text, 0, quantity.start)
    return (
        _of_an_amount(scene, quantity, claim)
        or is_needed(domain, scene, quantity, claim)
        or (f"it may be of a part ({sliced[0].strip().lower()})" if sliced else "")
        or of_its_scope(domain, claim)
        or of_those_used(domain, quantity, claim)
        or of_one_of_many(domain, scene, quantity, claim)
    )


def _of_an_amount(scene: Scene, quantity: Quantity, claim: Claim) -> str:
    """What is counted off, of one die of several, or won or lost: "the first 8 GB of the address space"."""
    if quantity.dimension not in _AMOUNTS:
        return ""
    told = _COUNTED_OFF.search(scene.text, 0, quantity.start)
    if told and _GOES_TO.match(scene.text, quantity.end):
        return f"it may be a part ({told[0].strip().lower()})"
    if (one := _ONE_DIE.search(scene.text, 0, quantity.start)) and not claim.qualifier("aggregation"):
        return f"it may be of one {one[1] or one[2]}"
    won = _WON.match(scene.text, quantity.end)
    return f"it may be what is won or lost ({won[0].strip().lower()})" if won else ""


def is_needed(domain: Domain, scene: Scene, quantity: Quantity, claim: Claim) -> str:
    """Why the "12GB+" of a memory may be what is asked for: no chip has so much or more."""
    metric = domain.metrics[claim.metric]
    told = metric.dimension == "information" and bool(metric.plain) and _NEEDED.match(scene.text, quantity.end)
    return "it may be what is needed (+)" if told else ""


def of_those_used(domain: Domain, quantity: Quantity, claim: Claim) -> str:
    """One chip of a machine that is known to have several: "on a DGX A100 with 1x A100"."""
    entity, unit = domain.entities.get(claim.subject), domain.units.get(quantity.unit)
    counts = unit is not None and unit.of == "chips" and quantity.low == quantity.high == 1
    return "it may be how many were used" if counts and entity is not None and entity.chips > 1 else ""


def of_its_scope(domain: Domain, claim: Claim) -> str:
    """A count that is of a part of a chip, "4 Tensor Cores per SM", and a memory's rate that is of a link: "200 GB/s per axis"."""
    metric, scope = domain.metrics[claim.metric], claim.qualifier("aggregation")
    if metric.of_chips and metric.dimension == "count" and scope in PARTS:
        return f"it is of a {scope}"
    return f"it may be of a link (per {scope})" if "memory_kind" in metric.qualifiers and scope in _LINKS else ""


def of_one_of_many(domain: Domain, around: Scene, quantity: Quantity, claim: Claim) -> str:
    """What is too little for all chips of a machine, each of which has as much or more."""
    metric, entity = domain.metrics[claim.metric], domain.entities.get(claim.subject)
    unit, scope = domain.units.get(metric.unit), claim.qualifier("aggregation")
    # "in total", of this figure: "an aggregate of 400 GB/s, as much as NVLink (900 GB/s)" says it of another
    in_total = (m for m in around.qualifiers if "aggregation=group" in m.ids)
    between = [[q for q in around.quantities if m.end <= q.start < quantity.start] for m in in_total]
    told = scope == "chip" or [] in between
    if entity is None or unit is None or told or quantity.compares or not metric.each_least:
        return ""
    chips = int(claim.qualifier("count") or entity.chips)
    little = chips > 1 and quantity.middle < chips * metric.each_least * unit.scale
    return f"it may be of one of {chips} chips" if little else ""
