"""From what is given to what is wanted: the cheapest derivation in the network of equations that uses every given figure.

    wanted: cost per million tokens; given: 3,800 tokens/s, 2 USD/hour
        ->  price / token rate / 3,600 s/hour = 0.146 USD per million tokens

A search over partial derivations, cheapest first (A*, with the least that is left to pay by Knuth, "A generalization of
Dijkstra's algorithm", 1977, as the estimate). A given figure costs nothing, a fact little, a convention more, and each
equation one. A derivation that leaves a given figure unused is none: the question was about something else. Where two of
equal cost give different results, nobody knows which is meant, and Ambiguous says so.

The other way round, `laws_of` has each way in which figures that texts state follow from each other, by equations put
together: "cost <- chips, time, price". A sum, a bound and what only some questions may use are no laws.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count

from chipwise.domain.formulas import Equation, Variable
from chipwise.domain.model import Domain
from chipwise.errors import Ambiguous, NameUnknown, QuestionInvalid, Underdetermined
from chipwise.figures.network import GIVEN, Binding, Derivation, Network, Step, network_of
from chipwise.numbers.intervals import Interval
from chipwise.values import dataclass

Amount = str | float | tuple[float, float]

MOST_STATES = 1500  # partial derivations looked at: what answers a question is found among the first few hundred
MOST_EQUATIONS = 9
MOST_FOUND = 6  # derivations beside the cheapest
ALIKE = 0.005  # results as near as that are one
_OTHER, _SLIGHTLY = 7.0, 0.02  # a figure matters whose change by that factor changes the result by more than that share
UNKNOWN = "unknown"  # the source of what would have to be given
_UNKNOWN_COST = 10.0  # more than any derivation without it
SHARED = frozenset(("width", "format"))  # tokens that may say two things at once: the bits of weights and of a cache

Available = Callable[[str], Sequence[Binding]]  # by variable what may stand for it, the givens aside

_Chosen = Mapping[str, "Equation | Binding"]
_MOST_STEPS, _MOST_LEAVES = 3, 5


@dataclass(frozen=True, slots=True)
class _State:
    """A derivation in the making: how each variable so far is had, those that are still open, and the figures used."""

    chosen: _Chosen
    open: tuple[str, ...]
    paid: float
    equations: int
    used: frozenset[str]


def solve(
    wanted: str, given: Mapping[str, Amount], domain: Domain | None = None, available: Available | None = None
) -> Derivation:
    """What follows from given figures, by the names of variables.

    "cost per million tokens", {"token rate": "3800 tokens/s", "price": "2 USD/hour"}  ->  0.1462 USD per million tokens

    A figure is text with its unit, a number in the variable's first unit, or a pair of such numbers.
    Without `available`, only conventions stand for what is not given. Raises NameUnknown for a variable or unit that nobody knows, Underdetermined and Ambiguous as `derive` does.
    """
    if domain is None:
        from chipwise.corpus import domain_folder  # noqa: PLC0415
        from chipwise.domain.files import read_domain  # noqa: PLC0415

        domain = read_domain(domain_folder())
    network = network_of(domain)
    bound = [bind(domain, network, variable(network, name), amount) for name, amount in given.items()]
    return derive(network, variable(network, wanted).id, bound, available or (lambda v: conventions(network, v)))


def conventions(network: Network, variable_: str, said: Collection[str] = ()) -> list[Binding]:
    """The conventions that may stand for a variable; those with words only where one of these is `said`."""
    found = network.conventions_of.get(variable_, ())
    return [Binding.of_convention(c) for c in found if not c.words or not set(c.words).isdisjoint(said)]


def variable(network: Network, name: str) -> Variable:
    """The variable of that name. Raises NameUnknown with those that come near."""
    found = network.find(name)
    if found is None:
        import difflib  # noqa: PLC0415

        known = [v.name for v in network.variables.values()]
        close = difflib.get_close_matches(name.lower(), known, n=3, cutoff=0.5)
        hint = f"did you mean {' or '.join(close)}?" if close else f"there are {', '.join(known[:8])} and others"
        raise NameUnknown(f"no quantity is called {name!r}", hint=hint)
    return found


def bind(domain: Domain, network: Network, wanted: Variable, amount: Amount) -> Binding:
    """An amount as a value of a variable. Raises NameUnknown where its unit is of another dimension."""
    if not isinstance(amount, str):
        low, high = amount if isinstance(amount, tuple) else (amount, amount)
        scale = network.scales[wanted.units[0]] if wanted.units else 1.0
        return Binding.of(wanted.id, Interval(low * scale, high * scale))
    found = domain.unit_table.find_all(amount)
    if len(found) != 1:
        raise QuestionInvalid(f"{amount!r} is not one amount", hint='give one with its unit, such as "3,800 tokens/s"')
    q = found[0]
    if q.dimension not in (wanted.dimension, "number") or (q.dimension == "number" and wanted.units):
        units = " or ".join(wanted.units) or "a plain number"
        raise NameUnknown(f"{amount!r} is not a {wanted.name}", hint=f"give it in {units}")
    low, high = (q.low, q.high) if q.form == "range" else (q.middle, q.middle)
    return Binding.of(wanted.id, Interval(low, high))


def derive(network: Network, wanted: str, given: Sequence[Binding], available: Available) -> Derivation:
    """The cheapest derivation of `wanted` that uses all figures that are `given`, each in one of its readings.

    Raises Underdetermined where there is none, naming what is missing, and Ambiguous where two of equal cost differ.
    """
    try:
        found = list(derivations(network, wanted, given, available))
    except (ArithmeticError, ValueError):
        raise QuestionInvalid("nothing follows from figures of that size", hint="give none that is 0 or huge") from None
    if not found:
        raise Underdetermined(*_what_is_missing(network, wanted, given, available))
    first = found[0]
    for other in found[1:]:
        if not agree(first, other):
            raise Ambiguous(
                f"{network.variables[wanted].name} can be had in two ways that differ: {first.says()}, or {other.says()}",
                hint="say for each figure whether it is for one chip or for all",
            )
    return first


def derivations(
    network: Network,
    wanted: str,
    given: Sequence[Binding],
    available: Available,
    optional: Collection[str] = (),
    accepts: Callable[[Derivation], bool] = lambda _: True,
) -> list[Derivation]:
    """The derivations that use every given figure, but for the `optional` ones, the cheapest first.

    They cost no more than the cheapest; what is not accepted is passed over.
    """
    required = {b.figure for b in given if b.figure} - set(optional)
    found: list[Derivation] = []
    for derivation in _Search(network, wanted, given, available).complete():
        if found and (derivation.cost > found[0].cost or len(found) >= MOST_FOUND):
            break
        used = {b.figure for b in derivation.bindings.values() if b.figure and _matters(derivation, b)}
        if required <= used and accepts(derivation):
            found.append(derivation)
    return found


def _matters(derivation: Derivation, binding: Binding) -> bool:
    """False for a figure that cancels out: one that is multiplied by a price and divided by it again is not used."""
    value = Interval(binding.value.low * _OTHER, binding.value.high * _OTHER)
    changed = derivation.with_binding(replace(binding, value=value)).value
    return not math.isclose(changed.high, derivation.value.high, rel_tol=_SLIGHTLY)


def agree(a: Derivation, b: Derivation) -> bool:
    """True where both give the same result."""
    ends = ((a.value.low, b.value.low), (a.value.high, b.value.high))
    return all(math.isclose(x, y, rel_tol=ALIKE) for x, y in ends)


class _Search:
    """One search: what may stand for each variable, and the least that each can cost."""

    def __init__(self, network: Network, wanted: str, given: Sequence[Binding], available: Available) -> None:
        self.network, self.wanted = network, wanted
        readings: dict[str, list[Binding]] = {}
        for binding in given:
            readings.setdefault(binding.figure, []).append(binding)
        # what a figure can only be is that, and need not be derived
        self.settled = {found[0].variable for found in readings.values() if len(found) == 1}
        self.leaves: dict[str, tuple[Binding, ...]] = {}
        for variable_ in network.variables:
            own = tuple(b for b in given if b.variable == variable_)
            self.leaves[variable_] = own if variable_ in self.settled else (*own, *available(variable_))
        self.least = self._least()

    def _least(self) -> dict[str, float]:
        """By variable the least that any derivation of it costs; one that cannot be had is missing."""
        least = {v: min(b.cost for b in bindings) for v, bindings in self.leaves.items() if bindings}
        queue = [(cost, v) for v, cost in least.items()]
        heapq.heapify(queue)
        while queue:
            cost, variable_ = heapq.heappop(queue)
            if cost > least.get(variable_, math.inf):
                continue
            for equation in self.network.around[variable_]:
                for target in equation.variables:
                    others = [v for v in equation.variables if v != target]
                    if target == variable_ or target in self.settled or any(v not in least for v in others):
                        continue
                    if self.network.variables[target].end and target != self.wanted:
                        continue
                    through = equation.cost + sum(least[v] for v in others)
                    if through < least.get(target, math.inf):
                        least[target] = through
                        heapq.heappush(queue, (through, target))
        return least

    def complete(self) -> Iterator[Derivation]:
        """Derivations of `wanted`, the cheapest first, until too many have been looked at."""
        if self.wanted not in self.least:
            return
        number = count()
        queue = [(self.least[self.wanted], next(number), _State({}, (self.wanted,), 0.0, 0, frozenset()))]
        for _ in range(MOST_STATES):
            if not queue:
                return
            _, _, state = heapq.heappop(queue)
            if not state.open:
                yield self._derivation(state)
                continue
            for following in self._expand(state):
                left = sum(self.least[v] for v in following.open)
                heapq.heappush(queue, (following.paid + left, next(number), following))

    def _expand(self, state: _State) -> Iterator[_State]:
        variable_, *rest = state.open
        for binding in self.leaves[variable_]:
            if binding.figure and binding.figure in state.used and binding.figure not in SHARED:
                continue  # one figure says one thing
            used = state.used | {binding.figure} if binding.figure else state.used
            chosen = {**state.chosen, variable_: binding}
            yield _State(chosen, tuple(rest), state.paid + binding.cost, state.equations, used)
        ends = self.network.variables[variable_].end and variable_ != self.wanted
        if ends or variable_ in self.settled or state.equations >= MOST_EQUATIONS:
            return
        for equation in self.network.around[variable_]:
            inputs = [v for v in equation.variables if v != variable_]
            if any(v not in self.least for v in inputs) or not self._may_follow(equation, variable_, state.chosen):
                continue
            if any(_rests_on(state.chosen, v, variable_) for v in inputs):
                continue
            new = [v for v in inputs if v not in state.chosen and v not in rest]
            chosen = {**state.chosen, variable_: equation}
            yield _State(chosen, (*rest, *new), state.paid + equation.cost, state.equations + 1, state.used)

    def _may_follow(self, equation: Equation, variable_: str, chosen: _Chosen) -> bool:
        """True where an equation may be solved for a variable beside those that were chosen."""
        if variable_ == self.wanted and equation.ends is not None and variable_ not in equation.ends:
            return False
        if self.wanted in equation.never_for:
            return False
        others = [e for e in chosen.values() if isinstance(e, Equation)]
        apart = any(e.id in equation.never_with or equation.id in e.never_with for e in others)
        return equation not in others and not apart

    def _derivation(self, state: _State) -> Derivation:
        steps: list[Step] = []
        bindings: dict[str, Binding] = {}
        for variable_ in _in_order(state.chosen, self.wanted):
            how = state.chosen[variable_]
            if isinstance(how, Binding):
                bindings[variable_] = how
            else:
                steps.append(Step(how, variable_))
        return Derivation(self.network, self.wanted, tuple(steps), bindings, round(state.paid, 6))


def _rests_on(chosen: _Chosen, variable_: str, other: str) -> bool:
    """True where `variable_` is had, however indirectly, from `other`."""
    if variable_ == other:
        return True
    how = chosen.get(variable_)
    inputs = [v for v in how.variables if v != variable_] if isinstance(how, Equation) else []
    return any(_rests_on(chosen, v, other) for v in inputs)


def _in_order(chosen: _Chosen, wanted: str, seen: set[str] | None = None) -> Iterator[str]:
    """The variables of a derivation, each after those that it is had from."""
    seen = set() if seen is None else seen
    seen.add(wanted)
    how = chosen[wanted]
    if isinstance(how, Equation):
        for variable_ in how.variables:
            if variable_ not in seen:
                yield from _in_order(chosen, variable_, seen)
    yield wanted


def missing(
    network: Network, wanted: str, given: Sequence[Binding], available: Available, optional: Collection[str] = ()
) -> Derivation | None:
    """The cheapest derivation that would be, were more known: what is missing is bound to 1, with UNKNOWN as its source."""
    derived = {e.left for e in network.equations.values()} | {v.total for v in network.variables.values()}

    def supposed(variable_: str) -> Sequence[Binding]:
        # rather what one looks up than what would have to be derived
        cost = _UNKNOWN_COST * (3 if variable_ in derived and variable_ != "chips" else 1)
        unknown = Binding(variable_, Interval.of(1.0), UNKNOWN, cost=cost)
        return (*available(variable_), *([unknown] if variable_ != wanted else ()))

    return next(iter(derivations(network, wanted, given, supposed, optional)), None)


def unknowns(derivation: Derivation) -> list[str]:
    """The variables that a derivation lacks."""
    return [v for v, b in derivation.bindings.items() if b.source == UNKNOWN]


def _what_is_missing(network: Network, wanted: str, given: Sequence[Binding], available: Available) -> tuple[str, str]:
    """What to say where nothing can be derived: what the cheapest derivation would need besides, or what has no part in any."""
    name = network.variables[wanted].name
    found = missing(network, wanted, given, available)
    lacks = unknowns(found) if found is not None else []
    if lacks:
        names = " and ".join(f"the {network.variables[v].name}" for v in lacks)
        return f"the {name} needs {names} as well", "give what is missing"
    given_names = " and ".join(dict.fromkeys(f"the {network.variables[b.variable].name}" for b in given))
    return f"no equation leads from {given_names or 'nothing'} to the {name}", "leave out what has no part in it"


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
        known = {b.variable: b for b in (*given, *self.assumed)}
        return Derivation(self.network, self.wanted.id, self.steps, known, 0.0)

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
