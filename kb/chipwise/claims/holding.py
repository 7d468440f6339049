"""Counts that say how many of something a product has: chips of a machine, links and cores of a chip.

    "A trn2 instance holds 16 Trainium2 chips."     -> aws-trn2, chips_per_node
    "Each v6e host has eight chips attached."       -> google-tpu-v6e, chips_per_node
    "72 GPUs make up a GB200 NVL72."                -> nvidia-gb200-nvl72, scale_up_domain
    "Pods of 256 chips are the limit."              -> whoever is spoken of, pod_size
    "165 TFLOPS through 16,384 CUDA cores"          -> whoever is spoken of, cores_per_chip

Which metric a count of chips is of tell the `holders` of metrics.toml. One that stands elsewhere
tells the scope of the other figures of its sentence, or how many some one machine has.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from chipwise import patterns as re
from chipwise.claims.scene import Scene
from chipwise.domain.model import Domain
from chipwise.domain.records import Metric
from chipwise.numbers.numerals import SEVERAL
from chipwise.numbers.quantities import Quantity

_ABOUT = r"(?:(?:about|around|up\sto|as\smany\sas|exactly|a\stotal\sof|some|all|its|the|at\smost)\s){0,2}"
_HOLDS = re.compile(
    r"(?:\s\([^)]{1,30}\))?(?:,?\s(?:which|that))?(?:\s(?:itself|also|then|now|still|already|only|therefore|even|version|system|machine|rack|instance|board)){0,2}"
    r"\s(?:ha[sd]|have|holds?|held|contains?|houses?|packs?|c[ao]mes?\s(?:with|in\sat)|arrives?\swith|brings|sports|boasts|gets?\s(?:you|by\swith)|hands\syou|makes\sdo\swith|ends\sup\s(?:at|with)|tops\sout\sat|(?:sits|lands)\sat|is\s(?:listed|specified|sold|delivered)\s(?:at|with)|has\sroom\sfor|counts?|includes?|carr(?:y|ies)|combines?|joins?|connects?|links?|features?|integrates?"
    r"|groups?|bundles?|ties?|unites?|seats?|reach(?:es|ed)?|consists?\sof|is\smade\s(?:up\s)?of|comprises?|offers?|exposes?|provides?|takes|fits|mounts?|(?:is|are)\sbuilt\s(?:from|of|around)"
    rf"|gives\syou|ships?\swith|scales?\sto|grows?\sto|goes\sup\sto)\s{_ABOUT}$",
    re.I,
)
_OF = re.compile(rf"(?:\s(?:system|machine|rack|instance|board|node|server|VM))?,?\s(?:of|with)\s{_ABOUT}$", re.I)
_SOME_WITH = re.compile(rf"\ban?\s(?:[\w.-]+\s){{1,4}}with\s{_ABOUT}$", re.I)
# behind a name: "p5.48xlarge: 8 GPUs", "DGX H100 (8 GPUs)"; behind a slice's: "the v5p-16, being eight chips"
_BRACKET = re.compile(rf"(?:\*{{0,2}}:|\s\(|\s(?:[-–—=→]|->|=>)\s)\*{{0,2}}\s?{_ABOUT}$", re.I)
_IS = re.compile(rf",?\s(?:being|meaning|means|equals|is|that\sis|which\s(?:is|means))\s{_ABOUT}$", re.I)
# of a pod or rack whose size anybody chooses: a "pod with 512 chips" is often a part of one
_WHOLE = re.compile(r"\b(?:full|whole|entire|complete|largest|biggest|maximum)\s(?:[\w-]+\s){0,3}$", re.I)
_MAKE_UP = re.compile(
    r"\s(?:[a-z]+ed\s)?(?:per|make\sup|makes\sup|forms?|fills?|constitutes?|share|go\sinto|fit\s(?:in|into)|sit\sin(?:side)?|are\s(?:in(?:side)?|attached\sto|packed\sinto))"
    r"\s(?:an?\s|the\s|one\s|each\s|every\s|a\ssingle\s|a\swhole\s|a\sfull\s)?$",
    re.I,
)
_INSIDE = re.compile(
    r"(?:^|[.,;:]\s)\W*(?:in|inside|within|on|aboard|with)\s(?:an?\s|the\s|each\s|every\s|one\s)?$", re.I
)
_SIT = re.compile(
    rf",?\s(?:there\s)?(?:sit|sits|are|is|come|comes|work|live|stand|run|you(?:['’]ll)?\s(?:will\s)?(?:find|get))\s{_ABOUT}$",
    re.I,
)
# what was spoken of before, as a sentence goes on about it: "It joins 72 GPUs", "Inside sit 72 GPUs"
_IT = re.compile(r"\W*it\b", re.I)
_INSIDE_IT = re.compile(r"\W*inside(?:\sit)?\b", re.I)
_COUNTED = re.compile(
    rf"(?:\d|\b(?:{SEVERAL}|several|many|multiple))[\s-](?:[a-z]+s\sof\s)?$|\bpairs?\sof\s$",
    re.I,
)
# a part of one: "half of a GB200 NVL72 (36 GPUs)"
_PART = re.compile(
    r"\b(?:half|third|quarter|part|most|some|portion|rest)\s(?:of\s)?(?:an?\s|the\s|its\s|one\s)?$", re.I
)
# one machine of somebody's tells nothing of others; a generation or a whole may stand between
_SOMEBODYS = re.compile(r"\b(?:our|my|your|his|her|their|this|that|these|those|some)\s(?:[\w-]+\s){0,3}$", re.I)
_TRAINED = re.compile(
    rf"\b(?:(?:pre-?)?train(?:ed|s|ing)?|ran)\b[^.;:]{{0,60}}\b(?:on|with|across|over|using)\s{_ABOUT}$", re.I
)
_MANY = 1000  # chips: what can have more is used in parts
_OVER = re.compile(r"\bover\s(?:all\s|the\s|its\s)?$", re.I)
_NO_ACCELERATOR = re.compile(r"\b(?:cards?|devices?)$", re.I)  # a server has network cards, too
_BESIDE = re.compile(r"(?:['’]?s?|,\swhose)\s(?:GPU\s|TPU\s|chip\s)?", re.I)


@dataclass(frozen=True, slots=True)
class Held:
    """The metric that a count is of; `about` whose, () where the rules for any figure tell.

    `anybodys` is true for what no product's name stands for: "each server", "a rack".
    """

    metric: str
    about: tuple[str, ...] = ()
    anybodys: bool = False


def of_the_maker(domain: Domain, about: Sequence[str]) -> tuple[str, ...]:
    """Of what "each host" may be said: of a machine, or of a chip that stands in no machines but its maker's."""
    makers = {vendor for m in domain.metrics.values() for vendor in m.hosted_by}
    return tuple(i for i in about if domain.is_machine(i) or domain.entities[i].vendor in makers)


