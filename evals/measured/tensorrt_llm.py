"""TensorRT-LLM's performance overviews: `python -m evals.measured.tensorrt_llm GIT_DIR [VERSION]`, or PAGE 1.0 for a page without its repository.

Output tokens per second under an endless queue of requests of one length (from version 0.10), or of one large batch
(before), by GPU, parallelism and weight format. Each page has a table of its own shape:

    0.6.1, 0.9.0   a table for each GPU, a row for each model, batch and length, figures per GPU
    0.11.0         one table, a column for each GPU and format; a cell that is empty repeats the one above
    1.0            a table for each model, a column for each GPU, parallelism and format
    deepseek-r1    notes on one model, with what a run printed
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from evals.measured.rows import Measured, Repository, write
from evals.measured.tables import Table, tables


class Release(NamedTuple):
    """One overview: the commit and the path that it is read at, its month, and what reads its tables."""

    commit: str
    page: str
    date: str
    read: Callable[[Release, str, str], Iterator[Measured]]


_GPUS = {
    "H100": "nvidia-h100-sxm",
    "H100 80GB HBM3": "nvidia-h100-sxm",
    "H200": "nvidia-h200-sxm",
    "H200 141GB HBM3": "nvidia-h200-sxm",
    "GH200 120GB": "nvidia-gh200",
    "A100": "nvidia-a100-sxm-80gb",
    "A100-SXM4-80GB": "nvidia-a100-sxm-80gb",
    "L40S": "nvidia-l40s",
    "B200": "nvidia-b200-sxm",
    "GB200": "nvidia-gb200-gpu",
    "RTX 6000 Pro Blackwell Server Edition": "nvidia-rtx-pro-6000-server",
}
_MODELS = {
    "LLaMA 7B": "Llama 2 7B",
    "LLaMA 70B": "Llama 2 70B",
    "LLaMA v2 7B": "Llama 2 7B",
    "LLaMA v2 70B": "Llama 2 70B",
    "LLaMA v3 8B": "Llama 3 8B",
    "LLaMA v3 70B": "Llama 3 70B",
    "GPTJ 6B": "GPT-J 6B",
}
_BESIDE = "RTX 6000 Pro Blackwell Server Edition"
_COLUMN = re.compile(r"^(?P<gpu>[A-Z0-9]+|\*\*\d+ GPUs\*\*)<br/>TP(?P<tp>\d+)(?:,PP(?P<pp>\d+))? \((?P<format>FP\d)\)$")
_HEADING = re.compile(r"^(?P<gpu>\w+) GPUs \((?P<format>FP\d+)\)")
_NEWEST = frozenset(
    (
        *("Llama 4 Scout", "Llama 4 Maverick", "Llama 3.3 70B", "Llama 3.1 405B", "Llama 3.1 8B"),
        *("Qwen3-235B-A22B", "Qwen3-30B-A3B"),
    )
)


def _measured(release: Release, version: str, model: str, gpu: str, lengths: str, figure: str, **more: str) -> Measured:
    """A row; `more` has format and parallelism, and what only one page states."""
    read, written = lengths.split("/")
    split = more["parallelism"]
    name = _MODELS.get(model, model.replace("Qwen3-", "Qwen3 "))
    chips = 1
    for _, number in re.findall(r"(TP|PP) (\d+)", split):
        chips *= int(number)
    return Measured(
        subject=_GPUS[gpu],
        system=gpu,
        metric="throughput",
        value=figure.replace(",", ""),
        unit="tokens/s",
        scope=more.pop("scope", "total"),
        chips=str(chips),
        nodes="1",
        model=name,
        phase="inference",
        origin=f"{release.page}#{model} {gpu} {split} {more['format'].upper()} {lengths}",
        counts="output",
        input_length=read,
        output_length=written,
        engine="TensorRT-LLM",
        engine_version=version,
        scenario="Offline",
        submitter="NVIDIA",
        date=release.date,
        **more,
    )


def _by_gpu(release: Release, version: str, text: str) -> Iterator[Measured]:
    """The tables of 0.6.1 and 0.9.0; one that is of an older version, as its note says, is left out, and one whose header says no scope."""
    for table in tables(text):
        heading = _HEADING.match(table.headings.get(3, ""))
        if heading is None or table.header[-1] != "Throughput (out tok/s/GPU)" or "v0.5" in table.before:
            continue
        for model, batch, tensor, read, written, figure in filter(lambda cells: cells[0], table.rows):
            form = {"format": heading["format"].lower(), "parallelism": f"TP {tensor}", "batch": batch, "scope": "chip"}
            yield _measured(release, version, model, heading["gpu"], f"{read}/{written}", figure, **form)


def _wide(release: Release, version: str, text: str) -> Iterator[Measured]:
    """The one table of 0.11.0, whose first three rows are its header."""
    table = next(t for t in tables(text) if len(t.rows) > 3 and "Precision" in t.rows[1][2])
    plain: list[Sequence[str]] = [[cell.strip("* ") for cell in cells] for cells in table.rows]
    gpus, formats = plain[0][3:], plain[1][3:]
    model = lengths = ""
    for first, second, tensor, *figures in plain[3:]:
        model, lengths = first or model, second or lengths
        for gpu, form, figure in zip(gpus, formats, figures, strict=True):
            if figure:
                more = {"format": form.lower(), "parallelism": f"TP {tensor}"}
                yield _measured(release, version, model, gpu, lengths, figure, **more)


def _by_model(release: Release, version: str, text: str) -> Iterator[Measured]:
    """The tables of 1.0."""
    for table in tables(text):
        model = table.headings.get(4, "")
        if model in _NEWEST and table.header[0].startswith("Sequence Length"):
            yield from _columns(release, version, model, table)


def _columns(release: Release, version: str, model: str, table: Table) -> Iterator[Measured]:
    for cells in table.rows:
        for column, figure in zip(table.header[1:], cells[1:], strict=True):
            parsed = _COLUMN.match(column)
            assert parsed is not None, column
            split = f"TP {parsed['tp']}" + (f", PP {parsed['pp']}" if int(parsed["pp"] or 1) > 1 else "")
            gpu = _BESIDE if table.before == _BESIDE else parsed["gpu"]
            if figure:
                more = {"format": parsed["format"].lower(), "parallelism": split}
                yield _measured(release, version, model, gpu, cells[0], figure, **more)


# headings of the notes on DeepSeek-R1: GPU, format, batch, and what else the text states; all at 1,024 tokens in and 2,048 out, TP 8
_NOTES = {
    "B200 min-latency": ("B200", "fp4", "1", "EP 2, speculative decoding (MTP 3), real prompts"),
    "B200 max-throughput for R1-0528 with FP8 KV cache": ("B200", "fp4", "7168", "R1-0528, EP 8, FP8 cache"),
    "B200 max-throughput for R1 with FP16 KV cache": ("B200", "fp4", "3072", "EP 8, FP16 cache"),
    "H200 min-latency": ("H200", "fp8", "1", "EP 4, speculative decoding (MTP 3), real prompts"),
    "H200 max-throughput": ("H200", "fp8", "1024", "EP 8"),
}


def _by_log(release: Release, version: str, text: str) -> Iterator[Measured]:
    """The printed results under the headings of the notes on DeepSeek-R1."""
    heading = ""
    for line in text.splitlines():
        if line.startswith("### "):
            heading = line.removeprefix("### ")
        if line.startswith("Total Output Throughput") and heading in _NOTES:
            gpu, form, batch, note = _NOTES[heading]
            figure = line.rpartition(":")[2].strip()
            more = {"format": form, "parallelism": "TP 8", "batch": batch, "note": note}
            row = _measured(release, version, "DeepSeek-R1", gpu, "1024/2048", figure, **more)
            yield replace(
                row, origin=f"{release.page}#{heading}: Total Output Throughput", engine_version="", scenario=""
            )


_OVERVIEW = "docs/source/performance/perf-overview.md"
RELEASES = {
    "0.6.1": Release("59f41c067d54838777351b143602ca1c4cad2fdc", "docs/source/performance.md", "2023-12", _by_gpu),
    "0.9.0": Release("66ef1df492f7bc9c8eeb01d7e14db01838e3f0bd", _OVERVIEW, "2024-04", _by_gpu),
    "0.11.0": Release("bca9a33b022dc6a924bf7913137feed3d28b602d", _OVERVIEW, "2024-07", _wide),
    "1.0": Release("00f37686aa854010d68bcbd0f4ab000221541ca6", _OVERVIEW, "2025-09", _by_model),
    "deepseek-r1": Release(
        "01c4ece911eb569e72cf4177f83238a0520641c2",
        "docs/source/blogs/Best_perf_practice_on_DeepSeek-R1_in_TensorRT-LLM.md",
        "2025",
        _by_log,
    ),
}


if __name__ == "__main__":
    origin, version = sys.argv[1:3]
    release = RELEASES[version]
    folder = Path(origin)
    text = folder.read_text("utf-8") if folder.is_file() else Repository(folder, release.commit).read(release.page)
    rows = list(release.read(release, version, text))
    sys.stdout.write(f"{write(f'tensorrt-llm-{version}', rows)}: {len(rows)} rows\n")
