"""Which prices stand: the latest on its terms, of each provider that has one.

    H100, on demand  ->  {"aws": 6.88, "gcp": 11.06, ...}, each a fact with its date

Which provider is meant is the question's to say.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from chipwise.claims.model import Fact
from chipwise.domain.model import Domain
from chipwise.domain.names import Names
from chipwise.figures.resolve import FactSource, latest
from chipwise.figures.variants import covered
from chipwise.values import dataclass


def sold_as(subject: str, domain: Domain, names: Names) -> list[str]:
    """What may have the price of `subject`: all that a chip covers, and the machines that a machine is rented as."""
    return covered(names, subject) if names.is_chip(subject) else domain.machines_like(subject)


def prices(
    store: FactSource,
    names: Names,
    subjects: Sequence[str],
    metric: str,
    sought: Mapping[str, str],
    *,
    of_system: bool = False,
    unnamed: bool = False,
) -> dict[str, Fact]:
    """By provider, cheapest first, the latest preferred price under `sought`; that of a whole system is one of several chips.

    What is told of no provider goes by "", where `unnamed` prices are wanted.
    """
    found = []
    for fact in store.facts(subjects, [metric]):
        claim = fact.claim
        here = fact.rank == "preferred" and store.holds(fact)
        if (
            here
            and claim.states(sought)
            and fact.is_single
            and claim.key.is_of_one != of_system
            and bool(claim.qualifier("provider")) != unnamed
        ):
            found.append(fact)
    by_age = sorted(latest(found, names), key=lambda f: f.as_of)
    offers = {f.claim.qualifier("provider"): f for f in by_age}
    return {f.claim.qualifier("provider"): f for f in sorted(offers.values(), key=lambda f: f.amount)}


@dataclass(frozen=True, slots=True)
class Offer:
    """A price for what is asked about: that of one chip is taken `times` as often, that of a machine parted `among` its chips."""

    fact: Fact
    times: int = 1
    among: int = 1

    @property
    def value(self) -> float:
        """In base units."""
        return self.fact.amount * self.times / self.among

    @property
    def shown(self) -> str:
        """How a sum writes it, with {} for the price itself."""
        one = f"({{}} / {self.among} chips)" if self.among > 1 else "{}"
        return f"{self.times} chips x {one}" if self.times > 1 else one


def offered(fact: Fact, names: Names) -> str:
    """Who asks a price, and as of when: "AWS, 2026-09"."""
    provider = fact.claim.qualifier("provider")
    return f"{names.name(provider) if provider else 'provider not named'}, {fact.as_of or 'undated'}"


def machine_offers(
    store: FactSource, domain: Domain, names: Names, machine: str, metric: str, sought: Mapping[str, str]
) -> dict[str, Offer]:
    """What a whole machine costs, by provider, cheapest first. A provider may price machines by the chip."""
    chip, entity = domain.nearest_chip(machine), domain.entities[machine]
    renters = {t.id for t in domain.terms.values() if t.kind == "cloud" and t.name == entity.vendor}  # of a p5.48xlarge
    of_one = prices(store, names, covered(names, chip), metric, sought) if chip else {}
    whole = prices(store, names, [machine], metric, sought, of_system=True)
    many = {p: Offer(f, times=entity.chips) for p, f in of_one.items() if p in renters or not renters}
    offers = {**many, **{p: Offer(f) for p, f in whole.items()}}
    return dict(sorted(offers.items(), key=lambda offer: offer[1].value))


def chip_offers(
    store: FactSource,
    domain: Domain,
    names: Names,
    chip: str,
    metric: str,
    sought: Mapping[str, str],
    *,
    count: int = 1,
) -> dict[str, Offer]:
    """What `count` chips cost, by provider: what one is rented for, else its share of the machines that hold it."""
    alone = prices(store, names, covered(names, chip), metric, sought)
    if alone:
        return {provider: Offer(fact, times=count) for provider, fact in alone.items()}
    holders = [e for e in domain.entities if domain.holds_several(e) and chip in domain.ancestors(e)]
    shared = prices(store, names, holders, metric, sought, of_system=True)
    if not shared and "provider" not in sought:  # what it costs, with no word on where
        alone = prices(store, names, covered(names, chip), metric, sought, unnamed=True)
        return {provider: Offer(fact, times=count) for provider, fact in alone.items()}
    return {p: Offer(f, times=count, among=domain.entities[f.claim.subject].chips) for p, f in shared.items()}
