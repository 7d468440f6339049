"""Answers that are sums of facts and of figures in the question, with the formula and where each input stands.

    "BF16 peak of eight v5p chips"  ->  "Total = chips x what one has: 8 chips x 459 TFLOPS [1] = 3,672 TFLOPS."

What a question can ask for is data (derivations.toml). A sum is made only where every
input can be filled and every figure of the question is used; else the passages answer.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from chipwise.asking.answers import NO, YES
from chipwise.asking.givens import ALL, CHIP, POD, Asked, Filled, Given, number, read_question
from chipwise.asking.kinds import FIGURE, Kind
from chipwise.asking.pricing import offers_for
from chipwise.asking.question import Question
from chipwise.asking.quoting import Told
from chipwise.asking.ranking import products
from chipwise.asking.workings import compose, worth
from chipwise.claims.model import Fact
from chipwise.domain.degrees import DOWNWARD
from chipwise.domain.formulas import Derivation, DerivationInput
from chipwise.domain.model import Domain
from chipwise.domain.names import Names
from chipwise.index.store import Store
from chipwise.lookups.lookup import covered, name_words
from chipwise.lookups.phrasing import value_text
from chipwise.types import Evidence

MOST = 4  # variants of one chip, or several chips, each with a sum of its own
_TOP = 3  # of a ranking
_CLOSE = 30  # characters that a pattern covers, beyond which it says nothing of what stands in between
_SAID = re.compile(
    r"\b(?:why|should|better|worth|disagree|claim(?:s|ed)?|according|source|announce[ds]?|history|who|when|where|"
    r"cheaper|cheapest|explain|average|real-world)\b",
    re.I,
)
_SETS_BESIDE = re.compile(r"\b(?:compare[ds]?|versus|vs)\b", re.I)


def reckon(question: Question, store: Store, domain: Domain, names: Names) -> Told | None:
    """The answer's text, its citations and the facts in it; None where no derivation has all that it needs."""
    if _says_more(question):
        return None
    possible = [d for d in domain.derivations.values() if _may_be_asked(d, question, domain)]
    asked = read_question(question, store, domain) if possible else None
    if asked is None:
        return None
    ranks = question.wants_ranking and not asked.figures  # "the biggest model for 80 GB" ranks no chips
    if ranks:  # one figure of each is ranked without a sum
        possible = [d for d in possible if sum(bool(i.metrics) for i in d.inputs) > 1]
    for derivation in possible:
        if not any(_found(p, asked.text) for p in derivation.asks) or any(
            _found(p, asked.text) for p in derivation.never
        ):
            continue
        if any(word.removesuffix("s") not in _wording(derivation) for word in asked.words):
            continue
        if _asks_more(derivation, asked, domain):
            continue
        sums = _Sums(derivation, asked, store, domain, names)
        if ranks:
            return _ranked(derivation, asked, sums.of_each(products(question, domain)), store, domain, names)
        found = sums.all()
        if found:
            told = compose(derivation, asked, found, store, domain, names)
            return told._replace(text=_verdict(derivation, asked, found) + told.text)
    return None


def _verdict(derivation: Derivation, asked: Asked, sums: Sequence[tuple[str, dict[str, Filled]]]) -> str:
    """Whether the chips that the question asks about are as many as it takes; "" where it does not ask, or variants differ."""
    if not (derivation.enough and asked.question.wants_verdict):
        return ""
    there = asked.chips.value if asked.chips is not None else 1
    enough = {worth(derivation, filled) <= there for _, filled in sums}
    return "" if len(enough) > 1 else YES if True in enough else NO


def _says_more(question: Question) -> bool:
    """True for what no sum answers: reasons, opinions, what was at some time, two things of which one is not named."""
    alone = len(question.subjects) < 2  # noqa: PLR2004
    told = _SAID.search(question.text) or (alone and _SETS_BESIDE.search(question.text))
    return bool(told or question.kind is Kind.WHY or question.years or question.wants_opinion)


