"""Tables in a text as trees: a row's cells under the headers of their columns, whatever parts them.

Bars, tabs, wide blanks, tags, or single blanks, as a PDF leaves them, part cells. A row that cannot be divided for certain has none:
no value stands under a header that it was not written for. Spans are of the source.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import accumulate, pairwise

from chipwise import patterns as re
from chipwise.domain.model import Domain
from chipwise.grids.tree import Label, Node
from chipwise.reading.blocks import strip_span
from chipwise.reading.rawhtml import cells_of, is_tagged, rows_within
from chipwise.splitting import HEADER_WORDS, PASSAGE_WORDS
from chipwise.text import Span, blanked
from chipwise.types import Passage, Role

LONGEST_SECTION = 120  # characters; a longer line across all columns is a note
LONGEST_UNIT = 24
NOTE_CHARACTERS = 80  # in which a footnote's mark is looked for at a cell's end
MOST_WRAPPINGS = 6  # "[**`x`**](y)" is wrapped three times
_NAMED_AT_MOST = 3  # rows, within which one may name what the columns are of


class Style(StrEnum):
    """What parts the cells of a row."""

    BOXED = "boxed"  # | a | b |, as Markdown has it
    BARS = "bars"  # a | b, where a leading bar stands behind an empty cell
    TABS = "tabs"
    BLANKS = "blanks"  # two and more, or tabs that only align
    TAGGED = "tagged"  # <tr><td>a</td><td>b</td></tr>
    FLAT = "flat"  # one blank, as between words: the cells are lost


_BAR = re.compile(r"(?<!\\)\|")
_MARKS = {
    Style.BOXED: _BAR,
    Style.BARS: _BAR,
    Style.TABS: re.compile(r"\t"),
    Style.BLANKS: re.compile(r"(?<=[^\s.!?:;,]) {2,}|\t[\t ]*"),
}
_RULE = frozenset(" \t|:+=_-")
_EMPHASIS = ("**", "__", "~~", "*", "_", "`")
_TARGET = r"\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?:\s+(?:\"[^\"]*\"|'[^']*'))?\)|\[[^\[\]]*\]"
_LINK = re.compile(rf"!?\[([^\[\]]*)\](?:{_TARGET})")
_TAGGED = re.compile(r"<([A-Za-z][\w-]*)(?:\s[^<>]*)?>([^<>]*)</\1\s*>")
_MARK_BEHIND = re.compile(r"\s{0,3}(?:\[\^[^\]\s]{1,20}\]|\[\d{1,3}\]|<sup>[^<>]{0,40}</sup>|[†‡]+|\\\*)$")
# the mark of a note right behind a figure or a label: "3,958*", "FP8 [1]"
_NOTED = re.compile(r"\s?\\?([*†‡]{1,3})|\s?(?:<sup>)?(\[\^?\w{1,3}\]|(?<=>)\w{1,3}(?=</sup>))")
_NO_VALUE = re.compile(
    r"[-‐–—−…?.~/\\\s]*|n/?a|n\.\s?a\.?|tbd|tba|unknown|undisclosed"
    r"|not (?:applicable|available|disclosed|given|stated|specified|known|published|public|derived)",
    re.IGNORECASE,
)
_UNITS = frozenset(("", "unit", "units"))
_SIGNS = "~≈<>≤≥±+$€£-"  # that a value begins with
# of a flat row, what leads into a value, and where there is none
_LEADS_IN = re.compile(
    r"(?<!\S)(?:(?:up to|at least|at most|about|around|roughly|over|under|from)\s+)?(?:\d{1,4}\s?[x×]\s?)?[~≈<>≤≥±+$€£-]*$",
    re.I,
)
_LOOK_BACK = 24
_ABOUT = re.compile(r"\s+(?=[~≈]\s?[$€£]?\d)")
_JOINS = frozenset("-–—/")
_BLANK = re.compile(r"(?<!\S)(?:n/?a|tbd|tba)(?!\S)", re.IGNORECASE)


@dataclass(slots=True)
class Table:
    """A table, or the part of it that one passage has.

    `headers` are the words of all columns, the labels' too, () when none is known. `rows` are by their span; a node's
    first child is the label of a `row`, and its `keys` are the line across all columns above it and the corner.
    `ragged` are the rows of a box with a cell too many or too few, with how many they have.
    """

    headers: tuple[str, ...]
    rows: dict[Span, Node]
    ragged: dict[Span, int] = field(default_factory=dict)

    def row_at(self, at: int) -> Span | None:
        """Where the row stands that has this place of the source."""
        return next((span for span in self.rows if span[0] <= at < span[1]), None)


def read_tables(
    passages: Sequence[Passage], domain: Domain, notes: Mapping[str, Label] | None = None
) -> dict[int, Table]:
    """Tables by the passage's ordinal; `passages` are one source's, in order, so that long tables are followed.

    `notes` are the footnotes of the source by their marks.
    """
    tables: dict[int, Table] = {}
    reader: _Reader | None = None
    for passage in passages:
        if passage.role is not Role.TABLE or not passage.sentences:
            reader = None
            continue
        if reader is None or not _continues(passage, reader.passage):
            reader = _Reader.begun(passage, domain, notes or {})
        tables[passage.ordinal] = reader.read(passage)
    return tables


def _continues(passage: Passage, before: Passage) -> bool:
    same = before.ordinal + 1 == passage.ordinal and before.context == passage.context
    return same and bool(passage.context) and not passage.text[: passage.sentences[0][0]]


@dataclass
class _Reader:
    """The state that reading rows in order needs, from one passage of a table to the next."""

    passage: Passage
    domain: Domain
    notes: Mapping[str, Label]
    style: Style
    headers: tuple[str, ...]
    marks: Mapping[str, str]  # of notes, by header
    whole: bool  # the header is the source's own, and no context cut from it
    fits: bool = False
    section: str = ""
    label: Node | None = None  # the last one written out

    @classmethod
    def begun(cls, passage: Passage, domain: Domain, notes: Mapping[str, Label]) -> _Reader:
        """The table that a passage begins; its header stands above the rows, else in the context."""
        own = passage.text[: passage.sentences[0][0]]
        lines = [line.strip() for line in (own or passage.context).splitlines() if not _RULE.issuperset(line)]
        style = _style_of([*lines, *(passage.text[slice(*span)] for span in passage.sentences)])
        if style is Style.TAGGED and own:
            lines = [own[slice(*row)] for row in rows_within(own, 0, len(own))]
        flat = style is Style.FLAT
        headers = _flat_header(" ".join(lines), domain) if flat else _headers(lines, style, whole=bool(own))
        marks = {} if flat else _marks(lines, style, headers)
        return cls(passage, domain, notes, style, headers, marks, bool(own), flat)

    def read(self, passage: Passage) -> Table:
        """The table's part in a passage."""
        self.passage, self.label = passage, None
        text, spans = passage.text, passage.sentences
        tagged = self.style is Style.TAGGED
        cells = _with_those_above(text, spans) if tagged else [self._cut(text, span) for span in spans]
        self._fit(max(map(len, cells)))
        made = Table(self.headers, {})
        for number, (span, row) in enumerate(zip(spans, cells, strict=True)):
            words = [words_of(text[slice(*cell)]) for cell in row]
            place = (passage.start + span[0], passage.start + span[1])
            if self.style is not Style.FLAT and self._is_broken(number, len(row)):
                made.rows[place] = Node()
            elif self.style is Style.FLAT or not self._heads(number, words):
                made.rows[place] = self._row(row, words)
        made.headers = self.headers
        made.ragged = self._ragged({span: len(row) for span, row in zip(spans, cells, strict=True)})
        return made

    def _cut(self, text: str, span: Span) -> list[Span]:
        if self.style is not Style.FLAT:
            return _cut(text, *span, self.style)
        row = text[slice(*span)]
        return [(span[0] + start, span[0] + end) for start, end in _flat_row(row, len(self.headers), self.domain)]

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
        """True for a row that was cut because it is too long, or lacks the cells that would tell its columns."""
        text, spans, width = self.passage.text, self.passage.sentences, len(self.headers)
        start, end = spans[number]
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
            self._extend(map(_spoken, words))
        elif self._is_section(words):
            self.section, self.label = words[0], None
        else:
            return tuple(map(_spoken, words)) == self.headers
        return True

    def _extend(self, words: Iterable[str]) -> None:
        each = [*words, *[""] * len(self.headers)]
        self.headers = tuple(f"{header} {more}".strip() for header, more in zip(self.headers, each, strict=False))

    def _holds_units(self, words: Sequence[str]) -> bool:
        units = [word for word in words[1:] if word]
        short = all(len(unit) <= LONGEST_UNIT and not any(map(str.isdigit, unit)) for unit in units)
        return bool(self.headers and units) and words[0].lower().rstrip(".") in _UNITS and short

    def _holds_names(self, words: Sequence[str]) -> bool:
        """True for "| | B200 | B300 |" and "| GPU | B200 | B300 |": a line of the header, whatever stands above it."""
        label, *others = map(_spoken, words)
        told = {w for header in self.headers[1:] for w in header.lower().split() if len(w) > 1 and not w.isdigit()}
        if not told <= self.domain.word_group("tells nothing of a column"):  # "AWS | Azure" tells what they are of
            return False
        names = self.domain.find_entities
        fits = len(others) + 1 >= len(self.headers) and not any(map(names, self.headers[1:]))
        heads = {*self.domain.word_group("names a thing"), *self.domain.word_group("names a quantity")}
        named = not label or not heads.isdisjoint(label.lower().rstrip(":").split())
        return fits and named and len(others) > 1 and all(map(names, others))

    def _is_section(self, words: Sequence[str]) -> bool:
        label, others = words[0], set(words[1:])
        wide = len(words) > 1 or len(self.headers) > 1
        if not wide or not any(map(str.isalpha, label)) or len(label) > LONGEST_SECTION:
            return False
        if others <= {""} and self.label is not None and self.label.value is not None:
            # a subject without values among subjects heads nothing, unless one did before
            grouped = bool(self.domain.find_entities(self.section))
            return grouped or not all(map(self.domain.find_entities, (label, self.label.value.text)))
        return others <= {""} or others == {label}

    def _row(self, cells: Sequence[Span], words: Sequence[str]) -> Node:
        """The row as a node; where a group's label stands only in its first row it is that row's."""
        text, width = self.passage.text, len(self.headers) or len(cells)
        made: list[Node] = []
        label: Node | None = None
        for column, (start, end) in enumerate(cells[:width]):
            if start >= end or not words[column] or (column and says_nothing(words[column])):
                continue
            node = self._cell(column, start, end, words[column] if not column else text[start:end])
            if column:
                made.append(node)
            else:
                label = self.label = node
        if label is None and len(words) > 1 and words[1] and not words[1].lstrip(_SIGNS)[:1].isdigit():
            label = self.label
        over = [self.section, self._header(0) if label else ""]  # "H100 SXM" in the corner
        keys = [Label(words, 0, 0) for words in over if words]
        children = [*([label] if label else []), *made]
        return Node(keys, children=children, notes=label.notes if label else [], row=label is not None)

    def _cell(self, column: int, start: int, end: int, words: str) -> Node:
        header, at = self._header(column), self.passage.start
        mark = _NOTED.match(self.passage.text, end)
        marks = [self.marks.get(header, ""), (mark[1] or mark[2]) if mark else ""]
        notes = [self.notes[m] for m in marks if m in self.notes]
        words += "*" if marks[1] == "*" and not (column or notes) else ""  # "FP8*", of which no note tells more
        return Node([Label(header, 0, 0)] if header else [], Label(words, at + start, at + end), notes=notes)

    def _header(self, column: int) -> str:
        return self.headers[column] if column < len(self.headers) else ""

    def _ragged(self, counts: Mapping[Span, int]) -> dict[Span, int]:
        """Rows of a whole box with a cell too many or too few; one cell heads those below."""
        own = self.passage.text[: self.passage.sentences[0][0]].strip()
        if self.style is not Style.BOXED or not own:
            return {}  # of another style, or cut from a longer table, the header's own cells are not for certain
        top, width, each = own.splitlines()[0], len(self.headers), [*counts.values()]
        if len(_cut(top, 0, len(top), self.style)) != width or 2 * each.count(width) <= len(each) - each.count(1):
            return {}
        text = self.passage.text
        return {span: n for span, n in counts.items() if n not in (1, width) and text[span[0]] == "|"}


