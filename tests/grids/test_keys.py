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
        ("x.csv", "chip,fp16bf16_dense_tflops\nH100,989\n", [("nvidia-h100", "peak_compute", 989e12, {"dtype": "fp16", "sparsity": "dense"})]),
        ("x.csv", "chip,compute_dies,memory_gb\nH100,1,80\n", [("nvidia-h100", "cores_per_chip", 1.0, {}), MEMORY]),
        ("x.csv", "name,short_name,memory_gb\nB200 (in GB200 NVL72),B200 NVL72,186\n", [("nvidia-gb200-gpu", "memory_capacity", 186e9, {})]),
        ("x.go", "var g = map[string]Spec{\n  ModelH100: {memoryBytes: 80000000000},\n}\n", [MEMORY]),
        ("x.ts", "interface T {\n  fp64Vector: number; // TFLOPS\n}\nconst c = [{ name: 'MI210', throughput: { fp64Vector: 22.6 } }];\n",
         [("amd-mi210", "peak_compute", 22.6e12, {"dtype": "fp64", "engine": "vector"})]),
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
        ("x.yaml", "H100:\n  nvlink_bw_gbps: 900\n"),
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
    with pytest.raises(SourceUnreadable, match="aren't supported"):
        read_bytes(b"x = 1", name="x.lua", origin="x.lua")


def test_a_cell_is_as_precise_as_it_is_written() -> None:
    table = """| Parameter | H200 (SXM) | B300 (Blackwell Ultra) |
|---|---|---|
| Tensor cores | 528 (4th gen) | 640 (5th gen) |
| SM | 132 | 160 |
| FP8 TFLOPS | ~1,980 | 4,500 |
| Transistors | ~80 B | 208B |
| Memory | 141 GB | 288 GB x 72 = 20.7 TB |
| Cloud $/hr | $1.50-3.10 | $4 |
| Compute vs H100 | 1.0x | 2.3x |
"""
    read = claims("x.md", table)
    found = [
        (c.subject, c.metric, *(float(f"{x:.9g}") for x in (c.quantity.low, c.quantity.high)))
        for c in read
        if c.quantity
    ]
    h200, b300 = "nvidia-h200-sxm", "nvidia-b300"
    assert sorted(found) == sorted(
        [
            (h200, "cores_per_chip", 527.5, 528.5),
            (b300, "cores_per_chip", 639.5, 640.5),
            (h200, "cores_per_chip", 131.5, 132.5),
            (b300, "cores_per_chip", 159.5, 160.5),
            (h200, "peak_compute", 0.95 * 1980e12 - 0.5e12, 1.05 * 1980e12 + 0.5e12),
            (b300, "peak_compute", 4499.5e12, 4500.5e12),
            (h200, "transistor_count", 0.95 * 80e9, 1.05 * 80e9),
            (b300, "transistor_count", 207.5e9, 208.5e9),
            (h200, "memory_capacity", 140.5e9, 141.5e9),
            (b300, "memory_capacity", 20.65e12, 20.75e12),
            (h200, "price_per_hour", 1.50, 3.10),
            (b300, "price_per_hour", 4.0, 4.0),
            (h200, "peak_compute", 0.95, 1.05),
            (b300, "peak_compute", 2.25, 2.35),
        ]
    )
    assert {c.baseline for c in read if c.metric == "peak_compute" and c.baseline} == {"nvidia-h100"}


CELLS = """# TPU generations and GPUs

| Chip | FP16 (TFLOPS) | FP16 Tensor Core (TFLOPS) | NVLink |
|---|---|---|---|
| A100 (Apr 2025) | 78 | 312 (sparse: 624) | 600 GB/s |
| RTXPro6000 | 126 | 504 / 1008 (sparse) | - |
| v5p | - | 459 TFLOPS | - |
| v4 | - | 275 | - |
"""


def test_each_figure_of_a_cell_is_a_claim_and_neighbors_tell_which_engine_and_density_it_is_of() -> None:
    read = [(s, v, q.get("engine"), q.get("sparsity")) for s, m, v, q in sure("x.md", CELLS) if m == "peak_compute"]
    assert read == [
        ("nvidia-a100", 78e12, "vector", None),
        ("nvidia-a100", 312e12, "matrix", "dense"),
        ("nvidia-a100", 624e12, "matrix", "2:4"),
        ("nvidia-rtx-pro-6000", 126e12, "vector", None),
        ("nvidia-rtx-pro-6000", 504e12, "matrix", "dense"),
        ("nvidia-rtx-pro-6000", 1008e12, "matrix", "2:4"),
        ("google-tpu-v5p", 459e12, "matrix", None),
        ("google-tpu-v4", 275e12, "matrix", None),
    ]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("x.yaml", 'B200:\n  fp8_tflops: 4500\n  note: "2x H100 compute with sparsity"\n'),
        ("x.py", 'B200 = {\n  "fp8_tflops": 4500,  # with sparsity: 9000\n}\n'),
        ("x.py", 'B200 = {\n  # sheets give it with sparsity\n  "fp8_tflops": 9000 / 2,\n}\n'),
    ],
)
def test_a_remark_on_another_figure_sets_nothing_of_this_one(name: str, text: str) -> None:
    ((subject, _, value, axes),) = sure(name, text)
    assert (subject, value, axes) == ("nvidia-b200", 4500e12, {"dtype": "fp8"})


