"""Figures and categories of one key that cannot both hold: of two sources, of one, and of a source and the table (CW101, CW102, CW105, CW207, CW7xx)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from chipwise.audit.book import Book, Pair, Reading
from chipwise.audit.writer import draft, figure, label, name, place, read_as
from chipwise.domain.catalogue import SCOPE
from chipwise.figures.format import listed
from chipwise.figures.judge import DEPRECATED, Assessment, Standing, unlabelled
from chipwise.figures.relate import CALLED, Relation, Verdict, differing_axes, gap, relate
from chipwise.figures.statement import Statement
from chipwise.types import Finding

_OF_THE_SAME, _OF_KIN = 1.08, 0.95  # how much likelier: against the table's figure of the very product, of its kin
_OF_ONE_RUN = 1.2  # all that is stated of two measurements is alike
_FAR, _FAR_FROM_A_SOURCE = 4.0, 0.75  # a misread figure of a source is far off more often than two sources are
_SETTLE = "look up what the maker says; if both figures hold, say what each is of (scope, format, variant, date)"
_SHOWN = 3
_LABELS = ("binary-prefix", "binary-label")  # rules that make one figure of two units


def check(book: Book) -> Iterator[Finding]:
    """One finding for each figure that is wrong, against the table where that has it, else against the best attested other."""
    repeated: dict[str, list[Statement]] = {}
    for readings in book.readings.values():
        for r in readings:
            own = [s for s in r.statements if s.claim.source in book.audited]
            if not own or (found := book.judge(r.best)).standing is not Standing.CONTRADICTED:
                continue
            if found.relation.rule == DEPRECATED:
                repeated.setdefault(found.by[0].fact.id if found.by[0].fact else "", [found.by[0]]).extend(own)
            elif not _knows_of(book, r, found.by[0]):
                yield _against_the_table(book, r, found)
    yield from (_repeats(book, statements, wrong) for wrong, *statements in repeated.values())
    yield from _unlabelled(book)
    opposed: dict[int, list[Pair]] = {}
    for pair in filter(lambda pair: _is_open(book, pair), book.pairs):
        if id(pair.a) not in opposed:  # what is called wrong itself is no witness
            opposed.setdefault(id(pair.b), []).append(pair)
    yield from (_between(book, pairs) for pairs in opposed.values())


def _is_open(book: Book, pair: Pair) -> bool:
    """True for a contradiction that neither the table nor the source itself settles."""
    sides = (pair.a, pair.b)
    if not pair.relation.contradicts or pair.relation.rule == "polarity":  # the check of categories finds denials
        return False
    if _knows_of(book, pair.a, pair.b.best) or _knows_of(book, pair.b, pair.a.best) or _are_of_parts(book, pair):
        return False
    tabled = (book.judge(r.best) for r in sides)
    if any(j.known or j.standing is Standing.CONTRADICTED for j in tabled):
        return False
    return not any(_is_of_each(book, r.best) for r in sides)


def _knows_of(book: Book, reading: Reading, other: Statement) -> bool:
    """True where all who say the one say the other too, in the same sentence, or a category or the table's figure in the same source.

    They do not take the two for one thing. Who gives 989 TFLOPS dense and 1,979 with sparsity knows of no 1,979 dense.
    """
    wide = other.claim.quantity is None or other.fact is not None

    def knows(s: Statement) -> bool:
        near = book.by_key.get(s.key, ()) if wide else book.by_sentence[s.claim.source, s.claim.start]
        return any(
            o is not s and o.key == s.key and o.claim.source == s.claim.source and o.claim.object == other.claim.object
            and (o.scope in ("die", "core")) == (other.scope in ("die", "core"))
            and not differing_axes(book.domain, o, other)
            and (_may_be_one(o, other) or relate(book.domain, o, other).rule in _LABELS)
            for o in near
        )  # fmt: skip

    return all(map(knows, reading.statements))


def _may_be_one(a: Statement, b: Statement) -> bool:
    """True where one figure may be the other; 1.6 and 1.7 only touch, where each was rounded, and of a bound its end is the figure."""
    bounds = [s.quantity.bound in ("at most", "at least") for s in (a, b)]
    if bounds[0] != bounds[1]:
        bound, other = (a, b) if bounds[0] else (b, a)
        return other.low <= bound.middle <= other.high
    touching = a.low == a.high or b.low == b.high
    return (a.low <= b.high and b.low <= a.high) if touching else (a.low < b.high and b.low < a.high)


def _are_of_parts(book: Book, pair: Pair) -> bool:
    """True for two figures of one source that gives the table's besides: "8 GB in stacks of 4 GB, 128 MB of them" are three things."""
    a, b = pair.a.best, pair.b.best
    known = (s for r in book.readings[a.key] if book.judge(r.best).known for s in r.statements)
    return (
        a.claim.source == b.claim.source
        and a.claim.quantity is not None
        and any(s.claim.source == a.claim.source for s in known)
    )


def _is_of_each(book: Book, s: Statement) -> bool:
    """True for the figure of one chip beside the name of a machine: "DGX H100, 8 GPUs, NVLink 900 GB/s"."""
    if (s.count or 1) == 1 or s.claim.qualifier("count"):
        return False
    of_one = replace(s.claim, subject=s.chip, qualifiers=tuple(q for q in s.claim.qualifiers if q[0] not in SCOPE))
    return book.judge(replace(s, count=1, claim=of_one)).known


