"""What of a page is its article, as trafilatura decides it; our blocks keep their text, spans and order.

Trafilatura (Barbaresi, ACL 2021 demo) hands back a text of its own, without places in ours: a block belongs to the article
as far as its words stand there in the same order.
"""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import Any, Final

from lxml import etree

from chipwise.reading.blocks import Draft
from chipwise.text import words
from chipwise.types import Role

FEWEST_WORDS: Final = 60  # of an article; with fewer, a page is a snippet that it was not made for
LEAST_SHARE: Final = 0.25  # of the words that we take for the article's; with less it has missed the article
# of a page that it is asked about: its work is not bounded by ours, and grows with the square of the depth
MOST_ELEMENTS: Final = 20_000
MOST_DEPTH: Final = 100
RUN: Final = 3  # words that stand together
INSIDE: Final = 0.8  # of a block's runs, and it is the article's
OUTSIDE: Final = 0.3  # of a block's runs, and it is furniture
LONG: Final = 10  # words of a block that may be taken out of the furniture

# what trafilatura leaves out where no element is named after the article; as paragraphs it keeps or drops them by their links
_AS_PARAGRAPHS: Final = {"li": "p", "dt": "p", "dd": "p", "ul": "div", "ol": "div", "dl": "div"}

# what a table, a listing, an answer or a comment is, we know better: it leaves them out or flattens them
_OPEN: Final = (Role.BODY, Role.LIST, Role.HEADING)
_BESIDE: Final = (Role.BOILERPLATE, Role.COMMENT, Role.BIO)


def settle(text: str, drafts: list[Draft], root: Any, title: str) -> list[Draft]:
    """The drafts, those outside of the article as furniture, and furniture that is in it as body; `title` is its first heading."""
    said = [words(text[draft.start : draft.end]) for draft in drafts]
    ours = sum(len(own) for own, draft in zip(said, drafts, strict=True) if draft.role in _OPEN)
    if ours < FEWEST_WORDS:
        return drafts
    article = _article(root)
    if len(article) < max(FEWEST_WORDS, LEAST_SHARE * ours):
        return drafts
    runs = {size: _runs(article, size) for size in range(1, RUN + 1)}
    settled = [_settled(draft, own, runs) for draft, own in zip(drafts, said, strict=True)]
    at = next((at for at, d in enumerate(drafts) if d.role is Role.HEADING and said[at] == words(title)), None)
    if at is not None:
        settled[at] = drafts[at]
    return _headed(drafts, settled)


def _headed(before: list[Draft], settled: list[Draft]) -> list[Draft]:
    """`settled` with each heading that something of the article stands under as it was: short lines get lost there."""
    kept: list[Draft] = []
    below = Role.BOILERPLATE
    for draft, now in zip(reversed(before), reversed(settled), strict=True):
        heads = draft.role is Role.HEADING and below not in _BESIDE
        kept.append(draft if heads else now)
        if draft.role is not Role.HEADING:
            below = now.role
    return kept[::-1]


def _article(root: Any) -> list[str]:
    """The words of the page's article; none where the page is too large to be asked about."""
    if not _is_bounded(root):
        return []
    root = copy.deepcopy(root)
    etree.strip_attributes(root, "colspan", "rowspan")  # it makes a cell of each, thousands where a page says so
    for element in root.iter(*_AS_PARAGRAPHS):
        element.tag = _AS_PARAGRAPHS[element.tag]
    from trafilatura.core import bare_extraction  # noqa: PLC0415 (takes long to load, for pages alone)

    found = bare_extraction(root, include_comments=False, include_tables=True, with_metadata=False)
    return words(found.text) if found is not None and found.text else []


def _is_bounded(root: Any) -> bool:
    """Whether the page has at most MOST_ELEMENTS, at most MOST_DEPTH deep."""
    count = depth = 0
    for event, _ in etree.iterwalk(root, events=("start", "end")):
        count += event == "start"
        depth += 1 if event == "start" else -1
        if count > MOST_ELEMENTS or depth > MOST_DEPTH:
            return False
    return True


def _settled(draft: Draft, own: list[str], runs: dict[int, set[tuple[str, ...]]]) -> Draft:
    if not own or draft.role not in (*_OPEN, Role.BOILERPLATE):
        return draft
    size = min(RUN, len(own))
    standing = _runs(own, size)
    share = len(standing & runs[size]) / len(standing)
    if draft.role is Role.BOILERPLATE:
        return replace(draft, role=Role.BODY) if share >= INSIDE and len(own) >= LONG else draft
    return replace(draft, role=Role.BOILERPLATE) if share < OUTSIDE else draft


def _runs(said: list[str], size: int) -> set[tuple[str, ...]]:
    return set(zip(*(said[at:] for at in range(size)), strict=False))
