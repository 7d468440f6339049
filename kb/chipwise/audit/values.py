"""Values that differ: between two sources, within one, against the curated table (CW1xx, CW201, CW202, CW7xx).

Statements are brought to their distinct readings first, so that the work grows with
how many different things are said and not with how often.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from chipwise.audit.casebook import Casebook, Statement, group
from chipwise.audit.comparing import Relation, Verdict, relate
from chipwise.audit.drafting import draft, figure, name, place
from chipwise.types import Finding

MOST_READINGS = 150  # of one chip and metric: beyond that a range says more than pairs
_SHOWN = 4  # quotes a spread shows: its ends and two between


@dataclass(frozen=True, slots=True)
class Reading:
    """One thing that is said of a chip and metric, with everyone who says it, best witness first."""

    statements: tuple[Statement, ...]

    @property
    def best(self) -> Statement:
        """The statement to quote."""
        return self.statements[0]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two readings and what they are to each other."""

    a: Reading
    b: Reading
    relation: Relation


def compare_all(book: Casebook) -> list[Comparison]:
    """Every pair of different readings of one chip and metric, with its verdict; facts are readings too."""
    compared: list[Comparison] = []
    for key, statements in group(s for s in book.statements if s.asserted).items():
        wrong = [f for f in book.facts.get(key, []) if f.fact is not None and f.fact.rank == "deprecated"]
        # what repeats a figure that the table knows to be wrong is a finding of its own, once
        kept = [s for s in statements if s.fact is not None or not any(_repeated(book, f, s) for f in wrong)]
        readings = read_group(book, kept)
        pairs = combinations(readings[:MOST_READINGS], 2)
        compared += [Comparison(a, b, relate(book.domain, a.best, b.best)) for a, b in pairs]
    return compared


def _repeated(book: Casebook, wrong: Statement, s: Statement) -> bool:
    return relate(book.domain, wrong, s).verdict is Verdict.SAME


def read_group(book: Casebook, statements: Sequence[Statement]) -> list[Reading]:
    """Distinct readings, the best attested first."""
    said: dict[object, list[Statement]] = {}
    for s in statements:
        c, q = s.claim, s.claim.quantity
        value = (c.object, c.polarity) if q is None else (q.dimension, f"{q.low:.9g}", f"{q.high:.9g}", q.form)
        said.setdefault((value, c.subject, c.baseline, c.qualifiers, s.count), []).append(s)
    readings = [Reading(tuple(sorted(group_, key=lambda s: _trust(book, s)))) for group_ in said.values()]
    return sorted(readings, key=lambda r: (_trust(book, r.best), -book.witnesses(r.statements)))


def _trust(book: Casebook, s: Statement) -> tuple[int, int, str]:
    """Lower is better: preferred facts, then vendors' own words, then what is newer."""
    info = book.sources.get(s.claim.source)
    ranks = {"preferred": 0, "normal": 2}
    rank = ranks[s.fact.rank] if s.fact is not None else 1 if info is not None and info.kind in _PRIMARY else 3
    return rank, 0 if s.role.speaks_for_the_source else 1, "" if info is None else _newest_first(info.published)


_PRIMARY = ("documentation", "datasheet", "paper")


def _newest_first(published: str) -> str:
    return "".join(chr(ord("9") - ord(c) + ord("0")) if c.isdigit() else c for c in published) or "~"


def find_contradictions(book: Casebook, compared: Sequence[Comparison]) -> Iterator[Finding]:
    """One finding for each reading that contradicts the best reading that it can be compared with."""
    settled = reconciled(compared)
    places = _places(book)
    for c in compared:
        if c.relation.verdict is not Verdict.CONTRADICTION or c.relation.rule == "polarity":
            continue
        if (id(c.a) in settled and c.a.best.fact is None) or id(c.b) in settled:
            continue
        if c.a.best.fact is not None and c.b.best.fact is not None:
            continue  # the table's own ranks say which is which
        if _told_apart(places, c.a, c.b) or _told_apart(places, c.b, c.a):
            continue
        settled.add(id(c.b))
        yield _contradiction(book, c)


def _places(book: Casebook) -> dict[tuple[object, ...], list[Statement]]:
    """What is said of a chip and metric by sentence, and for categories and facts by source."""
    found: dict[tuple[object, ...], list[Statement]] = {}
    for s in book.statements:
        found.setdefault((*s.key, s.claim.source, s.claim.start), []).append(s)
        found.setdefault((*s.key, s.claim.source), []).append(s)
    return found


