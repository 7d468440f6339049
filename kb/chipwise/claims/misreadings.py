"""What a figure of a sentence or a cell may be instead of what its claim says.

"72 cores"                of which kind?
"64 GB RAM"               the chip's or the host's?
"Memory used: 60 GB"      no property of the chip at all
"5.0 GHz boost"           a word behind it that nothing accounts for
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from chipwise import patterns as re
from chipwise.claims.around import LIGHT, gap, is_in, named, unaccounted
from chipwise.claims.implying import is_sum_for_a_rate
from chipwise.claims.model import Claim
from chipwise.claims.naming import tells_machine
from chipwise.claims.scene import Scene
from chipwise.domain.model import Domain
from chipwise.domain.phrasebook import Mention
from chipwise.nouns import LAPTOP
from chipwise.numbers.numerals import NUMBER_WORD
from chipwise.numbers.quantities import Quantity
from chipwise.text import STOP_WORDS, Span, words

_TAKEN = ("information", "information_rate", "power", "frequency", "compute_rate")  # what programs take a part of
_QUERY = re.compile(r"\)?\s?(?:\(\?{1,3}\)|\?)")
_SEVERAL = ("group", "node", "rack", "pod", "cluster", "slice")
# of what the one has more or less than the other: "a 1.8x edge", "1.3 times ahead"
_GAINS = frozenset(
    "above below benefit decrease discount drop growth jump leap longer margin rise shorter speedup superiority uplift win".split()
)
# of what is counted: "eight chips attached", "72 GPUs joined by NVLink"
_TOGETHER = frozenset(
    "attached joined linked connected wired coupled form forms fill fills constitute constitutes share tie ties lead leads working onboard side".split()
)
_RIGHT_BEHIND = re.compile(r"[\s-]{1,2}([A-Za-z][\w/-]*)")
_TIMES = ("second", "sec", "hour", "hr", "month", "year")
_PER_BEHIND = re.compile(r"\s?/\s?([a-z]{2,})\b")
_TOKEN = re.compile(r"\S+")
# words that make of a property something else: a need, what is in use, a setting, an expectation
_NONE = re.compile(r"\b(?:no|without)\s(?:[\w-]+\s){0,3}$", re.I)  # "no extra NICs required"
_NO_PROPERTY = re.compile(
    r"\b(?:idle|idling|limit(?:s|ed|ing)?|cap(?:s|ped|ping)?|throttl\w+|undervolt\w*|expected|thresholds?|target|reserv(?:e|es|ed|ing)|reduction|required|requirements?|recommended|request(?:ing|s)?(?=\s(?:about |up to |at least )?~?\d))\b|(?<=W\s)(?:power suppl(?:y|ies)|PSUs?)\b",
    re.I,
)
_LABEL_BEFORE = re.compile(r"(?:^|[.;]\s)\W*((?:[\w/-]+\s){0,2}[\w/-]+):[\s*_]*[~$]?$")  # "- Power cap: 60-80 W"
# "a model requires eight H100s with 80 GB", "2x H100 SXM with at least 80 GB each": what to look for
_DEMANDED = re.compile(
    r"\b(?:requir(?:es?|ing)|needs?|wants?|asks? for)\s[^.,;:]{0,60}\bwith\s(?:an?\s)?(?:at least\s|>=?\s?|≥\s?)?[~]?$|\bwith\s(?:at least|a minimum of|no less than)\s[~]?$",
    re.I,
)
# "fine-tuned on a T4 with less than 8 GB of VRAM"
_MAKES_DO = re.compile(
    r"\b(?:fine-?)?(?:tun|train|run|fit|serv|load|work)\w*\b[^.;:]{0,80}\b(?:with|in|on)\s(?:less\sthan|under|as\slittle\sas|no\smore\sthan)\s~?$",
    re.I,
)
_SUPPLY = re.compile(
    r"(?:^|[.;]\s)\W{0,8}(?:[\w/-]{1,24}\s){0,2}(?:power\ssuppl(?:y|ies)|PSUs?)[*_]*(?:\s\(|:)[\s*_]*[~$]?$", re.I
)
_THRESHOLD = re.compile(r"[\w)]\s[<>≤≥]=?\s?[~$]?$")  # "- Power < 250 W", "Models > 40 GB"
_RATES = ("information_rate", "compute_rate")
_WOULD_NEED = re.compile(
    r"\b(?:needs?|requires?|demands?|would\stake)\s(?:about\s|around\s|roughly\s|at\sleast\s|up\sto\s)?[~≈]?$", re.I
)
# how a text leads up to a figure that is no property, by its dimensions
_LEADS_IN = (
    (_THRESHOLD, _TAKEN, "it is put as a threshold"),
    (_DEMANDED, ("information",), "it may be what is asked for"),
    (_MAKES_DO, ("information",), "it may be what is needed"),
    (_WOULD_NEED, _RATES, "it may be what is needed"),
    (_SUPPLY, ("power",), "it may be what the power supply gives"),
)
UNKNOWN_VARIANT = "its name goes on to a variant that is not known"
MOBILE = re.compile(rf"\b(?:(?:{LAPTOP})s?|mobile)\b", re.I)  # whose chips have the names of cards
_DONE_OR_MADE = re.compile(
    r"\b(?:train(?:s|ed|ing)?|pre-?train\w*|fine-?tun\w*|weeks?|days?|yields?|construct\w*|manufactur\w*|wafers?|capex|BOM|bill of materials|break-?even)\b",
    re.I,
)
_SIGNED = re.compile(r"(?:^|[\s(|])[-–−+][$€£]?$")  # "(-$2,500/month)"
_COMES_TO = re.compile(r"[=≈→]\s?[*_]*[~$€£]*$")
_IN_ALL = re.compile(r"[*_]*\s(?:in\s)?(?:total|all|altogether|overall)\b", re.I)
_NEEDED = re.compile(r"\b(?:requir(?:es?|ed|ing)|needs?|needed|amorti[sz]\w+)\b", re.I)
_TAKES = re.compile(
    r"\b(?:uses?|using|used|occup\w+|takes?(?: up)?|took|taken|consum(?!er)\w+|needs?|hogs?|footprint|fits?(?: in)?)\b(?![^.;:]*\bfor (?:its|their|the)\b)[^.,;:]{0,25}$",
    re.I,
)
# what is left of a memory, or taken of it, in a sentence: "GPU memory usage was 71 GB", "free HBM: 38 GB", "which leaves 70 GB"
_STORE = r"(?:(?:GPU|device|chip)\s)?(?:memory|VRAM|RAM|HBM\w*)"
_OF_A_STORE = re.compile(
    rf"\b(?:{_STORE}\s(?:usage|use|footprint|consumption|pressure|utili[sz]ation|in use|used|left|requirements?|needs?|needed|required|necessary)"
    rf"|(?:free|unused|remaining|allocated|occupied|reserved|leftover)\s{_STORE})\b",
    re.I,
)
_OF_A_MODEL = re.compile(
    r"\d\s?[KMGT]i?B\sof\s(?:[\w-]+\s){0,3}(?:weights|gradients|activations|parameters|params|optimi[sz]er states?|KV[\s-]cache)\b"
    r"|\d\s?[KMGT]i?B\s?\((?:an?\s)?\d+(?:\.\d+)?[BM](?:[\s-]parameter)?(?:\smodel)?\)",
    re.I,
)
# "out of memory: 4 GiB over"; what of a model lies on one chip
_BEYOND = re.compile(r"\d\s?[KMGT]i?B\s(over|short|left|free|to spare|too (?:much|large))(?=\s*(?:[,.;:)]|$))", re.I)
_SHARD = re.compile(r"\bshard(?:s|ed|ing)?\b|\bZeRO-?\d\b|\b(?:split|spread)\s(?:across|over|between)\b", re.I)
_THAN_NAME = re.compile(r"\bthan\s(?:the\s)?([A-Z][\w-]*(?:\s[A-Z][\w-]*){0,3})\s?\([~$]?$")
_OUT_OF = re.compile(r"\s(?:\([^()]{1,20}\)\s)?out of\s(?:an?\s|the\s|its\s)?[~$]?\d", re.I)
# "loading it consumes 50 GB, and with 8 GPUs it amounts to 400 GB": nobody who has them is named in between
_TAKES_TOO = re.compile(
    r"\b(us(?:es|ed|ing)|consum(?!er)\w+|occup\w+|tak(?:es|ing)\sup)\s(?:[a-z]+\s){0,3}[~≈]?\d[\d.,]*\s?[KMGT]i?B\b(?-i:[^.;A-Z]*(?:(?:GPU|VRAM|RAM|HBM)s?\b[^.;A-Z]*)*)$",
    re.I,
)
_OF_A_PIN = 40e9 / 8  # bytes per second: no pin has more, and no card's memory less
_END = re.compile(r"[.;]\s")
_LEAVES = re.compile(
    r"\b(?:leav(?:es?|ing)|left|fre(?:es|eing|ed)(?:\sup)?|remain(?:s|ing)?)\s(?:\w+\s){0,3}[~]?$", re.I
)
_IN_USE = re.compile(
    r"\b(?:(?<!peak\s)used|usage|in use|free|available|unused|needed|actual|observed|results?)\b", re.I
)
_TAKEN_TOGETHER = re.compile(r"\beffective\b", re.I)  # "46 GB of effective VRAM" are of two cards
_A_PART_OF = re.compile(rf"\b(?:\d[\d,.]*|some|most|few|{NUMBER_WORD})\sof\s(?:the|its|their|all)\s(?:the\s)?$", re.I)
_ONE_KIND = 100_000  # cores: who has more has them of one kind
_OF_SYSTEMS = ("pod", "cluster")  # what is made of systems
_LONGER = re.compile(r"month|year")
RIGHT_BESIDE = 12  # characters between a figure and a name that is no word of its sentence's


def bare_count(domain: Domain, scene: Scene, quantity: Quantity, claim: Claim) -> str:
    """A count of what a chip has many kinds of, and its machine as well: "72 cores"."""
    metric, unit = domain.metrics[claim.metric], domain.units.get(quantity.unit)
    many = len(metric.counts) > 1
    if unit is None or not many or quantity.unit != metric.unit or quantity.low > _ONE_KIND:
        return ""
    told = [scene.text[m.start : m.end].lower() for m in scene.metrics if claim.metric in m.ids]
    bare = {form.lower() for form in unit.forms}
    return "of which kind they are is not said" if all(t in bare or t.rstrip("s") in bare for t in told) else ""


def of_more(scene: Scene, quantity: Quantity) -> str:
    """A count of which a product has or uses a part, "132 of the 144 SMs"; what is reached of a peak: "1,745 TFLOPS out of 2,250"."""
    part = quantity.dimension == "count" and _A_PART_OF.search(scene.text[: quantity.start])
    if part:
        return "it has a part of them"
    return (
        "it is put as a part of something" if not quantity.compares and _OUT_OF.match(scene.text, quantity.end) else ""
    )


def of_machine(domain: Domain, scene: Scene, quantity: Quantity, claim: Claim) -> str:
    """A wording beside a figure that is as well one of a machine's: "64 GB RAM"; and what a machine has in its CPU, too: a clock."""
    if domain.metrics[claim.metric].of_chips and domain.kind(claim.subject) == "system":
        return "it may be of the machine's CPU"
    for m in scene.metrics:
        # the power of a chip is not taken for that of its rack, its RAM may be the host's
        others = (domain.metrics[i] for i in m.ids)
        machine = any(o.of_systems and not o.varies for o in others) and claim.metric in m.ids
        if machine and gap((m.start, m.end), quantity) <= RIGHT_BESIDE and not domain.metrics[claim.metric].of_systems:
            return "it may be of the machine"
    return ""


