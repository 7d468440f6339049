"""PDF to drafts: the text of each page, laid out as paragraphs, headings and tables by its geometry.

Scanned pages have no text, and no text recognition is done. Words are as the file has them.
"""

from __future__ import annotations

import ctypes
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median
from threading import Lock, Thread
from typing import Any, Final

import pypdfium2 as pdfium
from pypdfium2 import raw

from chipwise import patterns as re
from chipwise.errors import SourceUnreadable
from chipwise.reading.blocks import Builder, Draft, FrontMatter, Parsed, tidy
from chipwise.reading.decoding import normalize, one_line
from chipwise.reading.furniture import is_leader
from chipwise.reading.lines import BULLET, Unit, find_tables
from chipwise.types import Role

MOST_PAGES: Final = 5000
MOST_PAGE_CHARACTERS: Final = 200_000  # a dense page has 10,000; more is a drawing made of letters
MOST_SECONDS: Final = 30.0  # a dense page takes a tenth of one
_ONE_AT_A_TIME: Final = Lock()  # pdfium is not thread-safe
_PDFIUM_PASSWORD: Final = 4  # FPDF_ERR_PASSWORD


def read_pdf(data: bytes, name: str) -> Parsed:
    """Read blocks with page numbers. Raises SourceUnreadable if encrypted, malformed, or without text."""
    found: list[Any] = []
    # a form may draw itself twice, and pdfium can't be stopped: then its thread is left behind
    (thread := Thread(target=_read, args=(data, name, found), daemon=True)).start()
    thread.join(MOST_SECONDS)
    slow = SourceUnreadable(f"{name} takes too long to read", hint="open it and print it to a new PDF")
    if isinstance(outcome := found[0] if found else slow, Exception):
        raise outcome
    pages, metadata = outcome
    text, drafts, title = lay_out(pages)
    if not any(map(str.isalnum, text)):
        raise SourceUnreadable(
            f"{name} has no text, only images", hint="run text recognition (OCR) on it and try again"
        )
    given = one_line(metadata.get("Title", ""))
    published = _date(metadata.get("CreationDate", ""))
    matter = FrontMatter(author=one_line(metadata.get("Author", "")), published=published)
    return Parsed(text, drafts, matter, given if _is_title(given) else title)


def _read(data: bytes, name: str, found: list[Any]) -> None:
    """Append the lines of the pages with the metadata, or what was raised instead."""
    try:
        with _ONE_AT_A_TIME, closing(_open(data, name)) as document:
            if len(document) > MOST_PAGES:
                raise SourceUnreadable(f"{name} has over {MOST_PAGES:,} pages", hint="split it into smaller files")
            pages, metadata = [_lines(document, number) for number in range(len(document))], {}
            for tag in ("Title", "Author", "CreationDate"):
                with suppress(UnicodeDecodeError):  # half a surrogate pair
                    metadata[tag] = document.get_metadata_value(tag)
            found.append((pages, metadata))
    except Exception as error:
        found.append(_malformed(name) if isinstance(error, pdfium.PdfiumError) else error)


def _open(data: bytes, name: str) -> Any:
    try:
        return pdfium.PdfDocument(data)
    except pdfium.PdfiumError as error:
        if getattr(error, "err_code", None) == _PDFIUM_PASSWORD or "password" in str(error).lower():
            raise SourceUnreadable(f"{name} is encrypted", hint="save it without a password") from error
        raise _malformed(name) from error


def _malformed(name: str) -> SourceUnreadable:
    return SourceUnreadable(f"{name} is not a valid PDF file", hint="open it and print it to a new PDF")


def _lines(document: Any, number: int) -> list[Line]:
    """The page's lines with position and letter size; [] for a page that doesn't load."""
    try:
        page = document[number]
    except pdfium.PdfiumError:
        return []
    textpage = page.get_textpage()
    try:
        count = min(textpage.count_chars(), MOST_PAGE_CHARACTERS)
        if count <= 0:
            return []
        return list(_measured(textpage, textpage.get_text_range(0, count, errors="replace"), count))
    finally:
        textpage.close()
        page.close()


def _measured(textpage: Any, text: str, count: int) -> Iterator[Line]:
    at = 0
    # subtle: pdfium counts UTF-16 units, and the \r\n at a line's end as two characters
    for piece in re.split(r"(\r\n|\r|\n)", text):
        if piece.strip() and at < count:
            first = at + len(piece) - len(piece.lstrip())
            box = _box(textpage, first)
            size = raw.FPDFText_GetFontSize(textpage.raw, min(first, count - 1))
            yield Line(_readable(piece), box[1], box[0], float(size))
        at += len(piece.encode("utf-16-le", "replace")) // 2


