"""Both engines find the same passages with the same scores, and give the same answers."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from chipwise import KnowledgeBase
from chipwise.building.building import build
from chipwise.building.documents import add_files, remove_sources
from chipwise.knowledge import KnowledgeFolder
from chipwise.opening import OpenIndex, opened
from chipwise.postgres import connection, store
from chipwise.postgres.server import KnowledgeServer
from chipwise.postgres.store import Tokenizer, Words

from ..conftest import ROOT
from ..documents import SMALL, write
from ..fakes import DIM
from .conftest import NewDatabase

WORDS = "memory bandwidth hbm3e h200 the of 141 4.8 o'reilly loud pin torus racks 2,765 gb/s zorgon --".split()
EVERY = 11  # of the shipped questions, one in so many: some thirty, of facts and of passages


def found(index: OpenIndex, text: str) -> list[tuple[Any, ...]]:
    """What a search gives, less the row ids, which are an engine's own."""
    hits = index.search(text, 30)
    return [(h.stored.passage, h.stored.sentences, h.stored.meaning, h.score, h.cosine, h.bm25) for h in hits]


def assert_alike(one: OpenIndex, other: OpenIndex, text: str) -> None:
    mine, theirs = found(one, text), found(other, text)
    assert [hit[:3] for hit in mine] == [hit[:3] for hit in theirs]
    for a, b in zip(mine, theirs, strict=True):
        assert a[3:] == pytest.approx(b[3:], abs=1e-6), text


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=8))
def test_any_words_find_the_same_passages_with_the_same_scores(
    base: KnowledgeFolder, served: KnowledgeServer, words: list[str]
) -> None:
    with opened(base) as folder, opened(served) as server:
        assert server.store.document_frequencies(words) == folder.store.document_frequencies(words)
        rows = {(p.source, p.ordinal): row for row, p in _passages(folder).items()}
        mine = {rows[p.source, p.ordinal]: row for row, p in _passages(server).items()}
        scores = server.store.match_among(words, mine.values())
        assert {row: scores[mine[row]] for row in mine if mine[row] in scores} == pytest.approx(
            folder.store.match_among(words, mine)
        )


def _passages(index: OpenIndex) -> dict[int, Any]:
    return {s.row: s.passage for id_ in index.store.source_ids() for s in index.store.source_passages(id_)}


def test_what_was_added_and_removed_leaves_the_ranking_of_what_was_never_there(
    base: KnowledgeFolder, served: KnowledgeServer, tmp_path: Path
) -> None:
    for each in (base, served):
        add_files(each, write(tmp_path / "more", {n: SMALL[n] for n in ("mfu.md", "h100.md")}))
        build(each)
        remove_sources(each, ["tpu"])
        build(each)
    with opened(base) as folder, opened(served) as server:
        for text in ("memory bandwidth of the H200", "What is MFU?", "a loud card with a bent pin", "TPU"):
            assert_alike(folder, server, text)
        assert server.store._totals()[0] == server.store.count_passages()  # type: ignore[attr-defined]


def test_many_vectors_are_searched_through_their_index_which_follows_what_is_added(
    base: KnowledgeFolder, served: KnowledgeServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "EXACT_LIMIT", 1)
    for name in ("mfu.md", "zorgon.md"):
        for each in (base, served):
            add_files(each, write(tmp_path / "more", {name: SMALL[name]}))
            build(each)
        assert served.read_seal().kind == "HNSW"
    with opened(base) as folder, opened(served) as server:
        server.store._db.execute("SET enable_seqscan = off")  # type: ignore[attr-defined]
        query = {"query": json.dumps(server.encoder.encode("memory").tolist()), "count": 5}
        plan = server.store._db.execute(f"EXPLAIN {connection.SELECT_NEAREST.format(dim=DIM)}", query).fetchall()
        assert "embedding_nearest" in str(plan)
        assert_alike(folder, server, "memory bandwidth of the H200")


def test_a_vector_is_made_once_though_its_passage_is_written_again(
    served: KnowledgeServer, fake_encoder: Any, tmp_path: Path
) -> None:
    (tmp_path / "documents" / "h100.md").write_text(SMALL["h100.md"].replace("up to 700 W", "up to 350 W"))
    add_files(served, [tmp_path / "documents" / "h100.md"])
    assert build(served).changed == ("h100",)
    assert len(fake_encoder.embedded) == 1


def test_the_shipped_questions_have_the_same_answers(
    built: KnowledgeFolder, new_database: NewDatabase, tmp_path: Path
) -> None:
    """Of facts, which are the shipped ones, and of the passages of a small corpus, with the real model."""
    sys.path.insert(0, str(ROOT / "evals"))
    try:
        from questions import SHIPPED, read_set
    finally:
        sys.path.pop(0)
    asked = [record["question"] for name in SHIPPED for record in read_set(name)][::EVERY]
    asked += ["How much memory does a TPU v5p chip have?", "What does MFU leave out?", "Why is the H200 loud?"]
    with KnowledgeBase(built.folder) as mine, KnowledgeBase(new_database()) as theirs:
        theirs.create(shipped=False)
        theirs.add(*(Path(document.origin) for document in built.read_contents().documents))
        for question in asked:
            assert _value(theirs, theirs.ask(question)) == _value(mine, mine.ask(question)), question
        assert _value(theirs, theirs.facts("H200")) == _value(mine, mine.facts("H200"))
        assert _value(theirs, theirs.find("141 GB")) == _value(mine, mine.find("141 GB"))
        assert _value(theirs, theirs.compare("H100", "H200")) == _value(mine, mine.compare("H100", "H200"))
        assert theirs.sources() == mine.sources()


def _value(base: KnowledgeBase, result: Any) -> str:
    return json.dumps(base.as_json(result), sort_keys=True)


def test_a_tsvector_holds_places_and_frequencies_and_keeps_text_apart_from_what_stands_above() -> None:
    (words,) = Tokenizer().words([("Memory is memory", "Memory")])
    assert words.length == 4
    assert words.lexemes() == "'is':2 'is/1' 'memori':1,3,5B 'memori/2.5'"


def test_a_word_with_a_quote_or_backslash_stays_one_lexeme() -> None:
    assert Words({"a'b\\c": [(0, 0)]}).lexemes() == r"'a''b\\c':1 'a''b\\c/1'"
