"""`chipwise report`."""

from __future__ import annotations

from pathlib import Path

import click

from chipwise_cli.audit_output import register_option, report_unmatched
from chipwise_cli.display import kb_option, knowledge_base, opened
from chipwise_cli.files import written_file

_SUFFIXES = (".html", ".htm")


@click.command(epilog="Example: chipwise report --chips h100-sxm,mi300x report.html")
@click.argument("file", metavar="FILE.html", callback=written_file(*_SUFFIXES))
@click.option(
    "--chips", metavar="A,B,...", default="", help="Chips in the plots; by default those that most sources write about."
)
@register_option
@click.option("--open", "opens", is_flag=True, help="Show the page in a browser.")
@kb_option
def command(file: Path, chips: str, register: Path | None, opens: bool, kb: str | None) -> None:
    """Write findings, plots and sources as one HTML page.

    The page needs nothing from elsewhere and runs no script. It takes as long as an audit.
    """
    named = [name for name in (part.strip() for part in chips.split(",")) if name]
    with opened(knowledge_base(kb)) as base:
        report = base.report(*named, register=register)
    report_unmatched(report.audit)
    base.save(report, file)
    click.echo(f"wrote {file}")
    if opens:
        import webbrowser  # noqa: PLC0415

        webbrowser.open(file.resolve().as_uri())
