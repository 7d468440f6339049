"""What each chip has one of: of two such figures in one sentence one is something else's.

"80 GB, and 94 GB on the other card"            neither is certain
"1,200 W per chip against 700 W for the H100"   the H100 has the one at its name
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from chipwise import patterns as re
from chipwise.claims.around import is_right_at
from chipwise.claims.known import Known
from chipwise.claims.model import Claim
from chipwise.claims.naming import names
from chipwise.claims.scene import Scene
from chipwise.domain.model import Domain
from chipwise.domain.records import Metric

_SET_AGAINST = re.compile(r"\b(?:vs\.?|versus|against|(?:as\s)?compared (?:to|with)|rather than|instead of)\s", re.I)
_ONES = ("chip", "node", "rack")  # scopes of one, which a subject has as a matter of course


def without_rivals(known: Known, scene: Scene, claims: Sequence[Claim]) -> Iterator[Claim]:
    """The claims of one sentence; a chip has one memory, so that of two figures of it one is something else's.

    Where the table gives the chip one of the two, it is the other one.
    """
    domain = known.domain
    alike: dict[tuple[object, ...], list[Claim]] = {}
    for c in claims:
        alike.setdefault(_kind_of(c), []).append(c)
    for c in claims:
        rival = _has_rival(domain, c, [o for o in alike[_kind_of(c)] if o.qualifiers == c.qualifiers])
        rival = rival or _has_nearer(domain, scene, c, alike[_kind_of(c)])
        # "3.35 and 3.9 TB/s of the H100 belong to two variants": where both are known it is open whose each is
        others = (o for o in alike[_kind_of(c)] if o is not c)
        certain = known.gives(c) and not any(known.gives(o) for o in others)
        yield replace(c, doubt="the sentence gives another figure of it") if rival and not certain else c


def beside_the_known(known: Known, cells: Sequence[Claim]) -> Iterator[Claim]:
    """The claims of a table's cells; of two that a row has of what a chip has one of, the table of facts gives one."""
    rows: dict[tuple[object, ...], list[Claim]] = {}
    for c in cells:  # the price of the node and that of each of its GPUs are two
        rows.setdefault((c.start, c.subject, c.metric, c.qualifier("aggregation")), []).append(c)
    for c in cells:
        metric = known.domain.metrics.get(c.metric)
        alike = rows[c.start, c.subject, c.metric, c.qualifier("aggregation")]
        single = metric is not None and is_single(metric) and "dtype" not in metric.qualifiers and not c.doubt
        other = single and not known.gives(c) and any(known.gives(o) for o in alike)
        yield replace(c, doubt="its row gives another figure of it") if other else c


def _kind_of(claim: Claim) -> tuple[object, ...]:
    """What a claim says a figure of, whatever that is the sum of."""
    scope = claim.qualifier("aggregation")
    kept = tuple(q for q in claim.qualifiers if q[0] != "aggregation" or scope not in _ONES)
    return claim.subject, claim.metric, claim.baseline, kept


def _has_nearer(domain: Domain, scene: Scene, claim: Claim, alike: Sequence[Claim]) -> bool:
    """True for the 1,200 of "1,200 W per chip against 700 W for the H100": one of that scope has it or nobody, and who is named has the other."""
    q, metric = claim.quantity, domain.metrics.get(claim.metric)
    if q is None or metric is None or claim.doubt or q.compares or not (is_single(metric) or metric.of_systems):
        return False
    others = [o for o in alike if o.qualifiers != claim.qualifiers and o.quantity is not None and o.polarity]
    apart = [o for o in others if o.quantity is not None and not o.quantity.agrees_with(q)]
    between = ((claim.value_end - claim.start, o.value_start - claim.start) for o in apart if not metric.of_systems)
    if not metric.of_systems and not any(_SET_AGAINST.search(scene.text, *span) for span in between):
        return False
    return not _is_at_its_name(domain, scene, claim) and any(_is_at_its_name(domain, scene, o) for o in apart)


def _is_at_its_name(domain: Domain, scene: Scene, claim: Claim) -> bool:
    start = claim.value_start - claim.start
    own = [m for m in scene.entities if names(domain, m, claim.subject)]
    return any(is_right_at(scene, q, m) for q in scene.quantities if q.start == start for m in own)


def _has_rival(domain: Domain, claim: Claim, alike: Sequence[Claim]) -> bool:
    q, metric = claim.quantity, domain.metrics.get(claim.metric)
    if q is None or metric is None or claim.doubt or not (q.compares or is_single(metric)):
        return False
    others = (o.quantity for o in alike if o is not claim and o.quantity is not None and o.polarity)
    of_a_kind = [o for o in others if o.dimension != "count" or domain.counted(o.unit) == domain.counted(q.unit)]
    # "450 W 300-400 W": beside the rating stands what it draws
    ranged = (q.dimension, q.form) == ("power", "range") and any(
        o.form == "value" and o.bound == "exact" and o.count == q.count for o in of_a_kind
    )
    return ranged or any(o.form == q.form and o.count == q.count and not o.agrees_with(q) for o in of_a_kind)


def is_single(metric: Metric) -> bool:
    """True for what each chip has one of, at one place and time."""
    return metric.nature in ("specified", "priced") and not metric.varies
