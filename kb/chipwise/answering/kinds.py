"""What kind of answer the wording of a question wants, whatever it names: the patterns, and nothing of the domain.

"Why ..."  ->  why        "top 5 ..."  ->  a ranking        "How much ..."  ->  a number
"""

from __future__ import annotations

from enum import StrEnum

from chipwise import nouns
from chipwise import patterns as re
from chipwise.domain.degrees import COMPARATIVE, PLACES, SUPERLATIVE
from chipwise.numbers.spoken import SEVERAL


class Kind(StrEnum):
    """What kind of answer a question wants."""

    LOOKUP = "lookup"
    COMPARISON = "comparison"
    DEFINITION = "definition"
    YES_NO = "yes/no"
    WHY = "why"
    ADVICE = "advice"
    LIST = "list"
    OPEN = "open"


YES_NO = re.compile(r"^(?:is|are|was|were|do|does|did|can|could|has|have|will|would|must|may)\b", re.I)
_KINDS: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    (Kind.WHY, re.compile(r"^(?:why|how come|what (?:causes|makes|explains))\b", re.I)),
    (
        Kind.ADVICE,
        re.compile(
            r"\b(?:should (?:i|we|one|you|a team)|when (?:to|do i|does it make|would|is it (?:better|worth))|recommend|"
            r"better (?:for|to)|best (?:for|to|choice)|worth|suited|pick|choose)\b",
            re.I,
        ),
    ),
    (
        Kind.DEFINITION,
        re.compile(
            r"^(?:what(?:'s| is| are) (?:an? |the )?(?:[^?]{1,60}?)(?: and (?:what|how|why) .*)?\?*$|"
            r"what does .{1,60} (?:mean|stand for)|define\b|meaning of|what is meant by|explain (?:what )?)|"
            r"^.{1,60} (?:meaning|definition|explained)\W*$",
            re.I,
        ),
    ),
    (Kind.YES_NO, YES_NO),
    (Kind.LIST, re.compile(r"^(?:which|what) (?:\w+ ){0,3}\w+s\b|^(?:list|name)\b|^who\b", re.I)),
)
_SURELY_DEFINES = re.compile(
    r"\bwhat(?:'s| is| does| do)\b.{1,60}\b(?:mean|meant|stand for|short for)\b|^(?:define|definition of|meaning of)\b|"
    r"\b(?:meaning|definition)\W*$",
    re.I,
)
_COMPARES = re.compile(
    r"\b(?:vs\.?|versus|compare[ds]?|comparison|differ(?:s|ence|ent)?|than|or|better|which|against|chang(?:ed?|es|ing)|new|improv\w+|upgrade[sd]?|fare[sd]?|beats?|and"
    rf"|{COMPARATIVE}|most|least|{SUPERLATIVE})\b",
    re.I,
)
_APART = r"vs\.?|versus|differ\w*|distinguish\w*"
# one measured by the other as well
SETS_APART = re.compile(rf"\b(?:{_APART}|than|compared?|against)\b", re.I)
NUMBER_WANTED = re.compile(
    r"\b(?:how (?:much|many|fast|big|large|long|often|expensive|hot)|what (?:percentage|share|fraction|speed|price|cost|number)|"
    r"cost|price|cheap|figures?)\b",
    re.I,
)


