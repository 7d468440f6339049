"""What makes one figure of another: dense to sparse, GB to GiB, one chip to eight, what is installed to what a driver counts.

"1,979 / 989 = 2.00: with sparsity"   "80 GB x 8 chips = 640 GB"

Which factors there are, on which axis, is data: the [[explanation]] rows of axes.toml. A factor that fits explains a gap
where the text states the axis, and leaves it open where the text does not.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from chipwise.domain.catalogue import SCOPE
from chipwise.domain.formulas import Explanation
from chipwise.domain.model import Domain
from chipwise.domain.records import Metric
from chipwise.figures.statement import Statement
from chipwise.numbers.intervals import Interval
from chipwise.types import Role
from chipwise.values import dataclass

DIES = frozenset(("die", "core"))  # what a chip is made of
TOLERANCE = 0.015  # makers round before they double
NEAR_ONE = 1.2  # a factor below this (GiB for GB) would excuse most slips, were it not met as closely as the figures are written
_CLOSELY, _SMALL = 0.001, 0.006
_TWO_DIGITS = 1.05  # a number of two digits may be anything between ends that are no further apart
SAME_DIGITS = 0.005
RESERVED = 1.15  # what is installed is at most so much more than what software can use
_BINARY = 1.073741824  # GiB of GB
_RECKONED = {Role.CODE, Role.DATA}  # which make bytes of GB by 1024 ** 3 as well as by 1e9
_STEPS, _LEAST_COUNTED = (4, 6, 10), 11.0  # gigabytes, by which the memory of cards grows from some size on
_ROOM, _ROOM_OF_LARGE, _LARGE = 1.11, 1.015, 90.0  # 11 of 12 GB; "93 GB" is 94, and 141 are no 144
OTHER_SPARSITY = "other"  # 4:1: apart by a factor of its own


@dataclass(frozen=True, slots=True)
class Transform:
    """`rule` is the row of axes.toml, "count" or "capacity"; `stated` is True where the text says so itself."""

    rule: str
    axes: tuple[str, ...]
    reason: str
    stated: bool


@dataclass(frozen=True, slots=True)
class _Side:
    """A figure of one chip, as it enters a division. `digits` is all that its digits allow."""

    of: Statement
    middle: float
    digits: Interval
    text: str


def transform(
    domain: Domain, metric: Metric, a: Statement, b: Statement, differing: Sequence[str] = ()
) -> Transform | None:
    """What makes the one figure of the other, rather what the text states than what it leaves open; `differing` are the axes on which they do."""
    big, small = (a, b) if a.middle >= b.middle else (b, a)
    if small.middle <= 0 or not math.isfinite(big.middle):
        return None
    others = set(differing) - {*SCOPE}  # eight times the BF16 of a chip may by chance be the FP8 of some node
    counted = _by_count(domain, metric, big, small) if not others else None
    if counted is not None and counted.stated:
        return counted
    found = list(_by_rules(domain, metric, big, small, others))
    # a density that one side states is a plainer cause than a number of chips that nobody does
    stated = next((t for t in found if t.stated), None)
    return stated or counted or _by_driver(domain, metric, a, b) or (found[0] if found else None)


def _by_count(domain: Domain, metric: Metric, big: Statement, small: Statement) -> Transform | None:
    """One as so many of the other: by the counts that they state, or in which the chip is sold."""
    if not metric.scales or big.comparative or (big.scoped and small.scoped) or same_digits(domain, big, small):
        return None
    if (small.scoped and (small.count or 1) > 1) or (big.count == 1 and big.fact is not None):
        return None  # "80 GB in all" is no figure of one; what is less than one chip's is of no number of chips
    counts = {n for n in (big.count, small.count, *domain.counts_sold.get(big.chip, ())) if n and n > 1}
    count = next((n for n in sorted(counts) if abs(big.middle / small.middle / n - 1) <= TOLERANCE), None)
    if count is None:
        return None
    reason = f"{written(domain, small)} x {count} chips = {written(domain, big)}"
    return Transform("count", ("count",), reason, count in (big.count, small.count))


def _by_rules(
    domain: Domain, metric: Metric, big: Statement, small: Statement, others: set[str]
) -> Iterator[Transform]:
    per_chip = metric.scales and big.count and small.count
    sides = (_side(domain, s, (s.count or 1) if per_chip else 1) for s in (big, small))
    more, less = sorted(sides, key=lambda x: -x.middle)
    alike, span = same_digits(domain, big, small), more.digits / less.digits
    for rule in domain.explanations.values():
        near = all(factor <= NEAR_ONE for factor in rule.factors)
        # one number with another unit is a slip of the unit, and no other way to count
        if others - {rule.axis} or (rule.same_digits and not alike) or (alike and not near):
            continue
        if not _applies(metric, rule, more.of, less.of):
            continue
        exactly = not (rule.same_digits or (rule.written and _RECKONED & {big.role, small.role}))
        factor = next((f for f in rule.factors if _met(more, less, span, f, exactly=exactly)), None)
        if factor is None:
            continue
        ratio, states = more.middle / less.middle, [s.claim.qualifier(rule.axis) for s in (more.of, less.of)]
        stated = all(states) if rule.supposed else not rule.axis or any(states)
        # "15 GB" may be 16 as a driver counts them, and nobody says so
        met = factor > NEAR_ONE or abs(ratio / factor - 1) <= _SMALL
        stated = stated and met and bool(rule.axis or not rule.supposed)
        left = ", but not both say which they mean" if rule.supposed and rule.axis and not stated else ""
        reason = f"{more.text} / {less.text} = {ratio:.2f}: {rule.says}{left}"
        yield Transform(rule.id, (rule.axis,) if rule.axis else (), reason, stated)


def _side(domain: Domain, s: Statement, per: int) -> _Side:
    half = (
        0.5 * _scale(domain, s.quantity.unit) if s.low == s.high else 0.0
    )  # a number below a hundred counts as exact: "88 GB" may be 88.4
    text = f"({written(domain, s)} / {per})" if per > 1 else written(domain, s)
    return _Side(s, s.middle / per, Interval(s.low - half, s.high + half) / Interval.of(per), text)


def _met(more: _Side, less: _Side, span: Interval, factor: float, *, exactly: bool) -> bool:
    """True where the one is `factor` of the other as closely as makers round, or as the digits of the figures leave open."""
    off = abs(more.middle / less.middle / factor - 1)
    if factor > NEAR_ONE:
        few = all(i.low > 0 and i.high <= i.low * _TWO_DIGITS for i in (more.digits, less.digits))
        return off <= TOLERANCE or (few and factor in span)
    whole = less.of.low == less.of.high  # "45 GB" of 48, which a driver counts as 44.7 GiB: rounded to whole ones
    room = Interval(1 - _CLOSELY, 1 + _CLOSELY) * span
    return (off <= _SMALL or (whole and off <= TOLERANCE and factor in span)) and (not exactly or factor in room)


def _applies(metric: Metric, rule: Explanation, more: Statement, less: Statement) -> bool:
    both, units = (more.claim, less.claim), (more.quantity.unit, less.quantity.unit)
    reckoned = not rule.supposed and bool(_RECKONED & {more.role, less.role})
    if (
        (rule.written and not (any(rule.written in unit for unit in units) or reckoned))
        or (rule.where and rule.where not in metric.qualifiers)
        or (rule.dimensions and metric.dimension not in rule.dimensions)
        or (rule.among and not all(c.qualifier(rule.where) in rule.among for c in both))
        or any(c.qualifier(axis) == value for axis, value in rule.never for c in both)
    ):
        return False
    if not rule.axis:
        return True
    x, y = (c.qualifier(rule.axis) for c in both)
    if (rule.more and x == rule.less) or (rule.less and y == rule.more) or (rule.stated and not {x, y} & DIES):
        return False  # 989 TFLOPS dense are not 500 with sparsity
    if rule.axis == "dtype" and x and y and not _narrower(x, y):
        return False  # BF16 and FP16 are as wide, and FP16 is no faster than FP8
    return rule.axis in metric.qualifiers and not (x and x == y)


def _narrower(a: str, b: str) -> bool:
    """True where numbers of format `a` may be faster than those of `b`: fewer bits, or nobody knows. A name ends with its width."""
    x, y = (name[len(name.rstrip("0123456789")) :] for name in (a, b))
    return int(x) < int(y) if x and y else x != y


def _by_driver(domain: Domain, metric: Metric, a: Statement, b: Statement) -> Transform | None:
    """Of a memory what software can use, or a size that none is installed in: a driver counts "21.95 GB" or "46 GB" of what has 24 or 48."""
    if "capacity" not in metric.qualifiers:
        return None
    counted, installed = sorted((a, b), key=lambda s: s.middle)
    one_says = bool(a.claim.qualifier("capacity")) != bool(b.claim.qualifier("capacity"))
    room, own = RESERVED, _scale(domain, metric.unit)
    size = round(counted.middle / own)
    is_odd = size >= _LEAST_COUNTED and all(size % step for step in _STEPS)
    if one_says and installed.middle <= RESERVED * counted.middle and (is_odd or counted.claim.qualifier("capacity")):
        return Transform("capacity", ("capacity",), "one is the installed memory, or what software can use", True)
    if counted.preferred:  # the table has what is installed: a driver counts no more, but for 24,576 MB of 24 GB
        room = 0.0 if _is_whole(domain, metric, installed) else _BINARY
    elif _is_whole(domain, metric, counted):
        room = (_ROOM if counted.middle < _LARGE * own else _ROOM_OF_LARGE) if is_odd else 0.0
    says = "memory does not come in that size, so one may be what a driver reports"
    return Transform("capacity", ("capacity",), says, False) if installed.middle <= room * counted.middle else None


def _is_whole(domain: Domain, metric: Metric, s: Statement) -> bool:
    """True for a whole number of the metric's unit or its binary kin: 1.5 TB are 1,500 GB, and 95 GiB are whole."""
    sizes = (s.middle / _scale(domain, metric.unit) / prefix for prefix in (1.0, _BINARY))
    return any(abs(n - round(n)) < 1e-6 * max(n, 1.0) for n in sizes)


