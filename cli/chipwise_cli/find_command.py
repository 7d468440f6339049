"""`chipwise find`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from chipwise.text import counted, one_line
from chipwise_cli.display import Found, on_base, wrapped
from chipwise_cli.tables import cited

if TYPE_CHECKING:
    from chipwise import KnowledgeBase
    from chipwise.results import Echo, Match, Trace

_SHOWN = 10  # of each kind, without --all
_SOURCES = 6  # ids in a line
_NEGATIVE = re.compile(r"-[\d.]")


@click.command(
    context_settings={"ignore_unknown_options": True},  # "-5" is a number
    epilog='Example: chipwise find "1979 TFLOPS"',
)
@click.argument("number", nargs=-1, required=True)
@click.option("--all", "everything", is_flag=True, help=f"List everything, not the first {_SHOWN} of each kind.")
@on_base
def command(base: KnowledgeBase, number: tuple[str, ...], everything: bool) -> Found:
    """Look up what a number could be.

    NUMBER may have a unit: `find 1979`, `find 95 GiB`. Facts that state it come first, then facts that give it by known
    arithmetic (2:4 sparsity, both directions, bits, a node's chips), then what documents say. Exit code 1 means that
    nothing matches.
    """
    for word in number:
        if word.startswith("-") and not _NEGATIVE.match(word):
            raise click.NoSuchOption(word)
    found = base.find(" ".join(number))
    limit = len(found.stated) + len(found.derived) + len(found.echoes) if everything else _SHOWN
    return found, lambda: _print(base, found, limit), not found.empty


def _print(base: KnowledgeBase, found: Trace, limit: int) -> None:
    if found.empty:
        click.echo(f"no known figure is {found.number.text}")
        return
    parts = (
        ("Facts", [_stated(base, m) for m in found.stated]),
        ("By arithmetic", [_derived(base, m) for m in found.derived]),
        ("In documents", [_said(base, e) for e in found.echoes]),
    )
    for number, (title, entries) in enumerate(part for part in parts if part[1]):
        click.echo(("\n" if number else "") + click.style(title, bold=True))
        _print_entries(entries, limit)


def _print_entries(entries: Sequence[tuple[str, str]], limit: int) -> None:
    for text, place in entries[:limit]:
        click.echo(wrapped(one_line(text), "    ", first="  "))
        if place:
            click.echo(click.style(wrapped(one_line(place), "    "), dim=True))
    if len(entries) > limit:
        click.echo(f"  and {len(entries) - limit} more; --all lists them")


def _about(base: KnowledgeBase, match: Match) -> str:
    claim, words = match.fact.claim, base.in_words(match.fact.claim)
    return f"{base.name(claim.subject)}, {base.name(claim.metric)}{f' ({words})' if words else ''}"


def _stated(base: KnowledgeBase, match: Match) -> tuple[str, str]:
    value = " ".join(filter(None, (base.value_text(match.fact), match.arithmetic)))
    beside = f"; {match.beside}" if match.beside else ""
    deprecated = f". Deprecated: {match.fact.reason}" if match.fact.rank == "deprecated" else ""
    return f"{value}: {_about(base, match)}{beside}{deprecated}", cited(match.fact)


def _derived(base: KnowledgeBase, match: Match) -> tuple[str, str]:
    return f"{_about(base, match)}, {match.arithmetic}", cited(match.fact)


def _said(base: KnowledgeBase, echo: Echo) -> tuple[str, str]:
    about = f"{base.name(echo.subject)}, " if echo.subject else ""
    metric = base.name(echo.metric) + ("" if echo.subject else " of no chip in particular")
    more = len(echo.sources) - _SOURCES
    sources = ", ".join(echo.sources[:_SOURCES]) + (f" and {more} more" if more > 0 else "")
    return f"{about}{metric}: {counted(echo.claims, 'claim')} in {sources}", ""