def _between(book: Book, pairs: Sequence[Pair]) -> Finding:
    """One finding on a figure that others oppose: against the best attested, with quotes of the next."""
    pair = pairs[0]
    a, b = pair.a.best, pair.b.best
    same, far = a.claim.source == b.claim.source, a.claim.quantity is not None and gap(a, b) > _FAR
    code = "CW105" if a.claim.quantity is None else "CW102" if same else "CW101"
    severity = "high" if same or book.domain.metrics[a.claim.metric].nature == "specified" else "medium"
    surer = _OF_ONE_RUN if pair.relation.rule == "run" else _FAR_FROM_A_SOURCE if far else 1.0
    sides = (pair.a.statements, pair.b.statements)
    found = _disagree(book, code, severity, sides, pair.relation, [], surer)
    further = tuple(book.find_evidence(other.a.best) for other in pairs[1:_SHOWN])
    return replace(found, evidence=(*found.evidence, *further))


def _against_the_table(book: Book, reading: Reading, found: Assessment) -> Finding:
    """Of two that disagree a reader can open both: a document that says what the table has is quoted first, and the table as a further witness."""
    fact, s = found.by[0], reading.best
    related = (
        (o, relate(book.domain, fact, o))
        for o in book.by_key[fact.key]
        if o.fact is None and o.asserted and o.claim.source not in (s.claim.source, fact.claim.source)
    )
    witness = next((o for o, r in related if r.verdict is Verdict.SAME or r.rule == CALLED), None)
    surer = _OF_THE_SAME if fact.claim.subject == s.claim.subject else _OF_KIN
    return _disagree(
        book, "CW701", "medium", (reading.statements, (fact,)), found.relation, [witness] if witness else [], surer
    )


def _disagree(
    book: Book, code: str, severity: str, sides: Sequence[Sequence[Statement]], relation: Relation,
    witness: Sequence[Statement], surer: float,
) -> Finding:  # fmt: skip
    a, b = (side[0] for side in sides)
    subject, metric = name(book, a.claim.subject), name(book, a.claim.metric)
    unlike = [axis for axis in relation.axes if a.claim.qualifier(axis) != b.claim.qualifier(axis)]
    values = " against ".join(label(book, s, unlike) for s in (a, b))
    lines = []
    for side in sides:
        count = len({s.claim.source for s in side})
        where = f"{count} sources, {book.witnesses(side)} independent" if count > 1 else place(book, side[0])
        lines.append(f"{figure(book, side[0])}: {where}{read_as(book, side[0])}")
    why = relation.reason or "nothing that either source says explains the difference"
    lines.append(f"Both are the {metric} of {name(book, a.chip)}; {why}.")
    return draft(
        book, code, "contradiction", severity, f"{subject} {metric} disagrees: {values}", "\n".join(lines),
        (a, *witness, b), help=_SETTLE, surer=surer,
    )  # fmt: skip


def _repeats(book: Book, statements: Sequence[Statement], wrong: Statement) -> Finding:
    s, reason = statements[0], wrong.fact.reason if wrong.fact is not None else ""
    count = len({o.claim.source for o in statements})
    again = f" ({count} sources, {book.witnesses(statements)} independent)" if count > 1 else ""
    title = (
        f"{name(book, s.claim.subject)} {name(book, s.claim.metric)}: {figure(book, s)} is a known wrong value{again}"
    )
    return draft(
        book, "CW702", "contradiction", "medium", title, f"{place(book, wrong)}: {reason}", (*statements[:_SHOWN], wrong),
        help=reason,
    )  # fmt: skip


def _unlabelled(book: Book) -> Iterator[Finding]:
    """One finding for each chip and figure of a source."""
    told: set[tuple[str, str, float]] = set()
    for s in (
        s
        for s in book.said
        if s.claim.source in book.audited and s.claim.quantity is not None and s.claim.metric in book.domain.metrics
    ):
        facts = book.facts.get(s.key, ())
        at = (s.claim.source, s.chip, s.middle)
        if at in told or not (peaks := unlabelled(book.domain, s, facts)):
            continue
        told.add(at)
        usual = {"sparsity": "dense", "dtype": s.claim.qualifier("dtype") or "bf16"}
        dense = [
            f
            for f in facts
            if f.preferred and f.claim.states(usual) and (f.count or 1) == 1 and f.claim.qualifier("engine") != "vector"
        ]
        title = f"{name(book, s.claim.subject)} {name(book, s.claim.metric)}: {figure(book, s)} does not say which peak it is"
        forms = [
            " ".join(filter(None, (f"in {name(book, d)}" if (d := f.claim.qualifier("dtype")) else "", _density(f))))
            for f in peaks
        ]
        steps = f"{figure(book, peaks[0])} is the peak {listed(dict.fromkeys(forms))}"
        steps += f"; the dense peak is {figure(book, dense[0])} ({place(book, dense[0])})" if dense else ""
        yield draft(
            book, "CW207", "unresolved", "medium", title, steps, (s, *peaks[: _SHOWN - 1], *dense[:1]),
            help="write the format and whether zeros are skipped",
        )  # fmt: skip


def _density(fact: Statement) -> str:
    sparsity = fact.claim.qualifier("sparsity")
    return "without sparsity" if sparsity in ("", "dense") else f"with {sparsity} sparsity"
