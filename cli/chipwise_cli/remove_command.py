"""`chipwise remove`."""

from __future__ import annotations

import click

from chipwise_cli.display import kb_option, knowledge_base, opened


@click.command(epilog="Example: chipwise remove my-notes")
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...")
@kb_option
def command(sources: tuple[str, ...], kb: str | None) -> None:
    """Remove documents that were added.

    SOURCE is an id as `chipwise sources` lists it, or the path that was added.
    """
    base = knowledge_base(kb)
    removed = base.remove(*sources)
    with opened(base):
        pass  # what is left is indexed, and what could not be is told
    for document in removed:
        click.echo(f"removed {document.id}")
