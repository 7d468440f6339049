"""`chipwise acknowledge`."""

from __future__ import annotations

from contextlib import nullcontext
from datetime import UTC, datetime
from pathlib import Path

import click

from chipwise.audit.register import NAME, PREFIX, STATUSES, Entry, add_entry, is_fingerprint
from chipwise.errors import QuestionInvalid, SourceUnknown
from chipwise.knowledge import KnowledgeBase
from chipwise.text import one_line
from chipwise.types import Finding
from chipwise_cli.audit_output import register_option
from chipwise_cli.display import kb_option, knowledge_base, remark


@click.command(epilog='Example: chipwise acknowledge 3f2a91c04bd1 --as accepted --reason "an older edition"')
@click.argument("fingerprint")
@click.option(
    "--as",
    "status",
    type=click.Choice(STATUSES),
    required=True,
    help="confirmed: a real contradiction; explained: none; accepted: one that we live with.",
)
@click.option("--reason", required=True, help="Why, for whoever reads the register.")
@register_option
@kb_option
def command(fingerprint: str, status: str, reason: str, register: Path | None, kb: str | None) -> None:
    """Mark a finding as looked at: it no longer fails a run.

    FINGERPRINT is what `audit` and `check` print below the finding; its first
    six characters are enough. To take an entry back, remove it from the register.
    """
    if not is_fingerprint(fingerprint):
        hint = f"`chipwise audit` prints it below each finding; its first {PREFIX} characters are enough"
        raise SourceUnknown(f"{fingerprint!r} is no fingerprint", hint=hint)
    if not one_line(reason):
        raise QuestionInvalid("the reason is empty", hint="say why in a sentence")
    base = knowledge_base(kb)
    finding = _find(base, fingerprint)
    if finding is None:
        remark(f"no finding of the audit has the fingerprint {fingerprint}; it is recorded as given")
    full, title = (fingerprint, "") if finding is None else (finding.fingerprint, f"{finding.code} {finding.title}")
    path = register or base.folder / NAME
    today = datetime.now(UTC).astimezone().date().isoformat()
    # a register elsewhere is under somebody's version control, which tells of two that edit it
    with nullcontext() if register else base.editing():
        add_entry(path, Entry(full, status, reason, today), title)
    click.echo(one_line(f"{status}: {title or full}"))
    click.echo(f"  in {one_line(str(path))}")


def _find(base: KnowledgeBase, fingerprint: str) -> Finding | None:
    """The finding of the audit whose fingerprint begins so. Raises SourceUnknown when several do."""
    from chipwise.audit.auditing import run_audit  # noqa: PLC0415

    audit = run_audit(base, source="", subject="", metric="", nli="", everything=True)
    found = {f.fingerprint: f for f in audit.findings if f.fingerprint.startswith(fingerprint)}
    if fingerprint in found:
        return found[fingerprint]
    if len(found) > 1:
        names = ", ".join(sorted(found)[:5])
        raise SourceUnknown(f"{len(found)} findings begin with {fingerprint}: {names}", hint="give more of it")
    return next(iter(found.values()), None)
