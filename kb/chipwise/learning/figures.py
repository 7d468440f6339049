"""The figures of a step: facts of the table and what follows from them, each with its arithmetic and citation.

    dense  = { of = "nvidia-h100-sxm", metric = "peak_compute", dtype = "bf16", sparsity = "dense" }   ->  989 TFLOPS [1]
    ratio  = { sum = "sparse / dense", unit = "x" }         ->  1,979 TFLOPS [2] / 989 TFLOPS [1] = 2x
    mfu    = { solve = "MFU", with = { peak = "dense", "achieved compute" = "reached" } }  ->  by the network of equations

The numbers in brackets count the citations of one step.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from chipwise.claims.model import Citation, Fact, Key, Scope
from chipwise.errors import DomainInvalid, NameUnknown, QuestionInvalid, Underdetermined
from chipwise.figures.alike import agree
from chipwise.figures.bindings import About, Sources, available
from chipwise.figures.derivation import MODEL, Binding
from chipwise.figures.format import UNIT_NAMES, in_words, interval_text, number, plain, value_text
from chipwise.figures.llms import LanguageModel, named_model, row_evidence
from chipwise.figures.resolve import resolve
from chipwise.figures.solve import derive
from chipwise.figures.solve import variable as variable_named
from chipwise.learning.lessons import Spec
from chipwise.numbers.intervals import Interval, evaluate, names

_PREFERRED = "preferred"
_DIGITS = 3  # of a result, unless its spec says otherwise
_GLUED = ("x", "%")  # units printed without a space
_MONEY = "USD"
_UP_TO = "up to "  # of a bound; arithmetic uses the number alone
_NAME = re.compile(r"[a-z_]\w*")
_FACT = frozenset(
    ("of", "metric", "per", "count", "rank", "unit", "baseline", "modality")
)  # keys of a fact's spec that aren't axes
_KINDS = ("solve", "sum", "of", "given", "model")  # "solve" comes first, because it may have a "model" too


@dataclass(frozen=True, slots=True)
class Cited:
    """A numbered citation: a fact of the table by its id, or a row of the table of models.

    `text` is the printed value, `what` describes it.
    """

    n: int
    id: str
    text: str
    what: str
    as_of: str
    note: str  # "deprecated: 95 GB are one chip", for a figure cited because it is wrong or outdated
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

    def add(self, name: str, spec: Spec) -> Figure:
        """Calculate and store the figure called `name`."""
        kind = next((kind for kind in _KINDS if kind in spec), "")
        if not kind:
            raise DomainInvalid(f"{name!r} has no kind: {dict(spec)}", hint=f"give it one of {', '.join(_KINDS)}")
        make = {"of": self._fact, "model": self._model, "given": self._given, "sum": self._sum, "solve": self._solved}
        figure = self.made[name] = make[kind](spec)
        return figure

    def value(self, expression: str) -> float:
        """Evaluate an expression over the figures, in base units."""
        return evaluate(expression, {name: Interval.of(f.value) for name, f in self.made.items()}).middle

    def _fact(self, spec: Spec) -> Figure:
        fact = find_fact(self.sources, spec)
        what = f"{self.sources.names.name(fact.claim.subject)}, {self.sources.names.name(fact.claim.metric)}"
        words = in_words(fact.claim, self.sources.names)
        text = _text_of(fact, self.sources)
        what = f"{what} ({words})" if words else what
        note = "" if fact.rank == _PREFERRED else f"{fact.rank}: {fact.reason}"
        cited = Cited(0, fact.id, text, what, fact.as_of, note, fact.claim.source, fact.citation)
        return Figure(text, fact.amount, fact.unit, self._cite(cited))

    def _model(self, spec: Spec) -> Figure:
        model = named_model(spec["model"])
        if spec["has"] == "name":
            return Figure(model.name, float(model.parameters))
        count = float(getattr(model, spec["has"]))
        return Figure(f"{number(count)} {spec['has']}", count, mark=self._cite_model(model))

    def _cite_model(self, model: LanguageModel) -> str:
        shape = f"{model.layers} layers, {model.kv_heads} KV heads of {model.head_dim} values"
        text = f"{number(model.parameters)} parameters, {shape}"
        row = row_evidence(model)
        citation = Citation(row.title, row.origin, row.publisher, row.published, row.quote, row.line)
        return self._cite(Cited(0, model.id, text, f"the shape of {model.name}", "", "", row.source, citation))

    def _cite(self, cited: Cited) -> str:
        citation = self.cited.setdefault(cited.id, replace(cited, n=len(self.cited) + 1))
        return f" [{citation.n}]"

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
        scale = self._scale(unit)
        value = self.value(expression)
        text = _with_unit(value / scale, unit, spec.get("digits", _DIGITS))
        if list(operands) == [expression]:
            own = operands[expression]
            factor = plain(self._scale(own.unit) / scale, 5)
            says = f"{own.marked} x {factor} {unit} per {own.unit}"
        else:
            says = _NAME.sub(lambda m: operands[m[0]].marked.removeprefix(_UP_TO), expression).replace("*", "x")
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
            is_of_model = binding.source == MODEL and about.model is not None
            return derivation.text_of(binding) + (self._cite_model(binding.origin) if is_of_model else "")

        text = interval_text(derivation.value, wanted, network.scales, short=True)
        before = tuple(line for figure in given.values() for line in figure.sums)
        lines = tuple(dict.fromkeys((*before, *derivation.lines(shown))))
        return Figure(text, derivation.value.middle, wanted.units[0] if wanted.units else "", sums=lines)

    def _scale(self, unit: str) -> float:
        """The factor from a unit to base units; 1 for counts."""
        row = self.sources.names.units.get(unit)
        return row.scale if row is not None else 1.0


def find_fact(sources: Sources, spec: Spec) -> Fact:
    """Return the fact that a spec describes; several must agree. Raises Underdetermined if there is none, or they differ."""
    names_ = sources.names
    if spec["of"] not in names_.entities:
        raise NameUnknown(f"there is no {spec['of']!r}", hint="name an entity of the domain")
    per = spec.get("per", "chip")
    axes = {axis: str(value) for axis, value in spec.items() if axis not in _FACT}
    wanted = Key(
        spec["of"], spec["metric"], Scope(per, spec.get("count")) if per else None, tuple(sorted(axes.items()))
    )
    standing = resolve(sources.store, names_, wanted).facts
    if spec.get("rank", _PREFERRED) != _PREFERRED:  # `resolve` returns no wrong or outdated facts
        facts = sources.store.facts([spec["of"]], [spec["metric"]])
        standing = tuple(fact for fact in facts if fact.claim.states(axes) and sources.store.holds(fact))
    fitting = [fact for fact in standing if _fits(fact, spec)]
    own = [fact for fact in fitting if fact.claim.subject == spec["of"]] or fitting
    if not own or not all(agree(fact, own[0]) for fact in own):
        name, metric = names_.name(spec["of"]), names_.name(spec["metric"])
        why = "several figures differ" if own else "no source in this knowledge base has the figure"
        raise Underdetermined(f"{name}, {metric}: {why}", hint="`chipwise facts` shows what is known")
    return own[0]


def _fits(fact: Fact, spec: Spec) -> bool:
    asked: Mapping[str, Any] = {"rank": _PREFERRED, **spec}
    return (
        fact.rank == asked["rank"]
        and fact.unit == asked.get("unit", fact.unit)
        and fact.claim.modality == asked.get("modality", fact.claim.modality)
        and fact.claim.baseline == asked.get("baseline", fact.claim.baseline)
        and fact.claim.quantity is not None
    )


def _text_of(fact: Fact, sources: Sources) -> str:
    """The printed value: "989 TFLOPS", "up to 2.6x"."""
    text = value_text(fact, sources.names).replace("at most ", _UP_TO)
    return text.removesuffix(f" {fact.unit}") + fact.unit if fact.unit in _GLUED else text


def _with_unit(value: float, unit: str, digits: int) -> str:
    written = f"{value:,.2f}" if unit.startswith(_MONEY) else plain(value, digits)
    return f"{written}{'' if unit in _GLUED else ' '}{UNIT_NAMES.get(unit, unit)}"
