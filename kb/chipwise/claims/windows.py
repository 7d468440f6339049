"""Units as windows of tokens that hide which figure and which product it is, with what the reader's heads need.

    "The H100 has 80 GB."  ->  the [chip 1] has [10 to 99] gb .

Digits are replaced by their order of magnitude and names by a word for their kind with a number that tells them apart in
the window, when the reader is trained and when it reads: what it cannot see it cannot know by heart.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from chipwise.claims.candidates import AFTER, ALIAS, BEFORE, DIMENSIONS, KINDS, SPOKEN, Candidate, Cue, Name, magnitude, number_in
from chipwise.claims.units import Unit, most_named
from chipwise.domain.model import Domain

CLS, SEP = 101, 102
TARGET, CONTEXT, BEHIND, HEAD, UNIT = 130, 70, 16, 24, 200  # tokens
HEADINGS = 6
NAMES, AXES = 40, 50  # of a window at most, the nearest to its end
NUMBERS = 16  # that tell names apart
# word pieces of the stock vocabulary that stand for what is hidden
_WORDS = {
    "none": "name", "line": "hardware", "family": "family", "chip": "chip", "variant": "card", "system": "machine", "slice": "pod",
    "ambiguous": "name", "unknown": "product", "before": "predecessor", "after": "successor", "alias": "candidate",
}  # fmt: skip
_NUMBER = "number"
_HIDDEN = re.compile(r"\d[\d,]*(?:\.\d+)?|\.\d+|" + SPOKEN.pattern, re.I)
_LOOSE = re.compile(r"(?<![A-Za-z])\d[\d,.]*(?![A-Za-z])")
ZONES = ("none", "heading", "before", "read", "behind", "row before", "row read", "row behind", "lead", "about")
PARTS = ("", "header", "label", "cell", "section")
FEATURES = (7, 16, 6, 5, 2)  # how many values each feature of a pair has
Ints = npt.NDArray[np.int64]


@dataclass
class Piece:
    """A unit as tokens: `tags` are (tokens, 4): type, metric cue, axis, magnitude; a name's type tag has its place among `names`."""

    ids: list[int]
    tags: list[list[int]]
    figures: list[tuple[int, int]]
    names: list[tuple[int, int]]
    axes: list[tuple[int, int]]


@dataclass
class Window:
    """One pass of the encoder. Spans are of tokens, both ends included; features are (figures, names + 1 or axes, 5).

    `figures` and the others name (number of the unit, number within it); name 0 of the features is "none".
    """

    ids: Ints
    tags: Ints  # (tokens, 4)
    zones: Ints
    numbers: Ints  # of names, 0 elsewhere
    figure_spans: Ints
    name_spans: Ints
    axis_spans: Ints
    figures: list[tuple[int, int, Candidate]]
    names: list[tuple[int, int, Name]]
    axes: list[tuple[int, int, Cue]]
    to_names: Ints
    to_axes: Ints
    dimensions: Ints
    gold: dict[str, Any] = field(default_factory=dict)


