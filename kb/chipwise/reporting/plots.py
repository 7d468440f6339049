"""Plots as drawings, in a page or alone: for a desk and for a phone, with the same figures in a table below.

A chart has two logarithmic axes, a line and points for each series, and below them the series' names. Strips have a band for
each thing and a row for each source, with the interval that its words allow.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from chipwise.figures.format import plain
from chipwise.reporting.drawing import (
    CROSS,
    DIAMOND,
    DOT,
    LETTER,
    NARROW,
    WIDE,
    Scale,
    canvas,
    document,
    fitted,
    is_wide,
    line,
    linear_ticks,
    log_ticks,
    series_class,
    series_shape,
    shape,
    strip_range,
    text_width,
    words,
)
from chipwise.reporting.markup import Child, Element, Row, el, table
from chipwise.reporting.model import Band, Chart, Mark, Plot, Report, Series, Strips
from chipwise.text import counted, one_line
from chipwise.types import Evidence

_TYPE = 13.0
# of charts
_LEFT, _TOP, _RIGHT, _BOTTOM = 56.0, 48.0, 20.0, 44.0  # room for numbers and titles, in pixels
_LEGEND_ROW = 18.0  # height
_TALL, _MOST = 0.95, 400.0  # height of the field: by its width, and at most
_ROOM = 1.25  # how much further than their points the axes go
# of strips
_ROW, _HEAD, _FOOT, _GAP = 19.0, 24.0, 18.0, 14.0  # pixels of height
_VALUE, _WHO = 0.15, 0.42  # shares of the width: the figure on the left, and who gives it on the right
_SMALL_VALUE, _SMALL_WHO = 0.28, 0.38
_LEAST = 2.0  # pixels: a narrower interval is the dot itself
_LEGEND = (
    ("mark", DOT, "figure of a source, with what its precision allows"),
    ("mark bad", DIAMOND, "in a contradiction"),
    ("mark odd", DIAMOND, "in another finding"),
    ("mark old", CROSS, "called outdated or wrong by the facts table"),
)


def as_svg(plot: Plot, width: int) -> str:
    """An SVG document, `width` pixels wide."""
    return document(_draw_chart(plot, width) if isinstance(plot, Chart) else _draw_strips(plot, width))


def strips_section(report: Report) -> Element:
    """Every metric with figures of several sources, those with a contradiction unfolded."""
    legend = (
        el(
            "li",
            el("svg", shape(outline, 8, 8, kind), class_="plot key", viewBox="0 0 16 16", aria_hidden="true"),
            says,
        )
        for kind, outline, says in _LEGEND
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
        _twice(
            _draw_strips(plot, WIDE, legend=False), _draw_strips(plot, NARROW, legend=False, id_=f"small-{plot.id}")
        ),
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
        _twice(_draw_chart(chart, WIDE, heading=False), _draw_chart(chart, NARROW, heading=False, id_=small)),
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


@dataclass(frozen=True, slots=True)
class _Field:
    """The rectangle that is drawn in."""

    x: Scale
    y: Scale


def _draw_chart(chart: Chart, width: int, *, heading: bool = True, id_: str = "") -> Element:
    """The chart, `width` pixels wide; without its heading where it stands below one."""
    field = _field(chart, width)
    parts = [words(fitted(chart.title, width, _TYPE * 1.1), 0, 16, "head")] if heading else []
    parts += [el("g", _axes(chart, field, width)), el("g", _guides(chart, field))]
    parts += [el("g", _series(number, series, field)) for number, series in enumerate(chart.series)]
    top = field.y.start + _BOTTOM
    for number, series in enumerate(chart.series):
        y = top + _LEGEND_ROW * number + 8
        parts += [shape(series_shape(number), 8, y, series_class(number)), words(one_line(series.name), 20, y + 4)]
    about = f"{counted(len(chart.series), 'chip')}: {', '.join(s.name for s in chart.series)}"
    height = top + _LEGEND_ROW * len(chart.series) + 8
    return canvas(id_ or f"chart-{chart.id}", chart.title, about, width, height, *parts)


def _field(chart: Chart, width: int) -> _Field:
    places = [place for s in chart.series for place in (*((p.x, p.y) for p in s.points), *s.path)] or [(1, 1), (10, 10)]
    xs, ys = zip(*places, strict=True)
    height = min((width - _RIGHT - _LEFT) * _TALL, _MOST)
    room = 1.0 if chart.series and chart.series[0].path else _ROOM  # a roof is drawn to the edge
    x = Scale(min(xs) / room, max(xs) * room, _LEFT, width - _RIGHT, logarithmic=True)
    y = Scale(min(ys) / _ROOM, max(ys) * _ROOM, _TOP + height, _TOP, logarithmic=True)
    return _Field(x, y)


def _axes(chart: Chart, field: _Field, width: int) -> Iterator[Element]:
    x, y = field.x, field.y
    past = -1.0
    for tick in log_ticks(x.low, x.high):
        yield line(x(tick), y.end, x(tick), y.start, "grid")
        text = plain(tick)
        half = text_width(text, 11) / 2 + 4
        if x(tick) - half > past:
            yield words(text, x(tick), y.start + 15, "small soft", "middle")
            past = x(tick) + half
    for tick in log_ticks(y.low, y.high):
        yield line(x.start, y(tick), x.end, y(tick), "grid")
        yield words(plain(tick), x.start - 6, y(tick) + 4, "small soft", "end")
    yield line(x.start, y.start, x.end, y.start, "axis")
    yield line(x.start, y.start, x.start, y.end, "axis")
    yield words(fitted(chart.x, width, 11), x.end, y.start + 34, "small soft", "end")
    yield words(fitted(chart.y, width, _TYPE), 0, y.end - 12, "soft")


def _guides(chart: Chart, field: _Field) -> Iterator[Element]:
    """What lies in the field of each line of equal y / x, with its rate."""
    x, y = field.x, field.y
    for rate in chart.guides:
        low, high = max(x.low, y.low / rate), min(x.high, y.high / rate)
        if low < high:
            yield line(x(low), y(low * rate), x(high), y(high * rate), "guide")
            yield words(plain(rate), x(high) - 6, y(high * rate) + 16, "small soft over", "end")


def _series(number: int, series: Series, field: _Field) -> Iterator[Element]:
    class_ = series_class(number)
    drawn = series.path or [(p.x, p.y) for p in series.points]
    if len(drawn) > 1:
        places = " ".join(f"{field.x(x):.1f},{field.y(y):.1f}" for x, y in drawn)
        yield el("polyline", points=places, class_=f"roof {class_}")
    for p in series.points:
        yield shape(series_shape(number), field.x(p.x), field.y(p.y), class_, one_line(p.says))


def _draw_strips(plot: Strips, width: int, *, legend: bool = True, id_: str = "") -> Element:
    """The bands below each other, `width` pixels wide; each has an axis of its own, that spans half of its values at least."""
    parts: list[Element] = []
    y = 4.0
    if legend:
        parts.append(words(fitted(f"{plot.title}, {plot.unit or 'as written'}", width, 16), 0, y + 14, "head"))
        y += 26
        for class_, outline, says in _LEGEND:
            parts += [shape(outline, 8, y + 5, class_), words(fitted(says, width - 20, 11), 18, y + 9, "small soft")]
            y += 15
        y += 8
    for band in plot.bands:
        parts.append(el("g", _band(band, y, width)))
        y += _HEAD + _ROW * len(band.marks) + _FOOT + _GAP
    about = f"{counted(len(plot.bands), 'group')} of figures by source; the table below has them in words"
    return canvas(id_ or f"strips-{plot.id}", plot.title, about, width, y, *parts)


def _band(band: Band, top: float, width: int) -> Iterator[Element]:
    value, who = (_SMALL_VALUE, _SMALL_WHO) if width <= NARROW else (_VALUE, _WHO)
    left, right = width * value + 12, width * (1 - who) - 12
    scale = strip_scale(band.marks, left, right)
    bottom = top + _HEAD + _ROW * len(band.marks)
    yield words(fitted(one_line(band.title), width, _TYPE * 1.05), 0, top + 15, "head")
    yield from _axis(scale, top + _HEAD - 3, bottom)
    for row, mark in enumerate(band.marks):
        y = top + _HEAD + _ROW * (row + 0.5)
        kind = kind_of(mark)
        text = fitted(one_line(mark.text), width * value, _TYPE)
        yield words(text, width * value, y + 4, "" if kind == "odd" else kind, "end")
        # a phone has no pointer that rests on a mark: the table below has the quotes
        says = "" if width <= NARROW else one_line(f"{mark.cited[0].by}: {mark.text}. {mark.cited[0].quote}")
        yield from _mark(mark, kind, scale, y, says)
        yield words(fitting(mark, int(width * who / (11 * LETTER))), width * (1 - who), y + 4, "small soft")


def kind_of(mark: Mark) -> str:
    """The class that a mark is drawn in: "bad" in a contradiction, "odd" in another finding, "old", or ""."""
    return "bad" if mark.contradicts else "old" if mark.outdated else "odd" if mark.against else ""


def fitting(mark: Mark, letters: int) -> str:
    """Who gives a figure, in so many letters: as many names as have room, and how many there are more."""
    names = sorted(dict.fromkeys(one_line(c.by or c.title or c.source) for c in mark.cited), key=len)
    told = ""
    for shown in range(1, len(names) + 1):
        more = f" and {len(names) - shown} more" if shown < len(names) else ""
        text = ", ".join(names[:shown]) + more
        if told and len(text) > letters:
            break
        told = text if len(text) <= letters else f"{names[0][: max(letters - len(more) - 1, 1)]}…{more}"
    return told


def strip_scale(marks: Sequence[Mark], left: float, right: float) -> Scale:
    """The axis of one band: logarithmic where its figures lie far apart."""
    values = [v for m in marks for v in (m.low, m.middle, m.high)]
    if is_wide([m.middle for m in marks]):
        ends = [v for v in values if math.isfinite(v) and v > 0]
        return Scale(min(ends) / 1.3, max(ends) * 1.3, left, right, logarithmic=True)
    return Scale(*strip_range(values), left, right)


def ticks_of(scale: Scale, room: float) -> list[float]:
    """The ticks of a strip, as many as their numbers have room for."""
    ticks = log_ticks(scale.low, scale.high) if scale.logarithmic else linear_ticks(scale.low, scale.high, 4)
    wide = max((text_width(plain(t), 11) + 8 for t in ticks), default=1)
    step = max(1, math.ceil(len(ticks) * wide / room))
    return ticks[::step]


def _axis(scale: Scale, top: float, bottom: float) -> Iterator[Element]:
    yield line(scale.start, bottom, scale.end, bottom, "axis")
    for tick in ticks_of(scale, scale.end - scale.start):
        yield line(scale(tick), top, scale(tick), bottom, "grid")
        yield words(plain(tick), scale(tick), bottom + 13, "small soft", "middle")


def _mark(mark: Mark, kind: str, scale: Scale, y: float, says: str) -> Iterator[Element]:
    low, high = scale(mark.low), scale(mark.high)
    if high - low > _LEAST:
        yield line(low, y, high, y, f"span {kind}".strip())
        for end, value in ((low, mark.low), (high, mark.high)):
            if math.isfinite(value):  # an open side has no end
                yield line(end, y - 4, end, y + 4, f"span {kind}".strip())
    outline = {"bad": DIAMOND, "odd": DIAMOND, "old": CROSS}.get(kind, DOT)
    yield shape(outline, scale(mark.middle), y, f"mark {kind}".strip(), says)
