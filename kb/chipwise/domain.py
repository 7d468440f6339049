"""The domain as data: entities, metrics, units and terms, and how to spot their names in text.

Reads `corpus/domain/*.toml` (and a knowledge base's own `domain/*.toml` after
it), checks them, and compiles them into one JSON value that the index keeps:
asking loads that value and needs neither TOML nor pydantic.

Knows nothing of any chip: another field needs other files, not other code.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from chipwise.quantities import Unit, UnitTable
from chipwise.text import WORD


@dataclass(frozen=True, slots=True)
class Entity:
    """A chip, a family, a system: anything that a figure can be about.

    `parent` leads from a variant to its chip, from a chip to its family, from a
    system to the chip that it is made of. `chips` is how many it holds.
    """

    id: str
    name: str
    kind: str
    vendor: str = ""
    parent: str = ""
    predecessor: str = ""
    chips: int = 1
    aliases: tuple[str, ...] = ()
    ambiguous: bool = False


@dataclass(frozen=True, slots=True)
class Metric:
    """A quantity that sources state: its dimension, and the wording that signals it.

    The `default` one of a dimension is meant where no wording tells; figures of
    those in `also` answer a casual question for this one.
    """

    id: str
    name: str
    dimension: str
    unit: str = ""
    cues: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    anti: tuple[str, ...] = ()
    qualifiers: tuple[str, ...] = ()
    bigger_is: str = "more"
    default: bool = False
    also: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Term:
    """Anything else that has a name: a framework, a cloud, a technique, a company.

    Surfaces in `exact` count only in the case written there.
    """

    id: str
    name: str
    kind: str
    aliases: tuple[str, ...] = ()
    exact: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class UnitForms:
    """A unit with the ways that people write it; `per` is the scope that those state ("chip")."""

    id: str
    dimension: str
    scale: float
    forms: tuple[str, ...]
    case_sensitive: bool = True
    of: str = ""
    per: str = ""
    offset: float = 0.0
    note: str = ""


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """A surface that names one of several entities and does not tell which."""

    surface: str
    entities: tuple[str, ...]
    case_sensitive: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True)
class SliceNaming:
    """What the number in a slice's name counts: "v5p-8" TensorCores, "v6e-8" chips."""

    prefix: str
    entity: str
    counts: str
    cores_per_chip: int


@dataclass(frozen=True, slots=True)
class Dimension:
    """What kind of quantity a unit measures, and the unit that all are turned into."""

    id: str
    base: str


@dataclass(frozen=True, slots=True)
class Multiplier:
    """Letters and words that scale a number: 1.5k, 70 billion."""

    id: str
    scale: float
    forms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Mention:
    """A name found at `[start, end)`; several ids when the surface is ambiguous."""

    start: int
    end: int
    ids: tuple[str, ...]


