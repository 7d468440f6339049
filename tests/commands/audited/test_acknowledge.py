"""`accept`, also called `acknowledge`: what is recorded, and what is refused."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from ...audit.samples import AUDIT, EVIL, HOSTILE, VALUES, Fakes
from ...conftest import Chipwise

Acknowledge = Callable[..., tuple[int, str, str]]


@pytest.fixture
def mark(chipwise: Chipwise, fakes: Fakes, kb: Path) -> Acknowledge:
    def run(*arguments: str, reason: str = "an older edition") -> tuple[int, str, str]:
        result = chipwise("accept", *arguments, "--reason", reason, kb=kb)
        return result.exit_code, result.stdout, result.stderr

    return run


@pytest.mark.parametrize("fingerprint", ["3f2a91c04bd1", "3f2a91"])
def test_a_finding_is_acknowledged_by_the_first_characters_too(
    mark: Acknowledge, chipwise: Chipwise, kb: Path, fingerprint: str
) -> None:
    assert mark(fingerprint, "--as", "accepted") == (
        0,
        f"accepted: CW101 {VALUES.title}\n  in {kb}/findings.toml\n",
        "",
    )
    text = (kb / "findings.toml").read_text("utf-8")
    assert re.sub(r"\d{4}-\d\d-\d\d", "DATE", text) == (
        "# Findings of `chipwise audit` and `chipwise check` that were looked at. `chipwise accept` adds to it.\n"
        "\n"
        f"# CW101 {VALUES.title}\n"
        "[[finding]]\n"
        'fingerprint = "3f2a91c04bd1"\n'
        'status = "accepted"\n'
        'reason = "an older edition"\n'
        "date = DATE\n"
    )
    assert chipwise("audit", kb=kb).exit_code == 0


def test_a_whole_fingerprint_that_only_check_can_have_is_recorded_as_given(mark: Acknowledge, kb: Path) -> None:
    assert mark("001122334455", "--as", "explained") == (
        0,
        f"explained: 001122334455\n  in {kb}/findings.toml\n",
        "note: no finding of the audit has the fingerprint 001122334455; recorded as given, for `check`\n",
    )
    assert 'fingerprint = "001122334455"\n' in (kb / "findings.toml").read_text("utf-8")


@pytest.mark.parametrize("fingerprint", ["deadbeef", "001122", "3F2A91C04BD1", "3f2a91c04bd1aa", "not-a-finding"])
def test_what_neither_audit_nor_check_can_have_is_refused(mark: Acknowledge, kb: Path, fingerprint: str) -> None:
    assert mark(fingerprint, "--as", "explained") == (
        2,
        "",
        f"error: no finding of the audit has the fingerprint {fingerprint}\n"
        "help: `chipwise audit --all` lists them; of a finding of `check`, give all 12 characters\n",
    )
    assert not (kb / "findings.toml").exists()


def test_explained_pairs_can_be_acknowledged_too(mark: Acknowledge, fakes: Fakes) -> None:
    mark("3f2a91", "--as", "confirmed")
    assert [call["everything"] for call in fakes.calls] == [True]


def test_the_first_characters_of_two_findings_are_refused(mark: Acknowledge, fakes: Fakes, kb: Path) -> None:
    fakes.audit = replace(AUDIT, findings=(VALUES, replace(VALUES, fingerprint="3f2a91ffffff")))
    assert mark("3f2a91", "--as", "accepted") == (
        2,
        "",
        "error: 2 findings begin with 3f2a91: 3f2a91c04bd1, 3f2a91ffffff\nhelp: give more characters\n",
    )
    assert not (kb / "findings.toml").exists()


def test_what_is_acknowledged_already_is_told_with_its_line(mark: Acknowledge, kb: Path) -> None:
    mark("3f2a91", "--as", "accepted")
    assert mark("3f2a91", "--as", "confirmed") == (
        2,
        "",
        "error: 3f2a91c04bd1 is already accepted: an older edition\n"
        f"help: edit or remove the entry at {kb}/findings.toml:4\n",
    )


@pytest.mark.parametrize("fingerprint", ["3f2", "", "../../etc", "\x1b[31mred", "a b c d e f"])
def test_what_is_no_fingerprint_is_refused(mark: Acknowledge, fakes: Fakes, fingerprint: str) -> None:
    code, stdout, stderr = mark(fingerprint, "--as", "accepted")
    assert (code, stdout, fakes.calls) == (2, "", [])
    assert stderr == (
        f"error: {fingerprint!r} is not a fingerprint\n"
        "help: `chipwise audit` prints it below each finding; its first 6 characters are enough\n"
    )


@pytest.mark.parametrize("reason", ["", "  ", "\n"])
def test_a_reason_must_be_given(mark: Acknowledge, kb: Path, reason: str) -> None:
    assert mark("3f2a91", "--as", "accepted", reason=reason) == (
        2,
        "",
        "error: the reason is empty\nhelp: say why in a sentence\n",
    )
    assert not (kb / "findings.toml").exists()


def test_a_reason_is_asked_for(chipwise: Chipwise, fakes: Fakes, kb: Path) -> None:
    for arguments, words in (
        (["--as", "accepted"], "Missing option '--reason'"),
        (["--as", "fine", "--reason", "x"], "is not one of 'confirmed', 'explained', 'accepted'"),
    ):
        result = chipwise("acknowledge", "3f2a91", *arguments, kb=kb)
        assert (result.exit_code, fakes.calls) == (2, [])
        assert words in " ".join(result.stderr.split())


def test_a_register_of_the_repository_is_made_where_it_is_named(
    mark: Acknowledge, chipwise: Chipwise, kb: Path, tmp_path: Path
) -> None:
    path = tmp_path / "repository" / "findings.toml"
    assert mark("3f2a91", "--as", "confirmed", "--register", str(path))[0] == 0
    assert [p.name for p in path.parent.iterdir()] == ["findings.toml"]
    assert not (kb / "findings.toml").exists()
    assert chipwise("audit", "--register", str(path), kb=kb).exit_code == 0


def test_a_hostile_title_and_reason_end_no_comment_and_drive_no_terminal(
    mark: Acknowledge, fakes: Fakes, kb: Path
) -> None:
    fakes.audit = replace(AUDIT, findings=(HOSTILE,))
    code, stdout, _ = mark("badbad", "--as", "accepted", reason=EVIL + '"\\')
    text = (kb / "findings.toml").read_text("utf-8")
    assert code == 0
    assert not set(stdout + text) & set("\x1b\x07\u202e\r")
    assert [line.split(" ")[0] for line in text.splitlines()[2:]] == [
        "#", "[[finding]]", "fingerprint", "status", "reason", "date",
    ]  # fmt: skip
