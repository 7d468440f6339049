"""Against whom a figure is set: the other side of a multiple, a change or a discount.

"2.4x the bandwidth of the H100"     the H100
"76% more than the A100"             the A100
"switching from the GB300 to TPUs"   the GB300
"""

from __future__ import annotations

from collections.abc import Sequence

from chipwise import patterns as re
from chipwise.claims.naming import OF_IT
from chipwise.claims.scene import Scene
from chipwise.claims.sides import is_other_side
from chipwise.domain.model import Domain
from chipwise.domain.phrasebook import Mention
from chipwise.numbers.quantities import Quantity

_OF_WHAT = re.compile(
    r"\s(?:off\s)?(?:the|that of|an?)\s(?:[\w/-]+\s){0,5}(?:of\s(?:the\s|an?\s)?)?"
    r"|\s(?:as\s)?(?:[\w-]+\s){1,6}(?:as|than)\s(?:(?:on|with|for|in|that of|those of)\s)?(?:the\s|an?\s)?",
    re.I,
)
_FROM = re.compile(
    r"\b(?:switch\w*|mov\w+|migrat\w+|go\w*|chang\w+|upgrad\w+|transition\w*|shift\w*|jump\w*|step\w*|convert\w*|port(?:ed|ing)|com(?:es?|ing)|came|leap\w*)"
    r"\s+(?:over\s|away\s|up\s)?(?:from|off(?:\sof)?)\b\s(?:\w+['’]?s?\s){0,2}$",
    re.I,
)
_EACH = re.compile(r"\b(?:per|each|every)\s$", re.I)


def baseline(domain: Domain, scene: Scene, quantity: Quantity, subject: Sequence[str]) -> str:
    """The entity that a multiple, a change or a discount is against, "" where none is named."""
    if not quantity.compares:
        return ""
    # "double the power per GPU" is no GPU's
    sides = (m for m in scene.entities if not _EACH.search(scene.before(m, 8)))
    compared = [m for m in sides if is_against(scene, quantity, m)]
    chosen = next((m for m in compared if m.start >= quantity.end), compared[-1] if compared else None)
    if chosen is None or set(chosen.ids) & set(subject) or OF_IT.match(scene.text, chosen.end):
        return ""
    return chosen.ids[0] if len(chosen.ids) == 1 else domain.common(chosen.ids)


def is_against(scene: Scene, quantity: Quantity, mention: Mention) -> bool:
    """True for a name that a multiple or a change is against."""
    return (
        is_compared(scene, mention)
        or is_left_behind(scene, mention)
        or has_what_is_multiplied(scene, quantity, mention)
    )


def has_what_is_multiplied(scene: Scene, quantity: Quantity, mention: Mention) -> bool:
    """True where a multiple is of something of what is named: "2.4x the bandwidth of the H100", "half the H100's price"."""
    between = scene.text[quantity.end : mention.start] if mention.start >= quantity.end else "."
    return bool(_OF_WHAT.fullmatch(between))


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


def is_left_behind(scene: Scene, mention: Mention) -> bool:
    """True for what was there before, as in "switching from NVIDIA GB300 NVL72 to TPUs"."""
    return bool(_FROM.search(scene.before(mention, 40)))
