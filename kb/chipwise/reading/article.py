"""The article of a web page, as trafilatura finds it; our blocks keep their text, spans and order.

Trafilatura (Barbaresi, ACL 2021 demo) returns its own text without offsets into ours, so a block
belongs to the article to the degree that its words appear there in the same order.
"""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import Any, Final

from lxml import etree

from chipwise.reading.blocks import Draft
from chipwise.text import words
from chipwise.types import Role

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


def settle(text: str, drafts: list[Draft], root: Any, title: str) -> list[Draft]:
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
