"""Answers that need no passage: the ways to find one, in the order in which they are tried.

Most questions need few of them, and loading all takes longer than answering: each is loaded when its
turn comes, and only for a question that has what it needs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module

from chipwise.asking.disagreeing import find_disagreements, find_rivals, find_unsound, keys_of_facts
from chipwise.asking.disambiguating import read_by_facts
from chipwise.asking.kinds import FIGURE, HOW_MANY, MAKES, PICKS, Kind
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
    ("conversions", "converted", "figure"),  # "141 GB in GiB"
    ("quotedprice", "beside_the_market", "figure"),  # "is $3.10 for an H100 hour a fair price"
    ("sums", "reckon", "ranking"),  # "most TFLOPS per watt", of two figures
    ("cheapest", "cheapest_of_named", "price"),  # "H200 on CoreWeave or AWS"
    ("fitting", "holders", "fit"),  # "which GPUs can hold a 70B model in FP8"
    ("machines", "machines_within", "choice"),  # "which systems have at least 1.5 TB"
    ("filtering", "products_with", "choice"),  # "which GPUs have at least 100 GB"
    ("cheapest", "cheapest_by_terms", "price"),  # "cheapest H100"
    ("ranking", "answer_by_rank", "ranking"),  # "which TPU has the most memory"
    ("matching", "matched", "count"),  # "how many H100 match a GB200 NVL72 in memory"
    ("pricetrends", "prices_apart", "price"),  # "price of an H100 on AWS in 2023"
    ("makers", "maker_of", "maker"),  # "who makes the Gaudi 3"
    # of several metrics ("TFLOPS per watt") the table would give the first
    ("sums", "reckon_each", "sum of metrics"),  # "memory and power of eight H200"
    ("sums", "reckon", "sum of metrics"),
    ("severally", "each_own", "comparison"),  # "H100 in FP8 against A100 in BF16"
    ("single", "looked_up", "subject"),  # a look-up or a comparison, with a yes or no where that is asked for
    ("fitting", "fits", "fit of named"),  # "does a 70B model in FP8 fit on one H100"
    ("sums", "reckon", "sum"),  # "power of eight H100 SXM"
    ("cheapest", "cheapest_of_chips", "price"),  # "cheapest of H100 and H200 on CoreWeave", prices put unlike
    ("premises", "end_denied", "subject"),  # "why did Google stop making TPUs after v5p"
    ("premises", "gain_denied", "term"),  # "when did the MI300X start supporting NVLink"
    ("premises", "lack_denied", "reason"),  # "why did Intel drop the HBM from the Gaudi 3"
    ("premises", "format_denied", "verdict"),  # "is the A100 faster in FP8 than the H100"
    ("premises", "category_asked", "verdict"),  # "does the MI300X have NVLink"
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
    metrics = [domain.metrics[m] for m in question.metrics]
    figure = FIGURE.search(question.text) is not None
    picks = PICKS.search(question.text) is not None
    several = len(metrics) > 1 or len(question.parts) > 1  # "HBM and bandwidth", of which one word may mean both
    sums = (figure or bool(question.subjects)) and not question.wants_ranking
    return {
        "figure": figure,
        "ranking": question.wants_ranking,
        "price": any("provider" in m.qualifiers for m in metrics),
        "derived": bool(question.subjects) and not domain.word_group("derived").isdisjoint(question.words),
        "comparison": len(question.subjects) > 1,
        "choice": picks,
        "fit": picks and figure,
        "fit of named": figure and bool(question.subjects),
        "bounded ranking": picks and figure and question.wants_ranking,
        "count": bool(metrics) and HOW_MANY.search(question.text) is not None,
        "category of one": picks and bool(question.subjects),
        "maker": bool(question.subjects) and (question.wants_verdict or MAKES.search(question.text) is not None),
        "category": bool(metrics and question.subjects) and all(m.dimension == "text" for m in metrics),
        "subject": bool(question.subjects),
        "bare": bool(question.subjects) and not question.metrics and question.kind is Kind.OPEN,
        "metrics": several,
        "sum of metrics": sums and several,
        "sum": sums and not several,
        "term": bool(question.subjects and question.terms),
        "reason": question.kind is Kind.WHY and bool(question.subjects and question.terms),
        "verdict": question.wants_verdict and bool(question.subjects),
    }
