"""Figures of one chip beside figures of several (CW201), and what several have given to one, or one's to all (CW206).

"80 GB per GPU | 760 GB (8 chips)"      one row sets one chip beside eight
"$68.80 an hour per GPU"                the table has that as the price of the board of eight
"the rack as a whole reads at 8 TB/s"   that is what each of its 72 chips has
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from chipwise import patterns as re
from chipwise.audit.book import Book
from chipwise.audit.writer import draft, figure, name, place
from chipwise.domain.catalogue import SOLD
from chipwise.figures.statement import Statement
from chipwise.figures.transforms import SAME_DIGITS
from chipwise.types import Evidence, Finding, Role

# what two figures must share; where SOLD is not the same, a price is that of another offer
_ALIKE = ("dtype", "sparsity", "engine", "direction", "power_basis", "basis", *SOLD)
_PARTS = re.compile(r"[;.]\s")
_SUM_OR_RATE = re.compile(r"\d\s?[x×]\s?\d|/\s?(?:GPU|chip|card)", re.I)
_MULTIPLE = re.compile(r"\d\s?x\b|[×%]", re.I)


def check(book: Book) -> Iterator[Finding]:
    """One finding for each row or sentence that mixes, and one for each figure."""
    yield from _mixes(book)
    first = {(*s.key, s.low, s.claim.source): s for s in reversed(book.said) if _is_plain(s)}
    for s in reversed([s for s in first.values() if s.claim.source in book.audited]):
        beside = [
            o
            for o in book.by_sentence[s.claim.source, s.claim.start]
            if o is not s and o.key == s.key and o.fact is None
        ]
        yield from _known_of_all(book, s, beside) or _known_of_one(book, s)


def _mixes(book: Book) -> Iterator[Finding]:
    for (source, _), beside in book.by_sentence.items():
        scaling = [s for s in beside if s.fact is None and s.asserted and s.chip and _scales(book, s)]
        for a, b in combinations(scaling, 2) if source in book.audited else ():
            few, many = sorted((a, b), key=lambda s: _chips(book, s))
            apart = a.claim.metric == b.claim.metric and a.chip != b.chip and _chips(book, few) == 1 < (many.count or 0)
            if apart and not _are_told_apart(book, few, many):
                yield _mix(book, few, many, many.count or 1)
                break


def _scales(book: Book, s: Statement) -> bool:
    metric = book.domain.metrics.get(s.claim.metric)
    return metric is not None and metric.scales and s.quantity.unit != "x" and s.quantity.form in ("value", "range")


def _chips(book: Book, s: Statement) -> int:
    """How many chips a figure is of; where that is not stated but a fact of one chip has the figure, 1."""
    known = any(f.count == 1 and f.low <= s.high and s.low <= f.high for f in book.facts.get(s.key, ()))
    return s.count if s.count is not None else 1 if known else 10**6


def _are_told_apart(book: Book, few: Statement, many: Statement) -> bool:
    """True for a sentence that sets neither figure against the other, and says what has more: "$4.92 for an H100; $43.26 for a p5e"."""
    quote = book.find_evidence(few).quote
    if few.role is Role.TABLE or _MULTIPLE.search(quote) or book.domain.find_phrase("sets against", quote):
        return False
    return many.scoped or many.claim.subject != many.chip


def _mix(book: Book, few: Statement, many: Statement, count: int) -> Finding:
    one, all_ = few.middle, many.middle
    steps = (
        f"as printed: {figure(book, many)} / {figure(book, few)} = {all_ / one:.2f}x\n"
        f"chip against chip: ({figure(book, many)} / {count}) / {figure(book, few)} = {all_ / count / one:.2f}x"
    )
    return draft(
        book, "CW201", "scope", "medium",
        f"{name(book, few.claim.metric)}: {figure(book, few)} of one {name(book, few.chip)} beside {figure(book, many)} of {count} {name(book, many.chip)}",
        steps, (few, many), help="give both of one chip, or both of as many",
    )  # fmt: skip


def _is_plain(s: Statement) -> bool:
    """True for a figure that stands by itself, and that its source stands behind."""
    return (
        s.quantity.dimension != ""
        and s.quantity.form == "value"
        and s.quantity.is_single
        and s.asserted
        and not s.comparative
    )


def _known_of_all(book: Book, s: Statement, beside: Sequence[Statement]) -> list[Finding]:
    """A figure of one chip that the table has of several, unless the sentence gives that of one as well."""
    facts = _facts(book, s)
    own = [f for f in facts if f.count == 1 and _are_alike(s, f, SOLD)]
    whole = next((f for f in facts if (f.count or 1) > 1 and _agree(s, f) and _are_alike(s, f, SOLD)), None)
    if s.claim.qualifier("aggregation") != "chip" or s.count != 1 or whole is None or not own:
        return []
    count = whole.count or 1
    parts = any(abs(o.middle * count - s.middle) <= SAME_DIGITS * s.middle for o in beside)
    told_apart = parts or any(_agree(o, f) for o in beside for f in own)
    if told_apart or any(_agree(s, f) for f in facts if f.count in (1, None)):
        return []
    title = f"{name(book, s.chip)} {name(book, s.claim.metric)}: {figure(book, s)} is known of {count:,} together, not of one"
    steps = (
        f"{place(book, whole)}: {figure(book, whole)} for {name(book, whole.claim.subject)}, which is {count:,} chips\n"
        f"of one chip: {figure(book, own[0])} ({place(book, own[0])})"
    )
    advice = f"say that it is of all {count:,}, or give the figure of one"
    return [draft(book, "CW206", "contradiction", "high", title, steps, (s, whole, own[0]), help=advice)]


def _known_of_one(book: Book, s: Statement) -> list[Finding]:
    """A figure of all in a machine, put as that, which the table has of each chip in it, and of nothing with several."""
    count, said, find = s.count or 1, _clause_of(book.find_evidence(s)), book.domain.find_phrase
    of_all = find("of all", said) and not find("of each", said) and not _SUM_OR_RATE.search(said)
    if count == 1 or not book.domain.metrics[s.claim.metric].scales or not of_all:
        return []
    agreeing = [f for f in _facts(book, s) if _are_alike(s, f, _ALIKE) and _agree(s, f)]
    of_one = (f for f in agreeing if f.count == 1 and f.claim.qualifier("aggregation") == "chip")
    own = next((f for f in of_one if f.claim.quantity is not None and f.claim.quantity.is_single), None)
    if own is None or own.fact is None or any((f.count or 1) > 1 for f in agreeing):
        return []
    chip, metric, all_ = name(book, s.chip), name(book, s.claim.metric), float(own.fact.value) * count
    subject = f"{name(book, s.claim.subject)} {metric}"
    title = f"{subject}: {figure(book, s)} is known of one {chip}, not of {count:,} together"
    steps = (
        f"{place(book, own)}: {figure(book, own)} for one {chip}\n"
        f"of {count:,} chips: {count:,} x {figure(book, own)} = {all_:,.6g} {own.fact.unit}"
    )
    advice = f"say that it is of each chip, or give the figure of all {count:,}"
    return [draft(book, "CW206", "contradiction", "high", title, steps, (s, own), help=advice)]


def _clause_of(evidence: Evidence) -> str:
    """What stands around a figure between full stops and semicolons."""
    start, end = evidence.mark or (0, len(evidence.quote))
    before, behind = _PARTS.split(evidence.quote[:start])[-1], _PARTS.split(evidence.quote[end:])[0]
    return f"{before}{evidence.quote[start:end]}{behind}"


def _facts(book: Book, s: Statement) -> list[Statement]:
    return [f for f in book.facts.get(s.key, ()) if f.asserted and not f.comparative]


def _are_alike(s: Statement, fact: Statement, axes: Sequence[str]) -> bool:
    labels = ((s.claim.qualifier(axis), fact.claim.qualifier(axis)) for axis in axes)
    return all(x == y or not (x and y) for x, y in labels)


def _agree(s: Statement, fact: Statement) -> bool:
    return (fact.low <= s.high and s.low <= fact.high) or abs(s.middle - fact.middle) <= SAME_DIGITS * fact.middle
