"""Whether facts bear out a figure that a question states, and of what else it is the figure.

"Does the H100 do 1,979 TFLOPS in dense BF16?"
    ->  "No: NVIDIA H100 SXM: peak compute 989 TFLOPS (BF16, dense, per chip). [1]
        1,979 TFLOPS is the peak compute of the NVIDIA H100 SXM (BF16, 2:4 sparsity, per chip) [2]."
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from chipwise import patterns as re
from chipwise.asking.answers import Ruling
from chipwise.asking.givens import Given, givens
from chipwise.asking.kinds import FIGURE, Kind
from chipwise.asking.plain import stated
from chipwise.asking.premises import denial
from chipwise.asking.question import Question, understand
from chipwise.asking.quoting import Told, cite, sentence, together
from chipwise.asking.sums import sum_asked
from chipwise.asking.tabled import MOST, answer_from_table
from chipwise.asking.verdict import EXACTLY, Bound, find_bound, holds
from chipwise.claims.model import Fact
from chipwise.domain.model import Domain
from chipwise.domain.names import Names
from chipwise.figures.alike import ON_DEMAND, states
from chipwise.figures.phrasing import in_words, listed, value_text
from chipwise.figures.prices import in_order
from chipwise.figures.resolve import latest
from chipwise.figures.variants import covered
from chipwise.index.store import Store
from chipwise.text import blanked, words

_RANKS = ("preferred", "normal", "deprecated")
_ALL = re.compile(r"\b(?:all|every|each|always)\b", re.I)
_ONE = re.compile(r"\b(?:one|1|a single|each) ", re.I)
_FAR = math.log(3)  # a figure further away is of something else
_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
_LOOKED_UP = ("specified", "priced")  # what was measured differs from run to run
# how one says that something has a figure
_VERBS = re.compile(
    r"\b(?:reach(?:es)?|draws?|pulls?|hits?|does|do|run(?:s|ning)?|gets?|delivers?|costs?|really|actually|rated|lists?|listed|sports?|peaks?|just|only|f[ae]ll(?:en|s)?|drop(?:s|ped)?|went|rose|risen|climb(?:s|ed)?|starts?|available(?: for| at)?)\b",
    re.I,
)


def borne_out(question: Question, store: Store, domain: Domain, names: Names) -> Told | None:
    """For each figure of the question yes, no, or on what it depends; None where there is one that the table knows nothing of."""
    # "one H100 has 80 GB" counts nothing
    alone = [
        m.span()
        for m in _ONE.finditer(question.text)
        if any(e.start == m.end() for e in domain.find_entities(question.text))
    ]
    question = replace(question, text=blanked(question.text, alone)) if alone else question
    figures = _figures(question, domain) if len(question.subjects) == 1 else []
    told = []
    for figure in figures:
        others = [(f.start, f.end) for f in figures if f is not figure]
        found = _borne_out(question, blanked(question.text, others), figure, store, domain, names)
        if found is None:
            return None
        told.append(found)
    return _as_a_whole(together(told), question, store, domain, names) if told else None


def _as_a_whole(found: Told, question: Question, store: Store, domain: Domain, names: Names) -> Told:
    """What bears out the figures is no yes to "the H200 has 141 GB of HBM2e", of which the number alone is right."""
    denied = denial(question, store, domain, names, "not") if found.ruling is Ruling.YES else None
    return found if denied is None else found.without_ruling.behind(denied.led(Ruling.BECAUSE))


def _borne_out(question: Question, text: str, figure: Given, store: Store, domain: Domain, names: Names) -> Told | None:
    """The verdict on one figure of the question, whose `text` has no other."""
    bound = find_bound(text, figure.start)
    if not bound.decides:  # "up to 700 W" is so where it is 700 W, and else may be
        plainly = _borne_out(question, blanked(text, [(bound.start, figure.start)]), figure, store, domain, names)
        if plainly is not None and plainly.ruling is Ruling.YES:
            return plainly
    verbs = (m.span() for m in _VERBS.finditer(text))
    alone, without = understand(text, domain), understand(blanked(text, [(bound.start, figure.end), *verbs]), domain)
    known = [f for i in question.subjects[0] for f in store.facts(covered(names, i)) if store.holds(f)]
    named = {*alone.metrics, *without.metrics}
    if text != question.text:  # beside other figures words may be of those
        named = {m for m in named if domain.metrics[m].dimension == figure.kind}
    metric = _metric(named, figure, known, domain)
    if not metric and any(map(domain.holds_several, question.subjects[0])):  # what a machine has is what its chips have
        main = [m.id for m in domain.metrics.values() if m.main and m.dimension == figure.kind]
        metric = main[0] if len(main) == 1 else ""
    asked = replace(without, metrics=(metric,), kind=Kind.LOOKUP, unit="", parts=())
    found = answer_from_table(asked, store, domain, names) if metric and without.subjects == question.subjects else None
    if found is None and metric:
        return _of_all(without, metric, figure, bound, store, domain, names)
    if metric and domain.metrics[metric].nature == "priced" and not bound.is_as_stated and bound.decides:
        return _some_price([f for f in known if f.claim.metric == metric], figure, bound, asked, store, domain, names)
    if found is None or not bound.is_as_stated:
        return found and found.led(holds(found.facts, figure.value, bound))
    alike = [f for f in known if f.claim.metric == metric and (_is_that(figure, f) or _is_number(figure, text, f))]
    return _judged(found, alike, stated(asked, domain), figure, store, names)


def _of_all(
    question: Question, metric: str, figure: Given, bound: Bound, store: Store, domain: Domain, names: Names
) -> Told | None:
    """Whether a machine has as much, all its chips together, where no fact is of the machine: "the GB200 superchip has 384 GB"."""
    machine = question.subjects[0][0] if len(question.subjects) == 1 else ""
    if not machine or not domain.holds_several(machine) or not bound.decides:
        return None
    asked = understand(f"What is the {domain.metrics[metric].name} of the {names.name(machine)}?", domain)
    found = sum_asked(asked, store, domain, names)
    if found is None:
        return None
    value, told = found
    low, high = figure.quantity.low, figure.quantity.high
    met = low <= value <= high if bound.is_as_stated else bound.met(value, figure.value)
    return told.led(Ruling.YES if met else Ruling.NO)


def _some_price(
    known: Sequence[Fact],
    figure: Given,
    bound: Bound,
    asked: Question,
    store: Store,
    domain: Domain,
    names: Names,
) -> Told | None:
    """Whether anybody asks such a price: of "under 2 dollars" the cheapest that is known decides, on demand where no terms are named."""
    sought = {"price_terms": ON_DEMAND, **stated(asked, domain)}
    of_one = [f for f in latest(known, names) if f.claim.key.is_of_one]
    offers = [f for f in of_one if f.rank == "preferred" and f.is_single and f.claim.states(sought)]
    order = in_order(offers, dear=not bound.met(0.0, figure.value))
    met = [f for f in order if bound.met(f.amount, figure.value)]
    missed = [f for f in order if f not in met]
    if not order:
        return None
    of_all = _ALL.search(asked.text) is not None
    under = bound.met(0.0, figure.value)
    # "under 2 dollars" is so where one asks that; "more than 5" is so where all do
    so = met and (not missed or (under and not of_all))
    verdict = Ruling.YES if so else Ruling.NO if of_all or not met else Ruling.DEPENDS
    against = missed if verdict is Ruling.NO else met
    shown = against[:MOST]
    said = (sentence(f, names, n) for n, f in enumerate(shown, start=1))
    lead = f"{len(met)} of {len(order)} known prices are so."
    return Told.of(" ".join((lead, *said)), cite(store, shown), shown, verdict)


def _judged(
    found: Told, alike: Sequence[Fact], asked: Mapping[str, str], figure: Given, store: Store, names: Names
) -> Told:
    """What was looked up, first what bears the figure out, and whose figure it is where that is not what comes first."""
    met = [f for f in found.facts if f in alike and _is_that(figure, f)]
    rest = [f for f in found.facts if f not in met]
    if found.facts[0] in met:
        return _composed(Ruling.YES, [*met, *rest], [], store, names)
    if not met and holds(found.facts, figure.value, EXACTLY) is not Ruling.NO:
        bounds = {f.claim.quantity.bound for f in found.facts if f.claim.quantity is not None}
        in_another = "The same number in another unit: " if bounds <= {"exact", "about"} else ""  # GB for GiB
        return found.led(in_another)
    same = [f for f in alike if "provider" not in asked or f.claim.qualifier("provider") == asked["provider"]]
    others = sorted(same, key=lambda f: (not states(f, asked), _RANKS.index(f.rank)))[:MOST]
    fitting = [f for f in others if states(f, asked) and _is_that(figure, f)]
    now = [f for f in latest([*fitting, *rest], names) if f in fitting and f.rank != "deprecated"]
    was = fitting and names.metrics[found.facts[0].claim.metric].nature == "priced"
    ruling = Ruling.DEPENDS if now else Ruling.NO_LONGER if was else Ruling.NO
    return _composed(ruling, rest, others, store, names)


def _is_that(figure: Given, fact: Fact) -> bool:
    """True where the fact's figure is the one stated, when both are rounded as they are written."""
    quantity = fact.claim.quantity
    return quantity is not None and quantity.bound in ("exact", "about") and quantity.agrees_with(figure.quantity)


