"""What is said of one chip and metric, as distinct readings, and what each pair of them is to one another.

"80 GB" in twenty sources and "94 GB" in two  ->  two readings, one comparison

So the work grows with how many different things are said and not with how often.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import combinations

from chipwise.audit.casebook import Casebook, Statement, group
from chipwise.audit.comparing import CALLED, is_of_a_die, relate
from chipwise.audit.differing import differing_axes
from chipwise.audit.verdicts import Relation, Verdict
from chipwise.domain.model import Domain
from chipwise.values import dataclass

Places = Mapping[tuple[object, ...], Sequence[Statement]]
"""What is said of a chip and metric, by source, and by source and sentence."""
MOST_READINGS = 150  # of one chip and metric: beyond that a range says more than pairs
_PRIMARY = ("documentation", "datasheet", "paper")  # kinds of source in which a maker speaks
# rules that make another figure of the same thing: a reading that one of them brings to a fact is right
_RECONCILE = ("rounded", "count", "binary-prefix", "binary-label", CALLED)
_LABELS = ("binary-prefix", "binary-label")  # rules that make one figure of two units


@dataclass(frozen=True, slots=True)
class Reading:
    """One thing that is said of a chip and metric, with everyone who says it, best witness first."""

    statements: tuple[Statement, ...]

    @property
    def best(self) -> Statement:
        """The statement to quote."""
        return self.statements[0]

    @property
    def fact(self) -> Statement | None:
        """The table's own, before which a maker's words may stand from which it was read off; None where it has it not."""
        return next((s for s in self.statements if s.fact is not None), None)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two readings and what they are to each other."""

    a: Reading
    b: Reading
    relation: Relation


Place = tuple[str, int]  # a source, and where in it a statement begins


def compare_all(book: Casebook, source: str = "", *, touching: AbstractSet[Place] | None = None) -> list[Comparison]:
    """Every pair of different readings of one chip and metric, with its verdict; with `source`, only those that it has a part in.

    With `touching`, only those in which one of these statements has a part.

    Facts are readings too, but not compared with each other: their ranks say which holds. What does not speak for its source, a
    comment or a listing, is compared with facts alone.
    """

    def concerns(a: Reading, b: Reading) -> bool:
        of_source = not source or any(s.claim.source == source for r in (a, b) for s in r.statements if s.fact is None)
        if touching is not None and not any(
            (s.claim.source, s.claim.start) in touching for r in (a, b) for s in r.statements
        ):
            return False
        facts = sum(r.best.fact is not None for r in (a, b))
        spoken = a.best.role.speaks_for_the_source and b.best.role.speaks_for_the_source
        return of_source and facts < 2 and (spoken or facts == 1)  # noqa: PLR2004

    compared: list[Comparison] = []
    for key, statements in group(s for s in book.statements if s.stands).items():
        wrong = [f for f in book.facts.get(key, []) if f.fact is not None and f.fact.rank == "deprecated"]
        # what repeats a figure that the table knows to be wrong is a finding of its own, once
        kept = [s for s in statements if s.fact is not None or not any(_repeated(book, f, s) for f in wrong)]
        readings = [_quoting(source, r) for r in read_group(book, kept)]
        pairs = (pair for pair in combinations(readings[:MOST_READINGS], 2) if concerns(*pair))
        compared += [Comparison(a, b, relate(book.domain, a.best, b.best)) for a, b in pairs]
    return compared


def _quoting(source: str, reading: Reading) -> Reading:
    """A reading with the words of `source` to be quoted, where it says the same and the table does not."""
    if not source or reading.best.fact is not None:
        return reading
    return Reading(tuple(sorted(reading.statements, key=lambda s: s.claim.source != source)))


def _repeated(book: Casebook, wrong: Statement, s: Statement) -> bool:
    return relate(book.domain, wrong, s).verdict is Verdict.SAME


def read_group(book: Casebook, statements: Sequence[Statement]) -> list[Reading]:
    """Distinct readings, the best attested first."""
    said: dict[object, list[Statement]] = {}
    for s in statements:
        c, q = s.claim, s.claim.quantity
        value = (c.object, c.polarity) if q is None else (q.dimension, f"{q.low:.9g}", f"{q.high:.9g}", q.form)
        said.setdefault((value, c.subject, c.baseline, c.qualifiers, s.count), []).append(s)
    readings = [Reading(tuple(sorted(alike, key=lambda s: _trust(book, s)))) for alike in said.values()]
    return sorted(readings, key=lambda r: (_trust(book, r.best), -book.witnesses(r.statements)))


