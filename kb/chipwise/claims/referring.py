"""Whether a sentence goes on about what was spoken of before it, though it does not name that.

"It has 80 GB", "On board are 80 GB", "Memory capacity is 141 GB" right below the name of a chip. Looks at one sentence.
"""

from __future__ import annotations

from collections.abc import Sequence

from chipwise import patterns as re
from chipwise.claims.naming import NO_OWNER, own_mentions
from chipwise.claims.scene import Scene
from chipwise.domain.model import Domain
from chipwise.domain.phrasebook import Mention
from chipwise.nouns import CHIP, IT, MACHINE, PRODUCT, THE
from chipwise.text import BULLET, blanked

# a pronoun, a bare noun for it, an item of a list, or a figure that begins the sentence: what was spoken of before goes on
_WHOLE = r"(?:(?:full|whole|complete|entire|single|maxed-out|fully\s[a-z-]+)\s)?"  # "a full pod"
_REFERS_BACK = re.compile(
    r"\W*(?:(?:and|but|so|also|then|moreover|more importantly|in addition|here|there|even if|for (?:\w+\s){1,6}|in (?:\w+\s){1,4}|with (?:\w+\s){1,5}|on demand"
    rf"|at (?:\w+\s){{1,4}}|an? hour of),?\s)*(?:{IT}|this|these|those|that|each|both|all(?=\\s(?:have|share|use)\\b)|ours|one|(?:{THE}|all\s|an?\s{_WHOLE})"
    rf"(?:{PRODUCT}|{MACHINE}|product|unit|memory|peak|price|TDP|die|package|successor|version|variant|edition)s?)(?:['’]\w+)?\b"
    rf"|\s*{BULLET}\s"
    r"|\W*(?:up to |about |over |~)?[$€£~]?\d|[^.:]{0,70}$",
    re.I,
)
# "On paper it makes 165 TFLOPS": a pronoun that the sentence comes to before any figure
_COMES_TO_IT = re.compile(
    rf"(?:[^.;:!?()]|(?<=\d)\.(?=\d)){{0,60}}\b(?:{IT}|(?:{THE}|an?\s)(?:{PRODUCT}|{MACHINE})s?)\b"
    r"(?!\sis\s(?:said|clear|true|likely|known|worth|estimated|expected|hard))",
    re.I,
)
# "On board are 80 GB", "There is 48 MiB of SRAM": said of what was spoken of right before
_IS_THERE = re.compile(
    r"\W*(?:there(?:['’]s|\s(?:is|are))|on\s?(?:the\s)?(?:board|package|die|module)|inside|you(?:['’]ll|\swill)?\s(?:get|find|have))\b[^.;:!?()]{0,30}$",
    re.I,
)
# "a device holding weights in SRAM": some other one
_SOME_OTHER = re.compile(
    rf"\W*an?\s(?:[\w-]+\s)?(?:{PRODUCT}|{MACHINE}|model)\s"
    r"(?:with|that|which|whose|holding|having|running|using|built|based)\b",
    re.I,
)
# chips that are not the one spoken of, "most accelerators", and machines: "a rack"
_CHIPS = (
    rf"(?<!\ball\s)(?<!\bits\s)(?<!\bthe\s)(?<!\d\s)\b(?:{PRODUCT})s\b"
    rf"|(?<!\bper\s)(?<!\bon\s)(?<!\bin\s)\ban?\s(?:[\w-]+\s)?(?:{PRODUCT})\b"
    rf"|\b(?:other|another|most|many|some|any|typical|our|your|my|their)\s(?:[\w-]+\s)?(?:{PRODUCT})\b|\b(?:typical(?:ly)?|usual(?:ly)?|general(?:ly)?)\b"
)
_SOMEBODYS_CHIP = re.compile(_CHIPS, re.I)
_SOMEBODY = re.compile(rf"\b(?:{MACHINE}|cluster|data\s?cent(?:er|re)|host|laptop|phone)s?\b|{_CHIPS}", re.I)
# behind a figure: "16 GB per chip", "32 GiB on a chip", "192 GiB of one chip"
ON_A_CHIP = re.compile(
    rf"\s(?:per|(?:on|in|of)\s(?:an?|one|each|every|a\ssingle))\s(?:{CHIP}|card|device)\b(?!-)", re.I
)
_SHORT = 160  # characters of a sentence that says one thing
_USED = re.compile(
    r"\b(?:us(?:e[sd]?|ing|age)|tak(?:es?|ing)|needs?|consum\w+|draws?|requir\w+|leav(?:es?|ing)|measured)\b", re.I
)
_USES = ("model", "benchmark", "workload", "framework", "library", "company")  # kinds of terms that may have a figure
_ARTICLE = re.compile(r"\W*(?:the\s|its\s|an?\s)?(?:peak\s|maximum\s|total\s|rated\s)?$", re.I)
_LABEL = re.compile(r"\s*\**[^.:|]{2,48}\**:")
OF_CAPACITY = re.compile(r"\b(\d{1,3})[\s-]?GB\s((?:version|variant|card|model|one|part|board|edition)s?)\b")


