"""What a language model takes in memory: weights, KV cache, training states, adapters, activations. Values in, values out.

What framework, buffers and fragmentation add is not in these; a reserve has to cover it. Activations are those of
Korthikanti et al. 2022 (arXiv 2205.05198), bits of NF4 those of Dettmers et al. 2023 (arXiv 2305.14314).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from chipwise.figures.llms import LanguageModel
from chipwise.numbers.intervals import Interval

# bits of one weight, scales included: blocks of 32 share 8 bits in MXFP4 and of 16 in NVFP4; of INT4 there are many kinds
BITS: Mapping[str, tuple[float, float]] = {
    "fp32": (32, 32),
    "bf16": (16, 16),
    "fp16": (16, 16),
    "fp8": (8, 8),
    "int8": (8, 8),
    "int4": (4, 4.5),
    "fp4": (4, 4.5),
    "mxfp4": (4.25, 4.25),
    "nvfp4": (4.5, 4.5),
    "nf4": (4 + 8 / 64 + 32 / (64 * 256),) * 2,  # QLoRA's, with double quantization
    # files of llama.cpp, on the average of all their tensors, the largest first
    "q8_0": (8.5, 8.5), "q6_k": (6.6, 6.6), "q5_k_m": (5.7, 5.7), "q4_k_m": (4.8, 4.8), "q4_0": (4.5, 4.5), "q3_k_m": (3.9, 3.9), "q2_k": (2.9, 3.4),
}  # fmt: skip
FILES = tuple(form for form in BITS if form.startswith("q"))
LOOSE = ("int4", "fp4")  # of which there are many kinds
USUAL = ("bf16", "fp8", "int4")
# bytes of states per parameter; SGD without momentum or with
OPTIMIZERS = {"adamw": (8, 8), "adam8bit": (2, 2), "sgd": (0, 4)}
# the matrices that adapters go beside, () for all of them
TARGETS: Mapping[str, tuple[str, ...]] = {"qv": ("q", "v"), "attention": ("q down", "q", "k", "v", "o"), "all": ()}
SIXTEEN = Interval.of(2.0)
_PLAIN = 34.0  # bytes per token, hidden value and layer: 16-bit values, dropout, a plain MLP of 4 h
_SCORES = 5.0  # and per head and token of the sequence, where the attention matrix is stored
_CHECKPOINT = 2.0  # the input of a layer alone
_AROUND_A_GATED_MLP, _OF_A_GATED_MLP = 16.0, 8.0  # the same counted for a gated MLP without dropout


@dataclass(frozen=True, slots=True)
class Part:
    """So many values of `each` so many bytes."""

    id: str
    name: str
    count: Interval
    each: Interval

    @property
    def bytes(self) -> Interval:
        """What it takes."""
        return self.count * self.each


def total(parts: Sequence[Part]) -> Interval:
    """What all of them take, in bytes."""
    return sum((part.bytes for part in parts), Interval.of(0.0))


def weights(parameters: float, model: LanguageModel | None, form: str) -> tuple[Part, ...]:
    """The weights in one number format.

    Of MXFP4 in a mixture of experts only the experts are in it, as in gpt-oss, and of NF4 all but the embeddings;
    with INT4 and FP4 the embeddings may stay in BF16 or not.
    """
    each = Interval(*(bits / 8 for bits in BITS[form]))
    named = form.upper()
    apart = _kept_in_16_bits(model, form) if model else 0.0
    if form in LOOSE:
        high = each.high + (2 - each.high) * apart / parameters
        return (Part(form, f"weights in {named}", Interval.of(parameters), Interval(each.low, high)),)
    found = [Part(form, f"weights in {named}", Interval.of(parameters - apart), each)]
    if apart:
        found.append(Part(f"{form}.bf16", f"weights left in BF16 beside {named}", Interval.of(apart), SIXTEEN))
    return tuple(found)


def _kept_in_16_bits(model: LanguageModel, form: str) -> float:
    embeddings = model.vocabulary * model.hidden * (1 if model.tied_embeddings else 2) + model.vision_parameters
    if form == "mxfp4" and model.experts:
        sparse = model.layers - model.dense_layers
        matrices = 3 if model.mlp == "gated" else 2
        return model.parameters - sparse * model.experts * matrices * model.hidden * model.expert_intermediate
    return embeddings if form in (*LOOSE, "nf4") else 0.0


def training_states(parameters: float, optimizer: str = "adamw") -> tuple[Part, ...]:
    """Mixed precision: weights and gradients in 16 bits or the latter in 32, a copy of the weights in FP32, the optimizer's states."""
    count = Interval.of(parameters)
    return (
        Part("weights", "weights in BF16", count, SIXTEEN),
        Part("master", "FP32 copy of the weights", count, Interval.of(4.0)),
        Part("gradients", "gradients", count, Interval(2.0, 4.0)),
        Part("optimizer", f"optimizer states ({optimizer})", count, Interval(*OPTIMIZERS[optimizer])),
    )


