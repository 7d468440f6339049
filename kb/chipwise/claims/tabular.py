"""Claims of tables: each cell with its row and its column as slots, and the header's unit and scope.

    | GPU  | Memory (GB) | FP8 dense, TFLOPS |
    | H100 |          80 |             1,979 |
        -> (nvidia-h100, memory_capacity, 80 GB), (nvidia-h100, peak_compute, 1,979 TFLOPS, dtype=fp8, sparsity=dense)

Either the rows or the columns name what a table is about, and the other side what
is measured. A table of two columns that names nothing is about what its section is about.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from chipwise.claims import slots, voice
from chipwise.claims.axes import subject_axis, subject_column
from chipwise.claims.categories import categories_of_cell
from chipwise.claims.grid import Cell, Grid, Row, read_grids
from chipwise.claims.model import Claim, Qualifiers
from chipwise.claims.qualifying import model_size, qualifiers, scope_at, scope_of, with_run
from chipwise.claims.scene import SPECIFIC, Scene, ids, read_scene
from chipwise.domain import Domain
from chipwise.phrasebook import Mention
from chipwise.quantities import Quantity
from chipwise.records import Metric
from chipwise.text import Span, content_words, words
from chipwise.types import Passage

_NAME_AT_MOST = 40  # characters of a cell that holds a name and nothing else
_COUNT = re.compile(r"\W*(\d{1,4})\s?[x×]\s?(?=[A-Za-z])")
PAIR = 2  # columns: a property and its value
_UNIT_IN = re.compile(r"[(\[]([^()\[\]]{1,24})[)\]]|,\s*([^,()]{1,24})$|\bin\s([^\s,()]{1,24})$")
_SCALED = re.compile(r"\s*(\d[\d,.]*\s?(?:thousand|million|billion|trillion))\s*", re.I)
_ONE = r"\d[\d,]*(?:\.\d+)?(?:[eE][+-]?\d{1,2})?"
_BARE = re.compile(rf"[~≈<>≤≥*_`\s]*({_ONE})(?:\s?[-–]\s?({_ONE}))?[*_`\s]*(?:\[\^?\w+\]|[*†‡])?$")


@dataclass(frozen=True, slots=True)
class _Place:
    """A cell with what stands over it and beside it."""

    cell: Cell
    row: Row
    label: str  # the words that say what is measured, of what
    units: str  # the words that may give a bare number its unit
    subjects: tuple[str, ...]
    count: int = 1  # of them together: "64x A100", "2x v5e-256"


def read_tables(passages: Sequence[Passage], domain: Domain) -> dict[int, Grid]:
    """The grids of one source, by the passage's ordinal."""

    def entities(text: str) -> list[Span]:
        return [(m.start, m.end) for m in domain.find_entities(text) if _names_one(domain, m)]

    def quantities(text: str) -> list[Span]:
        return [(q.start, q.end) for q in domain.unit_table.find(text)]

    return read_grids(passages, entity_spans=entities, quantity_spans=quantities)


def claims_of_table(domain: Domain, passage: Passage, grid: Grid, about: tuple[str, ...]) -> Iterator[Claim]:
    """The claims of all cells; `about` is what the section is about."""
    for place in _places(domain, grid, about):
        yield from _claims_of_cell(domain, passage, place)


def _names_one(domain: Domain, m: Mention) -> bool:
    return any(domain.entities[i].kind in (*SPECIFIC, "line", "family") for i in m.ids)


def _entities(domain: Domain, text: str) -> tuple[str, ...]:
    """The entities that a label names, specific ones first; () where it names none or is ambiguous."""
    named = [m for m in domain.find_entities(text) if len(m.ids) == 1]
    specific = [m for m in named if domain.entities[m.ids[0]].kind in SPECIFIC]
    return ids(specific) or ids(named)


