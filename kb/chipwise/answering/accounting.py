"""The words of a question that nothing in its query accounts for."""

from __future__ import annotations

from collections.abc import Iterator

from chipwise.answering.frame import Frame
from chipwise.answering.measures import AT
from chipwise.answering.parts import GENERIC, Part
from chipwise.answering.query import PRICES, Assertion, Measure, Query, Set
from chipwise.domain.model import Domain
from chipwise.numbers.quantity import Quantity
from chipwise.text import Span, words

_WHO = ("designer", "foundry", "cloud_availability", "used_by", "training_hardware")  # what answers "who"


def left_of(frame: Frame, query: Query, used: set[Part], domain: Domain) -> tuple[Span, ...]:
    """The spans of what is left over, in order."""
    of, what, said = query.of, query.what, query.asserts
    parts = [
        *(p for p in frame.left if p not in used and not _is_who_says(p, frame)),
        *_figures(frame, used, of, what, domain),
        *_categories(frame, used, of, said),
        *_values_beside(frame, used, what, said, domain),
        *_asking(frame, used, query.order is not None, what, said),
        *_axes(frame, of, what, said, query, domain),
        *_words(frame, of, what, domain),
        *(p for p in (*frame.categories, *frame.axes, *frame.measures) if _is_version(p, frame.text)),
        *(p for p in frame.judges if p not in used and p.value != "any"),  # "a typical price" is what is known
    ]
    return tuple(sorted({(p.start, p.end) for p in parts if not _is_beside(p, frame, said, used)}))


def described(frame: Frame, said: Assertion | None, used: set[Part]) -> tuple[Part, ...]:
    """Figures that only tell which product is meant, beside what is asserted of it: they are not used, and the answer says so."""
    if said is None or (said.among and said.value is not None):
        return ()
    return tuple(p for p in frame.describing if p not in used)


def _is_who_says(part: Part, frame: Frame) -> bool:
    """True for the word right before "says": whoever it is, what is said is judged."""
    behind = next((p for p in frame.parts if p.start >= part.end), None)
    plain = (
        part.category == "word" and frame.text[part.start : part.end].isalpha() and frame.text[part.end :][:1] == " "
    )
    return plain and behind is not None and behind.category == "states" and behind.start == part.end + 1


def _is_beside(part: Part, frame: Frame, said: Assertion | None, used: set[Part]) -> bool:
    """True for what describes the product, and for a word between two things to choose from: "or do I have to stick with FP16"."""
    word = frame.text[part.start : part.end]
    options = [p.start for p in used] if said is not None and said.others else []
    is_between = bool(options) and min(options) < part.start < max(options)
    is_plain = part.category == "word" and word.isalpha() and word.islower()
    return (is_between and is_plain) or part in described(frame, said, used)


def _figures(frame: Frame, used: set[Part], of: Set, what: tuple[Measure, ...], domain: Domain) -> Iterator[Part]:
    yield from frame.numbers
    yield from (p for p in (*frame.quantities, *frame.conditions) if p not in used)
    dated = [domain.metrics[m.metric] for m in what if m.metric in domain.metrics]
    idle = dated and not any("as_of" in m.qualifiers for m in dated)
    yield from (p for p in frame.dates if p not in used and (idle or not (of.entities or of.unknown or of.is_open)))


def _categories(frame: Frame, used: set[Part], of: Set, said: Assertion | None) -> Iterator[Part]:
    yield from (p for p in frame.told if p not in used)
    yield from (p for p in frame.categories if p not in used)
    yield from (p for p in frame.negations if said is None)
    if of.entities or of.unknown:
        yield from (p for p in frame.makers if p not in used and not _is_own(p, of))


def _values_beside(
    frame: Frame, used: set[Part], what: tuple[Measure, ...], said: Assertion | None, domain: Domain
) -> Iterator[Part]:
    """What else is said to be there: the NVLink of "does it have 24 GB and NVLink", "how much memory, and does it have NVLink"."""
    weak = [p for p in frame.measures if p.category == "weak" and p.value not in ("", "group") and not p.axes]
    metrics = {m.metric for m in what}
    for part in (p for p in weak if p not in used):
        beside = said is not None and isinstance(said.value, Quantity)
        apart = said is None and metrics.isdisjoint(part.ids)
        if beside or (apart and _is_asked_apart(part, frame, domain)):
            yield part


