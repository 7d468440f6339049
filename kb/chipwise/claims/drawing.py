"""What the watts beside a chip may be of instead of its rating: of what it was doing, of a mode, of a build around it.

"200 FPS @ 15 W"                     what it drew while it did that
"15 W in its low-power mode"         one of several settings
"Sustained inference" over "200 W"   a workload's
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from chipwise import patterns as re
from chipwise.claims.around import clause, segment
from chipwise.claims.model import Claim
from chipwise.claims.scene import Scene
from chipwise.domain.model import Domain
from chipwise.domain.phrasebook import Mention
from chipwise.nouns import COMPUTER
from chipwise.numbers.quantities import Quantity

_WORK = "token_rate"  # the dimension of what is done in a second, frames as well as tokens
_MODE = re.compile(r"\b(?:(?:power|performance|boost|eco|turbo|quiet)\s)?(?:modes?|presets?|profiles?)\b", re.I)
_AT = re.compile(r"(?:@|\bat)\s?[~≈]?$", re.I)
_DURING = re.compile(r"\b(?:during|while|when|under|sustained|continuous)\s(?:\w+\s){0,2}$", re.I)
_ITEM = re.compile(r"\W*([^.:|]{1,40}):")
_IDLE = re.compile(r"\b(?:idle|idling|standby|sleep)\b", re.I)
# how it goes, and not what it is rated at: "often exceeding 250 W"
_AS_IT_GOES = re.compile(
    r"\b(?:often(?!\s(?:quoted|cited|listed|given|stated|called|said))|sometimes|occasionally|frequently|regularly|usually|typical(?:ly)?|mostly|generally|normally|averag(?:e|es|ing)|spik(?:e|es|ed|ing)|transients?"
    r"|in (?:practice|reality|games|gaming|real use)|real-world|under (?:(?:typical|normal|heavy|real|sustained|full|max(?:imum)?|GPU|inference|training)\s){0,2}load)\b",
    re.I,
)
_PER_WATT = re.compile(
    r"\b(?:fps|frames?|tok(?:en)?s?|images?|inferences?|samples?)(?:/s(?:ec)?)?\s?(?:/|per\s)\s?(?:W|watts?|J|joules?)\b",
    re.I,
)
_BUILD = re.compile(
    rf"\b(?:(?:build|rig|system|server|machine|{COMPUTER}|mini[\s-]?PC)s?|(?:i|Power)?Mac(?:s|Books?)?)\b", re.I
)
# what else than the accelerators draws power
_AROUND_ALL = re.compile(
    r"\b(?:data\s?cent(?:er|re)s?|facility|PSU|wall|outlet|cooling power|including cooling|overhead|all-in|equivalents?)\b",
    re.I,
)
_AROUND_A_CHIP = re.compile(r"\b(?:systems?|servers?|workstations?|clusters?|racks?|nodes?)\b", re.I)
_BUILT_WITH = re.compile(rf"\s(?:(?:rig|build|setup|PC|{COMPUTER}|server|system)s?|box(?:es)?)\b", re.I)
_AS_METERED = {"temperature", "frequency"}  # what a meter tells beside the power that is drawn


def at_work(domain: Domain, scene: Scene, quantity: Quantity, claim: Claim) -> str:
    """What the sentence says that was done on these watts, where it does not call them a rating."""
    if not _may_be_drawn(domain, quantity, claim):
        return ""
    if mode := _MODE.search(scene.text, *segment(scene, quantity)):
        return f"it may be of one {mode[0].lower()}"
    start, end = clause(scene, quantity)
    around = [m for m in scene.metrics if start <= m.start and m.end <= end]
    if not _is_vague(domain, claim, scene, around):
        return ""
    found = _AS_IT_GOES.finditer(scene.text, start, end)
    goes = next((m for m in found if not any(n.start <= m.start() < n.end for n in around)), None)  # no "typical power"
    drawn = f"it may be what it draws ({goes[0].lower()})" if goes else ""
    if {q.dimension for q in scene.quantities} >= _AS_METERED:  # "2415 MHz | 25°C | 67W"
        return "it may be what it draws"
    return _of_its_label(scene, quantity) or _done_on_it(scene, quantity, start, end) or drawn


def _of_its_label(scene: Scene, quantity: Quantity) -> str:
    """What an item says before its colon: "- Idle: 30 W", "- Typical inference: 600 W"."""
    label = _ITEM.match(scene.text, 0, quantity.start)
    if label is None:
        return ""
    if idle := _IDLE.search(label[1]):
        return f"it may be what is {idle[0].lower()}"
    run = next((m for m in scene.qualifiers if _is_run(m) and m.end <= label.end()), None)
    return f"it may be what {scene.text[run.start : run.end]} draws" if run else ""


def _done_on_it(scene: Scene, quantity: Quantity, start: int, end: int) -> str:
    """What the clause says that was run, or how much of it was done, on so many watts."""
    rates = (q for q in scene.figures if q.dimension == _WORK and start <= q.start and q.end <= quantity.start)
    done = next(rates, None)
    if done is not None and _AT.search(scene.text, 0, quantity.start):
        return f"it may be what it draws at {scene.text[done.start : done.end]}"
    runs = (m for m in scene.qualifiers if start <= m.start and m.end <= end and _is_run(m))
    run = next((m for m in runs if _DURING.search(scene.text, start, m.start)), None)
    return f"it may be what {scene.text[run.start : run.end]} draws" if run else ""


def at_work_in_cell(domain: Domain, label: Scene, quantity: Quantity, claim: Claim, labels: Iterable[str]) -> str:
    """The same for a cell under its `label`; `labels` are those of all that its table gives."""
    if not _may_be_drawn(domain, quantity, claim):
        return ""
    if run := next(filter(_is_run, label.qualifiers), None):
        return f"it may be what {label.text[run.start : run.end]} draws"
    if not _is_vague(domain, claim, label, label.metrics):
        return ""
    told = next((m for text in labels if (m := _PER_WATT.search(text))), None)
    return f"it may be what was drawn at the {told[0]}" if told else ""


def of_a_build(domain: Domain, quantity: Quantity, claim: Claim, naming: str) -> str:
    """A machine that a table's corner says its rows are, or its heading: what they draw and cost is not the chip's."""
    metric = domain.metrics[claim.metric]
    summed = metric.of_machines or metric.nature == "priced" or metric.dimension == "power"
    told = _BUILD.search(naming) if summed and not quantity.compares and domain.is_chip(claim.subject) else None
    return f"it may be of the {told[0].lower()}, too" if told else ""


def _may_be_drawn(domain: Domain, quantity: Quantity, claim: Claim) -> bool:
    metric = domain.metrics[claim.metric]
    return metric.dimension == "power" and metric.nature == "specified" and not quantity.compares


def _is_vague(domain: Domain, claim: Claim, scene: Scene, told: Iterable[Mention]) -> bool:
    """True where no wording says that it is the rating: "draws", "power", or nothing at all."""
    vague = {cue.lower() for cue in domain.metrics[claim.metric].vague}
    return all(scene.text[m.start : m.end].lower() in vague for m in told if claim.metric in m.ids)


def _is_run(mention: Mention) -> bool:
    return any(i.startswith(("workload=", "benchmark=")) for i in mention.ids)


def of_all_around(
    domain: Domain,
    quantity: Quantity,
    claim: Claim,
    text: str,
    built: re.Match[str] | None = None,
    *,
    right_at: bool = False,
) -> str:
    """What draws more than the chip that is named: "total datacenter power per H100", "cooling power"."""
    if not domain.metrics[claim.metric].of_machines or quantity.compares:
        return ""
    told = built or _AROUND_ALL.search(text) or (None if right_at else _AROUND_A_CHIP.search(text))
    return f"it may be of the {told[0].strip().lower()}, too" if told else ""


def built_with(scene: Scene, own: Sequence[Mention]) -> re.Match[str] | None:
    """What a chip is no more than a part of: "an RTX 4090 rig can draw 650 W"."""
    return next((m for o in own if (m := _BUILT_WITH.match(scene.text, o.end))), None)
