"""Answers that put products in order: of a line or a maker, by a metric.

    "Which AWS chip has the most memory?"  ->  Trainium3, 144 GB; Trainium2, 96 GiB; ...

Ranked are products, chips and their variants, by figures of one kind: dense ones unless the
question asks for sparse ones.
"""

from __future__ import annotations

from collections.abc import Sequence

from chipwise import patterns as re
from chipwise.asking.kinds import RANKED
from chipwise.asking.plain import is_plain, stated
from chipwise.asking.question import Question, understand
from chipwise.asking.quoting import Told, cite, sentence
from chipwise.asking.tabled import MOST
from chipwise.claims.model import Fact, Key
from chipwise.domain.catalogue import GROUP
from chipwise.domain.degrees import DOWNWARD, PLACES, SUPERLATIVE
from chipwise.domain.model import Domain
from chipwise.domain.names import Names
from chipwise.figures.alike import TOLD_APART, in_one_form
from chipwise.figures.phrasing import phrase
from chipwise.figures.resolve import filling
from chipwise.index.store import Store
from chipwise.numbers.spoken import SMALL
from chipwise.text import blanked, words

_TIES = 5  # shown where more than MOST share the last place
_PLACE = re.compile(rf"\b(?P<nth>{'|'.join(PLACES)})[ -](?=(?:most|least|{SUPERLATIVE})\b)", re.I)
_WHOLE = 12  # shown where products are to be ranked, and not the first one found


def answer_by_rank(question: Question, store: Store, domain: Domain, names: Names) -> Told | None:
    """The products with the most (or least) of something, or those in the second or third place."""
    place = _PLACE.search(question.text)
    if place is not None:
        question = understand(blanked(question.text, [place.span()]), domain)
    if len(question.parts) > 1:  # "compute to bandwidth" is no ranking by the first of them
        return None
    if not question.wants_ranking or not is_plain(question, domain) or _is_offered(question, domain):
        return None
    found = figures_of(products(question, domain), question, store, domain, names)
    if not found:
        return None
    least = DOWNWARD.search(question.text) is not None
    found.sort(key=lambda f: f.amount, reverse=not least)
    if place is not None:
        return _placed(found, PLACES[place["nth"].lower()], "lowest" if least else "highest", store, names)
    count = _count_wanted(question)
    last = found[min(count, len(found)) - 1].amount
    shown = [f for n, f in enumerate(found[: max(count, _TIES)]) if n < count or f.amount == last]
    several = f"{'Lowest' if least else 'Highest'} first, of {len(found)} with a figure of the same kind:"
    lead = several if len(found) > 1 else "The only one with such a figure:"
    said = (sentence(f, names, n) for n, f in enumerate(shown, start=1))
    more = sum(f.amount == shown[-1].amount for f in found) - sum(f.amount == shown[-1].amount for f in shown)
    tied = [f"{more} more {'has' if more == 1 else 'have'} as much as the last."] if more else []
    return Told.of(" ".join((lead, *said, *tied)), cite(store, shown), shown)


def _placed(found: Sequence[Fact], nth: int, which: str, store: Store, names: Names) -> Told | None:
    """All that have the `nth` figure of those in order; what share one share a place."""
    amounts = list(dict.fromkeys(f.amount for f in found))
    shown = [f for f in found if len(amounts) >= nth and f.amount == amounts[nth - 1]][:_WHOLE]
    if not shown:
        return None
    lead = f"Number {nth} of {len(amounts)} figures of the same kind, the {which} first:"
    said = (sentence(f, names, n) for n, f in enumerate(shown, start=1))
    return Told.of(" ".join((lead, *said)), cite(store, shown), shown)


def _is_offered(question: Question, domain: Domain) -> bool:
    """True where only what some company or cloud offers is to be ranked, which no fact tells."""
    named = [t for t in question.terms if domain.terms[t].kind in ("company", "cloud")]
    return len(named) > len(question.makers)


def nothing_to_rank(question: Question, store: Store, domain: Domain) -> str:
    """Why a ranking cannot be: no product of the maker asked for has a figure; empty where some have."""
    if not question.makers or not question.subjects or not question.metrics:
        return ""
    metric = domain.metrics[question.metrics[0]]
    if metric.dimension == "text" or any(
        f.rank == "preferred" for f in store.facts(products(question, domain), [metric.id])
    ):
        return ""
    return f"no fact gives the {metric.name} of a chip by {' or '.join(question.makers)}"


def products(question: Question, domain: Domain) -> list[str]:
    """Chips and variants of the lines that are asked about, by the makers asked for where some are."""
    lines = {i for ids in question.subjects for i in ids}
    return [
        e.id
        for e in domain.entities.values()
        if domain.is_chip(e.id)
        and lines & set(domain.ancestors(e.id))
        and (not question.makers or e.vendor in question.makers)
    ]


def figures_of(about: Sequence[str], question: Question, store: Store, domain: Domain, names: Names) -> list[Fact]:
    """For each product one figure of the question's metric, all of the kind that most of them have a figure of."""
    # the products of "all chips" are ranked one by one, and not as a group
    wanted = {axis: value for axis, value in stated(question, domain).items() if (axis, value) != GROUP}
    unit = question.unit or _counted_kind(question, domain)
    every = filling(store, names, about, Key.of("", question.metrics[0], tuple(wanted.items())), unit=unit)
    facts = [f for f in every if f.claim.key.is_of_one] or every
    facts = sorted((f for f in facts if f.rank == "preferred"), key=lambda f: f.amount, reverse=True)
    row = in_one_form(names, about, [[f for f in facts if f.claim.subject == product] for product in about])
    found = [f for f in row.facts if f is not None]
    return _without_variants(names, found)


def _counted_kind(question: Question, domain: Domain) -> str:
    """Which of the many things that a metric counts is asked for: the SMs of "most SMs", which no tensor cores are."""
    asked = domain.metrics[question.metrics[0]]
    said = (question.text[m.start : m.end] for m in domain.find_metrics_asked(question.text) if asked.id in m.ids)
    return next((unit for words in said if (unit := domain.find_unit(words)) in asked.counts), "")


def told_apart(fact: Fact, facts: Sequence[Fact], names: Names) -> str:
    """ " (board power)" of a figure in a list of which not all are meant so; what the metric is called by is not said."""
    called = set(words(names.metrics[fact.claim.metric].name))
    mixed = [axis for axis in sorted(TOLD_APART) if len({f.claim.qualifier(axis) for f in facts}) > 1]
    said = [phrase(axis, own, names) for axis in mixed if (own := fact.claim.qualifier(axis))]
    said = [text for text in said if not set(words(text)) <= called]
    return f" ({', '.join(said)})" if said else ""


def _count_wanted(question: Question) -> int:
    """How many are to be shown: those of a "top 5", all of a line that is to be ranked, else a few."""
    ranked = RANKED.search(question.text)
    if ranked is None:
        return MOST
    said = (ranked["count"] or ranked["first"] or "").lower()
    return min(_WHOLE, int(SMALL.get(said, 0)) or int(said or (0 if "top" in ranked[0].lower() else _WHOLE)) or MOST)


def _without_variants(names: Names, facts: Sequence[Fact]) -> list[Fact]:
    """Without the variants that have what their chip has: the H200 SXM is the H200."""
    kept: list[Fact] = []
    for fact in facts:
        if not any(f.amount == fact.amount and f.claim.subject in names.ancestors(fact.claim.subject) for f in kept):
            kept.append(fact)
    return kept
