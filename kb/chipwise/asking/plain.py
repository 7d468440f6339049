"""Whether names, one metric and qualifiers are all that a question says, and which qualifiers those are.

"memory of the H200 in HBM3e"          ->  plain, memory_kind=hbm3e
"memory of the H200 with MIG enabled"  ->  not plain: "MIG" may change what is asked
"""

from __future__ import annotations

import math

from chipwise import patterns as re
from chipwise.asking.kinds import RANKED, Kind
from chipwise.asking.question import Question
from chipwise.domain.degrees import ranks
from chipwise.domain.model import Domain
from chipwise.domain.records import Metric
from chipwise.text import blanked, words

_KINDS = (Kind.LOOKUP, Kind.OPEN, Kind.COMPARISON, Kind.LIST)
_ALWAYS_SAID = (
    "dtype",
    "sparsity",
    "engine",
    "direction",
    "price_terms",
    "provider",
)  # no metric is called by these alone
_PACE = frozenset(("performance", "throughput"))  # in one number format it is the peak that is meant
_LIMITS = frozenset(("max", "maximum"))
_COUNTED_BEFORE = re.compile(r"\b(?:how many|number of)(?: \w+)?\s+$", re.I)
_OF_ALL = re.compile(r"\b(?:of|among|amongst|across) (?:them )?all\b", re.I)
_MANY = re.compile(r"\b(?:\d+\s?x|node|server|rack|pod|slice|cluster|instance|total|all)\b", re.I)


def is_plain(question: Question, domain: Domain, *, priced: bool = False) -> bool:
    """True when names, one metric and qualifiers are all that the question says; of a `priced` thing also who trades it."""
    # "how much memory for Llama 3" asks for what a model needs; what chips compared "for inference" have is the same
    work = ("model", "benchmark", "technique", *(["workload"] if len(question.subjects) < 2 else []))  # noqa: PLR2004
    works = any(domain.terms[t].kind in work for t in question.terms)
    known = question.kind in _KINDS and question.metrics and question.subjects and not question.years and not works
    several = len(question.subjects) > 1 and any(len(ids) != 1 for ids in question.subjects)
    if not known or several or _speaks_of_many(question, domain):
        return False
    metric = domain.metrics[question.metrics[0]]
    ranking = ranks(metric.bigger_is) | _LIMITS
    named = {w for m in domain.find_entities(question.text) for w in words(question.text[m.start : m.end])}
    qualified = {
        w for m in domain.find_qualifiers(question.text) for w in question.text[m.start : m.end].lower().split()
    }
    if question.modifier and question.modifier not in named | ranking | qualified | domain.change_nothing(
        "behind a name"
    ):
        return False
    lines = all(domain.is_many(ids[0]) for ids in question.subjects)
    if lines != question.wants_ranking or (len(question.subjects) > 1 and question.kind is not Kind.COMPARISON):
        return False
    counts = bool(question.unit) and domain.units[question.unit].dimension == "count"
    if (counts or _counts_machines(question, domain)) and metric.dimension != "count":
        return False  # "how many HBM stacks" is not answered by their bytes
    neutral = ranking | domain.change_nothing(
        "look-up", *(["price"] if priced else []), *(["date"] if metric.dimension == "date" else [])
    )
    neutral |= _PACE if "dtype" in stated(question, domain) else frozenset()
    own = {w for said in (metric.name, *metric.dated) for w in words(said.replace("/", " "))}
    rest = {w for w in question.free_words if w not in neutral | qualified | own and not _is_unit_of(w, metric, domain)}
    ranks_text = question.wants_ranking and metric.dimension == "text"
    return metric.dimension != "ratio" and not ranks_text and metric.nature != "measured" and not rest


def _counts_machines(question: Question, domain: Domain) -> bool:
    """True for "how many NVL72 racks can we power", which is not answered by what one draws."""
    machines = (m for m in domain.find_entities(question.text) if any(map(domain.holds_several, m.ids)))
    return any(_COUNTED_BEFORE.search(question.text[: m.start]) for m in machines)


def _is_unit_of(word: str, metric: Metric, domain: Domain) -> bool:
    """True for a unit that the metric's differs from by powers of ten, "kW" for W: GiB for GB would be another number."""
    unit, own = domain.units.get(domain.find_unit(word)), domain.units.get(metric.unit)
    if unit is None or own is None or unit.dimension != own.dimension:
        return False
    return math.log10(unit.scale / own.scale).is_integer()


def _speaks_of_many(question: Question, domain: Domain) -> bool:
    """True for a figure of several chips; a metric or a machine that is called by it, as "pod size" is, says nothing of that."""
    asked = domain.metrics[question.metrics[0]]
    name = asked.name
    called = len(question.metrics) == 1 and _MANY.search(name)
    spans = [(m.start, m.end) for m in domain.find_metrics_asked(question.text)] if called else []
    spans += [m.span() for m in re.finditer(re.escape(name), question.text, re.I)] if called else []
    # "how many are in one node": of what holds them it is asked
    spans += [m.span() for h in asked.holders for m in re.finditer(rf"\b{re.escape(h)}s?\b", question.text, re.I)]
    machines = {i for ids in question.subjects for i in ids if domain.is_machine(i)}
    spans += [(m.start, m.end) for m in domain.find_entities(question.text) if machines.intersection(m.ids)]
    if machines:  # "a rack of GB300" is one that was found by the word
        spans += [(m.start, m.end) for m in domain.find_qualifiers(question.text) if "aggregation=" in m.ids[0]]
    if question.wants_ranking:
        spans += [m.span() for p in (RANKED, _OF_ALL) for m in p.finditer(question.text)]  # "rank all chips"
    text = blanked(question.text, spans)
    return _MANY.search(text) is not None


def stated(question: Question, domain: Domain) -> dict[str, str]:
    """The qualifiers that the question names: "in FP8", "with sparsity", "on demand"."""
    metric = domain.find_metrics_asked(question.text)
    # "TDP" and "HBM bandwidth" name a metric, and state no basis and no kind of memory
    asked = domain.metrics[question.metrics[0]]
    # "how many are in one node" names with the node what is asked for
    axes = set(asked.qualifiers) - {"as_of"} - ({"aggregation"} if asked.holders else set())
    found: dict[str, str] = {}
    entities = domain.find_entities(question.text)
    for m in domain.find_qualifiers(question.text):
        if any(e.start <= m.start and m.end <= e.end for e in entities):
            continue  # the SXM of "H100 SXM" asks nothing of the H200
        axis, _, value = m.ids[0].partition("=")
        if axis == "form_factor" and len(question.subjects) > 1:
            continue  # it names one of the products compared
        named = axis not in _ALWAYS_SAID and any(m.start < n.end and n.start < m.end for n in metric)
        if axis in axes and not named:
            found[axis] = value
    return found
