"""Claims of tables: each cell with its row and its column as slots, and the header's unit and scope.

    | GPU  | Memory (GB) | FP8 dense, TFLOPS |
    | H100 |          80 |             1,979 |
        -> (nvidia-h100, memory_capacity, 80 GB), (nvidia-h100, peak_compute, 1,979 TFLOPS, dtype=fp8, sparsity=dense)

Either the rows or the columns name what a table is about, and the other side what
is measured. A table of two columns that names nothing is about what its section is about.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from chipwise.claims import slots, voice
from chipwise.claims.around import named, unaccounted_in
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
from chipwise.claims.cells import BOLD, NOTED
from chipwise.claims.columns import Meaning, key, meanings
from chipwise.claims.departing import in_odd_columns
from chipwise.claims.drawing import at_work_in_cell, of_a_build
from chipwise.claims.grid import Grid
from chipwise.claims.headed import of_its_heading, was_measured
from chipwise.claims.implying import implied
from chipwise.claims.known import Known
from chipwise.claims.leftover import has_unit
from chipwise.claims.misreadings import (
    UNKNOWN_VARIANT,
    is_queried,
    no_such_size,
    of_something_bought,
    of_which_machine,
)
from chipwise.claims.model import Claim, Modality, Qualifiers
from chipwise.claims.notes import Note, stated_by
from chipwise.claims.places import Place, counts_chips, is_part_of_a_name, places
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
from chipwise.claims.rivals import goes_on
from chipwise.claims.scene import Scene, read_scene
from chipwise.claims.scoping import scope_at, scope_of
from chipwise.domain.model import Domain
from chipwise.domain.nouns import CHIP
from chipwise.domain.phrasebook import Mention
from chipwise.domain.records import Metric
from chipwise.numbers.quantities import Quantity
from chipwise.text import asks, words
from chipwise.types import Passage

_USED = f"price_terms={RESOLD}"
_SECOND_HAND = re.compile(r"\(used\)", re.I)
_MONEY_PER_CHIP = re.compile(rf"(\$|USD|€|EUR|price|cost)\s?/\s?({CHIP})\b", re.I)  # "$/GPU-hr"
_OF_EACH = re.compile(r"\b(?:per|each|every)\b", re.I)
_HOLDERS = frozenset(f"aggregation={scope}" for scope in ("node", "rack", "pod", "cluster"))
_SUM = ("aggregation", "group")
_COUNTS_CHIPS = re.compile(
    r"#|\b(?:GPUs|TPUs|chips|cards|accelerators|devices|number|count|qty|quantity|per|\d+\s?x)\b|(?<![A-Za-z\d])\d+x\b|×",
    re.I,
)
_EXPECTED = re.compile(r"\W*expected\s(?:results?|outputs?|values?|numbers?|performance|throughput)\b", re.I)
_ROUGHLY = re.compile(r"\bapprox(?:\.|imate(?:ly)?\b)|[~≈]", re.I)  # in a header
_LABEL_NOTED = re.compile(r"(?<=\w)(?:\\?([*†‡]{1,3})|(\[\^?\w{1,3}\]|<sup>\w{1,3}</sup>))\s*(?:$|\|)")
# behind a name, one of several machines with it, each of which has its price: "A10G - large"
_SIZE = re.compile(r"\b(?:small|medium|large|big|x-?large|mini|half|full|high|low)(?:er|est)?\b", re.I)


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
    yield from in_odd_columns(known, told)


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
    noted = [*stated_by(notes, _mark(passage, place)), *_beside_the_name(domain, place.naming)]
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
    return [claim]


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


def _put(domain: Domain, headed: str, led: str, metric: Metric) -> Modality:
    """How firm a cell's figure is by its heading and what leads into the table; "Expected results:" promises no chip's property."""
    of_a_run = metric.nature == Modality.SPECIFIED and _EXPECTED.match(led)
    put = voice.modality(domain, headed if of_a_run else f"{headed}; {led}", metric.nature)
    return Modality.SPECIFIED if put in (Modality.MEASURED, Modality.ESTIMATED) and is_built_in(metric) else put


def _put_in_cell(domain: Domain, scene: Scene, quantity: Quantity, metric: Metric) -> Modality | None:
    """What a cell says of its own figure, which goes before what stands over it: "~400 TFLOPS (est.)"; None where it says nothing."""
    own = voice.modality(domain, scene.text, metric.nature)
    return own if own is Modality.ESTIMATED and not is_built_in(metric) and not quantity.compares else None


def _row_label(place: Place) -> str:
    return place.row.label.text if place.row.label else ""


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
    row = " | ".join((_row_label(place), *(c.text for c in place.row.cells if c is not place.cell)))
    run = model_size(place.label) or model_size(row) or model_size(heading)
    above = [
        *_unscoped(domain, _row_label(place)),
        *_beside_the_name(domain, place.naming),
        *(Mention(0, 0, (_USED,)) for t in (place.cell.text, place.naming, place.label) if _SECOND_HAND.search(t)),
        # "72-GPU rack" beside a figure says where the chip is built in, "per SM" what the figure is of
        *(m for t in beside for m in _only_values(domain, t)),
        *stated_above(domain, heading),
        *terms_stated(domain, heading),
        # "3; Peak Engine Clock"
        *(m for t in noted for m in domain.find_qualifiers(t) if all(i.startswith("basis=") for i in m.ids)),
        *(stated_by(notes, _mark(passage, place)) or stated_by(notes, _mark_of_label(place))),
    ]
    at = passage.start + place.cell.start
    hourly = slots.is_rate(f"{_row_label(place)} {place.label} {place.units} {place.cell.text} {heading}")
    for quantity in scene.figures:
        metric = metric_of(domain, scene, label, quantity, headed, hourly=hourly)
        if metric.rented_as if metric else _states_terms(label):
            clouds = names_a_cloud(domain, " | ".join((heading, place.label, place.naming, _row_label(place), *noted)))
            metric = domain.metrics.get(rent(domain, shared.subject, quantity, by_a_cloud=clouds), metric)
        placed = replace(shared, value_start=at + quantity.start, value_end=at + quantity.end)
        if metric is None:
            if has_unit(quantity):
                yield replace(placed, quantity=quantity.moved(at))
            continue
        own = implied(domain, metric, quantity)
        own = replace(own, bound="about") if _ROUGHLY.search(place.label) and own.bound == "exact" else own
        claim = replace(
            placed,
            metric=metric.id,
            quantity=own.moved(at),
            modality=_put_in_cell(domain, scene, quantity, metric)
            or _put(domain, f"{put}; {place.label}", led, metric),
        )
        for told in _each_format(label):
            stated = _qualified(domain, scene, label, quantity, metric, (*told, *above))
            said = replace(claim, qualifiers=_counted(place, metric, with_run(domain, metric, stated, run)))
            if _sums_one(domain, place, said):
                said = replace(said, qualifiers=tuple(q for q in said.qualifiers if q != _SUM))
            over = f"{place.label} {place.units}"
            headings = (*passage.heading, place.label)
            doubt = of_its_heading(domain, said, quantity, headings) or was_measured(domain, said, heading)
            doubt = doubt or of_something_bought(domain, said, quantity, heading)
            doubt = (
                doubt
                or is_queried(passage.text, place.cell.start + quantity.end)
                or _doubt(domain, passage, place, notes, said)
                or at_work_in_cell(domain, label, quantity, said, place.given)
                or of_a_build(domain, quantity, said, place.called if place.named else heading)
                or of_a_kind_of_memory(domain, said, _opening(domain, place, said.subject))
                or taken_by_a_model(domain, said, _row_label(place) or _first(place), place.beside, named=place.named)
                or of_its_instance(domain, said, place.property, place.beside)
                or of_how_many(domain, said, place.naming, place.beside)
                or of_a_path(domain, said, _row_label(place))
                or of_which_machine(domain, said, place.naming, domain.find_entities(place.naming))
                or of_a_cpu(domain, said, place.given, named=place.named)
                or of_a_link(domain, label, said, f"{heading} | {row}")
                or doubt_of_cell(domain, scene, label, quantity, said, place.beside, over)
            )
            placed = replace(said, metric=domain.metric_of(said.metric, said.subject))
            yield replace(placed, doubt=doubt or no_such_size(domain, quantity, placed))


def _opening(domain: Domain, place: Place, subject: str) -> str:
    """What a row begins with that names what it is about further on."""
    first, *others = (_row_label(place), *(c.text for c in place.row.cells))
    named = any(subject in m.ids for text in others for m in domain.find_entities(text))
    return first if named else ""


def _first(place: Place) -> str:
    return place.row.cells[0].text if place.row.cells else ""


def _states_terms(label: Scene) -> bool:
    """True for a column or row of what a cloud asks, or of what is asked on some terms: "AWS", "Spot"."""
    return any(i.startswith(("provider=", "price_terms=")) for m in label.qualifiers for i in m.ids)


def _mark(passage: Passage, place: Place) -> str:
    """The mark behind a cell's figure that sends the reader to a note, or ""."""
    match = NOTED.match(passage.text, place.cell.end)
    mark = (match[1] or match[2]) if match else ""
    return "" if mark and passage.text[: place.cell.start].endswith(mark) else mark  # "**14 PFLOPS**" is bold


