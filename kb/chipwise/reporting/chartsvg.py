"""A chart as a drawing: two logarithmic axes, a line and points for each series, its name at the edge or in a legend below."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from chipwise.reporting.markup import Element, el
from chipwise.reporting.model import Chart
from chipwise.reporting.scales import Scale, log_ticks, number_text
from chipwise.reporting.svg import NARROW, canvas, fitted, line, series_class, series_shape, shape, text_width, words
from chipwise.text import counted, one_line

_TYPE = 13.0
_LEFT, _TOP, _BOTTOM = 56.0, 48.0, 44.0  # room for numbers and titles, in pixels
_NAMES = 150.0  # for the names of series at the right edge
_APART = 16.0  # two names, at least
_TALL, _SQUARE = 0.55, 0.95  # height of the field by its width
_ROOM = 1.25  # how much further than their points the axes go


@dataclass(frozen=True, slots=True)
class _Field:
    """The rectangle that is drawn in; `legend` is True where names stand below."""

    x: Scale
    y: Scale
    legend: bool

    @property
    def bottom(self) -> float:
        """The y of the x axis."""
        return self.y.start


def draw_chart(chart: Chart, width: int, *, heading: bool = True, id_: str = "") -> Element:
    """The chart, `width` pixels wide; without its heading where it stands below one."""
    field = _field(chart, width)
    parts = [words(fitted(chart.title, width, _TYPE * 1.1), 0, 16, "head")] if heading else []
    parts.append(el("g", _axes(chart, field, width)))
    parts.append(el("g", _guides(chart, field)))
    for number, series in enumerate(chart.series):
        parts.append(el("g", _series(number, series.path, [(p.x, p.y, p.says) for p in series.points], field)))
    height = field.bottom + _BOTTOM
    if field.legend:
        parts.append(el("g", _legend(chart, height)))
        height += 18 * len(chart.series) + 8
    else:
        parts.append(el("g", _edge_names(chart, field)))
    about = f"{counted(len(chart.series), 'chip')}: {', '.join(s.name for s in chart.series)}"
    return canvas(id_ or f"chart-{chart.id}", chart.title, about, width, height, *parts)


def _field(chart: Chart, width: int) -> _Field:
    legend = width <= NARROW
    xs = [x for s in chart.series for x in (*(p.x for p in s.points), *(x for x, _ in s.path))]
    ys = [y for s in chart.series for y in (*(p.y for p in s.points), *(y for _, y in s.path))]
    right = width - (20.0 if legend else _NAMES)
    height = (right - _LEFT) * (_SQUARE if legend else _TALL)
    drawn = bool(chart.series) and bool(chart.series[0].path)
    room = 1.0 if drawn else _ROOM  # a roof is drawn to the edge
    x = Scale(min(xs, default=1) / room, max(xs, default=10) * room, _LEFT, right, logarithmic=True)
    y = Scale(min(ys, default=1) / _ROOM, max(ys, default=10) * _ROOM, _TOP + height, _TOP, logarithmic=True)
    return _Field(x, y, legend)


def _axes(chart: Chart, field: _Field, width: int) -> Iterator[Element]:
    x, y = field.x, field.y
    past = -1.0
    for tick in log_ticks(x.low, x.high):
        yield line(x(tick), y.end, x(tick), y.start, "grid")
        text = number_text(tick)
        half = text_width(text, 11) / 2 + 4
        if x(tick) - half > past:
            yield words(text, x(tick), y.start + 15, "small soft", "middle")
            past = x(tick) + half
    for tick in log_ticks(y.low, y.high):
        yield line(x.start, y(tick), x.end, y(tick), "grid")
        yield words(number_text(tick), x.start - 6, y(tick) + 4, "small soft", "end")
    yield line(x.start, y.start, x.end, y.start, "axis")
    yield line(x.start, y.start, x.start, y.end, "axis")
    yield words(fitted(chart.x.title, width, 11), x.end, y.start + 34, "small soft", "end")
    yield words(fitted(chart.y.title, width, _TYPE), 0, y.end - 12, "soft")


def _guides(chart: Chart, field: _Field) -> Iterator[Element]:
    for guide in chart.guides:
        ends = _within(guide.path, field)
        if ends is not None:
            (x1, y1), (x2, y2) = ends
            yield line(field.x(x1), field.y(y1), field.x(x2), field.y(y2), "guide")
            number = guide.label.partition(" ")[0] if field.legend else guide.label
            yield words(number, field.x(x2) - 6, field.y(y2) + 16, "small soft over", "end")


Path = tuple[tuple[float, float], tuple[float, float]]


def _within(path: Path, field: _Field) -> Path | None:
    """What of a line through equal ratios lies in the field; None where nothing does."""
    (x1, y1), _ = path
    rate = y1 / x1
    low, high = max(field.x.low, field.y.low / rate), min(field.x.high, field.y.high / rate)
    return ((low, low * rate), (high, high * rate)) if low < high else None


def _series(
    number: int, path: Sequence[tuple[float, float]], points: Sequence[tuple[float, float, str]], field: _Field
) -> Iterator[Element]:
    class_ = series_class(number)
    drawn = path or [(x, y) for x, y, _ in points]
    if len(drawn) > 1:
        places = " ".join(f"{field.x(x):.1f},{field.y(y):.1f}" for x, y in drawn)
        yield el("polyline", points=places, class_=f"roof {class_}")
    for x, y, says in points:
        yield shape(series_shape(number), field.x(x), field.y(y), class_, one_line(says))


def _edge_names(chart: Chart, field: _Field) -> Iterator[Element]:
    """Names at the right edge, as near to their lines as they fit, each with its shape."""
    wanted = sorted((field.y(s.points[-1].y), n) for n, s in enumerate(chart.series))
    for (at, number), y in zip(
        wanted, spread([at for at, _ in wanted], _APART, field.y.end, field.y.start), strict=True
    ):
        edge = field.x.end
        yield el("polyline", points=f"{edge:.1f},{at:.1f} {edge + 10:.1f},{y:.1f}", class_="lead")
        yield shape(series_shape(number), edge + 18, y, series_class(number))
        yield words(fitted(chart.series[number].name, _NAMES - 30, _TYPE), edge + 28, y + 4)


def spread(places: Sequence[float], apart: float, low: float, high: float) -> list[float]:
    """Sorted places moved as little as need be so that none is nearer to another than `apart`, from `low` to `high`."""
    moved: list[float] = []
    for place in places:
        moved.append(max(place, moved[-1] + apart if moved else low))
    limit = high
    for number in reversed(range(len(moved))):
        moved[number] = min(moved[number], limit)
        limit = moved[number] - apart
    return moved


def _legend(chart: Chart, top: float) -> Iterator[Element]:
    for number, series in enumerate(chart.series):
        y = top + 18 * number + 8
        yield shape(series_shape(number), 8, y, series_class(number))
        yield words(series.name, 20, y + 4)
