"""A question into a vector, cold, in some 80 ms: onnxruntime and tokenizers alone.

Reads what `embedding.PassageEncoder.export` wrote next to the index.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from chipwise.errors import KnowledgeBaseDamaged
from chipwise.values import dataclass

GRAPH = "model.onnx"
WEIGHTS = "weights.bin"
TOKENIZER = "tokenizer.json"
SETTINGS = "encoder.json"
# the reader of questions and passages stands beside it
READER_GRAPH = "reader.onnx"
READER_WEIGHTS = "reader.bin"
READER_SETTINGS = "reader.json"


@dataclass(frozen=True, slots=True)
class EncoderSettings:
    """What a question needs to know of the model: its identity, its limits, its prompt."""

    model: str
    sha256: str
    dim: int
    max_tokens: int
    prompt: str

    def write(self, path: Path) -> None:
        """Writes them as JSON."""
        path.write_text(json.dumps(asdict(self), indent=1), "utf-8")

    @classmethod
    def read(cls, path: Path) -> EncoderSettings:
        """What `write` wrote."""
        return cls(**json.loads(path.read_text("utf-8")))


class QueryEncoder:
    """The exported encoder, loaded. Raises KnowledgeBaseDamaged when its files are not whole."""

    def __init__(self, folder: Path) -> None:
        from tokenizers import Tokenizer  # noqa: PLC0415

        self._folder = folder
        with _damage(folder):
            self.settings = EncoderSettings.read(folder / SETTINGS)
            self._tokenizer: Any = Tokenizer.from_file(str(folder / TOKENIZER))
        self._session: Any = None  # a question that facts answer in part is read before it is encoded, if it ever is
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(self.settings.max_tokens)

    def rest(self) -> None:
        """Gives its memory back; the next text loads the weights again, in some 30 ms."""
        self._session = None

    @property
    def tokenizer(self) -> Any:
        """Of the tokenizers library, without padding."""
        return self._tokenizer

    def has_whole(self, word: str) -> bool:
        """True for a word, in lower case, that is one token: a common one of the language that the model was trained on."""
        return self._tokenizer.token_to_id(word) is not None

    def encode(self, text: str) -> np.ndarray[Any, np.dtype[np.float32]]:
        """The vector of one text, (dim,) float32 of length 1."""
        tokens = self._tokenizer.encode(self.settings.prompt + text)
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
    # the graph was optimised when it was written; doing it again, or packing
    # weights for many runs, costs more than the one run that a question makes
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.add_session_config_entry("session.disable_prepacking", "1")
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.enable_cpu_mem_arena = False
    # runs a cast right before what needs it, so that one weight at a time is wide, not all of them
    options.execution_order = onnxruntime.ExecutionOrder.PRIORITY_BASED
    options.log_severity_level = 3
    with _damage(folder):
        return onnxruntime.InferenceSession(str(folder / GRAPH), options, providers=["CPUExecutionProvider"])


@contextmanager
def _damage(folder: Path) -> Iterator[None]:
    try:
        yield
    except Exception as error:  # onnxruntime and tokenizers raise bare exceptions of many kinds
        raise KnowledgeBaseDamaged(
            f"the query encoder in {folder} does not load: {str(error).splitlines()[0]}",
            hint="run `chipwise build --fresh`",
        ) from error
