"""Sums that a text writes out and that do not come to the result beside them (CW406).

"12 x 720 x 55.04 USD = 574,546 USD"    ->  12 x 720 x 55.04 = 475,546
"seven times 64 is 512 GB/s"            ->  7 x 64 = 448
"""

from __future__ import annotations

from collections.abc import Iterator

from chipwise.audit.book import Book
from chipwise.audit.sentences import Sentence, sentences_of, statement_at
from chipwise.audit.sums import Sum, sums
from chipwise.audit.writer import draft, place
from chipwise.figures.format import plain
from chipwise.numbers.intervals import Interval
from chipwise.types import Finding

_HUNDRED = 100.0


def check(book: Book) -> Iterator[Finding]:
    """One finding for each sum."""
    for source in book.audited:
        for (line,) in sentences_of(book, source, widest=1, tables=True):
            if any(map(str.isdigit, line.text)):
                wrong = (s for s in sums(book.domain, line.text, line.quantities) if s.is_meant and not s.comes_out)
                # "A = 300: 12 x 25", and in the next line "B = 900"
                whole = (s for s in wrong if "\n" not in line.text[s.operands[-1].end : s.result.start])
                yield from (_draft(book, line, s) for s in whole if line.is_its_own)


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
        help="Check the numbers and the result, and anything derived from it.",
    )  # fmt: skip
