"""`Domain`: entities, metrics, units and terms as data, and how to find their names in text.

`domain.files` makes it from TOML when an index is built. The index keeps it as one JSON
value: asking loads that and needs neither TOML nor pydantic.

It knows nothing about any chip: another field needs other files, not other code.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from chipwise import patterns as re
from chipwise.domain.catalogue import TABLES, Catalogue, read_table
from chipwise.domain.phrasebook import BOOKS, Mention, Phrasebook, build_book, makers_book
from chipwise.domain.records import Voice
from chipwise.text import STOP_WORDS
from chipwise.values import dataclass

if TYPE_CHECKING:
    from chipwise.domain.cues import Lexicon
    from chipwise.domain.records import Operator, UnitForms
    from chipwise.numbers.quantities import UnitTable

_OR_FORM = re.compile(r"\s?/\s?(\w+)")  # a second form factor after a slash
_PLURAL = re.compile(r"\b[A-Z]+\d+s$")  # lower-case s after a number
# "L40S", "Gaudi 3"; not "Trillium", which is no model number, "v4", which may be anything, nor the size of "A100 40GB"
_MODEL_NAME = re.compile(r"^(?=.*\d)(?=.*[A-Z])(?!.*\d\s?GB)")
COUNTED_CHIPS = "chips"  # `of` of the units that count accelerators
SERIES = 3  # digits of a model number; a shorter number may be a count
# a letter and digits, or digits and a letter: "v3", "8i", "355X"; a number only after an article: "the 4090"
_SHORT = re.compile(
    r"(?<![\w.,$€£/+-])(?:[a-z]\d{1,2}[a-z]?|\d{1,4}[A-Za-z]{1,2}"
    r"|(?:(?<=\b[Tt]he\s)|(?<=\b[Aa]\s)|(?<=\b[Aa]n\s)|(?<=\b[Mm]y\s)|(?<=\b[Oo]ur\s)|(?<=\bvs\s)|(?<=\bvs\.\s))\d{4})(?![\w+/%-]|[.,]\d)"
)
_LIKE_A_NAME = re.compile(
    r"(?:^\W*|\b[Tt]he\s|\b[Oo]ur\s|[,;:]\s(?:and\s|but\s)?|\b(?:and|while|than|of|on)\s(?:the\s)?)$"
)
_BEHIND = 24  # characters within which a unit would follow
_TIMES = re.compile(r"\d+[xX]$")
_GOES_ON = re.compile(
    r"\s?(?:as\b|the\b|that\b|more\b|less\b|\w+er\b|of\b|speed|performance|increase|improvement|gain)"
)


@dataclass(frozen=True)
class Domain(Catalogue):
    """The whole domain, with finders built on first use."""

    books: dict[str, Phrasebook] = field(default_factory=dict, compare=False, repr=False)
    dumped: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)  # JSON of books not opened yet

    @cached_property
    def unsure_in_case(self) -> dict[str, tuple[str, ...]]:
        """Spellings that fit several products, undecided by the words around them: "L40s" is a plural or a model."""
        return {a.surface: a.entities for a in self.ambiguous.values() if a.case_sensitive}

    def _book(self, name: str) -> Phrasebook:
        """The phrasebook called `name`, loaded or built on first use."""
        if name not in self.books:
            dumped = self.dumped.get(name)
            self.books[name] = Phrasebook.load(json.loads(dumped)) if dumped else build_book(self, name)
        return self.books[name]

    @cached_property
    def unit_table(self) -> UnitTable:
        """The table that finds quantities. Its import alone takes tens of milliseconds, so questions avoid it."""
        from chipwise.numbers.quantities import Unit, UnitTable  # noqa: PLC0415

        forms = [(form, u) for u in self.units.values() for form in u.forms]
        forms += self._chips_counted()
        return UnitTable(
            [(form, u.case_sensitive, Unit(u.id, u.dimension, u.scale, u.of, u.offset)) for form, u in forms]
        )

    @cached_property
    def counted_names(self) -> frozenset[str]:
        """Names of chips, in lower case, that a number before them can count."""
        return frozenset(form.lower() for form, _ in self._chips_counted())

    def _chips_counted(self) -> Iterator[tuple[str, UnitForms]]:
        """Yield chip names as units of their line, for counting: "eight L40S" are GPUs."""
        by_form = {form: u for u in self.units.values() if u.of == COUNTED_CHIPS for form in u.forms}
        for entity in self.entities.values():
            lines = (self.entities[a].name for a in self.ancestors(entity.id)) if self.is_chip(entity.id) else ()
            unit = next((by_form[line] for line in lines if line in by_form), None)
            if unit is not None:
                names = filter(_MODEL_NAME.search, (entity.name, *entity.aliases))
                yield from ((form, unit) for name in names for form in (name, f"{name}s"))

    @cached_property
    def voice_lexicon(self) -> Lexicon:
        """The lexicon of voice cues. Only reading documents needs it."""
        from chipwise.domain.cues import Lexicon  # noqa: PLC0415

        return Lexicon(self.voices.values())

    def find_phrase(self, group: str, text: str) -> str:
        """The first words of `text` that match a group of phrases.toml; "" if none do or the group doesn't exist."""
        cues = self._phrases[group].find(text) if group in self._phrases else ()
        return text[cues[0].start : cues[0].end] if cues else ""

    @cached_property
    def _phrases(self) -> Mapping[str, Lexicon]:
        from chipwise.domain.cues import Lexicon  # noqa: PLC0415

        return {w.id: Lexicon([Voice(w.id, "plain", "sentence", w.words)]) for w in self.words.values()}

    def find_entities(self, text: str) -> list[Mention]:
        """List the entities mentioned in `text`. Case decides whether "L40s" is ambiguous and "L40S" is not."""
        unsure = self.unsure_in_case
        return [
            Mention(m.start, m.end, unsure.get(text[m.start : m.end]) or self._meant(text, m))
            for m in self._book("entities").find(text)
        ]

    def _meant(self, text: str, mention: Mention) -> tuple[str, ...]:
        """The ids behind a mention: "H200 (PCIe/SXM)" is the chip of both variants, "V100s" is several V100, not V100S."""
        if _PLURAL.search(text, mention.start, mention.end):
            one = self._book("entities").find(text[mention.start : mention.end - 1])
            return one[0].ids if len(one) == 1 else mention.ids
        behind = _OR_FORM.match(text, mention.end)
        entity = self.entities.get(mention.ids[0]) if behind and len(mention.ids) == 1 else None
        if behind is None or entity is None or not entity.form_factor or behind[1].lower() not in self.form_factors:
            return mention.ids
        return (entity.parent,) if self.is_chip(entity.parent) else mention.ids

    def numbers_names(self, word: str, number: str) -> bool:
        """True if `word` forms names with other numbers of as many digits: there is an RTX 4090, but no RTX 6090.

        Short numbers count only for models (GPT-3 and GPT-4), because "2 H100" is a count.
        """
        book = self._book("entities" if len(number) >= SERIES else "terms")
        seconds = [phrase.split()[1:2] for phrase in book.starting_with(word)]
        numbers = {second[0].rstrip("abcdefghijklmnopqrstuvwxyz") for second in seconds if second}
        others = {other for other in numbers if other.isdigit() and len(other) == len(number)}
        return bool(others) and number not in others

    @cached_property
    def question_words(self) -> frozenset[str]:
        """All words, in lower case, of names and of wording that means something in a question."""
        phrases = (self._book(name).dump()[0] for name in ("entities", "asked", "terms", "qualifiers", "operators"))
        return STOP_WORDS.union(word for book in phrases for phrase in book for word in phrase.split())

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
        # "a" and " in" are words far more often than amperes and inches
        return {
            form.lower(): u.id
            for u in reversed(list(self.units.values()))
            for form in u.forms
            if form[0].isalpha() and form.lower() not in STOP_WORDS
        }

    @cached_property
    def unit_by_form(self) -> dict[str, str]:
        """Units by surface form, in the case written; if two share a form, the earlier one."""
        return {
            form: u.id
            for u in reversed(list(self.units.values()))
            for form in u.forms
            if form.lower() not in STOP_WORDS
        }

    def change_nothing(self, *ways: str) -> frozenset[str]:
        """The words that change nothing in a question answered in one of these ways, nor in the subject of a figure."""
        if ways not in self._nothing:
            self._nothing[ways] = frozenset(w for way in ways if way in self.neutral for w in self.neutral[way].words)
        return self._nothing[ways]

    @cached_property
    def _nothing(self) -> dict[tuple[str, ...], frozenset[str]]:
        """Cache of `change_nothing`, which runs for every figure."""
        return {}

    def is_rented(self, entity: str) -> bool:
        """True for products that their makers rent and don't sell (p5.48xlarge, a TPU): the seller goes without saying."""
        vendors = {vendor for metric in self.metrics.values() for vendor in metric.never_of}
        return entity in self.entities and self.entities[entity].vendor in vendors

    def find_terms(self, text: str) -> list[Mention]:
        """List the frameworks, clouds, techniques and other terms mentioned in `text`."""
        return self._book("terms").find(text)

    def find_makers(self, text: str) -> list[Mention]:
        """List the chip makers mentioned in `text`, also by their products' names: "Amazon" in "Amazon Trainium" is AWS."""
        return self._makers.find(text)

    def vendors_named(self, company: str) -> tuple[str, ...]:
        """The names under which a company makes chips: "AWS" for Amazon; () if it isn't a company."""
        term = self.terms.get(company)
        if term is None or term.kind != "company":
            return ()
        return tuple(v for m in self.find_makers(term.name) for v in m.ids)

    @cached_property
    def _makers(self) -> Phrasebook:
        return makers_book(self)

    def find_qualifiers(self, text: str) -> list[Mention]:
        """List wording in `text` that places a claim on an axis; ids are "axis=value"."""
        return self._book("qualifiers").find(text)

    def find_settings(self, text: str) -> list[Mention]:
        """List wording that describes a run or an offer: "axis=value" for a value, "axis:" for a label."""
        return self._book("settings").find(text)

    def find_operators(self, question: str) -> list[Mention]:
        """List words that affect a question without naming anything: "at least", "which", "please"."""
        return self._book("operators").find(question)

    def operators_in(self, text: str) -> list[Operator]:
        """The operators in a question, in order."""
        return [self.operators[i] for m in self.find_operators(text) for i in m.ids]

    def find_values(self, text: str) -> list[Mention]:
        """List values of relations that aren't terms ("sits idle"); "!" before an id marks the opposite."""
        return self._book("values").find(text)

    def find_metrics(self, text: str) -> list[Mention]:
        """List the metrics mentioned in `text`, except where other wording there rules them out."""
        return self._not_ruled_out(self._book("metrics").find(text), text)

    def find_metrics_asked(self, question: str) -> list[Mention]:
        """List the metrics that a question asks for: "how heavy" and "in BF16" ask for one without stating it."""
        return self._not_ruled_out(self._book("asked").find(question), question)

    def _not_ruled_out(self, mentions: list[Mention], text: str) -> list[Mention]:
        ruled_out = self._book("anti").find(text)
        kept: list[Mention] = []
        for mention in mentions:
            ids = tuple(
                i for i in mention.ids if not any(i in a.ids and self._rules_out(i, a, mention) for a in ruled_out)
            )
            if ids:
                kept.append(Mention(mention.start, mention.end, ids))
        return kept

    def _rules_out(self, metric: str, wording: Mention, mention: Mention) -> bool:
        """True if other wording overlaps a metric's, or continues a general one: "more performance per dollar"."""
        return mention.start < wording.end and wording.start < mention.end + 2 * self.metrics[metric].general

    def to_json(self) -> str:
        """Return JSON that `from_json` restores, phrasebooks included.

        Each table and book is a JSON text inside it, so that a reader parses only the ones it uses.
        """

        def text(value: object) -> str:
            return json.dumps(value, ensure_ascii=False, separators=(",", ":"))

        tables = {
            name: text([asdict(record) for record in getattr(self, table.attribute).values()])
            for name, table in TABLES.items()
        }
        return text({**tables, "books": {name: text(self._book(name).dump()) for name in BOOKS}})

    @classmethod
    def from_json(cls, value: str) -> Domain:
        """Restore a domain from `to_json`."""
        rows = json.loads(value)
        domain = cls.__new__(cls)
        domain.__dict__.update(books={}, dumped=rows.pop("books"), rows=rows)
        return domain

    if not TYPE_CHECKING:

        def __getattr__(self, attribute: str) -> Any:
            """A table that `from_json` left as text until its first use: few questions need all of them."""
            name = next((name for name, table in TABLES.items() if table.attribute == attribute), "")
            if not name or "rows" not in self.__dict__:
                raise AttributeError(attribute)
            self.__dict__[attribute] = read_table(name, json.loads(self.rows.get(name, "[]")))
            return self.__dict__[attribute]


