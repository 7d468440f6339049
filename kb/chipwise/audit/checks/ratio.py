"""A percentage or a multiple beside the two figures that it comes from (CW405).

    "141 GB, 76% more than 80 GB"               ->  141 / 80 = 1.76, as said
    "up 50% from 80 GB to 141 GB"               ->  141 / 80 = 1.76, not 1.50
    "from $4.00 to $3.00 an hour, a drop of 33%" ->  1 - 3 / 4 = 25%; 33% is what 4 is more than 3

Prices and measurements vary; a change that is stated beside two of them still has to be theirs. Where more figures
could be meant, or others are named than have them, none are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from chipwise import patterns as re
from chipwise.audit.amounts import FAR_OFF, as_written, loosened, number, spanned
from chipwise.audit.book import Book
from chipwise.audit.sentences import sentences_of
from chipwise.audit.stated import is_said, taken
from chipwise.audit.writer import draft, figure, name, place
from chipwise.claims.scene import Scene, read_scene
from chipwise.domain.catalogue import RUN
from chipwise.domain.model import Domain
from chipwise.figures.relate import go_together
from chipwise.figures.statement import Statement
from chipwise.numbers.intervals import Interval
from chipwise.numbers.quantity import Quantity
from chipwise.text import ITEM_MARK, Span, asks, blanked, words
from chipwise.types import Finding, Role

_POINT = 0.015  # a percentage may be off by so much of the whole
_SHARE = 0.03  # or by so much of itself; a multiple as well
_TWO = 2
_NOT_THESE = 5.0  # times
_OTHERS = 1  # figures besides that a sentence may have: with more, it may reckon otherwise
NEAR = 40  # characters around a comparison in which its direction is said
_AXES = ("dtype", "sparsity", "direction", *RUN)
_PACED = ("token_rate", "time")  # what tells how fast something is done
_PRICE = "price_rate"
_BREAK = re.compile(r"[;:|()—–]|\.(?:\s|$)")


def check(book: Book) -> Iterator[Finding]:
    """One finding for each comparison that does not fit its two figures."""
    for of, statements in book.by_source.items():
        if of not in book.audited or not any(s.comparative for s in statements):
            continue
        # "$2.00 instead of $4.00" denies the second, and still is reckoned with it
        told = [s if s.comparative else replace(s, claim=replace(s.claim, polarity=True)) for s in statements]
        judged: set[int] = set()
        by_start: dict[int, list[Statement]] = {}
        for s in told:
            by_start.setdefault(s.claim.start, []).append(s)
        for sentences in sentences_of(book, of, tables=True):
            run = [s for x in sentences for s in by_start.get(x.passage.start + x.start, ())]
            for s in (s for s in run if s.comparative and s.claim.value_start not in judged):
                pair = _pair(book, s, run)
                judged |= {s.claim.value_start} if pair else set()
                finding = _judge(book, s, pair) if pair else None
                yield from [finding] if finding is not None else []


def _pair(book: Book, s: Statement, run: Sequence[Statement]) -> tuple[Statement, ...]:
    """The two figures that a comparison is of, or the one range that has both; () where it is open which."""
    domain, here = book.domain, [o for o in run if o.claim.start == s.claim.start]
    q, evidence = _quantity(s), book.find_evidence(s)
    clause = Clause.around(domain, evidence.quote, evidence.mark or (0, 0))
    listed = s.role is Role.TABLE or bool(ITEM_MARK.match(evidence.quote))
    alike = [o for o in here if _quantity(o).unit == q.unit and o is not s]
    readable = not listed or q.form in ("change", "discount") or s.claim.baseline
    if alike or not readable or asks(evidence.quote) or clause.is_of_that(domain):
        return ()
    kinds = clause.kinds(domain) if not listed else set[str]()
    groups: dict[str, list[Statement]] = {}
    for o in here if listed else run:
        if _is_level(o) and _may_be_of(domain, s.claim.metric, kinds or set(), o):
            groups.setdefault(_kind(domain, _quantity(o).dimension), []).append(o)
    found = [tuple(g) for g in groups.values() if _is_pair(domain, g)]
    if len(found) != 1 or not _is_of_these(domain, s, found[0]) or clause.names_others(domain, found[0]):
        return ()
    # what a claim says that it compares need not be told again by the words beside it
    claimed = bool(s.claim.metric) and all(o in here for o in found[0]) and len({o.chip for o in found[0]}) > 1
    told = claimed or (kinds is not None and all(o.claim.metric or _quantity(o).form == "range" for o in found[0]))
    return found[0] if told and _is_clear(book, s, found[0], run) else ()


def _is_clear(book: Book, s: Statement, pair: Sequence[Statement], run: Sequence[Statement]) -> bool:
    """False where more is reckoned with than the figures."""
    involved = {o.claim.start for o in (s, *pair)}
    beside = [o for o in run if o.claim.start in involved]
    numbers = 0
    for start in involved:
        quote = book.find_evidence(next(o for o in beside if o.claim.start == start)).quote
        numbers += sum(word[0].isdigit() for word in words(blanked(quote, taken(book, quote, start, beside))))
    return len(beside) - len(pair) - 1 + numbers <= _OTHERS * len(involved)


@dataclass(frozen=True, slots=True)
class Clause:
    """What is said of a comparison at `[first, last)` of a scene, which begins and ends at marks and at the figures beside it."""

    scene: Scene
    first: int
    last: int
    start: int
    end: int

    @classmethod
    def around(cls, domain: Domain, quote: str, mark: Span) -> Clause:
        """The clause of a comparison that is marked in a quote."""
        scene, (first, last) = read_scene(domain, quote), mark
        breaks = [(m.start(), m.end()) for m in _BREAK.finditer(quote)]
        breaks += [(q.start, q.end) for q in scene.quantities if q.start != first]
        start = max((end for _, end in breaks if end <= first), default=0)
        return cls(scene, first, last, start, min((begin for begin, _ in breaks if begin >= last), default=len(quote)))

    def kinds(self, domain: Domain) -> set[str] | None:
        """What the words say that it is of, none in particular, or None for something else."""
        scene, kinds = self.scene, set[str]()
        spans = [(self.first, self.last), *((m.start, m.end) for m in (*scene.entities, *scene.qualifiers))]
        for m in scene.metrics:
            found = {domain.metrics[i].dimension for i in m.ids} - {"text", "date", "ratio", "count"}
            if found and self.start < m.end and m.start < self.end:
                spans.append((m.start, m.end))
                kinds |= {_kind(domain, d) for d in found}
        inside = [(max(a, self.start), min(b, self.end)) for a, b in spans if a < self.end and self.start < b]
        cut = [(a - self.start, b - self.start) for a, b in inside]
        for word in words(blanked(scene.text[self.start : self.end], cut)):
            if word in domain.change_nothing("comparison of prices"):
                kinds.add(_PRICE)
            elif word in domain.change_nothing("comparison of pace"):
                kinds |= {*_PACED}
            elif word not in domain.change_nothing("comparison") and not word.isdecimal():
                return None
        return kinds

    def is_of_that(self, domain: Domain) -> bool:
        """True for "four times 80 GB" and "FP8 at twice that", whose results nobody gives, and for "40% cheaper per request"."""
        behind = words(self.scene.text[self.last : self.end])
        later = [q.start - self.last for q in self.scene.quantities if q.start >= self.last]
        if min(later, default=_TWO) < _TWO or (
            domain.change_nothing("pointing back") & set(behind[:_TWO]) and not later
        ):
            return True
        rate = f"$1 per {behind[behind.index('per') + 1]}" if "per" in behind[:-1] else ""
        return bool(rate) and not any(q.end == len(rate) for q in domain.unit_table.find(rate))

    def names_others(self, domain: Domain, pair: Sequence[Statement]) -> bool:
        """True for "3x more than the V100" and "4x the FP8 peak", of which no figure stands there."""
        chips = {
            i for m in self.scene.entities if self.last <= m.start < self.end for i in m.ids if domain.is_specific(i)
        }
        formats = {
            i for m in self.scene.qualifiers if self.last <= m.start < self.end for i in m.ids if i.startswith("dtype=")
        }
        kin = any(domain.are_kin(i, o.claim.subject) for i in chips for o in pair if o.claim.subject)
        told = {f"dtype={o.claim.qualifier('dtype')}" for o in pair}
        return bool(chips and not kin) or bool(formats and not (formats & told or "dtype=" in told))


def _kind(domain: Domain, dimension: str) -> str:
    """What figures of a dimension are of; a price beside a rate is one as well."""
    return _PRICE if _PRICE in domain.implied_dimensions.get(dimension, ()) else dimension


def _quantity(s: Statement) -> Quantity:
    quantity = s.claim.quantity
    return quantity if quantity is not None else Quantity(0, 0, "", "", 0.0, 0.0)


def _is_level(o: Statement) -> bool:
    q = _quantity(o)
    plain = q.form in ("value", "range") and not q.compares and q.count == 1
    return plain and q.dimension not in ("ratio", "number", "count", "")


def _may_be_of(domain: Domain, metric: str, kinds: set[str], o: Statement) -> bool:
    """True for a figure of what a comparison is said of: of a price where it is a discount, of a pace where it is called faster."""
    of = _kind(domain, _quantity(o).dimension)
    known = domain.metrics.get(metric)
    if known is None or known.id == "discount":
        named = bool(o.claim.metric) or of not in _PACED
        return of in (kinds or {of} - {"time"}) and named and (known is None or of == _PRICE)
    timed = next((m for m in domain.metrics.values() if m.times_as == known.id), None)
    if timed is not None:
        return of == timed.dimension
    if known.dimension == "ratio":
        return known.general and of in _PACED and bool(o.claim.metric)
    return of in (known.dimension, *domain.implied_dimensions.get(known.dimension, ()))


def _is_pair(domain: Domain, group: Sequence[Statement]) -> bool:
    metrics = {
        o.claim.metric
        for o in group
        if o.claim.metric and domain.metrics[o.claim.metric].dimension == _quantity(o).dimension
    }
    prices = all(_kind(domain, _quantity(o).dimension) == _PRICE for o in group) and bool(metrics or len(group) == 1)
    forms = [_quantity(o).form for o in group]
    return forms in (["range"], ["value"] * _TWO) and (prices or len(metrics) <= 1)


def _is_of_these(domain: Domain, s: Statement, pair: Sequence[Statement]) -> bool:
    """False for "3x more than the V100" and "4x the FP8 peak", of which no figure stands there, and for runs that differ."""
    chips = [o.chip for o in pair]
    for named in (s.claim.baseline, s.claim.subject):
        known = all(chips) and domain.is_specific(named) if named else False
        if known and len(pair) > 1 and not any(domain.are_kin(named, c) for c in chips) and len({*chips}) > 1:
            return False
    if s.claim.baseline and len({*chips}) == 1 and len(pair) > 1 and not domain.are_kin(s.claim.baseline, chips[0]):
        return False
    alike = all(
        go_together(domain, a, x, o.claim.qualifier(a)) for a, x in s.claim.qualifiers if a in _AXES for o in pair
    )
    between = all(
        go_together(domain, a, pair[0].claim.qualifier(a), pair[-1].claim.qualifier(a)) for a in ("direction", *RUN)
    )
    return alike and between and len({o.count for o in pair if o.count}) <= 1


def _judge(book: Book, s: Statement, pair: Sequence[Statement]) -> Finding | None:
    q = _quantity(s)
    small, big = sorted(_ends(pair), key=lambda i: i.middle)
    if small.low <= 0 or small.meets(big) or not all(map(is_said, (s, *pair))):
        return None
    ratio, evidence = big / small, book.find_evidence(s)
    first, last = evidence.mark or (0, 0)
    readings = _readings(book.domain, q, evidence.quote[max(0, first - NEAR) : last + NEAR], ratio)
    if any(agree(loosened(q), r) for _, r in readings) or _are_others(q, ratio):
        return None
    return _draft(book, s, pair, readings, ratio)


def _ends(pair: Sequence[Statement]) -> list[Interval]:
    if len(pair) == 1:
        return [Interval.of(pair[0].low), Interval.of(pair[0].high)]
    found = [Interval(o.low, o.high) for o in pair]
    return [i if i.is_finite else Interval.of(i.middle) for i in found]


def _readings(domain: Domain, q: Quantity, near: str, ratio: Interval) -> list[tuple[str, Interval]]:
    """What the comparison would have to be, in each way to read it, as a formula of `big` and `small`."""
    one = Interval.of(1)
    if q.form not in ("change", "discount"):
        return [("{big} / {small}", ratio), ("{big} / {small} - 1", ratio - one), ("{small} / {big}", one / ratio)]
    rise, fall = ("{big} / {small} - 1", ratio - one), ("1 - {small} / {big}", one - one / ratio)
    falls, rises = directions(domain, q, near)
    if falls == rises:
        return [rise, fall]
    return [fall] if falls else [rise]


def directions(domain: Domain, q: Quantity, near: str) -> tuple[bool, bool]:
    """Whether the words near a comparison say that something fell, and that it rose."""
    said = set(words(near))
    falling = q.form == "discount" or bool(said & domain.change_nothing("falling"))
    return falling, bool(said & domain.change_nothing("rising"))


def _are_others(stated: Quantity, ratio: Interval) -> bool:
    """True where two figures are so far from what is said that they can hardly be those meant: 82 times for "4x"."""
    said = abs(stated.middle) + (1.0 if stated.form in ("change", "discount") else 0.0)
    return max(ratio.middle / max(said, 1e-9), said / ratio.middle) > _NOT_THESE


def agree(claimed: Interval, made: Interval) -> bool:
    """True where a comparison takes in what its figures make, within what both are rounded by."""
    claimed = -claimed if claimed.high < 0 else claimed
    room = max(_POINT, _SHARE * abs(made.middle))
    return (claimed + Interval(-room, room)).meets(made)


def _draft(
    book: Book, s: Statement, pair: Sequence[Statement], readings: Sequence[tuple[str, Interval]], ratio: Interval
) -> Finding:
    q = _quantity(s)
    percent = q.form in ("change", "discount")
    small, big = _written(book, pair)
    made = [
        f"{formula.format(big=big, small=small)} = {_shown(value, percent=percent)}"
        for formula, value in readings[: 1 if not percent else _TWO]
    ]
    claimed = figure(book, s)
    places = ", ".join(dict.fromkeys(place(book, o) for o in pair))
    lines = [f"{' or '.join(made)}   [{places}]", f"claimed: {claimed}   [{place(book, s)}]"]
    rise, fall = ratio - Interval.of(1), Interval.of(1) - Interval.of(1) / ratio
    for other, whole in ((rise, "of the lower"), (fall, "of the higher")):
        if percent and len(readings) == 1 and other != readings[0][1] and agree(loosened(q), other):
            lines.append(f"{claimed} would be the difference as a share {whole}")
    middle = abs(q.middle)
    far = any(middle > FAR_OFF * r.middle or r.middle > FAR_OFF * middle for _, r in readings[:1])
    about = next((o.claim.subject for o in (s, *reversed(pair)) if o.claim.subject), "")
    said = " and ".join(figure(book, o) for o in pair)
    whose = f"{name(book, about)}: " if about else ""
    return draft(
        book, "CW405", "contradiction", "high" if far else "medium",
        f"{whose}{claimed} does not fit {said}",
        "\n".join(lines),
        (s, *pair),
        help="see which of the three is off, and of which value the share is",
    )  # fmt: skip


def _written(book: Book, pair: Sequence[Statement]) -> tuple[str, str]:
    """The lower and the higher figure as written; of a range, both ends in its unit."""
    if len(pair) > 1:
        lower, higher = sorted(pair, key=lambda o: o.low)
        return figure(book, lower), figure(book, higher)
    unit = book.domain.units.get(_quantity(pair[0]).unit)
    scale = Interval.of(unit.scale if unit is not None else 1.0)
    low, high = (as_written(Interval.of(x) / scale) for x in (pair[0].low, pair[0].high))
    return low, high


def _shown(value: Interval, *, percent: bool) -> str:
    return f"{number(100 * value.middle)}%" if percent else f"{spanned(Interval.of(value.middle))}x"
