"""What a wording means in another sense than that of its claim.

"1,215 MHz (DDR) data rate"                   the memory's clock
"this took 13 minutes on Llama 3 70B"         what took them need be no training
"800 Gb/s of EFA, and 2x the throughput"      of the network
"30-40% lower TCO"                            lower than what?
"doubles the GPU's performance"               its own
"""

from __future__ import annotations

from chipwise import patterns as re
from chipwise.claims.around import segment
from chipwise.claims.model import Claim
from chipwise.claims.naming import COMPARED, names
from chipwise.claims.scene import Scene
from chipwise.domain.model import Domain
from chipwise.numbers.quantities import Quantity

_OF_THE_MEMORY = re.compile(r"\b(?:data\srate|memory|HBM\w*|G?DDR\w*|DRAM)\b", re.I)
_BEHIND = re.compile(r"[^,;:.\d]{0,24}")
_OF_THE_CORE = re.compile(r"\b(?:cores?|boost|base|GPU|engine|SM)\s(?:clock|frequency|speed)|\b(?:boost|base)\b", re.I)
_TRAINS = re.compile(r"train|tun(?:e|ing)|LoRA|epoch|convergen|MLPerf|GPU-hours", re.I)
_NETWORK = re.compile(r"\b(?:EFA|InfiniBand|Ethernet|network\w*|NICs?|RDMA|RoCE|interconnect|NVLink|fabric)\b", re.I)
_OF_WORK = re.compile(
    r"\b(?:tokens?|train\w*|infer\w*|samples?|images?|serv\w+|decod\w+|prefill|models?|requests?|LLMs?)\b", re.I
)
_ITS, _OWN = re.compile(r"\bthe\s$", re.I), re.compile(r"['’]s\s")
_VERSUS, _BRACKET = re.compile(r"\s(?:vs\.?|versus|against)\s", re.I), re.compile(r"[\s*]*\([~$]?")
_TIME = "time"


def in_another_sense(domain: Domain, scene: Scene, quantity: Quantity, claim: Claim) -> str:
    """The first of the words around a figure that may give it another sense."""
    metric = domain.metrics[claim.metric]
    start, _ = segment(scene, quantity)
    behind = _BEHIND.match(scene.text, quantity.end)
    around = scene.text[start : behind.end() if behind else quantity.end]
    if metric.dimension == "frequency" and (told := _OF_THE_MEMORY.search(around)) and not _OF_THE_CORE.search(around):
        return f"it may be the clock of the memory ({told[0]})"
    if _is_the_first_of_two(domain, scene, quantity, claim):
        return "it may be of what that is compared with"
    if quantity.compares:
        return _compared(domain, scene, quantity, claim)
    trained = (
        metric.nature != "measured" or metric.dimension != _TIME or not metric.inverse or _TRAINS.search(scene.text)
    )
    return "" if trained else "that it is of a training is not said"


def _is_the_first_of_two(domain: Domain, scene: Scene, quantity: Quantity, claim: Claim) -> bool:
    """True for the 192 of "2.4x the memory vs H100 (192 GB vs 80 GB)", of which the H100 has the second."""
    others = any(q.start > quantity.end and q.dimension == quantity.dimension for q in scene.figures)
    if quantity.compares or not others or not _VERSUS.match(scene.text, quantity.end):
        return False
    own = [m for m in scene.entities if m.end <= quantity.start and names(domain, m, claim.subject)][-1:]
    return any(
        COMPARED.search(scene.before(m, 64)) and _BRACKET.fullmatch(scene.text, m.end, quantity.start) for m in own
    )


def _compared(domain: Domain, scene: Scene, quantity: Quantity, claim: Claim) -> str:
    metric = domain.metrics[claim.metric]
    if metric.dimension == "ratio" and metric.nature == "priced" and quantity.form == "change" and not claim.baseline:
        return "what it is compared with is not said"
    work = metric.dimension == "token_rate" and not _OF_WORK.search(scene.text)
    if work and (told := _NETWORK.search(scene.text)):
        return f"it may be of the network ({told[0]})"
    if claim.baseline and claim.subject in domain.ancestors(claim.baseline):
        return "it may be compared with itself"  # a "Blackwell" that beats the GB200 is another one
    own = claim.baseline and claim.baseline in domain.ancestors(claim.subject)
    named = [m for m in scene.entities if claim.baseline in m.ids] if own else []
    if any(_ITS.search(scene.text, 0, m.start) and _OWN.match(scene.text, m.end) for m in named):
        return "it may be compared with itself"
    return ""
