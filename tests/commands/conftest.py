"""What tests of commands stand on: the small facts table, where a test has no knowledge base of its own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from chipwise.knowledge import KnowledgeFolder

from ..answering.lookups import make, use
from ..fakes import install
from ..written_down import as_written_down  # noqa: F401 (texts say here what is written down of them)


@pytest.fixture(scope="module")
def kb(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeFolder]:
    """The small facts table and one note."""
    with pytest.MonkeyPatch.context() as patch:
        install(patch.setattr)
        use(patch)
        yield make(tmp_path_factory.mktemp("lookups"))
