"""Define an answer, and write it in one place: number citations, put rulings into words, join what was told.

Each way of answering tells words, facts and values (`Told`), each with what it rests on; drafts of all parts of a question become
one `Answer` with its text, its figures as rows, where each sentence stands, and what speaks against it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from enum import Enum
from typing import TYPE_CHECKING, Literal

from chipwise import patterns as re
from chipwise.audit.evidence import fact_evidence
from chipwise.claims.model import Claim, Fact, Key
from chipwise.domain.names import Names
from chipwise.figures.format import listed, value_text
from chipwise.figures.network import Derivation
from chipwise.numbers.quantity import Quantity
from chipwise.text import one_line
from chipwise.types import Evidence, Finding
from chipwise.values import dataclass

if TYPE_CHECKING:
    from chipwise.index.store import Store

Verdict = Literal["yes", "no", "depends"]
Status = Literal["answered", "hesitating", "no_answer"]
LIKELY = 0.5  # how surely figures answer that are told where nothing else is found
SURE = 0.8  # confidence from which an answer stands by itself; below it, other passages are shown beside it
_MARK = re.compile(r"\[(\d{1,2})\]")
_MONTHS = 12  # a price of the same month of last year is not old yet
_MOST_NAMED = 3  # of whose prices, in one sentence


class Ruling(Enum):
    """How an answer bears out or denies what a question says, in the words that it begins with."""

    YES = "Yes: "
    NO = "No: "
    THE_SAME = "No, the same: "
    MORE = "No, more than that: "
    NO_LONGER = "No longer: "
    BECAUSE = "No, "  # what follows is the reason
    DEPENDS = "It depends: "

    @property
    def verdict(self) -> Verdict:
        """The same as one of three."""
        return "yes" if self is Ruling.YES else "depends" if self is Ruling.DEPENDS else "no"


@dataclass(frozen=True, slots=True)
class Row:
    """One value that an answer gives: of what (`key`), and what says so.

    `value` is in the dimension's base unit, or the words of a category; `text` is as the answer writes it, with
    `unit`. `note` is what to know of it, such as why the table sets it aside.
    """

    subject: str
    key: Key
    value: Quantity | str
    unit: str
    text: str
    source: Fact | Claim | Derivation | None  # None for the product or quotient of a figure and a count
    note: str = ""

    @property
    def is_derived(self) -> bool:
        """True for what no source says and arithmetic gives."""
        return not isinstance(self.source, Fact | Claim)

    def rests_on(self, evidence: Evidence) -> bool:
        """True where a quote is what says so."""
        if not isinstance(self.source, Fact | Claim):
            return False
        claim = self.source.claim if isinstance(self.source, Fact) else self.source
        return evidence.source == claim.source and evidence.start <= claim.start < evidence.end


@dataclass(frozen=True, slots=True)
class Citation:
    """Number `n` in the answer's text, and the evidence that it stands for."""

    n: int
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class Answer:
    """`text` with its citations, or, where `reason` is not empty, why there is none.

    `rows` are the values in it, `verdict` what it says of a question that yes or no answers, `unused` words that it leaves
    unanswered, `confidence` how surely what was quoted answers, 1 for facts, `consulted` the sources of the passages read,
    `disagreements` different figures for one thing in what is quoted, `nearest` the quote that comes closest in a refusal.
    """

    question: str
    text: str
    citations: tuple[Citation, ...]
    reason: str = ""
    consulted: tuple[str, ...] = ()
    disagreements: tuple[Finding, ...] = ()
    rows: tuple[Row, ...] = ()
    verdict: Verdict | None = None
    unused: str = ""
    confidence: float = 1.0
    nearest: Evidence | None = None

    @property
    def answered(self) -> bool:
        """False for a refusal."""
        return not self.reason

    @property
    def status(self) -> Status:
        """ "hesitating" for an answer that is not sure: the passages beside it may answer better."""
        if self.reason:
            return "no_answer"
        return "answered" if self.confidence >= SURE else "hesitating"

    @property
    def quotes(self) -> tuple[Evidence, ...]:
        """List what is cited, in the order of the numbers."""
        return tuple(citation.evidence for citation in self.citations)


@dataclass(frozen=True, slots=True)
class Cited:
    """Hold what a place of an answer rests on. It has its number only when the answer is written."""

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


def _row_of(fact: Fact, names: Names) -> Row:
    """A fact as a row of an answer."""
    claim, note = fact.claim, fact.reason if fact.rank == "deprecated" else ""
    value = claim.quantity if claim.quantity is not None else fact.value
    return Row(claim.subject, claim.key, value, fact.unit, value_text(fact, names), fact, note)


def figure(fact: Fact, names: Names) -> str:
    """The figure as its quote writes it ("58 billion transistors"); as the table does where that is not found in it, or is "80GB"."""
    claim, quote = fact.claim, fact.citation.quote
    written = one_line(quote[claim.value_start - claim.start : claim.value_end - claim.start])
    bound = claim.quantity.bound if claim.quantity is not None else "exact"
    whole = ".." not in fact.value or fact.value.rpartition("..")[2] in written  # "1.71" of "from 1.71 to 1.85" is not
    apart = len(fact.unit) == 1 or written != f"{fact.value}{fact.unit}"
    return written if len(written) < len(quote) and bound == "exact" and whole and apart else value_text(fact, names)


