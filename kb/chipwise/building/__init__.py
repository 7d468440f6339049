"""Bringing an index up to date: documents in, passages, claims and vectors out, sealed as a whole or not at all."""