def _headers(lines: Sequence[str], style: Style, *, whole: bool) -> tuple[str, ...]:
    """The header's lines joined per column, what spans lines or columns once."""
    if style is Style.TAGGED and not all(map(is_tagged, lines)):
        style = Style.BOXED  # a context is written with bars
    text = "\n".join(lines)
    if style is Style.TAGGED:
        cells = _with_those_above(text, rows_within(text, 0, len(text)))
    else:
        ends = [*accumulate((len(line) + 1 for line in lines), initial=0)]
        cells = [_cut(text, start, end - 1, style) for start, end in pairwise(ends)]
    table = [[_spoken(words_of(text[slice(*span)])) for span in row] for row in cells]
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
        spans = _cut(line, 0, len(line), style)
        if len(spans) == len(headers):
            marked = zip(headers, (_NOTED.match(line, end) for _, end in spans), strict=True)
            found |= {header: match[1] or match[2] for header, match in marked if match}
    return found


def _in_brackets(unit: str) -> str:
    """A unit as a header has it; nothing of "Unit", which says that the others are units."""
    if unit.lower().rstrip(".") in _UNITS:
        return ""
    return unit if unit[0] in "([" else f"({unit})"


def _style_of(lines: Sequence[str]) -> Style:
    """What most of the lines are parted by; the header comes first where there is one."""
    if is_tagged(lines[-1]):
        return Style.TAGGED
    if _most(_BAR.search(line) is not None for line in lines):
        # subtle: "| H100 | H200" above "Memory | 80 GB | 141 GB" is no box, but an empty corner
        boxed = lines[0].startswith("|") and _most(line.startswith("|") for line in lines)
        return Style.BOXED if boxed else Style.BARS
    tabs = {line.count("\t") for line in lines}
    if len(tabs) == 1 and tabs != {0}:
        return Style.TABS
    return Style.BLANKS if _most(_MARKS[Style.BLANKS].search(line) is not None for line in lines) else Style.FLAT


