"""Peaks that do not say which peak they are (CW207): the figure is one with sparsity, or in another format than one would take it for.

"The H100 does 1,979 TFLOPS in BF16"   the table has 989 dense and 1,979 with 2:4 sparsity: which it is, the text does not say
"The H100 SXM has 1,979 TFLOPS"        BF16 with 2:4 sparsity, or FP8 without: neither is what a reader takes it for
"The H100 has 989 TFLOPS in BF16"      the dense peak, which goes without saying
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from chipwise.audit.casebook import Casebook, Statement, is_comparative
from chipwise.audit.differing import differing_axes
from chipwise.audit.drafting import draft, figure, name, place
from chipwise.figures.phrasing import listed
from chipwise.types import Finding

CODE = "CW207"
_USUAL = ("bf16", "fp16")  # formats that a peak without one is taken for
_UNLABELLED = {"dtype", "sparsity", "basis", "engine"}
_SHOWN = 3


def find_unlabelled_peaks(book: Casebook, source: str = "") -> Iterator[Finding]:
    """One finding for each chip and figure of a source; with `source`, of that alone."""
    told: set[tuple[str, str, float]] = set()
    for s in book.said if not source else (s for s in book.said if s.claim.source == source):
        key = (s.claim.source, s.chip, s.middle)
        if key in told or not _says_too_little(book, s):
            continue
        facts = _with_that_figure(book, s)
        if facts and not any(_goes_without_saying(book, f, s) for f in facts):
            told.add(key)
            yield _unlabelled(book, s, facts)


def _says_too_little(book: Casebook, s: Statement) -> bool:
    """True for an asserted peak of one chip without its density."""
    metric, q = book.domain.metrics.get(s.claim.metric), s.claim.quantity
    if metric is None or q is None or not s.asserted or is_comparative(s) or (s.count or 1) > 1:
        return False
    return "sparsity" in metric.qualifiers and not s.claim.qualifier("sparsity") and q.bound in ("exact", "about")


def _with_that_figure(book: Casebook, s: Statement) -> list[Statement]:
    return [
        f
        for f in book.facts.get(s.key, ())
        if f.fact is not None
        and f.fact.rank == "preferred"
        and (f.count or 1) == 1
        and f.low <= s.high
        and s.low <= f.high
        and set(differing_axes(book.domain, f, s)) <= _UNLABELLED - _stated(s)
    ]


def _stated(s: Statement) -> set[str]:
    return {axis for axis, _ in s.claim.qualifiers}


def _goes_without_saying(book: Casebook, fact: Statement, s: Statement) -> bool:
    """True for a dense peak in the format that the text names, or in one that it would be taken for: integers of TOPS, else BF16."""
    if fact.claim.qualifier("sparsity") not in ("", "dense"):
        return False
    dtype, q = fact.claim.qualifier("dtype"), s.claim.quantity
    integers = q is not None and q.unit.endswith("OPS") and not q.unit.endswith("FLOPS")
    has_usual = any(f.claim.qualifier("dtype") in _USUAL for f in book.facts.get(s.key, ()) if f.fact is not None)
    taken_for = dtype.startswith("int") if integers else dtype in ("", *_USUAL) or not has_usual
    return bool(s.claim.qualifier("dtype")) or taken_for


def _unlabelled(book: Casebook, s: Statement, facts: Sequence[Statement]) -> Finding:
    labels = [_label(book, f) for f in facts]
    subject, metric = name(book, s.claim.subject), name(book, s.claim.metric)
    title = f"{subject} {metric}: {figure(book, s)} does not say which peak it is"
    dense = [
        f
        for f in book.facts.get(s.key, ())
        if f.fact is not None and f.fact.rank == "preferred" and _is_the_usual(f, s)
    ]
    usual = f"; the dense peak is {figure(book, dense[0])} ({place(book, dense[0])})" if dense else ""
    steps = f"{figure(book, facts[0])} is the peak {listed(dict.fromkeys(labels))}{usual}"
    quoted = (s, *facts[: _SHOWN - 1], *dense[:1])
    return draft(
        book,
        "CW207",
        "unresolved",
        "medium",
        title,
        steps,
        quoted,
        help="write the format and whether zeros are skipped",
    )


def _is_the_usual(fact: Statement, s: Statement) -> bool:
    dtype = s.claim.qualifier("dtype") or "bf16"
    dense = fact.claim.qualifier("sparsity") == "dense" and fact.claim.qualifier("dtype") == dtype
    return dense and (fact.count or 1) == 1 and fact.claim.qualifier("engine") != "vector"


def _label(book: Casebook, fact: Statement) -> str:
    """ "in BF16 with 2:4 sparsity"."""
    dtype, sparsity = fact.claim.qualifier("dtype"), fact.claim.qualifier("sparsity")
    form = f"in {name(book, dtype)} " if dtype else ""
    return f"{form}{'without sparsity' if sparsity in ('', 'dense') else f'with {sparsity} sparsity'}"
