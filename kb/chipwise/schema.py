"""The SQL of the store, apart from running it."""

from __future__ import annotations

VERSION = 2  # in the file's user_version; a store of another version is built anew
# Raised when the same text would be split or annotated otherwise: every index is then brought up to date.
EXTRACTION = 12

CREATE = """
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
    sentences   TEXT NOT NULL,          -- JSON, see rows.dump_sentences
    sha256      BLOB NOT NULL,          -- of what was embedded
    vector      INTEGER,                -- row of the vector index
    meaning     BLOB NOT NULL DEFAULT x'', -- the sentences' vectors, see vectors.pack
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
"""


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
SELECT_SOURCE = """
SELECT id, title, origin, publisher, author, published, kind, lineage, verified FROM source WHERE id = :id
"""
_SELECT_PASSAGES = """
SELECT id, source, ordinal, start, end, line, page, role, heading, context, text, sentences, meaning FROM passage
"""
SELECT_PASSAGES = f"{_SELECT_PASSAGES} WHERE id IN (SELECT value FROM json_each(:ids))"  # noqa: S608
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
