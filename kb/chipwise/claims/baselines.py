"""Against whom a figure is set: the other side of a multiple, a change or a discount.

"2.4x the bandwidth of the H100"     the H100
"76% more than the A100"             the A100
"switching from the GB300 to TPUs"   the GB300
"""

from __future__ import annotations

from chipwise.claims.scene import Scene
from chipwise.claims.sides import is_other_side
from chipwise.domain.phrasebook import Mention


def is_compared(scene: Scene, mention: Mention) -> bool:
    """True for a name that something else is set against: "more than the H100"."""
    at = mention.start, mention.end
    if at not in scene.compared:
        scene.compared[at] = is_other_side(scene.text, mention) or _is_joined_to_one(scene, mention)
    return scene.compared[at]


def _is_joined_to_one(scene: Scene, mention: Mention) -> bool:
    """True for the H100 of "cheaper than the A100/H100"."""
    before = (m for m in scene.entities if m.end < mention.start and scene.text[m.end : mention.start] == "/")
    return any(is_other_side(scene.text, m) for m in before)
