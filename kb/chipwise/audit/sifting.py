"""Which findings of an audit a checked document is told: those that accuse it, and of one cause one.

    USD 98.32 of an 8-GPU machine, and a source that gives it without the machine    the source's to mend, not told
    USD 113.93 at one provider beside 68.80 at another, both as the table has them   no news, not told
    "TensorFlow", denied by two sources and by the table                             told once

A finding stays as the audit made it; here it is only told or not.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace

from chipwise.audit.casebook import Casebook, Statement, is_comparative
from chipwise.audit.drift import may_be_kin
from chipwise.types import Evidence, Finding

_PAIRED = (
    "spread",
    "explained",
    "unresolved",
    "lineage",
)  # verdicts that a figure which is right as it stands need not be told


def touching(book: Casebook, source: str, findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """The findings that quote `source`, its quotes first, less those that are another source's to mend."""
    own = (f for f in findings if any(e.source == source for e in f.evidence))
    return tuple(turned(f, source) for f in own if not _is_the_others(book, source, f))


def sifted(source: str, findings: Sequence[Finding], is_right: Callable[[Evidence], bool]) -> tuple[Finding, ...]:
    """Of `findings` about `source`, worst first, those that are news: one for each cause.

    `is_right` tells whether all that stands at a place is supported.
    """
    told: list[tuple[Finding, frozenset[Hashable]]] = []
    for finding in sorted(findings, key=lambda f: f.verdict != "contradiction"):
        own = [e for e in finding.evidence if e.source == source]
        if finding.verdict in _PAIRED:
            own = [e for e in own if not is_right(e)]
        places = frozenset(map(place_in, own))
        if own and not any(_is_one_cause(finding, places, *other) for other in told):
            told.append((finding, places))
    kept = {id(finding) for finding, _ in told}
    return tuple(f for f in findings if id(f) in kept)


def _is_one_cause(finding: Finding, places: frozenset[Hashable], other: Finding, told: frozenset[Hashable]) -> bool:
    """True where `other` says of the same words that they are wrong: what else they disagree with adds nothing.

    Two contradictions may be of two subjects that the words give one figure to; what is less than one is of the figure.
    """
    one_figure = places <= told and finding.metric == other.metric
    return one_figure and (finding.verdict != "contradiction" or finding.subject == other.subject)


def place_in(evidence: Evidence) -> Hashable:
    """Where the words stand that a quote is given for."""
    return evidence.source, evidence.start, evidence.mark


def turned(finding: Finding, source: str) -> Finding:
    """A finding with the quotes of `source` first: where a review tool shows it is the file that was checked."""
    return replace(finding, evidence=tuple(sorted(finding.evidence, key=lambda e: e.source != source)))


def _is_the_others(book: Casebook, source: str, finding: Finding) -> bool:
    """True where a multiple stands here against what another source has it against, too: then it is the third that moved it."""
    if finding.code != "CW301":
        return False
    own = [e for e in finding.evidence if e.source == source]
    told = [s for s in book.said if s.asserted and is_comparative(s)]
    here = [s for s in told if s.claim.source == source and any(e.start <= s.claim.value_start < e.end for e in own)]
    others = [o for o in told if o.claim.source != source]
    return bool(here) and all(any(_is_one_multiple(book, s, o) for o in others) for s in here)


def _is_one_multiple(book: Casebook, a: Statement, b: Statement) -> bool:
    x, y = a.claim.quantity, b.claim.quantity
    kin = may_be_kin(book.domain, a.claim.subject, b.claim.subject)
    return bool(kin and x and y and a.claim.baseline == b.claim.baseline and x.form == y.form and x.agrees_with(y))
