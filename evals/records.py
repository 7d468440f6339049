"""The audit on tables that nobody here wrote: what of them is read, how it agrees with the facts table, what is flagged.

    python evals/records.py [BENCH] [--sample N --seed N]    the second prints flags at random, to be judged

`epoch` are four snapshots of a table of machine-learning hardware, with a list of the cells that changed between
them, `mlperf` the system records of a benchmark. Either becomes the Markdown that it is, columns and figures as they
are written, the table one document, each system's record one of its own, and is audited beside the shipped facts.

A cell is *read* when a claim on what its column is about (COLUMNS says which metric) stands in it. A *flag* is what
the audit lists by default with a quote from the table. records/judged.jsonl has a verdict for each flag of a blind sample:
`real` (one of the two figures is wrong), `apparent` (both hold, of different things) or `misread` (neither text says it).
Precision is the share of real ones. A sample was judged once; what has been mended after it does not change its figure.
"""

from __future__ import annotations

import argparse
import csv
import random
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from benchmarks import BENCH, BenchmarkMissing, json_lines
from metrics import share
from results import Tree, markdown

from chipwise.audit.auditing import audit_documents
from chipwise.building.facts import read_facts
from chipwise.claims.extract import extract
from chipwise.claims.model import Claim, Fact
from chipwise.corpus import digests_folder, domain_folder, facts_folder
from chipwise.domain.files import read_domain
from chipwise.domain.model import Domain
from chipwise.figures.relate import Verdict, differing_axes, relate
from chipwise.figures.statement import Statement, place
from chipwise.reading import read_bytes
from chipwise.splitting import split
from chipwise.types import Document, Finding, Role

JUDGED = Path(__file__).parent / "records" / "judged.jsonl"
SNAPSHOT = "ml_hardware.Rebound-Effect.csv"  # the newest
NAMES = {"epoch": "Hardware name", "mlperf": "file"}  # the column that tells records apart
CHIPS = {"epoch": "Hardware name", "mlperf": "accelerator_model_name"}
# what is no property of the chip, or text of its own: notes, links, models trained, figures made from other columns
LEFT_OUT = frozenset(("Notes", "Link to datasheet", "Source for the price", "ML models", "Last modified"))
COLUMNS = {
    **{
        f"{number} performance ({unit}/s)": "peak_compute"
        for unit in ("FLOP", "OP")
        for number in (
            *("Tensor-FP16/BF16", "FP8", "FP4", "FP64 (double precision)", "FP32 (single precision)"),
            *("TF32 (TensorFloat-32)", "FP16 (half precision)", "INT16", "INT8", "INT4", "INT4/FP4"),
        )
    },
    "Memory (bytes)": "memory_capacity",
    "Memory size per board (Byte)": "memory_capacity",
    "Memory bandwidth (byte/s)": "memory_bandwidth",
    "TDP (W)": "tdp",
    "Release date": "availability_date",
    "Release price (USD)": "purchase_price",
    "Foundry": "foundry",
    "Die Size (mm^2)": "die_area",
    "Base clock (MHz)": "clock",
    "Boost clock (MHz)": "clock",
    "Process size (nm)": "process_node",
    "Transistors (millions)": "transistor_count",
    "accelerators_per_node": "chips_per_node",
    "accelerator_memory_capacity": "memory_capacity",
    "accelerator_memory_configuration": "memory_kind",
    "accelerator_frequency": "clock",
    "accelerator_interconnect": "interconnect_bandwidth",
    "accelerator_on-chip_memories": "on_chip_sram",
}
AGREES = (Verdict.SAME, Verdict.COMPATIBLE)
ORDER = (*AGREES, Verdict.EXPLAINED, Verdict.SPREAD, Verdict.UNRESOLVED, Verdict.CONTRADICTION)
_SCOPE = frozenset(("aggregation", "count"))  # axes that a figure of several chips differs in from that of one
Record = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Table:
    """Records as one Markdown table, and where in its text the cell of a record and column begins."""

    name: str
    records: Sequence[Record]
    columns: Sequence[str]
    document: Document
    starts: Sequence[int]

    def cell(self, offset: int) -> tuple[int, str]:
        """The record and the column that `offset` stands in."""
        number = bisect_right(self.starts, offset) - 1
        return number // len(self.columns), self.columns[number % len(self.columns)]


@dataclass(frozen=True, slots=True)
class Flag:
    """A finding with the cells of a table that it quotes, the first of them telling where it is."""

    record: str
    column: str
    finding: Finding

    @property
    def key(self) -> tuple[str, ...]:
        """What a judgement calls it by."""
        return self.record, self.column, self.finding.code, self.finding.fingerprint


def measure(bench: Path) -> dict[str, Tree]:
    """Coverage, agreement and flags of each set, the fate of the cells that changed, precision over the judged. Raises BenchmarkMissing."""
    sets = {"epoch": [read_epoch(bench)], "mlperf": read_mlperf(bench)}
    flagged = {name: find_flags(tables) for name, tables in sets.items()}
    return {
        **{name: _figures(tables, flagged[name]) for name, tables in sets.items()},
        "revisions": _revisions(bench),
        "precision of flags": _precision(flagged),
    }


