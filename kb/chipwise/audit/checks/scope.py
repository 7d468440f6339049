"""Figures of one chip set beside figures of several (CW201): "80 GB per GPU | 760 GB (8 chips)"."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from chipwise.audit.book import Book
from chipwise.audit.writer import draft, figure, name
from chipwise.figures.statement import Statement
from chipwise.types import Finding, Role


def check(book: Book) -> Iterator[Finding]:
    """One finding for each row that mixes."""
    for (source, _), beside in book.by_sentence.items():
        scaling = [s for s in beside if s.role is Role.TABLE and _scales(book, s)]
        for a, b in combinations(scaling, 2) if source in book.audited else ():
            few, many = sorted((a, b), key=lambda s: _chips(book, s))
            if a.claim.metric == b.claim.metric and a.chip != b.chip and _chips(book, few) == 1 < (many.count or 0):
                yield _mix(book, few, many, many.count or 1)
                break


def _scales(book: Book, s: Statement) -> bool:
    metric, q = book.domain.metrics.get(s.claim.metric), s.quantity
    return metric is not None and bool(s.chip) and metric.scales and q.unit != "x" and q.form in ("value", "range")


def _chips(book: Book, s: Statement) -> int:
    """How many chips a figure is of; where that is not stated but a fact of one chip has the figure, 1."""
    known = any(f.count == 1 and f.low <= s.high and s.low <= f.high for f in book.facts.get(s.key, ()))
    return s.count if s.count is not None else 1 if known else 10**6


def _mix(book: Book, few: Statement, many: Statement, count: int) -> Finding:
    one, all_ = few.middle, many.middle
    steps = (
        f"as printed: {figure(book, many)} / {figure(book, few)} = {all_ / one:.2f}x\n"
        f"chip against chip: ({figure(book, many)} / {count}) / {figure(book, few)} = {all_ / count / one:.2f}x"
    )
    return draft(
        book, "CW201", "scope", "medium",
        f"{name(book, few.claim.metric)}: {figure(book, few)} of one {name(book, few.chip)} beside {figure(book, many)} of {count} {name(book, many.chip)}",
        steps, (few, many), help="Give both per chip, or both for the same number of chips.",
    )  # fmt: skip
