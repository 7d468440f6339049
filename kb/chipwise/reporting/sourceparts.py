"""Sources on the page: the matrix of who speaks of what, and the list of all that is cited."""

from __future__ import annotations

from chipwise.reporting.findingparts import anchor
from chipwise.reporting.markup import Child, Element, el
from chipwise.reporting.model import Matrix, Report
from chipwise.text import counted, one_line
from chipwise.types import SourceInfo

_LEVELS = (1, 4, 10, 25)  # claims from which a cell is darker


def matrix_section(report: Report) -> Element:
    """How many claims each source makes of each chip; what a finding is about is marked and leads there."""
    matrix = report.matrix
    left = (
        f" {counted(matrix.left_out, 'source')} that speak of fewer than two of them have no row."
        if matrix.left_out
        else ""
    )
    caption = "Claims by source and chip"
    heads = (el("th", el("span", name), scope="col") for _, name in matrix.subjects)
    head = el("thead", el("tr", el("th", "source", scope="col"), heads))
    table = el("table", el("caption", caption), head, el("tbody", (_row(matrix, info) for info in matrix.sources)))
    region = el("div", table, class_="scroll matrix", tabindex="0", role="region", aria_label=caption)
    return el(
        "section",
        el("h2", "Sources by subject"),
        el(
            "p",
            "How many figures and categories each source gives of the chips that most sources speak of, with their"
            f" variants and machines. ≠ leads to a finding.{left}",
            class_="soft",
        ),
        region if matrix.sources else el("p", "No source speaks of a chip."),
        id="matrix",
    )


def _row(matrix: Matrix, info: SourceInfo) -> Element:
    cells = (_cell(matrix, info.id, subject) for subject, _ in matrix.subjects)
    name = one_line(info.title or info.id)
    return el("tr", el("th", el("a", name, href=f"#s-{info.id}"), scope="row"), cells)


def _cell(matrix: Matrix, source: str, subject: str) -> Element:
    count = matrix.counts.get((source, subject), 0)
    finding = matrix.disputed.get((source, subject), "")
    level = sum(count >= least for least in _LEVELS)
    mark: Child = el("a", "≠", href=f"#{anchor(finding)}", aria_label="finding") if finding else None
    return el("td", str(count) if count else "", mark, class_=f"n{level}" if level else None)


def sources_section(report: Report) -> Element:
    """Every source with what is known of it."""
    entries = (_entry(report, info) for info in report.sources)
    return el("section", el("h2", "Sources"), el("ul", entries, class_="sources"), id="sources")


def _entry(report: Report, info: SourceInfo) -> Element:
    told = ", ".join(filter(None, (info.publisher, info.published or "undated", info.kind)))
    return el(
        "li",
        el("strong", one_line(info.title or info.id)),
        f" {one_line(told)} ",
        el("code", info.id),
        " ",
        _address(report, info),
        id=f"s-{info.id}",
    )


def _address(report: Report, info: SourceInfo) -> Element:
    """The origin: a link for a shipped source, and words alone for what a user's document says of itself."""
    address = report.links.get(info.id)
    if address is None:
        return el("span", one_line(info.origin), class_="origin")
    return el("a", address, href=address, rel="noreferrer noopener", class_="origin")
