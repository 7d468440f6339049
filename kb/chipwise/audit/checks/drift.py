"""One number that changed its meaning on the way from text to text (CW3xx).

Only numbers that two texts do not share by chance are followed, and only where the subjects can be the same thing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations

from chipwise.audit.book import Book
from chipwise.audit.writer import draft, figure, name, place
from chipwise.claims.model import Modality
from chipwise.domain.catalogue import RUN
from chipwise.domain.model import Domain
from chipwise.figures.statement import Statement
from chipwise.numbers.quantities import Quantity
from chipwise.types import Finding

_FIRMNESS = ("hypothetical",), ("promised", "estimated"), ("reported",), ("priced", "measured", "specified")
_CERTAINTY = {Modality(put): n for n, alike in enumerate(_FIRMNESS) for put in alike}
_BOUNDS = {"at most": "up to ", "at least": "at least "}


def check(book: Book) -> Iterator[Finding]:
    """Pairs of statements with one telling number, set against another thing, or stated with another certainty."""
    for same_number in _by_number(book).values():
        reported: set[tuple[str, ...]] = set()
        for a, b in combinations(_once_per_source(same_number), 2):
            # one number drifts once, however many sources repeat either side
            key = ([*book.domain.ancestors(a.claim.subject), ""][-2:][0], a.claim.metric)
            finding = _compare(book, a, b) if key not in reported else None
            if finding is not None:
                reported.add(key)
                yield finding


def _number(q: Quantity) -> str:
    return f"{q.middle:.4g}"


def _once_per_source(statements: Iterable[Statement]) -> list[Statement]:
    """The first of those that a source repeats: what it says again tells nothing new, and pairs are many."""
    first: dict[tuple[object, ...], Statement] = {}
    for s in statements:
        first.setdefault((s.claim.source, s.claim.subject, s.claim.baseline, s.claim.metric, _commits(s)), s)
    return list(first.values())


def _by_number(book: Book) -> dict[str, list[Statement]]:
    """Comparisons ("2.8x", "52% lower") by their number: a telling one wherever it stands, "30x" of one chip against another."""
    found: dict[str, list[Statement]] = {}
    for s in book.said:
        q = s.claim.quantity
        if q is None or not s.asserted or not s.comparative or _is_a_range(q):
            continue
        number = _number(q)
        if len(number.replace(".", "").strip("0")) >= 2:  # noqa: PLR2004 ("2.8x" is followed, "4x" is everywhere)
            found.setdefault(f"{number} {q.unit}", []).append(s)
        elif s.claim.subject and s.claim.baseline:
            found.setdefault(f"{number} {q.unit} {s.claim.subject} {s.claim.baseline}", []).append(s)
    return found


def _is_a_range(q: Quantity) -> bool:
    """A range has no one number: "30% to 60% lower" is not "45% lower"."""
    return q.bound == "exact" and q.high - q.low > 0.2 * abs(q.high)


def _compare(book: Book, a: Statement, b: Statement) -> Finding | None:
    domain = book.domain
    if not may_be_kin(domain, a.claim.subject, b.claim.subject):
        return None
    x, y = a.claim.baseline, b.claim.baseline
    if x and y and not may_be_kin(domain, x, y):
        return _other_baseline(book, a, b) if _may_be_one_run(domain, a, b) else None
    if not _of_one_metric(domain, a, b) or not (a.claim.subject and b.claim.subject):
        return None
    surer, weaker = sorted((a, b), key=_commits, reverse=True)
    alike = _commits(surer) == _commits(weaker) or a.claim.source == b.claim.source
    return None if alike or _came_first(book, surer, weaker) else _hardened(book, weaker, surer)


def _came_first(book: Book, surer: Statement, weaker: Statement) -> bool:
    """True where the firmer text is the older one, which hardened nothing; dates may be of a year or a month."""
    first, then = (book.sources[s.claim.source].published for s in (surer, weaker))
    known = min(len(first), len(then))
    return first[:known] < then[:known]


def _of_one_metric(domain: Domain, a: Statement, b: Statement) -> bool:
    """True for one metric, or where both are against the same thing and one is of no metric in particular ("faster").

    Nor do words for money tell which: "17% of the cost" may be saved of the rent or of all that serving takes.
    """
    x, y = (domain.metrics[s.claim.metric] for s in (a, b))
    against = bool(a.claim.baseline) and a.claim.baseline == b.claim.baseline
    return x == y or (against and (x.general or y.general or x.nature == y.nature == "priced"))


def _may_be_one_run(domain: Domain, a: Statement, b: Statement) -> bool:
    """False for multiples of two metrics, and of two workloads."""
    x, y = a.claim.metric, b.claim.metric
    one = x == y or domain.metrics[x].general or domain.metrics[y].general
    return one and not any(_differ(domain, a, b, axis) for axis in RUN)


def _differ(domain: Domain, a: Statement, b: Statement, axis: str) -> bool:
    """False where one says what is done and the other only vaguely with what: "in training" and "for LLMs" may be one run.

    A model is another matter: a sentence that names one may have left unsaid that it was served.
    """
    stated = {s.claim.qualifier(axis) for s in (a, b)} - {""}
    known = domain.axes.get(axis)
    loosely = known is not None and bool(stated & {*known.deeds}) and bool(stated & {*known.vague})
    return len(stated) > 1 and not loosely


def may_be_kin(domain: Domain, a: str, b: str) -> bool:
    """True where they are kin, or one is not stated."""
    return not a or not b or domain.are_kin(a, b)


def _commits(s: Statement) -> tuple[int, int]:
    """How firmly a statement is put: its bound first, then its modality."""
    bound = s.claim.quantity.bound if s.claim.quantity is not None else "exact"
    return (0 if bound in ("at most", "at least") else 1, _CERTAINTY[s.claim.modality])


def _told(book: Book, s: Statement) -> str:
    return f"{place(book, s)}: {name(book, s.claim.subject)}, {figure(book, s)}"


def _other_baseline(book: Book, a: Statement, b: Statement) -> Finding:
    lines = [f"{_told(book, s)} {name(book, s.claim.metric)} against {name(book, s.claim.baseline)}" for s in (a, b)]
    here, there = (name(book, s.claim.baseline) for s in (a, b))
    return draft(
        book, "CW301", "contradiction", "high", f"{figure(book, a)} is relative to {here} in one place and to {there} in another",
        "\n".join([*lines, "the same number is unlikely against two different baselines"]), (a, b),
        help="Find where the number was first published, and what it was measured against.",
    )  # fmt: skip


def _hardened(book: Book, weaker: Statement, surer: Statement) -> Finding:
    bounded = _commits(weaker)[0] < _commits(surer)[0]
    kinds = (f"{'a bound' if _commits(s)[0] == 0 else 'a value'}, {s.claim.modality.value}" for s in (weaker, surer))
    lines = [f"{_told(book, s)}, {kind}" for s, kind in zip((weaker, surer), kinds, strict=True)]
    said, bound = f"{name(book, surer.claim.metric)} {figure(book, surer)}", _BOUNDS.get(weaker.quantity.bound, "")
    title = f"{said} is stated more firmly than in the other source ({bound}{figure(book, weaker)})"
    if not bounded:
        title = f"{said} is {surer.claim.modality.value} in one place and {weaker.claim.modality.value} in another"
    code, verdict, severity = ("CW302", "contradiction", "high") if bounded else ("CW303", "drift", "medium")
    return draft(
        book, code, verdict, severity, title, "\n".join(lines), (weaker, surer),
        help='Keep the "up to", and name who made the estimate.',
    )  # fmt: skip
