"""A file of steps that breaks its schema is an error that names the step."""

from __future__ import annotations

from pathlib import Path

import pytest

from chipwise.errors import DomainInvalid, SourceUnknown
from chipwise.learning.lessons import read_lessons

STEP = """
[[topic]]
id = "t"
name = "T"

[[step]]
id = "s"
topic = "t"
title = "S"
scene = "It has {a}."
question = "How much?"
answer = "a"
why = "So."
rule = "Look."
read = "hbm"
tries = []

[[step.option]]
figure = "a"

[[step.option]]
figure = "b"
trap = "No."

[step.figures]
a = { given = "1 GB" }
b = { given = "2 GB" }
"""


def read(folder: Path, text: str) -> None:
    (folder / "path.toml").write_text(text, "utf-8")
    read_lessons(folder)


def test_the_step_of_this_test_is_one(tmp_path: Path) -> None:
    (tmp_path / "path.toml").write_text(STEP, "utf-8")
    found = read_lessons(tmp_path)
    assert [lesson.id for lesson in found.about("T")] == ["s"]
    with pytest.raises(SourceUnknown, match="there is no topic 'x'") as error:
        found.about("x")
    assert error.value.hint == "the topics are t"


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("It has {a}.", "It has {c}.", "step s: no figure is called 'c'"),
        ("It has {a}.", "It has {a.", "expected '}' before end of string"),
        ('rule = "Look."\n', "", "step s: 'rule'"),
        ('rule = "Look."\n', 'rule = "Look."\nhint = "x"\n', "unexpected keyword argument 'hint'"),
        ('figure = "b"\n', 'figure = "b"\nright = true\n', "unexpected keyword argument 'right'"),
        ("[[topic]]", "[[topic", "path.toml: "),
    ],
)
def test_what_breaks_the_schema_is_told(tmp_path: Path, old: str, new: str, words: str) -> None:
    assert old in STEP
    with pytest.raises(DomainInvalid) as error:
        read(tmp_path, STEP.replace(old, new, 1))
    assert words in str(error.value)
