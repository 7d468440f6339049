"""Decides whether a figure in a question belongs to one chip ("$2 per GPU") or to all, and to which product ("H100 at $3/hour")."""

from __future__ import annotations

from collections.abc import Sequence

from chipwise import nouns
from chipwise import patterns as re
from chipwise.domain.model import Domain
from chipwise.domain.phrasebook import Mention
from chipwise.numbers.quantity import Quantity
from chipwise.text import words

CHIP, ALL = "chip", "all"  # what a figure is of; "" where the question does not tell
_OF_CHIP = frozenset(("chip", "GPU", "TPU", "device", "accelerator"))  # as units call it
_OF_ALL = frozenset(("node", "instance"))
ONE = rf"(?:{nouns.CHIP}|card|device)"
_MANY = rf"(?:{nouns.HOLDER}|superpod)"
_HOURLY = r"(?:\s*(?:/|per|an?|each)\s*(?:hours?|hr|h)|\s+hourly)?"
ONE_BEHIND = re.compile(
    rf"{_HOURLY}(?:\s*(?:/|per|for each|for every|an?|each|every)[\s-]?{ONE}\b|\s+each\b|\s+apiece\b)", re.I
)
_MANY_BEHIND = re.compile(
    rf"{_HOURLY}\s*(?:/|per|an?|for|for the|for a|across|on|from|in total|of|on the|on an?)\s*(?:whole |entire |full |\S+ )?{_MANY}\b"
    r"|\s+(?:in total|altogether|in all|together|combined)\b",
    re.I,
)
_BEFORE = re.compile(
    rf"\b(?:(?P<one>(?:per|each|every|one|a|an|single) (?:\S+ )?{ONE}|each)|(?P<many>{_MANY}))\b", re.I
)
_REACH = 45  # characters before a figure in which what it is of may stand
# what may stand between a product and its figure, and the other way round
_IS = re.compile(
    r"(?:s|['’]s)?\s*(?:[:=(]|,?\s*(?:is|are|costs?|at|for|runs?|goes for|go for|rents? (?:for|at|out at)|is priced at|priced at|draws?|does|do|gets?)\b)?\s*(?:about |around |roughly )?",
    re.I,
)
_FOR_IT = re.compile(r"\s*(?:per|for|on)\s+(?:an? |the |one |each )?", re.I)


def scope_of(text: str, q: Quantity, end: int, domain: Domain) -> str:
    """Whether a figure that is told up to `end` is of one chip or of all: by its unit, by what stands behind it, else by the nearest thing before it."""
    per = domain.units[q.unit].per if q.unit in domain.units else ""
    if per in _OF_CHIP or is_of_card(text, q, domain) or (q.count > 1 and q.dimension == "information"):
        return CHIP
    if per in _OF_ALL:
        return ALL
    if ONE_BEHIND.match(text, end):
        return CHIP
    if _MANY_BEHIND.match(text, end):
        return ALL
    since = max(0, q.start - _REACH)
    found = [(m.end(), CHIP if m["one"] else ALL) for m in _BEFORE.finditer(text, since, q.start)]
    found += [
        (m.end, ALL) for m in domain.find_entities(text) if since < m.end <= q.start and domain.holds_several(m.ids[0])
    ]
    return max(found, default=(0, ""))[1]


def is_of_card(text: str, q: Quantity, domain: Domain) -> bool:
    """True for the memory of "a 24 GB card"."""
    behind = words(text[q.end :])[:1]
    return q.dimension == "information" and not domain.word_group("chip-word").isdisjoint(behind)


def product_of(text: str, start: int, end: int, entities: Sequence[Mention]) -> str:
    """The product right before a figure ("H100 at $3"), or the one that it is for ("$3 per H100"); "" where none stands there."""
    named = [m for m in entities if len(m.ids) == 1]
    before = (m.ids[0] for m in reversed(named) if m.end <= start and _IS.fullmatch(text, m.end, start))
    behind = (m.ids[0] for m in named if m.start >= end and _FOR_IT.fullmatch(text, end, m.start))
    return next(before, "") or next(behind, "")
