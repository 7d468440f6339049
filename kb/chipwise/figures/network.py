"""The network of equations: variables with a role, and rows of exponents that connect them.

    training compute = 6 x parameters x training tokens
    training compute = chip time x peak x MFU
    chip time = chips x time

Every equation can be solved for any of its variables, so that one row answers "how
long", "how many chips", "at what MFU" and "how many tokens" alike. Dimensions do not
tell variables apart (weights and memory are both bytes): each has a role of its own.
What is a convention (a PUE of 1, BF16 where no format is named) is a value with a
reason and a source, never part of an equation. All values are in base units.

A derivation tells which equations, in which order, from which values, and what comes out, step by step:

    Training compute = 6 x parameters x training tokens: 6 x 8 billion x 15 trillion = 7.2e23 FLOP.
    Chip time = training compute / (peak x MFU): 7.2e23 FLOP / (989 TFLOPS x 35% to 50%) = ...
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import field, replace
from functools import cached_property
from typing import Any

from chipwise.domain.catalogue import Catalogue
from chipwise.domain.formulas import ALL, Convention, Equation, Variable
from chipwise.figures.format import interval_text, number
from chipwise.numbers.intervals import Interval
from chipwise.values import dataclass

_TOTALLED = 0.03  # by so much of itself a total may be off the count times one
_ROUNDED = 0.1  # and one of peaks, which are rounded
GIVEN, FACT, CONVENTION, MODEL = "given", "fact", "convention", "model"
_COST = {GIVEN: 0.0, MODEL: 0.5, FACT: 1.0, CONVENTION: 2.0}


@dataclass(frozen=True)
class Network:
    """All variables, equations and conventions, by what they connect."""

    variables: Mapping[str, Variable]
    equations: Mapping[str, Equation]
    conventions: Mapping[str, Convention] = field(default_factory=dict)
    scales: Mapping[str, float] = field(default_factory=dict)  # by unit, what one of it is in base units

    @cached_property
    def around(self) -> dict[str, tuple[Equation, ...]]:
        """By variable the equations that it stands in; that a total is the count times one is one of them."""
        found: dict[str, list[Equation]] = {v: [] for v in self.variables}
        for equation in (*self.equations.values(), *self._totals()):
            for variable in equation.variables:
                found[variable].append(equation)
        return {variable: tuple(equations) for variable, equations in found.items()}

    def _totals(self) -> list[Equation]:
        """One rule for every quantity that adds up over chips, instead of an equation for each."""
        return [
            Equation(
                f"{v.total}-is-count-times-one",
                v.total,
                (("chips", 1), (v.id, 1)),
                f"{self.variables[v.total].name} = chips x {v.name}",
                round=(("chips", v.whole),),
                tolerance=_ROUNDED if v.dimension == "compute_rate" else _TOTALLED,
            )
            for v in self.variables.values()
            if v.total
        ]

    @cached_property
    def conventions_of(self) -> dict[str, tuple[Convention, ...]]:
        """By variable the values that are taken where nobody gives one."""
        found: dict[str, list[Convention]] = {}
        for convention in self.conventions.values():
            found.setdefault(convention.variable, []).append(convention)
        return {variable: tuple(c) for variable, c in found.items()}

    def find(self, name: str) -> Variable | None:
        """The variable of that id or name, in any case."""
        return self._by_name.get(_plain(name))

    @cached_property
    def _by_name(self) -> dict[str, Variable]:
        every = reversed([*self.variables.values()])
        return {_plain(name): v for v in every for name in (*v.names, v.name, v.id)}


def network_of(domain: Catalogue) -> Network:
    """The network of a domain, with the scales of all units that its variables are printed in."""
    shown = {unit for v in domain.variables.values() for unit in v.units}
    shown |= {unit for e in domain.equations.values() for _, unit in e.in_units}
    scales = {unit: _scale(domain, unit) for unit in shown}
    return Network(domain.variables, domain.equations, domain.conventions, scales)


def _plain(name: str) -> str:
    return " ".join(name.lower().replace("_", " ").replace("-", " ").split())


def _scale(domain: Catalogue, unit: str) -> float:
    """In base units, also of a unit "per" another and of one of chips: "GB per W", "chip-hour"."""
    over, _, under = unit.removeprefix("chip-").partition(" per ")
    return domain.units[over].scale / (domain.units[under].scale if under else 1.0)


@dataclass(frozen=True, slots=True)
class Binding:
    """What stands for a variable: an interval in base units, and where it is from.

    `origin` is the fact, the figure of the question, the convention or the model that it comes
    from; `text` how it is printed, "" where its value is to be. `figure` names the given figure that
    it is one reading of: every figure has to be used, in one of its readings. `unit` is what a fact is
    written in, with its scale.
    """

    variable: str
    value: Interval
    source: str
    text: str = ""
    origin: Any = field(default=None, compare=False)
    cost: float = 0.0
    figure: str = ""
    unit: tuple[str, float] | None = None

    @classmethod
    def of(
        cls,
        variable: str,
        value: Interval | float,
        text: str = "",
        source: str = GIVEN,
        origin: Any = None,
        figure: str = "",
    ) -> Binding:
        """A value and where it is from; a given one is a reading of `figure`, or the variable's own."""
        interval = value if isinstance(value, Interval) else Interval.of(float(value))
        own = variable if source == GIVEN else ""
        return cls(variable, interval, source, text, origin, _COST[source], figure or own)

    @classmethod
    def of_convention(cls, convention: Convention) -> Binding:
        """What is taken where nobody gives one; what the question names by a word is as good as given."""
        source = GIVEN if convention.words else CONVENTION
        value = Interval(convention.low, convention.high)
        return cls(convention.variable, value, source, "", convention, convention.cost)