class Encoder:
    """Makes windows of units; `tokenizer` is a `tokenizers.Tokenizer` of the stock model, `metrics` the order of the cue tags."""

    def __init__(self, domain: Domain, tokenizer: Any, metrics: Sequence[str]) -> None:
        self.domain, self.tokenizer = domain, tokenizer
        self.metrics = {metric: n for n, metric in enumerate(metrics, 1)}
        self.axes = {axis: n for n, axis in enumerate(domain.axes, 1)}
        self.word = {kind: tokenizer.token_to_id(word) for kind, word in _WORDS.items()}
        self.number = tokenizer.token_to_id(_NUMBER)

    def pieces(self, unit: Unit) -> Piece:
        """The tokens of a unit, hidden where they have to be."""
        text, found = unit.text, unit.found
        hidden = [(n.start, n.end, "name", k) for k, n in enumerate(found.names)]
        for f in found.figures:
            for m in _HIDDEN.finditer(text, f.start, f.end):
                hidden.append((m.start(), m.end(), "figure", magnitude(number_in(m[0]))))
        kept = [(c.start, c.end) for c in (*found.cues, *found.axes)]
        for m in _LOOSE.finditer(text):
            if not any(s < m.end() and m.start() < e for s, e in kept):
                hidden.append((m.start(), m.end(), "figure", magnitude(number_in(m[0]))))
        offsets: list[tuple[int, int]] = []
        ids: list[int] = []
        tags: list[list[int]] = []
        at = 0
        for start, end, what, which in sorted(hidden):
            if start < at:
                continue
            self._plain(text, at, start, ids, tags, offsets)
            name = found.names[which] if what == "name" else None
            ids.append(self.word[name.kind] if name else self.number)
            tags.append([len(DIMENSIONS) + KINDS.index(name.kind) if name else 0, 0, 0, 0 if name else which])
            offsets.append((start, end))
            form = self.domain.entities[name.ids[0]].form_factor if name and name.kind == "variant" else ""
            if form:
                for i in self.tokenizer.encode(form, add_special_tokens=False).ids:
                    ids.append(i), tags.append([tags[-1][0], 0, 0, 0]), offsets.append((start, end))
            at = end
        self._plain(text, at, len(text), ids, tags, offsets)
        ids, tags, offsets = ids[:UNIT], tags[:UNIT], offsets[:UNIT]
        for f in found.figures:
            for i in _tokens(offsets, f.start, f.end):
                tags[i][0] = tags[i][0] or DIMENSIONS.index(f.dimension)
        for cues, column, of in ((found.cues, 1, self.metrics), (found.axes, 2, self.axes)):
            for c in cues:
                for i in _tokens(offsets, c.start, c.end):
                    tags[i][column] = of.get(c.ids[0].split("=")[0], 0)
        return Piece(ids, tags, *([_ends(offsets, x.start, x.end) for x in group] for group in (found.figures, found.names, found.axes)))

    def _plain(self, text: str, start: int, end: int, ids: list[int], tags: list[list[int]], offsets: list[tuple[int, int]]) -> None:
        if start < end and text[start:end].strip():
            encoded = self.tokenizer.encode(text[start:end], add_special_tokens=False)
            ids += encoded.ids
            tags += [[0, 0, 0, 0] for _ in encoded.ids]
            offsets += [(s + start, e + start) for s, e in encoded.offsets]

    def windows(self, units: Sequence[Unit]) -> Iterator[Window]:
        """Every figure of a text stands in the read part of exactly one window."""
        pieces = [self.pieces(u) for u in units]
        about = most_named(self.domain, units)
        stacks = _stacks(units)
        first = 0
        while first < len(units):
            if not units[first].found.figures:
                first += 1
                continue
            last, size = first, 0
            while last < len(units) and (last == first or size + len(pieces[last].ids) <= TARGET):
                size += len(pieces[last].ids)
                last += 1
            window = self._window(units, pieces, _plan(units, pieces, stacks, first, last), about)
            if window.figures:
                yield window
            first = last

    def _window(self, units: Sequence[Unit], pieces: Sequence[Piece], plan: list[tuple[int, str, int]], about: tuple[str, ...]) -> Window:
        ids, tags, zones = [CLS], [[0, 0, 0, 0]], [0]
        spans: dict[str, list[tuple[int, int]]] = {"figures": [], "names": [], "axes": []}
        figures, names, axes = list[tuple[int, int, Candidate]](), list[tuple[int, int, Name]](), list[tuple[int, int, Cue]]()
        if about:
            kind = self.domain.kind(about[0])
            ids.append(self.word[kind]), tags.append([len(DIMENSIONS) + KINDS.index(kind), 0, 0, 0]), zones.append(ZONES.index("about"))
            names.append((-1, 0, Name(0, 0, kind, about))), spans["names"].append((1, 1))
        for number, zone, limit in plan:
            unit, piece, by = units[number], pieces[number], len(ids)
            length = min(len(piece.ids), limit)
            z = ZONES.index("heading" if unit.zone == "heading" else f"row {zone}" if unit.zone == "row" and zone != "lead" else zone)
            ids += [*piece.ids[:length], SEP]
            tags += [*piece.tags[:length], [0, 0, 0, 0]]
            zones += [z] * (length + 1)
            for group, own, into in (("figures", piece.figures, figures), ("names", piece.names, names), ("axes", piece.axes, axes)):
                if group == "figures" and zone != "read":
                    continue
                for k, (s, e) in enumerate(own):
                    if 0 <= s and e < length:
                        into.append((number, k, getattr(unit.found, group)[k]))  # type: ignore[arg-type]
                        spans[group].append((by + s, by + e))
        names, spans["names"] = names[-NAMES:], spans["names"][-NAMES:]
        axes, spans["axes"] = axes[-AXES:], spans["axes"][-AXES:]
        to_names, to_axes = pair_features(units, figures, names, axes, spans)
        return Window(
            np.array(ids), np.array(tags), np.array(zones), self._numbers(len(ids), names, spans["names"]), *(
                np.array(spans[g], dtype=np.int64).reshape(-1, 2) for g in ("figures", "names", "axes")
            ), figures, names, axes, to_names, to_axes, np.array([DIMENSIONS.index(f.dimension) for _, _, f in figures]),
        )  # fmt: skip

    def _numbers(self, length: int, names: Sequence[tuple[int, int, Name]], spans: Sequence[tuple[int, int]]) -> Ints:
        """A number for each name's tokens: one for a chip, its variants and its machines, another for the next."""
        numbers, known = np.zeros(length, dtype=np.int64), dict[str, int]()
        for (_, _, name), (start, end) in zip(names, spans, strict=True):
            if name.kind in (BEFORE, AFTER):
                continue
            one = name.ids[0] if name.ids and name.kind != ALIAS else name.surface.lower()
            one = self.domain.chip_of(one) or one
            numbers[start : end + 1] = min(known.setdefault(one, len(known) + 1), NUMBERS - 1)
        return numbers


