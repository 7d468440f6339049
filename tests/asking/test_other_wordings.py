"""Questions of everyday wording: of the present, for room and power, in order, by date, and those that are none of chips."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from chipwise.answering.answer import written
from chipwise.answering.givens import givens
from chipwise.answering.parse import understand
from chipwise.answering.query import Wish
from chipwise.opening import OpenIndex

from ..building.test_facts import ROW, csv_of
from .tabled_base import tabled_base, told_by_facts

CHIP = {"aggregation": "chip"}
RENT = {"metric": "price_per_hour", "unit": "USD/hour", "price_terms": "on-demand", **CHIP}
WATTS = {"metric": "tdp", "unit": "W", **CHIP}
BYTES = {"metric": "memory_capacity", "unit": "GB", **CHIP}
DATE = {"unit": "", "aggregation": ""}
ROWS = [
    ("MI300X memory 192 GB", "amd-mi300x", "192", BYTES),
    ("MI300X draws 750 W", "amd-mi300x", "750", WATTS),
    ("Maia 200 draws 750 watts", "microsoft-maia-200", "750", WATTS),
    ("Maia 200 has 216 GB", "microsoft-maia-200", "216", BYTES),
    ("Maia 200 uses HBM3e", "microsoft-maia-200", "hbm3e", {"metric": "memory_kind", **DATE}),
    ("Trainium2 has 96 GB", "aws-trainium2", "96", BYTES),
    ("Gaudi 2 has 96 GB of it", "intel-gaudi-2", "96", BYTES),
    ("Gaudi 3 has 128 GB", "intel-gaudi-3", "128", BYTES),
    ("The DGX H200 draws 10.2 kW at most", "nvidia-dgx-h200", "10.2", {"metric": "rack_power", "unit": "kW", "bound": "at most", "aggregation": "node"}),
    ("Azure lists the A100 80GB at 3.67 USD", "nvidia-a100-sxm-80gb", "3.67", RENT | {"provider": "azure", "modality": "priced", "as_of": "2026-09"}),
    ("A survey has an A100 at 3.10 USD on Azure", "nvidia-a100", "3.10", RENT | {"provider": "azure", "modality": "reported", "as_of": "2026-03"}),
    ("Trillium was announced on 2024-05-14", "google-tpu-v6e", "2024-05-14", {"metric": "announcement_date", **DATE}),
    ("Trillium came out on 2024-12-11", "google-tpu-v6e", "2024-12-11", {"metric": "availability_date", **DATE}),
    ("The MI325X was announced in 2024-10", "amd-mi325x", "2024-10", {"metric": "announcement_date", **DATE}),
    ("Gaudi 3 was announced in 2024", "intel-gaudi-3", "2024", {"metric": "announcement_date", **DATE}),
    ("Trainium2 came out on 2024-12-03", "aws-trainium2", "2024-12-03", {"metric": "availability_date", **DATE}),
]  # fmt: skip


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenIndex]:
    """The shipped domain with a table of a few rows, of one sheet that the knowledge base holds."""
    table = [
        ROW | {"id": f"row-{n}", "quote": f"{quote}.", "subject": subject, "value": value} | more
        for n, (quote, subject, value, more) in enumerate(ROWS)
    ]
    sheet = "# A sheet\n\n" + "\n\n".join(row["quote"] for row in table) + "\n"
    folder = tmp_path_factory.mktemp("wordings")
    with tabled_base(folder, {"sheet.md": sheet}, csv_of(*table), held=["sheet.md"], added={}) as found:
        yield found


def answered(index: OpenIndex, question: str) -> str:
    """The answer's text; "" where facts alone give none."""
    found = told_by_facts(index, question)
    return "" if found is None else written(found)


@pytest.mark.parametrize(
    "question",
    [
        "What does an A100 cost per hour on Azure right now?",
        "current A100 price on Azure",
        "A100 price on Azure these days",
        "What does an A100 rent for on Azure at the moment?",
    ],
)
def test_what_holds_now_is_what_is_known_and_a_list_price_goes_first(index: OpenIndex, question: str) -> None:
    answer = answered(index, question)
    assert answer.index("3.67 USD") < answer.index("3.10 USD")


