"""One question of a set, asked, and compared with its gold.

A record of evals/questions/*.jsonl has `gold`, groups of alternatives: an answer
holds it when it holds an alternative of every group. `sources` are those that
state it. `disagreement`, where it is given, holds in the same form the values
that must be shown to disagree; empty says that nothing may be called a disagreement.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from chipwise.answering.answer import Answer
from chipwise.corpus import shipped_folder
from chipwise.opening import OpenIndex

Gold = list[list[str]]


@dataclass(frozen=True, slots=True)
class Result:
    """One question with what came of it; shares are in [0, 1]."""

    record: dict[str, Any]
    answer: Answer
    right: bool  # answered with every gold term, or refused where there is no answer
    precision: float  # of the citations, those whose passage holds some gold term
    recall: float  # of the gold's groups, those that some cited passage holds
    known: float  # of the citations, those of a source that the record lists
    verbatim: bool  # every quote stands at its span
    confidence: float

    @property
    def raised(self) -> bool:
        """True when the disagreement that is due was raised with all its values, or none was where none is due."""
        due: Gold = self.record.get("disagreement", [])
        quotes = " ".join(e.quote for finding in self.answer.disagreements for e in finding.evidence)
        return bool(self.answer.disagreements) == bool(due) and holds(quotes, due)


def folded(text: str) -> str:
    """Text for comparison: no case, no blank space, no thousands commas, one kind of dash."""
    text = re.sub(r"(?<=\d),(?=\d)", "", text.lower())
    return re.sub(r"\s+", "", text).replace("–", "-").replace("—", "-").replace("’", "'")


def holds(text: str, gold: Gold) -> bool:
    """True when at least one alternative of every gold group occurs in `text`."""
    return held(text, gold) == len(gold)


def held(text: str, gold: Gold) -> int:
    """How many gold groups have an alternative that occurs in `text`."""
    inside = folded(text)
    return sum(any(folded(alternative) in inside for alternative in group) for group in gold)


def ask(index: OpenIndex, record: dict[str, Any]) -> Result:
    """Asks one question."""
    answer = index.ask(record["question"])
    gold: Gold = record["gold"]
    passages = [_passage(index, c.evidence.source, c.evidence.passage) for c in answer.citations]
    supporting = sum(held(text, gold) > 0 for text in passages)
    listed = sum(c.evidence.source in record["sources"] for c in answer.citations)
    count = max(1, len(passages))
    return Result(
        record,
        answer,
        right=(answer.answered and holds(answer.text, gold)) if record["answerable"] else not answer.answered,
        precision=supporting / count,
        recall=held(" ".join(passages), gold) / max(1, len(gold)),
        known=listed / count,
        verbatim=all(
            original(index, c.evidence.source)[c.evidence.start : c.evidence.end] == c.evidence.quote
            for c in answer.citations
        ),
        confidence=answer.confidence if answer.answered else 0.0,
    )


def original(index: OpenIndex, source: str) -> str:
    """The text of a source, or of a table that ships beside the sources, such as models.csv."""
    table = next(shipped_folder().rglob(source), None) if source.endswith(".csv") else None
    return table.read_text("utf-8") if table is not None else index.store.source_text(source)


def _passage(index: OpenIndex, source: str, id_: str) -> str:
    stored = index.store.source_passages(source)
    return " ".join(s.passage.text + s.passage.context for s in stored if s.passage.id == id_)
