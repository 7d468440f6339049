"""Figures of one chip beside figures of eight (CW2xx)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from chipwise import patterns as re
from chipwise.audit.casebook import Casebook, Statement
from chipwise.audit.differing import scope_stated
from chipwise.audit.drafting import draft, figure, name
from chipwise.types import Finding, Role

_MULTIPLE = re.compile(r"\d\s?x\b|[×%]", re.I)
_MADE_UP = 0.03  # makers round before they multiply
AMBIGUOUS = "ambiguous_name"  # the metric of a claim that only says that a name has two readings


def find_scope_mixes(book: Casebook, source: str = "") -> Iterator[Finding]:
    """CW201 in one row or sentence, CW202 for a scope dropped; with `source`, in it alone."""
    by_source: dict[str, list[Statement]] = {}
    for s in book.said if not source else (s for s in book.said if s.claim.source == source):
        by_source.setdefault(s.claim.source, []).append(s)
    for statements in by_source.values():
        scaling = [s for s in statements if s.asserted and s.chip and _scales(book, s)]
        yield from _mixed(book, scaling)


def _scales(book: Casebook, s: Statement) -> bool:
    metric = book.domain.metrics.get(s.claim.metric)
    q = s.claim.quantity
    return metric is not None and metric.scales and q is not None and q.unit != "x" and q.form in ("value", "range")


def _mixed(book: Casebook, statements: Sequence[Statement]) -> Iterator[Finding]:
    """One row or sentence that sets a figure of one chip beside one of several."""
    places: dict[tuple[int, int, str], list[Statement]] = {}
    for s in statements:
        places.setdefault((s.claim.start, s.claim.end, s.claim.metric), []).append(s)
    for beside in places.values():
        for a, b in combinations(beside, 2):
            few, many = sorted((a, b), key=lambda s: _chips(book, s))
            mixed = a.chip != b.chip and many.count and _chips(book, few) == 1 < many.count
            if mixed and many.count and not _are_told_apart(book, few, many):
                yield _mix(book, few, many, many.count)
                break


def _are_told_apart(book: Casebook, few: Statement, many: Statement) -> bool:
    """True for a sentence that sets neither figure against the other, and says what has more: "$4.92 for an H100; $43.26 for a p5e"."""
    quote = book.find_evidence(few).quote
    if few.role is Role.TABLE or _MULTIPLE.search(quote) or book.domain.find_phrase("sets against", quote):
        return False
    return scope_stated(many) or many.claim.subject != many.chip


def _chips(book: Casebook, s: Statement) -> int:
    """How many chips a figure is of; where that is not stated but a fact of one chip has the figure, 1."""
    if s.count is not None:
        return s.count
    for fact in book.facts.get(s.key, []):
        if fact.count == 1 and fact.low <= s.high and s.low <= fact.high:
            return 1
    return 10**6


def _mix(book: Casebook, few: Statement, many: Statement, count: int) -> Finding:
    one, all_ = few.middle, many.middle
    metric = name(book, few.claim.metric)
    title = f"{metric}: {figure(book, few)} of one {name(book, few.chip)} beside {figure(book, many)} of {count} {name(book, many.chip)}"
    steps = (
        f"as printed: {figure(book, many)} / {figure(book, few)} = {all_ / one:.2f}x\n"
        f"chip against chip: ({figure(book, many)} / {count}) / {figure(book, few)} = {all_ / count / one:.2f}x"
    )
    return draft(
        book, "CW201", "scope", "medium", title, steps, (few, many), help="give both of one chip, or both of as many"
    )