def _box(textpage: Any, index: int) -> tuple[float, float]:
    """The left and lower edges of a character, in points from the page's lower left corner."""
    left, right, bottom, top = (ctypes.c_double() for _ in range(4))
    raw.FPDFText_GetCharBox(textpage.raw, index, left, right, bottom, top)
    return left.value, bottom.value


def _readable(piece: str) -> str:
    """Restore "-" where pdfium marks an end-of-line hyphen by U+FFFE or U+0002, and normalize."""
    return normalize(re.sub("[\ufffe\x02]", "-", piece).replace("\u00ad", "-").replace("\x00", "")).strip()


def _date(value: str) -> str:
    date = re.match(r"D:(\d{4})(\d\d)(\d\d)", value)
    return f"{date[1]}-{date[2]}-{date[3]}" if date and "1990" < date[1] < "2100" else ""


def _is_title(title: str) -> bool:
    """True if the metadata's title is a real one, not a file name or a program's default."""
    return len(title.split()) > 1 and not re.search(
        r"\.(?:docx?|tex|dvi|indd|pdf|pptx?)$|^(?:untitled|microsoft)\b", title, re.IGNORECASE
    )


WIDER: Final = 1.35  # times the usual line distance starts a new paragraph
LARGER: Final = 1.12  # times the usual letter size makes a heading
MOST_HEADING_CHARACTERS: Final = 160
EDGE_LINES: Final = 3  # at either end of a page, where running heads and page numbers are
REPEATED: Final = 0.5  # share of pages, at least three, that repeat a running line
_LEVELS: Final = ((1, 1.6), (2, 1.3))  # (level, minimum ratio to the usual letter size)
_DIGITS: Final = re.compile(r"\d+")
_PAGE_NUMBER: Final = re.compile(r"(?:page )?[\divxlc]{1,5}(?: (?:of|/) \d+)?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a page: its lower and left edges and letter size, in points."""

    words: str
    bottom: float
    left: float
    size: float


def lay_out(pages: list[list[Line]]) -> tuple[str, list[Draft], str]:
    """Return the text, its drafts with pages, and the largest heading of the first page or ""."""
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
    """The lines, digits masked, that most pages repeat near their upper or lower edge."""
    seen = Counter[str]()
    for page in pages:
        seen.update({_DIGITS.sub("#", line.words) for line in _edges(page)})
    return {words for words, count in seen.items() if count >= max(3, REPEATED * len(pages))}


def _edges(page: list[Line]) -> list[Line]:
    return page[:EDGE_LINES] + page[EDGE_LINES:][-EDGE_LINES:]


def _write_page(builder: Builder, page: list[Line], number: int, usual: float, running: set[str]) -> None:
    edges = {id(line) for line in _edges(page)}
    repeats = (n for n in page if _DIGITS.sub("#", n.words) in running or _PAGE_NUMBER.fullmatch(n.words))
    furniture = {id(line): line.words for line in repeats if id(line) in edges}
    own = [line for line in page if id(line) not in furniture]
    at = 0
    for table in find_tables([Unit(0, 0, line.words, False, False) for line in own]):
        _write_all(builder, own[at : table.first], number, usual)
        _write_table(builder, [line.words for line in own[table.first : table.last + 1]], table.header, number)
        at = table.last + 1
    _write_all(builder, own[at:], number, usual)
    for words in furniture.values():
        builder.block(words, Role.BOILERPLATE, page=number)


def _write_all(builder: Builder, lines: list[Line], number: int, usual: float) -> None:
    for paragraph in _paragraphs(lines, usual):
        _write(builder, paragraph, number, usual)


def _write_table(builder: Builder, rows: list[str], header: bool, number: int) -> None:
    """Write a table's rows as lines: a PDF doesn't record where its cells end."""
    builder.block("\n".join(rows), Role.TABLE, page=number)
    draft = builder.drafts[-1]
    if header and draft.role is Role.TABLE:
        builder.drafts[-1] = replace(draft, header=(draft.start, draft.start + len(tidy(rows[0]))))


def _paragraphs(lines: list[Line], usual: float) -> list[list[Line]]:
    """Group lines that stand close, in one letter size, without a bullet between them."""
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
    else:
        builder.block(words, Role.LIST if BULLET.match(words) else Role.BODY, page=number)


def _level(ratio: float) -> int:
    """The heading level, 1 to 3, by letter size relative to the text."""
    return next((level for level, least in _LEVELS if ratio >= least), len(_LEVELS) + 1)
