"""The known transformations that make one figure of another: dense to sparse, GB to GiB, one chip to eight.

"1,979 / 989 = 2.00: with sparsity"   "80 GB x 8 chips = 640 GB"

One is found by its factor, and explains a gap where the text states the axis it is
about; where the text does not, the gap stays unresolved.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from itertools import product

from chipwise.audit.agreeing import ALIKE
from chipwise.audit.amounts import NEAR_ONE, are_apart_by
from chipwise.audit.casebook import Statement, is_comparative
from chipwise.audit.differing import scope_stated
from chipwise.audit.verdicts import Relation, Verdict
from chipwise.domain.catalogue import PARTS
from chipwise.domain.formulas import Explanation
from chipwise.domain.model import Domain
from chipwise.domain.records import Metric
from chipwise.numbers.intervals import Interval
from chipwise.values import dataclass

_RESERVED_BY_DRIVER, _BY_THOUSANDS = 1.11, 1.03  # 11 of 12 GB, and 98 of 96 GB, which are 97,887 MiB
_RESERVED_OF_LARGE, _LARGE = 1.015, 90.0  # gigabytes: "93 GB" is 94, and 141 are no 144
_STEPS = (4, 6, 10)  # gigabytes, by which the memory of cards grows
_LEAST_COUNTED = 11.0  # gigabytes
_BINARY = 1.08  # a binary prefix, and a little
RESERVED = 1.15  # what is installed is at most so much more than what software can use
SMALL_TOLERANCE = 0.006
_HALF_A_DIGIT = 0.5  # of a number below a hundred, which counts as exact: "88 GB" may be 88.4
_BY_FACTOR = ("sparsity", "direction", "dtype")  # axes whose values are apart by the factors of their rules
_TWO_DIGITS = 1.05  # of a number of two digits the ends that its writing allows are no further apart
_ONE_WAY = "one way"
_UNLIKE = "other"  # 4:1 sparsity: apart by a factor of its own
FACTOR_TOLERANCE = 0.015  # a transformation's factor must be met this closely: vendors round before they double


@dataclass(frozen=True)
class _Taken:
    """A figure as it enters a division: of one chip where it is of so many, or twice."""

    domain: Domain
    of: Statement
    per: int = 1
    times: int = 1

    @cached_property
    def middle(self) -> float:
        return self.of.middle * self.times / self.per

    @cached_property
    def may_be(self) -> Interval:
        """All that its digits allow."""
        units = self.domain.units
        unit = units.get(self.of.claim.quantity.unit) if self.of.claim.quantity is not None else None
        half = _HALF_A_DIGIT * unit.scale if unit is not None and self.of.low == self.of.high else 0.0
        return Interval(self.of.low - half, self.of.high + half) / Interval.of(self.per) * Interval.of(self.times)

    def __str__(self) -> str:
        said = written(self.domain, self.of)
        said = f"{self.times} x {said}" if self.times > 1 else said
        return f"({said} / {self.per})" if self.per > 1 else said


def explain(domain: Domain, metric: Metric, a: Statement, b: Statement, differing: tuple[str, ...]) -> Relation | None:
    """The transformation whose factor one figure is of the other, if any."""
    big, small = (a, b) if a.middle >= b.middle else (b, a)
    if small.middle <= 0 or not math.isfinite(big.middle):
        return None
    ratio = big.middle / small.middle
    # eight times the BF16 of a chip may by chance be the FP8 of some node
    # and two PCIe cards are no pair of NVLs
    others = set(differing) - {"count", "aggregation"}
    counted = None if others else _explain_by_count(domain, metric, big, small, ratio)
    if counted is not None:
        return counted
    # of one chip each: 760 GB of eight against 95 GiB is 95 against 95
    per_chip = metric.scales and big.count and small.count
    pair = sorted(
        (_Taken(domain, s, per=s.count or 1 if per_chip else 1) for s in (big, small)),
        key=lambda t: t.middle,
        reverse=True,
    )
    alike = same_digits(domain, big, small)
    told = [
        _by_rule(rule, more, less, differing)
        for rule in domain.explanations.values()
        if others <= {rule.axis}  # "another format of another variant" explains nothing
        for more, less in (pair, *_of_both_ways(rule, *pair))
        if _applies(metric, rule, more.of, less.of)
        and any(_met(more.middle / less.middle, f) or _met_as_written(more, less, f) for f in rule.factors)
        and (alike if rule.same_digits else _may_hold(rule, *pair))
        # "3,200 GB/s" for 3,200 Gb/s is a slip of the unit, and no other way to count
        and not (alike and all(factor > NEAR_ONE for factor in rule.factors) and not rule.same_digits)
    ]
    if (mistaken := _only_a_unit(metric, a, b, differing, told)) is not None:
        return mistaken
    # one that the text states goes before one that it only leaves open
    stated = next((r for r in told if r.verdict is Verdict.EXPLAINED), None)
    return stated or _by_capacity(metric, a, b) or _read_off(domain, metric, a, b) or (told[0] if told else None)


def _only_a_unit(
    metric: Metric, a: Statement, b: Statement, differing: tuple[str, ...], told: Sequence[Relation]
) -> Relation | None:
    """A contradiction for 2,400 GB/s "per chip" beside 300 GB/s of a chip: no number of chips makes that, so bits are put as bytes."""
    of_one = all(s.count == 1 and scope_stated(s) for s in (a, b))
    if "aggregation" not in metric.qualifiers or differing or not of_one or len(told) != 1 or told[0].axes:
        return None
    supposed = told[0].verdict is Verdict.UNRESOLVED
    return Relation(Verdict.CONTRADICTION, "value", (), told[0].reason) if supposed else None


def _may_hold(rule: Explanation, x: _Taken, y: _Taken) -> bool:
    """False where a factor near 1 is missed by more than the writing of the figures leaves open."""
    return all(
        factor > NEAR_ONE or are_apart_by(x.may_be, y.may_be, factor, FACTOR_TOLERANCE) for factor in rule.factors
    )


def _of_both_ways(rule: Explanation, more: _Taken, less: _Taken) -> tuple[tuple[_Taken, _Taken], ...]:
    """The pair with the one that is of one way taken twice, where the other says no direction and may be of both.

    Of links between two of four chips: 2 x 450 GB/s one way / 300 GB/s = 3.
    """
    told = more.of.claim.qualifier("direction"), less.of.claim.qualifier("direction")
    if not rule.both_ways or sorted(told) != ["", _ONE_WAY]:
        return ()
    return ((replace(more, times=2), less) if told[0] else (more, replace(less, times=2)),)


def miss(domain: Domain, metric: Metric, a: Statement, b: Statement, differing: tuple[str, ...]) -> Relation | None:
    """That a gap is not what the axes that differ make of a figure, where each has known factors; None where it may be.

    2,500 TFLOPS with sparsity contradict 989 without. Formats and directions leave it
    unresolved: FP64 has units of its own, and of a link there are many ways to count.
    """
    factors = {r.axis: r.factors for r in domain.explanations.values() if r.axis in _BY_FACTOR}
    made = [axis for axis in differing if axis in factors]
    counted = ("count", "aggregation") if metric.scales and a.count and b.count else ()
    unlike = any(s.claim.qualifier("sparsity") == _UNLIKE for s in (a, b))
    if not made or unlike or not set(differing) <= {*made, *counted}:
        return None
    span = _ratio_span(metric, a, b)
    if span is None:
        return None
    left_open = [x for x in factors if x in metric.qualifiers and not all(s.claim.qualifier(x) for s in (a, b))]
    if _meets(span, [factors[x] for x in made] + [(1.0, *factors[x]) for x in left_open]):
        return None
    sure = made == ["sparsity"] and "dtype" not in left_open and (a.count or 1) == (b.count or 1)
    sure = sure and not _meets(span, [])  # one of two equal figures has lost its label
    said = " and ".join(domain.axes[axis].name for axis in made)
    middle = math.sqrt(span[0] * span[1])
    reason = f"{written(domain, a)} and {written(domain, b)} are {middle:.2f} times apart: {said} does not make that"
    return Relation(Verdict.CONTRADICTION if sure else Verdict.UNRESOLVED, "factor", differing, reason)


def _ratio_span(metric: Metric, a: Statement, b: Statement) -> tuple[float, float] | None:
    """From how many to how many times the greater figure is the smaller, of one chip each where that is known."""
    per = [s.count if metric.scales and a.count and b.count and s.count else 1 for s in (a, b)]
    (x, y), (p, q) = sorted(((s.low / n, s.high / n) for s, n in zip((a, b), per, strict=True)), key=sum)
    return (p / y, q / x) if x > 0 and math.isfinite(q) else None


def _meets(span: tuple[float, float], choices: Sequence[Sequence[float]]) -> bool:
    """True where a product of one factor of each choice is within `span`."""
    low, high = span[0] / (1 + FACTOR_TOLERANCE), span[1] * (1 + FACTOR_TOLERANCE)
    return any(low <= math.prod(chosen) <= high for chosen in product(*choices))


def _by_capacity(metric: Metric, a: Statement, b: Statement) -> Relation | None:
    """Of "192 GB" and "180 GB usable": what is installed and what software can use differ by no fixed factor."""
    x, y = a.claim.qualifier("capacity"), b.claim.qualifier("capacity")
    few, many = sorted((a.middle, b.middle))
    if "capacity" not in metric.qualifiers or bool(x) == bool(y) or many > RESERVED * few:
        return None
    return Relation(Verdict.EXPLAINED, "capacity", ("capacity",), "one is what software can use, or what is installed")


def _read_off(domain: Domain, metric: Metric, a: Statement, b: Statement) -> Relation | None:
    """That a figure of a memory was read off by software, and may be what is left of what is installed.

    Memory is installed in whole gigabytes, of either kind: "21.95 GB" is none, nor is "189471 MiB", and of two such
    figures each may be what another driver left.
    """
    if "capacity" not in metric.qualifiers:
        return None
    whole = [_is_whole(domain, metric, s) for s in (a, b)]
    if all(whole):
        counted = any(_is_counted(domain, metric, x, y) for x, y in ((a, b), (b, a)))
        says = "no such number is installed: one may be what a driver counts"
        return Relation(Verdict.UNRESOLVED, "capacity", ("capacity",), says) if counted else None
    read, installed = sorted((a, b), key=lambda s: _is_whole(domain, metric, s))
    least, most = (1 / RESERVED, _BINARY) if any(whole) else (1 / RESERVED, RESERVED)
    if least <= read.middle / installed.middle <= most:
        says = f"no whole number is installed: {'one' if any(whole) else 'both'} may be what software can use"
        return Relation(Verdict.UNRESOLVED, "capacity", ("capacity",), says)
    return None


def _is_counted(domain: Domain, metric: Metric, read: Statement, installed: Statement) -> bool:
    """True for the "46 GB" of 48, the "98 GB" of 96 and the "11 GB" of 12 that a driver prints: in thousands of MiB or whole GiB."""
    own = domain.units.get(metric.unit)
    size = read.middle / own.scale if own is not None else 0.0
    odd = size >= _LEAST_COUNTED and all(round(size) % step for step in _STEPS)
    room = _RESERVED_BY_DRIVER if size < _LARGE else _RESERVED_OF_LARGE
    return odd and installed.middle / room <= read.middle <= installed.middle * _BY_THOUSANDS


def _is_whole(domain: Domain, metric: Metric, s: Statement) -> bool:
    """True for a whole number of the metric's unit or its binary kin: 1.5 TB are 1,500 GB, and 95 GiB are whole."""
    own = domain.units.get(metric.unit)
    if own is None:
        return True
    kin = [
        u.scale for u in domain.units.values() if u.dimension == own.dimension and 1 <= u.scale / own.scale < _BINARY
    ]
    numbers = [s.middle / scale for scale in kin]
    return any(abs(n - round(n)) < 1e-6 * max(n, 1.0) for n in numbers)


