"""A breach of an identity in words: its title, and each step with where its figures stand.

    NVIDIA H100: 52% x 989 TFLOPS = 514 TFLOPS   [001:28, facts nvidia.csv:12]
    TPU v5p: 58% x 459 TFLOPS = 266 TFLOPS   [001:28, facts google.csv:40]
    by these: 266 TFLOPS / 514 TFLOPS = 0.52
    claimed: 3,450 tokens/s / 3,800 tokens/s = 0.91   [001:36, 001:22]
    for that, the MFU of TPU v5p would have to be 101.7%

What does not stand in the source itself is said to come from the facts table.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from chipwise.audit.casebook import Casebook, Statement
from chipwise.audit.drafting import figure, name, place
from chipwise.audit.inputs import Input, is_total
from chipwise.audit.steps import Steps, number
from chipwise.domain.formulas import Identity
from chipwise.numbers.intervals import Interval, evaluate, names, solve

Subjects = Mapping[str, str]  # by tag, "a" or "b", the chip
_PERCENT = 100
_PEAK = "peak_compute"
_NEAR = 0.03  # shares are given in whole percent


@dataclass(frozen=True, slots=True)
class Breach:
    """Figures that break an identity in the reading that is kindest to them; `others` take them for other numbers of chips."""

    identity: Identity
    subjects: Subjects
    inputs: Mapping[str, Input]
    off: float  # how many times the sides are apart, as written
    same_work: str  # the words that say that it is one workload
    others: Sequence[Mapping[str, Input]] = ()


def title(book: Casebook, breach: Breach) -> str:
    """ "NVIDIA H100 and TPU v5p: throughput does not follow from MFU and peak compute"."""
    identity = breach.identity
    subjects = " and ".join(name(book, chip) for chip in breach.subjects.values() if chip) or "An unnamed subject"
    stated, others = ([breach.inputs[s] for s in names(side)] for side in (identity.left, identity.right))
    if not others:
        share = evaluate(identity.left, {symbol: i.nominal for symbol, i in breach.inputs.items()})
        return f"{subjects}: {' / '.join(_brief(book, i) for i in stated)} of {number(_PERCENT * share.middle)}%"
    total = next((s for s in names(identity.left) if is_total(identity, breach.inputs[s].term)), "")
    if total:
        used, one = breach.inputs[total], breach.inputs[names(identity.right)[0]]
        return f"{subjects}: {figure(book, used.statement)} is not {used.count} x {figure(book, one.statement)}"
    claimed = " and ".join(dict.fromkeys(_brief(book, i) for i in stated))
    rest = " and ".join(dict.fromkeys(_brief(book, i) for i in others))
    return f"{subjects}: {claimed} does not follow from {rest}"


def _brief(book: Casebook, used: Input) -> str:
    """A metric's name, or its abbreviation where it has one: "MFU"."""
    if used.term.any_of_dimension:
        return book.domain.metrics[used.term.metric].dimension
    full = name(book, used.term.metric)
    return full[full.index("(") + 1 : -1] if full.endswith(")") and "(" in full else full


def explain(book: Casebook, breach: Breach, also: Iterable[str]) -> Iterator[str]:
    """The law, each step with its places, the impossible value that it would take, and what it rests on."""
    steps, identity = Steps(book, breach.inputs), breach.identity
    yield identity.says
    left, claimed = steps.parts(identity.left)
    right, others = steps.parts(identity.right)
    if claimed.dimension:  # both sides are of one kind, whatever was divided and multiplied on the way
        others = replace(others, dimension=claimed.dimension, unit=claimed.unit, scale=claimed.scale)
    for tag, part, places in (*left, *right):
        yield f"{name(book, breach.subjects[tag])}: {part.equation}   {places}"
    if names(identity.right):
        yield f"by these: {others.equation}" + ("" if right else f"   {steps.places(names(identity.right))}")
    yield f"claimed: {claimed.equation}" + ("" if left else f"   {steps.places(names(identity.left))}")
    yield from _impossible(book, breach)
    yield from _another_peak(book, breach)
    if not any(is_total(identity, i.term) for i in breach.inputs.values()):
        yield from _recounted(book, breach)
    yield from _grounds(book, breach)
    if sources := sorted(also):
        yield f"the same in {', '.join(sources)}"


def _impossible(book: Casebook, breach: Breach) -> Iterator[str]:
    """For each share that would have to be more than all for the rest to hold, how much."""
    identity = breach.identity
    nominal = {symbol: i.nominal for symbol, i in breach.inputs.items()}
    for symbol, used in breach.inputs.items() if names(identity.right) else ():
        metric = book.domain.metrics[used.term.metric]
        if (metric.dimension, metric.unit, metric.nature) != ("ratio", "%", "measured"):
            continue
        needed = solve(identity.left, identity.right, symbol, nominal)
        if needed is not None and 1 < needed.low < math.inf:
            whose = name(book, breach.subjects[symbol.rpartition("_")[2]])
            yield f"for that, the {_brief(book, used)} of {whose} would have to be {_PERCENT * needed.low:.1f}%"


def _another_peak(book: Casebook, breach: Breach) -> Iterator[str]:
    """Of a utilization that was reckoned with another peak, which one that is: the chip's own with sparsity, or another chip's."""
    used = next((i for i in breach.inputs.values() if i.term.metric == _PEAK), None)
    if used is None or len(breach.subjects) > 1 or not names(breach.identity.right):
        return
    nominal = {symbol: i.nominal for symbol, i in breach.inputs.items()}
    needed = solve(breach.identity.left, breach.identity.right, used.symbol, nominal)
    known = [f for (_, metric), facts in book.facts.items() if metric == _PEAK for f in facts]
    near = [f for f in known if f.count == 1 and needed is not None and _is_near(f, needed)]
    # rather another figure of the chip than another chip's
    own = sorted(near, key=lambda f: f.chip != used.statement.chip)
    for fact in own[:1]:
        labels = [name(book, value) for axis, value in fact.claim.qualifiers if axis in ("dtype", "sparsity")]
        of = name(book, fact.claim.subject)
        yield f"it comes out with {figure(book, fact)}, the peak of {of} ({', '.join(labels)}; {place(book, fact)})"


def _is_near(fact: Statement, needed: Interval) -> bool:
    return abs(needed.middle / fact.middle - 1) <= _NEAR if fact.middle > 0 and needed.is_finite else False


def _recounted(book: Casebook, breach: Breach) -> Iterator[str]:
    """What comes out where a figure is taken to be of another number of chips."""
    identity = breach.identity
    for inputs in breach.others:
        steps = Steps(book, inputs)
        taken = [steps.figure(symbol).text for symbol, i in inputs.items() if i.count != breach.inputs[symbol].count]
        by, claimed = (steps.parts(side)[1].result for side in (identity.right, identity.left))
        yield f"with {' and '.join(dict.fromkeys(taken))}: {by} against {claimed}"


def _grounds(book: Casebook, breach: Breach) -> Iterator[str]:
    """What was taken from elsewhere than the source's words on the subject itself."""
    for symbol, used in breach.inputs.items():
        about = breach.subjects.get(symbol.rpartition("_")[2], "")
        if used.statement.fact is not None:
            of = name(book, used.statement.claim.subject)
            yield f"the {_brief(book, used)} of {of} is from the facts table"
        elif used.line:
            yield f"the {_brief(book, used)} is said of {name(book, used.line)} in general, here taken for {name(book, about)}"
    if len(breach.subjects) > 1:
        yield (
            f'the text says "{breach.same_work}"'
            if breach.same_work
            else "this holds if both are of one workload, which the text does not say"
        )
