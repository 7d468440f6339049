"""The SQL of the store, apart from running it.

SQLite runs it as it stands; of what is not about words, a server runs it as well, after `postgres.connection` has put
parameters and lists of ids in its way. Hence "end" in quotes, which is a word of the language there.
"""

from __future__ import annotations

VERSION = 6  # in the file's user_version; a store of another version is built anew
# Raised when the same text would be split or annotated otherwise: every index is then brought up to date.
EXTRACTION = 144

# a server has these tables too, see `postgres.connection`
TABLES = """
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
    "end"       INTEGER NOT NULL,
    line        INTEGER NOT NULL,
    page        INTEGER,
    role        TEXT NOT NULL,
    heading     TEXT NOT NULL,          -- JSON list, outermost first
    context     TEXT NOT NULL,
    text        TEXT NOT NULL,
    above       TEXT NOT NULL,          -- title, heading path and context: searched with the text
    sentences   TEXT NOT NULL,          -- JSON, see rows.dump_sentences
    sha256      BLOB NOT NULL,          -- of what was embedded
    vector      INTEGER,                -- row of the vector index
    meaning     BLOB NOT NULL DEFAULT x'', -- the sentences' vectors, see vectors.pack
    UNIQUE (source, ordinal)
);
CREATE TABLE claim (
    id          INTEGER PRIMARY KEY,
    source      TEXT NOT NULL,          -- of a fact: the digest that it cites, which need not be a source here
    passage     INTEGER NOT NULL,       -- ordinal in its source
    subject     TEXT NOT NULL,
    metric      TEXT NOT NULL,
    dimension   TEXT NOT NULL,          -- empty for a category
    low         REAL,                   -- in the dimension's base unit; NULL for a category or an open side
    high        REAL,
    value       TEXT NOT NULL,          -- JSON, see rows.dump_claim
    fact        TEXT                    -- JSON of the row of the facts table; NULL for what a document says
);
CREATE TABLE figure (                    -- of the facts that are one: what a look-up by value goes through
    claim       INTEGER PRIMARY KEY REFERENCES claim (id),
    subject     TEXT NOT NULL,
    metric      TEXT NOT NULL,
    low         REAL,
    high        REAL,
    unit        TEXT NOT NULL,
    bound       TEXT NOT NULL,
    form        TEXT NOT NULL,
    qualifiers  TEXT NOT NULL,          -- JSON list of (axis, value)
    deprecated  INTEGER NOT NULL
);
"""
_WORDS = """
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
"""
CREATE_INDEXES = """
CREATE UNIQUE INDEX passage_by_vector ON passage (vector);
CREATE INDEX claim_by_subject ON claim (subject, metric);
CREATE INDEX claim_by_source ON claim (source, passage);
CREATE INDEX claim_by_value ON claim (dimension, low);
"""
CREATE = TABLES + _WORDS + CREATE_INDEXES


INSERT_SOURCE = """
INSERT INTO source VALUES (:id, :title, :origin, :publisher, :author, :published, :kind, :lineage, :verified,
                           :text, :sha256, :bytes, :modified)
"""
INSERT_PASSAGE = """
INSERT INTO passage (source, ordinal, start, "end", line, page, role, heading, context, text, above, sentences, sha256)
VALUES (:source, :ordinal, :start, :end, :line, :page, :role, :heading, :context, :text, :above, :sentences, :sha256)
"""
# bm25() is negative, better matches lower; a word in the title or heading counts half of one in the text
SELECT_MATCHES = """
SELECT rowid, -bm25(word, 1.0, 0.5) AS score FROM word WHERE word MATCH :query ORDER BY score DESC LIMIT :count
"""
# subtle: the + keeps FTS5 from starting anew for each row, which takes thirty times as long
SELECT_MATCHES_AMONG = """
SELECT rowid, -bm25(word, 1.0, 0.5) FROM word WHERE word MATCH :query AND +rowid IN (SELECT value FROM json_each(:ids))
"""
WRITE_NOTE = "INSERT INTO note VALUES (:key, :value) ON CONFLICT (key) DO UPDATE SET value = excluded.value"
_SELECT_SOURCE = "SELECT id, title, origin, publisher, author, published, kind, lineage, verified FROM source"
SELECT_SOURCE = f"{_SELECT_SOURCE} WHERE id = :id"
SELECT_SOURCES = f"{_SELECT_SOURCE} ORDER BY id"
SELECT_ROLES = """
SELECT source, ordinal, role FROM passage
WHERE :sources IS NULL OR source IN (SELECT value FROM json_each(:sources))
"""
SELECT_TABLES = """SELECT source, ordinal, start, "end" FROM passage WHERE role = 'table' ORDER BY source, ordinal"""
_SELECT_PASSAGES = """
SELECT id, source, ordinal, start, "end", line, page, role, heading, context, text, sentences, meaning FROM passage
"""
SELECT_PASSAGES = f"{_SELECT_PASSAGES} WHERE id IN (SELECT value FROM json_each(:ids))"  # noqa: S608
SELECT_PASSAGE = f"{_SELECT_PASSAGES} WHERE source = :source AND ordinal = :ordinal"
SELECT_SOURCE_PASSAGES = f"{_SELECT_PASSAGES} WHERE source = :source ORDER BY ordinal"
SELECT_STANDING = "SELECT id, role, meaning FROM passage WHERE id IN (SELECT value FROM json_each(:ids))"
COUNT_PASSAGES = "SELECT count(*) FROM passage WHERE :source IS NULL OR source = :source"
SELECT_ROWS_OF_VECTORS = "SELECT vector, id FROM passage WHERE vector IN (SELECT value FROM json_each(:ids))"
SELECT_VECTORS_OF_ROWS = "SELECT id, vector FROM passage WHERE id IN (SELECT value FROM json_each(:ids))"
SELECT_EMBEDDING_TEXTS = (
    "SELECT id, above, text, sentences FROM passage WHERE id IN (SELECT value FROM json_each(:ids))"
)
# FTS5's own tokenizer, for words that are not in the index yet: its Porter stems are no one else's to the letter
CREATE_ASKED = """
CREATE VIRTUAL TABLE IF NOT EXISTS temp.asked USING fts5 (text, tokenize='porter unicode61');
CREATE VIRTUAL TABLE IF NOT EXISTS temp.asked_term USING fts5vocab ('temp', 'asked', 'instance');
"""
SELECT_FREQUENCIES = """
SELECT asked_term.doc, coalesce((SELECT doc FROM vocabulary WHERE vocabulary.term = asked_term.term), 0)
FROM temp.asked_term
"""

