"""The document that is checked: read, and what is found in it told in terms of the file as it stands.

    An H200 has 150 GB.  <!-- chipwise: ignore CW701: quoted from the leak, see the footnote -->

A comment behind a text applies to its line; one with a line to itself to the paragraph, list or table below, in YAML and
code to the line below; `ignore-file` to the whole document. MDX has {/* chipwise: ... */}, YAML # chipwise: ...
A comment without a reason, with an unknown code, or that no finding needed is reported, and the first two don't count. A
comment in a listing of code is an example.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from chipwise.audit.codes import read_codes
from chipwise.audit.marks import IGNORED, Mark, unused
from chipwise.audit.model import Audit, Judgement, Remark
from chipwise.reading import keeps_lines, read_bytes, read_file
from chipwise.reading.files import is_structured
from chipwise.text import one_line
from chipwise.types import Block, Document, Evidence, Finding, Role

STDIN = "-"
_LINE, _FILE = "ignore", "ignore-file"
_COMMENT = re.compile(r"(?<!`)(?:<!--|\{/\*)[ \t]*chipwise:[ \t]*(.*?)[ \t]*(?:-->|\*/\})")
_HASH = re.compile(r"(?<!\S)(?:#|//)[ \t]*chipwise:[ \t]*(.*?)[ \t]*$", re.M)
_AS_IN = "as in <!-- chipwise: ignore CW701: quoted on purpose -->"


@dataclass(frozen=True, slots=True)
class Submitted:
    """A file or a text, read before a knowledge base is opened."""

    origin: str
    document: Document

    def placed(self) -> Placed:
        """The document under an id that no source of a knowledge base has."""
        document = self.document
        own_id = STDIN if self.origin == STDIN else f"./{document.info.id}"
        text = document.text
        ignores: list[Mark] = []
        wrong: list[tuple[int, str]] = []
        if self.keeps_lines:
            hashes = is_structured(self.origin)
            ignores, wrong = _read_ignores(text, own_id, hashes=hashes, blocks=document.blocks)
        if ignores:  # the words of a comment are no part of what the document says
            document = _without(document, ignores, self.origin)
        document = replace(document, info=replace(document.info, id=own_id, origin=self.origin))
        remarks = tuple(Remark(self.origin, line, problem) for line, problem in wrong)
        return Placed(document, text, tuple(ignores), remarks, self.keeps_lines)

    @property
    def keeps_lines(self) -> bool:
        """Whether the lines that are told are those of the file."""
        return self.origin == STDIN or keeps_lines(self.origin)


@dataclass(frozen=True, slots=True)
class Placed:
    """A document as it is compared, and the way back to the file that it was, or to its `text` with all comments."""

    document: Document
    text: str
    ignores: tuple[Mark, ...]
    remarks: tuple[Remark, ...]
    keeps_lines: bool

    @property
    def source(self) -> str:
        """The document's id."""
        return self.document.info.id

    def settled(self, audit: Audit, lines: Collection[int] | None = None) -> Audit:
        """The audit in terms of the file, with what its comments ignore marked, and of `lines` alone where they are given."""
        findings = tuple(replace(f, evidence=self._relocated(f.evidence)) for f in audit.findings)
        audit = replace(audit, findings=findings, judgements=tuple(map(self._judged, audit.judgements)))
        origin = self.document.info.origin
        needless = tuple(
            Remark(origin, int(m.place), f"no finding matches the comment that ignores {', '.join(m.codes)}")
            for m in unused(self.ignores, audit.findings)
        )
        audit = replace(audit.marked(self.ignores), documents=(origin,), remarks=(*self.remarks, *needless))
        if lines is None or not self.keeps_lines:
            return audit
        kept = set(lines)
        return replace(
            audit,
            findings=tuple(f for f in audit.findings if self._touches(f, kept)),
            judgements=tuple(j for j in audit.judgements if not kept.isdisjoint(_lines(j.claim))),
        )

    def _touches(self, finding: Finding, lines: set[int]) -> bool:
        return any(e.source == self.source and not lines.isdisjoint(_lines(e)) for e in finding.evidence)

    def _judged(self, judgement: Judgement) -> Judgement:
        (claim,) = self._relocated([judgement.claim])
        return replace(judgement, claim=claim, against=self._relocated(judgement.against))

    def _relocated(self, evidence: Sequence[Evidence]) -> tuple[Evidence, ...]:
        return tuple(self._in_file(e) if e.source == self.source else e for e in evidence)

    def _in_file(self, evidence: Evidence) -> Evidence:
        """A quote as the file has it, comments and all; its column is that of the file's line, which passages may cut."""
        at = evidence.start + (evidence.mark[0] if evidence.mark else 0)
        column = at - self.text.rfind("\n", 0, at)
        return replace(evidence, quote=self.text[evidence.start : evidence.end], column=column)


