"""Figures that cannot hold together are found, with every step; figures that do are never reported."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chipwise.audit.book import Book
from chipwise.audit.checks import ceiling
from chipwise.audit.equations import check as find_breaches
from chipwise.claims.model import DOUBTED, Citation, Claim, Fact, Modality
from chipwise.domain.files import shipped_domain
from chipwise.figures.statement import Statement, place
from chipwise.types import Evidence, Finding, Role, SourceInfo

DOMAIN = shipped_domain()
H100, V5P = "nvidia-h100", "google-tpu-v5p"


@dataclass(frozen=True)
class Said:
    """One figure of a made-up source: whose, of what metric, as written; a line of its own unless `line` says which."""

    subject: str
    metric: str
    figure: str
    text: str = ""
    line: int = 0
    baseline: str = ""
    modality: Modality = Modality.MEASURED
    role: Role = Role.BODY
    attribution: str = ""
    qualifiers: tuple[tuple[str, str], ...] = ()
    source: str = "note"


def of(said: Said, **axes: str) -> Said:
    return replace(said, qualifiers=tuple(sorted(axes.items())))


def statement(said: Said, line: int) -> Statement:
    text = said.text or said.figure
    at = text.index(said.figure)
    quantity = next(q for q in DOMAIN.unit_table.find(text) if at < q.end and q.start < at + len(said.figure))
    start = 1000 * line
    at += start
    claim = Claim(
        said.source,
        0,
        start,
        start + len(text),
        at,
        at + len(said.figure),
        said.subject,
        said.metric,
        quantity,
        baseline=said.baseline,
        qualifiers=said.qualifiers,
        modality=said.modality,
        attribution=said.attribution,
    )
    return place(DOMAIN, claim, said.role)


def fact(row: int, subject: str, metric: str, value: str, unit: str, rank: str = "preferred", **axes: str) -> Statement:
    made = statement(of(Said(subject, metric, f"{value} {unit}", source="table"), **axes), row)
    reason = "" if rank == "preferred" else "another"
    curated = Fact(
        f"f{row}", made.claim, value, unit, rank, reason, "", f"chips.csv:{row}", Citation("", "", "", "", "", 1)
    )
    return replace(made, fact=curated)


PEAKS = (
    fact(2, "nvidia-h100-sxm", "peak_compute", "989", "TFLOPS", dtype="bf16", sparsity="dense", aggregation="chip"),
    fact(3, "nvidia-h100-sxm", "peak_compute", "1979", "TFLOPS", dtype="bf16", sparsity="2:4", aggregation="chip"),
    fact(4, V5P, "peak_compute", "459", "TFLOPS", dtype="bf16", sparsity="dense", aggregation="chip"),
    fact(5, "nvidia-h100-sxm", "peak_compute", "600", "TFLOPS", "deprecated", dtype="bf16", aggregation="chip"),
    fact(6, V5P, "memory_capacity", "95", "GB", aggregation="chip"),
    fact(7, "nvidia-h100-sxm", "memory_capacity", "80", "GB", aggregation="chip"),
    fact(8, "nvidia-gb200-gpu", "memory_capacity", "186", "GB", aggregation="chip"),
)  # fmt: skip


def casebook(
    said: Sequence[Said], *, facts: Sequence[Statement] = PEAKS, witness: dict[str, str] | None = None
) -> Book:
    lines = [s.line or n for n, s in enumerate(said, start=1)]
    statements = [statement(s, line) for s, line in zip(said, lines, strict=True)]
    texts = {(s.source, line): s.text or s.figure for s, line in zip(said, lines, strict=True)}

    def evidence(s: Statement) -> Evidence:
        claim, line = s.claim, s.claim.start // 1000
        quote = s.fact.value if s.fact is not None else texts[claim.source, line]
        mark = (claim.value_start - claim.start, claim.value_end - claim.start)
        return Evidence(
            claim.source, "", f"{claim.source}.md", "", "", (), s.role, quote,
            claim.start, claim.end, line, None, "", 1, mark,
        )  # fmt: skip

    sources = {s.source: SourceInfo(s.source, s.source, s.source) for s in said}
    return Book(DOMAIN, [*statements, *facts], sources, evidence, lambda: witness or {})


def breaches(*said: Said, witness: dict[str, str] | None = None) -> list[Finding]:
    book = casebook(said, witness=witness)
    return [*find_breaches(book), *ceiling.check(book)]


def codes(*said: Said) -> list[str]:
    return [f.code for f in breaches(*said)]


SAME = "it achieves 58% MFU, against 52% MFU of the H100 on identical workloads"
NODE = Said("nvidia-hgx-h100", "price_per_hour", "$12-$15 per hour")
SLICE = of(Said("google-tpu-v5p-8", "price_per_hour", "$8-$11 per hour"), aggregation="slice")
THROUGHPUT = (
    of(Said(H100, "throughput", "3,800 tokens/s"), aggregation="chip"),
    of(Said(V5P, "throughput", "3,450 tokens/s"), aggregation="chip"),
)
UTILISED = (Said(V5P, "mfu", "58%", SAME, line=90), Said(H100, "mfu", "52%", SAME, line=90))
PRICED = (NODE, SLICE)
VALUE = Said("tpu", "price_performance", "4 to 10 times", baseline="gpu")


def test_throughput_has_to_follow_from_utilisation_and_peak() -> None:
    (finding,) = breaches(*THROUGHPUT, *UTILISED, NODE)
    assert (finding.code, finding.severity, finding.verdict) == ("CW401", "high", "contradiction")
    assert (
        finding.title == "TPU v5p and NVIDIA H100: throughput, peak compute and MFU are not consistent for one workload"
    )
    lines = finding.explanation.splitlines()
    assert f"TPU v5p: Achieved compute = peak x MFU: 459 TFLOPS x 58% = {0.58 * 459:.1f} TFLOPS" in lines
    first, second = 0.58 * 459e12 / (6 * 3450), 0.52 * 989e12 / (6 * 3800)
    assert (
        f"(6 x 3,450 tokens/s) = {first / 1e9:.1f} billion parameters   [note:2, facts chips.csv:4, note:90]"
        in lines[2]
    )
    assert (
        f"(6 x 3,800 tokens/s) = {second / 1e9:.1f} billion parameters   [note:1, facts chips.csv:2, note:90]"
        in lines[4]
    )
    assert "the peak compute of NVIDIA H100 SXM is from the facts table" in lines
    assert len(finding.evidence) == 6


def test_what_is_said_of_a_line_is_taken_for_its_only_chip_and_the_reader_is_told() -> None:
    (finding,) = breaches(*THROUGHPUT, Said("tpu", "mfu", "58%"), Said(H100, "mfu", "52%"), NODE)
    assert "the source gives the MFU for TPU in general; here it is used for TPU v5p" in finding.explanation
    assert "this assumes that both have the same workload" in finding.explanation
    other = of(Said("google-tpu-v6e", "throughput", "3,000 tokens/s"), aggregation="chip")
    assert codes(*THROUGHPUT, other, Said("tpu", "mfu", "58%"), Said(H100, "mfu", "52%"), NODE) == []


def test_a_cost_ratio_has_to_follow_from_price_and_throughput() -> None:
    (finding,) = breaches(*THROUGHPUT, *PRICED, of(SLICE, count="8"), VALUE)
    assert (finding.code, finding.severity) == ("CW402", "high")
    low, high = (3450 / 11) / (3800 / 12), (3450 / 8) / (3800 / 15)
    assert f"from these: {low:.3g} to {high:.3g}x\n" in finding.explanation
    assert "claimed: 4 to 10 times   [note:6]" in finding.explanation


@pytest.mark.parametrize("claimed", ["1 to 2 times", "1.3 times", "up to 4 times"])
def test_a_cost_ratio_that_some_reading_gives_is_no_finding(claimed: str) -> None:
    assert codes(*THROUGHPUT, *PRICED, of(SLICE, count="8"), replace(VALUE, figure=claimed)) == []


def test_a_comparison_of_lines_holds_if_it_holds_for_any_of_their_chips() -> None:
    cheap = (
        of(Said("google-tpu-v6e", "throughput", "3,450 tokens/s"), aggregation="chip"),
        of(Said("google-tpu-v6e", "price_per_hour", "$0.30 per hour"), aggregation="chip"),
    )
    assert codes(*THROUGHPUT, *PRICED, *cheap, VALUE) == []


def test_other_workloads_are_not_compared() -> None:
    served = of(THROUGHPUT[0], aggregation="chip", workload="inference")
    trained = of(THROUGHPUT[1], aggregation="chip", workload="training")
    assert codes(served, trained, *UTILISED, NODE) == []
    assert codes(served, THROUGHPUT[1], *UTILISED, NODE) == []


@pytest.mark.parametrize(
    "unfit",
    [{"role": Role.COMMENT}, {"modality": Modality.HYPOTHETICAL}, {"attribution": DOUBTED}, {"source": "another"}],
)
def test_what_the_source_does_not_assert_is_no_input(unfit: dict[str, object]) -> None:
    assert codes(*THROUGHPUT, UTILISED[0], replace(UTILISED[1], line=0, **unfit), NODE) == []  # type: ignore[arg-type]


def test_sources_that_are_one_witness_give_one_finding() -> None:
    copied = [replace(s, source="copy") for s in (*THROUGHPUT, *UTILISED, NODE)]
    (finding,) = breaches(*THROUGHPUT, *UTILISED, NODE, *copied, witness={"copy": "note", "note": "note"})
    assert {e.source for e in finding.evidence} & {"note", "copy"} == {"note"}
    assert len(breaches(*THROUGHPUT, *UTILISED, NODE, *copied)) == 2


def row(*said: Said) -> list[Said]:
    text = " | ".join(s.figure for s in said)
    return [replace(s, text=text, line=40) for s in said]


def test_nothing_achieves_more_than_its_peak() -> None:
    (finding,) = breaches(of(Said(V5P, "achieved_compute", "600 TFLOPS"), aggregation="chip"))
    assert (finding.code, finding.title) == ("CW404", "TPU v5p: 600 TFLOPS of a peak of 459 TFLOPS")
    # with the sparse peak it could
    assert codes(of(Said(H100, "achieved_compute", "1,200 TFLOPS"), aggregation="chip"), NODE) == []


@pytest.mark.parametrize("metric", ["mfu", "hfu", "utilization", "bandwidth_utilization", "goodput"])
def test_nothing_is_used_more_than_all(metric: str) -> None:
    assert codes(Said(H100, metric, "120%")) == ["CW404"]
    (finding,) = breaches(Said("", metric, "120%"))
    assert (finding.code, finding.help.startswith("Check whether this figure is wrong")) == ("CW404", True)
    assert codes(Said(H100, metric, "100%"), Said(H100, metric, "52%")) == []


@given(st.floats(0.2, 0.7), st.floats(0.2, 0.7), st.floats(100, 10_000), st.integers(1, 64))
def test_figures_that_follow_from_one_another_are_never_reported(u: float, v: float, rate: float, count: int) -> None:
    a, b = round(u, 3), round(v, 3)
    other = rate * (a * 459) / (b * 989)
    scope = {"aggregation": "group", "count": str(count)} if count > 1 else {"aggregation": "chip"}
    run = of(Said(V5P, "achieved_compute", f"{a * 459:.1f} TFLOPS"), aggregation="chip"), Said(V5P, "mfu", f"{a:.1%}")
    assert codes(
        of(Said(V5P, "throughput", f"{other * count:.1f} tokens/s"), **scope),
        of(Said(H100, "throughput", f"{rate:.1f} tokens/s"), aggregation="chip"),
        Said(H100, "mfu", f"{b:.1%}"),
        NODE,
        *row(*run),
    ) == []  # fmt: skip


@given(st.floats(1.8, 5).map(lambda x: round(x, 2)), st.booleans())
def test_a_throughput_that_is_far_off_is_always_reported(factor: float, up: bool) -> None:
    off = 1.4 * factor if up else 1 / factor
    rate = 3800 * (0.58 * 459) / (0.52 * 989) * off
    assert "CW401" in codes(THROUGHPUT[0], replace(THROUGHPUT[1], figure=f"{rate:,.0f} tokens/s"), *UTILISED, NODE)
