"""Records of code as people write them: names without their line, values in calls, several chips in one record."""

from __future__ import annotations

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


def test_the_text_below_a_field_says_its_unit() -> None:
    assert [(s, v) for s, _, v, _ in sure("x.py", SPECS)] == [("google-tpu-v2", 62e9), ("google-tpu-v4", 50e9)]


def test_flops_name_a_quantity_and_no_unit() -> None:
    (peak,) = claims("x.py", 'C = {"H100": {"Flops": 989}}\n')
    assert peak.metric == "peak_compute"
    assert peak.doubt == "its unit is not stated"
