"""`chipwise check`."""

from __future__ import annotations

from pathlib import Path

import click

from chipwise import Audit
from chipwise.errors import SourceUnreadable
from chipwise_cli.audit_output import chosen_format, output_options, show
from chipwise_cli.display import complain, knowledge_base, standard_input

STDIN_LIMIT = 64_000_000  # characters; `add` takes files of that many bytes


@click.command(epilog="Example: chipwise check draft.md")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--all", "everything", is_flag=True, help="List every claim with how it stands.")
@output_options
def command(
    files: tuple[str, ...],
    everything: bool,
    nli: str,
    register: Path | None,
    form: str,
    as_json: bool,
    kb: str | None,
) -> None:
    """Judge each claim of a document against the knowledge base.

    FILE is Markdown, text, HTML, PDF or DOCX, or - for standard input.
    Nothing of it is stored. Exit code 1 means that it contradicts the
    knowledge base, itself or arithmetic.
    """
    form = chosen_format(form, as_json)
    base = knowledge_base(kb)
    audits: list[Audit] = []
    refused = False
    for name in dict.fromkeys(files):
        try:
            read = {"text": _standard_text()} if name == "-" else {"file": name}
            audits.append(base.check(**read, nli=nli, register=register))
        except SourceUnreadable as error:
            complain(str(error), error.hint)
            refused = True
    if not audits and form not in ("json", "sarif"):  # a program reads a value where no file could be read, too
        click.get_current_context().exit(2)
    audit = Audit.merged(audits)
    show(base, audit, form, checking=True, everything=everything)
    if refused or audit.contradicts:
        click.get_current_context().exit(2 if refused else 1)


def _standard_text() -> str:
    text = standard_input().read(STDIN_LIMIT + 1)
    if len(text) > STDIN_LIMIT:
        raise SourceUnreadable(f"standard input is longer than {STDIN_LIMIT:,} characters", hint="check a part of it")
    return text
