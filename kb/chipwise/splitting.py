"""Documents become passages: neighboring blocks of one role under one heading, up to a length.

A passage is one contiguous span of its source. Long paragraphs are split between sentences, long
tables between rows; each part keeps the header row as context.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from chipwise.text import Span, sentences
from chipwise.types import Block, Document, Passage, Role
from chipwise.values import dataclass

PASSAGE_WORDS = 180  # fits the encoder's 256 word pieces with room for title and heading
WORD_CHARACTERS = 12  # twice the average of an English word and its blank
HEADER_WORDS = 60  # a longer "header" isn't one, and would crowd out its rows

_FLOWING = (Role.BODY, Role.LIST)  # a paragraph and the list that it introduces read as one


@dataclass(frozen=True, slots=True)
class _Piece:
    """An undivided stretch: its span, its sentences, and its block."""

    start: int
    end: int
    block: Block
    sentences: tuple[Span, ...]
    context: str = ""
    place: int = 0  # index of its block in the section

    def length(self, text: str) -> int:
        return _length(text[self.start : self.end])


def _length(text: str) -> int:
    """The length in words; text without blanks (Chinese, a log) counts a word per WORD_CHARACTERS."""
    return max(len(text.split()), len(text) // WORD_CHARACTERS)


def split(document: Document) -> list[Passage]:
    """List the passages in order; they never overlap. A heading isn't a passage, but part of a passage's path."""
    text = document.text
    groups = (group for section in _sections(text, document.blocks) for group in _grouped(text, section))
    passages: list[Passage] = []
    reached, line = 0, 1
    for number, group in enumerate(groups, start=1):
        line += text.count("\n", reached, group[0].start)
        reached = group[0].start
        passages.append(_passage(document, number, group, line))
    return passages


def above(title: str, passage: Passage) -> str:
    """The text above a passage: its source's title, its headings, its table's header."""
    path = " > ".join((title, *passage.heading))
    return f"{path}\n{passage.context}" if passage.context else path


def whole_tables(parts: Iterable[tuple[int, int, int]]) -> dict[int, int]:
    """Map each passage of a table to the table's first one, by ordinal. `parts` are (ordinal, start, end), in order.

    The rows of one table follow each other without an empty line.
    """
    first: dict[int, int] = {}
    ended = 0
    for ordinal, start, end in parts:
        first[ordinal] = first.get(ordinal - 1, ordinal) if start - ended <= 1 else ordinal
        ended = end
    return first


def _sections(text: str, blocks: Iterable[Block]) -> Iterator[list[_Piece]]:
    """Yield the pieces between one heading and the next.

    Blocks of one section can still differ in their path: a line that introduces a list counts as a
    heading of its items, which belong with it.
    """
    section: list[Block] = []
    for block in blocks:
        if block.role is Role.HEADING:
            yield _placed(text, section)
            section = []
        else:
            section.append(block)
    yield _placed(text, section)


def _placed(text: str, section: Iterable[Block]) -> list[_Piece]:
    return [replace(piece, place=n) for n, block in enumerate(section) for piece in _pieces(text, block)]


def _pieces(text: str, block: Block) -> Iterator[_Piece]:
    if block.role in (Role.TABLE, Role.DATA):
        yield from _table_pieces(text, block)
        return
    spans = [(block.start + s, block.start + e) for s, e in sentences(text[block.start : block.end])]
    for run in _runs(text, spans):
        yield _Piece(run[0][0], run[-1][1], block, tuple(run))


def _table_pieces(text: str, block: Block) -> Iterator[_Piece]:
    header = text[slice(*block.header)] if block.header else ""
    if header.startswith("<"):
        from chipwise.reading.rawhtml import barred, rows_within  # noqa: PLC0415

        header = " ".join(barred(header[slice(*row)]) for row in rows_within(header, 0, len(header))) or header
    if _length(header) > PASSAGE_WORDS:  # too wide for a header: cut like any other row
        header = ""
    header_end = block.header[1] if block.header and header else block.start
    rows = [row for row in _lines(text, block) if row[0] >= header_end and any(c.isalnum() for c in text[slice(*row)])]
    context = " ".join(header.split()[:HEADER_WORDS])[: HEADER_WORDS * WORD_CHARACTERS]
    for number, run in enumerate(_runs(text, rows)):
        first = block.start if number == 0 else run[0][0]
        yield _Piece(first, run[-1][1], block, tuple(run), context)


def _lines(text: str, block: Block) -> Iterator[Span]:
    if text.startswith("<", block.start):
        from chipwise.reading.rawhtml import is_tagged, rows_within  # noqa: PLC0415

        if is_tagged(text, block.start):
            yield from rows_within(text, block.start, block.end)
            return
    at = block.start
    for line in text[block.start : block.end].splitlines(keepends=True):
        bare = line.strip()
        if bare:
            start = at + line.index(bare[0])
            yield start, start + len(bare)
        at += len(line)


def _runs(text: str, spans: Iterable[Span]) -> Iterator[list[Span]]:
    """Group neighboring spans up to PASSAGE_WORDS; a longer span is cut by words and stands alone."""
    run: list[Span] = []
    length = 0
    for span in spans:
        for part in _cut_long(text, span):
            size = _length(text[slice(*part)])
            if run and length + size > PASSAGE_WORDS:
                yield run
                run, length = [], 0
            run.append(part)
            length += size
    if run:
        yield run


def _cut_long(text: str, span: Span) -> Iterator[Span]:
    """Yield `span`, cut into parts of PASSAGE_WORDS words if it is longer (a log, a wall of text)."""
    longest = PASSAGE_WORDS * WORD_CHARACTERS  # one "word" of a megabyte is cut as well
    part: list[Span] = []
    at = span[0]
    for word in text[slice(*span)].split():
        start = text.index(word, at)
        at = start + len(word)
        for first in range(start, at, longest):
            if part and (len(part) == PASSAGE_WORDS or min(first + longest, at) - part[0][0] > longest):
                yield part[0][0], part[-1][1]
                part = []
            part.append((first, min(first + longest, at)))
    if part:
        yield part[0][0], part[-1][1]


def _grouped(text: str, pieces: Iterable[_Piece]) -> Iterator[list[_Piece]]:
    group: list[_Piece] = []
    length = 0
    for piece in pieces:
        size = piece.length(text)
        if group and (length + size > PASSAGE_WORDS or not _belong_together(group[-1], piece)):
            yield group
            group, length = [], 0
        group.append(piece)
        length += size
    if group:
        yield group


def _belong_together(a: _Piece, b: _Piece) -> bool:
    if a.block.page != b.block.page or b.place - a.place > 1:
        return False  # there is a block between them, even if it has no words
    if a.block.role is Role.TABLE or b.block.role is Role.TABLE:
        return False
    if a.block.role in _FLOWING and b.block.role in _FLOWING:
        return True
    return a.block.role is b.block.role and a.block.heading == b.block.heading


def _passage(document: Document, number: int, group: list[_Piece], line: int) -> Passage:
    first, last = group[0], group[-1]
    start = first.start
    roles = {piece.block.role for piece in group}
    role = Role.BODY if len(roles) > 1 else first.block.role
    return Passage(
        source=document.info.id,
        ordinal=number,
        start=start,
        end=last.end,
        line=line,
        role=role,
        heading=first.block.heading,
        page=first.block.page,
        text=document.text[start : last.end],
        context=first.context,
        sentences=tuple((s - start, e - start) for piece in group for s, e in piece.sentences),
    )