def _told_apart(places: Mapping[tuple[object, ...], Sequence[Statement]], of: Reading, other: Reading) -> bool:
    """True where who says the one says the other too: they know of both, and do not take them for one thing.

    A figure counts as known when it stands in the same sentence, a category or the
    figure of a fact when it stands in the same source.
    """
    wide = of.best.claim.quantity is None or other.best.fact is not None
    for s in of.statements:
        where = (*s.key, s.claim.source) if wide else (*s.key, s.claim.source, s.claim.start)
        for near in places.get(where, ()):
            if (
                near is not s
                and near.claim.object == other.best.claim.object
                and near.low <= other.best.high
                and other.best.low <= near.high
            ):
                return True
    return False


def reconciled(compared: Sequence[Comparison]) -> set[int]:
    """The readings that agree with some fact: they are right of something, whatever else differs from them."""
    found: set[int] = set()
    for c in compared:
        agrees = c.relation.verdict in (Verdict.SAME, Verdict.COMPATIBLE) or (
            c.relation.verdict is Verdict.EXPLAINED and c.relation.rule in _RECONCILE
        )
        for reading, other in ((c.a, c.b), (c.b, c.a)):
            if agrees and other.best.fact is not None:
                found.add(id(reading))
    return found


_RECONCILE = ("rounded", "count", "sparsity", "direction", "dtype", "binary-prefix")


def _contradiction(book: Casebook, c: Comparison) -> Finding:
    a, b = c.a.best, c.b.best
    subject, metric = name(book, b.claim.subject), name(book, b.claim.metric)
    values = f"{figure(book, a)} against {figure(book, b)}"
    facts = [s for s in (a, b) if s.fact is not None]
    same_source = a.claim.source == b.claim.source
    code = "CW701" if facts else "CW105" if a.claim.quantity is None else "CW102" if same_source else "CW101"
    title = f"{subject} {metric} disagrees: {values}"
    explanation = _why(book, c)
    severity = "high" if _specified(book, a) and not facts else "medium" if not same_source else "high"
    return draft(book, code, "contradiction", severity, title, explanation, (a, b), help=_help(c))


def _specified(book: Casebook, s: Statement) -> bool:
    return book.domain.metrics[s.claim.metric].nature == "specified"


def _why(book: Casebook, c: Comparison) -> str:
    lines = []
    for reading in (c.a, c.b):
        count, independent = len({s.claim.source for s in reading.statements}), book.witnesses(reading.statements)
        sources = f"{count} sources, {independent} independent" if count > 1 else place(book, reading.best)
        lines.append(f"{figure(book, reading.best)}: {sources}")
    both = _same_axes(book, c.a.best, c.b.best)
    return "\n".join([*lines, f"same chip, same metric{both}; no qualifier explains the gap"])


def _same_axes(book: Casebook, a: Statement, b: Statement) -> str:
    stated = dict(b.claim.qualifiers)
    shared = [value for axis, value in a.claim.qualifiers if stated.get(axis) == value]
    return f", both {', '.join(shared)}" if shared else ""


def _help(c: Comparison) -> str:
    if c.relation.rule == "value":
        return "look the figure up at its maker; if both hold, say of what (scope, format, variant, date)"
    return "see which of the two the maker states"


def find_record_conflicts(book: Casebook) -> Iterator[Finding]:
    """CW702: what repeats a figure that the table has as deprecated, with the reason that stands there."""
    said = group(book.said)
    for key, facts in book.facts.items():
        wrong = [f for f in facts if f.fact is not None and f.fact.rank == "deprecated"]
        if not wrong:
            continue
        right = [f for f in facts if f.fact is not None and f.fact.rank != "deprecated"]
        repeats: dict[str, list[Statement]] = {}
        for s in (s for s in said.get(key, ()) if s.asserted):
            agrees = any(relate(book.domain, f, s).verdict in (Verdict.SAME, Verdict.COMPATIBLE) for f in right)
            again = next((f for f in wrong if relate(book.domain, f, s).verdict is Verdict.SAME), None)
            if again is not None and again.fact is not None and not agrees and again.claim.source != s.claim.source:
                repeats.setdefault(again.fact.id, [again]).append(s)
        for fact, *statements in repeats.values():
            yield _repeats(book, statements, fact)


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


