"""The form of a chip that a clause is about which does not name the chip.

"The H100 SXM draws 700 W, the PCIe card 350 W; SXM is faster."   SXM, then PCIe, then SXM

Looks at one sentence.
"""

from __future__ import annotations

from chipwise import patterns as re
from chipwise.claims.scene import Scene
from chipwise.domain.model import Domain
from chipwise.domain.phrasebook import Mention
from chipwise.numbers.quantities import Quantity
from chipwise.text import blanked

# what a clause begins with before the name of a form: "; SXM may use", ", while the PCIe card stays at"
_OPENS_CLAUSE = re.compile(
    r"(?:^|[.;:,]\s|\s[-–—]\s)\W*(?:(?:and|but|while|whereas|where|though|although|on|in|for)\s)?(?:(?:the|its|their|an?)\s)?"
    r"(?:(?:newer|older|smaller|larger|plain)\s)?$",
    re.I,
)

_FOR = re.compile(r"[\s*_]*\s(?:for|in)\s(?:the\s|an?\s)?", re.I)
_FORM_ALONE = re.compile(
    r"\W*(?:the\s)?#+(?:\s(?:version|variant|card|module|model|edition|form(?:\sfactor)?|board)s?)?\W*", re.I
)
_PRONOUN = re.compile(r"\b(?:it|they)\b", re.I)


def is_form(mention: Mention) -> bool:
    """True for "PCIe card" and "SXM"."""
    return all(i.startswith("form_factor=") for i in mention.ids)


def opens_clause(scene: Scene, mention: Mention) -> bool:
    """True where a clause begins with a name."""
    return _OPENS_CLAUSE.search(scene.text, 0, mention.start) is not None


def form_of_heading(domain: Domain, heading: str) -> str:
    """The form that a heading says and nothing else: "PCIe version"; else ""."""
    forms = [m for m in domain.find_qualifiers(heading) if is_form(m)]
    alone = len(forms) == 1 and _FORM_ALONE.fullmatch(blanked(heading, [(forms[0].start, forms[0].end)], "#"))
    return forms[0].ids[0].partition("=")[2] if alone else ""


def form_of_clause(domain: Domain, scene: Scene, quantity: Quantity) -> str:
    """The form that a figure's clause begins with, where that names no chip, or that it is "for"; else ""."""
    behind = next((m for m in scene.qualifiers if is_form(m) and m.start >= quantity.end), None)
    # the 64 GB/s "for PCIe" are a link's
    if behind and quantity.dimension != "information_rate" and _FOR.fullmatch(scene.text, quantity.end, behind.start):
        return behind.ids[0].partition("=")[2]
    form = max((m for m in scene.qualifiers if is_form(m) and m.end <= quantity.start), key=_start, default=None)
    if form is None or not opens_clause(scene, form):
        return ""
    chips = (m for m in scene.entities if any(domain.is_specific(i) for i in m.ids))
    # "in PCIe boards it has no NVLink": "it" is what was spoken of before
    named = any(m.end > form.start and m.start < quantity.end for m in chips)
    named = named or _PRONOUN.search(scene.text, form.end, quantity.start) is not None
    return "" if named else form.ids[0].partition("=")[2]


def _start(mention: Mention) -> int:
    return mention.start
