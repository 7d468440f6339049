"""The one place where a question is understood: text in, queries out.

    parse("Which has more memory, the H200 or the MI300X?", domain)
        -> [Query(of=Set((nvidia-h200, amd-mi300x)), what=(memory_capacity,), order=most)]

Several readings come back where a name or a metric may be one of several, the likeliest first; none for a reason, a procedure,
advice or a meaning, which are for passages. What nothing in a query accounts for is `left`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product
from typing import cast

from chipwise.answering.assertions import asserted
from chipwise.answering.measures import (
    AT,
    MeasureReading,
    at_axes,
    conditions_of,
    is_searched,
    kinds_named,
    measure,
    measures_of,
    spread,
)
from chipwise.answering.mentions import slots
from chipwise.answering.query import (
    CLOUDS,
    COUNTS,
    DESIGNER,
    PRICES,
    Assertion,
    Condition,
    Counted,
    Measure,
    Order,
    Query,
    Relation,
    Set,
    Side,
)
from chipwise.answering.question import outline
from chipwise.answering.roles import CHIP, GENERIC, MACHINES, Phrase, Roles, describing, read_roles
from chipwise.domain.catalogue import GROUP
from chipwise.domain.model import Domain
from chipwise.domain.records import Metric
from chipwise.errors import QuestionInvalid
from chipwise.numbers.quantity import Quantity
from chipwise.text import one_line

MAX_WORDS = 400  # a longer text is a document: `check` and `add` take those
_READINGS = 4  # where names or metrics are ambiguous
_OPEN_METRICS = 2  # measures of which more than the likeliest metric is tried
_OPEN_NAMES = 3
_RELATIONS = ("percent", "ratio", "same", "difference")  # the more telling one first
_RANKED = 12  # of a set that is to be put in order, where no number is named
_SIDES = ("most", "least", "best", "worst")
_USUAL_TERMS = "on-demand"
_WHO = {DESIGNER, "foundry", CLOUDS, "used_by", "training_hardware"}  # what answers "who"
_COUNTED = {COUNTS, "pod_size", "slice_size", "chips"}
# kinds that say something unless they are used
_SAYS = ("place", "number", "figure", "told", "relative", "multiple")


def parse(text: str, domain: Domain) -> list[Query]:
    """The readings of a question, best first; empty where it asks for nothing that a query could say."""
    read = readings(text, domain)
    about = [settled(q) for q in read if is_about_something(q)]
    return about or [settled(q) for r in read if is_about_something(q := _of_all_chips(r, domain))]


def check(text: str) -> str:
    """`text` on one line, fit for display. Raises QuestionInvalid when there is nothing to ask, or far too much."""
    asked = one_line(text)
    count = len(asked.split())
    if not any(c.isalnum() for c in asked):
        raise QuestionInvalid("the question is empty", hint='ask one, such as chipwise ask "What is MFU?"')
    if count > MAX_WORDS:
        raise QuestionInvalid(
            f"the question has {count:,} words, more than {MAX_WORDS}",
            hint="ask one thing at a time; `chipwise add` takes documents",
        )
    return asked


def understand(text: str, domain: Domain) -> Query:
    """The likeliest reading of any question, with no measure where no table answers it. Raises QuestionInvalid."""
    asked = check(text)
    return next(iter(parse(asked, domain)), None) or _outlined(asked, domain)[1]


def understand_last(text: str, begin: int, domain: Domain) -> Query:
    """The question that begins at `begin`, about what was said before it where it names nothing itself. Raises QuestionInvalid."""
    query = understand(text[begin:], domain)
    if not any(map(str.isalnum, text[:begin])) or query.text != text[begin:].rstrip():
        return query
    subjects = query.subjects or understand(text[:begin], domain).subjects
    return replace(query, text=text.rstrip(), subjects=subjects, since=begin)


def _outlined(text: str, domain: Domain) -> tuple[Roles, Query]:
    found = slots(text, domain)
    roles = read_roles(text, found, domain)
    return roles, outline(roles, found, subject_of(roles, domain), domain)


def _of_all_chips(query: Query, domain: Domain) -> Query:
    """ "largest memory", where nothing was asked before: of all chips."""
    ranks = any(o.kind == "rank" for o in domain.operators_in(query.text))
    lone = query.what[0].metric if len(query.what) == 1 else ""
    ranked = query.order is not None and query.asserts is None and ranks
    return replace(query, of=Set(kinds=(CHIP,))) if ranked and lone in domain.metrics and lone not in PRICES else query


def settled(query: Query) -> Query:
    """Without what only a question before would have filled: "now"."""
    return replace(query, at=tuple((a, v) for a, v in query.at if v)) if any(not v for _, v in query.at) else query


def is_about_something(query: Query) -> bool:
    """True where a query names what it is of, or the run that was measured."""
    of = query.of
    runs = any(axis in ("workload", "benchmark", "model") for axis, _ in query.at)
    return bool(of.entities or of.unknown or of.is_open or (query.what and runs))


def readings(text: str, domain: Domain) -> list[Query]:
    """As `parse`, and those as well that lack a subject or a measure: a follow-up takes these from the query before."""
    roles, about = _outlined(text, domain)
    if roles.refuses and not (roles.refuses == "manner" and roles.sets_apart):
        return []
    of = about.of
    what = list(spread(roles, measures_of(roles, of, domain), domain))
    picks = [w.ids[:2] if n < _OPEN_METRICS else w.ids[:1] for n, w in enumerate(what)]
    named = [p for p in roles.of("thing", "counted") if p.ids and (p.kind == "thing" or p.value == "thing")]
    found: list[Query] = []
    for chosen, names in list(product(product(*picks), product(*(p.ids[:_OPEN_NAMES] for p in named))))[:_READINGS]:
        measures = tuple(dict.fromkeys(_measure(m, w, of, roles, domain) for m, w in zip(chosen, what, strict=True)))
        meant = {p.ids[0]: name for p, name in zip(named, names, strict=True)}
        for phrase in roles.phrases:
            phrase.used = False
        picked = tuple(replace(c, entity=meant.get(c.entity, c.entity)) for c in of.entities)
        query = _filled(roles, replace(about, of=replace(of, entities=picked)), measures, domain)
        if query is not None and not _is_at_odds(query, domain):
            assumed = [domain.metrics[m].name for m, w in zip(chosen, what, strict=True) if len(w.ids) > 1]
            assumed += [domain.entities[n].name for p, n in zip(named, names, strict=True) if len(p.ids) > 1]
            found.append(replace(query, assumed=tuple(dict.fromkeys(assumed))))
    found.sort(key=lambda q: sum(end - start for start, end in q.left))
    alike = [replace(q, left=(), assumed=(), unused=()) for q in found]  # whatever their words
    return [q for n, q in enumerate(found) if alike[n] not in alike[:n]]


def _measure(metric: str, wanted: MeasureReading, of: Set, roles: Roles, domain: Domain) -> Measure:
    """One of the measures; of eight chips it is of all of them, whether the question says so or not."""
    # chips that are ranked have theirs one by one
    each = any((c.count or 1) > 1 for c in of.entities) or of.kinds == (CHIP,)
    axes = tuple(x for x in wanted.axes if not each or x != GROUP)
    return measure(metric, axes, domain, wanted.unit, group=roles.has("group") and not each)


def _is_at_odds(query: Query, domain: Domain) -> bool:
    """True for the PCIe figure of an OAM module."""
    forms = {domain.entities[c.entity].form_factor for c in query.of.entities} - {""}
    asked = {v for m in query.what for a, v in m.axes if a == "form_factor"}
    return bool(asked) and len(forms) == 1 and not asked & forms


def _filled(roles: Roles, about: Query, what: tuple[Measure, ...], domain: Domain) -> Query | None:
    of = about.of
    if of.is_open:
        of = replace(of, where=(*of.where, *conditions_of(roles, of, what, domain)))
    if not what and of.entities:
        what = tuple(_told_measures(roles, of, domain))
    said: Assertion | None = None
    if (judged := asserted(roles, of, what, domain)) is not None:
        what, said = judged
    elif of.entities:
        of = replace(of, where=tuple(kinds_named(roles, domain)))
    at = at_axes(roles, said.value if said is not None and isinstance(said.value, str) else "")
    terms = [v for a, v in at if a == "price_terms"]
    if len(of.entities) == 1 and roles.has("relate") and len(terms) == 1 and terms != [_USUAL_TERMS]:
        at = tuple(sorted((*at, ("price_terms", _USUAL_TERMS))))  # "how much cheaper is it on spot"
    if of.makers or any(c.measure.metric == CLOUDS for c in of.where):  # that says whose they are
        at = tuple((a, v) for a, v in at if a != "provider")
    if not (of.entities or of.unknown or of.is_open or what or at):
        return None
    order, relate = _order(roles, of, what), _relation(roles)
    query = replace(about, of=of, what=what, order=order, relate=relate, asserts=said, at=at)
    beside = [p for p in describing(roles) if not p.used] if said is not None else []
    unused = tuple(roles.text[p.start : p.end] for p in beside)
    left = [p for p in _unaccounted(roles, query, domain) if p not in beside]
    return replace(query, left=tuple(sorted({(p.start, p.end) for p in left})), unused=unused)


# Which things


def subject_of(roles: Roles, domain: Domain) -> Set:
    """The set that a question is about; its conditions come later."""
    things, counted = (
        [p for p in roles.of("thing") if p.ids],
        [p for p in roles.of("counted") if p.value == "thing" and p.ids],
    )
    counts_others = bool(counted) and roles.relates("same", "as much")
    named = sorted([*things, *(counted if counts_others or not things else ())], key=lambda p: p.start)
    entities = tuple(dict.fromkeys(Counted(p.ids[0], p.count, p.unit) for p in named))
    unknown = tuple(dict.fromkeys(p.unknown for p in roles.of("thing") if p.unknown is not None))
    without = tuple(v for p in roles.of("excluded") for v in _shut_out(p, domain))
    if things and not unknown and (machines := _machines_of(roles, entities, domain)):
        return machines
    if entities or unknown:
        if roles.sets_apart:
            lines = (i for p in roles.of("set") for i in p.ids if not domain.is_generic(i))
            apart = (i for i in lines if not any(i in domain.ancestors(c.entity) for c in entities))
            entities += tuple(Counted(i) for i in dict.fromkeys(apart))
        entities = tuple(replace(c, count=None) if domain.is_many(c.entity) else c for c in entities)
        return Set(entities=entities, unknown=unknown, without=without)
    return _open_set(roles, without, domain)


def _machines_of(roles: Roles, chips: tuple[Counted, ...], domain: Domain) -> Set | None:
    """The set of "which AWS instance has eight H200s": machines on condition of their chips."""
    sets = roles.of("kind", "set")
    kinds = tuple(k for k in MACHINES if any(k in _kinds(p) and p.start < roles.of("thing")[0].start for p in sets))
    kinds = () if any({"cloud", "maker"} & {*_kinds(p)} for p in sets) else kinds
    if not kinds or "which" not in roles.asks or roles.sets_apart or not all(domain.is_chip(c.entity) for c in chips):
        return None
    held = tuple(Condition(Measure(COUNTS), chip) for chip in chips)
    makers = (m for p in roles.of("value") if "provider" in dict(p.axes) for m in p.makers)
    return Set(kinds=kinds, makers=tuple(dict.fromkeys(makers)), where=held)


def _open_set(roles: Roles, without: tuple[str, ...], domain: Domain) -> Set:
    """The set of a question that names no thing: all of some lines, kinds and makers."""
    sets = [p for p in roles.of("set", "kind") if p.kind == "set" or p.value in (CHIP, *MACHINES)]
    sets += [p for p in roles.of("counted") if p.value != "thing"]
    ranks = roles.has("rank", "top")
    if ranks and not sets:  # "the 3 chips with the most memory"
        sets = [p for p in roles.of("figure") if p.lines or p.kinds]
    searched, makers = is_searched(roles), [m for p in roles.of("maker") for m in p.makers]
    if not sets and (
        any(p.value == "set" for p in roles.of("excluded"))
        or (ranks and any(GROUP in p.axes for p in roles.of("measure", "value")))
    ):
        return Set(kinds=(CHIP,), without=without)
    if not sets and not (makers and searched):
        return Set(without=without)
    lines = tuple(dict.fromkeys(i for p in sets for i in (p.lines if p.kind == "figure" else p.ids)))
    lines = tuple(i for i in lines if not any(i != other and i in domain.ancestors(other) for other in lines))
    asks_beside = "who" in roles.asks or any({"cloud", "maker"} & set(_kinds(p)) for p in roles.of("kind", "set"))
    if lines and (asks_beside or not searched):  # "who makes TPUs" asks for makers
        return Set(entities=tuple(Counted(i) for i in lines), without=without)
    makers += [m for p in sets for m in p.makers]
    if searched:
        makers += [v for p in roles.of("value", "told") if p.value for v in domain.vendors_named(p.value)]
    makers = list(dict.fromkeys(makers))
    if makers and any(domain.entities[i].vendor not in ("", *makers) for i in lines):  # "Intel or AMD accelerators"
        vendors = dict.fromkeys((*(domain.entities[i].vendor for i in lines), *makers))
        return Set(kinds=(CHIP,), makers=tuple(filter(None, vendors)), without=without)
    kinds = tuple(k for k in (CHIP, *MACHINES) if any(k in _kinds(p) for p in sets))
    if not lines and not kinds:
        kinds = (CHIP,)
    return Set(lines=lines, kinds=kinds if not lines or kinds != (CHIP,) else (), makers=tuple(makers), without=without)


def _kinds(part: Phrase) -> tuple[str, ...]:
    return (*part.kinds, part.value) if part.kind == "kind" else part.kinds


def _shut_out(part: Phrase, domain: Domain) -> Iterator[str]:
    """Ids of what is excluded: things, makers, terms."""
    for id_ in (part.value,) if part.value in domain.terms else part.makers or part.ids:
        yield from domain.vendors_named(id_) or (id_,)


# What of them


def _told_measures(roles: Roles, of: Set, domain: Domain) -> Iterator[Measure]:
    """What is asked of a thing by a noun or a verb alone: "which clouds offer", "who makes", "which GPU is in a p5"."""
    sets = roles.of("kind", "set")
    kinds, asks = {k for p in sets for k in _kinds(p)}, roles.asks
    verbs = [
        p.does["verb"].metrics[0] for p in roles.phrases if p.kind == "verb" or ("who" in asks and "verb" in p.does)
    ]
    valued = roles.has("told") or any(p.value and not p.ids for p in roles.of("value"))
    if "cloud" in kinds and roles.has("rank") and any(p.value == "best" for p in roles.of("rank")):
        yield Measure(PRICES[0])  # the best provider is the cheapest one
    elif "cloud" in kinds or "where" in asks or ("who" in asks and CLOUDS in verbs):
        yield Measure(CLOUDS)
    elif "maker" in kinds or ("who" in asks and verbs):
        yield Measure(verbs[0] if verbs and verbs[0] in (DESIGNER, "foundry") else DESIGNER)
    elif (
        (asks & {"which", "what"} or not (asks or roles.sets_apart))
        and (any(p.kind == "set" for p in sets) or CHIP in kinds)
        and all(domain.is_machine(c.entity) for c in of.entities)
    ):
        yield Measure(COUNTS)
    elif verbs and not valued and not roles.is_yes_no and asks & {"which", "what"}:
        yield Measure(verbs[0])


def _order(roles: Roles, of: Set, what: tuple[Measure, ...]) -> Order | None:
    """Which comes first: of a set that is ranked, of things that are compared."""
    ranks = roles.of("rank", "top")
    if len(of.entities) == 1 and not of.is_open:  # "max power of an L4" ranks nothing, "the cheapest H100" its offers
        priced = any(m.metric in PRICES for m in what)
        ranks = [p for p in ranks if priced or roles.metrics_of(p)]
    if roles.has("relate") and "which" not in roles.asks:
        return None
    ranked = ranks or roles.of("compare")
    if not ranked:
        return None
    value = next((p.value for p in ranked if p.value in _SIDES), "most")
    count = next((p.count for p in ranked if p.count), None)
    figures = [
        p for p in roles.of("figure") if p.figure and p.figure.dimension == "count" and of.is_open and not p.used
    ]
    for figure in figures[:1]:
        figure.used = True
        count = count or int(cast("Quantity", figure.figure).middle)
    every = _RANKED if any(p.kind == "top" for p in ranks) and of.is_open else 1  # "rank all chips"
    return Order(cast("Side", value), count or every)


def _relation(roles: Roles) -> Relation:
    if any(p.value == "thing" for p in roles.of("counted")) and roles.relates("same", "as much"):
        return "count"
    return cast("Relation", next((r for r in _RELATIONS if roles.relates(r)), ""))


def _unaccounted(roles: Roles, query: Query, domain: Domain) -> Iterator[Phrase]:
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
