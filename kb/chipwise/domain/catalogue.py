"""The tables of the domain, and what follows from their records alone: which metrics answer to what, who holds how many.

Knows nothing of text; `domain` finds names and wording in that.
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
_MACHINE = 4  # chips of a machine, rather than of a superchip or a card
# axes and values that more than one stage of reading or comparing treats alike
RUN = ("workload", "benchmark")  # what was run
SCOPE = ("aggregation", "count")  # of how many chips
SOLD = ("provider", "price_terms")  # whose offer a price is of
GROUP = ("aggregation", "group")  # several together, of no number
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
        """The words that phrases share under a name; none where the domain has no such group."""
        group = self.words.get(name)
        return frozenset(group.words) if group is not None else frozenset()

    @cached_property
    def default_metrics(self) -> dict[str, str]:
        """By dimension, the metric that a figure is taken for where no wording tells."""
        return {m.dimension: m.id for m in self.metrics.values() if m.default}

    def metric_of(self, metric: str, subject: str) -> str:
        """The metric that a figure is of, given whose it is: what a machine of four chips and more draws is no TDP."""
        machines = self.metrics[metric].of_machines
        large = self.kind(subject) == "system" and self.entities[subject].chips >= _MACHINE
        return machines if machines and large else metric

    def counted(self, unit: str) -> str:
        """The kind of things that a unit counts: "chips" for "GPUs"."""
        forms = self.units.get(unit)
        return forms.of or forms.id if forms is not None else unit

    def counts(self, metric: Metric, unit: str) -> bool:
        """True where figures in `unit` can be of a metric that counts something."""
        return self.counted(unit) in (self.counted(metric.unit), *metric.counts)

    @cached_property
    def holders(self) -> dict[str, str]:
        """By noun for what holds chips ("host", "rack"), in lower case, the metric that their number is."""
        return {noun.lower(): m.id for m in self.metrics.values() for noun in m.holders}

    @cached_property
    def implied_dimensions(self) -> dict[str, frozenset[str]]:
        """By dimension, those that its figures may be of where the words beside them say so: a price is one for an hour."""
        found: dict[str, set[str]] = {}
        for m in self.metrics.values():
            for dimension in m.implied_by:
                found.setdefault(dimension, set()).add(m.dimension)
        return {dimension: frozenset(implied) for dimension, implied in found.items()}

    @cached_property
    def form_factors(self) -> frozenset[str]:
        """How they are written, in lower case."""
        return frozenset(value.lower() for axis, value in self.qualifiers if axis == "form_factor")

    @cached_property
    def short_names(self) -> dict[str, tuple[str, ...]]:
        """Who may be called by the last word of a chip's name ("v3", "8i", "4090"), or by its end from the number on ("355X")."""
        found: dict[str, tuple[str, ...]] = {}
        for e in self.entities.values():
            short = _SHORT_NAME.search(e.name) if e.kind == "chip" else None
            if short is not None:
                found[short[0]] = (*found.get(short[0], ()), e.id)
        return found

    @cached_property
    def series(self) -> dict[str, tuple[str, ...]]:
        """Who has a name that is so but for its numbers: "rtx #" of an RTX 4090."""
        found: dict[str, tuple[str, ...]] = {}
        for e in self.entities.values():
            for called in dict.fromkeys(series(name) for name in self._names_of(e.id)):
                found[called] = (*found.get(called, ()), e.id)
        return found

    def machines_like(self, machine: str) -> list[str]:
        """What a machine of a chip's maker is rented as: those of others that hold as many of the chip; itself first."""
        about, chip = self.entities[machine], self.chip_of(machine)
        if about.kind != "system" or not chip or about.vendor != self.entities[chip].vendor:
            return [machine]
        alike = [e.id for e in self.entities.values() if e.kind == "system" and e.chips == about.chips]
        return [machine, *(i for i in alike if i != machine and chip in self.ancestors(i))]

    def before(self, id_: str) -> tuple[str, ...]:
        """The one that a product came after, of a variant the one that its chip did; () where none is known."""
        whole = self._whole(id_)
        told = self.entities[whole].predecessor if whole in self.entities else ""
        return (told,) if told else ()

    def after(self, id_: str) -> tuple[str, ...]:
        """Those that came after a product, of a variant after its chip."""
        whole = self._whole(id_)
        return tuple(e.id for e in self.entities.values() if e.predecessor and e.predecessor == whole)

    def of_number(self, line: str, word: str, number: int) -> tuple[str, ...]:
        """The chips of a line that are called by a word of it and a number: "MTIA v2", "Trainium2", "WSE-2"."""
        called = re.compile(rf"\b{re.escape(word)}[\s-]?v?{number}$", re.I)
        chips = (i for i in self.members(line) if self.kind(i) == "chip")
        return tuple(i for i in chips if any(map(called.search, self._names_of(i))))

    def _names_of(self, id_: str) -> tuple[str, ...]:
        return (self.entities[id_].name, *self.entities[id_].aliases)

    def _whole(self, id_: str) -> str:
        """The chip of a variant; what else has an id is itself: nobody says that a DGX H200 came after a DGX H100."""
        return (self.is_chip(id_) and self.chip_of(id_)) or id_

    def is_generic(self, id_: str) -> bool:
        """True for a line of all makers: "GPU", "accelerator"."""
        return self.kind(id_) == "line" and not self.entities[id_].vendor

    @cached_property
    def counts_sold(self) -> dict[str, frozenset[int]]:
        """By chip, the numbers in which systems and slices hold it."""
        found: dict[str, set[int]] = {}
        for e in self.entities.values():
            if self.holds_several(e.id):
                for ancestor in self.ancestors(e.id):
                    found.setdefault(ancestor, {8}).add(e.chips)
        return {chip: frozenset(counts) for chip, counts in found.items()}


def series(name: str) -> str:
    """A name in lower case with "#" for its numbers."""
    return re.sub(r"\d+", "#", " ".join(WORD.findall(name)).lower())
