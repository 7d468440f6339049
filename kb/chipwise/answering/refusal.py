"""Why passages give no answer: what is missing, and what is known instead."""

from __future__ import annotations

import re
from collections.abc import Sequence

from chipwise.answering.disagreeing import kin_of
from chipwise.answering.query import Kind, Query
from chipwise.answering.windows import Window
from chipwise.domain.model import Domain
from chipwise.figures.format import listed
from chipwise.figures.llms import find_in
from chipwise.index.store import Store
from chipwise.text import blanked, words

# kinds of terms that are names, of which another one is no answer
_NAMED = ("model", "benchmark", "technique", "library", "framework")


def unknown_names(question: Query, store: Store, domain: Domain) -> list[str]:
    """Names and years in the question that occur in no passage, as they were written; not a model whose shape is known."""
    model = find_in(question.text)
    text = blanked(question.text, [model[1]]) if model is not None else question.text
    written = {w.lower(): w for w in re.findall(r"[^\W_]+", text)}
    found = store.document_frequencies((*question.names, *question.years))
    strange = [name for name in question.unknown if not store.match([name], 1)]
    said = {word for name in strange for word in words(name)}
    missing = (
        written.get(name, name)
        for name, count in found.items()
        if not count and name not in said and not name[0].isdigit() and (model is None or name in written)
    )
    kinds = _NAMED if model is None else _NAMED[1:]  # without models
    named = [term for t in question.terms if (term := domain.terms[t]).kind in kinds]
    absent = [t.name for t in named if not any(store.match([name], 1) for name in (t.name, *t.aliases))]
    return [*strange, *absent, *missing]


def reason(question: Query, windows: Sequence[Window], store: Store, domain: Domain) -> str:
    """What no source says."""
    if question.wants_opinion:
        return "it asks about opinions, stocks or people, and the sources here are about hardware"
    found = store.document_frequencies(question.words)
    unheard = [word for word, count in found.items() if not count]
    mostly = not (question.subjects or question.terms) and 2 * len(unheard) > len(found) > 1
    strange = unknown_names(question, store, domain) or (unheard if mostly else [])
    if strange:
        return f"no source mentions {listed(strange)}"
    if not windows:
        return "the knowledge base has nothing to search"
    things = [domain.entities[i].name for i, *_ in question.subjects]
    about = listed(things or [domain.terms[t].name for t in question.terms])
    metrics = [domain.metrics[m].name for m in question.metrics[:2]]  # of those that one word may mean
    asked = (kin_of(question.subjects, domain), question.metrics)
    # a figure that a source gives is there, whatever else is asked of it
    if metrics and question.kind is Kind.LOOKUP and not (store.claims_about(*asked) or store.facts(*asked)):
        return f"no source gives the {' or the '.join(metrics)}" + (f" of {about}" if about else "")
    return "nothing here clearly answers that" + (f" about {about}" if about else "")
