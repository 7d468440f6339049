"""What a look-up needs of the domain: names, kinds and scales, without the wording of sentences.

    "h100 sxm memory"  ->  nvidia-h100-sxm, memory_capacity

Kept in the index beside the whole domain, in parts that are read when first used:
loading all of that takes longer than a look-up may.
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

_PART = "names.{}"  # the store's notes


class EntityName(NamedTuple):
    """See records.Entity."""

    name: str
    kind: str
    parent: str
    chips: int
    within: Sequence[str] = ()


class MetricName(NamedTuple):
    """See records.Metric."""

    name: str
    dimension: str
    unit: str
    nature: str
    qualifiers: tuple[str, ...]
    of_machines: str = ""


class UnitName(NamedTuple):
    """See records.UnitForms."""

    dimension: str
    scale: float


def names_notes(domain: Domain) -> dict[str, str]:
    """What `Names` reads, by key."""
    domain.find_entities(""), domain.find_metrics("")  # the books exist once they were looked into
    # subtle: an axis value goes by its id ("peak") though sentences may say it in other words, unless it is a term ("on demand")
    values = {v.id: v.name for v in domain.values.values()} | {q.id: q.id for q in domain.qualifiers.values()}
    parts: dict[str, Any] = {
        "entities": {e.id: _fields(e, EntityName) for e in domain.entities.values()},
        "unsure": {a.surface: a.entities for a in domain.ambiguous.values() if a.case_sensitive},
        "metrics": {m.id: _fields(m, MetricName) for m in domain.metrics.values()},
        "units": {u.id: _fields(u, UnitName) for u in domain.units.values()},
        # of two units with one form the earlier one is meant
        "forms": {form: u.id for u in reversed(list(domain.units.values())) for form in (*u.forms, u.id)},
        "values": values | {t.id: t.name for t in domain.terms.values()},
        "entity_book": domain.books["entities"].dump(),
        "metric_book": domain.books["metrics"].dump(),
    }
    return {_PART.format(part): json.dumps(value, ensure_ascii=False) for part, value in parts.items()}


def _fields(record: object, kind: Any) -> list[Any]:
    return [getattr(record, name) for name in kind._fields]


def open_names(read: Callable[[str], str], domain: Callable[[], Domain]) -> Names:
    """The names in a store's notes; from the whole domain where a build of an older chipwise left them out."""
    if read(_PART.format("entities")):
        return Names(read)
    return Names(names_notes(domain()).__getitem__)


class Names(Kinship):
    """The names of one index; `read` gives the note of a key, or "" where there is none."""

    def __init__(self, read: Callable[[str], str]) -> None:
        self._read = read

    def _part(self, part: str) -> Any:
        return json.loads(self._read(_PART.format(part)))

    @cached_property
    def entities(self) -> dict[str, EntityName]:  # type: ignore[override]  # read when first used
        """By id, in the order of the domain files."""
        return {i: EntityName(*row) for i, row in self._part("entities").items()}

    @cached_property
    def metrics(self) -> dict[str, MetricName]:
        """By id, in the order of the domain files."""
        return {i: MetricName._make((*row[:4], tuple(row[4]), *row[5:])) for i, row in self._part("metrics").items()}

    @cached_property
    def units(self) -> dict[str, UnitName]:
        """By id."""
        return {i: UnitName._make(row) for i, row in self._part("units").items()}

    @cached_property
    def forms(self) -> dict[str, str]:
        """Units by the ways that people write them."""
        forms: dict[str, str] = self._part("forms")
        return forms

    @cached_property
    def values(self) -> dict[str, str]:
        """The names of terms and of qualifiers' values, by id."""
        values: dict[str, str] = self._part("values")
        return values

    @cached_property
    def _books(self) -> Mapping[str, Phrasebook]:
        return {kind: Phrasebook.load(self._part(f"{kind}_book")) for kind in ("entity", "metric")}

    def find_entities(self, text: str) -> list[Mention]:
        """As Domain.find_entities."""
        unsure = {surface: tuple(ids) for surface, ids in self._part("unsure").items()}
        found = self._books["entity"].find(text)
        return [Mention(m.start, m.end, unsure.get(text[m.start : m.end], m.ids)) for m in found]

    def find_metrics(self, text: str) -> list[Mention]:
        """Metrics that `text` names; what would rule one out in a sentence does not count."""
        return self._books["metric"].find(text)

    def surfaces(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Every phrase that names an entity or a metric, in lower case, with the ids."""
        for kind in ("entity", "metric"):
            yield from ((phrase, tuple(ids)) for phrase, ids in self._part(f"{kind}_book")[0].items())

    def name(self, id_: str) -> str:
        """How answers print an entity, metric, term or value; an id that nothing has is its own name."""
        entity = self.entities.get(id_)
        if entity is not None:
            return entity.name
        metric = self.metrics.get(id_)
        return metric.name if metric is not None else self.values.get(id_, id_)
