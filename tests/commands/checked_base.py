"""A small knowledge base to check drafts against."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from chipwise import corpus, knowledge
from chipwise.audit.checking import run_check
from chipwise.audit.model import Audit
from chipwise.building import building
from chipwise.building.building import build
from chipwise.building.documents import add_files, initialise
from chipwise.figures.judge import Standing
from chipwise.knowledge import KnowledgeFolder
from chipwise.models import DEFAULT_MODEL

from ..building.test_facts import ROW, csv_of
from ..documents import write
from ..fakes import install

KNOWN = "The H200 has 141 GB of memory per GPU."
SHEET = f"""# A sheet

{KNOWN}

The H100 SXM peaks at 989 TFLOPS in dense BF16 per GPU.

The H100 rents for $2.49 per hour.

TPUs are only available on Google Cloud.

The B200 uses HBM memory.

The A100 uses HBM2e memory.

The V100 uses HBM2 memory.

The V100 uses HBM memory.
"""


def base_of(patch: pytest.MonkeyPatch, folder: Path, sheets: dict[str, str], *rows: dict[str, str]) -> KnowledgeFolder:
    """A knowledge base of some sheets, with a fact that is cited from SHEET, and `rows` of others that are cited from them."""
    files = write(folder / "digests", sheets | {"sheet.md": SHEET})
    row = ROW | {"subject": "nvidia-h200", "value": "141", "quote": KNOWN, "aggregation": "chip"}
    write(folder / "facts", {"t.csv": csv_of(row, *(ROW | r for r in rows))})
    install(patch.setattr)
    patch.setattr(knowledge, "domain_folder", corpus.domain_folder)
    for module in (knowledge, building):
        patch.setattr(module, "facts_folder", lambda: folder / "facts")
        patch.setattr(module, "digests_folder", lambda: folder / "digests")
    base = KnowledgeFolder(folder / "kb")
    initialise(base, shipped=False, model=DEFAULT_MODEL)
    add_files(base, [file for file in files if file.name in sheets])
    build(base)
    return base


def base_on(sheets: dict[str, str], *rows: dict[str, str]) -> Any:
    """The fixture of a module: what `base_of` makes of sheets and rows."""

    @pytest.fixture(scope="module")
    def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeFolder]:
        with pytest.MonkeyPatch.context() as patch:
            yield base_of(patch, tmp_path_factory.mktemp("checked"), sheets, *rows)

    return base


def checked(kb: KnowledgeFolder, text: str) -> Audit:
    return run_check(kb, None, text)


def standings(kb: KnowledgeFolder, text: str) -> list[Standing]:
    return [judgement.standing for judgement in checked(kb, text).judgements]


def draft(folder: Path, text: str, name: str = "draft.md") -> Path:
    return write(folder, {name: text})[0]
