"""The differ of the frozen state: what is lost is told first, and what only moved is not called lost."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import frozen_files
import pytest
from frozen_diff import compare, kept, report, set_of

Record = dict[str, Any]


def answer(case: str, text: str, *, right: bool = True, **other: Any) -> Record:
    plain = {"question": "How much memory?", "status": "answered", "reason": "", "citations": [], "disagreements": []}
    return {"case": case, "text": text, "right": right} | plain | other


def finding(case: str, title: str, **other: Any) -> Record:
    plain = {"code": "CW101", "severity": "high", "verdict": "contradiction", "fingerprint": title, "place": "a.md:1:1"}
    return {"case": case, "title": title} | plain | other


def claim(start: int, **other: Any) -> Record:
    plain = {"subject": "nvidia-h100", "metric": "memory_capacity", "value": "80..80", "unit": "GB"}
    return {"case": "drafts/third/C04", "span": [start, start + 5], "text": "80 GB"} | plain | other


@pytest.mark.parametrize("part", ["answers", "findings", "claims"])
def test_what_did_not_change_has_no_details_and_is_not_worse(part: str) -> None:
    records = {"answers": [answer("dev/D1", "80 GB")], "findings": [finding("corpus/all", "x")], "claims": [claim(3)]}
    made = report(part, records[part], [dict(record) for record in records[part]])
    assert made.summary[0] == f"{part}: 1 same, 0 changed, 0 lost, 0 new"
    assert not made.details
    assert not made.worse


def test_a_record_matches_once_and_an_equal_one_before_a_similar_one() -> None:
    keys = [lambda record: record["case"]]
    before = [{"case": "a", "n": 1}, {"case": "a", "n": 2}, {"case": "b", "n": 3}]
    diff = compare(before, [{"case": "a", "n": 2}, {"case": "a", "n": 9}, {"case": "a", "n": 8}], keys)
    assert diff.same == 1
    assert diff.changed == [({"case": "a", "n": 1}, {"case": "a", "n": 9})]
    assert diff.lost == [{"case": "b", "n": 3}]
    assert diff.new == [{"case": "a", "n": 8}]


def test_a_right_answer_that_was_lost_comes_first_with_both_texts() -> None:
    before = [answer("dev/D1", "old", right=False), answer("dev/D2", "80 GB"), answer("dev/D3", "141 GB")]
    now = [
        answer("dev/D1", "new"),
        answer("dev/D2", "", right=False, status="refused", reason="no figure"),
        answer("dev/D3", "It has 141 GB"),
    ]
    made = report("answers", before, now)
    assert made.worse
    assert made.details[:4] == [
        "== right before and not now",
        "dev/D2  How much memory?  [answered before, refused now]",
        "   before: 80 GB",
        "   now:    REFUSED: no figure",
    ]
    assert "right now and not before: 1" in made.summary
    assert "right, by set: dev 2 of 3, all 2 of 3" in made.summary
    assert "otherwise changed, text: 1" in made.summary


def test_an_answer_that_only_cites_otherwise_is_not_worse_and_shows_what_is_cited() -> None:
    before, now = answer("dev/D1", "80 GB", citations=[["a", 0, 5, "80 GB"]]), answer("dev/D1", "80 GB")
    made = report("answers", [before], [now])
    assert not made.worse
    assert made.details[-1] == "   citations: gone [['a', 0, 5, '80 GB']], new []"


def test_the_text_of_a_page_that_is_not_ours_is_shown_and_neither_compared_nor_kept() -> None:
    before, now = answer("raw/R1", "sha256:1"), answer("raw/R1", "sha256:1", _text="80 GB")
    assert kept(now) == before
    assert report("answers", [before], [now]).summary[0] == "answers: 1 same, 0 changed, 0 lost, 0 new"
    changed = report("answers", [before], [answer("raw/R1", "sha256:2", _text="80 GB")])
    assert changed.details[-2:] == ["   before: sha256:1", "   now:    80 GB"]


def test_a_right_answer_that_is_gone_altogether_is_worse() -> None:
    made = report("answers", [answer("dev/D1", "80 GB")], [])
    assert made.worse
    assert made.summary[1] == "right before and not now: 0, and 1 not asked any more"


def test_a_planted_change_stays_found_when_another_finding_tells_it() -> None:
    before = finding("drafts/third/C04/changed", "old", planted=[0])
    now = finding("drafts/third/C04/changed", "new", code="CW701", place="b.md:9:9", planted=[0])
    made = report("findings", [before], [now])
    assert "planted changes found before and not now: 0" in made.summary
    assert not made.worse
    assert report("findings", [before], []).worse


def test_a_contradiction_about_a_true_text_is_told_as_one() -> None:
    made = report("findings", [], [finding("drafts/third/C04/true", "x", alarm=True)])
    assert "contradictions where all is right: 0 before, 1 now" in made.summary
    assert made.details[0] == "== new contradictions where all is right"


def test_a_claim_at_its_place_is_changed_and_not_lost() -> None:
    made = report("claims", [claim(3), claim(20)], [claim(20, subject="nvidia-a100", doubted=True), claim(3)])
    assert made.summary[0] == "claims: 1 same, 1 changed, 0 lost, 0 new"
    assert "changed in subject: 1" in made.summary
    assert "doubted now and not before: 1, before and not now: 0" in made.summary
    assert made.details[-1].endswith("subject: nvidia-h100 -> nvidia-a100; doubted: - -> True")


def test_a_claim_whose_end_moved_is_still_that_claim() -> None:
    made = report("claims", [claim(3)], [claim(3, span=[3, 14])])
    assert made.summary[0] == "claims: 0 same, 1 changed, 0 lost, 0 new"


def test_a_claim_below_an_edit_of_its_document_has_moved() -> None:
    made = report("claims", [claim(3)], [claim(60)])
    assert "changed in span: 1" in made.summary


def test_a_statement_of_a_draft_that_is_understood_no_more_is_listed_first() -> None:
    made = report("claims", [claim(3, says=[2])], [claim(3, doubted=True)])
    assert "statements of drafts understood before and not now: 1" in made.summary
    assert made.details[0] == "== understood before and not now"


def test_a_set_is_what_a_case_id_begins_with() -> None:
    cases = ("dev/D001", "corpus/all", "corpus/primers/mfu", "drafts/third/C04/true", "suite/tune/scope/07")
    sets = ["dev", "corpus", "corpus/primers", "drafts/third", "suite/tune"]
    assert [set_of({"case": case}) for case in cases] == sets


@pytest.mark.parametrize("plain", [10, 1_000_000])
def test_records_come_back_as_they_were_written_packed_or_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, plain: int
) -> None:
    monkeypatch.setattr(frozen_files, "PLAIN", plain)
    records = [{"case": "a", "text": "one\u2028line – 80 GB"}, {"case": "b", "text": "two\nlines"}]
    frozen_files.write(tmp_path, "answers", records)
    written = next(tmp_path.iterdir()).read_bytes()
    assert list(frozen_files.read(tmp_path, "answers")) == records
    frozen_files.write(tmp_path, "answers", records)
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [written]
