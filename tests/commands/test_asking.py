"""`ask` and `search`: what is printed, what is refused, what goes to stderr."""

from __future__ import annotations

import io
import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from chipwise.index.store import open_store
from chipwise.knowledge import TEXT, KnowledgeFolder
from chipwise.text import one_line

from ..conftest import COMMAND, Chipwise
from ..documents import H200

EMPTY = 'error: the question is empty\nhelp: ask one, such as chipwise ask "What is MFU?"\n'


def test_a_quote_that_is_the_answer_is_not_printed_again(chipwise: Chipwise, built: KnowledgeFolder) -> None:
    shown = " ".join(chipwise("ask", "What is MFU?", kb=built).stdout.split())
    assert shown.count("share of a system's peak FLOPS") == 1


def test_an_answer_cites_the_sentence_that_says_so(chipwise: Chipwise, built: KnowledgeFolder) -> None:
    result = chipwise("ask", "How much memory does the H200 have?", kb=built)
    assert result.exit_code == 0
    answer, _, citations = result.stdout.partition("\n\n")
    assert "141 GB" in answer
    assert "[1]" in answer
    assert "[1] Example Press, H200 notes, 2024-11-18 · Memory · line 15" in citations
    assert '"The H200 has 141 GB of HBM3e memory."' in citations
    assert "h200#1 " in citations
    assert result.stderr == ""


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("How much memory does a TPU v5p chip have?", ["95 GB"]),
        ("What is the memory bandwidth of the H200?", ["4.8 TB/s"]),
        ("Which has more memory, the H100 or the H200?", ["80 GB", "141 GB"]),
        ("What is MFU?", ["share of a system's peak FLOPS"]),
    ],
)
def test_questions_of_several_kinds_are_answered(
    chipwise: Chipwise, built: KnowledgeFolder, question: str, said: list[str]
) -> None:
    result = chipwise("ask", question, kb=built)
    answer = " ".join(result.stdout.partition("\n\n")[0].split())
    assert result.exit_code == 0
    assert all(words in answer for words in said)


@pytest.mark.parametrize("words", ["How fast is the Frobnicator 9000?", "Who won the chess championship of Reykjavik?"])
def test_what_the_corpus_does_not_cover_is_no_answer_and_exit_1(
    chipwise: Chipwise, built: KnowledgeFolder, words: str
) -> None:
    result = chipwise("ask", words, kb=built)
    assert result.exit_code == 1
    assert result.stdout.startswith("No answer in the corpus: ")
    assert result.stdout.endswith(".\n")
    assert result.stderr == ""


def test_a_refusal_quotes_what_comes_closest(chipwise: Chipwise, built: KnowledgeFolder) -> None:
    result = chipwise("ask", "Why does the memory of the H200 smell of oranges?", kb=built)
    assert result.exit_code == 1
    refusal, _, nearest = result.stdout.partition("The closest passage, which may not answer the question:")
    assert refusal.startswith("No answer in the corpus: ")
    assert "H200" in nearest


def test_what_only_a_comment_says_is_told_as_a_comments(chipwise: Chipwise, built: KnowledgeFolder) -> None:
    result = chipwise("ask", "Did an H200 arrive with a bent pin?", kb=built)
    assert result.exit_code == 0
    assert "Only a reader comment says: " in result.stdout.partition("Other passages that may help:")[0]
    assert "[1] (comment) " in result.stdout


def test_the_question_may_be_several_words_or_standard_input(chipwise: Chipwise, built: KnowledgeFolder) -> None:
    words = "How much memory does the H200 have?"
    asked = chipwise("ask", words, kb=built).stdout
    assert chipwise("ask", *words.split(), kb=built).stdout == asked
    assert chipwise("ask", "-", kb=built, stdin=f"{words}\n").stdout == asked


def test_sources_lists_what_was_consulted(chipwise: Chipwise, built: KnowledgeFolder) -> None:
    result = chipwise("ask", "How much memory does the H200 have?", "--sources", kb=built)
    consulted = result.stdout.partition("\nConsulted:\n")[2]
    assert "  h200: Example Press, H200 notes, 2024-11-18\n" in consulted


def test_fewer_passages_may_be_read(chipwise: Chipwise, built: KnowledgeFolder) -> None:
    def consulted(question: str, *options: str) -> list[str]:
        result = chipwise("ask", question, "--sources", "--json", *options, kb=built)
        return [source["id"] for source in json.loads(result.stdout)["sources"]]

    assert len(consulted("How much memory does the H200 have?", "-k", "1")) == 1
    assert len(consulted("Which has more memory, the H100 or the H200?")) > 1