def _ranked(
    derivation: Derivation,
    asked: Asked,
    sums: Sequence[tuple[str, dict[str, Filled]]],
    store: Store,
    domain: Domain,
    names: Names,
) -> Told | None:
    """The highest (or lowest) of the sums of many chips."""
    least = DOWNWARD.search(asked.question.text) is not None
    order = sorted(sums, key=lambda named: worth(derivation, named[1]), reverse=not least)
    first: dict[tuple[str, ...], tuple[str, dict[str, Filled]]] = {}
    for name, filled in order:  # of an H200 and its variant that have the same facts the one that is listed first
        first.setdefault(tuple(f.fact.id for f in filled.values() if f.fact), (name, filled))
    if not order:
        return None
    told = compose(derivation, asked, list(first.values())[:_TOP], store, domain, names)
    return told._replace(
        text=f"{'Lowest' if least else 'Highest'} first, of {len(first)} whose figures are known: {told.text}"
    )


def _asks_more(derivation: Derivation, asked: Asked, domain: Domain) -> bool:
    """True when the question names a metric that has no part in the sum: "serve a 70B model in FP8 at low latency"."""
    units = [domain.units[u].dimension for u in (derivation.unit, derivation.larger) if u in domain.units]
    metrics = [domain.metrics[m].dimension for i in derivation.inputs for m in i.metrics]
    dimensions = {"count", "text", *units, *metrics, *(kind for i in derivation.inputs for kind in i.given)}
    kinds = {d.partition("_")[0] for d in dimensions}  # a price is asked about as a price per hour
    patterns = (*derivation.asks, *(p for i in derivation.inputs for p, _, _ in i.words))
    parts = [m.span() for p in patterns if p != "." for m in re.finditer(p, asked.text, re.I) if len(m[0]) < _CLOSE]
    parts += [(g.start, g.end) for g in asked.figures]
    parts += [(m.start, m.end) for m in domain.find_qualifiers(asked.question.text)]
    return not all(
        domain.metrics[mention.ids[0]].dimension.partition("_")[0] in kinds
        or any(start < mention.end and mention.start < end for start, end in parts)
        for mention in domain.find_metrics_asked(asked.question.text)
    )


def _wording(derivation: Derivation) -> str:
    """All that its patterns have words for."""
    said = (pattern for wanted in derivation.inputs for pattern, _, _ in wanted.words)
    return " ".join((*derivation.asks, *said)).lower()


def _found(pattern: str, text: str) -> bool:
    return re.search(pattern, text, re.I) is not None


def _may_be_asked(derivation: Derivation, question: Question, domain: Domain) -> bool:
    """A first look, without the finding of quantities."""
    if not any(_found(pattern, question.text) for pattern in derivation.asks):
        return False
    many = any(domain.holds_several(i) for ids in question.subjects for i in ids) or POD.search(question.text)
    figure = FIGURE.search(question.text)
    for wanted in derivation.inputs:
        if wanted.chips and not (figure or many):
            return False
        if wanted.given and not (wanted.words or wanted.metrics or figure):
            return False
        if wanted.metrics and not wanted.given and _metric(wanted, question, domain) is None:
            return False
    return True


def _metric(wanted: DerivationInput, question: Question, domain: Domain) -> str | None:
    """The metric that an input is of: the only one, or the one that the question names."""
    if len(wanted.metrics) == 1:
        return wanted.metrics[0]
    # what can be said of several metrics ("HBM") is said of the first
    asked = list(dict.fromkeys(m.ids[0] for m in domain.find_metrics_asked(question.text)))
    others = [m for m in asked if m not in wanted.metrics and domain.metrics[m].dimension not in ("count", "text")]
    named = [m for m in asked if m in wanted.metrics]
    return None if not named or (wanted.alone and (others or len(named) > 1)) else named[0]


