"""What a question leaves out: a maker, a cloud, a kind of memory, a number format.

"Besides NVIDIA, who sells chips with HBM3e?"  ->  "which chips with HBM3e besides NVIDIA?"
"which clouds besides Azure offer the MI300X"  ->  "which clouds offer the MI300X", and Azure
"which GPUs do not support FP8"                ->  "which GPUs", and FP8
"""

from __future__ import annotations

from collections.abc import Sequence

from chipwise import nouns
from chipwise import patterns as re
from chipwise.domain.phrasebook import Mention
from chipwise.text import blanked

_BESIDES = r"besides|other than|apart from|aside from|outside(?: of)?|except(?: for)?|excluding|excl|not counting|leaving aside"
_FRONTED = re.compile(rf"^(?P<out>(?:{_BESIDES})\s[^,?.;]{{2,48}}),\s*(?P<asked>.+?)(?P<end>[\s?.!]*)$", re.I)
_WHO_HAS = re.compile(
    rf"^who(?: else)? (?:sells?|makes?|builds?|offers?|ships?|has|have) (?=(?:[\w-]+ ){{0,3}}(?:{nouns.WANTED})s (?:with|that|having|of|over|under|above|below)\b)",
    re.I,
)
_SHUTS_OUT = re.compile(
    rf"\b(?:{_BESIDES}|not|without|no|non)\b(?: (?:for|from|by|of|made by|the|those|ones))*[\s-]*$",
    re.I,
)
# what says of a chip that it has not what stands right behind: "lack FP8", "not support the BF16"
LACKS = re.compile(
    r"(?:\b(?:drop(?:s|ped|ping)?|remov(?:e[ds]?|ing)|abandon(?:s|ed|ing)?|lack(?:s|ed|ing)?)"
    r"|(?:\bstop(?:s|ped|ping)?|\bno longer|\bnot|n['’]t)\s(?:[\w-]+\s){0,3}?(?:hav(?:e|ing)|us(?:e|ing)|do(?:ing)?|support(?:s|ing)?|run(?:ning)?))"
    r"\s(?:the\s|any\s|an?\s|its\s)?$",
    re.I,
)
# how one comes to it: "that work without", "which do not support"
_COMES_TO = re.compile(
    r"(?:\b(?:that|which|who|works?|runs?|comes?|gets? by|makes? do|does|do|are|is|have|has|can|could|will)\s+)+$", re.I
)


def left_out_last(asked: str) -> str:
    """A question with what it leaves out behind it, and products for who has them."""
    fronted = _FRONTED.match(asked)
    if fronted is None:
        return asked
    return f"{_WHO_HAS.sub('which ', fronted['asked'])} {fronted['out']}{fronted['end']}"


def is_shut_out(text: str, mention: Mention) -> bool:
    """True for the maker of "not from NVIDIA", the link of "without NVLink" and the format of "do not support FP8"."""
    before = text[: mention.start]
    return (_SHUTS_OUT.search(before) or LACKS.search(before)) is not None


def without_them(text: str, left_out: Sequence[Mention]) -> str:
    """The text less what it leaves out, with the words that say so; "" where some of it is only named."""
    spans = []
    for m in left_out:
        said = LACKS.search(text, 0, m.start) or _SHUTS_OUT.search(text, 0, m.start)
        if said is None:
            return ""
        before = _COMES_TO.search(text, 0, said.start())
        spans.append((before.start() if before else said.start(), m.end))
    return blanked(text, spans)
