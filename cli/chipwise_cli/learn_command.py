"""`chipwise learn`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem

import chipwise
from chipwise.errors import StorageFailed
from chipwise.text import counted, one_line
from chipwise_cli.display import Found, on_base, remark, width, wrapped

if TYPE_CHECKING:
    from chipwise import KnowledgeBase
    from chipwise.results import Course, Option, Progress, Step

STOP, BACK = "q", "p"  # typed instead of an option's letter
_RIGHT, _WRONG, _SEEN = "right", "wrong", "seen"
_GREETING = (
    "each about a figure that is easily misread. Guess before you look, even blindly: a wrong guess is what you will "
    "remember. Every figure is cited, and your place is saved when you stop."
)
_ONWARD = (
    "From here: `chipwise learn --quiz` asks again, `chipwise ask` answers your own questions, and `chipwise check FILE` "
    "finds such mistakes in a document. `chipwise learn --restart` starts over."
)


def _complete(_ctx: click.Context, _param: click.Parameter, typed: str) -> list[CompletionItem]:
    topics = chipwise.KnowledgeBase.topics()
    return [CompletionItem(id_, help=name) for id_, name in topics.items() if id_.startswith(typed)]


@click.command(epilog="Example: chipwise learn --topic memory")
@click.option(
    "--topic",
    default="",
    metavar="NAME",
    shell_complete=_complete,
    help="Only the steps about one topic: peak, scope, memory, links, speed, utilization, claims or cost.",
)
@click.option("--topics", is_flag=True, help="List the topics and their steps.")
@click.option("--quiz", is_flag=True, help="Only the questions, and a score at the end.")
@click.option("--restart", is_flag=True, help="Forget your progress and start over.")
@click.option("--quotes", is_flag=True, help="Show the quote behind each figure.")
@on_base
def command(base: KnowledgeBase, topic: str, topics: bool, quiz: bool, restart: bool, quotes: bool) -> Found:
    """Learn to read accelerator figures: guess, check, see why.

    Short steps, each about a common mistake. Figures come from the facts table, with their citations. In a terminal it
    waits for your guesses and resumes where you stopped; in a pipe it prints all steps.
    """
    progress = chipwise.KnowledgeBase.learning_progress()
    if progress.notice:
        remark(progress.notice)
    if restart:
        progress.restart()
    course = base.learn(topic)

    def show() -> None:
        for left in course.left_out:
            remark(left)
        if topics:
            _list_topics(course, progress)
        elif not course.steps:
            click.echo("This knowledge base lacks the figures that the steps need.")
        elif not waits():
            _print_all(course, quiz=quiz, quotes=quotes)
        elif quiz:
            _quiz(course)
        else:
            _walk(course, progress, quotes=quotes, part=topic)

    return course, show, bool(course.steps)


def waits() -> bool:
    """True where somebody sits at a terminal."""
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))


def _list_topics(course: Course, progress: Progress) -> None:
    for id_, name in course.topics.items():
        steps = [step for step in course.steps if step.topic == id_]
        if steps:
            click.echo(f"{click.style(one_line(id_), bold=True)}: {one_line(name)}")
        for step in steps:
            click.echo(f"  {progress.results.get(step.id, ''):<5}  {one_line(step.id):<27}  {one_line(step.title)}")


def _print_all(course: Course, *, quiz: bool, quotes: bool) -> None:
    for number, step in enumerate(course.steps):
        _ask(course, number)
        if not quiz:
            click.echo("\n" + "\n".join(_answer(step, None, quotes=quotes)) + "\n")
    if quiz:
        key = ", ".join(f"{number} {step.right}" for number, step in enumerate(course.steps, start=1))
        click.echo("\n" + wrapped(f"Answers: {key}"))


def _walk(course: Course, progress: Progress, *, quotes: bool, part: str) -> None:
    """Step by step from the first that is not done, or of a topic from its beginning."""
    steps = course.steps
    number = 0 if part else progress.first_open(step.id for step in steps)
    if number == len(steps):
        _finish(course, progress, "You have been through all of it already.")
        return
    if not part:
        start = f"Welcome back: {number} of {counted(len(steps), 'step')} behind you."
        click.echo(start if number else wrapped(f"{counted(len(steps), 'step')}, {_GREETING}"))
    while number < len(steps):
        step = steps[number]
        _ask(course, number)
        typed = _guess(step, can_go_back=number > 0)
        if not isinstance(typed, str):
            click.echo("\n" + "\n".join(_answer(step, typed, quotes=quotes)))
            _keep(progress, step.id, _SEEN if typed is None else _RIGHT if typed.letter == step.right else _WRONG)
            onward = "to finish" if number + 1 == len(steps) else f"for step {number + 2} of {len(steps)}"
            back = f"{BACK} to go back, " if number else ""
            typed = _line(f"\nEnter {onward}, {back}{STOP} to stop: ")
        if typed == STOP:
            at = progress.first_open(step.id for step in steps) + 1
            go_on = "" if part or at > len(steps) else f" `chipwise learn` goes on with step {at} of {len(steps)}."
            click.echo(f"Stopped.{go_on}")
            return
        number = max(number - 1, 0) if typed == BACK else number + 1
    _finish(course, progress, "That was the last step." if not part else "That is all about this topic.")


def _quiz(course: Course) -> None:
    """Questions alone; what was missed is told at the end."""
    missed: list[str] = []
    asked = 0
    for step in course.steps:
        _ask(course, asked)
        typed = _guess(step, can_go_back=False)
        if isinstance(typed, str):
            break
        asked += 1
        if typed is None or typed.letter != step.right:
            taken = f", not {typed.text}" if typed is not None else ""
            missed.append("\n" + wrapped(one_line(f"{step.title} {step.answer.text}{taken}"), "  ", first="- "))
            missed.append(f"  chipwise learn --topic {one_line(step.id)}")
    click.echo(f"\n{click.style(f'{asked - len(missed) // 2} of {asked} right', bold=True)}")
    for line in missed:
        click.echo(line)


def _guess(step: Step, *, can_go_back: bool) -> Option | str | None:
    """The option that was typed; None for a look at the answer, else STOP or BACK."""
    letters = ", ".join(option.letter for option in step.options)
    back = f", {BACK} to go back" if can_go_back else ""
    while True:
        typed = _line(f"\nYour guess ({letters}; Enter to see the answer{back}, {STOP} to stop): ")
        if typed == STOP or (typed == BACK and can_go_back):
            return typed
        option = step.option(typed)
        if option is not None or not typed:
            return option
        click.echo(f"Type one of {letters}.")


def _line(prompt: str) -> str:
    """What is typed, in lower case; STOP where the input ends."""
    click.echo(prompt, nl=False)
    if line := sys.stdin.readline():
        return line.strip().lower()
    click.echo()
    return STOP


def _keep(progress: Progress, step: str, result: str) -> None:
    """Store the result of a step; a disk that refuses is reported once and stops nobody."""
    meta = click.get_current_context().meta
    try:
        progress.note(step, result)
    except StorageFailed as error:
        if not meta.get(__name__):
            remark(f"{error}; {error.hint}")
        meta[__name__] = True


def _finish(course: Course, progress: Progress, first: str) -> None:
    """How the guesses went, what is worth another look, and where to go from here."""
    results = {step.id: progress.results.get(step.id, _SEEN) for step in course.steps}
    wrong = [f"\n  chipwise learn --topic {one_line(step)}" for step, result in results.items() if result == _WRONG]
    right = [*results.values()].count(_RIGHT)
    click.echo("\n" + wrapped(f"{first} Guessed right: {right} of {len(results)}."))
    if wrong:
        click.echo(f"\nWorth another look:{''.join(wrong)}")
    click.echo("\n" + wrapped(_ONWARD))


def _ask(course: Course, number: int) -> None:
    """The scene, the question and its options; nothing that gives the answer away."""
    step = course.steps[number]
    heading = click.style(f"{number + 1}/{len(course.steps)}  {one_line(step.title)}", bold=True)
    click.echo(click.style("-" * width(), dim=True))
    click.echo(f"{heading}  {click.style(one_line(course.topics.get(step.topic, '')), dim=True)}")
    click.echo(f"\n{wrapped(one_line(step.scene))}\n")
    click.echo(click.style(wrapped(one_line(step.question)), bold=True))
    for option in step.options:
        click.echo(wrapped(one_line(option.text), "     ", first=f"  {option.letter}  "))


def _answer(step: Step, guess: Option | None, *, quotes: bool) -> Iterator[str]:
    """What is right and why, what is wrong with each other option, the sources, and the lesson."""
    right = guess is not None and guess.letter == step.right
    verdict = "Right:" if right else f"{'The answer is' if guess is None else 'No, it is'} ({step.right})"
    color = None if guess is None else "green" if right else "yellow"
    yield click.style(wrapped(f"{verdict} {one_line(step.answer.text)}"), fg=color, bold=True)
    wrong = [option for option in step.options if option.letter != step.right]
    if guess in wrong:
        yield from _trap(guess, step, " (your guess)")
    yield f"\n{wrapped(one_line(step.why))}\n"
    yield from (wrapped(one_line(line), "    ", first="  ") for line in step.sums)
    yield from (wrapped(one_line(f"assumed: {each}"), "    ", first="  ") for each in step.assumptions)
    if step.sums:
        yield ""
    others = [line for option in wrong if option != guess for line in _trap(option, step)]
    yield from [*others, ""] if others else []
    for cited in step.citations:
        said = f'"{cited.citation.quote}"' if cited.citation.quote else cited.citation.origin
        lines = [f"{cited.text}: {', '.join(filter(None, (cited.what, cited.as_of)))}"]
        lines += [f"{cited.id}, {cited.source}:{cited.citation.line}", cited.note, said if quotes else ""]
        for line, first in zip(filter(None, lines), (f"[{cited.n}]", "", "", ""), strict=False):
            yield click.style(wrapped(one_line(line), "     ", first=f"{first:<4} "), dim=True)
    yield "\n" + click.style("Remember:", bold=True) + wrapped(f"Remember: {one_line(step.rule)}", "  ", "")[9:]
    for line, first in zip([*step.tries, f"show {step.read}"], ["Go on:", *[""] * len(step.tries)], strict=True):
        yield f"{first:<9} chipwise {one_line(line)}"


def _trap(option: Option, step: Step, yours: str = "") -> Iterator[str]:
    """A wrong option, what is wrong with it, and how one comes by it."""
    yield wrapped(one_line(option.text + yours), "     ", first=f"  {option.letter}  ")
    yield wrapped(one_line(option.trap), "     ", first="     ")
    yield from (wrapped(one_line(line), "       ", first="     ") for line in option.sums if line not in step.sums)
