"""The figures of a question, each in all that it may mean: a price of one chip or of all, tokens of a prompt or of a training run.

"8x H100 at $12 an hour"  ->  8 chips; 12 USD/hour, the price of one or of all
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

from chipwise.answering.asked import Asked
from chipwise.answering.givens import Given
from chipwise.answering.scoping import ALL, CHIP
from chipwise.answering.targets import Token, tokens_of
from chipwise.claims.model import Fact
from chipwise.domain.formulas import ONE, Variable
from chipwise.figures.bindings import About, Sources
from chipwise.figures.derivation import FACT, Binding
from chipwise.figures.llms import LanguageModel, find_in
from chipwise.figures.variants import covered
from chipwise.numbers.intervals import Interval
from chipwise.text import Span, blanked, overlap

_NEAR = 2.0  # times what a chip has: a figure of that order is of one, not of hundreds
_PER_TOKEN, _MILLION = "price_per_token", 1e6  # prices are told of that many
_DEAR = 100.0  # dollars, from which on no chip is rented for an hour
_MACHINES = ("systems", "pods", "racks", "nodes", "slices", "instances")


class Readings:
    """A question with its figures, and what may stand for each variable in it."""

    def __init__(self, asked: Asked, sources: Sources) -> None:
        self.asked, self.sources = asked, sources
        self.domain = sources.domain
        self.chips = list(dict.fromkeys(filter(None, map(self.domain.nearest_chip, asked.subjects))))
        machines = [s for s in asked.subjects if self.domain.holds_several(s)]
        self.machine = machines[0] if len(machines) == 1 else ""

    @cached_property
    def tokens(self) -> list[Token]:
        """The words of the question."""
        named = [self._model_named[1]] if self._model_named else []
        return tokens_of(blanked(self.asked.text, named, "#"), self.domain)

    def _about(self, chip: str, provider: str = "") -> About:
        asked = self.asked
        stated = dict(asked.wanted)
        if len(asked.subjects) > 1:  # it names one of them
            stated.pop("form_factor", None)
        provider = provider or stated.get("provider", "")
        return About(chip, self.machine, stated, self.said, provider, self.model)

    @cached_property
    def _model_named(self) -> tuple[LanguageModel, Span] | None:
        return find_in(self.asked.question.text)

    @property
    def model(self) -> LanguageModel | None:
        """The language model that the question names."""
        return self._model_named[0] if self._model_named else None

    @cached_property
    def _said_twice(self) -> set[str]:
        """The figures that need not go in: all parameters of a mixture of experts beside the active ones."""
        active = any(g.kind == "active-parameters" for g in self.asked.figures)
        return {_figure_of(g) for g in self.asked.figures if active and g.kind == "parameters"}

    def said_as_unit(self, target: Variable) -> set[str]:
        """The figures that only say in what the result is wanted: the million of "what does a million tokens cost"."""
        is_price = target.dimension == _PER_TOKEN
        return {_figure_of(g) for g in self.asked.figures if is_price and g.kind == "tokens" and g.value == _MILLION}

    @cached_property
    def _said_before(self) -> set[str]:
        """The figures that were told before the question, and need not be for it."""
        return {_figure_of(g) for g in self.asked.figures if g.start < self.asked.question.since}

    @cached_property
    def said(self) -> frozenset[str]:
        """The words of conventions that the question says."""
        text = f" {self.asked.question.text.lower()} "
        return frozenset(w for c in self.domain.conventions.values() for w in c.words if f" {w}" in text)

    def readings(self, target: Variable, chip: str) -> list[Binding]:
        """Each figure of the question in all that it may mean."""
        found: list[Binding] = []
        for given in self.asked.figures:
            if self._model_named and overlap((given.start, given.end), self._model_named[1]):
                continue  # the size in the name of a model whose shape is known
            if given.of and not self.domain.are_kin(given.of, chip):
                continue  # it is said of another product
            found += self._readings_of(given, chip)
        found += self._counts(target)
        found += self._by_words(target)
        return found

    def _readings_of(self, given: Given, chip: str) -> list[Binding]:
        if self.asked.chips is not None and given is self.asked.chips.given:
            return []
        scope = self._scope(given)
        token = _figure_of(given)
        low, high = given.quantity.low, given.quantity.high
        low, high = (low, high) if given.quantity.form == "range" else (given.value, given.value)
        scale = self.domain.units["hour"].scale if given.kind == "chip-hours" else 1.0
        kinds = self._kinds(given)
        return [
            Binding.given(v.id, low * scale, high * scale, given.text, given, token)
            for v in self.domain.variables.values()
            if not kinds.isdisjoint(v.kinds) and (not v.of or not scope or (v.of == ONE) == (scope == CHIP))
        ]

    def _kinds(self, given: Given) -> set[str]:
        """What a figure may be of: "500 H100 hours at $2.50" names the price of one hour, which no card is sold for."""
        is_of_one = given.scope == CHIP or any(g.kind == "chip-hours" for g in self.asked.figures)
        hourly = given.kind == "price" and given.value < _DEAR and is_of_one
        return {"price_rate"} if hourly else {given.kind}

    def _scope(self, given: Given) -> str:
        """Whether a figure is of one chip or of all; "" where nothing tells."""
        whole = ALL if self._is_priced_whole(given) else ""
        return given.scope or whole or (CHIP if self._is_of_one(given) else "")

    def _is_priced_whole(self, given: Given) -> bool:
        """What is said with an instance and not of a chip is of the instance; a slice may be priced by the chip."""
        return any(self.domain.entities[s].kind == "system" for s in self.asked.subjects) and given.kind != "ratio"

    def _is_of_one(self, given: Given) -> bool:
        """True for what one of the chips has, more or less, and not all of them: the $2.50 an hour of "512 H100 at $2.50 an hour".

        Of two chips 700 W may as well be what both draw.
        """
        many = self.asked.chips
        if many is None:
            return False
        metrics = [m.id for m in self.domain.metrics.values() if m.dimension == given.kind]
        facts = self.sources.store.facts([v for c in self.chips for v in covered(self.sources.names, c)], metrics)
        known = [f.amount for f in facts if f.rank == "preferred" and f.amount and _is_of_one_chip(f)]
        of_one, of_all = (
            any(1 / _NEAR <= value / amount <= _NEAR for amount in known)
            for value in (given.value, given.value / many.value)
        )
        return of_one and not of_all

    def _counts(self, target: Variable) -> list[Binding]:
        """How many chips the question is about: those given, or those of the machine that it names."""
        many = self.asked.chips
        if many is None:
            return []
        of_machine = many.given is None
        several = any(g.kind in _MACHINES for g in self.asked.figures) or target.id == "systems"
        found = []
        if any(g.kind in _MACHINES for g in self.asked.figures) and not self.machine:  # "32 nodes of 8 GPUs"
            found.append(Binding.given("chips_per_system", many.value, many.value, many.text, many.given, "chips"))
        if of_machine and self.machine and several:
            found.append(Binding("chips_per_system", Interval.of(many.value), FACT, many.text, many.fact))
        if not (of_machine and several) and target.id != "chips":
            found.append(Binding.given("chips", many.value, many.value, many.text, many.fact or many.given, "chips"))
        elif not of_machine and target.id != "chips":
            found.append(Binding.given("chips", many.value, many.value, many.text, many.given, "chips"))
        return found

    def _by_words(self, target: Variable) -> list[Binding]:
        """What is said without a figure: a number format, a stretch of time."""
        found = []
        dtype = self.asked.wanted.get("dtype", "")
        if not any(g.kind == "width" for g in self.asked.figures):
            for variable in (v for v in self.domain.variables.values() if v.values):
                size = dict(variable.values).get(dtype)
                if size is not None:
                    name = self.domain.terms[dtype].name if dtype in self.domain.terms else dtype.upper()
                    text = f"{size:g} {'byte' if size <= 1 else 'bytes'} ({name})"
                    found.append(Binding.given(variable.id, size, size, text, None, f"width {variable.id}"))
        if self.duration is not None and not any(g.kind == "time" for g in self.asked.figures) and target.id != "time":
            seconds, says, _ = self.duration
            found.append(Binding.given("time", seconds, seconds, says, None, "duration"))
        return [replace(b, figure="format") if b.figure.startswith("width ") else b for b in found]

    @cached_property
    def duration(self) -> tuple[float, str, range] | None:
        """The stretch of time that the question names by a word, and where."""
        texts = [t.text for t in self.tokens]
        for duration in self.domain.durations.values():
            for words in (phrase.split() for phrase in duration.words):
                for start in range(len(texts) - len(words) + 1):
                    if texts[start : start + len(words)] == words:
                        return duration.seconds, duration.says, range(start, start + len(words))
        return None


def _figure_of(given: Given) -> str:
    return "width" if given.kind == "width" else f"{given.kind} at {given.start}"


def _is_of_one_chip(fact: Fact) -> bool:
    return fact.claim.qualifier("aggregation") in ("", "chip")
