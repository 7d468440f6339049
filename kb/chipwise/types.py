"""The values that everything passes around: a source, its blocks, its passages, quotes and findings.

    Document   a source as read: text, blocks, metadata
    Block      a stretch of the text with one role (a paragraph, a table, a comment)
    Passage    a citable stretch, made of neighboring blocks of one role
    Evidence   a quote inside a passage, verbatim at its span

Every span is (start, end) into `Document.text`, in code points, end exclusive. Reading normalizes
a file's text once; after that nothing edits it: `text[start:end]` is what a reader would see.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum

from chipwise.values import dataclass

Progress = Callable[[str, int, int], None]  # stage, done, total


class Role(StrEnum):
    """The role of a stretch of text in its source. Only some roles can carry an answer."""

    BODY = "body"
    HEADING = "heading"
    LIST = "list"
    TABLE = "table"
    FAQ = "faq"
    COMMENT = "comment"
    BOILERPLATE = "boilerplate"
    BIO = "bio"
    CODE = "code"
    DATA = "data"  # a file of cells or of code, read as such

    @property
    def speaks_for_the_source(self) -> bool:
        """False for text that isn't the author's assertion: comments, advertising, bios, listings and program output."""
        return self not in (Role.COMMENT, Role.BOILERPLATE, Role.BIO, Role.CODE)


@dataclass(frozen=True, slots=True)
class SourceInfo:
    """The metadata of a source; every field but title may be empty.

    `origin` is the path or URL where a reader finds it; `published` an ISO date, a year and month, or a year;
    `lineage` the sources whose figures it repeats.
    """

    id: str
    title: str
    origin: str
    publisher: str = ""
    author: str = ""
    published: str = ""
    kind: str = "document"
    lineage: tuple[str, ...] = ()
    verified: str = ""


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch of a document: `text[start:end]`, without surrounding blank space.

    `line` is 1-based in the text; `page` 1-based, or None if the format has no pages; `heading` the path of
    headings above it, outermost first. `header` is the span of a table's header row, if it has one.
    """

    start: int
    end: int
    line: int
    role: Role
    heading: tuple[str, ...] = ()
    page: int | None = None
    header: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Document:
    """A source as read. Blocks are in order and never overlap."""

    info: SourceInfo
    text: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Passage:
    """A citable stretch of a source: `text` is the source's `[start:end]`.

    `context` is text from elsewhere in the source that a reader needs with it (a table's header row); it is
    searched with the passage and never quoted as part of it. `sentences` are spans relative to `start`.
    """

    source: str
    ordinal: int
    start: int
    end: int
    line: int
    role: Role
    heading: tuple[str, ...]
    page: int | None
    text: str
    context: str
    sentences: tuple[tuple[int, int], ...]

    @property
    def id(self) -> str:
        """`source#ordinal`, the argument of `chipwise show`."""
        return f"{self.source}#{self.ordinal}"


@dataclass(frozen=True, slots=True)
class Evidence:
    """A quote from a passage; `quote == source text[start:end]`, always.

    `mark` is the span of the essential part within the quote, usually a figure; `line` and `column` (1-based) are
    the start of the mark, or of the quote if there is none. With `digest`, the words are our own summary of the
    page at `origin`, which has others.
    """

    source: str
    title: str
    origin: str
    publisher: str
    published: str
    heading: tuple[str, ...]
    role: Role
    quote: str
    start: int
    end: int
    line: int
    page: int | None
    passage: str
    column: int = 1
    mark: tuple[int, int] | None = None
    digest: bool = False

    @property
    def by(self) -> str:
        """The publisher or title with the date: "AI Wiki 2026-06-21"."""
        return " ".join(filter(None, (self.publisher or self.title, self.published)))


@dataclass(frozen=True, slots=True)
class Finding:
    """A disagreement of sources, with a quote from each side.

    `explanation` may have several lines: each step of the arithmetic has its own. `help` says what would settle it.
    `fingerprint` doesn't change with the text around the quotes. `confidence`, 0 to 1, is the probability that the
    finding is true.
    """

    code: str
    verdict: str
    severity: str
    title: str
    explanation: str
    evidence: tuple[Evidence, ...]
    fingerprint: str
    status: str = "open"  # or confirmed, explained, accepted (the register), ignored (the document), baseline
    help: str = ""
    subject: str = ""
    metric: str = ""
    confidence: float = 1.0