def _places(domain: Domain, grid: Grid, about: tuple[str, ...]) -> Iterator[_Place]:
    """Every cell with its subject, by whichever side names the subjects."""

    def is_entity(text: str) -> bool:
        return bool(_entities(domain, text))

    axis, column = subject_axis(grid, is_entity), subject_column(grid, is_entity)
    corner = _entities(domain, grid.header(0)) if axis == "corner" else ()
    section = corner or tuple(i for i in about if domain.entities[i].kind in SPECIFIC)
    for row in grid.rows:
        label = row.label.text if row.label else ""
        naming = label if not column else next((c.text for c in row.cells if c.column == column), "")
        for cell in row.cells:
            header = grid.header(cell.column)
            units = f"{label if axis != 'rows' else header} | {header} | {grid.header(0)}"
            if axis == "columns":
                yield _Place(cell, row, f"{row.section} {label}".strip(), units, _entities(domain, header))
            elif axis == "rows" and cell.column != column:
                named = _named_in(domain, row, naming) or _entities(domain, row.section)
                yield _Place(
                    cell, row, f"{row.section} {header}".strip(), units, named, _count_of(domain, naming, named)
                )
            elif axis != "rows":
                words = f"{row.section} {label} {header}" if len(grid.headers) > PAIR else f"{row.section} {label}"
                yield _Place(cell, row, words.strip(), units, _entities(domain, row.section) or section)


def _named_in(domain: Domain, row: Row, naming: str) -> tuple[str, ...]:
    """The subject of a row; where another cell is the name of a variant of it, that one: "NVIDIA H200 | H200 SXM"."""
    named = _entities(domain, naming)
    if len(named) != 1:
        return named
    closer = [_entities(domain, c.text) for c in row.cells if len(c.text) <= _NAME_AT_MOST]
    return next((found for found in closer if len(found) == 1 and named[0] in domain.ancestors(found[0])[1:]), named)


def _count_of(domain: Domain, naming: str, named: tuple[str, ...]) -> int:
    """How many chips a row is about that counts its subject."""
    counted = _COUNT.match(naming)
    if counted is None or len(named) != 1 or any(m.start < counted.end() for m in domain.find_entities(naming)):
        return 1  # "8x H100" may be a name in itself
    return int(counted[1]) * max(1, domain.entities[named[0]].chips)


def _claims_of_cell(domain: Domain, passage: Passage, place: _Place) -> Iterator[Claim]:
    """What a cell says of its one subject; nothing where there are several or none."""
    if len(place.subjects) != 1:
        return
    shared = Claim(
        source=passage.source,
        passage=passage.ordinal,
        start=passage.start + place.row.start,
        end=passage.start + place.row.end,
        value_start=passage.start + place.cell.start,
        value_end=passage.start + place.cell.end,
        subject=place.subjects[0],
        metric="",
        attribution=voice.attribution(domain, place.cell.text, ())
        or voice.attribution(domain, passage.text[place.row.start : place.row.end], passage.heading),
    )
    row_label = place.row.label.text if place.row.label else ""
    yield from _figures_of_cell(domain, passage, place, shared, row_label)
    for c in categories_of_cell(domain, shared.subject, row_label, place.cell.text, place.cell.start):
        yield replace(
            shared,
            value_start=passage.start + c.start,
            value_end=passage.start + c.end,
            metric=c.relation,
            object=c.object,
            polarity=c.polarity,
            qualifiers=c.qualifiers,
        )


def _figures_of_cell(domain: Domain, passage: Passage, place: _Place, shared: Claim, row_label: str) -> Iterator[Claim]:
    label = read_scene(domain, place.label)
    scene = _cell_scene(domain, place.cell.text, place.units)
    headed = slots.told_above(domain, passage.heading[-1]) if passage.heading else ()
    # a column of its own may say of what the row is: "per SM"
    beside = [c.text for c in place.row.cells if c is not place.cell and not any(map(str.isdigit, c.text))]
    noted = [c.text for c in place.row.cells if c is not place.cell and not domain.unit_table.find(c.text)]
    run = model_size(place.label) or model_size(passage.heading[-1] if passage.heading else "")
    above = [
        *label.qualifiers,
        *domain.find_qualifiers(row_label),
        *(m for t in beside for m in domain.find_qualifiers(t)),
        # "3; Peak Engine Clock"
        *(m for t in noted for m in domain.find_qualifiers(t) if all(i.startswith("basis=") for i in m.ids)),
    ]
    at = passage.start + place.cell.start
    for quantity in scene.figures:
        metric = _metric(domain, scene, label, quantity, headed)
        if metric is None:
            continue
        own = slots.implied(domain, metric, quantity)
        yield replace(
            shared,
            value_start=at + quantity.start,
            value_end=at + quantity.end,
            metric=metric.id,
            quantity=replace(own, start=own.start + at, end=own.end + at),
            qualifiers=_counted(
                place, metric, with_run(metric, _qualified(domain, scene, label, quantity, metric, above), run)
            ),
            modality=voice.modality(domain, place.label, metric.nature),
        )


