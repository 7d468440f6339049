"""Odd arguments, closed streams, Ctrl-C: one error and exit 2 (130), never a traceback."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
from pathlib import Path

import pytest

from chipwise import KnowledgeBase
from chipwise.building.building import build
from chipwise.building.documents import add_files
from chipwise.knowledge import TEXT, KnowledgeFolder
from chipwise_cli.display import print_json

from ..conftest import COMMAND, Chipwise
from ..documents import TPU


def test_the_home_of_nobody_is_no_knowledge_base(chipwise: Chipwise) -> None:
    result = chipwise("sources", kb=Path("~nosuch/x"))
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("error: ~nosuch/x is not a folder: ")
    assert result.stderr.endswith("help: name a folder with --kb\n")


def test_the_home_of_nobody_holds_no_model(chipwise: Chipwise, tmp_path: Path) -> None:
    result = chipwise("init", "--model", "~nosuch/model", kb=tmp_path / "kb")
    assert result.exit_code == 2
    assert result.stderr.startswith("error: there is no model folder or installed package called '~nosuch/model'\n")


@pytest.mark.parametrize("date", ["2024²", "٢٠٢٤"])
def test_digits_of_other_kinds_in_a_date_stop_no_check(chipwise: Chipwise, base: KnowledgeFolder, date: str) -> None:
    text = f'---\ndate: "{date}"\n---\nThe H200 has 150 GB of HBM3e memory.\n'
    assert chipwise("check", "-", kb=base, stdin=text).exit_code in (0, 1)


@pytest.mark.parametrize("command", ["ask", "add"])
def test_a_closed_standard_input_is_told(base: KnowledgeFolder, command: str) -> None:
    done = subprocess.run(
        ["sh", "-c", 'exec "$@" <&-', "sh", *COMMAND, "--kb", str(base.folder), command, "-"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (
        2,
        "",
        "error: standard input is closed\nhelp: give the text itself or a file instead of -\n",
    )


def test_a_closed_standard_error_changes_nothing(built: KnowledgeFolder) -> None:
    done = subprocess.run(
        ["sh", "-c", 'exec "$@" 2>&-', "sh", *COMMAND, "--kb", str(built.folder), "sources"],
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    assert (done.returncode, "5 sources" in done.stdout) == (0, True)


def test_a_reader_that_goes_away_ends_a_command_quietly(built: KnowledgeFolder) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = subprocess.run(
            [*COMMAND, "--kb", str(built.folder), "sources"],
            stdout=writer,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    finally:
        os.close(writer)
    assert (done.returncode, done.stderr) == (141, "")


@pytest.mark.parametrize("name", ["", ".", "..", "/", "notes/..", "n" * 256, "ö" * 128])
def test_a_name_that_no_file_can_have_is_refused(chipwise: Chipwise, base: KnowledgeFolder, name: str) -> None:
    result = chipwise("add", "--name", name, "-", kb=base, stdin=TPU)
    assert (result.exit_code, result.stdout, result.stderr) == (
        2,
        "",
        f"error: {name!r} is not a file name\nhelp: give one such as `--name notes.md`\n",
    )
    assert len(base.read_contents().documents) == 3


def test_an_interrupted_command_is_no_missing_answer(
    chipwise: Chipwise, base: KnowledgeFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("chipwise_cli.display.opened", interrupt)
    result = chipwise("ask", "What is MFU?", kb=base)
    assert (result.exit_code, result.stdout, result.stderr) == (130, "", "interrupted\n")


@pytest.mark.parametrize(
    "text", ["\U000e0001", "\u202e", "\x1b[31m", "\x7f\x9b", "\udcff", "a\U0010ffff\U0001f600é\tb\n"]
)
def test_json_with_unsafe_characters_is_safe_and_parses_back(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    value = {"text": text, text: [text]}
    print_json(value)
    printed = capsys.readouterr().out
    assert json.loads(printed) == value
    assert all(c == "\n" or c.isprintable() for c in printed)


TABLE = "# Table\n\n|  GPU |   Memory |\n|------|----------|\n" + "".join(
    f"| Chip {n} of a long series of chips | {n} GB of HBM memory on a wide interposer |\n" for n in range(40)
)


def test_show_prints_a_tables_header_above_each_part_once(
    chipwise: Chipwise, base: KnowledgeFolder, tmp_path: Path
) -> None:
    (tmp_path / "table.md").write_text(TABLE)
    add_files(base, [tmp_path / "table.md"])
    build(base)
    for number in (1, 2):
        shown = chipwise("show", f"table#{number}", "-C", "0", kb=base).output
        assert shown.count("Memory |") == 1
        assert "> |" in shown.splitlines()[3]
        assert "Memory |" in shown.splitlines()[3]


def test_show_of_a_source_without_passages_says_so(chipwise: Chipwise, base: KnowledgeFolder) -> None:
    connection = sqlite3.connect(base.generation_folder(base.read_seal()) / TEXT)
    connection.execute("DROP TRIGGER passage_deleted")
    connection.execute("DELETE FROM passage WHERE source = 'tpu'")
    connection.commit()
    connection.close()
    result = chipwise("show", "tpu#1", kb=base)
    assert (result.exit_code, result.stderr) == (
        2,
        "error: tpu has no passage '1'\nhelp: it has none; see `chipwise show tpu`\n",
    )


def test_doctor_shows_a_hostile_folder_on_one_line(chipwise: Chipwise, tmp_path: Path) -> None:
    folder = tmp_path / "a\x1b[31m\nb"
    assert chipwise("init", "--empty", kb=folder).exit_code == 0
    assert chipwise("doctor", kb=folder).output.splitlines()[0] == f"folder     {tmp_path}/a\ufffd[31m b"
    hostile = tmp_path / "note\nof\x1bmine.md"
    hostile.write_text(TPU)
    add_files(KnowledgeFolder(folder), [hostile])
    hostile.unlink()
    assert not {"\x1b", "\x9b"} & set(chipwise("doctor", kb=folder).output)


@pytest.mark.parametrize(
    "text", ["An H200\ud800 has 150 GB.", "The A100 reached 1,979 TFLOPS (sparse) or 989 0.0 TFLOPS."]
)
def test_half_a_character_and_a_peak_of_nothing_are_checked(built: KnowledgeFolder, text: str) -> None:
    with KnowledgeBase(built.folder) as kb:
        assert kb.check(text=text).judgements


def test_too_little_memory_is_told_in_a_sentence(
    chipwise: Chipwise, base: KnowledgeFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr(KnowledgeBase, "find", refuse)
    result = chipwise("find", "141 GB", kb=base)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("error: there is not enough memory\nhelp: ")
