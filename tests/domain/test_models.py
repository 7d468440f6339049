"""The table of language models: its figures agree with each other, and a model is found however it is spelled."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from chipwise.corpus import shipped_folder
from chipwise.errors import DomainInvalid, NameUnknown
from chipwise.figures.llms import LanguageModel, find_model, named_model, names, read_models

from ..each import each

MODELS = read_models()
WHOLE = [model for model in MODELS if model.kv_layers == model.layers]
GIB = 2**30


def id_of(model: LanguageModel) -> str:
    return model.id


def model_of(name: str) -> LanguageModel:
    found = find_model(name)
    assert found
    return found


def count_parameters(model: LanguageModel) -> int:
    """Parameters counted from the shape, norms and biases left out."""
    return _counted(model, model.experts) + _embeddings(model)


def count_active(model: LanguageModel) -> int:
    """Parameters that one token is multiplied with, counted from the shape: not the input embedding, which is looked up."""
    return _counted(model, model.experts_active) + model.hidden * model.vocabulary


def _counted(model: LanguageModel, experts: int) -> int:
    """Attention, MLPs and routers of all layers, with so many routed experts in each that has some."""
    matrices = 3 if model.mlp == "gated" else 2
    dense = model.dense_layers if model.experts else model.layers
    sparse = model.layers - dense
    mlps = dense * model.intermediate + sparse * (experts + model.shared_experts) * model.expert_intermediate
    routers = sparse * model.experts * model.hidden
    return model.layers * _attention(model) + matrices * model.hidden * mlps + routers


def _attention(model: LanguageModel) -> int:
    """The projections of one layer: query, key, value and output."""
    if model.attention != "mla":
        return 2 * model.hidden * (model.heads + model.kv_heads) * model.head_dim
    query = model.heads * (model.qk_nope_head_dim + model.qk_rope_head_dim)
    queries = model.q_lora_rank * (model.hidden + query) if model.q_lora_rank else model.hidden * query
    down = model.hidden * model.cached_per_layer
    up = model.kv_lora_rank * model.heads * (model.qk_nope_head_dim + model.v_head_dim)
    return queries + down + up + model.heads * model.v_head_dim * model.hidden


def _embeddings(model: LanguageModel) -> int:
    """Input and output embedding, once where they are tied, and what looks at images."""
    return model.vocabulary * model.hidden * (1 if model.tied_embeddings else 2) + model.vision_parameters


def test_the_table_holds_the_families_that_people_size() -> None:
    families = "llama mistral mixtral qwen deepseek gemma gpt phi glm kimi olmo bloom opt falcon grok".split()
    assert [family for family in families if not any(model.id.startswith(family) for model in MODELS)] == []
    assert len(MODELS) >= 40


@each("model", WHOLE, name=id_of)
def test_the_parameters_follow_from_the_shape(model: LanguageModel) -> None:
    assert count_parameters(model) == pytest.approx(model.parameters, rel=0.01)  # norms and biases are not counted


@each("model", [model for model in WHOLE if model.experts], name=id_of)
def test_the_active_parameters_follow_from_the_shape(model: LanguageModel) -> None:
    # makers round them to two digits, and some count the input embedding with them
    assert count_active(model) == pytest.approx(model.active_parameters, rel=0.1)


@each("model", WHOLE, name=id_of)
def test_one_layer_too_many_would_show(model: LanguageModel) -> None:
    longer = replace(model, layers=model.layers + 1, kv_layers=model.layers + 1)
    assert count_parameters(longer) != pytest.approx(model.parameters, rel=0.005)


@each("model", MODELS, name=id_of)
def test_the_columns_of_a_row_go_together(model: LanguageModel) -> None:
    assert model.active_parameters <= model.parameters
    assert (model.active_parameters < model.parameters) == bool(model.experts)
    assert model.heads % model.kv_heads == 0
    assert model.attention in ("mha", "gqa", "mqa", "mla")
    if model.attention != "mla":
        assert model.attention == ("mha" if model.kv_heads == model.heads else "mqa" if model.kv_heads == 1 else "gqa")
    assert bool(model.kv_lora_rank) == bool(model.v_head_dim) == (model.attention == "mla")
    assert bool(model.sliding_window) == bool(model.sliding_layers)
    assert 0 < model.kv_layers <= model.layers
    assert model.sliding_layers <= model.kv_layers
    assert model.mlp in ("gated", "plain")
    assert bool(model.experts) == bool(model.experts_active) == bool(model.expert_intermediate)
    assert bool(model.intermediate) == (not model.experts or bool(model.dense_layers))
    assert model.weight_format in ("BF16", "FP16", "FP32", "FP8", "MXFP4", "INT8", "")


@each("model", MODELS, name=id_of)
def test_a_row_says_where_it_was_verified_and_when(model: LanguageModel) -> None:
    assert re.fullmatch(r"20\d\d-\d\d-\d\d", model.verified)
    assert re.fullmatch(r"20\d\d-(0[1-9]|1[0-2])", model.released)
    for source in model.source.split("; "):
        assert re.match(r"github:[\w.-]+/[\w.-]+ \S|https://\S", source)


def test_no_two_models_share_a_name() -> None:
    for model in MODELS:
        assert [find_model(name) for name in names(model)] == [model] * (2 + len(model.other_names))


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("llama 3.1 70b", "llama-3.1-70b"),
        ("Llama-3.1-70B", "llama-3.1-70b"),
        ("LLAMA3.1 70B", "llama-3.1-70b"),
        ("meta-llama/Meta-Llama-3.1-70B-Instruct", "llama-3.1-70b"),
        ("llama-70b", "llama-3.1-70b"),
        ("llama3.1:70b", "llama-3.1-70b"),
        ("Llama 3 70B", "llama-3-70b"),
        ("Llama-2-70b-chat-hf", "llama-2-70b"),
        ("mixtral 8x7b", "mixtral-8x7b"),
        ("Qwen 2.5 72B", "qwen2.5-72b"),
        ("Qwen/Qwen3-235B-A22B", "qwen3-235b-a22b"),
        ("deepseek v3", "deepseek-v3"),
        ("DeepSeek R1", "deepseek-r1"),
        ("gemma-3-27b-it", "gemma-3-27b"),
        ("GPT-OSS-120B", "gpt-oss-120b"),
        ("gpt2", "gpt-2-xl"),
        ("GPT-3", "gpt-3-175b"),
        ("kimi k2", "kimi-k2"),
    ],
)
def test_a_model_is_found_however_it_is_spelled(typed: str, expected: str) -> None:
    assert model_of(typed).id == expected


@pytest.mark.parametrize("typed", ["", "llama", "llama 3.1 71b", "h100", "instruct"])
def test_no_model_is_found_by_what_names_none(typed: str) -> None:
    assert find_model(typed) is None


def test_an_unknown_name_gets_the_near_ones() -> None:
    assert named_model("llama 3.1 8b").id == "llama-3.1-8b"
    with pytest.raises(NameUnknown, match=r"no model in the table is called 'llama 3\.1 80b'") as caught:
        named_model("llama 3.1 80b")
    assert "Llama 3.1 8B" in caught.value.hint
    with pytest.raises(NameUnknown) as caught:
        named_model("zzz")
    assert caught.value.hint == "give its number of parameters instead, such as 70B"


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("llama-2-70b", 80 * 2 * 8 * 128),  # GQA
        ("llama-2-7b", 32 * 2 * 32 * 128),  # MHA
        ("deepseek-v3", 61 * (512 + 64)),  # MLA
        ("jamba-v0.1", 4 * 2 * 8 * 128),  # four of its layers are attention
        ("gemma-3-27b", 62 * 2 * 16 * 128),  # one token is inside of the window
    ],
)
def test_a_token_takes_so_many_cached_values(name: str, values: int) -> None:
    assert model_of(name).cached(1) == values


def test_a_sliding_window_holds_no_more_than_its_length() -> None:
    gemma = model_of("gemma-3-27b")
    assert gemma.cached(131072) == 2 * 16 * 128 * (10 * 131072 + 52 * 1024)
    assert model_of("mistral-7b-v0.1").cached(32768) == model_of("mistral-7b-v0.1").cached(4096)


@pytest.mark.parametrize(
    ("name", "gib"), [("llama-2-7b", 128), ("mistral-7b-v0.3", 32), ("mixtral-8x7b", 32), ("jamba-v0.1", 4)]
)
def test_the_caches_of_256k_tokens_are_those_that_the_jamba_paper_lists(name: str, gib: int) -> None:
    assert 2 * model_of(name).cached(262144) == gib * GIB  # arXiv 2403.19887, table 1, 16 bits a value


def test_a_cell_that_is_no_number_is_told_with_its_line(tmp_path: Path) -> None:
    table = tmp_path / "models.csv"
    lines = (shipped_folder() / "models" / "models.csv").read_text("utf-8").splitlines()[:2]
    table.write_text("\n".join([lines[0], lines[1].replace("6738415616", "7B")]), "utf-8")
    with pytest.raises(DomainInvalid, match=r"models\.csv:2: parameters: '7B' is not int"):
        read_models(table)
    table.write_text(lines[0].replace("hidden", "width"), "utf-8")
    with pytest.raises(DomainInvalid, match=r"models\.csv:1: not the columns"):
        read_models(table)


def test_finding_a_model_loads_nothing_heavy() -> None:
    shown = "import sys; from chipwise.figures.llms import find_model; find_model('gpt2'); print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", shown], capture_output=True, text=True, check=True)
    assert {"pydantic", "numpy", "tomllib", "sqlite3", "difflib"} & set(run.stdout.split()) == set()
