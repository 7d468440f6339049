"""What the claim reader chooses from: the figures of a stretch of text, and the names, cues and axis values that they can go with.

    "The H100 has 80 GB; its successor has 141 GB."
        figures  80 GB (information), 141 GB (information)
        names    H100 (chip), "its successor" (after)
        cues     none

Nothing here looks at a fact, and nothing is decided: whose a figure is, and of what, is for `decode`.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from chipwise import patterns as re
from chipwise.claims.dates import read_dates
from chipwise.claims.scene import Scene
from chipwise.corpus import reader_folder
from chipwise.domain.model import Domain
from chipwise.domain.phrasebook import Phrasebook
from chipwise.numbers.quantity import Quantity
from chipwise.numbers.spoken import SCALES, SMALL
from chipwise.text import STOP_WORDS, Span

NAMES = "names.toml"
BEFORE, AFTER, ALIAS, UNKNOWN, AMBIGUOUS = "before", "after", "alias", "unknown", "ambiguous"
BARE, DATE, OTHER = "bare", "date", "other"
# a number without a unit, be it alone in its cell or glued to an x: "32", "~1,979", "8x", and in code "989e12", "4_000_000"
_BARE = re.compile(
    r"(?<![\w.,$€£])[~$€£+]?\d(?:\d|[,_](?=\d))*(?:\.\d+)?(?:[eE]\d{1,2})?(?=[x×](?![\w])|(?![\w%]|[-.,]\d))"
)
_SCALE = re.compile(rf"\s({'|'.join(SCALES)})\b", re.I)  # "58 billion" below "Transistors"
_COUNT_BEFORE_NAME = re.compile(r"(\d{1,6})\s?[x×]\s?")
SPOKEN = re.compile(
    rf"\b(?:{'|'.join(w for w in SMALL if w not in ('zero', 'one', 'nought', 'naught'))}|a dozen)\b", re.I
)
# "H100 (80 GB)" and "H100, 80 GB" tell a figure, where "A100 80GB" is a name
_APPOSED = re.compile(r"\s?[(,]\s?(?=\d)")
_MAKER = re.compile(r"(?:\b[A-Z][A-Za-z]+[\s-]){1,2}$")
_DIGITS = re.compile(r"\d[\d,_]*(?:\.\d+)?(?:[eE]\d{1,2}\b)?|\.\d+")
_MAKER_AT_MOST = 28  # characters
_MOST = 1e300  # of a wall of digits, which is infinite as a float
# dimensions that have a class of their own; all others are one class
DIMENSIONS = (
    "none", BARE, DATE, OTHER, "information", "information_rate", "compute_rate", "compute_efficiency", "power", "energy", "count", "share",
    "multiple", "price", "price_rate", "price_per_token", "token_rate", "time", "frequency", "length", "area", "mass", "arithmetic_intensity",
)  # fmt: skip
KINDS = ("none", "line", "family", "chip", "variant", "system", "slice", AMBIGUOUS, UNKNOWN, BEFORE, AFTER, ALIAS)


@dataclass(frozen=True, slots=True)
class Name:
    """What a figure may be of, at `[start, end)`: an entity, a name that the domain lacks, an alias, or a relative of another name."""

    start: int
    end: int
    kind: str
    ids: tuple[str, ...] = ()
    surface: str = ""


@dataclass(frozen=True, slots=True)
class Cue:
    """Words at `[start, end)` that point to a metric, or state a value on an axis ("dtype=bf16")."""

    start: int
    end: int
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A figure at `[start, end)` of its stretch; `quantity` is None where it has no unit, or is a date."""

    start: int
    end: int
    dimension: str
    written: float  # the number as it stands: 80 of "80 GB"
    quantity: Quantity | None = None
    surface: str = ""


@dataclass(frozen=True, slots=True)
class Found:
    """All that one stretch of text offers; spans count from its start."""

    names: tuple[Name, ...]
    cues: tuple[Cue, ...]
    axes: tuple[Cue, ...]
    figures: tuple[Candidate, ...]


_AXIS_OF_TERM = {
    "precision": "dtype", "memory": "memory_kind", "cloud": "provider", "workload": "workload", "price_term": "price_terms", "benchmark": "benchmark",
    "model": "workload",
}  # fmt: skip


def find_candidates(domain: Domain, scene: Scene) -> Found:
    """What a sentence, a heading or a cell offers."""
    names = _names(domain, scene)
    figures = sorted(_figures(scene, names), key=lambda f: (f.start, f.end))
    cues = tuple(Cue(m.start, m.end, m.ids) for m in scene.metrics if m.ids)
    axes = [Cue(m.start, m.end, m.ids) for m in scene.qualifiers if m.ids]
    for term in scene.terms:
        axis = _AXIS_OF_TERM.get(domain.terms[term.ids[0]].kind, "") if term.ids[0] in domain.terms else ""
        if axis and not any(a.start < term.end and term.start < a.end for a in axes):
            axes.append(Cue(term.start, term.end, tuple(f"{axis}={i}" for i in term.ids)))
    axes += [
        Cue(f.start, f.end, (f"count={int(f.written)}",))
        for f in figures
        if f.dimension in ("count", BARE) and f.written == int(f.written) and 1 < f.written < 100_000  # noqa: PLR2004
    ]
    return Found(tuple(names), cues, tuple(sorted(axes, key=lambda a: a.start)), tuple(figures))


