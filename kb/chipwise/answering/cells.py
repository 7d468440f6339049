"""The cells of a table, what is known of each subject by one measure; and the table, which is what a query comes to.

    memory_capacity of 2x nvidia-h200  ->  Cell(141 GB, times=2), 282 GB
    framework_support of google-tpu-v7 ->  Cell(JAX, PyTorch, TensorFlow)

Which fact fills a cell, and which variant speaks for a chip, is decided by `figures.resolve` alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from chipwise.answering.base import Base
from chipwise.answering.query import DESIGNER, Counted, Measure, Query
from chipwise.claims.model import Fact, Key, Qualifiers
from chipwise.figures.alike import kind, values
from chipwise.figures.resolve import Resolved, filling, resolve, resolve_each, usual
from chipwise.figures.variants import covered
from chipwise.values import dataclass

SHOWN = 3  # figures of one kind each that a look-up tells of one subject
CATEGORIES = 12  # values of a category that an answer lists
DENIAL = "no "  # a category that says that something is not there: "no FP8"
_GROUP = "group"
_WHOLE = ("", "chip", "node", "pod")


@dataclass(frozen=True, slots=True)
class Cell:
    """What fills one place of a table, best first; empty where nothing is known.

    `others` are the figures of other variants that differ. An extensive metric of several is `times` that of one.
    """

    of: Counted
    measure: Measure
    facts: tuple[Fact, ...] = ()
    others: tuple[Fact, ...] = ()
    times: int = 1
    among: int = 1  # chips that share a price of their machine
    of_chips: bool = False  # True where no fact is of the machine itself, and this is what its chips have

    @property
    def fact(self) -> Fact | None:
        """The figure that speaks for the subject."""
        return next(iter(self.facts), None)

    @property
    def amount(self) -> float:
        """That of all that are counted, in base units; 0 where nothing is known."""
        return self.times * self.facts[0].amount / self.among if self.facts else 0.0

    @property
    def is_single(self) -> bool:
        """True for one number, be it an "about"."""
        return bool(self.facts) and self.facts[0].is_single


@dataclass(frozen=True, slots=True)
class Table:
    """`columns` has, for each measure, a cell for each subject; `known` is of how many things the members were chosen."""

    query: Query
    subjects: tuple[Counted, ...]
    measures: tuple[Measure, ...]
    columns: tuple[tuple[Cell, ...], ...]
    known: int = 0
    of_offers: bool = False  # True where each row is one price of what may be one thing

    @property
    def is_full(self) -> bool:
        """True where every cell has a value of its own."""
        return bool(self.columns) and all(
            cell.facts and not cell.of_chips for column in self.columns for cell in column
        )

    @property
    def is_empty(self) -> bool:
        """True where no cell has one."""
        return not any(cell.facts for column in self.columns for cell in column)


@dataclass(frozen=True, slots=True)
class Missing:
    """Why there is no table: in words, what is not known and what is known instead."""

    reason: str


def is_category(metric: str, base: Base) -> bool:
    """True for what has words for a value: a maker, a cloud, a kind of memory."""
    return metric in base.domain.metrics and base.domain.metrics[metric].dimension == "text"


def is_priced(metric: str, base: Base) -> bool:
    """True for what somebody asks for something."""
    return metric in base.domain.metrics and base.domain.metrics[metric].nature == "priced"


def fill(subjects: Sequence[Counted], measure: Measure, query: Query, base: Base) -> tuple[Cell, ...]:
    """A cell for each subject: of several, figures of one kind where such are known of all."""
    if is_category(measure.metric, base):
        return tuple(_categories(subject, measure, query, base) for subject in subjects)
    if len(subjects) > 1 and not is_priced(measure.metric, base):
        keys = [_key(subject, measure, query, base) for subject in subjects]
        found = resolve_each(base.known, base.names, keys, unit=_counting(measure, base))
        if found and all(fits(each.facts[0], query) for each in found):
            return tuple(_cell(s, measure, each, base) for s, each in zip(subjects, found, strict=True))
    return tuple(look_up(subject, measure, query, base) for subject in subjects)


def look_up(subject: Counted, measure: Measure, query: Query, base: Base) -> Cell:
    """The preferred figures of one subject, one of each kind, its own before those of its variants."""
    chosen: dict[object, Fact] = {}
    others: list[Fact] = []
    for entity in _sold_as(subject.entity, measure.metric, base):
        key = replace(_key(subject, measure, query, base), subject=entity)
        is_past = is_priced(measure.metric, base) and "as_of" in dict(query.at)
        if is_past:  # a later price replaces none of another time
            dated = filling(base.known, base.names, covered(base.names, entity), key)
            found = Resolved(tuple(dated))
        else:
            found = resolve(base.known, base.names, key, unit=_counting(measure, base))
        every = (*found.facts, *found.others)
        ranks = ("preferred", "normal") if is_past else ("preferred",)
        preferred = [f for f in every if f.rank in ranks and _is_whole(f, base) and fits(f, query)]
        offered = is_priced(measure.metric, base)  # by providers, each under the name of a variant
        own = [f for f in preferred if f.claim.subject == entity or (offered and f.claim.qualifier("provider"))]
        for fact in sorted(own or preferred, key=usual):
            chosen.setdefault((fact.claim.subject, *kind(fact, base.names), fact.value), fact)
        others += [f for f in found.others if f not in (own or preferred)]
    facts = tuple(chosen.values())[:SHOWN]
    if not facts and base.domain.is_machine(subject.entity):
        return _of_machine(subject, measure, query, base)
    return Cell(subject, measure, facts, tuple(others), _times(subject, measure, facts, base))


def _of_machine(subject: Counted, measure: Measure, query: Query, base: Base) -> Cell:
    """What its chips have, each by itself or all together, where no fact is of the machine; how many they are, by any metric."""
    metric, chip = base.domain.metrics[measure.metric], base.domain.nearest_chip(subject.entity)
    if metric.holders:
        counts = [m.id for m in base.domain.metrics.values() if m.holders or m.unit == metric.unit]
        known = [f for f in base.known.facts([subject.entity], counts) if f.rank == "preferred" and base.known.holds(f)]
        facts = tuple(f for f in known if base.domain.counted(f.unit) == base.domain.counted(metric.unit))[:1]
        return Cell(subject, measure, facts, times=_times(subject, measure, facts, base))
    each = measure.scope is not None and measure.scope.unit == "chip"
    if not chip or not metric.scales or is_priced(metric.id, base) or not (each or measure.scope is None):
        return Cell(subject, measure)
    of_one = look_up(Counted(chip), measure, query, base).facts[:1]
    several = 1 if each else base.domain.entities[subject.entity].chips * (subject.count or 1)
    return Cell(
        subject, measure, of_one if all(f.claim.key.is_of_one for f in of_one) else (), times=several, of_chips=True
    )


def fits(fact: Fact, query: Query) -> bool:
    """True unless a query is of another time than a fact ("in December 2024"), or of other work ("for training")."""
    date, work = dict(query.at).get("as_of", ""), dict(query.at).get("workload", "")
    if work not in fact.claim.qualifier("workload"):
        return False
    return not date or fact.as_of.startswith(date) or (bool(fact.as_of) and date.startswith(fact.as_of))


def axes_of(measure: Measure, query: Query, base: Base) -> Qualifiers:
    """What a figure has to state: what the measure names, and what holds for the whole query."""
    metric = base.domain.metrics[measure.metric]
    deeds = base.domain.axes["workload"].deeds  # "training" is said of "MPT-7B training, 512 GPUs" as well: see `fits`
    held = {(a, v) for a, v in query.at if a in metric.qualifiers and a != "as_of" and v not in deeds}
    return tuple(sorted({*measure.axes, *held}))


def is_of(measure: Measure, query: Query, base: Base) -> bool:
    """False where the query says something that no figure of the metric could state: "memory for training"."""
    if measure.metric not in base.domain.metrics:
        return False
    metric, unit = base.domain.metrics[measure.metric], base.domain.units.get(measure.unit)
    if unit is not None and unit.dimension != metric.dimension:
        return False
    return all(axis in metric.qualifiers or axis == "as_of" for axis, _ in query.at)


def _key(subject: Counted, measure: Measure, query: Query, base: Base) -> Key:
    scope = None if measure.scope is not None and measure.scope.unit == _GROUP else measure.scope
    metric = base.domain.metric_of(measure.metric, subject.entity)
    return Key(subject.entity, metric, scope, axes_of(measure, query, base))


def _counting(measure: Measure, base: Base) -> str:
    """The unit, where it tells what is counted: "CUDA cores"."""
    unit = base.names.units.get(measure.unit)
    counts = (
        unit is not None
        and unit.dimension == "count"
        and base.domain.counts(base.domain.metrics[measure.metric], measure.unit)
    )
    return measure.unit if counts else ""


def _cell(subject: Counted, measure: Measure, found: Resolved, base: Base) -> Cell:
    return Cell(subject, measure, found.facts, found.others, _times(subject, measure, found.facts, base))


def _times(subject: Counted, measure: Measure, facts: Sequence[Fact], base: Base) -> int:
    """How often one's figure counts: of what scales as many times as there are of them."""
    metric = base.domain.metrics[measure.metric]
    each = measure.scope is not None and measure.scope.unit == "chip"
    adds = (metric.scales or bool(metric.of_machines) or bool(metric.holders)) and not each
    return (subject.count or 1) if adds and facts else 1


