"""The pages of `explain`: whole, of use, and one for each code that anything reports."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from chipwise.audit.codes import Codes, read_codes
from chipwise.errors import DomainInvalid, SourceUnknown

from ..conftest import ROOT
from ..each import each
from .test_relations import shipped

CODES = read_codes()
PAGE = """
[[family]]
digit = 1
title = "Values"

[[code]]
code = "CW101"
title = "t"
severity = "high"
meaning = "m"
example = "e"
settle = "s"
"""


def test_there_is_a_page_for_every_code_that_can_be_reported_and_for_no_other() -> None:
    trees = [ast.parse(path.read_text("utf-8")) for path in (ROOT / "kb").rglob("*.py")]
    texts = [n.value for tree in trees for n in ast.walk(tree) if isinstance(n, ast.Constant)]
    written = {text for text in texts if isinstance(text, str) and re.fullmatch(r"CW\d{3}", text)}
    assert written | ({v.code for v in shipped().variables.values()} - {""}) == set(CODES.pages)


def test_every_page_refers_to_codes_and_commands_that_exist() -> None:
    text = " ".join(page.meaning + page.settle + page.example for page in CODES.pages.values())
    assert set(re.findall(r"CW\d{3}", text)) <= set(CODES.pages)
    assert set(re.findall(r"chipwise (\w+)", text)) <= {"add", "check"}


def test_pages_stand_in_order_below_the_seven_families() -> None:
    assert list(CODES.pages) == sorted(CODES.pages)
    assert [CODES.family(code) for code in ("CW101", "CW202", "CW702", "CW901")] == ["Values", "Scope", "Record", ""]
    assert list(CODES.families) == list("1234567")


@each("page", CODES.pages.values(), name=lambda page: page.code)
def test_a_page_is_short_enough_to_be_read_and_says_something(page: object) -> None:
    values = {name: getattr(page, name) for name in ("title", "meaning", "example", "settle")}
    assert len(values["title"]) <= 70
    assert all(60 <= len(values[name]) <= 900 for name in ("meaning", "settle"))
    assert max(map(len, values["example"].splitlines())) <= 96
    assert not any("\u2014" in value for value in values.values())


def test_the_arithmetic_of_the_examples_holds() -> None:
    assert "1.021" in CODES.pages["CW101"].example
    assert round(144 / 141, 3) == 1.021
    assert "9.5. Chip against chip it is (760 / 8) / 80 = 1.19" in CODES.pages["CW201"].example
    assert (760 / 80, round(760 / 8 / 80, 2)) == (9.5, 1.19)
    assert "0.52, stated 3,450 / 3,800 = 0.91" in CODES.pages["CW401"].example
    assert (round(0.58 * 459 / (0.52 * 989), 2), round(3450 / 3800, 2)) == (0.52, 0.91)
    a, b = ([8 * rate * 3600 / price / 1e6 for price in prices] for rate, prices in ((3800, (15, 12)), (3450, (11, 8))))
    stated = [float(figure) for figure in re.findall(r"\b\d+\.\d\d\b", CODES.pages["CW402"].example)]
    assert stated == [round(x, 2) for x in (*a, *b, b[0], a[1], b[0] / a[1], b[1], a[0], b[1] / a[0])]
    assert "121%" in CODES.pages["CW404"].example
    assert (round(1200 / 989, 2), round(1200 / 1979, 2)) == (1.21, 0.61)


def test_a_code_is_found_in_any_case_and_an_unknown_one_names_the_nearest() -> None:
    assert CODES.find(" cw401 ").code == "CW401"
    with pytest.raises(SourceUnknown, match="there is no code 'CW41'") as caught:
        CODES.find("CW41")
    assert caught.value.hint == "did you mean CW411? `chipwise explain` lists all"
    with pytest.raises(SourceUnknown) as caught:
        CODES.find("nonsense")
    assert caught.value.hint == "`chipwise explain` lists all"


def write(folder: Path, text: str) -> Path:
    path = folder / "codes.toml"
    path.write_text(text, "utf-8")
    return path


def test_a_file_of_pages_is_read(tmp_path: Path) -> None:
    codes = read_codes(write(tmp_path, PAGE))
    assert isinstance(codes, Codes)
    assert codes.pages["CW101"].settle == "s"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[", "Invalid initial character"),
        (
            PAGE.replace('settle = "s"', ""),
            "code number 1 must have code, example, meaning, settle, severity, title",
        ),
        (PAGE.replace('"s"', '" "'), "none empty"),
        (PAGE.replace('"s"', "3"), "none empty"),
        (PAGE + 'more = "x"', "code number 1 must have"),
        (PAGE.replace("CW101", "CW1"), "'CW1' is not a code"),
        (PAGE.replace("CW101", "XX101"), "'XX101' is not a code"),
        (PAGE.replace('"high"', '"awful"'), "'awful' is not a severity"),
        (PAGE.replace("CW101", "CW901"), "CW901 is of no"),
        (PAGE + PAGE[PAGE.index("[[code]]") :], "CW101 is there twice"),
    ],
)
def test_a_file_that_holds_no_pages_is_refused_by_name(tmp_path: Path, text: str, said: str) -> None:
    path = write(tmp_path, text)
    with pytest.raises(DomainInvalid, match=re.escape(said)) as caught:
        read_codes(path)
    assert str(caught.value).startswith(str(path))


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DomainInvalid, match="No such file"):
        read_codes(tmp_path / "none.toml")
