"""What all commands share in showing things."""

from __future__ import annotations

import io
import json

import pytest

from chipwise.types import Evidence, Role
from chipwise_cli.display import place, print_json, progress, wrapped


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_is_a_bar_on_a_terminal_stage_by_stage(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    with progress() as report:
        report("reading", 0, 2)
        report("reading", 2, 2)
        report("embedding", 5, 10)
        report("nothing to do", 0, 0)
    shown = terminal.getvalue()
    assert [shown.index(stage) for stage in ("reading", "embedding", "nothing to do")] == sorted(
        shown.index(stage) for stage in ("reading", "embedding", "nothing to do")
    )
    assert "100%" in shown
    assert shown.endswith("\n")


def test_progress_ends_its_line_when_an_error_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)

    def work() -> None:
        with progress() as report:
            report("reading", 1, 2)
            raise KeyError

    with pytest.raises(KeyError):
        work()
    assert terminal.getvalue().endswith("\n")


def test_progress_is_silent_in_a_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    pipe = io.StringIO()
    monkeypatch.setattr("sys.stderr", pipe)
    with progress() as report:
        report("reading", 0, 2)
        report("reading", 1, 2)
    assert pipe.getvalue() == ""


@pytest.mark.parametrize(
    ("stage", "why"), [("reading", ""), ("reading again", " again, since the domain or chipwise changed")]
)
def test_a_pipe_is_told_once_that_many_documents_are_going_to_be_read(
    capsys: pytest.CaptureFixture[str], stage: str, why: str
) -> None:
    with progress() as report:
        report("unpacking", 0, 1)
        for done in range(425):
            report(stage, done, 424)
        report("embedding", 0, 3000)
    assert capsys.readouterr().err == f"note: reading 424 documents{why}; this takes some minutes\n"


def test_json_escapes_what_could_drive_a_terminal_and_stays_the_same_value(capsys: pytest.CaptureFixture[str]) -> None:
    value = {"a": "\u202e\x9b\u200b\udcff é 显存", "b": [None, 1.5]}
    print_json(value)
    output = capsys.readouterr().out
    assert json.loads(output) == value
    assert "é 显存" in output
    assert not {"\u202e", "\x9b", "\u200b", "\udcff"} & set(output)


def test_text_is_filled_to_the_width_of_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    for columns, widest in ((40, 40), (500, 100)):
        monkeypatch.setenv("COLUMNS", str(columns))
        lines = wrapped("word " * 100, "  ", first="* ").splitlines()
        assert widest - len("word ") <= max(map(len, lines)) <= widest
        assert lines[0].startswith("* word")
        assert lines[1].startswith("  word")


def test_a_long_address_is_not_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    address = f"https://example.org/{'a-b/' * 30}"
    assert address in wrapped(f"see {address} there").splitlines()


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({}, "Doc, undated · line 3"),
        ({"publisher": "Press", "published": "2024"}, "Press, Doc, 2024 · line 3"),
        ({"heading": ("A", "B")}, "Doc, undated · A > B · line 3"),
        ({"page": 7}, "Doc, undated · page 7"),
        ({"title": "D\x1b[1m\noc"}, "D\ufffd[1m oc, undated · line 3"),
    ],
)
def test_a_place_names_publisher_title_date_heading_and_page_or_line(values: dict[str, object], said: str) -> None:
    plain = {
        "source": "doc",
        "title": "Doc",
        "origin": "/doc.md",
        "publisher": "",
        "published": "",
        "heading": (),
        "role": Role.BODY,
        "quote": "words",
        "start": 0,
        "end": 5,
        "line": 3,
        "page": None,
        "passage": "doc#1",
    }
    assert place(Evidence(**{**plain, **values})) == said  # type: ignore[arg-type]
