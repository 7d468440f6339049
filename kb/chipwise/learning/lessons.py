"""The steps as written in `corpus/learn/*.toml`: texts with places for figures, and the definitions of those figures.

    scene = "A slide gives the H100 SXM {sparse} in BF16."
    figures.sparse = { of = "nvidia-h100-sxm", metric = "peak_compute", dtype = "bf16", sparsity = "2:4" }

The top of `corpus/learn/path.toml` explains the kinds of figures; `figures` calculates them.
"""

from __future__ import annotations

import string
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from chipwise.corpus import shipped_folder
from chipwise.errors import DomainInvalid, SourceUnknown
from chipwise.files import paths_in

FEWEST = 2  # options of a question
Spec = Mapping[str, Any]  # the definition of a figure, as its TOML table


@dataclass(frozen=True, slots=True)
class OptionSpec:
    """An option: a figure, or a `text` that is right `when` one expression exceeds another. `trap` explains the mistake."""

    figure: str = ""
    text: str = ""
    when: tuple[Mapping[str, str], ...] = ()
    trap: str = ""


@dataclass(frozen=True, slots=True)
class Lesson:
    """A step. `answer` is the figure asked for, "" if the options depend on conditions."""

    id: str
    topic: str
    title: str
    scene: str
    question: str
    why: str
    rule: str
    read: str  # the primer with more on this
    tries: tuple[str, ...]  # commands to try next
    option: tuple[OptionSpec, ...]
    figures: Mapping[str, Spec]
    answer: str = ""


@dataclass(frozen=True, slots=True)
class Lessons:
    """The whole course in order, and the names of its topics."""

    lessons: tuple[Lesson, ...]
    topics: Mapping[str, str] = field(default_factory=dict)

    def about(self, topic: str) -> tuple[Lesson, ...]:
        """Return the steps of a topic, or the one with that id; all for "". Raises SourceUnknown, listing the topics."""
        wanted = "-".join(topic.lower().split())
        lessons = tuple(lesson for lesson in self.lessons if wanted in ("", lesson.topic, lesson.id))
        if not lessons:
            raise SourceUnknown(f"there is no topic {topic!r}", hint=f"the topics are {', '.join(self.topics)}")
        return lessons


def read_lessons(folder: Path | None = None) -> Lessons:
    """Read all steps, ordered by file name and by position. Raises DomainInvalid, naming the file and the step."""
    topics: dict[str, str] = {}
    lessons: list[Lesson] = []
    for path in paths_in(folder or shipped_folder() / "learn", ".toml"):
        try:
            data = tomllib.loads(Path(path).read_text("utf-8"))
        except (OSError, ValueError) as error:  # TOML's and Unicode's errors are ValueErrors
            raise DomainInvalid(f"{path}: {error}", hint="fix that file") from None
        topics |= {str(row.get("id", "")): str(row.get("name", "")) for row in data.get("topic", [])}
        rows = enumerate(data.get("step", []), start=1)
        lessons += [_lesson(row, f"{path}: step {row.get('id', number)}") for number, row in rows]
    for lesson in lessons:
        if lesson.topic not in topics or sum(other.id == lesson.id for other in lessons) > 1:
            raise DomainInvalid(f"step {lesson.id} is a duplicate, or has no [[topic]]", hint="fix that step")
    return Lessons(tuple(lessons), topics)


def _lesson(row: dict[str, Any], place: str) -> Lesson:
    keys = {f.name for f in fields(Lesson)}
    if set(row) | {"answer"} != keys:
        different = ", ".join(sorted((set(row) | {"answer"}) ^ keys))
        raise DomainInvalid(f"{place}: missing or unknown keys: {different}", hint="fix that step")
    try:
        options = tuple(OptionSpec(**{**option, "when": tuple(option.get("when", ()))}) for option in row["option"])
    except TypeError as error:
        raise DomainInvalid(f"{place}: {error}", hint="fix that step") from None
    words = {name: " ".join(row[name].split()) for name in ("title", "scene", "question", "why", "rule")}
    lesson = Lesson(**{**row, **words, "tries": tuple(row["tries"]), "option": options})
    _check(lesson, place)
    return lesson


def _check(lesson: Lesson, place: str) -> None:
    """Raise DomainInvalid for a place without a figure, and for options that can't be decided."""
    missing = [name for name in named_in(*texts(lesson)) if name not in lesson.figures]
    if missing:
        raise DomainInvalid(f"{place}: no figure is called {missing[0]!r}", hint="name it under [step.figures]")
    if len(lesson.option) < FEWEST or not all(_is_decidable(lesson, option) for option in lesson.option):
        raise DomainInvalid(
            f"{place}: an option must be a figure if the step has an answer, else a text with `when`",
            hint="fix its options",
        )


def _is_decidable(lesson: Lesson, option: OptionSpec) -> bool:
    if lesson.answer:
        return bool(option.figure) and not option.when
    return bool(option.text) and all(set(condition) == {"more", "than"} for condition in option.when)


def texts(lesson: Lesson) -> tuple[str, ...]:
    """All texts with places for figures, including the names of option figures."""
    options = [f"{o.text} {o.trap} {{{o.figure}}}" if o.figure else f"{o.text} {o.trap}" for o in lesson.option]
    answer = f"{{{lesson.answer}}}" if lesson.answer else ""
    return (lesson.scene, lesson.question, *options, lesson.why, lesson.rule, answer)


def named_in(*templates: str) -> list[str]:
    """List the figures that texts have places for, in order, each once. Raises DomainInvalid for an unmatched brace."""
    try:
        fields = [name for text in templates for _, name, _, _ in string.Formatter().parse(text) if name is not None]
    except ValueError as error:
        raise DomainInvalid(f"{error}: {templates[0][:60]!r}", hint="write {NAME} for a figure") from None
    return list(dict.fromkeys(fields))
