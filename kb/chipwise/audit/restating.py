"""Measured, priced and reported figures that do clash: what varies from run to run does not vary when it is only said again.

"3,450 tokens/s" in an article, "3,540 tokens/s" of the same in a copy of it   the same digits in another order
"$2.99 per hour" and "$3.29 per hour" at one provider, on one day              one offer has one price
"43%" of one run and "48%" of another                                          a spread: runs differ
"""

from __future__ import annotations

from chipwise.audit.casebook import Casebook, Statement
from chipwise.audit.readings import Comparison
from chipwise.audit.verdicts import Relation, Verdict
from chipwise.types import Role

_FEWEST_DIGITS = 3  # of figures with fewer, two have the same ones by chance


def restated(book: Casebook, c: Comparison) -> Relation:
    """The relation, or a contradiction where one text gives two figures of what it calls one thing, and one is the other with digits swapped."""
    a, b = c.a.best, c.b.best
    if c.relation.verdict is not Verdict.SPREAD or c.relation.axes or not _is_one_text(book, a, b):
        return c.relation
    same = a.claim.subject == b.claim.subject and a.count == b.count and _labels(a) == _labels(b)
    if not same or Role.TABLE in (a.role, b.role) or not _are_swapped(a, b):
        return c.relation
    return Relation(
        Verdict.CONTRADICTION, "restated", (), "one text gives both of one thing: the same digits in another order"
    )


def _is_one_text(book: Casebook, a: Statement, b: Statement) -> bool:
    """True for two sentences of one source, or of two that are one witness."""
    x, y = (book.witness_of.get(s.claim.source, s.claim.source) for s in (a, b))
    return x == y and (a.claim.source, a.claim.start) != (b.claim.source, b.claim.start)


def _labels(s: Statement) -> frozenset[tuple[str, str]]:
    return frozenset(pair for pair in s.claim.qualifiers if pair[0] not in ("aggregation", "count"))


def _are_swapped(a: Statement, b: Statement) -> bool:
    x, y = (f"{s.middle:.6g}".replace(".", "").strip("0") for s in (a, b))
    return x != y and len(x) >= _FEWEST_DIGITS and sorted(x) == sorted(y) and 0.5 < a.middle / b.middle < 2  # noqa: PLR2004
