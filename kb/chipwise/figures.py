"""What each sentence is about, and the figures that it states.

    "The H100 has 80 GB; its successor, the H200, has 141 GB."
        ->  (nvidia-h100, memory_capacity, 80 GB), (nvidia-h200, memory_capacity, 141 GB)

Runs once, at build, over the passages of one source in reading order: a
sentence without a chip of its own ("It delivers 3,800 tokens per second") is
about the one named last under the same heading.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from chipwise.domain import Domain
from chipwise.phrasebook import Mention
from chipwise.quantities import Quantity
from chipwise.text import ITEM_MARK, Span
from chipwise.types import Passage, Role

# What stands before a name that the sentence is not about: a count, a comparison, an apposition.
_COUNTS = r"(?:\d|\b(?:two|three|four|five|six|eight|ten|sixteen|many|several))[\s-]"
_COMPARES = r"\b(?:than|over|versus|vs\.?|against|compared (?:to|with)|relative to|unlike)\s(?:an?\s|the\s|its\s)?"
_LIKENS = r"\b(?:like|as)\san?\s"
_ASIDE = re.compile(f"(?:{_COUNTS}|{_COMPARES}|{_LIKENS})$", re.I)
_NO_OWNER = re.compile(f"(?:{_COUNTS}|{_LIKENS})$", re.I)
_COUNTED = re.compile(r"\d[\s-]$")
_OWNS = re.compile(r"(?:\s(?:of|for|in|on|per)\s(?:the\s|an?\s|each\s|one\s)?|\s\()", re.I)
_COORDINATES = re.compile(r"\s*(?:,|/|&|and|or|to)\s*(?:the\s|an?\s|both\s)?", re.I)
_SPECIFIC = ("chip", "variant", "system", "slice")


@dataclass(frozen=True, slots=True)
class Figure:
    """One number that a sentence states; `start`, `end` count from the passage's start.

    `subject` or `metric` is empty where the text does not tell.
    """

    subject: str
    metric: str
    quantity: Quantity


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a passage with what it names.

    `entities` are named in it; `carried` are what it is about without naming
    them. Spans count from the passage's start.
    """

    start: int
    end: int
    entities: tuple[str, ...] = ()
    carried: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ()
    terms: tuple[str, ...] = ()
    figures: tuple[Figure, ...] = ()

    @property
    def subjects(self) -> tuple[str, ...]:
        """What it is about: named, or carried from before."""
        return self.entities or self.carried


@dataclass
class _Reader:
    """The state that reading in order needs: what was spoken of last, under which heading."""

    domain: Domain
    heading: tuple[str, ...] | None = None
    role: Role | None = None
    about: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()  # product lines that the heading names: only their chips are carried

    def enter(self, passage: Passage) -> None:
        if passage.heading == self.heading and passage.role is self.role:
            return
        self.heading, self.role = passage.heading, passage.role
        named = _ids(self.domain.find_entities(" / ".join((*passage.heading, passage.context))))
        specific = tuple(i for i in named if self.domain.entities[i].kind in _SPECIFIC)
        # a table's header names every column, so it is no row's subject
        self.about = () if passage.role is Role.TABLE else specific
        self.lines = () if specific else named

    def carry(self, entities: tuple[str, ...]) -> None:
        """Remembers what was spoken of last, if it fits under the heading."""
        fitting = [e for e in entities if not self.lines or set(self.domain.ancestors(e)) & set(self.lines)]
        if fitting:
            self.about = tuple(fitting[-1:])


def annotate(passages: Sequence[Passage], domain: Domain) -> list[tuple[Sentence, ...]]:
    """For each passage of one source, in order, its sentences with what they name."""
    reader = _Reader(domain)
    annotated = []
    for passage in passages:
        reader.enter(passage)
        annotated.append(tuple(_read(reader, passage, span) for span in passage.sentences))
    return annotated


def _read(reader: _Reader, passage: Passage, span: Span) -> Sentence:
    domain, text = reader.domain, passage.text[slice(*span)]
    mentions = domain.find_entities(text)
    named = _ids(mentions)
    metrics = domain.find_metrics(text)
    carried = () if _own_subjects(domain, text, mentions) else reader.about
    figures = tuple(_figures(domain, text, mentions, metrics, carried, _header_metrics(reader, passage)))
    shifted = tuple(_shift(figure, span[0]) for figure in figures)
    specific = tuple(i for i in named if domain.entities[i].kind in _SPECIFIC)
    # an item names a part or an example; the items after it are about what the list is about
    if specific and passage.role is not Role.TABLE and not ITEM_MARK.match(text):
        reader.carry(specific)
    terms = _ids(domain.find_terms(text))
    return Sentence(span[0], span[1], named, carried, _ids(metrics), terms, shifted)


