"""The price to reckon with: the latest on its terms, of each provider that has one.

    H100, on demand  ->  {"aws": 6.88, "gcp": 11.06, ...}, each a fact with its date

Which provider is meant is the question's to say.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from chipwise.claims.model import Fact
from chipwise.composing import Citation
from chipwise.domain import Domain
from chipwise.givens import Asked, is_system
from chipwise.lookup import covered
from chipwise.names import Names
from chipwise.phrasing import value_text
from chipwise.question import Question
from chipwise.records import DerivationInput
from chipwise.store import Store
from chipwise.tabled import fact_evidence

_OF_ONE = ("", "chip")


def prices(
    store: Store, subjects: Sequence[str], metric: str, sought: Mapping[str, str], *, of_system: bool
) -> dict[str, Fact]:
    """By provider, cheapest first, the latest preferred price under `sought`; that of a whole system is one of several chips."""
    found: dict[str, Fact] = {}
    for fact in sorted(store.facts(subjects, [metric]), key=lambda f: f.as_of):
        claim = fact.claim
        alike = all(claim.qualifier(axis) == value for axis, value in sought.items())
        whole = claim.qualifier("aggregation") not in _OF_ONE
        plain = (
            claim.quantity is not None and claim.quantity.bound in ("exact", "about") and claim.quantity.form != "range"
        )
        here = store.find_source(claim.source) is not None
        if fact.rank == "preferred" and alike and plain and here and whole == of_system and claim.qualifier("provider"):
            found[claim.qualifier("provider")] = fact
    return dict(sorted(found.items(), key=lambda item: amount(item[1])))


def offers_for(
    wanted: DerivationInput, asked: Asked, chips: Sequence[str], store: Store, domain: Domain, names: Names
) -> dict[str, Fact]:
    """What the chip, or the very system asked about, costs under the terms asked for, by provider."""
    of_system = wanted.offers == "system"
    systems = [s for s in asked.subjects if is_system(domain, s)]
    subjects = systems if of_system else covered(names, chips[0]) if chips else []
    axes = domain.metrics[wanted.metrics[0]].qualifiers
    stated = {**dict(wanted.qualifiers), **asked.wanted}
    sought = {axis: value for axis, value in stated.items() if axis in axes}
    return prices(store, subjects, wanted.metrics[0], sought, of_system=of_system) if subjects else {}


def cheapest_of_named(
    question: Question, store: Store, domain: Domain, names: Names
) -> tuple[str, list[Citation], list[Fact]] | None:
    """One chip's prices on demand of the providers that a question names, the cheapest first: "on CoreWeave or AWS"."""
    priced = bool(question.metrics) and "provider" in domain.metrics[question.metrics[0]].qualifiers
    named = [t for t in question.terms if domain.terms[t].kind == "cloud"]
    plain = len(question.subjects) == 1 and len(question.subjects[0]) == 1 and not question.free_words
    if not (priced and plain) or len(named) < 2 or len(question.terms) > len(named) or question.years:  # noqa: PLR2004
        return None
    terms = {"price_terms": "on-demand"}
    found = prices(store, covered(names, question.subjects[0][0]), question.metrics[0], terms, of_system=False)
    facts = [fact for provider, fact in found.items() if provider in named]
    if not facts:
        return None
    citations = [Citation(n, fact_evidence(store, fact)) for n, fact in enumerate(facts, start=1)]
    figures = (
        f"{names.name(f.claim.qualifier('provider'))} {value_text(f, names)} ({f.as_of}) [{c.n}]"
        for f, c in zip(facts, citations, strict=True)
    )
    name = names.name(question.subjects[0][0])
    missed = [domain.terms[t].name for t in named if t not in found]
    said = f"; no such price of {' or '.join(missed)} is known" if missed else ""
    return f"Cheapest first, {name} per chip, on demand: {', '.join(figures)}{said}.", citations, facts


def amount(fact: Fact) -> float:
    """The price in base units."""
    quantity = fact.claim.quantity
    return 0.0 if quantity is None else (quantity.low + quantity.high) / 2
