"""`chipwise audit`."""

from __future__ import annotations

from pathlib import Path

import click

from chipwise_cli.audit_output import chosen_format, min_confidence_option, output_options, report_unmatched, show
from chipwise_cli.display import knowledge_base
from chipwise_cli.summary import SEVERITIES


@click.command(epilog="Example: chipwise audit --subject h200 --min-severity medium")
@click.option(
    "--all",
    "everything",
    is_flag=True,
    help="Also list pairs that are explained or compatible, and acknowledged findings.",
)
@click.option("--source", metavar="SOURCE", default="", help="Only findings that quote this source.")
@click.option("--subject", metavar="NAME", default="", help="Only findings about this chip or system.")
@click.option("--metric", metavar="NAME", default="", help="Only findings about this metric.")
@click.option(
    "--min-severity",
    type=click.Choice(SEVERITIES),
    default="info",
    show_default=True,
    help="Leave out findings that are less severe.",
)
@min_confidence_option(0.0)
@output_options
def command(
    everything: bool,
    source: str,
    subject: str,
    metric: str,
    min_severity: str,
    min_confidence: float,
    register: Path | None,
    form: str,
    as_json: bool,
    kb: str | None,
) -> None:
    """Find where the sources contradict each other or arithmetic.

    Exit code 1 means that a contradiction was found which nobody has
    acknowledged. `chipwise explain CODE` tells what a code means.
    """
    form = chosen_format(form, as_json)
    base = knowledge_base(kb)
    audit = base.audit(source=source, subject=subject, metric=metric, everything=everything, register=register)
    report_unmatched(audit)
    audit = audit.at_least(min_severity).surer_than(min_confidence)
    show(base, audit, form, checking=False, everything=everything)
    if audit.contradicts:
        click.get_current_context().exit(1)
