"""Whether figures bear out what a question says, and which of several wins.

    "Is the H100 faster than the MI300X in FP8?", 1,979 and 2,614.9 TFLOPS  ->  "No: "

What the figures leave open is left open: the answer then begins with them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from decimal import Decimal

from chipwise.claims.model import Fact
from chipwise.composing import LEAST
from chipwise.names import Names
from chipwise.phrasing import grouped, value_text
from chipwise.question import Question

YES, NO, SAME = "Yes: ", "No: ", "No, the same: "
FACTOR = re.compile(
    r"\b(?P<least>(?:more than|over|at least) )?(?:(?P<word>twice|double|triple|half)|(?P<number>\d+(?:\.\d+)?)(?:\s?x\b| times\b)"
    r"|(?P<count>two|three|four|five|six|eight|ten) times\b)"
    r"(?: (?:as (?:much|many|fast|large|big|high)|the)\b(?= ))?",
    re.I,
)
_FACTORS = {"twice": 2.0, "double": 2.0, "triple": 3.0, "half": 0.5}
_FACTORS |= {"two": 2.0, "three": 3.0, "four": 4.0, "five": 5.0, "six": 6.0, "eight": 8.0, "ten": 10.0}
_MORE = re.compile(r"\b(?:more|higher|larger|bigger|greater|faster|quicker|longer|wider|heavier)\b", re.I)
_LESS = re.compile(r"\b(?:less|fewer|lower|smaller|slower|cheaper|shorter|lighter|narrower)\b", re.I)
_MOST = re.compile(r"\b(?:most|highest|largest|biggest|fastest|more|higher|larger|bigger|faster)\b", re.I)
_SAME = re.compile(r"\b(?:same|equal|identical)\b", re.I)
SIZES = ("much", "many", "fast", "large", "big", "high")
NO_LESS = re.compile(rf"\bas (?:{'|'.join(SIZES)})\b[^?]*\bas\b", re.I)
_BY_HOW_MUCH = re.compile(r"\bhow (?:much|many) (?:more|less|fewer|larger|bigger|smaller|higher|lower)\b", re.I)
_CLOSE = 0.05  # of a factor in round numbers: 1.95 times is "twice", 1.76 times is not
_EPSILON = 1e-9
_BINARY = tuple(1.024**power for power in (-4, -3, -2, -1, 1, 2, 3, 4))  # what one prefix is of the other
_PLAIN = ("exact", "about")


def lead(question: Question, names: Names, facts: Sequence[Fact], factor: re.Match[str] | None = None) -> str:
    """What goes before figures that stand in the order of the question's subjects; "" where they decide nothing."""
    middles = [_middle(f) for f in facts]
    known = [m for m in middles if m is not None]
    if len(known) != len(facts) or len(facts) != len(question.subjects):
        return ""
    if question.wants_verdict and len(facts) == 2:  # noqa: PLR2004
        return _of_factor(known, factor) if factor else _of_two(question.text, facts)
    return _winner(question.text, names, facts, known) if len(facts) > 2 else ""  # noqa: PLR2004


def _middle(fact: Fact) -> float | None:
    q = fact.claim.quantity
    return (q.low + q.high) / 2 if q is not None and q.bound in _PLAIN and q.form != "range" else None


def _of_factor(middles: Sequence[float], factor: re.Match[str]) -> str:
    first, second = middles
    if second <= 0:
        return ""
    said = float(factor["number"] or _FACTORS[(factor["word"] or factor["count"]).lower()])
    share = first / second / said
    return YES if (share >= 1 if factor["least"] else abs(share - 1) <= _CLOSE) else NO


def _of_two(text: str, facts: Sequence[Fact]) -> str:
    first, second = (f.claim.quantity for f in facts)
    if first is None or second is None:
        return ""
    same = first.agrees_with(second)
    if _SAME.search(text):
        return YES if same else NO
    if NO_LESS.search(text):
        return YES if same or first.low > second.low else NO
    more, less = bool(_MORE.search(text)), bool(_LESS.search(text))
    if more == less:
        return ""
    if same:
        return SAME
    larger = first.low > second.low
    return YES if larger == more else NO


def _winner(text: str, names: Names, facts: Sequence[Fact], middles: Sequence[float]) -> str:
    """ "Least thermal design power (TDP): NVIDIA T4, 70 W [2]. ", where just one has it."""
    least = LEAST.search(text)
    if not least and not _MOST.search(text):
        return ""
    best = min(middles) if least else max(middles)
    if middles.count(best) > 1:
        return ""
    n = middles.index(best)
    metric = names.metrics[facts[n].claim.metric].name
    said = "Least" if least else "Most"
    return f"{said} {metric}: {names.name(facts[n].claim.subject)}, {value_text(facts[n], names)} [{n + 1}]. "


def difference(question: Question, names: Names, facts: Sequence[Fact]) -> str:
    """ " 141 GB [1] - 80 GB [2] = 61 GB." for "how much more", where both are written in one unit."""
    if not _BY_HOW_MUCH.search(question.text) or len(facts) != 2 or facts[0].unit != facts[1].unit:  # noqa: PLR2004
        return ""
    if any(_middle(f) is None for f in facts) or facts[0].value == facts[1].value:
        return ""
    larger, smaller = sorted(range(2), key=lambda n: _middle(facts[n]) or 0.0, reverse=True)
    left = Decimal(facts[larger].value) - Decimal(facts[smaller].value)
    steps = " - ".join(f"{value_text(facts[n], names)} [{n + 1}]" for n in (larger, smaller))
    return f" {steps} = {grouped(str(left))} {facts[0].unit}."


def holds(facts: Sequence[Fact], stated: float) -> str:
    """Whether one of the figures is the one that a question states, in base units; GB for GiB decide nothing."""
    quantities = [f.claim.quantity for f in facts]
    if any(q is None or q.bound not in _PLAIN for q in quantities):
        return ""
    known = [q for q in quantities if q is not None]
    if any(q.low * (1 - _EPSILON) <= stated <= q.high * (1 + _EPSILON) for q in known):
        return YES
    middles = [(q.low + q.high) / 2 for q in known]
    mixed = any(math.isclose(m / stated, b, rel_tol=1e-3) for m in middles for b in _BINARY if stated)
    return "" if mixed else NO
