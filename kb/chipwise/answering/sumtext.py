"""A sum as the text of an answer: each step in words and in figures, what each figure is cited by, and what is assumed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from chipwise.answering.asked import Asked
from chipwise.answering.givens import Given
from chipwise.answering.model import Row
from chipwise.answering.quoting import Cited, Told, evidence_in_passage
from chipwise.answering.targets import Plan
from chipwise.audit.evidence import span_evidence
from chipwise.claims.model import Fact, Key
from chipwise.domain.formulas import Convention, Equation
from chipwise.domain.names import Names
from chipwise.figures.bindings import Sources
from chipwise.figures.derivation import Binding, Derivation
from chipwise.figures.format import in_words, listed
from chipwise.index.store import Store
from chipwise.numbers.quantity import Quantity
from chipwise.types import Evidence


@dataclass
class _Cited:
    """What an answer cites so far, by what that is; the text has its place in this order, as "[2]"."""

    cited: dict[str, Cited] = field(default_factory=dict)
    facts: list[Fact] = field(default_factory=list)
    said: dict[str, list[str]] = field(default_factory=dict)  # by description of a fact, its figures with their marks

    def mark(self, evidence: Evidence, fact: Fact | None = None) -> str:
        key = f"{evidence.source} {evidence.start} {evidence.end} {fact.id if fact else ''}"
        self.cited.setdefault(key, Cited(evidence))
        return f" [{[*self.cited].index(key) + 1}]"


def compose(plans: Sequence[Plan], asked: Asked, sources: Sources) -> Told:
    """What the plans tell, one after the other: steps, what is cited, what is assumed, and the results as rows."""
    cited = _Cited()
    told = [_lines(plan, sources, cited) for plan in plans]
    notes = [
        f"{listed(figures)} {'is' if len(figures) == 1 and 'chips' not in figures[0] else 'are'} {what}"
        for what, figures in cited.said.items()
    ]
    used = {b.origin.start for p in plans for b in p.derivation.bindings.values() if isinstance(b.origin, Given)}
    given = [g.text for g in asked.figures if g.start in used]
    if given:
        notes.append(f"{listed(given)} as given")
    text = " ".join(told) + (f" {'; '.join(notes)}." if notes else "")
    assumed = _assumptions(plans, sources.store, cited)
    notes_of = dict.fromkeys(sources.network.variables[s.variable].note for p in plans for s in p.derivation.steps)
    assumed += "".join(f" {note[:1].upper()}{note[1:]}." for note in notes_of if note)
    unused = ", ".join(dict.fromkeys(word for plan in plans for word in plan.unused))
    assumed += f' Not used: "{unused}".' if unused else ""
    rows = tuple(_row(plan.derivation) for plan in plans)
    return replace(Told.of(f"{text}{assumed}", list(cited.cited.values()), cited.facts), rows=rows)


def _row(derivation: Derivation) -> Row:
    """The result, of the chip or machine that its facts are of."""
    variable, value = derivation.variable, derivation.value
    of = {b.origin.claim.subject for b in derivation.bindings.values() if isinstance(b.origin, Fact)}
    subject = of.pop() if len(of) == 1 else ""
    unit = variable.units[0] if variable.units else variable.noun
    quantity = Quantity(0, 0, variable.dimension, unit, value.low, value.high)
    return Row(subject, Key(subject, variable.id), quantity, unit, derivation.result(), derivation)


def _lines(plan: Plan, sources: Sources, cited: _Cited) -> str:
    derivation = plan.derivation

    def shown(binding: Binding) -> str:
        text = derivation.text_of(binding)
        if not isinstance(binding.origin, Fact):
            return text
        fact = binding.origin
        mark = cited.mark(evidence_in_passage(sources.store, fact), fact)
        if fact not in cited.facts:
            cited.facts.append(fact)
            of = sources.names.name(fact.claim.subject) not in plan.label or binding.figure == "chips"
            cited.said.setdefault(_described(fact, sources.names, of=of), []).append(text + mark)
        return text + mark

    def law(equation: Equation) -> str:
        evidence = quoted(sources.store, equation.source, equation.quote) if equation.source else None
        return cited.mark(evidence) if evidence is not None else ""

    lines = derivation.lines(shown, law)
    if len(lines) > 1 and derivation.steps[-1].is_alias:
        lines.pop()  # "memory needed = weights" says nothing that the line before does not
    first = f"{plan.label}: " if plan.label else ""
    if len(lines) > 1:
        bound = f"{derivation.bound} " if derivation.bound else ""
        first += f"{bound}{derivation.result()}. "
        first = first if plan.label else first[:1].upper() + first[1:]
    return first + " ".join(f"{line}." for line in lines)


def _assumptions(plans: Sequence[Plan], store: Store, cited: _Cited) -> str:
    """ " Assumed: BF16 weights (2 bytes)."; "" where nothing is."""
    conventions: dict[str, Convention] = {c.id: c for p in plans for c in p.derivation.assumes}
    said = []
    for convention in conventions.values():
        evidence = quoted(store, convention.source, convention.quote) if convention.source else None
        said.append(convention.says + (cited.mark(evidence) if evidence is not None else ""))
    return f" Assumed: {'; '.join(said)}." if said else ""


def _described(fact: Fact, names: Names, *, of: bool) -> str:
    claim, name = fact.claim, names.name(fact.claim.subject)
    qualified = in_words(claim, names, less="" if of else claim.qualifier("form_factor"))
    dated = names.metrics[claim.metric].nature == "priced" and fact.as_of
    qualified = ", ".join(filter(None, (qualified, f"as of {fact.as_of}" if dated else "")))
    whose = f" of {'the ' if ' ' in name else ''}{name}" if of else ""
    return f"the {names.metrics[claim.metric].name}{whose}{f' ({qualified})' if qualified else ''}"


def quoted(store: Store, source: str, quote: str) -> Evidence | None:
    """Where `quote` stands in a source, None where it does not."""
    info = store.find_source(source)
    for stored in store.source_passages(source) if info is not None else ():
        at = stored.passage.text.find(quote)
        if at >= 0:
            return span_evidence(stored.passage, info, at, at + len(quote))
    return None
