"""The sentences of a source with all figures in them, whether or not they are claims.

    "It now costs $1.31, which is 72% less."  ->  $1.31 and 72%, though the sentence names no chip

A sum may need a figure that is no claim of any chip; it becomes a statement of none, to be cited.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from chipwise import patterns as re
from chipwise.audit.casebook import Casebook, Statement, place
from chipwise.claims import voice
from chipwise.claims.model import DOUBTED, Claim
from chipwise.claims.polarity import negated
from chipwise.claims.scene import Scene, names_a_factor, read_scene, with_changes
from chipwise.domain.model import Domain
from chipwise.domain.phrasebook import Mention
from chipwise.numbers.quantity import Quantity
from chipwise.text import asks
from chipwise.types import Passage, Role

_NUMBER = re.compile(r"(?<![\w.,$€£-])\d[\d.,]*(?![\w])")
_YEAR = re.compile(r"(?:19|20)\d\d\W*")
_MOST = 100_000  # chips that anything is made of
_NEW_PARAGRAPH = re.compile(r"\n\s*\n")
_DIGIT = re.compile(r"\d")


@dataclass(frozen=True, eq=False)
class Line:
    """A sentence, item or table row; its figures are of bare text, and `statement` makes one to be cited."""

    book: Casebook
    passage: Passage
    number: int

    @property
    def text(self) -> str:
        """As the source has it."""
        return self.passage.text[slice(*self.passage.sentences[self.number])]

    @property
    def start(self) -> int:
        """Where it stands in its source."""
        return self.passage.start + self.passage.sentences[self.number][0]

    @cached_property
    def scene(self) -> Scene:
        """What it names."""
        return read_scene(self.book.domain, self.text)

    @cached_property
    def written(self) -> list[Quantity]:
        """The figures as they stand there, a quicker look than at the scene, which takes the GPUs of "8 GPUs" for a name."""
        return self.book.domain.unit_table.find(self.text)

    @cached_property
    def dimensions(self) -> frozenset[str]:
        """What the figures are of, or may be by the words beside them, where some stand in digits.

        Those in words are hardly reckoned with, and cost as much to read.
        """
        if not _DIGIT.search(self.text):
            return frozenset()
        found = {q.dimension for q in self.written}
        return frozenset(found.union(*(self.book.domain.implied_dimensions.get(d, ()) for d in found)))

    @property
    def may_compare(self) -> bool:
        """False where no figure sets one thing against another."""
        return any(q.compares for q in with_changes(self.text, self.written)) or names_a_factor(self.text)

    @cached_property
    def names(self) -> Sequence[Mention]:
        """Where it names chips, systems and their lines, as it stands there."""
        return self.book.domain.find_entities(self.text)

    @cached_property
    def chips(self) -> set[str]:
        """The chips and systems that it names, the closest names of each."""
        domain = self.book.domain
        named = {i for m in self.names for i in m.ids if domain.is_specific(i)}
        return named - {a for i in named for a in self.book.domain.ancestors(i)[1:]}

    @cached_property
    def counts(self) -> list[Quantity]:
        """The chips that it counts: "8 GPUs"."""
        counts = (_to_the_last(q) for q in self.written if q.dimension == "count" and q.form == "value")
        chips = (q for q in counts if self.book.domain.counted(q.unit) in ("chips", "chip"))
        # the number of an "RTX PRO 6000" counts nothing
        named = (q for q in chips if not any(m.start < q.start < m.end for m in self.names))
        return [q for q in named if 1 < q.low == q.high <= _MOST]

    @property
    def is_its_own(self) -> bool:
        """False for a question and for what the source itself calls wrong."""
        doubted = voice.attribution(self.book.domain, self.text, self.passage.heading) == DOUBTED
        return not (asks(self.text) or doubted)

    def other_numbers(self, used: Sequence[Quantity]) -> int:
        """How many more numbers it has than those `used`, in names and years aside: with those, it may reckon otherwise."""
        taken = [(q.start, q.end) for q in used] + [(m.start, m.end) for m in self.scene.entities]
        found = [m for m in _NUMBER.finditer(self.scene.text) if not any(a <= m.start() < b for a, b in taken)]
        # "512 H100 needed 269 minutes and 512 GB200 122" sets as many against as many
        named = {m.start for m in self.scene.entities}
        so_many = [m for m in found if m.end() + 1 in named]
        if len(so_many) > 1 and len({m[0] for m in so_many}) == 1:
            found = [m for m in found if m not in so_many]
        return sum(1 for m in found if not _YEAR.fullmatch(m[0]))

    def denies(self, quantity: Quantity) -> bool:
        """True for "not three times as much"."""
        return negated(self.scene.text, quantity.start)

    def statement(self, quantity: Quantity) -> Statement:
        """The claim on a figure, or one of nothing that is known."""
        start = self.start
        known = self.book.claimed.get((self.passage.source, start + quantity.start))
        if known is not None:
            return known
        claim = Claim(
            source=self.passage.source,
            passage=self.passage.ordinal,
            start=start,
            end=start + len(self.text),
            value_start=start + quantity.start,
            value_end=start + quantity.end,
            subject=next(iter(self.chips)) if len(self.chips) == 1 else "",
            metric="",
            quantity=quantity.moved(start),
        )
        return place(self.book.domain, claim, self.passage.role)


Place = tuple[Line, Quantity]


def read_lines(book: Casebook) -> Iterator[list[Line]]:
    """Of each source, the runs of lines that stand together: below one heading, a paragraph, a list or a table each.

    What stands right below a table goes on about it.
    """
    for source in book.sources:
        run: list[Line] = []
        for passage in book.passages_of(source):
            if not passage.role.speaks_for_the_source:
                continue
            if not (run and _goes_on(run[-1].passage, passage)):
                if run:
                    yield run
                run = []
            for number, (start, _) in enumerate(passage.sentences):
                apart = number and _NEW_PARAGRAPH.search(passage.text, passage.sentences[number - 1][1], start)
                if apart and run:
                    yield run
                    run = []
                run.append(Line(book, passage, number))
        if run:
            yield run


def _goes_on(before: Passage, after: Passage) -> bool:
    return before.heading == after.heading and Role.TABLE in (before.role, after.role) and after.role is not before.role


def key_of(domain: Domain, q: Quantity) -> str:
    """The dimension; a price beside a rate is one as well, and chips are not tokens."""
    unit = domain.units.get(q.unit)
    if q.dimension == "count" and unit is not None:
        return f"count of {unit.of or unit.id}"
    return next((m.dimension for m in domain.metrics.values() if q.dimension in m.implied_by), q.dimension)


def _to_the_last(q: Quantity) -> Quantity:
    """A count written to its last digit as the number that it is: of "128 GPUs" there are 128."""
    return replace(q, low=q.middle, high=q.middle) if 0 < q.high - q.low <= 1 else q
