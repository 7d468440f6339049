"""The sentences of a source with all figures in them, whether or not they are claims.

    "It now costs $1.31, which is 72% less."  ->  $1.31 and 72%, though the sentence names no chip

A sum may need a figure that is no claim of any chip; it becomes a statement of none, to be cited.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from chipwise import patterns as re
from chipwise.audit.casebook import Casebook, Statement, place
from chipwise.claims import voice
from chipwise.claims.model import DOUBTED, Claim
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
    def written(self) -> list[Quantity]:
        """The figures as they stand there, a quicker look than at the scene, which takes the GPUs of "8 GPUs" for a name."""
        return self.book.domain.unit_table.find(self.text)

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

    @property
    def is_its_own(self) -> bool:
        """False for a question and for what the source itself calls wrong."""
        doubted = voice.attribution(self.book.domain, self.text, self.passage.heading) == DOUBTED
        return not (asks(self.text) or doubted)

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
