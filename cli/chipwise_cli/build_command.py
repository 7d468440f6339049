"""`chipwise build`."""

from __future__ import annotations

import click

from chipwise_cli.display import kb_option, knowledge_base, progress, remark
from chipwise_cli.text import counted


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
    with progress() as report:
        result = knowledge_base(kb).build(report, fresh=fresh, model=model)
    for name, error in result.unreadable:
        remark(f"left out {name}: {error}")
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
