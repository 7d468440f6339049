"""The words around a number that make it a bound, a share, a change, a discount, or no quantity at all.

    "up to 4x" -> at most    "80 GB or more" -> at least    "17% faster than" -> change    "70% off" -> discount
    "in 2026", "Fig. 3", "no one" -> no quantity

English, and specific to no field.
"""

from __future__ import annotations

from chipwise import patterns as re

LOOK_BACK = 32  # characters: the longest phrase before a number, with its spaces
LOOK_AHEAD = 40

# "spread over 8 chips" says where, not "more than 8"
_NOT_ACROSS = "".join(
    rf"(?<!{word} )" for word in "parallelism spread split sharded distributed partitioned summed averaged".split()
)
_SIGN = r"[\s*_`]*[~∼≈$€£]?[\s*_`]*$"  # "up to **171 TFLOPS**"
_ABOUT = re.compile(
    r"(?:[~∼≈≃∽]|\b(?:about|around|roughly|approximately|approx\.?|some|nearly|almost|circa|ca?\.|close to"
    rf"|on the order of|in the order of|of the order of|of order|somewhere around|just (?:under|over)))\s*[-−$€£]?{_SIGN}",
    re.I,
)
_AT_MOST = re.compile(
    r"(?:[<≤⩽]=?|\b(?:(?<!add )(?<!adds )(?<!added )(?<!adding )up ?to(?: an?| some)?|as (?:much|many|high|large|long|fast) as|at (?:the )?most"
    r"|under|below|(?:less|fewer|lower|smaller|shorter) than(?: or equal to)?|(?<!\d )max(?:imum)?(?: of)?|max(?:es|ed)? out at|a maximum of|not exceeding|not over))"
    rf"{_SIGN}",
    re.I,
)
_AT_LEAST = re.compile(
    rf"(?:(?<![-=\w\"'/])[>≥⩾]=?|\b(?:at (?:the )?least|{_NOT_ACROSS}over|(?:more|greater|higher|larger|bigger|longer) than(?: or equal to)?|above|upwards? of|exceed(?:s|ing)?"
    r"|in excess of|as (?:few|little|low) as|(?:start(?:s|ing)?|begin(?:s|ning)?|priced?|prices|available) (?:at|from)"
    r"|min(?:imum)?(?: of)?|a minimum of))"
    rf"{_SIGN}",
    re.I,
)
# "from $2 an hour" is a bound; "down from $4" and "fell from $4" give the earlier price
_PRICED_FROM = re.compile(
    r"(?<!\bup )(?<!\bdown )(?<!\bfell )(?<!\bcut )(?<!\brose )(?<!\bdropped )(?<!\bcoming )\bfrom [~≈]?\s?$", re.I
)
_NOT_BELOW = re.compile(r"\b(?:no|not)\s+(?:less|fewer|lower|smaller|shorter) than" + _SIGN, re.I)
_NOT_ABOVE = re.compile(r"\b(?:no|not)\s+(?:more|greater|higher|larger|longer) than" + _SIGN, re.I)
_OR_MORE = re.compile(
    r"\s?(?:\+(?!\s?[\d/\-−])|\s(?:or|and) (?:more|above|higher|greater|larger|over|up)\b|\sand up\b)", re.I
)
_OR_LESS = re.compile(r"\s(?:or|and) (?:less|fewer|below|lower|under|smaller)\b|\sat most\b", re.I)
_OR_SO = re.compile(r"\s?(?:-ish\b|\sor so\b)", re.I)

