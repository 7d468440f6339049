"""The words of a question that nothing in its query accounts for: they lower its confidence, and an answer names them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from chipwise.answering.measures import AT
from chipwise.answering.query import CLOUDS, COUNTS, DESIGNER, PRICES, Query
from chipwise.answering.roles import GENERIC, MACHINES, Phrase, Roles
from chipwise.domain.catalogue import GROUP
from chipwise.domain.model import Domain
from chipwise.numbers.quantity import Quantity

_WHO = {DESIGNER, "foundry", CLOUDS, "used_by", "training_hardware"}  # what answers "who"
_COUNTED = {COUNTS, "pod_size", "slice_size", "chips"}
_SAYS = (
    "word",
    "place",
    "number",
    "figure",
    "told",
    "relative",
    "multiple",
)  # kinds that say something unless they are used


def unaccounted(roles: Roles, query: Query, domain: Domain) -> Iterator[Phrase]:
    """What is left over, in order."""
    accounts = _Accounts(roles, query, domain)
    for phrase in roles.phrases:
        if not (phrase.used or accounts.has(phrase)) or _is_version(phrase, roles.text):
            yield phrase
    if roles.opener is not None and query.asserts is None:
        yield roles.opener


class _Accounts:
    """What a query takes of a question."""

    def __init__(self, roles: Roles, query: Query, domain: Domain) -> None:
        self.roles, self.query, self.said = roles, query, query.asserts
        measures = (*query.what, *(c.measure for c in query.of.where))
        self.metrics = {m.metric for m in measures}
        self.known = [domain.metrics[m] for m in self.metrics if m in domain.metrics]
        self.axes = {x for m in measures for x in m.axes} | {*query.at, *GENERIC}
        self.axes |= {GROUP} if query.of.is_open else set()  # "all chips"
        self.scopes = {m.scope.unit for m in query.what if m.scope} | {c.unit for c in query.of.entities}
        self.is_priced = bool(self.metrics & {*PRICES})
        self.rules: dict[str, Callable[[Phrase], Any]] = {
            "date": self._date,
            "verb": lambda p: (
                self.metrics & {*roles.metrics_of(p)} or (self.is_priced and CLOUDS in roles.metrics_of(p))
            ),
            "not": lambda _: self.said is not None,
            "judge": lambda p: p.value == "any",  # "a typical price" is what is known
            "unit": lambda p: p.unit in {*(m.unit for m in query.what), *(m.unit for m in self.known)},
            "counted": lambda _: self.metrics & _COUNTED or query.relate == "count",
            "question": self._question,
            "maker": lambda p: (
                not self._names or any(c.entity.startswith(p.makers[0].lower()) for c in query.of.entities)
            ),
            "value": self._value,
            # "which instance has the H200" asks for machines, and not for the chip
            "kind": lambda p: p.value not in MACHINES or bool(query.what) or not self._is_of_chips(domain),
        }

    def _is_of_chips(self, domain: Domain) -> bool:
        return any(domain.is_chip(c.entity) for c in self.query.of.entities)

    @property
    def _names(self) -> bool:
        return bool(self.query.of.entities or self.query.of.unknown)

    def has(self, phrase: Phrase) -> bool:
        """True for what the query accounts for."""
        if phrase.kind in _SAYS:
            return phrase.kind == "word" and (self._is_between(phrase) or self._says(phrase))
        rule = self.rules.get(phrase.kind)
        return rule is None or bool(rule(phrase))

    def _is_between(self, word: Phrase) -> bool:
        """True for a word between two things to choose from: "or do I have to stick with FP16"."""
        options = [p.start for p in self.roles.phrases if p.used] if self.said is not None and self.said.others else []
        return bool(options) and min(options) < word.start < max(options)

    def _says(self, word: Phrase) -> bool:
        """True for the word right before "says": whoever it is, what is said is judged."""
        return any(p.kind == "states" and p.start == word.end + 1 for p in self.roles.phrases)

    def _date(self, _: Phrase) -> bool:
        dated = not self.known or any("as_of" in m.qualifiers for m in self.known)
        return dated and (self._names or self.query.of.is_open)

    def _question(self, p: Phrase) -> bool:
        if p.value == "count":
            return bool(self.query.what)
        return p.value != "who" or bool(self.metrics & _WHO) or (self.is_priced and self.query.order is not None)

    def _value(self, p: Phrase) -> bool:
        """True where the axes of a value are those of the query, or the category is one that it has."""
        said, of = self.said, self.query.of
        sold = [a for a, _ in p.axes if a in AT]
        if not self.query.what and not of.is_open and any(a != "workload" for a in sold):
            return False
        takes = not sold or self.query.order is not None or not self.known
        if not (takes or all(any(a in m.qualifiers or m.dimension == "text" for m in self.known) for a in sold)):
            return False
        if p.ids and (said is not None or of.where):
            return not (said is not None and isinstance(said.value, Quantity) and p.value and not p.axes)
        left = [(a, v) for a, v in p.axes if (a, v) not in self.axes and v not in self.scopes]
        if said is not None and isinstance(said.value, str):  # a category has no axes
            left = [(a, v) for a, v in left if a in AT and v != said.value]
        return not left and (bool(p.axes) or not p.value or not self.metrics.isdisjoint(p.ids))


def _is_version(part: Phrase, text: str) -> bool:
    """True for "NVLink 5", where what is known is that there is NVLink, and not which."""
    last = text[part.start : part.end].rsplit(maxsplit=1)[-1]
    known = (*part.ids, part.value, *(v for _, v in part.axes))
    return part.kind in ("value", "measure") and last.isdigit() and not any(last in k for k in known)
