"""Small PDF and DOCX files, made in the test that needs them."""

from __future__ import annotations

import io


def pdf_of(*pages: str) -> bytes:
    """A PDF with one page per text; a line per line, "# " sets it larger, as a heading."""
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>", b"", b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"]
    kids = []
    for text in pages:
        stream = _stream(text)
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream))
        content = len(objects)
        page = f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {content} 0 R /Resources << /Font << /F1 3 0 R >> >> >>"
        objects.append(page.encode())
        kids.append(f"{len(objects)} 0 R")
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>".encode()
    return _assembled(objects)


def _stream(text: str) -> bytes:
    parts = ["BT"]
    height = 740
    for line in text.split("\n"):
        size = 20 if line.startswith("# ") else 10
        words = line.removeprefix("# ").replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
        if words:
            parts.append(f"/F1 {size} Tf 1 0 0 1 72 {height} Tm ({words}) Tj")
        height -= 2 * size if size > 10 else 14
    return "\n".join([*parts, "ET"]).encode("latin-1")


def _assembled(objects: list[bytes]) -> bytes:
    out = io.BytesIO(b"")
    out.write(b"%PDF-1.4\n")
    places = []
    for number, body in enumerate(objects, 1):
        places.append(out.tell())
        out.write(b"%d 0 obj\n%s\nendobj\n" % (number, body))
    start = out.tell()
    out.write(b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1))
    for place in places:
        out.write(b"%010d 00000 n \n" % place)
    out.write(b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF" % (len(objects) + 1, start))
    return out.getvalue()


def docx_of() -> bytes:
    """A DOCX with a title, a heading, a paragraph, a table and a list, in that order."""
    import docx

    document = docx.Document()
    document.core_properties.title = "Notes on the H100"
    document.add_heading("Memory", 1)
    document.add_paragraph("The H100 SXM has 80 GB of HBM3.")
    table = document.add_table(rows=2, cols=2)
    for cell, words in zip(
        [*table.rows[0].cells, *table.rows[1].cells], ["Chip", "Memory", "H200", "141 GB"], strict=True
    ):
        cell.text = words
    document.add_paragraph("the H100 has NVLink", style="List Bullet")
    document.add_heading("Reader comments", 1)
    document.add_paragraph("A reader claims 96 GB.")
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()
