"""A report as one HTML page: no script, nothing fetched, every word of a document as text.

The policy in its head lets a browser use the page's own style, named by its hash, and nothing else.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from chipwise.reporting.findingparts import findings_section, register_section
from chipwise.reporting.markup import Child, Element, as_html, el
from chipwise.reporting.model import Report
from chipwise.reporting.plotparts import chart_section, strips_section
from chipwise.reporting.sourceparts import matrix_section, sources_section
from chipwise.reporting.svg import style as plot_style
from chipwise.text import counted

_STYLE = Path(__file__).parent / "page.css"
_TITLE = "What the sources say, and where they disagree"


def page(report: Report) -> str:
    """The whole page."""
    rules = _style()
    head = el(
        "head",
        el("meta", charset="utf-8"),
        el("meta", http_equiv="Content-Security-Policy", content=policy(rules)),
        el("meta", name="viewport", content="width=device-width, initial-scale=1"),
        el("meta", name="referrer", content="no-referrer"),
        el("meta", name="color-scheme", content="light dark"),
        el("title", f"chipwise: {_TITLE[0].lower()}{_TITLE[1:]}"),
        el("style", rules),
    )
    sections = list(_sections(report))
    body = el(
        "body",
        el("a", "Skip to the findings", class_="skip", href="#main"),
        el("header", el("h1", _TITLE), el("p", _looked_at(report), class_="soft"), _contents(sections)),
        el("main", (section for _, _, section in sections), id="main", tabindex="-1"),
        el(
            "footer",
            el("p", "Made by chipwise from the quotes that stand here. It tells what sources say, not who is right."),
        ),
    )
    return f"<!DOCTYPE html>\n{as_html(el('html', head, body, lang='en'))}\n"


def policy(rules: str) -> str:
    """The Content-Security-Policy of a page with these style rules."""
    digest = base64.b64encode(hashlib.sha256(rules.encode("utf-8")).digest()).decode("ascii")
    return f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"


@cache
def _style() -> str:
    return f"{plot_style()}{_STYLE.read_text('utf-8')}"


def _looked_at(report: Report) -> str:
    audit = report.audit
    return (
        f"{counted(audit.sources, 'source')}, {counted(audit.claims, 'claim')},"
        f" {counted(audit.pairs, 'pair')} compared. Every figure below is quoted, with where it stands."
    )


def _sections(report: Report) -> Iterator[tuple[str, str, Element]]:
    """The parts of the page: id, name, element."""
    yield "findings", "Contradictions", findings_section(report)
    yield "matrix", "Sources by subject", matrix_section(report)
    yield "figures", "Figures by source", strips_section(report)
    for chart in report.charts:
        yield f"chart-{chart.id}", chart.title, chart_section(report, chart)
    yield "register", "Register", register_section(report)
    yield "sources", "Sources", sources_section(report)


def _contents(sections: list[tuple[str, str, Element]]) -> Child:
    links = (el("li", el("a", name, href=f"#{id_}")) for id_, name, _ in sections)
    return el("nav", el("ul", links), aria_label="Contents")
