"""Findings that the checked document itself says to ignore, with the reason.

    An H200 has 150 GB.  <!-- chipwise: ignore CW701: quoted from the leak, see the footnote -->

A comment of this kind behind a text is about its line; one that has the line to itself is about the paragraph,
list or table below, in YAML about the line below; `ignore-file` is about the whole document. MDX has
{/* chipwise: ... */}, YAML # chipwise: ...
Without a reason, or with a code that does not exist, it counts for nothing and that is reported, as is one that
no finding needed. A comment in a listing of code is an example.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from chipwise.audit.codes import read_codes
from chipwise.audit.model import IGNORED, Audit, Remark
from chipwise.text import one_line
from chipwise.types import Block, Evidence, Finding, Role

LINE, FILE = "ignore", "ignore-file"
_COMMENT = re.compile(r"(?<!`)(?:<!--|\{/\*)[ \t]*chipwise:[ \t]*(.*?)[ \t]*(?:-->|\*/\})")
_HASH = re.compile(r"(?<!\S)(?:#|//)[ \t]*chipwise:[ \t]*(.*?)[ \t]*$", re.M)
_AS_IN = "as in <!-- chipwise: ignore CW701: quoted on purpose -->"


@dataclass(frozen=True, slots=True)
class Ignore:
    """What one comment says to ignore. `first` to `last` are the lines that it is about; the comment is `text[start:end]`."""

    codes: tuple[str, ...]
    reason: str
    line: int
    first: int
    last: int
    start: int
    end: int

    def meets(self, finding: Finding, own: Iterable[Evidence]) -> bool:
        """Whether a finding that quotes the document at `own` is one to ignore."""
        return finding.code in self.codes and any(self.first <= e.line <= self.last for e in own)


def read_ignores(
    text: str, origin: str, *, hashes: bool = False, blocks: Sequence[Block] = ()
) -> tuple[list[Ignore], list[Remark]]:
    """The comments in a document that count, and what is wrong with the others; `hashes` where # begins a comment."""
    ignores, wrong = [], []
    listings = [(b.start, b.end) for b in blocks if b.role is Role.CODE]
    for found in (_HASH if hashes else _COMMENT).finditer(text):
        if any(start <= found.start() < end for start, end in listings):
            continue
        line = text.count("\n", 0, found.start()) + 1
        said = _parsed(found[1])
        if isinstance(said, str):
            wrong.append(Remark(origin, line, said))
            continue
        word, codes, reason = said
        first, last = (1, text.count("\n") + 1) if word == FILE else _lines(text, *found.span(), one=hashes)
        ignores.append(Ignore(codes, reason, line, first, last, found.start(), found.end()))
    return ignores, wrong


def apply_ignores(audit: Audit, source: str, ignores: Sequence[Ignore], origin: str) -> Audit:
    """The audit with the findings on `source` that its comments say to ignore marked so, and a remark on comments that no finding needed."""
    used: set[Ignore] = set()
    findings, reasons = [], dict(audit.reasons)
    for finding in audit.findings:
        own = [e for e in finding.evidence if e.source == source]
        met = [ignore for ignore in ignores if ignore.meets(finding, own)]
        used.update(met)
        if met:
            reasons[finding.fingerprint] = f"{IGNORED} at line {met[0].line}: {met[0].reason}"
        findings.append(replace(finding, status=IGNORED) if met else finding)
    unused = [
        Remark(origin, i.line, f"nothing here needs the comment that ignores {', '.join(i.codes)}")
        for i in ignores
        if i not in used
    ]
    return replace(audit, findings=tuple(findings), reasons=reasons, remarks=(*audit.remarks, *unused))


def _parsed(said: str) -> tuple[str, tuple[str, ...], str] | str:
    """What to ignore and why, or what is wrong with the comment."""
    head, _, reason = said.partition(":")
    word, *codes = head.replace(",", " ").split() or [""]
    known = read_codes().pages
    unknown = [code for code in codes if code not in known]
    if word not in (LINE, FILE):
        return f"{one_line(word) or 'nothing'!r} is neither {LINE} nor {FILE}, {_AS_IN}"
    if not codes:
        return f"the comment names no code to ignore, {_AS_IN}"
    if unknown:
        return f"there is no code {one_line(unknown[0])!r} to ignore; `chipwise explain` lists them"
    if not reason.strip():
        return f"the comment gives no reason to ignore {codes[0]}, {_AS_IN}"
    return word, tuple(codes), one_line(reason)


def _lines(text: str, start: int, end: int, *, one: bool) -> tuple[int, int]:
    """The lines that a comment at `[start, end)` is about: its own, or where nothing else stands there the block or the `one` line below."""
    begin, stop = text.rfind("\n", 0, start) + 1, text.find("\n", end)
    stop = len(text) if stop < 0 else stop
    line = text.count("\n", 0, start) + 1
    if (text[begin:start] + text[end:stop]).strip():
        return line, line + text.count("\n", start, end)
    below = text[stop + 1 :].split("\n")
    blank = next((number for number, words in enumerate(below) if words.strip()), len(below))
    length = next((number for number, words in enumerate(below[blank:]) if not words.strip()), len(below) - blank)
    first = line + text.count("\n", start, end) + 1 + blank
    return first, first if one else first + max(length - 1, 0)
