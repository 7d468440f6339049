"""The path as it ships: its figures are those of the facts table, and so is what is right."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator
from dataclasses import replace

import click
import pytest

from chipwise.claims.model import Fact
from chipwise.corpus import shipped_folder
from chipwise.figures.bindings import Sources
from chipwise.figures.llms import read_models
from chipwise.index.store import Store
from chipwise.learning.lessons import Lesson, read_lessons, texts
from chipwise.learning.steps import Course, Step, course, make_step
from chipwise.session import KnowledgeBase
from chipwise_cli.main import cli

from .bases import taught

PATH = read_lessons()
LESSONS = {lesson.id: lesson for lesson in PATH.lessons}
# what has digits and is no figure: 2:4 sparsity, what the prefixes of a byte are defined by, models by their names
NO_FIGURES = re.compile(r"2:4|2\^30|10\^9|\b\d+B\b|Llama 3 8B|" + "|".join(re.escape(m.name) for m in read_models()))
FACTORS = {
    1.0737,
    0.125,
    1.0,
    2.0,
    6.0,
    100.0,
    3600.0,
    8760.0,
}  # GB in a GiB, bytes in a bit, one chip, keys and values or operations, those of training, all of the bandwidth, seconds in an hour, hours in a year
NUMBER = re.compile(r"(?<![\w.:-])\d[\d,]*(?:\.\d+)?")
WORDS_FOR_FIGURES = re.compile(r"\b(?:twice|half|double|triple|quarter|dozen|hundred|thousand)\b", re.IGNORECASE)


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sources]:
    with taught(tmp_path_factory.mktemp("path")) as folder, KnowledgeBase(folder.folder) as kb:
        yield kb._sources


@pytest.fixture(scope="module")
def path(sources: Sources) -> Course:
    return course(sources)


@pytest.fixture(params=LESSONS)
def step(request: pytest.FixtureRequest, path: Course) -> Step:
    return next(step for step in path.steps if step.id == request.param)


def numbers(*printed: str) -> set[float]:
    return {float(n.replace(",", "")) for text in printed for n in NUMBER.findall(NO_FIGURES.sub("", text))}


def shown(step: Step) -> list[str]:
    """All words of a step that have figures in them."""
    options = [text for option in step.options for text in (option.text, option.trap)]
    return [step.scene, step.question, *options, step.why, step.rule]


def test_the_path_has_eight_to_sixteen_steps_and_none_is_left_out(path: Course) -> None:
    assert [step.id for step in path.steps] == list(LESSONS)
    assert 8 <= len(path.steps) <= 16
    assert path.left_out == ()


def test_every_topic_has_a_step(path: Course) -> None:
    assert list(dict.fromkeys(step.topic for step in path.steps)) == list(path.topics)


def test_the_texts_of_a_step_state_no_figure_themselves() -> None:
    """A figure that is written down does not change when its fact does."""
    for lesson in PATH.lessons:
        for text in texts(lesson):
            assert numbers(re.sub(r"\[\d+\]", "", text)) == set(), text
            assert WORDS_FOR_FIGURES.search(text) is None, text


def test_every_figure_stands_in_a_citation_or_in_arithmetic_that_is_printed(step: Step) -> None:
    known = cited_or_supposed(step) | numbers(*(line.rpartition(" = ")[2] for line in sums_of(step)))
    assert numbers(*map(unmarked, shown(step))) <= known


def test_arithmetic_is_done_with_what_is_cited_and_with_what_came_out_before(step: Step) -> None:
    known = cited_or_supposed(step) | FACTORS
    for line in sums_of(step):
        says, _, result = line.rpartition(" = ")
        operands = numbers(says.partition(": ")[2] or says)
        assert operands <= known, line
        known |= numbers(result) | operands


def sums_of(step: Step) -> list[str]:
    """All arithmetic of a step, without its marks."""
    return [unmarked(line) for line in (*step.sums, *(line for option in step.options for line in option.sums))]


def unmarked(text: str) -> str:
    return re.sub(r" \[\d+\]", "", text)


def cited_or_supposed(step: Step) -> set[float]:
    supposed = [str(spec["given"]) for spec in LESSONS[step.id].figures.values() if "given" in spec]
    return numbers(*(f"{c.text} {c.citation.quote}" for c in step.citations), *supposed)


def test_a_cited_figure_stands_in_its_quote(step: Step) -> None:
    words = {4: "four", 8: "eight", 2: "two"}
    for cited in step.citations:
        value = numbers(cited.text)
        spelled = all(words.get(int(v), "?") in cited.citation.quote for v in value)
        assert cited.source == "models.csv" or spelled or value <= numbers(cited.citation.quote), cited.id


def test_each_mark_stands_for_a_citation_and_the_question_has_none(step: Step) -> None:
    known = {cited.n for cited in step.citations}
    before = [step.scene, step.question, *(option.text for option in step.options)]
    after = [step.why, step.rule, *step.sums, *(t for o in step.options for t in (o.trap, *o.sums))]
    assert {int(n) for text in after for n in re.findall(r"\[(\d+)\]", text)} <= known
    assert not any("[" in text for text in before)
    assert sorted(known) == list(range(1, len(known) + 1))


def test_each_wrong_option_is_a_mistake_with_a_name_and_the_right_one_is_none(step: Step) -> None:
    assert [option.letter for option in step.options if not option.trap] == [step.right]
    assert len({option.text for option in step.options}) == len(step.options) >= 2


def test_no_step_says_which_of_its_options_is_right() -> None:
    assert len(LESSONS) == len(PATH.lessons)
    for lesson in PATH.lessons:
        assert len(lesson.option) >= 2
        if lesson.answer:
            assert all(option.figure and not option.when for option in lesson.option)
            assert any(set(spec) & {"sum", "solve", "of"} for spec in [lesson.figures[lesson.answer]])
        else:
            assert all(option.when for option in lesson.option)


def test_the_right_options_are_not_all_at_one_place(path: Course) -> None:
    places = [step.right for step in path.steps]
    assert max(map(places.count, places)) <= len(places) / 2


@pytest.mark.parametrize(
    ("step_id", "value", "digits"),
    [
        ("name-of-a-slice", 4 * 95, 0),
        ("gib-or-gb", 95 * 2**30 / 1e9 - 98, 0),
        ("time-on-a-link", 8.03e9 * 2 / (400e9 / 8) * 1e3, 0),
        ("prompt-or-answer", 2 * 8.03e9 * 2048 / 989e12 * 1e3, 2),
        ("users-at-once", 64 * 3.35e12 / (8.03e9 * 2 + 64 * 2048 * 2 * 32 * 8 * 128 * 2), -1),
        ("idle-hours", 10.60 / (2000 * 3600 * 0.25) * 1e6, 3),
        ("what-limits-decoding", 4.8 / 3.35, 2),
        ("mfu-of-which-peak", 100 * 800 / 1979, 2),
        ("price-of-what", (98.32 / 8) / (16.80 / 4), 2),
        ("useful-compute-per-dollar", (459 * 0.65 / 4.20) / (989 * 0.4336 / 10.80), 2),
        ("chip-or-node", 192 / (640 / 8), 1),
        ("one-way-or-both", 600 / 450, 2),
    ],
)
def test_the_right_option_is_what_the_formula_gives(path: Course, step_id: str, value: float, digits: int) -> None:
    (step,) = (step for step in path.steps if step.id == step_id)
    assert [*numbers(step.answer.text)] == [pytest.approx(value, abs=0.5 * 10**-digits)]


class Changed(Store):
    """The store with one fact as `change` makes it; None takes it out."""

    def __init__(self, store: Store, id_: str, change: dict[str, str] | None) -> None:
        self.__dict__ = store.__dict__
        self._changes = (id_, change)

    def facts(self, about: Iterable[str] | None = None, metrics: Iterable[str] | None = None) -> list[Fact]:
        id_, change = self._changes
        found = super().facts(about, metrics)
        return [_changed(f, change) if f.id == id_ else f for f in found if f.id != id_ or change is not None]


def _changed(fact: Fact, change: dict[str, str] | None) -> Fact:
    value, quantity = (change or {})["value"], fact.claim.quantity
    assert quantity is not None
    factor = float(value) / float(fact.value)
    other = replace(quantity, low=quantity.low * factor, high=quantity.high * factor)
    return replace(fact, value=value, claim=replace(fact.claim, quantity=other))


def told(sources: Sources, lesson: Lesson, fact: str, change: dict[str, str] | None) -> Step:
    return make_step(lesson, replace(sources, store=Changed(sources.store, fact, change)))


def test_another_fact_makes_another_option_right(sources: Sources) -> None:
    small = {"value": "60"}
    assert make_step(LESSONS["chip-or-node"], sources).answer.text.startswith("The MI300X")
    step = told(sources, LESSONS["chip-or-node"], "mi300x-memory-capacity", small)
    assert step.answer.text.startswith("The H100")
    assert "60 GB" in step.scene


def test_another_fact_moves_the_figures_and_the_arithmetic(sources: Sources) -> None:
    step = told(sources, LESSONS["dense-or-sparse"], "h100-sxm-peak-bf16-dense", {"value": "1200"})
    assert step.answer.text == "1,200 TFLOPS"
    assert step.sums == ("Sparse against dense: 1,979 TFLOPS [2] / 1,200 TFLOPS [1] = 1.65x",)


def test_a_step_whose_fact_is_gone_is_left_out_and_said_so(sources: Sources) -> None:
    gone = replace(sources, store=Changed(sources.store, "mi300x-memory-capacity", None))
    found = course(gone)
    assert len(found.steps) == len(LESSONS) - 1
    assert found.left_out == (
        "left out 'For a chip, or for a node?': AMD MI300X, memory capacity: no source in this knowledge base has the figure",
    )


def test_a_step_without_one_right_option_is_left_out(sources: Sources) -> None:
    same = replace(sources, store=Changed(sources.store, "mi300x-memory-capacity", {"value": "80"}))
    assert course(same).left_out == ("left out 'For a chip, or for a node?': 0 of the options are right",)


@pytest.mark.parametrize("lesson", PATH.lessons, ids=lambda lesson: lesson.id)
def test_the_commands_to_go_on_with_parse_and_the_primer_is_there(lesson: Lesson) -> None:
    assert (shipped_folder() / "primers" / f"{lesson.read}.md").is_file()
    assert lesson.tries
    for line in lesson.tries:
        with cli.make_context("chipwise", shlex.split(line)) as root:
            name, found, rest = cli.resolve_command(root, [*root._protected_args, *root.args])
            assert name is not None
            assert found is not None
            with found.make_context(name, rest, parent=root) as context:
                assert isinstance(context, click.Context)


def test_a_topic_is_found_by_its_name_and_a_step_by_its_id(sources: Sources) -> None:
    assert {step.topic for step in course(sources, "Memory").steps} == {"memory"}
    assert [step.id for step in course(sources, "up to").steps] == ["up-to"]


def test_the_steps_are_data_that_ships() -> None:
    assert [file.name for file in (shipped_folder() / "learn").iterdir()] == ["path.toml"]
