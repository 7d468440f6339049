"""The shipped corpus: every document reads, says where it comes from, and divides into verbatim passages."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import yaml

from chipwise.corpus import shipped_documents
from chipwise.types import Role

from ..shipped import document, each_document, passages

KINDS = {"article", "benchmark", "database", "datasheet", "documentation", "paper", "prices", "primer"}


@cache
def ids() -> list[str]:
    return [path.stem for path in shipped_documents()]


def test_the_corpus_is_there() -> None:
    folders = [path.parent.name for path in shipped_documents()]
    assert folders.count("primers") >= 8
    assert folders.count("sources") >= 15
    assert len(set(ids())) == len(ids()), "no id stands for two documents"


@each_document
def test_a_document_says_where_it_comes_from(path: Path) -> None:
    info = document(path).info
    assert info.id == path.stem
    assert info.title
    anonymous = "its site and date are unknown" in info.verified
    assert anonymous or info.publisher or info.author
    assert info.kind in KINDS
    assert info.kind == "primer" or path.parent.name == "sources"
    assert info.verified
    assert re.fullmatch(r"(?:\d{4}(?:-\d{2}(?:-\d{2})?)?)?", info.published)
    assert anonymous or path.parent.name == "primers" or re.match(r"https?://\w", info.origin)
    assert set(info.lineage) <= {*ids()} - {info.id}


@each_document
def test_front_matter_has_every_key(path: Path) -> None:
    _, matter, _ = path.read_text("utf-8").split("---\n", 2)
    keys = ["id", "title", "publisher", "author", "published", "url", "kind", "lineage", "verified"]
    assert list(yaml.safe_load(matter)) == keys


@each_document
def test_passages_are_verbatim(path: Path) -> None:
    text = document(path).text
    assert passages(path)
    for passage in passages(path):
        assert text[passage.start : passage.end] == passage.text
        assert passage.line == text.count("\n", 0, passage.start) + 1


@each_document
def test_a_primer_speaks_in_our_own_voice(path: Path) -> None:
    roles = {block.role for block in document(path).blocks}
    if path.parent.name == "primers":
        assert roles <= {Role.BODY, Role.HEADING, Role.LIST, Role.TABLE, Role.FAQ}
    else:
        assert roles & {Role.BODY, Role.LIST, Role.TABLE}


@each_document
def test_a_document_holds_nothing_that_drives_a_terminal(path: Path) -> None:
    assert "\ufffd" not in document(path).text
