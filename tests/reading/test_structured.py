"""Cells of CSV, JSON and YAML: what the standard library reads, and where it stands."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from chipwise.errors import SourceUnreadable
from chipwise.reading.structured import Cell, Structured, read_structured

WORDS = st.text(st.characters(whitelist_categories=("L", "N"), max_codepoint=0x2000), min_size=1, max_size=8)
FIELDS = st.one_of(WORDS, st.sampled_from(['say "x"', "a, b", "1,979", "x;y", "", "two  words"]))
ROWS = st.lists(st.lists(FIELDS, min_size=2, max_size=4), min_size=1, max_size=5)
TREES = st.recursive(
    st.one_of(WORDS, st.integers(-(10**9), 10**9), st.booleans(), st.none()),
    lambda below: st.one_of(st.lists(below, max_size=3), st.dictionaries(WORDS, below, max_size=3)),
    max_leaves=12,
)


def said(text: str) -> str:
    return " ".join(text.split())


@given(ROWS)
def test_rows_are_those_of_the_csv_module_each_where_it_stands(rows: list[list[str]]) -> None:
    rows[0] = ["chip", "memory", *rows[0][2:]]  # so that the comma is what the first line has most of
    rows[0] = [field.replace(";", "").replace('"', "").replace(",", "") for field in rows[0]]
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    read = read_structured(out.getvalue(), "t.csv")
    expected = [
        [said(field) for field in row] for row in csv.reader(io.StringIO(out.getvalue())) if any(map(said, row))
    ]
    assert [[cell.text for cell in row] for row in read.rows] == expected
    assert_verbatim(read, [cell for row in read.rows for cell in row])


@given(st.dictionaries(WORDS, TREES, min_size=1, max_size=3), st.sampled_from([None, 1, "\t"]))
def test_leaves_are_those_of_the_json_module_each_where_it_stands(
    tree: dict[str, Any], indent: int | str | None
) -> None:
    text = json.dumps({"a": "x", **tree}, ensure_ascii=False, indent=indent)
    read = read_structured(text, "t.json")
    paths = [(tuple(s.text if isinstance(s, Cell) else s for s in leaf.path), leaf.value.text) for leaf in read.leaves]
    assert paths == list(leaves(json.loads(text), ()))
    assert_verbatim(read, [leaf.value for leaf in read.leaves])


@given(st.dictionaries(WORDS, TREES, min_size=1, max_size=3), st.booleans())
def test_yaml_of_either_style_has_the_same_leaves(tree: dict[str, Any], flow: bool) -> None:
    tree = json.loads(json.dumps({"a": "x", **tree}))
    text = yaml.safe_dump(tree, default_flow_style=flow, sort_keys=False, allow_unicode=True, width=10_000)
    read = read_structured(text, "t.yaml")
    texts = [leaf.value.text for leaf in read.leaves]
    assert [t.lower() for t in texts] == [t.lower() for _, t in leaves(tree, ())], "true, null and false in any case"
    assert_verbatim(read, [leaf.value for leaf in read.leaves])


def leaves(value: Any, path: tuple[Any, ...]) -> Iterator[tuple[tuple[Any, ...], str]]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from leaves(item, (*path, said(key)))
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from leaves(item, (*path, number))
    else:
        yield path, said(value) if isinstance(value, str) else json.dumps(value)


def assert_verbatim(read: Structured, cells: list[Cell]) -> None:
    for cell in cells:
        written = read.text[cell.start : cell.end]
        assert said(written.replace('""', '"')) == cell.text or "\\" in written, (written, cell)


@pytest.mark.parametrize(
    ("text", "delimiter"), [("a;b;c\n1;2,5;3\n", ";"), ("a\tb\n1\t2\n", "\t"), ("a|b\n1|2\n", "|"), ("a\n1\n", ",")]
)
def test_the_delimiter_is_what_the_first_line_has_most_of(text: str, delimiter: str) -> None:
    read = read_structured(text, "t.csv")
    assert [[cell.text for cell in row] for row in read.rows] == [line.split(delimiter) for line in text.splitlines()]


def test_a_quoted_cell_may_go_over_lines_and_an_open_quote_is_a_sign() -> None:
    read = read_structured('a,"b\nc"\n"d,e\n', "t.csv")
    assert [[cell.text for cell in row] for row in read.rows] == [["a", "b c"], ['"d', "e"]]


def test_several_documents_of_a_yaml_file_are_read() -> None:
    assert [leaf.value.text for leaf in read_structured("a: 1\n---\na: 2\n", "t.yaml").leaves] == ["1", "2"]


@pytest.mark.parametrize("text", ["a: &x [*x]\n", "? {a: b}\n: c\n", "--- \n"])
def test_what_holds_nothing_is_told(text: str) -> None:
    with pytest.raises(SourceUnreadable, match="holds no values"):
        read_structured(text, "t.yaml")
