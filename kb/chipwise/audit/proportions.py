"""A percentage or a multiple beside the two figures that it comes from, in one sentence (CW405).

    "141 GB, 76% more than 80 GB"               ->  141 / 80 = 1.76, as said
    "up 50% from 80 GB to 141 GB"               ->  141 / 80 = 1.76, not 1.50
    "from $4.00 to $3.00 an hour, a drop of 33%" ->  1 - 3 / 4 = 25%; 33% is what 4 is more than 3

Where the sentence has more figures, or compares other things, nothing is checked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from chipwise.audit.amounts import FAR_OFF, loosened
from chipwise.audit.casebook import Casebook, Statement, is_comparative
from chipwise.audit.drafting import draft, figure, name, place
from chipwise.audit.intervals import Interval
from chipwise.audit.steps import as_written, number, spanned
from chipwise.types import Finding

# comparisons of no metric of their own: of figures that come about in the same way
_OF_ANYTHING = ("speedup", "discount")
_POINT = 0.015  # a percentage may be off by so much of the whole
_SHARE = 0.03  # or by so much of itself; a multiple as well
_TWO = 2
_NUMBER = re.compile(r"(?<![\w.,-])\d[\d.,]*(?![\w])")
FALLING = re.compile(
    r"\b(?:drop\w*|f[ae]ll\w*|decreas\w+|decline\w*|lower\w*|less|reduc\w+|cut\w*|down|cheaper|sav(?:es?|ed|ings?)|discount\w*|off|smaller|fewer|below|shorter|slash\w*)\b",
    re.I,
)
RISING = re.compile(
    r"\b(?:more|up|ris\w+|rose|higher|increas\w+|faster|larger|bigger|greater|longer|additional|jump\w*|bump\w*|gain\w*|boost\w*|above|grew|grow\w*|improve\w*|dearer)\b",
    re.I,
)
NEAR = 40  # characters around a comparison in which its direction is said
_THAN = re.compile(r"\s?(?:\w+\s)?than\s(?:the\s|its\s)?", re.I)
_FROM = re.compile(r"\b(?:from|between|dropped|fell|rose|grew|went)\s[\w\s,$€£~≈]{0,12}$", re.I)


def find_disproportions(book: Casebook) -> Iterator[Finding]:
    """One finding for each comparison that does not fit the two figures of its sentence, in one witness."""
    told: set[tuple[str, str, str, str]] = set()
    for sentence in _sentences(book):
        for stated in sentence:
            if not is_comparative(stated):
                continue
            pair = _pair(book, stated, sentence)
            finding = _judge(book, stated, pair) if pair else None
            source = stated.claim.source
            key = (
                book.witness_of.get(source, source),
                stated.chip,
                stated.claim.metric,
                finding.title if finding else "",
            )
            if finding is not None and key not in told:
                told.add(key)
                yield finding


def _sentences(book: Casebook) -> list[list[Statement]]:
    by_span: dict[tuple[str, int, int], dict[tuple[int, str], Statement]] = {}
    for s in book.said:
        if s.asserted and s.claim.quantity is not None:
            claim = s.claim
            by_span.setdefault((claim.source, claim.start, claim.end), {}).setdefault(
                (claim.value_start, claim.metric), s
            )
    return [list(found.values()) for found in by_span.values() if len(found) > 1]


def _pair(book: Casebook, stated: Statement, sentence: Sequence[Statement]) -> tuple[Statement, ...]:
    """The two figures of the sentence that `stated` compares, or the one range that has both; () where it is open which."""
    comparisons = [s for s in sentence if is_comparative(s) and s.claim.metric == stated.claim.metric]
    figures = [s for s in sentence if not is_comparative(s) and _measures_the_same(book, stated, s)]
    if len(comparisons) != 1 or len({s.claim.metric for s in figures}) != 1:
        return ()
    between = {stated.claim.subject, stated.claim.baseline} if stated.claim.baseline else None
    subjects = {s.claim.subject for s in figures}
    if between is not None and not subjects <= between:
        return ()  # of things that it does not compare
    if len(figures) == 1:
        return tuple(figures) if _is_from_to(book, figures[0]) else ()
    if len(figures) != _TWO or any(s.claim.quantity.form != "value" for s in figures if s.claim.quantity is not None):
        return ()
    return tuple(figures) if figures[0].count == figures[1].count else ()


def _measures_the_same(book: Casebook, stated: Statement, s: Statement) -> bool:
    metrics = book.domain.metrics
    own, other = metrics.get(stated.claim.metric), metrics.get(s.claim.metric)
    q = s.claim.quantity
    if own is None or other is None or q is None or q.form not in ("value", "range"):
        return False
    if q.bound not in ("exact", "about") and not _is_compared_with(book, stated, s):
        return False
    if own.id in _OF_ANYTHING:
        return other.nature == own.nature and other.dimension != "ratio" and q.dimension == other.dimension
    return other.id == own.id and q.dimension == own.dimension


def _is_compared_with(book: Casebook, stated: Statement, s: Statement) -> bool:
    """ "76% less than 141 GB": no bound, although "less than 141 GB" is one."""
    evidence = book.find_evidence(stated)
    between = evidence.quote[stated.claim.value_end - evidence.start : max(0, s.claim.value_start - evidence.start)]
    return _THAN.fullmatch(between) is not None


def _is_from_to(book: Casebook, s: Statement) -> bool:
    """True for "from 80 to 141 GB", and not for "between two and four"."""
    evidence = book.find_evidence(s)
    q = s.claim.quantity
    before = evidence.quote[: evidence.mark[0]] if evidence.mark else ""
    return q is not None and q.form == "range" and q.low < q.high and bool(_FROM.search(before))


def _judge(book: Casebook, stated: Statement, pair: Sequence[Statement]) -> Finding | None:
    small, big = sorted(_ends(pair), key=lambda i: i.middle)
    q = stated.claim.quantity
    if q is None or small.low <= 0 or small.meets(big) or _other_numbers(book, (stated, *pair)) > 1:
        return None
    ratio = big / small
    claimed = loosened(q)
    readings = _readings(book, stated, ratio)
    if not readings or any(_agree(claimed, r) for _, r in readings):
        return None
    return _draft(book, stated, pair, readings, ratio)


def _other_numbers(book: Casebook, statements: Sequence[Statement]) -> int:
    """How many more numbers their sentence has: with those, it may reckon in another way ("64 GPUs x 5.90 minutes")."""
    evidence = book.find_evidence(statements[0])
    spans = [(s.claim.value_start - evidence.start, s.claim.value_end - evidence.start) for s in statements]
    others = (m for m in _NUMBER.finditer(evidence.quote) if not any(a <= m.start() < b for a, b in spans))
    return sum(1 for _ in others)


def _ends(pair: Sequence[Statement]) -> list[Interval]:
    if len(pair) == 1:
        return [Interval.of(pair[0].low), Interval.of(pair[0].high)]
    found = [Interval(s.low, s.high) for s in pair]
    return [i if i.is_finite else Interval.of(i.middle) for i in found]


def _readings(book: Casebook, stated: Statement, ratio: Interval) -> list[tuple[str, Interval]]:
    """What the comparison would have to be, in each way to read it, as a formula of `a / b`."""
    q = stated.claim.quantity
    one = Interval.of(1)
    if q is None:
        return []
    if q.form not in ("change", "discount"):
        return [("{big} / {small}", ratio), ("{big} / {small} - 1", ratio - one), ("{small} / {big}", one / ratio)]
    rise, fall = ("{big} / {small} - 1", ratio - one), ("1 - {small} / {big}", one - one / ratio)
    evidence = book.find_evidence(stated)
    first, last = evidence.mark or (0, 0)
    near = evidence.quote[max(0, first - NEAR) : last + NEAR]
    falls, rises = q.form == "discount" or bool(FALLING.search(near)), bool(RISING.search(near))
    if falls == rises:
        return [rise, fall]
    return [fall] if falls else [rise]


def _agree(claimed: Interval, made: Interval) -> bool:
    claimed = -claimed if claimed.high < 0 else claimed
    room = max(_POINT, _SHARE * abs(made.middle))
    return (claimed + Interval(-room, room)).meets(made)


def _draft(
    book: Casebook,
    stated: Statement,
    pair: Sequence[Statement],
    readings: Sequence[tuple[str, Interval]],
    ratio: Interval,
) -> Finding:
    q = stated.claim.quantity
    percent = q is not None and q.form in ("change", "discount")
    small, big = _written(book, pair)
    made = [
        f"{formula.format(big=big, small=small)} = {_shown(value, percent=percent)}"
        for formula, value in readings[: 1 if not percent else _TWO]
    ]
    claimed = figure(book, stated)
    said = " and ".join(figure(book, s) for s in pair)
    lines = [f"{' or '.join(made)}   [{place(book, pair[0])}]", f"claimed: {claimed}   [{place(book, stated)}]"]
    rise, fall = ratio - Interval.of(1), Interval.of(1) - Interval.of(1) / ratio
    for other, words in ((rise, "of the lower"), (fall, "of the higher")):
        if percent and q is not None and len(readings) == 1 and other != readings[0][1] and _agree(loosened(q), other):
            lines.append(f"{claimed} would be the difference as a share {words}")
    middle = abs(q.low + q.high) / 2 if q is not None else 0.0
    far = any(middle > FAR_OFF * r.middle or r.middle > FAR_OFF * middle for _, r in readings[:1])
    title = f"{name(book, stated.claim.subject)}: {claimed} does not fit {said}"
    return draft(
        book,
        "CW405",
        "contradiction",
        "high" if far else "medium",
        title,
        "\n".join(lines),
        (stated, *pair),
        help="see which of the three is off, and of which value the share is",
    )


def _written(book: Casebook, pair: Sequence[Statement]) -> tuple[str, str]:
    """The lower and the higher figure as written; of a range, both ends in its unit."""
    if len(pair) > 1:
        lower, higher = sorted(pair, key=lambda s: s.low)
        return figure(book, lower), figure(book, higher)
    q = pair[0].claim.quantity
    unit = book.domain.units.get(q.unit) if q is not None else None
    scale = Interval.of(unit.scale if unit is not None else 1.0)
    lower_end, higher_end = (as_written(Interval.of(x) / scale) for x in (pair[0].low, pair[0].high))
    return lower_end, higher_end


def _shown(value: Interval, *, percent: bool) -> str:
    return f"{number(100 * value.middle)}%" if percent else f"{spanned(Interval.of(value.middle))}x"
