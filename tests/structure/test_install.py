"""What an installation brings: the lists of packages agree, and the light one leaves PyTorch out."""

from __future__ import annotations

import tomllib

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from ..conftest import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
LINES = (ROOT / "requirements-light.txt").read_text("utf-8").splitlines()
PINNED = {canonicalize_name(r.name): r for r in map(Requirement, (line for line in LINES if line[0] != "#"))}


def test_the_light_list_has_what_chipwise_depends_on_at_a_version_that_it_takes_and_no_pytorch() -> None:
    for wanted in map(Requirement, PROJECT["project"]["dependencies"]):
        (pin,) = PINNED[canonicalize_name(wanted.name)].specifier
        assert pin.operator == "=="
        assert wanted.specifier.contains(pin.version), wanted
    assert not PINNED.keys() & {"torch", "transformers", "sentence-transformers", "huggingface-hub"}


def test_the_index_is_built_with_the_versions_that_the_light_list_installs() -> None:
    for wanted in map(Requirement, PROJECT["build-system"]["requires"]):
        pin = PINNED.get(canonicalize_name(wanted.name))
        assert wanted.name in ("hatchling", "pip") or (pin is not None and pin.specifier == wanted.specifier), wanted
