"""dstack's comparison of H100 and MI300X nodes: `python -m evals.measured.dstack GIT_DIR`.

Input and output tokens per second of Llama 3.1 405B in FP8 under vLLM, by length and batch. Rows that were doubled
from half a node ("2FP8") are left out, as nobody measured them.
"""

from __future__ import annotations

import csv
import io
import re
import sys
from collections.abc import Iterator

from evals.measured.rows import Measured, Repository, write

COMMIT = "06c957ab51572ca18db9c1f4bb254a9eb86df4d7"
PAGE = "comparison/h100sxm5_vs_mi300x/csv_data/throughput_comparsion.csv"
_SYSTEM = re.compile(r"^(?P<chips>\d)x(?P<chip>H100|Mi300x?) 1FP8-(?P<weights>meta|amd)$")
_CHIPS = {"h": "nvidia-h100-sxm", "m": "amd-mi300x"}


def rows_of(repository: Repository) -> Iterator[Measured]:
    """All rows that were measured."""
    for row in csv.DictReader(io.StringIO(repository.read(PAGE).lstrip("\ufeff"))):
        parsed = _SYSTEM.match(row["gpu"].strip())
        if parsed is None:
            continue
        yield Measured(
            subject=_CHIPS[parsed["chip"][0].lower()],
            system=row["gpu"].split()[0],
            metric="throughput",
            value=row["tokens_per_second"],
            unit="tokens/s",
            scope="total",
            chips=parsed["chips"],
            nodes="1",
            model="Llama 3.1 405B",
            format="fp8",
            phase="inference",
            origin=f"{PAGE}#{row['gpu'].strip()} {row['input_len']}/{row['output_len']} batch {row['batch_size']}",
            counts="both",
            input_length=row["input_len"],
            output_length=row["output_len"],
            batch=row["batch_size"],
            parallelism=f"TP {parsed['chips']}",
            engine="vLLM",
            submitter="dstack",
            date="2024-12",
            note=f"weights quantized by {'Meta' if parsed['weights'] == 'meta' else 'AMD'}",
        )


if __name__ == "__main__":
    rows = list(rows_of(Repository(sys.argv[1], COMMIT)))
    sys.stdout.write(f"{write('dstack-2024', rows)}: {len(rows)} rows\n")
