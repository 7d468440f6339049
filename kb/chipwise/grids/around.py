"""The cells of a tree, each with the labels around it, nearest first.

A label that is nearer is never overruled by one that is farther, and rows say nothing about each other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from math import isclose
from typing import Final

from chipwise.domain.model import Domain
from chipwise.domain.phrasebook import Mention
from chipwise.grids.arithmetic import number_of
from chipwise.grids.keys import CHIPS, OF_ALL, Around, CellKey, Level, Place, Reading
from chipwise.grids.labels import Labels, Meaning
from chipwise.grids.tree import Label, Node
from chipwise.numbers.quantity import Quantity
from chipwise.text import blanked

MOST_CHIPS: Final = 257  # of one record
MOST_PRODUCTS: Final = 8  # whose names complete those beside them
MOST_COUNTED: Final = 200  # records that are compared with each other
_OF_HOW_MANY: Final = "it may be of one chip or of all"
_APART: Final = frozenset("(),;/|")
_FIGURES: Final = frozenset("0123456789~$€£<>≥≤±≈")  # that a cell with a figure begins with


class CellReader:
    """Reads the cells of one file."""

    def __init__(self, domain: Domain, file: str) -> None:
        self._domain, self._labels, self._file = domain, Labels(domain), Label(file, 0, 0)

    def read(self, tree: Node, about: tuple[str, ...] | None = None) -> list[Reading]:
        """All cells that are figures, in the order of the file; `about` is what nothing around them names, else what the file names."""
        self._sole = self._read_sole(tree) if about is None else about
        found: list[Reading] = []
        waiting: list[tuple[Node, tuple[Level, ...]]] = [(tree, ())]
        while waiting:
            node, above = waiting.pop()
            if node.value is not None and not node.irregular:
                for figure in self._figures(node):
                    found += self._cell(figure, above)
            levels = (self._level(node), *above) if node.children else above
            if not node.irregular:
                waiting += [(child, levels) for child in reversed(node.children)]
        return sorted(_settled(found), key=lambda r: r.cell.start)

    def _chips(self, node: Node) -> int:
        """The number of chips that a record gives, 0 where it gives none."""
        cells = ((c.keys[0].text, number_of(c.value.text)) for c in node.children if c.keys and c.value)
        counts = (int(n) for key, n in cells if n and 0 < n < MOST_CHIPS and CHIPS in self._labels.meaning(key).metrics)
        return next(counts, 0)

    def _level(self, node: Node) -> Level:
        level = Level(node)
        keys: set[str] = set()
        for number, child in enumerate(node.children):
            key = child.keys[0].text if child.keys else ""
            if child.value is None or "://" in child.value.text:
                continue
            if number_of(child.value.text) is not None:
                keys.add(key)
            elif number and child.value.text[:1] in _FIGURES and not self._labels.meaning(child.value.text).entities:
                continue  # "192 GB HBM3" says nothing of the cell beside it
            else:
                named = self._labels.named("names a thing", key) or self._labels.names_machine(child.value.text)
                about = named or not key or (node.row and number == 0)
                if about:
                    level.names.append(child.value)
                elif self._states_only_axes(child.value.text):
                    level.sides.append(child.value)
        level.alike = len(keys) < 2  # noqa: PLR2004
        meant = {label: self._labels.meaning(label.text) for label in level.names}
        level.names.sort(key=lambda label: (not meant[label].entities, bool(meant[label].left)))
        level.chips = self._chips(node)
        heads = [c.keys[0] if c.keys else c.children[0].value for c in node.children if c.keys or c.children]
        entities = (self._labels.meaning(head.text).entities for head in heads if head is not None)
        products = (ids[0] for those in entities for ids in those)
        level.products = tuple(dict.fromkeys(self._domain.entities[i].name for i in products))[:MOST_PRODUCTS]
        return level

    def _states_only_axes(self, text: str) -> bool:
        """False for a remark on the record, "2x the compute of an H100", which sets nothing of its figures."""
        meaning = self._labels.meaning(text)
        return not (meaning.left or meaning.entities)

    def _read_sole(self, tree: Node) -> tuple[str, ...]:
        """The only product that a file names, where it is the value of something and no key, which has its own figures."""
        nodes = [*tree.walk()]
        inside = {ids for n in nodes if n.value for ids in self._labels.meaning(n.value.text).entities}
        keys = {ids for n in nodes for key in n.keys for ids in self._labels.meaning(key.text).entities}
        return next(iter(inside)) if len(inside) == 1 and not keys else ()

    def _figures(self, node: Node) -> list[Node]:
        """A cell with several figures, or with one and what it is, as a node for each: "312 (sparse: 624)"."""
        assert node.value is not None  # noqa: S101
        text, start = node.value.text, node.value.start
        if node.value.end - start != len(text) or not any(map(str.isalpha, text)):
            return [node]
        domain = self._domain
        figures = [q for q in domain.unit_table.find_all(text) if not q.compares]
        cues = [m for m in domain.find_qualifiers(text) if m.ids[0].partition("=")[0] in OF_ALL]
        engines = [m for m in self._engines(text) if not any(c.start <= m.start < c.end for c in cues)]
        cues += engines
        cues = [m for m in cues if not any(q.start < m.end and m.start < q.end for q in figures)]
        rest = blanked(text, [*((q.start, q.end) for q in figures), *((m.start, m.end) for m in cues)])
        bare = [q for q in figures if q.dimension == "number"]
        if not (figures and cues) or any(map(str.isalnum, rest)) or (len(figures) == 1 and not bare):
            return [node]
        units = [Label(text[q.start : q.end].lstrip("~≈ 0123456789.,"), 0, 0) for q in figures if q not in bare]
        made: list[Node] = []
        for q in figures:
            own = [m for m in cues if _nearest(text, m, figures) is q]
            said = [m.ids[0].partition("=")[2] if m in engines else text[m.start : m.end] for m in own]
            words = [Label(w, 0, 0) for w in (*said, *self._unsaid(own, cues))]
            value = Label(text[q.start : q.end], start + q.start, start + q.end)
            made.append(replace(node, value=value, cues=[*words, *(units[:1] if q in bare else [])]))
        return made

    def _engines(self, text: str) -> list[Mention]:
        """The "Tensor" of "13 (51 Tensor)", without the core."""
        found: list[Mention] = []
        for word in text.replace("(", " ").replace(")", " ").split():
            named = self._domain.find_qualifiers(f"{word} core") if word.isalpha() else []
            at = text.index(word)
            found += [replace(m, start=at, end=at + len(word)) for m in named if m.ids[0].startswith("engine=")]
        return found

    def _unsaid(self, own: Sequence[Mention], cues: Sequence[Mention]) -> Iterator[str]:
        """The "dense" of the figure beside one that is sparse."""
        stated = {m.ids[0].partition("=")[0] for m in own}
        said = {m.ids[0] for m in cues}
        rules = (r for r in self._domain.explanations.values() if r.less and f"{r.axis}={r.more}" in said)
        return (r.less for r in rules if r.axis not in stated)

    def _around(self, node: Node, above: Sequence[Level]) -> Iterator[Around]:
        """The labels around a cell, nearest first."""
        if node.value is not None and " " in node.value.text:
            yield Around(node.value, Place.NOTE, 0)
        yield from (Around(label, Place.NOTE, 0) for label in node.cues)
        yield from (Around(label, Place.OWN, 0) for label in (*node.units, *node.keys))
        yield from (Around(label, Place.NOTE, 0) for label in node.notes)
        for number, level in enumerate(above, start=1):
            own = node.value
            yield from (Around(label, Place.NAME, number) for label in level.names if label is not own)
            # where the columns are products, what stands beside a cell is another's
            sides = (
                []
                if number == 1 and level.node.row and any(self._labels.meaning(k.text).entities for k in node.keys)
                else level.sides
            )
            yield from (Around(label, Place.SIDE, number) for label in sides if label is not own)
            yield from (Around(label, Place.HEAD, number) for label in level.node.keys)
            yield from (Around(label, Place.NOTE, number) for label in level.node.notes)
        yield Around(self._file, Place.FILE, len(above) + 1)

    def _cell(self, node: Node, above: tuple[Level, ...]) -> Iterator[Reading]:
        assert node.value is not None  # noqa: S101
        meant = [(a, self._meaning(a)) for a in self._around(node, above)]
        for read in CellKey(self._domain, self._labels, node, above, meant, self._sole).readings():
            chips = above[0].chips if above else 0
            of_all = chips > 1 and read.quantity is not None and self._is_of_all(read)
            yield replace(read, chips=chips, doubt=read.doubt or (_OF_HOW_MANY if of_all else ""))

    def _is_of_all(self, read: Reading) -> bool:
        """True for what N chips have N times as much of, where no label says of how many it is."""
        stated = {"aggregation", "count"}.isdisjoint(axis for axis, _ in read.axes)
        metric = self._domain.metrics[read.metric]
        return stated and metric.scales and metric.nature != "priced" and self._domain.is_chip(read.subject)

    def _meaning(self, around: Around) -> Meaning:
        read = self._labels.note if around.place is Place.NOTE else self._labels.meaning
        return read(around.label.text)


def _nearest(text: str, cue: Mention, figures: Sequence[Quantity]) -> Quantity:
    """The figure that a cue in a cell is of: no bracket or stroke stands between the two, else the one before it."""
    before = [q for q in figures if q.end <= cue.start]
    behind = [q for q in figures if q.start >= cue.end]
    joined = not before or not _APART.isdisjoint(text[before[-1].end : cue.start])
    opens = bool(behind) and _APART.isdisjoint(text[cue.end : behind[0].start])
    return behind[0] if behind and ((joined and opens) or not before) else before[-1]


def _settled(readings: Sequence[Reading]) -> Iterator[Reading]:
    """Of one or of all chips, as the file's records with several numbers of chips tell: what grows with them is of all."""
    counted = [(r, r.quantity.middle) for r in readings if r.chips and r.quantity][:MOST_COUNTED]
    pairs = [(a, b) for a, b in combinations(counted, 2) if a[0].metric == b[0].metric and a[0].chips != b[0].chips]
    grows = Counter(a.metric for (a, x), (b, y) in pairs if isclose(x * b.chips, y * a.chips))
    stays = Counter(a.metric for (a, x), (_, y) in pairs if isclose(x, y))
    for read in readings:
        if read.doubt != _OF_HOW_MANY or grows[read.metric] == stays[read.metric]:
            yield read
        elif grows[read.metric] < stays[read.metric]:
            yield replace(read, doubt="")
        else:
            yield replace(read, doubt="", axes=tuple(sorted((*read.axes, ("count", str(read.chips))))))
