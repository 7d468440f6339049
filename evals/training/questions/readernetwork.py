"""The network of the reader: the shipped encoder with low-rank deltas, marks of tokens and three heads.

Training adds the deltas beside the frozen weights; a build adds them into the weights. Both run `ReaderNetwork.forward`.
Hu et al., "LoRA: Low-Rank Adaptation of Large Language Models", arXiv 2106.09685.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import torch

ADAPTED = ("query", "key", "value", "attention.output.dense", "intermediate.dense", "output.dense")
MARK_TABLE = "marks.weight"  # beside the deltas
DOWN, UP = "down", "up"


class ReaderNetwork(torch.nn.Module):  # type: ignore[misc]  # torch is not followed
    """`transformer` is a BERT that this network takes over."""

    def __init__(self, transformer: Any, marks: int) -> None:
        super().__init__()
        width = transformer.config.hidden_size
        transformer.pooler = None
        types = transformer.embeddings.token_type_embeddings.weight.detach()
        self.marks = torch.nn.Embedding.from_pretrained(types[:1].repeat(marks, 1), freeze=False)
        transformer.embeddings.token_type_embeddings = self.marks
        self.transformer = transformer
        self.belongs = torch.nn.Linear(width, 2)  # what a token says for its sentence, and what its first one does
        self.answers = torch.nn.Linear(width, 1)
        self.needed = torch.nn.Linear(width, 1)

    def forward(self, ids: Any, mask: Any, marks: Any) -> tuple[Any, Any, Any]:
        """(texts, tokens, 2), (texts,) and (texts, tokens), as logits.

        How far each token belongs to the answer, whether the passage answers, and of a question laid out alone
        whether each token is needed for its answer.
        """
        states = self.transformer(input_ids=ids, attention_mask=mask, token_type_ids=marks).last_hidden_state
        return self.belongs(states), self.answers(states[:, 0]).squeeze(-1), self.needed(states).squeeze(-1)


def adapted(transformer: Any) -> Iterator[tuple[str, Any, str]]:
    """For each linear map that gets a delta its name, the module that holds it and its name there."""
    for name, module in list(transformer.named_modules()):
        if isinstance(module, torch.nn.Linear) and name.startswith("encoder.layer.") and name.endswith(ADAPTED):
            parent, _, child = name.rpartition(".")
            yield name, transformer.get_submodule(parent), child


def load(network: ReaderNetwork, weights: Mapping[str, Any]) -> None:
    """Adds deltas into the network's weights and sets its heads and marks; `weights` are numpy arrays by name."""
    given = {name: torch.from_numpy(value.astype("float32")) for name, value in weights.items()}
    with torch.no_grad():
        for name, parent, child in adapted(network.transformer):
            getattr(parent, child).weight += given.pop(f"{name}.{UP}") @ given.pop(f"{name}.{DOWN}")
    own = {
        f"transformer.{name}" if name.startswith(("encoder.", "embeddings.")) else name: v for name, v in given.items()
    }
    unknown = network.load_state_dict(own, strict=False).unexpected_keys
    if unknown:
        raise ValueError(f"weights of no part of the reader: {unknown}")
