"""`init`, `build`, `status`, `doctor`, `sources`, `show`, `completion`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from chipwise import __version__
from chipwise.building.documents import remove_sources
from chipwise.knowledge import TEXT, KnowledgeFolder
from chipwise.models import ModelFiles

from ..conftest import Chipwise
from ..documents import H100, MFU


@pytest.fixture
def h100(tmp_path: Path) -> Path:
    path = tmp_path / "h100.md"
    path.write_text(H100)
    return path


def test_init_makes_an_empty_knowledge_base(chipwise: Chipwise, tmp_path: Path) -> None:
    result = chipwise("init", "--empty", kb=tmp_path / "new")
    assert (result.exit_code, result.output) == (0, f"created {tmp_path / 'new'}, empty but for the facts table\n")
    assert not KnowledgeFolder(tmp_path / "new").read_contents().shipped


def test_init_makes_one_with_the_shipped_corpus(chipwise: Chipwise, tmp_path: Path) -> None:
    result = chipwise("init", kb=tmp_path / "new")
    assert (result.exit_code, result.output) == (0, f"created {tmp_path / 'new'}, with the shipped corpus\n")
    assert KnowledgeFolder(tmp_path / "new").read_contents().shipped


def test_init_touches_no_folder_that_holds_something(chipwise: Chipwise, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    result = chipwise("init", "--empty", kb=tmp_path)
    assert (result.exit_code, result.stderr) == (
        2,
        f"error: {tmp_path} is not empty\nhelp: name a new or an empty folder with --kb\n",
    )
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


@pytest.mark.parametrize("command", ["init", "build"])
def test_a_model_that_is_not_there_is_named(chipwise: Chipwise, tmp_path: Path, command: str) -> None:
    result = chipwise(command, "--model", "no-such-model", kb=tmp_path / "kb")
    assert (result.exit_code, result.stderr) == (
        2,
        "error: there is no model folder or installed package called 'no-such-model'\n"
        "help: name a folder with --model, or install the package\n",
    )
    assert not (tmp_path / "kb").exists()


def test_a_folder_that_holds_no_model_is_named(chipwise: Chipwise, tmp_path: Path) -> None:
    result = chipwise("init", "--model", str(tmp_path), kb=tmp_path / "kb")
    assert result.exit_code == 2
    assert result.stderr == (
        f"error: {tmp_path} holds no sentence-transformers model\n"
        "help: name a folder with modules.json and model.safetensors, or an installed package\n"
    )


def test_a_model_folder_is_kept_by_its_whole_path(
    chipwise: Chipwise, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = tmp_path / "model"
    model.mkdir()
    (model / "modules.json").write_text("[]")
    (model / "model.safetensors").write_bytes(b"weights")
    monkeypatch.chdir(tmp_path)
    assert chipwise("init", "--empty", "--model", "model", kb=tmp_path / "kb").exit_code == 0
    assert KnowledgeFolder(tmp_path / "kb").read_contents().model == str(model)


def test_build_tells_what_changed(chipwise: Chipwise, base: KnowledgeFolder, tmp_path: Path) -> None:
    assert chipwise("build", kb=base).output == f"Nothing changed: {base.read_seal().passages} passages.\n"
    (tmp_path / "documents" / "h100.md").write_text(MFU)
    remove_sources(base, ["tpu"])
    assert chipwise("build", kb=base).output == "1 changed, 1 removed; 4 passages, 1 of them embedded.\n"
    assert chipwise("build", "--fresh", kb=base).output == "2 added; 4 passages, 4 of them embedded.\n"


def test_build_with_another_model_embeds_all_and_says_only_that(
    chipwise: Chipwise, base: KnowledgeFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chipwise.session.find_model", lambda name: ModelFiles(name, base.folder, "0" * 64))
    count = base.read_seal().passages
    assert chipwise("build", "--model", "other", kb=base).output == f"{count} passages, {count} of them embedded.\n"


def test_a_document_that_was_left_out_is_named(chipwise: Chipwise, base: KnowledgeFolder, tmp_path: Path) -> None:
    (tmp_path / "documents" / "h100.md").unlink()
    (base.folder / "documents" / "h100" / "h100.md").write_text("")
    result = chipwise("sources", kb=base)
    assert result.exit_code == 0
    assert result.stderr == f"note: left out {base.folder / 'documents/h100/h100.md'}: h100.md is empty\n"
    assert result.stdout.endswith(f"2 sources, {base.read_seal().passages} passages\n")


def test_doctor_tells_what_is_there_before_and_after_a_build(
    chipwise: Chipwise, base: KnowledgeFolder, tmp_path: Path
) -> None:
    new = tmp_path / "new"
    chipwise("init", "--empty", kb=new)
    assert [line.split()[0] for line in chipwise("doctor", kb=new).output.splitlines()[:4]] == [
        "folder", "holds", "model", "index",
    ]  # fmt: skip
    result = chipwise("doctor", kb=base)
    lines = result.output.splitlines()
    assert f"3 sources, {base.read_seal().passages} passages" in lines[3]
    assert "up to date" in lines[-2]
    assert (result.exit_code, lines[-1]) == (0, "Everything is in order.")
    (tmp_path / "documents" / "h100.md").write_text(MFU)
    assert "documents changed since" in chipwise("status", kb=base).output  # an old name


def test_doctor_names_what_is_broken_and_what_mends_it(chipwise: Chipwise, base: KnowledgeFolder) -> None:
    path = base.generation_folder(base.read_seal()) / TEXT
    path.write_bytes(path.read_bytes()[:-1])
    size = path.stat().st_size
    result = chipwise("doctor", kb=base)
    assert result.exit_code == 1
    assert [
        part
        for part in (str(path), f"{size:,}", f"{size + 1:,}", "chipwise build --fresh")
        if part not in result.output
    ] == []


def test_sources_lists_them_and_tells_all_of_one(chipwise: Chipwise, base: KnowledgeFolder, tmp_path: Path) -> None:
    total = base.read_seal().passages
    *listed, last = chipwise("sources", kb=base).output.splitlines()
    assert [line.split()[:2] for line in listed] == [["h100", "2"], ["h200", "3"], ["tpu", "2"]]
    assert last == f"3 sources, {total} passages"
    told = dict(line.split(maxsplit=1) for line in chipwise("sources", "h200", kb=base).output.splitlines())
    assert told["publisher"] == "Example Press"
    assert told["published"] == "2024-11-18"
    assert told["origin"] == str(tmp_path / "documents" / "h200.md")
    assert (told["repeats"], told["passages"]) == ("h100", "3")


@pytest.mark.parametrize(
    ("arguments", "error", "hint"),
    [
        (["sources", "nothing"], "there is no source 'nothing'", "`chipwise sources` lists them"),
        (["sources", "no\udcffthing"], "there is no source 'no\\udcffthing'", "`chipwise sources` lists them"),
        (["show", "nothing#1"], "there is no source 'nothing'", "`chipwise sources` lists them"),
        (["show", "\udcff"], "there is no source '\ufffd'", "`chipwise sources` lists them"),
        (["show", "h100#9"], "h100 has no passage '9'", "its passages are 1 to 2"),
        (["show", "h100#x"], "h100 has no passage 'x'", "its passages are 1 to 2"),
    ],
)
def test_an_unknown_source_or_passage_is_told(
    chipwise: Chipwise, base: KnowledgeFolder, arguments: list[str], error: str, hint: str
) -> None:
    result = chipwise(*arguments, kb=base)
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", f"error: {error}\nhelp: {hint}\n")


def test_show_prints_a_passage_between_its_neighbours(
    chipwise: Chipwise, base: KnowledgeFolder, tmp_path: Path
) -> None:
    result = chipwise("show", "h100#1", kb=base)
    assert (result.exit_code, result.output) == (
        0,
        f"H100 notes  {tmp_path / 'documents' / 'h100.md'}\n"
        "\n"
        "h100#1  Memory  line 5, body\n"
        "> The H100 has 80 GB of HBM3 memory. It draws up to 700 W.\n"
        "\n"
        "h100#2  Buying  line 9, body\n"
        "  An H100 cost about $2.49 per hour in the cloud in 2024.\n",
    )
    alone = chipwise("show", "h100#1", "-C", "0", kb=base)
    assert "h100#2" not in alone.output


def test_show_prints_the_whole_text_of_a_source(chipwise: Chipwise, base: KnowledgeFolder) -> None:
    assert chipwise("show", "h100", kb=base).output == f"{H100}\n"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "powershell"])
def test_completion_prints_a_script_for_the_shell(chipwise: Chipwise, shell: str) -> None:
    result = chipwise("completion", shell)
    assert result.exit_code == 0
    assert "_CHIPWISE_COMPLETE" in result.output


def test_a_file_named_as_knowledge_base_is_refused(chipwise: Chipwise, h100: Path) -> None:
    result = chipwise("ask", "What is MFU?", kb=h100)
    assert (result.exit_code, result.stderr) == (
        2,
        f"error: {h100} is not a folder\nhelp: name a folder with --kb, or one that doesn't exist yet\n",
    )


def test_doctor_tells_versions_and_what_is_broken_as_json(chipwise: Chipwise, tmp_path: Path) -> None:
    result = chipwise("doctor", "--json", kb=tmp_path / "new")
    told = json.loads(result.stdout)
    assert (result.exit_code, told["schema"], told["chipwise"]) == (1, "chipwise.doctor/1", __version__)
    assert [each["mend"] for each in told["found"]] == ["chipwise build"]
