"""Ranking: both searches are heard, and whose words they are counts."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from chipwise.answering import searching
from chipwise.index.store import open_store
from chipwise.knowledge import TEXT, KnowledgeFolder
from chipwise.opening import OpenIndex


@pytest.fixture(scope="module")
def index(built: KnowledgeFolder) -> Iterator[OpenIndex]:
    seal = built.read_seal()
    with open_store(built.generation_folder(seal) / TEXT) as store:
        yield OpenIndex(built, seal, store)


def ids(index: OpenIndex, query: str, count: int = 50) -> list[str]:
    return [hit.stored.passage.id for hit in index.search(query, count)]


def test_passages_come_best_first_and_no_more_than_asked(index: OpenIndex) -> None:
    hits = index.search("memory of the H200", 4)
    assert len(hits) == 4
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert all(-1 <= hit.cosine <= 1 + 1e-6 and hit.bm25 >= 0 for hit in hits)


def test_a_passage_is_found_once_though_both_searches_propose_it(index: OpenIndex) -> None:
    found = ids(index, "memory of the H200")
    assert len(found) == len(set(found)) == index.store.count_passages()


def test_words_that_occur_decide(index: OpenIndex) -> None:
    assert ids(index, "torus")[0] == "tpu#2"


def test_meaning_decides_where_no_word_occurs(index: OpenIndex) -> None:
    hits = index.search("renting expense", 3)
    assert {hit.bm25 for hit in hits} == {0.0}
    assert hits[0].stored.passage.id == "h100#2", "what an H100 cost per hour in the cloud"


def test_a_comment_ranks_below_the_body_unless_it_alone_speaks_of_it(index: OpenIndex) -> None:
    assert ids(index, "H200 memory").index("h200#1") < ids(index, "H200 memory").index("h200#3")
    assert ids(index, "loud bent pin")[0] == "h200#3"


def test_words_too_common_to_propose_alone_propose_together(index: OpenIndex, monkeypatch: pytest.MonkeyPatch) -> None:
    before = index.search("torus memory bandwidth", 50)
    monkeypatch.setattr(searching, "PROPOSING", 0)
    rarest = [*searching.rarest_words(index.store, "H200 memory")]
    both = {row for row, _ in index.store.match(rarest, 50, every=True)}
    assert both == set.intersection(*({row for row, _ in index.store.match([word], 50)} for word in rarest)) != set()
    assert index.search("torus memory bandwidth", 50) == before, "in a small base the vectors propose every passage"


def test_words_without_a_topic_are_no_obstacle(index: OpenIndex) -> None:
    assert ids(index, "what is the torus of it")[0] == "tpu#2"
    assert len(ids(index, "the of and")) == index.store.count_passages()


def test_what_no_passage_holds_counts_by_its_parts(index: OpenIndex) -> None:
    found = searching.frequencies(index.store, ["h200", "8xh200", "memory3", "zebra9"])
    assert found == {
        "h200": found["h200"],
        "memory": index.store.document_frequencies(["memory"])["memory"],
        "3": index.store.document_frequencies(["3"])["3"],
        "zebra9": 0,
    }
    assert min(found["h200"], found["memory"]) > 0
