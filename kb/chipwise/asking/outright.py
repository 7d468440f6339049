"""Answers that need no passage: the ways to find one, in the order in which they are tried.

Most questions need few of them, and loading all takes longer than answering: each is loaded when its
turn comes, and only for a question that has what it needs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module

from chipwise.asking.disagreeing import find_disagreements, find_rivals, find_unsound, keys_of_facts
from chipwise.asking.disambiguating import read_by_facts
from chipwise.asking.kinds import FIGURE
from chipwise.asking.question import Question
from chipwise.asking.quoting import Told
from chipwise.asking.rendering import Draft
from chipwise.claims.model import Fact
from chipwise.domain.model import Domain
from chipwise.domain.names import Names
from chipwise.index.store import Store
from chipwise.types import Evidence, Finding

Way = Callable[[Question, Store, Domain, Names], Told | None]

# module of `asking`, function, what it needs
WAYS = (
    ("sums", "reckon", "derived"),  # "ridge point of the MI355X in BF16 and in FP8"
    ("sums", "reckon", "ranking"),  # "most TFLOPS per watt", of two figures
    # of several metrics ("TFLOPS per watt") the table would give the first
    ("sums", "reckon_each", "sum of metrics"),  # "memory and power of eight H200"
    ("sums", "reckon", "sum of metrics"),
    ("fitting", "fits", "fit of named"),  # "does a 70B model in FP8 fit on one H100"
    ("sums", "reckon", "sum"),  # "power of eight H100 SXM"
)


def answer_outright(question: Question, store: Store, domain: Domain, names: Names) -> Draft | None:
    """The answer that facts give without reading passages, where every slot of the question is filled."""
    question = read_by_facts(question, store, domain)
    found = answer_from_facts(question, store, domain, names)
    if found is None:
        return None
    cited = [c.evidence for c in found.cited]
    sources = tuple(dict.fromkeys(evidence.source for evidence in cited))
    against = find_rivals(store, domain, found.facts)
    against = against or find_disagreements(store, domain, keys_of_facts(domain, found.facts), cited)
    unsound = _unsound(store, domain, found.facts, cited)
    return Draft(question.text, found, consulted=sources, disagreements=(*against, *unsound))


def _unsound(store: Store, domain: Domain, facts: Sequence[Fact], cited: Sequence[Evidence]) -> tuple[Finding, ...]:
    """What is wrong with the quotes of facts, were it not for chips' properties: those are looked up, and fast."""
    properties = all(
        f.claim.metric in domain.metrics and domain.metrics[f.claim.metric].nature == "specified" for f in facts
    )
    return () if properties else find_unsound(store, domain, cited)


def answer_from_facts(question: Question, store: Store, domain: Domain, names: Names) -> Told | None:
    """What the first way that takes the question has to tell; None where passages have to be read."""
    has = _needs_met(question, domain)
    ways = (way_of(module, name) for module, name, need in WAYS if has[need])
    return next(filter(None, (way(question, store, domain, names) for way in ways)), None)


def way_of(module: str, name: str) -> Way:
    """The function of that name, its module loaded now."""
    way: Way = getattr(import_module(f"chipwise.asking.{module}"), name)
    return way


def _needs_met(question: Question, domain: Domain) -> Mapping[str, bool]:
    """What ways may need, and whether the question has it: a first look, which leaves the last word to them."""
    figure = FIGURE.search(question.text) is not None
    several = len(question.metrics) > 1 or len(question.parts) > 1  # "HBM and bandwidth", of which one word may mean both
    sums = (figure or bool(question.subjects)) and not question.wants_ranking
    return {
        "ranking": question.wants_ranking,
        "derived": bool(question.subjects) and not domain.word_group("derived").isdisjoint(question.words),
        "fit of named": figure and bool(question.subjects),
        "sum of metrics": sums and several,
        "sum": sums and not several,
    }
