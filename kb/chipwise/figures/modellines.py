"""A language model as lines of a worksheet: what it is, its weights, its KV cache."""

from __future__ import annotations

from chipwise.claims.model import Citation
from chipwise.figures import footprint
from chipwise.figures.derivation import MODEL, Binding
from chipwise.figures.footprint import Part
from chipwise.figures.format import number
from chipwise.figures.llms import LanguageModel, read_models
from chipwise.figures.worksheet import Draft, Input, given
from chipwise.numbers.intervals import Interval

PRIMER = "memory-planning"
_EXPERTS = "In a mixture-of-experts model all experts have to be in memory, although only a few compute for each token."
_ACTIVE = "Memory of an MoE model follows the total parameters, and FLOPs follow the active parameters."


def cite_model(draft: Draft, model: LanguageModel) -> None:
    """The table of models as what a model's shape rests on, and what it says beside the numbers."""
    line = 2 + [m.id for m in read_models()].index(model.id)
    draft.cite("models.csv", Citation(f"the shape of {model.name}", model.source, "", model.verified, "", line))
    draft.notes += [model.note] if model.note else []
    if model.experts:
        draft.notes.append("all experts have to be in memory" + draft.mark(PRIMER, _EXPERTS))


def computed_with(draft: Draft, parameters: float, model: LanguageModel | None) -> Binding:
    """The parameters that a token is multiplied with: of a mixture of experts the active ones, which is noted."""
    if model is None:
        return given("parameters", parameters)
    cite_model(draft, model)
    active = float(model.active_parameters)
    if active == parameters:
        return given("parameters", active, source=MODEL)
    draft.notes.append("compute goes by the active parameters" + draft.mark(PRIMER, _ACTIVE))
    return given("parameters", active, f"{number(active, 3)} active parameters", MODEL)


def weight_lines(draft: Draft, parameters: float, model: LanguageModel | None, form: str) -> Interval:
    """The weights in one format, a line for each of their parts; their sum in bytes."""
    parts = footprint.weights(parameters, model, form)
    for part in parts:
        part_line(draft, part, f"weights.{part.id}")
    if form in footprint.LOOSE:
        least, most = footprint.BITS[form]
        named = form.upper()
        draft.assume(f"{named} takes {least:g} to {most:g} bits, scales included; embeddings in {named} or in BF16")
    return footprint.total(parts)


def cache_lines(draft: Draft, model: LanguageModel, context: int, batch: int, form: str) -> Interval:
    """The KV cache per token and in all; its sum in bytes."""
    width = footprint.cached(model, 1, 1, form) / Interval.of(model.cached(1))
    values, law = f"2 x {model.kv_heads} KV heads x {model.head_dim} values", draft.network.equations["cached-values"]
    if model.attention == "mla":
        values = f"({model.kv_lora_rank} + {model.qk_rope_head_dim} values)"
    wide = draft.amount("precision", width)
    mark = "" if model.attention == "mla" else draft.law(law)
    one = Interval.of(model.cached_per_layer * model.kv_layers) * width
    shape = [Input("shape of the model", f"{model.kv_layers} layers, {values}", MODEL)]
    sums = f"{model.kv_layers} layers x {values} x {wide}"
    draft.add("cache_per_token", f"KV cache in {form.upper()} per token{mark}", sums, "cache_per_token", one, shape)
    each = f"{draft.lines[-1].text} x {context:,} tokens"
    if model.sliding_layers:
        kept, growing = min(context, model.sliding_window), model.kv_layers - model.sliding_layers
        each = f"({growing} layers x {context:,} + {model.sliding_layers} layers x {kept:,} tokens) x {values} x {wide}"
        draft.notes.append(f"{model.sliding_layers} of its layers keep the last {model.sliding_window:,} tokens only")
    whole = footprint.cached(model, context, batch, form)
    draft.add("cache", "KV cache", f"{each} x {batch:,} sequence{'s' if batch > 1 else ''}", "cache", whole)
    if context > model.context:
        draft.notes.append(f"{context:,} tokens are more than the {model.context:,} that {model.name} was made for")
    return whole


def part_line(draft: Draft, part: Part, id_: str, name: str = "", text: str = "") -> Interval:
    """So many values of so many bytes, as a line; `text` is how their number is written."""
    bindings = [given("parameters", part.count, text, MODEL), given("precision", part.each)]
    return draft.product(id_, name or part.name, "weights", bindings)


def add_up(draft: Draft, id_: str, name: str, one: Interval, other: Interval) -> None:
    """A line of two amounts of memory and their sum."""
    draft.add(id_, name, f"{draft.amount('need', one)} + {draft.amount('need', other)}", "need", one + other)
