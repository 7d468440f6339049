"""The store on the server: sources, passages, claims and vectors, as `index.store` has them in SQLite.

Words on the server: FTS5's tokens in a tsvector, and its BM25 in SQL, so that both engines rank alike.

A passage's tsvector holds each word with its places, for pairs and longer runs of words, and again with its
frequency, for BM25 without unpacking:

    'memori':3,17,212B 'memori/2.5'         twice in the text, once (B) above it, where a word counts half

The score of a passage is FTS5's (Robertson et al., TREC-3, with k1 = 1.2 and b = 0.75), for n of N passages with
the word, the passage's length in words, and the mean length:

    sum of ln((N - n + 0.5) / (n + 0.5)) * f * 2.2 / (f + 1.2 * (0.25 + 0.75 * length / mean))

A difference from FTS5: PostgreSQL keeps at most 256 places of a word and none beyond 16,383, so a run of words may
be missed in a longer passage.
"""

from __future__ import annotations

import json
import math
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chipwise.claims.model import Sentence
from chipwise.index.rows import passage_values
from chipwise.index.store import Store
from chipwise.postgres import connection
from chipwise.postgres.connection import Database, explained, place
from chipwise.types import Passage

if TYPE_CHECKING:
    import numpy as np

    from chipwise.index.vectors import Matrix, Vector

ABOVE_WEIGHT = 0.5  # of a word in the title or heading, as in index.schema
LAST_PLACE, MOST_PLACES = 16_383, 256  # limits of a tsvector
_WORDS_NOTE = "words"  # total numbers of passages and words
_RARELY = 1e-6  # FTS5's weight of a word in most passages

Term = tuple[str, ...]  # FTS5's tokens of one word, mostly one

SELECT_TERMS = "SELECT word, frequency, passages FROM term WHERE word = ANY (%s)"
SELECT_SCORES = """
WITH considered AS {considered},
hit AS (
    SELECT passage, length, idf, frequency
    FROM unnest(%(queries)s::text[], %(idfs)s::float8[], %(frequencies)s::float8[]) AS q (query, idf, frequency)
    JOIN considered ON lexemes @@ query::tsquery
    UNION ALL
    SELECT passage, length, idf, frequency
    FROM unnest(%(passages)s::bigint[], %(run_idfs)s::float8[], %(run_frequencies)s::float8[])
         AS run (passage, idf, frequency)
    JOIN considered USING (passage)
)
SELECT passage, sum(idf * frequency * 2.2 / (frequency + 1.2 * (0.25 + 0.75 * length / %(mean)s))) AS score
FROM hit GROUP BY passage ORDER BY score DESC, passage LIMIT %(count)s
"""
ALL = "NOT MATERIALIZED (SELECT passage, length, lexemes FROM word)"
AMONG = "MATERIALIZED (SELECT passage, length, lexemes FROM word WHERE passage = ANY (%(rows)s::bigint[]))"
SELECT_HOLDERS = "SELECT passage FROM word WHERE lexemes @@ %s::tsquery"
SELECT_RUNS = """
WITH considered AS {considered}
SELECT number, passage, lexeme, positions, weights
FROM unnest(%(queries)s::text[]) WITH ORDINALITY AS q (query, number)
JOIN considered ON lexemes @@ query::tsquery, unnest(lexemes)
WHERE lexeme = ANY (%(tokens)s)
"""
COUNT_RUNS = """
SELECT number, count(*) FROM unnest(%(queries)s::text[]) WITH ORDINALITY AS q (query, number)
JOIN word ON lexemes @@ query::tsquery GROUP BY number
"""
SELECT_LOST = """
SELECT lexeme, count(*) FROM word JOIN passage ON passage.id = word.passage, unnest(lexemes)
WHERE source = ANY (%s) AND strpos(lexeme, '/') > 0 GROUP BY lexeme
"""
SELECT_LOST_LENGTH = """
SELECT count(*), coalesce(sum(length), 0) FROM word JOIN passage ON passage.id = word.passage WHERE source = ANY (%s)
"""
WRITE_TERM = """
INSERT INTO term SELECT * FROM unnest(%s::text[], %s::float8[], %s::bigint[])
ON CONFLICT (word, frequency) DO UPDATE SET passages = term.passages + excluded.passages
"""
EXACT_LIMIT = 10_000  # vectors; comparing so many one by one takes some 10 ms
BREADTH = 400  # hnsw.ef_search, for a hundred passages


