"""How a finding is marked in a register as looked at."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from chipwise.audit.marks import NAME, PREFIX, Mark, add_entry, is_fingerprint
from chipwise.errors import QuestionInvalid, SourceUnknown
from chipwise.knowledge import KnowledgeFolder
from chipwise.text import one_line
from chipwise.types import Finding


@dataclass(frozen=True, slots=True)
class Acknowledged:
    """What was recorded, and where; `title` is empty where no finding of the audit has that fingerprint."""

    fingerprint: str
    title: str
    path: Path


def acknowledge(
    base: KnowledgeFolder, fingerprint: str, status: str, reason: str, register: Path | None
) -> Acknowledged:
    """Adds an entry to the register, for the finding whose fingerprint begins so.

    Raises SourceUnknown for what is not a fingerprint or the beginning of several, QuestionInvalid for an
    empty reason, DomainInvalid for an entry that is there already.
    """
    if not is_fingerprint(fingerprint):
        hint = f"`chipwise audit` prints it below each finding; its first {PREFIX} characters are enough"
        raise SourceUnknown(f"{fingerprint!r} is not a fingerprint", hint=hint)
    if not one_line(reason):
        raise QuestionInvalid("the reason is empty", hint="say why in a sentence")
    finding = _find(base, fingerprint)
    full, title = (fingerprint, "") if finding is None else (finding.fingerprint, f"{finding.code} {finding.title}")
    path = register or base.folder / NAME
    today = datetime.now(UTC).astimezone().date().isoformat()
    # a register elsewhere is under somebody's version control, which tells of two that edit it
    with nullcontext() if register else base.editing():
        add_entry(path, Mark(full, status, reason, today), title)
    return Acknowledged(full, title, path)


def _find(base: KnowledgeFolder, fingerprint: str) -> Finding | None:
    """The finding of the audit whose fingerprint begins so. Raises SourceUnknown when several do."""
    from chipwise.audit.auditing import run_audit  # noqa: PLC0415

    audit = run_audit(base, everything=True)
    found = {f.fingerprint: f for f in audit.findings if f.fingerprint.startswith(fingerprint)}
    if fingerprint in found:
        return found[fingerprint]
    if len(found) > 1:
        names = ", ".join(sorted(found)[:5])
        raise SourceUnknown(f"{len(found)} findings begin with {fingerprint}: {names}", hint="give more characters")
    return next(iter(found.values()), None)
