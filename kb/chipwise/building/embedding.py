"""Text into vectors when an index is built, and the query encoder that goes beside it.

The default model runs on onnxruntime. Another one loads sentence-transformers, and so torch: seconds.
Only building comes here; a question is encoded by `encoder`.
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from chipwise.building.graphs import WEIGHTS_FILE, write_graphs
from chipwise.claims.weights import EPSILON, GRAPH, WIDTH, read_safetensors
from chipwise.corpus import reader_folder
from chipwise.errors import ModelUnavailable, intact
from chipwise.index.vectors import Matrix, pack, unit
from chipwise.models import DEFAULT_MODEL, ModelFiles
from chipwise.text import Span

MAX_TOKENS = 256  # of the default model, special ones included
BATCH = 32  # fastest on two cores for lengths around 200 word pieces
Places = npt.NDArray[np.int64]  # (tokens, 2): where each token stands in its text, (0, 0) for special ones


@dataclass(frozen=True, slots=True)
class Embedded:
    """`vectors`, (texts, dim) float32 of length 1; for each text its sentences' vectors, packed."""

    vectors: Matrix
    meanings: list[bytes]


class PassageEncoder(ABC):
    """A model, loaded: whole texts into vectors, sentences in their surroundings."""

    files: ModelFiles
    dim: int  # length of a vector
    _prompt = ""

    @abstractmethod
    def _batch(self, texts: list[str]) -> tuple[list[tuple[Matrix, Places]], Matrix]:
        """Each text's token vectors, without padding, with the tokens' places in it; and the texts' vectors."""

    @abstractmethod
    def export(self, folder: Path) -> None:
        """Writes the query encoder to `folder`, as `encoder.QueryEncoder` reads it, and the reader. Raises StorageFailed."""

    def encode(
        self, texts: Sequence[str], spans: Sequence[Sequence[Span]], progress: Callable[[int], None] | None = None
    ) -> Embedded:
        """Vectors of `texts`, and of the sentences at `spans` in each.

        A sentence's vector is the mean of its tokens' vectors from the one pass over the whole text, so it knows its
        surroundings and costs nothing more ("late chunking", Günther et al., arXiv 2409.04701). Encodes the longest
        texts first, so that a batch holds equal lengths; `progress` gets the number of texts done.
        """
        vectors = np.zeros((len(texts), self.dim), dtype=np.float32)
        meanings: list[bytes] = [b""] * len(texts)
        order = sorted(range(len(texts)), key=lambda i: -len(texts[i]))
        before = len(self._prompt)
        for at in range(0, len(order), BATCH):
            batch = order[at : at + BATCH]
            found, vectors[batch] = self._batch([self._prompt + texts[i] for i in batch])
            for i, (tokens, places) in zip(batch, found, strict=True):
                shifted = [(start + before, end + before) for start, end in spans[i]]
                meanings[i] = pack(sentence_vectors(tokens, places, shifted))
            if progress is not None:
                progress(at + len(batch))
        return Embedded(vectors, meanings)


class PackagedEncoder(PassageEncoder):
    """The default model over onnxruntime, in 32 bits: the graph of the claim reader with the model's own weights.

    Gives the vectors that sentence-transformers gives, without torch; a test compares them.
    """

    def __init__(self, files: ModelFiles) -> None:
        from tokenizers import Tokenizer  # noqa: PLC0415

        self.files, self.dim = files, WIDTH
        self._tokenizer: Any = Tokenizer.from_file(str(files.folder / "tokenizer.json"))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(MAX_TOKENS)
        self._stock = read_safetensors(files.folder / WEIGHTS_FILE)

    @cached_property
    def _session(self) -> Any:
        import onnxruntime  # noqa: PLC0415

        options = onnxruntime.SessionOptions()
        options.log_severity_level = 3
        # subtle: the session reads these arrays without copying them, so they have to live as long as it does
        self._tensors = {
            name: np.ascontiguousarray(array.T, np.float32) if array.ndim > 1 else array
            for name, array in self._stock.items()
            if name.startswith("encoder.layer.")
        }
        values = [onnxruntime.OrtValue.ortvalue_from_numpy(array) for array in self._tensors.values()]
        options.add_external_initializers(list(self._tensors), values)
        path = reader_folder() / "claims" / GRAPH
        with intact(path):
            return onnxruntime.InferenceSession(path.read_bytes(), options, providers=["CPUExecutionProvider"])

    def _batch(self, texts: list[str]) -> tuple[list[tuple[Matrix, Places]], Matrix]:
        found = self._tokenizer.encode_batch(texts)
        x = np.zeros((len(found), max(len(own.ids) for own in found), WIDTH), np.float32)
        mask = np.full((len(found), 1, 1, x.shape[1]), -1e4, np.float32)
        for row, own in enumerate(found):
            x[row, : len(own.ids)] = self._embedded(own.ids)
            mask[row, 0, 0, : len(own.ids)] = 0
        hidden = self._session.run(["h"], {"x": x, "mask": mask})[0]
        tokens = [(hidden[row, : len(own.ids)], np.array(own.offsets)) for row, own in enumerate(found)]
        return tokens, np.stack([unit(own.mean(axis=0)) for own, _ in tokens])

    def _embedded(self, ids: list[int]) -> Matrix:
        """(tokens, dim): word, place and kind of text, normalised."""
        name, stock = "embeddings.", self._stock
        x = stock[f"{name}word_embeddings.weight"][ids].astype(np.float32)
        x += stock[f"{name}position_embeddings.weight"][: len(ids)]
        x += stock[f"{name}token_type_embeddings.weight"][0]
        x -= x.mean(axis=-1, keepdims=True)
        x /= np.sqrt((x * x).mean(axis=-1, keepdims=True) + EPSILON)
        made: Matrix = x * stock[f"{name}LayerNorm.weight"] + stock[f"{name}LayerNorm.bias"]
        return made

    def export(self, folder: Path) -> None:
        """Writes the graphs that are shipped."""
        write_graphs(folder, encoder=True)