@dataclass(frozen=True, slots=True)
class Words:
    """The words of one passage: for each word, its places in the text (0, n) and above it (1, n)."""

    places: Mapping[str, Sequence[tuple[int, int]]]

    @property
    def length(self) -> int:
        """The number of words in the text and above it."""
        return sum(map(len, self.places.values()))

    def frequencies(self) -> dict[str, float]:
        """The frequency of each word; words above the text count less."""
        return {
            word: sum(ABOVE_WEIGHT if column else 1.0 for column, _ in places) for word, places in self.places.items()
        }

    def lexemes(self) -> str:
        """The words in the input syntax of a tsvector."""
        # a gap of 3, so that no run of words continues from the text into the heading
        above = 3 + max((at for places in self.places.values() for column, at in places if not column), default=-1)
        parts = []
        for word, frequency in self.frequencies().items():
            places = ((at + above, "B") if column else (at + 1, "") for column, at in self.places[word])
            kept = [f"{at}{column}" for at, column in places if at <= LAST_PLACE][:MOST_PLACES]
            parts += [f"{_quoted(word)}:{','.join(kept)}" if kept else _quoted(word), _quoted(impact(word, frequency))]
        return " ".join(parts)


def impact(word: str, frequency: float) -> str:
    """The lexeme of a word with its frequency; no word contains a slash."""
    return f"{word}/{frequency:g}"


def _quoted(lexeme: str) -> str:
    return "'" + lexeme.replace("\\", "\\\\").replace("'", "''") + "'"


class Tokenizer:
    """FTS5's tokenizer, in memory: no other stemmer gives exactly its stems."""

    def __init__(self) -> None:
        self._db = sqlite3.connect(":memory:")
        self._db.executescript(
            "CREATE VIRTUAL TABLE asked USING fts5 (text, above, content='', tokenize='porter unicode61');"
            "CREATE VIRTUAL TABLE token USING fts5vocab (asked, instance);"
        )

    def words(self, texts: Sequence[tuple[str, str]]) -> list[Words]:
        """Return the words of passages, each given as its text and the text above it."""
        self._db.execute("INSERT INTO asked (asked) VALUES ('delete-all')")
        self._db.executemany(
            "INSERT INTO asked (rowid, text, above) VALUES (?, ?, ?)", ((n, *pair) for n, pair in enumerate(texts))
        )
        tokens: list[dict[str, list[tuple[int, int]]]] = [defaultdict(list) for _ in texts]
        for word, passage, column, at in self._db.execute("SELECT term, doc, col, offset FROM token"):
            tokens[passage][word].append((column == "above", at))
        return [Words(places) for places in tokens]

    def terms(self, words: Sequence[str]) -> list[Term]:
        """Return the tokens of each word, in order; () for pure punctuation."""
        return [
            tuple(token for _, token in sorted((p, token) for token, places in each.places.items() for p in places))
            for each in self.words([(word, "") for word in words])
        ]


tokenizer = cache(Tokenizer)  # one per process


