"""What texts state of the variables of the network: each figure in each way that it can be read.

    throughput of TPU v5p   ->  3,450 tokens/s  [001:36]
    price of TPU v5p        ->  $8-$11 / 4 or / 8, as "v5p-8" names 4 chips and the text calls it 8
    peak of H100            ->  989 TFLOPS of the facts table, where the text is silent

A figure that may be of several numbers of chips is there once for each.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

from chipwise.audit.amounts import amounts, written
from chipwise.audit.casebook import Casebook, Statement, made_of, number_in_name
from chipwise.claims.model import Claim, Modality
from chipwise.domain.catalogue import PARTS
from chipwise.domain.formulas import ALL, Variable
from chipwise.domain.kinship import CHIPS
from chipwise.numbers.intervals import Interval
from chipwise.numbers.numerals import numeral_at
from chipwise.numbers.quantity import Quantity
from chipwise.text import Span, blanked
from chipwise.types import Passage

_MOST_FIGURES = 100  # of one chip and metric in one source: nothing tells any more which belong together
_WIDEST = 3  # sentences, items or rows that the figures of one equation may be spread over
_APART = 100  # characters between two of them
_MOST_CHIPS = 100_000
_PARAMETERS = 1e8  # a model of fewer is none that is trained on accelerators
_MEASURED = ("measured", "sustained")
_PARAGRAPH = "\n\n"
_COUNT = "count"


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

    @property
    def is_of_one(self) -> bool:
        """True for what one chip has, as far as its words tell; "8 x 80 GB" is a sum of its own."""
        s = self.statement
        single = s.claim.quantity is None or s.claim.quantity.count == 1
        return single and self.count == 1 and (s.count == 1 or not s.claim.qualifier("aggregation"))


class Stated:
    """The figures of one source, of several that are one witness, or of sentences that stand together."""

    def __init__(self, book: Casebook, statements: Sequence[Statement], *, nearby: bool = False) -> None:
        self.book, self.nearby = book, nearby
        self._told = [s for s in statements if s.claim.quantity is not None and is_said(s)]
        self.statements = self._told if nearby else [s for s in self._told if s.asserted]
        self.by_key: dict[tuple[str, str], list[Statement]] = {}
        for s in self.statements:
            self.by_key.setdefault(s.key, []).append(s)
        self.chips = [c for c in dict.fromkeys(s.chip for s in self.statements) if book.domain.kind(c) in CHIPS]
        self._known: dict[tuple[str, str], list[Reading]] = {}
        self._doubted = {s.key for s in statements if s.claim.doubt} if nearby else set()

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

    def told_apart(self) -> Stated | None:
        """The same with each variant as a chip of its own, where figures of several of one chip are given."""
        domain = self.book.domain
        own = {s.claim.subject: s.chip for s in self.statements if domain.kind(s.claim.subject) == "variant"}
        several = {v for v, chip in own.items() if list(own.values()).count(chip) > 1 and v != chip}
        apart = [replace(s, chip=s.claim.subject) if s.claim.subject in several else s for s in self.statements]
        return Stated(self.book, apart) if several else None

    # --- Sentences that stand together ---

    def only(self, statements: Sequence[Statement]) -> Stated:
        """Some of the figures, each as of the one chip that they name; no fact goes in for one that stands there, doubted."""
        chips = {s.chip for s in statements if self.book.domain.kind(s.chip) in CHIPS}
        if len(chips) == 1:
            own = [
                s for s in statements if s.chip or s.count is not None or not (s.claim.metric and self._is_counted(s))
            ]
            statements = [s if s.chip else replace(s, chip=next(iter(chips))) for s in own]
        near = Stated(self.book, statements, nearby=True)
        near.chips = near.chips or [""]
        near.variants = self.variants
        return near

    def _is_counted(self, s: Statement) -> bool:
        """True for "Eight GPUs reached 4,440 TFLOPS"."""
        found = self.book.domain.unit_table.find(self.book.find_evidence(s).quote)
        return any(q.low > 1 and self.book.domain.counted(q.unit) == "chips" for q in found)

    def neighbours(self) -> Iterator[list[Statement]]:
        """The figures of each one, two or three sentences, items or rows that stand together; the fewest first."""
        places: dict[tuple[str, int, int], list[Statement]] = {}
        for s in sorted(map(self._as_measured, self._told), key=lambda s: (s.claim.source, s.claim.start)):
            places.setdefault((s.claim.source, s.claim.start, s.claim.end), []).append(s)
        sentences = list(places.values())
        for width in range(1, _WIDEST + 1):
            for at in range(len(sentences) - width + 1):
                run = sentences[at : at + width]
                if all(self._stand_together(a[0], b[0]) for a, b in pairwise(run)):
                    yield [s for sentence in run for s in sentence]

    def _stand_together(self, a: Statement, b: Statement) -> bool:
        """True for what stands in one paragraph, with next to nothing in between."""
        x, y = a.claim, b.claim
        if (x.source, x.passage) != (y.source, y.passage) or y.start - x.end > _APART:
            return False
        passage = self._passage(x)
        return passage is None or _PARAGRAPH not in passage.text[x.end - passage.start : y.start - passage.start]

    def _passage(self, claim: Claim) -> Passage | None:
        return next((p for p in self.book.passages_of(claim.source) if p.ordinal == claim.passage), None)

    def _as_measured(self, s: Statement) -> Statement:
        """A peak that was reached is none."""
        metric = self.book.domain.metrics.get(s.claim.metric)
        basis = s.claim.qualifier("basis")
        measured = basis in _MEASURED or (basis == "" and s.claim.modality is Modality.MEASURED)
        if metric is None or not (metric.measured_as and measured):
            return s
        return replace(s, claim=replace(s.claim, metric=metric.measured_as))

    def like(self, s: Statement) -> int:
        """How many figures are of the dimension of one, whatever the text says of them: a price beside a rate is one as well."""
        implied = self.book.domain.implied_dimensions
        own = s.claim.quantity.dimension if s.claim.quantity is not None else ""
        found = [o.claim.quantity.dimension for o in self.statements if o.claim.quantity is not None]
        return sum(d == own or d in implied.get(own, ()) or own in implied.get(d, ()) for d in found)

    @cached_property
    def counts(self) -> dict[str, list[Statement]]:
        """What the sentences count: chips, and the parameters of a model, which may stand in the two before as well."""
        found: dict[str, list[Statement]] = {}
        first, last = self.statements[0], self.statements[-1].claim
        passage = self._passage(first.claim) if self.nearby else None
        if passage is None:
            return found
        start = first.claim.start - passage.start
        before = [a for a, b in passage.sentences if b <= start and _PARAGRAPH not in passage.text[a:start]]
        start = min((*before[-2:], start))
        for q in self.book.domain.unit_table.find(passage.text[start : last.end - passage.start]):
            if q.dimension == _COUNT and q.form == "value":
                counted = _claim_on(first.claim, passage, q.moved(start))
                found.setdefault(self.book.domain.counted(q.unit), []).append(replace(first, claim=counted))
        return found

    # --- Readings ---

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
            found = list(self._loose(variable)) if variable.figures else self._of_claims(variable, chip)
            unlike = {
                (r.value, r.count, r.statement.claim.subject, r.statement.claim.qualifiers): r for r in found[::-1]
            }
            self._known[key] = list(unlike.values())[::-1]
        return self._known[key]

    def _of_claims(self, variable: Variable, chip: str) -> list[Reading]:
        figures = [s for m in variable.claims for s in self.by_key.get((chip, m), ())]
        found = list(self._of(variable, figures)) if len(figures) <= _MOST_FIGURES else []
        for line in self._lines(variable, chip) if not found else ():
            found = found or list(self._of(variable, self.by_key.get((line, variable.claims[0]), ()), line))
        if variable.tabled and not (found and self.nearby) and (chip, variable.metric) not in self._doubted:
            found += self._of(variable, self._facts(variable, chip))
        return found

    def _loose(self, variable: Variable) -> Iterator[Reading]:
        """Any figure of a kind, in sentences that stand together."""
        for s in self.statements if self.nearby else ():
            q, metric = s.claim.quantity, self.book.domain.metrics.get(s.claim.metric)
            of_it = metric is None or (q is not None and metric.dimension == q.dimension)
            if q is not None and of_it and q.dimension in variable.figures and q.form == "value":
                value, nominal = (i if i.is_finite else Interval.of(i.middle) for i in (_all(q), written(q)))
                yield Reading(variable, s, value, nominal)
        least, most = (1, _MOST_CHIPS) if variable.id == "chips" else (_PARAMETERS, float("inf"))
        for s in (s for kind in variable.figures if self.nearby for s in self.counts.get(kind, ())):
            whole = Interval.of(float(f"{s.middle:.6g}"))
            if least < s.middle <= most:
                yield Reading(variable, s, whole, whole)

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
            both = amounts(metric, s) or self._implied(s)
            if both is None or (metric.nature == "priced" and not s.asserted):
                continue  # what a sum of money is of has to be plain
            for count in sorted(self._counts(variable, s)):
                divisor = Interval.of(1 if variable.of == ALL else count)
                yield Reading(variable, s, both[0] / divisor, both[1] / divisor, count, line)

    def _implied(self, s: Statement) -> tuple[Interval, Interval] | None:
        """ "$0.46" for a million tokens, where the words say that it is for so many."""
        q, metric = s.claim.quantity, self.book.domain.metrics[s.claim.metric]
        if q is None or q.form != "value" or q.dimension not in metric.implied_by:
            return None
        scale = Interval.of(self.book.domain.units[metric.unit].scale)
        return _all(q) * scale, written(q) * scale

    def _counts(self, variable: Variable, s: Statement) -> set[int]:
        """Of how many chips a figure may be; none where it is of something else."""
        scope = s.claim.qualifier("aggregation")
        if scope in PARTS:
            return set()
        if not variable.of:
            return {1}
        # "v5p-8" is 4 chips by the maker's naming, and often taken for 8
        number = number_in_name(self.book.domain, s.claim.subject)
        told = {s.count or 1} | ({number} if number is not None else set())
        if variable.of == ALL:  # subtle: 1 is tried as well, as a count may be said of something else
            told = (told if self._says_count(s) else set()) if (s.count or 1) > 1 else self._beside(s)
            return {1, *told} if told and scope != "chip" else set()
        if s.count is None and s.fact is None:
            said = {o.count for o in self.equals(s) if o.count} or self._beside(s)
            return said | ({1} if scope in ("", "chip") else set())
        facts = self.book.facts.get(s.key, ()) if variable.tabled else ()
        # a fact of one chip has the figure: the count is then of something else in the sentence
        one = any(f.count == 1 and f.low <= s.high and s.low <= f.high for f in facts)
        return told | ({1} if one else set())

    def _says_count(self, s: Statement) -> bool:
        """True where the sentence has the number of chips, or the name of what has so many; "inf2" in "inf2.24xlarge" is not all of it."""
        numbers, quote = self._numbers(s), self.book.find_evidence(s).quote
        ends = [m.end for m in self.book.domain.find_entities(quote) if s.claim.subject in m.ids]
        whole = [not (quote[at : at + 1] in (".", "-") and quote[at + 1 : at + 2].isalnum()) for at in ends]
        scoped = self.nearby and s.claim.qualifier("aggregation") and not s.claim.qualifier(_COUNT) and all(whole)
        return s.count in numbers or any(whole) or bool(scoped and not numbers)

    def _numbers(self, s: Statement) -> set[float]:
        """The whole numbers of a sentence that are no figure with a unit."""
        quote = self.book.find_evidence(s).quote
        text = blanked(quote, taken(self.book, quote, s.claim.start, self.statements))
        starts = (at for at in range(len(text)) if not at or not (text[at - 1].isalnum() or text[at - 1] in ".,"))
        found = (numeral_at(text, at) for at in starts)
        return {n.value for n in found if n is not None and n.value >= 2 and n.value == int(n.value)}  # noqa: PLR2004

    def _beside(self, s: Statement) -> set[int]:
        """The one number of chips that the sentences count, or that is said with another figure of them."""
        near = {o.count for o in self.statements if o.claim.start == s.claim.start and o.chip == s.chip} - {None, 1}
        several = bool(s.chip) and s.claim.qualifier("aggregation") not in ("", "chip")
        found = {round(c.middle) for c in self.counts.get("chips", ())} if self.nearby and several else near
        return {c for c in found if c} if len(found) == 1 and self._numbers(s) <= found else set()


def taken(book: Casebook, quote: str, start: int, statements: Iterable[Statement]) -> list[Span]:
    """Where the figures and the names stand in a sentence that begins at `start` of its source."""
    claimed = (s.claim for s in statements if s.claim.start == start)
    figures = [(c.value_start - start, c.value_end - start) for c in claimed]
    return figures + [(m.start, m.end) for m in book.domain.find_entities(quote)]


def _all(q: Quantity) -> Interval:
    return Interval(q.low, q.high)


def _claim_on(like: Claim, passage: Passage, q: Quantity) -> Claim:
    """The claim on what a sentence of a passage counts, which is of nothing that is known."""
    start, end = next(span for span in passage.sentences if q.start < span[1])
    places = {"start": start, "end": end, "value_start": q.start, "value_end": q.end}
    moved = {key: passage.start + at for key, at in places.items()}
    return replace(like, metric="", qualifiers=(), quantity=q.moved(passage.start), **moved)  # type: ignore[arg-type]


def is_said(s: Statement) -> bool:
    """True for what its source says, though it may be open of whom, or under what it holds."""
    return replace(s, claim=replace(s.claim, doubt="")).asserted
