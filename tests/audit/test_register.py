"""The register: what it marks, what it refuses, and that adding to it keeps all that stands there."""

from __future__ import annotations

import errno
import re
import tomllib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chipwise.audit.marks import Mark, add_entry, entry_text, is_fingerprint, read_register, unused
from chipwise.errors import DomainInvalid, StorageFailed
from chipwise.types import Finding

from .samples import AUDIT, SPREAD, VALUES

REGISTER = """# kept by hand
[[finding]]  # the spread
fingerprint = "aa00bb11cc22"
status = "accepted"
reason = "prices vary"
date = 2026-11-21

[[finding]]
fingerprint = "3f2a91"
status = "confirmed"
reason = 'the digest is "wrong"'
date = "2026-11"
"""


def marked(register: Sequence[Mark], *findings: Finding) -> list[str]:
    """The statuses that a register gives findings, open ones first."""
    return [finding.status for finding in replace(AUDIT, findings=findings).marked(register).findings]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "findings.toml"
    path.write_text(REGISTER, "utf-8")
    return path


def test_a_register_is_read_with_the_place_of_each_entry(path: Path) -> None:
    assert read_register(path) == (
        Mark("aa00bb11cc22", "accepted", "prices vary", "2026-11-21", f"{path}:2"),
        Mark("3f2a91", "confirmed", 'the digest is "wrong"', "2026-11", f"{path}:8"),
    )


def test_a_file_that_is_not_there_is_an_empty_register(tmp_path: Path) -> None:
    assert read_register(tmp_path / "none.toml") == read_register() == ()


def test_a_later_file_goes_before_an_earlier_one(path: Path, tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text(entry_text(Mark("aa00bb11cc22", "explained", "spot and on demand")))
    entries = {entry.fingerprint: entry.status for entry in read_register(path, own)}
    assert entries == {"aa00bb11cc22": "explained", "3f2a91": "confirmed"}


def test_a_finding_gets_its_status_and_an_acknowledged_contradiction_fails_no_run(path: Path) -> None:
    marked = AUDIT.marked(read_register(path))
    assert [finding.status for finding in marked.findings] == ["confirmed", "accepted"]
    assert (AUDIT.contradicts, marked.contradicts) == (True, False)
    assert marked.reasons == {
        **AUDIT.reasons,
        "3f2a91c04bd1": 'confirmed 2026-11: the digest is "wrong"',
        "aa00bb11cc22": "accepted 2026-11-21: prices vary",
    }


def test_a_finding_that_the_register_does_not_have_stays_as_it_is(path: Path) -> None:
    other = replace(VALUES, fingerprint="000000000000")
    assert marked(read_register(path), other) == ["open"]
    assert AUDIT.marked(()) == AUDIT


def test_the_first_characters_count_for_one_finding_and_never_for_two(path: Path) -> None:
    twin = replace(VALUES, fingerprint="3f2a91ffffff")
    register = read_register(path)
    assert marked(register, VALUES, twin, SPREAD) == ["open", "open", "accepted"]
    assert [entry.fingerprint for entry in unused(register, (VALUES, twin, SPREAD))] == ["3f2a91"]


def test_two_findings_of_one_fingerprint_are_both_marked(path: Path) -> None:
    assert marked(read_register(path), VALUES, VALUES) == ["confirmed", "confirmed"]


def test_a_whole_fingerprint_goes_before_one_that_it_begins() -> None:
    longer = replace(VALUES, fingerprint="3f2a91c04bd1aa")
    assert marked((Mark("3f2a91c04bd1", "accepted", "why"),), VALUES, longer) == ["open", "accepted"]


def test_an_entry_of_no_finding_is_told(path: Path) -> None:
    register = read_register(path)
    assert unused(register, AUDIT.findings) == ()
    assert unused(register, (VALUES,)) == register[:1]


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ('[[finding]]\nfingerprint = "aa00bb11cc22\n', 2, "Illegal character"),
        ('\n\n[[finding]]\nfingerprint = "aa00bb"\nstatus = "done"\nreason = "x"\n', 3, "`status` must be confirmed, "),
        ('[[finding]]\nfingerprint = "aa00bb"\nstatus = "accepted"\n', 1, "`reason` must say why"),
        ('[[finding]]\nfingerprint = "aa00bb"\nstatus = "accepted"\nreason = " "\n', 1, "`reason` must say why"),
        ('[[finding]]\nfingerprint = "aa"\nstatus = "accepted"\nreason = "x"\n', 1, "`fingerprint` must be one, or 6"),
        ('[[finding]]\nfingerprint = 123456\nstatus = "accepted"\nreason = "x"\n', 1, "`fingerprint` must be one"),
        ('[[finding]]\nstatus = "accepted"\nreason = "x"\n', 1, "`fingerprint` must be one"),
        ('[[finding]]\nfingerprint = "aa00bb"\nstatus = "accepted"\nreason = "x"\nby = "me"\n', 1, "unknown key 'by'"),
        ('[[finding]]\nfingerprint = "aa00bb"\nstatus = "accepted"\nreason = "x"\ndate = 3\n', 1, "`date` must be a"),
        (REGISTER.replace("3f2a91", "aa00bb11cc22"), 8, "aa00bb11cc22 is already at {path}:2"),
        ("finding = [3]\n", 1, "`fingerprint` must be one"),
    ],
)
def test_what_is_no_entry_is_refused_with_file_and_line(path: Path, text: str, line: int, said: str) -> None:
    path.write_text(text, "utf-8")
    with pytest.raises(DomainInvalid, match=re.escape(said.format(path=path))) as caught:
        read_register(path)
    assert str(caught.value).startswith(f"{path}:{line}: ")
    assert caught.value.hint


