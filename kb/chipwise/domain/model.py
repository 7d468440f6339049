"""The domain as data: entities, metrics, units and terms, and how to spot their names in text.

Made by `domain.files` from TOML when an index is built, and kept in the index as
one JSON value: asking loads that and needs neither TOML nor pydantic.

Knows nothing of any chip: another field needs other files, not other code.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from chipwise import patterns as re
from chipwise.domain.books import BOOKS, build_book, makers_book
from chipwise.domain.catalogue import Catalogue
from chipwise.domain.phrasebook import Mention, Phrasebook
from chipwise.domain.records import Voice
from chipwise.domain.tables import TABLES, LazyTable, read_table
from chipwise.text import STOP_WORDS
from chipwise.values import dataclass

if TYPE_CHECKING:
    from chipwise.domain.cues import Lexicon
    from chipwise.domain.records import Operator, UnitForms
    from chipwise.numbers.quantities import UnitTable

_OR_FORM = re.compile(r"\s?/\s?(\w+)")  # of a form factor, where another one stands before
_PLURAL = re.compile(r"\b[A-Z]+\d+s$")  # with a small s behind a number
# "L40S", "Gaudi 3"; "Trillium" may be counted as well, "v4" may be anything, and the size in "A100 40GB" is a figure
_MODEL_NAME = re.compile(r"^(?=.*\d)(?=.*[A-Z])(?!.*\d\s?GB)")
COUNTED_CHIPS = "chips"  # what units count that count accelerators of any kind
SERIES = 3  # digits of a number that tells products apart; fewer may count things


@dataclass(frozen=True)
class Domain(Catalogue):
    """Everything that the domain files say, with finders built on first use."""

    books: dict[str, Phrasebook] = field(default_factory=dict, compare=False, repr=False)
    dumped: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)  # books that nobody opened yet

    @cached_property
    def unsure_in_case(self) -> dict[str, tuple[str, ...]]:
        """The spellings that may be one of several products, as no words around them tell: "L40s", the plural or the model."""
        return {a.surface: a.entities for a in self.ambiguous.values() if a.case_sensitive}

    def _book(self, name: str) -> Phrasebook:
        """The phrasebook of one kind, as it was loaded or built now."""
        if name not in self.books:
            dumped = self.dumped.get(name)
            self.books[name] = Phrasebook.load(json.loads(dumped)) if dumped else build_book(self, name)
        return self.books[name]

    @cached_property
    def unit_table(self) -> UnitTable:
        """Finds quantities. Importing that alone takes tens of milliseconds, so a question does without."""
        from chipwise.numbers.quantities import Unit, UnitTable  # noqa: PLC0415

        forms = [(form, u) for u in self.units.values() for form in u.forms]
        forms += self._chips_counted()
        return UnitTable(
            [(form, u.case_sensitive, Unit(u.id, u.dimension, u.scale, u.of, u.offset)) for form, u in forms]
        )

    @cached_property
    def counted_names(self) -> frozenset[str]:
        """The names of chips, in lower case, that a number before them counts."""
        return frozenset(form.lower() for form, _ in self._chips_counted())

    def _chips_counted(self) -> Iterator[tuple[str, UnitForms]]:
        """The names of chips as what a number before them counts, each as its line is: "eight L40S" are GPUs."""
        by_form = {form: u for u in self.units.values() if u.of == COUNTED_CHIPS for form in u.forms}
        for entity in self.entities.values():
            lines = (self.entities[a].name for a in self.ancestors(entity.id)) if self.is_chip(entity.id) else ()
            unit = next((by_form[line] for line in lines if line in by_form), None)
            if unit is not None:
                named = filter(_MODEL_NAME.search, (entity.name, *entity.aliases))
                yield from ((form, unit) for name in named for form in (name, f"{name}s"))

    @cached_property
    def voice_lexicon(self) -> Lexicon:
        """Finds the cues that tell how a text puts what it says. Only reading a document needs it."""
        from chipwise.domain.cues import Lexicon  # noqa: PLC0415

        return Lexicon(self.voices.values())

    def find_phrase(self, group: str, text: str) -> str:
        """The first words of `text` that say what a group of phrases.toml does; "" where there are none, or no such group."""
        found = self._phrases[group].find(text) if group in self._phrases else ()
        return text[found[0].start : found[0].end] if found else ""

    @cached_property
    def _phrases(self) -> Mapping[str, Lexicon]:
        from chipwise.domain.cues import Lexicon  # noqa: PLC0415

        return {w.id: Lexicon([Voice(w.id, "plain", "sentence", w.words)]) for w in self.words.values()}

    def find_entities(self, text: str) -> list[Mention]:
        """Entities named in `text`. "L40s" may be two things where "L40S" is one: case decides there."""
        unsure = self.unsure_in_case
        return [
            Mention(m.start, m.end, unsure.get(text[m.start : m.end]) or self._meant(text, m))
            for m in self._book("entities").find(text)
        ]

    def _meant(self, text: str, mention: Mention) -> tuple[str, ...]:
        """What a mention names: "H200 (PCIe/SXM)" the chip of both variants, "V100s" several V100, and no V100S."""
        if _PLURAL.search(text, mention.start, mention.end):
            one = self._book("entities").find(text[mention.start : mention.end - 1])
            return one[0].ids if len(one) == 1 else mention.ids
        behind = _OR_FORM.match(text, mention.end)
        entity = self.entities.get(mention.ids[0]) if behind and len(mention.ids) == 1 else None
        if behind is None or entity is None or not entity.form_factor or behind[1].lower() not in self.form_factors:
            return mention.ids
        return (entity.parent,) if self.is_chip(entity.parent) else mention.ids

    def numbers_names(self, word: str, number: str) -> bool:
        """True where `word` makes names with other numbers of as many digits: there is an RTX 4090, and no RTX 6090.

        A short number makes names of models alone: GPT-3 and GPT-4, and "2 H100" counts.
        """
        book = self._book("entities" if len(number) >= SERIES else "terms")
        seconds = [phrase.split()[1:2] for phrase in book.starting_with(word)]
        numbers = {second[0].rstrip("abcdefghijklmnopqrstuvwxyz") for second in seconds if second}
        others = {other for other in numbers if other.isdigit() and len(other) == len(number)}
        return bool(others) and number not in others

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """Every word, in lower case, of a name or of wording that asks for a metric."""
        named = (word for book in ("entities", "asked", "terms", "qualifiers") for word in self._book(book).words())
        return frozenset((*named, *(word for form in self._unit_names for word in form.split())))

    @cached_property
    def question_words(self) -> frozenset[str]:
        """Every word, in lower case, that may stand in a question and means something or carries nothing."""
        said = {word for o in self.operators.values() for phrase in o.words for word in phrase.split()}
        return self.vocabulary | said | STOP_WORDS

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

    @cached_property
    def unit_by_form(self) -> dict[str, str]:
        """Units by the ways that people write them, case and all; of two with one form the earlier one."""
        return {
            form: u.id
            for u in reversed(list(self.units.values()))
            for form in u.forms
            if form.lower() not in STOP_WORDS
        }

    def change_nothing(self, *ways: str) -> frozenset[str]:
        """The words that change nothing of a question which is answered in one of these ways, or of what a figure is of."""
        if ways not in self._nothing:
            self._nothing[ways] = frozenset(
                word for way in ways if way in self.neutral for word in self.neutral[way].words
            )
        return self._nothing[ways]

    @cached_property
    def _nothing(self) -> dict[tuple[str, ...], frozenset[str]]:
        """`change_nothing` by what it was asked for: every figure asks."""
        return {}

    def is_rented(self, entity: str) -> bool:
        """True for a p5.48xlarge and a TPU, which their makers rent and do not sell: whose price it is goes without saying."""
        vendors = {vendor for metric in self.metrics.values() for vendor in metric.never_of}
        return entity in self.entities and self.entities[entity].vendor in vendors

    def find_terms(self, text: str) -> list[Mention]:
        """Frameworks, clouds, techniques and the like named in `text`."""
        return self._book("terms").find(text)

    def find_makers(self, text: str) -> list[Mention]:
        """Who designs chips, by their names or by those that their products go by: "Amazon" of "Amazon Trainium" is AWS."""
        return self._makers.find(text)

    def vendors_named(self, company: str) -> tuple[str, ...]:
        """Under which names a company makes chips: "AWS" of Amazon; none of what is no company."""
        term = self.terms.get(company)
        if term is None or term.kind != "company":
            return ()
        return tuple(v for m in self.find_makers(term.name) for v in m.ids)

    def company_of(self, vendor: str) -> str:
        """The company that makes chips under a name, or ""."""
        return next((t.id for t in self.terms.values() if vendor in self.vendors_named(t.id)), "")

    @cached_property
    def _makers(self) -> Phrasebook:
        return makers_book(self)

    def find_qualifiers(self, text: str) -> list[Mention]:
        """Wording in `text` that states where a claim stands on an axis; ids are "axis=value"."""
        return self._book("qualifiers").find(text)

    def find_settings(self, text: str) -> list[Mention]:
        """Wording that tells of a run or an offer: "axis=value" for a value, "axis:" for the label of one."""
        return self._book("settings").find(text)

    def find_operators(self, question: str) -> list[Mention]:
        """Words that do something to a question and name nothing: "at least", "which", "please"."""
        return self._book("operators").find(question)

    def operators_in(self, text: str) -> list[Operator]:
        """What the words of a question do to it, in order."""
        return [self.operators[i] for m in self.find_operators(text) for i in m.ids]

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

    def to_json(self) -> str:
        """One JSON value that `from_json` restores, phrasebooks included.

        Every table and book is a JSON text inside it: who opens a domain parses only those that they look into.
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
