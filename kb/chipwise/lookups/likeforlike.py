"""A comparison of chips in which each row holds figures of one kind.

    nvidia-h100, nvidia-h200  ->  peak compute (BF16, dense, per chip), TFLOPS:  989  989  1.00x

A dense figure never stands beside a sparse one, nor a chip's beside a node's: of
what is known, the qualifiers are taken that most of the chips have a figure for, and
a note tells where one has none. A qualifier that a table does not state is told too.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from chipwise.claims.model import Fact
from chipwise.domain.names import Names
from chipwise.errors import NameUnknown
from chipwise.figures.alike import (
    FIXED,
    TOLD_APART,
    Values,
    agree,
    in_one_form,
    kind,
    unstated,
    values,
    without_slower_units,
)
from chipwise.figures.phrasing import in_words, phrase, value_text
from chipwise.figures.resolve import FactSource, known_of
from chipwise.figures.variants import said_of, speakers
from chipwise.lookups.lookup import understand, unknown
from chipwise.text import words

_DIGITS = 3  # of a converted figure, at least
_LONG = 32  # characters: a category that is a sentence stands in no table


@dataclass(frozen=True, slots=True)
class Cell:
    """A figure of a row: `number` in the row's unit; `converted` says from what, where that takes more than thousands."""

    fact: Fact
    number: str
    converted: str = ""


class Note(NamedTuple):
    """What to know of one column's cell; `missing` names the number format that it has no figure for."""

    subject: str
    text: str
    missing: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """One metric under one set of qualifiers; `cells` are by column, None where nothing like it is known."""

    metric: str
    words: str
    unit: str
    cells: tuple[Cell | None, ...]
    notes: tuple[Note, ...] = ()
    ratio: float | None = None

    @property
    def filled(self) -> int:
        """How many columns have a figure."""
        return sum(cell is not None for cell in self.cells)


@dataclass(frozen=True, slots=True)
class Comparison:
    """`subjects` are the columns; `single` counts the rows left out as only one of them has a figure of that kind."""

    subjects: tuple[str, ...]
    rows: tuple[Row, ...]
    notes: tuple[str, ...] = ()
    single: int = 0

    @property
    def empty(self) -> bool:
        """True when no row has two figures."""
        return all(row.filled < 2 for row in self.rows)  # noqa: PLR2004


@dataclass
class _Table:
    """What the rows are made from: by column, the facts that may stand in it."""

    names: Names
    subjects: tuple[str, ...]
    pools: list[list[Fact]]


