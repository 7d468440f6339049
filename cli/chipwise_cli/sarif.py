"""An audit as SARIF 2.1.0 (OASIS standard, errata 01): what code review and editors show as annotations.

Columns and offsets count code points. Findings that the register has are there, suppressed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from chipwise import Audit, Evidence, Finding, __version__
from chipwise_cli.places import is_address, region, uri

if TYPE_CHECKING:
    from chipwise.results import Code, Codes, Remark

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
LEVELS = {"high": "error", "medium": "warning", "low": "note", "info": "note"}
_IGNORED, _IN_BASELINE = "ignored", "baseline"  # statuses
_ROOT = "%SRCROOT%"  # the name that code hosts know for the repository's folder


def sarif_value(audit: Audit, codes: Codes) -> dict[str, Any]:
    """The log of one run. Acknowledged findings are in it, suppressed for the reason that the register gives."""
    names = list(dict.fromkeys(finding.code for finding in audit.findings))
    rules = [_rule(name, codes.pages.get(name)) for name in names]
    results = [_result(f, names.index(f.code), audit.reasons.get(f.fingerprint, f.status)) for f in audit.findings]
    driver = {"name": "chipwise", "semanticVersion": __version__, "rules": rules}
    notes = [{"level": "note", "message": _message(note)} for note in audit.unchecked]
    notes += [_remark(remark) for remark in audit.remarks]
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {_ROOT: {"description": {"text": "The folder that chipwise ran in."}}},
        "invocations": [{"executionSuccessful": True, "toolExecutionNotifications": notes}],
        "results": results,
        "properties": {"checked": {"sources": audit.sources, "claims": audit.claims, "pairs": audit.pairs}},
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _rule(name: str, page: Code | None) -> dict[str, Any]:
    if page is None:
        return {"id": name}
    example = "\n".join(f"    {line}" for line in page.example.splitlines())
    return {
        "id": name,
        "shortDescription": {"text": page.title},
        "fullDescription": {"text": _paragraphs(page.meaning)},
        "help": {
            "text": f"{_paragraphs(page.settle)}\n\nExample:\n{page.example}",
            "markdown": f"{_paragraphs(page.settle)}\n\nExample:\n\n{example}\n",
        },
        "defaultConfiguration": {"level": LEVELS[page.severity]},
    }


def _result(finding: Finding, rule: int, reason: str) -> dict[str, Any]:
    said = [finding.title, finding.explanation, finding.help and f"Help: {finding.help}"]
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": rule,
        "level": LEVELS.get(finding.severity, "note"),
        "message": _message("\n".join(filter(None, said))),
        "locations": [_location(e) for e in finding.evidence[:1]],
        "relatedLocations": _related(finding.evidence[1:]),
        "partialFingerprints": {"chipwise/v1": finding.fingerprint},
        "suppressions": [],
        "rank": round(100 * finding.confidence, 1),
        "properties": {"verdict": finding.verdict, "severity": finding.severity, "status": finding.status},
    }
    if finding.status == _IN_BASELINE:  # whoever reads it may still count it
        result["baselineState"] = "unchanged"
    elif finding.status != "open":
        kind = "inSource" if finding.status == _IGNORED else "external"
        result["suppressions"] = [{"kind": kind, "status": "accepted", "justification": reason}]
    named = {"subject": finding.subject, "metric": finding.metric}
    result["properties"] |= {name: value for name, value in named.items() if value}
    return result


def _remark(remark: Remark) -> dict[str, Any]:
    artifact = {"artifactLocation": _artifact(remark.origin)}
    region = {"region": {"startLine": remark.line}} if remark.line else {}
    location = {"physicalLocation": artifact | region}
    return {"level": "warning", "message": _message(remark.text), "locations": [location]}


def _related(evidence: Sequence[Evidence]) -> list[dict[str, Any]]:
    return [
        {
            "id": number,
            **_location(e),
            "message": _message(f"{'our digest of ' * e.digest}{e.publisher or e.title or e.source}: {e.quote}"),
        }
        for number, e in enumerate(evidence, start=1)
    ]


def _location(evidence: Evidence) -> dict[str, Any]:
    here = region(evidence)
    physical: dict[str, Any] = {"artifactLocation": _artifact(evidence.origin)}
    if not evidence.digest:  # whose lines are not those of the page
        lines = {"startLine": here.line, "startColumn": here.column}
        lines |= {"endLine": here.end_line, "endColumn": here.end_column}
        lines |= {"charOffset": here.start, "charLength": here.length}
        physical["region"] = {**lines, "snippet": {"text": here.text}}
    location: dict[str, Any] = {"physicalLocation": physical}
    if evidence.heading:
        whole = " > ".join(evidence.heading)
        location["logicalLocations"] = [{"name": evidence.heading[-1], "fullyQualifiedName": whole}]
    return location


def _artifact(origin: str) -> dict[str, str]:
    address = uri(origin)
    outside = is_address(origin) or address.startswith("file:")
    return {"uri": address} if outside else {"uri": address, "uriBaseId": _ROOT}


def _message(text: str) -> dict[str, str]:
    """A message in plain text. [words](place) would be a link in it, and braces a placeholder: both are escaped."""
    return {"text": text.replace("](", "\\](").replace("{", "{{").replace("}", "}}")}


def _paragraphs(text: str) -> str:
    return "\n\n".join(" ".join(part.split()) for part in text.split("\n\n"))
