"""Text into vectors when an index is built, and the export that lets questions do without torch.

Imports sentence-transformers, and so torch: seconds. Only building comes here;
a question is encoded by `encoder`, from the files that `export` writes.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from chipwise.encoder import GRAPH, SETTINGS, TOKENIZER, WEIGHTS, EncoderSettings
from chipwise.errors import ModelUnavailable, StorageFailed
from chipwise.models import ModelFiles
from chipwise.text import Span
from chipwise.vectors import Matrix, pack, unit

LARGE_WEIGHT = 65_536  # numbers; biases and norms are far smaller
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
        """Writes the query encoder: an ONNX graph, its weights beside it, the tokenizer, the settings.

        The graph is simplified here, once, because a question pays for every node
        that it loads. Vectors agree with `encode` to a cosine above 0.9999.
        """
        folder.mkdir(parents=True, exist_ok=True)
        plain = folder / "traced.onnx"
        tokenizer = self._model.tokenizer.backend_tokenizer
        tokenizer.no_padding()
        self._trace(plain)
        try:
            _simplify(plain, folder)
            _halve(folder)
            tokenizer.save(str(folder / TOKENIZER))
        except Exception as error:  # onnxruntime and tokenizers raise bare exceptions when a disk is full
            raise StorageFailed(
                f"the query encoder cannot be written to {folder}: {error}",
                hint="free some space or permission there, or name another folder with --kb",
            ) from error
        plain.unlink()
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

        class Pipeline(torch.nn.Module):  # type: ignore[misc]  # torch is not followed
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


def _halve(folder: Path) -> None:
    """Keeps the large weights of `folder`'s graph as float16, cast back where they are used.

    A question runs the model once: mapping and reading the weights costs more
    than the arithmetic, and they are most of the memory of `ask`. The look-up of
    word embeddings is cast after it, as it needs a dozen rows of the table.
    """
    import onnx  # noqa: PLC0415
    from onnx import TensorProto, helper, numpy_helper  # noqa: PLC0415

    model = onnx.load(str(folder / GRAPH))
    graph = model.graph
    casts = []
    for tensor in graph.initializer:
        if tensor.data_type != TensorProto.FLOAT or np.prod(tensor.dims) < LARGE_WEIGHT:
            continue
        name = tensor.name
        tensor.CopyFrom(numpy_helper.from_array(numpy_helper.to_array(tensor).astype(np.float16), f"{name}_half"))
        look_ups = [node for node in graph.node if node.op_type == "Gather" and node.input[0] == name]
        for node in look_ups:
            wanted, node.input[0], node.output[0] = node.output[0], tensor.name, f"{node.output[0]}_half"
            casts.append(helper.make_node("Cast", [node.output[0]], [wanted], to=TensorProto.FLOAT))
        if not look_ups:
            casts.append(helper.make_node("Cast", [tensor.name], [name], to=TensorProto.FLOAT))
    graph.node.extend(casts)
    _sort(graph)
    (folder / WEIGHTS).unlink()
    onnx.save_model(
        model,
        str(folder / GRAPH),
        save_as_external_data=True,
        location=WEIGHTS,
        size_threshold=1024,
        convert_attribute=False,
    )


def _sort(graph: Any) -> None:
    """Orders the nodes so that each comes right before the first that needs it: a cast weight lives shortly."""
    made_by = {output: node for node in graph.node for output in node.output}
    placed: dict[int, Any] = {}

    def place(node: Any) -> None:
        for name in node.input:
            source = made_by.get(name)
            if source is not None and id(source) not in placed:
                place(source)
        placed.setdefault(id(node), node)

    for node in list(graph.node):
        place(node)
    ordered = list(placed.values())
    del graph.node[:]
    graph.node.extend(ordered)
