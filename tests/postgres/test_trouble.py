"""What can be wrong with a server is one sentence, soon, and without a password."""

from __future__ import annotations

import socket
import time
from pathlib import Path

import pytest

from chipwise import KnowledgeBase
from chipwise.building.building import build
from chipwise.errors import ChipwiseError, KnowledgeBaseDamaged, KnowledgeBaseMissing
from chipwise.index import schema
from chipwise.opening import opened
from chipwise.postgres import connection
from chipwise.postgres.connection import connect, place
from chipwise.postgres.server import EXTRACTION, KnowledgeServer

from ..conftest import Chipwise
from .conftest import NewDatabase

SECRET = "s3cret-w0rd"  # noqa: S105
UNREACHABLE = [
    f"postgresql://me:{SECRET}@localhost:1/base",
    f"postgresql://me:{SECRET}@[::1/base",
    f"postgresql://me:{SECRET}@localhost:none/base",
    f"postgresql://me@localhost:1/base?password={SECRET}&nonsense=1",
    f"postgresql:///base?host=/nowhere&user=me&password={SECRET}",
]


@pytest.mark.parametrize("url", UNREACHABLE)
def test_a_server_that_cannot_be_reached_is_told_at_once_and_no_password_with_it(chipwise: Chipwise, url: str) -> None:
    pytest.importorskip("psycopg")
    started = time.monotonic()
    for command in (["facts", "h200"], ["sources"], ["doctor"]):
        result = chipwise("--kb", url, *command)
        assert result.exit_code in (1, 2)
        assert SECRET not in result.output
        assert "Traceback" not in result.output
    assert time.monotonic() - started < 4 * 2


def test_a_server_that_does_not_answer_is_given_up(tmp_path: Path) -> None:
    pytest.importorskip("psycopg")
    with socket.socket(socket.AF_UNIX) as silent:
        silent.bind(str(tmp_path / ".s.PGSQL.5432"))
        silent.listen()
        with pytest.raises(KnowledgeBaseMissing, match="cannot be reached"):
            connect(f"postgresql://me:{SECRET}@/base?host={tmp_path}")


def test_without_psycopg_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "psycopg", None)
    for use in (connect, lambda url: KnowledgeBase(url).status()):
        with pytest.raises(ChipwiseError) as raised:
            use("postgresql://localhost/base")
        assert raised.value.hint == "pip install 'chipwise[postgres]'"


def test_a_server_without_pgvector_is_told(new_database: NewDatabase, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "CREATE", connection.CREATE.replace("EXISTS vector", "EXISTS vector_not_there"))
    with pytest.raises(KnowledgeBaseMissing, match="has no pgvector") as raised:
        connect(new_database())
    assert raised.value.hint == "install pgvector on the server"


def test_an_older_database_keeps_its_documents_and_is_built_anew(
    served: KnowledgeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = served.read_contents()
    served.database.close()
    monkeypatch.setattr(connection, "VERSION", connection.VERSION + 1)
    assert served.read_contents() == before
    assert served.find_seal() is None
    assert build(served).passages > 0
    served.database.close()
    assert served.find_seal() is not None, "once is enough"


def test_a_change_of_tables_that_fails_leaves_those_before_it(
    served: KnowledgeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    import psycopg

    with monkeypatch.context() as patch:
        patch.setattr(connection, "VERSION", connection.VERSION + 1)
        patch.setattr(connection, "CREATE", f"{connection.CREATE}; SELECT 1 / 0")
        with pytest.raises(psycopg.errors.DivisionByZero):
            connect(served.url)
    database = connect(served.url)
    assert database.execute("SELECT count(*) FROM claim").fetchone()[0] > 0
    database.close()


def test_tables_of_a_newer_chipwise_are_refused(served: KnowledgeServer) -> None:
    database = connect(served.url)
    database.execute(connection.INSERT_VERSION, (connection.VERSION + 1,))
    database.close()
    with pytest.raises(KnowledgeBaseDamaged, match=rf"version {connection.VERSION + 1}; this chipwise supports"):
        connect(served.url)


def test_an_index_of_a_newer_chipwise_is_refused(served: KnowledgeServer) -> None:
    database = connect(served.url)
    newer = {"key": EXTRACTION, "value": str(schema.EXTRACTION + 1)}
    database.execute(schema.WRITE_NOTE, newer)
    database.close()
    with pytest.raises(KnowledgeBaseDamaged, match="a newer chipwise made the index"):
        served.find_seal()


def test_doctor_and_sources_tell_what_is_there(served: KnowledgeServer, chipwise: Chipwise) -> None:
    url = served.url
    sources = chipwise("--kb", url, "sources")
    assert sources.output.splitlines()[-1].startswith("3 sources, ")
    status = chipwise("--kb", url, "doctor").output
    assert status.startswith(f"folder     {place(url)}\n")
    assert "no shipped corpus, 3 added documents" in status
    assert "up to date" in status
    assert status.endswith("Everything is in order.\n")


def test_doctor_finds_a_passage_without_a_vector_and_one_that_is_not_in_its_source(
    served: KnowledgeServer, chipwise: Chipwise
) -> None:
    database = connect(served.url)
    database.execute("DELETE FROM embedding WHERE passage = (SELECT min(passage) FROM embedding)")
    database.execute("UPDATE passage SET text = 'Other words.' WHERE source = 'tpu' AND ordinal = 1")
    database.close()
    told = chipwise("--kb", served.url, "doctor")
    assert told.exit_code == 1
    assert "passages, but" in told.output
    assert "1 passages don't match their source" in told.output


def test_a_server_that_goes_away_meanwhile_is_told(served: KnowledgeServer) -> None:
    def ask() -> None:
        with opened(served) as index:
            other = connect(served.url)
            own = index.store._db.execute("SELECT pg_backend_pid()").fetchone()[0]
            other.execute("SELECT pg_terminate_backend(%s)", (own,))
            other.close()
            index.store.source_ids()

    with pytest.raises(KnowledgeBaseMissing, match="cannot be reached"):
        ask()


@pytest.mark.parametrize(
    ("column", "value"), [("id", "../../outside"), ("name", "../../../outside.md"), ("name", "..")]
)
def test_a_row_that_leads_out_of_the_folder_is_refused(
    served: KnowledgeServer, tmp_path: Path, column: str, value: str
) -> None:
    update = f"UPDATE document SET {column} = %s, sha256 = '' WHERE id LIKE 'h200%%'"  # noqa: S608  not of a user
    served.database.psycopg.execute(update, (value,))
    for use in (served.read_contents, lambda: build(served, fresh=True)):
        with pytest.raises(KnowledgeBaseDamaged, match=r"outside|not a path"):
            use()
    assert not list(tmp_path.rglob("outside*"))
