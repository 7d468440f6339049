"""`check` on small drafts against a small knowledge base: how each claim stands, the exit code, and that nothing is kept."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from chipwise import corpus, knowledge
from chipwise.audit.checking import run_check
from chipwise.audit.model import Audit, Standing
from chipwise.building import building
from chipwise.building.building import build
from chipwise.building.documents import add_files, initialise
from chipwise.knowledge import KnowledgeBase
from chipwise.models import DEFAULT_MODEL

from ..audit.test_values import COMMENTED
from ..conftest import Chipwise
from ..documents import write
from ..fakes import install
from ..parts.test_facts import ROW, csv_of

KNOWN = "The H200 has 141 GB of memory per GPU."
SHEET = f"""# A sheet

{KNOWN}

The H100 SXM peaks at 989 TFLOPS in dense BF16 per GPU.

The H100 rents for $2.49 per hour.

TPUs are only available on Google Cloud.

The B200 uses HBM memory.

The A100 uses HBM2e memory.

The V100 uses HBM2 memory.

The V100 uses HBM memory.
"""


DIVIDED = {
    "a.md": """TPUs can't run PyTorch at all.

TPUs are only available on Google Cloud.

The TPU v5p trains up to 2.8x faster than the H100.

The MI300X has 192 GB of memory.
""",
    "b.md": """---
title: B
kind: datasheet
---

PyTorch runs on TPUs.

TPUs are available on Azure. TPUs are available on CoreWeave. TPUs are available on Oracle Cloud.

The TPU v5p trains 2.8x faster than the H100.

