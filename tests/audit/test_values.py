"""Values that differ: who is quoted, how bad it is, what the curated table adds (CW1xx, CW7xx)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from chipwise.audit.auditing import audit_documents
from chipwise.audit.model import SEVERITIES, Audit
from chipwise.building.facts import read_facts
from chipwise.claims.model import Fact
from chipwise.types import Finding, Role

from ..building.test_facts import ROW, csv_of
from .test_relations import document, shipped

LESS, MORE = "The H200 has 141 GB of memory.", "The H200 has 160 GB of memory."
COMMENTED = "# Notes\n\n{body}\n\n## Comments\n\n> {comment}\n"


def audited(texts: Mapping[str, str], facts: Sequence[Fact] = (), *, everything: bool = False) -> Audit:
    """The audit of documents given by their names without ending."""
    documents = [document(text, f"{name}.md") for name, text in texts.items()]
    return audit_documents(documents, shipped(), facts, everything=everything)


def findings(
    texts: Mapping[str, str], codes: str, facts: Sequence[Fact] = (), *, everything: bool = False
) -> list[Finding]:
    return [f for f in audited(texts, facts, everything=everything).findings if f.code in codes.split()]


def fact(folder: Path, quote: str, **row: str) -> list[Fact]:
    """A table of one row, whose digest says `quote`."""
    return facts(folder, {"value": "141", "quote": quote} | row)


def facts(folder: Path, *rows: Mapping[str, str]) -> list[Fact]:
    """A table on the H200, whose digest says the quotes of all rows."""
    quotes = "\n\n".join(row["quote"] for row in rows)
    (folder / "sheet.md").write_text(f"---\ntitle: A sheet\n---\n\n# A sheet\n\n{quotes}\n")
    full = (ROW | {"id": str(n), "subject": "nvidia-h200", **row} for n, row in enumerate(rows))
    (folder / "t.csv").write_text(csv_of(*full))
    return read_facts(folder, folder, shipped())


def test_two_sources_that_differ_are_one_finding_with_a_quote_from_each() -> None:
    audit = audited({"a": LESS, "b": MORE})
    (finding,) = audit.findings
    assert (finding.code, finding.verdict, finding.severity) == ("CW101", "contradiction", "high")
    assert (finding.subject, finding.metric) == ("nvidia-h200", "memory_capacity")
    assert {(e.source, e.quote, e.quote[slice(*e.mark or ())]) for e in finding.evidence} == {
        ("a", LESS, "141 GB"),
        ("b", MORE, "160 GB"),
    }
    assert "141 GB" in finding.title
    assert "160 GB" in finding.title
    assert (audit.sources, audit.claims, audit.contradicts) == (2, 2, True)


def test_one_source_that_differs_from_itself_is_told_apart_from_two() -> None:
    (finding,) = audited({"a": f"{LESS}\n\n{MORE}"}).findings
    assert finding.code == "CW102"
    assert finding.severity in ("low", "medium")


def test_what_one_sentence_tells_apart_is_no_contradiction() -> None:
    assert audited({"a": "Early H200 boards have 160 GB of memory, later ones 141 GB of memory."}).findings == ()


def test_agreement_is_silence() -> None:
    audit = audited({"a": LESS, "b": LESS, "c": "The memory capacity of the H200 is 141 GB."})
    assert [f for f in audit.findings if f.verdict == "contradiction"] == []
    assert not audit.contradicts


def test_however_many_repeat_a_value_it_is_one_finding() -> None:
    both = {"a": LESS, "b": MORE, "c": MORE, "d": f"Word has it.\n\n{MORE}"}
    assert len(findings(both, "CW101")) == 1


def test_each_wrong_value_is_a_finding_of_its_own() -> None:
    texts = {"a": LESS, "b": f"Again. {LESS}", "c": MORE, "d": "The H200 has 200 GB of memory."}
    assert len(findings(texts, "CW101")) == 2


def test_what_varies_is_a_spread_from_end_to_end() -> None:
    texts = {
        name: f"The H100 rents for ${price} per hour." for name, price in zip("abc", (2.49, 3.10, 6.98), strict=True)
    }
    (finding,) = audited(texts).findings
    assert (finding.code, finding.verdict, finding.severity) == ("CW103", "spread", "low")
    assert "$2.49" in finding.title
    assert "$6.98" in finding.title
    assert "3 sources, 3 independent" in finding.explanation


def test_multiples_against_one_baseline_are_a_ladder_of_their_own() -> None:
    texts = {
        "a": "The TPU v6e offers 4.5x better price-performance than the H100.",
        "b": "The TPU v6e offers 1.4x better price-performance than the H100.",
    }
    (finding,) = findings(texts, "CW104")
    assert finding.severity == "low"
    assert "NVIDIA H100" in finding.title


def test_explained_pairs_are_shown_on_request_with_their_arithmetic() -> None:
    texts = {
        "a": "The H100 SXM peaks at 989 TFLOPS in dense BF16.",
        "b": "The H100 SXM peaks at 1,979 TFLOPS in BF16 with 2:4 sparsity.",
    }
    assert audited(texts).findings == ()
    (finding,) = audited(texts, everything=True).findings
    assert (finding.verdict, finding.severity) == ("explained", "info")
    assert f"{1979 / 989:.2f}" in finding.explanation


def test_a_figure_that_another_source_denies_is_no_agreement() -> None:
    assert audited({"a": LESS, "b": "The H200 does not have 141 GB of memory."}, everything=True).findings == ()


@pytest.mark.xfail(reason="a figure that is denied says nothing at all")
def test_a_figure_that_another_source_denies_is_contradicted() -> None:
    assert audited({"a": LESS, "b": "The H200 does not have 141 GB of memory."}).contradicts


def test_the_first_example_of_the_design_is_a_contradiction() -> None:
    assert audited({"a": LESS, "b": "The H200 is the same die with 144 GB of memory."}).contradicts


def test_opposite_categories_of_one_kind_contradict() -> None:
    texts = {"a": "The H100 SXM uses HBM3 memory.", "b": "The H100 SXM uses GDDR6 memory."}
    assert [f.code for f in audited(texts).findings] == ["CW105"]


# --- Comments ---


def test_a_comment_is_never_evidence_against_the_body() -> None:
    text = COMMENTED.format(body=LESS, comment=MORE)
    found = audited({"a": text}).findings
    assert {f.severity for f in found} <= {"low", "info"}
    assert not audited({"a": text}).contradicts


def test_a_comment_does_not_contradict_another_source_either() -> None:
    audit = audited({"a": COMMENTED.format(body="Nothing is said here.", comment=MORE), "b": LESS})
    assert not audit.contradicts
    assert {f.severity for f in audit.findings} <= {"low", "info"}


def test_a_supposition_contradicts_nobody() -> None:
    assert audited({"a": LESS, "b": "Suppose that the H200 has 160 GB of memory."}).findings == ()


def test_what_a_source_itself_calls_wrong_contradicts_nobody() -> None:
    assert audited({"a": LESS, "b": "One site gives the H200 160 GB of memory, which is wrong."}).findings == ()


# --- Fingerprints and order ---


def test_a_fingerprint_survives_rewording_elsewhere_and_moving() -> None:
    before = audited({"a": LESS, "b": MORE}).findings[0]
    after = audited({"a": f"# Notes\n\nSomething new is said here.\n\n{LESS} It is sold by many.", "b": MORE}).findings[
        0
    ]
    assert before.fingerprint == after.fingerprint
    assert before.evidence[0].start != after.evidence[0].start or before.evidence[1].start != after.evidence[1].start


def test_a_fingerprint_survives_rewording_of_the_very_sentence() -> None:
    before = audited({"a": LESS, "b": MORE}).findings[0]
    after = audited({"a": "The memory capacity of the H200 is 141 GB.", "b": MORE}).findings[0]
    assert before.fingerprint == after.fingerprint


@pytest.mark.parametrize("other", ["The H200 has 170 GB of memory.", "The H200 has 160 GB of memory per GPU."])
def test_another_value_or_scope_is_another_finding(other: str) -> None:
    before, after = (audited({"a": LESS, "b": text}).findings[0] for text in (MORE, other))
    assert before.fingerprint != after.fingerprint


def test_the_order_of_documents_changes_no_fingerprint() -> None:
    there = audited({"a": LESS, "b": MORE}).findings
    back = audited({"b": MORE, "a": LESS}).findings
    assert [f.fingerprint for f in there] == [f.fingerprint for f in back]


def test_the_worst_come_first() -> None:
    texts = {
        "a": f"{LESS} The H100 rents for $2.49 per hour.",
        "b": f"{MORE} The H100 rents for $6.98 per hour.",
    }
    ranks = [SEVERITIES.index(f.severity) for f in audited(texts, everything=True).findings]
    assert len(ranks) == 2
    assert ranks == sorted(ranks)


def test_evidence_has_its_place() -> None:
    (finding,) = audited({"a": f"# Notes\n\n## Memory\n\n{LESS}", "b": MORE}).findings
    (mine,) = [e for e in finding.evidence if e.source == "a"]
    assert (mine.line, mine.column) == (5, LESS.index("141") + 1)
    assert (mine.role, mine.heading[-1:]) == (Role.BODY, ("Memory",))


def test_who_gives_both_densities_does_not_know_the_sparse_figure_as_dense() -> None:
    both = "The H100 SXM reaches 989 TFLOPS of dense BF16 and 1,979 TFLOPS of BF16 with 2:4 sparsity."
    (finding,) = findings({"a": both, "b": "The H100 SXM reaches 1,979 TFLOPS of dense BF16."}, "CW101")
    assert finding.verdict == "contradiction"


def test_a_multiple_of_another_format_excuses_nothing() -> None:
    texts = {
        "a": "The H100 SXM has 989 TFLOPS of dense BF16. A DGX H100 has 15.8 PFLOPS of dense FP8.",
        "b": "The H100 SXM has 1,979 TFLOPS of dense BF16.",
    }
    assert [f.verdict for f in findings(texts, "CW101")] == ["contradiction"]


def test_rows_of_one_table_are_told_apart_however_long_it_is() -> None:
    filler = "".join(f"| H200 | 141 GB | {n} {'word ' * 20}|\n" for n in range(30))
    table = f"| GPU | Memory | Note |\n|---|---|---|\n{filler}| H200 | 160 GB | |\n"
    assert findings({"a": table}, "CW102") == []
    assert len(findings({"a": table.replace("| H200 | 160 GB | |", f"\n{MORE}")}, "CW102")) == 1


def test_the_memory_of_two_machines_with_one_chip_is_none_of_the_chip() -> None:
    texts = {"a": "The H200 has 1 TB of host memory.", "b": "The H200 has 3 TB of host memory."}
    assert [f for f in audited(texts).findings if f.verdict == "contradiction"] == []
    machines = {name: text.replace("The H200", "The p5e.48xlarge instance") for name, text in texts.items()}
    assert len(findings(machines, "CW101")) == 1
