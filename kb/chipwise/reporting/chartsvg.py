"""A chart as a drawing: two logarithmic axes, a line and points for each series, and below them the series' names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from chipwise.figures.format import plain
from chipwise.reporting.drawing import (
    Scale,
    canvas,
    fitted,
    line,
    log_ticks,
    series_class,
    series_shape,
    shape,
    text_width,
    words,
)
from chipwise.reporting.markup import Element, el
from chipwise.reporting.model import Chart, Series
from chipwise.text import counted, one_line

_TYPE = 13.0
_LEFT, _TOP, _RIGHT, _BOTTOM = 56.0, 48.0, 20.0, 44.0  # room for numbers and titles, in pixels
_ROW = 18.0  # of the legend
_TALL, _MOST = 0.95, 400.0  # height of the field: by its width, and at most
_ROOM = 1.25  # how much further than their points the axes go


@dataclass(frozen=True, slots=True)
class _Field:
    """The rectangle that is drawn in."""

    x: Scale
    y: Scale


def draw_chart(chart: Chart, width: int, *, heading: bool = True, id_: str = "") -> Element:
    """The chart, `width` pixels wide; without its heading where it stands below one."""
    field = _field(chart, width)
    parts = [words(fitted(chart.title, width, _TYPE * 1.1), 0, 16, "head")] if heading else []
    parts += [el("g", _axes(chart, field, width)), el("g", _guides(chart, field))]
    parts += [el("g", _series(number, series, field)) for number, series in enumerate(chart.series)]
    top = field.y.start + _BOTTOM
    for number, series in enumerate(chart.series):
        y = top + _ROW * number + 8
        parts += [shape(series_shape(number), 8, y, series_class(number)), words(one_line(series.name), 20, y + 4)]
    about = f"{counted(len(chart.series), 'chip')}: {', '.join(s.name for s in chart.series)}"
    height = top + _ROW * len(chart.series) + 8
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
