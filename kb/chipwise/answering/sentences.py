"""Words of answers: what things are called, figures as they are written, and the sentence that says one.

How a metric is said is data: `says` of metrics.toml.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from chipwise.answering.answer import Cited, Part, Row, Ruling, Told, evidence_in_passage, figure
from chipwise.answering.base import Base
from chipwise.answering.query import Counted
from chipwise.claims.model import Fact
from chipwise.figures.alike import ENGINE, MATRIX, usual_engine
from chipwise.figures.format import date, in_words, value_text

_IN_FULL = 12
_PER_CHIP = "per chip"
_PER_MACHINE = ("per node", "per rack", "per pod", "per slice")  # of what is a machine itself
_WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


class Writer:
    """An answer as it is written: words, with a citation behind what a fact says. Each fact is cited once and by one number."""

    def __init__(self, base: Base) -> None:
        self.base = base
        self._parts: list[Part] = []
        self._cited: dict[str, Cited] = {}
        self._facts: dict[str, Fact] = {}
        self._rows: list[Row] = []
        self._begins = True

    def add(self, *said: str | Fact | Ruling) -> None:
        """Words, and a fact as the mark of its citation; the first word of a sentence gets its capital here."""
        for part in said:
            if isinstance(part, Fact):
                self._parts.append(self._mark(part))
            elif part:
                self._parts.append(capital(part) if isinstance(part, str) and self._begins else part)
                self._begins = False

    def end(self, mark: str = ".") -> None:
        """The end of a sentence; what follows is another one."""
        self._parts.append(mark)
        self._begins = True

    def next(self) -> None:
        """What parts a sentence from the one before, where there is one."""
        if self._parts and self._begins and self._parts[-1] != " ":
            self._parts.append(" ")

    def row(self, row: Row) -> None:
        """A value that is no fact's."""
        self._rows.append(row)

    def told(self) -> Told:
        """What was written; citations are numbered in the order of the text."""
        return Told(tuple(self._parts), tuple(self._cited.values()), tuple(self._facts.values()), tuple(self._rows))

    def _mark(self, fact: Fact) -> Cited:
        self._facts.setdefault(fact.id, fact)
        if fact.id not in self._cited:
            self._cited[fact.id] = Cited(evidence_in_passage(self.base.store, fact))
        return self._cited[fact.id]


def name(entity: str, base: Base) -> str:
    """What something is called, less its maker: "H200"."""
    known = base.domain.entities.get(entity)
    full = base.names.name(entity)
    short = full.removeprefix(f"{known.vendor} ") if known is not None else full
    return short if short and not short[0].islower() and len(short) > 1 else full


def the(entity: str, base: Base) -> str:
    """ "the H200"; any of a line is "a TPU", and a family goes without an article."""
    called = name(entity, base)
    if base.domain.kind(entity) == "line":
        return f"{_article(called)} {called}"
    return called if base.domain.is_many(entity) else f"the {called}"


def counted(subject: Counted, base: Base, *, beside_several: bool = False) -> str:
    """ "two H200s", "one MI300X", "the H200"."""
    count = subject.count or 1
    if count == 1:
        return f"one {name(subject.entity, base)}" if beside_several else the(subject.entity, base)
    number = _WORDS[count - 1] if count <= _IN_FULL else f"{count:,}"
    return f"{number} {name(subject.entity, base)}s"


def value(fact: Fact, base: Base) -> str:
    """The figure as its quote writes it, or the name of a category; a date with its preposition: "in March 2024"."""
    if base.domain.metrics[fact.claim.metric].dimension == "date":
        return date(fact.value)
    as_written = fact.claim.quantity is not None and base.domain.metrics[fact.claim.metric].nature != "priced"
    return figure(fact, base.names) if as_written else value_text(fact, base.names)


def qualified(fact: Fact, base: Base, less: Iterable[str] = ()) -> str:
    """ " (BF16, dense)"; that a figure is of one chip goes without saying. A price is told with its date."""
    claim = fact.claim
    if claim.qualifier(ENGINE) == usual_engine(fact) == MATRIX:  # goes without saying
        claim = replace(claim, qualifiers=tuple(q for q in claim.qualifiers if q[0] != ENGINE))
    said = in_words(claim, base.names, less=" ".join(less)).split(", ")
    unsaid = {_PER_CHIP, *(_PER_MACHINE if base.names.is_machine(fact.claim.subject) else ())}
    kept = [part for part in said if part and part not in unsaid]
    if base.names.metrics[fact.claim.metric].nature == "priced" and fact.as_of:
        kept.append(f"as of {fact.as_of}")
    if not fact.place and fact.citation.title:
        kept.append(f"says {fact.citation.title}")
    return f" ({', '.join(kept)})" if kept else ""


def say(writer: Writer, fact: Fact, *, of: str = "") -> None:
    """One fact as a clause with its citation: "the H200 has 141 GB of HBM3e memory [1]"."""
    base = writer.base
    metric = base.domain.metrics[fact.claim.metric]
    whose = of or the(fact.claim.subject, base)
    kind = base.names.name(fact.claim.qualifier("memory_kind")) if fact.claim.qualifier("memory_kind") else ""
    pattern = metric.says or f"has {_article(metric.name)} {metric.name} of {{}}"
    clause = pattern.replace("{kind}", kind or "memory").format(value(fact, base))
    less = [kind] if "{kind}" in pattern else []
    writer.add(f"{whose} {clause}{qualified(fact, base, less)} ", fact)


def _article(words: str) -> str:
    return "an" if words[:1].lower() in "aeiou" else "a"


def capital(text: str) -> str:
    """With a capital letter in front, and the rest as it is."""
    return text[:1].upper() + text[1:]


def and_list(writer: Writer, items: Sequence[tuple[str, Fact]]) -> None:
    """ "A [1], B [2] and C [3]"."""
    for n, (said, fact) in enumerate(items):
        writer.add("" if n == 0 else " and " if n == len(items) - 1 else ", ", f"{said} ", fact)
