"""An audit for other tools: annotations of a GitHub workflow, a Markdown report, and SARIF 2.1.0 (OASIS standard, errata 01).

What documents say is data: here it can neither end a workflow command, nor begin another, nor become markup. Columns and
offsets of SARIF count code points; findings that the register has are there, suppressed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from chipwise import Audit, Evidence, Finding, __version__
from chipwise.text import one_line, plain
from chipwise_cli.findings_display import acknowledged, summary
from chipwise_cli.places import at, is_address, local_path, marked, region, uri

if TYPE_CHECKING:
    from chipwise.results import Code, Codes, Remark

# CommonMark and GitHub's additions: what could start emphasis, code, a link, a tag, a table, an entity or a formula
_MARKUP = re.compile(r"([\\`*_\[\]<>&|~#!$])")
_BLOCK = re.compile(r"^([-+=:])|^(\d+)([.)])")  # what makes a list or a heading of a line that begins with it
# words that GitHub makes links of by itself, or calls people by
_ACTIVE = re.compile(r"(?i)@|://|\bmailto:|\bxmpp:|#\d|\bwww\.")
SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
LEVELS = {"high": "error", "medium": "warning", "low": "note", "info": "note"}
_IGNORED, _IN_BASELINE = "ignored", "baseline"  # statuses
_ROOT = "%SRCROOT%"  # the name that code hosts know for the repository's folder


def github_lines(audit: Audit, *, checking: bool) -> list[str]:
    """One workflow command for each finding that is open and each remark, and the summary of the audit or check."""
    commands = [_command(finding) for finding in audit.findings if finding.status == "open"]
    commands += [_remark_command(remark) for remark in audit.remarks]
    return [
        *commands,
        *(f"not checked: {one_line(note)}" for note in audit.unchecked),
        summary(audit, checking=checking),
    ]


def _command(finding: Finding) -> str:
    fails = finding.severity == "high" or finding.verdict == "contradiction"
    level = "error" if fails else "warning" if finding.severity == "medium" else "notice"
    files = [e for e in finding.evidence if not is_address(e.origin)]
    properties = [f"title={_property(f'{finding.code} {finding.title}')}"]
    if files:
        here = region(files[0])
        place = {"file": _property(local_path(files[0].origin)), "line": here.line, "col": here.column}
        properties = [f"{name}={value}" for name, value in place.items()] + properties
    quotes = [f'{at(e)} "{one_line(e.quote)}"' for e in finding.evidence]
    lines = [*quotes, *finding.explanation.splitlines(), finding.help and f"help: {finding.help}"]
    message = "\n".join(filter(None, lines)) or finding.title
    return f"::{level} {','.join(properties)}::{_data(message)}"


def _remark_command(remark: Remark) -> str:
    line = f",line={remark.line}" if remark.line else ""
    return f"::warning file={_property(local_path(remark.origin))}{line},title=chipwise::{_data(remark.text)}"


def _data(text: str) -> str:
    return plain(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(one_line(text)).replace(":", "%3A").replace(",", "%2C")


def markdown_text(audit: Audit, *, checking: bool) -> str:
    """A report for people: open findings, then acknowledged ones with the reasons, then what was left."""
    known = acknowledged(audit.findings)
    parts = [f"# chipwise {'check' if checking else 'audit'}", escaped(f"{summary(audit, checking=checking)}.")]
    parts += [_section(finding, "") for finding in audit.findings if finding.status == "open"]
    if known:
        parts.append("# Acknowledged")
        parts += [_section(finding, audit.reasons.get(finding.fingerprint, finding.status)) for finding in known]
    parts += _list("# Claims", [_judged(audit, number) for number in range(len(audit.judgements))])
    parts += _list("# Not checked", [escaped(note) for note in audit.unchecked])
    return "\n\n".join(parts) + "\n"


def _list(heading: str, items: Sequence[str]) -> list[str]:
    return [heading, "\n".join(f"- {item}" for item in items)] if items else []


def _section(finding: Finding, reason: str) -> str:
    kind = escaped(f"{finding.severity} {finding.verdict}")
    parts = [f"## {escaped(f'{finding.code} {finding.title}')}", f"{kind}, {_code(finding.fingerprint)}"]
    parts += [escaped(reason)] if reason else []
    parts.append("\n".join(_quote(evidence) for evidence in finding.evidence))
    parts.append("\\\n".join(escaped(line) for line in finding.explanation.splitlines() if line.strip()))
    parts.append(f"**Help:** {escaped(finding.help)}" if finding.help else "")
    return "\n\n".join(filter(None, parts))


def _quote(evidence: Evidence) -> str:
    first, last = marked(evidence)
    before, mark, after = evidence.quote[:first], evidence.quote[first:last], evidence.quote[last:]
    shown = _inline(evidence.quote)
    if evidence.mark and mark.strip():
        shown = f"{_inline(before)}**{_inline(mark.strip())}**{_inline(after)}"
    role = "" if evidence.role.speaks_for_the_source else f" ({evidence.role.value})"
    by = escaped(", ".join(filter(None, (evidence.publisher, evidence.title, evidence.published))))
    return f"- {_code(at(evidence))} {by}{role}:\n  > {_BLOCK.sub(_unblocked, shown.strip())}"


def _judged(audit: Audit, number: int) -> str:
    judgement = audit.judgements[number]
    because = f": {escaped(judgement.because)}" if judgement.because else ""
    return f"{_code(at(judgement.claim))} {judgement.standing.value}, {escaped(judgement.reading)}{because}"


def escaped(text: str) -> str:
    """Any text as one line of Markdown that shows just that text."""
    return _BLOCK.sub(_unblocked, _inline(text.strip()))


def _inline(text: str) -> str:
    """Text within a line, its blank space at the ends kept as one space."""
    each = one_line(text).split(" ")
    shown = " ".join(_code(word) if _ACTIVE.search(word) else _MARKUP.sub(r"\\\1", word) for word in each)
    ends = (" " if text[:1].isspace() else "", " " if text[-1:].isspace() and text.strip() else "")
    return ends[0] + shown + ends[1]


def _unblocked(match: re.Match[str]) -> str:
    return f"\\{match[1]}" if match[1] else f"{match[2]}\\{match[3]}"


def _code(text: str) -> str:
    """Text as code: fenced by more backticks than it has in a row."""
    text = one_line(text)
    fence = "`" * (max(map(len, re.findall(r"`+", text)), default=0) + 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def sarif_value(audit: Audit, codes: Codes) -> dict[str, Any]:
    """The log of one run. Acknowledged findings are in it, suppressed for the reason that the register gives."""
    names = list(dict.fromkeys(finding.code for finding in audit.findings))
    rules = [_rule(name, codes.pages.get(name)) for name in names]
    results = [_result(f, names.index(f.code), audit.reasons.get(f.fingerprint, f.status)) for f in audit.findings]
    driver = {"name": "chipwise", "semanticVersion": __version__, "rules": rules}
    notes = [{"level": "note", "message": _message(note)} for note in audit.unchecked]
    notes += [_remark_notification(remark) for remark in audit.remarks]
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


def _remark_notification(remark: Remark) -> dict[str, Any]:
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
