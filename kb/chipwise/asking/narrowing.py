"""Products that meet several conditions at once.

"Which NVIDIA GPUs have more than 100 GB and draw under 1,000 W?"  ->  those of which both are known, with both figures
"chips made by TSMC in 5 nm or 4 nm"                              ->  the foundry, and either of two sizes
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from chipwise.asking.filtering import (
    MOST,
    NOTIONS,
    called_by,
    facts_of_kind,
    is_plain,
    makers_named,
    of_products,
)
from chipwise.asking.limits import Limit, metric_of
from chipwise.asking.premises import is_met
from chipwise.asking.question import Question, understand
from chipwise.asking.quoting import Told, cite
from chipwise.asking.ranking import figures_of, products
from chipwise.asking.verdict import bounded, find_bound
from chipwise.claims.model import Fact
from chipwise.domain.degrees import DOWNWARD
from chipwise.domain.model import Domain
from chipwise.domain.names import Names
from chipwise.domain.records import Term
from chipwise.figures.phrasing import in_words, listed, value_text
from chipwise.index.store import Store
from chipwise.text import blanked

_EITHER = re.compile(r"^\W*(?:or|and/or|and)?\W*$", re.I)
_MOST_CONDITIONS = 4
_TOP = 5  # of a ranking


@dataclass(frozen=True, slots=True)
class _Within:
    """That a product's figure keeps to one of some bounds."""

    metric: str
    limits: tuple[Limit, ...]

    @property
    def is_exact(self) -> bool:
        """True for "in 5 nm or 4 nm"."""
        return all(limit.is_exact for limit in self.limits)

    def shown(self, fact: Fact, names: Names) -> str:
        return value_text(fact, names)

    def facts(self, question: Question, store: Store, domain: Domain, names: Names) -> dict[str, Fact | None]:
        """Of each product with such a figure the fact, None where it misses the bound: its chip's is then no figure of it."""
        asked = replace(question, metrics=(self.metric,), unit="")
        found = figures_of(products(question, domain), asked, store, domain, names)
        return {f.claim.subject: f if any(limit.met(f.amount) for limit in self.limits) else None for f in found}


@dataclass(frozen=True, slots=True)
class _OfKind:
    """That a product has, or is of, a category."""

    term: Term

    def shown(self, fact: Fact, names: Names) -> str:
        return self.term.name

    def facts(self, question: Question, store: Store, domain: Domain, names: Names) -> dict[str, Fact | None]:
        return dict(facts_of_kind(products(question, domain), lambda fact: is_met(fact, self.term, domain), store))


def narrowed(question: Question, store: Store, domain: Domain, names: Names) -> Told | None:
    """The products that meet all of several conditions; None where the question has at most one, or says more."""
    about = of_products(question, domain)
    conditions = _conditions(about, domain) if about else []
    several = len(conditions) > 1 or any(isinstance(c, _Within) and c.is_exact for c in conditions)
    if about is None or not several or len(conditions) > _MOST_CONDITIONS:
        return None
    each = [condition.facts(about, store, domain, names) for condition in conditions]
    met = [(i, facts) for i in products(about, domain) if (facts := _of_product(i, each, domain))]
    named = {i for i, _ in met}
    # of a chip that is listed its variants need no mention
    met = [(i, facts) for i, facts in met if not named.intersection(called_by(i, names))]
    if not met:
        return None
    cited = list({fact.id: fact for _, facts in met[:MOST] for fact in facts}.values())
    said = []
    for i, facts in met[:MOST]:
        each_said = (f"{c.shown(f, names)} [{cited.index(f) + 1}]" for c, f in zip(conditions, facts, strict=True))
        said.append(f"{names.name(i)} ({', '.join(each_said)})")
    text = f"All of it, as far as facts tell: {listed(said, MOST)}."
    return Told.of(text, cite(store, cited), cited)


