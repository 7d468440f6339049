"""SARIF 2.1.0: the shape that the standard asks for, and what code hosts read of it.

The models hold what the standard's schema says of the properties that we write;
the output was also validated against the schema itself, which is not ours to ship.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field

from chipwise import __version__
from chipwise.audit.codes import read_codes
from chipwise.audit.model import Audit, Remark
from chipwise_cli.audit_formats import sarif_value

from .samples import AUDIT, DIGEST, EVIL, HOSTILE, IN_DIGEST, NOTE, SPREAD, VALUES

FROM_ONE = Annotated[int, Field(ge=1)]
FROM_NOUGHT = Annotated[int, Field(ge=0)]
URI_REFERENCE = Annotated[str, Field(pattern=r"^(?:[A-Za-z0-9\-._~:/?#@!$&'()*+,;=]|%[0-9A-F]{2})+$")]
LEVEL = Literal["none", "note", "warning", "error"]


class Sarif(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")


class Message(Sarif):
    text: str = Field(min_length=1)


class Described(Message):
    markdown: str = "-"


class ArtifactLocation(Sarif):
    uri: URI_REFERENCE
    uriBaseId: Literal["%SRCROOT%"] | None = None  # noqa: N815


class Region(Sarif):
    startLine: FROM_ONE  # noqa: N815
    startColumn: FROM_ONE  # noqa: N815
    endLine: FROM_ONE  # noqa: N815
    endColumn: FROM_ONE  # noqa: N815
    charOffset: FROM_NOUGHT  # noqa: N815
    charLength: FROM_NOUGHT  # noqa: N815
    snippet: dict[Literal["text"], str]


class PhysicalLocation(Sarif):
    artifactLocation: ArtifactLocation  # noqa: N815
    region: Region


class LogicalLocation(Sarif):
    name: str
    fullyQualifiedName: str  # noqa: N815


class Beginning(Sarif):
    startLine: FROM_ONE  # noqa: N815


class PhysicalPlace(Sarif):
    artifactLocation: ArtifactLocation  # noqa: N815
    region: Beginning | None = None


class Place(Sarif):
    physicalLocation: PhysicalPlace  # noqa: N815


class Location(Sarif):
    id: FROM_NOUGHT | None = None
    physicalLocation: PhysicalLocation  # noqa: N815
    logicalLocations: list[LogicalLocation] = []  # noqa: N815
    message: Message | None = None


class Suppression(Sarif):
    kind: Literal["inSource", "external"]
    status: Literal["accepted", "underReview", "rejected"]
    justification: str


class Result(Sarif):
    ruleId: str  # noqa: N815
    ruleIndex: FROM_NOUGHT  # noqa: N815
    level: LEVEL
    message: Message
    locations: list[Location]
    relatedLocations: list[Location]  # noqa: N815
    partialFingerprints: dict[str, str]  # noqa: N815
    suppressions: list[Suppression]
    rank: Annotated[float, Field(ge=0, le=100)]
    baselineState: Literal["new", "unchanged", "updated", "absent"] | None = None  # noqa: N815
    properties: dict[str, Any]


class Rule(Sarif):
    id: str
    shortDescription: Message | None = None  # noqa: N815
    fullDescription: Message | None = None  # noqa: N815
    help: Described | None = None
    defaultConfiguration: dict[Literal["level"], LEVEL] | None = None  # noqa: N815


class Driver(Sarif):
    name: Literal["chipwise"]
    semanticVersion: str  # noqa: N815
    rules: list[Rule]


class Notification(Sarif):
    level: LEVEL
    message: Message
    locations: list[Place] = []


class Invocation(Sarif):
    executionSuccessful: bool  # noqa: N815
    toolExecutionNotifications: list[Notification]  # noqa: N815


class Run(Sarif):
    tool: dict[Literal["driver"], Driver]
    columnKind: Literal["utf16CodeUnits", "unicodeCodePoints"]  # noqa: N815
    originalUriBaseIds: dict[str, dict[Literal["description"], Message]]  # noqa: N815
    invocations: list[Invocation]
    results: list[Result]
    properties: dict[str, Any]


class Log(Sarif):
    schema_: str = Field(alias="$schema")
    version: Literal["2.1.0"]
    runs: list[Run] = Field(min_length=1)


KNOWN = {"aa00bb11cc22": "accepted 2026-11-21: prices vary"}


def run_of(audit: Audit) -> Run:
    value = sarif_value(replace(audit, reasons=KNOWN), read_codes())
    (run,) = Log.model_validate(json.loads(json.dumps(value))).runs
    return run


AUDITS = [
    AUDIT,
    Audit((), 0, 0, 0),
    replace(AUDIT, findings=(HOSTILE, replace(VALUES, code="CW999"), replace(SPREAD, status="accepted"), VALUES)),
]


@pytest.mark.parametrize("audit", AUDITS, ids=["two findings", "none", "hostile"])
def test_every_audit_becomes_a_valid_log(audit: Audit) -> None:
    run = run_of(audit)
    assert len(run.results) == len(audit.findings)
    rules = run.tool["driver"].rules
    assert all(rules[result.ruleIndex].id == result.ruleId for result in run.results)
    assert len({rule.id for rule in rules}) == len(rules), "the standard wants them unique"


def test_a_result_has_the_rule_the_level_and_both_places() -> None:
    run = run_of(AUDIT)
    values, spread = run.results
    assert (values.ruleId, values.level, spread.level) == ("CW101", "error", "note")
    assert values.message.text == f"{VALUES.title}\n{VALUES.explanation}\nHelp: {VALUES.help}"
    (place,), (other,) = values.locations, values.relatedLocations
    assert place.physicalLocation.artifactLocation == ArtifactLocation(uri="note.md", uriBaseId="%SRCROOT%")
    assert place.logicalLocations[0].fullyQualifiedName == "Notes > Memory"
    assert other.physicalLocation.artifactLocation.uri == "https://example.org/a%20b?x=%5B1%5D#y"
    assert other.message == Message(text=f"Example Press: {IN_DIGEST.quote}")
    for location, text in ((place, NOTE), (other, DIGEST)):
        region = location.physicalLocation.region
        line = text.split("\n")[region.startLine - 1]
        assert line[region.startColumn - 1 : region.endColumn - 1] == region.snippet["text"]
        assert text[region.charOffset :][: region.charLength] == region.snippet["text"]
    assert values.partialFingerprints == {"chipwise/v1": VALUES.fingerprint}
    assert values.properties == {
        "verdict": "contradiction",
        "severity": "high",
        "status": "open",
        "subject": "nvidia-h200",
        "metric": "memory_capacity",
    }
    assert run.properties == {"checked": {"sources": 12, "claims": 841, "pairs": 312}}
    assert [note.message.text for note in run.invocations[0].toolExecutionNotifications] == list(AUDIT.unchecked)


def test_a_rule_is_the_page_of_its_code() -> None:
    driver = run_of(AUDIT).tool["driver"]
    assert driver.semanticVersion == __version__
    rule, page = driver.rules[0], read_codes().pages["CW101"]
    assert rule.shortDescription == Message(text=page.title)
    assert rule.fullDescription is not None
    assert rule.fullDescription.text.split() == page.meaning.split()
    assert rule.help is not None
    assert page.example in rule.help.text
    assert rule.defaultConfiguration == {"level": "error"}


def test_an_acknowledged_finding_is_there_and_suppressed_with_its_reason() -> None:
    run = run_of(replace(AUDIT, findings=(VALUES, replace(SPREAD, status="accepted"))))
    suppression = Suppression(kind="external", status="accepted", justification=KNOWN[SPREAD.fingerprint])
    assert [result.suppressions for result in run.results] == [[], [suppression]]


def test_what_the_document_ignores_is_suppressed_in_source() -> None:
    audit = replace(AUDIT, findings=(replace(SPREAD, status="ignored"),))
    (result,) = run_of(audit).results
    assert [suppression.kind for suppression in result.suppressions] == ["inSource"]


def test_what_the_baseline_has_is_unchanged_and_not_suppressed() -> None:
    (result,) = run_of(replace(AUDIT, findings=(replace(VALUES, status="baseline"),))).results
    assert (result.baselineState, result.suppressions) == ("unchanged", [])


def test_the_rank_is_the_confidence_in_per_cent() -> None:
    (result,) = run_of(replace(AUDIT, findings=(replace(VALUES, confidence=0.85),))).results
    assert result.rank == 85


def test_a_remark_is_a_notification_at_its_line() -> None:
    run = run_of(
        replace(AUDIT, unchecked=(), remarks=(Remark("note.md", 3, "nothing needs it"), Remark("b.json", 0, "gone")))
    )
    first, second = run.invocations[0].toolExecutionNotifications
    assert (first.level, first.message.text) == ("warning", "nothing needs it")
    assert first.locations[0].physicalLocation.region == Beginning(startLine=3)
    assert second.locations[0].physicalLocation.region is None


def test_what_a_document_says_is_no_link_and_no_placeholder() -> None:
    (result,) = run_of(replace(AUDIT, findings=(HOSTILE,))).results
    texts = [result.message.text, *(place.message.text for place in result.relatedLocations if place.message)]
    assert "](" in EVIL
    for text in texts:
        assert re.search(r"(?<!\\)\]\(", text) is None
        assert re.search(r"(?<!\{)\{(?!\{)", text) is None
        assert "{{0}}" in text


def test_a_file_under_the_current_folder_has_a_relative_uri(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    inside, outside = tmp_path / "docs" / "a.md", tmp_path.parent / "b.md"
    places = [replace(IN_DIGEST, origin=str(path)) for path in (inside, outside)]
    (result,) = run_of(replace(AUDIT, findings=(replace(VALUES, evidence=tuple(places)),))).results
    found = [p.physicalLocation.artifactLocation for p in (*result.locations, *result.relatedLocations)]
    assert found == [
        ArtifactLocation(uri="docs/a.md", uriBaseId="%SRCROOT%"),
        ArtifactLocation(uri=f"file://{outside}"),
    ]


def test_a_finding_without_evidence_has_no_place() -> None:
    (result,) = run_of(replace(AUDIT, findings=(replace(VALUES, evidence=()),))).results
    assert (result.locations, result.relatedLocations) == ([], [])
