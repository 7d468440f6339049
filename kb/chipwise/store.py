"""Sources, passages and their words in one SQLite file.

A store is opened either to be read (immutable, by any number of processes) or
to be written by the one that builds; which file is the good one is decided in
`knowledge`, not here.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from chipwise.errors import KnowledgeBaseDamaged, StorageFailed
from chipwise.figures import Figure, Sentence
from chipwise.quantities import Quantity
from chipwise.text import Span
from chipwise.types import Passage, Role, SourceInfo

SCHEMA_VERSION = 1

_SCHEMA = f"""
CREATE TABLE source (
    id          TEXT PRIMARY KEY,
    title       TEXT NOT NULL,
    origin      TEXT NOT NULL,
    publisher   TEXT NOT NULL,
    author      TEXT NOT NULL,
    published   TEXT NOT NULL,
    kind        TEXT NOT NULL,
    lineage     TEXT NOT NULL,          -- JSON list of source ids
    verified    TEXT NOT NULL,
    text        TEXT NOT NULL,          -- what every span points into
    sha256      TEXT NOT NULL,          -- of the file's bytes
    bytes       INTEGER NOT NULL,       -- with modified, tells cheaply that a file is unchanged
    modified    INTEGER NOT NULL        -- nanoseconds
);
CREATE TABLE passage (
    id          INTEGER PRIMARY KEY,
    source      TEXT NOT NULL REFERENCES source (id),
    ordinal     INTEGER NOT NULL,
    start       INTEGER NOT NULL,
    end         INTEGER NOT NULL,
    line        INTEGER NOT NULL,
    page        INTEGER,
    role        TEXT NOT NULL,
    heading     TEXT NOT NULL,          -- JSON list, outermost first
    context     TEXT NOT NULL,
    text        TEXT NOT NULL,
    above       TEXT NOT NULL,          -- title, heading path and context: searched with the text
    sentences   TEXT NOT NULL,          -- JSON, see _sentence_json
    sha256      BLOB NOT NULL,          -- of what was embedded
    vector      INTEGER,                -- row of the vector index
    UNIQUE (source, ordinal)
);
CREATE UNIQUE INDEX passage_by_vector ON passage (vector);
CREATE VIRTUAL TABLE word USING fts5 (
    text, above, content='passage', content_rowid='id', tokenize='porter unicode61'
);
CREATE VIRTUAL TABLE vocabulary USING fts5vocab (word, row);
CREATE TRIGGER passage_inserted AFTER INSERT ON passage BEGIN
    INSERT INTO word (rowid, text, above) VALUES (new.id, new.text, new.above);
END;
CREATE TRIGGER passage_deleted AFTER DELETE ON passage BEGIN
    INSERT INTO word (word, rowid, text, above) VALUES ('delete', old.id, old.text, old.above);
END;
CREATE TABLE note (key TEXT PRIMARY KEY, value TEXT NOT NULL);   -- the compiled domain
PRAGMA user_version = {SCHEMA_VERSION};
"""

_PASSAGE_COLUMNS = "id, source, ordinal, start, end, line, page, role, heading, context, text, sentences"

INSERT_SOURCE = """
INSERT INTO source VALUES (:id, :title, :origin, :publisher, :author, :published, :kind, :lineage, :verified,
                           :text, :sha256, :bytes, :modified)
"""
INSERT_PASSAGE = """
INSERT INTO passage (source, ordinal, start, end, line, page, role, heading, context, text, above, sentences, sha256)
VALUES (:source, :ordinal, :start, :end, :line, :page, :role, :heading, :context, :text, :above, :sentences, :sha256)
"""
# bm25() is negative, better matches lower; a word in the title or heading counts half of one in the text
SELECT_MATCHES = """
SELECT rowid, -bm25(word, 1.0, 0.5) AS score FROM word WHERE word MATCH :query ORDER BY score DESC LIMIT :count
"""
SELECT_MATCHES_AMONG = """
SELECT rowid, -bm25(word, 1.0, 0.5) FROM word WHERE word MATCH :query AND rowid IN (SELECT value FROM json_each(:ids))
"""


@dataclass(frozen=True, slots=True)
class FileState:
    """What tells that a source's file is still the one that was read."""

    sha256: str
    size: int
    modified: int


@dataclass(frozen=True, slots=True)
class StoredPassage:
    """A passage with its row id and its sentences as annotated."""

    row: int
    passage: Passage
    sentences: tuple[Sentence, ...]


