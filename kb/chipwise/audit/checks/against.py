"""The figures of a document beside the result files that they come from (CW106).

A figure that restates a measurement has no spread: it is that of some row under whose settings it stands, or it is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator

from chipwise.audit.book import Book
from chipwise.audit.writer import draft, figure, name, place, read_as
from chipwise.figures.judge import Assessment, Standing
from chipwise.figures.relate import agreement, differing_axes, gap, stated_axes
from chipwise.figures.statement import Statement
from chipwise.types import Finding

_SHOWN = 3  # rows that a finding quotes


def check(book: Book) -> Iterator[Finding]:
    """One finding for each figure that no row has."""
    for s in (s for s in book.said if s.claim.source == book.checked):
        found = assess(book, s)
        if found.standing is Standing.CONTRADICTED:
            yield _draft(book, s, found.by[:_SHOWN])


def assess(book: Book, s: Statement) -> Assessment:
    """How a figure stands beside the rows of the result files that may be its own, the nearest first."""
    rows = _rows(book, s) if s.asserted and s.claim.quantity is not None else []
    if agreeing := [row for row in rows if agreement(book.domain.metrics[s.claim.metric], s, row)]:
        return Assessment(Standing.SUPPORTED, tuple(agreeing))
    return Assessment(Standing.CONTRADICTED if rows else Standing.UNKNOWN, tuple(rows))


def _rows(book: Book, s: Statement) -> list[Statement]:
    """The figures of one metric whose settings don't differ from those of `s`, of those that share most of them."""
    alike = [
        r
        for r in book.said
        if r.claim.source in book.results
        and r.asserted
        and r.claim.metric == s.claim.metric
        and (not r.chip or not s.chip or r.chip == s.chip)
        and (r.quantity.dimension, r.comparative, r.claim.baseline)
        == (s.quantity.dimension, s.comparative, s.claim.baseline)
        and not differing_axes(book.domain, s, r)
    ]
    own = stated_axes(book.domain, s)
    shared = {id(r): sum(axis in own for axis in stated_axes(book.domain, r)) for r in alike}
    most = max(shared.values(), default=0)
    return sorted((r for r in alike if shared[id(r)] == most), key=lambda r: gap(s, r))


def _draft(book: Book, s: Statement, rows: tuple[Statement, ...]) -> Finding:
    named = name(book, s.claim.subject) if s.claim.subject else ""
    subject = " ".join(filter(None, (named, name(book, s.claim.metric))))
    title = f"{subject}: {figure(book, s)} is not in the results, which have {figure(book, rows[0])}"
    lines = [f"{figure(book, o)}: {place(book, o)}{read_as(book, o)}" for o in (s, *rows)]
    return draft(
        book, "CW106", "contradiction", "high", title, "\n".join(lines), (s, *rows),
        help="Copy the figure from the results, or state the settings that it was measured with.",
    )  # fmt: skip
