"""The facts for the peaks of a chip in one format: which one a figure is, or stays below.

"The H100 does 500 TFLOPS in BF16"     below 989 dense
"The DGX B200 does 72 PFLOPS dense"    72 with sparsity, and dense half of that
"""

from __future__ import annotations

from chipwise.audit.casebook import Casebook, Statement, is_comparative
from chipwise.audit.differing import differing_axes

_AXES = ("dtype", "sparsity", "basis")  # of a metric whose figures are peaks, each of a format and a density
_LABEL = {"sparsity", "count"}  # what a figure under another density may differ in from the fact that has it


def of_another_density(book: Casebook, s: Statement) -> Statement | None:
    """The preferred fact whose figure `s` gives under another density than it has; None where that, too, has such a figure."""
    stated, known = s.claim.qualifier("sparsity"), of_its_format(book, s)
    if not stated or any(f.claim.qualifier("sparsity") in ("", stated) and _is_that(f, s) for f in known):
        return None
    return next((f for f in known if f.claim.qualifier("sparsity") not in ("", stated) and _is_that(f, s)), None)


def of_its_format(book: Casebook, s: Statement) -> list[Statement]:
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


def is_of_one_alike(book: Casebook, s: Statement) -> bool:
    """True for an FP16 peak that the table has for BF16 alone, or the other way round: matrix units run both as fast."""
    own, alike = s.claim.qualifier("dtype"), book.domain.axes["dtype"].alike
    others = [x for x in alike if x != own] if own in alike else []
    return any(f.low <= s.high and s.low <= f.high for other in others for f in peaks(book, s, dtype=other))
