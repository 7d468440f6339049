"""Figures that cannot hold together (CW401, CW402): what texts state, joined by the equations of the network.

A breach is reported only where every reading of the figures breaches, by more than their precision and the
equations' tolerance. Peaks and counts come from the facts table where the text is silent, and the explanation says so.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from itertools import combinations, product

from chipwise.audit.amounts import FAR_OFF, amounts
from chipwise.audit.book import Book
from chipwise.audit.explaining import Breach, Chosen, explain, title
from chipwise.audit.stated import Reading, Stated
from chipwise.audit.writer import draft
from chipwise.domain.catalogue import RUN
from chipwise.domain.formulas import Variable
from chipwise.figures.network import network_of
from chipwise.figures.relate import go_together
from chipwise.figures.solve import Law, laws_of
from chipwise.figures.statement import Statement
from chipwise.numbers.intervals import Interval
from chipwise.types import Finding

_MOST_READINGS = 4096  # more ways to read a source's figures than this, and they are not checked
ALIKE = 0.02  # readings as close to holding as that: the first is shown, with the source's own figures
# what the figures of one subject must not contradict one another in; of two subjects, neither
_AXES = (
    *("dtype", "sparsity", "engine", "workload", "benchmark", "price_terms", "provider"),
    *("memory_kind", "capacity", "direction"),
)
_ONE = Interval.of(1)


def check(book: Book) -> list[Finding]:
    """One finding for each law and its subjects."""
    found: dict[tuple[object, ...], tuple[int, Breach]] = {}
    laws = Laws(book)
    for of in book.audited:
        for breach in laws.breaches(Stated(book, book.by_source.get(of, ()))):
            key = breach.law.variables, tuple(sorted(breach.chips)), book.witness_of.get(of, of)
            # the first that says all of it itself, as far as one does
            taken = sum(1 for r in breach.readings if r.line or r.statement.fact is not None)
            if key not in found or taken < found[key][0]:
                found[key] = taken, breach
    return [_draft(book, breach) for _, breach in found.values()]


class Laws:
    """The laws of the network, held against what is stated."""

    def __init__(self, book: Book) -> None:
        self.book = book
        network = network_of(book.domain)
        of_two = [law for law in laws_of(network) if self._is_of_two(law.wanted)]
        # what is achieved in a test of its own tells nothing of the work that is compared
        self._of_two = [law for law in of_two if not law.wanted.one_work or any(v.most for v in law.inputs)]

    def _is_of_two(self, variable: Variable) -> bool:
        return variable.one_work or any(self.book.domain.metrics[m].unit == "x" for m in variable.claims)

    def breaches(self, stated: Stated) -> Iterator[Breach]:
        """What two chips of one work must have in common, and multiples of what follows for each of them."""
        for law in self._of_two:
            chips = [c for c in stated.chips if all(stated.readings(v, c) for v in law.inputs)]
            if law.wanted.one_work:
                for pair in combinations(chips, 2):
                    yield from self._compared(stated, law, [pair], None)
            # a comparison of two lines holds if it holds for any chip of one against any of the other
            for s in [
                s for m in law.wanted.claims for s in stated.statements if s.claim.metric == m and len(chips) > 1
            ]:
                pairs = product(stated.under(s.chip), stated.under(s.claim.baseline)) if s.claim.baseline else ()
                yield from self._compared(stated, law, [p for p in pairs if {*p} <= {*chips}], s)

    def _compared(
        self, stated: Stated, law: Law, pairs: Iterable[tuple[str, str]], s: Statement | None
    ) -> Iterator[Breach]:
        """The breach whose sides are closest, unless some reading of some pair holds."""
        both = amounts(self.book.domain.metrics[s.claim.metric], s) if s is not None else None
        claimed = Reading(law.wanted, s, *both) if s is not None and both is not None else None
        best: tuple[float, tuple[str, str], tuple[Chosen, Chosen]] | None = None
        unlike = [p for p in pairs if not self.book.domain.are_kin(*p)] if claimed is not None or s is None else []
        for a, b in unlike:
            for x, y in product(_choices(stated, law, a), _choices(stated, law, b)):
                if not all(_fit(self.book, p, q, alike=v == w) for v, p in x.items() for w, q in y.items()):
                    continue
                made = [law.value({v: r.value for v, r in c.items()}) for c in (x, y)]
                gap = (claimed.value if claimed is not None else _ONE).gap(made[0] / made[1])
                if gap <= 1 + law.tolerance:
                    return
                if best is None or gap < best[0] * (1 - ALIKE):
                    best = gap, (a, b), (x, y)
        if best is not None:
            first, second = (law.value({v: r.nominal for v, r in c.items()}) for c in best[2])
            off = (claimed.nominal if claimed is not None else _ONE).gap(first / second)
            _, chips, sides = best
            if claimed is None and first.middle > second.middle:
                chips, sides = (chips[1], chips[0]), (sides[1], sides[0])
            yield Breach(law, law.wanted.code, chips, sides, claimed, off)


def _choices(stated: Stated, law: Law, chip: str) -> Iterator[Chosen]:
    """Every choice of one reading for each variable that may stand together."""
    options: list[list[Reading]] = []
    for v in law.inputs:
        found = stated.readings(v, chip)
        if v.tabled:
            found = [r for r in found if all(r.statement.claim.qualifier(a) in (x, "") for a, x in v.axes)]
        options.append(found)
    if 0 < math.prod(map(len, options)) <= _MOST_READINGS:
        for chosen in product(*options):
            if all(_fit(stated.book, x, y) for x, y in combinations(chosen, 2)):
                yield {r.variable.id: r for r in chosen}


def _fit(book: Book, a: Reading, b: Reading, *, alike: bool | None = None) -> bool:
    """True when two figures may stand in one equation: of one subject, nothing contrary; of two, nothing that only one states.

    `alike` is None for those of one subject, and else tells whether they are values of one variable.
    """
    x, y = a.statement, b.statement
    said = alike and x.fact is None and y.fact is None
    if x is y or (said and x.claim.source != y.claim.source):
        return False
    for axis in _AXES:
        p, q = x.claim.qualifier(axis), y.claim.qualifier(axis)
        if (said and axis in RUN and p != q) or not go_together(book.domain, axis, p, q):
            return False
    variants = {v for s in (x, y) if (v := book.domain.variant_of(s.claim.subject))}
    machines = {s.claim.subject for s in (x, y) if s.fact is None and book.domain.kind(s.claim.subject) == "system"}
    return alike is not None or (len(variants) <= 1 and len(machines) <= 1)


def _draft(book: Book, breach: Breach) -> Finding:
    statements = list(dict.fromkeys(r.statement for r in breach.readings))
    severity = "high" if breach.off > FAR_OFF else "medium"
    return draft(
        book, breach.code, "contradiction", severity, title(book, breach), "\n".join(explain(book, breach)), statements,
        help="Check which of these figures is wrong, or is from another workload, scope or variant.",
    )  # fmt: skip
