"""When a chip was announced and since when it can be had: dates, which no unit measures.

    "Intel announced the Gaudi 2 in May 2022."       -> (intel-gaudi-2, announcement_date, 2022-05)
    "It has been generally available since late 2023" -> (..., availability_date, 2023), approx=late

The object is an ISO date as exact as the text, so that one that agrees with another but
says less is a prefix of it. The wordings are the cues of the metrics of dimension
"date", and the `dated` ones where a date follows. A date that belongs to no cue, or a cue to no chip, says nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

from chipwise import patterns as re
from chipwise.claims import polarity
from chipwise.claims.model import RELEASE
from chipwise.claims.naming import ASIDE, COORDINATES
from chipwise.claims.saying import Category
from chipwise.claims.scene import ids
from chipwise.claims.stretches import PRONOUN
from chipwise.domain.cues import Lexicon
from chipwise.domain.model import Domain
from chipwise.domain.phrasebook import Mention
from chipwise.domain.records import Metric, Voice
from chipwise.nouns import PRODUCT
from chipwise.numbers.numerals import SEVERAL, numeral_at
from chipwise.text import asks
from chipwise.values import dataclass

_BREAKS = re.compile(r"[;:]\s|(?<!\.\w)\.\s|\b(?:while|whereas|but|and\s(?=its\s))")
REACH = 80  # characters between a cue and its date, or its chip
YEAR, MONTH = len("2026"), len("2026-09")  # characters of a date that is no more exact

_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_MONTH = (
    r"(?P<{0}>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_DATE = re.compile(
    rf"""(?<![\w.,$€£-])(?:(?P<rough>early|mid|late|(?:the\s)?(?:beginning|middle|end|start)\sof|spring|summer|autumn|fall|winter)[\s-](?:of\s)?)?
    (?:(?P<iso>(?:19|20)\d\d-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)
      |{_MONTH.format("month")}\s(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th)?,?\s)?(?:of\s)?(?P<year>(?:19|20)\d\d)
      |(?P<day2>\d{{1,2}})(?:st|nd|rd|th)?\s{_MONTH.format("month2")},?\s(?P<year2>(?:19|20)\d\d)
      |(?P<part>[QH][1-4]|(?:first|second|third|fourth)\s(?:quarter|half))\s(?:of\s)?(?P<year3>(?:19|20)\d\d)
      |(?P<year4>(?:19|20)\d\d)\s(?P<part2>[QH][1-4])
      |(?P<year5>(?:19|20)\d\d))(?![\w%]|[-–/.,]\d|\s?(?:GB|TB|TFLOPS|USD|W|MHz|nm|chips|GPUs|TPUs)\b)""",
    re.I | re.X,
)
_THAT_MONTH = re.compile(rf"\b(?:that|the\ssame)\s{_MONTH.format('month')}(?!\w|\s\d)", re.I)
# a bare year is one after these, or with nothing else in its cell
_DATED_BY = re.compile(
    r"(?:\b(?:in|since|by|from|of|until|before|after|during|around|about|as\searly\sas|early|mid|late|for|at\s\w[\w\s]{1,30})\s(?:the\s)?|[(,:]\s?)$",
    re.I,
)
_EVENT = re.compile(r"\b(?:at|during)\s(?:the\s|its\s)?(?:[A-Z][\w&/.-]*\s){1,4}$")  # "at Hot Chips 2024"
_NO_DATE_OF_IT = re.compile(r"\b(?:before|after|until|till|through|than|price[sd]?|as\sof)\s(?:the\s)?$", re.I)
_NOT_UNTIL = re.compile(r"(?:\bnot|n['’]t)\b.*\buntil\s$", re.I | re.S)
_PARTS_THEM = re.compile(
    r"[;:]\s|(?<!\.\w)\.\s|\b(?:that|which|whose|while|whereas|but|so|although|because|after|before|dated|availability|when)\b",
    re.I,
)
_PASSIVE = re.compile(
    r"\b(?:was|were|is|are|been|be|being|became|become|becomes|went|goes|go)\s(?:\w+ly\s|first\s|then\s|not\s)?$", re.I
)
_OTHER_CUE = re.compile(
    r"\b(?:pre)?views?\b|\bpapers?\b|\bresults?\b|\bbenchmarks?\b|\bannounced\s(?:plans?|a\s(?:partner|deal))", re.I
)
# "H100 instances were announced": not the H100
_OF_ITS_OWN = re.compile(
    r"[’']?s?[\s-](?:instances?|VMs?|support|prices?|pricing|clusters?|pods?|results?|servers?|based|powered|supercomputers?|deals?|orders?"
    r"|sales|shipments?|export|bans?|customers?|users?|drivers?|software|models?|benchmarks?|submissions?|deployments?|rentals?)\b",
    re.I,
)
_COUNTED = re.compile(r"\d[\d,.]*\s?(?:k|K|M|thousand|million|hundred)?\s(?:of\s(?:its\s|the\s)?)?(?:[A-Z]\w*\s)?$")
_OPENS = re.compile(r"(?:^|[;,]\s|\.\s|\b(?:and|but|while)\s)\W*(?:in|on|since|by|from|during|back in)?\s?$", re.I)
# "announced lower prices in June" tells of the prices
_INTRANSITIVE = re.compile(
    r"\s?(?:$|[(,:–—-]|(?:(?:was|is|has\sbeen)\s(?:\w+ly\s)?(?:announced|declared|reached)\s)?(?:in|on|at|since|from|during|by|until|to|of|for|as|with|earlier|later|back|first|around|early|mid|late)\b)",
    re.I,
)
_OBJECT = re.compile(r"\s(?:it|them|both)\s(?=(?:in|on|at|back|during)\s)", re.I)
_SO_MANY = re.compile(
    rf"\s({SEVERAL}|[2-9])\s(?:new\s|different\s)?(?:{PRODUCT}|product|version|variant)s(?:\s(?:today|at once))?:\s",
    re.I,
)
# "General availability was announced on 6 November": one event, and two words for it
_OF_THE_SAME = re.compile(r"\s(?:was|were|is|has been|had been)\s(?:\w+ly\s|then\s|first\s)?$", re.I)
_PART_OF = re.compile(r"\b(?:with|using|containing|featuring|carrying)\s(?:the\s|an?\s)?(?:[A-Z]\w+\s){0,2}$")
_APPOSED = re.compile(r"[^,;:.]{0,24},\s(?:the\s|[A-Z]\w+['’]s?\s)?")  # "Announced in May 2022, the H100"
_APPOSITION = re.compile(r",\s(?:which\s(?:was|were)\s)?(?:first\s)?")
_WHEN_IT_WAS = re.compile(
    r"(?:,?\s(?:which is )?when|,?\sthat|\s(?:is|was)\sthe\s(?:\w+\s)?(?:when|that|(?:in|on)\swhich))\s(?:[\w.&]+\s){1,5}",
    re.I,
)
_SINCE_ITS = re.compile(
    r"\W*(?:since|after|before|following|with|at|from|upon|on)\s(?:its|their|the)\s(?:\w+\s)?$", re.I
)
_LABELLED = re.compile(r"(\s(?:date\s)?(?:of|for)\s.{3,}):\*{0,2}\s")  # "Announcement of the H200: November 2023"
# "When Intel announced it in May 2022, few took notice" tells what was; "when it is announced" and "if" do not
_WHEN_IT_DID = re.compile(
    r"\b(when|once)\s(?:(?!\b(?:when|once|if|unless|is|are|be|been|will|would|gets?|could|can)\b)[^,:;?!])*$", re.I
)
_DID = re.compile(r"(?:\w+ed|shown|came\sout|on\ssale)$", re.I)
_BY = re.compile(r"\b(?:by|around|about|as\searly\sas)\s(?:the\s)?$", re.I)
_PROMISES = re.compile(
    r"\b(?:will|expect(?:s|ed)?|plan(?:s|ned)?|slated|scheduled|due|upcoming|set\sto|intends?|aims?|targets?|targeted|on\strack|roadmap"
    r"|coming|to\s(?:ship|be|arrive|launch|come))\b",
    re.I,
)
# what leads from one of a metric's `dated` cues to its date
# "will be available in the university's new cluster early in 2023", "on all clouds since 2023": there, and not anywhere before
_AT_ONE_PLACE = re.compile(
    r"\b(?:clusters?|supercomputers?|partitions?|queues?|universit\w+|campus|clouds|providers|regions)\b", re.I
)
_PRODUCTS = re.compile(r"\b[A-Z]+\d+\w*\b")  # "announced the MI350X and the MI450X in 2026": which of them?
# "Then came Mistral 3, announced in December": whose date it is stands right before
_CALLED = re.compile(
    r"(?<![.!?]\s)\b(?!The\b|It\b|They\b)[A-Z][\w-]*(?:\s[A-Z\d][\w.-]*)*(?:,\s|\s(?:was|were|is|are)\s(?:\w+ly\s|first\s)?)$"
)
_NEAR_DATE = 8  # characters: "in ", "in late "
_LEADS_TO_DATE = re.compile(r"(?:\s\w+){0,5}(?:\s(?:in|on|at|from|since|starting|as\sof)|:)\s", re.I)
_WHEN = r"(?:\s(?:date|year|quarter|time|in|on))?$"
_OUT = r"(?:general\s)?availability|(?:generally\s)?available|released?|shipping|shipped|GA"
_SHOWN = r"announced|announcement|unveiled|launch|launched|introduced|introduction|revealed|debut"
_RELEASE = re.compile(r"(?:releas|launch)(?:e|ed)?(?:\s(?:date|year|quarter))?", re.I)
_LABELS = {
    "availability_date": re.compile(rf"(?:{_OUT}){_WHEN}", re.I),
    "announcement_date": re.compile(rf"(?:{_SHOWN}){_WHEN}", re.I),
}


@dataclass(frozen=True, slots=True)
class Date:
    """A date in text: `iso` as exact as it is written, `approx` the words that blur it ("late", "q3")."""

    start: int
    end: int
    iso: str
    approx: str = ""


def find_dates(domain: Domain, sentence: str, entities: Sequence[Mention], carried: tuple[str, ...]) -> list[Category]:
    """The dates that `sentence` gives of chips, in order. `carried` are those that "it" can mean."""
    if asks(sentence) or not (found := read_dates(sentence)):
        return []
    cues = _cues(domain, sentence)
    named = [m for m in entities if len(m.ids) == 1 and _is_dated(domain, m.ids[0])]
    told: list[Category] = []
    for cue, metric in cues:
        date = _date_of(sentence, cue, found, [c for c, _ in cues])
        if (
            date is None
            or _is_supposed(sentence, cue)
            or _AT_ONE_PLACE.search(sentence, cue.end, date.start)
            or _names_more(domain, sentence, cue, date)
            or _is_of_somebody_else(domain, sentence, cue)
            or _OTHER_CUE.search(sentence, max(0, cue.start - 30), cue.end + 24)
        ):
            continue
        negated = polarity.negated(sentence, cue.start) or polarity.negated(sentence, date.start)
        if negated and not _NOT_UNTIL.search(sentence, max(0, date.start - polarity.REACH), date.start):
            continue
        whose = _subjects(domain, sentence, named, cue, date, carried)
        if len(whose) > 1 and re.match(r",?\sand\s(?:in\s)?(?:\w+\s)?(?:19|20)\d\d", sentence[date.end :]):
            continue  # "were announced in 2020 and 2021"
        told += [_category(s, metric, date, sentence[max(0, cue.start - 30) : date.end]) for s in whose]
    return list({(c.subject, c.relation): c for c in reversed(told)}.values())[::-1]


def _names_more(domain: Domain, text: str, cue: Mention, date: Date) -> bool:
    """True for "announced the MI350X and the 432GB MI450X in 2026", whose date is of one that the domain does not know."""
    between = text[cue.end : date.start]
    near = [m for m in _PRODUCTS.finditer(between) if len(between) - m.end() <= _NEAR_DATE]
    if not near:
        return False
    known = [*domain.find_entities(between), *domain.find_terms(between)]
    return any(not any(k.start < m.end() and m.start() < k.end for k in known) for m in near)


def _is_of_somebody_else(domain: Domain, text: str, cue: Mention) -> bool:
    """True for "Mistral 3, announced in December" and "Blackwell Ultra Max was released": a name right before that the domain does not know."""
    called = _CALLED.search(text, max(0, cue.start - REACH), cue.start)
    if called is None:
        return False
    said = called[0]
    names = (domain.find_entities, domain.find_terms, domain.find_qualifiers, domain.find_metrics)
    return not any(find(said) for find in names)


def _is_supposed(text: str, cue: Mention) -> bool:
    """True where the event is supposed; not for "when" before what was."""
    when = (
        _WHEN_IT_DID.search(text, max(0, cue.start - polarity.REACH), cue.start)
        if _DID.search(text, cue.start, cue.end)
        else None
    )
    if when is None:
        return polarity.supposed(text, cue.start)
    return polarity.supposed(f"{text[: when.start(1)]}then{text[when.end(1) :]}", cue.start)


def _cues(domain: Domain, text: str) -> list[tuple[Mention, str]]:
    """The wordings for an event with its metric, in order."""
    found = [(m, i) for m in domain.find_metrics(text) for i in m.ids[:1] if domain.metrics[i].dimension == "date"]
    for cue in _dated_cues(tuple(m for m in domain.metrics.values() if m.dated)).find(text):
        apart = not any(c.start < cue.end and cue.start < c.end for c, _ in found)
        if apart and _LEADS_TO_DATE.match(text, cue.end):
            found.append((Mention(cue.start, cue.end, (cue.puts,)), cue.puts))
    found = sorted(found, key=lambda cue: cue[0].start)
    said = [m for m, i in found if i == "availability_date" and text[m.start : m.end].lower().endswith("availability")]
    return [
        (m, i)
        for m, i in found
        if not any(_OF_THE_SAME.fullmatch(text, a.end, m.start) for a in said if a.end < m.start)
    ]


def _is_dated(domain: Domain, subject: str) -> bool:
    """True for products and for a family, which is announced as one; a line has no date."""
    return domain.is_specific(subject) or domain.kind(subject) == "family"


@cache
def _dated_cues(metrics: tuple[Metric, ...]) -> Lexicon:
    return Lexicon(Voice(m.id, m.id, "clause", m.dated) for m in metrics)


def dates_of_cell(domain: Domain, subject: str, label: str, cell_text: str, cell_start: int) -> list[Category]:
    """What a cell says under "Announced" or "Release date"."""
    if not _is_dated(domain, subject) or len(label) > REACH:
        return []
    found = read_dates(cell_text, bare=True)
    if not found or found[0].start > REACH // 4:
        return []
    date = found[0]
    dated = [i for m in domain.find_metrics(label) for i in m.ids[:1] if domain.metrics[i].dimension == "date"]
    metric = next(iter(dated), "") or next((i for i, words in _LABELS.items() if words.match(label.strip("*_ "))), "")
    if metric not in domain.metrics:
        return []
    if _RELEASE.fullmatch(label.strip("*_ ")):
        date = replace(date, approx=RELEASE)
    category = _category(subject, metric, date, f"{label} {cell_text}")
    return [replace(category, start=cell_start + date.start, end=cell_start + date.end)]


def read_dates(text: str, bare: bool = False) -> list[Date]:
    """The dates in `text`, in order; a year alone only after "in" and the like, unless `bare`."""
    found: list[Date] = []
    for m in _DATE.finditer(text):
        before = text[max(0, m.start() - 40) : m.start()]
        if m["year5"] and not (bare or m["rough"] or _DATED_BY.search(before) or _EVENT.search(before)):
            continue
        if not _NO_DATE_OF_IT.search(before) or _NOT_UNTIL.search(text, max(0, m.start() - polarity.REACH), m.start()):
            date = _read(m)
            found.append(replace(date, approx=date.approx or "by") if _BY.search(before) else date)
    return sorted([*found, *_later_that_year(text, found)], key=lambda d: d.start)


def _later_that_year(text: str, found: Sequence[Date]) -> Iterator[Date]:
    """The months without a year of their own that follow a date: "in May 2024, and for sale that December"."""
    for m in _THAT_MONTH.finditer(text):
        before = [d.iso for d in found if d.end <= m.start()]
        iso = f"{before[-1][:YEAR]}-{_MONTHS.index(m['month'][:3].lower()) + 1:02d}" if before else ""
        if iso and iso >= before[-1]:
            yield Date(m.start(), m.end(), iso)


def _read(m: re.Match[str]) -> Date:
    rough = (m["rough"] or "").lower().removeprefix("the ").removesuffix(" of")
    if m["iso"]:
        return Date(m.start(), m.end(), m["iso"], rough)
    month, day = m["month"] or m["month2"], m["day"] or m["day2"]
    year = next(y for y in (m["year"], m["year2"], m["year3"], m["year4"], m["year5"]) if y)
    iso = year if month is None else f"{year}-{_MONTHS.index(month[:3].lower()) + 1:02d}"
    return Date(
        m.start(), m.end(), f"{iso}-{int(day):02d}" if day else iso, rough or (m["part"] or m["part2"] or "").lower()
    )


def _date_of(text: str, cue: Mention, dates: Sequence[Date], cues: Sequence[Mention]) -> Date | None:
    """The date after a cue and before the next one, the most exact of two; else one before it: "In May 2022, ..."."""
    stop = min((c.start for c in cues if c.start > cue.end), default=len(text))
    after = [d for d in dates if cue.end <= d.start < stop and _joined(text[cue.end : d.start])]
    near = [d for d in after if d.start - after[0].end < REACH // 2]
    if near:
        first = near[0]
        return next((d for d in near[1:] if len(first.iso) == YEAR and d.iso.startswith(first.iso)), first)
    begin = max((c.end for c in cues if c.end <= cue.start), default=0)
    before = [d for d in dates if begin <= d.start and d.end <= cue.start and _joined(text[d.end : cue.start])]
    if before and _OPENS.search(text, max(0, before[-1].start - REACH), before[-1].start):
        return before[-1]
    # "It dates from May 2022, when it was announced"
    told = [
        d for d in dates if begin <= d.start and d.end <= cue.start and _WHEN_IT_WAS.fullmatch(text[d.end : cue.start])
    ]
    return told[-1] if told else None


def _joined(between: str) -> bool:
    labelled = _LABELLED.fullmatch(between)
    return len(between) <= REACH and not _PARTS_THEM.search(labelled[1] if labelled else between)


def _of_a_list(text: str, cue: Mention, behind: Sequence[Mention]) -> list[str]:
    """The products that are counted before a colon and named behind it: "announced two chips: TPU 8t for training and TPU 8i for inference"."""
    counts = _SO_MANY.match(text, cue.end)
    many = numeral_at(text, counts.start(1)) if counts else None
    named = [m for m in behind if counts and m.start >= counts.end()]
    return list(ids(named)) if many is not None and many.value == len(ids(named)) else []


def _subjects(
    domain: Domain, text: str, named: Sequence[Mention], cue: Mention, date: Date, carried: tuple[str, ...]
) -> list[str]:
    """Whose date it is: what is announced behind the cue, else the first named before it, else whom "it" means."""
    passive = _PASSIVE.search(text, max(0, cue.start - 20), cue.start) is not None
    end = date.start if date.start > cue.end else min(len(text), cue.end + REACH)
    behind = [m for m in named if cue.end <= m.start < end and m.start - cue.end <= REACH // 2]
    if not passive and (listed := _of_a_list(text, cue, [m for m in named if cue.end <= m.start])):
        return listed
    if (
        behind
        and not passive
        and not re.search(r"[,;:(]|\b(?:that|with|for|on|alongside|in|at|by)\b", text[cue.end : behind[0].start])
    ):
        return _coordinated(text, behind)
    since = max(0, cue.start - polarity.REACH)  # a wall of dates takes time in proportion
    before = [m for m in named if since <= m.start and m.end <= cue.start]
    breaks = [b.end() for b in _BREAKS.finditer(text, since, cue.start)]
    own = [m for m in before if m.start >= max(breaks, default=0)] or before
    if own and _APPOSITION.fullmatch(text, own[-1].end, cue.start):
        own = own[-1:]  # "Maia 200, presented on ..."
    main = [m for m in own if not any(a.search(text[max(0, m.start - 32) : m.start]) for a in (ASIDE, _PART_OF))]
    it = _OBJECT.match(text, cue.end)
    if (
        not passive
        and not it
        and not _INTRANSITIVE.match(text[cue.end : date.start] if date.start > cue.end else text[cue.end :])
    ):
        return []
    if main:
        return _coordinated(text, main)
    first = text[: cue.start]
    opens = not first.strip(" -*•_(\n") or PRONOUN.match(text) is not None or _SINCE_ITS.fullmatch(first) is not None
    opens = opens or (it is not None and not passive)  # "NVIDIA unveiled it"
    later = [m for m in named if m.start >= date.end and _APPOSED.fullmatch(text[date.end : m.start])]
    if opens and later:
        return _coordinated(text, later)
    fitting = [c for c in carried if _is_dated(domain, c)]
    return fitting if opens and not named else []


def _coordinated(text: str, mentions: Sequence[Mention]) -> list[str]:
    joined = [mentions[0]]
    for m in mentions[1:]:
        if COORDINATES.fullmatch(text[joined[-1].end : m.start]):
            joined.append(m)
    first = joined[0].start
    if _COUNTED.search(text, max(0, first - REACH), first) or _OF_ITS_OWN.match(text, joined[-1].end):
        return []
    return [m.ids[0] for m in joined]


def _category(subject: str, metric: str, date: Date, around: str) -> Category:
    qualifiers = (("approx", date.approx),) if date.approx else ()
    promised = _PROMISES.search(around) is not None
    return Category(subject, metric, date.iso, date.start, date.end, True, qualifiers, promised)
