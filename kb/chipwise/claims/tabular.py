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
from itertools import pairwise

from chipwise.claims import slots, voice
from chipwise.claims.axes import subject_axis, subject_column
from chipwise.claims.categories import categories_of_cell
from chipwise.claims.cells import spoken
from chipwise.claims.doubts import doubt_of_cell
from chipwise.claims.grid import Cell, Grid, Row, read_grids
from chipwise.claims.leftover import has_unit
from chipwise.claims.model import Claim, Qualifiers
from chipwise.claims.qualifying import model_size, qualifiers, scope_at, scope_of, stated_above, with_run
from chipwise.claims.scene import SPECIFIC, Scene, ids, read_scene
from chipwise.domain import Domain
from chipwise.phrasebook import Mention
from chipwise.quantities import Quantity
from chipwise.records import Metric
from chipwise.text import Span, blanked, content_words, words
from chipwise.types import Passage

_NAME_AT_MOST = 40  # characters of a cell that holds a name and nothing else
_COUNT = re.compile(r"\W*(\d{1,4})\s?[x×*]\s?(?=[A-Za-z])")
_MODEL_NUMBER = re.compile(r"\b(?=\w*\d)(?!\d{1,3}[x×]?\b)\w{2,}")
_ASIDE = re.compile(r"\([^()]*\)")
_OF_EACH = re.compile(r"\b(?:per|each|every)\b", re.I)
_NOTED = re.compile(r"\\?[*†‡]|\[\^|<sup>")
ANY = "accelerator"  # the line that all chips are of
PAIR = 2  # columns: a property and its value
_UNIT_IN = re.compile(r"[(\[]([^()\[\]]{1,24})[)\]]|,\s*([^,()]{1,24})$|\bin\s([^\s,()]{1,24})$")
_SAYS_NO_MORE = frozenset(("performance", "speed", "tensor", "core", "cores"))  # of a format's figure: it is its peak
_SCALE = re.compile(r"[(\[](thousand|million|billion|trillion)s?[)\]]\s*$", re.I)
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
    property: str  # the name of what the cell gives, as the row or the column is called
    count: int = 1  # of them together: "64x A100", "2x v5e-256"
    named: bool = True  # False where the subject is that of the section
    naming: str = ""  # the words that name the subject, where a row does
    beside: tuple[tuple[str, str], ...] = ()  # header and words of the row's other cells, but for the subject's


def read_tables(passages: Sequence[Passage], domain: Domain) -> dict[int, Grid]:
    """The grids of one source, by the passage's ordinal."""

    def entities(text: str) -> list[Span]:
        return [(m.start, m.end) for m in domain.find_entities(text) if _names_one(domain, m)]

    def quantities(text: str) -> list[Span]:
        return [(q.start, q.end) for q in domain.unit_table.find(text)]

    return read_grids(passages, entity_spans=entities, quantity_spans=quantities)


def claims_of_table(
    domain: Domain, passage: Passage, grid: Grid, about: tuple[str, ...], *, unplaced: bool = False
) -> Iterator[Claim]:
    """The claims of all cells; `about` is what the section is about.

    With `unplaced`, also the figures of which the table does not tell what has them, or
    what they measure, as claims without a subject or a metric.
    """
    for place in _places(domain, grid, about):
        if len(place.subjects) == 1:
            yield from (c for c in _claims_of_cell(domain, passage, place) if c.metric or unplaced)
        elif unplaced:
            yield from _figures_of_cell(domain, passage, place, _unread(domain, passage, place, ""))


def _names_one(domain: Domain, m: Mention) -> bool:
    return any(domain.entities[i].kind in (*SPECIFIC, "line", "family") for i in m.ids)


def _entities(domain: Domain, text: str) -> tuple[str, ...]:
    """The entities that a label names, specific ones first; () where it names none, is ambiguous, or names what is unknown."""
    named = [m for m in domain.find_entities(text) if len(m.ids) == 1]
    specific = [m for m in named if domain.entities[m.ids[0]].kind in SPECIFIC]
    if named and not specific and _is_part_of_a_name(domain, text, named):
        return ()
    return ids(specific) or ids(named)


