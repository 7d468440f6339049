"""knowledge.json is a file that people edit: what it says is checked before anything is written or removed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from chipwise.building.documents import remove_sources
from chipwise.errors import KnowledgeBaseDamaged
from chipwise.knowledge import KnowledgeFolder

WRONG: list[dict[str, Any]] = [
    {"file": "../../precious/file.txt"},
    {"file": "/etc/passwd"},
    {"file": "documents/../../precious/file.txt"},
    {"file": "documents/h100/.."},
    {"file": "documents/h100"},
    {"file": "documents"},
    {"file": ""},
    {"file": "documents/other/h100.md"},
    {"file": "domain/h100/h100.md"},
    {"file": "documents/h100/a\0b"},
    {"file": None},
    {"id": "..", "file": "documents/../h100.md"},
    {"id": "", "file": "documents//h100.md"},
    {"id": "a/b", "file": "documents/a/b/h100.md"},
    {"id": 3},
    {"origin": ["/etc"]},
    {"size": "10"},
    {"size": True},
    {"modified": 1.5},
    {"colour": "red"},
]


@pytest.mark.parametrize("wrong", WRONG, ids=repr)
def test_a_document_that_leads_elsewhere_is_refused_before_anything_is_removed(
    base: KnowledgeFolder, tmp_path: Path, wrong: dict[str, Any]
) -> None:
    precious = tmp_path / "precious" / "file.txt"
    precious.parent.mkdir()
    precious.write_text("mine")
    data = json.loads(base.contents_path.read_text())
    data["documents"][0].update(wrong)
    base.contents_path.write_text(json.dumps(data))
    with pytest.raises(KnowledgeBaseDamaged, match=f"{base.contents_path} cannot be read: ") as raised:
        remove_sources(base, [data["documents"][1]["id"], str(data["documents"][0]["id"])])
    assert raised.value.hint == "fix or remove that file"
    assert precious.read_text() == "mine"
    assert len(list((base.folder / "documents").iterdir())) == 3


@pytest.mark.parametrize("wrong", [{"shipped": "no"}, {"model": None}, {"documents": {}}, {"documents": [3]}], ids=repr)
def test_contents_of_other_types_are_told(base: KnowledgeFolder, wrong: dict[str, Any]) -> None:
    data = json.loads(base.contents_path.read_text())
    base.contents_path.write_text(json.dumps({**data, **wrong}))
    with pytest.raises(KnowledgeBaseDamaged, match="cannot be read"):
        base.read_contents()


def test_removing_a_document_removes_its_own_folder_alone(base: KnowledgeFolder) -> None:
    remove_sources(base, ["h100"])
    assert sorted(path.name for path in (base.folder / "documents").iterdir()) == ["h200", "tpu"]
