"""The tables of the domain and what follows from their records alone: default metrics, counts per machine, successors.

It knows nothing of text; `model` finds names and wording.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from functools import cached_property

from chipwise import patterns as re
from chipwise.domain.formulas import Convention, Duration, Equation, Explanation, Variable, Words
from chipwise.domain.kinship import Kinship
from chipwise.domain.records import (
    Ambiguous,
    Axis,
    Dimension,
    Entity,
    Metric,
    Needs,
    Neutral,
    Numbered,
    Operator,
    Qualifier,
    Relation,
    Term,
    UnitForms,
    Value,
    Voice,
)
from chipwise.text import WORD
from chipwise.values import dataclass

PARTS = frozenset(("core", "die", "link", "axis", "nic", "stack", "peer"))  # scopes below a chip's
_MACHINE = 4  # chips; a superchip or a card has fewer
# axes and values that several stages treat alike
RUN = ("workload", "benchmark")  # what was run
SCOPE = ("aggregation", "count")  # one chip or how many
SOLD = ("provider", "price_terms")  # seller and terms of a price
GROUP = ("aggregation", "group")  # several together, number unknown
TWINS = ("sparsity", "direction")  # labels of which one is easily written for the other
_SHORT_NAME = re.compile(r"(?<=\s)(?:v\d[a-z]?|\d[a-z]|\d{4})$|(?<=[A-Z])\d{3}[A-Z]$")


@dataclass(frozen=True)
class Catalogue(Kinship):
    """All records by id."""

    entities: Mapping[str, Entity]
    metrics: Mapping[str, Metric]
    terms: Mapping[str, Term]
    units: Mapping[str, UnitForms]
    ambiguous: Mapping[str, Ambiguous]
    dimensions: Mapping[str, Dimension]
    axes: Mapping[str, Axis]
    qualifiers: Mapping[tuple[str, str], Qualifier]
    explanations: Mapping[str, Explanation]
    relations: Mapping[str, Relation]
    values: Mapping[str, Value]
    variables: Mapping[str, Variable] = field(default_factory=dict)
    equations: Mapping[str, Equation] = field(default_factory=dict)
    needs: Mapping[str, Needs] = field(default_factory=dict)
    conventions: Mapping[str, Convention] = field(default_factory=dict)
    durations: Mapping[str, Duration] = field(default_factory=dict)
    words: Mapping[str, Words] = field(default_factory=dict)
    voices: Mapping[str, Voice] = field(default_factory=dict)
    neutral: Mapping[str, Neutral] = field(default_factory=dict)
    numbered: Mapping[str, Numbered] = field(default_factory=dict)
    operators: Mapping[str, Operator] = field(default_factory=dict)

    def word_group(self, name: str) -> frozenset[str]:
        """The words of a named group; empty if there is no such group."""
        group = self.words.get(name)
        return frozenset(group.words) if group is not None else frozenset()

    @cached_property
    def default_metrics(self) -> dict[str, str]:
        """The metric assumed for each dimension when no wording names one."""
        return {m.dimension: m.id for m in self.metrics.values() if m.default}

    def metric_of(self, metric: str, subject: str) -> str:
        """Return the metric for this subject: a machine of four or more chips has a power draw, not a TDP."""
        machines = self.metrics[metric].of_machines
        large = self.kind(subject) == "system" and self.entities[subject].chips >= _MACHINE
        return machines if machines and large else metric

    def counted(self, unit: str) -> str:
        """The kind of things that a unit counts: "chips" for "GPUs"."""
        forms = self.units.get(unit)
        return forms.of or forms.id if forms is not None else unit

    def counts(self, metric: Metric, unit: str) -> bool:
        """True if figures in `unit` can belong to a metric that counts something."""
        return self.counted(unit) in (self.counted(metric.unit), *metric.counts)

    @cached_property
    def holders(self) -> dict[str, str]:
        """The metric for each noun that holds chips ("host", "rack"), by the noun in lower case."""
        return {noun.lower(): m.id for m in self.metrics.values() for noun in m.holders}

    @cached_property
    def implied_dimensions(self) -> dict[str, frozenset[str]]:
        """For each dimension, others that nearby words can turn its figures into: a price may be per hour."""
        implied: dict[str, set[str]] = {}
        for m in self.metrics.values():
            for dimension in m.implied_by:
                implied.setdefault(dimension, set()).add(m.dimension)
        return {dimension: frozenset(others) for dimension, others in implied.items()}

    @cached_property
    def form_factors(self) -> frozenset[str]:
        """All form factors, in lower case."""
        return frozenset(value.lower() for axis, value in self.qualifiers if axis == "form_factor")

    @cached_property
    def short_names(self) -> dict[str, tuple[str, ...]]:
        """Chips by a short form of their name: the last word ("v3", "8i", "4090") or the end from the number on ("355X")."""
        chips: dict[str, tuple[str, ...]] = {}
        for e in self.entities.values():
            short = _SHORT_NAME.search(e.name) if e.kind == "chip" else None
            if short is not None:
                chips[short[0]] = (*chips.get(short[0], ()), e.id)
        return chips

    @cached_property
    def series(self) -> dict[str, tuple[str, ...]]:
        """Entities by name pattern with numbers masked: "rtx #" for an RTX 4090."""
        members: dict[str, tuple[str, ...]] = {}
        for e in self.entities.values():
            for pattern in dict.fromkeys(series(name) for name in self._names_of(e.id)):
                members[pattern] = (*members.get(pattern, ()), e.id)
        return members

    def machines_like(self, machine: str) -> list[str]:
        """Rented equivalents of a maker's own machine, with as many of the same chip. The machine itself comes first."""
        about, chip = self.entities[machine], self.chip_of(machine)
        if about.kind != "system" or not chip or about.vendor != self.entities[chip].vendor:
            return [machine]
        alike = [e.id for e in self.entities.values() if e.kind == "system" and e.chips == about.chips]
        return [machine, *(i for i in alike if i != machine and chip in self.ancestors(i))]

    def before(self, id_: str) -> tuple[str, ...]:
        """The predecessor of a product, or of a variant's chip; () if unknown."""
        whole = self._whole(id_)
        predecessor = self.entities[whole].predecessor if whole in self.entities else ""
        return (predecessor,) if predecessor else ()

    def after(self, id_: str) -> tuple[str, ...]:
        """The successors of a product, or of a variant's chip."""
        whole = self._whole(id_)
        return tuple(e.id for e in self.entities.values() if e.predecessor and e.predecessor == whole)

    def latest_of(self, line: str) -> str:
        """The newest chip of a maker's line: WSE-3 for the wafer-scale engines; "" if there isn't exactly one."""
        chips = [i for i in self.members(line) if self.kind(i) == "chip"]
        predecessors = {self.entities[i].predecessor for i in chips}
        last = [i for i in chips if i not in predecessors]
        return last[0] if len(last) == 1 and self.entities[line].vendor else ""

    def _names_of(self, id_: str) -> tuple[str, ...]:
        return (self.entities[id_].name, *self.entities[id_].aliases)

    def _whole(self, id_: str) -> str:
        """The chip of a variant; any other id itself, because nobody says that a DGX H200 succeeded a DGX H100."""
        return (self.is_chip(id_) and self.chip_of(id_)) or id_

    def is_generic(self, id_: str) -> bool:
        """True for a line without a maker: "GPU", "accelerator"."""
        return self.kind(id_) == "line" and not self.entities[id_].vendor

    @cached_property
    def counts_sold(self) -> dict[str, frozenset[int]]:
        """For each chip, the numbers of chips in the systems and slices that hold it."""
        sold: dict[str, set[int]] = {}
        for e in self.entities.values():
            if self.holds_several(e.id):
                for ancestor in self.ancestors(e.id):
                    sold.setdefault(ancestor, {8}).add(e.chips)
        return {chip: frozenset(counts) for chip, counts in sold.items()}


def series(name: str) -> str:
    """Return a name in lower case with "#" for its numbers."""
    return re.sub(r"\d+", "#", " ".join(WORD.findall(name)).lower())
