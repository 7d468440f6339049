"""A language model as lines of a worksheet: what it is, its weights, its KV cache."""

from __future__ import annotations

from chipwise.figures.format import number
from chipwise.figures.llms import LanguageModel
from chipwise.figures.network import MODEL, Binding
from chipwise.numbers.intervals import Interval
from chipwise.sizing import footprint
from chipwise.sizing.footprint import Part
from chipwise.sizing.worksheet import Input, Worksheet

PRIMER, FILES = "memory-planning", "reports-and-expectations"
_EXPERTS = "In a mixture-of-experts model all experts have to be in memory, although only a few compute for each token."
_BITS_OF_FILES = "A Q8_0 file takes 8.5 bits per weight, Q6_K 6.6, Q5_K_M 5.7, Q4_K_M 4.8, Q4_0 4.5, Q3_K_M about 3.9 and Q2_K 2.9 to 3.4."
_ACTIVE = "Memory of an MoE model follows the total parameters, and FLOPs follow the active parameters."


def note_model(sheet: Worksheet, model: LanguageModel) -> None:
    """Notes on a model that stand beside its numbers."""
    sheet.notes += [model.note] if model.note else []
    if model.experts:
        sheet.notes.append("all experts have to be in memory" + sheet.mark(PRIMER, _EXPERTS))


def computed_with(sheet: Worksheet, parameters: float, model: LanguageModel | None) -> Binding:
    """The parameters that a token is multiplied with: of a mixture of experts the active ones, which is noted."""
    if model is None:
        return Binding.of("parameters", parameters)
    note_model(sheet, model)
    active, text = float(model.active_parameters), ""
    if active != parameters:
        text = f"{number(active, 3)} active parameters"
        sheet.notes.append("compute goes by the active parameters" + sheet.mark(PRIMER, _ACTIVE))
    return Binding.of("parameters", active, text, MODEL, model)


def weight_lines(sheet: Worksheet, parameters: float, model: LanguageModel | None, form: str) -> Interval:
    """The weights in one format, a line for each of their parts; their sum in bytes."""
    parts = footprint.weights(parameters, model, form)
    for part in parts:
        part_line(sheet, part, f"weights.{part.id}", model=model)
    if form in footprint.LOOSE:
        least, most = footprint.BITS[form]
        named = form.upper()
        sheet.assume(f"{named} takes {least:g} to {most:g} bits, scales included; embeddings in {named} or in BF16")
    elif form in footprint.FILES:
        bits = " to ".join(dict.fromkeys(f"{b:g}" for b in footprint.BITS[form]))
        sheet.assume(f"a {form.upper()} file takes about {bits} bits per weight", FILES, _BITS_OF_FILES)
    return footprint.total(parts)


def cache_lines(sheet: Worksheet, model: LanguageModel, context: int, batch: int, form: str) -> Interval:
    """The KV cache per token and in all; its sum in bytes."""
    width = footprint.cached(model, 1, 1, form) / Interval.of(model.cached(1))
    values, law = f"2 x {model.kv_heads} KV heads x {model.head_dim} values", sheet.network.equations["cached-values"]
    if model.attention == "mla":
        values = f"({model.kv_lora_rank} + {model.qk_rope_head_dim} values)"
    wide = sheet.amount("precision", width)
    mark = "" if model.attention == "mla" else sheet.law(law)
    one = Interval.of(model.cached_per_layer * model.kv_layers) * width
    values += sheet.mark_of(model)
    shape = [Input("shape of the model", f"{model.kv_layers} layers, {values}", MODEL)]
    sums = f"{model.kv_layers} layers x {values} x {wide}"
    sheet.add("cache_per_token", f"KV cache in {form.upper()} per token{mark}", sums, "cache_per_token", one, shape)
    each = f"{sheet.lines[-1].text} x {context:,} tokens"
    if model.sliding_layers:
        kept, growing = min(context, model.sliding_window), model.kv_layers - model.sliding_layers
        each = f"({growing} layers x {context:,} + {model.sliding_layers} layers x {kept:,} tokens) x {values} x {wide}"
        sheet.notes.append(f"{model.sliding_layers} of its layers keep only the last {model.sliding_window:,} tokens")
    whole = footprint.cached(model, context, batch, form)
    sheet.add("cache", "KV cache", f"{each} x {batch:,} sequence{'s' if batch > 1 else ''}", "cache", whole)
    if context > model.context:
        sheet.notes.append(f"{context:,} tokens are more than the {model.context:,} that {model.name} was made for")
    return whole


def part_line(
    sheet: Worksheet, part: Part, id_: str, name: str = "", text: str = "", model: LanguageModel | None = None
) -> Interval:
    """So many values of so many bytes, as a line; `text` is how their number is written."""
    count = Binding.of("parameters", part.count, text, MODEL, model)
    return sheet.product(id_, name or part.name, "weights", [count, Binding.of("precision", part.each)])


def add_up(sheet: Worksheet, id_: str, name: str, one: Interval, other: Interval) -> None:
    """A line of two amounts of memory and their sum."""
    sheet.add(id_, name, f"{sheet.amount('need', one)} + {sheet.amount('need', other)}", "need", one + other)
