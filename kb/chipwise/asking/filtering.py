"""Which products have so much of something, or are of a kind.

    "Which GPUs have at least 100 GB of memory?"  ->  "14 of 40 with such a figure: AMD MI355X 288 GB [1], ..."
    "Which chips have HBM3e?"                     ->  "HBM3e, as far as facts tell: AMD MI325X [1], NVIDIA H200 [2] ..."
    "cheapest card with 24 GB or more"            ->  those, by what one of each costs

A product without a fact is in no list, and the answer says so.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from chipwise import nouns
from chipwise import patterns as re
from chipwise.asking.excluding import is_shut_out, without_them
from chipwise.asking.kinds import FIGURE, PICKS, TELLS_APART, Kind
from chipwise.asking.limits import Limit, metric_of
from chipwise.asking.premises import HAD, denies, is_met
from chipwise.asking.question import Question, makers_in, understand
from chipwise.asking.quoting import Told, cite
from chipwise.asking.ranking import figures_of, products, told_apart
from chipwise.asking.searching import stem
from chipwise.asking.verdict import bounded, find_bound
from chipwise.claims.model import Fact
from chipwise.domain.degrees import DOWNWARD, SUPERLATIVE
from chipwise.domain.model import Domain
from chipwise.domain.names import Names
from chipwise.figures.alike import ON_DEMAND
from chipwise.figures.phrasing import listed, value_text
from chipwise.figures.prices import chip_offers, offered, terms_asked
from chipwise.figures.variants import name_words
from chipwise.index.store import Store
from chipwise.numbers.quantity import Quantity
from chipwise.text import blanked, words

_KINDS = (Kind.LIST, Kind.LOOKUP, Kind.OPEN)
NOTIONS = ("concept", "technique")  # kinds of terms that products are not picked by
_RANKED_BY = re.compile(rf"\b(?:most|least|{SUPERLATIVE})\s+$", re.I)
MOST = 12  # products shown
_FEW = 3  # the cheapest shown
_LISTS_ALL = re.compile(r"^(?:please )?(?:list|name|show|give me|all|every)\b(?! (?:me )?(?:an?|one) )", re.I)
_ANY_CHIP = re.compile(rf"\b(?:(?:{nouns.WANTED}|product)s?|hardware)\b", re.I)
_ALL_CHIPS = "accelerator"  # the line above all others


def products_with(question: Question, store: Store, domain: Domain, names: Names) -> Told | None:
    """The products that the question picks out of a line or of all; None for a question about anything else."""
    about = of_products(question, domain)
    if about is None:
        return _without(question, store, domain, names)
    quantities = domain.unit_table.find(about.text)
    if len(quantities) == 1 and not about.years:
        return _within(about, quantities[0], store, domain, names)
    if quantities:
        return None
    return _of_kind(about, store, domain, names) or _all_of_them(about, store, domain, names)


def of_products(question: Question, domain: Domain) -> Question | None:
    """The question with the line and the makers of which it picks products; None where it picks none."""
    if not PICKS.search(question.text) or TELLS_APART.search(question.text) or question.wants_verdict:
        return None
    if question.subjects and not all(domain.is_many(i) for ids in question.subjects for i in ids):
        return None
    if not question.subjects and not _ANY_CHIP.search(question.text):
        return None
    named = makers_in(question.text, domain)
    shut_out = {i for m in named if is_shut_out(question.text, m) for i in m.ids}
    makers = {(m.start, m.end) for m in named}
    if any(is_shut_out(question.text, m) and (m.start, m.end) not in makers for m in domain.find_terms(question.text)):
        return None  # "without NVLink" is told by no fact
    every = dict.fromkeys(e.vendor for e in domain.entities.values() if e.vendor)
    picked = [v for v in every if v not in shut_out] if shut_out else [i for m in named for i in m.ids]
    # "NVIDIA GPUs" is a line of its own
    theirs = any(domain.entities[i].vendor in shut_out for ids in question.subjects for i in ids)
    theirs = theirs or any(
        v not in {domain.entities[i].vendor for ids in question.subjects for i in ids} for v in picked
    )
    if theirs and not shut_out:  # "Intel or AMD GPUs" are those of both makers
        picked += [v for ids in question.subjects for i in ids if (v := domain.entities[i].vendor)]
    subjects = question.subjects if question.subjects and not theirs else ((_ALL_CHIPS,),)
    return replace(question, subjects=subjects, makers=tuple(dict.fromkeys(picked)))


def limit_of(question: Question, stated: Quantity, domain: Domain) -> tuple[Limit, str] | None:
    """What a figure has to keep to, and of which metric; None where the question asks for more than that."""
    bound = find_bound(question.text, stated.start, stated.bound)
    metric = metric_of(question, stated, domain)
    without = understand(blanked(question.text, [bounded(question.text, bound, stated.start, stated.end)]), domain)
    limit = Limit(bound, stated)
    decides = bound.decides and not limit.is_exact
    return (limit, metric) if decides and metric and is_plain(without, domain) else None


def _within(question: Question, stated: Quantity, store: Store, domain: Domain, names: Names) -> Told | None:
    """Those whose figure keeps to a bound."""
    bounds = limit_of(question, stated, domain)
    if bounds is None:
        return None
    limit, metric = bounds
    found = figures_of(products(question, domain), replace(question, metrics=(metric,), unit=""), store, domain, names)
    met = sorted((f for f in found if limit.met(f.amount)), key=lambda f: f.amount, reverse=not limit.met(0.0))
    if any(domain.metrics[m].nature == "priced" for m in question.metrics) and DOWNWARD.search(question.text):
        return _cheapest(met, question, store, domain, names)
    if not met:
        return None
    name = domain.metrics[metric].name
    said = (
        f"{names.name(f.claim.subject)} {value_text(f, names)}{told_apart(f, found, names)} [{n}]"
        for n, f in enumerate(met, start=1)
    )
    besides = [
        domain.metrics[m].name
        for m in question.metrics
        if domain.metrics[m].dimension not in ("text", stated.dimension)
    ]
    left = f" Not told here: the {listed(besides)} of each." if besides else ""
    text = f"{len(met)} of {len(found)} whose {name} is known: {listed(said, MOST)}.{left}"
    return Told.of(text, cite(store, met[:MOST]), met[:MOST])


def _all_of_them(question: Question, store: Store, domain: Domain, names: Names) -> Told | None:
    """Each product of a line or a maker with its figure, for "list all Intel accelerators and their memory"."""
    narrowed = question.makers or any(domain.entities[i].vendor for ids in question.subjects for i in ids)
    metric = domain.metrics[question.metrics[0]] if question.metrics and not question.wants_ranking else None
    if metric is None or metric.nature != "specified" or metric.dimension == "text" or len(question.parts) > 1:
        return None
    if not (narrowed and _LISTS_ALL.search(question.text) and is_plain(question, domain)):
        return None
    found = sorted(
        figures_of(products(question, domain), question, store, domain, names), key=lambda f: f.amount, reverse=True
    )
    said = (f"{names.name(f.claim.subject)} {value_text(f, names)} [{n}]" for n, f in enumerate(found, start=1))
    text = f"{len(found)} whose {metric.name} is known: {listed(said, MOST)}."
    return Told.of(text, cite(store, found[:MOST]), found[:MOST]) if found else None


def makers_named(question: Question, domain: Domain) -> list[str]:
    """The terms that say no more than whose products are asked about: the AMD of "AMD chips"."""
    named = {question.text[m.start : m.end].lower() for m in makers_in(question.text, domain)}
    return [t for t in question.terms if domain.terms[t].name.lower() in named]


def is_plain(question: Question, domain: Domain) -> bool:
    """True where nothing else narrows what is asked."""
    neutral = domain.change_nothing("look-up", "price", "category", "pick") | set(question.years)
    # by a price term what is cheapest is chosen, and "a TDP over 250 W" names a figure by a notion
    terms = {t for t in question.terms if domain.terms[t].kind not in ("price_term", *NOTIONS)}
    return set(question.free_words) <= neutral and terms <= set(makers_named(question, domain))


def _cheapest(met: Sequence[Fact], question: Question, store: Store, domain: Domain, names: Names) -> Told | None:
    """Of those that keep to the bound the ones that cost least to rent, on demand where no terms are named."""
    metric = next(m for m in question.metrics if domain.metrics[m].nature == "priced")
    terms = {"price_terms": next(iter(terms_asked(question.text, domain)), ON_DEMAND)}
    offers = [(list(chip_offers(store, domain, names, f.claim.subject, metric, terms).values()), f) for f in met]
    # what is asked for an "H100" is asked for each of its variants, too
    priced = [(o[0], f) for o, f in offers if o]
    priced.sort(key=lambda pair: pair[0].fact.claim.subject == pair[1].claim.subject)
    by_price = {offer.fact.id: (offer, held) for offer, held in priced}
    ranked = sorted(by_price.values(), key=lambda pair: pair[0].value)[:_FEW]
    if not ranked:
        return None
    facts = [fact for offer, held in ranked for fact in (offer.fact, held)]
    said = [
        f"{names.name(held.claim.subject)}, {offer.shown.format(f'{value_text(offer.fact, names)} [{2 * n - 1}]')} "
        f"({offered(offer.fact, names)}), {value_text(held, names)} [{2 * n}]"
        for n, (offer, held) in enumerate(ranked, start=1)
    ]
    return Told.of(
        f"Cheapest first, {names.values.get(terms['price_terms'], terms['price_terms'])}, of {len(by_price)} with a price: {'; '.join(said)}.",
        cite(store, facts),
        facts,
    )


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What is asked of products, as the answer calls it, and whether a fact of one of `metrics`, or of any, tells it."""

    name: str
    metrics: Sequence[str]
    fits: Callable[[Fact], bool]


