"""Equations with figures in them as text: what each part comes to, and where its figures stand.

    u_a * p_a            ->  58% x 459 TFLOPS = 266 TFLOPS   [note.md:28, facts google.csv:40]
    (h_a / 8) / (h_b / 8) ->  0.53 to 0.92

Figures are shown as written, results with the digits that matter.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal

from chipwise.audit.casebook import Casebook
from chipwise.audit.drafting import place
from chipwise.audit.inputs import Input
from chipwise.numbers.intervals import Interval, evaluate_tree, names_in, parse

_SIGNS: dict[type[ast.operator], str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "x", ast.Div: "/"}
_HUNDRED, _TEN, _TENTH = 100, 10, 0.1
_WHOLE = 1e5  # from here on no figure is written with decimals


@dataclass(frozen=True, slots=True)
class Shown:
    """A part of an equation: as text, what it comes to in base units, and its dimension and unit ("" for a bare number)."""

    text: str
    value: Interval
    dimension: str = ""
    unit: str = ""
    scale: float = 1.0
    is_figure: bool = False  # no arithmetic in it

    @property
    def result(self) -> str:
        """ "514 TFLOPS", "0.99 to 1.70"."""
        return f"{spanned(self.value / Interval.of(self.scale))} {self.unit}".strip()

    @property
    def equation(self) -> str:
        """ "266 TFLOPS / 514 TFLOPS = 0.52", or the figure alone."""
        return self.text if self.is_figure else f"{self.text} = {self.result}"


@dataclass(frozen=True, slots=True)
class Steps:
    """Renders expressions with one choice of inputs, by symbol."""

    book: Casebook
    inputs: Mapping[str, Input]

    def parts(self, expression: str) -> tuple[list[tuple[str, Shown, str]], Shown]:
        """(subject's tag, part, places) for the largest parts that put figures of one subject together; and the whole, over them."""
        tree = parse(expression)
        found = [part for part in _of_one_subject(tree) if part is not tree]
        shown = {part: self.show(part, {}) for part in found}
        steps = [(_tag(part), shown[part], self.places(names_in(part))) for part in found]
        # subtle: keyed by node, and nodes are hashed by identity
        done = {part: Shown(s.result, s.value, s.dimension, s.unit, s.scale) for part, s in shown.items()}
        return steps, self.show(tree, done)

    def places(self, symbols: frozenset[str] | tuple[str, ...]) -> str:
        """Where the figures stand: "[note.md:12, facts nvidia.csv:12]"."""
        where = (_place(self.book, used) for symbol, used in self.inputs.items() if symbol in symbols)
        return f"[{', '.join(dict.fromkeys(where))}]"

    def show(self, node: ast.expr, done: Mapping[ast.expr, Shown]) -> Shown:
        """A part of an equation with its figures in place; those in `done` as what they came to."""
        if node in done:
            return done[node]
        value = evaluate_tree(node, {symbol: used.nominal for symbol, used in self.inputs.items()})
        match node:
            case ast.Name(id=symbol):
                return self.figure(symbol)
            case ast.BinOp(left=left, op=op, right=right):
                return _combined(self.show(left, done), self.show(right, done), op, value, wrap=right not in done)
            case ast.UnaryOp(operand=operand):
                return Shown(f"-{self.show(operand, done).text}", value)
            case ast.Call(args=args):
                return Shown(" to ".join(self.show(a, done).text for a in args), value, is_figure=True)
        return Shown(f"{value.middle:g}", value, is_figure=True)

    def figure(self, symbol: str) -> Shown:
        """A figure in its metric's unit: "58%", "3,672 TFLOPS / 8"."""
        used, domain = self.inputs[symbol], self.book.domain
        metric = domain.metrics[used.term.metric]
        if metric.dimension == "ratio":
            percent = metric.unit == "%"
            return Shown(
                as_written(used.nominal * Interval.of(_HUNDRED if percent else 1)) + metric.unit,
                used.nominal,
                is_figure=True,
            )
        text, scale = self.whole(symbol), self._scale(symbol)
        divided = f"{text} / {used.count}" if used.count > 1 else text
        return Shown(divided, used.nominal, metric.dimension, self._unit(symbol), scale, is_figure=used.count == 1)

    def whole(self, symbol: str) -> str:
        """The figure before it is divided by the chips that it is of."""
        used = self.inputs[symbol]
        return f"{as_written(used.nominal * Interval.of(used.count / self._scale(symbol)))} {self._unit(symbol)}"

    def _unit(self, symbol: str) -> str:
        """The metric's; where any figure of the dimension may stand, the one that it is written in: "24 hour"."""
        used = self.inputs[symbol]
        own = used.statement.claim.quantity.unit if used.statement.claim.quantity is not None else ""
        return own if used.term.any_of_dimension else self.book.domain.metrics[used.term.metric].unit

    def _scale(self, symbol: str) -> float:
        unit = self.book.domain.units.get(self._unit(symbol))
        return unit.scale if unit is not None else 1.0


def _of_one_subject(node: ast.expr) -> Iterator[ast.expr]:
    names = names_in(node)
    if len(names) > 1 and len({n.rpartition("_")[2] for n in names}) == 1:
        yield node
    else:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                yield from _of_one_subject(child)


def _tag(node: ast.expr) -> str:
    return next(iter(names_in(node))).rpartition("_")[2]


def _place(book: Casebook, used: Input) -> str:
    where = place(book, used.statement)
    return f"facts {where}" if used.statement.fact is not None else where


def _combined(x: Shown, y: Shown, op: ast.operator, value: Interval, *, wrap: bool) -> Shown:
    # subtle: "$8 / 4" in a divisor needs parentheses although it is one figure
    right = f"({y.text})" if wrap and not y.is_figure else y.text
    text = f"{x.text} {_SIGNS[type(op)]} {right}"
    if isinstance(op, ast.Div) and x.dimension == y.dimension:
        return Shown(text, value)
    if isinstance(op, ast.Div) and y.dimension:
        return Shown(text, value, f"{x.dimension}/{y.dimension}", f"{x.unit or 1} per {y.unit}", x.scale / y.scale)
    if isinstance(op, ast.Mult) and x.dimension and y.dimension:
        return Shown(text, value, f"{x.dimension} {y.dimension}", f"{x.unit} {y.unit}", x.scale * y.scale)
    main = x if x.dimension else y
    return Shown(text, value, main.dimension, main.unit, main.scale)


def number(value: float) -> str:
    """A result with the digits that matter: "1,966", "12.4", "0.52", "0.004"."""
    if abs(value) >= _HUNDRED:
        return f"{value:,.0f}"
    if 0 < abs(value) < _TENTH:
        return _rounded(value, 2)
    return f"{value:.3g}" if abs(value) >= _TEN else f"{value:.2f}"


def spanned(value: Interval) -> str:
    """ "0.52", "0.99 to 1.70", "up to 4.00"."""
    return _between(value, number)


def as_written(value: Interval) -> str:
    """A figure with all its digits: "3,450", "989.4", "8 to 11", "up to 4"."""
    return _between(value, lambda x: f"{x:,.0f}" if abs(x) >= _WHOLE else _rounded(x, 5))


def _rounded(value: float, digits: int) -> str:
    """So many significant digits, never with an exponent."""
    return f"{Decimal(f'{value:.{digits}g}'):,f}"


def _between(value: Interval, write: Callable[[float], str]) -> str:
    if math.isinf(value.high):
        return "any number" if math.isinf(value.low) else f"at least {write(value.low)}"
    if math.isinf(value.low):
        return f"up to {write(value.high)}"
    low, high = write(value.low), write(value.high)
    return low if low == high else f"{low} to {high}"
