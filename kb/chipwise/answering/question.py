"""A question as passages and sums need it: what its words name, and what kind of answer it wants.

"Which has more memory, the H100 or the H200?"
    ->  comparison of nvidia-h100 and nvidia-h200 by memory_capacity

All of it is read off the parts that its query is made of; nothing here looks at the text again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from enum import StrEnum
from itertools import pairwise

from chipwise.answering.mentions import Slot, slots
from chipwise.answering.naming import PLAIN_NUMERAL, Named
from chipwise.answering.parse import subject_of
from chipwise.answering.query import Set
from chipwise.answering.roles import Roles, read_roles
from chipwise.answering.spelling import check
from chipwise.domain.model import COUNTED_CHIPS, Domain
from chipwise.figures.llms import SIZED_NAME
from chipwise.text import STOP_WORDS, Span, content_words, overlap, words
from chipwise.values import dataclass


class Kind(StrEnum):
    """What kind of answer a question wants."""

    LOOKUP = "lookup"
    COMPARISON = "comparison"
    DEFINITION = "definition"
    YES_NO = "yes/no"
    WHY = "why"
    ADVICE = "advice"
    LIST = "list"
    OPEN = "open"


_IN_WORDS = {"reason": Kind.WHY, "advice": Kind.ADVICE, "meaning": Kind.DEFINITION}  # by what no query answers
_JOINING = {"and", "or", "versus", "than", "with"}
_ORDERS, _SIDES = ("rank", "compare"), ("most", "least", "best", "worst")
_OUTSIDE = "outside"  # shares, people, opinions


@dataclass(frozen=True, slots=True)
class Question:
    """A question understood.

    `subjects` holds one tuple of entity ids for each thing that it names, several ids where the name is ambiguous, and `of` is
    the set of its query. `stressed` are the words of what it names; `names` are words that look like names of nothing known (a
    digit, or a capital inside the sentence), in lower case, and `unknown` names of a series or a line that nothing there has
    ("RTX 6090", "Gaudi 7"), as written. `parts` are the metrics of each of several things asked for. `unit` is what it wants
    counted or measured in ("how many chips", "in watts"), `order` which way it ranks or compares. `wants_verdict` is true where
    yes or no answers it. What is asked begins at `since`, what stands before it was said before.
    """

    text: str
    kind: Kind
    subjects: tuple[tuple[str, ...], ...]
    metrics: tuple[str, ...]
    terms: tuple[str, ...]
    words: tuple[str, ...]
    stressed: tuple[str, ...]
    names: tuple[str, ...]
    unknown: tuple[str, ...]
    parts: tuple[tuple[str, ...], ...]
    years: tuple[str, ...]
    unit: str
    order: str
    of: Set
    wants_number: bool
    wants_opinion: bool
    wants_ranking: bool
    wants_verdict: bool
    since: int = 0


def understand(text: str, domain: Domain) -> Question:
    """The question in `text`. Raises QuestionInvalid as `check` does."""
    asked = check(text)
    found = slots(asked, domain)
    roles = read_roles(asked, found, domain)
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
    unknown = [s.names.unknown.name for s in found if s.names is not None and s.names.unknown is not None]
    of = subject_of(roles, domain)
    unit = _unit(asked, found, domain)
    return Question(
        text=asked,
        kind=_kind(roles, subjects, metrics, unit, judged=judged),
        subjects=subjects,
        metrics=metrics,
        terms=tuple(dict.fromkeys(i for m in terms for i in m.ids)),
        words=tuple(content_words(asked)),
        stressed=tuple(content_words(" ".join(asked[start:end] for start, end in (*named, *spans)))),
        names=tuple(dict.fromkeys((*_names(asked, found, no_names, domain), *words(" ".join(unknown))))),
        unknown=tuple(unknown),
        parts=_parts(asked, measured, domain),
        years=tuple(dict.fromkeys(s.date[:4] for s in found if s.date)),
        unit=unit,
        order=next((o.value for s in found for o in s.operators if o.kind in _ORDERS and o.value in _SIDES), ""),
        of=of,
        wants_number=bool(
            roles.asks & {"amount", "count"} or any(domain.metrics[m].nature == "priced" for m in metrics)
        ),
        wants_opinion=any(o.value == _OUTSIDE for s in found for o in s.operators),
        wants_ranking=roles.has("rank", "top")
        and bool(roles.asks & {"which", "what"})
        and not roles.sets_apart
        and of.is_open,
        wants_verdict=judged,
    )


def understand_last(text: str, begin: int, domain: Domain) -> Question:
    """The question that begins at `begin`, about what was said before it where it names nothing itself. Raises QuestionInvalid."""
    question = understand(text[begin:], domain)
    if not any(map(str.isalnum, text[:begin])) or question.text != text[begin:].rstrip():
        return question
    subjects = question.subjects or understand(text[:begin], domain).subjects
    return replace(question, text=text.rstrip(), subjects=subjects, since=begin)


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
        if not kinds & _JOINING and not any(mark in between for mark in ",/&+;"):
            return ()
    parts = tuple(dict.fromkeys(s.metrics for s in measured))
    return parts if len(parts) > 1 else ()


def _subjects(found: Sequence[Slot], roles: Roles, domain: Domain) -> tuple[tuple[str, ...], ...]:
    """What the question names, most specific only: "GPU" says nothing beside "H100 GPU"; "B200 vs GB200" are two chips.

    The CPUs of "how many CPUs are in a DGX B200" are what it asks of the machine.
    """
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
        if asking.unit and any(o.value == "count" for o in slot.operators):  # "CUDA core count"
            return asking.unit
        if any(o.value == "count" for o in asking.operators):
            if unit := domain.find_unit(text[slot.start :]):
                return unit
            if slot.names and slot.names.ids and domain.is_chip(slot.names.ids[0]):
                return domain.find_unit(text[slot.end :].strip()) or COUNTED_CHIPS
    return next((s.unit for s in found if s.unit and text[: s.start].lower().endswith(" in ")), "")


def _names(text: str, found: Sequence[Slot], terms: Sequence[Span], domain: Domain) -> Iterator[str]:
    """Words that look like names and that nothing knows: they must occur in the corpus at least."""
    shouted = text.upper() == text
    for slot, following in zip(found, (*found[1:], None), strict=True):
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
