"""A question before it is a query: what its words name, and what kind of answer it wants.

Passages and sums need it of any question, those that no table answers ("why") included.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from chipwise.answering.measures import at_axes
from chipwise.answering.mentions import Slot
from chipwise.answering.naming import PLAIN_NUMERAL, Named
from chipwise.answering.query import Kind, Query, Set
from chipwise.answering.roles import Roles
from chipwise.domain.model import COUNTED_CHIPS, Domain
from chipwise.figures.llms import SIZED_NAME
from chipwise.text import STOP_WORDS, Span, content_words, overlap, words

_IN_WORDS = {"reason": Kind.WHY, "advice": Kind.ADVICE, "meaning": Kind.DEFINITION}  # by what no query answers
_JOINING = {"and", "or", "versus", "than", "with"}
_ORDERS, _SIDES = ("rank", "compare"), ("most", "least", "best", "worst")
STORY = 10  # content words from which a text tells more than it looks up, unless half of them name things
_OUTSIDE = "outside"  # shares, people, opinions


def outline(roles: Roles, found: Sequence[Slot], of: Set, domain: Domain) -> Query:
    """The query of a question without its measures, its order and its assertion."""
    asked = roles.text
    begins = {o.kind for o in domain.operators_in(asked.split()[0])}
    judged = roles.is_yes_no or roles.is_choice or (roles.has("states") and not roles.asks) or "opener" in begins
    subjects = _subjects(found, roles, domain)
    terms = domain.find_terms(asked)
    spans = [(m.start, m.end) for m in terms]
    concepts = [(m.start, m.end) for m in terms if domain.terms[m.ids[0]].kind == "concept"]
    measured = list(_measured(found, concepts, may_be_weak=bool(subjects) and not judged))
    metrics = _metrics(roles, measured, subjects, domain)
    no_names = [*spans, *(m.span() for m in SIZED_NAME.finditer(asked))]  # what is asked of a model rests on its size
    named = [(s.start, s.end) for s in found if s.names or s.makers or s.metrics or s.categories or s.unit]
    unit = _unit(asked, found, domain)
    unknown = words(" ".join(u.name for u in of.unknown))
    stressed = tuple(content_words(" ".join(asked[start:end] for start, end in (*named, *spans))))
    kind = _kind(roles, subjects, metrics, unit, judged=judged)
    is_story = len(said := content_words(asked)) >= STORY and 2 * len(stressed) < len(said)
    return Query(
        text=asked,
        of=of,
        at=at_axes(roles),
        kind=Kind.OPEN if is_story and kind in (Kind.LOOKUP, Kind.LIST) else kind,
        subjects=subjects,
        metrics=metrics,
        parts=_parts(asked, measured, domain),
        terms=tuple(dict.fromkeys(i for m in terms for i in m.ids)),
        stressed=stressed,
        names=tuple(dict.fromkeys((*_names(asked, found, no_names, domain), *unknown))),
        unit=unit,
        side=next((o.value for s in found for o in s.operators if o.kind in _ORDERS and o.value in _SIDES), ""),
        wants_number=bool(
            roles.asks & {"amount", "count"} or any(domain.metrics[m].nature == "priced" for m in metrics)
        ),
        wants_opinion=any(o.value == _OUTSIDE for s in found for o in s.operators),
        wants_verdict=judged,
    )


def _kind(
    roles: Roles, subjects: tuple[tuple[str, ...], ...], metrics: tuple[str, ...], unit: str, *, judged: bool
) -> Kind:
    if roles.refuses in _IN_WORDS:
        return _IN_WORDS[roles.refuses]
    if len(subjects) > 1 and (metrics or roles.sets_apart or roles.has("and")):
        return Kind.COMPARISON
    if judged:
        return Kind.YES_NO
    if (metrics and subjects) or unit:
        return Kind.LOOKUP
    if roles.asks & {"which", "who"}:
        return Kind.LIST
    return Kind.DEFINITION if roles.asks == {"what"} else Kind.OPEN


def _measured(found: Sequence[Slot], concepts: Sequence[Span], *, may_be_weak: bool) -> Iterator[Slot]:
    """Where something to be measured is named, or only a value of it where that may be: "in BF16". A KV cache is no cache of a chip."""
    for slot in found:
        inside = any(a <= slot.start and slot.end <= b and b - a > slot.end - slot.start for a, b in concepts)
        if slot.metrics and not inside and (may_be_weak or not slot.is_weak):
            yield slot


def _metrics(
    roles: Roles, measured: Sequence[Slot], subjects: tuple[tuple[str, ...], ...], domain: Domain
) -> tuple[str, ...]:
    """What is to be measured by its words, else by those that compare: "how fast", "cheaper"."""
    named = [i for s in measured for i in s.metrics]
    formats = {"dtype", "workload", "benchmark", "provider"}  # axes that say nothing of what is measured
    parts = (p for p in roles.of("measure", "value", "rank", "compare", "relate") if formats.isdisjoint(dict(p.axes)))
    named = named or [i for p in parts for i in roles.metrics_of(p)]
    found = tuple(dict.fromkeys(i for i in named if i in domain.metrics))
    if not subjects or any(len(ids) > 1 for ids in subjects):
        return found
    return tuple(dict.fromkeys(domain.metric_of(m, i) for (i,) in subjects for m in found))


def _parts(text: str, measured: Sequence[Slot], domain: Domain) -> tuple[tuple[str, ...], ...]:
    """The metrics of each of several measures that are joined: "memory and power"."""
    for one, other in pairwise(measured):
        between = text[one.end : other.start]
        kinds = {o.kind for o in domain.operators_in(between)}
        joins = kinds & _JOINING or any(mark in between for mark in ",/&+;")
        if not joins or domain.find_entities(between):  # "tokens per second can an H100 do with a 70B in FP8"
            return ()
    parts = tuple(dict.fromkeys(s.metrics for s in measured))
    return parts if len(parts) > 1 else ()


def _subjects(found: Sequence[Slot], roles: Roles, domain: Domain) -> tuple[tuple[str, ...], ...]:
    """The most specific products that the question names: the DGX B200 of "how many CPUs are in a DGX B200", and no CPUs."""
    counted = {p.start for p in roles.of("counted")}
    named = [(s.start, _called(s, s.names, roles.text, domain)) for s in found if s.names is not None and s.names.ids]
    rest = [(start, ids) for start, ids in named if start not in counted or not all(map(domain.is_many, ids))]
    in_machine = bool(rest) and all(domain.holds_several(i) for _, ids in rest for i in ids)
    each = list(dict.fromkeys(ids for _, ids in (rest if in_machine else named)))
    above = {a for ids in each for i in ids for a in domain.ancestors(i)[1:]}
    if roles.sets_apart:
        above = {a for a in above if domain.is_many(a)}
    return tuple(ids for ids in each if not all(i in above for i in ids))


def _called(slot: Slot, named: Named, text: str, domain: Domain) -> tuple[str, ...]:
    """What a name means by itself: the board of "8xH100", whose chips its query counts."""
    whole = [m.ids for m in domain.find_entities(text[slot.start : slot.end])] if named.count else []
    return whole[0] if len(whole) == 1 else named.ids


def _unit(text: str, found: Sequence[Slot], domain: Domain) -> str:
    """What is to be counted or measured in, "how many watts", "in GB/s"; of "how many MI300X" chips."""
    for asking, slot in pairwise(found):
        if any(o.value == "count" for o in asking.operators):
            if unit := domain.find_unit(text[slot.start :]):
                return unit
            if slot.names and slot.names.ids and domain.is_chip(slot.names.ids[0]):
                return domain.find_unit(text[slot.end :].strip()) or COUNTED_CHIPS
    return next((s.unit for s in found if s.unit and text[: s.start].lower().endswith(" in ")), "")


def _names(text: str, found: Sequence[Slot], terms: Sequence[Span], domain: Domain) -> Iterator[str]:
    """Words that look like names and that nothing knows: they must occur in the corpus at least."""
    shouted = text.upper() == text
    for slot, following in zip(found, (*found[1:], None), strict=False):  # a text may have none
        word = text[slot.start : slot.end]
        if (
            slot.is_known
            or len(word) == 1
            or word.lower() in STOP_WORDS
            or word.lower() in domain.change_nothing("capitals")
        ):
            continue
        if any(overlap((slot.start, slot.end), span) for span in terms):
            continue
        # a sentence starts with a capital anyway: there the next word decides
        first = slot.start == 0 and not (following and text[following.start].isupper())
        capital = not shouted and (
            (word[:1].isupper() and not first) or (any(map(str.isupper, word[1:])) and not word.isupper())
        )
        if capital or (any(map(str.isdigit, word)) and not PLAIN_NUMERAL.fullmatch(word)):
            yield word.lower()
