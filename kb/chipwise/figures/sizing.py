"""`chipwise size`: what a language model takes in memory, to run or to train, and which chips hold it.

    size(SizeRequest("llama 3.1 70b", context="8k"), sources)  ->  weights by format, the cache, their sum, chips by format
    size(SizeRequest("70B"), sources)                          ->  what follows from the number of parameters, and what does not

What a model takes by itself is in `footprint`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass

from chipwise.errors import NameUnknown, QuestionInvalid
from chipwise.figures import footprint, holding
from chipwise.figures.bindings import Sources
from chipwise.figures.derivation import Binding
from chipwise.figures.footprint import Part
from chipwise.figures.llms import LanguageModel
from chipwise.figures.modellines import CONTEXT, MEMORY, Sized, cache_lines, cite_model, part_line, sized, weight_lines
from chipwise.figures.worksheet import Draft, Worksheet, share, tokens
from chipwise.numbers.intervals import Interval

SEQUENCE = 4096  # tokens of a training sequence, where nobody says how many
TRAINING = ("full", "lora", "qlora")
RECOMPUTE = ("none", "selective", "full")
_FAR = 2  # between the fewest chips and the most
_CROWDED = (
    "activations take most of a chip, or more: the fewest chips divide them; --recompute full, a smaller --micro-batch"
    " or --seq make them less"
)
_LOGIT = 4.0  # bytes of one logit, kept in FP32
_SAID = {
    "none": "all activations kept, nothing recomputed",
    "selective": "the attention recomputed, as FlashAttention does",
    "full": "all layers recomputed from their inputs",
}


@dataclass(frozen=True)
class SizeRequest:
    """What is to be sized. Texts are as one types them: "8k" tokens, a share of "10%"; without `train` it is to run."""

    model: str
    context: str = ""
    batch: int = 1
    formats: Sequence[str] = ()
    kv_format: str = "bf16"
    train: str = ""
    rank: int = 16
    target: str = ""
    seq: str = ""
    micro_batch: int = 1
    recompute: str = "selective"
    optimizer: str = "adamw"
    on: Sequence[str] = ()
    chips: int | None = None
    reserve: str = "10%"


def size(request: SizeRequest, sources: Sources) -> Worksheet:
    """The worksheet for a request. Raises NameUnknown and QuestionInvalid for what cannot be understood."""
    what, draft = sized(request.model), Draft(sources)
    _check(request)
    reserve = share(request.reserve, "reserve")
    if reserve == 1:
        raise QuestionInvalid("a reserve of 100% leaves no memory", hint="give a smaller share, such as 10%")
    chips = holding.told_apart(draft, [holding.named_chip(sources, name) for name in request.on])
    if what.model:
        cite_model(draft, what.model)
    needs = _training(draft, what, request) if request.train else _inference(draft, what, request)
    told = "for the driver, buffers and fragmentation, which take from 0.5 GiB a chip"
    quote = "the driver and preloaded kernels take 0.5 to 2 GiB per GPU, and fragmentation takes more."
    draft.assume(f"{reserve:.0%} of the memory of each chip is left free {told}", MEMORY, quote)
    draft.assume("GB are 10^9 bytes; makers who mean GiB give 7% more")
    if request.chips:
        _on_so_many(draft, chips, needs, request.chips, reserve)
    else:
        holding.hold(draft, chips or holding.rentable(sources), needs, reserve)
        if not chips:
            draft.notes.append("the chips are those with a rental price in the facts table; --on names others")
        if any(fit.least[1] is None or fit.least[1] > _FAR * fit.least[0] for fit in draft.fits):
            draft.notes.append(_CROWDED)
        if what.model and not request.train:
            draft.notes += holding.copies_of_the_cache(what.model, max((f.offered[0] for f in draft.fits), default=1))
        draft.assume("chips come as 1, 2, 4 or 8, then as machines of 8")
    return draft.finished("size", what.title, asdict(request))


def _check(request: SizeRequest) -> None:
    known: list[tuple[str, Collection[str], Sequence[str]]] = [
        ("number format", footprint.BITS, (*request.formats, request.kv_format)),
        ("way to train", TRAINING, [request.train] if request.train else []),
        ("target", footprint.TARGETS, [request.target] if request.target else []),
        ("recomputation", RECOMPUTE, [request.recompute]),
        ("optimizer", footprint.OPTIMIZERS, [request.optimizer]),
    ]
    for kind, values, given in known:
        for value in given:
            if value not in values:
                raise NameUnknown(f"no {kind} is called {value!r}", hint=f"there are {', '.join(values)}")
    numbers = {"batch": request.batch, "rank": request.rank, "micro-batch": request.micro_batch}
    for name, number in numbers.items():
        if number < 1:
            raise QuestionInvalid(f"{name} cannot be {number}", hint="give 1 or more")
    if request.train and request.context:
        raise QuestionInvalid("--context is for running a model, --seq for training it", hint="give --seq")
    if request.seq and not request.train:
        raise QuestionInvalid("--seq is for training", hint="give --context, or --train full, lora or qlora")
    if request.chips and not request.on:
        raise QuestionInvalid("--chips needs --on: which kind of chip?", hint="name the chip, such as --on H100")


def _inference(draft: Draft, what: Sized, request: SizeRequest) -> list[tuple[str, Interval, Interval]]:
    own = what.model.weight_format.lower() if what.model else ""
    formats = dict.fromkeys(request.formats) or dict.fromkeys(
        (*footprint.USUAL, *([own] if own.startswith("mx") else ()))
    )
    held = {form: weight_lines(draft, what, form) for form in formats}
    cache = Interval.of(0.0)
    if what.model:
        context = tokens(request.context) if request.context else min(CONTEXT, what.model.context)
        if not request.context:
            draft.assume(f"{request.batch} x {context:,} tokens of context: give --context and --batch for others")
        cache = cache_lines(draft, what.model, context, request.batch, request.kv_format)
    elif request.context:
        draft.missing.append("the KV cache: it needs layers, KV heads and their size; name a model of the table")
    else:
        draft.notes.append(
            "without the KV cache, which needs layers, KV heads and their size: name a model of the table"
        )
    for form, weights in held.items():
        if what.model:
            both = f"{draft.amount('weights', weights)} + {draft.amount('cache', cache)}"
            draft.add(f"total.{form}", f"weights in {form.upper()} and cache", both, "need", weights + cache)
    draft.assume("weights and cache are divided evenly among the chips")
    return [(form.upper(), weights + cache, Interval.of(0.0)) for form, weights in held.items()]


def _training(draft: Draft, what: Sized, request: SizeRequest) -> list[tuple[str, Interval, Interval]]:
    states = _states(draft, what, request)
    each = Interval.of(0.0)
    if what.model:
        each = _activations(draft, what.model, request)
        both = f"{draft.amount('need', states)} + {draft.amount('need', each)}"
        draft.add("total", "states and activations", both, "need", states + each)
    else:
        draft.missing.append("the activations: they need layers and hidden size; name a model of the table")
    draft.assume(
        "states are divided among the chips (FSDP, ZeRO-3); each works on a micro-batch of its own, or they divide its"
        " activations as well (tensor and sequence parallelism), which makes the lower of two counts"
    )
    return [(request.train, states, each)]


def _states(draft: Draft, what: Sized, request: SizeRequest) -> Interval:
    if request.train == "full":
        parts = footprint.training_states(what.parameters, request.optimizer)
        quote = "| Sum | 16 or 18 |"
        draft.assume("mixed precision: BF16 weights, gradients of 2 or 4 bytes, an FP32 copy", MEMORY, quote)
        found = sum((part_line(draft, part) for part in parts), Interval.of(0.0))
        draft.add("states", "training states", "sum of these", "training_states", found)
        return found
    base = footprint.weights(what.parameters, what.model, "bf16" if request.train == "lora" else "nf4")
    found = sum(
        (part_line(draft, part, f"weights.{part.id}", f"frozen {part.name}") for part in base), Interval.of(0.0)
    )
    if request.train == "qlora":
        draft.assume("NF4 takes 4.127 bits with its constants quantized twice (Dettmers et al. 2023)")
    if what.model is None:
        draft.missing.append("the adapters: they need the shapes of the layers; name a model of the table")
        return found
    targets = [request.target] if request.target else ["qv", "all"]
    few, all_ = (
        footprint.adapter_parameters(what.model, request.rank, footprint.TARGETS[t]) for t in (targets[0], targets[-1])
    )
    states = footprint.training_states(1.0, request.optimizer)
    each = sum((p.each for p in states), Interval.of(0.0))
    adapters = Part(
        "adapters", f"adapters, their gradients and states ({request.optimizer})", Interval(few, all_), each
    )
    named = {"qv": "queries and values", "attention": "all of attention", "all": "all matrices"}
    if what.model.experts:
        named["all"] = "all of attention, none beside experts"
    beside = named[request.target] if request.target else f"{named['qv']} at least, beside {named['all']} at most"
    draft.assume(f"adapters of rank {request.rank} beside {beside}")
    draft.assume("activations as of full training: a matrix that is frozen and has no adapter keeps less")
    millions = " to ".join(dict.fromkeys(f"{n / 1e6:.3g}" for n in (few, all_))) + " million parameters"
    return found + part_line(draft, adapters, text=millions)


def _activations(draft: Draft, model: LanguageModel, request: SizeRequest) -> Interval:
    """Of one micro-batch: what the layers keep, the layer in work where all is recomputed, and the logits."""
    sequence = tokens(request.seq) if request.seq else min(SEQUENCE, model.context)
    batch = sequence * request.micro_batch
    equation = draft.network.equations["activations"]

    def of(layers: int, recompute: str, id_: str, name: str) -> Interval:
        each = footprint.activation_bytes(
            model.hidden, model.heads, sequence, recompute, gated_width=footprint.gated_width(model)
        )
        given = {"transformer_layers": layers, "micro_batch_tokens": batch, "hidden_size": model.hidden}
        bindings = [Binding.given(v, float(n), float(n)) for v, n in given.items()]
        return draft.product(id_, name, equation, [*bindings, Binding.given("activation_bytes", each.low, each.high)])

    found = of(model.layers, request.recompute, "activations", "activations")
    if request.recompute == "full":
        found = found + of(1, "selective", "activations.layer", "the layer in work")
    logits = Interval.of(_LOGIT * batch * model.vocabulary)
    sums = f"{batch:,} tokens x {model.vocabulary:,} entries x {_LOGIT:g} B"
    draft.add("logits", "logits in FP32", sums, "activations", logits)
    if not request.seq:
        draft.assume(
            f"{request.micro_batch} x {sequence:,} tokens a micro-batch: give --seq and --micro-batch for others"
        )
    draft.assume(_SAID[request.recompute])
    if model.kv_layers < model.layers:
        other = model.layers - model.kv_layers
        draft.assume(f"{other} of the {model.layers} layers have no attention, and are counted as if they had")
    plain = "activations by Korthikanti et al. 2022 (arXiv 2205.05198)"
    draft.assume(plain + (", and counted alike for a gated MLP" if footprint.gated_width(model) else ""))
    return found + logits


def _on_so_many(
    draft: Draft, chips: Sequence[str], needs: Sequence[tuple[str, Interval, Interval]], number: int, reserve: float
) -> None:
    """Whether so many chips hold it, and what they have left, as lines."""
    for chip in chips:
        name, memory = draft.sources.names.name(chip), holding.memory_of(draft.sources, chip)
        if memory is None:
            draft.missing.append(holding.no_memory(draft.sources, chip))
            continue
        room = memory.value * Interval.of(number * (1 - reserve))
        sums = f"{number} x {draft.shown(memory)} x {1 - reserve:.0%}"
        draft.add(f"room.{chip}", f"room on {number} {name}", sums, "need", room)
        for of, divided, each in needs:
            left = room - (divided + each * Interval.of(float(number)))
            says = "fits" if left.low >= 0 else "does not fit" if left.high < 0 else "may fit"
            parts = f"{of} on {number} {name} {says}"
            if left.low >= 0:
                draft.add(f"left.{chip}.{of.lower()}", parts + ", left", "", "need", left)
            else:
                short = Interval(max(-left.high, 0.0), -left.low)
                draft.add(f"short.{chip}.{of.lower()}", parts + ", short of", "", "need", short)
