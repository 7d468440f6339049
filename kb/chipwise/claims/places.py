"""What the cells of a table are about: each with its subject, its label and what stands beside it.

    | GPU  | Memory (GB) |
    | H100 |          80 |   ->   80, of the H100, below "Memory (GB)"

Either the rows or the columns name the subjects; where neither does, they are those of the section.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from chipwise import patterns as re
from chipwise.claims.axes import subject_axis, subject_column
from chipwise.claims.cells import spoken
from chipwise.claims.grid import Cell, Grid, Row, read_grids
from chipwise.claims.naming import is_likened
from chipwise.claims.scene import ids
from chipwise.domain.model import Domain
from chipwise.domain.phrasebook import Mention
from chipwise.nouns import CHIP, MACHINE
from chipwise.text import Span, blanked
from chipwise.types import Passage

_NAME_AT_MOST = 40  # characters of a cell that holds a name and nothing else
_STATED = re.compile(r"\b(\d{1,3})[-\s](?:GPU|TPU|chip|card|accelerator|way)s?\b", re.I)
_COUNT = re.compile(r"\W*(\d{1,4})\s?[x×*]\s?(?=[A-Za-z])")
_MODEL_NUMBER = re.compile(r"\b(?=\w*\d)(?!\d{1,3}[x×]?\b)\w{2,}")
_ASIDE = re.compile(r"\([^()]*\)")
_OF_EACH = re.compile(r"\b(?:per|each|every)\s$", re.I)  # "bandwidth per GPU" is of no GPU in particular
_PER_HOUR = re.compile(
    rf"(?:(?:list\s|on-demand\s|spot\s)?(?:price|rate|cost)s?\s)?(?:per|an?)\s(?:(?:{CHIP}|{MACHINE}|VM)[\s-])?hour|hourly(?:\s(?:price|rate|cost)s?)?",
    re.I,
)
_BY_MACHINE = re.compile(rf"\bper\s(?:{MACHINE}|VM)[\s-]", re.I)
_CURRENCY = re.compile(r"US\$|[$€£¥₩₹]|\b(?:USD|EUR|GBP|JPY|CNY|RMB|KRW|INR|dollars?|euros?)\b", re.I)
_PRICE = re.compile(r"\b(?:prices?|costs?|rates?|hours?|hourly|hrs?|tokens?)\b|/\s?h\b|[$€£]", re.I)
_DOLLARS = frozenset(("$", "US$", "USD", "DOLLAR", "DOLLARS"))
_MACHINES = re.compile(rf"\b(?:{MACHINE})s\W*$", re.I)
_PER_CHIP = re.compile(rf"\b(?:per|of each)\s(?:{CHIP})\b", re.I)
PAIR = 2  # columns: a property and its value


@dataclass(frozen=True, slots=True)
class Place:
    """A cell with what stands over it and beside it."""

    cell: Cell
    row: Row
    label: str  # the words that say what is measured, of what
    units: str  # the words that may give a bare number its unit
    subjects: tuple[str, ...]
    property: str  # the name of what the cell gives, as the row or the column is called
    count: int = 1  # of them together: "64x A100", "2x v5e-256"
    named: bool = True  # False where the subject is that of the section
    naming: str = ""  # the words that name the subject, where a row does
    mark: str = ""  # behind the column's header, that of a note: "FP8*"
    beside: tuple[tuple[str, str], ...] = ()  # header and words of the row's other cells, but for the subject's
    called: str = ""  # what the column of names says that they are: "GPU", "Build"
    given: tuple[str, ...] = ()  # the labels of all that the table gives


def read_tables(passages: Sequence[Passage], domain: Domain) -> dict[int, Grid]:
    """The grids of one source, by the passage's ordinal."""

    def entities(text: str) -> list[Span]:
        return [(m.start, m.end) for m in domain.find_entities(text)]

    def quantities(text: str) -> list[Span]:
        return [(q.start, q.end) for q in domain.unit_table.find(text)]

    grids = read_grids(passages, entity_spans=entities, quantity_spans=quantities)
    hourly = [number for number, grid in grids.items() if any(map(_is_bare_rate, grid.headers))]
    # in which currency a column "Per GPU-hour" is tells the text around it
    one = _only_currency(passages) if hourly else ""
    return {n: _in_currency(grid, one) if one and n in hourly else grid for n, grid in grids.items()}


def _is_bare_rate(header: str) -> bool:
    """True for "Per GPU-hour", which is a price of whatever currency."""
    return _PER_HOUR.fullmatch(header.strip()) is not None


def _only_currency(passages: Sequence[Passage]) -> str:
    """The one currency that a text has prices in, or ""."""
    found = {m[0].upper() for p in passages for m in _CURRENCY.finditer(p.text)}
    return "USD" if found and found <= _DOLLARS else ""


def _in_currency(grid: Grid, currency: str) -> Grid:
    """With what such a column gives in its header: "Price Per GPU-hour (USD)"."""
    told = tuple(
        f"Price {_BY_MACHINE.sub('per instance-', h)} ({currency})" if _is_bare_rate(h) else h for h in grid.headers
    )
    return replace(
        grid, headers=told, marks={t: grid.marks[h] for t, h in zip(told, grid.headers, strict=True) if h in grid.marks}
    )


def _entities(domain: Domain, text: str) -> tuple[str, ...]:
    """The entities that a label names, specific ones first; () where it names none, is ambiguous, or names what is unknown."""
    named = [m for m in domain.find_entities(text) if len(m.ids) == 1 and not _OF_EACH.search(text, 0, m.start)]
    named = [m for m in named if not is_likened(text, m)]
    specific = [m for m in named if domain.is_specific(m.ids[0])]
    if named and not specific and is_part_of_a_name(domain, text, named):
        return ()
    return ids(specific) or ids(named)