def _header_metrics(reader: _Reader, passage: Passage) -> tuple[str, ...]:
    above = " / ".join((*passage.heading[-1:], passage.context))
    return _ids(reader.domain.find_metrics(above))


def _figures(
    domain: Domain,
    text: str,
    mentions: Sequence[Mention],
    metrics: Sequence[Mention],
    carried: tuple[str, ...],
    above: tuple[str, ...],
) -> Iterator[Figure]:
    for quantity in domain.unit_table.find(_without_counted_names(text, mentions)):
        subject = _nearest_subject(domain, text, mentions, quantity) or (carried[-1] if carried else "")
        metric = _nearest_metric(domain, metrics, quantity) or _fitting(domain, above, quantity)
        metric = metric or domain.default_metrics.get(quantity.dimension, "")
        yield Figure(subject, metric, quantity)


def _without_counted_names(text: str, mentions: Sequence[Mention]) -> str:
    """The text with the name in "144 Trainium3 chips" blanked out, so that the count finds its noun."""
    left = list(text)
    for m in mentions:
        if _COUNTED.search(text[max(0, m.start - 2) : m.start]) and text[m.end : m.end + 1] == " ":
            left[m.start : m.end] = " " * (m.end - m.start)
    return "".join(left)


def _specific(domain: Domain, text: str, mentions: Sequence[Mention], unless: re.Pattern[str]) -> list[Mention]:
    return [
        m
        for m in mentions
        if any(domain.entities[i].kind in _SPECIFIC for i in m.ids)
        and not unless.search(text[max(0, m.start - 24) : m.start])
    ]


def _own_subjects(domain: Domain, text: str, mentions: Sequence[Mention]) -> list[Mention]:
    """The specific entities that a sentence is about.

    One that is counted ("a rack of 72 B200") is what the subject is made of, and
    one after "than" what it is compared with.
    """
    return _specific(domain, text, mentions, _ASIDE)


def _nearest_subject(domain: Domain, text: str, mentions: Sequence[Mention], quantity: Quantity) -> str:
    """Whose figure it is: "667 TFLOPS of Trainium2", else what was named last before it, else the subject after it.

    "76% more than the H100 with its 80 GB": a figure behind what is compared with is that one's.
    """
    named = _specific(domain, text, mentions, _NO_OWNER)
    owner = next((m for m in named if m.start >= quantity.end and _OWNS.fullmatch(text[quantity.end : m.start])), None)
    before = [m for m in named if m.end <= quantity.start]
    if owner is None and len(before) > 1 and _COORDINATES.fullmatch(text[before[-2].end : before[-1].start]):
        return ""  # "the H100 and H200 have 80 to 141 GB": whose is which?
    own = _own_subjects(domain, text, mentions)
    chosen = owner or (before[-1] if before else own[0] if own else None)
    return chosen.ids[0] if chosen is not None and len(chosen.ids) == 1 else ""


def _nearest_metric(domain: Domain, metrics: Sequence[Mention], quantity: Quantity) -> str:
    """The metric of the figure's dimension whose wording stands closest to it."""
    best, nearest = "", 10**9
    for mention in metrics:
        for metric in mention.ids:
            before, after = quantity.start - mention.end, mention.start - quantity.end
            gap = before if before >= 0 else 2 * max(after, 0)  # "a TDP of 700 W": the wording mostly comes first
            if domain.metrics[metric].dimension == quantity.dimension and gap < nearest:
                best, nearest = metric, gap
    return best


def _fitting(domain: Domain, metrics: Sequence[str], quantity: Quantity) -> str:
    return next((m for m in metrics if domain.metrics[m].dimension == quantity.dimension), "")


def _shift(figure: Figure, by: int) -> Figure:
    q = figure.quantity
    moved = Quantity(q.start + by, q.end + by, q.dimension, q.unit, q.low, q.high, q.bound)
    return Figure(figure.subject, figure.metric, moved)


def _ids(mentions: Sequence[Mention]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(i for mention in mentions for i in mention.ids))
