"""What `audit` and `check` share: options, the register, and the five formats."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import click

from chipwise.audit.model import Audit
from chipwise.audit.register import NAME, Entry, Register, apply, reasons
from chipwise.audit.summary import badness
from chipwise.corpus import shipped_folder
from chipwise.errors import KnowledgeBaseMissing
from chipwise.knowledge import KnowledgeBase
from chipwise_cli.display import expect_json, json_option, kb_option, print_json, remark

FORMATS = ("text", "json", "sarif", "github", "markdown")
Command = TypeVar("Command", bound=Callable[..., Any])

register_option = click.option(
    "--register",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help=f"The register of acknowledged findings; {NAME} in the knowledge base by default.",
)


def output_options(command: Command) -> Command:
    """The options of both commands, in the order that their help lists them."""
    options = (
        click.option(
            "--nli",
            metavar="MODEL",
            default="",
            help="Compare sentences by their meaning as well, with this installed CrossEncoder.",
        ),
        register_option,
        click.option(
            "--format", "form", type=click.Choice(FORMATS), default="text", show_default=True, help="How to print it."
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
        raise click.UsageError(f"--json and --format {form} cannot both be")
    if form == "json":
        expect_json(click.get_current_context())
    return "json" if as_json else form


def registers(base: KnowledgeBase, named: Path | None) -> list[Path]:
    """The file named, or the one that is shipped and the knowledge base's own. Raises KnowledgeBaseMissing."""
    if named is not None:
        if not named.exists():
            raise KnowledgeBaseMissing(
                f"there is no register {named}", hint="`chipwise acknowledge --register` makes one"
            )
        return [named]
    shipped = [shipped_folder() / NAME] if base.read_contents().shipped else []
    return [*shipped, base.folder / NAME]


def conclude(audit: Audit, register: Register, form: str, *, checking: bool, everything: bool) -> Audit:
    """Prints an audit or a check in one of the formats, worst findings first; gives it back as the register marks it."""
    audit = replace(audit, findings=tuple(sorted(apply(register, audit.findings), key=badness)))
    known = reasons(register, audit.findings)
    if form == "json":
        from chipwise.report import audit_value  # noqa: PLC0415

        print_json(audit_value(audit))
    elif form == "sarif":
        from chipwise.audit.codes import read_codes  # noqa: PLC0415
        from chipwise.audit.sarif import sarif_value  # noqa: PLC0415

        print_json(sarif_value(audit, read_codes(), known))
    elif form == "github":
        from chipwise.audit.formats import github_lines  # noqa: PLC0415

        click.echo("\n".join(github_lines(audit, checking=checking)))
    elif form == "markdown":
        from chipwise.audit.formats import markdown_text  # noqa: PLC0415

        click.echo(markdown_text(audit, known, checking=checking), nl=False)
    else:
        from chipwise_cli.findings_display import show_findings  # noqa: PLC0415

        show_findings(audit, known, checking=checking, everything=everything)
    return audit


def report_unmatched(entries: tuple[Entry, ...]) -> None:
    """Entries of the register that no finding has any more, on stderr."""
    for entry in entries:
        remark(f"{entry.place}: {entry.fingerprint} ({entry.status}) is of no finding of this run, or of several")
