"""The productions: which two parts of a question beside each other make a larger one, and what it means.

    number + thing            ->  thing          "two H200"
    maker + open              ->  open           "NVIDIA GPUs"
    rank + measure            ->  order          "the most memory"
    measure + quantity        ->  condition      "a TDP under 700 W"

A production gives None where the two do not go together in the domain: a memory of 700 W.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from chipwise.answering.parts import Part
from chipwise.domain.model import Domain
from chipwise.numbers.quantity import Quantity
from chipwise.values import dataclass

Combine = Callable[[Part, Part, Domain], Part | None]
BONUS = 0.6  # what it saves that two parts go together
MACHINES = ("system", "instance")
PACE = {  # how fast something is
    "memory_capacity": "memory_bandwidth",
    "memory_kind": "memory_bandwidth",
    "interconnect_kind": "interconnect_bandwidth",
}
CHIPS = "chips"  # the unit that counts accelerators of any kind


@dataclass(frozen=True, slots=True)
class Production:
    """`left` and `right` beside each other make what `combine` gives.

    With `near` no filler may stand between them, and only `across` a comma or another mark where that is said.
    """

    left: str
    right: str
    combine: Combine
    near: bool = False
    across: bool = False


def _behind(combine: Combine) -> Combine:
    """The same of two that stand the other way round."""
    return lambda left, right, domain: combine(right, left, domain)


def _count(number: Part, thing: Part, domain: Domain) -> Part | None:
    if number.count is None or thing.count is not None:
        return None
    return thing.over(number, count=number.count)


def _in_shape(state: Part, thing: Part, domain: Domain) -> Part | None:
    """ "used 3090s": what each of them is like changes none of its figures."""
    return thing.over(state)


def _count_unit(number: Part, kind: Part, domain: Domain) -> Part | None:
    """ "3 racks" of something."""
    return kind.over(number, "counted", count=number.count) if kind.value in MACHINES and number.count else None


def _count_open(number: Part, what: Part, domain: Domain) -> Part | None:
    """ "8 GPUs": a figure, of chips."""
    if number.count is None or number.quantity is not None or (what.category == "kind" and what.value != "chip"):
        return None
    quantity = Quantity(number.start, what.end, "count", CHIPS, number.count, number.count)
    return Part("quantity", number.start, what.end, quantity=quantity, inner=(what,))


def _counted_machines(counted: Part, thing: Part, domain: Domain) -> Part | None:
    """ "3 racks of GB300 NVL72"; "8 GPUs of H100" counts the GPUs."""
    if thing.count is not None or not thing.ids:
        return None
    return thing.over(counted, count=counted.count) if domain.is_machine(thing.ids[0]) else None


def _as_machine(thing: Part, kind: Part, domain: Domain) -> Part | None:
    """ "an 8x H100 node", "a DGX H100 server", "v5p-8 slice"."""
    if kind.value not in MACHINES or not thing.ids:
        return None
    if domain.is_machine(thing.ids[0]):
        return thing.over(kind)
    return thing.over(kind, unit=thing.unit or "node") if thing.count and domain.is_chip(thing.ids[0]) else None


def _form(thing: Part, axis: Part, domain: Domain) -> Part | None:
    """ "H100 in its SXM version": the variant that is made so."""
    forms = [v for a, v in axis.axes if a == "form_factor"]
    if not forms or len(thing.ids) != 1:
        return None
    chip = domain.chip_of(thing.ids[0]) or thing.ids[0]
    made = [v for v in domain.variants(chip) if domain.entities[v].form_factor == forms[0]]
    made = [v for v in made if thing.ids[0] in domain.ancestors(v)] or made  # "40 GB A100 SXM" is of both
    return thing.over(axis, ids=tuple(made[:1])) if made else None


def _merge_open(left: Part, right: Part, domain: Domain) -> Part | None:
    """ "NVIDIA GPUs", "AMD accelerators", "Blackwell cards": one set."""
    if left.category == right.category == "kind":
        return None
    if left.category == "open" and right.value in MACHINES and domain.is_generic(left.ids[0]):
        return None  # "8-GPU nodes"
    ids = (*left.ids, *right.ids) if "maker" not in (left.category, right.category) else ()
    wide = right if left.category == "maker" else left
    inner = (*left.inner, *right.inner, *(p for p in (left, right) if p.category in ("maker", "kind")))
    return wide.over(
        right if wide is left else left, "open", ids=ids or wide.ids if wide.category == "open" else (), inner=inner
    )


def _except(leaves: Part, what: Part, domain: Domain) -> Part | None:
    return what.over(leaves, "excluded", inner=(what,))


def _condition(measure: Part, quantity: Part, domain: Domain) -> Part | None:
    """A figure beside the measure that it is of; None where none of its metrics has that dimension."""
    found = quantity.quantity
    if found is None or measure.unit:
        return None
    fitting = tuple(i for i in measure.ids if _fits(i, quantity, domain))
    return (
        measure.over(quantity, "condition", ids=fitting, quantity=found, inner=(measure,), is_strict=quantity.is_strict)
        if fitting
        else None
    )


def _fits(metric: str, quantity: Part, domain: Domain) -> bool:
    found, known = quantity.quantity, domain.metrics.get(metric)
    if found is None or known is None:
        return False
    if found.dimension == "count":
        return known.dimension == "count" and domain.counts(known, found.unit)
    return known.dimension == found.dimension or found.dimension in known.implied_by


def _negated(negation: Part, category: Part, domain: Domain) -> Part | None:
    return category.over(negation, holds=not category.holds)


def _with(word: Part, category: Part, domain: Domain) -> Part | None:
    return category.over(word, value="with")


def _told(verb: Part, category: Part, domain: Domain) -> Part | None:
    """ "support BF16": of the metrics that a verb goes with those that have such a value."""
    id_ = category.value if category.category == "weak" else category.ids[0]
    metrics = tuple(m for m in verb.ids if id_ and relation_takes(m, id_, domain))
    said = replace(category, category="category", ids=(id_,))
    return said.over(verb, "told", inner=(replace(verb, ids=metrics), said)) if metrics else None


def _told_of_maker(verb: Part, axis: Part, domain: Domain) -> Part | None:
    """ "from AWS": a cloud whose owner makes chips of its own, as their maker."""
    clouds = [v for a, v in axis.axes if a == "provider"]
    if len(clouds) != len(axis.axes) or "designer" not in verb.ids or clouds[0] not in domain.terms:
        return None
    name = domain.terms[clouds[0]].name
    vendors = [v for m in domain.find_makers(name) if (m.start, m.end) == (0, len(name)) for v in m.ids]
    owner = next((company for v in vendors if (company := domain.company_of(v))), "")
    return _told(verb, replace(axis, category="category", ids=(owner,), axes=()), domain) if owner else None


def relation_takes(metric: str, id_: str, domain: Domain) -> bool:
    """True where a term or value can be what a relation says: PyTorch is a framework."""
    relation = domain.relations.get(metric)
    if relation is None:
        return False
    kind = domain.terms[id_].kind if id_ in domain.terms else ""
    return id_ in relation.objects or bool(kind and kind in relation.objects)


def _order(rank: Part, measure: Part, domain: Domain) -> Part | None:
    """ "the most memory"; "cheapest" brings its own measure along, "fastest" yields to one that is named."""
    if measure.category == "weak" and rank.ids:
        return None
    return rank.over(measure, "order", ids=measure.ids, axes=measure.axes, unit=measure.unit, inner=(measure,))


def _order_behind(measure: Part, rank: Part, domain: Domain) -> Part | None:
    return _order(rank, measure, domain) if not rank.ids else None


def _limit(number: Part, rank: Part, domain: Domain) -> Part | None:
    return rank.over(number, count=number.count) if number.count and number.quantity is None else None


def _compared(compare: Part, measure: Part, domain: Domain) -> Part | None:
    """ "more memory"; "faster memory" is of the memory's metric of pace."""
    if measure.category == "weak" and compare.ids and not measure.axes:
        return None
    ids = tuple(PACE.get(i, i) for i in measure.ids) if "peak_compute" in compare.ids else measure.ids
    return compare.over(measure, "compared", ids=ids, axes=measure.axes, unit=measure.unit, inner=(measure,))


