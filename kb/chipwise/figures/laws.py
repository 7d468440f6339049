"""What the network says of figures that texts state: each way to have one of them from the others.

    achieved   <- peak, mfu
    cost       <- chips, time, price
    mfu        <- peak, token_parameters, training_rate

Equations are put together until only what texts state is left. A sum, a bound and what only some questions may use are no laws.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from chipwise.domain.formulas import Variable
from chipwise.figures.network import GIVEN, Binding, Derivation, Network, Step
from chipwise.numbers.intervals import Interval
from chipwise.values import dataclass

_MOST_STEPS, _MOST_LEAVES = 3, 5


@dataclass(frozen=True, slots=True)
class Law:
    """`wanted` follows from `inputs`, which texts state, by `steps`; `assumed` are the conventions that it rests on."""

    network: Network
    wanted: Variable
    steps: tuple[Step, ...]
    inputs: tuple[Variable, ...]
    assumed: tuple[Binding, ...] = ()

    @property
    def variables(self) -> frozenset[str]:
        """All that has to be stated where it is held against a text."""
        return frozenset((self.wanted.id, *(v.id for v in self.inputs)))

    @property
    def tolerance(self) -> float:
        """The share by which figures may be off: the greatest of its equations'."""
        return max((s.equation.tolerance for s in self.steps), default=0.0)

    def derivation(self, values: Mapping[str, tuple[Interval, str]]) -> Derivation:
        """What follows from values, each with how it is printed."""
        given = (Binding(v.id, values[v.id][0], GIVEN, values[v.id][1]) for v in self.inputs)
        return Derivation(
            self.network, self.wanted.id, self.steps, {b.variable: b for b in (*given, *self.assumed)}, 0.0
        )

    def value(self, values: Mapping[str, Interval]) -> Interval:
        """What follows, in base units and not rounded."""
        known = {b.variable: b.value for b in self.assumed} | {v.id: values[v.id] for v in self.inputs}
        for step in self.steps:
            known[step.variable] = step.equation.solve(step.variable, known)
        return known[self.wanted.id]


def laws_of(network: Network) -> list[Law]:
    """The laws for everything whose breach is a finding, one for each set of variables: rather for the left side of an equation."""
    found: dict[tuple[bool, frozenset[str]], Law] = {}
    for wanted in network.variables.values():
        for law in ways(network, wanted) if wanted.code else ():
            key = wanted.one_work, law.variables  # of two chips is another law than of one
            if key not in found or _rank(law) < _rank(found[key]):
                found[key] = law
    return list(found.values())


def _rank(law: Law) -> tuple[int, bool]:
    return len(law.steps), law.steps[-1].equation.left != law.wanted.id


def ways(network: Network, wanted: Variable) -> Iterator[Law]:
    """Each way to have a variable from what texts state."""
    for steps, leaves in expansions(network, wanted, _is_stated, lambda v: _is_stated(v) and not v.code):
        inputs = tuple(v for v in map(network.variables.__getitem__, leaves) if _is_stated(v))
        assumed = [network.conventions_of[v][0] for v in leaves if not _is_stated(network.variables[v])]
        yield Law(network, wanted, steps[::-1], inputs, tuple(map(Binding.of_convention, assumed)))


def expansions(
    network: Network, wanted: Variable, is_leaf: Callable[[Variable], bool], ends: Callable[[Variable], bool]
) -> Iterator[tuple[tuple[Step, ...], tuple[str, ...]]]:
    """Steps to a variable, the last first, with the variables that they begin with: leaves, and what one convention settles.

    What `ends` is derived no further. A sum, a bound and what only some questions may use are no steps.
    """

    def expanded(
        open_: tuple[str, ...], steps: tuple[Step, ...], counted: int, seen: frozenset[str], leaves: tuple[str, ...]
    ) -> Iterator[tuple[tuple[Step, ...], tuple[str, ...]]]:
        if not open_:
            yield steps, leaves
            return
        at, *rest = open_
        known = network.variables[at]
        if steps and (is_leaf(known) or is_settled(network, at)):
            yield from expanded(tuple(rest), steps, counted, seen, (*leaves, at))
        if counted == _MOST_STEPS or len(leaves) == _MOST_LEAVES or (steps and ends(known)):
            return
        for equation in network.around[at]:
            inputs = [v for v in equation.variables if v != at]
            if not (equation.adds or equation.bound or equation.never_for) and seen.isdisjoint(inputs):
                more = counted + (len(inputs) > 1)  # that two things are one is no step
                yield from expanded((*rest, *inputs), (*steps, Step(equation, at)), more, seen | {*inputs}, leaves)

    yield from expanded((wanted.id,), (), 0, frozenset((wanted.id,)), ())


def _is_stated(variable: Variable) -> bool:
    return bool(variable.claims or variable.figures)


def is_settled(network: Network, variable: str) -> bool:
    """True for what is taken to be one value unless somebody says otherwise."""
    found = network.conventions_of.get(variable, ())
    return len(found) == 1 and not found[0].words and found[0].low == found[0].high
