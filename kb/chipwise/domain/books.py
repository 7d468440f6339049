"""The phrasebooks of a domain: by which wording its entities, terms, metrics and qualifiers are found."""

from __future__ import annotations

from chipwise.domain.catalogue import Catalogue
from chipwise.domain.phrasebook import Phrasebook

BOOKS = ("entities", "terms", "metrics", "asked", "anti", "qualifiers", "settings", "values", "operators")


def build_book(domain: Catalogue, name: str) -> Phrasebook:
    """One of BOOKS."""
    metrics, terms = domain.metrics.values(), domain.terms.values()
    if name == "entities":
        certain = [(n, e.id) for e in domain.entities.values() for n in (e.name, *e.aliases)]
        unsure = [(a.surface, i) for a in domain.ambiguous.values() for i in a.entities if not a.case_sensitive]
        return Phrasebook([*certain, *unsure])
    if name == "terms":
        exact = [(surface, t.id) for t in terms for surface in t.exact]
        return Phrasebook([(n, t.id) for t in terms for n in (t.name, *t.aliases)], exact)
    if name in ("qualifiers", "settings"):
        return _qualifier_book(domain) if name == "qualifiers" else _settings_book(domain)
    if name == "values":
        said = [(words, v.id) for v in domain.values.values() for words in v.words]
        return Phrasebook([*said, *((words, f"!{v.id}") for v in domain.values.values() for words in v.opposite)])
    if name in ("operators", "anti"):
        operators = ((words, o.id) for o in domain.operators.values() for words in o.words)
        return Phrasebook(operators if name == "operators" else ((phrase, m.id) for m in metrics for phrase in m.anti))
    asked = name == "asked"
    return Phrasebook((n, m.id) for m in metrics for n in (m.name, *m.cues, *(m.questions if asked else ())))


def _qualifier_book(domain: Catalogue) -> Phrasebook:
    """Values as "axis=value": those with cues of their own, and the terms of the kinds that an axis takes."""
    values = [q for q in domain.qualifiers.values() if not domain.axes[q.axis].of]
    cues = [(cue, f"{q.axis}={q.id}") for q in values for cue in (*q.cues, *q.exact)]
    exact = [(cue, f"{q.axis}={q.id}") for q in values for cue in q.exact]
    for axis in (a for a in domain.axes.values() if not a.of):
        for term in domain.terms.values():
            if term.kind in axis.terms:
                cues += [(surface, f"{axis.id}={term.id}") for surface in (term.name, *term.aliases)]
                exact += [(surface, f"{axis.id}={term.id}") for surface in term.exact]
    return Phrasebook(cues, exact)


def _settings_book(domain: Catalogue) -> Phrasebook:
    """What runs and offers are told by: values as "axis=value", labels as "axis:"."""
    axes = {a.id: a for a in domain.axes.values() if a.of}
    values = [q for q in domain.qualifiers.values() if q.axis in axes]
    cues = [(cue, f"{q.axis}={q.id}") for q in values for cue in q.cues]
    labels = [(label, f"{a.id}:") for a in axes.values() for label in a.labels]
    return Phrasebook([*cues, *labels], [(cue, f"{q.axis}={q.id}") for q in values for cue in q.exact])


def makers_book(domain: Catalogue) -> Phrasebook:
    """Who designs chips, by their names and by the first words of their products' names."""
    makers = {e.vendor for e in domain.entities.values() if e.vendor}
    first: dict[str, str] = {}
    for e in domain.entities.values():
        if e.vendor and e.kind in ("line", "family", "chip"):
            first.update((name.split()[0].lower(), e.vendor) for name in (e.name, *e.aliases))
    companies = [t.name for t in domain.terms.values() if t.kind == "company" and t.name.lower() in first]
    return Phrasebook([*((m, m) for m in makers), *((name, first[name.lower()]) for name in companies)])
