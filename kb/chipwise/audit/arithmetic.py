"""Figures that cannot hold together (CW4xx): the identities of the domain, solved over what one source gives.

    58% and 52% MFU, 3,450 and 3,800 tokens/s, peaks 459 and 989 TFLOPS
        ->  tokens/s should be as 266 / 514 = 0.52; claimed 3,450 / 3,800 = 0.91

A breach is reported only where every reading of the figures breaches, by more than
their precision and the identity's tolerance. Peaks and counts come from the facts
table where the source is silent, and the explanation says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, product

from chipwise import patterns as re
from chipwise.audit.amounts import FAR_OFF
from chipwise.audit.calculations import find_wrong_calculations
from chipwise.audit.casebook import Casebook, Statement
from chipwise.audit.drafting import draft
from chipwise.audit.explaining import Breach, Subjects, explain, title
from chipwise.audit.fitting import explained, fit
from chipwise.audit.inputs import Input, Shelf, is_total, told_apart
from chipwise.audit.lines import read_lines
from chipwise.audit.proportions import find_disproportions
from chipwise.domain.formulas import Identity, IdentityTerm
from chipwise.numbers.intervals import Interval, evaluate, names
from chipwise.types import Finding

MOST_READINGS = 4096  # more ways to read a source's figures than this, and they are not checked
ALIKE = 0.02  # readings as close to holding as that: the first is shown, with the source's own figures
_PAIR = 2
_NOT_THESE = 20.0  # times: what is that far off, among neighbours, is of something else
_OVER_ALL = "CW404"
_SAME_WORK = re.compile(
    r"\b(?:identical|(?:the |one and the )same|equal) (?:\w+ ){0,2}(?:workloads?|models?|tasks?|jobs?|benchmarks?)\b",
    re.I,
)


def find_breaches(book: Casebook) -> list[Finding]:
    """CW401 to CW406: one finding for each identity, its subjects and the witness, then those of neighbouring sentences."""
    found: dict[tuple[str, tuple[str, ...], str], list[Breach]] = {}
    for witness, statements in _by_witness(book):
        shelf = Shelf(book, statements)
        apart = told_apart(book.domain, statements)
        variants = Shelf(book, apart) if apart else None
        together = len({s.claim.source for s in statements}) > 1
        for identity in book.domain.identities.values():
            of_variants = _of_several(variants, identity) if variants is not None else ()
            for breach in [*of_variants] or _breaches(shelf, identity):
                same = found.setdefault((identity.id, tuple(sorted(breach.subjects.values())), witness), [])
                if not (same and together):  # what one of them shows by itself needs no other
                    same.append(breach)
    return [*(_draft(book, max(same, key=_plainness), same) for same in found.values()), *_of_passages(book)]


def _of_passages(book: Casebook) -> Iterator[Finding]:
    """What figures of neighbouring sentences rule out; sources that are one witness say it once."""
    told: set[tuple[str, str]] = set()
    for lines in read_lines(book):
        source = lines[0].passage.source
        for finding in (*find_disproportions(book, lines), *find_wrong_calculations(book, lines)):
            key = book.witness_of.get(source, source), finding.title
            if key not in told:
                told.add(key)
                yield finding


def _plainness(breach: Breach) -> tuple[bool, int]:
    """How plainly a source says all of it itself; the first of several that do so as well is shown."""
    taken = sum(1 for i in breach.inputs.values() if i.line or i.statement.fact is not None)
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


def _breaches(shelf: Shelf, identity: Identity) -> Iterator[Breach]:
    """Of one subject, among neighbours, and over all of the source if nothing is measured: runs differ. Of two, over all."""
    if _tags(identity) != {"a"}:
        yield from _of_several(shelf, identity)
        return
    told: set[str] = set()
    for breach in _among_neighbours(shelf, identity):
        told.add(breach.subjects["a"])
        yield breach
    measured = any(shelf.book.domain.metrics[t.metric].nature == "measured" for t in identity.terms)
    if not (measured or identity.beside):
        yield from (b for b in _of_one(shelf, identity) if b is not None and b.subjects["a"] not in told)


def _among_neighbours(shelf: Shelf, identity: Identity) -> Iterator[Breach]:
    """What the nearest figures of each break; a figure is judged in the narrowest stretch that has all of the equation."""
    judged: set[int] = set()
    for statements, given in shelf.neighbours:
        shares = identity.beside and "ratio" in given  # "250 W at a load of 60%"
        if not shares and all(
            t.facts or (shelf.dimension(t) if t.any_of_dimension else t.metric) in given for t in identity.terms
        ):
            near = shelf.only([s for s in statements if s.claim.value_start not in judged])
            for outcome in _of_one(near, identity, judged, strictly=True):
                if outcome is not None:
                    yield outcome


def _of_several(shelf: Shelf, identity: Identity) -> Iterator[Breach]:
    """Of an identity that sets one subject against another, where there is one; of a chip and a variant of it nothing is asked."""
    tags = _tags(identity)
    if "ab" in tags:
        yield from _of_comparisons(shelf, identity)
    elif "b" in tags:
        chips = [c for c in shelf.chips if _has_all(shelf, identity, c)]
        for a, b in combinations(chips, 2):
            if not shelf.book.domain.are_kin(a, b):
                yield from _of_two(shelf, identity, a, b)


def _tags(identity: Identity) -> set[str]:
    return {s.rpartition("_")[2] for s in (*names(identity.left), *names(identity.right))}


def _of_one(
    shelf: Shelf, identity: Identity, judged: set[int] | None = None, *, strictly: bool = False
) -> Iterator[Breach | None]:
    """Each claimed figure by itself, that another one is right is no excuse for it; those that are decided join `judged`."""
    claimed = _claimed(identity)
    if identity.beside and is_total(identity, claimed) and shelf.figures_like(claimed) > _PAIR:
        return  # whose price is multiplied is open
    for chip in shelf.subjects if len(identity.terms) == 1 else shelf.chips:
        figures = shelf.inputs(identity, claimed, chip, "_a", strictly=strictly)
        if strictly and len(identity.terms) > 1 and not is_total(identity, claimed) and not _is_plain(figures):
            continue  # of which run the rest is, is open
        for about in dict.fromkeys(i.statement for i in figures):
            for outcome in _judge(shelf, identity, [{"a": chip}], about=about, strictly=strictly):
                if judged is not None:
                    judged.add(about.claim.value_start)
                yield outcome


def _claimed(identity: Identity) -> IdentityTerm:
    """The term that is held against the others."""
    return next(t for t in identity.terms if names(identity.left)[0].rpartition("_")[0] == t.symbol)


def _of_two(shelf: Shelf, identity: Identity, a: str, b: str) -> Iterator[Breach]:
    """With that first of which the others give less: "should be 0.52 of it" reads better than "1.93 times"."""
    for breach in filter(None, _judge(shelf, identity, [{"a": a, "b": b}])):
        by_these = evaluate(identity.right, {symbol: i.nominal for symbol, i in breach.inputs.items()})
        turned = _judge(shelf, identity, [{"a": b, "b": a}]) if by_these.low > 1 else (breach,)
        yield from filter(None, turned)


def _of_comparisons(shelf: Shelf, identity: Identity) -> Iterator[Breach]:
    """A comparison of two lines holds if it holds for any chip of one against any of the other."""
    term = next(t for t in identity.terms if f"{t.symbol}_ab" in (*names(identity.left), *names(identity.right)))
    chips = [c for c in shelf.chips if _has_all(shelf, identity, c)]
    for s in shelf.statements if len(chips) > 1 else ():
        if s.claim.metric != term.metric or not s.claim.baseline:
            continue
        pairs = [
            {"a": a, "b": b}
            for a in shelf.under(s.chip)
            for b in shelf.under(s.claim.baseline)
            if not shelf.book.domain.are_kin(a, b) and a in chips and b in chips
        ]
        yield from filter(None, _judge(shelf, identity, pairs, about=s))


def _has_all(shelf: Shelf, identity: Identity, chip: str) -> bool:
    """True when there are figures of `chip` for every term that is of one subject."""
    used = {*names(identity.left), *names(identity.right)}
    return all(shelf.inputs(identity, t, chip, "_a") for t in identity.terms if f"{t.symbol}_a" in used)


def _judge(
    shelf: Shelf,
    identity: Identity,
    candidates: Iterable[Subjects],
    *,
    about: Statement | None = None,
    strictly: bool = False,
) -> Iterator[Breach | None]:
    """The breach whose sides are closest; None where some reading of some candidate holds, nothing where there is none."""
    best: tuple[float, Subjects, dict[str, Input]] | None = None
    readings: list[dict[str, Input]] = []
    for subjects in candidates:
        for inputs in _choices(shelf, identity, subjects, about=about, strictly=strictly):
            gap = _gap(identity, {symbol: i.value for symbol, i in inputs.items()})
            if gap <= 1 + identity.tolerance or explained(shelf.book, list(inputs.values()), identity.tolerance):
                yield None
                return
            readings.append(inputs)
            if best is None or gap < best[0] * (1 - ALIKE):
                best = gap, subjects, inputs
    if best is not None and not _is_no_total(identity, best[2]) and not (identity.beside and best[0] > _NOT_THESE):
        _, subjects, inputs = best
        off = _gap(identity, {symbol: i.nominal for symbol, i in inputs.items()})
        yield Breach(identity, subjects, inputs, off, _same_work(shelf, inputs.values()), _recounted(inputs, readings))


def _is_no_total(identity: Identity, inputs: Mapping[str, Input]) -> bool:
    """True when what would be a total of several chips is closer to what one has: it is of one, and something else is counted."""
    return any(is_total(identity, i.term) and i.count == 1 for i in inputs.values())


def _choices(
    shelf: Shelf, identity: Identity, subjects: Subjects, *, about: Statement | None, strictly: bool
) -> Iterator[dict[str, Input]]:
    """Every choice of one reading for each symbol that may stand together; none where there are too many."""
    terms: dict[str, IdentityTerm] = {t.symbol: t for t in identity.terms}
    options: list[list[Input]] = []
    total = 1
    for symbol in dict.fromkeys((*names(identity.left), *names(identity.right))):
        base, _, tag = symbol.rpartition("_")
        if tag == "ab":
            found = shelf.readings_of(symbol, terms[base], about) if about is not None else []
        else:
            found = shelf.inputs(identity, terms[base], subjects[tag], f"_{tag}", strictly=strictly)
            if about is not None and terms[base] is _claimed(identity):
                same = shelf.equals(about)
                found = [i for i in found if i.statement in same]
        if identity.beside and not _is_plain(found):
            return
        options.append(found)
        total *= len(found)
        if not total:
            return
    if total <= MOST_READINGS:
        for chosen in product(*options):
            if all(fit(shelf.book, x, y) for x, y in combinations(chosen, 2)):
                yield {i.symbol: i for i in chosen}


def _is_plain(found: Sequence[Input]) -> bool:
    """True for one figure, whatever chips it may be of: which of two belongs into a sum is open."""
    first = found[0].statement if found else None
    return all(first is not None and i.statement.low <= first.high and first.low <= i.statement.high for i in found)


def _gap(identity: Identity, values: Mapping[str, Interval]) -> float:
    return evaluate(identity.left, values).gap(evaluate(identity.right, values))


def _recounted(inputs: Mapping[str, Input], readings: Sequence[Mapping[str, Input]]) -> list[Mapping[str, Input]]:
    """The readings of the same figures that take them to be of other numbers of chips."""
    same = {symbol: i.statement for symbol, i in inputs.items()}
    return [r for r in readings if r is not inputs and {symbol: i.statement for symbol, i in r.items()} == same][:3]


def _same_work(shelf: Shelf, inputs: Iterable[Input]) -> str:
    """The words with which a sentence of the figures says that they are of one workload."""
    for used in inputs:
        if used.statement.fact is None and (match := _SAME_WORK.search(shelf.book.find_evidence(used.statement).quote)):
            return match[0]
    return ""


def _draft(book: Casebook, breach: Breach, same: Sequence[Breach]) -> Finding:
    sure = breach.identity.code == _OVER_ALL or breach.same_work or breach.off > FAR_OFF
    statements = list(dict.fromkeys(i.statement for i in breach.inputs.values()))
    own = {s.claim.source for s in statements}
    also = {i.statement.claim.source for b in same for i in b.inputs.values() if i.statement.fact is None} - own
    return draft(
        book,
        breach.identity.code,
        "contradiction",
        "high" if sure else "medium",
        title(book, breach),
        "\n".join(explain(book, breach, also)),
        statements,
        help="see which of these figures is off, or is of another workload, scope or variant",
    )
