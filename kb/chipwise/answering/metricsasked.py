"""Which metrics a question asks for, out of what its words may mean, and in which unit.

"how fast in FP8"            ->  the peak
"GDDR6 bandwidth of the T4"  ->  the memory's bandwidth, and no capacity
"Infinity Fabric bandwidth"  ->  that of the link, and of no memory
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from chipwise import patterns as re
from chipwise.answering.askedmentions import asked_as, joined, split_at_commas, without_kinds
from chipwise.answering.kinds import AROUND_THE_CLOCK, COUNTED_BEFORE, NUMBER_WANTED, PACE
from chipwise.domain.model import Domain
from chipwise.domain.phrasebook import Mention

# subtle: words are whole ones, or "how many MI300X" would ask for miles
_UNIT_WANTED = re.compile(r"\b(?:how many|number of|in)\s+([A-Za-z/]+\b(?:[ /-][A-Za-z/]+\b){0,3})", re.I)


def metrics_asked(domain: Domain, asked: str, entities: Sequence[Mention], *, states: bool) -> list[Mention]:
    """Where a question names metrics; one that `states` something asks for none by "does it do BF16"."""
    found = domain.find_metrics(asked) if states else domain.find_metrics_asked(asked)
    idioms = [m.span() for m in AROUND_THE_CLOCK.finditer(asked)]
    found = [m for m in found if not any(start <= m.start < end for start, end in idioms)]
    apart = [m for m in found if not any(e.start <= m.start and m.end <= e.end for e in entities)]
    if any(domain.metrics[i].dimension != "count" for m in apart for i in m.ids):
        found = apart  # "the v5e pod's peak" asks for no size of the pod
    found = without_kinds(domain, asked, list(split_at_commas(domain, asked, found)))
    found = asked_as(domain, asked, [_meant(domain, asked, m) for m in found])
    found = _less_general(domain, asked, _of_the_link(domain, asked, _joined_ones(domain, asked, found)))
    products = (domain.is_chip(i) or domain.is_many(i) or domain.holds_several(i) for m in entities for i in m.ids)
    if any(products):
        return found
    # "the KV cache at fp16" asks for no peak
    formats = {(m.start, m.end) for m in domain.find_qualifiers(asked) if m.ids[0].startswith("dtype=")}
    return [m for m in found if not _is_format(m, formats)]


def _meant(domain: Domain, asked: str, mention: Mention) -> Mention:
    """Of metrics that go by one word ("interconnect") the category, where the word is its name and no number is wanted."""
    said = asked[mention.start : mention.end].lower()
    named = tuple(i for i in mention.ids if domain.metrics[i].dimension == "text" and domain.metrics[i].name == said)
    number = NUMBER_WANTED.search(asked) or unit_asked(domain, asked) or PACE.search(asked)
    return mention if number or not named else replace(mention, ids=named)


def _of_the_link(domain: Domain, asked: str, mentions: list[Mention]) -> list[Mention]:
    """The bare "bandwidth" of a link that is named ("Infinity Fabric") is that of the link, and not of any memory."""
    linked = [m for m in mentions if any(domain.metrics[i].dimension == "text" for i in m.ids)]
    rate = {i for m in linked for i in m.ids if domain.metrics[i].dimension == "information_rate"}
    links = any(domain.terms[i].kind == "interconnect" for m in domain.find_terms(asked) for i in m.ids)
    if not links or not rate:
        return mentions
    bare = [m for m in mentions if asked[m.start : m.end].lower() == "bandwidth"]
    return [replace(m, ids=tuple(rate)) if m in bare else m for m in mentions]


def _less_general(domain: Domain, asked: str, mentions: list[Mention]) -> list[Mention]:
    """Without a speed-up that only says which way the metric right behind it is compared: "faster chip-to-chip links"."""
    own = {m.start for m in mentions if not any(domain.metrics[i].general for i in m.ids)}
    return [
        m
        for m in mentions
        if m.start in own or not any(asked[m.end : start].strip() in ("", "the") for start in own if start >= m.end)
    ]


def _joined_ones(domain: Domain, asked: str, mentions: list[Mention]) -> list[Mention]:
    """Without categories that stand apart from a row of figures, or from a price.

    Of "for inference: memory and power" two are asked for, of "list price of a Gaudi 3 baseboard" one.
    """
    figures = [m for m in mentions if any(domain.metrics[i].dimension != "text" for i in m.ids)]
    priced = bool(figures) and all(domain.metrics[m.ids[0]].nature == "priced" for m in figures)
    if priced and mentions[0] in figures and not joined(asked, mentions):
        return figures
    apart = len(figures) > 1 and len(figures) < len(mentions) and not joined(asked, mentions)
    return figures if apart and joined(asked, figures) else mentions


def _is_format(mention: Mention, formats: set[tuple[int, int]]) -> bool:
    """True for a metric that is named by no more than a number format: "in FP8"."""
    return any(
        mention.start <= start and end == mention.end and start - mention.start <= len("in ") for start, end in formats
    )


def by_their_words(domain: Domain, asked: str, metrics: tuple[str, ...]) -> tuple[str, ...]:
    """Of several dates that "when did" may ask for the one that the question has words of: "become available"."""
    said = {i for m in domain.find_metrics(asked) for i in m.ids}
    dates = [m for m in metrics if domain.metrics[m].dimension == "date"]
    told = [m for m in dates if m in said]
    return tuple(m for m in metrics if m not in dates or m in told) if told else metrics


def unit_asked(domain: Domain, asked: str) -> str:
    """What is to be counted or measured in; of "how many MI300X" chips, and of "how many v5p cores" cores."""
    for m in domain.find_entities(asked):
        if COUNTED_BEFORE.search(asked[: m.start]) and domain.is_chip(m.ids[0]):
            return domain.find_unit(asked[m.end :].strip()) or "chips"
    return next((unit for m in _UNIT_WANTED.finditer(asked) if (unit := domain.find_unit(m[1]))), "")
