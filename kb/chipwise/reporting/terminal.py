"""Plots in characters, for a terminal: no colours are needed to read them.

80 GB  ···●···················  AI Wiki 2026-06-21 and 3 more
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from chipwise.reporting.model import Band, Chart, Mark, Plot, Strips
from chipwise.reporting.scales import Scale, number_text
from chipwise.reporting.stripsvg import fitting, kind_of, strip_scale, ticks_of
from chipwise.text import one_line
from chipwise.types import Evidence

_WHO, _VALUE = 40, 14  # columns
_LEAST = 12  # columns that a strip needs
_ROWS = 20
_NUMBERS = 9  # columns for the numbers of the vertical axis
_SIGNS = {"bad": "◆", "odd": "◇", "old": "×", "": "●"}
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
STRIPS_LEGEND = (
    "● figure of a source  ◆ in a contradiction  ◇ in another finding  × outdated or wrong by the facts table"
)


def as_text(plot: Plot, width: int) -> str:
    """Drawn in characters, `width` columns wide."""
    return chart_text(plot, width) if isinstance(plot, Chart) else strips_text(plot, width)


def strips_text(plot: Strips, width: int) -> str:
    """The bands below each other, and what the signs mean."""
    unit = f", {plot.unit}" if plot.unit else ""
    lines = [f"{plot.title}{unit}", ""]
    for band in plot.bands:
        lines += [*_band(band, width), ""]
    lines.append(STRIPS_LEGEND)
    return "\n".join([*lines, *(f"note: {note}" for note in plot.notes)])


def _band(band: Band, width: int) -> Iterator[str]:
    yield one_line(band.title)
    who = min(_WHO, max(width // 3, 10))
    columns = max(width - who - _VALUE - 6, _LEAST)
    scale = strip_scale(band.marks, 0, columns - 1)
    for mark in band.marks:
        text = _cut(one_line(mark.text), _VALUE)
        yield f"  {text:>{_VALUE}}  {_strip(mark, scale, columns)}  {fitting(mark, who)}".rstrip()
    yield f"  {'':<{_VALUE}}  {_ticks(scale, columns)}".rstrip()


def _strip(mark: Mark, scale: Scale, columns: int) -> str:
    cells = ["·"] * columns
    low, high, middle = (round(scale(v)) for v in (mark.low, mark.high, mark.middle))
    if high - low > 1:
        cells[low : high + 1] = ["├", *"─" * (high - low - 1), "┤"]
    cells[middle] = _SIGNS[kind_of(mark)]
    return "".join(cells)


def _ticks(scale: Scale, columns: int) -> str:
    """Numbers below a strip, each centred on its place where it has room."""
    cells = [" "] * columns
    free = 0
    for tick in ticks_of(scale, columns * 7.0):
        text = number_text(tick)
        start = min(max(round(scale(tick)) - len(text) // 2, 0), columns - len(text))
        if start >= free:
            cells[start : start + len(text)] = text
            free = start + len(text) + 2
    return "".join(cells)


def chart_text(chart: Chart, width: int) -> str:
    """The field with a letter for each series, and below it each point with how it comes about and where that stands."""
    points = [(p.x, p.y) for s in chart.series for p in s.points] + [xy for s in chart.series for xy in s.path]
    if not points:
        return "\n".join([chart.title, *(f"note: {note}" for note in chart.notes)])
    columns = max(width - _NUMBERS - 2, 2 * _LEAST)
    xs, ys = [x for x, _ in points], [y for _, y in points]
    x = Scale(min(xs) / 1.1, max(xs) * 1.1, 0, columns - 1, logarithmic=True)
    y = Scale(min(ys) / 1.1, max(ys) * 1.1, _ROWS - 1, 0, logarithmic=True)
    grid = [[" "] * columns for _ in range(_ROWS)]
    for series in chart.series:
        for start, end in zip(series.path, series.path[1:], strict=False):
            _draw(grid, (x(start[0]), y(start[1])), (x(end[0]), y(end[1])))
    for letter, series in zip(_letters(len(chart.series)), chart.series, strict=True):
        for point in series.points:
            grid[round(y(point.y))][round(x(point.x))] = letter
    lines = [chart.title, f"{'':<{_NUMBERS}} {chart.y.title}"]
    for row, cells in enumerate(grid):
        number = number_text(_value(y, row)) if row % 5 == 0 or row == _ROWS - 1 else ""
        lines.append(f"{number:>{_NUMBERS}} │{''.join(cells).rstrip()}".rstrip())
    lines.append(f"{'':<{_NUMBERS}} └{'─' * columns}")
    lines.append(f"{'':<{_NUMBERS}}  {_log_ticks(x, columns)}")
    lines.append(f"{'':<{_NUMBERS}}  {chart.x.title}")
    return "\n".join([*lines, "", *_told(chart)])


def _draw(grid: Sequence[list[str]], start: tuple[float, float], end: tuple[float, float]) -> None:
    (x1, y1), (x2, y2) = start, end
    steps = max(int(max(abs(x2 - x1), abs(y2 - y1))), 1)
    for step in range(steps + 1):
        share = step / steps
        grid[round(y1 + (y2 - y1) * share)][round(x1 + (x2 - x1) * share)] = "·"


def _value(scale: Scale, at: float) -> float:
    """The value at a place of a logarithmic scale."""
    share = (at - scale.start) / (scale.end - scale.start)
    return float(scale.low * (scale.high / scale.low) ** share)


def _log_ticks(scale: Scale, columns: int) -> str:
    texts = [(number_text(_value(scale, at)), at) for at in range(0, columns, max(columns // 5, 8))]
    cells = [" "] * (columns + 8)
    for text, at in texts:
        cells[at : at + len(text)] = text
    return "".join(cells).rstrip()


def _told(chart: Chart) -> Iterator[str]:
    numbers: dict[tuple[str, int], int] = {}
    cited: list[Evidence] = []
    for letter, series in zip(_letters(len(chart.series)), chart.series, strict=True):
        yield f"{letter}  {one_line(series.name)}"
        for point in series.points:
            for c in point.cited:
                if (c.source, c.line) not in numbers:
                    numbers[c.source, c.line] = len(numbers) + 1
                    cited.append(c)
            marks = "".join(f"[{numbers[c.source, c.line]}]" for c in point.cited)
            yield f"   {one_line(point.says)} {marks}"
    for note in chart.notes:
        yield f"note: {one_line(note)}"
    yield ""
    for number, c in enumerate(cited, start=1):
        yield f"[{number}] {one_line(f'{c.by}, {c.title}, line {c.line} ({c.source})')}"


def _letters(count: int) -> list[str]:
    return [_LETTERS[n % len(_LETTERS)] for n in range(count)]


def _cut(text: str, columns: int) -> str:
    return text if len(text) <= columns else f"{text[: columns - 1]}…"
