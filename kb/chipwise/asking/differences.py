"""What chips differ in, where a question names them and no metric: the main rows of their comparison.

"difference between MI300X and MI325X"  ->  "Memory capacity: 192 GB [1] against 256 GB [2]. ..."

Rows in which not all have a figure are left to `chipwise compare`.
"""

from __future__ import annotations

from collections.abc import Sequence

from chipwise.asking.answers import Citation
from chipwise.asking.kinds import Kind
from chipwise.asking.question import Question
from chipwise.asking.quoting import Told, evidence_in_passage
from chipwise.domain.model import Domain
from chipwise.domain.names import Names
from chipwise.index.store import Store
from chipwise.lookups.likeforlike import Row, compare
from chipwise.lookups.phrasing import value_text
from chipwise.text import words

_OF_ONE_METRIC = 3  # rows: peaks in the number formats that come first


def main_rows(question: Question, store: Store, domain: Domain, names: Names) -> Told | None:
    """The text, its citations and facts; None where the question says more than names, or where too little is known."""
    says_more = set(question.free_words) - domain.change_nothing("differences")
    if question.kind is not Kind.COMPARISON or question.metrics or says_more:
        return None
    subjects = [ids[0] for ids in question.subjects if len(ids) == 1 and names.is_chip(ids[0])]
    if len(subjects) != len(question.subjects) or _says_more(question, domain):
        return None
    main = [m.id for m in domain.metrics.values() if m.main]
    table = compare(store, names, subjects, metrics=main)
    rows = _first_of_each([r for r in table.rows if r.filled == len(subjects) and _held(store, r)])
    if not rows:
        return None
    cited: dict[str, Citation] = {}
    said = [_row(row, store, names, cited) for row in rows]
    head = " against ".join(names.name(s) for s in subjects)
    notes = f" ({'; '.join(table.notes)})" if table.notes else ""
    facts = [cell.fact for row in rows for cell in row.cells if cell is not None]
    return Told(" ".join([f"{head}{notes}.", *said]), list(cited.values()), facts)


def _says_more(question: Question, domain: Domain) -> bool:
    """True for a term that is no part of a product's name: "for training", "on AWS"."""
    named = {w for m in domain.find_entities(question.text) for w in words(question.text[m.start : m.end])}
    named |= domain.form_factors
    spans = domain.find_terms(question.text)
    return question.wants_number or not all(set(words(question.text[m.start : m.end])) <= named for m in spans)


def _first_of_each(rows: Sequence[Row]) -> list[Row]:
    seen: dict[str, int] = {}
    kept = []
    for row in rows:
        seen[row.metric] = seen.get(row.metric, 0) + 1
        if seen[row.metric] <= _OF_ONE_METRIC:
            kept.append(row)
    return kept


def _held(store: Store, row: Row) -> bool:
    """True when this knowledge base holds the sources of all figures."""
    return all(c is None or store.holds(c.fact) for c in row.cells)


def _row(row: Row, store: Store, names: Names, cited: dict[str, Citation]) -> str:
    """Such as "Memory bandwidth (per chip): 3.35 TB/s [1] against 4.8 TB/s [2]"."""
    figures = []
    for cell in row.cells:
        if cell is not None:
            evidence = evidence_in_passage(store, cell.fact)
            citation = cited.setdefault(cell.fact.id, Citation(len(cited) + 1, evidence))
            figures.append(f"{value_text(cell.fact, names)} [{citation.n}]")
    name = names.metrics[row.metric].name
    qualified = f" ({row.words})" if row.words else ""
    return f"{name[0].upper()}{name[1:]}{qualified}: {' against '.join(figures)}."
