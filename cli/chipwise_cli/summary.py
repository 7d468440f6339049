"""An audit in numbers: what every form of output begins or ends with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from chipwise import Audit, Finding
from chipwise.text import counted

SEVERITIES = ("high", "medium", "low", "info")  # worst first
STATUSES = ("confirmed", "explained", "accepted")  # of a finding that was looked at
_CALLED = {"baseline": "in the baseline"}
_STANDINGS = ("supported", "contradicted", "explained difference", "not in the knowledge base", "not checked")
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


def summary(audit: Audit, *, checking: bool) -> str:
    """ "3 contradictions, 2 spreads in 12 sources: 841 claims, 312 pairs compared; 5 acknowledged: 5 confirmed"; a check's, by its claims."""
    if checking:
        return check_summary(audit)
    looked_at = f"{counted(audit.claims, 'claim')}, {counted(audit.pairs, 'pair')} compared"
    counts = verdict_counts(audit)
    return f"{counts[:1].upper()}{counts[1:]} in {counted(audit.sources, 'source')}: {looked_at}{_acknowledged(audit)}"


def check_summary(audit: Audit) -> str:
    """ "27 claims: 25 supported, 2 contradicted; 2 contradictions, 1 spread; 1 acknowledged: 1 accepted; 3 numbers skipped (...)"."""
    made = [judgement for judgement in audit.judgements if judgement.is_claim]
    counts = Counter(judgement.standing.value for judgement in made)
    parts = [_standing(standing, counts[standing]) for standing in _STANDINGS if counts[standing]]
    claims, left = counted(len(made), "claim"), len(audit.judgements) - len(made)
    skipped = f"; {counted(left, 'number')} skipped (not claims about hardware)" if left else ""
    found = f"; {verdict_counts(audit)}" if any(f.status == "open" for f in audit.findings) else ""
    return f"{claims}{': ' if parts else ''}{', '.join(parts)}{found}{_acknowledged(audit)}{skipped}"


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
    ways = [f"{counts[s]:,} {_CALLED.get(s, s)}" for s in dict.fromkeys((*STATUSES, *counts)) if counts[s]]
    return f"; {len(known):,} acknowledged: {', '.join(ways)}" if known else ""


def _standing(standing: str, count: int) -> str:
    plural = "s" if standing == "explained difference" and count != 1 else ""
    return f"{count:,} {standing}{plural}"
