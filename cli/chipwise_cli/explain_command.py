"""`chipwise explain`."""

from __future__ import annotations

import string
import textwrap
from typing import TYPE_CHECKING

import click

import chipwise
from chipwise.errors import SourceUnknown
from chipwise_cli.display import kb_option, knowledge_base, opened, say, working, wrapped

if TYPE_CHECKING:
    from chipwise.results import Code, Codes


_SHORTEST = 6  # characters of a fingerprint


@click.command(epilog="Example: chipwise explain CW401")
@click.argument("code", required=False)
@kb_option
def command(code: str | None, kb: str | None) -> None:
    """Explain what a code like CW701 means, and how to settle it.

    CODE may also be the fingerprint of a finding of `audit`, which is then shown with it. Without CODE, all codes are listed.
    """
    codes = chipwise.KnowledgeBase.codes()
    if code is None:
        _list(codes)
        return
    is_fingerprint = len(code) >= _SHORTEST and set(code) <= {*string.hexdigits}
    _explain(codes.find(_show_finding(code.lower(), kb) if is_fingerprint else code))


def _show_finding(fingerprint: str, kb: str | None) -> str:
    """Shows a finding of the audit; its code. Raises SourceUnknown."""
    from chipwise_cli.findings_display import finding_lines  # noqa: PLC0415

    with opened(knowledge_base(kb)) as base, working("comparing what the sources say"):
        audit = base.audit(everything=True)
    found = next((f for f in audit.findings if f.fingerprint.startswith(fingerprint)), None)
    if found is None:
        hint = "a finding of `check` is explained by its code: `chipwise explain CW701`"
        raise SourceUnknown(f"no finding of the audit has the fingerprint {fingerprint}", hint=hint)
    say("\n".join(finding_lines(found, audit.reasons.get(found.fingerprint, ""))) + "\n")
    return found.code


def _list(codes: Codes) -> None:
    family = ""
    for page in codes.pages.values():
        if codes.family(page.code) != family:
            say(("\n" if family else "") + click.style(codes.family(page.code), bold=True))
            family = codes.family(page.code)
        say(f"  {page.code}  {page.severity:<6}  {page.title}")


def _explain(page: Code) -> None:
    say(f"{click.style(f'{page.code} {page.title}', bold=True)} (usually {page.severity})")
    _paragraphs(page.meaning)
    say(f"\n{click.style('Example', bold=True)}\n{textwrap.indent(page.example.rstrip(), '    ')}")
    say(f"\n{click.style('To settle it', bold=True)}")
    _paragraphs(page.settle, gap=False)


def _paragraphs(text: str, *, gap: bool = True) -> None:
    for number, part in enumerate(text.split("\n\n")):
        say(("\n" if gap or number else "") + wrapped(" ".join(part.split())))
