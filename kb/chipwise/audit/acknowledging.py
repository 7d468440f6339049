"""How a finding is marked in a register as looked at."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from chipwise.audit.marks import LENGTH, NAME, PREFIX, Mark, add_entry, is_fingerprint
from chipwise.errors import QuestionInvalid, SourceUnknown
from chipwise.knowledge import KnowledgeFolder
from chipwise.text import one_line
from chipwise.types import Finding

_DIGITS = set("0123456789abcdef")


@dataclass(frozen=True, slots=True)
class Acknowledged:
    """Hold what was recorded, and where; `title` is empty for a finding that only `check` can have."""

    fingerprint: str
    title: str
    path: Path


def acknowledge(
    base: KnowledgeFolder, fingerprint: str, status: str, reason: str, register: Path | None
) -> Acknowledged:
    """Adds an entry to the register, for the finding whose fingerprint begins so.

    What `check` finds isn't kept, so a whole fingerprint is recorded as given. Raises SourceUnknown for less of one that no
    finding of the audit has, or several, QuestionInvalid for an empty reason, DomainInvalid for a known entry.
    """
    if not is_fingerprint(fingerprint):
        hint = f"`chipwise audit` prints it below each finding; its first {PREFIX} characters are enough"
        raise SourceUnknown(f"{fingerprint!r} is not a fingerprint", hint=hint)
    if not one_line(reason):
        raise QuestionInvalid("the reason is empty", hint="say why in a sentence")
    finding = _find(base, fingerprint)
    if finding is None and not (len(fingerprint) == LENGTH and _DIGITS.issuperset(fingerprint)):
        hint = f"`chipwise audit --all` lists them; of a finding of `check`, give all {LENGTH} characters"
        raise SourceUnknown(f"no finding of the audit has the fingerprint {fingerprint}", hint=hint)
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
    if len(found) > 1 and fingerprint not in found:
        names = ", ".join(sorted(found)[:5])
        raise SourceUnknown(f"{len(found)} findings begin with {fingerprint}: {names}", hint="give more characters")
    return found.get(fingerprint) or next(iter(found.values()), None)
