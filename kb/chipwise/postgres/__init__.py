"""A knowledge base on a PostgreSQL server with pgvector, for several machines at once: `--kb postgresql://...`.

The floors above need of an engine what `knowledge.KnowledgeFolder`, `index.store.Store` and the two functions of
`index.vectors` that a question calls offer, and nothing else of SQLite or FAISS:

    contents     which documents belong to it, changed by one at a time          server
    seal         what the index was made from, and whether that is still so      server
    store        sources, passages by id, claims, facts, notes; written too      store, by the SQL of index.schema
    words        in how many passages a word occurs; BM25, of all or of some     words
    vectors      the nearest; the cosines of some                                store

`KnowledgeServer` and `PostgresStore` are the second of each, and override only what differs. What differs:

- No generations. A build is one transaction, and a reader has one snapshot for as long as it is open: it sees the index
  from before a build or from after it. Whoever builds or edits holds an advisory lock, which a dying process gives back.
- No FTS5. PostgreSQL ranks by other formulas and stems by other rules, so that its own search would answer otherwise.
  FTS5's tokenizer makes the words here, the server keeps them in a tsvector, and BM25 is reckoned to FTS5's formula.
- No FAISS. Vectors are compared one by one while they are few, and by an HNSW index from `store.EXACT_LIMIT` on.
- Query encoder and reader are files that a process maps: each machine makes its own, below the user's data folder.

psycopg is an extra, imported when a server is asked, never for a folder.
"""
