"""Values that contradict: between two sources, within one, against the curated table (CW101, CW102, CW105, CW7xx)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

from chipwise import patterns as re
from chipwise.audit.agreeing import exceeds
from chipwise.audit.casebook import Casebook, Statement, group
from chipwise.audit.comparing import CALLED, gap, relate
from chipwise.audit.differing import differing_axes
from chipwise.audit.drafting import draft, figure, name, place
from chipwise.audit.readings import Comparison, are_told_apart, reconciled, statements_by_place
from chipwise.audit.verdicts import Verdict
from chipwise.figures.alike import is_of_slower_units
from chipwise.types import Finding

# "<200 W", "under 200 W": any figure below is so, where "up to 200 W" tells what there is
_BELOW = re.compile(r"(?:<|\b(?:under|below|(?:less|fewer|lower|smaller|shorter) than))[\s*_`~≈$€£]*$", re.I)
_OF_THE_SAME, _OF_KIN = 1.08, 0.95
_FAR, _FAR_FROM_A_SOURCE = 4.0, 0.75  # a misread figure of a source is far off more often than two sources are
_SETTLE = "look up what the maker says; if both figures hold, say what each is of (scope, format, variant, date)"
_SHOWN = 4  # quotes that a finding shows, the table's own with them


def find_contradictions(book: Casebook, compared: Sequence[Comparison]) -> Iterator[Finding]:
    """One finding for each reading that contradicts the best reading that it can be compared with."""
    settled = reconciled(book.domain, compared)
    places = statements_by_place(book)
    known = {
        (*r.best.key, s.claim.source) for c in compared for r in (c.a, c.b) if id(r) in settled for s in r.statements
    }
    for c in sorted(compared, key=_distance):
        # statements that affirm and deny one thing are `statements`' to find
        if c.relation.verdict is not Verdict.CONTRADICTION or c.relation.rule == "polarity":
            continue
        if (id(c.a) in settled and c.a.best.fact is None) or id(c.b) in settled:
            continue
        if c.a.best.fact is not None and c.b.best.fact is not None:
            continue  # the table's own ranks say which is which
        if are_told_apart(book.domain, places, c) or _are_of_parts(known, c):
            continue
        if any(is_just_below(book, x.best, y.best) for x, y in ((c.a, c.b), (c.b, c.a))):
            continue
        settled.add(id(c.b))
        yield _contradiction(book, c)


def _distance(c: Comparison) -> tuple[bool, int, bool, bool, float]:
    """Sorts comparisons so that a figure stands first against the fact that is labelled like it, is preferred, and comes nearest to it."""
    facts = [s for s in (c.a.best, c.b.best) if s.fact is not None]
    if len(facts) != 1 or facts[0].claim.quantity is None:
        return not facts, 0, False, False, 0.0
    sparse = facts[0].claim.qualifier("sparsity") not in ("", "dense")
    secondary = facts[0].fact is not None and facts[0].fact.rank != "preferred"
    return False, len(c.relation.axes), sparse, secondary, gap(c.a.best, c.b.best)


def _are_of_parts(known: Set[tuple[str, ...]], c: Comparison) -> bool:
    """True for two figures of one source that gives the table's besides: "8 GB in stacks of 4 GB, 128 MB of them" are three things."""
    a, b = c.a.best, c.b.best
    return a.claim.source == b.claim.source and (*a.key, a.claim.source) in known and b.claim.quantity is not None


def is_just_below(book: Casebook, s: Statement, known: Statement) -> bool:
    """True for "under 200 W" of what is known to draw 165 W, which "up to 200 W" would not tell."""
    metric = book.domain.metrics.get(s.claim.metric)
    evidence = book.find_evidence(s) if metric is not None and exceeds(metric, s, known) else None
    return (
        evidence is not None and evidence.mark is not None and bool(_BELOW.search(evidence.quote, 0, evidence.mark[0]))
    )


def _contradiction(book: Casebook, c: Comparison) -> Finding:
    a, b = c.a.best, c.b.best
    subject, metric = name(book, b.claim.subject), name(book, b.claim.metric)
    values = " against ".join(_labelled(book, s, c) for s in (a, b))
    facts = [s for s in (a, b) if s.fact is not None]
    same_source = a.claim.source == b.claim.source
    code = "CW701" if facts else "CW105" if a.claim.quantity is None else "CW102" if same_source else "CW101"
    title = f"{subject} {metric} disagrees: {values}"
    severity = "high" if same_source or (_specified(book, a) and not facts) else "medium"
    surer = _surer(c, bool(facts))
    quoted = (*_witness(book, c), a, b) if facts else (a, b)
    return draft(book, code, "contradiction", severity, title, _why(book, c), quoted, help=_SETTLE, surer=surer)


def _witness(book: Casebook, c: Comparison) -> list[Statement]:
    """A document that says what the table has: of two that disagree a reader can open both, and the table is a further witness."""
    fact, said = (c.a.best, c.b.best) if c.a.best.fact is not None else (c.b.best, c.a.best)
    for s in book.by_key.get(fact.key, ()):
        if s.fact is None and s.asserted and s.claim.source not in (said.claim.source, fact.claim.source):
            relation = relate(book.domain, fact, s)
            if relation.verdict is Verdict.SAME or relation.rule == CALLED:
                return [s]
    return []