def test_the_knowledge_base_is_named_before_or_after_the_command_or_by_the_environment(
    chipwise: Chipwise, built: KnowledgeFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = chipwise("sources", kb=built)
    after = chipwise("sources", "--kb", str(built.folder))
    monkeypatch.setenv("CHIPWISE_KB", str(built.folder))
    assert before.stdout == after.stdout == chipwise("sources").stdout
    assert "5 sources" in before.stdout


@pytest.mark.parametrize("words", ["", "   ", "?!", "\x1b\x07", "\u200b", "--"])
@pytest.mark.parametrize("command", ["ask", "search"])
def test_an_empty_question_is_refused(chipwise: Chipwise, built: KnowledgeFolder, command: str, words: str) -> None:
    result = chipwise(command, "--", words, kb=built)
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", EMPTY)


@pytest.mark.parametrize("command", ["ask", "search"])
def test_a_question_of_10_000_words_is_refused(chipwise: Chipwise, built: KnowledgeFolder, command: str) -> None:
    result = chipwise(command, "word " * 10_000, kb=built)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == (
        "error: the question has 10,000 words, more than 400\n"
        "help: ask one thing at a time; `chipwise add` takes documents\n"
    )


OPERATORS = [
    '"',
    '""" OR memory',
    "memory AND NOT (H200 OR H100)",
    "NEAR(memory H200, 3)",
    "text:memory above : H200",
    "mem* ^memory",
    "memory'; DROP TABLE passage; --",
    "{text above} : memory",
    "H200 - memory + (",
    "memory \\ % _ [a-z]",
    "\x00memory H200",
    "memory \udcff H200",
]


@pytest.mark.parametrize("words", OPERATORS)
def test_operators_of_the_search_engine_are_words_like_others(
    chipwise: Chipwise, built: KnowledgeFolder, words: str
) -> None:
    found = chipwise("search", f"memory {words}", kb=built)
    assert found.exit_code == 0
    assert "h200#1" in found.stdout
    assert chipwise("ask", f"How much memory does the H200 have? {words}", kb=built).exit_code in (0, 1)


def test_search_lists_passages_best_first(chipwise: Chipwise, built: KnowledgeFolder) -> None:
    result = chipwise("search", "optical circuit switches", "-k", "3", kb=built)
    heads = [line for line in result.stdout.splitlines() if not line.startswith(" ")]
    assert result.exit_code == 0
    assert len(heads) == 3
    assert heads[0] == "1.000  tpu#2  Network"
    assert heads == sorted(heads, reverse=True)


def test_search_marks_what_does_not_speak_for_its_source(chipwise: Chipwise, built: KnowledgeFolder) -> None:
    result = chipwise("search", "bent pin", kb=built)
    assert "h200#3  Comments  (comment)\n" in result.stdout


def test_search_json_gives_spans_and_scores(chipwise: Chipwise, built: KnowledgeFolder) -> None:
    result = chipwise("search", "optical circuit switches", "-k", "2", "--json", kb=built)
    value = json.loads(result.stdout)
    assert (value["schema"], value["query"]) == ("chipwise.search/1", "optical circuit switches")
    first = value["passages"][0]
    assert (first["passage"], first["source"], first["heading"], first["role"]) == ("tpu#2", "tpu", "Network", "body")
    with open_store(built.generation_folder(built.read_seal()) / TEXT) as store:
        for passage in value["passages"]:
            assert store.source_text(passage["source"])[passage["start"] : passage["end"]] == passage["text"]


def test_search_in_an_empty_knowledge_base_finds_nothing(chipwise: Chipwise, fake_encoder: Any, tmp_path: Path) -> None:
    chipwise("init", "--empty", kb=tmp_path / "kb")
    result = chipwise("search", "memory", kb=tmp_path / "kb")
    assert (result.exit_code, result.stdout) == (1, "No passage matches.\n")
    assert chipwise("ask", "How much memory?", kb=tmp_path / "kb").exit_code == 1


def test_a_name_that_nothing_knows_is_refused_in_an_empty_knowledge_base(
    chipwise: Chipwise, fake_encoder: Any, tmp_path: Path
) -> None:
    chipwise("init", "--empty", kb=tmp_path / "kb")
    result = chipwise("ask", "Why does the H100 beat the Frobnicator 9000?", kb=tmp_path / "kb")
    assert result.exit_code == 1
    assert result.stdout.startswith("No answer in the corpus: no source mentions Frobnicator 9000")


def test_a_damaged_index_is_one_error_with_its_mend(chipwise: Chipwise, own: KnowledgeFolder) -> None:
    path = own.generation_folder(own.read_seal()) / TEXT
    expected = path.stat().st_size
    path.write_bytes(b"")
    result = chipwise("ask", "What is MFU?", kb=own)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == (f"error: {path} has 0 bytes instead of {expected:,}\nhelp: run `chipwise build --fresh`\n")


def test_bytes_on_standard_input_that_are_no_text_are_no_traceback(built: KnowledgeFolder) -> None:
    done = subprocess.run(
        [*COMMAND, "--kb", str(built.folder), "ask", "-"],
        input=b"How much memory does the H200 have? \xff\xfe",
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert b"141 GB" in done.stdout


def test_a_terminal_of_few_characters_gets_stand_ins(built: KnowledgeFolder) -> None:
    done = subprocess.run(
        [*COMMAND, "--kb", str(built.folder), "ask", "How much memory does the H200 have?"],
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONIOENCODING": "iso8859-5", "PYTHONUTF8": "0"},
    )
    assert done.returncode == 0, done.stderr
    assert b"H200 notes, 2024-11-18 ? Memory ? line 15" in done.stdout


def test_an_answer_stands_in_the_source_as_it_was_written(chipwise: Chipwise, built: KnowledgeFolder) -> None:
    value = json.loads(chipwise("ask", "How much memory does the H200 have?", "--json", kb=built).stdout)
    assert all(one_line(citation["quote"]) in one_line(H200) for citation in value["citations"])
    assert io.StringIO(H200).readlines()[value["citations"][0]["line"] - 1].startswith("The H200 has 141 GB")
