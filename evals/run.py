"""Everything that is measured, in one command, offline; writes a dated table into results/.

    python evals/run.py [--only questions,retrieval,speed,…] [--bench DIR] [--kb DIR] [--peers PYTHON]
    python evals/run.py --small --kb DIR      what CI runs: against baseline.json, exit code 1 where worse
    python evals/run.py --small --renew       takes what is reached now as the baseline, with the same tolerances

A part whose data is not there is skipped with a line that says so. results.py
says what a part is; extraction.py, audit_suite.py and records.py join by being one.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib
import importlib.metadata
import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from audit_suite import CASES
from benchmarks import BENCH, BenchmarkMissing
from metrics import Estimate
from results import Tree, as_json, flat, markdown, shortfalls

from chipwise.corpus import shipped_documents

HERE = Path(__file__).parent
BASELINE = HERE / "baseline.json"
PACKAGES = (
    *("chipwise", "faiss-cpu", "numpy", "onnxruntime", "pystemmer"),
    *("sentence-transformers", "tokenizers", "torch", "transformers"),
)
Part = Callable[[argparse.Namespace], Tree]


def _joined(module: str, *needs: str) -> Part:
    """The part that `module` is, given the options that it `needs` beside the benchmarks."""

    def measure(options: argparse.Namespace) -> Tree:
        if not (HERE / f"{module}.py").is_file():
            raise BenchmarkMissing(f"there is no evals/{module}.py")
        measure_ = getattr(importlib.import_module(module), "measure", None)
        if measure_ is None:
            raise BenchmarkMissing(f"evals/{module}.py has no measure(bench)")
        given = {name: getattr(options, name) for name in needs}
        return measure_(options.bench, **given)

    return measure


def _raw(options: argparse.Namespace) -> Tree:
    from questions import measure_raw

    return measure_raw(options.bench)


PARTS: dict[str, Part] = {
    "questions": _joined("questions", "kb"),
    "raw": _raw,
    "abstention": _joined("abstention"),
    "retrieval": _joined("retrieval", "peers"),
    "extraction": _joined("extraction"),
    "audit": _joined("audit_suite", "cases"),
    "claims": _joined("claims"),
    "drafts": _joined("drafts", "kb"),
    "reports": _joined("reports", "kb"),
    "factors": _joined("factors"),
    "records": _joined("records"),
    "speed": _joined("speed", "peers", "sizes"),
}
SMALL = ("questions", "audit", "extraction")
FEWER = 24  # cases of a family where a landing waits for it


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help=f"of {', '.join(PARTS)}; all without it")
    parser.add_argument(
        "--small", action="store_true", help=f"{', '.join(SMALL)}, against the baseline; writes no table"
    )
    parser.add_argument("--bench", type=Path, default=BENCH, help="the folder of public benchmarks")
    parser.add_argument("--kb", type=Path, help="a knowledge base of the shipped corpus, to be asked")
    parser.add_argument("--peers", type=Path, help="the Python of an environment with the peers, see peers.py")
    parser.add_argument(
        "--sizes", type=_numbers, default=(1_000, 10_000, 100_000), help="numbers of passages that speed is measured at"
    )
    parser.add_argument("--baseline", type=Path, default=BASELINE)
    parser.add_argument("--renew", action="store_true", help="write the figures into the baseline instead of comparing")
    options = parser.parse_args()
    options.cases = FEWER if options.small else CASES
    names = [name for name in options.only.split(",") if name] or (SMALL if options.small else PARTS)
    if unknown := [name for name in names if name not in PARTS]:
        parser.error(f"there is no part {unknown[0]}; there are {', '.join(PARTS)}")
    tree = run(names, options)
    print(markdown(tree))
    if options.renew:
        _renew(tree, options.baseline)
    elif options.small:
        _gate(tree, options.baseline)
    else:
        write(tree, HERE / "results")


def _numbers(text: str) -> list[int]:
    return [int(number) for number in text.split(",")]


def run(names: list[str] | tuple[str, ...] | dict[str, Part], options: argparse.Namespace) -> dict[str, Tree]:
    """The figures of each part by its name, with the seconds that it took."""
    tree: dict[str, Tree] = {}
    for name in names:
        started = time.perf_counter()
        try:
            tree[name] = PARTS[name](options)
        except BenchmarkMissing as missing:
            print(f"skipped {name}: {missing}", file=sys.stderr, flush=True)
            continue
        print(f"{name}: {time.perf_counter() - started:.0f} s", file=sys.stderr, flush=True)
    return tree


def write(tree: dict[str, Tree], folder: Path) -> None:
    """The table as Markdown, and the same figures with all versions as JSON, both called by date and parts."""
    now = datetime.now(UTC)
    made = surroundings()
    name = f"{now:%Y-%m-%d}-{'-'.join(tree)}" if len(tree) < len(PARTS) else f"{now:%Y-%m-%d}"
    folder.mkdir(exist_ok=True)
    document = {"schema": "chipwise.evals/1", "date": now.isoformat(timespec="seconds"), **made}
    (folder / f"{name}.json").write_text(json.dumps({**document, "figures": as_json(tree)}, indent=1) + "\n", "utf-8")
    packages = ", ".join(f"{package} {version}" for package, version in made["packages"].items())
    head = (
        f"# Measured on {now:%Y-%m-%d}\n\nchipwise {made['commit']}, corpus {made['corpus'][:16]}, "
        f"Python {made['python']}, {made['cpu']}, {made['cores']} cores; {packages}.\n"
        "In parentheses the 95% interval: Wilson's for shares, bootstrapped over questions for means.\n\n"
    )
    if "speed" in tree:
        from growth import chart

        (folder / "growth.svg").write_text(chart(as_json(tree["speed"]["growth"])), "utf-8")
    (folder / f"{name}.md").write_text(head + markdown(tree), "utf-8")
    print(f"wrote evals/results/{name}.md and .json", file=sys.stderr)


def surroundings() -> dict[str, Any]:
    """The versions of everything that a figure depends on; no path, nothing of who ran it."""
    return {
        "commit": _commit(),
        "corpus": hashlib.sha256(b"".join(path.read_bytes() for path in shipped_documents())).hexdigest(),
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "cpu": _cpu(),
        "cores": os.cpu_count(),
        "packages": {name: importlib.metadata.version(name) for name in PACKAGES},
    }


def _commit() -> str:
    """The commit that is checked out, with a + where the tree differs from it; empty outside a checkout."""
    described = subprocess.run(
        ["git", "--no-optional-locks", "describe", "--always", "--abbrev=10", "--dirty=+", "--exclude=*"],
        cwd=HERE,
        capture_output=True,
        text=True,
        check=False,
    )
    return described.stdout.strip()


def _cpu() -> str:
    """The processor's name, where Linux tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        return platform.processor()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")


def _gate(tree: dict[str, Tree], baseline: Path) -> None:
    """Ends with 1 where a figure fell below the baseline's, less its tolerance; a part that was skipped is not held."""
    wanted = json.loads(baseline.read_text("utf-8"))
    held = {name: bound for name, bound in wanted.items() if name.partition("/")[0] in tree}
    if short := shortfalls(tree, held):
        sys.exit("worse than the baseline:\n" + "\n".join(f"  {s}" for s in short))
    print(f"no worse than the baseline, in {len(held)} figures")


def _renew(tree: dict[str, Tree], baseline: Path) -> None:
    found = {name: value.value if isinstance(value, Estimate) else value for name, value in flat(tree)}
    wanted = json.loads(baseline.read_text("utf-8"))
    for name in wanted.keys() & found.keys():
        wanted[name]["ceiling" if "ceiling" in wanted[name] else "value"] = round(float(found[name]), 4)
    lines = (f" {json.dumps(name)}: {json.dumps(bound)}" for name, bound in wanted.items())
    baseline.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")


if __name__ == "__main__":
    main()
