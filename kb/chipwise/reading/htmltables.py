"""An HTML table as rows of cells, unless the page uses it for its layout."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from chipwise.reading.builder import MOST_COLUMNS, tidy
from chipwise.reading.htmlroles import SKIPPED, is_hidden

LONGEST_CELL: Final = 600  # characters; beyond it the cell is a column of the page
FEWEST_CELLS: Final = 2  # rows, and columns, of a table of data
MOST_ROWS: Final = 5000
MOST_REPEATED: Final = 8  # times a table's text, by cells that span many; beyond it, it is made to fill a memory
SMALL: Final = 4096  # characters, which any table may have
FEWEST_HEADED: Final = 3  # columns; a table of two is a list of properties more often than not


@dataclass(frozen=True, slots=True)
class HtmlTable:
    """Rows of cells; the first `heads` of them are the header."""

    rows: list[list[str]]
    heads: int
    caption: str


def read_table(table: Any) -> HtmlTable | None:
    """The table's rows with spanning cells repeated, or None for a table that is no table of data."""
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
    """The element's words without what is hidden, a blank where an element ends."""
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


def guess_heads(rows: Sequence[Sequence[str]]) -> int:
    """1 where the first row looks like a header that nobody marked up: words of its own above figures."""
    names = rows[0][1:]
    if len(rows[0]) < FEWEST_HEADED or not all(names) or len(set(rows[0])) < len(rows[0]) or any(map(_is_value, names)):
        return 0
    return int(2 * sum(any(map(_is_value, row[1:])) for row in rows[1:]) > len(rows) - 1)


def _is_value(words: str) -> bool:
    return words.lstrip("~≈<>≤≥±+-$€£ ")[:1].isdigit()


def _fill(cells: list[Any], hanging: dict[int, tuple[int, str]]) -> list[str]:
    """A row's cells by column; `hanging` holds cells of rows above that reach down, and is brought up to date."""
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