def _compared_behind(measure: Part, compare: Part, domain: Domain) -> Part | None:
    return _compared(compare, measure, domain) if not compare.ids else None


def _how_much_more(question: Part, compared: Part, domain: Domain) -> Part | None:
    if question.value not in ("amount", "count"):
        return None
    return compared.over(question, "related", value="difference", inner=(*compared.inner, compared))


def _related(relate: Part, compared: Part, domain: Domain) -> Part | None:
    """ "how many times more memory", "by how much more"."""
    return compared.over(relate, "related", value=relate.value, inner=(*compared.inner, compared))


def _multiple(multiple: Part, measure: Part, domain: Domain) -> Part | None:
    return measure.over(multiple, "multiplied", value=multiple.value, inner=(measure,))


def _asked(question: Part, measure: Part, domain: Domain) -> Part | None:
    if question.value not in ("amount", "count"):
        return None
    ids = tuple(PACE.get(i, i) for i in measure.ids) if question.ids else measure.ids
    return measure.over(question, "measure", ids=ids, is_asked=True)


def _asked_unit(question: Part, unit: Part, domain: Domain) -> Part | None:
    """ "how many watts": the measure of that dimension."""
    if question.value != "count":
        return None
    dimension = domain.units[unit.unit].dimension
    if dimension == "count":
        ids = tuple(m.id for m in domain.metrics.values() if m.dimension == "count" and domain.counts(m, unit.unit))
    else:
        default = domain.default_metrics.get(dimension)
        ids = (
            (default,)
            if default
            else tuple(m.id for m in domain.metrics.values() if m.dimension == dimension and m.main)
        )
        ids = ids or tuple(m.id for m in domain.metrics.values() if m.dimension == dimension)
    return unit.over(question, "measure", ids=ids, is_asked=True) if ids else None


