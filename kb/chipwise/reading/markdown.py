"""Markdown to drafts: CommonMark blocks and tables, at their line ranges.

Only block structure is parsed. Inline marks stay in the text, because quotes are verbatim and
because inline parsing is where nested brackets get slow.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate, pairwise
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.token import Token

from chipwise import patterns as re
from chipwise.reading.blocks import Draft, FrontMatter, Parsed
from chipwise.reading.lines import CELLS, find_tables, read_units
from chipwise.reading.plaintext import first_line
from chipwise.reading.rawhtml import parts_of
from chipwise.reading.sections import Outline, clean_heading
from chipwise.text import Span
from chipwise.types import Role

LONG_ITEM: Final = 800  # characters; a longer list item is cut into its nested items, each citable
_OPENERS: Final = frozenset({"bullet_list_open", "ordered_list_open"})
_Part = tuple[Span, Role, Span | None]  # with the span of a table's header
_LISTINGS: Final = frozenset({"fence", "code_block"})
FEWEST_SET: Final = 3  # columns of a table in a listing
_RULE: Final = re.compile(r"[\s>]*\|?(?:\s*:?-+:?\s*\|)+(?:\s*:?-+:?)?\s*")
_PICTURE: Final = re.compile(r"(?:!\[[^\[\]]*\]\([^()]*\)\s*)+|\{%[^%]*%\}")


def read_markdown(text: str, name: str) -> Parsed:
    """Read the blocks of the body; the title is the front matter's, else the first heading.

    Raises SourceUnreadable for invalid front matter.
    """
    matter, body = FrontMatter(), 0
    if text.startswith("---"):
        from chipwise.reading.frontmatter import read_front_matter  # noqa: PLC0415 (loads pydantic and yaml)

        matter, body = read_front_matter(text, name)
    walk = _Walk(text, body)
    drafts = list(walk.drafts())
    return Parsed(text, drafts, matter, walk.first_heading or first_line(text, drafts))


class _Walk:
    """A single pass over the block tokens that tracks the path of headings."""

    def __init__(self, text: str, body: int) -> None:
        self.text = text
        self.first_heading = ""
        self._outline = Outline()
        lines = text[body:].split("\n")
        self._starts = list(accumulate((len(line) + 1 for line in lines), initial=body))
        parser = MarkdownIt("commonmark").enable("table").disable(["inline", "text_join"])
        self._tokens = parser.parse(text[body:])

    def drafts(self) -> Iterator[Draft]:
        tokens, at = self._tokens, 0
        while at < len(tokens):
            end = _closing(tokens, at)
            yield from self._draft(tokens[at], at, end)
            at = end + 1

    def _draft(self, token: Token, at: int, end: int) -> Iterator[Draft]:
        if token.map is None or token.type == "hr":
            return
        span = self._span(token)
        if token.type == "heading_open":
            yield self._heading(token, span, self._tokens[at + 1].content)
        elif token.type in _OPENERS or token.type == "blockquote_open":
            listed = token.type in _OPENERS
            for part, role, header in self._items(at, end) if listed else self._parted(at, end, Role.BODY):
                yield self._make(part, role, header)
        elif token.type == "table_open":
            for part, role, header in self._tables(at):
                yield self._make(part, role, header)
        elif token.type == "html_block":
            for piece, table in parts_of(self.text, *span):
                yield self._make(piece, Role.TABLE if table else Role.BODY, table.header if table else None)
        else:
            listed = token.type in _LISTINGS
            for part, role, header in self._listing(span) if listed else [(span, self._role(token, span), None)]:
                yield self._make(part, role, header)

    def _listing(self, span: Span) -> Iterator[_Part]:
        """Yield a listing, and the tables in it that are set with blanks."""
        units, (start, stop) = read_units(self.text[slice(*span)]), span
        for table in find_tables(units):
            first = units[table.first]
            begin, end = span[0] + first.start, span[0] + units[table.last].end
            if len(CELLS.split(first.words)) >= FEWEST_SET:
                yield from self._around(start, begin, Role.CODE)
                yield (begin, end), Role.TABLE, (begin, span[0] + first.end) if table.header else None
                start = end
        yield from self._around(start, stop, Role.CODE)

    def _role(self, token: Token, span: Span) -> Role:
        written = self.text[slice(*span)].strip()
        if written.startswith(("{", "[{")) and written.endswith(("}", "]")):
            return Role.CODE  # a dictionary without a fence
        pictured = token.type == "paragraph_open" and _PICTURE.fullmatch(written)
        return Role.BOILERPLATE if pictured else Role.BODY

    def _heading(self, token: Token, span: Span, content: str) -> Draft:
        level, title = int(token.tag[1:]), clean_heading(content)
        self._outline.close(level)
        draft = self._make(span, Role.HEADING)
        if title:
            self.first_heading = self.first_heading or title
            self._outline.open(title, level, of_document=level == 1 and title == self.first_heading)
        return draft

    def _items(self, at: int, end: int) -> Iterator[_Part]:
        """Yield the spans of a list's items; listings, tables and the nested items of a long item come separately."""
        child = at + 1
        while child < end:
            close = _closing(self._tokens, child)
            start, stop = self._span(self._tokens[child])
            yield from self._parted(child, close, Role.LIST, long=stop - start > LONG_ITEM)
            child = close + 1

    def _parted(self, at: int, end: int, role: Role, *, long: bool = False) -> Iterator[_Part]:
        """Yield an item or quotation in parts: its listings and an item's tables at any depth, and the text around them."""
        start, stop = self._span(self._tokens[at])
        for i in self._nested(at, end, long=long, tables=role is Role.LIST):
            first, last = self._span(self._tokens[i])
            yield from self._around(start, first, role)
            if self._tokens[i].type in _LISTINGS:
                yield (first, last), Role.CODE, None
            elif self._tokens[i].type == "table_open":
                yield from self._tables(i)
            else:
                yield from self._items(i, _closing(self._tokens, i))
            start = last
        yield from self._around(start, stop, role)

    def _around(self, start: int, stop: int, role: Role) -> Iterator[_Part]:
        """Yield the text next to a listing, unless it only continues a quotation (">")."""
        if self.text[start:stop].strip("> \t\n`~"):
            yield (start, stop), role, None

    def _nested(self, at: int, end: int, *, long: bool, tables: bool) -> Iterator[int]:
        child = at + 1
        while child < end:
            kind = self._tokens[child].type
            if kind in _LISTINGS or (long and kind in _OPENERS) or (tables and kind == "table_open"):
                yield child
                child = _closing(self._tokens, child)
            child += 1

    def _tables(self, at: int) -> Iterator[_Part]:
        """Yield the spans of tables, several if no blank line separates them, and of the captions between.

        A row of dashes always has a header above it.
        """
        first, last = self._tokens[at].map or (0, 0)
        lines = [self.text[slice(*self._lines(n, n + 1))] for n in range(first, last)]
        heads = [0, *(n - 1 for n in range(3, len(lines)) if _RULE.fullmatch(lines[n]) and "|" in lines[n - 1])]
        for head, following in pairwise([*heads, len(lines)]):
            rows = following
            while following < len(lines) and rows > head + 2 and "|" not in lines[rows - 1]:
                rows -= 1
            yield self._lines(first + head, first + rows), Role.TABLE, self._lines(first + head, first + head + 1)
            if rows < following:
                yield self._lines(first + rows, first + following), Role.BODY, None

    def _make(self, span: Span, role: Role, header: Span | None = None) -> Draft:
        return Draft(*span, self._outline.role_of(role), self._outline.path, header=header)

    def _span(self, token: Token) -> Span:
        first, last = token.map or (0, 0)
        return self._lines(first, last)

    def _lines(self, first: int, last: int) -> Span:
        end = self._starts[min(last, len(self._starts) - 1)]
        return self._starts[first], min(end, len(self.text))


def _closing(tokens: list[Token], at: int) -> int:
    """The index of the token that closes the one at `at`; `at` itself if that holds nothing."""
    depth = 0
    for index in range(at, len(tokens)):
        depth += tokens[index].nesting
        if depth <= 0:
            return index
    return len(tokens) - 1
