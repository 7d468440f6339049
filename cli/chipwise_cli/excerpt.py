"""The line of a quote around what is marked in it, and the `^^^` below, by the columns of a terminal."""

from __future__ import annotations

import unicodedata

from chipwise.text import plain

TAB = "    "
CUT = "…"
WORD = 15  # a word cut off is left out if it is no longer
_WIDE = ("W", "F")  # Unicode's East Asian Width: two columns
_JOINING = ("Mn", "Me")  # drawn over the character before
_VOWELS_AND_ENDS = range(0x1160, 0x1200)  # Hangul that joins into the syllable before

Cell = tuple[str, int]  # what is shown for one character, and how many columns that takes


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
