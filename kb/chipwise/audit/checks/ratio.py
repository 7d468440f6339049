"""A percentage or a multiple beside the two figures that it comes from (CW405).

    "up 50% from 80 GB to 141 GB"               ->  141 / 80 = 1.76, not 1.50
    "from $4.00 to $3.00 an hour, a drop of 33%" ->  1 - 3 / 4 = 25%; 33% is what 4 is more than 3

Where more figures could be meant, or others are named than have them, none are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from chipwise import patterns as re
from chipwise.audit.amounts import FAR_OFF, loosened
from chipwise.audit.book import Book
from chipwise.audit.sentences import sentences_of
from chipwise.audit.stated import is_said, taken
from chipwise.audit.writer import draft, figure, name, place
from chipwise.claims.scene import read_scene
from chipwise.domain.catalogue import RUN
from chipwise.domain.model import Domain
from chipwise.figures.format import plain
from chipwise.figures.relate import go_together
from chipwise.figures.statement import Statement
from chipwise.numbers.intervals import Interval
from chipwise.numbers.quantity import Quantity
from chipwise.text import ITEM_MARK, asks, blanked, words
from chipwise.types import Evidence, Finding, Role

_POINT, _SHARE = 0.015, 0.03  # a percentage may be off by so much of the whole, or of itself; a multiple as well
_NOT_THESE = 5.0  # times
_NEAR = 40  # characters around a comparison in which its direction is said
_AXES = ("dtype", "sparsity", "direction", *RUN)
_PACED = frozenset(("token_rate", "time"))  # what tells how fast something is done
_PRICE = "price_rate"
_BREAK = re.compile(r"[;:|()—–]|\.(?:\s|$)")
_ONE = Interval.of(1)
Pair = Sequence[Statement]  # two figures, or one range


def check(book: Book) -> Iterator[Finding]:
    """One finding for each comparison that does not fit its two figures."""
    for of in book.audited:
        statements = book.by_source.get(of, ())
        judged: set[int] = set()
        by_start: dict[int, list[Statement]] = {}
        for s in statements if any(s.comparative for s in statements) else ():
            # "$2.00 instead of $4.00" denies the second, and still is reckoned with it
            told = s if s.comparative else replace(s, claim=replace(s.claim, polarity=True))
            by_start.setdefault(s.claim.start, []).append(told)
        for sentences in sentences_of(book, of, tables=True) if by_start else ():
            run = [s for x in sentences for s in by_start.get(x.passage.start + x.start, ())]
            for s in (s for s in run if s.comparative and s.claim.value_start not in judged):
                if pair := _pair(book, s, run):
                    judged.add(s.claim.value_start)
                    yield from _findings(book, s, pair)


# --- Which two figures are compared ---


def _pair(book: Book, s: Statement, run: Pair) -> Pair:
    """The two figures that a comparison is of, or the one range that has both; () where it is open which."""
    here, domain, evidence = [o for o in run if o.claim.start == s.claim.start], book.domain, book.find_evidence(s)
    listed = s.role is Role.TABLE or bool(ITEM_MARK.match(evidence.quote))
    alike = any(o.quantity.unit == s.quantity.unit for o in here if o is not s)
    readable = not listed or s.quantity.form in ("change", "discount") or s.claim.baseline
    clause = _clause(domain, evidence)
    if alike or not readable or asks(evidence.quote) or clause.goes_on:
        return ()
    groups: dict[str, list[Statement]] = {}
    for o in here if listed else run:
        if _may_be_of(domain, s.claim.metric, set() if listed else clause.kinds or set(), o):
            groups.setdefault(_kind(domain, o.quantity.dimension), []).append(o)
    pair, *others = [g for g in groups.values() if _is_pair(domain, g)] or [[]]
    if not pair or others or not _is_of_these(domain, s, pair) or clause.names_others(domain, pair):
        return ()
    # what a claim says that it compares need not be told again by the words beside it
    claimed = bool(s.claim.metric) and all(o in here for o in pair) and len({o.chip for o in pair}) > 1
    told = listed or clause.kinds is not None
    told = claimed or (told and all(o.claim.metric or o.quantity.form == "range" for o in pair))
    return pair if told and _is_clear(book, s, pair, run) else ()


def _is_clear(book: Book, s: Statement, pair: Pair, run: Pair) -> bool:
    """False where more is reckoned with than the figures: over one number besides in a sentence."""
    involved = {o.claim.start: o for o in (s, *pair)}
    beside = [o for o in run if o.claim.start in involved]
    numbers = 0
    for start, o in involved.items():
        quote = book.find_evidence(o).quote
        numbers += sum(word[0].isdigit() for word in words(blanked(quote, taken(book, quote, start, beside))))
    return len(beside) - len(pair) - 1 + numbers <= len(involved)


class _Clause(NamedTuple):
    """What the words around a comparison say: the kinds of figures that it is of, None for something else, and the names behind it."""

    kinds: set[str] | None
    goes_on: bool  # "four times 80 GB", whose result nobody gives, "FP8 at twice that", "40% cheaper per request"
    named: Mapping[str, Sequence[str]]  # "chips" and "formats" behind it

    def names_others(self, domain: Domain, pair: Pair) -> bool:
        """True for "3x more than the V100" and "4x the FP8 peak", of which no figure stands there."""
        chips, formats = self.named["chips"], set(self.named["formats"])
        kin = any(domain.are_kin(i, o.claim.subject) for i in chips for o in pair if o.claim.subject)
        told = {f"dtype={o.claim.qualifier('dtype')}" for o in pair}
        return bool(chips and not kin) or bool(formats and not (formats & told or "dtype=" in told))


def _clause(domain: Domain, evidence: Evidence) -> _Clause:
    """Of a comparison that is marked in a quote; it begins and ends at marks and at the figures beside it."""
    scene, (first, last), neutral = read_scene(domain, evidence.quote), evidence.mark or (0, 0), domain.change_nothing
    breaks = [m.span() for m in _BREAK.finditer(scene.text)]
    breaks += [(q.start, q.end) for q in scene.quantities if q.start != first]
    start = max((b for _, b in breaks if b <= first), default=0)
    end = min((a for a, _ in breaks if a >= last), default=len(scene.text))
    kinds: set[str] = set()
    spans = [(first, last), *((m.start, m.end) for m in (*scene.entities, *scene.qualifiers))]
    for m in (m for m in scene.metrics if start < m.end and m.start < end):
        if found := {domain.metrics[i].dimension for i in m.ids} - {"text", "date", "ratio", "count"}:
            spans.append((m.start, m.end))
            kinds |= {_kind(domain, d) for d in found}
    inside = [(max(a, start) - start, min(b, end) - start) for a, b in spans if a < end and start < b]
    left = words(blanked(scene.text[start:end], inside))
    kinds |= {_PRICE} if neutral("comparison of prices") & {*left} else set()
    kinds |= _PACED if neutral("comparison of pace") & {*left} else set()
    silent = neutral("comparison", "comparison of prices", "comparison of pace")
    behind = words(scene.text[last:end])
    later = min((q.start - last for q in scene.quantities if q.start >= last), default=None)
    rate = f"$1 per {behind[behind.index('per') + 1]}" if "per" in behind[:-1] else ""
    goes_on = (later is not None and later <= 1) or (later is None and bool(neutral("pointing back") & {*behind[:2]}))
    goes_on |= bool(rate) and not any(q.end == len(rate) for q in domain.unit_table.find(rate))
    named = {
        "chips": [i for m in scene.entities if last <= m.start < end for i in m.ids if domain.is_specific(i)],
        "formats": [i for m in scene.qualifiers if last <= m.start < end for i in m.ids if i.startswith("dtype=")],
    }
    known = all(word in silent or word.isdecimal() for word in left)
    return _Clause(kinds if known else None, goes_on, named)


def _kind(domain: Domain, dimension: str) -> str:
    """What figures of a dimension are of; a price beside a rate is one as well."""
    return _PRICE if _PRICE in domain.implied_dimensions.get(dimension, ()) else dimension


def _may_be_of(domain: Domain, metric: str, kinds: set[str], o: Statement) -> bool:
    """True for a figure of what a comparison is said of: of a price where it is a discount, of a pace where it is called faster."""
    q = o.quantity
    if (
        q.form not in ("value", "range")
        or q.compares
        or q.count != 1
        or q.dimension in ("ratio", "number", "count", "")
    ):
        return False
    of, known = _kind(domain, q.dimension), domain.metrics.get(metric)
    if known is None or known.id == "discount":
        named = bool(o.claim.metric) or of not in _PACED
        return of in (kinds or {of} - {"time"}) and named and (known is None or of == _PRICE)
    timed = next((m for m in domain.metrics.values() if m.times_as == known.id), None)
    if timed is not None:
        return of == timed.dimension
    if known.dimension == "ratio":
        return known.general and of in _PACED and bool(o.claim.metric)
    return of in (known.dimension, *domain.implied_dimensions.get(known.dimension, ()))


def _is_pair(domain: Domain, group: Pair) -> bool:
    own = (o.claim.metric for o in group if o.claim.metric)
    metrics = {m for m in own if any(domain.metrics[m].dimension == o.quantity.dimension for o in group)}
    prices = all(_kind(domain, o.quantity.dimension) == _PRICE for o in group) and bool(metrics or len(group) == 1)
    return [o.quantity.form for o in group] in (["range"], ["value", "value"]) and (prices or len(metrics) <= 1)


def _is_of_these(domain: Domain, s: Statement, pair: Pair) -> bool:
    """False for "3x more than the V100", of which no figure stands there, and for runs that differ."""
    chips = [o.chip for o in pair]
    for named in (s.claim.baseline, s.claim.subject) if all(chips) and len({*chips}) > 1 else ():
        if domain.is_specific(named) and not any(domain.are_kin(named, c) for c in chips):
            return False
    one = len({*chips}) == 1 and len(pair) > 1
    if s.claim.baseline and one and not domain.are_kin(s.claim.baseline, chips[0]):
        return False
    a, b = pair[0].claim, pair[-1].claim
    alike = all(
        go_together(domain, x, v, o.claim.qualifier(x)) for x, v in s.claim.qualifiers if x in _AXES for o in pair
    )
    between = all(go_together(domain, x, a.qualifier(x), b.qualifier(x)) for x in ("direction", *RUN))
    return alike and between and len({o.count for o in pair if o.count}) <= 1


# --- Whether it is theirs ---


def _findings(book: Book, s: Statement, pair: Pair) -> Iterator[Finding]:
    q, evidence = s.quantity, book.find_evidence(s)
    ends = [Interval.of(pair[0].low), Interval.of(pair[0].high)] if len(pair) == 1 else [_interval(o) for o in pair]
    small, big = sorted(ends, key=lambda i: i.middle)
    if small.low <= 0 or small.meets(big) or not all(map(is_said, (s, *pair))):
        return
    ratio, (first, last) = big / small, evidence.mark or (0, 0)
    readings = _readings(book.domain, q, evidence.quote[max(0, first - _NEAR) : last + _NEAR], ratio)
    said = abs(q.middle) + (1.0 if q.form in ("change", "discount") else 0.0)
    others = max(ratio.middle / max(said, 1e-9), said / ratio.middle) > _NOT_THESE  # 82 times for "4x"
    if not others and not any(_agree(loosened(q), r) for _, r in readings):
        yield _draft(book, s, pair, readings, ratio)


def _interval(o: Statement) -> Interval:
    i = Interval(o.low, o.high)
    return i if i.is_finite else Interval.of(i.middle)


def _readings(domain: Domain, q: Quantity, near: str, ratio: Interval) -> list[tuple[str, Interval]]:
    """What the comparison would have to be, in each way to read it, as a formula of `big` and `small`."""
    rise, fall = ("{big} / {small} - 1", ratio - _ONE), ("1 - {small} / {big}", _ONE - _ONE / ratio)
    if q.form not in ("change", "discount"):
        return [("{big} / {small}", ratio), rise, ("{small} / {big}", _ONE / ratio)]
    said = set(words(near))
    falls = q.form == "discount" or bool(said & domain.change_nothing("falling"))
    rises = bool(said & domain.change_nothing("rising"))
    return [rise, fall] if falls == rises else [fall] if falls else [rise]


def _agree(claimed: Interval, made: Interval) -> bool:
    """True where a comparison takes in what its figures make, within what both are rounded by."""
    claimed = -claimed if claimed.high < 0 else claimed
    room = max(_POINT, _SHARE * abs(made.middle))
    return (claimed + Interval(-room, room)).meets(made)


def _draft(book: Book, s: Statement, pair: Pair, readings: Sequence[tuple[str, Interval]], ratio: Interval) -> Finding:
    q, claimed = s.quantity, figure(book, s)
    percent = q.form in ("change", "discount")
    small, big = _written(book, pair)
    made = []
    for formula, value in readings if percent else readings[:1]:
        shown = f"{plain(100 * value.middle, 3)}%" if percent else f"{plain(value.middle, 3)}x"
        made.append(f"{formula.format(big=big, small=small)} = {shown}")
    places = ", ".join(dict.fromkeys(place(book, o) for o in pair))
    lines = [f"{' or '.join(made)}   [{places}]", f"claimed: {claimed}   [{place(book, s)}]"]
    for other, whole in ((ratio - _ONE, "of the lower value"), (_ONE - _ONE / ratio, "of the higher value")):
        if percent and len(readings) == 1 and other != readings[0][1] and _agree(loosened(q), other):
            lines.append(f"{claimed} would be the difference as a share {whole}")
    off = abs(q.middle) / readings[0][1].middle
    about = next((o.claim.subject for o in (s, *reversed(pair)) if o.claim.subject), "")
    whose, said = f"{name(book, about)}: " if about else "", " and ".join(figure(book, o) for o in pair)
    return draft(
        book, "CW405", "contradiction", "high" if max(off, 1 / max(off, 1e-9)) > FAR_OFF else "medium",
        f"{whose}{claimed} does not match {said}",
        "\n".join(lines),
        (s, *pair),
        help="Check all three figures, and which value the percentage is a share of.",
    )  # fmt: skip


def _written(book: Book, pair: Pair) -> tuple[str, str]:
    """The lower and the higher figure as written; of a range, both ends in its unit."""
    if len(pair) > 1:
        lower, higher = sorted(pair, key=lambda o: o.low)
        return figure(book, lower), figure(book, higher)
    unit = book.domain.units.get(pair[0].quantity.unit)
    scale = unit.scale if unit is not None else 1.0
    return plain(pair[0].low / scale, 5), plain(pair[0].high / scale, 5)
