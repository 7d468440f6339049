"""A total beside the count and what one has, in neighbouring sentences (CW403).

    "The node has eight GPUs. Each has 80 GB, which makes 760 GB in total."   ->  8 x 80 GB = 640 GB
    "$12.36 an hour with 4 chips, or $4.94 per chip per hour"                 ->  $12.36 is not 4 x $4.94

Nothing is checked where two counts, or a third figure of the kind, stand beside them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import pairwise

from chipwise import patterns as re
from chipwise.audit.amounts import are_apart_by
from chipwise.audit.casebook import Casebook
from chipwise.audit.countings import clause, count_of
from chipwise.audit.lines import Line, counted, key_of
from chipwise.audit.products import TOLERANCE, Product, draft_product
from chipwise.audit.sums import Sum, is_of_these, is_total
from chipwise.claims.levels import is_level
from chipwise.numbers.intervals import Interval
from chipwise.numbers.numerals import NUMBER_WORD, numeral_at
from chipwise.numbers.quantity import Quantity
from chipwise.types import Finding

_RULE = "A total is the count times what one has."
_LOOKS_BACK = 2  # sentences before, for what else is counted
_SUMMED = ("information", "information_rate", "compute_rate", "power", "price_rate", "price")
_OF_THE_CHIPS = re.compile(r"\s(?:for|in|of|by)\s(?:the|its|all|these)\s(?:accelerators|GPUs|TPUs|chips|cards)\b", re.I)
_SO_MANY_TIMES = re.compile(r"(?:[x×*]|\btimes)\s?(?:the\s)?[\d.$]", re.I)  # "8 x 80 GB"
# before a factor: another one, or the first of two numbers ("2 x 32 x 4096 bytes", "twenty-four times", "three to four times"),
# or so many that have as many each ("four nodes of 8 x 80 GB")
_MORE_BEFORE = re.compile(
    rf"(?:[\w)\]}}]\s?(?:[x×*]|times)|(?:\d|\b(?:{NUMBER_WORD}))\s?(?:-|–|to|or|and)|(?:-|–)"
    rf"|(?:\d|\b(?:{NUMBER_WORD}))\s(?:[A-Za-z-]+\s){{1,3}}(?:of|with|at|holding|having)(?:\seach)?)\s?$",
    re.I,
)
_TIMES_BEFORE = re.compile(rf"(?<![\w.,$])(\d[\d,.]*|{NUMBER_WORD})\s?(?:[x×*]|times)\s(?:the\s)?[~$]?$", re.I)
# from a product to what it makes: " = ", " of each makes ", ", a good "
_MAKES = re.compile(
    r"""(?:\s(?:of|in|for|on|per|from)(?:\s[A-Za-z-]+){1,4}?)?
    (?:\s?[=≈]
      |\s(?:is|are|equals?|makes?|making|gives?|giving|com(?:es?|ing)\sto|amounts?\sto|adds?\sup\sto|totals?|yields?|works?\sout\s(?:at|to))
      |,\s(?:so|thus|hence|that['’]s|which\sis|i\.e\.|a\sgood))
    \s?(?:(?:about|around|roughly|some|nearly|almost|just|exactly|a\sgood|in\sall)\s)?[~$]?""",
    re.I | re.X,
)
# behind what a product seems to make: "8 x 80 GB, that's 80 GB each", "is 10 GB short"
_OF_LESS = re.compile(
    r"\s(?:each|apiece|per|left|short|less|more|too|over|free|spare|of\sit|of\sthem|after|without)\b", re.I
)
_MADE = re.compile(r"[x×*]\s?[~$]?\d.{0,60}[=≈]\s?[~$]?$")  # "4 x $2.60 x 720 hours = $7,488", which is a total already
_OTHER_STORE = r"(?:CPUs?|(?:LP)?DDR\d\w?|RAM|storage|SSDs?|NVMe|disks?|cache|SRAM)\b"
_ANOTHER_KIND = re.compile(rf"\s(?:of\s)?(?:[\w-]+\s)?(?:(?:host|system)\b|{_OTHER_STORE})", re.I)
_STORED_ELSEWHERE = re.compile(rf"(?<![\w-]){_OTHER_STORE}", re.I)
_HOURS_OF_A_DAY = 24
_OF_A_MONTH = 0.08  # by so much of itself a month may be shorter than another
_ALIKE = ("dtype", "sparsity", "engine", "price_terms", "direction", "memory_kind")


def find_wrong_totals(book: Casebook, lines: Sequence[Line]) -> Iterator[Finding]:
    """One finding for each total of the lines that its count and unit do not make."""
    figures = cache(_figures)  # neighbours ask for them again
    for at, line in enumerate(lines):
        shown = list(shown_sums(line))
        for product in shown if line.is_its_own else ():
            if not (_holds(book, product) or _is_of_hours(book, product)):
                yield _draft(book, product)
        if not (line.dimensions.intersection(_SUMMED) and counted(lines[max(0, at - 2) : at + 2])):
            continue
        made = {product.all[1] for product in shown}  # "sixteen times 256 GB makes 4,096 GB" is of no other number
        for q in (q for q in figures(line) if q not in made):
            found = _sum(lines, at, q, figures)
            if found is not None and _is_clear(found) and not _holds(book, found):
                yield _draft(book, found)


def shown_sums(line: Line) -> Iterator[Sum]:
    """The arithmetic that a line shows: "8 x 80 GB = 640 GB", "sixteen times 96 GiB makes 1,536 GiB"."""
    if not _SO_MANY_TIMES.search(line.text):
        return
    figures = [q for q in line.scene.quantities if not q.compares and q.form == "value"]
    for one, whole in pairwise(figures):
        times = _times(line, one)
        makes = _MAKES.fullmatch(line.scene.text, one.end, whole.start) and not _OF_LESS.match(
            line.scene.text, whole.end
        )
        if times > 1 and makes and key_of(line.book.domain, one) == key_of(line.book.domain, whole):
            count = Quantity(one.start, one.end, "count", "chips", times, times)
            yield Sum((line, whole), (line, one), (line, count))


def _times(line: Line, one: Quantity) -> float:
    """How many times a figure is taken: 8 for "8 x 80 GB", 16 for the 96 GiB of "sixteen times 96 GiB"; else 1."""
    text = line.scene.text
    before = _TIMES_BEFORE.search(text, 0, one.start)
    if _MORE_BEFORE.search(text, 0, before.start() if before else one.start):
        return 1.0
    numeral = numeral_at(text, before.start(1)) if before else None
    return numeral.value if numeral is not None else one.count


def _figures(line: Line) -> list[Quantity]:
    scene = line.scene
    return [
        q
        for q in scene.quantities
        if q.form == "value"
        and q.dimension in _SUMMED
        and is_level(scene.text, q)
        and q.count == 1
        and not _ANOTHER_KIND.match(scene.text, q.end)
        and not _STORED_ELSEWHERE.search(clause(line, q))
        and not _MADE.search(scene.text, 0, q.start)
    ]


def _sum(lines: Sequence[Line], at: int, whole: Quantity, figures: Callable[[Line], Sequence[Quantity]]) -> Sum | None:
    """The one figure of the same kind beside `whole`, with the one count beside both; None where it is open."""
    line = lines[at]
    key = key_of(line.book.domain, whole)
    for near in ([at], [at - 1, at], [at, at + 1], [at - 2, at - 1, at]):
        if near[0] < 0 or near[-1] >= len(lines):
            continue
        others = [
            (lines[n], q)
            for n in near
            for q in figures(lines[n])
            if q is not whole and key_of(line.book.domain, q) == key
        ]
        if not others:
            continue
        if any(lines[n].scene.is_a_part(q) for n in near for q in lines[n].scene.quantities):
            return None  # "20 GB of each card's 80 GB, 160 GB in all": which of the two is multiplied is open
        first = max(0, near[0] - 1)
        counts = count_of(line, whole) or counted(lines[n] for n in near) or counted(lines[first : near[0]])
        if len(others) != 1 or len({q.low for _, q in counts}) != 1 or others[0][1].high >= whole.high:
            return None
        beside = tuple(lines[max(0, near[0] - _LOOKS_BACK) : near[-1] + 1])
        found = Sum((line, whole), others[0], counts[0], beside)
        return found if is_total(found) and is_of_these(found) else None
    return None


def _is_clear(found: Sum) -> bool:
    """False where more is reckoned with, where the text says it of others, or where the figures are of different kinds."""
    involved = list(dict.fromkeys((found.all[0], found.one[0], found.count[0])))
    used = [q for _, q in (found.all, found.one, found.count)]
    if any(not o.is_its_own for o in involved) or sum(o.other_numbers(used) for o in involved) > 1:
        return False
    stated = {name for o in involved for m in o.scene.qualifiers for name in m.ids if name.partition("=")[0] in _ALIKE}
    if len({name.partition("=")[0] for name in stated}) < len(stated):
        return False
    metrics = {m for line, q in (found.all, found.one) if (m := line.metrics.get(q, ""))}
    if len(metrics) < 2 or all(m.startswith(("price", "purchase")) for m in metrics):  # noqa: PLR2004
        return True
    # "89.6 kW for the accelerators" of a server are as many TDPs
    line, whole = found.all
    machines = {line.book.domain.metrics[m].of_machines for m in metrics}
    return bool(machines & metrics and _OF_THE_CHIPS.match(line.scene.text, whole.end))


def _holds(book: Casebook, found: Sum) -> bool:
    """True where count times unit is the total, or off by what an explanation rule has."""
    (_, whole), (_, one), (_, count) = found.all, found.one, found.count
    made, claimed = Interval(one.low, one.high) * Interval.of(count.low), Interval(whole.low, whole.high)
    rules = (r for r in book.domain.explanations.values() if r.dimensions and one.dimension in r.dimensions)
    if made.gap(claimed) <= 1 + TOLERANCE:
        return True
    return any(are_apart_by(made, claimed, f, TOLERANCE) for r in rules for f in r.factors)


def _is_of_hours(book: Casebook, found: Sum) -> bool:
    """True where the number before the price of an hour may count hours, of each day or in all: "100 x $0.86/hr = $2,580/month"."""
    (_, whole), (_, one), (_, count) = found.all, found.one, found.count
    period, hour = (book.domain.units.get(q.unit) for q in (whole, one))
    if period is None or hour is None or whole.dimension != "price_rate" or whole.unit == one.unit:
        return False
    days = 1 / (_HOURS_OF_A_DAY * period.scale)
    paid = (whole.middle / period.scale) / (count.low * one.middle / hour.scale)
    return any(abs(paid / times - 1) <= _OF_A_MONTH for times in (1.0, days))


def _draft(book: Casebook, found: Sum) -> Finding:
    whole, one = (line.statement(q) for line, q in (found.all, found.one))
    line, count = found.count
    shown = count.start == found.one[1].start  # "8 x 80 GB", which tells how many itself
    product = Product(whole, one, int(count.low), None if shown else line.statement(count))
    return draft_product(book, product, _RULE, "high" if product.is_far_off else "medium", "chips")
