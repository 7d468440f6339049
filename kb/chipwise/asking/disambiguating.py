"""What a question means where its words leave a choice: what there are facts about.

"memory of the GB200"              ->  of its GPU: nothing is known of the superchip's
"power of a rack of GB200"         ->  of the GB200 NVL72, the one rack that is made of it
"how many GPUs has a GB300 NVL72"  ->  its scale-up domain: of the counts of chips the one that is known
"trn1 vs trn2, TFLOPS per chip"    ->  of the chips of these machines
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from chipwise import patterns as re
from chipwise.asking.question import Question
from chipwise.claims.model import Fact
from chipwise.domain.model import Domain
from chipwise.index.store import Store
from chipwise.nouns import CHIP

_PER_CHIP = re.compile(rf"\b(?:per|each|every|one) (?:{CHIP})s?\b", re.I)
_SCOPES = ("node", "rack", "pod")  # of machines, as facts are aggregated


def read_by_facts(question: Question, store: Store, domain: Domain) -> Question:
    """The question with one reading for each name, or with those that facts answer for; as it was where none do."""
    if not question.subjects or question.wants_ranking:
        return question
    subjects = tuple(_readings(ids, question, store, domain) for ids in question.subjects)
    if len(subjects) > 1 and _PER_CHIP.search(question.text) and _are_properties(question.metrics, domain):
        subjects = tuple(_chips_in(ids, domain) for ids in subjects)
    if len(subjects) == 1 and _counts_chips(question, domain) and _are_machines(subjects[0], domain):
        return _read_count(replace(question, subjects=subjects), store, domain)
    metrics, ids = question.metrics, [i for readings in subjects for i in readings]
    if len(subjects) == 1 or _are_machines(ids, domain):
        metrics = _outside_names(metrics, question, domain)
        metrics = tuple(dict.fromkeys(domain.metric_of(m, i) for m in metrics for i in ids))
        metrics = _one_of_a_name(metrics, question, ids, store, domain)
    return replace(question, subjects=subjects, metrics=metrics)


def _are_properties(metrics: Sequence[str], domain: Domain) -> bool:
    return bool(metrics) and all(domain.metrics[m].scales and domain.metrics[m].nature == "specified" for m in metrics)


def _chips_in(ids: tuple[str, ...], domain: Domain) -> tuple[str, ...]:
    """The chips of machines; of what holds none that is known the machine itself."""
    return tuple(dict.fromkeys((domain.nearest_chip(i) if domain.holds_several(i) else "") or i for i in ids))


def _readings(ids: tuple[str, ...], question: Question, store: Store, domain: Domain) -> tuple[str, ...]:
    """Of what a name may be, those that have facts of their own; the machine made of it where the question speaks of one."""
    scopes = {m.ids[0].partition("=")[2] for m in domain.find_qualifiers(question.text) if "aggregation=" in m.ids[0]}
    made = [e.id for e in domain.entities.values() if domain.is_machine(e.id) and e.parent in ids]
    if scopes.intersection(_SCOPES) and made and not _are_machines(ids[1:] or ids, domain):
        found = _own(made, question.metrics, store, domain)
        fitting = tuple(dict.fromkeys(f.claim.subject for f in found if f.claim.qualifier("aggregation") in scopes))
        return fitting if len(fitting) == 1 else ids
    if len(ids) == 1:
        return ids
    known = {f.claim.subject for f in _own(ids, question.metrics, store, domain)}
    if not known and all(
        domain.metrics[m].dimension == "text" for m in question.metrics
    ):  # who offers an NVL72 offers its chips
        known = {f.claim.subject for f in _own(made, question.metrics, store, domain)}
        return tuple(i for i in made if i in known) or ids
    return tuple(i for i in ids if i in known) or ids


def _own(subjects: Iterable[str], metrics: Sequence[str], store: Store, domain: Domain) -> list[Fact]:
    """The preferred facts of just these, each by the metric that goes by the same word for it."""
    found = []
    for subject in subjects:
        wanted = [domain.metric_of(m, subject) for m in metrics]
        found += [f for f in store.facts([subject], wanted) if f.rank == "preferred"]
    return found


def _are_machines(ids: Sequence[str], domain: Domain) -> bool:
    return all(domain.holds_several(i) for i in ids)


def _counts_chips(question: Question, domain: Domain) -> bool:
    """True for a question for a number of chips, or for no metric at all: "GPUs in ten racks"."""
    if question.unit:
        return domain.units[question.unit].of == "chips"
    return not question.metrics


def _read_count(question: Question, store: Store, domain: Domain) -> Question:
    """The count of chips that is known of a machine; of several machines with as many the first."""
    readings = question.subjects[0]
    counts = [m.id for m in domain.metrics.values() if m.dimension == "count" and m.unit == "chips"]
    known = [
        f
        for f in _own(readings, counts, store, domain)
        if f.claim.quantity is not None and f.claim.quantity.low == domain.entities[f.claim.subject].chips
    ]
    if not known or len({domain.entities[i].chips for i in readings}) > 1:
        return question
    first = known[0].claim
    if not question.unit:
        return replace(question, subjects=((first.subject,),))
    return replace(question, subjects=((first.subject,),), metrics=(first.metric,), unit=known[0].unit)


def _outside_names(metrics: tuple[str, ...], question: Question, domain: Domain) -> tuple[str, ...]:
    """Without what only a name says, where a metric is named beside it: the memory of a "v5p pod" is no pod size."""
    names = domain.find_entities(question.text)
    mentions = domain.find_metrics_asked(question.text)
    within = [m for m in mentions if any(n.start <= m.start and m.end <= n.end for n in names)]
    said = {i for m in mentions if m not in within for i in m.ids}
    only_named = {i for m in within for i in m.ids} - said
    return tuple(m for m in metrics if m not in only_named) or metrics


def _one_of_a_name(
    metrics: tuple[str, ...], question: Question, subjects: Sequence[str], store: Store, domain: Domain
) -> tuple[str, ...]:
    """Of metrics that go by one word ("cost") the first that there are facts of."""
    mentions = domain.find_metrics_asked(question.text)
    together = any(set(metrics) <= set(m.ids) for m in mentions)
    each = set(metrics) <= {i for m in mentions if len(m.ids) == 1 for i in m.ids}  # "when announced and when released"
    if len(metrics) < 2 or not together or each:  # noqa: PLR2004
        return metrics
    known = {f.claim.metric for f in _own(subjects, metrics, store, domain)}
    return tuple(m for m in metrics if m in known)[:1] or metrics
