"""PDF and DOCX: pages, paragraphs, headings, tables; what is encrypted, scanned or a bomb."""

from __future__ import annotations

import io
import zipfile

import pytest

from chipwise.errors import SourceUnreadable
from chipwise.types import Role

from .builders import docx_of, pdf_of
from .said import found, read, role, words

FIRST = "Example Data Sheet\n\n# The H100 in numbers\nThe H100 SXM has 80 GB of HBM3 and a board\npower of up to 700 W.\n\nAnother paragraph of the first page.\n\n- an item\n\n1"
SECOND = "Example Data Sheet\n\nWords of the second page.\n\nChip Memory Power Bandwidth\nH100 80 GB 700 W\nH200 141 GB 700 W\nB200 180 GB 1000 W\n\n2"
THIRD = "Example Data Sheet\n\nWords of the third page.\n\n3"


def test_a_pdf_s_paragraphs_know_their_page_and_keep_their_lines() -> None:
    document = read(pdf_of(FIRST, SECOND, THIRD), "sheet.pdf")
    first = found(document, "80 GB of HBM3")
    assert words(document, first) == "The H100 SXM has 80 GB of HBM3 and a board\npower of up to 700 W."
    assert [found(document, part).page for part in ("80 GB of HBM3", "second page", "third page")] == [1, 2, 3]
    assert role(document, "an item") is Role.LIST


def test_larger_letters_make_a_heading_and_the_title() -> None:
    document = read(pdf_of(FIRST, SECOND), "sheet.pdf")
    assert role(document, "in numbers") is Role.HEADING
    assert document.info.title == "The H100 in numbers"


def test_running_heads_and_page_numbers_are_boilerplate() -> None:
    document = read(pdf_of(FIRST, SECOND, THIRD), "sheet.pdf")
    furniture = [words(document, block) for block in document.blocks if block.role is Role.BOILERPLATE]
    assert furniture == ["Example Data Sheet", "1", "Example Data Sheet", "2", "Example Data Sheet", "3"]


def test_rows_of_figures_in_a_pdf_are_a_table_with_its_header() -> None:
    document = read(pdf_of(FIRST, SECOND, THIRD), "sheet.pdf")
    table = found(document, "141 GB")
    assert (table.role, table.page) == (Role.TABLE, 2)
    assert table.header is not None
    assert document.text[slice(*table.header)] == "Chip Memory Power Bandwidth"


def test_a_scanned_pdf_is_refused_with_what_to_do() -> None:
    with pytest.raises(SourceUnreadable, match="only images") as raised:
        read(pdf_of("", ""), "scan.pdf")
    assert "OCR" in raised.value.hint


@pytest.mark.parametrize("data", [b"%PDF-1.7", pdf_of(FIRST)[:300], b"%PDF-1.4\n" + bytes(range(256)) * 20])
def test_a_malformed_pdf_is_refused(data: bytes) -> None:
    with pytest.raises(SourceUnreadable, match=r"broken\.pdf (?:is not a valid PDF|has no text)"):
        read(data, "broken.pdf")


def test_an_encrypted_pdf_is_refused() -> None:
    encrypted = pdf_of(FIRST).replace(
        b"/Root 1 0 R",
        b"/Root 1 0 R /ID [<00112233445566778899aabbccddeeff> <00112233445566778899aabbccddeeff>] /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <"
        + b"11" * 32 + b"> /U <" + b"22" * 32 + b"> >>",
    )  # fmt: skip
    with pytest.raises(SourceUnreadable, match="is encrypted"):
        read(encrypted, "secret.pdf")


def test_a_docx_keeps_headings_tables_and_lists_in_order() -> None:
    document = read(docx_of(), "notes.docx")
    assert [block.role for block in document.blocks] == [
        *(Role.HEADING, Role.BODY, Role.TABLE, Role.LIST, Role.HEADING, Role.COMMENT),
    ]
    assert document.info.title == "Notes on the H100"
    table = found(document, "141 GB")
    assert words(document, table) == "Chip | Memory\nH200 | 141 GB"
    assert table.header == (table.start, table.start + len("Chip | Memory"))
    assert table.heading == ("Memory",)


def _zip_of(**members: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return out.getvalue()


def test_a_docx_that_unpacks_to_gigabytes_is_refused_unread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chipwise.reading.docx.MOST_UNPACKED", 2**20)
    bomb = _zip_of(**{f"word/{n}.xml": bytes(2**19) for n in range(3)})
    with pytest.raises(SourceUnreadable, match="unpacks to more"):
        read(bomb, "bomb.docx")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (docx_of()[:2000], "not a valid DOCX"),
        (_zip_of(**{"word/document.xml": b"<a"}), "not a valid DOCX"),
        (_zip_of(**{"other.txt": b"words"}), "is an archive"),
        (b"\xd0\xcf\x11\xe0" + bytes(100), "encrypted"),
        (b"just words", "not a valid DOCX"),
    ],
    ids=["cut", "no parts", "archive", "old", "text"],
)
def test_what_is_no_docx_is_refused(data: bytes, said: str) -> None:
    with pytest.raises(SourceUnreadable, match=said):
        read(data, "file.docx")
