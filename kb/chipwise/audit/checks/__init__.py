"""The checks of an audit, by name: `check(book) -> Iterator[Finding]`, none of which knows another."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from chipwise.audit import equations, lineage
from chipwise.audit.book import Book
from chipwise.audit.checks import category, ceiling, drift, equation, key, ratio, scope, shape, spread
from chipwise.audit.checks import sum as sum_
from chipwise.types import Finding

Check = Callable[[Book], Iterable[Finding]]
ALL: Mapping[str, Check] = {
    "key": key.check,
    "scope": scope.check,
    "drift": drift.check,
    "law": equations.check,
    "equation": equation.check,
    "ceiling": ceiling.check,
    "ratio": ratio.check,
    "sum": sum_.check,
    "shape": shape.check,
    "category": category.check,
    "spread": spread.check,
    "copies": lineage.check,
}
