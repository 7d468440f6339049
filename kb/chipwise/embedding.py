"""Text into vectors when an index is built, and the export that lets questions do without torch.

Imports sentence-transformers, and so torch: seconds. Only building comes here;
a question is encoded by `encoder`, from the files that `export` writes.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from chipwise.encoder import GRAPH, SETTINGS, TOKENIZER, WEIGHTS, EncoderSettings
from chipwise.errors import ModelUnavailable
from chipwise.models import ModelFiles
from chipwise.vectors import Matrix

CHUNK = 512  # texts between two reports of progress
BATCH = 32  # fastest on two cores for lengths around 200 word pieces


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

    @property
    def dim(self) -> int:
        """Length of a vector."""
        return int(self._model.get_embedding_dimension())

    def encode(self, texts: Sequence[str], progress: Callable[[int], None] | None = None) -> Matrix:
        """Vectors of length 1, (len(texts), dim) float32, in the order of `texts`.

        Encodes the longest first, so that a batch holds equal lengths; `progress`
        gets the number of texts done since its last call.
        """
        vectors = np.zeros((len(texts), self.dim), dtype=np.float32)
        order = sorted(range(len(texts)), key=lambda i: -len(texts[i]))
        for at in range(0, len(order), CHUNK):
            chunk = order[at : at + CHUNK]
            vectors[chunk] = self._model.encode(
                [texts[i] for i in chunk], batch_size=BATCH, normalize_embeddings=True, show_progress_bar=False
            )
            if progress is not None:
                progress(len(chunk))
        return vectors

    def export(self, folder: Path) -> None:
        """Writes the query encoder: an ONNX graph, its weights beside it, the tokenizer, the settings.

        The graph is simplified here, once, because a question pays for every node
        that it loads. Vectors agree with `encode` to a cosine above 0.9999.
        """
        folder.mkdir(parents=True, exist_ok=True)
        plain = folder / "traced.onnx"
        self._trace(plain)
        _simplify(plain, folder)
        plain.unlink()
        tokenizer = self._model.tokenizer.backend_tokenizer
        tokenizer.no_padding()
        tokenizer.save(str(folder / TOKENIZER))
        settings = EncoderSettings(
            model=self.files.name,
            sha256=self.files.sha256,
            dim=self.dim,
            max_tokens=int(self._model.max_seq_length or 512),
            prompt=str(self._model.prompts.get("query", "")),
        )
        settings.write(folder / SETTINGS)

    def _trace(self, path: Path) -> None:
        import torch  # noqa: PLC0415

        model = self._model

        class Pipeline(torch.nn.Module):
            """The whole pipeline, pooling included, as one graph of two inputs."""

            def __init__(self) -> None:
                super().__init__()
                self.model = model

            def forward(self, input_ids: Any, attention_mask: Any) -> Any:
                vector = self.model({"input_ids": input_ids, "attention_mask": attention_mask})["sentence_embedding"]
                return torch.nn.functional.normalize(vector, dim=-1)

        example = self._model.tokenizer(["two lines of", "unequal length here"], padding=True, return_tensors="pt")
        lengths = {0: "texts", 1: "tokens"}
        with warnings.catch_warnings():
            # the tracer warns of branches on sizes; the test of equal vectors covers what they could break
            warnings.simplefilter("ignore")
            torch.onnx.export(
                Pipeline().eval(),
                (example["input_ids"], example["attention_mask"]),
                str(path),
                input_names=["input_ids", "attention_mask"],
                output_names=["vector"],
                dynamic_axes={"input_ids": lengths, "attention_mask": lengths, "vector": {0: "texts"}},
                opset_version=17,
                dynamo=False,
            )


def _simplify(graph: Path, folder: Path) -> None:
    """Folds constants of `graph` into `folder`'s GRAPH, with the weights in a file of their own."""
    import onnxruntime  # noqa: PLC0415

    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_EXTENDED
    options.optimized_model_filepath = str(folder / GRAPH)
    options.log_severity_level = 3
    # external weights are mapped into memory at a question; inside the graph they would be parsed and copied
    options.add_session_config_entry("session.optimized_model_external_initializers_file_name", WEIGHTS)
    options.add_session_config_entry("session.optimized_model_external_initializers_min_size_in_bytes", "1024")
    onnxruntime.InferenceSession(str(graph), options, providers=["CPUExecutionProvider"])
