"""Facts as an answer tells them: in words with a figure, and each cited by the passage that holds its quote."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from chipwise import patterns as re
from chipwise.answering.model import Row, Ruling, Verdict
from chipwise.audit.evidence import fact_evidence
from chipwise.claims.model import Fact
from chipwise.domain.names import Names
from chipwise.figures.format import value_text
from chipwise.index.store import Store
from chipwise.text import one_line
from chipwise.types import Evidence
from chipwise.values import dataclass

_MARK = re.compile(r"\[(\d{1,2})\]")


@dataclass(frozen=True, slots=True)
class Cited:
    """What a place of an answer rests on. It has its number only when the answer is written."""

    evidence: Evidence


Part = str | Cited | Ruling


@dataclass(frozen=True, slots=True)
class Told:
    """What one way has to tell: its words with what they rest on, the facts in them, and values that are no fact's.

    `cited` is in the order of the numbers to be.
    """

    parts: tuple[Part, ...]
    cited: tuple[Cited, ...] = ()
    facts: tuple[Fact, ...] = ()
    rows: tuple[Row, ...] = ()

    @classmethod
    def of(
        cls, text: str, cited: Sequence[Cited] = (), facts: Sequence[Fact] = (), lead: Ruling | str | None = None
    ) -> Told:
        """A way's own words, in which "[2]" stands for the second of what it cites, behind a `lead`."""
        return cls(_parts(text, cited), tuple(cited), tuple(facts)).led(lead)

    def led(self, lead: Ruling | str | None) -> Told:
        """The same behind a ruling or words, which may cite what is cited here."""
        before = (lead,) if isinstance(lead, Ruling) else _parts(lead or "", self.cited)
        return replace(self, parts=(*before, *self.parts))

    @property
    def ruling(self) -> Ruling | None:
        """What it begins with, where that is a ruling."""
        first = next(iter(self.parts), None)
        return first if isinstance(first, Ruling) else None

    @property
    def verdict(self) -> Verdict | None:
        """What its rulings come to: one that denies denies the whole."""
        found = {part.verdict for part in self.parts if isinstance(part, Ruling)}
        return found.pop() if len(found) == 1 else "no" if "no" in found else "depends" if found else None


def _parts(text: str, cited: Sequence[Cited]) -> tuple[Part, ...]:
    found: list[Part] = []
    at = 0
    for mark in _MARK.finditer(text):
        if 0 < int(mark[1]) <= len(cited):
            found += [text[at : mark.start()], cited[int(mark[1]) - 1]]
            at = mark.end()
    return tuple(part for part in (*found, text[at:]) if part != "")


def together(each: Iterable[Told], between: str = " ") -> Told:
    """Several as one, behind one another."""
    told = list(each)
    parts = [part for number, one in enumerate(told) for part in ((between, *one.parts) if number else one.parts)]
    return Told(
        tuple(parts),
        tuple(cited for one in told for cited in one.cited),
        tuple(fact for one in told for fact in one.facts),
        tuple(row for one in told for row in one.rows),
    )


def row_of(fact: Fact, names: Names) -> Row:
    """A fact as a row of an answer."""
    claim, note = fact.claim, fact.reason if fact.rank == "deprecated" else ""
    value = claim.quantity if claim.quantity is not None else fact.value
    return Row(claim.subject, claim.key, value, fact.unit, value_text(fact, names), fact, note)


def figure(fact: Fact, names: Names) -> str:
    """The figure as its quote writes it ("58 billion transistors"); as the table does where that is not found in it."""
    claim, quote = fact.claim, fact.citation.quote
    written = one_line(quote[claim.value_start - claim.start : claim.value_end - claim.start])
    bound = claim.quantity.bound if claim.quantity is not None else "exact"
    whole = ".." not in fact.value or fact.value.rpartition("..")[2] in written  # "1.71" of "from 1.71 to 1.85" is not
    return written if len(written) < len(quote) and bound == "exact" and whole else value_text(fact, names)


def evidence_in_passage(store: Store, fact: Fact) -> Evidence:
    """The quote that a fact cites, in the passage of this knowledge base that holds it."""
    cited, start = fact_evidence(fact), fact.claim.start
    passages = (stored.passage for stored in store.source_passages(fact.claim.source))
    passage = next((p for p in passages if p.start <= start < p.end), None)
    return cited if passage is None else replace(cited, heading=passage.heading, role=passage.role, passage=passage.id)
