"""Several things asked of one subject, each looked up by itself.

"memory and bandwidth of the H200"       ->  two metrics
"FP8 and BF16 peak of the B300"          ->  one metric in two number formats
"spot against on-demand price of a v5e"  ->  one price on two terms
"H100 in FP8 against A100 in BF16"       ->  one metric of two products, each in its own format
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from chipwise.asking.kinds import Kind
from chipwise.asking.question import Question, understand
from chipwise.asking.quoting import Told, together
from chipwise.asking.single import looked_up, of_a_whole
from chipwise.domain.model import Domain
from chipwise.domain.names import Names
from chipwise.domain.phrasebook import Mention
from chipwise.figures.phrasing import listed
from chipwise.index.store import Store
from chipwise.text import blanked, words

_AXES = ("dtype", "price_terms", "sparsity", "engine", "direction")  # of which a question may name several values
_MOST = 4  # values
_BOTH = re.compile(
    r"\b(?P<one>with|without) (?:and|or|vs\.?|versus) (?P<other>with|without) (?P<what>(?:2:4 |structured )?\w+)", re.I
)
_JOINTS = frozenset(("and", "or", "vs", "versus", "against", "to", "as", "well", "plus", "both"))


def each_value(question: Question, store: Store, domain: Domain, names: Names) -> Told | None:
    """The figure under each value that the question names on one axis; None where it names at most one."""
    if question.wants_verdict or question.wants_ranking or not question.subjects:
        return None
    each: list[tuple[str, Told | None]] = []
    for name, text in _by_value(question, domain):
        part = understand(text, domain)
        look_up = each_part if part.parts else looked_up
        each.append((name, look_up(part, store, domain, names) if part.subjects == question.subjects else None))
    return _told(each)


def _by_value(question: Question, domain: Domain) -> Iterator[tuple[str, str]]:
    """Each value that is named on the one axis with several, and the question that names it alone."""
    text = _BOTH.sub(r"\g<one> \g<what> and \g<other> \g<what>", question.text)
    mentions = [m for m in domain.find_qualifiers(text) if m.ids[0].partition("=")[0] in _AXES]
    by_axis: dict[str, list[Mention]] = {}
    for mention in mentions:
        by_axis.setdefault(mention.ids[0].partition("=")[0], []).append(mention)
    several = [found for found in by_axis.values() if len({m.ids[0] for m in found}) > 1]
    if len(several) != 1 or len(several[0]) > _MOST:
        return
    values = several[0]
    entities = domain.find_entities(text)
    if any(values[0].start < e.start < values[-1].start for e in entities):
        return  # "the H100 in FP8 against the A100 in BF16"
    start, end = values[0].start, values[-1].end
    joined = set(words(blanked(text, [(m.start, m.end) for m in values])[start:end])) <= _JOINTS
    for mention in values:
        name = text[mention.start : mention.end]
        others = [(m.start, m.end) for m in values if m.ids != mention.ids]
        yield name, f"{text[:start]}{name}{text[end:]}" if joined else blanked(text, others)


def each_part(question: Question, store: Store, domain: Domain, names: Names) -> Told | None:
    """The answers for each metric asked for, one behind the other, and which of them there is none for."""
    states = question.wants_verdict and question.kind is Kind.YES_NO  # all its figures are judged together
    if not question.parts or question.wants_ranking or states:
        return None
    question = of_a_whole(question, domain)
    each: list[tuple[str, Told | None]] = []
    for named, modifier in question.parts:
        metrics = _meant(named, question, domain)
        counted = question.unit and domain.units[question.unit].dimension == domain.metrics[metrics[0]].dimension
        unit = question.unit if counted else ""
        free = tuple(w for w in question.free_words if not _is_unit_asked_for(w, question, domain))
        own = "" if _is_unit_asked_for(modifier, question, domain) else modifier
        part = replace(question, metrics=metrics, modifier=own, parts=(), unit=unit, free_words=free)
        each.append((domain.metrics[metrics[0]].name, looked_up(part, store, domain, names)))
    return _told(each)


def _is_unit_asked_for(word: str, question: Question, domain: Domain) -> bool:
    """True for the "TFLOPS" of "memory, bandwidth and dense BF16 TFLOPS", which is what one of the parts is called."""
    unit = domain.find_unit(word)
    return unit != "" and any(domain.metrics[m].dimension == domain.units[unit].dimension for m in question.metrics)


def each_own(question: Question, store: Store, domain: Domain, names: Names) -> Told | None:
    """The figure of each product under the value named behind it: "the H100 in FP8 against the A100 in BF16"."""
    text = question.text
    products = [m for m in domain.find_entities(text) if any(map(domain.is_chip, m.ids))]
    values = [m for m in domain.find_qualifiers(text) if m.ids[0].partition("=")[0] in _AXES]
    if not 1 < len(products) <= _MOST:
        return None
    ends = [m.start for m in products[1:]] + [len(text)]
    own = [[v for v in values if m.end <= v.start < end] for m, end in zip(products, ends, strict=True)]
    axes = {v.ids[0].partition("=")[0] for v in values}
    different = len({v.ids for each in own for v in each}) > 1
    if len(axes) != 1 or any(len(each) != 1 for each in own) or not different:
        return None
    told: list[Told] = []
    for product, (value,) in zip(products, own, strict=True):
        others = [(m.start, m.end) for m in (*products, *values) if m not in (product, value)]
        part = understand(blanked(text, others), domain)
        found = looked_up(replace(part, kind=Kind.LOOKUP, wants_verdict=False), store, domain, names)
        if found is None or part.subjects != (product.ids,):
            return None
        told.append(found)
    return together(told)


def _told(each: Sequence[tuple[str, Told | None]]) -> Told | None:
    """What was found, one behind the other, and the names of what was not; None where nothing was."""
    told = [found for _, found in each if found is not None]
    missed = [name for name, found in each if found is None]
    if told and missed:
        told.append(Told.of(f"Left out, as no fact simply gives it: {listed(missed)}."))
    return together(told) if told else None


def _meant(named: Sequence[str], question: Question, domain: Domain) -> tuple[str, ...]:
    """What a part asks for, given whose it is: what a machine pulls is no TDP."""
    of_one = [ids[0] for ids in question.subjects if len(ids) == 1]
    whose = [domain.metric_of(m, i) for i in of_one for m in named] or named
    return tuple(dict.fromkeys(m for m in whose if m in question.metrics)) or tuple(named)
