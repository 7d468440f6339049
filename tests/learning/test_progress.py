"""What is kept of one's progress, and what becomes of it when the file or the disk is not as it should be."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from chipwise import KnowledgeBase, files
from chipwise.errors import StorageFailed
from chipwise.learning.progress import RIGHT, SEEN, WRONG, Progress


def test_what_was_noted_is_there_the_next_time(tmp_path: Path) -> None:
    Progress(tmp_path).note("a", RIGHT)
    assert Progress(tmp_path).results == {"a": RIGHT}
    assert [path.name for path in tmp_path.iterdir()] == ["learn.json"]


def test_it_goes_on_with_the_first_step_that_is_not_done(tmp_path: Path) -> None:
    progress = Progress(tmp_path)
    assert progress.first_open("abc") == 0
    for step in "ac":
        progress.note(step, SEEN)
    assert progress.first_open("abc") == 1
    assert progress.first_open("ca") == 2


def test_the_first_guess_counts_and_a_look_is_none(tmp_path: Path) -> None:
    progress = Progress(tmp_path)
    for result in (SEEN, WRONG, RIGHT):
        progress.note("a", result)
    assert Progress(tmp_path).results == {"a": WRONG}


def test_a_restart_forgets_all(tmp_path: Path) -> None:
    progress = Progress(tmp_path)
    progress.note("a", RIGHT)
    progress.restart()
    assert Progress(tmp_path).results == {}


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"format": 2, "steps": {}}', '{"format": 1, "steps": []}', "\x00", "1"]
)
def test_a_file_that_cannot_be_read_is_told_and_the_path_begins_anew(tmp_path: Path, text: str) -> None:
    (tmp_path / "learn.json").write_text(text, "utf-8")
    progress = Progress(tmp_path)
    assert progress.results == {}
    assert progress.notice.startswith(f"{tmp_path / 'learn.json'} cannot be read, so the course starts over: ")
    progress.note("a", RIGHT)
    assert Progress(tmp_path).notice == ""


def test_what_a_step_can_come_to_is_known(tmp_path: Path) -> None:
    (tmp_path / "learn.json").write_text(json.dumps({"format": 1, "steps": {"a": "\x1b[31m", "b": RIGHT}}), "utf-8")
    assert Progress(tmp_path).results == {"b": RIGHT}


def test_a_write_that_fails_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    progress = Progress(tmp_path)
    progress.note("a", RIGHT)

    def refused(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(files.os, "fsync", refused)
    with pytest.raises(StorageFailed, match="No space left on device") as error:
        progress.note("b", RIGHT)
    assert error.value.hint.endswith("your progress is not saved")
    assert Progress(tmp_path).results == {"a": RIGHT}
    assert [path.name for path in tmp_path.iterdir()] == ["learn.json"]


def test_it_is_in_the_users_state_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr("sys.platform", "linux")
    KnowledgeBase.learning_progress().note("a", RIGHT)
    assert (tmp_path / "state" / "chipwise" / "learn.json").is_file()
