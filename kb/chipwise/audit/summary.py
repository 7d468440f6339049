"""An audit in numbers, narrowed, or several as one: what every form of output begins or ends with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from chipwise.audit.model import SEVERITIES, Audit, Standing
from chipwise.audit.register import STATUSES
from chipwise.text import counted
from chipwise.types import Finding

# verdicts, worst first: one of them, several of them
VERDICTS = {
    "contradiction": ("contradiction", "contradictions"),
    "scope": ("mixed scope", "mixed scopes"),
    "drift": ("drifted statement", "drifted statements"),
    "unresolved": ("unresolved", "unresolved"),
    "spread": ("spread", "spreads"),
    "lineage": ("shared origin", "shared origins"),
    "explained": ("explained difference", "explained differences"),
    "compatible": ("compatible pair", "compatible pairs"),
    "same": ("pair in agreement", "pairs in agreement"),
}


def badness(finding: Finding) -> tuple[bool, int, int]:
    """Sorts findings: open before acknowledged, then by severity and verdict, worst first."""
    verdicts = list(VERDICTS)
    severity = SEVERITIES.index(finding.severity) if finding.severity in SEVERITIES else len(SEVERITIES)
    verdict = verdicts.index(finding.verdict) if finding.verdict in verdicts else len(verdicts)
    return finding.status != "open", severity, verdict


def at_least(audit: Audit, severity: str) -> Audit:
    """The audit without the findings that are less severe."""
    limit = SEVERITIES.index(severity)
    kept = tuple(f for f in audit.findings if f.severity not in SEVERITIES or SEVERITIES.index(f.severity) <= limit)
    return replace(audit, findings=kept)


def merged(audits: Sequence[Audit]) -> Audit:
    """The checks of several documents as one: a finding about the same places stands once."""
    findings = {
        (finding.fingerprint, *((e.origin, e.source, e.start) for e in finding.evidence)): finding
        for audit in audits
        for finding in audit.findings
    }
    return Audit(
        findings=tuple(sorted(findings.values(), key=badness)),
        sources=sum(audit.sources for audit in audits),
        claims=sum(audit.claims for audit in audits),
        pairs=sum(audit.pairs for audit in audits),
        unchecked=tuple(dict.fromkeys(note for audit in audits for note in audit.unchecked)),
        judgements=tuple(judgement for audit in audits for judgement in audit.judgements),
    )


def audit_summary(audit: Audit) -> str:
    """ "3 contradictions, 2 spreads in 12 sources: 841 claims, 312 pairs compared; 5 acknowledged: 5 confirmed"."""
    looked_at = f"{counted(audit.claims, 'claim')}, {counted(audit.pairs, 'pair')} compared"
    counts = verdict_counts(audit)
    return f"{counts[:1].upper()}{counts[1:]} in {counted(audit.sources, 'source')}: {looked_at}{_acknowledged(audit)}"


def check_summary(audit: Audit) -> str:
    """ "27 claims: 25 supported, 2 contradicted; 3 figures that make none; 2 contradictions, 1 spread; 1 acknowledged: 1 accepted"."""
    made = [judgement for judgement in audit.judgements if judgement.is_claim]
    counts = Counter(judgement.standing for judgement in made)
    parts = [_standing(standing, counts[standing]) for standing in Standing if counts[standing]]
    claims = counted(len(made), "claim")
    left = len(audit.judgements) - len(made)
    others = f"; {counted(left, 'figure')} that make{'s' if left == 1 else ''} none" if left else ""
    found = f"; {verdict_counts(audit)}" if any(f.status == "open" for f in audit.findings) else ""
    return f"{claims}{': ' if parts else ''}{', '.join(parts)}{others}{found}{_acknowledged(audit)}"


def verdict_counts(audit: Audit) -> str:
    """ "3 contradictions, 2 spreads" of those that are open; "no open contradictions" where the register has some."""
    counts = Counter(finding.verdict for finding in audit.findings if finding.status == "open")
    names = {**VERDICTS, **{other: (other, other) for other in counts if other not in VERDICTS}}
    parts = [f"{counts[v]:,} {names[v][counts[v] != 1]}" for v in names if counts[v]]
    known = any(finding.verdict == "contradiction" for finding in acknowledged(audit.findings))
    none = "no open contradictions" if known else "no contradictions"
    return ", ".join(parts if counts["contradiction"] else [none, *parts])


def acknowledged(findings: Iterable[Finding]) -> list[Finding]:
    """Those that the register has."""
    return [finding for finding in findings if finding.status != "open"]


def _acknowledged(audit: Audit) -> str:
    known = acknowledged(audit.findings)
    counts = Counter(finding.status for finding in known)
    ways = [f"{counts[status]:,} {status}" for status in dict.fromkeys((*STATUSES, *counts)) if counts[status]]
    return f"; {len(known):,} acknowledged: {', '.join(ways)}" if known else ""


def _standing(standing: Standing, count: int) -> str:
    plural = "s" if standing is Standing.EXPLAINED and count != 1 else ""
    return f"{count:,} {standing.value}{plural}"
