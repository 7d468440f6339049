"""MLPerf Training, closed division: `python -m evals.measured.mlperf_training GIT_DIR 4.1`.

A submission's time to train is the mean of its runs without the fastest and the slowest, as the
rules of the benchmark have it; from the start and stop of each run in the logs.
"""

from __future__ import annotations

import json
import re
import sys
from collections import defaultdict
from statistics import fmean

from evals.measured.chips import chip_of
from evals.measured.rows import Measured, Repository, write

_MODELS = {
    "llama2_70b_lora": ("Llama 2 70B", "fine-tuning"),
    "gpt3": ("GPT-3 175B", "pre-training"),
    "bert": ("BERT-Large", "pre-training"),
    "stable_diffusion": ("Stable Diffusion v2", "training"),
    "ssd": ("RetinaNet", "training"),
    "dlrm_dcnv2": ("DLRM-DCNv2", "training"),
    "gnn": ("R-GAT", "training"),
    "resnet": ("ResNet-50", "training"),
    "unet3d": ("3D U-Net", "training"),
}
_RUN = re.compile(r"^[^/]+/results/[^/]+/[^/]+/result_\d+\.txt$")
_LINE = re.compile(r":::MLLOG\s+(\{.*\})")
_KEYS = frozenset(("run_start", "run_stop", "global_batch_size", "submission_division", "max_sequence_length"))
MINUTE = 60_000  # milliseconds
_ENGINES = ("PyTorch", "NeMo", "MXNet", "MaxText", "MaxDiffusion", "DGL", "HugeCTR", "Merlin", "tinygrad")
_RELEASE = re.compile(r"\b2\d\.\d\d\b")


def rows_of(repository: Repository, version: str) -> list[Measured]:
    """All rows of one round."""
    paths = repository.files()
    runs: dict[str, list[str]] = defaultdict(list)
    for path in paths:
        if _RUN.match(path):
            runs[path.rpartition("/")[0]].append(path)
    known = set(paths)
    found = (_row(repository, folder, runs[folder], version, known) for folder in sorted(runs))
    return [row for row in found if row is not None]


def _events(text: str) -> dict[str, list[tuple[int, object, object]]]:
    """Time in milliseconds, value and status of each event of interest, by its key."""
    events: dict[str, list[tuple[int, object, object]]] = defaultdict(list)
    for match in _LINE.finditer(text):
        if not any(f'"{key}"' in match[1] for key in _KEYS):
            continue
        try:
            event = json.loads(match[1])
        except ValueError:
            continue
        if event.get("key") in _KEYS:
            events[event["key"]].append((event["time_ms"], event["value"], (event.get("metadata") or {}).get("status")))
    return events


def _row(repository: Repository, folder: str, paths: list[str], version: str, known: set[str]) -> Measured | None:
    submitter, _, system, benchmark = folder.split("/")
    described = f"{submitter}/systems/{system}.json"
    if described not in known or benchmark not in _MODELS:
        return None
    try:
        about = repository.read_json(described)
    except ValueError:
        return None
    subject = chip_of(str(about.get("accelerator_model_name", "")))
    runs = [_events(text) for text in repository.read_all(paths).values()]
    if (
        not subject
        or len(runs) < len(paths)
        or any("submission_division" in run and run["submission_division"][0][1] != "closed" for run in runs)
    ):
        return None
    minutes = sorted(
        (run["run_stop"][-1][0] - run["run_start"][0][0]) / MINUTE
        for run in runs
        if run["run_stop"] and run["run_start"] and run["run_stop"][-1][2] in ("success", None)
    )
    counted = minutes[1:-1] if len(minutes) > 2 else ()
    if len(minutes) < len(paths) - 1 or not counted:  # one run may have failed
        return None
    batch = {str(run["global_batch_size"][0][1]) for run in runs if run["global_batch_size"]}
    nodes, per_node = int(str(about["number_of_nodes"])), int(str(about["accelerators_per_node"]))
    model, phase = _MODELS[benchmark]
    framework = str(about.get("framework", ""))
    engine = next((name for name in _ENGINES if framework.lower().lstrip().startswith(name.lower())), "")
    release = _RELEASE.search(framework) if engine and framework.count("elease") == 1 else None
    return Measured(
        subject=subject,
        system=str(about["system_name"]).strip(),
        metric="time_to_train",
        value=f"{fmean(counted):.3f}",
        unit="min",
        scope="total",
        chips=str(per_node * nodes),
        nodes=str(nodes),
        model=model,
        format="",
        phase=phase,
        origin=folder,
        batch=batch.pop() if len(batch) == 1 else "",
        engine=engine,
        engine_version=release[0] if release else "",
        benchmark="MLPerf Training",
        benchmark_version=f"v{version}",
        scenario="",
        submitter=submitter.replace("_", " "),
        status=str(about.get("status", "")).lower(),
        date={"4.1": "2024-11-13", "4.0": "2024-06-12"}[version],
        note=f"mean of {len(counted)} of {len(minutes)} runs; {minutes[0]:.3f} to {minutes[-1]:.3f}",
    )


if __name__ == "__main__":
    folder, version = sys.argv[1:3]
    rows = rows_of(Repository(folder), version)
    sys.stdout.write(f"{write(f'mlperf-training-v{version}', rows)}: {len(rows)} rows\n")
