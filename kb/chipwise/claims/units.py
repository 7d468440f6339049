"""A source's text as the units that the claim reader reads: sentences, headings, lines of a listing, rows of a table.

    | GPU  | Memory (GB) |
    | H200 |         141 |     ->    "GPU: H200 ; Memory (GB): 141"

A row is written out with its headers, so that it reads like a sentence; each figure keeps its place in the source.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from chipwise import patterns as re
from chipwise.claims.candidates import ALIAS, BARE, UNKNOWN, Candidate, Found, Name, dimension_of, find_candidates
from chipwise.claims.leading import opens_paragraph, unmarked
from chipwise.claims.scene import read_scene
from chipwise.domain.model import Domain
from chipwise.text import Span
from chipwise.types import Passage, Role

LONGEST = 1200  # characters of a unit; what goes on behind them is cut off
_HEADING = 160
_CELL = 160
_LABEL, _HEADER = 90, 60
# "(GB)", "[TFLOPS]", "Memory, GB", "Price in USD", "memory_gb", "Bandwidth GB/s" and the like: where a header may hold the unit of its column
_UNIT_OF = re.compile(
    r"[(\[]([^)\]]{1,20})[)\]]|,\s*([\w/$%²]{1,12})\s*$|\bin\s([\w/$%²]{1,12})\b|_([A-Za-z]{1,6}(?:_per_[a-z]+)?)\W*$|\s([A-Za-z$%²]{1,8}(?:/\w+)?)\s*$"
)
_PER_HOUR = re.compile(r"hour|/\s?hr?\b|hourly|_hr\b", re.I)
_CSV_CELLS = 3  # that make a line of a listing a row
_KEY = re.compile(r"[\"']?([A-Za-z_][\w .-]*?)[\"']?\s*[:=]\s*[\"']?$")


@dataclass(frozen=True)
class Unit:
    """One stretch that is read as a whole.

    `places` are the spans of `found.figures` in the source; `columns` the parts of a row in `text` with their kind.
    `lead` is the number of the sentence that a table follows, -1 without one; `depth` that of a heading, 0 of the title.
    """

    text: str
    zone: str  # heading, prose, list, row, listing
    found: Found
    places: tuple[Span, ...] = ()
    span: Span = (0, 0)
    passage: int = -1  # ordinal
    depth: int = 0
    lead: int = -1
    opens: bool = True
    columns: tuple[tuple[int, int, str], ...] = field(default=(), compare=False)


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
        """The lines of code, of JSON, YAML and CSV; a line of CSV is written out as a row."""
        lines = [(m.start(), m.end()) for m in re.finditer(r"[^\n]+", passage.text)]
        first = next((passage.text[s:e] for s, e in lines if "," in passage.text[s:e]), "")
        header = [h.strip().strip("\"'") for h in first.split(",")]
        is_csv = len(header) >= _CSV_CELLS and not any(c in first for c in "{}[]=:(")
        for start, end in lines:
            line, span = passage.text[start:end], (passage.start + start, passage.start + end)
            if not line.strip() or line.lstrip().startswith("```") or (is_csv and line == first):
                continue
            cells = [(m.start(1), m.end(1)) for m in re.finditer(r'(?:^|,)\s*("[^"]*"|[^,]*)', line)] if is_csv else []
            if cells and len(cells) == len(header):
                parts = [(h, line[s:e], span[0] + s) for h, (s, e) in zip(header, cells, strict=True) if e > s]
                yield self.row(parts, "", passage.ordinal, span)
            else:
                unit = self.plain(line[:LONGEST], "listing", passage.ordinal, span, opens=False)
                yield replace(
                    unit, found=replace(unit.found, figures=tuple(self.keyed(line, f) for f in unit.found.figures))
                )

    def keyed(self, line: str, figure: Candidate) -> Candidate:
        """A number behind a key that holds its unit: "memory_gb: 80"."""
        key = _KEY.search(line, 0, figure.start) if figure.dimension == BARE else None
        return self.with_unit(figure, key[1]) if key else figure

    def row(self, cells: Sequence[tuple[str, str, int]], section: str, passage: int, span: Span) -> Unit:
        """A row of (header, words, place in the source)."""
        text, found, columns, places = "", list[Found](), list[tuple[int, int, str]](), list[Span]()

        def put(words: str, part: str, place: int = -1, header: str = "") -> None:
            nonlocal text
            own = self.find(words)
            if part in ("header", "section"):
                own = replace(own, figures=())
            elif header:
                own = replace(own, figures=tuple(self.with_unit(f, header) for f in own.figures))
            if part == "label" and not own.names and not own.cues and self._may_name(words):
                own = replace(own, names=(Name(0, len(words), UNKNOWN, (), words),))
            found.append(own.moved(len(text), part, len(columns)))
            places.extend((place + f.start, place + f.end) for f in own.figures)
            columns.append((len(text), len(text) + len(words), part))
            text += words

        if section:
            put(section[:_HEADER], "section")
            text += " | "
        for number, (header, words, place) in enumerate(cells):
            text += " ; " if number else ""
            if header:
                put(header[:_HEADER], "header")
                text += ": "
            put(
                words[: _CELL if number else _LABEL],
                "cell" if number else "label",
                place,
                f"{header} {cells[0][1]}" if number else header,
            )
            if len(text) > LONGEST:
                break
        whole = Found(
            tuple(n for f in found for n in f.names),
            tuple(c for f in found for c in f.cues),
            tuple(a for f in found for a in f.axes),
            tuple(c for f in found for c in f.figures),
        )
        return Unit(text, "row", whole, tuple(places), span, passage, columns=tuple(columns))

    def _may_name(self, words: str) -> bool:
        """True for a row's words that may name a product: no model of language, cloud or format has that name."""
        return any(map(str.isalpha, words)) and not self.domain.find_terms(words)

    def with_unit(self, figure: Candidate, header: str) -> Candidate:
        """A bare number with the unit that its header holds, or itself."""
        if figure.dimension != BARE:
            return figure
        number = figure.surface.lstrip("~+$€£")
        found = [g.replace("_per_", "/") for m in _UNIT_OF.finditer(header) for g in m.groups() if g]
        dollars = "$" in header + figure.surface or "USD" in header.upper()
        tried = [f"${number}{'/hour' if _PER_HOUR.search(header) else ''}"] if dollars else []
        for written in (*tried, *(f"{number} {unit}" for unit in found)):
            quantities = self.domain.unit_table.find(written)
            if len(quantities) == 1 and quantities[0].start == 0 and quantities[0].end == len(written):
                q = replace(quantities[0], start=figure.start, end=figure.end)
                return replace(figure, quantity=q, dimension=dimension_of(q))
        return figure
