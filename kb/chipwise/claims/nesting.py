"""The items of a list that a sentence stands below: who is no more than named there has what the items below say.

- **NVIDIA H100 (2022)**:
  - 80 GB of HBM3              -> nvidia-h100
- **AWS Trainium & Inferentia**
  - 32 GB of memory            -> nobody that is certain
"""

from __future__ import annotations

from dataclasses import dataclass, field

from chipwise import patterns as re
from chipwise.claims.scene import Scene
from chipwise.domain.model import Domain
from chipwise.nouns import MACHINE, PRODUCT
from chipwise.types import Passage

# what may stand before and behind the name in an item that is no more than that: "- **NVIDIA H100 GPU (80 GB, 2022)**:"
_LEADS = re.compile(r"\W*(?:\d[.)]\W*)?(?:[Tt]he\s)?(?:[A-Z]\w+(?:['’]s)?\s){0,2}")
_NAME_ALONE = re.compile(rf"(?:\s(?:{PRODUCT}|{MACHINE})s?)?[\W_]*(?:\([^()]*\))?[\W_]*")
_IN_BRACKETS = re.compile(r"\([^()]*$")
_LONGEST_LABEL = 60  # characters of an item that is no more than a name


@dataclass
class Outer:
    """The items around a sentence, outermost first: how far each is in, and whom it names.

    () is one that is not known, or more than a name; None an item without a name, "- **Memory**".
    """

    items: list[tuple[int, tuple[str, ...] | None]] = field(default_factory=list)

    def named(self) -> tuple[str, ...] | None:
        """Whom the innermost item with a name names; None where none has."""
        return next((named for _, named in reversed(self.items) if named is not None), None)

    def begin(self, depth: int | None) -> None:
        """Leaves the items that a sentence does not stand below, itself an item so far in, or none for None."""
        self.items = [item for item in self.items if depth is not None and item[0] < depth]

    def end(self, domain: Domain, depth: int, scene: Scene) -> None:
        """Remembers the item that was read, for those below it."""
        named = [m for m in scene.entities if not domain.is_generic(m.ids[0])]
        # "Dojo ExaPOD" and "Trainium & Inferentia" are no Dojo and no Trainium
        alone = [
            m for m in named if _LEADS.fullmatch(scene.text, 0, m.start) and _NAME_ALONE.fullmatch(scene.text, m.end)
        ]
        figures = [q for q in scene.quantities if not _IN_BRACKETS.search(scene.text, 0, q.start)]
        if not named and not scene.unknown:
            self.items.append((depth, None))
        elif len(named) == len(alone) == 1 and not figures and len(scene.text) <= _LONGEST_LABEL:
            self.items.append(
                (depth, tuple(i for i in named[0].ids if domain.is_specific(i) and len(named[0].ids) == 1))
            )
        else:
            self.items.append((depth, ()))


def depth_of(passage: Passage, number: int) -> int:
    """How far in the line of a sentence begins, in characters."""
    start = passage.sentences[number][0]
    line = passage.text[passage.text.rfind("\n", 0, start) + 1 :]
    return len(line) - len(line.lstrip(" \t"))
