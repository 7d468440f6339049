"""A table passage as rows of cells under column headers.

    | GPU      | Memory (GB) |           headers  ("GPU", "Memory (GB)")
    | H100 SXM |          80 |     ->    row      "H100 SXM": cell "80" in column 1

Knows where cells stand, not what they mean: which names are subjects and what is
a quantity the caller's finders tell. A row that cannot be divided for certain is
kept without cells.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise

from chipwise import patterns as re
from chipwise.claims.cells import NOTED, Style, cut, is_rule, narrow, says_nothing, spoken, style_of, words_of
from chipwise.claims.flatgrid import Finder, find_none, read_header, read_row
from chipwise.nouns import PRODUCT
from chipwise.reading.rawhtml import cells_of, is_tagged, rows_within
from chipwise.splitting import HEADER_WORDS, PASSAGE_WORDS
from chipwise.text import Span
from chipwise.types import Passage, Role

LONGEST_SECTION = 120  # characters; a longer line across all columns is a note
LONGEST_UNIT = 24
_UNITS = re.compile(r"(?:units?)?\.?", re.IGNORECASE)
_PRODUCTS = re.compile(rf"(?:{PRODUCT})(?:s|\smodel|\stype|\sname)?:?", re.I)
_TELLS_NOTHING = re.compile(
    r"(?:(?:option|choice|variant|card|gpu|chip|setup|config(?:uration)?|system|value|column)s?)?\s?(?:[A-Z]|\d+)?",
    re.I,
)
_NAMED_AT_MOST = 3  # rows, within which one may name what the columns are of
_BEGINS_AS_VALUE = re.compile(r"[~≈<>≤≥±+$€£-]*\d")


@dataclass(frozen=True, slots=True)
class Cell:
    """`text` is the passage's `[start:end]`, never empty; `column` counts from 0, the label's."""

    start: int
    end: int
    row: int
    column: int
    text: str


@dataclass(frozen=True, slots=True)
class Row:
    """A row at the passage's `[start:end]`.

    `label` is the first cell. Where a group's label stands only in its first row it
    is that row's, so its span may lie above. None where it is missing or not told
    apart. `cells` are the others that say something; `section` is the line across
    all columns that the row stands below, "" without one.
    """

    start: int
    end: int
    label: Cell | None
    cells: tuple[Cell, ...]
    section: str = ""

    @property
    def called(self) -> str:
        """The words of its label, or ""."""
        return self.label.text if self.label else ""


@dataclass(frozen=True, slots=True)
class Grid:
    """A table, or the part of it that one passage has.

    `headers` are the words of all columns, the labels' too, () when none is known;
    lines of a header and the units row are joined per column. `marks` are those of notes behind headers, by header.
    """

    headers: tuple[str, ...]
    rows: tuple[Row, ...]
    style: Style
    marks: Mapping[str, str] = field(default_factory=dict)

    def header(self, column: int) -> str:
        """The column's header, "" where it has none."""
        return self.headers[column] if column < len(self.headers) else ""


def read_grids(
    passages: Iterable[Passage], *, entity_spans: Finder = find_none, quantity_spans: Finder = find_none
) -> dict[int, Grid]:
    """Grids by the passage's ordinal; `passages` are one source's, in order, so that long tables are followed.

    The finders return the spans of names and of quantities; only a table parted by single blanks needs them.
    """
    grids: dict[int, Grid] = {}
    table: _Table | None = None
    for passage in passages:
        if passage.role is not Role.TABLE or not passage.sentences:
            table = None
            continue
        if table is None or not _continues(passage, table.passage):
            table = _Table.begun(passage, entity_spans, quantity_spans)
        grids[passage.ordinal] = table.read(passage)
    return grids


def _continues(passage: Passage, before: Passage) -> bool:
    same = before.ordinal + 1 == passage.ordinal and before.context == passage.context
    return same and bool(passage.context) and not passage.text[: passage.sentences[0][0]]


def _with_those_above(text: str, rows: Sequence[Span]) -> list[list[Span]]:
    """The cells of HTML's rows, by column: a label that reaches down is each row's, of another cell only its place."""
    table: list[list[Span]] = []
    hanging: dict[int, tuple[int, Span]] = {}
    for row in rows:
        cells: list[Span] = []
        waiting = [*cells_of(text, *row)][::-1]
        while waiting or len(cells) in hanging:
            if len(cells) in hanging:
                left, span = hanging.pop(len(cells))
                if left > 1:
                    hanging[len(cells)] = (left - 1, span)
                cells.append(span)
                continue
            cell = waiting.pop()
            span = narrow(text, cell.start, cell.end)
            for _ in range(cell.across):
                if cell.down > 1:
                    hanging[len(cells)] = (cell.down - 1, span if not cells else (span[0], span[0]))
                cells.append(span)
        table.append(cells)
    return table


