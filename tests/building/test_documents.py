"""Documents that a user added: their copies, their names, and what becomes of the originals."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from chipwise.building.building import build
from chipwise.building.documents import add_files, add_text, follow_originals, initialise, remove_sources
from chipwise.errors import SourceUnknown, SourceUnreadable
from chipwise.knowledge import KnowledgeFolder
from chipwise.models import DEFAULT_MODEL

from ..documents import H100, H200, MFU, TPU
from ..fakes import FakeEncoder
from .looking import texts


@pytest.fixture
def empty(tmp_path: Path) -> KnowledgeFolder:
    base = KnowledgeFolder(tmp_path / "kb")
    initialise(base, shipped=False, model=DEFAULT_MODEL)
    return base


@pytest.fixture
def original(tmp_path: Path) -> Path:
    return tmp_path / "documents" / "h100.md"


def test_a_changed_original_is_followed(base: KnowledgeFolder, original: Path) -> None:
    original.write_text(MFU)
    build(base)
    assert texts(base)["h100"] == MFU
    assert (base.folder / "documents" / "h100" / "h100.md").read_text() == MFU


def test_a_change_of_the_same_length_is_followed(base: KnowledgeFolder, original: Path) -> None:
    original.write_text(H100.replace("80 GB", "94 GB"))
    build(base)
    assert "94 GB" in texts(base)["h100"]


def test_a_moved_or_deleted_original_leaves_its_copy_answering(base: KnowledgeFolder, original: Path) -> None:
    original.rename(original.with_name("elsewhere.md"))
    assert build(base).nothing_changed
    original.with_name("elsewhere.md").unlink()
    build(base, fresh=True)
    assert texts(base)["h100"] == H100


def test_an_original_that_broke_leaves_its_last_copy(base: KnowledgeFolder, original: Path) -> None:
    original.write_bytes(b"\x00\x01\x02")
    build(base)
    assert texts(base)["h100"] == H100


def test_an_original_that_came_back_is_followed_again(base: KnowledgeFolder, original: Path) -> None:
    original.unlink()
    build(base)
    original.write_text(TPU)
    build(base)
    assert texts(base)["h100"] == TPU


def test_following_unchanged_originals_writes_nothing(base: KnowledgeFolder) -> None:
    before = base.contents_path.stat().st_mtime_ns
    follow_originals(base)
    assert base.contents_path.stat().st_mtime_ns == before


def test_the_same_path_is_the_same_document_however_it_is_written(
    empty: KnowledgeFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.md").write_text(H100)
    (tmp_path / "folder").mkdir()
    (tmp_path / "link.md").symlink_to(tmp_path / "a.md")
    monkeypatch.chdir(tmp_path)
    assert add_files(empty, [Path("a.md")]).added == ("a",)
    for way in (Path("folder/../a.md"), tmp_path / "a.md", Path("link.md")):
        assert add_files(empty, [way]).replaced == ("a",)


def test_files_of_one_name_get_ids_of_their_own(empty: KnowledgeFolder, tmp_path: Path) -> None:
    paths = []
    for folder, text in (("one", H100), ("two", H200), ("three", H100), ("four", H100)):
        paths.append(tmp_path / folder / "notes.md")
        paths[-1].parent.mkdir()
        paths[-1].write_text(text)
    added = add_files(empty, paths).added
    assert len(set(added)) == len(paths)
    assert added[0] == "notes"
    assert all(id_.startswith("notes-") for id_ in added[1:])
    assert add_files(empty, paths).replaced == added
    kept = {d.id: (empty.folder / d.file).read_text() for d in empty.read_contents().documents}
    assert [kept[id_] for id_ in added] == [path.read_text() for path in paths]


def test_an_added_document_never_takes_a_shipped_id(tmp_path: Path) -> None:
    base = KnowledgeFolder(tmp_path / "kb")
    initialise(base, shipped=True, model=DEFAULT_MODEL)
    (tmp_path / "mfu.md").write_text(MFU)
    (id_,) = add_files(base, [tmp_path / "mfu.md"]).added
    assert id_ != "mfu"
    assert id_.startswith("mfu-")


def test_the_front_matter_may_name_the_id(empty: KnowledgeFolder, tmp_path: Path) -> None:
    (tmp_path / "x.md").write_text("---\nid: ../../My Notes\n---\n\nWords of mine.\n")
    assert add_files(empty, [tmp_path / "x.md"]).added == ("my-notes",)
    assert (empty.folder / "documents" / "my-notes" / "x.md").is_file()


def test_standard_input_is_a_document_of_its_own_each_time(empty: KnowledgeFolder, fake_encoder: FakeEncoder) -> None:
    assert add_text(empty, H100.encode(), "notes.md").added == ("notes",)
    (second,) = add_text(empty, H200.encode(), "notes.md").added
    build(empty)
    assert texts(empty)["notes"] == H100
    assert "141 GB" in texts(empty)[second]


def test_a_file_that_cannot_be_read_is_refused_with_its_reason(empty: KnowledgeFolder, tmp_path: Path) -> None:
    (tmp_path / "good.md").write_text(H100)
    (tmp_path / "bad.md").write_text("")
    report = add_files(empty, [tmp_path / "bad.md", tmp_path / "gone.md", tmp_path / "good.md"])
    assert report.added == ("good",)
    assert [(path, str(error), type(error)) for path, error in report.refused] == [
        (str(tmp_path / "bad.md"), "bad.md is empty", SourceUnreadable),
        (str(tmp_path / "gone.md"), f"{tmp_path / 'gone.md'} does not exist", SourceUnreadable),
    ]


def test_a_removed_document_takes_its_copy_along_and_leaves_the_original(base: KnowledgeFolder, original: Path) -> None:
    remove_sources(base, [str(original)])
    assert not (base.folder / "documents" / "h100").exists()
    assert original.read_text() == H100
    assert [d.id for d in base.read_contents().documents] == ["h200", "tpu"]


def test_removing_twice_in_one_go_is_removing_once(base: KnowledgeFolder, original: Path) -> None:
    assert [d.id for d in remove_sources(base, ["h100", str(original)])] == ["h100"]


def test_an_unknown_source_is_no_added_source(base: KnowledgeFolder) -> None:
    with pytest.raises(SourceUnknown, match="there is no added source 'x'"):
        remove_sources(base, ["h100", "x"])
    assert len(base.read_contents().documents) == 3


def test_a_knowledge_base_may_be_moved(base: KnowledgeFolder, tmp_path: Path, fake_encoder: FakeEncoder) -> None:
    before = texts(base)
    os.rename(base.folder, tmp_path / "moved")  # noqa: PTH104 (the folder, with all that is in it)
    moved = KnowledgeFolder(tmp_path / "moved")
    assert build(moved).nothing_changed
    assert texts(moved) == before
    assert fake_encoder.embedded == []
