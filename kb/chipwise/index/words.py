"""The part of a store that finds passages by their words: SQLite's full-text index."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence

from chipwise.index import schema
from chipwise.index.rows import ids


class StoredWords:
    """The words of all passages, in the store's file."""

    _db: sqlite3.Connection
    _counted: dict[str, int]  # by word, so that it is counted once

    def document_frequencies(self, words: Iterable[str]) -> dict[str, int]:
        """By word, how many passages hold it in some form; 0 for one in none.

        What the index takes for several words ("o'reilly") is as frequent as the rarest of them.
        """
        asked = list(dict.fromkeys(words))
        if new := [word for word in asked if word not in self._counted]:
            self._counted |= self._count(new)
        return {word: self._counted[word] for word in asked}

    def _count(self, asked: Sequence[str]) -> dict[str, int]:
        self._db.executescript(schema.CREATE_ASKED)
        self._db.execute("DELETE FROM temp.asked")
        self._db.executemany("INSERT INTO temp.asked (rowid, text) VALUES (?, ?)", enumerate(asked, start=1))
        counts: dict[int, int] = {}
        for row, count in self._db.execute(schema.SELECT_FREQUENCIES):
            counts[row] = min(count, counts.get(row, count))
        return {word: counts.get(row, 0) for row, word in enumerate(asked, start=1)}

    def match(self, words: Sequence[str], count: int, *, every: bool = False) -> list[tuple[int, float]]:
        """Row ids and BM25 scores of the best `count` passages that hold any of `words`, or `every` one."""
        if not words:
            return []
        query = " AND ".join(map(_quoted, words)) if every else any_of(words)
        return self._db.execute(schema.SELECT_MATCHES, {"query": query, "count": count}).fetchall()

    def match_among(self, words: Sequence[str], rows: Iterable[int]) -> dict[int, float]:
        """BM25 scores of those of `rows` that hold any of `words`."""
        if not words:
            return {}
        values = {"query": any_of(words), **ids(rows)}
        return dict(self._db.execute(schema.SELECT_MATCHES_AMONG, values).fetchall())


def any_of(words: Sequence[str]) -> str:
    """An FTS5 query that is true when any word occurs; quoted, so that no word is an operator."""
    return " OR ".join(map(_quoted, words))


def _quoted(word: str) -> str:
    return '"' + word.replace('"', '""').replace("\0", " ") + '"'