def _by_rule(rule: Explanation, more: _Taken, less: _Taken, differing: tuple[str, ...]) -> Relation:
    stated = not rule.axis or rule.axis in differing or _one_states(more.of, less.of, rule)
    ratio = more.middle / less.middle
    # "15 GB" may be 16 as a driver counts them, and nobody says so
    stated = stated and any(_met(ratio, factor) or factor > NEAR_ONE for factor in rule.factors)
    told = bool(rule.axis) and rule.axis in differing if rule.supposed else stated
    verdict = Verdict.EXPLAINED if stated and told else Verdict.UNRESOLVED
    left = ", and not both say which they are of" if rule.supposed and rule.axis and not told else ""
    reason = f"{more} / {less} = {ratio:.2f}: {rule.says}{left}"
    return Relation(verdict, rule.id, (rule.axis,) if rule.axis else (), reason)


def _met(ratio: float, factor: float) -> bool:
    # "141 against 144 GB" is no GiB against GB: a factor near 1 must be met closely, or it excuses every small gap
    return abs(ratio / factor - 1) <= (FACTOR_TOLERANCE if factor > NEAR_ONE else SMALL_TOLERANCE)


def _met_as_written(more: _Taken, less: _Taken, factor: float) -> bool:
    """True where figures of two digits or more are that far apart but for their rounding: 51 and 26."""
    x, y = more.may_be, less.may_be
    if y.low <= 0:
        return False
    if factor <= NEAR_ONE:  # "45 GB" of 48, which a driver counts as 44.7 GiB: rounded to whole ones
        close = less.of.low == less.of.high and abs(more.middle / less.middle / factor - 1) <= FACTOR_TOLERANCE
    else:
        close = all(i.low > 0 and i.high <= i.low * _TWO_DIGITS for i in (x, y))
    return close and x.meets(y * Interval.of(factor))


