"""`chipwise learn`: the whole path in a pipe, step by step in a terminal, and where one stopped."""

from __future__ import annotations

import json
import os
import pty
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Literal

import click
import pytest
from click.testing import Result
from pydantic import BaseModel, ConfigDict

from chipwise import KnowledgeBase
from chipwise.knowledge import KnowledgeFolder
from chipwise.learning.lessons import read_lessons
from chipwise.learning.progress import Progress
from chipwise.learning.steps import Course
from chipwise_cli import learn_command

from ..conftest import COMMAND, Chipwise
from ..learning.bases import taught
from ..structure.test_start import loaded
from .test_terminal_safety import drives_a_terminal

STEPS = [lesson.id for lesson in read_lessons().lessons]
Learn = Callable[..., Result]


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeFolder]:
    with taught(tmp_path_factory.mktemp("learn")) as folder:
        yield folder


@pytest.fixture(scope="module")
def course(base: KnowledgeFolder) -> Course:
    with KnowledgeBase(base.folder) as kb:
        return kb.learn()


@pytest.fixture
def learn(chipwise: Chipwise, base: KnowledgeFolder) -> Learn:
    """The command as it runs in a pipe."""
    return lambda *arguments: chipwise("learn", *arguments, kb=base)


@pytest.fixture
def typed(chipwise: Chipwise, base: KnowledgeFolder, monkeypatch: pytest.MonkeyPatch) -> Learn:
    """The command as it runs in a terminal, given lines that are typed."""
    monkeypatch.setattr(learn_command, "waits", lambda: True)
    return lambda lines, *arguments: chipwise("learn", *arguments, kb=base, stdin="".join(f"{x}\n" for x in lines))


def right_and_wrong(course: Course, number: int) -> tuple[str, str]:
    step = course.steps[number]
    return step.right, next(option.letter for option in step.options if option.letter != step.right)


# --- Without a terminal ---


def test_a_pipe_gets_the_whole_path_without_being_asked(learn: Learn, course: Course) -> None:
    result = learn()
    assert result.exit_code == 0
    assert "Your guess" not in result.output
    for number, step in enumerate(course.steps, start=1):
        assert f"{number}/{len(STEPS)}  {step.title}" in result.output
        assert all(cited.id in result.output for cited in step.citations)
    assert result.output.count("Remember: ") == len(STEPS)
    assert Progress().results == {}, "nobody guessed"


