"""What texts state of the variables of the network: each figure in each way that it can be read.

A figure that may be of several numbers of chips is there once for each: "v5p-8" names 4, and a text calls it 8.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from chipwise.audit.amounts import amounts
from chipwise.audit.book import Book
from chipwise.domain.catalogue import PARTS
from chipwise.domain.formulas import Variable
from chipwise.domain.kinship import CHIPS
from chipwise.domain.model import Domain
from chipwise.figures.statement import Statement, made_of
from chipwise.numbers.intervals import Interval
from chipwise.text import Span

_MOST_FIGURES = 100  # of one chip and metric in one source: nothing tells any more which belong together


@dataclass(frozen=True, slots=True)
class Reading:
    """A figure as a value of a variable: `value` is all that its words allow, `nominal` what is written, of one chip where the variable is.

    `line` is set where it is said of a line ("TPUs") and taken for a chip of it.
    """

    variable: Variable
    statement: Statement
    value: Interval
    nominal: Interval
    count: int = 1
    line: str = ""


class Stated:
    """The figures of one source, of several that are one witness, or of sentences that stand together."""

    def __init__(self, book: Book, statements: Sequence[Statement]) -> None:
        self.book = book
        self.statements = [s for s in statements if s.claim.quantity is not None and s.asserted]
        self.by_key: dict[tuple[str, str], list[Statement]] = {}
        for s in self.statements:
            self.by_key.setdefault(s.key, []).append(s)
        self.chips = [c for c in dict.fromkeys(s.chip for s in self.statements) if book.domain.kind(c) in CHIPS]
        self._known: dict[tuple[str, str], list[Reading]] = {}

    @cached_property
    def variants(self) -> dict[str, set[str]]:
        """By chip, the variants that are named; a system of the chip is built of the first that the domain lists."""
        named: dict[str, set[str]] = {}
        domain = self.book.domain
        for subject, chip in {(s.claim.subject, s.chip) for s in self.statements}:
            if domain.kind(subject) in ("variant", "system"):
                variant = domain.variant_of(subject) or next(iter(domain.variants(chip)), subject)
                named.setdefault(chip, set()).add(variant)
        return named

    def equals(self, s: Statement) -> list[Statement]:
        """The statements of the same figure, of the same chip and metric: one may tell its qualifiers better."""
        return [o for o in self.by_key.get(s.key, (s,)) if o.low <= s.high and s.low <= o.high]

    def under(self, subject: str) -> list[str]:
        """The chips here that are `subject`, of its line, or that it is made of."""
        lineage = self.book.domain.ancestors(subject)
        own = [c for c in self.chips if subject in self.book.domain.ancestors(c)]
        return own or [c for c in self.chips if c in lineage][:1]

    def readings(self, variable: Variable, chip: str) -> list[Reading]:
        """All readings of a variable for `chip`: what is said, else of its line or of the facts."""
        key = variable.id, chip
        if key not in self._known:
            found = self._of_claims(variable, chip)
            by = {(r.value, r.count, r.statement.claim.subject, r.statement.claim.qualifiers): r for r in found[::-1]}
            self._known[key] = list(by.values())[::-1]
        return self._known[key]

    def _of_claims(self, variable: Variable, chip: str) -> list[Reading]:
        if not variable.claims:
            return []
        figures = [s for m in variable.claims for s in self.by_key.get((chip, m), ())]
        found = list(self._of(variable, figures)) if len(figures) <= _MOST_FIGURES else []
        for line in self._lines(variable, chip) if not found else ():
            found = found or list(self._of(variable, self.by_key.get((line, variable.claims[0]), ()), line))
        if variable.tabled:
            found += self._of(variable, self._facts(variable, chip))
        return found

    def _lines(self, variable: Variable, chip: str) -> Sequence[str]:
        """Whose share may be taken for a chip's ("TPUs hit 58%"): that of a line of which no other chip is measured."""
        metrics, lines = self.book.domain.metrics, self.book.domain.ancestors(chip)
        if variable.of or len(lines) < 2:  # noqa: PLR2004
            return ()
        measured = {c for c, m in self.by_key if m in metrics and metrics[m].nature == "measured" and metrics[m].scales}
        return lines[1:] if [c for c in self.under(lines[-2]) if c in measured] == [chip] else ()

    def _facts(self, variable: Variable, chip: str) -> list[Statement]:
        """The facts that may complete what is said; of what one has any that stands: a V100 has 16 GB, a later one 32."""
        family = made_of(self.book.domain, chip)[0]
        known = [s for s in self.book.facts.get((family, variable.metric), ()) if s.asserted and s.count in (None, 1)]
        variants = self.variants.get(chip, set())
        return [s for s in known if s.claim.subject in {chip, family, *variants}] if variants else known

    def _of(self, variable: Variable, statements: Sequence[Statement], line: str = "") -> Iterator[Reading]:
        for s in statements:
            metric = self.book.domain.metrics[s.claim.metric]
            both = amounts(metric, s)
            if both is None or (metric.nature == "priced" and not s.asserted):
                continue  # what a sum of money is of has to be plain
            for count in sorted(self._counts(variable, s)):
                divisor = Interval.of(count)
                yield Reading(variable, s, both[0] / divisor, both[1] / divisor, count, line)

    def _counts(self, variable: Variable, s: Statement) -> set[int]:
        """Of how many chips a figure may be; none where it is of something else."""
        scope = s.claim.qualifier("aggregation")
        if scope in PARTS:
            return set()
        if not variable.of:
            return {1}
        # "v5p-8" is 4 chips by the maker's naming, and often taken for 8
        number = _number_in_name(self.book.domain, s.claim.subject)
        told = {s.count or 1} | ({number} if number is not None else set())
        if s.count is None and s.fact is None:
            said = {o.count for o in self.equals(s) if o.count}
            return said | ({1} if scope in ("", "chip") else set())
        facts = self.book.facts.get(s.key, ()) if variable.tabled else ()
        # a fact of one chip has the figure: the count is then of something else in the sentence
        one = any(f.count == 1 and f.low <= s.high and s.low <= f.high for f in facts)
        return told | ({1} if one else set())


def _number_in_name(domain: Domain, subject: str) -> int | None:
    """The 8 of "v5p-8", which is taken for its chips; None for what is no slice, or has no number."""
    digits = domain.entities[subject].name.rpartition("-")[2] if domain.kind(subject) == "slice" else ""
    return int(digits) if digits.isdecimal() else None


def taken(book: Book, quote: str, start: int, statements: Iterable[Statement]) -> list[Span]:
    """Where the figures and the names stand in a sentence that begins at `start` of its source."""
    claimed = (s.claim for s in statements if s.claim.start == start)
    figures = [(c.value_start - start, c.value_end - start) for c in claimed]
    return figures + [(m.start, m.end) for m in book.domain.find_entities(quote)]


def is_said(s: Statement) -> bool:
    """True for what its source says, though it may be open of whom, or under what it holds."""
    return replace(s, claim=replace(s.claim, doubt="")).asserted
