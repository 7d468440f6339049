"""Tables as rows of cells under their headers: Markdown, parts of long ones, and which side has the subjects."""

from __future__ import annotations

from dataclasses import replace

import pytest

from chipwise.types import Role

from .grids import check, grid, grids, passage_of, read_grid, said, tables

MARKDOWN = """# Chips

| GPU | Memory (GB) | Power |
|:----|------------:|-------|
| **H100** | 80 | 700 W |
| [H200](https://example.com/h200_(sxm)) | 141[^1] | — |
"""


def test_each_cell_of_a_markdown_table_has_its_label_and_its_header() -> None:
    assert said(grid(MARKDOWN)) == {"H100": ["Memory (GB): 80", "Power: 700 W"], "H200": ["Memory (GB): 141"]}


def test_a_cell_is_verbatim_without_what_decorates_it() -> None:
    (passage,) = tables(MARKDOWN, "a.md")
    made = grid(MARKDOWN)
    check(passage, made)
    assert passage.text[made.rows[0].start : made.rows[0].end] == "| **H100** | 80 | 700 W |"


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("***80 GB***", "80 GB"),
        ("`80 GB`", "80 GB"),
        ('<span class="x">80 GB</span>', "80 GB"),
        ('[80 GB](https://example.com "a title")', "80 GB"),
        ("80 GB<sup>[2]</sup>", "80 GB"),
        ("80 GB [12]", "80 GB"),
        ("80 GB*", "80 GB"),
        ("80 GB†", "80 GB"),
        ("80 GB\\*", "80 GB"),
        ("80GB/94GB", "80GB/94GB"),
        ("80 GB<br>94 GB", "80 GB<br>94 GB"),
        ("**80** or **94**", "**80** or **94**"),
        ("256*256", "256*256"),
        ("80 \\| 94 GB", "80 \\| 94 GB"),
        ("none", "none"),
        ("-5 °C", "-5 °C"),
    ],
)
def test_marks_around_a_cell_fall_away_and_marks_within_it_stay(written: str, text: str) -> None:
    (row,) = grid(f"| GPU | A | B |\n|---|---|---|\n| H100 | {written} | 1 |\n").rows
    assert [cell.text for cell in row.cells] == [text, "1"]


@pytest.mark.parametrize(
    "nothing", ["", "—", "-", "--", "n/a", "N/A", "?", "…", "TBD", "not disclosed", "&mdash;", "(n/a)"]
)
def test_a_cell_that_tells_of_no_value_is_none_and_moves_no_other(nothing: str) -> None:
    (row,) = grid(f"| GPU | A | B |\n|---|---|---|\n| H100 | {nothing} | 700 W |\n").rows
    assert [(cell.column, cell.text) for cell in row.cells] == [(2, "700 W")]


def test_a_header_reads_as_the_page_shows_it() -> None:
    made = grid(
        "| **Chip** | Memory<br>(GB) | [Power](x.md)&nbsp;`W` | a\\|b |\n|---|---|---|---|\n| H100 | 80 | 700 | 1 |\n"
    )
    assert made.headers == ("Chip", "Memory (GB)", "Power W", "a|b")


def test_units_below_the_header_join_it() -> None:
    made = grid("| Chip | Memory | Power |\n|---|---|---|\n| | (GB) | W |\n| H100 | 80 | 700 |\n")
    assert made.headers == ("Chip", "Memory (GB)", "Power (W)")
    assert list(said(made)) == ["H100"]


def test_a_line_with_only_a_label_heads_the_rows_below() -> None:
    made = grid(
        "| Metric | H100 |\n|---|---|\n| TDP | 700 W |\n| **Memory** | |\n| Size | 80 GB |\n| Width | 5120 bit |\n"
    )
    assert [(row.section, row.label and row.label.text) for row in made.rows] == [
        ("", "TDP"),
        ("Memory", "Size"),
        ("Memory", "Width"),
    ]


def test_a_subject_without_values_among_subjects_heads_nothing() -> None:
    made = grid("| Chip | Memory |\n|---|---|\n| H100 | 80 GB |\n| MI300X | |\n| H200 | 141 GB |\n")
    assert [row.section for row in made.rows] == ["", "", ""]
    assert made.rows[1].cells == ()


def test_a_label_written_once_for_its_group_is_that_of_the_rows_below() -> None:
    made = grid("| Chip | Form | Memory |\n|---|---|---|\n| H100 | SXM | 80 GB |\n| | PCIe | 94 GB |\n| | 640 GB | |\n")
    assert [row.label and (row.label.row, row.label.text) for row in made.rows] == [(0, "H100"), (0, "H100"), None]


def test_a_header_repeated_within_a_table_is_no_row() -> None:
    made = grid("| Chip | Memory |\n|---|---|\n| H100 | 80 GB |\n| Chip | Memory |\n| H200 | 141 GB |\n")
    assert list(said(made)) == ["H100", "H200"]


LONG = "| GPU | Memory | Note |\n|---|---|---|\n" + "".join(
    f"| chip{n} | {n} GB | a b c d e f |\n" for n in range(1, 90)
)


def test_later_parts_of_a_long_table_have_its_headers() -> None:
    made = grids("# Doc\n\n" + LONG)
    assert len(made) > 2
    assert {g.headers for g in made} == {("GPU", "Memory", "Note")}
    rows = [row for g in made for row in g.rows]
    assert [row.cells[0].text for row in rows] == [f"{n} GB" for n in range(1, 90)]


def test_a_later_part_by_itself_has_the_headers_that_its_context_tells() -> None:
    second = tables("# Doc\n\n" + LONG, "a.md")[1]
    made = read_grid(second)
    assert made is not None
    assert made.headers == ("GPU", "Memory", "Note")


def test_a_section_reaches_into_the_next_part() -> None:
    rows = "".join(f"| row{n} | {n} GB one two three four five |\n" for n in range(1, 60))
    made = grids("| Metric | H100 |\n|---|---|\n| **With sparsity** | |\n" + rows)
    assert len(made) > 1
    assert {row.section for g in made for row in g.rows} == {"With sparsity"}


def test_a_context_too_long_to_be_whole_loses_only_the_columns_that_it_lacks() -> None:
    columns = [f"Column {n}" for n in range(30)]
    context = " ".join(f"| {' | '.join(columns)} |".split()[:60])
    made = read_grid(passage_of(f"| {' | '.join(['H100', *map(str, range(1, 30))])} |", context=context))
    assert made is not None
    assert set(made.headers) < set(columns)
    assert made.headers == tuple(columns[: len(made.headers)])


def test_the_cells_of_a_row_that_was_cut_are_not_stated() -> None:
    long_cell = " ".join(["word"] * 400)
    made = grids(f"| GPU | Note | Memory |\n|---|---|---|\n| H100 | {long_cell} | 80 GB |\n| H200 | short | 141 GB |\n")
    cells = [cell.text for g in made for row in g.rows for cell in row.cells]
    assert cells == ["short", "141 GB"]


def test_what_is_no_table_has_no_grid() -> None:
    passage = passage_of("| a | b |")
    assert read_grid(replace(passage, role=Role.BODY)) is None
    assert read_grid(replace(passage, sentences=())) is None
