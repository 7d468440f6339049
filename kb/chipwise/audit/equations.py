"""Figures that cannot hold together (CW401 to CW404): what texts state, joined by the equations of the network.

    58% and 52% MFU, 3,450 and 3,800 tokens/s, peaks 459 and 989 TFLOPS
        ->  a model of 12.9 billion parameters by the first, and of 22.6 billion by the second

A breach is reported only where every reading of the figures breaches, by more than their precision and the
equations' tolerance. Peaks and counts come from the facts table where the text is silent, and the explanation says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations, product

from chipwise.audit.amounts import FAR_OFF, amounts, are_apart_by
from chipwise.audit.casebook import Casebook, Statement
from chipwise.audit.differing import go_together
from chipwise.audit.drafting import draft, figure, name, place
from chipwise.audit.explaining import Breach, called, explain, title
from chipwise.audit.stated import Reading, Stated, is_said, told_apart
from chipwise.domain.catalogue import RUN
from chipwise.domain.formulas import Variable
from chipwise.figures.laws import Law, laws_of, ways
from chipwise.figures.network import network_of
from chipwise.numbers.intervals import Interval
from chipwise.types import Finding

MOST_READINGS = 4096  # more ways to read a source's figures than this, and they are not checked
ALIKE = 0.02  # readings as close to holding as that: the first is shown, with the source's own figures
# what the figures of one subject must not contradict one another in; of two subjects, neither
AXES = (
    *("dtype", "sparsity", "engine", "workload", "benchmark", "price_terms", "provider"),
    *("memory_kind", "capacity", "direction"),
)
_PAIR = 2
_NOT_THESE = 20.0  # times: what is that far off, among neighbours, is of something else
_OVER_ALL = "CW404"
_OVER = 0.05  # by so much more than all a figure may be, as peaks are rounded
_ROOM = 0.03  # by so much of itself a figure may be off what an explanation makes of another one
_HELP = "see which of these figures is off, or is of another workload, scope or variant"
Chosen = Mapping[str, Reading]


def find_breaches(book: Casebook, source: str = "") -> list[Finding]:
    """CW401 to CW404: one finding for each law, its subjects and the witness, which is that of `source` where one is given."""
    found: dict[tuple[str, frozenset[str], tuple[str, ...], str], list[Breach]] = {}
    laws = Laws(book)
    for witness, statements in _by_witness(book):
        if source and not any(s.claim.source == source for s in statements):
            continue
        stated = Stated(book, statements)
        apart = told_apart(book.domain, statements)
        variants = Stated(book, apart) if apart else None
        together = len({s.claim.source for s in statements}) > 1
        of_variants = list(laws.of_two(variants)) if variants is not None else []
        of_two = of_variants or list(laws.of_two(stated))
        for breach in (*laws.of_one(stated), *of_two):
            key = breach.code, breach.law.variables, tuple(sorted(breach.chips)), witness
            same = found.setdefault(key, [])
            if not (same and together):  # what one of them shows by itself needs no other
                same.append(breach)
    return [*_beyond_all(book), *(_draft(book, max(same, key=_plainness), same) for same in found.values())]


def _beyond_all(book: Casebook) -> Iterator[Finding]:
    """Shares of more than all, as they are stated."""
    told: set[tuple[str, str, str]] = set()
    for s in (*book.said, *book.left):
        metric = book.domain.metrics.get(s.claim.metric)
        both = amounts(metric, s) if metric is not None and metric.most and is_said(s) else None
        key = book.witness_of.get(s.claim.source, s.claim.source), *s.key
        if metric is not None and both is not None and both[0].low > metric.most and key not in told:
            told.add(key)
            whose = name(book, s.chip) if s.chip else "An unnamed subject"
            shown = f"{whose}: {called(book, metric.id)} of {figure(book, s)}"
            why = f"No more than all of it can be used.\nclaimed: {figure(book, s)}   [{place(book, s)}]"
            yield draft(book, _OVER_ALL, "contradiction", "high", shown, why, [s], help=_HELP)


def _plainness(breach: Breach) -> tuple[bool, int]:
    """How plainly a source says all of it itself; the first of several that do so as well is shown."""
    taken = sum(1 for r in breach.readings if r.line or r.statement.fact is not None)
    return bool(breach.same_work), -taken


def _by_witness(book: Casebook) -> Iterator[tuple[str, list[Statement]]]:
    """The statements of each source, and then those of all sources that are one witness together."""
    by_source: dict[str, list[Statement]] = {}
    for s in (*book.said, *book.left):
        by_source.setdefault(s.claim.source, []).append(s)
    groups: dict[str, list[str]] = {}
    for source, statements in by_source.items():
        groups.setdefault(book.witness_of.get(source, source), []).append(source)
        yield book.witness_of.get(source, source), statements
    for witness, sources in groups.items():
        if len(sources) > 1:
            yield witness, [s for source in sources for s in by_source[source]]


@dataclass
class Laws:
    """The laws of the network, held against what is stated."""

    book: Casebook
    judged: set[int] = field(default_factory=set)

    @cached_property
    def by_wanted(self) -> dict[str, list[Law]]:
        """By what they give; those that only hold for two chips of one work are apart, and what is told as a multiple."""
        found: dict[str, list[Law]] = {}
        for law in laws_of(network_of(self.book.domain)):
            found.setdefault(law.wanted.id, []).append(law)
        return found

    @cached_property
    def _of_one(self) -> list[list[Law]]:
        return [laws for laws in self.by_wanted.values() if not self._is_of_two(laws[0])]

    @cached_property
    def _ceilings(self) -> list[Law]:
        """The ways to have from others what nothing has more of than all."""
        network = network_of(self.book.domain)
        bounded = (v for v in network.variables.values() if any(self.book.domain.metrics[m].most for m in v.claims))
        return [law for v in bounded for law in ways(network, v) if len(law.steps) == 1]

    def _is_of_two(self, law: Law) -> bool:
        comparative = any(self.book.domain.metrics[m].unit == "x" for m in law.wanted.claims)
        return law.wanted.one_work or comparative

    # --- Of one chip ---

    def of_one(self, stated: Stated) -> Iterator[Breach]:
        """Among neighbours, in the narrowest stretch that has all of a law; what nobody measures or pays over all of the source as well."""
        self.judged = set()
        told: set[tuple[str, str]] = set()
        for statements, given in stated.neighbours:
            possible = [laws for group in self._of_one if (laws := [w for w in group if _may_hold(w, given)])]
            if possible or any(self._reaches(m) for m in given):
                near = stated.only(statements)
                for laws in possible:
                    for breach in self._held(near, laws):
                        told.add((laws[0].wanted.id, breach.chips[0]))
                        yield breach
                yield from self._over_all(near)
        for laws in self._of_one:
            if laws[0].is_total and laws[0].inputs[-1].tabled:
                yield from (b for b in self._held(stated, laws) if (laws[0].wanted.id, b.chips[0]) not in told)

    def _reaches(self, metric: str) -> bool:
        known = self.book.domain.metrics.get(metric)
        return known is not None and (
            known.most > 0 or any(metric in v.claims for w in self._ceilings for v in w.inputs)
        )

    def _held(self, stated: Stated, laws: Sequence[Law]) -> Iterator[Breach]:
        """Each claimed figure by itself, that another one is right is no excuse for it; those that are decided are judged."""
        wanted = laws[0].wanted
        for chip in stated.chips:
            figures = stated.readings(wanted, chip, of_others=False)
            if not laws[0].is_total and not _is_plain(figures):
                continue  # of which run the rest is, is open
            for s in dict.fromkeys(r.statement for r in figures):
                if stated.nearby and s.claim.value_start in self.judged:
                    continue
                beside = [w for w in laws if not _is_tabled(w)]
                decided, breach = self._judge(
                    stated, laws if stated.like(s) <= _PAIR else [w for w in laws if w not in beside], chip, s
                )
                if decided and stated.nearby:
                    self.judged.add(s.claim.value_start)
                if breach is not None:
                    yield breach

    def _judge(self, stated: Stated, laws: Iterable[Law], chip: str, s: Statement) -> tuple[bool, Breach | None]:
        """Whether anything is decided, and the breach whose sides are closest; none where some reading by some law holds."""
        best: tuple[float, Law, Chosen] | None = None
        for law in laws:
            for chosen in _choices(stated, law, chip, s):
                gap = chosen[law.wanted.id].value.gap(law.value({v: r.value for v, r in chosen.items()}))
                if gap <= 1 + law.tolerance or (law.is_total and _explained(self.book, law, chosen)):
                    return True, None
                if best is None or gap < best[0] * (1 - ALIKE):
                    best = gap, law, chosen
        if best is None:
            return False, None
        gap, law, chosen = best
        if (law.is_total and chosen[law.wanted.id].count == 1) or gap > _NOT_THESE:
            return True, None  # it is of one, and something else is counted
        claimed = chosen[law.wanted.id]
        off = claimed.nominal.gap(law.value({v: r.nominal for v, r in chosen.items()}))
        return True, Breach(law, law.wanted.code, (chip,), (chosen,), claimed, off)

    def _over_all(self, stated: Stated) -> Iterator[Breach]:
        """Shares of more than all: as they are stated, and as they follow."""
        for law in self._ceilings:
            for chip in stated.chips:
                claimed = law.inputs[[bool(v.tabled) for v in law.inputs].index(False)]
                for s in dict.fromkeys(r.statement for r in stated.readings(claimed, chip, of_others=False)):
                    found = [
                        (law.value({v: r.value for v, r in c.items()}).low, c)
                        for c in _choices(stated, law, chip, s, claimed)
                    ]
                    least = min(found, key=lambda pair: pair[0], default=None)
                    if least is not None and least[0] > 1 + _OVER:
                        yield Breach(law, _OVER_ALL, (chip,), (least[1],), None, least[0])

    # --- Of two chips ---

    def of_two(self, stated: Stated) -> Iterator[Breach]:
        """What two chips of one work must have in common, and multiples of what follows for each."""
        for laws in self.by_wanted.values():
            if laws[0].wanted.one_work:
                for law in laws:
                    for a, b in combinations([c for c in stated.chips if self._has_all(stated, law, c)], 2):
                        if not self.book.domain.are_kin(a, b):
                            yield from self._compared(stated, law, [(a, b)], None)
            elif self._is_of_two(laws[0]):
                for law in laws:
                    yield from self._of_multiples(stated, law)

    def _of_multiples(self, stated: Stated, law: Law) -> Iterator[Breach]:
        """A comparison of two lines holds if it holds for any chip of one against any of the other."""
        chips = [c for c in stated.chips if self._has_all(stated, law, c)]
        for s in stated.statements if len(chips) > 1 else ():
            if s.claim.metric in law.wanted.claims and s.claim.baseline:
                pairs = product(stated.under(s.chip), stated.under(s.claim.baseline))
                unlike = [(a, b) for a, b in pairs if not self.book.domain.are_kin(a, b) and a in chips and b in chips]
                yield from self._compared(stated, law, unlike, s)

    def _has_all(self, stated: Stated, law: Law, chip: str) -> bool:
        return all(stated.readings(v, chip) for v in law.inputs)

    def _compared(
        self, stated: Stated, law: Law, pairs: Iterable[tuple[str, str]], s: Statement | None
    ) -> Iterator[Breach]:
        """The breach whose sides are closest, unless some reading of some pair holds."""
        both = (
            amounts(self.book.domain.metrics[s.claim.metric], s) if s is not None else (Interval.of(1), Interval.of(1))
        )
        best: tuple[float, tuple[str, str], tuple[Chosen, Chosen]] | None = None
        for a, b in pairs:
            for x, y in product(_choices(stated, law, a), _choices(stated, law, b)):
                if not all(_fit(self.book, p, q, alike=v == w) for v, p in x.items() for w, q in y.items()):
                    continue
                made = [law.value({v: r.value for v, r in c.items()}) for c in (x, y)]
                gap = both[0].gap(made[0] / made[1])
                if gap <= 1 + law.tolerance:
                    return
                if best is None or gap < best[0] * (1 - ALIKE):
                    best = gap, (a, b), (x, y)
        if best is not None:
            first, second = (law.value({v: r.nominal for v, r in c.items()}) for c in best[2])
            claimed = Reading(law.wanted, s, *both) if s is not None else None
            off, same = both[1].gap(first / second), _same_work(self.book, best[2])
            turned = s is None and first.middle > second.middle  # with that first of which the others give less
            chips, chosen = (best[1][::-1], best[2][::-1]) if turned else (best[1], best[2])
            yield Breach(law, law.wanted.code, chips, chosen, claimed, off, same)


def _may_hold(law: Law, given: frozenset[str]) -> bool:
    """True where figures stand together that are of the kinds of a law; what is only counted is looked for later."""
    shares = "ratio" in given and not any(v.dimension == "ratio" for v in (law.wanted, *law.inputs))
    if shares and not _is_tabled(law):
        return False  # "250 W at a load of 60%"
    kinds = ((v.tabled or v.dimension == "count" or not given.isdisjoint((*v.claims, *v.figures))) for v in law.inputs)
    return not given.isdisjoint((*law.wanted.claims, *law.wanted.figures)) and all(kinds)


def _is_tabled(law: Law) -> bool:
    """True where the facts may give a part of it, by which it is plain what the rest is of."""
    return any(v.tabled for v in law.inputs)


def _choices(
    stated: Stated, law: Law, chip: str, about: Statement | None = None, claimed: Variable | None = None
) -> Iterator[Chosen]:
    """Every choice of one reading for each variable that may stand together; none where there are too many, or it is open which."""
    claimed = claimed or law.wanted
    shown = (*((claimed,) if about is not None and claimed not in law.inputs else ()), *law.inputs)
    counted = law.is_total or None
    options: list[list[Reading]] = []
    total = 1
    for v in shown:
        if counted and v.id == "chips":
            continue
        found = stated.readings(v, chip, of_others=v is not claimed)
        if v is claimed and about is not None:
            same = stated.equals(about)
            found = [r for r in found if r.statement in same]
        elif law.is_total:
            found = [r for r in found if r.count == 1 and stated.is_of_one(r)]
        elif claimed is law.wanted and v.tabled:
            found = [r for r in found if all(r.statement.claim.qualifier(a) in (x, "") for a, x in v.axes)]
        if stated.nearby and not v.tabled and not _is_plain(found):
            return
        options.append(found)
        total *= len(found)
    if 0 < total <= MOST_READINGS:
        for chosen in product(*options):
            if all(_fit(stated.book, x, y) for x, y in combinations(chosen, 2)):
                values = {r.variable.id: r for r in chosen}
                if counted:
                    of = values[law.wanted.id]
                    chips = next(v for v in law.inputs if v.id == "chips")
                    values["chips"] = Reading(chips, of.statement, Interval.of(of.count), Interval.of(of.count))
                yield values


def _is_plain(found: Sequence[Reading]) -> bool:
    """True for one figure, whatever chips it may be of: which of two belongs into a sum is open."""
    first = found[0].statement if found else None
    return all(first is not None and r.statement.low <= first.high and first.low <= r.statement.high for r in found)


def _fit(book: Casebook, a: Reading, b: Reading, *, alike: bool | None = None) -> bool:
    """True when two figures may stand in one equation: of one subject, nothing contrary; of two, nothing that only one states.

    `alike` is None for those of one subject, and else tells whether they are values of one variable.
    """
    x, y = a.statement, b.statement
    if x is y:
        return False
    for axis in AXES:
        p, q = x.claim.qualifier(axis), y.claim.qualifier(axis)
        # of two subjects: both must state the same, or neither anything
        strict = alike and axis in RUN and x.fact is None and y.fact is None
        if (strict and p != q) or not go_together(axis, p, q):
            return False
    if alike and x.fact is None and y.fact is None and x.claim.source != y.claim.source:
        return False
    variants = {v for s in (x, y) if (v := book.domain.variant_of(s.claim.subject))}
    return alike is not None or len(variants) <= 1


def _explained(book: Casebook, law: Law, chosen: Chosen) -> bool:
    """True when a total and the count times one are apart by a factor that an explanation rule has: GB for GiB, both directions."""
    whole = chosen[law.wanted.id]
    one = next(r for v, r in chosen.items() if v not in (law.wanted.id, "chips"))
    metric = book.domain.metrics[whole.statement.claim.metric]
    a, b = whole.statement.claim, one.statement.claim
    of_one = whole.value / Interval.of(whole.count)
    for rule in book.domain.explanations.values():
        possible = metric.dimension in rule.dimensions or (not rule.dimensions and rule.axis in metric.qualifiers)
        settled = rule.axis and a.qualifier(rule.axis) == b.qualifier(rule.axis) != ""
        # by how many chips a figure is divided is what is judged here
        if possible and not settled and rule.axis != "aggregation":
            room = min(law.tolerance, _ROOM)
            if any(are_apart_by(of_one, one.value, factor, room) for factor in rule.factors):
                return True
    return False


def _same_work(book: Casebook, sides: Iterable[Chosen]) -> str:
    """The words with which a sentence of the figures says that they are of one workload."""
    quotes = (book.find_evidence(r.statement).quote for c in sides for r in c.values() if r.statement.fact is None)
    return next((said for quote in quotes if (said := book.domain.find_phrase("same work", quote))), "")


def _draft(book: Casebook, breach: Breach, same: Sequence[Breach]) -> Finding:
    sure = breach.code == _OVER_ALL or breach.same_work or breach.off > FAR_OFF
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
        help=_HELP,
    )
