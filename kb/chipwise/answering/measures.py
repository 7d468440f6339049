"""Which measures a query wants: metrics that are named, those that operators bring along, and the axes that go with them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from chipwise.answering.frame import Frame
from chipwise.answering.grammar import PACE, relation_takes
from chipwise.answering.parts import GENERIC, Part
from chipwise.answering.query import PRICES, Measure, Set
from chipwise.answering.subject import HOLDERS, is_searched, kinds_of
from chipwise.claims.model import Qualifiers, Scope
from chipwise.domain.catalogue import SCOPE
from chipwise.domain.model import Domain
from chipwise.values import dataclass

AT = ("provider", "price_terms", "workload", "benchmark", "as_of")  # axes that hold for the whole query
_HOW_DEAR = "how dear"
_COUNTS = {"slice": "slice_size", "system": "chips_per_node"}  # what the number of chips in something is called
KINDS = {
    "memory_capacity": "memory_kind",
    "interconnect_bandwidth": "interconnect_kind",
}  # how much of something, and which


@dataclass(frozen=True, slots=True)
class Wanted:
    """One measure that is asked for: the metrics that it may be, likeliest first, and what is said of it."""

    ids: tuple[str, ...]
    axes: Qualifiers = ()
    unit: str = ""
    is_group: bool = False  # True for what several have together
    start: int = 0


def measure(
    metric: str, axes: Iterable[tuple[str, str]], domain: Domain, unit: str = "", group: bool = False
) -> Measure:
    """A metric with its axes; those of a scope become one."""
    kept = sorted({(a, v) for a, v in axes if (a, v) not in GENERIC and a not in (*AT, *SCOPE)})
    if metric in domain.metrics:
        kept = [(a, v) for a, v in kept if a in domain.metrics[metric].qualifiers]
    said = [v for a, v in axes if a == "aggregation"]  # "per chip", "each of the eight"
    scope = Scope(said[0], 1 if said[0] == "chip" else None) if said else Scope("group") if group else None
    known = domain.metrics.get(metric)
    if (
        known is not None and unit and known.dimension == "count"
    ):  # it tells something only where it counts other things
        alike = domain.counted(unit) == domain.counted(known.unit)
        unit = unit if domain.counts(known, unit) and not alike else ""
    elif known is not None and unit == known.unit:
        unit = ""  # what it is given in anyway
    return Measure(metric, tuple(kept), scope, unit)


def choose(part: Part, frame: Frame, domain: Domain) -> tuple[str, ...]:
    """The metrics of a part, likeliest first: a number is wanted or a kind, a date, a price to buy or to rent."""
    ids = part.ids
    known = [i for i in ids if i in domain.metrics]
    called = frame.text[part.start : part.end].lower()
    exact = [
        i
        for i in known
        if called in domain.metrics[i].name.lower().replace("(", "").replace(")", "").split()
        or called == domain.metrics[i].name.lower()
    ]
    if len(exact) == 1 and exact[0] != known[0]:
        return (exact[0],)
    texts = [i for i in known if domain.metrics[i].dimension == "text"]
    numbers = [i for i in known if domain.metrics[i].dimension != "text"]
    kinds = tuple(dict.fromkeys((*texts, *(KINDS[i] for i in numbers if i in KINDS))))
    if kinds and numbers and "kind" in frame.asks and not part.is_asked:
        return kinds  # a number is no kind
    if texts and numbers:
        wants_number = part.is_asked or part.unit or frame.asks & {"amount", "count"} or frame.compared or frame.orders
        named = any(domain.metrics[i].name.lower() == called for i in texts)
        return (*texts, *numbers) if named and not wants_number else (*numbers, *texts)
    if {"price_per_hour", "purchase_price"} <= set(ids):
        hinted = [i for h in frame.hints for i in h.ids if i in ids]
        return tuple(dict.fromkeys((*hinted[:1], *ids)))
    return tuple(sorted(known, key=lambda i: not domain.metrics[i].main)) or ids


def at_axes(frame: Frame, asserted: str = "") -> Qualifiers:
    """What holds for all measures: whose price, on which terms, when, for what work; not what is `asserted`."""
    found = {
        (a, v)
        for p in (*frame.axes, *frame.measures, *frame.orders, *frame.compared, *frame.related, *frame.conditions)
        for a, v in p.axes
        if a in AT
    }
    found |= {("as_of", p.value) for p in frame.dates}
    found |= {("as_of", "")} if "present" in frame.joins and not frame.dates else set()  # whatever was asked before
    found = {(a, v) for a, v in found if not asserted or v != asserted}
    return tuple(sorted(found))


def measures_of(frame: Frame, of: Set, domain: Domain) -> list[Wanted]:
    """The measures asked for, in the order of the question."""
    found = _named(frame, of, domain)
    in_machine = any(kinds_of(p) & set(HOLDERS) for p in frame.opens)
    counts = ((_count_measure(p, of, in_machine, domain), p.start) for p in frame.numbers_asked)
    found += [Wanted(ids, start=start) for ids, start in counts if ids]
    units = [u.unit for u in frame.units]
    if units and found:  # "in Gbps and in GB/s"
        found = [_in_unit(w, unit, domain) for w in found for unit in ([w.unit] if w.unit else []) + units]
    telling = [v.ids for v in frame.verbs if domain.metrics[v.ids[0]].dimension != "text"]
    if not found and telling and not (frame.categories or frame.told) and frame.asks & {"amount", "count"}:
        found.append(Wanted(telling[0]))
    plain = len(of.entities) > 1 and frame.sets_apart and not frame.refuses  # "how did A fare" asks what was measured
    if not found and telling and plain and _is_pace(telling[0], domain):
        found += [Wanted((m.id,)) for m in domain.metrics.values() if m.pace]  # "A against B, speed"
    if not found and frame.hints and frame.asks & {"amount"}:  # "how much is it per hour"
        found.append(Wanted(frame.hints[0].ids))
    if not found and of.entities and any(p.operator is not None and p.operator.id == _HOW_DEAR for p in frame.parts):
        found.append(Wanted(PRICES))
    if not found and of.entities and frame.asks & {"what"}:  # "what is the going rate for a B200"
        judged = (domain.find_metrics_asked(frame.text[p.start : p.end]) for p in frame.judges)
        found += [Wanted(ids) for ids in dict.fromkeys(m.ids for mentions in judged for m in mentions)]
    if not found and "when" in frame.asks:
        dates = [v.ids for v in frame.verbs if domain.metrics[v.ids[0]].dimension == "date"]
        found.append(Wanted(dates[0] if dates else ("announcement_date", "availability_date")))
    return sorted(found, key=lambda w: w.start)


def _in_unit(wanted: Wanted, unit: str, domain: Domain) -> Wanted:
    """Wanted in a unit, which tells as well which of several metrics is meant: "how much HBM, in gigabytes"."""
    dimension = domain.units[unit].dimension
    fitting = tuple(i for i in wanted.ids if i in domain.metrics and domain.metrics[i].dimension == dimension)
    return replace(wanted, ids=fitting or wanted.ids, unit=unit)


def _named(frame: Frame, of: Set, domain: Domain) -> list[Wanted]:
    """The measures that are named, each once: "cost" and "per hour" say together what is asked for."""
    parts = sorted(
        (*frame.measures, *frame.orders, *frame.compared, *frame.related, *frame.multiplied), key=lambda p: p.start
    )
    asks_pace = [p for p in parts if p.ids and _is_of_pace(p)]
    second = asks_pace[-1] if asks_pace and _is_second(asks_pace[-1], frame) else None
    strong = any(p.category == "measure" or p.inner for p in parts if p is not second)
    if is_searched(frame) and (of.is_open or of.holding):
        parts = [p for p in parts if not is_condition(p, domain, ranks=bool(frame.orders))]
    bringing = [
        p for p in parts if p.ids and (p.category != "weak" or not strong or (p.axes and set(p.axes) <= GENERIC))
    ]
    paces = [p for p in bringing if _is_of_pace(p)]
    if second is None and paces and len(bringing) > len(paces):  # "how fast is the L4's memory"
        bringing = [replace(p, ids=tuple(PACE.get(i, i) for i in p.ids)) for p in bringing if p not in paces]
    named = [p for p in bringing if p not in paces and (p.inner or p.category in ("measure", "weak"))]
    found: list[Wanted] = []
    if not named and paces and of.entities and not _names_a_format(frame):
        return [Wanted((m.id,), start=paces[0].start) for m in domain.metrics.values() if m.pace]
    for part in named or bringing[:1]:
        ids = choose(part, frame, domain)
        if second is None and len(named) == 1 and "kind" in frame.asks and frame.asks & {"amount", "count"}:
            pair = next((p for p in KINDS.items() if set(p) & set(ids)), ())
            return [Wanted((i,), part.axes, start=part.start) for i in pair] or [Wanted(ids, start=part.start)]
        group = part.value == "group" or "group" in frame.joins
        each = (("aggregation", "chip"),) if "each" in frame.joins else ()
        if part.category == "weak" and part.axes and len(named) > 1:  # the "HBM" of "HBM and bandwidth" is a capacity
            others = {i for other in named if other is not part for i in other.ids}
            ids = tuple(i for i in ids if i not in others) or ids
        alike = next((n for n, w in enumerate(found) if set(ids) & set(w.ids) and _agree(part.axes, w.axes)), None)
        if alike is not None:
            before = found[alike]
            common = tuple(i for i in before.ids if i in ids)
            found[alike] = replace(
                before, ids=common, axes=(*before.axes, *part.axes), unit=before.unit or part.unit, is_group=group
            )
        elif ids:
            found.append(Wanted(ids, (*part.axes, *each), part.unit, group, part.start))
    return found + _paces(found, second, domain) if second is not None else found


def _is_second(pace: Part, frame: Frame) -> bool:
    """True for what is asked after "and": "what memory does it have and how fast is it", "which has more, and is it faster"."""
    joints = [p.start for p in frame.parts if p.category == "and" and p.start < pace.start]
    return bool(joints) and any(
        p.end <= joints[-1] for p in (*frame.measures, *frame.compared) if not _is_of_pace(p) and p.ids
    )


def _paces(found: Sequence[Wanted], pace: Part, domain: Domain) -> list[Wanted]:
    """What "how fast is it" asks of that which was named before it; "is it faster" asks for what makes a chip fast."""
    if pace.category != "measure":
        every = (m.id for m in domain.metrics.values() if m.pace)
    else:
        every = (PACE[w.ids[0]] for w in found if w.ids[0] in PACE)
    return [Wanted((i,), start=pace.start) for i in dict.fromkeys(every) if i not in [w.ids[0] for w in found]]


def _is_pace(metrics: Sequence[str], domain: Domain) -> bool:
    """True for what "speed" and "performance" may be of, how fast something is before all."""
    return domain.metrics[metrics[0]].pace


def _is_of_pace(part: Part) -> bool:
    """True for "how fast", "faster" and "how much faster", which leave open by which measure."""
    if part.category == "measure":
        return part.operator is not None
    measured = any(p.category in ("measure", "weak") for p in part.inner)
    return part.category in ("compare", "relate", "related") and "peak_compute" in part.ids and not measured


def _names_a_format(frame: Frame) -> bool:
    return any(axis == "dtype" for part in (*frame.axes, *frame.measures) for axis, _ in part.axes)


def _agree(a: Qualifiers, b: Qualifiers) -> bool:
    return all(dict(b).get(axis, value) == value for axis, value in a)


def _count_measure(part: Part, of: Set, in_machine: bool, domain: Domain) -> tuple[str, ...]:
    """ "How many GPUs are in a DGX B200": the number of chips in what is named."""
    holders = [c for c in of.entities if domain.is_machine(c.entity) or c.unit]
    if part.inner[0].category == "thing" and part.inner[0].ids and domain.is_chip(part.inner[0].ids[0]) and in_machine:
        return ("chips_per_node",)  # "how many Gaudi 3 are in one node"
    if not holders or (part.inner[0].category == "thing" and domain.is_machine(part.inner[0].ids[0])):
        return ()
    (first, *_) = holders
    if first.unit == "slice":
        return ("slice_size",)
    kind = domain.kind(first.entity)
    name = domain.entities[first.entity].name.lower()
    return ("pod_size",) if "pod" in name and kind == "slice" else (_COUNTS.get(kind, "chips_per_node"),)


def spread(frame: Frame, found: Sequence[Wanted], domain: Domain) -> Iterator[Wanted]:
    """Each measure on each of the axes that the question names for it: "FP8 and BF16 peak" are two."""
    parts = sorted((*frame.axes, *(p for p in frame.measures if p.category == "weak")), key=lambda p: p.start)
    loose = [(a, v, p.start) for p in parts for a, v in p.axes if a not in AT]
    for each in found:
        metrics = [domain.metrics[i] for i in each.ids if i in domain.metrics]
        values: dict[str, list[tuple[int, str]]] = {}
        for axis, value, start in (*loose, *((a, v, each.start) for a, v in each.axes)):
            if any(axis in m.qualifiers for m in metrics) and value not in [v for _, v in values.get(axis, [])]:
                values.setdefault(axis, []).append((start, value))
        kept = [(a, v) for a, v in each.axes if a not in values]
        several = next((a for a, found in values.items() if len(found) > 1), "")
        single = [(a, found[0][1]) for a, found in values.items() if a != several]
        for _, value in sorted(values[several]) if several else [(0, "")]:
            yield replace(each, axes=tuple(sorted({*kept, *single, *([(several, value)] if several else [])})))


def is_condition(part: Part, domain: Domain, *, ranks: bool = False) -> bool:
    """True for a measure that is only named by a value, "with HBM3e": in a search the members have to have that."""
    if part.category != "weak" or not part.value:
        return False
    if ranks and domain.metrics[part.ids[0]].dimension != "text":
        return False  # the "BF16" of "the most BF16 TFLOPS per watt" is no condition
    return bool(relation_of(replace(part, ids=(part.value,)), part.ids, domain))


def relation_of(category: Part, metrics: Sequence[str], domain: Domain) -> str:
    """The metric that a category is a value of: of those named if one fits, else the first that takes it."""
    id_ = category.ids[0]
    told = [m for m in metrics if relation_takes(m, id_, domain)]
    return next(iter(told), "") or next((r for r in _LIKELY if relation_takes(r, id_, domain)), "")


_LIKELY = (
    "dtype_support", "framework_support", "memory_kind", "interconnect_kind", "cloud_availability", "sparsity_support", "cooling",
    "form_factor", "designer", "foundry", "launch_status", "architecture", "parallelism", "partitioning", "training_hardware", "workload_fit", "used_by",
)  # fmt: skip
