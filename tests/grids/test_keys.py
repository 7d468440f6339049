"""Constants in files and code: subject, metric, value and axes by the labels around them, whatever the syntax."""

from __future__ import annotations

import pytest

from chipwise.claims.extract import extract_document
from chipwise.claims.model import Claim
from chipwise.domain.files import shipped_domain
from chipwise.errors import SourceUnreadable
from chipwise.reading import read_bytes
from chipwise.splitting import split

Sure = tuple[str, str, float, dict[str, str]]
DENSE: Sure = ("nvidia-h100", "peak_compute", 989e12, {"dtype": "bf16", "sparsity": "dense"})
MEMORY: Sure = ("nvidia-h100", "memory_capacity", 80e9, {})


def claims(name: str, text: str, *, unplaced: bool = False) -> list[Claim]:
    document = read_bytes(text.encode(), name=name, origin=name)
    found = extract_document(document, split(document), shipped_domain(), unplaced=unplaced)[1]
    for claim in found:
        assert document.text[claim.start : claim.end].strip() == document.text[claim.start : claim.end]
        assert claim.start <= claim.value_start < claim.value_end <= claim.end
    return found


def sure(name: str, text: str) -> list[Sure]:
    return [
        (
            c.subject,
            c.metric,
            c.quantity.middle,
            {a: v for a, v in c.qualifiers if a in ("dtype", "sparsity", "direction", "engine")},
        )
        for c in claims(name, text)
        if c.quantity is not None and not c.doubt
    ]


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("x.py", 'PEAK = {\n    "H100": 989e12,  # dense bf16\n}\n', [DENSE]),
        ("x.py", 'def peak(n):\n    # FLOP/s, dense BF16\n    if "H100" in n:\n        return 989e12\n', [DENSE]),
        ("x.py", 'def peak(n):\n    match n:\n        case "H100":\n            return 989 * TFLOPS  # bf16 dense\n', [DENSE]),
        ("x.py", "TERA = 1e12\nclass H100:\n    dense_bf16_flops: float = 989 * TERA\n", [DENSE]),
        ("x.py", 'class Card(NamedTuple):\n    name: str\n    vram: int  # GB\nC = [Card("H100", 80)]\n', [MEMORY]),
        ("x.rs", 'fn peak(n: &str) -> f64 {\n  match n {\n    "H100" => 989e12, // BF16, dense, FLOP/s\n    _ => 0.0,\n  }\n}\n', [DENSE]),
        ("x.rs", "const H100_DENSE_BF16_TFLOPS: f64 = 989.0;\n", [DENSE]),
        ("x.go", 'var gpus = map[string]GPU{\n  "H100": {Memory: 80 * GB},\n}\n', [MEMORY]),
        ("x.go", 'switch n {\ncase "H100":\n  return 989e12 // FLOPS, dense bf16\n}\n', [DENSE]),
        ("x.ts", 'const cards = [{ name: "H100", vram: 80 /* GB */ }];\n', [MEMORY]),
        ("x.js", 'if (name.includes("H100")) {\n  vramGb = 80\n} else {\n  vramGb = 0\n}\n', [MEMORY]),
        ("x.h", 'struct card { const char *name; int vram_gb; };\nstruct card cards[] = {{"H100", 80}};\n', [MEMORY]),
        ("x.h", "#define H100_VRAM_GB 80\n", [MEMORY]),
        ("x.toml", '[gpu.h100]\nmemory_gb = 80\n', [MEMORY]),
        ("x.yaml", "H100:\n  mem_bytes: 80000000000\n", [MEMORY]),
        ("x.csv", "chip,memory (GB)\nH100,80\n", [MEMORY]),
        ("x.csv", "spec,H100\nmemory (GB),80\n", [MEMORY]),
        ("x.json", '{"H100": {"memory": {"value": 80, "unit": "GB"}}}', [MEMORY]),
        ("x.json", '{"name": "H100", "memory": "80 GB"}', [MEMORY]),
        ("h100.yaml", "dram_size: 80000000000\n", [MEMORY]),
    ],
)  # fmt: skip
def test_a_constant_is_read_in_any_syntax(name: str, text: str, expected: list[Sure]) -> None:
    assert sure(name, text) == expected


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("x.yaml", "H100:\n  nvlink_version: 4\n"),
        ("x.yaml", "H100:\n  other_mem: 2828486144\n"),
        ("x.yaml", "H100:\n  mem_bw_gbps: 3350\n"),
        ("x.yaml", "H100:\n  mem_bw: 3350\n"),
        ("x.yaml", "- model: Zorgon X900\n  memory_gb: 80\n"),
        ("x.yaml", "- model: H100 Zorgon\n  memory_gb: 80\n"),
        ("x.py", 'if "H100" not in name:\n    vram_gb = 24\n'),
    ],
)
def test_what_the_labels_leave_open_is_not_guessed(name: str, text: str) -> None:
    assert sure(name, text) == []


def test_rows_say_nothing_about_each_other() -> None:
    rows = "chip,metric,TFLOPS\nH100,FP16 Tensor Core with sparsity,1979\nH100,FP32,67\n"
    assert [(v, q.get("dtype"), q.get("sparsity")) for *_, v, q in sure("x.csv", rows)] == [
        (1979e12, "fp16", "2:4"),
        (67e12, "fp32", None),
    ]


def test_the_nearer_label_is_the_one_that_counts() -> None:
    text = '# BF16\nPEAK_TFLOPS = {\n    "H100": {"fp8": 1979, "bf16": 989},\n    "A100": 312,  # fp16\n}\n'
    assert [(s, v, q["dtype"]) for s, _, v, q in sure("x.py", text)] == [
        ("nvidia-h100", 1979e12, "fp8"),
        ("nvidia-h100", 989e12, "bf16"),
        ("nvidia-a100", 312e12, "fp16"),
    ]


def test_a_format_without_a_reader_is_said() -> None:
    with pytest.raises(SourceUnreadable, match="is not read"):
        read_bytes(b"x = 1", name="x.lua", origin="x.lua")
