"""What sentences say besides figures. More cases need no Python: a line in golden/categories.jsonl each.

`above` is what the sentence stands under (a lead, a question, a heading), `carried` whom "they" means.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chipwise.claims.categories import categories_of_cell, find_categories
from chipwise.claims.extract import extract
from chipwise.claims.model import Category
from chipwise.corpus import domain_folder
from chipwise.domain.files import read_domain
from chipwise.domain.model import Domain
from chipwise.errors import DomainInvalid
from chipwise.reading import read_file
from chipwise.splitting import split

from ..each import each, key
from ..scaling import grows_in_proportion
from .texts import shipped

GOLDEN = Path(__file__).parents[1] / "golden"
DOMAIN = shipped()


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (GOLDEN / name).read_text("utf-8").splitlines()]


def found(text: str, above: str = "", carried: tuple[str, ...] = ()) -> list[Category]:
    return find_categories(DOMAIN, text, DOMAIN.find_entities(text), DOMAIN.find_terms(text), carried, above)


def rows_of(categories: list[Category]) -> list[dict[str, object]]:
    rows = [
        {
            "subject": c.subject,
            "relation": c.relation,
            "object": c.object,
            "polarity": c.polarity,
            "qualifiers": dict(c.qualifiers),
        }
        for c in categories
    ]
    return sorted(rows, key=str)


@each("case", lambda: rows("categories.jsonl"), name=key("text"))
def test_a_sentence_says_these_categories(case: dict[str, Any]) -> None:
    said = found(case["text"], case["above"], tuple(case["carried"]))
    assert rows_of(said) == sorted(case["claims"], key=str)


@pytest.mark.xfail(reason="known to be read wrongly")
@pytest.mark.parametrize("case", rows("categories_wrong.jsonl"), ids=key("text"))
def test_a_sentence_should_say_these_categories(case: dict[str, Any]) -> None:
    said = found(case["text"], case["above"], tuple(case["carried"]))
    assert rows_of(said) == sorted(case["claims"], key=str)


@each("case", lambda: rows("categories.jsonl"), name=key("text"))
def test_the_words_for_an_object_stand_where_they_say(case: dict[str, Any]) -> None:
    text = case["text"]
    for c in found(text, case["above"], tuple(case["carried"])):
        assert 0 <= c.start < c.end <= len(text)
        assert text[c.start : c.end].strip() == text[c.start : c.end]


@pytest.mark.parametrize(
    ("label", "cell", "said"),
    [
        ("Primary Software Stack", "XLA / JAX / TensorFlow", ["jax", "tensorflow", "xla"]),
        ("Memory type", "80 GB HBM2e", ["hbm2e"]),
        ("Cooling", "liquid-cooled", ["liquid-cooling"]),
        ("Price", "XLA / JAX", []),
        ("Hourly cost", "$3", []),
    ],
)
def test_a_cell_lists_the_objects_of_its_row(label: str, cell: str, said: list[str]) -> None:
    categories = categories_of_cell(DOMAIN, "nvidia-a100", label, cell, 100)
    assert sorted(c.object for c in categories) == said
    assert all(cell[c.start - 100 : c.end - 100] for c in categories)


@pytest.mark.parametrize(("cell", "polarity"), [("not supported", False), ("no", False), ("yes", True), ("✓", True)])
def test_a_cell_says_yes_or_no_to_what_its_row_names(cell: str, polarity: bool) -> None:
    (category,) = categories_of_cell(DOMAIN, "nvidia-a100", "FP8 dense (TFLOPS)", cell, 0)
    assert (category.relation, category.object, category.polarity) == ("dtype_support", "fp8", polarity)


def test_a_figure_in_a_cell_says_no_category() -> None:
    assert categories_of_cell(DOMAIN, "nvidia-a100", "FP8 dense (TFLOPS)", "1979", 0) == []


def test_every_sentence_of_an_item_stands_under_the_words_that_open_it(tmp_path: Path) -> None:
    note = tmp_path / "note.md"
    note.write_text(
        "# Choice\n\n- Use GPUs if: You're doing research. You need custom layers.\n- Use TPUs if: You train large models. You use JAX.\n"
        "\nPick TPUs if:\n\n- You're using TensorFlow. You train foundation models.\n- You run DLRM. You fine-tune.\n",
        "utf-8",
    )
    claims = extract(split(read_file(note)), DOMAIN)[1]
    said = {(c.subject, c.object) for c in claims if c.metric == "workload_fit"}
    assert {("gpu", "research"), ("gpu", "custom-kernels"), ("tpu", "jax"), ("tpu", "foundation-models")} <= said
    assert not {("tpu", "custom-kernels"), ("gpu", "jax")} & said


WORDS = (
    "TPUs",
    "H100",
    "run",
    "use",
    "JAX",
    "PyTorch",
    ",",
    "and",
    "not",
    "only",
    "if",
    "on",
    "AWS",
    "(",
    ")",
    ":",
    "'",
    "\ue000",
)


@given(
    st.lists(st.sampled_from(WORDS), max_size=40).map(" ".join),
    st.sampled_from(["", "Use TPUs if:", "Do TPUs run JAX?"]),
)
def test_odd_text_raises_nothing_and_is_quoted_verbatim(text: str, above: str) -> None:
    for c in found(text, above, ("tpu",)):
        assert 0 <= c.start < c.end <= len(text)


@given(st.text(max_size=200))
def test_any_text_is_read_without_an_error(text: str) -> None:
    found(text, text, ("tpu",))


@pytest.mark.parametrize(
    "piece", ["TPUs ", "PyTorch, ", "TPUs run PyTorch and ", "not ", "use GPUs if ", "(", "no no ", "a, "]
)
def test_a_wall_of_words_is_read_in_time_in_proportion(piece: str) -> None:
    assert grows_in_proportion(lambda size: found((piece * size)[:size], "", ("tpu",)), 3900)


def test_every_object_and_subject_of_a_relation_exists() -> None:
    kinds = {t.kind for t in DOMAIN.terms.values()} | set(DOMAIN.terms) | set(DOMAIN.values)
    named = {e.kind for e in DOMAIN.entities.values()}
    for relation in DOMAIN.relations.values():
        assert set(relation.objects) <= kinds, relation.id
        assert set(relation.subjects) <= named, relation.id


def test_relations_survive_being_stored() -> None:
    restored = Domain.from_json(DOMAIN.to_json())
    assert restored.relations == DOMAIN.relations
    assert restored.values == DOMAIN.values
    assert restored.find_values("they sit idle") == DOMAIN.find_values("they sit idle")


def test_a_relation_of_no_metric_is_refused(tmp_path: Path) -> None:
    (tmp_path / "relations.toml").write_text(
        '[[relation]]\nid = "smell"\nsubjects = ["chip"]\nobjects = ["cloud"]\n', "utf-8"
    )
    with pytest.raises(DomainInvalid, match=r"relations\.toml:1: id 'smell' is not a known metric"):
        read_domain(domain_folder(), tmp_path)


def test_a_relation_to_what_nothing_defines_is_refused(tmp_path: Path) -> None:
    (tmp_path / "relations.toml").write_text(
        '[[relation]]\nid = "cooling"\nsubjects = ["chip"]\nobjects = ["magic"]\n', "utf-8"
    )
    with pytest.raises(DomainInvalid, match=r"relations\.toml:1: objects 'magic' is not a known term or value"):
        read_domain(domain_folder(), tmp_path)


def test_a_text_that_ends_on_a_dash_is_read_to_its_end() -> None:
    assert found("∞ with 8—") == []
