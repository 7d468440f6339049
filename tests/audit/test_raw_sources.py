"""The five raw documents that the audit was made for, with the facts table, where this checkout has them beside it."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from chipwise.audit.auditing import audit_documents
from chipwise.audit.model import Audit
from chipwise.building.facts import read_facts
from chipwise.corpus import digests_folder, facts_folder
from chipwise.domain.files import shipped_domain
from chipwise.reading import read_file
from chipwise.types import Finding, Role

FOLDER = Path(__file__).parents[3] / "shared" / "sources"
pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="no ../shared/sources beside this checkout")


@cache
def audit() -> Audit:
    """Everything that is found on the five documents."""
    domain = shipped_domain()
    documents = [read_file(path) for path in sorted(FOLDER.glob("*.txt"))]
    assert len(documents) == 5
    return audit_documents(documents, domain, read_facts(facts_folder(), digests_folder(), domain), everything=True)


def quoted(finding: Finding, *parts: str) -> bool:
    """True when each of `parts` ("001:760GB": the beginning of a source's id, and words of it) stands in a quote."""
    return all(any(e.source.startswith(part[:3]) and part[4:] in e.quote for e in finding.evidence) for part in parts)


def found(codes: str, *parts: str) -> list[Finding]:
    return [f for f in audit().findings if f.code in codes.split() and quoted(f, *parts)]


def lost(why: str) -> pytest.MarkDecorator:
    return pytest.mark.xfail(reason=why)


@pytest.mark.parametrize(
    ("codes", "parts"),
    [
        pytest.param("CW401", ["001:3,450 tokens/sec", "001:52% MFU", "001:58%"], id="C01"),
        pytest.param("CW402", ["001:4 to 10 times", "001:$8.00 to $11.00", "001:$12.00 and $15.00"], id="C03"),
        pytest.param("CW302 CW303", ["000:reportedly cut their total cost", "001:up to 52% lower TCO"], id="C12"),
        pytest.param("CW201", ["001:80GB HBM 760GB (8-chip config)"], id="C13"),
        pytest.param("CW301", ["000:2.8x faster training than TPU v4", "003:2.8 times more efficient"], id="C17"),
        pytest.param(
            "CW101 CW102 CW103",
            ["000:3,450 tokens per second per chip", "000:3,540"],
            id="C20",
            marks=lost(
                "the comment says of what only in the sentence before, and is taken to speak of TPUs in general"
            ),
        ),
        pytest.param("CW104 CW402", ["001:4 to 10 times"], id="C23"),
        pytest.param("CW502", ["004:exclusivity to TensorFlow"], id="C38"),
        pytest.param("CW601", ["000:3,800 tokens per second", "001:3,800 tokens per second"], id="C57"),
    ],
)
def test_what_is_known_to_disagree_is_found(codes: str, parts: list[str]) -> None:
    assert found(codes, *parts)


def test_throughput_and_utilisation_are_shown_not_to_fit() -> None:
    (finding,) = found("CW401")
    assert f"{0.58 * 459e3 / (6 * 3450):.1f} billion parameters" in finding.explanation
    assert f"{0.52 * 989e3 / (6 * 3800):.1f} billion parameters" in finding.explanation
    assert f"{3450 / 3800 * 0.52 * 989 / 459:.1%}" in finding.explanation
    assert (finding.verdict, finding.severity) == ("contradiction", "high")


def test_the_cost_ratio_is_worked_out_of_prices_and_throughput() -> None:
    (finding,) = found("CW402", "001:4 to 10 times")
    assert f"{3450 / 11 / (3800 / 12):.3g} to {3450 / 8 / (3800 / 15):.3g}" in finding.explanation


def test_the_memory_row_is_shown_chip_against_chip() -> None:
    (finding,) = found("CW201")
    assert f"{760 / 80:.2f}x" in finding.explanation
    assert f"{760 / 8 / 80:.2f}x" in finding.explanation
    assert finding.verdict != "contradiction"


def test_the_two_that_copy_are_one_witness_and_the_others_are_not() -> None:
    (finding,) = found("CW601")
    assert {e.source[:3] for e in finding.evidence} == {"000", "001"}
    assert "2 sources are one witness" in finding.title


def test_no_comment_is_evidence() -> None:
    outside = [f for f in audit().findings if any(not e.role.speaks_for_the_source for e in f.evidence)]
    assert {f.severity for f in outside} <= {"low", "info"}
    assert all(e.role is not Role.COMMENT for f in audit().findings if f.verdict == "contradiction" for e in f.evidence)


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param(["000:80GB to 141GB"], id="N01: other chips"),
        pytest.param(["001:141GB"], id="N01: the successor"),
        pytest.param(["000:3,672 TFLOPS"], id="N03: 8 chips"),
        pytest.param(["001:3,672 TFLOPS"], id="N03: 8 chips again"),
        pytest.param(["000:An 8-chip H100 node", "000:TPU v5p-8 slice"], id="N05: other hardware"),
        pytest.param(["000:Neither is"], id="N17: a preference under conditions"),
        pytest.param(["000:not perfect"], id="N19: degree"),
        pytest.param(["000:dominate the market"], id="N27: compatible"),
        pytest.param(["000:NCCL"], id="N29: library and network"),
        pytest.param(["000:InfiniBand"], id="N29: library and network again"),
    ],
)
def test_a_near_miss_is_not_called_a_contradiction(parts: list[str]) -> None:
    assert [f.title for f in audit().findings if f.verdict == "contradiction" and quoted(f, *parts)] == []


def test_what_stands_in_brackets_behind_a_rival_is_the_rivals() -> None:
    assert [f.title for f in found("CW103", "001:TPUs often achieve higher MFU")] == []


def test_few_findings_come_first_and_each_has_its_quotes() -> None:
    shown = [f for f in audit().findings if f.severity != "info"]
    assert len(shown) <= 25
    for finding in audit().findings:
        assert finding.evidence
        assert finding.explanation
        assert len(finding.fingerprint) == 12
    assert len({f.fingerprint for f in audit().findings}) == len(audit().findings)


@lost('what "only" excludes is listed from the side of whichever source comes first')
def test_the_order_of_the_documents_decides_nothing() -> None:
    domain = shipped_domain()
    documents = [read_file(path) for path in sorted(FOLDER.glob("*.txt"))]
    facts = read_facts(facts_folder(), digests_folder(), domain)
    turned = audit_documents(documents[::-1], domain, facts, everything=True)
    worst = {f.title for f in audit().findings if f.severity in ("high", "medium")}
    assert {f.title for f in turned.findings if f.severity in ("high", "medium")} == worst
