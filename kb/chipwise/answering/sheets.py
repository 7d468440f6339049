"""A worksheet as an answer: what comes first, the arithmetic, what its figures are of, what is assumed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from chipwise.answering.model import Row, Ruling
from chipwise.answering.quoting import Cited, Told, evidence_in_passage
from chipwise.audit.evidence import span_evidence
from chipwise.claims.model import Fact, Key
from chipwise.domain.names import Names
from chipwise.figures.bindings import Sources
from chipwise.figures.derivation import Derivation
from chipwise.figures.format import in_words
from chipwise.figures.llms import LanguageModel, row_evidence
from chipwise.index.store import Store
from chipwise.numbers.quantity import Quantity
from chipwise.sizing.worksheet import Reference, Worksheet
from chipwise.types import Evidence


def write(sheet: Worksheet, lead: str, rows: Sequence[Row], sources: Sources, ruling: Ruling | None = None) -> Told:
    """A worksheet behind a ruling and its result; each figure is cited by what it rests on, and a fact's says what it is of."""
    said = [lead, *(line.says for line in sheet.lines)]
    used = [r for r in sheet.references if any(f" [{r.n}]" in text for text in said)]
    said += _described(used, sources.names)
    parts = [f"{text[:1].upper()}{text[1:]}." for text in said if text]
    if ruling is not None:  # "Yes: in FP8 ..."
        parts[0] = f"{next(filter(None, said))}."
    assumed = [text.partition(": give --")[0] for text in sheet.assumptions]
    parts += [f"Assumed: {'; '.join(assumed)}."] if assumed else []
    parts += [f"{note[:1].upper()}{note[1:]}." for note in sheet.notes]
    text, cited = " ".join(parts), list[Cited]()
    for reference in sheet.references:
        mark, evidence = f" [{reference.n}]", _evidence(reference, sources.store)
        cited += [Cited(evidence)] if evidence is not None and mark in text else []
        text = text.replace(mark, f" [#{len(cited)}]" if evidence is not None else "")
    facts = [r.of for r in used if isinstance(r.of, Fact)]
    return replace(Told.of(text.replace("[#", "["), cited, facts, ruling), rows=tuple(rows))


def _evidence(reference: Reference, store: Store) -> Evidence | None:
    """The quote behind a number; None where the knowledge base does not hold it."""
    if isinstance(reference.of, Fact):
        return evidence_in_passage(store, reference.of)
    if isinstance(reference.of, LanguageModel):
        return row_evidence(reference.of)
    quote, info = reference.citation.quote, store.find_source(reference.source)
    for stored in store.source_passages(reference.source):
        at = stored.passage.text.find(quote)
        if at >= 0:
            return span_evidence(stored.passage, info, at, at + len(quote))
    return None


def _described(references: Sequence[Reference], names: Names) -> Iterator[str]:
    """What each fact is a figure of: "[1] is the peak compute of NVIDIA H100 SXM (BF16, dense, per chip)"."""
    for reference in references:
        if isinstance(fact := reference.of, Fact):
            claim, dated = fact.claim, names.metrics[fact.claim.metric].nature == "priced" and fact.as_of
            qualified = ", ".join(filter(None, (in_words(claim, names), f"as of {fact.as_of}" if dated else "")))
            what = f"the {names.metrics[claim.metric].name} of {names.name(claim.subject)}"
            yield f"From [{reference.n}]: {what}{f' ({qualified})' if qualified else ''}"


def row(derivation: Derivation, subject: str = "") -> Row:
    """The result, of the chip or machine that its facts are of."""
    variable, value = derivation.variable, derivation.value
    of = {b.origin.claim.subject for b in derivation.bindings.values() if isinstance(b.origin, Fact)}
    subject = subject or (of.pop() if len(of) == 1 else "")
    unit = variable.units[0] if variable.units else variable.noun
    quantity = Quantity(0, 0, variable.dimension, unit, value.low, value.high)
    return Row(subject, Key(subject, variable.id), quantity, unit, derivation.result(), derivation)
