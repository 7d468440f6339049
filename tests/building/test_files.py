"""What a disk refuses is told apart from what we did wrong; a file that changes while it is read is read again."""

from __future__ import annotations

import errno
import os
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from chipwise.building import documents
from chipwise.building.building import build
from chipwise.building.documents import add_files
from chipwise.building.planning import plan
from chipwise.errors import ModelUnavailable, SourceUnreadable, StorageFailed
from chipwise.files import read_with_state, storage_errors, write_atomically
from chipwise.health import Ailment, examine, read_status
from chipwise.index import schema
from chipwise.knowledge import VECTORS, KnowledgeFolder, WantedSource
from chipwise.models import read_arrays

from ..documents import H100, H200
from .looking import texts


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EROFS, errno.EACCES, errno.EDQUOT, errno.EIO, errno.EFBIG])
def test_what_the_disk_refuses_is_a_storage_error_with_a_hint(tmp_path: Path, code: int) -> None:
    words = f"{tmp_path} cannot be written: {os.strerror(code)}"
    with pytest.raises(StorageFailed, match=words) as raised, storage_errors(tmp_path):
        raise OSError(code, os.strerror(code))
    assert raised.value.hint == "free some space or permission there, or name another folder with --kb"


@pytest.mark.parametrize("error", [FileNotFoundError(errno.ENOENT, "gone"), OSError("no number"), ValueError("ours")])
def test_what_we_did_wrong_keeps_its_traceback(tmp_path: Path, error: Exception) -> None:
    with pytest.raises(type(error)) as raised, storage_errors(tmp_path):
        raise error
    assert raised.value is error


@pytest.mark.parametrize("left", [0.0, 0.5, 1.0])
def test_a_damaged_archive_of_arrays_is_told_with_what_to_do(tmp_path: Path, left: float) -> None:
    path = tmp_path / "kept.npz"
    np.savez_compressed(path, turn=np.arange(10_000.0), model=np.array("m"))
    data = bytearray(path.read_bytes())
    middle = len(data) // 2
    data[middle : middle + 200] = bytes(byte ^ 0x5A for byte in data[middle : middle + 200])
    path.write_bytes(data[: int(left * len(data))])
    with pytest.raises(ModelUnavailable, match=f"{path} doesn't load: .") as raised:
        read_arrays(path)
    assert raised.value.hint == "reinstall chipwise"


def test_a_full_database_is_the_disk_and_a_wrong_statement_is_ours(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "x.sqlite")
    connection.execute("PRAGMA max_page_count = 2")
    connection.execute("CREATE TABLE t (x)")
    with pytest.raises(StorageFailed, match="cannot be written: database or disk is full"), storage_errors(tmp_path):
        connection.execute("INSERT INTO t VALUES (zeroblob(100000))")
    with pytest.raises(sqlite3.OperationalError, match="no such table"), storage_errors(tmp_path):
        connection.execute("INSERT INTO u VALUES (1)")
    connection.close()


def test_a_mistake_in_our_sql_is_not_stated_as_a_full_disk(
    base: KnowledgeFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schema, "INSERT_SOURCE", "INSERT INTO sauce VALUES (:id)")
    (tmp_path / "documents" / "h100.md").write_text(H200)
    with pytest.raises(sqlite3.OperationalError, match="no such table: sauce"):
        build(base)
    assert texts(base)["h100"] == H100


def test_a_folder_where_nothing_can_be_made_is_told(tmp_path: Path) -> None:
    with pytest.raises(StorageFailed, match="cannot be written"):
        build(KnowledgeFolder(Path("/proc/nothing/kb")))


def change_while_read(monkeypatch: pytest.MonkeyPatch, path: Path, text: str) -> None:
    """The first that reads `path` gets what it held, and the file holds `text` afterwards."""
    open_ = Path.open

    def open_and_change(self: Path, *values: Any, **named: Any) -> Any:
        opened = open_(self, *values, **named)
        if self == path and values in (("rb",), ()) and not changed:
            changed.append(opened.read())
            opened.seek(0)
            path.unlink()  # so that who has it open reads on
            path.write_text(text)
            os.utime(path, ns=(0, 10**18))
        return opened

    changed: list[bytes] = []
    monkeypatch.setattr(Path, "open", open_and_change)


