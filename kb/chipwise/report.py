"""The JSON contract: plain values for `--json`, whose shape is stable.

A breaking change raises the number after the slash of `schema`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from chipwise.asking.answers import Answer
    from chipwise.asking.searching import Hit
    from chipwise.audit.model import Audit, Judgement
    from chipwise.types import Evidence, Finding, SourceInfo

ANSWER_SCHEMA = "chipwise.answer/1"
AUDIT_SCHEMA = "chipwise.audit/1"
SEARCH_SCHEMA = "chipwise.search/1"
SOURCES_SCHEMA = "chipwise.sources/1"


def answer_value(answer: Answer) -> dict[str, Any]:
    """`ask --json`."""
    return {
        "schema": ANSWER_SCHEMA,
        "question": answer.question,
        "status": "answered" if answer.answered else "no_answer",
        "answer": answer.text,
        "reason": answer.reason or None,
        "citations": [{"n": c.n, **evidence_value(c.evidence)} for c in answer.citations],
        "disagreements": [finding_value(f) for f in answer.disagreements],
    }


def evidence_value(evidence: Evidence) -> dict[str, Any]:
    """One quote; it stands verbatim at [start, end) of the source's text."""
    return {
        "source": evidence.source,
        "title": evidence.title,
        "origin": evidence.origin,
        "publisher": evidence.publisher,
        "published": evidence.published,
        "heading": " > ".join(evidence.heading),
        "role": evidence.role.value,
        "quote": evidence.quote,
        "start": evidence.start,
        "end": evidence.end,
        "line": evidence.line,
        "column": evidence.column,
        "mark": None if evidence.mark is None else list(evidence.mark),
        "page": evidence.page,
        "passage": evidence.passage,
    }


def finding_value(finding: Finding) -> dict[str, Any]:
    """One finding, in the shape that `audit` and `check` use as well."""
    return {
        "code": finding.code,
        "verdict": finding.verdict,
        "severity": finding.severity,
        "title": finding.title,
        "explanation": finding.explanation,
        "evidence": [evidence_value(e) for e in finding.evidence],
        "fingerprint": finding.fingerprint,
        "status": finding.status,
        "help": finding.help,
        "subject": finding.subject,
        "metric": finding.metric,
    }


def audit_value(audit: Audit) -> dict[str, Any]:
    """`audit --json` and `check --json`; the judgements are there for a check only."""
    return {
        "schema": AUDIT_SCHEMA,
        "findings": [finding_value(f) for f in audit.findings],
        "checked": {"sources": audit.sources, "claims": audit.claims, "pairs": audit.pairs},
        "unchecked": list(audit.unchecked),
        "judgements": [_judgement_value(j) for j in audit.judgements],
    }


def _judgement_value(judgement: Judgement) -> dict[str, Any]:
    return {
        "claim": evidence_value(judgement.claim),
        "reading": judgement.reading,
        "standing": judgement.standing.value,
        "because": judgement.because,
        "against": [evidence_value(e) for e in judgement.against],
    }


def search_value(query: str, hits: list[Hit]) -> dict[str, Any]:
    """`search --json`."""
    return {
        "schema": SEARCH_SCHEMA,
        "query": query,
        "passages": [
            {
                "passage": hit.stored.passage.id,
                "source": hit.stored.passage.source,
                "heading": " > ".join(hit.stored.passage.heading),
                "role": hit.stored.passage.role.value,
                "score": round(hit.score, 4),
                "cosine": round(hit.cosine, 4),
                "bm25": round(hit.bm25, 4),
                "text": hit.stored.passage.text,
                "start": hit.stored.passage.start,
                "end": hit.stored.passage.end,
                "line": hit.stored.passage.line,
                "page": hit.stored.passage.page,
            }
            for hit in hits
        ],
    }


def source_value(info: SourceInfo, passages: int | None = None) -> dict[str, Any]:
    """One source, with how many passages it has where that was counted."""
    value: dict[str, Any] = {
        "id": info.id,
        "title": info.title,
        "origin": info.origin,
        "publisher": info.publisher,
        "author": info.author,
        "published": info.published,
        "kind": info.kind,
        "lineage": list(info.lineage),
        "verified": info.verified,
    }
    return value if passages is None else {**value, "passages": passages}
