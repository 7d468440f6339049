"""Pages of HTML: no script, every word of a document as text. The report is one of them, and fetches nothing.

The policy in a page's head lets a browser use the page's own style, named by its hash.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from chipwise.audit.model import SEVERITIES
from chipwise.files import write_atomically
from chipwise.reporting.drawing import style as plot_style
from chipwise.reporting.findings import anchor, by_line, finding_article
from chipwise.reporting.markup import Child, Element, as_html, el, table
from chipwise.reporting.model import ChipRow, Plot, Report
from chipwise.reporting.plots import as_svg, chart_section, strips_section
from chipwise.text import counted, one_line
from chipwise.types import Evidence, Finding, SourceInfo

_TITLE = "What the sources say, and where they disagree"
_MADE = "Made by chipwise from the quotes on this page. It tells what sources say, not who is right."
_SEVERAL = "several or none"  # what a finding is about that is of no one chip


def document(title: str, rules: str, body: Iterable[Child], held: str = "") -> str:
    """A page with these style rules; `held` is its policy, by default one that lets nothing but them in."""
    head = el(
        "head",
        el("meta", charset="utf-8"),
        el("meta", http_equiv="Content-Security-Policy", content=held or policy(rules)),
        el("meta", name="viewport", content="width=device-width, initial-scale=1"),
        el("meta", name="referrer", content="same-origin" if held else "no-referrer"),
        el("meta", name="color-scheme", content="light dark"),
        el("title", title),
        el("style", rules),
    )
    return f"<!DOCTYPE html>\n{as_html(el('html', head, el('body', body), lang='en'))}\n"


def save(made: Report | Plot, path: Path, width: int) -> None:
    """Put a page or a drawing into a file, in place of what is there. Raises StorageFailed."""
    write_atomically(path, page(made) if isinstance(made, Report) else as_svg(made, width))


def policy(rules: str, more: str = "form-action 'none'") -> str:
    """The Content-Security-Policy of a page with these style rules, and what `more` it lets in."""
    digest = base64.b64encode(hashlib.sha256(rules.encode("utf-8")).digest()).decode("ascii")
    return f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; {more}"


@cache
def style() -> str:
    """The rules of all pages and their drawings."""
    return f"{plot_style()}{Path(__file__).with_name('page.css').read_text('utf-8')}"


def page(report: Report) -> str:
    """The report as a page."""
    sections = list(_sections(report))
    links = (el("li", el("a", name, href=f"#{id_}")) for id_, name, _ in sections)
    body = (
        el("a", "Skip to the content", class_="skip", href="#main"),
        el("header", el("h1", _TITLE), el("nav", el("ul", links), aria_label="Contents")),
        el("main", (section for _, _, section in sections), id="main", tabindex="-1"),
        el("footer", el("p", _MADE)),
    )
    return document(f"chipwise: {_TITLE[0].lower()}{_TITLE[1:]}", style(), body)


def _sections(report: Report) -> Iterator[tuple[str, str, Element]]:
    """The parts of the page: id, name, element."""
    yield "summary", "Summary", _summary(report)
    yield "chips", "Chips", _chips(report)
    yield "findings", "Findings", _findings(report)
    yield "figures", "Figures by source", strips_section(report)
    for chart in report.charts:
        yield f"chart-{chart.id}", chart.title, chart_section(chart)
    yield "sources", "Sources", _sources(report)


def _summary(report: Report) -> Element:
    """Open findings by chip and severity, each number a link, and what they were made of."""
    audit = report.audit
    still = [f for f in audit.findings if f.status == "open"]
    levels = [level for level in SEVERITIES if any(f.severity == level for f in still)]
    rows = (
        [chip, *(_number([f for f in found if f.severity == level]) for level in levels)]
        for chip, of in sorted(_by_chip(report).items(), key=lambda item: (-len(item[1]), item[0]))
        if (found := [f for f in of if f.status == "open"])
    )
    worst = sum(f.verdict == "contradiction" for f in still)
    told = f"{counted(len(still), 'open finding')}, {worst} of them contradictions; {len(audit.findings) - len(still)} judged."
    looked = f"{counted(audit.sources, 'source')}, {counted(audit.claims, 'claim')}, {counted(audit.pairs, 'pair')} compared."
    return el(
        "section",
        el("h2", "Summary"),
        el("p", el("strong", told if audit.findings else "No findings."), f" {looked} {report.data}."),
        table("Open findings by chip and severity", ("chip", *levels), rows) if still else None,
        (el("p", note, class_="soft") for note in audit.unchecked),
        id="summary",
    )


def _by_chip(report: Report) -> dict[str, list[Finding]]:
    found: dict[str, list[Finding]] = {}
    for finding in report.audit.findings:
        found.setdefault(report.subjects.get(finding.subject, _SEVERAL), []).append(finding)
    return found


def _number(found: list[Finding]) -> Child:
    return el("a", str(len(found)), href=f"#{anchor(found[0])}") if found else "–"


def _chips(report: Report) -> Element:
    """The figures of the chips, each with its quote folded behind it."""
    found = {name: [f for f in of if f.status == "open"] for name, of in _by_chip(report).items()}
    rows = ([c.name, *_figures(c), str(c.sources), _number(found.get(c.name, []))] for c in report.chips)
    heads = ("chip", *report.columns, "sources", "open findings")
    shown = table("Figures of the chips", heads, rows) if report.chips else el("p", "No source speaks of a chip.")
    return el("section", el("h2", "Chips"), shown, id="chips")


def _figures(chip: ChipRow) -> Iterator[Child]:
    for figure in chip.figures:
        yield el("a", figure[0], href=f"#s-{figure[1].source}", title=one_line(figure[1].quote)) if figure else "–"


def _findings(report: Report) -> Element:
    """An index by chip, then the open findings, then those that somebody has judged."""
    found = report.audit.findings
    still = [f for f in found if f.status == "open"]
    known = [f for f in found if f.status != "open"]
    index = (
        el("li", chip, el("ul", (el("li", el("a", one_line(f.title), href=f"#{anchor(f)}")) for f in of)))
        for chip, of in sorted(_by_chip(report).items())
    )
    judged = el("details", el("summary", f"{len(known)} judged"), _articles(report, known), id="judged")
    return el(
        "section",
        el("h2", "Findings"),
        el("details", el("summary", "Index by chip"), el("ul", index, class_="index"))
        if found
        else el("p", "No findings."),
        _articles(report, still),
        judged if known else None,
        id="findings",
    )


def _articles(report: Report, found: list[Finding]) -> Iterator[Element]:
    for finding in found:
        reason = report.audit.reasons.get(finding.fingerprint, "")
        yield finding_article(finding, report.codes.pages.get(finding.code), reason, source_link)


def source_link(evidence: Evidence) -> Iterator[Element]:
    """Whose quote it is, as a link to the source's entry on the page."""
    yield el("a", by_line(evidence), href=f"#s-{evidence.source}")


def _sources(report: Report) -> Element:
    """Every source with what is known of it."""
    entries = (_entry(report, info) for info in report.sources)
    return el("section", el("h2", "Sources"), el("ul", entries, class_="sources"), id="sources")


def _entry(report: Report, info: SourceInfo) -> Element:
    """A source; its address is a link for a shipped one, and words alone for what a user's document says of itself."""
    told = one_line(", ".join(filter(None, (info.publisher, info.published or "undated", info.kind))))
    address = report.links.get(info.id)
    link = el("a", address, href=address, rel="noreferrer noopener") if address else el("span", one_line(info.origin))
    title = el("strong", one_line(info.title or info.id))
    return el("li", title, f" {told} ", el("code", info.id), " ", link, id=f"s-{info.id}")
