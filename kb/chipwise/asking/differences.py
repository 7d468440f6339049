"""What products are, and what they differ in, where a question names them and no figure.

    "difference between MI300X and MI325X"  ->  "Memory capacity: 192 GB [1] against 256 GB [2]. ..."
    "Is the H200 faster than the H100?"     ->  "By memory bandwidth (per chip) the H200: 4.8 TB/s [3] / 3.35 TB/s [4] = 1.43 times. ..."
    "H200 specs"                            ->  "Memory capacity (per chip): 141 GB [1]. ..."

Rows in which not all have a figure are left to `chipwise compare`.
"""

from __future__ import annotations

from collections.abc import Sequence

from chipwise.asking.answers import Ruling
from chipwise.asking.kinds import NUMBER_WANTED, PACE, Kind
from chipwise.asking.mainrows import Telling, main_figures, table_of, whole_rows
from chipwise.asking.question import Question
from chipwise.asking.quoting import Told
from chipwise.asking.verdict import Factor, find_factor, of_factor, of_two
from chipwise.domain.model import Domain
from chipwise.domain.names import Names
from chipwise.index.store import Store
from chipwise.lookups.likeforlike import Row
from chipwise.text import blanked, content_words, words

_UNMEASURED = frozenset(("speedup", "workload_fit"))  # what "faster" and "better" ask for, which no chip has by itself
_OF_ONE = (Kind.DEFINITION,)
_OF_SEVERAL = (Kind.COMPARISON, Kind.ADVICE, Kind.WHY, Kind.OPEN)


def main_rows(question: Question, store: Store, domain: Domain, names: Names) -> Told | None:
    """What is known of all that are compared; None where the question says more than their names."""
    unmeasured = _UNMEASURED.issuperset(question.metrics)  # "the improvements of one over the other"
    compares = question.kind is Kind.COMPARISON and unmeasured and not NUMBER_WANTED.search(question.text)
    if not compares or _says_more(question, domain, "differences"):
        return None
    return main_figures(question, store, domain, names)


def specification(question: Question, store: Store, domain: Domain, names: Names) -> Told | None:
    """The main figures of one product, where a question says no more than its name: "H200 specs"."""
    bare = len(question.subjects) == 1 and not question.metrics and not question.wants_number
    if not bare or question.kind is not Kind.OPEN or _says_more(question, domain, "specification"):
        return None
    return main_figures(question, store, domain, names)


def beside(question: Question, store: Store, domain: Domain, names: Names) -> Told | None:
    """The main figures of the products that an answer in words is about: "H100 or MI300X for training"."""
    kinds = _OF_SEVERAL if len(question.subjects) > 1 else _OF_ONE
    number = question.kind is not Kind.ADVICE and NUMBER_WANTED.search(question.text)
    if question.kind not in kinds or number or not _UNMEASURED.issuperset(question.metrics):
        return None
    return main_figures(question, store, domain, names)


def faster(question: Question, store: Store, domain: Domain, names: Names) -> Told | None:
    """Which chip is the faster one by each figure that is a pace; None where the question says at what."""
    if question.metrics != ("speedup",) or not PACE.search(question.text):
        return None
    factor = find_factor(question.text, domain)
    if _says_more(question, domain, "differences", factor):
        return None
    paces = [m.id for m in domain.metrics.values() if m.pace]
    table = table_of(question, store, names, paces)
    firsts: dict[str, Row] = {}
    for row in whole_rows(table, store) if table else ():
        if all(cell is not None and cell.fact.is_single for cell in row.cells):
            firsts.setdefault(row.metric, row)
    if not firsts:
        return None
    telling = Telling(store, names)
    lead = _verdict(question, list(firsts.values()), factor) if question.wants_verdict else None
    return telling.told(lead, [telling.ranked(row) for row in firsts.values()])


def _verdict(question: Question, rows: Sequence[Row], factor: Factor | None) -> Ruling | None:
    """Whether the first of two is as much faster as the question says by each figure, by none or by some."""
    found: set[Ruling | None] = set()
    for row in rows:
        amounts = [cell.fact.amount for cell in row.cells if cell is not None]
        if len(amounts) != 2:  # noqa: PLR2004
            return None
        first, second = amounts
        plain = of_two(question.text, same=first == second, larger=first > second)
        met = Ruling.YES if plain is Ruling.YES else Ruling.NO
        found.add(of_factor(question.text, amounts, factor) if factor else met)
    return found.pop() if len(found) == 1 else None if None in found else Ruling.AMBIGUOUS


def _says_more(question: Question, domain: Domain, neutral: str, factor: Factor | None = None) -> bool:
    """True for a word that may change what is asked, and for a term that is no part of a product's name: "for training"."""
    text = blanked(question.text, [factor.span]) if factor else question.text
    free = set(question.free_words) & set(content_words(text))
    named = {w for m in domain.find_entities(question.text) for w in words(question.text[m.start : m.end])}
    named |= domain.form_factors
    terms = (words(question.text[m.start : m.end]) for m in domain.find_terms(question.text))
    return not free <= domain.change_nothing(neutral) or not all(set(term) <= named for term in terms)
