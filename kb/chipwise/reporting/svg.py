"""What all drawings share: words that fit a width, shapes, colours that follow light and dark."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from chipwise.reporting.markup import Element, as_svg, el

WIDE, NARROW = 720, 340  # pixels: of a desk's page, and of a phone's
SERIES = 8  # colours and shapes that can be told apart
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
    """The class that gives a series its colour."""
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
