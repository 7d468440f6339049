"""`chipwise quote`: word for word, nearly, or not at all; and the words that stand for a command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from chipwise.knowledge import KnowledgeFolder

from ..conftest import Chipwise
from .checked_base import SHEET, base_on

kb = base_on({"sheet.md": SHEET})
TEXT = "# Notes\n\nThe H200 has 141 GB of HBM3e\nand draws up to 700 W.\n"


@pytest.fixture
def notes(tmp_path: Path) -> str:
    (tmp_path / "notes.md").write_text(TEXT)
    return str(tmp_path / "notes.md")


@pytest.mark.parametrize(
    ("quote", "status", "line"),
    [
        ("141 GB of HBM3e and draws up to", "verbatim", 3),
        ("The H200 has 144 GB of HBM3e", "close", 3),
        ("TPU v5p pods hold 8,960 chips", "not found", None),
    ],
)
def test_a_quote_is_looked_up_in_a_file(
    chipwise: Chipwise, kb: KnowledgeFolder, notes: str, quote: str, status: str, line: int | None
) -> None:
    result = chipwise("quote", quote, notes, "--json", kb=kb)
    value = json.loads(result.stdout)
    assert (value["status"], value.get("line"), result.exit_code) == (status, line, 0 if status == "verbatim" else 1)
    if line:
        assert TEXT[value["start"] : value["end"]] == value["quote"]


def test_what_differs_is_printed_word_by_word(chipwise: Chipwise, kb: KnowledgeFolder, notes: str) -> None:
    result = chipwise("quote", "The H200 has 144 GB of HBM3e", notes, kb=kb)
    assert "quoted: 144; in the source: 141\n" in result.stdout
    last = chipwise("quote", "The H200 has 141 GB of HBM3", notes, kb=kb)
    assert "quoted: HBM3; in the source: HBM3e\n" in last.stdout


def test_words_that_name_no_command_are_a_question_or_a_slip(chipwise: Chipwise, kb: KnowledgeFolder) -> None:
    asked = chipwise("ask", "How much memory does the H200 have?", kb=kb).output
    assert chipwise("How much memory does the H200 have?", kb=kb).output == asked
    assert chipwise(*"How much memory does the H200 have?".split(), kb=kb).output == asked
    assert "Did you mean 'compare'?" in chipwise("comapre", "h100", "h200", kb=kb).stderr


def test_a_question_in_another_language_is_told_that_english_is_read(chipwise: Chipwise, kb: KnowledgeFolder) -> None:
    told = "English is all that chipwise reads"
    assert told in chipwise("ask", "Wie viel Speicher hat eine Zorgon X900?", kb=kb).output
    assert told in chipwise("ask", "Zorgon X900 的显存有多大？", kb=kb).output
    assert told not in chipwise("ask", "How much memory does the Zorgon X900 have?", kb=kb).output


def test_what_cannot_be_written_is_told_before_the_work(chipwise: Chipwise, kb: KnowledgeFolder, notes: str) -> None:
    for arguments in (["report", f"{notes}/report.html"], ["check", notes, "--sarif", f"{notes}/x.sarif"]):
        result = chipwise(*arguments, kb=kb)
        assert result.exit_code == 2
        assert "is not a folder" in result.stderr


def test_a_few_parameters_are_taken_for_a_slip(chipwise: Chipwise, kb: KnowledgeFolder) -> None:
    result = chipwise("size", "70", kb=kb)
    assert (result.exit_code, result.stderr.partition("\n")[0].endswith("did you mean 70B?")) == (2, True)


def test_quiet_leaves_notes_out(chipwise: Chipwise, kb: KnowledgeFolder, notes: str) -> None:
    folder = str(Path(notes).parent)
    (Path(folder) / "empty.md").write_text("")
    assert "note:" in chipwise("check", folder, kb=kb).stderr
    assert "note:" not in chipwise("--quiet", "check", folder, kb=kb).stderr
