"""The domain as data: entities, metrics, units and terms, and how to spot their names in text.

Made by `domain_files` from TOML when an index is built, and kept in the index as
one JSON value: asking loads that and needs neither TOML nor pydantic.

Knows nothing of any chip: another field needs other files, not other code.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from chipwise.phrasebook import Mention, Phrasebook
from chipwise.records import (
    Ambiguous,
    Axis,
    Dimension,
    Entity,
    Explanation,
    Identity,
    IdentityTerm,
    Metric,
    Multiplier,
    Qualifier,
    Relation,
    SliceNaming,
    Term,
    UnitForms,
    Value,
)

if TYPE_CHECKING:
    from chipwise.quantities import UnitTable
from chipwise.text import STOP_WORDS


@dataclass(frozen=True)
class Domain:
    """Everything that the domain files say, by id, with finders built on first use."""

    entities: Mapping[str, Entity]
    metrics: Mapping[str, Metric]
    terms: Mapping[str, Term]
    units: Mapping[str, UnitForms]
    ambiguous: Mapping[str, Ambiguous]
    slice_names: Mapping[str, SliceNaming]
    dimensions: Mapping[str, Dimension]
    multipliers: Mapping[str, Multiplier]
    axes: Mapping[str, Axis]
    qualifiers: Mapping[tuple[str, str], Qualifier]
    explanations: Mapping[str, Explanation]
    identities: Mapping[str, Identity]
    relations: Mapping[str, Relation]
    values: Mapping[str, Value]
    books: dict[str, Phrasebook] = field(default_factory=dict, compare=False, repr=False)

    @cached_property
    def _unsure_in_case(self) -> dict[str, tuple[str, ...]]:
        return {a.surface: a.entities for a in self.ambiguous.values() if a.case_sensitive}

    def _book(self, name: str) -> Phrasebook:
        """The phrasebook of one kind, as it was loaded or built now."""
        if name not in self.books:
            self.books[name] = self._build_book(name)
        return self.books[name]

    def _build_book(self, name: str) -> Phrasebook:
        metrics, terms = self.metrics.values(), self.terms.values()
        if name == "entities":
            certain = [(n, e.id) for e in self.entities.values() for n in (e.name, *e.aliases)]
            unsure = [(a.surface, i) for a in self.ambiguous.values() for i in a.entities if not a.case_sensitive]
            return Phrasebook([*certain, *unsure])
        if name == "terms":
            exact = [(surface, t.id) for t in terms for surface in t.exact]
            return Phrasebook([(n, t.id) for t in terms for n in (t.name, *t.aliases)], exact)
        if name == "qualifiers":
            return self._build_qualifier_book()
        if name == "values":
            said = [(words, v.id) for v in self.values.values() for words in v.words]
            return Phrasebook([*said, *((words, f"!{v.id}") for v in self.values.values() for words in v.opposite)])
        if name == "anti":
            return Phrasebook((phrase, m.id) for m in metrics for phrase in m.anti)
        asked = name == "asked"
        return Phrasebook((n, m.id) for m in metrics for n in (m.name, *m.cues, *(m.questions if asked else ())))

    def _build_qualifier_book(self) -> Phrasebook:
        """Values as "axis=value": those with cues of their own, and the terms of the kinds that an axis takes."""
        values = self.qualifiers.values()
        cues = [(cue, f"{q.axis}={q.id}") for q in values for cue in (*q.cues, *q.exact)]
        exact = [(cue, f"{q.axis}={q.id}") for q in values for cue in q.exact]
        for axis in self.axes.values():
            for term in self.terms.values():
                if term.kind in axis.terms:
                    cues += [(surface, f"{axis.id}={term.id}") for surface in (term.name, *term.aliases)]
                    exact += [(surface, f"{axis.id}={term.id}") for surface in term.exact]
        return Phrasebook(cues, exact)

    @cached_property
    def default_metrics(self) -> dict[str, str]:
        """By dimension, the metric that a figure is taken for where no wording tells."""
        return {m.dimension: m.id for m in self.metrics.values() if m.default}

    @cached_property
    def unit_table(self) -> UnitTable:
        """Finds quantities. Importing that alone takes tens of milliseconds, so a question does without."""
        from chipwise.quantities import Unit, UnitTable  # noqa: PLC0415

        forms = [
            (form, u.case_sensitive, Unit(u.id, u.dimension, u.scale, u.of, u.offset))
            for u in self.units.values()
            for form in u.forms
        ]
        return UnitTable(forms)

    def find_entities(self, text: str) -> list[Mention]:
        """Entities named in `text`. "L40s" may be two things where "L40S" is one: case decides there."""
        unsure = self._unsure_in_case
        return [
            Mention(m.start, m.end, unsure.get(text[m.start : m.end], m.ids)) for m in self._book("entities").find(text)
        ]

    def find_unit(self, phrase: str) -> str:
        """The unit that `phrase` begins with ("chips are there", "tokens per second"), longest first, or ""."""
        words = phrase.split()
        for length in range(min(4, len(words)), 0, -1):
            unit = self._unit_names.get(" ".join(words[:length]).lower())
            if unit:
                return unit
        return ""

    @cached_property
    def _unit_names(self) -> dict[str, str]:
        # "a chip" asks for no amperes, and " in" is a word as well as a unit
        return {
            form.lower(): u.id
            for u in reversed(list(self.units.values()))
            for form in u.forms
            if form[0].isalpha() and form.lower() not in STOP_WORDS
        }

    def find_terms(self, text: str) -> list[Mention]:
        """Frameworks, clouds, techniques and the like named in `text`."""
        return self._book("terms").find(text)

    def find_qualifiers(self, text: str) -> list[Mention]:
        """Wording in `text` that states where a claim stands on an axis; ids are "axis=value"."""
        return self._book("qualifiers").find(text)

    def find_values(self, text: str) -> list[Mention]:
        """What relations can say that is no term ("sits idle"); an id behind "!" is denied by its contrary."""
        return self._book("values").find(text)

    def find_metrics(self, text: str) -> list[Mention]:
        """Metrics whose wording occurs in `text`, less those that other wording there rules out."""
        return self._not_ruled_out(self._book("metrics").find(text), text)

    def find_metrics_asked(self, question: str) -> list[Mention]:
        """Metrics that a question asks for: "how heavy" and "in BF16" ask for one, and state none."""
        return self._not_ruled_out(self._book("asked").find(question), question)

    def _not_ruled_out(self, mentions: list[Mention], text: str) -> list[Mention]:
        ruled_out = self._book("anti").find(text)
        found: list[Mention] = []
        for mention in mentions:
            ids = tuple(i for i in mention.ids if not any(i in a.ids and _overlap(a, mention) for a in ruled_out))
            if ids:
                found.append(Mention(mention.start, mention.end, ids))
        return found

    def ancestors(self, entity: str) -> list[str]:
        """`entity` and what it is a kind of or made of, nearest first."""
        chain: list[str] = []
        while entity and entity not in chain and entity in self.entities:
            chain.append(entity)
            entity = self.entities[entity].parent
        return chain

    def covers(self, asked: str, said: str) -> bool:
        """True when a statement about `said` can answer a question about `asked`.

        A variant answers for its chip ("H100 SXM" for "H100"), and a chip for its
        variant where nothing closer is known; a whole line ("GPU") answers for no chip.
        """
        if asked == said:
            return True
        chip_level = {"chip", "variant"}
        kinds = {self.entities[e].kind for e in (asked, said) if e in self.entities}
        related = asked in self.ancestors(said) or said in self.ancestors(asked)
        return related and kinds <= chip_level

    def to_json(self) -> str:
        """One JSON value that `from_json` restores, phrasebooks included."""
        data: dict[str, Any] = {
            table: [asdict(record) for record in getattr(self, name).values()] for table, name in TABLES.items()
        }
        data["books"] = {name: self._book(name).dump() for name in BOOKS}
        return json.dumps(data, ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def from_json(cls, value: str) -> Domain:
        """The domain that `to_json` wrote."""
        data = json.loads(value)
        domain = build_domain(data)
        domain.books.update({name: Phrasebook.load(book) for name, book in data["books"].items()})
        return domain


BOOKS = ("entities", "terms", "metrics", "asked", "anti", "qualifiers", "values")
TABLES = {
    "entity": "entities",
    "metric": "metrics",
    "term": "terms",
    "unit": "units",
    "ambiguous": "ambiguous",
    "slice_naming": "slice_names",
    "dimension": "dimensions",
    "multiplier": "multipliers",
    "axis": "axes",
    "qualifier": "qualifiers",
    "explanation": "explanations",
    "identity": "identities",
    "relation": "relations",
    "value": "values",
}


def build_domain(tables: Mapping[str, Iterable[dict[str, Any]]]) -> Domain:
    """A domain from checked records, given by table name; later ids replace earlier ones."""
    return Domain(
        entities={r["id"]: Entity(**_tupled(r)) for r in tables["entity"]},
        metrics={r["id"]: Metric(**_tupled(r)) for r in tables["metric"]},
        terms={r["id"]: Term(**_tupled(r)) for r in tables["term"]},
        units={r["id"]: UnitForms(**_tupled(r)) for r in tables["unit"]},
        ambiguous={r["surface"]: Ambiguous(**_tupled(r)) for r in tables["ambiguous"]},
        slice_names={r["prefix"]: SliceNaming(**r) for r in tables["slice_naming"]},
        dimensions={r["id"]: Dimension(**r) for r in tables["dimension"]},
        multipliers={r["id"]: Multiplier(**_tupled(r)) for r in tables["multiplier"]},
        axes={r["id"]: Axis(**_tupled(r)) for r in tables["axis"]},
        qualifiers={(r["axis"], r["id"]): Qualifier(**_tupled(r)) for r in tables["qualifier"]},
        explanations={r["id"]: Explanation(**_tupled(r)) for r in tables["explanation"]},
        identities={r["id"]: _identity(r) for r in tables["identity"]},
        relations={r["id"]: Relation(**_tupled(r)) for r in tables["relation"]},
        values={r["id"]: Value(**_tupled(r)) for r in tables["value"]},
    )


def _identity(record: dict[str, Any]) -> Identity:
    """`record` with its terms as values; their qualifiers are a table in TOML and pairs in JSON."""
    terms = tuple(
        IdentityTerm(**{**term, "qualifiers": tuple(map(tuple, dict(term["qualifiers"]).items()))})
        for term in record["terms"]
    )
    return Identity(**{**record, "terms": terms})


def _tupled(record: dict[str, Any]) -> dict[str, Any]:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in record.items()}


def _overlap(a: Mention, b: Mention) -> bool:
    return a.start < b.end and b.start < a.end
