"""Tables as rows of cells under their headers: Markdown, HTML, parts of long ones, and text that lost its columns."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chipwise.domain.files import shipped_domain
from chipwise.grids.tables import Table, read_tables
from chipwise.grids.tree import Node
from chipwise.reading import find_files, read_bytes, read_file
from chipwise.splitting import split
from chipwise.types import Passage, Role

from ..conftest import ROOT
from ..reading.builders import pdf_of
from ..scaling import grows_in_proportion
from .test_keys import claims, sure

ODD = st.text(st.sampled_from("ab1| \t\n*_`[](){}<>\\/$~–—,.:-&;8GB"), min_size=1, max_size=200).filter(
    lambda t: t.strip() != ""
)
MARKDOWN = """# Chips

| GPU | Memory (GB) | Power |
|:----|------------:|-------|
| **H100** | 80 | 700 W |
| [H200](https://example.com/h200_(sxm)) | 141[^1] | — |
"""
SPANNING = """<table><thead><tr><th rowspan=2>Chip</th><th colspan=2>Peak (TFLOPS)</th></tr><tr><th>dense</th><th>sparse</th></tr></thead>
<tr><td rowspan=2>H100</td><td>989</td><td>1,979</td></tr><tr><td>756</td><td></td></tr>
<tr><td>H200</td><td colspan=2>same</td></tr></table>"""
LONG = "| GPU | Memory | Note |\n|---|---|---|\n" + "".join(
    f"| chip{n} | {n} GB | a b c d e f |\n" for n in range(1, 90)
)


def passages(data: str | bytes, name: str = "a.md") -> list[Passage]:
    raw = data if isinstance(data, bytes) else data.encode()
    return [p for p in split(read_bytes(raw, name=name, origin=f"/{name}")) if p.role is Role.TABLE]


def tables(data: str | bytes, name: str = "a.md") -> list[Table]:
    return list(read_tables(passages(data, name), shipped_domain()).values())


def table(data: str | bytes, name: str = "a.md") -> Table:
    (only,) = tables(data, name)
    return only


def html(text: str) -> Table:
    return table(f"<html><body><h1>T</h1><p>Some words about two chips, to begin.</p>{text}</body></html>", "a.html")


def passage_of(text: str, *, context: str = "", rows_from: int = 0) -> Passage:
    """A table passage whose every line from `rows_from` on is a row."""
    spans, at = [], 0
    for number, line in enumerate(text.split("\n")):
        if number >= rows_from and line.strip():
            spans.append((at + len(line) - len(line.lstrip()), at + len(line.rstrip())))
        at += len(line) + 1
    return Passage("s", 1, 0, len(text), 1, Role.TABLE, (), None, text, context, tuple(spans))


def read(passage: Passage) -> Table | None:
    return read_tables([passage], shipped_domain()).get(passage.ordinal)


def words(node: Node) -> list[str]:
    return [c.value.text for c in node.children if c.value is not None]


def said(made: Table) -> dict[str, list[str]]:
    """Label -> "header: cell" of each row."""
    found: dict[str, list[str]] = {}
    for node in made.rows.values():
        cells = [f"{c.keys[0].text if c.keys else ''}: {c.value.text}" for c in node.children[node.row :] if c.value]
        found[words(node)[0] if node.row else ""] = cells
    return found


def check(passage: Passage, made: Table) -> None:
    for (start, end), node in made.rows.items():
        assert (start - passage.start, end - passage.start) in passage.sentences
        for cell in node.children[node.row :]:
            assert cell.value is not None
            begin, last = cell.value.start - passage.start, cell.value.end - passage.start
            assert cell.value.text == passage.text[begin:last] == cell.value.text.strip() != ""
            assert start <= cell.value.start < cell.value.end <= end


def test_each_cell_of_a_markdown_table_has_its_label_and_its_header() -> None:
    made = table(MARKDOWN)
    assert said(made) == {"H100": ["Memory (GB): 80", "Power: 700 W"], "H200": ["Memory (GB): 141"]}
    check(passages(MARKDOWN)[0], made)


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("***80 GB***", "80 GB"),
        ("`80 GB`", "80 GB"),
        ('<span class="x">80 GB</span>', "80 GB"),
        ('[80 GB](https://example.com "a title")', "80 GB"),
        ("80 GB<sup>[2]</sup>", "80 GB"),
        ("80 GB*", "80 GB"),
        ("80 GB<br>94 GB", "80 GB<br>94 GB"),
        ("**80** or **94**", "**80** or **94**"),
        ("256*256", "256*256"),
        ("80 \\| 94 GB", "80 \\| 94 GB"),
        ("none", "none"),
    ],
)
def test_marks_around_a_cell_fall_away_and_marks_within_it_stay(written: str, text: str) -> None:
    (row,) = table(f"| GPU | A | B |\n|---|---|---|\n| H100 | {written} | 1 |\n").rows.values()
    assert words(row) == ["H100", text, "1"]


@pytest.mark.parametrize("nothing", ["", "—", "--", "N/A", "?", "TBD", "not disclosed", "&mdash;", "(n/a)"])
def test_a_cell_that_tells_of_no_value_is_none_and_moves_no_other(nothing: str) -> None:
    assert said(table(f"| GPU | A | B |\n|---|---|---|\n| H100 | {nothing} | 700 W |\n")) == {"H100": ["B: 700 W"]}


def test_a_header_reads_as_the_page_shows_it() -> None:
    made = table(
        "| **Chip** | Memory<br>(GB) | [Power](x.md)&nbsp;`W` | a\\|b |\n|---|---|---|---|\n| H100 | 8 | 7 | 1 |\n"
    )
    assert made.headers == ("Chip", "Memory (GB)", "Power W", "a|b")
    made = table("| Chip | Memory | Power |\n|---|---|---|\n| | (GB) | W |\n| H100 | 80 | 700 |\n")
    assert said(made) == {"H100": ["Memory (GB): 80", "Power (W): 700"]}


def test_a_line_with_only_a_label_heads_the_rows_below_unless_it_is_a_product_among_products() -> None:
    made = table(
        "| Metric | H100 |\n|---|---|\n| TDP | 700 W |\n| **Memory** | |\n| Size | 80 GB |\n| Width | 5120 bit |\n"
    )
    assert [(words(n)[0], [k.text for k in n.keys]) for n in made.rows.values()] == [
        ("TDP", ["Metric"]),
        ("Size", ["Memory", "Metric"]),
        ("Width", ["Memory", "Metric"]),
    ]
    made = table("| Chip | Memory |\n|---|---|\n| H100 | 80 GB |\n| MI300X | |\n| H200 | 141 GB |\n")
    assert said(made) == {"H100": ["Memory: 80 GB"], "MI300X": [], "H200": ["Memory: 141 GB"]}


def test_a_label_written_once_for_its_group_is_that_of_the_rows_below() -> None:
    made = table(
        "| Chip | Form | Memory |\n|---|---|---|\n| H100 | SXM | 80 GB |\n| | PCIe | 94 GB |\n| | 640 GB | |\n"
    )
    assert [words(n) for n in made.rows.values()] == [["H100", "SXM", "80 GB"], ["H100", "PCIe", "94 GB"], ["640 GB"]]


def test_a_header_repeated_within_a_table_is_no_row() -> None:
    made = table("| Chip | Memory |\n|---|---|\n| H100 | 80 GB |\n| Chip | Memory |\n| H200 | 141 GB |\n")
    assert list(said(made)) == ["H100", "H200"]


def test_later_parts_of_a_long_table_have_its_headers_and_its_section() -> None:
    made = tables("# Doc\n\n" + LONG)
    assert len(made) > 2
    assert {g.headers for g in made} == {("GPU", "Memory", "Note")}
    assert [words(n)[1] for g in made for n in g.rows.values()] == [f"{n} GB" for n in range(1, 90)]
    alone = read(passages("# Doc\n\n" + LONG)[1])
    assert alone is not None
    assert alone.headers == ("GPU", "Memory", "Note")
    rows = "".join(f"| row{n} | {n} GB one two three four five |\n" for n in range(1, 60))
    made = tables("| Metric | H100 |\n|---|---|\n| **With sparsity** | |\n" + rows)
    assert {n.keys[0].text for g in made for n in g.rows.values()} == {"With sparsity"}


def test_the_cells_of_a_row_that_was_cut_are_not_stated() -> None:
    long_cell = " ".join(["word"] * 400)
    made = tables(
        f"| GPU | Note | Memory |\n|---|---|---|\n| H100 | {long_cell} | 80 GB |\n| H200 | short | 141 GB |\n"
    )
    assert [words(n) for g in made for n in g.rows.values() if n.children] == [["H200", "short", "141 GB"]]


def test_what_is_no_table_is_not_read() -> None:
    passage = passage_of("| a | b |")
    assert read(replace(passage, role=Role.BODY)) is None
    assert read(replace(passage, sentences=())) is None


@pytest.mark.parametrize("read_html", [html, lambda text: table("Below:\n\n" + text + "\n")])
def test_html_cells_that_span_rows_and_columns_count_for_each(read_html: object) -> None:
    assert callable(read_html)
    made = read_html(SPANNING)
    assert made.headers == ("Chip", "Peak (TFLOPS) dense", "Peak (TFLOPS) sparse")
    assert [words(n) for n in made.rows.values()] == [
        ["H100", "989", "1,979"],
        ["H100", "756"],
        ["H200", "same", "same"],
    ]


def test_html_without_a_marked_header_is_read_by_where_words_stand() -> None:
    corner = "<table><tr><td></td><th>H100</th><th>H200</th></tr><tr><td>Memory</td><td>80 GB</td><td>141 GB</td></tr></table>"
    assert said(html(corner)) == {"Memory": ["H100: 80 GB", "H200: 141 GB"]}
    cells = "</td><td>".join
    rows = [cells(["Chip", "Memory", "Power"]), cells(["H100", "80 GB", "700 W"])]
    made = html(f"<table><tr><td>{rows[0]}</td></tr><tr><td>{rows[1]}</td></tr></table>")
    assert said(made) == {"H100": ["Memory: 80 GB", "Power: 700 W"]}
    listed = "<tr><th colspan=2>Memory</th></tr><tr><td>Size</td><td>80 GB</td></tr><tr><th colspan=2>Power</th></tr><tr><td>TDP</td><td>700 W</td></tr>"
    made = html(f"<table>{listed}</table>")
    assert [(n.keys[0].text, words(n)) for n in made.rows.values()] == [
        ("Memory", ["Size", "80 GB"]),
        ("Power", ["TDP", "700 W"]),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Spec\tH100\tTPU v5p\nMemory\t80 GB\t95 GB\nMaker\tNVIDIA\tGoogle\nPower\t700 W\tn/a\n",
        "Spec      H100    TPU v5p\nMemory    80 GB   95 GB\nMaker     NVIDIA  Google\nPower     700 W   n/a\n",
        "Spec | H100 | TPU v5p\nMemory | 80 GB | 95 GB\nMaker | NVIDIA | Google\nPower | 700 W | n/a\n",
    ],
)
def test_text_parted_by_tabs_or_wide_blanks_or_bars_keeps_its_cells(text: str) -> None:
    assert said(table(text, "a.txt")) == {
        "Memory": ["H100: 80 GB", "TPU v5p: 95 GB"],
        "Maker": ["H100: NVIDIA", "TPU v5p: Google"],
        "Power": ["H100: 700 W"],
    }


FLAT = """Property AMD MI300X Google TPU v5e
Kind Accelerator with chiplets Inference ASIC
Memory (per chip/node) 192GB HBM3 128GB (8-chip config)
Generation ~2,900 tokens/sec ~2,150 tokens/sec
Utilization (MFU) ~41% ~47%
Price per hour (8-chip) $16.00 - $24.00 $9.60 - $11.20
"""


def test_a_table_that_lost_its_columns_is_told_by_names_and_values() -> None:
    expected = {
        "": [],
        "Memory (per chip/node)": ["AMD MI300X: 192GB HBM3", "Google TPU v5e: 128GB (8-chip config)"],
        "Generation": ["AMD MI300X: ~2,900 tokens/sec", "Google TPU v5e: ~2,150 tokens/sec"],
        "Utilization (MFU)": ["AMD MI300X: ~41%", "Google TPU v5e: ~47%"],
        "Price per hour (8-chip)": ["AMD MI300X: $16.00 - $24.00", "Google TPU v5e: $9.60 - $11.20"],
    }
    assert said(table(FLAT, "a.txt")) == expected
    paged = pdf_of("# A note\n\nTwo chips are compared in this note, in their figures.\n\n" + FLAT)
    assert said(table(paged, "a.pdf")) == expected


@pytest.mark.parametrize(
    ("row", "cells"),
    [
        ("TDP up to 700 W 300 W", ["TDP", "up to 700 W", "300 W"]),
        ("Boards 8 x 80 GB 4 x 95 GB", ["Boards", "8 x 80 GB", "4 x 95 GB"]),
        ("Sparse 1,979 TFLOPS N/A", ["Sparse", "1,979 TFLOPS"]),
        ("Predecessor memory A100 80GB 40 GB 32 GB", ["Predecessor memory A100 80GB", "40 GB", "32 GB"]),
        ("Type General Purpose GPU AI-Specific ASIC", []),
        ("Memory 80 GB", []),
        ("Memory 80 GB 94 GB 95 GB", []),
        ("PCIe 5 yes 128 GB/s", []),
        ("80 GB 95 GB", []),
        ("Memory (80 GB 95 GB", []),
    ],
)
def test_a_flat_row_has_a_cell_for_each_column_or_none_at_all(row: str, cells: list[str]) -> None:
    made = read(passage_of(f"Feature H100 TPU v5p\n{row}", rows_from=1))
    assert made is not None
    assert words(next(iter(made.rows.values()))) == cells


@given(ODD, st.one_of(st.just(""), ODD), st.integers(0, 2))
def test_every_cell_stands_verbatim_in_its_row_whatever_the_text(text: str, context: str, rows_from: int) -> None:
    passage = passage_of(text, context=context, rows_from=rows_from)
    made = read(passage)
    assert (made is None) == (not passage.sentences)
    if made is not None:
        check(passage, made)


def test_every_row_of_the_corpus_is_kept_with_its_headers() -> None:
    rows = 0
    for path in find_files(ROOT / "corpus" / "sources"):
        each = [p for p in split(read_file(path)) if p.role is Role.TABLE]
        made = read_tables(each, shipped_domain())
        for passage in each:
            check(passage, made[passage.ordinal])
            assert made[passage.ordinal].headers, f"{passage.id} has no headers"
            assert len(made[passage.ordinal].rows) == len(passage.sentences)
            assert all(node.row for node in made[passage.ordinal].rows.values())
            rows += len(passage.sentences)
    assert rows > 300


@pytest.mark.parametrize("filling", ["| ", "[a](", "<a ", "*", "(", "1 ", "~1", "\t", "a  ", "\\|", "&amp;", "[^"])
def test_a_line_of_any_length_takes_time_in_proportion(filling: str) -> None:
    def read_long(count: int) -> object:
        return read(passage_of(filling * count + "\nb 1 GB 2 GB", context="Feature H100 H200"))

    assert grows_in_proportion(read_long, 5_000)


GROUPED = """| GPU | Variant | Memory |
|---|---|---|
| H100 | SXM | 80 GB |
| | PCIe | 80 GB |
| | NVL | 94 GB |

| Card | Spec | Value |
|---|---|---|
| **H200** | Memory | 141 GB |
| | TDP | 700 W |

| | Memory | TDP |
|---|---|---|
| **Gaudi 3** | | |
| HL-325L | 128 GB | 900 W |
| **MI300X** | | |
| OAM | 192 GB | 750 W |
"""


def test_a_row_goes_on_with_the_product_and_the_variant_that_its_group_names() -> None:
    read = [(s, m, v) for s, m, v, _ in sure("a.md", GROUPED) if m in ("memory_capacity", "tdp")]
    assert read == [
        ("nvidia-h100-sxm", "memory_capacity", 80e9),
        ("nvidia-h100-pcie", "memory_capacity", 80e9),
        ("nvidia-h100-nvl", "memory_capacity", 94e9),
        ("nvidia-h200", "memory_capacity", 141e9),
        ("nvidia-h200", "tdp", 700),
        ("intel-gaudi-3-oam", "memory_capacity", 128e9),
        ("intel-gaudi-3-oam", "tdp", 900),
        ("amd-mi300x", "memory_capacity", 192e9),
        ("amd-mi300x", "tdp", 750),
    ]


@pytest.mark.parametrize(
    ("heading", "header", "row", "expected"),
    [
        ("NVLink generations", "GPU | Total GPU BW", "H100 | 900 GB/s", ("nvidia-h100", "interconnect_bandwidth", "")),
        (
            "GPUs",
            "GPU | Bandwidth (bidirectional)",
            "H100 | 900 GB/s",
            ("nvidia-h100", "interconnect_bandwidth", "both"),
        ),
        ("NVLink generations", "GPU | Memory BW", "H100 | 3.35 TB/s", ("nvidia-h100", "memory_bandwidth", "")),
        ("Compute servers", "GPU | Memory bandwidth", "H100 | 3.35 TB/s", ("nvidia-h100", "memory_bandwidth", "")),
        ("TPUs", "TPU | HBM bandwidth", "v5e | 819 GB/s |\n| v2 | 700 GB/s", ("google-tpu-v2", "memory_bandwidth", "")),
    ],
)
def test_a_heading_tells_what_an_open_label_is_of(
    heading: str, header: str, row: str, expected: tuple[str, str, str]
) -> None:
    text = f"# Links\n\n## {heading}\n\n| {header} |\n|---|---|\n| {row} |\n"
    claim = claims("x.md", text)[-1]
    assert (claim.subject, claim.metric, claim.qualifier("direction")) == expected
    assert not claim.doubt
    assert not claim.qualifier("aggregation")
