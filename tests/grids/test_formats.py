"""One claim in six formats and three units is one claim."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from chipwise.claims.extract import extract_document
from chipwise.domain.files import shipped_domain
from chipwise.reading import read_bytes
from chipwise.splitting import split

CHIPS = {
    "H100 SXM": "nvidia-h100-sxm",
    "H100 PCIe": "nvidia-h100-pcie",
    "H200 SXM": "nvidia-h200-sxm",
    "A100 80GB": "nvidia-a100-80gb",
    "MI300X": "amd-mi300x",
    "MI250X": "amd-mi250x",
    "B200": "nvidia-b200",
    "L40S": "nvidia-l40s",
    "TPU v5p": "google-tpu-v5p",
    "RTX 4090": "nvidia-rtx-4090",
}
# metric, its name, its key in data, and its units as they are written in words and in keys with what they are times the first
METRICS = (
    ("memory_bandwidth", "memory bandwidth", "mem_bw", (("TB/s", "tb_s", 1), ("GB/s", "gb_s", 1e3), ("bytes/s", "bytes_per_s", 1e12))),
    ("memory_capacity", "memory", "memory", (("TB", "tb", 1), ("GB", "gb", 1e3), ("bytes", "bytes", 1e12))),
    ("peak_compute", "peak in dense BF16", "dense_bf16_peak", (("PFLOPS", "pflops", 1), ("TFLOPS", "tflops", 1e3), ("FLOPS", "flops", 1e15))),
    ("tdp", "TDP", "tdp", (("kW", "kw", 1), ("W", "w", 1e3))),
)  # fmt: skip
VALUES = (0.25, 0.75, 1.2)
SIZES = {
    "memory_bandwidth": 1e12,
    "memory_capacity": 1e12,
    "peak_compute": 1e15,
    "tdp": 1e3,
}  # of the first unit, in base units


def written(chip: str, name: str, key: str, unit: str, suffix: str, value: float) -> Iterator[tuple[str, str]]:
    number, exact = f"{value:,g}" if value < 1e6 else f"{value:,.0f}", f"{value:.0f}" if value >= 1e6 else f"{value:g}"
    if value < 1e6:  # nobody writes a sum of bytes into a sentence
        yield "x.md", f"The {chip} has a {name} of {number} {unit}.\n"
    yield "x.md", f"| GPU | {name} ({unit}) |\n|---|---|\n| {chip} | {number} |\n"
    yield "x.csv", f"gpu,{name} ({unit})\n{chip},{exact}\n"
    yield "x.json", f'{{"gpu": "{chip}", "{key}_{suffix}": {exact}}}'
    yield "x.yaml", f"- gpu: {chip}\n  {key}_{suffix}: {exact}\n"
    yield "x.py", f'GPUS = {{"{chip}": {{"{key}_{suffix}": {exact}}}}}\n'


def test_a_claim_is_the_same_in_every_format_and_unit() -> None:
    wrong, groups = list[str](), 0
    for (chip, subject), (metric, name, key, units), value in product(CHIPS.items(), METRICS, VALUES):
        groups += 1
        unit, suffix, times = units[groups % len(units)]  # over the groups, each unit of each metric
        base = value * SIZES[metric]
        missed = []
        for file, text in written(chip, name, key, unit, suffix, value * times):
            document = read_bytes(text.encode(), name=file, origin=file)
            claims = extract_document(document, split(document), shipped_domain())[1]
            read = [c for c in claims if (c.subject, c.metric) == (subject, metric) and c.quantity and not c.doubt]
            if not any(c.quantity and abs(c.quantity.middle / base - 1) < 1e-6 for c in read):
                missed.append(text)
        wrong += missed[:1]
    assert groups == 120
    assert len(wrong) <= 0.03 * groups, "\n".join(wrong)
