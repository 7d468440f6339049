"""`chipwise size` and `chipwise plan`, on the shipped facts: every line is arithmetic, every option and every error."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from chipwise.figures.llms import advice
from chipwise.knowledge import KnowledgeFolder

from ..conftest import Chipwise
from ..documents import write
from ..learning.bases import taught

L70, L8 = 70_553_706_496, 8_030_261_248  # parameters
DOCUMENTS = (
    "primers/memory-planning", "primers/hbm", "primers/mfu", "sources/stas00-accelerators", "sources/gpuhunt-constraints",
    "sources/google-tpu-v5e-docs", "sources/verda-gb300-architecture", "sources/aiwiki-h200",
    "sources/cloud-gpu-list-prices-2026", "sources/costnimbus-gpu-prices-2026", "sources/lockwood-a100",
)  # fmt: skip


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeFolder]:
    """The shipped domain and facts, with the primers and digests that the sums rest on."""
    with taught(tmp_path_factory.mktemp("facts"), DOCUMENTS) as base:
        yield base


Run = Any


@pytest.fixture
def run(chipwise: Chipwise, facts: KnowledgeFolder) -> Run:
    """The JSON value of a command, and its exit code."""

    def given(*arguments: str, code: int = 0) -> dict[str, Any]:
        result = chipwise(*arguments, "--json", kb=facts)
        assert result.exit_code == code, result.output
        value: dict[str, Any] = json.loads(result.stdout)
        return value

    return given


def lines(value: dict[str, Any]) -> dict[str, float]:
    """The upper end of each line, by id."""
    return {line["id"]: line["high"] for line in value["lines"]}


# --- size ---


def test_weights_cache_and_their_sum_are_products_of_the_table(run: Run) -> None:
    found = lines(run("size", "llama 3.1 70b", "--context", "8k", "--batch", "16", "--format", "bf16"))
    cache = 80 * 2 * 8 * 128 * 2
    assert found["weights.bf16"] == pytest.approx(L70 * 2 / 1e9)
    assert found["cache_per_token"] == pytest.approx(cache / 1e3)
    assert found["cache"] == pytest.approx(cache * 8192 * 16 / 1e9)
    assert found["total.bf16"] == pytest.approx((L70 * 2 + cache * 8192 * 16) / 1e9)


def test_the_formats_and_the_cache_in_fp8_are_as_asked(run: Run) -> None:
    found = lines(run("size", "llama 3.1 8b", "--format", "FP8", "--format", "nf4", "--kv-format", "fp8"))
    assert found["cache_per_token"] == pytest.approx(32 * 2 * 8 * 128 / 1e3)
    embeddings = 2 * 128_256 * 4096
    assert found["weights.nf4"] == pytest.approx((L8 - embeddings) * 4.127 / 8 / 1e9, rel=1e-3)
    assert "weights.bf16" not in found


def test_chips_are_rounded_up_to_what_one_can_have(run: Run) -> None:
    value = run("size", "llama 3.1 70b", "--on", "h100", "--on", "tpu v5e", "--format", "bf16")
    fits = {fit["chip"]: fit for fit in value["fits"]}
    need = L70 * 2 + 80 * 2 * 8 * 128 * 2 * 8192
    assert fits["nvidia-h100"]["least"] == [-(-need // int(80e9 * 0.9))] * 2
    assert (fits["google-tpu-v5e"]["least"], fits["google-tpu-v5e"]["offered"]) == ([10, 10], [16, 16])


def test_a_smaller_reserve_leaves_more_room(run: Run) -> None:
    value = run("size", "llama 3.1 70b", "--on", "b200", "--chips", "1", "--reserve", "0%", "--format", "bf16")
    assert lines(value)["room.nvidia-b200"] == pytest.approx(180)
    assert any(line["says"].startswith("BF16 fits on 1 NVIDIA B200; left over") for line in value["lines"])
    tight = run("size", "llama 3.1 70b", "--on", "b200", "--chips", "1", "--reserve", "50%", "--format", "bf16")
    assert any("only if less than 50% stays free" in line["says"] for line in tight["lines"])
    short = run("size", "llama 3.1 70b", "--on", "h100", "--chips", "1", "--format", "bf16")
    assert any(line["says"].startswith("BF16 does not fit on 1 NVIDIA H100") for line in short["lines"])


def test_a_chip_that_comes_with_several_capacities_is_shown_with_each(run: Run) -> None:
    value = run("size", "70B", "--format", "bf16", "--on", "a100")
    assert {(fit["chip"], fit["least"][0]) for fit in value["fits"]} == {
        ("nvidia-a100-40gb", math.ceil(140 / 36)),
        ("nvidia-a100-80gb", math.ceil(140 / 72)),
    }
    assert value["notes"][0].startswith("the NVIDIA A100 comes with several capacities")


def test_a_chip_that_is_named_twice_is_told_once(run: Run) -> None:
    named = run("size", "70B", "--format", "bf16", "--on", "h100", "--on", "NVIDIA H100")
    assert [fit["chip"] for fit in named["fits"]] == ["nvidia-h100"]


def test_a_million_tokens_of_context_are_a_power_of_two(run: Run) -> None:
    found = lines(run("size", "llama 4 scout", "--context", "1M", "--on", "h100"))
    assert found["cache"] == pytest.approx(2 * 8 * 128 * 2 * (12 * 1_048_576 + 36 * 8192) / 1e9)


@pytest.mark.parametrize(
    ("arguments", "note"),
    [
        (("llama 3.1 70b", "--on", "tpu v5e"), "tensor parallelism over more chips than 8 KV heads keeps copies"),
        (("deepseek v3", "--on", "h200"), "tensor parallelism leaves all of an MLA cache on every chip"),
    ],
)
def test_what_tensor_parallelism_copies_of_the_cache_is_told(run: Run, arguments: tuple[str, ...], note: str) -> None:
    assert any(told.startswith(note) for told in run("size", *arguments)["notes"])
    one = run("size", "llama 3.1 8b", "--on", "h100")
    assert not any("tensor parallelism" in told for told in one["notes"])


def test_a_bare_number_of_parameters_gives_what_follows_from_it(run: Run) -> None:
    value = run("size", "70B")
    assert lines(value)["weights.bf16"] == pytest.approx(140)
    assert "cache" not in lines(value)
    assert any("KV cache" in note for note in value["notes"])


def test_a_cache_that_was_asked_for_and_does_not_follow_is_exit_code_1(run: Run) -> None:
    value = run("size", "70B", "--context", "8k", code=1)
    assert value["status"] == "incomplete"
    near = "name a model, such as Llama 3.3 70B or Qwen2.5 72B or Llama 3.1 70B"
    assert value["missing"] == [f"the KV cache: it needs layers, KV heads and their size; {near}"]


@pytest.mark.parametrize(("optimizer", "low", "high"), [("adamw", 16, 18), ("adam8bit", 10, 12), ("sgd", 8, 14)])
def test_training_states_go_by_the_optimizer(run: Run, optimizer: str, low: int, high: int) -> None:
    value = run("size", "llama 3.1 8b", "--train", "full", "--optimizer", optimizer, "--on", "h100")
    (states,) = (line for line in value["lines"] if line["id"] == "states")
    assert (states["low"], states["high"]) == pytest.approx((L8 * low / 1e9, L8 * high / 1e9))


@pytest.mark.parametrize(("recompute", "factor"), [("none", 44 + 5 * 32 * 2048 / 4096), ("selective", 44), ("full", 2)])
def test_activations_go_by_what_is_recomputed(run: Run, recompute: str, factor: float) -> None:
    options = ("--seq", "2k", "--micro-batch", "3", "--recompute", recompute, "--on", "h100")
    found = lines(run("size", "llama 3.1 8b", "--train", "full", *options))
    assert found["activations"] == pytest.approx(32 * 3 * 2048 * 4096 * factor / 1e9)  # 44 = 16 + 8 x 14,336 / 4,096
    assert found["logits"] == pytest.approx(3 * 2048 * 128_256 * 4 / 1e9)
    assert ("activations.layer" in found) == (recompute == "full")


def test_layers_without_attention_are_an_assumption(run: Run) -> None:
    assumed = run("size", "jamba", "--train", "full", "--on", "h100")["assumptions"]
    assert "28 of the 32 layers have no attention, but are counted as if they had it" in assumed


def test_adapters_go_by_their_rank_and_a_frozen_base_has_no_states(run: Run) -> None:
    for way, base in (("lora", "weights.bf16"), ("qlora", "weights.nf4")):
        found = {
            n: lines(run("size", "llama 3.1 8b", "--train", way, "--rank", n, "--on", "h100")) for n in ("8", "16")
        }
        assert found["16"]["adapters"] == pytest.approx(2 * found["8"]["adapters"])
        assert {base, "activations", "total"} <= set(found["8"])
        assert "states" not in found["8"]


def test_adapters_go_by_the_matrices_that_are_named(run: Run) -> None:
    def adapters(*options: str) -> tuple[float, float]:
        value = run("size", "llama 3.1 8b", "--train", "lora", "--optimizer", "adamw", "--on", "h100", *options)
        (line,) = (line for line in value["lines"] if line["id"] == "adapters")
        return line["low"] / 16 * 1e9, line["high"] / 18 * 1e9  # bytes a parameter with AdamW

    kv = 4096 + 1024
    least, attention = (32 * 16 * (8192 + kv + n) for n in (0, kv + 8192))
    every = attention + 32 * 16 * 3 * (4096 + 14336)
    for target, count in (("qv", least), ("attention", attention), ("all", every)):
        assert adapters("--target", target) == pytest.approx((count, count))
    assert adapters() == pytest.approx((least, every))


def test_training_by_a_number_alone_misses_the_activations(run: Run) -> None:
    assert run("size", "7B", "--train", "full", "--on", "h100", code=1)["missing"] == [
        f"the activations: they need layers and hidden size; {advice(7e9)}"
    ]


def test_all_experts_of_a_mixture_are_in_memory(run: Run) -> None:
    value = run("size", "deepseek v3", "--format", "fp8", "--on", "h200")
    assert lines(value)["weights.fp8"] == pytest.approx(671.026)
    assert lines(value)["cache_per_token"] == pytest.approx(61 * (512 + 64) * 2 / 1e3)
    assert any(note.startswith("all experts have to be in memory [") for note in value["notes"])


def test_a_context_beyond_the_models_own_is_told(run: Run) -> None:
    notes = run("size", "llama 3.1 8b", "--context", "1M", "--on", "h100")["notes"]
    assert "1,048,576 tokens are more than the 131,072 that Llama 3.1 8B was made for" in notes


def test_every_number_in_brackets_has_its_quote(run: Run) -> None:
    for arguments in (("size", "llama 3.1 70b"), ("plan", "train", "70B", "--tokens", "1T", "--on", "h100")):
        value = run(*arguments)
        told = json.dumps([value["lines"], value["fits"], value["notes"], value["assumptions"]])
        assert value["schema"] == f"chipwise.{arguments[0]}/1"
        for cited in value["citations"]:
            assert f"[{cited['n']}]" in told
            assert cited["quote"]
        assert f"[{len(value['citations']) + 1}]" not in told


# --- plan train ---

RUN = ("plan", "train", "70B", "--tokens", "1T", "--on", "h100 sxm")
COMPUTE = 6 * 70e9 * 1e12
PEAK = 989e12


def test_days_follow_from_chips_and_chips_from_days(run: Run) -> None:
    days = lines(run(*RUN, "--chips", "1024", "--mfu", "40%"))["time"] / 24
    assert days == pytest.approx(COMPUTE / (1024 * PEAK * 0.4) / 86400)
    assert lines(run(*RUN, "--days", f"{days * 1.00001}", "--mfu", "0.4"))["chips"] == 1024


def test_an_mfu_that_nobody_gives_is_an_assumed_range(run: Run) -> None:
    value = run(*RUN, "--chips", "1024")
    (time,) = (line for line in value["lines"] if line["id"] == "time")
    assert (time["low"], time["high"]) == pytest.approx(tuple(COMPUTE / (1024 * PEAK * u) / 3600 for u in (0.5, 0.35)))
    assert "an MFU of 35% to 50%, around what Llama 3.1 405B reached" in value["assumptions"]


def test_the_mfu_that_is_needed_follows_from_all_else(run: Run) -> None:
    value = run(*RUN, "--chips", "1024", "--days", "30")
    assert lines(value)["mfu"] == pytest.approx(100 * COMPUTE / (1024 * 30 * 86400 * PEAK))
    assert not any("MFU" in text for text in value["assumptions"])


@pytest.mark.parametrize(
    ("days", "note"),
    [("4", "no chip exceeds its peak"), ("8", "large training runs report an MFU of 35 to 50%")],
)
def test_an_mfu_that_no_run_reaches_is_told(run: Run, days: str, note: str) -> None:
    assert any(told.startswith(note) for told in run(*RUN, "--chips", "1024", "--days", days)["notes"])


def test_tokens_and_parameters_follow_from_a_budget_of_time(run: Run) -> None:
    given = ("--chips", "100", "--days", "10", "--mfu", "40%")
    made = 100 * 10 * 86400 * PEAK * 0.4
    tokens = lines(run("plan", "train", "70B", "--on", "h100 sxm", *given))
    assert tokens["training_tokens"] == pytest.approx(made / (6 * 70e9))
    parameters = lines(run("plan", "train", "--tokens", "1T", "--on", "h100 sxm", *given))
    assert parameters["parameters"] == pytest.approx(made / (6 * 1e12))


def test_without_a_chip_the_peak_that_it_takes_follows(run: Run) -> None:
    value = run("plan", "train", "70B", "--tokens", "1T", "--chips", "1024", "--days", "30", "--mfu", "40%")
    assert lines(value)["peak"] == pytest.approx(COMPUTE / (1024 * 30 * 86400 * 0.4) / 1e12)


def test_what_costs_is_told_at_the_lowest_and_at_the_highest_price(run: Run) -> None:
    costs = [line for line in run(*RUN, "--chip-hours", "1000")["lines"] if line["id"].startswith("cost.")]
    assert len(costs) == 2
    assert costs[0]["high"] < costs[1]["high"]
    assert lines(run(*RUN, "--chip-hours", "1000", "--price", "$2.50"))["cost"] == pytest.approx(2500)


def test_a_cost_gives_the_price_or_what_it_buys(run: Run) -> None:
    price = lines(run(*RUN, "--mfu", "40%", "--cost", "1M"))["price"]
    assert price == pytest.approx(1e6 / (COMPUTE / (PEAK * 0.4) / 3600))
    bought = lines(run("plan", "train", "70B", "--on", "h100 sxm", "--cost", "1M", "--price", "2", "--mfu", "40%"))
    assert bought["training_tokens"] == pytest.approx(500_000 * 3600 * PEAK * 0.4 / (6 * 70e9))


def test_what_is_given_twice_over_is_told_and_worked_out(run: Run) -> None:
    value = run(*RUN, "--chips", "1024", "--days", "30", "--mfu", "40%", "--price", "2", "--cost", "9M")
    assert lines(value)["time"] / 24 == pytest.approx(COMPUTE / (1024 * PEAK * 0.4) / 86400)
    assert sum(note.startswith("nothing was left open: ") for note in value["notes"]) == 2


def test_a_mixture_of_experts_is_computed_with_its_active_parameters(run: Run) -> None:
    value = run("plan", "train", "deepseek v3", "--tokens", "14.8T", "--on", "h100 sxm", "--mfu", "40%")
    assert lines(value)["training_compute"] == pytest.approx(6 * 37e9 * 14.8e12)
    assert any(note.startswith("compute goes by the active parameters [") for note in value["notes"])


def test_energy_goes_by_the_pue_and_the_price_of_a_kilowatt_hour(run: Run) -> None:
    options = ("--chips", "1000", "--days", "10", "--pue", "1.2", "--kwh-price", "0.08")
    found = lines(run("plan", "train", "70B", "--on", "h100 sxm", *options))
    assert found["energy"] == pytest.approx(1000 * 700 * 1.2 * 240 / 1e3)
    assert found["energy_cost"] == pytest.approx(found["energy"] * 0.08)


def test_a_plan_with_too_much_open_says_what_is_missing_with_exit_code_1(run: Run) -> None:
    assert run("plan", "train", "70B", code=1)["missing"] == [
        "too much is open; all but one of these have to be given:"
        " --tokens; the chip (--on); --chips with --days, --chip-hours or --cost"
    ]


# --- plan serve ---


def test_energy_that_was_asked_for_and_does_not_follow_is_missing(run: Run) -> None:
    given = ("--tokens", "1T", "--chips", "256", "--pue", "1.1")
    missing = run("plan", "train", "8B", "--on", "tpu v5e", *given, code=1)["missing"]
    assert missing == ["the power of the TPU v5e, and with it the energy: no figure is known"]
    assert run("plan", "train", "8B", "--on", "h100", "--tokens", "1T", "--pue", "1.1", code=1)["missing"] == [
        "the energy needs the time as well"
    ]


def test_a_chip_without_a_peak_is_what_is_missing(run: Run) -> None:
    missing = run("plan", "train", "8B", "--on", "v100", "--tokens", "1T", code=1)["missing"]
    assert missing == ["the dense BF16 peak of the NVIDIA V100: no figure is known"]


def test_a_chip_without_a_price_is_told(run: Run) -> None:
    chip = ("--on", "b300", "--tokens", "1T")
    note = "no on-demand price of the NVIDIA B300 SXM is known: give --price for what it costs"
    free, priced = run("plan", "train", "8B", *chip), run("plan", "train", "8B", *chip, "--price", "2")
    assert note in free["notes"]
    assert note not in priced["notes"]


SERVE = ("plan", "serve", "llama 3.1 70b", "--on", "h100 sxm")
WEIGHTS, CACHE = L70 * 2, 80 * 2 * 8 * 128 * 2 * 8192


def test_the_ceiling_is_the_lower_of_bandwidth_and_compute(run: Run) -> None:
    found = lines(run(*SERVE, "--chips", "8", "--batch", "32", "--context", "8k"))
    assert found["batch_rate"] == pytest.approx(32 * 8 * 3.35e12 / (WEIGHTS + 32 * CACHE), rel=1e-3)
    assert found["prefill_rate"] == pytest.approx(8 * PEAK / (2 * L70), rel=1e-3)
    assert found["total_token_rate"] == min(found["batch_rate"], found["prefill_rate"])
    assert found["user_token_rate"] == pytest.approx(found["total_token_rate"] / 32)


def test_a_plan_tells_what_measured_runs_reach(run: Run) -> None:
    value = run(*SERVE, "--chips", "2", "--format", "fp8", "--kv-format", "fp8", "--context", "2k")
    practice = next(line for line in value["lines"] if line["id"] == "measured_rate")
    assert practice["low"] < practice["high"] < lines(value)["total_token_rate"]
    assert any(
        "Llama 3.3 70B on 2 x NVIDIA H100 SXM, FP8, 1000 tokens in and 1000 out: 4,205" in n for n in value["notes"]
    )
    found = lines(run("plan", "train", "llama 3.1 70b", "--tokens", "1T", "--on", "h100 sxm"))
    assert found["measured_mfu.bf16"] == pytest.approx(100 * 6 * L70 * 652.4 / PEAK, rel=1e-3)


def test_a_utilization_lowers_the_ceiling(run: Run) -> None:
    whole, half = (lines(run(*SERVE, "--batch", "4", "--utilization", u)) for u in ("100%", "50%"))
    assert half["total_token_rate"] == pytest.approx(whole["total_token_rate"] / 2)


def test_the_largest_batch_is_what_the_chips_have_room_for(run: Run) -> None:
    found = lines(run(*SERVE, "--chips", "4", "--reserve", "20%"))
    assert found["sequences"] == (4 * 80e9 * 0.8 - WEIGHTS) // CACHE


def test_the_fewest_chips_are_those_that_hold_it_or_that_a_rate_takes(run: Run) -> None:
    assert lines(run(*SERVE, "--batch", "1"))["chips"] == 2
    wanted = lines(run(*SERVE, "--batch", "1", "--rate", "150"))
    assert (wanted["chips"], wanted["total_token_rate"] >= 150, wanted["mfu"] < 100) == (8, True, True)


def test_a_million_tokens_cost_what_the_hours_for_them_cost(run: Run) -> None:
    found = lines(run(*SERVE, "--chips", "8", "--batch", "32", "--price", "2"))
    assert found["token_cost.at best"] == pytest.approx(8 * 2 / 3600 / found["total_token_rate"] * 1e6)
    price = lines(run(*SERVE, "--chips", "8", "--batch", "32", "--token-cost", str(found["token_cost.at best"])))[
        "price"
    ]
    assert price == pytest.approx(2)


def test_weights_and_cache_of_fewer_bits_are_read_faster(run: Run) -> None:
    eight = lines(run(*SERVE, "--chips", "8", "--batch", "32", "--format", "fp8", "--kv-format", "fp8"))
    assert eight["batch_rate"] == pytest.approx(32 * 8 * 3.35e12 / (L70 + 32 * CACHE / 2), rel=1e-3)
    assert eight["prefill_rate"] == pytest.approx(8 * 1979e12 / (2 * L70), rel=1e-3)


def test_energy_of_a_million_tokens_is_power_times_the_time_for_them(run: Run) -> None:
    found = lines(run(*SERVE, "--chips", "8", "--batch", "32", "--pue", "1.3", "--kwh-price", "0.1"))
    assert found["energy"] == pytest.approx(8 * 700 * 1.3 * 1e6 / found["total_token_rate"] / 3.6e6)
    assert found["energy_cost"] == pytest.approx(found["energy"] * 0.1)


@pytest.mark.parametrize(
    ("arguments", "missing"),
    [
        (
            ("plan", "serve", "70B", "--on", "h100"),
            f"the shape of the model, for its KV cache: {advice(70e9)}",
        ),
        (("plan", "serve", "llama 3.1 70b"), "the chip: name one with --on"),
        ((*SERVE, "--chips", "1"), "room: the weights and the cache of one sequence do not fit on these chips"),
        ((*SERVE, "--chips", "1", "--batch", "1"), "room: 1 x 80 GB"),
    ],
)
def test_a_service_that_does_not_follow_says_what_is_missing(
    run: Run, arguments: tuple[str, ...], missing: str
) -> None:
    assert run(*arguments, code=1)["missing"][0].startswith(missing)


# --- both ---


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (("size", "llama 3.1 71b"), "no model in the table is called 'llama 3.1 71b'"),
        (("size", "70B", "--format", "fp7"), "no number format is called 'fp7'"),
        (("size", "70B", "--kv-format", "fp7"), "no number format is called 'fp7'"),
        (("size", "70B", "--train", "half"), "no way to train is called 'half'"),
        (("size", "70B", "--recompute", "some"), "no recomputation is called 'some'"),
        (("size", "70B", "--optimizer", "lion"), "no optimizer is called 'lion'"),
        (("size", "70B", "--train", "lora", "--target", "mlp"), "no target is called 'mlp'"),
        (("size", "70B", "--train", "full", "--context", "8k"), "--context is for running"),
        (("size", "70B", "--seq", "8k"), "--seq is for training"),
        (("size", "70B", "--on", "dgx h100"), "the NVIDIA DGX H100 is a machine of 8 chips"),
        ((*RUN, "--chips", "8", "--days", "1", "--chip-hours", "9"), "--chip-hours are --chips times --days"),
        (("size", "70B", "--on", "h100x"), "no single chip is called 'h100x'"),
        (("size", "70B", "--chips", "8"), "--chips needs --on"),
        (("size", "70B", "--reserve", "100%"), "a reserve of 100% leaves no memory"),
        (("size", "70B", "--reserve", "x"), "'x' is not a value for the reserve"),
        (("size", "llama 3.1 8b", "--context", "long"), "'long' is not a number of tokens"),
        (("plan", "train", "70B", "--tokens", "many"), "'many' is not a number of tokens"),
        (("plan", "train", "70B", "--chips", "0.5"), "0.5 is not a whole number of chips"),
        (("plan", "train", "70B", "--mfu", "0"), "'0' is not a value for the MFU"),
        (("plan", "train", "70B", "--mfu", "140%"), "'140%' is not a value for the MFU"),
        (("plan", "train", "70B", "--price", "2 GB"), "'2 GB' is not a price per chip"),
        (("plan", "train", "70B", "--price", "-2"), "'-2' is not a value for the price per chip"),
        (("plan", "train", "70B", "--pue", "0.5"), "a PUE cannot be 0.5"),
        (("plan", "serve", "llama 3.1 8b", "--format", "fp7"), "no number format is called 'fp7'"),
        (("plan", "serve", "llama 3.1 8b", "--utilization", "0"), "a utilization of 0 or a reserve of 100% leaves nothing"),
        (("plan", "serve", "llama 3.1 8b", "--on", "h100", "--rate", "fast"), "'fast' is not one amount"),
    ],
)  # fmt: skip
def test_what_cannot_be_understood_is_told_with_exit_code_2(
    chipwise: Chipwise, facts: KnowledgeFolder, arguments: tuple[str, ...], error: str
) -> None:
    result = chipwise(*arguments, kb=facts)
    assert result.exit_code == 2
    assert result.stderr.startswith(f"error: {error}")
    assert "help: " in result.stderr


@pytest.mark.parametrize("columns", ["60", "80"])
def test_what_is_printed_fits_the_terminal(
    chipwise: Chipwise, facts: KnowledgeFolder, monkeypatch: pytest.MonkeyPatch, columns: str
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    for arguments in (("size", "llama 3.1 70b"), RUN, (*SERVE, "--chips", "8")):
        result = chipwise(*arguments, kb=facts)
        assert result.exit_code == 0
        wide = [line for line in result.output.splitlines() if len(line) > int(columns) and " " in line.strip()]
        assert wide == []


def test_the_answers_of_a_plan_come_first(chipwise: Chipwise, facts: KnowledgeFolder) -> None:
    shown = chipwise(*RUN, "--chips", "1024", "--mfu", "40%", "--price", "2", kb=facts).output.splitlines()
    assert shown[:4] == [
        "Training 70 billion parameters",
        "  chip time: 295,000 chip-hours",
        "  time: 12 days",
        "  cost: 590,000 USD",
    ]


@pytest.mark.parametrize(("typed", "near"), [("H10", "NVIDIA H100"), ("h20O", "NVIDIA H20"), ("mi300z", "AMD MI300")])
def test_a_mistyped_chip_has_the_chips_with_short_names_near_it(
    chipwise: Chipwise, facts: KnowledgeFolder, typed: str, near: str
) -> None:
    stderr = chipwise("size", "70B", "--on", typed, kb=facts).stderr
    assert stderr.startswith(f"error: no single chip is called {typed!r}\nhelp: did you mean {near}")


def test_a_chip_of_ones_own_has_the_memory_that_an_added_document_states(chipwise: Chipwise, tmp_path: Path) -> None:
    entity = '[[entity]]\nid = "zephyr-x1"\nname = "Zephyr X1"\nkind = "chip"\nparent = "accelerator"\n'
    with taught(tmp_path, ["sources/aiwiki-h200"]) as base:
        write(base.folder / "domain", {"entities.toml": entity})
        documents = {"zephyr.md": "# Zephyr X1\n\nThe Zephyr X1 has 224 GB of memory. The H200 has 999 GB of memory.\n"}
        chipwise("add", *map(str, write(tmp_path / "documents", documents)), kb=base)
        found = json.loads(
            chipwise("size", "llama 3.1 70b", "--on", "zephyr x1", "--on", "h200", "--json", kb=base).stdout
        )
    held = {fit["chip"]: fit["memory"].partition(" [")[0] for fit in found["fits"]}
    assert held == {"zephyr-x1": "224 GB", "nvidia-h200": "141 GB"}
    assert any("224 GB" in cited["quote"] for cited in found["citations"])
