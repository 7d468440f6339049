"""`add` and `remove`: what is printed, what is refused, what stays."""

from __future__ import annotations

from pathlib import Path

import pytest
from filelock import FileLock

from chipwise.knowledge import KnowledgeFolder
from chipwise.reading import MAX_BYTES

from ..conftest import Chipwise
from ..documents import H100, MFU, TPU, write
from ..fakes import FakeEncoder


@pytest.fixture
def kb(chipwise: Chipwise, fake_encoder: FakeEncoder, tmp_path: Path) -> Path:
    """An empty knowledge base."""
    assert chipwise("init", "--empty", kb=tmp_path / "kb").exit_code == 0
    return tmp_path / "kb"


@pytest.fixture
def h100(tmp_path: Path) -> Path:
    path = tmp_path / "h100.md"
    path.write_text(H100)
    return path


def test_add_tells_what_became_of_each_document(chipwise: Chipwise, kb: Path, h100: Path) -> None:
    added = chipwise("add", str(h100), kb=kb)
    assert (added.exit_code, added.output) == (0, "added h100: 2 passages\n")
    h100.write_text(MFU)
    updated = chipwise("add", str(h100), kb=kb)
    assert (updated.exit_code, updated.output) == (0, "updated h100: 1 passage\n")


def test_add_reads_standard_input_under_the_name_given(chipwise: Chipwise, kb: Path) -> None:
    result = chipwise("add", "-", "--name", "notes.md", kb=kb, stdin=TPU)
    assert (result.exit_code, result.output) == (0, "added notes: 2 passages\n")


def test_the_name_of_standard_input_leads_nowhere_else(chipwise: Chipwise, kb: Path) -> None:
    result = chipwise("add", "-", "--name", "../../../evil.md", kb=kb, stdin=TPU)
    assert result.exit_code == 0
    assert [path.relative_to(kb).as_posix() for path in kb.parent.rglob("*evil.md")] == ["documents/evil/evil.md"]


def test_add_takes_a_folder(chipwise: Chipwise, kb: Path, tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    (folder / "deep").mkdir(parents=True)
    (folder / "one.md").write_text(H100)
    (folder / "deep" / "two.txt").write_text("The H200 has 141 GB of memory.")
    (folder / "picture.png").write_bytes(b"\x89PNG")
    result = chipwise("add", str(folder), kb=kb)
    assert (result.exit_code, result.output) == (0, "added two: 1 passage\nadded one: 2 passages\n")


def test_one_bad_file_keeps_no_other_out(chipwise: Chipwise, kb: Path, h100: Path, tmp_path: Path) -> None:
    (tmp_path / "empty.md").write_text("")
    (tmp_path / "binary.txt").write_bytes(b"\x00\x01\x02")
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.4 and no more")
    (tmp_path / "huge.txt").write_bytes(b"word " * (MAX_BYTES // 5 + 1))
    names = ["gone.md", "empty.md", "binary.txt", "broken.pdf", "huge.txt"]
    result = chipwise("add", *(str(tmp_path / name) for name in names), str(h100), kb=kb)
    assert (result.exit_code, result.stdout) == (2, "added h100: 2 passages\n")
    errors = [line for line in result.stderr.splitlines() if line.startswith("error: ")]
    helps = [line for line in result.stderr.splitlines() if line.startswith("help: ")]
    assert errors[:3] == [
        f"error: {tmp_path / 'gone.md'} does not exist",
        "error: empty.md is empty",
        "error: binary.txt is not a text file, or its encoding is unknown",
    ]
    assert errors[3].startswith("error: broken.pdf ")
    assert errors[4] == "error: huge.txt is larger than 64 MiB"
    assert len(errors) == len(helps) == len(names)


def test_a_device_without_end_is_refused(chipwise: Chipwise, kb: Path) -> None:
    result = chipwise("add", "/dev/zero", kb=kb)
    assert (result.exit_code, result.stderr.splitlines()[0]) == (2, "error: zero is larger than 64 MiB")


def test_remove_takes_an_id_or_the_path_that_was_added(chipwise: Chipwise, kb: Path, h100: Path) -> None:
    for name in ("h100", str(h100)):
        chipwise("add", str(h100), kb=kb)
        result = chipwise("remove", name, kb=kb)
        assert (result.exit_code, result.output) == (0, "removed h100\n")
        assert chipwise("sources", kb=kb).output == "0 sources, 0 passages\n"


def test_remove_of_an_unknown_source_changes_nothing(chipwise: Chipwise, kb: Path, h100: Path) -> None:
    chipwise("add", str(h100), kb=kb)
    result = chipwise("remove", "h100", "nothing", kb=kb)
    assert (result.exit_code, result.stderr) == (
        2,
        "error: there is no added source 'nothing'\nhelp: `chipwise sources` lists them\n",
    )
    assert "1 source," in chipwise("sources", kb=kb).output


def test_a_shipped_source_cannot_be_removed(chipwise: Chipwise, tmp_path: Path) -> None:
    result = chipwise("remove", "mfu", kb=tmp_path / "kb")
    assert (result.exit_code, result.stderr) == (
        2,
        "error: mfu is part of the shipped corpus\nhelp: a knowledge base made with `init --empty` is without it\n",
    )


def test_add_while_another_process_builds_says_that_it_is_not_indexed_yet(
    chipwise: Chipwise, base: KnowledgeFolder, tmp_path: Path
) -> None:
    (tmp_path / "mfu.md").write_text(MFU)
    built = base.read_seal().built
    with FileLock(base.index_folder / ".lock"):
        result = chipwise("add", str(tmp_path / "mfu.md"), kb=base)
    assert (result.exit_code, result.stdout) == (0, "added mfu: not indexed yet\n")
    assert result.stderr == (
        f"note: answering from the index of {built}: another chipwise is building {base.folder}; "
        "wait until it has finished, then try again\n"
    )
    assert "mfu" in chipwise("sources", kb=base).output


def test_add_names_once_the_products_that_are_not_known(chipwise: Chipwise, kb: Path, tmp_path: Path) -> None:
    documents = {
        "zephyr.md": "# Zephyr\n\nThe Zephyr X1 costs 3.40 USD per hour, and the Zephyr X1 has 224 GB of memory.\n",
        "acme.md": "# Cards\n\n| Card | Memory (GB) |\n|---|---|\n| H200 | 141 |\n| Acme A9 | 48 |\n",
        "quiet.md": "# Notes\n\nWe met at Building B12. The H200 has 141 GB of memory.\n",
    }
    result = chipwise("add", *map(str, write(tmp_path / "documents", documents)), kb=kb)
    assert result.exit_code == 0
    assert result.stderr == (
        "note: names that are not known: Zephyr X1, Acme A9 (an [[entity]] in domain/entities.toml of the knowledge base "
        "makes a chip known)\n"
    )
