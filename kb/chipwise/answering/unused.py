"""The words of a question that nothing in its query accounts for: they lower its confidence, and an answer names them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from chipwise.answering.measures import AT
from chipwise.answering.query import CLOUDS, COUNTS, DESIGNER, PRICES, Query
from chipwise.answering.roles import GENERIC, MACHINES, Phrase, Roles
from chipwise.domain.catalogue import GROUP
from chipwise.domain.model import Domain
from chipwise.domain.records import Metric
from chipwise.numbers.quantity import Quantity

_WHO = {DESIGNER, "foundry", CLOUDS, "used_by", "training_hardware"}  # what answers "who"
_COUNTED = {COUNTS, "pod_size", "slice_size", "chips"}
# kinds that say something unless they are used
_SAYS = ("place", "number", "figure", "told", "relative", "multiple")


def unaccounted(roles: Roles, query: Query, domain: Domain) -> Iterator[Phrase]:
    """What is left over, in order."""
    for phrase in roles.phrases:
        if not (phrase.used or _has(query, phrase, roles, domain)) or _is_version(phrase, roles.text):
            yield phrase
    if roles.opener is not None and query.asserts is None:
        yield roles.opener


def _has(query: Query, p: Phrase, roles: Roles, domain: Domain) -> bool:
    """True for what a query takes of a question."""
    measures = (*query.what, *(c.measure for c in query.of.where))
    metrics = {m.metric for m in measures}
    entities, is_priced = query.of.entities, not metrics.isdisjoint(PRICES)
    known, told = _known(query, domain), roles.metrics_of(p)
    named = bool(entities or query.of.unknown)
    rules: dict[str, Callable[[], bool]] = {
        **dict.fromkeys(_SAYS, lambda: False),
        # whoever it is that "says", what is said is judged
        "word": lambda: (
            _is_between(p, query, roles) or any(o.kind == "states" and o.start == p.end + 1 for o in roles.phrases)
        ),
        "date": lambda: (not known or any("as_of" in m.qualifiers for m in known)) and (named or query.of.is_open),
        "verb": lambda: not metrics.isdisjoint(told) or (is_priced and CLOUDS in told),
        "not": lambda: query.asserts is not None,
        "judge": lambda: p.value == "any",  # "a typical price" is what is known
        "unit": lambda: p.unit in {*(m.unit for m in query.what), *(m.unit for m in known)},
        "counted": lambda: not metrics.isdisjoint(_COUNTED) or query.relate == "count",
        "question": lambda: (
            bool(query.what) and _is_counted(p, roles)
            if p.value == "count"
            else p.value != "who" or not metrics.isdisjoint(_WHO) or (is_priced and query.order is not None)
        ),
        "maker": lambda: not named or any(c.entity.startswith(p.makers[0].lower()) for c in entities),
        # "which instance" asks for machines, and not for the chip
        "kind": lambda: (
            p.value not in MACHINES or bool(query.what) or not any(domain.is_chip(c.entity) for c in entities)
        ),
        "value": lambda: _has_value(query, p, domain),
    }
    return p.kind not in rules or rules[p.kind]()


def _is_counted(asking: Phrase, roles: Roles) -> bool:
    """False for "how many GCDs", which nothing counts."""
    counted = next((p for p in roles.phrases if p.asked and p.start >= asking.start), None)
    return counted is None or bool(counted.ids)


def _known(query: Query, domain: Domain) -> list[Metric]:
    every = (*query.what, *(c.measure for c in query.of.where))
    return [domain.metrics[m] for m in {m.metric for m in every} if m in domain.metrics]


def _is_between(word: Phrase, query: Query, roles: Roles) -> bool:
    """True for a word between two things to choose from: "or do I have to stick with FP16"."""
    options = [p.start for p in roles.phrases if p.used] if query.asserts is not None and query.asserts.others else []
    return bool(options) and min(options) < word.start < max(options)


def _has_value(query: Query, p: Phrase, domain: Domain) -> bool:
    """True where the axes of a value are those of the query, or the category is one that it has."""
    said, of, known = query.asserts, query.of, _known(query, domain)
    sold = [a for a, _ in p.axes if a in AT]
    if not query.what and not of.is_open and any(a != "workload" for a in sold):
        return False
    takes = all(any(a in m.qualifiers or m.dimension == "text" for m in known) for a in sold)
    if known and query.order is None and not takes:
        return False
    if p.ids and (said is not None or of.where):
        return not (said is not None and isinstance(said.value, Quantity) and p.value and not p.axes)
    measures = (*query.what, *(c.measure for c in of.where))
    axes = {x for m in measures for x in m.axes} | {*query.at, *GENERIC} | ({GROUP} if of.is_open else set())
    scopes = {m.scope.unit for m in query.what if m.scope} | {c.unit for c in of.entities}
    left = [(a, v) for a, v in p.axes if (a, v) not in axes and v not in scopes]
    if said is not None and isinstance(said.value, str):  # a category has no axes
        left = [(a, v) for a, v in left if a in AT and v != said.value]
    return not left and (bool(p.axes) or not p.value or not {m.metric for m in measures}.isdisjoint(p.ids))


def _is_version(part: Phrase, text: str) -> bool:
    """True for "NVLink 5", where what is known is that there is NVLink, and not which."""
    last = text[part.start : part.end].rsplit(maxsplit=1)[-1]
    known = (*part.ids, part.value, *(v for _, v in part.axes))
    return part.kind in ("value", "measure") and last.isdigit() and not any(last in k for k in known)
