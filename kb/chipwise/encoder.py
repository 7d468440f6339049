"""`QueryEncoder`: a question to a vector, in some 80 ms from a cold start, with only onnxruntime and tokenizers.

It reads the files that `embedding.PassageEncoder.export` wrote next to the index.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from chipwise.errors import KnowledgeBaseDamaged, intact
from chipwise.values import dataclass

GRAPH = "model.onnx"
WEIGHTS = "weights.bin"
TOKENIZER = "tokenizer.json"
SETTINGS = "encoder.json"
# the reader of questions and passages stands beside it
READER_GRAPH = "reader.onnx"
READER_WEIGHTS = "reader.bin"
READER_SETTINGS = "reader.json"
DAMAGED = "run `chipwise build --fresh`", KnowledgeBaseDamaged


@dataclass(frozen=True, slots=True)
class EncoderSettings:
    """The model's identity, limits and prompt, as a question needs them."""

    model: str
    sha256: str
    dim: int
    max_tokens: int
    prompt: str

    def write(self, path: Path) -> None:
        """Write the settings as JSON."""
        path.write_text(json.dumps(asdict(self), indent=1), "utf-8")

    @classmethod
    def read(cls, path: Path) -> EncoderSettings:
        """Read the settings that `write` wrote."""
        return cls(**json.loads(path.read_text("utf-8")))


class QueryEncoder:
    """The exported encoder. Raises KnowledgeBaseDamaged if its files are incomplete."""

    def __init__(self, folder: Path) -> None:
        from tokenizers import Tokenizer  # noqa: PLC0415

        self._folder = folder
        with intact(folder, *DAMAGED):
            self.settings = EncoderSettings.read(folder / SETTINGS)
            self.tokenizer: Any = Tokenizer.from_file(str(folder / TOKENIZER))
        self._session: Any = None  # loaded on first use: many questions need only the tokenizer
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(self.settings.max_tokens)

    def rest(self) -> None:
        """Release the memory of the weights; the next text loads them again, in some 30 ms."""
        self._session = None

    def encode(self, text: str) -> np.ndarray[Any, np.dtype[np.float32]]:
        """Return the vector of a text, (dim,) float32 of length 1."""
        tokens = self.tokenizer.encode(self.settings.prompt + text)
        feed = {
            "input_ids": np.array([tokens.ids], dtype=np.int64),
            "attention_mask": np.array([tokens.attention_mask], dtype=np.int64),
        }
        if self._session is None:
            self._session = _session(self._folder)
        vector: np.ndarray[Any, np.dtype[np.float32]] = self._session.run(["vector"], feed)[0][0]
        return vector


def _session(folder: Path) -> Any:
    import onnxruntime  # noqa: PLC0415

    options = onnxruntime.SessionOptions()
    # the graph is stored optimized; optimizing again, or packing weights for many
    # runs, would cost more than the single run of a question
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.add_session_config_entry("session.disable_prepacking", "1")
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.enable_cpu_mem_arena = False
    # runs each cast right before its use, so that only one weight at a time is wide
    options.execution_order = onnxruntime.ExecutionOrder.PRIORITY_BASED
    options.log_severity_level = 3
    with intact(folder, *DAMAGED):
        return onnxruntime.InferenceSession(str(folder / GRAPH), options, providers=["CPUExecutionProvider"])