def _wanted(question: Question, domain: Domain, names: Names) -> _Wanted | None:
    """A category by its name ("HBM3e"), a year of an event, or a category in other words ("liquid cooled")."""
    kinds = [domain.terms[t] for t in question.terms if t not in makers_named(question, domain)]
    if question.wants_ranking and any(
        _RANKED_BY.search(question.text[: m.start]) for m in domain.find_terms(question.text)
    ):
        return None  # "the least HBM" is asked for by how much
    metric = domain.metrics[question.metrics[0]] if question.metrics else None
    if len(kinds) == 1 and not question.years and not _asks_figure(question, domain):
        return _Wanted(kinds[0].name, (), lambda fact: is_met(fact, kinds[0], domain))
    if kinds or metric is None:
        return None
    if question.years and metric.dimension == "date":
        return _Wanted(
            f"{metric.name} in {listed(question.years)}", [metric.id], lambda fact: fact.value[:4] in question.years
        )
    said = {stem(w) for w in words(question.text)}
    if metric.dimension != "text" or question.years:
        return None
    return _Wanted(metric.name, [metric.id], lambda fact: {stem(w) for w in words(value_text(fact, names))} <= said)


def _asks_figure(question: Question, domain: Domain) -> bool:
    """True where a metric is named by more than the category: "NVLink bandwidth", "BF16 flops per watt"."""
    terms = [(m.start, m.end) for m in domain.find_terms(question.text)]
    named = domain.find_metrics_asked(question.text)
    numbers = [m for m in named if any(domain.metrics[i].dimension != "text" for i in m.ids)]
    return any(not any(start <= m.start and m.end <= end for start, end in terms) for m in numbers)


