"""Two statements about one chip and metric: are they comparable, and do they agree?

    same          the intervals agree in one unit
    compatible    one bounds or contains the other
    explained     a known transformation reconciles them, and the text says so
    spread        measured, priced or estimated: such values vary
    unresolved    a transformation could reconcile them, and the text does not say
    contradiction comparable, and nothing reconciles them
    incomparable  something else is meant; nothing is reported

The first that holds, in the order of the verdict lattice.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

from chipwise.audit.casebook import CHIP_LEVEL, Statement
from chipwise.domain import Domain
from chipwise.records import Explanation, Metric
from chipwise.types import Role

FACTOR_TOLERANCE = 0.015  # a transformation's factor must be met this closely: vendors round before they double
ROUNDED = 0.03  # a figure written with fewer digits may differ by this much: "1,000" for 989
FAR = 4.0  # a larger gap is no error of a maker's or a writer's, but another thing measured
ALIKE = 0.005  # 393 and 394 TOPS: the same product of clock and units, worked out twice
# Values on these axes are other things altogether, not the same thing otherwise counted.
_APART = ("workload", "benchmark")
_VARY = ("provider", "price_terms", "as_of")
_COMPARATIVE = ("multiple", "change", "discount")


class Verdict(StrEnum):
    """What two statements are to each other."""

    SAME = "same"
    COMPATIBLE = "compatible"
    EXPLAINED = "explained"
    SPREAD = "spread"
    UNRESOLVED = "unresolved"
    CONTRADICTION = "contradiction"
    INCOMPARABLE = "incomparable"


@dataclass(frozen=True, slots=True)
class Relation:
    """The verdict with the rule that decided it, the axes that it turned on, and the arithmetic or reason in words."""

    verdict: Verdict
    rule: str = ""
    axes: tuple[str, ...] = ()
    reason: str = ""


def relate(domain: Domain, a: Statement, b: Statement) -> Relation:
    """The verdict on two statements with one `key`. Symmetric but for the order of figures in the reason."""
    metric = domain.metrics.get(a.claim.metric)
    if metric is None or a.key != b.key or (a.claim.quantity is None) != (b.claim.quantity is None):
        return Relation(Verdict.INCOMPARABLE, "subject")
    if a.claim.quantity is None or b.claim.quantity is None:
        return _relate_categories(metric, a, b)
    if a.claim.quantity.dimension != b.claim.quantity.dimension or _is_comparative(a) != _is_comparative(b):
        return Relation(Verdict.INCOMPARABLE, "dimension")
    if _is_comparative(a) and not (a.claim.baseline and a.claim.baseline == b.claim.baseline):
        return Relation(Verdict.INCOMPARABLE, "baseline", ("baseline",))
    if metric.nature == "specified" and not _is_of_a_chip(domain, a):
        return Relation(Verdict.INCOMPARABLE, "line")  # "GPUs have 80 to 192 GB": a line has no one value
    differing = differing_axes(domain, a, b)
    if any(axis in _APART for axis in differing):
        return Relation(Verdict.INCOMPARABLE, "workload", differing)
    return _relate_values(domain, metric, a, b, differing)


def _is_of_a_chip(domain: Domain, s: Statement) -> bool:
    entity = domain.entities.get(s.chip)
    unnamed = entity is not None and entity.kind in ("system", "slice") and entity.chips == 1  # "a TPU pod"
    return entity is None or not (unnamed or entity.kind in ("line", "family"))


def _is_comparative(s: Statement) -> bool:
    q = s.claim.quantity
    return q is not None and (q.form in _COMPARATIVE or q.unit == "x")


def differing_axes(domain: Domain, a: Statement, b: Statement) -> tuple[str, ...]:
    """The axes on which both state a value and not the same one."""
    stated = dict(b.claim.qualifiers)
    differing = [
        axis
        for axis, value in a.claim.qualifiers
        # "HBM" is no other kind than "HBM3e", only less of a word for it
        if axis != "count" and not _alike(stated.get(axis, value), value)
    ]
    if a.count is not None and b.count is not None:
        differing = [axis for axis in differing if axis != "aggregation" or a.count != b.count]
        if a.count != b.count:
            differing.append("count")
    if _variants_differ(domain, a.claim.subject, b.claim.subject):
        differing.append("form_factor")
    return tuple(dict.fromkeys(differing))


def _alike(a: str, b: str) -> bool:
    return a.startswith(b) or b.startswith(a)


def _variants_differ(domain: Domain, a: str, b: str) -> bool:
    """True for H100 SXM and H100 PCIe; not for H100 and one of them."""
    entities = domain.entities
    if a == b or not (a in entities and b in entities):
        return False
    both = entities[a].kind in CHIP_LEVEL and entities[b].kind in CHIP_LEVEL
    return both and a not in domain.ancestors(b) and b not in domain.ancestors(a)


def _relate_categories(metric: Metric, a: Statement, b: Statement) -> Relation:
    if a.claim.object == b.claim.object:
        opposite = a.claim.polarity != b.claim.polarity
        return Relation(Verdict.CONTRADICTION, "polarity") if opposite else Relation(Verdict.SAME, "same")
    if not metric.single or not (a.claim.polarity and b.claim.polarity):
        return Relation(Verdict.INCOMPARABLE, "other category")
    if differing := tuple(x for x in ("form_factor", "as_of") if _differ_on(a, b, x)):
        return Relation(Verdict.EXPLAINED, differing[0], differing, "they are of different variants")
    if a.claim.object.startswith(b.claim.object) or b.claim.object.startswith(a.claim.object):
        return Relation(Verdict.COMPATIBLE, "wider category")  # "HBM" and "HBM3e"
    return Relation(Verdict.CONTRADICTION, "category")


def _differ_on(a: Statement, b: Statement, axis: str) -> bool:
    x, y = a.claim.qualifier(axis), b.claim.qualifier(axis)
    return bool(x and y and x != y)


def _relate_values(domain: Domain, metric: Metric, a: Statement, b: Statement, differing: tuple[str, ...]) -> Relation:
    x, y = _per_unit(metric, a, b)
    if set(differing) <= {"count", "aggregation"}:
        agreement = _agreement(a, b, x, y)
        if agreement is not None:
            return agreement
    explained = _explain(domain, metric, a, b, differing)
    # twice the throughput is another run far more often than another format
    if explained is not None and not (explained.verdict is Verdict.UNRESOLVED and metric.nature == "measured"):
        return explained
    if differing and (metric.nature == "specified" or not set(differing) <= set(_VARY)):
        said = ", ".join(domain.axes[axis].name for axis in differing if axis in domain.axes)
        return Relation(Verdict.EXPLAINED, differing[0], differing, f"they differ in {said}")
    if metric.nature != "specified" or differing or _is_comparative(a):
        return Relation(Verdict.SPREAD, metric.nature, differing, f"{metric.nature} values vary")
    if (open_axis := _open_axis(domain, metric, a, b)) is not None:
        return open_axis
    return Relation(Verdict.CONTRADICTION, "value")


def _open_axis(domain: Domain, metric: Metric, a: Statement, b: Statement) -> Relation | None:
    """What keeps a gap from being a contradiction: something that the text leaves open and that could account for it."""
    if len({a.claim.subject, b.claim.subject}) > 1 and len(domain.variants.get(a.chip, ())) > 1:
        reason = "one is of a variant, the other does not say of which"
        return Relation(Verdict.UNRESOLVED, "form_factor", ("form_factor",), reason)
    if (a.claim.source, a.claim.start) == (b.claim.source, b.claim.start) or _one_table(a, b):
        return Relation(
            Verdict.UNRESOLVED,
            "one place",
            (),
            "one sentence or table gives both: it tells them apart in its own words",
        )
    ratio = max(_value(a), _value(b)) / max(min(_value(a), _value(b)), 1e-300)
    if "aggregation" in metric.qualifiers and not (_scope_stated(a) and _scope_stated(b)):
        parts = {s.claim.qualifier("aggregation") for s in (a, b)} & {"core", "die", "link", "stack", "pair"}
        if parts or abs(ratio / round(ratio) - 1) <= FACTOR_TOLERANCE or {a.count, b.count} - {None, 1}:
            return Relation(Verdict.UNRESOLVED, "scope", ("aggregation",), "one does not say of how many chips it is")
    if ratio > FAR and not _wrong_prefix(ratio):
        return Relation(
            Verdict.UNRESOLVED,
            "far apart",
            (),
            f"a factor of {ratio:.3g} lies between them: they are hardly of the same thing",
        )
    return None


def _one_table(a: Statement, b: Statement) -> bool:
    same = (a.claim.source, a.claim.passage) == (b.claim.source, b.claim.passage)
    return same and a.role is Role.TABLE and b.role is Role.TABLE


def _scope_stated(s: Statement) -> bool:
    return bool(s.claim.qualifier("aggregation") or s.claim.qualifier("count"))


def _wrong_prefix(ratio: float) -> bool:
    """True for GB against TB: the same digits with another prefix."""
    return any(abs(ratio / 10**power - 1) <= FACTOR_TOLERANCE for power in (3, 6, 9)) or any(
        abs(ratio / 1024**power - 1) <= FACTOR_TOLERANCE for power in (1, 2, 3)
    )


def _per_unit(metric: Metric, a: Statement, b: Statement) -> tuple[tuple[float, float], tuple[float, float]]:
    """Both intervals, of one chip each where it is known how many they are of."""
    x, y = (a.low, a.high), (b.low, b.high)
    if metric.scales and a.count and b.count and a.count != b.count and not _is_comparative(a):
        return (a.low / a.count, a.high / a.count), (b.low / b.count, b.high / b.count)
    return x, y


def _agreement(a: Statement, b: Statement, x: tuple[float, float], y: tuple[float, float]) -> Relation | None:
    counted = a.count != b.count and a.count is not None and b.count is not None
    if x[0] <= y[1] * (1 + 1e-9) and y[0] <= x[1] * (1 + 1e-9):
        exact = {s.claim.quantity.bound for s in (a, b) if s.claim.quantity is not None} == {"exact"}
        if counted:
            return Relation(Verdict.EXPLAINED, "count", ("count",), f"{a.count} chips against {b.count}")
        wide = max(x[1] - x[0], y[1] - y[0]) > 0.1 * min(abs(x[1]), abs(y[1]))
        return Relation(Verdict.COMPATIBLE if wide or not exact else Verdict.SAME, "interval")
    if _is_rounded(x, y):
        return Relation(Verdict.EXPLAINED, "rounded", (), "one is the other, rounded")
    return None


def _is_rounded(x: tuple[float, float], y: tuple[float, float]) -> bool:
    p, q = _middle(x), _middle(y)
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


def _middle(interval: tuple[float, float]) -> float:
    low, high = interval
    return high if math.isinf(low) else low if math.isinf(high) else (low + high) / 2


def _explain(domain: Domain, metric: Metric, a: Statement, b: Statement, differing: tuple[str, ...]) -> Relation | None:
    """The transformation whose factor one figure is of the other, if any."""
    big, small = (a, b) if _value(a) >= _value(b) else (b, a)
    if _value(small) <= 0 or not math.isfinite(_value(big)):
        return None
    ratio = _value(big) / _value(small)
    counted = _explain_by_count(domain, metric, big, small, ratio)
    if counted is not None:
        return counted
    for rule in domain.explanations.values():
        if not _applies(metric, rule, a, b):
            continue
        if any(abs(ratio / factor - 1) <= FACTOR_TOLERANCE for factor in rule.factors):
            axes = (rule.axis,) if rule.axis else ()
            stated = rule.axis in differing or not rule.axis or _one_states(big, small, rule)
            reason = f"{_written(domain, big)} / {_written(domain, small)} = {ratio:.2f}: {rule.says}"
            verdict = Verdict.EXPLAINED if stated and rule.id != "bits" else Verdict.UNRESOLVED
            return Relation(verdict, rule.id, axes, reason)
    return None


def _explain_by_count(
    domain: Domain, metric: Metric, big: Statement, small: Statement, ratio: float
) -> Relation | None:
    if not metric.scales or _is_comparative(big):
        return None
    counts = {n for n in (big.count, small.count, *domain.counts_sold.get(big.chip, ())) if n and n > 1}
    for count in sorted(counts):
        settled = _scope_stated(big) and _scope_stated(small)
        if abs(ratio / count - 1) > FACTOR_TOLERANCE or settled:
            continue
        verdict = Verdict.EXPLAINED if count in (big.count, small.count) else Verdict.UNRESOLVED
        reason = f"{_written(domain, small)} x {count} chips = {_written(domain, big)}"
        return Relation(verdict, "count", ("count",), reason)
    return None


def _applies(metric: Metric, rule: Explanation, a: Statement, b: Statement) -> bool:
    if rule.dimensions and metric.dimension not in rule.dimensions:
        return False
    if not rule.axis:
        return True
    x, y = a.claim.qualifier(rule.axis), b.claim.qualifier(rule.axis)
    return rule.axis in metric.qualifiers and not (x and x == y)


def _one_states(big: Statement, small: Statement, rule: Explanation) -> bool:
    """True when the figure that is larger, or the one that is smaller, says the value that makes it so."""
    return bool(big.claim.qualifier(rule.axis) or small.claim.qualifier(rule.axis))


def _value(s: Statement) -> float:
    return _middle((s.low, s.high))


def _written(domain: Domain, s: Statement) -> str:
    """The figure in the unit that it was written in."""
    q = s.claim.quantity
    if q is None:
        return s.claim.object
    unit = domain.units.get(q.unit)
    value = _value(s) / (unit.scale if unit is not None else 1.0)
    return f"{value:,.4g} {q.unit}" if value < 1e4 else f"{value:,.0f} {q.unit}"  # noqa: PLR2004
