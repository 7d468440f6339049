"""Markdown: front matter, blocks at their lines, section roles."""

from __future__ import annotations

import pytest

from chipwise.errors import SourceUnreadable
from chipwise.types import Role

from .said import found, read, role, words

DIGEST = """---
id: acme-h100
title: "H100: the data sheet"
publisher: Acme
published: 2024-03-05
url: https://example.com/h100
kind: datasheet
lineage: [other-one, other-two]
colour: ignored
---

# H100: the data sheet

Opening words.

## Memory and *bandwidth* ##

- First item
  - nested below it
- Second item

| Chip | Memory |
|------|--------|
| H100 | 80 GB |
| H200 | 141 GB |

```python
x = 1
```

### Detail

Deep words.

## Reader comments

A reader claims 96 GB.

### Older ones

Another reader.

## FAQ

Is it fast? Yes.

## About the author

Somebody.

## Advertising

Buy it.

## Outlook

Closing words.
"""


def test_front_matter_becomes_what_is_known_of_the_source() -> None:
    info = read(DIGEST, "file.md").info
    assert (info.id, info.title, info.publisher) == ("acme-h100", "H100: the data sheet", "Acme")
    assert (info.published, info.origin, info.kind) == ("2024-03-05", "https://example.com/h100", "datasheet")
    assert info.lineage == ("other-one", "other-two")


def test_front_matter_stays_in_the_text_and_is_no_block() -> None:
    document = read(DIGEST, "file.md")
    assert document.text == DIGEST
    assert not any("colour" in words(document, block) for block in document.blocks)
    assert found(document, "Opening").line == 1 + DIGEST.count("\n", 0, DIGEST.index("Opening"))


def test_heading_paths_leave_out_the_title_and_marks() -> None:
    document = read(DIGEST, "file.md")
    assert found(document, "Opening").heading == ()
    assert found(document, "Deep").heading == ("Memory and bandwidth", "Detail")
    assert found(document, "Closing").heading == ("Outlook",)


def test_each_item_is_a_block_with_its_nested_ones() -> None:
    document = read(DIGEST, "file.md")
    items = [words(document, block) for block in document.blocks if block.role is Role.LIST]
    assert items == ["- First item\n  - nested below it", "- Second item"]


def test_a_long_item_is_cut_at_its_nested_ones() -> None:
    long = "word " * 200
    document = read(f"- {long}\n  - nested a\n  - nested b\n", "a.md")
    assert [words(document, block) for block in document.blocks][1:] == ["- nested a", "- nested b"]


@pytest.mark.parametrize(
    ("source", "around"),
    [
        ("- a\n  - b\n    ```\n    docker\n    ```\n  - c\n", [("- a\n  - b", Role.LIST), ("- c", Role.LIST)]),
        ("- a\n  > b\n  > ```\n  > docker\n  > ```\n", [("- a\n  > b", Role.LIST)]),
        ("- a\n\n      docker\n\n- b\n", [("- a", Role.LIST), ("- b", Role.LIST)]),
        (f"- {'a' * 900}\n  - b\n    ```\n    docker\n    ```\n", [("- " + "a" * 900, Role.LIST), ("- b", Role.LIST)]),
        ("> ```\n> docker\n> ```\n>\n", []),
        ("> a\n> ```\n> docker\n> ```\n> b\n", [("> a", Role.BODY), ("> b", Role.BODY)]),
        ("a\n\n    docker\n\nb\n", [("a", Role.BODY), ("b", Role.BODY)]),
    ],
    ids=[
        "nested",
        "quoted in an item",
        "indented in an item",
        "in a long item",
        "quoted",
        "amid a quotation",
        "indented",
    ],
)
def test_a_listing_is_code_wherever_it_stands(source: str, around: list[tuple[str, Role]]) -> None:
    document = read(source, "a.md")
    assert role(document, "docker") is Role.CODE
    others = [(words(document, block), block.role) for block in document.blocks if block.role is not Role.CODE]
    assert others == around


def test_a_table_in_an_item_is_a_table() -> None:
    document = read("- Generations\n  | Chip | Peak |\n  |---|---|\n  | TPU v2 | 180 TFLOPS |\n- The end\n", "a.md")
    assert [b.role for b in document.blocks] == [Role.LIST, Role.TABLE, Role.LIST]
    table = found(document, "180 TFLOPS")
    assert table.header is not None
    assert "Peak" in document.text[slice(*table.header)]


def test_a_table_is_one_block_that_knows_its_header_row() -> None:
    document = read(DIGEST, "file.md")
    table = found(document, "141 GB")
    assert table.role is Role.TABLE
    assert table.header is not None
    assert document.text[slice(*table.header)].split("\n")[0] == "| Chip | Memory |"


def test_sections_give_their_role_until_the_next_heading_as_high() -> None:
    document = read(DIGEST, "file.md")
    assert role(document, "96 GB") is role(document, "Another reader") is Role.COMMENT
    assert role(document, "Is it fast") is Role.FAQ
    assert role(document, "Somebody") is Role.BIO
    assert role(document, "Buy it") is Role.BOILERPLATE
    assert role(document, "Closing") is Role.BODY


def test_hidden_html_is_no_block_and_tags_at_the_ends_are_no_text() -> None:
    source = "<p class='x'>**Key:** it is fast.</p>\n\n<script>\nvar a = 'secret';\n</script>\n\n<!-- also\n\nsecret -->\n\nwords"
    document = read(source, "a.md")
    assert [words(document, block) for block in document.blocks] == ["**Key:** it is fast.", "words"]


def test_a_picture_alone_is_boilerplate() -> None:
    assert role(read("![chart](a.png)\n\nwords", "a.md"), "chart") is Role.BOILERPLATE


