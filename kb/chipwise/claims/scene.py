"""One sentence or cell with all that is named in it: what the slots of its claims are filled from."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from chipwise.domain import Domain
from chipwise.phrasebook import Mention
from chipwise.quantities import Quantity

SPECIFIC = ("chip", "variant", "system", "slice")
# What parts one figure's surroundings from the next one's, in the count of characters that it is worth.
_BARRIER = re.compile(r"[;:]|[,)](?=\s|$)|\s(?:and|or|while|whereas|but|plus|versus|vs\.?|against|than)\s")
_BARRIER_WIDTH = 15

# "an 8-chip slice", "a four-GPU node": a count that says what the figure beside it is of
_ADJECTIVE = re.compile(r"[\d\w]+-[A-Za-z]+$")
# "across 8 GPUs", "on 512 chips": so does this
_SPREAD_OVER = re.compile(r"\b(?:across|on|over|using|for|from|with|of)\s(?:all\s|the\s|its\s|some\s|up to\s)?$", re.I)
# "`256 * 16 = 4TB`": the result of arithmetic that the text shows is no statement of its own
_COMPUTED = re.compile(r"[*/×+·]\s?[\w.,]{1,12}\s?[=≈]\s?[~$]?$")
_COUNTED = re.compile(r"\d[\s-]$")


@dataclass(frozen=True)
class Scene:
    """A sentence's names in order. Spans count from its start."""

    text: str
    entities: Sequence[Mention]
    metrics: Sequence[Mention]
    terms: Sequence[Mention]
    qualifiers: Sequence[Mention]  # ids are "axis=value"
    quantities: Sequence[Quantity]

    @property
    def figures(self) -> list[Quantity]:
        """The quantities that say something, less the counts that only tell the scope of another."""
        told = [q for q in self.quantities if not self.tells_scope(q) and not self._is_computed(q)]
        return told or [q for q in self.quantities if not self._is_computed(q)]

    def _is_computed(self, quantity: Quantity) -> bool:
        return bool(_COMPUTED.search(self.text[max(0, quantity.start - 24) : quantity.start]))

    def tells_scope(self, quantity: Quantity) -> bool:
        """True for the 8 of "an 8-chip slice" and of "across 8 GPUs" beside another figure."""
        if quantity.dimension != "count" or len(self.quantities) == 1:
            return False
        surface = self.text[quantity.start : quantity.end]
        before = self.text[max(0, quantity.start - 24) : quantity.start]
        return bool(_ADJECTIVE.search(surface) or _SPREAD_OVER.search(before))

    def distance(self, quantity: Quantity, mention: Mention) -> int:
        """How far a name stands from a figure, in characters; what parts clauses counts for many."""
        if mention.start < quantity.end and quantity.start < mention.end:
            return 0
        if mention.end <= quantity.start:
            between = self.text[mention.end : quantity.start]
        else:
            between = self.text[quantity.end : mention.start]
        return len(between) + _BARRIER_WIDTH * len(_BARRIER.findall(between))

    def owner(self, mention: Mention) -> Quantity | None:
        """The figure that a name stands closest to; one between two belongs to the nearer."""
        figures = self.figures
        return min(figures, key=lambda q: self.distance(q, mention)) if figures else None


def read_scene(domain: Domain, text: str) -> Scene:
    """What `text` names."""
    entities = domain.find_entities(text)
    return Scene(
        text,
        entities,
        domain.find_metrics(text),
        domain.find_terms(text),
        domain.find_qualifiers(text),
        domain.unit_table.find(_without_counted_names(text, entities)),
    )


def _without_counted_names(text: str, mentions: Sequence[Mention]) -> str:
    """The text with the name in "144 Trainium3 chips" blanked out, so that the count finds its noun."""
    left = list(text)
    for m in mentions:
        if _COUNTED.search(text[max(0, m.start - 2) : m.start]) and text[m.end : m.end + 1] == " ":
            left[m.start : m.end] = " " * (m.end - m.start)
    return "".join(left)


def ids(mentions: Sequence[Mention]) -> tuple[str, ...]:
    """All that is named, once each, in order."""
    return tuple(dict.fromkeys(i for mention in mentions for i in mention.ids))
