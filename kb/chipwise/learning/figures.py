"""The figures of a step: facts of the table and what follows from them, each with its arithmetic and citation.

    dense  = { of = "nvidia-h100-sxm", metric = "peak_compute", dtype = "bf16", sparsity = "dense" }   ->  989 TFLOPS [1]
    ratio  = { sum = "sparse / dense", unit = "x" }         ->  1,979 TFLOPS [2] / 989 TFLOPS [1] = 2x
    mfu    = { solve = "MFU", with = { peak = "dense", "achieved compute" = "reached" } }  ->  by the network of equations

The numbers in brackets count the citations of one step.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from chipwise.claims.model import Citation, Fact, Key, Scope
from chipwise.errors import DomainInvalid, NameUnknown, QuestionInvalid, Underdetermined
from chipwise.figures.alike import agree
from chipwise.figures.bindings import About, Sources, available
from chipwise.figures.format import UNIT_NAMES, in_words, interval_text, number, plain, value_text
from chipwise.figures.llms import LanguageModel, named_model, row_citation
from chipwise.figures.network import Binding
from chipwise.figures.resolve import resolve
from chipwise.figures.solve import derive
from chipwise.figures.solve import variable as variable_named
from chipwise.learning.lessons import Spec, named_in
from chipwise.numbers.intervals import Interval, evaluate, names

_PREFERRED = "preferred"
_RANKS = {"normal": "not the preferred figure", "deprecated": "known to be wrong"}
_DIGITS = 3  # of a result, unless its spec says otherwise
_GLUED = ("x", "%")  # units printed without a space
_UP_TO = "up to "  # of a bound; arithmetic uses the number alone
_NAME = re.compile(r"[a-z_]\w*")
# keys of a fact's spec that aren't axes
_FACT = frozenset(("of", "metric", "per", "count", "rank", "unit", "baseline", "modality"))


@dataclass(frozen=True, slots=True)
class Cited:
    """A numbered citation: a fact of the table by its id, or a row of the table of models.

    `text` is the printed value, `what` describes it, `note` tells why a figure is cited that is wrong or outdated.
    """

    n: int
    id: str
    text: str
    what: str
    as_of: str
    note: str
    source: str
    citation: Citation


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure as a value in base units and as text. `mark` is its citation (" [1]"), `sums` the lines that derive it."""

    text: str
    value: float
    unit: str = ""
    mark: str = ""
    sums: tuple[str, ...] = ()

    @property
    def marked(self) -> str:
        """The text with its citation mark."""
        return self.text + self.mark


