"""HTML to drafts: what a reader of the page would see, in its order.

Our text is built from the page's; nothing is fetched, run or followed. Hidden elements are dropped. Furniture is kept with
its role and not discarded, so that a wrong guess costs rank and not the claim.

Which blocks are the article, trafilatura tells (Barbaresi, ACL 2021 demo). It returns its own text without offsets into
ours, so a block belongs to the article to the degree that its words appear there in the same order.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from lxml import etree, html
from lxml.html import defs

from chipwise.errors import SourceUnreadable
from chipwise.reading.blocks import MOST_COLUMNS, Builder, Draft, FrontMatter, Parsed, tidy
from chipwise.reading.decoding import decode, one_line
from chipwise.reading.rawhtml import FEWEST_CELLS, LONGEST_CELL, guess_heads
from chipwise.reading.sections import clean_heading, role_within
from chipwise.text import words
from chipwise.types import Role

_CHARSET: Final = re.compile(rb"<meta[^>]{0,200}charset\s*=\s*[\"']?\s*([\w.:-]{2,30})", re.IGNORECASE)
_SITE: Final = re.compile(r"\s+[|–—·»-]\s+[^|–—·»]{2,40}$")
MOST_OF_PAGE: Final = 0.5  # a "sidebar" that holds half of the page's words is the article
LONG_TITLE: Final = 40  # characters; a shorter one may include its dash: "HBM - memory"
TERM: Final = ": "  # between a term and its definition
LAYOUT: Final = ("h1", "h2", "h3", "h4", "table", "article")  # a list item with one of these is a layout box
# Never text of the page: code, fallbacks, controls, drawings.
_SKIPPED: Final = frozenset(
    "script style template noscript svg math iframe frame object embed applet canvas audio video map select"
    " option datalist button input textarea progress meter head link meta title base dialog".split()
)
# block-level elements; all others are inline
_BLOCKS: Final = (defs.block_tags - {"del", "ins"}) | frozenset(
    "article aside body details dialog figcaption figure footer header hgroup html main nav section summary".split()
)
_HEADINGS: Final = {"h1": 1, "h2": 2, "h3": 3, "h4": 4, "h5": 5, "h6": 6, "summary": 6}

_BOILERPLATE_TAGS: Final = frozenset(("nav", "aside", "footer", "form"))
_BOILERPLATE_ARIA: Final = frozenset(
    ("navigation", "banner", "contentinfo", "complementary", "search", "dialog", "alert", "menu", "menubar", "toolbar")
)
_NOTE: Final = re.compile(r"note|admonition|callout|topic|warning|tip", re.IGNORECASE)  # an aside by the author
_HIDDEN_CLASS: Final = re.compile(
    r"(?:^|\s)(?:hidden|sr-only|visually-?hidden|screen-reader(?:-text)?|d-none|is-hidden|invisible|offscreen)(?:\s|$)",
    re.IGNORECASE,
)
_HIDDEN_STYLE: Final = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|opacity\s*:\s*0(?:\.0+)?\s*(?:;|!|$)|font-size\s*:\s*0(?:\.0+)?\w{0,3}\s*(?:;|!|$)"
    r"|(?:left|top|text-indent)\s*:\s*-\d{3,}|(?:^|;)\s*(?:max-)?height\s*:\s*0(?:px)?\s*(?:;|!|$)",
    re.IGNORECASE,
)
FEWEST_WORDS: Final = 60  # of an article; trafilatura isn't made for shorter pages
LEAST_SHARE: Final = 0.25  # of our open blocks' words; a shorter extract has missed the article
# limits for a page to be extracted: trafilatura's work grows with the square of the depth
MOST_ELEMENTS: Final = 20_000
MOST_DEPTH: Final = 100
RUN: Final = 3  # words that stand together
INSIDE: Final = 0.8  # share of a block's runs that makes it part of the article
OUTSIDE: Final = 0.3  # share of a block's runs below which it is furniture
LONG: Final = 10  # words; a shorter block stays furniture

# trafilatura drops lists if no element is named after the article; paragraphs it judges by their links
_AS_PARAGRAPHS: Final = {"li": "p", "dt": "p", "dd": "p", "ul": "div", "ol": "div", "dl": "div"}

# the other roles stay ours: trafilatura leaves out or flattens tables, listings, answers and comments
_OPEN: Final = (Role.BODY, Role.LIST, Role.HEADING)
_BESIDE: Final = (Role.BOILERPLATE, Role.COMMENT, Role.BIO)


def read_html(data: bytes, name: str) -> Parsed:
    """Read the blocks of a page. Raises SourceUnreadable if it has no text at all."""
    root = _root(_decoded(data, name), name)
    if root is None:
        raise SourceUnreadable(f"{name} holds no HTML", hint="save the page again as HTML or text")
    walk = _Walk(root)
    walk.run()
    built = walk.builder
    drafts = _settle(built.text, built.drafts, root, walk.title)
    return Parsed(built.text, drafts, _matter(root), walk.title or _title(root))


def _decoded(data: bytes, name: str) -> str:
    """Decode by byte-order mark or as UTF-8, else by the page's own <meta charset>."""
    declared = _CHARSET.search(data[:4096])
    try:
        return decode(data, name)
    except SourceUnreadable:
        if declared is None or b"\0" in data:
            raise
        try:
            return data.decode(declared[1].decode("ascii"))
        except (LookupError, UnicodeError):
            raise SourceUnreadable(f"{name} is not in its declared encoding", hint="save the page as UTF-8") from None


