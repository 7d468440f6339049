"""The shipped graphs of query encoder and reader, written beside an index: no torch, and half a second.

`corpus/reader/graphs.zip` holds both graphs and their weights files with holes; the package of the model and the deltas
of the training fill them (see `weights`). It changes only with a training: `python -m evals.training.graphs` makes it.
"""

from __future__ import annotations

import hashlib
import json
import zipfile
from pathlib import Path

from chipwise.building.weights import WEIGHTS_FILE, Hole, Tensors, filled
from chipwise.claims.weights import read_safetensors
from chipwise.corpus import question_reader_folder, reader_folder, shipped_folder
from chipwise.encoder import READER_GRAPH, READER_SETTINGS, READER_WEIGHTS
from chipwise.errors import intact
from chipwise.files import storage_errors
from chipwise.models import DEFAULT_MODEL, find_model

ARCHIVE = "graphs.zip"
HOLES = "holes.json"  # in the archive: by weights file, what fills its holes, and its digest when whole
DELTAS, CALIBRATION = "reader.safetensors", "calibration.json"
_READER = (READER_GRAPH, READER_WEIGHTS)


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


def write_graphs(folder: Path, *, encoder: bool) -> None:
    """Writes the reader to `folder`, and with `encoder` the default model's query encoder.

    Raises ModelUnavailable where the model or the archive is not the one meant, StorageFailed.
    """
    files = {name: data for name, data in _whole(encoder).items() if encoder or name in _READER}
    calibration = json.loads((question_reader_folder() / CALIBRATION).read_text("utf-8"))
    files[READER_SETTINGS] = json.dumps({"digest": digest(), **calibration}, indent=1).encode()
    with storage_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
        for name, data in files.items():
            (folder / name).write_bytes(data)


def _whole(encoder: bool) -> dict[str, bytes | bytearray]:
    """Every file of the archive by name, holes filled; those of the encoder's weights only with `encoder`."""
    model = read_safetensors(find_model(DEFAULT_MODEL).folder / WEIGHTS_FILE)
    path = reader_folder() / ARCHIVE
    with intact(path), zipfile.ZipFile(path) as archive:
        made: dict[str, bytes | bytearray] = {name: archive.read(name) for name in archive.namelist()}
        for name, row in json.loads(made.pop(HOLES)).items():
            if not (encoder or name in _READER):
                continue
            deltas = read_safetensors(shipped_folder() / row["deltas"]) if row["deltas"] else {}
            whole = filled(bytes(made[name]), [Hole.read(hole) for hole in row["holes"]], Tensors(model, deltas))
            for at, byte in row["off"]:  # what torch rounded to the other side
                whole[at] = byte
            if hashlib.sha256(whole).hexdigest() != row["sha256"]:
                raise ValueError(f"{name} was made from other weights")
            made[name] = whole
    return made