def projections(model: LanguageModel) -> dict[str, tuple[int, int]]:
    """The matrices of a layer that adapters go beside, by name, as inputs and outputs; of experts none, and none of a hybrid's other layers."""
    kv = model.kv_heads * model.head_dim
    found = dict.fromkeys(("k", "v"), (model.hidden, kv))
    if model.attention == "mla":
        latent = model.kv_lora_rank
        found = {"k": (model.hidden, model.cached_per_layer)}
        found["v"] = (latent, model.heads * (model.qk_nope_head_dim + model.v_head_dim))
    query = model.heads * (model.qk_nope_head_dim + model.qk_rope_head_dim or model.head_dim)
    value = model.heads * (model.v_head_dim or model.head_dim)
    found |= {"q": (model.q_lora_rank or model.hidden, query), "o": (value, model.hidden)}
    if model.q_lora_rank:
        found["q down"] = (model.hidden, model.q_lora_rank)
    if not model.experts:
        found |= {"up": (model.hidden, model.intermediate), "down": (model.intermediate, model.hidden)}
        found |= {"gate": (model.hidden, model.intermediate)} if model.mlp == "gated" else {}
    return found


def adapter_parameters(model: LanguageModel, rank: int, modules: Sequence[str] = ()) -> float:
    """Parameters of LoRA beside the named matrices of every layer, or beside all."""
    found = projections(model)
    return float(model.layers * rank * sum(sum(found[m]) for m in modules or found if m in found))


def cached(model: LanguageModel, context: int, batch: int, form: str = "bf16") -> Interval:
    """The KV cache of so many sequences, in bytes."""
    return Interval(*(model.cached(context) * batch * bits / 8 for bits in BITS[form]))


def activation_bytes(hidden: int, heads: int, sequence: int, recompute: str, *, gated_width: float = 0.0) -> Interval:
    """Bytes that each layer keeps per token and hidden value; `gated_width` is the width of its gated MLP, 0 for a plain one.

    The formula is for a plain MLP; a gated one is counted the same way, and the result lies between.
    """
    if recompute == "full":
        return Interval.of(_CHECKPOINT)
    scores = _SCORES * heads * sequence / hidden if recompute == "none" else 0.0
    gated = _AROUND_A_GATED_MLP + _OF_A_GATED_MLP * gated_width / hidden if gated_width else _PLAIN
    return Interval(min(_PLAIN, gated) + scores, max(_PLAIN, gated) + scores)


def gated_width(model: LanguageModel) -> float:
    """The width of the MLPs that a token goes through in one layer; 0 where they are plain."""
    if model.mlp != "gated":
        return 0.0
    return float((model.experts_active + model.shared_experts) * model.expert_intermediate or model.intermediate)


def read_per_step(model: LanguageModel, batch: int, form: str) -> Interval:
    """Bytes of weights that one step of decoding reads: of a mixture of experts those that some token of the batch is sent to.

    Tokens that are sent evenly leave an expert out with (1 - active / experts)^batch.
    """
    held = total(weights(model.parameters, model, form))
    if not model.experts:
        return held
    least = model.active_parameters / model.parameters
    sparse = (1 - least) / (1 - model.experts_active / model.experts)  # share of the routed experts in all parameters
    left_out = (1 - model.experts_active / model.experts) ** batch
    return held * Interval.of(1 - min(sparse, 1.0) * left_out)
