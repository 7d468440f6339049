"""`chipwise acknowledge`."""

from __future__ import annotations

from pathlib import Path

import click

from chipwise_cli.audit_output import register_option
from chipwise_cli.display import kb_option, knowledge_base, remark
from chipwise_cli.summary import STATUSES
from chipwise_cli.text import one_line


@click.command(epilog='Example: chipwise acknowledge 3f2a91c04bd1 --as accepted --reason "an older edition"')
@click.argument("fingerprint")
@click.option(
    "--as",
    "status",
    type=click.Choice(STATUSES),
    required=True,
    help="confirmed: a real contradiction; explained: both sides hold; accepted: known, and left as it is.",
)
@click.option("--reason", required=True, help="Why, for whoever reads the register.")
@register_option
@kb_option
def command(fingerprint: str, status: str, reason: str, register: Path | None, kb: str | None) -> None:
    """Record a judgement on a finding; it no longer fails a run.

    FINGERPRINT is what `audit` and `check` print below the finding; its first six characters are enough. It takes as
    long as an audit. To take an entry back, remove it from the register.
    """
    done = knowledge_base(kb).acknowledge(fingerprint, status, reason, register)
    if not done.title:
        remark(f"no finding of the audit has the fingerprint {fingerprint}; recorded as given, for `check`")
    click.echo(one_line(f"{status}: {done.title or done.fingerprint}"))
    click.echo(f"  in {one_line(str(done.path))}")
