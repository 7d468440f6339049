"""The devices of this machine, as their drivers' tools list them."""

from __future__ import annotations

import json
import shutil
import subprocess
from typing import Any

from chipwise.errors import DeviceToolMissing

_SECONDS = 20  # timeout of a tool; it takes about three seconds on a machine of eight GPUs
# maker, command, and the path of a name in its JSON ("" for plain lines); the maker's first tool with a result is used
_TOOLS = (
    ("NVIDIA", "nvidia-smi --query-gpu=name --format=csv,noheader", ""),
    ("AMD", "amd-smi static --asic --json", "gpu_data/asic/market_name"),
    ("AMD", "amd-smi static --asic --json", "asic/market_name"),
    ("AMD", "rocm-smi --showproductname --json", "*/Card Series"),
    ("AMD", "rocm-smi --showproductname --json", "*/Card series"),
    ("Intel", "xpu-smi discovery -j", "device_list/device_name"),
    ("Habana", "hl-smi -Q name -f csv,noheader", ""),
    ("Apple", "sysctl -n machdep.cpu.brand_string", ""),
)


def devices_here() -> list[str]:
    """List the names that the drivers' tools on this machine print, one per device.

    Raises DeviceToolMissing if no tool lists any.
    """
    listed: dict[str, list[str]] = {}
    failures = set()
    for maker, line, path in _TOOLS:
        tool = line.split()[0]
        if listed.get(maker) or not shutil.which(tool):
            continue
        try:
            done = subprocess.run(line.split(), capture_output=True, text=True, timeout=_SECONDS, check=True)
            listed[maker] = _at(json.loads(done.stdout), path) if path else done.stdout.strip().splitlines()
        except (OSError, subprocess.SubprocessError, ValueError) as error:
            failures.add(f"{tool}: {error}")
    names = [name.strip() for those in listed.values() for name in those]
    if not names:
        message = "; ".join(sorted(failures)) or "no driver tool lists a device on this machine"
        raise DeviceToolMissing(message, hint="name the device: `chipwise peak NAME`")
    return names


def _at(value: Any, path: str) -> list[str]:
    """Return the texts at a path of keys through records and lists; "*" matches any key."""
    nodes = [value]
    for key in path.split("/"):
        records = [
            one for node in nodes for one in (node if isinstance(node, list) else [node]) if isinstance(one, dict)
        ]
        nodes = [each for one in records for each in (one.values() if key == "*" else [one[key]] if key in one else [])]
    return [str(node) for node in nodes]
