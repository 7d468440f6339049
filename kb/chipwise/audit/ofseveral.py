"""Figures of one chip that are known of all that a machine holds together, and of a machine that are known of one chip (CW206).

"$68.80 an hour per GPU"                the table has that as the price of the board of eight
"each GPU has 14.4 TB/s"                that is what the eight of a DGX have together
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

_OF_ONE = "chip"
# what two figures must share; where SOLD is not the same, a price is that of another offer
_ALIKE = ("dtype", "sparsity", "engine", "direction", "power_basis", "basis", *SOLD)
_PARTS = re.compile(r"[;.]\s")
_SUM_OR_RATE = re.compile(r"\d\s?[x×]\s?\d|/\s?(?:GPU|chip|card)", re.I)


def find_of_several(book: Casebook, source: str = "") -> Iterator[Finding]:
    """CW206: one finding for each figure, of `source` where that is given."""
    told: set[tuple[object, ...]] = set()
    said: dict[tuple[object, ...], list[Statement]] = {}
    for s in book.said:
        said.setdefault(_place_of(s), []).append(s)
    for s in book.said:
        at = (*s.key, s.low, s.claim.source)
        if (source and s.claim.source != source) or at in told or not _is_told(s):
            continue
        found = _known_of_all(book, s, said[_place_of(s)]) or _known_of_one(book, s)
        if found is not None:
            told.add(at)
            yield found


def _known_of_all(book: Casebook, s: Statement, beside: Sequence[Statement]) -> Finding | None:
    """A figure of one chip that the table has of several."""
    if s.claim.qualifier("aggregation") != _OF_ONE or s.count != 1:
        return None
    facts = _facts(book, s)
    own = [f for f in facts if f.count == 1 and _are_alike(s, f, SOLD)]
    whole = next((f for f in facts if (f.count or 1) > 1 and _agree(s, f) and _are_alike(s, f, SOLD)), None)
    if whole is None or not own:
        return None
    # "the 55.04 USD of the p5 are 6.88 USD per GPU" tells both
    others = [o for o in beside if o is not s]
    told_apart = any(_agree(o, f) for o in others for f in own) or any(_is_part(o, s, whole) for o in others)
    right = any(_agree(s, f) for f in facts if f.count in (1, None))
    return None if told_apart or right else _of_a_whole(book, s, whole, own[0])


def _known_of_one(book: Casebook, s: Statement) -> Finding | None:
    """A figure of all in a machine, put as that, which the table has of each chip in it, and of nothing with several."""
    metric, count = book.domain.metrics[s.claim.metric], s.count or 1
    if not metric.scales or count == 1:
        return None
    said = _clause_of(book.find_evidence(s))
    find = book.domain.find_phrase
    if not find("of all", said) or find("of each", said) or _SUM_OR_RATE.search(said):
        return None
    facts = [f for f in _facts(book, s) if _are_alike(s, f, _ALIKE)]
    of_one = (f for f in facts if f.count == 1 and f.claim.qualifier("aggregation") == _OF_ONE and _is_single(f))
    own = next((f for f in of_one if _agree(s, f)), None)
    if own is None or any(_agree(s, f) for f in facts if (f.count or 1) > 1):
        return None
    return _of_a_part(book, s, own, count)


def _clause_of(evidence: Evidence) -> str:
    """What stands around a figure between full stops and semicolons."""
    start, end = evidence.mark or (0, len(evidence.quote))
    before, behind = _PARTS.split(evidence.quote[:start])[-1], _PARTS.split(evidence.quote[end:])[0]
    return f"{before}{evidence.quote[start:end]}{behind}"


def _times(own: Statement, count: int) -> str:
    """ "26.8 TB/s" for eight times the 3.35 TB/s of a fact."""
    fact = own.fact
    return f"{float(fact.value) * count:,.6g} {fact.unit}" if fact is not None else ""


def _place_of(s: Statement) -> tuple[object, ...]:
    """The sentence or row that gives a figure, and what it is one of."""
    return (s.claim.source, s.claim.start, *s.key)


def _is_told(s: Statement) -> bool:
    """True for a figure that stands by itself, and that its source stands behind."""
    q = s.claim.quantity
    if q is None or not s.asserted or is_comparative(s):
        return False
    return q.form == "value" and q.bound in ("exact", "about")


def _facts(book: Casebook, s: Statement) -> list[Statement]:
    return [f for f in book.facts.get(s.key, ()) if f.asserted and not is_comparative(f)]


def _are_alike(s: Statement, fact: Statement, axes: Sequence[str]) -> bool:
    labels = ((s.claim.qualifier(axis), fact.claim.qualifier(axis)) for axis in axes)
    return all(x == y or not (x and y) for x, y in labels)


def _is_single(fact: Statement) -> bool:
    return fact.claim.quantity is not None and fact.claim.quantity.is_single


def _agree(s: Statement, fact: Statement) -> bool:
    return (fact.low <= s.high and s.low <= fact.high) or abs(s.middle - fact.middle) <= ALIKE * fact.middle


def _is_part(part: Statement, s: Statement, whole: Statement) -> bool:
    """True for the 3.43 of "27.45 USD an hour, 3.43 per GPU", by which the other is that of all eight."""
    return abs(part.middle * (whole.count or 1) - s.middle) <= ALIKE * s.middle


def _of_a_whole(book: Casebook, s: Statement, whole: Statement, own: Statement) -> Finding:
    count, chip = whole.count or 1, name(book, s.chip)
    metric, written = name(book, s.claim.metric), figure(book, s)
    title = f"{chip} {metric}: {written} is known of {count:,} together, not of one"
    steps = (
        f"{place(book, whole)}: {figure(book, whole)} for {name(book, whole.claim.subject)}, which is {count:,} chips\n"
        f"of one chip: {figure(book, own)} ({place(book, own)})"
    )
    help = f"say that it is of all {count:,}, or give the figure of one"  # noqa: A001
    return draft(book, "CW206", "contradiction", "high", title, steps, (s, whole, own), help=help)


def _of_a_part(book: Casebook, s: Statement, own: Statement, count: int) -> Finding:
    chip, metric, written = name(book, s.chip), name(book, s.claim.metric), figure(book, s)
    title = f"{name(book, s.claim.subject)} {metric}: {written} is known of one {chip}, not of {count:,} together"
    steps = (
        f"{place(book, own)}: {figure(book, own)} for one {chip}\n"
        f"of {count:,} chips: {count:,} x {figure(book, own)} = {_times(own, count)}"
    )
    help = f"say that it is of each chip, or give the figure of all {count:,}"  # noqa: A001
    return draft(book, "CW206", "contradiction", "high", title, steps, (s, own), help=help)
