"""Chips by what one of each costs to rent, where their prices are not put alike: by the chip here, by the node there.

"cheapest of H100, H200 and B200 on CoreWeave"
->  "Cheapest first, per chip, on demand: NVIDIA H100, 6.16 USD/hour (CoreWeave, 2026-03) [1]; NVIDIA H200, 50.44 USD/hour / 8 chips = ..."
"""

from __future__ import annotations

from chipwise.asking.givens import plain
from chipwise.asking.pricing import Offer, chip_offers
from chipwise.asking.question import Question
from chipwise.asking.quoting import Told, cite
from chipwise.domain.degrees import DOWNWARD, UPWARD
from chipwise.domain.model import Domain
from chipwise.domain.names import Names
from chipwise.index.store import Store
from chipwise.lookups.phrasing import value_text

_HABIT = "on-demand"  # the terms that are meant where none are named
_DIGITS = 4


def cheapest_of_chips(question: Question, store: Store, domain: Domain, names: Names) -> Told | None:
    """The lowest price of each chip named, of the one provider that the question names or of any, the cheapest first."""
    chips = [ids[0] for ids in question.subjects if len(ids) == 1 and names.is_chip(ids[0])]
    # "to rent" asks where as well
    priced = [m for m in question.metrics if domain.metrics[m].dimension != "text"]
    metric = priced[0] if len(priced) == 1 and "provider" in domain.metrics[priced[0]].qualifiers else ""
    providers = [t for t in question.terms if domain.terms[t].kind == "cloud"]
    terms = [
        m.ids[0].partition("=")[2] for m in domain.find_qualifiers(question.text) if m.ids[0].startswith("price_terms=")
    ]
    plain = len(chips) == len(question.subjects) > 1 and len(question.terms) <= len(providers) + len(terms)
    in_order = (UPWARD.search(question.text) or DOWNWARD.search(question.text)) and not question.wants_verdict
    if not (metric and plain and in_order) or question.years:
        return None
    sought = {"price_terms": terms[0] if terms else _HABIT, **dict(zip(("provider",), providers, strict=False))}
    found = {chip: list(chip_offers(store, domain, names, chip, metric, sought).values()) for chip in chips}
    best = sorted(((offers[0], chip) for chip, offers in found.items() if offers), key=lambda pair: pair[0].value)
    if not best or len(providers) > 1 or len(terms) > 1:
        return None
    facts = [offer.fact for offer, _ in best]
    said = "; ".join(_said(offer, chip, n, names) for n, (offer, chip) in enumerate(best, start=1))
    missed = [names.name(chip) for chip in chips if not found[chip]]
    left = f" No such price of {' or '.join(missed)} is known." if missed else ""
    return Told(
        f"Cheapest first, per chip, {names.values.get(sought['price_terms'], '')}: {said}.{left}",
        cite(store, facts),
        facts,
    )


def _said(offer: Offer, chip: str, n: int, names: Names) -> str:
    claim = offer.fact.claim
    scale = names.units[offer.fact.unit].scale
    price = offer.shown.format(f"{value_text(offer.fact, names)} [{n}]")
    result = f" = {plain(offer.value / scale, _DIGITS)} {offer.fact.unit}" if offer.among > 1 else ""
    return f"{names.name(chip)}, {price}{result} ({names.name(claim.qualifier('provider'))}, {offer.fact.as_of or 'undated'})"