def referent(domain: Domain, names: Sequence[tuple[int, int, Name]], at: int) -> tuple[str, ...]:
    """The ids that a name of a window stands for: its own, or of "its predecessor" those of what came before the last one named."""
    name = names[at][2]
    if name.kind not in (BEFORE, AFTER):
        return name.ids
    related = domain.before if name.kind == BEFORE else domain.after
    for _, _, other in reversed(names[:at]):
        if len(other.ids) == 1 and (ids := related(other.ids[0])):
            return ids[:1]
    return ()


def _tokens(offsets: Sequence[tuple[int, int]], start: int, end: int) -> list[int]:
    return [i for i, (s, e) in enumerate(offsets) if s < end and start < e]


def _ends(offsets: Sequence[tuple[int, int]], start: int, end: int) -> tuple[int, int]:
    within = _tokens(offsets, start, end)
    return (within[0], within[-1]) if within else (-1, -1)


def _stacks(units: Sequence[Unit]) -> list[list[int]]:
    """For each unit the headings that it stands under, outermost first."""
    stacks, stack = list[list[int]](), list[int]()
    for number, unit in enumerate(units):
        if unit.zone == "heading":
            stack = [h for h in stack if units[h].depth < unit.depth or units[h].depth == 0 < unit.depth] + [number]
        stacks.append(stack)
    return stacks


def _plan(units: Sequence[Unit], pieces: Sequence[Piece], stacks: Sequence[list[int]], first: int, last: int) -> list[tuple[int, str, int]]:
    """(unit, zone, tokens) of a window in the order of the text."""
    since, size = first, 0
    while since > 0 and size + min(len(pieces[since - 1].ids), 90) <= CONTEXT:
        since -= 1
        size += min(len(pieces[since].ids), 90)
    above = [h for h in stacks[first] if h < since]
    plan = [(h, "heading", HEAD) for h in (above[:1] + above[max(1, len(above) - HEADINGS + 1) :])]
    if 0 <= units[first].lead < since:
        plan.append((units[first].lead, "lead", HEAD + HEAD))
    plan += [(n, "before", UNIT) for n in range(since, first)] + [(n, "read", UNIT) for n in range(first, last)]
    if last < len(units) and units[last].zone != "heading":
        plan.append((last, "behind", BEHIND))
    return plan


def pair_features(
    units: Sequence[Unit],
    figures: Sequence[tuple[int, int, Candidate]],
    names: Sequence[tuple[int, int, Name]],
    axes: Sequence[tuple[int, int, Cue]],
    spans: dict[str, list[tuple[int, int]]],
) -> tuple[Ints, Ints]:
    """How each figure stands to each name (0 is none) and to each axis value: (figures, others, 5)."""
    to_names = np.zeros((len(figures), len(names) + 1, 5), dtype=np.int64)
    to_axes = np.zeros((len(figures), len(axes), 5), dtype=np.int64)
    name_at, figure_at = [s for s, _ in spans["names"]], [s for s, _ in spans["figures"]]
    for i, ((unit, _, figure), at) in enumerate(zip(figures, spans["figures"], strict=True)):
        for j, ((other, _, name), there) in enumerate(zip(names, spans["names"], strict=True), 1):
            to_names[i, j] = _pair(units, unit, figure, at, other, name, there, name_at)
        for j, ((other, _, cue), there) in enumerate(zip(axes, spans["axes"], strict=True)):
            to_axes[i, j] = _pair(units, unit, figure, at, other, cue, there, figure_at)
    return to_names, to_axes


def _pair(
    units: Sequence[Unit], unit: int, figure: Candidate, at: tuple[int, int], other: int, name: Name | Cue, there: tuple[int, int], order: Sequence[int]
) -> tuple[int, ...]:
    if there[1] < at[0]:
        low, high, tokens = there[1], at[0], _bucket(at[0] - there[1])
    elif there[0] > at[1]:
        low, high, tokens = at[1], there[0], 8 + _bucket(there[0] - at[1])
    else:
        low, high, tokens = 0, 0, 0
    between = min(5, sum(low < x < high for x in order))
    apart = 0 if other == unit else 1 if other < 0 or units[other].zone == "heading" else 2 if other > unit else min(2 + unit - other, 6)
    same_column = False
    if other == unit and figure.column >= 0:
        columns = units[unit].columns
        column = next((n for n, (s, e, _) in enumerate(columns) if s <= name.start < e), -1)
        same_column = column == figure.column or (column == figure.column - 1 and columns[column][2] == "header")
    return apart, tokens, between, PARTS.index(name.part), int(same_column)


def _bucket(tokens: int) -> int:
    return 0 if tokens == 0 else min(7, 1 + int(math.log2(tokens)))


