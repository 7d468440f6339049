"""Misspelt words that are left over, read as the wording or name that they come nearest to.

    "how mcuh vram h200"  ->  "how much vram h200"

A question may come here as it was typed. Which words stand nowhere in the corpus is known to `spelling` alone, so only what a
reading leaves over is looked at, and only a spelling that leaves nothing over is taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from chipwise.answering.query import Query
from chipwise.answering.spelling import nearest
from chipwise.domain.model import Domain
from chipwise.text import Span
from chipwise.values import dataclass

_LEAST = 4  # letters of a word that may be misspelt


@dataclass(frozen=True, slots=True)
class Slip:
    """A word at `[start, end)` as it is read."""

    start: int
    end: int
    read: str


def slips_in(text: str, left: Sequence[Span], domain: Domain) -> list[Slip]:
    """The words left over that are a slip away from one that means something."""
    found: list[Slip] = []
    for start, end in left:
        word = text[start:end].lower()
        if len(word) >= _LEAST and word.isascii() and word.isalpha() and word not in domain.question_words:
            read = nearest(word, domain.question_words)
            if read:
                found.append(Slip(start, end, read))
    return found


def respelt(text: str, slips: Sequence[Slip]) -> str:
    """The text with its slips as they are read."""
    for slip in sorted(slips, key=lambda s: -s.start):
        text = text[: slip.start] + slip.read + text[slip.end :]
    return text


def as_written(query: Query, text: str, slips: Sequence[Slip]) -> Query:
    """A query on a text that was respelt, with its places in the text as it was written, and what was read otherwise."""

    def moved(span: Span) -> Span:
        return _back(span[0], slips, end=False), _back(span[1], slips, end=True)

    spans = {name: tuple(map(moved, found)) for name, found in query.spans.items()}
    given = tuple(replace(g, span=moved(g.span)) for g in query.given)
    read = tuple(f'"{text[s.start : s.end]}" read as "{s.read}"' for s in slips)
    return replace(
        query, text=text, spans=spans, given=given, left=tuple(map(moved, query.left)), assumed=(*query.assumed, *read)
    )


def _back(at: int, slips: Sequence[Slip], *, end: bool) -> int:
    """The place in the text as written of one in the text as read."""
    shift = 0
    for slip in sorted(slips, key=lambda s: s.start):
        start, stop = slip.start + shift, slip.start + shift + len(slip.read)
        if at <= start and not (end and at > start):
            break
        if at < stop:
            return slip.end if end else slip.start
        shift += len(slip.read) - (slip.end - slip.start)
    return at - shift
