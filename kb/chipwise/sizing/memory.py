"""`chipwise size`: what a language model takes in memory, to run or to train, and which chips hold it.

size(SizeRequest("llama 3.1 70b", context="8k"), sources)  ->  weights by format, the cache, their sum, chips by format
size(SizeRequest("70B"), sources)                          ->  what follows from the number of parameters, and what does not
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from itertools import product

from chipwise.errors import QuestionInvalid
from chipwise.figures import chips, footprint
from chipwise.figures.bindings import Sources
from chipwise.figures.derivation import Binding
from chipwise.figures.footprint import Part
from chipwise.figures.llms import LanguageModel
from chipwise.figures.modellines import PRIMER, add_up, cache_lines, note_model, part_line, weight_lines
from chipwise.figures.worksheet import ZERO, Draft, Fit, Input, Worksheet
from chipwise.numbers.intervals import Interval
from chipwise.sizing.requests import Sized, SizeRequest, at_least_one, card_memory, one_of, share, sized, tokens

SEQUENCE, CONTEXT = 4096, 8192  # tokens of a training sequence and of a context, where nobody says how many
RECOMPUTE = {
    "none": "all activations kept, nothing recomputed",
    "selective": "the attention recomputed, as FlashAttention does",
    "full": "all layers recomputed from their inputs",
}
_FREE = "the driver and preloaded kernels take 0.5 to 2 GiB per GPU, and fragmentation takes more."
_TRAINING = ("full", "lora", "qlora")
_NAMED = {"qv": "queries and values", "attention": "all of attention", "all": "all matrices"}
_FAR = 2  # between the fewest chips and the most
_LOGIT = 4.0  # bytes, kept in FP32

Need = tuple[str, Interval, Interval]  # its name, bytes that chips divide, and bytes that each chip has


def size(request: SizeRequest, sources: Sources) -> Worksheet:
    """The worksheet for a request. Raises NameUnknown and QuestionInvalid for what cannot be understood."""
    what, draft = sized(request.model), Draft(sources)
    reserve = _check(request)
    cards = {text: b for text in request.on if (b := card_memory(draft.sources, text)) is not None}
    named = chips.with_each_memory(draft, [chips.named_chip(sources, n) for n in request.on if n not in cards])
    if what.model:
        note_model(draft, what.model)
    needs = _training(draft, what, request) if request.train else _inference(draft, what, request)
    told = f"{reserve:.0%} of the memory of each chip is left free for the driver, buffers and fragmentation"
    draft.assume(f"{told}, which take from 0.5 GiB a chip", PRIMER, _FREE)
    draft.assume("GB are 10^9 bytes; makers who mean GiB give 7% more")
    rooms = [chips.Room("", f"{text} chip", memory) for text, memory in cards.items()]
    rooms += chips.rooms(draft, named if request.on else chips.rentable(sources))
    if request.chips:
        for room in rooms:
            _on_so_many(draft, room, needs, request.chips, reserve)
        return draft.finished("size", what.title, asdict(request))
    for room, (of, divided, each) in product(rooms, needs):
        least = chips.chips_needed(divided, each, room.memory.value.low * (1 - reserve))
        offered = (chips.can_have(least[0]), chips.can_have(least[1]) if least[1] else None)
        draft.fits.append(Fit(room.chip, room.name, of, draft.shown(room.memory), least, offered))
    if not request.on:
        draft.notes.append("the chips are those with a rental price in the facts table; --on names others")
    if any(fit.least[1] is None or fit.least[1] > _FAR * fit.least[0] for fit in draft.fits):
        draft.notes.append(
            "activations take most of a chip, or more: the fewest chips divide them; --recompute full, a smaller"
            " --micro-batch or --seq make them less"
        )
    if what.model and not request.train:
        draft.notes += chips.copies_of_the_cache(what.model, max((f.offered[0] for f in draft.fits), default=1))
    draft.assume(chips.OFFERED)
    return draft.finished("size", what.title, asdict(request))


def _check(request: SizeRequest) -> float:
    """The reserve of a request in which all can be understood."""
    one_of("number format", footprint.BITS, (*request.formats, request.kv_format))
    one_of("way to train", _TRAINING, [request.train])
    one_of("target", footprint.TARGETS, [request.target])
    one_of("recomputation", RECOMPUTE, [request.recompute])
    one_of("optimizer", footprint.OPTIMIZERS, [request.optimizer])
    at_least_one({"batch": request.batch, "rank": request.rank, "micro-batch": request.micro_batch})
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


def _on_so_many(draft: Draft, of_one: chips.Room, needs: Sequence[Need], number: int, reserve: float) -> None:
    """Whether so many chips hold it, and what they have left, as lines."""
    chip, name, memory = of_one
    room, shown = memory.value * Interval.of(number * (1 - reserve)), draft.shown(memory)
    inputs = [Input("memory", shown, memory.source)]
    draft.add(
        f"room.{chip}", f"room on {number} {name}", f"{number} x {shown} x {1 - reserve:.0%}", "need", room, inputs
    )
    for of, divided, each in needs:
        left = room - (divided + each * Interval.of(float(number)))
        if left.low >= 0:
            draft.add(f"left.{chip}.{of.lower()}", f"{of} on {number} {name} fits, left", "", "need", left)
        else:
            says = "does not fit" if left.high < 0 else "may fit"
            short = Interval(max(-left.high, 0.0), -left.low)
            draft.add(f"short.{chip}.{of.lower()}", f"{of} on {number} {name} {says}, short of", "", "need", short)


# --- to run ---


def _inference(draft: Draft, what: Sized, request: SizeRequest) -> list[Need]:
    own = what.model.weight_format.lower() if what.model else ""
    usual = (*footprint.USUAL, *([own] if own.startswith("mx") else ()))
    held = {
        form: weight_lines(draft, what.parameters, what.model, form) for form in dict.fromkeys(request.formats or usual)
    }
    cache = ZERO
    if what.model:
        context = tokens(request.context) if request.context else min(CONTEXT, what.model.context)
        if not request.context:
            draft.assume(f"{request.batch} x {context:,} tokens of context: give --context and --batch for others")
        cache = cache_lines(draft, what.model, context, request.batch, request.kv_format)
        for form, weights in held.items():
            add_up(draft, f"total.{form}", f"weights in {form.upper()} and cache", weights, cache)
    elif request.context:
        draft.missing.append("the KV cache: it needs layers, KV heads and their size; name a model of the table")
    else:
        note = "without the KV cache, which needs layers, KV heads and their size: name a model of the table"
        draft.notes.append(note)
    draft.assume("weights and cache are divided evenly among the chips")
    return [(form.upper(), weights + cache, ZERO) for form, weights in held.items()]


# --- to train ---


def _training(draft: Draft, what: Sized, request: SizeRequest) -> list[Need]:
    states = _full(draft, what, request) if request.train == "full" else _adapted(draft, what, request)
    each = ZERO
    if what.model:
        each = _activations(draft, what.model, request)
        add_up(draft, "total", "states and activations", states, each)
    else:
        draft.missing.append("the activations: they need layers and hidden size; name a model of the table")
    draft.assume(
        "states are divided among the chips (FSDP, ZeRO-3); each works on a micro-batch of its own, or they divide its"
        " activations as well (tensor and sequence parallelism), which makes the lower of two counts"
    )
    return [(request.train, states, each)]


def _full(draft: Draft, what: Sized, request: SizeRequest) -> Interval:
    parts = footprint.training_states(what.parameters, request.optimizer)
    mixed = "mixed precision: BF16 weights, gradients of 2 or 4 bytes, an FP32 copy"
    draft.assume(mixed, PRIMER, "| Sum | 16 or 18 |")
    states = sum((part_line(draft, part, part.id, model=what.model) for part in parts), ZERO)
    draft.add("states", "training states", "sum of these", "training_states", states)
    return states


def _adapted(draft: Draft, what: Sized, request: SizeRequest) -> Interval:
    base = footprint.weights(what.parameters, what.model, "bf16" if request.train == "lora" else "nf4")
    frozen = sum((part_line(draft, p, f"weights.{p.id}", f"frozen {p.name}", model=what.model) for p in base), ZERO)
    if request.train == "qlora":
        draft.assume("NF4 takes 4.127 bits with its constants quantized twice (Dettmers et al. 2023)")
    if what.model is None:
        draft.missing.append("the adapters: they need the shapes of the layers; name a model of the table")
        return frozen
    ends = [request.target] * 2 if request.target else ["qv", "all"]
    least, most = (footprint.adapter_parameters(what.model, request.rank, footprint.TARGETS[t]) for t in ends)
    each = sum((p.each for p in footprint.training_states(1.0, request.optimizer)), ZERO)
    name = f"adapters, their gradients and states ({request.optimizer})"
    named = _NAMED | ({"all": "all of attention, none beside experts"} if what.model.experts else {})
    beside = named[ends[0]] if request.target else f"{named['qv']} at least, beside {named['all']} at most"
    draft.assume(f"adapters of rank {request.rank} beside {beside}")
    draft.assume("activations as of full training: a matrix that is frozen and has no adapter keeps less")
    millions = " to ".join(dict.fromkeys(f"{n / 1e6:.3g}" for n in (least, most))) + " million parameters"
    return frozen + part_line(draft, Part("adapters", name, Interval(least, most), each), "adapters", text=millions)


def _activations(draft: Draft, model: LanguageModel, request: SizeRequest) -> Interval:
    """Of one micro-batch: what the layers keep, the layer in work where all is recomputed, and the logits."""
    sequence, gated = tokens(request.seq) if request.seq else min(SEQUENCE, model.context), footprint.gated_width(model)
    batch = sequence * request.micro_batch

    def of(layers: int, recompute: str, id_: str, name: str) -> Interval:
        each = footprint.activation_bytes(model.hidden, model.heads, sequence, recompute, gated_width=gated)
        shape = {"transformer_layers": layers, "micro_batch_tokens": batch, "hidden_size": model.hidden}
        bindings = [*(Binding.of(v, n) for v, n in shape.items()), Binding.of("activation_bytes", each)]
        return draft.product(id_, name, "activations", bindings)

    kept = of(model.layers, request.recompute, "activations", "activations")
    if request.recompute == "full":
        kept = kept + of(1, "selective", "activations.layer", "the layer in work")
    logits = Interval.of(_LOGIT * batch * model.vocabulary)
    sums = f"{batch:,} tokens x {model.vocabulary:,} entries x {_LOGIT:g} B"
    draft.add("logits", "logits in FP32", sums, "activations", logits)
    if not request.seq:
        draft.assume(
            f"{request.micro_batch} x {sequence:,} tokens a micro-batch: give --seq and --micro-batch for others"
        )
    draft.assume(RECOMPUTE[request.recompute])
    if other := model.layers - model.kv_layers:
        draft.assume(f"{other} of the {model.layers} layers have no attention, and are counted as if they had")
    plain = "activations by Korthikanti et al. 2022 (arXiv 2205.05198)"
    draft.assume(plain + (", and counted alike for a gated MLP" if gated else ""))
    return kept + logits
