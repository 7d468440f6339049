"""The real model: building and asking see the same vectors, and they are sentence-transformers' own."""

from __future__ import annotations

import json
import resource
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from evals.prebuilt import halved
from safetensors.numpy import load_file, save_file

from chipwise import corpus
from chipwise.building import graphs
from chipwise.building.documents import initialise
from chipwise.building.embedding import OtherEncoder, PassageEncoder, load_encoder, sentence_vectors
from chipwise.building.graphs import WEIGHTS_FILE
from chipwise.encoder import GRAPH, READER_GRAPH, SETTINGS, WEIGHTS, QueryEncoder
from chipwise.errors import KnowledgeBaseDamaged, ModelUnavailable, StorageFailed
from chipwise.index.store import open_store
from chipwise.index.vectors import open_index, packed_cosines, read_vectors, unit
from chipwise.knowledge import TEXT, VECTORS, KnowledgeFolder
from chipwise.models import DEFAULT_MODEL, ModelFiles, find_model
from chipwise.opening import opened
from chipwise.text import sentences

from .looking import small_disk

QUESTIONS = [
    "MFU?",
    "How much HBM does an H200 have?",
    "Which has more memory, the H100 or the H200, and by how much?",
    "what is the difference between dense and 2:4 sparse TFLOPS",
    "WHEN SHOULD I USE A TPU",
    "Wie viel Speicher hat eine H200 für 3 €?",
    "H200 的显存有多大？",
    "Сколько памяти у H100?",
    "naïve café — “quotes” … ½ × 4 ≈ 2 µs",
    "🚀 tokens per second per GPU 🚀",
    "nvidia-smi --query-gpu=memory.total --format=csv",
    "x" * 200,
    "The chips of a pod are joined by links. " * 40,
    "memory bandwidth " * 150,
]


@pytest.fixture(scope="module")
def encoder() -> PassageEncoder:
    return load_encoder(find_model(DEFAULT_MODEL))


@pytest.fixture(scope="module")
def other() -> OtherEncoder:
    """The same model as one that chipwise doesn't know."""
    pytest.importorskip("sentence_transformers")
    files = find_model(DEFAULT_MODEL)
    return OtherEncoder(ModelFiles(str(files.folder), files.folder, files.sha256))


@pytest.fixture(scope="module")
def query_encoder(built: KnowledgeFolder) -> QueryEncoder:
    return QueryEncoder(built.encoder_folder(built.read_seal()))


@pytest.fixture(scope="module")
def reference() -> Any:
    from sentence_transformers import SentenceTransformer

    return SentenceTransformer(str(find_model(DEFAULT_MODEL).folder), device="cpu", local_files_only=True)


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda q: q[:20])
def test_a_question_gets_the_vector_that_sentence_transformers_gives_it(
    query_encoder: QueryEncoder, reference: Any, question: str
) -> None:
    ours = query_encoder.encode(question)
    theirs = reference.encode([question], normalize_embeddings=True)[0]
    assert ours.shape == (384,)
    assert float(np.linalg.norm(ours)) == pytest.approx(1, abs=1e-5)
    assert float(ours @ theirs) > 0.9999


def test_passages_get_the_vectors_that_sentence_transformers_gives_them(
    encoder: PassageEncoder, other: PassageEncoder, reference: Any
) -> None:
    texts = [*QUESTIONS, "", "one\ntwo\n\nthree"]
    expected = reference.encode(texts, normalize_embeddings=True)
    meanings = []
    for each in (encoder, other):
        done: list[int] = []
        embedded = each.encode(texts, [[(0, 1), (0, len(text))] for text in texts], done.append)
        np.testing.assert_allclose(embedded.vectors, expected, atol=1e-4)
        assert sum(done) == len(texts)
        meanings.append([np.frombuffer(meaning, np.int8).astype(int) for meaning in embedded.meanings])
    assert all(np.abs(ours - theirs).max(initial=0) <= 1 for ours, theirs in zip(*meanings, strict=True))


def test_another_model_is_traced_and_gives_its_own_vectors(other: OtherEncoder, reference: Any, tmp_path: Path) -> None:
    other.export(tmp_path / "encoder")
    ours = QueryEncoder(tmp_path / "encoder").encode(QUESTIONS[1])
    assert float(ours @ reference.encode([QUESTIONS[1]], normalize_embeddings=True)[0]) > 0.9999
    assert (tmp_path / "encoder" / READER_GRAPH).is_file()


