"""Answers that follow from facts and from figures in the question, by the network of equations.

    "BF16 peak of eight v5p chips"  ->  "Total peak = chips x peak: 8 chips x 459 TFLOPS [1] = 3,672 TFLOPS."

A question wants the variables that its words ask for. For each of them the cheapest derivation is
sought that uses every given figure; the one that accounts for the words best is the answer.
Where a figure is left over, a word is of none of the variables in it, or two derivations
differ, there is no sum, and passages answer.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from functools import cached_property

from chipwise.asking.givens import ALL, AXES, CHIP, Asked, Given, givens, read_question
from chipwise.asking.kinds import FIGURE, SETS_APART, Kind
from chipwise.asking.plans import Plan
from chipwise.asking.question import Question, understand
from chipwise.asking.quoting import Told, together
from chipwise.asking.ranking import products
from chipwise.asking.sumtext import compose
from chipwise.asking.targets import Target, Token, targets, tokens_of
from chipwise.claims.model import Fact
from chipwise.domain.degrees import DOWNWARD, RANKING
from chipwise.domain.formulas import ONE, Variable
from chipwise.domain.model import Domain
from chipwise.domain.names import Names
from chipwise.figures.bindings import About, Sources, available, offer_binding, offers
from chipwise.figures.derivation import CONVENTION, FACT, MODEL, Binding, Derivation
from chipwise.figures.llms import LanguageModel, find_in
from chipwise.figures.network import network_of
from chipwise.figures.solve import agree, conventions, derivations, missing, unknowns
from chipwise.figures.variants import covered, name_words
from chipwise.index.store import Store
from chipwise.numbers.intervals import Interval
from chipwise.text import STOP_WORDS, Span, blanked, overlap

MOST = 4  # variants of one chip, or several chips, each with a sum of its own
_NEAR = 2.0  # times what a chip has: a figure of that order is of one, not of hundreds
_EACH = "each"
_DEARER = 2.5  # what a derivation may cost more than the cheapest, where it accounts for the words better
_ENOUGH = 3  # figures of one text that go into one sum
_MOST_MISSING = 2  # figures that a question may be said to lack
_PLAINLY = 2  # words that have to ask for what cannot be told
_FEW = 6  # words of a question that may stay unused beside two figures that are used
_TOP = 3  # of a ranking
_OPTIONAL = ("chips", "duration", "format")  # tokens of what a question says and a sum may do without
_COUNTED = ("chips", "systems")
_HOUR = 3600.0
_DEAR = 100.0  # dollars, from which on no chip is rented for an hour
_MACHINES = ("systems", "pods", "racks", "nodes", "slices", "instances")
_DIVIDED = ("price_rate", "power")  # kinds of figures that may as well be of one chip as of all
_JUDGES = ("better", "best", "worse", "worst")  # which way these look depends on what comes out


class Sums:
    """A question that may be a sum: its figures as readings, and the plans that use them all."""

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

    @cached_property
    def targets(self) -> list[Target]:
        """What the words ask for."""
        return targets(self.tokens, self.domain)

    def plans(self, of: Iterable[Target] | None = None) -> list[Plan]:
        """The best plan, once, or once for each variant, chip or provider where these differ; empty where there is none."""
        wanted = list(self.targets if of is None else of)
        if len(self.chips) > 1:
            each = self.of_each(self.chips, wanted) if len(self.chips) <= MOST and self.asked.chips is None else []
            return each if len(each) == len(self.chips) else []
        chip = self.chips[0] if self.chips else ""
        best = self.best(wanted, chip)
        if best is not None:
            return self._of_each_convention(best) or self._at_both_ends(best, chip)
        names = self.sources.names
        # the GPU of a GB200 is no B200 that stands in a machine of eight
        variants = [v for v in names.members(chip) if name_words(names, chip) <= name_words(names, v)] if chip else []
        found = [(v, plan) for v in variants if (plan := self.best(wanted, v)) is not None and _has_own(v, plan)]
        return [replace(plan, label=names.name(v)) for v, plan in found] if 0 < len(found) <= MOST else []

    def of_each(self, chips: Sequence[str], wanted: Sequence[Target]) -> list[Plan]:
        """The plan of each of several chips; of one whose variants differ, of the first that has all figures."""
        found: list[Plan] = []
        for chip in chips:
            plans = ((v, self.best(wanted, v)) for v in (chip, *self.sources.names.members(chip)))
            found += [replace(plan, label=self.sources.names.name(v)) for v, plan in plans if plan is not None][:1]
        return found

    def asked_for(self, variable: str) -> list[Target]:
        """One variable as a target, by the words that ask for it, or by none."""
        found = [t for t in self.targets if t.variable.id == variable]
        return found or [Target(self.domain.variables[variable], frozenset())]

    def asks_for(self, variable: str, words: Collection[str] = ()) -> bool:
        """True where words of the question ask for a variable; by one of `words`, where some are given."""
        places = {n for t in self.targets if t.variable.id == variable for n in t.places}
        return any(not words or self.tokens[n].text in words for n in places)

    def best(self, wanted: Sequence[Target], chip: str) -> Plan | None:
        """The plan that accounts for the words best; None where there is none, or two that are as good differ."""
        found = sorted((p for target in wanted for p in self._plans_of(target, chip)), key=lambda p: p.rank)
        found = [p for p in found if self._is_close(p)]
        if not found:
            return None
        first = found[0]
        rivals = [p for p in found[1:] if p.rank == first.rank]
        return first if all(agree(first.derivation, p.derivation) for p in rivals) else None

    def of(self, variable: str, chip: str) -> Plan | None:
        """The cheapest plan for a variable, whatever the words, be it a single fact."""
        target, about = Target(self.domain.variables[variable], frozenset()), self._about(chip)
        given = self.readings(target.variable, chip)
        made = derivations(self.sources.network, variable, given, lambda v: available(self.sources, about, v))
        return self._plan(target, made[0]) if made else None

    def _is_close(self, plan: Plan) -> bool:
        """True where the words that nothing accounts for change nothing: a few, none a name or a metric, beside given figures."""
        if not plan.unused:
            return True
        dimensions = {self.sources.network.variables[v].dimension for v in plan.derivation.used} | {"count", "text"}
        others = {
            t.text
            for t in self.tokens
            if t.metrics and not any(self.domain.metrics[m].dimension in dimensions for m in t.metrics)
        }
        named = {*self._names_apart, *others, _EACH}
        figures = sum(bool(b.figure) for b in plan.derivation.bindings.values())
        facts = sum(b.source == FACT for b in plan.derivation.bindings.values())
        plain = figures > 1 or (facts > 1 and plan.target.length >= _PLAINLY)
        return plain and len(plan.unused) <= _FEW and named.isdisjoint(plan.unused)

    def _plans_of(self, target: Target, chip: str) -> list[Plan]:
        variable = target.variable
        given = self.readings(variable, chip)
        if any(b.variable == variable.id and b.figure == b.variable for b in given):
            return []
        about = self._about(chip)
        optional = {*_OPTIONAL, *self._said_twice}
        made = derivations(
            self.sources.network,
            variable.id,
            given,
            lambda v: available(self.sources, about, v),
            optional=optional,
            accepts=lambda d: self._is_sum(d) and d.value.high >= variable.least,
            within=_DEARER,
        )
        if self._is_reported(target):  # by sources, and rather than worked out from facts alone
            made = [d for d in made if any(map(self._is_told, d.bindings.values()))]
        return [self._plan(target, d) for d in made]

    def _is_reported(self, target: Target) -> bool:
        """True where the words that ask for a variable name what turns on a workload: "performance per dollar"."""
        named = {m for n in target.places for m in self.tokens[n].metrics}
        return any(self.domain.metrics[m].turns_on for m in named)

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

    @cached_property
    def said(self) -> frozenset[str]:
        """The words of conventions that the question says."""
        text = f" {self.asked.question.text.lower()} "
        return frozenset(w for c in self.domain.conventions.values() for w in c.words if f" {w}" in text)

    # --- the figures of the question, as readings ---

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
        hourly = (
            given.kind == "price" and given.value < _DEAR and any(g.kind == "chip-hours" for g in self.asked.figures)
        )
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

    # --- what a derivation leaves out ---

    def _is_sum(self, derivation: Derivation) -> bool:
        """True where it uses the chips and the format that the question names, and more than one figure."""
        given = any(b.source == MODEL or self._is_told(b) for b in derivation.bindings.values())
        metrics = [self.sources.network.variables[v].metric for v, b in derivation.bindings.items() if b.source == FACT]
        facts = len(metrics) + sum(self._is_of_machine(b) for b in derivation.bindings.values())
        if len(set(metrics)) < len(metrics):  # the price of a machine by that of its chip counts nothing
            return False
        if self._only_says_again(derivation):
            return False
        if not given and derivation.wanted in _COUNTED:  # what facts count is looked up, and not worked out
            return False
        if not derivation.steps or not (given or facts > 1) or self._may_be_of_all(derivation):
            return False
        return self._is_whole(derivation)

    def _only_says_again(self, derivation: Derivation) -> bool:
        """True where what comes out is the one figure that went in."""
        told = [(v, b) for v, b in derivation.bindings.items() if self._is_told(b)]
        variables = self.sources.network.variables
        return len(told) == 1 and any(
            b.value == derivation.value and variables[v].dimension == derivation.variable.dimension for v, b in told
        )

    def _is_told(self, binding: Binding) -> bool:
        """True for a figure of the question; a price per hour is one, and needs no sum."""
        is_hour = binding.figure == "duration" and self.duration is not None and self.duration[0] == _HOUR
        return bool(binding.figure) and not is_hour and not self._is_of_machine(binding)

    def _is_of_machine(self, binding: Binding) -> bool:
        """True for how many chips a machine has, which the question does not say itself."""
        return binding.figure == "chips" and not isinstance(binding.origin, Given)

    def _may_be_of_all(self, derivation: Derivation) -> bool:
        """True where a figure is taken for one chip's, or for that of all, and nothing tells which it is."""
        if self.asked.chips is None or self.asked.chips.value == 1:
            return False
        for variable, binding in derivation.bindings.items():
            of, given = self.sources.network.variables[variable].of, binding.origin
            if isinstance(given, Given) and not self._scope(given) and (of == ONE or (of and given.kind in _DIVIDED)):
                return True
        return False

    def _is_whole(self, derivation: Derivation) -> bool:
        tokens = {b.figure for b in derivation.bindings.values()}
        wants_format = self.asked.wanted.get("dtype", "") in dict(self.domain.variables["precision"].values)
        has_format = "format" in tokens or any(
            b.source == FACT and isinstance(b.origin, Fact) and b.origin.claim.qualifier("dtype")
            for b in derivation.bindings.values()
        )
        if wants_format and not has_format:
            return False
        return self.asked.chips is None or "chips" in tokens or self._is_of_all(derivation)

    def _is_of_all(self, derivation: Derivation) -> bool:
        """True where no number of chips goes into it because all its figures are of all of them, or of the machine."""
        variables = [self.sources.network.variables[v] for v in derivation.bindings]
        of_machine = any(
            derivation.bindings[v.id].source == FACT and (v.id.startswith("system_") or v.id == "chips_per_system")
            for v in variables
        )
        origins = [derivation.bindings[v.id].origin for v in variables if v.of == ALL]
        of_all = any(isinstance(o, Given) and self._scope(o) == ALL for o in origins)
        given = [b.origin for b in derivation.bindings.values() if isinstance(b.origin, Given)]
        if any(g.scope == CHIP for g in given):  # "410 TFLOPS per GPU" of each of the eight
            return True
        return of_machine or (of_all and not any(v.of == ONE for v in variables)) or derivation.wanted == "chips"

    def _plan(self, target: Target, derivation: Derivation) -> Plan:
        """The plan with the words that nothing in it accounts for, and how many only stand there for the sake of the sentence."""
        used = [self.sources.network.variables[v] for v in derivation.used]
        words = {w for v in (*used, target.variable) for phrase in v.words for w in phrase.replace("-", " ").split()}
        tokens = {b.figure for b in derivation.bindings.values()}
        places = set(target.places)
        if self.duration is not None and "duration" in tokens:
            places.update(self.duration[2])
        neutral = self.domain.change_nothing("sum")
        unused: list[str] = []
        loose = 0
        for n, token in enumerate(self.tokens):
            word = token.text
            if n in places or word in words or word.startswith("{") or word in STOP_WORDS or word in _SIGNS:
                continue
            if (
                word.isdigit()
                or self.domain.find_unit(word)
                or self._is_said(n)
                or (len(self.chips) > 1 and RANKING.fullmatch(word))
            ):
                continue
            if word in neutral or word.removesuffix("s") in words:
                loose += 1
            else:
                unused.append(word)
        unused += [w for w in self._names_apart if w not in unused]
        if target.variable.of == ALL and self._asks_of_each:
            unused.append(_EACH)
        return Plan(target, derivation, tuple(unused), loose)

    @cached_property
    def _names_apart(self) -> list[str]:
        """Words that look like names, beside the model's, and are of nothing that is known."""
        model = self.asked.question.text[slice(*self._model_named[1])].lower() if self._model_named else ""
        known = {w for v in self.domain.variables.values() for w in v.words}
        names = self.asked.question.names
        return [w for w in names if w in self.asked.text.lower() and w not in model and w not in known]

    @cached_property
    def _asks_of_each(self) -> bool:
        """True for "does each of the 8 H100s have"; the "each" of "700 W each" tells of what the figure is."""
        told = any(g.scope == CHIP for g in self.asked.figures)
        return not told and any(t.text == _EACH for t in self.tokens)

    def _is_said(self, place: int) -> bool:
        """True for a word of a qualifier: the "FP8" and "dense" of a question are used as axes."""
        return self.tokens[place].text in self._qualifier_words

    @cached_property
    def _qualifier_words(self) -> frozenset[str]:
        text = self.asked.question.text
        found = [text[m.start : m.end] for m in self.domain.find_qualifiers(text) if m.ids[0].partition("=")[0] in AXES]
        found += [text[m.start : m.end] for m in self.domain.find_terms(text) if self._is_model_or_format(m.ids[0])]
        found += [w for w in self.said if w in text.lower()]
        return frozenset(t.text for said in found for t in tokens_of(said, self.domain))

    def _is_model_or_format(self, term: str) -> bool:
        return self.domain.terms[term].kind in ("model", "precision", "cloud")

    def lacks(self) -> tuple[Variable, list[Variable]] | None:
        """What the question wants and which one or two figures are missing for it; None where that is not plain."""
        if len(self.chips) > 1:
            return None
        plainest = [t for t in self.targets if t.length == self.targets[0].length >= _PLAINLY]
        return next(filter(None, map(self._lacks, plainest)), None)

    def _lacks(self, target: Target) -> tuple[Variable, list[Variable]] | None:
        chip, network = next(iter(self.chips), ""), self.sources.network
        about = self._about(chip)
        given = self.readings(target.variable, chip)
        found = missing(network, target.variable.id, given, lambda v: available(self.sources, about, v), _OPTIONAL)
        if found is None or self._is_metric(target.variable):
            return None
        wanting = [network.variables[v] for v in unknowns(found)]
        figures = sum(bool(b.figure) for b in found.bindings.values())
        has = figures > 1 or (
            figures + sum(b.source == FACT for b in found.bindings.values()) and not self._is_measured(target.variable)
        )
        plain = has and 0 < len(wanting) <= _MOST_MISSING and not self._plan(target, found).unused
        return (target.variable, wanting) if plain else None

    def _is_measured(self, variable: Variable) -> bool:
        """True for what runs tell, whatever could be worked out."""
        metrics = self.domain.metrics.values()
        return any(m.dimension == variable.dimension and m.nature == "measured" for m in metrics)

    def _is_metric(self, variable: Variable) -> bool:
        """True for what sources may state themselves."""
        return bool(variable.metric) or any(v.total == variable.id and v.metric for v in self.domain.variables.values())

    # --- results that are shown more than once ---

    def _of_each_convention(self, plan: Plan) -> list[Plan]:
        """Weights in each usual format, where none is named."""
        variable = plan.derivation.variable.each_of
        bound = plan.derivation.bindings.get(variable)
        if bound is None or bound.source != CONVENTION:
            return []
        every = conventions(self.sources.network, variable)
        return [replace(plan, derivation=plan.derivation.with_binding(b)) for b in every]

    def _at_both_ends(self, plan: Plan, chip: str) -> list[Plan]:
        """With the lowest price and with the highest, where several providers have one and none is named."""
        about = self._about(chip)
        for variable in plan.derivation.bindings:
            if plan.derivation.bindings[variable].source != FACT or about.provider:
                continue
            found = offers(self.sources, about, self.sources.network.variables[variable])
            if len(found) > 1:
                ends = (next(iter(found)), next(reversed(found)))
                said = (f"lowest of {len(found)} providers", "highest")
                names = self.sources.names
                return [
                    replace(
                        plan,
                        derivation=plan.derivation.with_binding(offer_binding(variable, found[end], names)),
                        label=f"{names.name(end) if end else 'provider not named'} ({words})",
                    )
                    for end, words in zip(ends, said, strict=True)
                ]
        return [plan]


