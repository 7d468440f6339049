"""TensorRT-LLM's performance overview of version 1.0: `python -m evals.measured.tensorrt_llm perf-overview.md`.

Total output tokens per second under an endless queue of requests of one length, by GPU, parallelism and weight format.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from evals.measured.rows import Measured, write
from evals.measured.tables import tables

COMMIT, PAGE = "00f37686aa854010d68bcbd0f4ab000221541ca6", "docs/source/performance/perf-overview.md"
_GPUS = {"H100": "nvidia-h100-sxm", "H200": "nvidia-h200-sxm", "B200": "nvidia-b200-sxm", "GB200": "nvidia-gb200-gpu"}
_BESIDE = ("RTX 6000 Pro Blackwell Server Edition", "nvidia-rtx-pro-6000-server")
_COLUMN = re.compile(r"^(?P<gpu>[A-Z0-9]+|\*\*\d+ GPUs\*\*)<br/>TP(?P<tp>\d+)(?:,PP(?P<pp>\d+))? \((?P<format>FP\d)\)$")
_MODELS = {
    "Llama 4 Scout": "Llama 4 Scout",
    "Llama 4 Maverick": "Llama 4 Maverick",
    "Llama 3.3 70B": "Llama 3.3 70B",
    "Llama 3.1 405B": "Llama 3.1 405B",
    "Llama 3.1 8B": "Llama 3.1 8B",
    "Qwen3-235B-A22B": "Qwen3 235B-A22B",
    "Qwen3-30B-A3B": "Qwen3 30B-A3B",
}


def rows_of(text: str) -> Iterator[Measured]:
    """All rows of the page."""
    for table in tables(text):
        model = table.headings.get(4, "")
        if model not in _MODELS or not table.header[0].startswith("Sequence Length"):
            continue
        for cells in table.rows:
            for column, figure in zip(table.header[1:], cells[1:], strict=True):
                if figure:
                    yield _measured(model, column, cells[0], figure, beside=table.before == _BESIDE[0])


def _measured(model: str, column: str, lengths: str, figure: str, *, beside: bool) -> Measured:
    parsed = _COLUMN.match(column)
    assert parsed is not None, column
    tensor, pipeline = int(parsed["tp"]), int(parsed["pp"] or 1)
    split = f"TP {tensor}" + (f", PP {pipeline}" if pipeline > 1 else "")
    system = _BESIDE[0] if beside else parsed["gpu"]
    read, written = lengths.split("/")
    return Measured(
        subject=_BESIDE[1] if beside else _GPUS[parsed["gpu"]],
        system=system,
        metric="throughput",
        value=figure.replace(",", ""),
        unit="tokens/s",
        scope="total",
        chips=str(tensor * pipeline),
        nodes="1",
        model=_MODELS[model],
        format=parsed["format"].lower(),
        phase="inference",
        origin=f"{PAGE}#{model} {system} {split} {parsed['format']} {lengths}",
        counts="output",
        input_length=read,
        output_length=written,
        parallelism=split,
        engine="TensorRT-LLM",
        engine_version="1.0",
        scenario="Offline",
        submitter="NVIDIA",
        date="2025-09",
    )


if __name__ == "__main__":
    rows = list(rows_of(Path(sys.argv[1]).read_text("utf-8")))
    sys.stdout.write(f"{write('tensorrt-llm-1.0', rows)}: {len(rows)} rows\n")