def _is_number(figure: Given, text: str, fact: Fact) -> bool:
    """True where the fact has the same number with another unit: 4,800 Gbps for 4,800 GB/s."""
    number = _NUMBER.search(text, figure.start, figure.end)
    return number is not None and fact.value == number[0].replace(",", "") and not _is_that(figure, fact)


def _figures(question: Question, domain: Domain) -> list[Given]:
    """The figures of the question, without their bounds, which are judged apart; more than a few are no statement."""
    text = question.text
    if not FIGURE.search(text):
        return []
    bounds = ((find_bound(text, q.start).start, q.start) for q in domain.unit_table.find_all(text))
    found = givens(blanked(text, ((start, end) for start, end in bounds if start < end)), domain) or []
    return [_as_rounded(given, text) for given in found] if len(found) <= MOST else []


def _as_rounded(given: Given, text: str) -> Given:
    """With half a unit to each side where it is a whole number below 100, too: one may say 4 PFLOPS of 3,958 TFLOPS."""
    number, q = _NUMBER.search(text, given.start, given.end), given.quantity
    if number is None or not q.low == q.high > 0:
        return given
    half = 0.5 * q.high / float(number[0])
    return replace(given, quantity=replace(q, low=q.low - half, high=q.high + half))


def _metric(named: Collection[str], figure: Given, known: Sequence[Fact], domain: Domain) -> str:
    """What the figure is of: the metric named, else that of the fact which comes closest to it."""
    measured = [m for m in named if domain.metrics[m].dimension != "text"]
    if measured:
        return next((m for m in measured if domain.metrics[m].dimension == figure.kind), "")
    said = {w for m in named for w in words(domain.metrics[m].name)}  # of "interconnect" its bandwidth
    near: list[tuple[float, str]] = []
    for fact in known:
        metric, quantity = domain.metrics[fact.claim.metric], fact.claim.quantity
        meant = metric.dimension == figure.kind and metric.nature in _LOOKED_UP and fact.rank == "preferred"
        if meant and quantity is not None and quantity.low > 0 and said <= set(words(metric.name)):
            away = 0.0 if _is_that(figure, fact) else abs(math.log(figure.value / quantity.low))
            near.append((away, metric.id))
    away, metric_id = min(near, default=(math.inf, ""))
    return metric_id if away < _FAR or said else ""


