"""What may stand for a variable though nobody gives it: a fact of the chip or machine in question, a model's shape, a convention.

peak of an H100 SXM, in FP8   ->  1,979 TFLOPS, dense, of the fact that says so
price of an H100              ->  2.99 USD/hour, the lowest of five providers; the highest is asked for apart
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import field, replace

from chipwise.claims.model import Key, Scope
from chipwise.domain.formulas import Variable
from chipwise.domain.model import Domain
from chipwise.domain.names import Names
from chipwise.figures.format import value_text
from chipwise.figures.llms import LanguageModel
from chipwise.figures.network import FACT, MODEL, Binding, Network
from chipwise.figures.resolve import FactSource, Offer, chip_offers, machine_offers, resolve
from chipwise.figures.solve import conventions
from chipwise.index.store import Store
from chipwise.values import dataclass

_PROVIDED = "provider"  # the axis of what has as many values as there are who offer it


@dataclass(frozen=True)
class Sources:
    """Where bindings come from; `known` has what added documents say too, of what the table is silent about."""

    store: Store
    domain: Domain
    names: Names
    network: Network
    known: FactSource | None = None


@dataclass(frozen=True)
class About:
    """What a derivation is about: a chip and a machine of it, both "" where none is named, and what the question states.

    `stated` are values by axis ("dtype" → "fp8"), `said` its words, for conventions that hold only where something is
    said. `provider` picks one of several prices, the lowest where it is "". `model` is the language model that is named.
    """

    chip: str = ""
    machine: str = ""
    stated: Mapping[str, str] = field(default_factory=dict)
    said: Collection[str] = ()
    provider: str = ""
    model: LanguageModel | None = None


def available(sources: Sources, about: About, variable: str) -> Sequence[Binding]:
    """All that may stand for a variable of the network."""
    v = sources.network.variables[variable]
    found = conventions(sources.network, variable, about.said)
    if offered := offers(sources, about, v):  # the lowest, or the provider's
        offer = offered.get(about.provider) or next(iter(offered.values()))
        binding: Binding | None = offer_binding(v.id, offer, sources.names)
    else:
        binding = _of_machine(sources, about, v) if v.id.startswith("system_") else _of_chip(sources, about, v)
    shape = _of_model(about.model, v) if about.model is not None and v.model else None
    return [b for b in (shape, binding) if b is not None] + found


def _of_model(model: LanguageModel, variable: Variable) -> Binding | None:
    """What the table of models says. A cache with latents or windows has no layers and heads that multiply to it."""
    values = {
        "parameters": model.parameters,
        "active_parameters": model.active_parameters if model.experts else 0,
        "plain_layers": model.kv_layers if model.is_plain else 0,
        "plain_kv_heads": model.kv_heads if model.is_plain else 0,
        "plain_head_dim": model.head_dim if model.is_plain else 0,
        "cached_values": model.cached(1) if not model.is_plain and not model.sliding_layers else 0,
    }
    value = values[variable.model]
    return Binding.of(variable.id, value, "", MODEL, model) if value else None


def offers(sources: Sources, about: About, variable: Variable) -> dict[str, Offer]:
    """By provider, cheapest first, what the chip or the machine costs; empty for what nobody offers."""
    metric = sources.domain.metrics.get(variable.metric)
    if metric is None or _PROVIDED not in metric.qualifiers:
        return {}
    sought = _sought(sources, about, variable)
    parts = (sources.store, sources.domain, sources.names)
    if variable.id.startswith("system_"):
        return machine_offers(*parts, about.machine, metric.id, sought) if about.machine else {}
    return chip_offers(*parts, about.chip, metric.id, sought) if about.chip else {}


def offer_binding(variable: str, offer: Offer, names: Names) -> Binding:
    """A price as a value."""
    text = offer.shown.format(value_text(offer.fact, names))
    return Binding.of(variable, offer.value, text, FACT, offer.fact)


def _sought(sources: Sources, about: About, variable: Variable) -> dict[str, str]:
    stated = {**dict(variable.axes), **about.stated}
    axes = sources.domain.metrics[variable.metric].qualifiers
    return {axis: value for axis, value in stated.items() if axis in axes}


def _of_chip(sources: Sources, about: About, variable: Variable) -> Binding | None:
    """The preferred figure of one chip, where there is just one: its own, else that of what it is a variant of, else of its variants."""
    if not variable.metric or not about.chip:
        return None
    sought = _sought(sources, about, variable)
    sought.pop("aggregation", None)
    basis = {"basis": "peak"} if "basis" in sources.domain.metrics[variable.metric].qualifiers else {}
    wanted = Key(about.chip, variable.metric, Scope("chip"), tuple(sorted({**basis, **sought}.items())))
    tried = (resolve(source, sources.names, wanted) for source in (sources.store, sources.known) if source is not None)
    fact = next((found.one for found in tried if found.facts), None)
    if fact is None:
        return None
    binding = Binding.of(variable.id, fact.amount, value_text(fact, sources.names), FACT, fact)
    return replace(binding, unit=(fact.unit, sources.domain.units[fact.unit].scale))


def _of_machine(sources: Sources, about: About, variable: Variable) -> Binding | None:
    """The one preferred figure of the very machine; what it draws at most is what room has to be made for."""
    if not about.machine:
        return None
    wanted = Key(about.machine, variable.metric, None, tuple(sorted(variable.axes)))
    found = [f for f in resolve(sources.store, sources.names, wanted).facts if f.rank == "preferred"]
    bound = [q for f in found if (q := f.claim.quantity) is not None and q.bound != "at least" and q.form != "range"]
    if len(found) != 1 or not bound:
        return None
    value = bound[0].high if bound[0].bound == "at most" else bound[0].middle
    text = value_text(found[0], sources.names).removeprefix("at most ")
    return Binding.of(variable.id, value, text, FACT, found[0])
