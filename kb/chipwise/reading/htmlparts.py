"""HTML elements: which are hidden, which are furniture, and data tables as rows of cells."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from lxml.html import defs

from chipwise import patterns as re
from chipwise.reading.blocks import MOST_COLUMNS, tidy
from chipwise.reading.rawhtml import FEWEST_CELLS, LONGEST_CELL, guess_heads
from chipwise.types import Role

# Never text of the page: code, fallbacks, controls, drawings.
SKIPPED: Final = frozenset(
    "script style template noscript svg math iframe frame object embed applet canvas audio video map select"
    " option datalist button input textarea progress meter head link meta title base dialog".split()
)
# block-level elements; all others are inline
BLOCKS: Final = (defs.block_tags - {"del", "ins"}) | frozenset(
    "article aside body details dialog figcaption figure footer header hgroup html main nav section summary".split()
)
HEADINGS: Final = {"h1": 1, "h2": 2, "h3": 3, "h4": 4, "h5": 5, "h6": 6, "summary": 6}

_BOILERPLATE_TAGS: Final = frozenset(("nav", "aside", "footer", "form"))
_BOILERPLATE_ARIA: Final = frozenset(
    ("navigation", "banner", "contentinfo", "complementary", "search", "dialog", "alert", "menu", "menubar", "toolbar")
)
_NOTE: Final = re.compile(r"note|admonition|callout|topic|warning|tip", re.IGNORECASE)  # an aside by the author
_HIDDEN_CLASS: Final = re.compile(
    r"(?:^|\s)(?:hidden|sr-only|visually-?hidden|screen-reader(?:-text)?|d-none|is-hidden|invisible|offscreen)(?:\s|$)",
    re.IGNORECASE,
)
_HIDDEN_STYLE: Final = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|opacity\s*:\s*0(?:\.0+)?\s*(?:;|!|$)|font-size\s*:\s*0(?:\.0+)?\w{0,3}\s*(?:;|!|$)"
    r"|(?:left|top|text-indent)\s*:\s*-\d{3,}|(?:^|;)\s*(?:max-)?height\s*:\s*0(?:px)?\s*(?:;|!|$)",
    re.IGNORECASE,
)


def is_hidden(attributes: Mapping[str, str]) -> bool:
    """True if the element's own attributes hide it from a reader."""
    if "hidden" in attributes or attributes.get("aria-hidden", "").strip().lower() == "true":
        return True
    if _HIDDEN_STYLE.search(attributes.get("style", "")[:1000]):
        return True
    return _HIDDEN_CLASS.search(attributes.get("class", "")[:1000]) is not None


def container_role(tag: str, attributes: Mapping[str, str]) -> Role | None:
    """The role of everything inside the element, or None if the element doesn't determine it."""
    if tag == "aside" and _NOTE.search(f"{attributes.get('class', '')[:500]} {attributes.get('id', '')[:100]}"):
        return None
    if tag in _BOILERPLATE_TAGS or attributes.get("role", "").lower() in _BOILERPLATE_ARIA:
        return Role.BOILERPLATE
    return None


MOST_ROWS: Final = 5000
MOST_REPEATED: Final = 8  # times a table's text that spanning cells may add; more is an attack on memory
SMALL: Final = 4096  # characters allowed to any table


@dataclass(frozen=True, slots=True)
class HtmlTable:
    """Rows of cells; the first `heads` rows are the header."""

    rows: list[list[str]]
    heads: int
    caption: str


def read_table(table: Any) -> HtmlTable | None:
    """Return the table's rows with spanning cells repeated, or None for a layout table."""
    if table.get("role", "") in ("presentation", "none") or next(table.iterdescendants("table"), None) is not None:
        return None
    rows: list[list[str]] = []
    heads, leads = 0, True
    hanging: dict[int, tuple[int, str]] = {}
    room = SMALL + MOST_REPEATED * len(table.text_content())
    for row in table.iterdescendants("tr"):
        cells = [cell for cell in row if cell.tag in ("td", "th") and not is_hidden(cell.attrib)]
        filled = _fill(cells, hanging)
        if not any(filled):
            continue
        rows.append(filled)
        room -= sum(map(len, filled))
        if room < 0:
            return None
        if leads and _is_head(row, cells):
            heads = len(rows)
        leads = leads and (heads == len(rows) or (not heads and len(cells) == 1))  # a title may stand above
        if len(rows) > MOST_ROWS:
            break
    columns = max((sum(map(bool, row)) for row in rows), default=0)
    if (
        len(rows) < FEWEST_CELLS
        or columns < FEWEST_CELLS
        or max(len(cell) for row in rows for cell in row) > LONGEST_CELL
    ):
        return None
    heads = heads or guess_heads(rows)
    caption = next(table.iterchildren("caption"), None)
    return HtmlTable(rows, heads, tidy(words_of(caption)).replace("\n", " ")[:200] if caption is not None else "")


def words_of(element: Any) -> str:
    """The element's visible words, with a blank after each element."""
    words = [element.text or ""]
    skipped: Any = None
    for child in element.iterdescendants():
        if skipped is not None and skipped in child.iterancestors():
            continue
        skipped = child if child.tag in SKIPPED or is_hidden(child.attrib) else None
        if skipped is None:
            words.append((" " if child.tag in ("br", "p", "div", "li") else "") + (child.text or ""))
        words.append(child.tail or "")
    return "".join(words)


def _is_head(row: Any, cells: list[Any]) -> bool:
    if row.getparent().tag == "thead":
        return True
    corner = cells[0].tag == "td" and not words_of(cells[0]).strip() if cells else False
    return len(cells) > 1 and all(cell.tag == "th" for cell in cells[corner:])


def _fill(cells: list[Any], hanging: dict[int, tuple[int, str]]) -> list[str]:
    """Return a row's cells by column, updating `hanging`: cells of earlier rows that reach down."""
    row: list[str] = []
    waiting = list(reversed(cells))
    while (waiting or len(row) in hanging) and len(row) < MOST_COLUMNS:
        if len(row) in hanging:
            left, words = hanging.pop(len(row))
            if left > 1:
                hanging[len(row)] = (left - 1, words)
            row.append(words)
            continue
        cell = waiting.pop()
        words = " ".join(words_of(cell).split())
        down, across = _span(cell, "rowspan"), _span(cell, "colspan")
        for _ in range(min(across, MOST_COLUMNS - len(row))):
            if down > 1:
                hanging[len(row)] = (down - 1, words)
            row.append(words)
    return row


def _span(cell: Any, name: str) -> int:
    value = cell.get(name, "1").strip()
    return min(int(value), MOST_ROWS) if value.isascii() and value.isdigit() and int(value[:6]) > 0 else 1
