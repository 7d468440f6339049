"""Records of code as people write them: names without their line, values in calls, several chips in one record."""

from __future__ import annotations

import pytest

from chipwise import extract
from tests.grids.test_keys import claims, sure

SKUS = """skus := []Config{
    {SKU: "a", GPUCount: 1, GPUMem: resource.MustParse("80Gi"), GPUModel: "NVIDIA A100"},
    {SKU: "b", GPUCount: 2, GPUMem: resource.MustParse("160Gi"), GPUModel: "NVIDIA A100"},
}
"""
BANDWIDTH = """/// Memory bandwidth in GB/s
fn bandwidth(name: &str) -> Option<f64> {
    // RTX 50 series
    if name.contains("5090") {
        return Some(1792.0);
    }
    // RX 7000 series
    if name.contains("7900 xtx") {
        return Some(960.0);
    }
}
"""
SPECS = '''class TPUSpec:
    link_bandwidth_gbps: float
    """Bandwidth per link in GB/s."""

_TPU_SPECS = {
    Generation.V2: TPUSpec(link_bandwidth_gbps=62.0),
    "v4": TPUSpec(link_bandwidth_gbps=50.0),
}
'''


def test_what_grows_with_the_number_of_chips_is_of_all_of_them() -> None:
    memory = [
        (c.quantity.middle / 2**30, c.qualifiers, c.doubt)
        for c in claims("x.go", SKUS)
        if c.metric == "memory_capacity" and c.quantity
    ]
    assert memory == [(80, (), ""), (160, (("count", "2"),), "")]


def test_one_record_leaves_open_of_how_many_its_memory_is() -> None:
    (memory,) = (
        c
        for c in claims("x.json", '{"gpu": "A100", "gpu_count": 8, "gpu_mem_gb": 640}')
        if c.metric == "memory_capacity"
    )
    assert memory.doubt


def test_a_comment_or_a_variable_completes_a_name() -> None:
    assert [(s, v) for s, _, v, _ in sure("x.rs", BANDWIDTH)] == [
        ("nvidia-rtx-5090", 1792e9),
        ("amd-rx-7900-xtx", 960e9),
    ]


def test_a_text_that_is_copied_is_a_name_all_the_same() -> None:
    code = 'let specs = vec![TpuSpec { name: "v4".to_string(), hbm_gb: 32, bf16_tflops: 275 }];\n'
    assert [(s, v) for s, _, v, _ in sure("x.rs", code)] == [("google-tpu-v4", 32e9), ("google-tpu-v4", 275e12)]


def test_the_text_below_a_field_says_its_unit() -> None:
    assert [(s, v) for s, _, v, _ in sure("x.py", SPECS)] == [("google-tpu-v2", 62e9), ("google-tpu-v4", 50e9)]


def test_flops_name_a_quantity_and_no_unit() -> None:
    (peak,) = claims("x.py", 'C = {"H100": {"Flops": 989}}\n')
    assert peak.metric == "peak_compute"
    assert peak.doubt == "its unit is not stated"


LISTING = """# Cards

The constants that we use:

```python
SPECS = {
    "H100": {"mem_bw": 3350 * 10**9, "FP16": 989e12},
}
```

For the A100:

```
memory_gb: 80
```

{
    "H200": {"memory_gb": 141}
    "B200": {"memory_gb": 192},
}
"""


def test_a_listing_in_a_text_is_read_as_code_with_or_without_a_fence() -> None:
    assert [(s, m, v) for s, m, v, _ in sure("x.md", LISTING)] == [
        ("nvidia-h100", "memory_bandwidth", 3350e9),
        ("nvidia-h100", "peak_compute", 989e12),
        ("nvidia-a100", "memory_capacity", 80e9),
        ("nvidia-h200", "memory_capacity", 141e9),
        ("nvidia-b200", "memory_capacity", 192e9),
    ]


SET = """# Cards

```
Card          BW/Stack   Stacks   Total GPU BW   VRAM     RAM
H100 SXM      670 GB/s   5        3.35 TB/s      80 GB    256 GB
RTX 4060 Ti   -          -        288 GB/s       8/16GB   32 GB
```
"""


def test_a_table_set_with_blanks_in_a_listing_is_read_by_its_header() -> None:
    read = [
        (c.metric, c.quantity.middle, dict(c.qualifiers).get("aggregation"))
        for c in claims("x.md", SET)
        if c.quantity and c.subject == "nvidia-h100-sxm"
    ]
    assert read == [
        ("memory_bandwidth", 670e9, "stack"),
        ("memory_bandwidth", 3.35e12, None),
        ("memory_capacity", 80e9, None),
        ("host_memory", 256e9, None),
    ]
    assert [c.metric for c in claims("x.md", SET) if c.subject == "nvidia-rtx-4060-ti"] == [
        "memory_bandwidth",
        "host_memory",
    ]


FORMATS = """# Specs

| GPU | VRAM | FP64 | FP16 |
|---|---|---|---|
| H100 SXM | 80 GB | 34 | 989 |

- All values are TFLOPS without sparsity
"""


