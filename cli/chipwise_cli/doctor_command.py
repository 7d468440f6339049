"""`chipwise doctor`."""

from __future__ import annotations

import platform

import click

from chipwise import __version__
from chipwise_cli.display import json_option, kb_option, knowledge_base, print_json
from chipwise_cli.text import one_line


@click.command(epilog="Example: chipwise doctor")
@json_option
@kb_option
def command(as_json: bool, kb: str | None) -> None:
    """Find what is broken, and how to mend it.

    Exit code 1 means that something was found. With --json it also tells the versions, for a bug report.
    """
    ailments = knowledge_base(kb).examine()
    if as_json:
        found = [{"what": each.what, "mend": each.mend} for each in ailments]
        system = {"chipwise": __version__, "python": platform.python_version(), "platform": platform.platform()}
        print_json({"schema": "chipwise.doctor/1", **system, "found": found})
    for ailment in () if as_json else ailments:
        click.echo(f"{click.style('found:', fg='yellow', bold=True)} {one_line(ailment.what)}")
        click.echo(f"  mend: {one_line(ailment.mend)}")
    if ailments:
        click.get_current_context().exit(1)
    if not as_json:
        click.echo("Everything is in order.")
