"""Which figures of a sentence say what something has, and which only serve to say it.

    "At 35 tokens/s/user, the B200 beats the H200"   a setting
    "needs 26 GB", "an additional 300 TFLOPS"         what is taken, a difference
    "16 x 2 bytes = 32 bytes"                         arithmetic that the text shows

Looks at the words right beside a figure, and knows nothing of chips.
"""

from __future__ import annotations

from chipwise import patterns as re
from chipwise.numbers.quantity import Quantity

_SET = ("token_rate", "time")  # dimensions whose figures are put so: "at $2 per hour" is a price
_LOADS = ("tokens/s/user", "queries/s")  # units that mostly say under what load something else was measured
# "`256 * 16 = 4TB`", "27.7% are 548 TFLOPS": the result of arithmetic that the text shows is no statement of its own
_COMPUTED = re.compile(
    r"[*/×+·]\s?[\w.,]{1,12}\s?[=≈]\s?[~$]?$|\d\s?%\s(?:are|is|makes?|means?|equals?|come to)\s(?:about\s)?~?$"
)
# where a figure is put, rather than what it is: "at 35 tokens/s/user, B beats A", "for levels above 110 tokens/s/user"
_SETTING = re.compile(
    r"(?:(?:^|[,;:(–—]\s?|\b(?:and|but|while|when|where|for|even|constant)\s)(?:at|above|below|under|over|beyond)"
    r"|\b(?:levels?|interactivit(?:y|ies)|concurrenc(?:y|ies)|rates?|sizes?|lengths?)\s"
    r"(?:(?:of|at|above|below|under|over|beyond|between|from)|(?:greater|less|higher|lower|larger|smaller)\sthan))"
    r"\s(?:an?\s(?:\w+\s){0,3}of\s)?(?:about\s|around\s|roughly\s)?[~$]?$",
    re.I,
)
_OF_A_SETTING = re.compile(r"\s(?:interactivity|range|levels?|mark|operating point|regime)\b", re.I)
# what is asked for, not what was reached
_WANTED = re.compile(
    r"\b(?:SLAs?|SLOs?|targets?|budget|deadline|requirement)\s?(?:of|is|was|are|were|:)\s(?:[\w-]+\s){0,3}(?:[<≤~]\s?)?$",
    re.I,
)
# "at least 48 GB of VRAM available", "should have no less than 8 GB": what something else has to have
_REQUIRED = re.compile(
    r"\b(?:should|must|has to|have to|ought to|recommend\w*|required?|requirements?|minimum|wants?|ideally|advis\w+)\b[^.;]{0,48}$",
    re.I,
)
_TO_BE_THERE = re.compile(r"[^.;,)]{0,24}\b(?:available|required|needed|recommended|or more (?:is|are))\b", re.I)
# "256 GB (from 192 GB)", "192 GB -> 256 GB": what was before is another one's
_FORMER = re.compile(r"\((?:(?:up|down)\s)?(?:from|was|were|previously|formerly)\s~?$", re.I)
_ARROW = re.compile(r"->|→|⟶|=>")
_FORMER_AFTER = re.compile(r"\s?(?:[\w.]+\s){0,2}(?:->|→|⟶|=>)")
# a change from one figure to another is no range of them
_CHANGED_FROM = re.compile(
    r"\b(?:reduc|improv|drop|fell|fall|cut|lower|rais|increas|grew|rose|declin|went|goes|jump|decreas|shr[aiu]nk)\w*\b[^.;]{0,60}"
    r"\bfrom\s(?:about\s|around\s|approximately\s|roughly\s|nearly\s)?[~$]?$",
    re.I,
)
_UNDER_WHICH = re.compile(r"\b(?:at|above|below|under|over|beyond|from)\s(?:the\s|around\s|about\s)?~?$", re.I)
# "needs 26 GB", "2 GB are free": what a program takes of a memory, or leaves, is no memory's size
_TAKES = re.compile(
    r"\b(?:needs?|needing|requir(?:es?|ed|ing)|occup(?:y|ies|ied|ying)|consum(?:es?|ed|ing)|tak(?:es?|ing)(?:\sup)?|allocat(?:es?|ed|ing)|reserv(?:es?|ed|ing)"
    r"|fits?\s(?:in|into|on|within)|us(?:es?|ing)(?=\s(?:only|just|up|about|around|roughly|approximately|some|less|more|at|nearly|almost|~)))\s"
    r"(?:(?:only|just|up to|about|around|roughly|approximately|some|less than|more than|at least|at most|nearly|almost|an?)\s){0,2}[~]?$",
    re.I,
)
_LEFT = re.compile(
    r"\s(?:of\s)?(?:(?:[\w-]+\s){0,2}?(?:memory|VRAM|HBM\w*|RAM)\s(?:are\s|is\s)?(?:used|in use|usage|occupied|consumed|utili[sz]ed|left|free|unused|remain\w*)|used|usage|in use|NVMe|SSD|disk|storage|flash|free|available|unused|spare|headroom|left|to spare|remain\w*)(?![\w-])",
    re.I,
)
# "16 x 2 bytes = 32" and "1 GB = 10^9 bytes": a factor, a definition
_FACTOR_BEFORE = re.compile(r"[\w)]\s?[*×·/]\s?[~$(]?$")
_FACTOR_AFTER = re.compile(r"\s?(?:[*×·]\s?[\d(]|[=≈]\s?[~$(]?\d(?![\d.,]*\s?%))")  # "700 W = 71% more" is a level
_PER_SO_MUCH = re.compile(r"\bper\s(?:every\s|each\s)?~?$", re.I)  # "1.6 TB/s per 48 GB device"
_MORE_BEFORE = re.compile(r"\b(?:additional|extra|another|further|saving of|difference of)\s(?:~|about\s)?$", re.I)
_MORE_AFTER = re.compile(r"\s(?:more(?!\sor\sless)|less|extra|additional|fewer|higher|lower|below|above)\b", re.I)

