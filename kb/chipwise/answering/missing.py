"""Why a query has no answer: what is not known, and what is known instead."""

from __future__ import annotations

from collections.abc import Sequence

from chipwise.answering.base import Base
from chipwise.answering.query import Counted, Measure, Query, Unknown
from chipwise.answering.sentences import qualified, the
from chipwise.answering.terms import axes_of, is_priced
from chipwise.claims.model import Fact
from chipwise.figures.phrasing import listed, phrase, value_text
from chipwise.figures.resolve import latest
from chipwise.figures.variants import covered

_KNOWN = 5


def reason_of_unknown(unknown: Sequence[Unknown], base: Base) -> str:
    """ "nothing here is called RTX 6090; known of that series are the RTX 4090 and the RTX 5090"."""
    named = listed(u.name for u in unknown)
    known = [base.names.name(i) for u in unknown for i in u.known]
    return f"no source mentions {named}" + (f"; known of its kind: {listed(known, _KNOWN)}" if known else "")


def reason_of_missing(empty: Sequence[tuple[Counted, Measure]], query: Query, base: Base) -> str:
    """ "the facts hold no price of the H200 on AWS; known are those of Azure and CoreWeave"."""
    subject, measure = empty[0]
    metric = base.domain.metrics[measure.metric]
    wanted = axes_of(measure, query, base)
    said = [f"on {phrase(a, v, base.names)}" if a == "provider" else phrase(a, v, base.names) for a, v in wanted]
    said += [f"as of {value}" for axis, value in query.at if axis == "as_of"]
    whose = listed(the(of.entity, base) for of, missing in empty if missing == measure)
    reason = f"no source gives the {metric.name} of {whose}" + (f" ({', '.join(said)})" if said else "")
    known = _instead(subject, measure, query, base)
    if not known and said and is_priced(measure.metric, base):
        return f"{reason}, and none at all is known of it"
    return f"{reason}; known of it: {known}" if known else reason


def _prices(facts: Sequence[Fact], base: Base) -> str:
    """ "2.39 USD/hour (on demand, RunPod, as of 2026-11)": what others ask, the lowest first; no price is a figure of something else."""
    latest_first = sorted(latest(list(facts), base.names), key=lambda f: f.amount)
    said = [f"{value_text(f, base.names)}{qualified(f, base)}" for f in latest_first if f.is_single or f.claim.quantity]
    return listed(dict.fromkeys(said), _KNOWN)


def _instead(subject: Counted, measure: Measure, query: Query, base: Base) -> str:
    """The providers, formats or runs of which a figure is known, else the other metrics."""
    about = covered(base.names, subject.entity)
    facts = [f for f in base.known.facts(about) if f.rank == "preferred" and base.known.holds(f)]
    alike = [f for f in facts if f.claim.metric == measure.metric]
    if is_priced(measure.metric, base):
        every = base.known.facts(about, [measure.metric])
        return _prices([f for f in every if f.rank != "deprecated" and base.known.holds(f)], base)
    for axis in ("provider", "price_terms", "dtype") if alike else ():
        values = [phrase(axis, v, base.names) for f in alike if (v := f.claim.qualifier(axis))]
        if values and axis in dict(axes_of(measure, query, base)):
            return f"the {base.domain.metrics[measure.metric].name} for {listed(values, _KNOWN)}"
    counted: dict[str, int] = {}
    for fact in facts:
        counted[fact.claim.metric] = counted.get(fact.claim.metric, 0) + 1
    names = [base.domain.metrics[m].name for m in base.domain.metrics if m in counted]
    return listed(names, _KNOWN)
