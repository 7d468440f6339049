"""The SQLite file: what goes in comes out, user text is never a query, and writing is by source."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from chipwise.claims.extract import extract
from chipwise.domain.files import read_domain
from chipwise.errors import KnowledgeBaseDamaged, StorageFailed
from chipwise.index.rows import dump_sentences, load_sentences
from chipwise.index.store import FileState, Store, create_store, open_store
from chipwise.reading import read_bytes
from chipwise.splitting import split
from chipwise.text import words

from ..documents import H100, H200, TPU
from ..fakes import DOMAIN

STATE = FileState("0" * 64, 10, 20)


def put(store: Store, name: str, text: str) -> list[str]:
    """Writes a document; its passages' texts."""
    document = read_bytes(text.encode(), name=f"{name}.md", origin=f"/{name}.md")
    made = split(document)
    store.write_source(document.info, document.text, STATE)
    annotated = extract(made, read_domain(DOMAIN))[0]
    store.write_passages(
        (passage, sentences, document.info.title, passage.text.encode())
        for passage, sentences in zip(made, annotated, strict=True)
    )
    return [passage.text for passage in made]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "text.sqlite"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    with create_store(path) as made:
        for name, text in (("h100", H100), ("h200", H200), ("tpu", TPU)):
            put(made, name, text)
        made.commit()
        yield made


def found(store: Store, *query: str) -> list[str]:
    rows = [row for row, _ in store.match(query, 50)]
    return [store.passages(rows)[row].passage.id for row in rows]


def test_a_source_and_its_passages_come_back_as_they_went_in(store: Store) -> None:
    document = read_bytes(H200.encode(), name="h200.md", origin="/h200.md")
    made = split(document)
    stored = store.source_passages("h200")
    assert store.find_source("h200") == document.info
    assert store.source_text("h200") == document.text
    assert [s.passage for s in stored] == made
    assert [s.sentences for s in stored] == extract(made, read_domain(DOMAIN))[0]
    assert store.passages([s.row for s in stored]) == {s.row: s for s in stored}


def test_sentences_survive_their_row() -> None:
    document = read_bytes(H100.encode(), name="h100.md", origin="/h100.md")
    for sentences in extract(split(document), read_domain(DOMAIN))[0]:
        assert load_sentences(dump_sentences(sentences)) == sentences


def test_what_is_not_there_is_none(store: Store) -> None:
    assert store.find_source("x") is None
    assert store.source_text("x") == ""
    assert store.source_passages("x") == []
    assert store.passages([10**9]) == {}
    assert store.count_passages("x") == 0
    assert store.note("x") == ""


def test_words_are_matched_by_their_stem(store: Store) -> None:
    assert found(store, "switches") == found(store, "switch") == ["tpu#2"]
    assert store.document_frequencies(["switches", "H100", "nothing"]) == {"switches": 1, "H100": 2, "nothing": 0}


def test_passages_that_hold_any_word_are_found_best_first(store: Store) -> None:
    scores = [score for _, score in store.match(["memory", "H200"], 50)]
    assert scores == sorted(scores, reverse=True)
    assert min(scores) > 0
    assert found(store, "memory", "H200")[0] == "h200#1"
    assert len(store.match(["memory"], 1)) == 1
    assert store.match([], 50) == []


def test_passages_can_be_scored_by_name(store: Store) -> None:
    everything = dict(store.match(["memory"], 50))
    some = list(everything)[:2]
    assert store.match_among(["memory"], some) == {row: pytest.approx(everything[row]) for row in some}
    assert store.match_among([], some) == {}


HARMLESS = [
    '"',
    '""',
    "'",
    "OR",
    "NEAR(x y)",
    "text:",
    "^",
    "*",
    "-",
    "+",
    "{",
    "(",
    ")",
    "a;b",
    "\\",
    "%",
]


@pytest.mark.parametrize("word", HARMLESS)
def test_operators_are_words_like_others(store: Store, word: str) -> None:
    assert found(store, word, "torus") == found(store, "torus")
    assert found(store, f"memory{word}H200{word}") != found(store, "torus")


