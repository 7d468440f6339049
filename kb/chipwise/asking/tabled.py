"""Answers that the facts table gives outright: a look-up or a comparison, when every slot of the question is filled.

    "How much memory does an H200 have?"  ->  "NVIDIA H200: memory capacity 141 GB (per chip). [1]"

Each figure stands in the quote that it is cited with. A question that says more than
slots ("with NVLink disabled") is left to the passages, and so is a fact whose source
the knowledge base does not hold.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from chipwise.asking.kinds import RANKED
from chipwise.asking.plain import is_plain, stated
from chipwise.asking.question import Question
from chipwise.asking.quoting import Told, cite, figure, sentence, together
from chipwise.claims.model import Fact, Key
from chipwise.domain.degrees import DOWNWARD, OPPOSITE
from chipwise.domain.model import Domain
from chipwise.domain.names import Names
from chipwise.figures.alike import differ_by_label, kind
from chipwise.figures.amounts import times
from chipwise.figures.phrasing import listed
from chipwise.figures.resolve import Resolved, resolve, resolve_each, usual
from chipwise.index.store import Store

MOST = 3  # figures of one subject, chips of a ranking


def answer_from_table(question: Question, store: Store, domain: Domain, names: Names) -> Told | None:
    """The answer's text, its citations and the facts that it is made of; None where the table does not simply give it."""
    if question.wants_ranking or not is_plain(question, domain):
        return None
    metric = question.metrics[0]
    wanted = stated(question, domain)
    if len(question.subjects) == 1:
        return _list(question.subjects[0], question, wanted, store, domain, names)
    keys = [_key(ids[0], metric, wanted) for ids in question.subjects]
    found = resolve_each(store, names, keys, unit=question.unit)
    return _compare(question, store, domain, names, found) or _each_apart(question, wanted, store, domain, names)


def _key(subject: str, metric: str, wanted: Mapping[str, str]) -> Key:
    return Key.of(subject, metric, tuple(wanted.items()))


def _each_apart(
    question: Question, wanted: Mapping[str, str], store: Store, domain: Domain, names: Names
) -> Told | None:
    """What each of several things has by itself, where no figures of one kind are known of all; None where that answers nothing."""
    # prices of a chip and of a node are brought to one chip elsewhere
    if question.wants_verdict or names.metrics[question.metrics[0]].nature == "priced":
        return None
    told: list[Told] = []
    missed: list[str] = []
    for ids in question.subjects:
        found = _list(ids, question, wanted, store, domain, names)
        if found:
            told.append(found)
        else:
            missed.append(names.name(ids[0]))
    if not told or len(missed) > len(told):
        return None
    asked = " ".join([*(names.values.get(v, v) for v in wanted.values()), names.metrics[question.metrics[0]].name])
    unknown = f" No fact gives the {asked} of the {listed(missed)}." if missed else ""
    found = together(told)
    if missed:
        return found.followed(unknown)
    return found.led("Not of one kind, so each by itself. ").followed(_times_as_they_stand(found, names))


def _times_as_they_stand(told: Told, names: Names) -> str:
    """ " 360 PFLOPS [1] / 15.8 PFLOPS [3] = 22.8 times, of 72 chips against 8." for the first two figures that differ only in that."""
    if len(told.cited) != len(told.facts):
        return ""
    first, n = next(((f, n) for n, f in enumerate(told.facts, start=1) if f.is_exact), (None, 0))
    for m, other in enumerate(told.facts, start=1):
        if first is None or other.claim.subject == first.claim.subject or not other.is_exact:
            continue
        scopes = [f.claim.key.scope for f in (first, other)]
        counts = [scope.count for scope in scopes if scope is not None and scope.count]
        if len(counts) == len(scopes) and first.claim.key.axes == other.claim.key.axes and other.amount > 0:
            more, less = ((first, n), (other, m)) if first.amount >= other.amount else ((other, m), (first, n))
            steps = " / ".join(f"{figure(f, names)} [{k}]" for f, k in (more, less))
            of = " against ".join(f"{count:,}" for count in (counts if more[0] is first else reversed(counts)))
            return f" As they stand: {steps} = {times(more[0].amount / less[0].amount)} times, of {of} chips."
    return ""


