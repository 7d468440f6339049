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
from chipwise.claims.model import RELEASE, Category
from chipwise.claims.topics import ASIDE, COORDINATES, PRONOUN
from chipwise.domain.cues import Lexicon
from chipwise.domain.model import Domain
from chipwise.domain.phrasebook import Mention
from chipwise.domain.records import Metric, Voice
from chipwise.text import asks
from chipwise.values import dataclass

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
_DATED_BY = re.compile(
    r"(?:\b(?:in|since|by|from|of|until|before|after|during|around|about|as\searly\sas|early|mid|late|for|at\s\w[\w\s]{1,30})\s(?:the\s)?|[(,:]\s?)$",
    re.I,
)
_EVENT = re.compile(r"\b(?:at|during)\s(?:the\s|its\s)?(?:[A-Z][\w&/.-]*\s){1,4}$")  # "at Hot Chips 2024"
_NO_DATE_OF_IT = re.compile(r"\b(?:before|after|until|till|through|than|price[sd]?|as\sof)\s(?:the\s)?$", re.I)
_NOT_UNTIL = re.compile(r"(?:\bnot|n['’]t)\b.*\buntil\s$", re.I | re.S)
_BY = re.compile(r"\b(?:by|around|about|as\searly\sas)\s(?:the\s)?$", re.I)
_LEADS_TO_DATE = re.compile(r"(?:\s\w+){0,5}(?:\s(?:in|on|at|from|since|starting|as\sof)|:)\s", re.I)
# what ends the reach of a cue on either side
_BREAKS = re.compile(r"[;:]\s|(?<!\.\w)\.\s|\b(?:that|which|whose|while|whereas|but|although|because|after|before)\s")
_PASSIVE = re.compile(
    r"\b(?:was|were|is|are|been|be|being|became|become|went|goes)\s(?:\w+ly\s|first\s|then\s|not\s)?$", re.I
)
_OBJECT = re.compile(r"\s(?:it|them|its)\b", re.I)
_BETWEEN = re.compile(r"[,;:(]|\b(?:that|with|for|on|alongside|in|at|by)\b")
# "H100 instances were announced": not the H100
_OF_ITS_OWN = re.compile(
    r"['’]?s?[\s-](?:instances?|VMs?|support|prices?|pricing|clusters?|pods?|servers?|customers?|users?|drivers?|results?)\b",
    re.I,
)
_COUNTED = re.compile(r"\d\s$")
_WHEN_IT_DID = re.compile(r"\b(?:when|once)\s(?:(?!\b(?:is|are|be|been|will|would)\b)[^,:;?!])*$", re.I)
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
    if asks(sentence) or not (dates := read_dates(sentence)):
        return []
    named = [m for m in entities if len(m.ids) == 1 and _is_dated(domain, m.ids[0])]
    cues = _cues(domain, sentence)
    told: dict[tuple[str, str], Category] = {}
    for number, (cue, metric) in enumerate(cues):
        first = cues[number - 1][0].end if number else 0
        last = cues[number + 1][0].start if number + 1 < len(cues) else len(sentence)
        date = _date_of(sentence, cue, [d for d in dates if first <= d.start < last])
        if date is None or not _is_asserted(sentence, cue, date):
            continue
        whose = _whose(sentence, named, cue, date) or _understood(domain, sentence, named, cue, carried)
        if len(whose) > 1 and re.match(r",?\sand\s(?:in\s)?(?:\w+\s)?(?:19|20)\d\d", sentence[date.end :]):
            continue  # "were announced in 2020 and 2021"
        for subject in whose:
            told.setdefault((subject, metric), _category(subject, metric, date))
    return list(told.values())


def _date_of(text: str, cue: Mention, dates: Sequence[Date]) -> Date | None:
    """The date right behind a cue, the most exact of two; else one that opens the sentence: "In May 2022, ..."."""
    # "Launch of the MI325X: October 2024": the colon behind a label breaks nothing
    text = text.replace(":", " ") if _opens(text, cue) else text
    behind = [d for d in dates if cue.end <= d.start <= cue.end + REACH and not _BREAKS.search(text, cue.end, d.start)]
    if behind:
        nearest = behind[0]
        return next((d for d in behind[1:] if len(nearest.iso) == YEAR and d.iso.startswith(nearest.iso)), nearest)
    before = [d for d in dates if d.end <= cue.start <= d.end + REACH and not _BREAKS.search(text, d.end, cue.start)]
    return before[-1] if before and text[: before[-1].start].strip(" -*•").count(" ") == 0 else None


