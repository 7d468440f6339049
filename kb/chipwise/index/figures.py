"""What answering ranks sentences by: the names in a sentence and the figures that it states."""

from __future__ import annotations

from dataclasses import dataclass

from chipwise.numbers.quantity import Quantity


@dataclass(frozen=True, slots=True)
class Figure:
    """One number that a sentence states; `start`, `end` count from the passage's start.

    `subject` or `metric` is empty where the text does not tell.
    """

    subject: str
    metric: str
    quantity: Quantity


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a passage with what it names.

    `entities` are named in it; `carried` are what it is about without naming
    them. Spans count from the passage's start.
    """

    start: int
    end: int
    entities: tuple[str, ...] = ()
    carried: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ()
    terms: tuple[str, ...] = ()
    figures: tuple[Figure, ...] = ()

    @property
    def subjects(self) -> tuple[str, ...]:
        """What it is about: named, or carried from before."""
        return self.entities or self.carried
