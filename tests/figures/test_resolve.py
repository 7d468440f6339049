"""Which facts of the shipped table fill a key, and which variant speaks for its chip."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

import pytest

from chipwise.building.facts import read_facts
from chipwise.claims.model import Fact, Key, Scope
from chipwise.corpus import digests_folder, facts_folder
from chipwise.domain.files import shipped_domain
from chipwise.domain.names import Names, names_notes
from chipwise.figures.alike import covered, goes_by
from chipwise.figures.resolve import Resolved, resolve, resolve_each

CHIP = Scope("chip")
DENSE_BF16 = (("basis", "peak"), ("dtype", "bf16"), ("sparsity", "dense"))


class Table:
    """The shipped facts; `missing` are those whose source is not here."""

    def __init__(self, facts: Iterable[Fact], missing: Iterable[str] = ()) -> None:
        self._facts, self._missing = list(facts), set(missing)

    def facts(self, about: Iterable[str] | None = None, metrics: Iterable[str] | None = None) -> list[Fact]:
        ids, ms = (None if wanted is None else set(wanted) for wanted in (about, metrics))
        return [
            f for f in self._facts if (ids is None or f.claim.subject in ids) and (ms is None or f.claim.metric in ms)
        ]

    def holds(self, fact: Fact) -> bool:
        return fact.id not in self._missing


@cache
def names() -> Names:
    return Names(names_notes(shipped_domain()).__getitem__)


@cache
def table() -> Table:
    return Table(read_facts(facts_folder(), digests_folder(), shipped_domain()))


def key(subject: str, metric: str, scope: Scope | None = None, **axes: str) -> Key:
    return Key(subject, metric, scope, tuple(sorted(axes.items())))


def resolved(wanted: Key, *beside: str) -> Resolved:
    return resolve(table(), names(), wanted, beside)


def ids(facts: Iterable[Fact]) -> list[str]:
    return [fact.id for fact in facts]


def best(wanted: Key, *beside: str) -> str:
    return resolved(wanted, *beside).facts[0].id


def aligned(metric: str, *subjects: str, **axes: str) -> list[str]:
    """The figures of several subjects that stand beside each other."""
    found = resolve_each(table(), names(), [key(s, metric, None, **axes) for s in subjects])
    return [r.facts[0].id for r in found]


# --- One chip ---


def test_the_memory_of_an_h100_is_its_own_and_the_nvl_has_another() -> None:
    found = resolved(key("nvidia-h100", "memory_capacity", CHIP))
    assert found.facts[0].id == "h100-memory-capacity"
    assert found.one is found.facts[0]
    assert ids(found.others) == ["h100-nvl-memory-capacity"]


def test_the_sxm_speaks_for_the_power_of_an_h100_and_no_one_figure_does() -> None:
    found = resolved(key("nvidia-h100", "tdp"))
    assert (found.facts[0].id, found.variant) == ("h100-sxm-tdp", "nvidia-h100-sxm")
    assert ids(found.others) == ["h100-pcie-tdp", "h100-nvl-tdp"]
    assert found.one is None


def test_where_the_variants_agree_none_speaks_and_one_figure_is_enough() -> None:
    found = resolved(key("nvidia-a100-80gb", "memory_capacity"))
    assert ids(found.facts) == ["a100-80gb-memory-capacity"], "the PCIe card has 80 GB as well"
    assert (found.variant, found.others, found.one) == ("", (), found.facts[0])


def test_what_a_rounded_figure_agrees_with_is_another_figure_all_the_same() -> None:
    found = resolved(key("nvidia-a100-80gb", "memory_bandwidth"))
    assert ids(found.facts) == ["a100-80gb-memory-bandwidth", "a100-80gb-memory-bandwidth-rounded"]
    assert ids(found.others) == ["a100-pcie-80gb-memory-bandwidth"], "1,935 GB/s, as 2.0 TB/s may be written for"


def test_what_is_said_of_a_chip_in_one_form_and_of_that_variant_is_told_once() -> None:
    gaudi, _ = resolve_each(table(), names(), [key("intel-gaudi-3", "tdp"), key("amd-mi250x", "tdp")])
    assert [fact.value for fact in (*gaudi.facts, *gaudi.others)] == ["900", "600"]


def test_a_variant_has_what_its_form_has_and_one_named_by_its_memory_has_no_power_of_its_own() -> None:
    inherited = resolved(key("nvidia-a100-sxm-80gb", "tdp"))
    assert inherited.one is not None
    assert inherited.one.id == "a100-sxm-tdp"
    assert best(key("nvidia-a100-80gb", "tdp")) == "a100-pcie-80gb-tdp"


def test_a_pcie_card_and_an_sxm_module_have_each_their_own() -> None:
    assert best(key("nvidia-h100-pcie", "memory_capacity")) == "h100-pcie-memory-capacity"
    assert best(key("nvidia-h100-sxm", "tdp")) == "h100-sxm-tdp"
    assert resolved(key("nvidia-h100-sxm", "tdp")).others == ()


def test_the_gpu_of_a_gb200_has_its_own_memory_and_speaks_for_no_b200() -> None:
    assert best(key("nvidia-gb200-gpu", "memory_capacity")) == "gb200-gpu-memory-capacity"
    b200 = resolved(key("nvidia-b200", "tdp"))
    assert (b200.facts[0].id, b200.variant) == ("b200-tdp", "nvidia-b200-sxm")
    assert ids(b200.others) == ["gb200-gpu-tdp"]


def test_an_mi300a_is_no_mi300x() -> None:
    assert best(key("amd-mi300a", "memory_capacity")) == "mi300a-memory-capacity"
    assert best(key("amd-mi300x", "memory_capacity")) == "mi300x-memory-capacity"


def test_what_can_be_used_of_a_v5p_goes_before_what_is_built_in() -> None:
    found = resolved(key("google-tpu-v5p", "memory_capacity", CHIP))
    assert found.one is not None
    assert found.one.id == "tpu-v5p-memory"
    assert best(key("google-tpu-v5p", "memory_capacity", CHIP, capacity="physical")) == "tpu-v5p-memory-physical"
    assert best(key("google-tpu-v5p", "memory_capacity", Scope("node"))) == "tpu-v5p-machine-memory"


def test_what_is_deprecated_fills_nothing() -> None:
    found = resolved(key("nvidia-l40s", "tdp"))
    assert ids(found.facts) == ["l40s-tdp"], "300 W is deprecated"


def test_a_fact_whose_source_is_not_here_fills_nothing() -> None:
    wanted = key("nvidia-l40s", "tdp")
    assert resolve(Table(table().facts(), ["l40s-tdp"]), names(), wanted) == Resolved()


# --- Qualifiers ---


def test_of_peaks_dense_bf16_goes_first_and_none_is_the_only_one() -> None:
    found = resolved(key("nvidia-l40s", "peak_compute"))
    assert found.facts[0].id == "l40s-peak-bf16-dense"
    assert found.one is None
    by_format = {f.claim.qualifier("dtype"): f for f in reversed(found.facts)}
    assert by_format["fp8"].id == "l40s-peak-fp8-dense"
    assert by_format["fp32"].id == "l40s-peak-fp32"


def test_a_peak_in_one_format_is_one_figure() -> None:
    peak = resolved(key("nvidia-h100-sxm", "peak_compute", CHIP, **dict(DENSE_BF16)))
    assert peak.one is not None
    assert peak.one.id == "h100-sxm-peak-bf16-dense"
    assert best(key("nvidia-h100-sxm", "peak_compute", dtype="fp8", sparsity="2:4")) == "h100-sxm-peak-fp8-sparse"


def test_what_says_nothing_of_sparsity_is_dense_and_not_sparse() -> None:
    assert best(key("nvidia-l40s", "peak_compute", dtype="fp32", sparsity="dense")) == "l40s-peak-fp32"
    assert resolved(key("nvidia-l40s", "peak_compute", dtype="fp32", sparsity="2:4")) == Resolved()


# --- Matrix and vector units ---


def test_of_two_kinds_of_units_the_matrix_units_of_an_a100_are_meant_in_fp16() -> None:
    found = resolved(key("nvidia-a100", "peak_compute", CHIP, basis="peak", dtype="fp16", sparsity="dense"))
    assert found.one is not None
    assert found.one.id == "a100-peak-fp16-dense"
    assert "a100-peak-fp16-vector" not in ids(found.facts)
    assert best(key("nvidia-a100", "peak_compute", CHIP, dtype="fp16", engine="vector")) == "a100-peak-fp16-vector"


def test_what_vector_units_do_in_fp16_is_the_peak_of_a_chip_of_which_no_more_is_known() -> None:
    found = resolved(key("amd-rx-6900-xt", "peak_compute", CHIP, dtype="fp16"))
    assert found.facts[0].claim.qualifier("engine") == "vector"


def test_in_fp64_both_are_known_of_an_mi250_and_the_matrix_units_make_the_one_to_reckon_with() -> None:
    found = resolved(key("amd-mi250", "peak_compute", CHIP, dtype="fp64"))
    assert ids(found.facts) == ["mi250-peak-fp64-matrix", "mi250-peak-fp64-vector"]
    assert found.one is found.facts[0]
    assert best(key("amd-mi250", "peak_compute", CHIP, dtype="fp64", engine="vector")) == "mi250-peak-fp64-vector"


def test_an_unnamed_rate_is_of_the_units_that_go_without_saying() -> None:
    assert best(key("aws-trainium1", "peak_compute", CHIP, dtype="bf16", engine="matrix")) == "trainium1-peak-bf16"
    assert not resolved(key("aws-trainium1", "peak_compute", CHIP, dtype="bf16", engine="vector")).facts
    assert best(key("nvidia-p100", "peak_compute", CHIP, dtype="fp64", engine="vector")) == "p100-peak-fp64"


def test_the_one_of_a_variant_stays_its_own_though_that_of_its_chip_names_the_units() -> None:
    found = resolved(key("nvidia-a100-pcie-40gb", "peak_compute", CHIP, basis="peak", dtype="int8", sparsity="dense"))
    assert found.one is not None
    assert found.one.id == "a100-pcie-peak-int8"


def test_rates_that_stand_beside_each_other_are_of_the_same_units() -> None:
    both = aligned("peak_compute", "amd-mi250", "nvidia-h100-sxm", dtype="fp64")
    assert both == ["mi250-peak-fp64-matrix", "h100-sxm-peak-fp64"]
    old = aligned("peak_compute", "amd-mi250", "nvidia-p100", dtype="fp64")
    assert old == ["mi250-peak-fp64-vector", "p100-peak-fp64"]


# --- Prices ---


def test_every_provider_has_its_latest_price_of_whichever_variant_it_rents() -> None:
    found = resolved(key("nvidia-h100", "price_per_hour", CHIP, price_terms="on-demand"))
    prices = {f.claim.qualifier("provider"): f for f in reversed(found.facts)}
    assert prices["aws"].id == "aws-p5-h100-on-demand"
    assert prices["azure"].id == "azure-h100-sxm-on-demand", "of 2026-09; the one of the chip is of 2026-03"
    assert prices["oci"].id == "oci-h100-on-demand"
    assert prices["lambda-labs"].id == "lambda-h100-2026-09", "the survey of 2026-03 had another one"
    assert {"runpod", "coreweave", "gcp"} <= set(prices)


def test_a_price_without_terms_is_the_one_on_demand() -> None:
    assert best(key("nvidia-h100", "price_per_hour", provider="aws")) == "aws-p5-h100-on-demand"


# --- Beside each other ---


@pytest.mark.parametrize(
    ("metric", "subjects", "expected"),
    [
        ("tdp", ["nvidia-h100", "nvidia-a100"], ["h100-sxm-tdp", "a100-sxm-tdp"]),
        ("tdp", ["nvidia-a100", "nvidia-h100-pcie"], ["a100-pcie-80gb-tdp", "h100-pcie-tdp"]),
        ("tdp", ["nvidia-h100-pcie", "nvidia-h100-sxm"], ["h100-pcie-tdp", "h100-sxm-tdp"]),
        ("tdp", ["nvidia-gb200-gpu", "nvidia-b200"], ["gb200-gpu-tdp", "b200-tdp"]),
        ("memory_capacity", ["nvidia-h100", "nvidia-a100"], ["h100-memory-capacity", "a100-80gb-memory-capacity"]),
        ("memory_capacity", ["amd-mi300a", "amd-mi300x"], ["mi300a-memory-capacity", "mi300x-memory-capacity"]),
        ("memory_capacity", ["google-tpu-v5p", "nvidia-h100"], ["tpu-v5p-memory", "h100-memory-capacity"]),
        ("peak_compute", ["nvidia-h100", "nvidia-l40s"], ["h100-sxm-peak-bf16-dense", "l40s-peak-bf16-dense"]),
    ],
)
def test_beside_each_other_stand_figures_of_one_kind(metric: str, subjects: list[str], expected: list[str]) -> None:
    assert aligned(metric, *subjects) == expected


def test_a_machine_has_no_figure_of_one_kind_with_its_chip() -> None:
    assert aligned("memory_capacity", "nvidia-dgx-h100", "nvidia-h100") == []
    assert best(key("nvidia-dgx-h100", "memory_capacity")) == "dgx-h100-memory"


def test_beside_another_the_variant_is_told_and_what_the_others_have() -> None:
    wanted = [key("nvidia-a100", "tdp"), key("nvidia-l40s", "tdp")]
    a100, l40s = resolve_each(table(), names(), wanted)
    assert a100.variant == "nvidia-a100-sxm-80gb"
    assert ids(a100.others) == ["a100-pcie-40gb-tdp", "a100-pcie-80gb-tdp"]
    assert (l40s.variant, l40s.others) == ("", ())


def test_one_figure_can_be_asked_for_as_it_stands_beside_another() -> None:
    assert best(key("nvidia-a100", "tdp")) == "a100-sxm-tdp"
    assert best(key("nvidia-a100", "tdp"), "nvidia-h100-pcie") == "a100-pcie-80gb-tdp"


# --- Whose ---


@pytest.mark.parametrize(
    ("subject", "whose"),
    [
        ("nvidia-h100-sxm", ["nvidia-h100-sxm", "nvidia-h100"]),
        ("nvidia-h100", ["nvidia-h100", "nvidia-h100-sxm", "nvidia-h100-pcie", "nvidia-h100-nvl"]),
        (
            "nvidia-a100-80gb",
            ["nvidia-a100-80gb", "nvidia-a100", "nvidia-a100-sxm-80gb", "nvidia-a100-pcie-80gb"],
        ),
        ("nvidia-dgx-h100", ["nvidia-dgx-h100"]),
    ],
)
def test_facts_of_a_chip_may_be_about_what_it_is_a_variant_of_and_its_variants(subject: str, whose: list[str]) -> None:
    assert covered(names(), subject) == whose


def test_a_gpu_inside_a_superchip_does_not_go_by_the_name_of_the_chip() -> None:
    assert goes_by(names(), "nvidia-b200-sxm", "nvidia-b200")
    assert not goes_by(names(), "nvidia-gb200-gpu", "nvidia-b200")
