"""Prices side by side, the cheapest first: of one thing by its terms or by provider, or of several chips.

"cheapest H100"                                 ->  the lowest price under each kind of terms
"H200 on CoreWeave or AWS"                      ->  the price on demand of each provider named
"cheapest of H100, H200 and B200 on CoreWeave"  ->  what one of each costs there, be it priced by the chip or by the node:
    "NVIDIA H100, 6.16 USD/hour (CoreWeave, 2026-03) [1]; NVIDIA H200, 50.44 USD/hour [2] / 8 chips = ..."

Those prices count that no later one of the same provider has replaced.
"""

from __future__ import annotations

from chipwise import patterns as re
from chipwise.asking.kinds import RANKS, SETS_APART
from chipwise.asking.plain import is_plain, stated
from chipwise.asking.question import Question
from chipwise.asking.quoting import Told, cite, figure
from chipwise.asking.ranking import products
from chipwise.asking.verdict import of_two
from chipwise.claims.model import Fact, Key
from chipwise.domain.degrees import DOWNWARD, UPWARD
from chipwise.domain.model import Domain
from chipwise.domain.names import Names
from chipwise.figures.alike import ON_DEMAND
from chipwise.figures.amounts import plain
from chipwise.figures.phrasing import in_words, value_text
from chipwise.figures.prices import Offer, chip_offers, in_order, offered, prices, sold_as, terms_asked
from chipwise.figures.resolve import filling, latest
from chipwise.figures.variants import covered
from chipwise.index.store import Store

_COSTS = re.compile(r"\b(?:cheaper|dearer|more expensive|less expensive)\b", re.I)
_MOST = 5  # kinds of terms shown
_DIGITS = 4


def cheapest_by_terms(question: Question, store: Store, domain: Domain, names: Names) -> Told | None:
    """The lowest (or highest) price under each kind of terms, that first; of a line, of whatever chip it is the price."""
    priced = [m for m in question.metrics if domain.metrics[m].nature == "priced"]
    if not priced or len(question.subjects) != 1 or not RANKS.search(question.text):
        return None
    question = question.by(priced[0])
    if not is_plain(question, domain, priced=True):
        return None
    subject = question.subjects[0][0]
    sold = products(question, domain) if names.is_many(subject) else sold_as(subject, domain, names)
    wanted = Key.of("", priced[0], tuple(stated(question, domain).items()))
    facts = filling(store, names, sold, wanted)
    of_one = [f for f in facts if names.is_chip(f.claim.subject) == f.claim.key.is_of_one]
    offers = latest([f for f in of_one if f.rank == "preferred"] or of_one, names)
    dear = UPWARD.search(question.text) is not None and not DOWNWARD.search(question.text)
    by_terms: dict[str, Fact] = {}
    for fact in in_order(offers, dear=dear):
        by_terms.setdefault(fact.claim.qualifier("price_terms"), fact)
    shown = list(by_terms.values())[:_MOST]
    if not shown:
        return None
    lead = f"{'Highest' if dear else 'Lowest'} of {len(offers)} prices, under each kind of terms: "
    said = " ".join(_with_terms(f, names, n) for n, f in enumerate(shown, start=1))
    return Told.of(f"{lead if len(offers) > 1 else ''}{said}", cite(store, shown), shown)


def _with_terms(fact: Fact, names: Names, n: int) -> str:
    said = ", ".join(filter(None, (in_words(fact.claim, names), f"as of {fact.as_of}" if fact.as_of else "undated")))
    return f"{names.name(fact.claim.subject)}: {figure(fact, names)} ({said}). [{n}]"


