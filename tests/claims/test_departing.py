"""What departs from the table of facts has to be said plainly, and what agrees with it is put as it is there."""

from __future__ import annotations

from functools import partial

import pytest

from chipwise.claims.model import Modality

from . import texts

figures = partial(texts.figures, by_facts=True)

BESIDE = [
    "Our box has a dual RTX 3090 (48 GB total VRAM).",
    "- **GPU**: NVIDIA H200 SXM (80GB VRAM minimum)",
    "- GPU: RTX 3070 or better (24 GB VRAM for large models)",
]
SAID = [
    "The RTX 3090 has 48 GB of memory.",
    "The H200 (151 GB of HBM3e) is in our second box.",
    "At 500 W per MI325X, power is the smaller item.",
    "* **L4.** 48 GB of memory and 72 W.",
    "- H200: 161 GB of HBM3e",
]


@pytest.mark.parametrize("text", BESIDE)
def test_what_departs_and_only_stands_beside_a_name_is_doubted(text: str) -> None:
    found = figures(text, "memory_capacity")
    assert found
    assert all(c.doubt for c in found)


def test_what_departs_and_is_of_what_a_node_holds_is_no_claim() -> None:
    assert figures("Each node holds GPUs with up to 95GB GPU memory (H200).", "memory_capacity") == []


@pytest.mark.parametrize("text", SAID)
def test_what_departs_and_is_said_plainly_is_certain(text: str) -> None:
    found = [c for m in ("memory_capacity", "tdp") for c in figures(text, m)]
    assert found
    assert [c.doubt for c in found if not texts.known().gives(c)] == [""]


def test_what_a_die_has_is_doubted_of_the_chip_though_the_table_gives_it() -> None:
    found = figures("Each XCD of the MI300X contains 38 compute units.", "cores_per_chip")
    assert found
    assert all(c.doubt for c in found)


def test_a_bare_number_below_another_column_s_metric_is_not_of_that() -> None:
    text = "# Notes\n\n## MI355X\n\n| Type | Dispatch #EP | Bottleneck bandwidth |\n|---|---|---|\n| Intranode | 8 | 299 GB/s |\n"
    assert not [c for c in figures(text) if c.quantity and c.quantity.middle == 8e12]


def test_what_is_far_from_what_is_known_is_of_another_kind_of_thing() -> None:
    text = (
        "# The H100\n\nThe H100 is fast.\n\nA rack of memory chips gives an aggregate memory bandwidth of 512 TB/s.\n"
    )
    found = figures(text, "memory_bandwidth")
    assert found
    assert all(c.doubt for c in found)


def test_what_has_at_least_so_much_has_not_any_more() -> None:
    assert not any(texts.known().gives(c) for c in figures("The H100 PCIe has a memory bandwidth of 512 TB/s."))


def test_what_agrees_is_certain_wherever_it_stands() -> None:
    assert [c.doubt for c in figures("Our box: dual RTX 3090, 24 GB.", "memory_capacity")] == [""]


ODD = "| GPU | VRAM |\n|---|---|\n| L40S | 45 GB |\n| A40 | 41 GB |\n| H100 | {} |\n"


def test_a_column_that_is_mostly_none_of_what_is_known_is_one_of_something_else() -> None:
    doubts = [c.doubt for c in figures(ODD.replace("45", "39").format("80 GB"), "memory_capacity")]
    assert [bool(d) for d in doubts] == [True, True, False]


LAPTOP = "| GPU | VRAM (GB) | Cores |\n|---|---|---|\n| RTX 4090 | 24 | 16,384 |\n| RTX 3090 | 24 | 10,496 |\n| RTX 4070 Laptop GPU | 8 | 7680 |\n"


def test_a_column_that_is_known_by_its_figures_is_of_no_variant_that_is_not() -> None:
    found = [c for c in figures(LAPTOP) if c.subject == "nvidia-rtx-4070"]
    assert len(found) == 2
    assert all(c.doubt for c in found)


@pytest.mark.parametrize("line", ["TDP | 1,150 W (GPUs)", "Total bandwidth | 3,584 GB/s"])
def test_what_stands_below_several_may_be_of_all_of_them(line: str) -> None:
    found = figures(f"# Builds\n\n## 2x NVIDIA RTX 5090 configuration\n\n| Spec | Value |\n|---|---|\n| {line} |\n")
    assert found
    assert all(c.doubt for c in found)


@pytest.mark.parametrize(
    "cell", ["800 W (2×400)", "800 W (2 x 400 W)", "800 W (entire box)", "800 W for the whole system"]
)
def test_a_cell_that_says_what_its_figure_is_of_is_of_no_one_chip(cell: str) -> None:
    found = figures(f"| GPU | TDP |\n|---|---|\n| H100 NVL | {cell} |\n", "tdp")
    assert found
    assert all(c.doubt for c in found)


def test_one_odd_figure_of_a_column_is_an_error_of_it() -> None:
    text = "| GPU | VRAM |\n|---|---|\n| L40S | 48 GB |\n| A40 | 38 GB |\n| H100 | 80 GB |\n"
    assert [c.doubt for c in figures(text, "memory_capacity")] == ["", "", ""]