def _how_many(question: Part, what: Part, domain: Domain) -> Part | None:
    """ "how many H200s", "how many GPUs", "how many nodes"."""
    return what.over(question, "number asked", inner=(what,)) if question.value == "count" else None


def _on_axis(axis: Part, measure: Part, domain: Domain) -> Part | None:
    """ "dense BF16 peak"; None where no metric of the measure has the axis, or it says another value of it already."""
    axes = dict(measure.axes)
    if any(axes.get(a, v) != v for a, v in axis.axes):
        return None
    ids = tuple(
        i for i in measure.ids if i in domain.metrics and all(a in domain.metrics[i].qualifiers for a, _ in axis.axes)
    )
    if not ids:
        return None
    return measure.over(axis, ids=ids, axes=tuple(sorted({*measure.axes, *axis.axes})))


def _same_metric(left: Part, right: Part, domain: Domain) -> Part | None:
    """ "FP8 compute", "memory HBM": two words for one measure."""
    common = tuple(i for i in right.ids if i in left.ids)
    if not common or any(dict(left.axes).get(a, v) != v for a, v in right.axes):
        return None
    category = "weak" if left.category == right.category == "weak" else "measure"
    asked = left.is_asked or right.is_asked
    return left.over(right, category, ids=common, axes=tuple(sorted({*left.axes, *right.axes})), is_asked=asked)


