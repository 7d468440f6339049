"""The course and its steps as shown: texts with today's figures, the right option, and what each figure rests on."""

from __future__ import annotations

import string
from collections.abc import Mapping
from dataclasses import dataclass

from chipwise.errors import Ambiguous, NameUnknown, Underdetermined
from chipwise.figures.bindings import Sources
from chipwise.learning.figures import Cited, Figures
from chipwise.learning.lessons import Lesson, OptionSpec, read_lessons


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
    letters = dict(zip(string.ascii_lowercase, lesson.option, strict=False))
    right = [letter for letter, option in letters.items() if _is_right(lesson, option, figures)]
    if len(right) != 1:
        raise Underdetermined(f"{len(right)} of the options are right", hint="its figures changed: fix the step")
    options = tuple(
        Option(x, figures.fill(o.template), figures.fill(o.trap, marked=True), figures.sums(o.template, o.trap))
        for x, o in letters.items()
    )
    answer = f"{{{lesson.answer}}}" if lesson.answer else ""
    return Step(
        id=lesson.id,
        topic=lesson.topic,
        title=lesson.title,
        scene=figures.fill(lesson.scene),
        question=figures.fill(lesson.question),
        options=options,
        right=right[0],
        why=figures.fill(lesson.why, marked=True),
        sums=figures.sums(answer, letters[right[0]].text, lesson.why, lesson.rule),
        assumptions=tuple(figures.assumed),
        rule=figures.fill(lesson.rule, marked=True),
        read=lesson.read,
        tries=lesson.tries,
        citations=tuple(figures.cited.values()),
    )


def _is_right(lesson: Lesson, option: OptionSpec, figures: Figures) -> bool:
    """True for the figure asked for, and for a text whose conditions all hold."""
    if lesson.answer:
        return figures.made[option.figure].text == figures.made[lesson.answer].text
    return all(figures.value(c["more"]) > figures.value(c["than"]) for c in option.when)


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