class _ServedWords:
    """The words of all passages on the server, as `index.words.StoredWords` has them in SQLite."""

    _db: Database

    def __init__(self) -> None:
        self._gained: Counter[tuple[str, float]] = Counter()
        self._grown = [0, 0]  # passages, words

    def _count(self, asked: Sequence[str]) -> dict[str, int]:
        terms = tokenizer().terms(asked)
        counts: Counter[str] = Counter()
        for word, _, passages in self._db.execute(SELECT_TERMS, ([token for term in terms for token in term],)):
            counts[word] += passages
        return {
            word: min((counts[token] for token in term), default=0) for word, term in zip(asked, terms, strict=True)
        }

    def match(self, words: Sequence[str], count: int, *, every: bool = False) -> list[tuple[int, float]]:
        """See `StoredWords`."""
        tokens = [_quoted(token) for term in tokenizer().terms(words) for token in term] if every else []
        holders = self._db.execute(SELECT_HOLDERS, (" & ".join(tokens),)) if tokens else ()
        return self._scores(words, count, [row for (row,) in holders] if every else None)

    def match_among(self, words: Sequence[str], rows: Iterable[int]) -> dict[int, float]:
        """See `StoredWords`."""
        some = list(rows)
        return dict(self._scores(words, len(some), some))

    def _scores(self, words: Sequence[str], count: int, rows: list[int] | None) -> list[tuple[int, float]]:
        asked = Counter(term for term in tokenizer().terms(words) if term)  # a word asked twice counts twice
        passages, length = self._totals()
        if not asked or not passages or rows == []:
            return []
        weights: list[tuple[str, float, float]] = []
        counts: dict[str, list[tuple[float, int]]] = defaultdict(list)
        for word, frequency, n in self._db.execute(SELECT_TERMS, ([term[0] for term in asked if len(term) == 1],)):
            counts[word].append((frequency, n))
        for word, each in counts.items():
            idf = asked[(word,)] * _idf(passages, sum(n for _, n in each))
            weights += [(_quoted(impact(word, frequency)), idf, frequency) for frequency, n in each if n]
        runs = self._runs([term for term in asked if len(term) > 1], rows, passages)
        values = {
            "queries": [query for query, _, _ in weights],
            "idfs": [idf for _, idf, _ in weights],
            "frequencies": [frequency for _, _, frequency in weights],
            "passages": [passage for _, passage, _, _ in runs],
            "run_idfs": [asked[term] * idf for term, _, idf, _ in runs],
            "run_frequencies": [frequency for _, _, _, frequency in runs],
            "mean": length / passages,
            "rows": rows,
            "count": count,
        }
        return list(self._db.execute(_within(SELECT_SCORES, rows), values))

    def _runs(self, terms: Sequence[Term], rows: list[int] | None, all_: int) -> list[tuple[Term, int, float, float]]:
        """Find passages with words side by side: the run, the passage, the run's weight, and its frequency there."""
        queries = [" <-> ".join(map(_quoted, term)) for term in terms]
        values = {"queries": queries, "tokens": [token for term in terms for token in term], "rows": rows}
        places: dict[tuple[int, int], dict[str, dict[int, float]]] = defaultdict(dict)
        lexemes = self._db.execute(_within(SELECT_RUNS, rows), values) if terms else ()
        for number, passage, word, positions, columns in lexemes:
            weights = (ABOVE_WEIGHT if column == "B" else 1.0 for column in columns)
            places[number - 1, passage][word] = dict(zip(positions, weights, strict=True))
        numbers = sorted({number for number, _ in places})
        counted = self._db.execute(COUNT_RUNS, {"queries": [queries[n] for n in numbers]}) if numbers else ()
        idfs = {numbers[n - 1]: _idf(all_, count) for n, count in counted}
        return [(terms[n], passage, idfs[n], _times(terms[n], each)) for (n, passage), each in places.items()]

    def _totals(self) -> tuple[int, int]:
        row = self._db.execute("SELECT value FROM note WHERE key = %s", (_WORDS_NOTE,)).fetchone()
        passages, _, words = row[0].partition(" ") if row else ("0", "", "0")
        return int(passages), int(words)

    def _write_words(self, passages: Sequence[tuple[int, str, str]]) -> None:
        """Add the words of passages: row id, text, text above it."""
        tokens = tokenizer().words([(text, above) for _, text, above in passages])
        for words in tokens:
            self._gained.update(words.frequencies().items())
            self._grown[0] += 1
            self._grown[1] += words.length
        rows = ((row, words.length, words.lexemes()) for (row, _, _), words in zip(passages, tokens, strict=True))
        self._db.copy("word", rows)

    def _lose_words(self, source: str) -> None:
        """Subtract the words of a source's passages from the counts, before the passages are removed."""
        for lexeme, count in self._db.execute(SELECT_LOST, ([source],)):
            word, _, frequency = lexeme.rpartition("/")
            self._gained[word, float(frequency)] -= count
        passages, words = self._db.execute(SELECT_LOST_LENGTH, ([source],)).fetchone()
        self._grown = [self._grown[0] - passages, self._grown[1] - words]

    def _commit_words(self) -> str:
        """Write the counts and return the note of their totals."""
        terms = sorted((word, frequency, count) for (word, frequency), count in self._gained.items() if count)
        if terms:
            self._db.execute(WRITE_TERM, [list(column) for column in zip(*terms, strict=True)])
            self._db.execute("DELETE FROM term WHERE passages = 0")
        passages, words = self._totals()
        note = f"{passages + self._grown[0]} {words + self._grown[1]}"
        self._gained.clear()
        self._grown = [0, 0]
        return note


def _within(sql: str, rows: list[int] | None) -> str:
    return sql.format(considered=ALL if rows is None else AMONG)


def _idf(passages: int, holding: int) -> float:
    weight = math.log((passages - holding + 0.5) / (holding + 0.5))
    return weight if weight > 0 else _RARELY


def _times(term: Term, places: Mapping[str, Mapping[int, float]]) -> float:
    """The weighted number of places where the words of `term` stand side by side."""
    first = places.get(term[0], {})
    return sum(
        weight for at, weight in first.items() if all(at + n in places.get(word, {}) for n, word in enumerate(term))
    )


class PostgresStore(_ServedWords, Store):
    """An open connection with the transaction that its user began; it is closed at the end."""

    def __init__(self, database: Database) -> None:
        _ServedWords.__init__(self)
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
        self.write_note(_WORDS_NOTE, self._commit_words())

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
