"""Facts as an answer tells them: in words with a figure, and each cited by the passage that holds its quote.

memory_capacity of nvidia-h200, 141 GB  ->  "NVIDIA H200: memory capacity 141 GB (per chip). [1]"
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

from chipwise.asking.answers import Citation
from chipwise.audit.evidence import fact_evidence
from chipwise.claims.model import Fact
from chipwise.domain.names import Names
from chipwise.index.rows import StoredPassage
from chipwise.index.store import Store
from chipwise.lookups.phrasing import in_words, value_text
from chipwise.text import one_line
from chipwise.types import Evidence

_MARK = re.compile(r"\[(\d{1,2})\]")


class Told(NamedTuple):
    """What facts alone answer: the text, its citations, and the facts that stand in it."""

    text: str
    citations: list[Citation]
    facts: list[Fact]


def renumbered(text: str, by: int) -> str:
    """An answer's text with the numbers of its citations raised."""
    return _MARK.sub(lambda m: f"[{int(m[1]) + by}]", text)


def together(each: Iterable[Told]) -> Told:
    """Several answers as one, with their citations numbered through."""
    texts: list[str] = []
    citations: list[Citation] = []
    facts: list[Fact] = []
    for told in each:
        before = len(citations)
        texts.append(renumbered(told.text, before))
        citations += [replace(c, n=c.n + before) for c in told.citations]
        facts += told.facts
    return Told(" ".join(texts), citations, facts)


def cite(store: Store, facts: Iterable[Fact], first: int = 1) -> list[Citation]:
    """A citation for each fact, numbered from `first`."""
    return [Citation(n, evidence_in_passage(store, fact)) for n, fact in enumerate(facts, start=first)]


def sentence(fact: Fact, names: Names, n: int) -> str:
    """ "NVIDIA H200: memory capacity 141 GB (per chip). [1]"."""
    metric = names.metrics[fact.claim.metric].name
    dated = f"as of {fact.as_of}" if names.metrics[fact.claim.metric].nature == "priced" and fact.as_of else ""
    said = ", ".join(filter(None, (in_words(fact.claim, names), dated)))
    return f"{names.name(fact.claim.subject)}: {metric} {figure(fact, names)}{f' ({said})' if said else ''}. [{n}]"


def figure(fact: Fact, names: Names) -> str:
    """The figure as its quote writes it ("58 billion transistors"); as the table does where that is not found in it."""
    claim, quote = fact.claim, fact.citation.quote
    written = one_line(quote[claim.value_start - claim.start : claim.value_end - claim.start])
    bound = claim.quantity.bound if claim.quantity is not None else "exact"
    whole = (
        fact.value.rpartition("..")[2] in written or ".." not in fact.value
    )  # "1.71" of "between 1.71 and 1.85" is not
    return written if len(written) < len(quote) and bound == "exact" and whole else value_text(fact, names)


def evidence_in_passage(store: Store, fact: Fact) -> Evidence:
    """The quote that a fact cites, in the passage of this knowledge base that holds it."""
    cited = fact_evidence(fact)
    passage = next((p.passage for p in _passages(store, fact)), None)
    return cited if passage is None else replace(cited, heading=passage.heading, role=passage.role, passage=passage.id)


def _passages(store: Store, fact: Fact) -> Iterator[StoredPassage]:
    start = fact.claim.start
    return (p for p in store.source_passages(fact.claim.source) if p.passage.start <= start < p.passage.end)
