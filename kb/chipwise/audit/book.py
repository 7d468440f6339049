"""All that an audit looks at: what sources say and the table has, indexed by key, by source and by place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cache, cached_property
from itertools import combinations, groupby

from chipwise import patterns as re
from chipwise.audit.evidence import claim_evidence, fact_evidence
from chipwise.claims.model import Claim, Fact
from chipwise.domain.model import Domain
from chipwise.figures.judge import Assessment, Surroundings, judge, of_slower_units, peak_above
from chipwise.figures.relate import Relation, relate, variants_differ
from chipwise.figures.statement import RECORDS, Statement, StatementKey, group, place
from chipwise.reading.files import is_structured
from chipwise.splitting import whole_tables
from chipwise.text import Span, blanked
from chipwise.types import Evidence, Passage, Role, SourceInfo
from chipwise.values import dataclass

MOST_READINGS = 150  # of one key: beyond that a range says more than pairs
_PRIMARY = ("documentation", "datasheet", "paper")  # kinds of source in which a maker speaks
_MEMORY = "memory_capacity"
_ENGINE = "engine"  # the axis that tells matrix units from vector units
_NONE = "no "  # before what a fact says that its subject has not
_LISTS = re.compile(r"(?:no )?(?:\s|,|and)*")


@dataclass(frozen=True, slots=True)
class Reading:
    """One thing that documents say of a key, with everyone who says it, best witness first."""

    statements: tuple[Statement, ...]

    @property
    def best(self) -> Statement:
        """The statement to quote."""
        return self.statements[0]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two readings and what they are to each other."""

    a: Reading
    b: Reading
    relation: Relation


def named(domain: Domain, text: str) -> list[Span]:
    """Where a text names something that the domain knows."""
    finders = domain.find_entities, domain.find_terms, domain.find_metrics, domain.find_qualifiers, domain.find_settings
    return [(m.start, m.end) for find in finders for m in find(text)]


def _no_passages(_: str) -> Sequence[Passage]:
    return ()


