"""How each claim of a draft stands against a small knowledge base, and which have no standing."""

from __future__ import annotations

from pathlib import Path

import pytest

from chipwise.figures.judge import Standing
from chipwise.knowledge import KnowledgeFolder

from ..audit.test_values import COMMENTED
from .checked_base import KNOWN, SHEET, base_of, base_on, checked, standings

kb = base_on({"sheet.md": SHEET})


@pytest.mark.parametrize(
    ("text", "standing"),
    [
        ("The memory capacity of the H200 is 141 GB.", Standing.SUPPORTED),
        ("The H200 has up to 141 GB of memory.", Standing.SUPPORTED),
        ("The H200 has up to 192 GB of memory.", Standing.CONTRADICTED),
        ("The H200 has 170 GB of memory per GPU.", Standing.CONTRADICTED),
        ("TPUs are also available on AWS.", Standing.CONTRADICTED),
        ("The H100 SXM peaks at 1,979 TFLOPS in BF16 with 2:4 sparsity.", Standing.EXPLAINED),
        ("A DGX H200 has 1,128 GB of memory.", Standing.EXPLAINED),
        ("The H100 rents for $6.98 per hour.", Standing.EXPLAINED),
        ("The A100 uses HBM memory.", Standing.SUPPORTED),
        ("The A100 uses HBM2 memory.", Standing.CONTRADICTED),
        ("The B200 uses HBM3e memory.", Standing.UNKNOWN),
        ("The MI300X has 192 GB of memory.", Standing.UNKNOWN),
        ("The memory bandwidth of the H200 is 4.8 TB/s.", Standing.UNKNOWN),
        ("Suppose that the H200 has 170 GB of memory.", Standing.UNCHECKED),
        ("It has 170 GB of memory.", Standing.UNCHECKED),
    ],
)
def test_a_claim_stands_as_the_knowledge_base_has_it(kb: KnowledgeFolder, text: str, standing: Standing) -> None:
    assert standings(kb, f"# A draft\n\n{text}") == [standing]


def test_a_claim_that_denies_what_is_known_is_not_supported(kb: KnowledgeFolder) -> None:
    assert Standing.SUPPORTED not in standings(kb, "The H200 does not have 141 GB of memory.")


def test_a_claim_that_denies_what_nobody_says_is_not_contradicted(kb: KnowledgeFolder) -> None:
    assert Standing.CONTRADICTED not in standings(kb, "The H200 does not have 170 GB of memory.")


def test_a_judgement_says_what_was_understood_why_and_who_says_so(kb: KnowledgeFolder) -> None:
    (supported,) = checked(kb, "The memory capacity of the H200 is 141 GB.").judgements
    assert supported.reading == "NVIDIA H200, memory capacity: 141 GB"
    assert supported.claim.quote[slice(*supported.claim.mark or ())] == "141 GB"
    assert KNOWN in {e.quote for e in supported.against}
    (contradicted,) = checked(kb, "The H200 has 170 GB of memory per GPU.").judgements
    assert contradicted.because.startswith("CW")
    assert KNOWN in {e.quote for e in contradicted.against}


def test_who_says_just_the_same_is_quoted_before_who_says_what_fits(kb: KnowledgeFolder) -> None:
    (judgement,) = checked(kb, "The V100 uses HBM memory.").judgements
    assert [e.quote for e in judgement.against] == ["The V100 uses HBM memory.", "The V100 uses HBM2 memory."]


