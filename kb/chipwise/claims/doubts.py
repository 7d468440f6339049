"""Why it is not certain that a text says what a claim of it says.

    "26.5 TFLOPS, 110 compute units and 64 GB per GCD ..."     a part is named, and the claim is of none
    "1,460 tokens/s" in the row "8 | 0.75 | FP32"               conditions stand beside it that the claim has lost
    "4.2 GHz" in the item "Ryzen 9 7950X3D" below "RTX 3090"    somebody else was named since

A claim accounts for the words around its figure: they name its subject, its metric, its unit or
a qualifier, or they say nothing ("has", "up to", "impressive"). Words that nothing accounts for
may change what the figure is of. Such a claim is kept, shown with its doubt, and never compared.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from chipwise.claims.around import LIGHT, clause, gap, is_in, is_right_at, named, segment, unaccounted, unaccounted_in
from chipwise.claims.model import Claim, Modality
from chipwise.claims.scene import SPECIFIC, Scene
from chipwise.claims.sides import is_other_side
from chipwise.claims.topics import COMPARED
from chipwise.domain import PARTS, Domain
from chipwise.phrasebook import Mention
from chipwise.quantities import Quantity
from chipwise.records import Metric
from chipwise.text import BULLET, STOP_WORDS, Span, words

MOST_FIGURES = 12  # in one sentence: a printout or an enumeration, in which neighbours are no owners
LONGEST = 600  # characters of a sentence that a writer would write
_RUN = ("model", "framework", "library", "benchmark")  # kinds of terms that a measurement may be made with
UNKNOWN_VARIANT = "its name goes on to a variant that is not known"
_TAKEN = ("information", "information_rate", "power", "frequency", "compute_rate")  # what programs take a part of
_SPARE = 3  # content words beside a measurement that say no more than that it was made
_ASIDE = 3  # and beside any other figure, between commas and the like
_BESIDE_TERMS = 1  # and beside a price or a comparison, which hold on terms of their own
_MACHINES = ("system", "slice")
_SEVERAL = ("group", "node", "rack", "pod", "cluster", "slice")
# of what the one has more or less than the other: "a 1.8x edge", "1.3 times ahead"
_GAINS = frozenset(
    """above advantage ahead below benefit better bigger boost cut cuts cheaper decrease discount drop edge gain gains growth higher improvement jump lead
    leap longer lower margin over reduction rise saving savings shorter speedup superiority uplift win""".split()
)
_PART_TOLD = (
    re.compile(r"\b(?:each|every|per|one|single|same|individual)\s(?:of\sthe\s)?(?:\w+\s)?(\w+)", re.I),
    re.compile(r"(?:^|[.;:]\s)\W*(?:[Aa]n?|[Tt]he)\s(?:\w+\s)?([A-Z]\w+)"),
    re.compile(r"\b(?:between|among|inside|of)\s(?:the\s|its\s)?(?:two|\d+)\s(\w+)", re.I),
    re.compile(r"\b[Tt]he\s(?:two|\d+)\s(\w+)"),
)
# "each MI250X contains 2 GPUs": a chip of chips, of which the rest of the sentence may speak
_MADE_OF = re.compile(
    r"\b(?:contains?|consists? of|comprises?|is made (?:up )?of)\s(?:two|four|2|4)\s(?:GPUs|dies|chips|GCDs|chiplets)\b"
    r"|\b(?:two|2)\s(?:GPUs|dies|GCDs|chiplets)\s(?:on|in|inside|of)\s(?:an?|the|each|one|same)\b",
    re.I,
)
# "18 NVLink 4.0 links", "five PCIe Gen6 x8 links"
_LINKS = re.compile(
    r"\b(?:\d+x?|two|three|four|five|six|eight|ten|twelve|sixteen|eighteen)\s(?:[\w.-]+\s){0,3}(?:links|connections|lanes|ports|bricks)\b",
    re.I,
)
_TIMES = re.compile(r"\b\d+\s?[x×]\s?$", re.I)
_IN_ALL = re.compile(r"\b(?:total|aggregate|combined|altogether|in all|together)\b[^.;:]{0,40}$", re.I)
_ITEM = re.compile(rf"\s*{BULLET}\s+([^.:|]{{1,40}}):")
_RIGHT_BEHIND = re.compile(r"[\s-]{1,2}([A-Za-z][\w/-]*)")
_NUMERAL = re.compile(r"(?<![\w.,-])\d[\d.,]*\w*")
# "section 4", "Tables 2.1 and 3", "[12]": where something else stands, and not what something was measured with
_REFERENCE = re.compile(
    r"(?:\b(?:sections?|sec\.?|chapters?|figures?|figs?\.?|tables?|pages?|pp?\.|footnotes?|notes?|equations?|eqs?\.?|appendix|appendices|annex|slides?"
    r"|listings?|exhibits?|paragraphs?|refs?\.?|references?)\s|§§?\s?)(?:[A-Z]\.?)?\d[\d.]*(?:(?:,\s|\s?[-–]\s?|\s(?:and|to|or)\s)\d[\d.]*)*|\[\d+(?:,\s?\d+)*\]",
    re.I,
)
_TOKEN = re.compile(r"\S+")
_NO_CONDITION = re.compile(
    r"\b(?:sources?|notes?|links?|refs?|references?|date|rank|vendor|maker|status|url|#|no)\b", re.I
)
# words that make of a property something else: a need, what is in use, a setting, an expectation
_NO_PROPERTY = re.compile(
    r"\b(?:idle|idling|limit(?:s|ed|ing)?|cap(?:s|ped|ping)|throttl\w+|undervolt\w*|expected|thresholds?|target|required|requirements?|recommended)\b",
    re.I,
)
_IN_USE = re.compile(
    r"\b(?:(?<!peak\s)used|usage|in use|free|available|unused|needed|actual|observed|results?)\b", re.I
)
_NAME_GOES_ON = re.compile(r"[\s-]([A-Z][A-Za-z]*\d*[\w+-]*)")
_IN_A_CODE = re.compile(r"\.\w")  # the "trn1" of "trn1.32xlarge"
_SET_AGAINST = re.compile(
    r"\b(?:than|versus|vs\.?|against|compared (?:to|with)|relative to|(?:that|those) of)\s(?:an?\s|the\s)?(?:[A-Z]\w+\s)?$",
    re.I,
)
# between two names: "the B200 tops the H100 with 192 GB" does not tell which of them has it
_ACTS_ON = re.compile(
    r"\s(?!(?:and|or|with|like|beside|has|is|of|in|on|for)\b)(?:[a-z]+\s){1,2}(?:the\s|an?\s)?(?:[A-Z]\w+\s)?"
)
_RIGHT_BESIDE = 12  # characters between a figure and a name that is no word of its sentence's


def doubt(domain: Domain, scene: Scene, quantity: Quantity, claim: Claim, *, others_since: bool) -> str:
    """The first reason to doubt a claim of a sentence, in a few words, or "".

    `others_since` is true where the subject is what the text spoke of before, and something else was named since.
    """
    if not claim.polarity:
        return "the sentence may deny it"
    if claim.modality is Modality.HYPOTHETICAL:
        return "it is put as a supposition"
    if len(scene.figures) > MOST_FIGURES or len(scene.text) > LONGEST:
        return "it stands among too many other figures"
    return (
        _of_nobody(domain, quantity, claim, plural=_is_plural(scene, claim))
        or ("something else was named since" if others_since else "")
        or _beside_others(domain, scene, quantity, claim)
        or _other_model(domain, scene, quantity, claim)
        or _part(domain, scene, claim, clause(scene, quantity))
        or _one_of_some(domain, scene, quantity, claim)
        or ("" if _is_said_of(domain, scene, quantity, claim) else _of_machine(domain, scene, quantity, claim))
        or _bare_count(domain, scene, quantity, claim)
        or _label(domain, scene, quantity, claim)
        or _no_property(domain, quantity, claim, scene.text[slice(*clause(scene, quantity))])
        or _right_behind(domain, scene, quantity, claim)
        or (_conditions(domain, scene, quantity, claim) if _has_conditions(domain, claim) else "")
        or ("of how many together is not said" if _is_of_some(domain, claim) else "")
    )


def without_rivals(domain: Domain, claims: Sequence[Claim]) -> Iterator[Claim]:
    """The claims of one sentence; a chip has one memory, so that of two figures of it one is something else's."""
    alike: dict[tuple[object, ...], list[Claim]] = {}
    for c in claims:
        alike.setdefault((c.subject, c.metric, c.baseline, c.qualifiers), []).append(c)
    for c in claims:
        rival = _has_rival(domain, c, alike[c.subject, c.metric, c.baseline, c.qualifiers])
        yield replace(c, doubt="the sentence gives another figure of it") if rival else c


