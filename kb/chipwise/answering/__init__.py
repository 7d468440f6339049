"""Answering a question: parsed once into a `Query`, evaluated to rows, rendered once."""
