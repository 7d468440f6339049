"""`chipwise size`: what a language model takes in memory, to run or to train, and which chips hold it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from itertools import product

from chipwise.errors import QuestionInvalid
from chipwise.figures.bindings import Sources
from chipwise.figures.llms import LanguageModel, advice
from chipwise.figures.network import Binding
from chipwise.numbers.intervals import Interval
from chipwise.sizing import chips, footprint
from chipwise.sizing.footprint import Part
from chipwise.sizing.lines import PRIMER, add_up, cache_lines, note_model, part_line, weight_lines
from chipwise.sizing.requests import Sized, SizeRequest, at_least_one, card_memory, one_of, share, sized, tokens
from chipwise.sizing.worksheet import ZERO, Fit, Holding, Input, Worksheet

SEQUENCE, CONTEXT = 4096, 8192  # tokens of a training sequence and of a context, where nobody says how many
RECOMPUTE = {
    "none": "all activations kept, nothing recomputed",
    "selective": "the attention recomputed, as FlashAttention does",
    "full": "all layers recomputed from their inputs",
}
_FREE = "the driver and preloaded kernels take 0.5 to 2 GiB per GPU, and fragmentation takes more."
WAYS = {"full": "full training", "lora": "LoRA", "qlora": "QLoRA"}
_NAMED = {"qv": "queries and values", "attention": "all of attention", "all": "all matrices"}
_FAR = 2  # between the fewest chips and the most
_LOGIT = 4.0  # bytes, kept in FP32


_DIVIDED = "weights and cache are divided evenly among the chips"
_SHARDED = "states are divided among the chips (FSDP, ZeRO-3); of two chip counts, the lower divides activations too"

Need = tuple[str, Interval, Interval]  # its name, bytes that chips divide, and bytes that each chip has


def size(request: SizeRequest, sources: Sources, *, fits: bool = True) -> Worksheet:
    """The worksheet for a request, with the chips that hold it where `fits`; a batch of 0 is of the weights alone.

    Raises NameUnknown and QuestionInvalid for what cannot be understood.
    """
    what, reserve = sized(request.model), _check(request)
    sheet = Worksheet(sources, "size", what.title, asdict(request))
    cards = {text: b for text in request.on if (b := card_memory(sheet.sources, text)) is not None}
    named = chips.with_each_memory(sheet, [chips.named_chip(sources, n) for n in request.on if n not in cards])
    if what.model:
        note_model(sheet, what.model)
    ways = [replace(request, train=way) for way in request.train.split(",") if way]
    needs = [n for each in ways for n in _training(sheet, what, each)] or _inference(sheet, what, request)
    sheet.needs = {of.lower(): divided + each for of, divided, each in needs}
    if fits:
        sheet.assume(_SHARDED if request.train else _DIVIDED)
        free = f"{reserve:.0%} of each chip's memory is left free for the driver, buffers and fragmentation"
        sheet.assume(f"{free}, which take 0.5 GiB or more", PRIMER, _FREE)
    sheet.assume("a GB is 10^9 bytes; where a vendor's GB means GiB, there is 7% more memory")
    if fits:
        rooms = [chips.Room("", f"{text} chip", memory) for text, memory in cards.items()]
        rooms += chips.rooms(sheet, named if request.on else chips.rentable(sources))
        for room in rooms if request.chips else ():
            _on_so_many(sheet, room, needs, request.chips or 1, reserve)
        if not request.chips:
            _fits(sheet, request, what, product(rooms, needs), reserve)
    return sheet


def _fits(
    sheet: Worksheet, request: SizeRequest, what: Sized, pairs: Iterable[tuple[chips.Room, Need]], reserve: float
) -> None:
    """How many chips of each kind hold what is needed."""
    for room, (of, divided, each) in pairs:
        least = chips.chips_needed(divided, each, room.memory.value.low * (1 - reserve))
        least = least if what.model else (least[0], None)  # cache, adapters and activations need the shape
        offered = (chips.can_have(least[0]), chips.can_have(least[1]) if least[1] else None)
        sheet.fits.append(Fit(room.chip, room.name, of, sheet.shown(room.memory), least, offered))
    if not request.on:
        sheet.notes.append("the chips are those with a rental price in the facts table; --on names others")
    if what.model and any(fit.least[1] is None or fit.least[1] > _FAR * fit.least[0] for fit in sheet.fits):
        sheet.notes.append("activations need most of a chip; --recompute full or a smaller --seq shrinks them")
    if what.model and not request.train:
        sheet.notes += chips.copies_of_the_cache(what.model, max((f.offered[0] for f in sheet.fits), default=1))
    sheet.assume(chips.OFFERED)


def _check(request: SizeRequest) -> float:
    """The reserve of a request in which all can be understood."""
    one_of("number format", footprint.BITS, (*request.formats, request.kv_format))
    one_of("way to train", WAYS, request.train.split(","))
    one_of("target", footprint.TARGETS, [request.target])
    one_of("recomputation", RECOMPUTE, [request.recompute])
    one_of("optimizer", footprint.OPTIMIZERS, [request.optimizer])
    at_least_one({"batch": request.batch or 1, "rank": request.rank, "micro-batch": request.micro_batch})
    if request.train and request.context:
        raise QuestionInvalid("--context is for running a model, --seq for training it", hint="give --seq")
    if request.seq and not request.train:
        raise QuestionInvalid("--seq is for training", hint="give --context, or --train full, lora or qlora")
    if request.chips and not request.on:
        raise QuestionInvalid("--chips needs --on: which kind of chip?", hint="name the chip, such as --on H100")
    reserve = share(request.reserve, "reserve")
    if reserve == 1:
        raise QuestionInvalid("a reserve of 100% leaves no memory", hint="give a smaller share, such as 10%")
    return reserve


def _on_so_many(sheet: Worksheet, of_one: chips.Room, needs: Sequence[Need], number: int, reserve: float) -> None:
    """Whether so many chips hold it, and what they have left, as lines."""
    chip, name, memory = of_one
    whole, shown, count = memory.value * Interval.of(float(number)), sheet.shown(memory), f"{number} x " * (number > 1)
    room = whole * Interval.of(1 - reserve)
    inputs, held = [Input("memory", shown, memory.source)], f"{count}{shown} x {1 - reserve:.0%}"
    sheet.add(f"room.{chip}", f"room on {number} {name}", held, "need", room, inputs)
    for of, divided, each in needs:
        left = room - (need := divided + each * Interval.of(float(number)))
        sheet.held.append(fit := Holding(of.lower(), whole, whole * Interval.of(reserve), left, shown))
        side, value = ("left", left) if left.low >= 0 else ("short", Interval(max(-left.high, 0.0), -left.low))
        on = f"{'does not fit' if fit.verdict == 'no' else 'fits'} on {number} {name}"
        on += f" only if less than {reserve:.0%} stays free" if fit.verdict == "depends" else ""
        says = f"{WAYS.get(of, of)} {on}; {'left over' if side == 'left' else 'short by'}"
        amounts = (held, sheet.amount("need", need))  # the room as a product: rounded, it would be off by a digit
        sums = " - ".join(amounts if side == "left" else amounts[::-1]) if number == 1 or not each.high else ""
        sheet.add(f"{side}.{chip}.{of.lower()}", says, sums, "need", value, inputs, first=True)


# --- to run ---


def _inference(sheet: Worksheet, what: Sized, request: SizeRequest) -> list[Need]:
    own = what.model.weight_format.lower() if what.model else ""
    usual = (*footprint.USUAL, *([own] if own.startswith("mx") else ()))
    forms, cache = dict.fromkeys(request.formats or usual), ZERO
    held = {form: weight_lines(sheet, what.parameters, what.model, form) for form in forms}
    if what.model and request.batch:
        context = tokens(request.context) if request.context else min(CONTEXT, what.model.context)
        if not request.context:
            sheet.assume(f"{request.batch} x {context:,} tokens of context: give --context and --batch for others")
        cache = cache_lines(sheet, what.model, context, request.batch, request.kv_format)
        for form, weights in held.items():
            add_up(sheet, f"total.{form}", f"weights in {form.upper()} and cache", weights, cache)
    elif request.context:
        sheet.missing.append(f"the KV cache: it needs layers, KV heads and their size; {advice(what.parameters)}")
    elif request.batch:
        sheet.notes.append(f"without the KV cache, which needs layers and KV heads: {advice(what.parameters)}")
    return [(form.upper(), weights + cache, ZERO) for form, weights in held.items()]


# --- to train ---


def _training(sheet: Worksheet, what: Sized, request: SizeRequest) -> list[Need]:
    states = _full(sheet, what, request) if request.train == "full" else _adapted(sheet, what, request)
    each = ZERO
    if what.model:
        each = _activations(sheet, what.model, request)
        add_up(sheet, "total", f"states and activations ({request.train})", states, each)
    else:
        sheet.missing.append(f"the activations: they need layers and hidden size; {advice(what.parameters)}")
    return [(request.train, states, each)]


def _full(sheet: Worksheet, what: Sized, request: SizeRequest) -> Interval:
    parts = footprint.training_states(what.parameters, request.optimizer)
    mixed = "mixed precision: BF16 weights, gradients of 2 or 4 bytes, an FP32 copy"
    sheet.assume(mixed, PRIMER, "| Sum | 16 or 18 |")
    states = sum((part_line(sheet, part, part.id, model=what.model) for part in parts), ZERO)
    sheet.add("states", "training states", "sum of these", "training_states", states)
    return states


def _adapted(sheet: Worksheet, what: Sized, request: SizeRequest) -> Interval:
    base = footprint.weights(what.parameters, what.model, "bf16" if request.train == "lora" else "nf4")
    frozen = sum((part_line(sheet, p, f"weights.{p.id}", f"frozen {p.name}", model=what.model) for p in base), ZERO)
    if request.train == "qlora":
        sheet.assume("NF4 takes 4.127 bits with its constants quantized twice (Dettmers et al. 2023)")
    if what.model is None:
        sheet.missing.append(f"the adapters: they need the shapes of the layers; {advice(what.parameters)}")
        return frozen
    ends = [request.target] * 2 if request.target else ["qv", "all"]
    least, most = (footprint.adapter_parameters(what.model, request.rank, footprint.TARGETS[t]) for t in ends)
    each = sum((p.each for p in footprint.training_states(1.0, request.optimizer)), ZERO)
    name = f"adapters, their gradients and states ({request.optimizer})"
    named = _NAMED | ({"all": "all of attention, none beside experts"} if what.model.experts else {})
    beside = named[ends[0]] if request.target else f"{named['qv']} at least, beside {named['all']} at most"
    sheet.assume(f"adapters of rank {request.rank} beside {beside}")
    sheet.assume("activations as in full training: a frozen matrix without an adapter keeps less")
    millions = " to ".join(dict.fromkeys(f"{n / 1e6:.3g}" for n in (least, most))) + " million parameters"
    return frozen + part_line(sheet, Part("adapters", name, Interval(least, most), each), "adapters", text=millions)


def _activations(sheet: Worksheet, model: LanguageModel, request: SizeRequest) -> Interval:
    """Add up one micro-batch: what the layers keep, the layer being computed if all is recomputed, and the logits."""
    sequence, gated = tokens(request.seq) if request.seq else min(SEQUENCE, model.context), footprint.gated_width(model)
    batch = sequence * request.micro_batch

    def of(layers: int, recompute: str, id_: str, name: str) -> Interval:
        each = footprint.activation_bytes(model.hidden, model.heads, sequence, recompute, gated_width=gated)
        shape = {"transformer_layers": layers, "micro_batch_tokens": batch, "hidden_size": model.hidden}
        bindings = [*(Binding.of(v, n) for v, n in shape.items()), Binding.of("activation_bytes", each)]
        return sheet.product(id_, name, "activations", bindings)

    kept = of(model.layers, request.recompute, "activations", "activations")
    if request.recompute == "full":
        kept = kept + of(1, "selective", "activations.layer", "the layer being computed")
    logits = Interval.of(_LOGIT * batch * model.vocabulary)
    sums = f"{batch:,} tokens x {model.vocabulary:,} entries x {_LOGIT:g} B"
    sheet.add("logits", "logits in FP32", sums, "activations", logits)
    if not request.seq:
        sheet.assume(
            f"{request.micro_batch} x {sequence:,} tokens a micro-batch: give --seq and --micro-batch for others"
        )
    sheet.assume(RECOMPUTE[request.recompute])
    if other := model.layers - model.kv_layers:
        sheet.assume(f"{other} of the {model.layers} layers have no attention, but are counted as if they had it")
    alike = ", counted alike for a gated MLP" if gated else ""
    sheet.assume(f"activations as in Korthikanti et al. 2022 (arXiv 2205.05198){alike}")
    return kept + logits
