"""Whatever a document is made of, reading and splitting it takes work and memory in proportion to its size."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from typing import Final

import pytest

from chipwise.errors import SourceUnreadable
from chipwise.reading import read_bytes
from chipwise.splitting import split

from ..work import calls, memory
from .builders import docx_of, pdf_of

SIZE: Final = 1_000  # of the smaller of two documents, in parts of some bytes
GROWS: Final = 1.35  # times what is in proportion; of what is quadratic twice the size takes four times the work
MOST_MEMORY: Final = 4_000  # bytes for a byte of the document
SMALL: Final = 2**20  # bytes, that any document may take

Make = Callable[[int], bytes]


def page(words: str) -> bytes:
    return f"<html><body>{words}</body></html>".encode()


def table(columns: int, rows: int) -> bytes:
    return ("|" + "a|" * columns + "\n|" + "-|" * columns + "\n" + ("|" + "1 GB|" * columns + "\n") * rows).encode()


SHAPES: dict[str, tuple[str, Make]] = {
    "a table of many columns": ("md", lambda n: table(20 * n, 1)),
    "a table of many columns and rows": ("md", lambda n: table(n, 20)),
    "a table of many rows": ("md", lambda n: table(4, n)),
    "many tables": ("md", lambda n: b"|a|b|\n|-|-|\n|1|2|\n\n" * n),
    "rows of dashes": ("md", lambda n: b"|a|\n|-|\n" * n),
    "nested quotations": ("md", lambda n: b">" * 10 * n + b" words\n"),
    "nested lists": ("md", lambda n: b"".join(b" " * (2 * (i % 500)) + b"- x\n" for i in range(n))),
    "list items": ("md", lambda n: b"- x\n" * n),
    "brackets": ("md", lambda n: b"words " + b"[" * 100 * n),
    "emphasis": ("md", lambda n: b"*a " * 20 * n),
    "headings": ("md", lambda n: b"# a\n" * n + b"words"),
    "headings under lines": ("md", lambda n: b"a\n-\n" * n),
    "references": ("md", lambda n: b"[a]: b\n" * n + b"words"),
    "fences": ("md", lambda n: b"```\nx\n" * n),
    "raw tags": ("md", lambda n: b"<div>" * 20 * n + b"words\n"),
    "a raw table": ("md", lambda n: b"<table>" + b"<tr><td>1</td><td>2</td></tr>" * n + b"</table>\n"),
    "raw tables that never close": ("md", lambda n: b"<table><tr><td>1" * n),
    "comments that never close": ("md", lambda n: b"<div>x<!--" * n),
    "aliases in front matter": ("md", lambda n: b"---\na: &a [x, x]\nb: [*a, *a]\n---\n" + b"words " * n),
    "tags in front matter": ("md", lambda n: b"---\ntitle: !!python/object/apply:os.system [x]\n---\n" + b"words " * n),
    "lines of cells": ("txt", lambda n: b"a\t1\t2\n" * n),
    "one line of cells": ("txt", lambda n: b"a\t" * 20 * n),
    "rows that are no table": ("txt", lambda n: b"Chip and 2 others\n" * n),
    "rows of words": ("txt", lambda n: b"One short line\n" * n),
    "paragraphs": ("txt", lambda n: b"a\n\n" * n),
    "bullets": ("txt", lambda n: b"- a\n" * n),
    "blanks": ("txt", lambda n: b"a" + b" " * 100 * n + b"b"),
    "one word": ("txt", lambda n: b"a" * 100 * n),
    "a sentence without end": ("txt", lambda n: b"up to 4x faster than H100 at $2.50 per hour and " * n),
    "full stops": ("txt", lambda n: b"a. " * 5 * n),
    "marks": ("txt", lambda n: "\u202e\ud7ff\u200b".encode() * 10 * n + b"words"),
    "boxes": ("html", lambda n: page("<div>x</div>" * n)),
    "boxes that never close": ("html", lambda n: page("<div>x" * min(n, 1900))),
    "bold that never closes": ("html", lambda n: page("<b>x" * min(n, 1900))),
    "items": ("html", lambda n: page("<ul>" + "<li>x" * n)),
    "lists in lists": ("html", lambda n: page("<ul><li>x" * (n // 4))),
    "furniture": ("html", lambda n: page("<div class=sidebar>x</div>" * n)),
    "furniture in furniture": ("html", lambda n: page("<div class=sidebar>x" * (n // 4))),
    "listings in listings": ("html", lambda n: page("<pre>x" * (n // 4))),
    "a table of a page": ("html", lambda n: page("<table>" + "<tr><td>1<td>2" * n + "</table>")),
    "a wide table of a page": ("html", lambda n: page("<table>" + ("<tr>" + "<td>1" * 5 * n) * 3 + "</table>")),
    "cells that span": ("html", lambda n: page("<table>" + "<tr><td colspan=9999 rowspan=9999>words" * n + "</table>")),
    "tables in tables": ("html", lambda n: page("<table><tr><td>x" * (n // 4))),
    "scripts in a cell": ("html", lambda n: page("<table><tr><td>" + "<script>x</script>y" * n + "<td>1<tr><td>1<td>2</table>")),
    "terms": ("html", lambda n: page("<dl>" + "<dt>x<dd>y" * n)),
    "entities": ("html", lambda n: page("&lt;&#x1b;&#xd800;" * 10 * n + "words")),
    "attributes": ("html", lambda n: page("<p " + "a=b " * 10 * n + ">words")),
    "pages": ("pdf", lambda n: pdf_of(*["H100 80 GB"] * (1 + n // 20))),
}  # fmt: skip


def read(name: str, data: bytes) -> None:
    split(read_bytes(data, name=name, origin=name))


@pytest.mark.parametrize("shape", SHAPES)
def test_work_and_memory_grow_with_the_size_and_no_faster(shape: str) -> None:
    kind, make = SHAPES[shape]
    small, large = make(SIZE), make(2 * SIZE)
    read(f"a.{kind}", make(10))  # what is loaded once
    before, after = (calls(lambda data=data: read(f"a.{kind}", data)) for data in (small, large))  # type: ignore[misc]
    assert after <= GROWS * before * len(large) / len(small) + 2_000
    assert memory(lambda: read(f"a.{kind}", large)) <= MOST_MEMORY * len(large) + SMALL


def test_a_wide_tables_first_row_is_not_repeated_over_each_passage() -> None:
    data = table(4_000, 1)
    passages = split(read_bytes(data, name="a.md", origin="a.md"))
    assert sum(len(passage.context) + len(passage.text) for passage in passages) < 1.1 * len(data)


@pytest.mark.parametrize("deep", [250, 1_000, 2_000])
def test_a_page_nested_deeply_is_read(deep: int) -> None:
    document = read_bytes(page("<div>" * deep + "The H100 has 80 GB."), name="a.html", origin="a.html")
    assert document.text == "The H100 has 80 GB."


def test_a_page_nested_too_deeply_says_so() -> None:
    with pytest.raises(SourceUnreadable, match=r"a\.html is too deeply nested to read") as raised:
        read("a.html", page("<div>" * 10_000 + "The H100 has 80 GB."))
    assert raised.value.hint == "save its text as a plain text file"


def rewritten(change: Callable[[bytes], bytes]) -> bytes:
    """The DOCX of the tests with another text."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(docx_of())) as given, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        for member in given.infolist():
            data = given.read(member)
            made.writestr(member.filename, change(data) if member.filename == "word/document.xml" else data)
    return out.getvalue()


