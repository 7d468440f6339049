"""What the facts table gives of products tells what a figure is of, and never makes anything of one that departs from it."""

from __future__ import annotations

import pytest

from chipwise.claims.known import telling_digits
from chipwise.claims.model import Claim

from .texts import claims_of, document, figures, shipped


def claims(text: str, *, reading: bool = True) -> dict[str, Claim]:
    """The figures that make a claim without a doubt, as they are written."""
    return {text[c.value_start : c.value_end]: c for c in figures(text, by_facts=reading) if not c.doubt}


@pytest.mark.parametrize(
    ("text", "figure", "subject", "metric"),
    [
        (
            "# The H200\n\nThe SXM version stays inside the same 700 W envelope as its predecessor.\n",
            "700 W",
            "nvidia-h200",
            "tdp",
        ),
        (
            "The Gaudi 3 came after the Gaudi 2. You only save memory there.\n\nSpeaking of which: it reads at 3.67 TB/s.\n",
            "3.67 TB/s",
            "intel-gaudi-3",
            "memory_bandwidth",
        ),
        (
            "The H200 is a Hopper chip. What you pay for is the memory, namely 141 GB of HBM3e running at 4.8 TB/s.\n",
            "4.8 TB/s",
            "nvidia-h200",
            "memory_bandwidth",
        ),
        (
            "## L40S\n\nThe same 18,176 CUDA cores as the L40, fifty watts more (350 W).\n",
            "350 W",
            "nvidia-l40s",
            "tdp",
        ),
        (
            "# MI325X\n\nIt holds 256 GB, a third more than the MI300X, and reads it at 6.0 TB/s.\n",
            "6.0 TB/s",
            "amd-mi325x",
            "memory_bandwidth",
        ),
        (
            "Trainium3 is out. It has 2,517 TFLOPS of dense MXFP8 per chip against 1,299 TFLOPS of dense FP8 on Trainium2.\n",
            "2,517 TFLOPS",
            "aws-trainium3",
            "peak_compute",
        ),
        (
            "An H100 SXM reaches 794.5 TFLOPS that way, some 80% of its dense peak.\n",
            "794.5 TFLOPS",
            "nvidia-h100-sxm",
            "achieved_compute",
        ),
        (
            "The v5p reads its memory at 2,765 GB/s. Trillium does 1,638.\n",
            "1,638",
            "google-tpu-v6e",
            "memory_bandwidth",
        ),
        ("Ironwood's peak is 2,307 TFLOPS in BF16, 4,614 in FP8.\n", "4,614", "google-tpu-v7", "peak_compute"),
        ("Meta's second MTIA is rated at 90 W.\n", "90 W", "meta-mtia-v2", "tdp"),
    ],
)
def test_a_figure_that_the_table_gives_is_read_by_it(text: str, figure: str, subject: str, metric: str) -> None:
    found = claims(text)[figure]
    assert shipped().are_kin(found.subject, subject)
    assert found.metric == metric


@pytest.mark.parametrize(
    "text",
    [
        "# The H200\n\nThe SXM version stays inside the same 730 W envelope as its predecessor.\n",
        "The RTX 5090 is new.\n\n- Text model: 14GB\n- Total: 32GB\n",
        "We run 4x Whitehole w250a = 32 GB of GDDR6 beside the TPU v6e.\n",
        "H100 nodes are dear.\n\n- Specialized providers: $2.10\n",
        "The H100 needs care.\n\nYou want at least 80 GB for this model.\n",
        "The H200 is a chip. Our dataset is 141 GB.\n",
        "The L4 is small. The fan uses 72 W.\n",
        "The A100 PCIe is old. Its newer sibling reads 2,039 GB/s.\n",
        "The H200 NVL is a card. Its module sibling is a 700 W device.\n",
        "The H100 PCIe (700 W for the pair) is hot.\n",
        "The old one had 8 x H100 (80 GB, shared).\n",
    ],
)
def test_what_departs_or_tells_too_little_is_read_as_without_it(text: str) -> None:
    read, without = ({(w, c.subject, c.metric) for w, c in claims(text, reading=r).items()} for r in (True, False))
    assert read == without


def test_one_that_departs_is_whose_the_figures_beside_it_are() -> None:
    text = (
        "# The H200\n\nYou'd think that a new chip brings more FLOPS; the compute side is Hopper as before. What you pay for is "
        "the memory, namely 141 GB of HBM3e running at 5.6 TB/s.\n"
    )
    assert claims(text)["5.6 TB/s"].subject == "nvidia-h200"
    assert "5.6 TB/s" not in claims(text, reading=False)


