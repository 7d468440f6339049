"""torchtitan's benchmark notes: `python -m evals.measured.torchtitan GIT_DIR`.

Training tokens per second and GPU of three notes. What a table's caption states (model, GPUs, batch) holds for its rows.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from evals.measured.rows import Measured, Repository, write
from evals.measured.tables import Table, tables

COMMIT = "b5bcd76c66d0acb1a08b176d9639425bc55e0b2a"


@dataclass(frozen=True, slots=True)
class Note:
    """One note: its file, whose it is, when, and on which chip it was measured."""

    path: str
    submitter: str
    date: str
    subject: str
    system: str


# the H100s of PyTorch's team had 96 GB of HBM2e and a limit of 500 W: no H100 that is sold, so that only the line is named
_HOSTS = "8x H100 96GB HBM2e, 500 W"
NOTES = (
    Note("benchmarks/llama3_h100_202412_torchtitan.md", "PyTorch", "2024-12", "nvidia-h100", _HOSTS),
    Note("benchmarks/asyncTP_llama3_h100_2025-06_torchtitan.md", "PyTorch", "2025-06", "nvidia-h100", _HOSTS),
    Note("benchmarks/llama3-8b_h200_202506_trainy-whitefiber.md", "Trainy", "2025-06", "nvidia-h200-sxm", "8x H200"),
)
_MODEL = re.compile(r"Llama ?3(?:\.1)? (\d+)b", re.IGNORECASE)
_CHIPS = re.compile(r"(\d+) (?:GPUs|H100s)")
_BATCH = re.compile(r"global batch size (\d+)")
_SPLIT = re.compile(r"\b(FSDP|TP|PP|CP)[ =]?(\d+)")
_RATE = re.compile(r"^(?P<way>.*?)\s*(?:TPS/GPU|tokens/sec)$")


def rows_of(repository: Repository) -> Iterator[Measured]:
    """All rows of all notes."""
    for note in NOTES:
        text = repository.read(note.path)
        page_model = _MODEL.search(text.partition("### Models")[2])
        for table in tables(text):
            caption = table.before if _CHIPS.search(table.before) else table.headings.get(4, "")
            if caption or table.header[0] == "NUM_NODES":
                model = _MODEL.search(caption) or page_model
                assert model is not None
                yield from _measured(note, table, caption, f"Llama 3.1 {model[1]}B")


def _measured(note: Note, table: Table, caption: str, model: str) -> Iterator[Measured]:
    stated = _CHIPS.search(caption)
    for cells in table.rows:
        row = dict(zip(table.header, cells, strict=True))
        chips = int(stated[1]) if stated else 8 * int(row["NUM_NODES"])
        for column, figure in row.items():
            rate = _RATE.match(column)
            if rate is None:
                continue
            way = ", ".join(part for part in (rate["way"], cells[0] if stated else "") if part)
            batch = _BATCH.search(caption)
            float8 = "float8" in f"{caption} {way}".lower() or not stated  # the third note's command quantizes
            split = dict(_SPLIT.findall(f"{caption} {way}"))
            yield Measured(
                subject=note.subject,
                system=note.system,
                metric="throughput",
                value=figure.replace(",", ""),
                unit="tokens/s",
                scope="chip",
                chips=str(chips),
                nodes=str(chips // 8),
                model=model,
                format="fp8" if float8 else "bf16",
                phase="pre-training",
                origin=f"{note.path}#{caption.partition('.')[0]} {' | '.join(cells[:1])} {column}".replace("*", ""),
                counts="input",
                input_length=row.get("Sequence Length", ""),
                batch=batch[1] if batch else "",
                parallelism=", ".join(f"{name} {size}" for name, size in split.items()),
                engine="torchtitan",
                submitter=note.submitter,
                date=note.date,
                note=way,
            )


if __name__ == "__main__":
    rows = list(rows_of(Repository(sys.argv[1], COMMIT)))
    sys.stdout.write(f"{write('torchtitan-2025', rows)}: {len(rows)} rows\n")
