"""`chipwise explain`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

import chipwise
from chipwise_cli.display import say, wrapped

if TYPE_CHECKING:
    from chipwise.results import Code, Codes


@click.command(epilog="Example: chipwise explain CW401")
@click.argument("code", required=False)
def command(code: str | None) -> None:
    """Explain what a code like CW701 means, and how to settle it.

    Without CODE, lists all of them.
    """
    codes = chipwise.KnowledgeBase.codes()
    if code is None:
        _list(codes)
    else:
        _explain(codes.find(code))


def _list(codes: Codes) -> None:
    family = ""
    for page in codes.pages.values():
        if codes.family(page.code) != family:
            say(("\n" if family else "") + click.style(codes.family(page.code), bold=True))
            family = codes.family(page.code)
        say(f"  {page.code}  {page.severity:<6}  {page.title}")


def _explain(page: Code) -> None:
    say(f"{click.style(f'{page.code} {page.title}', bold=True)} ({page.severity})")
    _paragraphs(page.meaning)
    say(
        "\n".join(
            ("", click.style("Example", bold=True), *(f"    {line}".rstrip() for line in page.example.splitlines()))
        )
    )
    say(f"\n{click.style('To settle it', bold=True)}")
    _paragraphs(page.settle, gap=False)


def _paragraphs(text: str, *, gap: bool = True) -> None:
    for number, part in enumerate(text.split("\n\n")):
        say(("\n" if gap or number else "") + wrapped(" ".join(part.split())))
