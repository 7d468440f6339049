"""What texts state of the variables of the network: each figure in each way that it can be read.

    throughput of TPU v5p   ->  3,450 tokens/s  [001:36]
    price of TPU v5p        ->  $8-$11 / 4 or / 8, as "v5p-8" names 4 chips and the text calls it 8
    peak of H100            ->  989 TFLOPS of the facts table, where the text is silent

A figure that may be of several numbers of chips is there once for each.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

from chipwise import patterns as re
from chipwise.audit.amounts import amounts, written
from chipwise.audit.casebook import Casebook, Statement, made_of, number_in_name
from chipwise.claims.model import Claim, Modality
from chipwise.domain.catalogue import PARTS
from chipwise.domain.formulas import ALL, ONE, Variable
from chipwise.domain.kinship import CHIPS
from chipwise.domain.model import Domain
from chipwise.numbers.intervals import Interval
from chipwise.numbers.numerals import numeral_at
from chipwise.numbers.quantity import Quantity
from chipwise.types import Passage

MOST_FIGURES = 100  # of one chip and metric in one source: nothing tells any more which belong together
_WIDEST = 3  # sentences, items or rows that the figures of one equation may be spread over
_APART = 100  # characters between two of them
_MOST_CHIPS = 100_000
_PARAMETERS = 1e8  # a model of fewer is none that is trained on accelerators
_MEASURED = ("measured", "sustained")
_PARAGRAPH = "\n\n"
_WORD = re.compile(r"(?<![\w.,])\w+")
_GOES_ON = re.compile(r"[.-]\w")
_CHIPS = "chips"


@dataclass(frozen=True, slots=True)
class Reading:
    """A figure as a value of a variable. `value` is all that its words allow, `nominal` what is written; both of one chip where the variable is.

    `line` is set where it is said of a line ("TPUs") and taken for a chip of it.
    """

    variable: Variable
    statement: Statement
    value: Interval
    nominal: Interval
    count: int = 1
    line: str = ""


class Stated:
    """The figures of one source, of several that are one witness, or of neighbouring sentences."""

    def __init__(self, book: Casebook, statements: Sequence[Statement], *, nearby: bool = False) -> None:
        self.book, self.nearby = book, nearby
        self._told = [s for s in statements if s.claim.quantity is not None and is_said(s)]
        self.statements = self._told if nearby else [s for s in self._told if s.asserted]
        self.by_key: dict[tuple[str, str], list[Statement]] = {}
        self._sentences: dict[tuple[str, int, int], list[Statement]] = {}
        self._counts_of: dict[str, set[int]] = {}
        for s in self.statements:
            self.by_key.setdefault(s.key, []).append(s)
            self._sentences.setdefault(_sentence(s), []).append(s)
            if s.count is not None and s.count > 1:
                self._counts_of.setdefault(s.chip, set()).add(s.count)
        self.chips = [c for c in dict.fromkeys(s.chip for s in self.statements) if book.domain.kind(c) in CHIPS]
        self._variants = self._named_variants()
        self._known: dict[tuple[str, str, bool], list[Reading]] = {}
        self._doubted: dict[tuple[str, int, int], set[tuple[str, str]]] = {}
        for s in statements:
            if s.claim.doubt:
                self._doubted.setdefault(_sentence(s), set()).add(s.key)
        self._not_looked_up: set[tuple[str, str]] = set()

    # --- Neighbouring sentences ---

    def only(self, statements: Sequence[Statement]) -> Stated:
        """Some of the figures, each as of the one chip that they name; no fact goes in for one that stands there, doubted."""
        chips = {s.chip for s in statements if self.book.domain.kind(s.chip) in CHIPS}
        if len(chips) == 1:
            own = [
                s
                for s in statements
                if s.chip or s.count is not None or not s.claim.metric or not _counted(self.book, s)
            ]
            statements = [s if s.chip else replace(s, chip=next(iter(chips))) for s in own]
        near = Stated(self.book, statements, nearby=True)
        near.chips = near.chips or [""]
        near._not_looked_up = {key for s in statements for key in self._doubted.get(_sentence(s), ())}
        near._variants = self._variants
        return near

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
                    dimensions = {s.claim.quantity.dimension for s in figures if s.claim.quantity}
                    found.append((figures, frozenset({s.claim.metric for s in figures} | dimensions)))
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

    def like(self, s: Statement) -> int:
        """How many figures are of the dimension of one, whatever the text says of them."""
        dimension = s.claim.quantity.dimension if s.claim.quantity is not None else ""
        alike = {dimension, *self.book.domain.implied_dimensions.get(dimension, ())}
        alike |= {d for d, implied in self.book.domain.implied_dimensions.items() if dimension in implied}
        return sum(o.claim.quantity is not None and o.claim.quantity.dimension in alike for o in self.statements)

    @cached_property
    def counts(self) -> dict[str, list[Statement]]:
        """What the sentences count besides: chips, and the parameters of a model, which may stand in the sentence before."""
        found: dict[str, list[Statement]] = {}
        first, last = self.statements[0], self.statements[-1]
        for passage in self.book.passages_of(first.claim.source) if self.nearby else ():
            if passage.ordinal != first.claim.passage:
                continue
            before = [a for a, b in passage.sentences if passage.start + b <= first.claim.start][-2:]
            start = before[0] if before else 0
            text = passage.text[start : last.claim.end - passage.start]
            begin = text.rfind(_PARAGRAPH, 0, max(0, first.claim.start - passage.start - start)) + 1
            for q in self.book.domain.unit_table.find(text):
                if q.dimension == "count" and q.form == "value" and q.start >= begin:
                    counted = _claim_on(first.claim, passage, q.moved(-start))
                    found.setdefault(self.book.domain.counted(q.unit), []).append(replace(first, claim=counted))
        return found

    # --- All of a source ---

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
        unlike: dict[Hashable, Statement] = {}
        for o in self.by_key.get(s.key, (s,)):
            if o.low <= s.high and s.low <= o.high:
                unlike.setdefault((o.low, o.high, o.count, o.claim.subject, o.claim.qualifiers), o)
        return list(unlike.values())

    def under(self, subject: str) -> list[str]:
        """The chips here that are `subject`, of its line, or that it is made of."""
        lineage = self.book.domain.ancestors(subject)
        own = [c for c in self.chips if subject in self.book.domain.ancestors(c)]
        return own or [c for c in self.chips if c in lineage][:1]

    # --- Readings ---

    def readings(self, variable: Variable, chip: str, *, of_others: bool = True) -> list[Reading]:
        """All readings of a variable for `chip`: what is said, and of the facts what completes it; with `of_others` inherited from a line."""
        key = variable.id, chip, of_others
        if key not in self._known:
            self._known[key] = self._readings(variable, chip, of_others=of_others)
        return self._known[key]

    def _readings(self, variable: Variable, chip: str, *, of_others: bool) -> list[Reading]:
        if variable.figures:
            return list(self._loose(variable)) if self.nearby else []
        figures = [s for m in variable.claims for s in self.by_key.get((chip, m), ())]
        if len(figures) > MOST_FIGURES:
            return []
        said = list(self._of(variable, figures))
        if not said and of_others and self.book.domain.metrics[variable.claims[0]].nature == "measured":
            for line in self._lines(variable, chip):
                said = said or list(self._of(variable, self.by_key.get((line, variable.claims[0]), ()), line))
        if variable.tabled and not (said and self.nearby) and (chip, variable.metric) not in self._not_looked_up:
            said += self._of(variable, self._facts(variable, chip))
        unlike = {
            (r.value, r.count, r.line, r.statement.claim.subject, r.statement.claim.qualifiers): r
            for r in reversed(said)
        }
        return list(unlike.values())[::-1]

    def _loose(self, variable: Variable) -> Iterator[Reading]:
        """Any figure of a kind, in what stands together."""
        for s in self.statements:
            q, metric = s.claim.quantity, self.book.domain.metrics.get(s.claim.metric)
            of_it = metric is None or (q is not None and metric.dimension == q.dimension)
            if q is not None and q.dimension in variable.figures and of_it and q.form == "value":
                value, nominal = (_closed(i) for i in (Interval(q.low, q.high), written(q)))
                yield Reading(variable, s, value, nominal)
        for s in (s for kind in variable.figures for s in self.counts.get(kind, ())):
            whole = Interval.of(float(f"{s.middle:.6g}"))
            if variable.id != _CHIPS and s.middle >= _PARAMETERS:
                yield Reading(variable, s, Interval(s.low, s.high), whole)
            elif variable.id == _CHIPS and 1 < s.middle <= _MOST_CHIPS:
                yield Reading(variable, s, whole, whole)

    def _lines(self, variable: Variable, chip: str) -> Sequence[str]:
        """Whose share may be taken for a chip's ("TPUs hit 58%"): that of a line of which the source measures no other chip."""
        metrics = self.book.domain.metrics
        chain = self.book.domain.ancestors(chip)
        if variable.of or len(chain) < 2:  # noqa: PLR2004
            return ()
        measured = {c for c, m in self.by_key if m in metrics and metrics[m].nature == "measured" and metrics[m].scales}
        return chain[1:] if [c for c in self.under(chain[-2]) if c in measured] == [chip] else ()

    def _facts(self, variable: Variable, chip: str) -> list[Statement]:
        """The facts that may complete what is said; of what one has any that stands: a V100 has 16 GB, a later one 32."""
        variants = self._variants.get(chip, set())
        family = made_of(self.book.domain, chip)[0]
        known = [
            s
            for s in self.book.facts.get((family, variable.metric), ())
            if s.fact is not None and s.asserted and s.count in (None, 1)
        ]
        subjects = {chip, family, *variants}
        return [s for s in known if s.claim.subject in subjects] if variants else known

    def _of(self, variable: Variable, statements: Sequence[Statement], line: str = "") -> Iterator[Reading]:
        for s in statements:
            metric = self.book.domain.metrics[s.claim.metric]
            both = amounts(metric, s) or self._implied(s)
            if both is None or (metric.nature == "priced" and not s.asserted):
                continue  # what a sum of money is of has to be plain
            for count in self._counts(variable, s):
                divisor = Interval.of(1 if variable.of == ALL else count)
                yield Reading(variable, s, both[0] / divisor, both[1] / divisor, count, line)

    def _implied(self, s: Statement) -> tuple[Interval, Interval] | None:
        """ "$0.46" for a million tokens, where the words say that it is for so many."""
        q, metric = s.claim.quantity, self.book.domain.metrics[s.claim.metric]
        if q is None or q.form != "value" or q.dimension not in metric.implied_by:
            return None
        scale = Interval.of(self.book.domain.units[metric.unit].scale)
        return Interval(q.low, q.high) * scale, written(q) * scale

    # --- Of how many chips ---

    def _counts(self, variable: Variable, s: Statement) -> list[int]:
        """By how many chips a figure may have to be divided; none where it is of something else."""
        scope = s.claim.qualifier("aggregation")
        if scope in PARTS:
            return []
        if variable.of not in (ONE, ALL):
            return [1]
        if variable.of == ALL:  # subtle: 1 is tried as well, as a count may be said of something else
            if scope == "chip":
                return []
            told = {s.count or 1} | self._slice_counts(s) if self._says_its_count(s) else self._beside(s)
            return sorted({1} | told) if told else []
        if s.count is None and s.fact is None:
            return sorted(self._told_elsewhere(s) or self._guessed(s) | ({1} if scope in ("", "chip") else set()))
        return sorted({s.count or 1} | self._slice_counts(s) | ({1} if self._is_of_one(s) else set()))

    def is_of_one(self, r: Reading) -> bool:
        """True for what can be one chip's in a total of several."""
        s = r.statement
        if s.claim.quantity is not None and s.claim.quantity.count > 1:
            return False  # "8 x 80 GB" is a sum of its own
        specified = self.book.domain.metrics[s.claim.metric].nature == "specified"
        unsaid = self.nearby and specified and s.count is None and not s.claim.qualifier("aggregation")
        return s.count == 1 or s.fact is not None or (unsaid and self.book.domain.is_chip(s.claim.subject))

    def _beside(self, s: Statement) -> set[int]:
        """The one number of chips that the sentences count, for a figure of several that does not say of how many."""
        several = s.count is None and bool(s.chip) and s.claim.qualifier("aggregation") not in ("", "chip")
        found = {round(c.middle) for c in self.counts.get(_CHIPS, ())} if self.nearby and several else set[int]()
        return found if len(found) == 1 and 1 not in found else set()

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
        told = self.nearby and bool(scope) and not s.claim.qualifier("count") and all(whole)
        return told or s.count in numbers or any(whole)

    def _is_of_one(self, s: Statement) -> bool:
        """True when a fact of one chip has the figure: the count is then of something else in the sentence."""
        specified = self.book.domain.metrics[s.claim.metric].nature == "specified"
        facts = self.book.facts.get(s.key, ()) if specified else ()
        return any(f.count == 1 and f.low <= s.high and s.low <= f.high for f in facts)

    def _told_elsewhere(self, s: Statement) -> set[int]:
        """Of how many chips the source elsewhere says the same figure is, or another one of its row."""
        alike = (
            o for o in self._sentences.get(_sentence(s), ()) if o.claim.metric == s.claim.metric and o.count is None
        )
        return self._equal_counts(s) or {c for o in alike for c in self._equal_counts(o)}

    def _guessed(self, s: Statement) -> set[int]:
        """The numbers of chips that the sentence tells of anything else of this chip, or else that the source does."""
        row = self._sentences.get(_sentence(s), ())
        near = {o.count for o in row if o.chip == s.chip and (o.count or 0) > 1}
        return {c for c in near or self._counts_of.get(s.chip, set()) if c is not None}

    def _equal_counts(self, s: Statement) -> set[int]:
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