def columns(store: FactSource, readings: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """One subject for each name: of several readings the one that most is known of."""

    def known(subject: str) -> int:
        return sum(f.rank != "deprecated" for f in store.facts([subject]))

    return tuple(dict.fromkeys(max(ids, key=known) if len(ids) > 1 else ids[0] for ids in readings))


def compare_named(
    store: FactSource, names: Names, subjects: Sequence[str], metrics: Sequence[str], *, dtype: str, singles: bool
) -> Comparison:
    """What can be compared, all of it by name. Raises NameUnknown for a name that nothing has, and for fewer than two chips."""
    asked, by = understand(names, subjects), understand(names, metrics)
    chips = columns(store, asked.readings)
    if len(chips) < 2 or asked.values or asked.metrics:  # noqa: PLR2004
        named = f"{names.name(chips[0])} alone" if len(chips) == 1 else "that" if chips else "nothing"
        hint = 'name two chips or more: `chipwise compare "h100 sxm" h200`'
        raise NameUnknown(f"{named} cannot be compared", hint=hint)
    if by.subjects or by.values:
        raise unknown(names, " ".join(metrics))
    formats = understand(names, (dtype,)).values if dtype else ()
    if dtype and len(formats) != 1:
        raise unknown(names, dtype)
    return compare(store, names, chips, metrics=by.metrics, dtype="".join(formats), singles=singles)


def compare(
    store: FactSource,
    names: Names,
    subjects: Sequence[str],
    *,
    metrics: Sequence[str] = (),
    dtype: str = "",
    singles: bool = False,
) -> Comparison:
    """All that can be compared of `subjects`, or of some metrics, or in one number format.

    `singles` keeps the rows in which only one of them has a figure; rows of a number
    format that another has are kept anyway.
    """
    known = [without_slower_units(known_of(store, names, subject), names) for subject in subjects]
    table = _Table(names, tuple(subjects), [[f for f in pool if _fits(names, f)] for pool in known])
    # all rows of a column are of one product
    chosen = dict(enumerate(speakers(names, subjects, known, lambda f: not metrics or f.claim.metric in metrics)))
    for column, variant in chosen.items():
        table.pools[column] = said_of(names, variant, table.pools[column]) if variant else table.pools[column]
    rows: list[Row] = []
    single = 0
    for metric, groups in _grouped(table, metrics).items():
        wanted = {key: pools for key, pools in groups.items() if not dtype or key[0] == dtype}
        shared = [key for key, pools in wanted.items() if sum(map(bool, pools)) > 1]
        about = names.metrics[metric]  # a number format that one of them lacks is worth a row
        by_format = about.nature == "specified" and "dtype" in about.qualifiers
        kept = wanted if singles or (shared and by_format) else shared
        made = (_row(table, metric, key, wanted[key]) for key in kept)
        # variants of one chip are not compared by what is said of the chip
        rows += [r for r in made if r.filled == 1 or len({c.fact.id for c in r.cells if c is not None}) > 1]
        single += len(wanted) - len(kept)
    return Comparison(table.subjects, tuple(rows), _variant_notes(table, rows, chosen), single)


def _grouped(table: _Table, metrics: Sequence[str]) -> dict[str, dict[Values, list[list[Fact]]]]:
    """By metric and by what makes rows of their own, the facts of each column; in the order of domain and table."""
    groups: dict[str, dict[Values, list[list[Fact]]]] = {
        m: {} for m in table.names.metrics if not metrics or m in metrics
    }
    for column, pool in enumerate(table.pools):
        for fact in pool:
            if fact.claim.metric in groups:
                columns = groups[fact.claim.metric].setdefault(kind(fact, table.names), [[] for _ in table.pools])
                columns[column].append(fact)
    return groups


def _fits(names: Names, fact: Fact) -> bool:
    return fact.claim.quantity is not None or len(names.name(fact.value)) <= _LONG


def _variant_notes(table: _Table, rows: Sequence[Row], chosen: dict[int, str]) -> tuple[str, ...]:
    """Which variant stands for its chip, where one does."""
    said = []
    for column, variant in chosen.items():
        cells = [row.cells[column] for row in rows]
        if any(cell is not None and cell.fact.claim.subject == variant for cell in cells):
            said.append(f"{table.names.name(table.subjects[column])}: of its variants, {table.names.name(variant)}")
    return tuple(said)


def _row(table: _Table, metric: str, split: Values, pools: Sequence[Sequence[Fact]]) -> Row:
    """The row of `metric` under `split`, with the fixed qualifiers that most columns have."""
    row = in_one_form(table.names, table.subjects, pools)
    best, chosen = row.fixed, row.facts
    model = next(f for pool in pools for f in pool if values(f, FIXED) == best)
    unit = row_unit(table.names, metric, chosen)
    cells = tuple(None if f is None else cell_of(table.names, f, unit) for f in chosen)
    words = in_words(model.claim, table.names, less=_told(table, model, chosen))
    notes = (
        *_differences(table, best, cells),
        *_gaps(table, metric, split, pools, chosen),
        *_added(table, pools, chosen),
    )
    return Row(metric, words, unit, cells, notes, _ratio(chosen))


def _told(table: _Table, model: Fact, chosen: Sequence[Fact | None]) -> str:
    """What is not said of every cell: the product's form, its kind of memory, the units that reach it, and how it is meant where they differ."""
    claim = model.claim
    mixed = [axis for axis in sorted(TOLD_APART) if len({f.claim.qualifier(axis) for f in chosen if f is not None}) > 1]
    mixed += [] if all(f.claim.qualifier("engine") for f in chosen if f is not None) else ["engine"]
    own = " ".join(phrase(axis, claim.qualifier(axis), table.names) for axis in ("form_factor", "memory_kind", *mixed))
    return f"{own} {claim.modality.value}"


def _ratio(facts: Sequence[Fact | None]) -> float | None:
    """The second by the first, where there are two single values."""
    found = [f.amount for f in facts if f is not None and f.is_single]
    if len(facts) != 2 or len(found) != 2:  # noqa: PLR2004
        return None
    first, second = found
    return second / first if first > 0 else None


def _differences(table: _Table, key: Values, cells: Sequence[Cell | None]) -> Iterator[Note]:
    """Where a cell is of another unit, or does not state what the row does."""
    for column, cell in enumerate(cells):
        if cell is None:
            continue
        if cell.converted:
            yield Note(table.subjects[column], cell.converted)
        mixed = [axis for axis in sorted(TOLD_APART) if len({_on(c, axis) for c in cells if c is not None}) > 1]
        own = [phrase(axis, value, table.names) for axis in mixed if (value := _on(cell, axis))]
        others = [axis for axis in unstated(cell.fact, key) if axis not in TOLD_APART]
        said = [phrase(a, _on(cell, a), table.names) or f"{a.replace('_', ' ')} not stated" for a in others]
        called = set(words(table.names.metrics[cell.fact.claim.metric].name))
        said += [text for text in own if not set(words(text)) <= called]
        if said:
            yield Note(table.subjects[column], ", ".join(said))


def _on(cell: Cell, axis: str) -> str:
    return cell.fact.claim.qualifier(axis)


def _added(table: _Table, pools: Sequence[Sequence[Fact]], chosen: Sequence[Fact | None]) -> Iterator[Note]:
    """What added documents say beside a curated figure."""
    for column, pool in enumerate(pools):
        own = chosen[column]
        for fact in (f for f in pool if not f.place and (own is None or not agree(own, f))):
            yield Note(table.subjects[column], f"{value_text(fact, table.names)}, says {fact.citation.title}")


def _gaps(
    table: _Table, metric: str, split: Values, pools: Sequence[Sequence[Fact]], chosen: Sequence[Fact | None]
) -> Iterator[Note]:
    """Why a column has nothing: it has the figure under other qualifiers only, or not in this number format."""
    for column, pool in enumerate(pools):
        if chosen[column] is not None:
            continue
        if pool:
            words = in_words(pool[0].claim, table.names)
            yield Note(table.subjects[column], f"only {value_text(pool[0], table.names)} ({words}), left out")
        elif split[0] and any(f.claim.metric == metric for f in table.pools[column]):
            missing = phrase("dtype", split[0], table.names)
            yield Note(table.subjects[column], f"no {missing}", missing)


def row_unit(names: Names, metric: str, facts: Sequence[Fact | None]) -> str:
    """The unit that most cells are written in; the metric's own where that is undecided."""
    units = Counter(f.unit for f in facts if f is not None and f.claim.quantity is not None)
    if not units:
        return ""
    best = [unit for unit, count in units.items() if count == max(units.values())]
    return names.metrics[metric].unit if names.metrics[metric].unit in best else best[0]


def cell_of(names: Names, fact: Fact, unit: str) -> Cell:
    """A fact as a cell of a row in `unit`."""
    written = value_text(fact, names)
    if fact.claim.quantity is None:
        return Cell(fact, written)
    number = written.removesuffix(fact.unit).rstrip()
    if fact.unit == unit:
        return Cell(fact, number)
    factor = names.units[fact.unit].scale / names.units[unit].scale
    parts = [_converted(part, factor) for part in fact.value.split("..")]
    bound = "" if fact.claim.quantity.bound == "exact" else f"{fact.claim.quantity.bound} "
    by_thousands = abs(math.log(factor, 1000) - round(math.log(factor, 1000))) < 1e-9  # noqa: PLR2004
    basis = "" if by_thousands else f"{written} as cited, 1 {fact.unit} = {factor:.5g} {unit}"
    return Cell(fact, bound + " to ".join(parts), basis)


def _converted(number: str, factor: float) -> str:
    """A number in another unit, with the digits that it had and at least three."""
    digits = max(_DIGITS, len(number.replace(".", "").replace("-", "").lstrip("0")))
    value = float(number) * factor
    text = f"{value:.{digits}g}"
    value = float(text)
    return f"{value:,.0f}" if value >= 1000 or "e" in text else text  # noqa: PLR2004
