"""The shipped corpus: every document reads, says where it comes from, and divides into verbatim passages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from chipwise.claims.extract import extract
from chipwise.corpus import domain_folder, shipped_documents
from chipwise.domain.files import read_domain
from chipwise.domain.model import Domain
from chipwise.reading import read_file
from chipwise.splitting import split
from chipwise.types import Document, Role

KINDS = {"article", "benchmark", "database", "datasheet", "documentation", "paper", "prices", "primer"}
DOCUMENTS = shipped_documents()
IDS = {path.stem for path in DOCUMENTS}


@pytest.fixture(scope="module")
def domain() -> Domain:
    return read_domain(domain_folder())


@pytest.fixture(params=DOCUMENTS, ids=lambda path: path.stem)
def path(request: pytest.FixtureRequest) -> Path:
    found: Path = request.param
    return found


@pytest.fixture
def document(path: Path) -> Document:
    return read_file(path)


def test_the_corpus_is_there() -> None:
    assert sum(path.parent.name == "primers" for path in DOCUMENTS) >= 8
    assert sum(path.parent.name == "sources" for path in DOCUMENTS) >= 15
    assert len(IDS) == len(DOCUMENTS), "no id stands for two documents"


def test_a_document_says_where_it_comes_from(path: Path, document: Document) -> None:
    info = document.info
    assert info.id == path.stem
    assert info.title
    anonymous = "its site and date are unknown" in info.verified
    assert anonymous or info.publisher or info.author
    assert info.kind in KINDS
    assert info.kind == "primer" or path.parent.name == "sources"
    assert info.verified
    assert re.fullmatch(r"(?:\d{4}(?:-\d{2}(?:-\d{2})?)?)?", info.published)
    assert anonymous or path.parent.name == "primers" or re.match(r"https?://\w", info.origin)
    assert set(info.lineage) <= IDS - {info.id}


def test_front_matter_has_every_key(path: Path) -> None:
    _, matter, _ = path.read_text("utf-8").split("---\n", 2)
    keys = ["id", "title", "publisher", "author", "published", "url", "kind", "lineage", "verified"]
    assert list(yaml.safe_load(matter)) == keys


def test_passages_and_sentences_are_verbatim(document: Document, domain: Domain) -> None:
    passages = split(document)
    assert passages
    for passage, sentences in zip(passages, extract(passages, domain)[0], strict=True):
        assert document.text[passage.start : passage.end] == passage.text
        assert passage.line == document.text.count("\n", 0, passage.start) + 1
        assert [(s.start, s.end) for s in sentences] == list(passage.sentences)
        for sentence in sentences:
            assert 0 <= sentence.start < sentence.end <= len(passage.text)
            inside = [f.quantity for f in sentence.figures]
            assert all(sentence.start <= q.start < q.end <= sentence.end for q in inside)
            assert {f.subject for f in sentence.figures} <= {*domain.entities, ""}
            assert {f.metric for f in sentence.figures} <= {*domain.metrics, ""}


def test_a_primer_speaks_in_our_own_voice(path: Path, document: Document) -> None:
    roles = {block.role for block in document.blocks}
    if path.parent.name == "primers":
        assert roles <= {Role.BODY, Role.HEADING, Role.LIST, Role.TABLE, Role.FAQ}
    else:
        assert roles & {Role.BODY, Role.LIST, Role.TABLE}


def test_a_document_holds_nothing_that_drives_a_terminal(document: Document) -> None:
    assert "\ufffd" not in document.text
