"""A comparison in which each row holds figures of one kind.

A row has the qualifiers that most of the chips have a figure for; a note tells where one has none or doesn't state them.
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
    agree,
    in_one_form,
    kind,
    said_of,
    speakers,
    unstated,
    values,
    without_slower_units,
)
from chipwise.figures.format import in_words, phrase, plain, value_text
from chipwise.figures.resolve import FactSource, known_of
from chipwise.lookups.facts import select, unknown
from chipwise.text import words

_DIGITS = 3  # of a converted figure, at least
_LONG = 32  # characters: a category that is a sentence stands in no table
_PAIR = 2
_EPSILON = 1e-9


class Note(NamedTuple):
    """A remark on the cell of one column."""

    subject: str
    text: str


@dataclass(frozen=True, slots=True)
class ComparisonRow:
    """One metric under one set of qualifiers. By column, `facts` are None and `numbers` (in `unit`) empty where nothing like it is known."""

    metric: str
    words: str
    unit: str
    facts: tuple[Fact | None, ...]
    numbers: tuple[str, ...]
    notes: tuple[Note, ...] = ()

    @property
    def filled(self) -> int:
        """How many columns have a figure."""
        return sum(fact is not None for fact in self.facts)

    @property
    def ratio(self) -> float | None:
        """The second by the first, where there are two single values."""
        amounts = [f.amount for f in self.facts if f is not None and f.is_single]
        return amounts[1] / amounts[0] if len(self.facts) == len(amounts) == _PAIR and amounts[0] > 0 else None


@dataclass(frozen=True, slots=True)
class Comparison:
    """`subjects` are the columns; `single` counts the rows left out as only one of them has a figure of that kind."""

    subjects: tuple[str, ...]
    rows: tuple[ComparisonRow, ...]
    notes: tuple[str, ...] = ()
    single: int = 0

    @property
    def empty(self) -> bool:
        """True when no row has two figures."""
        return all(row.filled < _PAIR for row in self.rows)


def columns(store: FactSource, readings: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """One subject for each name: of several readings the one that most is known of."""

    def known(subject: str) -> int:
        return sum(f.rank != "deprecated" for f in store.facts([subject]))

    return tuple(dict.fromkeys(max(ids, key=known) if len(ids) > 1 else ids[0] for ids in readings))


def compare_named(
    store: FactSource, names: Names, subjects: Sequence[str], metrics: Sequence[str], *, dtype: str, singles: bool
) -> Comparison:
    """Compare chips given by name. Raises NameUnknown for an unknown name, and for fewer than two chips."""
    asked, by = select(names, subjects), select(names, metrics)
    chips = columns(store, asked.readings)
    if len(chips) < _PAIR or asked.values or asked.metrics:
        named = f"{names.name(chips[0])} alone" if len(chips) == 1 else "that" if chips else "nothing"
        hint = 'name two chips or more: `chipwise compare "h100 sxm" h200`'
        raise NameUnknown(f"{named} cannot be compared", hint=hint)
    if by.subjects or by.values:
        raise unknown(names, " ".join(metrics))
    formats = select(names, (dtype,)).values if dtype else ()
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

    `singles` keeps the rows in which only one of them has a figure; rows of a number format that another has are kept anyway.
    """
    known = [without_slower_units(known_of(store, names, subject), names) for subject in subjects]
    chosen = speakers(names, subjects, known, lambda f: not metrics or f.claim.metric in metrics)
    pools = [said_of(names, v, pool) if v else pool for v, pool in zip(chosen, known, strict=True)]
    kinds: dict[str, dict[tuple[str, ...], list[list[Fact]]]] = {m: {} for m in metrics or names.metrics}
    for column, fact in ((n, f) for n, pool in enumerate(pools) for f in pool):
        if fact.claim.metric in kinds and (fact.claim.quantity is not None or len(names.name(fact.value)) <= _LONG):
            kinds[fact.claim.metric].setdefault(kind(fact, names), [[] for _ in pools])[column].append(fact)
    rows: list[ComparisonRow] = []
    lacks: list[str] = []
    single = 0
    named = [Counter(m for m, _ in {(f.claim.metric, f.value) for f in p if f.claim.quantity is None}) for p in pools]
    lists = {m for found in named for m in found if found[m] > 1 and not metrics}  # clouds: one of each says little
    for metric in (m for m in names.metrics if kinds.get(m) and m not in lists):
        wanted = {key: cells for key, cells in kinds[metric].items() if not dtype or key[0] == dtype}
        shared = [key for key, cells in wanted.items() if sum(map(bool, cells)) > 1]
        about = names.metrics[metric]  # a number format that one of them lacks is worth a row
        by_format = about.nature == "specified" and "dtype" in about.qualifiers
        kept = wanted if singles or (shared and by_format) else shared
        made = (_row(names, subjects, metric, wanted[key]) for key in kept)
        # variants of one chip are not compared by what is said of the chip
        rows += [r for r in made if r.filled == 1 or len({f.id for f in r.facts if f is not None}) > 1]
        single += len(wanted) - len(kept)
        for n, subject in enumerate(subjects):
            formats = [phrase("dtype", key[0], names) for key in kept if key[0] and not wanted[key][n]]
            if formats and any(cells[n] for cells in kinds[metric].values()):
                lacks.append(f"{names.name(subject)}: {about.name}: no figure for {', '.join(formats)}")
    shown = {f.claim.subject for r in rows for f in r.facts if f is not None}
    speaking = ((s, v) for s, v in zip(subjects, chosen, strict=True) if v in shown)
    notes = [f"{names.name(s)}: figures include those of its variant {names.name(v)}" for s, v in speaking]
    return Comparison(tuple(subjects), tuple(rows), (*notes, *lacks), single)