def test_the_quotes_that_are_shown_are_of_several_sources_where_there_are_some(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    again = "The H200 has 141 GB of memory. Each H200 has 141 GB of memory. An H200 has 141 GB of memory.\n"
    sheets = {name: f"# {name}\n\n{again}" for name in ("one.md", "two.md", "three.md")}
    base = base_of(monkeypatch, tmp_path, sheets)
    (judgement,) = checked(base, "The memory capacity of the H200 is 141 GB.").judgements
    assert judgement.because.startswith(f"{len({'sheet', *sheets})} sources")
    assert len({e.source for e in judgement.against}) == len(judgement.against) == 3


def test_a_reader_comment_in_a_draft_is_held_against_the_facts(kb: KnowledgeFolder) -> None:
    text = "# A draft\n\nNothing is said here.\n\n## Comments\n\n> The H200 has 170 GB of memory per GPU.\n"
    assert set(standings(kb, text)) == {Standing.CONTRADICTED}
    assert {f.severity for f in checked(kb, text).findings} == {"low"}


def test_a_draft_that_contradicts_itself_is_told(kb: KnowledgeFolder) -> None:
    audit = checked(kb, "The MI300X has 192 GB of memory.\n\nThe MI300X has 250 GB of memory.")
    assert [f.code for f in audit.findings] == ["CW102"]
    assert {j.standing for j in audit.judgements} == {Standing.CONTRADICTED}


def test_a_figure_stands_alike_wherever_a_draft_repeats_it(kb: KnowledgeFolder) -> None:
    wrong = "The H200 has 170 GB of memory per GPU."
    judgements = checked(kb, f"{wrong}\n\nOnce more: {wrong}").judgements
    assert [j.standing for j in judgements] == [Standing.CONTRADICTED] * 2
    assert all(wrong not in e.quote for j in judgements for e in j.against)


def test_what_a_comment_repeats_of_the_body_is_contradicted_as_well(kb: KnowledgeFolder) -> None:
    wrong = "The H200 has 170 GB of memory per GPU."
    assert standings(kb, COMMENTED.format(body=wrong, comment=wrong)) == [Standing.CONTRADICTED, Standing.CONTRADICTED]


def test_findings_that_do_not_touch_the_draft_are_left_out(kb: KnowledgeFolder) -> None:
    assert checked(kb, "The MI300X has 192 GB of memory.").findings == ()


def test_a_question_and_a_text_without_claims_have_no_judgement(kb: KnowledgeFolder) -> None:
    assert standings(kb, "Does the H200 have 170 GB of memory?") == []
    assert standings(kb, "The weather is fine.") == []


@pytest.mark.parametrize(
    ("text", "figure", "because"),
    [
        ("The H100 offers 9 TB/s.", "9 TB/s", "the text does not say what 9 TB/s measures"),
        ("The H100 is a GPU. It offers 9 TB/s.", "9 TB/s", "the text does not say what 9 TB/s measures"),
        ("The H100 is a GPU. Somewhere there are 9 TB/s.", "9 TB/s", "the text does not say what 9 TB/s measures"),
        (
            "The H100 is a GPU. The Zorgon X900 has 95 GB of memory.",
            "95 GB",
            "the text does not say which product it is about",
        ),
        ("With the H100 there is an additional 300 TFLOPS.", "300 TFLOPS", "300 TFLOPS is a setting, a need, a"),
        ("The H100 is 3x as good.", "3x", "the text does not say what 3x compares"),
        (
            "| GPU | Memory (GB) |\n|---|---|\n| H200 | 141 |\n| Zorgon | 96 |",
            "96",
            "the text does not say which product it is about",
        ),
    ],
)
def test_a_figure_of_which_no_word_tells_what_it_is_is_not_checked_and_says_so(
    kb: KnowledgeFolder, text: str, figure: str, because: str
) -> None:
    audit = checked(kb, text)
    (left,) = (j for j in audit.judgements if j.claim.quote[slice(*j.claim.mark or ())] == figure)
    assert left.standing is Standing.UNCHECKED
    assert left.because.startswith(because)
    assert audit.findings == ()


def test_figures_that_are_claims_are_not_stated_again_as_left_over(kb: KnowledgeFolder) -> None:
    table = "| GPU | Memory | TDP |\n|---|---|---|\n| H200 | 141 GB | 700 W |"
    assert len(standings(kb, f"The H200 has 141 GB of memory and draws 700 W.\n\n{table}")) == 4


def test_a_draft_that_names_no_accelerator_has_no_figures_to_be_checked(kb: KnowledgeFolder) -> None:
    assert standings(kb, "Take 500 g of flour. Ours rides at 9 TB/s.") == []


def test_a_figure_below_the_peak_of_its_format_is_not_checked_and_no_other_format_explains_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    quote = "The TPU v5p has a peak of 459 TFLOPS in dense BF16 per chip."
    row = {"id": "b", "subject": "google-tpu-v5p", "metric": "peak_compute", "value": "459", "unit": "TFLOPS"}
    row |= {"dtype": "bf16", "sparsity": "dense", "aggregation": "chip", "basis": "peak", "source": "p", "quote": quote}
    sheet = f"---\ntitle: P\n---\n\n{quote}\n\nThe TPU v5p peaks at 918 TOPS in INT8.\n"
    base = base_of(monkeypatch, tmp_path, {"p.md": sheet}, row)
    (judgement,) = checked(base, "The TPU v5p reaches 230 TFLOPS in BF16.").judgements
    assert judgement.standing is Standing.UNCHECKED
    assert judgement.because == "it does not say whether it is the peak, which is 459 TFLOPS"
    assert [e.quote for e in judgement.against] == [quote]
