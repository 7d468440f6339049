"""Connections to the server: errors in one sentence, tables made, SQLite's SQL translated."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any

from chipwise import patterns as re
from chipwise.errors import ChipwiseError, KnowledgeBaseBusy, KnowledgeBaseDamaged, KnowledgeBaseMissing, StorageFailed
from chipwise.postgres import tables

PATIENCE = 2  # seconds for each of the server's addresses to answer, which is libpq's minimum
LOCK_PATIENCE = "10s"  # to wait for another editor
EDITING, BUILDING, MIGRATING = 0xC417_0001, 0xC417_0002, 0xC417_0003  # advisory locks, per database
_PREPARE = f"SELECT set_config('search_path', '{tables.SCHEMA}, ' || current_setting('search_path'), false)"
_PARAMETER = re.compile(r"(?<![:\w]):([a-z_]\w*)")
_LISTED = re.compile(r"IN \(SELECT value FROM json_each\(:(\w+)\)\)")


class Database:
    """A connection that accepts SQLite's parameters (`:name`, `?`, lists of ids as JSON) and its own (`%s`)."""

    def __init__(self, connection: Any, url: str) -> None:
        self.psycopg = connection
        self.url = url

    def execute(self, sql: str, values: Mapping[str, Any] | Sequence[Any] = ()) -> Any:
        """Run `sql` and return a cursor."""
        return self.psycopg.execute(_translated(sql), values or None)

    def executemany(self, sql: str, rows: Any) -> None:
        """Run `sql` for each of `rows`."""
        with self.psycopg.cursor() as cursor:
            cursor.executemany(_translated(sql), rows)

    def copy(self, table: str, rows: Any) -> None:
        """Insert `rows` into a table (column names may follow in brackets), faster than by INSERT."""
        with self.psycopg.cursor() as cursor, cursor.copy(f"COPY {table} FROM STDIN") as copy:
            for row in rows:
                copy.write_row(row)

    def close(self) -> None:
        """Close the connection; uncommitted changes are lost."""
        self.psycopg.close()

    @contextmanager
    def transaction(self, lock: int = 0, doing: str = "") -> Iterator[None]:
        """Run a transaction, with a `lock` that no other process holds. Raises KnowledgeBaseBusy.

        An editor waits for another editor; a build gives way to a running one.
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


def _any_of(match: Any) -> str:
    kind = "bigint" if match[1] == "ids" else "text"
    return f"= ANY (ARRAY(SELECT jsonb_array_elements_text(:{match[1]}::jsonb)::{kind}))"


def _busy(doing: str) -> KnowledgeBaseBusy:
    return KnowledgeBaseBusy(f"another chipwise is {doing}", hint="wait until it has finished, then try again")


def place(url: str) -> str:
    """Return the URL without password and options, safe to show."""
    return f"postgresql://{url.partition('://')[2].partition('?')[0].rpartition('@')[2]}"


def connect(url: str) -> Database:
    """Open a connection in autocommit mode, with tables of this version.

    Raises KnowledgeBaseMissing if the server doesn't answer in time, refuses the login or lacks pgvector;
    KnowledgeBaseDamaged if a newer chipwise made the tables; ChipwiseError if psycopg is not installed.
    """
    with explained(url):
        import psycopg  # noqa: PLC0415

        factory = psycopg.ClientCursor
        connection = psycopg.connect(url, autocommit=True, cursor_factory=factory, connect_timeout=PATIENCE)
        database = Database(connection, url)
        try:
            database.execute(_PREPARE)
            database.execute("SET jit = off")
            _migrate(database)
        except BaseException:
            database.close()
            raise
    return database


def _migrate(database: Database) -> None:
    version = _version(database)
    if version > tables.VERSION:
        raise KnowledgeBaseDamaged(
            f"{place(database.url)} has tables of version {version}; this chipwise supports {tables.VERSION}",
            hint="install the newer chipwise that made them",
        )
    if version == tables.VERSION:
        return
    with database.transaction(MIGRATING):
        database.execute(tables.CREATE_VERSION)
        if _version(database) < tables.VERSION:  # another process may have been first
            database.execute(tables.CREATE)
            database.execute(tables.INSERT_VERSION, (tables.VERSION,))


def _version(database: Database) -> int:
    if database.execute(tables.SELECT_TABLE).fetchone()[0] is None:
        return 0
    return int(database.execute(tables.SELECT_VERSION).fetchone()[0])


@contextmanager
def explained(url: str) -> Iterator[None]:
    """Turn refusals of the server or the network into an error with advice; bugs of ours pass unchanged."""
    try:
        import psycopg  # noqa: PLC0415
        from psycopg import errors  # noqa: PLC0415
    except ImportError:
        message = "a knowledge base on a server needs psycopg, which is not installed"
        raise ChipwiseError(message, hint="pip install 'chipwise[postgres]'") from None
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
            f"no permission on {place(url)}: {_first_line(error, url)}",
            hint="ask its owner for CREATE on the database, and for `CREATE EXTENSION vector`",
        ) from None
    except (errors.DiskFull, errors.ReadOnlySqlTransaction) as error:
        message = f"{place(url)} cannot be written: {_first_line(error, url)}"
        raise StorageFailed(message, hint="fix that on the server") from None
    except (psycopg.OperationalError, errors.InvalidAuthorizationSpecification) as error:
        raise KnowledgeBaseMissing(
            f"{place(url)} cannot be reached: {_first_line(error, url)}",
            hint="check the URL and that the server is running; a password can come from PGPASSWORD or ~/.pgpass",
        ) from None
    except psycopg.ProgrammingError as error:
        if error.sqlstate is not None:
            raise
        raise KnowledgeBaseMissing(  # psycopg's error for a URL that it can't parse
            f"the URL of the knowledge base is not a valid PostgreSQL URL: {_first_line(error, url)}",
            hint="write postgresql://user@host:5432/database",
        ) from None


def _first_line(error: Exception, url: str) -> str:
    """The reason of an error without passwords: libpq quotes a URL that it can't read."""
    text = next(filter(None, str(error).strip().splitlines()), "no reason given")
    for secret in sorted(_secrets(url), key=len, reverse=True):
        text = text.replace(secret, "***")
    return text.rsplit("FATAL:", 1)[-1].strip()


def _secrets(url: str) -> set[str]:
    rest = url.partition("://")[2]
    login, at, _ = rest.rpartition("@")
    secrets = {login.partition(":")[2]} if at else set()
    options = (option.partition("=") for option in url.partition("?")[2].split("&"))
    secrets |= {value for key, _, value in options if "password" in key}
    try:
        from psycopg.conninfo import conninfo_to_dict  # noqa: PLC0415

        secrets.add(str(conninfo_to_dict(url).get("password") or ""))  # without %-escapes
    except Exception:  # noqa: S110 (a URL that can't be parsed has no other form)
        pass
    return {url, *filter(None, secrets)}