def with_short_names(domain: Domain, text: str, mentions: Sequence[Mention]) -> list[Mention]:
    """Add the shortened names of a sentence to its mentions, in order: "the MI300X has 192 GB, the 325X 256 GB".

    One counts if a relative is mentioned next to it, or if it can be nothing else: neither a number with a unit ("8t" may be
    tons) nor a multiple ("300X faster").
    """
    lines = {a for mention in mentions for i in mention.ids for a in domain.ancestors(i)[:3]}
    short: list[Mention] = []
    for m in _SHORT.finditer(text):
        candidates = domain.short_names.get(m[0], ())
        if not candidates or any(mention.start < m.end() and m.start() < mention.end for mention in mentions):
            continue
        relatives = tuple(i for i in candidates if domain.entities[i].parent in lines)
        if len(relatives) == 1 or (len(candidates) == 1 and _is_no_figure(domain, text, m)):
            short.append(Mention(m.start(), m.end(), relatives or candidates))
    return sorted([*mentions, *short], key=lambda mention: mention.start)


def _is_no_figure(domain: Domain, text: str, match: re.Match[str]) -> bool:
    """True for "8i", which can't be a number with a unit, and for the "355X" of "the 355X has 288 GB"."""
    if not match[0][0].isdigit():
        return False  # "v3" may be the third version of anything
    if match[0].isdigit():
        counted = domain.unit_table.find(text[match.start() : match.end() + _BEHIND])
        # "the 4090 cores", but not "the 4090 die"
        return not any(q.start == 0 and text[match.start() + q.end - 1] == "s" for q in counted)
    if not domain.unit_table.find(match[0]):
        return True
    like_a_name = _LIKE_A_NAME.search(text[: match.start()]) and not _GOES_ON.match(text, match.end())
    return bool(_TIMES.match(match[0]) and len(match[0]) > 3 and like_a_name)  # noqa: PLR2004 (no multiple is that large)
