"""MLPerf Inference, closed division: `python -m evals.measured.mlperf_inference GIT_DIR 4.1`.

The rates of valid Offline and Server runs from each result's log, with what system description and
measurement file state. A preview result is kept and called so.
"""

from __future__ import annotations

import re
import sys

from evals.measured.chips import chip_of
from evals.measured.rows import Measured, Repository, write

# the model that a benchmark runs, and its accuracy target where the name has one
_MODELS = {
    "llama2-70b": "Llama 2 70B",
    "mixtral-8x7b": "Mixtral 8x7B",
    "gptj": "GPT-J 6B",
    "bert": "BERT-Large",
    "stable-diffusion-xl": "Stable Diffusion XL",
    "resnet50": "ResNet-50",
    "retinanet": "RetinaNet",
    "3d-unet": "3D U-Net",
    "dlrm-v2": "DLRM-DCNv2",
}
_LOG = "performance/run_1/mlperf_log_summary.txt"
# the result that counts in each scenario, and its unit; tokens before samples
_RATES = {
    "Offline": (("Tokens per second", "tokens/s"), ("Samples per second", "samples/s")),
    "Server": (
        ("Completed tokens per second", "tokens/s"),
        ("Completed samples per second", "samples/s"),
        ("Scheduled samples per second", "samples/s"),
    ),
}
_FIELD = re.compile(r"^(?P<name>[^:\n]+?)\s*:\s*(?P<value>.*)$", re.MULTILINE)


def rows_of(repository: Repository, version: str) -> list[Measured]:
    """All rows of one round."""
    paths = repository.files("closed")
    logs = [path for path in paths if path.endswith(_LOG) and "/results/" in path]
    texts = repository.read_all(logs)
    known = set(paths)
    found = (_row(repository, path, texts[path], version, known) for path in logs)
    return [row for row in found if row is not None]


def _row(repository: Repository, path: str, text: str, version: str, known: set[str]) -> Measured | None:
    division, submitter, _, system, benchmark, folder = path.split("/")[:6]
    scenario = folder.capitalize()
    fields = {m["name"]: m["value"] for m in _FIELD.finditer(text)}
    described = f"{division}/{submitter}/systems/{system}.json"
    name, _, target = benchmark.rpartition("-") if benchmark.endswith(("-99", "-99.9")) else (benchmark, "", "")
    if scenario not in _RATES or fields.get("Result is") != "VALID" or described not in known or name not in _MODELS:
        return None
    about = repository.read_json(described)
    subject = chip_of(str(about.get("accelerator_model_name", "")))
    field, unit = next(((f, u) for f, u in _RATES[scenario] if f in fields), ("", ""))
    if not subject or not field:
        return None
    per_node, nodes = int(str(about["accelerators_per_node"])), int(str(about["number_of_nodes"]))
    framework = str(about.get("framework", "")).split(",")[0].strip()
    engine, _, engine_version = framework.partition(" ")
    return Measured(
        subject=subject,
        system=str(about["system_name"]).strip(),
        metric="throughput" if unit == "tokens/s" else "samples_per_second",
        value=fields[field],
        unit=unit,
        scope="total",
        chips=str(per_node * nodes),
        nodes=str(nodes),
        model=_MODELS[name],
        format=_weights(repository, f"{division}/{submitter}/measurements/{system}/{benchmark}/{folder}/", known),
        phase="inference",
        origin=f"{path}#{field}",
        counts="output" if unit == "tokens/s" else "",
        engine=engine,
        engine_version=engine_version if re.match(r"v?\d", engine_version) else "",
        benchmark="MLPerf Inference",
        benchmark_version=f"v{version}",
        scenario=scenario,
        quality=f"{target}%" if target else "",
        submitter=submitter.replace("_", " "),
        status=str(about.get("status", "")),
        date={"4.1": "2024-08-28", "4.0": "2024-03-27", "3.1": "2023-09-11"}[version],
    )


def _weights(repository: Repository, folder: str, known: set[str]) -> str:
    """The format of the weights as the measurement file states it, in lower case."""
    for path in sorted(
        p for p in known if p.startswith(folder) and p.endswith(".json") and p.count("/") == folder.count("/")
    ):
        stated = str(repository.read_json(path).get("weight_data_types", "")).strip().lower()
        if stated:
            return stated
    return ""


if __name__ == "__main__":
    folder, version = sys.argv[1:3]
    rows = rows_of(Repository(folder), version)
    sys.stdout.write(f"{write(f'mlperf-inference-v{version}', rows)}: {len(rows)} rows\n")
