"""Random and mutated input to numbers, questions and JSON: a value, or the one kind of error that each has."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from chipwise.answering.parse import parse, understand
from chipwise.domain.files import shipped_domain
from chipwise.errors import ChipwiseError, KnowledgeBaseDamaged
from chipwise.knowledge import Contents, KnowledgeFolder, Seal, checked_contents

FIGURES = st.sampled_from(
    ["80 GB", "$2.50", "4x", "up to", "1e999", "9" * 400, "3.35 TB/s", "±", "–", "1,2,3", "½", "٣", "²", "to", "per", "H100", "%", "\udc80",
     "\u202e", "\x1b[31m", "\x00", "/", "-", "between", "and", "GB/s/W", "10^", "x10^99999", "1.", ".1.1.1", "B200", "TPU v5p", "how much",
     "cheapest", "more than", "2024-13-45", "not", "or", "?", "(", ")"]
)  # fmt: skip
WORDS = st.one_of(st.text(max_size=80), st.lists(FIGURES, max_size=14).map(" ".join))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
FEW = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


@cache
def domain() -> Any:
    return shipped_domain()


@given(text=WORDS)
@example(text="9" * 5_000 + " GB")
@example(text="1e400 TB/s to -1e400 TB/s")
@FEW
def test_a_quantity_is_where_it_says_in_any_text(text: str) -> None:
    for quantity in domain().unit_table.find(text):
        assert 0 <= quantity.start < quantity.end <= len(text)
        assert quantity.low <= quantity.high


@given(text=WORDS)
@FEW
def test_any_question_is_parsed_or_refused(text: str) -> None:
    try:
        understood = understand(text, domain())
    except ChipwiseError:
        return
    assert understood.text
    assert isinstance(parse(text, domain()), list)


CONTENTS = {
    "format": 1,
    "shipped": True,
    "model": "m",
    "documents": [{"id": "a", "origin": "/a.md", "file": "documents/a/a.md", "size": 1, "modified": 1}],
}


@given(key=st.sampled_from(sorted(CONTENTS)), value=JSON)
@FEW
def test_any_contents_are_read_or_refused(key: str, value: object) -> None:
    try:
        read = checked_contents({**CONTENTS, key: value})
    except (ValueError, KeyError, TypeError):
        return
    assert isinstance(read, Contents)


SEAL = {
    **dict.fromkeys(("generation", "encoder", "model", "model_sha256", "kind", "recipe", "stamp", "built"), "text"),
    **dict.fromkeys(("dim", "sources", "passages", "format"), 1),
    "versions": {},
    "files": {"g000001/t": [1, "f"]},
}


@given(key=st.sampled_from(sorted(SEAL)), value=JSON)
@FEW
def test_any_seal_is_read_or_refused(tmp_path: Path, key: str, value: object) -> None:
    base = KnowledgeFolder(tmp_path)
    base.index_folder.mkdir(exist_ok=True)
    base.seal_path.write_text(json.dumps({**SEAL, key: value}))
    try:
        seal = base.find_seal()
    except KnowledgeBaseDamaged:
        return
    assert isinstance(seal, Seal)
    assert base.generation_folder(seal).parent == base.encoder_folder(seal).parent == base.index_folder
    assert all((base.index_folder / name).is_relative_to(base.index_folder) for name in seal.files)
