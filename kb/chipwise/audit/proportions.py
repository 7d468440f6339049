"""A percentage or a multiple beside the two figures that it comes from (CW405).

    "141 GB, 76% more than 80 GB"               ->  141 / 80 = 1.76, as said
    "up 50% from 80 GB to 141 GB"               ->  141 / 80 = 1.76, not 1.50
    "from $4.00 to $3.00 an hour, a drop of 33%" ->  1 - 3 / 4 = 25%; 33% is what 4 is more than 3

Prices and measurements vary; a change that is stated beside two of them still has to be theirs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from chipwise.audit.amounts import FAR_OFF, as_written, loosened, number, spanned
from chipwise.audit.casebook import Casebook, Statement
from chipwise.audit.drafting import draft, figure, name, place
from chipwise.audit.lines import Line, Place
from chipwise.audit.pairing import Comparison, find_comparisons
from chipwise.domain.model import Domain
from chipwise.numbers.intervals import Interval
from chipwise.numbers.quantity import Quantity
from chipwise.text import ITEM_MARK, words
from chipwise.types import Finding, Role

_POINT = 0.015  # a percentage may be off by so much of the whole
_SHARE = 0.03  # or by so much of itself; a multiple as well
_TWO = 2
_NOT_THESE = 5.0  # times
NEAR = 40  # characters around a comparison in which its direction is said


def find_disproportions(book: Casebook, lines: Sequence[Line]) -> Iterator[Finding]:
    """One finding for each comparison that does not fit its two figures."""
    for comparison in find_comparisons(book, lines):
        finding = _judge(book, comparison)
        if finding is not None:
            yield finding


def _judge(book: Casebook, compared: Comparison) -> Finding | None:
    if _is_of_a_list(compared):
        return None
    small, big = sorted(_ends(compared.pair), key=lambda i: i.middle)
    if small.low <= 0 or small.meets(big):
        return None
    ratio = big / small
    claimed = loosened(compared.stated)
    readings = _readings(compared.line, compared.stated, ratio)
    if any(_agree(claimed, r) for _, r in readings) or _are_others(compared.stated, ratio):
        return None
    return _draft(book, compared, readings, ratio)


def _is_of_a_list(compared: Comparison) -> bool:
    """True where an item or a row is set against another one: "2.7 GB, 3.6x smaller" and "3.7 GB, 4.1x smaller" are of two models."""
    lines = [compared.line, *(line for line, _ in compared.pair)]
    listed = any(line.passage.role is Role.TABLE or ITEM_MARK.match(line.text) for line in lines)
    return listed and any(line is not compared.line for line in lines)


def _ends(pair: Sequence[Place]) -> list[Interval]:
    if len(pair) == 1:
        return [Interval.of(pair[0][1].low), Interval.of(pair[0][1].high)]
    found = [Interval(q.low, q.high) for _, q in pair]
    return [i if i.is_finite else Interval.of(i.middle) for i in found]


def _readings(line: Line, q: Quantity, ratio: Interval) -> list[tuple[str, Interval]]:
    """What the comparison would have to be, in each way to read it, as a formula of `a / b`."""
    one = Interval.of(1)
    if q.form not in ("change", "discount"):
        return [("{big} / {small}", ratio), ("{big} / {small} - 1", ratio - one), ("{small} / {big}", one / ratio)]
    rise, fall = ("{big} / {small} - 1", ratio - one), ("1 - {small} / {big}", one - one / ratio)
    falls, rises = directions(line.book.domain, q, line.text[max(0, q.start - NEAR) : q.end + NEAR])
    if falls == rises:
        return [rise, fall]
    return [fall] if falls else [rise]


def directions(domain: Domain, q: Quantity, near: str) -> tuple[bool, bool]:
    """Whether the words near a comparison say that something fell, and that it rose."""
    said = set(words(near))
    return q.form == "discount" or bool(said & domain.change_nothing("falling")), bool(
        said & domain.change_nothing("rising")
    )


def _are_others(stated: Quantity, ratio: Interval) -> bool:
    """True where two figures are so far from what is said that they can hardly be those meant: 82 times for "4x"."""
    said = abs(stated.middle) + (1.0 if stated.form in ("change", "discount") else 0.0)
    return max(ratio.middle / max(said, 1e-9), said / ratio.middle) > _NOT_THESE


def _agree(claimed: Interval, made: Interval) -> bool:
    claimed = -claimed if claimed.high < 0 else claimed
    room = max(_POINT, _SHARE * abs(made.middle))
    return (claimed + Interval(-room, room)).meets(made)


def _draft(book: Casebook, compared: Comparison, readings: Sequence[tuple[str, Interval]], ratio: Interval) -> Finding:
    q = compared.stated
    percent = q.form in ("change", "discount")
    stated = compared.line.statement(q)
    pair = [line.statement(of) for line, of in compared.pair]
    small, big = _written(book, compared.pair, pair)
    made = [
        f"{formula.format(big=big, small=small)} = {_shown(value, percent=percent)}"
        for formula, value in readings[: 1 if not percent else _TWO]
    ]
    claimed = figure(book, stated)
    places = ", ".join(dict.fromkeys(place(book, s) for s in pair))
    lines = [f"{' or '.join(made)}   [{places}]", f"claimed: {claimed}   [{place(book, stated)}]"]
    rise, fall = ratio - Interval.of(1), Interval.of(1) - Interval.of(1) / ratio
    for other, whole in ((rise, "of the lower"), (fall, "of the higher")):
        if percent and len(readings) == 1 and other != readings[0][1] and _agree(loosened(q), other):
            lines.append(f"{claimed} would be the difference as a share {whole}")
    middle = abs(q.middle)
    far = any(middle > FAR_OFF * r.middle or r.middle > FAR_OFF * middle for _, r in readings[:1])
    about = next((s.claim.subject for s in (stated, *reversed(pair)) if s.claim.subject), "")
    said = " and ".join(figure(book, s) for s in pair)
    whose = f"{name(book, about)}: " if about else ""
    return draft(
        book,
        "CW405",
        "contradiction",
        "high" if far else "medium",
        f"{whose}{claimed} does not fit {said}",
        "\n".join(lines),
        (stated, *pair),
        help="see which of the three is off, and of which value the share is",
    )


def _written(book: Casebook, places: Sequence[Place], pair: Sequence[Statement]) -> tuple[str, str]:
    """The lower and the higher figure as written; of a range, both ends in its unit."""
    if len(pair) > 1:
        lower, higher = sorted(zip(places, pair, strict=True), key=lambda both: both[0][1].low)
        return figure(book, lower[1]), figure(book, higher[1])
    q = places[0][1]
    unit = book.domain.units.get(q.unit)
    scale = Interval.of(unit.scale if unit is not None else 1.0)
    lower_end, higher_end = (as_written(Interval.of(x) / scale) for x in (q.low, q.high))
    return lower_end, higher_end


def _shown(value: Interval, *, percent: bool) -> str:
    return f"{number(100 * value.middle)}%" if percent else f"{spanned(Interval.of(value.middle))}x"