def read_epoch(bench: Path, snapshot: str = SNAPSHOT) -> Table:
    """Raises BenchmarkMissing."""
    return tabulate("epoch", _records(bench, f"epoch/{snapshot}"))


def read_mlperf(bench: Path) -> list[Table]:
    """A table of one row for each system. Raises BenchmarkMissing."""
    records = _records(bench, "mlperf/systems.csv")
    return [tabulate("mlperf", [record], f"mlperf-{number}") for number, record in enumerate(records, start=2)]


def _records(bench: Path, name: str) -> list[Record]:
    path = bench / "hardware" / name
    if not path.is_file():
        raise BenchmarkMissing(f"no hardware/{name} in the folder of benchmarks")
    with path.open(encoding="utf-8", newline="") as file:
        return [dict(row) for row in csv.DictReader(file)]


def tabulate(name: str, records: Sequence[Record], source: str = "") -> Table:
    """The records as one Markdown table with the columns as they are called."""
    columns = [column for column in records[0] if column not in LEFT_OUT]
    lines = [f"# {name}", "", _line(columns), _line(["---"] * len(columns))]
    at = sum(len(line) + 1 for line in lines)
    starts: list[int] = []
    for record in records:
        cells = [" ".join(record[column].split()).replace("|", "/") for column in columns]
        for cell in cells:
            starts.append(at)
            at += len(cell) + len(" |") + 1
        at += len("|") + 1
        lines.append(_line(cells))
    text = "\n".join(lines) + "\n"
    file = f"{source or name}.md"
    document = read_bytes(text.encode(), name=file, origin=file, source_id=file)
    if document.text != text:
        raise ValueError(f"reading changed the text of {file}: no place of a cell would hold")
    return Table(name, records, columns, document, starts)


def _line(cells: Iterable[str]) -> str:
    return "".join(f"| {cell} " for cell in cells) + "|"


@cache
def shipped() -> tuple[Domain, tuple[Fact, ...]]:
    """The domain and the facts of this checkout."""
    domain = read_domain(domain_folder())
    return domain, tuple(read_facts(facts_folder(), digests_folder(), domain))


def read_claims(table: Table) -> list[tuple[int, str, Claim]]:
    """Every claim with the record and the column that its figure stands in."""
    claims = extract(split(table.document), shipped()[0], table.document.info.title, unplaced=True)[1]
    return [(*table.cell(claim.value_start), claim) for claim in claims]


def find_flags(tables: Sequence[Table], *, recorded: bool = True) -> list[Flag]:
    """What an audit of the tables together lists, beside the facts where `recorded`."""
    domain, facts = shipped()
    findings = audit_documents([t.document for t in tables], domain, facts if recorded else ()).findings
    sources = {t.document.info.id: t for t in tables}
    return [flag for finding in findings if (flag := _flag(sources, finding)) is not None]


def _flag(sources: Mapping[str, Table], finding: Finding) -> Flag | None:
    """The finding at the last cell that it quotes: the figure that disagrees with what stands first."""
    quoted = [e for e in finding.evidence if e.source in sources]
    if not quoted:
        return None
    last, table = quoted[-1], sources[quoted[-1].source]
    record, column = table.cell(last.start + (last.mark[0] if last.mark else 0))
    return Flag(table.records[record][NAMES[table.name]], column, finding)


def _figures(tables: Sequence[Table], flags: Sequence[Flag]) -> dict[str, Tree]:
    domain = shipped()[0]
    known, wanted, read = 0, 0, 0
    claims: list[Claim] = []
    for table in tables:
        found = read_claims(table)
        claims += [claim for _, _, claim in found]
        cells = {(number, column) for number, column, claim in found if COLUMNS.get(column) == claim.metric}
        for number, record in enumerate(table.records):
            if domain.find_entities(record[CHIPS[table.name]]):
                due = {(number, column) for column in table.columns if column in COLUMNS and _says(record[column])}
                known, wanted, read = known + 1, wanted + len(due), read + len(due & cells)
    standings = Counter(_standing(place(domain, claim, Role.TABLE)) for claim in claims)
    compared = sum(standings[v] for v in ORDER)
    return {
        "records with a chip that is known": share(known, sum(len(table.records) for table in tables)),
        "their cells on what there is a metric for, read": share(read, wanted),
        "claims": len(claims),
        "compared with a fact": compared,
        "agree": share(sum(standings[v] for v in AGREES), compared),
        **{v.value: standings[v] for v in ORDER[len(AGREES) :]},
        "flags": {
            "all": len(flags),
            **{f"{code} {verdict}": count for (code, verdict), count in sorted(Counter(map(_kind, flags)).items())},
        },
    }


