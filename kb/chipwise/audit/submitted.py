"""The document that is checked: read, and what is found in it told in terms of the file as it stands."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from chipwise.audit.ignoring import Ignore, apply_ignores, read_ignores
from chipwise.audit.model import Audit, Judgement, Remark
from chipwise.reading import keeps_lines, read_bytes, read_file
from chipwise.reading.files import is_structured
from chipwise.types import Document, Evidence, Finding

STDIN = "-"


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
        ignores: list[Ignore] = []
        remarks: list[Remark] = []
        if self.keeps_lines:
            hashes = is_structured(self.origin)
            ignores, remarks = read_ignores(text, self.origin, hashes=hashes, blocks=document.blocks)
        if ignores:  # the words of a comment are no part of what the document says
            document = _without(document, ignores, self.origin)
        document = replace(document, info=replace(document.info, id=own_id, origin=self.origin))
        return Placed(document, text, tuple(ignores), tuple(remarks), self.keeps_lines)

    @property
    def keeps_lines(self) -> bool:
        """Whether the lines that are told are those of the file."""
        return self.origin == STDIN or keeps_lines(self.origin)


@dataclass(frozen=True, slots=True)
class Placed:
    """A document as it is compared, and the way back to the file that it was, or to its `text` with all comments."""

    document: Document
    text: str
    ignores: tuple[Ignore, ...]
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
        audit = apply_ignores(audit, self.source, self.ignores, origin)
        audit = replace(audit, documents=(origin,), remarks=(*self.remarks, *audit.remarks))
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
        return Submitted(STDIN, read_bytes((text or "").encode(), name="standard input.md", origin=STDIN))
    return Submitted(str(file), read_file(file))


def _without(document: Document, ignores: Sequence[Ignore], origin: str) -> Document:
    """The document, read again with blanks where its comments stand."""
    text = document.text
    for ignore in ignores:
        text = text[: ignore.start] + " " * (ignore.end - ignore.start) + text[ignore.end :]
    name = "text.md" if origin == STDIN else Path(origin).name
    return replace(read_bytes(text.encode(), name=name, origin=origin), info=document.info)


def _lines(evidence: Evidence) -> range:
    """The lines that a quote stands on; its `line` is that of the mark in it."""
    before = 0 if evidence.mark is None else evidence.quote.count("\n", 0, evidence.mark[0])
    first = evidence.line - before
    return range(first, first + evidence.quote.count("\n") + 1)