def _root(text: str, name: str) -> Any | None:
    # subtle: without huge_tree, libxml2 silently drops elements nested more than 256 deep
    parser = html.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True, no_network=True, huge_tree=True)
    try:
        root = html.document_fromstring(text.encode("utf-8", "replace"), parser=parser)
    except (etree.LxmlError, ValueError, AssertionError):
        root = None
    if any(entry.type == etree.ErrorTypes.ERR_RESOURCE_LIMIT for entry in parser.error_log):
        raise SourceUnreadable(f"{name} is too deeply nested to read", hint="save its text as a plain text file")
    return root


class _Walk:
    """A single non-recursive pass over the tree, which gathers words until a block begins or ends."""

    def __init__(self, root: Any) -> None:
        self.builder = Builder()
        self.title = ""
        self._root = root
        self._size = max(1, len(root.text_content()))
        self._words: list[str] = []
        self._roles: list[tuple[Any, Role]] = []
        self._items: list[Any] = []
        self._pre = 0
        self._term = False
        self._skipped: Any = None

    def run(self) -> None:
        walk = etree.iterwalk(self._root, events=("start", "end"))
        for event, element in walk:
            tag = element.tag
            if event == "start":
                if tag in _SKIPPED or _is_hidden(element.attrib) or self._takes_table(tag, element):
                    walk.skip_subtree()
                    self._skipped = element
                    continue
                self._open(tag, element)
            else:
                if element is not self._skipped:
                    self._close(tag, element)
                self._say(element.tail)
        self._flush()

    def _open(self, tag: str, element: Any) -> None:
        if tag in _BLOCKS and not (tag == "dd" and self._term):
            self._break()
        self._term = self._term or (tag == "dt" and not self._items)
        role = None if self._roles else _container_role(tag, element.attrib)
        if role and self._holds(element, role):
            self._roles.append((element, role))
        if tag == "li" and (self._items or next(element.iter(*LAYOUT), None) is None):
            self._words.append("\n- ")
            self._items.append(element)
        elif tag == "br":
            self._words.append("\n")
        elif tag == "pre":
            self._pre += 1
            if self._holds(element, Role.CODE):
                self._roles.append((element, Role.CODE))
        self._say(element.text)

    def _close(self, tag: str, element: Any) -> None:
        if tag in _HEADINGS and not self._items:
            self._heading(tag)
        elif tag == "pre":
            self._pre -= 1
        if tag == "dt" and self._term:
            self._words.append(TERM)  # the dd that follows completes it
        elif self._items and self._items[-1] is element:
            if len(self._items) == 1:
                self._flush()
            self._items.pop()
        elif tag in _BLOCKS:
            self._break()
        if self._roles and self._roles[-1][0] is element:
            self._flush()
            self._roles.pop()

    def _holds(self, element: Any, role: Role) -> bool:
        """True if the element may carry its role. Furniture or a listing must not hold the h1 or most of the page's words."""
        if role not in (Role.BOILERPLATE, Role.CODE):
            return True
        return next(element.iter("h1"), None) is None and len(element.text_content()) < MOST_OF_PAGE * self._size

    def _takes_table(self, tag: str, element: Any) -> bool:
        """Write a data table and return True; a layout table is walked like any box."""
        if tag != "table" or self._items:
            return False
        table = _read_table(element)
        if table is None:
            return False
        self._flush()
        role = role_within(self._roles[-1][1], Role.TABLE) if self._roles else Role.TABLE
        self.builder.table(table.rows, table.heads, role=role, above=(table.caption,) if table.caption else ())
        return True

    def _say(self, text: str | None) -> None:
        if not text or (not text.strip() and self._words and self._words[-1].endswith(("- ", TERM))):
            return
        self._words.append(text if self._pre else " ".join(text.split("\n")))

    def _break(self) -> None:
        """End a block. Inside a list item, end only a line, except right after its dash."""
        if self._term and self._words and self._words[-1] == TERM:
            return  # a paragraph inside the dd
        if not self._items:
            self._flush()
        elif self._words and not self._words[-1].endswith("- "):
            self._words.append("\n")

    def _heading(self, tag: str) -> None:
        words = tidy("".join(self._words)).replace("\n", " ")
        self._words = []
        if self._roles and self._roles[-1][1] is Role.BOILERPLATE:
            self.builder.block(words, Role.BOILERPLATE)
        else:
            self.builder.heading(words, _HEADINGS[tag])
            if tag == "h1" and not self.title:
                self.title = clean_heading(words)

    def _flush(self) -> None:
        """Write the gathered words: an item, or paragraphs separated by blank lines."""
        text = "".join(self._words)
        self._words = []
        kind = Role.LIST if self._items or self._term else Role.BODY
        self._term = False
        role = self._roles[-1][1] if self._roles else kind
        for paragraph in [text] if self._items else re.split(r"\n[^\S\n]*\n", text):
            if paragraph.strip(" \n-"):
                self.builder.block(paragraph, role)


