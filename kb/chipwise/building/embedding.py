"""Text into vectors when an index is built, and the export that lets questions do without torch.

Imports sentence-transformers, and so torch: seconds. Only building comes here;
a question is encoded by `encoder`, from the files that `exporting` writes.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from chipwise.errors import ModelUnavailable
from chipwise.index.vectors import Matrix, pack, unit
from chipwise.models import ModelFiles
from chipwise.text import Span

BATCH = 32  # fastest on two cores for lengths around 200 word pieces


@dataclass(frozen=True, slots=True)
class Embedded:
    """`vectors`, (texts, dim) float32 of length 1; for each text its sentences' vectors, packed."""

    vectors: Matrix
    meanings: list[bytes]


class PassageEncoder:
    """A sentence-transformers model, loaded."""

    def __init__(self, files: ModelFiles) -> None:
        # a model is a folder on this machine: the hub client must not even look for updates
        os.environ.setdefault("HF_HUB_OFFLINE", "1")
        os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
        from sentence_transformers import SentenceTransformer  # noqa: PLC0415
        from transformers.utils import logging  # noqa: PLC0415

        logging.disable_progress_bar()
        try:
            self._model: Any = SentenceTransformer(str(files.folder), device="cpu", local_files_only=True)
        except (OSError, ValueError, KeyError) as error:
            raise ModelUnavailable(
                f"{files.folder} does not load: {error}", hint="name another model with --model"
            ) from error
        self.files = files
        self._prompt = str(self._model.prompts.get("document", ""))

    @property
    def dim(self) -> int:
        """Length of a vector."""
        return int(self._model.get_embedding_dimension())

    def encode(
        self, texts: Sequence[str], spans: Sequence[Sequence[Span]], progress: Callable[[int], None] | None = None
    ) -> Embedded:
        """Vectors of `texts`, and of the sentences at `spans` in each.

        A sentence's vector is the mean of its tokens' vectors from the one pass
        over the whole text, so it knows its surroundings and costs nothing more
        ("late chunking", Günther et al., arXiv 2409.04701). Encodes the longest
        texts first, so that a batch holds equal lengths; `progress` gets the
        number of texts done since its last call.
        """
        vectors = np.zeros((len(texts), self.dim), dtype=np.float32)
        meanings: list[bytes] = [b""] * len(texts)
        if not texts:
            return Embedded(vectors, meanings)
        tokens = self._model.tokenizer(
            [self._prompt + text for text in texts],
            truncation=True,
            max_length=self._model.max_seq_length,
            return_offsets_mapping=True,
        )
        order = sorted(range(len(texts)), key=lambda i: -len(tokens["input_ids"][i]))
        for at in range(0, len(order), BATCH):
            batch = order[at : at + BATCH]
            found, passages = self._forward([tokens["input_ids"][i] for i in batch])
            vectors[batch] = passages
            for i, vector in zip(batch, found, strict=True):
                shifted = [(start + len(self._prompt), end + len(self._prompt)) for start, end in spans[i]]
                meanings[i] = pack(sentence_vectors(vector, np.array(tokens["offset_mapping"][i]), shifted))
            if progress is not None:
                progress(len(batch))
        return Embedded(vectors, meanings)

    def _forward(self, ids: list[list[int]]) -> tuple[list[Matrix], Matrix]:
        """One batch through the model: each text's token vectors, without padding, and the texts' vectors.

        Calls the pipeline itself, as `SentenceTransformer.encode` tokenizes again and
        copies every token vector when it is asked for them: a fifth of the time.
        """
        import torch  # noqa: PLC0415

        padded = self._model.tokenizer.pad({"input_ids": ids}, return_tensors="pt")
        with torch.inference_mode():
            output = self._model({key: padded[key] for key in ("input_ids", "attention_mask")})
        mask = padded["attention_mask"].bool()
        tokens = [vectors[own].numpy() for vectors, own in zip(output["token_embeddings"], mask, strict=True)]
        passages = torch.nn.functional.normalize(output["sentence_embedding"], dim=-1).numpy()
        return tokens, passages

    def export(self, folder: Path) -> None:
        """Writes the query encoder to `folder`; see `exporting.export_encoder`."""
        from chipwise.building.exporting import export_encoder  # noqa: PLC0415

        export_encoder(self._model, self.files, folder)


def sentence_vectors(tokens: Matrix, places: npt.NDArray[np.int64], spans: Sequence[Span]) -> Matrix:
    """The mean of the token vectors that touch each span, at length 1: (spans, dim).

    `tokens` is (tokens, dim), `places` their (start, end) in the text, empty for
    special tokens. A span whose tokens were truncated away gets zeros.
    """
    made = np.zeros((len(spans), tokens.shape[1]), dtype=np.float32)
    for row, (start, end) in enumerate(spans):
        inside = (places[:, 0] < end) & (places[:, 1] > start) & (places[:, 1] > places[:, 0])
        if inside.any():
            made[row] = unit(tokens[inside].mean(axis=0))
    return made
