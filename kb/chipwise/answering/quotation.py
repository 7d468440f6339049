"""Windows as what an answer quotes: readable, each with its citation, and the values in them that are asked for."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from chipwise import patterns as re
from chipwise.answering.model import Row
from chipwise.answering.quoting import Cited, Told, together
from chipwise.answering.windows import Window
from chipwise.audit.evidence import span_evidence
from chipwise.index.store import Store
from chipwise.text import BULLET, one_line
from chipwise.types import Evidence, Role

# Marks that a reader of the rendered page would not see; a bare "2**10" or "> 100 GB/s" is no mark.
_ITEM = re.compile(rf"^\s*{BULLET}\s+|^#{{1,6}}\s+")
_STRONG = re.compile(r"(?<![\w*])(\*\*|__)(?=\S)(.+?)(?<=\S)\1(?![\w*])|`([^`]+)`")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)\s]*\)")
_SPEAKERS = {
    Role.COMMENT: "Only a reader comment says: ",
    Role.BOILERPLATE: "Only advertising says: ",
    Role.BIO: "Only an author's biography says: ",
    Role.CODE: "Only a listing shows: ",
}


def quote(chosen: Sequence[Window], metrics: Collection[str], store: Store) -> Told:
    """Each window followed by what it is cited by, with the values of `metrics` in it."""
    each = [(window, Cited(evidence(window, store))) for window in chosen]
    rows = (row for window in chosen for row in _rows(window, metrics, store))
    told = together(Told((f"{_shown(window)} ", cited), (cited,)) for window, cited in each)
    return replace(told, rows=tuple(dict.fromkeys(rows)))


def hesitant(told: Told, others: Sequence[Window], store: Store) -> Told:
    """What may not be what was asked, and other windows, each behind its heading, that may be."""
    each = [(window, Cited(evidence(window, store))) for window in others]
    parts = [
        Told((f"{' > '.join(filter(None, window.passage.heading))}: {_shown(window)} ", cited), (cited,))
        for window, cited in each
    ]
    first = told.led("This may not answer it: ")
    return together([first, Told(("Other passages that may help:",)), *parts], "\n\n") if parts else first


def _rows(window: Window, metrics: Collection[str], store: Store) -> Iterator[Row]:
    """The claims of a window that have the figures asked for."""
    passage = window.passage
    wanted = {
        (passage.start + f.quantity.start, f.subject, f.metric)
        for sentence in window.sentences
        for f in sentence.figures
        if f.metric in metrics
    }
    for claim in store.claims(source=passage.source) if wanted else ():
        if claim.quantity is not None and (claim.value_start, claim.subject, claim.metric) in wanted:
            text = one_line(passage.text[claim.value_start - passage.start : claim.value_end - passage.start])
            unit = claim.quantity.unit
            yield Row(claim.subject, claim.key, claim.quantity, unit, text, claim, claim.doubt)


def evidence(window: Window, store: Store) -> Evidence:
    """The quote of a window, with its place."""
    passage, sentences = window.passage, window.sentences
    return span_evidence(passage, store.find_source(passage.source), sentences[0].start, sentences[-1].end)


def _shown(window: Window) -> str:
    """The sentences for reading: without Markdown marks, a table row with its header, and saying who speaks."""
    passage = window.passage
    speaker = _SPEAKERS.get(passage.role, "")
    pieces = [passage.text[s.start : s.end] for s in window.sentences]
    if passage.role is Role.TABLE:
        return speaker + "; ".join(one_line(_unmarked(_row(piece, passage.context))) for piece in pieces)
    lines = [one_line(_unmarked(_ITEM.sub("", line))) for piece in pieces for line in piece.splitlines()]
    if len(lines) > 1 and lines[0].endswith(":"):
        # a list with its lead-in reads as one sentence
        return speaker + lines[0] + " " + "; ".join(line.rstrip(".;,") for line in lines[1:] if line) + "."
    return speaker + " ".join(line for line in lines if line)


def _unmarked(text: str) -> str:
    return _STRONG.sub(lambda match: match[2] or match[3], _LINK.sub(r"\1", text))


def _row(row: str, header: str) -> str:
    """ "| H100 | 80 GB |" under "| GPU | Memory |" becomes "H100 (Memory: 80 GB)"."""
    if row.startswith("<"):
        from chipwise.reading.rawhtml import barred, is_tagged  # noqa: PLC0415

        row = barred(row) if is_tagged(row) else row
    cells, names = _cells(row), _cells(header)
    if len(cells) < 2:  # noqa: PLR2004
        return f"{header}: {row}" if header else row
    if len(cells) != len(names):
        return "; ".join(filter(None, cells))
    pairs = [f"{name}: {cell}" for name, cell in zip(names[1:], cells[1:], strict=True) if cell]
    return f"{cells[0] or names[0]} ({'; '.join(pairs)})"


def _cells(row: str) -> list[str]:
    inner = row.strip().removeprefix("|").removesuffix("|")
    return [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", inner)]
