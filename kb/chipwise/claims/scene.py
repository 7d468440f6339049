"""One sentence or cell with all that is named in it: names, metrics, terms, qualifiers and quantities."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import pairwise

from chipwise import patterns as re
from chipwise.claims.madeof import without_contents
from chipwise.domain.model import Domain, with_short_names
from chipwise.domain.phrasebook import Mention
from chipwise.domain.records import UnitForms
from chipwise.numbers.quantities import Quantity
from chipwise.numbers.spoken import SMALL
from chipwise.text import STOP_WORDS, Span, blanked
from chipwise.values import dataclass

_CHANGED_BY = re.compile(
    r"\b(?:cut|reduc|lower|rais|increas|drop|fell|fall|grew|sav|shrank|shrink|undercut|trim|shav|shed|boost|lift|grow|climb|exceed|beat|outperform|outpac|surpass|improv|rose|declin|slash)\w*\b[^.;%]{0,90}\bby\s"
    r"(?:(?:up to|about|around|roughly|some|nearly|over|at least)\s)?[~$]?$",
    re.I,
)
_OFF_THAT = re.compile(r"\s(?:below|above|under|beneath)\s(?:that|those|what|the|its)\b", re.I)
# of "a 30% MFU gain" and "400%+ utilization improvement" neither is a level
_CHANGE_OF = re.compile(
    r"\+?\s(?:(?!(?:and|or|but|with|without|of|in|on|at|for|after|before|from|to|is|was|are|were|has|had|a|an|the|than|as|no)\b)[\w-]+\s){1,3}"
    r"(?:gain|improvement|increase|boost|uplift|jump|rise|growth|reduction|drop|decrease|decline|loss|penalty|degradation|regression|savings?|difference|gap)s?\b",
    re.I,
)
_SAVED = re.compile(r"\bsav(?:e|es|ed|ing)\s(?:up to\s|about\s|some\s|over\s|at least\s|roughly\s)?[~]?$", re.I)
_CUT_OF = re.compile(
    r"\b(?:cut|saving|reduction|decrease|drop|discount|fall)s? of\s(?:up to\s|about\s|some\s|over\s)?[~]?$", re.I
)
_PROPERTY = re.compile(r"[:|]\**\s*\**(\d[^|:\n]{0,24})\**\s*\|?\s*$")
# behind what is counted: "Transistors in total: 80 billion"
_NO_MORE = re.compile(r"(?:\s\(?(?:in\s)?total\)?)?[\s*]*")
_NEXT_WORD = re.compile(r"\s([A-Za-z]+)")
_MANY_DIGITS = re.compile(r"\d[,.]?\d[,.]?\d")
_BARE_DIGITS = re.compile(rf"(?<!\w){_MANY_DIGITS.pattern}")
_ECHO = 0.8  # a bare number that repeats a figure is this close to it, or it counts something else
_GENERATION = re.compile(r"\b(?:PCIe|NVLink|HBM)\s$")  # "PCIe Gen6"
# "ConnectX-9", "EPYC 9965", "Gen2": what looks like the name of a product and is none that the domain knows
_PRODUCT = re.compile(
    r"\b(?:[A-Z][A-Za-z]*-?\d[\w-]*|[A-Z]{2,}[a-z]*\s\d{3,5}[A-Z]?|(?:[A-Z][a-z]+\s\d\s)?\d{3,5}[A-Z][A-Z\d]*)\b"
)
_MAKER = re.compile(r"(?<![\w-])([A-Z][A-Za-z]+)\s$")
_MAKER_AT_MOST = 24
_NO_PRODUCT = re.compile(
    r"(?:L[1-3]|Q[1-4]|H[12]|V\d|N[1-9]\w?|Tier|FY|CO2|C2C|P2P|Gen\d(?=\s?x\d)|[A-Z]+-\d$)[\w-]*", re.I
)
# the target of a link is no wording, and neither is mathematics: "$...$" by the rule of Pandoc, which leaves "$12 to $15" alone
_UNREAD = re.compile(
    r"(?<=\])\((?:[^()\s]|\([^()\s]*\)){1,500}\)|\bhttps?://[^\s)\]>]{1,500}"
    r"|\b\d[gc]\.\d{1,3}gb\b"  # "3g.40gb", the name of a slice
    r"|\$\$[^$]{1,400}\$\$|\$(?![\s$])[^$\n]{0,200}[^$\s\d]\$(?!\w)"
)
# hyphens and blanks that do not break a line, as the plain ones that they look like
_EMPHASIS = re.compile(r"(?<!\w)_(?=\w)|(?<=\w)_(?!\w)")  # "_H100_", which is written as "*H100*" as well
_PLAIN = {0x2010: "-", 0x2011: "-", 0xA0: " ", 0x2007: " ", 0x2009: " ", 0x202F: " "}
MOST_FIGURES = 40  # of one sentence: what goes on after them is a wall of numbers, and costs time to no end
# "the PCIe card", "PCIe 80 GB": what makes a form factor of a bus
_OF_A_FORM = re.compile(r"\s(?:(?:version|variant|card|model|board|edition|form)s?\b|\d{2,3}\s?GB\b(?!/))", re.I)
# "the PCIe 80 GB card", "a server GPU": what tells no scope
_TELLS_NO_SCOPE = re.compile(
    r"(?<=\s)\d{2,3}\s?GB\s(?=(?:version|variant|card|model|board|edition|part|one)s?\b)"
    r"|\bserver(?=[\s-](?:GPU|card|chip|accelerator)s?\b|-(?:class|grade)\b)",
    re.I,
)
COUNTED = re.compile(r"\d[\s-]$")
_COUNTED_IN_WORDS = re.compile(rf"\b(?:{'|'.join(SMALL)}|hundred|thousand)\s$", re.I)
_NUMBERED = re.compile(r"\d+[A-Za-z]")  # "355X" and "8i", no "8 H100 GPUs"
_TO_ANOTHER = re.compile(r"(?<=\d)\s?(?:to|and|or|through|-|–)\s?[~$]?\d")
TIMES = "x"  # the unit of multiples
_FACTOR = re.compile(r"\b(?:factors?|ratios?) of\b|\bmultipl(?:y|ies|ied|ying)\b", re.I)
_FACTOR_OF = re.compile(
    r"\b(?:factors? of|ratios? of|multipl(?:y|ies|ied|ying)\s[^.;:]{3,60}\sby)\s(?:[a-z]+\s){0,2}~?$", re.I
)


@dataclass(frozen=True)
class Scene:
    """A sentence's names in order. Spans count from its start."""

    text: str
    entities: Sequence[Mention]
    metrics: Sequence[Mention]
    terms: Sequence[Mention]
    qualifiers: Sequence[Mention]  # ids are "axis=value"
    quantities: Sequence[Quantity]

    def before(self, mention: Mention, characters: int) -> str:
        """Some of the text up to a name."""
        return self.text[max(0, mention.start - characters) : mention.start]

    @cached_property
    def unknown(self) -> list[Span]:
        """Where names stand that look like products and are none that the domain knows."""
        known = (self.entities, self.terms, self.metrics, self.qualifiers, self.quantities)
        taken = [(m.start, m.end) for group in known for m in group]
        return [
            m.span()
            for m in _PRODUCT.finditer(self.text)
            if not _NO_PRODUCT.fullmatch(m[0])
            and not _GENERATION.search(self.text, max(0, m.start() - 8), m.start())
            and not any(start < m.end() and m.start() < end for start, end in taken)
        ]

    @property
    def unknown_names(self) -> list[str]:
        """Those names, each with the name of its maker or line where that stands before it: "Zorgon X900"."""
        found = []
        for start, end in self.unknown:
            first = _MAKER.search(self.text, max(0, start - _MAKER_AT_MOST), start)
            whole = first is not None and first[1].lower() not in STOP_WORDS
            found.append(self.text[first.start(1) if first is not None and whole else start : end])
        return found