def _has_rival(domain: Domain, claim: Claim, alike: Sequence[Claim]) -> bool:
    q, metric = claim.quantity, domain.metrics.get(claim.metric)
    if q is None or metric is None or claim.doubt or not (q.compares or _is_single(metric)):
        return False
    others = (o.quantity for o in alike if o is not claim and o.quantity is not None and o.polarity)
    return any(o.form == q.form and o.count == q.count and not o.agrees_with(q) for o in others)


def _is_single(metric: Metric) -> bool:
    """True for what each chip has one of, at one place and time."""
    return metric.nature in ("specified", "priced") and not metric.varies


def doubt_of_cell(
    domain: Domain,
    scene: Scene,
    label: Scene,
    quantity: Quantity,
    claim: Claim,
    beside: Sequence[tuple[str, str]],
    headed: str,
) -> str:
    """The same for a cell under its `label` and all that is `headed`; `beside` are headers and words of the row's other cells."""
    several = sum(q.dimension == quantity.dimension for q in scene.quantities) > 1
    return (
        _of_nobody(domain, quantity, claim, plural=False)
        or ("the cell has several figures" if several else "")
        or _right_behind(domain, scene, quantity, claim)
        or _of_machine(domain, label, quantity, claim)
        or _bare_count(domain, label, quantity, claim)
        or _unread_label(domain, label, claim)
        or _beside_its_kind(domain, label, claim, beside)
        or ("of how many together is not said" if _is_of_some(domain, claim) else "")
        or ("what it is compared with is not said" if quantity.compares and not claim.baseline else "")
        or _no_property(domain, quantity, claim, headed, in_use=True)
        or (_row_conditions(domain, claim, beside) if _is_measured(domain, quantity, claim) else "")
    )


