"""HTML tables in Markdown, as spans of rows and cells.

    <tr><th>GPU</th><td><b>80 GB</b></td></tr>   ->   the row, with the cells "GPU" and "80 GB"

The text is unchanged, so that a quote of such a row is verbatim. Words are what is between tags.
"""

from __future__ import annotations

import html
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from chipwise import patterns as re

Span = tuple[int, int]

MOST_ACROSS: Final = 100  # columns of one cell
_ROW: Final = re.compile(r"<tr\b[^<>]*>", re.IGNORECASE)
_ROW_END: Final = re.compile(r"\s*</?(?:tr|tbody|thead|tfoot|table)\b", re.IGNORECASE)
_CELL: Final = re.compile(r"<t([dh])\b([^<>]*)>", re.IGNORECASE)
_CELL_END: Final = re.compile(r"</t[dh]\s*>", re.IGNORECASE)
_ACROSS: Final = re.compile(r"\bcolspan\s*=\s*[\"']?(\d{1,4})", re.IGNORECASE)
_DOWN: Final = re.compile(r"\browspan\s*=\s*[\"']?(\d{1,4})", re.IGNORECASE)
_LEADING: Final = re.compile(r"(?:\s|<[^<>]*>)*")
_TAG: Final = re.compile(r"<[^<>]*>")


@dataclass(frozen=True, slots=True)
class TaggedCell:
    """`text[start:end]` without the tags at its ends, empty if it has no words; `across` columns and `down` rows."""

    start: int
    end: int
    across: int
    down: int
    heads: bool


def is_tagged(text: str, at: int = 0) -> bool:
    """True if a row's tag begins at `at`."""
    return _ROW.match(text, at) is not None


def rows_within(text: str, start: int, end: int) -> list[Span]:
    """List the rows between `start` and `end`, each from its tag to the end of its last cell."""
    starts = [match.start() for match in _ROW.finditer(text, start, end)]
    return [_trimmed(text, *span) for span in pairwise([*starts, end])]


def cells_of(text: str, start: int, end: int) -> Iterator[TaggedCell]:
    """Yield the cells of a row, in order."""
    opening = [*_CELL.finditer(text, start, end)]
    after = [*(match.start() for match in opening[1:]), end]
    for match, stop in zip(opening, after, strict=False):  # a row may have no cell
        closed = _CELL_END.search(text, match.end(), stop)
        inner = _undressed(text, match.end(), closed.start() if closed else stop)
        yield TaggedCell(*inner, _number(_ACROSS, match[2]), _number(_DOWN, match[2]), match[1] in "hH")


def plain_words(cell: str) -> str:
    """The visible words of a cell, in one line."""
    return " ".join(html.unescape(_TAG.sub(" ", cell)).split())


def barred(row: str) -> str:
    """Return a row in Markdown: "| H100 | 80 GB |"."""
    cells = (plain_words(row[cell.start : cell.end]).replace("|", "\\|") for cell in cells_of(row, 0, len(row)))
    return f"| {' | '.join(cells)} |"


def _trimmed(text: str, start: int, end: int) -> Span:
    closed = [match.end() for match in _CELL_END.finditer(text, start, end)]
    if closed:
        return start, closed[-1]
    left = _ROW_END.search(text, start + 1, end)
    return start, left.start() if left else end


def _undressed(text: str, start: int, end: int) -> Span:
    opening = _LEADING.match(text, start, end)
    start = opening.end() if opening else start
    while start < end and (text[end - 1].isspace() or text[end - 1] == ">"):
        tag = text.rfind("<", start, end) if text[end - 1] == ">" else end - 1
        if tag < 0:
            break
        end = tag
    return (start, end) if start < end else (start, start)


def _number(pattern: re.Pattern[str], attributes: str) -> int:
    value = pattern.search(attributes)
    return min(max(int(value[1]), 1), MOST_ACROSS) if value else 1