# what is kept in a memory is no size of it: "156 GiB of weights in HBM"
_KEPT = re.compile(
    r"\s(?:of|worth of)\s(?:the\s|its\s|model\s|raw\s|optimi[sz]er\s){0,2}"
    r"(?:weights?|parameters?|params|activations?|gradients?|KV|key-value|caches?|states?|checkpoints?|embeddings?|data|tensors?|tokens?|text)\b",
    re.I,
)
_READS = re.compile(
    r"\b(?:reads?|reading|streams?|streaming|loads?|loading|moves?|moving)\s(?:all\s|about\s)?~?$", re.I
)
# what is counted are machines, or what is lacking: "2 A100 GPU nodes", "Two H100s would be needed"
_MACHINES_BEHIND = re.compile(r"\s(?:[A-Z][\w-]*\s){0,4}(?:nodes|servers|machines|hosts|instances|boxes|VMs)\b")
_NEEDED = re.compile(
    r"\s(?:(?:would|will|could|might|may)\s(?:then\s)?be|are|is|were|was)\s(?:\w+\s)?(?:needed|required|necessary|enough|sufficient)\b",
    re.I,
)


def is_level(text: str, quantity: Quantity) -> bool:
    """False for a part of arithmetic that is shown, a difference ("an additional 300 TFLOPS"), a need, and a setting."""
    before = text[max(0, quantity.start - 90) : quantity.start]
    after = text[quantity.end : quantity.end + 40]
    if _COMPUTED.search(before) or _FACTOR_BEFORE.search(before) or _FACTOR_AFTER.match(after):
        return False
    if quantity.dimension == "count" and (_MACHINES_BEHIND.match(after) or _NEEDED.match(after)):
        return False
    if quantity.form not in ("value", "range") or quantity.unit == "x":
        return True
    return not (
        _is_setting(quantity, before, after)
        or (
            quantity.dimension == "information"
            and (_TAKES.search(before) or _LEFT.match(after) or (_KEPT.match(after) and not _READS.search(before)))
        )
        or (
            quantity.form == "range"
            and (_CHANGED_FROM.search(before) or _ARROW.search(text, quantity.start, quantity.end))
        )
        or (quantity.dimension == "information" and _is_required(quantity, before, text))
        or _FORMER.search(before)
        or _PER_SO_MUCH.search(before)
        or _FORMER_AFTER.match(text, quantity.end)
        or _MORE_BEFORE.search(before)
        or _MORE_AFTER.match(after)
    )


def _is_setting(quantity: Quantity, before: str, after: str) -> bool:
    """True for a figure at which, or under which, something else was measured or is wanted."""
    if quantity.unit in _LOADS and _UNDER_WHICH.search(before):
        return True
    told = _SETTING.search(before) or _OF_A_SETTING.match(after) or _WANTED.search(before)
    return quantity.dimension in _SET and bool(told)


def _is_required(quantity: Quantity, before: str, text: str) -> bool:
    """True for the memory that a reader or a program should have, which is no one's memory."""
    bounded = quantity.bound in ("at least", "at most")
    return bool(_REQUIRED.search(before)) or (bounded and bool(_TO_BE_THERE.match(text, quantity.end)))