def _mark_of_label(place: Place) -> str:
    """The same behind the label of a row or the header of a column: "FP8*"."""
    match = _LABEL_NOTED.search(BOLD.sub(r"\2", _row_label(place)))
    return (match[1] or match[2]) if match else place.mark


def _doubt(domain: Domain, passage: Passage, place: Place, notes: Sequence[Note], claim: Claim) -> str:
    """What stands around a table's cell that may make its figure one of something else."""
    mark, measured = _mark(passage, place), domain.metrics[claim.metric].nature == "measured"
    heading = passage.heading[-1] if passage.heading else ""
    scoped = {i for m in domain.find_qualifiers(heading) for i in m.ids}
    headed = not heading or bool(domain.find_entities(heading))  # the table is of what stands right above it
    told = (
        (mark and not stated_by(notes, mark), "a note qualifies it"),
        (
            place.count > 1 and claim.qualifier("count") == str(place.count) and not counts_chips(place.naming),
            f"it may be of one or of all {place.count}",
        ),
        (
            any(i.startswith("aggregation=") for i in scoped) and not claim.qualifier("aggregation"),
            "its heading speaks of several",
        ),
        (not place.named and measured, "the table does not say what was run"),
        (not place.named and not headed and _is_vague(domain, place, claim), "it may be of the machine"),
        (_holds_several(domain, place, claim), "it may be of what holds several"),
        (_goes_on(domain, place, claim), UNKNOWN_VARIANT),
    )
    return next((reason for doubted, reason in told if doubted), "")


