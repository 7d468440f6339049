"""A terminal tool is judged by its cold start: what each command must not load."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from chipwise.knowledge import KnowledgeFolder

HEAVY = (
    "numpy",
    "faiss",
    "torch",
    "pydantic",
    "onnxruntime",
    "sentence_transformers",
    "transformers",
    "sqlite3",
    "rich",
    "psycopg",
)
BUILDERS = (
    "torch",
    "sentence_transformers",
    "transformers",
    "pydantic",
    "trafilatura",
    "onnx",
    "pypdfium2",
    "docx",
    "filelock",
    "psycopg",  # a server's, which no folder needs
)

PASSAGES = (
    "Why does MFU leave out recomputed activations?"  # what no fact answers, and a passage of the small base does
)

LOADED = """
import json, sys
from chipwise_cli.main import main
try:
    main(json.loads(sys.argv[1]))
except SystemExit as end:
    assert not end.code, end.code
sys.stderr.write("loaded: " + " ".join(sorted(sys.modules)))
"""


def loaded(*arguments: str) -> set[str]:
    """The modules that a process holds after it ran one command, with their packages."""
    done = subprocess.run(
        [sys.executable, "-c", LOADED, json.dumps(arguments)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return set(done.stderr.rpartition("loaded: ")[2].split())


@pytest.mark.parametrize("arguments", [["--help"], ["-h"], ["--version"], ["completion", "bash"]], ids=" ".join)
def test_what_needs_no_knowledge_base_loads_nothing_heavy(arguments: list[str]) -> None:
    assert loaded(*arguments) & set(HEAVY) == set()


def test_help_loads_no_command() -> None:
    done = subprocess.run([sys.executable, "-c", LOADED, '["--help"]'], capture_output=True, text=True, check=True)
    assert "_command" not in done.stderr


def test_asking_loads_nothing_that_only_building_needs(built: KnowledgeFolder) -> None:
    modules = loaded("--kb", str(built.folder), "ask", "How much memory does the H200 have?")
    assert modules & set(BUILDERS) == set()
    assert "sqlite3" in modules, "the test sees what is loaded"


def test_reading_passages_takes_numpy_and_onnxruntime_and_no_faiss_for_a_small_index(built: KnowledgeFolder) -> None:
    modules = loaded("--kb", str(built.folder), "ask", PASSAGES)
    assert modules & {*BUILDERS, "faiss"} == set()
    assert {"numpy", "onnxruntime", "tokenizers"} <= modules


MOST_MEMORY = 170_000_000  # bytes, at the peak of one question; the command itself takes some 145 MB, the pages that are mapped vary


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the peak of a process by itself is read from /proc")
def test_a_question_to_passages_takes_little_memory(built: KnowledgeFolder) -> None:
    # subtle: ru_maxrss of a process begins with that of the one that started it, which has torch loaded
    code = f"{LOADED}\nprint(open('/proc/self/status').read().partition('VmHWM:')[2].split()[0])"
    question = json.dumps(["--kb", str(built.folder), "ask", PASSAGES])
    done = subprocess.run([sys.executable, "-c", code, question], capture_output=True, text=True, check=True)
    assert 1024 * int(done.stdout.split()[-1]) < MOST_MEMORY


LOOK_UPS = [
    ["show", "h200#1"],
    ["sources"],
    ["facts"],
    ["facts", "h100 sxm", "memory"],
    ["facts", "h100", "--json"],
    ["compare", "h100", "h200"],
    ["compare", "h100", "h200", "--json"],
    ["find", "1979"],
    ["find", "95 GiB", "--json"],
    ["claims", "h200"],
]


@pytest.mark.parametrize("command", LOOK_UPS, ids=" ".join)
def test_looking_things_up_loads_no_vectors(built: KnowledgeFolder, command: list[str]) -> None:
    modules = loaded("--kb", str(built.folder), *command)
    assert modules & {*BUILDERS, "faiss", "onnxruntime", "numpy", "tokenizers"} == set()


@pytest.mark.parametrize("command", [["facts", "h100"], ["compare", "h100", "h200"]], ids=" ".join)
def test_facts_are_looked_up_without_the_domain_or_the_reading_of_sentences(
    built: KnowledgeFolder, command: list[str]
) -> None:
    code = LOADED.replace('" ".join(sorted(sys.modules))', '" ".join(m for m in sys.modules if "chipwise" in m)')
    done = subprocess.run(
        [sys.executable, "-c", code, json.dumps(["--kb", str(built.folder), *command])],
        capture_output=True,
        text=True,
        check=True,
    )
    modules = set(done.stderr.rpartition("loaded: ")[2].split())
    assert "chipwise.domain.names" in modules
    assert (
        modules
        & {
            "chipwise.domain.model",
            "chipwise.domain.records",
            "chipwise.numbers.quantities",
            "chipwise.answering.reply",
        }
        == set()
    )


@pytest.mark.parametrize(
    ("module", "spared"),
    [("chipwise.answering.reply", {"numpy", "faiss"}), ("chipwise_cli.lookup_commands", {"chipwise.knowledge"})],
)
def test_what_an_answer_may_do_without_is_not_imported_with_it(module: str, spared: set[str]) -> None:
    code = f"import sys, {module}; sys.stderr.write(' '.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert set(done.stderr.split()) & spared == set()


def test_importing_the_library_loads_nothing_heavy() -> None:
    code = "import sys, chipwise; sys.stderr.write(' '.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert set(done.stderr.split()) & set(HEAVY) == set()


def test_no_process_of_ours_opens_a_network_socket() -> None:
    code = "import socket; socket.socket(socket.AF_INET)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "chipwise makes no network call" in done.stderr, "the guard stands in subprocesses too"
    import socket

    with pytest.raises(AssertionError, match="no network call"):
        socket.socket(socket.AF_INET6)
