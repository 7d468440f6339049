"""The tables of the domain and what follows from their records alone: default metrics, counts per machine, successors.

It knows nothing of text; `model` finds names and wording.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field, fields
from functools import cached_property
from operator import attrgetter
from typing import Any, NamedTuple

from chipwise import patterns as re
from chipwise.domain import formulas, records
from chipwise.domain.kinship import Kinship
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


class Table(NamedTuple):
    """A table of the domain files: its name there, its record, the files that hold it, the key of a record, its attribute here."""

    name: str
    record: Callable[..., Any]
    files: tuple[str, ...]
    key: Callable[[Any], Any]
    attribute: str = ""


def _of(record: Any, name: str, *files: str, key: Callable[[Any], Any] = attrgetter("id")) -> Any:
    return field(default_factory=dict, metadata={"table": Table(name, record, files, key)})


_UNITS, _AXES, _RELATIONS, _EQUATIONS = (
    ("units.toml", "units_general.toml"),
    "axes.toml",
    "relations.toml",
    "equations.toml",
)


@dataclass(frozen=True)
class Catalogue(Kinship):
    """All records by key: `[[unit]]  id = "GB" ...` of a file is `units["GB"]`, a UnitForms."""

    entities: Mapping[str, records.Entity] = _of(records.Entity, "entity", "entities.toml")
    metrics: Mapping[str, records.Metric] = _of(records.Metric, "metric", "metrics.toml")
    terms: Mapping[str, records.Term] = _of(records.Term, "term", "terms.toml")
    units: Mapping[str, records.UnitForms] = _of(records.UnitForms, "unit", *_UNITS)
    ambiguous: Mapping[str, records.Ambiguous] = _of(
        records.Ambiguous, "ambiguous", "entities.toml", key=attrgetter("surface")
    )
    dimensions: Mapping[str, records.Dimension] = _of(records.Dimension, "dimension", *_UNITS)
    axes: Mapping[str, records.Axis] = _of(records.Axis, "axis", _AXES)
    # "measured" is a value of two axes
    qualifiers: Mapping[tuple[str, str], records.Qualifier] = _of(
        records.Qualifier, "qualifier", _AXES, key=attrgetter("axis", "id")
    )
    needs: Mapping[str, records.Needs] = _of(records.Needs, "needs", _AXES, key=attrgetter("of"))
    explanations: Mapping[str, formulas.Explanation] = _of(formulas.Explanation, "explanation", _AXES)
    relations: Mapping[str, records.Relation] = _of(records.Relation, "relation", _RELATIONS)
    values: Mapping[str, records.Value] = _of(records.Value, "value", _RELATIONS)
    variables: Mapping[str, formulas.Variable] = _of(formulas.Variable, "variable", _EQUATIONS)
    equations: Mapping[str, formulas.Equation] = _of(formulas.Equation, "equation", _EQUATIONS)
    conventions: Mapping[str, formulas.Convention] = _of(formulas.Convention, "convention", _EQUATIONS)
    durations: Mapping[str, formulas.Duration] = _of(formulas.Duration, "duration", _EQUATIONS)
    words: Mapping[str, formulas.Words] = _of(formulas.Words, "words", _EQUATIONS, "phrases.toml")
    voices: Mapping[str, records.Voice] = _of(records.Voice, "voice", "voice.toml")
    neutral: Mapping[str, records.Neutral] = _of(records.Neutral, "neutral", "neutral.toml")
    numbered: Mapping[str, records.Numbered] = _of(records.Numbered, "numbered", _EQUATIONS)
    operators: Mapping[str, records.Operator] = _of(records.Operator, "operator", "operators.toml")

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

    def counts(self, metric: records.Metric, unit: str) -> bool:
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


TABLES: dict[str, Table] = {
    table.name: table._replace(attribute=column.name)
    for column in fields(Catalogue)
    if (table := column.metadata.get("table")) is not None
}
FILES = tuple(dict.fromkeys(file for table in TABLES.values() for file in table.files))


def read_table(name: str, rows: Iterable[dict[str, Any]]) -> dict[Any, Any]:
    """Return the records of rows from JSON, by key."""
    table = TABLES[name]
    made = (table.record(**{column: _tuples(value) for column, value in row.items()}) for row in rows)
    return {table.key(record): record for record in made}


def _tuples(value: Any) -> Any:
    """Tuples for the lists that JSON has in their place."""
    if not isinstance(value, list):
        return value
    return tuple(map(tuple, value)) if value and isinstance(value[0], list) else tuple(value)
