"""`chipwise remove`."""

from __future__ import annotations

import click

from chipwise.building.documents import remove_sources
from chipwise_cli.display import kb_option, knowledge_base, open_index


@click.command(epilog="Example: chipwise remove my-notes")
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...")
@kb_option
def command(sources: tuple[str, ...], kb: str | None) -> None:
    """Take added documents out.

    SOURCE is an id as `chipwise sources` lists it, or the path that was added.
    """
    base = knowledge_base(kb)
    removed = remove_sources(base, sources)
    with open_index(base):
        pass  # what is left is indexed, and what could not be is told
    for document in removed:
        click.echo(f"removed {document.id}")
