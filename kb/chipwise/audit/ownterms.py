"""Whether a comparison is of something of its own, and not of the figures told before it.

"80 GB became 141 GB, and training got 1.9x faster"   ->  of training
"$2.25, then $1.31: 10% cheaper per token"            ->  of tokens
"""

from __future__ import annotations

from collections.abc import Sequence

from chipwise import patterns as re
from chipwise.audit.clauses import NOBODY, SAID_OF, clause_of, kinds_of
from chipwise.audit.lines import Line, Place, key_of
from chipwise.numbers.numerals import NUMBER_WORD
from chipwise.numbers.quantity import Quantity
from chipwise.types import Role

# "a 0.5% drop in accuracy", "10% cheaper per token": what the comparison is of stands behind it
_MORE = r"\s?(?:[a-z-]+\s){0,2}?(?:[a-z]+er|more|less|drop|rise|cut|reduction|increase|decrease|gain|loss|improvement|penalty|as\smuch)\s"
_OF_ITS_OWN = re.compile(rf"{_MORE}(?P<by>in|per)\s(?:the\s|its\s)?(?P<what>[a-z][\w-]*)", re.I)
_NOUN = re.compile(
    r"\s(?!(?:and|or|but|to|from|of|on|in|for|than|over|with|by|at|per|is|was|as|when|while|against|versus|compared|relative|since|after)\b)[a-z]{3,}"
)  # "power density" is no power
_PERIODS = r"(?:day|week|month|quarter|year|spring|summer|autumn|fall|winter|season|decade)"
_IS_A_PERIOD = re.compile(
    rf"(?:{_PERIODS}s?|total|all|turn|comparison|return|fact|just|only|an?|less|under|{NUMBER_WORD})\b", re.I
)
# "In the last quarter alone, it fell 15%": a period that the figures told before are not of
_IN_A_PERIOD = re.compile(
    rf"\b(?:in|over|during|within|for|since)\s(?:the|this|that|its)\s(?:[\w-]+\s){{0,2}}?{_PERIODS}s?\b|\balone\b", re.I
)
# "from 140 GB to 70 GB and speeds decoding up 1.6x": the same subject does something else
_DOES_ELSE = re.compile(r"(?:\band|\bbut|\bwhile)\s(?:also\s|then\s)?(?P<verb>[a-z]+(?:[^su\W]s|ed|ing))\s", re.I)
_REACHES_BACK = re.compile(r"\b(?:which|that|this|so|thus|hence|therefore|making|meaning|i\.e|by)\b", re.I)
# ", performance 3x": nothing but what it is of, which no measure of the figures is
_BARE_NOUN = re.compile(r"\s?(?:the\s|its\s)?(?P<what>[a-z]{4,}(?:\s[a-z]{4,})?)\s(?:by\s)?", re.I)
_NEARLY = frozenset(
    "about almost around over just only some even still more than well under below above thus hence down again exactly full whole times".split()
)


def is_of_its_own(line: Line, stated: Quantity, pair: Sequence[Place]) -> bool:
    """True where the words around a comparison say that it is of something else than the figures told before it."""
    if line.passage.role is Role.TABLE:
        return False
    text = line.scene.text
    ends = [q.end for of, q in pair if of is line]
    if not ends:
        return bool(_IN_A_PERIOD.search(text[: stated.start])) or _has_a_complement(line, stated, pair)
    return _has_a_complement(line, stated, pair) or _does_else(line, max(ends), stated)


def _does_else(line: Line, told: int, stated: Quantity) -> bool:
    """True for "and speeds decoding up 1.6x" and "performance 3x", after figures that end at `told`."""
    text = line.scene.text
    between = text[told : stated.start]
    if told > stated.start or _REACHES_BACK.search(between):
        return False
    does = _DOES_ELSE.search(between)
    if does is not None and not SAID_OF.match(f"{does['verb']} "):
        return True
    noun = _BARE_NOUN.fullmatch(text[max(clause_of(text, stated)[0], told) : stated.start])
    if noun is None or any(told < m.end <= stated.start for m in line.scene.metrics):
        return False
    return not any(_says_nothing(word) for word in noun["what"].lower().split())


def _says_nothing(word: str) -> bool:
    return word in NOBODY or word in _NEARLY or word.endswith("ly") or bool(SAID_OF.match(f"{word} "))


def _has_a_complement(line: Line, stated: Quantity, pair: Sequence[Place]) -> bool:
    """True for "cheaper per token" beside prices per hour, and for a "drop in accuracy" beside gigabytes."""
    text, domain = line.scene.text, line.book.domain
    own = _OF_ITS_OWN.match(text, stated.end)
    if own is None or any(q.start <= own.start("what") < q.end for _, q in pair):
        return False
    if own["by"].lower() == "per":
        rate = re.compile(rf"(?:\bper\s|/\s?|\ban?\s){re.escape(own['what'])}", re.I)
        return not any(rate.match(of.scene.text, at) for of, q in pair for at in range(q.start, q.end + 2))
    if _IS_A_PERIOD.match(own["what"]) or own["what"][0].isupper():
        return False
    keys = {key_of(domain, q) for _, q in pair}
    named = (m for m in line.scene.metrics if m.start <= own.end("what") <= m.end and not _NOUN.match(text, m.end))
    return not any(keys & (kinds_of(domain, text[m.start : m.end], m) or set()) for m in named)