def read_scene(domain: Domain, text: str) -> Scene:
    """What `text` names, less the targets of its links and its mathematics."""
    text = blanked(text, (unread.span() for unread in _UNREAD.finditer(text))).translate(_PLAIN)
    text = _EMPHASIS.sub("*", text)
    entities = with_short_names(domain, text, domain.find_entities(text))
    metrics = [m for m in domain.find_metrics(text.replace("_", " ")) if not _is_form_factor(domain, text, m, entities)]
    qualifiers = domain.find_qualifiers(blanked(text, (m.span() for m in _TELLS_NO_SCOPE.finditer(text))))
    bare = _without_formats(_without_numbers_of_names(domain, text, entities), qualifiers)
    said = _with_echoes(domain, bare)
    quantities = with_changes(text, _with_factors(domain, bare, said))
    quantities = _as_firm_as_said(text, [q for q in quantities if not _is_of_terms(q, qualifiers)])
    # names that stand behind the last figure that is read are of those that are not
    until = quantities[MOST_FIGURES].start if len(quantities) > MOST_FIGURES else len(text)
    return Scene(
        text,
        [_with_marks(text, m) for m in _up_to(until, without_contents(domain, text, entities))],
        _up_to(until, metrics),
        _up_to(until, domain.find_terms(text)),
        _up_to(until, qualifiers),
        quantities[:MOST_FIGURES] or _bare_count(domain, text, metrics),
    )


