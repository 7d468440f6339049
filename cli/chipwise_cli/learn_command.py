"""`chipwise learn`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem

import chipwise
from chipwise.errors import StorageFailed
from chipwise.text import counted, one_line
from chipwise_cli.display import json_option, kb_option, knowledge_base, opened, print_json, remark, width, wrapped

if TYPE_CHECKING:
    from chipwise.results import Cited, Course, Option, Progress, Step

STOP, BACK = "q", "p"  # what one types instead of an option's letter
_RIGHT, _WRONG, _SEEN = "right", "wrong", "seen"


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
@click.option("--restart", is_flag=True, help="Forget how far you have come, and begin anew.")
@click.option("--quotes", is_flag=True, help="Show the quote that each figure rests on.")
@json_option
@kb_option
def command(topic: str, topics: bool, quiz: bool, restart: bool, quotes: bool, as_json: bool, kb: str | None) -> None:
    """Learn to read accelerator figures: guess, look, see why.

    A path of short steps, each about a mistake that is often made. Figures come
    from the facts table, with their citations. In a terminal it waits for your
    guesses and goes on where you stopped; elsewhere it prints the whole path.
    """
    progress = chipwise.KnowledgeBase.learning_progress()
    if progress.notice:
        remark(progress.notice)
    if restart:
        progress.restart()
    with opened(knowledge_base(kb)) as base:
        course = base.learn(topic)
        value = base.as_json(course) if as_json else {}
    if as_json:
        print_json(value)
    else:
        for left in course.left_out:
            remark(left)
        _show(course, progress, topics=topics, quiz=quiz, quotes=quotes, part=topic)
    if not course.steps:
        click.get_current_context().exit(1)


def _show(course: Course, progress: Progress, *, topics: bool, quiz: bool, quotes: bool, part: str) -> None:
    if topics:
        _list_topics(course, progress)
    elif not course.steps:
        click.echo("No step can be told from this knowledge base.")
    elif not waits():
        _print_all(course, quiz=quiz, quotes=quotes)
    elif quiz:
        _quiz(course)
    else:
        _walk(course, progress, quotes=quotes, part=part)


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
    for number, step in enumerate(course.steps, start=1):
        _ask(course, step, number)
        if not quiz:
            click.echo()
            print_reveal(step, None, quotes=quotes)
            click.echo()
    if quiz:
        key = ", ".join(f"{number} {step.right}" for number, step in enumerate(course.steps, start=1))
        click.echo("\n" + wrapped(f"Answers: {key}"))


def _ask(course: Course, step: Step, number: int) -> None:
    print_question(step, number, len(course.steps), course.topics.get(step.topic, ""))


def _walk(course: Course, progress: Progress, *, quotes: bool, part: str) -> None:
    """Step by step from the first that is not done, or of a topic from its beginning."""
    steps = course.steps
    number = 0 if part else progress.first_open(step.id for step in steps)
    if number == len(steps):
        _finish(course, progress, "You have been through all of it already.")
        return
    if not part:
        _greet(len(steps), number)
    while number < len(steps):
        step = steps[number]
        _ask(course, step, number + 1)
        said = _guess(step, can_go_back=number > 0)
        if not isinstance(said, str):
            click.echo()
            print_reveal(step, said, quotes=quotes)
            result = _SEEN if said is None else _RIGHT if said.letter == step.right else _WRONG
            _keep(progress, step.id, result)
            said = _after(number, len(steps))
        if said == STOP:
            _stop(course, progress, part)
            return
        number = max(number - 1, 0) if said == BACK else number + 1
    _finish(course, progress, "That was the last step." if not part else "That is all about this topic.")


def _greet(of: int, number: int) -> None:
    steps = counted(of, "step")
    first = (
        f"{steps.capitalize()}, each about a figure that is easily misread. Guess before you look, even blindly: "
        "a wrong guess is what you will remember. Every figure is cited, and your place is kept when you stop."
    )
    click.echo(f"Welcome back: {number} of {steps} behind you." if number else wrapped(first))


def _guess(step: Step, *, can_go_back: bool) -> Option | str | None:
    """The option that was typed; None for a look at the answer, else STOP or BACK."""
    letters = ", ".join(option.letter for option in step.options)
    back = f", {BACK} to go back" if can_go_back else ""
    while True:
        said = _line(f"\nYour guess ({letters}; Enter to see the answer{back}, {STOP} to stop): ")
        if said == STOP or (said == BACK and can_go_back):
            return said
        option = step.option(said)
        if option is not None or not said:
            return option
        click.echo(f"Type one of {letters}.")


def _after(number: int, of: int) -> str:
    onward = "to finish" if number + 1 == of else f"for step {number + 2} of {of}"
    back = f"{BACK} to go back, " if number else ""
    said = _line(f"\nEnter {onward}, {back}{STOP} to stop: ")
    return said if said == STOP or (said == BACK and number) else ""


def _line(prompt: str) -> str:
    """What is typed, in lower case; STOP where the input ends."""
    click.echo(prompt, nl=False)
    if line := sys.stdin.readline():
        return line.strip().lower()
    click.echo()
    return STOP


def _keep(progress: Progress, step: str, result: str) -> None:
    """Keeps what became of a step; a disk that refuses is told once and stops nobody."""
    told = click.get_current_context().meta
    try:
        progress.note(step, result)
    except StorageFailed as error:
        if not told.get(__name__):
            remark(f"{error}; {error.hint}")
        told[__name__] = True


def _stop(course: Course, progress: Progress, part: str) -> None:
    of = len(course.steps)
    at = progress.first_open(step.id for step in course.steps) + 1
    click.echo("Stopped." if part or at > of else f"Stopped. `chipwise learn` goes on with step {at} of {of}.")


def _finish(course: Course, progress: Progress, first: str) -> None:
    """How the guesses went, what is worth another look, and where to go from here."""
    results = [progress.results.get(step.id, _SEEN) for step in course.steps]
    right, wrong = results.count(_RIGHT), results.count(_WRONG)
    click.echo("\n" + wrapped(f"{first} Guessed right: {right} of {len(results)}."))
    if wrong:
        click.echo("\nWorth another look:")
    for step, result in zip(course.steps, results, strict=True):
        if result == _WRONG:
            click.echo(f"  chipwise learn --topic {one_line(step.id)}")
    onward = (
        "From here: `chipwise learn --quiz` asks again, `chipwise ask` answers your own questions, and `chipwise check FILE` "
        "finds such mistakes in a document. `chipwise learn --restart` begins anew."
    )
    click.echo("\n" + wrapped(onward))


def _quiz(course: Course) -> None:
    """Questions alone; what was missed is told at the end."""
    missed: list[tuple[Step, Option | None]] = []
    asked = 0
    for number, step in enumerate(course.steps, start=1):
        _ask(course, step, number)
        said = _guess(step, can_go_back=False)
        if isinstance(said, str):
            break
        asked = number
        if said is None or said.letter != step.right:
            missed.append((step, said))
    click.echo(f"\n{click.style(f'{asked - len(missed)} of {asked} right', bold=True)}")
    for step, said in missed:
        taken = f", not {said.text}" if said is not None else ""
        click.echo("\n" + wrapped(one_line(f"{step.title} {step.answer.text}{taken}"), "  ", first="- "))
        click.echo(f"  chipwise learn --topic {one_line(step.id)}")


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
    """Render the feedback on a guess: right or wrong, why, the arithmetic, the source of each other option, the lesson."""
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
