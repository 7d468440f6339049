"""What a figure has to keep to, and of what it is one: "at least 100 GB", "in 5 nm", "between 300 and 400 W"."""

from __future__ import annotations

from dataclasses import dataclass

from chipwise.asking.question import Question
from chipwise.asking.verdict import NO_LESS_THAN, NO_MORE_THAN, Bound
from chipwise.domain.model import Domain
from chipwise.numbers.quantity import Quantity


@dataclass(frozen=True, slots=True)
class Limit:
    """What a figure has to keep to: "at least 100 GB", "in 5 nm", "between 300 and 400 W" with both of these."""

    bound: Bound
    stated: Quantity

    @property
    def is_range(self) -> bool:
        """True for "300 to 400 W", which has both ends in it."""
        return self.bound.is_as_stated and self.stated.form == "range"

    @property
    def is_exact(self) -> bool:
        """True for "in 5 nm", where no bound is put."""
        return self.bound.is_as_stated and not self.is_range

    def met(self, amount: float) -> bool:
        """True where a figure keeps to it."""
        q = self.stated
        if self.is_range:
            return NO_LESS_THAN.met(amount, q.low) and NO_MORE_THAN.met(amount, q.high)
        return self.bound.met(amount, q.high if q.bound == "at most" else q.low if q.bound == "at least" else q.middle)


def metric_of(question: Question, stated: Quantity, domain: Domain) -> str:
    """The metric named, else the one thing of that dimension, or the one main thing, that a chip has."""
    named = [m for m in question.metrics if domain.metrics[m].dimension == stated.dimension]
    known = [m for m in domain.metrics.values() if m.dimension == stated.dimension and m.nature == "specified"]
    main = [m.id for m in known if m.main or len(known) == 1]
    return named[0] if named else main[0] if len(main) == 1 else ""