@dataclass
class Figures:
    """The figures of a step, built one by one; each may use earlier ones.

    Raises Underdetermined for a figure without a fact, and the errors of the network of equations.
    """

    sources: Sources
    made: dict[str, Figure] = field(default_factory=dict)
    cited: dict[str, Cited] = field(default_factory=dict)
    assumed: dict[str, None] = field(default_factory=dict)

    def add(self, name: str, spec: Spec) -> None:
        """Calculate and store the figure called `name`; "solve" comes first, because it may have a "model" too."""
        kinds = {"solve": self._solved, "sum": self._sum, "of": self._fact, "given": self._given, "model": self._model}
        kind = next((kind for kind in kinds if kind in spec), "")
        if not kind:
            raise DomainInvalid(f"{name!r} has no kind: {dict(spec)}", hint=f"give it one of {', '.join(kinds)}")
        self.made[name] = kinds[kind](spec)

    def value(self, expression: str) -> float:
        """Evaluate an expression over the figures, in base units."""
        return evaluate(expression, {name: Interval.of(f.value) for name, f in self.made.items()}).middle

    def fill(self, template: str, *, marked: bool = False) -> str:
        """A text with its figures, each with its citation mark where `marked`."""
        return template.format_map({name: f.marked if marked else f.text for name, f in self.made.items()})

    def sums(self, *templates: str) -> tuple[str, ...]:
        """The arithmetic behind the figures of texts, each line once."""
        return tuple(dict.fromkeys(line for name in named_in(*templates) for line in self.made[name].sums))

    def _fact(self, spec: Spec) -> Figure:
        fact, called = find_fact(self.sources, spec), self.sources.names
        text = value_text(fact, called).replace("at most ", _UP_TO)
        text = text.removesuffix(f" {fact.unit}") + fact.unit if fact.unit in _GLUED else text
        words = in_words(fact.claim, called)
        what = f"{called.name(fact.claim.subject)}, {called.name(fact.claim.metric)}{f' ({words})' if words else ''}"
        note = "" if fact.rank == _PREFERRED else f"{_RANKS[fact.rank]}: {fact.reason}"
        mark = self._cite(fact.id, text, what, fact.as_of, note, fact.claim.source, fact.citation)
        return Figure(text, fact.amount, fact.unit, mark)

    def _model(self, spec: Spec) -> Figure:
        model = named_model(spec["model"])
        if spec["has"] == "name":
            return Figure(model.name, float(model.parameters))
        count = float(getattr(model, spec["has"]))
        return Figure(f"{number(count)} {spec['has']}", count, mark=self._cite_model(model))

    def _cite_model(self, model: LanguageModel) -> str:
        shape = f"{model.layers} layers, {model.kv_heads} KV heads of {model.head_dim} values"
        text = f"{number(model.parameters)} parameters, {shape}"
        return self._cite(model.id, text, f"the shape of {model.name}", "", "", *row_citation(model))

    def _cite(self, id_: str, *told: str | Citation) -> str:
        new = Cited(len(self.cited) + 1, id_, *told)  # type: ignore[arg-type] # in the order of its fields
        return f" [{self.cited.setdefault(id_, new).n}]"

    def _given(self, spec: Spec) -> Figure:
        """A figure that the step itself assumes, such as a context of 8,192 tokens."""
        quantities = self.sources.domain.unit_table.find_all(spec["given"])
        if len(quantities) != 1:
            raise QuestionInvalid(f"{spec['given']!r} is not one amount", hint="give one amount with its unit")
        return Figure(spec["given"], quantities[0].middle)

    def _sum(self, spec: Spec) -> Figure:
        """Evaluate an expression over earlier figures; a single figure is converted to the unit instead."""
        expression, unit = spec["sum"], spec["unit"]
        operands = {name: self.made[name] for name in names(expression)}
        scale, value = self._scale(unit), self.value(expression)
        scaled = value / scale
        amount = f"{scaled:,.2f}" if unit.startswith("USD") else plain(scaled, spec.get("digits", _DIGITS))
        text = f"{amount}{'' if unit in _GLUED else ' '}{UNIT_NAMES.get(unit, unit)}"
        says = _NAME.sub(lambda m: operands[m[0]].marked.removeprefix(_UP_TO), expression).replace("*", "x")
        if list(operands) == [expression]:
            own = operands[expression]
            says = f"{own.marked} x {plain(self._scale(own.unit) / scale, 5)} {unit} per {own.unit}"
        label = f"{spec['name']}: " if "name" in spec else ""
        before = tuple(dict.fromkeys(line for own in operands.values() for line in own.sums))
        return Figure(text, value, unit, sums=(*before, f"{label}{says} = {text}"))

    def _solved(self, spec: Spec) -> Figure:
        """Solve the network of equations for a figure, given earlier figures and a model's shape."""
        network = self.sources.network
        wanted = variable_named(network, spec["solve"])
        given = {variable_named(network, name).id: self.made[figure] for name, figure in spec["with"].items()}
        bound = [Binding.of(v, f.value, f.marked) for v, f in given.items()]
        about = About(model=named_model(spec["model"])) if "model" in spec else About()
        derivation = derive(network, wanted.id, bound, lambda v: available(self.sources, about, v))
        self.assumed |= {convention.says: None for convention in derivation.assumes}

        def shown(binding: Binding) -> str:
            model = binding.origin
            return derivation.text_of(binding) + (self._cite_model(model) if isinstance(model, LanguageModel) else "")

        text = interval_text(derivation.value, wanted, network.scales, short=True)
        before = (line for figure in given.values() for line in figure.sums)
        lines = tuple(dict.fromkeys((*before, *derivation.lines(shown))))
        return Figure(text, derivation.value.middle, wanted.units[0] if wanted.units else "", sums=lines)

    def _scale(self, unit: str) -> float:
        """The factor from a unit to base units; 1 for counts."""
        row = self.sources.names.units.get(unit)
        return row.scale if row is not None else 1.0


def find_fact(sources: Sources, spec: Spec) -> Fact:
    """Return the fact that a spec describes; several must agree. Raises Underdetermined if there is none, or they differ."""
    called, of, metric = sources.names, spec["of"], spec["metric"]
    if of not in called.entities:
        raise NameUnknown(f"there is no {of!r}", hint="name an entity of the domain")
    axes = {axis: str(value) for axis, value in spec.items() if axis not in _FACT}
    scope = Scope(spec.get("per", "chip"), spec.get("count")) if spec.get("per", "chip") else None
    rank = spec.get("rank", _PREFERRED)
    if rank == _PREFERRED:
        standing = resolve(sources.store, called, Key(of, metric, scope, tuple(sorted(axes.items())))).facts
    else:  # `resolve` returns no wrong or outdated facts
        facts = sources.store.facts([of], [metric])
        standing = tuple(f for f in facts if f.claim.states(axes) and sources.store.holds(f))
    fitting = [f for f in standing if f.rank == rank and f.claim.quantity is not None and _fits(f, spec)]
    own = [fact for fact in fitting if fact.claim.subject == of] or fitting
    if not own or not all(agree(fact, own[0]) for fact in own):
        why = "several figures differ" if own else "no source in this knowledge base has the figure"
        said = f"{called.name(of)}, {called.name(metric)}: {why}"
        raise Underdetermined(said, hint="`chipwise facts` shows what is known")
    return own[0]


def _fits(fact: Fact, spec: Spec) -> bool:
    """True for a fact of the unit, the modality and the baseline that a spec names."""
    stated = {"unit": fact.unit, "modality": fact.claim.modality, "baseline": fact.claim.baseline}
    return all(spec.get(name, value) == value for name, value in stated.items())