def no_property(
    domain: Domain, quantity: Quantity, claim: Claim, text: str, before: str = "", *, in_use: bool = False
) -> str:
    """The word that makes of what a chip has something else: "Memory used", "a power limit of 280 W"."""
    if domain.metrics[claim.metric].nature != "specified" or quantity.compares or quantity.dimension not in _TAKEN:
        return ""
    label = _LABEL_BEFORE.search(before)
    text = f"{label[1]} {text}" if label else text
    led = next((says for ends, of, says in _LEADS_IN if quantity.dimension in of and ends.search(before)), "")
    if led:
        return led
    told = next((m for m in _NO_PROPERTY.finditer(text) if not _NONE.search(text, 0, m.start())), None)
    told = told or (_IN_USE.search(text) if in_use else None)
    if quantity.dimension == "information" and (taken := _taken(text, before)):
        return taken
    return f"{told[0].strip().lower()!r} may make something else of it" if told else ""


def _taken(text: str, before: str) -> str:
    """What is taken of a memory, or left of it, or more than it has."""
    if _OF_A_MODEL.search(text):
        return "it may be what a model takes"
    if _LEAVES.search(before):
        return "it may be what is left"
    if shard := _SHARD.search(text):
        return f"it may be a part of what is run ({shard[0].lower()})"
    # "Free memory per A100: 38 GB": a colon parts it from its label, and a full stop from what is said before
    told = (
        _BEYOND.search(text)
        or _TAKEN_TOGETHER.search(text)
        or _TAKES.search(before)
        or _TAKES_TOO.search(_END.split(before)[-1])
        or _OF_A_STORE.search(text)
        or _OF_A_STORE.search(_END.split(before)[-1])
    )
    return f"{told[told.lastindex or 0].strip().lower()!r} may make something else of it" if told else ""