def _figure_of(given: Given) -> str:
    return "width" if given.kind == "width" else f"{given.kind} at {given.start}"


_SIGNS = ("$", "%", "&", "s")  # "s" is left of "what's"


def _is_of_one_chip(fact: Fact) -> bool:
    return fact.claim.qualifier("aggregation") in ("", "chip")


def _has_own(variant: str, plan: Plan) -> bool:
    facts = (b.origin for b in plan.derivation.bindings.values() if isinstance(b.origin, Fact))
    return any(f.claim.subject == variant for f in facts)


# --- answers ---


def reckon(question: Question, store: Store, domain: Domain, names: Names) -> Told | None:
    """The answer's text, its citations and the facts in it; None where nothing follows."""
    if question.wants_verdict and len(question.subjects) < 2:  # noqa: PLR2004
        return None  # whether something is so is judged by what the question states
    sums = open_sums(question, store, domain, names)
    if sums is None or sum(g.kind == "width" for g in sums.asked.figures) > 1:
        return _in_each_format(question, store, domain, names)
    if question.wants_ranking and not sums.asked.figures:  # "the biggest model for 80 GB" ranks no chips
        return _best(question, sums)
    plans = sums.plans()
    if not plans:
        return None
    told = compose(plans, sums.asked, sums.sources)
    return told.led(_in_order(plans, sums.asked, domain))


