"""Several processes on one server: nobody's document is lost, and no reader sees half of a build."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from chipwise.building.building import build
from chipwise.building.documents import add_files, initialise, remove_sources
from chipwise.errors import KnowledgeBaseBusy, SourceUnknown, StorageFailed
from chipwise.models import DEFAULT_MODEL
from chipwise.opening import opened
from chipwise.postgres.server import KnowledgeServer

from ..conftest import ROOT
from ..documents import SMALL, write

ADDING = """
import sys
from pathlib import Path
from chipwise.building.documents import add_files
from chipwise.postgres.server import KnowledgeServer
add_files(KnowledgeServer(sys.argv[1], Path(sys.argv[2])), [Path(file) for file in sys.argv[3:]])
"""
KILLED = """
import os, signal, sys
from pathlib import Path
sys.path.insert(0, sys.argv[3])
from tests.fakes import install
from chipwise.building.building import build
from chipwise.postgres.server import KnowledgeServer
from chipwise.postgres.store import PostgresStore
install()
PostgresStore.commit = lambda store: os.kill(os.getpid(), signal.SIGKILL)
build(KnowledgeServer(sys.argv[1], Path(sys.argv[2])))
"""


def process(script: str, *arguments: str | Path) -> subprocess.Popen[bytes]:
    """Another process that runs `script`, with psycopg from where it is here."""
    import psycopg

    path = os.pathsep.join((os.environ["PYTHONPATH"], str(Path(psycopg.__file__).parents[1])))
    command = [sys.executable, "-c", script, *map(str, arguments)]
    return subprocess.Popen(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": path})


def another(served: KnowledgeServer) -> KnowledgeServer:
    """The same database, as another process on this machine has it."""
    return KnowledgeServer(served.url, served.folder.parent)


def test_two_processes_that_add_at_once_lose_no_document(served: KnowledgeServer, tmp_path: Path) -> None:
    files = [
        write(tmp_path / f"of-{n}", {f"{n}-{i}.md": f"# Note {n} {i}\n\nIt holds {i} GB.\n" for i in range(5)})
        for n in "ab"
    ]
    running = [process(ADDING, served.url, tmp_path / "servers", *some) for some in files]
    assert [each.wait() for each in running] == [0, 0]
    assert build(served).added == tuple(f"{n}-{i}" for n in "ab" for i in range(5))
    assert build(another(served)).nothing_changed


def test_a_reader_keeps_the_index_that_it_opened_and_the_next_one_sees_the_new(
    served: KnowledgeServer, tmp_path: Path
) -> None:
    with opened(served) as before:
        ids, passages = before.store.source_ids(), before.store.count_passages()
        writer = another(served)
        add_files(writer, write(tmp_path / "more", {"mfu.md": SMALL["mfu.md"]}))
        remove_sources(writer, ["h100"])
        with writer.building() as half:
            half.remove_source("h200")
            assert before.store.source_ids() == ids
        build(writer)
        assert (before.store.source_ids(), before.store.count_passages()) == (ids, passages)
        assert before.search("memory of the H100", 5)[0].stored.passage.source == "h100"
    with opened(served) as after:
        assert after.store.source_ids() == ["h200", "mfu", "tpu"]


def test_while_another_builds_the_last_index_answers_and_says_so(served: KnowledgeServer, tmp_path: Path) -> None:
    add_files(served, write(tmp_path / "more", {"mfu.md": SMALL["mfu.md"]}))
    with another(served).building():
        with pytest.raises(KnowledgeBaseBusy, match="another chipwise is building"):
            build(served)
        with opened(served) as index:
            assert "another chipwise is building" in index.notice
            assert index.store.source_ids() == ["h100", "h200", "tpu"]


def test_a_build_that_is_killed_changes_nothing(served: KnowledgeServer, tmp_path: Path) -> None:
    add_files(served, write(tmp_path / "more", {"mfu.md": SMALL["mfu.md"]}))
    assert process(KILLED, served.url, tmp_path / "servers", ROOT).wait() == -signal.SIGKILL
    with another(served).building() as store:
        assert store.source_ids() == ["h100", "h200", "tpu"]
    assert build(served).added == ("mfu",)


def test_another_machine_need_not_read_again_what_one_has_built(served: KnowledgeServer, tmp_path: Path) -> None:
    elsewhere = KnowledgeServer(served.url, tmp_path / "elsewhere")
    assert build(elsewhere).nothing_changed
    with opened(elsewhere) as index:
        assert index.search("memory bandwidth of the H200", 1)[0].stored.passage.source == "h200"


def test_a_database_that_holds_a_knowledge_base_is_not_made_anew(served: KnowledgeServer) -> None:
    with pytest.raises(StorageFailed, match="already holds a knowledge base"):
        initialise(another(served), shipped=False, model=DEFAULT_MODEL)


def test_to_remove_what_was_not_added_removes_nothing(served: KnowledgeServer) -> None:
    with pytest.raises(SourceUnknown):
        remove_sources(served, ["tpu", "nobody"])
    assert [document.id for document in served.read_contents().documents] == ["h100", "h200", "tpu"]
