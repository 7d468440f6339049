"""The cells of a tree, each with the labels around it; the nearest rules, and rows say nothing about each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from math import isclose
from typing import Final, TypeAlias

from chipwise import patterns as re
from chipwise.domain.model import Domain
from chipwise.domain.phrasebook import Mention
from chipwise.grids.arithmetic import number_of
from chipwise.grids.keys import OF_ALL, Around, CellKey, Level, Place, Reading
from chipwise.grids.labels import CHIPS, Labels
from chipwise.grids.tables import bracketed
from chipwise.grids.tree import Label, Node
from chipwise.numbers.quantity import Quantity
from chipwise.text import Span, blanked

MOST_CHIPS: Final = 257  # of one record
MOST_COUNTED: Final = 200  # records that are compared with each other
MOST_PRODUCTS: Final = 8  # whose names complete those beside them
Heard: TypeAlias = tuple[Node, Level | None]
_OF_HOW_MANY: Final = "it may be for one chip or for all"
_NAMING: Final = ("names a thing", "names a quantity")  # groups of words for keys
_RECKONED: Final = frozenset("*×÷")  # signs of a sum
_PARTS: Final = re.compile(r"[,;|/()\[\]\n]|\s(?:at|and|or|-|–|—|\+)\s|\.(?:\s|$)")  # what parts the figures of a text
_DIGITS: Final = "~≈0123456789.,"
_FIGURES: Final = frozenset("0123456789~$€£<>≥≤±≈")  # that a cell with a figure begins with


class CellReader:
    """Reads the cells of one file."""

    def __init__(self, domain: Domain, file: str) -> None:
        self._domain, self._labels, self._file = domain, Labels(domain), Label(file, 0, 0)

    def read(self, tree: Node, about: tuple[str, ...] | None = None) -> list[Reading]:
        """All cells that are figures, in the order of the file; `about` is what nothing around them names, else what the file names."""
        self._sole, self._heard = self._read_sole(tree) if about is None else about, set[int]()
        found: list[Reading] = []
        waiting: list[tuple[Node, tuple[Level, ...]]] = [(tree, ())]
        while waiting:
            node, above = waiting.pop()
            levels = (self._level(node), *above) if node.children else above
            if node.value is not None and not node.irregular:
                for figure in self._figures(node):
                    found += self._cell(figure, above)
            named = node.value is not None and self._labels.meaning(node.value.text).entities
            if above and not (node.irregular or node.row) and (named or not above[0].node.row):
                for figure, level in self._told(node):
                    found += self._cell(figure, (level,) if level else levels)
            if not node.irregular:
                waiting += [(child, levels) for child in reversed(node.children)]
        return sorted(_settled(found), key=lambda r: r.cell.start)

    def _level(self, node: Node) -> Level:
        level, named = Level(node), self._labels.named
        keys: set[str] = set()
        for number, child in enumerate(node.children):
            key, value, first = child.keys[0].text if child.keys else "", child.value, node.row and number == 0
            if value is None or "://" in value.text:
                continue
            said = self._labels.meaning(value.text)
            if number_of(value.text) is not None and not (first and said.entities):  # the row of "4090"
                keys.add(key)
            elif number and value.text[:1] in _FIGURES and not said.entities:
                continue  # "192 GB HBM3" says nothing of the cell beside it
            elif not key or first or any(named(g, key) for g in _NAMING) or self._labels.names_machine(value.text):
                line = value.text.partition("\n")[0]
                level.names.append(value if value.text == line else replace(value, text=line))
            elif not said.entities and not said.left[" " not in value.text :]:
                level.sides.append(value)  # and no remark, such as "2x the compute of an H100"
        level.alike = len(keys) < 2  # noqa: PLR2004
        meant = {label: self._labels.meaning(label.text) for label in level.names}
        level.names.sort(key=lambda label: (not meant[label].entities, bool(meant[label].left)))
        cells = ((c.keys[0].text, number_of(c.value.text)) for c in node.children if c.keys and c.value)
        counts = ((key, int(n)) for key, n in cells if n and 0 < n < MOST_CHIPS and not self._labels.names_holder(key))
        level.chips = next((n for key, n in counts if CHIPS in self._labels.meaning(key).metrics), 0)
        heads = [
            c.children[0].value if c.row or not c.keys else c.keys[0] for c in node.children if c.keys or c.children
        ]
        entities = (self._labels.meaning(head.text).entities for head in heads if head is not None)
        products = (ids[0] for those in entities for ids in those)
        level.products = tuple(dict.fromkeys(self._domain.entities[i].name for i in products))[:MOST_PRODUCTS]
        return level

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
        figures = [q for q in self._domain.unit_table.find_all(text) if not q.compares]
        cues = [m for m in self._domain.find_qualifiers(text) if m.ids[0].partition("=")[0] in OF_ALL]
        engines = [m for m in self._labels.engines(text) if not any(c.start <= m.start < c.end for c in cues)]
        cues = [m for m in (*cues, *engines) if not any(q.start < m.end and m.start < q.end for q in figures)]
        rest = blanked(text, [*((q.start, q.end) for q in figures), *((m.start, m.end) for m in cues)])
        bare = [q for q in figures if q.dimension == "number"]
        if not (figures and cues) or any(map(str.isalnum, rest)) or (len(figures) == 1 and not bare):
            return [node]
        units = [Label(text[q.start : q.end].lstrip("~≈ 0123456789.,"), 0, 0) for q in figures if q not in bare]
        made: list[Node] = []
        for q, (first, last) in zip(figures, _stretches(text, figures), strict=True):
            own = [m for m in cues if first <= m.start < last]
            said = [m.ids[0].partition("=")[2] if m in engines else text[m.start : m.end] for m in own]
            words = [Label(w, 0, 0) for w in (*said, *self._unsaid(own, cues))]
            value = Label(text[q.start : q.end], start + q.start, start + q.end)
            made.append(replace(node, value=value, cues=[*words, *(units[:1] if q in bare else [])]))
        return made

    def _told(self, node: Node) -> Iterator[Heard]:
        """The figures of a value in words that names a product, and of the comments about a node, by lines."""
        own = [node.value] if node.value and " " in node.value.text and not number_of(node.value.text) else []
        for label in (*own, *(n for n in node.notes if n.start not in self._heard)):
            self._heard.add(start := label.start)
            for line in label.text.split("\n") if label.end - start == len(label.text) else ():
                yield from self._of_line(line, start, node.keys, value=label is node.value)
                start += len(line) + 1

    def _of_line(self, text: str, at: int, keys: Sequence[Label], *, value: bool) -> Iterator[Heard]:
        """Its figures, each below the product that it names: "RTX 4090 24GB", "H100: 989 TFLOPS dense BF16, 3.35 TB/s"."""
        domain = self._domain
        figures = domain.unit_table.find(text)
        if not figures or not _RECKONED.isdisjoint(text) or ("=" in text and len(figures) > 1):
            return
        named = [m for m in domain.find_entities(text) if any(map(domain.is_specific, m.ids))]
        against = any(o.kind in ("versus", "than") for o in domain.operators_in(text))
        machine = any(domain.kind(m.ids[0]) == "system" for m in named)
        if against or machine or any(q.compares or q.count > 1 for q in figures):
            return
        words = blanked(text, [(m.start, m.end) for m in named])
        whole = not self._labels.meaning(blanked(words, [(q.start, q.end) for q in figures])).left
        for q, (start, end) in zip(figures, _stretches(words, figures), strict=True):
            name = next((m for m in reversed(named) if m.start < q.start), named[0] if len(named) == 1 else None)
            if (named and not name) or (value and not named and q.start <= 1):
                continue  # what a value begins with is the cell's own
            unit = "".join(c for c in text[q.start : q.end] if c not in _DIGITS)
            said = f"{words[start : q.start]} {unit} {words[q.end : end]}".strip("~≈ ")
            meant = self._labels.meaning(said)
            own = [Label(said, 0, 0)] if meant.metrics or meant.axes or meant.left else []
            own += [k for k in keys if not (name and self._labels.meaning(k.text).entities)]
            if not any(self._labels.meaning(k.text).metrics for k in own):
                fits = [m for m in domain.metrics.values() if m.dimension == q.dimension]
                main = [m for m in fits if m.main and whole and "=" not in text]
                own += [Label(m.name, 0, 0) for m in (main if fits[1:] else fits) if m.pace or not main[1:]]
            first = q.start - (text[: q.start].endswith(("~", "≈")))
            figure = Label(text[first : q.end], at + first, at + q.end)
            yield Node(own, figure), Level(Node(), [Label(text[name.start : name.end], 0, 0)]) if name else None

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
            of_column = any(self._labels.meaning(k.text).entities for k in node.keys if number == 1 and level.node.row)
            sides = [] if of_column else level.sides
            yield from (Around(label, Place.SIDE, number) for label in sides if label is not own)
            yield from (Around(label, Place.HEAD, number) for label in level.node.keys)
            yield from (Around(label, Place.NOTE, number) for label in level.node.notes)
        if not self._sole:  # what the file is about is told in it
            yield Around(self._file, Place.FILE, len(above) + 1)

    def _cell(self, node: Node, above: tuple[Level, ...]) -> Iterator[Reading]:
        assert node.value is not None  # noqa: S101
        around = self._around(node, above)
        meant = [(a, self._labels.meaning(a.label.text, prose=a.place is Place.NOTE)) for a in around]
        for read in CellKey(self._domain, self._labels, node, above, meant, self._sole).readings():
            chips = above[0].chips if above else 0
            metric = self._domain.metrics.get(read.metric)
            grows = metric is not None and metric.scales and metric.nature != "priced"
            unsaid = {"aggregation", "count"}.isdisjoint(axis for axis, _ in read.axes)
            of_all = chips > 1 and grows and unsaid and self._domain.is_chip(read.subject)
            yield replace(read, chips=chips, doubt=read.doubt or (_OF_HOW_MANY if of_all else ""))


def _stretches(text: str, figures: Sequence[Quantity]) -> Iterator[Span]:
    """Of each figure of a line the words about it, which stand on one side of it where nothing parts it from the next one."""
    shut = [(s, e) for s, e in bracketed(text) if not any(s < q.start < e for q in figures)]
    parts = _PARTS.finditer(blanked(text, shut))  # what "(BF16, dense)" says is of the figure before it
    edges = [*(end for m in parts for end in m.span()), 0, len(text)]
    for q in figures:
        start, end = max(e for e in edges if e <= q.start), min(e for e in edges if e >= q.end)
        within = [o for o in figures if start <= o.start < end]
        labeled = len(within) > 1 and any(map(str.isalnum, text[start : within[0].start]))
        before = [o.end if labeled else q.start for o in within if o.end <= q.start]
        behind = [q.end if labeled else o.start for o in within if o.start >= q.end]
        yield max([start, *before]), min([end, *behind])


def _settled(readings: Sequence[Reading]) -> Iterator[Reading]:
    """Of one or of all chips, as the file's records with several numbers of chips tell: what grows with them is of all."""
    grows = Counter[str]()
    counted = [(r, r.chips, r.quantity.middle) for r in readings if r.chips and r.quantity][:MOST_COUNTED]
    for (a, m, x), (b, n, y) in combinations(counted, 2):
        if a.metric == b.metric and m != n:
            grows[a.metric] += isclose(x * n, y * m) - isclose(x, y)
    for read in readings:
        grown = grows[read.metric] if read.doubt == _OF_HOW_MANY else 0
        axes = tuple(sorted((*read.axes, ("count", str(read.chips))))) if grown > 0 else read.axes
        yield replace(read, doubt="" if grown else read.doubt, axes=axes)