def of_a_model(domain: Domain, scene: Scene, claim: Claim) -> str:
    """The memory that a model takes: "llama3.2:3b: 2.8 GB of VRAM"."""
    metric = domain.metrics[claim.metric]
    if metric.dimension != "information" or not metric.plain:
        return ""
    named = (m for m in scene.terms if all(domain.terms[i].kind == "model" for i in m.ids))
    return next((f"it may be what {scene.text[m.start : m.end]} takes" for m in named), "")


def of_its_own_kind(domain: Domain, claim: Claim) -> str:
    """The 5x of "Blackwell delivers up to 5x versus Hopper H100", which is no H100's over Hopper."""
    kin = claim.baseline and claim.subject != claim.baseline and domain.are_kin(claim.subject, claim.baseline)
    family = kin and "family" in (domain.kind(claim.subject), domain.kind(claim.baseline))
    return "it may be of what is compared with it" if family else ""


def of_compared(scene: Scene, quantity: Quantity, claim: Claim) -> str:
    """What a bracket says of an unknown name behind a "than": "slower than Cerebras Cloud (1,800 tokens/s)"."""
    told = _THAN_NAME.search(scene.text, 0, quantity.start)
    own = told and any(claim.subject in m.ids and told.start(1) <= m.start for m in scene.entities)
    return f"it may be of {told[1]}" if told and not own and not quantity.compares else ""


