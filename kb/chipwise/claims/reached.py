"""What was reached on a chip, or could be, where a claim makes of it what the chip has.

"The kernel gets up to 660 TFLOPS on the H800"    no peak of the H800
"~796 GB/s achieved by this kernel"               no bandwidth that the chip sustains
"a theoretical upper bound of 1,200 tokens/s"     nobody measured it
"8.5 kW even at 100% GPU utilization"             a condition of what was measured
"""

from __future__ import annotations

from chipwise import patterns as re
from chipwise.claims.around import clause
from chipwise.claims.model import Claim, Modality
from chipwise.claims.naming import names
from chipwise.claims.scene import Scene
from chipwise.domain.model import Domain
from chipwise.numbers.quantities import Quantity

_RATES = ("compute_rate", "information_rate")  # of what a program reaches a part of
_UP_TO = r"(?:(?:up\sto|as\s(?:much|high)\sas|about|around|roughly|nearly|almost|over|more\sthan|only|just|approximately|some|an?\s(?:staggering|impressive|whopping|massive|remarkable|mere|record)|a|an)\s)*[~≈>*_]*"
_REACHES = re.compile(
    rf"\b(?:achiev\w+|reach\w*|attain\w*|exceed\w*|obtain\w*|hits?|hitting|gets?|getting|got|saw|sees?|measur\w+|sustain\w*)\s(?:an?\s(?:[\w-]+\s){{1,3}}of\s)?{_UP_TO}$",
    re.I,
)
_USES = re.compile(rf"\b(?:us(?:e|es|ed|ing)|utiliz\w+|utilis\w+)\s{_UP_TO}$", re.I)
_SHARE = re.compile(
    r"[^.;]{0,60}?\d\s?%\**\sof\s(?:the\s|its\s)?(?:[\w-]+\s){0,3}(?:peak|max(?:imum)?|theoretical|roofline)\b", re.I
)
_EQUIVALENT = re.compile(r"(?:\s[\w-]+){0,3}[\s-]equivalents?\b", re.I)
_ON = re.compile(r"[^,.;:()|]{0,30}?\s(?:on|using|with)\s(?:an?\s|the\s|one\s|a\ssingle\s|our\s)?(?:[A-Z]\w+\s)?", re.I)
_AS_IT_DID = re.compile(r"\W*\**(?:performance|efficiency|results?)\**\s?:", re.I)
_BY_A_PROGRAM = re.compile(r"\b(?:kernels?|GEMMs?|implementation|algorithm|micro\s?benchmark)\b", re.I)
_REAL = re.compile(r"\b(?:real|actual(?:ly)?|measured|achieved|observed|in practice)\b", re.I)
_NOT_MEASURED = re.compile(
    r"\b(?:theoretical(?:ly)?|upper (?:bound|limit)|lower bound|ideal(?:ly|ized)?|needs? (?:measurement|measuring|validation|verification|testing)"
    r"|to be (?:measured|tested|verified|confirmed)|not (?:yet )?(?:measured|tested|verified)|scaled from|extrapolated|interpolated|simulat\w+|roofline)\b",
    re.I,
)
_AND = re.compile(r"[^,.;]{0,40}\band\s", re.I)
_SET_TO = re.compile(
    r"\b(?P<what>(?:grid|block|tile|window|chunk|page|message|transfer|problem|matrix|buffer|micro-?batch)[\s-]sizes?)\s(?:of|is|was|=)\s(?:about\s|around\s|roughly\s)?[~]?$",
    re.I,
)
_CONFIGURABLE = re.compile(
    r"\b(?:configurable|adjustable|selectable|can be (?:set|capped|lowered|raised|configured))\b", re.I
)
_UNDER = re.compile(r"\b(?:under|assuming|given)\s(?:\w+\s)?[~*_]*$", re.I)  # "at 52% MFU" tells what was reached