def _is_form_factor(domain: Domain, text: str, mention: Mention, entities: Sequence[Mention]) -> bool:
    """True for the PCIe of "V100 PCIe", "PCIe card" and "PCIe A100", which is no bus."""
    if text[mention.start : mention.end].lower() not in domain.form_factors:
        return False
    named = any(e.start <= mention.start and mention.end <= e.end for e in entities)
    beside = any(not text[mention.end : e.start].strip() for e in entities if e.start >= mention.end)
    return named or beside or _OF_A_FORM.match(text, mention.end) is not None


def _is_of_terms(quantity: Quantity, qualifiers: Sequence[Mention]) -> bool:
    """True for the year of "a one-year commitment", which is the name of what a price holds for."""
    terms = (m for m in qualifiers if any(i.startswith("price_terms=") for i in m.ids))
    return quantity.dimension == "time" and any(m.start <= quantity.start and quantity.end <= m.end for m in terms)


def _with_marks(text: str, mention: Mention) -> Mention:
    """A name with the marks of code or emphasis around it: "The `p5.48xlarge` instance has" reads on as without them."""
    start, end = mention.start, mention.end
    while start and end < len(text) and text[start - 1] in "`*" and text[start - 1] == text[end]:
        start, end = start - 1, end + 1
    return mention if start == mention.start else replace(mention, start=start, end=end)


def _up_to(until: int, mentions: Sequence[Mention]) -> list[Mention]:
    return [m for m in mentions if m.start < until]


def _bare_count(domain: Domain, text: str, metrics: Sequence[Mention]) -> list[Quantity]:
    """The number of a property whose name says what it counts: "Transistor count: 80 billion"."""
    match = _PROPERTY.search(text)
    # the name of the property is the metric, and no more: "Cores per instance: 16" counts something else
    named = [m for m in metrics if match and _NO_MORE.fullmatch(text[m.end : match.start()])]
    counted = [i for m in named for i in m.ids if domain.metrics[i].dimension == "count"]
    numbers = domain.unit_table.find_all(text[match.start(1) :]) if match and counted else []
    unit = _kind_counted(domain, text, named) if counted else None
    unit = unit or (domain.units.get(domain.metrics[counted[0]].unit) if counted else None)
    if match is None or unit is None or len(numbers) != 1 or numbers[0].dimension != "number" or numbers[0].start:
        return []
    by = match.start(1)
    return [replace(numbers[0], start=by, end=numbers[0].end + by, dimension="count", unit=unit.id)]


def _kind_counted(domain: Domain, text: str, named: Sequence[Mention]) -> UnitForms | None:
    """The unit that the property's name is: "Tensor Cores: 432" counts no other cores."""
    units = (domain.units.get(domain.find_unit(text[m.start : m.end])) for m in named)
    return next((u for u in units if u is not None and u.dimension == "count"), None)


def _with_factors(domain: Domain, text: str, quantities: list[Quantity]) -> list[Quantity]:
    """With the 2.8 of "by a factor of 2.8", a multiple that has no unit behind it."""
    times = domain.units.get(TIMES)
    if times is None or not names_a_factor(text):
        return quantities
    numbers = [q for q in domain.unit_table.find_all(text) if q.dimension == "number"]
    found = [q for q in numbers if _FACTOR_OF.search(text, max(0, q.start - 90), q.start)]
    made = [replace(q, dimension=times.dimension, unit=times.id, form="multiple") for q in found]
    return sorted([*quantities, *made], key=lambda q: q.start)


def names_a_factor(text: str) -> bool:
    """True where a number without a unit may be a multiple."""
    return _FACTOR.search(text) is not None


def with_changes(text: str, quantities: Sequence[Quantity]) -> list[Quantity]:
    """A share that a verb of change governs from afar is one: "cut their total cost of ownership (TCO) by 52%"."""
    return [replace(q, form=_form(text, q)) if q.form == "share" else q for q in quantities]


def _form(text: str, share: Quantity) -> str:
    start = max(0, share.start - 120)
    after = _OFF_THAT.match(text, share.end) or _CHANGE_OF.match(text, share.end)
    if after or _CHANGED_BY.search(text, start, share.start):
        return "change"
    return (
        "discount"
        if _SAVED.search(text, start, share.start) or _CUT_OF.search(text, start, share.start)
        else share.form
    )


