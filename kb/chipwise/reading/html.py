"""HTML to drafts: what a reader of the page would see, in its order.

Our text is built from the page's; nothing is fetched, run or followed. Hidden elements are
dropped. Furniture is kept with its role and not discarded, so that a wrong guess costs rank
and not the claim.
"""

from __future__ import annotations

import re
from typing import Any, Final

from lxml import etree, html

from chipwise.errors import SourceUnreadable
from chipwise.reading.article import settle
from chipwise.reading.blocks import Builder, FrontMatter, Parsed, tidy
from chipwise.reading.decoding import decode, one_line
from chipwise.reading.htmlparts import BLOCKS, HEADINGS, SKIPPED, container_role, is_hidden, read_table
from chipwise.reading.sections import clean_heading, role_within
from chipwise.types import Role

_CHARSET: Final = re.compile(rb"<meta[^>]{0,200}charset\s*=\s*[\"']?\s*([\w.:-]{2,30})", re.IGNORECASE)
_SITE: Final = re.compile(r"\s+[|–—·»-]\s+[^|–—·»]{2,40}$")
MOST_OF_PAGE: Final = 0.5  # a "sidebar" that holds half of the page's words is the article
LONG_TITLE: Final = 40  # characters; a shorter one may include its dash: "HBM - memory"
TERM: Final = ": "  # between a term and its definition
LAYOUT: Final = ("h1", "h2", "h3", "h4", "table", "article")  # a list item with one of these is a layout box


def read_html(data: bytes, name: str) -> Parsed:
    """Read the blocks of a page. Raises SourceUnreadable if it has no text at all."""
    root = _root(_decoded(data, name), name)
    if root is None:
        raise SourceUnreadable(f"{name} holds no HTML", hint="save the page again as HTML or text")
    walk = _Walk(root)
    walk.run()
    built = walk.builder
    drafts = settle(built.text, built.drafts, root, walk.title)
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
                if tag in SKIPPED or is_hidden(element.attrib) or self._takes_table(tag, element):
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
        if tag in BLOCKS and not (tag == "dd" and self._term):
            self._break()
        self._term = self._term or (tag == "dt" and not self._items)
        role = None if self._roles else container_role(tag, element.attrib)
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
        if tag in HEADINGS and not self._items:
            self._heading(tag)
        elif tag == "pre":
            self._pre -= 1
        if tag == "dt" and self._term:
            self._words.append(TERM)  # the dd that follows completes it
        elif self._items and self._items[-1] is element:
            if len(self._items) == 1:
                self._flush()
            self._items.pop()
        elif tag in BLOCKS:
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
        table = read_table(element)
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
            self.builder.heading(words, HEADINGS[tag])
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