def _is_part_of_a_name(domain: Domain, text: str, named: Sequence[Mention]) -> bool:
    """True for "RTX PRO 4500 Blackwell": no Blackwell, but a product that has the name of its family in its own."""
    if not text:
        return False
    rest = blanked(text, [(m.start, m.end) for m in (*named, *domain.find_qualifiers(text))])
    rest = blanked(rest, [(q.start, q.end) for q in domain.unit_table.find(rest)])
    return bool(_MODEL_NUMBER.search(_ASIDE.sub(" ", rest)))


def _product_share(domain: Domain, text: str) -> float:
    """How much of a cell's characters are the names of products; 0 where it names none."""
    named = [m for m in domain.find_entities(text) if any(domain.entities[i].kind in SPECIFIC for i in m.ids)]
    return sum(m.end - m.start for m in named) / max(1, len(text))


def _places(domain: Domain, grid: Grid, about: tuple[str, ...]) -> Iterator[_Place]:
    """Every cell with its subject, by whichever side names the subjects."""

    def is_entity(text: str) -> bool:
        return _entities(domain, text) not in ((), (ANY,))  # "accelerator memory capacity" is of no chip

    def share(text: str) -> float:
        return _product_share(domain, text)

    axis, column = subject_axis(grid, is_entity, share), subject_column(grid, is_entity, share)
    corner = _entities(domain, grid.header(0)) if axis == "corner" else ()
    section = corner or tuple(i for i in about if domain.entities[i].kind in SPECIFIC)
    for row in grid.rows:
        label = spoken(row.label.text) if row.label else ""
        naming = label if not column else next((c.text for c in row.cells if c.column == column), "")
        for cell in row.cells:
            header = grid.header(cell.column)
            units = f"{label if axis != 'rows' else header} | {header} | {grid.header(0)}"
            if axis == "columns":
                yield _Place(cell, row, f"{row.section} {label}".strip(), units, _entities(domain, header), label)
            elif axis == "rows" and cell.column != column:
                named = _named_in(domain, row, naming) or _entities(domain, row.section)
                words, count = f"{row.section} {header}".strip(), _count_of(domain, naming, named)
                yield _Place(
                    cell, row, words, units, named, header, count, True, naming, _beside(grid, row, cell, column)
                )
            elif axis != "rows":
                words = f"{row.section} {label} {header}" if len(grid.headers) > PAIR else f"{row.section} {label}"
                beside = _beside(grid, row, cell, None) if len(grid.headers) > PAIR else ()
                subjects = _entities(domain, row.section) or section
                yield _Place(cell, row, words.strip(), units, subjects, label, named=False, beside=beside)


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
    return domain.entities[name].kind in ("chip", "variant") and of in domain.ancestors(name)[1:]


def _count_of(domain: Domain, naming: str, named: tuple[str, ...]) -> int:
    """How many chips a row is about that counts its subject."""
    counted = _COUNT.match(naming)
    if counted is None or len(named) != 1 or any(m.start < counted.end() for m in domain.find_entities(naming)):
        return 1  # "8x H100" may be a name in itself
    return int(counted[1]) * max(1, domain.entities[named[0]].chips)


def _claims_of_cell(domain: Domain, passage: Passage, place: _Place) -> Iterator[Claim]:
    """What a cell says of its one subject; a figure without a metric where it does not tell what it measures."""
    shared = _unread(domain, passage, place, place.subjects[0])
    yield from _figures_of_cell(domain, passage, place, shared)
    for c in categories_of_cell(domain, shared.subject, place.property, place.cell.text, place.cell.start):
        yield replace(
            shared,
            value_start=passage.start + c.start,
            value_end=passage.start + c.end,
            metric=c.relation,
            object=c.object,
            polarity=c.polarity,
            qualifiers=c.qualifiers,
        )