def test_a_column_of_a_number_format_holds_peaks_in_the_unit_that_the_page_says() -> None:
    assert [(v, q) for _, m, v, q in sure("x.md", FORMATS) if m == "peak_compute"] == [
        (34e12, {"dtype": "fp64", "sparsity": "dense"}),
        (989e12, {"dtype": "fp16", "sparsity": "dense"}),
    ]
    assert not [m for _, m, _, _ in sure("x.md", FORMATS.replace("TFLOPS", "peaks")) if m == "peak_compute"]


LOG = """# Serving

Measured on a system with an NVIDIA A100 80GB GPU.

```
python bench.py --model Qwen2-7B-Instruct --num-prompts 10 --random-input-len 1024 --random-output-len 512

Available KV cache memory: 11.03 GiB
Total generated tokens:                  10240
Output token throughput (tok/s):         218.04
```
"""


def test_a_log_is_of_the_chip_of_the_page_under_the_settings_of_its_command() -> None:
    (rate,) = (c for c in claims("x.md", LOG) if c.metric and c.quantity and c.value_start > LOG.index("```"))
    assert (rate.subject, rate.metric, rate.quantity and rate.quantity.middle) == (
        "nvidia-a100-80gb",
        "throughput",
        218.04,
    )
    assert rate.states({"input_length": "1024", "output_length": "512"})


def test_of_a_machine_beside_its_chip_the_price_is_the_machines_and_the_memory_the_chips() -> None:
    offer = '[{"type": "p5.48xlarge", "gpu": "NVIDIA H100", "gpu_memory_gb": 80, "price_per_hour": 55.04}]'
    assert [(s, m) for s, m, _, _ in sure("x.json", offer)] == [
        ("nvidia-h100", "memory_capacity"),
        ("aws-p5", "price_per_hour"),
    ]


def test_what_one_link_has_beside_the_total_leaves_the_total_whole() -> None:
    lines = "# NVLink\n\n- A100 NVLink3 = 300 GB/s: 12 lanes × 25 GB/s\n- H100 NVLink4 = 900 GB/s: 18 lanes × 50 GB/s\n"
    totals = [c for c in claims("x.md", lines) if c.metric == "interconnect_bandwidth"]
    assert totals
    assert not any(c.qualifier("aggregation") == "link" for c in totals)


def test_a_peak_with_its_unit_and_format_is_read_below_a_header_that_is_misspelled() -> None:
    table = "| GPU | FB8 / INT8 |\n|---|---|\n| H100 | 3958 TFLOPS (FP8) |\n"
    assert [(m, v, q["dtype"]) for _, m, v, q in sure("x.md", table)] == [("peak_compute", 3958e12, "fp8")]


def test_a_column_of_output_tokens_a_second_is_a_rate_and_no_output_length() -> None:
    table = "| GPU | batch | output tokens/s |\n|---|---|---|\n| H100 SXM | 64 | 12,400 |\n"
    (rate,) = (claim for claim in extract(f"Llama 3.1 8B on vLLM\n\n{table}") if claim.metric == "throughput")
    assert (rate.qualifier("batch"), rate.qualifier("output_length")) == ("64", "")


def read_of(name: str, text: str) -> list[tuple[str, str, float]]:
    return [(s, m, v) for s, m, v, _ in sure(name, text)]


def test_a_text_of_code_is_read_by_the_words_beside_each_of_its_figures() -> None:
    text = 'export const GPUS = ["RTX 4090 24GB", "H100 SXM 80GB (3.35 TB/s)", "8x A100 80GB server"];\n'
    assert read_of("x.ts", text) == [
        ("nvidia-rtx-4090", "memory_capacity", 24e9),
        ("nvidia-h100-sxm", "memory_capacity", 80e9),
        ("nvidia-h100-sxm", "memory_bandwidth", 3.35e12),
    ]
    assert read_of("x.json", '[{"label": "L40S (48GB GDDR6)"}]') == [("nvidia-l40s", "memory_capacity", 48e9)]


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        (
            "x.py",
            "# H100 SXM: 989 TFLOPS (BF16, dense), 3.35 TB/s\nX = 1\n",
            [("nvidia-h100-sxm", "peak_compute", 989e12), ("nvidia-h100-sxm", "memory_bandwidth", 3.35e12)],
        ),
        (
            "x.yaml",
            "gpus:\n  # 80 GB HBM3 at 3.35 TB/s\n  - name: H100 SXM\n    driver: open\n",
            [("nvidia-h100-sxm", "memory_capacity", 80e9), ("nvidia-h100-sxm", "memory_bandwidth", 3.35e12)],
        ),
        ("x.py", 'class V5P:\n    """TPU v5p.\n\n    95 GB of HBM.\n    """\n', [("google-tpu-v5p", "memory_capacity", 95e9)]),
    ],
)  # fmt: skip
def test_a_comment_states_figures_of_what_it_names_or_stands_beside(
    name: str, text: str, expected: list[tuple[str, str, float]]
) -> None:
    assert read_of(name, text) == expected


