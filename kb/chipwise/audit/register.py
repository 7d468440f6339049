"""The register of findings that somebody has looked at: a TOML file that is read, reviewed and appended to.

    # CW101 H200 memory capacity: 141 GB against 144 GB
    [[finding]]
    fingerprint = "3f2a91c04bd1"
    status = "accepted"
    reason = "144 GB is what is installed, 141 GB what can be used"
    date = 2026-11-21

What is in it no longer makes a run fail. `confirmed` says that the sources do
contradict each other, `explained` that they do not, `accepted` that we live with it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

from chipwise import patterns as re
from chipwise.errors import DomainInvalid
from chipwise.files import read_text, write_atomically
from chipwise.text import one_line
from chipwise.types import Finding
from chipwise.values import dataclass

NAME = "findings.toml"  # in the folder of a knowledge base
STATUSES = ("confirmed", "explained", "accepted")
PREFIX = 6  # characters of a fingerprint that may stand for all of it
_FINGERPRINT = re.compile(rf"[0-9A-Za-z][0-9A-Za-z_:.-]{{{PREFIX - 1},127}}")
_KEYS = {"fingerprint", "status", "reason", "date"}
_HEADER = re.compile(r"[ \t]*\[\[\s*finding\s*\]\]")
_START = "# Findings of `chipwise audit` and `chipwise check` that were looked at. `chipwise acknowledge` adds to it.\n"


@dataclass(frozen=True, slots=True)
class Entry:
    """One acknowledged finding; `fingerprint` may be the first characters alone. `place` is "findings.toml:12"."""

    fingerprint: str
    status: str
    reason: str
    date: str = ""
    place: str = ""


@dataclass(frozen=True, slots=True)
class Register:
    """Entries of one file or several, in order; no two have the same fingerprint."""

    entries: tuple[Entry, ...] = ()

    def matches(self, findings: Iterable[Finding]) -> dict[str, Entry]:
        """The entry of each finding that has one, by the finding's fingerprint.

        An entry of the first characters alone counts where exactly one finding begins with them.
        """
        known: dict[str, list[str]] = {}
        for fingerprint in {finding.fingerprint for finding in findings}:
            known.setdefault(fingerprint[:PREFIX], []).append(fingerprint)
        found = {}
        for entry in self.entries:
            full = [f for f in known.get(entry.fingerprint[:PREFIX], ()) if f.startswith(entry.fingerprint)]
            exact = entry.fingerprint in full
            if exact or len(full) == 1:
                found[entry.fingerprint if exact else full[0]] = entry
        return found

    def unmatched(self, findings: Iterable[Finding]) -> tuple[Entry, ...]:
        """The entries that are of no finding, or of several: whoever keeps the register may take them out."""
        used = {entry.fingerprint for entry in self.matches(findings).values()}
        return tuple(entry for entry in self.entries if entry.fingerprint not in used)


def apply(register: Register, findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The findings, each with the status that the register gives it, or as it was."""
    findings = tuple(findings)
    matches = register.matches(findings)
    return tuple(replace(f, status=matches[f.fingerprint].status) if f.fingerprint in matches else f for f in findings)


def read_register(*paths: Path) -> Register:
    """The entries of every file that exists. A later file's entry replaces one of the same fingerprint.

    Raises DomainInvalid with file and line for what is no TOML, an unknown or
    missing key, a status that is none, or a fingerprint that is there twice in one file.
    """
    entries: dict[str, Entry] = {}
    for path in paths:
        try:
            text = read_text(path)
        except FileNotFoundError:
            continue
        except (OSError, UnicodeDecodeError) as error:
            raise DomainInvalid(f"{path} cannot be read: {error}", hint="mend or remove that file") from None
        entries |= {entry.fingerprint: entry for entry in _parsed(text, path)}
    return Register(tuple(entries.values()))


