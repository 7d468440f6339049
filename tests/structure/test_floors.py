"""The modules stand on floors: each imports only from below, at the top of the file or inside of a function."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from ..conftest import ROOT

# Lowest first. A new module goes on the lowest floor that is above all it imports.
FLOORS = (
    "errors types text taggedrows numbers.spoken numbers.wording numbers.unitforms numbers.quantity domain.degrees nouns domain.kinship index.schema domain.records domain.formulas claims audit numbers domain index building lookups asking",
    "numbers.numerals asking.kinds models encoder index.vectors splitting files domain.phrasebook domain.tables domain.schemas claims.polarity domain.cues",
    "corpus domain.catalogue numbers.intervals audit.verdicts audit.register claims.stretches claims.levels",
    "numbers.pieces domain.books audit.model",
    "numbers.measures",
    "numbers.quantities",
    "domain.model contents building.exporting claims.model claims.cells claims.patterns claims.flatgrid",
    "domain.ordinals domain.shortnames claims.madeof claims.implying asking.answers",
    "claims.elliptic",
    "domain.names index.claimrows index.rows claims.beside claims.known claims.scene claims.grid claims.voice claims.saying",
    "lookups.figuring index.claims index.words claims.axes claims.naming",
    "claims.sides claims.referring claims.nesting claims.clauses claims.relatives",
    "claims.topics",
    "claims.dates claims.places claims.scoping claims.recognising",
    "claims.qualifying claims.baselines claims.notes",
    "claims.setting",
    "claims.preceding",
    "claims.owners",
    "claims.around claims.forms claims.holding claims.running",
    "claims.misreadings claims.particular claims.putting claims.offers claims.onlyone claims.reached claims.ofpart claims.plain claims.variantwords claims.renting claims.drawing claims.comparisons",
    "claims.slots claims.apart claims.loosely claims.rivals claims.categories claims.inverting claims.leftover claims.headed claims.othersense",
    "claims.doubts claims.celldoubts claims.placedoubts",
    "claims.cellfigures",
    "claims.columns",
    "claims.departing",
    "claims.tabular claims.leading claims.unsaid",
    "claims.numeric",
    "claims.extract",
    "audit.codes audit.evidence audit.casebook",
    "audit.differing audit.drafting audit.amounts",
    "audit.agreeing audit.scopes audit.drift audit.lineage audit.statements audit.inputs audit.inference audit.lines",
    "audit.clauses audit.transforming audit.steps audit.fitting audit.countings",
    "audit.ownterms",
    "audit.pairing",
    "audit.products audit.wholes",
    "audit.sums",
    "audit.comparing audit.proportions audit.explaining audit.totals audit.fleets audit.bills audit.fits",
    "audit.reckonings",
    "audit.readings audit.together audit.multiples audit.ofseveral",
    "audit.arithmetic audit.peaks",
    "audit.values audit.spreads audit.settling audit.labels",
    "reading.blocks reading.cues reading.lines reading.decoding",
    "reading.sections reading.outline reading.tables reading.frontmatter reading.htmlroles reading.page",
    "reading.builder reading.voices",
    "reading.refine reading.zones reading.htmltables",
    "reading.rawhtml reading.plaintext reading.pdflayout reading.html reading.docx",
    "reading.markdown reading.pdf",
    "reading.files",
    "reading",
    "domain.files building.embedding building.facts",
    "index.store",
    "knowledge asking.searching lookups.phrasing",
    "building.documents building.planning building.sealing building.vectorising asking.amounts asking.mentions asking.unknown asking.forms asking.framing asking.howmany asking.excluding",
    "asking.metricsasked asking.relatives",
    "asking.question",
    "building.building health asking.spelling asking.candidates lookups.lookup lookups.derived asking.disagreeing asking.quoting",
    "asking.training asking.rendering",
    "asking.rating asking.composing asking.choosing lookups.listing lookups.alike lookups.converting lookups.tracing asking.givens",
    "lookups.standing asking.disambiguating asking.setaside asking.pricing asking.plain asking.derivable",
    "asking.tabled lookups.likeforlike asking.verdict asking.filling",
    "asking.limits asking.workings asking.ranking asking.dated asking.matching asking.premises",
    "asking.mainrows",
    "asking.reckoning asking.differences asking.conversions asking.counted asking.cheapest asking.categorical asking.instances asking.quotedprice asking.makers asking.pricetrends asking.filtering",
    "asking.stated",
    "asking.single asking.narrowing asking.fitting asking.machines",
    "asking.severally asking.completing",
    "asking.parting",
    "asking.outright",
    "asking.pertinence",
    "asking.answering",
    "asking.replying",
    "opening report",
    "audit.auditing audit.sifting",
    "audit.checking audit.acknowledging",
    "standalone session results",
)
FLOOR_OF = {module: number for number, floor in enumerate(FLOORS) for module in floor.split()}
LIBRARY, COMMANDS = ROOT / "kb" / "chipwise", ROOT / "cli" / "chipwise_cli"
TERMINAL = {"click", "rich", "chipwise_cli"}
# standard modules that reach the network; nothing of ours has a use for them
NETWORK = {"socket", "ssl", "urllib", "http", "ftplib", "smtplib", "requests", "httpx", "aiohttp"}


def name(path: Path, root: Path) -> str:
    """ "reading.blocks" for reading/blocks.py, "reading" for its __init__, "" for the package's own."""
    parts = path.relative_to(root).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__")


def imports(path: Path) -> Iterator[str]:
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


def test_no_module_stands_on_two_floors() -> None:
    assert sum(len(floor.split()) for floor in FLOORS) == len(FLOOR_OF)


def test_every_module_has_its_floor_and_every_floor_its_modules() -> None:
    # modules that the list knows before they exist hurt nobody; one that it does not know has no place yet
    assert set(MODULES) - set(FLOOR_OF) == set(), "add it to FLOORS"


@pytest.mark.parametrize("module", sorted(MODULES))
def test_a_module_imports_only_from_lower_floors(module: str) -> None:
    ours = {target.removeprefix("chipwise.") for target in imports(MODULES[module]) if target.startswith("chipwise.")}
    known = {target for target in ours if target in FLOOR_OF}
    assert ours - known <= {"__version__"}, "imports what is no module of ours"
    assert [target for target in sorted(known) if FLOOR_OF[target] >= FLOOR_OF[module]] == []


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


@pytest.mark.parametrize("module", sorted(MODULES))
def test_the_library_knows_no_terminal_and_no_network(module: str) -> None:
    roots = {target.split(".")[0] for target in imports(MODULES[module])}
    assert roots & (TERMINAL | NETWORK) == set()


def test_the_commands_import_nothing_heavy_themselves() -> None:
    heavy = {"numpy", "faiss", "torch", "onnxruntime", "sentence_transformers", "pydantic", "sqlite3"}
    found = {path.name: {t.split(".")[0] for t in imports(path)} & heavy for path in COMMANDS.glob("*.py")}
    assert {file: roots for file, roots in found.items() if roots} == {}


def test_every_module_says_what_it_is_for() -> None:
    paths = [*LIBRARY.rglob("*.py"), *COMMANDS.rglob("*.py")]
    assert [path.name for path in paths if not ast.get_docstring(ast.parse(path.read_text("utf-8")))] == []


@pytest.mark.parametrize("path", sorted((ROOT / "kb").rglob("*.py")), ids=lambda path: path.stem)
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
