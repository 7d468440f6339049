"""What queries are evaluated against: the facts and passages of a knowledge base, and what its domain calls things."""

from __future__ import annotations

from typing import Protocol

from chipwise.answering.query import Wish
from chipwise.domain.model import Domain
from chipwise.domain.names import Names
from chipwise.index.store import Store
from chipwise.lookups.facts import KnownFacts


class Base(Protocol):
    """An open knowledge base."""

    @property
    def store(self) -> Store: ...  # noqa: D102
    @property
    def known(self) -> KnownFacts: ...  # noqa: D102
    @property
    def domain(self) -> Domain: ...  # noqa: D102
    @property
    def names(self) -> Names: ...  # noqa: D102

    def wish(self, text: str) -> Wish:
        """What a question wants worked out."""
        ...