def test_a_built_index_holds_the_vectors_of_what_stands_in_the_passages(built: KnowledgeFolder, reference: Any) -> None:
    folder = built.generation_folder(built.read_seal())
    with open_store(folder / TEXT) as store:
        rows = [row for row, *_ in store.embedded()]
        texts = [text for text, _ in store.embedding_texts(rows)]
        by_row = store.vectors_of_rows(rows)
    vectors = read_vectors(open_index(folder / VECTORS))
    expected = reference.encode(texts, normalize_embeddings=True)
    np.testing.assert_allclose(vectors[[by_row[row] for row in rows]], expected, atol=1e-4)


def test_a_sentence_is_the_mean_of_its_tokens_in_their_surroundings(encoder: PassageEncoder, reference: Any) -> None:
    text = "The H100 has 80 GB of HBM3. Über it, 3.35 TB/s flow. It draws 700 W."
    spans = sentences(text)
    meaning = encoder.encode([text], [spans]).meanings[0]
    tokens = reference.encode([text], output_value="token_embeddings")[0].numpy()
    places = reference.tokenizer(text, return_offsets_mapping=True)["offset_mapping"]
    for number, (start, end) in enumerate(spans):
        inside = [i for i, (s, e) in enumerate(places) if s < end and e > start and e > s]
        expected = unit(tokens[inside].mean(axis=0))
        assert packed_cosines(meaning, expected)[number] == pytest.approx(1, abs=0.01)
    assert len(spans) == len(packed_cosines(meaning, expected)) == 3


def test_a_sentence_beyond_the_models_reach_has_no_vector(encoder: PassageEncoder) -> None:
    text = "word " * 600 + "end."
    meaning = encoder.encode([text], [[(0, 4), (len(text) - 4, len(text))]]).meanings[0]
    first, last = np.frombuffer(meaning, dtype=np.int8).reshape(2, -1)
    assert first.any()
    assert not last.any()


def test_tokens_belong_to_the_spans_that_they_touch() -> None:
    tokens = np.array([[9, 9], [1, 0], [0, 1], [9, 9]], dtype=np.float32)
    places = np.array([[0, 0], [0, 4], [5, 9], [0, 0]])  # the first and last are special tokens
    np.testing.assert_allclose(
        sentence_vectors(tokens, places, [(0, 4), (0, 9), (3, 6), (20, 30)]),
        [[1, 0], [1 / 2**0.5, 1 / 2**0.5], [1 / 2**0.5, 1 / 2**0.5], [0, 0]],
    )


@pytest.fixture
def exported(built: KnowledgeFolder, tmp_path: Path) -> Path:
    folder = tmp_path / "encoder"
    folder.mkdir()
    for path in built.encoder_folder(built.read_seal()).iterdir():
        (folder / path.name).symlink_to(path)
    return folder


def test_the_export_says_which_model_it_is(exported: Path) -> None:
    settings = json.loads((exported / SETTINGS).read_text())
    files = find_model(DEFAULT_MODEL)
    assert settings == {"model": DEFAULT_MODEL, "sha256": files.sha256, "dim": 384, "max_tokens": 256, "prompt": ""}


@pytest.mark.parametrize("name", ["model.onnx", WEIGHTS, "tokenizer.json", SETTINGS])
@pytest.mark.parametrize("content", [None, b"", b"{}", b"\xff\x00"])
def test_an_export_with_a_file_gone_or_foreign_is_damaged(exported: Path, name: str, content: bytes | None) -> None:
    (exported / name).unlink()
    if content is not None:
        (exported / name).write_bytes(content)
    with pytest.raises(KnowledgeBaseDamaged, match=f"{exported} doesn't load: ") as raised:
        QueryEncoder(exported).encode("words")
    assert raised.value.hint == "run `chipwise build --fresh`"


def test_an_export_onto_a_full_disk_is_told(
    encoder: PassageEncoder,
    other: OtherEncoder,
    built: KnowledgeFolder,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    graph = (built.encoder_folder(built.read_seal()) / GRAPH).read_bytes()
    weights = (built.encoder_folder(built.read_seal()) / WEIGHTS).read_bytes()
    with small_disk(1000), pytest.raises(StorageFailed, match="cannot be written"):
        encoder.export(tmp_path / "shipped")

    def trace(_: object, path: Path) -> None:
        """The traced graph is written and fits; the disk is full only then."""
        path.write_bytes(graph)
        (path.parent / WEIGHTS).write_bytes(weights)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))

    monkeypatch.setattr("chipwise.building.exporting.trace", trace)
    with small_disk(-1), pytest.raises(StorageFailed, match="the query encoder cannot be written to") as raised:
        other.export(tmp_path / "traced")
    assert raised.value.hint.startswith("free some space")


