"""What a query wants of facts (axes, a time, a category that something has or lacks), and which products meet its conditions.

The members of an open set are products of some lines and makers, less those shut out.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from chipwise.answering.base import Base
from chipwise.answering.query import DESIGNER, Condition, Counted, Measure, Query, Set
from chipwise.claims.model import Fact, Key, Qualifiers
from chipwise.domain.model import Domain
from chipwise.domain.names import Names
from chipwise.domain.records import Term
from chipwise.figures.alike import in_one_form, name_words
from chipwise.figures.relate import is_wider
from chipwise.figures.resolve import filling
from chipwise.numbers.quantity import Quantity
from chipwise.values import dataclass

DENIAL = "no "  # begins a category that says that something is not there: "no FP8"
_KINDS = {"chip": ("chip", "variant"), "system": ("system",), "instance": ("system",), "slice": ("slice",)}
_EPSILON = 1e-9


def is_category(metric: str, base: Base) -> bool:
    """True for what has words for a value: a maker, a cloud, a kind of memory."""
    return metric in base.domain.metrics and base.domain.metrics[metric].dimension == "text"


def is_priced(metric: str, base: Base) -> bool:
    """True for what somebody asks for something."""
    return metric in base.domain.metrics and base.domain.metrics[metric].nature == "priced"


def axes_of(measure: Measure, query: Query, base: Base) -> Qualifiers:
    """What a figure has to state: what the measure names, and what holds for the whole query."""
    metric = base.domain.metrics[measure.metric]
    deeds = base.domain.axes["workload"].deeds  # "training" is said of "MPT-7B training, 512 GPUs" as well: see `fits`
    held = {(a, v) for a, v in query.at if a in metric.qualifiers and a != "as_of" and v not in deeds}
    return tuple(sorted({*measure.axes, *held}))


def fits(fact: Fact, query: Query) -> bool:
    """True unless a query is of another time than a fact ("in December 2024"), or of other work ("for training")."""
    date, work = dict(query.at).get("as_of", ""), dict(query.at).get("workload", "")
    if work not in fact.claim.qualifier("workload"):
        return False
    return not date or fact.as_of.startswith(date) or (bool(fact.as_of) and date.startswith(fact.as_of))


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
    if fact.value in (f"{DENIAL}{t.name}" for t in (term, wider) if t is not None):
        return True
    told = base.domain.terms.get(fact.value)
    metric = base.domain.metrics[fact.claim.metric]
    exclusive = metric.single or term.id in metric.exclusive
    apart = told is not None and not is_wider(term.id, told.id) and not is_wider(told.id, term.id)
    return exclusive and told is not None and apart and told.kind == term.kind


@dataclass(frozen=True, slots=True)
class Members:
    """What meets the conditions of a set, each with the facts that show it; `known` are those with all figures needed."""

    met: Mapping[str, tuple[Fact, ...]]
    known: int


def members(query: Query, base: Base) -> Members:
    """The members of an open set; under conditions a chip's variants only where the chip itself is none."""
    every = products(query.of, base.domain)
    each = [_meeting(condition, every, query, base) for condition in conditions(query.of)]
    met: dict[str, tuple[Fact, ...]] = {}
    for product in every:
        alike = (product, *called_by(product, base.names)) if each else ()
        shown = [next((facts[i] for i in alike if i in facts), None) for facts in each]
        if None not in shown:
            met[product] = tuple(fact for fact in shown if fact is not None)
    if each:
        met = {i: facts for i, facts in met.items() if not any(a in met for a in called_by(i, base.names))}
    return Members(met, min((len(facts) for facts in each), default=len(every)))


def products(of: Set, domain: Domain) -> list[str]:
    """What a set may hold, in the order of the domain."""
    kinds = {k for kind in of.kinds for k in _KINDS.get(kind, ())} or {"chip", "variant"}
    told = [c.value for c in of.where if c.measure.metric == DESIGNER and c.holds]
    makers = {v for value in told for v in domain.vendors_named(str(value))}
    return [
        e.id
        for e in domain.entities.values()
        if e.kind in kinds
        and (domain.is_rented(e.id) or "instance" not in of.kinds)
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
    """One figure for each product, largest first, all of the kind that most of them have; none of a variant that has what its chip has."""
    unit = base.names.units.get(measure.unit)
    counting = measure.unit if unit is not None and unit.dimension == "count" else ""
    wanted = Key("", measure.metric, None, axes_of(measure, query, base))
    every = filling(base.known, base.names, about, wanted, unit=counting)
    every = [f for f in every if f.rank == "preferred" and fits(f, query)]
    if about and all(map(base.domain.is_machine, about)):  # of however many chips each is
        first = _first(sorted(every, key=lambda f: f.claim.key.is_of_one))
        return sorted(first.values(), key=lambda f: -f.amount)
    facts = [f for f in every if f.claim.key.is_of_one] or every
    facts.sort(key=lambda f: f.amount, reverse=True)
    row = in_one_form(base.names, about, [[f for f in facts if f.claim.subject == product] for product in about])
    kept: list[Fact] = []
    for fact in (f for f in row.facts if f is not None):
        above = base.names.ancestors(fact.claim.subject)
        if not any(f.amount == fact.amount and f.claim.subject in above for f in kept):
            kept.append(fact)
    return kept


def called_by(product: str, names: Names) -> list[str]:
    """What a product is a variant of and called by: an H200 NVL is an H200, and the GPU of a GB200 is not called B200."""
    return [a for a in names.ancestors(product)[1:] if name_words(names, a) <= name_words(names, product)]


def is_within(amount: float, bounds: Quantity, strict: bool = False) -> bool:
    """True for an amount that keeps to a bound, which a `strict` one leaves out itself, or is the figure where there is none."""
    if strict and math.isclose(amount, bounds.middle, rel_tol=_EPSILON):
        return False
    return bounds.low * (1 - _EPSILON) <= amount <= bounds.high * (1 + _EPSILON)


def _meeting(condition: Condition, about: Sequence[str], query: Query, base: Base) -> Mapping[str, Fact | None]:
    """Of each product that a condition can be told of the fact, None where it is not met."""
    metric, bounds = condition.measure.metric, condition.value
    if isinstance(bounds, Quantity):
        each = figures(about, condition.measure, query, base)
        met = {f.id for f in each if is_within(f.amount, bounds, condition.strict) == condition.holds}
        return {f.claim.subject: f if f.id in met else None for f in each}
    term = base.domain.terms.get(bounds) if isinstance(bounds, str) else None
    known = [f for f in base.known.facts(about) if f.rank == "preferred" and base.known.holds(f)]
    known.sort(key=lambda f: (f.claim.quantity is not None, f.claim.modality != "specified"))
    if isinstance(bounds, Counted):
        held = _first(f for f in known if f.claim.metric == metric)
        made = {i for i, f in held.items() if bounds.entity in base.domain.ancestors(f.claim.subject)}
        return {i: f if i in made and bounds.count in (None, f.amount) else None for i, f in held.items()}
    if term is None:
        return _first(f for f in known if f.claim.metric == metric and f.value == bounds) if condition.holds else {}
    telling = (f for f in known if f.claim.metric == metric or f.claim.quantity is not None)
    having = _first(f for f in telling if has(f, term, base))
    if condition.holds:
        return having
    without = _first(f for f in known if lacks(f, term, base))
    return {i: f for i, f in without.items() if not any(a in having for a in base.names.ancestors(i))}


def _first(facts: Iterable[Fact]) -> dict[str, Fact]:
    first: dict[str, Fact] = {}
    for fact in facts:
        first.setdefault(fact.claim.subject, fact)
    return first
