"""The members of an open set: products of some lines and makers, less those shut out, that meet all conditions.

    GPUs with at least 100 GB that draw under 1,000 W  ->  {nvidia-h200: (141 GB, 700 W), ...}

A product of which no fact tells is in no set, and the answer says of how many the figure is known.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from chipwise.answering.base import Base
from chipwise.answering.cells import axes_of, fits
from chipwise.answering.query import DESIGNER, Condition, Measure, Query, Set
from chipwise.claims.model import Fact, Key
from chipwise.domain.model import Domain
from chipwise.domain.names import Names
from chipwise.domain.records import Term
from chipwise.figures.alike import in_one_form
from chipwise.figures.relate import is_wider
from chipwise.figures.resolve import filling
from chipwise.figures.variants import name_words
from chipwise.numbers.quantity import Quantity
from chipwise.values import dataclass

_KINDS = {"chip": ("chip", "variant"), "system": ("system",), "instance": ("system",), "slice": ("slice",)}
_NONE = "no {}"
_EPSILON = 1e-9


@dataclass(frozen=True, slots=True)
class Members:
    """What meets the conditions of a set, each with the facts that show it; `known` are those with all figures needed."""

    met: Mapping[str, tuple[Fact, ...]]
    known: int


def members(query: Query, base: Base) -> Members:
    """The members of an open set; a chip's variants only where the chip itself is none or they differ."""
    every = products(query.of, base.domain)
    each = [_meeting(condition, every, query, base) for condition in conditions(query.of)]
    met: dict[str, tuple[Fact, ...]] = {}
    for product in every:
        found = [_of_product(product, facts, base.names) for facts in each]
        shown = tuple(fact for fact in found if fact is not None)
        if len(shown) == len(each):
            met[product] = shown
    kept = {i: facts for i, facts in met.items() if not any(a in met for a in called_by(i, base.names))}
    return Members(kept, min((len(facts) for facts in each), default=len(every)))


def products(of: Set, domain: Domain) -> list[str]:
    """What a set may hold, in the order of the domain."""
    kinds = {k for kind in of.kinds for k in _KINDS.get(kind, ())} or {"chip", "variant"}
    makers = {
        v for c in of.where if c.measure.metric == DESIGNER and c.holds for v in domain.vendors_named(str(c.value))
    }
    return [
        e.id
        for e in domain.entities.values()
        if e.kind in kinds
        and (not of.lines or not set(of.lines).isdisjoint(domain.ancestors(e.id)))
        and (not of.makers or e.vendor in of.makers)
        and (not makers or e.vendor in makers)
        and e.vendor not in of.without
        and set(of.without).isdisjoint(domain.ancestors(e.id))
    ]


def conditions(of: Set) -> list[Condition]:
    """What facts have to tell of a member; who made it, the domain knows."""
    return [c for c in of.where if not (c.measure.metric == DESIGNER and c.holds)]


def figures(about: Sequence[str], measure: Measure, query: Query, base: Base) -> list[Fact]:
    """One figure for each product, all of the kind that most of them have; none of a variant that has what its chip has."""
    wanted = Key("", measure.metric, None, axes_of(measure, query, base))
    unit = base.names.units.get(measure.unit)
    counting = measure.unit if unit is not None and unit.dimension == "count" else ""
    every = filling(base.known, base.names, about, wanted, unit=counting)
    every = [f for f in every if f.rank == "preferred" and fits(f, query)]
    if about and all(map(base.domain.is_machine, about)):  # of however many chips each is
        return _each_first(about, every)
    facts = [f for f in every if f.claim.key.is_of_one] or every
    facts.sort(key=lambda f: f.amount, reverse=True)
    row = in_one_form(base.names, about, [[f for f in facts if f.claim.subject == product] for product in about])
    return _without_variants(base.names, [f for f in row.facts if f is not None])


def _each_first(about: Sequence[str], facts: Sequence[Fact]) -> list[Fact]:
    first = _first(sorted(facts, key=lambda f: f.claim.key.is_of_one))
    return sorted((first[i] for i in about if i in first), key=lambda f: -f.amount)


