"""What a question leaves out: makers, clouds, kinds of memory and number formats."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from chipwise.opening import OpenIndex

from ..building.test_facts import ROW, csv_of
from .tabled_base import answered, index_on

HAS = (
    ("nvidia-h200", "memory_kind", "hbm3e", "preferred", ""),
    ("amd-mi325x", "memory_kind", "hbm3e", "preferred", ""),
    ("nvidia-l40s", "memory_kind", "gddr6", "preferred", ""),
    ("groq-lpu-v1", "memory_kind", "sram", "preferred", ""),
    ("nvidia-t4", "dtype_support", "no FP8", "preferred", ""),
    ("nvidia-l40s", "dtype_support", "fp8", "preferred", ""),
    ("amd-mi325x", "cloud_availability", "azure", "preferred", ""),
    ("amd-mi325x", "cloud_availability", "vultr", "preferred", ""),
    ("tpu", "cloud_availability", "gcp", "preferred", ""),
    ("tpu", "framework_support", "tensorflow", "preferred", ""),
    ("google-tpu-v7", "framework_support", "tensorflow", "deprecated", "not supported: JAX and PyTorch are"),
    ("tpu", "cloud_availability", "aws", "deprecated", "not offered: TPUs cannot be rented on AWS"),
)


def rows() -> Iterator[dict[str, str]]:
    for subject, metric, value, rank, reason in HAS:
        said = f"Of {subject} the {metric} is {value}."
        base = {"subject": subject, "metric": metric, "value": value, "rank": rank, "reason": reason}
        yield (
            ROW
            | base
            | {"id": f"{subject}-{value.lower().replace(' ', '-')}", "unit": "", "aggregation": "", "quote": said}
        )
    base = {"subject": "nvidia-l40s", "value": "48", "aggregation": "chip", "memory_kind": "gddr6"}
    yield ROW | base | {"id": "l40s-memory", "quote": "The L40S has 48 GB."}


index = index_on([row["quote"] for row in rows()], csv_of(*rows()))

ASKED = {
    "Which chips work without HBM?": "No HBM, as far as the facts show:\n- the L40S: GDDR6 [1]\n- the LPU v1: SRAM [2].",
    "which GPUs do not have HBM?": "No HBM, as far as the facts show:\n- the L40S: GDDR6 [1].",
    "Which NVIDIA GPUs don't support FP8?": "No FP8, as far as the facts show:\n- the T4: no FP8 [1].",
    "Which chips have HBM3e besides NVIDIA?": "HBM3e, as far as the facts show:\n- the MI325X: HBM3e [1].",
    "Which clouds besides Azure offer the MI325X?": "The MI325X is offered by Vultr [1].",
    "Which clouds offer the MI325X?": "The MI325X is offered by Azure [1] and Vultr [2].",
    "Which cloud other than Google Cloud offers TPUs?": "No other, as far as the facts show. A TPU is offered by Google Cloud [1].",
    "Can I rent a TPU v5e on AWS?": "No, not offered: TPUs cannot be rented on AWS [1].",
    "Does the TPU7x support TensorFlow?": "No, not supported: JAX and PyTorch are [1].",
    "Does the TPU v4 support TensorFlow?": "Yes: a TPU supports TensorFlow [1].",
    "Which cloud offers MI325X instances?": "The MI325X is offered by Azure [1] and Vultr [2].",
    "Are TPUs available on Google Cloud?": "Yes: a TPU is offered by Google Cloud [1].",
    "Is the TPU v5e available on Google Cloud?": "",  # a cloud that has TPUs need not have each of them
    "Is it true that the L40S has 48 GB of GDDR6?": "Yes: the L40S has 48 GB of GDDR6 [1].",
}


@pytest.mark.parametrize(("question", "told"), ASKED.items(), ids=ASKED)
def test_what_is_left_out_is_no_part_of_the_answer(index: OpenIndex, question: str, told: str) -> None:
    assert answered(index, question) == told
