"""A printed name leads to one product or to none, its peak is the fact's, and what is not known is an error."""

from __future__ import annotations

import ast
import json
import stat
import subprocess
import sys
from pathlib import Path

import pytest

import chipwise
from chipwise.errors import DeviceToolMissing, NameUnknown, QuestionInvalid
from evals import devices

from ..conftest import Chipwise

NAMES = [
    line.rpartition(" = ")[::2]
    for line in Path(__file__).with_name("names.txt").read_text("utf-8").splitlines()
    if not line.startswith("#")
]


def product(name: str) -> str:
    """ "nvidia-h100-sxm x8", or "-" for a name of nothing."""
    try:
        found = chipwise.chip(name)
    except NameUnknown:
        return "-"
    return found.id + (f" x{found.chips}" if found.chips > 1 else "")


def test_the_table_is_what_the_facts_say() -> None:
    assert devices.TABLE.read_text("utf-8") == devices.written(devices.table()), "run python evals/devices.py"


def test_a_printed_name_leads_to_its_product_and_to_no_other() -> None:
    assert sum(id_ == "-" for _, id_ in NAMES) >= 25
    assert {name: product(name) for name, _ in NAMES} == dict(NAMES)


def test_every_product_is_known_by_its_own_name() -> None:
    entities = {e["id"]: e for e in devices.read_toml(devices.CORPUS / "domain" / "entities.toml")["entity"]}
    chips = {id_: e for id_, e in entities.items() if e["kind"] in devices.CHIPS and e["parent"] != "cpu"}
    wrong = {id_: got for id_, e in chips.items() if not e["ambiguous"] and (got := product(e["name"])) != id_}
    # a driver prints "NVIDIA H200" for one variant; 40 and 80 GB are in two form factors; Rubin is a family as well
    assert wrong == {
        "nvidia-h200": "nvidia-h200-sxm",
        "nvidia-a100-40gb": "nvidia-a100",
        "nvidia-a100-80gb": "nvidia-a100",
        "nvidia-rubin-gpu": "-",
    }


def test_machines_and_rocm_targets_name_products_that_there_are() -> None:
    known = set(devices.table()["products"])
    assert {row[0] for row in devices.table()["machines"].values()} <= known
    assert product("1002:74a1") == "amd-mi300x"


def test_a_peak_is_a_fact_with_its_source() -> None:
    peak = chipwise.peak("NVIDIA H100 80GB HBM3", "torch.bfloat16")
    assert (peak.value, peak.tflops, peak.unit, peak.sparsity, peak.engine) == (
        989e12,
        989,
        "FLOP/s",
        "dense",
        "matrix",
    )
    assert (peak.chip.id, peak.chip.form_factors) == ("nvidia-h100-sxm", ("SXM",))
    assert "989 TFLOPS" in peak.source.quote
    assert peak.source.origin.startswith("https://")
    assert peak.date
    assert chipwise.peak("NVIDIA H100 80GB HBM3", "fp8", sparse=True).tflops == 3958
    assert chipwise.peak("NVIDIA H100 80GB HBM3", "fp64").engine == "vector"
    assert chipwise.peak("NVIDIA H100 80GB HBM3", "fp64", engine="matrix").tflops == 66.9


@pytest.mark.parametrize(
    ("name", "dtype", "message"),
    [
        ("H100", "bf16", "the variants differ: NVIDIA H100 SXM"),
        ("NVIDIA A100-SXM4-40GB MIG 1g.5gb", "bf16", "no source gives the peak of the slice 1g.5gb"),
        ("Tesla T4", "bf16", "no source gives the bf16 peak of the NVIDIA T4"),
        ("Tesla V100-SXM2-16GB", "fp4", "no source gives the fp4 peak"),
        ("GB200", "bf16", "'GB200' could be NVIDIA GB200"),
        ("Zorgon X900", "bf16", "no chip, card or machine is called 'Zorgon X900'"),
        ("MIG 1g.24gb", "bf16", "no chip, card or machine is called"),
    ],
)
def test_what_no_source_gives_is_an_error_and_never_a_guess(name: str, dtype: str, message: str) -> None:
    with pytest.raises(NameUnknown, match=message) as raised:
        chipwise.peak(name, dtype)
    assert raised.value.hint


def test_candidates_are_values_too() -> None:
    with pytest.raises(NameUnknown) as raised:
        chipwise.chip("gfx942")
    assert raised.value.candidates == ("AMD MI300A", "AMD MI300X", "AMD MI308X", "AMD MI325X")


def test_a_variant_inherits_nothing_where_its_siblings_differ() -> None:
    assert chipwise.peak("NVIDIA A100-PCIE-40GB").tflops == 312
    with pytest.raises(NameUnknown):
        chipwise.peak("Tesla P100-PCIE-16GB", "fp64")  # 5.3 TFLOPS is printed for the P100, and its card is slower


