"""Which findings of an audit a checked document is told: those that accuse it, and of one cause one.

    USD 113.93 at one provider beside 68.80 at another, both as the table has them   no news, not told
    "TensorFlow", denied by two sources and by the table                             told once

A finding stays as the audit made it; here it is only told or not.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace

from chipwise.types import Evidence, Finding

_PAIRED = (
    "spread",
    "explained",
    "unresolved",
    "lineage",
)  # verdicts that a figure which is right as it stands need not be told


def touching(source: str, findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """The findings that quote `source`, its quotes first."""
    return tuple(turned(f, source) for f in findings if any(e.source == source for e in f.evidence))


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