def _unread(domain: Domain, passage: Passage, place: _Place, subject: str) -> Claim:
    """A claim of a cell before it is known what the cell says."""
    return Claim(
        source=passage.source,
        passage=passage.ordinal,
        start=passage.start + place.row.start,
        end=passage.start + place.row.end,
        value_start=passage.start + place.cell.start,
        value_end=passage.start + place.cell.end,
        subject=subject,
        metric="",
        attribution=voice.attribution(domain, place.cell.text, ())
        or voice.attribution(domain, passage.text[place.row.start : place.row.end], passage.heading),
    )


def _row_label(place: _Place) -> str:
    return place.row.label.text if place.row.label else ""


def _figures_of_cell(domain: Domain, passage: Passage, place: _Place, shared: Claim) -> Iterator[Claim]:
    """A claim for each figure; without a metric for one with a unit of which nothing tells what it measures."""
    label = read_scene(domain, place.label)
    scene = _cell_scene(domain, place.cell.text, place.units)
    headed = slots.told_above(domain, passage.heading[-1]) if passage.heading else ()
    # a column of its own may say of what the row is: "per SM"
    beside = [c.text for c in place.row.cells if c is not place.cell and not any(map(str.isdigit, c.text))]
    noted = [c.text for c in place.row.cells if c is not place.cell and not domain.unit_table.find(c.text)]
    heading = passage.heading[-1] if passage.heading else ""
    run = model_size(place.label) or model_size(heading)
    above = [
        *_unscoped(domain, _row_label(place)),
        # "72-GPU rack" beside a figure says where the chip is built in, "per SM" what the figure is of
        *(m for t in beside for m in _unscoped(domain, t)),
        *stated_above(domain, heading),
        # "3; Peak Engine Clock"
        *(m for t in noted for m in domain.find_qualifiers(t) if all(i.startswith("basis=") for i in m.ids)),
    ]
    at = passage.start + place.cell.start
    hourly = slots.is_rate(f"{_row_label(place)} {place.label} {place.units} {place.cell.text} {heading}")
    for quantity in scene.figures:
        metric = _metric(domain, scene, label, quantity, headed, hourly=hourly)
        placed = replace(shared, value_start=at + quantity.start, value_end=at + quantity.end)
        if metric is None:
            if has_unit(quantity):
                yield replace(placed, quantity=_moved(quantity, at))
            continue
        own = slots.implied(domain, metric, quantity)
        claim = replace(
            placed,
            metric=metric.id,
            quantity=_moved(own, at),
            modality=voice.modality(domain, f"{heading}; {place.label}", metric.nature),
        )
        for told in _each_format(label):
            stated = _qualified(domain, scene, label, quantity, metric, (*told, *above))
            said = replace(claim, qualifiers=_counted(place, metric, with_run(metric, stated, run)))
            over = f"{place.label} {place.units}"
            doubt = _doubt(domain, passage, place, said) or doubt_of_cell(
                domain, scene, label, quantity, said, place.beside, over
            )
            yield replace(said, doubt=doubt)


def _doubt(domain: Domain, passage: Passage, place: _Place, claim: Claim) -> str:
    """What stands around a table's cell that may make its figure one of something else."""
    if _NOTED.match(passage.text, place.cell.end):
        return "a note qualifies it"
    if place.count > 1 and claim.qualifier("count") == str(place.count):
        return f"it may be of one or of all {place.count}"
    scoped = {i for m in domain.find_qualifiers(passage.heading[-1] if passage.heading else "") for i in m.ids}
    if any(i.startswith("aggregation=") for i in scoped) and not claim.qualifier("aggregation"):
        return "its heading speaks of several"
    if not place.named and domain.metrics[claim.metric].nature == "measured":
        return "the table does not say what was run"
    named = [m for m in domain.find_entities(place.naming) if len(m.ids) == 1]
    return "its row names a variant that is not known" if _is_part_of_a_name(domain, place.naming, named) else ""


def _unscoped(domain: Domain, text: str) -> list[Mention]:
    """What a name or another cell states, less a scope that is not "per" something: "Server Edition" is a name."""
    found = domain.find_qualifiers(text)
    if _OF_EACH.search(text):
        return found
    return [m for m in found if not any(i.startswith("aggregation=") for i in m.ids)]


