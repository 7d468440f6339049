"""Whose a product is, shown by a sentence that names it as its maker's; who builds it for its maker is told beside it.

That no product has two makers is the domain's word; the sentence is a source's.
"""

from __future__ import annotations

from collections.abc import Iterator

from chipwise.answering.base import Base
from chipwise.answering.model import Ruling
from chipwise.answering.query import Assertion, Query
from chipwise.answering.quoting import Cited, Told
from chipwise.answering.sentences import Writer, the, value
from chipwise.audit.evidence import span_evidence
from chipwise.figures.variants import covered
from chipwise.text import one_line
from chipwise.types import Evidence, Role

_FABS = "foundry"
_PLAIN = (Role.BODY, Role.LIST)
_MOST = 3  # products, and passages read for each name


def makers(query: Query, base: Base) -> Told | None:
    """The maker of each product that is named, or whether it is the one asked about; None where no source names it."""
    products = [c.entity for c in query.of.entities]
    if not products or len(products) > _MOST:
        return None
    writer = Writer(base)
    if query.asserts is not None and (len(products) > 1 or not _judge(writer, products[0], query.asserts, base)):
        return None
    for product in products:
        evidence = next(_named_as_theirs(product, base), None)
        if evidence is None:
            return None
        writer.next()
        writer.add(f"{the(product, base)} is made by {base.domain.entities[product].vendor} ")
        writer.cite(Cited(evidence))
        fabs = base.store.facts(covered(base.names, product), (_FABS,))
        fab = next((f for f in fabs if base.store.holds(f)), None)
        if fab is not None and query.asserts is None and not base.names.is_many(product):
            writer.add(f" and built by {value(fab, base)} ", fab)
        writer.end()
    return writer.told()


def _judge(writer: Writer, product: str, asserted: Assertion, base: Base) -> bool:
    """Writes yes or no; False where the assertion names no maker."""
    options = [i for i in (str(asserted.value), *asserted.others) if i in base.domain.terms]
    vendor = base.domain.entities[product].vendor
    theirs = next((i for i in options if vendor in base.domain.vendors_named(i)), "")
    if asserted.others:
        writer.add(f"{base.domain.terms[theirs].name if theirs else 'Neither'}: ")
    else:
        writer.add(Ruling.YES if bool(theirs) == asserted.holds else Ruling.NO)
    return bool(options)


def _named_as_theirs(product: str, base: Base) -> Iterator[Evidence]:
    """Sentences that have the maker's name right before the product's: "Google's TPU v6e", "Intel Gaudi 3"."""
    maker = base.domain.entities[product].vendor
    for surface in _surfaces(product, maker, base) if maker else ():
        phrases = [f"{maker} {surface}", f"{maker}'s {surface}"]
        rows = [row for row, _ in base.store.match(phrases, _MOST)]
        for stored in base.store.passages(rows).values():
            info = base.store.find_source(stored.passage.source)
            for s in stored.sentences if stored.passage.role in _PLAIN else ():
                said = one_line(stored.passage.text[s.start : s.end]).replace("’", "'").lower()
                if any(f" {p.lower()}" in f" {said}" for p in phrases):
                    yield span_evidence(stored.passage, info, s.start, s.end)


def _surfaces(product: str, maker: str, base: Base) -> list[str]:
    """The names of a product and of what it is a variant of, without the maker's; last the line that names it: "TPU"."""
    domain = base.domain
    own = [domain.entities[i] for i in domain.ancestors(product) if i == product or not domain.is_many(i)]
    called = [n.removeprefix(f"{maker} ") for e in own for n in (e.name, *e.aliases)]
    return list(dict.fromkeys((*called, domain.entities[product].name.split()[0])))
