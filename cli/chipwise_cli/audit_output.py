"""What `audit` and `check` share: options, the register, and the five formats."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from chipwise import Audit, KnowledgeBase
from chipwise.errors import StorageFailed
from chipwise_cli.display import expect_json, json_option, json_text, kb_option, print_json, remark, unwritable
from chipwise_cli.places import local_path
from chipwise_cli.settings import settings

FORMATS = ("text", "json", "sarif", "github", "markdown")
Command = TypeVar("Command", bound=Callable[..., Any])


def file_option(name: str, use: str, default: Callable[[], Path | None] = lambda: None) -> Callable[[Command], Command]:
    """An option that names one file."""
    kind = click.Path(dir_okay=False, path_type=Path)
    return click.option(name, metavar="FILE", type=kind, default=default, help=use)


def require_writable(*files: Path | None) -> None:
    """Raises StorageFailed for a file that can't be written, before the work that it is for."""
    for file in files:
        if file is not None and (reason := unwritable(file)):
            raise StorageFailed(f"{file} cannot be written: {reason}", hint="name a file elsewhere")


register_option = file_option(
    "--register",
    "Register of acknowledged findings; findings.toml in the knowledge base by default.",
    lambda: settings().get("register"),
)
baseline_option = file_option(
    "--baseline", "File of known findings, which don't fail a run.", lambda: settings().get("baseline")
)


min_confidence_option = click.option(
    "--min-confidence",
    metavar="P",
    type=click.FloatRange(0, 1),
    default=Audit.SURE_ENOUGH,
    show_default=True,
    help="Leave out findings whose estimated confidence is below P, from 0 to 1; --all shows them unless P is given.",
)


def least_confidence(given: float, *, everything: bool) -> float:
    """The confidence below which findings are left out: 0 with --all, unless the user names one."""
    source = click.get_current_context().get_parameter_source("min_confidence")
    return 0.0 if everything and source is not None and source.name == "DEFAULT" else given


def output_options(command: Command) -> Command:
    """The options of both commands, in the order that their help lists them."""
    options = (
        click.option("-n", "most", metavar="N", type=click.IntRange(min=0), help="Show at most N findings."),
        register_option,
        click.option(
            "--format", "form", type=click.Choice(FORMATS), default="text", show_default=True, help="Output format."
        ),
        json_option,
        kb_option,
    )
    for option in reversed(options):
        command = option(command)
    return command


def chosen_format(form: str, as_json: bool) -> str:
    """The format that two options name. Raises UsageError when they name two."""
    if as_json and form not in ("text", "json"):
        raise click.UsageError(f"--json and --format {form} cannot be combined")
    if form == "json":
        expect_json(click.get_current_context())
    return "json" if as_json else form


def show(
    base: KnowledgeBase, audit: Audit, form: str, *, checking: bool, everything: bool, most: int | None = None
) -> None:
    """Prints an audit or a check in one of the formats, as text at most so many findings."""
    if form == "json":
        print_json(base.as_json(audit))
    elif form == "sarif":
        from chipwise_cli.audit_formats import sarif_value  # noqa: PLC0415

        print_json(sarif_value(audit, base.codes()))
    elif form == "github":
        from chipwise_cli.audit_formats import github_lines  # noqa: PLC0415

        click.echo("\n".join(github_lines(audit, checking=checking)))
    elif form == "markdown":
        from chipwise_cli.audit_formats import markdown_text  # noqa: PLC0415

        click.echo(markdown_text(audit, checking=checking), nl=False)
    else:
        from chipwise_cli.findings_display import show_findings  # noqa: PLC0415

        show_findings(audit, checking=checking, everything=everything, most=most)


def report_remarks(audit: Audit) -> None:
    """Print on stderr what needs fixing: register entries that match no finding, and marks in a document."""
    for entry in audit.unmatched:
        remark(f"{entry.place}: {entry.fingerprint} ({entry.status}) matches no finding of this run, or several")
    for told in audit.remarks:
        remark(f"{local_path(told.origin)}{f':{told.line}' if told.line else ''}: {told.text}")


def write_sarif(base: KnowledgeBase, audit: Audit, file: Path) -> None:
    """The audit as SARIF in a file. Raises StorageFailed."""
    from chipwise_cli.audit_formats import sarif_value  # noqa: PLC0415

    try:
        file.write_text(json_text(sarif_value(audit, base.codes())) + "\n", "utf-8")
    except OSError as error:
        raise StorageFailed(f"{file} cannot be written: {error.strerror}", hint="name a file elsewhere") from None
