"""Why passages give no answer: what is missing, and what is known instead."""

from __future__ import annotations

import re
from collections.abc import Sequence

from chipwise.answering.question import Kind, Question
from chipwise.answering.windows import Window
from chipwise.domain.model import Domain
from chipwise.domain.records import Term
from chipwise.figures.phrasing import listed
from chipwise.index.store import Store
from chipwise.text import words

EMPTY = "the knowledge base holds nothing that could be searched"
_NAMED = (
    "model",
    "benchmark",
    "technique",
    "library",
    "framework",
)  # kinds of terms that are names, of which another one is no answer
_MOST_NAMED = 2  # metrics that a refusal names of those that one word may mean


def beyond_sources(question: Question, store: Store, domain: Domain) -> str:
    """Why no passage needs to be looked at; empty when one may answer."""
    strange = _strange(question, store)
    if question.metrics and not question.subjects:  # a figure of something that nothing here names
        strange = unknown_names(question, store, domain)
    if strange and (question.kind in (Kind.LOOKUP, Kind.DEFINITION) or question.metrics or question.unit):
        return f"no source mentions {listed(strange)}"
    if question.wants_opinion:
        return "it asks for an opinion, about shares or about people, and the sources here are on hardware"
    if not question.wants_ranking or not question.metrics:
        return ""
    return "it asks to rank a whole line of chips; name the ones to compare"


def unknown_names(question: Question, store: Store, domain: Domain) -> list[str]:
    """Names and years in the question that occur in no passage, as they were written."""
    written = {w.lower(): w for w in re.findall(r"[^\W_]+", question.text)}
    found = store.document_frequencies((*question.names, *question.years))
    strange = _strange(question, store)
    said = {word for name in strange for word in words(name)}
    missing = (
        written.get(name, name)
        for name, count in found.items()
        if not count and name not in said and not name[0].isdigit()
    )
    named = (domain.terms[t] for t in question.terms)
    absent = [term.name for term in named if term.kind in _NAMED and _is_absent(term, store)]
    return [*strange, *absent, *missing]


def _strange(question: Question, store: Store) -> list[str]:
    return [name for name in question.unknown if not store.match([name], 1)]


def _is_absent(term: Term, store: Store) -> bool:
    """True for a name that the domain knows and no passage has, under whichever of its aliases."""
    return not any(store.match([name], 1) for name in (term.name, *term.aliases))


def reason(question: Question, windows: Sequence[Window], store: Store, domain: Domain) -> str:
    """What no source says, and what is known instead."""
    strange = unknown_names(question, store, domain)
    if strange:
        return f"no source mentions {listed(strange)}"
    if not windows:
        return EMPTY
    if known := _known(question, store, domain):
        return f"nothing here answers that as it is asked, but {known}"
    return _missing(question, domain)


def _known(question: Question, store: Store, domain: Domain) -> str:
    """What the facts hold on the products and metrics that a question names, and where they are shown; "" where they hold none."""
    subjects, metrics = [ids[0] for ids in question.subjects], question.metrics[:_MOST_NAMED]
    held = {(f.claim.subject, f.claim.metric) for f in store.facts(subjects, metrics) if f.rank == "preferred"}
    found = next(((s, m) for s in subjects for m in metrics if (s, m) in held), None)
    if found is None:
        return ""
    subject, metric = domain.entities[found[0]].name, domain.metrics[found[1]].name
    return f'the {metric} of {subject} is known: `chipwise facts "{subject} {metric}"`'


def _missing(question: Question, domain: Domain) -> str:
    whose = [domain.entities[ids[0]].name for ids in question.subjects]
    terms = [domain.terms[t].name for t in question.terms]
    metrics = [domain.metrics[m].name for m in question.metrics[:_MOST_NAMED]]
    if question.unit and domain.units[question.unit].dimension == "count":
        metrics = [f"the number of {question.unit}"]
    if metrics:
        wanted = " or ".join(n if n.startswith(("what ", "who ", "the ")) else f"the {n}" for n in metrics)
        of = f" of {listed(whose or terms)}" if whose or terms else ""
        under = f" ({listed(terms)})" if whose and terms else ""
        return f"no source gives {wanted}{of}{under}"
    if whose or terms:
        return f"nothing here surely answers that about {listed([*whose, *terms])}"
    return "nothing here surely answers that"
