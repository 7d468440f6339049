"""The ways to an answer are named in a table: each name is a function, and none of them is loaded before its turn."""

from __future__ import annotations

import subprocess
import sys

import pytest

from chipwise.asking.outright import WAYS, way_of


@pytest.mark.parametrize(("module", "name"), dict.fromkeys((module, name) for module, name, _ in WAYS))
def test_a_way_is_a_function_of_its_module(module: str, name: str) -> None:
    way = way_of(module, name)
    assert callable(way)
    assert way.__module__ == f"chipwise.asking.{module}"


def test_no_way_and_nothing_that_finds_claims_is_loaded_to_read_a_question() -> None:
    shown = "import sys, chipwise.asking.replying; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", shown], capture_output=True, text=True, check=True)
    loaded = set(run.stdout.split())
    assert {f"chipwise.asking.{module}" for module, _, _ in WAYS} & loaded == set()
    assert {m for m in loaded if m.startswith("chipwise.claims.")} == {"chipwise.claims.model"}
