"""Answers that follow from facts and from figures in the question, by the network of equations.

    "BF16 peak of eight v5p chips"  ->  "Total peak = chips x peak: 8 chips x 459 TFLOPS [1] = 3,672 TFLOPS."

The cheapest derivation that uses every given figure and accounts for the words best answers; where two differ, passages do.
"""

from __future__ import annotations

from collections.abc import Sequence

from chipwise.answering.asked import Asked, read_question
from chipwise.answering.base import Base
from chipwise.answering.givens import givens
from chipwise.answering.members import products
from chipwise.answering.model import Ruling
from chipwise.answering.parse import understand_last
from chipwise.answering.query import Kind, Query
from chipwise.answering.quoting import Told, together
from chipwise.answering.sumplans import MOST, Sums
from chipwise.answering.sumtext import compose
from chipwise.answering.targets import Plan
from chipwise.answering.wish import NOTHING
from chipwise.claims.model import Fact
from chipwise.domain.model import Domain
from chipwise.figures.bindings import Sources
from chipwise.figures.derivation import FACT
from chipwise.figures.format import times
from chipwise.figures.network import network_of
from chipwise.text import Span, blanked

_TOP = 3  # of a ranking
_NO_SUM = 0.8  # probability


def reckon(question: Query, base: Base) -> Told | None:
    """The answer's text, its citations and the facts in it; None where nothing follows."""
    sums = open_sums(question, base)
    judged = question.wants_verdict and not (question.side and len(question.subjects) > 1)
    buys_or_rents = sums is not None and sums.asks_for("break_even")
    if judged and not buys_or_rents:
        return None  # whether something is so is judged by what the question states
    if sums is None or sum(g.kind == "width" for g in sums.asked.figures) > 1:
        return _in_each_format(question, base)
    ranks = question.side and question.of.is_open
    if ranks and not sums.asked.figures:  # "the biggest model for 80 GB" ranks no chips
        return _best(question, sums)
    plans = sums.plans()
    if not plans:
        return None
    told = compose(plans, sums.asked, sums.sources)
    return told.led(Ruling.DEPENDS if judged else _in_order(plans, sums.asked))


def _in_each_format(question: Query, base: Base) -> Told | None:
    """The same sum for each of several number formats: "weights of a 70B model in BF16 and FP8", "in 8 bit and 4 bit"."""
    spans = [(m.start, m.end) for m in base.domain.find_qualifiers(question.text) if m.ids[0].startswith("dtype=")]
    if len(spans) < 2:  # noqa: PLR2004
        spans = [(g.start, g.end) for g in givens(question.text, base.domain) or () if g.kind == "width"]
    every: dict[str, list[Span]] = {}
    for start, end in spans:
        every.setdefault(question.text[start:end].lower(), []).append((start, end))
    return _one_by_one(question, list(every.values()), base) if 1 < len(every) <= MOST else None


def reckon_each(question: Query, base: Base) -> Told | None:
    """The same sum for each of several metrics, "memory and power of eight H200"; None where one of them cannot be made."""
    if len(question.parts) < 2 or question.of.is_open or question.wants_verdict:  # noqa: PLR2004
        return None
    mentions = base.domain.find_metrics_asked(question.text)
    named = [[(m.start, m.end) for m in mentions if set(m.ids) & set(metrics)] for metrics in question.parts]
    return _one_by_one(question, named, base)


def _one_by_one(question: Query, parts: Sequence[Sequence[Span]], base: Base) -> Told | None:
    """The sum of a question with each of several parts and without the others; None where one of them cannot be made."""
    told: list[Told] = []
    for part in parts:
        others = [span for other in parts for span in other if span not in part]
        asked = understand_last(blanked(question.text, others), question.since, base.domain)
        found = reckon(asked, base)
        if found is None:
            return None
        if found not in told:  # "draws" and "power" ask for one sum
            told.append(found)
    return together(told)


