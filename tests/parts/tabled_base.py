"""A knowledge base on the shipped domain with digests and a facts table of a test's own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from chipwise import building, corpus, knowledge
from chipwise.building import build
from chipwise.documents import add_files, initialise
from chipwise.knowledge import KnowledgeBase
from chipwise.models import DEFAULT_MODEL
from chipwise.opening import OpenIndex, opened

from ..documents import write
from ..fakes import install


@contextmanager
def tabled_base(
    folder: Path, digests: Mapping[str, str], table: str, *, held: Sequence[str], added: Mapping[str, str]
) -> Iterator[OpenIndex]:
    """The index with `table` over `digests`; the knowledge base holds those named in `held`, and the documents `added`."""
    write(folder / "digests", dict(digests))
    write(folder / "facts", {"t.csv": table})
    with pytest.MonkeyPatch.context() as patch:
        install(patch.setattr)
        patch.setattr(knowledge, "domain_folder", corpus.domain_folder)
        for module in (knowledge, building):
            patch.setattr(module, "facts_folder", lambda: folder / "facts")
            patch.setattr(module, "digests_folder", lambda: folder / "digests")
        base = KnowledgeBase(folder / "kb")
        initialise(base, shipped=False, model=DEFAULT_MODEL)
        add_files(base, [*(folder / "digests" / name for name in held), *write(folder / "added", dict(added))])
        build(base)
        with opened(base) as found:
            yield found
