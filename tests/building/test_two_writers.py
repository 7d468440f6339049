"""Adding and removing that is killed, or done by two at once, loses no document and leaves no half of one."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from chipwise.building.building import build
from chipwise.building.documents import add_files, remove_sources
from chipwise.errors import StorageFailed
from chipwise.knowledge import KnowledgeFolder

from ..conftest import ROOT
from .looking import small_disk, texts

# dies when it writes or removes for the n-th time
KILLED = """
import os, shutil, signal, sys
from pathlib import Path
from chipwise.building import documents
from chipwise.building.documents import add_files, remove_sources
from chipwise.knowledge import KnowledgeFolder

left = int(sys.argv[2])

def dying(function):
    def wrapped(*arguments, **named):
        global left
        left -= 1
        if left < 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return function(*arguments, **named)
    return wrapped

os.fsync, Path.replace, shutil.rmtree = dying(os.fsync), dying(Path.replace), dying(shutil.rmtree)
base = KnowledgeFolder(Path(sys.argv[1]))
if sys.argv[3] == "remove":
    remove_sources(base, ["tpu"])
else:
    add_files(base, [Path(sys.argv[3])])
"""
ADDING = """
import sys
from pathlib import Path
from chipwise.building.documents import add_files
from chipwise.knowledge import KnowledgeFolder
add_files(KnowledgeFolder(Path(sys.argv[1])), [Path(file) for file in sys.argv[2:]])
"""


def killed(base: KnowledgeFolder, moment: int, what: str) -> None:
    arguments = [sys.executable, "-c", KILLED, str(base.folder), str(moment), what]
    assert subprocess.run(arguments, cwd=ROOT, check=False).returncode in (0, -signal.SIGKILL)


@pytest.mark.parametrize("moment", range(5))
def test_adding_that_is_killed_adds_the_document_or_does_not(
    base: KnowledgeFolder, tmp_path: Path, moment: int
) -> None:
    (tmp_path / "new.md").write_text("The MI300X has 192 GB of memory.")
    killed(base, moment, str(tmp_path / "new.md"))
    ids = {document.id for document in base.read_contents().documents}
    assert ids in ({"h100", "h200", "tpu"}, {"h100", "h200", "tpu", "new"})
    add_files(base, [tmp_path / "new.md"])
    build(base)
    assert set(texts(base)) == {"h100", "h200", "tpu", "new"}


@pytest.mark.parametrize("moment", range(4))
def test_removing_that_is_killed_leaves_every_document_that_is_named(base: KnowledgeFolder, moment: int) -> None:
    killed(base, moment, "remove")
    for document in base.read_contents().documents:
        assert (base.folder / document.file).is_file()
    if any(document.id == "tpu" for document in base.read_contents().documents):
        remove_sources(base, ["tpu"])
    build(base)
    assert set(texts(base)) == {"h100", "h200"}


def test_two_that_add_at_once_lose_nothing(base: KnowledgeFolder, tmp_path: Path) -> None:
    names = [[f"{who}-{n}" for n in range(5)] for who in ("one", "two")]
    every = {name for own in names for name in own}
    for name in every:
        (tmp_path / f"{name}.md").write_text(f"The {name} has 80 GB.")
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", ADDING, str(base.folder), *(str(tmp_path / f"{name}.md") for name in own)], cwd=ROOT
        )
        for own in names
    ]
    assert [writer.wait() for writer in writers] == [0, 0]
    assert {document.id for document in base.read_contents().documents} == {"h100", "h200", "tpu", *every}


def test_removing_on_a_full_disk_is_told_and_removes_nothing(base: KnowledgeFolder) -> None:
    with small_disk(10), pytest.raises(StorageFailed, match="cannot be written"):
        remove_sources(base, ["tpu"])
    assert (base.folder / "documents" / "tpu" / "tpu.md").is_file()
    assert "tpu" in {document.id for document in base.read_contents().documents}


@pytest.fixture
def mounted(tmp_path: Path) -> Path:
    """A file system of 256 KiB, where one may be mounted."""
    folder = tmp_path / "small"
    folder.mkdir()
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", str(folder)], capture_output=True, check=False
    ) if os.geteuid() == 0 else None  # fmt: skip
    if done is None or done.returncode:
        pytest.skip("no file system can be mounted here")
    return folder


def test_a_file_system_that_is_full_is_told(mounted: Path, tmp_path: Path) -> None:
    try:
        large = tmp_path / "large.md"
        large.write_text("The H100 has 80 GB of memory. " * 20_000)
        base = KnowledgeFolder(mounted / "kb")
        report = add_files(base, [large])
        assert [type(error) for _, error in report.refused] == [StorageFailed]
        assert base.read_contents().documents == ()
    finally:
        subprocess.run(["umount", str(mounted)], check=False)