def _is_asserted(text: str, cue: Mention, date: Date) -> bool:
    """False for what is supposed or denied; "did not ship until" and "when AMD announced it" assert."""
    reach = polarity.REACH
    if polarity.supposed(text, cue.start):
        told = text[: cue.end].endswith("ed") and _WHEN_IT_DID.search(text, max(0, cue.start - reach), cue.start)
        if not told:
            return False
    denied = polarity.negation(text, cue.start) or polarity.negation(text, date.start)
    return not denied or _NOT_UNTIL.search(text, max(0, date.start - reach), date.start) is not None


def _whose(text: str, named: Sequence[Mention], cue: Mention, date: Date) -> tuple[str, ...]:
    """What is announced behind an active cue, else what is named before it, else behind an opening date."""
    passive = _PASSIVE.search(text, max(0, cue.start - 20), cue.start) is not None
    near = [m for m in named if abs(m.start - cue.start) < polarity.REACH]  # a wall of dates takes time in proportion
    own = [m for m in near if not ASIDE.search(text, max(0, m.start - 40), m.start)]
    behind = [m for m in own if cue.end <= m.start < (date.start if date.start > cue.end else len(text))]
    if behind and not passive and not _BETWEEN.search(text[cue.end : behind[0].start]):
        return _coordinated(text, behind)
    begin = max((b.end() for b in _BREAKS.finditer(text, max(0, cue.start - polarity.REACH), cue.start)), default=0)
    before = [m for m in own if begin <= m.start and m.end <= cue.start]
    if before and (passive or not _OBJECT.match(text, cue.end)):
        return _coordinated(text, before)
    later = [m for m in own if date.end <= m.start <= date.end + REACH // 2]
    return _coordinated(text, later) if _opens(text, cue) else ()


def _understood(
    domain: Domain, text: str, named: Sequence[Mention], cue: Mention, carried: tuple[str, ...]
) -> tuple[str, ...]:
    """Whom "it" means, where the sentence names nobody."""
    meant = _opens(text, cue) or PRONOUN.match(text) or _OBJECT.match(text, cue.end)
    return tuple(c for c in carried if _is_dated(domain, c)) if meant and not named else ()


def _opens(text: str, cue: Mention) -> bool:
    """True for a cue with nothing before it but marks."""
    return cue.start < REACH and not text[: cue.start].strip(" -*•_(")


def _coordinated(text: str, mentions: Sequence[Mention]) -> tuple[str, ...]:
    """The first of `mentions` with all that "and" joins to it; none where what is announced is something of it."""
    joined = list(mentions[:1])
    for m in mentions[1:]:
        if COORDINATES.fullmatch(text[joined[-1].end : m.start]):
            joined.append(m)
    if (
        not joined
        or _OF_ITS_OWN.match(text, joined[-1].end)
        or _COUNTED.search(text, max(0, joined[0].start - 2), joined[0].start)
    ):
        return ()
    return tuple(m.ids[0] for m in joined)


def _category(subject: str, metric: str, date: Date) -> Category:
    qualifiers = (("approx", date.approx),) if date.approx else ()
    return Category(subject, metric, date.iso, date.start, date.end, True, qualifiers)


def _cues(domain: Domain, text: str) -> list[tuple[Mention, str]]:
    """The wordings for an event with its metric, in order."""
    found = [(m, i) for m in domain.find_metrics(text) for i in m.ids[:1] if domain.metrics[i].dimension == "date"]
    for cue in _dated_cues(tuple(m for m in domain.metrics.values() if m.dated)).find(text):
        apart = not any(c.start < cue.end and cue.start < c.end for c, _ in found)
        if apart and _LEADS_TO_DATE.match(text, cue.end):
            found.append((Mention(cue.start, cue.end, (cue.puts,)), cue.puts))
    found = sorted(found, key=lambda cue: cue[0].start)
    # "General availability was announced on 6 November": one event, and two words for it
    return [c for n, c in enumerate(found) if not (n and text[found[n - 1][0].end : c[0].start] in (" was ", " is "))]


@cache
def _dated_cues(metrics: tuple[Metric, ...]) -> Lexicon:
    return Lexicon(Voice(m.id, m.id, "clause", m.dated) for m in metrics)


def _is_dated(domain: Domain, subject: str) -> bool:
    """True for products and for a family, which is announced as one; a line has no date."""
    return domain.is_specific(subject) or domain.kind(subject) == "family"


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
    category = _category(subject, metric, date)
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
