"""Answers that the facts table gives outright: a look-up or a comparison, when every slot of the question is filled.

    "How much memory does an H200 have?"  ->  "NVIDIA H200: memory capacity 141 GB (per chip). [1]"

Each figure stands in the quote that it is cited with. A question that says more than
slots ("with NVLink disabled") is left to the passages, and so is a fact whose source
the knowledge base does not hold.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from chipwise.asking.amounts import times
from chipwise.asking.kinds import RANKED
from chipwise.asking.plain import is_plain, stated
from chipwise.asking.pricing import ON_DEMAND
from chipwise.asking.question import Question
from chipwise.asking.quoting import Told, cite, figure, sentence, together
from chipwise.claims.model import Fact
from chipwise.domain.catalogue import SCOPE
from chipwise.domain.degrees import DOWNWARD, OPPOSITE
from chipwise.domain.model import Domain
from chipwise.domain.names import Names
from chipwise.index.store import Store
from chipwise.lookups.alike import (
    FIXED,
    Key,
    agree,
    compatible,
    differ_by_label,
    kind,
    nearest_fact,
    states,
    values,
    without_slower_units,
    worth,
)
from chipwise.lookups.lookup import covered
from chipwise.lookups.phrasing import listed
from chipwise.lookups.standing import of_product, standing_variants, without_inherited

MOST = 3  # figures of one subject, chips of a ranking
_HABIT = frozenset(("bf16", ON_DEMAND))  # of figures that compare equally well


def answer_from_table(question: Question, store: Store, domain: Domain, names: Names) -> Told | None:
    """The answer's text, its citations and the facts that it is made of; None where the table does not simply give it."""
    if question.wants_ranking or not is_plain(question, domain):
        return None
    metric = question.metrics[0]
    wanted = stated(question, domain)
    priced = domain.metrics[metric].nature == "priced"
    about = [
        [j for i in ids for j in (sold_as(i, domain, names) if priced else covered(names, i))]
        for ids in question.subjects
    ]
    pools = [standing(store, names, i, metric, wanted, question.unit) for i in about]
    if len(pools) == 1:
        return _list(question, store, names, pools[0], about[0]) if pools[0] else None
    compared = _compare(question, store, domain, names, pools) if all(pools) else None
    return compared or _each_apart(question, store, names, pools, about, wanted)


def _each_apart(
    question: Question,
    store: Store,
    names: Names,
    pools: Sequence[Sequence[Fact]],
    about: Sequence[Sequence[str]],
    wanted: Mapping[str, str],
) -> Told | None:
    """What each of several things has by itself, where no figures of one kind are known of all; None where that answers nothing."""
    # prices of a chip and of a node are brought to one chip elsewhere
    if question.wants_verdict or names.metrics[question.metrics[0]].nature == "priced":
        return None
    told: list[Told] = []
    missed: list[str] = []
    for ids, pool, covers in zip(question.subjects, pools, about, strict=True):
        found = _list(replace(question, subjects=(ids,)), store, names, pool, covers) if pool else None
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
        return found._replace(text=found.text + unknown)
    return found._replace(text=f"Not of one kind, so each by itself. {found.text}{_times_as_they_stand(found, names)}")


def _times_as_they_stand(told: Told, names: Names) -> str:
    """ " 360 PFLOPS [1] / 15.8 PFLOPS [3] = 22.8 times, of 72 chips against 8." for the first two figures that differ only in that."""
    if len(told.citations) != len(told.facts):
        return ""
    first, n = next(((f, n) for n, f in enumerate(told.facts, start=1) if f.is_exact), (None, 0))
    for m, other in enumerate(told.facts, start=1):
        if first is None or other.claim.subject == first.claim.subject or not other.is_exact:
            continue
        counts = [f.claim.qualifier("count") for f in (first, other)]
        if _apart_from_count(first) == _apart_from_count(other) and all(counts) and other.amount > 0:
            more, less = ((first, n), (other, m)) if first.amount >= other.amount else ((other, m), (first, n))
            steps = " / ".join(f"{figure(f, names)} [{k}]" for f, k in (more, less))
            of = " against ".join(f"{int(f.claim.qualifier('count')):,}" for f, _ in (more, less))
            return f" As they stand: {steps} = {times(more[0].amount / less[0].amount)} times, of {of} chips."
    return ""


def _apart_from_count(fact: Fact) -> frozenset[tuple[str, str]]:
    """What a figure is stated under, but for how many chips it is of."""
    return frozenset((axis, value) for axis, value in fact.claim.qualifiers if axis not in SCOPE)


def standing(
    store: Store, names: Names, subjects: Sequence[str], metric: str, wanted: Mapping[str, str], unit: str = ""
) -> list[Fact]:
    """The standing facts about some products under the qualifiers that are asked for, cited from this knowledge base.

    A `unit` that counts things of one kind ("SMs") leaves out counts of any other ("CUDA cores").
    """
    found = store.facts(subjects, [metric])
    kept = [f for f in found if f.rank != "deprecated" and store.holds(f)]
    if unit and names.units[unit].dimension == "count" and unit != names.metrics[metric].unit:
        kept = [f for f in kept if f.unit == unit]
    return without_slower_units([f for f in kept if states(f, wanted)], names)


