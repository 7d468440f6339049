"""What a sentence names a chip beside, and is of something more particular, or of what the chip is in.

    "3.9 PFLOP/s on one H100 SXM5", of the H100     of that variant
    "4x custom A100, 64 GB each"                    another variant than those that are sold
    "instances with one V100 and 10 Gbps Ethernet"  the instance's network
    "- 20.21 GiB"                                   read off by a program, of what was in use
    "its FP16 peak is 366 (more than A100's 312)"   a number without a unit, in the format of the one before it
    "2.3 times more expensive than the H100"        a price, and no speed

Looks at the words right beside a name and a figure.
"""

from __future__ import annotations

from chipwise import patterns as re
from chipwise.claims.around import clause
from chipwise.claims.implying import is_sum_for_a_rate
from chipwise.claims.model import Claim
from chipwise.claims.scene import Scene
from chipwise.claims.sides import is_other_side
from chipwise.domain.model import Domain
from chipwise.nouns import PRODUCT
from chipwise.numbers.numerals import SEVERAL
from chipwise.numbers.quantities import Quantity
from chipwise.text import ITEM_MARK, blanked

SPECIAL = r"\b(custom(?:i[sz]ed)?|modified|modded|bespoke|tailor-made|prototypes?|pre-production|engineering samples?|cut-down)\s"
_SPECIAL = re.compile(rf"{SPECIAL}(?:(?-i:[A-Z])\w*\s){{0,3}}$", re.I)
_WITH_ONE = re.compile(
    rf"\b(?:with|has|have|having|contain(?:s|ing)?|includ(?:es?|ing)|carr(?:y|ies|ying)|hold(?:s|ing)?|hosts?|hosting)\s(?:only\s|exactly\s|just\s)?"
    rf"(?:an?|one|a single|{SEVERAL}|\d+)\s(?:NVIDIA\s|AMD\s|Intel\s)?$",
    re.I,
)
_AND = re.compile(
    rf"(?:\s(?:{PRODUCT})s?)?(?:\s\([^()]{{0,40}}\))?(?:,\sand|,|\sand|\splus|\salong\swith)\s(?:an?\s)?[~]?", re.I
)
_READ_OFF = re.compile(r"\d+\.\d{2,}")  # no memory is sold in hundredths: a program has read it
_ANSWER = re.compile(r"\s*(?:[-*]\s+)?\**\(?[a-e]\)\s", re.I)  # "(a) 0.083 FLOP/byte"
_HOUR = 3600.0  # seconds
_DIGITS = re.compile(r"[\d.,]+")
_DEAR = re.compile(r"\s(?:as\s|more\s|less\s)?(?:expensive|costl\w+|cheap\w*|pric\w+|dear\w*)\b", re.I)


def of_a_particular(domain: Domain, scene: Scene, quantity: Quantity, claim: Claim) -> str:
    """The first such reason to doubt a claim of a sentence, or ""."""
    return (
        _whose(domain, scene, quantity, claim)
        or _alone(scene, quantity)
        or ("it may be one of several answers" if _ANSWER.match(scene.text) else "")
        or _of_hours(domain, scene, quantity, claim)
        or _without_format(domain, scene, quantity, claim)
        or ("it may be of a price" if _is_of_a_price(domain, scene, quantity, claim) else "")
    )


def _whose(domain: Domain, scene: Scene, quantity: Quantity, claim: Claim) -> str:
    """Of another variant than the one that is named, or of what holds it."""
    own = [m for m in scene.entities if claim.subject in m.ids]
    if special := next((s for m in own if (s := _SPECIAL.search(scene.text, 0, m.start))), None):
        return f"it may be another one ({special[1]})"
    if variant := _variant(domain, scene, quantity, claim):
        return f"it may be of the {variant} only"
    held = any(
        _WITH_ONE.search(scene.text, 0, m.start) and _AND.fullmatch(scene.text, m.end, quantity.start) for m in own
    )
    return "it may be of what holds it" if held else ""


def is_bare_item(scene: Scene, quantity: Quantity) -> bool:
    """True for an item that is a figure and no more: "- 32 GB"."""
    item = ITEM_MARK.match(scene.text)
    return item is not None and not blanked(scene.text, [item.span(), (quantity.start, quantity.end)]).strip("*_` ~.")


def _alone(scene: Scene, quantity: Quantity) -> str:
    read = (
        is_bare_item(scene, quantity)
        and quantity.dimension == "information"
        and _READ_OFF.match(scene.text, quantity.start)
    )
    return "it may be what was in use" if read else ""


def _of_hours(domain: Domain, scene: Scene, quantity: Quantity, claim: Claim) -> str:
    """A price without a time beside so many hours: "10 hours on a p5.48xlarge ($348)" are no $348 an hour."""
    metric = domain.metrics[claim.metric]
    hours = any(q.dimension == "time" and q.middle > _HOUR for q in scene.quantities)
    return "it may be of all those hours" if hours and is_sum_for_a_rate(metric, quantity) else ""


def _without_format(domain: Domain, scene: Scene, quantity: Quantity, claim: Claim) -> str:
    told = any(i.startswith("dtype=") for m in scene.qualifiers for i in m.ids)
    bare = _DIGITS.fullmatch(scene.text, quantity.start, quantity.end)
    open_ = "dtype" in domain.metrics[claim.metric].qualifiers and not claim.qualifier("dtype")
    return "in which format is not said" if bare and told and open_ else ""


def _is_of_a_price(domain: Domain, scene: Scene, quantity: Quantity, claim: Claim) -> bool:
    other = quantity.compares and domain.metrics[claim.metric].nature != "priced"
    return other and _DEAR.match(scene.text, quantity.end) is not None


def _variant(domain: Domain, scene: Scene, quantity: Quantity, claim: Claim) -> str:
    """The one variant of a chip that its clause names besides the chip, where the figure is of what variants differ in."""
    metric = domain.metrics[claim.metric]
    if "form_factor" not in metric.qualifiers or claim.qualifier("form_factor") or domain.kind(claim.subject) != "chip":
        return ""
    start, end = clause(scene, quantity)
    here = (m for m in scene.entities if start <= m.start < end and not is_other_side(scene.text, m))
    named = {i for m in here for i in m.ids if domain.kind(i) == "variant" and domain.chip_of(i) == claim.subject}
    return domain.entities[named.pop()].name if len(named) == 1 else ""