def add_entry(path: Path, entry: Entry, title: str = "") -> None:
    """Appends one entry, below a comment with the finding's title; all else in the file stays as it is.

    Replaces the file in one rename. Raises DomainInvalid for an entry or a
    file that is none, or a fingerprint that is there already; StorageFailed.
    """
    path = path.resolve()  # a link to a register stays one
    present = read_register(path)
    for other in present.entries:
        if other.fingerprint.startswith(entry.fingerprint) or entry.fingerprint.startswith(other.fingerprint):
            hint = f"edit or remove the entry at {other.place}"
            raise DomainInvalid(f"{entry.fingerprint} is {other.status} already: {other.reason}", hint=hint)
    before = read_text(path) if path.exists() else _START
    text = f"{before.rstrip()}\n\n{entry_text(entry, title)}".lstrip("\n")
    _parsed(text, path)
    write_atomically(path, text)


def entry_text(entry: Entry, title: str = "") -> str:
    """An entry as the file holds it."""
    lines = [f"# {one_line(title)}"] if title else []
    lines += [
        "[[finding]]",
        f"fingerprint = {_quoted(entry.fingerprint)}",
        f"status = {_quoted(entry.status)}",
        f"reason = {_quoted(entry.reason)}",
    ]
    return "\n".join([*lines, f"date = {entry.date}"] if entry.date else lines) + "\n"


def is_fingerprint(text: str) -> bool:
    """Whether `text` can be a fingerprint, or the first characters of one."""
    return _FINGERPRINT.fullmatch(text) is not None


def _quoted(text: str) -> str:
    # without control characters a JSON string is a TOML one
    return json.dumps(one_line(text), ensure_ascii=False)


def _parsed(text: str, path: Path) -> list[Entry]:
    import tomllib  # noqa: PLC0415 (no question needs it)

    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        line = re.search(r"line (\d+)", str(error))
        place = f"{path}:{line.group(1) if line else len(text.splitlines())}"
        raise DomainInvalid(f"{place}: {error}", hint="mend the TOML syntax there") from None
    rows = data.pop("finding", [])
    if data or not isinstance(rows, list):
        raise DomainInvalid(
            f"{path}: {next(iter(data), 'finding')!r} is no [[finding]]", hint="it holds no other table"
        )
    lines = [number for number, line in enumerate(text.splitlines(), start=1) if _HEADER.match(line)]
    entries: dict[str, Entry] = {}
    for number, row in enumerate(rows):
        place = f"{path}:{lines[number] if number < len(lines) else 1}"
        entry = _checked(row, place)
        if entry.fingerprint in entries:
            other = entries[entry.fingerprint].place
            raise DomainInvalid(f"{place}: {entry.fingerprint} is at {other} already", hint="remove one of the two")
        entries[entry.fingerprint] = entry
    return list(entries.values())


def _checked(row: Any, place: str) -> Entry:
    row = row if isinstance(row, dict) else {}
    dated = row.get("date", "")
    day = dated.isoformat() if isinstance(dated, date) else dated
    problem = ""
    if unknown := sorted(set(row) - _KEYS):
        problem = f"unknown key {unknown[0]!r}"
    elif not isinstance(row.get("fingerprint"), str) or not is_fingerprint(row["fingerprint"]):
        problem = f"`fingerprint` must be one, or {PREFIX} of its first characters"
    elif row.get("status") not in STATUSES:
        problem = f"`status` must be {', '.join(STATUSES[:-1])} or {STATUSES[-1]}"
    elif not isinstance(row.get("reason"), str) or not row["reason"].strip():
        problem = "`reason` must say why"
    elif not isinstance(day, str):
        problem = "`date` must be a date"
    if problem:
        raise DomainInvalid(f"{place}: {problem}", hint="mend that entry")
    return Entry(row["fingerprint"], row["status"], row["reason"], day, place)


def reasons(register: Register, findings: Iterable[Finding]) -> Mapping[str, str]:
    """Why each acknowledged finding is so, by its fingerprint: "accepted 2026-11-21: the newer edition says"."""
    found = register.matches(findings).items()
    return {fingerprint: f"{' '.join(filter(None, (e.status, e.date)))}: {e.reason}" for fingerprint, e in found}
