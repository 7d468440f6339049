"""What an answer is: its figures as rows, its text, where each sentence of that stands, and what speaks against it."""

from __future__ import annotations

from enum import Enum
from typing import Literal

from chipwise.claims.model import Claim, Fact, Key
from chipwise.figures.derivation import Derivation
from chipwise.numbers.quantity import Quantity
from chipwise.types import Evidence, Finding
from chipwise.values import dataclass

Verdict = Literal["yes", "no", "depends"]
Status = Literal["answered", "hesitating", "no_answer"]
LIKELY = 0.5  # how surely figures answer that are told where nothing else is found
SURE = 0.8  # confidence from which an answer stands by itself; below it, other passages are shown beside it


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
        """What is cited, in the order of the numbers."""
        return tuple(citation.evidence for citation in self.citations)