class _Sums:
    """One derivation with the inputs that a question and the facts give."""

    def __init__(self, derivation: Derivation, asked: Asked, store: Store, domain: Domain, names: Names) -> None:
        self.derivation, self.asked = derivation, asked
        self.store, self.domain, self.names = store, domain, names

    def all(self) -> list[tuple[str, dict[str, Filled]]]:
        """By symbol what is put in, once, or once for each variant ("NVIDIA H100 SXM") where variants differ."""
        pairs = any(i.of for i in self.derivation.inputs)
        chips = list(dict.fromkeys(filter(None, map(self.domain.nearest_chip, self.asked.subjects))))
        plain = len(chips) == len(self.asked.subjects) == 2 and self.asked.chips is None if pairs else len(chips) <= 1  # noqa: PLR2004
        if not plain:
            apart = not pairs and self.asked.chips is None and len(chips) == len(self.asked.subjects) <= MOST
            each = self.of_each(chips) if apart else []
            return each if len(each) == len(chips) else []
        filled = self._fill(chips)
        if filled is not None:
            return [("", filled)]
        members = self.names.members(chips[0]) if len(chips) == 1 and self._wants_facts() else []
        # the GPU of a GB200 is no B200 that stands in a machine of eight
        variants = [v for v in members if name_words(self.names, chips[0]) <= name_words(self.names, v)]
        each = [(self.names.name(v), f) for v in variants if (f := self._fill([v])) is not None and self._has_own(v, f)]
        return each if 0 < len(each) <= MOST else self._by_provider(chips)

    def of_each(self, chips: Sequence[str]) -> list[tuple[str, dict[str, Filled]]]:
        """For each of several chips what is put in, with its name; of one whose variants differ, for the first that has all."""
        found = []
        for chip in chips:
            variants = (chip, *self.names.members(chip))
            filled = [(self.names.name(v), f) for v in variants if (f := self._fill([v])) is not None]
            dear = ((self.names.name(v), self._by_provider([v])) for v in variants if not filled)
            found += filled[:1] or [(f"{name} at {at}", f) for name, each in dear for at, f in each[:1]][:1]
        return found

    def _by_provider(self, chips: Sequence[str]) -> list[tuple[str, dict[str, Filled]]]:
        """With the lowest price and with the highest, where several providers have one."""
        wanted = next((i for i in self.derivation.inputs if i.offers), None)
        offers = offers_for(wanted, self.asked, chips, self.store, self.domain, self.names) if wanted else {}
        if len(offers) < 2:  # noqa: PLR2004
            return []
        ends = [(provider, self._fill(chips, provider)) for provider in (next(iter(offers)), next(reversed(offers)))]
        said = (f"lowest of {len(offers)} providers", "highest")
        return [
            (f"{self.names.name(provider)} ({words})", filled)
            for (provider, filled), words in zip(ends, said, strict=True)
            if filled is not None
        ]

    def _offer(self, wanted: DerivationInput, chips: Sequence[str], provider: str) -> Filled | None:
        """One price: that of `provider`, else the only one there is."""
        offers = offers_for(wanted, self.asked, chips, self.store, self.domain, self.names)
        offer = offers.get(provider) if provider else next(iter(offers.values())) if len(offers) == 1 else None
        if offer is None:
            return None
        return Filled(value_text(offer.fact, self.names), offer.value, offer.fact, shown=offer.shown)

    def _wants_facts(self) -> bool:
        return any(i.metrics for i in self.derivation.inputs)

    @staticmethod
    def _has_own(variant: str, filled: Mapping[str, Filled]) -> bool:
        return any(f.fact is not None and f.fact.claim.subject == variant for f in filled.values())

    def _fill(self, chips: Sequence[str], provider: str = "") -> dict[str, Filled] | None:
        left = list(self.asked.figures)
        filled: dict[str, Filled] = {}
        for wanted in self.derivation.inputs:
            found = (
                self._given(wanted, left)
                or self._said(wanted)
                or (self._offer(wanted, chips, provider) if wanted.offers else self._fact(wanted, chips))
                or self._constant(wanted)
            )
            if found is None:
                return None
            if found.given in left:
                left.remove(found.given)
            filled[wanted.symbol] = found
        scaled = self._scaled(filled)
        return scaled if scaled is not None and self._is_whole(left, scaled) else None

    def _given(self, wanted: DerivationInput, left: Sequence[Given]) -> Filled | None:
        if wanted.chips:
            return self.asked.chips
        fitting = [g for g in left if g.kind in wanted.given]
        if len(fitting) != 1:
            return None
        given = fitting[0]
        unit = self.domain.units.get(wanted.unit)
        if unit is None:
            return Filled(given.text, given.value, given=given)
        converted = f"{number(given.value / unit.scale)} {wanted.unit}s"
        text = given.text if given.text == converted else f"{converted} ({given.text})"
        return Filled(text, given.value / unit.scale, given=given)

    def _said(self, wanted: DerivationInput) -> Filled | None:
        """What the question says without a figure: a precision, "a week"."""
        bits = dict(wanted.values).get(self.asked.wanted.get(wanted.by, ""))
        if bits is not None:
            return Filled(f"{number(bits)} {wanted.text}", bits)
        for pattern, value, text in wanted.words:
            if _found(pattern, self.asked.text):
                return self._cited(wanted, text, value)
        return None

    def _constant(self, wanted: DerivationInput) -> Filled | None:
        return self._cited(wanted, wanted.text, wanted.value) if wanted.value else None

    def _cited(self, wanted: DerivationInput, text: str, value: float) -> Filled | None:
        if not wanted.source:
            return Filled(text, value)
        evidence = quoted(self.store, wanted.source, wanted.quote)
        return Filled(text, value, evidence=evidence) if evidence is not None else None

    def _fact(self, wanted: DerivationInput, chips: Sequence[str]) -> Filled | None:
        """The preferred figure of one chip; None where there are several of the kind."""
        metric = _metric(wanted, self.asked.question, self.domain) if wanted.metrics else None
        if metric is None or len(chips) < max(1, wanted.of):
            return None
        if wanted.machine:
            return self._of_machine(wanted, metric)
        subject, axes = chips[max(0, wanted.of - 1)], self.domain.metrics[metric].qualifiers
        stated = {**dict(wanted.qualifiers), **self.asked.wanted}
        sought = {axis: value for axis, value in stated.items() if axis in axes}
        found = self.store.facts(covered(self.names, subject), [metric])
        fitting = [f for f in found if self._stands(f) and _fits(f, sought)]
        for kin in (lambda s: s == subject, self.domain.ancestors(subject).__contains__, lambda _: True):
            near = [f for f in fitting if kin(f.claim.subject)]
            if near:
                one = all(f.is_exact for f in near) and len({f.amount for f in near}) == 1
                return Filled(value_text(near[0], self.names), near[0].amount, near[0]) if one else None
        return None

    def _of_machine(self, wanted: DerivationInput, metric: str) -> Filled | None:
        """The preferred figure of the very machine asked about; what it draws at most is what room has to be made for."""
        machines = [s for s in self.asked.subjects if self.domain.holds_several(s)]
        found = self.store.facts(machines, [metric]) if len(machines) == 1 else []
        sought = dict(wanted.qualifiers)
        here = [f for f in found if f.rank == "preferred" and self.store.find_source(f.claim.source) is not None]
        bound = [q for f in here if _fits(f, sought) and (q := f.claim.quantity) is not None and q.bound != "at least"]
        if len(here) != 1 or len(bound) != 1 or bound[0].form == "range":
            return None
        return Filled(value_text(here[0], self.names).removeprefix("at most "), bound[0].high, here[0])

    def _stands(self, fact: Fact) -> bool:
        """True for what is preferred, of one chip, and cited from a source that is here."""
        of_one = fact.claim.qualifier("aggregation") in ("", "chip") and fact.claim.qualifier("basis") in ("", "peak")
        return fact.rank == "preferred" and of_one and self.store.holds(fact)

    def _scaled(self, filled: Mapping[str, Filled]) -> dict[str, Filled] | None:
        """The inputs for as many chips as the formula wants them; None where it is not told what a figure is of."""
        per = {i.symbol: i.per for i in self.derivation.inputs if i.per}
        scopes = self._scopes(filled)
        same = {scopes[s] for s in scopes if per[s] == "same"}
        scaled = dict(filled)
        for symbol, scope in scopes.items():
            if self.asked.chips is not None and not scope and per[symbol] != "whole":
                return None
            if (per[symbol] == "whole" and scope == CHIP) or (per[symbol] == "chip" and scope == ALL):
                return None
            if scope == CHIP and (per[symbol] == "all" or same == {CHIP, ALL}):
                if self.asked.chips is None:
                    if per[symbol] == "same":
                        return None
                    continue
                one, n = filled[symbol], self.asked.chips
                scaled[symbol] = Filled(f"{one.text} x {{n}}", one.value * n.value, given=one.given)
                scaled["{n}"] = n
        return scaled

    def _scopes(self, filled: Mapping[str, Filled]) -> dict[str, str]:
        """By symbol whether a figure is of one chip or of all, "" where the question does not tell."""
        # what is said with an instance and not of a chip is of the instance; a slice may be priced by the chip
        usual = ALL if any(self.domain.entities[s].kind == "system" for s in self.asked.subjects) else ""
        many = any(self.domain.holds_several(s) for s in self.asked.subjects) or self.asked.chips is not None
        scopes: dict[str, str] = {}
        for wanted in self.derivation.inputs:
            given = filled[wanted.symbol].given
            if wanted.per and given is not None:
                scopes[wanted.symbol] = given.scope or usual
            elif wanted.per and wanted.offers:
                scopes[wanted.symbol] = ALL if many and wanted.offers == "all" else CHIP
        return scopes

    def _is_whole(self, left: Sequence[Given], filled: Mapping[str, Filled]) -> bool:
        """True when no figure of the question is left over, and the result is not that of a chip where a system is asked about."""
        n = self.asked.chips
        of_system = any(i.offers == "system" or i.machine for i in self.derivation.inputs)
        judges = self.derivation.enough and self.asked.question.wants_verdict
        uses = any(f is n for f in filled.values()) or (n is not None and (of_system or judges))
        if any(not (n is not None and uses and g is n.given) for g in left):
            scopes = set(self._scopes(filled).values())
            return n is not None and len(left) == 1 and left[0] is n.given and (CHIP in scopes or scopes == {ALL})
        if n is not None and not uses and any(f.fact for f in filled.values()):
            return False
        given = [f.given for f in filled.values() if f.given is not None and f.given.kind != "chips"]
        metric = next((f.fact.claim.metric for f in filled.values() if f.fact and f is not n), "")
        unit = self.domain.units.get(self.derivation.unit)
        another = unit is not None and metric and unit.dimension != self.domain.metrics[metric].dimension
        return bool(given or another) or not self._is_stated(metric)

    def _is_stated(self, metric: str) -> bool:
        """True when a fact of the very system gives what would be the sum."""
        systems = [s for s in self.asked.subjects if self.domain.holds_several(s)]
        dtype = self.asked.wanted.get("dtype", "")
        stated = self.store.facts(systems, [metric]) if systems and metric else []
        return any(
            f.rank == "preferred" and f.is_exact and f.claim.qualifier("dtype") in ("", dtype or "bf16") for f in stated
        )


def _fits(fact: Fact, sought: Mapping[str, str]) -> bool:
    """True when a fact states what is sought, or what goes without saying."""
    loose = {("sparsity", "dense"), ("capacity", "usable"), *(("form_factor", sought.get("form_factor", "")),)}
    return all(fact.claim.qualifier(a) in ((v, "") if (a, v) in loose else (v,)) for a, v in sought.items())


def quoted(store: Store, source: str, quote: str) -> Evidence | None:
    """Where `quote` stands in a source, None where it does not."""
    info = store.find_source(source)
    for stored in store.source_passages(source) if info is not None else ():
        passage = stored.passage
        at = passage.text.find(quote)
        if at >= 0 and info is not None:
            start, line = passage.start + at, passage.line + passage.text.count("\n", 0, at)
            return Evidence(
                source=source, title=info.title, origin=info.origin, publisher=info.publisher, published=info.published,
                heading=passage.heading, role=passage.role, quote=quote, start=start, end=start + len(quote),
                line=line, page=passage.page, passage=passage.id,
            )  # fmt: skip
    return None
