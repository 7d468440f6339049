"""A language model as lines of a worksheet: what it is, its weights, its KV cache."""

from __future__ import annotations

from dataclasses import dataclass

from chipwise.claims.model import Citation
from chipwise.errors import QuestionInvalid
from chipwise.figures import footprint
from chipwise.figures.derivation import Binding
from chipwise.figures.footprint import Part
from chipwise.figures.llms import LanguageModel, find_model, named_model, read_models
from chipwise.figures.worksheet import Draft, count
from chipwise.numbers.intervals import Interval

MEMORY = "memory-planning"  # the primer
CONTEXT = 8192  # tokens, where nobody says how many


@dataclass(frozen=True)
class Sized:
    """A model of the table, or a bare number of parameters."""

    name: str
    parameters: float
    model: LanguageModel | None = None

    @property
    def title(self) -> str:
        """What it is, in a line."""
        m, billions = self.model, f"{self.parameters / 1e9:,.4g} billion parameters"
        if m is None:
            return billions
        kv = "MLA" if m.attention == "mla" else f"{m.kv_heads} KV heads"
        active = f" ({m.active_parameters / 1e9:,.3g} billion active)" if m.experts else ""
        shape = f"{m.layers} layers, hidden size {m.hidden:,}, {m.heads} heads, {kv}"
        return f"{m.name}: {billions}{active}, {shape}"


def sized(name: str) -> Sized:
    """What a name or a number of parameters stands for. Raises NameUnknown, with names that come near."""
    if model := find_model(name):
        return Sized(model.name, float(model.parameters), model)
    try:
        return Sized(name, count(name, "parameters"))
    except QuestionInvalid:
        model = named_model(name)  # raises
        return Sized(model.name, float(model.parameters), model)


def cite_model(draft: Draft, model: LanguageModel) -> None:
    """The table of models as what a model's shape rests on, and what it says beside the numbers."""
    line = 2 + [m.id for m in read_models()].index(model.id)
    draft.note_reference(
        "models.csv", Citation(f"the shape of {model.name}", model.source, "", model.verified, "", line)
    )
    draft.notes += [model.note] if model.note else []
    if model.experts:
        quote = "In a mixture-of-experts model all experts have to be in memory, although only a few compute for each token."
        draft.notes.append("all experts have to be in memory" + draft.mark(MEMORY, quote))


def part_line(draft: Draft, part: Part, id_: str = "", name: str = "", text: str = "") -> Interval:
    """So many values of so many bytes, as a line; `text` is how their number is written."""
    bindings = [Binding.given("parameters", part.count.low, part.count.high, text)]
    bindings.append(Binding.given("precision", part.each.low, part.each.high))
    return draft.product(id_ or part.id, name or part.name, draft.network.equations["weights"], bindings)


def weight_lines(draft: Draft, what: Sized, form: str) -> Interval:
    """The weights in one format, a line for each of their parts; their sum in bytes."""
    parts = footprint.weights(what.parameters, what.model, form)
    for part in parts:
        part_line(draft, part, f"weights.{part.id}")
    if form in ("int4", "fp4"):
        least, most = footprint.BITS[form]
        draft.assume(
            f"{form.upper()} takes {least:g} to {most:g} bits, scales included; embeddings in {form.upper()} or in BF16"
        )
    return footprint.total(parts)


def cache_lines(draft: Draft, model: LanguageModel, context: int, batch: int, form: str) -> Interval:
    """The KV cache per token and in all; its sum in bytes."""
    one, width = model.cached_per_layer, footprint.cached(model, 1, 1, form) / Interval.of(model.cached(1))
    values = f"2 x {model.kv_heads} KV heads x {model.head_dim} values"
    if model.attention == "mla":
        values = f"({model.kv_lora_rank} + {model.qk_rope_head_dim} values)"
    wide = draft.amount("precision", width)
    law = draft.network.equations.get("cached-values")
    mark = draft.law(law) if law and model.attention != "mla" else ""
    every = f"{model.kv_layers} layers x {values} x {wide}"
    draft.add(
        "cache_per_token",
        f"KV cache in {form.upper()} per token{mark}",
        every,
        "cache_per_token",
        Interval.of(one * model.kv_layers) * width,
    )
    whole = footprint.cached(model, context, batch, form)
    sequences = f"{batch:,} sequence{'s' if batch > 1 else ''}"
    if model.sliding_layers:
        kept, growing = min(context, model.sliding_window), model.kv_layers - model.sliding_layers
        each = f"({growing} layers x {context:,} + {model.sliding_layers} layers x {kept:,} tokens) x {values} x {wide}"
        draft.notes.append(f"{model.sliding_layers} of its layers keep the last {model.sliding_window:,} tokens only")
    else:
        each = f"{draft.lines[-1].text} x {context:,} tokens"
    draft.add("cache", "KV cache", f"{each} x {sequences}", "cache", whole)
    if context > model.context:
        draft.notes.append(f"{context:,} tokens are more than the {model.context:,} that {model.name} was made for")
    return whole
