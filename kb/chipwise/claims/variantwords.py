"""Which variant of a chip a sentence tells without its full name: by its form factor, by its memory.

"The H100 comes in two forms. The PCIe card draws 350 W"   -> nvidia-h100-pcie
"the 80 GB version of the A100"                            -> nvidia-a100-80gb
"""

from __future__ import annotations

from chipwise import patterns as re
from chipwise.claims.around import clause
from chipwise.claims.forms import form_of_clause, form_of_heading
from chipwise.claims.model import Qualifiers
from chipwise.claims.referring import OF_CAPACITY
from chipwise.claims.scene import Scene
from chipwise.domain.model import Domain
from chipwise.numbers.quantities import Quantity
from chipwise.text import asks

_STORE = "information"
# of which variant a bandwidth is: 1.9 TB/s (80GB), "2 TB/s on the 80 GB part"
_OF_SIZE = re.compile(
    r"\s?\((\d{1,3})\s?GB\)|\s(?:on|for|in|with)\sthe\s(\d{1,3})[\s-]?GB\s(?:version|variant|card|model|one|part|board|edition)s?\b"
)
_SIZE = re.compile(r"\d+gb")
_TAKEN_UP = re.compile(r"\b(?:each|every|this|these|those|such)\s(?:(?:of the|an?)\s)?(?:[A-Z]\w+\s)?$", re.I)


def told_variant(
    domain: Domain, scene: Scene, quantity: Quantity, subject: str, qualifiers: Qualifiers, heading: str = ""
) -> str:
    """The variant of a chip whose form and memory a figure's clause tells, or the heading, or `subject` itself."""
    if form := form_of_clause(domain, scene, quantity) or form_of_heading(domain, heading):
        subject = _of_form(domain, subject, form) or subject
        told = {form.lower()}
    else:
        told = {value.lower() for axis, value in qualifiers if axis == "form_factor"}
    sizes = [m[1] for m in OF_CAPACITY.finditer(scene.text, clause(scene, quantity)[0], quantity.start)]
    behind = None if quantity.dimension == _STORE else _OF_SIZE.match(scene.text, quantity.end)
    told |= {f"{size}gb" for size in ([behind[1] or behind[2]] if behind else sizes[-1:])}
    return _fitting(domain, subject, told)


def _of_form(domain: Domain, subject: str, form: str) -> str:
    """The chip itself, or of another form's variant its sibling of that form: "H100 PCIe" for an "H100 SXM"; "" where there is none."""
    own = domain.entities[subject].form_factor if subject in domain.entities else ""
    if not own or own == form:
        return ""
    chip = domain.chip_of(subject) or ""
    sizes = {word for word in _words_of(domain, subject) - _words_of(domain, chip) if _SIZE.fullmatch(word)}
    return _fitting(domain, chip, {form.lower(), *sizes}) if chip else ""


def variant_before(domain: Domain, before: Scene | None, scene: Scene, subject: str) -> str:
    """The variant that the sentence before tells, where this one takes it up and names none, or `subject` itself.

    "And the PCIe card?" is answered by what follows; "Each H100" are the H100 SXM5 that were spoken of.
    """
    if before is None or any(i.startswith("form_factor=") for m in scene.qualifiers for i in m.ids):
        return subject
    if asks(before.text):
        forms = {i.partition("=")[2].lower() for m in before.qualifiers for i in m.ids if i.startswith("form_factor=")}
        return _fitting(domain, subject, forms) if len(forms) == 1 else subject
    own = [m for m in scene.entities if subject in m.ids]
    if not any(_TAKEN_UP.search(scene.before(m, 24)) for m in own):
        return subject
    known = {i for m in before.entities for i in m.ids if i in domain.variants(subject)}
    return known.pop() if len(known) == 1 else subject


def _fitting(domain: Domain, subject: str, told: set[str]) -> str:
    """The variant whose name says no more beyond its chip's than is told, and most of that."""
    if not told:
        return subject
    # "NVIDIA A100 SXM 80GB" says two words more than "NVIDIA A100", both of which have to be told
    marks = {v: _marks(domain, v) - _words_of(domain, subject) for v in domain.variants(subject)}
    fitting = [v for v, own in marks.items() if own and own <= told]
    return max(fitting, key=lambda v: len(marks[v]), default=subject)


def without_other_form(domain: Domain, subject: str, qualifiers: Qualifiers) -> Qualifiers:
    """The qualifiers less another form factor than the variant's own: "half the 700 W of the H100 SXM, for a PCIe card"."""
    own = domain.entities[subject].form_factor if subject in domain.entities else ""
    return tuple(q for q in qualifiers if not (own and q[0] == "form_factor" and q[1] != own))


def _marks(domain: Domain, variant: str) -> set[str]:
    """The words of a variant's name, in which an SXM2 is an SXM."""
    form = domain.entities[variant].form_factor.lower()
    return {form if form and word.startswith(form) else word for word in _words_of(domain, variant)}


def _words_of(domain: Domain, subject: str) -> set[str]:
    return set(domain.entities[subject].name.lower().split()) if subject in domain.entities else set()
