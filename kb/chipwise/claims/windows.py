"""Units as windows: what one pass of the claim reader's encoder sees, and what its heads need beside it.

A window has the text's most named product, its title and headings, what a table follows, some units before, the units that
are read, and the beginning of the one behind. Names are told apart by numbers: those of one chip have one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from chipwise.claims.candidates import AFTER, ALIAS, BEFORE, DIMENSIONS, Candidate, Cue, Name
from chipwise.claims.masking import NO_TAGS, Masker, Piece
from chipwise.claims.pairs import ABOUT, FEATURES, pair_features
from chipwise.claims.units import Unit, most_named
from chipwise.domain.model import Domain
from chipwise.text import Span

CLS, SEP = 101, 102
TARGET, CONTEXT, BEHIND, HEAD, LEAD = 230, 50, 16, 24, 48  # tokens of each part
HEADINGS = 6
POSITIONS = 512  # of the encoder
UNITS = 100  # read at once, as a mark stands behind each: of numbers alone each has one token
NAMES, AXES = 48, 64  # of a window at most, the nearest to its end
NUMBERS = 16  # that tell names apart
ZONES = ("none", "heading", "before", "read", "behind", "row before", "row read", "row behind", "lead", "about")
Ints = npt.NDArray[np.int64]


@dataclass
class Window:
    """One pass of the encoder. Spans are of tokens, both ends included; features are (figures, names + 1 or axes, 5).

    `figures`, `names` and `axes` come with the number of their unit and their number within it; name 0 of the features is "none".
    """

    ids: Ints
    tags: Ints  # (tokens, 4)
    zones: Ints
    numbers: Ints  # of names, 0 elsewhere
    figures: list[tuple[int, int, Candidate]]
    names: list[tuple[int, int, Name]]
    axes: list[tuple[int, int, Cue]]
    figure_spans: Ints
    name_spans: Ints
    axis_spans: Ints
    to_names: Ints
    to_axes: Ints
    dimensions: Ints
    gold: dict[str, Any] = field(default_factory=dict)  # what training wants of it


class Encoder:
    """Makes windows of units."""

    def __init__(self, domain: Domain, tokenizer: Any, metrics: Sequence[str]) -> None:
        """As `Masker` takes them."""
        self.domain, self.masker = domain, Masker(domain, tokenizer, metrics)

    def windows(self, units: Sequence[Unit]) -> Iterator[Window]:
        """Every figure of a text stands in the read part of exactly one window."""
        pieces = [self.masker.piece(u) for u in units]
        about, above = most_named(self.domain, units), stacks(units)
        first = 0
        while first < len(units):
            if not units[first].found.figures:
                first += 1
                continue
            last, size = first, 0
            most = min(len(units), first + UNITS)
            while last < most and (last == first or size + len(pieces[last].ids) <= TARGET):
                size += len(pieces[last].ids)
                last += 1
            draft = _Draft(self, units, pieces)
            if about:
                draft.begin(about)
            for number, zone, limit in _plan(units, pieces, above, first, last):
                draft.add(number, zone, limit)
            if draft.figures:
                yield draft.finished()
            first = last


class _Draft:
    """A window that is being put together."""

    def __init__(self, encoder: Encoder, units: Sequence[Unit], pieces: Sequence[Piece]) -> None:
        self.encoder, self.units, self.pieces = encoder, units, pieces
        self.ids, self.zones = [CLS], [0]
        self.tags: list[Sequence[int]] = [NO_TAGS]
        self.figures: list[tuple[int, int, Candidate]] = []
        self.names: list[tuple[int, int, Name]] = []
        self.axes: list[tuple[int, int, Cue]] = []
        self.figure_spans: list[Span] = []
        self.name_spans: list[Span] = []
        self.axis_spans: list[Span] = []

    def begin(self, about: tuple[str, ...]) -> None:
        """With what the text is about as a whole."""
        kind = self.encoder.domain.kind(about[0])
        token, tags = self.encoder.masker.name_token(kind)
        self.names.append((ABOUT, 0, Name(0, 0, kind, about)))
        self.name_spans.append((len(self.ids), len(self.ids)))
        self.ids.append(token)
        self.tags.append(tags)
        self.zones.append(ZONES.index("about"))

    def add(self, number: int, zone: str, limit: int) -> None:
        """A unit, or so many tokens of it; figures are read in the zone "read" alone."""
        unit, piece, by = self.units[number], self.pieces[number], len(self.ids)
        length = min(len(piece.ids), limit, POSITIONS - by - 1)
        if length < 0:
            return
        named = f"row {zone}" if unit.zone == "row" and zone != "lead" else zone
        self.ids += [*piece.ids[:length], SEP]
        self.tags += [*piece.tags[:length], NO_TAGS]
        self.zones += [ZONES.index("heading" if unit.zone == "heading" else named)] * (length + 1)

        def inside(spans: Sequence[Span]) -> list[tuple[int, Span]]:
            return [(k, (by + s, by + e)) for k, (s, e) in enumerate(spans) if s >= 0 and e < length]

        for k, span in inside(piece.figures) if zone == "read" else ():
            self.figures.append((number, k, unit.found.figures[k]))
            self.figure_spans.append(span)
        for k, span in inside(piece.names):
            self.names.append((number, k, unit.found.names[k]))
            self.name_spans.append(span)
        for k, span in inside(piece.axes):
            self.axes.append((number, k, unit.found.axes[k]))
            self.axis_spans.append(span)

    def finished(self) -> Window:
        names, name_spans = self.names[-NAMES:], self.name_spans[-NAMES:]
        axes, axis_spans = self.axes[-AXES:], self.axis_spans[-AXES:]
        placed = (self.units, self.figures, self.figure_spans)
        to_names = pair_features(*placed, names, name_spans, [s for s, _ in name_spans])
        none = np.zeros((len(self.figures), 1, len(FEATURES)), dtype=np.int64)
        return Window(
            np.array(self.ids),
            np.array(self.tags),
            np.array(self.zones),
            self._numbers(names, name_spans),
            self.figures,
            names,
            axes,
            _spans(self.figure_spans),
            _spans(name_spans),
            _spans(axis_spans),
            np.concatenate([none, to_names], axis=1),
            pair_features(*placed, axes, axis_spans, [s for s, _ in self.figure_spans]),
            np.array([DIMENSIONS.index(f.dimension) for _, _, f in self.figures]),
        )

    def _numbers(self, names: Sequence[tuple[int, int, Name]], spans: Sequence[Span]) -> Ints:
        """A number for each name's tokens: one for a chip, its variants and its machines, another for the next."""
        numbers, known = np.zeros(len(self.ids), dtype=np.int64), dict[str, int]()
        for (_, _, name), (start, end) in zip(names, spans, strict=True):
            if name.kind in (BEFORE, AFTER):
                continue
            one = name.ids[0] if name.ids and name.kind != ALIAS else name.surface.lower()
            one = self.encoder.domain.chip_of(one) or one
            numbers[start : end + 1] = min(known.setdefault(one, len(known) + 1), NUMBERS - 1)
        return numbers