def _bare_count(domain: Domain, scene: Scene, quantity: Quantity, claim: Claim) -> str:
    """A count of what a chip has many kinds of, and its machine as well: "72 cores"."""
    unit = domain.units.get(quantity.unit)
    if unit is None or quantity.dimension != "count" or domain.metrics[claim.metric].nature != "specified":
        return ""
    told = [scene.text[m.start : m.end].lower() for m in scene.metrics if claim.metric in m.ids]
    bare = {form.lower() for form in unit.forms}
    several = claim.metric in domain.metrics and "form_factor" in domain.metrics[claim.metric].qualifiers
    return (
        "of which kind they are is not said"
        if several and all(t in bare or t.rstrip("s") in bare for t in told)
        else ""
    )


def _is_said_of(domain: Domain, scene: Scene, quantity: Quantity, claim: Claim) -> bool:
    """True where the name of a chip stands right at a figure."""
    entity = domain.entities.get(claim.subject)
    chip = entity is not None and entity.kind not in _MACHINES
    return chip and any(claim.subject in m.ids and is_right_at(scene, quantity, m) for m in scene.entities)


def _of_machine(domain: Domain, scene: Scene, quantity: Quantity, claim: Claim) -> str:
    """A wording beside a figure that is as well one of a machine's: "64 GB RAM"; and what a machine has in its CPU, too: a clock."""
    entity = domain.entities.get(claim.subject)
    if domain.metrics[claim.metric].of_chips and entity is not None and entity.kind == "system":
        return "it may be of the machine's CPU"
    for m in scene.metrics:
        # the power of a chip is not taken for that of its rack, its RAM may be the host's
        others = (domain.metrics[i] for i in m.ids)
        machine = any(o.of_systems and not o.varies for o in others) and claim.metric in m.ids
        if machine and gap((m.start, m.end), quantity) <= _RIGHT_BESIDE and not domain.metrics[claim.metric].of_systems:
            return "it may be of the machine"
    return ""


def _no_property(domain: Domain, quantity: Quantity, claim: Claim, text: str, *, in_use: bool = False) -> str:
    """The word that makes of what a chip has something else: "Memory used", "a power limit of 280 W"."""
    if domain.metrics[claim.metric].nature != "specified" or quantity.compares or quantity.dimension not in _TAKEN:
        return ""
    told = _NO_PROPERTY.search(text) or (_IN_USE.search(text) if in_use else None)
    return f"it may be what is {told[0].lower()}" if told else ""


