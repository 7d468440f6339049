"""How many of each thing that it names a question speaks of: "2x H200 or one MI300X" of two and of one."""

from __future__ import annotations

from chipwise import patterns as re
from chipwise.domain.model import Domain
from chipwise.numbers.numerals import NUMBER_WORD, numeral_at
from chipwise.text import Span
from chipwise.values import dataclass

_COUNT = re.compile(rf"(?:(?<![\w.,$€£])\d{{1,6}}\s?[x×]?|\b(?:{NUMBER_WORD})\b)[\s-]*$", re.I)
_COUNTED = re.compile(r"^\d+\s?[x×]\s?", re.I)  # "8x H200" is a name, too: of a machine
_MOST = 1e6  # chips
_IN_ALL = "aggregation=group"


@dataclass(frozen=True, slots=True)
class Many:
    """`count` of the thing `of` that is named behind `span`, "2x " or "eight "."""

    count: int
    of: str
    span: Span


def counts_in(text: str, domain: Domain) -> list[Many]:
    """How many of each thing named the question speaks of, one where it does not say."""
    found = []
    for mention in domain.find_entities(text):
        entity = domain.entities[mention.ids[0]]
        within = _COUNTED.match(text[mention.start : mention.end])
        if within and entity.chips > 1:
            found.append(Many(entity.chips, entity.id, (mention.start, mention.start + within.end())))
        elif domain.is_chip(entity.id) or domain.holds_several(entity.id):
            before = _COUNT.search(text, max(0, mention.start - 24), mention.start)
            numeral = numeral_at(text, before.start()) if before else None
            whole = numeral is not None and numeral.value == int(numeral.value) and 0 < numeral.value < _MOST
            span = (before.start(), mention.start) if before and whole else (mention.start, mention.start)
            found.append(Many(int(numeral.value) if numeral is not None and whole else 1, entity.id, span))
    return found


def in_all(text: str, domain: Domain) -> list[Span]:
    """Where a question says that it asks of all together: "in total", "combined"."""
    return [(m.start, m.end) for m in domain.find_qualifiers(text) if m.ids == (_IN_ALL,)]