def open_sums(question: Query, base: Base, *, asks: bool = True) -> Sums | None:
    """The question as one that may be a sum; None for one that surely is none, and where it `asks` for what none gives."""
    if question.kind is Kind.WHY or question.wants_opinion:
        return None
    if len(question.subjects) < 2 and not base.domain.word_group("apart").isdisjoint(question.words):  # noqa: PLR2004
        return None
    asked = read_question(question, base)
    if asked is None or not {g.quantity.middle for g in asked.figures}.issuperset(map(float, question.years)):
        return None
    own = any(g.start >= question.since for g in asked.figures)  # "and how many MI300X" asks with what was said before
    wish = base.wish(question.text[question.since if own else 0 :])
    if asks and wish.shares.get(NOTHING, 0.0) >= _NO_SUM:
        return None
    network = network_of(base.domain).counting(_nouns(asked, base.domain))
    sums = Sums(asked, Sources(base.store, base.domain, base.names, network), wish)
    return sums if sums.targets or not asks else None


def _nouns(asked: Asked, domain: Domain) -> dict[str, str]:
    """What the chips and machines of a question are called where an answer counts them: "GPUs", "DGX H100s"."""
    lines = [domain.entities[a].name for s in asked.subjects for a in domain.ancestors(s) if domain.kind(a) == "line"]
    noun = next((name for name in reversed(lines) if name.isupper() and name.isalpha()), "chip")
    machines = [domain.entities[s].name for s in asked.subjects if domain.holds_several(s)]
    machine = f"{machines[0]}{'s' if machines[0][-1].islower() else ''}" if machines else "machines"
    return {"chips": f"{noun}s", "systems": machine}


def reason_why_not(question: Query, base: Base) -> str:
    """What a question for a sum lacks: "the peak per watt needs the power of the TPU v5p, which no fact gives"; "" for others."""
    sums = open_sums(question, base)
    found = sums.lacks() if sums is not None else None
    if sums is None or found is None:
        return ""
    wanted, wanting = found
    chip = f" of the {base.names.name(sums.chips[0])}" if sums.chips else ""
    said = [f"the {v.name}{chip if v.metric else ''}" for v in wanting]
    known = sums.chips and all(v.metric for v in wanting)
    return f"the {wanted.name} needs {' and '.join(said)}, which {'no fact gives' if known else 'the question does not give'}"


def _best(question: Query, sums: Sums) -> Told | None:
    """Chips ranked by what the question asks for, where that is of two facts of each: one figure of each is ranked without a sum."""
    found = sums.of_each(products(question.of, sums.domain), sums.targets)
    found = [p for p in found if sum(b.source == FACT for b in p.derivation.bindings.values()) > 1]
    if not found:
        return None
    wanted = found[0].derivation.wanted
    least = question.side == "least"
    order = sorted(
        (p for p in found if p.derivation.wanted == wanted), key=lambda p: p.derivation.value.middle, reverse=not least
    )
    first: dict[tuple[str, ...], Plan] = {}
    for plan in order:  # of an H200 and its variant that have the same facts the one that is listed first
        facts = (b.origin for b in plan.derivation.bindings.values())
        first.setdefault(tuple(f.id for f in facts if isinstance(f, Fact)), plan)
    told = compose(list(first.values())[:_TOP], sums.asked, sums.sources)
    lead = f"{'Lowest' if least else 'Highest'} first, of {len(first)} whose figures are known: "
    return told.led(lead)


def _in_order(plans: Sequence[Plan], asked: Asked) -> str:
    """Which of several products comes out first, where the question sets them in order; "" where it does not."""
    side = asked.question.side
    if not side or len(asked.subjects) < 2 or len(plans) != len(asked.subjects):  # noqa: PLR2004
        return ""
    less_is_better = plans[0].derivation.variable.better == "less"
    least = {"least": True, "best": less_is_better, "worst": not less_is_better}.get(side, False)
    order = sorted(plans, key=lambda p: p.derivation.value.middle, reverse=not least)
    first, second, *others = (p.derivation.result() for p in order)
    if {first} == {second, *others}:
        return f"The same: {first}. "
    if first == second:
        return ""  # two of them share the first place
    if not others:
        less, more = sorted(p.derivation.value.middle for p in plans)
        ratio = f", {times(more / less)} times as much" if less > 0 else ""
        return f"{'Lower' if least else 'Higher'}: {order[0].label}, {first} against {second}{ratio}. "
    return f"{'Lowest' if least else 'Highest'}: {order[0].label}, {first} against {second} of the {order[1].label}. "
