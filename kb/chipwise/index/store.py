"""Sources, passages and their words in one SQLite file.

A store is opened either to be read (immutable, by any number of processes) or to be written by the one that builds;
which file is the good one is decided in `knowledge`, not here.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from itertools import groupby
from pathlib import Path

from chipwise.claims.model import Fact, Sentence
from chipwise.errors import KnowledgeBaseDamaged, SourceUnknown
from chipwise.files import FileState, storage_errors
from chipwise.index import schema
from chipwise.index.claims import StoredClaims
from chipwise.index.rows import StoredPassage, ids, load_sentences, passage_values, read_passage, read_source
from chipwise.index.words import StoredWords
from chipwise.text import Span
from chipwise.types import Passage, Role, SourceInfo


class Store(StoredWords, StoredClaims):
    """One open SQLite file; use as a context manager."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._db = connection
        self._counted = {}
        self.path = path

    def __enter__(self) -> Store:
        return self

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        self.close()
        # subtle: its subclasses stand for a full disk or our own mistakes, this very class for a broken file
        if type(error) is sqlite3.DatabaseError:
            raise KnowledgeBaseDamaged(
                f"{self.path} is damaged: {error}", hint="run `chipwise build --fresh`"
            ) from error

    def close(self) -> None:
        """Closes the file; nothing else works afterwards."""
        self._db.close()

    def source_ids(self) -> list[str]:
        """All sources, in order of their ids."""
        return [row[0] for row in self._db.execute("SELECT id FROM source ORDER BY id")]

    def find_source(self, source: str) -> SourceInfo | None:
        """What is known of a source, or None."""
        row = self._db.execute(schema.SELECT_SOURCE, {"id": source}).fetchone()
        return None if row is None else read_source(row)

    def holds(self, fact: Fact) -> bool:
        """True where a fact can be cited: its source is here."""
        return self.find_source(fact.claim.source) is not None

    def sources(self) -> list[SourceInfo]:
        """What is known of all sources, in order of their ids."""
        return [read_source(row) for row in self._db.execute(schema.SELECT_SOURCES)]

    def roles(self, sources: Iterable[str] | None = None) -> dict[tuple[str, int], Role]:
        """The role of every passage, of some sources or of all, by source and ordinal."""
        found = self._db.execute(
            schema.SELECT_ROLES, {"sources": None if sources is None else json.dumps(list(sources))}
        )
        return {(source, ordinal): Role(role) for source, ordinal, role in found}

    def tables(self) -> dict[tuple[str, int], int]:
        """Of every passage that is part of a table, the ordinal of the table's first part."""
        from chipwise.splitting import whole_tables  # noqa: PLC0415 (an audit alone asks for tables)

        parts = groupby(self._db.execute(schema.SELECT_TABLES), key=lambda row: row[0])
        return {
            (source, ordinal): first
            for source, rows in parts
            for ordinal, first in whole_tables((o, start, end) for _, o, start, end in rows).items()
        }

    def find_passage(self, source: str, ordinal: int) -> Passage:
        """One passage. Raises SourceUnknown when there is none."""
        row = self._db.execute(schema.SELECT_PASSAGE, {"source": source, "ordinal": ordinal}).fetchone()
        if row is None:
            raise SourceUnknown(f"there is no passage {source}#{ordinal}", hint="run `chipwise build`")
        return read_passage(row).passage

    def source_text(self, source: str) -> str:
        """The text that every span of this source points into; empty when there is no such source."""
        row = self._db.execute("SELECT text FROM source WHERE id = ?", (source,)).fetchone()
        return "" if row is None else str(row[0])

    def file_states(self) -> dict[str, FileState]:
        """By source, the file as it was when read."""
        rows = self._db.execute("SELECT id, sha256, bytes, modified FROM source")
        return {row[0]: FileState(*row[1:]) for row in rows}

    def count_passages(self, source: str | None = None) -> int:
        """How many passages, of one source or of all."""
        return int(self._db.execute(schema.COUNT_PASSAGES, {"source": source}).fetchone()[0])

    def passages(self, rows: Sequence[int]) -> dict[int, StoredPassage]:
        """By row id; unknown ids are left out."""
        return {row[0]: read_passage(row) for row in self._db.execute(schema.SELECT_PASSAGES, ids(rows))}

    def standing(self, rows: Sequence[int]) -> dict[int, tuple[Role, bytes]]:
        """What ranking needs of passages, by row id: their role, and their sentences' vectors, packed."""
        found = self._db.execute(schema.SELECT_STANDING, ids(rows))
        return {row: (Role(role), meaning) for row, role, meaning in found}

    def source_passages(self, source: str) -> list[StoredPassage]:
        """All passages of a source, in order."""
        found = self._db.execute(schema.SELECT_SOURCE_PASSAGES, {"source": source})
        return [read_passage(row) for row in found]

    def rows_of_vectors(self, vectors: Sequence[int]) -> list[int]:
        """The row ids of passages by their rows in the vector index, in the order asked."""
        found = dict(self._db.execute(schema.SELECT_ROWS_OF_VECTORS, ids(vectors)))
        return [found[v] for v in vectors if v in found]

    def vectors_of_rows(self, rows: Sequence[int]) -> dict[int, int]:
        """The vector-index rows of passages, by row id."""
        return dict(self._db.execute(schema.SELECT_VECTORS_OF_ROWS, ids(rows)))

    def note(self, key: str) -> str:
        """A value kept beside the passages; empty when there is none."""
        row = self._db.execute("SELECT value FROM note WHERE key = ?", (key,)).fetchone()
        return "" if row is None else str(row[0])

    def write_note(self, key: str, value: str) -> None:
        """Keeps a value beside the passages."""
        self._db.execute(schema.WRITE_NOTE, {"key": key, "value": value})

    def write_source(self, info: SourceInfo, text: str, state: FileState) -> None:
        """Adds a source that is not there yet."""
        self._db.execute(
            schema.INSERT_SOURCE,
            {
                **asdict(info),
                "lineage": json.dumps(info.lineage),
                "text": text,
                "sha256": state.sha256,
                "bytes": state.size,
                "modified": state.modified,
            },
        )

    def write_passages(self, passages: Iterable[tuple[Passage, tuple[Sentence, ...], str, bytes]]) -> None:
        """Adds passages, each with its sentences, what stands above it, and the hash of what is embedded."""
        self._counted.clear()
        self._db.executemany(schema.INSERT_PASSAGE, (passage_values(*passage) for passage in passages))

    def update_state(self, source: str, state: FileState) -> None:
        """Records that a file was touched though its content is the same."""
        values = (state.sha256, state.size, state.modified, source)
        self._db.execute("UPDATE source SET sha256 = ?, bytes = ?, modified = ? WHERE id = ?", values)

    def remove_source(self, source: str) -> None:
        """Removes a source and its passages."""
        self._counted.clear()
        self._db.execute("DELETE FROM claim WHERE source = ? AND fact IS NULL", (source,))
        self._db.execute("DELETE FROM passage WHERE source = ?", (source,))
        self._db.execute("DELETE FROM source WHERE id = ?", (source,))

    def embedded(self) -> list[tuple[int, bytes, int | None, bytes]]:
        """Of every passage in order: row id, hash of what is embedded, vector row or None, sentences' vectors."""
        return self._db.execute("SELECT id, sha256, vector, meaning FROM passage ORDER BY id").fetchall()

    def embedding_texts(self, rows: Sequence[int]) -> list[tuple[str, list[Span]]]:
        """What the encoder sees of the passages, in the order of `rows`, with the spans of its sentences."""
        found = {}
        for row, above, text, dumped in self._db.execute(schema.SELECT_EMBEDDING_TEXTS, ids(rows)):
            shift = len(above) + 1
            spans = [(s.start + shift, s.end + shift) for s in load_sentences(dumped)]
            found[row] = (f"{above}\n{text}", spans)
        return [found[row] for row in rows]

    def write_meanings(self, meanings: Iterable[tuple[int, bytes]]) -> None:
        """Keeps the packed vectors of the sentences of passages, by row id."""
        self._db.executemany("UPDATE passage SET meaning = ? WHERE id = ?", ((m, row) for row, m in meanings))

    def number_vectors(self, rows: Sequence[int]) -> None:
        """Says that vector row i belongs to the passage with row id `rows[i]`."""
        before = dict(self._db.execute("SELECT id, vector FROM passage WHERE vector IS NOT NULL"))
        numbers = {row: number for number, row in enumerate(rows)}
        # subtle: a number is never there twice, so that all that change are taken away before one is given
        lost = [(row,) for row, number in before.items() if numbers.get(row) != number]
        self._db.executemany("UPDATE passage SET vector = NULL WHERE id = ?", lost)
        moved = ((number, row) for row, number in numbers.items() if before.get(row) != number)
        self._db.executemany("UPDATE passage SET vector = ? WHERE id = ?", moved)

    def commit(self) -> None:
        """Makes what was written last."""
        self._db.execute("INSERT INTO word (word) VALUES ('optimize')")
        self._db.commit()
        self._db.execute("PRAGMA optimize")


def create_store(path: Path) -> Store:
    """A new, empty store. Raises StorageFailed when the disk refuses."""
    with storage_errors(path):
        connection = sqlite3.connect(path)
        connection.executescript(schema.CREATE)
        connection.execute(f"PRAGMA user_version = {schema.VERSION}")
        return Store(connection, path)


def open_store(path: Path, *, write: bool = False) -> Store:
    """An existing store. Raises KnowledgeBaseDamaged when it is none, or from another version."""
    mode = "mode=rw" if write else "mode=ro&immutable=1"
    try:
        connection = sqlite3.connect(f"{path.resolve().as_uri()}?{mode}", uri=True)
        version = connection.execute("PRAGMA user_version").fetchone()[0]
    except sqlite3.DatabaseError as error:
        raise KnowledgeBaseDamaged(f"{path} cannot be opened: {error}", hint="run `chipwise build --fresh`") from None
    if version != schema.VERSION:
        raise KnowledgeBaseDamaged(
            f"{path} has schema {version}, this chipwise reads {schema.VERSION}", hint="run `chipwise build --fresh`"
        )
    return Store(connection, path)