def same_digits(domain: Domain, a: Statement, b: Statement) -> bool:
    """True for 80 GB against 80 TB: the same number with another unit is a slip, however far apart they are."""
    x, y = (s.middle / _scale(domain, s.quantity.unit) for s in (a, b))
    return a.claim.quantity != b.claim.quantity and abs(x - y) <= SAME_DIGITS * max(abs(x), abs(y))


def written(domain: Domain, s: Statement) -> str:
    """The figure in the unit that it was written in."""
    if s.claim.quantity is None:
        return s.claim.object
    shown = s.middle / _scale(domain, s.quantity.unit)
    return f"{shown:,.4g} {s.quantity.unit}" if shown < 1e4 else f"{shown:,.0f} {s.quantity.unit}"  # noqa: PLR2004


def form(domain: Domain, s: Statement, word: str) -> str:
    """Name the format and density of a figure behind "in" or "for": "in BF16 with 2:4 sparsity", "for FP32", "without sparsity"."""
    dtype, sparsity = s.claim.qualifier("dtype"), s.claim.qualifier("sparsity")
    density = "without sparsity" if sparsity == "dense" else f"with {sparsity} sparsity" if sparsity else ""
    return f"{word} {domain.terms[dtype].name} {density}".strip() if dtype else density


def _scale(domain: Domain, unit: str) -> float:
    return domain.units[unit].scale if unit in domain.units else 1.0
