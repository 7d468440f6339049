"""A cited answer out of passages, or a refusal with its reason.

Nothing is generated: an answer is sentences of the sources, chosen by what the
question asks about, each with its citation. The steps, in order:

    refuse     a name that no source mentions
    rate       the sentences of the best passages
    refuse     nothing about that subject, no figure for that metric, nothing close
    choose     one sentence for each thing compared; figures that differ, side by side
    compose
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

from chipwise.asking.candidates import LOOSE_DIMENSIONS, Candidate
from chipwise.asking.choosing import MAX_SENTENCES, choose, gives_it, says_none_of, wants_figure
from chipwise.asking.composing import compare, compose, differing
from chipwise.asking.disagreeing import find_disagreements, find_unsound, keys_of_figures
from chipwise.asking.kinds import FIGURE, SETS_AGAINST, Kind
from chipwise.asking.pertinence import (
    COINED,
    coined_names,
    counted_thing,
    had,
    to_the_point,
)
from chipwise.asking.question import Question
from chipwise.asking.quoting import Cited
from chipwise.asking.rating import rate
from chipwise.asking.rendering import Draft
from chipwise.asking.searching import Hit, search
from chipwise.asking.setaside import set_back
from chipwise.asking.training import of_its_training, trained_models
from chipwise.domain.model import Domain
from chipwise.domain.records import Term
from chipwise.figures.phrasing import listed
from chipwise.index.store import Store
from chipwise.index.vectors import Vector
from chipwise.text import words
from chipwise.types import Finding

PASSAGES = 30  # read for an answer; the best sentence is hardly ever in a later one
_NAMED = (
    "model",
    "benchmark",
    "technique",
    "library",
    "framework",
)  # kinds of terms that are names, of which another one is no answer
_MOST_NAMED = 2  # metrics that a refusal names of those that one word may mean
_NOT_CLOSE = "no passage comes close enough to the question"
# "can you write me a CUDA kernel", "draft an email to my boss"
_WANTS_WORK = re.compile(
    r"^(?:please )?(?:(?:can|could|will|would) you (?:please )?)?(?:write|code|compose|draft|translate|implement|draw|paint|sing|book|email|remind)"
    r"\s(?:me|us|my|our|an?|some)\b",
    re.I,
)
_EMPTY = "the knowledge base holds nothing that could be searched"
MIN_CLOSENESS = 0.85  # the share of the question that the best sentence meets, plus the highest cosine


def answer(
    question: Question,
    vector: Vector,
    store: Store,
    index: Any,
    domain: Domain,
    *,
    count: int = PASSAGES,
    told: Collection[str] = (),
) -> Draft:
    """The answer to `question`, whose vector is `vector`, from the `count` best passages, less sentences that were `told`."""
    beyond = _beyond_sources(question, store, domain)
    if beyond:
        return Draft(question.text, reason=beyond)
    hits = _find_passages(question, vector, store, index, domain, count)
    rated = rate(question, vector, hits, store, domain)
    on_what = of_its_training(question, rated, domain)
    if on_what is not question:
        question, rated = on_what, rate(on_what, vector, hits, store, domain)
    candidates = set_back(question, rated, store, domain)
    candidates = to_the_point(question, candidates, domain)
    consulted = tuple(dict.fromkeys(hit.stored.passage.source for hit in hits))
    reason = _reason_to_refuse(question, hits, candidates, domain)
    if reason:
        return Draft(question.text, reason=reason, consulted=consulted)
    chosen = choose(question, candidates, domain)
    chosen = [c for c in chosen if c.text not in told] or chosen
    if not chosen:
        return Draft(question.text, reason=_NOT_CLOSE, consulted=consulted)
    unsaid = (
        says_none_of(question, chosen, domain) if wants_figure(question, domain) or _is_of_one(question, domain) else []
    )
    if unsaid:
        reason = f"no passage on {_whose(question, domain) or 'it'} that comes close speaks of {listed(unsaid)}"
        return Draft(question.text, reason=reason, consulted=consulted)
    found = compose(chosen, store)
    if question.kind is Kind.COMPARISON:
        found = found.led(compare(question, chosen, domain))
    against = _disagreements(chosen, found.cited, store, domain)
    return Draft(question.text, found, consulted=consulted, disagreements=against)


def _is_of_one(question: Question, domain: Domain) -> bool:
    """True for a question about one product that asks for something without a metric: "how many slots has the H200 NVL"."""
    one = len(question.subjects) == 1 and not any(domain.is_many(i) for i in question.subjects[0])
    if (
        question.kind is Kind.LOOKUP
        and question.metrics
        and all(domain.metrics[m].dimension == "text" for m in question.metrics)
    ):
        return bool(question.subjects)
    return one and not question.metrics and question.kind in (Kind.LOOKUP, Kind.OPEN, Kind.LIST, Kind.DEFINITION)


def _disagreements(
    chosen: Sequence[Candidate], quoted: Sequence[Cited], store: Store, domain: Domain
) -> tuple[Finding, ...]:
    """What contradicts the figures quoted, else how those part from each other."""
    figures = [figure for candidate in chosen for figure in candidate.figures.values()]
    cited = [each.evidence for each in quoted]
    found = find_disagreements(store, domain, keys_of_figures(domain, figures), cited)
    return (*(found or differing(chosen, quoted, store, domain)), *find_unsound(store, domain, cited))


def _find_passages(
    question: Question, vector: Vector, store: Store, index: Any, domain: Domain, count: int
) -> list[Hit]:
    """The passages to read. Of several things compared each is searched by itself too, lest the loudest fill the list."""
    named = [word for word in question.words if word not in question.free_words]
    hits = search(store, index, question.text, vector, count, stressed=named)
    if question.kind is not Kind.COMPARISON:
        return hits
    found = {hit.stored.row: hit for hit in hits}
    for ids in question.subjects[:MAX_SENTENCES]:
        name = domain.entities[ids[0]].name
        text = " ".join((name, *(domain.metrics[m].name for m in question.metrics[:1])))
        for hit in search(store, index, text, vector, count // 2, stressed=words(name)):
            found.setdefault(hit.stored.row, hit)
    return list(found.values())


def _beyond_sources(question: Question, store: Store, domain: Domain) -> str:
    """Why no passage needs to be looked at; empty when one may answer."""
    if _WANTS_WORK.match(question.text):
        return "it asks for something to be written or done, and only questions are answered here"
    unknown = _unknown_names(question, store, domain)
    if unknown:
        return f"no source mentions {listed(unknown)}"
    if question.wants_opinion:
        return "it asks for an opinion, about shares or about people, and the sources here are on hardware"
    if not question.wants_ranking or not question.metrics:
        return ""
    whole = "it asks to rank a whole line of chips; name the ones to compare"
    from chipwise.asking.ranking import nothing_to_rank  # noqa: PLC0415

    return nothing_to_rank(question, store, domain) or whole


def _unknown_names(question: Question, store: Store, domain: Domain) -> list[str]:
    """Names and years in the question that occur in no passage, as they were written."""
    written = {w.lower(): w for w in re.findall(r"[^\W_]+", question.text)}
    found = store.document_frequencies((*question.names, *question.years))
    strange = [name for name in question.siblings if not store.match([name], 1)]
    said = {word for name in strange for word in words(name)}
    missing = (written.get(name, name) for name, count in found.items() if not count and name not in said)
    named = (domain.terms[t] for t in question.terms)
    absent = [term.name for term in named if term.kind in _NAMED and _is_absent(term, store)]
    return [*question.generations, *strange, *absent, *missing]


def _is_absent(term: Term, store: Store) -> bool:
    """True for a name that the domain knows and no passage has, under whichever of its aliases."""
    return not any(store.match([name], 1) for name in (term.name, *term.aliases))


def _reason_to_refuse(question: Question, hits: Sequence[Hit], candidates: Sequence[Candidate], domain: Domain) -> str:
    """Why there is no answer; empty when there is one."""
    if not candidates:
        return _nothing_on_it(question, hits, domain)
    missed = [ids for n, ids in enumerate(question.subjects) if not any(n in c.about for c in candidates)]
    specific = [domain.entities[ids[0]].name for ids in missed if not domain.is_many(ids[0])]
    if specific and question.metrics and any(domain.terms[t].kind == "price_term" for t in question.terms):
        return _lacking(question, domain)  # there are other prices of it
    if specific:
        return f"no source says anything on this about {listed(specific)}"
    if wants_figure(question, domain):
        given = any(gives_it(question, c, domain) for c in candidates)
        return "" if given else _lacking(question, domain)
    if _lacks_any(question, candidates, domain) or _lacks_each(question, candidates, domain):
        return _lacking(question, domain)
    closest = max(*(candidate.cosine for candidate in candidates), *(hit.cosine for hit in hits))
    close = candidates[0].coverage + closest >= MIN_CLOSENESS
    return "" if close else _NOT_CLOSE


def _lacks_each(question: Question, candidates: Sequence[Candidate], domain: Domain) -> bool:
    """True where one figure of several things is asked for, nothing sets them against each other, and no sentence gives any."""
    metric = domain.metrics[question.metrics[0]] if question.metrics else None
    if metric is None or metric.nature != "specified" or metric.dimension in ("text", "date"):
        return False
    if question.kind is not Kind.COMPARISON or SETS_AGAINST.search(question.text):
        return False
    formats = {t for t in question.terms if domain.terms[t].kind == "precision"}
    told = (c for c in candidates if formats <= set(c.sentence.terms))
    return not any(f.metric in question.metrics for c in told for f in c.figures.values())


def _nothing_on_it(question: Question, hits: Sequence[Hit], domain: Domain) -> str:
    """Why no sentence could answer: no source counts it, names it, or has the figure."""
    named = [domain.terms[t].name for t in had(question, domain)]
    named += [name for name in COINED.findall(question.text) if name.lower() in coined_names(question)]
    whose = _whose(replace(question, terms=()), domain)
    trained = trained_models(question, domain)
    if trained:
        return f"no source says what {listed([domain.terms[t].name for t in trained])} was trained on"
    counted = counted_thing(question, domain)
    if counted:
        return f"no source gives the number of {counted}{f' of {whose}' if whose else ''}"
    if named:
        return f"no source says anything on this about {listed(named)}{f' and {whose}' if whose else ''}"
    return _lacking(question, domain) if hits and question.metrics else _EMPTY


def _lacking(question: Question, domain: Domain) -> str:
    counts = bool(question.unit) and domain.units[question.unit].dimension == "count"
    if counts and FIGURE.search(question.text):  # a sum, and not that nobody knows how many chips there are
        return "no source tells that, and it is no sum that is known here"
    whose = _whose(question, domain)
    clouds = [domain.terms[t].name for t in question.terms if domain.terms[t].kind == "cloud"]
    where = f" at {' or '.join(clouds)}" if clouds and question.subjects else ""
    terms = [domain.terms[t].name for t in question.terms if domain.terms[t].kind == "price_term"]
    on = f" ({listed(terms)})" if terms and question.subjects else ""
    return f"no source gives {_wanted(question, domain)}{f' of {whose}' if whose else ''}{where}{on}"


def _whose(question: Question, domain: Domain) -> str:
    subjects = [domain.entities[ids[0]].name for ids in question.subjects]
    # "in FP8" says how, and not whose
    return listed(subjects or [domain.terms[t].name for t in question.terms if domain.terms[t].kind != "precision"])


def _wanted(question: Question, domain: Domain) -> str:
    metric = domain.metrics[question.metrics[0]] if question.metrics else None
    counts = bool(question.unit) and domain.units[question.unit].dimension == "count"
    if metric is None or (counts and metric.dimension != "count"):
        return f"the number of {question.unit}"
    formats = [domain.terms[t].name for t in question.terms if domain.terms[t].kind == "precision"]
    said = f" in {listed(formats)}" if formats and "dtype" in metric.qualifiers else ""
    named = question.parts or ((question.metrics[:_MOST_NAMED], ""),)
    names = [domain.metrics[m].name for ids, _ in named for m in ids[:_MOST_NAMED]]
    return " or ".join(n if n.startswith(("what ", "who ")) else f"the {n}" for n in names) + said


def _lacks_any(question: Question, candidates: Sequence[Candidate], domain: Domain) -> bool:
    """True when a number in some unit is wanted and nothing found states one in that dimension."""
    dimensions = {domain.metrics[m].dimension for m in question.metrics}
    if question.unit:
        dimensions.add(domain.units[question.unit].dimension)
    asks = question.kind in (Kind.LOOKUP, Kind.OPEN, Kind.LIST) and question.wants_number
    if not asks or not dimensions or dimensions & LOOSE_DIMENSIONS:
        return False
    about = (c for c in candidates if len(c.about) == len(question.subjects))
    return not any(f.quantity.dimension in dimensions for c in about for f in c.sentence.figures)
