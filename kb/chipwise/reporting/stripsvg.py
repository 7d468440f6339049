"""Figures by source as a drawing: a band for each thing, a row for each source, the interval that its words allow."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from chipwise.figures.format import plain
from chipwise.reporting.drawing import (
    CROSS,
    DIAMOND,
    DOT,
    LETTER,
    NARROW,
    Scale,
    canvas,
    fitted,
    is_wide,
    line,
    linear_ticks,
    log_ticks,
    shape,
    strip_range,
    text_width,
    words,
)
from chipwise.reporting.markup import Element, el
from chipwise.reporting.model import Band, Mark, Strips
from chipwise.text import counted, one_line

_ROW, _HEAD, _FOOT, _GAP = 19.0, 24.0, 18.0, 14.0  # pixels of height
_TYPE = 13.0
_VALUE, _WHO = 0.15, 0.42  # shares of the width: the figure on the left, and who gives it on the right
_SMALL_VALUE, _SMALL_WHO = 0.28, 0.38
_LEAST = 2.0  # pixels: a narrower interval is the dot itself
LEGEND = (
    ("mark", DOT, "figure of a source, with what its precision allows"),
    ("mark bad", DIAMOND, "in a contradiction"),
    ("mark odd", DIAMOND, "in another finding"),
    ("mark old", CROSS, "called outdated or wrong by the facts table"),
)


def draw_strips(plot: Strips, width: int, *, legend: bool = True, id_: str = "") -> Element:
    """The bands below each other, `width` pixels wide; each has an axis of its own, that spans half of its values at least."""
    parts: list[Element] = []
    y = 4.0
    if legend:
        parts.append(words(fitted(f"{plot.title}, {plot.unit or 'as written'}", width, 16), 0, y + 14, "head"))
        y += 26
        for class_, outline, says in LEGEND:
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
