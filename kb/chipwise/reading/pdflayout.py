"""Lines of PDF pages to blocks: paragraphs, headings by letter size, running heads."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median
from typing import Final

from chipwise import patterns as re
from chipwise.reading.blocks import Draft
from chipwise.reading.builder import Builder, tidy
from chipwise.reading.cues import is_leader
from chipwise.reading.lines import BULLET, Unit
from chipwise.reading.tables import find_tables
from chipwise.types import Role

WIDER: Final = 1.35  # times the usual distance of lines: a new paragraph
LARGER: Final = 1.12  # times the usual letter size: a heading
MOST_HEADING_CHARACTERS: Final = 160
EDGE_LINES: Final = 3  # at either end of a page, where running heads and page numbers are
REPEATED: Final = 0.5  # of the pages, three at least, have the line at that place
_LEVELS: Final = ((1, 1.6), (2, 1.3))  # (level, times the usual letter size at least)
_DIGITS: Final = re.compile(r"\d+")
_PAGE_NUMBER: Final = re.compile(r"(?:page )?[\divxlc]{1,5}(?: (?:of|/) \d+)?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a page: its lower and left edge and letter size, in points."""

    words: str
    bottom: float
    left: float
    size: float


def lay_out(pages: list[list[Line]]) -> tuple[str, list[Draft], str]:
    """The text, its drafts with pages, and the largest heading of the first page or ""."""
    sizes = Counter[float]()
    for line in (line for page in pages for line in page):
        sizes[round(line.size, 1)] += len(line.words)
    usual = sizes.most_common(1)[0][0] if sizes else 0.0
    running = _running_lines(pages)
    builder = Builder()
    for number, page in enumerate(pages, 1):
        _write_page(builder, page, number, usual, running)
    first = [line for line in pages[0] if line.size > usual * LARGER] if pages else []
    largest = max((line.size for line in first), default=0.0)
    title = " ".join(line.words for line in first if line.size >= largest * 0.98)
    return builder.text, builder.drafts, title[:200]


def _running_lines(pages: list[list[Line]]) -> set[str]:
    """Lines, figures left out, that most pages have near their upper or lower edge."""
    seen = Counter[str]()
    for page in pages:
        seen.update({_DIGITS.sub("#", line.words) for line in _edges(page)})
    return {words for words, count in seen.items() if count >= max(3, REPEATED * len(pages))}


def _edges(page: list[Line]) -> list[Line]:
    return page[:EDGE_LINES] + page[EDGE_LINES:][-EDGE_LINES:]


def _write_page(builder: Builder, page: list[Line], number: int, usual: float, running: set[str]) -> None:
    edges = {id(line) for line in _edges(page)}
    own: list[Line] = []
    furniture: list[str] = []
    for line in page:
        repeats = _DIGITS.sub("#", line.words) in running or _PAGE_NUMBER.fullmatch(line.words)
        if id(line) in edges and repeats:
            furniture.append(line.words)
        else:
            own.append(line)
    at = 0
    for table in find_tables([Unit(0, 0, line.words, False, False) for line in own]):
        _write_all(builder, own[at : table.first], number, usual)
        _write_table(builder, [line.words for line in own[table.first : table.last + 1]], table.header, number)
        at = table.last + 1
    _write_all(builder, own[at:], number, usual)
    for words in furniture:
        builder.block(words, Role.BOILERPLATE, page=number)


def _write_all(builder: Builder, lines: list[Line], number: int, usual: float) -> None:
    for paragraph in _paragraphs(lines, usual):
        _write(builder, paragraph, number, usual)


def _write_table(builder: Builder, rows: list[str], header: bool, number: int) -> None:
    """Rows as the page's lines: where one cell ends and the next begins is lost in a PDF."""
    builder.block("\n".join(rows), Role.TABLE, page=number)
    draft = builder.drafts[-1]
    if header and draft.role is Role.TABLE:
        builder.drafts[-1] = replace(draft, header=(draft.start, draft.start + len(tidy(rows[0]))))


def _paragraphs(lines: list[Line], usual: float) -> list[list[Line]]:
    """Lines that stand close, in one letter size, without a list mark between them."""
    if not lines:
        return []
    steps = [a.bottom - b.bottom for a, b in pairwise(lines) if 0 < a.bottom - b.bottom < 4 * max(a.size, 6.0)]
    step = sorted(steps)[len(steps) // 10] if steps else 1.2 * usual  # the closest regular distance
    parts = [[lines[0]]]
    for before, line in pairwise(lines):
        fall = before.bottom - line.bottom
        apart = fall > WIDER * step or fall < -step  # up again: the next column
        changed = (
            abs(before.size - line.size) > 0.08 * max(before.size, line.size)
            and max(before.size, line.size) > LARGER * usual
        )
        if apart or changed or BULLET.match(line.words):
            parts.append([line])
        else:
            parts[-1].append(line)
    return parts


def _write(builder: Builder, paragraph: list[Line], number: int, usual: float) -> None:
    words = "\n".join(line.words for line in paragraph)
    size = median(line.size for line in paragraph)
    larger = usual > 0 and size > LARGER * usual
    if larger and len(words) <= MOST_HEADING_CHARACTERS and any(map(str.isalpha, words)) and not is_leader(words):
        builder.heading(words, _level(size / usual), page=number)
    elif BULLET.match(words):
        builder.block(words, Role.LIST, page=number)
    else:
        builder.block(words, Role.BODY, page=number)


def _level(ratio: float) -> int:
    """1 to 3 by how much larger than the text the heading is."""
    return next((level for level, least in _LEVELS if ratio >= least), len(_LEVELS) + 1)
