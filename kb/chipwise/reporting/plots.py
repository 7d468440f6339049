"""Plots in a page or alone: drawn for a desk and for a phone, with the same figures in a table below, or in characters."""

from __future__ import annotations

from collections.abc import Iterator

from chipwise.reporting.chartsvg import draw_chart
from chipwise.reporting.drawing import NARROW, WIDE, document, shape
from chipwise.reporting.markup import Child, Element, Row, el, table
from chipwise.reporting.model import Chart, Mark, Plot, Report, Strips
from chipwise.reporting.stripsvg import LEGEND, draw_strips
from chipwise.text import counted, one_line
from chipwise.types import Evidence


def as_svg(plot: Plot, width: int) -> str:
    """An SVG document, `width` pixels wide."""
    return document(draw_chart(plot, width) if isinstance(plot, Chart) else draw_strips(plot, width))


def strips_section(report: Report) -> Element:
    """Every metric with figures of several sources, those with a contradiction unfolded."""
    legend = (
        el(
            "li",
            el("svg", shape(outline, 8, 8, kind), class_="plot key", viewBox="0 0 16 16", aria_hidden="true"),
            says,
        )
        for kind, outline, says in LEGEND
    )
    intro = "A group for each thing that figures are of, a row for each figure that sources give of it."
    return el(
        "section",
        el("h2", "Figures by source"),
        el("p", intro, class_="soft"),
        el("ul", legend, class_="legend"),
        (_metric(plot) for plot in report.strips),
        id="figures",
    )


def _metric(plot: Strips) -> Element:
    marks = [mark for band in plot.bands for mark in band.marks]
    bad = sum(mark.contradicts for mark in marks)
    summary = f"{counted(len(marks), 'figure')} in {counted(len(plot.bands), 'group')}"
    summary += f", {bad} in a contradiction" if bad else ""
    left = f"{counted(plot.left_out, 'more group')} with several sources: `chipwise plot` draws those of a chip that is named."
    rows = (
        [band.title if number == 0 else "", _figure(mark), _cited(mark.cited)]
        for band in plot.bands
        for number, mark in enumerate(band.marks)
    )
    quotes = table(f"{plot.title}: figures with their quotes", ("of", "figure", "who says so"), rows)
    return el(
        "details",
        el("summary", el("strong", plot.title), f": {summary}"),
        _twice(draw_strips(plot, WIDE, legend=False), draw_strips(plot, NARROW, legend=False, id_=f"small-{plot.id}")),
        el("p", left, class_="soft") if plot.left_out else None,
        el("details", el("summary", "The figures with their quotes"), quotes, class_="small"),
        id=f"m-{plot.id}",
        open="" if bad else None,
    )


def _figure(mark: Mark) -> Iterator[Child]:
    yield one_line(f"{mark.text} ({mark.note})" if mark.note else mark.text)
    for fingerprint in mark.against:
        yield el("a", f" {'contradiction' if mark.contradicts else 'finding'}", href=f"#f-{fingerprint}")
    yield el("span", f" outdated or wrong: {mark.outdated}", class_="soft") if mark.outdated else None


def _twice(wide: Element, narrow: Element) -> Element:
    """One drawing for a desk and one for a phone, of which the style shows one."""
    return el("div", el("div", wide, class_="wide"), el("div", narrow, class_="narrow"), class_="drawing")


def chart_section(chart: Chart) -> Element:
    """A chart, and each of its points with how it comes about and where its figures stand."""
    places = ((s.name if n == 0 else "", p) for s in chart.series for n, p in enumerate(s.points))
    rows: Iterator[Row] = ([name, p.says, _cited(p.cited)] for name, p in places)
    points = table(f"{chart.title}: points with their sources", ("chip", "how it comes about", "who says so"), rows)
    small = f"small-{chart.id}"
    drawn = (
        _twice(draw_chart(chart, WIDE, heading=False), draw_chart(chart, NARROW, heading=False, id_=small)),
        el("details", el("summary", "The points with their sources"), points, class_="small"),
    )
    return el(
        "section",
        el("h2", chart.title),
        drawn if chart.series else el("p", "Nothing to draw: no chip has the figures that it takes."),
        el("ul", (el("li", note) for note in chart.notes), class_="soft small") if chart.notes else None,
        id=f"chart-{chart.id}",
    )


def _cited(cited: tuple[Evidence, ...]) -> Iterator[Element]:
    for c in cited:
        link = el("a", one_line(c.by or c.source), href=f"#s-{c.source}")
        yield el("p", link, ": ", el("q", one_line(c.quote)), class_="cite")