@dataclass(frozen=True)
class Book:
    """Everything to be audited. `find_evidence` makes a statement into a quote with its place."""

    domain: Domain
    statements: Sequence[Statement]
    sources: Mapping[str, SourceInfo]
    find_evidence: Callable[[Statement], Evidence]
    find_witnesses: Callable[[], Mapping[str, str]] = dict
    passages_of: Callable[[str], Sequence[Passage]] = _no_passages  # of a source, in order, for what is no claim
    left: Sequence[Statement] = ()  # figures that make no claim: they go into sums and are compared with nothing
    checked: str = ""  # the one source whose findings are wanted, "" for those of all
    results: frozenset[str] = frozenset()  # the files that it is checked against, which are then the only other sources
    _judged: dict[Statement, Assessment] = field(default_factory=dict)

    @property
    def audited(self) -> Sequence[str]:
        """The sources whose findings are wanted."""
        return (self.checked,) if self.checked else tuple(self.sources)

    @cached_property
    def witness_of(self) -> Mapping[str, str]:
        """Of sources that repeat one another the first, by source: worked out when somebody asks for it."""
        return self.find_witnesses()

    @cached_property
    def said(self) -> list[Statement]:
        """What the documents say, without the facts table."""
        return [s for s in self.statements if s.fact is None]

    @cached_property
    def claimed(self) -> dict[tuple[str, int], Statement]:
        """The figures that the documents state, by source and place; the first where one is stated of several."""
        stated = (s for s in reversed((*self.said, *self.left)) if s.claim.quantity is not None)
        return {(s.claim.source, s.claim.value_start): s for s in stated}

    @cached_property
    def by_source(self) -> dict[str, list[Statement]]:
        """What each document says, and its figures that make no claim."""
        found: dict[str, list[Statement]] = {}
        for s in (*self.said, *self.left):
            found.setdefault(s.claim.source, []).append(s)
        return found

    @cached_property
    def facts(self) -> dict[StatementKey, list[Statement]]:
        """The curated table, by key."""
        return group(s for s in self.statements if s.fact is not None)

    @cached_property
    def by_key(self) -> dict[StatementKey, list[Statement]]:
        """All that is said and known, by key."""
        return group(self.statements)

    @cached_property
    def by_sentence(self) -> dict[tuple[str, int], list[Statement]]:
        """What each sentence or row says, by source and start."""
        found: dict[tuple[str, int], list[Statement]] = {}
        for s in self.statements:
            found.setdefault((s.claim.source, s.claim.start), []).append(s)
        return found

    def witnesses(self, statements: Iterable[Statement]) -> int:
        """How many independent sources stand behind statements."""
        return len({self.witness_of.get(s.claim.source, s.claim.source) for s in statements})

    @cached_property
    def readings(self) -> dict[StatementKey, list[Reading]]:
        """What the documents say of each key, the best attested first; where one is checked, its words are quoted first."""
        found: dict[StatementKey, dict[object, list[Statement]]] = {}
        for s in (s for s in self.said if s.stands and s.chip):
            c, q = s.claim, s.claim.quantity
            value = (c.object, c.polarity) if q is None else (q.dimension, f"{q.low:.9g}", f"{q.high:.9g}", q.form)
            found.setdefault(s.key, {}).setdefault((value, c.subject, c.baseline, c.qualifiers, s.count), []).append(s)
        made = ((key, [Reading(tuple(sorted(a, key=self._trust))) for a in by.values()]) for key, by in found.items())
        return {key: sorted(readings, key=lambda r: self._trust(r.best)) for key, readings in made}

    def _trust(self, s: Statement) -> tuple[bool, bool, bool, str]:
        """Lower is better: the document that is checked, makers' own words, a source that stands behind it, then what is newer."""
        info = self.sources.get(s.claim.source)
        primary, published = (info.kind in _PRIMARY, info.published) if info is not None else (False, "")
        newest_first = "".join(chr(ord("9") + ord("0") - ord(c)) if c in "0123456789" else c for c in published) or "~"
        return s.claim.source != self.checked, not primary, not s.role.speaks_for_the_source, newest_first

    def judge(self, s: Statement) -> Assessment:
        """How a statement stands beside the facts on its key."""
        if s not in self._judged:
            self._judged[s] = judge(self.domain, s, self.facts_for(s), self.surroundings)
        return self._judged[s]

    def facts_for(self, s: Statement) -> Sequence[Statement]:
        """The facts on a statement's key, without those of variants with another memory than its row or record states, and of units other than it is of."""
        facts, memory = self.facts.get(s.key, ()), self._memories.get((s.claim.source, s.claim.value_start))
        if not s.claim.qualifier(_ENGINE) and _rate(s) in self._of_matrix_units:
            facts = [f for f in facts if f.claim.qualifier(_ENGINE) == "vector"]
        if memory is None or s.claim.subject != s.chip or s.claim.metric == _MEMORY:
            return facts
        known = [f for f in self.facts.get(memory.key, ()) if f.asserted and f.count in (None, 1)]
        with_it = {f.claim.subject for f in known if f.low <= memory.high and memory.low <= f.high}
        others = {f.claim.subject for f in known} - with_it - {s.chip}
        return [f for f in facts if f.claim.subject not in others] if with_it else facts

    @cached_property
    def _of_matrix_units(self) -> frozenset[tuple[str, ...]]:
        """The rates that a table gives for matrix units by name: "FP16" beside "FP16 Tensor Core" is what the others reach."""
        return frozenset(_rate(s) for s in self.said if s.role in RECORDS and s.claim.qualifier(_ENGINE) == "matrix")

    @cached_property
    def _memories(self) -> dict[tuple[str, int], Statement]:
        """By place, the one memory capacity that the same row or record states of the same subject."""
        found: dict[tuple[str, int], Statement] = {}
        recorded = (s for s in self.said if s.role in RECORDS)
        cells = sorted(recorded, key=lambda s: (s.claim.source, s.claim.value_start))
        for _, run in groupby(
            cells, key=lambda s: (s.claim.source, s.claim.subject, s.role is Role.TABLE and s.claim.start)
        ):
            of = list(run)
            sizes = [s for s in of if s.claim.metric == _MEMORY and s.claim.quantity is not None and s.asserted]
            if len(sizes) == 1:
                found |= {(s.claim.source, s.claim.value_start): sizes[0] for s in of}
        return found

    @cached_property
    def pairs(self) -> list[Pair]:
        """Every pair of readings of one key that sources stand behind; where one document is checked, those that it has a part in."""
        found: list[Pair] = []
        for key, readings in self.readings.items():
            spoken = [r for r in readings if r.best.role.speaks_for_the_source][:MOST_READINGS]
            facts = self.facts.get(key, ())
            for a, b in combinations(spoken, 2):
                if not self.checked or any(s.claim.source == self.checked for r in (a, b) for s in r.statements):
                    relation = relate(self.domain, a.best, b.best)
                    bests = (a.best, b.best) if relation.contradicts else ()
                    if any(of_slower_units(s, facts) or peak_above(self.domain, s, facts) for s in bests):
                        continue  # one may be what is achieved, or what vector units reach
                    found.append(Pair(a, b, relation))
        return found

    @cached_property
    def surroundings(self) -> Surroundings:
        """The words around statements."""
        return Surroundings(cache(self._section), self._whole, self._kinds)

    def _kinds(self, s: Statement, axis: str) -> Sequence[str]:
        row = self.domain.axes.get(axis)
        known = self.facts.get((s.chip, axis), ()) if row is not None and row.terms else ()
        own = (f for f in known if f.asserted and not variants_differ(self.domain, f.claim.subject, s.claim.subject))
        return [f.claim.object for f in own]

    def _whole(self, s: Statement) -> str:
        """All of a file of data or code, whose comments are about what stands under them."""
        passages = self.passages_of(s.claim.source)
        return "\n".join(p.text for p in passages) if is_structured(self.sources[s.claim.source].origin) else ""

    def _section(self, s: Statement) -> str:
        """The title of the source, and all under the heading of the figure; of data, and of a table whose rows are of one thing each, its own row."""
        passages = self.passages_of(s.claim.source)
        own = next((p for p in passages if p.ordinal == s.claim.passage), None)
        title = self.sources[s.claim.source].title if s.claim.source in self.sources else ""
        if own is None:
            return title
        under = [p.text for p in passages if p.heading == own.heading]
        row = own.text[s.claim.start - own.start : s.claim.end - own.start]
        structured = is_structured(self.sources[s.claim.source].origin)
        named = own.role is Role.TABLE and any(s.claim.subject in m.ids for m in self.domain.find_entities(row))
        if structured or named:
            under = [row, *(p.text.partition("\n")[0] for p in passages if p.ordinal == s.table)]
        return "\n".join((title, *own.heading, *under))