def _title(root: Any) -> str:
    """The page's title without the name of the site."""
    given = root.xpath("string(//meta[@property='og:title']/@content)")
    title = one_line(given or root.xpath("string(//head/title)"), 400)
    return _SITE.sub("", title) if len(title) > LONG_TITLE else title


def _matter(root: Any) -> FrontMatter:
    """The metadata in the page's <meta> elements."""

    def content(*names: str) -> str:
        for name in names:
            value = root.xpath("string(//meta[@property=$name or @name=$name]/@content)", name=name)
            if value.strip():
                return one_line(value)
        return ""

    published = content("article:published_time", "datePublished", "date", "dc.date", "citation_publication_date")
    return FrontMatter(
        publisher=content("og:site_name", "publisher"),
        author=content("author", "article:author", "citation_author"),
        published=published[:10] if re.match(r"\d{4}-\d\d-\d\d", published) else "",
    )


def _is_hidden(attributes: Mapping[str, str]) -> bool:
    """True if the element's own attributes hide it from a reader."""
    if "hidden" in attributes or attributes.get("aria-hidden", "").strip().lower() == "true":
        return True
    if _HIDDEN_STYLE.search(attributes.get("style", "")[:1000]):
        return True
    return _HIDDEN_CLASS.search(attributes.get("class", "")[:1000]) is not None


def _container_role(tag: str, attributes: Mapping[str, str]) -> Role | None:
    """The role of everything inside the element, or None if the element doesn't determine it."""
    if tag == "aside" and _NOTE.search(f"{attributes.get('class', '')[:500]} {attributes.get('id', '')[:100]}"):
        return None
    if tag in _BOILERPLATE_TAGS or attributes.get("role", "").lower() in _BOILERPLATE_ARIA:
        return Role.BOILERPLATE
    return None


MOST_ROWS: Final = 5000
MOST_REPEATED: Final = 8  # times a table's text that spanning cells may add; more is an attack on memory
SMALL: Final = 4096  # characters allowed to any table


@dataclass(frozen=True, slots=True)
class HtmlTable:
    """Rows of cells; the first `heads` rows are the header."""

    rows: list[list[str]]
    heads: int
    caption: str


def _read_table(table: Any) -> HtmlTable | None:
    """Return the table's rows with spanning cells repeated, or None for a layout table."""
    if table.get("role", "") in ("presentation", "none") or next(table.iterdescendants("table"), None) is not None:
        return None
    rows: list[list[str]] = []
    heads, leads = 0, True
    hanging: dict[int, tuple[int, str]] = {}
    room = SMALL + MOST_REPEATED * len(table.text_content())
    for row in table.iterdescendants("tr"):
        cells = [cell for cell in row if cell.tag in ("td", "th") and not _is_hidden(cell.attrib)]
        filled = _fill(cells, hanging)
        if not any(filled):
            continue
        rows.append(filled)
        room -= sum(map(len, filled))
        if room < 0:
            return None
        if leads and _is_head(row, cells):
            heads = len(rows)
        leads = leads and (heads == len(rows) or (not heads and len(cells) == 1))  # a title may stand above
        if len(rows) > MOST_ROWS:
            break
    columns = max((sum(map(bool, row)) for row in rows), default=0)
    if (
        len(rows) < FEWEST_CELLS
        or columns < FEWEST_CELLS
        or max(len(cell) for row in rows for cell in row) > LONGEST_CELL
    ):
        return None
    heads = heads or guess_heads(rows)
    caption = next(table.iterchildren("caption"), None)
    return HtmlTable(rows, heads, tidy(words_of(caption)).replace("\n", " ")[:200] if caption is not None else "")


