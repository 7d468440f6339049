"""The sizing cases: their arithmetic gives what they expect, agrees with the table of models, and with what was published."""

from __future__ import annotations

import ast
import json
import operator
from collections import Counter
from typing import Any

import pytest

from chipwise.figures.llms import LanguageModel, find_model

from ..conftest import ROOT

Case = dict[str, Any]
CASES: list[Case] = [
    json.loads(line) for line in (ROOT / "evals/sizing/cases.jsonl").read_text("utf-8").splitlines() if line
]
BYTES = {"FP32": 4, "FP16": 2, "BF16": 2, "FP8": 1, "INT8": 1, "INT4": 0.5}
WIDEST = 0.3  # of a case's range: the formula for activations is no closer than that for a gated MLP


def of(*kinds: str) -> list[Case]:
    return [case for case in CASES if case["what"] in kinds]


def value(text: str) -> float:
    """What an arithmetic expression of numbers, + - * / and min(...) comes to."""
    return calculated(ast.parse(text, mode="eval").body)


def calculated(node: ast.expr) -> float:
    operators = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv}
    match node:
        case ast.Constant(int() | float() as number):
            return number
        case ast.BinOp(left, sign, right):
            return float(operators[type(sign)](calculated(left), calculated(right)))
        case ast.Call(ast.Name("min"), arguments):
            return min(calculated(argument) for argument in arguments)
    raise AssertionError(f"no arithmetic: {ast.dump(node)}")


def model_of(case: Case) -> LanguageModel:
    model = find_model(case["model"])
    assert model
    return model


def test_there_are_cases_of_every_kind() -> None:
    counts = Counter(case["what"] for case in CASES)
    assert set(counts) == {
        "weights", "kv_cache_per_token", "kv_cache", "training_states", "lora", "qlora", "activations",
    }  # fmt: skip
    assert sum(counts.values()) >= 40
    assert len({case["id"] for case in CASES}) == len(CASES)
    attention = {model_of(case).attention for case in of("kv_cache", "kv_cache_per_token") if case["model"]}
    assert attention == {"mha", "gqa", "mqa", "mla"}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_the_arithmetic_of_a_case_gives_what_it_expects(case: Case) -> None:
    assert case["low"] <= value(case["worked"]) <= case["high"]
    assert case["high"] - case["low"] <= WIDEST * case["high"]
    assert case["unit"] == "bytes"
    assert case["says"]
    assert not case["model"] or find_model(case["model"])


@pytest.mark.parametrize("case", [case for case in CASES if case["published"]], ids=lambda case: case["id"])
def test_a_published_figure_agrees_or_the_case_says_that_it_does_not(case: Case) -> None:
    published = case["published"]
    assert (case["low"] <= published["value"] <= case["high"]) == published["agrees"]
    assert published["stated"]
    assert published["where"]
    assert published["agrees"] or case["note"]


@pytest.mark.parametrize(
    "case", [case for case in of("kv_cache", "kv_cache_per_token") if case["model"]], ids=lambda case: case["id"]
)
def test_a_cache_follows_from_the_row_of_its_model(case: Case) -> None:
    given = case["inputs"]
    cached = model_of(case).cached(given["context"]) * given["batch"] * BYTES[given["kv_format"]]
    assert value(case["worked"]) == pytest.approx(cached)


@pytest.mark.parametrize(
    "case", [case for case in of("weights") if case["inputs"]["format"] in BYTES], ids=lambda case: case["id"]
)
def test_weights_follow_from_the_row_of_their_model(case: Case) -> None:
    assert value(case["worked"]) == pytest.approx(model_of(case).parameters * BYTES[case["inputs"]["format"]])


@pytest.mark.parametrize("case", [case for case in of("activations") if case["model"]], ids=lambda case: case["id"])
def test_activations_follow_from_the_formula_and_the_row_of_their_model(case: Case) -> None:
    model, given = model_of(case), case["inputs"]
    layers, sequence = given.get("layers", model.layers), given["sequence"]
    each = {"none": 34 + 5 * model.heads * sequence / model.hidden, "selective": 34, "full": 2}[given["recompute"]]
    whole = layers * sequence * given["micro_batch"] * model.hidden * each
    assert value(case["worked"]) == pytest.approx(whole / given.get("tensor_parallel", 1))