def _most(found: Iterable[bool]) -> bool:
    each = list(found)
    return 2 * sum(each) > len(each)


def _cut(text: str, start: int, end: int, style: Style) -> list[Span]:
    """The spans of a row's cells, stripped and undecorated, in order; an empty one where the cell has no words."""
    start, end = strip_span(text, start, end)
    if style is Style.FLAT:
        return [_narrow(text, start, end)]
    if style is Style.TAGGED:
        return [_narrow(text, c.start, c.end) for c in cells_of(text, start, end) for _ in range(c.across)]
    if style is Style.BOXED:
        start += text.startswith("|", start, end)
        end -= end > start and text[end - 1] == "|" and text[end - 2] != "\\"
    edges = [(mark.start(), mark.end()) for mark in _MARKS[style].finditer(text, start, end)]
    starts = [start, *(after for _, after in edges)]
    ends = [*(before for before, _ in edges), end]
    return [_narrow(text, *span) for span in zip(starts, ends, strict=True)]


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
            span = _narrow(text, cell.start, cell.end)
            for _ in range(cell.across):
                if cell.down > 1:
                    hanging[len(cells)] = (cell.down - 1, span if not cells else (span[0], span[0]))
                cells.append(span)
        table.append(cells)
    return table


def _narrow(text: str, start: int, end: int) -> Span:
    """The span without what wraps the whole of it (emphasis, a link, a tag) and without a footnote's mark."""
    for _ in range(MOST_WRAPPINGS):
        before = (start, end)
        start, end = _unwrapped(text, *_without_note(text, *strip_span(text, start, end)))
        if (start, end) == before:
            break
    return strip_span(text, start, end)


