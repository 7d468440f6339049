"""The network of equations: variables with a role, and rows of exponents that connect them.

    training compute = 6 x parameters x training tokens
    training compute = chip time x peak x MFU
    chip time = chips x time

Every equation can be solved for any of its variables, so that one row answers "how
long", "how many chips", "at what MFU" and "how many tokens" alike. Dimensions do not
tell variables apart (weights and memory are both bytes): each has a role of its own.
What is a convention (a PUE of 1, BF16 where no format is named) is a value with a
reason and a source, never part of an equation. All values are in base units.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from functools import cached_property

from chipwise.domain.catalogue import Catalogue
from chipwise.domain.formulas import Convention, Equation, Variable
from chipwise.values import dataclass

_TOTALLED = 0.03  # by so much of itself a total may be off the count times one
_ROUNDED = 0.1  # and one of peaks, which are rounded


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
