"""A step as it is told: its texts filled in, which option is right, and what every figure rests on."""

from __future__ import annotations

import string
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from chipwise.errors import Underdetermined
from chipwise.figures.bindings import Sources
from chipwise.learning.figures import Cited, Figure, Figures
from chipwise.learning.lessons import Lesson, OptionSpec, named_in

LETTERS = string.ascii_lowercase


@dataclass(frozen=True, slots=True)
class Option:
    """One option: what it says, and of a wrong one where it comes from, in words and as arithmetic."""

    letter: str
    text: str
    trap: str
    sums: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the path: a scene, a question, and what there is to see once one has guessed.

    `right` is the letter of the right option. A number in brackets in `why`, in `sums` and in what an option
    comes from stands for the citation of that number; scene, question and options give nothing away.
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
        """The option of a letter, in any case; None where there is none."""
        return next((option for option in self.options if option.letter == letter.strip().lower()), None)


def make_step(lesson: Lesson, sources: Sources) -> Step:
    """The step with what its figures are today.

    Raises Underdetermined where a figure is not known, or where not just one option is right.
    """
    figures = Figures(sources)
    for name, spec in lesson.figures.items():
        figures.add(name, spec)
    options = lesson.option
    right = [option for option in options if _is_right(lesson, option, figures)]
    if len(right) != 1:
        raise Underdetermined(f"{len(right)} of the options are right", hint="its figures have changed: mend the step")
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
    """A text with its figures."""
    return template.format_map({name: shown(figure) for name, figure in figures.items()})


def _plain(figure: Figure) -> str:
    return figure.text


def _marked(figure: Figure) -> str:
    return figure.marked


def _is_right(lesson: Lesson, option: OptionSpec, figures: Figures) -> bool:
    """True for the figure that is asked for, and for a text all of whose conditions hold."""
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
