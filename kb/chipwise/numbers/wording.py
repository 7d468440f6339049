"""The words around a number that make it a bound, a share, a change, a discount, or no quantity at all.

    "up to 4x" -> at most    "80 GB or more" -> at least    "17% faster than" -> change    "70% off" -> discount
    "in 2026", "Fig. 3", "no one" -> no quantity

The words of bounds and percentages stand in `corpus/domain/numbers.toml`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product

from chipwise import patterns as re
from chipwise.corpus import domain_folder
from chipwise.files import read_text

LOOK_BACK = 32  # characters: the longest phrase before a number, with its spaces
LOOK_AHEAD = 40
_LONGEST = 6  # words of a phrase
_CURRENCIES = ("$", "€", "£")
_WORD = re.compile(r"[^\s(\[{*_`|\"“‘<>≤≥~∼≈]+")
_MARKS = " \t\n\xa0\u202f\u2009*_`$€£-−"  # between a phrase and its number: "up to **$171**"
_SYMBOL = re.compile(r"(?:[~∼≈≃∽]|[<≤⩽]=?|(?<![-=\w\"'/])[>≥⩾]=?)$")
_AFTER = re.compile(r"\s(or|and|at) (\w+)\b|\s?(\+)(?!\s?[\d/\-−])|\s?-ish\b", re.I)
_BEHIND = re.compile(r"[\s-]([a-z][a-z-]*)(?:[\s-]([a-z]+))?(?:\s([a-z]+))?", re.I)


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


def _phrases(rows: Sequence[str]) -> list[str]:
    """Every phrase of the rows: "at/from the" is two, and a row of symbols one for each."""
    split = [row.split() if row[0] in "<>~" else [row] for row in rows]
    return [
        " ".join(words) for row in split for phrase in row for words in product(*(w.split("/") for w in phrase.split()))
    ]


@cache
def _tables() -> tuple[dict[str, str], dict[str, str], dict[str, frozenset[str]]]:
    """The bound of each phrase before and behind a number, and the words of percentages by kind."""
    import tomllib  # noqa: PLC0415 (most numbers of a look-up have no words around them)

    data = tomllib.loads(read_text(domain_folder() / "numbers.toml"))
    before, behind = (
        {p: bound for bound, rows in data[side].items() for p in _phrases(rows)} for side in ("before", "behind")
    )
    return before, behind, {kind: frozenset(_phrases(rows)) for kind, rows in data["percent"].items()}


def bound_before(text: str, at: int) -> tuple[str, int]:
    """Return "at most", "at least", "about" or "exact", as the words before `at` say, and where those begin."""
    begin = max(0, at - LOOK_BACK)
    bare = text[begin:at].rstrip("\\*_").rstrip(_MARKS)  # "**about \\$6.98**"
    if not bare:
        return "exact", at
    table = _tables()[0]
    symbol = _SYMBOL.search(bare)
    words = [*_WORD.finditer(bare[: symbol.start()].rstrip(_MARKS) if symbol else bare)]
    for word in words[-_LONGEST:]:
        phrase = " ".join(bare[word.start() : words[-1].end()].lower().split())
        bound = table.get(phrase, "")
        if bound == "from a price":
            bound = "at least" if text[at : at + 1] in _CURRENCIES else "exact"
        if bound and not (phrase.startswith("max") and bare[: word.start()].rstrip()[-1:].isdigit()):
            return (bound, begin + word.start()) if bound != "exact" else ("exact", at)
    return (table[symbol[0]], begin + symbol.start()) if symbol else ("exact", at)


def bound_after(text: str, at: int) -> tuple[str, int]:
    """Return the bound that "or more", "or less", "or so" or "+" after a number sets, and where it ends."""
    match = _AFTER.match(text, at)
    if match is None:
        return "exact", at
    if not match[1]:
        return ("at least" if match[3] else "about"), match.end()
    bound = _tables()[1].get(f"{match[1]} {match[2]}".lower(), "exact")
    return bound, match.end() if bound != "exact" else at


def percent_form(text: str, start: int, end: int) -> str:
    """Classify a percentage: "change", "discount", or "share" of a whole."""
    kinds = _tables()[2]
    behind = _BEHIND.match(text, end, end + LOOK_AHEAD)
    first, second, third = (word.lower() for word in behind.groups("")) if behind else ("", "", "")
    starts = {first, f"{first} {second}", f"{first} {second} {third}"}
    if starts & kinds["discount"]:
        return "change" if starts & kinds["comparison"] else "discount"
    if first in kinds["change"] or (first in kinds["between"] and second in kinds["change"]):
        return "change"
    words = text[max(0, start - LOOK_AHEAD) : start].lower().rstrip("~±").split()[::-1]
    told = next((word for word in words[:5] if word not in kinds["filler"]), "")
    if told in kinds["discount before"]:
        return "discount"
    return "change" if _moved(words, kinds) or text[:start].endswith("±") else "share"


def _moved(words: Sequence[str], kinds: dict[str, frozenset[str]]) -> bool:
    """True for "rose by about" and "down nearly", whose words come last first."""
    if next((word for word in words if word not in ("about", "nearly", "some")), "") in kinds["moved"]:
        return True
    by = next((at for at, word in enumerate(words[:3]) if word in ("of", "by")), None)
    verbs = () if by is None else words[by + 1 : by + 4]
    return any(verb in ("up", "down") or verb.startswith(tuple(kinds["change before"])) for verb in verbs)


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