def _goes_on(domain: Domain, place: Place, claim: Claim) -> bool:
    """True where what names the subject goes on to a variant that is not known."""
    naming = read_scene(domain, place.naming)
    last = max((m.end for m in naming.entities), default=len(naming.text))
    if domain.metrics[claim.metric].nature == "priced" and _SIZE.search(naming.text, last):
        return True
    goes = any(goes_on(naming, m) or not _is_of(domain, claim.subject, m) for m in naming.entities)
    return goes or is_part_of_a_name(domain, place.naming, naming.entities) or _has_a_tail(naming)


def _has_a_tail(naming: Scene) -> bool:
    """True for "A10G - large": what stands behind the name tells one of several."""
    last = max((m.end for m in naming.entities), default=len(naming.text))
    known = [*named(naming), *((m.start, m.end) for m in naming.terms)]
    return any(unaccounted_in(naming.text, last, len(naming.text), known))


def _is_vague(domain: Domain, place: Place, claim: Claim) -> bool:
    """True for the "Typical power draw" of a table below the name of a card: it may be of the machine around it."""
    vague = {cue.lower() for cue in domain.metrics[claim.metric].vague}
    told = [place.label[m.start : m.end].lower() for m in domain.find_metrics(place.label) if claim.metric in m.ids]
    return bool(vague) and all(wording in vague for wording in told)


def _holds_several(domain: Domain, place: Place, claim: Claim) -> bool:
    """True for the price under "LPU rack", which is of no LPU."""
    if not domain.is_chip(claim.subject) or "aggregation" not in domain.metrics[claim.metric].qualifiers:
        return False
    named = [(m.start, m.end) for m in domain.find_entities(place.naming)]
    scopes = [m for m in domain.find_qualifiers(place.naming) if any(i in _HOLDERS for i in m.ids)]
    outside = any(not any(a <= m.start and m.end <= b for a, b in named) for m in scopes)
    return outside and not _OF_EACH.search(place.naming) and not claim.qualifier("aggregation")


def _is_of(domain: Domain, subject: str, mention: Mention) -> bool:
    """False for the HGX of "A100 HGX", which is no A100."""
    return any(domain.are_kin(subject, i) for i in mention.ids)


def _beside_the_name(domain: Domain, naming: str) -> list[Mention]:
    """What stands beside the name of a subject: the density of "L40S, dense"."""
    named = domain.find_entities(naming)
    found = (m for m in domain.find_qualifiers(naming) if all(i.startswith(("sparsity=", "dtype=")) for i in m.ids))
    return [m for m in found if not any(e.start < m.end and m.start < e.end for e in named)]


def _unscoped(domain: Domain, text: str) -> list[Mention]:
    """What a name or another cell states, less a scope that is not "per" something: "Server Edition" is a name."""
    found = domain.find_qualifiers(text)
    if _OF_EACH.search(text):
        return found
    return [m for m in found if not any(i.startswith("aggregation=") for i in m.ids)]


def _only_values(domain: Domain, text: str) -> list[Mention]:
    """What another cell states, less a choice of forms: "SXM/PCIe"."""
    forms = domain.form_factors.intersection(words(text))
    stated = _unscoped(domain, text)
    return [m for m in stated if len(forms) < 2 or not all(i.startswith("form_factor=") for i in m.ids)]  # noqa: PLR2004


def _sums_one(domain: Domain, place: Place, claim: Claim) -> bool:
    """True for the "Total memory" of a row of one chip, in which nothing counts chips."""
    if _SUM not in claim.qualifiers or claim.qualifier("count") or not domain.is_chip(claim.subject):
        return False
    row = " | ".join((place.naming, place.label, *(part for pair in place.beside for part in pair)))
    # below the name of a section a table may be of a machine with several
    return place.named and place.count == 1 and not _COUNTS_CHIPS.search(row)


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
