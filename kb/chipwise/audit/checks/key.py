"""Figures and categories of one key that cannot both hold: of two sources, of one, and of a source and the table (CW101, CW102, CW105, CW207, CW7xx)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from chipwise.audit.book import Book, Pair, Reading
from chipwise.audit.writer import draft, figure, label, name, place, read_as
from chipwise.figures.format import listed
from chipwise.figures.judge import DEPRECATED, UNLABELLED, Assessment, Standing, of_slower_units
from chipwise.figures.relate import CALLED, Relation, Verdict, differing_axes, relate
from chipwise.figures.statement import RECORDS, Statement
from chipwise.figures.transforms import TOLERANCE, form
from chipwise.types import Finding, Role

_SETTLE = "Check the vendor's page. If both are right, state what each one measures (scope, format, variant, date)."
_SHOWN, _PLACES, _TWICE = 3, 5, 1.5
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
                sure = [s for s in own if s.claim.quantity is not None or s.claim.confidence == 1]
                repeated.setdefault(found.by[0].fact.id if found.by[0].fact else "", [found.by[0]]).extend(sure)
            elif not _knows_of(book, r, found.by[0]):
                yield _against_the_table(book, r, found)
    yield from (_repeats(book, statements, wrong) for wrong, *statements in repeated.values() if statements)
    yield from _unlabelled(book)
    opposed: dict[int, list[Pair]] = {}
    for pair in filter(lambda pair: _is_open(book, pair), book.pairs):
        if id(pair.a) not in opposed:  # what is called wrong itself is no witness
            opposed.setdefault(id(pair.b), []).append(pair)
    yield from (_between(book, pairs) for pairs in opposed.values())


def _is_open(book: Book, pair: Pair) -> bool:
    """True for a contradiction that neither the table nor the source itself settles."""
    if not pair.relation.contradicts or pair.relation.rule == "polarity":  # the check of categories finds denials
        return False
    if _knows_of(book, pair.a, pair.b.best) or _knows_of(book, pair.b, pair.a.best):
        return False
    sides = (pair.a.best, pair.b.best)
    return not any(j.known or j.standing is Standing.CONTRADICTED for j in map(book.judge, sides))


def _knows_of(book: Book, reading: Reading, other: Statement) -> bool:
    """True where all who say the one say the other too, in the same sentence, or a category or the table's figure in the same source.

    They do not take the two for one thing; but who gives 989 TFLOPS dense and 1,979 with sparsity knows of no 1,979 dense, nor a table of another's.
    """
    single = other.claim.quantity is None and book.domain.metrics[other.claim.metric].single  # "Ada", "Ampere"
    wide = not single and (other.claim.quantity is None or other.fact is not None)

    def knows(s: Statement) -> bool:
        near = book.by_key.get(s.key, ()) if wide else book.by_sentence[s.claim.source, s.claim.start]
        return any(
            o is not s and o.key == s.key and o.claim.source == s.claim.source and o.claim.object == other.claim.object
            and (s.role not in RECORDS or (o.table == s.table and o.claim.subject == s.claim.subject))
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


def _between(book: Book, pairs: Sequence[Pair]) -> Finding:
    """One finding on a figure that others oppose: against the best attested, with quotes of the next."""
    pair = pairs[0]
    a, b = pair.a.best, pair.b.best
    same = a.claim.source == b.claim.source
    code = "CW105" if a.claim.quantity is None else "CW102" if same else "CW101"
    severity = "high" if not same and book.domain.metrics[a.claim.metric].nature == "specified" else "medium"
    found = _disagree(book, code, severity, (pair.a.statements, pair.b.statements), pair.relation, [])
    further = tuple(book.find_evidence(other.a.best) for other in pairs[1:_SHOWN])
    return replace(found, evidence=(*found.evidence, *further))


def _against_the_table(book: Book, reading: Reading, found: Assessment) -> Finding:
    """Of two that disagree a reader can open both: a document that says what the table has is quoted first, and the table as a further witness."""
    fact, s = found.by[0], reading.best
    own = (s.claim.source, fact.claim.source)
    others = (o for o in book.by_key[fact.key] if o.fact is None and o.asserted and o.claim.source not in own)
    witness = [o for o in others if (r := relate(book.domain, fact, o)).verdict is Verdict.SAME or r.rule == CALLED]
    return _disagree(book, "CW701", "medium", (reading.statements, (fact,)), found.relation, witness[:1])


def _disagree(
    book: Book, code: str, severity: str, sides: Sequence[Sequence[Statement]], relation: Relation,
    witness: Sequence[Statement],
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
    one = "your text nor the source" if book.checked in {s.claim.source for s in (a, b)} else "source"
    why = f": {relation.reason}" if relation.reason else f", and neither {one} explains the difference"
    lines.append(f"Both values are for {name(book, a.chip)} {metric}{why}{'' if why.endswith('?') else '.'}")
    return draft(
        book, code, "contradiction", severity, f"{subject} {metric} disagrees: {values}", "\n".join(lines),
        (a, *witness, b), help=_SETTLE,
    )  # fmt: skip


def _repeats(book: Book, statements: Sequence[Statement], wrong: Statement) -> Finding:
    s, reason = statements[0], wrong.fact.reason if wrong.fact is not None else ""
    count = len({o.claim.source for o in statements})
    by = f" ({count} sources, {book.witnesses(statements)} independent)" if count > 1 else ""
    title = f"{name(book, s.claim.subject)} {name(book, s.claim.metric)}: {figure(book, s)} is a known wrong value{by}"
    return draft(
        book, "CW702", "contradiction", "medium", title, f"{place(book, wrong)}: {reason}", (*statements[:_SHOWN], wrong),
        help="Use the correct value, or say that this one has been corrected or superseded.",
    )  # fmt: skip


def _unlabelled(book: Book) -> Iterator[Finding]:
    """One finding for each chip and figure of a source, and for each format of a table: a contradiction where the cells beside it are dense."""
    stated = (s for s in book.said if s.claim.source in book.audited and s.claim.metric in book.domain.metrics)
    alike: dict[tuple[str | float, ...], list[Statement]] = {}
    for s in (s for s in stated if s.claim.quantity is not None and book.judge(s).relation.rule == UNLABELLED):
        slower = bool(of_slower_units(s, book.facts.get(s.key, ())))
        of = (s.table, s.claim.qualifier("dtype"), slower) if s.role is Role.TABLE else (s.chip, s.middle)
        if not _is_told(book, s):
            alike.setdefault((s.claim.source, *of), []).append(s)
    for s, *again in alike.values():
        facts, peaks = book.facts.get(s.key, ()), book.judge(s).by
        usual = {"sparsity": "dense", "dtype": s.claim.qualifier("dtype") or "bf16"}
        own = [f for f in facts if f.preferred and f.claim.states(usual) and f.claim.qualifier("engine") != "vector"]
        dense = sorted((f for f in own if f.count == 1), key=lambda f: f.claim.subject != peaks[0].claim.subject)
        times = "twice " if s.middle > _TWICE * peaks[0].high else ""
        steps = f"{figure(book, s)} is {times}the peak {listed(form(book.domain, f, 'in') for f in peaks)}"
        steps += f"; the dense peak is {figure(book, dense[0])} ({place(book, dense[0])})" if dense else ""
        if dense and peaks[0] is dense[0]:
            kind = f"dense {name(book, usual['dtype'])} peak of {figure(book, dense[0])} ({place(book, dense[0])})"
            steps = f"{figure(book, s)} is {times}the {kind}"
        verdict, title = "unresolved", f"{figure(book, s)} is given without saying which peak it is"
        if beside := next((d for o in (s, *again) for d in _dense_beside(book, o)), None):
            verdict = "contradiction"
            title = f"{figure(book, s)} is not the dense matrix-unit peak, but the figures beside it are"
            steps += f"\nThe {figure(book, beside)} beside it is dense ({place(book, beside)})."
        elif of_slower_units(s, facts) or _adds_faster(book, s):
            continue  # "fp16": 134 is what vector units reach, and among others of them no slip
        yield draft(
            book, "CW207", verdict, "medium", f"{name(book, s.claim.subject)} {name(book, s.claim.metric)}: {title}", steps,
            (s, *again[:_PLACES], *peaks[: _SHOWN - 1], *dense[:1]), help="Give the format, and say whether the figure assumes sparsity.",
        )  # fmt: skip


def _is_told(book: Book, s: Statement) -> bool:
    """True where a reader can tell which peak it is: the table has the dense one as well ("FP8*" below "FP8"), or the sentence or the words right before or behind the table say so."""
    cells = (o for o in book.by_source[s.claim.source] if s.recorded and o.table == s.table and o.key == s.key)
    halves = (o for o in cells if abs(s.middle - 2 * o.middle) <= TOLERANCE * s.middle)
    if any(o.claim.qualifiers == s.claim.qualifiers for o in halves):
        return True
    passages = book.passages_of(s.claim.source) if s.role is Role.TABLE else ()
    headings = [p.heading for p in passages if p.ordinal == s.claim.passage]
    near = [p for p in passages if p.heading in headings and p.role is not Role.TABLE]
    about = [*[p for p in near if p.ordinal < s.table][-1:], *[p for p in near if p.ordinal > s.claim.passage][:1]]
    words = [p.text for p in about] if s.recorded else [book.find_evidence(s).quote]
    told = {i for text in words for m in book.domain.find_qualifiers(text) for i in m.ids}
    if s.recorded:
        return "sparsity=2:4" in told
    peak = book.judge(s).by[0]  # "an FP8 peak of 6.7 times, 1,299 against 191"
    axes = {f"{axis}={value}" for axis, value in peak.claim.qualifiers if axis in ("dtype", "sparsity")}
    return s.middle < _TWICE * peak.middle and axes - {"sparsity=dense"} <= told


def _dense_beside(book: Book, s: Statement) -> list[Statement]:
    """The figures beside one that are dense, though their chips have one with sparsity: of others in its table, data or passage, or of its own row in other formats."""
    dtype, passages = s.claim.qualifier("dtype"), book.passages_of(s.claim.source)
    own = next((p.text for p in passages if p.ordinal == s.claim.passage and s.role not in RECORDS), "")
    told = any(i.startswith("sparsity=") for m in book.domain.find_qualifiers(own) for i in m.ids)
    if _adds_faster(book, s) or told or not (s.recorded or own):
        return []
    cells = (o for o in book.by_source.get(s.claim.source, ()) if o.chip)
    near = (o for o in cells if (o.claim.passage == s.claim.passage if own else o.recorded and o.table == s.table))
    alike = [o for o in near if o.claim.metric == s.claim.metric and not o.claim.qualifier("sparsity")]
    others = [o for o in alike if o.chip != s.chip and o.claim.qualifier("dtype") == dtype]
    row = [o for o in alike if o.claim.subject == s.claim.subject and o.claim.qualifier("dtype") not in ("", dtype)]
    # what vector units reach in 16 bits stands in many rows beside what matrix units reach in other formats
    alone = not dtype or of_slower_units(s, book.facts.get(s.key, ()))
    return _dense_of(book, others) or ([] if alone else _dense_of(book, row))


def _dense_of(book: Book, silent: Sequence[Statement]) -> list[Statement]:
    """Return the dense ones among figures without a density, if they outnumber those with sparsity."""
    known = [o for o in silent if (found := book.judge(o)).known and found.relation.rule != UNLABELLED]
    twins = book.domain.axes["dtype"].alike

    def has_more(o: Statement, dtype: str) -> bool:
        sparse = (f.claim for f in book.facts.get(o.key, ()) if f.claim.qualifier("sparsity") == "2:4")
        return any(f.qualifier("dtype") in (twins if dtype in twins else (dtype,)) or not dtype for f in sparse)

    dense = [o for o in known if has_more(o, o.claim.qualifier("dtype"))]
    return dense if len(dense) > sum(book.judge(o).relation.rule == UNLABELLED for o in silent) else []


def _adds_faster(book: Book, s: Statement) -> bool:
    """True of a peak with sparsity of a chip that reaches it without, where it adds in FP16."""
    sums = book.domain.word_group("adds faster in FP16") & {*name(book, s.chip).lower().split()}
    peak = book.judge(s).by[0].claim
    return bool(sums) and s.claim.qualifier("dtype") in ("", "fp16") and peak.qualifier("engine") != "vector"
