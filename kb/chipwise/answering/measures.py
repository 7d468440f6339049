"""Which measures a query wants, on which axes, and what the members of a set have to fulfill."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from chipwise.answering.query import CLOUDS, PRICES, Condition, Measure, Set
from chipwise.answering.roles import GENERIC, MACHINES, PACE, Phrase, Roles, relation_takes
from chipwise.claims.model import Qualifiers, Scope
from chipwise.domain.catalogue import SCOPE
from chipwise.domain.model import Domain
from chipwise.numbers.quantity import Quantity
from chipwise.values import dataclass

AT = ("provider", "price_terms", "workload", "benchmark", "as_of")  # axes that hold for the whole query
KINDS = {
    "memory_capacity": "memory_kind",
    "interconnect_bandwidth": "interconnect_kind",
}  # how much of something, and which
_ASIDE = ("workload", "benchmark", "provider")  # axes that bring no measure along
_HOW_DEAR = "how dear"
_COUNTS = {"slice": "slice_size", "system": "chips_per_node"}  # what the number of chips in something is called
_USUAL = {"information": "memory_capacity", "power": "tdp"}  # what a bare figure of a chip is of


@dataclass(frozen=True, slots=True)
class MeasureReading:
    """One measure that is asked for: the metrics that it may be, likeliest first, and what is said of it."""

    ids: tuple[str, ...]
    axes: Qualifiers = ()
    unit: str = ""
    start: int = 0


def measure(
    metric: str, axes: Iterable[tuple[str, str]], domain: Domain, unit: str = "", *, group: bool = False
) -> Measure:
    """A metric with its axes; those of a scope become one."""
    kept = sorted({(a, v) for a, v in axes if (a, v) not in GENERIC and a not in (*AT, *SCOPE)})
    known = domain.metrics.get(metric)
    if known is not None:
        kept = [(a, v) for a, v in kept if a in known.qualifiers]
    said = [v for a, v in axes if a == "aggregation"]  # "per chip", "each of the eight"
    scope = Scope(said[0], 1 if said[0] == "chip" else None) if said else Scope("group") if group else None
    if known is not None and unit and known.dimension == "count":  # it tells only where it counts other things
        unit = unit if domain.counts(known, unit) and domain.counted(unit) != domain.counted(known.unit) else ""
    elif known is not None and unit == known.unit:
        unit = ""  # what it is given in anyway
    return Measure(metric, tuple(kept), scope, unit)


def measures_of(roles: Roles, of: Set, domain: Domain) -> list[MeasureReading]:
    """The measures asked for, in the order of the question."""
    found = _named(roles, of, domain)
    in_machine = any(k in MACHINES for p in roles.of("kind", "set") for k in (*p.kinds, p.value))
    counts = ((_count_measure(p, of, domain, in_machine=in_machine), p.start) for p in roles.of("counted"))
    found += [MeasureReading(ids, start=start) for ids, start in counts if ids]
    units = [p.unit for p in roles.of("unit")]
    if units and found:  # "in Gbps and in GB/s"
        found = [_in_unit(w, unit, domain) for w in found for unit in ([w.unit] if w.unit else []) + units]
    elif units and not found:
        found = [MeasureReading(p.ids, unit=p.unit, start=p.start) for p in roles.of("unit")[:1] if p.ids]
    return sorted(found or _implied(roles, of, domain), key=lambda w: w.start)


def _implied(roles: Roles, of: Set, domain: Domain) -> list[MeasureReading]:
    """Finds the metric that no word names, from a verb, a hint, "how much is" or "when"."""
    verbs = [roles.metrics_of(p) for p in roles.of("verb")]
    numeric = [ids for ids in verbs if domain.metrics[ids[0]].dimension != "text"]
    told = roles.has("told") or any(p.value and not p.axes for p in roles.of("value"))
    if numeric and not told and roles.asks & {"amount", "count"}:
        return [MeasureReading(numeric[0])]
    if (
        numeric
        and domain.metrics[numeric[0][0]].pace
        and len(of.entities) > 1
        and roles.sets_apart
        and not roles.refuses
    ):
        return [MeasureReading((m.id,)) for m in domain.metrics.values() if m.pace]  # "A against B, speed"
    hints = [roles.metrics_of(p) for p in roles.of("hint")]
    if hints and "amount" in roles.asks:  # "how much is it per hour"
        return [MeasureReading(hints[0])]
    dates = [ids for ids in verbs if domain.metrics[ids[0]].dimension == "date"]
    judged = [m.ids for p in roles.of("judge") for m in domain.find_metrics_asked(roles.text[p.start : p.end])]
    if of.entities and "what" in roles.asks and judged:  # "what is the going rate for a B200"
        return [MeasureReading(ids) for ids in dict.fromkeys(judged)]
    if of.entities and any(p.operator == _HOW_DEAR for p in roles.phrases):
        return [MeasureReading(PRICES)]
    return (
        [MeasureReading(dates[0] if dates else ("announcement_date", "availability_date"))]
        if "when" in roles.asks
        else []
    )


def _in_unit(wanted: MeasureReading, unit: str, domain: Domain) -> MeasureReading:
    """MeasureReading in a unit, which tells as well which of several metrics is meant: "how much HBM, in gigabytes"."""
    dimension = domain.units[unit].dimension
    fitting = tuple(i for i in wanted.ids if i in domain.metrics and domain.metrics[i].dimension == dimension)
    return replace(wanted, ids=fitting or wanted.ids, unit=unit)


def _named(roles: Roles, of: Set, domain: Domain) -> list[MeasureReading]:
    """The measures that are named, each once: "cost" and "per hour" say together what is asked for."""
    searched = is_searched(roles) and of.is_open
    parts = [p for p in roles.phrases if p.kind == "measure" or (p.kind == "value" and p.ids)]
    parts = [p for p in parts if not (searched and (p.bound_to is not None or is_condition(p, roles, domain)))]
    strong = [p for p in parts if p.kind == "measure" and p.ids and not _is_pace(p)]
    named = [p for p in parts if p in strong or (p.kind == "value" and _brings(p, bool(strong)))]
    movers = [p for p in roles.phrases if p.kind in ("rank", "compare", "relate", "measure") and _is_pace(p)]
    paces = [m.id for m in domain.metrics.values() if m.pace]
    if not named and movers and of.entities and not any(a == "dtype" for p in roles.phrases for a, _ in p.axes):
        return [MeasureReading((i,), start=movers[0].start) for i in paces]
    joined = [p.end for p in roles.of("and") if any(q.end <= p.start for q in named)]
    second = bool(movers and joined) and min(joined) <= movers[-1].start  # "which has more memory and is it faster too"
    if not named:
        movers = [p for p in roles.of("measure") if "question" in p.does]
        bringing = [p for p in (*movers, *roles.of("rank", "compare", "relate")) if roles.metrics_of(p)]
        return [
            MeasureReading(choose(p, roles.metrics_of(p), roles, domain), p.axes, p.unit, p.start) for p in bringing[:1]
        ]
    found: list[MeasureReading] = []
    for part in named:
        ids = choose(part, part.ids, roles, domain)
        if movers and not second:  # "how fast is the L4's memory"
            ids = tuple(PACE.get(i, i) for i in ids)
        pair = next((p for p in KINDS.items() if set(p) & set(ids)), ())
        if pair and len(named) == 1 and not second and "kind" in roles.asks and roles.asks & {"amount", "count"}:
            return [MeasureReading((i,), part.axes, start=part.start) for i in pair]  # "how much memory, and what kind"
        if part.kind == "value" and part.axes and len(named) > 1:  # the "HBM" of "HBM and bandwidth" is a capacity
            others = {i for other in named if other is not part for i in other.ids}
            ids = tuple(i for i in ids if i not in others) or ids
        _merge(found, MeasureReading(ids, part.axes, part.unit, part.start))
    if second:
        named_before = [w.ids[0] for w in found]
        more = [PACE[i] for i in named_before if i in PACE] if movers[-1].kind == "measure" else paces
        found += [MeasureReading((i,), start=movers[-1].start) for i in more if i not in named_before]
    return found


def _brings(part: Phrase, measured: bool) -> bool:
    """True for a value that says what is measured: "HBM", and "in BF16" where nothing else does."""
    generic = bool(part.axes) and set(part.axes) <= GENERIC
    return generic or (not measured and (part.asked or bool(part.unit) or not any(a in _ASIDE for a, _ in part.axes)))


def _merge(found: list[MeasureReading], wanted: MeasureReading) -> None:
    """Adds a measure, or narrows the one before that it says again."""
    axes = dict(wanted.axes)
    for n, before in enumerate(found):
        if set(wanted.ids) & set(before.ids) and all(axes.get(a, v) == v for a, v in before.axes):
            common = tuple(i for i in before.ids if i in wanted.ids)
            found[n] = replace(before, ids=common, axes=(*before.axes, *wanted.axes), unit=before.unit or wanted.unit)
            return
    if wanted.ids:
        found.append(wanted)


def _is_pace(phrase: Phrase) -> bool:
    """True for "how fast" and "faster", which leave open by which measure."""
    known = phrase.does.get("question" if phrase.kind == "measure" else phrase.kind)
    return known is not None and "peak_compute" in known.metrics and (phrase.kind != "measure" or phrase.asked)


def choose(phrase: Phrase, ids: tuple[str, ...], roles: Roles, domain: Domain) -> tuple[str, ...]:
    """The metrics of a phrase, likeliest first: a number is wanted or a kind, a date, a price to buy or to rent."""
    known = [i for i in ids if i in domain.metrics]
    called = roles.text[phrase.start : phrase.end].lower()
    names = {i: domain.metrics[i].name.lower() for i in known}
    exact = [
        i for i, name in names.items() if called == name or called in name.replace("(", "").replace(")", "").split()
    ]
    if len(exact) == 1 and exact[0] != known[0]:
        return (exact[0],)
    texts = [i for i in known if domain.metrics[i].dimension == "text"]
    numbers = [i for i in known if i not in texts]
    kinds = tuple(dict.fromkeys((*texts, *(KINDS[i] for i in numbers if i in KINDS))))
    if kinds and numbers and "kind" in roles.asks and not phrase.asked:
        return kinds  # a number is no kind
    if texts and numbers:
        counts = phrase.asked or phrase.unit or roles.asks & {"amount", "count"} or roles.has("compare", "rank", "top")
        return (*texts, *numbers) if any(names[i] == called for i in texts) and not counts else (*numbers, *texts)
    if {*PRICES} <= set(ids):
        hinted = [i for h in roles.of("hint") for i in roles.metrics_of(h) if i in ids]
        return tuple(dict.fromkeys((*hinted[:1], *ids)))
    return tuple(sorted(known, key=lambda i: not domain.metrics[i].main)) or ids


def _count_measure(part: Phrase, of: Set, domain: Domain, *, in_machine: bool) -> tuple[str, ...]:
    """ "How many GPUs are in a DGX B200": the number of chips in what is named."""
    holders = [c for c in of.entities if domain.is_machine(c.entity) or c.unit]
    chip = part.value == "thing" and part.ids and domain.is_chip(part.ids[0])
    if chip and in_machine:
        return ("chips_per_node",)  # "how many Gaudi 3 are in one node"
    if not holders or (part.value == "thing" and part.ids and domain.is_machine(part.ids[0])):
        return ()
    if holders[0].unit == "slice":
        return ("slice_size",)
    entity = domain.entities[holders[0].entity]
    is_pod = "pod" in entity.name.lower() and entity.kind == "slice"
    return ("pod_size",) if is_pod else (_COUNTS.get(entity.kind, "chips_per_node"),)


def spread(roles: Roles, found: Sequence[MeasureReading], domain: Domain) -> Iterator[MeasureReading]:
    """Each measure on each of the axes that the question names for it: "FP8 and BF16 peak" are two."""
    loose = [(a, v, p.start) for p in roles.of("value") for a, v in _axes(p, roles, domain) if a not in AT]
    if roles.has("each"):
        loose.append(("aggregation", "chip", 0))
    for each in found:
        metrics = [domain.metrics[i] for i in each.ids if i in domain.metrics]
        every = (*loose, *((a, v, each.start) for a, v in each.axes))
        said = sorted({(a, s, v) for a, v, s in every if any(a in m.qualifiers for m in metrics)})
        values = {a: list(dict.fromkeys(v for _, _, v in group)) for a, group in groupby(said, lambda x: x[0])}
        kept = [(a, v) for a, v in each.axes if a not in values]
        several = next((a for a, found_ in values.items() if len(found_) > 1), "")
        single = [(a, found_[0]) for a, found_ in values.items() if a != several]
        for value in values.get(several, [""]):
            yield replace(each, axes=tuple(sorted({*kept, *single, *([(several, value)] if several else [])})))


def _axes(part: Phrase, roles: Roles, domain: Domain) -> Iterator[tuple[str, str]]:
    """Returns the values that a phrase states; "with and without sparsity" states both."""
    yield from part.axes
    if roles.has("both") and len(part.axes) == 1:
        ((name, value),) = part.axes
        for (axis, _), known in domain.qualifiers.items():
            if axis == name and known.id != value and any(c.startswith("without ") for c in known.cues):
                yield name, known.id


def at_axes(roles: Roles, asserted: str = "") -> Qualifiers:
    """Returns the axes that apply to every measure (seller, terms, date, workload), except the `asserted` one."""
    found = {(a, v) for p in roles.of("value", "measure", "rank", "compare", "relate") for a, v in p.axes if a in AT}
    found |= {("as_of", p.value) for p in roles.of("date")}
    found |= {("as_of", "")} if roles.has("present") and not roles.has("date") else set()  # whatever was asked before
    return tuple(sorted((a, v) for a, v in found if not asserted or v != asserted))


def is_searched(roles: Roles) -> bool:
    """True where members are looked for: "which", "the cheapest", "with 80 GB"."""
    values = [p for p in roles.of("value") if p.value]
    tied = roles.has("with") and any(not p.ids for p in values)
    valued = any(p.ids and (not p.holds or roles.has("with")) for p in values) and "amount" not in roles.asks
    picked = "which" in roles.asks or roles.has("rank", "top", "excluded") or valued
    states = roles.is_yes_no or roles.has("states")
    return picked or tied or (roles.has("figure") and not states)


def is_condition(part: Phrase, roles: Roles, domain: Domain) -> bool:
    """True for a measure that is only named by a value, "with HBM3e": in a search the members have to have that."""
    if part.kind != "value" or not part.value or not part.ids:
        return False
    if roles.has("rank", "top") and domain.metrics[part.ids[0]].dimension != "text":
        return False  # the "BF16" of "the most BF16 TFLOPS per watt" is no condition
    return bool(relation_of(part.value, part.ids, domain))


def relation_of(value: str, metrics: Sequence[str], domain: Domain) -> str:
    """The metric that a category is a value of: of those named if one fits, else the first that takes it."""
    told = [m for m in metrics if relation_takes(m, value, domain)]
    return next(iter(told), "") or next((r for r in _LIKELY if relation_takes(r, value, domain)), "")


_LIKELY = (
    "dtype_support", "framework_support", "memory_kind", "interconnect_kind", "cloud_availability", "sparsity_support", "cooling",
    "form_factor", "designer", "foundry", "launch_status", "architecture", "parallelism", "partitioning", "training_hardware", "workload_fit", "used_by",
)  # fmt: skip


def conditions_of(roles: Roles, of: Set, what: Sequence[Measure], domain: Domain) -> Iterator[Condition]:
    """What members have to fulfill, in the order of the question; the phrases that it accounts for are marked."""
    for part in roles.phrases:
        condition = _condition(part, roles, of, what, domain)
        if condition is not None:
            part.used = True
            yield condition


def _condition(part: Phrase, roles: Roles, of: Set, what: Sequence[Measure], domain: Domain) -> Condition | None:
    if part.kind == "figure" and part.figure is not None:
        metric = part.ids[0] if part.bound_to is not None else usual_metric(part.figure, domain)
        if part.figure.unit == "chips" and part.bound_to is None:
            metric = "" if roles.has("rank", "top") else "chips_per_node"
        return Condition(measure(metric, part.axes, domain), part.figure, strict=part.strict) if metric else None
    clouds = [v for a, v in part.axes if a == "provider" and part.kind == "value" and not part.ids]
    if not set(of.makers).isdisjoint((*part.makers, *domain.vendors_named(part.value))):
        part.used = True  # whose it is, the set says
        return None
    if clouds and not any(m.metric in PRICES for m in what):
        return Condition(Measure(CLOUDS), clouds[0], part.holds)
    said = not part.ids and (not part.axes or not part.holds or any(a in domain.relations for a, _ in part.axes))
    is_told = part.kind == "value" and (said or (is_searched(roles) and is_condition(part, roles, domain)))
    if not part.value or not (is_told or part.kind == "told"):
        return None
    measured = part.ids or [m.metric for m in what]
    metric = part.ids[0] if part.kind == "told" else relation_of(part.value, measured, domain)
    return Condition(Measure(metric), part.value, part.holds) if metric else None


def kinds_named(roles: Roles, domain: Domain) -> Iterator[Condition]:
    """The "NVLink" of "NVLink bandwidth": what a thing has to have for its figure to be the one that is asked for."""
    for part in roles.of("measure"):
        metric = relation_of(part.value, (), domain) if part.value else ""
        if metric and metric not in part.ids and (metric, part.value) not in GENERIC:
            yield Condition(Measure(metric), part.value, part.holds)


def usual_metric(quantity: Quantity, domain: Domain) -> str:
    """The metric that a figure is of where none is named; "" where that is open."""
    if quantity.dimension in _USUAL:
        return _USUAL[quantity.dimension]
    alike = [m for m in domain.metrics.values() if m.dimension == quantity.dimension]
    each = ([m.id for m in alike if m.default], [m.id for m in alike if m.main])
    likely = next(filter(None, each), None) or [m.id for m in alike if m.nature == "priced"]
    return likely[0] if likely and quantity.dimension not in ("ratio", "count", "number") else ""
