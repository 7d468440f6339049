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
    facts_of_kind,
    is_plain,
    limit_of,
    makers_named,
    metric_of,
    of_products,
)
from chipwise.asking.premises import is_met
from chipwise.asking.question import Question, understand
from chipwise.asking.quoting import Told, cite
from chipwise.asking.ranking import figures_of, products
from chipwise.asking.verdict import Bound, bounded, find_bound
from chipwise.claims.model import Fact
from chipwise.domain.model import Domain
from chipwise.domain.names import Names
from chipwise.domain.records import Term
from chipwise.index.store import Store
from chipwise.lookups.phrasing import listed, value_text
from chipwise.text import blanked

_EITHER = re.compile(r"^\W*(?:or|and/or|and)?\W*$", re.I)
_MOST_CONDITIONS = 4


@dataclass(frozen=True, slots=True)
class _Within:
    """That a product's figure keeps to one of some bounds."""

    metric: str
    bounds: tuple[tuple[Bound, float], ...]

    @property
    def is_exact(self) -> bool:
        """True for "in 5 nm", where no bound is put."""
        return all(bound.is_as_stated for bound, _ in self.bounds)

    def shown(self, fact: Fact, names: Names) -> str:
        return value_text(fact, names)

    def facts(self, question: Question, store: Store, domain: Domain, names: Names) -> dict[str, Fact]:
        asked = replace(question, metrics=(self.metric,), unit="")
        found = figures_of(products(question, domain), asked, store, domain, names)
        return {f.claim.subject: f for f in found if any(bound.met(f.amount, limit) for bound, limit in self.bounds)}


@dataclass(frozen=True, slots=True)
class _OfKind:
    """That a product has, or is of, a category."""

    term: Term

    def shown(self, fact: Fact, names: Names) -> str:
        return self.term.name

    def facts(self, question: Question, store: Store, domain: Domain, names: Names) -> dict[str, Fact]:
        return facts_of_kind(products(question, domain), lambda fact: is_met(fact, self.term, domain), store)


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
    met = [(i, facts) for i, facts in met if not named.intersection(domain.ancestors(i)[1:])]
    if not met:
        return None
    cited = list({fact.id: fact for _, facts in met[:MOST] for fact in facts}.values())
    said = []
    for i, facts in met[:MOST]:
        each_said = (f"{c.shown(f, names)} [{cited.index(f) + 1}]" for c, f in zip(conditions, facts, strict=True))
        said.append(f"{names.name(i)} ({', '.join(each_said)})")
    text = f"All of it, as far as facts tell: {listed(said, MOST)}."
    return Told(text, cite(store, cited), cited)


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
        limit = (bound, limit_of(quantity))
        before = found[-1] if found else None
        if (
            n
            and isinstance(before, _Within)
            and before.metric == metric
            and _EITHER.match(text[quantities[n - 1].end : spans[n][0]])
        ):
            found[-1] = _Within(metric, (*before.bounds, limit))
        else:
            found.append(_Within(metric, (limit,)))
    return [*found, *map(_OfKind, terms)]


def _of_product(product: str, each: Sequence[Mapping[str, Fact]], domain: Domain) -> list[Fact]:
    """For each condition the fact by which a product meets it, its own or its chip's; empty where it misses one."""
    line = domain.ancestors(product)
    found = [next((facts[i] for i in line if i in facts), None) for facts in each]
    return [f for f in found if f is not None] if None not in found else []
