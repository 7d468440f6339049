"""What an audit and a check give back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from typing import Any, ClassVar

from chipwise.audit.marks import Mark, meeting, path_of, unused
from chipwise.figures.judge import Standing
from chipwise.text import counted
from chipwise.types import Evidence, Finding
from chipwise.values import dataclass

SEVERITIES = ("high", "medium", "low", "info")  # worst first
VERDICTS = (  # of findings, worst first
    "contradiction",
    "scope",
    "drift",
    "unresolved",
    "spread",
    "lineage",
    "explained",
    "compatible",
    "same",
)


@dataclass(frozen=True, slots=True)
class Judgement:
    """One claim of a checked document: what was understood of it, and how it stands.

    `against` are the quotes that support or oppose it; `because` says in a sentence
    why it stands so ("no subject stated", "same value in 3 sources, 2 independent"). What is no
    claim (`is_claim`) is a figure of which the text does not tell what it is, or of what.
    """

    claim: Evidence
    reading: str  # "NVIDIA H100 SXM, memory capacity: 80 GB per chip"
    standing: Standing
    because: str
    against: tuple[Evidence, ...] = ()
    is_claim: bool = True


@dataclass(frozen=True, slots=True)
class Remark:
    """Something about how a document is checked that somebody should mend: a comment to ignore what is not there."""

    origin: str
    line: int  # from 1; 0 where it is of no line
    text: str


@dataclass(frozen=True, slots=True)
class Audit:
    """Findings, worst first, with how much was looked at.

    `unchecked` says in sentences what was not looked at, `uncompared` what was compared with nothing or left open, and
    why. `judgements`, `documents` (the origins of what was checked) and `remarks` are there for `check` only. `reasons`
    says by its fingerprint why a finding is acknowledged; `unmatched` are entries of the register that no finding has.
    """

    # from here on 17 in 20 findings of held-out pages are true, and 9 in 10 that are true are shown (evals/training/findings)
    SURE_ENOUGH: ClassVar[float] = 0.65

    findings: tuple[Finding, ...]
    sources: int
    claims: int
    pairs: int
    unchecked: tuple[str, ...] = ()
    judgements: tuple[Judgement, ...] = ()
    reasons: Mapping[str, str] = field(default_factory=dict)
    unmatched: tuple[Mark, ...] = ()
    documents: tuple[str, ...] = ()
    remarks: tuple[Remark, ...] = ()
    uncompared: tuple[str, ...] = ()

    @property
    def contradicts(self) -> bool:
        """True when a contradiction stands that nobody has acknowledged: the run fails."""
        return any(f.verdict == "contradiction" and f.status == "open" for f in self.findings)

    def marked(self, marks: Sequence[Mark]) -> Audit:
        """The audit with its open findings marked, those that stay open first."""
        found = [
            (f, next(iter(own), None) if f.status == "open" else None)
            for f, own in zip(self.findings, meeting(marks, self.findings), strict=True)
        ]
        findings = sorted((replace(f, status=mark.status) if mark else f for f, mark in found), key=badness)
        reasons = {f.fingerprint: mark.words for f, mark in found if mark}
        return replace(self, findings=tuple(findings), reasons={**self.reasons, **reasons})

    def since(self, baseline: Sequence[Mark], *, partial: bool = False) -> Audit:
        """The audit with what a baseline knows marked, and, unless it is `partial`, a remark on what is gone from its documents."""
        own = [m for m in baseline if m.document in {path_of(d) for d in self.documents}]
        gone, marked = unused(own, self.findings), self.marked(own)
        if not gone or partial:
            return marked
        text = f"{counted(len(gone), 'finding')} in it no longer found; --write-baseline removes what is gone"
        return replace(marked, remarks=(*marked.remarks, Remark(gone[0].place, 0, text)))

    def at_least(self, severity: str) -> Audit:
        """The audit without the findings that are less severe."""
        limit = SEVERITIES.index(severity)
        kept = (f for f in self.findings if f.severity not in SEVERITIES or SEVERITIES.index(f.severity) <= limit)
        return replace(self, findings=tuple(kept))

    def surer_than(self, confidence: float = SURE_ENOUGH) -> Audit:
        """The audit without open findings of less confidence, which is from 0 to 1; what only they contradict is unchecked."""
        kept = tuple(f for f in self.findings if f.confidence >= confidence or f.status != "open")
        left = {_place(e) for f in self.findings if f not in kept for e in f.evidence}
        left -= {_place(e) for f in kept for e in f.evidence}
        judgements = (
            replace(j, standing=Standing.UNCHECKED, because="the evidence against it is not certain enough", against=())
            if j.standing is Standing.CONTRADICTED and _place(j.claim) in left
            else j
            for j in self.judgements
        )
        return replace(self, findings=kept, judgements=tuple(judgements))

    @staticmethod
    def merged(audits: Sequence[Audit]) -> Audit:
        """The checks of several documents as one: a finding about the same places stands once."""
        every = [finding for audit in audits for finding in audit.findings]
        findings = {(f.fingerprint, *((e.origin, e.source, e.start) for e in f.evidence)): f for f in every}
        counts = {name: sum(getattr(audit, name) for audit in audits) for name in ("sources", "claims", "pairs")}
        lists = ("unchecked", "uncompared", "remarks", "documents")
        told: dict[str, Any] = {
            n: tuple(dict.fromkeys(one for audit in audits for one in getattr(audit, n))) for n in lists
        }
        judgements = tuple(judgement for audit in audits for judgement in audit.judgements)
        reasons = {fingerprint: why for audit in audits for fingerprint, why in audit.reasons.items()}
        ordered = tuple(sorted(findings.values(), key=badness))
        return Audit(ordered, judgements=judgements, reasons=reasons, **counts, **told)


def badness(finding: Finding) -> tuple[bool, int, int]:
    """Sorts findings: open before acknowledged, then by severity and verdict, worst first."""
    severity = SEVERITIES.index(finding.severity) if finding.severity in SEVERITIES else len(SEVERITIES)
    verdict = VERDICTS.index(finding.verdict) if finding.verdict in VERDICTS else len(VERDICTS)
    return finding.status != "open", severity, verdict


def _place(evidence: Evidence) -> tuple[str, int, tuple[int, int] | None]:
    return evidence.source, evidence.start, evidence.mark