def _in_each_format(question: Question, store: Store, domain: Domain, names: Names) -> Told | None:
    """The same sum for each of several number formats: "weights of a 70B model in BF16 and FP8", "in 8 bit and 4 bit"."""
    spans = [(m.start, m.end) for m in domain.find_qualifiers(question.text) if m.ids[0].startswith("dtype=")]
    if len(spans) < 2:  # noqa: PLR2004
        spans = [(g.start, g.end) for g in givens(question.text, domain) or () if g.kind == "width"]
    every = dict.fromkeys(question.text[start:end].lower() for start, end in spans)
    if not 1 < len(every) <= MOST:
        return None
    told: list[Told] = []
    for one in every:
        others = [(start, end) for start, end in spans if question.text[start:end].lower() != one]
        found = reckon(understand(blanked(question.text, others), domain), store, domain, names)
        if found is None:
            return None
        told.append(found)
    return together(told)


def open_sums(question: Question, store: Store, domain: Domain, names: Names) -> Sums | None:
    """The question as one that may be a sum; None for one that surely is none."""
    if question.kind is Kind.WHY or question.years or question.wants_opinion:
        return None
    if question.kind is Kind.COMPARISON and SETS_APART.search(question.text) and len(question.subjects) < 2:  # noqa: PLR2004
        return None  # of two things of which one is not named
    if len(question.subjects) < 2 and not set(domain.words["apart"].words).isdisjoint(question.words):  # noqa: PLR2004
        return None
    if not (FIGURE.search(question.text) or question.subjects):
        return None
    asked = read_question(question, store, domain)
    if asked is None:
        return None
    network = network_of(domain).counting(_nouns(asked, domain))
    sums = Sums(asked, Sources(store, domain, names, network))
    return sums if sums.targets else None


