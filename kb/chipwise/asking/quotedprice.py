"""Whether a price that somebody was quoted is high: held against what providers ask for the same chip on the same terms.

"We're quoted $3.10 per H100 hour. Is that above the market?"
->  "3.10 USD/hour is above 3 and below 5 of 8 prices ...: 1.80 USD/hour (Cudo Compute, 2026-03) [1], ..."

Whether that makes it a good one is the reader's to say.
"""

from __future__ import annotations

from chipwise import patterns as re
from chipwise.asking.question import Question
from chipwise.asking.quoting import Told, cite
from chipwise.domain.model import Domain
from chipwise.domain.names import Names
from chipwise.figures.alike import ON_DEMAND
from chipwise.figures.amounts import number
from chipwise.figures.phrasing import listed, value_text
from chipwise.figures.prices import chip_offers, offered, terms_asked
from chipwise.index.store import Store

# "is that above the usual market?", "is $2 an hour cheap?", "Fair?"
_MUCH = (
    r"(?:market|going rate|usual|typical|average|fair|reasonable|competitive|overpriced|rip[- ]?off|ripped off|too (?:much|high|dear|expensive)"
    r"|(?:good|bad|great|decent|normal|high|low) (?:price|deal|rate|offer|quote)|cheap|expensive|dear|much|high|low|good|ok|okay)"
)
_IS_IT_MUCH = re.compile(
    rf"(?:^|[.!?;]\s+|,\s+)(?:so |and )?(?:is|are|was)\s(?:that|this|it|our|my|the price|[$€£]?\d)(?:[^?.!]|\.\d)*\b{_MUCH}\b[^?.!]*\?|[.!?;,]\s+(?:a )?{_MUCH}\?\W*$",
    re.I,
)
_SEVERAL = re.compile(r"\b(?:\d+\s?x|x\s?\d+|node|server|rack|pod|cluster|machine|instance)\b", re.I)
_LEAST = 2  # prices, of which one alone is no market


def beside_the_market(question: Question, store: Store, domain: Domain, names: Names) -> Told | None:
    """How many of the latest prices for one chip lie below the one that is stated, and how many above; None for any other question."""
    asked = _IS_IT_MUCH.search(question.text) and not _SEVERAL.search(question.text)
    chips = [ids[0] for ids in question.subjects]
    if not asked or len(chips) != 1 or not names.is_chip(chips[0]):
        return None
    rates = {
        m.dimension: m.id for m in domain.metrics.values() if m.nature == "priced" and m.dimension.endswith("rate")
    }
    stated = [q for q in domain.unit_table.find(question.text) if q.dimension in rates]
    if len(stated) != 1:
        return None
    price, chip = stated[0], chips[0]
    terms = (terms_asked(question.text, domain) or [ON_DEMAND])[0]
    offers = chip_offers(store, domain, names, chip, rates[price.dimension], {"price_terms": terms})
    if len(offers) < _LEAST:
        return None
    below = sum(o.value < price.low for o in offers.values())
    above = sum(o.value > price.high for o in offers.values())
    facts = [o.fact for o in offers.values()]
    shown = [
        f"{o.shown.format(value_text(o.fact, names))}{f' = {number(o.value)}' if o.among > 1 else ''} ({offered(o.fact, names)}) [{n}]"
        for n, o in enumerate(offers.values(), start=1)
    ]
    said = question.text[price.start : price.end]
    return Told.of(
        f"{said} is above {below} and below {above} of {len(offers)} prices known for one {names.name(chip)} ({names.values.get(terms, terms)}), "
        f"the lowest first: {listed(shown)}.",
        cite(store, facts),
        facts,
    )
