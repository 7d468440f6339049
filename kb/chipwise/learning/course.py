"""The path, or the part of it that is about one topic, with today's figures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from chipwise.errors import Ambiguous, NameUnknown, Underdetermined
from chipwise.figures.bindings import Sources
from chipwise.learning.lessons import read_lessons
from chipwise.learning.steps import Step, make_step


@dataclass(frozen=True, slots=True)
class Course:
    """Steps in their order; `topics` names those of the whole path, `left_out` says which step cannot be told here, and why."""

    steps: tuple[Step, ...]
    topics: Mapping[str, str]
    left_out: tuple[str, ...] = ()


def course(sources: Sources, topic: str = "") -> Course:
    """All steps, or those of a topic, or the one of that id. Raises SourceUnknown for a topic that there is not.

    A step is left out where the knowledge base lacks one of its figures, as one without the shipped sources does.
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
