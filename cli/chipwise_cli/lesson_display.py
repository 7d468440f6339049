"""A step of `chipwise learn` on a terminal: its question, and what there is to see once one has guessed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from chipwise_cli.display import width, wrapped
from chipwise_cli.text import one_line

if TYPE_CHECKING:
    from chipwise.results import Cited, Option, Step


def print_question(step: Step, number: int, of: int, topic: str) -> None:
    """The scene, the question and its options; nothing that gives the answer away."""
    click.echo(click.style("-" * width(), dim=True))
    heading = click.style(f"{number}/{of}  {one_line(step.title)}", bold=True)
    click.echo(f"{heading}  {click.style(one_line(topic), dim=True)}")
    click.echo(f"\n{wrapped(one_line(step.scene))}\n")
    click.echo(click.style(wrapped(one_line(step.question)), bold=True))
    for option in step.options:
        click.echo(wrapped(one_line(option.text), "     ", first=f"  {option.letter}  "))


def print_reveal(step: Step, guess: Option | None, *, quotes: bool) -> None:
    """Whether the guess is right, why, the arithmetic, where the other options come from, and what to take along."""
    click.echo(_verdict(step, guess))
    wrong = [option for option in step.options if option.letter != step.right]
    if guess in wrong:
        _print_trap(guess, step, " (your guess)")
    click.echo(f"\n{wrapped(one_line(step.why))}\n")
    _print_sums(step.sums, "  ")
    for assumption in step.assumptions:
        click.echo(wrapped(one_line(f"assumed: {assumption}"), "    ", first="  "))
    if step.sums:
        click.echo()
    others = [option for option in wrong if option != guess]
    for option in others:
        _print_trap(option, step)
    if others:
        click.echo()
    for cited in step.citations:
        _print_citation(cited, quotes=quotes)
    rule = wrapped(one_line(step.rule), "  ", first="Remember: ")
    click.echo("\n" + rule.replace("Remember:", click.style("Remember:", bold=True), 1))
    for number, line in enumerate([*step.tries, f"show {step.read}"]):
        click.echo(f"{'Go on:' if not number else '':<9} chipwise {one_line(line)}")


def _verdict(step: Step, guess: Option | None) -> str:
    answer = one_line(step.answer.text)
    if guess is None:
        return click.style(wrapped(f"The answer is ({step.right}) {answer}"), bold=True)
    if guess.letter == step.right:
        return click.style(wrapped(f"Right: {answer}"), fg="green", bold=True)
    return click.style(wrapped(f"No, it is ({step.right}) {answer}"), fg="yellow", bold=True)


def _print_sums(lines: Sequence[str], indent: str) -> None:
    for line in lines:
        click.echo(wrapped(one_line(line), f"{indent}  ", first=indent))


def _print_trap(option: Option, step: Step, yours: str = "") -> None:
    """A wrong option: what is wrong with it, and how one comes by it."""
    click.echo(wrapped(one_line(option.text + yours), "     ", first=f"  {option.letter}  "))
    click.echo(wrapped(one_line(option.trap), "     ", first="     "))
    _print_sums([line for line in option.sums if line not in step.sums], "     ")


def _print_citation(cited: Cited, *, quotes: bool) -> None:
    """ "[1]  989 TFLOPS: NVIDIA H100 SXM, peak compute (BF16, dense)", then the fact and where it stands."""
    said = f'"{cited.citation.quote}"' if cited.citation.quote else cited.citation.origin
    lines = [f"{cited.text}: {', '.join(filter(None, (cited.what, cited.as_of)))}"]
    lines += [f"{cited.id}, {cited.source}:{cited.citation.line}", cited.note, said if quotes else ""]
    for number, line in enumerate(filter(None, lines)):
        first = f"[{cited.n}]" if number == 0 else ""
        click.echo(click.style(wrapped(one_line(line), "     ", first=f"{first:<4} "), dim=True))
