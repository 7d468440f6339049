"""What a query wants of a single fact: its axes, its time, and a category that it has or lacks."""

from __future__ import annotations

from chipwise.answering.base import Base
from chipwise.answering.query import Measure, Query
from chipwise.claims.model import Fact, Qualifiers
from chipwise.domain.records import Term
from chipwise.figures.relate import is_wider

DENIAL = "no "  # begins a category that says that something is not there: "no FP8"


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
