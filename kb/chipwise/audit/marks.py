"""Findings that fail no run any more: each mark says which they are, and why.

    the register        a TOML file of findings that somebody has judged: confirmed, explained or accepted
    the baseline        a JSON file of those that were there before
    the document        <!-- chipwise: ignore CW701: quoted from the leak, see the footnote -->

A fingerprint stays the same where lines move. What comments may say is told in `submitted`.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path, PurePath
from typing import Any

from chipwise.corpus import shipped_folder
from chipwise.errors import DomainInvalid, KnowledgeBaseMissing, SettingsInvalid
from chipwise.files import read_text, write_atomically
from chipwise.knowledge import KnowledgeFolder
from chipwise.text import Span, one_line
from chipwise.types import Finding

NAME = "findings.toml"  # the register, in the folder of a knowledge base
STATUSES = ("confirmed", "explained", "accepted")  # of the register
IGNORED, IN_BASELINE = "ignored", "baseline"
SCHEMA = "chipwise.baseline/1"
PREFIX, LENGTH = 6, 12  # characters of a fingerprint that may stand for all of it, and of all of it
_HINT = "`chipwise check FILE... --baseline FILE --write-baseline` writes one"
_FINGERPRINT = re.compile(rf"[0-9A-Za-z][0-9A-Za-z_:.-]{{{PREFIX - 1},127}}")
_KEYS = {"fingerprint", "status", "reason", "date"}
_HEADER = re.compile(r"[ \t]*\[\[\s*finding\s*\]\]")
_START = "# Findings of `chipwise audit` and `chipwise check` that were looked at. `chipwise accept` adds to it.\n"


@dataclass(frozen=True, slots=True)
class Mark:
    """Which findings, and what they are: those of a `fingerprint`, or of `codes` on `lines` of a document.

    A fingerprint may be its first characters alone. `place` is "findings.toml:12", or the baseline's name. `document` is the
    path that a mark of the baseline, and the id of the source that a comment is about; the comment is at `span`.
    """

    fingerprint: str
    status: str
    reason: str
    date: str = ""
    place: str = ""
    document: str = ""
    codes: tuple[str, ...] = ()
    lines: range = range(0)
    span: Span = (0, 0)

    @property
    def words(self) -> str:
        """As a reader is told: "accepted 2026-11-21: the newer edition says"."""
        if self.status == IN_BASELINE:
            return f"known in {PurePath(self.place).name}"
        when = f"at line {self.place}" if self.codes else self.date
        return f"{' '.join(filter(None, (self.status, when)))}: {self.reason}"


def meeting(marks: Sequence[Mark], findings: Sequence[Finding]) -> list[list[Mark]]:
    """For each finding its marks, in order; the first characters of a fingerprint count where one finding begins with them."""
    prints: dict[str, list[str]] = {}
    for full in {f.fingerprint for f in findings}:
        prints.setdefault(full[:PREFIX], []).append(full)
    by_print: dict[str, list[Mark]] = {}
    for mark in (m for m in marks if not m.codes):
        whole = [f for f in prints.get(mark.fingerprint[:PREFIX], ()) if f.startswith(mark.fingerprint)]
        if mark.fingerprint in whole or len(whole) == 1:
            by_print.setdefault(mark.fingerprint if mark.fingerprint in whole else whole[0], []).append(mark)
    comments = [m for m in marks if m.codes]
    found = []
    for f in findings:
        own = [m for m in by_print.get(f.fingerprint, ()) if m.document in ("", path_of(_document(f)))]
        said = [m for m in comments if f.code in m.codes and any(_is_at(m, e.source, e.line) for e in f.evidence)]
        found.append([*said, *own])
    return found


def unused(marks: Sequence[Mark], findings: Sequence[Finding]) -> tuple[Mark, ...]:
    """The marks that are of no finding, or of several."""
    used = {m for found in meeting(marks, findings) for m in found}
    return tuple(m for m in marks if m not in used)


def is_fingerprint(text: str) -> bool:
    """Whether `text` can be a fingerprint, or the first characters of one."""
    return _FINGERPRINT.fullmatch(text) is not None


def _is_at(mark: Mark, source: str, line: int) -> bool:
    return source == mark.document and line in mark.lines


def _document(finding: Finding) -> str:
    return next((evidence.origin for evidence in finding.evidence), "")


def path_of(origin: str) -> str:
    """By what a document is known whichever folder a command runs in; standard input and no document as they are."""
    return origin if origin in ("", "-") else os.path.abspath(origin)  # noqa: PTH100 (no link is followed)


# --- The register ---


def read_register(*paths: Path) -> tuple[Mark, ...]:
    """The marks of every file that exists. A later file's entry replaces one of the same fingerprint.

    Raises DomainInvalid with file and line for what is no TOML, an unknown or missing key, a status that is none, or a
    fingerprint that is there twice in one file.
    """
    marks: dict[str, Mark] = {}
    for path in paths:
        try:
            text = read_text(path)
        except FileNotFoundError:
            continue
        except (OSError, UnicodeDecodeError) as error:
            raise DomainInvalid(f"{path} cannot be read: {error}", hint="fix or remove that file") from None
        marks |= {mark.fingerprint: mark for mark in _parsed(text, path)}
    return tuple(marks.values())


def add_entry(path: Path, entry: Mark, title: str = "") -> None:
    """Appends one entry, below a comment with the finding's title; all else in the file stays as it is.

    Replaces the file in one rename. Raises DomainInvalid for an entry or a file that is none, or a fingerprint that is there
    already; StorageFailed.
    """
    path = path.resolve()  # a link to a register stays one
    for other in read_register(path):
        if other.fingerprint.startswith(entry.fingerprint) or entry.fingerprint.startswith(other.fingerprint):
            hint = f"edit or remove the entry at {other.place}"
            raise DomainInvalid(f"{entry.fingerprint} is already {other.status}: {other.reason}", hint=hint)
    before = read_text(path) if path.exists() else _START
    text = f"{before.rstrip()}\n\n{entry_text(entry, title)}".lstrip("\n")
    _parsed(text, path)
    write_atomically(path, text)


def entry_text(entry: Mark, title: str = "") -> str:
    """An entry as the register holds it."""
    told = {"fingerprint": entry.fingerprint, "status": entry.status, "reason": entry.reason}
    lines = [f"# {one_line(title)}"] if title else []
    # without control characters a JSON string is a TOML one
    lines += ["[[finding]]", *(f"{key} = {json.dumps(one_line(v), ensure_ascii=False)}" for key, v in told.items())]
    return "\n".join([*lines, f"date = {entry.date}"] if entry.date else lines) + "\n"


def _parsed(text: str, path: Path) -> list[Mark]:
    import tomllib  # noqa: PLC0415 (no question needs it)

    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        line = re.search(r"line (\d+)", str(error))
        place = f"{path}:{line.group(1) if line else len(text.splitlines())}"
        raise DomainInvalid(f"{place}: {error}", hint="fix the TOML syntax there") from None
    rows = data.pop("finding", [])
    if data or not isinstance(rows, list):
        problem = f"{path}: {next(iter(data), 'finding')!r} is not a [[finding]]"
        raise DomainInvalid(problem, hint="the file may hold no other table")
    lines = [number for number, line in enumerate(text.splitlines(), start=1) if _HEADER.match(line)]
    marks: dict[str, Mark] = {}
    for number, row in enumerate(rows):
        mark = _checked(row, f"{path}:{lines[number] if number < len(lines) else 1}")
        if other := marks.get(mark.fingerprint):
            problem = f"{mark.place}: {mark.fingerprint} is already at {other.place}"
            raise DomainInvalid(problem, hint="remove one of the two")
        marks[mark.fingerprint] = mark
    return list(marks.values())


def _checked(row: Any, place: str) -> Mark:
    row = row if isinstance(row, dict) else {}
    dated = row.get("date", "")
    day = dated.isoformat() if isinstance(dated, date) else dated
    fingerprint, reason = (row[key] if isinstance(row.get(key), str) else "" for key in ("fingerprint", "reason"))
    problems = (
        (f"unknown key {min(set(row) - _KEYS, default='')!r}", set(row) <= _KEYS),
        (f"`fingerprint` must be one, or {PREFIX} of its first characters", is_fingerprint(fingerprint)),
        (f"`status` must be {', '.join(STATUSES[:-1])} or {STATUSES[-1]}", row.get("status") in STATUSES),
        ("`reason` must say why", reason.strip()),
        ("`date` must be a date", isinstance(day, str)),
    )
    for problem, holds in problems:
        if not holds:
            raise DomainInvalid(f"{place}: {problem}", hint="fix that entry")
    return Mark(row["fingerprint"], row["status"], row["reason"], day, place)


def registers(base: KnowledgeFolder, named: Path | None) -> list[Path]:
    """The file named, or the one that is shipped and the folder's own. Raises KnowledgeBaseMissing."""
    if named is None:
        shipped = [shipped_folder() / NAME] if base.read_contents().shipped else []
        return [*shipped, base.folder / NAME]
    if not named.exists():
        hint = "`chipwise accept` creates it with the first entry; until then, an empty file will do"
        raise KnowledgeBaseMissing(f"there is no register {named}", hint=hint)
    return [named]