def _is_asked_apart(part: Part, frame: Frame, domain: Domain) -> bool:
    """True behind "and does it", "and is it"."""
    joints = (p.end for p in frame.parts if p.category == "and" and p.end <= part.start)
    firsts = (words(frame.text[end : part.start])[:1] for end in joints)
    return any(o.kind == "opener" for first in firsts for word in first for o in domain.operators_in(word))


def _is_version(part: Part, text: str) -> bool:
    """True for "NVLink 5", where what is known is that there is NVLink, and not which."""
    *_, last = text[part.start : part.end].split()
    known = (*part.ids, part.value, *(v for _, v in part.axes))
    return last.isdigit() and not any(last in k for k in known)


def _is_own(maker: Part, of: Set) -> bool:
    """True for a maker that is named beside its own product."""
    return any(c.entity.startswith(maker.ids[0].lower()) for c in of.entities)


def _asking(
    frame: Frame, used: set[Part], query_order: bool, what: tuple[Measure, ...], said: Assertion | None
) -> Iterator[Part]:
    """What asks for something that the query does not give: whether, who, how many of something."""
    metrics = {m.metric for m in what}
    for part in frame.parts:
        if part.category == "opener" and frame.is_yes_no and said is None:
            yield part
        offered = query_order and metrics & set(PRICES)  # "who rents it out cheapest"
        if part.category == "question" and part.value == "count" and (not what or _counts_things(part, frame)):
            yield part
        if part.category == "question" and part.value == "who" and metrics.isdisjoint(_WHO) and not offered:
            yield part
    if frame.is_yes_no and said is None and frame.opener is not None:
        yield frame.opener
    counts = metrics & {"chips_per_node", "pod_size", "slice_size", "chips"} or frame.counts_others
    yield from (p for p in frame.numbers_asked if not counts)
    yield from (p for p in frame.multiplied if p not in used)


def _counts_things(asked: Part, frame: Frame) -> bool:
    """True for "how many" right before a product or a kind of things, which is no measure of it."""
    return any(
        p.category in ("thing", "open", "kind") and not frame.text[asked.end : p.start].strip() for p in frame.parts
    )


def _axes(
    frame: Frame, of: Set, what: tuple[Measure, ...], said: Assertion | None, query: Query, domain: Domain
) -> Iterator[Part]:
    taken = {x for m in what for x in m.axes} | {x for c in of.where for x in c.measure.axes}
    taken |= {(a, v) for a, v in query.at}
    scoped = {m.scope.unit for m in what if m.scope} | {c.unit for c in of.entities}
    weak = [p for p in frame.measures if p.category == "weak"]
    for part in (*frame.axes, *weak):
        stays = [(a, v) for a, v in part.axes if (a, v) not in taken and v not in scoped and (a, v) not in GENERIC]
        stays = [(a, v) for a, v in stays if said is None or v != said.value]
        metrics = [domain.metrics[m.metric] for m in what if m.metric in domain.metrics]
        idle = [
            a
            for a, _ in part.axes
            if a in AT and metrics and not any(a in m.qualifiers or m.dimension == "text" for m in metrics)
        ]
        if part.category == "weak" and (said is not None or of.where):
            continue
        if (
            (idle and query.order is None)
            or stays
            or (not what and not of.is_open and any(a in AT and a != "workload" for a, _ in part.axes))
        ):
            yield part


def _words(frame: Frame, of: Set, what: tuple[Measure, ...], domain: Domain) -> Iterator[Part]:
    metrics = {m.metric for m in what} | {c.measure.metric for c in of.where}
    offers = metrics & set(PRICES)
    yield from (p for p in frame.verbs if metrics.isdisjoint(p.ids) and not (offers and "cloud_availability" in p.ids))
    units = {m.unit or domain.metrics[m.metric].unit for m in what if m.unit or m.metric in domain.metrics}
    yield from (p for p in frame.units if p.unit not in units)