The MI300X has 160 GB of memory.
""",
}


@pytest.fixture(scope="module")
def kb(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    """The shipped domain, one sheet and one fact."""
    with pytest.MonkeyPatch.context() as patch:
        yield base_of(patch, tmp_path_factory.mktemp("checking"), {"sheet.md": SHEET})


def base_of(patch: pytest.MonkeyPatch, folder: Path, sheets: dict[str, str], *rows: dict[str, str]) -> KnowledgeBase:
    """A knowledge base of some sheets, with a fact that is cited from SHEET, and `rows` of others that are cited from them."""
    files = write(folder / "digests", sheets | {"sheet.md": SHEET})
    row = ROW | {"subject": "nvidia-h200", "value": "141", "quote": KNOWN, "aggregation": "chip"}
    write(folder / "facts", {"t.csv": csv_of(row, *(ROW | r for r in rows))})
    install(patch.setattr)
    patch.setattr(knowledge, "domain_folder", corpus.domain_folder)
    for module in (knowledge, building):
        patch.setattr(module, "facts_folder", lambda: folder / "facts")
        patch.setattr(module, "digests_folder", lambda: folder / "digests")
    base = KnowledgeBase(folder / "kb")
    initialise(base, shipped=False, model=DEFAULT_MODEL)
    add_files(base, [file for file in files if file.name in sheets])
    build(base)
    return base


def checked(kb: KnowledgeBase, text: str) -> Audit:
    return run_check(kb, None, text)


def standings(kb: KnowledgeBase, text: str) -> list[Standing]:
    return [judgement.standing for judgement in checked(kb, text).judgements]


@pytest.mark.parametrize(
    ("text", "standing"),
    [
        ("The memory capacity of the H200 is 141 GB.", Standing.SUPPORTED),
        ("The H200 has up to 141 GB of memory.", Standing.SUPPORTED),
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
def test_a_claim_stands_as_the_knowledge_base_has_it(kb: KnowledgeBase, text: str, standing: Standing) -> None:
    assert standings(kb, f"# A draft\n\n{text}") == [standing]


def test_a_claim_that_denies_what_is_known_is_not_supported(kb: KnowledgeBase) -> None:
    assert Standing.SUPPORTED not in standings(kb, "The H200 does not have 141 GB of memory.")


def test_a_claim_that_denies_what_nobody_says_is_not_contradicted(kb: KnowledgeBase) -> None:
    assert Standing.CONTRADICTED not in standings(kb, "The H200 does not have 170 GB of memory.")


def test_a_judgement_says_what_was_understood_why_and_who_says_so(kb: KnowledgeBase) -> None:
    (supported,) = checked(kb, "The memory capacity of the H200 is 141 GB.").judgements
    assert supported.reading == "NVIDIA H200, memory capacity: 141 GB"
    assert supported.claim.quote[slice(*supported.claim.mark or ())] == "141 GB"
    assert KNOWN in {e.quote for e in supported.against}
    (contradicted,) = checked(kb, "The H200 has 170 GB of memory per GPU.").judgements
    assert contradicted.because.startswith("CW")
    assert KNOWN in {e.quote for e in contradicted.against}


def test_who_says_just_the_same_is_quoted_before_who_says_what_fits(kb: KnowledgeBase) -> None:
    (judgement,) = checked(kb, "The V100 uses HBM memory.").judgements
    assert [e.quote for e in judgement.against] == ["The V100 uses HBM memory.", "The V100 uses HBM2 memory."]


def test_a_reader_comment_in_a_draft_is_not_checked(kb: KnowledgeBase) -> None:
    text = "# A draft\n\nNothing is said here.\n\n## Comments\n\n> The H200 has 170 GB of memory per GPU.\n"
    assert set(standings(kb, text)) == {Standing.UNCHECKED}
    assert not checked(kb, text).contradicts


def test_a_draft_that_contradicts_itself_is_told(kb: KnowledgeBase) -> None:
    audit = checked(kb, "The MI300X has 192 GB of memory.\n\nThe MI300X has 250 GB of memory.")
    assert [f.code for f in audit.findings] == ["CW102"]
    assert {j.standing for j in audit.judgements} == {Standing.CONTRADICTED}


def test_a_figure_stands_alike_wherever_a_draft_repeats_it(kb: KnowledgeBase) -> None:
    wrong = "The H200 has 170 GB of memory per GPU."
    judgements = checked(kb, f"{wrong}\n\nOnce more: {wrong}").judgements
    assert [j.standing for j in judgements] == [Standing.CONTRADICTED] * 2
    assert all(wrong not in e.quote for j in judgements for e in j.against)


def test_what_a_comment_repeats_is_not_checked_all_the_same(kb: KnowledgeBase) -> None:
    wrong = "The H200 has 170 GB of memory per GPU."
    assert standings(kb, COMMENTED.format(body=wrong, comment=wrong)) == [Standing.CONTRADICTED, Standing.UNCHECKED]


def test_findings_that_do_not_touch_the_draft_are_left_out(kb: KnowledgeBase) -> None:
    assert checked(kb, "The MI300X has 192 GB of memory.").findings == ()


def test_a_question_and_a_text_without_claims_have_no_judgement(kb: KnowledgeBase) -> None:
    assert standings(kb, "Does the H200 have 170 GB of memory?") == []
    assert standings(kb, "The weather is fine.") == []


# --- What the knowledge base already disagrees about ---


@pytest.fixture(scope="module")
def divided(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    """A knowledge base whose sources contradict one another in all that the drafts below say."""
    with pytest.MonkeyPatch.context() as patch:
        yield base_of(patch, tmp_path_factory.mktemp("divided"), DIVIDED)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("TPUs cannot run PyTorch.", "CW501"),
        ("TPUs run PyTorch.", "CW501"),
        ("TPUs are also available on AWS.", "CW502"),
        ("The TPU v5p trains 2.8x faster than the H100.", "CW302"),
        ("The MI300X has 160 GB of memory.", "CW101"),
    ],
)
def test_what_the_knowledge_base_is_divided_about_is_still_told_of_a_draft(
    divided: KnowledgeBase, text: str, code: str
) -> None:
    audit = checked(divided, text)
    assert code in {f.code for f in audit.findings}
    assert audit.judgements[0].standing is Standing.CONTRADICTED


# --- The command ---


def draft(folder: Path, text: str, name: str = "draft.md") -> Path:
    return write(folder, {name: text})[0]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("The memory capacity of the H200 is 141 GB.", 0),
        ("The MI300X has 192 GB of memory.", 0),
        ("The H100 SXM peaks at 1,979 TFLOPS in BF16 with 2:4 sparsity.", 0),
        ("The H200 has 170 GB of memory per GPU.", 1),
    ],
)
def test_only_a_contradiction_fails_the_run(
    chipwise: Chipwise, kb: KnowledgeBase, tmp_path: Path, text: str, code: int
) -> None:
    assert chipwise("check", str(draft(tmp_path, text)), kb=kb).exit_code == code


def test_a_file_that_cannot_be_read_is_an_error_and_the_others_are_checked(
    chipwise: Chipwise, kb: KnowledgeBase, tmp_path: Path
) -> None:
    bad = draft(tmp_path, "The H200 has 170 GB of memory per GPU.")
    result = chipwise("check", str(bad), str(tmp_path / "missing.md"), kb=kb)
    assert result.exit_code == 2
    assert "missing.md" in result.stderr
    assert "170 GB" in result.stdout


def value_of(chipwise: Chipwise, kb: KnowledgeBase, *arguments: str, stdin: str | None = None) -> dict[str, Any]:
    result = chipwise("check", "--json", *arguments, kb=kb, stdin=stdin)
    value: dict[str, Any] = json.loads(result.stdout)
    return value


def test_standard_input_is_checked_like_a_file(chipwise: Chipwise, kb: KnowledgeBase, tmp_path: Path) -> None:
    text = "The H200 has 170 GB of memory per GPU. The MI300X has 192 GB of memory."
    piped, read = (
        value_of(chipwise, kb, *arguments, stdin=stdin)
        for arguments, stdin in ((["-"], text), ([str(draft(tmp_path, text))], None))
    )
    assert [j["standing"] for j in piped["judgements"]] == [j["standing"] for j in read["judgements"]]
    assert [f["code"] for f in piped["findings"]] == [f["code"] for f in read["findings"]] == ["CW701"]
    assert piped["schema"] == "chipwise.audit/1"


def test_several_drafts_are_checked_each_by_itself(chipwise: Chipwise, kb: KnowledgeBase, tmp_path: Path) -> None:
    files = [draft(tmp_path, f"The MI300X has {n} GB of memory.", f"{n}.md") for n in (192, 250)]
    value = value_of(chipwise, kb, *map(str, files))
    assert value["findings"] == [], "drafts are not held against one another"
    assert len(value["judgements"]) == 2


def test_an_acknowledged_contradiction_no_longer_fails_the_run(
    chipwise: Chipwise, kb: KnowledgeBase, tmp_path: Path
) -> None:
    file = draft(tmp_path, "The H200 has 170 GB of memory per GPU.")
    (finding,) = value_of(chipwise, kb, str(file))["findings"]
    register = tmp_path / "register.toml"
    known = ("--as", "accepted", "--reason", "we know", "--register", str(register))
    assert chipwise("acknowledge", finding["fingerprint"], *known, kb=kb).exit_code == 0
    file.write_text(f"Something else goes before.\n\n{file.read_text()}")
    assert chipwise("check", str(file), "--register", str(register), kb=kb).exit_code == 0


def test_nothing_of_a_draft_is_stored(chipwise: Chipwise, kb: KnowledgeBase, tmp_path: Path) -> None:
    def stored() -> dict[Path, bytes]:
        return {p: p.read_bytes() for p in sorted(kb.folder.rglob("*")) if p.is_file() and p.suffix not in (".lock",)}

    before = stored()
    chipwise("check", str(draft(tmp_path, "The Zorgon-9 H200 has 170 GB of memory per GPU.")), kb=kb)
    chipwise("check", "-", kb=kb, stdin="The H200 has 170 GB of memory per GPU.")
    assert stored() == before
    assert all(b"Zorgon-9" not in data for data in before.values())


@pytest.mark.parametrize("form", ["text", "json", "sarif", "github", "markdown"])
def test_every_format_shows_the_contradiction_and_fails(
    chipwise: Chipwise, kb: KnowledgeBase, tmp_path: Path, form: str
) -> None:
    file = draft(tmp_path, "The H200 has 170 GB of memory per GPU.")
    result = chipwise("check", "--format", form, str(file), kb=kb)
    assert result.exit_code == 1
    assert "CW701" in result.stdout
    assert "170 GB" in result.stdout


def test_a_review_shows_a_finding_at_the_draft(chipwise: Chipwise, kb: KnowledgeBase, tmp_path: Path) -> None:
    file = draft(tmp_path, "The H200 has 170 GB of memory per GPU.")
    (result,) = json.loads(chipwise("check", "--format", "sarif", str(file), kb=kb).stdout)["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].endswith("/draft.md")
    assert len(result["relatedLocations"]) == 1
    assert "draft.md,line=1" in chipwise("check", "--format", "github", str(file), kb=kb).stdout


def test_the_text_marks_the_figure(chipwise: Chipwise, kb: KnowledgeBase, tmp_path: Path) -> None:
    sentence = "The H200 has 170 GB of memory per GPU."
    lines = chipwise("check", str(draft(tmp_path, f"# A draft\n\n{sentence}\n")), kb=kb).stdout.splitlines()
    at = next(n for n, line in enumerate(lines) if sentence in line)
    shown, marks = lines[at], lines[at + 1]
    assert marks.index("^") == shown.index("170 GB")
    assert marks.count("^") == len("170 GB")


# --- What makes no claim ---


@pytest.mark.parametrize(
    ("text", "figure", "because"),
    [
        ("The H100 offers 9 TB/s.", "9 TB/s", "what 9 TB/s measures is not said"),
        ("The H100 is a GPU. It offers 9 TB/s.", "9 TB/s", "what 9 TB/s measures is not said"),
        ("The H100 is a GPU. Somewhere there are 9 TB/s.", "9 TB/s", "what 9 TB/s measures is not said"),
        ("The H100 is a GPU. The Zorgon X900 has 95 GB of memory.", "95 GB", "the text does not say of what"),
        ("With the H100 there is an additional 300 TFLOPS.", "300 TFLOPS", "300 TFLOPS is a setting, a need, a"),
        ("The H100 is 3x as good.", "3x", "what 3x compares, or with what, is not said"),
        ("| GPU | Rate |\n|---|---|\n| H100 | 9 TB/s |", "9 TB/s", "what 9 TB/s measures is not said"),
        ("| GPU | Memory (GB) |\n|---|---|\n| H200 | 141 |\n| Zorgon | 96 |", "96", "the text does not say of what"),
    ],
)
def test_a_figure_of_which_no_word_tells_what_it_is_is_not_checked_and_says_so(
    kb: KnowledgeBase, text: str, figure: str, because: str
) -> None:
    audit = checked(kb, text)
    (left,) = (j for j in audit.judgements if j.claim.quote[slice(*j.claim.mark or ())] == figure)
    assert left.standing is Standing.UNCHECKED
    assert left.because.startswith(because)
    assert audit.findings == ()


def test_figures_that_are_claims_are_not_told_again_as_left_over(kb: KnowledgeBase) -> None:
    table = "| GPU | Memory | TDP |\n|---|---|---|\n| H200 | 141 GB | 700 W |"
    assert len(standings(kb, f"The H200 has 141 GB of memory and draws 700 W.\n\n{table}")) == 4


def test_a_draft_that_names_no_accelerator_has_no_figures_to_be_checked(kb: KnowledgeBase) -> None:
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
    assert judgement.because == "it does not say whether it is the peak: 459 TFLOPS is"
    assert [e.quote for e in judgement.against] == [quote]


@pytest.mark.parametrize(
    ("text", "standing", "because"),
    [
        ("The H200 has 1.76x the memory of the H100.", Standing.SUPPORTED, f"141 GB / 80 GB = {141 / 80:.2f}x"),
        ("The H200 has twice the memory of the H100.", Standing.SUPPORTED, f"141 GB / 80 GB = {141 / 80:.2f}x"),
        ("The H200 has 3x the memory of the H100.", Standing.CONTRADICTED, "CW703: "),
        ("The H200 has up to 5x the memory of the H100.", Standing.UNKNOWN, "what there is on"),
    ],
)
def test_a_comparison_is_judged_by_the_facts_of_both_sides(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, standing: Standing, because: str
) -> None:
    quote = "The H100 has 80 GB of memory per GPU."
    row = {"id": "b", "subject": "nvidia-h100", "value": "80", "aggregation": "chip", "source": "p", "quote": quote}
    base = base_of(monkeypatch, tmp_path, {"p.md": f"---\ntitle: P\n---\n\n{quote}\n"}, row)
    (judgement,) = checked(base, text).judgements
    assert judgement.standing is standing
    assert judgement.because.startswith(because)
    assert standing is Standing.UNKNOWN or {KNOWN, quote} <= {e.quote for e in judgement.against}


# --- What a draft is told, and what not ---

AT_AWS = "AWS rents a p5.48xlarge at 55.04 USD per hour on demand."
NODES = {
    "n.md": f"---\ntitle: N\n---\n\n{AT_AWS}\n\nCoreWeave rents an HGX H100 node at 49.24 USD per hour on demand.\n\n"
    "The H100 costs 98.32 USD per hour.\n\nMaia 200 has 216 GB of HBM3e per chip.\n"
}
PRICED = {"metric": "price_per_hour", "unit": "USD/hour", "price_terms": "on-demand", "modality": "priced"}
NODE_ROW = PRICED | {"id": "p5", "subject": "aws-p5", "value": "55.04", "aggregation": "node", "count": "8"}
KIND_ROW = {"id": "kind", "subject": "microsoft-maia-200", "metric": "memory_kind", "value": "hbm3e", "unit": ""}


@pytest.fixture(scope="module")
def nodes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    """Prices of machines, and a chip whose memory kind the table has."""
    rows = [NODE_ROW | {"provider": "aws", "quote": AT_AWS}, KIND_ROW | {"quote": NODES["n.md"].splitlines()[-1]}]
    with pytest.MonkeyPatch.context() as patch:
        base = base_of(patch, tmp_path_factory.mktemp("nodes"), NODES, *(row | {"source": "n"} for row in rows))
        yield base


@pytest.mark.parametrize(
    "text",
    [
        # two providers have two prices, each its own
        f"{AT_AWS}\n\nCoreWeave rents an HGX H100 node at 49.24 USD per hour on demand.",
        # what another source leaves open is the other's to mend
        "Azure asks 98.32 USD per hour for its ND H100 v5 with eight H100 GPUs.",
    ],
)
def test_a_true_memo_of_prices_is_told_nothing(nodes: KnowledgeBase, text: str) -> None:
    audit = checked(nodes, text)
    assert audit.claims > 0
    assert audit.findings == ()


def test_a_price_under_the_terms_of_another_is_told_and_fails_no_run(
    chipwise: Chipwise, nodes: KnowledgeBase, tmp_path: Path
) -> None:
    text = "AWS rents a p5.48xlarge at 55.04 USD per hour with a three-year commitment."
    assert [f.code for f in checked(nodes, text).findings] == ["CW205"]
    result = chipwise("check", str(draft(tmp_path, text)), kb=nodes)
    assert result.exit_code == 0
    assert "is known for on demand, not for 3-year commitment" in result.output


def test_a_number_does_not_support_another_kind_of_memory(nodes: KnowledgeBase) -> None:
    told = [(j.reading.split(", ")[1], j.standing) for j in checked(nodes, "Maia 200 has 216 GB HBM3.").judgements]
    assert told == [("memory capacity: 216 GB", Standing.UNKNOWN), ("memory kind: HBM3", Standing.CONTRADICTED)]
    assert set(standings(nodes, "Maia 200 has 216 GB HBM3e.")) == {Standing.SUPPORTED}
    assert set(standings(nodes, "Maia 200 has 216 GB of HBM.")) == {Standing.SUPPORTED}  # less is said, nothing else


def test_one_cause_is_told_once(divided: KnowledgeBase) -> None:
    findings = checked(divided, "TPUs cannot run PyTorch.").findings
    assert len({(f.metric, f.evidence[0].start, f.evidence[0].mark) for f in findings}) == len(findings)


def test_a_check_counts_and_places_claims_as_their_list_does(
    chipwise: Chipwise, kb: KnowledgeBase, tmp_path: Path
) -> None:
    text = "The H200, which came late,\nhas 141 GB of memory.\n\nIt moves 5 km. The 12 TB/s are of nobody."
    file = str(draft(tmp_path, text))
    summary = chipwise("check", "--all", file, kb=kb).output
    listed = chipwise("claims", file, kb=kb).output
    assert ".md:2:5: supported" in summary
    assert "line 2 · NVIDIA H200 · memory capacity · 141 GB" in listed
    (claims,) = [line.partition(" claim")[0] for line in summary.splitlines() if line[:1].isdigit()]
    assert f"\n{claims} claim" in listed
