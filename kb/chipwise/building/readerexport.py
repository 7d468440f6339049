"""The reader's graph, written beside the query encoder: deltas merged into the shipped encoder, in eight bits.

merge -> trace -> fuse -> quantise -> simplify
"""

from __future__ import annotations

import hashlib
import json
import logging
import warnings
from pathlib import Path
from typing import Any

from chipwise.building.exporting import fuse, simplify
from chipwise.corpus import question_reader_folder
from chipwise.encoder import READER_GRAPH, READER_SETTINGS, READER_WEIGHTS
from chipwise.errors import StorageFailed
from chipwise.models import DEFAULT_MODEL, find_model

DELTAS = "reader.safetensors"
CALIBRATION = "calibration.json"


def digest() -> str:
    """What decides how the reader reads: its deltas and its calibration."""
    found = hashlib.sha256()
    for name in (DELTAS, CALIBRATION):
        found.update((question_reader_folder() / name).read_bytes())
    return found.hexdigest()


def is_current(folder: Path) -> bool:
    """True where `folder` holds the reader that the shipped deltas make."""
    try:
        return bool(json.loads((folder / READER_SETTINGS).read_text("utf-8"))["digest"] == digest())
    except (OSError, ValueError, KeyError):
        return False


def export_reader(folder: Path) -> None:
    """Writes to `folder` what `answering.reader.Reader` reads. Raises ModelUnavailable, StorageFailed."""
    model = find_model(DEFAULT_MODEL)  # whichever model embeds the passages
    calibration = json.loads((question_reader_folder() / CALIBRATION).read_text("utf-8"))
    traced, quantised = folder / "traced.onnx", folder / "quantised.onnx"
    try:
        network = merged(model.folder)
        _trace(network, traced)
        fuse(network.transformer.config, traced)
        _quantise(traced, quantised)
        simplify(quantised, folder / READER_GRAPH, READER_WEIGHTS)
        (folder / READER_SETTINGS).write_text(json.dumps({"digest": digest(), **calibration}, indent=1), "utf-8")
    except Exception as error:  # torch and onnxruntime raise bare exceptions when a disk is full
        raise StorageFailed(
            f"the reader cannot be written to {folder}: {error}",
            hint="free some space or permission there, or name another folder with --kb",
        ) from error
    traced.unlink()
    quantised.unlink()


def merged(folder: Path) -> Any:
    """The network of the shipped deltas on the model in `folder`, in 32 bits."""
    from safetensors.numpy import load_file  # noqa: PLC0415
    from transformers import BertModel  # noqa: PLC0415
    from transformers.utils import logging as its_logging  # noqa: PLC0415

    from chipwise.building.readernetwork import MARK_TABLE, ReaderNetwork, load  # noqa: PLC0415

    its_logging.disable_progress_bar()
    weights = load_file(question_reader_folder() / DELTAS)
    # the plain products are what `fuse` knows
    transformer = BertModel.from_pretrained(folder, attn_implementation="eager", local_files_only=True)
    network = ReaderNetwork(transformer, len(weights[MARK_TABLE]))
    load(network, weights)
    return network.eval()


def _trace(network: Any, path: Path) -> None:
    import torch  # noqa: PLC0415

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
    from onnx import TensorProto  # noqa: PLC0415
    from onnxruntime.quantization import QuantType, quantize_dynamic  # noqa: PLC0415

    # types cannot be inferred behind the fused nodes, which are onnxruntime's own
    default = {"DefaultTensorType": TensorProto.FLOAT}
    logging.disable(logging.WARNING)  # its advice to prepare a graph that is prepared
    try:
        quantize_dynamic(traced, quantised, per_channel=True, weight_type=QuantType.QInt8, extra_options=default)
    finally:
        logging.disable(logging.NOTSET)