@pytest.mark.parametrize(
    ("written", "number"),
    [("141 GB", 3), ("80 GB", 1), ("$2.10", 3), ("0.9 TB", 1), ("4.8 TB/s", 2), ("1,979 TFLOPS", 4), ("700 W", 1)],
)
def test_zeros_at_the_end_of_a_whole_number_tell_nothing(written: str, number: int) -> None:
    assert telling_digits(written) == number


def test_a_figure_right_behind_a_chips_name_is_of_one_of_them() -> None:
    found = claims("The flavor is provided from Lenovo SR670 (4x NVIDIA A100 40GB) servers.\n")["40GB"]
    assert found.qualifier("aggregation") in ("", "chip")
    assert not found.qualifier("count")


def test_of_two_figures_of_a_row_the_table_gives_one() -> None:
    table = "| GPU | TDP | Recommended PSU | Peak power |\n|---|---|---|---|\n| RTX 4090 | 450W | 1000W | ~950W |\n"
    found = claims(f"# Cards\n\n{table}")
    assert found["450W"].metric == "tdp"
    assert not found.keys() & {"950W", "~950W"}


@pytest.mark.parametrize(
    ("text", "figure", "scope"),
    [
        ("The TPU v5p (95 GB per core) is big.\n", "95 GB", "core"),
        ("The MI250X, 128 GB per GCD, is new.\n", "128 GB", "die"),
    ],
)
def test_a_scope_that_the_text_states_stays(text: str, figure: str, scope: str) -> None:
    assert claims(text)[figure].qualifier("aggregation") == scope


def test_a_title_on_two_products_leaves_a_section_to_a_third() -> None:
    text = "# An MI325X box or an HGX H200\n\n## The NVIDIA offer\n\nAn H200 has 141 GB of HBM3e. It stays inside a 700 W envelope.\n"
    assert claims(text)["700 W"].subject == "nvidia-h200"


@pytest.mark.parametrize(
    ("text", "figure", "subject"),
    [
        ("# H200\n\nThe H200 follows the H100. It has 80 GB of memory.\n", "80 GB", "nvidia-h200"),
        ("# H200\n\nIt is 40% faster than the H100, with 3.35 TB/s of memory bandwidth.\n", "3.35 TB/s", "nvidia-h200"),
        ("# TPU v6e\n\nIt has 16 GB of HBM, twice that of the TPU v5e.\n", "16 GB", "google-tpu-v6e"),
        ("The H100 has a peak of 794.5 TFLOPS in BF16.\n", "794.5 TFLOPS", "nvidia-h100"),
    ],
)
def test_what_another_one_has_is_not_given_to_it_against_the_words(text: str, figure: str, subject: str) -> None:
    found = claims(text).get(figure)
    assert found is None or (found.subject == subject and found.metric != "achieved_compute")


@pytest.mark.parametrize(
    "text",
    [
        "The A100 draws 400 W. The H100 has 528.",
        "The H100 draws 700 W.\n\nThe A100 does 312.",
        "Plug in the second Gaudi and it draws 900 W.",
        "The first-generation IPU has 300 MB of SRAM.",
        "An H100 hits 400 TFLOPS at batch size 256 in FP8.",
    ],
)
def test_a_number_or_an_ordinal_alone_tells_nothing(text: str) -> None:
    told = {figure: found.subject for figure, found in claims(text).items()}
    assert not {"528", "312", "900 W", "300 MB", "256"} & set(told)


def test_what_a_text_carries_over_is_doubted_where_another_one_of_it_is_known_to_have_just_that() -> None:
    text = "Gaudi 3 came after Gaudi 2.\n\nThe Gaudi 2 has 96 GB. Nobody minds.\n\nThe bandwidth is 3.67 TB/s.\n"
    found = claims(text).get("3.67 TB/s")
    assert found is None or found.subject == "intel-gaudi-3"


COLUMN = """
| Device | Peak | Best measured |
|---|---|---|
| A100 SXM | 312 | 271.2 |
| H100 SXM | 989 | 794.5 |
| MI325X | 1,307.4 | 784.9 |
| B200 SXM | 2,250 | 1,745 |
| MI355X | 2,500 | 1,600 |
"""