def _is_measured(domain: Domain, quantity: Quantity, claim: Claim) -> bool:
    return domain.metrics[claim.metric].nature == "measured" and not quantity.compares


def _has_conditions(domain: Domain, claim: Claim) -> bool:
    """True for a measurement, and for a comparison of what is measured: "8x in prefill at 2k"."""
    metric = domain.metrics[claim.metric]
    return metric.nature == "measured" or "workload" in metric.qualifiers


def _beside_others(domain: Domain, scene: Scene, quantity: Quantity, claim: Claim) -> str:
    """What else a sentence speaks of, where a figure does not stand right at the name of its subject."""
    own = [m for m in scene.entities if claim.subject in m.ids or claim.subject in _ancestry(domain, m)]
    if any(goes_on(scene, m) for m in own):
        return UNKNOWN_VARIANT
    if quantity.compares:
        return _around(domain, scene, quantity, _BESIDE_TERMS)
    if own and all(_is_set_against(scene, quantity, m) for m in own):
        return "it may be said of what that is compared with"
    right_at = any(is_right_at(scene, quantity, m) for m in own)
    reach = _RIGHT_BESIDE if right_at else LONGEST
    unknown = [span for span in scene.unknown if gap(span, quantity) <= reach]
    known = [] if right_at else _other_products(domain, scene, quantity, claim, own)
    if unknown or known:
        return f"{scene.text[slice(*[*known, *unknown][0])]} is named there, too"
    nature = domain.metrics[claim.metric].nature
    if nature == "priced":
        return _around(domain, scene, quantity, _BESIDE_TERMS)
    return "" if right_at or nature == "measured" else _around(domain, scene, quantity, _ASIDE)


def _is_set_against(scene: Scene, quantity: Quantity, mention: Mention) -> bool:
    """True for the H200 of "288 GB is 2x that of the H200" and the H100 of "improves on the H100 with 141 GB"."""
    if mention.start >= quantity.end:
        return _SET_AGAINST.search(scene.text, 0, mention.start) is not None
    by = scene.text[mention.end : quantity.start].lower().strip() in ("with", "at")
    acted_on = any(
        _ACTS_ON.fullmatch(scene.text[m.end : mention.start]) for m in scene.entities if m.end < mention.start
    )
    return by and (acted_on or COMPARED.search(scene.text, 0, mention.start) is not None)


def _other_products(
    domain: Domain, scene: Scene, quantity: Quantity, claim: Claim, own: Sequence[Mention]
) -> list[Span]:
    """Whom else the clause of a figure names; who is the other side of a comparison has no part in another figure."""
    kin = {*domain.ancestors(claim.subject)} if claim.subject in domain.entities else set()
    others = [m for m in scene.entities if m not in own and not kin & set(m.ids)]
    start, end = clause(scene, quantity)
    if any(start <= m.start and m.end <= end for m in own):
        others = [m for m in others if start <= m.start and m.end <= end]
    if any(q.compares for q in scene.figures):
        others = [m for m in others if not is_other_side(scene.text, m)]
    return [
        (m.start, m.end)
        for m in others
        if any(domain.entities[i].kind in SPECIFIC or not kin & set(domain.ancestors(i)) for i in m.ids)
    ]


def _around(domain: Domain, scene: Scene, quantity: Quantity, spare: int) -> str:
    """The words right around a figure that nothing accounts for, where they are more than `spare`."""
    voices = ((cue.start, cue.end) for cue in domain.voice_lexicon.find(scene.text))
    known = [*named(scene), *((m.start, m.end) for m in scene.terms), *voices]
    start, end = segment(scene, quantity)
    # what a multiple is of stands behind it: "15x faster responses"
    left = list(unaccounted_in(scene.text, quantity.end if quantity.compares else start, end, known))
    return f"{' '.join(left[:4])!r} beside it is not understood" if len(left) > spare else ""


def _ancestry(domain: Domain, mention: Mention) -> set[str]:
    return {a for i in mention.ids for a in domain.ancestors(i)}


def goes_on(scene: Scene, mention: Mention) -> bool:
    """True for "RTX 4070 Laptop GPU" and "Trn3 Gen2 UltraServer", where the domain has the name without it."""
    if _IN_A_CODE.match(scene.text, mention.end):
        return True
    behind = _NAME_GOES_ON.match(scene.text, mention.end)
    if behind is None or behind[1].lower() in LIGHT or behind[1].lower() in STOP_WORDS:
        return False
    known = [*named(scene), *((m.start, m.end) for m in scene.terms)]
    return not is_in(behind.span(1), known)


