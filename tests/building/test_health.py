"""`doctor`'s examination: each ailment is found, by itself, with what mends it."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import numpy as np

from chipwise.building.building import build
from chipwise.health import Ailment, examine, read_status
from chipwise.index.vectors import write_index
from chipwise.knowledge import TEXT, VECTORS, KnowledgeFolder

from ..documents import MFU

FRESH = "chipwise build --fresh"


def text_path(base: KnowledgeFolder) -> Path:
    return base.generation_folder(base.read_seal()) / TEXT


def test_a_good_index_has_no_ailment(base: KnowledgeFolder) -> None:
    assert examine(base) == []


def test_no_index_at_all(base: KnowledgeFolder) -> None:
    base.seal_path.unlink()
    assert examine(base) == [Ailment("no index was built yet", "chipwise build")]


def test_documents_that_changed(base: KnowledgeFolder, tmp_path: Path) -> None:
    (tmp_path / "documents" / "tpu.md").write_text(MFU)
    assert examine(base) == [Ailment("documents changed since the index was built", "chipwise build")]
    build(base)
    assert examine(base) == []


def test_an_original_that_is_gone(base: KnowledgeFolder, tmp_path: Path) -> None:
    (tmp_path / "documents" / "tpu.md").unlink()
    build(base)
    assert examine(base) == [
        Ailment(
            f"the original of tpu is gone: {tmp_path / 'documents' / 'tpu.md'}",
            "chipwise remove tpu   (optional: its copy is kept)",
        )
    ]


def test_a_byte_that_was_altered(base: KnowledgeFolder) -> None:
    data = bytearray(text_path(base).read_bytes())
    data[-1] ^= 0xFF
    text_path(base).write_bytes(data)
    assert Ailment(f"{text_path(base)} was altered after it was written", FRESH) in examine(base)


def test_a_text_whose_pages_are_broken(base: KnowledgeFolder) -> None:
    data = bytearray(text_path(base).read_bytes())
    data[4096:] = b"\xa5" * (len(data) - 4096)
    text_path(base).write_bytes(data)
    found = examine(base)
    assert found[0] == Ailment(f"{text_path(base)} was altered after it was written", FRESH)
    assert {ailment.mend for ailment in found} == {FRESH}


def test_vectors_that_are_fewer_than_the_passages(base: KnowledgeFolder) -> None:
    write_index(base.generation_folder(base.read_seal()) / VECTORS, np.eye(2, 32, dtype=np.float32))
    found = examine(base)
    assert len(found) == 1
    assert found[0].mend == FRESH
    build(base, fresh=True)
    assert examine(base) == []


def test_passages_that_do_not_stand_in_their_source(base: KnowledgeFolder) -> None:
    connection = sqlite3.connect(text_path(base))
    connection.execute("UPDATE passage SET text = 'X' || substr(text, 2) WHERE source = 'tpu'")
    connection.commit()
    connection.close()
    assert Ailment("2 passages don't match their source", FRESH) in examine(base)


def test_contents_that_cannot_be_read(base: KnowledgeFolder) -> None:
    base.contents_path.write_text("{")
    (ailment,) = examine(base)
    assert ailment.what.startswith(f"{base.contents_path} cannot be read: ")
    assert ailment.mend == "fix or remove that file"


def test_status_counts_what_is_there(base: KnowledgeFolder) -> None:
    status = read_status(base)
    assert (status.shipped, status.added, status.current) == (False, 3, True)
    assert status.seal == base.read_seal()
    assert status.bytes_on_disk == sum(p.stat().st_size for p in base.folder.rglob("*") if p.is_file())


def test_status_of_a_folder_that_does_not_exist(tmp_path: Path) -> None:
    status = read_status(KnowledgeFolder(tmp_path / "new"))
    assert (status.seal, status.current, status.bytes_on_disk) == (None, False, 0)
    assert not (tmp_path / "new").exists()
