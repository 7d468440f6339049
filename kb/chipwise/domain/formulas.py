"""Records about how figures relate: what explains two, which equations bind several, what is assumed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from chipwise.numbers.intervals import Interval
from chipwise.values import dataclass

if TYPE_CHECKING:
    from typing import Annotated, Literal

    from chipwise.domain import columns as column


@dataclass(frozen=True, slots=True)
class Explanation:
    """A known transformation between two figures: one is `factors` times the other because they differ on `axis`.

    The greater figure has the value `more` on that axis and the lesser one `less`, where known.
    `dimensions` limits it to some dimensions, `where` to metrics with that axis, `among` to claims with
    one of those values of it; claims with a value in `never` are excluded. With `stated`, one side must
    state a value of the axis other than a chip's. With `same_digits`, only equal numbers qualify. With
    `written` ("iB"), one side must use that unit form. With `supposed`, the gap stays unresolved.
    """

    id: column.Some
    factors: Annotated[tuple[float, ...], column.NOT_EMPTY]
    says: str
    axis: column.AxisId = ""
    dimensions: tuple[column.DimensionId, ...] = ()
    stated: bool = False
    where: column.AxisId = ""
    among: tuple[str, ...] = ()
    never: column.Pairs[str, str] = ()
    more: str = ""
    less: str = ""
    same_digits: bool = False
    supposed: bool = False
    written: str = ""


ONE, ALL = "chip", "all"  # the scope of a variable: one chip, all chips, or "" for neither


@dataclass(frozen=True, slots=True)
class Variable:
    """A quantity with a role: "price" is the cost of one chip for an hour, "cost" the total in the end.

    `kinds` are the kinds of figures that a question may mean by it: a dimension, or what a bare number
    counts. `metric` and `axes` select the fact that may supply it, `model` a column of the table of
    models, `values` its value per number format. `whole` gives the direction in which the chips of the
    `total` are rounded: up for a need, down for a budget. An `end` is never an intermediate step: nothing
    is derived from it unless it is given or looked up. It prints in the first of its `units`, and in
    others that give a round number; a count is followed by `noun`.
    If a convention stands for `each_of`, the result is shown for each, with `note`.
    `words` tell two figures of a question apart.
    A text states it by `claims` on these metrics, or by any figure of the `figures` next to the others; a
    mismatch is a finding with this `code`. `tabled` variables may be looked up; `one_work` ones are equal
    for two chips that do the same work. `most` is the upper limit, if any.
    """

    id: column.Id
    name: column.Some
    dimension: str
    kinds: tuple[str, ...] = ()
    of: Literal["", "chip", "all"] = ""
    total: column.VariableId = ""
    whole: Literal["up", "down"] = "up"
    end: bool = False
    metric: column.MetricId = ""
    axes: column.Pairs[column.AxisId, str] = ()
    model: str = ""
    values: column.Pairs[str, float] = ()
    units: tuple[str, ...] = ()
    noun: str = ""
    digits: column.Digits = 4
    least: column.NotNegative = 0.0
    better: Literal["more", "less"] = "more"
    each_of: str = ""
    note: str = ""
    names: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    claims: tuple[column.MetricId, ...] = ()
    figures: tuple[str, ...] = ()
    code: column.Code = ""
    tabled: bool = False
    one_work: bool = False
    most: float = 0.0


@dataclass(frozen=True, slots=True)
class Equation:
    """`left` = `factor` x the product of `powers`, or the sum of its terms if `adds`.

    `powers` are pairs of variable and exponent (1 or -1 in a sum). `round` gives the direction in which
    a variable that counts whole things is rounded when it is solved for. `shows` is the printed factor,
    "" if the units say it; `in_units` the units of the printed arithmetic. `bound` is "at most" if `left`
    can only be less. An audit checks texts against it within `tolerance`.
    With `ends`, it may be the last step only to those variables. It never shares a derivation with the
    equations in `never_with` and never serves a variable in `never_for`.
    """

    id: column.Some
    left: column.VariableId
    powers: Annotated[column.Pairs[column.VariableId, int], column.NOT_EMPTY]
    says: str
    factor: column.Positive = 1.0
    adds: bool = False
    shows: str = ""
    bound: Literal["", "at most"] = ""
    round: column.Pairs[column.VariableId, str] = ()
    in_units: column.Pairs[column.VariableId, column.SolvedUnit] = ()
    source: str = ""
    quote: str = ""
    tolerance: column.NotNegative = 0.1
    cost: column.Positive = 1.0
    ends: tuple[str, ...] | None = None
    never_with: tuple[str, ...] = ()
    never_for: tuple[str, ...] = ()

    @property
    def variables(self) -> tuple[str, ...]:
        """All variables of the equation, left side first."""
        return (self.left, *(v for v, _ in self.powers))

    def solve(self, wanted: str, values: Mapping[str, Interval]) -> Interval:
        """Solve for one variable, given all others. The result is not rounded."""
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
    """A value assumed if nobody gives one, printed as an assumption with its reason.

    `low` and `high` are its ends in base units. With a `source`, it is cited by `quote`. With `words`, it
    holds only if the question contains one of them ("AdamW"), and is then stated, not assumed.
    """

    id: column.Some
    variable: column.VariableId
    low: float
    high: float
    says: str
    words: tuple[str, ...] = ()
    source: str = ""
    quote: str = ""
    cost: column.NotNegative = 2.0


@dataclass(frozen=True, slots=True)
class Duration:
    """A stretch of time that a question names by one of these `words`: "a week"."""

    id: column.Some
    seconds: column.Positive
    says: str
    words: column.Texts


@dataclass(frozen=True, slots=True)
class Words:
    """A named group of words that phrases share."""

    id: column.Some
    words: column.Texts