def _says(cell: str) -> bool:
    return cell.strip() not in ("", "-", "N/A", "N/a", "None")


def _kind(flag: Flag) -> tuple[str, str]:
    return flag.finding.code, flag.finding.verdict


def _standing(s: Statement) -> Verdict:
    """What the best of the facts on the same thing is to it, same format and all; incomparable where there is none."""
    domain = shipped()[0]
    alike = (f for f in _facts().get(s.key, ()) if s.chip and set(differing_axes(domain, f, s)) <= _SCOPE)
    verdicts = {relate(domain, fact, s).verdict for fact in alike}
    return next((v for v in ORDER if v in verdicts), Verdict.INCOMPARABLE)


@cache
def _facts() -> dict[tuple[str, str], list[Statement]]:
    domain, facts = shipped()
    found: dict[tuple[str, str], list[Statement]] = {}
    for fact in facts:
        s = place(domain, fact.claim, Role.BODY, fact)
        if s.asserted:
            found.setdefault(s.key, []).append(s)
    return found


def _revisions(bench: Path) -> dict[str, Tree]:
    """Of the cells that changed between snapshots: which are read, and what an audit says of before, after and both."""
    names = sorted(path.name for path in (bench / "hardware" / "epoch").glob("ml_hardware.*.csv"))
    snapshots = [_records(bench, f"epoch/{name}") for name in names]
    counts: Counter[str] = Counter()
    listed = _records(bench, "epoch/revisions_between_snapshots.csv")
    rows = list({(r["hardware"], r["attribute"], r["value_a"], r["value_b"]): r for r in listed}.values())
    for row in rows:
        before, after = (_holding(snapshots, row, row[f"value_{side}"], side) for side in "ab")
        column = row["attribute"]
        read = [claim for side in (before, after) for claim in _claims_at(side, column)]
        counts["read"] += bool(read)
        counts["on what the facts know"] += any(place(shipped()[0], c, Role.TABLE).key in _facts() for c in read)
        counts["old value flagged by the facts"] += _is_flagged(column, find_flags([before]))
        counts["new value flagged by the facts"] += _is_flagged(column, find_flags([after]))
        counts["change flagged, both audited together"] += _is_flagged(
            column, find_flags([before, after], recorded=False)
        )
    return {"listed": len(listed), "different ones": len(rows), **counts}


def _holding(snapshots: Sequence[Sequence[Record]], row: Record, value: str, side: str) -> Table:
    """The table of the one record, from a snapshot that has the value."""
    column = row["attribute"]
    found = (r for s in snapshots for r in s if r["Hardware name"] == row["hardware"] and r.get(column) == value)
    return tabulate("epoch", [next(found)], source=f"epoch-{side}")


def _claims_at(table: Table, column: str) -> list[Claim]:
    return [claim for _, c, claim in read_claims(table) if c == column and claim.metric == COLUMNS[column]]


def _is_flagged(column: str, flags: Iterable[Flag]) -> bool:
    return any(flag.column == column and flag.finding.verdict in ("contradiction", "unresolved") for flag in flags)


def _precision(flagged: Mapping[str, Sequence[Flag]]) -> dict[str, Tree]:
    """Of each sample, the share of its flags that was real; and that of the flags that are raised now, where judged."""
    labels = json_lines(JUDGED)
    raised = {flag.key: flag for flags in flagged.values() for flag in flags}
    now = {_key(x): {**x, "sample": "raised now"} for x in labels if _key(x) in raised}
    figures: dict[str, Tree] = {}
    for sample in [*sorted({x["sample"] for x in labels}), "raised now"]:
        of = [x for x in (*labels, *now.values()) if x["sample"] == sample]
        figures[f"{sample}: contradictions"] = _real(x for x in of if x["finding"] == "contradiction")
        figures[f"{sample}: unresolved and spreads"] = _real(x for x in of if x["finding"] != "contradiction")
    new = [f for key, f in raised.items() if key not in now and f.finding.verdict == "contradiction"]
    return {**figures, "contradictions raised now that nobody judged": len(new)}


def _key(label: Mapping[str, str]) -> tuple[str, ...]:
    return label["record"], label["column"], label["code"], label["fingerprint"]


def _real(labels: Iterable[Mapping[str, str]]) -> Tree:
    verdicts = [label["verdict"] for label in labels]
    return share(verdicts.count("real"), len(verdicts))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bench", type=Path, nargs="?", default=BENCH)
    parser.add_argument("--sample", type=int, default=0, help="print so many flags at random, and judge none")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if not options.sample:
        print(markdown(measure(options.bench)))
        return
    flags = [f for tables in ([read_epoch(options.bench)], read_mlperf(options.bench)) for f in find_flags(tables)]
    chosen = random.Random(options.seed).sample(flags, min(options.sample, len(flags)))  # noqa: S311
    for flag in chosen:
        print(*flag.key, flag.finding.verdict, flag.finding.title, flag.finding.explanation, sep="\n  ")


if __name__ == "__main__":
    main()
