"""The steps as they are written in `corpus/learn/*.toml`: words with places for figures, and what those figures are.

    scene = "A slide gives the H100 SXM {sparse} in BF16."
    figures.sparse = { of = "nvidia-h100-sxm", metric = "peak_compute", dtype = "bf16", sparsity = "2:4" }

Which kinds of figures there are is told at the top of `corpus/learn/path.toml`. What they come to is for `figures`.
"""

from __future__ import annotations

import string
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from chipwise.corpus import shipped_folder
from chipwise.errors import DomainInvalid, SourceUnknown
from chipwise.files import paths_in

FEWEST = 2  # options of a question
Spec = Mapping[str, Any]  # what a figure is, as its table says it


@dataclass(frozen=True, slots=True)
class OptionSpec:
    """One option: a figure, or `text` that holds `when` one expression is more than another. `trap` says what is wrong with it."""

    figure: str = ""
    text: str = ""
    when: tuple[Mapping[str, str], ...] = ()
    trap: str = ""


@dataclass(frozen=True, slots=True)
class Lesson:
    """One step. `answer` is the figure that is asked for, "" where the options hold under conditions."""

    id: str
    topic: str
    title: str
    scene: str
    question: str
    why: str
    rule: str
    read: str  # the primer that tells more
    tries: tuple[str, ...]  # commands that go on from here
    option: tuple[OptionSpec, ...]
    figures: Mapping[str, Spec]
    answer: str = ""


@dataclass(frozen=True, slots=True)
class Lessons:
    """The whole path in its order, and what its topics are called."""

    lessons: tuple[Lesson, ...]
    topics: Mapping[str, str] = field(default_factory=dict)

    def about(self, topic: str) -> tuple[Lesson, ...]:
        """The steps of a topic, or the one of that name; all for "". Raises SourceUnknown, naming the topics."""
        wanted = "-".join(topic.lower().split())
        found = tuple(lesson for lesson in self.lessons if wanted in ("", lesson.topic, lesson.id))
        if not found:
            raise SourceUnknown(f"there is no topic {topic!r}", hint=f"the topics are {', '.join(self.topics)}")
        return found


def read_lessons(folder: Path | None = None) -> Lessons:
    """All steps, by file name and their order in it. Raises DomainInvalid, naming the file and the step."""
    topics: dict[str, str] = {}
    lessons: list[Lesson] = []
    for path in paths_in(folder or shipped_folder() / "learn", ".toml"):
        try:
            data = tomllib.loads(Path(path).read_text("utf-8"))
        except (OSError, ValueError) as error:  # TOML's and Unicode's errors are ValueErrors
            raise DomainInvalid(f"{path}: {error}", hint="mend that file") from None
        topics |= {str(row.get("id", "")): str(row.get("name", "")) for row in data.get("topic", [])}
        lessons += [_lesson(row, f"{path}: step {row.get('id', number)}") for number, row in _rows(data)]
    for lesson in lessons:
        if lesson.topic not in topics or sum(other.id == lesson.id for other in lessons) > 1:
            raise DomainInvalid(f"step {lesson.id} is there twice, or of no [[topic]]", hint="mend that step")
    return Lessons(tuple(lessons), topics)


def _rows(data: Mapping[str, Any]) -> Iterator[tuple[int, dict[str, Any]]]:
    yield from enumerate(data.get("step", []), start=1)


def _lesson(row: dict[str, Any], place: str) -> Lesson:
    known = {f.name for f in fields(Lesson)}
    if set(row) | {"answer"} != known:
        different = ", ".join(sorted((set(row) | {"answer"}) ^ known))
        raise DomainInvalid(f"{place} lacks or has too much: {different}", hint="mend that step")
    try:
        options = tuple(OptionSpec(**{**option, "when": tuple(option.get("when", ()))}) for option in row["option"])
    except TypeError as error:
        raise DomainInvalid(f"{place}: {error}", hint="mend that step") from None
    words = {name: " ".join(row[name].split()) for name in ("title", "scene", "question", "why", "rule")}
    lesson = Lesson(**{**row, **words, "tries": tuple(row["tries"]), "option": options})
    _check(lesson, place)
    return lesson


def _check(lesson: Lesson, place: str) -> None:
    """Raises DomainInvalid for a place without a figure, and for options of which none could be told to be right."""
    missing = [name for name in named_in(*texts(lesson)) if name not in lesson.figures]
    if missing:
        raise DomainInvalid(f"{place}: no figure is called {missing[0]!r}", hint="name it under [step.figures]")
    if len(lesson.option) < FEWEST or not all(_is_decidable(lesson, option) for option in lesson.option):
        raise DomainInvalid(
            f"{place}: each option is a figure where the step has an answer, else a text with `when`",
            hint="mend its options",
        )


def _is_decidable(lesson: Lesson, option: OptionSpec) -> bool:
    if lesson.answer:
        return bool(option.figure) and not option.when
    return bool(option.text) and all(set(condition) == {"more", "than"} for condition in option.when)


def texts(lesson: Lesson) -> tuple[str, ...]:
    """All that has places for figures, its figures' names included."""
    options = [f"{o.text} {o.trap} {{{o.figure}}}" if o.figure else f"{o.text} {o.trap}" for o in lesson.option]
    answer = f"{{{lesson.answer}}}" if lesson.answer else ""
    return (lesson.scene, lesson.question, *options, lesson.why, lesson.rule, answer)


def named_in(*templates: str) -> list[str]:
    """The figures that texts have places for, in order, each once. Raises DomainInvalid for a brace that stands alone."""
    try:
        found = [name for text in templates for _, name, _, _ in string.Formatter().parse(text) if name is not None]
    except ValueError as error:
        raise DomainInvalid(f"{error}: {templates[0][:60]!r}", hint="write {NAME} for a figure") from None
    return list(dict.fromkeys(found))
