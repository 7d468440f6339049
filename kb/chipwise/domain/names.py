"""The names, kinds and scales that a look-up needs, without the wording of sentences.

    "h100 sxm memory"  ->  nvidia-h100-sxm, memory_capacity

The index stores them next to the whole domain, in parts read on first use: loading the
whole domain takes longer than a look-up may.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from chipwise.domain.kinship import Kinship
from chipwise.domain.phrasebook import Mention, Phrasebook

if TYPE_CHECKING:
    from chipwise.domain.model import Domain

_PART = "names.{}"  # key of a note in the store


class EntityName(NamedTuple):
    """The part of records.Entity that a look-up needs."""

    name: str
    kind: str
    parent: str
    chips: int
    within: Sequence[str] = ()


class MetricName(NamedTuple):
    """The part of records.Metric that a look-up needs."""

    name: str
    dimension: str
    unit: str
    nature: str
    qualifiers: tuple[str, ...]
    of_machines: str = ""


class UnitName(NamedTuple):
    """The part of records.UnitForms that a look-up needs."""

    dimension: str
    scale: float


def names_notes(domain: Domain) -> dict[str, str]:
    """Return the notes that `Names` reads, by key."""
    domain.find_entities(""), domain.find_metrics("")  # a search builds the books
    # subtle: an axis value goes by its id ("peak") though sentences may say it in other words, unless it is a term ("on demand")
    values = {v.id: v.name for v in domain.values.values()} | {q.id: q.id for q in domain.qualifiers.values()}
    parts: dict[str, Any] = {
        "entities": {e.id: _fields(e, EntityName) for e in domain.entities.values()},
        "unsure": {a.surface: a.entities for a in domain.ambiguous.values() if a.case_sensitive},
        "metrics": {m.id: _fields(m, MetricName) for m in domain.metrics.values()},
        "units": {u.id: _fields(u, UnitName) for u in domain.units.values()},
        # if two units share a form, the earlier one wins
        "forms": {form: u.id for u in reversed(list(domain.units.values())) for form in (*u.forms, u.id)},
        "values": values | {t.id: t.name for t in domain.terms.values()},
        "entity_book": domain.books["entities"].dump(),
        "metric_book": domain.books["metrics"].dump(),
    }
    return {_PART.format(part): json.dumps(value, ensure_ascii=False) for part, value in parts.items()}


def _fields(record: object, kind: Any) -> list[Any]:
    return [getattr(record, name) for name in kind._fields]


class Names(Kinship):
    """The names of one index. `read` returns the note of a key, or ""."""

    def __init__(self, read: Callable[[str], str]) -> None:
        self._read = read

    def _part(self, part: str) -> Any:
        return json.loads(self._read(_PART.format(part)))

    @cached_property
    def entities(self) -> dict[str, EntityName]:  # type: ignore[override]  # read when first used
        """Entities by id, in the order of the domain files."""
        return {i: EntityName(*row) for i, row in self._part("entities").items()}

    @cached_property
    def metrics(self) -> dict[str, MetricName]:
        """Metrics by id, in the order of the domain files."""
        return {i: MetricName._make((*row[:4], tuple(row[4]), *row[5:])) for i, row in self._part("metrics").items()}

    @cached_property
    def units(self) -> dict[str, UnitName]:
        """Units by id."""
        return {i: UnitName._make(row) for i, row in self._part("units").items()}

    @cached_property
    def forms(self) -> dict[str, str]:
        """Unit ids by surface form."""
        forms: dict[str, str] = self._part("forms")
        return forms

    @cached_property
    def values(self) -> dict[str, str]:
        """Names of terms and of axis values, by id."""
        values: dict[str, str] = self._part("values")
        return values

    @cached_property
    def _books(self) -> Mapping[str, Phrasebook]:
        return {kind: Phrasebook.load(self._part(f"{kind}_book")) for kind in ("entity", "metric")}

    def find_entities(self, text: str) -> list[Mention]:
        """List the entities mentioned in `text`, like Domain.find_entities."""
        unsure = {surface: tuple(ids) for surface, ids in self._part("unsure").items()}
        mentions = self._books["entity"].find(text)
        return [Mention(m.start, m.end, unsure.get(text[m.start : m.end], m.ids)) for m in mentions]

    def find_metrics(self, text: str) -> list[Mention]:
        """List the metrics mentioned in `text`, without the exclusions that apply in sentences."""
        return self._books["metric"].find(text)

    def surfaces(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Yield every phrase that names an entity or a metric, in lower case, with its ids."""
        for kind in ("entity", "metric"):
            yield from ((phrase, tuple(ids)) for phrase, ids in self._part(f"{kind}_book")[0].items())

    def name(self, id_: str) -> str:
        """The printed name of an entity, metric, term or value; an unknown id is its own name."""
        entity = self.entities.get(id_)
        if entity is not None:
            return entity.name
        metric = self.metrics.get(id_)
        return metric.name if metric is not None else self.values.get(id_, id_)
