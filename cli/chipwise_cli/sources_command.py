"""`chipwise sources`."""

from __future__ import annotations

import click

from chipwise.errors import SourceUnknown
from chipwise.text import counted, one_line, plain
from chipwise_cli.display import json_option, kb_option, knowledge_base, open_index, print_json


@click.command(epilog="Example: chipwise sources google-tpu-v5p-docs")
@click.argument("source", required=False)
@json_option
@kb_option
def command(source: str | None, as_json: bool, kb: str | None) -> None:
    """List the sources, or tell all of one."""
    with open_index(knowledge_base(kb)) as index:
        names = index.store.source_ids() if source is None else [plain(source)]
        rows = [(index.store.find_source(name), index.store.count_passages(name)) for name in names]
    known = [(info, count) for info, count in rows if info is not None]
    if source is not None and not known:
        raise SourceUnknown(f"there is no source {source!r}", hint="`chipwise sources` lists them")
    if as_json:
        from chipwise.report import SOURCES_SCHEMA, source_value  # noqa: PLC0415

        print_json({"schema": SOURCES_SCHEMA, "sources": [source_value(i, n) for i, n in known]})
    elif source is not None:
        info, count = known[0]
        for name in ("id", "title", "publisher", "author", "published", "kind", "origin", "verified"):
            if getattr(info, name):
                click.echo(f"{name:<10} {one_line(getattr(info, name))}")
        if info.lineage:
            click.echo(f"repeats    {one_line(', '.join(info.lineage))}")
        click.echo(f"passages   {count}")
    else:
        width = max((len(info.id) for info, _ in known), default=0)
        for info, count in known:
            by = ", ".join(filter(None, (info.publisher, info.published or "undated")))
            click.echo(f"{one_line(info.id):<{width}}  {count:>4}  {one_line(f'{info.title} ({by})')}")
        passages = sum(count for _, count in known)
        click.echo(f"{counted(len(known), 'source')}, {counted(passages, 'passage')}")
