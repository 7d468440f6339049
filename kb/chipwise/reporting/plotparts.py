"""Plots on the page: drawn for a desk and for a phone, with the same figures in a table below."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from chipwise.reporting.chartsvg import draw_chart
from chipwise.reporting.findingparts import anchor, source_link
from chipwise.reporting.markup import Element, el
from chipwise.reporting.model import Chart, Mark, Report, Strips
from chipwise.reporting.stripsvg import LEGEND, draw_strips
from chipwise.reporting.svg import NARROW, WIDE, shape
from chipwise.text import counted, one_line
from chipwise.types import Evidence


def strips_section(report: Report) -> Element:
    """Every metric with figures of several sources, those with a contradiction unfolded."""
    legend = (
        el(
            "li",
            el("svg", shape(outline, 8, 8, class_), class_="plot key", viewBox="0 0 16 16", aria_hidden="true"),
            says,
        )
        for class_, outline, says in LEGEND
    )
    return el(
        "section",
        el("h2", "Figures by source"),
        el(
            "p",
            "Each metric that several sources give figures of: a group for each thing that they are of, a row for each"
            " source. The axis of a group spans half of its values at least.",
            class_="soft",
        ),
        el("ul", legend, class_="legend"),
        (_metric(report, plot) for plot in report.strips),
        id="figures",
    )


def _metric(report: Report, plot: Strips) -> Element:
    marks = [mark for band in plot.bands for mark in band.marks]
    bad = sum(mark.contradicts for mark in marks)
    summary = f"{counted(len(marks), 'figure')} in {counted(len(plot.bands), 'group')}"
    summary += f", {bad} in a contradiction" if bad else ""
    left = f"{counted(plot.left_out, 'more group')} with several sources: `chipwise plot` draws those of a chip that is named."
    return el(
        "details",
        el("summary", el("strong", plot.title), f": {summary}"),
        drawn_twice(
            draw_strips(plot, WIDE, legend=False), draw_strips(plot, NARROW, legend=False, id_=f"small-{plot.id}")
        ),
        el("p", left, class_="soft") if plot.left_out else None,
        el("details", el("summary", "The figures with their quotes"), _strips_table(report, plot), class_="small"),
        id=f"m-{plot.id}",
        open="" if bad else None,
    )


def drawn_twice(wide: Element, narrow: Element) -> Element:
    """One drawing for a desk and one for a phone, of which the style shows one."""
    return el("div", el("div", wide, class_="wide"), el("div", narrow, class_="narrow"), class_="drawing")


def _strips_table(report: Report, plot: Strips) -> Element:
    rows = (
        _row(report, band.title if number == 0 else "", mark)
        for band in plot.bands
        for number, mark in enumerate(band.marks)
    )
    return _table(f"{plot.title}: figures with their quotes", ("of", "figure", "source", "quote"), rows)


def _row(report: Report, of: str, mark: Mark) -> Element:
    told = [one_line(mark.text), *([f" ({mark.note})"] if mark.note else [])]
    links = (
        el("a", f" {'contradiction' if mark.contradicts else 'finding'}", href=f"#{anchor(f)}") for f in mark.against
    )
    old = el("span", f" outdated or wrong: {mark.outdated}", class_="soft") if mark.outdated else None
    return el(
        "tr",
        el("th", of, scope="row"),
        el("td", told, links, old),
        el("td", source_link(report, mark.cited.source, mark.cited.by), f", line {mark.cited.line}"),
        el("td", el("q", one_line(mark.cited.quote))),
    )


def _table(caption: str, heads: Sequence[str], rows: Iterator[Element]) -> Element:
    head = el("thead", el("tr", (el("th", name, scope="col") for name in heads)))
    table = el("table", el("caption", caption), head, el("tbody", rows))
    return el("div", table, class_="scroll", tabindex="0", role="region", aria_label=caption)


def chart_section(report: Report, chart: Chart) -> Element:
    """A chart, and each of its points with how it comes about and where its figures stand."""
    body = (
        drawn_twice(
            draw_chart(chart, WIDE, heading=False), draw_chart(chart, NARROW, heading=False, id_=f"small-{chart.id}")
        )
        if chart.series
        else el("p", "Nothing to draw: no chip has the figures that it takes.")
    )
    return el(
        "section",
        el("h2", chart.title),
        body,
        el("ul", (el("li", note) for note in chart.notes), class_="soft small") if chart.notes else None,
        el("details", el("summary", "The points with their sources"), _chart_table(report, chart), class_="small")
        if chart.series
        else None,
        id=f"chart-{chart.id}",
    )


def _chart_table(report: Report, chart: Chart) -> Element:
    rows = (
        el(
            "tr",
            el("th", s.name if n == 0 else "", scope="row"),
            el("td", point.says),
            el("td", _cites(report, point.cited)),
        )
        for s in chart.series
        for n, point in enumerate(s.points)
    )
    return _table(f"{chart.title}: points with their sources", ("chip", "how it comes about", "where it stands"), rows)


def _cites(report: Report, cited: Sequence[Evidence]) -> Iterator[Element]:
    for c in cited:
        yield el(
            "p", source_link(report, c.source, c.by), f", line {c.line}: ", el("q", one_line(c.quote)), class_="cite"
        )
