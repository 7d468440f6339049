"""The domain as data: entities, metrics, units and terms, and how to spot their names in text.

Made by `domain_files` from TOML when an index is built, and kept in the index as
one JSON value: asking loads that and needs neither TOML nor pydantic.

Knows nothing of any chip: another field needs other files, not other code.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from chipwise.domain_tables import TABLES, LazyTable, read_table
from chipwise.phrasebook import Mention, Phrasebook
from chipwise.records import (
    Ambiguous,
    Axis,
    Derivation,
    Dimension,
    Entity,
    Explanation,
    Identity,
    Metric,
    Multiplier,
    Qualifier,
    Relation,
    SliceNaming,
    Term,
    UnitForms,
    Value,
    Voice,
)
from chipwise.text import STOP_WORDS

if TYPE_CHECKING:
    from chipwise.claims.cues import Lexicon
    from chipwise.quantities import UnitTable

SHARED_BY_MANY = 5  # metrics
SERIES = 3  # digits of a number that tells products apart; fewer may count things
_MACHINE = 4  # chips of a machine, rather than of a superchip or a card
PARTS = frozenset(("core", "die", "link", "axis", "nic", "stack", "pair"))  # scopes below a chip's
_SHORT_NAME = re.compile(r"(?<=\s)(?:v\d[a-z]?|\d[a-z]|\d{4})$|(?<=[A-Z])\d{3}[A-Z]$")
BOOKS = ("entities", "terms", "metrics", "asked", "anti", "qualifiers", "values")


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
    derivations: Mapping[str, Derivation] = field(default_factory=dict)
    voices: Mapping[str, Voice] = field(default_factory=dict)
    books: dict[str, Phrasebook] = field(default_factory=dict, compare=False, repr=False)
    dumped: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)  # books that nobody opened yet

    @cached_property
    def _unsure_in_case(self) -> dict[str, tuple[str, ...]]:
        return {a.surface: a.entities for a in self.ambiguous.values() if a.case_sensitive}

    def _book(self, name: str) -> Phrasebook:
        """The phrasebook of one kind, as it was loaded or built now."""
        if name not in self.books:
            dumped = self.dumped.get(name)
            self.books[name] = Phrasebook.load(json.loads(dumped)) if dumped else self._build_book(name)
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

    def metric_of(self, metric: str, subject: str) -> str:
        """The metric that a figure is of, given whose it is: what a machine of four chips and more draws is no TDP."""
        entity, machines = self.entities.get(subject), self.metrics[metric].of_machines
        is_machine = entity is not None and entity.kind == "system" and entity.chips >= _MACHINE
        return machines if machines and is_machine else metric

    def counted(self, unit: str) -> str:
        """The kind of things that a unit counts: "chips" for "GPUs"."""
        forms = self.units.get(unit)
        return forms.of or forms.id if forms is not None else unit

    def counts(self, metric: Metric, unit: str) -> bool:
        """True where figures in `unit` can be of a metric that counts something."""
        return self.counted(unit) in (self.counted(metric.unit), *metric.counts)

    @cached_property
    def plain_metrics(self) -> dict[str, list[Metric]]:
        """By dimension, the metrics that a figure may be of that a chip or a machine simply has."""
        found: dict[str, list[Metric]] = {}
        for metric in self.metrics.values():
            if metric.plain:
                found.setdefault(metric.dimension, []).append(metric)
        return found

    @cached_property
    def told_metrics(self) -> dict[str, list[Metric]]:
        """By dimension, the metrics that a qualifier at a figure may tell."""
        found: dict[str, list[Metric]] = {}
        for metric in self.metrics.values():
            if metric.told_by:
                found.setdefault(metric.dimension, []).append(metric)
        return found

    @cached_property
    def holders(self) -> dict[str, str]:
        """By noun for what holds chips ("host", "rack"), in lower case, the metric that their number is."""
        return {noun.lower(): m.id for m in self.metrics.values() for noun in m.holders}

    @cached_property
    def holder_nouns(self) -> re.Pattern[str]:
        """What finds those nouns; nothing where there are none."""
        longest_first = sorted(self.holders, key=len, reverse=True)
        nouns = "|".join(map(re.escape, longest_first))
        return re.compile(rf"(?<![\w-])(?:{nouns})s?(?![\w-])" if nouns else r"(?!)", re.I)

    @cached_property
    def implied_dimensions(self) -> dict[str, frozenset[str]]:
        """By dimension, those that its figures may be of where the words beside them say so: a price is one for an hour."""
        found: dict[str, set[str]] = {}
        for m in self.metrics.values():
            for dimension in m.implied_by:
                found.setdefault(dimension, set()).add(m.dimension)
        return {dimension: frozenset(implied) for dimension, implied in found.items()}

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

    @cached_property
    def voice_lexicon(self) -> Lexicon:
        """Finds the cues that tell how a text puts what it says. Only reading a document needs it."""
        from chipwise.claims.cues import Lexicon  # noqa: PLC0415

        return Lexicon(self.voices.values())

    @cached_property
    def short_names(self) -> dict[str, tuple[str, ...]]:
        """Who may be called by the last word of a chip's name ("v3", "8i", "4090"), or by its end from the number on ("355X")."""
        found: dict[str, tuple[str, ...]] = {}
        for e in self.entities.values():
            short = _SHORT_NAME.search(e.name) if e.kind == "chip" else None
            if short is not None:
                found[short[0]] = (*found.get(short[0], ()), e.id)
        return found

    def find_entities(self, text: str) -> list[Mention]:
        """Entities named in `text`. "L40s" may be two things where "L40S" is one: case decides there."""
        unsure = self._unsure_in_case
        return [
            Mention(m.start, m.end, unsure.get(text[m.start : m.end], m.ids)) for m in self._book("entities").find(text)
        ]

    def numbers_names(self, word: str, number: str) -> bool:
        """True where `word` makes names with other numbers of as many digits: there is an RTX 4090, and no RTX 6090."""
        seconds = [phrase.split()[1:2] for phrase in self._book("entities").starting_with(word)]
        others = {second[0] for second in seconds if second and second[0].isdigit() and len(second[0]) == len(number)}
        return len(number) >= SERIES and bool(others) and number not in others

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """Every word, in lower case, of a name or of wording that asks for a metric."""
        named = (word for book in ("entities", "asked", "terms", "qualifiers") for word in self._book(book).words())
        return frozenset((*named, *(word for form in self._unit_names for word in form.split())))

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

    def find_makers(self, text: str) -> list[Mention]:
        """Who designs chips, by their names or by those that their products go by: "Amazon" of "Amazon Trainium" is AWS."""
        return self._makers.find(text)

    @cached_property
    def _makers(self) -> Phrasebook:
        makers = {e.vendor for e in self.entities.values() if e.vendor}
        first: dict[str, str] = {}
        for e in self.entities.values():
            if e.vendor and e.kind in ("line", "family", "chip"):
                first.update((name.split()[0].lower(), e.vendor) for name in (e.name, *e.aliases))
        companies = [t.name for t in self.terms.values() if t.kind == "company" and t.name.lower() in first]
        return Phrasebook([*((m, m) for m in makers), *((name, first[name.lower()]) for name in companies)])

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
            ids = tuple(
                i for i in mention.ids if not any(i in a.ids and self._rules_out(i, a, mention) for a in ruled_out)
            )
            if ids:
                found.append(Mention(mention.start, mention.end, ids))
        return found

    def _rules_out(self, metric: str, wording: Mention, mention: Mention) -> bool:
        """True where other wording overlaps with a metric's, or goes on from a general one: "more performance per dollar"."""
        return mention.start < wording.end and wording.start < mention.end + 2 * self.metrics[metric].general

    @cached_property
    def shared_words(self) -> frozenset[str]:
        """The cues of one word that the wordings of many metrics of a dimension end with: "bandwidth" alone says little."""
        ends: dict[tuple[str, str], set[str]] = {}
        for m in self.metrics.values():
            for cue in m.cues:
                ends.setdefault((cue.rsplit(None, 1)[-1].lower(), m.dimension), set()).add(m.id)
        single = {cue.lower() for m in self.metrics.values() for cue in m.cues if " " not in cue}
        return frozenset(word for (word, _), found in ends.items() if word in single and len(found) >= SHARED_BY_MANY)

    @cached_property
    def form_factors(self) -> frozenset[str]:
        """In lower case, as ids of variants end with them."""
        return frozenset(value.lower() for axis, value in self.qualifiers if axis == "form_factor")

    @cached_property
    def part_nouns(self) -> dict[str, str]:
        """By noun in lower case ("gcd", "gcds"), the scope below a chip's that "per" makes of it."""
        nouns = {
            cue.split()[-1].lower(): value
            for (axis, value), qualifier in self.qualifiers.items()
            if axis == "aggregation" and value in PARTS
            for cue in qualifier.cues
            if cue.startswith("per ") and cue.count(" ") == 1
        }
        return nouns | {f"{noun}s": value for noun, value in nouns.items()}

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

    def machines_like(self, machine: str) -> list[str]:
        """What a machine of a chip's maker is rented as: those of others that hold as many of the chip; itself first."""
        about = self.entities[machine]
        chips = [i for i in self.ancestors(machine) if self.entities[i].kind == "chip"]
        if about.kind != "system" or not chips or about.vendor != self.entities[chips[0]].vendor:
            return [machine]
        alike = [e.id for e in self.entities.values() if e.kind == "system" and e.chips == about.chips]
        return [machine, *(i for i in alike if i != machine and chips[0] in self.ancestors(i))]

    @cached_property
    def counts_sold(self) -> dict[str, frozenset[int]]:
        """By chip, the numbers in which systems and slices hold it."""
        found: dict[str, set[int]] = {}
        for e in self.entities.values():
            if e.kind in ("system", "slice") and e.chips > 1:
                for ancestor in self.ancestors(e.id):
                    found.setdefault(ancestor, {8}).add(e.chips)
        return {chip: frozenset(counts) for chip, counts in found.items()}

    @cached_property
    def variants(self) -> dict[str, tuple[str, ...]]:
        """By chip, its variants."""
        found: dict[str, tuple[str, ...]] = {}
        for e in self.entities.values():
            if e.kind == "variant":
                for ancestor in self.ancestors(e.id)[1:]:
                    found[ancestor] = (*found.get(ancestor, ()), e.id)
        return found

    def to_json(self) -> str:
        """One JSON value that `from_json` restores, phrasebooks included.

        Every table and book is a JSON text inside it: who opens a domain parses only
        those that they look into.
        """

        def text(value: object) -> str:
            return json.dumps(value, ensure_ascii=False, separators=(",", ":"))

        tables = {
            table: text([asdict(record) for record in getattr(self, name).values()]) for table, name in TABLES.items()
        }
        return text({**tables, "books": {name: text(self._book(name).dump()) for name in BOOKS}})

    @classmethod
    def from_json(cls, value: str) -> Domain:
        """The domain that `to_json` wrote."""
        data = json.loads(value)
        books = data.pop("books")
        tables: dict[str, Any] = {TABLES[table]: LazyTable(table, rows) for table, rows in data.items()}
        return cls(**tables, dumped=books)


def build_domain(tables: Mapping[str, Iterable[dict[str, Any]]]) -> Domain:
    """A domain from checked records, given by table name; later ids replace earlier ones."""
    return Domain(**{name: read_table(table, tables[table]) for table, name in TABLES.items()})
