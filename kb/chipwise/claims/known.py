"""What the facts table gives of products, to tell what a figure is of that a text gives in passing.

    below "H200": "It stays inside the same 700 W envelope"       the H200's TDP is 700 W, so it is that
    "... next to the H100. The new one: 141 GB"                   of the two that are named, the H200 has so much

A reader who knows the chips reads so, too. Nothing wrong is made of a figure by what is known: only one that
agrees with the table is read by it, and one that departs from it stays as unread as it was.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from chipwise.claims.model import Fact
from chipwise.domain.model import Domain
from chipwise.domain.records import Metric
from chipwise.numbers.quantities import Quantity

_NUMBER = re.compile(r"\d[\d.,]*")
_OF_SOME = ("pair", "group")  # of cards, which a text may name by one of them
_LEAST = {"measured": 3, "priced": 4}  # digits of a figure that can hardly be of anything else


class Known:
    """The figures that facts give, by what they are of."""

    def __init__(self, domain: Domain, facts: Iterable[Fact] = ()) -> None:
        self.domain = domain
        self._figures: dict[str, list[tuple[str, Quantity]]] = {}
        for fact in facts:
            claim = fact.claim
            of_two = domain.is_chip(claim.subject) and claim.qualifier("aggregation") in _OF_SOME
            if claim.quantity is not None and fact.rank != "deprecated" and not (claim.quantity.compares or of_two):
                self._figures.setdefault(self._whose(claim.subject), []).append((claim.metric, claim.quantity))

    def __bool__(self) -> bool:
        """False where no facts are given."""
        return bool(self._figures)

    def _whose(self, subject: str) -> str:
        """Variants are read as their chip."""
        return (self.domain.is_chip(subject) and self.domain.chip_of(subject)) or subject

    def metric_of(self, subject: str, figure: Quantity, digits: int) -> str:
        """The one metric of which `subject` has such a figure, "" where it has none, it is several's or it tells too little."""
        found = {m for m, known in self._of(subject, figure) if _agrees(self.domain, m, figure, known)}
        metric = self.domain.metrics[found.pop()] if len(found) == 1 else None
        if metric is None or metric.dimension == "count" or digits < _LEAST.get(metric.nature, 1):
            return ""
        return metric.id

    def has(self, subject: str, metric: str, figure: Quantity) -> bool:
        """True where the table gives `subject` such a figure of a metric."""
        return any(m == metric and _agrees(self.domain, m, figure, known) for m, known in self._of(subject, figure))

    def speaks_of(self, subject: str, metric: str) -> bool:
        """True where the table gives `subject` some figure of a metric."""
        return any(m == metric for m, _ in self._figures.get(self._whose(subject), ()))

    def _of(self, subject: str, figure: Quantity) -> list[tuple[str, Quantity]]:
        told = figure.form == "value" and figure.bound in ("exact", "about") and not figure.compares
        return self._figures.get(self._whose(subject), []) if told else []


def _agrees(domain: Domain, metric: str, figure: Quantity, known: Quantity) -> bool:
    return implied(domain, domain.metrics[metric], figure).agrees_with(known)


def digits(written: str) -> int:
    """How many digits of a figure tell something: 3 of "$2.10" and of "141 GB", 1 of "80 GB" and of "0.9 TB"."""
    number = _NUMBER.search(written)
    bare = number[0].replace(",", "").lstrip("0.") if number else ""
    return len(bare.replace(".", "")) if "." in bare else len(bare.rstrip("0"))


def implied(domain: Domain, metric: Metric, quantity: Quantity) -> Quantity:
    """The figure in the metric's own unit where its wording implies that: "hourly cost: $12" is 12 USD/hour."""
    unit = domain.units.get(metric.unit)
    if quantity.dimension not in metric.implied_by or unit is None:
        return quantity
    low, high = quantity.low * unit.scale, quantity.high * unit.scale
    return replace(quantity, dimension=metric.dimension, unit=unit.id, low=low, high=high)
