"""Files that once hung or crashed a reader: each is read, or refused in one sentence, in bounded time."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from chipwise.errors import SourceUnreadable
from chipwise.reading import files, pdf, read_bytes, read_file

OBJECTS = (
    b"<< /Type /Catalog /Pages 2 0 R >>",
    b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> /XObject << /X1 6 0 R >> >> >>",
    b"<< /Length 66 >>\nstream\n%s BT /F1 12 Tf 72 720 Td (An H200 has 141 GB of HBM3e.) Tj ET\nendstream",
    b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    b"<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X1 6 0 R >> >> /Length 14 >>\nstream\n/X1 Do /X1 Do \nendstream",
    b"<< /Title <FEFFD83D> /CreationDate (D:20260101000000) >>",
)


def made(draws: bytes) -> bytes:
    """A PDF whose page draws the form that draws itself twice, or doesn't; its title is half a surrogate pair."""
    data, places = b"%PDF-1.7\n", []
    for number, body in enumerate(OBJECTS, start=1):
        places.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, body.replace(b"%s", draws))
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    head = b"xref\n0 8\n0000000000 65535 f \n" + table
    return data + head + b"trailer << /Size 8 /Root 1 0 R /Info 7 0 R >>\nstartxref\n%d\n%%%%EOF\n" % len(data)


def test_a_title_of_half_a_character_is_left_out() -> None:
    document = read_bytes(made(b"      "), name="a.pdf", origin="a.pdf")
    assert "141 GB" in document.text
    assert document.info.published == "2026-01-01"


CYCLE = """
import sys
from chipwise.reading import pdf
pdf.MOST_SECONDS = 0.5
try:
    pdf.read_pdf(sys.stdin.buffer.read(), "a.pdf")
except Exception as error:
    sys.stdout.write(str(error))
    sys.stdout.flush()
import os
os._exit(0)
"""


def test_a_form_that_draws_itself_ends_in_time() -> None:
    done = subprocess.run(
        [sys.executable, "-c", CYCLE], input=made(b"/X1 Do"), capture_output=True, check=True, timeout=60
    )
    assert done.stdout == b"a.pdf takes too long to read"
    assert pdf.MOST_SECONDS > 10


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with names are POSIX's")
def test_a_pipe_without_a_writer_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "PIPE_SECONDS", 0.1)
    os.mkfifo(tmp_path / "p.md")
    with pytest.raises(SourceUnreadable, match="nothing is written into this pipe"):
        read_file(tmp_path / "p.md")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="Linux has a device that is full")
def test_a_full_disk_a_closed_output_and_a_deleted_folder_are_told_in_a_sentence(tmp_path: Path) -> None:
    def ended(script: str) -> tuple[int, str]:
        done = subprocess.run(
            ["sh", "-c", script, "sh", sys.executable, "-m", "chipwise"],
            cwd=tmp_path, capture_output=True, text=True, check=False, env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )  # fmt: skip
        return done.returncode, done.stderr

    (tmp_path / "gone").mkdir()
    assert ended('"$@" explain > /dev/full')[0] == 2
    code, told = ended('"$@" --help > /dev/full')
    assert (code, told.partition("\n")[0]) == (2, "error: standard output: No space left on device")
    assert ended('"$@" explain > /dev/full 2> /dev/full') == (2, "")
    assert ended('"$@" explain >&-') == (0, "")
    code, told = ended('cd gone && rmdir "$PWD" && "$@" explain')
    assert (code, told.partition("\n")[0]) == (2, "error: the current folder: No such file or directory")