def _counted(book: Casebook, s: Statement) -> bool:
    """True for "Eight GPUs reached 4,440 TFLOPS"."""
    found = book.domain.unit_table.find(book.find_evidence(s).quote)
    return any(q.low > 1 and book.domain.counted(q.unit) == _CHIPS for q in found)


def _claim_on(like: Claim, passage: Passage, q: Quantity) -> Claim:
    """The claim on what a sentence of a passage counts, which is of nothing that is known."""
    start, end = next(span for span in passage.sentences if q.start < span[1])
    places = {"start": start, "end": end, "value_start": q.start, "value_end": q.end}
    moved = {key: passage.start + at for key, at in places.items()}
    return replace(like, metric="", qualifiers=(), quantity=q.moved(passage.start), **moved)  # type: ignore[arg-type]


def is_said(s: Statement) -> bool:
    """True for what its source says, though it may be open of whom, or under what it holds."""
    return replace(s, claim=replace(s.claim, doubt="")).asserted


def _closed(interval: Interval) -> Interval:
    """The figure itself of what looks like a bound: "over 24 hours" is how long."""
    return interval if interval.is_finite else Interval.of(interval.middle)


def _sentence(s: Statement) -> tuple[str, int, int]:
    return s.claim.source, s.claim.start, s.claim.end
