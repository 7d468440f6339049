"""`chipwise plot`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from chipwise_cli.display import kb_option, knowledge_base, opened, remark, width
from chipwise_cli.files import written_file

if TYPE_CHECKING:
    from chipwise.results import Chart, Strips


@click.command(epilog="Example: chipwise plot roofline h100-sxm mi300x --out roofline.svg")
@click.argument("what", metavar="WHAT")
@click.argument("names", nargs=-1, metavar="[CHIP]...")
@click.option("--dtype", metavar="NAME", default="", help="Number format of a roofline or of peaks; BF16 by default.")
@click.option("--out", metavar="FILE.svg", callback=written_file(".svg"), help="Write an SVG file.")
@click.option("--text", "as_text", is_flag=True, help="Draw in characters, even in a pipe.")
@kb_option
def command(what: str, names: tuple[str, ...], dtype: str, out: Path | None, as_text: bool, kb: str | None) -> None:
    """Draw one plot, as SVG or in the terminal.

    WHAT is "roofline", "price-performance", or a metric: its figures by source, those that disagree first. In a
    terminal it is drawn in characters; in a pipe it is SVG. Exit code 1 means that there is nothing to draw.
    """
    with opened(knowledge_base(kb)) as base:
        plot = base.plot(what, *names, dtype=dtype)
    if plot.is_empty:
        click.echo(_nothing(plot), err=True)
        click.get_current_context().exit(1)
    if out is not None:
        base.save(plot, out)
        remark(f"wrote {out}")
    elif as_text or sys.stdout.isatty():
        click.echo(base.as_text(plot, width()))
    else:
        click.echo(base.as_svg(plot), nl=False)


def _nothing(plot: Chart | Strips) -> str:
    return "\n".join([f"nothing to draw: {plot.title}", *plot.notes])
