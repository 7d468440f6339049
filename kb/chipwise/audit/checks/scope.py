"""What several chips have together, given to one, and what one has, given to all (CW206).

"$68.80 an hour per GPU"                the table has that as the price of the board of eight
"the rack as a whole reads at 8 TB/s"   that is what each of its 72 chips has
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from chipwise import patterns as re
from chipwise.audit.agreeing import ALIKE
from chipwise.audit.casebook import Casebook, Statement, is_comparative
from chipwise.audit.drafting import draft, figure, name, place
from chipwise.domain.catalogue import SOLD
from chipwise.types import Evidence, Finding

# what two figures must share; where SOLD is not the same, a price is that of another offer
_ALIKE = ("dtype", "sparsity", "engine", "direction", "power_basis", "basis", *SOLD)
_PARTS = re.compile(r"[;.]\s")
_SUM_OR_RATE = re.compile(r"\d\s?[x×]\s?\d|/\s?(?:GPU|chip|card)", re.I)


def check(book: Casebook) -> Iterator[Finding]:
    """One finding for each figure."""
    said: dict[tuple[object, ...], list[Statement]] = {}
    for s in book.said:
        said.setdefault((s.claim.source, s.claim.start, *s.key), []).append(s)
    first = {(*s.key, s.low, s.claim.source): s for s in reversed(book.said) if _is_plain(s)}
    for s in reversed([s for s in first.values() if s.claim.source in book.audited]):
        beside = [o for o in said[s.claim.source, s.claim.start, *s.key] if o is not s]
        yield from _known_of_all(book, s, beside) or _known_of_one(book, s)


def _is_plain(s: Statement) -> bool:
    """True for a figure that stands by itself, and that its source stands behind."""
    q = s.claim.quantity
    single = q is not None and q.form == "value" and q.bound in ("exact", "about")
    return single and s.asserted and not is_comparative(s)


def _known_of_all(book: Casebook, s: Statement, beside: Sequence[Statement]) -> list[Finding]:
    """A figure of one chip that the table has of several, unless the sentence gives that of one as well."""
    facts = _facts(book, s)
    own = [f for f in facts if f.count == 1 and _are_alike(s, f, SOLD)]
    whole = next((f for f in facts if (f.count or 1) > 1 and _agree(s, f) and _are_alike(s, f, SOLD)), None)
    if s.claim.qualifier("aggregation") != "chip" or s.count != 1 or whole is None or not own:
        return []
    count = whole.count or 1
    parts = any(abs(o.middle * count - s.middle) <= ALIKE * s.middle for o in beside)
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


def _known_of_one(book: Casebook, s: Statement) -> list[Finding]:
    """A figure of all in a machine, put as that, which the table has of each chip in it, and of nothing with several."""
    count, said, find = s.count or 1, _clause_of(book.find_evidence(s)), book.domain.find_phrase
    if count == 1 or not book.domain.metrics[s.claim.metric].scales:
        return []
    if not find("of all", said) or find("of each", said) or _SUM_OR_RATE.search(said):
        return []
    agreeing = [f for f in _facts(book, s) if _are_alike(s, f, _ALIKE) and _agree(s, f)]
    of_one = (f for f in agreeing if f.count == 1 and f.claim.qualifier("aggregation") == "chip")
    own = next((f for f in of_one if f.claim.quantity is not None and f.claim.quantity.is_single), None)
    if own is None or own.fact is None or any((f.count or 1) > 1 for f in agreeing):
        return []
    chip, metric, all_ = name(book, s.chip), name(book, s.claim.metric), float(own.fact.value) * count
    title = (
        f"{name(book, s.claim.subject)} {metric}: {figure(book, s)} is known of one {chip}, not of {count:,} together"
    )
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


def _facts(book: Casebook, s: Statement) -> list[Statement]:
    return [f for f in book.facts.get(s.key, ()) if f.asserted and not is_comparative(f)]


def _are_alike(s: Statement, fact: Statement, axes: Sequence[str]) -> bool:
    labels = ((s.claim.qualifier(axis), fact.claim.qualifier(axis)) for axis in axes)
    return all(x == y or not (x and y) for x, y in labels)


def _agree(s: Statement, fact: Statement) -> bool:
    return (fact.low <= s.high and s.low <= fact.high) or abs(s.middle - fact.middle) <= ALIKE * fact.middle
