"""`chipwise add`."""

from __future__ import annotations

from pathlib import Path

import click

from chipwise.building.documents import AddReport, add_files, add_text
from chipwise.knowledge import KnowledgeBase
from chipwise.reading import MAX_BYTES
from chipwise.text import counted
from chipwise_cli.display import complain, kb_option, knowledge_base, open_index, standard_input


@click.command(epilog="Example: chipwise add datasheet.pdf notes/")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--name",
    default="stdin.md",
    show_default=True,
    help="The name of what standard input holds; its suffix tells the format.",
)
@kb_option
def command(files: tuple[str, ...], name: str, kb: str | None) -> None:
    """Add documents to the knowledge base.

    FILE is Markdown, text, HTML, PDF or DOCX, a folder of such files, or - for
    standard input. A file added before is read again if it changed. Exit code
    2 means that some file could not be read; the others are added.
    """
    base = knowledge_base(kb)
    added: list[str] = []
    replaced: list[str] = []
    refused = False
    for report in _reports(base, files, name):
        added += report.added
        replaced += report.replaced
        for _, error in report.refused:
            complain(str(error), error.hint)
            refused = True
    if added or replaced:
        with open_index(base) as index:
            indexed = set(index.store.source_ids())
            counts = {source: index.store.count_passages(source) for source in (*added, *replaced)}
        for source, count in counts.items():
            passages = counted(count, "passage") if source in indexed else "not indexed yet"
            click.echo(f"{'added' if source in added else 'updated'} {source}: {passages}")
    if refused:
        click.get_current_context().exit(2)


def _reports(base: KnowledgeBase, files: tuple[str, ...], name: str) -> list[AddReport]:
    reports = []
    if "-" in files:
        reports.append(add_text(base, standard_input().buffer.read(MAX_BYTES + 1), name))
    reports.append(add_files(base, [Path(file) for file in files if file != "-"]))
    return reports
