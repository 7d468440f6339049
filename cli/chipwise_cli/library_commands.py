"""The documents of the knowledge base: `chipwise add`, `search`, `show` and `sources`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from chipwise.errors import SourceUnknown
from chipwise.text import counted, one_line, plain
from chipwise_cli.display import (
    Found,
    complain,
    kb_option,
    knowledge_base,
    on_base,
    opened,
    remark,
    standard_input,
    wrapped,
)

if TYPE_CHECKING:
    from chipwise import KnowledgeBase
    from chipwise.results import Hit, Passage, SourceInfo


@click.command(epilog="Example: chipwise add datasheet.pdf notes/")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--name", metavar="NAME", default="stdin.md", show_default=True, help="Name and format of standard input."
)
@kb_option
def add(files: tuple[str, ...], name: str, kb: str | None) -> None:
    """Add documents to the knowledge base.

    FILE is Markdown, text, HTML, PDF, DOCX, data or code, a folder of such files, or - for standard input. A file that
    was added before is updated. Exit code 2 means that some files could not be read; the others are added.
    """
    base = knowledge_base(kb)
    reports = [base.add_stream(standard_input().buffer, name)] if "-" in files else []
    reports.append(base.add(*(file for file in files if file != "-")))
    added = [source for report in reports for source in report.added]
    sources = [*added, *(source for report in reports for source in report.replaced)]
    errors = [error for report in reports for _, error in report.refused]
    for error in errors:
        complain(str(error), error.hint)
    if sources:
        with opened(base):
            indexed = {info.id for info in base.sources()}
            counts = {source: base.count_passages(source) for source in sources}
        for source, count in counts.items():
            passages = counted(count, "passage") if source in indexed else "not indexed yet"
            click.echo(f"{'added' if source in added else 'updated'} {source}: {passages}")
    if errors:
        click.get_current_context().exit(2)


@click.command(epilog='Example: chipwise search "optical circuit switch" -k 3')
@click.argument("text", nargs=-1, required=True)
@click.option(
    "-k", "-n", "count", metavar="N", type=click.IntRange(1, 200), default=10, help="Passages, 10 by default."
)
@on_base
def search(base: KnowledgeBase, text: tuple[str, ...], count: int) -> Found:
    """List the best matching passages, without an answer.

    Scores rank the passages of one search, 1 for the best. They can't be compared across searches, and don't say whether
    the best passage is relevant.
    """
    query = " ".join(text)
    hits = base.search(query, count)
    value = {"schema": "chipwise.search/1", "query": query, "passages": [base.as_json(hit) for hit in hits]}
    return value, lambda: _print_hits(hits), bool(hits)


def _print_hits(hits: Sequence[Hit]) -> None:
    for hit in hits:
        passage = hit.stored.passage
        role = "" if passage.role.speaks_for_the_source else f"  ({passage.role.value})"
        heading = f"  {one_line(' > '.join(passage.heading))}" if passage.heading else ""
        click.echo(f"{hit.score:.3f}  {click.style(one_line(passage.id), bold=True)}{heading}{role}")
        click.echo(wrapped(one_line(passage.text), "       "))
    if not hits:
        click.echo("No passage matches.")


@click.command(epilog="Example: chipwise show google-tpu-v5p-docs#3")
@click.argument("passage")
@click.option(
    "-C", "around", metavar="N", type=click.IntRange(0, 50), default=1, help="Passages on either side, 1 by default."
)
@kb_option
def show(passage: str, around: int, kb: str | None) -> None:
    """Print a passage in its context.

    PASSAGE is SOURCE#NUMBER as `ask` and `search` print it, or SOURCE alone for its whole text. Digests that only the
    facts table cites can be shown as well.
    """
    source, _, number = plain(passage).partition("#")
    with opened(knowledge_base(kb)) as base:
        info = base.find_source(source)
        text = "" if number else base.source_text(source)
        passages = base.passages(source)
    if not number:
        if info is None:
            remark(f"{source} is not a source in this knowledge base: the shipped facts table cites it")
        click.echo(plain(text))
        return
    if info is None:
        raise SourceUnknown(f"there is no source {source!r}", hint="`chipwise sources` lists them")
    found = [p for p in passages if str(p.ordinal) == number]
    if not found:
        hint = f"its passages are 1 to {len(passages)}" if passages else f"it has none; see `chipwise show {source}`"
        raise SourceUnknown(f"{source} has no passage {number!r}", hint=hint)
    click.echo(f"{one_line(info.title)}  {one_line(info.origin)}")
    for shown in passages:
        if abs(shown.ordinal - found[0].ordinal) <= around:
            mark = ">" if shown.ordinal == found[0].ordinal else " "
            where = f"page {shown.page}" if shown.page else f"line {shown.line}"
            heading = " > ".join(shown.heading) or "(no heading)"
            click.echo(f"\n{one_line(shown.id)}  {one_line(heading)}  {where}, {shown.role.value}")
            for line in plain(_below_its_header(shown)).splitlines():
                click.echo(f"{mark} {line}")


def _below_its_header(passage: Passage) -> str:
    """The text; a later part of a table, which does not itself start with the header, has that above it."""
    starts_with_it = one_line(passage.text).startswith(one_line(passage.context))
    return passage.text if starts_with_it else f"{passage.context}\n{passage.text}"


@click.command(epilog="Example: chipwise sources google-tpu-v5p-docs")
@click.argument("source", required=False)
@on_base
def sources(base: KnowledgeBase, source: str | None) -> Found:
    """List the sources, or show one in detail."""
    found = base.sources() if source is None else [base.find_source(plain(source))]
    known = [(info, base.count_passages(info.id)) for info in found if info is not None]
    if source is not None and not known:
        raise SourceUnknown(f"there is no source {source!r}", hint="`chipwise sources` lists them")
    values = [{**base.as_json(info), "passages": count} for info, count in known]
    show = (lambda: _print_sources(known)) if source is None else (lambda: _print_source(*known[0]))
    return {"schema": "chipwise.sources/1", "sources": values}, show, True


def _print_source(info: SourceInfo, passages: int) -> None:
    for name in ("id", "title", "publisher", "author", "published", "kind", "origin", "verified"):
        if getattr(info, name):
            click.echo(f"{name:<10} {one_line(getattr(info, name))}")
    if info.lineage:
        click.echo(f"repeats    {one_line(', '.join(info.lineage))}")
    click.echo(f"passages   {passages}")


def _print_sources(known: Sequence[tuple[SourceInfo, int]]) -> None:
    width = max((len(info.id) for info, _ in known), default=0)
    for info, count in known:
        by = ", ".join(filter(None, (info.publisher, info.published or "undated")))
        click.echo(f"{one_line(info.id):<{width}}  {count:>4}  {one_line(f'{info.title} ({by})')}")
    passages = sum(count for _, count in known)
    click.echo(f"{counted(len(known), 'source')}, {counted(passages, 'passage')}")
