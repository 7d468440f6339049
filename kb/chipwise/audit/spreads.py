"""Values that differ and may: ranges (CW103, CW104), what a transformation explains (CW101) or could explain (CW202)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

from chipwise.audit.casebook import Casebook
from chipwise.audit.comparing import DIFFERS
from chipwise.audit.drafting import draft, figure, name
from chipwise.audit.readings import Comparison, Places, Reading, are_told_apart, reconciled, statements_by_place
from chipwise.audit.verdicts import Verdict
from chipwise.domain.catalogue import SCOPE
from chipwise.figures.phrasing import listed
from chipwise.text import counted
from chipwise.types import Finding

_SHOWN = 4  # quotes a spread shows: its ends and two between
# rules that print a quotient, not only that two things differ
_ARITHMETIC = ("sparsity", "direction", "dtype", "count")


def find_spreads(book: Casebook, compared: Sequence[Comparison], *, alike: bool = False) -> Iterator[Finding]:
    """CW103, and CW104 for multiples: one finding for each chip and metric, over the whole range.

    With `alike`, only of values between which nothing is stated that sets them apart: of a
    draft it is no news that two providers have two prices.
    """
    ranges: dict[tuple[str | int | None, ...], dict[int, Reading]] = {}
    for c in compared:
        told = c.relation.verdict is Verdict.SPREAD and not (alike and c.relation.axes)
        if told and c.a.best.fact is None and c.b.best.fact is None:
            for reading in (c.a, c.b):
                # of eight there is another range
                key = (*c.a.best.key, c.a.best.claim.baseline, reading.best.count or 1)
                ranges.setdefault(key, {})[id(reading)] = reading
    for readings in (found for found in ranges.values() if len(found) > 1):
        ordered = sorted(readings.values(), key=lambda r: (r.best.low, r.best.high))
        if ordered[0].best.high < ordered[-1].best.high:
            yield _spread(book, ordered)


def _spread(book: Casebook, ordered: Sequence[Reading]) -> Finding:
    low, high = ordered[0].best, ordered[-1].best
    subject, metric = name(book, low.claim.subject), name(book, low.claim.metric)
    comparative = bool(low.claim.baseline) or (low.claim.quantity is not None and low.claim.quantity.unit == "x")
    code = "CW104" if comparative else "CW103"
    against = f" against {name(book, low.claim.baseline)}" if low.claim.baseline else ""
    title = f"{subject} {metric}{against} ranges from {figure(book, low)} to {figure(book, high)}"
    statements = [s for r in ordered for s in r.statements]
    explanation = (
        f"{_why_they_vary(book, ordered)}: {len(ordered)} values in"
        f" {counted(len({s.claim.source for s in statements}), 'source')}, {book.witnesses(statements)} independent"
    )
    step = max(1, (len(ordered) - 1) // (_SHOWN - 1))
    shown = [r.best for r in ordered[::step]][: _SHOWN - 1]
    return draft(book, code, "spread", "low", title, explanation, (*(s for s in shown if s is not high), high))


def _why_they_vary(book: Casebook, ordered: Sequence[Reading]) -> str:
    """What the values of a spread state differently, and what some of them do not state of it."""
    metric = book.domain.metrics[ordered[0].best.claim.metric]
    stated = {
        axis: {r.best.claim.qualifier(axis) for r in ordered} for axis in metric.qualifiers if axis in book.domain.axes
    }
    axes = {axis: values for axis, values in stated.items() if len(values) > 1 and axis not in SCOPE}
    differ = [book.domain.axes[axis].name for axis, values in axes.items() if len(values - {""}) > 1]
    untold = [book.domain.axes[axis].name for axis, values in axes.items() if "" in values and len(values) > 1]
    parts = [f"they differ in {listed(differ)}"] if differ else []
    parts += [f"not all say the {listed(untold)}"] if untold else []
    return (
        f"{metric.nature} values vary; {' and '.join(parts)}"
        if parts
        else f"{metric.nature} values vary, and nothing says why"
    )


def find_explained(book: Casebook, compared: Sequence[Comparison]) -> Iterator[Finding]:
    """Explained and compatible pairs, shown on request; and what stays unresolved for want of a stated scope (CW202).

    Of several that one reading could be, the one by a count goes first.
    """
    by_reading: dict[int, list[Comparison]] = {}
    settled, places = reconciled(book.domain, compared), statements_by_place(book)
    for c in compared:
        if _tells(c) and not (_is_open(c) and _is_known(book, c, settled, places)):
            by_reading.setdefault(id(c.b), []).append(c)
    for candidates in by_reading.values():
        yield _explained(book, min(candidates, key=lambda c: c.relation.rule != "count"))


def _is_known(book: Casebook, c: Comparison, settled: Set[int], places: Places) -> bool:
    """True where one of two agrees with a fact, or who gives the one gives the other beside it."""
    return id(c.a) in settled or id(c.b) in settled or are_told_apart(book.domain, places, c)


def _tells(c: Comparison) -> bool:
    """True when a pair is worth showing: not of two facts, and more is known than that something else differs."""
    if c.a.best.fact is not None and c.b.best.fact is not None:
        return False
    if _is_open(c):
        return c.relation.rule in _ARITHMETIC
    explained = c.relation.verdict is Verdict.EXPLAINED
    return explained and c.relation.rule != DIFFERS


def _is_open(c: Comparison) -> bool:
    return c.relation.verdict is Verdict.UNRESOLVED


def _explained(book: Casebook, c: Comparison) -> Finding:
    a, b = c.a.best, c.b.best
    subject, metric = name(book, b.claim.subject), name(book, b.claim.metric)
    title = f"{subject} {metric}: {figure(book, a)} and {figure(book, b)}"
    code, severity = ("CW202", "low") if _is_open(c) else ("CW101", "info")
    return draft(book, code, c.relation.verdict.value, severity, title, c.relation.reason, (a, b), help=_missing(c))


def _missing(c: Comparison) -> str:
    return f"say the {', '.join(c.relation.axes)}" if _is_open(c) and c.relation.axes else ""
