"""`audit`, `check`, `explain` and `acknowledge`: what is printed in each format, every error and exit code."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from chipwise.audit.codes import read_codes
from chipwise.audit.model import Audit, Judgement, Standing
from chipwise.audit.register import Entry, entry_text
from chipwise.documents import initialise
from chipwise.errors import ChipwiseError, KnowledgeBaseMissing, ModelUnavailable, SourceUnreadable
from chipwise.knowledge import KnowledgeBase
from chipwise.models import DEFAULT_MODEL
from chipwise_cli import audit_output
from chipwise_cli.main import cli

from ..audit.samples import AUDIT, CHECK, EVIL, HOSTILE, IN_NOTE, SPREAD, VALUES, Fakes, evidence, install
from ..conftest import Chipwise
from ..structure.test_start import BUILDERS, HEAVY, loaded

SHOWN = """\
CW101 H200 memory capacity disagrees: 141 GB against 144 GB
  --> note.md:12:18
12 | The H200 carries 141 GB of HBM3e.
   |                  ^^^^^^
  --> https://example.org/a b?x=[1]#y:5:31 (Example Press, 2024-11, digest#1)
 5 | The H200 is the same die with 144 GB of HBM3e.
   |                               ^^^^^^
144 / 141 = 1.021
  GiB against GB would be 1.074
   = high contradiction, 3f2a91c04bd1
help: same chip, same metric, both per GPU; no qualifier explains 3 GB

"""
SPREAD_SHOWN = """\
CW103 H200 price varies: $2.50 to $3.10
 --> digest.md:5:48 (comment)
5 | An hour of it costs $3.10.
  = low spread, aa00bb11cc22

