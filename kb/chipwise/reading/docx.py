"""DOCX to drafts: paragraphs by style, tables in place.

Headers and footers, text boxes, comments and tracked deletions are not read.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from typing import Any, Final

import docx
from docx.opc.exceptions import OpcError
from docx.oxml.ns import qn
from lxml import etree

from chipwise import patterns as re
from chipwise.errors import SourceUnreadable
from chipwise.reading.blocks import MOST_COLUMNS, Builder, FrontMatter, Parsed
from chipwise.reading.decoding import one_line
from chipwise.types import Role

# A book's XML has 20 MB, some ten times its packed size; a bomb unpacks to gigabytes.
MOST_UNPACKED: Final = 256 * 2**20
TEMPLATE_YEAR: Final = 2013  # the date of python-docx's own template, not of the document
FEWEST_CELLS: Final = 2  # rows and columns of a table; a smaller one is a box
MOST_MEMBERS: Final = 10_000
# exceptions that python-docx lets through from its parser, zipfile and missing parts
_MALFORMED: Final = (
    *(OpcError, etree.LxmlError, zipfile.BadZipFile, zlib.error, OSError, EOFError, NotImplementedError),
    *(KeyError, ValueError, AttributeError, TypeError, IndexError, AssertionError),
)
_HEADING: Final = re.compile(r"heading (\d)", re.IGNORECASE)
_OLE: Final = b"\xd0\xcf\x11\xe0"  # what a password turns a DOCX into


def read_docx(data: bytes, name: str) -> Parsed:
    """Read the blocks of a DOCX. Raises SourceUnreadable for a file that is not a DOCX, is encrypted, or is a zip bomb."""
    if data.startswith(_OLE):
        raise SourceUnreadable(f"{name} is encrypted or an old .doc file", hint="save it as .docx without a password")
    _check_archive(data, name)
    document = _open(data, name)
    builder = Builder()
    try:
        _narrow(document)
        for element in document.iter_inner_content():
            _add(builder, element)
        properties = document.core_properties
        title, author = one_line(properties.title or ""), one_line(properties.author or "")
        created = properties.created
    except _MALFORMED as error:
        raise _malformed(name) from error
    heading = next((draft for draft in builder.drafts if draft.role is Role.HEADING), None)
    first = builder.text[heading.start : heading.end] if heading else ""
    matter = FrontMatter(
        author="" if author == "python-docx" else author,
        published=created.date().isoformat() if created and created.year > TEMPLATE_YEAR else "",
    )
    return Parsed(builder.text, builder.drafts, matter, title or one_line(first))


def _check_archive(data: bytes, name: str) -> None:
    """Refuse an archive that unpacks to too much, before unpacking any of it."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = archive.infolist()
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError, EOFError) as error:
        raise _malformed(name) from error
    if not any(member.filename.startswith("word/") for member in members):
        raise SourceUnreadable(f"{name} is an archive, not a DOCX file", hint="unpack it and add the files in it")
    # subtle: sizes are what the archive claims; zipfile stops reading a member at its claimed size
    if len(members) > MOST_MEMBERS or sum(member.file_size for member in members) > MOST_UNPACKED:
        raise SourceUnreadable(
            f"{name} unpacks to more than {MOST_UNPACKED >> 20} MiB", hint="save only its text, without pictures"
        )
    if any(member.flag_bits & 1 for member in members):
        raise SourceUnreadable(f"{name} is encrypted", hint="save it without a password")


def _open(data: bytes, name: str) -> Any:
    try:
        return docx.Document(io.BytesIO(data))
    except _MALFORMED as error:
        raise _malformed(name) from error


def _narrow(document: Any) -> None:
    """Limit cells to the columns that we read: python-docx makes a cell for each spanned column."""
    for tag in ("w:gridSpan", "w:gridBefore", "w:gridAfter"):
        for span in document.element.body.iter(qn(tag)):
            span.val = min(span.val, MOST_COLUMNS)


def _malformed(name: str) -> SourceUnreadable:
    return SourceUnreadable(f"{name} is not a valid DOCX file", hint="open it and save it again as .docx")


def _add(builder: Builder, element: Any) -> None:
    if hasattr(element, "rows"):
        rows = [[cell.text for cell in row.cells[:MOST_COLUMNS]] for row in element.rows]
        flat = len(rows) < FEWEST_CELLS or max(map(len, rows), default=0) < FEWEST_CELLS
        if flat:
            for words in (words for row in rows for words in row):
                builder.block(words, Role.BODY)
        else:
            builder.table(rows, 1)
        return
    words = element.text
    style = (element.style.name or "") if element.style is not None else ""
    heading = _HEADING.match(style)
    if heading or style in ("Title", "Subtitle"):
        builder.heading(words, int(heading[1]) if heading else 1 if style == "Title" else 2)
    elif style.lower().startswith("list") or _is_numbered(element):
        builder.block("- " + words if words.strip() else "", Role.LIST)
    else:
        builder.block(words, Role.BODY)


def _is_numbered(paragraph: Any) -> bool:
    properties = paragraph._p.pPr  # python-docx has no public word for list numbering
    return properties is not None and properties.numPr is not None
