"""What all drawings share: scales with their ticks, words that fit a width, shapes, colors that follow light and dark."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from chipwise.reporting.markup import Element, as_svg, el

WIDE, NARROW = 720, 340  # pixels: of a desk's page, and of a phone's
SERIES = 8  # colors and shapes that can be told apart
LETTER = 0.6  # of the size of the type: how wide a letter is on average
_STYLE = Path(__file__).parent / "plot.css"
# around (0, 0), some five pixels to each side
_SHAPES = (
    "M-4.5,0a4.5,4.5 0 1,0 9,0a4.5,4.5 0 1,0 -9,0Z",
    "M-4,-4H4V4H-4Z",
    "M0,-5.5L5.5,0L0,5.5L-5.5,0Z",
    "M0,-5.5L5.2,4H-5.2Z",
    "M0,5.5L5.2,-4H-5.2Z",
    "M-1.6,-5H1.6V-1.6H5V1.6H1.6V5H-1.6V1.6H-5V-1.6H-1.6Z",
    "M-2.5,-5H2.5L5,0L2.5,5H-2.5L-5,0Z",
    "M-5,-5L0,-2L5,-5L2,0L5,5L0,2L-5,5L-2,0Z",
)
DOT, DIAMOND, CROSS = _SHAPES[0], _SHAPES[2], _SHAPES[7]
_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)  # a tick's distance, times a power of ten
_LEAST = 0.5  # of the middle: what a strip spans at least, so that a gap looks as large as it is
_EDGE = 0.06  # of the span: room at either end
_DENSE = 1.5  # decades: below that a logarithmic axis has ticks at 1, 2 and 5


@dataclass(frozen=True, slots=True)
class Scale:
    """Values from `low` to `high` on places from `start` to `end`; a logarithmic one takes positive values alone."""

    low: float
    high: float
    start: float
    end: float
    logarithmic: bool = False

    def __call__(self, value: float) -> float:
        """The place of a value; what lies beyond an end is at the end."""
        inside = min(max(value, self.low), self.high)
        low, high, at = (math.log(v) if self.logarithmic else v for v in (self.low, self.high, inside))
        return self.start + (self.end - self.start) * (at - low) / (high - low)


def strip_range(values: Sequence[float]) -> tuple[float, float]:
    """What the axis of one band spans: all finite values and some room, and never less than half of the middle."""
    ends = [value for value in values if math.isfinite(value)] or [0.0, 1.0]
    low, high = min(ends), max(ends)
    middle = (low + high) / 2
    half = max((high - low) / 2 * (1 + 2 * _EDGE), abs(middle) * _LEAST / 2) or 1.0
    return (max(0.0, middle - half) if low >= 0 else middle - half), middle + half


def is_wide(values: Sequence[float]) -> bool:
    """True where positive values lie so far apart that a linear axis would press most of them into one end."""
    ends = [value for value in values if math.isfinite(value)]
    return bool(ends) and min(ends) > 0 and max(ends) / min(ends) > 20  # noqa: PLR2004


def linear_ticks(low: float, high: float, most: int = 5) -> list[float]:
    """Round values from `low` to `high`, at most so many."""
    power = 10.0 ** math.floor(math.log10((high - low) / most))
    step = next(s * power for s in (*_STEPS, 20.0) if (high - low) / (s * power) <= most)
    first, last = math.ceil(low / step), math.floor(high / step)
    return [n * step for n in range(first, last + 1)]


def log_ticks(low: float, high: float) -> list[float]:
    """1, 2, 5 of each power of ten where few decades are shown, else the powers alone."""
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    factors = (1, 2, 5) if math.log10(high / low) <= _DENSE * 2 else (1,)
    ticks = [factor * 10.0**n for n in range(first, last + 1) for factor in factors]
    return [tick for tick in ticks if low <= tick <= high]


@cache
def style() -> str:
    """The rules that drawings are drawn by."""
    return _STYLE.read_text("utf-8")


def document(drawing: Element) -> str:
    """A drawing as a file of its own, with its style in it."""
    drawing.insert(0, el("style", style()))
    return as_svg(drawing)


def canvas(id_: str, title: str, about: str, width: float, height: float, *parts: Element) -> Element:
    """A drawing with the title and the description that a screen reader reads."""
    return el(
        "svg",
        el("title", title, id=f"{id_}-title"),
        el("desc", about, id=f"{id_}-about"),
        el("rect", class_="ground", width=width, height=height),
        parts,
        class_="plot",
        viewBox=f"0 0 {width:.0f} {height:.0f}",
        width=width,
        height=height,
        role="img",
        aria_labelledby=f"{id_}-title {id_}-about",
    )


def shape(outline: str, x: float, y: float, class_: str, says: str = "") -> Element:
    """A mark at a place; `says` is what a pointer that rests on it is told."""
    return el(
        "path", el("title", says) if says else None, d=outline, transform=f"translate({x:.1f},{y:.1f})", class_=class_
    )


def series_shape(number: int) -> str:
    """The outline of a series' points."""
    return _SHAPES[(number + number // SERIES) % SERIES]


def series_class(number: int) -> str:
    """The class that gives a series its color."""
    return f"s{number % SERIES}"


def words(text: str, x: float, y: float, class_: str = "", anchor: str | None = None) -> Element:
    """A line of words with its baseline at `y`."""
    return el("text", text, x=x, y=y, class_=class_ or None, text_anchor=anchor)


def line(x1: float, y1: float, x2: float, y2: float, class_: str) -> Element:
    """A straight line."""
    return el("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=class_)


def fitted(text: str, width: float, size: float) -> str:
    """As much of `text` as fits a width in pixels, with "…" for the rest."""
    most = max(int(width / (size * LETTER)), 1)
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


def text_width(text: str, size: float) -> float:
    """About how wide a line of words is, in pixels."""
    return len(text) * size * LETTER
