"""The document that is checked: read, and what is found in it told in terms of the file as it stands."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from chipwise.audit.casebook import Casebook, Statement
from chipwise.audit.ignoring import Ignore, apply_ignores, read_ignores
from chipwise.audit.model import Audit, Judgement, Remark
from chipwise.audit.sheets import Sheet
from chipwise.domain.model import Domain
from chipwise.reading import Structured, is_structured, keeps_lines, read_bytes, read_cells, read_file
from chipwise.types import Document, Evidence, Finding

STDIN = "-"
_HASHES = (".yaml", ".yml")


@dataclass(frozen=True, slots=True)
class Submitted:
    """A file or a text, read before a knowledge base is opened. `cells` are there for CSV, JSON and YAML."""

    origin: str
    document: Document | None = None
    cells: Structured | None = None

    def placed(self, domain: Domain) -> Placed:
        """The document under an id that no source of a knowledge base has, the cells of a file as tables."""
        sheet = None if self.cells is None else Sheet(self.cells, domain)
        document = self.document
        if sheet is not None:
            document = read_bytes(sheet.text.encode(), name=f"{Path(self.origin).stem}.md", origin=self.origin)
        assert document is not None  # noqa: S101  one of the two is there
        own_id = STDIN if self.origin == STDIN else f"./{document.info.id}"
        text, blocks = (document.text, document.blocks) if self.cells is None else (self.cells.text, ())
        ignores: list[Ignore] = []
        remarks: list[Remark] = []
        if self.keeps_lines:
            ignores, remarks = read_ignores(text, self.origin, hashes=self.origin.endswith(_HASHES), blocks=blocks)
        if sheet is None and ignores:  # the words of a comment are no part of what the document says
            document = _without(document, ignores, self.origin)
        document = replace(document, info=replace(document.info, id=own_id, origin=self.origin))
        return Placed(document, text, sheet, tuple(ignores), tuple(remarks), self.keeps_lines)

    @property
    def keeps_lines(self) -> bool:
        """Whether the lines that are told are those of the file."""
        return self.cells is not None or self.origin == STDIN or keeps_lines(self.origin)


@dataclass(frozen=True, slots=True)
class Placed:
    """A document as it is compared, and the way back to the file that it was, or to its `text` with all comments."""

    document: Document
    text: str
    sheet: Sheet | None
    ignores: tuple[Ignore, ...]
    remarks: tuple[Remark, ...]
    keeps_lines: bool

    @property
    def source(self) -> str:
        """The document's id."""
        return self.document.info.id

    def told_in(self, book: Casebook) -> Casebook:
        """The casebook with the lines of the file in place of its tables'."""
        sheet = self.sheet
        if sheet is None:
            return book

        def find_evidence(s: Statement) -> Evidence:
            evidence = book.find_evidence(s)
            if evidence.source != self.source:
                return evidence
            at = sheet.relocated(evidence)
            return replace(evidence, line=at.line, column=at.column)

        return replace(book, find_evidence=find_evidence)

    def settled(self, audit: Audit, lines: Collection[int] | None = None) -> Audit:
        """The audit in terms of the file, with what its comments ignore marked, and of `lines` alone where they are given."""
        if self.sheet is not None or self.ignores:
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
        if self.sheet is not None:
            return self.sheet.relocated(evidence)
        return replace(evidence, quote=self.text[evidence.start : evidence.end])


def read_submitted(file: Path | None, text: str | None) -> Submitted:
    """A file, or a text where there is none. Raises SourceUnreadable."""
    if file is None:
        return Submitted(STDIN, read_bytes((text or "").encode(), name="standard input.md", origin=STDIN))
    if is_structured(file.name):
        return Submitted(str(file), cells=read_cells(file))
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
