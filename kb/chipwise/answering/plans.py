"""One way to answer a question for a sum, and how well it does so."""

from __future__ import annotations

from chipwise.answering.targets import Target
from chipwise.figures.derivation import Derivation
from chipwise.values import dataclass


@dataclass(frozen=True)
class Plan:
    """One way to answer: a derivation, for the chip or provider `label` where there are several, and the words left over."""

    target: Target
    derivation: Derivation
    unused: tuple[str, ...]
    loose: int
    label: str = ""

    @property
    def rank(self) -> tuple[float, ...]:
        """Which of several plans is meant goes by this, the least first."""
        return (len(self.unused), self.loose, -self.target.length, self.derivation.cost)