def _explain_by_count(
    domain: Domain, metric: Metric, big: Statement, small: Statement, ratio: float
) -> Relation | None:
    """One as so many of the other: by the counts that they state, or in which the chip is sold."""
    if not metric.scales or is_comparative(big) or (scope_stated(big) and scope_stated(small)):
        return None
    if scope_stated(small) and (small.count or 1) > 1:
        return None  # "80 GB in all" for eight is no figure of one
    if big.count == 1 and big.fact is not None:
        return None  # what is less than the figure that one chip is known to have is of no number of chips
    counts = {n for n in (big.count, small.count, *domain.counts_sold.get(big.chip, ())) if n and n > 1}
    count = next((n for n in sorted(counts) if _met(ratio, n)), None)
    if count is None or same_digits(domain, big, small):
        return None  # 3,200 Gb/s against 3,200 GB/s is a slip of the unit, and no eighth of anything
    verdict = Verdict.EXPLAINED if count in (big.count, small.count) else Verdict.UNRESOLVED
    reason = f"{written(domain, small)} x {count} chips = {written(domain, big)}"
    return Relation(verdict, "count", ("count",), reason)


def _applies(metric: Metric, rule: Explanation, big: Statement, small: Statement) -> bool:
    unlike = bool(rule.written) and not any(_written_so(rule.written, s) for s in (big, small))
    of_others = rule.among and not all(s.claim.qualifier(rule.where) in rule.among for s in (big, small))
    of_others = of_others or any(s.claim.qualifier(a) == value for a, value in rule.never for s in (big, small))
    elsewhere = rule.where and rule.where not in metric.qualifiers
    if unlike or of_others or elsewhere or (rule.dimensions and metric.dimension not in rule.dimensions):
        return False
    if not rule.axis:
        return True
    x, y = big.claim.qualifier(rule.axis), small.claim.qualifier(rule.axis)
    if (rule.more and x == rule.less) or (rule.less and y == rule.more):
        return False  # 989 TFLOPS dense are not 500 with sparsity
    if rule.stated and not {x, y} & PARTS:
        return False
    if rule.axis == "dtype" and x and y and not _is_narrower(x, y):
        return False  # BF16 and FP16 are as wide, and FP16 is no faster than FP8
    return rule.axis in metric.qualifiers and not (x and x == y)


