"""Claims of tables: each cell with its row and its column as slots, and the header's unit and scope.

    | GPU  | Memory (GB) | FP8 dense, TFLOPS |
    | H100 |          80 |             1,979 |
        -> (nvidia-h100, memory_capacity, 80 GB), (nvidia-h100, peak_compute, 1,979 TFLOPS, dtype=fp8, sparsity=dense)

Either the rows or the columns name what a table is about, and the other side what
is measured. A table of two columns that names nothing is about what its section is about.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from chipwise import patterns as re
from chipwise.claims import slots, voice
from chipwise.claims.categories import categories_of_cell
from chipwise.claims.celldoubts import (
    doubt_of_cell,
    of_a_cpu,
    of_a_kind_of_memory,
    of_a_link,
    of_a_path,
    of_how_many,
    of_its_instance,
    taken_by_a_model,
)
from chipwise.claims.cellfigures import bare_number, cell_scene, metric_of
from chipwise.claims.columns import Meaning, key, meanings
from chipwise.claims.departing import in_odd_places
from chipwise.claims.drawing import at_work_in_cell, of_a_build
from chipwise.claims.grid import Grid
from chipwise.claims.headed import of_its_heading, was_measured
from chipwise.claims.implying import implied
from chipwise.claims.known import Known
from chipwise.claims.leftover import has_unit
from chipwise.claims.misreadings import (
    is_queried,
    no_such_size,
    of_something_bought,
    of_which_machine,
)
from chipwise.claims.model import Claim, Modality, Qualifiers
from chipwise.claims.notes import Note, mark_of_cell, mark_of_label, stated_by
from chipwise.claims.placedoubts import OF_EACH, doubt_of_place
from chipwise.claims.places import Place, places
from chipwise.claims.putting import is_built_in
from chipwise.claims.qualifying import (
    RESOLD,
    model_size,
    qualifiers,
    stated_above,
    terms_stated,
    with_run,
    without_sums,
)
from chipwise.claims.renting import names_a_cloud, rent
from chipwise.claims.scene import Scene, read_scene
from chipwise.claims.scoping import scope_at, scope_of
from chipwise.domain.catalogue import GROUP
from chipwise.domain.model import Domain
from chipwise.domain.phrasebook import Mention
from chipwise.domain.records import Metric
from chipwise.nouns import CHIP
from chipwise.numbers.quantities import Quantity, roughly
from chipwise.text import asks, words
from chipwise.types import Passage

_OF_ONE = "aggregation=chip"
_ONE = re.compile(rf"\b(?:one|single|per|each)\s(?:{CHIP}|card)\b", re.I)
_USED = f"price_terms={RESOLD}"
_SECOND_HAND = re.compile(r"\(used\)", re.I)
_MONEY_PER_CHIP = re.compile(rf"(\$|USD|€|EUR|price|cost)\s?/\s?({CHIP})\b", re.I)  # "$/GPU-hr"
_COUNTS_CHIPS = re.compile(
    r"#|\b(?:GPUs|TPUs|chips|cards|accelerators|devices|number|count|qty|quantity|per|\d+\s?x)\b|(?<![A-Za-z\d])\d+x\b|×",
    re.I,
)
_EXPECTED = re.compile(r"\W*expected\s(?:results?|outputs?|values?|numbers?|performance|throughput)\b", re.I)
_ROUGHLY = re.compile(r"\bapprox(?:\.|imate(?:ly)?\b)|[~≈]", re.I)  # in a header


def claims_of_table(
    domain: Domain,
    passage: Passage,
    grid: Grid,
    about: tuple[str, ...],
    notes: Sequence[Note] = (),
    led: str = "",
    *,
    known: Known,
    unplaced: bool = False,
) -> Iterator[Claim]:
    """The claims of all cells; `about` is what the section is about, `notes` what the text around says of the figures, `led` leads into them.

    With `unplaced`, also the figures of which the table does not tell what has them, or
    what they measure, as claims without a subject or a metric.
    """
    all_of_it = list(places(domain, grid, about))
    meant = meanings(known, all_of_it)
    told: list[tuple[Place, Claim]] = []
    for place in all_of_it:
        own: Iterable[Claim] = ()
        if len(place.subjects) == 1:
            own = [c for c in _claims_of_cell(domain, passage, place, notes, led) if c.metric or unplaced]
            meaning = meant.get(key(place))
            if meaning is not None and not any(c.metric and not c.doubt for c in own):
                own = _of_a_meaning(domain, passage, place, meaning, notes, led) or own
        elif unplaced:
            own = _figures_of_cell(domain, passage, place, notes, led, _unread(domain, passage, place, ""))
        told += ((place, c) for c in own)
    yield from in_odd_places(known, told)


def _of_a_meaning(
    domain: Domain, passage: Passage, place: Place, meaning: Meaning, notes: Sequence[Note], led: str
) -> list[Claim]:
    """What a bare number says of its subject, where the other numbers of its column tell what they all are."""
    number = bare_number(domain, place.cell.text)
    if number is None:
        return []
    metric, label = domain.metrics[meaning.metric], read_scene(domain, place.label)
    at = passage.start + place.cell.start
    figure = meaning.of(domain, number)
    noted = [*stated_by(notes, mark_of_cell(passage, place)), *_beside_the_name(domain, place.naming)]
    stated = _qualified(
        domain, replace(label, text="", quantities=[figure]), label, figure, metric, (*label.qualifiers, *noted)
    )
    claim = replace(
        _unread(domain, passage, place, place.subjects[0]),
        value_start=at + number.start,
        value_end=at + number.end,
        metric=domain.metric_of(metric.id, place.subjects[0]),
        quantity=figure.moved(at),
        qualifiers=_counted(place, metric, stated),
        modality=_put(domain, place.label, led, metric),
    )
    doubt = of_its_heading(domain, claim, figure, passage.heading) or doubt_of_place(
        domain, passage, place, notes, claim
    )
    return [replace(claim, doubt=doubt)]


def _claims_of_cell(domain: Domain, passage: Passage, place: Place, notes: Sequence[Note], led: str) -> Iterator[Claim]:
    """What a cell says of its one subject; a figure without a metric where it does not tell what it measures."""
    shared = _unread(domain, passage, place, place.subjects[0])
    yield from _figures_of_cell(domain, passage, place, notes, led, shared)
    told = place.property, place.cell.text, place.cell.start
    for c in categories_of_cell(domain, shared.subject, *told, named=place.named):
        yield replace(
            shared,
            value_start=passage.start + c.start,
            value_end=passage.start + c.end,
            metric=c.relation,
            object=c.object,
            polarity=c.polarity,
            qualifiers=c.qualifiers,
            doubt=c.doubt,
        )


def _unread(domain: Domain, passage: Passage, place: Place, subject: str) -> Claim:
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


def _put(domain: Domain, headed: str, led: str, metric: Metric, cell: str = "") -> Modality:
    """How firm a figure is by its cell, "~400 TFLOPS (est.)", else by what stands over it and what leads into the table.

    "Expected results:" promises no chip's property.
    """
    built_in = is_built_in(metric)
    if not built_in and voice.modality(domain, cell, metric.nature) is Modality.ESTIMATED:
        return Modality.ESTIMATED
    of_a_run = metric.nature == Modality.SPECIFIED and _EXPECTED.match(led)
    put = voice.modality(domain, headed if of_a_run else f"{headed}; {led}", metric.nature)
    return Modality.SPECIFIED if put in (Modality.MEASURED, Modality.ESTIMATED) and built_in else put


def _figures_of_cell(
    domain: Domain, passage: Passage, place: Place, notes: Sequence[Note], led: str, shared: Claim
) -> Iterator[Claim]:
    """A claim for each figure; without a metric for one with a unit of which nothing tells what it measures."""
    label = read_scene(domain, _MONEY_PER_CHIP.sub(r"\1 per \2", place.label))
    scene = cell_scene(domain, place.cell.text, place.units)
    headed = slots.told_above(domain, passage.heading[-1]) if passage.heading else ()
    # a column of its own may say of what the row is: "per SM"
    beside = [c.text for c in place.row.cells if c is not place.cell and not any(map(str.isdigit, c.text))]
    noted = [c.text for c in place.row.cells if c is not place.cell and not domain.unit_table.find(c.text)]
    heading = passage.heading[-1] if passage.heading else ""
    put = next((h for h in reversed(passage.heading or ()) if not asks(h)), "")  # "What will it cost?" puts nothing
    row = " | ".join((place.row.called, *(c.text for c in place.row.cells if c is not place.cell)))
    run = model_size(place.label) or model_size(row) or model_size(heading)
    above = [
        *_unscoped(domain, place.row.called),
        *_beside_the_name(domain, place.naming),
        *(Mention(0, 0, (_USED,)) for t in (place.cell.text, place.naming, place.label) if _SECOND_HAND.search(t)),
        # "72-GPU rack" beside a figure says where the chip is built in, "per SM" what the figure is of
        *(m for t in beside for m in _only_values(domain, t)),
        *stated_above(domain, heading),
        *terms_stated(domain, heading),
        # "3; Peak Engine Clock"
        *(m for t in noted for m in domain.find_qualifiers(t) if all(i.startswith("basis=") for i in m.ids)),
        *(stated_by(notes, mark_of_cell(passage, place)) or stated_by(notes, mark_of_label(place))),
    ]
    at = passage.start + place.cell.start
    hourly = slots.is_rate(f"{place.row.called} {place.label} {place.units} {place.cell.text} {heading}")
    for quantity in scene.figures:
        metric = metric_of(domain, scene, label, quantity, headed, hourly=hourly)
        if metric.rented_as if metric else _states_terms(label):
            clouds = names_a_cloud(domain, " | ".join((heading, place.label, place.naming, place.row.called, *noted)))
            metric = domain.metrics.get(rent(domain, shared.subject, quantity, by_a_cloud=clouds), metric)
        placed = replace(shared, value_start=at + quantity.start, value_end=at + quantity.end)
        if metric is None:
            if has_unit(quantity):
                yield replace(placed, quantity=quantity.moved(at))
            continue
        own = implied(domain, metric, quantity)
        own = roughly(own) if _ROUGHLY.search(place.label) and own.bound == "exact" else own
        claim = replace(
            placed,
            metric=metric.id,
            quantity=own.moved(at),
            modality=_put(domain, f"{put}; {place.label}", led, metric, "" if quantity.compares else scene.text),
        )
        for told in _each_format(label):
            stated = _qualified(domain, scene, label, quantity, metric, (*told, *above))
            said = replace(claim, qualifiers=_counted(place, metric, with_run(domain, metric, stated, run)))
            if _sums_one(domain, place, said):
                said = replace(said, qualifiers=tuple(q for q in said.qualifiers if q != GROUP))
            over = f"{place.label} {place.units}"
            headings = (*passage.heading, place.label)
            doubt = of_its_heading(domain, said, quantity, headings) or was_measured(domain, said, heading)
            doubt = doubt or of_something_bought(domain, said, quantity, heading)
            doubt = (
                doubt
                or is_queried(passage.text, place.cell.start + quantity.end)
                or doubt_of_place(domain, passage, place, notes, said)
                or at_work_in_cell(domain, label, quantity, said, place.given)
                or of_a_build(domain, quantity, said, place.called if place.named else heading)
                or of_a_kind_of_memory(domain, said, _opening(domain, place, said.subject))
                or taken_by_a_model(domain, said, place.row.called or _first(place), place.beside, named=place.named)
                or of_its_instance(domain, said, place.property, place.beside)
                or of_how_many(domain, said, place.naming, place.beside)
                or of_a_path(domain, said, place.row.called)
                or of_which_machine(domain, said, place.naming, domain.find_entities(place.naming))
                or of_a_cpu(domain, said, place.given, named=place.named)
                or of_a_link(domain, label, said, f"{heading} | {row}")
                or doubt_of_cell(domain, scene, label, quantity, said, place.beside, over)
            )
            placed = replace(said, metric=domain.metric_of(said.metric, said.subject))
            yield replace(placed, doubt=doubt or no_such_size(domain, quantity, placed))


def _opening(domain: Domain, place: Place, subject: str) -> str:
    """What a row begins with that names what it is about further on."""
    first, *others = (place.row.called, *(c.text for c in place.row.cells))
    named = any(subject in m.ids for text in others for m in domain.find_entities(text))
    return first if named else ""


def _first(place: Place) -> str:
    return place.row.cells[0].text if place.row.cells else ""


def _states_terms(label: Scene) -> bool:
    """True for a column or row of what a cloud asks, or of what is asked on some terms: "AWS", "Spot"."""
    return any(i.startswith(("provider=", "price_terms=")) for m in label.qualifiers for i in m.ids)


def _beside_the_name(domain: Domain, naming: str) -> list[Mention]:
    """What stands beside the name of a subject: the density of "L40S, dense", the scope of "H100 NVL, one GPU"."""
    named = domain.find_entities(naming)
    found = [m for m in domain.find_qualifiers(naming) if all(i.startswith(("sparsity=", "dtype=")) for i in m.ids)]
    found = [m for m in found if not any(e.start < m.end and m.start < e.end for e in named)]
    return [*found, *(Mention(m.start(), m.end(), (_OF_ONE,)) for m in _ONE.finditer(naming))]


def _unscoped(domain: Domain, text: str) -> list[Mention]:
    """What a name or another cell states, less a scope that is not "per" something: "Server Edition" is a name."""
    found = domain.find_qualifiers(text)
    if OF_EACH.search(text):
        return found
    return [m for m in found if not any(i.startswith("aggregation=") for i in m.ids)]


def _only_values(domain: Domain, text: str) -> list[Mention]:
    """What another cell states, less a choice of forms: "SXM/PCIe"."""
    forms = domain.form_factors.intersection(words(text))
    stated = _unscoped(domain, text)
    return [m for m in stated if len(forms) < 2 or not all(i.startswith("form_factor=") for i in m.ids)]  # noqa: PLR2004


def _sums_one(domain: Domain, place: Place, claim: Claim) -> bool:
    """True for the "Total memory" of a row of one chip, in which nothing counts chips."""
    if GROUP not in claim.qualifiers or claim.qualifier("count") or not domain.is_chip(claim.subject):
        return False
    row = " | ".join((place.naming, place.label, *(part for pair in place.beside for part in pair)))
    # below the name of a section a table may be of a machine with several
    return place.named and place.count == 1 and not _COUNTS_CHIPS.search(row)


def _each_format(label: Scene) -> Iterator[list[Mention]]:
    """What a label states, once for each of the formats that it joins: "FP16/BF16 (FLOP/s)" is a figure of both."""
    stated = [m for m in label.qualifiers if not _is_a_choice(label, m)]
    formats = [m for m in stated if all(i.startswith("dtype=") for i in m.ids)]
    joined = [
        m
        for m, n in pairwise(formats)
        if m.ids != n.ids and label.text[m.end : n.start].strip() in ("/", "and", "or", "&", ",")
    ]
    if not joined or len(formats) != len(joined) + 1:
        yield stated
        return
    for one in formats:
        yield [m for m in stated if m is one or m not in formats]


def _is_a_choice(label: Scene, kind: Mention) -> bool:
    """True for the HBM of "HBM/VRAM": each row has the one or the other."""
    if not all(i.startswith("memory_kind=") for i in kind.ids):
        return False
    others = (m for m in label.metrics if m.end <= kind.start or kind.end <= m.start)
    between = (label.text[min(kind.end, m.end) : max(kind.start, m.start)] for m in others)
    return any(text.strip() in ("/", "or") for text in between)


def _counted(place: Place, metric: Metric, own: Qualifiers) -> Qualifiers:
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
    return tuple(sorted(without_sums(metric, own).items()))
