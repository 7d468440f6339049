"""A source's text as the units that the claim reader reads: sentences, headings, lines of a listing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from chipwise import patterns as re
from chipwise.claims.candidates import ALIAS, Found, find_candidates
from chipwise.claims.leading import opens_paragraph, unmarked
from chipwise.claims.scene import read_scene
from chipwise.domain.model import Domain
from chipwise.text import Span
from chipwise.types import Passage, Role

LONGEST = 1200  # characters of a unit; what goes on behind them is cut off
_HEADING = 160


@dataclass(frozen=True)
class Unit:
    """One stretch that is read as a whole.

    `places` are the spans of `found.figures` in the source.
    `lead` is the number of the sentence that a table follows, -1 without one; `depth` that of a heading, 0 of the title.
    """

    text: str
    zone: str  # heading, prose, list, listing
    found: Found
    places: tuple[Span, ...] = ()
    span: Span = (0, 0)
    passage: int = -1  # ordinal
    depth: int = 0
    lead: int = -1
    opens: bool = True


def read_units(domain: Domain, passages: Sequence[Passage], title: str = "") -> list[Unit]:
    """The units of one source, in order; headings stand where they begin."""
    reader = _Reader(domain, title)
    for passage in passages:
        reader.enter(passage.heading)
        if passage.role is Role.TABLE:
            continue  # read by its labels
        if passage.role is Role.CODE:
            reader.units += reader.listing(passage)
        else:
            reader.units += reader.sentences(passage)
    return _with_aliases(domain, reader.units)


def most_named(domain: Domain, units: Sequence[Unit]) -> tuple[str, ...]:
    """The chip or machine that a text names most often, if it is named at least twice; () where two are named as often."""
    names = Counter(n.ids[0] for u in units for n in u.found.names if len(n.ids) == 1 and domain.is_specific(n.ids[0]))
    most = names.most_common(2)
    return (most[0][0],) if most and most[0][1] > 1 and (len(most) == 1 or most[0][1] > most[1][1]) else ()


def _with_aliases(domain: Domain, units: list[Unit]) -> list[Unit]:
    """Each name that a text makes itself with the product that it is first named beside: "Bidder A offers MI325X"."""
    meant: dict[str, tuple[str, ...]] = {}
    for unit in units:
        for name in unit.found.names:
            if name.kind == ALIAS and not meant.get(name.surface):
                beside = [n for n in unit.found.names if len(n.ids) == 1 and domain.is_specific(n.ids[0])]
                beside.sort(key=lambda n: (n.start < name.start, abs(n.start - name.start)))
                meant[name.surface] = beside[0].ids if beside else ()
    if not any(meant.values()):
        return units
    return [
        replace(
            u,
            found=replace(
                u.found,
                names=tuple(replace(n, ids=meant.get(n.surface, ())) if n.kind == ALIAS else n for n in u.found.names),
            ),
        )
        for u in units
    ]


class _Reader:
    def __init__(self, domain: Domain, title: str) -> None:
        self.domain, self.title = domain, title.strip()
        self.units: list[Unit] = []
        self.before: tuple[str, ...] = ()
        self.find = lru_cache(maxsize=4096)(lambda text: find_candidates(domain, read_scene(domain, text)))
        if self.title:
            self.head(self.title, 0)

    def head(self, words: str, depth: int) -> None:
        text = words[:_HEADING]
        self.units.append(Unit(text, "heading", replace(self.find(text), figures=()), depth=depth))

    def enter(self, heading: tuple[str, ...]) -> None:
        """Adds the headings that begin here."""
        same = 0
        while same < min(len(heading), len(self.before)) and heading[same] == self.before[same]:
            same += 1
        for depth, words in enumerate(heading[same:], same + 1):
            if words.strip().lower() != self.title.lower():
                self.head(words, depth)
        self.before = heading

    def sentences(self, passage: Passage) -> Iterator[Unit]:
        zone = "list" if passage.role is Role.LIST else "prose"
        for at, (start, end) in enumerate(passage.sentences):
            text = unmarked(passage.text[start:end])[:LONGEST]
            span = (passage.start + start, passage.start + end)
            yield self.plain(text, zone, passage.ordinal, span, opens=opens_paragraph(passage, at))

    def plain(self, text: str, zone: str, passage: int, span: Span, *, opens: bool) -> Unit:
        found = self.find(text)
        places = tuple((span[0] + f.start, span[0] + f.end) for f in found.figures)
        return Unit(text, zone, found, places, span, passage, opens=opens)

    def listing(self, passage: Passage) -> Iterator[Unit]:
        """The lines of a listing in a text."""
        for m in re.finditer(r"[^\n]+", passage.text):
            line, span = m[0], (passage.start + m.start(), passage.start + m.end())
            if line.strip() and not line.lstrip().startswith("```"):
                yield self.plain(line[:LONGEST], "listing", passage.ordinal, span, opens=False)