def _surer(c: Comparison, tabled: bool) -> float:
    """How much likelier a contradiction is than others: against the table's figure of the very product more, far from another source's less."""
    a, b = c.a.best, c.b.best
    if tabled:
        return _OF_THE_SAME if a.claim.subject == b.claim.subject else _OF_KIN
    return _FAR_FROM_A_SOURCE if a.claim.quantity is not None and gap(a, b) > _FAR else 1.0


def _labelled(book: Casebook, s: Statement, c: Comparison) -> str:
    """A figure, with its labels where two that are one number differ in those: "72 PFLOPS (dense)"."""
    unlike = [axis for axis in c.relation.axes if c.a.best.claim.qualifier(axis) != c.b.best.claim.qualifier(axis)]
    labels = [s.claim.qualifier(axis) for axis in unlike]
    return f"{figure(book, s)} ({', '.join(labels)})" if any(labels) else figure(book, s)


def _specified(book: Casebook, s: Statement) -> bool:
    return book.domain.metrics[s.claim.metric].nature == "specified"


def _why(book: Casebook, c: Comparison) -> str:
    lines = []
    for reading in (c.a, c.b):
        count, independent = len({s.claim.source for s in reading.statements}), book.witnesses(reading.statements)
        sources = f"{count} sources, {independent} independent" if count > 1 else place(book, reading.best)
        lines.append(f"{figure(book, reading.best)}: {sources}{_read_as(book, reading.best)}")
    both = _same_axes(c.a.best, c.b.best)
    why = c.relation.reason or "no qualifier explains the gap"
    return "\n".join([*lines, f"same chip, same metric{both}; {why}"])


def _read_as(book: Casebook, s: Statement) -> str:
    """The axes that a figure was read with: ", read as BF16, 2:4, per chip"."""
    qualifiers = book.domain.metrics[s.claim.metric].qualifiers
    words = [name(book, value) for axis, value in s.claim.qualifiers if axis in qualifiers and axis != "aggregation"]
    scope = s.claim.qualifier("aggregation")
    words += [f"of {s.count} chips" if (s.count or 1) > 1 else f"per {scope}"] if scope else []
    return f", read as {', '.join(words)}" if words else ""


def _same_axes(a: Statement, b: Statement) -> str:
    stated = dict(b.claim.qualifiers)
    shared = [value for axis, value in a.claim.qualifiers if stated.get(axis) == value]
    return f", both {', '.join(shared)}" if shared else ""


def find_record_conflicts(book: Casebook) -> Iterator[Finding]:
    """CW702: what repeats a figure that the table has as deprecated, with the reason that stands there."""
    said = group(book.said)
    for key, facts in book.facts.items():
        wrong = [f for f in facts if f.fact is not None and f.fact.rank == "deprecated"]
        if not wrong:
            continue
        right = [f for f in facts if f.fact is not None and f.fact.rank != "deprecated"]
        repeats: dict[str, list[Statement]] = {}
        # what holds under a condition alone repeats nothing that was said without
        for s in (s for s in said.get(key, ()) if s.stands and not s.claim.qualifier("condition")):
            again = next((f for f in wrong if relate(book.domain, f, s).verdict is Verdict.SAME), None)
            if again is None or again.fact is None or again.claim.source == s.claim.source:
                continue
            if not any(_may_be(book, f, s) for f in right):
                repeats.setdefault(again.fact.id, [again]).append(s)
        for fact, *statements in repeats.values():
            yield _repeats(book, statements, fact)


def _may_be(book: Casebook, fact: Statement, s: Statement) -> bool:
    """True where a figure is that of a fact, or would be if it said its density: "3.9 PFLOPS in FP8" may be the sparse one.

    What names no units is not what the slower ones reach: 78 TFLOPS of FP16 are no peak of an A100.
    """
    if fact.fact is not None and is_of_slower_units(fact.fact) and not s.claim.qualifier("engine"):
        return False
    unlabelled = s.claim.quantity is not None and not s.claim.qualifier("sparsity")
    unlabelled = unlabelled and fact.low <= s.high and s.low <= fact.high
    alike = unlabelled and not differing_axes(book.domain, fact, s) and fact.count == s.count
    return alike or relate(book.domain, fact, s).verdict in (Verdict.SAME, Verdict.COMPATIBLE)


def _repeats(book: Casebook, statements: Sequence[Statement], wrong: Statement) -> Finding:
    s = statements[0]
    subject, metric = name(book, s.claim.subject), name(book, s.claim.metric)
    reason = wrong.fact.reason if wrong.fact is not None else ""
    count = len({o.claim.source for o in statements})
    again = f" ({count} sources, {book.witnesses(statements)} independent)" if count > 1 else ""
    title = f"{subject} {metric}: {figure(book, s)} is a figure that the table calls deprecated{again}"
    quoted = (*statements[: _SHOWN - 1], wrong)
    return draft(
        book, "CW702", "contradiction", "medium", title, f"{place(book, wrong)}: {reason}", quoted, help=reason
    )
