"""Findings on the page: both quotes side by side, the arithmetic below, what the register says of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from chipwise.reporting.markup import Child, Element, el
from chipwise.reporting.model import Report
from chipwise.text import counted, one_line
from chipwise.types import Evidence, Finding

# verdicts other than contradictions, worst first: one of them, several of them
_OTHERS = {
    "scope": ("mixed scope", "mixed scopes"),
    "drift": ("drifted statement", "drifted statements"),
    "unresolved": ("unresolved finding", "unresolved findings"),
    "spread": ("spread of values that may differ", "spreads of values that may differ"),
    "lineage": ("group of sources with one origin", "groups of sources with one origin"),
    "explained": ("explained difference", "explained differences"),
    "compatible": ("compatible pair", "compatible pairs"),
}


def findings_section(report: Report) -> Element:
    """Contradictions, the open ones first; below them the other findings, folded by kind."""
    found = report.audit.findings
    worst = [f for f in found if f.verdict == "contradiction"]
    still = sum(f.status == "open" for f in worst)
    told = f"{counted(len(worst), 'contradiction')}, {still} of them open." if worst else "No contradictions."
    folded = [_folded(report, verdict, [f for f in found if f.verdict == verdict]) for verdict in _OTHERS]
    return el(
        "section",
        el("h2", "Contradictions"),
        el("p", told, class_="soft"),
        (finding_article(report, f) for f in worst),
        el("h3", "Other findings") if any(part is not None for part in folded) else None,
        folded,
        (el("p", note, class_="soft") for note in report.audit.unchecked),
        id="findings",
    )


def _folded(report: Report, verdict: str, found: Sequence[Finding]) -> Element | None:
    if not found:
        return None
    one, many = _OTHERS[verdict]
    summary = el("summary", f"{len(found)} {one if len(found) == 1 else many}")
    return el("details", summary, (finding_article(report, f) for f in found))


def finding_article(report: Report, finding: Finding) -> Element:
    """One finding; its id is what links lead to."""
    reason = report.audit.reasons.get(finding.fingerprint, "")
    return el(
        "article",
        el("h3", el("span", finding.code, class_="code"), f" {one_line(finding.title)}"),
        el(
            "p",
            el("span", finding.severity, class_=f"badge {finding.severity}"),
            f" {finding.verdict}, {finding.status} ",
            el("code", finding.fingerprint),
            class_="meta",
        ),
        el("div", (quote(report, e) for e in finding.evidence), class_="sides"),
        el("pre", finding.explanation, class_="sum") if finding.explanation else None,
        el("p", el("strong", "To settle it: "), finding.help) if finding.help and not reason else None,
        el("p", el("strong", "Register: "), reason, class_="judged") if reason else None,
        _meaning(report, finding),
        id=anchor(finding.fingerprint),
        class_=f"finding {finding.severity} {'open' if finding.status == 'open' else 'known'}",
    )


def _meaning(report: Report, finding: Finding) -> Child:
    page = report.codes.pages.get(finding.code)
    if page is None:
        return None
    paragraphs = [*page.meaning.split("\n\n"), f"To settle it: {page.settle}"]
    told = (el("p", " ".join(part.split())) for part in paragraphs)
    return el("details", el("summary", f"What {page.code} means: {page.title}"), told, class_="small")


def anchor(fingerprint: str) -> str:
    """The id of a finding on the page."""
    return f"f-{fingerprint}"


def quote(report: Report, evidence: Evidence) -> Element:
    """One side: the quote with the figure marked, and where it stands."""
    words = evidence.quote
    start, end = evidence.mark or (0, 0)
    marked: list[Child] = [words[:start], el("mark", words[start:end]), words[end:]] if end > start else [words]
    place = f"page {evidence.page}" if evidence.page else f"line {evidence.line}"
    where = " · ".join(filter(None, (" > ".join(evidence.heading), place)))
    role = "" if evidence.role.speaks_for_the_source else f" ({evidence.role.value})"
    return el(
        "figure",
        el("blockquote", el("p", marked)),
        el("figcaption", source_link(report, evidence.source, _by(evidence)), f" · {where}{role}"),
    )


def _by(evidence: Evidence) -> str:
    return one_line(", ".join(filter(None, (evidence.publisher, evidence.title, evidence.published))))


def source_link(report: Report, source: str, words: str) -> Element:
    """Words that lead to the source's entry on this page."""
    known = any(info.id == source for info in report.sources)
    return el("a", words, href=f"#s-{source}") if known else el("span", words)


def register_section(report: Report) -> Element:
    """The findings that somebody has looked at, and entries that no finding has any more."""
    known = [f for f in report.audit.findings if f.status != "open"]
    entries = list(_entries(report, known))
    return el(
        "section",
        el("h2", "Register"),
        el("p", "Findings that somebody has looked at, with the judgement.", class_="soft"),
        el("ul", entries, class_="register") if entries else el("p", "Nothing has been acknowledged."),
        id="register",
    )


def _entries(report: Report, known: Sequence[Finding]) -> Iterator[Element]:
    for finding in known:
        title = f"{finding.code} {one_line(finding.title)}"
        reason = report.audit.reasons.get(finding.fingerprint, finding.status)
        yield el("li", el("a", title, href=f"#{anchor(finding.fingerprint)}"), el("p", reason))
    for entry in report.audit.unmatched:
        yield el("li", f"{entry.fingerprint}: no finding has it now", el("p", f"{entry.status}: {entry.reason}"))
