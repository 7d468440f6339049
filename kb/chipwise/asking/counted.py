"""Several of one thing beside several of another: totals, and what one is of the other.

"2x H200 or one MI300X: which has more memory?"
->  "More memory capacity: 2 x NVIDIA H200, 2 x 141 GB [1] = 282 GB, is 1.47 times one AMD MI300X, 192 GB [2]. ..."
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace

from chipwise.asking.howmany import counts_in, in_all
from chipwise.asking.kinds import Kind
from chipwise.asking.matching import find_figure
from chipwise.asking.question import Question, understand
from chipwise.asking.quoting import Told, cite, sentence
from chipwise.asking.tabled import answer_from_table
from chipwise.asking.verdict import BY_HOW_MUCH, of_two
from chipwise.claims.model import Fact
from chipwise.domain.degrees import DOWNWARD, OPPOSITE
from chipwise.domain.model import Domain
from chipwise.domain.names import Names
from chipwise.domain.records import Metric
from chipwise.figures.amounts import number, times
from chipwise.figures.phrasing import value_text
from chipwise.index.store import Store
from chipwise.text import blanked

_AGAINST = re.compile(r"\bagainst\b", re.I)


def compare_totals(question: Question, store: Store, domain: Domain, names: Names) -> Told | None:
    """The larger of two totals and the sums; None where the question counts nothing, or asks for what does not add up."""
    counts = counts_in(question.text, domain)
    if len(counts) != 2 or all(many.count == 1 for many in counts):  # noqa: PLR2004
        return None
    spans = [many.span for many in counts if many.count > 1]
    spans += [*in_all(question.text, domain), *(m.span() for m in _AGAINST.finditer(question.text))]
    each = replace(understand(blanked(question.text, spans), domain), kind=Kind.COMPARISON, wants_verdict=False)
    if len(each.subjects) != 2 or len(each.metrics) != 1 or not _adds_up(each.metrics[0], domain):  # noqa: PLR2004
        return None
    found = answer_from_table(each, store, domain, names)
    metric, subjects = each.metrics[0], [ids[0] for ids in each.subjects]
    # a machine's figure stands in no row with a chip's
    apart = [find_figure(each, s, metric, store, domain, names) for s in subjects] if found is None else []
    facts = found.facts[:2] if found is not None else [f for f in apart if f is not None]
    own = [domain.holds_several(s) for s in subjects]
    if len(facts) != 2 or not all(map(_is_of_what_is_counted, facts, own)):  # noqa: PLR2004
        return None
    return _told(domain.metrics[metric], [many.count for many in counts], facts, question, store, names)


def _is_of_what_is_counted(fact: Fact, of_machine: bool) -> bool:
    """True for a single figure of one chip where chips are counted, and of a whole machine where machines are."""
    return fact.is_exact and (fact.claim.qualifier("aggregation") in ("", "chip")) != of_machine


def _adds_up(metric: str, domain: Domain) -> bool:
    """True for what several have several times; the power of a machine is more than that of its chips, which is said then."""
    return domain.metrics[metric].scales or bool(domain.metrics[metric].of_machines)


def _told(
    metric: Metric, counts: Sequence[int], facts: Sequence[Fact], question: Question, store: Store, names: Names
) -> Told | None:
    """The larger total goes first, or the smaller where that is asked for."""
    totals = [n * f.amount for n, f in zip(counts, facts, strict=True)]
    how, name = metric.bigger_is, metric.name
    if min(totals) <= 0 or not how:
        return None
    one, other = (0, 1) if totals[0] >= totals[1] else (1, 0)
    if DOWNWARD.search(question.text) and how in OPPOSITE:
        how, one, other = OPPOSITE[how], other, one
    what = [
        f"{n} x {names.name(f.claim.subject)}" if n > 1 else f"one {names.name(f.claim.subject)}"
        for n, f in zip(counts, facts, strict=True)
    ]
    sums = [_sum(n, f, k + 1, names) for k, (n, f) in enumerate(zip(counts, facts, strict=True))]
    ratio = totals[one] / totals[other]
    same = math.isclose(*totals, rel_tol=1e-9)
    verdict = of_two(question.text, same=same, larger=totals[0] > totals[1]) if question.wants_verdict else None
    if same:
        text = f"The same {name}: {what[0]}, {sums[0]}, and {what[1]}, {sums[1]}."
    else:
        text = f"{how[0].upper()}{how[1:]} {name}: {what[one]}, {sums[one]}, is {times(ratio)} times {what[other]}, {sums[other]}."
        text += _left(totals, facts, question.text, names)
    alone = "" if metric.scales else " That is of the chips alone; a machine around them adds to it."
    said = " ".join(sentence(f, names, k) for k, f in enumerate(facts, start=1))
    return Told.of(f"{text}{alone} {said}", cite(store, facts), facts, verdict)


def _left(totals: Sequence[float], facts: Sequence[Fact], text: str, names: Names) -> str:
    """ " 2,304 GB - 640 GB = 1,664 GB." for "how much more", where both are written in one unit."""
    if facts[0].unit != facts[1].unit or not BY_HOW_MUCH.search(text):
        return ""
    unit = facts[0].unit
    more, less = (number(total / names.units[unit].scale) for total in sorted(totals, reverse=True))
    return f" {more} {unit} - {less} {unit} = {number(abs(totals[0] - totals[1]) / names.units[unit].scale)} {unit}."


def _sum(count: int, fact: Fact, n: int, names: Names) -> str:
    """ "2 x 141 GB [1] = 282 GB"."""
    one = f"{value_text(fact, names)} [{n}]"
    return (
        f"{count} x {one} = {number(count * fact.amount / names.units[fact.unit].scale)} {fact.unit}"
        if count > 1
        else one
    )
