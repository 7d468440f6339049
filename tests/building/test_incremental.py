"""A build does what changed, and only that."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from chipwise.building.building import build
from chipwise.building.documents import add_files, initialise, remove_sources
from chipwise.errors import DomainInvalid
from chipwise.index import schema
from chipwise.knowledge import KnowledgeFolder
from chipwise.models import DEFAULT_MODEL
from chipwise.opening import opened

from ..documents import H100, H200, MFU, write
from ..fakes import FakeEncoder
from .looking import best, count_vectors, entries, passage_texts, sealed, texts


@pytest.fixture
def h100(tmp_path: Path) -> Path:
    return tmp_path / "documents" / "h100.md"


def test_an_unchanged_build_embeds_nothing_and_keeps_its_seal(base: KnowledgeFolder, fake_encoder: FakeEncoder) -> None:
    before = base.read_seal()
    report = build(base)
    assert report.nothing_changed
    assert fake_encoder.embedded == []
    assert base.read_seal() == before


def test_opening_an_unchanged_index_builds_nothing(base: KnowledgeFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chipwise.building.building.build", lambda *_: pytest.fail("it was built"))
    with opened(base) as index:
        assert index.store.source_ids() == ["h100", "h200", "tpu"]


def test_an_index_that_is_opened_from_another_folder_is_the_same(
    base: KnowledgeFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chipwise.building.building.build", lambda *_: pytest.fail("it was built"))
    monkeypatch.chdir(base.folder.parent)
    with opened(KnowledgeFolder(Path(base.folder.name))) as index:
        assert index.store.source_ids() == ["h100", "h200", "tpu"]


def test_an_added_document_alone_is_embedded(base: KnowledgeFolder, fake_encoder: FakeEncoder, tmp_path: Path) -> None:
    (tmp_path / "mfu.md").write_text(MFU)
    add_files(base, [tmp_path / "mfu.md"])
    report = build(base)
    assert (report.added, report.changed, report.removed) == (("mfu",), (), ())
    assert report.embedded == len(fake_encoder.embedded) == 1
    assert all("What MFU is" in text for text in fake_encoder.embedded)


def test_a_changed_document_leaves_no_stale_passage(
    base: KnowledgeFolder, h100: Path, fake_encoder: FakeEncoder
) -> None:
    h100.write_text(H100.replace("80 GB of HBM3", "94 GB of HBM3"))
    report = build(base)
    assert report.changed == ("h100",)
    assert not any("80 GB of HBM3" in text for text in passage_texts(base))
    assert "94 GB" in best(base, "H100 memory HBM3")
    assert len(fake_encoder.embedded) == 1, "the other passages of the document kept their vectors"
    assert count_vectors(base) == len(passage_texts(base))


def test_a_removed_document_leaves_no_stale_passage(base: KnowledgeFolder, fake_encoder: FakeEncoder) -> None:
    remove_sources(base, ["tpu"])
    report = build(base)
    assert report.removed == ("tpu",)
    assert list(texts(base)) == ["h100", "h200"]
    assert not any("torus" in text for text in passage_texts(base))
    assert "torus" not in best(base, "optical circuit switches torus")
    assert count_vectors(base) == len(passage_texts(base))
    assert fake_encoder.embedded == []


def test_passages_keep_their_own_vectors_when_others_go(base: KnowledgeFolder) -> None:
    remove_sources(base, ["h100"])
    build(base)
    assert "torus" in best(base, "optical circuit switches join the racks of a TPU pod into one torus")
    assert "141 GB" in best(base, "H200 has 141 GB of HBM3e memory")


def test_a_touched_file_is_neither_read_again_nor_embedded(
    base: KnowledgeFolder, h100: Path, fake_encoder: FakeEncoder
) -> None:
    os.utime(h100, ns=(0, 0))
    assert build(base).nothing_changed
    assert fake_encoder.embedded == []
    with opened(base) as index:
        assert index.seal.stamp == base.stamp(base.read_contents())


def test_a_moved_passage_keeps_its_vector(base: KnowledgeFolder, h100: Path, fake_encoder: FakeEncoder) -> None:
    h100.write_text(H100.replace("## Memory", "## Introduction\n\nWords above.\n\n## Memory"))
    build(base)
    assert [text.splitlines()[-1] for text in fake_encoder.embedded] == ["Words above."]


def test_the_same_passage_in_two_documents_is_found_in_both(base: KnowledgeFolder, tmp_path: Path) -> None:
    (tmp_path / "copy.md").write_text(H100)
    add_files(base, [tmp_path / "copy.md"])
    build(base)
    remove_sources(base, ["h100"])
    build(base)
    assert sum("80 GB of HBM3" in text for text in passage_texts(base)) == 1
    assert count_vectors(base) == len(passage_texts(base))


@pytest.mark.parametrize("name", ["EXTRACTION", "VERSION"])
def test_an_index_of_an_older_chipwise_is_brought_up_to_date(
    base: KnowledgeFolder, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(schema, name, getattr(schema, name) + 1)
    with opened(base) as index:
        assert index.notice == ""
        assert index.seal.generation != "g000001"
        assert index.store.source_ids() == ["h100", "h200", "tpu"]


def test_a_fresh_build_embeds_everything(base: KnowledgeFolder, fake_encoder: FakeEncoder) -> None:
    before = passage_texts(base)
    report = build(base, fresh=True)
    assert report.embedded == len(fake_encoder.embedded) == len(before)
    assert passage_texts(base) == before


def test_another_model_embeds_everything_again(base: KnowledgeFolder, fake_encoder: FakeEncoder) -> None:
    base.write_contents(replace(base.read_contents(), model="another-model"))
    assert build(base).embedded == len(passage_texts(base))
    assert base.read_seal().model == "another-model"


def test_only_the_sealed_generation_and_the_one_before_it_stay_on_disk(base: KnowledgeFolder, h100: Path) -> None:
    h100.write_text(MFU)
    build(base)
    before = base.read_seal()
    build(base, fresh=True)
    assert entries(base) == sealed(base, before)


def test_what_is_not_ours_below_the_index_folder_stays(base: KnowledgeFolder, h100: Path) -> None:
    mine = base.index_folder / "games" / "save.txt"
    mine.parent.mkdir()
    mine.write_text("mine")
    h100.write_text(MFU)
    build(base)
    assert mine.read_text() == "mine"


def test_a_document_that_no_longer_reads_is_left_out_with_its_reason(base: KnowledgeFolder, tmp_path: Path) -> None:
    for copy in (base.folder / "documents" / "h100").iterdir():
        copy.write_bytes(b"\x00\x01")
    (tmp_path / "documents" / "h100.md").unlink()
    report = build(base)
    assert [str(error) for _, error in report.unreadable] == ["h100.md is not a text file, or its encoding is unknown"]
    assert list(texts(base)) == ["h200", "tpu"]


def test_a_changed_domain_reads_the_documents_again_and_embeds_nothing(
    base: KnowledgeFolder, fake_encoder: FakeEncoder
) -> None:
    (base.folder / "domain").mkdir()
    (base.folder / "domain" / "entities.toml").write_text(
        '[[entity]]\nid = "bent-pin"\nname = "bent pin"\nkind = "chip"\n'
    )
    build(base)
    assert fake_encoder.embedded == []
    with opened(base) as index:
        (comment,) = [p for p in index.store.source_passages("h200") if "bent pin" in p.passage.text]
    assert any("bent-pin" in sentence.entities for sentence in comment.sentences)


def test_a_broken_domain_file_is_named_and_the_last_index_stays(base: KnowledgeFolder) -> None:
    (base.folder / "domain").mkdir()
    path = base.folder / "domain" / "terms.toml"
    path.write_text('[[term]]\nid = "x"\n')
    with pytest.raises(DomainInvalid, match=rf"{path}:1: name: Field required"):
        build(base)
    assert texts(base)["h200"] == H200


def test_an_empty_knowledge_base_builds_and_finds_nothing(fake_encoder: FakeEncoder, tmp_path: Path) -> None:
    empty = KnowledgeFolder(tmp_path / "empty")
    initialise(empty, shipped=False, model=DEFAULT_MODEL)
    build(empty)
    with opened(empty) as index:
        assert index.search("anything at all", 3) == []


def test_stages_are_reported_with_their_progress(base: KnowledgeFolder) -> None:
    seen: list[tuple[str, int, int]] = []
    build(base, lambda *stage: seen.append(stage), fresh=True)
    stages = list(dict.fromkeys(stage for stage, _, _ in seen))
    assert stages == ["reading", "embedding", "exporting the models"]
    assert all(done <= total for _, done, total in seen)
    assert [(done, total) for stage, done, total in seen if stage == "reading"] == [(0, 3), (1, 3), (2, 3), (3, 3)]


def test_documents_that_are_read_again_because_the_domain_changed_are_told_apart(
    base: KnowledgeFolder, h100: Path
) -> None:
    seen: list[str] = []
    h100.write_text(f"{H100}\nMore.")
    build(base, lambda stage, *_: seen.append(stage))
    assert "reading" in seen
    assert "reading again" not in seen
    seen.clear()
    write(base.folder / "domain", {"entities.toml": '[[entity]]\nid = "a1"\nname = "Acme A1"\nkind = "chip"\n'})
    build(base, lambda stage, *_: seen.append(stage))
    assert "reading again" in seen
    assert "reading" not in seen
