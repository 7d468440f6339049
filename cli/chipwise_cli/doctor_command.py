"""`chipwise doctor`."""

from __future__ import annotations

import click

from chipwise_cli.display import kb_option, knowledge_base
from chipwise_cli.text import one_line


@click.command(epilog="Example: chipwise doctor")
@kb_option
def command(kb: str | None) -> None:
    """Find what is broken, and how to mend it.

    Exit code 1 means that something was found.
    """
    ailments = knowledge_base(kb).examine()
    for ailment in ailments:
        click.echo(f"{click.style('found:', fg='yellow', bold=True)} {one_line(ailment.what)}")
        click.echo(f"  mend: {one_line(ailment.mend)}")
    if ailments:
        click.get_current_context().exit(1)
    click.echo("Everything is in order.")