def words_of(element: Any) -> str:
    """The element's visible words, with a blank after each element."""
    words = [element.text or ""]
    skipped: Any = None
    for child in element.iterdescendants():
        if skipped is not None and skipped in child.iterancestors():
            continue
        skipped = child if child.tag in _SKIPPED or _is_hidden(child.attrib) else None
        if skipped is None:
            words.append((" " if child.tag in ("br", "p", "div", "li") else "") + (child.text or ""))
        words.append(child.tail or "")
    return "".join(words)


def _is_head(row: Any, cells: list[Any]) -> bool:
    if row.getparent().tag == "thead":
        return True
    corner = cells[0].tag == "td" and not words_of(cells[0]).strip() if cells else False
    return len(cells) > 1 and all(cell.tag == "th" for cell in cells[corner:])


def _fill(cells: list[Any], hanging: dict[int, tuple[int, str]]) -> list[str]:
    """Return a row's cells by column, updating `hanging`: cells of earlier rows that reach down."""
    row: list[str] = []
    waiting = list(reversed(cells))
    while (waiting or len(row) in hanging) and len(row) < MOST_COLUMNS:
        if len(row) in hanging:
            left, words = hanging.pop(len(row))
            if left > 1:
                hanging[len(row)] = (left - 1, words)
            row.append(words)
            continue
        cell = waiting.pop()
        words = " ".join(words_of(cell).split())
        down, across = _span(cell, "rowspan"), _span(cell, "colspan")
        for _ in range(min(across, MOST_COLUMNS - len(row))):
            if down > 1:
                hanging[len(row)] = (down - 1, words)
            row.append(words)
    return row


def _span(cell: Any, name: str) -> int:
    value = cell.get(name, "1").strip()
    return min(int(value), MOST_ROWS) if value.isascii() and value.isdigit() and int(value[:6]) > 0 else 1


def _settle(text: str, drafts: list[Draft], root: Any, title: str) -> list[Draft]:
    """Return the drafts with blocks outside the article as furniture and furniture inside it as body.

    `title` is the page's first heading, which keeps its role.
    """
    block_words = [words(text[draft.start : draft.end]) for draft in drafts]
    ours = sum(len(own) for own, draft in zip(block_words, drafts, strict=True) if draft.role in _OPEN)
    if ours < FEWEST_WORDS:
        return drafts
    article = _article(root)
    if len(article) < max(FEWEST_WORDS, LEAST_SHARE * ours):
        return drafts
    runs = {size: _runs(article, size) for size in range(1, RUN + 1)}
    settled: list[Draft] = []
    below = Role.BOILERPLATE
    for draft, own in zip(reversed(drafts), reversed(block_words), strict=True):
        role = _role(draft.role, own, runs)
        if draft.role is not Role.HEADING:
            below = role
        elif below not in _BESIDE or own == words(title):
            role = Role.HEADING  # extraction tends to lose short lines
        settled.append(replace(draft, role=role))
    return settled[::-1]


def _role(role: Role, own: list[str], runs: dict[int, set[tuple[str, ...]]]) -> Role:
    """The role of a block by the share of its runs of words that the article has."""
    if not own or role not in (*_OPEN, Role.BOILERPLATE):
        return role
    size = min(RUN, len(own))
    standing = _runs(own, size)
    share = len(standing & runs[size]) / len(standing)
    if role is Role.BOILERPLATE:
        return Role.BODY if share >= INSIDE and len(own) >= LONG else role
    return Role.BOILERPLATE if share < OUTSIDE else role


def _article(root: Any) -> list[str]:
    """The words of the page's article; [] if the page is too large for extraction."""
    if not _is_bounded(root):
        return []
    root = copy.deepcopy(root)
    etree.strip_attributes(root, "colspan", "rowspan")  # trafilatura makes as many cells as these say
    for element in root.iter(*_AS_PARAGRAPHS):
        element.tag = _AS_PARAGRAPHS[element.tag]
    from trafilatura.core import bare_extraction  # noqa: PLC0415 (takes long to load, for pages alone)

    article = bare_extraction(root, include_comments=False, include_tables=True, with_metadata=False)
    return words(article.text) if article is not None and article.text else []


def _is_bounded(root: Any) -> bool:
    """True if the page has at most MOST_ELEMENTS elements, nested at most MOST_DEPTH deep."""
    count = depth = 0
    for event, _ in etree.iterwalk(root, events=("start", "end")):
        count += event == "start"
        depth += 1 if event == "start" else -1
        if count > MOST_ELEMENTS or depth > MOST_DEPTH:
            return False
    return True


def _runs(block_words: list[str], size: int) -> set[tuple[str, ...]]:
    return set(zip(*(block_words[at:] for at in range(size)), strict=False))
