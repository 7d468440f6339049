"""What is known of a chip that no number says: its clouds, frameworks, links, number formats, cooling.

    "Which clouds offer the MI300X?"  ->  "AMD MI300X: cloud availability: Vultr [1], Azure [2] and TensorWave [3]."

A chip has what is said of its line, too; what another source says otherwise is no answer here.
"""

from __future__ import annotations

from collections.abc import Sequence

from chipwise.asking.excluding import is_shut_out, without_them
from chipwise.asking.kinds import Kind
from chipwise.asking.plain import stated
from chipwise.asking.question import Question, understand
from chipwise.asking.quoting import Told, cite
from chipwise.claims.model import Fact
from chipwise.domain.model import Domain
from chipwise.domain.names import Names
from chipwise.figures.phrasing import in_words, listed, value_text
from chipwise.figures.variants import covered
from chipwise.index.store import Store
from chipwise.text import content_words, words

MOST = 12  # values shown
_SUBJECTS = 3  # beside each other
_KINDS = (Kind.LOOKUP, Kind.OPEN, Kind.LIST)
_NONE = "no "  # a fact that denies: "no FP8"


def categories_of(question: Question, store: Store, domain: Domain, names: Names) -> Told | None:
    """All values of the one category that a question asks for, each with its citation; None where it asks for more."""
    # of what "runs on" may mean besides, the first is meant
    metrics = question.metrics[:1]
    all_text = bool(metrics) and all(domain.metrics[m].dimension == "text" for m in question.metrics)
    out = [m for m in domain.find_terms(question.text) if is_shut_out(question.text, m)]
    if out:
        question = understand(without_them(question.text, out), domain)
    if not all_text or question.parts or not _is_plain(question, metrics[0], domain):
        return None
    # "Trainium" is the line, although the first chip of it is called so, too
    subject = next(filter(domain.is_many, question.subjects[0]), question.subjects[0][0])
    wanted = stated(question.by(metrics[0]), domain)
    of_line = [] if domain.is_many(subject) else [a for a in domain.ancestors(subject)[1:] if domain.is_many(a)]
    of_family = covered(names, subject, widely=domain.kind(subject) == "family")  # "which clouds offer Blackwell"
    for about in ([subject], of_family, of_line):
        found = [f for f in store.facts(about, metrics) if f.rank != "deprecated" and store.holds(f)]
        fitting = [f for f in found if f.claim.states(wanted)]
        others = [f for f in fitting if not any(f.value in m.ids for m in out)]
        if others:
            return _told(others, store, names)
        if fitting:
            return _told(fitting, store, names).led("No other, as far as facts tell. ")
    return None


def _is_plain(question: Question, metric: str, domain: Domain) -> bool:
    """True where one thing is named, and every other word only says what is asked for."""
    asked = question.kind in _KINDS and not (question.wants_verdict or question.wants_ranking or question.years)
    one = len(question.subjects) == 1 and (
        len(question.subjects[0]) == 1 or any(map(domain.is_many, question.subjects[0]))
    )
    said = {w for name in (domain.metrics[metric].name, *domain.metrics[metric].cues) for w in content_words(name)}
    neutral = domain.change_nothing("look-up", "category", "price") | said
    modified = question.modifier and question.modifier not in neutral | set(words(" ".join(_names(question, domain))))
    return asked and one and not question.terms and not modified and set(question.free_words) <= neutral


def _names(question: Question, domain: Domain) -> Sequence[str]:
    return [domain.entities[i].name for ids in question.subjects for i in ids]


def _told(facts: Sequence[Fact], store: Store, names: Names) -> Told:
    """One sentence for each thing that values are told of: a variant may have other links than its chip."""
    order = ("preferred", "normal")
    by_subject: dict[str, dict[tuple[str, str], Fact]] = {}
    for fact in sorted(facts, key=lambda f: (f.value.startswith(_NONE), order.index(f.rank))):
        by_subject.setdefault(fact.claim.subject, {}).setdefault((fact.value, in_words(fact.claim, names)), fact)
    shown: list[Fact] = []
    sentences = []
    for subject, values in list(by_subject.items())[:_SUBJECTS]:
        own = list(values.values())[: MOST - len(shown)]
        said = [f"{_value(f, names)} [{n}]" for n, f in enumerate(own, start=len(shown) + 1)]
        if said:
            sentences.append(f"{names.name(subject)}: {names.metrics[own[0].claim.metric].name}: {listed(said)}.")
        shown += own
    return Told.of(" ".join(sentences), cite(store, shown), shown)


def _value(fact: Fact, names: Names) -> str:
    """ "liquid" of "liquid cooling", where the metric is called cooling."""
    value, metric = value_text(fact, names), names.metrics[fact.claim.metric].name
    said = in_words(fact.claim, names)
    return (value.removesuffix(f" {metric}") if value != metric else value) + (f" ({said})" if said else "")
