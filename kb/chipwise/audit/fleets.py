"""So many machines or chips of one name beside what one of them has (CW403).

    "A DGX H100 needs 10.2 kW at most. A pair of DGX H100 means 24.0 kW."   ->  2 x 10.2 kW = 20.4 kW
    "An A100 peaks at 312 TFLOPS. Sixteen A100s have a peak of 10 PFLOPS."  ->  16 x 312 TFLOPS = 4,992 TFLOPS

What one has is taken from the text, for machines else from the facts table. Machines draw less than they may, so that
a power is wrong only where it is more than they can, or where the text itself says what one draws.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from chipwise import patterns as re
from chipwise.audit.casebook import Casebook, Statement
from chipwise.audit.countings import has_in_all
from chipwise.audit.lines import Line
from chipwise.audit.products import TOLERANCE, Product, draft_product
from chipwise.numbers.intervals import Interval
from chipwise.numbers.numerals import NUMBER_WORD, numeral_at
from chipwise.numbers.quantity import Quantity
from chipwise.types import Finding

_MANY = re.compile(
    rf"\b(?:(?P<pair>pair)\sof|(?<![\w.,])(?P<n>\d{{1,4}}|{NUMBER_WORD})(?:\s?[x×])?)\s(?:[A-Z]\w+\s)?$", re.I
)
# what may count machines, for a quick look: a number before a name
_COUNTS = re.compile(rf"\b(?:pair\sof|\d{{1,4}}|{NUMBER_WORD})(?:\s?[x×])?\s(?=[A-Z])", re.I)
_NAME = re.compile(r"[A-Z]")
# before so many chips that have something themselves; "the host of 8 TPU v5e chips has 512 GiB" is not of those
_OPENS = re.compile(r"(?:^|[.;:,]\s|\b(?:and|so|then|while|but)\s)\W*(?:(?:all|the|these)\s)*$", re.I)
_COUNTED = ("system", "chip", "variant")
_EACH = re.compile(r"\s?(?:each|apiece|per|/)\b", re.I)
_RULE = "Several have as many times what one has."
_ADDED_UP = ("power", "information", "compute_rate")  # of which they have as many times as much; prices come with terms


def find_wrong_fleets(book: Casebook, lines: Sequence[Line]) -> Iterator[Finding]:
    """One finding for each figure of several machines that is not as many times what one has."""
    for line in lines:
        for system, count, whole in _fleets(line) if _may_count(line) and line.is_its_own else ():
            one = _of_one(book, line, system, whole.dimension)
            all_of_them = line.statement(whole)
            of_machines = book.domain.is_machine(system)
            alike = one is not None and (of_machines or all_of_them.claim.metric in ("", one.claim.metric))
            if one is not None and alike and not _holds(one, count, whole):
                product = Product(all_of_them, one, count)
                what = "machines" if of_machines else "chips"
                yield draft_product(book, product, _RULE, "medium", what)


def _may_count(line: Line) -> bool:
    """False where no sum of machines can stand, which is quicker to see than what a sentence names."""
    if not line.dimensions.intersection(_ADDED_UP):
        return False
    figures = [
        (q.start, q.end) for q in line.written if q.dimension != "count"
    ]  # "four GB200 NVL72 racks" are no four GB200
    counts = (m for m in _COUNTS.finditer(line.text) if _NAME.match(line.text, m.end()))
    return any(not any(a <= m.start() and m.end() < b for a, b in figures) for m in counts)


def _fleets(line: Line) -> Iterator[tuple[str, int, Quantity]]:
    """Each machine that a sentence counts, how many, and the figure that is said of them."""
    domain, scene = line.book.domain, line.scene
    for m in scene.entities:
        told = _MANY.search(scene.text, 0, m.start)
        if told is None or len(m.ids) != 1 or domain.kind(m.ids[0]) not in _COUNTED:
            continue
        many = numeral_at(scene.text, told.start("n")) if told["n"] else None
        count = int(many.value) if many is not None else 2 * bool(told["pair"])
        if domain.is_chip(m.ids[0]) and not _OPENS.search(scene.text, 0, told.start()):
            continue
        counted = Quantity(m.start, m.end, "count", "systems", count, count)
        for q in scene.figures if count > 1 else ():
            said = has_in_all(line, counted, q) and not _EACH.match(scene.text, q.end)
            if said and q.dimension in _ADDED_UP and q.form == "value":
                yield m.ids[0], count, q


def _of_one(book: Casebook, line: Line, system: str, dimension: str) -> Statement | None:
    """What one machine has, by the same text or by the table; None where it is open."""
    alike = [
        s
        for s in book.of_subject.get(system, ())
        if s.asserted
        and s.claim.quantity is not None
        and s.claim.quantity.dimension == dimension
        and s.claim.quantity.form == "value"
        and s.claim.qualifier("aggregation") in ("", "node", "rack")
        and not s.claim.quantity.compares
        and book.domain.metrics[s.claim.metric].nature == "specified"
    ]
    own = [
        s
        for s in alike
        if s.claim.source == line.passage.source
        and s.claim.start < line.start
        and (s.count in (1, None) or book.domain.is_machine(system))  # of chips what one of them has
    ]
    facts = [s for s in alike if s.fact is not None and s.fact.rank == "preferred" and book.domain.is_machine(system)]
    told = {round(s.middle): s for s in own or facts}
    return next(iter(told.values())) if len(told) == 1 else None


def _holds(one: Statement, count: int, whole: Quantity) -> bool:
    made, said = count * one.middle, Interval(whole.low, whole.high)
    if Interval.of(one.middle).gap(said) <= 1 + TOLERANCE:
        return True  # "2 x RTX 5090 (32 GB)" is what each of them has
    quantity = one.claim.quantity
    is_bound = one.fact is not None or (quantity is not None and quantity.bound == "at most")
    if whole.dimension == "power" and is_bound:
        return whole.low <= made * (1 + TOLERANCE)
    return Interval.of(made).gap(said) <= 1 + TOLERANCE
