"""Freezes what the product answers, finds and reads, and tells what has changed since.

    python evals/freeze.py --diff [PART]     the present code against evals/frozen/; exit 1 where something right was lost
    python evals/freeze.py --write [PART]    makes what comes out now the frozen state

PART is answers, findings or claims; all three without it. The summary comes first: the same, changed, lost, new.
Right is an answer that its gold bears out, and the finding that tells a planted change.
For a quick look, `--sample 10` runs every tenth case and `--only dev,drafts/third` the cases of some sets.
Pages that lie beside the project are read where --bench says; without them their cases are left out.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from benchmarks import BENCH
from frozen_diff import Record, kept, report
from frozen_files import FOLDER, read, write
from frozen_records import Case, Places, find_cases, observe
from indexing import CACHE
from questions import find_raw_pages, prepare_raw

from chipwise.knowledge import KnowledgeFolder
from chipwise.opening import opened

PARTS = ("answers", "findings", "claims")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    does = parser.add_mutually_exclusive_group(required=True)
    does.add_argument("--diff", nargs="?", const="", choices=("", *PARTS), metavar="PART")
    does.add_argument("--write", nargs="?", const="", choices=("", *PARTS), metavar="PART")
    kb = os.environ.get("CHIPWISE_KB") or CACHE / "kb"
    parser.add_argument("--kb", type=Path, default=Path(kb), help="a knowledge base of the shipped corpus")
    parser.add_argument("--bench", type=Path, default=BENCH, help="the folder of public benchmarks")
    parser.add_argument("--only", default="", help="beginnings of case ids, parted by commas: dev,real")
    parser.add_argument("--sample", type=int, default=1, metavar="N", help="every Nth case")
    options = parser.parse_args()
    parts = [part] if (part := options.diff or options.write) else list(PARTS)
    if options.diff is None and (options.only or options.sample > 1):
        parser.error("--write takes all cases")
    places = prepare(options.kb, options.bench)
    worse = False
    for name in parts:
        cases = chosen(find_cases(name, places), options.only, options.sample)
        records = run(name, cases, places)
        if options.diff is None:
            write(FOLDER, name, [kept(record) for record in records])
        else:
            worse |= show(name, cases, records, sampled=bool(options.only) or options.sample > 1)
    sys.exit(1 if worse else 0)


def prepare(kb: Path, bench: Path) -> Places:
    """Builds both knowledge bases, or brings them up to date, before several processes open them."""
    places = Places(kb, kb.with_name(f"{kb.name}-raw"), bench)
    with opened(KnowledgeFolder(kb)):
        pass
    if find_raw_pages(bench):
        with opened(prepare_raw(bench, places.raw)):
            pass
    return places


def chosen(cases: Sequence[Case], only: str, every: int) -> list[Case]:
    """Every so many of the cases whose id begins with one of `only`, parted by commas; of all where it is empty."""
    beginnings = tuple(name for name in only.split(",") if name) or ("",)
    return [case for case in cases if case.id.startswith(beginnings)][::every]


def run(part: str, cases: Sequence[Case], places: Places) -> list[Record]:
    """The records of all cases, in their order, made on all cores."""
    spawn = multiprocessing.get_context("spawn")  # a fork would share the threads' locks of the parent's runtime
    records: list[Record] = []
    with ProcessPoolExecutor(mp_context=spawn) as pool:
        for number, found in enumerate(pool.map(partial(_observe, part, places), cases, chunksize=4), start=1):
            records += found
            if sys.stderr.isatty():
                print(f"\r{part}: {number:,} of {len(cases):,}", end="", file=sys.stderr, flush=True)
    if sys.stderr.isatty():
        print(file=sys.stderr)
    return records


def _observe(part: str, places: Places, case: Case) -> list[Record]:
    return observe(part, case, places)


def show(part: str, cases: Sequence[Case], now: Sequence[Record], *, sampled: bool) -> bool:
    """Prints how the records of these cases differ from the frozen ones; true where something right was lost."""
    frozen = list(read(FOLDER, part))
    asked = {case.id for case in cases}
    made = report(part, [record for record in frozen if record["case"] in asked], now)
    print(*made.summary, sep="\n")
    missing = {record["case"] for record in frozen} - asked
    if missing and not sampled:
        print(f"not run, since it is not there: {len(missing)} cases, such as {min(missing)}")
    print(*made.details, sep="\n", end="\n\n")
    return made.worse


if __name__ == "__main__":
    main()
