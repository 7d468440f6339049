"""Connecting to the server: what can go wrong said in one sentence, the tables made or migrated, SQLite's SQL put in its way."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any

from chipwise import patterns as re
from chipwise.errors import ChipwiseError, KnowledgeBaseBusy, KnowledgeBaseDamaged, KnowledgeBaseMissing, StorageFailed
from chipwise.postgres import tables

PATIENCE = 1.7  # seconds for the server to answer; libpq itself waits for two at the least, for each address
LOCK_PATIENCE = "10s"  # for another process that edits
EDITING, BUILDING, MIGRATING = 0xC417_0001, 0xC417_0002, 0xC417_0003  # advisory locks, each of one database
_PREPARE = f"SELECT set_config('search_path', '{tables.SCHEMA}, ' || current_setting('search_path'), false)"
_PARAMETER = re.compile(r"(?<![:\w]):([a-z_]\w*)")
_LISTED = re.compile(r"IN \(SELECT value FROM json_each\(:(\w+)\)\)")


class Database:
    """A connection that runs SQLite's parameters, `:name` and `?`, and lists of ids as JSON; and its own, `%s`."""

    def __init__(self, connection: Any, url: str) -> None:
        self.psycopg = connection
        self.url = url

    def execute(self, sql: str, values: Mapping[str, Any] | Sequence[Any] = ()) -> Any:
        """A cursor over what `sql` gives."""
        return self.psycopg.execute(_translated(sql), values or None)

    def executemany(self, sql: str, rows: Any) -> None:
        """Runs `sql` for each of `rows`."""
        with self.psycopg.cursor() as cursor:
            cursor.executemany(_translated(sql), rows)

    def copy(self, table: str, rows: Any) -> None:
        """Puts `rows` into a table, whose columns a name in brackets may follow, faster than by INSERT."""
        with self.psycopg.cursor() as cursor, cursor.copy(f"COPY {table} FROM STDIN") as copy:
            for row in rows:
                copy.write_row(row)

    def close(self) -> None:
        """Ends the connection; what was not committed is gone."""
        self.psycopg.close()

    @contextmanager
    def transaction(self, lock: int = 0, doing: str = "") -> Iterator[None]:
        """One transaction; with a `lock`, while no other process holds it. Raises KnowledgeBaseBusy.

        An editor waits for another, a build gives way to the one that runs.
        """
        with self.psycopg.transaction():
            if lock == BUILDING:
                if not self.execute("SELECT pg_try_advisory_xact_lock(%s)", (lock,)).fetchone()[0]:
                    raise _busy(doing)
            elif lock:
                self.execute(f"SET LOCAL lock_timeout = '{LOCK_PATIENCE}'")
                self.execute("SELECT pg_advisory_xact_lock(%s)", (lock,))
                self.execute("SET LOCAL lock_timeout = 0")
            yield


@cache
def _translated(sql: str) -> str:
    if sql in tables.OWN:
        return tables.OWN[sql]
    listed = _LISTED.sub(_any_of, sql)
    return _PARAMETER.sub(r"%(\1)s", listed).replace("?", "%s")


def _any_of(found: Any) -> str:
    kind = "bigint" if found[1] == "ids" else "text"
    return f"= ANY (ARRAY(SELECT jsonb_array_elements_text(:{found[1]}::jsonb)::{kind}))"


def _busy(doing: str) -> KnowledgeBaseBusy:
    return KnowledgeBaseBusy(f"another chipwise is {doing}", hint="wait until it has finished, then try again")


def place(url: str) -> str:
    """The URL as it may be shown: without password and options."""
    return f"postgresql://{url.partition('://')[2].partition('?')[0].rpartition('@')[2]}"


def connect(url: str) -> Database:
    """A connection in autocommit, with tables of this version.

    Raises KnowledgeBaseMissing for a server that does not answer in time or takes nobody in, or has no pgvector;
    KnowledgeBaseDamaged for tables of a newer chipwise; ChipwiseError where psycopg is not installed.
    """
    try:
        import psycopg  # noqa: PLC0415
    except ImportError:
        raise ChipwiseError(
            "a knowledge base on a server needs psycopg, which is not installed",
            hint="pip install 'chipwise[postgres]'",
        ) from None
    with explained(url):
        database = Database(_connected(url, psycopg), url)
        try:
            database.execute(_PREPARE)
            database.execute("SET jit = off")
            _migrate(database)
        except BaseException:
            database.close()
            raise
    return database