def cheapest_of_named(question: Question, store: Store, domain: Domain, names: Names) -> Told | None:
    """One chip's prices on demand of the providers that a question names, the cheapest first."""
    priced = bool(question.metrics) and "provider" in domain.metrics[question.metrics[0]].qualifiers
    named = [t for t in question.terms if domain.terms[t].kind == "cloud"]
    alone = len(question.subjects) == 1 and len(question.subjects[0]) == 1 and not question.free_words
    others = [t for t in question.terms if t not in named and domain.terms[t].name.lower() not in domain.form_factors]
    if not (priced and alone) or len(named) < 2 or others or question.years:  # noqa: PLR2004
        return None
    chip = question.subjects[0][0]
    # most list the price of an "H100", whichever it is
    about = [*covered(names, chip), *(a for a in names.ancestors(chip) if names.is_chip(a))]
    found = prices(store, names, about, question.metrics[0], {"price_terms": ON_DEMAND})
    facts = [fact for provider, fact in found.items() if provider in named]
    if not facts:
        return None
    figures = (
        f"{names.name(f.claim.qualifier('provider'))} {value_text(f, names)} ({_of_which(f, chip, names)}{f.as_of or 'undated'}) [{n}]"
        for n, f in enumerate(facts, start=1)
    )
    missed = [domain.terms[t].name for t in named if t not in found]
    said = f"; no such price of {' or '.join(missed)} is known" if missed else ""
    text = f"Cheapest first, {names.name(chip)} per chip, on demand: {', '.join(figures)}{said}."
    return Told.of(text, cite(store, facts), facts)


def _of_which(fact: Fact, chip: str, names: Names) -> str:
    return "" if fact.claim.subject == chip else f"{names.name(fact.claim.subject)}, "


def cheapest_of_chips(question: Question, store: Store, domain: Domain, names: Names) -> Told | None:
    """The lowest price of each chip named, of the one provider that the question names or of any, the cheapest first."""
    chips = [ids[0] for ids in question.subjects if len(ids) == 1 and names.is_chip(ids[0])]
    # "to rent" asks where as well
    priced = [m for m in question.metrics if domain.metrics[m].dimension != "text"]
    metric = priced[0] if len(priced) == 1 and "provider" in domain.metrics[priced[0]].qualifiers else ""
    providers = [t for t in question.terms if domain.terms[t].kind == "cloud"]
    terms = terms_asked(question.text, domain)
    alone = len(chips) == len(question.subjects) > 1 and len(question.terms) <= len(providers) + len(terms)
    ordered = any(p.search(question.text) for p in (UPWARD, DOWNWARD, SETS_APART))
    judged = len(chips) == 2 and _COSTS.search(question.text)  # noqa: PLR2004
    if question.wants_verdict and not judged:
        return None
    if not (metric and alone and ordered) or question.years or len(providers) > 1 or len(terms) > 1:
        return None
    sought = {"price_terms": next(iter(terms), ON_DEMAND), **dict(zip(("provider",), providers, strict=False))}
    found = {chip: list(chip_offers(store, domain, names, chip, metric, sought).values()) for chip in chips}
    best = sorted(((offers[0], chip) for chip, offers in found.items() if offers), key=lambda pair: pair[0].value)
    if not best:
        return None
    facts = [offer.fact for offer, _ in best]
    said = "; ".join(_for_one(offer, chip, n, names) for n, (offer, chip) in enumerate(best, start=1))
    missed = [names.name(chip) for chip in chips if not found[chip]]
    left = f" No such price of {' or '.join(missed)} is known." if missed else ""
    lowest = {chip: offer.value for offer, chip in best}
    verdict = None
    if question.wants_verdict and len(lowest) == len(chips):
        first, second = (lowest[chip] for chip in chips)
        verdict = of_two(question.text, same=first == second, larger=first > second)
    lead = f"{'cheapest' if verdict else 'Cheapest'} first, per chip, {names.values.get(sought['price_terms'], '')}"
    return Told.of(f"{lead}: {said}.{left}", cite(store, facts), facts, verdict)


def _for_one(offer: Offer, chip: str, n: int, names: Names) -> str:
    scale = names.units[offer.fact.unit].scale
    price = offer.shown.format(f"{value_text(offer.fact, names)} [{n}]")
    result = f" = {plain(offer.value / scale, _DIGITS)} {offer.fact.unit}" if offer.among > 1 else ""
    return f"{names.name(chip)}, {price}{result} ({offered(offer.fact, names)})"
