"""A knowledge base on a server: its contents, and the inputs of its index."""

from __future__ import annotations

import errno
import hashlib
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from chipwise.corpus import question_reader_folder
from chipwise.errors import KnowledgeBaseDamaged, KnowledgeBaseMissing, StorageFailed
from chipwise.files import FileState, file_times, read_text, write_atomically
from chipwise.index import schema
from chipwise.knowledge import (
    AddedDocument,
    Contents,
    KnowledgeFolder,
    Seal,
    WantedSource,
    checked_document,
    checked_seal,
)
from chipwise.postgres import connection
from chipwise.postgres.connection import BUILDING, EDITING, Database, connect, explained, place
from chipwise.postgres.store import PostgresStore

CONTENTS, REVISION, SEAL, EXTRACTION = "contents", "revision", "seal", "extraction"  # notes
SHIPPED = "shipped.json"  # cached digest of the shipped files, so that a question need not read them


class KnowledgeServer(KnowledgeFolder):
    """A database. Constructing it connects to nothing.

    `folder` holds what belongs to this machine: the query encoder, the register of findings. Added documents are on
    the server with their content; originals are not tracked, because they may be on another machine.
    """

    shared = True

    def __init__(self, url: str, folder: Path) -> None:
        self.url = url
        super().__init__(folder / hashlib.sha256(place(url).encode()).hexdigest()[:12])
        self._open: Database | None = None

    def __del__(self) -> None:
        database = getattr(self, "_open", None)
        if database is not None:
            database.close()

    @property
    def place(self) -> str:
        """The URL without secrets."""
        return place(self.url)

    @property
    def database(self) -> Database:
        """The connection, kept until a store takes it over. Raises the errors of `connect`."""
        if self._open is None or self._open.psycopg.closed:
            self._open = connect(self.url)
        return self._open

    def _note(self, key: str) -> str:
        with explained(self.url):
            row = self.database.execute("SELECT value FROM note WHERE key = %s", (key,)).fetchone()
        return "" if row is None else str(row[0])

    def read_contents(self) -> Contents:
        """Read the contents; a new database holds only the shipped corpus."""
        shipped, model = json.loads(self._note(CONTENTS) or json.dumps([True, Contents().model]))
        with explained(self.url):
            rows = self.database.execute(connection.SELECT_DOCUMENTS)
        return Contents(shipped, model, tuple(self._checked(*row) for row in rows))

    def _checked(self, *row: Any) -> AddedDocument:
        """Check a row of the server: whoever can write there must not choose which files this machine writes."""
        try:
            return checked_document(dict(zip(AddedDocument.__slots__, row, strict=True)))
        except (ValueError, TypeError) as error:
            hint = "remove that row from its table `document`"
            raise KnowledgeBaseDamaged(f"{self.place}: {error}", hint=hint) from None

    @contextmanager
    def editing(self) -> Iterator[Contents]:
        """See `KnowledgeFolder`; changes become visible to others at the end, all or none."""
        with explained(self.url), self.database.transaction(EDITING, f"changing {self.place}"):
            yield self.read_contents()
            self._write(REVISION, str(int(self._note(REVISION) or 0) + 1))

    def _write(self, key: str, value: str) -> None:
        self.database.execute(schema.WRITE_NOTE, {"key": key, "value": value})

    def write_contents(self, contents: Contents) -> None:
        """Write the settings of the whole base; documents are kept and dropped one by one."""
        self._write(CONTENTS, json.dumps([contents.shipped, contents.model]))

    def keep_document(self, contents: Contents, document: AddedDocument, data: bytes) -> None:
        """See `KnowledgeFolder`."""
        d, digest = document, hashlib.sha256(data).hexdigest()
        row = (d.id, d.origin, Path(d.file).name, d.size, d.modified, digest, data)
        self.database.execute(connection.WRITE_DOCUMENT, row)

    def drop_documents(self, contents: Contents, gone: Sequence[AddedDocument]) -> None:
        """See `KnowledgeFolder`."""
        self.database.execute("DELETE FROM document WHERE id = ANY (%s)", ([d.id for d in gone],))

    def refuse_occupied(self) -> None:
        """See `KnowledgeFolder`."""
        if self._note(CONTENTS) or self._note(REVISION):
            raise StorageFailed(f"{self.place} already holds a knowledge base", hint="name another database with --kb")

    def domain_folders(self) -> list[Path]:
        """The shipped domain only: a user's own would exist on just one of several machines."""
        return super().domain_folders()[:1]

    def read_source(self, source: WantedSource, before: FileState | None) -> tuple[bytes, FileState] | None:
        """See `KnowledgeFolder`; an added document is read from the server, if its content isn't that of `before`."""
        if source.id is None:
            return super().read_source(source, before)
        row = self.database.execute(connection.SELECT_DATA, (before.sha256 if before else "", source.id)).fetchone()
        if row is None:
            raise FileNotFoundError(errno.ENOENT, "it was removed meanwhile")
        digest, data = row
        return None if data is None else (data, FileState(digest, len(data), 0))

    def stamp(self, contents: Contents) -> str:
        """Return a digest of the index's inputs, the same on every machine with the same chipwise."""
        ways = f"{schema.VERSION} {schema.EXTRACTION} {contents.model} {contents.shipped} {self._note(REVISION)}"
        return hashlib.sha256(f"{ways} {self._shipped(contents.shipped)}".encode()).hexdigest()

    def _shipped(self, shipped: bool) -> str:
        """Return a digest of the shipped files' contents, cached with their modification times."""
        times, path = super().stamp(Contents(shipped)), self.folder / SHIPPED
        try:
            cache = json.loads(read_text(path))
            if cache["times"] == times:
                return str(cache["digest"])
        except (OSError, ValueError, KeyError, TypeError):
            pass
        digest = hashlib.sha256()
        for file in self.inputs(Contents(shipped)):
            digest.update(Path(file).name.encode() + hashlib.sha256(Path(file).read_bytes()).digest())
        write_atomically(path, json.dumps({"times": times, "digest": digest.hexdigest()}))
        return digest.hexdigest()

    def find_seal(self) -> Seal | None:
        """See `KnowledgeFolder`. Raises KnowledgeBaseDamaged for an index made by a newer chipwise."""
        value = self._note(SEAL)
        if int(self._note(EXTRACTION) or 0) > schema.EXTRACTION:
            raise KnowledgeBaseDamaged(
                f"a newer chipwise made the index of {self.place}", hint="install that version here as well"
            )
        return checked_seal(json.loads(value), Path(self.place)) if value else None

    def read_seal(self) -> Seal:
        """See `KnowledgeFolder`."""
        seal = self.find_seal()
        if seal is None:
            raise KnowledgeBaseMissing(f"{self.place} holds no index yet", hint="run `chipwise build`")
        return seal

    def write_seal(self, seal: Seal) -> None:
        """Write the seal, inside the transaction of the build."""
        self._write(SEAL, json.dumps(asdict(seal)))
        self._write(EXTRACTION, str(schema.EXTRACTION))

    @contextmanager
    def reading(self, seal: Seal | None) -> Iterator[None]:
        """Turn the loss of the server while reading into an error that says so."""
        with explained(self.url):
            yield

    @contextmanager
    def building(self) -> Iterator[PostgresStore]:
        """Open a store for writing, in one transaction that excludes other builds. Raises KnowledgeBaseBusy."""
        with explained(self.url), self.database.transaction(BUILDING, f"building {self.place}"):
            yield PostgresStore(self.database)

    def open_sealed(self, seal: Seal) -> tuple[Seal, PostgresStore]:
        """Return the store as it is now, unaffected by later builds, and its seal."""
        database = self.database
        database.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        seal = self.read_seal()
        self._open = None  # the store's from now on
        return seal, PostgresStore(database)

    def open_vectors(self, seal: Seal, store: Any) -> Any:
        """See `KnowledgeFolder`."""
        return store.vectors(seal.passages, seal.dim, seal.kind)

    def count_vectors(self, seal: Seal, store: Any) -> int:
        """See `KnowledgeFolder`; counted, because the seal's number would only repeat itself."""
        return int(store.count_vectors())

    def encoder_folder(self, seal: Seal) -> Path:
        """The folder of this machine's query encoder for the seal's model, and of the shipped reader."""
        reader = sorted((path.name, file_times(path)) for path in question_reader_folder().iterdir())
        return self.folder / f"encoder-{seal.model_sha256[:8]}-{hashlib.sha256(repr(reader).encode()).hexdigest()[:8]}"

    def bytes_on_disk(self) -> int:
        """The size of the tables on the server, with their indexes."""
        return int(self.database.execute(connection.SELECT_SIZE).fetchone()[0])