def _headers(lines: Sequence[str], style: Style, *, whole: bool) -> tuple[str, ...]:
    """The header's lines joined per column, what spans lines or columns once."""
    if style is Style.TAGGED and not all(map(is_tagged, lines)):
        style = Style.BOXED  # a context is written with bars
    text = "\n".join(lines)
    if style is Style.TAGGED:
        cells = _with_those_above(text, rows_within(text, 0, len(text)))
    else:
        ends = [*accumulate((len(line) + 1 for line in lines), initial=0)]
        cells = [cut(text, start, end - 1, style) for start, end in pairwise(ends)]
    table = [[spoken(words_of(text[slice(*span)])) for span in row] for row in cells]
    if not whole and sum(len(line.split()) for line in lines) >= HEADER_WORDS:
        table = [row[:-1] for row in table]  # a context is cut, and its last column may be half
    # a title across all columns heads the table, and none of its columns
    table = [[row[0]] if len(row) > 1 and len(table) > 1 and len(set(row)) == 1 else row for row in table]
    width = max(map(len, table), default=0)
    padded = [row + [""] * (width - len(row)) for row in table]
    return tuple(" ".join(dict.fromkeys(filter(None, column))) for column in zip(*padded, strict=True))


def _marks(lines: Sequence[str], style: Style, headers: Sequence[str]) -> dict[str, str]:
    """By header, the mark of a note behind it: "FP8 TFLOPS*", "Peak <sup>1</sup>"."""
    found: dict[str, str] = {}
    for line in lines:
        spans = cut(line, 0, len(line), style)
        if len(spans) == len(headers):
            marked = zip(headers, (NOTED.match(line, end) for _, end in spans), strict=True)
            found |= {header: match[1] or match[2] for header, match in marked if match}
    return found