def test_the_state_of_a_file_is_older_than_its_content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.md"
    path.write_text("before")
    times = path.stat()
    change_while_read(monkeypatch, path, "later, and longer")
    data, state = read_with_state(path)
    assert (data, state.size, state.modified) == (b"before", times.st_size, times.st_mtime_ns)


def test_a_document_that_changed_while_it_was_added_is_followed_by_the_next_build(
    base: KnowledgeFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "note.md"
    path.write_text("Words before.")
    read = documents.read_data

    def read_and_change(file: Path) -> bytes:
        data = read(file)
        path.write_text("Words of later.")
        os.utime(path, ns=(0, 10**18))
        return data

    monkeypatch.setattr(documents, "read_data", read_and_change)
    add_files(base, [path])
    assert (base.folder / "documents" / "note" / "note.md").read_text() == "Words before."
    build(base)
    assert texts(base)["note"] == "Words of later."


def test_the_later_of_two_documents_with_one_id_is_left_out_with_its_reason(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("---\nid: same\n---\n\nWords of one.\n")
    (tmp_path / "b.md").write_text("Words of another.")
    wanted = [WantedSource(tmp_path / "a.md", "a"), WantedSource(tmp_path / "b.md", "b", id="same")]
    made = plan(KnowledgeFolder(tmp_path), wanted, {}, ())
    assert [document.info.origin for document, _ in made.documents] == ["a"]
    ((path, error),) = made.unreadable
    assert (path, str(error), type(error)) == (
        str(tmp_path / "b.md"),
        "another document has the id same",
        SourceUnreadable,
    )
    assert "chipwise remove" in error.hint


def test_an_added_document_whose_id_was_shipped_since_is_left_out_with_its_reason(
    base: KnowledgeFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shipped = tmp_path / "shipped" / "sources" / "h100.md"
    shipped.parent.mkdir(parents=True)
    shipped.write_text("---\nid: h100\n---\n\nOur own words on it.\n")
    monkeypatch.setattr("chipwise.knowledge.shipped_documents", lambda: [shipped])
    with base.editing() as contents:
        base.write_contents(type(contents)(True, contents.model, contents.documents))
    for fresh in (False, True):
        report = build(base, fresh=fresh)
        assert [str(error) for _, error in report.unreadable] == ["another document has the id h100"]
        assert "Our own words" in texts(base)["h100"]


def test_status_counts_on_while_a_build_removes_files(base: KnowledgeFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    stat = os.stat
    gone = base.index_folder / base.read_seal().generation / VECTORS

    def vanishing(path: Any, **named: Any) -> os.stat_result:
        if path == gone:
            raise FileNotFoundError(errno.ENOENT, "No such file or directory")
        return stat(path, **named)

    whole, size = read_status(base).bytes_on_disk, gone.stat().st_size
    monkeypatch.setattr(os, "stat", vanishing)
    assert read_status(base).bytes_on_disk == whole - size


def test_doctor_tells_of_a_file_that_cannot_be_opened(base: KnowledgeFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    path = base.generation_folder(base.read_seal()) / VECTORS
    open_ = Path.open

    def refuse(self: Path, *values: Any, **named: Any) -> Any:
        if self == path:
            raise PermissionError(errno.EACCES, "Permission denied")
        return open_(self, *values, **named)

    monkeypatch.setattr(Path, "open", refuse)
    assert examine(base) == [Ailment(f"{path} cannot be read: Permission denied", "chipwise build --fresh")]


def test_a_file_that_several_write_at_once_is_always_whole(tmp_path: Path) -> None:
    texts_ = [letter * 200_000 for letter in "abcd"]
    with ThreadPoolExecutor(4) as writers:  # threads share a process id, as processes in two containers may
        list(writers.map(lambda text: [write_atomically(tmp_path / "kept.json", text) for _ in range(5)], texts_))
    assert (tmp_path / "kept.json").read_text() in texts_
    assert [path.name for path in tmp_path.iterdir()] == ["kept.json"]
