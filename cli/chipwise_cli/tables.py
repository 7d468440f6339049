"""Facts and tables on a terminal: columns that fit its width, and sources numbered under them."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest
from typing import Any, TypeVar

import click

from chipwise import Fact
from chipwise.text import one_line
from chipwise_cli.display import width, wrapped

Command = TypeVar("Command", bound=Callable[..., Any])

_GAP = "  "
_FEWEST = 16  # characters that a column of words needs to read well
_WIDEST = 24  # characters that a figure may take and still stand beside words


def cited(fact: Fact) -> str:
    """Where a fact's quote stands: "stas00-accelerators:41"."""
    return one_line(f"{fact.claim.source}:{fact.citation.line}")


def source_line(fact: Fact) -> str:
    """A citation for a list of sources: its id, then who published it and when."""
    c = fact.citation
    return one_line(f"{fact.claim.source}: {', '.join(filter(None, (c.publisher, c.title, c.published)))}")


def form_option(command: Command) -> Command:
    """`--format` of a command that prints rows."""
    kinds = click.Choice(["text", "csv", "markdown"])
    option = click.option("--format", "form", type=kinds, default="text", show_default=True, help="Output format.")
    return option(command)


def print_rows(header: Sequence[str], rows: Sequence[Sequence[str]], form: str) -> None:
    """Rows as CSV or as a Markdown table."""
    if form == "markdown":
        from chipwise_cli.audit_formats import escaped  # noqa: PLC0415

        lines = [header, ["---"] * len(header), *([escaped(one_line(cell)) for cell in row] for row in rows)]
        click.echo("\n".join(f"| {' | '.join(line)} |" for line in lines))
        return
    import csv  # noqa: PLC0415
    import io  # noqa: PLC0415

    text = io.StringIO()
    # a spreadsheet takes what begins so for a formula
    safe = ([f"'{cell}" if cell[:1] in ("=", "+", "@") else cell for cell in map(one_line, row)] for row in rows)
    csv.writer(text, lineterminator="\n").writerows([header, *safe])
    click.echo(text.getvalue(), nl=False)


def in_columns(rows: Sequence[tuple[str, str]], indent: str) -> Iterator[tuple[str, str]]:
    """Figures, and behind them words that wrap: the lines of each row, and the indent of what belongs below it."""
    size = max((len(left) for left, _ in rows if len(left) <= _WIDEST), default=0)
    inner = indent + " " * (size + len(_GAP))
    for left, words in rows:
        beside = f"{indent}{left:<{size}}{_GAP}"
        over = f"{indent}{left}\n" if len(left) > size else ""  # a figure too wide for its column has a line for itself
        yield over + wrapped(words, inner, first=inner if over else beside), inner


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table whose first column takes what the others leave; where that is too little, a block for each row.

    Words of the header and of the first column wrap, and those of other cells only where the table would not fit.
    """
    words = [[max(cell.split(), key=len, default="") for cell in cells] for cells in (header, *rows)]
    whole = [words[0], *rows]
    for cells in (whole, words):
        widths = [max(map(len, column)) for column in zip(*(c[1:] for c in cells), strict=True)]
        first = width() - sum(widths) - len(_GAP) * len(widths)
        if first >= _FEWEST:
            break
    else:
        return _blocks(header, rows)
    first = min(first, max(len(r[0]) for r in rows))
    lines = [click.style(line, bold=True) for line in _table_row(header, first, widths)]
    for row in rows:
        lines += _table_row(row, first, widths)
    return "\n".join(lines)


def _table_row(cells: Sequence[str], first: int, widths: Sequence[int]) -> list[str]:
    label = textwrap.wrap(cells[0], first, subsequent_indent=" ", break_on_hyphens=False) or [""]
    others = (textwrap.wrap(cell, size, break_on_hyphens=False) for cell, size in zip(cells[1:], widths, strict=True))
    sizes = (first, *widths)
    return [
        _GAP.join(f"{part:<{size}}" for part, size in zip(parts, sizes, strict=True)).rstrip()
        for parts in zip_longest(label, *others, fillvalue="")
    ]


def _blocks(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """The table turned, for a terminal that is too narrow."""
    size = max(len(name) for name in header)
    return "\n\n".join(
        "\n".join(
            [
                wrapped(label, "  ", first=""),
                *(f"  {name:<{size}}  {cell}" for name, cell in zip(header[1:], cells, strict=True) if cell),
            ]
        )
        for label, *cells in rows
    )