def test_mfu_shows_its_arithmetic() -> None:
    shape = {"layers": 32, "hidden": 4096, "seq_len": 8192}
    used = chipwise.mfu(tokens_per_second=50_000, parameters=8e9, device="p5.48xlarge", **shape)
    per_token = 6 * 8e9 + 12 * 32 * 4096 * 8192
    assert used.value == pytest.approx(50_000 * per_token / (8 * 989e12))
    assert "6 x 8e+09 + 12 x 32 x 4096 x 8192" in used.text
    assert chipwise.mfu(tokens_per_second=1e4, parameters=8e9, device="B200", chips=2).value == pytest.approx(
        1e4 * 6 * 8e9 / (2 * 2250e12)
    )
    with pytest.raises(QuestionInvalid, match="model's shape"):
        chipwise.mfu(tokens_per_second=1, parameters=1, device="B200", layers=3)


TOOLS = {
    "nvidia-smi": "NVIDIA H100 80GB HBM3\nNVIDIA H100 80GB HBM3\n",
    "amd-smi": json.dumps(
        {"gpu_data": [{"gpu": 0, "asic": {"market_name": "AMD Instinct MI300X", "vendor_id": "0x1002"}}]}
    ),
    "rocm-smi": json.dumps({"card0": {"Card Series": "AMD Instinct MI250X", "Card Model": "0x740c"}, "system": {}}),
    "xpu-smi": json.dumps({"device_list": [{"device_id": 0, "device_name": "Intel(R) Data Center GPU Max 1550"}]}),
    "hl-smi": "HL-225\nHL-225\n",
    "sysctl": "Apple M2 Max\n",
}


def install(folder: Path, *names: str) -> None:
    for name in names:
        tool = folder / name
        tool.write_text(f"#!{sys.executable}\nprint({TOOLS[name]!r}, end='')\n")
        tool.chmod(tool.stat().st_mode | stat.S_IXUSR)


def test_the_tools_of_drivers_list_the_devices_of_the_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(DeviceToolMissing) as raised:
        chipwise.devices_here()
    assert raised.value.hint
    install(tmp_path, "rocm-smi")
    assert chipwise.devices_here() == ["AMD Instinct MI250X"]
    install(tmp_path, *TOOLS)
    expected = ["NVIDIA H100 80GB HBM3"] * 2 + ["AMD Instinct MI300X", "Intel(R) Data Center GPU Max 1550"]
    assert chipwise.devices_here() == [*expected, "HL-225", "HL-225", "Apple M2 Max"]
    (tmp_path / "nvidia-smi").write_text("#!/bin/sh\nexit 9\n")
    assert chipwise.devices_here()[0] == "AMD Instinct MI300X", "a driver that fails hides no other"


def test_the_command_prints_a_peak_the_machines_own_and_the_whole_table(
    chipwise: Chipwise, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = chipwise("peak", "p5.48xlarge", "--dtype", "bfloat16")
    assert result.exit_code == 0
    assert result.output.startswith(
        "NVIDIA H100 SXM: 989 TFLOP/s, bf16, dense, matrix units (8 of them: 7,912 TFLOP/s)\n  700 W TDP\n"
    )
    (record,) = json.loads(chipwise("peak", "TPU v4", "--json").output)["peaks"]
    assert (record["value"], record["chip"]["id"]) == (275e12, "google-tpu-v4")
    unknown = chipwise("peak", "Zorgon X900")
    assert (unknown.exit_code, unknown.stderr.count("error:"), unknown.stderr.count("help:")) == (2, 1, 1)
    assert chipwise("peak", "B200", "--here").exit_code == 2
    monkeypatch.setenv("PATH", str(tmp_path))
    install(tmp_path, "nvidia-smi")
    assert "(2 of them: 1,978 TFLOP/s)" in chipwise("peak", "--here").output
    table = json.loads(chipwise("peak", "--export", "json").output)["peaks"]
    assert all(row["quote"] and row["origin"] for row in table)
    assert len(chipwise("peak", "--export", "csv").output.splitlines()) == len(table) + 1
    module = ast.parse(chipwise("peak", "--export", "python").output)
    (assigned,) = (node.value for node in module.body if isinstance(node, ast.Assign))
    assert ast.literal_eval(assigned)["nvidia-h100-sxm", "bf16"] == 989e12


def test_a_peak_is_looked_up_with_next_to_nothing_loaded() -> None:
    code = "import sys, chipwise; chipwise.peak('NVIDIA B200'); sys.stderr.write(' '.join(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stderr.split()
    heavy = {"numpy", "pydantic", "sqlite3", "dataclasses", "chipwise.domain.model", "chipwise.values"}
    assert heavy & set(loaded) == set()
    assert "chipwise.devices.table" in loaded
