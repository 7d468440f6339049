"""What all tests stand on: no network, a home of their own, and two kinds of knowledge base."""

from __future__ import annotations

import hashlib
import os
import pickle
import runpy
import shutil
import socket
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import hypothesis
import pytest
from click.testing import CliRunner, Result
from filelock import FileLock

from chipwise.building import building
from chipwise.building.building import build
from chipwise.building.documents import add_files, initialise
from chipwise.claims.model import Fact
from chipwise.corpus import digests_folder, facts_folder
from chipwise.domain.model import Domain
from chipwise.knowledge import KnowledgeFolder
from chipwise.models import DEFAULT_MODEL
from chipwise_cli.main import cli

from .documents import SMALL, write
from .fakes import FakeEncoder, install
from .fast import is_fast

ROOT = Path(__file__).resolve().parents[1]
MadeOnce = Callable[[str, Callable[[Path], object]], Path]
OFFLINE = Path(__file__).parent / "offline"
COMMAND = (sys.executable, "-c", "from chipwise_cli.main import main; main()")  # for subprocesses

# CHIPWISE_TESTS=all reads the whole corpus where a sample does otherwise, and tries ten times as many made-up texts
EVERYTHING = os.environ.get("CHIPWISE_TESTS") == "all"
hypothesis.settings.register_profile("chipwise", deadline=None, max_examples=300 if EVERYTHING else 30)
hypothesis.settings.load_profile("chipwise")


# files that take longest are begun first, so that at the end no process waits for another
LONGEST = (
    "claims/test_claim_properties.py",
    "structure/test_api.py",
    "answering/test_reader.py",
    "commands/test_workflows.py",
    "reporting/test_page.py",
    "reporting/test_commands.py",
    "web/test_pages.py",
    "structure/test_private.py",
    "asking/test_claimed.py",
    "grids/test_formats.py",
    "commands/test_states.py",
    "commands/test_skill.py",
)

if "PYTEST_XDIST_WORKER" in os.environ:
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # the processes are as many as the cores


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Two processes for folders, up to four where there are the cores; none beside this one for files that are named."""
    named = [argument.partition("::")[0] for argument in config.args]
    return 0 if all(name.endswith(".py") for name in named) else max(2, min(4, (os.cpu_count() or 1) // 2))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    order = {item.path: number for number, item in enumerate(items)}
    for item in items:
        name = item.path.relative_to(ROOT / "tests").as_posix()
        if is_fast(name):
            item.add_marker("fast")
        if name in LONGEST:
            order[item.path] = LONGEST.index(name) - len(LONGEST)
    items.sort(key=lambda item: order[item.path])


@pytest.fixture(scope="session", autouse=True)
def _no_network() -> Iterator[None]:
    """Refuses network sockets here and in every process that a test starts."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket, "socket", socket.socket)  # so that it is put back
        runpy.run_path(str(OFFLINE / "sitecustomize.py"))
        patch.setenv("PYTHONPATH", os.pathsep.join(map(str, (OFFLINE, ROOT / "kb", ROOT / "cli"))))
        yield


@pytest.fixture(autouse=True)
def _own_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No test sees the knowledge base of whoever runs it."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home" / "data"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "home" / "state"))
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.delenv("CHIPWISE_KB", raising=False)


@pytest.fixture(scope="session")
def made_once(tmp_path_factory: pytest.TempPathFactory) -> MadeOnce:
    """Gives a folder that one process of this run fills and all of them read."""
    root = tmp_path_factory.getbasetemp()
    root = root.parent if "PYTEST_XDIST_WORKER" in os.environ else root

    def folder(name: str, fill: Callable[[Path], object]) -> Path:
        place, whole = root / "once" / name, root / "once" / f"{name}.whole"
        place.mkdir(parents=True, exist_ok=True)
        with FileLock(root / "once" / f"{name}.lock"):
            if not whole.exists():
                fill(place)
                whole.touch()
        return place

    return folder


@pytest.fixture(scope="session", autouse=True)
def _facts_once(made_once: MadeOnce) -> Iterator[None]:
    """The shipped facts, on which a dozen modules build a knowledge base, are read by one process of a run."""
    read, shipped = building.read_facts, (facts_folder(), digests_folder())

    def read_once(folder: Path, digests: Path, domain: Domain) -> list[Fact]:
        if (folder, digests) != shipped:
            return read(folder, digests, domain)

        def fill(place: Path) -> None:
            (place / "facts").write_bytes(pickle.dumps(read(folder, digests, domain)))

        kind = hashlib.sha256(domain.to_json().encode()).hexdigest()[:12]
        facts: list[Fact] = pickle.loads((made_once(f"facts-{kind}", fill) / "facts").read_bytes())  # noqa: S301
        return facts

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(building, "read_facts", read_once)
        yield


@pytest.fixture(scope="session")
def built(made_once: MadeOnce) -> KnowledgeFolder:
    """The small documents, indexed with the real model. Not to be changed: take `own` for that."""

    def fill(folder: Path) -> None:
        base = KnowledgeFolder(folder / "kb")
        initialise(base, shipped=False, model=DEFAULT_MODEL)
        add_files(base, write(folder / "documents", SMALL))
        build(base)

    return KnowledgeFolder(made_once("small", fill) / "kb")


@pytest.fixture
def own(built: KnowledgeFolder, tmp_path: Path) -> KnowledgeFolder:
    """A copy of `built` that a test may change."""
    shutil.copytree(built.folder, tmp_path / "kb")
    base = KnowledgeFolder(tmp_path / "kb")
    build(base)  # the stamp of the copies is another
    return base


@pytest.fixture
def fake_encoder(monkeypatch: pytest.MonkeyPatch) -> FakeEncoder:
    """Building and asking without a model; tells what was embedded."""
    return install(monkeypatch.setattr)


@pytest.fixture
def base(fake_encoder: FakeEncoder, tmp_path: Path) -> KnowledgeFolder:
    """Three of the small documents below tmp_path/documents, added and built with the fake encoder."""
    made = KnowledgeFolder(tmp_path / "kb")
    initialise(made, shipped=False, model=DEFAULT_MODEL)
    add_files(made, write(tmp_path / "documents", {n: SMALL[n] for n in ("h200.md", "h100.md", "tpu.md")}))
    build(made)
    fake_encoder.embedded.clear()
    return made


Chipwise = Callable[..., Result]


@pytest.fixture
def chipwise() -> Chipwise:
    """Runs the command in this process: chipwise("ask", "...", kb=folder, stdin=b"...")."""

    def run(*arguments: str, kb: KnowledgeFolder | Path | None = None, stdin: str | bytes | None = None) -> Result:
        folder = kb.folder if isinstance(kb, KnowledgeFolder) else kb
        before = [] if folder is None else ["--kb", str(folder)]
        result = CliRunner().invoke(cli, [*before, *arguments], input=stdin, prog_name="chipwise")
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception  # a bug keeps its traceback
        return result

    return run