@pytest.mark.parametrize(("text", "name"), [("[findings]\n", "findings"), ("[finding]\n", "finding"), ("a = 1", "a")])
def test_another_table_is_refused(path: Path, text: str, name: str) -> None:
    path.write_text(text)
    with pytest.raises(DomainInvalid, match=f"{name!r} is not a "):
        read_register(path)


def test_what_cannot_be_read_is_refused(path: Path, tmp_path: Path) -> None:
    path.write_bytes(b"\xff\xfe")
    for unreadable in (path, tmp_path):
        with pytest.raises(DomainInvalid, match="cannot be read"):
            read_register(unreadable)


def test_adding_keeps_every_byte_that_stands_there(path: Path) -> None:
    add_entry(path, Mark("0123456789ab", "explained", "dense and sparse", "2026-11-22"), "CW101 a\nb")
    assert path.read_text("utf-8") == (
        f"{REGISTER}\n"
        "# CW101 a b\n"
        "[[finding]]\n"
        'fingerprint = "0123456789ab"\n'
        'status = "explained"\n'
        'reason = "dense and sparse"\n'
        "date = 2026-11-22\n"
    )
    assert len(read_register(path)) == 3


def test_the_first_entry_makes_the_file_and_its_folder(tmp_path: Path) -> None:
    path = tmp_path / "new" / "findings.toml"
    add_entry(path, Mark("0123456789ab", "explained", "why", "2026-11-22"))
    text = path.read_text("utf-8")
    assert text.startswith("# Findings of `chipwise audit`")
    assert text.count("[[finding]]") == 1
    assert [p.name for p in path.parent.iterdir()] == ["findings.toml"]


def test_a_link_to_a_register_stays_one(path: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.toml"
    link.symlink_to(path)
    add_entry(link, Mark("0123456789ab", "explained", "why"))
    assert link.is_symlink()
    assert "0123456789ab" in path.read_text("utf-8")


@pytest.mark.parametrize("fingerprint", ["aa00bb11cc22", "aa00bb", "3f2a91c04bd1", "3f2a91"])
def test_what_is_acknowledged_already_is_refused(path: Path, fingerprint: str) -> None:
    with pytest.raises(DomainInvalid, match=rf"{fingerprint} is already (accepted|confirmed): ") as caught:
        add_entry(path, Mark(fingerprint, "accepted", "again"))
    assert caught.value.hint.startswith(f"edit or remove the entry at {path}:")
    assert path.read_text("utf-8") == REGISTER


@pytest.mark.parametrize(
    "entry", [Mark("no", "accepted", "x"), Mark("0123456", "done", "x"), Mark("0123456", "accepted", "\x1b\n"[1:])]
)
def test_an_entry_that_could_not_be_read_back_is_not_written(path: Path, entry: Mark) -> None:
    with pytest.raises(DomainInvalid):
        add_entry(path, entry)
    assert path.read_text("utf-8") == REGISTER


def test_a_full_disk_leaves_the_register_whole(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.fsync", refuse)
    with pytest.raises(StorageFailed, match="No space left"):
        add_entry(path, Mark("0123456789ab", "explained", "why"))
    assert path.read_text("utf-8") == REGISTER
    assert [p.name for p in path.parent.iterdir()] == ["findings.toml"]


@given(st.text().filter(lambda text: text.strip()), st.text())
def test_any_reason_and_title_can_be_written_and_read(reason: str, title: str) -> None:
    (row,) = tomllib.loads(entry_text(Mark("0123456789ab", "accepted", reason, "2026-11-22"), title))["finding"]
    assert row["reason"].split() == row["reason"].split()
    assert not any(character < " " or "\x7f" <= character <= "\x9f" for character in row["reason"])


@pytest.mark.parametrize(("text", "known"), [("3f2a91", True), ("3f2a9", False), ("", False), ("../../x", False)])
def test_six_characters_may_stand_for_a_fingerprint(text: str, known: bool) -> None:
    assert is_fingerprint(text) is known