def _row(names: Names, subjects: Sequence[str], metric: str, pools: Sequence[Sequence[Fact]]) -> ComparisonRow:
    """The row of one kind of figure, with the fixed qualifiers that most columns have."""
    form = in_one_form(names, subjects, pools)
    chosen = [f for f in form.facts if f is not None]
    model = next(f for pool in pools for f in pool if values(f, FIXED) == form.fixed).claim
    mixed = [axis for axis in sorted(TOLD_APART) if len({f.claim.qualifier(axis) for f in chosen}) > 1]
    # not said of every cell: the product's form and memory, the units that reach it, and how it is meant where they differ
    aside = [*mixed, *([] if all(f.claim.qualifier("engine") for f in chosen) else ["engine"])]
    own = " ".join(phrase(axis, model.qualifier(axis), names) for axis in ("form_factor", "memory_kind", *aside))
    unit = row_unit(names, metric, chosen)
    cells = [("", "") if f is None else in_unit(names, f, unit) for f in form.facts]
    notes: list[Note] = []
    for subject, fact, pool, (_, basis) in zip(subjects, form.facts, pools, cells, strict=True):
        notes += [Note(subject, basis)] if basis else []
        if fact is not None:
            said = ", ".join(_differences(names, fact, form.fixed, mixed))
            notes += [Note(subject, said)] if said else []
        elif pool:
            found = f"left out: only {value_text(pool[0], names)} ({in_words(pool[0].claim, names)}) is known"
            notes.append(Note(subject, found))
        added = (f for f in pool if not f.place and (fact is None or not agree(fact, f)))
        notes += [Note(subject, f"{value_text(f, names)}, says {f.citation.title}") for f in added]
    said = in_words(model, names, less=f"{own} {model.modality.value}")
    return ComparisonRow(metric, said, unit, form.facts, tuple(number for number, _ in cells), tuple(notes))


def _differences(names: Names, fact: Fact, fixed: tuple[str, ...], mixed: Sequence[str]) -> Iterator[str]:
    """List the qualifiers in which a cell differs from its row, and its own label where the cells mix labels."""
    called = set(words(names.metrics[fact.claim.metric].name))
    for axis in (axis for axis in unstated(fact, fixed) if axis not in TOLD_APART):
        yield phrase(axis, fact.claim.qualifier(axis), names) or f"{axis.replace('_', ' ')} not stated"
    for axis in mixed:
        own = phrase(axis, fact.claim.qualifier(axis), names)
        yield from [own] if own and not set(words(own)) <= called else []


def row_unit(names: Names, metric: str, facts: Sequence[Fact]) -> str:
    """The unit that most cells are written in; the metric's own where that is undecided."""
    units = Counter(f.unit for f in facts if f.claim.quantity is not None)
    best = [unit for unit, count in units.items() if count == max(units.values())]
    return names.metrics[metric].unit if names.metrics[metric].unit in best else next(iter(best), "")


def in_unit(names: Names, fact: Fact, unit: str) -> tuple[str, str]:
    """A fact's number in `unit`, or its category; and what it was converted from, where that takes more than thousands."""
    written = value_text(fact, names)
    if fact.claim.quantity is None or fact.unit == unit:
        return written.removesuffix(fact.unit).rstrip(), ""
    factor = names.units[fact.unit].scale / names.units[unit].scale
    ends = [(float(part) * factor, sum(map(str.isdigit, part.lstrip("-0.")))) for part in fact.value.split("..")]
    bound = "" if fact.claim.quantity.bound == "exact" else f"{fact.claim.quantity.bound} "
    text = bound + " to ".join(plain(value, max(_DIGITS, digits)) for value, digits in ends)
    thousands = math.log(factor, 1000)
    same = abs(thousands - round(thousands)) < _EPSILON
    return text, "" if same else f"{written} as cited, 1 {fact.unit} = {factor:.5g} {unit}"