def may_be_part(domain: Domain, metric: Metric, quantity: Quantity, text: str) -> str:
    """The doubt about "a v4 pod with 1,024 chips", which is a part of one; a machine or a slice has no parts."""
    pods = metric.holders and domain.counted(quantity.unit) == "chips" and not (metric.varies or metric.most < _MANY)
    return "it may be a part of one only" if pods and _SOME_WITH.search(text[: quantity.start]) else ""


def exact_if_way(domain: Domain, quantity: Quantity, before: str) -> Quantity:
    """A count of links, exact where "over" leads over them: "talks over 18 NVLink links" says no more than 18."""
    links = quantity.bound == "at least" and any(m.plain and domain.counts(m, quantity.unit) for m in _counting(domain))
    way = links and _OVER.search(before)
    return replace(quantity, high=quantity.low, bound="exact") if way else quantity


def _counting(domain: Domain) -> Iterator[Metric]:
    return (m for m in domain.metrics.values() if m.counts)


@dataclass(frozen=True, slots=True)
class _Holder:
    start: int
    end: int
    metric: str
    about: tuple[str, ...]
    named: bool = False  # a product, and no mere "pod"
    is_slice: bool = False


def find_held(domain: Domain, scene: Scene, carried: Sequence[str] = ()) -> dict[Quantity, Held]:
    """The counts of a sentence that say how many something has, with what they measure.

    `carried` is what "it" is.
    """
    counts = [q for q in scene.quantities if q.dimension == "count" and q.form == "value"]
    chips = [q for q in counts if _counts_chips(domain, scene, q)]
    holders = [*_holders(domain, scene), *_referred(domain, scene, carried)] if chips else []
    told = ((q, _held(domain, scene, q, holders) if q in chips else _part(domain, scene, q)) for q in counts)
    return {q: held for q, held in told if held is not None}


def _counts_chips(domain: Domain, scene: Scene, quantity: Quantity) -> bool:
    written = scene.text[quantity.start : quantity.end]
    return domain.counted(quantity.unit) == "chips" and not _NO_ACCELERATOR.search(written)


