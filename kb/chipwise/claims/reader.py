"""The learned claim reader at work: onnxruntime for the encoder, numpy for the heads.

    text -> units -> windows -> scores -> readings

It sees orders of magnitude and kinds of names, no digits, no names and no facts.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from copy import copy
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from chipwise.claims.decode import Decoder, Reading
from chipwise.claims.readerspec import Classes
from chipwise.claims.units import Unit, read_units
from chipwise.claims.weights import EPSILON, WIDTH, Trained
from chipwise.claims.windows import Encoder, Window
from chipwise.corpus import reader_folder
from chipwise.domain.model import Domain
from chipwise.errors import intact
from chipwise.models import DEFAULT_MODEL, find_model
from chipwise.types import Passage

TOKENS = 1024  # of the windows that go through the encoder together
_HEADS = ("metric", "scope", "modality", "ratio")
_OUT = -1e4
Floats = npt.NDArray[np.float32]


class ClaimReader:
    """The reader, loaded; `threads` is how many onnxruntime uses, 0 for all cores. Raises ModelUnavailable."""

    def __init__(self, domain: Domain, folder: Path, stock: Path, threads: int = 0) -> None:
        from onnxruntime import InferenceSession, OrtValue, SessionOptions  # noqa: PLC0415
        from tokenizers import Tokenizer  # noqa: PLC0415

        self._trained = trained = Trained.read(folder, stock)
        self._heads, self._stock = trained.arrays, trained.stock
        self._tokenizer: Any = Tokenizer.from_file(str(stock / "tokenizer.json"))
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        options = SessionOptions()
        options.intra_op_num_threads, options.log_severity_level = threads, 3
        # subtle: the session reads these arrays without copying them, so they have to live as long as it does
        self._tensors = tensors = dict(trained.tensors())
        options.add_external_initializers([*tensors], [*map(OrtValue.ortvalue_from_numpy, tensors.values())])
        with intact(trained.graph):
            graph = trained.graph.read_bytes()
            self._session: Any = InferenceSession(graph, options, providers=["CPUExecutionProvider"])
        self._read_by(domain)

    def _read_by(self, domain: Domain) -> None:
        self.domain, self.classes = domain, Classes.trained(domain, self._trained.spec)
        self._mask = self.classes.mask()
        self.encoder = Encoder(domain, self._tokenizer, self.classes.metric_ids)
        self.decoder = Decoder(domain, self.classes, self._trained.spec["temperatures"])

    def of(self, domain: Domain) -> ClaimReader:
        """The same weights and session for texts of another domain: loading them takes longer than a document."""
        other = copy(self)
        other._read_by(domain)
        return other

    def read(self, passages: Sequence[Passage], title: str = "") -> tuple[list[Unit], list[Reading]]:
        """The units of one source, and a reading of every figure in them."""
        units = read_units(self.domain, passages, title)
        windows = list(self.encoder.windows(units))
        scored = zip(windows, self.scores(windows), strict=True)
        return units, [reading for window, scores in scored for reading in self.decoder.read(window, units, scores)]

    def scores(self, windows: Sequence[Window]) -> list[dict[str, Floats]]:
        """Logits by head of each window, in order; windows of like length go through the encoder together."""
        found: list[dict[str, Floats]] = [{}] * len(windows)
        order = sorted(range(len(windows)), key=lambda i: len(windows[i].ids))
        while order:
            batch = [i for n, i in enumerate(order, 1) if n * len(windows[i].ids) <= TOKENS] or order[:1]
            del order[: len(batch)]
            for i, hidden in zip(batch, self._encoded([windows[i] for i in batch]), strict=True):
                found[i] = self._scores(windows[i], hidden)
        return found

    def _encoded(self, windows: Sequence[Window]) -> list[Floats]:
        longest = max(len(w.ids) for w in windows)
        x = np.zeros((len(windows), longest, WIDTH), np.float32)
        mask = np.full((len(windows), 1, 1, longest), _OUT, np.float32)
        for row, window in enumerate(windows):
            x[row, : len(window.ids)] = self._embedded(window)
            mask[row, 0, 0, : len(window.ids)] = 0
        hidden = self._session.run(["h"], {"x": x, "mask": mask})[0]
        return [hidden[row, : len(w.ids)] for row, w in enumerate(windows)]

    def _embedded(self, window: Window) -> Floats:
        heads, stock = self._heads, self._stock
        x = stock["embeddings.word_embeddings.weight"][window.ids].astype(np.float32)
        for n, ids in enumerate((*window.tags.T, window.zones, window.numbers)):
            x += heads[f"tags.{n}.weight"][ids]
        position = stock["embeddings.position_embeddings.weight"][: len(window.ids)]
        x += position + stock["embeddings.token_type_embeddings.weight"][0]
        x -= x.mean(axis=-1, keepdims=True)
        x /= np.sqrt((x * x).mean(axis=-1, keepdims=True) + EPSILON)
        normed = x * heads["encoder.embeddings.LayerNorm.weight"] + heads["encoder.embeddings.LayerNorm.bias"]
        return np.asarray(normed, dtype=np.float32)

    def _scores(self, window: Window, hidden: Floats) -> dict[str, Floats]:
        figures, names, axes = (
            hidden[spans].reshape(len(spans), 2 * WIDTH)
            for spans in (window.figure_spans, window.name_spans, window.axis_spans)
        )
        names = np.concatenate([self._heads["none"][None], names])
        trunk = _gelu(self._linear(figures, "trunk"))
        found = {head: self._linear(trunk, f"outputs.{n}") for n, head in enumerate(_HEADS)}
        found["metric"] = np.where(self._mask[window.dimensions], found["metric"], np.float32(_OUT))
        found["ratio"] = found["ratio"][:, 0]
        found["subject"] = self._pairs(figures, names, window.to_names, "subject")
        found["baseline"] = self._pairs(figures, names, window.to_names, "baseline")
        found["axes"] = self._pairs(figures, axes, window.to_axes, "axis")
        return found

    def _linear(self, x: Floats, name: str) -> Floats:
        return np.asarray(x @ self._heads[f"{name}.weight"].T + self._heads[f"{name}.bias"], dtype=np.float32)

    def _pairs(self, figures: Floats, others: Floats, features: npt.NDArray[np.int64], head: str) -> Floats:
        a, b = self._linear(figures, f"{head}.left"), self._linear(others, f"{head}.right")
        h = a[:, None] + b[None]
        for n in range(features.shape[-1]):
            h = h + self._heads[f"{head}.features.{n}.weight"][features[..., n]]
        both = (a @ self._heads[f"{head}.bilinear.weight"].T) @ b.T / np.float32(math.sqrt(a.shape[-1]))
        return np.asarray(self._linear(_gelu(h), f"{head}.score")[..., 0] + both, dtype=np.float32)


def _gelu(x: Floats) -> Floats:
    """By its tanh (Hendrycks & Gimpel, arXiv 1606.08415), as the heads were trained."""
    bent = np.tanh(np.float32(0.7978845608) * (x + np.float32(0.044715) * x * x * x))
    return np.asarray(np.float32(0.5) * x * (1 + bent), dtype=np.float32)


_READERS: list[ClaimReader] = []  # the last, as a process reads by one domain


def reader_of(domain: Domain) -> ClaimReader:
    """The shipped reader for texts of a domain, loaded once in a process. Raises ModelUnavailable."""
    if not _READERS:
        _READERS.append(ClaimReader(domain, reader_folder() / "claims", find_model(DEFAULT_MODEL).folder))
    if _READERS[0].domain is not domain:
        _READERS[0] = _READERS[0].of(domain)
    return _READERS[0]
