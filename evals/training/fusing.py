"""What makes the shipped graphs small: nodes joined, weights in half the bits. A question pays for every node and byte that it loads."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import numpy as np

from chipwise.building.exporting import simplify, trace, write_settings
from chipwise.encoder import GRAPH, WEIGHTS
from chipwise.models import ModelFiles

LARGE_WEIGHT = 65_536  # numbers; biases and norms are far smaller


def export_shipped(model: Any, files: ModelFiles, folder: Path) -> None:
    """Writes to `folder` the default model's query encoder: trace -> fuse -> simplify -> halve."""
    folder.mkdir(parents=True, exist_ok=True)
    graph = folder / "traced.onnx"
    trace(model, graph)
    fuse(model[0].auto_model.config, graph)
    simplify(graph, folder / GRAPH, WEIGHTS)
    halve(folder)
    write_settings(model, files, folder)
    graph.unlink()


def fuse(config: Any, path: Path) -> None:
    """Joins a BERT's nodes into a quarter as many, in place; other architectures stay as they were traced."""
    if config.model_type != "bert":
        return
    from onnxruntime.transformers import optimizer
    from onnxruntime.transformers.fusion_options import FusionOptions

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


def halve(folder: Path) -> None:
    """Keeps the large weights of `folder`'s graph as float16, cast back where they are used.

    A question runs the model once: mapping and reading the weights costs more than the arithmetic, and they are most
    of the memory of `ask`. The look-up of word embeddings is cast after it, as it needs a dozen rows of the table.
    """
    import onnx
    from onnx import TensorProto, helper, numpy_helper

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
