"""What is worked out of a sealed generation, which never changes, kept beside it: its audit, and which sources are one witness. A base on a server keeps nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from chipwise import __version__
from chipwise.audit.model import Audit
from chipwise.errors import StorageFailed
from chipwise.files import write_atomically
from chipwise.opening import OpenIndex
from chipwise.types import Finding

NAME, WITNESSES = "audit.json", "witnesses.json"
# a checkout changes at any time
_CODE = max(path.stat().st_mtime_ns for path in Path(__file__).parents[1].rglob("*.py"))
_VERSION = f"{__version__} {_CODE}"


def kept_audit(index: OpenIndex, work_out: Callable[[], Audit]) -> Audit:
    """The audit that is kept with the open generation, else the one that is worked out now, which is kept then."""
    from pydantic import TypeAdapter  # noqa: PLC0415 (most commands need no audit)

    data = kept(index, NAME, lambda: asdict(work_out()))
    findings = TypeAdapter(tuple[Finding, ...]).validate_python(data["findings"])
    lists: dict[str, Any] = {name: tuple(data[name]) for name in ("unchecked", "uncompared")}
    return Audit(findings, data["sources"], data["claims"], data["pairs"], **lists)


def kept(index: OpenIndex, name: str, work_out: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """What is kept under a name, else what is worked out now."""
    if index.base.shared:
        return work_out()
    path = index.base.generation_folder(index.seal) / name
    try:
        data = json.loads(path.read_text("utf-8"))
        if data["version"] == _VERSION:
            return dict(data["value"])
    except (OSError, ValueError, KeyError, TypeError):
        pass
    value = work_out()
    with suppress(StorageFailed):  # a folder that nobody may write into is audited anew each time
        if path.parent.is_dir():  # a build may have removed it since
            write_atomically(path, json.dumps({"version": _VERSION, "value": value}))
    return value
