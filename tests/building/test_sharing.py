"""Several processes and one knowledge base: no change is lost, and no reader loses what it reads."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from chipwise import files, knowledge
from chipwise.building import documents
from chipwise.building.building import build
from chipwise.building.documents import add_files, follow_originals, initialise, remove_sources
from chipwise.errors import KnowledgeBaseBusy, StorageFailed
from chipwise.index import store
from chipwise.index.store import Store, open_store
from chipwise.knowledge import CONTENTS_LOCK, KnowledgeFolder
from chipwise.opening import opened

from ..conftest import COMMAND, ROOT
from ..documents import H100, MFU

ADD = """
import sys
from pathlib import Path
from chipwise.building.documents import add_files
from chipwise.knowledge import KnowledgeFolder

for path in map(Path, sys.argv[2:]):
    assert add_files(KnowledgeFolder(Path(sys.argv[1])), [path]).added
"""


def test_processes_that_add_at_once_lose_no_document(tmp_path: Path) -> None:
    base = KnowledgeFolder(tmp_path / "kb")
    initialise(base, shipped=False, model="m")
    paths = [tmp_path / f"note-{n}.md" for n in range(30)]
    for path in paths:
        path.write_text(f"Words of {path.stem}.")
    shares = [[str(path) for path in paths[n::6]] for n in range(6)]
    running = [subprocess.Popen([sys.executable, "-c", ADD, str(base.folder), *own], cwd=ROOT) for own in shares]
    assert [process.wait() for process in running] == [0] * 6
    assert {d.id for d in base.read_contents().documents} == {path.stem for path in paths}


def test_an_edit_waits_for_the_one_before_it(base: KnowledgeFolder, tmp_path: Path) -> None:
    (tmp_path / "mfu.md").write_text(MFU)
    other = threading.Thread(target=add_files, args=(base, [tmp_path / "mfu.md"]))
    with base.editing() as contents:
        other.start()
        other.join(0.2)
        assert base.read_contents() == contents
    other.join()
    assert {d.id for d in base.read_contents().documents} == {"h100", "h200", "tpu", "mfu"}


def test_an_edit_that_never_ends_is_told(base: KnowledgeFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    def impatient(path: Path, doing: str, *, timeout: float) -> Any:
        assert timeout == 10
        return files.locked(path, doing, timeout=0.05)

    monkeypatch.setattr(knowledge, "locked", impatient)
    with (
        files.locked(base.folder / CONTENTS_LOCK, "writing", timeout=0),
        pytest.raises(KnowledgeBaseBusy, match=f"another chipwise is changing {base.folder}") as raised,
    ):
        remove_sources(base, ["h100"])
    assert raised.value.hint == "wait until it has finished, then try again"
    assert len(base.read_contents().documents) == 3


@pytest.mark.parametrize("meanwhile", ["added", "removed"])
def test_following_originals_overwrites_no_edit_made_meanwhile(
    base: KnowledgeFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, meanwhile: str
) -> None:
    (tmp_path / "documents" / "h100.md").write_text(H100.replace("80 GB", "94 GB"))
    (tmp_path / "mfu.md").write_text(MFU)
    read = documents.read_bytes
    pending = [lambda: add_files(base, [tmp_path / "mfu.md"])]
    if meanwhile == "removed":
        pending = [lambda: remove_sources(base, ["h100"])]

    def read_slowly(*values: Any, **named: Any) -> Any:
        if pending:
            pending.pop()()
        return read(*values, **named)

    monkeypatch.setattr(documents, "read_bytes", read_slowly)
    follow_originals(base)
    ids = {d.id for d in base.read_contents().documents}
    assert ids == ({"h100", "h200", "tpu", "mfu"} if meanwhile == "added" else {"h200", "tpu"})
    assert (base.folder / "documents" / "h100").exists() == (meanwhile == "added")


def test_two_that_make_one_knowledge_base_are_one_and_an_error(tmp_path: Path) -> None:
    base = KnowledgeFolder(tmp_path / "kb")
    with base.editing():  # what is left of a process that was killed here
        pass
    assert [path.name for path in base.folder.iterdir()] == [CONTENTS_LOCK]
    initialise(base, shipped=False, model="m")
    with pytest.raises(StorageFailed, match="is not empty"):
        initialise(base, shipped=True, model="m")
    assert not base.read_contents().shipped


def test_a_reader_keeps_its_index_while_a_build_seals_another(base: KnowledgeFolder) -> None:
    with opened(base) as index:
        build(base, fresh=True)
        assert base.read_seal().generation != index.seal.generation
        found = index.search("H100 memory", 1)  # the vectors and the encoder are opened only now
    assert found[0].stored.passage.source == "h100"


def test_a_generation_that_went_between_its_seal_and_its_opening_is_no_error(
    base: KnowledgeFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    pending = [1, 2]

    def open_late(path: Path) -> Store:
        while pending:
            pending.pop()
            build(base, fresh=True)
        return open_store(path)

    monkeypatch.setattr(store, "open_store", open_late)
    before = base.read_seal()
    with opened(base) as index:
        assert not base.generation_folder(before).exists()
        assert index.seal == base.read_seal()
        assert index.search("H100 memory", 1)[0].stored.passage.source == "h100"


def test_whatever_stops_a_refresh_the_last_index_answers_and_says_so(base: KnowledgeFolder) -> None:
    (base.folder / "domain").mkdir()
    path = base.folder / "domain" / "terms.toml"
    path.write_text('[[term]]\nid = "x"\n')
    with opened(base) as index:
        assert index.search("H100 memory", 1)[0].stored.passage.source == "h100"
        assert index.notice.startswith(f"answering from the index of {index.seal.built}: {path}:1: name: ")


def test_the_notice_of_a_model_that_is_gone_says_what_to_do(
    base: KnowledgeFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from chipwise import models
    from chipwise.building import vectorising

    (tmp_path / "documents" / "h100.md").write_text(MFU)
    with base.editing() as contents:
        base.write_contents(knowledge.Contents(False, "no-such-model", contents.documents))
    monkeypatch.setattr(vectorising, "find_model", models.find_model)
    with opened(base) as index:
        assert "there is no model folder or installed package called 'no-such-model'; name a folder" in index.notice


def test_ten_processes_ask_one_knowledge_base_at_once(built: KnowledgeFolder) -> None:
    question = ["--kb", str(built.folder), "ask", "What is MFU, and why does it matter?"]
    started = [subprocess.Popen([*COMMAND, *question], stdout=subprocess.PIPE) for _ in range(10)]
    answers = {process.communicate()[0] for process in started}
    assert {process.returncode for process in started} <= {0, 1}
    assert len(answers) == 1
    assert answers != {b""}
