"""`chipwise sources`."""

from __future__ import annotations

import click

from chipwise.errors import SourceUnknown
from chipwise_cli.display import json_option, kb_option, knowledge_base, opened, print_json
from chipwise_cli.text import counted, one_line, plain


@click.command(epilog="Example: chipwise sources google-tpu-v5p-docs")
@click.argument("source", required=False)
@json_option
@kb_option
def command(source: str | None, as_json: bool, kb: str | None) -> None:
    """List the sources, or show all about one."""
    with opened(knowledge_base(kb)) as base:
        found = base.sources() if source is None else [base.find_source(plain(source))]
        known = [(info, base.count_passages(info.id)) for info in found if info is not None]
        values = [{**base.as_json(info), "passages": count} for info, count in known if as_json]
    if source is not None and not known:
        raise SourceUnknown(f"there is no source {source!r}", hint="`chipwise sources` lists them")
    if as_json:
        print_json({"schema": "chipwise.sources/1", "sources": values})
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