def test_and_is_a_word_and_no_operator(store: Store) -> None:
    assert set(found(store, "AND")) == set(found(store, "and")) == {"h200#3", "tpu#1"}
    assert set(found(store, "torus", "AND", "loud")) == {"tpu#2", "h200#3"} | set(found(store, "AND"))


@given(
    st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=20) | st.sampled_from(words(H100)), max_size=5)
)
@example(words(H100)[:5])
def test_any_text_is_a_query(queries: list[str]) -> None:
    with create_store(Path(":memory:")) as store:
        put(store, "h100", H100)
        assert all(score > 0 for _, score in store.match(queries, 5))


@given(st.sampled_from(sorted(set(words(H100)))))
def test_every_word_of_a_passage_finds_it(word: str) -> None:
    with create_store(Path(":memory:")) as store:
        texts = put(store, "h100", H100)
        holders = [n for n, text in enumerate(texts, 1) if word in words(text)]
        assert {f"h100#{n}" for n in holders} <= set(found(store, word))


def test_a_removed_source_is_gone_from_the_words_too(store: Store) -> None:
    before = store.count_passages()
    store.remove_source("tpu")
    store.commit()
    assert store.source_ids() == ["h100", "h200"]
    assert store.count_passages() == before - 2
    assert found(store, "torus") == []
    assert store.document_frequencies(["torus"]) == {"torus": 0}


def test_a_source_may_be_written_again_after_its_removal(store: Store) -> None:
    store.remove_source("tpu")
    put(store, "tpu", TPU.replace("torus", "ring"))
    store.commit()
    assert found(store, "torus") == []
    assert found(store, "ring") == ["tpu#2"]


def test_vectors_are_numbered_by_passage(store: Store) -> None:
    rows = [row for row, *_ in store.embedded()]
    store.number_vectors(list(reversed(rows)))
    assert store.vectors_of_rows(rows) == {row: n for n, row in enumerate(reversed(rows))}
    assert store.rows_of_vectors([0, 1, 99]) == [rows[-1], rows[-2]]
    store.number_vectors(rows[:2])
    assert [vector for _, _, vector, _ in store.embedded()] == [0, 1] + [None] * (len(rows) - 2)


def test_the_encoder_sees_what_stands_above_and_the_spans_of_its_sentences(store: Store) -> None:
    rows = [stored.row for stored in store.source_passages("h200")]
    for (text, spans), stored in zip(store.embedding_texts(rows), store.source_passages("h200"), strict=True):
        assert text == f"H200 notes\n{stored.passage.text}"
        inside = [stored.passage.text[slice(*span)] for span in stored.passage.sentences]
        assert [text[slice(*span)] for span in spans] == inside


def test_file_states_and_notes_are_kept(store: Store) -> None:
    assert store.file_states() == dict.fromkeys(("h100", "h200", "tpu"), STATE)
    touched = FileState("1" * 64, 1, 2)
    store.update_state("tpu", touched)
    store.write_note("domain", "x")
    store.write_note("domain", "y")
    assert store.file_states()["tpu"] == touched
    assert store.note("domain") == "y"


def test_what_was_not_committed_is_not_there(path: Path) -> None:
    with create_store(path) as made:
        put(made, "h100", H100)
        made.commit()
        put(made, "tpu", TPU)
    with open_store(path) as store:
        assert store.source_ids() == ["h100"]


def test_a_store_opened_to_be_read_cannot_be_written(store: Store, path: Path) -> None:
    with open_store(path) as reader, pytest.raises(Exception, match="readonly"):
        reader.remove_source("tpu")


@pytest.mark.parametrize(
    "content", [b"not a database at all, but long enough" * 40, b"SQLite format 3\x00" + b"\xff" * 200]
)
def test_a_foreign_file_is_no_store(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(KnowledgeBaseDamaged, match="cannot be opened"):
        open_store(path)


def test_an_empty_file_or_none_is_no_store(path: Path) -> None:
    with pytest.raises(KnowledgeBaseDamaged, match="cannot be opened"):
        open_store(path)
    path.touch()
    with pytest.raises(KnowledgeBaseDamaged, match="has schema 0"):
        open_store(path)


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    with pytest.raises(StorageFailed, match="cannot be written: unable to open database file"):
        create_store(tmp_path / "no" / "such" / "folder")
