"""Whether a figure that a question puts forward as the result of a sum is right.

    "1.4M H100 hours at three dollars an hour, that comes to about 4.2 million, right?"
        ->  "Yes: ", 1.4 million chip-hours x 3 USD/hour = 4.2 million USD

The sum is made from the other figures alone.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from chipwise.answering.base import Base
from chipwise.answering.model import Ruling
from chipwise.answering.question import Question, understand_last
from chipwise.answering.quoting import Told, together
from chipwise.answering.sums import open_sums
from chipwise.answering.sumtext import compose
from chipwise.answering.targets import Plan, Target
from chipwise.domain.model import Domain
from chipwise.numbers.intervals import Interval
from chipwise.numbers.quantity import Quantity
from chipwise.text import blanked, words

_NEAR = 0.02  # of the result: what one says of it in round numbers
_BINARY = {"KB": 1024 / 1e3, "MB": 1024**2 / 1e6, "GB": 1024**3 / 1e9, "TB": 1024**4 / 1e12}
_LEADS_ON = frozenset(
    ("a", "good", ",", "to", "which")
)  # of the words before a result those that stand before any figure
_LARGE = 1e3  # a bare number from here on, beside a price, is money
_BEFORE = 4  # words


def ruled(question: Question, base: Base) -> Told | None:
    """Yes or no with the arithmetic; None where no figure is put forward, or none of its kind follows from the others."""
    for claimed in _put_forward(question, base.domain) if question.wants_verdict else ():
        text = blanked(question.text, [(claimed.start, claimed.end)])
        sums = open_sums(understand_last(text, question.since, base.domain), base, asks=False)
        if sums is None:
            continue
        dimension = claimed.dimension if claimed.unit else "price"
        chip = sums.chips[0] if len(sums.chips) == 1 else ""
        asked = [t for t in sums.targets if t.variable.dimension == dimension]
        every = [Target(v, frozenset()) for v in base.domain.variables.values() if v.dimension == dimension]
        plan = sums.best(asked, chip) or sums.best([t for t in every if not t.variable.metric], chip)
        if plan is not None:
            return _told(plan, claimed, compose([plan], sums.asked, sums.sources))
    return None


def _put_forward(question: Question, domain: Domain) -> Iterator[Quantity]:
    """The figures that stand where a result does: "is 640 MB right", "that comes to about 4.2 million, correct?"."""
    result = domain.change_nothing("result") - _LEADS_ON
    text, loosely = question.text, domain.change_nothing("result, loosely") | _LEADS_ON
    for q in reversed(domain.unit_table.find_all(text)):
        before = words(text[: q.start])[-_BEFORE:]
        while before and before[-1] in loosely:
            before.pop()
        judged = any(o.kind == "states" for o in domain.operators_in(text[q.end :]))
        plain = q.is_single and (q.unit or q.middle >= _LARGE)
        if q.start >= question.since and judged and plain and before and before[-1] in result:
            yield q


def _told(plan: Plan, claimed: Quantity, told: Told) -> Told:
    value = plan.derivation.value
    in_binary = _BINARY.get(claimed.unit, 1.0)
    if _agrees(claimed, value, 1.0):
        return told.led(Ruling.YES)
    if in_binary > 1 and _agrees(claimed, value, in_binary):
        unit = f"{claimed.unit[0]}iB"
        return together(
            [told.led(Ruling.YES), Told.of(f"That is so in {unit}, of which one is {in_binary:.4g} {claimed.unit}.")]
        )
    return told.led(Ruling.NO)


def _agrees(claimed: Quantity, value: Interval, scale: float) -> bool:
    """True where the two are one number as people round it."""
    low, high = claimed.low * scale, claimed.high * scale
    near = low <= value.high * (1 + _NEAR) and high >= value.low * (1 - _NEAR)
    return near and not math.isinf(low) and not math.isinf(high)
