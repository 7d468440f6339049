"""Tables as rows of cells under their headers: Markdown, HTML, tabs, wide blanks, and what lost its columns."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chipwise.claims.axes import subject_axis, subject_column
from chipwise.claims.grid import Grid, read_grid, read_grids
from chipwise.reading import find_files, read_bytes, read_file
from chipwise.splitting import split
from chipwise.types import Passage, Role

from ..conftest import ROOT
from ..reading.builders import pdf_of

NAME = re.compile(r"(?:NVIDIA |Google |AMD )?(?:H100(?: SXM| PCIe)?|H200|A100(?: 80GB)?|MI300X|Gaudi \d|TPU v\d\w?)\b")
QUANTITY = re.compile(
    r"(?<![\w.,])(?:\$\d[\d,.]*(?: - \$\d[\d,.]*)?|\d[\d,.]*[\s-]?(?:GB/s|TB/s|GB|kWh|W|TFLOPS|tokens/sec|chip|%)(?!\w))"
)


def entity_spans(text: str) -> list[tuple[int, int]]:
    return [m.span() for m in NAME.finditer(text)]


def quantity_spans(text: str) -> list[tuple[int, int]]:
    return [m.span() for m in QUANTITY.finditer(text)]


def is_entity(text: str) -> bool:
    return bool(NAME.search(text))


def tables(data: str | bytes, name: str) -> list[Passage]:
    raw = data if isinstance(data, bytes) else data.encode()
    return [p for p in split(read_bytes(raw, name=name, origin=f"/{name}")) if p.role is Role.TABLE]


def grids(data: str | bytes, name: str = "a.md") -> list[Grid]:
    return list(read_grids(tables(data, name), entity_spans=entity_spans, quantity_spans=quantity_spans).values())


def grid(data: str | bytes, name: str = "a.md") -> Grid:
    (only,) = grids(data, name)
    return only


def html(table: str) -> Grid:
    return grid(f"<html><body><h1>T</h1><p>Some words about two chips, to begin.</p>{table}</body></html>", "a.html")


def said(made: Grid) -> dict[str, list[str]]:
    """Label -> "header: cell" of each row."""
    return {
        row.label.text if row.label else "": [f"{made.header(cell.column)}: {cell.text}" for cell in row.cells]
        for row in made.rows
    }


def passage_of(text: str, *, context: str = "", rows_from: int = 0) -> Passage:
    """A table passage whose every line from `rows_from` on is a row."""
    spans, at = [], 0
    for number, line in enumerate(text.split("\n")):
        if number >= rows_from and line.strip():
            spans.append((at + len(line) - len(line.lstrip()), at + len(line.rstrip())))
        at += len(line) + 1
    return Passage("s", 1, 0, len(text), 1, Role.TABLE, (), None, text, context, tuple(spans))


def check(passage: Passage, made: Grid) -> None:
    for number, row in enumerate(made.rows):
        assert (row.start, row.end) in passage.sentences
        own = [cell for cell in (row.label, *row.cells) if cell is not None and cell.row == number]
        for cell in own:
            assert cell.text == passage.text[cell.start : cell.end] == cell.text.strip() != ""
            assert row.start <= cell.start < cell.end <= row.end
        assert all(a.end <= b.start and a.column < b.column for a, b in pairwise(own))
        assert all(cell.row == number and cell.column > 0 for cell in row.cells)


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
    given_whole = read_grid(passage_of("| H100 | 1 |", context="| A | B"), header="| Chip | Memory |\n|---|---|")
    assert given_whole is not None
    assert given_whole.headers == ("Chip", "Memory")


def test_the_cells_of_a_row_that_was_cut_are_not_told() -> None:
    long_cell = " ".join(["word"] * 400)
    made = grids(f"| GPU | Note | Memory |\n|---|---|---|\n| H100 | {long_cell} | 80 GB |\n| H200 | short | 141 GB |\n")
    cells = [cell.text for g in made for row in g.rows for cell in row.cells]
    assert cells == ["short", "141 GB"]


SPANNING = """<table><thead><tr><th rowspan=2>Chip</th><th colspan=2>Peak (TFLOPS)</th></tr><tr><th>dense</th><th>sparse</th></tr></thead>
<tr><td rowspan=2>H100</td><td>989</td><td>1,979</td></tr><tr><td>756</td><td></td></tr>
<tr><td>H200</td><td colspan=2>same</td></tr></table>"""


def test_html_cells_that_span_rows_and_columns_count_for_each() -> None:
    made = html(SPANNING)
    assert made.headers == ("Chip", "Peak (TFLOPS) dense", "Peak (TFLOPS) sparse")
    assert [(row.label and row.label.text, [(c.column, c.text) for c in row.cells]) for row in made.rows] == [
        ("H100", [(1, "989"), (2, "1,979")]),
        ("H100", [(1, "756")]),
        ("H200", [(1, "same"), (2, "same")]),
    ]


def test_an_empty_corner_moves_no_column() -> None:
    made = html(
        "<table><tr><td></td><th>H100</th><th>H200</th></tr><tr><td>Memory</td><td>80 GB</td><td>141 GB</td></tr></table>"
    )
    assert said(made) == {"Memory": ["H100: 80 GB", "H200: 141 GB"]}
    assert subject_axis(made, is_entity) == "columns"


def test_an_html_line_across_all_columns_is_a_section_and_above_the_header_a_title() -> None:
    made = html(
        "<table><tr><th colspan=3>Two chips</th></tr><tr><th>Metric</th><th>H100</th><th>H200</th></tr>"
        "<tr><td colspan=3>Memory</td></tr><tr><td>Size</td><td>80 GB</td><td>141 GB</td></tr></table>"
    )
    assert made.headers == ("Two chips Metric", "H100", "H200")
    assert [(row.section, len(row.cells)) for row in made.rows] == [("Memory", 2)]


def test_a_list_of_properties_under_group_lines_has_sections_and_no_header() -> None:
    made = html(
        "<table><tr><th colspan=2>Memory</th></tr><tr><td>Size</td><td>80 GB</td></tr>"
        "<tr><th colspan=2>Power</th></tr><tr><td>TDP</td><td>700 W</td></tr></table>"
    )
    assert made.headers == ()
    assert [(row.section, row.label and row.label.text) for row in made.rows] == [("Memory", "Size"), ("Power", "TDP")]


def test_a_first_row_of_words_above_figures_is_the_header_that_nobody_marked_up() -> None:
    cells = "</td><td>".join
    made = html(
        f"<table><tr><td>{cells(['Chip', 'Memory', 'Power'])}</td></tr><tr><td>{cells(['H100', '80 GB', '700 W'])}</td></tr></table>"
    )
    assert said(made) == {"H100": ["Memory: 80 GB", "Power: 700 W"]}


@pytest.mark.parametrize(
    "text",
    [
        "Spec\tH100\tTPU v5p\nMemory\t80 GB\t95 GB\nMaker\tNVIDIA\tGoogle\nPower\t700 W\tn/a\n",
        "Spec      H100    TPU v5p\nMemory    80 GB   95 GB\nMaker     NVIDIA  Google\nPower     700 W   n/a\n",
        "Spec | H100 | TPU v5p\nMemory | 80 GB | 95 GB\nMaker | NVIDIA | Google\nPower | 700 W | n/a\n",
    ],
)
def test_text_parted_by_tabs_or_wide_blanks_or_bars_keeps_its_cells(text: str) -> None:
    assert said(grid(text, "a.txt")) == {
        "Memory": ["H100: 80 GB", "TPU v5p: 95 GB"],
        "Maker": ["H100: NVIDIA", "TPU v5p: Google"],
        "Power": ["H100: 700 W"],
    }


def test_a_row_of_another_width_has_no_cells_where_only_the_width_tells() -> None:
    made = read_grid(passage_of("Spec  H100  H200\nMemory  80 GB  141 GB\nPower  700 W\nTDP  1 W  2 W", rows_from=1))
    assert made is not None
    assert [len(row.cells) for row in made.rows] == [2, 0, 2]


FLAT = """Property AMD MI300X Google TPU v5e
Kind Accelerator with chiplets Inference ASIC
Memory (per chip/node) 192GB HBM3 128GB (8-chip config)
Generation ~2,900 tokens/sec ~2,150 tokens/sec
Utilization (MFU) ~41% ~47%
Price per hour (8-chip) $16.00 - $24.00 $9.60 - $11.20
"""


def test_a_table_that_lost_its_columns_is_told_by_names_and_values() -> None:
    assert said(grid(FLAT, "a.txt")) == {
        "": [],
        "Memory (per chip/node)": ["AMD MI300X: 192GB HBM3", "Google TPU v5e: 128GB (8-chip config)"],
        "Generation": ["AMD MI300X: ~2,900 tokens/sec", "Google TPU v5e: ~2,150 tokens/sec"],
        "Utilization (MFU)": ["AMD MI300X: ~41%", "Google TPU v5e: ~47%"],
        "Price per hour (8-chip)": ["AMD MI300X: $16.00 - $24.00", "Google TPU v5e: $9.60 - $11.20"],
    }


def test_the_header_of_a_flattened_table_may_stand_apart() -> None:
    made = read_grid(
        passage_of("Memory 80 GB 95 GB", context="Feature NVIDIA H100 Google TPU v5p"),
        entity_spans=entity_spans,
        quantity_spans=quantity_spans,
    )
    assert made is not None
    assert said(made) == {"Memory": ["NVIDIA H100: 80 GB", "Google TPU v5p: 95 GB"]}


def flat_row(row: str, header: str = "Feature H100 TPU v5p") -> list[str]:
    made = read_grid(
        passage_of(f"{header}\n{row}", rows_from=1), entity_spans=entity_spans, quantity_spans=quantity_spans
    )
    assert made is not None
    return [cell.text for cell in made.rows[0].cells]


@pytest.mark.parametrize(
    ("row", "cells"),
    [
        ("TDP up to 700 W 300 W/350 W", ["up to 700 W", "300 W/350 W"]),
        ("Power 700 W at 2 kWh 600 W at 1 kWh", ["700 W at 2 kWh", "600 W at 1 kWh"]),
        ("Boards 8 x 80 GB 4 x 95 GB", ["8 x 80 GB", "4 x 95 GB"]),
        ("Memory 80 GB / 94 GB 95 GB", ["80 GB / 94 GB", "95 GB"]),
        ("Cores 16896 14592", ["16896", "14592"]),
        ("Sparse 1,979 TFLOPS N/A", ["1,979 TFLOPS"]),
        ("Predecessor memory A100 80GB 40 GB 32 GB", ["40 GB", "32 GB"]),
        ("Memory HBM3 80 GB HBM2e 95 GB", ["80 GB", "95 GB"]),
    ],
)
def test_what_belongs_to_a_value_stays_with_it(row: str, cells: list[str]) -> None:
    assert flat_row(row) == cells


@pytest.mark.parametrize(
    "row",
    [
        "Type General Purpose GPU AI-Specific ASIC",
        "Memory 80 GB",
        "Memory 80 GB 94 GB 95 GB",
        "Tokens per 1 kWh 300 unknown",
        "PCIe 5 yes 128 GB/s",
        "PCIe 5 yes 16896",
        "PCIe 5 16896 unknown",
        "PCIe 5 N/A unknown",
        "80 GB 95 GB",
        "Memory (80 GB 95 GB",
    ],
)
def test_an_ambiguous_row_has_no_cells_rather_than_wrong_ones(row: str) -> None:
    assert flat_row(row) == []


def test_rows_that_begin_with_their_subject_take_their_columns_from_the_words_of_the_header() -> None:
    header = "Chip Memory (GB) Bandwidth TDP"
    assert flat_row("H100 80 3.35 TB/s 700 W", header) == ["80", "3.35 TB/s", "700 W"]
    assert flat_row("Gaudi 2 96 GB 2.45 TB/s 600 W", header) == ["96 GB", "2.45 TB/s", "600 W"]
    assert flat_row("Gaudi 3 128 GB 3.7 TB/s unknown", header) == []


def test_a_table_in_a_pdf_keeps_its_rows_and_values() -> None:
    made = grid(pdf_of("# A note\n\nTwo chips are compared in this note, in their figures.\n\n" + FLAT), "a.pdf")
    assert made.headers == ("Property", "AMD MI300X", "Google TPU v5e")
    assert sum(len(row.cells) for row in made.rows) == 2 * 4


@pytest.mark.parametrize(
    ("table", "axis", "column"),
    [
        ("| Chip | Memory |\n|---|---|\n| H100 | 80 GB |\n| H200 | 141 GB |\n", "rows", 0),
        ("| Metric | H100 | H200 |\n|---|---|---|\n| Memory | 80 GB | 141 GB |\n", "columns", None),
        ("| Vendor | Chip | Memory |\n|---|---|---|\n| AMD | MI300X | 192 GB |\n", "rows", 1),
        ("| H100, per GPU | Value |\n|---|---|\n| Memory | 80 GB |\n", "corner", None),
        ("| Metric | Value |\n|---|---|\n| Memory | 80 GB |\n", "", None),
    ],
)
def test_the_subjects_of_a_table_are_its_rows_or_its_columns(table: str, axis: str, column: int | None) -> None:
    made = grid(table)
    assert (subject_axis(made, is_entity), subject_column(made, is_entity)) == (axis, column)


def test_what_is_no_table_has_no_grid() -> None:
    passage = passage_of("| a | b |")
    assert read_grid(replace(passage, role=Role.BODY)) is None
    assert read_grid(replace(passage, sentences=())) is None


ODD = st.text(st.sampled_from("ab1| \t\n*_`[](){}<>\\/$~–—,.:-&;8GB"), min_size=1, max_size=200).filter(
    lambda t: t.strip() != ""
)


@given(ODD, st.one_of(st.just(""), ODD), st.integers(0, 2))
def test_every_cell_stands_verbatim_in_its_row_whatever_the_text(text: str, context: str, rows_from: int) -> None:
    passage = passage_of(text, context=context, rows_from=rows_from)
    for made in (
        read_grid(passage),
        read_grid(passage, header=context, entity_spans=entity_spans, quantity_spans=quantity_spans),
    ):
        assert (made is None) == (not passage.sentences)
        if made is not None:
            check(passage, made)
            again = read_grid(passage, above=made, quantity_spans=quantity_spans)
            assert again is not None
            check(passage, again)


def test_every_row_of_the_corpus_is_kept_with_its_headers() -> None:
    rows = 0
    for path in find_files(ROOT / "corpus" / "sources"):
        passages = [p for p in split(read_file(path)) if p.role is Role.TABLE]
        made = read_grids(passages)
        for passage in passages:
            check(passage, made[passage.ordinal])
            assert made[passage.ordinal].headers, f"{passage.id} has no headers"
            assert [(r.start, r.end) for r in made[passage.ordinal].rows] == list(passage.sentences)
            assert all(r.label and (r.cells or r.section) for r in made[passage.ordinal].rows)
            rows += len(passage.sentences)
    assert rows > 300


@pytest.mark.parametrize(
    "filling", ["|", "| ", "[a](", "<a ", "*", "(", "1 ", "~1", "\t", "a  ", "\\|", "&amp;", "[^", "-"]
)
def test_a_line_of_any_length_takes_a_moment(filling: str) -> None:
    import time

    passage = passage_of(filling * 50_000 + "\nb 1 GB 2 GB", context="Feature H100 H200")
    begun = time.perf_counter()
    read_grid(passage, entity_spans=entity_spans, quantity_spans=quantity_spans)
    assert time.perf_counter() - begun < 5
