"""The checks of an audit, by name: `check(book) -> Iterator[Finding]`, none of which knows another."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from chipwise.audit import equations, lineage
from chipwise.audit.book import Book
from chipwise.audit.checks import against, category, ceiling, drift, equation, key, ratio, scope, shape, spread
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
# those of a document beside result files: what it says of them, and its own arithmetic
OF_RESULTS: Mapping[str, Check] = {
    "against": against.check,
    **{name: ALL[name] for name in ("equation", "ceiling", "ratio", "sum", "shape")},
}
