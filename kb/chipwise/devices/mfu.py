"""Model FLOPs utilization: the operations that training needs, against the peak of the chips.

After Chowdhery et al., "PaLM" (2022), appendix B. Recomputation is not counted; with it, it would be HFU.
"""

from __future__ import annotations

from typing import NamedTuple

from chipwise.devices.peaks import Peak, peak
from chipwise.errors import QuestionInvalid


class Utilization(NamedTuple):
    """An MFU as a fraction; `text` shows formula, arithmetic, assumptions and source."""

    value: float
    peak: Peak
    text: str


def mfu(
    *,
    tokens_per_second: float,
    parameters: float,
    device: str,
    dtype: str = "bf16",
    chips: int | None = None,
    layers: int | None = None,
    hidden: int | None = None,
    seq_len: int | None = None,
) -> Utilization:
    """The share of the chips' dense peak that training reaches.

    `tokens_per_second` is of all `chips` together (without `chips`, as many as `device` names: 8 for "p5.48xlarge");
    `parameters` are those that a token passes, of a mixture of experts the active ones. `layers`, `hidden` (heads x head
    size) and `seq_len` add attention. Raises as `peak` does, and QuestionInvalid for what is not positive.
    """
    figure = peak(device, dtype)
    number = figure.chip.chips if chips is None else chips
    shape = [size for size in (layers, hidden, seq_len) if size is not None]
    if min(tokens_per_second, parameters, number, *shape) <= 0 or len(shape) in (1, 2):
        message = "a rate, a size or a number of chips is not positive, or part of the model's shape is missing"
        raise QuestionInvalid(message, hint="give numbers above 0, and all of layers, hidden and seq_len or none")
    terms, needed = f"6 x {parameters:.6g}", 6.0 * parameters
    attention = "left out; give layers, hidden and seq_len to count it"
    if layers and hidden and seq_len:
        needed += 12 * layers * hidden * seq_len
        terms += f" + 12 x {layers} x {hidden} x {seq_len}"
        attention = "over the whole sequence, nothing taken off for a causal mask"
    value = tokens_per_second * needed / (number * figure.value)
    lines = (
        f"MFU = tokens/s x FLOP/token / (chips x peak) = {value:.1%}",
        f"FLOP/token = {terms} = {needed:.4g}",
        f"{tokens_per_second:,.6g} x {needed:.4g} / ({number} x {figure.value:.4g}) = {value:.4f}",
        "- forward and backward pass, no recomputation; parameters are those that each token passes",
        f"- attention: {attention}; tokens/s: of all {number} chips together",
        *(["- above 100 %: check whether tokens/s is of all chips, and the number format"] if value > 1 else []),
        f"- peak: {figure}; {figure.source.title}, {figure.source.origin}",
    )
    return Utilization(value, figure, "\n".join(lines))