_COMPARED = (
    r"(?:\s(?:relative|absolute|overall|further|additional|average|mean|net|annual|year-over-year))?[\s-]"
    r"(?:faster|slower|higher|lower|more|less|fewer|better|worse|greater|larger|smaller|bigger|longer|shorter|quicker|cooler|denser|improvements?"
    r"|increases?|decreases?|reductions?|gains?|growth|drop|boost|uplift|speed-?ups?|rise|decline|jump|increment|cut|cheaper than|less expensive than)\b"
)
_CHANGE_AFTER = re.compile(_COMPARED, re.I)
_CHANGE_BEFORE = re.compile(
    r"\b(?:increas\w*|decreas\w*|reduc\w+|improv\w+|gain\w*|ris(?:e|es|ing|en)|rose|gr[eo]w\w*|f[ae]ll\w*|drop\w*|cut\w*|lower\w*|rais\w+|boost\w*|up|down"
    r"|jump\w*|declin\w*|shr[aiu]nk\w*|climb\w*|speed-?up|slow\w*|change\w*|uplift|var(?:y|ies|ied))\s(?:(?:\w+\s){0,2})(?:of|by)\s(?:\w+\s){0,2}[~±]?$"
    r"|\b(?:up|down|rose|fell|grew|dropped|jumped|declined|slid|slipped|sank|plunged|climbed|soared|shrank|±|\+/-)\s?(?:about |nearly |some )?[~±]?$|[±]\s?$",
    re.I,
)
_DISCOUNT_AFTER = re.compile(
    r"[\s-](?:off|discount\w*|cheaper|savings?|rebates?|less expensive|price (?:cut|reduction|drop)s?|cost (?:savings?|reductions?)|lower (?:costs?|prices?|tco))\b",
    re.I,
)
_DISCOUNT_BEFORE = re.compile(
    r"\b(?:discount\w*|sav(?:e|es|ed|ings?)|rebates?)\s(?:(?:of|up|to|about|around|roughly|as|much|by|are|is)\s){0,4}[~]?$",
    re.I,
)

_MONTHS = r"(?:Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sept?|Oct|Nov|Dec)[a-z]*\.?"
_DATED = re.compile(
    rf"(?:\b(?:in|since|by|until|till|from|during|before|after|late|early|mid|of|and|year|fiscal|FY|summer|spring|autumn|fall|winter|to|al\.,?|Q[1-4]|H[12])[\s-]*"
    rf"|\b{_MONTHS}\s(?:\d{{1,2}},?\s)?)$",
    re.I,
)
_DAY_OF_MONTH = re.compile(rf"\b{_MONTHS}\s$")
_MONTH_AFTER = re.compile(rf"\s?(?:of\s)?{_MONTHS}(?!\w)|\s?(?:[ap]\.?m\b\.?|o'clock)")
_NAMED_KINDS = (
    "figure table section chapter equation phase step version page appendix gen generation type class grade level"
    " group line part case model stage station sample site route highway exit rule question article lot item scenario experiment method column row"
    " fraction day month algorithm complex number numbered panel box lemma theorem definition example exercise"
)
_NUMBERS_BEFORE = r"(?:\d{1,3}[A-Za-z]?(?:\s?[,–-]\s?|,?\s(?:and|or|to)\s|,\s?(?:and|or)\s)){0,6}"
_NAMED = re.compile(
    rf"\b(?:(?:{'|'.join(_NAMED_KINDS.split())})s?|(?:fig|tab|sec|eq|vol|ref|no|nr|pp?)s?\.|fig|eq)\s?\(?{_NUMBERS_BEFORE}$",
    re.I,
)
_SENTENCE_START = re.compile(r"(?:^|[.!?:;|\n•]\s*|\A\s*)$")
_PROPER = re.compile(r"(?:^|[\s(])([A-Z][A-Za-z]*[a-z])\s$")
_PLAIN_CAPITALS = frozenset(
    "The With All Each These Those Its An For Using On In At Has And Or Of From To By Only Just Over About Some Up Our Their Both Every Per Than".split()
)
_ASIDE = re.compile(r"\((?:\d+[.,;–-]\s?)*$|\w\($")
_PRONOUN_BEFORE = re.compile(
    r"\b(?:the|this|that|no|any|every|each|which|another|some|first|last|next|new|good|other|someone|only)[\s-]$", re.I
)
_PRONOUN_AFTER = re.compile(
    r"(?:\s(?:of|another|can|could|may|might|must|should|would|will|has|had|is|was|who|by|to|you|needs?|wants?|thing|day|way|more|side|hand|time|does)\b"
    r"|[-']|\s?[,.;:?!)]|\s*$)",
    re.I,
)


