"""Trees of CSV, JSON and YAML: what the standard library reads, and where it stands."""

from __future__ import annotations

import contextlib
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
from chipwise.grids.data import read_data, read_tree
from chipwise.grids.tree import Label, Node

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


def fields(tree: Node) -> list[list[tuple[str, str]]]:
    return [[(n.keys[0].text, n.value.text) for n in row.children if n.value] for row in tree.children]


def values(tree: Node) -> list[Label]:
    return [n.value for n in tree.walk() if n.value is not None]


@given(ROWS)
def test_rows_are_those_of_the_csv_module_each_where_it_stands(rows: list[list[str]]) -> None:
    rows[0] = ["chip", "memory", *rows[0][2:]]  # so that the comma is what the first line has most of
    rows[0] = [field.replace(";", "").replace('"', "").replace(",", "") for field in rows[0]]
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    text = out.getvalue()
    header, *below = [[said(f) for f in row] for row in csv.reader(io.StringIO(text)) if any(map(said, row))]
    tree = read_tree(text, "t.csv")
    if below:
        expected = [[(h, f) for h, f in zip(header, row, strict=False) if f] for row in below]
        assert fields(tree) == expected
        assert [row.irregular for row in tree.children] == [len(row) != len(header) for row in below]
    assert_verbatim(text, values(tree))


@given(st.dictionaries(WORDS, TREES, min_size=1, max_size=3), st.sampled_from([None, 1, "\t"]))
def test_leaves_are_those_of_the_json_module_each_where_it_stands(
    tree: dict[str, Any], indent: int | str | None
) -> None:
    text = json.dumps({"a": "x", **tree}, ensure_ascii=False, indent=indent)
    read = read_tree(text, "t.json")
    assert [(v.text) for v in values(read)] == [t for _, t in leaves(json.loads(text), ())]
    assert list(paths(read)) == [path for path, _ in leaves(json.loads(text), ())]
    assert_verbatim(text, values(read))


@given(st.dictionaries(WORDS, TREES, min_size=1, max_size=3), st.booleans())
def test_yaml_of_either_style_has_the_same_leaves(tree: dict[str, Any], flow: bool) -> None:
    tree = json.loads(json.dumps({"a": "x", **tree}))
    text = yaml.safe_dump(tree, default_flow_style=flow, sort_keys=False, allow_unicode=True, width=10_000)
    read = read_tree(text, "t.yaml")
    texts = [value.text for value in values(read)]
    assert [t.lower() for t in texts] == [t.lower() for _, t in leaves(tree, ())], "true, null and false in any case"
    assert_verbatim(text, values(read))


def leaves(value: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from leaves(item, (*path, said(key)))
    elif isinstance(value, list):
        for item in value:
            yield from leaves(item, path)
    else:
        yield path, said(value) if isinstance(value, str) else json.dumps(value)


def paths(node: Node, above: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    path = (*above, *(key.text for key in node.keys))
    if node.value is not None:
        yield path
    for child in node.children:
        yield from paths(child, path)


def assert_verbatim(text: str, cells: list[Label]) -> None:
    for cell in cells:
        written = text[cell.start : cell.end]
        assert said(written.replace('""', '"')) == cell.text or "\\" in written, (written, cell)


@pytest.mark.parametrize(
    ("text", "delimiter"), [("a;b;c\n1;2,5;3\n", ";"), ("a\tb\n1\t2\n", "\t"), ("a|b\n1|2\n", "|"), ("a\n1\n", ",")]
)
def test_the_delimiter_is_what_the_first_line_has_most_of(text: str, delimiter: str) -> None:
    header, row = (line.split(delimiter) for line in text.splitlines())
    assert fields(read_tree(text, "t.csv")) == [list(zip(header, row, strict=True))]


def test_a_quoted_cell_may_go_over_lines_and_an_open_quote_is_a_sign() -> None:
    assert fields(read_tree('a,"b\nc"\n"d,e\n', "t.csv")) == [[("a", '"d'), ("b c", "e")]]


def test_several_documents_of_a_yaml_file_are_read() -> None:
    assert [value.text for value in values(read_tree("a: 1\n---\na: 2\n", "t.yaml"))] == ["1", "2"]


@pytest.mark.parametrize("text", ["a: &x [*x]\n", "? {a: b}\n: c\n", "--- \n"])
def test_what_holds_nothing_is_told(text: str) -> None:
    with pytest.raises(SourceUnreadable, match="holds no values"):
        read_data(text, "t.yaml")


@pytest.mark.parametrize("name", ["t.json", "t.yaml", "t.toml", "t.py", "t.rs"])
@pytest.mark.parametrize(
    "text", ["[" * 3000, "x = " + "(" * 3000, '{"a": ' + "9" * 50_000 + "}", "a" * 100_000, "'" * 9_999, '\\"' * 999]
)
def test_hostile_text_is_read_or_refused_and_nothing_else(text: str, name: str) -> None:
    with contextlib.suppress(SourceUnreadable):
        read_tree(text, name)
