"""The course and its steps as shown: texts with today's figures, the right option, and what each figure rests on."""

from __future__ import annotations

import string
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from chipwise.errors import Ambiguous, NameUnknown, Underdetermined
from chipwise.figures.bindings import Sources
from chipwise.learning.figures import Cited, Figure, Figures
from chipwise.learning.lessons import Lesson, OptionSpec, named_in, read_lessons

LETTERS = string.ascii_lowercase


@dataclass(frozen=True, slots=True)
class Option:
    """An option: its text and, if wrong, the mistake behind it, in words and as arithmetic."""

    letter: str
    text: str
    trap: str
    sums: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """A step of the course: a scene, a question, and the explanation shown after a guess.

    `right` is the letter of the right option. A number in brackets in `why`, in `sums` and in an option's trap
    refers to the citation with that number; scene, question and options give nothing away.
    """

    id: str
    topic: str
    title: str
    scene: str
    question: str
    options: tuple[Option, ...]
    right: str
    why: str
    sums: tuple[str, ...]
    assumptions: tuple[str, ...]
    rule: str
    read: str
    tries: tuple[str, ...]
    citations: tuple[Cited, ...]

    @property
    def answer(self) -> Option:
        """The right option."""
        return next(option for option in self.options if option.letter == self.right)

    def option(self, letter: str) -> Option | None:
        """Return the option with a letter, in either case, or None."""
        return next((option for option in self.options if option.letter == letter.strip().lower()), None)


def make_step(lesson: Lesson, sources: Sources) -> Step:
    """Build a step with today's figures.

    Raises Underdetermined if a figure is unknown, or unless exactly one option is right.
    """
    figures = Figures(sources)
    for name, spec in lesson.figures.items():
        figures.add(name, spec)
    options = lesson.option
    right = [option for option in options if _is_right(lesson, option, figures)]
    if len(right) != 1:
        raise Underdetermined(f"{len(right)} of the options are right", hint="its figures changed: fix the step")
    made = [_option(letter, option, figures) for letter, option in zip(LETTERS, options, strict=False)]
    answer = options.index(right[0])
    shown = [*([lesson.answer] if lesson.answer else []), *named_in(right[0].text, lesson.why, lesson.rule)]
    return Step(
        id=lesson.id,
        topic=lesson.topic,
        title=lesson.title,
        scene=filled(lesson.scene, figures.made, _plain),
        question=filled(lesson.question, figures.made, _plain),
        options=tuple(made),
        right=made[answer].letter,
        why=filled(lesson.why, figures.made, _marked),
        sums=_sums(shown, figures.made),
        assumptions=tuple(figures.assumed),
        rule=filled(lesson.rule, figures.made, _marked),
        read=lesson.read,
        tries=lesson.tries,
        citations=tuple(figures.cited.values()),
    )


def filled(template: str, figures: Mapping[str, Figure], shown: Callable[[Figure], str]) -> str:
    """Fill a text with its figures."""
    return template.format_map({name: shown(figure) for name, figure in figures.items()})


def _plain(figure: Figure) -> str:
    return figure.text


def _marked(figure: Figure) -> str:
    return figure.marked


def _is_right(lesson: Lesson, option: OptionSpec, figures: Figures) -> bool:
    """True for the figure asked for, and for a text whose conditions all hold."""
    if lesson.answer:
        return figures.made[option.figure].text == figures.made[lesson.answer].text
    return all(figures.value(c["more"]) > figures.value(c["than"]) for c in option.when)


def _option(letter: str, option: OptionSpec, figures: Figures) -> Option:
    template = option.text or f"{{{option.figure}}}"
    shown = [name for name in (option.figure, *named_in(option.text, option.trap)) if name]
    sums = _sums(shown, figures.made)
    return Option(letter, filled(template, figures.made, _plain), filled(option.trap, figures.made, _marked), sums)


def _sums(names: Sequence[str], figures: Mapping[str, Figure]) -> tuple[str, ...]:
    """The arithmetic behind some figures, each line once."""
    return tuple(dict.fromkeys(line for name in names for line in figures[name].sums))


@dataclass(frozen=True, slots=True)
class Course:
    """Steps in order. `topics` are those of the whole course; `left_out` gives each step without figures here, and why."""

    steps: tuple[Step, ...]
    topics: Mapping[str, str]
    left_out: tuple[str, ...] = ()


def course(sources: Sources, topic: str = "") -> Course:
    """Return all steps, those of a topic, or the step with that id. Raises SourceUnknown for an unknown topic.

    A step is left out if the knowledge base lacks one of its figures, as one without the shipped sources does.
    """
    path = read_lessons()
    steps: list[Step] = []
    left_out: list[str] = []
    for lesson in path.about(topic):
        try:
            steps.append(make_step(lesson, sources))
        except (Ambiguous, NameUnknown, Underdetermined) as error:
            left_out.append(f"left out {lesson.title!r}: {error}")
    return Course(tuple(steps), path.topics, tuple(left_out))
