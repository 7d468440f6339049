"""Bringing an index up to date: documents in, passages, claims and vectors out, sealed as a whole or not at all.

`planning` says what changed, `changes` writes it, `building` makes a generation, `vectorising` embeds, `prebuilt` unpacks a wheel's.
"""