def _is_plural(scene: Scene, claim: Claim) -> bool:
    """True where a sentence speaks of many: "GPUs hit 52%"; "the GPU" is one that it does not name."""
    return any(claim.subject in m.ids and scene.text[m.end - 1] == "s" for m in scene.entities)


def _of_nobody(domain: Domain, quantity: Quantity, claim: Claim, *, plural: bool) -> str:
    """A line of products has no one figure, though a writer may say what "GPUs" reach; and a chip has no host's memory."""
    entity, metric = domain.entities.get(claim.subject), domain.metrics[claim.metric]
    if entity is None or quantity.compares:
        return ""
    written = plural and metric.nature == "measured"
    if entity.kind == "line" and not entity.vendor and not written:
        return "it is said of no product in particular"
    if entity.kind == "family" and metric.nature == "priced":
        return "it is said of a whole family of products"
    if entity.kind in ("line", "family") and metric.nature == "specified" and quantity.form != "range":
        return "it is said of a whole family of products"
    if metric.of_systems and entity.kind not in _MACHINES:
        return "it is of a machine that is not named"
    return ""


def _other_model(domain: Domain, scene: Scene, quantity: Quantity, claim: Claim) -> str:
    """A model has many relatives: "LLaMA-based", "TinyLlama", "the 66B ChatGPT model" are others."""
    if not domain.metrics[claim.metric].about:
        return ""
    for m in scene.terms:
        start, end = min(m.end, quantity.end), max(m.start, quantity.start)
        beside = not scene.text[m.end : m.end + 1].startswith("-") and not list(
            unaccounted(scene.text[start:end], [(0, 0)])
        )
        if claim.subject in m.ids and m.end <= quantity.start and beside:
            return ""
    return "it may be of another model of that name"


def _label(domain: Domain, scene: Scene, quantity: Quantity, claim: Claim) -> str:
    """What an item is called that is a label and a figure: "- Idle: 150 W"."""
    label = _ITEM.match(scene.text)
    if label is None or label.end() > quantity.start:
        return ""
    known = [(a - label.start(1), b - label.start(1)) for a, b in named(scene)]
    left = _unread(domain, claim, label[1], known)
    return f"{' '.join(left[:4])!r} before it is not understood" if left else ""


def _part(domain: Domain, scene: Scene, claim: Claim, around: Span) -> str:
    """A part of a chip that the clause speaks of ("each GCD"), where the claim has no such scope."""
    if claim.qualifier("aggregation") in PARTS or "aggregation" not in domain.metrics[claim.metric].qualifiers:
        return ""
    told = (m for pattern in _PART_TOLD for m in pattern.finditer(scene.text, *around))
    part = next((m[1] for m in told if m[1].lower() in domain.part_nouns), "")
    made_of = _MADE_OF.search(scene.text)
    if not part and made_of and claim.qualifier("aggregation") not in ("group", "node"):
        part = made_of[0].strip()
    return f"it may be of a part only ({part})" if part else ""


def _one_of_some(domain: Domain, scene: Scene, quantity: Quantity, claim: Claim) -> str:
    """What is counted beside a figure that does not say whether it is of each: "2x RTX 3090: 700 W", "five links with 320 GB/s"."""
    metric = domain.metrics[claim.metric]
    if quantity.compares or _IN_ALL.search(scene.text, 0, quantity.start):
        return ""
    scope = claim.qualifier("aggregation")
    links = _LINKS.search(scene.text, *clause(scene, quantity)) if "direction" in metric.qualifiers else None
    if links is not None and "aggregation" in metric.qualifiers and scope not in PARTS:
        return f"it may be of one or of all {links[0]}"
    if scope:
        return ""
    own = [m for m in scene.entities if claim.subject in m.ids or claim.subject in _ancestry(domain, m)]
    counted = any(_TIMES.search(scene.text, max(0, m.start - 6), m.start) for m in own)
    return "it may be of one or of all of them" if counted and "aggregation" in metric.qualifiers else ""