class Store:
    """One open SQLite file; use as a context manager."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._db = connection
        self.path = path

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the file; nothing else works afterwards."""
        self._db.close()

    def source_ids(self) -> list[str]:
        """All sources, in order of their ids."""
        return [row[0] for row in self._db.execute("SELECT id FROM source ORDER BY id")]

    def find_source(self, source: str) -> SourceInfo | None:
        """What is known of a source, or None."""
        row = self._db.execute(
            "SELECT id, title, origin, publisher, author, published, kind, lineage, verified FROM source WHERE id = ?",
            (source,),
        ).fetchone()
        return None if row is None else SourceInfo(*row[:7], tuple(json.loads(row[7])), row[8])

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
        where, values = ("", ()) if source is None else (" WHERE source = ?", (source,))
        return int(self._db.execute(f"SELECT count(*) FROM passage{where}", values).fetchone()[0])  # noqa: S608

    def count_roles(self) -> dict[str, int]:
        """How many passages of each role."""
        return dict(self._db.execute("SELECT role, count(*) FROM passage GROUP BY role ORDER BY 2 DESC").fetchall())

    def passages(self, rows: Sequence[int]) -> dict[int, StoredPassage]:
        """By row id; unknown ids are left out."""
        found = self._db.execute(
            f"SELECT {_PASSAGE_COLUMNS} FROM passage WHERE id IN (SELECT value FROM json_each(?))",  # noqa: S608
            (json.dumps(list(rows)),),
        )
        return {row[0]: _stored_passage(row) for row in found}

    def source_passages(self, source: str) -> list[StoredPassage]:
        """All passages of a source, in order."""
        found = self._db.execute(
            f"SELECT {_PASSAGE_COLUMNS} FROM passage WHERE source = ? ORDER BY ordinal",  # noqa: S608
            (source,),
        )
        return [_stored_passage(row) for row in found]

    def rows_of_vectors(self, vectors: Sequence[int]) -> list[int]:
        """The row ids of passages by their rows in the vector index, in the order asked."""
        found = dict(
            self._db.execute(
                "SELECT vector, id FROM passage WHERE vector IN (SELECT value FROM json_each(?))",
                (json.dumps(list(vectors)),),
            )
        )
        return [found[v] for v in vectors if v in found]

    def vectors_of_rows(self, rows: Sequence[int]) -> dict[int, int]:
        """The vector-index rows of passages, by row id."""
        return dict(
            self._db.execute(
                "SELECT id, vector FROM passage WHERE id IN (SELECT value FROM json_each(?))", (json.dumps(list(rows)),)
            )
        )

    def document_frequency(self, stem: str) -> int:
        """How many passages hold a word of this Porter stem."""
        row = self._db.execute("SELECT doc FROM vocabulary WHERE term = ?", (stem,)).fetchone()
        return 0 if row is None else int(row[0])

    def match(self, words: Sequence[str], count: int) -> list[tuple[int, float]]:
        """Row ids and BM25 scores of the best `count` passages that hold any of `words`."""
        if not words:
            return []
        return self._db.execute(SELECT_MATCHES, {"query": _any_of(words), "count": count}).fetchall()

    def match_among(self, words: Sequence[str], rows: Iterable[int]) -> dict[int, float]:
        """BM25 scores of those of `rows` that hold any of `words`."""
        if not words:
            return {}
        values = {"query": _any_of(words), "ids": json.dumps(list(rows))}
        return dict(self._db.execute(SELECT_MATCHES_AMONG, values).fetchall())

    def note(self, key: str) -> str:
        """A value kept beside the passages; empty when there is none."""
        row = self._db.execute("SELECT value FROM note WHERE key = ?", (key,)).fetchone()
        return "" if row is None else str(row[0])

    def write_note(self, key: str, value: str) -> None:
        """Keeps a value beside the passages."""
        self._db.execute("INSERT OR REPLACE INTO note VALUES (?, ?)", (key, value))

    def write_source(self, info: SourceInfo, text: str, state: FileState) -> None:
        """Adds a source that is not there yet."""
        self._db.execute(
            INSERT_SOURCE,
            {
                "id": info.id,
                "title": info.title,
                "origin": info.origin,
                "publisher": info.publisher,
                "author": info.author,
                "published": info.published,
                "kind": info.kind,
                "lineage": json.dumps(info.lineage),
                "verified": info.verified,
                "text": text,
                "sha256": state.sha256,
                "bytes": state.size,
                "modified": state.modified,
            },
        )

    def write_passages(self, passages: Iterable[tuple[Passage, tuple[Sentence, ...], str, bytes]]) -> None:
        """Adds passages, each with its sentences, what stands above it, and the hash of what is embedded."""
        self._db.executemany(
            INSERT_PASSAGE,
            (
                {
                    "source": p.source,
                    "ordinal": p.ordinal,
                    "start": p.start,
                    "end": p.end,
                    "line": p.line,
                    "page": p.page,
                    "role": p.role.value,
                    "heading": json.dumps(p.heading, ensure_ascii=False),
                    "context": p.context,
                    "text": p.text,
                    "above": above,
                    "sentences": _dump_sentences(sentences),
                    "sha256": digest,
                }
                for p, sentences, above, digest in passages
            ),
        )

    def update_state(self, source: str, state: FileState) -> None:
        """Records that a file was touched though its content is the same."""
        values = (state.sha256, state.size, state.modified, source)
        self._db.execute("UPDATE source SET sha256 = ?, bytes = ?, modified = ? WHERE id = ?", values)

    def remove_source(self, source: str) -> None:
        """Removes a source and its passages."""
        self._db.execute("DELETE FROM passage WHERE source = ?", (source,))
        self._db.execute("DELETE FROM source WHERE id = ?", (source,))

    def embedded(self) -> list[tuple[int, bytes, int | None]]:
        """Of every passage in order: row id, hash of what is embedded, vector row or None."""
        return self._db.execute("SELECT id, sha256, vector FROM passage ORDER BY id").fetchall()

    def embedding_texts(self, rows: Sequence[int]) -> list[str]:
        """What the encoder sees of the passages, in the order of `rows`."""
        found = {
            row[0]: f"{row[1]}\n{row[2]}"
            for row in self._db.execute(
                "SELECT id, above, text FROM passage WHERE id IN (SELECT value FROM json_each(?))",
                (json.dumps(list(rows)),),
            )
        }
        return [found[row] for row in rows]

    def number_vectors(self, rows: Sequence[int]) -> None:
        """Says that vector row i belongs to the passage with row id `rows[i]`."""
        self._db.execute("UPDATE passage SET vector = NULL")
        self._db.executemany("UPDATE passage SET vector = ? WHERE id = ?", enumerate(rows))

    def commit(self) -> None:
        """Makes what was written last."""
        self._db.execute("INSERT INTO word (word) VALUES ('optimize')")
        self._db.commit()
        self._db.execute("PRAGMA optimize")


