"""Figures that stand beside each other and are of different things: of one chip and of several (CW201), of matrix units and of vector units, of one direction and of both (CW208).

"80 GB per GPU | 760 GB (8 chips)"; FP64 of 9.7 TFLOPS for the A100 above 163.4 for the MI300X
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from chipwise.audit.book import Book
from chipwise.audit.writer import draft, figure, name, place
from chipwise.domain.formulas import Explanation
from chipwise.figures.statement import Statement
from chipwise.types import Finding, Role

_MIXED = ("engine", "direction")  # axes that a column may leave unsaid, if all its figures are alike
_WHOLE, _NEAR, _SHOWN = ("", "chip"), 0.02, 5


def check(book: Book) -> Iterator[Finding]:
    """One finding for each row that mixes, and for each column."""
    yield from _columns(book)
    for (source, _), beside in book.by_sentence.items():
        scaling = [s for s in beside if s.role is Role.TABLE and _scales(book, s)]
        for a, b in combinations(scaling, 2) if source in book.audited else ():
            few, many = sorted((a, b), key=lambda s: _chips(book, s))
            if a.claim.metric == b.claim.metric and a.chip != b.chip and _chips(book, few) == 1 < (many.count or 0):
                yield _mix(book, few, many, many.count or 1)
                break


def _columns(book: Book) -> Iterator[Finding]:
    rules = [r for r in book.domain.explanations.values() if r.axis in _MIXED and r.more and r.less]
    columns: dict[tuple[Explanation, str, int, str, str], dict[str, list[Statement]]] = {}
    for rule, s in ((r, s) for r in rules for source in book.audited for s in book.by_source.get(source, ())):
        if s.recorded and s.chip and s.asserted and (value := _value(book, s, rule)):
            key = rule, s.claim.source, s.table, s.claim.metric, s.claim.qualifier("dtype")
            columns.setdefault(key, {}).setdefault(value, []).append(s)
    for (rule, *_), by in columns.items():
        (value, few), *others = sorted(by.items(), key=lambda one: len(one[1]))
        for usual, many in others:
            both = [*((s, value) for s in few[:_SHOWN]), (many[0], usual)]
            steps = [f"{figure(book, s)} of {name(book, s.claim.subject)}: {v}   [{place(book, s)}]" for s, v in both]
            wrong = f"{name(book, few[0].claim.metric)}: {figure(book, few[0])} is {value}"
            yield draft(
                book, "CW208", "contradiction", "medium", f"{wrong}, but the figures beside it are {usual}",
                "\n".join([*steps, rule.says]), [s for s, _ in both],
                help="Give all figures of a column in one way, or say at each how it is meant.",
            )  # fmt: skip


def _value(book: Book, s: Statement, rule: Explanation) -> str:
    """The value of an axis with which the table has a figure that states none, where its chip has another with the other one."""
    c, dtype = s.claim, s.claim.qualifier("dtype")
    one = c.quantity is not None and not s.comparative and s.middle > 0 and s.count in (None, 1) and s.scope in _WHOLE
    if not one or c.qualifier(rule.axis) or (rule.among and dtype not in rule.among):
        return ""
    own = [f for f in book.facts_for(s) if f.preferred and f.count in (None, 1) and f.scope in _WHOLE]
    own = [f for f in own if f.claim.qualifier("dtype") == dtype and book.domain.are_kin(f.claim.subject, c.subject)]

    def known(value: str, times: float) -> bool:
        fits = (f for f in own if abs(f.middle / s.middle / times - 1) <= _NEAR)
        return any(f.claim.qualifier(rule.axis) == value for f in fits)

    more = known(rule.less, 1 / rule.factors[0]) and not known(rule.less, 1)
    less = known(rule.more, rule.factors[0]) and not known(rule.more, 1)
    return "" if more == less else rule.more if more else rule.less


def _scales(book: Book, s: Statement) -> bool:
    metric, q = book.domain.metrics.get(s.claim.metric), s.quantity
    return metric is not None and bool(s.chip) and metric.scales and q.unit != "x" and q.form in ("value", "range")


def _chips(book: Book, s: Statement) -> int:
    """How many chips a figure is of; where that is not stated but a fact of one chip has the figure, 1."""
    known = any(f.count == 1 and f.low <= s.high and s.low <= f.high for f in book.facts.get(s.key, ()))
    return s.count if s.count is not None else 1 if known else 10**6


def _mix(book: Book, few: Statement, many: Statement, count: int) -> Finding:
    one, all_ = few.middle, many.middle
    steps = f"as printed: {figure(book, many)} / {figure(book, few)} = {all_ / one:.2f}x\n"
    steps += f"chip against chip: ({figure(book, many)} / {count}) / {figure(book, few)} = {all_ / count / one:.2f}x"
    return draft(
        book, "CW201", "scope", "medium",
        f"{name(book, few.claim.metric)}: {figure(book, few)} of one {name(book, few.chip)} beside {figure(book, many)} of {count} {name(book, many.chip)}",
        steps, (few, many), help="Give both per chip, or both for the same number of chips.",
    )  # fmt: skip
