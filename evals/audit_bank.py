"""What the generated audit suite is made from: facts, the names of their subjects, and sentences, by split.

    facts table + audit_templates.toml -> Bank("tune"), Bank("report")

The splits share neither a subject nor a sentence.
"""

from __future__ import annotations

import csv
import random
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from chipwise.corpus import facts_folder

TEMPLATES = Path(__file__).parent / "audit_templates.toml"
SPLITS = ("tune", "report")
FIGURES = ("memory_capacity", "memory_bandwidth", "peak_compute", "tdp", "interconnect_bandwidth", "on_chip_sram")
COUNTS = ("transistor_count", "pod_size")
KINDS = {
    "hbm2": "HBM2",
    "hbm2e": "HBM2e",
    "hbm3": "HBM3",
    "hbm3e": "HBM3e",
    "gddr6": "GDDR6",
    "gddr6x": "GDDR6X",
    "lpddr5": "LPDDR5",
}
DTYPES = {"bf16": "BF16", "fp16": "FP16", "fp8": "FP8", "int8": "INT8", "fp4": "FP4", "tf32": "TF32"}
DENSITY = {"dense": "dense", "2:4": "sparse"}
POWER = {"TDP": "TDP", "board": "board power"}
WAYS = {
    ("tune", "both"): ("in both directions together", "counting both directions"),
    ("tune", "one way"): ("in each direction", "one way"),
    ("report", "both"): ("bidirectionally", "with both directions added up"),
    ("report", "one way"): ("per direction", "in one direction"),
}

Row = Mapping[str, str]
Random = random.Random


@dataclass(frozen=True, slots=True)
class Subject:
    """A chip and how texts call it."""

    id: str
    split: str
    names: tuple[str, ...]
    noun: str
    maker: str
    link: str = ""
    sram: str = ""


@dataclass(frozen=True, slots=True)
class System:
    """`count` of one chip, sold as a whole; `cores` is the number in its name where that counts cores."""

    id: str
    split: str
    names: tuple[str, ...]
    chip: str
    count: int
    node: str
    cores: int = 0


@dataclass(frozen=True, slots=True)
class Fact:
    """A preferred figure of one subject; `slots` fill its sentences."""

    subject: Subject
    metric: str
    value: float
    unit: str
    dtype: str = ""
    sparsity: str = ""
    direction: str = ""
    kind: str = "HBM"
    power: str = "TDP"

    @property
    def key(self) -> tuple[str, ...]:
        """What two facts share when they are of the same thing."""
        return self.subject.id, self.metric, self.dtype, self.sparsity, self.direction

    def slots(self, chance: Random) -> dict[str, str]:
        """For str.format, without the figure."""
        ways = WAYS.get((self.subject.split, self.direction), ("",))
        name = chance.choice(self.subject.names)
        return {
            "it": name.removesuffix(" chip") if self.metric == "pod_size" else name,
            "noun": self.subject.noun,
            "maker": self.subject.maker,
            "link": self.subject.link,
            "sram": self.subject.sram,
            "kind": self.kind,
            "dtype": DTYPES.get(self.dtype, ""),
            "density": DENSITY.get(self.sparsity, ""),
            "power": self.power,
            "way": chance.choice(ways),
        }


