"""A small domain, its facts table and the digest that it cites, to look things up in."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from chipwise import knowledge
from chipwise.building import building
from chipwise.building.building import build
from chipwise.building.documents import add_files, initialise
from chipwise.knowledge import KnowledgeFolder
from chipwise.models import DEFAULT_MODEL

from ...documents import write

HERE = Path(__file__).parent

NOTE = """# A note

## The H100 SXM

The H100 SXM reaches 1,979 TFLOPS with sparsity \x1b[31mtoday\x1b[0m.
Its memory is 80 GB, reportedly.
"""


def use(patch: pytest.MonkeyPatch) -> None:
    """Puts the small domain and its facts in place of what the fakes have."""
    patch.setattr(knowledge, "domain_folder", lambda: HERE / "domain")
    for module in (knowledge, building):
        patch.setattr(module, "facts_folder", lambda: HERE / "facts")
        patch.setattr(module, "digests_folder", lambda: HERE / "digests")


def make(folder: Path) -> KnowledgeFolder:
    """A knowledge base with the facts and one note."""
    base = KnowledgeFolder(folder / "kb")
    initialise(base, shipped=False, model=DEFAULT_MODEL)
    add_files(base, write(folder / "documents", {"note.md": NOTE}))
    build(base)
    return base


def lines(text: str) -> str:
    """An expected output, written with the margin of the test."""
    return textwrap.dedent(text)[1:]