def bound_before(text: str, at: int) -> tuple[str, int]:
    """Return "at most", "at least", "about" or "exact", as the words before `at` say, and where those begin."""
    begin = max(0, at - LOOK_BACK)
    before = text[begin:at].rstrip("\\*_")  # "**about \\$6.98**"
    if text[at : at + 1] in ("$", "€", "£") and (priced := _PRICED_FROM.search(before)):
        return "at least", begin + priced.start()
    for bound, pattern in (
        ("at least", _NOT_BELOW),
        ("at most", _NOT_ABOVE),
        ("at most", _AT_MOST),
        ("at least", _AT_LEAST),
        ("about", _ABOUT),
    ):
        match = pattern.search(before)
        if match:
            return bound, begin + match.start()
    return "exact", at


def bound_after(text: str, at: int) -> tuple[str, int]:
    """Return the bound that "or more", "or less", "or so" or "+" after a number sets, and where it ends."""
    for bound, pattern in (("at least", _OR_MORE), ("at most", _OR_LESS), ("about", _OR_SO)):
        match = pattern.match(text, at)
        if match:
            return bound, match.end()
    return "exact", at


def percent_form(text: str, start: int, end: int) -> str:
    """Classify a percentage: "change", "discount", or "share" of a whole."""
    before = text[max(0, start - LOOK_AHEAD) : start]
    if _CHANGE_AFTER.match(text, end) and not _DISCOUNT_AFTER.match(text, end):
        return "change"
    if _DISCOUNT_AFTER.match(text, end):
        return (
            "change"
            if re.match(r"[\s-](?:cheaper|less expensive) than\b", text[end : end + LOOK_AHEAD])
            else "discount"
        )
    if _DISCOUNT_BEFORE.search(before):
        return "discount"
    return "change" if _CHANGE_BEFORE.search(before) else "share"


def dated(text: str, at: int) -> bool:
    """True if the words before `at` announce a date: "in 2026", "May 1, 2026"."""
    return bool(_DATED.search(text[max(0, at - LOOK_BACK) : at]))


def numbered(text: str, at: int) -> bool:
    """True after something that is numbered rather than counted: "Fig. 3A", "phases 3, 5 and 7"."""
    return bool(_NAMED.search(text[max(0, at - LOOK_BACK) : at]))


def part_of_a_name(text: str, at: int) -> bool:
    """True if a capitalized word precedes the number: "the Llama 2 models" counts no models."""
    before = text[max(0, at - LOOK_BACK) : at]
    match = _PROPER.search(before)
    if match is None or match[1] in _PLAIN_CAPITALS:
        return bool(_NAMED.search(before))
    return bool(_NAMED.search(before)) or not _SENTENCE_START.search(before[: match.start(1)])


def bare_number_counts(text: str, start: int, end: int, *, one: bool = False, small: bool = False) -> bool:
    """True if a number without a unit is a real number: not a date, reference, ordinal, time, key or pronoun."""
    before, after = text[max(0, start - LOOK_BACK) : start], text[end : end + LOOK_AHEAD]
    if _ASIDE.search(before) and re.match(r"\s?(?:[,;–-]\s?\d+\s?)*\)", after):
        return False  # "(22)", "(14–17)", "t(39)"
    if re.match(r"[\w°]|[.:,/]\d|[-–−](?:\d+[-–−/]|[A-Za-z]*\d)", after) or before.endswith("'"):
        return False
    if (_DAY_OF_MONTH.search(before) and small) or _MONTH_AFTER.match(after) or _NAMED.search(before):
        return False
    if small and part_of_a_name(text, start):
        return False
    if re.search(r"\[[\d,;\s–-]*$", before) and re.match(r"[\d,;\s–-]*\]", after):
        return False
    return not (one and (_PRONOUN_BEFORE.search(before) or _PRONOUN_AFTER.match(after)))