def is_queried(text: str, end: int) -> str:
    """The doubt of a writer who puts a question mark behind a figure: "8000W?"."""
    return "a question mark stands behind it" if _QUERY.match(text, end) else ""


def of_something_bought(domain: Domain, claim: Claim, quantity: Quantity, text: str, before: str = "") -> str:
    """The price of what is done with a chip, or of making one: "two weeks on a TPU at a cost of $500"."""
    metric = domain.metrics[claim.metric]
    if metric.nature != "priced" or quantity.compares:
        return ""
    if _SIGNED.search(before):
        return "it is put as what is added or saved"
    if needed := _NEEDED.search(text):
        return f"it may be a price that is {needed[0].lower()}"
    if longer := _LONGER.search(quantity.unit):
        return f"it is the price of a {longer[0]}, which may be one of a commitment"
    told = _DONE_OR_MADE.search(text) if metric.dimension == "price" else None
    return f"it may be the price of something else ({told[0]})" if told else ""


def paid_in_all(domain: Domain, scene: Scene, quantity: Quantity, claim: Claim) -> str:
    """What is taken for a price of an hour and may be what it comes to: "$0.25/hr x 1 hr = $0.25", "$1.10/hour (~$0.15 total)"."""
    metric = domain.metrics[claim.metric]
    if quantity.compares or not is_sum_for_a_rate(metric, quantity):
        return ""
    rated = any(q.dimension == metric.dimension for q in scene.quantities)
    comes = (
        _COMES_TO.search(scene.text, 0, quantity.start)
        or _IN_ALL.match(scene.text, quantity.end)
        or any(q.dimension == "time" for q in scene.quantities)
    )
    return "it may be what it comes to in all" if rated and comes else ""


def no_such_size(domain: Domain, quantity: Quantity, claim: Claim) -> str:
    """What nothing that the metric is of can have: a memory of two bits, a TDP of a gigawatt."""
    metric = domain.metrics[claim.metric]
    unit, bounded = domain.units.get(metric.unit), math.isinf(quantity.high - quantity.low)
    if unit is None or quantity.compares or quantity.dimension != metric.dimension or bounded:
        return ""
    one = claim.qualifier("aggregation") in ("", "chip") and not claim.qualifier("count")
    most = min(metric.most, metric.most_of_one) if one and domain.is_chip(claim.subject) else metric.most
    fits = metric.least * unit.scale <= quantity.middle <= most * unit.scale
    return "" if fits else "it is hardly of that size"


def in_bits(domain: Domain, quantity: Quantity, claim: Claim) -> str:
    """A memory in bits, "SXM2, 16Gb", whose writer most often means bytes; and the "28 Gbps" that GDDR7 has on each of its pins."""
    unit, metric = domain.units.get(quantity.unit), domain.metrics[claim.metric]
    graphics = claim.qualifier("memory_kind").startswith("gddr")
    if graphics and quantity.unit == "Gbps" and quantity.middle < _OF_A_PIN:
        return "it may be of one pin"
    bits = unit is not None and unit.dimension == "information" and "bit" in unit.id.lower()
    return "it may be in bytes" if bits and metric.plain and not quantity.compares else ""


def has_conditions(domain: Domain, claim: Claim) -> bool:
    """True for a measurement, and for a comparison of what is measured: "8x in prefill at 2k"."""
    metric = domain.metrics[claim.metric]
    return metric.nature == "measured" or "workload" in metric.qualifiers