def _nouns(asked: Asked, domain: Domain) -> dict[str, str]:
    """What the chips and machines of a question are called where an answer counts them: "GPUs", "DGX H100s"."""
    lines = [domain.entities[a].name for s in asked.subjects for a in domain.ancestors(s) if domain.kind(a) == "line"]
    noun = next((name for name in reversed(lines) if name.isupper() and name.isalpha()), "chip")
    machines = [domain.entities[s].name for s in asked.subjects if domain.holds_several(s)]
    machine = f"{machines[0]}{'s' if machines[0][-1].islower() else ''}" if machines else "machines"
    return {"chips": f"{noun}s", "systems": machine}


def reckon_each(question: Question, store: Store, domain: Domain, names: Names) -> Told | None:
    """The same sum for each of several metrics, "memory and power of eight H200"; None where one of them cannot be made."""
    if len(question.parts) < 2 or question.wants_ranking or question.wants_verdict:  # noqa: PLR2004
        return None
    mentions = domain.find_metrics_asked(question.text)
    told: list[Told] = []
    for metrics, _ in question.parts:
        others = [(m.start, m.end) for m in mentions if not set(m.ids) & set(metrics)]
        found = reckon(understand(blanked(question.text, others), domain), store, domain, names)
        if found is None:
            return None
        if found not in told:  # "draws" and "power" ask for one sum
            told.append(found)
    return together(told)


