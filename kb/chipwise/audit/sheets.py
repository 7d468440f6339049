"""Cells of a CSV, JSON or YAML file as tables that claims are read from, and the way back from those to the file.

    - name: H200              | H200 | value |
      memory_gb: 141     ->   |---|---|
                              | memory | 141 GB |        whose "141 GB" is line 2, column 14 of the file

A record is told by a key or a value that names a chip; what stands below it is said of that chip. A unit in the
name of a field goes to the number. Where the case of its letters would have to tell bits from bytes and they are
all small ("gbps"), it is left out and the figure stays unchecked.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property

from chipwise.domain.model import Domain
from chipwise.reading.structured import Cell, Leaf, Row, Step, Structured
from chipwise.types import Evidence

QUOTED = 80  # characters of a long line on each side of a cell: JSON may be one line
_NAMING = ("name", "chip", "gpu", "accelerator", "product", "model", "device", "id")  # field names, the likeliest first
_VALUE, _UNIT = ("value",), ("unit", "units")
_WORDS = re.compile(r"[A-Z]?[a-z]+\d*|[A-Z]+\d*(?![a-z])|\d+[A-Za-z]*")  # of memoryGB, hbm_capacity, FP8Tflops
_FIELD_NAME = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:[_ -][A-Za-z0-9]+)*")
_LONGEST_UNIT = 4  # words: tokens per second per chip has five, and is rare as a field's name
_MARKUP = str.maketrans({"|": "/", "`": "'", "\\": "/", "<": "(", ">": ")", "*": " ", "\n": " "})
_BYTES_OF = "information"  # "gb" is gigabytes in the name of a size; of rates both are common
_BITS_OR_BYTES = "bps"  # in small letters, as in memory_bandwidth_gbps


class Sheet:
    """The tables of one structured file: `text` is Markdown, `find` leads from there to the file."""

    def __init__(self, source: Structured, domain: Domain) -> None:
        self._source, self._domain = source, domain
        self._parts: list[str] = []
        self._length = 0
        self._known: dict[str, bool] = {}  # whether a text names a chip
        self._spans: list[tuple[int, Cell, tuple[str, ...]]] = []  # start in `text`, the cell, the keys above it
        if source.rows:
            self._write_rows()
        else:
            self._write_records()
        self.text = "".join(self._parts)

    def find(self, start: int, end: int) -> tuple[int, int, tuple[str, ...]]:
        """The span in the file of what stands at `[start, end)` of `text`, with the keys that lead to it."""
        at = bisect_right(self._spans, start, key=lambda span: span[0]) - 1
        if at < 0:
            return 0, 0, ()
        begin, cell, keys = self._spans[at]
        if self._source.text[cell.start : cell.end] == cell.text:
            size = cell.end - cell.start
            first, last = min(start - begin, size), min(end - begin, size)
            if first < last:
                return cell.start + first, cell.start + last, keys
        return cell.start, cell.end, keys

    def line_and_column(self, start: int) -> tuple[int, int]:
        """Where an offset of the file stands, both from 1."""
        text = self._source.text
        return text.count("\n", 0, start) + 1, start - text.rfind("\n", 0, start)

    def relocated(self, evidence: Evidence) -> Evidence:
        """A quote from `text` as one from the file: the line of the cell, or what is around it."""
        first, last = evidence.mark or (0, len(evidence.quote))
        start, end, keys = self.find(evidence.start + first, evidence.start + last)
        text = self._source.text
        begin = max(text.rfind("\n", 0, start) + 1, start - QUOTED)
        stop = text.find("\n", end)
        stop = min(len(text) if stop < 0 else stop, end + QUOTED)
        begin += len(text[begin:start]) - len(text[begin:start].lstrip())
        stop -= len(text[end:stop]) - len(text[end:stop].rstrip())
        line, column = self.line_and_column(start)
        return replace(
            evidence,
            heading=keys,
            quote=text[begin:stop],
            start=begin,
            end=stop,
            mark=(start - begin, end - begin),
            line=line,
            column=column,
        )

    def _write(self, text: str, cell: Cell | None = None, keys: tuple[str, ...] = ()) -> None:
        if cell is not None:
            self._spans.append((self._length, cell, keys))
        self._parts.append(text)
        self._length += len(text)

    def _write_rows(self) -> None:
        header, *rows = self._source.rows
        first = self._naming_column(header, rows)
        order = [first, *(number for number in range(len(header)) if number != first)]
        fields = [self._field(cell.text) for cell in header]
        for number in order:
            self._write("| ")
            self._write(_plain(fields[number][0]) or " ", header[number])
            self._write(" ")
        self._write("|\n" + "|---" * len(order) + "|\n")
        for row in rows:
            for number in order:
                cell = row[number] if number < len(row) else None
                self._write("| ")
                if cell is not None:
                    keys = tuple(filter(None, (row[first].text if first < len(row) else "", header[number].text)))
                    self._write(_with_unit(cell.text, fields[number][1]), cell, keys)
                self._write(" ")
            self._write("|\n")

    def _naming_column(self, header: Row, rows: Sequence[Row]) -> int:
        """The column that names chips in most rows; the first where none does."""
        named = [
            sum(self._names_a_chip(row[number].text) for row in rows if number < len(row))
            for number in range(len(header))
        ]
        return max(range(len(header)), key=lambda number: (named[number], -number))

    def _write_records(self) -> None:
        leaves = _joined(self._source.leaves)
        labels = self._labels(leaves)
        records: dict[tuple[Step, ...], list[Leaf]] = {}
        for leaf in leaves:
            owner = next((leaf.path[:n] for n in range(len(leaf.path), -1, -1) if leaf.path[:n] in labels), None)
            above = leaf.path[: _last_place(leaf.path)] if owner is None else owner
            if owner is None or labels[owner] != leaf.value:
                records.setdefault(above, []).append(leaf)
        # a record without a name would be read as of the one before it, and so comes first
        for owner, own in sorted(records.items(), key=lambda record: record[0] in labels):
            self._write_record(labels.get(owner), own, len(owner))

    def _write_record(self, label: Cell | None, leaves: Sequence[Leaf], depth: int) -> None:
        self._write("\n| ")
        self._write(_plain(label.text) if label else "field", label)
        self._write(" | value |\n|---|---|\n")
        for leaf in leaves:
            keys = [step for step in leaf.path if isinstance(step, Cell)]
            below = [step.text for step in leaf.path[depth:] if isinstance(step, Cell)]
            name, unit = self._field("_".join(below) or (keys[-1].text if keys else ""))
            self._write("| ")
            self._write(_plain(name) or " ", keys[-1] if keys else leaf.value)
            self._write(" | ")
            path = tuple(str(step) if isinstance(step, int) else step.text for step in leaf.path)
            self._write(_with_unit(leaf.value.text, unit), leaf.value, path)
            self._write(" |\n")

    def _labels(self, leaves: Iterable[Leaf]) -> dict[tuple[Step, ...], Cell]:
        """What names the chip of each record, by the path to the record: a key, or else the likeliest of its values."""
        found: dict[tuple[Step, ...], tuple[int, Cell]] = {}
        for leaf in leaves:
            for number, step in enumerate(leaf.path[:-1], start=1):
                if isinstance(step, Cell) and self._names_a_chip(step.text):
                    found.setdefault(leaf.path[:number], (-1, step))
            key = leaf.path[-1] if leaf.path else None
            if isinstance(key, Cell) and self._names_a_chip(leaf.value.text):
                word = key.text.lower()
                rank = _NAMING.index(word) if word in _NAMING else len(_NAMING)
                if leaf.path[:-1] not in found or rank < found[leaf.path[:-1]][0]:
                    found[leaf.path[:-1]] = (rank, leaf.value)
        return {path: cell for path, (_, cell) in found.items()}

    def _names_a_chip(self, text: str) -> bool:
        if text not in self._known:
            mentions = self._domain.find_entities(text.replace("_", " "))
            self._known[text] = any(self._domain.is_specific(i) for m in mentions for i in m.ids)
        return self._known[text]

    def _field(self, name: str) -> tuple[str, str]:
        """A field's name in words, and the unit that it ends in: "memory_gb" -> ("memory", "GB")."""
        if not _FIELD_NAME.fullmatch(name):
            return name, ""  # "Memory (GB)" is words already
        words = _WORDS.findall(name)
        for count in range(min(_LONGEST_UNIT, len(words)), 0, -1):
            unit = self._unit(words[-count:])
            if unit is not None:
                rest = words[:-count] or (words if unit else [])
                return " ".join(rest), unit
        return " ".join(words), ""

    def _unit(self, words: Sequence[str]) -> str | None:
        """The unit that words of a field's name spell, "" where it may be one of several, None where they spell none."""
        divided = "/".join(word for word in words if word != "per")
        for spelled in dict.fromkeys(("".join(words), " ".join(words), divided)):
            forms = self._forms.get(spelled.lower(), set())
            if spelled in forms and not spelled.endswith(_BITS_OR_BYTES):
                return self._domain.unit_by_form[spelled]
            if forms:
                return self._one_of(forms)
        return None

    def _one_of(self, forms: set[str]) -> str:
        units = self._domain.units
        by_form = self._domain.unit_by_form
        made = {form: units[by_form[form]] for form in forms if form in by_form}
        if len({(u.dimension, u.scale) for u in made.values()}) == 1:
            return next(iter(made.values())).id
        sizes = {u.id: u.scale for u in made.values() if u.dimension == _BYTES_OF}
        return max(sizes, key=lambda unit: sizes[unit]) if sizes and len(sizes) == len(made) else ""

    @cached_property
    def _forms(self) -> dict[str, set[str]]:
        """The ways to write units, by the same in small letters."""
        found: dict[str, set[str]] = {}
        for form in self._domain.unit_by_form:
            found.setdefault(form.strip().lower(), set()).add(form)
        return found


