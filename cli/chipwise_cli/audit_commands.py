"""`chipwise audit`, `accept`, `report` and `plot`: where the sources disagree, and what was made of it."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from chipwise.text import counted, one_line
from chipwise_cli.audit_output import (
    chosen_format,
    least_confidence,
    min_confidence_option,
    output_options,
    register_option,
    report_remarks,
    show,
)
from chipwise_cli.display import kb_option, knowledge_base, opened, remark, width, working, written_file
from chipwise_cli.findings_display import SEVERITIES, STATUSES


@click.command(epilog="Example: chipwise audit --subject h200 --min-severity medium")
@click.option("--all", "everything", is_flag=True, help="Also list unsure, explained and acknowledged findings.")
@click.option("--source", metavar="SOURCE", default="", help="Show only findings that quote this source.")
@click.option("--subject", metavar="NAME", default="", help="Show only findings about this chip or system.")
@click.option("--metric", metavar="NAME", default="", help="Show only findings about this metric.")
@click.option("--min-severity", type=click.Choice(SEVERITIES), default="info", help="Leave out less severe findings.")
@min_confidence_option
@output_options
def audit(
    everything: bool,
    min_severity: str,
    min_confidence: float,
    most: int | None,
    register: Path | None,
    form: str,
    as_json: bool,
    kb: str | None,
    **asked: str,
) -> None:
    """Find where sources contradict each other or their own arithmetic.

    Exit code 1 means that a contradiction has not been acknowledged. `chipwise explain CODE` says what a code means.
    """
    form = chosen_format(form, as_json)
    with opened(knowledge_base(kb)) as base, working("comparing what the sources say"):
        audit = base.audit(**asked, everything=everything, register=register)
    report_remarks(audit)
    listed = audit.at_least(min_severity)
    audit = listed.surer_than(least_confidence(min_confidence, everything=everything))
    if left := len(listed.findings) - len(audit.findings):
        remark(f"{counted(left, 'less certain finding')} left out; `chipwise audit --all` lists them")
    show(base, audit, form, checking=False, everything=everything, most=most)
    if audit.contradicts:
        click.get_current_context().exit(1)


@click.command(epilog='Example: chipwise accept 3f2a91c04bd1 --reason "an older edition"')
@click.argument("fingerprint")
@click.option(
    "--as",
    "status",
    type=click.Choice(STATUSES),
    default="accepted",
    show_default=True,
    help="confirmed: a real contradiction; explained: both sides are right; accepted: known, and left alone.",
)
@click.option("--reason", required=True, help="The reason, for readers of the register.")
@register_option
@kb_option
def accept(fingerprint: str, status: str, reason: str, register: Path | None, kb: str | None) -> None:
    """Record a decision on a finding, so that it no longer fails a run.

    FINGERPRINT is printed below the finding by `audit` and `check`; of one of `audit`, the first six characters are
    enough. This takes as long as an audit. To undo it, remove the entry from the register.
    """
    with opened(knowledge_base(kb)) as base, working("comparing what the sources say"):
        done = base.acknowledge(fingerprint, status, reason, register)
    if not done.title:
        remark(f"no finding of the audit has the fingerprint {fingerprint}; recorded as given, for `check`")
    click.echo(f"{one_line(f'{status}: {done.title or done.fingerprint}')}\n  in {one_line(str(done.path))}")


@click.command(epilog="Example: chipwise report --chips h100-sxm,mi300x report.html")
@click.argument("file", metavar="FILE.html", callback=written_file(".html", ".htm"))
@click.option("--chips", metavar="A,B,...", default="", help="Chips to show; by default, the most widely mentioned.")
@register_option
@click.option("--open", "opens", is_flag=True, help="Open the page in a browser.")
@kb_option
def report(file: Path, chips: str, register: Path | None, opens: bool, kb: str | None) -> None:
    """Write findings, plots and sources to one HTML page.

    The page is self-contained and runs no script. Writing it takes as long as an audit.
    """
    named = [name for name in (part.strip() for part in chips.split(",")) if name]
    with opened(knowledge_base(kb)) as base, working("comparing what the sources say"):
        report = base.report(*named, register=register)
    report_remarks(report.audit)
    base.save(report, file)
    click.echo(f"wrote {file}")
    if opens:
        import webbrowser  # noqa: PLC0415

        webbrowser.open(file.resolve().as_uri())


@click.command(epilog="Example: chipwise plot roofline h100-sxm mi300x --out roofline.svg")
@click.argument("what", metavar="WHAT")
@click.argument("names", nargs=-1, metavar="[CHIP]...")
@click.option("--dtype", metavar="NAME", default="", help="Number format of a roofline or of peaks; BF16 by default.")
@click.option("--out", metavar="FILE.svg", callback=written_file(".svg"), help="Write an SVG file.")
@click.option("--text", "as_text", is_flag=True, help="Draw in characters, even in a pipe.")
@kb_option
def plot(what: str, names: tuple[str, ...], dtype: str, out: Path | None, as_text: bool, kb: str | None) -> None:
    """Draw a plot, as SVG or in the terminal.

    WHAT is "roofline", "price-performance", or a metric, whose figures are shown by source, disagreements first. In a
    terminal the plot is drawn in characters; into a pipe it is written as SVG. Exit code 1: there is nothing to draw.
    """
    with opened(knowledge_base(kb)) as base:
        plot = base.plot(what, *names, dtype=dtype)
    if plot.is_empty:
        click.echo("\n".join([f"nothing to draw: {plot.title}", *plot.notes]), err=True)
        click.get_current_context().exit(1)
    if out is not None:
        base.save(plot, out)
        remark(f"wrote {out}")
    elif as_text or sys.stdout.isatty():
        click.echo(base.as_text(plot, width()))
    else:
        click.echo(base.as_svg(plot), nl=False)
