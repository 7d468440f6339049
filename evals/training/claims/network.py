"""The claim reader in torch, as it is trained: the stock encoder with low-rank deltas, tags added to its words, heads over spans."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from chipwise.claims.candidates import DIMENSIONS, KINDS
from chipwise.claims.pairs import FEATURES
from chipwise.claims.readerspec import METRIC_FREE, MODALITIES, Classes
from chipwise.claims.windows import NUMBERS, ZONES, Window

WIDTH = 384
RANK = 64
SUBJECT, AXIS = 128, 64  # widths of the pair heads
TRUNK = 192
HEAD_WEIGHTS = {
    "metric": 1.0,
    "subject": 1.0,
    "baseline": 0.3,
    "scope": 1.0,
    "modality": 0.2,
    "axes": 1.0,
    "ratio": 0.3,
}  # in the loss
Batch = dict[str, torch.Tensor]


class LowRank(nn.Module):
    """A frozen linear layer with a delta of rank `RANK` (Hu et al., arXiv 2106.09685)."""

    def __init__(self, linear: nn.Linear) -> None:
        super().__init__()
        self.linear = linear
        self.down = nn.Parameter(torch.randn(RANK, linear.in_features) * linear.in_features**-0.5)
        self.up = nn.Parameter(torch.zeros(linear.out_features, RANK))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """(..., in) to (..., out)."""
        return self.linear(x) + 2.0 * (x @ self.down.T @ self.up.T)


class Pairs(nn.Module):
    """Scores of each figure with each name or axis value: (windows, figures, others)."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.left, self.right = nn.Linear(2 * WIDTH, width), nn.Linear(2 * WIDTH, width)
        self.features = nn.ModuleList(nn.Embedding(n, width) for n in FEATURES)
        self.score, self.bilinear = nn.Linear(width, 1), nn.Linear(width, width, bias=False)
        self.drop = nn.Dropout(0.2)
        for feature in self.features:
            nn.init.normal_(feature.weight, std=0.1)

    def forward(self, figures: torch.Tensor, others: torch.Tensor, features: torch.Tensor) -> torch.Tensor:
        """Spans (windows, figures, 768) and (windows, others, 768), features (windows, figures, others, 5)."""
        a, b = self.left(self.drop(figures)), self.right(self.drop(others))
        h = a.unsqueeze(2) + b.unsqueeze(1)
        for n, embed in enumerate(self.features):
            h = h + embed(features[..., n])
        both = torch.einsum("bcd,bed->bce", self.bilinear(a), b) / a.shape[-1] ** 0.5
        return self.score(functional.gelu(h, approximate="tanh")).squeeze(-1) + both