# --- The baseline ---


def read_baseline(path: Path) -> tuple[Mark, ...]:
    """The marks in a file: {"findings": {document: {fingerprint: title}}}. Raises SettingsInvalid where there is none, or it has another form."""
    try:
        value = json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        raise SettingsInvalid(f"there is no baseline {path}", hint=_HINT) from None
    except (OSError, ValueError) as error:  # JSON's and Unicode's errors are ValueErrors
        raise SettingsInvalid(f"{path} cannot be read: {error}", hint="fix or remove that file") from None
    schema = value.get("schema") if isinstance(value, dict) else None
    if schema != SCHEMA:
        raise SettingsInvalid(f"{path}: schema is {schema!r}, this chipwise reads {SCHEMA!r}", hint=_HINT)
    known = value.get("findings")
    if not isinstance(known, dict) or not all(
        isinstance(of, dict) and all(isinstance(title, str) for title in of.values()) for of in known.values()
    ):
        raise SettingsInvalid(f"{path}: `findings` must hold titles by document and fingerprint", hint=_HINT)
    folder = path.absolute().parent
    at = {name: name if name == "-" else path_of(str(folder / name)) for name in known}
    listed = ((at[name], *one) for name, of in known.items() for one in of.items())
    return tuple(Mark(one, IN_BASELINE, why, place=str(path), document=name) for name, one, why in listed)


