"""Who else may have a figure of a sentence: another product, another model, a part, or each of several.

"The B200 tops the H100 with 192 GB"              which of them?
"26.5 TFLOPS, 110 compute units ... per GCD"      a part of the chip
"Five links with 320 GB/s"                        one or all of them
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from chipwise import patterns as re
from chipwise.claims.around import (
    LIGHT,
    LONGEST,
    between,
    clause,
    gap,
    is_in,
    is_right_at,
    named,
    segment,
    unaccounted,
    unaccounted_in,
)
from chipwise.claims.misreadings import (
    MOBILE,
    RIGHT_BESIDE,
    UNKNOWN_VARIANT,
    of_which_model,
)
from chipwise.claims.model import Claim
from chipwise.claims.naming import COMPARED, OF_IT, names
from chipwise.claims.referring import ON_A_CHIP
from chipwise.claims.scene import Scene
from chipwise.claims.sides import begins_to_raise, is_other_side
from chipwise.domain.catalogue import PARTS
from chipwise.domain.model import COUNTED_CHIPS, Domain
from chipwise.domain.phrasebook import Mention
from chipwise.numbers.numerals import SEVERAL
from chipwise.numbers.quantities import Quantity
from chipwise.text import STOP_WORDS, Span

_ASIDE = 3  # content words that may stand beside a figure, between commas and the like
_BESIDE_TERMS = 1  # and beside a price or a comparison, which hold on terms of their own
_PART_TOLD = (
    re.compile(r"\b(?:each|every|per|one|single|same|individual)\s(?:of\s(?:the|its|their)\s)?(?:\w+\s)?(\w+)", re.I),
    re.compile(r"(?:^|[.;:]\s)\W*(?:[Aa]n?|[Tt]he)\s(?:\w+\s)?([A-Z]\w+)"),
    re.compile(r"\b(?:between|among|inside|of)\s(?:the\s|its\s)?(?:two|\d+)\s(\w+)", re.I),
    re.compile(rf"\b[Tt]he\s(?:{SEVERAL}|\d+)\s(\w+)"),
    # "each XCD of the MI300X", "each XCD contains"
    re.compile(r"\b(?:[Ee]ach|[Ee]very)\s(\w+)\s(?:of|in|on|with|has|holds|contains|includes|features|provides)\b"),
)
_PIECES = re.compile(r"\s(?:chips?|modules?|stacks?|packages?|dies|sections?)\b", re.I)
_EACH = re.compile(r"\b(?:each|every|per|one|single|a)\s(?:of\s(?:the|its)\s)?(?:\w+\s){0,2}$", re.I)
# "each MI250X contains 2 GPUs": a chip of chips, of which the rest of the sentence may speak
_MADE_OF = re.compile(
    rf"\b(?:contains?|consists? of|comprises?|is made (?:up )?of)\s(?:{SEVERAL}|[2-9])\s(?:GPUs|dies|chips|GCDs|chiplets)\b"
    rf"|\b(?:{SEVERAL}|[2-9])\s(?:GPUs|dies|GCDs|chiplets)\s(?:on|in|inside|of)\s(?:an?|the|each|one|same)\b",
    re.I,
)
# "18 NVLink 4.0 links", "five PCIe Gen6 x8 links"; what goes over so many is of all
_LINKS = re.compile(
    rf"(?<!\bover\s)(?<![\w.])(?:\d+x?|{SEVERAL})\s(?:(?!\d+\s)[\w.-]+\s){{0,3}}(?:links|connections|lanes|ports|bricks)\b",
    re.I,
)
_OF_LINKS = re.compile(
    rf"(?<![\w.])(?:\d+x?|{SEVERAL})\s(?:NVLinks?|links?|lanes?|ports?)\s(?:(?:of|at)\s)?$", re.I
)  # "18 NVLink 100 GB/s"
_TIMES = re.compile(r"\b(?:\d+\s?[x×]|dual|twin|quad)[\s-]?[`*_]*$", re.I)
_SEVERAL = re.compile(rf"\b(?:pair\sof|{SEVERAL}|[2-9]|[1-9]\d)(?:\s?[x×])?\s$", re.I)
_OR_BETTER = re.compile(
    r"\+?\s(?:or|and)\s(?:better|newer|higher|above|later|up|similar|equivalent|greater|comparable)\b", re.I
)
_EACH_BEHIND = re.compile(r"\s(?:each|apiece|per\s)", re.I)
# where so many chips sit: "the four sockets hold V100s with 64 GB"
_FITTED = re.compile(rf"\b(?:{SEVERAL}|[2-9]|1\d)\s(?:[\w-]+\s){{0,2}}(?:sockets|slots|cards|boards|modules)\b", re.I)
# "the H100 with InfiniBand interconnect delivers 30 times ..."
_FITTED_WITH = re.compile(
    r"s?\swith\s(?:an?\s)?((?-i:[A-Z])[\w-]*(?:\s[\w-]+){0,3}?)\s(?:delivers?|offers?|provides?|achieves?|reach(?:es)?|gets?|is|are|runs?)\b",
    re.I,
)
_OF_ALL = r"total|aggregate|combined|altogether|in all|together"
_IN_ALL = re.compile(rf"\b(?:{_OF_ALL}|add(?:s|ing)? up to)\b[^.;:]{{0,40}}$", re.I)
_IN_ALL_BEHIND = re.compile(rf"[^.,;:\d]{{0,24}}\b(?:{_OF_ALL})\b", re.I)
_BETWEEN_THEM = re.compile(
    r"\b(?:between|among)\sthem\b|\b(?:together|combined|altogether|in\s(?:all|total|sum))\b", re.I
)
_NAME_GOES_ON = re.compile(r"[\s-]([A-Z][A-Za-z]*\d*[\w+-]*)")
# "the B200's predecessor", "the successor to the A100": somebody else, named by a relative
_RELATIVES = r"(?:predecessor|successor|sibling|rival|competitor|counterpart|replacement|(?:big|little|older|younger) (?:brother|sister))s?"
_KIN = re.compile(rf"(?:['’]s?\s(?:[\w-]+\s){{0,2}}?|\s){_RELATIVES}\b", re.I)
_KIN_OF = re.compile(rf"\b{_RELATIVES}\s(?:of|to|for)\s(?:an?\s|the\s)?(?-i:[A-Z]\w+(?:['’]s)?\s)?$", re.I)
_DOES = re.compile(
    r"\s(?:is|are|was|were|will|would|can|could|may|might|should|has|had|makes?|gets?|pays?|comes?|ends?|sounds?|looks?|deserves?)\b"
)
_IN_A_CODE = re.compile(r"\.\w")  # the "trn1" of "trn1.32xlarge"
_SET_AGAINST = re.compile(
    r"\b(?:than|versus|vs\.?|against|compared (?:to|with)|relative to|(?:that|those) of|as\s\w+\sas)\s(?:an?\s|the\s)?(?:[A-Z]\w+\s)?$",
    re.I,
)
# "while a typical microcontroller delivers": a clause about something that the domain does not know
_SOMEBODY = re.compile(
    r"\b(?:while|whereas|but|where)\s(?:an?|most|many|some|typical|the average)\s(?:[\w-]+\s){1,6}"
    r"(?:has|have|had|delivers?|offers?|provides?|reach\w*|draws?|costs?|uses?|needs?|gets?|runs?|does|do|is|are|stays?|consumes?)\s",
    re.I,
)
# "700 W, unchanged from the H100": what had it before
_FROM = re.compile(r"\b(?:unchanged|inherited|carried over|up|down) from\s(?:the\s|its\s)?(?:[A-Z]\w+\s)?$")
# between two names: "the B200 tops the H100 with 192 GB" does not tell which of them has it
_ACTS_ON = re.compile(
    r"\s(?!(?:and|or|with|like|beside|has|is|of|in|on|for)\b)(?:[a-z]+\s){1,2}(?:the\s|an?\s)?(?:[A-Z]\w+\s)?"
)


def beside_others(domain: Domain, scene: Scene, quantity: Quantity, claim: Claim) -> str:
    """What else a sentence speaks of, where a figure does not stand right at the name of its subject."""
    own = [m for m in scene.entities if names(domain, m, claim.subject)]
    if any(goes_on(scene, m) or _OR_BETTER.match(scene.text, m.end) for m in own) or MOBILE.search(scene.text):
        return UNKNOWN_VARIANT
    if own and all(names_a_relative(scene, m) for m in own):
        return "it is said of a relative of it"
    if quantity.compares:
        return _fitted_with(scene, own) or _around(domain, scene, quantity, _BESIDE_TERMS)
    before = [m.end for m in own if m.end <= quantity.start]
    if before and _SOMEBODY.search(scene.text, max(before), quantity.start):
        return "its clause is about something else"
    if own and all(_is_set_against(scene, quantity, m) for m in own):
        return "it may be said of what that is compared with"
    return _named_too(domain, scene, quantity, claim, own)


def _fitted_with(scene: Scene, own: Sequence[Mention]) -> str:
    """What a chip has beside it that is compared: "The H100 with InfiniBand interconnect delivers 30 times"; its memory is its own."""
    fitted = next((m for o in own if (m := _FITTED_WITH.match(scene.text, o.end))), None)
    if fitted is None or is_in(fitted.span(1), ((m.start, m.end) for m in scene.qualifiers)):
        return ""
    return f"it may hold with {fitted[1]} only"


def names_a_relative(scene: Scene, mention: Mention) -> bool:
    """True for the name in "the B200's predecessor" and "the successor to the A100", of which neither is said."""
    return bool(_KIN.match(scene.text, mention.end) or _KIN_OF.search(scene.text, 0, mention.start))


def _named_too(domain: Domain, scene: Scene, quantity: Quantity, claim: Claim, own: Sequence[Mention]) -> str:
    """Another product of the clause, or words right around a figure that nothing accounts for."""
    # "With 32 GiB on a chip you cannot keep all of it": what follows makes nothing else of it
    right_at = any(is_right_at(scene, quantity, m) for m in own) or bool(ON_A_CHIP.match(scene.text, quantity.end))
    reach = RIGHT_BESIDE if right_at else LONGEST
    unknown = [span for span in scene.unknown if gap(span, quantity) <= reach]
    known = [] if right_at else _other_products(domain, scene, quantity, claim, own)
    if unknown or known:
        return f"{scene.text[slice(*[*known, *unknown][0])]} is named there, too"
    nature = domain.metrics[claim.metric].nature
    if nature == "priced":
        return _around(domain, scene, quantity, _BESIDE_TERMS, domain.metrics[claim.metric].plain)
    return "" if right_at or nature == "measured" else _around(domain, scene, quantity, _ASIDE)


def _is_set_against(scene: Scene, quantity: Quantity, mention: Mention) -> bool:
    """True for the H200 of "288 GB is 2x that of the H200" and the H100 of "improves on the H100 with 141 GB"."""
    if mention.start >= quantity.end:
        return _SET_AGAINST.search(scene.text, 0, mention.start) is not None
    by = scene.text[mention.end : quantity.start].lower().strip() in ("with", "at")
    acted_on = any(
        _ACTS_ON.fullmatch(scene.text[m.end : mention.start]) for m in scene.entities if m.end < mention.start
    )
    # "With 380 GB, the slice has more memory than the MI300X with 192 GB": the other side has its own
    others = (q for q in scene.figures if q.end <= mention.start and not q.compares)
    each = any(q.dimension == quantity.dimension for q in others)
    return by and not each and (acted_on or COMPARED.search(scene.text, 0, mention.start) is not None)


def _other_products(
    domain: Domain, scene: Scene, quantity: Quantity, claim: Claim, own: Sequence[Mention]
) -> list[Span]:
    """Whom else the clause of a figure names; who is the other side of a comparison has no part in another figure."""
    # subtle: its own variant is somebody else, too, if another figure is the chip's
    above = domain.ancestors(claim.subject)
    others = [m for m in scene.entities if m not in own and not any(i in above for i in m.ids)]
    start, end = clause(scene, quantity)
    if any(start <= m.start and m.end <= end for m in own):
        others = [m for m in others if start <= m.start and m.end <= end]
    others = [m for m in others if not (_has_its_own(scene, quantity, m) or _FROM.search(scene.before(m, 40)))]
    others = [m for m in others if begins_to_raise(scene.text, m, quantity.start) is None]
    if any(q.compares for q in scene.figures):
        others = [m for m in others if not is_other_side(scene.text, m)]
    return [
        (m.start, m.end)
        for m in others
        if any(domain.is_specific(i) or not domain.share_a_line(claim.subject, i) for i in m.ids)
    ]


def _has_its_own(scene: Scene, quantity: Quantity, mention: Mention) -> bool:
    """True for the T4 of "it reaches 121 TFLOPS against 65 TFLOPS on the T4", which stands right at another figure of that kind."""
    alike = (q for q in scene.figures if q is not quantity and q.dimension == quantity.dimension and not q.compares)
    return any(is_right_at(scene, q, mention) for q in alike)


def _around(domain: Domain, scene: Scene, quantity: Quantity, spare: int, said: Sequence[str] = ()) -> str:
    """The words right around a figure that nothing accounts for, where they are more than `spare`; `said` tell no more than its metric."""
    voices = ((cue.start, cue.end) for cue in domain.voice_lexicon.find(scene.text))
    known = [*named(scene), *((m.start, m.end) for m in scene.terms), *voices]
    start, end = segment(scene, quantity)
    # "a chip with 4.7x the peak of the v5p will keep us busy": what it does then is no part of it
    if quantity.compares:
        does = (m.end for m in scene.entities if m.start >= quantity.end and _DOES.match(scene.text, m.end))
        end = min(end, next(does, end))
    # what a multiple is of stands behind it: "15x faster responses"
    left = list(unaccounted_in(scene.text, quantity.end if quantity.compares else start, end, known))
    left = [word for word in left if word.lower() not in said]
    return f"{' '.join(left[:4])!r} beside it is not understood" if len(left) > spare else ""


def goes_on(scene: Scene, mention: Mention) -> bool:
    """True for "RTX 4070 Laptop GPU" and "Trn3 Gen2 UltraServer", where the domain has the name without it."""
    if _IN_A_CODE.match(scene.text, mention.end) or OF_IT.match(scene.text, mention.end):
        return True
    behind = _NAME_GOES_ON.match(scene.text, mention.end)
    if behind is None or behind[1].lower() in LIGHT or behind[1].lower() in STOP_WORDS:
        return False
    known = [*named(scene), *((m.start, m.end) for m in scene.terms)]
    return not is_in(behind.span(1), known)


def other_model(domain: Domain, scene: Scene, quantity: Quantity, claim: Claim) -> str:
    """A model has many relatives: "LLaMA-based", "TinyLlama", "the 66B ChatGPT model" are others."""
    if not domain.metrics[claim.metric].about:
        return ""
    if unnamed := of_which_model(domain, claim):
        return unnamed
    for m in scene.terms:
        start, end = between((m.start, m.end), quantity)
        beside = not scene.text[m.end : m.end + 1].startswith("-") and not list(
            unaccounted(scene.text[start:end], [(0, 0)])
        )
        if claim.subject in m.ids and m.end <= quantity.start and beside:
            return ""
    return "it may be of another model of that name"


def of_part(domain: Domain, scene: Scene, claim: Claim, around: Span) -> str:
    """A part of a chip that the clause speaks of ("each GCD"), where the claim has no such scope."""
    if "aggregation" not in domain.metrics[claim.metric].qualifiers:
        return of_each_part(domain, scene, claim, around)
    if claim.qualifier("aggregation") in PARTS:
        return ""
    part = _part_told(domain, scene, around)
    part = part or next((p for p in _parts_of_memory(domain, scene, around)), "")
    # a slice is made of its chips, and what is said of it is said of all
    made_of = _MADE_OF.search(scene.text) if domain.kind(claim.subject) != "slice" else None
    made_of = None if made_of and _is_whole(domain, scene, claim, made_of.start()) else made_of
    if not part and made_of and claim.qualifier("aggregation") not in ("group", "node"):
        part = made_of[0].strip()
    return f"it may be of a part only ({part})" if part else ""


def of_each_part(domain: Domain, scene: Scene, claim: Claim, around: Span) -> str:
    """The part that a clause says a figure of, as the table may: "each XCD of the MI300X has 38 compute units"."""
    part = (
        ""
        if claim.qualifier("aggregation") in PARTS
        else _part_told(domain, scene, around, (_PART_TOLD[0], _PART_TOLD[-1]))
    )
    return f"it may be of a part only ({part})" if part else ""


def _part_told(domain: Domain, scene: Scene, around: Span, patterns: Sequence[re.Pattern[str]] = _PART_TOLD) -> str:
    """The noun for a part that a clause is about, "" for none."""
    products = [(m.start, m.end) for m in scene.entities]  # "the 4090 die" are not so many dies
    told = (m for pattern in patterns for m in pattern.finditer(scene.text, *around))
    told = (m for m in told if not is_in((m.start(), m.start(1)), products))
    return next((m[1] for m in told if m[1].lower() in domain.part_nouns), "")


def _is_whole(domain: Domain, scene: Scene, claim: Claim, counted: int) -> bool:
    """True where a machine is said to have a figure, or all of its chips between them: "puts eight GPUs in one box, for 640 GB"."""
    if not domain.is_machine(claim.subject):
        return False
    first = any(claim.subject in m.ids and m.end <= counted for m in scene.entities)
    return first or _BETWEEN_THEM.search(scene.text, counted) is not None


def of_listed_part(domain: Domain, lead: str) -> str:
    """The part that leads into a list: below "Each core:" all is of a core."""
    told = (m for m in _PART_TOLD[0].finditer(lead) if m[1].lower() in domain.part_nouns)
    return next((f"its list is of a part ({m[0].strip()})" for m in told), "")


def _parts_of_memory(domain: Domain, scene: Scene, around: Span) -> Iterator[str]:
    """The chips of "each of the 6 GDDR6X chips has 2 GB"."""
    for m in scene.terms:
        behind = _PIECES.match(scene.text, m.end)
        memory = all(domain.terms[i].kind == "memory" for i in m.ids)
        if memory and behind and around[0] <= m.start < around[1] and _EACH.search(scene.text, 0, m.start):
            yield f"{scene.text[m.start : m.end]}{behind[0]}"


def _is_in_all(scene: Scene, quantity: Quantity) -> bool:
    """True for "links that add up to 600 GB/s" and "18 links, 900 GB/s together"."""
    before = _IN_ALL.search(scene.text, 0, quantity.start)
    return before is not None or _IN_ALL_BEHIND.match(scene.text, quantity.end) is not None


def _of_all_counted(domain: Domain, scene: Scene, claim: Claim) -> str:
    """What "Dual RTX 3090 (48GB total)" gives is of both."""
    own = [m for m in scene.entities if names(domain, m, claim.subject)] if domain.is_chip(claim.subject) else []
    counted = any(_TIMES.search(scene.text, max(0, m.start - 8), m.start) for m in own)
    return "it is of all of them" if counted else ""


def one_of_some(domain: Domain, scene: Scene, quantity: Quantity, claim: Claim) -> str:
    """What is counted beside a figure that does not say whether it is of each: "2x RTX 3090: 700 W", "five links with 320 GB/s"."""
    metric = domain.metrics[claim.metric]
    scope = claim.qualifier("aggregation")
    if quantity.compares or _is_in_all(scene, quantity):
        return "" if quantity.compares or scope or not metric.scales else _of_all_counted(domain, scene, claim)
    start, end = clause(scene, quantity)
    links = _OF_LINKS.search(scene.text, start, quantity.start) or _LINKS.search(scene.text, start, end)
    links = links if "direction" in metric.qualifiers else None
    if links is not None and "aggregation" in metric.qualifiers and scope not in PARTS:
        return f"it may be of one or of all {links[0]}"
    own = [m for m in scene.entities if names(domain, m, claim.subject)]
    machine = domain.kind(claim.subject) == "system"
    priced = metric.nature == "priced" and not _EACH_BEHIND.match(scene.text, quantity.end)
    summed = metric.nature == "specified" or priced
    several = any(_SEVERAL.search(scene.text, 0, m.start) for m in own) or _counts_more(domain, scene, quantity, claim)
    if machine and summed and several:
        return "it may be of one or of all of them"
    if scope:
        return ""
    plural = any(scene.text[m.end - 1] == "s" for m in own)
    if plural and "aggregation" in metric.qualifiers and _FITTED.search(scene.text, 0, quantity.start):
        return "it may be of one or of all of them"
    last = [m for m in scene.entities if m.end <= quantity.start][-1:]
    own += [m for m in last if any(domain.are_kin(claim.subject, i) for i in m.ids)]
    counted = any(_TIMES.search(scene.text, max(0, m.start - 8), m.start) for m in own)
    return "it may be of one or of all of them" if counted and "aggregation" in metric.qualifiers else ""


def _counts_more(domain: Domain, scene: Scene, quantity: Quantity, claim: Claim) -> bool:
    """True where more chips are counted before a figure than the machine holds: "four racks have 288 GPUs and 53.6 TB"."""
    held = domain.entities[claim.subject].chips if claim.subject in domain.entities else 0
    counts = (q for q in scene.quantities if q.dimension == "count" and domain.counted(q.unit) == COUNTED_CHIPS)
    return held > 0 and any(held < q.low and q.end <= quantity.start for q in counts)
