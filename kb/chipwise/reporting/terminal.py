"""Plots in characters, for a terminal: no colors are needed to read them.

80 GB  ···●···················  AI Wiki 2026-06-21 and 3 more
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from string import ascii_uppercase

from chipwise.figures.format import plain
from chipwise.reporting.drawing import Scale, log_ticks
from chipwise.reporting.model import Band, Chart, Mark, Plot, Strips
from chipwise.reporting.plots import fitting, kind_of, strip_scale, ticks_of
from chipwise.text import one_line

_WHO, _VALUE = 40, 14  # columns
_LEAST = 12  # columns that a strip needs
_ROWS = 20
_NUMBERS = 9  # columns for the numbers of the vertical axis
_SIGNS = {"bad": "◆", "odd": "◇", "old": "×", "": "●"}
STRIPS_LEGEND = (
    "● figure of a source  ◆ in a contradiction  ◇ in another finding  × outdated or wrong by the facts table"
)


def as_text(plot: Plot, width: int) -> str:
    """Drawn in characters, `width` columns wide."""
    return "\n".join(_chart(plot, width) if isinstance(plot, Chart) else _strips(plot, width))


def _strips(plot: Strips, width: int) -> Iterator[str]:
    """The bands below each other, and what the signs mean."""
    yield f"{plot.title}{f', {plot.unit}' if plot.unit else ''}"
    for band in plot.bands:
        yield ""
        yield from _band(band, width)
    yield from ("", STRIPS_LEGEND, *(f"note: {note}" for note in plot.notes))


def _band(band: Band, width: int) -> Iterator[str]:
    yield one_line(band.title)
    who = min(_WHO, max(width // 3, 10))
    columns = max(width - who - _VALUE - 6, _LEAST)
    scale = strip_scale(band.marks, 0, columns - 1)
    for mark in band.marks:
        text = one_line(mark.text)
        text = text if len(text) <= _VALUE else f"{text[: _VALUE - 1]}…"
        yield f"  {text:>{_VALUE}}  {_strip(mark, scale, columns)}  {fitting(mark, who)}".rstrip()
    yield f"  {'':<{_VALUE}}  {_numbers(scale, ticks_of(scale, columns * 7.0), columns)}".rstrip()


def _strip(mark: Mark, scale: Scale, columns: int) -> str:
    cells = ["·"] * columns
    low, high, middle = (round(scale(v)) for v in (mark.low, mark.high, mark.middle))
    if high - low > 1:
        cells[low : high + 1] = ["├", *"─" * (high - low - 1), "┤"]
    cells[middle] = _SIGNS[kind_of(mark)]
    return "".join(cells)


def _numbers(scale: Scale, ticks: Iterable[float], columns: int) -> str:
    """Numbers below an axis, each centered on its place where it has room."""
    cells = [" "] * columns
    free = 0
    for tick in ticks:
        text = plain(tick)
        start = min(max(round(scale(tick)) - len(text) // 2, 0), columns - len(text))
        if start >= free:
            cells[start : start + len(text)] = text
            free = start + len(text) + 2
    return "".join(cells)


def _chart(chart: Chart, width: int) -> Iterator[str]:
    """The field with a letter for each series, and below it each point with how it comes about and where that stands."""
    yield chart.title
    points = [place for s in chart.series for place in (*((p.x, p.y) for p in s.points), *s.path)]
    if points:
        yield from _field(chart, points, max(width - _NUMBERS - 2, 2 * _LEAST))
    yield from _points(chart)


def _field(chart: Chart, points: list[tuple[float, float]], columns: int) -> Iterator[str]:
    xs, ys = zip(*points, strict=True)
    x = Scale(min(xs) / 1.1, max(xs) * 1.1, 0, columns - 1, logarithmic=True)
    y = Scale(min(ys) / 1.1, max(ys) * 1.1, _ROWS - 1, 0, logarithmic=True)
    grid = [[" "] * columns for _ in range(_ROWS)]
    for series in chart.series:
        places = [(x(across), y(up)) for across, up in series.path]
        for (x1, y1), (x2, y2) in itertools.pairwise(places):
            steps = max(int(max(abs(x2 - x1), abs(y2 - y1))), 1)
            for share in (step / steps for step in range(steps + 1)):
                grid[round(y1 + (y2 - y1) * share)][round(x1 + (x2 - x1) * share)] = "·"
    for number, series in enumerate(chart.series):
        for point in series.points:
            grid[round(y(point.y))][round(x(point.x))] = _letter(number)
    rows = {round(y(tick)): plain(tick) for tick in log_ticks(y.low, y.high)}
    yield f"{'':<{_NUMBERS}} {chart.y}"
    yield from (f"{rows.get(n, ''):>{_NUMBERS}} │{''.join(cells)}".rstrip() for n, cells in enumerate(grid))
    yield f"{'':<{_NUMBERS}} └{'─' * columns}"
    yield f"{'':<{_NUMBERS}}  {_numbers(x, log_ticks(x.low, x.high), columns)}".rstrip()
    yield from (f"{'':<{_NUMBERS}}  {chart.x}", "")


def _points(chart: Chart) -> Iterator[str]:
    cited = {(c.source, c.line): c for s in chart.series for point in s.points for c in point.cited}
    numbers = {place: number for number, place in enumerate(cited, start=1)}
    for number, series in enumerate(chart.series):
        yield f"{_letter(number)}  {one_line(series.name)}"
        for point in series.points:
            yield f"   {one_line(point.says)} {''.join(f'[{numbers[c.source, c.line]}]' for c in point.cited)}"
    yield from (f"note: {one_line(note)}" for note in chart.notes)
    yield ""
    for place, c in cited.items():
        yield f"[{numbers[place]}] {one_line(f'{c.by}, {c.title}, line {c.line} ({c.source})')}"


def _letter(number: int) -> str:
    return ascii_uppercase[number % len(ascii_uppercase)]