def _with_echoes(domain: Domain, text: str) -> list[Quantity]:
    """The quantities of a text, and the bare numbers that repeat one otherwise: "3,450 tokens per second, I saw 3,540"."""
    found = domain.unit_table.find(text)
    # most sentences repeat nothing: to read them once more costs as much as the first time
    repeats = any(_MANY_DIGITS.search(text[q.start : q.end]) for q in found)
    if not repeats or not _BARE_DIGITS.search(blanked(text, ((q.start, q.end) for q in found))):
        return found
    echoed = list(found)
    for number in domain.unit_table.find_all(text):
        if number.dimension != "number" or not _MANY_DIGITS.search(text[number.start : number.end]):
            continue
        before = [q for q in found if q.end <= number.start and q.form == "value" and q.bound in ("exact", "about")]
        unit = domain.units.get(before[-1].unit) if before else None
        if unit is None or not _repeats(number.low * unit.scale, before[-1].high):
            continue
        low, high = number.low * unit.scale, number.high * unit.scale
        echoed.append(replace(before[-1], start=number.start, end=number.end, low=low, high=high, bound=number.bound))
    return sorted(echoed, key=lambda q: q.start)


def _as_firm_as_said(text: str, quantities: Sequence[Quantity]) -> list[Quantity]:
    """With what converts an "about" as no more than that, too: "~1.5 kg (3.3 lbs)"."""
    told = list(quantities[:1])
    for before, q in pairwise(quantities):
        converts = text[before.end : q.start].strip() == "(" and before.dimension == q.dimension
        loosely = converts and before.bound == "about" and q.bound == "exact" and before.low <= q.middle <= before.high
        told.append(replace(q, low=before.low, high=before.high, bound="about") if loosely else q)
    return told


def _repeats(number: float, figure: float) -> bool:
    """True for a number that is close to a figure; none is close to nothing: "700 W, 0 W when off, and 650"."""
    return 0 < _ECHO * figure <= number <= figure / _ECHO


def _without_counted_names(domain: Domain, text: str, mentions: Sequence[Mention]) -> str:
    """The text with the name in "144 Trainium3 chips" and "72 Blackwell GPUs" blanked out, so that the count finds its noun."""
    spans: list[Span] = []
    for m in mentions:
        counted = COUNTED.search(text[max(0, m.start - 2) : m.start]) or _COUNTED_IN_WORDS.search(
            text, max(0, m.start - 16), m.start
        )
        if not counted or domain.find_unit(text[m.start : m.end]):
            continue  # the GPUs of "8 GPUs with 80 GB" are that noun
        name, _, noun = text[m.start : m.end].rpartition(" ")
        if name and domain.find_unit(noun):
            spans.append((m.start, m.start + len(name)))
        elif text[m.end : m.end + 1] == " " and not _is_counted_itself(domain, text, m):
            spans.append((m.start, m.end))
    return blanked(text, spans)


def _is_counted_itself(domain: Domain, text: str, mention: Mention) -> bool:
    """True for the name in "eight L40S have", which is the noun of its count; in "144 Trainium3 chips" another one is."""
    behind = _NEXT_WORD.match(text, mention.end)
    noun = behind is not None and domain.find_unit(behind[1])
    return text[mention.start : mention.end].lower() in domain.counted_names and not noun


def _without_numbers_of_names(domain: Domain, text: str, mentions: Sequence[Mention]) -> str:
    """The text as above, less the numbers of names that would be figures: "on Gaudi 2 to 1,835 TFLOPS", "the 355X"."""
    taken = [(m.start, m.end) for m in mentions if _NUMBERED.match(text, m.start) or _TO_ANOTHER.match(text, m.end)]
    return blanked(_without_counted_names(domain, text, mentions), taken)


def _without_formats(text: str, qualifiers: Sequence[Mention]) -> str:
    """The text with the format and density in "1,979 sparse BF16 TFLOPS" blanked out, so that the number finds its unit."""
    spans: list[Span] = []
    for m in qualifiers:
        follows = bool(spans and spans[-1][1] + 1 == m.start) or COUNTED.search(text[max(0, m.start - 2) : m.start])
        if follows and all(i.startswith(("dtype=", "sparsity=")) for i in m.ids):
            spans.append((m.start, m.end))
    return blanked(text, spans)


def ids(mentions: Iterable[Mention]) -> tuple[str, ...]:
    """All that is named, once each, in order."""
    return tuple(dict.fromkeys(i for mention in mentions for i in mention.ids))