def _of_kind(question: Question, store: Store, domain: Domain, names: Names) -> Told | None:
    """Those of which some fact tells the one category, or the year, that is named."""
    wanted = _wanted(question, domain, names) if question.kind in _KINDS else None
    if wanted is None or not is_plain(replace(question, terms=()), domain):
        return None
    about = products(question, domain)
    first = facts_of_kind(about, wanted.fits, store, wanted.metrics)
    # of a chip that is listed its variants need no mention, where they are called by its name
    shown = [first[i] for i in about if i in first and not any(a in first for a in called_by(i, names))]
    if not shown:
        return None
    said = (f"{names.name(f.claim.subject)} [{n}]" for n, f in enumerate(shown, start=1))
    lead = f"{wanted.name[0].upper()}{wanted.name[1:]}, as far as facts tell"
    return Told.of(f"{lead}: {listed(said, MOST)}.", cite(store, shown[:MOST]), shown[:MOST])


def _without(question: Question, store: Store, domain: Domain, names: Names) -> Told | None:
    """Those of which facts tell that they have not what is named: "which GPUs do not support FP8"."""
    had = [m for m in domain.find_terms(question.text) if domain.terms[m.ids[0]].kind in HAD]
    rest = without_them(question.text, had) if len(had) == 1 else ""
    about = of_products(understand(rest, domain), domain) if rest else None
    if about is None or not is_plain(replace(about, terms=()), domain) or FIGURE.search(about.text):
        return None
    term, every = domain.terms[had[0].ids[0]], products(about, domain)
    having = facts_of_kind(every, lambda f: is_met(f, term, domain), store)
    first = facts_of_kind(every, lambda f: denies(f, term, domain), store)
    lacking = {i: f for i, f in first.items() if not any(a in having for a in domain.ancestors(i))}
    each: dict[str, list[Fact]] = {}  # by what they have instead
    for i, fact in lacking.items():
        if not any(a in lacking for a in called_by(i, names)):
            each.setdefault(fact.value, []).append(fact)
    shown = [f for row in zip_longest(*each.values()) for f in row if f is not None]
    if not shown:
        return None
    denied = f"no {term.name}"
    said = (
        f"{names.name(f.claim.subject)}{'' if f.value == denied else f' ({value_text(f, names)})'} [{n}]"
        for n, f in enumerate(shown, start=1)
    )
    return Told.of(
        f"No {term.name}, as far as facts tell: {listed(said, MOST)}.", cite(store, shown[:MOST]), shown[:MOST]
    )


def called_by(product: str, names: Names) -> list[str]:
    """What a product is a variant of and called by: an H200 NVL is an H200, and the GPU of a GB200 is not called B200."""
    return [a for a in names.ancestors(product)[1:] if name_words(names, a) <= name_words(names, product)]


def facts_of_kind(
    about: Sequence[str], fits: Callable[[Fact], bool], store: Store, metrics: Sequence[str] = ()
) -> dict[str, Fact]:
    """For each product the fact that shows it to be of a kind: one that says so before a figure that tells it."""
    found = [f for f in store.facts(about, metrics or None) if f.rank == "preferred" and fits(f) and store.holds(f)]
    first: dict[str, Fact] = {}
    for fact in sorted(found, key=lambda f: (f.claim.quantity is not None, f.claim.modality != "specified")):
        first.setdefault(fact.claim.subject, fact)
    return first
