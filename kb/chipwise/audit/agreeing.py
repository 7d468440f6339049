"""Whether two figures agree as they stand: as intervals, per chip, or one rounded to the other."""

from __future__ import annotations

import math

from chipwise.audit.casebook import Statement, is_comparative
from chipwise.audit.verdicts import Relation, Verdict
from chipwise.domain.records import Metric
from chipwise.numbers.quantity import halfway

ROUNDED = 0.03  # a figure written with fewer digits may differ by this much: "1,000" for 989
ALIKE = 0.005  # 393 and 394 TOPS: the same product of clock and units, worked out twice
_AT_ITS_END = 0.1  # of a most: what is so near is it, counted in GiB or rounded up


def _per_unit(metric: Metric, a: Statement, b: Statement) -> tuple[tuple[float, float], tuple[float, float]]:
    """Both intervals, of one chip each where it is known how many they are of."""
    x, y = (a.low, a.high), (b.low, b.high)
    if metric.scales and a.count and b.count and a.count != b.count and not is_comparative(a):
        return (a.low / a.count, a.high / a.count), (b.low / b.count, b.high / b.count)
    return x, y


def agreement(metric: Metric, a: Statement, b: Statement) -> Relation | None:
    """In what way two figures are one, as written or per chip; None where they are two."""
    x, y = _per_unit(metric, a, b)
    counted = a.count != b.count and a.count is not None and b.count is not None
    too_much = any(f.fact is not None and exceeds(metric, s, f) for s, f in ((a, b), (b, a)))
    if too_much or (counted and not metric.scales):  # a node's TDP says nothing of a chip's
        return None
    bounds = {s.claim.quantity.bound for s in (a, b) if s.claim.quantity is not None}
    p, q = halfway(*x), halfway(*y)
    if len(bounds) == 1 and bounds <= {"at most", "at least"} and abs(p - q) > ROUNDED * q:
        return Relation(Verdict.UNRESOLVED, "bounds", (), "both are bounds, and not the same one")
    if _overlap(x, y):
        exact = {s.claim.quantity.bound for s in (a, b) if s.claim.quantity is not None} == {"exact"}
        if counted:
            return Relation(Verdict.EXPLAINED, "count", ("count",), f"{a.count} chips against {b.count}")
        wide = max(x[1] - x[0], y[1] - y[0]) > 0.1 * min(abs(x[1]), abs(y[1]))
        return Relation(Verdict.COMPATIBLE if wide or not exact else Verdict.SAME, "interval")
    if _is_rounded(p, q):
        return Relation(Verdict.EXPLAINED, "rounded", (), "one is the other, rounded")
    return None


def exceeds(metric: Metric, s: Statement, known: Statement) -> bool:
    """True for "up to 64 GB" of what is known to have 32: a most is what somebody offers of a thing, and not any number above it."""
    q, k = s.claim.quantity, known.claim.quantity
    # what a machine has at most may be over more of its parts than somebody counts
    one = metric.nature == "specified" and not (metric.varies or metric.of_hosts or metric.of_systems)
    if q is None or k is None or not one or is_comparative(s):
        return False
    x, y = (halfway(*interval) for interval in _per_unit(metric, s, known))
    return q.bound == "at most" and k.is_single and x > y * (1 + _AT_ITS_END)


def _overlap(x: tuple[float, float], y: tuple[float, float]) -> bool:
    """True when some value rounds to both; 1.6 ends where 1.7 begins, and is not it."""
    inside = x[0] < y[1] * (1 - 1e-9) and y[0] < x[1] * (1 - 1e-9)
    points = x[0] == x[1] or y[0] == y[1]  # a count, or the end of a range, is a value of its own
    return inside or (points and x[0] <= y[1] * (1 + 1e-9) and y[0] <= x[1] * (1 + 1e-9))


def _is_rounded(p: float, q: float) -> bool:
    if not (math.isfinite(p) and math.isfinite(q)) or p <= 0 or q <= 0:
        return False
    gap = abs(p - q) / max(p, q)
    if gap <= ALIKE:
        return True
    return gap <= ROUNDED and any(_round(m, n) for m, n in ((p, q), (q, p)))


def _round(coarse: float, fine: float) -> bool:
    """True when `fine`, written with as few digits as `coarse` has, is `coarse`; three digits are not few."""
    digits = len(f"{coarse:.6e}".partition("e")[0].rstrip("0").replace(".", ""))
    return digits <= 2 and f"{fine:.{digits - 1}e}" == f"{coarse:.{digits - 1}e}"  # noqa: PLR2004
