"""The inputs of a sum: the figures of a question, its chips and how many, a model, each as values of the network's variables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

from chipwise.answering.base import Base
from chipwise.answering.givens import ALL, CHIP, Given, givens
from chipwise.answering.query import Query
from chipwise.claims.model import Fact
from chipwise.domain.formulas import ONE, Variable
from chipwise.domain.model import Domain
from chipwise.figures.alike import covered
from chipwise.figures.bindings import About, Sources
from chipwise.figures.format import number
from chipwise.figures.llms import LanguageModel, find_in
from chipwise.figures.network import FACT, Binding, network_of
from chipwise.numbers.intervals import Interval
from chipwise.text import blanked, overlap, words

AXES = ("dtype", "sparsity", "engine", "form_factor", "provider", "price_terms")
_COUNTS = ("pod_size", "slice_size", "chips_per_node", "scale_up_domain")
_MACHINES = frozenset(("systems", "pods", "racks", "nodes", "slices", "instances"))  # kinds of figures that count them
HOUR = 3600.0  # what a price is told of
OF_SPEED = frozenset(("time", "token_rate"))  # dimensions
ADAPTED = ("lora", "qlora")  # ways to train
_TRAINING = frozenset(("training", "pre-training", "fine-tuning"))
_NEAR = 2.0  # times what a chip has: a figure of that order is of one, not of hundreds
_PER_TOKEN, _MILLION = "price_per_token", 1e6  # prices are told of that many
_DEAR = 100.0  # dollars, from which on no chip is rented for an hour


@dataclass(frozen=True)
class Inputs:
    """The figures of a question and what it is about: one `machine` at most, chips, and `count`, how many chips these are.

    `axes` are the values that it states. The count's origin is the figure of the question, or the fact that tells it.
    """

    question: Query
    figures: tuple[Given, ...]
    count: Binding | None
    subjects: tuple[str, ...]
    axes: Mapping[str, str]
    sources: Sources

    @property
    def domain(self) -> Domain:
        """The domain of the knowledge base."""
        return self.sources.domain

    @cached_property
    def chips(self) -> list[str]:
        """The kinds of chips, also of machines."""
        return list(dict.fromkeys(filter(None, map(self.domain.nearest_chip, self.subjects))))

    @cached_property
    def machine(self) -> str:
        """The one machine that is named; "" where there is none, or several."""
        machines = [s for s in self.subjects if self.domain.holds_several(s)]
        return machines[0] if len(machines) == 1 else ""

    @cached_property
    def model(self) -> LanguageModel | None:
        """The language model that is named."""
        named = find_in(self.question.text)
        return named[0] if named else None

    @cached_property
    def ways(self) -> tuple[str, ...]:
        """The ways in which a model is trained: those named, all where it is only said to be tuned; () where it is run."""
        text, group = words(self.question.text), self.domain.word_group
        named = tuple(way for way in ADAPTED if way in text)
        learns = not {*group("learn"), *group("states")}.isdisjoint(text)
        tunes = not group("tune").isdisjoint(text) or "fine-tuning" in self.question.terms
        if tunes and not (named or learns or "full" in text):
            return ("full", *ADAPTED)
        is_full = "full" in text or not named
        return (*(("full",) if is_full and (tunes or learns or _TRAINING & set(self.question.terms)) else ()), *named)

    @property
    def trained(self) -> str:
        """The way in which it is trained that takes most; "" where it is run."""
        return next(iter(self.ways), "")

    @property
    def many(self) -> float:
        """How many chips there are."""
        return self.count.value.low if self.count is not None else 1.0

    def about(self, chip: str) -> About:
        """The chip, machine and axes by which facts are looked up."""
        stated = {a: v for a, v in self.axes.items() if a != "form_factor" or len(self.subjects) == 1}
        return About(chip, self.machine, stated, self.said, stated.get("provider", ""), self.model)

    @cached_property
    def said(self) -> frozenset[str]:
        """The words of conventions that are said: "AdamW"."""
        text = f" {self.question.text.lower()} "
        return frozenset(w for c in self.domain.conventions.values() for w in c.words if f" {w}" in text)

    def readings(self, target: Variable, chip: str) -> list[Binding]:
        """Each figure in all that it may mean, the count, and what is said in words: a number format, a stretch of time."""
        counted = self.count.origin if self.count is not None else None
        told = [g for g in self.figures if g is not counted and (not g.of or self.domain.are_kin(g.of, chip))]
        found = [binding for given in told for binding in self._readings_of(given)]
        return [*found, *self._counts(target), *self._in_words(target)]

    def _readings_of(self, given: Given) -> Iterator[Binding]:
        scope, exact = self.scope(given), given.quantity.form != "range"
        value = Interval.of(given.value) if exact else Interval(given.quantity.low, given.quantity.high)
        value = value * Interval.of(self.domain.units["hour"].scale) if given.kind == "chip-hours" else value
        kind = "price_rate" if self._is_hourly(given) else given.kind
        for v in self.domain.variables.values():
            if kind in v.kinds and (not v.of or not scope or (v.of == ONE) == (scope == CHIP)):
                yield Binding.of(v.id, value, given.text, origin=given, figure=figure_of(given))

    def _is_hourly(self, given: Given) -> bool:
        """True for a price that is of an hour without saying so: "500 H100 hours at $2.50"."""
        is_of_one = given.scope == CHIP or any(g.kind == "chip-hours" for g in self.figures)
        return given.kind == "price" and given.value < _DEAR and is_of_one

    def scope(self, given: Given) -> str:
        """Return CHIP or ALL, by the words of the figure, its instance or its size; "" where nothing tells."""
        if not given.scope and given.kind != "ratio" and any(self.domain.kind(s) == "system" for s in self.subjects):
            return ALL
        return given.scope or (CHIP if self._is_of_one(given) else "")

    def _is_of_one(self, given: Given) -> bool:
        """True for what one of the chips has, more or less, and not all of them: the $2.50 an hour of 512 H100, but no 700 W of two."""
        metrics = [m.id for m in self.domain.metrics.values() if m.dimension == given.kind]
        kin = [v for c in self.chips for v in covered(self.sources.names, c)]
        facts = self.sources.store.facts(kin, metrics) if self.many > 1 else []
        known = [f.amount for f in facts if f.rank == "preferred" and f.amount and f.claim.key.is_of_one]
        one, whole = (
            any(1 / _NEAR <= v / a <= _NEAR for a in known) for v in (given.value, given.value / (self.many or 1))
        )
        return one and not whole

    def _counts(self, target: Variable) -> Iterator[Binding]:
        """The number of chips: of each machine where machines are counted as well, else of all."""
        if self.count is None:
            return
        is_told, several = isinstance(self.count.origin, Given), any(g.kind in _MACHINES for g in self.figures)
        if several and (is_told or not self.machine):  # "32 nodes of 8 GPUs", "96 DGX A100 (8x 40 GB)"
            yield replace(self.count, variable="chips_per_system")
        if not is_told and self.machine and (several or target.id == "systems"):
            yield replace(self.count, variable="chips_per_system", source=FACT, figure="")
        elif target.id != "chips":
            yield self.count

    def _in_words(self, target: Variable) -> Iterator[Binding]:
        dtype, kinds = self.axes.get("dtype", ""), {g.kind for g in self.figures}
        for variable in self.domain.variables.values() if "width" not in kinds else ():
            if (size := dict(variable.values).get(dtype)) is not None:
                text = f"{size:g} {'byte' if size <= 1 else 'bytes'} ({self.sources.names.name(dtype)})"
                yield Binding.of(variable.id, size, text, figure="format")
        if "time" not in kinds and target.id != "time":
            yield from self.durations[:1]

    @cached_property
    def durations(self) -> list[Binding]:
        """The stretches of time that are named by a word: "a week"."""
        said = f" {' '.join(words(blanked(self.question.text, ((g.start, g.end) for g in self.figures))))} "
        every = [(d, w) for d in self.domain.durations.values() for w in d.words if f" {w} " in said]
        return [Binding.of("time", d.seconds, d.says, figure="duration") for d, _ in every]

    def optional(self, target: Variable) -> set[str]:
        """The figures that need not go in: a count, a format, parameters beside active ones or what was reached, the unit of a price."""
        active = any(g.kind in ("active-parameters", "compute_rate") for g in self.figures)
        again = {figure_of(g) for g in self.figures if active and g.kind == "parameters"}
        of_price = [g for g in self.figures if g.kind == "tokens" and g.value == _MILLION]
        priced = {figure_of(g) for g in of_price if target.dimension == _PER_TOKEN}
        hour = {b.figure for b in self.durations if b.value.low == HOUR}
        return {"chips", "format", *hour, *again, *priced}

    @property
    def told_before(self) -> frozenset[str]:
        """The figures that were told before the question, and need not be for it."""
        return frozenset(figure_of(g) for g in self.figures if g.start < self.question.since)


def figure_of(given: Given) -> str:
    """The name of a figure, which all its readings share."""
    return "width" if given.kind == "width" else f"{given.kind} at {given.start}"


def read_inputs(question: Query, base: Base) -> Inputs | None:
    """Read the inputs of a question; None where a figure, a name, a qualifier or the number of chips is not plain."""
    domain, text = base.domain, question.text
    found = givens(text, domain)
    strange = any(u.known for u in question.of.unknown) or (question.unknown and not question.subjects)
    if found is None or strange or any(len(ids) != 1 for ids in question.subjects):
        return None
    if domain.find_entities(text[question.since :]):  # how many of another product were spoken of before
        found = [g for g in found if g.start >= question.since or g.kind not in ("chips", "systems")]
    if sum(g.kind == "chips" for g in found) > 1:  # "One GroqCard has 230 MB. Are 568 enough"
        found = [g for g in found if g.kind != "chips" or g.value != 1]
    if any(_are_alternatives(a, b, text, domain) for a, b in pairwise(sorted(found, key=lambda g: g.start))):
        return None
    named = find_in(text)
    if named is not None:  # the size in the name of a model whose shape is known
        found = [g for g in found if not overlap((g.start, g.end), named[1])]
    ids = [i for (i,) in question.subjects]
    subjects = tuple(i for i in ids if not domain.is_many(i)) or tuple(filter(None, map(domain.latest_of, ids)))
    axes = _axes(question, domain)
    count, is_plain = _count(found, subjects, base, is_pod="pod" in words(text))
    if axes is None or not is_plain:
        return None
    network = network_of(domain)
    called = {v: replace(network.variables[v], noun=noun) for v, noun in _nouns(subjects, domain).items()}
    network = replace(network, variables={**network.variables, **called})
    sources = Sources(base.store, domain, base.names, network)
    return Inputs(question, tuple(found), count, subjects, axes, sources)


def _axes(question: Query, domain: Domain) -> dict[str, str] | None:
    """One value of each axis; what was said before holds where nothing else is said. None where there are several."""
    stated: dict[str, set[str]] = {}
    for mention in reversed(domain.find_qualifiers(question.text)):
        axis, _, value = mention.ids[0].partition("=")
        if not domain.word_group("is a cache").isdisjoint(words(question.text[mention.end :])[:1]):
            continue  # the format of the cache is not that of the weights
        if axis in AXES and (mention.start >= question.since or axis not in stated):
            stated.setdefault(axis, set()).add(value)
    return None if any(len(v) > 1 for v in stated.values()) else {axis: v.pop() for axis, v in stated.items()}


def _count(found: Sequence[Given], subjects: Sequence[str], base: Base, *, is_pod: bool) -> tuple[Binding | None, bool]:
    """The number of chips, of the question or of its machine, and whether that is one number."""
    domain, counts = base.domain, [g for g in found if g.kind == "chips"]
    systems = [i for i in subjects if domain.holds_several(i)]
    if len(counts) > 1 or len(systems) > 1:
        return None, False
    held = domain.entities[systems[0]].chips if systems else 0
    if counts and (not held or held == counts[0].value):  # "how many NVL72 for 1,000 GPUs" is about machines
        return _counted(counts[0].text, counts[0].value, counts[0]), True
    about = systems[0] if systems else subjects[0] if len(subjects) == 1 and is_pod else ""
    facts = base.store.facts([about, domain.nearest_chip(about) or about], _COUNTS) if about else []
    for fact in sorted(facts, key=lambda f: f.claim.subject != about):
        fits = fact.amount == held or (not systems and fact.claim.metric == "pod_size")
        if fact.is_exact and fits and fact.rank == "preferred" and base.store.holds(fact):
            return _counted(f"{number(fact.amount)} chips", fact.amount, fact), True
    return _counted(f"{held} chips", held) if held else None, True


def _counted(text: str, value: float, origin: Given | Fact | None = None) -> Binding:
    return Binding.of("chips", value, text, origin=origin, figure="chips")


def _nouns(subjects: Sequence[str], domain: Domain) -> dict[str, str]:
    """The nouns of an answer that counts chips and machines: "GPUs", "DGX H100s"."""
    lines = [domain.entities[a].name for s in subjects for a in domain.ancestors(s) if domain.kind(a) == "line"]
    noun = next((name for name in reversed(lines) if name.isupper() and name.isalpha()), "chip")
    machines = [domain.entities[s].name for s in subjects if domain.holds_several(s)]
    machine = f"{machines[0]}{'s' if machines[0][-1].islower() else ''}" if machines else "machines"
    return {"chips": f"{noun}s", "systems": machine}


def _are_alternatives(first: Given, second: Given, text: str, domain: Domain) -> bool:
    """True for "10 GB or 12 GB", of which no sum takes both."""
    between = text[first.end : second.start].strip()
    said = {o.kind for o in domain.operators_in(between)}
    return first.kind == second.kind and said == {"or"} and len(between.split()) == 1
