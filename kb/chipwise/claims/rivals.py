"""Who else may have a figure of a sentence: another product, another model, a part, or each of several.

"The B200 tops the H100 with 192 GB"              which of them?
"26.5 TFLOPS, 110 compute units ... per GCD"      a part of the chip
"Five links with 320 GB/s"                        one or all of them
"""

from __future__ import annotations

from chipwise import patterns as re
from chipwise.claims.scene import Scene
from chipwise.domain.phrasebook import Mention

# "the B200's predecessor", "the successor to the A100": somebody else, named by a relative
_RELATIVES = r"(?:predecessor|successor|sibling|rival|competitor|counterpart|replacement|(?:big|little|older|younger) (?:brother|sister))s?"
_KIN = re.compile(rf"(?:['’]s?\s(?:[\w-]+\s){{0,2}}?|\s){_RELATIVES}\b", re.I)
_KIN_OF = re.compile(rf"\b{_RELATIVES}\s(?:of|to|for)\s(?:an?\s|the\s)?(?-i:[A-Z]\w+(?:['’]s)?\s)?$", re.I)


def names_a_relative(scene: Scene, mention: Mention) -> bool:
    """True for the name in "the B200's predecessor" and "the successor to the A100", of which neither is said."""
    return bool(_KIN.match(scene.text, mention.end) or _KIN_OF.search(scene.text, 0, mention.start))