def goes_on(scene: Scene, *, fresh: bool, headed: bool) -> bool:
    """True where a sentence refers back; `fresh` if the last one was about the chip, `headed` below a heading with its name.

    A long text comes to speak of other things, named or not: "The bandwidth between HBM
    and the core is 1 TB/s" is not of the chip that the sentence before it named.
    """
    if _SOME_OTHER.match(scene.text):
        return False
    if _REFERS_BACK.match(_without_form(scene)):
        return True
    if fresh and (_COMES_TO_IT.match(scene.text) or _says_what_is_there(scene)):
        return True
    # under "## H200", or right behind a sentence on it: "Memory capacity is 141 GB"
    stated = [m for m in scene.qualifiers if not _tells_a_form(m)]  # "The SXM5 delivers" begins something else
    opens = (*scene.metrics, *stated) if fresh else scene.metrics
    if (fresh or headed) and any(not _ARTICLE.sub("", scene.text[: m.start]) for m in opens):
        return True
    label = _LABEL.match(scene.text)
    return label is not None and any(m.end <= label.end() for m in scene.metrics)  # "Memory: 80 GB", no "Footnote: ..."


def says_what_one_has(domain: Domain, scene: Scene, about: Sequence[str], *, sole: bool) -> bool:
    """True for "Around the die sit 80 GB of HBM3", said of `about`: what chips have, and nobody named who may have it instead.

    "Its list price is $4.20" and "With 32 GiB on a chip ..." are of it as well, and with `sole`, where the
    text is about nothing else, what was measured: "At 8,192 GPUs they sustained 430 TFLOPS per GPU".
    """
    if len(scene.text) > _SHORT or not scene.figures or scene.unknown or own_mentions(domain, scene):
        return False
    makers = {domain.entities[i].vendor.lower() for i in about if i in domain.entities}
    named = (
        scene.text[m.start : m.end].lower() for m in scene.terms if any(domain.terms[i].kind in _USES for i in m.ids)
    )
    formed = any(map(_tells_a_form, scene.qualifiers))
    somebody = _SOMEBODY if not any(map(domain.is_machine, about)) else _SOMEBODYS_CHIP
    used, on_chip = _USED.search(scene.text), ON_A_CHIP.search(scene.text)
    if used and on_chip and used[0].lower().startswith("leav"):
        used = None  # "Against the 192 GiB of one chip that leaves a margin"
    if set(named) - makers or formed or used or somebody.search(scene.text):
        return False
    written = [(scene.text[m.start : m.end].lower(), m.ids) for m in scene.metrics]
    told = [(domain.metrics[i], cue) for cue, ids_ in written for i in ids_]
    if not told:
        told_by = {i.partition("=")[0] for m in scene.qualifiers for i in m.ids}
        rated = (m for q in scene.figures for m in domain.told_metrics.get(q.dimension, ()))
        return on_chip is not None or any(told_by & set(m.told_by) for m in rated)
    rates = any(q.dimension.endswith("_rate") for q in scene.figures)  # "the total cost is $15" is no price of its own
    natures = ("specified", *(("priced",) if rates else ()), *(("measured",) if sole else ()))
    return all(m.nature in natures and cue not in m.vague for m, cue in told)


def is_short_answer(scene: Scene) -> bool:
    """True for the "Plan for 1,000 W per GPU." behind "And how much power?": one figure, and nobody named who may have it instead."""
    short = len(scene.text) <= _SHORT and len(scene.figures) == 1
    return short and not (scene.unknown or _SOMEBODY.search(scene.text))


def _says_what_is_there(scene: Scene) -> bool:
    """True for "There is 48 MiB of SRAM", up to its first figure, where nothing else is named."""
    first = min((q.start for q in scene.figures), default=0)
    # "Inside sit 72 Blackwell GPUs": what is counted has nothing itself
    named = [m for m in scene.entities if not NO_OWNER.search(scene.before(m, 24))]
    return not (named or scene.unknown) and _IS_THERE.match(scene.text[:first]) is not None


def _without_form(scene: Scene) -> str:
    """The text less what tells a variant: "The PCIe card", "The 80 GB version"."""
    forms = [m for m in scene.qualifiers if _tells_a_form(m)]
    # of "PCIe card" the noun stays
    told = [(m.start, scene.text.rfind(" ", m.start, m.end) + 1 or m.end) for m in forms]
    return " ".join(OF_CAPACITY.sub(r"\2", blanked(scene.text, told)).split())


def _tells_a_form(mention: Mention) -> bool:
    return all(i.startswith("form_factor=") for i in mention.ids)
