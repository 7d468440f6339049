"""An index that is truncated, foreign or from another version: one clear error, and `build --fresh` mends it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from chipwise.building.building import build
from chipwise.errors import KnowledgeBaseDamaged, KnowledgeBaseMissing
from chipwise.index import schema
from chipwise.index.store import create_store, open_store
from chipwise.knowledge import TEXT, VECTORS, KnowledgeFolder
from chipwise.opening import opened

from .looking import passage_texts, texts

MEND = "run `chipwise build --fresh`"


def generation(base: KnowledgeFolder, name: str) -> Path:
    return base.generation_folder(base.read_seal()) / name


def cut(base: KnowledgeFolder, name: str) -> None:
    path = generation(base, name)
    path.write_bytes(path.read_bytes()[:-100])


def scribble(base: KnowledgeFolder, name: str) -> None:
    """The same size, other bytes."""
    path = generation(base, name)
    path.write_bytes(b"\xa5" * path.stat().st_size)


def seal_with(**values: Any) -> Callable[[KnowledgeFolder], None]:
    def change(base: KnowledgeFolder) -> None:
        data = json.loads(base.seal_path.read_text())
        base.seal_path.write_text(json.dumps({**data, **values}))

    return change


DAMAGES: dict[str, tuple[Callable[[KnowledgeFolder], None], str]] = {
    "a seal cut short": (lambda b: b.seal_path.write_text(b.seal_path.read_text()[:50]), "cannot be read"),
    "a seal of bytes": (lambda b: b.seal_path.write_bytes(b"\xff\xfe\x00") and None, "cannot be read"),
    "another's JSON": (lambda b: b.seal_path.write_text("[1, 2]") and None, "has format None"),
    "a later version": (seal_with(format=2), "has format 2; this chipwise reads 1"),
    "an unknown field": (seal_with(colour="red"), "is not a valid seal"),
    "files that are a list": (seal_with(files=[]), "is not a valid seal"),
    "a generation that is gone": (seal_with(generation="g999999", files={}), "cannot be opened"),
    "a text cut short": (lambda b: cut(b, TEXT), "bytes instead of"),
    "vectors cut short": (lambda b: cut(b, VECTORS), "bytes instead of"),
    "vectors that are gone": (lambda b: generation(b, VECTORS).unlink(), "is missing"),
    "a text of other bytes": (lambda b: scribble(b, TEXT), "file is not a database"),
    "vectors of other bytes": (lambda b: scribble(b, VECTORS), "cannot be read"),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_index_is_told_with_what_mends_it(base: KnowledgeFolder, damage: str) -> None:
    before = passage_texts(base)
    break_it, words = DAMAGES[damage]
    break_it(base)
    with pytest.raises(KnowledgeBaseDamaged, match=words) as raised, opened(base) as index:
        index.search("H100 memory", 3)
    assert raised.value.hint == MEND

    build(base, fresh=True)
    assert passage_texts(base) == before


@pytest.mark.parametrize("damage", [name for name in DAMAGES if "other bytes" not in name])
def test_a_plain_build_mends_what_it_can_see_is_damaged(base: KnowledgeFolder, damage: str) -> None:
    before = passage_texts(base)
    DAMAGES[damage][0](base)
    build(base)
    assert passage_texts(base) == before


def overwritten(base: KnowledgeFolder) -> None:
    path = generation(base, TEXT)
    data = bytearray(path.read_bytes())
    data[4096:] = b"\xa5" * (len(data) - 4096)  # the first page, with the schema, stays
    path.write_bytes(data)


def flipped(base: KnowledgeFolder) -> None:
    path = generation(base, TEXT)
    data, words = path.read_bytes(), b"The H100 has"
    assert words in data
    path.write_bytes(data.replace(words, bytes(byte ^ 0xFF for byte in words)))


@pytest.mark.parametrize("break_it", [overwritten, flipped])
def test_pages_of_the_text_that_were_overwritten_are_no_traceback(
    base: KnowledgeFolder, break_it: Callable[[KnowledgeFolder], None]
) -> None:
    break_it(base)
    with pytest.raises(KnowledgeBaseDamaged) as raised, opened(base) as index:
        index.search("H100 memory", 3)
    assert raised.value.hint == MEND


@pytest.mark.parametrize("break_it", [overwritten, flipped])
def test_nothing_is_built_upon_a_text_that_was_altered(
    base: KnowledgeFolder, tmp_path: Path, break_it: Callable[[KnowledgeFolder], None]
) -> None:
    break_it(base)
    (tmp_path / "documents" / "h100.md").write_text("Other words.")
    build(base)
    assert texts(base)["h100"] == "Other words."
    assert not list(base.altered(base.read_seal()))


def test_an_error_while_all_files_are_whole_is_ours_and_keeps_its_traceback(base: KnowledgeFolder) -> None:
    with pytest.raises(KeyError), opened(base):
        raise KeyError("a mistake")


def test_a_folder_whose_name_is_no_utf_8_is_refused(tmp_path: Path) -> None:
    with pytest.raises(KnowledgeBaseMissing, match="is not UTF-8") as raised:
        KnowledgeFolder(tmp_path / "\udcff")
    assert raised.value.hint == "name another folder with --kb"


def test_a_store_of_another_version_is_refused(tmp_path: Path) -> None:
    with create_store(tmp_path / TEXT) as store:
        store._db.execute("PRAGMA user_version = 99")
    with pytest.raises(KnowledgeBaseDamaged, match=f"has schema 99, this chipwise reads {schema.VERSION}"):
        open_store(tmp_path / TEXT)


@pytest.mark.parametrize(
    "words", ["", "[]", "{}", "nonsense", '{"format": 2, "shipped": false, "model": "m", "documents": []}']
)
def test_contents_that_cannot_be_read_are_named(base: KnowledgeFolder, words: str) -> None:
    base.contents_path.write_text(words)
    with pytest.raises(KnowledgeBaseDamaged, match=rf"{base.contents_path} cannot be read") as raised:
        base.read_contents()
    assert raised.value.hint == "fix or remove that file"


def test_a_folder_without_an_index_has_none(tmp_path: Path) -> None:
    new = KnowledgeFolder(tmp_path / "new")
    assert new.find_seal() is None
    with pytest.raises(KnowledgeBaseMissing, match="holds no index yet") as raised:
        new.read_seal()
    assert raised.value.hint == "run `chipwise build`"


def test_a_file_is_no_knowledge_base(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("words")
    with pytest.raises(KnowledgeBaseMissing, match="is not a folder"):
        KnowledgeFolder(tmp_path / "file").read_contents()


def test_the_seal_knows_its_files_by_size_and_checksum(base: KnowledgeFolder) -> None:
    import hashlib

    seal = base.read_seal()
    on_disk = {
        str(path.relative_to(base.index_folder)): (path.stat().st_size, hashlib.sha256(path.read_bytes()).hexdigest())
        for folder in (seal.generation, seal.encoder)
        for path in (base.index_folder / folder).iterdir()
    }
    assert seal.files == on_disk
    assert seal.passages == len(passage_texts(base))
    assert seal.sources == len(texts(base))
