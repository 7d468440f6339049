"""Answers that follow from facts and from figures in the question, by the network of equations, on the worksheet of `size` and `plan`.

The derivation is of the quantity that questions like this one ask for, as learned from others, and uses every figure.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise

from chipwise.answering.answer import Ruling, Told, together
from chipwise.answering.base import Base
from chipwise.answering.conditions import products
from chipwise.answering.givens import ALL, CHIP, Given, givens
from chipwise.answering.inputs import HOUR, OF_SPEED, Inputs, read_inputs
from chipwise.answering.memory import MEMORY, memory_told, row, write
from chipwise.answering.naming import names_in
from chipwise.answering.parse import understand, understand_last
from chipwise.answering.query import (
    FIT,
    LEAST_WANTED,
    NOTHING,
    SURELY_WANTED,
    Condition,
    Counted,
    Kind,
    Measure,
    Query,
    Wish,
)
from chipwise.answering.table import FactCell, FactTable, table
from chipwise.answering.tabletext import write_table
from chipwise.answering.verify import has_category
from chipwise.claims.model import Fact
from chipwise.domain.formulas import ONE, Variable
from chipwise.domain.model import Domain
from chipwise.figures.alike import name_words
from chipwise.figures.bindings import available
from chipwise.figures.format import listed, number
from chipwise.figures.llms import find_in
from chipwise.figures.network import FACT, MODEL, Binding, Derivation, Step
from chipwise.figures.solve import agree, derivations
from chipwise.numbers.quantity import Quantity
from chipwise.sizing.footprint import USUAL
from chipwise.sizing.worksheet import Worksheet
from chipwise.text import Span, blanked, words

_TOP = 3  # of a ranking
MOST = 4  # variants of one chip, or several chips or formats, each with a sum of its own
_LIKELY = 0.2  # probability of what is meant, where the figures allow for nothing else
_SEVERAL = 3  # figures that one sum uses seldom go together by chance
_FAIRLY = 0.5  # how sure it has to be then
_NO_SUM = 0.8
_DIVIDED = ("price_rate", "power")  # kinds of figures that may as well be of one chip as of all
_COUNTED = ("chips", "systems")
_CLOSE = 0.05  # how far what somebody reckoned may be from what it comes to
_RATE, _PER_TOKEN = "decode_rate", (["per", "token"], ["a", "token"], ["token"])
_BUYS = "break_even"  # what "buy or rent" asks for, which is no verdict


def work_out(question: Query, base: Base) -> Told | None:
    """Work out what follows from the figures of a question; None if nothing does, or if no sum is asked for."""
    formats = [m for m in base.domain.find_qualifiers(question.text) if m.ids[0].startswith("dtype=")]
    parts = [[(m.start, m.end) for m in formats if m.ids == ids] for ids in dict.fromkeys(m.ids for m in formats)]
    parts = [[span] for span in models] if len(models := _models_in(question.text)) > 1 else parts
    if len(question.parts) > 1 and not (question.of.is_open or question.wants_verdict):
        metrics = base.domain.find_metrics_asked(question.text)
        parts = [[(m.start, m.end) for m in metrics if set(m.ids) & set(ids)] for ids in question.parts]
    if 1 < len(parts) <= MOST and (told := _one_by_one(question, parts, base)):
        return told
    sum_ = open_sum(question, base)
    if sum_ is None or not all(given.value for given in sum_.inputs.figures):  # from 0 of something nothing follows
        return None
    held = memory_told(sum_.inputs, sum_.wish)
    told = _with_support(held, sum_.inputs, base) if held is not None else _if_it_fits(sum_, sum_.told())
    if told is not None and question.of.is_open and sum_.wish.is_one_of(MEMORY) and not question.wants_verdict:
        return _with_room(told, question, base)
    return told


def _models_in(text: str) -> list[Span]:
    """Where language models are named, in order."""
    named = find_in(text)
    return sorted([named[1], *_models_in(blanked(text, [named[1]]))]) if named is not None else []


def _with_support(held: Told, inputs: Inputs, base: Base) -> Told:
    """Say first that the chip lacks the format: weights that fit there are widened for each product."""
    chip, dtype = next(iter(inputs.chips), ""), inputs.axes.get("dtype", "")
    cell = FactCell(Counted(base.names.chip_of(chip) or chip), Measure("dtype_support"))
    lacking = has_category(cell, dtype, True, base) if chip and dtype else None
    if lacking is None or lacking.ruling is not Ruling.NO:
        return held
    return together([replace(lacking, parts=("For the arithmetic ", *lacking.parts[1:])), held], " As for memory: ")


def _if_it_fits(sum_: Sum, told: Told | None) -> Told | None:
    """Say before a rate that the chip does not hold the weights that it would have to read."""
    held = memory_told(sum_.inputs, Wish({FIT: 1.0})) if sum_.wish.surely == _RATE else None
    if told is None or held is None or held.ruling is not Ruling.NO:
        return told
    return together([replace(held, parts=("It does not fit: ", *held.parts[1:])), told], "\n\n")


def _with_room(told: Told, question: Query, base: Base) -> Told:
    """The memory that is needed, and which chips have it where chips are asked for."""
    needed = next((r.value for r in told.rows if isinstance(r.value, Quantity)), None)
    if needed is None or question.side:
        return told
    enough = Condition(Measure("memory_capacity"), replace(needed, high=math.inf, bound="at least"))
    rows = table(Query(question.text, replace(question.of, where=(enough,))), base)
    return together([told, write_table(rows, base)]) if isinstance(rows, FactTable) else told


def _one_by_one(question: Query, parts: Sequence[Sequence[Span]], base: Base) -> Told | None:
    """The sum of a question with each of several parts and without the others; None where one has none, or all have the same."""
    told: list[Told] = []
    for part in parts:
        others = [span for other in parts for span in other if span not in part]
        alone = open_sum(understand_last(blanked(question.text, others), question.since, base.domain), base)
        found = (alone.told() or memory_told(alone.inputs, alone.wish)) if alone is not None else None
        if found is None:
            return None
        results = [(row_.key, row_.text) for row_ in found.rows]
        told += [found] if all(results != [(r.key, r.text) for r in t.rows] for t in told) else []
    return together(told, "\n") if len(told) > 1 else None


def token_rates(text: str, domain: Domain) -> list[tuple[float, str]]:
    """The tokens per second that a text states, each as it is written, or as the sum that makes it of "27 ms per token"."""
    found = [q for q in domain.unit_table.find_all(text) if q.middle > 0]
    times = [q for q in found if q.dimension == "time" and words(text[q.end :])[:2] in _PER_TOKEN]
    made = [(1 / q.middle, f"1 / {text[q.start : q.end]} = ") for q in times]
    made += [(q.middle, "") for q in found if q.dimension == "token_rate"]
    return [(rate, f"{of}{number(rate, 3)} tokens/s") for rate, of in made]


def ceiling_told(question: Query, base: Base) -> Told | None:
    """The most tokens per second for one request of the model and the chip named, and how much of that the rates stated are.

    That is in the format named, else in the widest in which all rates are possible. Of a mixture of experts there is none.
    """
    domain, text, model = base.domain, question.text, find_in(question.text)
    widths = [(q.start, q.end) for q in domain.unit_table.find_all(text) if q.unit == "bit"]
    things = [(n.start, n.end) for n in names_in(text, domain, [model[1]] if model else []) if n.ids]
    counts = [(g.start, g.end) for g in givens(text, domain) or () if g.kind == "chips"]
    things = [(next((a for a, b in counts if not text[b:start].strip()), start), end) for start, end in things]
    rates = token_rates(text, domain)
    formats = [(m.start, m.end) for m in domain.find_qualifiers(text) if m.ids[0].startswith("dtype=")]
    if model is None or model[0].experts:
        made = [said for _, said in rates if "=" in said and model is None]
        return Told((f"{listed(made)}.",)) if made else None
    plain = ", ".join(text[start:end] for start, end in (model[1], *formats, *widths, *things))
    inputs = read_inputs(understand(plain, domain), base)
    if inputs is None or not inputs.chips:
        return None
    rates = rates if len(inputs.chips) == 1 else []  # else it is open which chip reaches them
    stated = bool(widths) or "dtype" in inputs.axes
    told: list[Told] = []
    for form in ("",) if stated else USUAL:
        axes = {**inputs.axes, **({"dtype": form} if form else {})}
        found = Sum(replace(inputs, axes=axes), Wish({_RATE: 1.0})).told()
        most = max((r.value.high for r in found.rows if isinstance(r.value, Quantity)), default=0.0) if found else 0.0
        if found is None or (not stated and any(rate > most for rate, _ in rates)):
            continue
        each = listed(f"{said} is {r / most:.0%} of {number(most, 3)} tokens/s" for r, said in rates)
        above = ", more than one request can have in this format" if any(rate > most for rate, _ in rates) else ""
        told.append(replace(found, parts=(*found.parts, f" {each}{above}." if each else "")))
    return together(told[:1] if rates else told, "\n") if told else None


def open_sum(question: Query, base: Base) -> Sum | None:
    """The question as one that may be a sum; None for one that surely is none."""
    if question.kind is Kind.WHY or question.wants_opinion or not base.domain.equations:
        return None
    if len(question.subjects) < 2 and not base.domain.word_group("apart").isdisjoint(question.words):  # noqa: PLR2004
        return None
    inputs = read_inputs(question, base)
    if inputs is None or not {g.quantity.middle for g in inputs.figures}.issuperset(map(float, question.years)):
        return None
    own = any(g.start >= question.since for g in inputs.figures)  # "and how many MI300X" asks with what was said before
    kinds, variables = {g.kind for g in inputs.figures}, base.domain.variables.values()
    known = [v.id for v in variables if v.dimension in ("count", "time") and not kinds.isdisjoint(v.kinds)]
    priced = any(base.domain.metrics[m].nature == "priced" for m in question.metrics)
    named = {v.id for v in variables if v.metric in question.metrics or (priced and v.dimension == "price")}
    counts = question.unit and base.domain.counted(question.unit) == _COUNTED[0] and "hours" not in question.words
    named |= {v.total for v in variables if v.id in named} | (set(_COUNTED) if counts else set())
    wish = base.wish(question.text[question.since if own else 0 :]).given(known, named)
    return Sum(inputs, wish) if wish.shares.get(NOTHING, 0.0) < _NO_SUM * max(len(inputs.figures), 1) else None


@dataclass(frozen=True)
class Sum:
    """A question that may be a sum, and what it wants."""

    inputs: Inputs
    wish: Wish

    def told(self) -> Told | None:
        """The answer, once, or once for each chip or variant; None where nothing follows."""
        question, wants = self.inputs.question, self.wish.surely
        if question.wants_verdict and not (question.side and len(question.subjects) > 1) and wants != _BUYS:
            return self._judged()
        found = self._each()
        if not found:
            return None
        sheet = Worksheet(self.inputs.sources, digits=0)
        every = []
        for chip, derivation in found:
            sheet.about = self.inputs.about(chip)
            name = self.inputs.sources.names.name(chip) if len(found) > 1 else ""
            for label, variant in sheet.variants(derivation):
                told = ", ".join(filter(None, (name, label)))
                sheet.tell(variant, told)
                every.append((told, variant))
        lead = "; ".join(f"{label}: {d.bound} {d.result()}".replace("  ", " ") for label, d in every if label)
        if not lead and len(sheet.lines) > 1:
            lead = f"{every[0][1].bound} {every[0][1].result()}".strip()
        rows = [row(derivation) for _, derivation in every]
        return write(sheet, lead, rows, self.inputs.sources, Ruling.DEPENDS if question.wants_verdict else None)

    def _judged(self) -> Told | None:
        """Judge the figure that a question doubts by what its other figures come to; None if they come to no such figure."""
        question, variables = self.inputs.question, self.inputs.domain.variables
        stated = question.asserts.value if question.asserts is not None and question.asserts.holds else None
        wanted = max((v for v in self.wish.shares if v in variables), key=self.wish.shares.__getitem__, default="")
        if not isinstance(stated, Quantity) or not wanted or variables[wanted].dimension != stated.dimension:
            return None
        figures = tuple(g for g in self.inputs.figures if g.start != stated.start)
        inputs = replace(self.inputs, question=replace(question, wants_verdict=False), figures=figures)
        told = Sum(inputs, Wish({wanted: 1.0})).told() if figures else None
        values = [r.value.middle for r in told.rows if isinstance(r.value, Quantity)] if told is not None else []
        same = {math.isclose(v, stated.middle, rel_tol=_CLOSE) for v in values}
        ruling = Ruling.YES if same == {True} else Ruling.NO if same == {False} else Ruling.DEPENDS
        return told.led(ruling) if told is not None and same else None

    def _each(self) -> list[tuple[str, Derivation]]:
        """By chip the derivation of what is wanted; of several chips, or of the variants of one that differ, for each."""
        chips, names = self.inputs.chips, self.inputs.sources.names
        if self.inputs.question.of.is_open and self.inputs.question.side and not self.inputs.figures:
            return self._ranked()
        if len(chips) > 1:
            kinds = [found for chip in chips[:MOST] if (found := self._of_kind(chip)) is not None]
            wanted = {d.wanted for _, d in kinds}
            counts = {d.values.get("chips") for _, d in kinds}
            if len(kinds) < len(chips) or len(wanted) > 1 or len(counts - {None}) > ("chips" in wanted) * MOST:
                return []
            return self._in_order(kinds)
        chip = chips[0] if chips else ""
        if (best := self.best(chip)) is not None:
            return [(chip, best)]
        # the GPU of a GB200 is no B200 that stands in a machine of eight
        variants = [v for v in names.members(chip) if name_words(names, chip) <= name_words(names, v)] if chip else []
        own = [
            (v, d) for v in variants if (d := self.best(v)) is not None and any(f.claim.subject == v for f in _facts(d))
        ]
        told = [(v, d) for n, (v, d) in enumerate(own) if all(d.value != o.value for _, o in own[:n])]
        return told if len(told) <= MOST else []

    def _ranked(self) -> list[tuple[str, Derivation]]:
        """The first few of all chips, by what follows from two facts of each; variants that have the same facts once."""
        sources, wanted = self.inputs.sources, self.inputs.domain.variables.get(self.wish.surely or "")
        if wanted is None:
            return []
        near = {v for e in sources.network.around[wanted.id] for v in e.variables}
        first: dict[tuple[str, ...], tuple[str, Derivation]] = {}
        for chip in products(self.inputs.question.of, self.inputs.domain):
            about = self.inputs.about(chip)
            known = defaultdict[str, Sequence[Binding]](tuple, {v: available(sources, about, v) for v in near})
            for derivation in derivations(sources.network, wanted.id, [], known.__getitem__)[:1]:
                if len(facts := _facts(derivation)) > 1:
                    first.setdefault(tuple(f.id for f in facts), (chip, derivation))
        return self._in_order([*first.values()])[:_TOP]

    def _in_order(self, each: list[tuple[str, Derivation]]) -> list[tuple[str, Derivation]]:
        """The best first, or the least, as the question sets them in order."""
        less = bool(each) and each[0][1].variable.better == "less"
        least = {"least": True, "best": less, "worst": not less}.get(self.inputs.question.side, False)
        if not self.inputs.question.side:
            return each
        return sorted(each, key=lambda f: f[1].value.middle, reverse=not least)

    def _of_kind(self, chip: str) -> tuple[str, Derivation] | None:
        """The derivation of a chip; where its variants differ, of the first that has all figures."""
        every = ((v, self.best(v)) for v in (chip, *self.inputs.sources.names.members(chip)))
        return next(((v, d) for v, d in every if d is not None), None)

    def share(self, variable: Variable) -> float:
        """The probability that a variable is wanted, of one chip or of all."""
        return self.wish.of(variable, self.inputs.domain.variables)

    def best(self, chip: str) -> Derivation | None:
        """The cheapest derivation of what is surely meant, of all that the figures allow for; None where two that are as cheap differ."""
        variables = [v for v in self.inputs.domain.variables.values() if self.share(v) >= LEAST_WANTED]
        every: list[tuple[Variable, list[Derivation]]] = []
        for left_out in (frozenset[str](), self.inputs.told_before):
            every = every or [(v, made) for v in variables if (made := self._derivations(v, chip, left_out))]
        shares = [
            sum({w.total or w.id: self.share(w) for w, d in every if agree(d[0], made[0])}.values())
            for _, made in every
        ]
        likeliest = max(shares, default=0.0)
        figures = max((sum(map(self._is_told, d.bindings.values())) for _, made in every for d in made), default=0)
        others = {v.total or v.id: self.share(v) for v, _ in every}
        rivals = sum(others.values()) + self.wish.shares.get(NOTHING, 0.0) / max(figures, 1)
        if likeliest < max((SURELY_WANTED if figures < _SEVERAL else _FAIRLY) * rivals, _LIKELY):
            return None
        meant = [d for (_, made), share in zip(every, shares, strict=True) if share == likeliest for d in made]
        first = min(meant, key=lambda d: (-self.share(d.variable), d.cost))
        return first if all(agree(first, d) for d in meant if d.cost == first.cost) else None

    def _derivations(self, variable: Variable, chip: str, left_out: frozenset[str]) -> list[Derivation]:
        inputs = self.inputs
        given, about = inputs.readings(variable, chip), inputs.about(chip)
        if any(b.variable == variable.id and b.figure == b.variable for b in given):
            return []
        if not self._is_of_all_chips or (variable.of == ALL and self._asks_of_each):
            return []
        return derivations(
            inputs.sources.network,
            variable.id,
            given,
            lambda v: available(inputs.sources, about, v),
            optional=inputs.optional(variable) | left_out,
            accepts=lambda d: self._is_sum(d) and variable.least <= d.value.high <= (variable.most or math.inf),
        )

    @property
    def _asks_of_each(self) -> bool:
        """True for "does each of the 8 H100s have"; the "each" of "700 W each" tells of what the figure is."""
        said = self.inputs.question.text.lower().replace("?", " ").split()
        chips = self.inputs.domain.word_group("chip-word")
        asks = "each" in said or any(a == "per" and b in chips for a, b in pairwise(said))
        return asks and not any(g.scope == CHIP for g in self.inputs.figures)

    def _is_sum(self, derivation: Derivation) -> bool:
        """True for more than a look-up, of all that the question says."""
        bindings, variables = derivation.bindings, self.inputs.sources.network.variables
        facts = [variables[v].metric for v, b in bindings.items() if b.source == FACT]
        told = {v: b for v, b in bindings.items() if self._is_told(b)}
        is_given = told or any(b.source == MODEL for b in bindings.values())
        of_machine = any(b.figure == "chips" and not isinstance(b.origin, Given) for b in bindings.values())
        if not derivation.steps or len(set(facts)) < len(facts):  # the price of a machine by that of its chip
            return False
        if not is_given and (len(facts) + of_machine < 2 or derivation.wanted in _COUNTED):  # noqa: PLR2004
            return False
        same = [v for v, b in told.items() if b.value == derivation.value]
        if len(told) == 1 and any(variables[v].dimension == derivation.variable.dimension for v in same):
            return False  # what comes out is the one figure that went in
        return not self._mixes_up(derivation) and self._is_whole(derivation)

    def _is_told(self, binding: Binding) -> bool:
        """True for a figure of the question; a price per hour needs no sum, and the count of a machine it does not say itself."""
        is_hour = binding.figure == "duration" and binding.value.low == HOUR
        return bool(binding.figure) and not is_hour and (binding.figure != "chips" or isinstance(binding.origin, Given))

    def _mixes_up(self, derivation: Derivation) -> bool:
        """True where two figures of a kind take different parts, and nothing tells which takes which: "128 GB" and "16 GB" are no addends."""
        variables = self.inputs.sources.network.variables
        given = [(variables[v], b.origin) for v, b in derivation.bindings.items() if isinstance(b.origin, Given)]
        adds = any(map(_adds, derivation.steps))
        return any(
            g is not h and g.kind == h.kind and not (g.of or h.of) and not self._are_told_apart((v, g), (w, h), adds)
            for (v, g), (w, h) in combinations(given, 2)
        )

    def _are_told_apart(self, one: tuple[Variable, Given], other: tuple[Variable, Given], adds: bool) -> bool:
        """True where one figure is of one chip and the other of all, or words name what one is of; of addends, what each is of."""
        scopes = [self.inputs.scope(g) for _, g in (one, other)]
        if any(scope == CHIP and v.of != ONE for scope, (v, _) in zip(scopes, (one, other), strict=True)):
            return False  # "an 80 GB card" is not full of weights
        said = f" {self.inputs.question.text.lower()} "
        own, others = ({w for w in (v.name, *v.names, *v.words) if f" {w} " in said} for v, _ in (one, other))
        if adds:
            return bool(own - others and others - own)
        return (one[0].of != other[0].of and scopes[0] != scopes[1]) or own != others

    def _is_whole(self, derivation: Derivation) -> bool:
        """True where the chips and the format of the question go in, and no figure may as well be of one chip as of all."""
        inputs, bindings = self.inputs, derivation.bindings.values()
        measured = {inputs.domain.metrics[m].dimension for m in inputs.question.metrics} & OF_SPEED
        if measured - {inputs.sources.network.variables[v].dimension for v in derivation.used}:
            return False  # "with a latency under a second"
        if inputs.trained and "weights" in derivation.used and "training_states" not in derivation.used:
            return False
        facts = [b.origin for b in bindings if isinstance(b.origin, Fact)]
        has_format = any(b.figure == "format" for b in bindings) or any(f.claim.qualifier("dtype") for f in facts)
        if inputs.axes.get("dtype", "") in dict(inputs.domain.variables["precision"].values) and not has_format:
            return False
        if inputs.many == 1:
            return True
        used = [(inputs.sources.network.variables[v], b) for v, b in derivation.bindings.items()]
        given = [(v, b.origin) for v, b in used if isinstance(b.origin, Given)]
        if any(not inputs.scope(g) and (v.of == ONE or (v.of and g.kind in _DIVIDED)) for v, g in given):
            return False
        of_machine = any(b.source == FACT and v.id.startswith(("system_", "chips_per_system")) for v, b in used)
        of_all = any(v.of == ALL and inputs.scope(g) == ALL for v, g in given) and all(v.of != ONE for v, _ in used)
        counted = any(b.figure == "chips" for _, b in used) or derivation.wanted == "chips"
        return counted or of_machine or of_all or any(g.scope == CHIP for _, g in given)

    @property
    def _is_of_all_chips(self) -> bool:
        """False where what was said before names a chip that the question is not about."""
        domain, chips = self.inputs.domain, self.inputs.chips
        named = [m.ids[0] for m in domain.find_entities(self.inputs.question.text) if domain.is_chip(m.ids[0])]
        return not chips or all(any(domain.are_kin(n, c) for c in chips) for n in named)


def _facts(derivation: Derivation) -> tuple[Fact, ...]:
    return tuple(b.origin for b in derivation.bindings.values() if isinstance(b.origin, Fact))


def _adds(step: Step) -> bool:
    """True for a step that adds all its inputs, and takes none from another."""
    signs = {step.equation.left: -1, **dict(step.equation.powers)}
    return step.equation.adds and len({signs[v] for v in step.inputs}) == 1
