"""A price beside those that the table has of one seller: one that no row comes near is a slip or out of date.

"Google lists the v5p at $3.40 per chip-hour on demand"   the table has 4.20 at Google, at all dates: a contradiction
"A v5p is $5.10 per chip-hour"                            above the price on any terms: a contradiction as well
"$2.80 for an H100 at a broker"                           sellers differ: a spread

Prices vary by seller, terms, region and day, so one that differs from a row is no contradiction. What differs from all
rows of the seller on its terms, and lies between none of them, is one, as long as the text speaks of no other day.
"""

from __future__ import annotations

from chipwise.audit.casebook import Casebook, Statement
from chipwise.audit.drafting import name
from chipwise.audit.verdicts import Relation, Verdict
from chipwise.claims.dates import YEAR, read_dates
from chipwise.claims.model import Modality
from chipwise.domain.catalogue import SOLD
from chipwise.numbers.intervals import Interval

_SELLER, _TERMS = SOLD
_DAY = "as_of"
_STATED = (Modality.SPECIFIED, Modality.PRICED, Modality.REPORTED)


def beside_the_seller(book: Casebook, relation: Relation, fact: Statement, said: Statement) -> Relation:
    """The relation of a price to a row, or a contradiction with the nearest row where it is none of its seller's."""
    if relation.verdict is not Verdict.SPREAD or book.domain.metrics[said.claim.metric].nature != "priced":
        return relation
    offers = _offers(book, said)
    rows = [f for f in offers if said.claim.qualifier(_TERMS) in ("", f.claim.qualifier(_TERMS))]
    if not rows or fact is not min(rows, key=lambda row: _apart(row, said)):
        return relation
    prices = [_of_one(row) for row in rows]
    all_ = Interval(min(p.low for p in prices), max(p.high for p in prices))
    if all_.meets(_of_one(said)) or any(_is_that(offer, said) for offer in offers):
        return relation
    seller = name(book, fact.claim.qualifier(_SELLER))
    reason = f"no price that the table has at {seller} on these terms is that, whatever its region and date"
    return Relation(Verdict.CONTRADICTION, "price", (), reason)


def _offers(book: Casebook, said: Statement) -> list[Statement]:
    """The table's prices at the seller that `said` names, or at the only one that there is; none where it may be of another seller or year."""
    c = said.claim
    if c.quantity is None or c.quantity.bound != "exact" or c.modality not in _STATED or said.count is None:
        return []
    rows = [f for f in book.facts.get(said.key, ()) if f.asserted and f.count and f.claim.qualifier(_SELLER)]
    sellers = _sellers(book, said) or {f.claim.qualifier(_SELLER) for f in rows}
    rows = [f for f in rows if f.claim.qualifier(_SELLER) in sellers]
    days = _days(book, said)
    same_year = all(f.fact is not None and f.fact.as_of[:YEAR] == day[:YEAR] for f in rows for day in days)
    return rows if len(sellers) == 1 and same_year else []


def _days(book: Casebook, said: Statement) -> list[str]:
    """The days that the text tells of a price: its own, those of its sentence, else the day of the text."""
    source = book.sources.get(said.claim.source)
    told = [said.claim.qualifier(_DAY), *(d.iso for d in read_dates(book.find_evidence(said).quote, bare=True))]
    if not any(told) and source is not None:
        told.append(source.published)
    return [day for day in told if day]


def _is_that(offer: Statement, said: Statement) -> bool:
    """True for what the seller has on other terms, which are misread more often than wrong, or for several together, which is CW206."""
    one = _of_one(offer)
    one = one if one.is_finite else Interval.of(one.middle)
    together = one * Interval.of(offer.count or 1)
    return one.meets(_of_one(said)) or together.meets(Interval(said.low, said.high))


def _sellers(book: Casebook, said: Statement) -> set[str]:
    """Who is named in its sentence: of two sellers, whose price it is may be misread."""
    ids = (i for m in book.domain.find_qualifiers(book.find_evidence(said).quote) for i in m.ids)
    named = {value for axis, _, value in (i.partition("=") for i in ids) if axis == _SELLER}
    return named | {said.claim.qualifier(_SELLER)} - {""}


def _of_one(s: Statement) -> Interval:
    """The price of one chip, in USD an hour."""
    return Interval(s.low, s.high) / Interval.of(s.count or 1)


def _apart(a: Statement, b: Statement) -> float:
    small, big = sorted(_of_one(s).middle for s in (a, b))
    return big / max(small, 1e-9)