def sold_as(subject: str, domain: Domain, names: Names) -> list[str]:
    """What may have the price of `subject`: all that a chip covers, and the machines that a machine is rented as."""
    return covered(names, subject) if names.is_chip(subject) else domain.machines_like(subject)


def _list(question: Question, store: Store, names: Names, pool: Sequence[Fact], about: Sequence[str]) -> Told | None:
    """The preferred figures, one of each kind, in the order of what they are `about`; too many kinds are no look-up."""
    asked = question.subjects[0]
    whole = not any(names.is_chip(i) for i in asked)
    scopes = ("", "chip", "node", "pod")
    preferred = [f for f in pool if f.rank == "preferred" and (whole or f.claim.qualifier("aggregation") in scopes)]
    # what a provider lists for the variant that it rents goes before what others report of the chip
    listed = [f for f in preferred if f.claim.qualifier("provider") and f.claim.modality == "priced"]
    at_one = len({f.claim.qualifier("provider") for f in pool}) == 1
    above = {a for i in asked for a in names.ancestors(i)[1:]}
    below = [f.id for f in listed if at_one and f.claim.subject not in above]
    own = preferred if whole else [f for f in preferred if f.claim.subject in asked or f.id in below]
    told = {f.claim.qualifier("provider") for f in own}
    if any(told) and not any(f.claim.subject in above for f in own):  # who rents out one variant rents out the chip
        own += [f for f in preferred if f not in own and f.claim.qualifier("provider") not in {"", *told}]
    chosen: dict[Key, Fact] = {}
    latest = sorted(own or preferred, key=lambda f: f.as_of, reverse=True)
    place = {subject: n for n, subject in reversed(list(enumerate(about)))}

    def order(fact: Fact) -> tuple[bool | int, ...]:
        at = place[fact.claim.subject]
        return (whole and at, *_usual(fact), bool(below) and fact.id not in below, at)

    for fact in sorted(latest, key=order):
        chosen.setdefault((fact.claim.subject, *kind(fact, names), fact.value), fact)
    facts = list(chosen.values())[:MOST]
    if not facts:
        return None
    return Told(" ".join(sentence(f, names, n) for n, f in enumerate(facts, start=1)), cite(store, facts), facts)


def _usual(fact: Fact) -> tuple[bool, ...]:
    """What is meant when nothing is said goes first: of one chip, dense, BF16, on demand."""
    c = fact.claim
    return (
        c.qualifier("aggregation") not in ("", "chip"),
        c.qualifier("sparsity") == "2:4",
        c.qualifier("dtype") != "bf16",
        c.qualifier("price_terms") not in ("", ON_DEMAND),
    )


def _compare(
    question: Question, store: Store, domain: Domain, names: Names, pools: Sequence[Sequence[Fact]]
) -> Told | None:
    """One figure for each thing, all under the same qualifiers, what one is of the other, and what their other variants have."""
    subjects = [ids[0] for ids in question.subjects]
    pools = [without_inherited(names, subject, pool) for subject, pool in zip(subjects, pools, strict=True)]
    chosen = standing_variants(store, names, subjects, question.metrics)
    stands = [of_product(names, chosen[n], pool) if n in chosen else pool for n, pool in enumerate(pools)]
    keys = {values(f, FIXED) for pool in stands for f in pool}
    kinds = {kind(f, names) for pool in stands for f in pool}
    rows: list[tuple[tuple[int, ...], Key, list[Fact]]] = []
    for kind_ in sorted(kinds):
        alike = [[f for f in pool if kind(f, names) == kind_] for pool in stands]
        for key in sorted(keys):
            found = [nearest_fact(subject, row, key) for subject, row in zip(subjects, alike, strict=True)]
            whole = [f for f in found if f is not None]
            if len(whole) == len(found):
                rows.append(((*worth(alike, key), bool(_HABIT.intersection(kind_))), key, whole))
    if not rows:
        return None
    _, key, facts = max(rows, key=lambda row: row[0])
    lead = _ratio(question, domain, names, facts)
    if RANKED.search(question.text):
        least = DOWNWARD.search(question.text) is not None
        facts = sorted(facts, key=lambda f: f.amount, reverse=not least)
        lead = "Lowest first:" if least else "Highest first:"
    told = {f.id for pool in stands for f in pool}
    aside = [[f for f in pool if f.id not in told] for pool in pools]
    others = _other_variants(names, aside, facts, key)
    shown = [*facts, *others]
    sentences = [sentence(f, names, n) for n, f in enumerate(shown, start=1)]
    if others:
        sentences.insert(len(facts), "Other variants:")
    return Told(" ".join(filter(None, (lead, *sentences))), cite(store, shown), shown)


def _other_variants(names: Names, pools: Sequence[Sequence[Fact]], facts: Sequence[Fact], key: Key) -> list[Fact]:
    """Preferred figures of the same kind that a chip's other variants have, where they differ from the one that stands for it."""
    found: list[Fact] = []
    for pool, fact in zip(pools, facts, strict=True):
        own = values(fact, FIXED)
        same = [f for f in pool if kind(f, names) == kind(fact, names) and compatible(values(f, FIXED), key)]
        alike = [f for f in same if compatible(values(f, FIXED), own)]  # "physical" is no other variant's "usable"
        shown = [fact]
        for other in alike:
            if other.rank == "preferred" and not any(agree(other, f) for f in shown) and len(shown) <= MOST:
                shown.append(other)
        found += shown[1:]
    return found


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
