"""The reader's graph as it is shipped: deltas merged into the stock encoder, in eight bits.

merge -> trace -> fuse -> quantise -> simplify
"""

from __future__ import annotations

import logging
import warnings
from pathlib import Path
from typing import Any

from evals.training.fusing import fuse

from chipwise.building.exporting import simplify
from chipwise.building.graphs import DELTAS
from chipwise.corpus import question_reader_folder
from chipwise.encoder import READER_GRAPH, READER_WEIGHTS
from chipwise.models import DEFAULT_MODEL, find_model


def export_reader(folder: Path) -> None:
    """Writes to `folder` what `answering.reader.Reader` reads. Raises ModelUnavailable."""
    model = find_model(DEFAULT_MODEL)  # whichever model embeds the passages
    traced, quantised = folder / "traced.onnx", folder / "quantised.onnx"
    network = merged(model.folder)
    _trace(network, traced)
    fuse(network.transformer.config, traced)
    _quantise(traced, quantised)
    simplify(quantised, folder / READER_GRAPH, READER_WEIGHTS)
    traced.unlink()
    quantised.unlink()


def merged(folder: Path) -> Any:
    """The network of the shipped deltas on the model in `folder`, in 32 bits."""
    from evals.training.questions.readernetwork import MARK_TABLE, ReaderNetwork, load
    from safetensors.numpy import load_file
    from transformers import BertModel
    from transformers.utils import logging as its_logging

    its_logging.disable_progress_bar()
    weights = load_file(question_reader_folder() / DELTAS)
    # the plain products are what `fuse` knows
    transformer = BertModel.from_pretrained(folder, attn_implementation="eager", local_files_only=True)
    network = ReaderNetwork(transformer, len(weights[MARK_TABLE]))
    load(network, weights)
    return network.eval()


def _trace(network: Any, path: Path) -> None:
    import torch

    lengths = {0: "texts", 1: "tokens"}
    names = ["ids", "mask", "marks"]
    example = tuple(torch.ones(2, 7, dtype=torch.int64) for _ in names)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of branches on sizes; the test of equal logits covers what they could break
        torch.onnx.export(
            network,
            example,
            str(path),
            input_names=names,
            output_names=["belongs", "answers", "needed"],
            dynamic_axes={**dict.fromkeys((*names, "belongs", "needed"), lengths), "answers": {0: "texts"}},
            opset_version=17,
            dynamo=False,
        )


def _quantise(traced: Path, quantised: Path) -> None:
    """Weights in eight bits for each output channel; activations when they are known."""
    from onnx import TensorProto
    from onnxruntime.quantization import QuantType, quantize_dynamic

    # types cannot be inferred behind the fused nodes, which are onnxruntime's own
    default = {"DefaultTensorType": TensorProto.FLOAT}
    logging.disable(logging.WARNING)  # its advice to prepare a graph that is prepared
    try:
        quantize_dynamic(traced, quantised, per_channel=True, weight_type=QuantType.QInt8, extra_options=default)
    finally:
        logging.disable(logging.NOTSET)
