"""Whether some chips have room for something.

"Does a 70B model in FP8 fit on one H100?"  ->  "Yes: ", 70 GB of 80 GB
"""

from __future__ import annotations

from dataclasses import replace

from chipwise.answering.base import Base
from chipwise.answering.givens import HOW_MANY
from chipwise.answering.model import Ruling
from chipwise.answering.question import Question
from chipwise.answering.quoting import Told
from chipwise.answering.sumplans import Sums
from chipwise.answering.sums import open_sums
from chipwise.answering.sumtext import compose
from chipwise.answering.targets import Plan
from chipwise.figures.derivation import Derivation

_ENOUGH = frozenset(("enough", "possible"))  # these ask for a yes or no by themselves
NEED, _STATES, _THERE = "need", "training_states", "total_memory"


def fits(question: Question, base: Base) -> Told | None:
    """Whether what is needed fits into the memory of the chips that the question names; None where it asks for something else."""
    sums = open_sums(question, base)
    if sums is None or len(sums.chips) != 1 or not (sums.asks_for(NEED) or sums.asks_for(_STATES)):
        return None
    if not (question.wants_verdict or sums.asks_for(NEED, _ENOUGH)):
        return None
    counted = sums.asked.chips.given if sums.asked.chips is not None else None
    others = tuple(g for g in sums.asked.figures if g is not counted)
    needs = _needs(Sums(replace(sums.asked, chips=None, figures=others), sums.sources))
    of_chips = Sums(replace(sums.asked, figures=(counted,) if counted else (), wanted={}), sums.sources)
    there = next((p for c in _with_variants(of_chips) if (p := of_chips.of(_THERE, c)) is not None), None)
    if len(needs) != 1 or there is None:
        return None
    plans = [needs[0], replace(there, unused=())]
    if HOW_MANY.search(question.text):  # "and how many of its GPUs does it take"
        alone = Sums(replace(sums.asked, chips=None, figures=others), sums.sources)
        plans += [plan for chip in _with_variants(alone)[:1] if (plan := alone.of("chips", chip)) is not None]
    return compose(plans, sums.asked, sums.sources).led(_verdict(needs[0].derivation, there.derivation))


def _with_variants(sums: Sums) -> list[str]:
    """The chip, and its variants where only these have a memory of their own."""
    return [v for chip in sums.chips for v in (chip, *sums.sources.names.members(chip))]


def _needs(sums: Sums) -> list[Plan]:
    plan = sums.best(sums.asked_for(NEED), "")
    return [plan] if plan is not None else []


def _verdict(need: Derivation, there: Derivation) -> Ruling:
    """Whether what is needed is there: it depends where that hangs on what is assumed."""
    if need.value.high <= there.value.low:
        return Ruling.YES
    return Ruling.NO if need.value.low > there.value.high else Ruling.DEPENDS
