"""What the wheel carries ready built: current, unpacked whole or not at all, and never believed where something changed."""

from __future__ import annotations

import json
import shutil
import signal
import sqlite3
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from evals.prebuilt import renew, stale_parts

from chipwise import corpus
from chipwise.building import building, planning, prebuilt, vectorising
from chipwise.building.building import build
from chipwise.building.embedding import Embedded, load_encoder
from chipwise.building.vectorising import MODEL, shipped_vectors, vectors_folder
from chipwise.corpus import shipped_documents
from chipwise.domain.files import read_domain
from chipwise.errors import ModelUnavailable, StorageFailed
from chipwise.index.rows import dump_sentences
from chipwise.index.store import Store, open_store
from chipwise.index.vectors import pack
from chipwise.knowledge import TEXT, KnowledgeFolder, Seal
from chipwise.models import DEFAULT_MODEL, find_model
from chipwise.opening import opened
from chipwise.reading import read_file

from ..conftest import ROOT
from .looking import entries, passage_texts, small_disk, texts

RENEW = "run `pip install -e .`, and where that helps nothing name what it is made from in `prebuilt._CODE`"
SAMPLE = 25  # of so many documents one is read again
QUESTION = "How much HBM does an H200 have?"


@pytest.fixture
def fresh(tmp_path: Path) -> KnowledgeFolder:
    """A knowledge base of somebody who has just installed chipwise."""
    return KnowledgeFolder(tmp_path / "kb")


def manifest() -> Seal:
    found = prebuilt.read_manifest()
    assert found is not None
    return found