def _without_note(text: str, start: int, end: int) -> Span:
    tail = max(start, end - NOTE_CHARACTERS)
    note = _MARK_BEHIND.search(text[tail:end])
    if note and tail + note.start() > start:
        return start, tail + note.start()
    bare = text[start:end].rstrip("*")
    if bare.strip() == bare != "" and "*" not in bare:  # "80 GB*", and no emphasis
        return start, start + len(bare)
    return start, end


def _unwrapped(text: str, start: int, end: int) -> Span:
    for mark in _EMPHASIS:
        size = len(mark)
        wraps = text.startswith(mark, start) and text.endswith(mark, start, end)
        if wraps and end - start > 2 * size and text.find(mark, start + size, end - size) < 0:
            return start + size, end - size
    for pattern, group in ((_LINK, 1), (_TAGGED, 2)):
        if whole := pattern.fullmatch(text, start, end):
            return whole.span(group)
    return start, end


def words_of(cell: str) -> str:
    """A cell's words in one line as a reader sees them: no tag, link target, emphasis or entity."""
    shown = re.sub(r"<[^<>]*>", " ", _LINK.sub(r"\1", cell))
    for mark in ("**", "__", "~~", "`"):
        shown = shown.replace(mark, "")
    for sign in "|*_`~":
        shown = shown.replace(f"\\{sign}", sign)
    return " ".join(html.unescape(shown).split())