@pytest.mark.parametrize(
    "text",
    ['FREQ_LIMIT_MEMORY = {"H100": "1593"}\n', 'H100 = {"hbm_stacks": 5}\n', "H100_FLOPS = 512 * max_units * 10**6\n"],
)
def test_a_word_of_the_key_that_is_of_another_quantity_is_heeded(text: str) -> None:
    assert [m for _, m, *_ in sure("x.py", text) if m in ("memory_capacity", "peak_compute")] == []


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("x.csv", "spec,NVIDIA H100 for PCIe\nTDP (W),350\n", ("nvidia-h100-pcie", "tdp", 350.0)),
        ("x.csv", "spec,H200 NVL for PCIe\nTDP (W),600\n", ("nvidia-h200-nvl", "tdp", 600.0)),
        ("x.yaml", "- gpu: H100\n  form: PCIe\n  tdp_w: 310\n", ("nvidia-h100-pcie", "tdp", 310.0)),
        ("x.yaml", "- resource: L40S\n  vram_gb: 48\n", ("nvidia-l40s", "memory_capacity", 48e9)),
        ("x.csv", "chip,HBM BW/chip\nA100,1.6e12\n", ("nvidia-a100", "memory_bandwidth", 1.6e12)),
        ("x.csv", "chip,FLOPs/s/chip (bf16)\nA100,3e14\n", ("nvidia-a100", "peak_compute", 3e14)),
        ("x.csv", "chip,GFLOPS32/W\nA100,50\n", ("nvidia-a100", "performance_per_watt", 50e9)),
        ("x.csv", "chip,晶体管数量(亿)\nA100,540\n", ("nvidia-a100", "transistor_count", 54e9)),
        ("x.ts", "const c = { B300: { computeCapability: 10.3 } };\n", ("nvidia-b300", "compute_capability", 10.3)),
        (
            "x.py",
            'A = [Gpu(name="A40", cc=(8, 6), compute_capability=(8, 6))]\n',
            ("nvidia-a40", "compute_capability", 8.6),
        ),
    ],
)
def test_the_labels_of_a_cell_tell_its_variant_scope_and_metric(
    name: str, text: str, expected: tuple[str, str, float]
) -> None:
    assert expected in [(c.subject, c.metric, c.quantity.middle) for c in claims(name, text) if c.quantity is not None]


@pytest.mark.parametrize("key", ["price (₹/hr)", "price per hour (£)", "hourly price €", "cost_inr_per_hour"])
def test_a_price_in_another_currency_is_none_in_dollars(key: str) -> None:
    assert [c.metric for c in claims("x.csv", f"chip,{key}\nH100,2.4\n")] == []


def test_a_bare_bandwidth_that_is_too_small_for_its_unit_is_in_the_next_larger_one() -> None:
    (claim,) = claims("x.csv", "chip,memory bandwidth\nH200,4.7\n")
    assert claim.quantity is not None
    assert claim.quantity.middle == 4.7e12
    assert claim.doubt


@pytest.mark.parametrize(
    ("label", "dtype"),
    [
        ("TFLOPS32", "fp32"),
        ("TFLOPS16", "fp16"),
        ("FP16 (TFLOPS)(FP32累计)", "fp16"),
        ("BF16 (FP32 accumulate)", "bf16"),
    ],
)
def test_a_format_that_runs_into_a_unit_or_a_word_is_read(label: str, dtype: str) -> None:
    (claim,) = claims("x.csv", f"chip,{label}\nA100,20\n")
    assert dict(claim.qualifiers)["dtype"] == dtype


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("x.csv", "spec,H100\nFP8 Tensor (TFLOPS),1900\nFP8 Tensor (TFLOPS)*,3800\n"),
        ("x.md", "|spec|H100|\n|--|--|\n|FP8 Tensor (TFLOPS)|1900|\n|FP8 Tensor (TFLOPS)*|3800|\n"),
    ],
)
def test_a_star_behind_a_row_s_label_marks_the_sparse_one_of_two(name: str, text: str) -> None:
    found = claims(name, text)
    assert [dict(c.qualifiers)["sparsity"] for c in found] == ["dense", "2:4"]


def test_the_comments_of_declared_fields_go_by_name_where_a_record_has_names() -> None:
    text = """export interface Rates { a: number; // TFLOPS
  b: number; // TOPS, 2:4 sparsity
}
export const cards: Card[] = [{ name: "MI210", rates: { fp32: 22.6 /* TFLOPS */ } }];
"""
    (claim,) = [c for c in claims("x.ts", text) if c.quantity is not None]
    assert claim.qualifier("sparsity") == ""


@pytest.mark.parametrize(
    ("text", "dtype", "scope"),
    [
        ("chip,FP8/INT8 TFLOPS\nH100,1979\n", "fp8|int8", ""),
        ("chip,FP16/BF16 TFLOPS\nH100,989\n", "fp16", ""),
        ("chip,bf16 tflops per NeuronCore\nTrainium2,83.4\n", "bf16", "core"),
    ],
)
def test_a_label_may_name_two_formats_or_a_core(text: str, dtype: str, scope: str) -> None:
    (claim,) = claims("x.csv", text)
    assert (claim.metric, claim.qualifier("dtype"), claim.qualifier("aggregation")) == ("peak_compute", dtype, scope)
    assert not claim.doubt