def _trust(book: Casebook, s: Statement) -> tuple[int, int, str]:
    """Lower is better: preferred facts, then vendors' own words, then what is newer."""
    info = book.sources.get(s.claim.source)
    ranks = {"preferred": 0, "normal": 2}
    rank = ranks[s.fact.rank] if s.fact is not None else 1 if info is not None and info.kind in _PRIMARY else 3
    return rank, 0 if s.role.speaks_for_the_source else 1, "" if info is None else _newest_first(info.published)


def _newest_first(published: str) -> str:
    """An ISO date that sorts the other way round: each digit as what it lacks to 9; none is oldest."""
    return "".join(chr(ord("9") - ord(c) + ord("0")) if c.isdigit() else c for c in published) or "~"


def reconciled(domain: Domain, compared: Sequence[Comparison]) -> set[int]:
    """The readings that agree with some fact: they are right of something, whatever else differs from them.

    A fact on something else of the family, or a bound, says nothing for a variant of which the table has another figure.
    """
    found: set[int] = set()
    by_others: set[int] = set()
    refuted: set[int] = set()
    for c in compared:
        for reading, other in ((c.a, c.b), (c.b, c.a)):
            fact = other.fact
            relation = c.relation if fact in (None, other.best) else relate(domain, reading.best, fact)
            agrees = relation.verdict in (Verdict.SAME, Verdict.COMPATIBLE) or (
                relation.verdict is Verdict.EXPLAINED and relation.rule in _RECONCILE
            )
            subject, of = reading.best.claim.subject, other.best.claim.subject
            alike = other.best.count in (None, 1, reading.best.count)  # what a machine has is no chip's own
            is_own = alike and (subject == of or subject in domain.ancestors(of)) and not _bounds(other.best)
            of_fact = reading.best.fact is None and reading.fact is not None
            if of_fact or (agrees and fact is not None and is_own):
                found.add(id(reading))
            elif agrees and fact is not None:
                by_others.add(id(reading))
            elif _is_preferred(other.best) and subject == of and c.relation.verdict is Verdict.CONTRADICTION:
                refuted.add(id(reading))
    return found | (by_others - refuted)


def _is_preferred(s: Statement) -> bool:
    return s.fact is not None and s.fact.rank == "preferred"


def _bounds(s: Statement) -> bool:
    return s.claim.quantity is not None and s.claim.quantity.bound in ("at most", "at least")


def statements_by_place(book: Casebook) -> Places:
    """What is said of a chip and metric by sentence, and for categories and facts by source."""
    found: dict[tuple[object, ...], list[Statement]] = {}
    for s in book.statements:
        found.setdefault((*s.key, s.claim.source, s.claim.start), []).append(s)
        found.setdefault((*s.key, s.claim.source), []).append(s)
    return found


def are_told_apart(domain: Domain, places: Places, c: Comparison) -> bool:
    """True where all who say the one say the other too: they know of both, and do not take them for one thing."""
    return _know_of(domain, places, c.a, c.b) or _know_of(domain, places, c.b, c.a)


def _know_of(domain: Domain, places: Places, of: Reading, other: Reading) -> bool:
    """True where all who say the one say the other.

    A figure counts as known when it stands in the same sentence, a category or the
    figure of a fact when it stands in the same source. Who gives 989 TFLOPS dense and
    1,979 with sparsity knows of no 1,979 dense.
    """
    wide = of.best.claim.quantity is None or other.best.fact is not None

    def knows(s: Statement) -> bool:
        where = (*s.key, s.claim.source) if wide else (*s.key, s.claim.source, s.claim.start)
        return any(
            near is not s
            and near.claim.object == other.best.claim.object
            and is_of_a_die(near) == is_of_a_die(other.best)
            and not differing_axes(domain, near, other.best)
            and (_overlap(near, other.best) or relate(domain, near, other.best).rule in _LABELS)
            for near in places.get(where, ())
        )

    return all(knows(s) for s in of.statements)


def _overlap(a: Statement, b: Statement) -> bool:
    """True where one figure may be the other; 1.6 and 1.7 only touch, where each was rounded, and of a bound its end is the figure."""
    if _bounds(a) != _bounds(b):
        return a.low <= b.middle <= a.high if _bounds(b) else b.low <= a.middle <= b.high
    if a.low == a.high or b.low == b.high:
        return a.low <= b.high and b.low <= a.high
    return a.low < b.high and b.low < a.high