def evidence_in_passage(store: Store, fact: Fact) -> Evidence:
    """The quote that a fact cites, in the passage of this knowledge base that holds it."""
    cited, start = fact_evidence(fact), fact.claim.start
    passages = (stored.passage for stored in store.source_passages(fact.claim.source))
    passage = next((p for p in passages if p.start <= start < p.end), None)
    return cited if passage is None else replace(cited, heading=passage.heading, role=passage.role, passage=passage.id)


_NOTHING = Told(())


@dataclass(frozen=True, slots=True)
class Draft:
    """What is to be answered to one question, or the reason why nothing is.

    `is_full` is False where something asked for is not known; where `names_only`, passages may tell more. The rest is as in Answer.
    """

    question: str
    told: Told = _NOTHING
    reason: str = ""
    consulted: tuple[str, ...] = ()
    disagreements: tuple[Finding, ...] = ()
    confidence: float = 1.0
    is_full: bool = True
    names_only: bool = False
    nearest: Evidence | None = None

    @property
    def answered(self) -> bool:
        """False for a refusal."""
        return not self.reason


def render(asked: str, drafts: Sequence[Draft], names: Names) -> Answer:
    """Drafts as one answer to what was `asked`; of what has no answer, the question and the reason."""
    # "which instance has the Trainium2, and how many are in it" gets one answer for both
    kept = [d for n, d in enumerate(drafts) if not any(o.answered and d.told == o.told for o in drafts[:n])]
    answered, missed = [d for d in kept if d.answered], [d for d in kept if not d.answered]
    consulted = tuple(dict.fromkeys(source for draft in kept for source in draft.consulted))
    if not answered:
        reason = "; ".join(dict.fromkeys(draft.reason for draft in missed))
        near = next((draft.nearest for draft in missed if draft.nearest is not None), None)
        return Answer(asked, "", (), reason, kept[0].consulted, confidence=kept[0].confidence, nearest=near)
    whole = together([draft.told for draft in answered], "\n\n")
    unanswered = (f'\n\nNo answer to "{draft.question.rstrip("?")}": {draft.reason}.' for draft in missed)
    note = _note_on_age(whole.facts, asked, names)
    is_list = any(part == "\n- " for part in whole.parts)
    aged = (("\n" if is_list else " ") + note,) if note else ()
    whole = replace(whole, parts=(*whole.parts, *aged, *unanswered))
    verdicts = {draft.told.verdict for draft in answered} - {None}
    return Answer(
        asked,
        written(whole),
        tuple(Citation(n, evidence) for evidence, n in _numbers(whole).items()),
        consulted=consulted,
        disagreements=tuple({f.fingerprint: f for draft in kept for f in draft.disagreements}.values()),
        rows=tuple(dict.fromkeys((*whole.rows, *(_row_of(fact, names) for fact in whole.facts)))),
        verdict=verdicts.pop() if len(verdicts) == 1 else None,
        confidence=min(draft.confidence for draft in answered),
    )


def written(told: Told) -> str:
    """The words of what was told, each citation as the number that it has there."""
    return "".join(_words(told.parts, _numbers(told)))


def _numbers(told: Told) -> dict[Evidence, int]:
    """The number of each quote; what rests on one quote shares it."""
    return {evidence: n for n, evidence in enumerate(dict.fromkeys(c.evidence for c in told.cited), start=1)}


def _words(parts: Sequence[Part], numbers: Mapping[Evidence, int]) -> Iterator[str]:
    for part, following in zip(parts, (*parts[1:], ""), strict=True):
        if isinstance(part, Ruling):
            starts_a_line = isinstance(following, str) and following.startswith("\n")
            yield part.value.rstrip() if starts_a_line else part.value
        else:
            yield f"[{numbers[part.evidence]}]" if isinstance(part, Cited) else part


def _today() -> date:
    """The present day, or that of SOURCE_DATE_EPOCH (reproducible-builds.org), by which a transcript can be repeated."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    return datetime.fromtimestamp(int(epoch), UTC).date() if epoch.isdecimal() else datetime.now(UTC).date()


def _note_on_age(facts: Iterable[Fact], question: str, names: Names) -> str:
    """A sentence on prices over a year old, but for one beside a newer one of its chip, and where the question asks for the year."""
    newest: dict[str, str] = {}
    for fact in facts:
        if fact.as_of and names.metrics[fact.claim.metric].nature == "priced":
            chip = names.chip_of(fact.claim.subject) or fact.claim.subject
            newest[chip] = max(newest.get(chip, ""), fact.as_of)
    aged = {chip: as_of for chip, as_of in newest.items() if _is_old(as_of) and as_of[:4] not in question}
    told = listed([f"the {names.name(chip)} ({as_of})" for chip, as_of in aged.items()], _MOST_NAMED)
    return f"More than a year old: the price of {told}." if told else ""


def _is_old(as_of: str) -> bool:
    """True where even the last month that a date may mean ("2024" is December) is more than MONTHS ago."""
    year, month, *_ = (*map(int, as_of.split("-")), 12)
    now = _today()
    return 12 * (now.year - year) + now.month - month > _MONTHS
