"""The form of a chip that a clause is about which does not name the chip.

"The H100 SXM draws 700 W, the PCIe card 350 W; SXM is faster."   SXM, then PCIe, then SXM

Looks at one sentence.
"""

from __future__ import annotations

from chipwise import patterns as re
from chipwise.claims.scene import Scene
from chipwise.domain.phrasebook import Mention

# what a clause begins with before the name of a form: "; SXM may use", ", while the PCIe card stays at"
_OPENS_CLAUSE = re.compile(
    r"(?:^|[.;:,]\s|\s[-–—]\s)\W*(?:(?:and|but|while|whereas|where|though|although|on|in|for)\s)?(?:(?:the|its|their|an?)\s)?"
    r"(?:(?:newer|older|smaller|larger|plain)\s)?$",
    re.I,
)


def is_form(mention: Mention) -> bool:
    """True for "PCIe card" and "SXM"."""
    return all(i.startswith("form_factor=") for i in mention.ids)


def opens_clause(scene: Scene, mention: Mention) -> bool:
    """True where a clause begins with a name."""
    return _OPENS_CLAUSE.search(scene.text, 0, mention.start) is not None
