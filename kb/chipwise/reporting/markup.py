"""Elements of HTML and SVG. Text becomes text and nothing else: markup comes from tags in our own code alone.

The standard library's element tree writes them, so that whatever a document says is escaped where it is written
and there is no place where that could be forgotten.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterable

from chipwise.text import plain

Element = ET.Element
Child = Element | str | None
Row = Iterable[Child | Iterable[Child]]  # the cells of a table's row
_NO_XML = str.maketrans({0xFFFE: "\ufffd", 0xFFFF: "\ufffd"})  # characters that no XML document may hold
SVG = "http://www.w3.org/2000/svg"


def el(tag: str, *children: Child | Iterable[Child], **attributes: str | float | None) -> Element:
    """An element; `class_` and `stroke_width` are written `class` and `stroke-width`, and what is None is left out.

    Numbers become text with at most one decimal: places in a drawing need no more.
    """
    named = {name.rstrip("_").replace("_", "-"): value for name, value in attributes.items()}
    made = Element(tag, {name: _written(value) for name, value in named.items() if value is not None})
    for child in children:
        if child is None or isinstance(child, str | Element):
            _append(made, child)
        else:
            for each in child:
                _append(made, each)
    return made


def _append(parent: Element, child: Child) -> None:
    if isinstance(child, Element):
        parent.append(child)
    elif child is not None and len(parent):
        parent[-1].tail = (parent[-1].tail or "") + _shown(child)
    elif child is not None:
        parent.text = (parent.text or "") + _shown(child)


def _shown(text: str) -> str:
    return plain(text).translate(_NO_XML)


def _written(value: str | float) -> str:
    if isinstance(value, str):
        return _shown(value)
    text = f"{value:.1f}"
    return text.removesuffix(".0")


def as_html(root: Element) -> str:
    """As a part of an HTML page."""
    return ET.tostring(root, encoding="unicode", method="html")


def as_svg(root: Element) -> str:
    """As an SVG document of its own."""
    root.set("xmlns", SVG)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(root, encoding="unicode")}\n'


def table(caption: str, heads: Iterable[str], rows: Iterable[Row]) -> Element:
    """A table that scrolls by itself where it is too wide; the first cell of a row is its head."""
    head = el("thead", el("tr", (el("th", name, scope="col") for name in heads)))
    lines = (el("tr", (el("td", c) if n else el("th", c, scope="row") for n, c in enumerate(row))) for row in rows)
    whole = el("table", el("caption", caption), head, el("tbody", lines))
    return el("div", whole, class_="scroll", tabindex="0", role="region", aria_label=caption)
