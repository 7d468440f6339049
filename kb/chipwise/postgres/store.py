"""The store on the server: sources, passages, claims and vectors, as `index.store` has them in SQLite."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chipwise.claims.model import Sentence
from chipwise.index.rows import passage_values
from chipwise.index.store import Store
from chipwise.postgres import connection
from chipwise.postgres.connection import Database, explained, place
from chipwise.postgres.words import WORDS_NOTE, ServedWords
from chipwise.types import Passage

if TYPE_CHECKING:
    import numpy as np

    from chipwise.index.vectors import Matrix, Vector

EXACT_LIMIT = 10_000  # vectors; comparing so many one by one takes some 10 ms
BREADTH = 400  # hnsw.ef_search, for a hundred passages


class PostgresStore(ServedWords, Store):
    """An open connection with the transaction that its user began; it is closed at the end."""

    def __init__(self, database: Database) -> None:
        ServedWords.__init__(self)
        self._db: Any = database
        self._counted = {}
        self.path = Path(place(database.url))

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        try:
            if error is not None:
                with explained(self._db.url):
                    raise error
        finally:
            self.close()

    def write_passages(self, passages: Iterable[tuple[Passage, tuple[Sentence, ...], str, bytes]]) -> None:
        """See `Store`; their words are written with them."""
        self._counted.clear()
        values = [passage_values(*passage) for passage in passages]
        rows = [row for (row,) in self._db.execute(connection.NEW_ROWS, (len(values),))]
        columns = ", ".join(f'"{column}"' for column in values[0]) if values else "source"
        self._db.copy(f"passage (id, {columns})", ((r, *v.values()) for r, v in zip(rows, values, strict=True)))
        self._write_words([(row, value["text"], value["above"]) for row, value in zip(rows, values, strict=True)])

    def remove_source(self, source: str) -> None:
        """See `Store`; words and vectors of its passages are removed too."""
        self._lose_words(source)
        super().remove_source(source)

    def commit(self) -> None:
        """Write the word counts. Whoever began the transaction ends it."""
        self.write_note(WORDS_NOTE, self._commit_words())

    def rows_of_vectors(self, vectors: Sequence[int]) -> list[int]:
        """Return `vectors` unchanged: here, a vector's number is the row id of its passage."""
        return list(vectors)

    def vectors_of_rows(self, rows: Sequence[int]) -> dict[int, int]:
        """Map each row to itself, see `rows_of_vectors`."""
        return {row: row for row in rows}

    def not_embedded(self) -> list[tuple[int, bytes]]:
        """List passages without a vector: row id, hash of the embedded text."""
        return list(self._db.execute(connection.SELECT_NOT_EMBEDDED))

    def known_vectors(self, sources: Sequence[str]) -> dict[bytes, tuple[Vector, bytes]]:
        """Return the vectors of some sources' passages and sentences, by the hash of the embedded text."""
        import numpy as np  # noqa: PLC0415

        rows = self._db.execute(connection.SELECT_VECTORS, (list(sources),))
        return {digest: (np.array(json.loads(v), dtype=np.float32), meaning) for digest, v, meaning in rows}

    def write_vectors(self, vectors: Iterable[tuple[int, Vector]]) -> None:
        """Add vectors of passages, by row id."""
        self._db.copy("embedding", ((row, _dumped(vector)) for row, vector in vectors))

    def write_meanings(self, meanings: Iterable[tuple[int, bytes]]) -> None:
        """See `Store`."""
        self._db.execute("CREATE TEMPORARY TABLE meant (row BIGINT, meaning BYTEA) ON COMMIT DROP")
        self._db.copy("meant", meanings)
        self._db.execute("UPDATE passage SET meaning = meant.meaning FROM meant WHERE id = row")
        self._db.execute("DROP TABLE meant")

    def forget_vectors(self) -> None:
        """Remove all vectors, because another model made them."""
        self._db.execute("DELETE FROM embedding")
        self._db.execute("DROP INDEX IF EXISTS embedding_nearest")

    def index_vectors(self, dim: int) -> str:
        """Build an HNSW index if there are many vectors; return the kind of search to use."""
        if self.count_vectors() <= EXACT_LIMIT:
            return "Flat"
        self._db.execute(connection.CREATE_NEAREST.format(dim=dim))
        return "HNSW"

    def count_vectors(self) -> int:
        """Count the passages with a vector."""
        return int(self._db.execute("SELECT count(*) FROM embedding").fetchone()[0])

    def vectors(self, count: int, dim: int, kind: str) -> ServedVectors:
        """The vectors, for `index.vectors` to search; `kind` is the result of `index_vectors`."""
        return ServedVectors(self._db, count, dim, kind)

    def tidy(self) -> None:
        """Update the server's statistics after a commit, on which its query plans depend."""
        self._db.execute("ANALYZE")


class ServedVectors:
    """The vectors of the store, searched by the server. A vector's number is the row id of its passage."""

    def __init__(self, database: Database, count: int, dim: int, kind: str) -> None:
        self._db = database
        self.ntotal = count
        self._nearest = connection.SELECT_NEAREST.format(dim=dim)
        if kind != "Flat":
            database.execute(f"SET hnsw.ef_search = {BREADTH}")

    def nearest(self, query: Vector, k: int) -> list[tuple[int, float]]:
        """See `index.vectors.nearest`."""
        return list(self._db.execute(self._nearest, {"query": _dumped(query), "count": k}))

    def cosines(self, query: Vector, rows: Sequence[int]) -> list[float]:
        """See `index.vectors.cosines`."""
        cosines = dict(self._db.execute(connection.SELECT_COSINES, (_dumped(query), list(rows))))
        return [cosines[row] for row in rows]


def _dumped(vector: np.ndarray[Any, Any] | Matrix) -> str:
    return json.dumps(vector.tolist())
