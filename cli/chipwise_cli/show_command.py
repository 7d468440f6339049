"""`chipwise show`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from chipwise.errors import SourceUnknown
from chipwise_cli.display import kb_option, knowledge_base, opened, remark
from chipwise_cli.text import one_line, plain

if TYPE_CHECKING:
    from chipwise.results import Passage


@click.command(epilog="Example: chipwise show google-tpu-v5p-docs#3")
@click.argument("passage")
@click.option(
    "-C",
    "around",
    metavar="N",
    type=click.IntRange(0, 50),
    default=1,
    show_default=True,
    help="How many passages to show before and after.",
)
@kb_option
def command(passage: str, around: int, kb: str | None) -> None:
    """Print a passage in its context.

    PASSAGE is SOURCE#NUMBER as `ask` and `search` print it, or SOURCE alone for the whole text that was read; a
    digest that only the facts table cites can be shown as well.
    """
    source, _, number = plain(passage).partition("#")
    with opened(knowledge_base(kb)) as base:
        info = base.find_source(source)
        text = "" if number else base.source_text(source)
        passages = base.passages(source)
    if not number:
        if info is None:
            remark(f"{source} is no source of this knowledge base: the shipped facts table cites it")
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