@dataclass(frozen=True, slots=True)
class Step:
    """One equation, solved for one variable."""

    equation: Equation
    variable: str

    @property
    def inputs(self) -> tuple[str, ...]:
        """The variables that it is solved from."""
        return tuple(v for v in self.equation.variables if v != self.variable)

    @property
    def is_alias(self) -> bool:
        """True where it only says that two things are one: what is needed are the weights."""
        return not self.equation.adds and self.equation.factor == 1 and [*self.equation.powers][1:] == []


@dataclass(frozen=True)
class Derivation:
    """How `wanted` follows: `steps` in order, each from `bindings` and from the steps before it."""

    network: Network = field(compare=False, repr=False)
    wanted: str
    steps: tuple[Step, ...]
    bindings: Mapping[str, Binding]
    cost: float

    def __hash__(self) -> int:
        return hash((self.wanted, self.steps, self.cost))

    def with_binding(self, binding: Binding) -> Derivation:
        """The same derivation with another value for one variable."""
        return replace(self, bindings={**self.bindings, binding.variable: binding})

    @property
    def used(self) -> frozenset[str]:
        """All variables in it."""
        return frozenset((*self.bindings, *(s.variable for s in self.steps)))

    @property
    def variable(self) -> Variable:
        """What is wanted."""
        return self.network.variables[self.wanted]

    @cached_property
    def values(self) -> Mapping[str, Interval]:
        """By variable its value in base units; whole things are rounded where an equation says so."""
        values = {v: b.value for v, b in self.bindings.items()}
        for step in self.steps:
            exact = step.equation.solve(step.variable, values)
            values[step.variable] = _rounded(exact, dict(step.equation.round).get(step.variable, ""))
        return values

    @property
    def value(self) -> Interval:
        """What comes out, in base units."""
        return self.values[self.wanted]

    @property
    def assumes(self) -> tuple[Convention, ...]:
        """The conventions that it rests on."""
        return tuple(b.origin for b in self.bindings.values() if b.source == CONVENTION)

    @property
    def bound(self) -> str:
        """ "at most" where the last step gives a ceiling, "at least" where it gives what a ceiling takes, else ""."""
        last = self.steps[-1] if self.steps else None
        if last is None or not last.equation.bound:
            return ""
        return last.equation.bound if last.variable == last.equation.left else "at least"

    def result(self) -> str:
        """What comes out, with its unit: "1,058 hours, about 44 days"."""
        own = self._own_unit
        if own is None:
            return interval_text(self.value, self.variable, self.network.scales)
        unit, scale = own
        text = interval_text(self.value, self.variable, {**self.network.scales, unit: scale}, unit)
        return f"{text} ({interval_text(self.value, self.variable, self.network.scales, short=True)})"

    @property
    def _own_unit(self) -> tuple[str, float] | None:
        """The unit of the one fact that is multiplied, where the result is not printed in that: 8 x 95 GiB are 760 GiB."""
        units = {b.unit for b in self.bindings.values() if b.unit}
        if len(self.steps) != 1 or len(units) != 1 or self.variable.of != ALL:
            return None
        unit = units.pop()
        return None if unit[0] in self.variable.units else unit

    def lines(
        self, shown: Callable[[Binding], str] | None = None, cite: Callable[[Equation], str] = lambda _: ""
    ) -> list[str]:
        """Each step as words and arithmetic.

        `shown` prints a value that is no result of a step, with its citation; `cite` gives the mark of what a law is cited by.
        """
        printed = {v: (shown or self.text_of)(b) for v, b in self.bindings.items()}
        names = {v: self.network.variables[v].name for v in self.used}
        lines: list[str] = []
        for step in self.steps:
            if step.is_alias and step.variable != self.wanted:
                same = step.inputs[0]
                printed[step.variable], names[step.variable] = printed[same], names[same]
                continue
            lines.append(self._line(step, printed, names, cite(step.equation)))
            printed[step.variable] = self._short(step.variable)
        return lines or [f"{_capital(self.variable.name)}: {printed[self.wanted]}"]

    def text_of(self, binding: Binding, unit: str = "") -> str:
        """A value as it was given, else in the unit of its variable."""
        if binding.text:
            return binding.text
        variable = self.network.variables[binding.variable]
        return interval_text(binding.value, variable, self.network.scales, unit, short=True)

    def says(self) -> str:
        """All steps on one line."""
        return "; ".join(self.lines())

    def _short(self, v: str, unit: str = "") -> str:
        return interval_text(self.values[v], self.network.variables[v], self.network.scales, unit, short=True)

    def _line(self, step: Step, printed: Mapping[str, str], names: Mapping[str, str], mark: str) -> str:
        """ "Chip time = chips x time: 8 chips x 168 hours = 1,344 chip-hours"."""
        equation, wanted = step.equation, step.variable
        units = dict(equation.in_units)
        operands = {
            v: self._in_unit(v, units[v], printed[v]) if v in units else printed[v]
            for v in equation.variables
            if v != wanted
        }
        words = arithmetic(equation, wanted, names, equation.shows)
        sums = arithmetic(equation, wanted, operands, equation.shows + mark if equation.shows else "")
        exact = equation.solve(wanted, self.values)
        is_last = wanted == self.wanted
        result = self.result() if is_last else self._short(wanted)
        if dict(equation.round).get(wanted) and exact != self.values[wanted]:
            middle = number(exact.low) if exact.low == exact.high else f"{number(exact.low)} to {number(exact.high)}"
            result = f"{middle}, so {result}"
        bound = f"{self.bound} " if is_last and self.bound else ""
        end = mark if not equation.shows else ""
        return f"{_capital(names[wanted])} = {words}: {sums} = {bound}{result}{end}"

    def _in_unit(self, variable: str, unit: str, printed: str) -> str:
        """A value in the unit that the arithmetic is done in, and as it was written where that is another."""
        text = self._short(variable, unit)
        written = self.bindings[variable].text if variable in self.bindings else ""
        if not written or written.startswith(text):
            return printed if written else text
        return f"{text} ({printed})"


