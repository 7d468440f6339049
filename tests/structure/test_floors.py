"""The modules stand on floors: each imports only from below, at the top of the file or inside of a function."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from ..conftest import ROOT
from ..each import each

# Six floors, the lowest first: packages, and the modules of the root by themselves. What stands on one floor may import each
# other where no circle comes of it.
FLOORS = (
    "errors types text patterns values",
    "reading grids numbers domain splitting encoder models corpus files devices",
    "claims index knowledge postgres",
    "figures building health measured sizing",
    "audit answering learning lookups reporting",
    "opening session standalone report results web",
)
# the way down that is left to build: an audit opens the index by what answers questions as well
STILL = {("audit.auditing", "opening"), ("audit.checking", "opening"), ("audit.kept", "opening")}
FLOOR_OF = {package: number for number, floor in enumerate(FLOORS) for package in floor.split()}
LIBRARY, COMMANDS = ROOT / "kb" / "chipwise", ROOT / "cli" / "chipwise_cli"
TERMINAL = {"click", "rich", "chipwise_cli"}
# standard modules that reach the network; one module of ours has a use for them, for `ask --llm`
NETWORK = {"socket", "ssl", "urllib", "http", "ftplib", "smtplib", "requests", "httpx", "aiohttp"}
ENDPOINT = "answering.choice"


def name(path: Path, root: Path) -> str:
    """ "reading.blocks" for reading/blocks.py, "reading" for its __init__, "" for the package's own."""
    parts = path.relative_to(root).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__")


@cache
def imports(path: Path) -> list[str]:
    return list(_imports(path))


def _imports(path: Path) -> Iterator[str]:
    """The full names of all modules imported anywhere in a file, under `if TYPE_CHECKING` as well."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: a relative import"
            module = node.module or ""
            full = [f"{module}.{alias.name}" for alias in node.names]
            # a name is a module of ours ("from chipwise.claims import voice") or something in one
            of_root = module in ("chipwise", "chipwise_cli")
            yield from (n if of_root or n.removeprefix("chipwise.") in MODULES else module for n in full)


MODULES = {name(path, LIBRARY): path for path in sorted(LIBRARY.rglob("*.py"))}
MODULES.pop("", None)
MODULES.pop("__main__", None)  # the door of the command, which `python -m chipwise` looks for here


def test_every_package_has_its_floor() -> None:
    assert {package(module) for module in MODULES} == set(FLOOR_OF)


@each("module", sorted(MODULES))
def test_a_module_imports_nothing_from_a_higher_floor(module: str) -> None:
    ours = {target.removeprefix("chipwise.") for target in imports(MODULES[module]) if target.startswith("chipwise.")}
    assert all(target in MODULES or package(target) in FLOOR_OF for target in ours - {"__version__"})
    higher = [t for t in sorted(ours & set(MODULES)) if FLOOR_OF[package(t)] > FLOOR_OF[package(module)]]
    assert [t for t in higher if (module, t) not in STILL] == []


def test_no_module_reaches_another_in_a_circle() -> None:
    """Follows from the floors where those hold; found by itself here, with what is only known while it runs."""
    assert in_a_circle({module: below(module) for module in MODULES}) == set()


def test_no_package_reaches_another_in_a_circle() -> None:
    """By way of single modules neither, but for `opening`: it answers questions, and an audit opens the index with it."""
    reached: dict[str, set[str]] = {package(module): set() for module in MODULES}
    for module in MODULES:
        reached[package(module)] |= {package(target) for target in below(module)} - {package(module), "opening"}
    assert in_a_circle(reached) == set()


def package(module: str) -> str:
    return module.partition(".")[0]


def below(module: str) -> set[str]:
    """The modules that one imports."""
    ours = (target for target in imports(MODULES[module]) if target.startswith("chipwise."))
    return {target.removeprefix("chipwise.") for target in ours} & set(MODULES)


def in_a_circle(reached: dict[str, set[str]]) -> set[str]:
    """Those that reach themselves, with those above them; none where all can be put in an order."""
    free: set[str] = set()
    while ready := {one for one, targets in reached.items() if one not in free and targets <= free}:
        free |= ready
    return set(reached) - free


@each("module", sorted(MODULES))
def test_the_library_knows_no_terminal_and_no_network(module: str) -> None:
    roots = {target.split(".")[0] for target in imports(MODULES[module])}
    assert roots & (TERMINAL if module == ENDPOINT else TERMINAL | NETWORK) == set()


def test_the_commands_import_nothing_heavy_themselves() -> None:
    heavy = {"numpy", "faiss", "torch", "onnxruntime", "sentence_transformers", "pydantic", "sqlite3"}
    found = {path.name: {t.split(".")[0] for t in imports(path)} & heavy for path in COMMANDS.glob("*.py")}
    assert {file: roots for file, roots in found.items() if roots} == {}


def test_every_module_says_what_it_is_for() -> None:
    paths = [*LIBRARY.rglob("*.py"), *COMMANDS.rglob("*.py")]
    assert [path.name for path in paths if not ast.get_docstring(ast.parse(path.read_text("utf-8")))] == []


@each("path", lambda: sorted((ROOT / "kb").rglob("*.py")))
def test_a_module_gives_each_of_its_names_once(path: Path) -> None:
    named = [
        target.id
        for node in ast.parse(path.read_text()).body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    ]
    twice = {name for name in named if named.count(name) > 1}
    assert not twice, f"the second one replaces the first: {', '.join(sorted(twice))}"
