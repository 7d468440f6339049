"""Which files are read, how they are decoded, what is refused and with which words."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from chipwise.errors import SourceUnreadable
from chipwise.reading import MAX_BYTES, READABLE, find_files, read_bytes, read_file
from chipwise.types import Role

from .said import read

HEAVY = ("pydantic", "yaml", "trafilatura", "lxml", "pypdfium2", "docx", "markdown_it")


def test_importing_the_package_loads_none_of_its_libraries() -> None:
    code = f"import sys, chipwise.reading; print([name for name in {HEAVY!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env={**os.environ})
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ("caf\u00e9 80\u00a0GB".encode(), "caf\u00e9 80\u00a0GB"),
        ("\ufeffwords".encode(), "words"),
        ("words \u2013 more".encode("utf-16"), "words \u2013 more"),
        ("words".encode("utf-32"), "words"),
        ("It\u2019s 50 \u20ac for the caf\u00e9".encode("cp1252"), "It\u2019s 50 \u20ac for the caf\u00e9"),
        (b"one\r\ntwo\rthree", "one\ntwo\nthree"),
        (b"red \x1b[31mtext\x07", "red \ufffd[31mtext\ufffd"),
        ("a\u202eb\u2066c\u200bd\u2028e\u0085f".encode(), "a\ufffdb\ufffdc d e f"),
        ("a\U000e0041b\ue000c".encode(), "a\ufffdb\ufffdc"),
    ],
)
def test_bytes_become_text_that_drives_no_terminal(data: bytes, expected: str) -> None:
    assert read(data, "a.txt").text == expected


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "is empty"),
        (b" \n\t\n", "is empty"),
        ("\ufeff \n".encode(), "has no text"),
        (b"--- *** ---", "has no text"),
        (b"\x00\x01\x02binary", "not a text file"),
        (bytes(range(1, 256)), "not a text file"),
        ("память ускорителя".encode("koi8-r"), "not a text file"),
        (b"H\x00 \x001\x00", "not a text file"),
        (b"one\ntwo \xe2\x82\xac \xe2\x82\xac \xe2\x82\n", r"damaged UTF-8: line 2"),
        (b"\xff\xfeabc", "UTF-16"),
        (b"x" * (MAX_BYTES + 1), "larger than 64 MiB"),
    ],
    ids=["empty", "blank", "mark", "rules", "nul", "bytes", "koi8", "utf-16", "damaged", "odd", "large"],
)
def test_what_is_no_text_is_refused_with_a_hint(data: bytes, said: str) -> None:
    with pytest.raises(SourceUnreadable, match=said) as raised:
        read(data, "a.txt")
    assert str(raised.value).startswith("a.txt ")
    assert raised.value.hint


def test_an_unknown_suffix_is_plain_text() -> None:
    assert read("The chip has 80 GB.", "notes.log").blocks[0].role is Role.BODY


def test_missing_and_forbidden_files_and_folders_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceUnreadable, match="does not exist"):
        read_file(tmp_path / "none.md")
    with pytest.raises(SourceUnreadable, match="is a folder"):
        read_file(tmp_path)
    with pytest.raises(SourceUnreadable, match="cannot be read"):
        read_file(tmp_path / ("x" * 300 + ".md"))
    with pytest.raises(SourceUnreadable, match="cannot be read"):
        read_file(Path("a\0b"))


def test_a_file_that_may_not_be_read_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(SourceUnreadable, match="no permission to read"):
        read_file(tmp_path / "a.md")


def test_a_file_s_origin_is_its_absolute_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.md").write_text("# Title\n\nwords", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    document = read_file(Path("a.md"), source_id="mine")
    assert (document.info.origin, document.info.id) == (str(tmp_path / "a.md"), "mine")


def test_a_folder_gives_its_readable_files_sorted(tmp_path: Path) -> None:
    for name in ("b.md", "a.txt", ".hidden.md", "picture.png", "sub/c.pdf", ".git/d.md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("words", encoding="utf-8")
    (tmp_path / "loop").symlink_to(tmp_path, target_is_directory=True)
    assert find_files(tmp_path) == [tmp_path / "a.txt", tmp_path / "b.md", tmp_path / "sub/c.pdf"]
    assert find_files(tmp_path / "picture.png") == [tmp_path / "picture.png"]
    assert all(path.suffix in READABLE for path in find_files(tmp_path))


def test_a_folder_without_readable_files_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceUnreadable, match="no readable file"):
        find_files(tmp_path)


def test_a_path_with_an_escape_sequence_is_shown_without_it() -> None:
    document = read_bytes(b"words", name="\x1b[31m.txt", origin="/docs/\x1b[31m.txt")
    assert "\x1b" not in document.info.origin + document.info.title


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("brackets.md", "[" * 10_000 + "words"),
        ("links.md", "[a](b)" * 10_000),
        ("quotes.md", ">" * 10_000 + " words"),
        ("line.txt", "word " * 200_000),
        ("blank.txt", "\n" * 100_000 + "words"),
        ("lists.md", "\n".join(" " * depth + "- a" for depth in range(500))),
        ("deep.html", "words" + "<div>" * 20_000),
        ("tables.md", "<table><tr><td>words" * 10_000),
        ("cells.md", "<table>" + "<tr><td>words<td>" * 10_000 + "</table>"),
        ("tags.md", "<table><tr><td>words<td>" + "<b>" * 20_000 + " " * 20_000 + "<tr><td>a<td>b</table>"),
        (
            "aliases.md",
            "---\na: &a [x, x]\n"
            + "".join(f"k{n}: &k{n} [*{'a' if not n else f'k{n - 1}'}, x]\n" for n in range(30))
            + "author: *k29\n---\nwords",
        ),
        ("yaml.md", "---\na: {}\n---\nwords".replace("{}", "{a: " * 50 + "1" + "}" * 50)),
    ],
)
def test_pathological_input_is_read_or_refused(name: str, source: str) -> None:
    try:
        assert read(source, name).blocks
    except SourceUnreadable as error:
        assert error.hint  # noqa: PT017
