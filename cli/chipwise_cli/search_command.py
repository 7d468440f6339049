"""`chipwise search`."""

from __future__ import annotations

import click

from chipwise_cli.display import json_option, kb_option, knowledge_base, opened, print_json, wrapped
from chipwise_cli.text import one_line


@click.command(epilog='Example: chipwise search "optical circuit switch" -k 3')
@click.argument("text", nargs=-1, required=True)
@click.option(
    "-k", "count", metavar="N", type=click.IntRange(1, 200), default=10, show_default=True, help="How many passages."
)
@json_option
@kb_option
def command(text: tuple[str, ...], count: int, as_json: bool, kb: str | None) -> None:
    """List the passages that match best, without an answer.

    Scores order the passages of one search, 1 for the best. They say nothing
    across searches, nor whether the best one is relevant.
    """
    query = " ".join(text)
    with opened(knowledge_base(kb)) as base:
        hits = base.search(query, count)
        found = [base.as_json(hit) for hit in hits if as_json]
    if as_json:
        print_json({"schema": "chipwise.search/1", "query": query, "passages": found})
        return
    for hit in hits:
        passage = hit.stored.passage
        role = "" if passage.role.speaks_for_the_source else f"  ({passage.role.value})"
        heading = f"  {one_line(' > '.join(passage.heading))}" if passage.heading else ""
        click.echo(f"{hit.score:.3f}  {click.style(one_line(passage.id), bold=True)}{heading}{role}")
        click.echo(wrapped(one_line(passage.text), "       "))
    if not hits:
        click.echo("No passage matches.")
        click.get_current_context().exit(1)