def _part(domain: Domain, scene: Scene, quantity: Quantity) -> Held | None:
    """What each chip has of what the count's own words name: "over 18 NVLink links" is no scope."""
    named = (i for m in scene.metrics if m.start < quantity.end == m.end for i in m.ids)
    of_chips = (domain.metrics[i] for i in named if domain.metrics[i].of_chips)
    return next((Held(m.id) for m in of_chips if m.counts and domain.counts(m, quantity.unit)), None)


def _held(domain: Domain, scene: Scene, quantity: Quantity, holders: list[_Holder]) -> Held | None:
    for holder in holders:
        if holder.end <= quantity.start and _holds(scene, holder, quantity):
            return Held(holder.metric, holder.about, not holder.named)
        if quantity.end <= holder.start and _MAKE_UP.fullmatch(scene.text[quantity.end : holder.start]):
            return Held(holder.metric, holder.about, not holder.named)
    trained = _TRAINED.search(scene.text[: quantity.start])
    models = (m for m in scene.terms if all(domain.terms[i].kind == "model" for i in m.ids))
    job = next((m.id for m in domain.metrics.values() if "job" in m.holders), "")
    if not trained or not job or not any(m.start <= trained.end() for m in models):
        return None
    # "on H100, on up to 16,384 GPUs": the GPUs are those that are named before
    chips = [m for m in scene.entities if m.start < quantity.end and all(domain.is_specific(i) for i in m.ids)]
    return Held(job, chips[-1].ids if chips and len(chips[-1].ids) == 1 else ())


def _holds(scene: Scene, holder: _Holder, quantity: Quantity) -> bool:
    """True for "a pod has 256 chips", "a full pod of 256 chips", "pods of 256 chips" and "inside the rack sit 72 GPUs"."""
    before, between = scene.text[: holder.start], scene.text[holder.end : quantity.start]
    if _HOLDS.fullmatch(between) or (holder.named and _BRACKET.fullmatch(between)):
        return True
    if holder.is_slice and _IS.fullmatch(between):
        return True
    if _OF.fullmatch(between):
        several = scene.text[holder.end - 1] == "s"
        # "H100 servers with 4 GPUs" are a sort of them, "pods of 256 chips" all that there are
        return several is not holder.named or bool(_WHOLE.search(before))
    inside = _INSIDE.search(before) or _INSIDE_IT.fullmatch(scene.text, holder.start, holder.end)
    return bool(inside and _SIT.fullmatch(between))


def _holders(domain: Domain, scene: Scene) -> Iterator[_Holder]:
    """What a sentence names that may hold chips: products, and nouns like "host" that are no part of a name."""
    systems = [m for m in scene.entities if len(m.ids) == 1 and domain.entities[m.ids[0]].chips > 1]
    for m in systems:
        before = scene.text[: m.start]
        if not (_COUNTED.search(before) or _SOMEBODYS.search(before) or _PART.search(before)):
            metric = _metric_of(domain, scene.text[m.start : m.end], m.ids[0])
            yield _Holder(m.start, m.end, metric, m.ids, True, domain.kind(m.ids[0]) == "slice")
    for found in domain.holder_nouns.finditer(scene.text):
        before = scene.text[: found.start()]
        if any(m.start < found.end() and found.start() < m.end for m in systems):
            continue
        if _COUNTED.search(before) or _SOMEBODYS.search(before):
            continue
        beside = [m for m in scene.entities if _BESIDE.fullmatch(scene.text[m.end : found.start()])]
        about = beside[-1].ids if beside and len(beside[-1].ids) == 1 else ()
        yield _Holder(*found.span(), domain.holders[_singular(found[0])], about)


def _referred(domain: Domain, scene: Scene, carried: Sequence[str]) -> Iterator[_Holder]:
    """The machine that "it" is, and that something is "inside" of."""
    it = _IT.match(scene.text) or _INSIDE_IT.match(scene.text)
    if it and len(carried) == 1 and domain.is_machine(carried[0]) and domain.entities[carried[0]].chips > 1:
        metric = _metric_of(domain, domain.entities[carried[0]].name, carried[0])
        yield _Holder(*it.span(), metric, tuple(carried), True)


def _metric_of(domain: Domain, written: str, entity: str) -> str:
    """What the chips of a product are counted as: by what it is called, else by how many it has."""
    nouns, metrics, product = domain.holder_nouns, domain.holders, domain.entities[entity]
    if told := nouns.search(written) or nouns.search(product.name):
        return metrics[_singular(told[0])]
    if product.kind == "slice":
        return metrics.get("slice", "")
    machine = domain.metrics.get(metrics.get("node", ""))
    return metrics.get("node" if machine is not None and product.chips <= machine.most else "rack", "")


def _singular(noun: str) -> str:
    return noun.lower().removesuffix("s")
