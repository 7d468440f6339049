"""What an index holds on disk: sources, passages, claims and facts in SQLite, vectors beside them."""