INSERT_CLAIM = """
INSERT INTO claim (source, passage, subject, metric, dimension, low, high, value, fact)
VALUES (:source, :passage, :subject, :metric, :dimension, :low, :high, :value, :fact)
"""
# facts: 1 for the curated table, 0 for what documents say
SELECT_CLAIMS = """
SELECT value, fact FROM claim
WHERE CASE WHEN fact IS NULL THEN 0 ELSE 1 END = :facts
  AND (:source IS NULL OR source = :source)
  AND (:metrics IS NULL OR metric IN (SELECT value FROM json_each(:metrics)))
ORDER BY id
"""
# subtle: with "OR :subjects IS NULL" in one query for both SQLite would not use the index
SELECT_CLAIMS_ABOUT = """
SELECT value, fact FROM claim
WHERE subject IN (SELECT value FROM json_each(:subjects)) AND CASE WHEN fact IS NULL THEN 0 ELSE 1 END = :facts
  AND (:metrics IS NULL OR metric IN (SELECT value FROM json_each(:metrics)))
ORDER BY id
"""
COUNT_FACTS = "SELECT subject, count(*) FROM claim WHERE fact IS NOT NULL GROUP BY subject ORDER BY min(id)"
# every figure of the facts table, light: to take it out of the claims' JSON costs a look-up a fifth of its time
INSERT_FIGURES = """
INSERT INTO figure
SELECT id, subject, metric, low, high, json_extract(value, '$[8][3]'), json_extract(value, '$[8][6]'),
       json_extract(value, '$[8][7]'), json_extract(value, '$[11]'), json_extract(fact, '$[0][3]') = 'deprecated'
FROM claim WHERE fact IS NOT NULL AND dimension <> ''
"""
# what a prebuilt store is shipped without, see evals/prebuilt.py
COMPLETE = f"{CREATE_INDEXES}{INSERT_FIGURES};INSERT INTO word (word) VALUES ('rebuild');"  # noqa: S608
UPDATE_TIMES = "UPDATE source SET bytes = ?, modified = ? WHERE id = ? AND sha256 = ?"
SELECT_FIGURES = "SELECT * FROM figure ORDER BY claim"
SELECT_FACTS = "SELECT id, value, fact FROM claim WHERE id IN (SELECT value FROM json_each(:ids))"
# wanted: a list of [dimension, low, high]. A rounded value begins a little below itself
# subtle: CROSS JOIN goes through the list and searches the index for each; left to itself SQLite may scan all claims
SELECT_CLAIMS_AT = """
SELECT claim.value FROM json_each(:wanted) AS wanted CROSS JOIN claim
  ON claim.dimension = json_extract(wanted.value, '$[0]')
 AND claim.low BETWEEN 0.9 * json_extract(wanted.value, '$[1]') AND json_extract(wanted.value, '$[2]')
WHERE claim.fact IS NULL
UNION
SELECT claim.value FROM json_each(:wanted) AS wanted CROSS JOIN claim
  ON claim.dimension = json_extract(wanted.value, '$[0]') AND claim.low IS NULL
 AND claim.high BETWEEN json_extract(wanted.value, '$[1]') AND json_extract(wanted.value, '$[2]')
WHERE claim.fact IS NULL
"""