def _spans(spans: Sequence[Span]) -> Ints:
    return np.array(spans, dtype=np.int64).reshape(-1, 2)


def referent(domain: Domain, names: Sequence[tuple[int, int, Name]], at: int) -> tuple[str, ...]:
    """The ids that a name of a window stands for: its own, of "its predecessor" those of what came before the last one named, of "L40s" none."""
    name = names[at][2]
    if name.kind not in (BEFORE, AFTER):
        return () if name.surface in domain.unsure_in_case else name.ids
    related = domain.before if name.kind == BEFORE else domain.after
    for _, _, other in reversed(names[:at]):
        if len(other.ids) == 1 and (ids := related(other.ids[0])):
            return ids[:1]
    return ()


def stacks(units: Sequence[Unit]) -> list[list[int]]:
    """For each unit the headings that it stands under, outermost first, itself among them if it is one."""
    stacks, stack = list[list[int]](), list[int]()
    for number, unit in enumerate(units):
        if unit.zone == "heading":
            stack = [h for h in stack if units[h].depth < unit.depth] + [number]
        stacks.append(stack)
    return stacks


def _plan(
    units: Sequence[Unit], pieces: Sequence[Piece], stacks: Sequence[list[int]], first: int, last: int
) -> Iterator[tuple[int, str, int]]:
    """(unit, zone, tokens) of a window in the order of the text."""
    since, size = first, 0
    while since > 0 and size + len(pieces[since - 1].ids) <= CONTEXT:
        since -= 1
        size += len(pieces[since].ids)
    above = [h for h in stacks[first] if h < since]
    kept = above[:1] + above[max(1, len(above) - HEADINGS + 1) :]
    yield from ((h, "heading", HEAD) for h in kept)
    if 0 <= units[first].lead < since:
        yield units[first].lead, "lead", LEAD
    yield from ((n, "before", len(pieces[n].ids)) for n in range(since, first))
    yield from ((n, "read", len(pieces[n].ids)) for n in range(first, last))
    if last < len(units) and units[last].zone != "heading":
        yield last, "behind", BEHIND
