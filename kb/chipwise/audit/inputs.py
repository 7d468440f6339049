"""What a source gives for the terms of an identity: each figure in each way that it can be read.

    t_a "throughput per chip", TPU v5p   ->  3,450 tokens/s  [001:36]
    h_a "price per chip", TPU v5p        ->  $8-$11 / 4 or / 8, as "v5p-8" names 4 chips and the text calls it 8
    p_a "peak", H100                     ->  989 TFLOPS from the facts table, where the source is silent

A figure that may be of several numbers of chips is there once for each.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

from chipwise import patterns as re
from chipwise.audit.amounts import amounts
from chipwise.audit.casebook import Casebook, Statement, made_of, number_in_name
from chipwise.claims.model import Modality
from chipwise.domain.catalogue import PARTS
from chipwise.domain.formulas import Identity, IdentityTerm
from chipwise.domain.kinship import CHIPS
from chipwise.domain.model import Domain
from chipwise.numbers.intervals import Interval
from chipwise.numbers.numerals import numeral_at

MOST_FIGURES = 100  # of one chip and metric in one source: nothing tells any more which belong together
_WIDEST = 3  # sentences, items or rows that the figures of one equation may be spread over
_APART = 100  # characters between two of them
_MEASURED = ("measured", "sustained")
_PARAGRAPH = "\n\n"
_TOTAL, _UNIT = "total", "unit"
_OTHER_TERMS = "other terms"  # a spot price beside one on demand: each has to say which it is
_WORD = re.compile(r"(?<![\w.,])\w+")
_GOES_ON = re.compile(r"[.-]\w")


@dataclass(frozen=True, slots=True)
class Input:
    """A figure in one reading. `value` is all that its words allow, `nominal` what is written; both of one chip if `term` is.

    `line` is set where it is said of a line ("TPUs") and taken for a chip of it.
    """

    symbol: str
    term: IdentityTerm
    statement: Statement
    value: Interval
    nominal: Interval
    count: int = 1
    line: str = ""


class Shelf:
    """The figures of one source, or of several that are one witness, by chip and metric."""

    def __init__(self, book: Casebook, statements: Sequence[Statement], *, nearby: bool = False) -> None:
        self.book = book
        self._told = [s for s in statements if s.claim.quantity is not None and _is_said(s)]
        self.statements = self._told if nearby else [s for s in self._told if s.asserted]
        self._nearby = nearby
        self.by_key: dict[tuple[str, str], list[Statement]] = {}
        self.sentences: dict[tuple[str, int, int], list[Statement]] = {}
        self._counts_of: dict[str, set[int]] = {}
        for s in self.statements:
            self.by_key.setdefault(s.key, []).append(s)
            self.sentences.setdefault(_sentence(s), []).append(s)
            if s.count is not None and s.count > 1:
                self._counts_of.setdefault(s.chip, set()).add(s.count)
        self.subjects = list(dict.fromkeys(s.chip for s in self.statements))
        self.chips = [c for c in self.subjects if book.domain.kind(c) in CHIPS]
        self._variants = self._named_variants()
        self._known: dict[tuple[str, str, str, bool], list[Input]] = {}
        self._facts_read: dict[tuple[str, str, str], list[Input]] = {}
        self._equals: dict[tuple[tuple[str, str], float, float], list[Statement]] = {}
        self._doubted: dict[tuple[str, int, int], set[tuple[str, str]]] = {}
        for s in statements:
            if s.claim.doubt:
                self._doubted.setdefault(_sentence(s), set()).add(s.key)
        self._not_looked_up: set[tuple[str, str]] = set()

    def only(self, statements: Sequence[Statement]) -> Shelf:
        """Some of the figures, each as of the one chip that they name; no fact goes in for one that stands there, doubted."""
        chips = {s.chip for s in statements if self.book.domain.kind(s.chip) in CHIPS}
        if len(chips) == 1:
            own = [s for s in statements if s.chip or s.count is not None or not self._counts_chips(s)]
            statements = [s if s.chip else replace(s, chip=next(iter(chips))) for s in own]
        shelf = Shelf(self.book, statements, nearby=True)
        shelf.chips = shelf.chips or [""]
        shelf._not_looked_up = {key for s in statements for key in self._doubted.get(_sentence(s), ())}
        shelf._variants, shelf._facts_read = self._variants, self._facts_read
        return shelf

    @cached_property
    def neighbours(self) -> list[tuple[list[Statement], frozenset[str]]]:
        """The figures of each three, two or one sentences that stand together, with their metrics and dimensions; the fewest first."""
        places: dict[tuple[str, int, int], list[Statement]] = {}
        for s in sorted(map(self._as_measured, self._told), key=lambda s: (s.claim.source, s.claim.start)):
            places.setdefault(_sentence(s), []).append(s)
        found: list[tuple[list[Statement], frozenset[str]]] = []
        sentences = list(places.values())
        for width in range(1, _WIDEST + 1):
            for at in range(len(sentences) - width + 1):
                run = sentences[at : at + width]
                if all(self._stand_together(a[0], b[0]) for a, b in pairwise(run)):
                    figures = [s for sentence in run for s in sentence]
                    given = {s.claim.metric for s in figures} | {
                        s.claim.quantity.dimension for s in figures if s.claim.quantity
                    }
                    found.append((figures, frozenset(given)))
        return found

    def _stand_together(self, a: Statement, b: Statement) -> bool:
        """True for what stands in two sentences, items or rows of a paragraph, with next to nothing in between."""
        x, y = a.claim, b.claim
        if (x.source, x.passage) != (y.source, y.passage) or y.start - x.end > _APART:
            return False
        passage = next((p for p in self.book.passages_of(x.source) if p.ordinal == x.passage), None)
        return passage is None or _PARAGRAPH not in passage.text[x.end - passage.start : y.start - passage.start]

    def _as_measured(self, s: Statement) -> Statement:
        """A peak that was reached is none."""
        metric = self.book.domain.metrics.get(s.claim.metric)
        if metric is None or not metric.measured_as:
            return s
        basis = s.claim.qualifier("basis")
        measured = basis in _MEASURED or (basis == "" and s.claim.modality is Modality.MEASURED)
        return replace(s, claim=replace(s.claim, metric=metric.measured_as)) if measured else s

    def _counts_chips(self, s: Statement) -> bool:
        """True for "Eight GPUs reached 4,440 TFLOPS"."""
        found = self.book.domain.unit_table.find(self.book.find_evidence(s).quote)
        return any(q.low > 1 and self.book.domain.counted(q.unit) in ("chips", "chip") for q in found)

    def figures_like(self, term: IdentityTerm) -> int:
        """How many figures may be of a term, whatever the text says of them."""
        metric = self.book.domain.metrics[term.metric]
        dimensions = (s.claim.quantity.dimension for s in self.statements if s.claim.quantity is not None)
        return sum(d in (metric.dimension, *metric.implied_by) for d in dimensions)

    def dimension(self, term: IdentityTerm) -> str:
        """What the figures of a term are of."""
        return self.book.domain.metrics[term.metric].dimension

    def _named_variants(self) -> dict[str, set[str]]:
        """By chip, the variants that the source names; a system of the chip is built of the first that the domain lists."""
        named: dict[str, set[str]] = {}
        domain = self.book.domain
        for s in self.statements:
            subject = s.claim.subject
            if domain.kind(subject) in ("variant", "system"):
                variant = domain.variant_of(subject) or next(iter(domain.variants(s.chip)), subject)
                named.setdefault(s.chip, set()).add(variant)
        return named

    def equals(self, s: Statement) -> list[Statement]:
        """The statements of the same figure, of the same chip and metric, each wording once: one may tell its qualifiers better."""
        place = s.key, s.low, s.high
        if place not in self._equals:
            alike = (o for o in self.by_key.get(s.key, ()) if o.low <= s.high and s.low <= o.high)
            unlike: dict[Hashable, Statement] = {}
            for o in alike:
                unlike.setdefault((o.low, o.high, o.count, o.claim.subject, o.claim.qualifiers), o)
            self._equals[place] = list(unlike.values())
        return self._equals[place]

    def under(self, subject: str) -> list[str]:
        """The chips here that are `subject`, of its line, or that it is made of."""
        lineage = self.book.domain.ancestors(subject)
        own = [c for c in self.chips if subject in self.book.domain.ancestors(c)]
        return own or [c for c in self.chips if c in lineage][:1]

    def inputs(
        self, identity: Identity, term: IdentityTerm, chip: str, tag: str, *, strictly: bool = False
    ) -> list[Input]:
        """All readings of `term` for `chip`: what is said, and of the facts what completes it; with `strictly` only if nothing is."""
        key = identity.id, f"{term.symbol}{tag}", chip, strictly
        if key not in self._known:
            figures = self.by_key.get((chip, term.metric), ())
            self._known[key] = (
                self._inputs(identity, term, chip, key[1], strictly=strictly) if len(figures) <= MOST_FIGURES else []
            )
        return self._known[key]

    def _inputs(self, identity: Identity, term: IdentityTerm, chip: str, symbol: str, *, strictly: bool) -> list[Input]:
        role = _role(identity, term)
        figures = self.by_key.get((chip, term.metric), ()) if not term.any_of_dimension else self.statements
        said = list(self._readings(symbol, term, figures, role))
        if not said and self._may_inherit(identity, term, chip):
            for line in self.book.domain.ancestors(chip)[1:]:
                found = self._readings(symbol, term, self.by_key.get((line, term.metric), ()), role, line)
                said = said or list(found)
        if term.facts and not (said and strictly) and (chip, term.metric) not in self._not_looked_up:
            key = identity.id, symbol, chip
            if key not in self._facts_read:
                self._facts_read[key] = list(self._readings(symbol, term, self._facts(term, chip, role), role))
            said += self._facts_read[key]
        unlike = {
            (i.value, i.count, i.line, i.statement.claim.subject, i.statement.claim.qualifiers): i
            for i in reversed(said)
        }
        return list(unlike.values())[::-1]

    def readings_of(self, symbol: str, term: IdentityTerm, s: Statement) -> list[Input]:
        """The readings of one figure."""
        return list(self._readings(symbol, term, [s], ""))

    def _may_inherit(self, identity: Identity, term: IdentityTerm, chip: str) -> bool:
        """A share said of a line ("TPUs hit 58%") goes to the only chip of it that the source gives the other figures of."""
        metrics = {t.metric for t in identity.terms if not t.facts} - {term.metric}
        if term.per_chip or not metrics or self.book.domain.metrics[term.metric].nature != "measured":
            return False
        kin = self.under(self.book.domain.ancestors(chip)[-2]) if len(self.book.domain.ancestors(chip)) > 1 else []
        return [c for c in kin if all((c, m) in self.by_key for m in metrics)] == [chip]

    def _facts(self, term: IdentityTerm, chip: str, role: str) -> list[Statement]:
        """The preferred facts that may complete what is said; of what one has any that stands: a V100 has 16 GB, a later one 32."""
        ranks = ("preferred", "normal") if role == _UNIT else ("preferred",)
        variants = self._variants.get(chip, set())
        family = made_of(self.book.domain, chip)[0]
        preferred = [
            s
            for s in self.book.facts.get((family, term.metric), ())
            if s.fact is not None and s.fact.rank in ranks and s.asserted and s.count in (None, 1)
        ]
        subjects = {chip, family, *variants}
        return [s for s in preferred if s.claim.subject in subjects] if variants else preferred

    def _readings(
        self, symbol: str, term: IdentityTerm, statements: Sequence[Statement], role: str, line: str = ""
    ) -> Iterator[Input]:
        metric = self.book.domain.metrics[term.metric]
        for s in statements:
            both = amounts(metric, s)
            unsaid = () if role == _OTHER_TERMS else ("",)
            if both is None or any(s.claim.qualifier(axis) not in (value, *unsaid) for axis, value in term.qualifiers):
                continue
            if metric.nature == "priced" and not s.asserted:
                continue  # what a sum of money is of has to be plain
            for count in self._counts(term, s, role):
                one = Interval.of(count)
                value, nominal = map(_closed, both) if term.any_of_dimension else both
                yield Input(symbol, term, s, value / one, nominal / one, count, line)

    def _counts(self, term: IdentityTerm, s: Statement, role: str) -> list[int]:
        """By how many chips a figure may have to be divided; none where it is of something else."""
        scope = s.claim.qualifier("aggregation")
        if scope in PARTS:
            return []
        if not term.per_chip:
            specified = self.book.domain.metrics[term.metric].nature == "specified"
            unsaid = self._nearby and specified and s.count is None and not scope
            one = s.count == 1 or (unsaid and self.book.domain.is_chip(s.claim.subject))
            return [1] if role != _UNIT or one else []
        if (
            role == _TOTAL
        ):  # subtle: a total has to say of how many; 1 is tried as well, as a count may be said of something else
            return (
                sorted({1, s.count or 1} | self._slice_counts(s)) if scope != "chip" and self._says_its_count(s) else []
            )
        if s.count is None and s.fact is None:
            return sorted(self._told_elsewhere(s) or self._guessed(s) | ({1} if scope in ("", "chip") else set()))
        return sorted({s.count or 1} | self._slice_counts(s) | ({1} if self._is_of_one(s) else set()))

    def _says_its_count(self, s: Statement) -> bool:
        """True when the sentence has the number of chips, or the name of what has so many."""
        scope = s.claim.qualifier("aggregation")
        if s.count is None or s.count < 2:  # noqa: PLR2004
            return False
        quote = self.book.find_evidence(s).quote
        numbers = [n.value for m in _WORD.finditer(quote) if (n := numeral_at(quote, m.start())) is not None]
        named = [m for m in self.book.domain.find_entities(quote) if s.claim.subject in m.ids]
        # subtle: "inf2" of "inf2.24xlarge" is not the whole name, and another size of it has another count
        whole = [not _GOES_ON.match(quote, m.end) for m in named]
        # of what stands together, the scope tells as well that it is of all: "8 GPUs of 80 GB each, 640 GB in total"
        told = self._nearby and bool(scope) and not s.claim.qualifier("count") and all(whole)
        return told or s.count in numbers or any(whole)

    def _is_of_one(self, s: Statement) -> bool:
        """True when a fact of one chip has the figure: the count is then of something else in the sentence."""
        specified = self.book.domain.metrics[s.claim.metric].nature == "specified"
        return specified and any(
            f.count == 1 and f.low <= s.high and s.low <= f.high for f in self.book.facts.get(s.key, ())
        )

    def _told_elsewhere(self, s: Statement) -> set[int]:
        """Of how many chips the source elsewhere says the same figure is, or another one of its row."""
        row = self.sentences.get((s.claim.source, s.claim.start, s.claim.end), ())
        alike = (o for o in row if o.claim.metric == s.claim.metric and o.count is None)
        return self._equal_counts(s) or {c for o in alike for c in self._equal_counts(o)}

    def _guessed(self, s: Statement) -> set[int]:
        """The numbers of chips that the sentence tells of anything else of this chip, or else that the source does."""
        row = self.sentences.get((s.claim.source, s.claim.start, s.claim.end), ())
        near = {o.count for o in row if o.chip == s.chip and (o.count or 0) > 1}
        return {c for c in near or self._counts_of.get(s.chip, set()) if c is not None}

    def _equal_counts(self, s: Statement) -> set[int]:
        """Of how many chips the source elsewhere says the same figure is."""
        return {o.count for o in self.equals(s) if o.count}

    def _slice_counts(self, s: Statement) -> set[int]:
        """ "v5p-8" is 4 chips by the maker's naming, and often taken for 8."""
        number = number_in_name(self.book.domain, s.claim.subject)
        return {number, *self._equal_counts(s)} if number is not None else set()