def arithmetic(equation: Equation, wanted: str, operands: Mapping[str, str], factor: str) -> str:
    """The right side of an equation solved for `wanted`, over words or over figures."""
    if equation.adds:
        own = dict((*equation.powers, (equation.left, -1)))[wanted]
        terms = [(operands[v], sign * own < 0) for v, sign in ((equation.left, -1), *equation.powers) if v != wanted]
        first, *rest = sorted(terms, key=lambda term: not term[1])
        return first[0] + "".join(f" {'+' if plus else '-'} {text}" for text, plus in rest)
    over: list[str] = []
    under: list[str] = []
    if factor:
        inverted = equation.factor < 1
        (over if (wanted == equation.left) != inverted else under).append(factor)
    own = 1 if wanted == equation.left else -dict(equation.powers)[wanted]
    for variable, power in (*equation.powers, (equation.left, -1)):
        if variable != wanted:
            text = operands[variable]  # a range in brackets, so that its "to" binds less than what stands around it
            (over if power * own > 0 else under).append(f"({text})" if " to " in text else text)
    top = " x ".join(over) or "1"
    bottom = " x ".join(under)
    return f"{top} / ({bottom})" if len(under) > 1 else f"{top} / {bottom}" if under else top


def _rounded(value: Interval, way: str) -> Interval:
    """To whole things, up or down; what floating-point arithmetic left over is none."""
    if not way:
        return value
    whole = math.ceil if way == "up" else math.floor
    low, high = (x * (1 - 1e-9) if way == "up" else x * (1 + 1e-9) for x in (value.low, value.high))
    return Interval(*(float(max(whole(x), 1 if way == "up" else 0)) for x in (low, high)))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
