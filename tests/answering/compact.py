"""Queries as people write them in a golden file: one short string for each part, and only the parts that are there.

{"of": ["2 nvidia-h200", "amd-mi300x"], "what": ["memory_capacity"], "order": "most"}
"""

from __future__ import annotations

from chipwise.answering.query import Assertion, Condition, Counted, Measure, Order, Query
from chipwise.domain.model import Domain
from chipwise.numbers.quantity import Quantity

Compact = dict[str, object]


def compact(query: Query | None, domain: Domain) -> Compact:
    """What a query says, short; {} for none."""
    if query is None:
        return {}
    of, said = query.of, query.asserts
    parts: Compact = {
        "of": [_counted(c) for c in of.entities],
        "unknown": [u.name.lower() for u in of.unknown],
        "set": [*of.lines, *of.kinds, *of.makers],
        "without": list(of.without),
        "where": [_condition(c, domain) for c in of.where],
        "what": [_measure(m) for m in query.what],
        "order": _order(query.order) if query.order else "",
        "relate": query.relate,
        "asserts": _asserted(said, domain) if said is not None else "",
        "at": [f"{axis}={value}" for axis, value in query.at],
        "left": [query.text[start:end] for start, end in query.left],
    }
    return {name: part for name, part in parts.items() if part}


def _asserted(said: Assertion, domain: Domain) -> str:
    value = " or ".join((_value(said.value, domain) or "so", *said.others))
    return f"{'' if said.holds else 'not '}{'strictly ' if said.strict else ''}{value}"


def _counted(counted: Counted) -> str:
    return (
        f"{f'{counted.count} ' if counted.count else ''}{counted.entity}{f' as {counted.unit}' if counted.unit else ''}"
    )


def _measure(measure: Measure) -> str:
    axes = "".join(f" {a}={v}" for a, v in measure.axes)
    scope = f" per {measure.scope.unit}" if measure.scope else ""
    return f"{measure.metric}{axes}{scope}{f' in {measure.unit}' if measure.unit else ''}"


def _condition(condition: Condition, domain: Domain) -> str:
    return f"{'' if condition.holds else 'not '}{_measure(condition.measure)}: {'strictly ' if condition.strict else ''}{_value(condition.value, domain)}"


def _order(order: Order) -> str:
    return f"{order.first}{f' {order.limit}' if order.limit > 1 else ''}"


def _value(value: Quantity | Counted | str | None, domain: Domain) -> str:
    if isinstance(value, Counted):
        return _counted(value)
    if value is None or isinstance(value, str):
        return value or ""
    scale = domain.units[value.unit].scale if value.unit in domain.units else 1.0
    bound = "" if value.bound == "exact" else f"{value.bound} "
    if value.form == "range":
        return f"{value.low / scale:g} to {value.high / scale:g} {value.unit}"
    return f"{bound}{value.middle / scale:.6g} {value.unit}".strip()
