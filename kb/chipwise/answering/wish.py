"""What a question wants worked out, and how surely: `wishes` reads it off the question, the plans for a sum go by it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import field

from chipwise.domain.formulas import Variable
from chipwise.values import dataclass

FIT, NOTHING = "fit", ""  # what is wanted beside variables: whether it fits; no sum
SURE = 0.6  # probability
LEAST = 0.04  # below which something else is meant
_NAMED = 3.0  # times as likely
_NEED = "need"  # the variable of what has to fit


@dataclass(frozen=True, slots=True)
class Wish:
    """The probability of each variable, of FIT and of NOTHING; empty where nothing tells."""

    shares: Mapping[str, float] = field(default_factory=dict)

    @property
    def surely(self) -> str | None:
        """What is wanted without much doubt; None where nothing is sure."""
        likeliest = max(self.shares, key=self.shares.__getitem__, default=None)
        return likeliest if likeliest is not None and self.shares[likeliest] >= SURE else None

    def is_one_of(self, wants: Collection[str]) -> bool:
        """True where one of these is wanted without much doubt, whichever: what a model needs, its weights, whether that fits."""
        return sum(self.shares.get(want, 0.0) for want in wants) >= SURE

    def given(self, known: Collection[str], named: Collection[str]) -> Wish:
        """The same where some variables are known, and not wanted, and the metrics of others are named, which makes them likelier."""
        left = {v: share * (_NAMED if v in named else 1) for v, share in self.shares.items() if v not in known}
        return Wish({v: share / (sum(left.values()) or 1.0) for v, share in left.items()})

    def of(self, variable: Variable, variables: Mapping[str, Variable]) -> float:
        """How likely a variable is wanted: of one chip or of all, which the figures decide."""
        every = {variable.id, variable.total, *(v.id for v in variables.values() if v.total == variable.id)}
        every |= {FIT} if variable.id == _NEED else set()
        return sum(self.shares.get(v, 0.0) for v in every if v)
