"""Products that a text counts in their line: "Meta's second MTIA", "the third-generation Trainium".

A chip is of the generation that its name says: there is a Trainium2, and no first IPU among those that the domain knows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from chipwise import patterns as re
from chipwise.domain.model import Domain
from chipwise.domain.phrasebook import Mention

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
_NTH = f"(?P<nth>{'|'.join(_ORDINALS)})"
# before a name: "Meta's second", "the second-generation"; a bare "the second" may count slots
_COUNTED = re.compile(rf"(?:['’]s\s{_NTH}|\b{_NTH.replace('nth', 'of')}[\s-]gen(?:eration)?)\s(?:[A-Z]\w+\s)?$", re.I)
_OPENS = re.compile(rf"(?:^|[.!?]\s)\W{{0,4}}the\s{_NTH}\s(?:[A-Z]\w+\s)?$", re.I)
_IS = re.compile(r"\s(?:is|was|has|had|came|comes|brought|brings)\b")
# behind a name, what is counted instead: "the second-generation Trainium instance"
_OF_ANOTHER = re.compile(
    r"s\b|\s?(?:pods?|slices?|instances?|servers?|nodes?|racks?|clusters?|systems?|boards?|hosts?|slots?|cards?|cores?)\b",
    re.I,
)
_BEFORE = 48  # characters


def with_ordinals(domain: Domain, text: str, named: Sequence[Mention]) -> list[Mention]:
    """The names of a text; that of a line whose generation is told is that of the one chip of the generation."""
    return [_of_generation(domain, text, m) for m in named]


def _of_generation(domain: Domain, text: str, mention: Mention) -> Mention:
    if len(mention.ids) != 1 or domain.kind(mention.ids[0]) != "line" or _OF_ANOTHER.match(text, mention.end):
        return mention
    start = max(0, mention.start - _BEFORE)
    counted = _COUNTED.search(text, start, mention.start)
    if counted is None and _IS.match(text, mention.end):
        counted = _OPENS.search(text, start, mention.start)
    if counted is None:
        return mention
    told = counted.groupdict()
    nth = _ORDINALS.index((told["nth"] or told["of"]).lower()) + 1
    fitting = domain.of_number(mention.ids[0], text[mention.start : mention.end].rsplit(maxsplit=1)[-1], nth)
    return replace(mention, ids=fitting) if len(fitting) == 1 else mention
