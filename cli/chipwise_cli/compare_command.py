"""`chipwise compare`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from chipwise.text import counted, one_line
from chipwise_cli.ask_command import answered
from chipwise_cli.display import Found, on_base, wrapped
from chipwise_cli.tables import form_option, print_rows, source_line, table

if TYPE_CHECKING:
    from chipwise import Fact, KnowledgeBase
    from chipwise.results import Comparison


@click.command(epilog='Example: chipwise compare "h100 sxm" h200 --metric "memory bandwidth"')
@click.argument("subjects", nargs=-1, required=True, metavar="SUBJECT...")
@click.option("--metric", "metrics", multiple=True, metavar="NAME", help="Only by this metric; may be repeated.")
@click.option("--dtype", metavar="NAME", default="", help="Compare only in this number format, such as bf16.")
@click.option("--all", "singles", is_flag=True, help="Keep rows in which only one chip has a figure.")
@click.option("--on", metavar="MODEL", default="", help="Compare measurements on this model instead.")
@form_option
@on_base
def command(
    base: KnowledgeBase,
    subjects: tuple[str, ...],
    metrics: tuple[str, ...],
    dtype: str,
    singles: bool,
    on: str,
    form: str,
) -> Found:
    """Compare chips like for like, in a table.

    SUBJECT is a chip or a system; give two or more, and quote names of several words. Each row holds figures of one
    kind: never dense beside sparse, or a chip beside a node. Exit code 1 means that nothing can be compared.
    """
    if on:
        return answered(base, f"{' vs '.join(subjects)} on {on}: throughput")
    found = base.compare(*subjects, metrics=metrics, dtype=dtype, singles=singles)
    return found, lambda: _print(base, found, form), not found.empty


def _print(base: KnowledgeBase, found: Comparison, form: str) -> None:
    if not found.rows:
        click.echo("nothing to compare: no metric has comparable figures for two of them")
        return
    sources: dict[str, Fact] = {}
    for row in found.rows:
        sources |= {f.claim.source: f for f in row.facts if f is not None and f.claim.source not in sources}
    numbers = {source: str(n) if form == "text" else source for n, source in enumerate(sources, start=1)}
    two = len(found.subjects) == 2  # noqa: PLR2004
    rows = []
    for row in found.rows:
        pairs = zip(row.facts, row.numbers, strict=True)
        cells = ["-" if f is None else f"{n} [{numbers[f.claim.source]}:{f.citation.line}]" for f, n in pairs]
        of = f" ({row.words})" if row.words else ""
        label = f"{base.name(row.metric)}{of}{f', {row.unit}' if row.unit else ''}"
        rows.append([*map(one_line, (label, *cells, *([_ratio(row.ratio)] if two else [])))])
    header = ["", *(one_line(base.name(s)) for s in found.subjects), *(["ratio"] if two else [])]
    if form != "text":
        print_rows(["figure", *header[1:]], rows, form)
        return
    click.echo(table(header, rows))
    _print_notes(base, found)
    click.echo("\nSources, in brackets with the line:")
    for source, number in numbers.items():
        click.echo(click.style(wrapped(source_line(sources[source]), " " * 5, first=f"{f'[{number}]':<4} "), dim=True))


def _ratio(value: float | None) -> str:
    return "" if value is None else f"{value:,.0f}x" if value >= 100 else f"{value:.3g}x"  # noqa: PLR2004


def _print_notes(base: KnowledgeBase, found: Comparison) -> None:
    notes = list(found.notes)
    for row in found.rows:
        kind = row.words.split(", ")[0]
        about = f"{base.name(row.metric)}{f', {kind}' if kind else ''}"
        notes += [f"{base.name(note.subject)}: {about}: {note.text}" for note in row.notes]
    if found.single:
        notes.append(f"{counted(found.single, 'row')} with a figure for only one of them; --all shows them")
    if notes:
        click.echo()
    for line in dict.fromkeys(notes):
        click.echo(wrapped(one_line(line), "  ", first="- "))
