"""The steps as written in `corpus/learn/*.toml`: texts with places for figures, and the definitions of those figures.

    scene = "A slide gives the H100 SXM {sparse} in BF16."
    figures.sparse = { of = "nvidia-h100-sxm", metric = "peak_compute", dtype = "bf16", sparsity = "2:4" }

The top of `corpus/learn/path.toml` explains the kinds of figures; `figures` calculates them.
"""

from __future__ import annotations

import string
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chipwise.corpus import shipped_folder
from chipwise.errors import DomainInvalid, SourceUnknown
from chipwise.files import paths_in

Spec = Mapping[str, Any]  # the definition of a figure, as its TOML table


@dataclass(frozen=True, slots=True)
class OptionSpec:
    """An option: a figure, or a `text` that is right `when` one expression exceeds another. `trap` explains the mistake."""

    figure: str = ""
    text: str = ""
    when: tuple[Mapping[str, str], ...] = ()
    trap: str = ""

    @property
    def template(self) -> str:
        """Its text, in which a figure has its place."""
        return self.text or f"{{{self.figure}}}"


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
    topics: Mapping[str, str]

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
    place = ""
    try:
        for path in paths_in(folder or shipped_folder() / "learn", ".toml"):
            place = str(path)
            data = tomllib.loads(Path(path).read_text("utf-8"))
            topics |= {row["id"]: row["name"] for row in data.get("topic", ())}
            for row in data.get("step", ()):
                place = f"{path}: step {row.get('id', '')}"
                lessons.append(_lesson(row))
    except (OSError, ValueError, KeyError, TypeError) as error:  # TOML's and Unicode's errors are ValueErrors
        raise DomainInvalid(f"{place}: {error}", hint="fix that file") from None
    return Lessons(tuple(lessons), topics)


def _lesson(row: dict[str, Any]) -> Lesson:
    options = tuple(OptionSpec(**{**option, "when": tuple(option.get("when", ()))}) for option in row["option"])
    words = {name: " ".join(row[name].split()) for name in ("title", "scene", "question", "why", "rule")}
    lesson = Lesson(**{**row, **words, "tries": tuple(row["tries"]), "option": options})
    if missing := [name for name in named_in(*texts(lesson)) if name not in lesson.figures]:
        raise ValueError(f"no figure is called {missing[0]!r}")
    return lesson


def texts(lesson: Lesson) -> tuple[str, ...]:
    """All texts with places for figures, including the names of option figures."""
    options = [f"{option.template} {option.trap}" for option in lesson.option]
    answer = f"{{{lesson.answer}}}" if lesson.answer else ""
    return (lesson.scene, lesson.question, *options, lesson.why, lesson.rule, answer)


def named_in(*templates: str) -> list[str]:
    """List the figures that texts have places for, in order, each once. Raises ValueError for an unmatched brace."""
    fields = (name for text in templates for _, name, _, _ in string.Formatter().parse(text))
    return list(dict.fromkeys(name for name in fields if name is not None))
