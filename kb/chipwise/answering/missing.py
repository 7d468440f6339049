"""Why a query has no answer: what is not known, and what is known instead."""

from __future__ import annotations

from collections.abc import Sequence

from chipwise.answering.base import Base
from chipwise.answering.query import Counted, Measure, Query, Unknown
from chipwise.answering.sentences import qualified, the
from chipwise.answering.terms import axes_of, is_priced
from chipwise.figures.format import listed, phrase, value_text
from chipwise.figures.resolve import latest
from chipwise.figures.variants import covered

_KNOWN = 5


def reason_of_unknown(unknown: Sequence[Unknown], base: Base) -> str:
    """ "nothing here is called RTX 6090; known of that series are the RTX 4090 and the RTX 5090"."""
    named = listed(u.name for u in unknown)
    known = [base.names.name(i) for u in unknown for i in u.known]
    return f"no source mentions {named}" + (f"; similar names: {listed(known, _KNOWN)}" if known else "")


def reason_of_missing(empty: Sequence[tuple[Counted, Measure]], query: Query, base: Base) -> str:
    """ "the facts hold no price of the H200 on AWS; known are those of Azure and CoreWeave"."""
    subject, measure = empty[0]
    metric = base.domain.metrics[measure.metric]
    wanted = axes_of(measure, query, base)
    said = [f"on {phrase(a, v, base.names)}" if a == "provider" else phrase(a, v, base.names) for a, v in wanted]
    said += [f"as of {value}" for axis, value in query.at if axis == "as_of"]
    whose = listed(the(of.entity, base) for of, missing in empty if missing == measure)
    reason = f"no source gives the {metric.name} of {whose}" + (f" ({', '.join(said)})" if said else "")
    known = _instead(subject, measure, base)
    return f"{reason}; what is known: {known}" if known else reason


def _instead(subject: Counted, measure: Measure, base: Base) -> str:
    """What others ask, the lowest first, as no price is a figure of something else; else the metrics that are known."""
    facts = [f for f in base.known.facts(covered(base.names, subject.entity)) if base.known.holds(f)]
    if is_priced(measure.metric, base):
        offers = latest([f for f in facts if f.rank != "deprecated" and f.claim.metric == measure.metric], base.names)
        offers.sort(key=lambda f: f.amount)
        return listed((f"{value_text(f, base.names)}{qualified(f, base)}" for f in offers), _KNOWN)
    metrics = {f.claim.metric for f in facts if f.rank == "preferred"}
    return listed((m.name for m in base.domain.metrics.values() if m.id in metrics), _KNOWN)