def test_a_column_of_bare_numbers_is_what_most_of_them_are_known_to_be() -> None:
    found = claims(COLUMN)
    assert {found[number].metric for number in ("312", "989", "2,250")} == {"peak_compute"}
    other = found["1,600"]  # which is not the known one
    assert (other.subject, other.metric) == ("amd-mi355x", "achieved_compute")
    assert other.quantity is not None
    assert (other.quantity.middle, other.quantity.unit) == (1.6e15, "TFLOPS")


def test_a_column_of_bare_numbers_of_which_few_agree_is_of_nothing_known() -> None:
    assert not claims("| Device | Score |\n|---|---|\n| A100 SXM | 312 |\n| H100 SXM | 700 |\n| MI325X | 90 |\n")
    assert not claims(COLUMN, reading=False)


@pytest.mark.parametrize(
    ("text", "figure", "subject", "metric"),
    [
        (
            "The MI300X has 192 GB at 5.3 TB/s, whereas the H100 makes do with 80 GB at 3.35, and that decides it.\n",
            "3.35",
            "nvidia-h100",
            "memory_bandwidth",
        ),
        (
            "The WSE-3 has 46,225 mm2 of it. An H100 die is 814, so think of 57 of them.\n",
            "814",
            "nvidia-h100",
            "die_area",
        ),
        (
            "- The PCIe form of the H100 enables 114 of the 144 streaming multiprocessors.\n",
            "114",
            "nvidia-h100-pcie",
            "cores_per_chip",
        ),
    ],
)
def test_a_bare_number_that_is_known_has_the_unit_of_what_is_known(
    text: str, figure: str, subject: str, metric: str
) -> None:
    found = claims(text)
    assert (found[figure].subject, found[figure].metric) == (subject, metric)
    assert figure not in claims(text, reading=False)


@pytest.mark.parametrize(
    "text",
    [
        "The MI300X has 192 GB at 5.3 TB/s, whereas the H100 makes do with 80 GB at 3.45, and that decides it.\n",
        "The H100 is at rack 814, and draws 700 W.\n",
        "The H100 draws 700 W, not 989.\n",
        "The WSE-3 has 46,225 mm2. Would an H100 die be 814?\n",
        "The H100 has 3.35 TB/s. A run takes 989 steps.\n",
        "The H100 reaches 1,979 TFLOPS in FP8. We train with embedding_dim: 989.\n",
    ],
)
def test_any_other_bare_number_is_nothing(text: str) -> None:
    assert not {"3.45", "814", "989"} & set(claims(text))


def test_a_date_without_a_word_is_that_of_what_is_known_to_be_of_then() -> None:
    text = "The H100 followed, shown in March 2022 and ordered by us a year after.\n"
    found = claims_of(document(text), by_facts=True)
    assert [(c.subject, c.metric, c.object) for c in found] == [("nvidia-h100", "announcement_date", "2022-03")]
    assert claims_of(document(text.replace("March", "April")), by_facts=True) == []


@pytest.mark.parametrize(
    ("text", "figure"),
    [
        ("## RTX 3090\n\nMemory usage:\n\n- Optimizer: 8 GB\n", "8 GB"),
        ("- **GPU**: one MI100 (12GB+ VRAM)\n", "12GB"),
        ("Seven partitions from a single A100 80GB, each with 10 GB of memory.\n", "10 GB"),
        ("A `3g.40gb` profile on an A100 supports two partitions.\n", "40gb"),
        ("| GPU | Cost (~$2/hr) |\n|---|---|\n| A100 | $12 |\n", "$12"),
    ],
)
def test_what_a_run_takes_needs_or_comes_to_is_no_property_of_the_chip(text: str, figure: str) -> None:
    assert figure not in claims(text)


def test_a_bare_number_that_is_known_keeps_its_about() -> None:
    (rough,), (plain,) = (figures(f"# A100\n\n- CUDA Cores: {n}\n", by_facts=True) for n in ("~6,912", "6,912"))
    assert rough.quantity is not None
    assert plain.quantity is not None
    assert (rough.quantity.bound, plain.quantity.bound) == ("about", "exact")


def test_a_figure_of_another_than_the_one_proven_is_doubted() -> None:
    text = "# Specs\n\nThe TPU7x is a successor to the v5p (in contrast to the v5e):\n\n- 4,614 TFLOPS at FP8\n- a TDP of about 1.3 kW\n"
    found = {text[c.value_start : c.value_end]: c for c in figures(text, by_facts=True)}
    assert found["4,614 TFLOPS"].subject == "google-tpu-v7"
    assert not found["4,614 TFLOPS"].doubt
    assert found["1.3 kW"].subject == "google-tpu-v7" or found["1.3 kW"].doubt
