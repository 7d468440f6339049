"""Names that only tell what a machine is made of, and are no second machine.

"the p5.48xlarge with eight H100 GPUs costs $55.04"   the p5, and no HGX H100
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from chipwise import patterns as re
from chipwise.domain.model import Domain
from chipwise.domain.phrasebook import Mention
from chipwise.numbers.numerals import SEVERAL

_COUNTED = re.compile(rf"(?:\d+\s?[x×]?|{SEVERAL})\s?", re.I)  # "8x H200", "eight H100 GPUs"
_MADE_OF = re.compile(
    r"\s?\(|:\s|,\s|\s[-–—=]\s|\s(?:with|has|have|having|holds?|holding|carr(?:ies|ying)|packs|packing|contains?|containing|of)\s(?:its\s|the\s|all\s)?",
    re.I,
)


def without_contents(domain: Domain, text: str, named: Sequence[Mention]) -> list[Mention]:
    """The names of a text, less those that count the chips of the machine which stands right before them."""
    told = {b for a, b in pairwise(named) if _is_made_of(domain, a, b, text)}
    return [m for m in named if m not in told]


def _is_made_of(domain: Domain, machine: Mention, chips: Mention, text: str) -> bool:
    if len(machine.ids) != 1 or len(chips.ids) != 1 or machine.ids == chips.ids:
        return False
    whole, part = machine.ids[0], chips.ids[0]
    if not (domain.is_machine(whole) and domain.is_machine(part) and domain.entities[whole].chips > 1):
        return False
    of_a_kind = domain.are_kin(domain.nearest_chip(whole), domain.nearest_chip(part))
    counted = _COUNTED.match(text[chips.start : chips.end])
    return bool(of_a_kind and counted and _MADE_OF.fullmatch(text[machine.end : chips.start]))