def _list(
    ids: Sequence[str], question: Question, wanted: Mapping[str, str], store: Store, domain: Domain, names: Names
) -> Told | None:
    """The preferred figures of a thing, one of each kind, its own before those of its variants; too many kinds are no look-up."""
    metric = question.metrics[0]
    priced = domain.metrics[metric].nature == "priced"
    # a machine is rented under the names of others
    about = [j for i in ids for j in (domain.machines_like(i) if priced and names.is_machine(i) else [i])]
    chosen: dict[object, Fact] = {}
    for subject in about:
        found = resolve(store, names, _key(subject, metric, wanted), unit=question.unit)
        preferred = [f for f in (*found.facts, *found.others) if f.rank == "preferred" and _is_whole(names, f)]
        own = [f for f in preferred if f.claim.subject == subject or f.claim.qualifier("provider")]
        for fact in sorted(own or preferred, key=usual):
            chosen.setdefault((fact.claim.subject, *kind(fact, names), fact.value), fact)
    facts = list(chosen.values())[:MOST]
    if not facts:
        return None
    return Told.of(" ".join(sentence(f, names, n) for n, f in enumerate(facts, start=1)), cite(store, facts), facts)


def _is_whole(names: Names, fact: Fact) -> bool:
    """True unless it is the figure of a part of a chip, or of a pair."""
    scope = fact.claim.key.scope
    return scope is None or scope.unit in ("", "chip", "node", "pod") or not names.is_chip(fact.claim.subject)


def _compare(question: Question, store: Store, domain: Domain, names: Names, found: Sequence[Resolved]) -> Told | None:
    """One figure for each thing, all under the same qualifiers, what one is of the other, and what their other variants have."""
    if not found:
        return None
    facts = [each.facts[0] for each in found]
    lead = _ratio(question, domain, names, facts)
    if RANKED.search(question.text):
        least = DOWNWARD.search(question.text) is not None
        facts = sorted(facts, key=lambda f: f.amount, reverse=not least)
        lead = "Lowest first:" if least else "Highest first:"
    others = [f for each in found for f in each.others]
    shown = [*facts, *others]
    sentences = [sentence(f, names, n) for n, f in enumerate(shown, start=1)]
    if others:
        sentences.insert(len(facts), "Other variants:")
    return Told.of(" ".join(filter(None, (lead, *sentences))), cite(store, shown), shown)


def _ratio(question: Question, domain: Domain, names: Names, facts: Sequence[Fact]) -> str:
    """What one of two is of the other: "More memory capacity: NVIDIA H200, 141 GB / 80 GB = 1.76 times the NVIDIA H100.".

    The one asked for goes first: of "which has less" the one with less.
    """
    metric = domain.metrics[question.metrics[0]]
    first, second = facts[0].claim.quantity, facts[1].claim.quantity
    if len(facts) != 2 or first is None or second is None or not metric.bigger_is:  # noqa: PLR2004
        return ""
    high, low = (0, 1) if first.low >= second.low else (1, 0)
    big, small = (facts[n].claim.quantity for n in (high, low))
    if first.low == second.low and first.high == second.high:
        return f"The same {metric.name}: {figure(facts[0], names)} [1] and {figure(facts[1], names)} [2]."
    if big is None or small is None or big.low <= small.high or small.low <= 0 or "range" in (big.form, small.form):
        return ""
    ratio = big.middle / small.middle
    if differ_by_label(*facts):
        said = f"{figure(facts[0], names)} [1] and {figure(facts[1], names)} [2]"
        return f"The same number of {metric.name}, {said}: which of the two units is meant is easily mistaken."
    how, one, other = metric.bigger_is, high, low
    if DOWNWARD.search(question.text) and metric.bigger_is in OPPOSITE:
        how, one, other, ratio = OPPOSITE[metric.bigger_is], low, high, 1 / ratio
    subjects = [names.name(facts[n].claim.subject) for n in (one, other)]
    steps = f"{figure(facts[one], names)} [{one + 1}] / {figure(facts[other], names)} [{other + 1}] = {times(ratio)}"
    return f"{how[0].upper()}{how[1:]} {metric.name}: {subjects[0]}, {steps} times the {subjects[1]}."
