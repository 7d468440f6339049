"""Audits that are made up, and a knowledge base without a register."""

from __future__ import annotations

from pathlib import Path

import pytest

from chipwise.building.documents import initialise
from chipwise.knowledge import KnowledgeFolder
from chipwise.models import DEFAULT_MODEL

from ...audit.samples import Fakes, install


@pytest.fixture
def fakes(monkeypatch: pytest.MonkeyPatch) -> Fakes:
    return install(monkeypatch)


@pytest.fixture
def kb(tmp_path: Path) -> Path:
    """A knowledge base without the shipped corpus, and so without its register."""
    initialise(KnowledgeFolder(tmp_path / "kb"), shipped=False, model=DEFAULT_MODEL)
    return tmp_path / "kb"