def best_of_narrowed(question: Question, store: Store, domain: Domain, names: Names) -> Told | None:
    """The products that are ranked by one figure, of those that keep to a bound on another: "the highest FP16 peak under 300 W"."""
    text = question.text
    quantities = domain.unit_table.find(text)
    about = of_products(question, domain) if len(quantities) == 1 else None
    if about is None or not question.wants_ranking:
        return None
    stated = quantities[0]
    bound = find_bound(text, stated.start, stated.bound)
    span = bounded(text, bound, stated.start, stated.end)
    ranked = understand(blanked(text, [span]), domain)
    metric = metric_of(replace(about, metrics=()), stated, domain)
    by = domain.metrics[ranked.metrics[0]] if ranked.metrics else None
    another = by is not None and by.dimension != stated.dimension and by.nature == "specified"
    limit = Limit(bound, stated)
    if not metric or not another or limit.is_exact or not bound.decides:
        return None
    met = _Within(metric, (limit,)).facts(about, store, domain, names)
    every = products(about, domain)
    of_rank: dict[str, Fact | None] = {f.claim.subject: f for f in figures_of(every, ranked, store, domain, names)}
    pairs = [(i, each) for i in every if (each := _of_product(i, [of_rank, met], domain))]
    # of a chip that is listed its variants need no mention
    pairs = [(i, e) for i, e in pairs if not any(o in called_by(i, names) and f == e for o, f in pairs)]
    least = DOWNWARD.search(ranked.text) is not None
    pairs.sort(key=lambda pair: pair[1][0].amount, reverse=not least)
    if not pairs:
        return None
    shown = pairs[:_TOP]
    cited = list({fact.id: fact for _, facts in shown for fact in facts}.values())
    said = [
        f"{names.name(i)}, {value_text(best, names)} [{cited.index(best) + 1}] ({value_text(held, names)} [{cited.index(held) + 1}])"
        for i, (best, held) in shown
    ]
    first = shown[0][1][0].claim
    kind = in_words(
        first, names, less=f"{first.qualifier('form_factor')} {names.values.get(first.qualifier('memory_kind'), '')}"
    )
    name = f"{names.metrics[ranked.metrics[0]].name}{f' ({kind})' if kind else ''}"
    lead = (
        f"{'Lowest' if least else 'Highest'} {name} first, of {len(pairs)} that keep to the bound as far as facts tell"
    )
    return Told.of(f"{lead}: {'; '.join(said)}.", cite(store, cited), cited)


def _conditions(question: Question, domain: Domain) -> list[_Within | _OfKind]:
    """The conditions of a question that says nothing else; none where one of them is not plain."""
    text = question.text
    quantities = domain.unit_table.find(text)
    bounds = [find_bound(text, q.start, q.bound) for q in quantities]
    spans = [bounded(text, b, q.start, q.end) for b, q in zip(bounds, quantities, strict=True)]
    rest = understand(blanked(text, spans), domain) if spans else question
    terms = [domain.terms[t] for t in rest.terms if t not in makers_named(rest, domain)]
    terms = [t for t in terms if t.kind not in NOTIONS]
    if not is_plain(replace(rest, terms=()), domain) or question.years or any(not b.decides for b in bounds):
        return []
    found: list[_Within | _OfKind] = []
    for n, (quantity, bound) in enumerate(zip(quantities, bounds, strict=True)):
        metric = metric_of(question, quantity, domain)
        if not metric:
            return []
        limit = Limit(bound, quantity)
        before = found[-1] if found else None
        if (
            n
            and isinstance(before, _Within)
            and before.metric == metric
            and _EITHER.match(text[quantities[n - 1].end : spans[n][0]])
        ):
            found[-1] = _Within(metric, (*before.limits, limit))
        else:
            found.append(_Within(metric, (limit,)))
    return [*found, *map(_OfKind, terms)]


def _of_product(product: str, each: Sequence[Mapping[str, Fact | None]], domain: Domain) -> list[Fact]:
    """For each condition the fact by which a product meets it, its own, else its chip's; empty where it misses one."""
    line = domain.ancestors(product)
    found = [next((facts[i] for i in line if i in facts), None) for facts in each]
    return [f for f in found if f is not None] if None not in found else []
