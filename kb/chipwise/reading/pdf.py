"""PDF to drafts: the text of each page, in lines and paragraphs by their geometry.

Scanned pages have no text and are not recognised; words are as the file has them.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterator
from typing import Any, Final

import pypdfium2 as pdfium
from pypdfium2 import raw

from chipwise.errors import SourceUnreadable
from chipwise.reading.blocks import FrontMatter, Parsed
from chipwise.reading.decoding import normalise, one_line
from chipwise.reading.pdflayout import Line, lay_out

MOST_PAGES: Final = 5000
MOST_PAGE_CHARACTERS: Final = 200_000  # a dense page has 10,000; more is a drawing made of letters
_PDFIUM_PASSWORD: Final = 4  # FPDF_ERR_PASSWORD


def read_pdf(data: bytes, name: str) -> Parsed:
    """Blocks with pages. Raises SourceUnreadable when encrypted, malformed, or without text."""
    document = _open(data, name)
    try:
        if len(document) > MOST_PAGES:
            raise SourceUnreadable(f"{name} has over {MOST_PAGES:,} pages", hint="split it into smaller files")
        pages = [_lines(document, number) for number in range(len(document))]
        told = document.get_metadata_dict()
    except pdfium.PdfiumError as error:
        raise _malformed(name) from error
    finally:
        document.close()
    text, drafts, title = lay_out(pages)
    if not any(map(str.isalnum, text)):
        raise SourceUnreadable(
            f"{name} has no text, only pictures of it", hint="run text recognition (OCR) on it and try again"
        )
    named = one_line(told.get("Title", ""))
    matter = FrontMatter(author=one_line(told.get("Author", "")), published=_date(told.get("CreationDate", "")))
    return Parsed(text, drafts, matter, named if _is_title(named) else title)


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
    """The page's lines with their place and letter size; none for a page that cannot be loaded."""
    try:
        page = document[number]
    except pdfium.PdfiumError:
        return []
    textpage = page.get_textpage()
    try:
        count = min(textpage.count_chars(), MOST_PAGE_CHARACTERS)
        if count <= 0:
            return []
        said = textpage.get_text_range(0, count, errors="replace")
        return list(_measured(textpage, said, count))
    finally:
        textpage.close()
        page.close()


def _measured(textpage: Any, said: str, count: int) -> Iterator[Line]:
    at = 0
    # subtle: pdfium counts UTF-16 units and ends lines with \r\n, each a character of its own
    for piece in re.split(r"(\r\n|\r|\n)", said):
        if piece.strip() and at < count:
            first = at + len(piece) - len(piece.lstrip())
            box = _box(textpage, first)
            size = raw.FPDFText_GetFontSize(textpage.raw, min(first, count - 1))
            yield Line(_readable(piece), box[1], box[0], float(size))
        at += len(piece.encode("utf-16-le", "replace")) // 2


def _box(textpage: Any, index: int) -> tuple[float, float]:
    """The left and lower edge of a character, in points from the page's lower left corner."""
    left, right, bottom, top = (ctypes.c_double() for _ in range(4))
    raw.FPDFText_GetCharBox(textpage.raw, index, left, right, bottom, top)
    return left.value, bottom.value


def _readable(piece: str) -> str:
    """Pdfium marks a hyphen at a line's end by U+FFFE or U+0002: the page shows "-"."""
    return normalise(re.sub("[\ufffe\x02]", "-", piece).replace("\u00ad", "-").replace("\x00", "")).strip()


def _date(told: str) -> str:
    found = re.match(r"D:(\d{4})(\d\d)(\d\d)", told)
    return f"{found[1]}-{found[2]}-{found[3]}" if found and "1990" < found[1] < "2100" else ""


def _is_title(named: str) -> bool:
    """Whether the metadata's title is one, and no file name or program's default."""
    return len(named.split()) > 1 and not re.search(
        r"\.(?:docx?|tex|dvi|indd|pdf|pptx?)$|^(?:untitled|microsoft)\b", named, re.IGNORECASE
    )
