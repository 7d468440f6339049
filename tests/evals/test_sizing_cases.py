"""The sizing cases: their arithmetic gives what they expect, agrees with the table of models, and with what was published."""

from __future__ import annotations

import ast
import json
import operator
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from chipwise.figures.llms import LanguageModel, find_model, named_model
from chipwise.numbers.intervals import Interval
from chipwise.sizing import footprint

from ..conftest import ROOT
from ..each import each, key

Case = dict[str, Any]
CASES: list[Case] = [
    json.loads(line) for line in (ROOT / "evals/sizing/cases.jsonl").read_text("utf-8").splitlines() if line
]
WIDEST = 0.3  # of a case's range: the formula for activations is no closer than that for a gated MLP
OURS = 0.35  # of what the library makes of a case: gradients take 2 or 4 bytes


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


@each("case", CASES, name=key("id"))
def test_the_arithmetic_of_a_case_gives_what_it_expects(case: Case) -> None:
    assert case["low"] <= value(case["worked"]) <= case["high"]
    assert case["high"] - case["low"] <= WIDEST * case["high"]
    assert case["unit"] == "bytes"
    assert case["says"]
    assert not case["model"] or find_model(case["model"])


@each("case", [case for case in CASES if case["published"]], name=key("id"))
def test_a_published_figure_agrees_or_the_case_says_that_it_does_not(case: Case) -> None:
    published = case["published"]
    assert (case["low"] <= published["value"] <= case["high"]) == published["agrees"]
    assert published["stated"]
    assert published["where"]
    assert published["agrees"] or case["note"]


def computed(case: Case) -> Interval:
    """What the library makes of a case, in bytes."""
    return {
        "weights": weights,
        "kv_cache": cache,
        "kv_cache_per_token": cache,
        "training_states": states,
        "lora": adapters,
        "qlora": frozen,
        "activations": activations,
    }[case["what"]](case["model"], case["inputs"])


# what each stage of ZeRO divides among the chips; 3 is FSDP
PARTS_OF_ZERO: dict[int, tuple[str, ...]] = {
    0: (),
    1: ("master", "optimizer"),
    2: ("master", "optimizer", "gradients"),
    3: ("master", "optimizer", "gradients", "weights"),
}


def weights(model: str, given: Case) -> Interval:
    found = named_model(model)
    return footprint.total(footprint.weights(found.parameters, found, given["format"].lower()))


def cache(model: str, given: Case) -> Interval:
    if not model:  # the shape of a model that is not in the table
        other = named_model("llama-2-7b")
        found = replace(other, layers=given["layers"], kv_layers=given["layers"], kv_heads=given["kv_heads"])
        found = replace(found, head_dim=given["head_dim"])
    return footprint.cached(
        named_model(model) if model else found, given["context"], given["batch"], given["kv_format"].lower()
    )


def states(model: str, given: Case) -> Interval:
    parts = footprint.training_states(named_model(model).parameters if model else given["parameters"])
    if given["precision"] == "16-bit, no FP32 copy":
        parts = tuple(part for part in parts if part.id != "master")
    divided = [part for part in parts if part.id in PARTS_OF_ZERO[given.get("zero", 0)]]
    whole = [part for part in parts if part not in divided]
    return footprint.total(whole) + footprint.total(divided) / Interval.of(float(given["gpus"]))


def adapters(model: str, given: Case) -> Interval:
    found = named_model(model)
    count = footprint.adapter_parameters(found, given["rank"], given["modules"])
    if given["part"] == "adapter":
        return Interval.of(count * 2)
    base = footprint.total(footprint.weights(found.parameters, found, given["base_format"].lower()))
    return base + footprint.total(footprint.training_states(count))


def frozen(_model: str, given: Case) -> Interval:
    if given["part"] == "base":
        return footprint.total(footprint.weights(given["parameters"], None, "nf4"))
    once, twice = 4 + 32 / given["block"], footprint.BITS["nf4"][0]
    return Interval.of(given["parameters"] * (once - twice) / 8)


def activations(model: str, given: Case) -> Interval:
    shape = given if not model else vars_of(named_model(model))
    width = footprint.gated_width(named_model(model)) if model else 0.0
    each = footprint.activation_bytes(
        shape["hidden"], shape["heads"], given["sequence"], given["recompute"], gated_width=width
    )
    values = given.get("layers", shape["layers"]) * given["sequence"] * given["micro_batch"] * shape["hidden"]
    return each * Interval.of(values / given.get("tensor_parallel", 1))


def vars_of(model: LanguageModel) -> Case:
    return {"hidden": model.hidden, "heads": model.heads, "layers": model.layers}


@each("case", CASES, name=key("id"))
def test_the_library_gives_what_a_case_expects(case: Case) -> None:
    found = computed(case)
    assert found.meets(Interval(case["low"], case["high"]))
    assert value(case["worked"]) == pytest.approx(found.low, rel=0.01) or value(case["worked"]) in found
    assert found.high - found.low <= OURS * found.high