"""
UNCHECKED = "not checked: statements, without --nli MODEL\n"
SUMMARY = "1 contradiction, 1 spread in 12 sources: 841 claims, 312 pairs compared\n"
NOT_ASKED = {"source": "", "subject": "", "metric": "", "nli": "", "everything": False}


@pytest.fixture
def fakes(monkeypatch: pytest.MonkeyPatch) -> Fakes:
    return install(monkeypatch)


@pytest.fixture
def kb(tmp_path: Path) -> Path:
    """A knowledge base without the shipped corpus, and so without its register."""
    initialise(KnowledgeBase(tmp_path / "kb"), shipped=False, model=DEFAULT_MODEL)
    return tmp_path / "kb"


def acknowledge(path: Path, *fingerprints: str) -> None:
    path.write_text("\n".join(entry_text(Entry(f, "accepted", "we know", "2026-11-21")) for f in fingerprints))


# --- audit ---


def test_audit_shows_findings_as_a_compiler_does_and_fails(chipwise: Chipwise, fakes: Fakes, kb: Path) -> None:
    result = chipwise("audit", kb=kb)
    assert (result.exit_code, result.stderr) == (1, "")
    assert result.stdout == SHOWN + SPREAD_SHOWN + SUMMARY + UNCHECKED
    assert fakes.calls == [{"folder": kb, **NOT_ASKED}]


def test_audit_without_a_contradiction_is_content(chipwise: Chipwise, fakes: Fakes, kb: Path) -> None:
    fakes.audit = replace(AUDIT, findings=(SPREAD,), unchecked=())
    result = chipwise("audit", kb=kb)
    assert (result.exit_code, result.stdout) == (
        0,
        f"{SPREAD_SHOWN}No contradictions, 1 spread in 12 sources: 841 claims, 312 pairs compared\n",
    )


def test_audit_passes_on_what_narrows_it(chipwise: Chipwise, fakes: Fakes, kb: Path) -> None:
    asked = {"source": "note", "subject": "h200", "metric": "price", "nli": "some/model"}
    chipwise("audit", "--all", *(word for name in asked for word in (f"--{name}", asked[name])), kb=kb)
    assert fakes.calls == [{"folder": kb, "everything": True, **asked}]


def test_the_worst_finding_stands_first(chipwise: Chipwise, fakes: Fakes, kb: Path) -> None:
    fakes.audit = replace(AUDIT, findings=(SPREAD, VALUES))
    assert chipwise("audit", kb=kb).stdout.startswith(SHOWN + SPREAD_SHOWN)


def test_what_is_less_severe_is_left_out_and_fails_no_run(chipwise: Chipwise, fakes: Fakes, kb: Path) -> None:
    result = chipwise("audit", "--min-severity", "medium", kb=kb)
    assert (result.exit_code, "CW103" in result.stdout) == (1, False)
    fakes.audit = replace(AUDIT, findings=(replace(VALUES, severity="low"),))
    result = chipwise("audit", "--min-severity", "medium", kb=kb)
    assert (result.exit_code, "CW101" in result.stdout) == (0, False)


def test_an_acknowledged_finding_is_counted_and_shown_with_all(chipwise: Chipwise, fakes: Fakes, kb: Path) -> None:
    acknowledge(kb / "findings.toml", "3f2a91c04bd1")
    result = chipwise("audit", kb=kb)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == (
        f"{SPREAD_SHOWN}No open contradictions, 1 spread in 12 sources: 841 claims, 312 pairs compared; "
        "1 acknowledged: 1 accepted\n"
        f"{UNCHECKED}"
    )
    shown = chipwise("audit", "--all", kb=kb).stdout
    assert "   = high contradiction, 3f2a91c04bd1, accepted 2026-11-21: we know\n" in shown
    assert shown.index("CW103") < shown.index("CW101")


def test_an_entry_of_no_finding_is_a_note_unless_the_audit_was_narrowed(
    chipwise: Chipwise, fakes: Fakes, kb: Path
) -> None:
    acknowledge(kb / "findings.toml", "3f2a91c04bd1", "000000000000")
    result = chipwise("audit", kb=kb)
    assert (result.exit_code, result.stderr) == (
        0,
        f"note: {kb}/findings.toml:7: 000000000000 (accepted) is of no finding of this run, or of several\n",
    )
    assert chipwise("audit", "--subject", "h200", kb=kb).stderr == ""


def test_a_register_can_be_named_and_takes_the_place_of_the_own_one(
    chipwise: Chipwise, fakes: Fakes, kb: Path, tmp_path: Path
) -> None:
    acknowledge(kb / "findings.toml", "aa00bb11cc22")
    acknowledge(tmp_path / "ours.toml", "3f2a91c04bd1")
    result = chipwise("audit", "--register", str(tmp_path / "ours.toml"), kb=kb)
    assert (result.exit_code, result.stdout.startswith(SPREAD_SHOWN)) == (0, True)


def test_the_shipped_register_goes_with_the_shipped_corpus(
    chipwise: Chipwise, fakes: Fakes, kb: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audit_output, "shipped_folder", lambda: tmp_path)
    acknowledge(tmp_path / "findings.toml", "3f2a91c04bd1", "000000000000")
    assert chipwise("audit", kb=kb).exit_code == 1
    with_corpus = chipwise("audit", kb=tmp_path / "other")
    assert (with_corpus.exit_code, with_corpus.stderr) == (0, "")


def test_audit_json_keeps_the_contract(chipwise: Chipwise, fakes: Fakes, kb: Path) -> None:
    acknowledge(kb / "findings.toml", "3f2a91")
    result = chipwise("audit", "--json", kb=kb)
    value = json.loads(result.stdout)
    assert (result.exit_code, value["schema"]) == (0, "chipwise.audit/1")
    assert value["checked"] == {"sources": 12, "claims": 841, "pairs": 312}
    assert (value["unchecked"], value["judgements"]) == (list(AUDIT.unchecked), [])
    spread, values = value["findings"]
    assert (spread["status"], values["status"]) == ("open", "accepted")
    assert {k: v for k, v in values.items() if k != "evidence"} == {
        "code": "CW101",
        "verdict": "contradiction",
        "severity": "high",
        "title": VALUES.title,
        "explanation": VALUES.explanation,
        "fingerprint": "3f2a91c04bd1",
        "status": "accepted",
        "help": VALUES.help,
        "subject": "nvidia-h200",
        "metric": "memory_capacity",
    }
    assert values["evidence"][0] == {
        "source": "note",
        "title": "Notes",
        "origin": "note.md",
        "publisher": "",
        "published": "",
        "heading": "Notes > Memory",
        "role": "body",
        "quote": IN_NOTE.quote,
        "start": IN_NOTE.start,
        "end": IN_NOTE.end,
        "line": 12,
        "column": 18,
        "mark": [17, 23],
        "page": None,
        "passage": "note#1",
    }
    assert spread["evidence"][0]["mark"] is None
    assert chipwise("audit", "--format", "json", kb=kb).stdout == result.stdout


@pytest.mark.parametrize("command", [["audit"], ["check", "draft.md"]], ids=["audit", "check"])
@pytest.mark.parametrize(
    ("form", "begins"),
    [
        ("sarif", '{\n  "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/'),
        ("github", "::error file=note.md,line=12,col=18,title=CW101 "),
        ("markdown", "# chipwise {}\n\n"),
        ("text", SHOWN),
    ],
)
def test_the_format_changes_what_is_printed_and_no_exit_code(
    chipwise: Chipwise, fakes: Fakes, kb: Path, command: list[str], form: str, begins: str
) -> None:
    result = chipwise(*command, "--format", form, kb=kb)
    assert (result.exit_code, result.stderr) == (1, "")
    assert result.stdout.startswith(begins.format(command[0]) if form == "markdown" else begins)
    if form == "sarif":
        assert len(json.loads(result.stdout)["runs"][0]["results"]) == len((AUDIT, CHECK)[len(command) - 1].findings)


# --- how it is shown ---


def shown_by(chipwise: Chipwise, fakes: Fakes, kb: Path, audit: Audit, *options: str) -> list[str]:
    fakes.audit = audit
    return chipwise("audit", *options, kb=kb).stdout.splitlines()


def test_a_quote_in_which_nothing_is_marked_is_filled_to_four_lines(
    chipwise: Chipwise, fakes: Fakes, kb: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    quote = "It runs\nPyTorch " + "and more " * 30
    finding = replace(VALUES, evidence=(evidence(quote, quote),), explanation="", help="")
    lines = shown_by(chipwise, fakes, kb, replace(AUDIT, findings=(finding,)))[2:6]
    assert lines == [
        "1 | It runs PyTorch and more and more",
        "  | and more and more and more and",
        "  | more and more and more and more",
        "  | and more and more and more and…",
    ]


def test_many_places_are_cut_short(chipwise: Chipwise, fakes: Fakes, kb: Path) -> None:
    for count, told in ((6, None), (7, "  ... and 1 more place"), (9, "  ... and 3 more places")):
        many = replace(VALUES, evidence=(IN_NOTE,) * count)
        lines = shown_by(chipwise, fakes, kb, replace(AUDIT, findings=(many,)))
        assert sum(line == "  --> note.md:12:18" for line in lines) == 6
        assert [line for line in lines if "more place" in line] == ([told] if told else [])


def test_a_page_is_named(chipwise: Chipwise, fakes: Fakes, kb: Path) -> None:
    paged = replace(VALUES, evidence=(replace(IN_NOTE, page=7, origin="a.pdf"),))
    assert "  --> a.pdf:12:18 (page 7)" in shown_by(chipwise, fakes, kb, replace(AUDIT, findings=(paged,)))


def test_a_file_below_the_current_folder_is_named_from_there(
    chipwise: Chipwise, fakes: Fakes, kb: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    inside = replace(VALUES, evidence=(replace(IN_NOTE, origin=str(tmp_path / "docs" / "a.md")),))
    assert "  --> docs/a.md:12:18" in shown_by(chipwise, fakes, kb, replace(AUDIT, findings=(inside,)))


def test_long_explanations_are_filled_and_keep_their_indent(
    chipwise: Chipwise, fakes: Fakes, kb: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    long = replace(
        VALUES,
        evidence=(),
        explanation="one two three four five six seven eight\n\n  0.58 x 459   = 266",
        help="h " * 20,
    )
    lines = shown_by(chipwise, fakes, kb, replace(AUDIT, findings=(long,)))
    assert lines[1:8] == [
        "one two three four five six",
        "  seven eight",
        "",
        "  0.58 x 459   = 266",
        "  = high contradiction,",
        "    3f2a91c04bd1",
        "help: h h h h h h h h h h h h",
    ]


def colours(*arguments: str, kb: Path, **environment: str) -> bool:
    result = CliRunner().invoke(cli, ["--kb", str(kb), *arguments], color=True, env=environment)
    return "\x1b[" in result.stdout


@pytest.mark.parametrize("arguments", [["audit"], ["check", "x.md"], ["explain"], ["explain", "CW101"]], ids=" ".join)
def test_colours_are_for_terminals_that_want_them(fakes: Fakes, kb: Path, arguments: list[str]) -> None:
    assert colours(*arguments, kb=kb, NO_COLOR="")
    assert not colours(*arguments, kb=kb, NO_COLOR="1")


@pytest.mark.parametrize("form", ["text", "json", "sarif", "github", "markdown"])
@pytest.mark.parametrize("command", [["audit", "--all"], ["check", "--all", "x.md"]], ids=["audit", "check"])
def test_a_hostile_document_drives_no_terminal_in_any_format(
    chipwise: Chipwise, fakes: Fakes, kb: Path, command: list[str], form: str
) -> None:
    judgement = Judgement(HOSTILE.evidence[0], EVIL, Standing.CONTRADICTED, EVIL, HOSTILE.evidence)
    fakes.audit = Audit((HOSTILE, replace(HOSTILE, severity=EVIL, verdict=EVIL, code=EVIL)), 1, 1, 1, (EVIL,))
    fakes.check = lambda file, text: replace(fakes.audit, judgements=(judgement,))
    acknowledge(kb / "findings.toml", "badbad")
    result = chipwise(*command, "--format", form, kb=kb)
    unsafe = {c for c in result.output if c != "\n" and unicodedata.category(c) in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")}
    assert unsafe == set()
    if form == "text":
        assert not re.search(r"^\s*::", result.output, re.M), "a line of a log that is a command to GitHub"


# --- check ---


def test_check_shows_findings_and_counts_how_claims_stand(chipwise: Chipwise, fakes: Fakes, kb: Path) -> None:
    result = chipwise("check", "draft.md", kb=kb)
    assert (result.exit_code, result.stderr) == (1, "")
    assert result.stdout == (
        f"{SHOWN}3 claims: 1 supported, 1 contradicted, 1 not in the knowledge base; 1 contradiction\n{UNCHECKED}"
    )
    assert fakes.calls == [{"folder": kb, "file": Path("draft.md"), "text": None, "nli": ""}]


def test_check_with_all_lists_every_claim(chipwise: Chipwise, fakes: Fakes, kb: Path) -> None:
    assert chipwise("check", "--all", "draft.md", kb=kb).stdout.removeprefix(SHOWN).partition("\n\n")[0] == (
        "note.md:12:18: contradicted: NVIDIA H200, memory capacity: 141 GB\n"
        "    144 GB in 1 source\n"
        "note.md:13:1: not in the knowledge base: NVIDIA H200, sold by: many\n"
        "    no source says\n"
        "https://example.org/a b?x=[1]#y:5:31: supported: NVIDIA H200, memory capacity: 144 GB\n"
        '    --> note.md:12:18 "141 GB"'
    )


def test_a_contradicted_claim_that_no_finding_quotes_is_shown(chipwise: Chipwise, fakes: Fakes, kb: Path) -> None:
    fakes.check = lambda file, text: replace(CHECK, findings=(), unchecked=())
    result = chipwise("check", "draft.md", kb=kb)
    assert (result.exit_code, result.stdout) == (
        0,
        "note.md:12:18: contradicted: NVIDIA H200, memory capacity: 141 GB\n"
        "    144 GB in 1 source\n"
        "\n"
        "3 claims: 1 supported, 1 contradicted, 1 not in the knowledge base\n",
    )


def test_check_of_a_document_without_claims_says_so(chipwise: Chipwise, fakes: Fakes, kb: Path) -> None:
    fakes.check = lambda file, text: Audit((), 12, 0, 0)
    result = chipwise("check", "draft.md", kb=kb)
    assert (result.exit_code, result.stdout) == (0, "0 claims\n")
    assert "0 claims" in chipwise("check", "draft.md", "--format", "markdown", kb=kb).stdout


def test_check_reads_standard_input(chipwise: Chipwise, fakes: Fakes, kb: Path) -> None:
    chipwise("check", "-", "--nli", "m", kb=kb, stdin="The H200 has 144 GB.\n")
    assert fakes.calls == [{"folder": kb, "file": None, "text": "The H200 has 144 GB.\n", "nli": "m"}]


def test_too_much_standard_input_is_refused(
    chipwise: Chipwise, fakes: Fakes, kb: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chipwise_cli.check_command.STDIN_LIMIT", 10)
    result = chipwise("check", "-", kb=kb, stdin="more than that")
    assert (result.exit_code, result.stdout, result.stderr) == (
        2,
        "",
        "error: standard input is longer than 10 characters\nhelp: check a part of it\n",
    )


def test_several_files_are_checked_as_one_and_none_twice(chipwise: Chipwise, fakes: Fakes, kb: Path) -> None:
    result = chipwise("check", "a.md", "b.md", "a.md", kb=kb)
    assert [call["file"] for call in fakes.calls] == [Path("a.md"), Path("b.md")]
    assert result.stdout.count("CW101") == 1
    assert "6 claims: 2 supported" in result.stdout


def test_one_bad_file_keeps_no_other_from_being_checked(chipwise: Chipwise, fakes: Fakes, kb: Path) -> None:
    def check(file: Path | None, text: str | None) -> Audit:
        if file == Path("bad.pdf"):
            raise SourceUnreadable("bad.pdf is broken", hint="mend it")
        return CHECK

    fakes.check = check
    result = chipwise("check", "bad.pdf", "good.md", kb=kb)
    assert (result.exit_code, result.stderr) == (2, "error: bad.pdf is broken\nhelp: mend it\n")
    assert result.stdout.startswith(SHOWN)
    alone = chipwise("check", "bad.pdf", "--json", kb=kb)
    assert (alone.exit_code, json.loads(alone.stdout)["findings"]) == (2, [])


def test_check_json_has_the_judgements(chipwise: Chipwise, fakes: Fakes, kb: Path) -> None:
    value = json.loads(chipwise("check", "draft.md", "--json", kb=kb).stdout)
    assert value["schema"] == "chipwise.audit/1"
    assert [j["standing"] for j in value["judgements"]] == ["contradicted", "not in the knowledge base", "supported"]
    last = value["judgements"][2]
    assert set(last) == {"claim", "reading", "standing", "because", "against"}
    assert [e["source"] for e in last["against"]] == ["note"]


def test_an_acknowledged_contradiction_fails_no_check(chipwise: Chipwise, fakes: Fakes, kb: Path) -> None:
    acknowledge(kb / "findings.toml", "3f2a91c04bd1", "000000000000")
    result = chipwise("check", "draft.md", kb=kb)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == (
        f"3 claims: 1 supported, 1 contradicted, 1 not in the knowledge base; 1 acknowledged: 1 accepted\n{UNCHECKED}"
    )


# --- what goes wrong in both ---

BOTH = pytest.mark.parametrize("command", [["audit"], ["check", "draft.md"]], ids=["audit", "check"])


@BOTH
def test_a_broken_register_is_told_with_its_line_before_anything_is_audited(
    chipwise: Chipwise, fakes: Fakes, kb: Path, command: list[str]
) -> None:
    (kb / "findings.toml").write_text('\n[[finding]]\nfingerprint = "3f2a91"\nstatus = "fine"\nreason = "x"\n')
    result = chipwise(*command, kb=kb)
    assert (result.exit_code, result.stdout, result.stderr) == (
        2,
        "",
        f"error: {kb}/findings.toml:2: `status` must be confirmed, explained or accepted\nhelp: mend that entry\n",
    )
    assert fakes.calls == []


@BOTH
def test_a_register_that_is_not_there_is_told(chipwise: Chipwise, fakes: Fakes, kb: Path, command: list[str]) -> None:
    result = chipwise(*command, "--register", "none.toml", kb=kb)
    assert (result.exit_code, result.stdout, result.stderr) == (
        2,
        "",
        "error: there is no register none.toml\nhelp: `chipwise acknowledge --register` makes one\n",
    )


@BOTH
@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--json", "--format", "sarif"], "--json and --format sarif cannot both be"),
        (["--format", "xml"], "is not one of 'text', 'json', 'sarif', 'github', 'markdown'"),
        (["--register", "."], "is a directory"),
    ],
)
def test_options_that_cannot_be_are_told_with_the_usage(
    chipwise: Chipwise, fakes: Fakes, kb: Path, command: list[str], options: list[str], words: str
) -> None:
    result = chipwise(*command, *options, kb=kb)
    assert (result.exit_code, result.stdout, fakes.calls) == (2, "", [])
    assert words in " ".join(result.stderr.split())


def test_a_severity_that_is_none_and_a_check_of_nothing_are_told(chipwise: Chipwise, fakes: Fakes, kb: Path) -> None:
    assert "'high', 'medium', 'low', 'info'" in chipwise("audit", "--min-severity", "awful", kb=kb).stderr
    nothing = chipwise("check", kb=kb)
    assert (nothing.exit_code, "Missing argument 'FILE...'" in nothing.stderr) == (2, True)


@BOTH
@pytest.mark.parametrize("error", [KnowledgeBaseMissing("no", hint="h"), ModelUnavailable("no", hint="h")], ids=repr)
def test_what_the_library_refuses_ends_with_exit_2(
    chipwise: Chipwise, fakes: Fakes, kb: Path, command: list[str], error: ChipwiseError
) -> None:
    fakes.error = error
    result = chipwise(*command, kb=kb)
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", "error: no\nhelp: h\n")


# --- explain ---


def test_explain_tells_meaning_example_and_what_settles_it(chipwise: Chipwise) -> None:
    result = chipwise("explain", "cw103")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == (
        "CW103 Measured, priced or estimated values vary (low)\n"
        "\n"
        "Several sources give different values for something that is not a fixed property: a measured\n"
        "throughput, a price by the hour, an estimate. Such values differ by workload, provider, date and\n"
        "terms, so this is a spread and no contradiction, and it never makes the run fail. The range is worth\n"
        "knowing before one of the values is quoted as if it were the only one.\n"
        "\n"
        "Example\n"
        "    March 2024:     an H100 costs about $4.00 an hour\n"
        "    November 2025:  an H100 costs $2.10 to $2.90 an hour\n"
        "    Range: $2.10 to $4.00, a factor of 1.9.\n"
        "\n"
        "To settle it\n"
        "Quote the range, or quote one value with everything that fixes it: provider, terms (on demand, spot,\n"
        "committed), workload and date. Nothing needs to be acknowledged.\n"
    )


def test_explain_without_a_code_lists_all_by_family(chipwise: Chipwise) -> None:
    lines = chipwise("explain").stdout.splitlines()
    assert lines[:2] == ["Values", "  CW101  high    Two sources give different values"]
    assert [line.split()[0] for line in lines if line.startswith("  ")] == list(read_codes().pages)
    assert [line for line in lines if line and not line.startswith(" ")] == list(read_codes().families.values())


@pytest.mark.parametrize("code", read_codes().pages)
def test_every_code_is_explained_within_the_terminal(chipwise: Chipwise, code: str) -> None:
    result = chipwise("explain", code)
    assert result.exit_code == 0
    assert max(map(len, result.stdout.splitlines())) <= 100


@pytest.mark.parametrize(
    ("code", "shown", "hint"),
    [
        ("CW1O1", "'CW1O1'", "did you mean CW101? `chipwise explain` lists all"),
        ("\x1b[31m", "'\\x1b[31m'", "`chipwise explain` lists all"),
        ("", "''", "`chipwise explain` lists all"),
    ],
)
def test_an_unknown_code_is_told_with_the_nearest(chipwise: Chipwise, code: str, shown: str, hint: str) -> None:
    result = chipwise("explain", code)
    assert (result.exit_code, result.stdout, result.stderr) == (
        2,
        "",
        f"error: there is no code {shown}\nhelp: {hint}\n",
    )


@pytest.mark.parametrize("arguments", [["explain"], ["explain", "CW101"]], ids=" ".join)
def test_explaining_loads_nothing_heavy(arguments: list[str]) -> None:
    assert loaded(*arguments) & {*HEAVY, *BUILDERS} == set()


# --- acknowledge ---

Acknowledge = Callable[..., tuple[int, str, str]]


@pytest.fixture
def mark(chipwise: Chipwise, fakes: Fakes, kb: Path) -> Acknowledge:
    def run(*arguments: str, reason: str = "an older edition") -> tuple[int, str, str]:
        result = chipwise("acknowledge", *arguments, "--reason", reason, kb=kb)
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
        "# Findings of `chipwise audit` and `chipwise check` that were looked at. `chipwise acknowledge` adds to it.\n"
        "\n"
        f"# CW101 {VALUES.title}\n"
        "[[finding]]\n"
        'fingerprint = "3f2a91c04bd1"\n'
        'status = "accepted"\n'
        'reason = "an older edition"\n'
        "date = DATE\n"
    )
    assert chipwise("audit", kb=kb).exit_code == 0


def test_a_finding_that_the_audit_does_not_have_is_recorded_as_given(mark: Acknowledge, kb: Path) -> None:
    assert mark("00112233", "--as", "explained") == (
        0,
        f"explained: 00112233\n  in {kb}/findings.toml\n",
        "note: no finding of the audit has the fingerprint 00112233; it is recorded as given\n",
    )
    assert 'fingerprint = "00112233"\n' in (kb / "findings.toml").read_text("utf-8")


def test_explained_pairs_can_be_acknowledged_too(mark: Acknowledge, fakes: Fakes) -> None:
    mark("3f2a91", "--as", "confirmed")
    assert [call["everything"] for call in fakes.calls] == [True]


def test_the_first_characters_of_two_findings_are_refused(mark: Acknowledge, fakes: Fakes, kb: Path) -> None:
    fakes.audit = replace(AUDIT, findings=(VALUES, replace(VALUES, fingerprint="3f2a91ffffff")))
    assert mark("3f2a91", "--as", "accepted") == (
        2,
        "",
        "error: 2 findings begin with 3f2a91: 3f2a91c04bd1, 3f2a91ffffff\nhelp: give more of it\n",
    )
    assert not (kb / "findings.toml").exists()


def test_what_is_acknowledged_already_is_told_with_its_line(mark: Acknowledge, kb: Path) -> None:
    mark("3f2a91", "--as", "accepted")
    assert mark("3f2a91", "--as", "confirmed") == (
        2,
        "",
        "error: 3f2a91c04bd1 is accepted already: an older edition\n"
        f"help: edit or remove the entry at {kb}/findings.toml:4\n",
    )


@pytest.mark.parametrize("fingerprint", ["3f2", "", "../../etc", "\x1b[31mred", "a b c d e f"])
def test_what_is_no_fingerprint_is_refused(mark: Acknowledge, fakes: Fakes, fingerprint: str) -> None:
    code, stdout, stderr = mark(fingerprint, "--as", "accepted")
    assert (code, stdout, fakes.calls) == (2, "", [])
    assert stderr == (
        f"error: {fingerprint!r} is no fingerprint\n"
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


def test_status_and_reason_are_asked_for(chipwise: Chipwise, fakes: Fakes, kb: Path) -> None:
    for arguments, words in (
        (["--reason", "x"], "Missing option '--as'"),
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