# "in 2030" is a year; "1920 chips" are chips
YEAR = re.compile(
    r"\b(?:in|since|by|from|until|till|of|during|before|after|year|early|late|mid)[ -]((?:19|20)\d\d)\b(?! \w+s\b)",
    re.I,
)
# a first look, without the finding of quantities: "8", "eight", "one gigabyte", "llama-70b"
FIGURE = re.compile(
    rf"(?<![\w.-])[$€£]?\d|(?<=-)\d{{1,4}}b\b|\b(?:{SEVERAL}|hundred|thousand)\b|\bone (?:kilo|mega|giga|tera|peta|exa)\w",
    re.I,
)
HOW_MANY = re.compile(r"\bhow many\b|\bnumber of\b", re.I)
COUNTED_BEFORE = re.compile(rf"(?:{HOW_MANY.pattern})\s+$", re.I)  # what stands behind it
RANKING_WANTED = re.compile(
    rf"^(?:(?:which|what) .*|(?:what are |which are )?(?:the )?(?:(?:\d{{1,2}}|{SEVERAL}) )?(?:{nouns.WANTED})s (?:with|that have) )\bthe (?:most|least|best|{SUPERLATIVE})\b",
    re.I,
)
# what only says that there is an order: "rank ... by", "top 3"
RANKED = re.compile(
    rf"^(?:please )?(?:rank|order|sort)\b(?: all\b)?|\btop[ -]?(?P<count>\d{{1,2}}|{SEVERAL})?(?= )"
    rf"|^(?:(?:what|which) are )?(?:the )?(?P<first>\d{{1,2}}|{SEVERAL})(?= (?:{nouns.WANTED})s (?!at\b|for\b|cost|running\b|per\b))",
    re.I,
)
# "highest FP8 peak", with nothing else said, is that of any chip
BARE_SUPERLATIVE = re.compile(rf"^(?:what(?:['’]s| is) )?(?:the )?(?:most|least|{SUPERLATIVE})\b", re.I)
RANKS = re.compile(
    rf"\bthe (?:(?:{'|'.join(PLACES)})[ -])?(?:most|least)\b|^(?:most|least)\b|\b(?:{SUPERLATIVE}|(?:most|least) expensive)\b",
    re.I,
)
# what holds at present is what the knowledge base holds, each with its date; "current" may be amperes by itself
AT_PRESENT = re.compile(
    r"\b(?:(?:right |just |as of |for )?now|(?:as of )?today(?:['’]s)?|nowadays|these days|currently|presently|"
    r"at (?:the moment|present|the present time|this point|this time)|at the current (?:time|date)|"
    r"(?:current|latest|present-day|going)(?= (?:\w+ ){0,2}(?:prices?|rates?|costs?)\b))\b",
    re.I,
)
AROUND_THE_CLOCK = re.compile(r"\b24\s?[/x]\s?7\b|\b(?:a)?round the clock\b", re.I)  # no number, and no clock of a chip
POD = re.compile(r"\b(?:full|whole|entire|a|one|complete)\b[^.?]*\b(?:super)?pod\b", re.I)
PACE = re.compile(r"\b(?:speeds?|rates?|throughput|fast|faster|fastest|performance|latency)\b", re.I)
OPINION_WANTED = re.compile(
    r"\byour (?:own )?(?:opinion|favou?rite|view|preference)\b|\bdo you (?:personally|like|love|prefer|feel|enjoy)\b|"
    # a judgement on companies, or on what their shares are worth
    r"\b(?:which|what|whose|buy|sell|hold|short|own)\b.{0,20}\b(?:stocks?|shares)\b(?! (?:of|for))|\b(?:stock|share) (?:price|market)s?\b|\bmarket cap\w*|"
    r"\b(?:better|best|worse|worst|nicer) (?:\w+ )?(?:company|companies|employer|stock|investment|brand)\b|\binvest(?:ing|ment)? in\b|"
    # or on people
    r"^whom? (?:should|can|could|do|would|must) (?:i|we|you|one) (?:hire|recruit|employ|ask|call|contact|consult|talk to)\b",
    re.I,
)


def kind_of(asked: str, subjects: tuple[tuple[str, ...], ...], metrics: tuple[str, ...], unit: str) -> Kind:
    """The kind of a question by its wording, given what it names, asks for and wants counted."""
    matched = next((kind for kind, pattern in _KINDS if pattern.search(asked)), Kind.OPEN)
    if matched in (Kind.WHY, Kind.ADVICE) or _SURELY_DEFINES.search(asked):
        return Kind.DEFINITION if _SURELY_DEFINES.search(asked) else matched
    if len(subjects) > 1 and (metrics or _COMPARES.search(asked)):
        return Kind.COMPARISON
    if matched is Kind.YES_NO:
        return matched
    if (metrics and subjects) or unit:
        return Kind.LOOKUP
    return matched
