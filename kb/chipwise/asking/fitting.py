"""Which products have room for something by themselves.

"Which GPUs can hold a 70B model in FP16?"  ->  the sum of what it needs, 140 GB, and those with as much memory
"""

from __future__ import annotations

from chipwise.asking.derivable import is_asked, possible
from chipwise.asking.filling import Sums
from chipwise.asking.filtering import MOST, of_products
from chipwise.asking.givens import read_question
from chipwise.asking.question import Question
from chipwise.asking.quoting import Told, cite, together
from chipwise.asking.ranking import figures_of, products, told_apart
from chipwise.asking.workings import compose, worth
from chipwise.domain.model import Domain
from chipwise.domain.names import Names
from chipwise.index.store import Store
from chipwise.lookups.phrasing import listed, value_text


def holders(question: Question, store: Store, domain: Domain, names: Names) -> Told | None:
    """The sum, and the products of which one has enough; None where the question asks for another sum, or for several chips."""
    about = of_products(question, domain)
    derivations = [d for d in possible(question, domain) if d.needs] if about else []
    asked = read_question(question, store, domain) if derivations else None
    if about is None or asked is None or asked.chips is not None:
        return None
    derivation = next((d for d in derivations if is_asked(d, asked, domain)), None)
    metrics = [i.metrics for i in derivation.inputs if i.metrics] if derivation else []
    if derivation is None or len(metrics) != 1:
        return None
    need = domain.derivations[derivation.needs]
    sums = Sums(need, asked, store, domain, names).all()
    if not sums:
        return None
    limit = worth(need, sums[0][1])
    known = figures_of(products(about, domain), question.by(metrics[0][0]), store, domain, names)
    enough = sorted((f for f in known if f.amount >= limit), key=lambda f: f.amount)
    told = compose(need, asked, sums, store, domain, names)
    if not enough or told.cited:
        return None
    said = (
        f"{names.name(f.claim.subject)} {value_text(f, names)}{told_apart(f, known, names)} [{n}]"
        for n, f in enumerate(enough, start=1)
    )
    held = f"{len(enough)} of {len(known)} whose {domain.metrics[metrics[0][0]].name} is known have as much, the least first"
    shown = enough[:MOST]
    return together([told, Told.of(f"{held}: {listed(said, MOST)}.", cite(store, shown), shown)])