def _in_unit(measure: Part, unit: Part, domain: Domain) -> Part | None:
    dimension = domain.units[unit.unit].dimension
    ids = tuple(i for i in measure.ids if i in domain.metrics and domain.metrics[i].dimension == dimension)
    return measure.over(unit, ids=ids, unit=unit.unit) if ids and not measure.unit else None


def _with_and_without(both: Part, axis: Part, domain: Domain) -> Part | None:
    """ "with and without sparsity": what is said to be with it, and the value of that axis for what is without."""
    if len(axis.axes) != 1:
        return None
    ((name, value),) = axis.axes
    others = [
        q.id for (a, _), q in domain.qualifiers.items() if a == name and any(c.startswith("without ") for c in q.cues)
    ]
    return axis.over(both, axes=((name, value), (name, others[0]))) if others and others[0] != value else None


def _together(group: Part, measure: Part, domain: Domain) -> Part | None:
    return measure.over(group, value="group") if not measure.value or measure.category == "measure" else None


_MEASURES = ("measure", "weak")
PRODUCTIONS: tuple[Production, ...] = (
    Production("state", "thing", _in_shape, near=True),
    Production("number", "thing", _count, near=True),
    Production("number", "kind", _count_unit, near=True),
    Production("number", "open", _count_open, near=True, across=True),  # "8-GPU nodes"
    Production("number", "kind", _count_open, near=True),
    Production("counted", "thing", _counted_machines),
    Production("thing", "kind", _as_machine, near=True),
    Production("thing", "axis", _form),
    Production("axis", "thing", _form, near=True),
    Production("maker", "open", _merge_open, near=True),
    Production("maker", "kind", _merge_open, near=True),
    Production("open", "kind", _merge_open, near=True),
    Production("kind", "open", _merge_open, near=True),
    Production("except", "maker", _except),
    Production("except", "thing", _except),
    Production("except", "open", _except, across=True),  # "non-NVIDIA chips"
    Production("except", "category", _except),
    Production("except", "measure", _except),
    Production("not", "maker", _except),
    *(Production(m, "quantity", _condition) for m in _MEASURES),
    *(Production("quantity", m, _behind(_condition)) for m in _MEASURES),
    Production("not", "category", _negated),
    Production("not", "told", _negated),
    Production("not", "weak", _negated),
    Production("with", "category", _with),
    Production("verb", "category", _told),
    Production("category", "verb", _behind(_told)),
    Production("verb", "weak", _told),
    Production("verb", "axis", _told_of_maker, near=True),
    Production("weak", "verb", _behind(_told)),
    *(Production("rank", m, _order) for m in _MEASURES),
    Production("measure", "rank", _order_behind),
    Production("number", "rank", _limit),
    Production("rank", "number", _behind(_limit), near=True),
    Production("top", "number", _behind(_limit), near=True),
    *(Production("compare", m, _compared) for m in _MEASURES),
    Production("measure", "compare", _compared_behind),
    Production("question", "compared", _how_much_more),
    Production("question", "compare", _how_much_more),
    Production("relate", "compared", _related),
    Production("relate", "compare", _related),
    Production("multiple", "measure", _multiple),
    *(Production("question", m, _asked) for m in _MEASURES),
    Production("question", "unit", _asked_unit, near=True),
    Production("question", "thing", _how_many, near=True),
    Production("question", "open", _how_many, near=True),
    Production("question", "kind", _how_many, near=True),
    *(Production("axis", m, _on_axis) for m in _MEASURES),
    *(Production(m, "axis", _behind(_on_axis), across=True) for m in _MEASURES),
    Production("weak", "measure", _same_metric),
    Production("measure", "weak", _same_metric),
    Production("weak", "weak", _same_metric),
    *(Production(m, "unit", _in_unit) for m in _MEASURES),
    Production("group", "measure", _together),
    Production("both", "axis", _with_and_without),
)
BY_LEFT: dict[str, list[Production]] = {}
for _production in PRODUCTIONS:
    BY_LEFT.setdefault(_production.left, []).append(_production)
