"""Values that differ and may: ranges of what varies (CW103, of multiples CW104), and what a stated axis explains (CW101)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from chipwise.audit.book import Book, Pair, Reading
from chipwise.audit.writer import draft, figure, name
from chipwise.figures.relate import DIFFERS, Verdict
from chipwise.types import Finding

_SHOWN = 4  # quotes: the ends, and two between


def check(book: Book) -> Iterator[Finding]:
    """One finding for each range of one thing; and one for each reading that arithmetic leads to another.

    Of a document that is checked, only values between which nothing is stated that sets them apart: that two providers have two
    prices is no news.
    """
    ranges: dict[tuple[object, ...], dict[int, Reading]] = {}
    led: dict[int, Pair] = {}
    for pair in book.pairs:
        a, b, relation = pair.a, pair.b, pair.relation
        if relation.verdict is Verdict.SPREAD and not (book.checked and relation.axes):
            key = (*a.best.key, a.best.claim.baseline, b.best.count or 1)  # of eight there is another range
            ranges.setdefault(key, {}).update({id(a): a, id(b): b})
        elif relation.verdict is Verdict.EXPLAINED and relation.rule != DIFFERS:
            led[id(b)] = pair if id(b) not in led or relation.rule == "count" else led[id(b)]
    for readings in ranges.values():
        ordered = sorted(readings.values(), key=lambda r: (r.best.low, r.best.high))
        if ordered[0].best.high < ordered[-1].best.high:
            yield _spread(book, ordered)
    yield from (_explained(book, pair) for pair in led.values())


def _spread(book: Book, ordered: Sequence[Reading]) -> Finding:
    low, high = ordered[0].best, ordered[-1].best
    code = "CW104" if low.claim.baseline or low.quantity.unit == "x" else "CW103"
    against = f" against {name(book, low.claim.baseline)}" if low.claim.baseline else ""
    metric = book.domain.metrics[low.claim.metric]
    statements = [s for r in ordered for s in r.statements]
    many = len({s.claim.source for s in statements})
    where = f"{many} sources, {book.witnesses(statements)} independent" if many > 1 else "1 source"
    step = max(1, (len(ordered) - 1) // (_SHOWN - 1))
    shown = [r.best for r in ordered[::step]][: _SHOWN - 1]
    return draft(
        book, code, "spread", "low",
        f"{name(book, low.claim.subject)} {metric.name}{against} ranges from {figure(book, low)} to {figure(book, high)}",
        f"such values vary: {len(ordered)} values in {where}",
        (*(s for s in shown if s is not high), high),
    )  # fmt: skip


def _explained(book: Book, pair: Pair) -> Finding:
    a, b = pair.a.best, pair.b.best
    title = f"{name(book, b.claim.subject)} {name(book, b.claim.metric)}: {figure(book, a)} and {figure(book, b)}"
    return draft(book, "CW101", pair.relation.verdict.value, "info", title, pair.relation.reason, (a, b))
