"""Interval arithmetic, and arithmetic expressions evaluated over intervals.

    [12, 15] / [8, 8]                  ->  [1.5, 1.875]
    "1 - s / o" with s = 1.2, o = 4    ->  [0.7, 0.7]

A result contains every value the operands allow, and is as narrow as possible if each
name occurs once. An open side is infinite; dividing by an interval that contains 0
gives all numbers. Expressions are parsed, never executed: names, numbers, + - * / and
parentheses.
"""

from __future__ import annotations

import ast
import math
import sys
from collections.abc import Callable, Mapping
from functools import cache

from chipwise.numbers.quantity import halfway
from chipwise.values import dataclass

_MOST = sys.float_info.max


@dataclass(frozen=True, slots=True)
class Interval:
    """All numbers from `low` to `high`; finite ends are included. Raises ValueError for an empty interval."""

    low: float
    high: float

    def __post_init__(self) -> None:
        if not self.low <= self.high or self.low == math.inf or self.high == -math.inf:
            raise ValueError(f"empty interval: {self.low} to {self.high}")

    @classmethod
    def of(cls, value: float) -> Interval:
        """The interval that holds just `value`."""
        return cls(value, value)

    @property
    def middle(self) -> float:
        """The midpoint, or the finite end if the other side is open."""
        return halfway(self.low, self.high)

    @property
    def is_finite(self) -> bool:
        """True if neither side is open."""
        return math.isfinite(self.low) and math.isfinite(self.high)

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high

    def __neg__(self) -> Interval:
        return Interval(-self.high, -self.low)

    def __add__(self, other: Interval) -> Interval:
        return _spanned((self.low + other.low, self.high + other.high))

    def __sub__(self, other: Interval) -> Interval:
        return self + -other

    def __mul__(self, other: Interval) -> Interval:
        corners = [(a, b) for a in (self.low, self.high) for b in (other.low, other.high)]
        # subtle: 0 times an open side is 0, because every number on that side is finite
        return _spanned([a * b if a and b else 0.0 for a, b in corners])

    def __truediv__(self, other: Interval) -> Interval:
        if 0.0 in other:
            return Interval(-math.inf, math.inf)
        corners = [(a, b) for a in (self.low, self.high) for b in (other.low, other.high)]
        return _spanned([_quotient(a, b) for a, b in corners] + ([0.0] if not other.is_finite else []))

    def meets(self, other: Interval) -> bool:
        """True if the intervals share a number."""
        return self.low <= other.high and other.low <= self.high

    def gap(self, other: Interval) -> float:
        """The ratio between the nearest ends of two positive intervals: 1 if they meet, infinite across 0."""
        if self.meets(other):
            return 1.0
        small, big = (self.high, other.low) if self.high < other.low else (other.high, self.low)
        return big / small if small > 0 else math.inf


def _quotient(a: float, b: float) -> float:
    if math.isinf(a) and math.isinf(b):
        return math.copysign(math.inf, a) * math.copysign(1.0, b)
    return a / b


def _spanned(values: tuple[float, ...] | list[float]) -> Interval:
    """The interval from the least to the greatest value; overflow is clamped to the largest float."""
    return Interval(min(*values, _MOST), max(*values, -_MOST))


def evaluate(expression: str, values: Mapping[str, Interval]) -> Interval:
    """Evaluate an expression. Raises ValueError if it isn't arithmetic, KeyError for a name without a value."""
    return _evaluated(_parsed(expression), values)


def names(expression: str) -> tuple[str, ...]:
    """List the names in an expression, in order, each once."""
    nodes = (node for node in ast.walk(_parsed(expression)) if isinstance(node, ast.Name))
    return tuple(dict.fromkeys(n.id for n in sorted(nodes, key=lambda n: n.col_offset)))


@cache
def _parsed(expression: str) -> ast.expr:
    try:
        return ast.parse(expression.strip(), mode="eval").body
    except (SyntaxError, RecursionError, MemoryError) as error:
        raise ValueError(f"not arithmetic: {expression!r}") from error


def _evaluated(node: ast.expr, values: Mapping[str, Interval]) -> Interval:
    match node:
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            return Interval.of(float(number))
        case ast.Name(id=name):
            return values[name]
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_evaluated(operand, values)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATIONS:
            return _OPERATIONS[type(op)](_evaluated(left, values), _evaluated(right, values))
    raise ValueError(f"not arithmetic: {ast.unparse(node)!r}")


_OPERATIONS: dict[type[ast.operator], Callable[[Interval, Interval], Interval]] = {
    ast.Add: Interval.__add__,
    ast.Sub: Interval.__sub__,
    ast.Mult: Interval.__mul__,
    ast.Div: Interval.__truediv__,
}
