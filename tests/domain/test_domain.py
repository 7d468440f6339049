"""The domain's files: how names are spotted, and which mistakes in the files are told how."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from chipwise.corpus import domain_folder
from chipwise.domain.files import read_domain
from chipwise.domain.model import Domain, Phrasebook
from chipwise.errors import DomainInvalid

from ..fakes import DOMAIN

BOOK = Phrasebook([("H100", "h100"), ("H100 SXM", "h100-sxm"), ("tensor core", "tc"), ("TPU", "tpu"), ("bus", "bus")])


def named(book: Phrasebook, text: str) -> list[tuple[str, str]]:
    return [(text[m.start : m.end], "/".join(m.ids)) for m in book.find(text)]


@pytest.fixture(scope="module")
def small() -> Domain:
    return read_domain(DOMAIN)


@pytest.fixture(scope="module")
def shipped() -> Domain:
    return read_domain(domain_folder())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the H100 and the h100", [("H100", "h100"), ("h100", "h100")]),
        ("the H100 SXM", [("H100 SXM", "h100-sxm")]),
        ("the H100-SXM5", [("H100", "h100")]),
        ("the H100-SXM", [("H100-SXM", "h100-sxm")]),
        ("two H100s and TPUs", [("H100s", "h100"), ("TPUs", "tpu")]),
        ("Tensor Cores and tensor-core", [("Tensor Cores", "tc"), ("tensor-core", "tc")]),
        ("the H100's memory, the TPU’s", [("H100", "h100"), ("TPU", "tpu")]),
        ("a bus, two buss", [("bus", "bus"), ("buss", "bus")]),
        ("GH100 and H1000 and xTPU", []),
        ("tensor\ncore", [("tensor\ncore", "tc")]),
        ("tensor", []),
        ("", []),
    ],
)
def test_names_are_found_as_whole_words_longest_first(text: str, expected: list[tuple[str, str]]) -> None:
    assert named(BOOK, text) == expected


def test_a_plural_never_beats_a_name_that_stands_as_it_is() -> None:
    book = Phrasebook([("L40", "l40"), ("L40S", "l40s")])
    assert named(book, "L40S l40s L40") == [("L40S", "l40s"), ("l40s", "l40s"), ("L40", "l40")]


def test_a_name_that_is_also_a_word_counts_in_its_own_case_only() -> None:
    book = Phrasebook([("Transformer Engine", "te")], exact=[("TE", "te")])
    assert named(book, "te TE Te, transformer engine") == [("TE", "te"), ("transformer engine", "te")]


PIECES = ["H100", "SXM", "tensor", "core", "TPU", "bus", "s", "'s", "’", "-", " ", "\n"]


@given(st.lists(st.sampled_from(PIECES), max_size=20).map("".join))
@example("H100 SXM-TPUs's bus")
def test_mentions_are_in_order_disjoint_and_where_they_say(text: str) -> None:
    mentions = BOOK.find(text)
    assert all(a.end <= b.start for a, b in pairwise(mentions))
    assert all(text[m.start].isalnum() and text[m.end - 1].isalnum() for m in mentions)


def test_case_decides_between_a_plural_and_a_product(small: Domain) -> None:
    text = "L40S, L40s, L40, l40s"
    assert [(text[m.start : m.end], m.ids) for m in small.find_entities(text)] == [
        ("L40S", ("l40s",)),
        ("L40s", ("l40", "l40s")),
        ("L40", ("l40",)),
        ("l40s", ("l40s",)),
    ]


def test_the_shipped_domain_knows_that_l40s_may_be_two_things(shipped: Domain) -> None:
    (unsure,) = shipped.find_entities("two L40s")
    (sure,) = shipped.find_entities("one L40S")
    assert unsure.ids == ("nvidia-l40", "nvidia-l40s")
    assert sure.ids == ("nvidia-l40s",)


def test_wording_for_another_metric_rules_a_metric_out(small: Domain) -> None:
    assert [m.ids for m in small.find_metrics("its memory")] == [("memory_capacity",)]
    assert all("memory_capacity" not in m.ids for m in small.find_metrics("its memory bandwidth"))
    assert [m.ids for m in small.find_metrics("how much memory")] == [("memory_capacity",)]


def test_terms_are_found_by_name_and_alias(small: Domain) -> None:
    text = "Optical circuit switches (OCS), a TE and a te"
    assert [m.ids for m in small.find_terms("an optical circuit switch")] == [("ocs",)]
    assert [text[m.start : m.end] for m in small.find_terms(text)] == ["OCS", "TE"]


def test_ancestors_lead_from_a_variant_to_its_line(small: Domain) -> None:
    assert small.ancestors("h100-sxm") == ("h100-sxm", "h100", "gpu")
    assert small.ancestors("nothing") == ()


@pytest.mark.parametrize(
    ("asked", "said", "covers"),
    [
        ("h100", "h100", True),
        ("h100", "h100-sxm", True),
        ("h100-sxm", "h100", True),
        ("h100", "h200", False),
        ("h100", "gpu", False),
        ("gpu", "h100", False),
    ],
)
def test_a_variant_answers_for_its_chip_and_a_line_for_none(small: Domain, asked: str, said: str, covers: bool) -> None:
    assert small.covers(asked, said) is covers


@pytest.mark.parametrize("folder", [DOMAIN, domain_folder()], ids=["small", "shipped"])
def test_a_domain_survives_json(folder: Path) -> None:
    domain = read_domain(folder)
    again = Domain.from_json(domain.to_json())
    assert again == domain
    assert again.find_entities("the L40s beside the H100 SXM") == domain.find_entities("the L40s beside the H100 SXM")


def test_every_shipped_name_is_found_as_its_entity(shipped: Domain) -> None:
    lost = [
        (name, entity.id)
        for entity in shipped.entities.values()
        for name in (entity.name, *entity.aliases)
        if [(m.ids, m.start) for m in shipped.find_entities(name)] != [((entity.id,), 0)]
    ]
    assert lost == []


def test_every_shipped_variant_has_the_form_factor_that_its_name_says(shipped: Domain) -> None:
    forms = [value for axis, value in shipped.qualifiers if axis == "form_factor"]
    variants = [e for e in shipped.entities.values() if e.kind == "variant"]
    said = {e.id: form for e in variants for form in forms if re.search(rf" {form}\d?\b", e.name)}
    assert said == {e.id: e.form_factor for e in variants if e.form_factor}


def test_a_later_folder_replaces_records_and_adds_others(tmp_path: Path) -> None:
    (tmp_path / "entities.toml").write_text(
        '[[entity]]\nid = "h100"\nname = "My H100"\nkind = "chip"\n\n'
        '[[entity]]\nid = "nic-9"\nname = "NIC 9"\nkind = "chip"\nparent = "h100"\n'
    )
    domain = read_domain(DOMAIN, tmp_path)
    assert domain.entities["h100"].name == "My H100"
    assert domain.ancestors("nic-9") == ("nic-9", "h100")
    assert domain.entities["h200"].name == "NVIDIA H200"


FIRST = '[[entity]]\nid = "a"\nname = "A"\nkind = "chip"\n\n'


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("entities.toml", FIRST + '[[entity]]\nid = "b"\nkind = "chip"\n', ":6: name: Field required"),
        ("entities.toml", FIRST + '[[entity]]\nid = "b b"\nname = "B"\nkind = "chip"\n', ":6: id: String should match"),
        (
            "entities.toml",
            FIRST + '[[entity]]\nid = "b"\nname = "B"\nkind = "chip"\nx = 1\n',
            ":6: x: Unexpected keyword",
        ),
        (
            "entities.toml",
            FIRST + '[[entity]]\nid = "b"\nname = "B"\nkind = "chip"\nchips = 0\n',
            ":6: chips: Input sh",
        ),
        (
            "entities.toml",
            FIRST + '[[entity]]\nid = "b"\nname = "B"\nkind = "chip"\nparent = "z"\n',
            ":6: parent 'z' is",
        ),
        ("entities.toml", '[[entity]]\nid = "b"\nname = "B"\nkind = "board"\n', ":1: kind: Input should be"),
        ("entities.toml", '[[entity]]\nid = "b"\nname = "B"\nkind = "chip"\nchips = 8\n', ":1: chips: .*only a system"),
        (
            "entities.toml",
            '[[entity]]\nid = "b"\nname = "B"\nkind = "chip"\nform_factor = "SXM"\n',
            ":1: form_factor: .*only a variant",
        ),
        (
            "entities.toml",
            '[[entity]]\nid = "b"\nname = "B"\nkind = "variant"\nform_factor = "SXM"\n',
            ":1: form_factor 'SXM' is not a known form factor",
        ),
        (
            "entities.toml",
            FIRST + '[[ambiguous]]\nsurface = "x"\nentities = ["a", "z"]\n',
            ":6: entities 'z' is not a known entity",
        ),
        ("entities.toml", FIRST + '[[ambiguous]]\nsurface = "x"\nentities = ["a"]\n', ":6: entities: Tuple should"),
        ("entities.toml", FIRST + '[[thing]]\nid = "b"\n', r":6: unknown table 'thing'"),
        ("entities.toml", FIRST + FIRST, r":6: entity 'a' is already at .*:1"),
        ("entities.toml", FIRST + "[entity\n", r": .*line 6"),
        (
            "units.toml",
            '[[unit]]\nid = "u"\ndimension = "d"\nscale = 1\nforms = ["u"]\n',
            ":1: dimension 'd' is not a known dimension",
        ),
        ("units.toml", '\n[[dimension]]\nid = "d"\n', ":2: base: Field required"),
        (
            "metrics.toml",
            '\n[[metric]]\nid = "m"\nname = "m"\ndimension = "d"\n',
            ":2: dimension 'd' is not a known dimension",
        ),
        (
            "metrics.toml",
            '\n[[metric]]\nid = "m"\nname = "m"\ndimension = "text"\nunit = "bits"\n',
            ":2: unit 'bits' is not a known unit",
        ),
        ("terms.toml", "term = 3\n", ":1: unknown table 'term'"),
        ("terms.toml", "term = [3]\n", ":1: .*Input should be a dictionary"),
        ("metrics.toml", '[[ metric ]]\nid = "m"\nname = "m"\n', ":1: dimension: Field required"),
    ],
)
def test_a_mistake_is_told_with_its_file_and_line(tmp_path: Path, name: str, text: str, said: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(DomainInvalid, match=rf"^{tmp_path / name}{said}") as raised:
        read_domain(tmp_path)
    assert raised.value.hint


METRIC = '[[metric]]\nid = "m"\nname = "m"\ndimension = "text"\n'
AXIS = '[[axis]]\nid = "a"\nname = "a"\n'
EXPLANATION = '[[explanation]]\nid = "e"\nfactors = [2.0]\nsays = "s"\n'
VARIABLE = '[[variable]]\nid = "i"\nname = "i"\ndimension = "power"\n'


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("metrics.toml", f'{METRIC}qualifiers = ["z"]\n', "qualifiers 'z' is not a known axis"),
        ("metrics.toml", f'{METRIC}implied_by = ["z"]\n', "implied_by 'z' is not a known dimension"),
        ("metrics.toml", f'{METRIC}measured_as = "z"\n', "measured_as 'z' is not a known metric"),
        ("metrics.toml", f'{METRIC}exclusive = ["z"]\n', "exclusive 'z' is not a known term"),
        ("axes.toml", f'{AXIS}terms = ["z"]\n', "terms 'z' is not a known kind of term"),
        ("axes.toml", f'{EXPLANATION}axis = "sparsity"\nmore = "z"\n', "'z' is not a value of 'sparsity'"),
        ("axes.toml", f'{EXPLANATION}axis = "sparsity"\nless = "z"\n', "'z' is not a value of 'sparsity'"),
        ("axes.toml", f'{EXPLANATION}where = "dtype"\namong = ["z"]\n', "'z' is not a value of 'dtype'"),
        ("equations.toml", f'{VARIABLE}claims = ["z"]\n', "claims 'z' is not a known metric"),
        ("metrics.toml", f'{METRIC}dated = ["? may"]\n', "dated.0: '? may': it must begin with a word"),
        ("metrics.toml", f'{METRIC}dated = ["MI300X"]\n', "dated.0: 'MI300X': 'MI300X' is not a lower-case word"),
    ],
)
def test_a_misspelt_name_is_told_and_no_rule_that_never_holds(tmp_path: Path, name: str, text: str, said: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(DomainInvalid, match=rf"^{tmp_path / name}:1: {re.escape(said)}$"):
        read_domain(domain_folder(), tmp_path)


def test_what_those_mistakes_are_made_in_is_right_without_them(tmp_path: Path) -> None:
    for name, text in {
        "metrics": METRIC,
        "axes": AXIS + EXPLANATION,
        "equations": VARIABLE,
    }.items():
        (tmp_path / f"{name}.toml").write_text(text)
    assert "i" in read_domain(domain_folder(), tmp_path).variables


def test_a_file_in_another_encoding_is_told(tmp_path: Path) -> None:
    (tmp_path / "terms.toml").write_bytes(b'[[term]]\nid = "caf\xe9"\n')
    with pytest.raises(DomainInvalid, match=r"terms\.toml"):
        read_domain(tmp_path)


def test_a_domain_gives_the_same_bytes_in_every_process() -> None:
    """An index is read anew where they differ, and strings are hashed otherwise in each process."""
    code = "from chipwise.domain.files import shipped_domain; print(shipped_domain().to_json())"
    made = {
        subprocess.run(
            [sys.executable, "-c", code], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2")
    }
    assert len(made) == 1
