"""The audit of a sealed generation, which never changes, kept beside it; a base on a server keeps none."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from chipwise import __version__
from chipwise.audit.model import Audit
from chipwise.errors import StorageFailed
from chipwise.files import write_atomically
from chipwise.opening import OpenIndex
from chipwise.types import Evidence, Finding, Role

NAME = "audit.json"
_CODE = max(
    path.stat().st_mtime_ns for path in Path(__file__).parents[1].rglob("*.py")
)  # a checkout changes at any time
_VERSION = f"{__version__} {_CODE}"


def kept_audit(index: OpenIndex, work_out: Callable[[], Audit]) -> Audit:
    """The audit that is kept with the open generation, else the one that is worked out now, which is kept then."""
    if index.base.shared:
        return work_out()
    path = index.base.generation_folder(index.seal) / NAME
    if (found := _read(path)) is None:
        found = work_out()
        with suppress(StorageFailed):  # a folder that nobody may write into is audited anew each time
            write_atomically(path, json.dumps({"version": _VERSION, "audit": asdict(found)}))
    return found


def _read(path: Path) -> Audit | None:
    try:
        data = json.loads(path.read_text("utf-8"))
        return _audit(data["audit"]) if data["version"] == _VERSION else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _audit(data: dict[str, Any]) -> Audit:
    findings = tuple(map(_finding, data["findings"]))
    counts = {name: data[name] for name in ("sources", "claims", "pairs")}
    return Audit(findings, **counts, unchecked=tuple(data["unchecked"]), uncompared=tuple(data["uncompared"]))


def _finding(data: dict[str, Any]) -> Finding:
    return replace(Finding(**data | {"evidence": ()}), evidence=tuple(_evidence(e) for e in data["evidence"]))


def _evidence(data: dict[str, Any]) -> Evidence:
    mark = tuple(data["mark"]) if data["mark"] else None
    return Evidence(**data | {"role": Role(data["role"]), "heading": tuple(data["heading"]), "mark": mark})
