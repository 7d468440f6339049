"""`--json` has the shape that design.md promises, and every quote stands in its source."""

from __future__ import annotations

import json
from typing import Literal

import pytest
from pydantic import BaseModel, ConfigDict

from chipwise.index.store import open_store
from chipwise.knowledge import TEXT, KnowledgeFolder

from ..conftest import ROOT, Chipwise


class Citation(BaseModel):
    """The fields of the contract; more may be added without a new number."""

    model_config = ConfigDict(strict=True)

    n: int
    source: str
    title: str
    origin: str
    heading: str
    role: Literal["body", "list", "table", "faq", "comment", "boilerplate", "bio"]
    quote: str
    start: int
    end: int
    line: int
    page: int | None
    digest: bool


class Row(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")

    subject: str
    name: str
    metric: str
    qualifiers: dict[str, str]
    scope: dict[Literal["unit", "count"], str | int | None] | None
    text: str
    unit: str
    dimension: str
    low: float | None
    high: float | None
    bound: Literal["exact", "about", "at least", "at most"]
    category: str | None
    citation: int | None
    derived: bool
    note: str


class Answer(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")

    schema_: Literal["chipwise.answer/3"]
    question: str
    status: Literal["answered", "hesitating", "no_answer"]
    confidence: float
    answer: str
    reason: str | None
    verdict: Literal["yes", "no", "depends"] | None
    rows: list[Row]
    unused: str | None
    citations: list[Citation]
    disagreements: list[dict[str, object]]
    nearest: dict[str, object] | None


QUESTIONS = [
    "How much memory does the H200 have?",
    "Which has more memory, the H100 or the H200?",
    "What is MFU?",
    "What does the table say of the bandwidth of the A100?",
    "What does the Zorgon accelerator clear?",
    "Did an H200 arrive with a bent pin?",
    "How fast is the Frobnicator 9000?",
    "Our notes give the H200 SXM 151 GB of memory. Is that why the frobnicator stalls?",
]


def validated(value: dict[str, object]) -> Answer:
    return Answer.model_validate({("schema_" if key == "schema" else key): item for key, item in value.items()})


@pytest.mark.parametrize("question", QUESTIONS)
def test_an_answer_keeps_the_contract(chipwise: Chipwise, built: KnowledgeFolder, question: str) -> None:
    result = chipwise("ask", question, "--json", kb=built)
    answer = validated(json.loads(result.stdout))
    assert answer.question == question
    answered = answer.status != "no_answer"
    assert result.exit_code == (0 if answered else 1)
    assert answered == bool(answer.answer) == bool(answer.citations) == (answer.reason is None)
    assert [c.n for c in answer.citations] == list(range(1, len(answer.citations) + 1))
    assert all(f"[{c.n}]" in answer.answer for c in answer.citations)
    assert {row.citation for row in answer.rows if not row.derived} <= {c.n for c in answer.citations}
    with open_store(built.generation_folder(built.read_seal()) / TEXT) as store:
        for citation in answer.citations:
            text = store.source_text(citation.source)
            assert text[citation.start : citation.end] == citation.quote
            assert text.count("\n", 0, citation.start) + 1 == citation.line


def test_a_figure_of_a_passage_is_a_row_with_its_citation(chipwise: Chipwise, built: KnowledgeFolder) -> None:
    value = json.loads(chipwise("ask", QUESTIONS[0], "--json", kb=built).stdout)
    (row,) = validated(value).rows
    assert (row.subject, row.name, row.metric, row.text) == (
        "nvidia-h200",
        "NVIDIA H200",
        "memory_capacity",
        "141 GB",
    )
    assert (row.low, row.high, row.qualifiers, row.citation) == (140.5e9, 141.5e9, {"memory_kind": "hbm3e"}, 1)


def test_every_field_of_an_answer_is_documented() -> None:
    page = (ROOT / "docs" / "json.md").read_text("utf-8")
    fields = [*Answer.model_fields, *Row.model_fields, *Citation.model_fields]
    assert [name for name in fields if f"`{name.removesuffix('_')}`" not in page] == []


def test_sources_may_be_asked_for_beside_the_answer(chipwise: Chipwise, built: KnowledgeFolder) -> None:
    value = json.loads(chipwise("ask", QUESTIONS[0], "--json", "--sources", kb=built).stdout)
    sources = value.pop("sources")
    assert validated(value).status == "answered"
    assert {"id", "title", "origin", "publisher", "published", "kind"} <= set(sources[0])


def test_sources_json_counts_passages(chipwise: Chipwise, built: KnowledgeFolder) -> None:
    value = json.loads(chipwise("sources", "--json", kb=built).stdout)
    assert value["schema"] == "chipwise.sources/1"
    assert sum(source["passages"] for source in value["sources"]) == built.read_seal().passages
    (h200,) = [source for source in value["sources"] if source["id"] == "h200"]
    assert h200["lineage"] == ["h100"]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("facts", "NOSUCHCHIP"), 2),
        (("facts", "h200", "nosuchmetric"), 2),
        (("compare", "h100", "NOSUCHCHIP"), 2),
        (("find", "no number"), 2),
        (("find", "123456789"), 1),
        (("claims", "nosuchsource"), 2),
        (("sources", "nosuchsource"), 2),
        (("search", "..."), 2),
        (("ask", ""), 2),
        (("ask", "How fast is the Frobnicator 9000?"), 1),
        (("audit", "--source", "nosuchsource"), 2),
        (("check", "no/such/file.md"), 2),
    ],
)
def test_where_nothing_is_found_there_is_json_all_the_same(
    chipwise: Chipwise, built: KnowledgeFolder, arguments: tuple[str, ...], code: int
) -> None:
    command, *rest = arguments
    plain, result = chipwise(command, *rest, kb=built), chipwise(command, "--json", *rest, kb=built)
    value = json.loads(result.stdout)
    assert (result.exit_code, result.stderr) == (code, plain.stderr)
    assert value["schema"].startswith("chipwise.")
    if value["schema"] == "chipwise.error/1":
        assert f"error: {value['error']}\nhelp: {value['help']}\n" == result.stderr


def test_a_format_that_a_program_reads_is_whole_where_no_file_could_be_read(
    chipwise: Chipwise, built: KnowledgeFolder
) -> None:
    for form in ("json", "sarif"):
        result = chipwise("check", "--format", form, "no/such/file.md", kb=built)
        assert result.exit_code == 2
        assert json.loads(result.stdout)
    value = json.loads(chipwise("audit", "--format", "json", "--source", "nosuchsource", kb=built).stdout)
    assert value["schema"] == "chipwise.error/1"