def sum_asked(question: Question, store: Store, domain: Domain, names: Names) -> tuple[float, Told] | None:
    """The one result, in base units, of what a question asks for, and the answer; None where there are several or none."""
    sums = open_sums(question, store, domain, names)
    plans = sums.plans() if sums else []
    if sums is None or len(plans) != 1:
        return None
    return plans[0].derivation.value.middle, compose(plans, sums.asked, sums.sources)


def sum_of_all(question: Question, store: Store, domain: Domain, names: Names) -> Told | None:
    """The sum of a whole text, where it uses figures enough to be no accident; None of any other."""
    sums = open_sums(question, store, domain, names)
    told = len(sums.asked.figures) + (sums.model is not None) if sums is not None else 0
    plans = sums.plans() if sums is not None and told >= _ENOUGH else []
    return compose(plans, sums.asked, sums.sources) if sums is not None and plans else None


def reason_why_not(question: Question, store: Store, domain: Domain, names: Names) -> str:
    """What a question for a sum lacks: "the peak per watt needs the power of the TPU v5p, which no fact gives"; "" for others."""
    sums = open_sums(question, store, domain, names)
    found = sums.lacks() if sums is not None else None
    if sums is None or found is None:
        return ""
    wanted, wanting = found
    chip = f" of the {names.name(sums.chips[0])}" if sums.chips else ""
    said = [f"the {v.name}{chip if v.metric else ''}" for v in wanting]
    known = sums.chips and all(v.metric for v in wanting)
    return f"the {wanted.name} needs {' and '.join(said)}, which {'no fact gives' if known else 'the question does not give'}"