def reached_on_it(domain: Domain, scene: Scene, quantity: Quantity, claim: Claim) -> str:
    """What a program or a test is said to reach "on" a chip, or uses of it, where the claim is of what the chip can do."""
    metric = domain.metrics[claim.metric]
    if quantity.compares or metric.dimension not in _RATES or metric.nature != "specified":
        return ""
    if _EQUIVALENT.match(scene.text, quantity.end):  # "could be 625 TFLOPS of dense FP16 equivalent"
        return "it may be an equivalent"
    if metric.measured_as and _SHARE.match(scene.text, quantity.end):  # "a peak of 230 TFLOPS, 73% of the maximum"
        return "it may be what was reached of a peak"
    is_peak = claim.qualifier("basis") == "peak"  # "uses 989 TFLOPS as the dense peak"
    return "" if is_peak else _told_as_reached(domain, scene, quantity, claim)


def _told_as_reached(domain: Domain, scene: Scene, quantity: Quantity, claim: Claim) -> str:
    metric, (start, end) = domain.metrics[claim.metric], clause(scene, quantity)
    if metric.measured_as and (used := _USES.search(scene.text, start, quantity.start)):
        return f"it may be what is used of it ({used[0].split()[0]})"
    own = [m for m in scene.entities if names(domain, m, claim.subject)]
    first = any(m.start < quantity.start for m in own)
    behind = any(m.start >= quantity.end and _ON.fullmatch(scene.text, quantity.end, m.start) for m in own)
    reaches = _REACHES.search(scene.text, start, quantity.start)
    if metric.measured_as and claim.modality is Modality.PROMISED and reaches:
        return "it may be what is reached on it"
    if behind and not first:
        told = reaches or _AS_IT_DID.search(scene.text, 0, quantity.start)
        return f"it may be what was reached on it ({told[0].split()[0]})" if told else ""
    by = _BY_A_PROGRAM.search(scene.text, start, end) if claim.modality is Modality.MEASURED else None
    return f"it may be what {by[0].lower()} reached" if by else ""


def unmeasured(domain: Domain, scene: Scene, quantity: Quantity, claim: Claim) -> str:
    """The words for what nobody measured, beside what the claim says was: "theoretical upper bound", "needs measurement"."""
    metric = domain.metrics[claim.metric]
    if metric.nature != "measured" or quantity.compares or claim.modality is not Modality.MEASURED:
        return ""
    around = clause(scene, quantity)
    told = (
        None
        if metric.dimension == "ratio" or _REAL.search(scene.text, *around)
        else _NOT_MEASURED.search(scene.text, *around)
    )
    return f"it may not have been measured ({told[0].lower()})" if told else ""


def as_condition(domain: Domain, scene: Scene, quantity: Quantity, claim: Claim) -> str:
    """A utilization that something else holds at: "8.5 kW under 100% GPU utilization"."""
    metric = domain.metrics[claim.metric]
    if metric.dimension != "ratio" or claim.modality is not Modality.MEASURED or quantity.compares:
        return ""
    others = any(q is not quantity for q in scene.figures)
    under = _UNDER.search(scene.text, 0, quantity.start)
    return "it may be a condition of something else" if under and others else ""


def as_setting(scene: Scene, quantity: Quantity) -> str:
    """What something is set to: "a grid size of around 216 SMs"."""
    before = (q for q in scene.quantities if q.unit == quantity.unit and q.start <= quantity.start)
    # "a grid size of 216 SMs for the A100 and 264 SMs for the H200"
    alike = (q for q in before if q is quantity or _AND.fullmatch(scene.text, q.end, quantity.start))
    told = next((m for q in alike if (m := _SET_TO.search(scene.text, 0, q.start))), None)
    return f"it may be a setting ({told['what']})" if told else ""


def as_configured(domain: Domain, quantity: Quantity, claim: Claim, around: str) -> str:
    """One value of what can be set otherwise: "600 W | configurable to 450 W"."""
    one_of = domain.metrics[claim.metric].nature == "specified" and quantity.form == "value"
    told = (
        _CONFIGURABLE.search(around) if one_of and quantity.bound == "exact" and quantity.dimension == "power" else None
    )
    return f"it can be set otherwise ({told[0].lower()})" if told else ""
