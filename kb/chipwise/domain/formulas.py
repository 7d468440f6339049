"""The records of how figures hang together: what explains two, what several must satisfy, what follows from some."""

from __future__ import annotations

from collections.abc import Mapping

from chipwise.numbers.intervals import Interval
from chipwise.values import dataclass


@dataclass(frozen=True, slots=True)
class Explanation:
    """A known transformation between two figures: one is `factors` of the other because they differ on `axis`.

    The greater one has `more` there and the lesser one `less`, where that is known. What must be `stated` holds only where one of them says a value of it other than a chip's.
    It holds for metrics that have the axis `where`, if one is given, and for claims with a value `among` those of it, if some
    are given, and for none with a value that is `never` so; what can only be `supposed` leaves a gap unresolved. With `same_digits` only between equal numbers. With
    `both_ways` a figure of one way counts twice beside one that may be of both. What is about how a unit is `written`
    ("iB") holds only where one of the two is written so.
    """

    id: str
    factors: tuple[float, ...]
    says: str
    axis: str = ""
    dimensions: tuple[str, ...] = ()
    stated: bool = False
    where: str = ""
    among: tuple[str, ...] = ()
    never: tuple[tuple[str, str], ...] = ()
    more: str = ""
    less: str = ""
    same_digits: bool = False
    supposed: bool = False
    both_ways: bool = False
    written: str = ""


ONE, ALL = "chip", "all"  # what a variable is of; "" where it is of neither


@dataclass(frozen=True, slots=True)
class Variable:
    """A quantity with a role: "price" is what one chip costs for an hour, "cost" what is paid in the end.

    `kinds` are the kinds of figures of a question that may be meant by it: a
    dimension, or what a bare number counts. `metric` and `axes` say which fact may give it, `model`
    which column of the table of models, `values` what it is for each number format. `whole` says which way chips are rounded that make up the `total`:
    up for what is needed, down for a budget. From an `end` nothing is derived unless it is given or looked up. It is printed in the first of its `units`, and in the
    others as well where they make a round number; a count is followed by `noun`.
    Where a convention stands for `each_of`, the result is shown for each convention of that, and `note` with it.
    `asks` are phrases that ask for it and `words` what else a question says of it; both are read by `answering`. It is only meant
    where the question has one of the words in `only_with`, if there are some.
    A text states it by `claims` on these metrics, or by any figure of what is in `figures` beside the others; where it
    does not follow from them that is a finding of that `code`. What is `tabled` may be looked up for it, and what
    is of `one_work` is the same for two chips that do one. Nothing has more of it than the `most`, where there is one.
    """

    id: str
    name: str
    dimension: str
    kinds: tuple[str, ...] = ()
    of: str = ""
    total: str = ""
    whole: str = "up"
    end: bool = False
    metric: str = ""
    axes: tuple[tuple[str, str], ...] = ()
    model: str = ""
    values: tuple[tuple[str, float], ...] = ()
    units: tuple[str, ...] = ()
    noun: str = ""
    digits: int = 4
    least: float = 0.0
    better: str = "more"
    each_of: str = ""
    note: str = ""
    names: tuple[str, ...] = ()
    asks: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    only_with: tuple[str, ...] = ()
    claims: tuple[str, ...] = ()
    figures: tuple[str, ...] = ()
    code: str = ""
    tabled: bool = False
    one_work: bool = False
    most: float = 0.0


@dataclass(frozen=True, slots=True)
class Equation:
    """`left` = `factor` x the product of `powers`, or, where `adds`, the sum of its terms.

    `powers` are pairs of variable and exponent (1 or -1 in a sum). `round` says which
    way a variable that counts whole things is rounded when it is solved for. `shows`
    is how the factor is printed, "" where the units say it; `in_units` the units in which
    the arithmetic is printed. `bound` is "at most" where `left` can only be less. An audit
    holds a text against it within `tolerance`.
    It may be the last step to the variables in `ends` alone, where these are given, and is
    `never_with` some others in one derivation, and no part of one of what it is `never_for`.
    """

    id: str
    left: str
    powers: tuple[tuple[str, int], ...]
    says: str
    factor: float = 1.0
    adds: bool = False
    shows: str = ""
    bound: str = ""
    round: tuple[tuple[str, str], ...] = ()
    in_units: tuple[tuple[str, str], ...] = ()
    source: str = ""
    quote: str = ""
    tolerance: float = 0.1
    cost: float = 1.0
    ends: tuple[str, ...] | None = None
    never_with: tuple[str, ...] = ()
    never_for: tuple[str, ...] = ()

    @property
    def variables(self) -> tuple[str, ...]:
        """All that it connects, its left side first."""
        return (self.left, *(v for v, _ in self.powers))

    def solve(self, wanted: str, values: Mapping[str, Interval]) -> Interval:
        """The value of one variable from those of the others, not rounded."""
        if self.adds:
            return self._solve_sum(wanted, values)
        if wanted == self.left:
            result = Interval.of(self.factor)
            for variable, power in self.powers:
                result = _times(result, values[variable], power)
            return result
        sought = dict(self.powers)[wanted]
        result = values[self.left] / Interval.of(self.factor)
        for variable, power in self.powers:
            if variable != wanted:
                result = _times(result, values[variable], -power)
        return result if sought > 0 else Interval.of(1.0) / result

    def _solve_sum(self, wanted: str, values: Mapping[str, Interval]) -> Interval:
        terms = [(v, sign) for v, sign in (*self.powers, (self.left, -1)) if v != wanted]
        own = dict((*self.powers, (self.left, -1)))[wanted]
        result = Interval.of(0.0)
        for variable, sign in terms:
            result = result + values[variable] if sign * own < 0 else result - values[variable]
        return result


def _times(value: Interval, other: Interval, power: int) -> Interval:
    for _ in range(abs(power)):
        value = value * other if power > 0 else value / other
    return value


@dataclass(frozen=True, slots=True)
class Convention:
    """A value that is taken where nobody gives one, and printed as an assumption with its reason.

    `low` and `high` are its ends, in base units; it is cited by `quote` of `source` where it
    has one. One with `words` holds only where the question says one of them ("AdamW"), and is then
    no assumption but what was said.
    """

    id: str
    variable: str
    low: float
    high: float
    says: str
    words: tuple[str, ...] = ()
    source: str = ""
    quote: str = ""
    cost: float = 2.0


@dataclass(frozen=True, slots=True)
class Duration:
    """A stretch of time that a question names by one of these `words`: "a week"."""

    id: str
    seconds: float
    says: str
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Words:
    """Words that phrases share, by what they have in common."""

    id: str
    words: tuple[str, ...]
