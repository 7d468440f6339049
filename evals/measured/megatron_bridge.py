"""Megatron-Bridge's performance page: `python -m evals.measured.megatron_bridge GIT_DIR`.

Pre-training rates per GPU of the releases of 2025, from the page as it stood on 10 December 2025. A second
figure in parentheses is that of the other FP8 recipe where the precision column names two; where it doesn't, only the first is taken.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator

from evals.measured.rows import Measured, Repository, write
from evals.measured.tables import tables

COMMIT, PAGE = "5776a6d90", "docs/performance-summary.md"
_SYSTEMS = {
    "DGX-GB300": ("nvidia-gb300-gpu", ""),
    "DGX-GB200": ("nvidia-gb200-gpu", ""),
    "DGX-B200": ("nvidia-b200-sxm", "8"),
    "DGX-H100": ("nvidia-h100-sxm", "8"),
}
_MODELS = {
    "LLAMA3_8B": "Llama 3 8B",
    "LLAMA3_70B": "Llama 3 70B",
    "LLAMA3.1_405B": "Llama 3.1 405B",
    "DeepSeekV3": "DeepSeek-V3",
    "GPT OSS 120B": "gpt-oss-120b",
    "Qwen3_30B_a3B": "Qwen3 30B-A3B",
    "Qwen3_235B_a22B": "Qwen3 235B-A22B",
}
_DATES = {"25.11": "2025-12", "25.09": "2025-10"}
_NAMED = re.compile(r"^(?P<model>[^(]+?)\s*(?:\((?P<note>[^)]*)\))?$")
_FORMATS = {"FP8-CS": "fp8", "FP8-MX": "mxfp8", "BF16": "bf16", "": ""}
_RATES = (("Tokens / sec / GPU", "throughput", "tokens/s"), ("Model TFLOP / sec / GPU", "achieved_compute", "TFLOPS"))
_SPLIT = ("TP", "PP", "CP", "VP", "EP", "FSDP")


def rows_of(repository: Repository) -> Iterator[Measured]:
    """All rows of the page."""
    for table in tables(repository.read(PAGE)):
        release = next((h.split()[0] for h in table.headings.values() if h[:2].isdigit()), "")
        system = next((h.removeprefix("System: ") for h in table.headings.values() if h.startswith("System: ")), "")
        if release in _DATES and system in _SYSTEMS:
            for cells in table.rows:
                yield from _measured(dict(zip(table.header, cells, strict=True)), release, system)


def _measured(row: dict[str, str], release: str, system: str) -> Iterator[Measured]:
    named = _NAMED.match(row["Model"])
    assert named is not None
    subject, per_node = _SYSTEMS[system]
    chips = row["#-GPUs"]
    split = ", ".join(
        f"{name} {row[name]}" for name in _SPLIT if row.get(name, "n/a") not in ("n/a", "0") and "(" not in row[name]
    )
    recipes = [recipe.strip(" ()") for recipe in row.get("Precision", "").split("(")]
    for column, metric, unit in _RATES:
        figures = [figure.strip(" ()") for figure in row[column].split("(")]
        both = len(figures) == len(recipes)
        for number, (recipe, figure) in enumerate(zip(recipes, figures if both else figures[:1], strict=False)):
            yield Measured(
                subject=subject,
                system=system,
                metric=metric,
                value=figure,
                unit=unit,
                scope="chip",
                chips=chips,
                nodes=str(int(chips) // int(per_node)) if per_node and int(chips) % int(per_node) == 0 else "",
                model=_MODELS[named["model"]],
                format=_FORMATS[recipe],
                phase="pre-training",
                origin=f"{PAGE}#{release} {system} {row['Model']} {recipe} {column}".replace("  ", " ")
                + ("" if not number else " (second)"),
                counts="input" if metric == "throughput" else "",
                input_length=row["Sequence Length"],
                batch=row["GBS"],
                parallelism=split,
                engine="Megatron-Bridge",
                engine_version=release,
                submitter="NVIDIA",
                date=_DATES[release],
                note=named["note"] or "",
            )


if __name__ == "__main__":
    rows = list(rows_of(Repository(sys.argv[1], COMMIT)))
    sys.stdout.write(f"{write('megatron-bridge-2025', rows)}: {len(rows)} rows\n")
