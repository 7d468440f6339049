"""`chipwise build`."""

from __future__ import annotations

from dataclasses import replace

import click

from chipwise.building.building import build
from chipwise.models import find_model
from chipwise.text import counted
from chipwise_cli.display import kb_option, knowledge_base, progress, report_unreadable


@click.command(epilog="Example: chipwise build --fresh")
@click.option("--fresh", is_flag=True, help="Read and embed everything again.")
@click.option(
    "--model", metavar="NAME", help="Change to another sentence-transformers model: a folder or an installed package."
)
@kb_option
def command(fresh: bool, model: str | None, kb: str | None) -> None:
    """Build the index, or bring it up to date.

    `ask` and the others do this by themselves when something changed.
    """
    base = knowledge_base(kb)
    if model is not None:
        found = find_model(model)
        with base.editing() as contents:
            base.write_contents(replace(contents, model=found.name))
    with progress() as report:
        result = build(base, report, fresh=fresh)
    report_unreadable(result.unreadable)
    if result.nothing_changed:
        click.echo(f"Nothing changed: {counted(result.passages, 'passage')}.")
        return
    did = ", ".join(
        f"{len(names)} {what}"
        for names, what in ((result.added, "added"), (result.changed, "changed"), (result.removed, "removed"))
        if names
    )
    counts = f"{counted(result.passages, 'passage')}, {result.embedded:,} of them embedded"
    click.echo(f"{'; '.join(filter(None, (did, counts)))}.")