def _each_of(domain: Domain, text: str, named: tuple[str, ...]) -> tuple[str, ...]:
    """The chip of a machine whose figures are of each: "HGX B200, per GPU"."""
    return tuple(domain.nearest_chip(i) or i for i in named) if _PER_CHIP.search(text) else named


def _unpriced(label: str) -> str:
    """A label, "" for that of a price: what an instance costs per GPU is the instance's price all the same."""
    return "" if _PRICE.search(label) else label


def is_part_of_a_name(domain: Domain, text: str, named: Sequence[Mention]) -> bool:
    """True for "RTX PRO 4500 Blackwell": no Blackwell, but a product that has the name of its family in its own."""
    if not text:
        return False
    rest = blanked(text, [(m.start, m.end) for m in (*named, *domain.find_qualifiers(text))])
    rest = blanked(rest, [(q.start, q.end) for q in domain.unit_table.find(rest)])
    return bool(_MODEL_NUMBER.search(_ASIDE.sub(" ", rest)))


def _product_share(domain: Domain, text: str) -> float:
    """How much of a cell's characters are the names of products; 0 where it names none."""
    named = [m for m in domain.find_entities(text) if any(domain.is_specific(i) for i in m.ids)]
    named = [m for m in named if not is_likened(text, m)]
    return sum(m.end - m.start for m in named) / max(1, len(text))


def places(domain: Domain, grid: Grid, about: tuple[str, ...]) -> Iterator[Place]:
    """Every cell with its subject, by whichever side names the subjects."""

    def is_entity(text: str) -> bool:
        # "GPU memory" and "accelerator memory capacity" are of no chip
        return any(not domain.is_generic(i) for i in _entities(domain, text))

    def share(text: str) -> float:
        return _product_share(domain, text)

    axis, column = subject_axis(grid, is_entity, share), subject_column(grid, is_entity, share)
    corner = _each_of(domain, grid.header(0), _entities(domain, grid.header(0))) if axis == "corner" else ()
    given = (*grid.headers, *(spoken(row.label.text) for row in grid.rows if row.label))
    section = corner or tuple(i for i in about if domain.is_specific(i))
    for row in grid.rows:
        label = spoken(row.called)
        naming = label if not column else next((c.text for c in row.cells if c.column == column), "")
        for cell in row.cells:
            header = grid.header(cell.column)
            units = f"{label if axis != 'rows' else header} | {header} | {grid.header(0)}"
            if axis == "columns":
                words = f"{row.section} {label}".strip()
                named = _each_of(domain, _unpriced(f"{header} {label}"), _entities(domain, header))
                yield Place(
                    cell, row, words, units, named, label, _count_of(domain, header, named), naming=header, given=given
                )
            elif axis == "rows" and cell.column != column:
                named = _named_in(domain, row, naming) or _entities(domain, row.section)
                named = _each_of(domain, _unpriced(header), named)
                over = "" if _MACHINES.search(row.section) else row.section  # "GPU compute nodes", each in a row
                words, count = f"{over} {header}".strip(), _count_of(domain, naming, named)
                mark, beside = grid.marks.get(header, ""), _beside(grid, row, cell, column)
                called = grid.header(column or 0)
                yield Place(cell, row, words, units, named, header, count, True, naming, mark, beside, called, given)
            elif axis != "rows":
                words = f"{row.section} {label} {header}" if len(grid.headers) > PAIR else f"{row.section} {label}"
                beside = _beside(grid, row, cell, None) if len(grid.headers) > PAIR else ()
                subjects = _entities(domain, row.section) or section
                yield Place(cell, row, words.strip(), units, subjects, label, named=False, beside=beside, given=given)


def _beside(grid: Grid, row: Row, cell: Cell, naming: int | None) -> tuple[tuple[str, str], ...]:
    """Header and words of a row's other cells, without the one that names its subject."""
    cells = (c for c in (row.label, *row.cells) if c is not None and c is not cell and c.column != naming)
    return tuple((grid.header(c.column), c.text) for c in cells)


def _named_in(domain: Domain, row: Row, naming: str) -> tuple[str, ...]:
    """The subject of a row; where another cell is the name of a variant of it, that one: "NVIDIA H200 | H200 SXM"."""
    named = _entities(domain, naming)
    if len(named) != 1:
        return named
    closer = [_entities(domain, c.text) for c in row.cells if len(c.text) <= _NAME_AT_MOST]
    return next((found for found in closer if len(found) == 1 and _is_variant_of(domain, found[0], named[0])), named)


def _is_variant_of(domain: Domain, name: str, of: str) -> bool:
    """True for "H200 SXM" of "H200"; not for "DGX H200", which is a machine with eight."""
    return domain.is_chip(name) and of in domain.ancestors(name)[1:]


def _count_of(domain: Domain, naming: str, named: tuple[str, ...]) -> int:
    """How many chips a row is about that counts its subject."""
    if len(named) != 1:
        return 1
    entity, stated = domain.entities[named[0]], _STATED.search(naming)
    if stated is not None and entity.chips != int(stated[1]) > 1:
        return int(stated[1])  # "4-GPU HGX", where the domain knows it with eight
    counted = _COUNT.match(naming)
    if counted is None or any(m.start < counted.end() for m in domain.find_entities(naming)):
        return 1  # "8x H100" may be a name in itself
    return int(counted[1]) * max(1, entity.chips)
