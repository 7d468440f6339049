"""HTML tables as rows of cells under their headers."""

from __future__ import annotations

from .grids import grid, html, said

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


def test_html_in_markdown_is_read_alike() -> None:
    made = grid("Below:\n\n" + SPANNING + "\n")
    assert made.headers == ("Chip", "Peak (TFLOPS) dense", "Peak (TFLOPS) sparse")
    assert [(row.label and row.label.text, [(c.column, c.text) for c in row.cells]) for row in made.rows] == [
        ("H100", [(1, "989"), (2, "1,979")]),
        ("H100", [(1, "756")]),
        ("H200", [(1, "same"), (2, "same")]),
    ]


def test_a_value_that_reaches_down_counts_where_it_is_written() -> None:
    made = grid(
        "<table><tr><th>Chip</th><th>Memory</th><th>Power</th></tr><tr><td>H100</td><td rowspan=2>80 GB</td><td>700 W</td></tr>"
        "<tr><td>A100</td><td>400 W</td></tr></table>\n"
    )
    assert said(made) == {"H100": ["Memory: 80 GB", "Power: 700 W"], "A100": ["Power: 400 W"]}