def told_apart(domain: Domain, statements: Sequence[Statement]) -> list[Statement]:
    """The statements with each variant as a chip of its own, where a source gives figures of several of one chip; else none."""
    variants: dict[str, set[str]] = {}
    for s in statements:
        if s.asserted and domain.kind(s.claim.subject) == "variant" and s.claim.subject != s.chip:
            variants.setdefault(s.chip, set()).add(s.claim.subject)
    several = set().union(*(found for found in variants.values() if len(found) > 1))
    return [replace(s, chip=s.claim.subject) if s.claim.subject in several else s for s in statements if several]


def is_total(identity: Identity, term: IdentityTerm) -> bool:
    """True for the term of a metric that is of several chips, where another one is of one."""
    return _role(identity, term) == _TOTAL


def _role(identity: Identity, term: IdentityTerm) -> str:
    """What tells a term from another one of the same metric."""
    others = [t for t in identity.terms if t.metric == term.metric and t is not term]
    if any(t.per_chip != term.per_chip for t in others):
        return _TOTAL if term.per_chip else _UNIT
    return _OTHER_TERMS if others else ""


def _is_said(s: Statement) -> bool:
    """True for what its source says, though it may be open of whom, or under what it holds."""
    return replace(s, claim=replace(s.claim, doubt="")).asserted


def _closed(interval: Interval) -> Interval:
    """The figure itself of what looks like a bound: "over 24 hours" is how long."""
    return interval if interval.is_finite else Interval.of(interval.middle)


def _sentence(s: Statement) -> tuple[str, int, int]:
    return s.claim.source, s.claim.start, s.claim.end