def find_spreads(book: Casebook, compared: Sequence[Comparison]) -> Iterator[Finding]:
    """CW103, and CW104 for multiples: one finding for each chip and metric, over the whole range."""
    ranges: dict[tuple[str, ...], dict[int, Reading]] = {}
    for c in compared:
        if c.relation.verdict is Verdict.SPREAD and c.a.best.fact is None and c.b.best.fact is None:
            key = (*c.a.best.key, c.a.best.claim.baseline)
            ranges.setdefault(key, {}).update({id(c.a): c.a, id(c.b): c.b})
    for readings in ranges.values():
        ordered = sorted(readings.values(), key=lambda r: (r.best.low, r.best.high))
        yield _spread(book, ordered)


def _spread(book: Casebook, ordered: Sequence[Reading]) -> Finding:
    low, high = ordered[0].best, ordered[-1].best
    subject, metric = name(book, low.claim.subject), name(book, low.claim.metric)
    comparative = bool(low.claim.baseline) or (low.claim.quantity is not None and low.claim.quantity.unit == "x")
    code = "CW104" if comparative else "CW103"
    against = f" against {name(book, low.claim.baseline)}" if low.claim.baseline else ""
    title = f"{subject} {metric}{against} ranges from {figure(book, low)} to {figure(book, high)}"
    nature = book.domain.metrics[low.claim.metric].nature
    statements = [s for r in ordered for s in r.statements]
    explanation = (
        f"{nature} values vary with workload, provider and date: {len(ordered)} values in"
        f" {len({s.claim.source for s in statements})} sources, {book.witnesses(statements)} independent"
    )
    step = max(1, (len(ordered) - 1) // (_SHOWN - 1))
    shown = [r.best for r in ordered[::step]][: _SHOWN - 1]
    return draft(book, code, "spread", "low", title, explanation, (*(s for s in shown if s is not high), high))


def find_explained(book: Casebook, compared: Sequence[Comparison]) -> Iterator[Finding]:
    """Explained and compatible pairs, shown on request; and what stays unresolved for want of a stated scope (CW202).

    Of several that one reading could be, the one by a count that its own source gives elsewhere goes first.
    """
    by_reading: dict[int, list[Comparison]] = {}
    settled = reconciled(compared)
    for c in compared:
        if c.relation.verdict in (Verdict.EXPLAINED, Verdict.UNRESOLVED) and (
            c.a.best.fact is None or c.b.best.fact is None
        ):
            open_ = c.relation.verdict is Verdict.UNRESOLVED
            if open_ and (id(c.a) in settled or id(c.b) in settled or c.relation.rule not in _ARITHMETIC):
                continue
            if c.relation.rule not in c.relation.axes or c.relation.rule in _ARITHMETIC:
                by_reading.setdefault(id(c.b), []).append(c)
    counts: dict[tuple[str, str], set[int]] = {}
    for s in book.said:
        if s.count is not None and s.count > 1:
            counts.setdefault((s.claim.source, s.chip), set()).add(s.count)
    for candidates in by_reading.values():
        yield _explained(book, min(candidates, key=lambda c: _unlikely(counts, c)))


_ARITHMETIC = (
    "sparsity",
    "direction",
    "dtype",
    "count",
)  # rules that print a quotient, not only that two things differ


def _unlikely(counts: Mapping[tuple[str, str], set[int]], c: Comparison) -> tuple[bool, bool]:
    given = counts.get((c.b.best.claim.source, c.b.best.chip), ())
    return not any(f"x {n} chips" in c.relation.reason for n in given), c.relation.rule != "count"


def _explained(book: Casebook, c: Comparison) -> Finding:
    a, b = c.a.best, c.b.best
    subject, metric = name(book, b.claim.subject), name(book, b.claim.metric)
    title = f"{subject} {metric}: {figure(book, a)} and {figure(book, b)}"
    code, severity = ("CW101", "info") if c.relation.verdict is Verdict.EXPLAINED else ("CW202", "low")
    return draft(book, code, c.relation.verdict.value, severity, title, c.relation.reason, (a, b), help=_missing(c))


def _missing(c: Comparison) -> str:
    return (
        f"say the {', '.join(c.relation.axes)}" if c.relation.verdict is Verdict.UNRESOLVED and c.relation.axes else ""
    )
