"""A table's line cut into cells, by whichever mark parts them, and a cell without its decoration.

    "| **H100** | 80 GB[^1] | |"  ->  "H100", "80 GB", ""

Knows bars (Markdown, our HTML and DOCX readers), tabs, wide blanks and the tags of HTML in Markdown. What it
cuts away stays in the text: a cell is a span, and its text verbatim.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from enum import StrEnum

from chipwise import patterns as re
from chipwise.reading.blocks import strip_span
from chipwise.reading.rawhtml import cells_of, is_tagged
from chipwise.text import Span

NOTE_CHARACTERS = 80  # where a footnote mark at a cell's end is looked for
MOST_WRAPPINGS = 6  # "[**`x`**](y)" is wrapped three times


class Style(StrEnum):
    """What parts the cells of a row."""

    BOXED = "boxed"  # | a | b |, as Markdown has it
    BARS = "bars"  # a | b, where a leading bar stands behind an empty cell
    TABS = "tabs"
    TAB_RUNS = "tab runs"  # tabs that only align: several are one
    BLANKS = "blanks"
    TAGGED = "tagged"  # <tr><td>a</td><td>b</td></tr>
    FLAT = "flat"  # one blank, as between words: the cells are lost


_BAR = re.compile(r"(?<!\\)\|")
_MARKS = {
    Style.BOXED: _BAR,
    Style.BARS: _BAR,
    Style.TABS: re.compile(r"\t"),
    Style.TAB_RUNS: re.compile(r"\t[\t ]*"),
    Style.BLANKS: re.compile(r"(?<=[^\s.!?:;,]) {2,}"),
}
_RULE = re.compile(r"[\s|:+=_-]*")
_EMPHASIS = ("**", "__", "~~", "*", "_", "`")
_TARGET = r"\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?:\s+(?:\"[^\"]*\"|'[^']*'))?\)|\[[^\[\]]*\]"
_LINK = re.compile(rf"!?\[([^\[\]]*)\](?:{_TARGET})")
_IDENTIFIER = re.compile(r"[A-Za-z]\w*(?:-\w+)*")
_TAGGED = re.compile(r"<([A-Za-z][\w-]*)(?:\s[^<>]*)?>([^<>]*)</\1\s*>")
_NOTE = re.compile(r"\s{0,3}(?:\[\^[^\]\s]{1,20}\]|\[\d{1,3}\]|<sup>[^<>]{0,40}</sup>|[†‡]+|\\\*)$")
# the mark of a note right behind a figure or a label: "3,958*", "FP8 [1]"
NOTED = re.compile(r"\s?\\?([*†‡]{1,3})|\s?(\[\^?\w{1,3}\]|<sup>\w{1,3}</sup>)")
_STARRED = re.compile(r"[^*]*[^*\s]\*{1,3}")  # "80 GB*", and no emphasis
_NO_VALUE = re.compile(
    r"[-‐–—−…?.~/\\\s]*|n/?a|n\.\s?a\.?|tbd|tba|unknown|undisclosed"
    r"|not (?:applicable|available|disclosed|given|stated|specified|known|published|public|derived)",
    re.IGNORECASE,
)


def is_rule(line: str) -> bool:
    """Whether the line only draws: "|---|:-:|"."""
    return _RULE.fullmatch(line) is not None


def style_of(lines: Sequence[str]) -> Style:
    """What most of the lines are parted by; the header comes first where there is one."""
    if is_tagged(lines[-1]):
        return Style.TAGGED
    if _most(_BAR.search(line) is not None for line in lines):
        # subtle: "| H100 | H200" above "Memory | 80 GB | 141 GB" is no box, but an empty corner
        boxed = lines[0].startswith("|") and _most(line.startswith("|") for line in lines)
        return Style.BOXED if boxed else Style.BARS
    if _most("\t" in line for line in lines):
        return Style.TABS if len({line.count("\t") for line in lines}) == 1 else Style.TAB_RUNS
    if _most(_MARKS[Style.BLANKS].search(line) is not None for line in lines):
        return Style.BLANKS
    return Style.FLAT


def _most(found: Iterable[bool]) -> bool:
    each = list(found)
    return 2 * sum(each) > len(each)


def cut(text: str, start: int, end: int, style: Style) -> list[Span]:
    """The spans of a row's cells, stripped and undecorated, in order; an empty one where the cell has no words."""
    start, end = strip_span(text, start, end)
    if style is Style.FLAT:
        return [narrow(text, start, end)]
    if style is Style.TAGGED:
        return [narrow(text, c.start, c.end) for c in cells_of(text, start, end) for _ in range(c.across)]
    if style is Style.BOXED:
        start += text.startswith("|", start, end)
        end -= end > start and text[end - 1] == "|" and text[end - 2] != "\\"
    edges = [(mark.start(), mark.end()) for mark in _MARKS[style].finditer(text, start, end)]
    starts = [start, *(after for _, after in edges)]
    ends = [*(before for before, _ in edges), end]
    return [narrow(text, *span) for span in zip(starts, ends, strict=True)]


def narrow(text: str, start: int, end: int) -> Span:
    """The span without what wraps the whole of it (emphasis, a link, a tag) and without a footnote's mark."""
    for _ in range(MOST_WRAPPINGS):
        before = (start, end)
        start, end = _unwrapped(text, *_without_note(text, *strip_span(text, start, end)))
        if (start, end) == before:
            break
    return strip_span(text, start, end)


def _without_note(text: str, start: int, end: int) -> Span:
    tail = max(start, end - NOTE_CHARACTERS)
    note = _NOTE.search(text[tail:end])
    if note and tail + note.start() > start:
        return start, tail + note.start()
    if _STARRED.fullmatch(text, start, end):
        return start, start + len(text[start:end].rstrip("*"))
    return start, end


def _unwrapped(text: str, start: int, end: int) -> Span:
    for mark in _EMPHASIS:
        size = len(mark)
        if (
            end - start > 2 * size
            and text.startswith(mark, start)
            and text.endswith(mark, start, end)
            and text.find(mark, start + size, end - size) < 0
        ):
            return start + size, end - size
    for pattern, group in ((_LINK, 1), (_TAGGED, 2)):
        if whole := pattern.fullmatch(text, start, end):
            return whole.span(group)
    return start, end


def words_of(cell: str) -> str:
    """A cell's words in one line as a reader sees them: no tag, link target, emphasis or entity."""
    shown = re.sub(r"<[^<>]*>", " ", _LINK.sub(r"\1", cell))
    shown = re.sub(r"\*\*|__|~~|`", "", shown)
    return " ".join(html.unescape(re.sub(r"\\([|*_`~])", r"\1", shown)).split())


def spoken(name: str) -> str:
    """A column's or a property's name as words, at the same places: "memory_capacity" is "memory capacity"."""
    return name.replace("_", " ") if _IDENTIFIER.fullmatch(name) else name


def says_nothing(cell: str) -> bool:
    """Whether the cell is empty or tells that there is no value: "—", "n/a", "TBD"."""
    return _NO_VALUE.fullmatch(words_of(cell).strip("()[] ")) is not None
