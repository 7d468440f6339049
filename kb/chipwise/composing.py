"""Chosen sentences into an answer's text with its citations."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from chipwise.rating import Candidate
from chipwise.store import Store
from chipwise.text import one_line
from chipwise.types import Evidence, Role


@dataclass(frozen=True, slots=True)
class Citation:
    """Number `n` in the answer's text, and the evidence that it stands for."""

    n: int
    evidence: Evidence


_MARKS = re.compile(r"^\s*(?:[-*•◦+]|\d{1,2}[.)])\s+|\*\*|__|`|^>+\s*|^#+\s*")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)\s]*\)")
_SPEAKERS = {
    Role.COMMENT: "Only a reader comment says: ",
    Role.BOILERPLATE: "Only advertising says: ",
    Role.BIO: "Only an author's biography says: ",
}


def compose(chosen: Sequence[Candidate], store: Store) -> tuple[str, tuple[Citation, ...]]:
    """The answer's text, each sentence followed by the number of its citation, and the citations."""
    citations = tuple(Citation(n, _evidence(candidate, store)) for n, candidate in enumerate(chosen, start=1))
    parts = (f"{_shown(candidate)} [{c.n}]" for candidate, c in zip(chosen, citations, strict=True))
    return " ".join(parts), citations


def _evidence(candidate: Candidate, store: Store) -> Evidence:
    passage, sentence = candidate.passage, candidate.sentence
    info = store.find_source(passage.source)
    return Evidence(
        source=passage.source,
        title=info.title if info else "",
        origin=info.origin if info else "",
        publisher=info.publisher if info else "",
        published=info.published if info else "",
        heading=passage.heading,
        role=passage.role,
        quote=candidate.text,
        start=passage.start + sentence.start,
        end=passage.start + sentence.end,
        line=passage.line + passage.text.count("\n", 0, sentence.start),
        page=passage.page,
        passage=passage.id,
    )


def _shown(candidate: Candidate) -> str:
    """The sentence for reading: without Markdown marks, a table row with its header, and saying who speaks."""
    passage, text = candidate.passage, candidate.text
    if passage.role is Role.TABLE:
        text = _row(text, passage.context)
    # a list with its lead-in is one quote of several lines, and reads as one sentence
    lines = [one_line(_LINK.sub(r"\1", _MARKS.sub("", line))) for line in text.splitlines()]
    shown = (
        lines[0] + " " + "; ".join(line.rstrip(".;,") for line in lines[1:] if line)
        if _is_list(text)
        else " ".join(lines)
    )
    return _SPEAKERS.get(passage.role, "") + shown


def _is_list(text: str) -> bool:
    lines = text.splitlines()
    return len(lines) > 1 and lines[0].rstrip().endswith(":")


def _row(row: str, header: str) -> str:
    """ "| H100 | 80 GB |" under "| GPU | Memory |" becomes "H100 (Memory: 80 GB)"."""
    cells, names = _cells(row), _cells(header)
    if len(cells) < 2 or len(cells) != len(names):  # noqa: PLR2004
        return f"{header}: {row}" if header else row
    pairs = [f"{name}: {cell}" for name, cell in zip(names[1:], cells[1:], strict=True) if cell]
    return f"{cells[0]} ({'; '.join(pairs)})"


def _cells(row: str) -> list[str]:
    return [cell.strip() for cell in row.strip().strip("|").split("|")]
