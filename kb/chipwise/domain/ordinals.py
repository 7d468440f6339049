"""Products that a text counts in their line: "the second MTIA", "Trainium's third generation"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from chipwise.domain.model import Domain
from chipwise.domain.phrasebook import Mention

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
# "a second Trainium" is one more of them, and "the second-fastest GPU" is none by number
_COUNTED = re.compile(
    rf"(?:\b(?:the|its|their|this|that)|['’]s)\s(?:company['’]s\s)?(?P<nth>{'|'.join(_ORDINALS)})(?:[\s-]gen(?:eration)?)?\s(?:[A-Z]\w+\s)?$",
    re.I,
)
_GENERATION = re.compile(rf"\s(?:(?P<nth>{'|'.join(_ORDINALS)})[\s-]gen(?:eration)?)\b", re.I)
# behind a name, what is counted instead: "the second Trainium instance"
_OF_ANOTHER = re.compile(
    r"(?:s\b|\s?(?:pods?|slices?|instances?|servers?|nodes?|racks?|clusters?|systems?|boards?|hosts?)\b)", re.I
)
_BEFORE = 48  # characters


def with_ordinals(domain: Domain, text: str, named: Sequence[Mention]) -> list[Mention]:
    """The names of a text; that of a line whose generation is told is that of the one chip of the generation."""
    return [_of_generation(domain, text, m) for m in named]


def _of_generation(domain: Domain, text: str, mention: Mention) -> Mention:
    if len(mention.ids) != 1 or domain.kind(mention.ids[0]) != "line":
        return mention
    counted = _COUNTED.search(text, max(0, mention.start - _BEFORE), mention.start)
    if counted is None or _OF_ANOTHER.match(text, mention.end):
        counted = _GENERATION.match(text, mention.end)
    if counted is None:
        return mention
    fitting = domain.in_line(mention.ids[0], _ORDINALS.index(counted["nth"].lower()) + 1)
    return replace(mention, ids=fitting) if len(fitting) == 1 else mention
