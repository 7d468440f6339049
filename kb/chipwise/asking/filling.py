"""What is put into a derivation: for each symbol a figure of the question, a fact, a price, or a constant of the data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from chipwise.asking.amounts import number
from chipwise.asking.derivable import metric_of, stands_in
from chipwise.asking.givens import ALL, CHIP, Asked, Filled, Given
from chipwise.asking.pricing import offers_for
from chipwise.audit.evidence import span_evidence
from chipwise.claims.model import Fact
from chipwise.domain.formulas import Derivation, DerivationInput
from chipwise.domain.model import Domain
from chipwise.domain.names import Names
from chipwise.index.store import Store
from chipwise.lookups.alike import without_slower_units
from chipwise.lookups.lookup import covered, name_words
from chipwise.lookups.phrasing import value_text
from chipwise.numbers.quantity import Quantity
from chipwise.types import Evidence

_NEAR = 2.0  # times what a chip has: a figure of that order is of one, not of hundreds
MOST = 4  # variants of one chip, or several chips, each with a sum of its own


class Sums:
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
        beside = self.derivation.beside
        left = [g for g in self.asked.figures if g.kind not in beside and self._is_of(g, chips)]
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

    def _is_of(self, given: Given, chips: Sequence[str]) -> bool:
        """False for a figure that is said of another product."""
        return not given.of or any(self.domain.are_kin(given.of, chip) for chip in chips)

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
            if stands_in(pattern, self.asked.text):
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
        metric = metric_of(wanted, self.asked.question, self.domain) if wanted.metrics else None
        if metric is None or len(chips) < max(1, wanted.of):
            return None
        if wanted.machine:
            return self._of_machine(wanted, metric)
        subject, axes = chips[max(0, wanted.of - 1)], self.domain.metrics[metric].qualifiers
        stated = {**dict(wanted.qualifiers), **self.asked.wanted}
        if len(self.asked.subjects) > 1:  # it names one of them
            stated.pop("form_factor", None)
        sought = {axis: value for axis, value in stated.items() if axis in axes}
        found = self.store.facts(covered(self.names, subject), [metric])
        fitting = without_slower_units([f for f in found if self._stands(f) and _fits(f, sought)], self.names)
        for kin in (lambda s: s == subject, self.domain.ancestors(subject).__contains__, lambda _: True):
            near = [f for f in fitting if kin(f.claim.subject)]
            near = [
                f for f in near if f.claim.qualifier("capacity") == "usable"
            ] or near  # of what is built in and what can be used
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
        return Filled(value_text(here[0], self.names).removeprefix("at most "), _at_most(bound[0]), here[0])

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
                supposed = " per chip" if one.given is not None and not one.given.scope else ""
                scaled[symbol] = Filled(f"{one.text}{supposed} x {{n}}", one.value * n.value, given=one.given)
                scaled["{n}"] = n
        return scaled

    def _is_of_one(self, given: Given) -> bool:
        """True for what one of the chips has, more or less, and not all of them: the $2.50 an hour of "512 H100 at $2.50 an hour".

        Of two chips 700 W may as well be what both draw.
        """
        many = self.asked.chips
        if many is None:
            return False
        metrics = [m.id for m in self.domain.metrics.values() if m.dimension == given.kind]
        chips = [chip for s in self.asked.subjects if (chip := self.domain.nearest_chip(s))]
        facts = self.store.facts([v for chip in chips for v in covered(self.names, chip)], metrics)
        known = [f.amount for f in facts if self._stands(f) and f.amount]
        of_one, of_all = (
            any(1 / _NEAR <= value / amount <= _NEAR for amount in known)
            for value in (given.value, given.value / many.value)
        )
        return of_one and not of_all

    def _scopes(self, filled: Mapping[str, Filled]) -> dict[str, str]:
        """By symbol whether a figure is of one chip or of all, "" where the question does not tell."""
        # what is said with an instance and not of a chip is of the instance; a slice may be priced by the chip
        usual = ALL if any(self.domain.entities[s].kind == "system" for s in self.asked.subjects) else ""
        many = any(self.domain.holds_several(s) for s in self.asked.subjects) or self.asked.chips is not None
        scopes: dict[str, str] = {}
        for wanted in self.derivation.inputs:
            given = filled[wanted.symbol].given
            if wanted.per and given is not None:
                scopes[wanted.symbol] = given.scope or usual or (CHIP if self._is_of_one(given) else "")
            elif wanted.per and wanted.offers:
                scopes[wanted.symbol] = ALL if many and wanted.offers == "all" else CHIP
        return scopes

    def _is_whole(self, left: Sequence[Given], filled: Mapping[str, Filled]) -> bool:
        """True when no figure of the question is left over, and the result is not that of a chip where a system is asked about."""
        n = self.asked.chips
        of_system = any(i.offers == "system" or i.machine for i in self.derivation.inputs)
        judges = bool(self.derivation.needs) and self.asked.question.wants_verdict
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
        metrics = [self.domain.metric_of(metric, s) for s in systems] if metric else []
        stated = self.store.facts(systems, metrics) if metrics else []
        return any(
            f.rank == "preferred"
            and f.claim.quantity is not None
            and f.claim.qualifier("dtype") in ("", dtype or "bf16")
            for f in stated
        )


def _at_most(quantity: Quantity) -> float:
    """The figure as it is written: of "at most 10.2 kW" its end, of "about 120 kW" its middle."""
    return quantity.high if quantity.bound == "at most" else quantity.middle


def _fits(fact: Fact, sought: Mapping[str, str]) -> bool:
    """True when a fact states what is sought, or what goes without saying."""
    loose = {("sparsity", "dense"), ("capacity", "usable"), *(("form_factor", sought.get("form_factor", "")),)}
    return all(fact.claim.qualifier(a) in ((v, "") if (a, v) in loose else (v,)) for a, v in sought.items())


def quoted(store: Store, source: str, quote: str) -> Evidence | None:
    """Where `quote` stands in a source, None where it does not."""
    info = store.find_source(source)
    for stored in store.source_passages(source) if info is not None else ():
        at = stored.passage.text.find(quote)
        if at >= 0:
            return span_evidence(stored.passage, info, at, at + len(quote))
    return None