def _rate(s: Statement) -> tuple[str, ...]:
    """What two rates of one chip share of which one is of matrix units and one of vector units."""
    return s.claim.source, str(s.table), s.claim.subject, s.claim.metric, s.claim.qualifier("dtype")


def make_book(
    domain: Domain,
    statements: Sequence[Statement],
    facts: Iterable[Fact],
    sources: Mapping[str, SourceInfo],
    find_passage: Callable[[tuple[str, int]], Passage],
) -> Book:
    """A book of statements and facts, whose passages are found by source and ordinal."""
    curated = [place(domain, claim, Role.BODY, fact) for fact in facts for claim in _each(domain, fact)]

    @cache
    def evidence(s: Statement) -> Evidence:
        if s.fact is not None:
            return fact_evidence(s.fact)
        return claim_evidence(s.claim, sources[s.claim.source], find_passage((s.claim.source, s.claim.passage)))

    return Book(domain, [*statements, *curated], sources, evidence)


def _each(domain: Domain, fact: Fact) -> Iterator[Claim]:
    """The claim of a fact; of one that lists what its subject has, or has not, one for each: "BF16 and FP8", "no FP4".

    What says more than that ("only TensorFlow", "2D torus") stays whole.
    """
    written = fact.claim.object
    listed = domain.find_terms(written) if written and written not in domain.terms else ()
    if not listed or not _LISTS.fullmatch(blanked(written, ((m.start, m.end) for m in listed))):
        yield fact.claim
        return
    for m in listed:
        yield replace(fact.claim, object=m.ids[0], polarity=not written.startswith(_NONE))


def placed(domain: Domain, claims: Iterable[Claim], passages: Sequence[Passage]) -> list[Statement]:
    """Claims of one source as statements, with the role of their passage and the table that it is a part of."""
    tables = whole_tables((p.ordinal, p.start, p.end) for p in passages if p.role is Role.TABLE)
    source = passages[0].source if passages else ""
    roles = {(source, p.ordinal): p.role for p in passages}
    return placed_by(domain, claims, roles, {(source, n): table for n, table in tables.items()})


def placed_by(
    domain: Domain,
    claims: Iterable[Claim],
    roles: Mapping[tuple[str, int], Role],
    tables: Mapping[tuple[str, int], int],
) -> list[Statement]:
    """Stored claims as statements; roles and tables go by source and ordinal of the passage."""
    placed_at = ((c, (c.source, c.passage)) for c in claims)
    return [place(domain, c, roles.get(at, Role.BODY), table=tables.get(at, 0)) for c, at in placed_at]