class OtherEncoder(PassageEncoder):
    """Any model of sentence-transformers, over torch: the extra `models`."""

    def __init__(self, files: ModelFiles) -> None:
        # a model is a folder on this machine: the hub client must not even look for updates
        os.environ.setdefault("HF_HUB_OFFLINE", "1")
        os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
        try:
            from sentence_transformers import SentenceTransformer  # noqa: PLC0415
            from transformers.utils import logging  # noqa: PLC0415
        except ImportError:
            raise ModelUnavailable(
                f"the model {files.name} needs sentence-transformers, which is not installed",
                hint="pip install 'chipwise[models]'",
            ) from None

        logging.disable_progress_bar()
        try:
            self.model: Any = SentenceTransformer(str(files.folder), device="cpu", local_files_only=True)
        except (OSError, ValueError, KeyError) as error:
            raise ModelUnavailable(
                f"{files.folder} does not load: {error}", hint="name another model with --model"
            ) from error
        self.files, self.dim = files, int(self.model.get_embedding_dimension())
        self._prompt = str(self.model.prompts.get("document", ""))

    def _batch(self, texts: list[str]) -> tuple[list[tuple[Matrix, Places]], Matrix]:
        """Calls the pipeline itself, as `SentenceTransformer.encode` has no places and copies every token vector."""
        import torch  # noqa: PLC0415

        limits = {"padding": True, "truncation": True, "max_length": self.model.max_seq_length}
        found = self.model.tokenizer(texts, **limits, return_offsets_mapping=True, return_tensors="pt")
        with torch.inference_mode():
            output = self.model({key: found[key] for key in ("input_ids", "attention_mask")})
        parts = (output["token_embeddings"], found["offset_mapping"], found["attention_mask"].bool())
        tokens = [(vectors[own].numpy(), places[own].numpy()) for vectors, places, own in zip(*parts, strict=True)]
        return tokens, torch.nn.functional.normalize(output["sentence_embedding"], dim=-1).numpy()

    def export(self, folder: Path) -> None:
        """Traces the query encoder; see `exporting.export_encoder`."""
        from chipwise.building.exporting import export_encoder  # noqa: PLC0415

        export_encoder(self.model, self.files, folder)
        write_graphs(folder, encoder=False)


def load_encoder(files: ModelFiles) -> PassageEncoder:
    """The encoder of a model. Raises ModelUnavailable."""
    return PackagedEncoder(files) if files.name == DEFAULT_MODEL else OtherEncoder(files)


def sentence_vectors(tokens: Matrix, places: Places, spans: Sequence[Span]) -> Matrix:
    """The mean of the token vectors, (tokens, dim), that touch each span, at length 1: (spans, dim).

    A span whose tokens were truncated away gets zeros.
    """
    made = np.zeros((len(spans), tokens.shape[1]), dtype=np.float32)
    for row, (start, end) in enumerate(spans):
        inside = (places[:, 0] < end) & (places[:, 1] > start) & (places[:, 1] > places[:, 0])
        if inside.any():
            made[row] = unit(tokens[inside].mean(axis=0))
    return made
