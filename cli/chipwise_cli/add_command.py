"""`chipwise add`."""

from __future__ import annotations

import click

from chipwise.text import counted
from chipwise_cli.display import complain, kb_option, knowledge_base, opened, standard_input


@click.command(epilog="Example: chipwise add datasheet.pdf notes/")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--name", default="stdin.md", show_default=True, help="Of standard input; its suffix tells the format.")
@kb_option
def command(files: tuple[str, ...], name: str, kb: str | None) -> None:
    """Add documents to the knowledge base.

    FILE is Markdown, text, HTML, PDF, DOCX, data or code, a folder of such files, or - for standard input. A file added before is
    read again if it changed. Exit code 2 means that some file could not be read; the others are added.
    """
    base = knowledge_base(kb)
    added: list[str] = []
    replaced: list[str] = []
    refused = False
    reports = [base.add_stream(standard_input().buffer, name)] if "-" in files else []
    for report in [*reports, base.add(*(file for file in files if file != "-"))]:
        added += report.added
        replaced += report.replaced
        for _, error in report.refused:
            complain(str(error), error.hint)
            refused = True
    if added or replaced:
        with opened(base):
            indexed = {info.id for info in base.sources()}
            counts = {source: base.count_passages(source) for source in (*added, *replaced)}
        for source, count in counts.items():
            passages = counted(count, "passage") if source in indexed else "not indexed yet"
            click.echo(f"{'added' if source in added else 'updated'} {source}: {passages}")
    if refused:
        click.get_current_context().exit(2)