@pytest.fixture
def current(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if nothing had changed since the prebuilt index was made; whether that is so is another test's."""
    monkeypatch.setattr(prebuilt, "readers", lambda: manifest().stamp)


@pytest.fixture(scope="module", autouse=True)
def _packed() -> None:
    """What a wheel carries is made where it is missing or of another corpus; whether the code reads alike is a test's."""
    found = prebuilt.read_manifest()
    if found is None or stale_parts(found) - {"code"}:
        renew()


# --- it is what a build makes now


def test_the_code_still_reads_documents_as_the_prebuilt_index_has_them(tmp_path: Path) -> None:
    with _unpacked_store(tmp_path) as store:
        domain = read_domain(*KnowledgeFolder(tmp_path).domain_folders())
        for path in shipped_documents()[::SAMPLE]:
            document = read_file(path)
            passages, sentences, claims = building.understood(document, domain)
            stored = store.source_passages(document.info.id)
            assert [p.text for p in passages] == [s.passage.text for s in stored], f"{path.name}: {RENEW}"
            assert list(map(dump_sentences, sentences)) == [dump_sentences(s.sentences) for s in stored], RENEW
            assert list(claims) == store.claims(source=document.info.id), f"{path.name}: {RENEW}"


def _unpacked_store(folder: Path) -> Store:
    import lzma

    data = prebuilt.packed(manifest(), prebuilt.PACKED_TEXT)
    assert data is not None
    prebuilt.write_store(folder / TEXT, lzma.decompress(data))
    return open_store(folder / TEXT)


def test_it_takes_a_few_megabytes_of_the_wheel() -> None:
    packed = (prebuilt.PACKED_TEXT, prebuilt.PACKED_VECTORS)
    assert sum((prebuilt.prebuilt_folder() / name).stat().st_size for name in packed) < 9_000_000


# --- unpacking

UNPACKING = """
import sys
from pathlib import Path
from chipwise.building import prebuilt
prebuilt.readers = lambda: prebuilt.read_manifest().stamp
"""
ASKING = f"""{UNPACKING}
from chipwise_cli.main import main
try:
    main(["--kb", sys.argv[1], "ask", {QUESTION!r}])
finally:
    sys.stderr.write("loaded: " + " ".join(sorted(sys.modules)))
"""


def test_the_first_answer_needs_no_torch_and_none_of_what_reads_documents(fresh: KnowledgeFolder) -> None:
    done = subprocess.run([sys.executable, "-c", ASKING, fresh.folder], capture_output=True, text=True, check=True)
    assert "141 GB" in done.stdout
    loaded = {module.split(".")[0] for module in done.stderr.rpartition("loaded: ")[2].split()}
    assert loaded & {"torch", "transformers", "sentence_transformers", "onnx", "trafilatura", "docx"} == set()


def test_what_is_unpacked_is_whole_and_up_to_date(fresh: KnowledgeFolder, current: None) -> None:
    report = build(fresh)
    assert (len(report.added), report.embedded) == (len(shipped_documents()), 0)
    seal = fresh.read_seal()
    assert seal.stamp == fresh.stamp(fresh.read_contents())
    assert (seal.sources, seal.passages) == (len(report.added), report.passages)
    with opened(fresh) as index:
        assert {path.stem for path in shipped_documents()} == set(index.store.source_ids())
        assert index.store.fact_figures()
        hits = index.search("how dense and sparse figures differ", 5)
        assert any(hit.stored.passage.source == "dense-and-sparse" for hit in hits)
        assert index.reader.calibration.shipped
    assert build(fresh).nothing_changed


def test_processes_that_unpack_at_once_all_answer_from_one_index(fresh: KnowledgeFolder) -> None:
    started = [
        subprocess.Popen([sys.executable, "-c", ASKING, fresh.folder], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for _ in range(3)
    ]
    answers = {process.communicate()[0] for process in started}
    assert [process.returncode for process in started] == [0, 0, 0]
    assert len(answers) == 1
    seal = fresh.read_seal()
    assert entries(fresh) == {"seal.json", seal.generation, seal.encoder}


KILLED = f"""{UNPACKING}
import os, signal
from chipwise.building.building import build
from chipwise.knowledge import KnowledgeFolder

def die(*_, **__):
    os.kill(os.getpid(), signal.SIGKILL)

owner = {{"write_seal": KnowledgeFolder}}.get(sys.argv[2], prebuilt)
setattr(owner, sys.argv[2], die)
build(KnowledgeFolder(Path(sys.argv[1])))
"""


@pytest.mark.parametrize("step", ["write_index", "write_graphs", "checksums", "write_seal"])
def test_unpacking_that_is_killed_leaves_nothing_that_answers(fresh: KnowledgeFolder, current: None, step: str) -> None:
    done = subprocess.run([sys.executable, "-c", KILLED, fresh.folder, step], cwd=ROOT, check=False)
    assert done.returncode == -signal.SIGKILL
    assert fresh.find_seal() is None
    assert build(fresh).embedded == 0
    seal = fresh.read_seal()
    assert entries(fresh) == {"seal.json", seal.generation, seal.encoder}, "what the killed one left is cleared"


@pytest.mark.parametrize("size", [1_000, 5_000_000, 30_000_000])
def test_a_full_disk_while_unpacking_is_told(fresh: KnowledgeFolder, current: None, size: int) -> None:
    with small_disk(size), pytest.raises(StorageFailed, match="cannot be written"):
        build(fresh)
    assert fresh.find_seal() is None
    assert build(fresh).embedded == 0


@pytest.mark.parametrize("name", [prebuilt.PACKED_TEXT, prebuilt.PACKED_VECTORS, prebuilt.MANIFEST])
def test_a_broken_file_is_as_if_nothing_had_been_prebuilt(
    fresh: KnowledgeFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    folder = tmp_path / "prebuilt"
    shutil.copytree(prebuilt.prebuilt_folder(), folder)
    data = bytearray((folder / name).read_bytes())
    data[len(data) // 2] ^= 0x80
    (folder / name).write_bytes(data)
    monkeypatch.setattr(prebuilt, "prebuilt_folder", lambda: folder)
    assert prebuilt.unpack(fresh, lambda *_: None) is None
    assert fresh.find_seal() is None


def test_a_knowledge_base_with_its_own_domain_is_not_taken_for_current(fresh: KnowledgeFolder, current: None) -> None:
    (fresh.folder / "domain").mkdir(parents=True)
    (fresh.folder / "domain" / "mine.toml").write_text("")
    assert prebuilt.unpack(fresh, lambda *_: None) is not None
    assert fresh.read_seal().stamp != fresh.stamp(fresh.read_contents())


# --- staleness is noticed


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The corpus as a wheel installs it, to be changed."""
    folder = tmp_path / "_corpus"
    shutil.copytree(ROOT / "corpus", folder)
    monkeypatch.setattr(corpus, "_INSTALLED", folder)
    assert not corpus.in_checkout()
    return folder


class Counting:
    """Stands in for the model; keeps what it embeds."""

    def __init__(self) -> None:
        self.dim = 384
        self.embedded: list[str] = []

    def encode(self, texts: list[str], spans: list[list[tuple[int, int]]], progress: object) -> Embedded:
        self.embedded += texts
        row = np.eye(1, self.dim, dtype=np.float32)
        return Embedded(np.repeat(row, len(texts), axis=0), [pack(np.repeat(row, len(s), axis=0)) for s in spans])


def test_a_changed_document_is_read_again_and_alone_embedded(
    fresh: KnowledgeFolder, installed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = Counting()
    monkeypatch.setattr(vectorising, "_loaded", lambda *_: model)
    path = installed / "primers" / "hbm.md"
    path.write_text(path.read_text() + "\n## Addendum\n\nThis sentence is new.\n")
    report = build(fresh)
    assert (report.changed, report.added, report.removed) == (("hbm",), (), ())
    assert [text.splitlines()[-1] for text in model.embedded] == ["This sentence is new."]
    assert any("This sentence is new." in text for text in passage_texts(fresh))
    assert fresh.read_seal().stamp == fresh.stamp(fresh.read_contents())


def test_a_document_that_is_gone_answers_no_more(fresh: KnowledgeFolder, installed: Path) -> None:
    (installed / "primers" / "hbm.md").unlink()
    assert build(fresh).removed == ("hbm",)
    assert "hbm" not in texts(fresh)


def test_a_changed_fact_makes_everything_be_read_again(fresh: KnowledgeFolder, installed: Path) -> None:
    path = installed / "facts" / "nvidia.csv"
    path.write_text(path.read_text().replace(",141,", ",142,", 1))
    assert prebuilt.unpack(fresh, lambda *_: None) is not None
    domain = read_domain(*fresh.domain_folders())
    assert fresh.read_seal().recipe != planning.recipe_of(domain, fresh.fact_files())


def test_what_is_packed_is_noticed_when_it_is_stale_and_renewed_only_then(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, current: None
) -> None:
    folder = tmp_path / "prebuilt"
    shutil.copytree(prebuilt.prebuilt_folder(), folder)
    monkeypatch.setattr(prebuilt, "prebuilt_folder", lambda: folder)
    times = {path.name: path.stat().st_mtime_ns for path in folder.iterdir()}
    renew()
    assert {path.name: path.stat().st_mtime_ns for path in folder.iterdir()} == times
    (folder / prebuilt.PACKED_VECTORS).write_bytes(b"")
    assert stale_parts(manifest()) == {prebuilt.PACKED_VECTORS}
    assert "code" in stale_parts(replace(manifest(), stamp=""))
    assert "domain, facts or claims" in stale_parts(replace(manifest(), recipe=""))


def test_what_other_code_has_read_is_read_again(fresh: KnowledgeFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prebuilt, "readers", lambda: "other")
    assert prebuilt.unpack(fresh, lambda *_: None) is not None
    assert fresh.read_seal().recipe == ""


def test_shipped_vectors_are_of_all_passages_and_of_one_model(tmp_path: Path) -> None:
    files = find_model(DEFAULT_MODEL)
    known = shipped_vectors(files.sha256)
    lengths = [np.linalg.norm(vector) for vector, _ in known.values()]
    assert lengths == pytest.approx([1.0] * len(known), abs=1e-3)
    assert shipped_vectors("0" * 64) == {}
    with _unpacked_store(tmp_path) as store:
        stored = store.embedded()
        rows = [(row, digest) for row, digest, *_ in stored if digest in known]
        assert len(rows) > 0.5 * len(stored), "run evals/prebuilt.py: most passages are embedded when a wheel is built"
        some = rows[::400]
        texts = store.embedding_texts([row for row, _ in some])
    made = load_encoder(files).encode([text for text, _ in texts], [spans for _, spans in texts])
    for (_, digest), vector, meaning in zip(some, made.vectors, made.meanings, strict=True):
        kept, sentences = known[digest]
        assert float(kept @ vector) > 0.9999
        ours, theirs = (np.frombuffer(each, np.int8).astype(int) for each in (sentences, meaning))
        assert np.abs(ours - theirs).max(initial=0) <= 1


def test_a_wheel_has_the_vectors_of_its_passages_in_its_index_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    sha256 = find_model(DEFAULT_MODEL).sha256
    monkeypatch.setattr("chipwise.building.vectorising.in_checkout", lambda: False)
    monkeypatch.setattr("chipwise.building.vectorising.vectors_folder", lambda: pytest.fail("a wheel has none"))
    known = shipped_vectors(sha256)
    assert len(known) > 0.9 * manifest().passages  # the same text has one vector
    assert shipped_vectors("0" * 64) == {}
    monkeypatch.setattr("chipwise.building.prebuilt.packed_vectors", lambda _: None)
    assert shipped_vectors(sha256) == {}, "a damaged one costs time, and nothing else"


def test_a_damaged_file_of_vectors_costs_time_and_nothing_else(tmp_path: Path) -> None:
    files = [*sorted(vectors_folder().glob("*"))[:3], vectors_folder() / MODEL]
    for path in files:
        shutil.copyfile(path, tmp_path / path.name)
    files[0] = tmp_path / files[0].name
    whole = shipped_vectors(find_model(DEFAULT_MODEL).sha256, tmp_path)
    files[0].write_bytes(files[0].read_bytes()[:200])
    assert 0 < len(shipped_vectors(find_model(DEFAULT_MODEL).sha256, tmp_path)) < len(whole)


def test_a_store_without_what_is_in_it_twice_is_completed(tmp_path: Path) -> None:
    with _unpacked_store(tmp_path) as store:
        assert store.fact_figures()
    connection = sqlite3.connect(tmp_path / TEXT)
    indexes = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'index'")}
    connection.close()
    assert {"passage_by_vector", "claim_by_subject", "claim_by_source", "claim_by_value"} <= indexes


def test_a_missing_model_is_told_before_any_document_is_read(
    fresh: KnowledgeFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(name: str) -> None:
        raise ModelUnavailable(f"there is no model called {name}", hint="install it")

    stages: list[str] = []
    for module in ("prebuilt", "vectorising", "building"):
        monkeypatch.setattr(f"chipwise.building.{module}.find_model", missing)
    with pytest.raises(ModelUnavailable):
        build(fresh, lambda stage, *_: stages.append(stage))
    with pytest.raises(ModelUnavailable):
        build(fresh, lambda stage, *_: stages.append(stage), fresh=True)
    assert "reading" not in stages


def test_the_manifest_is_readable_and_names_no_folder_of_whoever_built_it() -> None:
    text = (prebuilt.prebuilt_folder() / prebuilt.MANIFEST).read_text()
    assert json.loads(text)["passages"] == manifest().passages
    assert "/" not in text
