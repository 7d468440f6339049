"""A knowledge base as programs use it; the command line calls nothing else.

    kb = KnowledgeBase()                    the shipped corpus, its index in your user data folder
    kb = KnowledgeBase("mine/")             one's own
    kb.ask("How much memory does an H200 have?").text
    kb.facts("H200", "memory bandwidth")[0].value
    kb.check("draft.md").findings

The index is built or brought up to date when it is first used. What other processes change after that is
seen once it is opened again: see `open`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chipwise.audited import AuditedBase
from chipwise.errors import QuestionInvalid, SourceUnknown

if TYPE_CHECKING:
    from chipwise.answering.model import Answer
    from chipwise.answering.question import Question
    from chipwise.answering.searching import Hit
    from chipwise.claims.model import Claim, Fact
    from chipwise.figures.bindings import Sources
    from chipwise.figures.derivation import Derivation
    from chipwise.figures.solve import Amount
    from chipwise.figures.worksheet import Worksheet
    from chipwise.learning.course import Course
    from chipwise.learning.progress import Progress as LearningProgress
    from chipwise.lookups.likeforlike import Comparison
    from chipwise.lookups.listing import Listing
    from chipwise.lookups.lookup import Found
    from chipwise.lookups.tracing import Trace
    from chipwise.types import Passage, SourceInfo

PASSAGES = 10  # that a search gives


class KnowledgeBase(AuditedBase):
    """The documents, claims and facts below one folder. Constructing it touches nothing on disk."""

    def ask(self, question: str, passages: int | None = None) -> Answer:
        """The answer to all that a text asks, from facts or the best `passages` passages. Raises QuestionInvalid."""
        return self._index.ask(question, passages)

    def reword(self, answer: Answer, url: str, model: str = "") -> Answer:
        """An answer in the words of a language model at `url`, each sentence held to its citation. Raises EndpointFailed.

        Nothing else of chipwise makes a network call.
        """
        from chipwise.answering.rewording import reword  # noqa: PLC0415

        return reword(answer, url, model)

    def parse(self, question: str) -> Question:
        """What one question asks for. Raises QuestionInvalid."""
        from chipwise.answering.question import understand  # noqa: PLC0415

        return understand(question, self._index.domain)

    def answer(self, query: Question, passages: int | None = None) -> Answer:
        """The answer to a question that was parsed before."""
        return self.ask(query.text, passages)

    def search(self, text: str, k: int = PASSAGES) -> list[Hit]:
        """The best `k` passages for any text. Raises QuestionInvalid."""
        return self._index.search(text, k)

    def facts(self, *names: str, deprecated: bool = False) -> Found:
        """Curated facts by the names of subjects, metrics and qualifiers: `facts("h100 sxm", "memory")`. Raises NameUnknown."""
        from chipwise.lookups.lookup import find_facts, understand  # noqa: PLC0415

        index = self._index
        return find_facts(index.store, index.names, understand(index.names, names), deprecated=deprecated)

    def fact_counts(self) -> dict[str, int]:
        """How many facts there are, by the id of what they are about."""
        return self._index.store.count_facts()

    def compare(
        self, *subjects: str, metrics: Iterable[str] = (), dtype: str = "", singles: bool = False
    ) -> Comparison:
        """Chips side by side, like for like; `singles` keeps rows in which only one has a figure. Raises NameUnknown."""
        from chipwise.lookups.likeforlike import compare_named  # noqa: PLC0415

        index = self._index
        return compare_named(index.store, index.names, subjects, tuple(metrics), dtype=dtype, singles=singles)

    def size(self, model: str, **options: Any) -> Worksheet:
        """What a model takes in memory, and which chips hold it; options are the fields of `sizing.SizeRequest`. Raises NameUnknown, QuestionInvalid."""
        from chipwise.figures.sizing import SizeRequest, size  # noqa: PLC0415

        return size(SizeRequest(model, **options), self._sources)

    def plan(self, what: str, model: str = "", **options: Any) -> Worksheet:
        """What follows for a run ("train") or a service ("serve"); options are the fields of `planning.TrainRequest` or `serving.ServeRequest`.

        Raises NameUnknown, QuestionInvalid.
        """
        if what == "train":
            from chipwise.figures.planning import TrainRequest, plan_training  # noqa: PLC0415

            return plan_training(TrainRequest(model, **options), self._sources)
        if what == "serve":
            from chipwise.figures.serving import ServeRequest, plan_serving  # noqa: PLC0415

            return plan_serving(ServeRequest(model, **options), self._sources)
        raise QuestionInvalid(f"there is no plan to {what!r}", hint="plan to train or to serve")

    @property
    def _sources(self) -> Sources:
        from chipwise.figures.bindings import Sources  # noqa: PLC0415
        from chipwise.figures.network import network_of  # noqa: PLC0415

        index = self._index
        return Sources(index.store, index.domain, index.names, network_of(index.domain))

    def learn(self, topic: str = "") -> Course:
        """A path through the trade-offs of accelerators, or its steps about one topic, with today's figures. Raises SourceUnknown."""
        from chipwise.learning.course import course  # noqa: PLC0415

        return course(self._sources, topic)

    @staticmethod
    def topics() -> Mapping[str, str]:
        """What the topics of `learn` are called, by their ids."""
        from chipwise.learning.lessons import read_lessons  # noqa: PLC0415

        return read_lessons().topics

    @staticmethod
    def learning_progress() -> LearningProgress:
        """How far the user has come on that path, in whatever knowledge base."""
        from chipwise.learning.progress import Progress as Read  # noqa: PLC0415

        return Read()

    def find(self, number: str) -> Trace:
        """What a number, with its unit or without, could be. Raises NameUnknown, QuestionInvalid."""
        from chipwise.lookups.tracing import trace  # noqa: PLC0415

        return trace(self._index.store, self._index.names, number)

    def solve(self, wanted: str, given: Mapping[str, Amount], of: str = "") -> Derivation:
        """What follows from given figures, and from the facts of the chip `of` where one is named.

        Raises NameUnknown for a quantity, unit or chip that nobody knows, Underdetermined and Ambiguous as `chipwise.solve` does.
        """
        from chipwise.figures.bindings import solve_with_facts  # noqa: PLC0415
        from chipwise.lookups.lookup import understand  # noqa: PLC0415

        chip = next(iter(understand(self._index.names, [of]).subjects), "") if of else ""
        return solve_with_facts(self._sources, wanted, given, chip)

    def claims(self, source: str | Path, subject: str = "", metric: str = "") -> Listing:
        """What was understood of a source, or of a file that is read now and not kept. Raises SourceUnknown, NameUnknown."""
        from chipwise.lookups.listing import listing_of  # noqa: PLC0415

        index = self._index
        listing = listing_of(source, index.store, lambda: index.domain)
        return listing.of(index.names, subject, metric) if subject or metric else listing

    def name(self, id_: str) -> str:
        """What an entity, a metric or a term is called: "NVIDIA H200" for nvidia-h200."""
        return self._index.names.name(id_)

    def value_text(self, fact: Fact) -> str:
        """The value of a fact as one writes it: "1,979 TFLOPS"."""
        from chipwise.figures.phrasing import value_text  # noqa: PLC0415

        return value_text(fact, self._index.names)

    def in_words(self, claim: Claim) -> str:
        """The qualifiers of a claim as one says them: "BF16, dense, per chip"."""
        from chipwise.figures.phrasing import in_words  # noqa: PLC0415

        return in_words(claim, self._index.names)

    def not_stated(self, claim: Claim) -> list[str]:
        """What a claim would have to state one of to tell much, by name, and states none of: ["workload"]."""
        from chipwise.claims.running import not_stated  # noqa: PLC0415

        domain = self._index.domain
        return [domain.axes[axis].name for axis in not_stated(domain, claim)]

    def sources(self) -> list[SourceInfo]:
        """All sources of the index."""
        return self._index.store.sources()

    def find_source(self, source: str) -> SourceInfo | None:
        """The source of that id, or None where the index holds none."""
        return self._index.store.find_source(source)

    def count_passages(self, source: str) -> int:
        """How many passages a source has."""
        return self._index.store.count_passages(source)

    def passages(self, source: str) -> list[Passage]:
        """The passages of a source, in order."""
        return [stored.passage for stored in self._index.store.source_passages(source)]

    def source_text(self, source: str) -> str:
        """All that was read of a source, or of a digest that only the facts table cites. Raises SourceUnknown."""
        store = self._index.store
        if store.find_source(source) is not None:
            return store.source_text(source)
        digest = self._folder.find_digest(source)
        if digest is None:
            raise SourceUnknown(f"there is no source {source!r}", hint="`chipwise sources` lists them")
        from chipwise.reading import read_file  # noqa: PLC0415

        return read_file(digest).text

    def as_json(self, result: Any) -> dict[str, Any]:
        """What `--json` prints for an answer, an audit, facts, a comparison, ...: plain values in a stable shape."""
        from chipwise.report import value_of  # noqa: PLC0415

        return value_of(result, lambda: self._index.names, lambda: self._index.domain)
