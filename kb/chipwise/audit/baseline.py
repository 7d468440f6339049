"""Findings that were there before: they do not fail a run, and a new one does.

    {"schema": "chipwise.baseline/1",
     "findings": {"docs/notes.md": {"90411b805e25": "CW701 NVIDIA H200 memory bandwidth disagrees: ..."}}}

Documents go by their paths as seen from the baseline's folder, findings by their fingerprints, which stay the same
where lines are moved. A finding is known in its own document only.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from typing import Any

from chipwise.audit.model import IN_BASELINE, Audit, Remark, badness
from chipwise.errors import SettingsInvalid
from chipwise.files import write_atomically
from chipwise.text import counted
from chipwise.types import Finding

SCHEMA = "chipwise.baseline/1"
_HINT = "`chipwise check FILE... --baseline FILE --write-baseline` writes one"

Known = Mapping[str, Mapping[str, str]]  # document -> fingerprint -> what the finding was called


@dataclass(frozen=True, slots=True)
class Baseline:
    """What one file knows."""

    path: Path
    known: Known

    def apply(self, audit: Audit, *, partial: bool = False) -> Audit:
        """The audit with the open findings that are known marked so, and, unless it is `partial`, a remark on those that are gone."""
        gone = {(name, one) for origin in audit.documents for name in [self._name(origin)] for one in self._of(name)}
        findings, reasons = [], dict(audit.reasons)
        for finding in audit.findings:
            name = self._name(_document(finding))
            gone.discard((name, finding.fingerprint))
            if finding.status == "open" and finding.fingerprint in self._of(name):
                reasons[finding.fingerprint] = f"known in {self.path.name}"
                findings.append(replace(finding, status=IN_BASELINE))
            else:
                findings.append(finding)
        remarks = audit.remarks
        if gone and not partial:
            text = f"{counted(len(gone), 'finding')} of it no longer found; --write-baseline takes out what is gone"
            remarks = (*remarks, Remark(str(self.path), 0, text))
        return replace(audit, findings=tuple(sorted(findings, key=badness)), reasons=reasons, remarks=remarks)

    def renewed(self, audit: Audit) -> Baseline:
        """What is known once the documents of an audit are as they are now; what it says of others stays."""
        checked = {self._name(origin) for origin in audit.documents}
        known = {name: dict(of) for name, of in self.known.items() if name not in checked}
        for finding in audit.findings:
            if finding.status in ("open", IN_BASELINE):
                own = known.setdefault(self._name(_document(finding)), {})
                own[finding.fingerprint] = f"{finding.code} {finding.title}"
        return replace(self, known=known)

    def write(self) -> int:
        """Replaces the file, and tells how many findings it has. Raises StorageFailed."""
        findings = {name: dict(sorted(of.items())) for name, of in sorted(self.known.items())}
        value = {"schema": SCHEMA, "findings": findings}
        write_atomically(self.path, json.dumps(value, indent=1, ensure_ascii=False) + "\n")
        return sum(map(len, findings.values()))

    def _of(self, name: str) -> Mapping[str, str]:
        return self.known.get(name, {})

    def _name(self, origin: str) -> str:
        """A document's path from the baseline's folder, the same on every system."""
        if not origin or origin == "-":
            return origin
        try:
            path = os.path.relpath(origin, self.path.absolute().parent)
        except ValueError:  # on another drive of Windows
            path = origin
        return PurePath(path).as_posix()


def read_baseline(path: Path) -> Baseline:
    """The baseline in a file. Raises SettingsInvalid where there is none, or it has another form."""
    try:
        value = json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        raise SettingsInvalid(f"there is no baseline {path}", hint=_HINT) from None
    except (OSError, ValueError) as error:  # JSON's and Unicode's errors are ValueErrors
        raise SettingsInvalid(f"{path} cannot be read: {error}", hint="mend or remove that file") from None
    return Baseline(path, _checked(value, path))


def write_baseline(path: Path, audit: Audit) -> int:
    """Notes the findings of an audit as known, and tells how many the file has then. Raises SettingsInvalid, StorageFailed."""
    before = read_baseline(path) if path.exists() else Baseline(path, {})
    return before.renewed(audit).write()


def _checked(value: Any, path: Path) -> Known:
    schema = value.get("schema") if isinstance(value, dict) else None
    if schema != SCHEMA:
        raise SettingsInvalid(f"{path}: schema is {schema!r}, this chipwise reads {SCHEMA!r}", hint=_HINT)
    findings = value.get("findings")
    if not isinstance(findings, dict) or not all(_is_texts(of) for of in findings.values()):
        raise SettingsInvalid(f"{path}: `findings` must hold titles by document and fingerprint", hint=_HINT)
    return findings


def _is_texts(of: Any) -> bool:
    return isinstance(of, dict) and all(isinstance(title, str) for title in of.values())


def _document(finding: Finding) -> str:
    return next((evidence.origin for evidence in finding.evidence), "")
