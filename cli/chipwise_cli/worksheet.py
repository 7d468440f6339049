"""A worksheet on a terminal: lines of arithmetic, a table of chips, what is missing, assumed and cited."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from chipwise_cli.display import knowledge_base, opened, print_json, wrapped
from chipwise_cli.tables import table
from chipwise_cli.text import one_line

if TYPE_CHECKING:
    from chipwise import KnowledgeBase
    from chipwise.results import Fit, Worksheet


def show_worksheet(kb: str | None, work_out: Callable[[KnowledgeBase], Worksheet], *, as_json: bool) -> None:
    """Prints what a knowledge base works out; exit code 1 where something that was asked for does not follow."""
    with opened(knowledge_base(kb)) as base:
        found = work_out(base)
        if as_json:
            print_json(base.as_json(found))
        else:
            _print(found)
    if not found.follows:
        click.get_current_context().exit(1)


def _print(found: Worksheet) -> None:
    """All of it; a number in brackets stands for one of the quotes at the end."""
    click.echo(click.style(wrapped(one_line(found.title)), bold=True))
    for line in found.answers:
        click.echo(wrapped(one_line(f"{line.name}: {line.text}"), "    ", first="  "))
    if found.answers:
        click.echo(f"\n{click.style('Arithmetic', bold=True)}")
    for line in found.lines:
        click.echo(wrapped(one_line(line.says), "    ", first="  "))
    if found.fits:
        click.echo(f"\n{click.style('Chips needed', bold=True)}\n{_fits(found.fits)}")
    for heading, lines in (("Missing", found.missing), ("To know", found.notes), ("Assumed", found.assumptions)):
        if lines:
            click.echo(f"\n{click.style(heading, bold=True)}")
        for text in lines:
            click.echo(wrapped(one_line(text), "  ", first="- "))
    if found.references:
        click.echo()
    for reference in found.references:
        cited = reference.citation
        where = ", ".join(filter(None, (cited.publisher, cited.title, cited.published)))
        said = f'"{cited.quote}"' if cited.quote else cited.origin
        text = one_line(f"{reference.source}:{cited.line}: {where}: {said}")
        click.echo(click.style(wrapped(text, " " * 5, first=f"{f'[{reference.n}]':<4} "), dim=True))


def _fits(fits: tuple[Fit, ...]) -> str:
    """A row for each chip, a column for each thing that is to fit."""
    of = list(dict.fromkeys(fit.of for fit in fits))
    rows: dict[str, list[str]] = {}
    for fit in fits:
        rows.setdefault(fit.chip, [fit.name, fit.memory]).append(_count(fit))
    header = ["chip", "memory", *of]
    whole = [[one_line(cell) for cell in row] for row in rows.values()]
    return table(header, whole) or "\n".join("  ".join(row) for row in [header, *whole])


def _count(fit: Fit) -> str:
    """ "3, so 4"; "from 2" where no number of them does without dividing all of it."""
    pairs = (fit.least, fit.offered)
    least, offered = (f"from {a:,}" if b is None else f"{a:,}" if a == b else f"{a:,} to {b:,}" for a, b in pairs)
    return least if least == offered else f"{least}, so {offered}"