def _best(question: Question, sums: Sums) -> Told | None:
    """Chips ranked by what the question asks for, where that is of two facts of each: one figure of each is ranked without a sum."""
    found = sums.of_each(products(question, sums.domain), sums.targets)
    found = [p for p in found if sum(b.source == FACT for b in p.derivation.bindings.values()) > 1]
    if not found:
        return None
    wanted = found[0].derivation.wanted
    least = DOWNWARD.search(question.text) is not None
    order = sorted(
        (p for p in found if p.derivation.wanted == wanted), key=lambda p: p.derivation.value.middle, reverse=not least
    )
    first: dict[tuple[str, ...], Plan] = {}
    for plan in order:  # of an H200 and its variant that have the same facts the one that is listed first
        facts = (b.origin for b in plan.derivation.bindings.values())
        first.setdefault(tuple(f.id for f in facts if isinstance(f, Fact)), plan)
    told = compose(list(first.values())[:_TOP], sums.asked, sums.sources)
    lead = f"{'Lowest' if least else 'Highest'} first, of {len(first)} whose figures are known: "
    return told.led(lead)


def _in_order(plans: Sequence[Plan], asked: Asked, domain: Domain) -> str:
    """Which of several products comes out first, where the question sets them in order; "" where it does not."""
    spans = [(m.start, m.end) for m in domain.find_metrics(asked.text)]
    told = RANKING.search(blanked(asked.question.text, spans))
    if not told or len(asked.subjects) < 2 or len(plans) != len(asked.subjects):  # noqa: PLR2004
        return ""
    less_is_better = plans[0].derivation.variable.better == "less"
    least = bool(DOWNWARD.search(told[0])) if told[0].lower() not in _JUDGES else less_is_better
    least ^= told[0].lower() in ("worse", "worst")
    order = sorted(plans, key=lambda p: p.derivation.value.middle, reverse=not least)
    first, second, *others = (p.derivation.result() for p in order)
    if {first} == {second, *others}:
        return f"The same: {first}. "
    if first == second:
        return ""  # two of them share the first place
    if not others:
        return f"{'Lower' if least else 'Higher'}: {order[0].label}, {first} against {second}. "
    return f"{'Lowest' if least else 'Highest'}: {order[0].label}, {first} against {second} of the {order[1].label}. "
