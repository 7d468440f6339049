"""The form of a sentence: whether it defines, gives a reason, advises, or quotes a figure to doubt it."""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet

from chipwise.asking.searching import stem
from chipwise.text import content_words

_DEFINES = re.compile(
    r"^\W*(?:an?\s|the\s)?(?P<name>[^.;:,]{2,70}?)(?:,\sor\s[^.;:,]{2,40},)?(?:\sof\san?\s\w+)?\s(?:\([^)]{1,60}\)\s)?"
    r"(?:is|are|means|stands for|measures|refers to|describes)\s"
    # "TPU chips are joined in slices" says what is done with them
    r"(?!not\b|(?:also\s|only\s|now\s)?(?:\w{3,}ed|built|made|given|found|held|shown|sold)\s(?:in|into|by|with|to|on|at|from|over|per)\b)",
    re.I,
)
_SPELT_OUT = re.compile(r"(?P<short>[\w-]+)\s\((?P<inside>[A-Z][\w-]*)(?:\s[^)]{4,60})?\)")
_REASONS = re.compile(
    r"\b(?:because|since|due to|so that|therefore|reason|owing to|which is why|as a result|that is why|thanks to)\b",
    re.I,
)
_DATE = re.compile(r"(?<![\d.,])(?:19|20)\d\d(?![\d.,]\d)|\b(?:next|last|this) (?:year|quarter|month)\b", re.I)
_ADVISES = re.compile(
    r"\b(?:use|choose|pick|prefer|suit(?:s|ed)?|better|best|when|if|should|recommend\w*|ideal|fits?)\b", re.I
)
_DOUBTS = re.compile(
    r"\b(?:at odds|wrong(?:ly)?|mistak\w*|misquot\w*|contradict\w*|clash\w*|err(?:or|s|oneous)\w*|disput\w*|incorrect\w*|"
    r"the (?:number|figure) [\d.,]+ (?:appears|occurs|stands)|no (?:known )?primary source|cannot (?:both|all)|implausible|misread\w*|confus\w*|mistyp\w*)\b",
    re.I,
)


def tells_a_date(text: str) -> bool:
    """True for a sentence with a year, or with "next quarter"."""
    return bool(_DATE.search(text))


def defines(text: str, names: AbstractSet[str]) -> bool:
    """True for "X is …" where every content word of X is, as a stem, in `names`."""
    match = _DEFINES.match(text)
    head = {stem(word) for word in content_words(match["name"])} if match else set()
    return bool(head) and head <= names


def opens_with(text: str, asked: AbstractSet[str]) -> bool:
    """True where the sentence begins with what is asked about: "Tensor parallelism splits …", "The roofline model says …"."""
    first = content_words(text)[: len(asked)]
    return bool(asked) and {stem(word) for word in first} == asked


def spells_out(text: str, names: AbstractSet[str]) -> bool:
    """True for "NCCL (NVIDIA Collective Communications Library)" and the reverse, with NCCL's stem in `names`."""
    return any(
        stem(match["short"].lower()) in names or stem(match["inside"].lower()) in names
        for match in _SPELT_OUT.finditer(text)
    )


def gives_reason(text: str) -> bool:
    """True when some words of the sentence introduce a reason."""
    return bool(_REASONS.search(text))


def advises(text: str) -> bool:
    """True when the sentence speaks of choosing or of conditions for it."""
    return bool(_ADVISES.search(text))


def doubts(text: str) -> bool:
    """True when the sentence quotes something in order to say that it is wrong."""
    return bool(_DOUBTS.search(text))


_AGGREGATES = re.compile(
    r"\b(?:nodes?|hosts?|servers?|virtual machines?|VMs?|instances?|slices?|pods?|racks?|clusters?|super(?:pods?|computers?)|"
    r"systems?|boxes|trays?|\d+-(?:GPU|chip|TPU|accelerator)|together|in total|combined|aggregate)\b",
    re.I,
)


def speaks_of_many(text: str) -> bool:
    """True when the sentence speaks of something that holds several chips: a node, a slice, a pod."""
    return bool(_AGGREGATES.search(text))


_ONE_WAY = re.compile(r"\b(?:one[- ]way|(?:per|each|in one|one) direction|unidirectional|simplex|half of the)\b", re.I)
_BOTH_WAYS = re.compile(r"\b(?:bidirectional|both directions|two[- ]way)\b", re.I)


def directions(text: str) -> tuple[bool, bool]:
    """Whether a sentence on bandwidth speaks of one direction, and whether of both together."""
    return bool(_ONE_WAY.search(text)), bool(_BOTH_WAYS.search(text))
