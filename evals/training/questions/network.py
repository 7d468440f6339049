"""The reader's network in training: frozen weights in bfloat16, low-rank deltas beside them, and what is saved of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from evals.training.questions.readernetwork import DOWN, UP, ReaderNetwork, adapted
from safetensors.numpy import load_file, save_file

from chipwise.answering.reader import MARKS, LaidOut

RANK = 32
ROUNDED = 32  # tokens: lengths are padded to a multiple, as every new shape costs torch a second to prepare for


class Delta(torch.nn.Module):
    """A frozen linear map with a low-rank delta beside it."""

    def __init__(self, base: torch.nn.Linear, rank: int) -> None:
        super().__init__()
        self.base = base
        self.down = torch.nn.Parameter(torch.randn(rank, base.in_features) / base.in_features**0.5)
        self.up = torch.nn.Parameter(torch.zeros(base.out_features, rank))

    def forward(self, x: Any) -> Any:
        """The map with its delta, in the precision of `x`."""
        return self.base(x) + (x @ self.down.T.to(x.dtype)) @ self.up.T.to(x.dtype)


def trainable(folder: Path, rank: int = RANK) -> ReaderNetwork:
    """The network with deltas that change nothing yet, on a GPU where there is one; norms, marks and heads are trained too."""
    from transformers import BertModel

    # plain products: the backward pass of torch's fused attention is slow on a CPU
    transformer = BertModel.from_pretrained(folder, attn_implementation="eager").eval()
    network = ReaderNetwork(transformer, MARKS)
    for name, parameter in transformer.named_parameters():
        parameter.requires_grad_("LayerNorm" in name or "token_type" in name)
    for _, parent, child in adapted(transformer):
        base = getattr(parent, child)
        setattr(parent, child, Delta(base.to(torch.bfloat16), rank))
    return network.to("cuda" if torch.cuda.is_available() else "cpu")


def run(network: ReaderNetwork, laid: Sequence[LaidOut]) -> tuple[Any, Any, Any]:
    """What the network says of some texts, where its weights are, in full precision."""
    device = network.answers.weight.device
    ids, mask, marks = (torch.zeros(len(laid), padded(laid), dtype=torch.int64) for _ in range(3))
    for row, x in enumerate(laid):
        size = len(x.ids)
        ids[row, :size], marks[row, :size], mask[row, :size] = torch.from_numpy(x.ids), torch.from_numpy(x.marks), 1
    with torch.autocast(device.type, dtype=torch.bfloat16):
        tokens, answers, needed = network(ids.to(device), mask.to(device), marks.to(device))
    return tokens.float(), answers.float(), needed.float()


def padded(laid: Sequence[LaidOut]) -> int:
    """The tokens that each of some texts is padded to."""
    return -(-max(len(x.ids) for x in laid) // ROUNDED) * ROUNDED


def trained_parts(network: ReaderNetwork) -> dict[str, Any]:
    """The state of what is trained, in full precision."""
    wanted = {name for name, parameter in network.named_parameters() if parameter.requires_grad}
    return {name: value for name, value in network.state_dict().items() if name in wanted}


def go_on(network: ReaderNetwork, path: Path) -> None:
    """Gives the network what `save` kept."""
    kept = {name: torch.from_numpy(value).float() for name, value in load_file(path).items()}
    named = {name: name.removeprefix("transformer.") for name, _ in network.named_parameters()}
    network.load_state_dict({name: kept[short] for name, short in named.items() if short in kept}, strict=False)


def save(network: ReaderNetwork, path: Path) -> None:
    """What was trained, as float16 safetensors, by the names that `readernetwork.load` knows."""
    kept = {}
    for name, parameter in network.named_parameters():
        if parameter.requires_grad and "token_type" not in name:
            kept[name.removeprefix("transformer.")] = parameter.detach().to(torch.float16).contiguous().cpu().numpy()
    assert any(n.endswith(UP) for n in kept)
    assert any(n.endswith(DOWN) for n in kept)
    path.parent.mkdir(parents=True, exist_ok=True)
    save_file(kept, path)
