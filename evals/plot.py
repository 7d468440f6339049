"""A line chart with two logarithmic axes, as SVG text. Nothing but what growth.py needs."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from html import escape

WIDTH, HEIGHT = 760, 420
LEFT, RIGHT, TOP, BOTTOM = 70, 250, 40, 50  # margins; the names of the lines stand at the right
COLOURS = ("#1b6ca8", "#c0392b", "#2e8b57", "#8e44ad", "#d68910", "#5d6d7e", "#17a589", "#a04000")
NAME_HEIGHT = 15

Series = Mapping[str, Sequence[tuple[float, float]]]  # by name, points with x and y above 0


def log_log(title: str, x_name: str, y_name: str, series: Series) -> str:
    """The chart. A line of one point is drawn as that point."""
    points = [point for line in series.values() for point in line]
    x_ends, y_ends = _decades([x for x, _ in points]), _decades([y for _, y in points])
    body = [
        f'<text x="{LEFT}" y="22" font-size="15">{escape(title)}</text>',
        *_grid(x_ends, y_ends),
        f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 12}" text-anchor="middle">{escape(x_name)}</text>',
        f'<text transform="translate(16 {HEIGHT / 2}) rotate(-90)" text-anchor="middle">{escape(y_name)}</text>',
    ]
    names: list[tuple[float, str, str]] = []
    for number, (name, line) in enumerate(series.items()):
        placed = [(_x(x, x_ends), _y(y, y_ends)) for x, y in sorted(line)]
        colour = COLOURS[number % len(COLOURS)]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in placed)
        body.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        body += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in placed]
        names.append((placed[-1][1], name, colour))
    body += _names(names)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" '
        f'font-size="12">\n<rect width="100%" height="100%" fill="white"/>\n' + "\n".join(body) + "\n</svg>\n"
    )


def _decades(values: Sequence[float]) -> tuple[int, int]:
    """The powers of ten that hold all values between them."""
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    return low, max(high, low + 1)


def _x(value: float, ends: tuple[int, int]) -> float:
    return LEFT + (math.log10(value) - ends[0]) / (ends[1] - ends[0]) * (WIDTH - LEFT - RIGHT)


def _y(value: float, ends: tuple[int, int]) -> float:
    return HEIGHT - BOTTOM - (math.log10(value) - ends[0]) / (ends[1] - ends[0]) * (HEIGHT - TOP - BOTTOM)


def _grid(x_ends: tuple[int, int], y_ends: tuple[int, int]) -> Iterator[str]:
    for power in range(x_ends[0], x_ends[1] + 1):
        x = _x(10.0**power, x_ends)
        yield f'<line x1="{x:.1f}" y1="{TOP}" x2="{x:.1f}" y2="{HEIGHT - BOTTOM}" stroke="#ddd"/>'
        yield f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">{10**power:,}</text>'
    for power in range(y_ends[0], y_ends[1] + 1):
        y = _y(10.0**power, y_ends)
        yield f'<line x1="{LEFT}" y1="{y:.1f}" x2="{WIDTH - RIGHT}" y2="{y:.1f}" stroke="#ddd"/>'
        yield f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{10.0**power:,g}</text>'


def _names(names: Sequence[tuple[float, str, str]]) -> Iterator[str]:
    """Each line's name beside its end, moved down where it would cover another."""
    free = 0.0
    for y, name, colour in sorted(names):
        free = max(y + 4, free + NAME_HEIGHT)
        yield f'<text x="{WIDTH - RIGHT + 10}" y="{free:.1f}" fill="{colour}">{escape(name)}</text>'
