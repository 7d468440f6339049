"""Sources that repeat one another are one witness (CW601)."""

from __future__ import annotations

import pytest

from chipwise.audit.lineage import ENOUGH, find_witnesses
from chipwise.types import Document, SourceInfo

from .test_relations import document, statements
from .test_values import COMMENTED, audited, findings

ARTICLE = (
    "The H100 delivers 3,812 tokens per second per chip. The TPU v5p delivers 3,457 tokens per second per chip. "
    "An H100 rents for $12.37 per hour. A TPU v5p rents for $8.91 per hour. The H100 reached 52.3% MFU. "
    "The TPU v5p reached 58.7% MFU."
)
REWORDED = (
    "Per chip and second, expect 3,812 tokens of the H100. One sees 3,457 tokens/s per chip with the TPU v5p. "
    "Renting the H100 costs $12.37 per hour. The TPU v5p is yours for $8.91 per hour. An MFU of 52.3% is what the "
    "H100 reached. With the TPU v5p, MFU was 58.7%."
)
OTHER = (
    "The H100 delivers 2,905 tokens per second per chip. An H100 rents for $2.49 per hour. The H100 reached 43.1% MFU."
)


def witnesses(**texts: str) -> dict[str, str]:
    said = [s for name, text in texts.items() for s in statements(text, f"{name}.md")]
    documents = {name: document(text, f"{name}.md") for name, text in texts.items()}
    return find_witnesses(said, {n: d.info for n, d in documents.items()})


def test_sources_that_share_their_rare_figures_are_one_witness_whatever_their_words() -> None:
    assert witnesses(a=ARTICLE, b=REWORDED, c=OTHER) == {"a": "a", "b": "a"}
    (finding,) = findings({"a": ARTICLE, "b": REWORDED, "c": OTHER}, "CW601")
    assert (finding.verdict, finding.severity) == ("lineage", "low")
    assert finding.title == "2 sources are one witness: a, b"
    assert {e.source for e in finding.evidence} == {"a", "b"}


def test_agreement_on_what_everybody_knows_makes_no_witness() -> None:
    common = "The H100 has 80 GB of memory. The H200 has 141 GB of memory. The TPU v5p is 2x faster than the TPU v4."
    again = "Expect 80 GB of memory in the H100. In the H200 one finds 141 GB of memory. 2x faster than the TPU v4: the TPU v5p."
    assert witnesses(a=common, b=again) == {}


def test_one_rare_figure_is_chance() -> None:
    assert ENOUGH > 1
    shared = "The H100 delivers 3,812 tokens per second per chip."
    assert witnesses(a=shared, b=shared.replace("delivers", "reaches")) == {}


def test_a_lineage_that_a_source_states_is_believed() -> None:
    def info(name: str, *lineage: str) -> SourceInfo:
        return SourceInfo(name, name, f"{name}.md", lineage=lineage)

    sources = {"a": info("a"), "b": info("b", "a"), "c": info("c", "b"), "d": info("d", "elsewhere")}
    assert find_witnesses([], sources) == {"a": "a", "b": "a", "c": "a"}


@pytest.mark.parametrize("names", [("a", "b", "c"), ("c", "b", "a"), ("b", "c", "a")])
def test_copies_of_copies_are_one_witness_in_whatever_order_they_come(names: tuple[str, str, str]) -> None:
    assert witnesses(**dict.fromkeys(names, ARTICLE)) == dict.fromkeys("abc", "a")


def test_a_value_that_one_witness_repeats_is_counted_once() -> None:
    priced = "The H100 rents for $6.98 per hour."
    texts = {"a": ARTICLE, "b": REWORDED, "c": f"{OTHER} {priced}", "d": priced}
    (finding,) = [f for f in findings(texts, "CW103") if f.subject == "nvidia-h100" and f.metric == "price_per_hour"]
    assert "4 sources, 3 independent" in finding.explanation


def test_what_only_readers_repeat_makes_no_witness() -> None:
    commented = COMMENTED.format(body="Nothing is said here.", comment=REWORDED)
    assert findings({"a": ARTICLE, "b": commented}, "CW601") == []


def test_a_source_alone_is_no_finding() -> None:
    assert audited({"a": ARTICLE}).findings == ()


def test_a_stated_lineage_in_front_matter_is_read() -> None:
    def read(name: str, lineage: str) -> Document:
        return document(f"---\ntitle: {name}\nlineage: [{lineage}]\n---\n\n# {name}\n\n{OTHER}\n", f"{name}.md")

    assert read("b", "a").info.lineage == ("a",)
