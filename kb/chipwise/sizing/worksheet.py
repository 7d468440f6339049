"""A worksheet: lines of arithmetic with where each input is from, what is assumed, what is cited, what is missing, what limits.

    weights in BF16: 70.6 billion parameters x 2 B = 141 GB

A line is made from an equation of the network wherever there is one.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from chipwise.claims.model import Citation, Fact
from chipwise.domain.formulas import Equation
from chipwise.errors import Underdetermined
from chipwise.figures.bindings import About, Sources, available, offer_binding, offers
from chipwise.figures.format import interval_text
from chipwise.figures.llms import LanguageModel, row_citation
from chipwise.figures.network import CONVENTION, FACT, Binding, Derivation, Network, Step, arithmetic
from chipwise.figures.resolve import offered
from chipwise.figures.solve import conventions, derivations, derive
from chipwise.numbers.intervals import Interval

ASSUMED = ("mfu", "pue")  # the variables that a convention may stand for
ZERO = Interval.of(0.0)
_DIGITS = 3  # more than most assumptions are worth


@dataclass(frozen=True, slots=True)
class Input:
    """What goes into a line: its name, how it is printed, and where it is from: "given", "model", "fact", "convention", or "line"."""

    name: str
    text: str
    source: str


@dataclass(frozen=True, slots=True)
class Line:
    """One result: what it is, its arithmetic as text, its value in `unit`, and how that is printed."""

    id: str
    name: str
    says: str
    low: float
    high: float
    unit: str
    text: str
    inputs: tuple[Input, ...] = ()


@dataclass(frozen=True, slots=True)
class Reference:
    """What a number in brackets stands for; `of` is the fact or the model whose figure that is."""

    n: int
    source: str
    citation: Citation
    of: Fact | LanguageModel | None = None


@dataclass(frozen=True, slots=True)
class Fit:
    """The least and the most chips that hold something, by the arithmetic and as `offered`; no most where only a division of all of it fits."""

    chip: str
    name: str
    of: str
    memory: str
    least: tuple[int, int | None]
    offered: tuple[int, int | None]


@dataclass(frozen=True, slots=True)
class Holding:
    """What the chips that are named have in all for something, what of that is to stay free, and what is left, in bytes: below zero where it does not fit.

    `each` is how the memory of one is printed.
    """

    of: str
    memory: Interval
    free: Interval
    left: Interval
    each: str

    @property
    def verdict(self) -> str:
        """ "yes", "no", or "depends": it takes some of what is to stay free."""
        return "yes" if self.left.low >= 0 else "depends" if (self.left + self.free).low >= 0 else "no"


@dataclass
class Worksheet:
    """What follows for a chip from what is given. `missing` says what does not, and why; `limits` what bounds a rate.

    The answers are the lines whose id, up to a dot, is `wanted`: the others lead to them. `needs` has by format the bytes that have to fit.
    """

    sources: Sources = field(repr=False)
    command: str = ""
    title: str = ""
    inputs: Mapping[str, Any] = field(default_factory=dict)
    wanted: Collection[str] = ()
    names: Mapping[str, str] = field(default_factory=dict)  # what a plan calls some variables
    digits: int = _DIGITS  # of a result, 0 for those that are usual for its variable
    about: About = field(default_factory=About)
    given: dict[str, Binding] = field(default_factory=dict)
    lines: list[Line] = field(default_factory=list)
    needs: dict[str, Interval] = field(default_factory=dict)
    fits: list[Fit] = field(default_factory=list)
    held: list[Holding] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    assumptions: list[str] = field(default_factory=list)
    references: list[Reference] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    limits: str = ""

    def __post_init__(self) -> None:
        network = self.sources.network
        variables = {
            v.id: replace(v, name=self.names.get(v.id, v.name), digits=self.digits or v.digits)
            for v in network.variables.values()
        }
        self.sources = replace(self.sources, network=replace(network, variables=variables))

    @property
    def network(self) -> Network:
        """The network of equations."""
        return self.sources.network

    @property
    def follows(self) -> bool:
        """False where something that was asked for does not follow."""
        return bool(self.lines) and not self.missing

    @property
    def answers(self) -> list[Line]:
        """The lines that were wanted."""
        return [line for line in self.lines if line.id.partition(".")[0] in self.wanted]

    def assume(self, text: str, source: str = "", quote: str = "") -> None:
        """Something that nobody gave, printed once."""
        said = text + self.mark(source, quote)
        self.assumptions += [said] if said not in self.assumptions else []

    def mark(self, source: str, quote: str) -> str:
        """ " [2]" for words of a source; "" where the knowledge base does not hold them."""
        info = self.sources.store.find_source(source) if source else None
        for stored in self.sources.store.source_passages(source) if info is not None else ():
            at = stored.passage.text.find(quote)
            if at >= 0 and info is not None:
                line = stored.passage.line + stored.passage.text.count("\n", 0, at)
                return self.cite(source, Citation(info.title, info.origin, info.publisher, info.published, quote, line))
        return ""

    def cite(self, source: str, citation: Citation, of: Fact | LanguageModel | None = None) -> str:
        """ " [1]" for a citation."""
        place = (source, citation.line, citation.quote)
        known = (r for r in self.references if (r.source, r.citation.line, r.citation.quote) == place)
        if (reference := next(known, None)) is None:
            reference = Reference(len(self.references) + 1, source, citation, of)
            self.references.append(reference)
        return f" [{reference.n}]"

    def law(self, equation: Equation) -> str:
        """The mark of what an equation rests on."""
        return self.mark(equation.source, equation.quote)

    def shown(self, binding: Binding) -> str:
        """A value as the arithmetic prints it, with its mark where it is a fact."""
        return (binding.text or self.amount(binding.variable, binding.value)) + self.mark_of(binding.origin)

    def mark_of(self, origin: object) -> str:
        """The mark of a fact, or of a model's row in the table of models; "" for anything else."""
        if isinstance(origin, Fact):
            return self.cite(origin.claim.source, origin.citation, origin)
        return self.cite(*row_citation(origin), origin) if isinstance(origin, LanguageModel) else ""

    def amount(self, variable: str, value: Interval) -> str:
        """A value as it is printed, in a unit of its variable."""
        return interval_text(value, self.network.variables[variable], self.network.scales, short=True)

    def had(self, variable: str, wanted: str, given: Mapping[str, Binding], assumed: Collection[str]) -> list[Binding]:
        """What may stand for a variable that is not given: a fact, or one of the conventions that are allowed here."""
        if variable == wanted or variable in given:
            return []
        found = available(self.sources, self.about, variable)
        return [b for b in found if b.source != CONVENTION or variable in assumed]

    def find(
        self, wanted: str, assumed: Sequence[str] = ASSUMED, given: Mapping[str, Binding] | None = None
    ) -> Derivation | None:
        """The cheapest derivation, whether or not it uses all that is given; None where nothing follows."""
        known = self.given if given is None else given
        stated = [*known.values()]
        found = derivations(self.network, wanted, stated, lambda v: self.had(v, wanted, known, assumed), [*known])
        return found[0] if found else None

    def why_not(self, wanted: str) -> str:
        """What is missing for a variable."""
        needed = [b for b in self.given.values() if b.variable != wanted]
        try:
            derive(self.network, wanted, needed, lambda v: self.had(v, wanted, self.given, ASSUMED))
        except Underdetermined as error:
            return str(error)
        return f"the {self.network.variables[wanted].name} does not follow"

    def add(
        self, id_: str, name: str, sums: str, variable: str, value: Interval, inputs: Sequence[Input] = (), *, first: bool = False
    ) -> None:  # fmt: skip
        """A line "name: sums = value", or "name value (sums)" with the value `first`; it is one of a variable, in base units."""
        text = self.amount(variable, value)
        says = f"{name} {text}{f' ({sums})' * bool(sums)}" if first else f"{name}: {f'{sums} = ' * bool(sums)}{text}"
        self._line(id_, name, says, variable, value, inputs)

    def product(self, id_: str, name: str, equation: str, bindings: Sequence[Binding]) -> Interval:
        """One equation worked out as a line, "name: 2 x 3 B = 6 B"; its value in base units."""
        law = self.network.equations[equation]
        known = {b.variable: b for b in bindings}
        value = Derivation(self.network, law.left, (Step(law, law.left),), known, 0.0).value
        operands = {v: self.shown(b) for v, b in known.items()}
        sums = arithmetic(law, law.left, operands, law.shows)
        inputs = [Input(self.network.variables[v].name, operands[v], b.source) for v, b in known.items()]
        self.add(id_, name, sums, law.left, value, inputs)
        return value

    def tell(self, derivation: Derivation, label: str = "") -> None:
        """Adds the steps that no line tells yet."""
        steps = [s for s in derivation.steps if not s.is_alias or s.variable == derivation.wanted]
        known = [(line.id, line.text) for line in self.lines]  # chips differ in what leads to a result
        for step, says in zip(steps, derivation.lines(self.shown, self.law), strict=True):
            is_last = bool(label) and step.variable == derivation.wanted
            id_, of = (f"{step.variable}.{label}", f" ({label})") if is_last else (step.variable, "")
            value, name = derivation.values[step.variable], self.network.variables[step.variable].name
            if (id_, self.amount(step.variable, value)) not in known:
                inputs = []
                for v in step.inputs:
                    binding = derivation.bindings.get(v)
                    told = ("", "line") if binding is None else (self.shown(binding), binding.source)
                    inputs.append(Input(self.network.variables[v].name, *told))
                self._line(id_, name + of, says + of, step.variable, value, inputs)
        for convention in derivation.assumes:
            self.assume(convention.says, convention.source, convention.quote)

    def tell_priced(self, wanted: str, given: Mapping[str, Binding], when: str = "") -> None:
        """Add what depends on a price: at the given price, else at the lowest and highest offer. `when` goes into the label."""
        if (derivation := self.find(wanted, given=given)) is not None:
            for label, variant in self.variants(derivation):
                self.tell(variant, ", ".join(filter(None, (when, label))))

    def variants(self, derivation: Derivation) -> list[tuple[str, Derivation]]:
        """A derivation at the lowest and at the highest price of several, or for each convention where one is as good as another."""
        each = derivation.bindings.get(derivation.variable.each_of)
        if each is not None and each.source == CONVENTION:
            every = conventions(self.network, each.variable)
            return [(b.origin.says, derivation.with_binding(b)) for b in every]
        names = self.sources.names
        for variable in [v for v, b in derivation.bindings.items() if b.source == FACT]:
            found = [*offers(self.sources, self.about, self.network.variables[variable]).values()]
            if found and not self.about.provider:
                several = f"the lowest and the highest on-demand price of {len(found)} providers"
                self.assume(several if len(found) > 1 else "the only known on-demand price")
                ends = dict.fromkeys((found[0], found[-1]))
                return [
                    (offered(o.fact, names), derivation.with_binding(offer_binding(variable, o, names))) for o in ends
                ]
        return [("", derivation)]

    def tell_unknown(self, *, energy: bool) -> None:
        """Which of the chip's price and power is not known, so that what rests on it does not follow; missing where `energy` is asked for."""
        name = self.sources.names.name(self.about.chip)
        known = {v for v in ("price", "power") if v in self.given or available(self.sources, self.about, v)}
        told = {line.id.partition(".")[0] for line in self.lines}
        if "price" not in known and not told & {"cost", "price", "token_cost"}:
            self.notes.append(f"no on-demand price of the {name} is known: give --price for what it costs")
        if energy and "power" not in known:
            self.missing.append(f"the power of the {name}, and with it the energy: no figure is known")
        elif energy and "energy" not in told:
            self.missing.append(self.why_not("energy"))

    def _line(
        self, id_: str, name: str, says: str, variable: str, value: Interval, inputs: Sequence[Input] = ()
    ) -> None:
        unit = next(iter(self.network.variables[variable].units), "")
        scale = self.network.scales[unit] if unit else 1.0
        ends = (value.low / scale, value.high / scale)
        line = Line(id_, name, says, *ends, unit, self.amount(variable, value), tuple(inputs))
        self.lines += [line] if all(says != known.says for known in self.lines) else []  # of two ways to train
