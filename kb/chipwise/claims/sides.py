"""Which of two names a comparison sets the other against, by the words beside it.

    "more than the H100"            the H100
    "the H200 outruns the H100"     the H100
    "the H100 is beaten by the H200"  the H100
    "the H100 trails the H200"      the H100

Looks at words alone.
"""

from __future__ import annotations

from chipwise import patterns as re
from chipwise.claims.naming import COMPARED
from chipwise.domain.phrasebook import Mention
from chipwise.numbers.numerals import NUMBER_WORD

_BEFORE, _AFTER = 64, 40  # characters looked at on either side of a name
_ARTICLE = r"(?:the\s|an?\s|its\s|their\s|NVIDIA['’]s\s|Google['’]s\s)?"
# "than they do on the H100", "than its rival, the H100", "what the H100 manages"
_FAR = re.compile(
    rf"(?:\bas(?!\sfor\s)|\b(?:than|compared\s(?:to|with)|versus|against))\s(?:(?:they|it|is|are|was|were|can|do|does|did|be|what|that|those|possible|seen|achieved|reached|using"
    rf"|with|on|in|of|by|from|for|at)\s){{1,5}}{_ARTICLE}$"
    rf"|\bthan\s(?:the\s)?(?-i:[A-Za-z-]+\s){{1,3}}(?:of|for|on|in)\s{_ARTICLE}$"  # "than TCO for the H100"
    rf"|\b(?:than|over|versus|against|beats?|outruns?)\s(?:its|their|the|an?)\s(?-i:(?:[a-z][a-z-]*\s){{0,2}}[a-z][a-z-]*),\s{_ARTICLE}$"
    rf"|\b(?:times|x|twice|half|double|triple|below|above|under)\s(?:what|that\s(?:of|on|with)|those\s(?:of|on|with))\s{_ARTICLE}$"
    rf"|\b(?:what|(?:the|as\smuch)\stime)\sit\stakes\s(?:(?:on|with|for)\s)?{_ARTICLE}$"
    rf"|\b(?:in\splace\sof|in\scomparison\s(?:to|with)|by\scomparison\swith|as\sopposed\sto|set\sbeside|next\sto|ahead\sof|(?:lead|edge|win|advantage|gain|improvement)\s(?:on|over))\s{_ARTICLE}$"
    # what is given up for something else
    rf"|\b(?:swap(?:s|ped|ping)?|exchang(?:e[sd]?|ing)|trad(?:e[sd]?|ing)(?:\sin)?|ditch(?:e[sd]|ing)?|abandon(?:s|ed|ing)?|retir(?:e[sd]?|ing))\s{_ARTICLE}$",
    re.I,
)
# what something comes up to: "a PPU that nears the H20", "specifications comparable to the H20"
LIKENED = re.compile(
    r"\b(?:near(?:s|ed|ing)|approach(?:es|ed|ing)|rival(?:s|ed|led|ing|ling)?|comparable\s(?:to|with)|similar\sto|on\s(?:a\s)?par\swith|close\sto"
    rf"|in\sthe\s(?:class|league)\sof)\s(?:that\sof\s|those\sof\s)?{_ARTICLE}$",
    re.I,
)
_WINS = (  # "1,457 TOPS" is no win
    r"(?:out(?!put|side|let|come|look|door|line|law|age)[a-z]{2,}|beat(?:s|en|ing)?|exceed(?:s|ed|ing)?|surpass(?:es|ed|ing)?|(?-i:tops|topped)|lead(?:s|ing)?|led|trounc(?:es?|ed)"
    r"|best(?:s|ed)|eclips(?:es?|ed)|overtak(?:es?|en)|overtook|dwarf(?:s|ed)?|leav(?:es?|ing)|left|crush(?:es|ed)|trump(?:s|ed)?|thrash(?:es|ed)|smok(?:es|ed)"
    r"|multipl(?:y|ies|ied)|thump(?:s|ed)|humbl(?:es|ed)|undercuts?|better(?:s|ed)|overpower(?:s|ed)|edg(?:es|ed)\sout|pull(?:s|ed)?\saway\sfrom)"
)
_LOSES = (
    r"(?:trail(?:s|ed|ing)?|lag(?:s|ged|ging)?(?:\sbehind)?|los(?:es?|t|ing)\s(?:out\s)?to|(?:falls?|fell|is|was|stays?|remains?)\s(?:far\s|well\s)?(?:short\sof|behind)"
    r"|(?:cannot|can['’]t|could\snot|couldn['’]t|does\snot|doesn['’]t)\s(?:keep\s(?:up|pace)\swith|match|rival|compete\swith|touch|catch))"
)
# "four times the BF16 of Gaudi 2"
_TIMES_THAT_OF = re.compile(
    r"(?:\d\s?[x×]|\b(?:times|twice|half|double|triple|quadruple))\s(?:both\s)?(?:the|that)\s(?:[\w./-]+\s){0,6}?of\s(?:the\s|an?\s|our\s|its\s|your\s)?$",
    re.I,
)
# "hardly more than the 667 TFLOPS of Trainium2"
_THAN_SO_MUCH = re.compile(
    rf"\b(?:than|against|versus|compared\s(?:to|with))\s(?:the\s|its\s)?[~$]?(?:\d[\d.,]*(?:\s?[A-Za-z/]+)?|{NUMBER_WORD})(?:\sof\s[\w-]+(?:\s[\w-]+)?)?\s(?:of|on|for|in|with)\s(?:the\s|an?\s)?$",
    re.I,
)
_BE = r"(?:is|are|was|were|be|been|being|gets?|got)\s(?:\w+ly\s)?"
# an object of "beats", or of the thing of it that is beaten: "tops the bandwidth of the H100"
_BEATEN = re.compile(
    rf"(?<!\bis\s)(?<!\bare\s)(?<!\bwas\s)(?<!\bwere\s)\b{_WINS}\s(?:the\s(?:[\w-]+\s){{1,4}}of\s)?{_ARTICLE}$", re.I
)
_BEATEN_BY = re.compile(rf"\s?{_BE}(?:[\d.,~x]+\s(?:times|x)?\s?)?{_WINS}\b", re.I)
_REPLACED = re.compile(rf"\s{_BE}(?:being\s)?(?:replaced|swapped|exchanged|traded|retired|superseded)\b", re.I)
_LOSER = re.compile(rf"\s{_LOSES}\b", re.I)


def is_other_side(text: str, mention: Mention) -> bool:
    """True for a name that something else is set against."""
    before = text[max(0, mention.start - _BEFORE) : mention.start]
    after = text[mention.end : mention.end + _AFTER]
    if COMPARED.search(before) or _FAR.search(before) or _BEATEN.search(before) or LIKENED.search(before):
        return True
    return bool(_BEATEN_BY.match(after) or _LOSER.match(after) or _REPLACED.match(after))


def is_set_against(text: str, mention: Mention) -> bool:
    """True for a name that something else is set against, or a figure of it."""
    times = _TIMES_THAT_OF.search(text, max(0, mention.start - _BEFORE), mention.start)
    return times is not None or is_other_side(text, mention) or has_what_is_exceeded(text, mention)


def has_what_is_exceeded(text: str, mention: Mention) -> bool:
    """True for the Trainium2 of "hardly more than the 667 TFLOPS of Trainium2"."""
    return _THAN_SO_MUCH.search(text[max(0, mention.start - _BEFORE) : mention.start]) is not None