def called_by(product: str, names: Names) -> list[str]:
    """What a product is a variant of and called by: an H200 NVL is an H200, and the GPU of a GB200 is not called B200."""
    return [a for a in names.ancestors(product)[1:] if name_words(names, a) <= name_words(names, product)]


def is_within(amount: float, bounds: Quantity, strict: bool = False) -> bool:
    """True for an amount that keeps to a bound, which a `strict` one leaves out itself, or is the figure where there is none."""
    if strict and math.isclose(amount, bounds.middle, rel_tol=_EPSILON):
        return False
    return bounds.low * (1 - _EPSILON) <= amount <= bounds.high * (1 + _EPSILON)


def has(fact: Fact, term: Term, base: Base) -> bool:
    """True for the category itself or a kind of it (HBM3e is HBM, and not HBM3), and for a figure in the format, or of the memory."""
    if fact.claim.quantity is not None:
        memory = fact.claim.qualifier("memory_kind")
        in_format = term.kind == "precision" and fact.claim.qualifier("dtype") == term.id
        return in_format or (term.kind == "memory" and bool(memory) and is_wider(term.id, memory))
    told = base.domain.terms.get(fact.value)
    return fact.value == term.id or (told is not None and is_wider(term.id, told.id))


def lacks(fact: Fact, term: Term, base: Base) -> bool:
    """True for "no FP8", and for another one of what a chip has one of: GDDR6 denies HBM."""
    if fact.claim.quantity is not None:
        return False
    wider = base.domain.terms.get(term.part_of)  # what has no FP4 has no NVFP4
    if fact.value in (_NONE.format(t.name) for t in (term, wider) if t is not None):
        return True
    told = base.domain.terms.get(fact.value)
    metric = base.domain.metrics[fact.claim.metric]
    exclusive = metric.single or term.id in metric.exclusive
    apart = told is not None and not is_wider(term.id, told.id) and not is_wider(told.id, term.id)
    return exclusive and told is not None and apart and told.kind == term.kind


def _meeting(condition: Condition, about: Sequence[str], query: Query, base: Base) -> dict[str, Fact | None]:
    """Of each product that a condition can be told of the fact, None where it is not met."""
    if isinstance(condition.value, Quantity):
        found = figures(about, condition.measure, query, base)
        return {
            f.claim.subject: f if is_within(f.amount, condition.value, condition.strict) == condition.holds else None
            for f in found
        }
    return dict(_of_category(condition, about, base))


def _of_category(condition: Condition, about: Sequence[str], base: Base) -> dict[str, Fact]:
    """Which products have a category, or have it not, with the fact that says so best."""
    term = base.domain.terms.get(str(condition.value))
    metric = condition.measure.metric
    known = [f for f in base.known.facts(about) if f.rank == "preferred" and base.known.holds(f)]
    known.sort(key=lambda f: (f.claim.quantity is not None, f.claim.modality != "specified"))
    if term is None:
        having = _first(f for f in known if f.claim.metric == metric and f.value == condition.value)
        return having if condition.holds else {}
    telling = (f for f in known if f.claim.metric == metric or f.claim.quantity is not None)
    having = _first(f for f in telling if has(f, term, base))
    if condition.holds:
        return having
    without = _first(f for f in known if lacks(f, term, base))
    return {i: f for i, f in without.items() if not any(a in having for a in base.names.ancestors(i))}


def _first(facts: Iterable[Fact]) -> dict[str, Fact]:
    found: dict[str, Fact] = {}
    for fact in facts:
        found.setdefault(fact.claim.subject, fact)
    return found


def _of_product(product: str, facts: Mapping[str, Fact | None], names: Names) -> Fact | None:
    """Its own, else that of what it is a variant of and called by."""
    return next((facts[i] for i in (product, *called_by(product, names)) if i in facts), None)


def _without_variants(names: Names, facts: Iterable[Fact]) -> list[Fact]:
    kept: list[Fact] = []
    for fact in facts:
        if not any(f.amount == fact.amount and f.claim.subject in names.ancestors(fact.claim.subject) for f in kept):
            kept.append(fact)
    return kept
