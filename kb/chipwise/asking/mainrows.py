"""The main figures of products as an answer tells them: of one, or of several side by side.

nvidia-h100, nvidia-h200  ->  "Memory bandwidth (per chip): 3.35 TB/s [1] against 4.8 TB/s [2]."
nvidia-h200               ->  "Memory bandwidth (per chip): 4.8 TB/s. [1]"
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from chipwise.asking.answers import Ruling
from chipwise.asking.question import Question
from chipwise.asking.quoting import Told, cite
from chipwise.asking.ranking import told_apart
from chipwise.claims.model import Fact
from chipwise.domain.model import Domain
from chipwise.domain.names import Names
from chipwise.figures.alike import agree
from chipwise.figures.amounts import times
from chipwise.figures.phrasing import value_text
from chipwise.index.store import Store
from chipwise.lookups.likeforlike import Comparison, Row, compare

_OF_ONE_METRIC = 3  # rows: peaks in the number formats that come first


def main_figures(question: Question, store: Store, domain: Domain, names: Names) -> Told | None:
    """What is known of all products that the question names, whatever else it says; None where that is nothing."""
    table = table_of(question, store, names, [m.id for m in domain.metrics.values() if m.main])
    every = list(whole_rows(table, store)) if table else []
    if table is None or not every:
        return None
    alike = [row for row in every if _is_alike(row)]
    rows = [*_first_of_each(row for row in every if row not in alike)]
    telling = Telling(store, names)
    notes = f" ({'; '.join(table.notes)})" if table.notes else ""
    head = " against ".join(map(names.name, table.subjects)) + notes
    lines = [telling.side_by_side(row) for row in rows]
    same = [telling.the_same(row) for row in _first_of_each(iter(alike))]
    return telling.told(f"{head}:", [*lines, *([f"The same: {'; '.join(same)}."] if same else [])])


def table_of(question: Question, store: Store, names: Names, metrics: Sequence[str]) -> Comparison | None:
    """The rows of the chips that a question names; None where it names none, or anything else."""
    subjects = [ids[0] for ids in question.subjects if len(ids) == 1 and names.is_chip(ids[0])]
    if not subjects or len(subjects) != len(question.subjects):
        return None
    return compare(store, names, subjects, metrics=metrics, singles=len(subjects) == 1)


def whole_rows(table: Comparison, store: Store) -> Iterator[Row]:
    """The rows in which all have a figure, of sources that this knowledge base holds."""
    for row in table.rows:
        facts = [cell.fact for cell in row.cells if cell is not None]
        if len(facts) == len(table.subjects) and all(map(store.holds, facts)):
            yield row


def _is_alike(row: Row) -> bool:
    """True where products compared have the same in a row: nothing that tells them apart."""
    facts = _facts(row)
    return len(facts) > 1 and all(agree(a, b) for a, b in pairwise(facts))


def _first_of_each(rows: Iterator[Row]) -> Iterator[Row]:
    seen: dict[str, int] = {}
    for row in rows:
        seen[row.metric] = seen.get(row.metric, 0) + 1
        if seen[row.metric] <= _OF_ONE_METRIC:
            yield row


@dataclass
class Telling:
    """Rows in words. Their citations are numbered as they come, and a fact that stands in two has one number."""

    store: Store
    names: Names
    facts: list[Fact] = field(default_factory=list)

    def told(self, lead: Ruling | str | None, rows: Sequence[str]) -> Told:
        """The rows as an answer, each on a line of its own below `lead`."""
        lines = "\n".join(f"- {row}" for row in rows)
        return Told.of(f"\n{lines}" if lead else lines, cite(self.store, self.facts), self.facts, lead)

    def side_by_side(self, row: Row) -> str:
        """Such as "Memory bandwidth (per chip): 3.35 TB/s [1] against 4.8 TB/s [2]."."""
        what = self._what(row)
        figures = [self._figure(fact, told_apart(fact, _facts(row), self.names)) for fact in _facts(row)]
        return f"{what[0].upper()}{what[1:]}: {' against '.join(figures)}."

    def the_same(self, row: Row) -> str:
        """Such as "memory kind HBM3e [3] [4]"."""
        facts = _facts(row)
        marks = [self._figure(fact).rpartition(" ")[2] for fact in facts]
        return f"{self._what(row)} {value_text(facts[0], self.names)} {' '.join(dict.fromkeys(marks))}"

    def ranked(self, row: Row) -> str:
        """Such as "By memory bandwidth (per chip) NVIDIA H200: 4.8 TB/s [1] / 3.35 TB/s [2] = 1.43 times NVIDIA H100."."""
        order = sorted(_facts(row), key=lambda fact: -fact.amount)
        figures = [self._figure(fact) for fact in order]
        named = [self.names.name(fact.claim.subject) for fact in order]
        if all(a.amount == b.amount for a, b in pairwise(order)):
            return f"By {self._what(row)} they are the same: {' and '.join(figures)}."
        if len(order) == 2:  # noqa: PLR2004
            ratio = order[0].amount / order[1].amount
            return f"By {self._what(row)} the {named[0]}: {figures[0]} / {figures[1]} = {times(ratio)} times the {named[1]}."
        said = (f"{name} {figure}" for name, figure in zip(named, figures, strict=True))
        return f"By {self._what(row)}, most first: {', '.join(said)}."

    def _what(self, row: Row) -> str:
        name = self.names.metrics[row.metric].name
        return f"{name} ({row.words})" if row.words else name

    def _figure(self, fact: Fact, meant: str = "") -> str:
        if fact not in self.facts:
            self.facts.append(fact)
        return f"{value_text(fact, self.names)}{meant} [{self.facts.index(fact) + 1}]"


def _facts(row: Row) -> list[Fact]:
    return [cell.fact for cell in row.cells if cell is not None]