def _is_whole(fact: Fact, base: Base) -> bool:
    """True unless it is the figure of a part of a chip, or of a pair."""
    scope = fact.claim.key.scope
    return scope is None or scope.unit in _WHOLE or not base.names.is_chip(fact.claim.subject)


def _sold_as(entity: str, metric: str, base: Base) -> list[str]:
    """A machine is rented under the names of others."""
    return base.domain.machines_like(entity) if is_priced(metric, base) and base.names.is_machine(entity) else [entity]


def _categories(subject: Counted, measure: Measure, query: Query, base: Base) -> Cell:
    """All values that are told of a subject, else of its variants, else of its line."""
    for about in _wider(subject.entity, base):
        found = [f for f in base.known.facts(about, [measure.metric]) if f.rank != "deprecated" and base.known.holds(f)]
        told = [f for f in found if _states(f, measure, query, base) and fits(f, query)]
        others = [f for f in told if f.value not in query.of.without]
        if told:
            return Cell(subject, measure, tuple(_each_value(others or told)))
    return Cell(subject, measure, _maker(subject.entity, base) if measure.metric == DESIGNER else ())


def _maker(entity: str, base: Base) -> tuple[Fact, ...]:
    """Whose a product is: the domain's word, with a quote about the product that names its maker."""
    vendor = base.domain.entities[entity].vendor
    company = base.domain.company_of(vendor) if vendor else ""
    about = (f for each in _wider(entity, base) for f in base.known.facts(each))
    naming = (f for f in about if f.rank == "preferred" and vendor in f.citation.quote and base.known.holds(f))
    found = next(naming, None) if company else None
    if found is None:
        return ()
    claim = replace(found.claim, subject=entity, metric=DESIGNER, object=company, qualifiers=(), quantity=None)
    return (replace(found, id=f"{found.id}-{DESIGNER}", claim=claim, value=company, unit=""),)


def _states(fact: Fact, measure: Measure, query: Query, base: Base) -> bool:
    wanted = dict(axes_of(measure, query, base))
    return values(fact, wanted) == tuple(wanted.values())


def _wider(entity: str, base: Base) -> Iterable[list[str]]:
    """Where to look for a category of something, the closest first."""
    names = base.names
    yield [entity]
    yield covered(names, entity, widely=names.kind(entity) == "family")
    yield [] if names.is_many(entity) else [a for a in names.ancestors(entity)[1:] if names.is_many(a)]


def _each_value(facts: Iterable[Fact]) -> list[Fact]:
    """One fact for each value, preferred ones first, and what is not there last."""
    ranks = ("preferred", "normal", "deprecated")
    first: dict[str, Fact] = {}
    for fact in sorted(facts, key=lambda f: (f.value.startswith(DENIAL), ranks.index(f.rank))):
        first.setdefault(fact.value, fact)
    return list(first.values())[:CATEGORIES]