def _right_behind(domain: Domain, scene: Scene, quantity: Quantity, claim: Claim) -> str:
    """The word that a figure runs into, where it is none that is known: "5.0 GHz boost"."""
    match = _RIGHT_BEHIND.match(scene.text, quantity.end)
    if match is None or is_in(match.span(1), named(scene)):
        return ""
    word = match[1].lower()
    if word == "per" and scene.text[match.end() : match.end() + 2].strip().isdigit():  # "1.6 TB/s per 48 GB device"
        return "what it is per is not understood"
    said = word in STOP_WORDS or word in LIGHT or (quantity.compares and word in _GAINS)
    known = said or word in _words_of(domain, claim)
    return "" if known else f"{match[1]!r} behind it is not understood"


def _words_of(domain: Domain, claim: Claim) -> frozenset[str]:
    """The words of a claim's metric: "a 7 nm process" says no more than that it is one."""
    metric = domain.metrics[claim.metric]
    return frozenset(words(" ".join((metric.name, *metric.cues, *metric.plain))))


def _is_of_some(domain: Domain, claim: Claim) -> bool:
    """True for a figure of several chips without their number."""
    system = domain.entities.get(claim.subject)
    unit = domain.units.get(domain.metrics[claim.metric].unit)
    counted = unit is not None and unit.of == "chips"  # a pod's size is how many they are
    alone = system is not None and system.kind not in _MACHINES and not counted
    return alone and claim.qualifier("aggregation") in _SEVERAL and not claim.qualifier("count")


def _conditions(domain: Domain, scene: Scene, quantity: Quantity, claim: Claim) -> str:
    """What a measurement was made with, as far as the sentence says so and the claim does not."""
    stated = {value for _, value in claim.qualifiers}
    for mention in () if quantity.compares else scene.terms:
        if any(domain.terms[i].kind in _RUN for i in mention.ids) and not stated & set(mention.ids):
            return f"it may hold for {scene.text[mention.start : mention.end]!r} only"
    known = [*named(scene), *((m.start, m.end) for m in scene.terms)]
    known += [m.span() for m in _REFERENCE.finditer(scene.text)]
    if number := next((m for m in _NUMERAL.finditer(scene.text) if not is_in(m.span(), known)), None):
        return f"what {number[0]!r} beside it is of is not understood"
    start, end = clause(scene, quantity)
    left = [] if quantity.compares else list(unaccounted_in(scene.text, start, end, known))
    return f"conditions may stand beside it ({' '.join(left[:4])})" if len(left) > _SPARE else ""


def _unread_label(domain: Domain, label: Scene, claim: Claim) -> str:
    """What a column or row is called beyond its metric, unit and qualifiers: "Base", "shared L1"."""
    left = _unread(domain, claim, label.text, named(label))
    return f"{' '.join(left[:4])!r} over it is not understood" if left else ""


def _unread(domain: Domain, claim: Claim, text: str, known: Sequence[Span]) -> list[str]:
    """The words of a label that are neither accounted for nor units, nor words of what the claim measures."""
    units = [m.span() for m in _TOKEN.finditer(text) if domain.find_unit(m[0].strip("()[],;:*"))]
    own = _words_of(domain, claim)
    return [word for word in unaccounted(text, [*known, *units]) if word.lower() not in own]


def _beside_its_kind(domain: Domain, label: Scene, claim: Claim, beside: Sequence[tuple[str, str]]) -> str:
    """A bare "Memory" beside another column that says whose: "Accelerator memory"."""
    own = {w for m in label.metrics if claim.metric in m.ids for w in words(label.text[m.start : m.end])}
    if len(own) != 1 or not domain.metrics[claim.metric].plain:
        return ""
    for header, _ in beside:
        for m in domain.find_metrics(header):
            longer = own < {*words(header[m.start : m.end])} or domain.find_entities(header[: m.start])
            if claim.metric in m.ids and longer:
                return f"another column has the {header.strip().lower()}"
    return ""


def _row_conditions(domain: Domain, claim: Claim, beside: Sequence[tuple[str, str]]) -> str:
    """The first cell of the row that says under what conditions something was measured, and not what else was."""
    stated = {value for _, value in claim.qualifiers}
    for header, said in beside:
        named = [domain.metrics[i] for m in domain.find_metrics(header) for i in m.ids]
        # another figure of the row is no condition, a batch size and a number of chips are
        if any(m.dimension != "count" or m.nature == "measured" for m in named) or _NO_CONDITION.search(header):
            continue
        values = {i.partition("=")[2] for m in domain.find_qualifiers(said) for i in m.ids}
        if not values or not values <= stated:
            return f"it may hold for {header} {said} only".replace("  ", " ")
    return ""