def create_store(path: Path) -> Store:
    """A new, empty store. Raises StorageFailed when the disk refuses."""
    with storage_errors(path):
        connection = sqlite3.connect(path)
        connection.executescript(_SCHEMA)
        return Store(connection, path)


def open_store(path: Path, *, write: bool = False) -> Store:
    """An existing store. Raises KnowledgeBaseDamaged when it is none, or from another version."""
    mode = "mode=rw" if write else "mode=ro&immutable=1"
    try:
        connection = sqlite3.connect(f"{path.resolve().as_uri()}?{mode}", uri=True)
        version = connection.execute("PRAGMA user_version").fetchone()[0]
    except sqlite3.DatabaseError as error:
        raise KnowledgeBaseDamaged(f"{path} cannot be opened: {error}", hint="run `chipwise build --fresh`") from None
    if version != SCHEMA_VERSION:
        raise KnowledgeBaseDamaged(
            f"{path} has schema {version}, this chipwise reads {SCHEMA_VERSION}", hint="run `chipwise build --fresh`"
        )
    return Store(connection, path)


@contextmanager
def storage_errors(path: Path) -> Iterator[None]:
    """Turns what the disk refuses into StorageFailed."""
    try:
        yield
    except (sqlite3.OperationalError, OSError) as error:
        raise StorageFailed(
            f"{path} cannot be written: {getattr(error, 'strerror', None) or error}",
            hint="free some space or permission there, or name another folder with --kb",
        ) from error


def _any_of(words: Sequence[str]) -> str:
    """An FTS5 query that is true when any word occurs; quoted, so that no word is an operator."""
    return " OR ".join('"' + word.replace('"', '""') + '"' for word in words)


def _stored_passage(row: tuple[int, str, int, int, int, int, int | None, str, str, str, str, str]) -> StoredPassage:
    id_, source, ordinal, start, end, line, page, role, heading, context, text, dumped = row
    sentences = _load_sentences(dumped)
    spans: tuple[Span, ...] = tuple((s.start, s.end) for s in sentences)
    path = tuple(json.loads(heading))
    passage = Passage(source, ordinal, start, end, line, Role(role), path, page, text, context, spans)
    return StoredPassage(id_, passage, sentences)


def _dump_sentences(sentences: Sequence[Sentence]) -> str:
    return json.dumps(
        [
            [s.start, s.end, s.entities, s.carried, s.metrics, s.terms, [_figure_row(f) for f in s.figures]]
            for s in sentences
        ],
        separators=(",", ":"),
    )


def _figure_row(figure: Figure) -> list[str | int | float]:
    q = figure.quantity
    return [figure.subject, figure.metric, q.start, q.end, q.dimension, q.unit, q.low, q.high, q.bound]


def _load_sentences(dumped: str) -> tuple[Sentence, ...]:
    return tuple(
        Sentence(
            start,
            end,
            tuple(entities),
            tuple(carried),
            tuple(metrics),
            tuple(terms),
            tuple(Figure(f[0], f[1], Quantity(*f[2:])) for f in figures),
        )
        for start, end, entities, carried, metrics, terms, figures in json.loads(dumped)
    )
