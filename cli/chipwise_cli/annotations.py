"""An audit as annotations of a GitHub workflow, and as a Markdown report.

What documents say is data: here it can neither end a workflow command, nor begin another, nor become markup.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from chipwise import Audit, Evidence, Finding
from chipwise.text import one_line, plain
from chipwise_cli.places import is_address, local_path, marked, region
from chipwise_cli.summary import acknowledged, summary

if TYPE_CHECKING:
    from chipwise.results import Remark

# CommonMark and GitHub's additions: what could start emphasis, code, a link, a tag, a table, an entity or a formula
_MARKUP = re.compile(r"([\\`*_\[\]<>&|~#!$])")
_BLOCK = re.compile(r"^([-+=:])|^(\d+)([.)])")  # what makes a list or a heading of a line that begins with it
# words that GitHub makes links of by itself, or calls people by
_ACTIVE = re.compile(r"(?i)@|://|\bmailto:|\bxmpp:|#\d|\bwww\.")


def github_lines(audit: Audit, *, checking: bool) -> list[str]:
    """One workflow command for each finding that is open and each remark, and the summary of the audit or check."""
    commands = [_command(finding) for finding in audit.findings if finding.status == "open"]
    commands += [_remark(remark) for remark in audit.remarks]
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


def _remark(remark: Remark) -> str:
    line = f",line={remark.line}" if remark.line else ""
    return f"::warning file={_property(local_path(remark.origin))}{line},title=chipwise::{_data(remark.text)}"


def _data(text: str) -> str:
    return plain(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(one_line(text)).replace(":", "%3A").replace(",", "%2C")


def at(evidence: Evidence) -> str:
    """ "note.md:12:29", or "our digest of URL": our line numbers mean nothing on the page itself."""
    where, here = local_path(evidence.origin), region(evidence)
    return one_line(f"our digest of {where}" if evidence.digest else f"{where}:{here.line}:{here.column}")


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
    shown = " ".join(_word(word) for word in one_line(text).split(" "))
    ends = (" " if text[:1].isspace() else "", " " if text[-1:].isspace() and text.strip() else "")
    return ends[0] + shown + ends[1]


def _word(word: str) -> str:
    return _code(word) if _ACTIVE.search(word) else _MARKUP.sub(r"\\\1", word)


def _unblocked(match: re.Match[str]) -> str:
    return f"\\{match[1]}" if match[1] else f"{match[2]}\\{match[3]}"


def _code(text: str) -> str:
    """Text as code: fenced by more backticks than it has in a row."""
    text = one_line(text)
    fence = "`" * (max(map(len, re.findall(r"`+", text)), default=0) + 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{pad}{text}{pad}{fence}"
