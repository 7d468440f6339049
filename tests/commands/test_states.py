"""Some of the broken states of `tests.states`, drawn from every kind: a command ends well in each."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from chipwise.knowledge import KnowledgeFolder

from ..fakes import install
from ..states import (
    SURROUNDINGS,
    file_states,
    json_states,
    make,
    run,
    surrounded,
    table_states,
    try_states,
    with_shipped_domain,
)

DRAWN = 12  # states of each kind
LOOKED = (("search", "memory bandwidth"), ("doctor",))


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> KnowledgeFolder:
    install(lambda module, name, value: with_shipped_domain(module, name, value, monkeypatch.setattr))
    return make(tmp_path)


def test_a_broken_file_is_no_traceback(small: KnowledgeFolder) -> None:
    drawn = {}
    for states in (file_states, json_states, table_states):
        found = states(small)
        names = random.Random(1).sample(sorted(found), DRAWN)  # noqa: S311
        drawn |= {name: found[name] for name in names}
    assert list(try_states(small, drawn, LOOKED)) == []


@pytest.mark.parametrize("name", SURROUNDINGS)
def test_odd_surroundings_are_no_traceback(name: str) -> None:
    with surrounded(SURROUNDINGS[name]):
        assert run(["doctor"]) == ""