def _connected(url: str, psycopg: Any) -> Any:
    """A connection within PATIENCE. subtle: libpq counts in whole seconds and for each address, so a thread waits for it."""
    found: list[Any] = []

    def attempt() -> None:
        try:
            found.append(psycopg.connect(url, autocommit=True, cursor_factory=psycopg.ClientCursor, connect_timeout=2))
        except Exception as error:
            found.append(error)

    thread = threading.Thread(target=attempt, daemon=True)
    thread.start()
    thread.join(PATIENCE)
    if not found:
        raise psycopg.OperationalError("it does not answer")
    if isinstance(found[0], Exception):
        raise found[0]
    return found[0]


def _migrate(database: Database) -> None:
    version = _version(database)
    if version > len(tables.MIGRATIONS):
        raise KnowledgeBaseDamaged(
            f"{place(database.url)} has tables of version {version}, this chipwise knows {len(tables.MIGRATIONS)}",
            hint="install the newer chipwise that made them",
        )
    if version == len(tables.MIGRATIONS):
        return
    with database.transaction(MIGRATING):
        database.execute(tables.CREATE_VERSION)
        version = _version(database)  # another process may have been first
        for number, migration in enumerate(tables.MIGRATIONS[version:], start=version + 1):
            database.execute(migration)
            database.execute(tables.INSERT_VERSION, (number,))


def _version(database: Database) -> int:
    if database.execute(tables.SELECT_TABLE).fetchone()[0] is None:
        return 0
    return int(database.execute(tables.SELECT_VERSION).fetchone()[0])


@contextmanager
def explained(url: str) -> Iterator[None]:
    """Turns what the server or the way to it refuses into an error that says what to do; mistakes of ours stay as they are."""
    import psycopg  # noqa: PLC0415
    from psycopg import errors  # noqa: PLC0415

    try:
        yield
    except (errors.LockNotAvailable, errors.DeadlockDetected):
        raise _busy(f"changing {place(url)}") from None
    except (errors.FeatureNotSupported, errors.UndefinedFile) as error:
        if "vector" not in str(error):
            raise
        message = f"{place(url)} has no pgvector: {_first_line(error, url)}"
        raise KnowledgeBaseMissing(message, hint="install pgvector on the server") from None
    except errors.InsufficientPrivilege as error:
        raise KnowledgeBaseMissing(
            f"{place(url)} does not allow it: {_first_line(error, url)}",
            hint="ask its owner for CREATE on the database, and for `CREATE EXTENSION vector`",
        ) from None
    except (errors.DiskFull, errors.ReadOnlySqlTransaction) as error:
        message = f"{place(url)} cannot be written: {_first_line(error, url)}"
        raise StorageFailed(message, hint="mend that on the server") from None
    except (psycopg.OperationalError, errors.InvalidAuthorizationSpecification) as error:
        raise KnowledgeBaseMissing(
            f"{place(url)} cannot be reached: {_first_line(error, url)}",
            hint="check the URL and that the server runs; a password may stand in PGPASSWORD or ~/.pgpass",
        ) from None
    except psycopg.ProgrammingError as error:
        if error.sqlstate is not None:
            raise
        raise KnowledgeBaseMissing(  # psycopg's word for a URL that it cannot read
            f"the URL of the knowledge base is none that PostgreSQL knows: {_first_line(error, url)}",
            hint="write postgresql://user@host:5432/database",
        ) from None


def _first_line(error: Exception, url: str) -> str:
    """What went wrong, without any password that the URL holds: libpq quotes a URL that it cannot read."""
    text = next(filter(None, str(error).strip().splitlines()), "no reason given")
    for secret in sorted(_secrets(url), key=len, reverse=True):
        text = text.replace(secret, "***")
    return text.rsplit("FATAL:", 1)[-1].strip()


def _secrets(url: str) -> set[str]:
    rest = url.partition("://")[2]
    named, at, _ = rest.rpartition("@")
    found = {named.partition(":")[2]} if at else set()
    options = (option.partition("=") for option in url.partition("?")[2].split("&"))
    found |= {value for key, _, value in options if "password" in key}
    try:
        from psycopg.conninfo import conninfo_to_dict  # noqa: PLC0415

        found.add(str(conninfo_to_dict(url).get("password") or ""))  # as it is without %-escapes
    except Exception:  # noqa: S110 (what cannot be read has no other form)
        pass
    return {url, *filter(None, found)}