def _each_format(label: Scene) -> Iterator[list[Mention]]:
    """What a label states, once for each of the formats that it joins: "FP16/BF16 (FLOP/s)" is a figure of both."""
    formats = [m for m in label.qualifiers if all(i.startswith("dtype=") for i in m.ids)]
    joined = [
        m
        for m, n in pairwise(formats)
        if m.ids != n.ids and label.text[m.end : n.start].strip() in ("/", "and", "or", "&", ",")
    ]
    if not joined or len(formats) != len(joined) + 1:
        yield list(label.qualifiers)
        return
    for one in formats:
        yield [m for m in label.qualifiers if m is one or m not in formats]


def _moved(quantity: Quantity, by: int) -> Quantity:
    return replace(quantity, start=quantity.start + by, end=quantity.end + by)


def _cell_scene(domain: Domain, text: str, units: str) -> Scene:
    """The cell; a bare number takes the unit that its header, its label or the corner gives."""
    scene = read_scene(domain, text)
    bare = _BARE.fullmatch(text) or _SCALED.fullmatch(text)
    if scene.quantities or bare is None:
        return scene
    number = text[bare.start(1) : bare.end(2) if bare.re is _BARE and bare[2] else bare.end(1)]
    for unit in (*_scaled_units(units), *_units_in(units)):
        found = domain.unit_table.find(f"{number} {unit}")
        if len(found) == 1 and found[0].start == 0 and found[0].end > len(number) + len(unit) // 2:
            return replace(scene, quantities=[replace(found[0], start=bare.start(1), end=bare.start(1) + len(number))])
    counted = read_scene(domain, f"{units.partition('|')[0].strip()}: {text.strip()}").quantities
    if len(counted) == 1 and counted[0].dimension == "count":
        return replace(scene, quantities=[replace(counted[0], start=bare.start(1), end=len(text.rstrip()))])
    return scene


def _scaled_units(header: str) -> Iterator[str]:
    """The unit of "Transistors (millions)": "million Transistors"."""
    for part in header.split("|"):
        if scale := _SCALE.search(part):
            yield f"{scale[1].lower()} {part[: scale.start()].strip()}"


def _units_in(header: str) -> Iterator[str]:
    """What in a header may be its unit, likeliest first: "Memory (GB)", "Peak, TFLOPS", "FLOPs/s/chip (bf16)", "Spec TFLOPS"."""
    for match in _UNIT_IN.finditer(header):
        yield next(filter(None, match.groups())).strip()
    for part in header.split("|"):
        yield part.strip().lower()  # "Tokens per second per chip"
        tokens = [t.strip("()[],;") for t in part.replace("\\", " ").split()]
        yield from (t for t in reversed(tokens) if len(t) > 1)


def _metric(
    domain: Domain, scene: Scene, label: Scene, quantity: Quantity, above: Sequence[str], *, hourly: bool
) -> Metric | None:
    """What the label says is measured, else what the cell says, the heading, or what figures of the kind mostly are."""

    def fits(metric: str) -> bool:
        wanted = domain.metrics[metric]
        return slots.fits(domain, wanted, quantity) and (hourly or quantity.dimension not in wanted.implied_by)

    for named in (label.metrics, scene.metrics):
        for mention in named:
            for metric in mention.ids:
                if fits(metric):
                    return domain.metrics[metric]
    if quantity.unit == "x":
        return None
    if not _is_bare_label(label):
        return None  # "FP8 matmul" under "Peak and matmul rates" is no peak
    return domain.metrics.get(next(filter(fits, above), "") or slots.by_default(domain, label, quantity))


def _is_bare_label(label: Scene) -> bool:
    """True where a label holds format, density and unit alone: "FP8 dense, TFLOPS"."""
    known = {w for m in (*label.qualifiers, *label.entities) for w in words(label.text[m.start : m.end])}
    units = {w for match in _UNIT_IN.finditer(label.text) for w in words(match[0])}
    rest = set(content_words(label.text)) - known - units - _SAYS_NO_MORE
    return not any(w for w in rest if not w.endswith(("flops", "flop", "tops")))


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
