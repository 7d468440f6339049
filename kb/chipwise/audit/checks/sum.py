"""Sums that a text writes out and that do not come to the result beside them (CW406).

"12 x 720 x 55.04 USD = 574,546 USD"    ->  12 x 720 x 55.04 = 475,546
"seven times 64 is 512 GB/s"            ->  7 x 64 = 448
| 12.6 TFLOPS | 250 W | 5.05 GFLOPS/W |  ->  12.6 / 250 = 50.4
"""

from __future__ import annotations

from collections.abc import Iterator

from chipwise.audit.book import Book
from chipwise.audit.sentences import Sentence, sentences_of, statement_at
from chipwise.audit.sums import Sum, sums
from chipwise.audit.writer import draft, figure, place
from chipwise.figures.format import plain
from chipwise.figures.statement import Statement
from chipwise.numbers.intervals import Interval
from chipwise.types import Finding, Role

_HUNDRED, _HELP = 100.0, "Check the numbers and the result, and anything derived from it."
_ROUNDED, _OTHER = 1.1, 20.0  # times: what a quotient may be off, and what is one of other figures
_KINDS = ("compute_rate", "power", "compute_efficiency")


def check(book: Book) -> Iterator[Finding]:
    """One finding for each sum, and for each quotient of a row."""
    for source in book.audited:
        yield from _quotients(book, source)
        for (line,) in sentences_of(book, source, widest=1, tables=True):
            if any(map(str.isdigit, line.text)):
                wrong = (s for s in sums(book.domain, line.text, line.quantities) if s.is_meant and not s.comes_out)
                # "A = 300: 12 x 25", and in the next line "B = 900"
                whole = (s for s in wrong if "\n" not in line.text[s.operands[-1].end : s.result.start])
                yield from (_draft(book, line, s) for s in whole if line.is_its_own)


def _quotients(book: Book, source: str) -> Iterator[Finding]:
    """One finding for each rate per watt of a row or record that no rate and power in it make."""
    rows: dict[tuple[object, ...], list[Statement]] = {}
    for s in book.by_source.get(source, ()):
        if s.recorded and s.claim.quantity is not None and s.quantity.dimension in _KINDS:
            rows.setdefault((s.claim.subject, s.table, s.role is Role.TABLE and s.claim.start), []).append(s)
    for s, beside in ((s, row) for row in rows.values() for s in row if s.quantity.dimension == _KINDS[2]):
        forms = ("", s.claim.qualifier("dtype"))
        own = [o for o in beside if o.claim.qualifier("dtype") in forms]
        rates, powers = ([o for o in own if o.quantity.dimension == kind] for kind in _KINDS[:2])
        off = {Interval.of(a.middle / b.middle).gap(Interval.of(s.middle)): (a, b) for a in rates for b in powers}
        if off and _ROUNDED < min(off) < _OTHER:
            a, b = off[min(off)]
            unit = book.domain.units[s.quantity.unit]
            steps = f"{figure(book, a)} / {figure(book, b)} = {plain(a.middle / b.middle / unit.scale)} {unit.id}"
            title, why = f"{steps}, not {figure(book, s)}", f"{steps}   [{place(book, s)}]\nclaimed: {figure(book, s)}"
            yield draft(book, "CW406", "contradiction", "medium", title, why, (s, a, b), help=_HELP)


def _draft(book: Book, line: Sentence, found: Sum) -> Finding:
    span = line.start + found.operands[0].start, line.start + found.result.end
    said = statement_at(book, line.passage, (line.start, line.end), *span)
    percent = found.result.text.endswith("%")
    made = plain((found.made * Interval.of(_HUNDRED if percent else 1.0)).middle) + "%" * percent
    unit = f" {found.result.unit}" if found.result.dimension in {o.dimension for o in found.operands} - {""} else ""
    return draft(
        book, "CW406", "contradiction", "medium",
        f"{found.formula} is {made}{unit}, not {found.result.text}",
        f"{found.formula} = {made}{unit}   [{place(book, said)}]\nclaimed: {found.result.text}",
        (said,),
        help=_HELP,
    )  # fmt: skip