class Reader(nn.Module):
    """See `chipwise.claims.reader`, which computes the same with numpy."""

    def __init__(self, stock: Path, classes: Classes) -> None:
        super().__init__()
        from transformers import AutoModel

        self.encoder: Any = AutoModel.from_pretrained(
            str(stock), local_files_only=True, attn_implementation="eager"
        )  # its backward pass is the faster here
        self.encoder.pooler = None
        for parameter in self.encoder.parameters():
            parameter.requires_grad = False
        for layer in self.encoder.encoder.layer:
            own = layer.attention.self
            own.query, own.key, own.value = LowRank(own.query), LowRank(own.key), LowRank(own.value)
            layer.attention.output.dense = LowRank(layer.attention.output.dense)
            layer.intermediate.dense, layer.output.dense = (
                LowRank(layer.intermediate.dense),
                LowRank(layer.output.dense),
            )
        for name, parameter in self.encoder.named_parameters():
            parameter.requires_grad = "LayerNorm" in name or name.endswith((".down", ".up"))
        sizes = (len(DIMENSIONS) + len(KINDS), METRIC_FREE + len(classes.metric_ids), 24, 17, len(ZONES), NUMBERS)
        self.tags = nn.ModuleList(nn.Embedding(n, WIDTH) for n in sizes)
        for tag in self.tags:
            nn.init.normal_(tag.weight, std=0.01)
        self.none = nn.Parameter(torch.randn(2 * WIDTH) * 0.02)
        self.trunk, self.drop = nn.Linear(2 * WIDTH, TRUNK), nn.Dropout(0.2)
        outputs = (METRIC_FREE + len(classes.metric_ids), len(classes.scope_ids), len(MODALITIES), 1)
        self.outputs = nn.ModuleList(nn.Linear(TRUNK, n) for n in outputs)
        self.subject, self.baseline, self.axis = Pairs(SUBJECT), Pairs(AXIS), Pairs(AXIS)

    def forward(self, b: Batch) -> dict[str, torch.Tensor]:
        """Logits by head."""
        x = self.encoder.embeddings.word_embeddings(b["ids"])
        for tag, ids in zip(self.tags, (*b["tags"].unbind(-1), b["zones"], b["numbers"]), strict=True):
            x = x + tag(ids)
        h = self.encoder(inputs_embeds=x, attention_mask=b["mask"]).last_hidden_state.float()
        rows = torch.arange(h.shape[0], device=h.device).unsqueeze(1)

        def span(at: torch.Tensor) -> torch.Tensor:
            return torch.cat([h[rows, at[..., 0]], h[rows, at[..., 1]]], -1)

        figures, names, axes = span(b["figures"]), span(b["names"]), span(b["axes"])
        names = torch.cat([self.none.expand(h.shape[0], 1, -1), names], 1)
        trunk = functional.gelu(self.trunk(self.drop(figures)), approximate="tanh")
        metric, scope, modality, ratio = (output(trunk) for output in self.outputs)
        absent = ~b["named"].unsqueeze(1)
        return {
            "metric": metric.masked_fill(~b["allowed"], -1e4),
            "scope": scope,
            "modality": modality,
            "ratio": ratio.squeeze(-1),
            "subject": self.subject(figures, names, b["to_names"]).masked_fill(absent, -1e4),
            "baseline": self.baseline(figures, names, b["to_names"]).masked_fill(absent, -1e4),
            "axes": self.axis(figures, axes, b["to_axes"]),
        }


def collate(windows: Sequence[Window], mask: np.ndarray, rng: random.Random | None = None) -> Batch:
    """A batch; with `rng` the numbers of names are dealt anew and cues left out, as in training."""
    t = max(len(w.ids) for w in windows)
    c, e, a = (max(1, *(len(getattr(w, g)) for w in windows)) for g in ("figures", "names", "axes"))
    n = len(windows)
    b = {
        "ids": np.zeros((n, t), np.int64), "tags": np.zeros((n, t, 4), np.int64), "zones": np.zeros((n, t), np.int64), "numbers": np.zeros((n, t), np.int64),
        "mask": np.zeros((n, t), np.int64), "figures": np.zeros((n, c, 2), np.int64), "names": np.zeros((n, e, 2), np.int64), "axes": np.zeros((n, a, 2), np.int64),
        "named": np.zeros((n, e + 1), bool), "to_names": np.zeros((n, c, e + 1, 5), np.int64), "to_axes": np.zeros((n, c, a, 5), np.int64),
        "allowed": np.ones((n, c, mask.shape[1]), bool), "gold_metric": np.full((n, c), -1), "gold_free": np.zeros((n, c), bool),
        "gold_subject": np.zeros((n, c, e + 1), np.float32), "gold_baseline": np.zeros((n, c, e + 1), np.float32), "gold_axes": np.full((n, c, a), -1, np.float32),
        "gold_scope": np.full((n, c), -1), "gold_modality": np.full((n, c), -1), "gold_ratio": np.full((n, c), -1, np.float32),
    }  # fmt: skip
    for i, w in enumerate(windows):
        size, f, m, q = len(w.ids), len(w.figures), len(w.names), len(w.axes)
        tags, numbers = w.tags, w.numbers
        if rng is not None:
            tags = tags.copy()
            if rng.random() < 0.15:
                tags[:, 1] = 0
            tags[:, 1] *= np.array([rng.random() > 0.05 for _ in range(size)])
            dealt = np.array([0, *rng.sample(range(1, NUMBERS), NUMBERS - 1)])
            numbers = dealt[numbers]
        b["ids"][i, :size], b["tags"][i, :size], b["zones"][i, :size], b["numbers"][i, :size], b["mask"][i, :size] = (
            w.ids,
            tags,
            w.zones,
            numbers,
            1,
        )
        b["figures"][i, :f], b["names"][i, :m], b["axes"][i, :q] = w.figure_spans, w.name_spans, w.axis_spans
        b["named"][i, : m + 1] = True
        b["to_names"][i, :f, : m + 1], b["to_axes"][i, :f, :q] = w.to_names, w.to_axes
        b["allowed"][i, :f] = mask[w.dimensions]
        for key, value in w.gold.items():
            b[f"gold_{key}"][(i, *(slice(s) for s in value.shape))] = value
    return {key: torch.from_numpy(value) for key, value in b.items()}