def test_graphs_of_other_weights_are_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / graphs.ARCHIVE).write_bytes((corpus.reader_folder() / graphs.ARCHIVE).read_bytes()[:-100])
    monkeypatch.setattr(graphs, "reader_folder", lambda: tmp_path)
    with pytest.raises(ModelUnavailable, match="doesn't load"):
        graphs.write_graphs(tmp_path, encoder=True)
    monkeypatch.undo()
    monkeypatch.setattr(graphs, "shipped_folder", lambda: tmp_path)
    deltas = load_file(corpus.question_reader_folder() / graphs.DELTAS)
    name = next(name for name in deltas if name.endswith(".up"))
    (tmp_path / "reader" / "questions").mkdir(parents=True)
    save_file({**deltas, name: deltas[name] + 1}, tmp_path / "reader" / "questions" / graphs.DELTAS)
    with pytest.raises(ModelUnavailable, match="was made from other weights"):
        graphs.write_graphs(tmp_path, encoder=False)


def test_the_model_is_the_one_that_its_authors_published() -> None:
    assert find_model(DEFAULT_MODEL).sha256 == "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"


def test_a_wheels_halved_weights_are_the_same_model_and_make_the_same_graphs(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    stock, halves = find_model(DEFAULT_MODEL), tmp_path / "halves"
    shutil.copytree(stock.folder, halves)
    (halves / WEIGHTS_FILE).write_bytes(halved((stock.folder / WEIGHTS_FILE).read_bytes()))
    texts = ["The H200 has 141 GB of HBM3e.", "Peak BF16 throughput is 989 TFLOPS."]
    graphs.write_graphs(tmp_path / "whole", encoder=True)
    vectors = load_encoder(stock).encode(texts, [[], []]).vectors
    monkeypatch.setattr("chipwise.models._package_folder", lambda _: halves)
    assert (carried := find_model(DEFAULT_MODEL)).sha256 == stock.sha256
    graphs.write_graphs(tmp_path / "made", encoder=True)
    for path in (tmp_path / "whole").iterdir():
        assert (tmp_path / "made" / path.name).read_bytes() == path.read_bytes(), path.name
    assert np.sum(load_encoder(carried).encode(texts, [[], []]).vectors * vectors, axis=1) == pytest.approx(1, abs=1e-5)


def test_other_weights_under_the_known_name_are_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "modules.json").write_text("[]")
    (tmp_path / "model.safetensors").write_bytes(b"other weights")
    monkeypatch.setattr("chipwise.models._package_folder", lambda name: tmp_path)
    with pytest.raises(ModelUnavailable, match=r"has sha256 [0-9a-f]{12}…, not 53aa51172d14…"):
        find_model(DEFAULT_MODEL)


def test_a_folder_that_is_no_model_after_all_is_told(tmp_path: Path) -> None:
    (tmp_path / "modules.json").write_text("{nonsense")
    with pytest.raises(ModelUnavailable, match=f"{tmp_path} does not load"):
        load_encoder(ModelFiles("mine", tmp_path, "0" * 64))


def test_nothing_to_embed_gives_no_vectors(encoder: PassageEncoder) -> None:
    made = encoder.encode([], [])
    assert (made.vectors.shape, made.meanings) == ((0, encoder.dim), [])


def test_an_empty_knowledge_base_is_built_and_asked(tmp_path: Path) -> None:
    base = KnowledgeFolder(tmp_path / "kb")
    initialise(base, shipped=False, model=DEFAULT_MODEL)
    with opened(base) as index:
        assert index.ask("How much memory does it have?").reason == "the knowledge base has nothing to search"


def test_an_encoder_that_gave_its_memory_back_encodes_as_before(query_encoder: QueryEncoder) -> None:
    before = query_encoder.encode(QUESTIONS[0])
    query_encoder.rest()
    assert np.array_equal(query_encoder.encode(QUESTIONS[0]), before)
