"""Where a quote stands, for whoever opens it: a path from the current folder, or an address, and line and column.

The text that spans point into is what was read. For Markdown and plain text that
is the file, but for its line ends; for PDF, DOCX and HTML it is what was taken out of it. `excerpt` shows the line of a quote
around what is marked in it, with the `^^^` below, by the columns of a terminal.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from pathlib import Path

from chipwise import Evidence
from chipwise.text import one_line, plain

_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
_DRIVE = re.compile(r"[A-Za-z]:/")
_BARE_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")  # others escape what stands there already
_RESERVED = ":/?#@!$&'()*+,;=%"
TAB = "    "
CUT = "…"
WORD = 15  # a word cut off is left out if it is no longer
_WIDE = ("W", "F")  # Unicode's East Asian Width: two columns
_JOINING = ("Mn", "Me")  # drawn over the character before
_VOWELS_AND_ENDS = range(0x1160, 0x1200)  # Hangul that joins into the syllable before

Cell = tuple[str, int]  # what is shown for one character, and how many columns that takes


@dataclass(frozen=True, slots=True)
class Region:
    """The marked part of a quote, or all of it: lines and columns from 1, the end column exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int
    start: int
    length: int
    text: str


def region(evidence: Evidence) -> Region:
    """Where the mark of a quote stands in its source, or the quote where nothing is marked."""
    first, last = marked(evidence)
    text = evidence.quote[first:last]
    line, column = max(evidence.line, 1), max(evidence.column, 1)
    breaks = text.count("\n")
    tail = len(text) - text.rfind("\n") - 1
    end_column = tail + 1 if breaks else column + len(text)
    return Region(line, column, line + breaks, end_column, evidence.start + first, last - first, text)


def marked(evidence: Evidence) -> tuple[int, int]:
    """The span of the mark within the quote, or of the whole quote."""
    first, last = evidence.mark or (0, len(evidence.quote))
    first = min(max(first, 0), len(evidence.quote))
    return first, min(max(last, first), len(evidence.quote))


def is_address(origin: str) -> bool:
    """Whether an origin is a URL, and no path."""
    return _ADDRESS.match(origin) is not None


def local_path(origin: str) -> str:
    """A path as one would type it here: relative where it lies under the current folder. Addresses stay as they are."""
    path = Path(origin)
    if is_address(origin) or not path.is_absolute():
        return origin
    here = Path.cwd()
    return path.relative_to(here).as_posix() if path.is_relative_to(here) else origin


def uri(origin: str) -> str:
    """An origin as a valid URI reference (RFC 3986): relative for a file under the current folder."""
    from urllib.parse import quote  # noqa: PLC0415

    if is_address(origin):
        made = quote(_BARE_PERCENT.sub("%25", origin), safe=_RESERVED, errors="surrogatepass")
        before, mark, fragment = made.partition("#")
        return before + mark + fragment.replace("#", "%23")
    local = local_path(origin).replace("\\", "/")
    quoted = quote(local, errors="surrogatepass")
    absolute = local.startswith("/") or _DRIVE.match(local)
    return f"file:///{quoted.lstrip('/')}" if absolute else quoted


def cell(character: str) -> Cell:
    """A character as a terminal may have it. What could drive the terminal has a stand-in."""
    if character == "\t":
        return TAB, len(TAB)
    shown = plain(character)
    if unicodedata.category(shown) in _JOINING or ord(shown) in _VOWELS_AND_ENDS:
        return shown, 0
    return shown, 2 if unicodedata.east_asian_width(shown) in _WIDE else 1


def excerpt(quote: str, first: int, last: int, room: int) -> tuple[str, str]:
    """The line of `quote` in which [first, last) begins, at most `room` columns of it, and the carets for below.

    Of a longer line the part around the mark is shown, between `…`. The carets of
    a mark that goes on in the next line end with this one. `room` is 20 or more.
    """
    begin = quote.rfind("\n", 0, first) + 1
    end = quote.find("\n", first)
    line = quote[begin : len(quote) if end < 0 else end].rstrip()
    cells = [cell(character) for character in line]
    first, last = min(first - begin, len(cells)), min(last - begin, len(cells))
    low, high = _window([columns for _, columns in cells], first, last, room)
    before, after = CUT * (low > 0), CUT * (high < len(cells))
    if before and (gap := line.find(" ", low - 1, min(low + WORD, first))) >= 0:
        low = gap + 1
    if after and (gap := line.rfind(" ", max(high - WORD, last), high + 1)) >= 0:
        high = gap
    text = before + "".join(shown for shown, _ in cells[low:high]) + after
    blank = len(before) + sum(columns for _, columns in cells[low:first])
    carets = sum(columns for _, columns in cells[first : min(last, high)])
    return text, " " * blank + "^" * max(carets, 1)


def _window(columns: list[int], first: int, last: int, room: int) -> tuple[int, int]:
    """Which cells to show: all where there is room, or the mark with as much on each side as fits."""
    if sum(columns) <= room:
        return 0, len(columns)
    room -= 2 * len(CUT)
    low = high = first
    used = 0
    while high < last and used + columns[high] <= room:
        high, used = high + 1, used + columns[high]
    grew = True
    while grew:
        grew = False
        if low > 0 and used + columns[low - 1] <= room:
            low, used, grew = low - 1, used + columns[low - 1], True
        if high < len(columns) and used + columns[high] <= room:
            high, used, grew = high + 1, used + columns[high], True
    while 0 < low < first and columns[low] == 0:  # a mark alone would be drawn over the cut
        low += 1
    return low, high


def at(evidence: Evidence) -> str:
    """ "note.md:12:29", or "our digest of URL": our line numbers mean nothing on the page itself."""
    where, here = local_path(evidence.origin), region(evidence)
    return one_line(f"our digest of {where}" if evidence.digest else f"{where}:{here.line}:{here.column}")