def _cell_scene(domain: Domain, text: str, units: str) -> Scene:
    """The cell; a bare number takes the unit that its header, its label or the corner gives."""
    scene = read_scene(domain, text)
    bare = _BARE.fullmatch(text) or _SCALED.fullmatch(text)
    if scene.quantities or bare is None:
        return scene
    number = text[bare.start(1) : bare.end(2) if bare.re is _BARE and bare[2] else bare.end(1)]
    for unit in _units_in(units):
        found = domain.unit_table.find(f"{number} {unit}")
        if len(found) == 1 and found[0].start == 0 and found[0].end > len(number) + len(unit) // 2:
            return replace(scene, quantities=[replace(found[0], start=bare.start(1), end=bare.start(1) + len(number))])
    counted = read_scene(domain, f"{units.partition('|')[0].strip()}: {text.strip()}").quantities
    if len(counted) == 1 and counted[0].dimension == "count":
        return replace(scene, quantities=[replace(counted[0], start=bare.start(1), end=len(text.rstrip()))])
    return scene


def _units_in(header: str) -> Iterator[str]:
    """What in a header may be its unit, likeliest first: "Memory (GB)", "Peak, TFLOPS", "FLOPs/s/chip (bf16)", "Spec TFLOPS"."""
    for match in _UNIT_IN.finditer(header):
        yield next(filter(None, match.groups())).strip()
    for part in header.split("|"):
        yield part.strip().lower()  # "Tokens per second per chip"
        tokens = [t.strip("()[],;") for t in part.replace("\\", " ").split()]
        yield from (t for t in reversed(tokens) if len(t) > 1)


def _metric(domain: Domain, scene: Scene, label: Scene, quantity: Quantity, above: Sequence[str]) -> Metric | None:
    """What the label says is measured, else what the cell says, the heading, or what figures of the kind mostly are."""
    for named in (label.metrics, scene.metrics):
        for mention in named:
            for metric in mention.ids:
                if slots.fits(domain, domain.metrics[metric], quantity):
                    return domain.metrics[metric]
    if quantity.unit == "x":
        return None
    if not _is_bare_label(label):
        return None  # "FP8 matmul" under "Peak and matmul rates" is no peak
    return domain.metrics.get(_first_fitting(domain, above, quantity) or slots.by_default(domain, label, quantity))


def _is_bare_label(label: Scene) -> bool:
    """True where a label holds format, density and unit alone: "FP8 dense, TFLOPS"."""
    known = {w for m in (*label.qualifiers, *label.entities) for w in words(label.text[m.start : m.end])}
    units = {w for match in _UNIT_IN.finditer(label.text) for w in words(match[0])}
    rest = set(content_words(label.text)) - known - units
    return not any(w for w in rest if not w.endswith(("flops", "flop", "tops")))


def _first_fitting(domain: Domain, metrics: Sequence[str], quantity: Quantity) -> str:
    return next((m for m in metrics if slots.fits(domain, domain.metrics[m], quantity)), "")


def _counted(place: _Place, metric: Metric, own: Qualifiers) -> Qualifiers:
    """With the count of the row's subject, where the cell and its header state no scope."""
    stated = {axis for axis, _ in own} & {"aggregation", "count"}
    if place.count == 1 or stated or "aggregation" not in metric.qualifiers:
        return own
    return tuple(sorted((*own, ("aggregation", "group"), ("count", str(place.count)))))


def _qualified(
    domain: Domain, scene: Scene, label: Scene, quantity: Quantity, metric: Metric, above: Sequence[Mention]
) -> Qualifiers:
    """The cell's own qualifiers, and the label's where the cell says nothing else; scope goes as a whole."""
    own = dict(qualifiers(domain, scene, quantity, metric, above))
    stated = scope_at(domain, scene, quantity) or scope_of(domain, scene) or scope_of(domain, label)
    if "aggregation" in metric.qualifiers and stated:
        own |= stated
        if stated.get("aggregation") == "chip":
            own.pop("count", None)
    return tuple(sorted(own.items()))