def _composed(verdict: Ruling, looked_up: Sequence[Fact], others: Sequence[Fact], store: Store, names: Names) -> Told:
    """The verdict, what was looked up, and whose figure the stated one is; that goes first where it depends."""
    begins = verdict is Ruling.DEPENDS
    facts = [*others, *looked_up] if begins else [*looked_up, *others]
    of_others, of_looked_up = (1, len(others) + 1) if begins else (len(looked_up) + 1, 1)
    whose = _whose(others, of_others, names)
    said = [sentence(f, names, n) for n, f in enumerate(looked_up, start=of_looked_up)]
    if begins and said:
        said[0] = f"Otherwise: {said[0]}"
    return Told.of(" ".join([*whose, *said] if begins else [*said, *whose]), cite(store, facts), facts, verdict)


def _whose(facts: Sequence[Fact], first: int, names: Names) -> list[str]:
    """ "1,979 TFLOPS is the peak compute of the NVIDIA H100 SXM (BF16, 2:4 sparsity) [4] and (FP8, dense) [5].", for each thing."""
    by_thing: dict[tuple[str, str, str], list[str]] = {}
    wrong: list[str] = []
    for n, fact in enumerate(facts, start=first):
        value, metric, name = (
            value_text(fact, names),
            names.metrics[fact.claim.metric].name,
            names.name(fact.claim.subject),
        )
        qualified = ", ".join(
            filter(None, (in_words(fact.claim, names), fact.as_of if _is_priced(fact, names) else ""))
        )
        if fact.rank == "deprecated":
            wrong.append(
                f"{value} stands in [{n}] as the {metric} of the {name}, outdated or at odds: {fact.reason.rstrip('.')}."
            )
        else:
            by_thing.setdefault((value, metric, name), []).append(f"{f'({qualified}) ' if qualified else ''}[{n}]")
    right = (
        f"{value} is the {metric} of the {name} {listed(ways)}." for (value, metric, name), ways in by_thing.items()
    )
    return [*right, *wrong]


def _is_priced(fact: Fact, names: Names) -> bool:
    return names.metrics[fact.claim.metric].nature == "priced"