@pytest.mark.parametrize(
    "matter",
    [
        "title: a: b\nauthor: Jo",
        "title: 'a: b'\nauthor: Jo\ntags:\n\t- x",
        "Title: a: b\nAuthor: Jo\nbad: [1\ndate:",
        "title: 'a: b'\nauthor: Jo\ndate: 2026-13-45",
        "TITLE: 'a: b'\nAuthor: Jo",
    ],
    ids=["colon", "tab", "bracket", "no such day", "capitals"],
)
def test_front_matter_that_is_no_yaml_is_read_by_its_lines(matter: str) -> None:
    document = read(f"---\n{matter}\n---\nwords", "notes.md")
    assert (document.info.title, document.info.author) == ("a: b", "Jo")
    assert [words(document, block) for block in document.blocks] == ["words"]


def test_prose_between_two_rules_is_no_front_matter() -> None:
    for prose in ("\tone [ two", "Summary: the chip: fast\nThe chip has 60 GB, one [ two"):
        document = read(f"---\n{prose}\n---\nwords", "notes.md")
        assert "one [ two" in words(document, found(document, "one [ two"))


def test_front_matter_of_the_wrong_kind_is_refused_with_its_key() -> None:
    with pytest.raises(SourceUnreadable, match="'publisher' must be text"):
        read("---\npublisher: {a: b}\n---\nwords", "notes.md")


def test_an_author_who_is_only_pointed_to_is_left_out() -> None:
    assert read("---\nauthors:\n  - name: Jo\n  - key: jdoe\n---\nwords", "notes.md").info.author == "Jo"


def test_rules_around_prose_are_not_front_matter() -> None:
    document = read("---\n\nwords between\n\n---\n\nmore words", "a.md")
    assert found(document, "words between").role is not Role.BOILERPLATE
    assert found(document, "more words").role is Role.BODY


def test_escapes_in_front_matter_do_not_reach_the_terminal() -> None:
    info = read('---\ntitle: "\\e[31mred\\nline"\nid: "A b/C"\n---\nwords', "a.md").info
    assert info.title == "\ufffd[31mred line"
    assert info.id == "a-b-c"


def test_without_front_matter_the_first_heading_is_the_title_and_the_stem_the_id() -> None:
    info = read("## `A` [b](c)\n\nwords", "My File (2).md").info
    assert (info.title, info.id, info.origin) == ("A b", "my-file-2", "/docs/My File (2).md")


def test_contents_at_the_top_level_do_not_swallow_the_chapters() -> None:
    document = read("# Guide\n\n# Contents\n\n- Memory\n\n## Memory\n\nThe H100 has 80 GB.", "a.md")
    assert role(document, "- Memory") is Role.BOILERPLATE
    assert role(document, "80 GB") is Role.BODY


TAGGED = """## Specs

<p>All of them:</p>
<table>
  <thead><tr><th>GPU</th><th colspan="2">Memory</th></tr></thead>
  <tr><td rowspan=2><b>H100</b></td><td>80 GB</td><td>HBM3</td></tr>
  <tr><td>94 GB</td><td></td></tr>
</table>
<p>That is all.</p>
"""


def test_a_table_in_html_is_a_table_with_its_header_and_the_text_stays() -> None:
    document = read(TAGGED, "file.md")
    assert document.text == TAGGED
    assert [
        (block.role, words(document, block)[:14]) for block in document.blocks if block.role is not Role.HEADING
    ] == [
        (Role.BODY, "All of them:"),
        (Role.TABLE, "<tr><th>GPU</t"),
        (Role.BODY, "That is all."),
    ]
    table = found(document, "<tr>")
    assert table.header is not None
    assert document.text[slice(*table.header)] == '<tr><th>GPU</th><th colspan="2">Memory</th>'


@pytest.mark.parametrize(
    "text",
    [
        "<table><tr><td>One cell alone, as a frame.</td></tr></table>\n",
        '<table><tr><td><img src="a.png"></td><td><img src="b.png"></td></tr><tr><td>left</td><td></td></tr></table>\n',
        "<table><tr><td>a</td><td><table><tr><td>b</td><td>c</td></tr></table></td></tr></table>\n",
    ],
)
def test_html_that_only_lays_out_is_no_table(text: str) -> None:
    assert not [block for block in read(text, "file.md").blocks if block.role is Role.TABLE]


def test_a_table_that_is_never_closed_lasts_to_the_end() -> None:
    text = "<table><tr><td>GPU</td><td>Memory</td></tr><tr><td>H100</td><td>80 GB</td></tr>\n"
    assert [block.role for block in read(text, "file.md").blocks] == [Role.TABLE]


def test_tables_that_no_blank_line_parts_have_each_its_own_header() -> None:
    text = (
        "| Spec | H100 | H200 |\n|---|---|---|\n| Memory | 80 GB | 141 GB |\n"
        "NVIDIA GPU family\nBlackwell\n"
        "| Spec | B200 | B300 |\n|---|---|---|\n| Memory | 180 GB | 288 GB |\n"
    )
    blocks = read(text, "file.md").blocks
    assert [b.role for b in blocks] == [Role.TABLE, Role.BODY, Role.TABLE]
    heads = [text[slice(*b.header)].strip() for b in blocks if b.header]
    assert heads == ["| Spec | H100 | H200 |", "| Spec | B200 | B300 |"]
    assert text[blocks[1].start : blocks[1].end].split("\n") == ["NVIDIA GPU family", "Blackwell"]


def test_a_row_of_one_cell_without_bars_stays_a_row() -> None:
    text = "| Spec | H100 |\n|---|---|\n| Memory | 80 GB |\nPrices\n| Spot | $2 |\n"
    assert [b.role for b in read(text, "file.md").blocks] == [Role.TABLE]
