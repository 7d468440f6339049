"""The index of a knowledge base, open and up to date.

Opening is cheap if nothing changed: one stat per source. Otherwise the index is refreshed first. If that is impossible
right now (another build runs, the disk is read-only, a domain file is invalid), the last good index answers, and
`notice` says so.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chipwise.corpus import aim_file, known_questions_folder, reader_folder
from chipwise.errors import ChipwiseError
from chipwise.index.store import Store
from chipwise.knowledge import DOMAIN_NOTE, KnowledgeFolder, Seal
from chipwise.types import Progress

if TYPE_CHECKING:
    from chipwise.answering.answer import Answer, Draft
    from chipwise.answering.precedents import Aim, Precedents
    from chipwise.answering.query import Query, Wish
    from chipwise.answering.reader import Reader
    from chipwise.answering.searching import Hit
    from chipwise.answering.wishes import Wishes
    from chipwise.domain.model import Domain
    from chipwise.domain.names import Names
    from chipwise.encoder import QueryEncoder
    from chipwise.lookups.facts import KnownFacts


@dataclass
class OpenIndex:
    """A sealed generation whose parts open on first use."""

    base: KnowledgeFolder
    seal: Seal
    store: Store
    notice: str = ""
    unreadable: tuple[tuple[str, ChipwiseError], ...] = ()

    @cached_property
    def domain(self) -> Domain:
        """The domain with which the index was built."""
        from chipwise.domain.model import Domain  # noqa: PLC0415

        return Domain.from_json(self.store.note(DOMAIN_NOTE))

    @cached_property
    def names(self) -> Names:
        """The names of the domain, which are all that a look-up needs."""
        from chipwise.domain.names import Names  # noqa: PLC0415

        return Names(self.store.note)

    @cached_property
    def known(self) -> KnownFacts:
        """The facts, and the statements of added documents."""
        from chipwise.lookups.facts import KnownFacts  # noqa: PLC0415

        return KnownFacts(self.store, self.names, frozenset(d.id for d in self.base.read_contents().documents))

    @cached_property
    def vectors(self) -> Any:
        """The vectors of all passages."""
        return self.base.open_vectors(self.seal, self.store)

    @cached_property
    def encoder(self) -> QueryEncoder:
        """The query encoder."""
        from chipwise.encoder import QueryEncoder  # noqa: PLC0415

        return QueryEncoder(self._encoder_folder)

    @cached_property
    def reader(self) -> Reader:
        """The reader of questions and passages."""
        from chipwise.answering.reader import Reader  # noqa: PLC0415

        self.encoder.rest()  # a process that asks one question does not need both at once
        return Reader(self._encoder_folder, self.encoder.tokenizer)

    @cached_property
    def precedents(self) -> Precedents:
        """Known questions on the shipped corpus; empty if this index uses another embedding model."""
        from chipwise.answering.precedents import Precedents  # noqa: PLC0415

        return Precedents(known_questions_folder(), self.base.index_folder, self.seal.model_sha256)

    @cached_property
    def aim(self) -> Aim:
        """The learned map from a question's vector to its answers'; identity if this index uses another embedding model."""
        from chipwise.answering.precedents import Aim  # noqa: PLC0415

        return Aim(aim_file(), self.seal.model_sha256)

    @cached_property
    def _wishes(self) -> Wishes:
        from chipwise.answering.wishes import Wishes  # noqa: PLC0415

        return Wishes(reader_folder() / "sums" / "asked.npz", self.seal.model_sha256)

    @cached_property
    def _wished(self) -> dict[str, Wish]:
        return {}

    @cached_property
    def _encoder_folder(self) -> Path:
        """The folder of encoder and reader, created now if a server's index was built on another machine."""
        folder = self.base.encoder_folder(self.seal)
        if not folder.is_dir() and self.base.shared:
            from chipwise.building.vectorising import make_encoder  # noqa: PLC0415

            make_encoder(folder, self.seal.model, lambda *_: None)
        return folder

    def read(self, question: Query, count: int | None = None, told: Collection[str] = ()) -> Draft:
        """Draft an answer from the best `count` passages, without the quotes already `told`."""
        from chipwise.answering.passages import PASSAGES, answer  # noqa: PLC0415

        return answer(question, self.encoder.encode(question.text), self, count=count or PASSAGES, told=told)

    def wish(self, text: str) -> Wish:
        """Return the kind of calculation that a question asks for, as learned from others."""
        from chipwise.answering.wishes import masked  # noqa: PLC0415

        kinds = masked(text, self.domain)
        if kinds not in self._wished:
            self._wished[kinds] = self._wishes.wish(kinds, lambda text: self.encoder.encode(text))
        return self._wished[kinds]

    def ask(self, text: str, passages: int | None = None) -> Answer:
        """Answer a question, from facts or the best `passages` passages. Raises QuestionInvalid."""
        from chipwise.answering.reply import reply  # noqa: PLC0415

        return reply(text, self, passages)

    def search(self, text: str, count: int) -> list[Hit]:
        """List the best `count` passages for any text. Raises QuestionInvalid."""
        from chipwise.answering.parse import check  # noqa: PLC0415

        words = check(text)
        from chipwise.answering.searching import search  # noqa: PLC0415

        return search(self.store, self.vectors, words, self.encoder.encode(words), count)


@contextmanager
def opened(base: KnowledgeFolder, progress: Progress = lambda *_: None) -> Iterator[OpenIndex]:
    """Open the index of `base`, built or refreshed first if its inputs changed.

    Raises KnowledgeBaseDamaged if the index can't be read, and the errors of `building.build` if there is no earlier index.
    """
    contents = base.read_contents()
    seal = base.read_seal() if base.find_seal() is not None else None
    notice = ""
    unreadable: tuple[tuple[str, ChipwiseError], ...] = ()
    if seal is None or seal.stamp != base.stamp(contents):
        from chipwise.building.building import build  # noqa: PLC0415

        try:
            unreadable = build(base, progress).unreadable
            seal = base.read_seal()
        except ChipwiseError as error:
            if seal is None:
                raise
            notice = f"answering from the index of {seal.built}: " + "; ".join(filter(None, (str(error), error.hint)))
    seal, store = base.open_sealed(seal)
    with base.reading(seal), store:
        yield OpenIndex(base, seal, store, notice, unreadable)