def read_submitted(file: Path | None, text: str | None) -> Submitted:
    """A file, or a text where there is none. Raises SourceUnreadable."""
    if file is None:
        data = (text or "").encode("utf-8", "replace")
        return Submitted(STDIN, read_bytes(data, name="standard input.md", origin=STDIN))
    return Submitted(str(file), read_file(file))


def _without(document: Document, ignores: Sequence[Mark], origin: str) -> Document:
    """The document, read again with blanks where its comments stand."""
    text = document.text
    for ignore in ignores:
        start, end = ignore.span
        text = text[:start] + " " * (end - start) + text[end:]
    name = "text.md" if origin == STDIN else Path(origin).name
    return replace(read_bytes(text.encode(), name=name, origin=origin), info=document.info)


def _lines(evidence: Evidence) -> range:
    """The lines that a quote stands on; its `line` is that of the mark in it."""
    before = 0 if evidence.mark is None else evidence.quote.count("\n", 0, evidence.mark[0])
    first = evidence.line - before
    return range(first, first + evidence.quote.count("\n") + 1)


# --- Comments ---


def _read_ignores(
    text: str, source: str, *, hashes: bool = False, blocks: Sequence[Block] = ()
) -> tuple[list[Mark], list[tuple[int, str]]]:
    """The comments in a document that count, and by line what is wrong with the others; `hashes` where # begins a comment."""
    marks, wrong = [], []
    listings = [(b.start, b.end) for b in blocks if b.role is Role.CODE]
    for found in (_HASH if hashes else _COMMENT).finditer(text):
        if any(start <= found.start() < end for start, end in listings):
            continue
        line = text.count("\n", 0, found.start()) + 1
        head, _, reason = found[1].partition(":")
        word, *codes = head.replace(",", " ").split() or [""]
        if problem := _problem(word, codes, reason):
            wrong.append((line, problem))
            continue
        lines = range(1, text.count("\n") + 2) if word == _FILE else _lines_of(text, *found.span(), one=hashes)
        reason = one_line(reason)
        marks.append(Mark("", IGNORED, reason, "", str(line), source, tuple(codes), lines, found.span()))
    return marks, wrong


def _problem(word: str, codes: Sequence[str], reason: str) -> str:
    known = read_codes().pages
    if word not in (_LINE, _FILE):
        return f"{one_line(word) or 'nothing'!r} is neither {_LINE} nor {_FILE}, {_AS_IN}"
    if not codes:
        return f"the comment names no code to ignore, {_AS_IN}"
    if unknown := next((code for code in codes if code not in known), ""):
        return f"there is no code {one_line(unknown)!r} to ignore; `chipwise explain` lists them"
    return "" if reason.strip() else f"the comment gives no reason to ignore {codes[0]}, {_AS_IN}"


def _lines_of(text: str, start: int, end: int, *, one: bool) -> range:
    """The lines that a comment at `[start, end)` is about: its own, or where nothing else stands there the block or the `one` line below."""
    begin, stop = text.rfind("\n", 0, start) + 1, text.find("\n", end)
    stop = len(text) if stop < 0 else stop
    line = text.count("\n", 0, start) + 1
    last = line + text.count("\n", start, end)
    if (text[begin:start] + text[end:stop]).strip():
        return range(line, last + 1)
    below = text[stop + 1 :].split("\n")
    blank = next((number for number, words in enumerate(below) if words.strip()), len(below))
    length = next((number for number, words in enumerate(below[blank:]) if not words.strip()), len(below) - blank)
    return range(last + 1 + blank, last + 2 + blank if one else last + 1 + blank + max(length, 1))