def write_baseline(path: Path, findings: Iterable[Finding], documents: Iterable[str]) -> int:
    """Notes the findings of checked documents as known, and tells how many the file has then. What it says of others stays.

    Raises SettingsInvalid, StorageFailed.
    """
    checked = {*map(path_of, documents)}
    known = [(m.document, m.fingerprint, m.reason) for m in (read_baseline(path) if path.exists() else ())]
    known = [one for one in known if one[0] not in checked]
    standing = (f for f in findings if f.status in ("open", IN_BASELINE))
    known += [(path_of(_document(f)), f.fingerprint, f"{f.code} {f.title}") for f in standing]
    by: dict[str, dict[str, str]] = {}
    for document, fingerprint, title in sorted(known):
        by.setdefault(_name(document, path.absolute().parent), {})[fingerprint] = title
    value = {"schema": SCHEMA, "findings": dict(sorted(by.items()))}
    write_atomically(path, json.dumps(value, indent=1, ensure_ascii=False) + "\n")
    return sum(map(len, by.values()))


def _name(document: str, folder: Path) -> str:
    """A document's path from the baseline's folder, the same on every system."""
    try:
        return PurePath(os.path.relpath(document, folder)).as_posix() if document not in ("", "-") else document
    except ValueError:  # on another drive of Windows
        return PurePath(document).as_posix()
