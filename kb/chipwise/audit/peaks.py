"""A figure with a format and no density beside the peaks of that format: is it one of them, below them, or beyond?

    "The H100 does 500 TFLOPS in BF16"     below 989 dense: it may be what is achieved, and stays unresolved
    "The H100 does 1,500 TFLOPS in BF16"   below 1,979 with sparsity: so does it
    "The H100 does 2,500 TFLOPS in BF16"   beyond what any variant does in any density: a contradiction
    "The H100 peaks at 600 TFLOPS in BF16" called a peak, and no variant's: a contradiction
    "The DGX B200 does 72 PFLOPS dense"    72 with sparsity, and dense half of that: a contradiction

The peaks are those of the facts table, for one chip.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from chipwise.audit.casebook import Casebook, Statement, is_comparative
from chipwise.audit.comparing import FAR, relate
from chipwise.audit.differing import differing_axes
from chipwise.audit.drafting import figure
from chipwise.audit.readings import Comparison
from chipwise.audit.verdicts import Relation, Verdict

_AXES = ("dtype", "sparsity", "basis")  # of a metric whose figures are peaks, each of a format and a density
_LABEL = {"sparsity", "count"}  # what a figure under another density may differ in from the fact that has it
_FITS = frozenset(("form_factor", "far apart"))  # what a figure of no variant leaves open beside that of one


def settle_peaks(book: Casebook, compared: Sequence[Comparison]) -> list[Comparison]:
    """The comparisons with those verdicts changed that a look at all peaks of a format changes."""
    return [c if (settled := _settled(book, c)) is c.relation else replace(c, relation=settled) for c in compared]


def _settled(book: Casebook, c: Comparison) -> Relation:
    verdict = c.relation.verdict
    if verdict is Verdict.CONTRADICTION:
        below = next((b for s in (c.a.best, c.b.best) if (b := peak_above(book, s)) is not None), None)
        reason = "one does not say whether it is the peak, and is no more than one"
        return Relation(Verdict.UNRESOLVED, "basis", ("basis",), reason) if below is not None else c.relation
    facts = [s for s in (c.a.best, c.b.best) if s.fact is not None]
    if verdict is Verdict.UNRESOLVED and c.relation.rule in _FITS and len(facts) == 1:
        said = c.b.best if c.a.best is facts[0] else c.a.best
        if facts[0] is _nearest(book, said):
            return Relation(Verdict.CONTRADICTION, "peaks", (), "no variant has such a peak, dense or sparse")
    if verdict is Verdict.UNRESOLVED and len(facts) == 1:
        said = c.b.best if c.a.best is facts[0] else c.a.best
        return _under_another_density(book, facts[0], said) or c.relation
    return c.relation


def _under_another_density(book: Casebook, fact: Statement, said: Statement) -> Relation | None:
    """A contradiction with the fact for the density that `said` states, or where there is none, with the one whose figure it is."""
    other = of_another_density(book, said)
    if other is None:
        return None
    stated = said.claim.qualifier("sparsity")
    alike = (f for f in _of_its_format(book, said) if f.claim.qualifier("sparsity") == stated)
    own = [f for f in alike if f.count == (said.count or 1)]
    if fact not in (own or (other,)):
        return None
    known = other.claim.qualifier("sparsity")
    reason = f"{figure(book, other)} is what the table has under sparsity {known}, not {stated}"
    return Relation(Verdict.CONTRADICTION, "sparsity", ("sparsity",), reason)


def of_another_density(book: Casebook, s: Statement) -> Statement | None:
    """The preferred fact whose figure `s` gives under another density than it has; None where that, too, has such a figure."""
    stated, known = s.claim.qualifier("sparsity"), _of_its_format(book, s)
    if not stated or any(f.claim.qualifier("sparsity") in ("", stated) and _is_that(f, s) for f in known):
        return None
    return next((f for f in known if f.claim.qualifier("sparsity") not in ("", stated) and _is_that(f, s)), None)


def _of_its_format(book: Casebook, s: Statement) -> list[Statement]:
    """The preferred facts on the same thing in the format that `s` states, in whichever density; none where it states none."""
    if not s.claim.qualifier("dtype") or s.fact is not None or is_comparative(s):
        return []
    return [
        f
        for f in book.facts.get(s.key, ())
        if f.fact is not None and f.fact.rank == "preferred" and set(differing_axes(book.domain, f, s)) <= _LABEL
    ]


def _is_that(fact: Statement, said: Statement) -> bool:
    return fact.low <= said.high and said.low <= fact.high


def peak_above(book: Casebook, s: Statement) -> Statement | None:
    """The fact for the least peak that a figure does not exceed, which says neither its density nor what it is."""
    if s.fact is not None or s.claim.qualifier("sparsity") or s.claim.qualifier("basis"):
        return None
    above = [f for f in peaks(book, s) if s.high <= f.high]
    return min(above, key=lambda f: f.low, default=None)


def peaks(book: Casebook, s: Statement, *, dtype: str = "") -> list[Statement]:
    """The facts for the peaks of one chip in the format that `s` states, or in `dtype`; none where it states none."""
    metric, q = book.domain.metrics.get(s.claim.metric), s.claim.quantity
    if metric is None or q is None or q.dimension != metric.dimension or q.compares or (s.count or 1) > 1:
        return []
    if not set(_AXES) <= set(metric.qualifiers) or not s.claim.qualifier("dtype"):
        return []
    return [
        f
        for f in book.facts.get(s.key, ())
        if f.asserted
        and f.claim.qualifier("dtype") == (dtype or s.claim.qualifier("dtype"))
        and f.claim.qualifier("basis") == "peak"
        and f.count == 1
        and set(differing_axes(book.domain, f, s)) <= ({"dtype"} if dtype else set())
    ]


def _is_of_one_alike(book: Casebook, s: Statement) -> bool:
    """True for an FP16 peak that the table has for BF16 alone, or the other way round: matrix units run both as fast."""
    own, alike = s.claim.qualifier("dtype"), book.domain.axes["dtype"].alike
    others = [x for x in alike if x != own] if own in alike else []
    return any(f.low <= s.high and s.low <= f.high for other in others for f in peaks(book, s, dtype=other))


def _nearest(book: Casebook, s: Statement) -> Statement | None:
    """The fact nearest to a figure that is none of all peaks of its format, and no multiple of one; None for another figure."""
    known = peaks(book, s)
    called = s.claim.qualifier("basis") == "peak" or bool(s.claim.qualifier("sparsity"))
    if not known or _is_of_one_alike(book, s) or s.low <= 0 or not (called or s.low > max(f.high for f in known)):
        return None
    relations = [relate(book.domain, s, f) for f in known]
    if any(r.verdict is not Verdict.CONTRADICTION and r.rule not in _FITS for r in relations):
        return None
    nearest = min(known, key=lambda f: max(f.low / s.low, s.low / f.low))
    return nearest if max(nearest.low / s.high, s.low / nearest.high) <= FAR else None
