"""A figure in its sentence, with the names there that may have it: what the rules on whose it is look at."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from chipwise import patterns as re
from chipwise.claims.baselines import is_compared
from chipwise.claims.naming import NO_OWNER, is_unnamed, names_the_maker, own_mentions, subjects_of, wholes
from chipwise.claims.scene import Scene
from chipwise.claims.sides import is_contrasted
from chipwise.domain.model import Domain
from chipwise.domain.phrasebook import Mention
from chipwise.numbers.quantities import Quantity

# brackets that set something beside what stands before them
_SET_BESIDE = re.compile(
    r"\((?:vs\.?|versus|against|compared (?:to|with)|(?:more|less|better|worse|higher|lower|faster|slower) than|(?:up|down) from|unlike)\s[^()]*$",
    re.I,
)


@dataclass(frozen=True)
class Setting:
    """A figure in its sentence; `carried` is what the text was about before."""

    domain: Domain
    scene: Scene
    quantity: Quantity
    carried: tuple[str, ...]

    @cached_property
    def own(self) -> list[Mention]:
        """The names that the sentence may be about."""
        found = [m for m in own_mentions(self.domain, self.scene) if not self._is_beyond(m)]
        makers = [m for m in found if names_the_maker(self.domain, self.scene, m)]
        if not makers:
            return found
        kept = self._beside_none_of_theirs(found)  # "Cerebras puts 44 GB on the WSE-3"
        return [m for m in found if m not in makers or m in kept]

    @cached_property
    def owners(self) -> list[Mention]:
        """The names that may have a figure. "The pod" has one only if it is named first, or nothing else is."""
        found = [m for m in subjects_of(self.domain, self.scene) if not NO_OWNER.search(self.scene.before(m, 24))]
        found = [m for m in found if m not in wholes(self.domain, self.scene) and not self._is_beyond(m)]
        found = self._beside_none_of_theirs(found)
        if any(not is_unnamed(self.domain, m) for m in found) or self.carried:
            first = min((m.start for m in found), default=0)
            found = [m for m in found if not is_unnamed(self.domain, m) or m.start == first]
        return found

    def _beside_none_of_theirs(self, found: list[Mention]) -> list[Mention]:
        """Less a line beside one of its chips, unless it is the other side: "adds four 1.4 kW GPUs to the GB300 node"."""
        named = {a for m in found for i in m.ids for a in self.domain.ancestors(i)[1:]}
        lines = (m for m in found if set(m.ids) <= named and not any(map(self.domain.is_chip, m.ids)))
        less = [m for m in lines if not is_compared(self.scene, m)]
        return [m for m in found if m not in less]

    def _is_beyond(self, mention: Mention) -> bool:
        """True for what brackets or a later contrast set beside what the figure is said of."""
        return self._is_beyond_brackets(mention) or is_contrasted(self.scene.text, self.quantity.end, mention)

    def _is_beyond_brackets(self, mention: Mention) -> bool:
        """True for the A100 of "Only 48 GB (vs the 80 GB of the A100) and 300 W", which has no figure outside of its brackets."""
        opened = _SET_BESIDE.search(self.scene.text, 0, mention.start)
        if opened is None:
            return False
        closed = self.scene.text.find(")", mention.end)
        return self.quantity.start < opened.start() or 0 <= closed < self.quantity.start


def certain(mention: Mention | None) -> tuple[str, ...] | None:
    """The id of a name, () for one of two readings."""
    if mention is None:
        return None
    return mention.ids if len(mention.ids) == 1 else ()


def all_or_common(domain: Domain, entities: tuple[str, ...], quantity: Quantity) -> tuple[str, ...]:
    """All of them, or for a range ("80 GB to 141 GB") the family that they share."""
    if len(entities) < 2 or quantity.form != "range":  # noqa: PLR2004
        return entities if len(entities) == 1 or not quantity.compares else ()
    common = domain.common(entities)
    return (common,) if common else ()