def of_nobody(domain: Domain, quantity: Quantity, claim: Claim, *, plural: bool) -> str:
    """A line of products has no one figure, though a writer may say what "GPUs" reach; and a chip has no host's memory."""
    subject, metric = claim.subject, domain.metrics[claim.metric]
    if subject not in domain.entities or quantity.compares:
        return ""
    written = plural and metric.nature == "measured"
    if domain.is_generic(subject) and not written:
        return "it is said of no product in particular"
    sold = metric.dimension == "price" and domain.is_many(subject)
    if metric.nature == "priced" and (sold or domain.kind(subject) == "family"):
        return "it is said of a whole family of products"
    if domain.is_many(subject) and metric.nature == "specified" and quantity.form != "range":
        return "it is said of a whole family of products"
    shared = metric.of_hosts and claim.qualifier("aggregation") in ("", "node")
    # whoever builds hosts puts in as many chips as they like
    shared = shared or bool(metric.hosted_by and domain.entities[subject].vendor not in metric.hosted_by)
    if (metric.of_systems or shared) and not domain.is_machine(subject):
        return "it is of a machine that is not named"
    return ""


def of_which_model(domain: Domain, claim: Claim) -> str:
    """A model's figure that is given to a chip: "Model size: 22B parameters" below the name of a T4."""
    given = domain.metrics[claim.metric].about and claim.subject in domain.entities
    return "of which model is not said" if given else ""


def of_which_machine(domain: Domain, claim: Claim, text: str, entities: Iterable[Mention]) -> str:
    """What a machine has that is named by its chips alone, "8 x A100", "our H200 nodes": whose memory and network it is, is not said."""
    metric = domain.metrics[claim.metric]
    if not (metric.of_systems or metric.of_hosts) or not domain.is_machine(claim.subject):
        return ""
    names = [text[m.start : m.end] for m in entities if claim.subject in m.ids]
    told = not names or any(tells_machine(domain, claim.subject, name) for name in names)
    return "" if told else "of which machine is not said"


def right_behind(domain: Domain, scene: Scene, quantity: Quantity, claim: Claim) -> str:
    """The word that a figure runs into, where it is none that is known: "5.0 GHz boost"."""
    part = _PER_BEHIND.match(scene.text, quantity.end)
    if (
        part
        and part[1] not in _TIMES
        and not (is_in(part.span(1), named(scene)) or domain.find_qualifiers(f"per {part[1]}"))
    ):
        return "what it is per is not understood"  # "600 GB/s/site"
    match = _RIGHT_BEHIND.match(scene.text, quantity.end)
    if match is None or is_in(match.span(1), named(scene)):
        return ""
    word = match[1].lower()
    if word == "per" and scene.text[match.end() : match.end() + 2].strip().isdigit():  # "1.6 TB/s per 48 GB device"
        return "what it is per is not understood"
    said = word in STOP_WORDS or word in LIGHT or (quantity.compares and word in _GAINS)
    said = said or (quantity.dimension == "count" and word in _TOGETHER)
    known = said or word in words_of(domain, claim)
    return "" if known else f"{match[1]!r} behind it is not understood"


def words_of(domain: Domain, claim: Claim) -> frozenset[str]:
    """The words of a claim's metric: "a 7 nm process" says no more than that it is one."""
    metric = domain.metrics[claim.metric]
    return frozenset(words(" ".join((metric.name, *metric.cues, *metric.plain))))


def is_of_some(domain: Domain, claim: Claim) -> bool:
    """True for a figure of several chips without their number, and for the "UltraServer" of a text on an instance."""
    scope = claim.qualifier("aggregation")
    if domain.kind(claim.subject) == "system" and scope in _OF_SYSTEMS:
        called = {i for m in domain.find_qualifiers(domain.entities[claim.subject].name) for i in m.ids}
        return f"aggregation={scope}" not in called
    unit = domain.units.get(domain.metrics[claim.metric].unit)
    counted = unit is not None and unit.of == "chips"  # a pod's size is how many they are
    alone = claim.subject in domain.entities and not domain.is_machine(claim.subject) and not counted
    return alone and scope in _SEVERAL and not claim.qualifier("count")


def unread(domain: Domain, claim: Claim, text: str, known: Sequence[Span]) -> list[str]:
    """The words of a label that are neither accounted for nor units, nor words of what the claim measures."""
    units = [m.span() for m in _TOKEN.finditer(text) if domain.find_unit(m[0].strip("()[],;:*"))]
    own = words_of(domain, claim)
    return [word for word in unaccounted(text, [*known, *units]) if word.lower() not in own]
