"""A knowledge base on a PostgreSQL server with pgvector, for several machines at once: `--kb postgresql://...`.

The floors above use only this part of an engine, which is the interface of `knowledge.KnowledgeFolder`,
`index.store.Store` and two functions of `index.vectors`:

    contents     the documents of the base, edited by one process at a time       server
    seal         the inputs of the index, and whether they are still the same     server
    store        sources, passages by id, claims, facts, notes                    store, by the SQL of index.schema
    words        how many passages contain a word; BM25 over all or some          words
    vectors      nearest neighbors; cosines of some                               store

`KnowledgeServer` and `PostgresStore` subclass the file versions and override only what differs:

- No generations. A build is one transaction, and a reader keeps one snapshot while it is open, from before or after
  a build. A build or an edit holds an advisory lock, released if the process dies.
- No FTS5. PostgreSQL ranks and stems by other rules, so its own search would give other answers. FTS5's tokenizer
  makes the words, the server keeps them in a tsvector, and BM25 follows FTS5's formula.
- No FAISS. A small number of vectors is compared one by one; from `store.EXACT_LIMIT` on, an HNSW index is used.
- The query encoder and the reader are memory-mapped files: each machine makes its own, in the user's data folder.

psycopg is an extra, imported only for a server.
"""