def test_a_cell_that_spans_a_million_columns_is_as_wide_as_what_is_read_of_a_row() -> None:
    data = rewritten(lambda xml: xml.replace(b"<w:tcPr>", b'<w:tcPr><w:gridSpan w:val="1000000"/>'))
    assert memory(lambda: read("a.docx", data)) < 8 * SMALL


def test_entities_of_a_docx_are_not_expanded_into_a_memory_full() -> None:
    doubled = "".join(f'<!ENTITY e{n} "&e{n - 1};&e{n - 1};">' for n in range(1, 40))
    bomb = f'<?xml version="1.0"?><!DOCTYPE d [<!ENTITY e0 "words">{doubled}]>'.encode()
    data = rewritten(lambda xml: bomb + xml[xml.index(b"?>") + 2 :].replace(b"80 GB", b"&e39;"))

    def tried() -> None:
        try:
            read("a.docx", data)
        except SourceUnreadable:
            return

    assert memory(tried) < 8 * SMALL


def test_a_docx_that_unpacks_to_gigabytes_is_refused_before_it_is_unpacked() -> None:
    data = rewritten(lambda xml: xml + b" " * (300 * 2**20))
    assert len(data) < SMALL
    with pytest.raises(SourceUnreadable, match="unpacks to more than 256 MiB"):
        read("a.docx", data)