def _spoken(name: str) -> str:
    """A column's or a property's name as words, at the same places: "memory_capacity" is "memory capacity"."""
    return name.replace("_", " ") if name.replace("-", "_").isidentifier() else name


def says_nothing(words: str) -> bool:
    """True for a cell that is empty or tells that there is no value: "—", "n/a", "TBD"."""
    return _NO_VALUE.fullmatch(words.strip("()[] ")) is not None


def _flat_header(header: str, domain: Domain) -> tuple[str, ...]:
    """The columns by the names in the header, behind what stands before the first."""
    starts = [m.start for m in domain.find_entities(header)]
    parts = zip([0, *starts], [*starts, len(header)], strict=True)
    return tuple(" ".join(header[start:end].split()) for start, end in parts) if starts else ()


def _flat_row(row: str, columns: int, domain: Domain) -> list[Span]:
    """The label's span, then one per column behind it, by its values; [] where there are more or fewer of them than columns."""
    names = ((m.start, m.end) for m in domain.find_entities(row))
    shown = blanked(row, [*names, *bracketed(row)])
    values = [part for q in domain.unit_table.find(shown) for part in _apart(shown, q.start, q.end)]
    groups: list[Span] = []
    for start, end in sorted([*values, *(m.span() for m in _BLANK.finditer(shown))]):
        if groups and row[groups[-1][1] : start].strip() in _JOINS:
            groups[-1] = (groups[-1][0], end)  # "$12 - $15"
            continue
        reached = groups[-1][1] if groups else 0
        lead = _LEADS_IN.search(row, max(reached, start - _LOOK_BACK), start)
        groups.append((lead.start() if lead else start, end))
    if columns < 2 or len(groups) != columns - 1 or not row[: groups[0][0]].strip():  # noqa: PLR2004
        return []
    edges = [0, *(start for start, _ in groups), len(row)]
    return [strip_span(row, start, end) for start, end in pairwise(edges)]


def _apart(row: str, start: int, end: int) -> Iterator[Span]:
    """The two figures of "52% ~58%"."""
    gaps = [gap.span() for gap in _ABOUT.finditer(row, start, end)]
    return zip([start, *(gap[1] for gap in gaps)], [*(gap[0] for gap in gaps), end], strict=True)


def bracketed(row: str) -> Iterator[Span]:
    """Where parentheses stand: "(8-chip)" is no value of a row's own."""
    depth = opened = 0
    for at, sign in enumerate(row):
        if sign == "(":
            opened = opened if depth else at
            depth += 1
        elif sign == ")" and depth:
            depth -= 1
            if not depth:
                yield opened, at + 1
    if depth:
        yield opened, len(row)
