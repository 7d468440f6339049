"""The figures of a sentence that are all the figures of an equation, and do not fit it (CW409).

    "We pay $3.20 per GPU-hour, so 512 GPUs for 48 hours come to $87,643."    ->  512 x 48 x 3.20 = 78,643

A sentence, or up to three together, is held against the equations that have exactly its figures; one that fits excuses it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, permutations, product

from chipwise.audit.book import Book
from chipwise.audit.sentences import Figure, Sentence, sentences_of, statement_at
from chipwise.audit.writer import draft, figure, place
from chipwise.domain.catalogue import SOLD
from chipwise.domain.formulas import ALL
from chipwise.figures.network import Binding, Derivation, Network, network_of
from chipwise.figures.solve import conventions, derivations, expansions, is_settled
from chipwise.numbers.intervals import Interval
from chipwise.types import Finding

_MOST_FIGURES, _FEWEST = 5, 3
_NOT_THIS, _NOT_THIS_TOTAL = 12.0, 2.0  # times: farther off is of something else
_CLOSE, _MOST_CHIPS = 0.01, 10
_ROOM, _PLAIN = 0.04, 0.1  # by so much of itself a result may be off, and by what an equation of rough laws says
_TOTAL = "CW403"
_FAR = 1.5  # times: no matter of rounding
Kinds = tuple[str, ...]  # sorted
_RELATIONS: dict[int, tuple[Network, Mapping[Kinds, set[frozenset[str]]]]] = {}


@dataclass(frozen=True, slots=True)
class _Fault:
    derivation: Derivation
    figures: Sequence[Figure]  # what is claimed stands last
    gap: float

    @property
    def code(self) -> str:
        """That of what follows, or of what it follows through."""
        variables = self.derivation.network.variables
        return min({variables[v].code for v in self.derivation.values} - {"", _TOTAL}, default=_TOTAL)

    @property
    def rank(self) -> tuple[float, int, bool]:
        """The kindest reading first, of equals the shortest, and of these one that has a code of its own."""
        return round(self.gap, 3), len(self.derivation.steps), self.code == _TOTAL

    @property
    def lines(self) -> list[str]:
        """Its steps, with the figures as they are written."""
        d = self.derivation
        nominal = {v: replace(b, value=Interval.of(b.value.middle)) for v, b in d.bindings.items()}
        return replace(d, bindings=nominal).lines()


def check(book: Book) -> Iterator[Finding]:
    """One finding for each sentence or run of them, the shortest first."""
    for source in book.audited:
        judged: set[int] = set()
        for run in sentences_of(book, source):
            starts = {s.start for s in run}
            chips = {f.said.chip for s in run for f in s.figures if f.said is not None} - {""}
            few = sum(len(s.figures) for s in run) + len(chips) < _FEWEST  # the peak of a chip may be one more
            if few or not judged.isdisjoint(starts) or len(chips) > 1 or not all(s.figures and s.is_plain for s in run):
                continue
            network, relations = _relations(book)
            shared = any(book.domain.find_phrase("of each", s.text) for s in run)
            own: list[Sequence[Figure]] = [*product(*(f for s in run for f in s.readings))]
            tabled: list[Sequence[Figure]] = [[f, *o] for chip in chips for o in own for f in _facts(book, chip, o)]
            for several in (*([o] for o in own), tabled):
                judged_ = [_judge(network, relations, f) for f in several if _are_told_apart(f, shared=shared)]
                faults = [fault for holds, fault in judged_ if fault is not None]
                holds = any(holds for holds, _ in judged_)
                if holds or faults:
                    judged |= starts
                    yield from [] if holds else [_draft(book, run, min(faults, key=lambda f: f.rank))]
                    break


def _facts(book: Book, chip: str, figures: Sequence[Figure]) -> Iterator[Figure]:
    """The peaks of a chip, of the formats that the figures state, for a share that is of one: "an MFU of 40% on the H100"."""
    if {f.kind for f in figures} != {"compute_rate", "ratio"}:
        return
    formats = {x for f in figures if f.said is not None and (x := f.said.claim.qualifier("dtype"))}
    subjects = {f.said.claim.subject for f in figures if f.said is not None}
    known_ = book.facts.get((chip, "peak_compute"), ())
    known_ = [f for f in known_ if f.claim.subject in subjects] or known_
    if any(f.value.meets(Interval(s.low, s.high)) for f in figures for s in known_):
        return  # the peak stands there
    for s in known_:
        q, known = s.claim.quantity, s.claim.qualifier("dtype")
        if q is not None and s.asserted and s.count == 1 and (not formats or known in formats):
            value = Interval(s.low, s.high)
            yield Figure(figure(book, s), (0, 0), q.dimension, value, value, of_one=True, said=s)


def _judge(
    network: Network, relations: Mapping[Kinds, Collection[frozenset[str]]], figures: Sequence[Figure]
) -> tuple[bool, _Fault | None]:
    """Whether the figures fit one relation in some roles, and else the fault that is least."""
    *given, claimed = figures
    counts = [f.value.middle for f in figures if f.kind == "chips"]
    best: _Fault | None = None
    kinds = tuple(sorted(f.kind for f in figures))
    for roles in (roles for relation in relations.get(kinds, ()) for roles in permutations(relation)):
        variables = [network.variables[v] for v in roles]
        if any(f.kind not in v.kinds or (f.of_one and v.of == ALL) for f, v in zip(figures, variables, strict=True)):
            continue
        bound = [Binding.of(v, f.value, f.text, figure=v) for f, v in zip(given, roles, strict=False)]
        for derivation in derivations(network, roles[-1], bound, lambda v: conventions(network, v))[:1]:
            gap = derivation.value.gap(claimed.rounded)
            rooms = [s.equation.tolerance for s in derivation.steps]
            if gap <= 1 + max([_ROOM, *(r for r in rooms if r > _PLAIN)]) or (
                "ratio" not in kinds and _is_of_several(derivation.value.middle, claimed.value.middle, counts)
            ):
                return True, None
            fault = _Fault(derivation, figures, gap)
            alike = len({*kinds}) < len(kinds) and "ratio" not in kinds
            if gap < (_NOT_THIS_TOTAL if alike else _NOT_THIS) and (best is None or fault.rank < best.rank):
                best = fault
    return False, best


def _are_told_apart(figures: Sequence[Figure], *, shared: bool) -> bool:
    """False where it is open which of two alike is a total: neither a unit nor claims say so, and no share that one is a part.

    `shared` is True where the words say "each".
    """
    kinds = [f.kind for f in figures]
    twice = [f for f in figures if kinds.count(f.kind) > 1]
    said = [f.said for f in twice if f.said is not None]
    axes = [dict(s.claim.qualifiers) for s in said]
    if any(a[x] != b[x] for a, b in combinations(axes, 2) for x in SOLD if x in a and x in b):
        return False
    counted = {s.count for s in said} - {1} == {round(f.value.middle) for f in figures if f.kind == "chips"} != set()
    one_thing = len(said) == len(twice) and len({(*s.key, s.claim.start) for s in said}) == 1
    return not twice or "ratio" in kinds or any(f.of_one for f in twice) or (shared and counted and one_thing)


def _is_of_several(made: float, claimed: float, counts: Sequence[float]) -> bool:
    """True where it would fit so many times over, and the number of chips is not reckoned with: "Dual H100s ...", "a node of 8"."""
    times = max(made / claimed, claimed / made)
    whole = round(times)
    return 1 < whole < _MOST_CHIPS and abs(times / whole - 1) < _CLOSE and (not counts or whole in counts)


def _relations(book: Book) -> tuple[Network, Mapping[Kinds, set[frozenset[str]]]]:
    """By the kinds of figures, the sets of variables of which one follows from the others."""
    if (key := id(book.domain)) not in _RELATIONS:
        network = network_of(book.domain)
        found: dict[Kinds, set[frozenset[str]]] = {}
        for v in (v for v in network.variables.values() if v.kinds):
            for _, leaves in expansions(network, v, lambda leaf: bool(leaf.kinds), lambda _: False):
                settled = [x for x in leaves if is_settled(network, x)]
                for own in ({v.id, *leaves} - {*settled}, {v.id, *(x for x in leaves if network.variables[x].kinds)}):
                    if "chips" in own or not any(network.variables[o].total in own for o in own):  # of how many?
                        for kinds in _kinds_of(network, sorted(own)):
                            found.setdefault(kinds, set()).add(frozenset(own))
        _RELATIONS[key] = network, found
    return _RELATIONS[key]


def _kinds_of(network: Network, variables: Sequence[str]) -> Iterator[Kinds]:
    if _FEWEST <= len(variables) <= _MOST_FIGURES:
        ways: list[Kinds] = [()]
        for v in variables:
            ways = [(*w, kind) for w in ways for kind in network.variables[v].kinds]
        yield from {tuple(sorted(w)) for w in ways}


def _draft(book: Book, run: Sequence[Sentence], fault: _Fault) -> Finding:
    passage, (*given, claimed) = run[0].passage, fault.figures
    lines = {f.span: (s.start, s.end) for s in run for f in s.figures}
    all_ = (claimed, *given)
    said = [statement_at(book, passage, lines[f.span], *f.span) if f.span in lines else f.said for f in all_]
    quoted = [s for s in said if s is not None]
    where = ", ".join(dict.fromkeys(place(book, s) for s in quoted[1:]))
    steps = fault.lines
    steps[-1] += f"   [{where}]"
    return draft(
        book, fault.code, "contradiction", "high" if fault.gap > _FAR else "medium",
        f"{claimed.text} does not follow from {' and '.join(f.text for f in given)}",
        "\n".join((*steps, f"claimed: {claimed.text}   [{place(book, quoted[0])}]")),
        quoted,
        help="Check which of these figures is wrong, or measures something else.",
    )  # fmt: skip