def _plain(text: str) -> str:
    return " ".join(text.translate(_MARKUP).split())


def _with_unit(text: str, unit: str) -> str:
    """A bare number with its unit behind; anything else as it is."""
    plain = _plain(text)
    try:
        float(plain.replace(",", ""))
    except ValueError:
        return plain
    return f"{plain} {unit}".strip()


def _last_place(path: Sequence[Step]) -> int:
    """How much of a path leads to the list's item that it is below, or to the whole."""
    return max((number for number, step in enumerate(path, start=1) if isinstance(step, int)), default=0)


def _joined(leaves: Iterable[Leaf]) -> list[Leaf]:
    """Leaves, those of `{value: 141, unit: GB}` as one, and the items of a list of values as one, at its first."""
    found: dict[tuple[Step, ...], Leaf] = {}
    units: dict[tuple[Step, ...], str] = {}
    for leaf in leaves:
        above, last = leaf.path[:-1], leaf.path[-1] if leaf.path else 0
        name = last.text.lower() if isinstance(last, Cell) else ""
        if name in _UNIT:
            units[above] = leaf.value.text
        path = above if above and (isinstance(last, int) or name in _VALUE) else leaf.path
        if path in found and isinstance(last, int):
            first = found[path].value
            found[path] = Leaf(path, Cell(f"{first.text}, {leaf.value.text}", first.start, leaf.value.end))
        else:
            found[path] = Leaf(path, leaf.value)
    for path, unit in units.items():
        if path in found:
            value = found[path].value
            found[path] = replace(found[path], value=replace(value, text=_with_unit(value.text, unit)))
    return [leaf for leaf in found.values() if not _is_a_unit(leaf, found)]


def _is_a_unit(leaf: Leaf, found: dict[tuple[Step, ...], Leaf]) -> bool:
    last = leaf.path[-1] if leaf.path else None
    return isinstance(last, Cell) and last.text.lower() in _UNIT and leaf.path[:-1] in found
