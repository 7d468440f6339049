"""Columns of a table that hang together, told by their numbers alone, and the one number that does not.

    3,066   1.00       each second number is the first over 3,066: the chance that 4,358 / 3,066 has the digits of 1.42
    4,358   1.42       is one in a hundred
    12,841  3.19       but 12,841 / 3,066 = 4.19

A column may be another times a count that a header states, a product or quotient of two, or, where it is 1 for one row, the
quotient to that row. Columns may also be rows.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from chipwise.audit.amounts import number
from chipwise.audit.tabled import Lines, Number
from chipwise.domain.model import Domain
from chipwise.numbers.intervals import Interval

_RARE, _RARE_OF_ONE = 0.01, 0.05  # chances, for a table
_OFF, _NOT_THESE = 0.02, 10.0  # a number is wrong that is off by more than the first share, and less than so many times
_NEAR = 1.2  # times: factors that may be one, at a glance
_ONE = Interval.of(1)
Powers = tuple[tuple[int, int], ...]  # of which columns, and to which power


@dataclass(frozen=True, slots=True)
class Pattern:
    """`wrong` should be `made`, by `formula` of the `operands`, as in the rows that have `fits`."""

    chance: float
    wrong: Number
    made: Interval
    formula: str
    operands: tuple[Number, ...]
    fits: tuple[str, ...] = ()


def patterns(domain: Domain, lines: Lines, *, down: bool) -> Iterator[Pattern]:
    """Numbers of one line that are not, as all others of it, the quotient to one of another, or, `down` a column, made of others."""
    for at, (header, claimed) in reversed([*enumerate(lines)]):  # results stand behind what they are made of
        others = [i for i, (_, numbers) in enumerate(lines) if i != at and _varies(numbers)]
        for powers in _ways(others, down=down) if _varies(claimed) else ():
            pairs = _factors(lines, claimed, powers)
            if not _may_be_one(pairs):
                continue
            ones = [n for n, _ in pairs if (c := claimed[n]) and _is_one(c)]
            ratios = _is_bare(domain, header) and any(c and not c.text.isdecimal() for c in claimed)
            if len(ones) == 1 and len(powers) == 1 and ratios:
                base = ones[0]
                found = _outlier(lines, claimed, powers, pairs, (base, _ONE / _side(lines, powers, base)))
                yield from [found] if found is not None and found.chance < _RARE_OF_ONE else []
            elif down:
                counts = {w for i, _ in powers for h in (lines[i][0], header) for w in h.split() if w.isdecimal()}
                usual = ((n, u) for n, f in pairs if (u := _usual(f, counts if len(powers) == 1 else None)))
                tried = (_outlier(lines, claimed, powers, pairs, pair) for pair in usual)
                yield from [p for p in tried if p is not None and p.chance < _RARE][:1]


def _ways(others: Sequence[int], *, down: bool) -> Iterator[Powers]:
    yield from (((i, power),) for i in others for power in (1, -1))
    if down:
        yield from (((i, p), (j, q)) for i, j in combinations(others, 2) for p, q in ((1, 1), (1, -1), (-1, 1)))


def _factors(lines: Lines, claimed: Sequence[Number | None], powers: Powers) -> list[tuple[int, Interval]]:
    """By row, how many times the others a number is."""
    operands = ((n, c, _operands(lines, powers, n)) for n, c in enumerate(claimed) if c is not None)
    whole = ((n, c) for n, c, o in operands if len(o) == len(powers) and all(x.value.low > 0 for x in (c, *o)))
    return [(n, c.value / _side(lines, powers, n)) for n, c in whole]


def _may_be_one(pairs: Sequence[tuple[int, Interval]]) -> bool:
    """True where all factors but one are near to one another."""
    found = sorted(f.middle for _, f in pairs)
    return len(found) > 2 and min(found[-1] / found[1], found[-2] / found[0]) < _NEAR  # noqa: PLR2004


def _outlier(
    lines: Lines, claimed: Sequence[Number | None], powers: Powers, pairs: Sequence[tuple[int, Interval]],
    like: tuple[int, Interval],
) -> Pattern | None:  # fmt: skip
    """The one number whose factor is another than that of the row `like`, which all the rest have."""
    at, factor = like
    agreeing = [n for n, f in pairs if n != at and f.meets(factor)]
    apart = [n for n, f in pairs if f.gap(factor) > 1 + _OFF]
    if len(apart) != 1 or not agreeing or len(agreeing) + 2 != len(pairs):
        return None
    wrong, made = claimed[apart[0]], _side(lines, powers, apart[0]) * factor
    columns = [claimed, *(lines[i][1] for i, _ in powers)]
    if wrong is None or not all(_varies([c[n] for n in (at, *agreeing)]) for c in columns):
        return None
    if not 1 + _OFF < made.gap(wrong.value) < _NOT_THESE:
        return None
    blurs = (sum(o.blur for o in (*_operands(lines, powers, n), claimed[n]) if o) for n in agreeing)
    chance = math.prod(min(1.0, blur) for blur in blurs) * len(lines) ** len(powers)
    operands = _operands(lines, powers, apart[0])
    base = claimed[at]
    if len(powers) == 1 and base is not None and _is_one(base):
        operands = (*operands, *_operands(lines, powers, at))[:: powers[0][1]]
        formula = " / ".join(o.text for o in operands)
    else:
        formula = _formula(operands, powers, factor)
    fits = tuple(c.text for n in agreeing if (c := claimed[n]))
    return Pattern(chance, wrong, made, formula, operands, fits)


def _is_bare(domain: Domain, header: str) -> bool:
    """True where a header names no unit: what is 1 in "Gbps" is no ratio."""
    found = (q for word in header.split() for q in domain.unit_table.find(f"1 {word.strip('(),')}"))
    return all(q.dimension in ("count", "ratio") for q in found)


def _usual(factor: Interval, counts: Collection[str] | None) -> Interval | None:
    """The count that a header states ("tokens/s, 8 GPUs"), or what one is of it; of two columns, what units explain."""
    if counts is not None:
        known = [x for c in counts if (n := int(c)) > 1 for x in (float(n), 1 / n)]
    else:
        known = [x * 10.0**n for x in (1.0, 3600.0, 1 / 3600) for n in range(-9, 10, 3)]
    return next((Interval.of(x) for x in known if factor.meets(Interval.of(x))), None)


def _is_one(n: Number) -> bool:
    return math.isclose(n.value.middle, 1.0)


def _varies(numbers: Sequence[Number | None]) -> bool:
    return len({n.value.middle for n in numbers if n}) > 1


def _operands(lines: Lines, powers: Powers, at: int) -> tuple[Number, ...]:
    return tuple(n for i, _ in powers if at < len(lines[i][1]) and (n := lines[i][1][at]))


def _side(lines: Lines, powers: Powers, at: int) -> Interval:
    made = _ONE
    for operand, (_, power) in zip(_operands(lines, powers, at), powers, strict=True):
        made = made * operand.value if power > 0 else made / operand.value
    return made


def _formula(operands: Sequence[Number], powers: Powers, factor: Interval) -> str:
    over = [o.text for o, (_, power) in zip(operands, powers, strict=True) if power > 0]
    below = [o.text for o, (_, power) in zip(operands, powers, strict=True) if power < 0]
    text = " / ".join((" x ".join(over) or "1", *below))
    if factor.meets(_ONE):
        return text
    times = factor.middle
    return f"{text} x {number(times)}" if times > 1 else f"{text} / {number(1 / times).removesuffix('.00')}"
