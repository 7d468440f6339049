"""The query encoder of a model, written once when an index is built: ONNX, half-size weights, tokenizer, settings.

    trace -> fuse -> simplify -> halve

A question pays for every node and every byte that it loads, so both are made
few here. Vectors agree with sentence-transformers' to a cosine above 0.9999.
"""

from __future__ import annotations

import logging
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from chipwise.encoder import GRAPH, SETTINGS, TOKENIZER, WEIGHTS, EncoderSettings
from chipwise.errors import StorageFailed
from chipwise.models import ModelFiles

LARGE_WEIGHT = 65_536  # numbers; biases and norms are far smaller


def export_encoder(model: Any, files: ModelFiles, folder: Path) -> None:
    """Writes to `folder` what `encoder.QueryEncoder` reads, for a loaded SentenceTransformer.

    Raises StorageFailed when the disk refuses.
    """
    folder.mkdir(parents=True, exist_ok=True)
    graph = folder / "traced.onnx"
    tokenizer = model.tokenizer.backend_tokenizer
    tokenizer.no_padding()
    try:
        _trace(model, graph)
        fuse(model[0].auto_model.config, graph)
        simplify(graph, folder / GRAPH, WEIGHTS)
        halve(folder)
        tokenizer.save(str(folder / TOKENIZER))
    except Exception as error:  # torch, onnxruntime and tokenizers raise bare exceptions when a disk is full
        raise StorageFailed(
            f"the query encoder cannot be written to {folder}: {error}",
            hint="free some space or permission there, or name another folder with --kb",
        ) from error
    graph.unlink()
    settings = EncoderSettings(
        model=files.name,
        sha256=files.sha256,
        dim=int(model.get_embedding_dimension()),
        max_tokens=int(model.max_seq_length or 512),
        prompt=str(model.prompts.get("query", "")),
    )
    settings.write(folder / SETTINGS)


def _trace(model: Any, path: Path) -> None:
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
    transformer.set_attn_implementation("eager")  # the plain products are what `fuse` knows
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


def fuse(config: Any, path: Path) -> None:
    """Joins a BERT's nodes into a quarter as many, in place; other architectures stay as they were traced."""
    if config.model_type != "bert":
        return
    from onnxruntime.transformers import optimizer  # noqa: PLC0415
    from onnxruntime.transformers.fusion_options import FusionOptions  # noqa: PLC0415

    logging.getLogger("onnxruntime.transformers").setLevel(logging.WARNING)
    options = FusionOptions("bert")
    options.enable_embed_layer_norm = False  # would have `halve` widen the whole table of word embeddings
    fused = optimizer.optimize_model(
        str(path),
        model_type="bert",
        num_heads=config.num_attention_heads,
        hidden_size=config.hidden_size,
        optimization_options=options,
        opt_level=0,
    )
    fused.save_model_to_file(str(path))


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


def halve(folder: Path) -> None:
    """Keeps the large weights of `folder`'s graph as float16, cast back where they are used.

    A question runs the model once: mapping and reading the weights costs more than the arithmetic, and they are most
    of the memory of `ask`. The look-up of word embeddings is cast after it, as it needs a dozen rows of the table.
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