class Phrasebook:
    """Finds known phrases in text: longest first, whole words, case and hyphens ignored.

    "L40S" and "l40s" are one word; a plural -s is taken off a word that no
    phrase holds as it stands.
    """

    def __init__(self, phrases: Iterable[tuple[str, str]], exact: Iterable[tuple[str, str]] = ()) -> None:
        """`phrases` are (surface, id); those in `exact` too count only in their own case."""
        self._exact = set(exact)
        phrases = [*phrases, *self._exact]
        self._ids: dict[tuple[str, ...], list[str]] = {}
        lengths: dict[str, set[int]] = {}
        for phrase, name in phrases:
            key = tuple(m.group().lower() for m in WORD.finditer(phrase))
            if key and name not in self._ids.setdefault(key, []):
                self._ids[key].append(name)
                lengths.setdefault(key[0], set()).add(len(key))
        self._lengths = {first: sorted(found, reverse=True) for first, found in lengths.items()}

    def find(self, text: str) -> list[Mention]:
        """Mentions in order, never overlapping."""
        tokens = [(m.group().lower(), m.start(), m.end()) for m in WORD.finditer(text)]
        found = (self._in_case(text, mention) for mention in self._match(tokens))
        return [mention for mention in found if mention is not None]

    def _match(self, tokens: list[tuple[str, int, int]]) -> Iterator[Mention]:
        at = 0
        while at < len(tokens):
            length, ids = self._longest(tokens, at)
            if length:
                yield Mention(tokens[at][1], tokens[at + length - 1][2], tuple(ids))
            at += length or 1

    def _in_case(self, text: str, mention: Mention) -> Mention | None:
        if not self._exact:
            return mention
        written = text[mention.start : mention.end]
        ids = tuple(i for i in mention.ids if (written, i) in self._exact or not self._only_exact(written, i))
        return Mention(mention.start, mention.end, ids) if ids else None

    def _only_exact(self, written: str, name: str) -> bool:
        return any(written.lower() == surface.lower() and name == i for surface, i in self._exact)

    def _longest(self, tokens: list[tuple[str, int, int]], at: int) -> tuple[int, list[str]]:
        """How many tokens the longest phrase at `at` takes, and whose it is; (0, []) when none starts there.

        A phrase as it stands goes before the same phrase in the plural: "L40S" is no plural of "L40".
        """
        first = tokens[at][0]
        lengths = self._lengths.get(first) or self._lengths.get(_singular(first)) or []
        for length in lengths:
            key = tuple(token for token, _, _ in tokens[at : at + length])
            ids = self._ids.get(key) or self._ids.get((*key[:-1], _singular(key[-1])))
            if ids and len(key) == length:
                return length, ids
        return 0, []


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 2 and word.endswith("s") else word  # noqa: PLR2004


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

    @cached_property
    def _entity_names(self) -> Phrasebook:
        certain = [(name, e.id) for e in self.entities.values() for name in (e.name, *e.aliases)]
        unsure = [(a.surface, id_) for a in self.ambiguous.values() for id_ in a.entities if not a.case_sensitive]
        return Phrasebook([*certain, *unsure])

    @cached_property
    def _unsure_in_case(self) -> dict[str, tuple[str, ...]]:
        return {a.surface: a.entities for a in self.ambiguous.values() if a.case_sensitive}

    @cached_property
    def _metric_cues(self) -> Phrasebook:
        return Phrasebook((cue, m.id) for m in self.metrics.values() for cue in (m.name, *m.cues))

    @cached_property
    def _metric_questions(self) -> Phrasebook:
        return Phrasebook((cue, m.id) for m in self.metrics.values() for cue in (m.name, *m.cues, *m.questions))

    @cached_property
    def _metric_anti(self) -> Phrasebook:
        return Phrasebook((phrase, m.id) for m in self.metrics.values() for phrase in m.anti)

    @cached_property
    def _term_names(self) -> Phrasebook:
        exact = [(surface, t.id) for t in self.terms.values() for surface in t.exact]
        return Phrasebook([(name, t.id) for t in self.terms.values() for name in (t.name, *t.aliases)], exact)

    @cached_property
    def default_metrics(self) -> dict[str, str]:
        """By dimension, the metric that a figure is taken for where no wording tells."""
        return {m.dimension: m.id for m in self.metrics.values() if m.default}

    @cached_property
    def unit_table(self) -> UnitTable:
        """Finds quantities. Compiling it costs milliseconds, so a question does without."""
        forms = [
            (form, u.case_sensitive, Unit(u.id, u.dimension, u.scale, u.of))
            for u in self.units.values()
            for form in u.forms
        ]
        return UnitTable(forms)

    def find_entities(self, text: str) -> list[Mention]:
        """Entities named in `text`. "L40s" may be two things where "L40S" is one: case decides there."""
        unsure = self._unsure_in_case
        return [
            Mention(m.start, m.end, unsure.get(text[m.start : m.end], m.ids)) for m in self._entity_names.find(text)
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
        return {
            form.lower(): u.id for u in reversed(list(self.units.values())) for form in u.forms if form[0].isalpha()
        }

    def find_terms(self, text: str) -> list[Mention]:
        """Frameworks, clouds, techniques and the like named in `text`."""
        return self._term_names.find(text)

    def find_metrics(self, text: str) -> list[Mention]:
        """Metrics whose wording occurs in `text`, less those that other wording there rules out."""
        return self._not_ruled_out(self._metric_cues.find(text), text)

    def find_metrics_asked(self, question: str) -> list[Mention]:
        """Metrics that a question asks for: "how heavy" and "in BF16" ask for one, and state none."""
        return self._not_ruled_out(self._metric_questions.find(question), question)

    def _not_ruled_out(self, mentions: list[Mention], text: str) -> list[Mention]:
        ruled_out = self._metric_anti.find(text)
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
        """One JSON value that `from_json` restores."""
        data = {table: [asdict(record) for record in getattr(self, field).values()] for table, field in TABLES.items()}
        return json.dumps(data, ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def from_json(cls, value: str) -> Domain:
        """The domain that `to_json` wrote."""
        return build_domain(json.loads(value))


TABLES = {
    "entity": "entities",
    "metric": "metrics",
    "term": "terms",
    "unit": "units",
    "ambiguous": "ambiguous",
    "slice_naming": "slice_names",
    "dimension": "dimensions",
    "multiplier": "multipliers",
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
    )


def _tupled(record: dict[str, Any]) -> dict[str, Any]:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in record.items()}


def _overlap(a: Mention, b: Mention) -> bool:
    return a.start < b.end and b.start < a.end
