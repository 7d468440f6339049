"""`check` on CSV, JSON and YAML: each cell is a claim, and a finding stands at the line and column of its cell."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from chipwise.knowledge import KnowledgeFolder

from ..conftest import Chipwise
from .checked_base import SHEET, base_on, draft

kb = base_on({"sheet.md": SHEET})

CSV = 'vendor,chip,memory_gb,"note, if any"\nNVIDIA,"H200","170",""\nNVIDIA,V100,99,\n'
YAML = """# what we sell
chips:
  - name: H200
    memory:
      capacity: {value: 170, unit: GB}
  - name: V100
    price_per_hour_usd: 3
"""
JSON = '{"maker": "NVIDIA",\n\t"H200": {"memory_gb": 170, "peak": {"bf16_dense_tflops": 989}}}'
MINIFIED = json.dumps(
    {"chips": [{"id": n, "note": "x" * 300} for n in range(20)] + [{"name": "H200", "memory_gb": 170}]}
)


def checked(chipwise: Chipwise, kb: KnowledgeFolder, file: Path) -> dict[str, Any]:
    value: dict[str, Any] = json.loads(chipwise("check", "--json", str(file), kb=kb).stdout)
    return value


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("chips.csv", CSV),
        ("chips.tsv", CSV.replace(",", "\t")),
        ("chips.yaml", YAML),
        ("chips.json", JSON),
        ("chips.yml", MINIFIED),
        ("h200.yaml", "memory_gb: 170\n"),
    ],
)
def test_a_wrong_cell_is_found_where_it_stands(
    chipwise: Chipwise, kb: KnowledgeFolder, tmp_path: Path, name: str, text: str
) -> None:
    file = draft(tmp_path, text, name)
    (finding,) = checked(chipwise, kb, file)["findings"]
    (own,) = (e for e in finding["evidence"] if e["origin"] == str(file))
    first, last = own["mark"]
    assert own["quote"][first:last] == "170"
    assert own["quote"] == text[own["start"] : own["end"]], "it stands verbatim in the file"
    assert text.split("\n")[own["line"] - 1][own["column"] - 1 :].startswith("170")
    assert finding["code"] == "CW701"
    assert len(own["quote"]) < 200
    assert f"{file}:{own['line']}" in finding["explanation"]


def test_every_cell_is_judged(chipwise: Chipwise, kb: KnowledgeFolder, tmp_path: Path) -> None:
    judgements = checked(chipwise, kb, draft(tmp_path, CSV, "chips.csv"))["judgements"]
    told = [(j["claim"]["line"], j["reading"], j["standing"]) for j in judgements if "memory" in j["reading"]]
    assert told == [
        (2, "NVIDIA H200, memory capacity: 170 GB", "contradicted"),
        (3, "NVIDIA V100, memory capacity: 99 GB", "not in the knowledge base"),
    ]


@pytest.mark.parametrize(
    ("field", "reading"),
    [
        ("memory_gb", "memory capacity: 170 GB"),
        ("memoryGB", "memory capacity: 170 GB"),
        ("hbm capacity gb", "memory capacity: 170 GB"),
        ("tdp_w", "thermal design power (TDP): 170 W"),
        ("tdpWatts", "thermal design power (TDP): 170 W"),
        ("memory_bandwidth_tb_s", "memory bandwidth: 170 TB/s"),
        ("bf16_dense_tflops", "peak compute: 170 TFLOPS"),
        ("price_per_hour_usd", "rental price: 170 USD/hour"),
    ],
)
def test_the_unit_of_a_field_goes_to_its_number(
    chipwise: Chipwise, kb: KnowledgeFolder, tmp_path: Path, field: str, reading: str
) -> None:
    judgements = checked(chipwise, kb, draft(tmp_path, f"chip,{field}\nH200,170\n", "c.csv"))["judgements"]
    assert [j["reading"] for j in judgements] == [f"NVIDIA H200, {reading}"]


def test_small_letters_do_not_tell_bits_from_bytes(chipwise: Chipwise, kb: KnowledgeFolder, tmp_path: Path) -> None:
    text = "chip,memory_bandwidth_gbps\nH200,4800\n"
    value = checked(chipwise, kb, draft(tmp_path, text, "c.csv"))
    assert [j["reading"] for j in value["judgements"] if "Gbps" in j["reading"]] == []


def test_a_comment_in_yaml_ignores_the_line_it_is_on_or_the_one_below(
    chipwise: Chipwise, kb: KnowledgeFolder, tmp_path: Path
) -> None:
    behind = "chip: H200\nmemory_gb: 170  # chipwise: ignore CW701: a leak\n"
    above = "chip: H200\n# chipwise: ignore CW701: a leak\nmemory_gb: 170\n"
    too_early = "# chipwise: ignore CW701: a leak\nchip: H200\nmemory_gb: 170\n"
    codes = [
        chipwise("check", str(draft(tmp_path, text, "c.yaml")), kb=kb).exit_code for text in (behind, above, too_early)
    ]
    assert codes == [0, 0, 1]


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.json", '{"a": 1,\n "b": }', "a.json:2:7: Expecting value"),
        ("a.yaml", "a: [1, 2\nb: 3\n", "a.yaml:2:"),
        ("a.csv", ",,\n", "a.csv holds no values"),
        ("a.json", "[" * 100_000 + "]" * 100_000, "nested too deeply"),
        (
            "a.yaml",
            "a: &a [x, x, x, x, x, x, x, x, x, x]\n"
            + "".join(
                f"{name}: &{name} [{', '.join([f'*{before}'] * 10)}]\n"
                for before, name in zip("abcdef", "bcdefg", strict=True)
            ),
            "over 200,000 cells",
        ),
    ],
)
def test_a_file_that_breaks_its_format_is_told_with_the_place(
    chipwise: Chipwise, kb: KnowledgeFolder, tmp_path: Path, name: str, text: str, said: str
) -> None:
    result = chipwise("check", str(draft(tmp_path, text, name)), kb=kb)
    assert result.exit_code == 2
    assert said in result.stderr


def test_an_alias_that_holds_itself_ends(chipwise: Chipwise, kb: KnowledgeFolder, tmp_path: Path) -> None:
    text = "chip: &h\n  name: H200\n  memory_gb: 170\n  again: *h\n"
    assert chipwise("check", str(draft(tmp_path, text, "a.yaml")), kb=kb).exit_code == 1


def test_changed_cells_alone_are_judged(chipwise: Chipwise, kb: KnowledgeFolder, tmp_path: Path) -> None:
    from chipwise import KnowledgeBase

    file = draft(tmp_path, "chip,memory_gb\nH200,170\nV100,99\n", "c.csv")
    found = [KnowledgeBase(kb.folder).check(file, lines={line}) for line in (2, 3)]
    assert [[f.evidence[0].line for f in audit.findings] for audit in found] == [[2], []]
    assert [[j.claim.line for j in audit.judgements] for audit in found] == [[2], [3]]


def test_chips_may_head_the_columns_as_well(chipwise: Chipwise, kb: KnowledgeFolder, tmp_path: Path) -> None:
    file = draft(tmp_path, "spec,H200,V100\nMemory (GB),170,32\nTDP (W),700,300\n", "c.csv")
    (finding,) = checked(chipwise, kb, file)["findings"]
    own = finding["evidence"][0]
    assert (own["line"], own["column"]) == (2, 13)
