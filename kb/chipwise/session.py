"""A knowledge base as programs use it; the command line calls nothing else.

    kb = KnowledgeBase()                    the shipped corpus, its index in your user data folder
    kb = KnowledgeBase("mine/")             your own folder
    kb.ask("How much memory does an H200 have?").text
    kb.facts("H200", "memory bandwidth")[0].value
    kb.check("draft.md").findings

The index is built or refreshed on first use. Later changes by other processes are seen after it is opened
again: see `open`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, BinaryIO, Self

from chipwise.errors import KnowledgeBaseMissing, QuestionInvalid, SourceUnknown
from chipwise.files import user_folder
from chipwise.knowledge import KnowledgeFolder
from chipwise.models import DEFAULT_MODEL, find_model
from chipwise.types import Progress

if TYPE_CHECKING:
    from chipwise.answering.answer import Answer
    from chipwise.answering.query import Query
    from chipwise.answering.searching import Hit
    from chipwise.audit.acknowledging import Acknowledged
    from chipwise.audit.codes import Codes
    from chipwise.audit.model import Audit
    from chipwise.building.documents import AddReport
    from chipwise.building.planning import BuildReport
    from chipwise.claims.model import Claim, Fact
    from chipwise.figures.bindings import Sources
    from chipwise.figures.network import Derivation
    from chipwise.figures.solve import Amount
    from chipwise.health import Ailment, Status
    from chipwise.knowledge import AddedDocument
    from chipwise.learning.progress import Progress as LearningProgress
    from chipwise.learning.steps import Course
    from chipwise.lookups.compare import Comparison
    from chipwise.lookups.facts import FactList
    from chipwise.lookups.find import Trace
    from chipwise.lookups.listing import Listing
    from chipwise.opening import OpenIndex
    from chipwise.reporting.model import Plot, Report
    from chipwise.sizing.worksheet import Worksheet
    from chipwise.types import Passage, SourceInfo

PASSAGES = 10  # that a search gives
PLOT_WIDTH = 720  # pixels


class KnowledgeBase:
    """The documents, claims and facts of one folder or server. Constructing it touches nothing on disk."""

    DEFAULT_MODEL = DEFAULT_MODEL  # the embedding model of a new one

    def __init__(self, folder: str | Path | None = None) -> None:
        self._folder = _knowledge(folder)
        self._resources = ExitStack()
        self._opened: OpenIndex | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._opened = None
        self._resources.__exit__(kind, error, trace)  # a broken index is told by what reading it raised

    @property
    def folder(self) -> Path:
        """The folder of the knowledge base."""
        return self._folder.folder

    @property
    def model(self) -> str:
        """The name of its embedding model. Raises KnowledgeBaseDamaged."""
        return self._folder.read_contents().model

    @property
    def _index(self) -> OpenIndex:
        if self._opened is None:
            self.open()
        assert self._opened is not None  # noqa: S101
        return self._opened

    def open(self, progress: Progress = lambda *_: None) -> list[str]:
        """Refresh the index and open it; the other methods do so on first use.

        Returns notices, one sentence each: documents that were left out, and whether an older index answers because a
        newer one can't be built. Raises KnowledgeBaseDamaged, and the errors of `build` if there is no index yet.
        """
        from chipwise.opening import opened  # noqa: PLC0415

        self.close()
        index = self._opened = self._resources.enter_context(opened(self._folder, progress))
        left_out = [f"left out {name}: {error}" for name, error in index.unreadable]
        return [*left_out, *filter(None, [index.notice])]

    def close(self) -> None:
        """Close the index; the next call opens it again."""
        self._opened = None
        self._resources.close()

    def create(self, *, shipped: bool = True, model: str = DEFAULT_MODEL) -> None:
        """Make a new knowledge base, with or without the shipped corpus. Raises StorageFailed, ModelUnavailable."""
        from chipwise.building.documents import initialise  # noqa: PLC0415

        initialise(self._folder, shipped=shipped, model=find_model(model).name)

    def add(self, *files: str | Path) -> AddReport:
        """Add files, and all readable files below folders. An unreadable one doesn't stop the others."""
        from chipwise.building.documents import add_files  # noqa: PLC0415

        self.close()
        return add_files(self._folder, [Path(file) for file in files])

    def add_stream(self, stream: BinaryIO, name: str) -> AddReport:
        """Add the content of a stream, under a name whose suffix gives the format. Raises SourceUnreadable."""
        from chipwise.building.documents import add_text  # noqa: PLC0415
        from chipwise.reading import MAX_BYTES  # noqa: PLC0415

        self.close()
        return add_text(self._folder, stream.read(MAX_BYTES + 1), name)

    def remove(self, *sources: str) -> tuple[AddedDocument, ...]:
        """Remove added documents by id or path. Raises SourceUnknown, and then removes none."""
        from chipwise.building.documents import remove_sources  # noqa: PLC0415

        self.close()
        return remove_sources(self._folder, sources)

    def build(
        self, progress: Progress = lambda *_: None, *, fresh: bool = False, model: str | None = None
    ) -> BuildReport:
        """Refresh the index, or build it from scratch.

        Raises KnowledgeBaseBusy, StorageFailed, ModelUnavailable, DomainInvalid.
        """
        from chipwise.building.building import build  # noqa: PLC0415

        self.close()
        if model is not None:
            found = find_model(model)
            with self._folder.editing() as contents:
                self._folder.write_contents(replace(contents, model=found.name))
        return build(self._folder, progress, fresh=fresh)

    def status(self) -> Status:
        """Report its contents from the seal and file sizes alone. Raises KnowledgeBaseDamaged."""
        from chipwise.health import read_status  # noqa: PLC0415

        return read_status(self._folder)

    def examine(self) -> list[Ailment]:
        """List all problems that can be found."""
        from chipwise.health import examine  # noqa: PLC0415

        return examine(self._folder)

    def ask(self, question: str, passages: int | None = None) -> Answer:
        """Answer all questions in a text, from facts or from the best `passages` passages. Raises QuestionInvalid."""
        return self._index.ask(question, passages)

    def choose(self, answer: Answer, url: str, model: str = "") -> Answer:
        """Let a language model at `url` choose the answer's sentences: the only network call. Raises EndpointFailed."""
        from chipwise.answering.choice import choose  # noqa: PLC0415
        from chipwise.answering.parse import understand  # noqa: PLC0415

        question = understand(answer.question, self._index.domain)
        return choose(answer, question, self._index.encoder.encode(question.text), self._index, url, model)

    def parse(self, question: str) -> Query:
        """Return the query behind one question. Raises QuestionInvalid."""
        from chipwise.answering.parse import understand  # noqa: PLC0415

        return understand(question, self._index.domain)

    def search(self, text: str, k: int = PASSAGES) -> list[Hit]:
        """List the best `k` passages for any text. Raises QuestionInvalid."""
        return self._index.search(text, k)

    def facts(self, *names: str, deprecated: bool = False) -> FactList:
        """List facts by names of subjects, metrics and qualifiers: `facts("h100 sxm", "memory")`. Raises NameUnknown."""
        from chipwise.lookups.facts import find_facts, select  # noqa: PLC0415

        index = self._index
        return find_facts(index.known, index.names, select(index.names, names), deprecated=deprecated)

    def fact_counts(self) -> dict[str, int]:
        """Count the facts of each subject, by its id."""
        return self._index.store.count_facts()

    def compare(
        self, *subjects: str, metrics: Iterable[str] = (), dtype: str = "", singles: bool = False
    ) -> Comparison:
        """Compare chips side by side, like for like; `singles` keeps rows with only one figure. Raises NameUnknown."""
        from chipwise.lookups.compare import compare_named  # noqa: PLC0415

        index = self._index
        return compare_named(index.known, index.names, subjects, tuple(metrics), dtype=dtype, singles=singles)

    def size(self, model: str, **options: Any) -> Worksheet:
        """Calculate a model's memory and the chips that hold it, given the fields of `SizeRequest`. Raises NameUnknown."""
        from chipwise.sizing import memory, requests  # noqa: PLC0415

        return memory.size(requests.SizeRequest(model, **options), self._sources)

    def plan(self, what: str, model: str = "", **options: Any) -> Worksheet:
        """Plan a run ("train") or a service ("serve"). Raises NameUnknown, QuestionInvalid.

        The options are the fields of `TrainRequest` or `ServeRequest`.
        """
        from chipwise.sizing import requests, serving, training  # noqa: PLC0415

        if what == "train":
            return training.plan_training(requests.TrainRequest(model, **options), self._sources)
        if what == "serve":
            return serving.plan_serving(requests.ServeRequest(model, **options), self._sources)
        raise QuestionInvalid(f"there is no plan to {what!r}", hint="plan to train or to serve")

    @property
    def _sources(self) -> Sources:
        from chipwise.figures.bindings import Sources  # noqa: PLC0415
        from chipwise.figures.network import network_of  # noqa: PLC0415

        index = self._index
        return Sources(index.store, index.domain, index.names, network_of(index.domain), index.known)

    def learn(self, topic: str = "") -> Course:
        """Return a course on the trade-offs of accelerators, or its steps on one topic. Raises SourceUnknown."""
        from chipwise.learning.steps import course  # noqa: PLC0415

        return course(self._sources, topic)

    @staticmethod
    def topics() -> Mapping[str, str]:
        """The names of the topics of `learn`, by id."""
        from chipwise.learning.lessons import read_lessons  # noqa: PLC0415

        return read_lessons().topics

    @staticmethod
    def learning_progress() -> LearningProgress:
        """The user's progress through the course, the same in every knowledge base."""
        from chipwise.learning.progress import Progress as Read  # noqa: PLC0415

        return Read()

    def find(self, number: str) -> Trace:
        """Trace a number, with or without a unit, to the facts and sums that give it. Raises NameUnknown, QuestionInvalid."""
        from chipwise.lookups.find import trace  # noqa: PLC0415

        return trace(self._index.store, self._index.domain, self._index.names, number)

    def solve(self, wanted: str, given: Mapping[str, Amount], of: str = "") -> Derivation:
        """Derive a quantity from given figures, and from facts of the chip `of` if there is one.

        Raises NameUnknown for an unknown quantity, unit or chip, and Underdetermined and Ambiguous as `chipwise.solve` does.
        """
        from chipwise.figures import bindings, solve  # noqa: PLC0415
        from chipwise.lookups.facts import select  # noqa: PLC0415

        about = bindings.About(next(iter(select(self._index.names, [of]).subjects), "") if of else "")
        return solve.solve(wanted, given, self._index.domain, lambda v: bindings.available(self._sources, about, v))

    def claims(self, source: str | Path, subject: str = "", metric: str = "") -> Listing:
        """List the claims of a source, or of a file that is read now and not kept. Raises SourceUnknown, NameUnknown."""
        from chipwise.lookups.listing import listing_of  # noqa: PLC0415

        index = self._index
        listing = listing_of(source, index.store, lambda: index.domain)
        return listing.of(index.names, subject, metric) if subject or metric else listing

    def name(self, id_: str) -> str:
        """The name of an entity, a metric or a term: "NVIDIA H200" for nvidia-h200."""
        return self._index.names.name(id_)

    def value_text(self, fact: Fact) -> str:
        """The printed value of a fact: "1,979 TFLOPS"."""
        from chipwise.figures.format import value_text  # noqa: PLC0415

        return value_text(fact, self._index.names)

    def in_words(self, claim: Claim) -> str:
        """The printed qualifiers of a claim: "BF16, dense, per chip"."""
        from chipwise.figures.format import in_words  # noqa: PLC0415

        return in_words(claim, self._index.names)

    def conditions(self, claim: Claim) -> list[str]:
        """The printed conditions of a measurement or an offer: ["batch size: 64"]."""
        axes = self._index.domain.axes
        return [f"{axes[axis].name}: {value}" for axis, value in claim.qualifiers if axis in axes and axes[axis].of]

    def not_stated(self, claim: Claim) -> list[str]:
        """The names of axes of which a claim should state at least one, if it states none: ["workload"]."""
        from chipwise.claims.running import not_stated  # noqa: PLC0415

        domain = self._index.domain
        return [domain.axes[axis].name for axis in not_stated(domain, claim)]

    def sources(self) -> list[SourceInfo]:
        """List all sources of the index."""
        return self._index.store.sources()

    def find_source(self, source: str) -> SourceInfo | None:
        """Return the source with that id, or None."""
        return self._index.store.find_source(source)

    def count_passages(self, source: str) -> int:
        """Count the passages of a source."""
        return self._index.store.count_passages(source)

    def passages(self, source: str) -> list[Passage]:
        """List the passages of a source, in order."""
        return [stored.passage for stored in self._index.store.source_passages(source)]

    def source_text(self, source: str) -> str:
        """Return the whole text of a source, of a digest that only facts cite, or of a file. Raises SourceUnknown, SourceUnreadable."""
        store = self._index.store
        if store.find_source(source) is not None:
            return store.source_text(source)
        digest = self._folder.find_digest(source) or (Path(source) if Path(source).is_file() else None)
        if digest is None:
            raise SourceUnknown(f"there is no source {source!r}", hint="`chipwise sources` lists them")
        from chipwise.reading import read_file  # noqa: PLC0415

        return read_file(digest).text

    def as_json(self, result: Any) -> dict[str, Any]:
        """Return what `--json` prints for an answer, an audit, facts and so on: plain values in a stable shape."""
        from chipwise.report import value_of  # noqa: PLC0415

        return value_of(result, lambda: self._index.names, lambda: self._index.domain)

    def audit(
        self,
        *,
        source: str = "",
        subject: str = "",
        metric: str = "",
        everything: bool = False,
        register: Path | None = None,
    ) -> Audit:
        """Find contradictions between sources and mistakes of arithmetic, worst first.

        `everything` adds explained and compatible pairs. Findings are marked by the `register`, or else by the shipped one
        and the folder's. Raises SourceUnknown.
        """
        from chipwise.audit.marks import read_register, registers, unused  # noqa: PLC0415

        paths = registers(self._folder, register)
        known = read_register(*paths)
        from chipwise.audit.auditing import run_audit  # noqa: PLC0415

        asked = {"source": source, "subject": subject, "metric": metric}
        audit = run_audit(self._folder, **asked, everything=everything)
        # the shipped register is not the user's to mend
        unmatched = () if any(asked.values()) else unused(read_register(paths[-1]), audit.findings)
        return replace(audit.marked(known), unmatched=unmatched)

    def check(
        self,
        file: str | Path | None = None,
        *,
        text: str = "",
        register: Path | None = None,
        baseline: Path | None = None,
        lines: Collection[int] | None = None,
        against: Sequence[str | Path] = (),
    ) -> Audit:
        """Judge each claim of a file or a text, and list the findings about it; nothing of it is kept.

        Findings in the `baseline` are marked; with `lines`, only those on these lines are reported. With result files
        `against` which it is checked, they take the place of the knowledge base. Raises SourceUnreadable, SettingsInvalid.
        """
        from chipwise.audit.marks import read_baseline, read_register, registers  # noqa: PLC0415

        known = read_register(*registers(self._folder, register))
        before = () if baseline is None else read_baseline(baseline)
        from chipwise.audit.checking import run_check  # noqa: PLC0415

        read = (None, text) if file is None else (Path(file), None)
        audit = run_check(self._folder, *read, lines=lines, against=[*map(Path, against)])
        return audit.marked(known).since(before, partial=lines is not None)

    @staticmethod
    def write_baseline(path: Path, audit: Audit) -> int:
        """Write an audit's findings to a baseline; return how many it then has. Raises SettingsInvalid, StorageFailed."""
        from chipwise.audit.marks import write_baseline  # noqa: PLC0415

        return write_baseline(path, audit.findings, audit.documents)

    def acknowledge(self, fingerprint: str, status: str, reason: str, register: Path | None = None) -> Acknowledged:
        """Record a decision on a finding. Raises SourceUnknown, QuestionInvalid, DomainInvalid."""
        from chipwise.audit.acknowledging import acknowledge  # noqa: PLC0415

        return acknowledge(self._folder, fingerprint, status, reason, register)

    @staticmethod
    def codes() -> Codes:
        """The meaning of each finding's code."""
        from chipwise.audit.codes import read_codes  # noqa: PLC0415

        return read_codes()

    @staticmethod
    def documents_in(*paths: str | Path) -> list[Path]:
        """List files as given, and for each folder all files below it that can be checked. Raises SourceUnreadable."""
        from chipwise.reading import STRUCTURED, find_files  # noqa: PLC0415

        return [file for path in paths for file in find_files(Path(path), STRUCTURED)]

    @staticmethod
    def is_document(path: str | Path) -> bool:
        """True if a file with this name can be checked."""
        from chipwise.reading import READABLE, STRUCTURED  # noqa: PLC0415

        return Path(path).suffix.lower() in READABLE | STRUCTURED

    def report(self, *chips: str, register: Path | None = None) -> Report:
        """Gather findings, a table of chips and plots for one page. Raises NameUnknown.

        It is about `chips`, or about all with charts of the chips that most sources mention.
        """
        from chipwise.corpus import shipped_documents  # noqa: PLC0415
        from chipwise.reporting.gathering import gather  # noqa: PLC0415

        added = {document.id for document in self._folder.read_contents().documents}
        own = frozenset(path.stem for path in shipped_documents()) - added
        audit, built = self.audit(register=register), self._folder.read_seal().built[:10]
        return gather(self._sources, audit, self.codes(), built, own, chips)

    def plot(self, what: str, *names: str, dtype: str = "") -> Plot:
        """Plot the "roofline" or "price-performance" of chips, or the figures of a metric by source.

        Raises NameUnknown, and QuestionInvalid for a metric without figures.
        """
        from chipwise.reporting import gathering  # noqa: PLC0415

        if what in gathering.CHARTS:
            return gathering.draw_chart(self._sources, what, names, dtype)
        metric = gathering.metric_named(self._index.names, what)
        return gathering.draw_strips(self._sources, metric, names, lambda: self.audit(metric=metric))

    @staticmethod
    def as_html(report: Report) -> str:
        """Return a report as a self-contained page without scripts."""
        from chipwise.reporting.page import page  # noqa: PLC0415

        return page(report)

    @staticmethod
    def as_svg(plot: Plot, width: int = PLOT_WIDTH) -> str:
        """Return a plot as an SVG document of this width in pixels."""
        from chipwise.reporting.plots import as_svg  # noqa: PLC0415

        return as_svg(plot, width)

    @staticmethod
    def as_text(plot: Plot, width: int = 100) -> str:
        """Return a plot drawn in characters, of this width in columns."""
        from chipwise.reporting.terminal import as_text  # noqa: PLC0415

        return as_text(plot, width)

    @staticmethod
    def save(made: Report | Plot, path: str | Path, width: int = PLOT_WIDTH) -> None:
        """Write a report as a page, or a plot as SVG, replacing the file. Raises StorageFailed."""
        from chipwise.reporting.page import save  # noqa: PLC0415

        save(made, Path(path), width)


def _knowledge(named: str | Path | None) -> KnowledgeFolder:
    """Return the folder of that name, or the database for a URL."""
    if isinstance(named, str) and named.startswith(("postgresql://", "postgres://")):
        from chipwise.postgres.server import KnowledgeServer  # noqa: PLC0415

        return KnowledgeServer(named, user_folder("data") / "servers")
    try:
        return KnowledgeFolder(user_folder("data") if named is None else Path(named).expanduser())
    except RuntimeError as error:  # ~nobody
        raise KnowledgeBaseMissing(f"{named} is not a folder: {error}", hint="name a folder with --kb") from None
