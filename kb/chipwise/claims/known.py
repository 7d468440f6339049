"""What the facts table gives of products, to tell what a figure is of that a text gives in passing.

    below "H200": "It stays inside the same 700 W envelope"       the H200's TDP is 700 W, so it is that
    "... next to the H100. The new one: 141 GB"                   of the two that are named, the H200 has so much

A reader who knows the chips reads so, too. Only a figure that agrees with the table is read by it; that one so read
tells whom the figures beside it are of, which may depart from the table, is `recognising`'s to say.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from chipwise import patterns as re
from chipwise.claims.implying import implied
from chipwise.claims.model import Claim, Fact
from chipwise.domain.model import Domain
from chipwise.numbers.quantities import Quantity

_NUMBER = re.compile(r"\d[\d.,]*")
_OF_SOME = ("pair", "group")  # of cards, which a text may name by one of them
_LEAST = {"measured": 3, "priced": 4}  # telling digits of a figure that can hardly be of anything else


class Known:
    """The figures that facts give, by what they are of; false where no facts are given."""

    def __init__(self, domain: Domain, facts: Iterable[Fact] = ()) -> None:
        self.domain = domain
        self._figures: dict[str, list[Claim]] = {}
        self._dates: dict[str, list[tuple[str, str]]] = {}
        self._units: dict[str, Counter[str]] = {}
        self._like: dict[str, list[str]] = {}  # variants by what they are of, for the names that were asked about
        for fact in facts:
            claim = fact.claim
            of_two = domain.is_chip(claim.subject) and claim.qualifier("aggregation") in _OF_SOME
            if claim.quantity is not None and fact.rank != "deprecated" and not (claim.quantity.compares or of_two):
                self._figures.setdefault(claim.subject, []).append(claim)
                self._units.setdefault(claim.metric, Counter())[claim.quantity.unit] += 1
            elif claim.metric in domain.metrics and domain.metrics[claim.metric].dimension == "date":
                self._dates.setdefault(claim.subject, []).append((claim.metric, claim.object))

    def __bool__(self) -> bool:
        return bool(self._figures)

    def has(self, subject: str, metric: str, figure: Quantity) -> bool:
        """True where the table gives `subject` such a figure of a metric."""
        return any(self._agrees(metric, figure, known) for known in self._of(subject, metric))

    def gives_any(self, subject: str, metric: str) -> bool:
        """Whether any figure of that metric is known of `subject`, of a variant of it or, for a variant, of its chip."""
        return bool(self._of(subject, metric))

    def gives(self, claim: Claim) -> bool:
        """True where the table gives the subject of a claim its figure."""
        return claim.quantity is not None and self.has(claim.subject, claim.metric, claim.quantity)

    def figures(self, subject: str) -> list[tuple[str, Quantity]]:
        """All that is given of a product and of its variants, and of its chip for a variant: metrics with figures."""
        return [(fact.metric, fact.quantity) for fact in self.facts(subject) if fact.quantity is not None]

    def facts(self, subject: str) -> list[Claim]:
        """The same with their qualifiers, what is given of the product itself first."""
        named = dict.fromkeys((subject, self.domain.chip_of(subject), *self._variants(subject)))
        return [fact for i in named for fact in self._figures.get(i, ())]

    def dates(self, subject: str) -> list[tuple[str, str]]:
        """The metrics that are dates with those of a product, or of its chip: ("announcement_date", "2022-03-22")."""
        return self._dates.get(subject) or self._dates.get(self.domain.chip_of(subject), [])

    def units_of(self, metric: str) -> tuple[str, ...]:
        """The units in which figures of a metric are given, the commonest first; of those of one size one."""
        units = (unit for unit, _ in self._units.get(metric, Counter()).most_common() if unit in self.domain.units)
        return tuple({self.domain.units[u].scale: u for u in reversed([*units])}.values())[::-1]

    def metric_of(self, subject: str, figure: Quantity, telling: int) -> str:
        """The one metric of which `subject` has such a figure, "" where it has none or several, or too few digits tell."""
        found = [m for m in {m for m, _ in self.figures(subject)} if self.has(subject, m, figure)]
        metric = self.domain.metrics[found[0]] if len(found) == 1 else None
        tells = metric is not None and metric.dimension != "count" and telling >= _LEAST.get(metric.nature, 1)
        return metric.id if metric is not None and tells else ""

    def _of(self, subject: str, metric: str) -> list[Quantity]:
        """What is given of a product and of its variants, else of its chip for a variant."""
        own = self._given(subject, metric)
        if not self.domain.is_chip(subject):
            return own
        own += [q for i in self._variants(subject) for q in self._given(i, metric)]
        return own or self._given(self.domain.chip_of(subject), metric)

    def _given(self, subject: str, metric: str) -> list[Quantity]:
        return [c.quantity for c in self._figures.get(subject, ()) if c.metric == metric and c.quantity is not None]

    def _variants(self, subject: str) -> list[str]:
        """Those of a chip, and those whose names go on from a variant's: the A100 SXM 40GB for the "A100 40GB"."""
        if subject not in self._like:
            of = self.domain.variants(self.domain.chip_of(subject)) if self.domain.is_chip(subject) else []
            name = set(self.domain.entities[subject].name.split()) if of else set()
            self._like[subject] = [i for i in of if i != subject and name <= set(self.domain.entities[i].name.split())]
        return self._like[subject]

    def _agrees(self, metric: str, figure: Quantity, known: Quantity) -> bool:
        told = figure.form == "value" and figure.bound in ("exact", "about") and not figure.compares
        return told and implied(self.domain, self.domain.metrics[metric], figure).agrees_with(_at_its_end(known))


def _at_its_end(known: Quantity) -> Quantity:
    """What is known to be at least so much, as that much: "512 TB/s" is no figure of what has at least 2."""
    ends = {"at least": known.low, "at most": known.high}
    return replace(known, low=ends[known.bound], high=ends[known.bound]) if known.bound in ends else known


def telling_digits(written: str) -> int:
    """How many digits of a figure tell something: 3 of "$2.10" and of "141 GB", 1 of "80 GB" and of "0.9 TB"; 0 without a number."""
    number = _NUMBER.search(written)
    bare = number[0].replace(",", "").lstrip("0.") if number else ""
    return len(bare.replace(".", "")) if "." in bare else len(bare.rstrip("0"))
