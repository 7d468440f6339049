"""Bringing an index up to date: documents in, passages, claims and vectors out, sealed as a whole or not at all.

`planning` says what changed, `building` writes a generation, `vectorising` embeds, `sealing` makes it count, `prebuilt` unpacks a wheel's.
"""
