"""Figures of one chip that are known of all that a machine holds together (CW206).

"$68.80 an hour per GPU"     the table has that as the price of the board of eight
"each GPU has 14.4 TB/s"     that is what the eight of a DGX have together
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from chipwise.audit.agreeing import ALIKE
from chipwise.audit.casebook import Casebook, Statement, is_comparative
from chipwise.audit.drafting import draft, figure, name, place
from chipwise.types import Finding

# "each GPU can address 640 GB"
_REACHES = re.compile(r"\b(?:address|access|reach|shar|pool|see[sn]?)(?:e[sd]?|es|ed|ing)?\b", re.I)
_OF_ONE = "chip"
_SOLD = ("provider", "price_terms")  # a price is that of another offer, where these are not the same


def find_of_wholes(book: Casebook, source: str = "") -> Iterator[Finding]:
    """CW206: one finding for each figure, of `source` where that is given."""
    told: set[tuple[object, ...]] = set()
    said: dict[tuple[object, ...], list[Statement]] = {}
    for s in book.said:
        said.setdefault(_place_of(s), []).append(s)
    for s in book.said:
        at = (*s.key, s.low, s.claim.source)
        if (source and s.claim.source != source) or at in told or not _is_of_one(s):
            continue
        facts = [f for f in book.facts.get(s.key, ()) if f.asserted and not is_comparative(f)]
        own = [f for f in facts if f.count == 1 and _is_alike_sold(s, f)]
        whole = next((f for f in facts if _is_whole(s, f)), None)
        beside = [o for o in said[_place_of(s)] if o is not s] if whole is not None and own else []
        # "the 55.04 USD of the p5 are 6.88 USD per GPU" tells both
        told_apart = any(_agree(o, f) for o in beside for f in own) or any(
            _is_part(o, s, whole) for o in beside if whole
        )
        right = any(_agree(s, f) for f in facts if f.count in (1, None)) or _REACHES.search(book.find_evidence(s).quote)
        if whole is not None and own and not (told_apart or right):
            told.add(at)
            yield _of_a_whole(book, s, whole, own)


def _place_of(s: Statement) -> tuple[object, ...]:
    """The sentence or row that gives a figure, and what it is one of."""
    return (s.claim.source, s.claim.start, *s.key)


def _is_of_one(s: Statement) -> bool:
    """True where a text says that a figure is of one chip."""
    q = s.claim.quantity
    if q is None or not s.asserted or is_comparative(s):
        return False
    told = q.form == "value" and q.bound in ("exact", "about")
    return told and s.claim.qualifier("aggregation") == _OF_ONE and s.count == 1


def _is_whole(s: Statement, fact: Statement) -> bool:
    return (fact.count or 1) > 1 and _agree(s, fact) and _is_alike_sold(s, fact)


def _is_alike_sold(s: Statement, fact: Statement) -> bool:
    labels = ((s.claim.qualifier(axis), fact.claim.qualifier(axis)) for axis in _SOLD)
    return all(x == y or not (x and y) for x, y in labels)


def _agree(s: Statement, fact: Statement) -> bool:
    return (fact.low <= s.high and s.low <= fact.high) or abs(s.middle - fact.middle) <= ALIKE * fact.middle


def _is_part(part: Statement, s: Statement, whole: Statement) -> bool:
    """True for the 3.43 of "27.45 USD an hour, 3.43 per GPU", by which the other is that of all eight."""
    return abs(part.middle * (whole.count or 1) - s.middle) <= ALIKE * s.middle


def _of_a_whole(book: Casebook, s: Statement, whole: Statement, own: Sequence[Statement]) -> Finding:
    count, chip = whole.count or 1, name(book, s.chip)
    metric, written = name(book, s.claim.metric), figure(book, s)
    title = f"{chip} {metric}: {written} is known of {count:,} together, not of one"
    steps = (
        f"{place(book, whole)}: {figure(book, whole)} for {name(book, whole.claim.subject)}, which is {count:,} chips\n"
        f"of one chip: {figure(book, own[0])} ({place(book, own[0])})"
    )
    help = f"say that it is of all {count:,}, or give the figure of one"  # noqa: A001
    return draft(book, "CW206", "contradiction", "high", title, steps, (s, whole, own[0]), help=help)
