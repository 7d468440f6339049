"""Which figures may stand in one equation, and which two of one metric an explanation reconciles."""

from __future__ import annotations

from collections.abc import Sequence

from chipwise.audit.amounts import are_apart_by
from chipwise.audit.casebook import Casebook
from chipwise.audit.differing import go_together
from chipwise.audit.inputs import Input
from chipwise.domain.catalogue import RUN

# what the figures of one subject must not contradict one another in; of two subjects, neither
AXES = (
    "dtype",
    "sparsity",
    "engine",
    "workload",
    "benchmark",
    "price_terms",
    "provider",
    "memory_kind",
    "capacity",
    "direction",
)


_ROOM = 0.03  # by so much of itself a figure may be off what an explanation makes of another one


def explained(book: Casebook, inputs: Sequence[Input], tolerance: float) -> bool:
    """True when two figures of one metric are apart by a factor that an explanation rule has: GB for GiB, both directions."""
    if len(inputs) != 2 or inputs[0].term.metric != inputs[1].term.metric:  # noqa: PLR2004
        return False
    metric = book.domain.metrics[inputs[0].term.metric]
    a, b = (i.statement.claim for i in inputs)
    for rule in book.domain.explanations.values():
        possible = metric.dimension in rule.dimensions or (not rule.dimensions and rule.axis in metric.qualifiers)
        settled = rule.axis and a.qualifier(rule.axis) == b.qualifier(rule.axis) != ""
        counted = rule.axis == "aggregation"  # by how many chips a figure is divided is what is judged here
        if (
            possible
            and not settled
            and not counted
            and any(
                are_apart_by(inputs[0].value, inputs[1].value, factor, min(tolerance, _ROOM)) for factor in rule.factors
            )
        ):
            return True
    return False


def fit(book: Casebook, a: Input, b: Input) -> bool:
    """True when two figures may stand in one equation: of one subject, nothing contrary; of two, nothing that only one states."""
    same_subject = a.symbol.rpartition("_")[2] == b.symbol.rpartition("_")[2]
    x, y = a.statement, b.statement
    if x is y:
        return False
    pinned = {axis for axis, _ in a.term.qualifiers} & {axis for axis, _ in b.term.qualifiers}
    for axis in AXES:
        p, q = x.claim.qualifier(axis), y.claim.qualifier(axis)
        if axis not in pinned and not go_together(axis, p, q):
            return False
        # of two subjects: both must state the same, or neither anything
        strict = a.term is b.term and not same_subject and axis in RUN and x.fact is None and y.fact is None
        if strict and p != q:
            return False
    if a.term is b.term and x.fact is None and y.fact is None and x.claim.source != y.claim.source:
        return False
    variants = {v for s in (x, y) if (v := book.domain.variant_of(s.claim.subject))}
    return not same_subject or len(variants) <= 1