def dimension_of(quantity: Quantity) -> str:
    """The class of a quantity: a share and a multiple are two."""
    if quantity.dimension == "ratio":
        return "multiple" if quantity.unit == "x" or quantity.form == "multiple" else "share"
    return quantity.dimension if quantity.dimension in DIMENSIONS else OTHER


def number_in(surface: str) -> float:
    """The first number that is written in digits or as a small word; 1 where there is none."""
    digits = _DIGITS.search(surface)
    if digits:
        return min(float(digits[0].replace(",", "").replace("_", "") or 0), _MOST)
    words = [SMALL[w] for w in re.findall(r"[a-z]+", surface.lower()) if w in SMALL]
    return words[0] if words else 1.0


def magnitude(written: float) -> int:
    """The order of magnitude, 0 to 15, 4 for 1 to 9."""
    return 0 if written <= 0 else min(15, max(1, 4 + math.floor(math.log10(written) + 1e-9)))


def _names(domain: Domain, scene: Scene) -> list[Name]:
    text, names = scene.text, list[Name]()
    for m in scene.entities:
        counted = _COUNT_BEFORE_NAME.match(text, m.start, m.end)
        start = counted.end() if counted and counted.end() < m.end else m.start
        apposed = _APPOSED.search(text, start, m.end)
        end = apposed.start() if apposed else m.end
        inner = domain.find_entities(text[start:end]) if (start, end) != (m.start, m.end) else []
        ids = inner[0].ids if inner else m.ids
        kind = (domain.kind(ids[0]) or UNKNOWN) if len(ids) == 1 else AMBIGUOUS
        names.append(Name(start, end, kind if kind in KINDS else UNKNOWN, ids, text[start:end]))
    for start, end in scene.unknown:
        start = _with_maker(text, start)
        if not _overlaps(names, start, end):
            names.append(Name(start, end, UNKNOWN, (), text[start:end]))
    for kind, start, end in _pointed_at(text):
        if not _overlaps(names, start, end):
            names.append(Name(start, end, kind, (), text[start:end]))
    return sorted(names, key=lambda n: n.start)


def _with_maker(text: str, start: int) -> int:
    """Where a name begins whose maker or line stands before its number: "Zyphra X900"."""
    maker = _MAKER.search(text, max(0, start - _MAKER_AT_MOST), start)
    words = maker[0].split() if maker else []
    while words and words[0].lower() in STOP_WORDS:
        words.pop(0)
    return start - len(" ".join(words)) - 1 if words and maker and maker[0].endswith(" ") else start


@cache
def _pointers() -> tuple[Phrasebook, re.Pattern[str]]:
    words = tomllib.loads((reader_folder() / NAMES).read_text("utf-8"))
    book = Phrasebook((phrase, kind) for kind, phrases in words["relatives"].items() for phrase in phrases)
    return book, re.compile(rf"\b(?:{'|'.join(words['aliases']['nouns'])})\s(?:[A-Z]|\d)\b(?![.,]\d|\s?%)")


def _pointed_at(text: str) -> Iterator[tuple[str, int, int]]:
    book, alias = _pointers()
    yield from ((m.ids[0], m.start, m.end) for m in book.find(text))
    yield from ((ALIAS, m.start(), m.end()) for m in alias.finditer(text))


def _figures(scene: Scene, names: Sequence[Name]) -> Iterator[Candidate]:
    text = scene.text
    taken: list[Span] = []
    for q in scene.quantities:
        if any(n.start <= q.start and q.end <= n.end and n.ids for n in names):
            continue  # the 80 GB of "A100 80GB" is its name
        surface = text[q.start : q.end]
        yield Candidate(q.start, q.end, dimension_of(q), number_in(surface), q, surface)
        taken.append((q.start, q.end))
    named = [(n.start, n.end) for n in names if n.kind not in (BEFORE, AFTER)]
    for date in read_dates(text, bare=True):
        # a year alone is a number like others: nothing may turn on which number it is
        if not text[date.start : date.end].isdigit() and not _within(taken + named, date.start, date.end):
            yield Candidate(date.start, date.end, DATE, 2000.0, None, text[date.start : date.end])
            taken.append((date.start, date.end))
    for found in (*_BARE.finditer(text), *SPOKEN.finditer(text)):
        if not _within(taken + named, found.start(), found.end()):
            scale = _SCALE.match(text, found.end())
            end, times = (scale.end(), SCALES[scale[1].lower()]) if scale else (found.end(), 1.0)
            yield Candidate(found.start(), end, BARE, number_in(found[0]) * times, None, text[found.start() : end])
            taken.append((found.start(), end))


def _overlaps(names: Sequence[Name], start: int, end: int) -> bool:
    return any(n.start < end and start < n.end for n in names)


def _within(spans: Sequence[Span], start: int, end: int) -> bool:
    return any(s < end and start < e for s, e in spans)
