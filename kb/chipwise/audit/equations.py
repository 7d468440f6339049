"""Figures that cannot hold together (CW401 to CW404): what texts state, joined by the equations of the network.

    58% and 52% MFU, 3,450 and 3,800 tokens/s, peaks 459 and 989 TFLOPS
        ->  a model of 12.9 billion parameters by the first, and of 22.6 billion by the second

A breach is reported only where every reading of the figures breaches, by more than their precision and the
equations' tolerance. Peaks and counts come from the facts table where the text is silent, and the explanation says so.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, product

from chipwise.audit.amounts import FAR_OFF, amounts, are_apart_by
from chipwise.audit.casebook import Casebook, Statement
from chipwise.audit.differing import go_together
from chipwise.audit.drafting import draft
from chipwise.audit.explaining import Breach, Chosen, explain, title
from chipwise.audit.stated import Reading, Stated
from chipwise.domain.catalogue import RUN
from chipwise.domain.formulas import Variable
from chipwise.domain.model import Domain
from chipwise.figures.laws import Law, laws_of, ways
from chipwise.figures.network import network_of
from chipwise.numbers.intervals import Interval
from chipwise.types import Finding

_MOST_READINGS = 4096  # more ways to read a source's figures than this, and they are not checked
ALIKE = 0.02  # readings as close to holding as that: the first is shown, with the source's own figures
# what the figures of one subject must not contradict one another in; of two subjects, neither
_AXES = (
    *("dtype", "sparsity", "engine", "workload", "benchmark", "price_terms", "provider"),
    *("memory_kind", "capacity", "direction"),
)
_PAIR = 2
_NOT_THESE = 20.0  # times: what is that far off is of something else
_BEYOND_ALL = "CW404"
_OVER = 0.05  # by so much more than all a figure may be, as peaks are rounded
_ONE = Interval.of(1)


def find_breaches(book: Casebook, source: str = "") -> list[Finding]:
    """CW401 to CW404: one finding for each law, its subjects and the witness, which is that of `source` where one is given."""
    found: dict[tuple[str, frozenset[str], tuple[str, ...], str], list[Breach]] = {}
    laws = Laws(book)
    for witness, statements in _by_witness(book):
        sources = {s.claim.source for s in statements}
        for breach in laws.breaches(Stated(book, statements)) if not source or source in sources else ():
            same = found.setdefault((breach.code, breach.law.variables, tuple(sorted(breach.chips)), witness), [])
            if not (same and len(sources) > 1):  # what one of them shows by itself needs no other
                same.append(breach)
    return [_draft(book, max(same, key=_plainness), same) for same in found.values()]


def _plainness(breach: Breach) -> int:
    """How plainly a source says all of it itself; the first of several that do so as well is shown."""
    taken = sum(1 for r in breach.readings if r.line or r.statement.fact is not None)
    return -taken


def _by_witness(book: Casebook) -> Iterator[tuple[str, list[Statement]]]:
    """The statements of each source, and then those of all sources that are one witness together."""
    groups: dict[str, list[str]] = {}
    for source, statements in book.by_source.items():
        groups.setdefault(book.witness_of.get(source, source), []).append(source)
        yield book.witness_of.get(source, source), statements
    for witness, sources in groups.items():
        if len(sources) > 1:
            yield witness, [s for source in sources for s in book.by_source[source]]


class Laws:
    """The laws of the network, held against what is stated."""

    def __init__(self, book: Casebook) -> None:
        self.book = book
        network = network_of(book.domain)
        by_wanted: dict[str, list[Law]] = {}
        for law in laws_of(network):
            by_wanted.setdefault(law.wanted.id, []).append(law)
        self._of_one = [laws for laws in by_wanted.values() if not self._is_of_two(laws[0].wanted)]
        of_two = (law for laws in by_wanted.values() if self._is_of_two(laws[0].wanted) for law in laws)
        # what is achieved in a test of its own tells nothing of the work that is compared
        self._of_two = [law for law in of_two if not law.wanted.one_work or any(v.most for v in law.inputs)]
        bounded = [v for v in network.variables.values() if v.most]
        stated = (Law(network, v, (), (v,)) for v in bounded)
        self._ceilings = [*stated, *(law for v in bounded for law in ways(network, v) if len(law.steps) == 1)]

    def _is_of_two(self, variable: Variable) -> bool:
        return variable.one_work or any(self.book.domain.metrics[m].unit == "x" for m in variable.claims)

    def breaches(self, stated: Stated) -> Iterator[Breach]:
        """What breaks a law: among neighbours, over all of a source where nobody measures or pays it, and of two chips."""
        judged: set[tuple[str, int]] = set()
        for statements in stated.neighbours():
            given = {s.claim.metric for s in statements}
            given |= {s.claim.quantity.dimension for s in statements if s.claim.quantity is not None}
            held = [laws for group in self._of_one if (laws := [law for law in group if _may_hold(law, given)])]
            bound = [
                law for law in self._ceilings if all(v.tabled or not given.isdisjoint(v.claims) for v in law.inputs)
            ]
            near = stated.only(statements) if held or bound else stated
            for laws in held:
                yield from self._held(near, laws, judged)
            for law in bound:
                yield from self._beyond_all(near, law)
        for laws in self._of_one:
            if laws[0].is_total and laws[0].is_tabled:
                yield from self._held(stated, laws, judged)
        apart = stated.told_apart()
        yield from (list(self._of_chips(apart)) if apart is not None else []) or self._of_chips(stated)

    # --- Of one chip ---

    def _held(self, stated: Stated, laws: Sequence[Law], judged: set[tuple[str, int]]) -> Iterator[Breach]:
        """Each claimed figure by itself, that another one is right is no excuse for it; in the narrowest stretch that has all of a law."""
        for chip in stated.chips:
            figures = stated.readings(laws[0].wanted, chip)
            if not laws[0].is_total and not _is_plain(figures):
                continue  # of which run the rest is, is open
            for s in dict.fromkeys(r.statement for r in figures):
                alone = stated.like(s) <= _PAIR
                fitting = [law for law in laws if law.is_tabled or alone]
                place = s.claim.source, s.claim.value_start
                if place not in judged:
                    decided, breach = self._judge(stated, fitting, chip, s)
                    judged |= {place} if decided else set()
                    yield from [breach] if breach is not None else []

    def _judge(self, stated: Stated, laws: Iterable[Law], chip: str, s: Statement) -> tuple[bool, Breach | None]:
        """Whether anything is decided, and the breach whose sides are closest; none where some reading by some law holds."""
        best: tuple[float, Law, Chosen] | None = None
        for law in laws:
            for chosen in _choices(stated, law, chip, law.wanted, s):
                gap = chosen[law.wanted.id].value.gap(law.value({v: r.value for v, r in chosen.items()}))
                if gap <= 1 + law.tolerance or (law.is_total and _explained(self.book.domain, law, chosen)):
                    return True, None
                if best is None or gap < best[0] * (1 - ALIKE):
                    best = gap, law, chosen
        if best is None:
            return False, None
        gap, law, chosen = best
        claimed = chosen[law.wanted.id]
        if gap > _NOT_THESE or (law.is_total and self._is_open(law, chosen, stated.readings(law.wanted, chip))):
            return True, None
        off = claimed.nominal.gap(law.value({v: r.nominal for v, r in chosen.items()}))
        return True, Breach(law, law.wanted.code, (chip,), (chosen,), claimed, off)

    def _is_open(self, law: Law, chosen: Chosen, totals: Sequence[Reading]) -> bool:
        """True where a total is of one, and something else is counted; of one count of several; or of another variant."""
        total = chosen[law.wanted.id]
        others = (r for r in totals if r.statement is not chosen[law.part].statement)
        return total.count == 1 or _is_one_of_several(total, others) or self._is_of_another_variant(law, chosen)

    def _is_of_another_variant(self, law: Law, chosen: Chosen) -> bool:
        """True where a total holds with what another variant of the chip has: "eight A100 with 320 GB" beside one of 80 GB."""
        values = {v: r.value for v, r in chosen.items()}
        facts = (f for f in self.book.facts.get(chosen[law.part].statement.key, ()) if f.asserted and f.count == 1)
        made = (law.value(values | {law.part: Interval(f.low, f.high)}) for f in facts)
        return any(chosen[law.wanted.id].value.gap(m) <= 1 + law.tolerance for m in made)

    def _beyond_all(self, stated: Stated, law: Law) -> Iterator[Breach]:
        """Shares of more than all: as they are stated, or as they follow."""
        most = (law.wanted.most or 1.0) * (1 + _OVER if law.steps else 1.0)
        claimed = next(v for v in law.inputs if not v.tabled)
        for chip in stated.chips:
            for s in dict.fromkeys(r.statement for r in stated.readings(claimed, chip)):
                choices = _choices(stated, law, chip, claimed, s)
                made = [(law.value({v: r.value for v, r in c.items()}).low, c) for c in choices]
                least = min(made, key=lambda pair: pair[0], default=None)
                if least is not None and least[0] > most:
                    off = law.value({v: r.nominal for v, r in least[1].items()}).middle
                    yield Breach(law, _BEYOND_ALL, (chip,), (least[1],), None, off)

    # --- Of two chips ---

    def _of_chips(self, stated: Stated) -> Iterator[Breach]:
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


def _may_hold(law: Law, given: set[str]) -> bool:
    """True where figures stand together that are of the kinds of a law; what is only counted is looked for later."""
    shares = "ratio" in given and not any(v.dimension == "ratio" for v in (law.wanted, *law.inputs))
    if shares and not law.is_tabled:
        return False  # "250 W at a load of 60%"
    kinds = (v.tabled or v.dimension == "count" or not given.isdisjoint((*v.claims, *v.figures)) for v in law.inputs)
    return not given.isdisjoint((*law.wanted.claims, *law.wanted.figures)) and all(kinds)


def _choices(
    stated: Stated, law: Law, chip: str, claimed: Variable | None = None, about: Statement | None = None
) -> Iterator[Chosen]:
    """Every choice of one reading for each variable that may stand together, `claimed` the figure of `about`; none where it is open which."""
    options: list[list[Reading]] = []
    chips = law.network.variables["chips"] if law.is_total else None
    for v in (v for v in dict.fromkeys((*filter(None, [claimed]), *law.inputs)) if v is not chips):
        found = stated.readings(v, chip)
        if v is claimed and about is not None:
            same = stated.equals(about)
            found = [r for r in found if r.statement in same]
        elif law.is_total:
            found = [r for r in found if r.is_of_one]
        elif v.tabled and claimed in (law.wanted, None):
            found = [r for r in found if all(r.statement.claim.qualifier(a) in (x, "") for a, x in v.axes)]
        if stated.nearby and not v.tabled and not _is_plain(found):
            return
        options.append(found)
    if 0 < math.prod(map(len, options)) <= _MOST_READINGS:
        for chosen in product(*options):
            if all(_fit(stated.book, x, y) for x, y in combinations(chosen, 2)):
                of = chosen[0]
                count = Interval.of(of.count)
                counted = Reading(chips, of.statement, count, count) if chips is not None else None
                yield {r.variable.id: r for r in (*chosen, *filter(None, [counted]))}


def _is_one_of_several(total: Reading, others: Iterable[Reading]) -> bool:
    """True for the 320 of "two or four H100 with 160 or 320 GB", where both are read as of two: of which number it is, the list tells."""
    place = total.count, total.statement.claim.source, total.statement.claim.start
    alike = (r for r in others if (r.count, r.statement.claim.source, r.statement.claim.start) == place)
    return any(not r.value.meets(total.value) for r in alike)


def _is_plain(found: Sequence[Reading]) -> bool:
    """True for one figure, whatever chips it may be of: which of two belongs into a sum is open."""
    first = found[0].statement if found else None
    return all(first is not None and r.statement.low <= first.high and first.low <= r.statement.high for r in found)


def _fit(book: Casebook, a: Reading, b: Reading, *, alike: bool | None = None) -> bool:
    """True when two figures may stand in one equation: of one subject, nothing contrary; of two, nothing that only one states.

    `alike` is None for those of one subject, and else tells whether they are values of one variable.
    """
    x, y = a.statement, b.statement
    said = alike and x.fact is None and y.fact is None
    if x is y or (said and x.claim.source != y.claim.source):
        return False
    for axis in _AXES:
        p, q = x.claim.qualifier(axis), y.claim.qualifier(axis)
        if (said and axis in RUN and p != q) or not go_together(axis, p, q):
            return False
    variants = {v for s in (x, y) if (v := book.domain.variant_of(s.claim.subject))}
    machines = {s.claim.subject for s in (x, y) if s.fact is None and book.domain.kind(s.claim.subject) == "system"}
    return alike is not None or (len(variants) <= 1 and len(machines) <= 1)


def _explained(domain: Domain, law: Law, chosen: Chosen) -> bool:
    """True when a total and the count times one are apart by a factor that an explanation rule has: GB for GiB, both directions."""
    whole = chosen[law.wanted.id]
    one = chosen[law.part]
    metric, a, b = domain.metrics[law.wanted.claims[0]], whole.statement.claim, one.statement.claim
    for rule in domain.explanations.values():
        possible = metric.dimension in rule.dimensions or (not rule.dimensions and rule.axis in metric.qualifiers)
        settled = rule.axis and a.qualifier(rule.axis) == b.qualifier(rule.axis) != ""
        # by how many chips a figure is divided is what is judged here
        if possible and not settled and rule.axis != "aggregation":
            of_one = whole.value / Interval.of(whole.count)
            if any(are_apart_by(of_one, one.value, factor, law.tolerance) for factor in rule.factors):
                return True
    return False


def _draft(book: Casebook, breach: Breach, same: Sequence[Breach]) -> Finding:
    sure = breach.code == _BEYOND_ALL or breach.off > FAR_OFF
    statements = list(dict.fromkeys(r.statement for r in breach.readings))
    own = {s.claim.source for s in statements}
    also = {r.statement.claim.source for b in same for r in b.readings if r.statement.fact is None} - own
    return draft(
        book,
        breach.code,
        "contradiction",
        "high" if sure else "medium",
        title(book, breach),
        "\n".join(explain(book, breach, also)),
        statements,
        help="see which of these figures is off, or is of another workload, scope or variant",
    )