@pytest.mark.parametrize(
    "comment",
    [
        "H100 is 3x the A100's 80 GB",
        "H100: 8 * 80 GB = 640 GB",
        "leave 20 GB of the H100 for the cache",
        "the H100 beats the A100's 2 TB/s",
    ],
)
def test_what_a_comment_reckons_compares_or_plans_is_no_figure_of_a_chip(comment: str) -> None:
    assert read_of("x.py", f"# {comment}\nX = 1\n") == []


def test_a_level_of_cache_is_no_memory_and_a_label_that_says_more_is_doubted() -> None:
    rows = "chip,L1 bandwidth (TB/s),peak decode bandwidth (TB/s),bandwidth (TB/s)\nH100 SXM,33,2.6,3.35\n"
    assert read_of("x.csv", rows) == [
        ("nvidia-h100-sxm", "sram_bandwidth", 33e12),
        ("nvidia-h100-sxm", "memory_bandwidth", 3.35e12),
    ]


def test_units_and_formats_that_are_written_into_a_key_are_read() -> None:
    text = 'const c = [{ name: "NVIDIA H20 96G", vramGb: 96, memoryBandwidthGBs: 4000, fp16TFLOPS: 148, peak: { FP8_E4M3: 296, MXFP4: 300 } }];\n'
    assert [(m, v) for _, m, v in read_of("x.ts", text)] == [
        ("memory_capacity", 96e9),
        ("memory_bandwidth", 4000e9),
        ("peak_compute", 148e12),
        ("peak_compute", 296e12),
        ("peak_compute", 300e12),
    ]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("x.json", '{\n  "H100": {\n    "cores": 16896\n    "memory": "80 GB"\n  }\n}\n'),
        ("x.py", 'GPUS = {\n    "H100": {"memory_gb": 80},\n'),
    ],
)
def test_a_file_that_lacks_a_comma_or_its_end_is_read_as_far_as_its_brackets_go(name: str, text: str) -> None:
    assert ("nvidia-h100", "memory_capacity", 80e9) in read_of(name, text)


def test_how_many_gpus_a_server_can_have_leaves_a_chips_memory_its_own() -> None:
    assert ("nvidia-h100", "memory_capacity", 80e9) in read_of(
        "x.json", '{"gpu": "H100", "max_gpus_per_server": 8, "memory_gb": 80}'
    )


def test_a_price_is_the_machines_that_the_key_above_its_record_names() -> None:
    offers = '{"p5.48xlarge": {"gpu_type": "H100", "gpu_count": 8, "gpu_memory_gb": 80, "ondemand_price": 98.32}}'
    assert ("aws-p5", "price_per_hour", 98.32) in read_of("x.json", offers)
    assert ("aws-p5", "memory_capacity", 80e9) not in read_of("x.json", offers)


def test_a_cell_in_words_gives_each_product_that_it_names_its_price() -> None:
    row = "| Cloud | Pricing |\n|---|---|\n| Lambda | No free tier. A100 ~$1.10/hr, H100 ~$2.49/hr. |\n"
    assert [(s, m) for s, m, _ in read_of("x.md", row)] == [
        ("nvidia-a100", "price_per_hour"),
        ("nvidia-h100", "price_per_hour"),
    ]


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("x.py", 'X = [Chip("H100", 80, 3.35, 989)]', []),  # nothing tells what the places are
        ("x.py", 'MEMORY = {"H100": (989e12, 3.35e12)}', []),
        ("x.py", '# name, memory_gb, bandwidth_tbs\nX = [("H100", 80, 3.35)]', ["memory_capacity", "memory_bandwidth"]),
        ("x.py", '# name, memory_gb\nX = [("H100", 80, 3.35)]', []),
        ("x.py", 'X = {"4090": {"vram_gb": 24}}', ["memory_capacity"]),
        ("x.py", 'X = {"A-100": {"vram_gb": 80}}', ["memory_capacity"]),
        ("x.json", '{"description": "The GB200 NVL72 rack", "memory_gb": 13824}', ["memory_capacity"]),
        ("x.md", "| 型号 | 显存 | 显存带宽 |\n|---|---|---|\n| H100 | 80GB | 3.35TB/s |\n", ["memory_capacity", "memory_bandwidth"]),
        ("x.yaml", "gpu: H100\nmemory_type: HBM3\n", ["memory_kind"]),
    ],
)  # fmt: skip
def test_a_value_is_read_where_a_name_tells_of_it(name: str, text: str, expected: list[str]) -> None:
    assert [c.metric for c in claims(name, text) if not c.doubt] == expected


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("x.json", '{"gpu": "H100", "price": 30000}'),  # per hour, or for the card
        ("x.md", "| GPU | TF32/FP32 TFLOPS |\n|---|---|\n| T4 | 8.1 |\n"),
    ],
)
def test_a_label_that_leaves_two_readings_is_in_doubt(name: str, text: str) -> None:
    assert [c.doubt != "" for c in claims(name, text)] == [True]