@dataclass
class _Table:
    """The state that reading rows in order needs, from one passage of a table to the next."""

    passage: Passage
    style: Style
    headers: tuple[str, ...]
    marks: Mapping[str, str]
    entity_spans: Finder
    quantity_spans: Finder
    whole: bool  # the header is the source's own, and no context cut from it
    fits: bool = False
    section: str = ""
    label: Cell | None = None  # the last one written out
    rows: list[Row] = field(default_factory=list)

    @classmethod
    def begun(cls, passage: Passage, entity_spans: Finder, quantity_spans: Finder) -> _Table:
        """The table that a passage begins; its header stands above the rows, else in the context."""
        own = passage.text[: passage.sentences[0][0]]
        lines = [line.strip() for line in (own or passage.context).splitlines() if not is_rule(line)]
        style = style_of([*lines, *(passage.text[slice(*span)] for span in passage.sentences)])
        if style is Style.TAGGED and own:
            lines = [own[slice(*row)] for row in rows_within(own, 0, len(own))]
        flat = style is Style.FLAT
        headers = read_header(" ".join(lines), entity_spans) if flat else _headers(lines, style, whole=bool(own))
        marks = {} if flat else _marks(lines, style, headers)
        return cls(passage, style, headers, marks, entity_spans, quantity_spans, bool(own), flat)

    def read(self, passage: Passage) -> Grid:
        """The table's part in a passage."""
        self.passage, self.rows, self.label = passage, [], None
        spans = passage.sentences
        table = (
            _with_those_above(passage.text, spans)
            if self.style is Style.TAGGED
            else [self._cut(passage.text, span) for span in spans]
        )
        self._fit(max(map(len, table)))
        for number, (span, cells) in enumerate(zip(spans, table, strict=True)):
            words = [words_of(passage.text[slice(*cell)]) for cell in cells]
            if self.style is Style.FLAT:
                self._add(span, cells, words)
            elif self._is_broken(number, len(cells)):
                self.rows.append(Row(*span, None, (), self.section))
            elif not self._heads(number, words):
                self._add(span, cells, words)
        return Grid(self.headers, tuple(self.rows), self.style, self.marks)

    def _cut(self, text: str, span: Span) -> list[Span]:
        if self.style is not Style.FLAT:
            return cut(text, *span, self.style)
        found = read_row(text[slice(*span)], len(self.headers), self.entity_spans, self.quantity_spans)
        return [(span[0] + start, span[0] + end) for start, end in found]

    def _fit(self, width: int) -> None:
        """Drops headers that do not fit the rows, where nothing but their number tells which is whose."""
        known, style, fits = len(self.headers), self.style, self.fits
        self.fits = True
        if fits or style in (Style.BOXED, Style.TAGGED) or (style is Style.BARS and (self.whole or known <= width)):
            return
        if style is not Style.BARS and known == width - 1:
            self.headers = ("", *self.headers)  # the corner was blank
        elif known != width:
            self.headers = ()  # or several lines, joined in the context

    def _is_broken(self, number: int, cells: int) -> bool:
        """Whether the row was cut because it is too long, or lacks the cells that would tell its columns."""
        text, spans = self.passage.text, self.passage.sentences
        start, end = spans[number]
        width = len(self.headers)
        if self.style is Style.TAGGED:
            return not is_tagged(text, start) or (width > 0 and cells not in (1, width))
        joined = number > 0 and "\n" not in text[spans[number - 1][1] : start]
        goes_on = number + 1 < len(spans) and "\n" not in text[end : spans[number + 1][0]]
        edge = (number == 0 and not start) or number + 1 == len(spans)
        if joined or goes_on or (edge and cells < width) or len(text[start:end].split()) >= PASSAGE_WORDS:
            return True
        if self.style in (Style.BOXED, Style.BARS):
            return self.style is Style.BOXED and text[start] != "|"
        return width > 0 and cells not in (1, width)

    def _heads(self, number: int, words: Sequence[str]) -> bool:
        """True of a row that belongs to the header, or heads those below it; it is taken in."""
        if number == 0 and self.passage.sentences[0][0] and self._holds_units(words):
            self._extend(map(_in_brackets, words))
        elif number < _NAMED_AT_MOST and self._holds_names(words):
            self.headers = self.headers or ("",) * len(words)
            self._extend(map(spoken, words))
        elif self._is_section(words):
            self.section, self.label = words[0], None
        else:
            return tuple(map(spoken, words)) == self.headers
        return True

    def _extend(self, words: Iterable[str]) -> None:
        each = [*words, *[""] * len(self.headers)]
        self.headers = tuple(f"{header} {more}".strip() for header, more in zip(self.headers, each, strict=False))

    def _holds_units(self, words: Sequence[str]) -> bool:
        units = [word for word in words[1:] if word]
        return (
            bool(self.headers and units)
            and _UNITS.fullmatch(words[0]) is not None
            and all(len(unit) <= LONGEST_UNIT and not any(map(str.isdigit, unit)) for unit in units)
        )

    def _holds_names(self, words: Sequence[str]) -> bool:
        """True for "| | B200 | B300 |" and "| GPU | B200 | B300 |": a line of the header, whatever stands above it."""
        label, *others = map(spoken, words)
        if not all(map(_TELLS_NOTHING.fullmatch, self.headers[1:])):  # "AWS | Azure" tells what the columns are of
            return False
        fits = len(others) + 1 >= len(self.headers) and not any(map(self.entity_spans, self.headers[1:]))
        named = not label or _PRODUCTS.fullmatch(label) is not None
        return fits and named and len(others) > 1 and all(map(self.entity_spans, others))

    def _is_section(self, words: Sequence[str]) -> bool:
        label, others = words[0], set(words[1:])
        wide = len(words) > 1 or len(self.headers) > 1
        if not wide or not any(map(str.isalpha, label)) or len(label) > LONGEST_SECTION:
            return False
        if others <= {""} and self.label is not None:
            # a subject without values among subjects heads nothing
            return not (self.entity_spans(label) and self.entity_spans(self.label.text))
        return others <= {""} or others == {label}

    def _add(self, span: Span, cells: Sequence[Span], words: Sequence[str]) -> None:
        row, text = len(self.rows), self.passage.text
        width = len(self.headers) or len(cells)
        made = [
            Cell(start, end, row, column, text[start:end])
            for column, (start, end) in enumerate(cells[:width])
            if start < end and words_of(text[start:end]) and not (column and says_nothing(text[start:end]))
        ]
        label = made.pop(0) if made and made[0].column == 0 else None
        if label is not None:
            self.label = label
        elif len(words) > 1 and words[1] and not _BEGINS_AS_VALUE.match(words[1]):
            label = self.label  # the group's, written once
        self.rows.append(Row(*span, label, tuple(made), self.section))


def _in_brackets(unit: str) -> str:
    """A unit as a header has it; nothing of "Unit", which says that the others are units."""
    if _UNITS.fullmatch(unit):
        return ""
    return unit if unit[0] in "([" else f"({unit})"