def test_a_process_without_input_waits_for_none(base: KnowledgeFolder) -> None:
    line = ["sh", "-c", 'exec "$@" <&-', "sh", *COMMAND, "--kb", str(base.folder), "learn", "--topic", "links"]
    done = subprocess.run(line, capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    assert "The answer is (b) The TPU v5p, 1.33x as much" in done.stdout


def test_quotes_are_shown_where_they_are_asked_for(learn: Learn) -> None:
    quote = '"The NVIDIA H100 SXM peaks at 989 TFLOPS of dense BF16 per GPU."'
    assert quote not in learn("--topic", "dense-or-sparse").output
    assert quote in learn("--topic", "dense-or-sparse", "--quotes").output


def test_what_is_cited_because_it_is_wrong_says_so(learn: Learn) -> None:
    assert "known to be wrong: 95 GB are one chip; a v5p-8 has 4 chips and 380 GiB" in learn("--topic", "scope").output


def test_a_quiz_in_a_pipe_has_questions_and_a_key(learn: Learn, course: Course) -> None:
    result = learn("--quiz", "--topic", "peak")
    assert "The answer is" not in result.output
    assert result.output.endswith(f"Answers: 1 {course.steps[0].right}, 2 {course.steps[1].right}\n")


def test_the_topics_are_listed_with_what_became_of_their_steps(learn: Learn) -> None:
    Progress().note("gib-or-gb", "right")
    result = learn("--topics")
    assert "memory: What fits in memory\n  right  gib-or-gb " in result.output
    assert all(step in result.output for step in STEPS)


def test_a_topic_that_there_is_not_is_an_error_with_those_there_are(learn: Learn) -> None:
    result = learn("--topic", "cooling")
    assert (result.exit_code, result.stdout) == (2, "")
    topics = ", ".join(KnowledgeBase.topics())
    assert result.stderr == f"error: there is no topic 'cooling'\nhelp: the topics are {topics}\n"


def test_the_help_names_every_topic(chipwise: Chipwise) -> None:
    helped = " ".join(chipwise("learn", "--help").output.split())
    assert f"{', '.join([*KnowledgeBase.topics()][:-1])} or {[*KnowledgeBase.topics()][-1]}." in helped


def test_topics_are_completed_in_a_shell() -> None:
    option = next(p for p in learn_command.command.params if p.name == "topic")
    with click.Context(learn_command.command) as context:
        found = option.shell_complete(context, "s")
    assert [(item.value, item.help) for item in found] == [
        ("scope", "Chip, node and slice"),
        ("speed", "What limits the speed"),
    ]


def test_a_knowledge_base_without_the_sources_can_tell_no_step(chipwise: Chipwise, built: KnowledgeFolder) -> None:
    result = chipwise("learn", kb=built)
    assert result.exit_code == 1
    assert result.stdout == "This knowledge base lacks the figures that the steps need.\n"
    assert result.stderr.count("note: left out ") == len(STEPS)


# --- JSON ---


class Strict(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")


class OptionShape(Strict):
    letter: str
    text: str
    trap: str | None
    arithmetic: list[str]


class CitedShape(Strict):
    n: int
    fact: str
    value: str
    of: str
    note: str
    as_of: str
    source: str
    title: str
    origin: str
    publisher: str
    published: str
    quote: str
    line: int


class StepShape(Strict):
    id: str
    topic: str
    title: str
    scene: str
    question: str
    options: list[OptionShape]
    right: Literal["a", "b", "c", "d"]
    why: str
    arithmetic: list[str]
    assumptions: list[str]
    rule: str
    primer: str
    commands: list[str]
    citations: list[CitedShape]


class LearnShape(Strict):
    schema_: Literal["chipwise.learn/1"]
    topics: dict[str, str]
    steps: list[StepShape]
    left_out: list[str]


def test_the_json_has_its_shape(learn: Learn) -> None:
    value = json.loads(learn("--json").stdout)
    value["schema_"] = value.pop("schema")
    found = LearnShape(**value)
    assert [step.id for step in found.steps] == STEPS
    assert all(line.startswith("chipwise ") for step in found.steps for line in step.commands)


# --- In a terminal ---


def test_a_right_guess_and_a_wrong_one_are_told_and_kept(typed: Learn, course: Course) -> None:
    right, wrong = right_and_wrong(course, 0)[0], right_and_wrong(course, 1)[1]
    result = typed([right, "", wrong.upper(), "q"])
    assert result.exit_code == 0
    assert f"Right: {course.steps[0].answer.text}" in result.output
    assert f"No, it is ({course.steps[1].right}) {course.steps[1].answer.text}" in result.output
    assert " (your guess)\n" in result.output
    assert result.output.endswith(f"Stopped. `chipwise learn` goes on with step 3 of {len(STEPS)}.\n")
    assert Progress().results == {STEPS[0]: "right", STEPS[1]: "wrong"}


def test_it_goes_on_where_one_stopped(typed: Learn) -> None:
    first = typed(["a", "q"])
    again = typed(["q"])
    assert first.output.startswith(f"{len(STEPS)} steps, each about a figure that is easily misread.")
    assert again.output.startswith(f"Welcome back: 1 of {len(STEPS)} steps behind you.\n")
    assert f"2/{len(STEPS)}  " in again.output
    assert f"1/{len(STEPS)}  " not in again.output


def test_nothing_is_given_away_before_the_guess(typed: Learn, course: Course) -> None:
    output = typed([]).output
    assert output.endswith(f"Stopped. `chipwise learn` goes on with step 1 of {len(STEPS)}.\n"), "the input ended"
    assert not any(cited.id in output for cited in course.steps[0].citations)


def test_enter_shows_the_answer_and_counts_as_no_guess(typed: Learn) -> None:
    assert "The answer is (" in typed(["", "q"]).output
    assert Progress().results == {STEPS[0]: "seen"}


def test_what_is_no_option_is_asked_again(typed: Learn) -> None:
    output = typed(["z", "p", "7", "b", "q"]).output
    assert output.count("Type one of a, b, c, d.") == 3, "there is no step before the first"


def test_one_can_go_back(typed: Learn, course: Course) -> None:
    output = typed(["a", "", "p", "a", "", "q"]).output
    assert output.count(f"1/{len(STEPS)}  ") == 2
    assert output.count(f"2/{len(STEPS)}  ") == 2


def test_the_end_tells_how_it_went_and_what_is_worth_another_look(typed: Learn, course: Course) -> None:
    guesses = [right_and_wrong(course, n)[n == 3] for n in range(len(STEPS))]
    output = typed([line for guess in guesses for line in (guess, "")]).output
    assert f"Guessed right: {len(STEPS) - 1} of {len(STEPS)}." in output
    assert f"Worth another look:\n  chipwise learn --topic {STEPS[3]}\n" in output
    after = typed([]).output
    assert after.startswith("\nYou have been through all of it already. Guessed right: ")


def test_a_restart_begins_anew(typed: Learn) -> None:
    typed(["a", "q"])
    assert f"1/{len(STEPS)}  " in typed(["q"], "--restart").output
    assert Progress().results == {}


def test_a_topic_is_walked_from_its_beginning(typed: Learn) -> None:
    Progress().note("price-of-what", "wrong")
    output = typed(["q"], "--topic", "cost").output
    assert "1/3  The price of what?" in output
    assert output.endswith("Stopped.\n")


def test_a_quiz_tells_the_score_and_what_was_missed_at_the_end(typed: Learn, course: Course) -> None:
    right, wrong = right_and_wrong(course, 0)[0], right_and_wrong(course, 1)[1]
    output = typed([right, wrong], "--quiz", "--topic", "peak").output
    missed = course.steps[1]
    taken = missed.option(wrong)
    assert taken is not None
    assert "Right" not in output.partition("1 of 2 right")[0]
    told = output.partition("1 of 2 right\n")[2]
    assert told == f"\n- {missed.title} {missed.answer.text}, not {taken.text}\n  chipwise learn --topic {missed.id}\n"
    assert Progress().results == {}


def test_a_quiz_that_is_stopped_scores_what_was_asked(typed: Learn, course: Course) -> None:
    assert "\n1 of 1 right\n" in typed([course.steps[0].right, "q"], "--quiz").output


def test_a_disk_that_refuses_is_told_once_and_stops_nobody(typed: Learn, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", "/proc/nowhere")
    result = typed(["a", "", "a", "", "q"])
    assert result.exit_code == 0
    assert result.stderr.count("cannot be written") == 1
    assert "your progress is not saved" in result.stderr


def test_a_damaged_file_is_told_and_the_path_begins_anew(typed: Learn) -> None:
    path = Progress().path
    path.parent.mkdir(parents=True)
    path.write_text("{", "utf-8")
    result = typed(["q"])
    assert result.stderr.startswith(f"note: {path} cannot be read, so the course starts over: ")
    assert f"1/{len(STEPS)}  " in result.stdout


def test_a_real_terminal_is_waited_for(base: KnowledgeFolder, tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    line = [*COMMAND, "--kb", str(base.folder), "learn"]
    process = subprocess.Popen(line, stdin=theirs, stdout=theirs, stderr=theirs, close_fds=True)
    os.close(theirs)
    os.write(ours, b"a\nq\n")
    told = b""
    while True:
        try:
            read = os.read(ours, 4096)
        except OSError:  # the other end was closed
            break
        if not read:
            break
        told += read
    os.close(ours)
    assert process.wait(timeout=60) == 0
    assert b"Your guess" in told
    assert b"Stopped." in told
    assert [*Progress().results] == [STEPS[0]]


# --- What it prints, and what it loads ---


def test_no_text_becomes_markup_of_the_terminal(learn: Learn, course: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    evil = "\x1b]8;;http://x\x07\u202e\x9b2J"
    first = course.steps[0]
    cited = replace(first.citations[0], text=evil, what=evil, id=evil, source=evil, note=evil)
    quoted = replace(cited, citation=replace(cited.citation, quote=evil, title=evil))
    option = replace(first.options[0], text=evil, trap=evil, sums=(evil,))
    words = dict.fromkeys(("title", "scene", "question", "why", "rule", "read"), evil)
    lists = {"sums": (evil,), "assumptions": (evil,), "tries": (evil,), "citations": (quoted,)}
    step = replace(first, options=(option, *first.options[1:]), **words, **lists)
    hostile = Course((step,), {first.topic: evil}, (evil,))
    monkeypatch.setattr(KnowledgeBase, "learn", lambda *_: hostile)
    for arguments in ([], ["--quotes"], ["--quiz"], ["--topics"], ["--json"]):
        assert [hex(ord(c)) for c in learn(*arguments).output if drives_a_terminal(c)] == []


HEAVY = {"torch", "faiss", "sentence_transformers", "transformers", "onnxruntime", "tokenizers", "numpy", "pydantic"}


@pytest.mark.parametrize("arguments", [[], ["--json"], ["--quiz"], ["--topics"]], ids=" ".join)
def test_nothing_heavy_is_loaded_to_learn(base: KnowledgeFolder, arguments: list[str]) -> None:
    modules = loaded("--kb", str(base.folder), "learn", *arguments)
    assert {module.split(".")[0] for module in modules} & HEAVY == set()
    assert "chipwise.learning.steps" in modules, "the test sees what is loaded"
