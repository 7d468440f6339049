"""A figure that somebody states, held against what the table has of it: yes, no, on what it depends, and whose it is."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from chipwise.answering.parse import understand
from chipwise.opening import OpenIndex

from ..building.test_facts import ROW, csv_of
from .tabled_base import answered, index_on

PEAKS = {("bf16", "dense"): "989", ("bf16", "2:4"): "1979", ("fp8", "dense"): "1979", ("fp8", "2:4"): "3958"}


def rows() -> Iterator[dict[str, str]]:
    of_chip = ROW | {"aggregation": "chip"}
    for (dtype, sparsity), value in PEAKS.items():
        peak = {"metric": "peak_compute", "unit": "TFLOPS", "value": value, "dtype": dtype, "sparsity": sparsity}
        quote = f"The {dtype} peak of the H100 SXM is {value} TFLOPS, {sparsity}."
        yield (
            of_chip
            | peak
            | {"id": f"peak-{dtype}-{value}-{sparsity[:1]}", "subject": "nvidia-h100-sxm", "quote": quote}
        )
    for capacity, value in (("usable", "180"), ("physical", "192")):
        memory = {"metric": "memory_capacity", "unit": "GB", "value": value, "capacity": capacity}
        quote = f"Of the B200 {value} GB are {capacity}."
        yield of_chip | memory | {"id": capacity, "subject": "nvidia-b200", "quote": quote}
    link = {"subject": "google-tpu-v5p", "metric": "interconnect_bandwidth", "direction": "one way"}
    for unit, value, rank in (("GB/s", "600", "preferred"), ("Gbps", "4800", "normal")):
        quote = f"The links of a v5p carry {value} {unit} one way."
        yield (
            of_chip
            | link
            | {"id": f"link-{value}", "unit": unit, "value": value, "rank": rank, "reason": "in bits", "quote": quote}
        )
    for as_of, value in (("2023-07", "12.29"), ("2026-09", "6.88")):
        price = {"metric": "price_per_hour", "unit": "USD/hour", "value": value, "modality": "priced"}
        price |= {"subject": "nvidia-h100", "provider": "aws", "price_terms": "on-demand", "as_of": as_of}
        yield (
            of_chip
            | price
            | {"id": f"price-{as_of}", "quote": f"AWS asked {value} USD per hour for an H100 in {as_of}."}
        )


index = index_on([row["quote"] for row in rows()], csv_of(*rows()))


STATED = {
    "Is it true that the H100 SXM does 1,979 TFLOPS in dense BF16?": ("No: the H100 SXM reaches a peak of 989 TFLOPS", "1,979 TFLOPS is the peak compute of the H100 SXM (BF16, 2:4 sparsity) ["),
    "Someone says the H100 SXM reaches 1979 TFLOPS dense, is that right?": ("It depends: 1,979 TFLOPS is the peak compute of the H100 SXM (FP8, dense) [1]", "Otherwise the H100 SXM reaches a peak of 989 TFLOPS"),
    "Does the H100 SXM do 989 TFLOPS?": ("Yes: the H100 SXM reaches a peak of 989 TFLOPS (BF16, dense", "[1]"),
    "The B200 has 192 GB of usable memory, right?": ("No: the B200 has 180 GB", "192 GB is the memory capacity of the B200 (physical) [2]."),
    "Is an H100 on AWS really 12.29 dollars per hour?": ("No longer: the H100 rents for 6.88 USD", "12.29 USD/hour is the rental price of the H100 (on demand, AWS, as of 2023-07) [2]."),
}  # fmt: skip


@pytest.mark.parametrize(("question", "told"), STATED.items(), ids=STATED)
def test_a_figure_is_judged_and_traced_to_whose_it_is(index: OpenIndex, question: str, told: tuple[str, str]) -> None:
    text = answered(index, question)
    assert text.startswith(told[0])
    assert told[1] in text


def test_a_figure_far_from_all_that_is_known_of_a_chip_is_denied(index: OpenIndex) -> None:
    said = answered(index, "Is it true that the B200 has 5 GB?")
    assert said.startswith("No: the B200 has 180 GB of memory (usable)")


FRAMED = {
    "Is it true that the T4 draws 70 W?": True,
    "A vendor says the T4 draws 70 W. True?": True,
    "I read somewhere that the T4 draws 70 W - correct?": True,
    "True or false: the A100 supports FP8": True,
    "My boss claims that an H200 has 144 GB. Is he right?": True,
    'claim: "Trainium2 has 96 GB at 2.9 TB/s". check': True,
    "Does the T4 draw 70 W?": True,
    "What does MFU mean, is it real?": False,
    "How much does the T4 draw?": False,
}


@pytest.mark.parametrize(("question", "is_so"), FRAMED.items(), ids=FRAMED)
def test_who_asks_whether_something_is_so_wants_a_verdict(index: OpenIndex, question: str, is_so: bool) -> None:
    assert understand(question, index.domain).wants_verdict is is_so
