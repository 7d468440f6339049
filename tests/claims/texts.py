"""The claims of texts, read with the shipped domain, and where a test says so with the shipped facts."""

from __future__ import annotations

from functools import cache

from chipwise.building.facts import read_facts
from chipwise.claims.extract import extract
from chipwise.claims.known import Known
from chipwise.claims.model import Claim
from chipwise.corpus import digests_folder, domain_folder, facts_folder
from chipwise.domain.files import read_domain
from chipwise.domain.model import Domain
from chipwise.reading import read_bytes
from chipwise.splitting import split
from chipwise.types import Document


@cache
def shipped() -> Domain:
    return read_domain(domain_folder())


@cache
def known() -> Known:
    return Known(shipped(), read_facts(facts_folder(), digests_folder(), shipped()))


def document(text: str, name: str = "note.md") -> Document:
    return read_bytes(text.encode("utf-8", "replace"), name=name, origin=name, source_id=name)


def claims_of(made: Document, *, by_facts: bool = False, unplaced: bool = False) -> list[Claim]:
    facts = known() if by_facts else None
    return extract(split(made), shipped(), made.info.title, known=facts, unplaced=unplaced)[1]


def figures(text: str, metric: str = "", *, by_facts: bool = False) -> list[Claim]:
    """The claims of a text that give a figure, of one metric or of all."""
    found = claims_of(document(text), by_facts=by_facts)
    return [c for c in found if c.quantity is not None and metric in ("", c.metric)]
