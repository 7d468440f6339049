"""Figures that a text may have said of something else: what the claim reader took for the likeliest is not the only reading.

    "an NVL72 rack of GB200 ... 130 TB/s in all"    read of one chip, with some chance of the rack; the table has 130 TB/s for the rack

A text errs in few of its figures. So where the reading contradicts the table and a runner-up, not much less likely, is the
table's own figure, it is the reading that is in doubt. The reader itself knows no fact: it is here that both meet.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from chipwise.audit.casebook import Statement, group, place
from chipwise.audit.differing import differing_axes
from chipwise.claims.model import Claim
from chipwise.domain.catalogue import SCOPE
from chipwise.domain.model import Domain

ERRORS = 0.02  # the share of its figures in which a text errs, about
Facts = Mapping[tuple[str, str], Sequence[Statement]]


def reread(domain: Domain, said: Sequence[Statement], facts: Sequence[Statement]) -> list[Statement]:
    """The statements, with a doubt on those that are likelier to be misread than to be wrong."""
    known = group(f for f in facts if f.asserted)
    return [_doubted(domain, s, known) for s in said]


def _doubted(domain: Domain, s: Statement, facts: Facts) -> Statement:
    claim = s.claim
    if not claim.rivals or claim.doubt or claim.quantity is None or _is_known(domain, s, facts):
        return s
    least = ERRORS * claim.confidence
    for other, chance in _otherwise(claim):
        if chance >= least and _is_known(domain, place(domain, other, s.role), facts):
            what = " ".join(w for w in (domain.entities[other.subject].name, domain.metrics[other.metric].name) if w)
            scope = other.qualifier("aggregation")
            of = f", {scope}" if scope and scope != claim.qualifier("aggregation") else ""
            return replace(
                s, claim=replace(claim, doubt=f"it may be said of another thing, whose figure it is: {what}{of}")
            )
    return s


def _otherwise(claim: Claim) -> Iterator[tuple[Claim, float]]:
    """The claim as its runner-up readings have it, each with its chance."""
    for subject, metric, scope, chance in claim.rivals:
        stated = {axis: value for axis, value in claim.qualifiers if axis not in SCOPE}
        if scope:
            stated["aggregation"] = scope
        if scope == claim.qualifier("aggregation") and claim.qualifier("count"):
            stated["count"] = claim.qualifier("count")
        yield replace(claim, subject=subject, metric=metric, qualifiers=tuple(sorted(stated.items()))), chance


def _is_known(domain: Domain, s: Statement, facts: Facts) -> bool:
    """True where the table has the figure of the same thing, whatever is not stated; of several that are not counted, of any number of them."""
    wide: tuple[str, ...] = SCOPE if s.count is None else ()
    return any(
        f.low <= s.high and s.low <= f.high and not set(differing_axes(domain, f, s)).difference(wide)
        for f in facts.get(s.key, ())
    )
