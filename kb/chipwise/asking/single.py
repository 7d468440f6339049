"""One metric of one thing or of several, from the facts table: the figures, and whether they bear out what the question says.

"Does the H100 have more memory than the A100?"  ->  "No, the same: ..."
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from chipwise.asking.conversions import in_unit, without_unit
from chipwise.asking.howmany import in_all
from chipwise.asking.kinds import Kind
from chipwise.asking.premises import denial
from chipwise.asking.question import Question, understand
from chipwise.asking.quoting import Told
from chipwise.asking.tabled import answer_from_table
from chipwise.asking.verdict import IN_PERCENT, NO_LESS, SIZES, difference, find_factor, lead
from chipwise.claims.model import Fact
from chipwise.domain.model import Domain
from chipwise.domain.names import Names
from chipwise.figures.variants import covered
from chipwise.index.store import Store
from chipwise.text import blanked


def looked_up(question: Question, store: Store, domain: Domain, names: Names) -> Told | None:
    """What the table gives, and whether it bears out a figure or a multiple that the question states."""
    of_two = question.wants_verdict and len(question.subjects) == 2  # noqa: PLR2004
    factor = find_factor(question.text, domain) if of_two else None
    if factor:
        question = replace(understand(blanked(question.text, [factor.span]), domain), wants_verdict=True)
    elif question.wants_verdict and question.kind is Kind.YES_NO:
        from chipwise.asking.stated import borne_out  # noqa: PLC0415

        return borne_out(question, store, domain, names)
    asked = question
    if IN_PERCENT.search(question.text):  # says how to put the difference
        question = replace(understand(IN_PERCENT.sub(" ", question.text), domain), wants_verdict=False)
    if NO_LESS.search(question.text):  # "as large as" says how to compare, and nothing of what
        question = replace(question, free_words=tuple(w for w in question.free_words if w not in SIZES))
    question = of_a_whole(question, domain)
    question = _by_known_date(question, store, domain, names)
    found = answer_from_table(without_unit(question, domain), store, domain, names)
    if found is None:
        return None
    facts = found.facts
    several = len(question.subjects)
    compared = facts[:several] if several > 1 else facts  # behind them are what their other variants have
    one_each = _one_each(question, compared, names)
    more = in_unit(question, facts, domain, names) + (difference(asked, names, compared) if one_each else "")
    told = found.led(lead(question, names, compared, factor) if one_each else None).followed(more)
    wrong = denial(question, store, domain, names)
    return told if wrong is None else told.behind(wrong)


def of_a_whole(question: Question, domain: Domain) -> Question:
    """The question on a machine without its "total": what a machine has is of all its chips."""
    machine = len(question.subjects) == 1 and any(map(domain.holds_several, question.subjects[0]))
    wording = in_all(question.text, domain) if machine else []
    return understand(blanked(question.text, wording), domain) if wording else question


def _one_each(question: Question, facts: Sequence[Fact], names: Names) -> bool:
    """True where the facts are of the things asked about, one of each and in their order: nothing else decides between them."""
    if len(question.subjects) == 1:
        return True
    of_each = zip(facts, question.subjects, strict=False)
    return all(f.claim.subject in (*covered(names, ids[0]), *names.ancestors(ids[0])) for f, ids in of_each)


def _by_known_date(question: Question, store: Store, domain: Domain, names: Names) -> Question:
    """Of "when did it launch" the date that is known of all: when it was announced, else when it could be had."""
    if not question.metrics or domain.metrics[question.metrics[0]].dimension != "date":
        return question
    dates = [m.id for m in domain.metrics.values() if m.dimension == "date" and m.nature == "specified"]
    about = [[j for i in ids for j in covered(names, i)] for ids in question.subjects]
    for metric in dict.fromkeys((*question.metrics, *dates)):
        if all(any(store.holds(f) for f in store.facts(ids, [metric])) for ids in about):
            return question.by(metric)
    return question