class Bank:
    """Facts, names and sentences of one split."""

    def __init__(self, split: str) -> None:
        self.split = split
        read = tomllib.loads(TEMPLATES.read_text("utf-8"))
        self.subjects = {s["id"]: Subject(**{**s, "names": tuple(s["names"])}) for s in self._own(read["subject"])}
        self.systems = [System(**{**s, "names": tuple(s["names"])}) for s in self._own(read["system"])]
        self._sentences = {r["metric"]: r for r in self._own(read["figure"])}
        self._comparisons = {r["metric"]: r["named"] for r in self._own(read["compare"])}
        self._texts = {r["use"]: r["texts"] for r in self._own(read["wording"])}

    def _own(self, records: Sequence[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
        return (record for record in records if record["split"] == self.split)

    def sentences(self, metric: str, form: str) -> list[str]:
        """Templates: "named", "bare" or "labels"."""
        return list(self._sentences[metric][form])

    def comparisons(self, metric: str) -> list[str]:
        """Templates with a multiple against a baseline."""
        return list(self._comparisons[metric])

    def texts(self, use: str) -> list[str]:
        """Templates by what they are for."""
        return list(self._texts[use])

    def has(self, use: str) -> bool:
        """True where there are templates for it."""
        return use in self._texts

    @cached_property
    def rows(self) -> list[Row]:
        """The preferred rows about the split's subjects, of every metric."""
        return [row for row in _preferred() if row["subject"] in self.subjects]

    def line_rows(self, lines: Sequence[str]) -> list[Row]:
        """The preferred rows about product lines, which are no subjects of their own."""
        return [row for row in _preferred() if row["subject"] in lines and row["subject"] not in self.subjects]

    @cached_property
    def facts(self) -> list[Fact]:
        """Figures of one chip that are fixed and fully stated; the first where the table prefers several."""
        facts = [fact for row in self.rows if (fact := self._fact(row)) is not None]
        first: dict[tuple[str, ...], Fact] = {}
        for fact in facts:
            first.setdefault(fact.key, fact)
        return list(first.values())

    def _fact(self, row: Row) -> Fact | None:
        subject, metric = self.subjects[row["subject"]], row["metric"]
        if metric not in (*FIGURES, *COUNTS) or not _is_plain(row):
            return None
        if metric == "peak_compute" and not (row["dtype"] in DTYPES and row["sparsity"] in DENSITY):
            return None
        if metric == "interconnect_bandwidth" and not (row["direction"] and subject.link):
            return None
        if (metric == "on_chip_sram" and not subject.sram) or (metric == "tdp" and row["power_basis"] not in POWER):
            return None
        kind = KINDS.get(row["memory_kind"], "HBM")
        if metric == "memory_bandwidth":
            kind = next((f.kind for f in self._kinds() if f.subject is subject), kind)
        power = POWER.get(row["power_basis"], "TDP")
        axes = row["dtype"], row["sparsity"], row["direction"]
        return Fact(subject, metric, float(row["value"]), row["unit"], *axes, kind, power)

    def _kinds(self) -> Iterator[Fact]:
        for row in self.rows:
            if row["metric"] == "memory_capacity" and row["memory_kind"] in KINDS:
                yield Fact(self.subjects[row["subject"]], "memory_kind", 0, "", kind=KINDS[row["memory_kind"]])

    def of(self, metric: str, **axes: str) -> list[Fact]:
        """The facts of a metric, on these axes."""
        return [f for f in self.facts if f.metric == metric and all(getattr(f, a) == v for a, v in axes.items())]

    def find(self, subject: str, metric: str, **axes: str) -> Fact | None:
        """The one about a subject, if any."""
        return next((f for f in self.of(metric, **axes) if f.subject.id == subject), None)

    def values(self, fact: Fact) -> list[float]:
        """Everything that the table prefers for it, in its unit."""
        found = [f for row in self.rows if (f := self._fact(row)) is not None and f.key == fact.key]
        return [f.value for f in found if f.unit == fact.unit]


@cache
def _preferred() -> tuple[Row, ...]:
    found: list[Row] = []
    for path in sorted(facts_folder().glob("*.csv")):
        with path.open(encoding="utf-8", newline="") as file:
            found += [row for row in csv.DictReader(file) if row["rank"] == "preferred"]
    return tuple(found)


def _is_plain(row: Row) -> bool:
    """True for one number of one chip, not measured; a pod's size and a die's transistors stand for their chip."""
    scopes = {"pod_size": ("pod",), "transistor_count": ("chip", "die")}.get(row["metric"], ("chip",))
    number = row["value"].replace(".", "", 1).isdigit()
    return (
        number
        and not row["bound"]
        and row["aggregation"] in scopes
        and row["basis"] in ("", "peak")
        and not row["workload"]
    )