SUMS = {
    "how many MI300X to hold 1500 GB": "1,500 GB / 192 GB [1] = 7.812, so 8 GPUs",
    "How many Maia 200 do I need for 1 TB of weights?": "1 TB / 216 GB [1] = 4.63, so 5 chips",
    "How many MI300X in 20 kW?": "20 kW / 750 W [1] = 26.67, so 26 GPUs",
    "how many chips of Maia 200 run on 9 kW": "9 kW / 750 W [1] = 12 chips",
    "how many DGX H200 fit in a 45 kW rack": "45 kW / 10.2 kW [1] = 4.412, so 4 NVIDIA DGX H200",
    "power consumed by 24 MI300X": f"24 chips x 750 W [1] = {24 * 750:,} W",
}


# words alone do not tell these, and the vectors of this knowledge base are made up
WANTED = {"how many DGX H200 fit in a 45 kW rack": "systems", "power consumed by 24 MI300X": "total_power"}


@pytest.mark.parametrize(("question", "sum_"), SUMS.items(), ids=SUMS)
def test_room_and_power_are_divided_by_what_one_takes(
    index: OpenIndex, question: str, sum_: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if wanted := WANTED.get(question):
        monkeypatch.setattr(OpenIndex, "wish", lambda _index, _text: Wish({wanted: 1.0}))
    assert sum_ in answered(index, question)


@pytest.mark.parametrize("name", ["MI300X", "H200", "v5p chips", "B200s"])
def test_a_product_s_letters_are_no_unit(index: OpenIndex, name: str) -> None:
    assert index.domain.counted(understand(f"how many {name} does it take", index.domain).unit) == "chips"


def test_a_product_s_number_and_round_the_clock_are_no_figures(index: OpenIndex) -> None:
    assert [g.text for g in givens("ten Maia 200 running 24/7", index.domain) or []] == ["10 chips"]


ORDERED = {
    "Rank the Gaudi chips by memory": ["Gaudi 3", "Gaudi 2"],
    "Rank all chips by memory": ["Maia 200", "MI300X", "Gaudi 3"],
    "top 2 chips by memory": ["Maia 200", "MI300X"],
    "largest memory": ["Maia 200", "MI300X", "Gaudi 3"],
}


@pytest.mark.parametrize(("question", "order"), ORDERED.items(), ids=ORDERED)
def test_what_is_to_be_ranked_is_put_in_order(index: OpenIndex, question: str, order: list[str]) -> None:
    answer = answered(index, question)
    assert sorted(order, key=answer.index) == order
    assert ("Gaudi 2" in answer) == question.startswith("Rank")


DATES = {
    "which came first, Trillium or the MI325X?": "The TPU v6e was announced on 14 May 2024 [1]. The MI325X was announced in October 2024 [2].",
    "When was Trillium announced and when GA?": "The TPU v6e was announced on 14 May 2024 [1]. The TPU v6e became available on 11 December 2024 [2].",
}


@pytest.mark.parametrize(("question", "said"), DATES.items(), ids=DATES)
def test_dates_are_told_one_beside_the_other(index: OpenIndex, question: str, said: str) -> None:
    assert said in answered(index, question)


@pytest.mark.parametrize("question", ["What kind of memory does Maia 200 use and how much of it?", "How much memory has Maia 200 and what kind?"])  # fmt: skip
def test_neither_half_of_a_question_is_dropped(index: OpenIndex, question: str) -> None:
    answer = answered(index, question)
    assert "HBM3e" in answer.replace("per chip, HBM3e", "")
    assert "216 GB" in answer


@pytest.mark.parametrize(
    "question", ["Which shares should I buy, Intel or AMD?", "Which is the better investment, Intel or AMD?", "Is AMD the better company?", "NVIDIA stock price"]
)  # fmt: skip
def test_companies_and_their_shares_are_no_question_of_chips(index: OpenIndex, question: str) -> None:
    assert understand(question, index.domain).wants_opinion
    assert not answered(index, question)
