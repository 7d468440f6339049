"""Whose a product is: its maker, shown by a sentence that names it as the maker's.

    "Who makes the TPU v6e?"         ->  "TPU v6e: maker Google. [1]"
    "Is the MI300X an NVIDIA chip?"  ->  "No: AMD MI300X: maker AMD. [1]"

That no product has two makers is the domain's word; the sentence is a source's. Who builds the chip for
its maker is another question, which is answered beside it where facts tell.
"""

from __future__ import annotations

from collections.abc import Iterator

from chipwise import patterns as re
from chipwise.asking.answers import Ruling
from chipwise.asking.question import Question
from chipwise.asking.quoting import Cited, Told, cite
from chipwise.audit.evidence import span_evidence
from chipwise.domain.model import Domain
from chipwise.domain.names import Names
from chipwise.domain.phrasebook import Mention
from chipwise.figures.phrasing import value_text
from chipwise.figures.variants import covered
from chipwise.index.store import Store
from chipwise.types import Evidence, Role

_MAKES = r"(?:make|made|design|develop|buil[dt]|produce|manufacture)(?:s|d|ed|r)?"
_WHO = re.compile(
    rf"\b(?:who|(?:which|what)\s(?:company|vendor|firm|maker|manufacturer|chipmaker))\s(?:(?:is|was|has)\s)?(?:{_MAKES}|behind|(?:the\s)?(?:maker|vendor)\sof)\b(?!\sfor\b)"
    r"|^(?:the\s)?(?:maker|vendor|manufacturer)\sof\b|\bfrom\s(?:which|what)\s(?:company|vendor|maker)\b"
    r"|\b(?:which|what)\s(?:company|vendor|maker)\s(?:is|are)\b.*\bfrom\W*$",
    re.I,
)
# "is it made by", "is it from", "is it an X chip"
_IS_ITS = re.compile(rf"\b(?:{_MAKES}\sby|from|an?)\s(?:the\s)?$", re.I)
_MORE = re.compile(r"\b(?:not|never|than|like|as|for)\b|n['’]t\b", re.I)
_DOES_MAKE = re.compile(rf"^(?:does|do|did)\s.*\b{_MAKES}\b", re.I)
_THEY_MAKE = re.compile(rf"\s(?:has\s|have\s)?{_MAKES}\b", re.I)
_MADE_OF = ("foundry", "designer")  # metrics that the same words may ask for
_FABS = "foundry"
_PLAIN = (Role.BODY, Role.LIST)
_MOST = 3  # products


def maker_of(question: Question, store: Store, domain: Domain, names: Names) -> Told | None:
    """The maker of each product that is named, or whether it is the one asked about; None where more is asked."""
    # a line of one maker's has one, too: "who makes Gaudi"
    told = [ids[0] for ids in question.subjects if len(ids) == 1]
    lines = not question.wants_verdict  # "is it an NVIDIA GPU" is asked of what stands before
    products = [i for i in told if domain.entities[i].kind != "line" or (lines and domain.entities[i].vendor)]
    named = _makers(question, domain)
    others = [t for t in question.terms if not any(domain.terms[t].name in m.ids for m in named)]  # "at TSMC"
    metrics = set(question.metrics) - set(_MADE_OF)
    says_more = set(question.free_words) - domain.change_nothing("maker")
    if not products or len(products) > _MOST or metrics or says_more or question.years or _MORE.search(question.text):
        return None
    if question.wants_verdict:
        if len(products) > 1 or len(named) != 1 or others or not _is_asked(question.text, named[0]):
            return None
        said = Ruling.YES if domain.entities[products[0]].vendor in named[0].ids else Ruling.NO
        return _told(products, said, store, domain, names)
    return _told(products, None, store, domain, names) if _WHO.search(question.text) and not named else None


def _makers(question: Question, domain: Domain) -> list[Mention]:
    """The makers that are named by themselves: "NVIDIA" of "an NVIDIA chip", and not of "NVIDIA H100"."""
    products = [m for m in domain.find_entities(question.text) if any(domain.is_specific(i) for i in m.ids)]
    return [m for m in domain.find_makers(question.text) if not any(p.start <= m.start < p.end for p in products)]


def _is_asked(text: str, maker: Mention) -> bool:
    said = _IS_ITS.search(text[: maker.start]) or _DOES_MAKE.search(text) or _THEY_MAKE.match(text, maker.end)
    return said is not None


def _told(products: list[str], verdict: Ruling | None, store: Store, domain: Domain, names: Names) -> Told | None:
    said: list[str] = []
    citations: list[Cited] = []
    for product in products:
        evidence = next(_named_as_theirs(product, store, domain), None)
        if evidence is None:
            return None
        citations.append(Cited(evidence))
        said.append(f"{names.name(product)}: maker {domain.entities[product].vendor}. [{len(citations)}]")
        fact = next((f for f in store.facts(covered(names, product), (_FABS,)) if store.holds(f)), None)
        if fact is not None and not verdict and not domain.is_many(product):
            citations += cite(store, [fact])
            said.append(f"It is built by {value_text(fact, names)}. [{len(citations)}]")
    return Told.of(" ".join(said), citations, lead=verdict)


def _named_as_theirs(product: str, store: Store, domain: Domain) -> Iterator[Evidence]:
    """Sentences that have the maker's name right before the product's: "Google's TPU v6e", "Intel Gaudi 3"."""
    maker = domain.entities[product].vendor
    for surface in _surfaces(product, maker, domain) if maker else ():
        theirs = re.compile(rf"\b{re.escape(maker)}(?:['’]s)?\s{re.escape(surface)}\b", re.I)
        rows = [row for row, _ in store.match([f"{maker} {surface}", f"{maker}'s {surface}"], _MOST)]
        for stored in store.passages(rows).values():
            for s in stored.sentences if stored.passage.role in _PLAIN else ():
                if theirs.search(stored.passage.text, s.start, s.end):
                    yield span_evidence(stored.passage, store.find_source(stored.passage.source), s.start, s.end)


def _surfaces(product: str, maker: str, domain: Domain) -> list[str]:
    """The names of a product and of what it is a variant of, without the maker's; last the line that names it: "TPU"."""
    own = [domain.entities[i] for i in domain.ancestors(product) if i == product or not domain.is_many(i)]
    names = [name.removeprefix(f"{maker} ") for e in own for name in (e.name, *e.aliases)]
    return list(dict.fromkeys((*names, domain.entities[product].name.split()[0])))
