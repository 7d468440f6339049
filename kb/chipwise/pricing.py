"""The price to reckon with: the latest on its terms, of each provider that has one.

    H100, on demand  ->  {"aws": 6.88, "gcp": 11.06, ...}, each a fact with its date

Which provider is meant is the question's to say; nothing here chooses one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from chipwise.claims.model import Fact
from chipwise.store import Store

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


def amount(fact: Fact) -> float:
    """The price in base units."""
    quantity = fact.claim.quantity
    return 0.0 if quantity is None else (quantity.low + quantity.high) / 2
