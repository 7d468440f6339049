"""Several products, each looked up in the number format that is named behind it: "H100 in FP8 against A100 in BF16"."""

from __future__ import annotations

from dataclasses import replace

from chipwise.asking.kinds import Kind
from chipwise.asking.question import Question, understand
from chipwise.asking.quoting import Told, together
from chipwise.asking.single import looked_up
from chipwise.domain.model import Domain
from chipwise.domain.names import Names
from chipwise.index.store import Store
from chipwise.text import blanked

_AXES = ("dtype", "price_terms", "sparsity", "engine", "direction")
_MOST = 4  # products


def each_own(question: Question, store: Store, domain: Domain, names: Names) -> Told | None:
    """The figure of each product under the value named behind it: "the H100 in FP8 against the A100 in BF16"."""
    text = question.text
    products = [m for m in domain.find_entities(text) if any(map(domain.is_chip, m.ids))]
    values = [m for m in domain.find_qualifiers(text) if m.ids[0].partition("=")[0] in _AXES]
    if not 1 < len(products) <= _MOST:
        return None
    ends = [m.start for m in products[1:]] + [len(text)]
    own = [[v for v in values if m.end <= v.start < end] for m, end in zip(products, ends, strict=True)]
    axes = {v.ids[0].partition("=")[0] for v in values}
    different = len({v.ids for each in own for v in each}) > 1
    if len(axes) != 1 or any(len(each) != 1 for each in own) or not different:
        return None
    told: list[Told] = []
    for product, (value,) in zip(products, own, strict=True):
        others = [(m.start, m.end) for m in (*products, *values) if m not in (product, value)]
        part = understand(blanked(text, others), domain)
        found = looked_up(replace(part, kind=Kind.LOOKUP, wants_verdict=False), store, domain, names)
        if found is None or part.subjects != (product.ids,):
            return None
        told.append(found)
    return together(told)