@pytest.mark.parametrize(
    ("text", "put"),
    [
        ("Gape at the sheer might of the RTX 4090 with 24 GB.", Modality.SPECIFIED),
        ("The RTX 5090 might have 48 GB of memory.", Modality.ESTIMATED),
    ],
)
def test_what_is_known_is_put_as_a_property(text: str, put: Modality) -> None:
    assert [c.modality for c in figures(text, "memory_capacity")] == [put]


PAID = [
    ("- Vast.ai RTX 4090 @ $0.25/hr x 1 hr = **$0.29**", [True]),
    (
        "| Cloud | GPU | Took | Price |\n|---|---|---|---|\n| Lambda Labs | A100 | 5 min | $1.10/hour (~$0.15 total) |",
        [True],
    ),
    ("| Provider | GPU | Took | Cost |\n|---|---|---|---|\n| Lambda Labs | H100 | 18 min | $32 |", [True]),
    ("| GPU | Took | Price per hour |\n|---|---|---|\n| H100 | 18 min | $3.20 |", [False]),
]


@pytest.mark.parametrize(("text", "doubted"), PAID)
def test_what_a_run_comes_to_is_no_price_of_an_hour(text: str, doubted: list[bool]) -> None:
    totals = [c for c in figures(text, "price_per_hour") if "/h" not in text[c.value_start : c.value_end]]
    assert [bool(c.doubt) for c in totals] == doubted


def test_a_laptops_chip_is_no_card() -> None:
    assert [c.doubt for c in figures("Our RTX 5080 laptop GPU has 16 GB.", "memory_capacity")] != [""]
    assert [c.doubt for c in figures("Our RTX 5080 has 16 GB.", "memory_capacity")] == [""]


SWEEP = "| GPU | Build | VRAM |\n|---|---|---|\n| RTX 3090 | first | {} GB |\n| RTX 3090 | second | {} GB |\n"


def test_several_sizes_of_one_card_are_what_was_used() -> None:
    assert [bool(c.doubt) for c in figures(SWEEP.format("22.5", "23.1"), "memory_capacity")] == [True, True]
    assert [bool(c.doubt) for c in figures(SWEEP.format("24", "24"), "memory_capacity")] == [False, False]


MODELS = "# Models on the RTX 3090\n\n{}"
MODEL = "## Model {0}\n\n- **VRAM:** ~{1} GB | **Speed:** {2} tok/s\n\n"


def test_many_sizes_of_one_card_in_a_text_are_what_is_used_of_it() -> None:
    used = figures(MODELS.format("".join(MODEL.format(n, n + 3, 80 - n) for n in range(4))), "memory_capacity")
    assert [bool(c.doubt) for c in used] == [True] * len(used)
    one = figures(MODELS.format(MODEL.format(0, 25, 80)), "memory_capacity")
    assert [bool(c.doubt) for c in one] == [False]


@pytest.mark.parametrize(
    ("line", "doubted"),
    [
        ("- Released January 2025", True),
        ("It was released in January 2025.", False),
        ("- Released September 2020", False),
    ],
)
def test_a_date_that_departs_is_of_what_is_not_named_there(line: str, doubted: bool) -> None:
    made = texts.document(f"# Models for the RTX 3090\n\n{line}\n")
    found = [c for c in texts.claims_of(made, by_facts=True) if c.object.startswith("20")]
    assert [bool(c.doubt) for c in found] == [doubted]


def test_a_cell_is_an_estimate_that_says_so() -> None:
    text = "## Expected targets\n\n| GPU | FP8 peak |\n|---|---|\n| RTX 5090 | ~800 TFLOPS (est.) |\n"
    assert [c.modality for c in figures(text, "peak_compute")] == [Modality.ESTIMATED]


def test_what_a_heading_says_of_the_terms_is_said_of_its_table() -> None:
    text = "# Prices\n\n## {}\n\n| GPU | RunPod, $/hour |\n|---|---|\n| H200 | $2.49 |\n"
    told = {
        h: figures(text.format(h), "price_per_hour")[0].qualifier("price_terms") for h in ("Spot", "Spot or on demand")
    }
    assert told["Spot"] == "spot"
    assert told["Spot or on demand"] != "spot"


def test_a_stride_is_no_bandwidth() -> None:
    text = "The RTX 5090 has more memory bandwidth and wants a stride of 3072, where the A100 wants 1792."
    assert figures(text, "memory_bandwidth") == []


@pytest.mark.parametrize(
    ("text", "doubted"),
    [
        ("| GPU | Bandwidth (GB/s) |\n|---|---|\n| H100 PCIe 96 GB | 3360 |\n| L40S | 864 |\n", True),
        ("| GPU | Bandwidth (GB/s) |\n|---|---|\n| H100 PCIe 80 GB | 3360 |\n| L40S | 864 |\n", False),
        ("### H100 PCIe 96 GB\n\n- Memory bandwidth: 3,360 GB/s\n", True),
        ("The H100 PCIe 96 GB reaches 3,360 GB/s of memory bandwidth.", True),
        ("The H100 PCIe reaches 3,360 GB/s of memory bandwidth.", False),
    ],
)
def test_what_departs_of_a_variant_with_another_memory_is_doubted(text: str, doubted: bool) -> None:
    found = [c for c in figures(text, "memory_bandwidth") if c.subject == "nvidia-h100-pcie"]
    assert [bool(c.doubt) for c in found] == [doubted]
