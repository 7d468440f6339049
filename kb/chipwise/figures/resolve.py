"""Which facts fill a key, and which variant speaks for a chip: decided here and nowhere else.

    resolve(store, names, Key("nvidia-h100", "memory_capacity"))                  ->  80 GB; others: 94 GB (NVL)
    resolve(store, names, Key("nvidia-h100", "tdp"))                              ->  700 W, of the SXM; others: 350 W (PCIe)
    resolve_each(store, names, [Key("nvidia-a100", "tdp"), Key("nvidia-h100-pcie", "tdp")])   ->  300 W (PCIe 80GB) and 350 W

For one figure to reckon with take `.one`, which is None where several are left ("per chip, usable" is a key with
Scope("chip") and (("capacity", "usable"),)). Of prices `facts` has the latest of each provider.

The rule, for a look-up, a sum, a comparison, a table and a ranking alike:

1. A fact fills a key where it stands (not deprecated, its source is here) and states each axis that is wanted, or
   leaves open what goes without saying: dense, usable, per chip, a peak, of the matrix units (of the vector units
   in FP32 and FP64). What vector units do in another format fills it where the chip has no more than that, or
   where they are asked for. A fact of a variant's chip fills the variant's key where the variant has none of that
   kind, and was no run of the chip.
2. Where facts of several variants are known, one variant speaks for the chip: see `alike.speakers`. Prices are
   an exception: who rents out one variant rents out the chip, and of each provider's prices the latest stands.
3. Best first: preferred; what is usual (per chip, dense, BF16, of matrix units, on demand, usable); of just that
   subject, then of what it is a variant of, then of the variant that speaks; the latest.

What callers really differ in is how many they take: a look-up shows a figure of each kind, a sum wants the only
one, a comparison figures of one kind that all have (`resolve_each`), a table such a row for each kind
(`alike.in_one_form`), a ranking one row over what is said of each product itself.

Of prices `chip_offers` and `machine_offers` give each provider's, {"aws": 6.88, "gcp": 11.06, ...}, each a fact with its
date; which provider is meant is the question's to say.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, Protocol

from chipwise.claims.model import Fact, Key, Modality, Scope
from chipwise.domain.names import Names
from chipwise.figures.alike import (
    FIXED,
    ON_DEMAND,
    agree,
    compatible,
    covered,
    in_one_form,
    kind,
    said_of,
    speakers,
    values,
    without_inherited,
    without_slower_units,
)
from chipwise.values import dataclass

if TYPE_CHECKING:
    from chipwise.domain.model import Domain

SHOWN = 3  # figures of one chip's other variants
# what goes without saying, by axis: the form of what is called by its form need not be said
_UNSAID = {"sparsity": "dense", "capacity": "usable", "basis": "peak", "form_factor": ""}


class FactSource(Protocol):
    """What facts are read from, such as a Store."""

    def facts(self, about: Iterable[str] | None = None, metrics: Iterable[str] | None = None) -> list[Fact]:
        """Those about some subjects, of some metrics."""

    def holds(self, fact: Fact) -> bool:
        """True where a fact can be cited."""


@dataclass(frozen=True, slots=True)
class Resolved:
    """What fills a key, best first; all empty where nothing does."""

    facts: tuple[Fact, ...] = ()
    variant: str = ""  # whose figures these are where those of other variants differ
    others: tuple[Fact, ...] = ()  # preferred figures of other variants that differ
    one: Fact | None = None  # the only exact figure; None where variants, number formats or providers leave several


def resolve(source: FactSource, names: Names, wanted: Key, beside: Sequence[str] = (), *, unit: str = "") -> Resolved:
    """What fills `wanted`, as one that stands `beside` other subjects; counts in another `unit` ("CUDA cores" of SMs) do not."""
    (pool, aside, variant), *_ = _pools(source, names, [wanted, *(replace(wanted, subject=s) for s in beside)], unit)
    facts = _best_first(names, wanted, pool)
    others = _differing(names, facts, aside)
    return Resolved(
        facts=tuple(facts),
        variant=variant if others else "",
        others=tuple(others),
        one=_one(names, wanted, facts, others),
    )


def resolve_each(source: FactSource, names: Names, wanted: Sequence[Key], *, unit: str = "") -> tuple[Resolved, ...]:
    """One figure for each key, all of one kind; nothing where no kind of figure is known of all."""
    pools = _pools(source, names, wanted, unit)
    row = in_one_form(names, [key.subject for key in wanted], [pool.facts for pool in pools])
    told = {fact.id for pool in pools for fact in pool.facts}
    if None in row.facts:
        return ()
    found = []
    for fact, pool in zip(row.facts, pools, strict=True):
        if fact is not None:
            same = [f for f in pool.aside if f.id not in told and _are_of_one_kind(names, f, fact)]
            others = _differing(names, [fact], same)[:SHOWN]
            variant = pool.variant if others else ""
            found.append(Resolved((fact,), variant, tuple(others), fact))
    return tuple(found)


def latest(facts: Iterable[Fact], names: Names) -> list[Fact]:
    """Without the prices that a provider has a later one for, on the same terms, of the same thing or of a wider one."""
    given = list(facts)
    return [f for f in given if not any(_replaces(other, f, names) for other in given)]


def _replaces(later: Fact, fact: Fact, names: Names) -> bool:
    a, b = later.claim.key, fact.claim.key
    alike = all(a.axis(axis) == b.axis(axis) for axis in ("provider", "price_terms")) and a.scope == b.scope
    related = a.subject in names.ancestors(b.subject)
    return bool(a.axis("provider")) and alike and related and a.metric == b.metric and later.as_of > fact.as_of


def filling(source: FactSource, names: Names, about: Iterable[str], wanted: Key, *, unit: str = "") -> list[Fact]:
    """What is said of any of the subjects `about` and fills `wanted`, whoever that is of: to rank them, or list their prices."""
    found = source.facts(about, [wanted.metric])
    fitting = [f for f in found if f.rank != "deprecated" and source.holds(f) and _fills(names, f, wanted, unit)]
    return without_slower_units(fitting, names)


def known_of(source: FactSource, names: Names, subject: str) -> list[Fact]:
    """All that stands of a chip and of its variants, or of a variant; of whatever source."""
    found = (f for f in source.facts(covered(names, subject)) if f.rank != "deprecated")
    return without_inherited(names, subject, list(found))


class _Pool(NamedTuple):
    facts: list[Fact]  # that fill a key
    aside: list[Fact]  # that would, and are of other variants than the one that speaks
    variant: str


def _pools(source: FactSource, names: Names, wanted: Sequence[Key], unit: str) -> list[_Pool]:
    """By key what fills it, and whose it is; the variants of one are chosen with regard to the other keys."""
    standing = [[f for f in source.facts(covered(names, k.subject)) if f.rank != "deprecated"] for k in wanted]
    known = [without_inherited(names, k.subject, facts) for k, facts in zip(wanted, standing, strict=True)]
    asked = {f.id for k, facts in zip(wanted, standing, strict=True) for f in facts if _fills(names, f, k, unit)}
    pools = []
    spoken = speakers(names, [key.subject for key in wanted], known, lambda fact: fact.id in asked)
    for key, facts, variant in zip(wanted, standing, spoken, strict=True):
        found = without_slower_units([f for f in facts if f.id in asked and source.holds(f)], names)
        if names.metrics[key.metric].nature == "priced":
            pools.append(_Pool(latest(found, names), [], ""))
            continue
        own = without_inherited(names, key.subject, found)
        told = said_of(names, variant, own) if variant else own
        pools.append(_Pool(told, [f for f in own if f not in told], variant))
    return pools


def _fills(names: Names, fact: Fact, wanted: Key, unit: str) -> bool:
    """True where a fact states what is wanted, or leaves open what goes without saying."""
    key = fact.claim.key
    if key.metric != wanted.metric or not _is_scope(key.scope, wanted.scope) or not _counts(names, fact, unit):
        return False
    stated = zip(wanted.axes, values(fact, (axis for axis, _ in wanted.axes)), strict=True)
    return all(own == value or (not own and _UNSAID.get(axis, "?") in ("", value)) for (axis, value), own in stated)


def _is_scope(found: Scope | None, wanted: Scope | None) -> bool:
    """True where a scope is the one wanted; what states none is of one chip."""
    if wanted is None:
        return True
    unit, count = (found.unit, found.count) if found is not None else ("chip", None)
    return unit == wanted.unit and (wanted.count is None or (count or 1) == wanted.count)


def _counts(names: Names, fact: Fact, unit: str) -> bool:
    """True unless `unit` counts things of one kind, and the fact counts others."""
    counts = bool(unit) and names.units[unit].dimension == "count"
    return not counts or fact.unit == unit or unit == names.metrics[fact.claim.metric].unit


def _best_first(names: Names, wanted: Key, facts: Iterable[Fact]) -> list[Fact]:
    above = names.ancestors(wanted.subject)

    def order(fact: Fact) -> tuple[bool | int, ...]:
        unsaid = sum(not fact.claim.qualifier(axis) for axis, _ in wanted.axes)
        return (fact.rank != "preferred", not fact.place, unsaid, *usual(fact), _distance(above, fact))

    return sorted(sorted(facts, key=lambda f: f.as_of, reverse=True), key=order)


def _distance(above: Sequence[str], fact: Fact) -> int:
    """0 of what is said of the subject itself, 1 of what it is a variant of, 2 of its variants."""
    subject = fact.claim.subject
    return 0 if subject == above[0] else 1 if subject in above else 2


def usual(fact: Fact) -> tuple[bool, ...]:
    """The order in which figures are meant when nothing is said: of one chip, usable, dense, BF16, of matrix units, on demand and by a list."""
    key = fact.claim.key
    return (
        not key.is_of_one,
        key.axis("capacity") == "physical",
        key.axis("sparsity") == "2:4",
        key.axis("dtype") != "bf16",
        key.axis("engine") == "vector",
        key.axis("price_terms") not in ("", ON_DEMAND),
        bool(key.axis("provider")) and fact.claim.modality is not Modality.PRICED,
    )


def _one(names: Names, wanted: Key, facts: Sequence[Fact], others: Sequence[Fact]) -> Fact | None:
    """The nearest figure, where those as near are exact and agree.

    What can be used goes before what is built in, and what a chip's matrix units do before what its vector units do.
    """
    if not facts or facts[0].rank != "preferred":
        return None
    above = names.ancestors(wanted.subject)
    nearest = [f for f in facts if f.rank == "preferred" and _distance(above, f) == _distance(above, facts[0])]
    nearest = [f for f in nearest if f.place] or nearest
    usable = [f for f in nearest if f.claim.key.axis("capacity") != "physical"] or nearest
    fastest = [f for f in usable if values(f, ("engine",)) == ("matrix",)] or usable
    differ = bool(others) and _distance(above, facts[0]) > 1
    settled = not differ and all(f.is_exact for f in fastest) and len({f.amount for f in fastest}) == 1
    return fastest[0] if settled else None


def _differing(names: Names, facts: Iterable[Fact], aside: Iterable[Fact]) -> list[Fact]:
    """The preferred ones `aside` that are of another kind than the preferred `facts`, or another figure; each told of once."""
    own = [f for f in facts if f.rank == "preferred"]
    found: list[Fact] = []
    for fact in aside:
        alike = [f for f in (*own, *found) if _are_of_one_kind(names, f, fact) and agree(f, fact)]
        said = any(f in own or names.are_kin(f.claim.subject, fact.claim.subject) for f in alike)
        found += [fact] if fact.rank == "preferred" and not said else []
    return found


def _are_of_one_kind(names: Names, a: Fact, b: Fact) -> bool:
    return kind(a, names) == kind(b, names) and compatible(values(a, FIXED), values(b, FIXED))


def sold_as(subject: str, domain: Domain, names: Names) -> list[str]:
    """What may have the price of `subject`: all that a chip covers, and the machines that a machine is rented as."""
    return covered(names, subject) if names.is_chip(subject) else domain.machines_like(subject)


def _prices(
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
    of_one = _prices(store, names, covered(names, chip), metric, sought) if chip else {}
    whole = _prices(store, names, [machine], metric, sought, of_system=True)
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
    alone = _prices(store, names, covered(names, chip), metric, sought)
    if alone:
        return {provider: Offer(fact, times=count) for provider, fact in alone.items()}
    holders = [e for e in domain.entities if domain.holds_several(e) and chip in domain.ancestors(e)]
    shared = _prices(store, names, holders, metric, sought, of_system=True)
    if not shared and "provider" not in sought:  # what it costs, with no word on where
        alone = _prices(store, names, covered(names, chip), metric, sought, unnamed=True)
        return {provider: Offer(fact, times=count) for provider, fact in alone.items()}
    return {p: Offer(f, times=count, among=domain.entities[f.claim.subject].chips) for p, f in shared.items()}