def losses(out: dict[str, torch.Tensor], b: Batch) -> dict[str, torch.Tensor]:
    """One loss a head, each over what is labelled; of several right names any may be chosen (marginal likelihood)."""
    told, free = b["gold_metric"] >= 0, b["gold_free"]
    log = functional.log_softmax(out["metric"], -1)
    exact = -log.gather(-1, b["gold_metric"].clamp(min=0).unsqueeze(-1)).squeeze(-1)
    anyhow = -torch.logsumexp(log[..., :METRIC_FREE], -1)
    made = {"metric": _mean(torch.where(free, anyhow, exact), told)}
    for head in ("subject", "baseline"):
        gold = b[f"gold_{head}"]
        log = functional.log_softmax(out[head], -1).masked_fill(gold < 0.5, -1e4)
        made[head] = _mean(-torch.logsumexp(log, -1), gold.sum(-1) > 0)
    for head in ("scope", "modality"):
        gold = b[f"gold_{head}"]
        made[head] = _mean(
            functional.cross_entropy(out[head].transpose(1, 2), gold.clamp(min=0), reduction="none"), gold >= 0
        )
    for head in ("axes", "ratio"):
        gold = b[f"gold_{head}"]
        each = functional.binary_cross_entropy_with_logits(out[head], gold.clamp(min=0), reduction="none")
        made[head] = _mean(each, gold >= 0)
    return {head: HEAD_WEIGHTS[head] * loss for head, loss in made.items()}


def distillation(out: dict[str, torch.Tensor], said: Sequence[dict[str, torch.Tensor]], b: Batch) -> torch.Tensor:
    """The cross entropy of a reader's probabilities with the mean of its teachers', over all figures, labelled or not."""
    figures = b["figures"].sum(-1) > 0  # what only fills a batch up has the span (0, 0)
    total = torch.zeros((), device=figures.device)
    for head, weight in HEAD_WEIGHTS.items():
        if head in ("axes", "ratio"):
            taught = sum(torch.sigmoid(s[head].float()) for s in said) / len(said)
            each = functional.binary_cross_entropy_with_logits(out[head], taught, reduction="none")
            over = figures.unsqueeze(-1) & (b["axes"].sum(-1) > 0).unsqueeze(1) if head == "axes" else figures
        else:
            taught = sum(torch.softmax(s[head].float(), -1) for s in said) / len(said)
            each, over = -(taught * functional.log_softmax(out[head], -1)).sum(-1), figures
        total = total + weight * _mean(each, over)
    return total


def _mean(values: torch.Tensor, over: torch.Tensor) -> torch.Tensor:
    """The mean of the values where `over` is true, 0 where it nowhere is; without a branch, for which a GPU would have to wait."""
    return torch.where(over, values, 0).sum() / over.sum().clamp(min=1)
