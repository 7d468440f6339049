"""The figures that a question gives, and sums as text.

    "8x H100 at $2 per GPU-hour"  ->  8 chips; 2 USD/hour, of one chip
    n * p  ->  "8 chips x 459 TFLOPS [1]"

Loads the finding of quantities, which takes tens of milliseconds: only for a question that may be a sum.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass

from chipwise.domain import Domain
from chipwise.phrasing import grouped
from chipwise.quantity import Quantity

CHIP, ALL = "chip", "all"  # what a figure is of; "" where the question does not tell
_OF_CHIP = frozenset(("chip", "GPU", "TPU", "device", "accelerator"))  # as units call it
_OF_ALL = frozenset(("node", "instance"))
_ONE = r"(?:chip|gpu|tpu|accelerator|card|device)"
_MANY = r"(?:node|server|instance|slice|pod|superpod|machine|system|cluster|rack|box)"
_HOURLY = r"(?:\s*(?:/|per|an?|each)\s*(?:hours?|hr|h)|\s+hourly)?"
_ONE_BEHIND = re.compile(
    rf"{_HOURLY}(?:\s*(?:/|per|for each|for every|an?|each|every)[\s-]?{_ONE}\b|\s+each\b|\s+apiece\b)", re.I
)
_MANY_BEHIND = re.compile(
    rf"{_HOURLY}\s*(?:/|per|an?|for|for the|for a|across|on|from|in total|of|on the|on an?)\s*(?:whole |entire |full |\S+ )?{_MANY}\b"
    r"|\s+(?:in total|altogether|in all|together|combined)\b",
    re.I,
)
_BEFORE = re.compile(
    rf"\b(?:(?P<one>(?:per|each|every|one|a|an|single) (?:\S+ )?{_ONE}|each)|(?P<many>{_MANY}))\b", re.I
)
_REACH = 45  # characters before a figure in which what it is of may stand
_CHIP_HOURS = re.compile(r"[\s-]?(?:hours|hrs)\b", re.I)
_PER_PARAMETER = re.compile(r"\s*(?:/|per|a|each|for each|for every)\s*(?:model )?(?:parameter|param|weight)s?\b", re.I)
_MODEL = re.compile(r"[\d.]+\s?[MBT]$")
_CENTS = re.compile(r"(?<![\d.])\d{1,3}\.\d\d(?!\d)")
_LEAST_MODEL = 1e6  # parameters; a smaller number of "models" counts models
_SIGNS: dict[type[ast.operator], str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "x", ast.Div: "/"}
_WORDED = ((1e12, "trillion"), (1e9, "billion"), (1e6, "million"))
_HUGE, _FULL = 1e15, 1e7  # from here on in powers of ten; up to here whole numbers in full


@dataclass(frozen=True, slots=True)
class Given:
    """A figure of the question: its `kind` is its dimension, or what it counts; `value` in base units, `text` to be shown."""

    kind: str
    value: float
    text: str
    scope: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Part:
    """What stands for a symbol in a sum, with its value in base units."""

    text: str
    value: float


def givens(text: str, domain: Domain) -> list[Given] | None:
    """The figures of a question; None where one is a bound, a range or of a kind that no sum takes."""
    found: list[Given] = []
    for q in domain.unit_table.find_all(text):
        if q.dimension == "number" and not _MODEL.search(text[q.start : q.end]):
            if re.search(r"\w", text[q.end : q.end + 1]) or q.low == q.high == 1:
                continue
            return None
        exact = q.bound == "exact" or (q.bound == "at most" and text[q.start].isdigit())  # "add up to 1 exaflops"
        if not exact or q.form not in ("value", "share", "change", "discount"):
            return None
        given = _given(text, q, domain)
        if given is not None:
            found.append(given)
    return found


def _given(text: str, q: Quantity, domain: Domain) -> Given | None:
    unit = domain.units.get(q.unit)
    value = q.high if q.bound == "at most" else (q.low + q.high) / 2
    kind, shown, end = q.dimension, unit.id if unit is not None else "", q.end
    if q.dimension in ("count", "number"):
        kind = shown = unit.of if unit is not None else ""
        if (kind == "models" or not kind) and value >= _LEAST_MODEL:
            kind = shown = "parameters"
        elif kind == "chips" and (hours := _CHIP_HOURS.match(text, q.end)):
            kind, shown, end = "chip-hours", "chip-hours", hours.end()
        return Given(kind, value, f"{number(value)} {_counted(shown, value)}", "", q.start, end)
    if q.dimension == "information" and (behind := _PER_PARAMETER.match(text, q.end)):
        kind, shown, end = "information per parameter", f"{'bytes' if shown == 'B' else shown}/parameter", behind.end()
    per = unit.per if unit is not None else ""
    scope = CHIP if per in _OF_CHIP else ALL if per in _OF_ALL else _scope(text, q.start, end, domain)
    if per:
        shown = shown.replace(f"/{per}-hour", "/hour").removesuffix(f"/{per}")
    scale = unit.scale if unit is not None else 1.0
    amount = (
        f"{value:.2f}" if kind.startswith("price") and _CENTS.search(text[q.start : q.end]) else number(value / scale)
    )
    return Given(kind, value, f"{amount}{'' if shown == '%' else ' '}{shown}", scope, q.start, end)


def _scope(text: str, start: int, end: int, domain: Domain) -> str:
    """What a figure is of: of what stands behind it, else of the nearest thing before it."""
    if _ONE_BEHIND.match(text, end):
        return CHIP
    if _MANY_BEHIND.match(text, end):
        return ALL
    since = max(0, start - _REACH)
    found = [(m.end(), CHIP if m["one"] else ALL) for m in _BEFORE.finditer(text, since, start)]
    found += [
        (m.end, ALL) for m in domain.find_entities(text) if since < m.end <= start and is_system(domain, m.ids[0])
    ]
    return max(found, default=(0, ""))[1]


def is_system(domain: Domain, entity: str) -> bool:
    """True for what holds several chips."""
    return domain.entities[entity].kind in ("system", "slice") and domain.entities[entity].chips > 1


def _counted(unit: str, value: float) -> str:
    return unit.removesuffix("s") if value == 1 else unit


def number(value: float, digits: int = 4) -> str:
    """As one writes it: "1,979", "70 billion", "6.3e24", "0.4623"; whole numbers of a usual size in full."""
    size = abs(value)
    if size >= _HUGE:
        return f"{value:.{digits}g}".replace("e+", "e")
    for scale, word in _WORDED:
        if size >= scale and (size >= _FULL or size % scale == 0 or round(size / scale, 3) * scale == size):
            return f"{plain(value / scale, digits)} {word}"
    return plain(value, digits)


def plain(value: float, digits: int = 4) -> str:
    """In digits, without words for powers of ten."""
    if abs(value - round(value)) <= 1e-9 * abs(value) and abs(value) < _FULL:
        return grouped(str(round(value)))
    rounded = float(f"{value:.{digits}g}")
    return grouped(f"{rounded:.10f}".rstrip("0").rstrip("."))


def shown(tree: ast.expr, parts: Mapping[str, Part]) -> str:
    """A formula with what stands for its symbols."""
    match tree:
        case ast.Name(id=name):
            return parts[name].text
        case ast.Constant(value=int() | float() as value):
            return plain(float(value))
        case ast.BinOp(left=left, op=op, right=right):
            a, b = shown(left, parts), shown(right, parts)
            weak = isinstance(op, ast.Mult | ast.Div)
            a = f"({a})" if weak and _is_sum(left) else a
            inner = parts[right.id].text if isinstance(right, ast.Name) else ""
            strong = isinstance(op, ast.Div | ast.Sub) and (isinstance(right, ast.BinOp) or " x " in inner)
            b = f"({b})" if strong or (weak and _is_sum(right)) else b
            return f"{a} {_SIGNS[type(op)]} {b}"
    raise ValueError(f"no arithmetic: {ast.dump(tree)}")


def _is_sum(tree: ast.expr) -> bool:
    return isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.Add | ast.Sub)
