"""A build that is killed, refused by the disk or met by another one changes nothing for those who ask."""

from __future__ import annotations

import errno
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from chipwise.building.building import build
from chipwise.building.documents import add_files
from chipwise.errors import KnowledgeBaseBusy, StorageFailed
from chipwise.knowledge import KnowledgeFolder
from chipwise.opening import opened

from ..conftest import ROOT
from ..documents import H100, MFU
from .looking import best, entries, sealed, small_disk, texts

KILLED = """
import os, signal, sys
from pathlib import Path
from chipwise.building.building import build
from chipwise.knowledge import KnowledgeFolder
from tests.fakes import install

def die(*_):
    os.kill(os.getpid(), signal.SIGKILL)

def progress(stage, done, total):
    if stage == sys.argv[2]:
        die()

install()
if sys.argv[2] == "sealing":
    KnowledgeFolder.write_seal = die
build(KnowledgeFolder(Path(sys.argv[1])), progress, fresh=True)
"""


@pytest.mark.parametrize("stage", ["reading", "embedding", "exporting the models", "sealing"])
def test_a_killed_build_leaves_the_last_index_answering(base: KnowledgeFolder, tmp_path: Path, stage: str) -> None:
    before, seal = texts(base), base.read_seal()
    (tmp_path / "documents" / "h100.md").write_text(H100.replace("80 GB", "94 GB"))
    done = subprocess.run([sys.executable, "-c", KILLED, str(base.folder), stage], cwd=ROOT, check=False)
    assert done.returncode == -signal.SIGKILL
    assert texts(base) == before
    assert "80 GB" in best(base, "H100 memory")

    assert build(base).changed == ("h100",)
    assert "94 GB" in best(base, "H100 memory")
    assert entries(base) == sealed(base, seal), "what the killed build left is cleared"


def test_two_builds_at_once_are_one_build_and_one_clear_error(base: KnowledgeFolder) -> None:
    errors: list[KnowledgeBaseBusy] = []

    def build_too(*_: object) -> None:
        with pytest.raises(KnowledgeBaseBusy, match=f"another chipwise is building {base.folder}") as raised:
            build(base)
        errors.append(raised.value)

    assert build(base, build_too, fresh=True).embedded > 0
    assert {error.hint for error in errors} == {"wait until it has finished, then try again"}


def test_while_another_builds_the_last_index_answers_and_says_so(base: KnowledgeFolder, tmp_path: Path) -> None:
    (tmp_path / "documents" / "h100.md").write_text(MFU)
    built = base.read_seal().built
    notices: list[str] = []

    def ask(*_: object) -> None:
        with opened(base) as index:
            notices.append(index.notice)
            assert "80 GB" in index.store.source_text("h100")

    build(base, ask)
    assert set(notices) == {
        f"answering from the index of {built}: another chipwise is building {base.folder}; "
        "wait until it has finished, then try again"
    }


def test_a_build_without_an_index_to_fall_back_on_is_busy(base: KnowledgeFolder) -> None:
    def ask(*_: object) -> None:
        base.seal_path.unlink(missing_ok=True)
        with pytest.raises(KnowledgeBaseBusy), opened(base):
            pass

    assert build(base, ask, fresh=True).passages > 0


# below the store's first page; inside of it; all of it but not the copy of the document
@pytest.mark.parametrize("size", [0, 1_000, 20_000])
def test_a_full_disk_is_told_and_the_last_index_answers(base: KnowledgeFolder, tmp_path: Path, size: int) -> None:
    before, seal = texts(base), base.read_seal()
    (tmp_path / "documents" / "h100.md").write_text(H100 + "More words. " * 200)
    with small_disk(size), pytest.raises(StorageFailed, match="cannot be written") as raised:
        build(base)
    assert raised.value.hint == "free some space or permission there, or name another folder with --kb"
    assert texts(base) == before
    with small_disk(size), opened(base) as index:
        assert index.notice.startswith(f"answering from the index of {index.seal.built}: ")
        assert index.search("H100 memory", 1)[0].stored.passage.source == "h100"
    assert build(base).changed == ("h100",)
    assert entries(base) == sealed(base, seal)


def test_a_full_disk_costs_no_copy_of_a_document(base: KnowledgeFolder, tmp_path: Path) -> None:
    original = tmp_path / "documents" / "h100.md"
    original.write_text(H100 + "More words. " * 200)
    with small_disk(100):
        report = add_files(base, [original])
    assert [type(error) for _, error in report.refused] == [StorageFailed]
    assert (base.folder / "documents" / "h100" / "h100.md").read_text() == H100


def test_a_read_only_folder_is_told_and_the_last_index_answers(
    base: KnowledgeFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    (tmp_path / "documents" / "h100.md").write_text(MFU)
    monkeypatch.setattr(Path, "mkdir", refuse)
    with pytest.raises(StorageFailed, match=rf"{base.index_folder} cannot be written: Read-only file system"):
        build(base)
    with opened(base) as index:
        assert "cannot be written: Read-only file system; free some space or permission there" in index.notice
        assert "80 GB" in index.store.source_text("h100")
