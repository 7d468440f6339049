"""The claims of texts, read with the shipped domain."""

from __future__ import annotations

from functools import cache

from chipwise.claims.extract import extract
from chipwise.claims.model import Claim
from chipwise.domain.files import shipped_domain
from chipwise.domain.model import Domain
from chipwise.reading import read_bytes
from chipwise.splitting import split
from chipwise.types import Document


@cache
def shipped() -> Domain:
    return shipped_domain()


def document(text: str, name: str = "note.md") -> Document:
    return read_bytes(text.encode("utf-8", "replace"), name=name, origin=name, source_id=name)


def claims_of(made: Document, *, unplaced: bool = False) -> list[Claim]:
    return extract(split(made), shipped(), made.info.title, unplaced=unplaced)[1]


def figures(text: str, metric: str = "") -> list[Claim]:
    """The claims of a text that give a figure, of one metric or of all."""
    found = claims_of(document(text))
    return [c for c in found if c.quantity is not None and metric in ("", c.metric)]