def _written_so(unit: str, s: Statement) -> bool:
    """True where a figure is written in a unit of that kind: "GiB", of "iB"."""
    return s.claim.quantity is not None and unit in s.claim.quantity.unit


def _is_narrower(a: str, b: str) -> bool:
    """True where numbers of format `a` may be faster than those of `b`: fewer bits, or nobody knows."""
    x, y = _bits(a), _bits(b)
    return int(x) < int(y) if x and y else x != y


def _bits(number_format: str) -> str:
    """The width that a format's name ends with: "16" of bf16 and fp16, "8" of int8 and mxfp8."""
    return number_format[len(number_format.rstrip("0123456789")) :]


def _one_states(big: Statement, small: Statement, rule: Explanation) -> bool:
    """True when the figure that is larger, or the one that is smaller, says the value that makes it so."""
    return bool(big.claim.qualifier(rule.axis) or small.claim.qualifier(rule.axis))


def same_digits(domain: Domain, a: Statement, b: Statement) -> bool:
    """True for 80 GB against 80 TB: the same number with another unit is a slip, however far apart they are."""
    x, y = (_in_its_unit(domain, s) for s in (a, b))
    return a.claim.quantity != b.claim.quantity and abs(x - y) <= ALIKE * max(abs(x), abs(y))


def _in_its_unit(domain: Domain, s: Statement) -> float:
    unit = domain.units.get(s.claim.quantity.unit) if s.claim.quantity is not None else None
    return s.middle / (unit.scale if unit is not None else 1.0)


def written(domain: Domain, s: Statement) -> str:
    """The figure in the unit that it was written in."""
    q = s.claim.quantity
    if q is None:
        return s.claim.object
    shown = _in_its_unit(domain, s)
    return f"{shown:,.4g} {q.unit}" if shown < 1e4 else f"{shown:,.0f} {q.unit}"  # noqa: PLR2004
