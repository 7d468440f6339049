"""The query encoder of any model of sentence-transformers, written once when an index is built: ONNX, weights, tokenizer, settings.

    trace -> simplify

Vectors agree with sentence-transformers' to a cosine above 0.9999. The default model's graph is shipped, see `graphs`.
"""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

from chipwise.encoder import GRAPH, SETTINGS, TOKENIZER, WEIGHTS, EncoderSettings
from chipwise.errors import StorageFailed
from chipwise.models import ModelFiles


def export_encoder(model: Any, files: ModelFiles, folder: Path) -> None:
    """Writes to `folder` what `encoder.QueryEncoder` reads, for a loaded SentenceTransformer.

    Raises StorageFailed when the disk refuses.
    """
    folder.mkdir(parents=True, exist_ok=True)
    graph = folder / "traced.onnx"
    try:
        trace(model, graph)
        simplify(graph, folder / GRAPH, WEIGHTS)
        write_settings(model, files, folder)
    except Exception as error:  # torch, onnxruntime and tokenizers raise bare exceptions when a disk is full
        raise StorageFailed(
            f"the query encoder cannot be written to {folder}: {error}",
            hint="free some space or permission there, or name another folder with --kb",
        ) from error
    graph.unlink()


def write_settings(model: Any, files: ModelFiles, folder: Path) -> None:
    """Writes the tokenizer and the settings."""
    tokenizer = model.tokenizer.backend_tokenizer
    tokenizer.no_padding()
    tokenizer.save(str(folder / TOKENIZER))
    settings = EncoderSettings(
        model=files.name,
        sha256=files.sha256,
        dim=int(model.get_embedding_dimension()),
        max_tokens=int(model.max_seq_length or 512),
        prompt=str(model.prompts.get("query", "")),
    )
    settings.write(folder / SETTINGS)


def trace(model: Any, path: Path) -> None:
    """The whole pipeline, pooling included, as one graph of two inputs."""
    import torch  # noqa: PLC0415

    class Pipeline(torch.nn.Module):  # type: ignore[misc]  # torch is not followed
        """`model` called by position."""

        def __init__(self) -> None:
            super().__init__()
            self.model = model

        def forward(self, input_ids: Any, attention_mask: Any) -> Any:
            vector = self.model({"input_ids": input_ids, "attention_mask": attention_mask})["sentence_embedding"]
            return torch.nn.functional.normalize(vector, dim=-1)

    example = model.tokenizer(["two lines of", "unequal length here"], padding=True, return_tensors="pt")
    lengths = {0: "texts", 1: "tokens"}
    transformer = model[0].auto_model
    attention = transformer.config._attn_implementation
    transformer.set_attn_implementation("eager")  # plain products, which every version of onnxruntime knows
    try:
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
    finally:
        transformer.set_attn_implementation(attention)


def simplify(graph: Path, path: Path, weights: str) -> None:
    """Folds constants of `graph` into the one at `path`, with the weights in a file of their own beside it."""
    import onnxruntime  # noqa: PLC0415

    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_EXTENDED
    options.optimized_model_filepath = str(path)
    options.log_severity_level = 3
    # external weights are mapped into memory at a question; inside the graph they would be parsed and copied
    options.add_session_config_entry("session.optimized_model_external_initializers_file_name", weights)
    options.add_session_config_entry("session.optimized_model_external_initializers_min_size_in_bytes", "1024")
    onnxruntime.InferenceSession(str(graph), options, providers=["CPUExecutionProvider"])
