"""Where the words are in a stretch of raw HTML inside Markdown.

Spans of the source are returned, so tags in the middle of a sentence stay; what
is hidden (scripts, styles, comments) and tags at either end do not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from chipwise.reading.blocks import Span

_HIDDEN: Final = re.compile(r"<(!--|script\b|style\b|template\b|noscript\b|svg\b|\?|!\[CDATA\[)", re.IGNORECASE)
_CLOSERS: Final = {"!--": "-->", "?": "?>", "![cdata[": "]]>"}
_LEADING: Final = re.compile(r"(?:\s*</?[A-Za-z!][^<>]*>)*\s*")
_TRAILING: Final = re.compile(r"(?:</?[A-Za-z][^<>]*>|\s+)\Z")


def text_spans(text: str, start: int, end: int) -> Iterator[Span]:
    """Spans between `start` and `end` that hold words, without what is hidden."""
    at = start
    while at < end:
        hidden = _HIDDEN.search(text, at, end)
        stop = hidden.start() if hidden else end
        piece = _trim(text, at, stop)
        if piece:
            yield piece
        if hidden is None:
            return
        opener = hidden[1].lower()
        closer = _CLOSERS.get(opener, f"</{opener}")
        closed = _find(text, closer, hidden.end(), end)
        if closed < 0:  # never closed: a browser would hide the rest too
            return
        bracket = text.find(">", closed, end)
        at = end if bracket < 0 else bracket + 1


def _find(text: str, closer: str, start: int, end: int) -> int:
    found = re.compile(re.escape(closer), re.IGNORECASE).search(text, start, end)
    return found.start() if found else -1


def _trim(text: str, start: int, end: int) -> Span | None:
    """The span without tags at its ends, or None when no word is left."""
    leading = _LEADING.match(text, start, end)
    start = leading.end() if leading else start
    piece = text[start:end]
    while found := _TRAILING.search(piece[-1000:]):
        piece = piece[: len(piece) - (found.end() - found.start())]
    return (start, start + len(piece)) if any(map(str.isalnum, piece)) else None
